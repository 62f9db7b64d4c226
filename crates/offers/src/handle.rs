use crate::Text;
use holdover_machine::Timestamp;

/// What an executor says about the process it started.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Handle {
    /// The executor's name for the process.
    pub id: Text,
    /// The name under which the process is found again after a restart, if it is another.
    pub durable_handle: Option<Text>,
    /// The type of the executor.
    pub executor_type: Text,
    /// The run that the process executes.
    pub run_id: Text,
    /// The attempt that the process executes.
    pub attempt_id: Text,
    /// When it started.
    pub started_at: Timestamp,
}

impl Handle {
    /// The name that the journal keeps.
    pub fn journaled(&self) -> &Text {
        self.durable_handle.as_ref().unwrap_or(&self.id)
    }
}
