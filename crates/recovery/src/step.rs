//! What one answer about one candidate leads to.

use crate::{
    Aggregate, Candidate, Effect, Snapshot, fingerprint::Fingerprint, input::Answer, time::is_record_time,
};
use holdover_machine::{Outcome, Timestamp};

/// What an answer leads to.
#[derive(Debug, Clone, Hash)]
pub(crate) enum Step {
    Call(Effect),
    Settled(Verdict),
}

/// What became of a candidate.
#[derive(Debug, Clone, Hash)]
pub(crate) enum Verdict {
    Recovered,
    Verified(Fingerprint),
    Remaining,
    Failed,
}

/// Something went wrong with a candidate: it is counted and not reported further.
#[derive(Debug)]
pub(crate) struct Failed;

pub(crate) type Stepped = Result<Step, Failed>;

pub(crate) type Loaded = Answer<Box<Aggregate>>;

pub(crate) fn load(candidate: &Candidate) -> Effect {
    Effect::Load { run_id: candidate.run_id.clone(), attempt_id: candidate.attempt_id.clone() }
}

pub(crate) fn snapshot(candidate: &Candidate, read: Loaded) -> Result<Option<Snapshot>, Failed> {
    let Aggregate { run, attempt } = *answered(read)?;
    Ok(Snapshot::of(candidate, run, attempt))
}

/// The answer, if there is one. A call that may have been carried out is no better known than one that was not:
/// the candidate counts as not looked at, and the next pass reads what is durable.
pub(crate) fn answered<T>(answer: Answer<T>) -> Result<T, Failed> {
    match answer {
        Outcome::Ok(answer) => Ok(answer),
        Outcome::Failed(_) | Outcome::Unknown(_) => Err(Failed),
    }
}

/// The clock's reading, if a record may hold it.
pub(crate) fn clock(now: Timestamp) -> Result<Timestamp, Failed> {
    if is_record_time(now) { Ok(now) } else { Err(Failed) }
}

pub(crate) fn remaining() -> Stepped {
    Ok(Step::Settled(Verdict::Remaining))
}

/// Verified as what `snapshot` says; one that says too little to be recognised later is a failure.
pub(crate) fn verified(snapshot: &Snapshot) -> Stepped {
    Ok(Step::Settled(Verdict::Verified(Fingerprint::of(snapshot).ok_or(Failed)?)))
}
