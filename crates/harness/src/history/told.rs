use serde::de::{
    Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer,
};
use serde_json::Value;
use std::fmt;

/// What an event tells of its operation, as far as the checks read it. Other members of a value are left aside, and a
/// value that is no object tells nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Told {
    /// The job.
    pub job: Option<Box<str>>,
    /// The fencing number of the lease.
    pub attempt: Option<u64>,
    /// Who holds the lease or wants to: a number or a text.
    pub worker: Option<Value>,
    /// For how long the lease still runs, in milliseconds, as the store said.
    pub remaining_ms: Option<i64>,
    /// Whether it is the answer of an earlier request, given again.
    pub replayed: bool,
    /// Whether a create has made the job, or found it.
    pub created: Option<bool>,
    /// Whether the job is over for good after it.
    pub over: Option<bool>,
    /// What a created job needs to be run.
    pub executor: Option<Box<str>>,
    /// What a claim can run.
    pub executors: Option<Vec<Box<str>>>,
}

impl Told {
    /// This, and what it leaves out as it was told before.
    #[must_use]
    pub(super) fn or(self, before: Self) -> Self {
        Self {
            job: self.job.or(before.job),
            attempt: self.attempt.or(before.attempt),
            worker: self.worker.or(before.worker),
            remaining_ms: self.remaining_ms,
            replayed: self.replayed,
            created: self.created,
            over: self.over,
            executor: self.executor.or(before.executor),
            executors: self.executors.or(before.executors),
        }
    }
}

/// The members as they stand in an object; each may be null.
#[derive(serde::Deserialize)]
struct Members {
    job: Option<Box<str>>,
    attempt: Option<u64>,
    worker: Option<Value>,
    remaining_ms: Option<i64>,
    replayed: Option<bool>,
    created: Option<bool>,
    over: Option<bool>,
    executor: Option<Box<str>>,
    executors: Option<Vec<Box<str>>>,
}

impl<'de> Deserialize<'de> for Told {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Anything)
    }
}

/// Reads the members of an object, and any other value as one that tells nothing.
struct Anything;

impl<'de> Visitor<'de> for Anything {
    type Value = Told;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Told, A::Error> {
        let members = Members::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Told {
            job: members.job,
            attempt: members.attempt,
            worker: members.worker,
            remaining_ms: members.remaining_ms,
            replayed: members.replayed.unwrap_or(false),
            created: members.created,
            over: members.over,
            executor: members.executor,
            executors: members.executors,
        })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Told, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Told::default())
    }

    fn visit_unit<E>(self) -> Result<Told, E> {
        Ok(Told::default())
    }

    fn visit_bool<E>(self, _: bool) -> Result<Told, E> {
        Ok(Told::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Told, E> {
        Ok(Told::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Told, E> {
        Ok(Told::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Told, E> {
        Ok(Told::default())
    }

    fn visit_str<E>(self, _: &str) -> Result<Told, E> {
        Ok(Told::default())
    }
}
