use super::claim::{self, Asked};
use super::moment::Moment;
use crate::failure::unreadable;
use crate::records::PostgresRecords;
use crate::session::rows;
use holdover_jobs::Claim;
use holdover_jobs::Stamp;
use holdover_jobs::rules::Floor;
use holdover_store::StoreError;
use std::sync::LazyLock;
use tokio_postgres::types::ToSql;

static EXPLAINED: LazyLock<String> =
    LazyLock::new(|| format!("EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, SUMMARY OFF) {}", claim::selection()));

impl PostgresRecords {
    /// How many buffers the server looks at to find the job for a claim.
    pub(crate) async fn claim_cost(&self, claim: &Claim) -> Result<u64, StoreError> {
        let moment = Moment::of(Stamp::Store(Floor::Held), self);
        let asked = Asked::of(self, claim, &[], moment)
            .ok_or_else(|| StoreError::Failed("such a claim is not made by one statement".into()))?;
        let mut values: Vec<&(dyn ToSql + Sync)> = vec![&moment.floor, &moment.given];
        values.extend(asked.values());
        let plan = self.sessions.read(async |session| rows(session, &EXPLAINED, &values).await).await?;
        let lines = plan.iter().map(|row| row.try_get::<_, &str>(0).unwrap_or_default());
        // The first line counts for the whole.
        let buffers =
            lines.filter_map(|line| line.trim().strip_prefix("Buffers: shared ")).map(counted).next();
        buffers.flatten().ok_or_else(|| unreadable("a plan", "it counts no buffers"))
    }
}

/// `hit=21 read=3 dirtied=1`: those that were looked at.
fn counted(line: &str) -> Option<u64> {
    let parts = line.split(' ').filter_map(|part| part.split_once('='));
    parts
        .filter(|(name, _)| matches!(*name, "hit" | "read"))
        .map(|(_, count)| count.parse::<u64>().ok())
        .sum()
}
