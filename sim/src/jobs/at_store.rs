//! The store's side of the world: calls carried out in one step, or caught by a store fault.

use super::action::Fate;
use super::fact::{Change, Fact, Scene};
use super::fault::Fault;
use super::message::{Body, Message, Origin};
use super::node::Node;
use super::participants::truth;
use super::planted::Flawed;
use super::story;
use super::world::{JobsWorld, show};
use holdover::{Mark, Observer};
use holdover_jobs::{Call, Command, Record, Reply};
use holdover_machine::{Outcome, StoreTime, Timestamp};
use std::sync::Arc;

impl JobsWorld {
    /// A call reaches the store: carried out in one step, or caught by a store fault.
    pub(super) fn arrive_at_store(&mut self, message: Message, observer: &mut Observer) {
        let Body::Call { flight, call, origin, seen } = message.body else { return };
        let from = message.from;
        // A fate speaks of messages that this action brings about, not of one that has waited.
        let place = if message.id.0 == self.step { message.id.1 } else { u16::MAX };
        let fault = |text: &str| {
            (Mark::Fault, format!("{} of {}: {text}", story::command(&call.command), origin.from))
        };
        let (outcome, line) = match self.fate {
            Fate::Aborted(at) if at == place => {
                observer.fault(Fault::Abort as usize);
                (Outcome::Failed("aborted".into()), Some(fault("aborted, not carried out")))
            }
            Fate::Vanished(at) if at == place => {
                observer.fault(Fault::Vanished as usize);
                (Outcome::Unknown("connection lost".into()), Some(fault("not carried out, outcome unknown")))
            }
            Fate::Unconfirmed(at) if at == place => {
                observer.fault(Fault::Unconfirmed as usize);
                self.execute(&origin, (from, &call, seen), observer);
                (Outcome::Unknown("connection lost".into()), Some(fault("carried out, outcome unknown")))
            }
            Fate::Stale(at) if at == place => match self.stale_reply(&call.command) {
                Some(reply) => {
                    observer.fault(Fault::StaleRead as usize);
                    (Outcome::Ok(reply), Some(fault("answered from before the last change")))
                }
                None => (Outcome::Ok(self.execute(&origin, (from, &call, seen), observer)), None),
            },
            _ => (Outcome::Ok(self.execute(&origin, (from, &call, seen), observer)), None),
        };
        if let Some((mark, text)) = line {
            self.tell(observer, Node::Store, mark, || text);
        }
        let outcome = match (outcome, self.setup.flaw(|flaw| flaw.told)) {
            (Outcome::Ok(mut reply), Some(misread)) => {
                misread(&call, &mut reply);
                Outcome::Ok(reply)
            }
            (outcome, _) => outcome,
        };
        self.send(Node::Store, from, Body::Reply { flight, outcome });
    }

    /// The store's clock, never further off than it may be.
    pub(super) fn store_time(&self) -> StoreTime {
        let most = self.setup.config.store_error_max().ms();
        StoreTime::from_ms(self.store_clock.read_within(self.now, self.store_truth(), most))
    }

    /// What the store's clock reads without error.
    pub(super) fn store_truth(&self) -> i64 {
        truth(self.now) + self.setup.config.store_stands_off(self.now)
    }

    /// Carries a call out that `from` has made.
    pub(super) fn execute(
        &mut self,
        origin: &Origin,
        (from, call, seen): (Node, &Call, Option<Arc<Record>>),
        observer: &mut Observer,
    ) -> Reply {
        match self.store_stepped {
            0 => {}
            step if step < 0 => observer.fault(Fault::StoreStepBack as usize),
            _ => observer.fault(Fault::StoreStepForward as usize),
        }
        self.store_stepped = 0;
        let clock = self.store_time();
        let reply = match self.setup.flaw(|flaw| flaw.store) {
            None => self.table.execute(clock, call),
            Some(amiss) => {
                let caller = StoreTime::from_ms(self.wall_time(from).ms());
                let places = (&mut self.table, &mut self.memory);
                amiss(&mut Flawed::new(places, (clock, caller), (from, call), seen))
            }
        };
        observer.event(digest_of(&reply, self.table.judged_at()));
        let judged_at = self.table.judged_at();
        if let Some(first) = self.table.touched().first()
            && let Some((record, _)) = self.table.job(first.number)
        {
            self.last_change = Some((record.id().clone(), first.before.clone()));
        }
        let Some(monitors) = &mut self.monitors else { return reply };
        let changes: Vec<Change<'_>> = self
            .table
            .touched()
            .iter()
            .filter_map(|touched| {
                let (after, log) = self.table.job(touched.number)?;
                Some(Change {
                    before: touched.before.as_deref(),
                    after,
                    events: log.get(touched.events..).unwrap_or_default(),
                    log,
                })
            })
            .collect();
        for change in &changes {
            observer.event(u64::from(change.after.number) << 32 | change.log.len() as u64);
        }
        let fact = Fact::Executed { origin, call, reply: &reply, changes: &changes, judged_at };
        let scene = Scene {
            now: self.now,
            step: self.step,
            promise: &self.setup.config.promise,
            table: &self.table,
            tasks: &self.setup.tasks,
        };
        show(&fact, &scene, monitors, &mut self.violations, observer);
        reply
    }

    /// What the wall clock of a service reads.
    fn wall_time(&mut self, node: Node) -> Timestamp {
        let now = self.now;
        self.service_mut(node).map_or(Timestamp::from_ms(truth(now)), |place| place.wall.read(now))
    }

    /// What a replica that lags behind the last change would answer to a read.
    fn stale_reply(&self, command: &Command) -> Option<Reply> {
        let (job, before) = self.last_change.as_ref()?;
        let concerns = match command {
            Command::Load(asked) => asked == job,
            Command::FindByKey(key) => self.table.record(job).is_some_and(|record| record.spec.key == *key),
            _ => false,
        };
        concerns.then(|| Reply::Found(before.clone()))
    }
}

/// What the digest keeps of a reply: its kind, and the time that it was judged by.
fn digest_of(reply: &Reply, judged_at: StoreTime) -> u64 {
    use holdover_jobs::{Claimed, Created, Operated};
    let kind = match reply {
        Reply::Found(found) => 1 + u64::from(found.is_some()),
        Reply::Created(Created::New(_)) => 3,
        Reply::Created(Created::Known(_)) => 4,
        Reply::Created(Created::Unblocked(_)) => 5,
        Reply::Created(Created::IdTaken) => 6,
        Reply::Claimed(Claimed::Granted(grant)) => 7 + (u64::from(grant.record.attempts) << 8),
        Reply::Claimed(Claimed::Nothing) => 8,
        Reply::Claimed(Claimed::Stale(_)) => 9,
        Reply::Claimed(Claimed::Over) => 10,
        Reply::Operated(Operated::Applied { record, replayed, .. }) => {
            11 + u64::from(*replayed) + ((record.status as u64) << 8)
        }
        Reply::Operated(Operated::Refused { reason, .. }) => 13 + ((*reason as u64) << 8),
        Reply::Expired(list) => 14 + ((list.len() as u64) << 8),
        Reply::QueueStats(stats) => 15 + (stats.claimable << 8) + (stats.expired << 16),
        Reply::AdmissionCounts(counts) => 16 + (counts.tenant_active << 8),
        Reply::Events(page) => 17 + (page.as_ref().map_or(0, |page| page.last) << 8),
        Reply::Workers(list) => 18 + ((list.len() as u64) << 8),
        Reply::Done => 19,
        // No service of the world asks for several things at once.
        Reply::ClaimedMany(_) | Reply::OperatedMany(_) | Reply::SettledAndClaimed { .. } => 20,
    };
    (judged_at.ms() as u64) << 24 ^ kind
}
