//! Valid things to begin with, and a worker that carries the receiver's calls out.

use holdover_machine::{Ports, Secret, Timestamp, drive};
use holdover_offers::*;
use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

pub(crate) const NOW: Timestamp = Timestamp::from_ms(1_000_000);
pub(crate) const LEASE_END: Timestamp = Timestamp::from_ms(1_060_000);
const SESSION: &str = "01900000-0000-7000-8000-00000000000a";
pub(crate) const TOKEN: &str = "completion-token-0123456789abcdefghij";

pub(crate) fn at(ms: i64) -> Timestamp {
    Timestamp::from_ms(ms)
}

pub(crate) fn lease(attempt: &str, version: u64) -> Lease {
    Lease {
        attempt_id: attempt.into(),
        run_id: format!("run-of-{attempt}").as_str().into(),
        status: LeaseStatus::Leased,
        version,
        lease_generation: 2,
        worker_id: "edge-7".into(),
        worker_session_id: SESSION.into(),
        worker_generation: 5,
        lease_token: Secret::new("lease-token-0123456789abcdefghijklmn".into()),
        acquired_at: at(999_000),
        renewed_at: at(999_000),
        expires_at: LEASE_END,
        updated_at: at(999_000),
        released_at: None,
        release_reason: None,
        completed_at: None,
    }
}

pub(crate) fn spec(attempt: &str) -> ExecutionSpec {
    ExecutionSpec {
        run_id: format!("run-of-{attempt}").as_str().into(),
        attempt_id: attempt.into(),
        project_id: "project".into(),
        task_id: "task".into(),
        task_revision: "1".into(),
        command: Command::Argv { file: "/bin/true".into(), args: vec!["-v".into()] },
        working_directory: None,
        environment_policy: EnvironmentPolicy::Isolated,
        timeout_ms: None,
        termination_grace_ms: 0,
        resource_policy: None,
    }
}

pub(crate) fn offer(attempt: &str, version: u64) -> Offer {
    let (lease, spec) = (lease(attempt, version), spec(attempt));
    Offer {
        offer_id: OfferId::of(&lease),
        execution_spec_digest: spec.digest(),
        delivery_kind: DeliveryKind::NewClaim,
        candidate: Candidate {
            run_id: spec.run_id.clone(),
            attempt_id: spec.attempt_id.clone(),
            project_id: spec.project_id.clone(),
            task_id: spec.task_id.clone(),
            task_revision: spec.task_revision.clone(),
            executor_type: "remote_worker".into(),
            priority: -1,
            queued_at: at(998_000),
            attempt_created_at: at(998_500),
        },
        worker: WorkerTarget { id: "edge-7".into(), session_id: SESSION.into(), generation: 5 },
        lease,
        execution_spec: Arc::new(spec),
        placement_score: Some(PlacementScore(0.5)),
    }
}

pub(crate) fn session() -> Session {
    Session {
        id: "edge-7".into(),
        session_id: SESSION.into(),
        generation: 5,
        status: SessionStatus::Online,
        capabilities: Capabilities { executors: vec!["remote_worker".into()] },
        max_concurrent_runs: 2,
        lease_expires_at: at(1_300_000),
    }
}

/// A valid record of `offer` in `state`.
pub(crate) fn record(offer: Offer, state: State) -> Record {
    let mut record = Record::accepted(offer, at(999_500));
    record.revision = 7;
    record.state = state;
    if matches!(state, State::Started | State::RunningAcknowledged | State::CompletionAcknowledged) {
        record.executor_handle = Some("process".into());
        record.executor_started_at = Some(at(999_600));
    }
    if !matches!(state, State::Accepted | State::StartingAcknowledged) {
        record.completion_receipt_callback_sequence = Some(1);
        record.completion_receipt_token_digest = Some(Digest::of(TOKEN.as_bytes()));
    }
    match state {
        State::CompletionAcknowledged => record.completion_acknowledged_at = Some(record.updated_at),
        State::RecoveryRequired => record.recovery_reason = Some(RecoveryReason::LaunchOutcomeUnknown),
        _ => {}
    }
    record.check().expect("a fixture is valid");
    record
}

pub(crate) fn prepared(token: &str) -> Reply {
    let completion = CompletionCapability { token: Secret::new(token.into()), callback_sequence: 1 };
    let environment = Secret::new(BTreeMap::new());
    let context = Context { environment, output: "sink".into(), completion: Some(completion) };
    Reply::Prepared(Some(Box::new(Prepared { context, log_artifact_id: Some("log".into()) })))
}

pub(crate) fn handle(attempt: &str) -> Handle {
    Handle {
        id: "process".into(),
        durable_handle: None,
        executor_type: "local_process".into(),
        run_id: format!("run-of-{attempt}").as_str().into(),
        attempt_id: attempt.into(),
        started_at: NOW,
    }
}

pub(crate) fn acknowledged(status: ActivationStatus, lease: Lease) -> Reply {
    Reply::Activation(Activation::Acknowledged { status, lease: Box::new(lease) })
}

/// A receiver over a real journal. Every other port succeeds, unless a reply is scripted.
pub(crate) struct Worker {
    pub(crate) receiver: Receiver,
    pub(crate) clock: Timestamp,
    pub(crate) directory: Directory,
    pub(crate) owner: Owner,
    pub(crate) tracked: Option<Lease>,
    /// Replies by the name of the call and its number, from 1.
    pub(crate) scripted: BTreeMap<(&'static str, u32), Reply>,
    pub(crate) calls: Vec<String>,
    pub(crate) answers: Vec<Result<Received, OfferError>>,
    /// Where the process dies: the number of the call, from 1, and whether the call is still carried out.
    pub(crate) crash: Option<(usize, bool)>,
    counts: BTreeMap<&'static str, u32>,
    inputs: VecDeque<Input>,
}

impl Worker {
    pub(crate) fn new() -> Self {
        let mut directory = Directory::new(4);
        let mut owner = Owner::new(1, STALE_DEFAULT);
        owner.acquire(&mut directory, NOW).unwrap();
        Self {
            receiver: Receiver::new(Config::default(), Rules::original()),
            clock: NOW,
            directory,
            owner,
            tracked: None,
            scripted: BTreeMap::new(),
            calls: Vec::new(),
            answers: Vec::new(),
            crash: None,
            counts: BTreeMap::new(),
            inputs: VecDeque::from([Input::Session(Some(Box::new(session())))]),
        }
    }

    /// The process dies and another takes over what it left: the journal, and nothing else.
    pub(crate) fn restart(self) -> Self {
        let mut next = Self::new();
        self.directory.records().cloned().for_each(|record| next.directory.restore(record));
        next
    }

    pub(crate) fn session(&mut self, session: Option<Session>) {
        self.inputs.push_back(Input::Session(session.map(Box::new)));
    }

    pub(crate) fn queue(&mut self, offer: Offer) {
        let delivery = DeliveryId(self.answers.len() as u64);
        self.inputs.push_back(Input::Deliver { delivery, offer: Box::new(offer) });
    }

    pub(crate) fn deliver(&mut self, offer: Offer) {
        self.queue(offer);
        let mut receiver = self.receiver.clone();
        drive(&mut receiver, self);
        self.receiver = receiver;
    }

    fn reply(&mut self, offer_id: OfferId, call: Call) -> Reply {
        let count = self.counts.entry(call.name()).or_default();
        *count += 1;
        if let Some(scripted) = self.scripted.remove(&(call.name(), *count)) {
            return scripted;
        }
        let lease = |fence: &Fence| lease(&fence.attempt_id, fence.expected_lease_version);
        match call {
            Call::Read => Reply::Read(
                self.directory.read(&self.owner, offer_id).map(|found| found.cloned().map(Box::new)),
            ),
            Call::Create(record) => Reply::Created(self.directory.create(&mut self.owner, *record)),
            Call::Replace { record, expected } => {
                Reply::Replaced(self.directory.replace(&mut self.owner, *record, expected))
            }
            Call::AcknowledgeStarting(fence) | Call::FailStart(fence) => {
                acknowledged(ActivationStatus::Applied, lease(&fence))
            }
            Call::AcknowledgeRunning(command) => {
                acknowledged(ActivationStatus::Applied, lease(&command.fence))
            }
            Call::Prepare(_) => prepared(TOKEN),
            Call::Start { spec, .. } => Reply::Start(Start::Started(Box::new(handle(&spec.attempt_id)))),
            Call::Stop { .. } => Reply::Stopped,
            Call::FindLease(_) => Reply::Lease(self.tracked.clone().map(Box::new)),
            Call::Track(lease) => {
                self.tracked = Some(*lease);
                Reply::Tracked(Ok(()))
            }
            Call::Untrack(_) => {
                self.tracked = None;
                Reply::Untracked
            }
        }
    }
}

impl Ports<Receiver> for Worker {
    fn now(&mut self) -> Timestamp {
        self.clock
    }

    fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Answer { result, .. } => self.answers.push(result),
            Effect::Call { offer_id, call } => {
                self.calls.push(match &call {
                    Call::Replace { record, .. } => format!("write {}", record.state),
                    other => other.name().to_owned(),
                });
                match self.crash {
                    Some((at, applied)) if at == self.calls.len() => {
                        if applied {
                            drop(self.reply(offer_id, call));
                        }
                    }
                    _ => {
                        let reply = self.reply(offer_id, call);
                        self.inputs.push_back(Input::Reply { offer_id, reply });
                    }
                }
            }
        }
    }

    fn next(&mut self) -> Option<Input> {
        self.inputs.pop_front()
    }
}

/// The wire name of a unit variant.
pub(crate) fn name(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).unwrap().as_str().unwrap().to_owned()
}
