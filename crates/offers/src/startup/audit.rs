use crate::{OfferId, Record, Session, SessionStatus, State, Text};
use holdover_machine::Timestamp;
use serde::Serialize;

/// What a start has to do about a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// Nothing: the failure is settled.
    SettledStartFailure,
    /// Remove the receipt, if it is left.
    SettledCompletion,
    /// The next delivery continues.
    RedeliveryRequired,
    /// Nothing runs here, and another session has the attempt.
    FencedWithoutLocalExecution,
    /// Nothing runs here, and the lease or the session is over.
    ExpiredWithoutLocalExecution,
    /// Nobody knows whether something runs here.
    LaunchReconciliationRequired,
    /// Something was running here.
    ExecutionReconciliationRequired,
}

impl Category {
    /// The category of a record: the first condition that holds.
    pub fn of(record: &Record, session: Option<&Session>, now: Timestamp) -> Self {
        match record.state {
            State::StartFailureAcknowledged => Self::SettledStartFailure,
            State::CompletionAcknowledged => Self::SettledCompletion,
            State::Launching | State::RecoveryRequired => Self::LaunchReconciliationRequired,
            State::Started | State::RunningAcknowledged => Self::ExecutionReconciliationRequired,
            State::Accepted | State::StartingAcknowledged | State::StartFailed => {
                let Some(session) = session.filter(|session| session.is(&record.offer.worker)) else {
                    return Self::FencedWithoutLocalExecution;
                };
                let offline = session.status == SessionStatus::Offline;
                if offline || session.expired(now) || record.offer.lease.expired(now) {
                    Self::ExpiredWithoutLocalExecution
                } else {
                    Self::RedeliveryRequired
                }
            }
        }
    }

    /// Whether evidence has to be looked for.
    pub const fn needs_reconciliation(self) -> bool {
        matches!(self, Self::LaunchReconciliationRequired | Self::ExecutionReconciliationRequired)
    }
}

/// What an audit came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AuditStatus {
    /// Nothing needs evidence.
    Ready,
    /// Something does.
    ReconciliationRequired,
    /// There are more records than the audit may look at.
    ScanBudgetExhausted,
}

/// How many records there are of each category.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
pub struct AuditCounts {
    /// Of [`Category::SettledStartFailure`].
    pub settled_start_failure: u64,
    /// Of [`Category::SettledCompletion`].
    pub settled_completion: u64,
    /// Of [`Category::RedeliveryRequired`].
    pub redelivery_required: u64,
    /// Of [`Category::FencedWithoutLocalExecution`].
    pub fenced_without_local_execution: u64,
    /// Of [`Category::ExpiredWithoutLocalExecution`].
    pub expired_without_local_execution: u64,
    /// Of [`Category::LaunchReconciliationRequired`].
    pub launch_reconciliation_required: u64,
    /// Of [`Category::ExecutionReconciliationRequired`].
    pub execution_reconciliation_required: u64,
}

impl AuditCounts {
    pub(super) fn count(&mut self, category: Category) {
        *match category {
            Category::SettledStartFailure => &mut self.settled_start_failure,
            Category::SettledCompletion => &mut self.settled_completion,
            Category::RedeliveryRequired => &mut self.redelivery_required,
            Category::FencedWithoutLocalExecution => &mut self.fenced_without_local_execution,
            Category::ExpiredWithoutLocalExecution => &mut self.expired_without_local_execution,
            Category::LaunchReconciliationRequired => &mut self.launch_reconciliation_required,
            Category::ExecutionReconciliationRequired => &mut self.execution_reconciliation_required,
        } += 1;
    }
}

/// One record, as far as an audit may show it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    /// The offer.
    pub offer_id: OfferId,
    /// Its attempt.
    pub attempt_id: Text,
    /// The state of its record.
    pub state: State,
    /// What has to be done about it.
    pub category: Category,
}

/// What is in a journal.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Audit {
    /// What the audit came to.
    pub status: AuditStatus,
    /// When it began.
    #[serde(rename = "observedAtMs")]
    pub observed_at: Timestamp,
    /// How many pages were read.
    pub pages_scanned: u64,
    /// How many records were read.
    pub records_scanned: u64,
    /// How many there are of each category.
    pub counts: AuditCounts,
    /// Every record, in ascending order of the ids.
    pub entries: Vec<AuditEntry>,
}
