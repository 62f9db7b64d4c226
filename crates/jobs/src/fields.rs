//! Reading typed members out of JSON. Missing and null mean the same, except for numbers, where null is refused:
//! it is neither a default nor zero.

use crate::Error;
use serde_json::{Map, Value};

/// The members of a container that was given, or of none.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a> {
    members: Option<&'a Map<String, Value>>,
    /// Where the container stands, for error messages; empty at the top.
    path: &'static str,
}

impl<'a> Fields<'a> {
    /// The members of an argument that must be an object.
    pub(crate) fn required(value: &'a Value, path: &'static str) -> Result<Self, Error> {
        match value {
            Value::Object(members) => Ok(Self { members: Some(members), path }),
            _ => Err(Error::request_invalid(path, "an object")),
        }
    }

    /// The members of an object that may be missing.
    pub(crate) fn optional(value: Option<&'a Value>, path: &'static str) -> Result<Self, Error> {
        match given(value) {
            None => Ok(Self { members: None, path }),
            Some(value) => Self::required(value, path),
        }
    }

    pub(crate) fn raw(&self, name: &str) -> Option<&'a Value> {
        self.members.and_then(|members| members.get(name))
    }

    fn invalid(&self, name: &str, wanted: &'static str) -> Error {
        let member = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
        Error::RequestInvalid { member, wanted }
    }

    pub(crate) fn text(&self, name: &str) -> Result<Option<&'a str>, Error> {
        match given(self.raw(name)) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.invalid(name, "a text")),
        }
    }

    pub(crate) fn flag(&self, name: &str) -> Result<Option<bool>, Error> {
        match given(self.raw(name)) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err(self.invalid(name, "true or false")),
        }
    }

    /// A number, rounded down and clamped; `None` when it is absent.
    pub(crate) fn integer(&self, name: &str, min: i64, max: i64) -> Result<Option<i64>, Error> {
        match self.raw(name) {
            None => Ok(None),
            Some(Value::Number(number)) => {
                // A double that holds a finite number saturates in the cast, which is the clamp's business anyway.
                let double = number.as_f64().unwrap_or(0.0).floor();
                Ok(Some((double as i64).clamp(min, max)))
            }
            Some(_) => Err(self.invalid(name, "a number")),
        }
    }

    pub(crate) fn list(&self, name: &str) -> Result<Option<&'a [Value]>, Error> {
        match given(self.raw(name)) {
            None => Ok(None),
            Some(Value::Array(items)) => Ok(Some(items)),
            Some(_) => Err(self.invalid(name, "a list")),
        }
    }

    /// An object or a list, as it was given.
    pub(crate) fn container(&self, name: &str) -> Result<Option<&'a Value>, Error> {
        match given(self.raw(name)) {
            None => Ok(None),
            Some(value @ (Value::Object(_) | Value::Array(_))) => Ok(Some(value)),
            Some(_) => Err(self.invalid(name, "an object or a list")),
        }
    }
}

/// A value that is there and not null.
pub(crate) fn given(value: Option<&Value>) -> Option<&Value> {
    value.filter(|value| !value.is_null())
}
