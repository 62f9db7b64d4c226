use crate::arguments::Arguments;
use crate::link::Link;
use crate::outcome;
use crate::reply::{Damaged, list, parts, read};
use crate::script::Scripts;
use crate::{RedisOptions, changes, found, shortcut};
use holdover_jobs::records::{Changes, Found, Need};
use holdover_jobs::{Call, Event, Order, Record, Reply};
use holdover_machine::StoreTime;
use holdover_store::{HeldClock, Records, StoreClock, StoreError};
use redis::Value;
use std::fmt;
use std::sync::Arc;

/// Jobs on a Redis server: plain records, and the shortcuts past them.
pub struct RedisRecords {
    pub(crate) link: Link,
    pub(crate) scripts: Scripts,
    pub(crate) order: Order,
    pub(crate) clock: Option<Arc<dyn StoreClock>>,
    pub(crate) held: Arc<HeldClock>,
}

/// A job and its log.
pub(crate) type Whole = (Arc<Record>, Vec<Event>);

impl RedisRecords {
    pub(crate) fn new(link: Link, options: &RedisOptions, held: Arc<HeldClock>) -> Self {
        let scripts = Scripts::new(options.order);
        Self { link, scripts, order: options.order, clock: options.clock.clone(), held }
    }

    /// At most so many jobs from this creation number on, in its order.
    pub(crate) async fn whole_jobs(&self, from: u32, limit: u32) -> Result<Vec<Whole>, StoreError> {
        let whole = |value: Value| {
            let [row, log] = parts(value)?;
            Ok((found::row(row)?.record, found::events(0, log)?))
        };
        let mut arguments = Arguments::default();
        arguments.add(1).add("jobs").add(from).add(limit);
        let [jobs] = self.ask(&arguments).await?;
        list(jobs).and_then(|jobs| jobs.into_iter().map(whole).collect()).map_err(failed)
    }

    /// The answers to so many questions. Reading changes nothing, so that no error leaves anything unknown.
    async fn ask<const N: usize>(&self, arguments: &Arguments) -> Result<[Value; N], StoreError> {
        let answer = self.link.run(&self.scripts.read, arguments).await.map_err(StoreError::certain)?;
        parts(answer).map_err(failed)
    }
}

impl Records for RedisRecords {
    async fn now(&self) -> Result<StoreTime, StoreError> {
        if let Some(clock) = &self.clock {
            return Ok(clock.now());
        }
        let mut arguments = Arguments::default();
        arguments.add(1).add("time");
        let [time] = self.ask(&arguments).await?;
        let [seconds, microseconds] = parts(time).map_err(failed)?;
        let (seconds, microseconds): (i64, i64) =
            (read(seconds).map_err(failed)?, read(microseconds).map_err(failed)?);
        Ok(StoreTime::from_ms(seconds * 1_000 + microseconds / 1_000))
    }

    async fn read(&self, needs: &[Need]) -> Result<Vec<Found>, StoreError> {
        let mut arguments = Arguments::default();
        arguments.add(needs.len());
        needs.iter().try_for_each(|need| found::ask(need, &mut arguments)).map_err(failed)?;
        let answer = self.link.run(&self.scripts.read, &arguments).await.map_err(StoreError::certain)?;
        let answers = list(answer).map_err(failed)?;
        needs
            .iter()
            .zip(answers)
            .map(|(need, answer)| found::answer(need, answer))
            .collect::<Result<_, _>>()
            .map_err(failed)
    }

    async fn commit(&self, changes: &Changes) -> Result<bool, StoreError> {
        let arguments = changes::make(changes, self.order).map_err(failed)?;
        let answer = self.link.run(&self.scripts.commit, &arguments).await?;
        read(answer).map_err(|damaged| outcome::of_answer(&damaged))
    }

    async fn shortcut(&self, call: &Call) -> Result<Option<Reply>, StoreError> {
        shortcut::take(self, call).await
    }
}

fn failed(damaged: Damaged) -> StoreError {
    StoreError::Failed(damaged.to_string())
}

impl fmt::Debug for RedisRecords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisRecords").field("link", &self.link).finish_non_exhaustive()
    }
}
