//! What a crash left: the evidence, what is done about it, and the loss of a lease.

mod any_input;
mod lease_loss;

use crate::support::{LEASE_END, NOW, TOKEN, at, lease, name, offer, record, session};
use holdover_machine::{Machine, Secret, Span};
use holdover_offers::*;
use std::collections::VecDeque;

/// What the ports around a coordinator answer, in order and by kind.
struct Ports {
    record: Option<Record>,
    receipts: VecDeque<ReceiptReading>,
    inspection: Inspection,
    activation: Activation,
    completion: Completion,
    writes: VecDeque<Result<(), JournalError>>,
    removal: ReceiptRemoval,
    /// Stored by somebody else when a write fails.
    others: Option<Record>,
    calls: Vec<&'static str>,
}

impl Ports {
    fn new(record: Record) -> Self {
        Self {
            record: Some(record),
            receipts: VecDeque::new(),
            inspection: Inspection::Failed,
            activation: activation(ActivationStatus::Applied),
            completion: Completion::Acknowledged,
            writes: VecDeque::new(),
            removal: ReceiptRemoval::Removed,
            others: None,
            calls: Vec::new(),
        }
    }

    fn reply(&mut self, call: RecoveryCall) -> RecoveryReply {
        let (name, reply) = match call {
            RecoveryCall::Read => ("read", RecoveryReply::Read(Ok(self.record.clone().map(Box::new)))),
            RecoveryCall::ReadReceipt(_) => {
                let reading = self.receipts.pop_front().unwrap_or(ReceiptReading::Absent);
                ("receipt", RecoveryReply::Receipt(reading))
            }
            RecoveryCall::Inspect(_) => ("inspect", RecoveryReply::Inspected(self.inspection)),
            RecoveryCall::Wait(_) => ("wait", RecoveryReply::GraceOver),
            RecoveryCall::Complete(_) => ("complete", RecoveryReply::Completed(self.completion.clone())),
            RecoveryCall::AcknowledgeRunning(_) => {
                ("running", RecoveryReply::Activation(self.activation.clone()))
            }
            RecoveryCall::Replace { record, expected } => {
                record.check().expect("only valid records are written");
                assert_eq!(Some(expected), self.record.as_ref().map(|stored| stored.revision));
                let written = self.writes.pop_front().unwrap_or(Ok(()));
                match written {
                    Ok(()) => self.record = Some(*record),
                    Err(_) => self.record = self.others.take().or(self.record.take()),
                }
                ("write", RecoveryReply::Replaced(written))
            }
            RecoveryCall::RemoveReceipt(_) => ("remove", RecoveryReply::ReceiptRemoved(self.removal)),
        };
        self.calls.push(name);
        reply
    }
}

fn activation(status: ActivationStatus) -> Activation {
    Activation::Acknowledged { status, lease: Box::new(lease("a", 9)) }
}

fn receipt() -> Receipt {
    Receipt {
        schema_version: 1,
        run_id: "run-of-a".into(),
        attempt_id: "a".into(),
        callback_sequence: 1,
        token: Secret::new(TOKEN.into()),
        started_at: at(999_600),
        finished_at: at(999_900),
        exit_code: Some(0),
    }
}

fn present(change: fn(&mut Receipt)) -> ReceiptReading {
    let mut receipt = receipt();
    change(&mut receipt);
    ReceiptReading::Present(Box::new(receipt))
}

/// Recovers the offer once; the text of the result: its status or error, and the finding.
fn recover(
    ports: &mut Ports,
    session: Option<Session>,
    now: holdover_machine::Timestamp,
    grace: Span,
) -> String {
    let mut coordinator = RecoveryCoordinator::new(Rules::original(), grace);
    let offer_id = offer("a", 1).offer_id;
    let mut inputs = VecDeque::from([
        RecoveryInput::Session(session.map(Box::new)),
        RecoveryInput::Recover { request: RequestId(1), offer_id },
    ]);
    let mut effects = Vec::new();
    while let Some(input) = inputs.pop_front() {
        coordinator.handle(now, input, &mut effects);
        for effect in effects.drain(..) {
            match effect {
                RecoveryEffect::Call { offer_id, call } => {
                    inputs.push_back(RecoveryInput::Reply { offer_id, reply: ports.reply(call) });
                }
                RecoveryEffect::Answer { result, .. } => return written(&result),
            }
        }
    }
    panic!("the request was not answered");
}

fn written(result: &Result<Recovery, OfferError>) -> String {
    match result {
        Err(error) => error.class().to_owned(),
        Ok(recovery) => match &recovery.evidence {
            None => name(&recovery.status),
            Some(evidence) => format!("{}: {}", name(&recovery.status), name(&evidence.finding)),
        },
    }
}

/// Goal: each kind of evidence leads to its finding, with nothing asked for that does not matter any more.
#[test]
fn findings() {
    use State::*;
    let exited = Inspection::Exited { identity_pid: Some(7) };
    let running = Inspection::Running { identity_pid: Some(7) };
    let absent = ReceiptReading::Absent;
    let cases: Vec<(State, Vec<ReceiptReading>, Inspection, &str, &str)> = vec![
        (
            Launching,
            vec![present(|_| {})],
            exited,
            "completion_acknowledged: completion_observed",
            "read receipt complete write remove",
        ),
        (
            RunningAcknowledged,
            vec![present(|_| {})],
            exited,
            "completion_acknowledged: completion_observed",
            "read receipt complete write remove",
        ),
        (
            Started,
            vec![present(|r| r.run_id = "b".into())],
            exited,
            "deferred: completion_receipt_conflict",
            "read receipt",
        ),
        (
            Started,
            vec![present(|r| r.attempt_id = "b".into())],
            exited,
            "deferred: completion_receipt_conflict",
            "read receipt",
        ),
        (
            Started,
            vec![present(|r| r.started_at = at(1))],
            exited,
            "deferred: completion_receipt_conflict",
            "read receipt",
        ),
        (
            Started,
            vec![present(|r| r.callback_sequence = 2)],
            exited,
            "deferred: completion_receipt_conflict",
            "read receipt",
        ),
        (
            Started,
            vec![present(|r| r.token = Secret::new("x".into()))],
            exited,
            "deferred: completion_receipt_conflict",
            "read receipt",
        ),
        (StartFailed, vec![present(|_| {})], exited, "deferred: completion_receipt_conflict", "read receipt"),
        (
            Started,
            vec![ReceiptReading::Unreadable],
            exited,
            "deferred: completion_receipt_unavailable",
            "read receipt",
        ),
        (Accepted, vec![], exited, "deferred: no_execution_expected", "read receipt"),
        (StartFailureAcknowledged, vec![], exited, "deferred: no_execution_expected", "read receipt"),
        (Launching, vec![], exited, "deferred: launch_outcome_unknown", "read receipt"),
        (RecoveryRequired, vec![], exited, "deferred: launch_outcome_unknown", "read receipt"),
        (
            Started,
            vec![],
            running,
            "running_acknowledged: execution_running",
            "read receipt inspect running write",
        ),
        (RunningAcknowledged, vec![], running, "already_running: execution_running", "read receipt inspect"),
        (
            Started,
            vec![],
            Inspection::HandleInvalid,
            "deferred: execution_handle_invalid",
            "read receipt inspect",
        ),
        (
            Started,
            vec![],
            Inspection::IdentityMismatch { identity_pid: None },
            "deferred: execution_identity_mismatch",
            "read receipt inspect",
        ),
        (
            Started,
            vec![],
            Inspection::Unsupported,
            "deferred: execution_probe_unsupported",
            "read receipt inspect",
        ),
        (
            Started,
            vec![],
            Inspection::Failed,
            "deferred: execution_probe_unavailable",
            "read receipt inspect",
        ),
        (
            Started,
            vec![],
            exited,
            "deferred: execution_exited_without_receipt",
            "read receipt inspect receipt wait receipt",
        ),
        (
            Started,
            vec![absent.clone(), present(|_| {})],
            exited,
            "completion_acknowledged: completion_observed",
            "read receipt inspect receipt complete write remove",
        ),
        (
            Started,
            vec![absent.clone(), absent.clone(), present(|_| {})],
            exited,
            "completion_acknowledged: completion_observed",
            "read receipt inspect receipt wait receipt complete write remove",
        ),
        (
            Started,
            vec![absent.clone(), absent, ReceiptReading::Unreadable],
            exited,
            "deferred: completion_receipt_unavailable",
            "read receipt inspect receipt wait receipt",
        ),
        (CompletionAcknowledged, vec![], exited, "already_completed", "read remove"),
    ];
    for (number, (state, receipts, inspection, expected, calls)) in cases.into_iter().enumerate() {
        let mut ports = Ports::new(record(offer("a", 3), state));
        ports.receipts = receipts.into();
        ports.inspection = inspection;
        let got = recover(&mut ports, Some(session()), NOW, Span::from_ms(1));
        assert_eq!((got.as_str(), ports.calls.join(" ").as_str()), (expected, calls), "case {number}");
    }
}

/// Goal: nothing is told to the control plane without authority, and the first thing against it is named.
#[test]
fn authority() {
    type Change = fn(&mut Session, &mut Record, &mut holdover_machine::Timestamp);
    let cases: &[(Change, &str)] = &[
        (|_, _, _| {}, "ready"),
        (|session, _, _| session.generation = 6, "blocked_session_fenced"),
        (|session, _, _| session.status = SessionStatus::Offline, "blocked_worker_offline"),
        (|session, _, _| session.status = SessionStatus::Draining, "ready"),
        (|session, _, now| *now = session.lease_expires_at, "blocked_worker_session_expired"),
        (|_, _, now| *now = LEASE_END, "blocked_run_lease_expired"),
        (
            |_, record, _| record.recovery_reason = Some(RecoveryReason::ControlPlaneTerminal),
            "blocked_control_plane_terminal",
        ),
    ];
    for (change, expected) in cases {
        let (mut session, mut now) = (session(), NOW);
        let mut record = record(offer("a", 3), State::RecoveryRequired);
        change(&mut session, &mut record, &mut now);
        let mut reconciler = Reconciler::new(Span::ZERO);
        let mut effects = Vec::new();
        let search = ReconcilerInput::Reconcile { record: Box::new(record), session: Box::new(session) };
        reconciler.handle(now, search, &mut effects);
        reconciler.handle(now, ReconcilerInput::Receipt(present(|_| {})), &mut effects);
        let Some(ReconcilerEffect::Found(evidence)) = effects.last() else { panic!("{effects:?}") };
        assert_eq!(evidence.completion_submission.map(Submission::name), Some(*expected));
    }
}

/// Goal: how each port's answer ends a recovery, and what is durable then.
#[test]
fn endings() {
    type Change = fn(&mut Ports);
    let cases: &[(Change, &str, State)] = &[
        (
            |p| p.activation = activation(ActivationStatus::AlreadyRunning),
            "already_running: execution_running",
            State::RunningAcknowledged,
        ),
        (
            |p| p.activation = activation(ActivationStatus::AlreadyTerminal),
            "control_plane_terminal: execution_running",
            State::RecoveryRequired,
        ),
        (
            |p| p.activation = Activation::Rejected(FenceReason::VersionMismatch),
            "fence_rejected",
            State::Started,
        ),
        (|p| p.activation = Activation::Unknown(Secret::new("x".into())), "port", State::Started),
        (|p| p.writes = [Err(JournalError::Io)].into(), "journal", State::Started),
        (
            |p| {
                p.receipts = [present(|r| r.exit_code = None)].into();
                p.completion = Completion::Rejected(FenceReason::VersionMismatch);
            },
            "fence_rejected",
            State::Started,
        ),
        (
            |p| {
                p.receipts = [present(|_| {})].into();
                p.completion = Completion::Unknown(Secret::new("x".into()));
            },
            "port",
            State::Started,
        ),
        (
            |p| {
                p.receipts = [present(|_| {})].into();
                p.writes = [Err(JournalError::Revision)].into();
            },
            "journal",
            State::Started,
        ),
        (
            |p| {
                p.receipts = [present(|_| {})].into();
                p.writes = [Err(JournalError::Revision)].into();
                p.others = Some(record(offer("a", 3), State::CompletionAcknowledged));
            },
            "completion_acknowledged: completion_observed",
            State::CompletionAcknowledged,
        ),
    ];
    for (number, (change, expected, state)) in cases.iter().enumerate() {
        let mut ports = Ports::new(record(offer("a", 3), State::Started));
        ports.inspection = Inspection::Running { identity_pid: None };
        change(&mut ports);
        assert_eq!(recover(&mut ports, Some(session()), NOW, Span::ZERO), *expected, "case {number}");
        assert_eq!(ports.record.map(|record| record.state), Some(*state), "case {number}");
    }
}

/// Goal: a process that runs is not reported for another session, in neither state.
#[test]
fn a_fenced_process_is_left_alone() {
    for state in [State::Started, State::RunningAcknowledged] {
        let mut ports = Ports::new(record(offer("a", 3), state));
        ports.inspection = Inspection::Running { identity_pid: None };
        let other = Session { generation: 6, ..session() };
        assert_eq!(recover(&mut ports, Some(other), NOW, Span::ZERO), "deferred: execution_running");
        assert_eq!(ports.calls, ["read", "receipt", "inspect"]);
    }
}

/// Goal: without a session, and with an unusable clock, nothing but the record is read.
#[test]
fn nothing_is_tried() {
    let mut ports = Ports::new(record(offer("a", 3), State::Started));
    assert_eq!(recover(&mut ports, None, NOW, Span::ZERO), "session_unavailable");
    assert_eq!(recover(&mut ports, Some(session()), at(-1), Span::ZERO), "clock");
    ports.record = None;
    assert_eq!(recover(&mut ports, Some(session()), NOW, Span::ZERO), "not_found");
    assert_eq!(ports.calls, ["read"; 3]);
}

/// Goal: a request during an operation shares its outcome; another offer has its own operation.
#[test]
fn requests_share_an_operation() {
    let mut coordinator = RecoveryCoordinator::new(Rules::original(), Span::ZERO);
    let mut effects = Vec::new();
    let offer_id = offer("a", 1).offer_id;
    let recover = |number, offer_id| RecoveryInput::Recover { request: RequestId(number), offer_id };
    coordinator.handle(NOW, recover(1, offer_id), &mut effects);
    coordinator.handle(NOW, recover(2, offer_id), &mut effects);
    assert_eq!(effects.len(), 1, "one operation");
    coordinator.handle(NOW, recover(3, offer("b", 1).offer_id), &mut effects);
    assert_eq!(effects.len(), 2);
    let reply = RecoveryReply::Read(Err(JournalError::NotOwned));
    coordinator.handle(NOW, RecoveryInput::Reply { offer_id, reply }, &mut effects);
    let answered: Vec<u64> = effects
        .iter()
        .filter_map(|effect| match effect {
            RecoveryEffect::Answer { request, .. } => Some(request.0),
            RecoveryEffect::Call { .. } => None,
        })
        .collect();
    assert_eq!(answered, [1, 2]);
}

/// Goal: a published receipt is taken only if it keeps the rules of one.
#[test]
fn receipts() {
    let valid = format!(
        r#"{{"schemaVersion":1,"runId":"r","attemptId":"a","callbackSequence":1,"token":"{TOKEN}","startedAtMs":5,"finishedAtMs":5,"exitCode":-1}}"#
    );
    let fault = |from: &str, to: &str| {
        assert!(valid.contains(from));
        Receipt::parse(&valid.replace(from, to)).err().map(|invalid| invalid.to_string()).unwrap_or_default()
    };
    assert_eq!(fault("-1", "0"), "");
    assert_eq!(fault(r#","exitCode":-1"#, ""), "");
    assert_eq!(fault(r#""schemaVersion":1"#, r#""schemaVersion":2"#), "receipt.schemaVersion: must be 1");
    assert_eq!(fault(TOKEN, "weak"), "receipt.token: must be 32 to 128 characters of [A-Za-z0-9_-]");
    assert_eq!(
        fault(r#""finishedAtMs":5"#, r#""finishedAtMs":4"#),
        "receipt.finishedAtMs: must not precede startedAtMs"
    );
    assert!(fault(r#""runId":"r","#, "").starts_with("receipt, line 1"));
}
