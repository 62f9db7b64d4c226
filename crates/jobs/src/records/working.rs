use super::{Changed, Changes, Condition, Found, Kept, LastClaim, Need};
use crate::table::{Assumed, Table};
use crate::{Incarnation, JobId, Order, Record, RememberedClaim};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a step has found so far, and the small table of it. In that table a job's number is its place among the jobs
/// that were found, which keeps their order; outside it has the number that the store gave it.
#[derive(Debug, Clone, Default)]
pub(super) struct Working {
    /// The jobs by their creation number.
    jobs: BTreeMap<u32, Kept>,
    /// What was found by name, and must stay as it is: jobs that were there, and conditions of all else.
    named: BTreeSet<JobId>,
    conditions: Vec<Condition>,
    assumed: Assumed,
    last_claim: Option<(Incarnation, Option<LastClaim>)>,
    number: Option<u32>,
}

impl Working {
    pub(super) fn knows(&self, job: &JobId) -> bool {
        self.named.contains(job)
    }

    pub(super) fn jobs(&self) -> impl Iterator<Item = &Kept> {
        self.jobs.values()
    }

    /// The jobs of the last claim of the process, if it bore this number: a later one is not answered by them.
    pub(super) fn repeated_jobs(&self, number: Option<u64>) -> impl Iterator<Item = &JobId> {
        let last = self.last_claim.iter().filter_map(|(_, last)| last.as_ref());
        let last = last.filter(move |last| Some(last.number) == number);
        last.flat_map(|last| last.granted.iter().map(|(job, _)| job))
    }

    pub(super) fn has_number(&self) -> bool {
        self.number.is_some()
    }

    /// Takes in what was found.
    pub(super) fn learn(&mut self, need: Need, found: Found) {
        match (need, found) {
            (Need::Job(id), Found::Jobs(jobs)) => {
                if jobs.is_empty() {
                    self.conditions.push(Condition::NoJob(id.clone()));
                }
                self.named.insert(id);
                self.add(jobs);
            }
            (Need::Key(key), Found::Jobs(jobs)) => {
                if jobs.is_empty() {
                    self.conditions.push(Condition::NoKey(key));
                }
                self.named.extend(jobs.iter().map(|job| job.record.id().clone()));
                self.add(jobs);
            }
            (_, Found::Jobs(jobs)) => self.add(jobs),
            (Need::Held(process), Found::Held(held)) => {
                self.conditions.push(Condition::Held(process, held));
                self.assumed.held = Some((process, held));
            }
            (Need::Counts { subject, since }, Found::Counts(counts)) => {
                self.conditions.push(Condition::Counts { subject, since, counts });
                self.assumed.counts = Some(counts);
            }
            (Need::Switch, Found::Switch(open)) => {
                self.conditions.push(Condition::Switch(open));
                self.assumed.shut = !open;
            }
            (Need::LastClaim(process), Found::LastClaim(last)) => {
                let number = last.as_ref().map(|last| last.number);
                self.conditions.push(Condition::LastClaim(process, number));
                self.last_claim = Some((process, last));
            }
            (Need::Number, Found::Number(number)) => self.number = Some(number),
            // Whatever else a store says to it answers no need of a step that works on a table.
            _ => {}
        }
    }

    fn add(&mut self, jobs: Vec<Kept>) {
        self.jobs.extend(jobs.into_iter().map(|job| (job.record.number, job)));
    }

    /// The table of what was found.
    pub(super) fn table(&self, order: Order) -> Table {
        let jobs = self.jobs.values().map(|job| ((*job.record).clone(), job.events));
        let assumed = Assumed { last_claim: self.remembered(), ..self.assumed.clone() };
        Table::of_found(order, jobs, assumed)
    }

    fn remembered(&self) -> Option<(Incarnation, RememberedClaim)> {
        let (process, last) = self.last_claim.as_ref()?;
        let last = last.as_ref()?;
        let place = |job: &JobId| self.jobs.values().position(|kept| kept.record.id() == job);
        let mut granted = last
            .granted
            .iter()
            .filter_map(|(job, attempt)| Some((u32::try_from(place(job)?).ok()?, *attempt)));
        let (first, more) = (granted.next(), granted.collect());
        Some((*process, RememberedClaim { number: last.number, granted: first, more, used_at: last.used_at }))
    }

    /// The number that a store knows a job of the table by.
    pub(super) fn number_of(&self, place: u32) -> u32 {
        let known = self.jobs.keys().nth(place as usize).copied();
        known.or(self.number).unwrap_or(u32::MAX)
    }

    /// What the table has changed.
    pub(super) fn changes(&self, table: &Table) -> Changes {
        let mut conditions = self.conditions.clone();
        let mut jobs = Vec::new();
        let mut guarded = self.named.clone();
        for touched in table.touched() {
            let Some((record, events)) = table.job(touched.number) else { continue };
            let record = Record { number: self.number_of(touched.number), ..(**record).clone() };
            guarded.insert(record.id().clone());
            jobs.push(Changed { record, events: events.to_vec(), new: touched.before.is_none() });
        }
        let guarded = self.jobs.values().filter(|job| guarded.contains(job.record.id()));
        conditions.extend(guarded.map(|job| Condition::Unchanged(job.record.id().clone(), job.revision)));
        Changes { conditions, jobs, last_claim: self.new_claim(table), ..Changes::default() }
    }

    fn new_claim(&self, table: &Table) -> Option<(Incarnation, LastClaim)> {
        let (process, before) = self.last_claim.as_ref()?;
        let claim = table.remembered_claim(*process)?;
        if before.as_ref().is_some_and(|before| before.number == claim.number) {
            return None;
        }
        let attempts = claim.granted.iter().chain(&claim.more);
        let granted = attempts
            .filter_map(|&(place, attempt)| Some((table.job(place)?.0.id().clone(), attempt)))
            .collect();
        Some((*process, LastClaim { number: claim.number, granted, used_at: claim.used_at }))
    }

    /// A record as the store knows it.
    pub(super) fn renumber(&self, record: &mut Arc<Record>) {
        let number = self.number_of(record.number);
        if record.number != number {
            Arc::make_mut(record).number = number;
        }
    }
}
