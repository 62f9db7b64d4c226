use super::{Clock, claim, operate};
use crate::found;
use crate::outcome;
use crate::records::RedisRecords;
use crate::reply::{Damaged, parts, read};
use holdover_jobs::records::Kept;
use holdover_jobs::{
    Change, Claim, Claimed, ClaimedMany, Command, Grant, LeaseToken, Operate, Operated, Reply,
};
use holdover_machine::StoreTime;
use holdover_store::StoreError;
use redis::Value;
use std::slice;

/// Operations, and a claim after them.
pub(super) struct Work<'a> {
    operations: &'a [Operate],
    claim: Option<(&'a Claim, &'a [LeaseToken])>,
}

/// What came of it.
struct Done {
    settled: Vec<Operated>,
    granted: Vec<Grant>,
}

impl<'a> Work<'a> {
    pub(super) fn of(command: &'a Command) -> Option<Self> {
        let (operations, claim): (&[Operate], _) = match command {
            Command::Operate(operate) => (slice::from_ref(&**operate), None),
            Command::OperateMany(list) => (list, None),
            Command::Claim(claim) => (&[], Some((&**claim, &[][..]))),
            Command::ClaimMany(many) => (&[], Some((&many.claim, &many.more[..]))),
            // After any other operation the lease is still there, and the claim might have to take it over.
            Command::SettleAndClaim(both) => match both.settle.change {
                Change::Complete { .. } | Change::Fail { .. } => {
                    (slice::from_ref(&both.settle), Some((&both.claim, &[][..])))
                }
                _ => return None,
            },
            _ => return None,
        };
        Some(Self { operations, claim })
    }

    pub(super) async fn run(
        &self,
        records: &RedisRecords,
        clock: &Clock<'_>,
        command: &Command,
    ) -> Result<Option<Reply>, StoreError> {
        let mut arguments = clock.arguments();
        arguments.add(self.operations.len());
        for operation in self.operations {
            if operate::add(operation, &mut arguments).is_none() {
                return Ok(None);
            }
        }
        arguments.add_flag(self.claim.is_some());
        if let Some((claim, more)) = self.claim {
            claim::add(claim, more, &mut arguments);
        }
        match records.link.run(&records.scripts.work, &arguments).await? {
            Value::Nil => Ok(None),
            answer => {
                let done = Done::read(answer, clock).map_err(|damaged| outcome::of_answer(&damaged))?;
                Ok(done.reply(command))
            }
        }
    }
}

impl Done {
    fn read(answer: Value, clock: &Clock<'_>) -> Result<Self, Damaged> {
        let [now, settled, granted] = parts(answer)?;
        let now: StoreTime = clock.judged(read(now)?);
        let applied = |Kept { record, .. }| Operated::Applied { record, replayed: false, now };
        let grant = |Kept { record, .. }| Grant { record, replayed: false, now };
        Ok(Self {
            settled: found::rows(settled)?.into_iter().map(applied).collect(),
            granted: found::rows(granted)?.into_iter().map(grant).collect(),
        })
    }

    fn reply(self, command: &Command) -> Option<Reply> {
        let mut settled = self.settled.into_iter();
        let mut granted = self.granted.into_iter();
        let mut claimed = || granted.next().map_or(Claimed::Nothing, Claimed::Granted);
        Some(match command {
            Command::Operate(_) => Reply::Operated(settled.next()?),
            Command::OperateMany(_) => Reply::OperatedMany(settled.collect()),
            Command::Claim(_) => Reply::Claimed(claimed()),
            Command::ClaimMany(_) => Reply::ClaimedMany(ClaimedMany::Granted(granted.collect())),
            Command::SettleAndClaim(_) => {
                Reply::SettledAndClaimed { settled: settled.next()?, claimed: claimed() }
            }
            _ => return None,
        })
    }
}
