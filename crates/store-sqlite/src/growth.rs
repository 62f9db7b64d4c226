//! What a claim costs, counted in steps of SQLite's machine.

#[path = "../tests/calls/mod.rs"]
mod calls;

use crate::clock::Clock;
use crate::engine::Engine;
use crate::{Durability, Options, connect};
use calls::{claim, claim_of, create};
use holdover_jobs::{Call, Claimed, Order, Reply};
use holdover_machine::StoreTime;
use rusqlite::StatementStatus;
use rusqlite::trace::{TraceEvent, TraceEventCodes};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

thread_local! {
    /// Steps that each statement has made so far, and all of them together.
    static STATEMENTS: RefCell<BTreeMap<String, i64>> = const { RefCell::new(BTreeMap::new()) };
    static STEPS: Cell<i64> = const { Cell::new(0) };
}

fn count(event: TraceEvent<'_>) {
    let TraceEvent::Profile(statement, _) = event else { return };
    let so_far = i64::from(statement.get_status(StatementStatus::VmStep));
    let before = STATEMENTS.with_borrow_mut(|known| known.insert(statement.sql().into_owned(), so_far));
    STEPS.set(STEPS.get() + so_far - before.unwrap_or(0));
}

fn engine(path: std::path::PathBuf) -> Engine {
    let mut options = Options::new(path);
    options.durability = Durability::Off;
    let mut connection = connect::to_write(&options).expect("a new file");
    connection.trace_v2(TraceEventCodes::SQLITE_TRACE_PROFILE, Some(count)).expect("statements are told of");
    Engine::new(
        connection,
        Arc::new(Clock::new(Some(Arc::new(|| StoreTime::from_ms(1_800_000_000_000))))),
        Order::Fifo,
    )
}

const QUEUED: u32 = 1;
const RETRYABLE: u32 = 4;
const FINISHED: u32 = 5;

/// Puts jobs of this status into the file, the first of them with what a claim reads. They are ready from 1970 on, but
/// for retries, which wait.
fn fill(engine: &Engine, from: u32, jobs: u32, status: u32) {
    let due = if status == RETRYABLE { "9000000000000000" } else { "n" };
    engine.begin_immediate().expect("a transaction");
    engine
        .connection
        .execute_batch(&format!(
            "WITH RECURSIVE n (n) AS (VALUES ({from}) UNION ALL SELECT n + 1 FROM n WHERE n < {from} + {jobs} - 1)
             INSERT INTO jobs (number, id, collated, key_text, created_at, executor, status, active, attempts, charged,
                 unstarted, ready_at, next_attempt_at, updated_at, revision, events)
             SELECT n, 'id-' || n, x'', 'k-' || n, n, 'aider', {status}, {status} < 5, 0, 0, 0, {due}, {due}, n, 0, 1 FROM n;
             INSERT INTO specs SELECT number, spec FROM (SELECT spec FROM specs WHERE number = 0), jobs
             WHERE number >= {from} AND number < {from} + 20"
        ))
        .expect("rows");
    engine.commit().expect("a sound file");
}

/// The steps of a call.
fn steps(engine: &Engine, call: &Call, granted: bool) -> i64 {
    let before = STEPS.get();
    engine.begin().expect("a transaction");
    let reply = engine.carry_out(call).expect("a sound file");
    engine.settle().expect("a sound file");
    engine.commit().expect("a sound file");
    assert_eq!(matches!(reply, Reply::Claimed(Claimed::Granted(_))), granted, "{reply:?}");
    STEPS.get() - before
}

/// Goal: a claim makes the same steps among a thousand ready jobs, among a million, and beside a million finished
/// ones and retries that wait; so does one for four executors of which none has a job.
#[test]
fn a_claim_costs_the_same_however_many_jobs_there_are() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let engine = engine(folder.path().join("jobs.db"));
    engine.begin_immediate().and_then(|()| engine.carry_out(&create(0))).expect("a sound file");
    engine.commit().expect("a sound file");
    let mut number = 0;
    let mut costs = || {
        // The first claim also takes its process in.
        let mut numbered = |executors: &[&str], granted| {
            number += 1;
            let executors = executors.iter().map(|executor| (*executor).into()).collect();
            steps(&engine, &claim_of("w", Some(number), executors), granted)
        };
        numbered(&["aider"], true);
        let one = numbered(&["aider"], true);
        let none = numbered(&["a", "b", "c", "d"], false);
        (one, none, steps(&engine, &claim("w", None), true))
    };
    fill(&engine, 1, 1_000, QUEUED);
    // Where there are any, the first that waits is looked at.
    fill(&engine, 1_001, 10, RETRYABLE);
    let small = costs();
    println!("steps of a claim, of an empty one for four executors, of one without a number: {small:?}");
    fill(&engine, 10_001, 1_000_000, QUEUED);
    assert_eq!(costs(), small, "a million jobs are ready");
    fill(&engine, 2_000_001, 1_000_000, FINISHED);
    assert_eq!(costs(), small, "a million jobs are finished");
    fill(&engine, 4_000_001, 100_000, RETRYABLE);
    assert_eq!(costs(), small, "retries wait");
}
