use super::{Audit, AuditError, AuditStatus, Supervision, SupervisionStatus};
use crate::{Acquired, JournalError};
use holdover_machine::{Machine, Timestamp};

/// What can happen to an inbox.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum InboxInput {
    /// Start.
    Start,
    /// The journal was asked for.
    Acquired(Result<Acquired, JournalError>),
    /// The journal was looked through.
    Audited(Result<Audit, AuditError>),
    /// What could be recovered was recovered.
    Recovered(Supervision),
    /// The journal was given up.
    Released,
}

/// Everything an inbox can want done.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum InboxEffect {
    /// Become the owner of the journal.
    Acquire,
    /// Look through the journal.
    Audit,
    /// Recover what this audit found.
    Recover(Audit),
    /// Give the journal up.
    Release,
    /// Accept deliveries from now on.
    Open(Audit),
    /// Refuse to start.
    Refuse(InboxRefusal),
    /// Answer a start that was asked for twice.
    AlreadyStarted,
}

/// Why an inbox does not start.
#[derive(Debug, Clone, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum InboxRefusal {
    /// The journal cannot be owned.
    #[error("the journal cannot be owned: {0}")]
    Ownership(JournalError),
    /// The journal cannot be looked through.
    #[error("the journal cannot be looked through: {0}")]
    Audit(AuditError),
    /// There are more records than an audit may look at.
    #[error("the journal holds more records than one audit may look at")]
    ScanBudgetExhausted,
    /// There is more to recover than one start may try.
    #[error("the journal holds more to recover than one start may try")]
    ActionBudgetExhausted,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Stage {
    Closed,
    Acquiring,
    FirstAudit,
    Recovering,
    SecondAudit,
    Open,
    Releasing(InboxRefusal),
}

/// The order of a start. Deliveries are accepted only at its end.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Inbox {
    recovers: bool,
    stage: Stage,
}

impl Inbox {
    /// A closed inbox; `recovers` says whether a start makes one recovery pass.
    pub fn new(recovers: bool) -> Self {
        Self { recovers, stage: Stage::Closed }
    }

    fn go(&mut self, stage: Stage, effect: InboxEffect) -> Option<InboxEffect> {
        self.stage = stage;
        Some(effect)
    }

    fn refuse(&mut self, refusal: InboxRefusal) -> Option<InboxEffect> {
        self.go(Stage::Releasing(refusal), InboxEffect::Release)
    }

    fn audited(&mut self, audit: Audit, recover: bool) -> Option<InboxEffect> {
        if audit.status == AuditStatus::ScanBudgetExhausted {
            return self.refuse(InboxRefusal::ScanBudgetExhausted);
        }
        match recover {
            true => self.go(Stage::Recovering, InboxEffect::Recover(audit)),
            false => self.go(Stage::Open, InboxEffect::Open(audit)),
        }
    }

    fn recovered(&mut self, supervision: &Supervision) -> Option<InboxEffect> {
        match supervision.status {
            SupervisionStatus::AuditIncomplete => self.refuse(InboxRefusal::ScanBudgetExhausted),
            SupervisionStatus::ActionBudgetExhausted => self.refuse(InboxRefusal::ActionBudgetExhausted),
            SupervisionStatus::Recovered | SupervisionStatus::RecoveryRequired => {
                self.go(Stage::SecondAudit, InboxEffect::Audit)
            }
        }
    }

    fn advance(&mut self, input: InboxInput) -> Option<InboxEffect> {
        match (self.stage.clone(), input) {
            (Stage::Closed, InboxInput::Start) => self.go(Stage::Acquiring, InboxEffect::Acquire),
            (_, InboxInput::Start) => Some(InboxEffect::AlreadyStarted),
            (Stage::Acquiring, InboxInput::Acquired(Ok(_))) => self.go(Stage::FirstAudit, InboxEffect::Audit),
            (Stage::Acquiring, InboxInput::Acquired(Err(error))) => {
                self.go(Stage::Closed, InboxEffect::Refuse(InboxRefusal::Ownership(error)))
            }
            (Stage::FirstAudit | Stage::SecondAudit, InboxInput::Audited(Err(error))) => {
                self.refuse(InboxRefusal::Audit(error))
            }
            (Stage::FirstAudit, InboxInput::Audited(Ok(audit))) => self.audited(audit, self.recovers),
            (Stage::SecondAudit, InboxInput::Audited(Ok(audit))) => self.audited(audit, false),
            (Stage::Recovering, InboxInput::Recovered(supervision)) => self.recovered(&supervision),
            (Stage::Releasing(refusal), InboxInput::Released) => {
                self.go(Stage::Closed, InboxEffect::Refuse(refusal))
            }
            _ => None,
        }
    }
}

impl Machine for Inbox {
    type Input = InboxInput;
    type Effect = InboxEffect;

    fn handle(&mut self, _now: Timestamp, input: InboxInput, effects: &mut Vec<InboxEffect>) {
        effects.extend(self.advance(input));
    }
}
