use crate::Error;
use crate::fields::{Fields, given};
use crate::text::{Text, trim_cut};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Why an attempt failed, sanitised: a code, a message, and whether the worker thinks a retry could help.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobError {
    /// The code, at most 128 UTF-16 units.
    pub code: Text,
    /// The message, at most 2048 UTF-16 units.
    pub message: Text,
    /// What the worker (or recovery) said of a retry, whether or not one followed.
    pub retryable: bool,
}

impl JobError {
    /// The error of a worker: an object, a plain text, or nothing.
    ///
    /// # Errors
    /// A wrong type.
    pub fn read(value: Option<&Value>) -> Result<Self, Error> {
        match given(value) {
            Some(Value::String(text)) => Ok(Self::new("EXECUTOR_FAILED", trim_cut(text, 2048), false)),
            Some(Value::Array(_)) => Err(Error::request_invalid("error", "an object or a text")),
            value => {
                let fields = Fields::optional(value, "error")?;
                let code = trim_cut(fields.text("code")?.unwrap_or("EXECUTOR_FAILED"), 128);
                let message = trim_cut(fields.text("message")?.unwrap_or("Executor failed"), 2048);
                Ok(Self::new(code, message, fields.flag("retryable")? == Some(true)))
            }
        }
    }

    pub(crate) fn new(code: &str, message: &str, retryable: bool) -> Self {
        Self { code: code.into(), message: message.into(), retryable }
    }

    /// The error as it is stored and shown.
    pub fn to_json(&self) -> Value {
        json!({ "code": &*self.code, "message": &*self.message, "retryable": self.retryable })
    }
}
