//! What the end of a run must look like: the history by the rules of leases, and the store by its structure.

use holdover::history::{HistoryReport, Operation, Type, check_leases};
use holdover_jobs::{Call, Command, Event, EventBody, Record, Reply, Stamp, Status, Table, rules::Floor};
use holdover_machine::{Span, StoreTime};
use std::collections::{BTreeMap, BTreeSet};

/// Holds a history and the table that it left against everything that is promised.
pub fn judge(
    operations: &[Operation],
    table: &Table,
    (begin, now): (StoreTime, StoreTime),
    back_off: Span,
    report: &mut HistoryReport,
) {
    check_leases(operations, 5, report);
    check_claims(operations, table, report);
    for record in table.records() {
        let log = table.events(record.id());
        check_log(record, log, (begin, back_off), report);
        check_reports(record, log, begin, operations, report);
    }
    check_stats(table.clone(), (begin, now), report);
}

/// Holds a store against the promise that every job ends once all faults are over.
pub(crate) fn judge_ended(table: &Table, report: &mut HistoryReport) {
    for record in table.records() {
        let ended = record.status.is_final() || record.status == Status::Blocked;
        report.expect("no-lost-job", ended, 0, || {
            let id = record.id().to_string();
            (format!("{id} is still {}", record.status.as_str()), vec![id])
        });
    }
}

fn check_log(
    record: &Record,
    log: &[Event],
    (begin, back_off): (StoreTime, Span),
    report: &mut HistoryReport,
) {
    let about = |what: String| (format!("{}: {what}", record.id()), vec![record.id().to_string()]);
    let at = (record.updated_at - begin).ms();
    let numbered = log.iter().zip(1..).all(|(event, number)| event.sequence == number);
    report.expect("event-log-gapless", numbered, at, || about("the log has a gap".to_owned()));
    let told = log.iter().rev().find_map(|event| told(&event.body));
    report.expect("event-log-truthful", told == Some(record.status), at, || {
        about(format!("the log says {told:?}, and it is {:?}", record.status))
    });
    let bound = record.spec.attempts_max;
    report.expect("attempts-bounded", record.charged <= bound, at, || {
        about(format!("{} attempts were charged, of {bound}", record.charged))
    });
    for pair in log.windows(2) {
        let (first, second) = (&pair[0], &pair[1]);
        report.expect("time-order", first.at <= second.at, at, || {
            about(format!(
                "event {} is stamped {} before the one before it",
                second.sequence,
                first.at - second.at
            ))
        });
        let lost = matches!(first.body, EventBody::LeaseRecovered { .. } | EventBody::RetryScheduled { .. });
        if lost && matches!(second.body, EventBody::Leased { .. }) {
            let waited = second.at - first.at;
            report.expect("no-early-retry", waited >= back_off, at, || {
                about(format!(
                    "it was granted again {waited} after an attempt was lost, and {back_off} is promised"
                ))
            });
        }
    }
}

/// The status that an event leaves a job in; `None` for one that leaves it as it was.
fn told(body: &EventBody) -> Option<Status> {
    Some(match body {
        EventBody::Queued { .. } | EventBody::Unblocked { .. } => Status::Queued,
        EventBody::Blocked { .. } => Status::Blocked,
        EventBody::Leased { .. } => Status::Leased,
        EventBody::Started { .. } | EventBody::CancelRequested { .. } => Status::Running,
        EventBody::Succeeded { .. } => Status::Succeeded,
        EventBody::RetryScheduled { .. } | EventBody::LeaseRecovered { .. } => Status::Retryable,
        EventBody::Failed { .. } | EventBody::NeverStarted { .. } => Status::Failed,
        EventBody::TimedOut { .. } => Status::TimedOut,
        EventBody::Cancelled { .. } => Status::Cancelled,
        EventBody::Heartbeat { .. } | EventBody::Progress { .. } => return None,
    })
}

/// A claim is granted once, however often it is sent: a worker is granted no more jobs than it sent claims.
fn check_claims(operations: &[Operation], table: &Table, report: &mut HistoryReport) {
    let mut sent: BTreeMap<&str, BTreeSet<(i64, i64)>> = BTreeMap::new();
    let claims = || operations.iter().filter(|operation| operation.f == "claim");
    for claim in claims() {
        if let (Some(name), Some(process), Some(number)) =
            (claim.text("name"), claim.number("worker"), claim.number("number"))
        {
            sent.entry(name).or_default().insert((process, number));
        }
    }
    // A claim that was answered with nothing was granted nothing, by any of its repeats.
    for claim in claims().filter(|claim| claim.is_ok() && claim.text("job").is_none()) {
        if let (Some(name), Some(process), Some(number)) =
            (claim.text("name"), claim.number("worker"), claim.number("number"))
        {
            sent.entry(name).or_default().remove(&(process, number));
        }
    }
    let mut granted: BTreeMap<&str, usize> = BTreeMap::new();
    for event in table.records().flat_map(|record| table.events(record.id())) {
        if let EventBody::Leased { worker, .. } = &event.body {
            *granted.entry(worker).or_default() += 1;
        }
    }
    for (name, claims) in sent {
        let granted = granted.get(name).copied().unwrap_or(0);
        report.expect("idempotent-claim", granted <= claims.len(), 0, || {
            let claims = claims.len();
            (format!("{name} was granted {granted} jobs for {claims} claims"), vec![name.to_owned()])
        });
    }
}

/// Who reports a result is not told that it was refused when it was taken.
fn check_reports(
    record: &Record,
    log: &[Event],
    begin: StoreTime,
    operations: &[Operation],
    report: &mut HistoryReport,
) {
    let mut attempt = 0;
    for event in log {
        let f = match &event.body {
            EventBody::Leased { attempt: granted, .. } => {
                attempt = i64::from(*granted);
                continue;
            }
            EventBody::Started { .. } => "start",
            EventBody::Succeeded { .. } => "complete",
            EventBody::RetryScheduled { .. } | EventBody::Failed { .. } => "fail",
            _ => continue,
        };
        let mine = operations.iter().filter(|operation| {
            operation.f == f
                && operation.text("job") == Some(record.id().as_str())
                && operation.number("attempt") == Some(attempt)
        });
        let mut told = mine.filter(|operation| operation.outcome != Type::Info).peekable();
        if told.peek().is_none() {
            continue;
        }
        let believed = told.any(Operation::is_ok);
        report.expect("idempotent-settle", believed, (event.at - begin).ms(), || {
            let id = record.id();
            (
                format!(
                    "{f} of {id} by attempt {attempt} was carried out, and its worker was told only refusals"
                ),
                vec![id.to_string()],
            )
        });
    }
}

fn check_stats(mut table: Table, (begin, now): (StoreTime, StoreTime), report: &mut HistoryReport) {
    let call = Call { stamp: Stamp::Store(Floor::Absent), command: Command::QueueStats };
    let Reply::QueueStats(stats) = table.execute(now, &call) else { return };
    let mut counts = [0; Status::ALL.len()];
    table.records().for_each(|record| counts[record.status as usize] += 1);
    report.expect("stats-consistent", stats.counts == counts, (now - begin).ms(), || {
        (format!("the totals say {:?}; recounted {counts:?}", stats.counts), Vec::new())
    });
}
