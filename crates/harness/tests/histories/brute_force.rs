//! A checker that tries every order. It shares nothing with the one of the library: leases run out in steps of their
//! own, what was never answered is carried out or not, and nothing is left out because it could make no difference.

use holdover::history::{HistoryEvent, Operation, Type, operations};
use std::collections::BTreeSet;

/// Whether the operations on each job can be put in an order.
pub(crate) fn is_linearizable(events: &[HistoryEvent]) -> bool {
    let operations = operations(events);
    let jobs: BTreeSet<&str> = operations.iter().filter_map(|operation| operation.text("job")).collect();
    jobs.into_iter().all(|job| {
        let about = |operation: &&Operation| match operation.outcome {
            Type::Ok => operation.text("job") == Some(job),
            Type::Info => operation.text("job").unwrap_or(job) == job && has_a_job(operation),
            _ => false,
        };
        let mine: Vec<&Operation> = operations.iter().filter(about).collect();
        let first = mine.iter().filter_map(|operation| operation.returned).min();
        let made = mine.iter().any(|operation| {
            let may_make = operation.f == "create" && operation.value["created"] != false;
            may_make && first.is_some_and(|first| operation.invoked < first)
        });
        let last_number = operations.iter().filter_map(|operation| operation.number("attempt")).max();
        let orders = Orders { operations: &mine, numbers_max: last_number.unwrap_or(0) + mine.len() as i64 };
        orders.exist(&Job { exists: !made, ..Job::default() }, 0)
    })
}

/// Of what was never answered, only a claim may be about a job that it does not name.
fn has_a_job(operation: &Operation) -> bool {
    operation.text("job").is_some() || operation.f == "claim"
}

/// A job as the rules of the game have it.
#[derive(Clone, Default)]
struct Job {
    exists: bool,
    over: bool,
    /// The lease that was held when the job was over.
    over_under: Option<i64>,
    lease: Option<Lease>,
    /// The highest number granted.
    last: Option<i64>,
    /// The highest number of which somebody was told.
    told: Option<i64>,
}

#[derive(Clone, Copy)]
struct Lease {
    number: i64,
    /// It has run out, and nobody has taken the job away yet.
    lapsed: bool,
    /// Nobody was told of it.
    secret: bool,
}

struct Orders<'a> {
    operations: &'a [&'a Operation],
    /// No number is granted beyond this one.
    numbers_max: i64,
}

impl Orders<'_> {
    /// Whether what is not done yet can be done from here on.
    fn exist(&self, job: &Job, done: u32) -> bool {
        let left = || (0..self.operations.len()).filter(|place| done & (1 << place) == 0);
        let answers_by = left().filter_map(|place| self.operations[place].returned).min();
        let Some(answers_by) = answers_by else { return true };
        left().filter(|&place| self.operations[place].invoked < answers_by).any(|place| {
            let lapsed =
                job.lease.map(|lease| Job { lease: Some(Lease { lapsed: true, ..lease }), ..job.clone() });
            let befores = [Some(job.clone()), lapsed];
            befores.iter().flatten().any(|before| {
                let afters = self.after(before, self.operations[place]);
                afters.iter().any(|after| self.exist(after, done | 1 << place))
            })
        })
    }

    /// What the job may be like after an operation, if it can be carried out and answered as it was.
    fn after(&self, job: &Job, operation: &Operation) -> Vec<Job> {
        let told = |member: &str| operation.value[member].as_bool().filter(|_| operation.is_ok());
        let mut after = Vec::new();
        if operation.f == "create" {
            if job.exists && told("created") != Some(true) {
                after.push(job.clone());
            }
            if !job.exists && told("created") != Some(false) {
                after.push(Job { exists: true, ..job.clone() });
            }
            return after;
        }
        if operation.f == "cancel" {
            if told("over").is_none() || job.exists && told("over") == Some(job.over) {
                after.push(job.clone());
            }
            if job.exists && !job.over && told("over") != Some(false) {
                let over_under =
                    job.lease.filter(|lease| !lease.lapsed && !lease.secret).map(|lease| lease.number);
                after.push(Job { over: true, over_under, lease: None, ..job.clone() });
            }
            return after;
        }
        if !job.exists {
            return after;
        }
        let number = operation.number("attempt");
        let again = operation.flag("replayed") && operation.is_ok();
        let was_granted = number.is_some() && number <= job.told;
        let holds = job.lease.filter(|lease| Some(lease.number) == number && !lease.lapsed);
        let uses = holds.is_some_and(|lease| !lease.secret);
        match &*operation.f {
            "claim" => {
                if again && let Some(lease) = holds {
                    let lease = Some(Lease { secret: false, ..lease });
                    after.push(Job { lease, told: number, ..job.clone() });
                }
                let free = !job.over && job.lease.is_none_or(|lease| lease.lapsed);
                let numbers =
                    number.filter(|_| operation.is_ok()).map_or(0..=self.numbers_max, |only| only..=only);
                for number in numbers.filter(|number| free && job.last < Some(*number)) {
                    let lease = Lease { number, lapsed: false, secret: !operation.is_ok() };
                    let told = if lease.secret { job.told } else { Some(number) };
                    after.push(Job { lease: Some(lease), last: Some(number), told, ..job.clone() });
                }
            }
            "complete" | "acknowledge" => {
                if uses {
                    after.push(Job { over: true, over_under: number, lease: None, ..job.clone() });
                }
                if again && job.over && job.over_under == number {
                    after.push(job.clone());
                }
            }
            "fail" => {
                if uses {
                    self.let_go(job, told("over"), &mut after);
                } else if again && was_granted {
                    after.push(job.clone());
                }
            }
            "recover" => {
                if job
                    .lease
                    .is_some_and(|lease| lease.lapsed && number.is_none_or(|number| lease.number == number))
                {
                    self.let_go(job, told("over"), &mut after);
                }
            }
            _ => {
                if uses || again && was_granted {
                    after.push(job.clone());
                }
            }
        }
        after
    }

    /// A lease ends, and the job is free or over.
    fn let_go(&self, job: &Job, over: Option<bool>, after: &mut Vec<Job>) {
        for over in [false, true].into_iter().filter(|&is| over.is_none_or(|told| told == is)) {
            after.push(Job { over, over_under: None, lease: None, ..job.clone() });
        }
    }
}
