//! The lease tracker.

use crate::support::{LEASE_END, at, lease, session};
use holdover_machine::{Machine, Secret, Timestamp};
use holdover_offers::*;

const START: Timestamp = Timestamp::from_ms(1_000_000);

fn feed(tracker: &mut LeaseTracker, now: Timestamp, input: TrackerInput) -> Vec<TrackerEffect> {
    let mut effects = Vec::new();
    tracker.handle(now, input, &mut effects);
    effects
}

fn tracker() -> LeaseTracker {
    let mut tracker = LeaseTracker::new(RENEWAL_RETRY_DEFAULT);
    feed(&mut tracker, START, TrackerInput::Session(Some(Box::new(session()))));
    tracker
}

fn track(lease: Lease) -> TrackerInput {
    TrackerInput::Track(Box::new(lease))
}

fn renewed(renewal: Renewal) -> TrackerInput {
    TrackerInput::Renewed { attempt_id: "a".into(), renewal }
}

fn next_version(expires_at: i64) -> Lease {
    Lease { expires_at: at(expires_at), ..lease("a", 4) }
}

fn tracked() -> LeaseTracker {
    let mut tracker = tracker();
    feed(&mut tracker, START, track(lease("a", 3)));
    tracker
}

fn renewing() -> LeaseTracker {
    let mut tracker = tracked();
    feed(&mut tracker, at(1_030_000), TrackerInput::Wake);
    tracker
}

fn lost(reason: LossReason) -> TrackerEffect {
    TrackerEffect::Lost(Loss { lease: Box::new(lease("a", 3)), reason })
}

/// Goal: what must not be tracked is refused, in the documented order of reasons.
#[test]
fn refusals() {
    type Change = fn(&mut Lease);
    let cases: &[(Change, Option<Refusal>)] = &[
        (|_| {}, None),
        (|lease| lease.version = 9, None),
        (|lease| lease.expires_at = START, Some(Refusal::Expired)),
        (|lease| lease.status = LeaseStatus::Completed, Some(Refusal::Expired)),
        (|lease| lease.worker_generation = 6, Some(Refusal::Session)),
        (|lease| lease.lease_token = Secret::new("another".into()), Some(Refusal::Authority)),
        (|lease| lease.attempt_id = "c".into(), Some(Refusal::Concurrency)),
        (
            |lease| {
                lease.attempt_id = "c".into();
                lease.expires_at = START;
            },
            Some(Refusal::Expired),
        ),
    ];
    for (number, (change, refusal)) in cases.iter().enumerate() {
        let mut tracker = tracked();
        feed(&mut tracker, START, track(lease("b", 1)));
        let mut lease = lease("a", 3);
        change(&mut lease);
        let attempt_id = lease.attempt_id.clone();
        let result = refusal.map_or(Ok(()), Err);
        let answer = TrackerEffect::Tracked { attempt_id, result };
        assert_eq!(feed(&mut tracker, START, track(lease)).first(), Some(&answer), "case {number}");
    }
}

/// Goal: a lease is renewed at half of its window, and again at half of the window that the renewal gave.
#[test]
fn renewal() {
    let mut tracker = tracker();
    let effects = feed(&mut tracker, START, track(lease("a", 3)));
    assert_eq!(effects.last(), Some(&TrackerEffect::WakeAt(at(1_030_000))));
    assert_eq!(feed(&mut tracker, at(1_029_999), TrackerInput::Wake), [TrackerEffect::WakeAt(at(1_030_000))]);
    let effects = feed(&mut tracker, at(1_030_000), TrackerInput::Wake);
    let renew = TrackerEffect::Renew(Box::new(lease("a", 3)));
    assert_eq!(effects, [renew, TrackerEffect::WakeAt(LEASE_END)], "the end of the lease is the next date");
    let effects =
        feed(&mut tracker, at(1_031_000), renewed(Renewal::Renewed(Box::new(next_version(1_091_000)))));
    assert_eq!(effects, [TrackerEffect::WakeAt(at(1_061_000))]);
    assert_eq!(tracker.lease("a").map(|lease| lease.version), Some(4));
}

/// Goal: a renewal that failed, or that brought no renewed lease, is tried again after the configured time.
#[test]
fn a_failed_renewal_is_repeated() {
    let odd: Vec<Lease> = vec![
        lease("a", 3),
        lease("a", 5),
        next_version(1_031_000),
        Lease { status: LeaseStatus::Released, ..next_version(1_091_000) },
        Lease { lease_generation: 1, ..next_version(1_091_000) },
        Lease { updated_at: at(1), ..next_version(1_091_000) },
    ];
    let odd = odd.into_iter().map(|lease| Renewal::Renewed(Box::new(lease)));
    for renewal in [Renewal::Failed, Renewal::Unknown].into_iter().chain(odd) {
        let mut tracker = renewing();
        let effects = feed(&mut tracker, at(1_031_000), renewed(renewal.clone()));
        assert_eq!(effects, [TrackerEffect::WakeAt(at(1_032_000))], "{renewal:?}");
        let effects = feed(&mut tracker, at(1_032_000), TrackerInput::Wake);
        assert_eq!(effects.first(), Some(&TrackerEffect::Renew(Box::new(lease("a", 3)))));
    }
}

/// Goal: a refusal, the end of the lease and another session each lose the lease, once.
#[test]
fn losses() {
    let rejected = renewed(Renewal::Rejected(FenceReason::VersionMismatch));
    let mut other = session();
    other.generation = 6;
    let cases = [
        (at(1_031_000), rejected, LossReason::Fenced),
        (LEASE_END, TrackerInput::Wake, LossReason::LeaseExpired),
        (at(1_031_000), TrackerInput::Session(Some(Box::new(other))), LossReason::SessionChanged),
        (at(1_031_000), TrackerInput::Session(None), LossReason::SessionChanged),
    ];
    for (now, input, reason) in cases {
        let mut tracker = renewing();
        assert_eq!(feed(&mut tracker, now, input), [lost(reason)]);
        assert_eq!(tracker.lease("a"), None);
        let late = renewed(Renewal::Renewed(Box::new(next_version(1_091_000))));
        assert_eq!(feed(&mut tracker, now, late), [], "a late answer brings nothing back");
    }
}

/// Goal: an untracked lease is neither renewed nor lost, and an older version does not replace a newer one.
#[test]
fn untracking() {
    let mut tracker = tracked();
    let later = at(1_010_000);
    assert_eq!(feed(&mut tracker, later, track(lease("a", 3))).len(), 1, "the renewal is not put off");
    assert_eq!(feed(&mut tracker, START, track(lease("a", 2))).len(), 1);
    assert_eq!(tracker.lease("a").map(|lease| lease.version), Some(3));
    assert_eq!(feed(&mut tracker, START, TrackerInput::Untrack("a".into())), []);
    assert_eq!(feed(&mut tracker, LEASE_END, TrackerInput::Wake), []);
}
