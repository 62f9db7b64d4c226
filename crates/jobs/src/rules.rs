//! What a variant is: one plain value, a field a rule. Protocol code asks each rule at one place.

use serde::{Deserialize, Serialize};

/// Whose clock stamps and judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// The wall clock of the service that calls the store.
    Caller,
    /// The store's own.
    Store,
}

/// Whether a store's time may go back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Floor {
    /// It follows its clock either way.
    Absent,
    /// It stands still until its clock has caught up.
    Held,
}

/// Whether an operation on an expired lease that nobody has recovered yet is obeyed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expiry {
    /// It is.
    Ignored,
    /// It is refused as a lost lease.
    Checked,
}

/// What a heartbeat does to the lease's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Renew {
    /// It becomes now plus the duration, sooner or later than before.
    Overwrite,
    /// It never comes sooner.
    Extend,
}

/// Whether recovery looks at the expiry again in the step that takes the lease away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recheck {
    /// No: what was listed is taken.
    Absent,
    /// Yes: a lease that was renewed since is left alone.
    Made,
}

/// What proves that a caller holds a lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Identity {
    /// The token alone.
    Token,
    /// Token, attempt number and worker incarnation, where the caller gives them.
    Attempt,
}

/// Which guard speaks first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GuardOrder {
    /// Status, then lease: a lost lease has two codes, by timing.
    StatusFirst,
    /// Lease, then status: a lost lease has one code, and a stranger learns nothing.
    LeaseFirst,
}

/// What a repeat of an operation that was already carried out is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replay {
    /// A refusal.
    Refused,
    /// The same answer; nothing changes.
    Answered,
}

/// From where an attempt may be settled or report progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settle {
    /// Leased or running.
    Held,
    /// Only running, except that a failure may be reported before the start.
    Started,
}

/// What a repeated claim is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimRepeat {
    /// Another job: each claim is a new one.
    Fresh,
    /// What the first was given: claims of a worker process are numbered.
    Numbered,
}

/// When an attempt is charged against the most attempts of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Charge {
    /// When it is granted.
    AtClaim,
    /// When it is started; leases that end unstarted have a bound of their own.
    AtStart,
}

/// Whether the number of leases that a worker process may hold is enforced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capacity {
    /// It is not.
    Unbounded,
    /// It is, where the claim names it.
    Declared,
}

/// Whether a claim recovers expired leases before it picks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TakeOver {
    /// Only sweeps recover.
    Absent,
    /// A few of those that are due, oldest first.
    Due,
}

/// When a job whose lease was lost becomes ready again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Requeue {
    /// At once.
    AtOnce,
    /// After a back-off that grows with its attempts.
    BackOff,
}

/// Whose word the delay before a retry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum RetryDelay {
    /// The worker's.
    Worker,
    /// The worker's wish within the back-off and its cap.
    Bounded,
}

/// Whether an attempt's time-out is enforced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Timeout {
    /// It is only recorded.
    Recorded,
    /// The lease of a started attempt never reaches beyond it.
    Enforced,
}

/// What a cancel of a held job does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cancel {
    /// It ends the record at once; the worker learns by a conflict.
    Flip,
    /// It leaves a request with a running job, which wins over every later end.
    Request,
}

/// Who is shown a lease token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenView {
    /// Whoever is shown the stored record.
    Everyone,
    /// Only the worker that claimed.
    Claimant,
}

/// What a worker sends along with an effect on something outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fence {
    /// Nothing.
    Absent,
    /// Its attempt number, which a resource can compare; the first act after a start raises the fence.
    Attempt,
}

/// Until when a worker believes that it holds a lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Belief {
    /// Until the expiry instant, by its own wall clock.
    Absolute,
    /// For what remained, counted on its monotonic clock from when it sent the request, less a margin.
    Echo,
}

/// What a blocked job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Blocked {
    /// The end: its key answers blocked for ever.
    Final,
    /// A parking state: a repeated create is judged again.
    Parked,
}

/// Whether the operator's switch is asked when a job is handed out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimGate {
    /// Only when it is created.
    Absent,
    /// At each claim, in the step that grants.
    Asked,
}

/// Where admission limits are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// Before the create, on counts read earlier.
    Before,
    /// In the step that inserts.
    InCreate,
}

/// Within what an idempotency key is unique.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyScope {
    /// Everything.
    Global,
    /// Its tenant.
    Tenant,
}

/// What becomes of a key that is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyLength {
    /// It is cut: two keys with a common beginning are one.
    Cut,
    /// It is refused.
    Refused,
}

/// Whether a repeated create that names another job id is the same create.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedId {
    /// It is; its answer is the job of the first id.
    Ignored,
    /// It is a conflict.
    Compared,
}

/// Among jobs of one kind, which comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimOrder {
    /// The oldest by creation time, then by the collation of its id.
    Created,
    /// The longest ready, then by creation number: a retried job goes behind those that waited.
    Ready,
}

/// Which progress types a worker may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgressTypes {
    /// Any in the namespace, the system's own too.
    Any,
    /// Any in the namespace that the system does not use itself.
    Unreserved,
}

/// Whether a renewal is an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Renewals {
    /// Each is.
    Logged,
    /// None is.
    Silent,
}

/// What a cursor beyond the end of an event log is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cursor {
    /// Itself: the reader skips what is yet to come.
    Echoed,
    /// A refusal.
    Refused,
}

/// Whether an ended job still shows what no longer applies: an earlier error, a next attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Leftovers {
    /// It does.
    Kept,
    /// It does not.
    Cleared,
}

/// Which calls show that a worker is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// Claims only.
    Claims,
    /// Claims and heartbeats.
    Heartbeats,
}

/// Whether texts and containers that have no limit on the wire get one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sizes {
    /// They do not.
    Unbounded,
    /// They do, and what is over is refused.
    Bounded,
}

/// The rules of a variant. [`Rules::ORIGINAL`] is what the source does; each [`Knob`](crate::Knob) changes
/// fields that no other knob touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field's type says what it decides")]
pub struct Rules {
    pub clock: Clock,
    pub floor: Floor,
    pub expiry: Expiry,
    pub renew_expiry: Expiry,
    pub renew: Renew,
    pub recheck: Recheck,
    pub identity: Identity,
    pub guard_order: GuardOrder,
    pub replay: Replay,
    pub settle: Settle,
    pub claim_repeat: ClaimRepeat,
    pub charge: Charge,
    pub capacity: Capacity,
    pub take_over: TakeOver,
    pub requeue: Requeue,
    pub retry_delay: RetryDelay,
    pub timeout: Timeout,
    pub cancel: Cancel,
    pub token_view: TokenView,
    pub fence: Fence,
    pub belief: Belief,
    pub blocked: Blocked,
    pub claim_gate: ClaimGate,
    pub admission: Admission,
    pub key_scope: KeyScope,
    pub key_length: KeyLength,
    pub named_id: NamedId,
    pub claim_order: ClaimOrder,
    pub progress_types: ProgressTypes,
    pub renewals: Renewals,
    pub cursor: Cursor,
    pub leftovers: Leftovers,
    pub presence: Presence,
    pub sizes: Sizes,
}

impl Rules {
    /// The order in which a store under these rules hands jobs out, where no ring is asked for.
    pub fn order(&self) -> crate::Order {
        match self.claim_order {
            ClaimOrder::Created => crate::Order::Created,
            ClaimOrder::Ready => crate::Order::Fifo,
        }
    }

    /// What the source protocol does.
    pub const ORIGINAL: Self = Self {
        clock: Clock::Caller,
        floor: Floor::Absent,
        expiry: Expiry::Ignored,
        renew_expiry: Expiry::Ignored,
        renew: Renew::Overwrite,
        recheck: Recheck::Absent,
        identity: Identity::Token,
        guard_order: GuardOrder::StatusFirst,
        replay: Replay::Refused,
        settle: Settle::Held,
        claim_repeat: ClaimRepeat::Fresh,
        charge: Charge::AtClaim,
        capacity: Capacity::Unbounded,
        take_over: TakeOver::Absent,
        requeue: Requeue::AtOnce,
        retry_delay: RetryDelay::Worker,
        timeout: Timeout::Recorded,
        cancel: Cancel::Flip,
        token_view: TokenView::Everyone,
        fence: Fence::Absent,
        belief: Belief::Absolute,
        blocked: Blocked::Final,
        claim_gate: ClaimGate::Absent,
        admission: Admission::Before,
        key_scope: KeyScope::Global,
        key_length: KeyLength::Cut,
        named_id: NamedId::Ignored,
        claim_order: ClaimOrder::Created,
        progress_types: ProgressTypes::Any,
        renewals: Renewals::Logged,
        cursor: Cursor::Echoed,
        leftovers: Leftovers::Kept,
        presence: Presence::Claims,
        sizes: Sizes::Unbounded,
    };
}
