use super::{RememberedClaim, Table};
use crate::rules::{Charge, Leftovers};
use crate::{Claim, ClaimMany, Claimed, ClaimedMany, EventBody, Grant, Lease, LeaseToken, Record, Status};
use holdover_machine::StoreTime;
use std::cmp::Ordering;
use std::sync::Arc;

/// What a table knows of a claim's number already.
enum Seen {
    /// A later claim of the same process bears this number.
    Overtaken(u64),
    /// The last claim of the process bears the same.
    Repeated,
}

impl Table {
    /// Answers a repeat, recovers due leases, asks the switch and the capacity, then grants the first job.
    pub(super) fn claim(&mut self, now: StoreTime, claim: &Claim) -> Claimed {
        match self.seen_before(claim) {
            Some(Seen::Overtaken(last)) => return Claimed::Stale(last),
            Some(Seen::Repeated) => return self.claim_again(now, claim),
            None => {}
        }
        self.take_over(now, claim);
        let granted = if self.may_grant(claim) { self.pick(now, claim, &claim.token) } else { None };
        let attempt = granted.as_ref().map(|record| (record.number, record.attempts));
        self.remember(now, claim, attempt, Vec::new());
        match granted {
            Some(record) => Claimed::Granted(Grant { record, replayed: false, now }),
            None => Claimed::Nothing,
        }
    }

    /// The same for as many jobs as there are tokens, while there are any.
    pub(super) fn claim_many(&mut self, now: StoreTime, many: &ClaimMany) -> ClaimedMany {
        let claim = &many.claim;
        match self.seen_before(claim) {
            Some(Seen::Overtaken(last)) => return ClaimedMany::Stale(last),
            Some(Seen::Repeated) => return ClaimedMany::Granted(self.still_granted(now, claim)),
            None => {}
        }
        self.take_over(now, claim);
        let mut grants = Vec::new();
        for token in std::iter::once(&claim.token).chain(many.more.iter()) {
            let granted = if self.may_grant(claim) { self.pick(now, claim, token) } else { None };
            let Some(record) = granted else { break };
            grants.push(Grant { record, replayed: false, now });
        }
        let mut attempts = grants.iter().map(|grant| (grant.record.number, grant.record.attempts));
        let first = attempts.next();
        let more = attempts.collect();
        self.remember(now, claim, first, more);
        ClaimedMany::Granted(grants)
    }

    /// Whether a claim of this number, or a later one of the same process, has been here.
    fn seen_before(&self, claim: &Claim) -> Option<Seen> {
        let last = self.claims.get(claim.incarnation?)?.number;
        match claim.number?.cmp(&last) {
            Ordering::Less => Some(Seen::Overtaken(last)),
            Ordering::Equal => Some(Seen::Repeated),
            Ordering::Greater => None,
        }
    }

    fn take_over(&mut self, now: StoreTime, claim: &Claim) {
        let Some((count, lose)) = &claim.take_over else { return };
        for _ in 0..*count {
            let due = self.expiry.first().filter(|(at, _)| now >= *at + lose.grace);
            let Some(&(_, number)) = due else { break };
            self.lose_lease(now, number, lose);
        }
    }

    fn remember(
        &mut self,
        now: StoreTime,
        claim: &Claim,
        granted: Option<(u32, u32)>,
        more: Vec<(u32, u32)>,
    ) {
        let Some((incarnation, number)) = claim.incarnation.zip(claim.number) else { return };
        self.claims.set(incarnation, RememberedClaim { number, granted, more, used_at: now });
        let held = &self.held;
        self.claims.forget(now, claim.remember, |incarnation| held.contains_key(&incarnation));
    }

    /// What a claim of the same number was given, or that it is over.
    fn claim_again(&self, now: StoreTime, claim: &Claim) -> Claimed {
        let nothing = self.remembered(claim).is_none_or(|remembered| remembered.granted.is_none());
        match self.still_granted(now, claim).into_iter().next() {
            Some(grant) => Claimed::Granted(grant),
            None if nothing => Claimed::Nothing,
            None => Claimed::Over,
        }
    }

    /// What is left of the grants of a claim of the same number.
    fn still_granted(&self, now: StoreTime, claim: &Claim) -> Vec<Grant> {
        let Some(remembered) = self.remembered(claim) else { return Vec::new() };
        let attempts = remembered.granted.iter().chain(&remembered.more);
        attempts
            .filter_map(|&(job, attempt)| {
                let record = &self.jobs[job as usize].record;
                let lease = record.lease.as_ref()?;
                (lease.attempt == attempt && lease.open_for_owner(now)).then(|| Grant {
                    record: Arc::clone(record),
                    replayed: true,
                    now,
                })
            })
            .collect()
    }

    fn remembered(&self, claim: &Claim) -> Option<&RememberedClaim> {
        self.claims.get(claim.incarnation?)
    }

    fn may_grant(&self, claim: &Claim) -> bool {
        let shut = claim.ask_switch && !self.open;
        let full = claim
            .incarnation
            .zip(claim.held_max)
            .is_some_and(|(incarnation, max)| self.held.get(&incarnation).is_some_and(|held| *held >= max));
        !shut && !full
    }

    fn pick(&mut self, now: StoreTime, claim: &Claim, token: &LeaseToken) -> Option<Arc<Record>> {
        self.promote(now);
        let number = self.ready.first(&claim.executors)?;
        let spec = Arc::clone(&self.jobs[number as usize].record.spec);
        let expires_at = now + claim.lease;
        let record = self.change(number, |record| {
            record.attempts += 1;
            record.charged += u32::from(claim.charge == Charge::AtClaim);
            record.status = Status::Leased;
            record.reason = None;
            record.next_attempt_at = None;
            record.completed_at = None;
            record.updated_at = now;
            if claim.leftovers == Leftovers::Cleared {
                record.error = None;
            }
            record.lease = Some(Lease {
                token: token.clone(),
                worker: claim.worker.clone(),
                incarnation: claim.incarnation,
                attempt: record.attempts,
                acquired_at: now,
                heartbeat_at: now,
                expires_at,
                deadline: None,
            });
        });
        self.ready.served(&spec);
        let (worker, executor) = (claim.worker.clone(), spec.executor.clone());
        self.emit(number, now, EventBody::Leased { worker, executor, attempt: record.attempts, expires_at });
        Some(record)
    }
}
