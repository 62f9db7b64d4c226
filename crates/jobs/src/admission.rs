//! Admission: how many jobs may be active, by tenant and user, and how many recent.

use crate::text::Text;
use holdover_machine::Span;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The window of "recent", where a caller names none.
pub const WINDOW_DEFAULT: Span = Span::from_ms(60_000);

/// Whose jobs are counted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Subject {
    /// The tenant; its counts are 0 without one.
    pub tenant: Option<Text>,
    /// The user; its counts are 0 without one. Independent of the tenant.
    pub user: Option<Text>,
}

/// The counts that an admission policy judges by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AdmissionCounts {
    /// Active jobs.
    pub global_active: u64,
    /// Active jobs of the tenant.
    pub tenant_active: u64,
    /// Active jobs of the user.
    pub user_active: u64,
    /// Jobs of the tenant created within the window, whatever became of them.
    pub tenant_recent: u64,
    /// Jobs of the user created within the window, whatever became of them.
    pub user_recent: u64,
}

impl AdmissionCounts {
    /// The counts as they are shown.
    pub fn to_json(&self) -> Value {
        json!({
            "globalActive": self.global_active, "tenantActive": self.tenant_active,
            "userActive": self.user_active, "tenantRecent": self.tenant_recent, "userRecent": self.user_recent,
        })
    }
}

/// Limits that a store can judge in the same step as the insert. `None` means no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AdmissionLimits {
    /// The most active jobs.
    pub global_active_max: Option<u64>,
    /// The most active jobs of a tenant.
    pub tenant_active_max: Option<u64>,
    /// The most jobs of a tenant created within the window.
    pub tenant_recent_max: Option<u64>,
}

impl AdmissionLimits {
    /// Why one more job would be too many, or `None` when it may come in.
    pub fn refusal(&self, counts: &AdmissionCounts) -> Option<&'static str> {
        let full = |max: Option<u64>, count: u64| max.is_some_and(|max| count >= max);
        [
            (full(self.global_active_max, counts.global_active), "executor_admission_global_limit"),
            (full(self.tenant_active_max, counts.tenant_active), "executor_admission_tenant_limit"),
            (full(self.tenant_recent_max, counts.tenant_recent), "executor_admission_tenant_rate"),
        ]
        .into_iter()
        .find_map(|(full, reason)| full.then_some(reason))
    }

    /// The answer that a policy of these limits gives.
    pub fn answer(&self, counts: &AdmissionCounts) -> Value {
        match self.refusal(counts) {
            Some(reason) => json!({ "allowed": false, "reason": reason }),
            None => json!({ "allowed": true }),
        }
    }
}
