use super::Table;
use crate::rules::{Charge, Leftovers};
use crate::{Claim, Claimed, EventBody, Grant, Incarnation, Lease, Record, Status};
use holdover_machine::StoreTime;
use std::sync::Arc;

impl Table {
    /// Answers a repeat, recovers due leases, asks the switch and the capacity, then grants the first job.
    pub(super) fn claim(&mut self, now: StoreTime, claim: &Claim) -> Claimed {
        let numbered = claim.incarnation.zip(claim.number);
        if let Some((incarnation, number)) = numbered
            && let Some(answer) = self.claim_again(now, incarnation, number)
        {
            return answer;
        }
        if let Some((count, lose)) = &claim.take_over {
            for _ in 0..*count {
                let due = self.expiry.first().filter(|(at, _)| now >= *at + lose.grace);
                let Some(&(_, number)) = due else { break };
                self.lose_lease(now, number, lose);
            }
        }
        let granted = if self.may_grant(claim) { self.pick(now, claim) } else { None };
        if let Some((incarnation, number)) = numbered {
            let attempt = granted.as_ref().map(|record| (record.number, record.attempts));
            self.claims.set(incarnation, number, attempt, now);
            let held = &self.held;
            self.claims.forget(now, claim.remember, |incarnation| held.contains_key(&incarnation));
        }
        match granted {
            Some(record) => Claimed::Granted(Grant { record, replayed: false, now }),
            None => Claimed::Nothing,
        }
    }

    /// What a claim of this number was given before; `None` for one that is new.
    fn claim_again(&self, now: StoreTime, incarnation: Incarnation, number: u64) -> Option<Claimed> {
        let slot = self.claims.get(incarnation)?;
        if number < slot.number {
            return Some(Claimed::Stale(slot.number));
        }
        if number > slot.number {
            return None;
        }
        let Some((job, attempt)) = slot.granted else { return Some(Claimed::Nothing) };
        let record = &self.jobs[job as usize].record;
        let held =
            record.lease.as_ref().is_some_and(|lease| lease.attempt == attempt && lease.open_for_owner(now));
        Some(match held {
            true => Claimed::Granted(Grant { record: Arc::clone(record), replayed: true, now }),
            false => Claimed::Over,
        })
    }

    fn may_grant(&self, claim: &Claim) -> bool {
        let shut = claim.ask_switch && !self.open;
        let full = claim
            .incarnation
            .zip(claim.held_max)
            .is_some_and(|(incarnation, max)| self.held.get(&incarnation).is_some_and(|held| *held >= max));
        !shut && !full
    }

    fn pick(&mut self, now: StoreTime, claim: &Claim) -> Option<Arc<Record>> {
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
                token: claim.token.clone(),
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
