//! What a script answers, as values that are read.

use redis::{FromRedisValue, Value};
use std::fmt::Display;
use thiserror::Error;

/// What the server keeps under our keys is not what a store of ours has written.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{what} is not as this store writes it: {text}")]
pub(crate) struct Damaged {
    what: &'static str,
    text: String,
}

impl Damaged {
    pub(crate) fn of(what: &'static str, text: impl Display) -> Self {
        Self { what, text: text.to_string() }
    }
}

/// Reads a value as what it must be.
pub(crate) fn read<T: FromRedisValue>(value: Value) -> Result<T, Damaged> {
    redis::from_redis_value(value).map_err(|error| Damaged::of("an answer", error))
}

/// The parts of an answer that has exactly so many.
pub(crate) fn parts<const N: usize>(value: Value) -> Result<[Value; N], Damaged> {
    let list: Vec<Value> = list(value)?;
    list.try_into().map_err(|list: Vec<Value>| Damaged::of("an answer", format_args!("{} parts", list.len())))
}

/// The elements of a list.
pub(crate) fn list(value: Value) -> Result<Vec<Value>, Damaged> {
    match value {
        Value::Array(list) => Ok(list),
        other => Err(Damaged::of("an answer", format_args!("{other:?} in the place of a list"))),
    }
}

/// A list of names, each followed by its value.
pub(crate) fn pairs(value: Value) -> Result<Vec<(String, String)>, Damaged> {
    let list: Vec<String> = read(value)?;
    let mut list = list.into_iter();
    Ok(std::iter::from_fn(|| Some((list.next()?, list.next()?))).collect())
}
