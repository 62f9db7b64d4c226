//! The changes of a step, made if its conditions hold. Rows that a condition is about stay locked until the end.

use super::read;
use crate::digest;
use crate::failure::Failure;
use crate::row::{STORED, Stored, json, process as process_text};
use crate::session::{Parameters, Prepares};
use deadpool_postgres::Transaction;
use holdover_jobs::records::{Changed, Changes, Condition, LastClaim};
use holdover_jobs::{Event, Incarnation, JobId, Spec};
use holdover_machine::StoreTime;
use holdover_store::StoreError;
use std::collections::BTreeMap;
use tokio_postgres::Row;

/// Makes the changes, unless a condition does not hold.
pub(super) async fn apply(transaction: &Transaction<'_>, changes: &Changes) -> Result<bool, Failure> {
    for condition in &changes.conditions {
        if !holds(transaction, condition, changes).await? {
            return Ok(false);
        }
    }
    // Jobs come last: a claim passes over one that is locked, and what fails above has locked none.
    if !unchanged(transaction, changes).await? {
        return Ok(false);
    }
    for changed in &changes.jobs {
        write_job(transaction, changed).await?;
        for event in &changed.events {
            write_event(transaction, changed.record.number, event).await?;
        }
    }
    if let Some((process, claim)) = &changes.last_claim {
        remember(transaction, *process, claim).await?;
        let first = changes.conditions.contains(&Condition::LastClaim(*process, None));
        // Processes come and go, and each that comes clears up behind those that went.
        if let Some(before) = changes.forget_claims_before.filter(|_| first) {
            forget(transaction, before).await?;
        }
    }
    register(transaction, changes).await?;
    if let Some(open) = changes.open {
        run(transaction, "UPDATE switch SET open = $1", &[&open]).await?;
    }
    Ok(true)
}

/// A statement of a transaction. Whatever it ends in, nothing is committed yet.
async fn run(
    transaction: &Transaction<'_>,
    sql: &str,
    parameters: Parameters<'_>,
) -> Result<Vec<Row>, Failure> {
    transaction.rows(sql, parameters).await.map_err(|error| Failure::of(&error).undone())
}

/// Locks the jobs that are changed, in one order for all, and says whether every job that must be at a revision is. All
/// are looked at before any is locked in earnest: a claim passes over what is locked, and would do so for nothing if
/// this were then given up. Whoever changes a job that stays as it is comes after this.
async fn unchanged(transaction: &Transaction<'_>, changes: &Changes) -> Result<bool, Failure> {
    let is_changed = |job: &JobId| changes.jobs.iter().any(|changed| changed.record.id() == job);
    let (mut all, mut changed) = (BTreeMap::new(), BTreeMap::new());
    for condition in &changes.conditions {
        if let Condition::Unchanged(job, revision) = condition {
            all.insert(job.as_str(), *revision as i64);
            if is_changed(job) {
                changed.insert(job.as_str(), *revision as i64);
            }
        }
    }
    if (all.len() > 1 || changed.is_empty()) && !are_at(transaction, &all, "KEY SHARE").await? {
        return Ok(false);
    }
    are_at(transaction, &changed, "NO KEY UPDATE").await
}

async fn are_at(
    transaction: &Transaction<'_>,
    revisions: &BTreeMap<&str, i64>,
    lock: &str,
) -> Result<bool, Failure> {
    if revisions.is_empty() {
        return Ok(true);
    }
    let ids: Vec<&str> = revisions.keys().copied().collect();
    let sql = format!(
        "SELECT s.job_id, j.revision FROM specs s JOIN jobs j USING (number)
         WHERE s.job_id = ANY ($1) ORDER BY j.number FOR {lock} OF j"
    );
    let found = run(transaction, &sql, &[&ids]).await?;
    let same = |row: &Row| revisions.get(row.get::<_, &str>(0)) == Some(&row.get::<_, i64>(1));
    Ok(found.len() == revisions.len() && found.iter().all(same))
}

async fn holds(
    transaction: &Transaction<'_>,
    condition: &Condition,
    changes: &Changes,
) -> Result<bool, Failure> {
    let creates = changes.jobs.iter().any(|job| job.new);
    match condition {
        // See `unchanged`.
        Condition::Unchanged(..) => Ok(true),
        // The insert of the job itself will tell.
        Condition::NoJob(_) | Condition::NoKey(_) if creates => Ok(true),
        Condition::NoJob(job) => keep_away(transaction, job).await,
        Condition::Switch(open) => {
            let found = run(transaction, "SELECT open FROM switch FOR SHARE", &[]).await?;
            Ok(found.first().is_some_and(|row| row.get::<_, bool>(0) == *open))
        }
        Condition::Held(process, held) => {
            lock(transaction, &format!("held by {}", process.0)).await?;
            Ok(read::held(transaction, *process).await.map_err(undone)? == *held)
        }
        Condition::Counts { subject, since, counts } => {
            // Two creates must not both take the last place, whoever's it is.
            lock(transaction, "admission").await?;
            Ok(read::counts(transaction, subject, *since).await.map_err(undone)? == *counts)
        }
        Condition::LastClaim(process, number) => {
            // A claim in the short way locks the same row.
            let claimer = process_text(*process);
            run(transaction, "SELECT 1 FROM claims WHERE process = $1 FOR UPDATE", &[&claimer]).await?;
            let found = read::last_claim(transaction, *process).await.map_err(undone)?;
            Ok(found.map(|last| last.number) == *number)
        }
        other => {
            let found = read::need(transaction, &other.need()).await.map_err(undone)?;
            Ok(other.holds(&found))
        }
    }
}

fn undone(error: StoreError) -> Failure {
    Failure::Failed(error.to_string())
}

/// Nobody else may be between here and the commit.
async fn lock(transaction: &Transaction<'_>, what: &str) -> Result<(), Failure> {
    let sql = "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ': ' || $1, 0))";
    run(transaction, sql, &[&what]).await.map(drop)
}

/// Keeps a job of this id from being created before the commit: its place is taken and given back.
async fn keep_away(transaction: &Transaction<'_>, job: &JobId) -> Result<bool, Failure> {
    let take = "INSERT INTO specs (number, job_id, key, created_at, attempts_max, timeout, spec)
        VALUES (-(pg_current_xact_id()::text::bigint), $1, convert_to('no job ' || $1, 'UTF8'), 0, 0, 0, '')";
    run(transaction, take, &[&job.as_str()]).await?;
    run(transaction, "DELETE FROM specs WHERE job_id = $1", &[&job.as_str()]).await?;
    Ok(true)
}

async fn write_job(transaction: &Transaction<'_>, changed: &Changed) -> Result<(), Failure> {
    let Changed { record, events, new } = changed;
    let last = events.last().map(|event| event.sequence);
    let stored = Stored::of(record, last.unwrap_or_default());
    let mut values = stored.values();
    if *new {
        write_spec(transaction, record.number, &record.spec, record.created_at).await?;
        let collated = record.id().collation_key();
        values.push(&collated);
        return run(transaction, &insert(), &values).await.map(drop);
    }
    let spec = json(&*record.spec);
    let (tenant, user) = (record.tenant().map(digest::of_name), record.user().map(digest::of_name));
    // What was fixed changes only when a parked job is judged again.
    let sql = "UPDATE specs SET spec = $2, tenant = $3, consumer = $4, attempts_max = $5, timeout = $6
        WHERE number = $1 AND spec IS DISTINCT FROM $2";
    let (attempts_max, timeout) = (i64::from(record.spec.attempts_max), record.spec.timeout.ms());
    let fixed: Parameters<'_> = &[&i64::from(record.number), &spec, &tenant, &user, &attempts_max, &timeout];
    run(transaction, sql, fixed).await?;
    let any = last.is_some();
    values.push(&any);
    run(transaction, &update(), &values).await.map(drop)
}

fn insert() -> String {
    let places: Vec<String> = (1..=STORED.len()).map(|place| format!("${place}")).collect();
    let after = STORED.len() + 1;
    format!(
        "INSERT INTO jobs ({}, collated, revision) VALUES ({}, ${after}, 1)",
        STORED.join(", "),
        places.join(", ")
    )
}

/// The count of events stays where there are no new ones.
fn update() -> String {
    let set = |(name, place): (&&str, usize)| match *name {
        "events" => format!("events = CASE WHEN ${} THEN ${place} ELSE events END", STORED.len() + 1),
        name => format!("{name} = ${place}"),
    };
    let sets: Vec<String> = STORED.iter().zip(1..).skip(1).map(set).collect();
    format!("UPDATE jobs SET revision = revision + 1, {} WHERE number = $1", sets.join(", "))
}

async fn write_spec(
    transaction: &Transaction<'_>,
    number: u32,
    spec: &Spec,
    created_at: StoreTime,
) -> Result<(), Failure> {
    let owner = |name: fn(&holdover_jobs::Request) -> &Option<holdover_jobs::Text>| {
        spec.request.as_ref().and_then(|request| name(request).as_ref()).map(digest::of_name)
    };
    let sql =
        "INSERT INTO specs (number, job_id, key, tenant, consumer, created_at, attempts_max, timeout, spec)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let values: Parameters<'_> = &[
        &i64::from(number),
        &spec.job_id.as_str(),
        &digest::of_key(&spec.key),
        &owner(|request| &request.tenant),
        &owner(|request| &request.user),
        &created_at.ms(),
        &i64::from(spec.attempts_max),
        &spec.timeout.ms(),
        &json(spec),
    ];
    run(transaction, sql, values).await.map(drop)
}

async fn write_event(transaction: &Transaction<'_>, number: u32, event: &Event) -> Result<(), Failure> {
    let sql = "INSERT INTO events (number, sequence, at, body) VALUES ($1, $2, $3, $4)";
    let values: Parameters<'_> =
        &[&i64::from(number), &(event.sequence as i64), &event.at.ms(), &json(&event.body)];
    run(transaction, sql, values).await.map(drop)
}

/// Puts the last claim of a process in the place of those before it.
async fn remember(
    transaction: &Transaction<'_>,
    claimer: Incarnation,
    claim: &LastClaim,
) -> Result<(), Failure> {
    let number = i64::try_from(claim.number).map_err(|_| {
        Failure::Failed(format!("a claim's number is at most {}, not {}", i64::MAX, claim.number))
    })?;
    let (ids, attempts): (Vec<&str>, Vec<i64>) =
        claim.granted.iter().map(|(job, attempt)| (job.as_str(), i64::from(*attempt))).unzip();
    let sql = "INSERT INTO claims (process, number, jobs, attempts, used_at)
        SELECT $1, $2, coalesce(array_agg(s.number ORDER BY nth), '{}'), $4, $5
        FROM unnest($3::text[]) WITH ORDINALITY AS granted (job_id, nth) JOIN specs s USING (job_id)";
    let process = process_text(claimer);
    run(transaction, sql, &[&process, &number, &ids, &attempts, &claim.used_at.ms()]).await?;
    let earlier = "DELETE FROM claims WHERE process = $1 AND number < $2";
    run(transaction, earlier, &[&process, &number]).await.map(drop)
}

/// Forgets the claims of processes that were last in use before this and hold nothing.
async fn forget(transaction: &Transaction<'_>, before: StoreTime) -> Result<(), Failure> {
    let sql = "DELETE FROM claims c WHERE used_at < $1
        AND NOT EXISTS (SELECT 1 FROM jobs WHERE incarnation = c.process)";
    run(transaction, sql, &[&before.ms()]).await.map(drop)
}

async fn register(transaction: &Transaction<'_>, changes: &Changes) -> Result<(), Failure> {
    if let Some((announcement, at)) = &changes.announced {
        let sql = "INSERT INTO workers (worker, announcement, seen_at) VALUES ($1, $2, $3)
            ON CONFLICT (worker) DO UPDATE SET announcement = $2, seen_at = $3";
        run(transaction, sql, &[&json(&announcement.worker), &json(announcement), &at.ms()]).await?;
    }
    for (worker, at) in &changes.seen {
        let sql = "UPDATE workers SET seen_at = $2 WHERE worker = $1";
        run(transaction, sql, &[&json(worker), &at.ms()]).await?;
    }
    Ok(())
}
