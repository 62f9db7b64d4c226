use crate::{Lease, Offer, State};

/// The decisions in which another variant of the protocol may differ. There is one variant, the original.
///
/// A decision that is no field and no function of this type still has one home, a single function:
///
/// | weakness | decision | home |
/// |---|---|---|
/// | W-O1, W-O2 | what a failing write of `started` leaves running | `receiver::step::advance`, on a failed write |
/// | W-O3, W-O4 | when the process's metadata are checked, and what happens then | `receiver::launch::spawned` |
/// | W-O5 | which start failures mean "not started" | `receiver::launch::started` |
/// | W-O6, W-O20 | what is durable about the process before the start | `receiver::launch::prepared` |
/// | W-O7 | how a mutation is published | [`Directory::publish`](crate::Directory::publish) |
/// | W-O8 | whether the directory must be flushed | the journal's adapter; its contract says best effort |
/// | W-O9 | which records retention may remove | [`Rules::removable`] |
/// | W-O10 | the lease of the recovery coordinator's commands | `recovery::coordinator::operation::complete` |
/// | W-O11 | the lease and the repetition of acknowledge starting | `receiver::arrival::acknowledge_starting` |
/// | W-O12, W-O13, W-O14 | what follows when the tracker refuses | `receiver::current_lease::tracked` |
/// | W-O15 | which states answer before the target check | [`Rules::answered_before_target`] |
/// | W-O16, W-O24 | into which states a newer lease is merged | [`Rules::merged_into`] |
/// | W-O17, W-O18 | whether the lease of a reply is believed | [`Rules::reply_lease`] |
/// | W-O19 | what is kept of the state before `recovery_required` | `Record::require_recovery` |
/// | W-O21 | the start time that the control plane is told | `receiver::report::acknowledge_running` |
/// | W-O22 | what a shared delivery contributes | `receiver::Receiver::share` |
/// | W-O23 | which differences are worth a write | [`Rules::writes_merge`] |
/// | W-O25 | the order of untracking and settling | `receiver::report::failure_reported` |
/// | W-O26 | what one malformed record does to a listing | the journal's adapter |
/// | W-O27 | the order of a limit's members in the canonical form | `NumericLimit::serialize` |
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The states in which a redelivery is answered whatever the session and the lease are now.
    pub answered_before_target: &'static [State],
    /// The states in which a newer lease of a redelivery is journaled.
    pub merged_into: &'static [State],
    /// The states whose records retention may remove.
    pub removable: &'static [State],
}

impl Rules {
    /// What the protocol does where it was found.
    pub const fn original() -> Self {
        Self {
            answered_before_target: &[State::CompletionAcknowledged],
            merged_into: &State::ALL,
            removable: &[State::StartFailureAcknowledged, State::CompletionAcknowledged],
        }
    }

    /// The lease to journal when the control plane's reply carries `replied`.
    pub fn reply_lease(&self, _journaled: &Lease, replied: Lease) -> Lease {
        replied
    }

    /// Whether the merge of a redelivery differs enough from the journaled offer to be written.
    pub fn writes_merge(&self, journaled: &Offer, merged: &Offer) -> bool {
        merged.lease.version != journaled.lease.version
    }
}
