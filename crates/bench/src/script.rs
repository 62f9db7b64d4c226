use crate::Calls;
use holdover_jobs::{Call, Claimed, ClaimedMany, Record, Reply};
use std::sync::Arc;

/// A short story of calls, group by group, each depending on what was answered before: it touches everything that a
/// store keeps. For those who stop a store at every point of it.
#[derive(Debug)]
pub struct Script {
    one: Calls,
    other: Calls,
    short: Calls,
    held: Vec<Arc<Record>>,
}

impl Script {
    /// How many groups there are.
    pub const GROUPS: usize = 12;

    /// The story from its beginning, on an empty store.
    pub fn new() -> Self {
        Self { one: Calls::of(1), other: Calls::of(2), short: Calls::of(3).short(), held: Vec::new() }
    }

    /// The calls of a group, which wait at the same time.
    pub fn group(&mut self, number: usize) -> Vec<Call> {
        match number {
            0 => (0..4).map(Calls::create).collect(),
            1 => vec![self.one.claim(), self.other.claim()],
            2 => self.each(Calls::start),
            3 => self.each(Calls::heartbeat),
            4 => vec![self.one.complete(&self.held[0]), Calls::create(4)],
            5 => vec![self.other.complete_and_claim(&self.held[1])],
            6 => vec![self.short.claim()],
            7 => vec![Calls::recover(&self.held[2])],
            8 => vec![Calls::create(5), Calls::create(5)],
            9 => vec![self.one.claim_many(3), self.other.claim()],
            10 => vec![self.one.complete_many(self.held[1..].iter().map(|record| &**record))],
            _ => vec![Calls::create(6), self.other.claim()],
        }
    }

    fn each(&self, operation: impl Fn(&Calls, &Record) -> Call) -> Vec<Call> {
        self.held.iter().map(|record| operation(&self.one, record)).collect()
    }

    /// Takes in what was answered.
    pub fn told(&mut self, number: usize, replies: &[Reply]) {
        if number == 5 || number == 9 {
            self.held.truncate(1);
        }
        for reply in replies {
            match reply {
                Reply::Claimed(Claimed::Granted(grant))
                | Reply::SettledAndClaimed { claimed: Claimed::Granted(grant), .. } => {
                    self.held.push(Arc::clone(&grant.record));
                }
                Reply::ClaimedMany(ClaimedMany::Granted(grants)) => {
                    self.held.extend(grants.iter().map(|grant| Arc::clone(&grant.record)));
                }
                _ => {}
            }
        }
    }
}

impl Default for Script {
    fn default() -> Self {
        Self::new()
    }
}
