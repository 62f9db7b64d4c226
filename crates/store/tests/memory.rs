//! The store in memory at its port.

use holdover_jobs::{Call, Command, JobId, Order, Reply, Stamp, Table, rules::Floor};
use holdover_machine::{Outcome, Span, StoreTime};
use holdover_store::{MemoryStore, Store, StoreError};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::task::{Context, Poll, Waker};

/// The port of a store that never waits is ready at once.
fn ready<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the store in memory has nothing to wait for"),
    }
}

fn call(command: Command) -> Call {
    Call { stamp: Stamp::Store(Floor::Held), command }
}

/// Goal: calls are carried out on the one table, and judged by the clock that was given.
#[test]
fn it_is_the_table_with_a_clock() {
    let time = Arc::new(AtomicI64::new(5));
    let clock = {
        let time = Arc::clone(&time);
        move || StoreTime::from_ms(time.load(Ordering::Relaxed))
    };
    let store = Arc::new(MemoryStore::new(Table::new(Order::Fifo), clock));
    let unknown = call(Command::Load(JobId::new("j").expect("a safe identifier")));
    assert_eq!(ready(store.execute(unknown)), Ok(Reply::Found(None)));
    assert_eq!(store.inspect(Table::judged_at), StoreTime::from_ms(5));
    time.store(9, Ordering::Relaxed);
    let workers = call(Command::Workers { stale_after: Span::ZERO });
    assert_eq!(ready(store.execute(workers)), Ok(Reply::Workers(vec![])));
    assert_eq!(store.inspect(Table::judged_at), StoreTime::from_ms(9));
}

/// Goal: what is certain and what is not stay apart on the way into a machine.
#[test]
fn errors_become_outcomes() {
    let why = || "why".to_owned();
    for (result, outcome) in [
        (Ok(1), Outcome::Ok(1)),
        (Err(StoreError::Failed(why())), Outcome::Failed(why())),
        (Err(StoreError::Unknown(why())), Outcome::Unknown(why())),
    ] {
        assert_eq!(StoreError::outcome(result), outcome);
    }
}
