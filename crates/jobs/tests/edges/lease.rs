use crate::runner;
use crate::single::Single;
use holdover_jobs::rules::{Charge, Renew, Renewals, Timeout};
use holdover_jobs::{Change, Lease, LeaseToken, Order, Status};
use holdover_machine::{Span, StoreTime};
use proptest::prelude::*;
use proptest::sample::select;

const LAST: i64 = (1 << 53) - 1;

fn times() -> impl Strategy<Value = StoreTime> {
    prop_oneof![select(vec![0, 1, LAST - 1, LAST]), 0..100_000_i64, 0..=LAST].prop_map(StoreTime::from_ms)
}

fn spans() -> impl Strategy<Value = Span> {
    prop_oneof![select(vec![0, 1, LAST]), 0..100_000_i64, 0..=LAST].prop_map(Span::from_ms)
}

/// At no instant may both act: the owner and those who take the job from it. With no grace, one of them may.
#[test]
fn owner_and_others_are_never_open_together() {
    let verdict = runner(2_000).run(&(times(), times(), spans()), |(now, expires_at, grace)| {
        let lease = Lease {
            token: LeaseToken::new("token").expect("a safe identifier"),
            worker: "w".into(),
            incarnation: None,
            attempt: 1,
            acquired_at: StoreTime::ZERO,
            heartbeat_at: StoreTime::ZERO,
            expires_at,
            deadline: None,
        };
        for now in [now, expires_at, expires_at + grace] {
            let (owner, others) = (lease.open_for_owner(now), lease.open_for_others(now, grace));
            prop_assert!(!(owner && others), "both at {now}");
            prop_assert!(owner != lease.open_for_others(now, Span::ZERO), "none at {now}");
        }
        Ok(())
    });
    verdict.expect("never both");
}

/// A start caps the lease by its deadline; a renewal that extends never shortens it, and passes neither the deadline
/// nor the grace of a cancel; one that overwrites ends exactly where the nearest of the bounds is.
#[test]
fn renewals_stay_within_their_bounds() {
    let times = (times(), times(), times(), times());
    let spans = (spans(), spans(), spans(), spans());
    let verdict = runner(1_500).run(&(times, spans, any::<bool>(), any::<bool>()), |drawn| {
        let ((claimed, started, cancelled, beaten), (lease, timeout, renewal, grace), cancels, extends) =
            drawn;
        let mut single = Single::new(Order::Created, timeout);
        single.create(claimed, None);
        prop_assert!(single.claim(claimed, lease), "a queued job is ready");
        single.operate(started, Change::Start { charge: Charge::AtStart, timeout: Timeout::Enforced });
        let before = single.record().lease.clone().expect("it is held");
        let deadline = started + timeout;
        prop_assert_eq!(before.deadline, Some(deadline));
        prop_assert_eq!(before.expires_at, (claimed + lease).min(deadline));

        if cancels {
            single.ask_to_cancel(cancelled, Span::ZERO);
        }
        if single.record().status != Status::Running {
            prop_assert!(cancels && before.open_for_others(cancelled, Span::ZERO), "it was not in hand");
            return Ok(());
        }
        let heartbeat = Change::Heartbeat {
            lease: renewal,
            renew: if extends { Renew::Extend } else { Renew::Overwrite },
            timeout: Timeout::Enforced,
            cancel_grace: grace,
            renewals: Renewals::Silent,
        };
        single.operate(beaten, heartbeat);
        let after = single.record().lease.clone().expect("it is held").expires_at;
        let asked = (beaten + renewal).min(deadline);
        let end = if cancels { asked.min(cancelled + grace) } else { asked };
        match extends {
            true => prop_assert_eq!(after, end.max(before.expires_at)),
            false => prop_assert_eq!(after, end),
        }
        prop_assert!(after <= deadline, "a lease outlives its deadline");
        Ok(())
    });
    verdict.expect("every renewal is within its bounds");
}
