//! The store contract, the asking half: every command is data, guards and parameters included, so that a store
//! knows no variants.

use crate::rules::{
    Blocked, Cancel, Charge, Floor, Identity, Leftovers, Renew, Renewals, Requeue, RetryDelay, Timeout,
};
use crate::text::Text;
use crate::{
    Action, AdmissionLimits, Announcement, Incarnation, JobError, JobId, JobResult, Key, LeaseToken, Spec,
    StatusSet, Subject,
};
use holdover_machine::{Span, StoreTime};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// Whose clock stamps a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stamp {
    /// The caller's reading, as it stands.
    Caller(StoreTime),
    /// The store's own reading, held or not.
    Store(Floor),
}

/// A command with its stamp.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// Whose clock.
    pub stamp: Stamp,
    /// What to do.
    pub command: Command,
}

/// What a store can be asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Command {
    /// The record of a job.
    Load(JobId),
    /// The record under a key. White space around the key does not count.
    FindByKey(Key),
    /// A new job, unless key or id are known.
    Create(Box<Create>),
    /// The first job that this worker may have.
    Claim(Box<Claim>),
    /// The first jobs that this worker may have, as many as there are tokens.
    ClaimMany(Box<ClaimMany>),
    /// An operation on a held job.
    Operate(Box<Operate>),
    /// Operations on held jobs, one after the other, in one step.
    OperateMany(Arc<[Operate]>),
    /// An operation that ends one attempt, and the claim of the next job, in one step. The claim is made whatever
    /// became of the operation.
    SettleAndClaim(Box<SettleAndClaim>),
    /// Take one listed lease away.
    Recover(Box<Recover>),
    /// End a job at its client's wish.
    Cancel(CancelJob),
    /// The jobs whose lease is over, oldest expiry first.
    ListExpired(ListExpired),
    /// The totals of the queue.
    QueueStats,
    /// The counts for an admission policy.
    AdmissionCounts {
        /// Whose jobs.
        subject: Subject,
        /// What counts as recent.
        window: Span,
    },
    /// A page of a job's events.
    Events {
        /// The job.
        job: JobId,
        /// The last sequence number already seen.
        after: u64,
        /// The most events.
        limit: u64,
    },
    /// A worker shows that it is there.
    Announce(Announcement),
    /// The workers, last seen first.
    Workers {
        /// After how long without a sign a worker is stale.
        stale_after: Span,
    },
    /// The operator's switch for handing jobs out.
    Switch {
        /// Whether jobs are handed out.
        open: bool,
    },
}

/// See [`Command::Create`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Create {
    /// What it fixes.
    pub spec: Arc<Spec>,
    /// Whether a known key is only the same create if it names the same job id.
    pub compare_id: bool,
    /// Limits to judge in the same step; a job over them comes in blocked.
    pub limits: Option<AdmissionLimits>,
    /// What counts as recent for the limits.
    pub window: Span,
    /// Whether a blocked job under the same key and fingerprint is judged again.
    pub blocked: Blocked,
}

/// See [`Command::Claim`]. The steps are taken in the order of the members.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// The worker.
    pub worker: Text,
    /// Its process.
    pub incarnation: Option<Incarnation>,
    /// Where claims are numbered: the number of this one. A repeat is answered as the first was.
    pub number: Option<u64>,
    /// How long the result of a numbered claim is remembered after its last use.
    pub remember: Span,
    /// Due leases to recover first.
    pub take_over: Option<(u32, Lose)>,
    /// Whether the operator's switch is asked.
    pub ask_switch: bool,
    /// The most leases of the process.
    pub held_max: Option<u32>,
    /// The executors that it can run.
    pub executors: Arc<[Text]>,
    /// The token of the lease.
    #[serde(with = "crate::identifier::revealed")]
    pub token: LeaseToken,
    /// How long the lease is.
    pub lease: Span,
    /// When the attempt is charged.
    pub charge: Charge,
    /// What of an earlier end stays on the record.
    pub leftovers: Leftovers,
}

/// See [`Command::ClaimMany`]. It means what its claims mean one after the other, until one finds nothing, but for
/// what they share: due leases are recovered once, and all bear one number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimMany {
    /// The first claim.
    pub claim: Claim,
    /// The tokens of the further leases.
    #[serde(with = "crate::identifier::revealed_list")]
    pub more: Arc<[LeaseToken]>,
}

/// See [`Command::SettleAndClaim`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SettleAndClaim {
    /// What is done first.
    pub settle: Operate,
    /// The claim.
    pub claim: Claim,
}

/// Who asks, and what proves it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// The token.
    #[serde(with = "crate::identifier::revealed")]
    pub token: LeaseToken,
    /// The attempt, where the caller says it.
    pub attempt: Option<u32>,
    /// The worker process, where the caller says it.
    pub incarnation: Option<Incarnation>,
}

/// One condition of an operation. They are asked in the order of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Guard {
    /// If this very operation was already carried out, its answer is given again and the rest is not asked; if
    /// the caller's attempt was ended by another operation of its own, that is the refusal.
    Replay(Identity),
    /// The status is one of these.
    Status(StatusSet),
    /// The job's lease is the caller's.
    Holder(Identity),
    /// The lease is not over.
    Unexpired,
    /// A cancel was asked for.
    CancelRequested,
}

/// Up to five guards in order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Guards {
    list: [Option<Guard>; 5],
}

impl Guards {
    /// Appends a guard.
    #[must_use]
    pub fn then(mut self, guard: Guard) -> Self {
        if let Some(free) = self.list.iter_mut().find(|place| place.is_none()) {
            *free = Some(guard);
        }
        self
    }

    /// Appends a guard if the condition holds.
    #[must_use]
    pub fn then_if(self, condition: bool, guard: Guard) -> Self {
        if condition { self.then(guard) } else { self }
    }

    /// The guards in order.
    pub fn iter(&self) -> impl Iterator<Item = Guard> {
        self.list.iter().copied().flatten()
    }
}

/// See [`Command::Operate`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Operate {
    /// The job.
    pub job: JobId,
    /// Who asks.
    pub holder: Holder,
    /// What must hold.
    pub guards: Guards,
    /// What changes.
    pub change: Change,
    /// Whether the operation also shows that the worker is there.
    pub announces: bool,
}

/// What an operation changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Change {
    /// Leased becomes running.
    Start {
        /// When attempts are charged.
        charge: Charge,
        /// Whether the time-out ends the lease.
        timeout: Timeout,
    },
    /// The lease is renewed.
    Heartbeat {
        /// For how long from now.
        lease: Span,
        /// Whether it may come sooner than before.
        renew: Renew,
        /// Whether a lease is only renewed once it is started, and never beyond its deadline.
        timeout: Timeout,
        /// The most that a renewal reaches beyond a cancel request.
        cancel_grace: Span,
        /// Whether it is an event.
        renewals: Renewals,
    },
    /// An event of the worker's own.
    Progress {
        /// Its type.
        kind: Text,
        /// Its data.
        data: Arc<Value>,
    },
    /// The work is done.
    Complete {
        /// What came out.
        result: Arc<JobResult>,
        /// What of an earlier end stays on the record.
        leftovers: Leftovers,
    },
    /// The attempt failed.
    Fail {
        /// Why.
        error: Arc<JobError>,
        /// When the worker would like the next attempt.
        delay: Span,
        /// Whose word that is.
        retry_delay: RetryDelay,
        /// How the loss of an attempt is accounted for.
        lose: Lose,
    },
    /// A requested cancel was obeyed.
    Acknowledge,
}

impl Change {
    /// What it is called in answers.
    pub fn action(&self) -> Action {
        match self {
            Self::Start { .. } => Action::Start,
            Self::Heartbeat { .. } => Action::Heartbeat,
            Self::Progress { .. } => Action::Progress,
            Self::Complete { .. } => Action::Complete,
            Self::Fail { .. } => Action::Fail,
            Self::Acknowledge => Action::Acknowledge,
        }
    }
}

/// How the loss of an attempt is accounted for, and when the job is ready again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lose {
    /// When it is ready again after a lost lease.
    pub requeue: Requeue,
    /// When attempts are charged.
    pub charge: Charge,
    /// The back-off after the first loss; it doubles with each.
    pub back_off: Span,
    /// The longest back-off.
    pub back_off_max: Span,
    /// The most leases that may end without a start.
    pub unstarted_max: u32,
    /// How long after its end a lease is left alone.
    pub grace: Span,
}

impl Lose {
    /// The back-off after `losses` losses: doubled with each, never more than the cap, never nothing.
    pub fn back_off_after(&self, losses: u32) -> Span {
        let doublings = losses.saturating_sub(1).min(62);
        // The cap is applied before the shift could overflow.
        let factor = 1_i64 << doublings;
        let wait = self.back_off.ms().saturating_mul(factor).min(self.back_off_max.ms());
        Span::from_ms(wait.max(1))
    }
}

/// See [`Command::Recover`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recover {
    /// The job.
    pub job: JobId,
    /// The token that was listed: another one means that the job has moved on.
    #[serde(with = "crate::identifier::revealed")]
    pub token: LeaseToken,
    /// Whether the expiry is looked at again.
    pub recheck: bool,
    /// What the loss means.
    pub lose: Lose,
}

/// See [`Command::Cancel`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CancelJob {
    /// The job.
    pub job: JobId,
    /// Why, at most 256 UTF-16 units.
    pub reason: Text,
    /// What becomes of a job that is running.
    pub running: Cancel,
    /// How long after its end a lease is left alone.
    pub grace: Span,
    /// What of an earlier end stays on the record.
    pub leftovers: Leftovers,
}

/// See [`Command::ListExpired`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListExpired {
    /// The most jobs.
    pub limit: u32,
    /// How long after its end a lease is left alone.
    pub grace: Span,
}
