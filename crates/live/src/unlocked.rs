use holdover_jobs::records::{Changes, Condition, Found, Need};
use holdover_jobs::{Call, Command, Reply};
use holdover_machine::StoreTime;
use holdover_store::{Records, StoreError};

/// Records whose claims look for a job without a lock and take it without looking again: what is written first for a
/// queue, and works until two workers ask at once. Such a queue keeps no log of claims, whose key would stop the second.
#[derive(Debug)]
pub struct Unlocked<R>(pub R);

impl<R: Records> Records for Unlocked<R> {
    async fn now(&self) -> Result<StoreTime, StoreError> {
        self.0.now().await
    }

    async fn read(&self, needs: &[Need]) -> Result<Vec<Found>, StoreError> {
        self.0.read(needs).await
    }

    async fn commit(&self, changes: &Changes) -> Result<bool, StoreError> {
        if changes.last_claim.is_none() {
            return self.0.commit(changes).await;
        }
        let mut changes = changes.clone();
        changes.conditions.retain(|condition| !matches!(condition, Condition::Unchanged(..)));
        changes.jobs.iter_mut().for_each(|job| job.events.clear());
        self.0.commit(&changes).await
    }

    async fn shortcut(&self, call: &Call) -> Result<Option<Reply>, StoreError> {
        match call.command {
            Command::Claim(_) | Command::ClaimMany(_) | Command::SettleAndClaim(_) => Ok(None),
            _ => self.0.shortcut(call).await,
        }
    }
}
