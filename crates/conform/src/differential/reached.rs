use holdover_jobs::{Claimed, ClaimedMany, Created, EventBody, Operated, Refusal, Reply};
use std::collections::BTreeSet;

/// What replies and logs came to, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Reached(BTreeSet<&'static str>);

/// What a run must have come to, so that agreeing on nothing does not count as agreeing.
const ALL: [&str; 33] = [
    "new",
    "known",
    "unblocked",
    "id taken",
    "granted",
    "granted again",
    "nothing",
    "stale",
    "over",
    "granted several",
    "several operations",
    "settled and granted",
    "not found",
    "status mismatch",
    "lease mismatch",
    "attempt settled",
    "applied",
    "repeated",
    "queued",
    "blocked",
    "leased",
    "started",
    "heartbeat",
    "progress",
    "succeeded",
    "retry scheduled",
    "failed",
    "lease recovered",
    "timed out",
    "never started",
    "cancel requested",
    "cancelled",
    "expired",
];

impl Reached {
    pub(super) fn add(&mut self, other: &Self) {
        self.0.extend(&other.0);
    }

    pub(super) fn missing(&self) -> Vec<String> {
        ALL.iter().filter(|name| !self.0.contains(*name)).map(|name| (*name).to_owned()).collect()
    }

    pub(super) fn reply(&mut self, reply: &Reply) {
        match reply {
            Reply::Created(created) => self.note(match created {
                Created::New(_) => "new",
                Created::Known(_) => "known",
                Created::Unblocked(_) => "unblocked",
                Created::IdTaken => "id taken",
            }),
            Reply::Claimed(claimed) => self.claimed(claimed),
            Reply::ClaimedMany(ClaimedMany::Granted(grants)) if grants.len() > 1 => {
                self.note("granted several");
            }
            Reply::Operated(operated) => self.operated(operated),
            Reply::OperatedMany(list) => {
                self.note("several operations");
                list.iter().for_each(|operated| self.operated(operated));
            }
            Reply::SettledAndClaimed { settled, claimed } => {
                self.operated(settled);
                if matches!(claimed, Claimed::Granted(_)) {
                    self.note("settled and granted");
                }
            }
            Reply::Expired(list) if !list.is_empty() => self.note("expired"),
            _ => {}
        }
    }

    pub(super) fn event(&mut self, body: &EventBody) {
        self.note(match body {
            EventBody::Queued { .. } => "queued",
            EventBody::Blocked { .. } => "blocked",
            EventBody::Unblocked { .. } => "unblocked",
            EventBody::Leased { .. } => "leased",
            EventBody::Started { .. } => "started",
            EventBody::Heartbeat { .. } => "heartbeat",
            EventBody::Progress { .. } => "progress",
            EventBody::Succeeded { .. } => "succeeded",
            EventBody::RetryScheduled { .. } => "retry scheduled",
            EventBody::Failed { .. } => "failed",
            EventBody::LeaseRecovered { .. } => "lease recovered",
            EventBody::TimedOut { .. } => "timed out",
            EventBody::NeverStarted { .. } => "never started",
            EventBody::CancelRequested { .. } => "cancel requested",
            EventBody::Cancelled { .. } => "cancelled",
        });
    }

    fn claimed(&mut self, claimed: &Claimed) {
        self.note(match claimed {
            Claimed::Granted(grant) if grant.replayed => "granted again",
            Claimed::Granted(_) => "granted",
            Claimed::Nothing => "nothing",
            Claimed::Stale(_) => "stale",
            Claimed::Over => "over",
        });
    }

    fn operated(&mut self, operated: &Operated) {
        self.note(match operated {
            Operated::Applied { replayed: true, .. } => "repeated",
            Operated::Applied { .. } => "applied",
            Operated::Refused { reason, .. } => match reason {
                Refusal::NotFound => "not found",
                Refusal::StatusMismatch => "status mismatch",
                Refusal::LeaseMismatch => "lease mismatch",
                _ => "attempt settled",
            },
        });
    }

    fn note(&mut self, name: &'static str) {
        self.0.insert(name);
    }
}
