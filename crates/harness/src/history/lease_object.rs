use super::{kind::OperationKind, model::Model, operation::Operation, told::Told};
use std::fmt;

/// A job with a lease, as little of it as every lease protocol shares.
///
/// A job is created once. A grant takes a job that is free, under a number higher than all before; its holder uses it
/// and ends it, or it runs out. A lease may run out at any moment, because a history does not have the store's clock:
/// so a grant also takes a job that is held, and whether that was too early is for the rules of leases to say. What is
/// over stays over.
///
/// An answer that is given again (`replayed`) is about the past: where its lease is no longer held it is asked only
/// that the lease was granted and, of an operation that ends the job, that the job ended under it.
///
/// Of what was never answered, only a create and a grant to nobody knows whom make anything possible. All others only
/// end a lease that may run out anyway.
#[derive(Debug, Clone, Default)]
pub struct LeaseObject {
    /// Whether a create was never answered.
    created: bool,
    /// How many claims of this job were never answered.
    claims: u32,
    /// How many claims that name no job were never answered: each may have been granted this one.
    claims_elsewhere: u32,
}

/// What is known of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeaseState {
    phase: Phase,
    /// The highest number that was granted.
    attempt: Option<u64>,
    /// The highest of which somebody was told.
    told: Option<u64>,
    /// How many of the claims that were never answered must have been granted this job.
    unseen: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Absent,
    Free,
    Held,
    /// Over, and was held when it ended.
    Done,
    /// Over, and was free when it ended.
    Dropped,
}

/// An operation on a job, as it was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeaseOperation {
    /// What it is.
    pub kind: OperationKind,
    /// The number of the lease.
    pub attempt: Option<u64>,
    /// Whether the answer was given again.
    pub replayed: bool,
    /// Whether a create has made the job.
    pub created: Option<bool>,
    /// Whether the job is over after it.
    pub over: Option<bool>,
}

impl LeaseOperation {
    /// What an operation of a history says of its job.
    pub fn new(kind: OperationKind, operation: &Operation<Told>) -> Self {
        let Told { attempt, replayed, created, over, .. } = operation.value;
        Self { kind, attempt, replayed, created, over }
    }
}

impl LeaseState {
    /// A job that was not created yet.
    pub const ABSENT: Self = Self { phase: Phase::Absent, attempt: None, told: None, unseen: 0 };

    /// A job that was there before the history, free.
    pub const FREE: Self = Self { phase: Phase::Free, attempt: None, told: None, unseen: 0 };

    /// Whether nothing can happen to it any more.
    pub fn is_over(self) -> bool {
        matches!(self.phase, Phase::Done | Phase::Dropped)
    }

    fn with(self, phase: Phase) -> Self {
        Self { phase, ..self }
    }

    fn holds(self, attempt: Option<u64>) -> bool {
        self.phase == Phase::Held && self.attempt == attempt
    }

    /// Whether this number may have been granted and its holder been told.
    fn has_told(self, attempt: Option<u64>) -> bool {
        attempt.is_some() && attempt <= self.told
    }
}

impl Model for LeaseObject {
    type Operation = LeaseOperation;
    type State = LeaseState;

    fn step(&self, state: LeaseState, operation: &LeaseOperation) -> Option<LeaseState> {
        use OperationKind::{
            Acknowledge, Cancel, Claim, Complete, Create, Fail, Heartbeat, Progress, Recover, Start,
        };
        let LeaseOperation { kind, attempt, replayed, created, over } = *operation;
        match kind {
            Create => return self.create(state, created),
            Cancel if over.is_none() => return Some(state),
            _ => {}
        }
        let state = if self.created { self.create(state, None)? } else { state };
        let holds = state.holds(attempt);
        let again = replayed && state.has_told(attempt);
        let let_go = if over == Some(true) { Phase::Dropped } else { Phase::Free };
        match (kind, state.phase) {
            (_, Phase::Absent) => None,
            (Claim, _) if holds && replayed => Some(state),
            (Claim, Phase::Free | Phase::Held) => {
                let granted = LeaseState { phase: Phase::Held, attempt, told: attempt, ..state };
                (attempt > state.attempt).then_some(granted)
            }
            (Start | Heartbeat | Progress, _) if holds || again => Some(state),
            (Complete | Acknowledge, _) if holds => Some(state.with(Phase::Done)),
            (Complete | Acknowledge, Phase::Done) => (replayed && attempt == state.attempt).then_some(state),
            (Fail, _) if holds => Some(state.with(let_go)),
            (Cancel, phase) if over == Some(true) => Some(match phase {
                Phase::Held => state.with(Phase::Done),
                Phase::Free => state.with(Phase::Dropped),
                _ => state,
            }),
            (Cancel, _) => (!state.is_over()).then_some(state),
            (Recover, Phase::Held) if holds || attempt.is_none() => Some(state.with(let_go)),
            (Fail, _) if again => Some(state),
            (Recover, Phase::Free | Phase::Held) => {
                self.unseen_grant(state, attempt).map(|state| state.with(let_go))
            }
            _ => None,
        }
    }

    fn unanswered(&mut self, operation: &LeaseOperation) {
        match operation.kind {
            OperationKind::Create => self.created = true,
            OperationKind::Claim => self.claims += 1,
            _ => {}
        }
    }

    fn is_idle(&self, state: LeaseState, operation: &LeaseOperation) -> bool {
        self.step(state, operation) == Some(state)
    }

    /// Numbers only rise, a number that was let go is not granted again, and what is over stays over.
    fn is_hopeless(&self, state: LeaseState, operation: &LeaseOperation) -> bool {
        let passed = match operation.kind {
            OperationKind::Create => state.phase != Phase::Absent,
            _ => {
                operation.attempt.is_some_and(|attempt| Some(attempt) <= state.attempt)
                    && !state.holds(operation.attempt)
            }
        };
        let taken = operation.kind == OperationKind::Claim && state.holds(operation.attempt);
        (passed || taken || state.is_over()) && self.step(state, operation).is_none()
    }
}

impl LeaseObject {
    /// So many claims that name no job were never answered so far.
    pub(super) fn set_claims_elsewhere(&mut self, claims: u32) {
        self.claims_elsewhere = claims;
    }

    fn create(&self, state: LeaseState, created: Option<bool>) -> Option<LeaseState> {
        match (state.phase, created) {
            (Phase::Absent, Some(false)) => self.created.then_some(state.with(Phase::Free)),
            (Phase::Absent, _) => Some(state.with(Phase::Free)),
            (_, Some(true)) => None,
            _ => Some(state),
        }
    }

    /// The state after a grant whose answer nobody got, of the number that is told, or else of the lowest possible.
    fn unseen_grant(&self, state: LeaseState, attempt: Option<u64>) -> Option<LeaseState> {
        let lowest = state.attempt.map_or(0, |attempt| attempt.saturating_add(1));
        let attempt = attempt.unwrap_or(lowest);
        let possible = state.unseen < self.claims + self.claims_elsewhere && attempt >= lowest;
        possible.then_some(LeaseState {
            phase: Phase::Held,
            attempt: Some(attempt),
            unseen: state.unseen + 1,
            ..state
        })
    }
}

impl fmt::Display for LeaseState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.phase, self.attempt) {
            (Phase::Absent, _) => f.write_str("not created"),
            (Phase::Free, None) => f.write_str("never granted"),
            (Phase::Free, Some(attempt)) => write!(f, "free after attempt {attempt}"),
            (Phase::Held, attempt) => write!(f, "held as attempt {}", attempt.unwrap_or_default()),
            (Phase::Done | Phase::Dropped, _) => f.write_str("over"),
        }
    }
}
