use super::{Audit, AuditStatus, Category};
use crate::{OfferId, RecoveryStatus};
use holdover_machine::{Machine, Timestamp};
use serde::Serialize;
use std::collections::VecDeque;

/// The most recoveries of a start.
pub const ACTIONS_MAX: usize = 1024;
/// The recoveries of a start unless configured.
pub const ACTIONS_DEFAULT: usize = 64;

/// What can happen to a supervisor.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SupervisorInput {
    /// Recover what this audit found.
    Start(Audit),
    /// A recovery ended; an error leaves no detail.
    Recovered(Option<RecoveryStatus>),
}

/// Everything a supervisor can want done.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SupervisorEffect {
    /// Recover this offer.
    Recover(OfferId),
    /// Take the result.
    Done(Supervision),
}

/// What the recovery of a start came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SupervisionStatus {
    /// Nothing is left to do.
    Recovered,
    /// Something is.
    RecoveryRequired,
    /// The audit is not complete; nothing was tried.
    AuditIncomplete,
    /// There is more to do than may be done; nothing was tried.
    ActionBudgetExhausted,
}

/// What became of each offer.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Supervision {
    /// What the recovery came to.
    pub status: SupervisionStatus,
    /// How each recovery ended; none is an error.
    pub actions: Vec<(OfferId, Option<RecoveryStatus>)>,
}

/// Recovers, one after the other and in the order of the audit, what a crash left.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Supervisor {
    actions_max: usize,
    planned: VecDeque<OfferId>,
    current: Option<OfferId>,
    actions: Vec<(OfferId, Option<RecoveryStatus>)>,
}

impl Supervisor {
    /// A supervisor that tries up to `actions_max` recoveries, brought into 1..=[`ACTIONS_MAX`].
    pub fn new(actions_max: usize) -> Self {
        let actions_max = actions_max.clamp(1, ACTIONS_MAX);
        Self { actions_max, planned: VecDeque::new(), current: None, actions: Vec::new() }
    }

    fn start(&mut self, audit: &Audit) -> SupervisorEffect {
        let planned =
            audit.entries.iter().filter(|entry| acts_on(entry.category)).map(|entry| entry.offer_id);
        self.planned = planned.collect();
        self.actions.clear();
        if audit.status == AuditStatus::ScanBudgetExhausted {
            return self.refuse(SupervisionStatus::AuditIncomplete);
        }
        if self.planned.len() > self.actions_max {
            return self.refuse(SupervisionStatus::ActionBudgetExhausted);
        }
        self.next()
    }

    fn refuse(&mut self, status: SupervisionStatus) -> SupervisorEffect {
        self.planned.clear();
        SupervisorEffect::Done(Supervision { status, actions: Vec::new() })
    }

    fn next(&mut self) -> SupervisorEffect {
        self.current = self.planned.pop_front();
        if let Some(offer_id) = self.current {
            return SupervisorEffect::Recover(offer_id);
        }
        let actions = std::mem::take(&mut self.actions);
        let recovered = actions.iter().all(|(_, status)| status.is_some_and(leaves_nothing));
        let status =
            if recovered { SupervisionStatus::Recovered } else { SupervisionStatus::RecoveryRequired };
        SupervisorEffect::Done(Supervision { status, actions })
    }
}

impl Machine for Supervisor {
    type Input = SupervisorInput;
    type Effect = SupervisorEffect;

    fn handle(&mut self, _now: Timestamp, input: SupervisorInput, effects: &mut Vec<SupervisorEffect>) {
        match input {
            SupervisorInput::Start(audit) => effects.push(self.start(&audit)),
            SupervisorInput::Recovered(status) => {
                let Some(offer_id) = self.current.take() else { return };
                self.actions.push((offer_id, status));
                effects.push(self.next());
            }
        }
    }
}

fn acts_on(category: Category) -> bool {
    category.needs_reconciliation() || category == Category::SettledCompletion
}

fn leaves_nothing(status: RecoveryStatus) -> bool {
    match status {
        RecoveryStatus::NotFound
        | RecoveryStatus::RunningAcknowledged
        | RecoveryStatus::AlreadyRunning
        | RecoveryStatus::CompletionAcknowledged
        | RecoveryStatus::AlreadyCompleted => true,
        RecoveryStatus::SessionUnavailable
        | RecoveryStatus::ControlPlaneTerminal
        | RecoveryStatus::Deferred => false,
    }
}
