//! Claims. A line is the queue of one executor for one of the two statuses that wait, queued jobs or retries that are
//! due. The head of each line is found without a lock; then the first job that nobody else is claiming is locked, in
//! the line with the oldest head first.

use super::moment::Moment;
use super::next_claim::NextClaim;
use crate::failure::Failure;
use crate::records::PostgresRecords;
use crate::row::{self, COLUMNS, json, process};
use holdover_jobs::rules::{Charge, Leftovers};
use holdover_jobs::{Claim, Grant, LeaseToken, Text};
use holdover_store::StoreError;
use std::collections::BTreeSet;
use std::sync::{LazyLock, PoisonError};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

/// How many parameters come before those of a claim, and how many those are.
const BEFORE: usize = 2;

static ONE: LazyLock<String> = LazyLock::new(|| statement(false));
static MANY: LazyLock<String> = LazyLock::new(|| statement(true));
static NEXT: LazyLock<String> = LazyLock::new(|| next_statement(false));
static NEXT_MANY: LazyLock<String> = LazyLock::new(|| next_statement(true));

/// The number of no claim stands for none.
static ENROL: LazyLock<String> = LazyLock::new(|| {
    format!(
        "WITH {},
         forgotten AS (
             DELETE FROM claims c USING now WHERE used_at < t - $4::bigint AND process <> $3::text
             AND NOT EXISTS (SELECT 1 FROM jobs WHERE incarnation = c.process)
         )
         INSERT INTO claims (process, number, jobs, attempts, used_at)
         SELECT $3, -1, '{{}}', '{{}}', t FROM now WHERE NOT EXISTS (SELECT 1 FROM claims WHERE process = $3)
         ON CONFLICT DO NOTHING",
        Moment::sql()
    )
});

/// Grants as many jobs as there are tokens, at least one.
pub(super) async fn carry_out(
    records: &PostgresRecords,
    claim: &Claim,
    more: &[LeaseToken],
    moment: Moment,
) -> Result<Option<Vec<Grant>>, Failure> {
    let Some(mut asked) = Asked::of(records, claim, more, moment) else { return Ok(None) };
    let (sql, next) = if more.is_empty() { (&*ONE, &*NEXT) } else { (&*MANY, &*NEXT_MANY) };
    let mut is_next = asked.is_next();
    loop {
        let sql = if is_next { next } else { sql };
        let mut values: Vec<&(dyn ToSql + Sync)> = vec![&moment.floor, &moment.given];
        values.extend(asked.values());
        let rows = records.sessions.change(sql, &values).await?;
        let found: Result<Vec<Grant>, StoreError> = rows.iter().map(grant).collect();
        let found = found.map_err(|error| Failure::Unknown(error.to_string()))?;
        if !found.is_empty() {
            asked.granted(records, &found, moment);
            return Ok(Some(found));
        }
        if std::mem::take(&mut is_next) {
            continue;
        }
        if !asked.forget_bounds(records) && !asked.enrol(records, moment).await? {
            return Ok(None);
        }
    }
}

/// The grant in a row.
pub(super) fn grant(row: &Row) -> Result<Grant, StoreError> {
    let record = row::read(row)?.record;
    let now = record.updated_at;
    Ok(Grant { record, replayed: false, now })
}

/// The parameters of a claim.
pub(super) struct Asked {
    executors: Vec<Text>,
    process: Option<String>,
    number: Option<i64>,
    remember: i64,
    ask_switch: bool,
    grace: Option<i64>,
    held_max: Option<i64>,
    names: Vec<String>,
    bounds: Vec<i64>,
    charge: i64,
    cleared: bool,
    tokens: Vec<String>,
    worker: String,
    lease: i64,
}

impl Asked {
    /// The parameters, unless the claim is one for the general way.
    pub(super) fn of(
        records: &PostgresRecords,
        claim: &Claim,
        more: &[LeaseToken],
        moment: Moment,
    ) -> Option<Self> {
        let numbered = claim.incarnation.and(claim.number);
        // Only the memory of the last claim keeps two claims of a process from counting at the same time.
        if claim.held_max.is_some() && claim.incarnation.is_some() && numbered.is_none() {
            return None;
        }
        let executors: BTreeSet<Text> = claim.executors.iter().cloned().collect();
        let executors: Vec<Text> = executors.into_iter().collect();
        let bounds = match moment.is_held() {
            true => records.bounds.of(&executors),
            false => vec![i64::MIN; executors.len()],
        };
        let tokens = std::iter::once(&claim.token).chain(more);
        Some(Self {
            process: claim.incarnation.map(process),
            number: numbered.map(i64::try_from).transpose().ok()?,
            remember: claim.remember.ms(),
            ask_switch: claim.ask_switch,
            grace: claim.take_over.as_ref().filter(|(count, _)| *count > 0).map(|(_, lose)| lose.grace.ms()),
            held_max: claim.incarnation.and(claim.held_max).map(i64::from),
            names: executors.iter().map(json).collect(),
            bounds,
            charge: i64::from(claim.charge == Charge::AtClaim),
            cleared: claim.leftovers == Leftovers::Cleared,
            tokens: tokens.map(|token| token.reveal().to_owned()).collect(),
            worker: json(&claim.worker),
            lease: claim.lease.ms(),
            executors,
        })
    }

    /// Whether it may be the next claim of a process that has one executor.
    pub(super) fn is_next(&self) -> bool {
        self.executors.len() == 1 && self.process.is_some() && self.number.is_some()
    }

    /// The values, in the order of [`Ctes`].
    pub(super) fn values(&self) -> [&(dyn ToSql + Sync); 12] {
        [
            &self.process,
            &self.number,
            &self.ask_switch,
            &self.grace,
            &self.held_max,
            &self.names,
            &self.bounds,
            &self.charge,
            &self.cleared,
            &self.tokens,
            &self.worker,
            &self.lease,
        ]
    }

    /// Takes note of what was granted.
    pub(super) fn granted(&self, records: &PostgresRecords, grants: &[Grant], moment: Moment) {
        if let Some(last) = grants.last() {
            moment.was(last.now, records);
        }
        if moment.is_held() {
            records.bounds.granted(grants);
        }
    }

    /// Nothing was found: makes a place for the last claim of a process that has none, and says whether this process
    /// of ours has done so only now. Processes come and go, and each that comes clears up behind those that went.
    pub(super) async fn enrol(&self, records: &PostgresRecords, moment: Moment) -> Result<bool, Failure> {
        let (Some(process), Some(_)) = (&self.process, self.number) else { return Ok(false) };
        if !records.enrolled.lock().unwrap_or_else(PoisonError::into_inner).insert(process.clone()) {
            return Ok(false);
        }
        let values: [&(dyn ToSql + Sync); 4] = [&moment.floor, &moment.given, process, &self.remember];
        records.sessions.change(&ENROL, &values).await?;
        Ok(true)
    }

    /// Nothing was found: drops the bounds, and says whether there were any.
    pub(super) fn forget_bounds(&mut self, records: &PostgresRecords) -> bool {
        let bounded = self.bounds.iter().any(|bound| *bound != i64::MIN);
        if bounded {
            records.bounds.forget(&self.executors);
            self.bounds.fill(i64::MIN);
        }
        bounded
    }
}

fn statement(many: bool) -> String {
    let claim = Ctes { before: BEFORE, many, settles: false }.sql();
    format!(
        "WITH {}, {claim} SELECT {COLUMNS} FROM claimed j JOIN specs s USING (number) ORDER BY j.nth",
        Moment::sql()
    )
}

fn next_statement(many: bool) -> String {
    let claim = NextClaim { before: BEFORE, many, settles: false };
    format!(
        "WITH {}, {}, {} SELECT {COLUMNS} FROM claimed j JOIN specs s USING (number) ORDER BY j.nth",
        Moment::sql(),
        claim.finds(),
        claim.grants()
    )
}

/// What a claim sets, at the time `t`; `nth` is the place of the job among those that are claimed.
pub(super) const CLAIMED_SET: &str = "
    status = 2, attempts = j.attempts + 1, charged = charged + {charge}::bigint, reason = NULL,
    next_attempt_at = NULL, completed_at = NULL, updated_at = t,
    error = CASE WHEN {cleared}::boolean THEN NULL ELSE error END,
    token = ({tokens}::text[])[nth], worker = {worker}::text, incarnation = {process}::text,
    acquired_at = t, heartbeat_at = t, expires_at = t + {lease}::bigint, deadline = NULL,
    revision = revision + 1, events = events + 1";

/// The event of a claim.
pub(super) const LEASED: &str = r#"told_of_claim AS (
    INSERT INTO events (number, sequence, at, body)
    SELECT number, events, updated_at, '{"Leased":{"worker":' || worker || ',"executor":'
        || executor || ',"attempt":' || attempts || ',"expires_at":' || expires_at || '}}'
    FROM claimed
)"#;

/// The part of the statement that finds the job. What it would do with it is named, so that it has the same parameters.
pub(super) fn selection() -> String {
    let claim = Ctes { before: BEFORE, many: false, settles: false };
    let [charge, cleared, worker, lease] = [8, 9, 11, 12].map(|nth| claim.place(nth));
    format!(
        "WITH {}, {}, {} SELECT number FROM picked
         WHERE concat({charge}::bigint, {cleared}::boolean, {worker}::text, {lease}::bigint) IS NOT NULL",
        Moment::sql(),
        claim.gate(),
        claim.picked()
    )
}

/// The steps of a claim in a statement.
pub(super) struct Ctes {
    /// How many parameters the statement has before those of the claim.
    pub(super) before: usize,
    /// Whether several jobs may be asked for.
    pub(super) many: bool,
    /// Whether a step `done` comes between the gate and the claim; the token of the job that it settles is `$4`.
    pub(super) settles: bool,
}

impl Ctes {
    fn place(&self, nth: usize) -> String {
        format!("${}", self.before + nth)
    }

    /// What may be asked for at all: `gate` has a row if the claim can be made in the short way.
    pub(super) fn gate(&self) -> String {
        let [process, number, ask_switch, grace, held_max] = [1, 2, 3, 4, 5].map(|nth| self.place(nth));
        let tokens = self.place(10);
        let other = if self.settles { "AND token <> ALL ($4::text[])" } else { "" };
        format!(
            "last AS MATERIALIZED (
                 SELECT number FROM claims WHERE process = {process}::text AND {number}::bigint IS NOT NULL
                 ORDER BY number DESC LIMIT 1 FOR UPDATE
             ),
             gate AS MATERIALIZED (
                 SELECT t, last.number AS last, greatest(0, least(cardinality({tokens}::text[]), CASE
                     WHEN {held_max}::bigint IS NOT NULL THEN {held_max} - (
                         SELECT count(*) FROM jobs WHERE incarnation = {process} {other}
                     ) END)) AS room
                 FROM now LEFT JOIN last ON true
                 WHERE ({number} IS NULL OR last.number < {number})
                 AND (NOT {ask_switch}::boolean OR (SELECT open FROM switch))
                 AND ({grace}::bigint IS NULL
                      OR NOT EXISTS (SELECT 1 FROM jobs WHERE expires_at <= now.t - {grace}))
             )"
        )
    }

    /// The jobs that are claimed, one after the other: `picked`.
    fn picked(&self) -> String {
        let [names, bounds] = [6, 7].map(|nth| self.place(nth));
        let first = if self.settles { "AND EXISTS (SELECT 1 FROM done)" } else { "" };
        let line = |from: &str, rest: &str| {
            format!(
                "CROSS JOIN LATERAL (
                     SELECT ready_at, number FROM jobs
                     WHERE executor = name AND status = line AND status IN (1, 4)
                     AND ready_at >= {from} AND ready_at <= until
                     AND (status = 1 OR coalesce(next_attempt_at, t) <= t)
                     ORDER BY ready_at, number {rest}
                 )"
            )
        };
        let heads = format!(
            "heads AS MATERIALIZED (
                 SELECT t, room, name, line, until, head.ready_at AS since
                 FROM gate CROSS JOIN unnest({names}::text[], {bounds}::bigint[]) AS asked (name, bound)
                 CROSS JOIN LATERAL (VALUES (1::smallint, 9223372036854775807), (4, t)) AS lines (line, until)
                 {} head WHERE room > 0 {first} ORDER BY head.ready_at, head.number
             )",
            line("bound", "LIMIT 1")
        );
        let picked = if self.many {
            // Each line is locked for as many as are asked for, so that their first are the first of all.
            format!(
                "SELECT number, row_number() OVER (ORDER BY ready_at, number) AS nth FROM (
                     SELECT job.* FROM heads {} job
                     ORDER BY ready_at, number LIMIT (SELECT room FROM gate)
                 ) AS first",
                line("since", "LIMIT room FOR NO KEY UPDATE SKIP LOCKED")
            )
        } else {
            // The lines are tried one after the other, and none after the first that has a job.
            format!(
                "SELECT job.number, 1::bigint AS nth FROM heads {} job LIMIT 1",
                line("since", "LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED")
            )
        };
        format!("{heads}, picked AS MATERIALIZED ({picked})")
    }

    /// Every step after the gate; `claimed` has the jobs.
    pub(super) fn grants(&self) -> String {
        let [process, number] = [1, 2].map(|nth| self.place(nth));
        let [charge, cleared, tokens, worker, lease] = [8, 9, 10, 11, 12].map(|nth| self.place(nth));
        let set = CLAIMED_SET
            .replace("{charge}", &charge)
            .replace("{cleared}", &cleared)
            .replace("{tokens}", &tokens)
            .replace("{worker}", &worker)
            .replace("{process}", &process)
            .replace("{lease}", &lease);
        format!(
            "{picked},
             claimed AS (
                 UPDATE jobs j SET {set} FROM gate, picked WHERE j.number = picked.number RETURNING j.*, picked.nth
             ),
             {LEASED},
             remembered AS (
                 UPDATE claims c SET number = {number}, jobs = granted.jobs, attempts = granted.attempts, used_at = t
                 FROM gate, (
                     SELECT array_agg(number ORDER BY nth) AS jobs, array_agg(attempts ORDER BY nth) AS attempts
                     FROM claimed HAVING count(*) > 0
                 ) granted
                 WHERE c.process = {process} AND c.number = (SELECT last FROM gate)
             )",
            picked = self.picked()
        )
    }

    fn sql(&self) -> String {
        format!("{}, {}", self.gate(), self.grants())
    }
}
