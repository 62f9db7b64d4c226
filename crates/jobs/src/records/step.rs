use super::working::Working;
use super::{Changes, Found, Kept, Need};
use crate::table::Workers;
use crate::{Call, Claim, Command, Create, Operate, Operated, Order, Reply, Subject, Text};
use holdover_machine::StoreTime;
use std::sync::Arc;

/// One command, carried out on what a store has found. See the module's documentation.
#[derive(Debug, Clone)]
pub struct Step<'a> {
    command: &'a Command,
    now: StoreTime,
    order: Order,
    working: Working,
    /// The reply of a command that only reads.
    read: Option<Reply>,
    begun: bool,
}

impl<'a> Step<'a> {
    /// Begins a step: the call is judged by this time, and jobs are handed out in this order. A store of records offers
    /// no ring of tenants: it would have to make claims wait for one another.
    pub fn new(call: &'a Call, now: StoreTime, order: Order) -> Self {
        let command = &call.command;
        Self { command, now, order, working: Working::default(), read: None, begun: false }
    }

    /// What must be known next; nothing once the step can be carried out.
    pub fn needs(&mut self) -> Vec<Need> {
        if !std::mem::replace(&mut self.begun, true) {
            return self.first_needs();
        }
        let number = claim_of(self.command).and_then(|claim| claim.number);
        let mut needs: Vec<Need> = self.working.repeated_jobs(number).cloned().map(Need::Job).collect();
        needs.retain(|need| !matches!(need, Need::Job(job) if self.working.knows(job)));
        let creates = matches!(self.command, Command::Create(_)) && self.working.jobs().next().is_none();
        if creates && !self.working.has_number() {
            needs.push(Need::Number);
        }
        needs
    }

    fn first_needs(&self) -> Vec<Need> {
        let mut needs = Vec::new();
        match self.command {
            Command::Load(job) => needs.push(Need::Job(job.clone())),
            Command::FindByKey(key) => needs.push(Need::Key(key.trimmed())),
            Command::Create(create) => self.create_needs(create, &mut needs),
            Command::Claim(claim) => self.claim_needs(claim, 1, &mut needs),
            Command::ClaimMany(many) => {
                let most = u32::try_from(many.more.len()).unwrap_or(u32::MAX).saturating_add(1);
                self.claim_needs(&many.claim, most, &mut needs);
            }
            Command::Operate(operate) => needs.push(Need::Job(operate.job.clone())),
            Command::OperateMany(list) => {
                needs.extend(list.iter().map(|operate| Need::Job(operate.job.clone())));
            }
            Command::SettleAndClaim(both) => {
                needs.push(Need::Job(both.settle.job.clone()));
                self.claim_needs(&both.claim, 1, &mut needs);
            }
            Command::Recover(recover) => needs.push(Need::Job(recover.job.clone())),
            Command::Cancel(cancel) => needs.push(Need::Job(cancel.job.clone())),
            Command::ListExpired(list) => {
                needs.push(Need::Expired { until: self.now - list.grace, limit: list.limit });
            }
            Command::QueueStats => needs.push(Need::Stats { now: self.now }),
            Command::AdmissionCounts { subject, window } => {
                needs.push(Need::Counts { subject: subject.clone(), since: self.now - *window });
            }
            Command::Events { job, after, limit } => {
                needs.push(Need::Events { job: job.clone(), after: *after, limit: *limit });
            }
            Command::Workers { .. } => needs.push(Need::Workers),
            Command::Announce(_) | Command::Switch { .. } => {}
        }
        needs
    }

    fn create_needs(&self, create: &Create, needs: &mut Vec<Need>) {
        needs.push(Need::Key(create.spec.key.clone()));
        needs.push(Need::Job(create.spec.job_id.clone()));
        if let (Some(_), Some(request)) = (&create.limits, &create.spec.request) {
            let subject = Subject { tenant: request.tenant.clone(), user: request.user.clone() };
            needs.push(Need::Counts { subject, since: self.now - create.window });
        }
    }

    fn claim_needs(&self, claim: &Claim, most: u32, needs: &mut Vec<Need>) {
        if let (Some(process), Some(_)) = (claim.incarnation, claim.number) {
            needs.push(Need::LastClaim(process));
        }
        if let Some((count, lose)) = &claim.take_over {
            needs.push(Need::Expired { until: self.now - lose.grace, limit: *count });
        }
        if claim.ask_switch {
            needs.push(Need::Switch);
        }
        if let (Some(process), Some(_)) = (claim.incarnation, claim.held_max) {
            needs.push(Need::Held(process));
        }
        let executors = Arc::clone(&claim.executors);
        needs.push(Need::Ready { executors, now: self.now, order: self.order, limit: most });
    }

    /// Tells the step what was found for a need.
    pub fn found(&mut self, need: Need, found: Found) {
        self.read = match (self.command, found) {
            (Command::Load(_) | Command::FindByKey(_), Found::Jobs(jobs)) => {
                Some(Reply::Found(jobs.into_iter().next().map(|job| job.record)))
            }
            (Command::ListExpired(_), Found::Jobs(jobs)) => {
                Some(Reply::Expired(jobs.into_iter().map(|Kept { record, .. }| record).collect()))
            }
            (Command::QueueStats, Found::Stats(stats)) => Some(Reply::QueueStats(stats)),
            (Command::AdmissionCounts { .. }, Found::Counts(counts)) => Some(Reply::AdmissionCounts(counts)),
            (Command::Events { .. }, Found::Events(page)) => Some(Reply::Events(page)),
            (Command::Workers { stale_after }, Found::Workers(list)) => {
                Some(Reply::Workers(Workers::view(list.iter(), self.now, *stale_after)))
            }
            (_, found) => return self.working.learn(need, found),
        };
    }

    /// The reply, and what the store must change for it to be true.
    pub fn carry_out(self) -> (Reply, Changes) {
        if let Some(reply) = self.read {
            return (reply, Changes::default());
        }
        match self.command {
            Command::Announce(announcement) => {
                let announced = Some((announcement.clone(), self.now));
                (Reply::Done, Changes { announced, ..Changes::default() })
            }
            Command::Switch { open } => (Reply::Done, Changes { open: Some(*open), ..Changes::default() }),
            command => {
                let mut table = self.working.table(self.order);
                let mut reply = table.carry_out(self.now, command);
                let mut changes = self.working.changes(&table);
                changes.seen = self.seen(&reply);
                changes.forget_claims_before =
                    changes.last_claim.as_ref().and(claim_of(command)).map(|claim| self.now - claim.remember);
                reply.each_record(|record| self.working.renumber(record));
                (reply, changes)
            }
        }
    }
}

impl Step<'_> {
    /// The workers that an operation showed to be there.
    fn seen(&self, reply: &Reply) -> Vec<(Text, StoreTime)> {
        let shows = |(operate, operated): (&Operate, &Operated)| {
            let applied = matches!(operated, Operated::Applied { replayed: false, .. });
            let job = self.working.jobs().find(|job| *job.record.id() == operate.job)?;
            let lease = job.record.lease.as_ref().filter(|_| applied && operate.announces)?;
            Some((lease.worker.clone(), self.now))
        };
        match (self.command, reply) {
            (Command::Operate(operate), Reply::Operated(operated)) => {
                shows((operate, operated)).into_iter().collect()
            }
            (Command::OperateMany(list), Reply::OperatedMany(operated)) => {
                list.iter().zip(operated).filter_map(shows).collect()
            }
            (Command::SettleAndClaim(both), Reply::SettledAndClaimed { settled, .. }) => {
                shows((&both.settle, settled)).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The claim in a command, if there is one.
fn claim_of(command: &Command) -> Option<&Claim> {
    match command {
        Command::Claim(claim) => Some(claim),
        Command::ClaimMany(many) => Some(&many.claim),
        Command::SettleAndClaim(both) => Some(&both.claim),
        _ => None,
    }
}
