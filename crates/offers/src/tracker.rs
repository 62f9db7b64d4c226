//! The lease tracker: keeps this worker's leases alive and tells when one is lost.

use crate::{FenceReason, Lease, LeaseStatus, Session, Text, check::WHOLE_MAX};
use holdover_machine::{Machine, Span, Timestamp};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, ops::RangeInclusive};

/// How long after a failed renewal the next is tried, unless configured.
pub const RENEWAL_RETRY_DEFAULT: Span = Span::from_ms(1_000);
/// What can be configured for it, in milliseconds.
pub const RENEWAL_RETRY_RANGE: RangeInclusive<i64> = 100..=5_000;

/// Why a lease cannot be tracked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// It has ended.
    Expired,
    /// It is not the current session's.
    Session,
    /// The attempt is tracked under another lease.
    Authority,
    /// The session holds as many leases as it may.
    Concurrency,
}

/// Why a lease was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LossReason {
    /// The control plane refused a renewal.
    Fenced,
    /// It was not renewed in time.
    LeaseExpired,
    /// The session is another now, or over.
    SessionChanged,
}

/// A lease that this worker held and no longer holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Deserialize)]
pub struct Loss {
    /// The lease.
    pub lease: Box<Lease>,
    /// Why it was lost.
    pub reason: LossReason,
}

/// How a renewal ended.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Renewal {
    /// The lease at its next version.
    Renewed(Box<Lease>),
    /// The control plane refused the fence.
    Rejected(FenceReason),
    /// It was not carried out.
    Failed,
    /// Nobody knows whether it was carried out.
    Unknown,
}

/// What can happen to a tracker.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TrackerInput {
    /// The worker's session changed.
    Session(Option<Box<Session>>),
    /// Track this lease.
    Track(Box<Lease>),
    /// Track the lease of this attempt no longer.
    Untrack(Text),
    /// A renewal ended.
    Renewed {
        /// The attempt.
        attempt_id: Text,
        /// How it ended.
        renewal: Renewal,
    },
    /// The time that was asked for has come.
    Wake,
}

/// Everything a tracker can want done.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TrackerEffect {
    /// The answer to [`TrackerInput::Track`].
    Tracked {
        /// The attempt.
        attempt_id: Text,
        /// Whether it is tracked now.
        result: Result<(), Refusal>,
    },
    /// Renew this lease.
    Renew(Box<Lease>),
    /// Wake the tracker then, and no longer when asked before.
    WakeAt(Timestamp),
    /// Tell who has to know.
    Lost(Loss),
}

/// Why `lease` must not be tracked beside `tracked`; the reasons are looked for in this order.
pub fn refusal<'a>(
    lease: &Lease,
    mut tracked: impl ExactSizeIterator<Item = &'a Lease>,
    session: Option<&Session>,
    now: Timestamp,
) -> Option<Refusal> {
    if lease.status != LeaseStatus::Leased || lease.expired(now) {
        return Some(Refusal::Expired);
    }
    let Some(session) = session.filter(|session| session.holds(lease)) else { return Some(Refusal::Session) };
    let full = tracked.len() as u64 >= session.max_concurrent_runs;
    match tracked.find(|other| other.attempt_id == lease.attempt_id) {
        Some(known) if !known.same_authority(lease) => Some(Refusal::Authority),
        None if full => Some(Refusal::Concurrency),
        _ => None,
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Tracked {
    lease: Box<Lease>,
    /// When to renew; none while a renewal is under way.
    due: Option<Timestamp>,
}

/// Holds the live leases of one worker in memory and renews each at half of its remaining window.
///
/// The journal does not learn of renewals here; it learns from replies and redeliveries.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LeaseTracker {
    retry: Span,
    session: Option<Box<Session>>,
    leases: BTreeMap<Text, Tracked>,
    wake_at: Option<Timestamp>,
}

impl LeaseTracker {
    /// A tracker without leases; `retry` is brought into its range.
    pub fn new(retry: Span) -> Self {
        let retry = Span::from_ms(retry.ms().clamp(*RENEWAL_RETRY_RANGE.start(), *RENEWAL_RETRY_RANGE.end()));
        Self { retry, session: None, leases: BTreeMap::new(), wake_at: None }
    }

    /// The tracked lease of an attempt.
    pub fn lease(&self, attempt_id: &str) -> Option<&Lease> {
        self.leases.values().map(|tracked| &*tracked.lease).find(|lease| &*lease.attempt_id == attempt_id)
    }

    fn session_changed(&mut self, session: Option<Box<Session>>, effects: &mut Vec<TrackerEffect>) {
        self.session = session;
        let session = self.session.clone();
        self.lose(LossReason::SessionChanged, effects, |lease| {
            !session.as_ref().is_some_and(|session| session.holds(lease))
        });
    }

    fn track(&mut self, now: Timestamp, lease: Box<Lease>, effects: &mut Vec<TrackerEffect>) {
        let others = self.leases.values().map(|tracked| &*tracked.lease);
        let refusal = refusal(&lease, others, self.session.as_deref(), now);
        let attempt_id = lease.attempt_id.clone();
        if refusal.is_none() && self.lease(&attempt_id).is_none_or(|known| known.version < lease.version) {
            self.leases.insert(attempt_id.clone(), Tracked { due: Some(half_way(now, &lease)), lease });
        }
        effects.push(TrackerEffect::Tracked { attempt_id, result: refusal.map_or(Ok(()), Err) });
    }

    fn renewed(
        &mut self,
        now: Timestamp,
        attempt_id: &Text,
        renewal: Renewal,
        effects: &mut Vec<TrackerEffect>,
    ) {
        let Some(tracked) = self.leases.get_mut(attempt_id) else { return };
        match renewal {
            Renewal::Renewed(lease) if is_renewal(&tracked.lease, &lease, now) => {
                *tracked = Tracked { due: Some(half_way(now, &lease)), lease };
            }
            Renewal::Rejected(_) => {
                self.lose(LossReason::Fenced, effects, |lease| lease.attempt_id == *attempt_id);
            }
            Renewal::Renewed(_) | Renewal::Failed | Renewal::Unknown => tracked.due = Some(now + self.retry),
        }
    }

    fn lose(&mut self, reason: LossReason, effects: &mut Vec<TrackerEffect>, lost: impl Fn(&Lease) -> bool) {
        self.leases.retain(|_, tracked| {
            if !lost(&tracked.lease) {
                return true;
            }
            effects.push(TrackerEffect::Lost(Loss { lease: tracked.lease.clone(), reason }));
            false
        });
    }

    fn renew_due(&mut self, now: Timestamp, effects: &mut Vec<TrackerEffect>) {
        for tracked in self.leases.values_mut() {
            if tracked.due.take_if(|due| *due <= now).is_some() {
                effects.push(TrackerEffect::Renew(tracked.lease.clone()));
            }
        }
    }

    fn ask_to_be_woken(&mut self, effects: &mut Vec<TrackerEffect>) {
        let next =
            |tracked: &Tracked| tracked.due.unwrap_or(tracked.lease.expires_at).min(tracked.lease.expires_at);
        let wake_at = self.leases.values().map(next).min();
        if let Some(at) = wake_at.filter(|_| wake_at != self.wake_at) {
            effects.push(TrackerEffect::WakeAt(at));
        }
        self.wake_at = wake_at;
    }
}

impl Machine for LeaseTracker {
    type Input = TrackerInput;
    type Effect = TrackerEffect;

    fn handle(&mut self, now: Timestamp, input: TrackerInput, effects: &mut Vec<TrackerEffect>) {
        match input {
            TrackerInput::Session(session) => self.session_changed(session, effects),
            TrackerInput::Track(lease) => self.track(now, lease, effects),
            TrackerInput::Untrack(attempt_id) => drop(self.leases.remove(&attempt_id)),
            TrackerInput::Renewed { attempt_id, renewal } => self.renewed(now, &attempt_id, renewal, effects),
            TrackerInput::Wake => self.wake_at = None,
        }
        self.lose(LossReason::LeaseExpired, effects, |lease| lease.expired(now));
        self.renew_due(now, effects);
        self.ask_to_be_woken(effects);
    }
}

fn is_renewal(old: &Lease, new: &Lease, now: Timestamp) -> bool {
    let next = old.version < WHOLE_MAX && new.version == old.version + 1;
    next && new.same_authority(old)
        && new.check().is_ok()
        && new.status == LeaseStatus::Leased
        && !new.expired(now)
}

fn half_way(now: Timestamp, lease: &Lease) -> Timestamp {
    now + Span::from_ms((lease.expires_at - now).ms() / 2)
}
