//! Reading the domain objects of a file.

use crate::FormatError;
use holdover_machine::Timestamp;
use holdover_offers::{ExecutionSpec, Lease, Offer, Record};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use std::sync::Arc;

/// A domain object, or where the file is not as the format describes.
pub(super) fn read<T: DeserializeOwned>(at: &str, value: &Value) -> Result<T, FormatError> {
    T::deserialize(value).map_err(|error| FormatError::malformed(at, error.to_string()))
}

/// A record that an earlier process left behind.
pub(super) fn record(at: &str, value: &Value) -> Result<Record, FormatError> {
    let mut record: Record = read(at, value)?;
    in_producers_order(&mut record.offer.execution_spec);
    record.check().map_err(|invalid| FormatError::malformed(at, invalid.to_string()))?;
    Ok(record)
}

/// An offer as it arrives; none if it does not even have the members and types of one.
pub(super) fn offer(value: &Value) -> Option<Offer> {
    let mut offer = Offer::deserialize(value).ok()?;
    in_producers_order(&mut offer.execution_spec);
    Some(offer)
}

/// The order of members means nothing in these files, yet the spec digest covers that of a numeric limit. So
/// limits arrive as producers write them: the value first.
fn in_producers_order(spec: &mut Arc<ExecutionSpec>) {
    if let Some(policy) = &mut Arc::make_mut(spec).resource_policy {
        let limits = [&mut policy.memory_bytes, &mut policy.cpu_millis_per_second];
        limits.into_iter().flatten().for_each(|limit| limit.enforcement_first = false);
    }
}

/// `lease` with some members replaced.
pub(super) fn overlaid(at: &str, lease: &Lease, members: &Map<String, Value>) -> Result<Lease, FormatError> {
    read(at, &with(written(lease), members))
}

/// `value` with some members replaced.
pub(super) fn with(mut value: Value, members: &Map<String, Value>) -> Value {
    if let Value::Object(object) = &mut value {
        object.extend(members.clone());
    }
    value
}

/// The wire form of a domain object.
pub(super) fn written(object: &impl serde::Serialize) -> Value {
    serde_json::to_value(object).expect("wire types have text keys")
}

/// A time of the file. A number that is no time at all, like a fraction, is as wrong as the smallest one.
pub(super) fn time(value: &Value) -> Timestamp {
    value.as_i64().map_or(Timestamp::MIN, Timestamp::from_ms)
}
