//! Recover: list what is over, then take one lease after the other. Between the list and the taking a heartbeat
//! may come in.

use super::{Flight, Next, view_for_holder};
use crate::{Answer, Error, JobView, Operated, Policy, Record, Reply};
use std::collections::VecDeque;
use std::sync::Arc;

#[derive(Debug, Clone)]
pub(super) enum RecoverFlight {
    /// The expired leases are listed.
    Listing,
    /// One of them is being taken.
    Taking { inspected: usize, left: VecDeque<Arc<Record>>, recovered: Vec<JobView> },
}

pub(super) fn stored(policy: &Policy, flight: RecoverFlight, reply: Reply) -> Next {
    match (flight, reply) {
        (RecoverFlight::Listing, Reply::Expired(list)) => next(policy, list.len(), list.into(), Vec::new()),
        (RecoverFlight::Taking { inspected, left, mut recovered }, Reply::Operated(operated)) => {
            if let Operated::Applied { record, .. } = operated {
                recovered.push(view_for_holder(record));
            }
            next(policy, inspected, left, recovered)
        }
        _ => Next::Answer(Err(Error::OutcomeUnknown("the store's reply does not fit the command".into()))),
    }
}

fn next(policy: &Policy, inspected: usize, mut left: VecDeque<Arc<Record>>, recovered: Vec<JobView>) -> Next {
    while let Some(record) = left.pop_front() {
        if let Some(lease) = &record.lease {
            let command = policy.recover(record.id(), &lease.token);
            return Next::Store(
                command,
                Flight::Recover(RecoverFlight::Taking { inspected, left, recovered }),
            );
        }
    }
    Next::Answer(Ok(Answer::Recovered { inspected, recovered }))
}
