//! Changes as arguments of the script that makes them.

use crate::arguments::Arguments;
use crate::reply::Damaged;
use crate::row::{json, row_of};
use holdover_jobs::records::{Changed, Changes, Condition, LastClaim};
use holdover_jobs::{Event, Incarnation, Order};

/// The arguments that make these changes. A condition that this version does not know is an error.
pub(crate) fn make(changes: &Changes, order: Order) -> Result<Arguments, Damaged> {
    let mut arguments = Arguments::default();
    arguments.add(changes.conditions.len());
    changes.conditions.iter().try_for_each(|condition| demand(condition, &mut arguments))?;
    let count = changes.jobs.len()
        + usize::from(changes.last_claim.is_some())
        + usize::from(changes.announced.is_some())
        + changes.seen.len()
        + usize::from(changes.open.is_some());
    arguments.add(count);
    changes.jobs.iter().for_each(|job| add_job(job, order, &mut arguments));
    if let Some((Incarnation(process), claim)) = &changes.last_claim {
        let forget_before = changes.forget_claims_before.map(|time| time.ms());
        let claim_arguments = arguments.add("last_claim").add(process).add(claim_text(claim));
        claim_arguments.add(claim.used_at.ms()).add_optional(forget_before);
    }
    if let Some((announcement, at)) = &changes.announced {
        arguments.add("announced").add(&announcement.worker).add(json(announcement)).add(at.ms());
    }
    for (worker, at) in &changes.seen {
        arguments.add("seen").add(worker).add(at.ms());
    }
    if let Some(open) = changes.open {
        arguments.add(if open { "open" } else { "shut" });
    }
    Ok(arguments)
}

fn demand(condition: &Condition, arguments: &mut Arguments) -> Result<(), Damaged> {
    match condition {
        Condition::Unchanged(job, revision) => arguments.add("unchanged").add(job).add(revision),
        Condition::NoJob(job) => arguments.add("no_job").add(job),
        Condition::NoKey(key) => arguments.add("no_key").add_key(key),
        Condition::LastClaim(Incarnation(process), number) => {
            arguments.add("last_claim").add(process).add_optional(number.map(claim_number))
        }
        Condition::Held(Incarnation(process), held) => arguments.add("held").add(process).add(held),
        Condition::Switch(open) => arguments.add("switch").add_flag(!open),
        Condition::Counts { subject, since, counts } => {
            let names = arguments.add("counts").add_name(subject.tenant.as_ref());
            names.add_name(subject.user.as_ref()).add_time(*since);
            arguments.add(counts.global_active).add(counts.tenant_active).add(counts.user_active);
            arguments.add(counts.tenant_recent).add(counts.user_recent)
        }
        other => return Err(Damaged::of("a condition", format_args!("{other:?}"))),
    };
    Ok(())
}

fn add_job(job: &Changed, order: Order, arguments: &mut Arguments) {
    let record = &job.record;
    arguments.add("job").add(record.id());
    match job.new {
        true => arguments.add_key(&record.spec.key),
        false => arguments.add(""),
    };
    arguments.extend(row_of(record, order));
    arguments.add_list(job.events.iter().map(event_text));
}

/// An event as the log keeps it.
fn event_text(event: &Event) -> String {
    format!("{}:{}", event.at.ms(), json(&event.body))
}

/// A claim's number as text that sorts as numbers do.
pub(crate) fn claim_number(number: u64) -> String {
    format!("{number:020}")
}

fn claim_text(claim: &LastClaim) -> String {
    let granted = claim.granted.iter().map(|(job, attempt)| format!(" {job} {attempt}"));
    format!("{} {}{}", claim_number(claim.number), claim.used_at.ms(), granted.collect::<String>())
}
