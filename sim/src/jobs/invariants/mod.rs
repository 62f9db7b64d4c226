//! The invariants of the job protocol, one file each.
//!
//! An invariant says in a sentence what is promised to the user, and looks at facts only: calls, replies, answers,
//! what workers believe and do, true time, the deployment's promise. It never reads a variant's rules. It counts
//! how often it could have failed.
//!
//! To add one: a file with a type that implements [`Invariant`], and a line in the list below.

mod admission_limit;
mod attempt_timeout;
mod attempts_bounded;
mod attempts_charged;
#[cfg(test)]
mod bench;
mod bounded_recovery_batch;
mod cancel_wins;
mod event_log_gapless;
mod event_log_truthful;
mod eventual_recovery;
mod expired_is_over;
mod fair_claim;
mod fencing;
mod heartbeat_monotone;
mod idempotent_claim;
mod idempotent_create;
mod idempotent_settle;
mod key_lifecycle;
mod kill_switch;
mod lease_capacity;
mod lease_length;
mod no_early_retry;
mod no_false_recovery;
mod no_lost_job;
mod no_secret;
mod no_stale_effect;
mod no_work_after_end;
mod single_owner;
mod start_before_result;
mod stats_consistent;
mod terminal_absorbing;
mod time_order;

use super::fact::{Fact, Scene};
use super::node::Node;
use super::promise::Promise;
use holdover::{InvariantInfo, Observer, Violation, Violations};
use holdover_jobs::{LeaseToken, Table};
use holdover_machine::{StoreTime, WorldTime};
use std::collections::BTreeMap;

/// Something that is promised to the user, and who watches that it is kept.
pub(super) trait Invariant {
    /// Its name, its promise in a sentence, and which half of correctness it speaks of.
    const INFO: InvariantInfo;

    /// Looks at a fact.
    fn observe(&mut self, fact: &Fact<'_>, scene: &Scene<'_>, findings: &mut Findings<'_>);

    /// Forgets what can make no difference any more, so that an exploration comes to an end.
    fn forget(&mut self, past: &Past<'_>) {
        let _ = past;
    }
}

/// How far everything has moved on.
pub(super) struct Past<'a> {
    /// True time.
    pub now: WorldTime,
    /// The earliest that a call can still be judged by.
    pub judged_from: StoreTime,
    /// When the oldest request that is still under way was sent; now, if there is none.
    pub sent_from: WorldTime,
    /// What the deployment promises.
    pub promise: &'a Promise,
    /// Everything that is stored.
    pub table: &'a Table,
    /// The numbered claims that can still reach the store: of which worker, in which run, which number.
    pub claims: &'a [(Node, u32, u64)],
    /// The attempts that a worker has in hand or that hold their job: of which job, which attempt.
    pub attempts: &'a [(u32, u32)],
    /// The tokens of attempts that somebody still speaks for.
    pub tokens: &'a [&'a LeaseToken],
}

/// Where an invariant says what it has found.
pub(super) struct Findings<'a> {
    index: usize,
    info: &'static InvariantInfo,
    now_ms: i64,
    step: u32,
    violations: &'a mut Violations,
    observer: &'a mut Observer,
}

impl Findings<'_> {
    /// It was in a position to fail.
    pub(super) fn could_fail(&mut self) {
        self.observer.could_fail(self.index);
    }

    /// It has failed: what was seen, and the names that the sentence argues about.
    pub(super) fn failed(&mut self, seen: impl FnOnce() -> (String, Vec<String>)) {
        let (info, at_ms, step) = (self.info, self.now_ms, self.step);
        self.violations.report(info.id, || {
            let (seen, evidence) = seen();
            Violation {
                invariant: info.id.to_owned(),
                class: info.class,
                at_ms,
                step,
                sentence: seen,
                evidence,
            }
        });
    }

    /// It could have failed, and has if the condition does not hold.
    pub(super) fn expect(&mut self, holds: bool, seen: impl FnOnce() -> (String, Vec<String>)) {
        self.could_fail();
        if !holds {
            self.failed(seen);
        }
    }
}

macro_rules! monitors {
    ($($name:ident: $type:path),* $(,)?) => {
        /// Everybody who watches, with what each remembers.
        #[derive(Debug, Default, Hash)]
        pub(super) struct Monitors {
            $($name: $type),*
        }

        holdover_machine::clone_by_member!(Monitors {} compared { $($name),* });

        /// What each invariant is, in the order of the monitors.
        pub(super) const INVARIANTS: &[InvariantInfo] = &[$(<$type as Invariant>::INFO),*];

        impl Monitors {
            /// What a numbered claim was given: of which worker, in which run, which number.
            pub(super) fn given(&self, claim: (Node, u32, u64)) -> Option<Option<(u32, u32)>> {
                self.idempotent_claim.given(claim)
            }

            /// Lets all forget what can make no difference any more.
            pub(super) fn forget(&mut self, past: &Past<'_>) {
                $(self.$name.forget(past);)*
            }

            /// Shows a fact to all.
            pub(super) fn observe(
                &mut self,
                fact: &Fact<'_>,
                scene: &Scene<'_>,
                violations: &mut Violations,
                observer: &mut Observer,
            ) {
                let mut index = 0;
                $(
                    let mut findings = Findings {
                        index,
                        info: &INVARIANTS[index],
                        now_ms: scene.now.ms(),
                        step: scene.step,
                        violations: &mut *violations,
                        observer: &mut *observer,
                    };
                    self.$name.observe(fact, scene, &mut findings);
                    index += 1;
                )*
                let _ = index;
            }
        }
    };
}

monitors! {
    single_owner: single_owner::SingleOwner,
    fencing: fencing::Fencing,
    no_stale_effect: no_stale_effect::NoStaleEffect,
    terminal_absorbing: terminal_absorbing::TerminalAbsorbing,
    no_false_recovery: no_false_recovery::NoFalseRecovery,
    expired_is_over: expired_is_over::ExpiredIsOver,
    heartbeat_monotone: heartbeat_monotone::HeartbeatMonotone,
    lease_length: lease_length::LeaseLength,
    attempts_bounded: attempts_bounded::AttemptsBounded,
    attempts_charged: attempts_charged::AttemptsCharged,
    attempt_timeout: attempt_timeout::AttemptTimeout,
    start_before_result: start_before_result::StartBeforeResult,
    bounded_recovery_batch: bounded_recovery_batch::BoundedRecoveryBatch,
    eventual_recovery: eventual_recovery::EventualRecovery,
    no_lost_job: no_lost_job::NoLostJob,
    idempotent_create: idempotent_create::IdempotentCreate,
    idempotent_claim: idempotent_claim::IdempotentClaim,
    idempotent_settle: idempotent_settle::IdempotentSettle,
    key_lifecycle: key_lifecycle::KeyLifecycle,
    cancel_wins: cancel_wins::CancelWins,
    no_work_after_end: no_work_after_end::NoWorkAfterEnd,
    no_early_retry: no_early_retry::NoEarlyRetry,
    fair_claim: fair_claim::FairClaim,
    lease_capacity: lease_capacity::LeaseCapacity,
    admission_limit: admission_limit::AdmissionLimit,
    kill_switch: kill_switch::KillSwitch,
    event_log_gapless: event_log_gapless::EventLogGapless,
    event_log_truthful: event_log_truthful::EventLogTruthful,
    time_order: time_order::TimeOrder,
    stats_consistent: stats_consistent::StatsConsistent,
    no_secret: no_secret::NoSecret,
}

/// What a monitor remembers of each job, by creation number.
type ByJob<T> = BTreeMap<u32, T>;
