//! What can become of a job: its status before, the operation, the outcome. A campaign must have made every
//! transition that the hardened rules allow; what other variants do beyond them is only counted.

use super::fact::{Change, Fact};
use holdover::Observer;
use holdover_jobs::{Action, Claimed, Command, Created, Operated, Record, Reply, Status};
use std::sync::LazyLock;

/// What a job is asked for. Reads make no transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation {
    Create,
    Claim,
    TakeOver,
    Start,
    Heartbeat,
    Progress,
    Complete,
    Fail,
    Acknowledge,
    Recover,
    Cancel,
}

const OPERATIONS: [(Operation, &str); 11] = [
    (Operation::Create, "create"),
    (Operation::Claim, "claim"),
    (Operation::TakeOver, "take-over"),
    (Operation::Start, "start"),
    (Operation::Heartbeat, "heartbeat"),
    (Operation::Progress, "progress"),
    (Operation::Complete, "complete"),
    (Operation::Fail, "fail"),
    (Operation::Acknowledge, "acknowledge"),
    (Operation::Recover, "recover"),
    (Operation::Cancel, "cancel"),
];

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// The job was changed.
    Applied,
    /// It had been carried out before, and was answered again.
    Replayed,
    /// It was not carried out.
    Refused,
}

const OUTCOMES: [(Outcome, &str); 3] =
    [(Outcome::Applied, "applied"), (Outcome::Replayed, "replayed"), (Outcome::Refused, "refused")];

/// How a job is named that is not there.
const ABSENT: &str = "absent";

/// The places of all triples, those of an absent job last.
const TRIPLES: usize = (Status::ALL.len() + 1) * OPERATIONS.len() * OUTCOMES.len();

/// What the hardened rules allow and a campaign must have made. Left out is what cannot be:
///
/// - A job that is not there is neither operated on, recovered nor cancelled, as nobody knows its id; no client names
///   a known id under another key, and no claim waits for a job.
/// - Only what is held is started, taken over or recovered; what was never held is in no list of the sweepers.
/// - A retry waits for its back-off, so that no claim is granted a job that it has just taken over.
/// - A start is answered again only while it holds, an end only once the attempt is over, and a renewal or progress
///   never.
/// - A cancel is answered again only where it waits for the worker, on a running job. So nobody acknowledges a cancel
///   of any but a running or cancelled job.
/// - All clients allow cancelling, so that only final jobs refuse it.
pub(super) const NAMES: &[&str] = &[
    "absent x create x applied",
    "absent x claim x refused",
    "blocked x create x applied",
    "blocked x create x replayed",
    "blocked x start x refused",
    "blocked x heartbeat x refused",
    "blocked x complete x refused",
    "blocked x fail x refused",
    "blocked x cancel x applied",
    "queued x create x replayed",
    "queued x claim x applied",
    "queued x start x refused",
    "queued x heartbeat x refused",
    "queued x complete x refused",
    "queued x fail x refused",
    "queued x cancel x applied",
    "leased x create x replayed",
    "leased x claim x replayed",
    "leased x take-over x applied",
    "leased x start x applied",
    "leased x start x refused",
    "leased x heartbeat x applied",
    "leased x heartbeat x refused",
    "leased x complete x refused",
    "leased x fail x applied",
    "leased x fail x replayed",
    "leased x fail x refused",
    "leased x recover x applied",
    "leased x recover x refused",
    "leased x cancel x applied",
    "running x create x replayed",
    "running x claim x replayed",
    "running x take-over x applied",
    "running x start x replayed",
    "running x start x refused",
    "running x heartbeat x applied",
    "running x heartbeat x refused",
    "running x progress x applied",
    "running x progress x refused",
    "running x complete x applied",
    "running x complete x refused",
    "running x fail x applied",
    "running x fail x replayed",
    "running x fail x refused",
    "running x acknowledge x applied",
    "running x recover x applied",
    "running x recover x refused",
    "running x cancel x applied",
    "running x cancel x replayed",
    "retryable x create x replayed",
    "retryable x claim x applied",
    "retryable x start x refused",
    "retryable x heartbeat x refused",
    "retryable x progress x refused",
    "retryable x complete x refused",
    "retryable x fail x replayed",
    "retryable x fail x refused",
    "retryable x recover x refused",
    "retryable x cancel x applied",
    "succeeded x create x replayed",
    "succeeded x start x refused",
    "succeeded x heartbeat x refused",
    "succeeded x progress x refused",
    "succeeded x complete x replayed",
    "succeeded x complete x refused",
    "succeeded x fail x replayed",
    "succeeded x fail x refused",
    "succeeded x cancel x refused",
    "failed x create x replayed",
    "failed x start x refused",
    "failed x heartbeat x refused",
    "failed x progress x refused",
    "failed x complete x refused",
    "failed x fail x replayed",
    "failed x fail x refused",
    "failed x cancel x refused",
    "cancelled x create x replayed",
    "cancelled x start x refused",
    "cancelled x heartbeat x refused",
    "cancelled x complete x replayed",
    "cancelled x complete x refused",
    "cancelled x fail x replayed",
    "cancelled x fail x refused",
    "cancelled x acknowledge x replayed",
    "cancelled x recover x refused",
    "cancelled x cancel x refused",
    "timed_out x create x replayed",
    "timed_out x start x refused",
    "timed_out x heartbeat x refused",
    "timed_out x complete x refused",
    "timed_out x fail x refused",
    "timed_out x recover x refused",
];

/// What the hardened rules allow as well, but fewer than 4 of 10,000 seeds show: to demand it of a campaign would be
/// to demand luck.
const RARE: &[&str] = &[
    "leased x progress x refused",
    "running x acknowledge x refused",
    "succeeded x recover x refused",
    "failed x recover x refused",
    "cancelled x progress x refused",
    "cancelled x acknowledge x refused",
    "timed_out x progress x refused",
    "timed_out x fail x replayed",
    "timed_out x cancel x refused",
];

/// How a transition is counted.
#[derive(Debug, Clone, Copy)]
enum Listed {
    At(usize),
    Rare,
    No,
}

/// How each triple is counted, by its place.
static LISTED: LazyLock<[Listed; TRIPLES]> = LazyLock::new(|| {
    let mut listed = [Listed::No; TRIPLES];
    for before in Status::ALL.into_iter().map(Some).chain([None]) {
        for (operation, _) in OPERATIONS {
            for (outcome, _) in OUTCOMES {
                listed[place(before, operation, outcome)] = look_up(&name(before, operation, outcome));
            }
        }
    }
    listed
});

fn look_up(name: &str) -> Listed {
    match NAMES.iter().position(|known| *known == name) {
        Some(index) => Listed::At(index),
        None if RARE.contains(&name) => Listed::Rare,
        None => Listed::No,
    }
}

fn place(before: Option<Status>, operation: Operation, outcome: Outcome) -> usize {
    let before = before.map_or(Status::ALL.len(), |status| status as usize);
    (before * OPERATIONS.len() + operation as usize) * OUTCOMES.len() + outcome as usize
}

fn name(before: Option<Status>, operation: Operation, outcome: Outcome) -> String {
    let before = before.map_or(ABSENT, Status::as_str);
    format!("{before} x {} x {}", OPERATIONS[operation as usize].1, OUTCOMES[outcome as usize].1)
}

/// Counts the transition that a call to the store has made.
pub(super) fn count(fact: &Fact<'_>, observer: &mut Observer) {
    let Fact::Executed { call, reply, changes, .. } = fact else { return };
    let mut made =
        |before: Option<Status>, operation, outcome| match LISTED[place(before, operation, outcome)] {
            Listed::At(index) => observer.transition(Some(index)),
            Listed::No => observer.transition(None),
            Listed::Rare => {}
        };
    match reply {
        Reply::Created(created) => {
            let (before, outcome) = match created {
                Created::New(_) => (None, Outcome::Applied),
                Created::Known(job) => (Some(job.status), Outcome::Replayed),
                Created::Unblocked(job) => (before(job, changes), Outcome::Applied),
                Created::IdTaken => (None, Outcome::Refused),
            };
            made(before, Operation::Create, outcome);
        }
        Reply::Claimed(claimed) => {
            let (granted, outcome) = match claimed {
                Claimed::Granted(grant) if grant.replayed => (Some(&*grant.record), Outcome::Replayed),
                Claimed::Granted(grant) => (Some(&*grant.record), Outcome::Applied),
                Claimed::Nothing | Claimed::Stale(_) | Claimed::Over => (None, Outcome::Refused),
            };
            for change in others(changes, granted) {
                made(change.before.map(|job| job.status), Operation::TakeOver, Outcome::Applied);
            }
            made(granted.and_then(|job| before(job, changes)), Operation::Claim, outcome);
        }
        Reply::Operated(operated) => {
            let Some(operation) = operation(&call.command) else { return };
            let (job, outcome) = match operated {
                Operated::Applied { record, replayed: true, .. } => (Some(record), Outcome::Replayed),
                Operated::Applied { record, .. } => (Some(record), Outcome::Applied),
                Operated::Refused { record, .. } => (record.as_ref(), Outcome::Refused),
            };
            made(job.and_then(|job| before(job, changes)), operation, outcome);
        }
        _ => {}
    }
}

fn operation(command: &Command) -> Option<Operation> {
    Some(match command {
        Command::Operate(operate) => match operate.change.action() {
            Action::Start => Operation::Start,
            Action::Heartbeat => Operation::Heartbeat,
            Action::Progress => Operation::Progress,
            Action::Complete => Operation::Complete,
            Action::Fail => Operation::Fail,
            Action::Acknowledge => Operation::Acknowledge,
        },
        Command::Recover(_) => Operation::Recover,
        Command::Cancel(_) => Operation::Cancel,
        _ => return None,
    })
}

/// The status of a job before its change; where nothing has changed, as it is.
fn before(job: &Record, changes: &[Change<'_>]) -> Option<Status> {
    match changes.iter().find(|change| change.after.number == job.number) {
        Some(change) => change.before.map(|job| job.status),
        None => Some(job.status),
    }
}

/// What a claim has changed beside the job that it was granted: leases that it took away first.
fn others<'a>(
    changes: &'a [Change<'a>],
    granted: Option<&'a Record>,
) -> impl Iterator<Item = &'a Change<'a>> {
    changes.iter().filter(move |change| granted.is_none_or(|granted| granted.number != change.after.number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Goal: every listed name is that of a triple, and is listed once.
    #[test]
    fn names_are_those_of_triples() {
        let indices: BTreeSet<usize> = LISTED
            .iter()
            .filter_map(|listed| if let Listed::At(index) = listed { Some(*index) } else { None })
            .collect();
        assert!(indices.into_iter().eq(0..NAMES.len()));
        assert_eq!(LISTED.iter().filter(|listed| matches!(listed, Listed::Rare)).count(), RARE.len());
    }
}
