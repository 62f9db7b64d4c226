use super::Job;
use holdover_jobs::{Order, Record, Status};
use holdover_machine::StoreTime;
use std::cmp::Ordering;

/// Whether a worker may be given this job now: it is queued, or its retry is due.
pub(crate) fn is_claimable(record: &Record, now: StoreTime) -> bool {
    match record.status {
        Status::Queued => true,
        Status::Retryable => record.next_attempt_at.is_some_and(|due| due <= now),
        _ => false,
    }
}

/// Which of two jobs is handed out first.
pub(crate) fn compare(order: Order, left: &Job, right: &Job) -> Ordering {
    let (left, right) = (&left.record, &right.record);
    match order {
        Order::Created => {
            let ids = || collate(left.id().as_str(), right.id().as_str());
            left.created_at.cmp(&right.created_at).then_with(ids)
        }
        Order::Fifo | Order::TenantRing => (left.ready_at, left.number).cmp(&(right.ready_at, right.number)),
    }
}

/// Without case first; then, where the case first differs, the small letter.
fn collate(left: &str, right: &str) -> Ordering {
    const ALPHABET: &str = "_-:0123456789abcdefghijklmnopqrstuvwxyz";
    let places = |id: &str| -> Vec<_> { id.to_lowercase().chars().map(|c| ALPHABET.find(c)).collect() };
    let capitals = |id: &str| -> Vec<_> { id.chars().map(|c| c.is_uppercase()).collect() };
    places(left).cmp(&places(right)).then_with(|| capitals(left).cmp(&capitals(right)))
}
