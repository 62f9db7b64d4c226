use super::{Contract, order};
use holdover_jobs::rules::{Charge, Leftovers};
use holdover_jobs::*;
use holdover_machine::{Span, StoreTime};

/// The last numbered claim of a worker process.
pub(crate) struct LastClaim {
    incarnation: Incarnation,
    number: u64,
    granted: Vec<(usize, u32)>,
    used_at: StoreTime,
}

impl Contract {
    /// The steps are taken in the order of the command's members.
    pub(super) fn claim(&mut self, now: StoreTime, claim: &Claim) -> Claimed {
        match self.claimed_before(claim) {
            Some(last) if last.number > claim.number.unwrap_or(0) => return Claimed::Stale(last.number),
            Some(last) if last.granted.is_empty() => return Claimed::Nothing,
            Some(last) => {
                return self.lasting(now, last).into_iter().next().map_or(Claimed::Over, Claimed::Granted);
            }
            None => {}
        }
        let grants = self.grant_each(now, claim, std::slice::from_ref(&claim.token));
        grants.into_iter().next().map_or(Claimed::Nothing, Claimed::Granted)
    }

    /// One number, one taking over, and a grant for each token while there is a job.
    pub(super) fn claim_many(&mut self, now: StoreTime, many: &ClaimMany) -> ClaimedMany {
        let claim = &many.claim;
        match self.claimed_before(claim) {
            Some(last) if last.number > claim.number.unwrap_or(0) => return ClaimedMany::Stale(last.number),
            Some(last) => return ClaimedMany::Granted(self.lasting(now, last)),
            None => {}
        }
        let tokens: Vec<LeaseToken> =
            std::iter::once(&claim.token).chain(many.more.iter()).cloned().collect();
        ClaimedMany::Granted(self.grant_each(now, claim, &tokens))
    }

    /// The last claim of the process, where this one is not newer.
    fn claimed_before(&self, claim: &Claim) -> Option<&LastClaim> {
        let (incarnation, number) = claim.incarnation.zip(claim.number)?;
        self.claims.iter().find(|last| last.incarnation == incarnation && number <= last.number)
    }

    /// The grants of a claim that are not over.
    fn lasting(&self, now: StoreTime, last: &LastClaim) -> Vec<Grant> {
        let lasts = |&(at, attempt): &(usize, u32)| {
            let lease = self.jobs[at].record.lease.as_ref();
            lease.is_some_and(|lease| lease.attempt == attempt && now < lease.expires_at)
        };
        let grant = |(at, _)| Grant { record: self.shown(at), replayed: true, now };
        last.granted.iter().copied().filter(lasts).map(grant).collect()
    }

    fn grant_each(&mut self, now: StoreTime, claim: &Claim, tokens: &[LeaseToken]) -> Vec<Grant> {
        if let Some((count, lose)) = &claim.take_over {
            (0..*count).for_each(|_| self.take_over(now, lose));
        }
        let mut granted = Vec::new();
        for token in tokens {
            let shut = claim.ask_switch && !self.open;
            let full = claim
                .incarnation
                .zip(claim.held_max)
                .is_some_and(|(incarnation, max)| self.held_by(incarnation) >= max as usize);
            let Some(at) = self.first_for(now, claim).filter(|_| !shut && !full) else { break };
            self.grant(now, at, &Claim { token: token.clone(), ..claim.clone() });
            granted.push((at, self.jobs[at].record.attempts));
        }
        let grants =
            granted.iter().map(|&(at, _)| Grant { record: self.shown(at), replayed: false, now }).collect();
        if let Some((incarnation, number)) = claim.incarnation.zip(claim.number) {
            self.claims.retain(|last| last.incarnation != incarnation);
            self.claims.push(LastClaim { incarnation, number, granted, used_at: now });
            (0..2).for_each(|_| self.forget_a_claim(now, claim.remember));
        }
        grants
    }

    /// Takes away the lease that ended first, once its grace is over too.
    fn take_over(&mut self, now: StoreTime, lose: &Lose) {
        let leases =
            self.jobs.iter().enumerate().filter_map(|(at, job)| Some((job.record.lease.as_ref()?, at)));
        let oldest = leases.map(|(lease, at)| (lease.expires_at, at)).min();
        if let Some((expires_at, at)) = oldest
            && now >= expires_at + lose.grace
        {
            self.lose_lease(now, at, lose);
        }
    }

    pub(super) fn held_by(&self, incarnation: Incarnation) -> usize {
        let leases = self.jobs.iter().filter_map(|job| job.record.lease.as_ref());
        leases.filter(|lease| lease.incarnation == Some(incarnation)).count()
    }

    fn first_for(&self, now: StoreTime, claim: &Claim) -> Option<usize> {
        let fits = |at: &usize| {
            let record = &self.jobs[*at].record;
            order::is_claimable(record, now) && claim.executors.contains(&record.spec.executor)
        };
        let first = |a: &usize, b: &usize| order::compare(self.order, &self.jobs[*a], &self.jobs[*b]);
        (0..self.jobs.len()).filter(fits).min_by(first)
    }

    fn grant(&mut self, now: StoreTime, at: usize, claim: &Claim) {
        let record = &mut self.jobs[at].record;
        let (attempt, expires_at) = (record.attempts + 1, now + claim.lease);
        record.status = Status::Leased;
        record.attempts = attempt;
        if claim.charge == Charge::AtClaim {
            record.charged += 1;
        }
        if claim.leftovers == Leftovers::Cleared {
            record.error = None;
        }
        record.reason = None;
        record.next_attempt_at = None;
        record.completed_at = None;
        record.updated_at = now;
        record.lease = Some(Lease {
            token: claim.token.clone(),
            worker: claim.worker.clone(),
            incarnation: claim.incarnation,
            attempt,
            acquired_at: now,
            heartbeat_at: now,
            expires_at,
            deadline: None,
        });
        let executor = record.spec.executor.clone();
        self.log(at, now, EventBody::Leased { worker: claim.worker.clone(), executor, attempt, expires_at });
    }

    /// Looks at the process that was in use longest ago: it is forgotten once that is too long ago, unless it still
    /// holds something; then it counts as in use now.
    fn forget_a_claim(&mut self, now: StoreTime, remember: Span) {
        self.claims.sort_by_key(|last| (last.used_at, last.incarnation));
        let Some(oldest) = self.claims.first() else { return };
        if now <= oldest.used_at + remember {
            return;
        }
        if self.held_by(oldest.incarnation) > 0 {
            self.claims[0].used_at = now;
        } else {
            self.claims.remove(0);
        }
    }
}
