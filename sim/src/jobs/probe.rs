use super::fact::Fact;
use super::node::Node;
use holdover::Observer;
use holdover_jobs::{Claimed, Created, Error, Operated, Refusal, Reply, Status};

/// Rare branches that a campaign must reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Probe {
    SecondAttempt,
    ReplayedClaim,
    ReplayedOperation,
    LeaseLost,
    TimedOut,
    NeverStarted,
    CancelRequested,
    ResultAfterCancel,
    TakeOverInClaim,
    Unblocked,
    AdmissionRefused,
    ClaimOver,
    ClaimStale,
    KeyConflict,
    AttemptSettled,
    StaleEffectRefused,
    RetryScheduled,
    AttemptTimedOut,
    IntruderRefused,
    RecoveryTooLate,
}

/// The names, by the probes' order.
pub(super) const NAMES: &[&str] = &[
    "second-attempt",
    "replayed-claim",
    "replayed-operation",
    "lease-lost",
    "timed-out",
    "never-started",
    "cancel-requested",
    "result-after-cancel",
    "take-over-in-claim",
    "unblocked",
    "admission-refused",
    "claim-over",
    "claim-stale",
    "key-conflict",
    "attempt-settled",
    "stale-effect-refused",
    "retry-scheduled",
    "attempt-timed-out",
    "intruder-refused",
    "recovery-too-late",
];

/// Counts the probes that a fact hits.
pub(super) fn count(fact: &Fact<'_>, observer: &mut Observer) {
    let mut hit = |probe: Probe, condition: bool| {
        if condition {
            observer.probe(probe as usize);
        }
    };
    match fact {
        Fact::Executed { reply, changes, origin, .. } => {
            match reply {
                Reply::Claimed(Claimed::Granted(grant)) => {
                    hit(Probe::SecondAttempt, grant.record.attempts > 1);
                    hit(Probe::ReplayedClaim, grant.replayed);
                    hit(Probe::TakeOverInClaim, changes.len() > 1);
                }
                Reply::Claimed(Claimed::Over) => hit(Probe::ClaimOver, true),
                Reply::Claimed(Claimed::Stale(_)) => hit(Probe::ClaimStale, true),
                Reply::Operated(Operated::Applied { replayed, .. }) => {
                    hit(Probe::ReplayedOperation, *replayed)
                }
                Reply::Operated(Operated::Refused { reason, .. }) => {
                    hit(Probe::LeaseLost, *reason == Refusal::LeaseMismatch);
                    hit(Probe::AttemptSettled, *reason == Refusal::AttemptSettled);
                    hit(Probe::IntruderRefused, origin.from == Node::Stranger);
                    hit(Probe::RecoveryTooLate, matches!(origin.from, Node::Sweeper(_)));
                }
                Reply::Created(Created::Unblocked(_)) => hit(Probe::Unblocked, true),
                Reply::Created(Created::New(record)) => hit(
                    Probe::AdmissionRefused,
                    record.reason.as_deref() == Some("executor_admission_tenant_limit"),
                ),
                _ => {}
            }
            for change in *changes {
                let record = change.after;
                hit(Probe::TimedOut, record.status == Status::TimedOut);
                let reason = record.reason.as_deref();
                hit(Probe::NeverStarted, reason == Some("executor_never_started"));
                hit(Probe::AttemptTimedOut, reason == Some("executor_attempt_timed_out"));
                hit(Probe::RetryScheduled, record.status == Status::Retryable);
                let asked = change.before.is_some_and(|before| before.cancel.is_some());
                hit(Probe::CancelRequested, record.cancel.is_some() && record.status == Status::Running);
                hit(Probe::ResultAfterCancel, asked && record.result.is_some());
            }
        }
        Fact::Answered { answer: Err(Error::KeyConflict(_)), .. } => hit(Probe::KeyConflict, true),
        Fact::Touched { accepted: false, .. } => hit(Probe::StaleEffectRefused, true),
        _ => {}
    }
}
