use crate::single::Single;
use holdover_jobs::*;
use holdover_machine::{Span, StoreTime};

const NOW: StoreTime = StoreTime::from_ms(1_000);
const ORDERS: [Order; 3] = [Order::Created, Order::Fifo, Order::TenantRing];

/// The counts of the job's tenant and user.
fn counts(single: &mut Single) -> AdmissionCounts {
    let subject = Subject { tenant: Some("t".into()), user: Some("u".into()) };
    let window = Span::from_ms(1_000);
    match single.call(NOW, Command::AdmissionCounts { subject, window }) {
        Reply::AdmissionCounts(counts) => counts,
        other => panic!("the counts were asked for: {other:?}"),
    }
}

/// A job that was parked and then let in.
fn let_in(order: Order) -> (Single, Record) {
    let mut single = Single::new(order, Span::from_ms(1_000));
    let shut = AdmissionLimits { global_active_max: Some(0), ..AdmissionLimits::default() };
    single.create(NOW, Some(shut));
    let parked = single.record().clone();
    assert_eq!(parked.status, Status::Blocked);
    single.create(NOW, Some(AdmissionLimits::default()));
    assert_eq!(single.record().status, Status::Queued);
    (single, parked)
}

const NONE: AdmissionCounts =
    AdmissionCounts { global_active: 0, tenant_active: 0, user_active: 0, tenant_recent: 0, user_recent: 0 };
const ONE: AdmissionCounts =
    AdmissionCounts { global_active: 1, tenant_active: 1, user_active: 1, tenant_recent: 1, user_recent: 1 };

/// A store lost that a parked job had been let in. The indexes went by what the record says of its request, which is
/// not kept for a parked job: the tenant's active job was counted for ever, and in a ring the parked job stayed in
/// its tenant's line and was handed out.
#[test]
fn a_job_put_back_to_parked_counts_nowhere_and_is_not_handed_out() {
    for order in ORDERS {
        let (mut single, parked) = let_in(order);
        assert_eq!(counts(&mut single), ONE);
        single.table.restore(parked, Vec::new());
        assert_eq!(counts(&mut single), NONE, "{order:?}");
        assert!(!single.claim(NOW, Span::from_ms(1)), "{order:?}: a parked job was handed out");
    }
}

/// And the other way round: that it was let in came back. Its tenant counted two active jobs.
#[test]
fn a_parked_job_put_back_to_queued_counts_as_recent() {
    for order in ORDERS {
        let (mut single, parked) = let_in(order);
        let queued = single.record().clone();
        single.table.restore(parked, Vec::new());
        single.table.restore(queued, Vec::new());
        assert_eq!(counts(&mut single), ONE, "{order:?}");
        assert!(single.claim(NOW, Span::from_ms(1)), "{order:?}: a queued job is ready");
    }
}
