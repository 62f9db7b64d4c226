//! Letting jobs in: once for each key, the same job for the same create, and no more than the limits.

use super::Bug;
use super::flaw::{Flaw, Flawed};
use holdover_jobs::{Call, Command, Create, Created, Key, Record, Reply, Spec, Status, Table};
use std::sync::Arc;

pub(super) const BUGS: &[Bug] = &[
    Bug {
        id: "insert-or-ignore",
        about: "An insert that was ignored, because the key is known, is answered as if its row had gone in.",
        class: "create",
        source: "B27",
        invariant: "idempotent-create",
        masked_by: None,
        flaw: Flaw::told(insert_or_ignore),
    },
    Bug {
        id: "check-then-insert",
        about: "The key is looked up in one step and the job inserted in another.",
        class: "create",
        source: "weaknesses",
        invariant: "idempotent-create",
        masked_by: None,
        flaw: Flaw { read: Some(known), store: Some(insert_unless_seen), ..Flaw::NONE },
    },
    Bug {
        id: "key-freed-by-failure",
        about: "A key is free again once its job has failed, at one of the entry points.",
        class: "keys",
        source: "B29",
        invariant: "idempotent-create",
        masked_by: None,
        flaw: Flaw::store(key_freed_by_failure),
    },
    Bug {
        id: "fingerprint-ignored",
        about: "A create under a known key is answered with its job, whatever it asks for.",
        class: "keys",
        source: "own",
        invariant: "idempotent-create",
        masked_by: None,
        flaw: Flaw::told(fingerprint_ignored),
    },
    Bug {
        id: "retries-not-counted",
        about: "Jobs that wait for a retry do not count as active when one more is let in.",
        class: "admission",
        source: "own",
        invariant: "admission-limit",
        masked_by: None,
        flaw: Flaw::store(retries_not_counted),
    },
    Bug {
        id: "limit-inclusive",
        about: "The limit itself is let through: a tenant may have one job more.",
        class: "admission",
        source: "own",
        invariant: "admission-limit",
        masked_by: None,
        flaw: Flaw::store(limit_inclusive),
    },
];

/// A record as it would be if the request had made it.
fn as_asked(record: &Record, spec: &Spec) -> Arc<Record> {
    Arc::new(Record { spec: Arc::new(spec.clone()), ..record.clone() })
}

fn insert_or_ignore(call: &Call, reply: &mut Reply) {
    if let (Command::Create(create), Reply::Created(Created::Known(record))) = (&call.command, &*reply) {
        *reply = Reply::Created(Created::New(as_asked(record, &create.spec)));
    }
}

fn fingerprint_ignored(call: &Call, reply: &mut Reply) {
    if let (Command::Create(create), Reply::Created(Created::Known(record))) = (&call.command, &*reply) {
        let fingerprint = create.spec.fingerprint.clone();
        let spec = Spec { fingerprint, ..(*record.spec).clone() };
        *reply = Reply::Created(Created::Known(as_asked(record, &spec)));
    }
}

fn known(table: &Table, call: &Call) -> Option<Arc<Record>> {
    match &call.command {
        Command::Create(create) => table.records().find(|record| record.spec.key == create.spec.key).cloned(),
        _ => None,
    }
}

/// Inserts under a key that is known, which a table without a unique constraint allows.
fn insert_beside(flawed: &mut Flawed<'_>, create: &Create) -> Reply {
    let beside = format!("{}#{}", create.spec.key.text, flawed.table.records().count());
    let key = Key { text: beside.into(), ..create.spec.key.clone() };
    let spec = Arc::new(Spec { key, ..(*create.spec).clone() });
    flawed.command(Command::Create(Box::new(Create { spec, limits: None, ..create.clone() })))
}

fn insert_unless_seen(flawed: &mut Flawed<'_>) -> Reply {
    let reply = flawed.sound();
    match (&flawed.call.command, &reply) {
        (Command::Create(create), Reply::Created(Created::Known(_))) if flawed.seen.is_none() => {
            insert_beside(flawed, create)
        }
        _ => reply,
    }
}

fn key_freed_by_failure(flawed: &mut Flawed<'_>) -> Reply {
    let reply = flawed.sound();
    match (&flawed.call.command, &reply) {
        (Command::Create(create), Reply::Created(Created::Known(record)))
            if matches!(record.status, Status::Failed | Status::TimedOut) =>
        {
            insert_beside(flawed, create)
        }
        _ => reply,
    }
}

/// The create with this many more active jobs allowed.
fn with_room(flawed: &mut Flawed<'_>, more: impl FnOnce(&Table, &Create) -> u64) -> Reply {
    let Command::Create(create) = &flawed.call.command else { return flawed.sound() };
    let mut create = create.clone();
    let more = more(flawed.table, &create);
    if let Some(max) = create.limits.as_mut().and_then(|limits| limits.tenant_active_max.as_mut()) {
        *max += more;
    }
    flawed.command(Command::Create(create))
}

fn retries_not_counted(flawed: &mut Flawed<'_>) -> Reply {
    with_room(flawed, |table, create| {
        let tenant = create.spec.request.as_ref().and_then(|request| request.tenant.as_ref());
        let waits = |record: &&Arc<Record>| record.status == Status::Retryable && record.tenant() == tenant;
        table.records().filter(waits).count() as u64
    })
}

fn limit_inclusive(flawed: &mut Flawed<'_>) -> Reply {
    with_room(flawed, |_, _| 1)
}
