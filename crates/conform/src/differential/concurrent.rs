//! Calls made at once: some order of them must explain every reply, and all that is stored in the end.

use super::ask::{Asking, step};
use super::sides::{difference, everything, set_number, shown};
use super::{HISTORY_CALLS, policy};
use crate::draws::Draws;
use crate::{Failure, ManualClock, Options, Part, PartReport, Subject};
use holdover_jobs::{Call, FlightId, Reply, Table};
use holdover_machine::StoreTime;
use holdover_store::{Store, StoreError};
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::runtime::Runtime;

/// So many calls are made at once at most: every order of them is tried.
const AT_ONCE_MAX: u64 = 4;
/// Once more different tables explain all replies so far, the store is looked at to see which of them it is.
const FOLLOWED_MAX: usize = 12;

pub(crate) fn run_concurrently<S: Subject>(subject: &S, runtime: &Runtime, options: &Options) -> PartReport {
    let mut report = PartReport::new(Part::Concurrent, "calls");
    for seed in options.seed.. {
        if report.compared >= options.concurrent_calls || report.failed > 0 {
            break;
        }
        let mut calls = 0;
        if let Err(what) = runtime.block_on(history(subject, seed, &mut calls)) {
            report.fail(Failure::new(format!("seed {seed}, call {calls}"), what));
        }
        report.compared += calls;
    }
    report
}

async fn history<S: Subject>(subject: &S, seed: u64, calls: &mut u64) -> Result<(), String> {
    let mut draws = Draws::new(seed);
    let policy = policy(&mut draws);
    let clock = ManualClock::default();
    let store = subject.open(policy.order(), clock.clone()).await;
    let store = Arc::new(store.map_err(|error| format!("the store was not opened: {error}"))?);
    let mut explanations = vec![Table::new(policy.order())];
    let mut asking = Asking::new(policy);
    let mut now = StoreTime::from_ms(1_000_000);
    while *calls < HISTORY_CALLS {
        now = now + step(&mut draws);
        clock.set(now);
        let at_once = 2 + draws.below(AT_ONCE_MAX - 1);
        let batch: Vec<(FlightId, Call)> =
            (0..at_once).filter_map(|_| asking.next(&mut draws, &explanations[0])).collect();
        let made: Vec<Call> = batch.iter().map(|(_, call)| call.clone()).collect();
        let replies = make(&store, &made).await?;
        *calls += made.len() as u64;
        explanations = explain(&explanations, now, &made, &replies)?;
        if explanations.len() > FOLLOWED_MAX {
            explanations = stored(&*store, explanations, now).await?;
        }
        for ((flight, _), reply) in batch.into_iter().zip(replies) {
            asking.reply(&mut draws, flight, reply);
        }
    }
    stored(&*store, explanations, now).await.map(drop).map_err(|what| format!("in the end, {what}"))
}

/// Those of the tables that are stored: one of them must be.
async fn stored<S: Store>(store: &S, mut tables: Vec<Table>, now: StoreTime) -> Result<Vec<Table>, String> {
    let reads = everything(&tables[0], now);
    let replies = make_in_turn(store, &reads).await?;
    distinct_numbers(&replies)?;
    let differs = |table: &Table| {
        let mut table = table.clone();
        reads.iter().zip(&replies).find_map(|(call, reply)| wrong(&mut table, now, call, reply))
    };
    let first = differs(&tables[0]);
    tables.retain(|table| differs(table).is_none());
    match first.filter(|_| tables.is_empty()) {
        None => Ok(tables),
        Some(what) => Err(what),
    }
}

/// No two jobs have the same creation number.
fn distinct_numbers(replies: &[Reply]) -> Result<(), String> {
    let mut known = BTreeMap::new();
    for reply in replies {
        let Reply::Found(Some(record)) = reply else { continue };
        if let Some(other) = known.insert(record.number, record.id().clone()) {
            return Err(format!("{other} and {} have the same creation number", record.id()));
        }
    }
    Ok(())
}

/// Makes the calls at once.
async fn make<S: Store>(store: &Arc<S>, calls: &[Call]) -> Result<Vec<Reply>, String> {
    let begun: Vec<_> = calls
        .iter()
        .map(|call| {
            let (store, call) = (Arc::clone(store), call.clone());
            tokio::spawn(async move { store.execute(call).await })
        })
        .collect();
    let mut replies = Vec::new();
    for (task, call) in begun.into_iter().zip(calls) {
        let reply = task.await.map_err(|error| format!("{}\n  the store panics: {error}", shown(call)))?;
        replies
            .push(reply.map_err(|error: StoreError| format!("{}\n  the store fails: {error}", shown(call)))?);
    }
    Ok(replies)
}

async fn make_in_turn<S: Store>(store: &S, calls: &[Call]) -> Result<Vec<Reply>, String> {
    let mut replies = Vec::new();
    for call in calls {
        let reply = store.execute(call.clone()).await;
        replies.push(reply.map_err(|error| format!("{}\n  the store fails: {error}", shown(call)))?);
    }
    Ok(replies)
}

/// Every table that some order of the calls leaves, if that order explains the replies.
fn explain(
    tables: &[Table],
    now: StoreTime,
    calls: &[Call],
    replies: &[Reply],
) -> Result<Vec<Table>, String> {
    let mut explanations: Vec<Table> = Vec::new();
    for table in tables {
        orders(calls.len(), &mut Vec::new(), &mut |order| {
            let mut tried = table.clone();
            let fits = order.iter().all(|&at| wrong(&mut tried, now, &calls[at], &replies[at]).is_none());
            if fits && !explanations.contains(&tried) {
                explanations.push(tried);
            }
        });
    }
    if explanations.is_empty() {
        return Err(unexplained(&tables[0], now, calls, replies));
    }
    Ok(explanations)
}

/// Carries the call out; what differs is said, if anything does.
fn wrong(table: &mut Table, now: StoreTime, call: &Call, reply: &Reply) -> Option<String> {
    let wanted = table.execute(now, call);
    let mut reply = reply.clone();
    reply.each_record(|record| {
        if let Some(known) = table.record(record.id()) {
            set_number(record, known.number);
        }
    });
    (reply != wanted).then(|| format!("{}\n{}", shown(call), difference(&reply, &wanted)))
}

/// Calls `visit` with every order of so many calls.
fn orders(count: usize, begun: &mut Vec<usize>, visit: &mut impl FnMut(&[usize])) {
    if begun.len() == count {
        return visit(begun);
    }
    for next in 0..count {
        if !begun.contains(&next) {
            begun.push(next);
            orders(count, begun, visit);
            begun.pop();
        }
    }
}

/// The calls in the order in which they were made, and where the first of them that fits nowhere differs.
fn unexplained(table: &Table, now: StoreTime, calls: &[Call], replies: &[Reply]) -> String {
    let mut text = format!("no order of these {} calls explains their replies:", calls.len());
    for (call, reply) in calls.iter().zip(replies) {
        let alone = wrong(&mut table.clone(), now, call, reply);
        let alone = alone.unwrap_or_else(|| format!("{}\n  would fit alone", shown(call)));
        text.push_str(&format!("\n- {alone}"));
    }
    text
}
