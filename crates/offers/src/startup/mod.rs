//! The worker's start: own the journal, look through it, recover what can be recovered, only then take offers.

mod audit;
mod auditor;
mod inbox;
mod supervisor;

pub use audit::{Audit, AuditCounts, AuditEntry, AuditStatus, Category};
pub use auditor::{
    AUDIT_PAGE_DEFAULT, AuditError, Auditor, AuditorEffect, AuditorInput, PAGES_DEFAULT, PAGES_MAX,
};
pub use inbox::{Inbox, InboxEffect, InboxInput, InboxRefusal};
pub use supervisor::{
    ACTIONS_DEFAULT, ACTIONS_MAX, Supervision, SupervisionStatus, Supervisor, SupervisorEffect,
    SupervisorInput,
};
