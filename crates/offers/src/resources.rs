use crate::{Invalid, check::positive};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser::SerializeStruct};
use std::fmt;

/// How strictly a limit has to be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Enforcement {
    /// The run must not start where the limit cannot be kept.
    Required,
    /// The worker does what it can.
    BestEffort,
}

/// What a run may use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourcePolicy {
    /// Memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<NumericLimit>,
    /// Processor time per second of wall time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_millis_per_second: Option<NumericLimit>,
    /// A file system of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filesystem_isolation: Option<Enforcement>,
    /// A network of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network_isolation: Option<Enforcement>,
}

impl ResourcePolicy {
    pub(crate) fn check(&self) -> Result<(), Invalid> {
        let value = |limit: Option<NumericLimit>| limit.map_or(1, |limit| limit.value);
        positive("executionSpec.resourcePolicy.memoryBytes.value", value(self.memory_bytes))?;
        positive("executionSpec.resourcePolicy.cpuMillisPerSecond.value", value(self.cpu_millis_per_second))
    }
}

/// A limit with a number.
///
/// The canonical form keeps its two members in the order in which they arrived, so the order is part of the
/// value; producers write the value first. A canonical form with one fixed order would change
/// [`NumericLimit::serialize`] and nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NumericLimit {
    /// The number.
    pub value: u64,
    /// How strictly it has to be kept.
    pub enforcement: Enforcement,
    /// Whether `enforcement` arrived before `value`.
    pub enforcement_first: bool,
}

impl Serialize for NumericLimit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_struct("NumericLimit", 2)?;
        if self.enforcement_first {
            members.serialize_field("enforcement", &self.enforcement)?;
            members.serialize_field("value", &self.value)?;
        } else {
            members.serialize_field("value", &self.value)?;
            members.serialize_field("enforcement", &self.enforcement)?;
        }
        members.end()
    }
}

impl<'de> Deserialize<'de> for NumericLimit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(LimitVisitor)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Member {
    Value,
    Enforcement,
    #[serde(other)]
    Unknown,
}

struct LimitVisitor;

impl<'de> de::Visitor<'de> for LimitVisitor {
    type Value = NumericLimit;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with value and enforcement")
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<NumericLimit, A::Error> {
        let (mut value, mut enforcement, mut enforcement_first) = (None, None, false);
        while let Some(member) = map.next_key()? {
            match member {
                Member::Value => value = Some(map.next_value()?),
                Member::Enforcement => {
                    enforcement_first = value.is_none();
                    enforcement = Some(map.next_value()?);
                }
                Member::Unknown => drop(map.next_value::<de::IgnoredAny>()?),
            }
        }
        let value = value.ok_or_else(|| de::Error::missing_field("value"))?;
        let enforcement = enforcement.ok_or_else(|| de::Error::missing_field("enforcement"))?;
        Ok(NumericLimit { value, enforcement, enforcement_first })
    }
}
