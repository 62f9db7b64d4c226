//! What is stored in the end: sound in itself, and everything in it that somebody was told of.

use super::{Finding, Judgement};
use holdover::history::Operation;
use holdover_jobs::rules::Floor;
use holdover_jobs::{Call, Command, Event, EventBody, JobId, Record, Reply, Stamp, Status};
use holdover_store::Store;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;

/// A job as it is stored in the end.
struct Stored {
    record: Arc<Record>,
    log: Vec<Event>,
}

pub(super) async fn judge<S: Store>(
    operations: &[Operation],
    store: &S,
    judgement: &mut Judgement,
) -> io::Result<()> {
    let asked: BTreeSet<&str> = operations
        .iter()
        .filter(|operation| operation.f == "create")
        .filter_map(|one| one.text("job"))
        .collect();
    let mut stored = BTreeMap::new();
    for job in asked {
        let Some(id) = JobId::new(job) else { continue };
        if let Reply::Found(Some(record)) = read(store, Command::Load(id.clone())).await? {
            let events = Command::Events { job: id, after: 0, limit: u64::from(u32::MAX) };
            let Reply::Events(page) = read(store, events).await? else { continue };
            let log = page.map(|page| page.events).unwrap_or_default();
            stored.insert(job.to_owned(), Stored { record, log });
        }
    }
    acknowledged(operations, &stored, judgement);
    for job in stored.values() {
        sound(job, &mut judgement.findings);
    }
    totals(store, &stored, judgement).await
}

async fn read<S: Store>(store: &S, command: Command) -> io::Result<Reply> {
    let reply = store.execute(Call { stamp: Stamp::Store(Floor::Held), command }).await;
    reply.map_err(|error| io::Error::other(format!("the store cannot be read in the end: {error}")))
}

/// Whatever was answered with yes is there.
fn acknowledged(operations: &[Operation], stored: &BTreeMap<String, Stored>, judgement: &mut Judgement) {
    let mut made = BTreeSet::new();
    for operation in operations.iter().filter(|operation| operation.is_ok()) {
        let Some(job) = operation.text("job") else { continue };
        judgement.acknowledged_writes += 1;
        if operation.f == "create" {
            made.insert(job);
        }
        let lost = |what: String| Finding { invariant: "no-lost-write".into(), what };
        let Some(Stored { record, log }) = stored.get(job) else {
            judgement.findings.push(lost(format!("{job} was acknowledged by {} and is gone", operation.f)));
            continue;
        };
        let attempt = u32::try_from(operation.number("attempt").unwrap_or(0)).unwrap_or(u32::MAX);
        if !shows(&operation.f, attempt, record, log) {
            let what =
                format!("{} of {job} as attempt {attempt} was acknowledged and left no trace", operation.f);
            judgement.findings.push(lost(what));
        }
    }
    judgement.acknowledged_jobs = made.len();
}

/// Whether a record and its log show that this was carried out.
fn shows(f: &str, attempt: u32, record: &Record, log: &[Event]) -> bool {
    let logged = |is: &dyn Fn(&EventBody) -> bool| log.iter().any(|event| is(&event.body));
    match f {
        "claim" => {
            logged(&|body| matches!(body, EventBody::Leased { attempt: granted, .. } if *granted == attempt))
        }
        "start" => {
            logged(&|body| matches!(body, EventBody::Started { attempt: begun, .. } if *begun == attempt))
        }
        "complete" => {
            let cancelled = record.status == Status::Cancelled;
            logged(&|body| matches!(body, EventBody::Succeeded { .. })) || cancelled
        }
        // A renewal leaves nothing that a later one does not replace; the others are seen by what they made possible.
        _ => record.attempts >= attempt,
    }
}

fn sound(job: &Stored, findings: &mut Vec<Finding>) {
    let Stored { record, log } = job;
    let id = record.id();
    let mut expect = |holds: bool, invariant: &'static str, what: String| {
        if !holds {
            findings.push(Finding { invariant: invariant.into(), what });
        }
    };
    let gapless = log.iter().zip(1..).all(|(event, sequence)| event.sequence == sequence);
    expect(gapless, "event-log-gapless", format!("the log of {id} has a gap or a number twice"));
    let granted = log.iter().filter(|event| matches!(event.body, EventBody::Leased { .. })).count();
    let attempts = record.attempts as usize;
    expect(
        granted == attempts,
        "event-log-truthful",
        format!("the log of {id} has {granted} grants, its record {attempts} attempts"),
    );
    let mut numbers = log.iter().filter_map(|event| match event.body {
        EventBody::Leased { attempt, .. } => Some(attempt),
        _ => None,
    });
    let rising = numbers.by_ref().zip(1..).all(|(attempt, number)| attempt == number);
    expect(rising, "fencing", format!("the grants of {id} are not numbered 1, 2, 3, ..."));
    let bound = record.spec.attempts_max;
    expect(
        record.charged <= bound,
        "attempts-bounded",
        format!("{} attempts of {id} were charged, of {bound}", record.charged),
    );
    let ends = log.iter().filter(|event| is_end(&event.body)).count();
    expect(ends <= 1, "terminal-absorbing", format!("{id} has ended {ends} times"));
    let ended = record.status.is_final();
    expect(ended, "eventual-recovery", format!("{id} is still {}", record.status.as_str()));
    expect(!ended || record.lease.is_none(), "terminal-absorbing", format!("{id} has ended and is held"));
}

fn is_end(body: &EventBody) -> bool {
    matches!(
        body,
        EventBody::Succeeded { .. }
            | EventBody::Failed { .. }
            | EventBody::TimedOut { .. }
            | EventBody::NeverStarted { .. }
            | EventBody::Cancelled { .. }
    )
}

/// The totals are those of the jobs that were asked for: one more was made twice.
async fn totals<S: Store>(
    store: &S,
    stored: &BTreeMap<String, Stored>,
    judgement: &mut Judgement,
) -> io::Result<()> {
    let Reply::QueueStats(stats) = read(store, Command::QueueStats).await? else { return Ok(()) };
    judgement.stored_jobs = stats.total();
    let known = stored.len() as u64;
    if stats.total() > known {
        let what = format!("{} jobs are stored and {known} were asked for", stats.total());
        judgement.findings.push(Finding { invariant: "idempotent-create".into(), what });
    }
    for status in Status::ALL {
        let counted = stored.values().filter(|job| job.record.status == status).count() as u64;
        let told = stats.counts[status as usize];
        if told != counted && stats.total() == known {
            let what = format!("{told} jobs are said to be {}, and {counted} are", status.as_str());
            judgement.findings.push(Finding { invariant: "stats-consistent".into(), what });
        }
    }
    Ok(())
}
