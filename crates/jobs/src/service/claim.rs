//! Claim: show that the worker is there, then hand a job out.

use super::{Flight, Next, view_for_holder};
use crate::{Answer, ClaimRequest, ClaimView, Claimed, Command, Error, Policy, Reply, Standing};

#[derive(Debug, Clone)]
pub(super) enum ClaimFlight {
    /// The worker is announced.
    Announcing(Box<ClaimRequest>),
    /// The job is picked.
    Picking(Box<ClaimRequest>),
}

pub(super) fn begin(request: ClaimRequest) -> Next {
    let command = Command::Announce(request.announcement.clone());
    Next::Store(command, Flight::Claim(ClaimFlight::Announcing(Box::new(request))))
}

pub(super) fn stored(policy: &Policy, flight: ClaimFlight, reply: Reply) -> Next {
    match (flight, reply) {
        (ClaimFlight::Announcing(request), Reply::Done) if request.announcement.draining => {
            Next::Answer(Ok(Answer::Claim(None)))
        }
        (ClaimFlight::Announcing(request), Reply::Done) => {
            Next::Store(policy.claim(&request), Flight::Claim(ClaimFlight::Picking(request)))
        }
        (ClaimFlight::Picking(request), Reply::Claimed(claimed)) => Next::Answer(match claimed {
            Claimed::Nothing => Ok(Answer::Claim(None)),
            Claimed::Granted(grant) => {
                let standing = Standing::of(&grant.record, grant.now, request.echo, grant.replayed);
                let job = view_for_holder(grant.record);
                let token = job.token.clone().unwrap_or_else(|| request.token.clone());
                Ok(Answer::Claim(Some(Box::new(ClaimView { job, token, standing }))))
            }
            Claimed::Stale(last) => Err(Error::ClaimStale { number: request.number.unwrap_or(0), last }),
            Claimed::Over => Err(Error::ClaimOver { number: request.number.unwrap_or(0) }),
        }),
        _ => Next::Answer(Err(Error::OutcomeUnknown("the store's reply does not fit the command".into()))),
    }
}
