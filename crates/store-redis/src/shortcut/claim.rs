use crate::arguments::Arguments;
use crate::changes::claim_number;
use crate::found::different;
use holdover_jobs::rules::{Charge, Leftovers};
use holdover_jobs::{Claim, Incarnation, LeaseToken};

/// A claim as the script takes it.
pub(super) fn add(claim: &Claim, more: &[LeaseToken], arguments: &mut Arguments) {
    let process = claim.incarnation.map(|Incarnation(process)| process);
    let number = claim.number.filter(|_| process.is_some()).map(claim_number);
    let grace = claim.take_over.filter(|(count, _)| *count > 0).map(|(_, lose)| lose.grace.ms());
    arguments
        .add(&claim.worker)
        .add_optional(process)
        .add_optional(number)
        .add(claim.remember.ms())
        .add_optional(grace)
        .add_flag(claim.ask_switch)
        .add_optional(claim.held_max)
        .add(claim.lease.ms())
        .add_flag(claim.charge == Charge::AtClaim)
        .add_flag(claim.leftovers == Leftovers::Cleared)
        .add_list(different(&claim.executors))
        .add_list(std::iter::once(&claim.token).chain(more).map(LeaseToken::reveal));
}
