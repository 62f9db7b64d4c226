//! The next claim of a process: one executor, and the number after that of its last claim. That is what claims mostly are,
//! and for it there is nothing to choose: the head of the one line of queued jobs is locked and granted, if no retry
//! of that executor and no lease is due. Whatever is otherwise finds nothing here and is for the other statement.

use super::claim::{CLAIMED_SET, LEASED};

/// The steps of the claim in a statement with parameters of the same kind and order as [`super::claim::Asked::values`].
pub(super) struct NextClaim {
    /// How many parameters the statement has before those of the claim.
    pub(super) before: usize,
    /// Whether several jobs may be asked for.
    pub(super) many: bool,
    /// Whether a step `done` settles a job once another is found; the token of that job is the first of `$4`.
    pub(super) settles: bool,
}

impl NextClaim {
    fn place(&self, nth: usize) -> String {
        format!("${}", self.before + nth)
    }

    /// The steps that find the jobs and lock them: `picked` has a row for each. They come first, because the longer
    /// others have since the statement began, the more often they have taken the head of the line.
    pub(super) fn finds(&self) -> String {
        let [process, number] = [1, 2].map(|nth| self.place(nth));
        // The memory of the last claim is locked first: a claim that waits for it must not keep others from a job.
        format!(
            "last AS MATERIALIZED (
                 SELECT number FROM claims WHERE process = {process}::text AND number = {number}::bigint - 1 FOR UPDATE
             ), {}",
            self.picked()
        )
    }

    /// The steps that grant them; `claimed` has the jobs, with `nth` for their order.
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
        let lists = match self.many {
            true => {
                "(SELECT min(t) AS t, array_agg(number ORDER BY nth) AS numbers, array_agg(attempts ORDER BY nth) AS tries
                  FROM picked HAVING count(*) > 0)"
            }
            false => "(SELECT t, ARRAY[number] AS numbers, ARRAY[attempts] AS tries FROM picked)",
        };
        let settled = if self.settles { "AND EXISTS (SELECT 1 FROM done)" } else { "" };
        format!(
            "turn AS (
                 UPDATE claims c SET number = {number}, jobs = numbers, attempts = tries, used_at = t
                 FROM {lists} AS granted WHERE c.process = {process} AND c.number = {number} - 1 {settled} RETURNING 1
             ),
             claimed AS (
                 UPDATE jobs j SET {set} FROM picked, turn WHERE j.number = picked.number RETURNING j.*, nth
             ),
             {LEASED}"
        )
    }

    /// The jobs, locked; `attempts` is the number of the attempt that begins.
    fn picked(&self) -> String {
        let [process, ask_switch, grace, held_max] = [1, 3, 4, 5].map(|nth| self.place(nth));
        let [names, bounds, tokens] = [6, 7, 10].map(|nth| self.place(nth));
        let name = format!("({names}::text[])[1]");
        let other = if self.settles { "AND token <> ($4::text[])[1]" } else { "" };
        let held = format!("(SELECT count(*) FROM jobs WHERE incarnation = {process} {other})");
        let limit = match self.many {
            true => format!(
                "greatest(0, least(cardinality({tokens}::text[]), CASE WHEN {held_max}::bigint IS NOT NULL
                     THEN {held_max} - {held} END))"
            ),
            false => "1".to_owned(),
        };
        let room = match self.many {
            true => String::new(),
            false => format!("AND ({held_max}::bigint IS NULL OR {held} < {held_max})"),
        };
        format!(
            "picked AS MATERIALIZED (
                 SELECT number, attempts + 1 AS attempts, (SELECT t FROM now) AS t, {nth} AS nth FROM (
                     SELECT number, attempts, ready_at FROM jobs
                     WHERE EXISTS (SELECT 1 FROM last) AND executor = {name} AND status = 1 AND status IN (1, 4)
                     AND ready_at >= ({bounds}::bigint[])[1]
                     AND (NOT {ask_switch}::boolean OR (SELECT open FROM switch))
                     AND ({grace}::bigint IS NULL
                          OR NOT EXISTS (SELECT 1 FROM jobs WHERE expires_at <= (SELECT t FROM now) - {grace}))
                     AND NOT EXISTS (
                         SELECT 1 FROM jobs WHERE executor = {name} AND status = 4 AND status IN (1, 4)
                         AND ready_at <= (SELECT t FROM now)
                     ) {room}
                     ORDER BY ready_at, number LIMIT {limit} FOR NO KEY UPDATE SKIP LOCKED
                 ) AS head
             )",
            nth = if self.many { "row_number() OVER (ORDER BY ready_at, number)" } else { "1::bigint" }
        )
    }
}
