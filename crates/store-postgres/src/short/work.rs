//! What a worker does with the jobs that it holds.

use super::moment::Moment;
use crate::failure::Failure;
use crate::records::PostgresRecords;
use crate::row::{self, COLUMNS, SINGLE_COLUMNS, json, process};
use holdover_jobs::rules::{Charge, Leftovers, Renew, Renewals, RetryDelay, Timeout};
use holdover_jobs::{Change, Guard, Operate, Operated, Status};
use holdover_store::StoreError;
use std::sync::LazyLock;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

/// So many losses have a back-off in a statement; who has lost more is judged in the general way.
const LOSSES_MAX: u32 = 32;

/// The statement for one job, and that for several.
struct Statements {
    one: String,
    several: String,
}

static START: LazyLock<Statements> = LazyLock::new(|| Statements::of(START_SET, "", STARTED));
static HEARTBEAT: LazyLock<Statements> = LazyLock::new(|| Statements::of(HEARTBEAT_SET, "", HEARD));
static COMPLETE: LazyLock<Statements> = LazyLock::new(|| Statements::of(&complete_set(), "", SUCCEEDED));
static FAIL: LazyLock<Statements> = LazyLock::new(|| Statements::of(&fail_set(), FAIL_IF, FAILED));

/// Carries the operations out, all or none.
pub(super) async fn carry_out(
    records: &PostgresRecords,
    operations: &[Operate],
    moment: Moment,
) -> Result<Option<Vec<Operated>>, Failure> {
    let Some(asked) = Asked::of(operations) else { return Ok(None) };
    let mut values: Vec<&(dyn ToSql + Sync)> = vec![&moment.floor, &moment.given];
    values.extend(asked.values());
    let rows = records.sessions.change(asked.sql, &values).await?;
    let done: Result<Vec<Operated>, StoreError> = rows.iter().map(operated).collect();
    let done = done.map_err(|error| Failure::Unknown(error.to_string()))?;
    for operated in &done {
        took_note(records, operated, moment);
    }
    Ok((!done.is_empty()).then_some(done))
}

/// Takes note of the time of an operation, and of a job that is ready again.
pub(super) fn took_note(records: &PostgresRecords, operated: &Operated, moment: Moment) {
    if let Operated::Applied { record, now, .. } = operated {
        moment.was(*now, records);
        records.bounds.written(record);
    }
}

/// The operation in the row of its job.
pub(super) fn operated(row: &Row) -> Result<Operated, StoreError> {
    let record = row::read(row)?.record;
    let now = record.updated_at;
    Ok(Operated::Applied { record, replayed: false, now })
}

/// The parameters of operations: what they are about, what must hold, and what they change.
pub(super) struct Asked {
    pub(super) sql: &'static str,
    jobs: Vec<String>,
    tokens: Vec<String>,
    attempts: Vec<Option<i64>>,
    incarnations: Vec<Option<String>>,
    words: Vec<String>,
    statuses: Vec<i16>,
    unexpired: bool,
    change: Vec<Box<dyn ToSql + Sync + Send>>,
}

impl Asked {
    /// The parameters, unless one of the operations is for the general way, or they are not all of one kind.
    pub(super) fn of(operations: &[Operate]) -> Option<Self> {
        let (first, others) = operations.split_first()?;
        let plain = Plain::of(first)?;
        let alike = |other: &Operate| {
            other.guards == first.guards
                && other.announces == first.announces
                && is_alike(&first.change, &other.change)
        };
        if !others.iter().all(alike) {
            return None;
        }
        let mut asked = Self {
            sql: "",
            jobs: operations.iter().map(|operate| operate.job.as_str().to_owned()).collect(),
            tokens: operations.iter().map(|operate| operate.holder.token.reveal().to_owned()).collect(),
            attempts: vec![None; operations.len()],
            incarnations: vec![None; operations.len()],
            words: operations.iter().map(word).collect(),
            statuses: plain.statuses,
            unexpired: plain.unexpired,
            change: Vec::new(),
        };
        if plain.by_attempt {
            let holders = || operations.iter().map(|operate| &operate.holder);
            asked.attempts = holders().map(|holder| holder.attempt.map(i64::from)).collect();
            asked.incarnations = holders().map(|holder| holder.incarnation.map(process)).collect();
        }
        asked.change(first)?;
        Some(asked)
    }

    fn change(&mut self, operate: &Operate) -> Option<()> {
        let add = |values: &mut Vec<_>, value: Box<dyn ToSql + Sync + Send>| values.push(value);
        let values = &mut self.change;
        match &operate.change {
            Change::Start { charge, timeout } => {
                self.sql = START.that_fits(self.jobs.len());
                add(values, Box::new(i64::from(*charge == Charge::AtStart)));
                add(values, Box::new(*timeout == Timeout::Enforced));
            }
            Change::Heartbeat { lease, renew, timeout, renewals, .. } => {
                self.sql = HEARTBEAT.that_fits(self.jobs.len());
                add(values, Box::new(lease.ms()));
                add(values, Box::new(*renew == Renew::Extend));
                add(values, Box::new(*timeout == Timeout::Enforced));
                add(values, Box::new(*renewals == Renewals::Logged));
                add(values, Box::new(operate.announces));
            }
            Change::Complete { leftovers, .. } => {
                self.sql = COMPLETE.that_fits(self.jobs.len());
                add(values, Box::new(*leftovers == Leftovers::Cleared));
            }
            Change::Fail { error, delay, retry_delay, lose } => {
                self.sql = FAIL.that_fits(self.jobs.len());
                let back_off: Vec<i64> =
                    (1..=LOSSES_MAX).map(|losses| lose.back_off_after(losses).ms()).collect();
                add(values, Box::new(delay.ms()));
                add(values, Box::new(error.retryable));
                add(values, Box::new(json(&error.code)));
                add(values, Box::new(*retry_delay == RetryDelay::Bounded));
                add(values, Box::new(back_off));
                add(values, Box::new(lose.back_off_max.ms()));
                add(values, Box::new(lose.charge == Charge::AtStart));
                add(values, Box::new(i64::from(lose.unstarted_max)));
            }
            Change::Progress { .. } | Change::Acknowledge => return None,
        }
        Some(())
    }

    /// The values from `$3` on.
    pub(super) fn values(&self) -> Vec<&(dyn ToSql + Sync)> {
        let mut values: Vec<&(dyn ToSql + Sync)> = vec![
            &self.jobs,
            &self.tokens,
            &self.attempts,
            &self.incarnations,
            &self.words,
            &self.statuses,
            &self.unexpired,
        ];
        values.extend(self.change.iter().map(|value| &**value as &(dyn ToSql + Sync)));
        values
    }
}

/// What must hold for an operation to be an ordinary one.
struct Plain {
    statuses: Vec<i16>,
    unexpired: bool,
    by_attempt: bool,
}

impl Plain {
    fn of(operate: &Operate) -> Option<Self> {
        let mut statuses = vec![Status::Leased, Status::Running];
        let (mut unexpired, mut identity) = (false, None);
        for guard in operate.guards.iter() {
            match guard {
                // That the token is of no earlier attempt is asked of every operation.
                Guard::Replay(_) => {}
                Guard::Status(set) => statuses.retain(|status| set.has(*status)),
                Guard::Holder(by) => identity = Some(by),
                Guard::Unexpired => unexpired = true,
                Guard::CancelRequested => return None,
            }
        }
        // A start of what is running is a repeat.
        if matches!(operate.change, Change::Start { .. }) {
            statuses.retain(|status| *status == Status::Leased);
        }
        let statuses = statuses.into_iter().map(|status| status as i16).collect();
        let by_attempt = identity? == holdover_jobs::rules::Identity::Attempt;
        Some(Self { statuses, unexpired, by_attempt })
    }
}

/// Whether two changes differ in nothing but what is given for each job.
fn is_alike(one: &Change, other: &Change) -> bool {
    match (one, other) {
        (Change::Complete { leftovers, .. }, Change::Complete { leftovers: others, .. }) => {
            leftovers == others
        }
        (Change::Start { .. }, Change::Start { .. })
        | (Change::Heartbeat { .. }, Change::Heartbeat { .. }) => one == other,
        _ => false,
    }
}

/// What is given for each job: its result or its error.
fn word(operate: &Operate) -> String {
    match &operate.change {
        Change::Complete { result, .. } => json(&**result),
        Change::Fail { error, .. } => json(&**error),
        _ => String::new(),
    }
}

impl Statements {
    fn of(set: &str, condition: &str, told: &str) -> Self {
        Self {
            one: format!(
                "WITH {}, {} SELECT {SINGLE_COLUMNS} FROM done j",
                Moment::sql(),
                single_steps(set, condition, told)
            ),
            several: format!(
                "WITH {}, {} SELECT {COLUMNS},
                     CASE WHEN (SELECT count(*) FROM done) < cardinality($3) THEN give_up() END
                 FROM done j JOIN specs s USING (number) ORDER BY j.nth",
                Moment::sql(),
                steps(set, condition, told)
            ),
        }
    }

    fn that_fits(&self, jobs: usize) -> &str {
        if jobs == 1 { &self.one } else { &self.several }
    }
}

/// What must hold for an operation to be an ordinary one, beside who holds the job.
const ORDINARY: &str =
    "status = ANY ($8::smallint[]) AND (NOT $9::boolean OR t < expires_at) AND cancel IS NULL";

/// The steps of an operation on one job; `done` has it, with its spec.
fn single_steps(set: &str, condition: &str, told: &str) -> String {
    format!(
        "done AS (
             UPDATE jobs j SET revision = revision + 1, updated_at = t, {set}
             FROM now, specs s, (SELECT ($7::text[])[1] AS word) AS given
             WHERE s.job_id = ($3::text[])[1] AND j.number = s.number AND token = ($4::text[])[1]
             AND (($5::bigint[])[1] IS NULL OR attempts = ($5)[1])
             AND (($6::text[])[1] IS NULL OR incarnation = ($6)[1])
             AND {ORDINARY} AND position(($4)[1] IN coalesce(past, '')) = 0 {condition}
             RETURNING j.*, word, s.spec
         ), {told}"
    )
}

/// The steps of one completion, made if there is a row in `picked`.
pub(super) fn completion_if_picked() -> String {
    single_steps(&complete_set(), "AND EXISTS (SELECT 1 FROM picked)", SUCCEEDED)
}

/// The steps of an operation; `done` has the jobs.
fn steps(set: &str, condition: &str, told: &str) -> String {
    format!(
        "asked AS MATERIALIZED (
             SELECT * FROM unnest($3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[]) WITH ORDINALITY
                 AS asked (asked_job, asked_token, asked_attempt, asked_process, word, nth)
         ),
         done AS (
             UPDATE jobs j SET revision = revision + 1, updated_at = t, {set}
             FROM now, asked JOIN specs s ON s.job_id = asked_job
             WHERE j.number = s.number AND token = asked_token
             AND (asked_attempt IS NULL OR attempts = asked_attempt)
             AND (asked_process IS NULL OR incarnation = asked_process)
             AND {ORDINARY} AND position(asked_token IN coalesce(past, '')) = 0 {condition}
             RETURNING j.*, asked.nth, asked.word
         ), {told}"
    )
}

/// The steps of completions, made if there is a row in `gate`.
pub(super) fn completions_if_gate() -> String {
    steps(&complete_set(), "AND EXISTS (SELECT 1 FROM gate)", SUCCEEDED)
}

const START_SET: &str = "events = events + 1, status = 3, started_at = coalesce(started_at, t),
    charged = charged + $10::bigint,
    deadline = CASE WHEN $11::boolean THEN t + timeout ELSE deadline END,
    expires_at = CASE WHEN $11 THEN least(expires_at, t + timeout) ELSE expires_at END";

const STARTED: &str = r#"told AS (
    INSERT INTO events (number, sequence, at, body)
    SELECT number, events, updated_at, '{"Started":{"worker":' || worker || ',"attempt":' || attempts || '}}'
    FROM done
)"#;

const HEARTBEAT_SET: &str = "events = events + CASE WHEN $13::boolean THEN 1 ELSE 0 END, heartbeat_at = t,
    expires_at = CASE
        WHEN $12::boolean AND status <> 3 THEN expires_at
        WHEN $11::boolean THEN greatest(expires_at, least(t + $10::bigint, deadline))
        ELSE least(t + $10, deadline) END";

const HEARD: &str = r#"told AS (
    INSERT INTO events (number, sequence, at, body)
    SELECT number, events, updated_at, '{"Heartbeat":{"worker":' || worker || ',"expires_at":' || expires_at || '}}'
    FROM done WHERE $13
), seen AS (
    UPDATE workers w SET seen_at = updated_at FROM done WHERE $14::boolean AND w.worker = done.worker
)"#;

/// The lease ends, and leaves a line of how.
fn end_lease(ending: &str) -> String {
    format!(
        r#"token = NULL, worker = NULL, incarnation = NULL, acquired_at = NULL, heartbeat_at = NULL,
        expires_at = NULL, deadline = NULL,
        past = concat_ws(',', past, '{{"attempt":' || attempts || ',"token":"' || token || '","incarnation":'
            || coalesce(incarnation, 'null') || ',"ending":{{"{ending}":' || word || '}}}}')"#
    )
}

fn complete_set() -> String {
    format!(
        "events = events + 1, status = 5, reason = NULL, completed_at = t, result = word,
         error = CASE WHEN $10::boolean THEN NULL ELSE error END,
         next_attempt_at = CASE WHEN $10 THEN NULL ELSE next_attempt_at END, {}",
        end_lease("Completed")
    )
}

const SUCCEEDED: &str = r#"told AS (
    INSERT INTO events (number, sequence, at, body)
    SELECT number, events, updated_at, '{"Succeeded":{"result":' || word || '}}' FROM done
)"#;

/// Whether the attempt was never started, where that is counted apart.
const UNSTARTED: &str = "(status <> 3 AND $16::boolean)";

/// The losses with this one.
const LOSSES: &str = "(charged + unstarted + CASE WHEN status <> 3 AND $16::boolean THEN 1 ELSE 0 END)";

/// The back-off is known.
const FAIL_IF: &str = "AND cardinality($3) = 1 AND charged + unstarted < cardinality($14::bigint[])";

fn fail_set() -> String {
    let due = format!(
        "CASE WHEN $11::boolean AND CASE
             WHEN {UNSTARTED} THEN unstarted + 1 < $17::bigint ELSE charged < attempts_max END
         THEN t + CASE
             WHEN $13::boolean THEN greatest(($14::bigint[])[greatest({LOSSES}, 1)], least($10::bigint, $15::bigint))
             ELSE $10 END
         END"
    );
    format!(
        "events = events + 1, unstarted = unstarted + CASE WHEN {UNSTARTED} THEN 1 ELSE 0 END,
         status = CASE WHEN ({due}) IS NULL THEN 6 ELSE 4 END,
         next_attempt_at = {due}, ready_at = coalesce({due}, ready_at),
         completed_at = CASE WHEN ({due}) IS NULL THEN t END, reason = $12::text, error = word, {}",
        end_lease("Failed")
    )
}

const FAILED: &str = r#"told AS (
    INSERT INTO events (number, sequence, at, body)
    SELECT number, events, updated_at, CASE WHEN status = 4
        THEN '{"RetryScheduled":{"error":' || word || ',"next_attempt_at":' || next_attempt_at || '}}'
        ELSE '{"Failed":{"error":' || word || '}}' END
    FROM done
)"#;
