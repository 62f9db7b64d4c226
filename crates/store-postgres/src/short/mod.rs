//! The short way: calls that are carried out by one statement, guards and all. Each applies only where nothing is out
//! of the ordinary: the caller holds the lease, no cancel was asked for, no repeat, no lease that is due. Else it
//! changes nothing and answers `None`, and the general way judges.

mod bounds;
mod claim;
mod cost;
mod create;
mod moment;
mod next_claim;
mod settle;
mod work;

use crate::failure::Failure;
use crate::records::PostgresRecords;
pub(crate) use bounds::Bounds;
use holdover_jobs::{Call, Claimed, ClaimedMany, Command, Grant, Operated, Order, Reply};
use holdover_store::StoreError;
use moment::Moment;

/// So often a statement is tried again after others were at the same rows; then the general way is taken.
const TRIES_MAX: u32 = 5;

impl PostgresRecords {
    /// Carries a call out by one statement, where that does what the call means.
    pub(crate) async fn short(&self, call: &Call) -> Result<Option<Reply>, StoreError> {
        for _ in 0..TRIES_MAX {
            match self.once(call).await {
                Ok(reply) => return Ok(reply),
                Err(Failure::Contended(_)) => {}
                Err(Failure::Unfit(_)) => return Ok(None),
                Err(failure) => return Err(failure.error()),
            }
        }
        Ok(None)
    }

    async fn once(&self, call: &Call) -> Result<Option<Reply>, Failure> {
        let moment = Moment::of(call.stamp, self);
        // In the order of creation a bound is of no use, and the rules that ask for it are not in a hurry.
        let hands_out = self.order != Order::Created;
        match &call.command {
            Command::Create(create) => create::carry_out(self, call, create, moment).await,
            Command::Operate(operate) => {
                let done = work::carry_out(self, std::slice::from_ref(&**operate), moment).await?;
                Ok(done.and_then(|done| done.into_iter().next()).map(Reply::Operated))
            }
            Command::OperateMany(list) => {
                Ok(work::carry_out(self, list, moment).await?.map(Reply::OperatedMany))
            }
            Command::Claim(claim) if hands_out => {
                let grants = claim::carry_out(self, claim, &[], moment).await?;
                let grant = grants.and_then(|grants| grants.into_iter().next());
                Ok(grant.map(|grant| Reply::Claimed(Claimed::Granted(grant))))
            }
            Command::ClaimMany(many) if hands_out => {
                let grants = claim::carry_out(self, &many.claim, &many.more, moment).await?;
                Ok(grants.map(|grants| Reply::ClaimedMany(ClaimedMany::Granted(grants))))
            }
            Command::SettleAndClaim(both) if hands_out => {
                let done: Option<(Operated, Grant)> = settle::carry_out(self, both, moment).await?;
                Ok(done.map(|(settled, grant)| Reply::SettledAndClaimed {
                    settled,
                    claimed: Claimed::Granted(grant),
                }))
            }
            _ => Ok(None),
        }
    }
}
