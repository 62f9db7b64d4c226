//! Commands that one script carries out where they go the plain way. What the script does then is what
//! [`Table`](holdover_jobs::Table) does; where it is not the plain way the script changes nothing, and the general way
//! judges.

mod claim;
mod create;
mod operate;
mod work;

use crate::arguments::Arguments;
use crate::records::RedisRecords;
use holdover_jobs::rules::Floor;
use holdover_jobs::{Call, Command, Reply, Stamp};
use holdover_machine::StoreTime;
use holdover_store::StoreError;
use work::Work;

/// Carries a call out by one script, if there is one for it and it applies.
pub(crate) async fn take(records: &RedisRecords, call: &Call) -> Result<Option<Reply>, StoreError> {
    let clock = Clock::new(records, call.stamp);
    match &call.command {
        Command::Create(create) => create::run(records, &clock, create).await,
        command => match Work::of(command) {
            Some(work) => work.run(records, &clock, command).await,
            None => Ok(None),
        },
    }
}

/// By which time a script judges.
struct Clock<'a> {
    records: &'a RedisRecords,
    holds: bool,
    /// The time, unless the server's own clock says it.
    given: Option<StoreTime>,
}

impl<'a> Clock<'a> {
    fn new(records: &'a RedisRecords, stamp: Stamp) -> Self {
        let own = records.clock.as_ref().map(|clock| clock.now());
        let (holds, given) = match stamp {
            Stamp::Caller(time) => (false, Some(time)),
            Stamp::Store(Floor::Absent) => (false, own),
            Stamp::Store(Floor::Held) => (true, own.map(|time| records.held.hold(time))),
        };
        Self { records, holds, given }
    }

    /// What the script's clock takes.
    fn arguments(&self) -> Arguments {
        let mut arguments = Arguments::default();
        let floor = (self.holds && self.given.is_none()).then(|| self.records.held.latest().ms());
        arguments.add_optional(self.given.map(|time| time.ms())).add_optional(floor);
        arguments
    }

    /// The time that the script has judged by.
    fn judged(&self, ms: i64) -> StoreTime {
        let time = StoreTime::from_ms(ms);
        if self.holds { self.records.held.hold(time) } else { time }
    }
}
