use crate::{
    Invalid, Text,
    check::{ensure, text},
};

/// The most tries of a command that is repeated with a newer lease.
pub const ACTIVATION_RETRIES_MAX: u32 = 4;
/// The most executor types of a receiver.
pub const EXECUTOR_TYPES_MAX: usize = 16;

/// How a receiver is set up.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Config {
    activation_retries: u32,
    accepted_executor_types: Vec<Text>,
    executor_type: Text,
}

impl Config {
    /// A receiver that tries each report up to `activation_retries` times, takes offers for
    /// `accepted_executor_types` and starts them on an executor of `executor_type`.
    pub fn new(
        activation_retries: u32,
        accepted_executor_types: Vec<Text>,
        executor_type: Text,
    ) -> Result<Self, Invalid> {
        let retries = (1..=ACTIVATION_RETRIES_MAX).contains(&activation_retries);
        ensure(retries, "activation retries", "must be 1 to 4")?;
        let types = &accepted_executor_types;
        let count = (1..=EXECUTOR_TYPES_MAX).contains(&types.len());
        let distinct = types.iter().enumerate().all(|(place, name)| !types[..place].contains(name));
        ensure(count && distinct, "accepted executor types", "must be 1 to 16 distinct names")?;
        types.iter().try_for_each(|name| text("accepted executor types", name, 64))?;
        Ok(Self { activation_retries, accepted_executor_types, executor_type })
    }

    /// How often a command that is repeated with a newer lease is tried.
    pub fn activation_retries(&self) -> u32 {
        self.activation_retries
    }

    /// Whether offers for `executor_type` are taken.
    pub fn accepts(&self, executor_type: &Text) -> bool {
        self.accepted_executor_types.contains(executor_type)
    }

    /// The type of the local executor.
    pub fn executor_type(&self) -> &Text {
        &self.executor_type
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            activation_retries: 2,
            accepted_executor_types: vec!["remote_worker".into()],
            executor_type: "local_process".into(),
        }
    }
}
