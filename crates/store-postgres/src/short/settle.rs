//! A completion and the next claim, in one statement and one commit.

use super::claim::{self, Ctes};
use super::moment::Moment;
use super::next_claim::NextClaim;
use super::work;
use crate::failure::Failure;
use crate::records::PostgresRecords;
use crate::row::{COLUMNS, SINGLE_COLUMNS};
use holdover_jobs::{Change, Grant, Operated, SettleAndClaim};
use std::sync::LazyLock;
use tokio_postgres::types::ToSql;

/// How many parameters a completion has, the time included.
const BEFORE: usize = 10;

/// Nothing is settled unless a job is claimed: where there is none, the general way must say so.
static STATEMENT: LazyLock<String> = LazyLock::new(|| {
    let claim = Ctes { before: BEFORE, many: false, settles: true };
    format!(
        "WITH {}, {}, {}, {}
         SELECT {COLUMNS}, CASE WHEN NOT EXISTS (SELECT 1 FROM claimed) THEN give_up() END
         FROM done j JOIN specs s USING (number)
         UNION ALL SELECT {COLUMNS}, NULL FROM claimed j JOIN specs s USING (number)",
        Moment::sql(),
        claim.gate(),
        work::completions_if_gate(),
        claim.grants(),
    )
});

/// The same with the next claim of a process.
static NEXT: LazyLock<String> = LazyLock::new(|| {
    let claim = NextClaim { before: BEFORE, many: false, settles: true };
    format!(
        "WITH {}, {}, {}, {}
         SELECT {SINGLE_COLUMNS} FROM done j UNION ALL SELECT {COLUMNS} FROM claimed j JOIN specs s USING (number)",
        Moment::sql(),
        claim.finds(),
        work::completion_if_picked(),
        claim.grants(),
    )
});

/// The job that was settled, and the one that was granted.
pub(super) async fn carry_out(
    records: &PostgresRecords,
    both: &SettleAndClaim,
    moment: Moment,
) -> Result<Option<(Operated, Grant)>, Failure> {
    // A failed job may be ready again at once, and be the next to be claimed.
    if !matches!(both.settle.change, Change::Complete { .. }) {
        return Ok(None);
    }
    let work = work::Asked::of(std::slice::from_ref(&both.settle));
    let Some((work, mut asked)) = work.zip(claim::Asked::of(records, &both.claim, &[], moment)) else {
        return Ok(None);
    };
    let mut is_next = asked.is_next();
    let rows = loop {
        let sql = if is_next { &*NEXT } else { &*STATEMENT };
        let mut values: Vec<&(dyn ToSql + Sync)> = vec![&moment.floor, &moment.given];
        values.extend(work.values());
        values.extend(asked.values());
        match records.sessions.change(sql, &values).await {
            Ok(rows) if rows.is_empty() && std::mem::take(&mut is_next) => {}
            Err(Failure::Unfit(_)) if asked.forget_bounds(records) => {}
            Ok(rows) if rows.is_empty() && asked.enrol(records, moment).await? => {}
            rows => break rows?,
        }
    };
    let [settled, claimed] = &rows[..] else { return Ok(None) };
    let settled = work::operated(settled).map_err(|error| Failure::Unknown(error.to_string()))?;
    let grant = claim::grant(claimed).map_err(|error| Failure::Unknown(error.to_string()))?;
    work::took_note(records, &settled, moment);
    asked.granted(records, std::slice::from_ref(&grant), moment);
    Ok(Some((settled, grant)))
}
