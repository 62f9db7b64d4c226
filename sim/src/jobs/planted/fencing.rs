//! Whose word counts: operations that compare too little of who holds the lease.

use super::Bug;
use super::flaw::{Flaw, Flawed};
use crate::jobs::node::Node;
use holdover_jobs::{Action, Command, Guard, Guards, Incarnation, Operate, Reply, StatusSet};

pub(super) const BUGS: &[Bug] = &[
    Bug {
        id: "settle-by-id",
        about: "A failure is recorded under the job's id alone, whoever reports it.",
        class: "fencing",
        source: "B01",
        invariant: "fencing",
        masked_by: None,
        flaw: Flaw::store(settle_by_id),
    },
    Bug {
        id: "late-ack",
        about: "A completion counts for whatever delivery is under way, not for the one that it is about.",
        class: "fencing",
        source: "B05",
        invariant: "fencing",
        masked_by: None,
        flaw: Flaw::store(late_ack),
    },
    Bug {
        id: "heartbeat-by-id",
        about: "A heartbeat names the job only, and so keeps the next owner's lease.",
        class: "fencing",
        source: "B06",
        invariant: "fencing",
        masked_by: None,
        flaw: Flaw::store(heartbeat_by_id),
    },
    Bug {
        id: "worker-by-name",
        about: "An operation counts if it comes from the worker of that name, in whichever run of its process.",
        class: "identity",
        source: "B21, B52",
        invariant: "fencing",
        masked_by: None,
        flaw: Flaw::store(worker_by_name),
    },
    Bug {
        id: "same-incarnation",
        about: "A worker process goes by the same incarnation after a restart, and inherits what it held.",
        class: "identity",
        source: "B21",
        invariant: "fencing",
        masked_by: None,
        flaw: Flaw { incarnation: Some(first_run), ..Flaw::NONE },
    },
    Bug {
        id: "attempt-reused",
        about: "A recovered attempt gives its number back, and the next grant has it again.",
        class: "attempts",
        source: "own",
        invariant: "fencing",
        masked_by: None,
        flaw: Flaw::store(attempt_reused),
    },
];

/// The operation with nothing asked but the status.
fn unguarded(flawed: &mut Flawed<'_>, which: Action) -> Reply {
    match &flawed.call.command {
        Command::Operate(operate) if operate.change.action() == which => {
            let guards = Guards::default().then(Guard::Status(StatusSet::HELD));
            flawed.command(Command::Operate(Box::new(Operate { guards, ..(**operate).clone() })))
        }
        _ => flawed.sound(),
    }
}

fn settle_by_id(flawed: &mut Flawed<'_>) -> Reply {
    unguarded(flawed, Action::Fail)
}

fn late_ack(flawed: &mut Flawed<'_>) -> Reply {
    unguarded(flawed, Action::Complete)
}

fn heartbeat_by_id(flawed: &mut Flawed<'_>) -> Reply {
    unguarded(flawed, Action::Heartbeat)
}

/// The worker of an incarnation, whichever run.
pub(super) fn worker_of(incarnation: Incarnation) -> u64 {
    incarnation.0 / 1_000
}

fn worker_by_name(flawed: &mut Flawed<'_>) -> Reply {
    let Command::Operate(operate) = &flawed.call.command else { return flawed.sound() };
    let holder = flawed.table.record(&operate.job).and_then(|record| record.lease.as_ref()?.incarnation);
    match (holder, operate.holder.incarnation) {
        (Some(holder), Some(caller)) if worker_of(holder) == worker_of(caller) => {
            unguarded(flawed, operate.change.action())
        }
        _ => flawed.sound(),
    }
}

fn first_run(incarnation: Incarnation) -> Incarnation {
    Incarnation(worker_of(incarnation) * 1_000 + 1)
}

fn attempt_reused(flawed: &mut Flawed<'_>) -> Reply {
    let reply = flawed.sound();
    if let (Command::Recover(_), Reply::Operated(holdover_jobs::Operated::Applied { record, .. })) =
        (&flawed.call.command, &reply)
        && matches!(flawed.from, Node::Sweeper(_))
    {
        flawed.amend(&record.clone(), |record, _| record.attempts -= 1);
    }
    reply
}
