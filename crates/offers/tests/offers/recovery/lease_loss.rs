use crate::support::{NOW, at, lease, name, offer, record};
use holdover_machine::Machine;
use holdover_offers::*;

/// What happens around one loss.
struct Case {
    record: Option<Record>,
    stop: StopStatus,
    write: Result<(), JournalError>,
    /// What is stored after a failed write.
    stored: Option<Record>,
}

fn case(state: State) -> Case {
    Case {
        record: Some(record(offer("a", 3), state)),
        stop: StopStatus::StopRequested,
        write: Ok(()),
        stored: None,
    }
}

fn marked(reason: RecoveryReason) -> Record {
    let mut record = record(offer("a", 3), State::RecoveryRequired);
    record.recovery_reason = Some(reason);
    record
}

/// Lets the lease be lost; the effects by name, and how it ended.
fn lose(case: Case, lease: Lease) -> (String, String) {
    let mut coordinator = LeaseLoss::new();
    let (mut calls, mut effects) = (Vec::new(), Vec::new());
    let loss = Loss { lease: Box::new(lease), reason: LossReason::LeaseExpired };
    let mut input = LeaseLossInput::Lost(loss);
    let mut stored = case.record;
    loop {
        coordinator.handle(NOW, input, &mut effects);
        input = match effects.pop().expect("one effect") {
            LeaseLossEffect::Read(_) => {
                calls.push("read".to_owned());
                LeaseLossInput::Read(Ok(stored.clone().map(Box::new)))
            }
            LeaseLossEffect::Stop(handle) => {
                calls.push(format!("stop {handle}"));
                LeaseLossInput::Stopped(case.stop)
            }
            LeaseLossEffect::Replace { record, .. } => {
                record.check().expect("only valid records are written");
                calls.push(record.recovery_reason.map_or("?".to_owned(), |reason| name(&reason)));
                stored = case.stored.clone();
                LeaseLossInput::Replaced(case.write.clone())
            }
            LeaseLossEffect::Done(result) => {
                let result =
                    result.map_or_else(|error| error.class().to_owned(), |report| name(&report.status));
                return (calls.join(", "), result);
            }
        };
    }
}

const STOPPED: &str = "lease_lost_local_execution_stopped";
const UNVERIFIED: &str = "lease_lost_local_execution_unverified";

/// Goal: what runs under a lost lease is stopped and recorded; where nothing can run nothing is done.
#[test]
fn losses() {
    use State::*;
    let lost = |state| Case { write: Err(JournalError::Revision), ..case(state) };
    let settled = Some(record(offer("a", 3), CompletionAcknowledged));
    let by_others = Some(marked(RecoveryReason::LeaseLostLocalExecutionUnverified));
    let cases = [
        (Case { record: None, ..case(Started) }, "read".to_owned(), "not_found"),
        (case(Accepted), "read".into(), "no_local_execution"),
        (case(StartFailed), "read".into(), "no_local_execution"),
        (case(CompletionAcknowledged), "read".into(), "already_completed"),
        (
            Case { record: Some(marked(RecoveryReason::LeaseLostLocalExecutionStopped)), ..case(Started) },
            "read".into(),
            "already_recorded",
        ),
        (case(RecoveryRequired), format!("read, {UNVERIFIED}"), "stop_unverified"),
        (case(Launching), format!("read, {UNVERIFIED}"), "stop_unverified"),
        (case(Started), format!("read, stop process, {STOPPED}"), "stopped"),
        (
            Case { stop: StopStatus::AlreadyExited, ..case(RunningAcknowledged) },
            format!("read, stop process, {STOPPED}"),
            "stopped",
        ),
        (
            Case { stop: StopStatus::Failed, ..case(Started) },
            format!("read, stop process, {UNVERIFIED}"),
            "stop_unverified",
        ),
        (
            Case { stop: StopStatus::HandleInvalid, ..case(Started) },
            format!("read, stop process, {UNVERIFIED}"),
            "stop_unverified",
        ),
        (lost(Started), format!("read, stop process, {STOPPED}, read"), "journal"),
        (
            Case { stored: settled, ..lost(Started) },
            format!("read, stop process, {STOPPED}, read"),
            "stopped",
        ),
        (
            Case { stored: by_others, ..lost(Launching) },
            format!("read, {UNVERIFIED}, read"),
            "stop_unverified",
        ),
    ];
    for (number, (case, calls, expected)) in cases.into_iter().enumerate() {
        assert_eq!(lose(case, lease("a", 3)), (calls, expected.to_owned()), "case {number}");
    }
}

/// Goal: another lease of the attempt is left alone, also where it names the same offer.
#[test]
fn another_authority() {
    let mut other = lease("a", 3);
    other.lease_token = holdover_machine::Secret::new("another-token-0123456789abcdefghijklm".into());
    assert_eq!(lose(case(State::Started), other), ("read".into(), "authority_mismatch".into()));
}

/// Goal: without a clock nothing is written, and the process is stopped all the same.
#[test]
fn without_a_clock() {
    let mut coordinator = LeaseLoss::new();
    let mut effects = Vec::new();
    let loss = Loss { lease: Box::new(lease("a", 3)), reason: LossReason::Fenced };
    coordinator.handle(at(-1), LeaseLossInput::Lost(loss), &mut effects);
    let found = Box::new(record(offer("a", 3), State::Started));
    coordinator.handle(at(-1), LeaseLossInput::Read(Ok(Some(found))), &mut effects);
    assert_eq!(effects.last(), Some(&LeaseLossEffect::Stop("process".into())));
    coordinator.handle(at(-1), LeaseLossInput::Stopped(StopStatus::StopRequested), &mut effects);
    assert_eq!(effects.last(), Some(&LeaseLossEffect::Done(Err(OfferError::Clock))));
}
