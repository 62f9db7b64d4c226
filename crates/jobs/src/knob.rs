//! The knobs: each closes one weakness of the original by changing rules that no other knob touches.

use crate::Rules;
use crate::rules::{
    Admission, Belief, Blocked, Cancel, Capacity, Charge, ClaimGate, ClaimOrder, ClaimRepeat, Clock, Cursor,
    Expiry, Fence, Floor, GuardOrder, Identity, KeyLength, KeyScope, Leftovers, NamedId, Presence,
    ProgressTypes, Recheck, Renew, Renewals, Replay, Requeue, RetryDelay, Settle, Sizes, TakeOver, Timeout,
    TokenView,
};

/// What shows that a knob matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An invariant falls without it.
    Engine,
    /// A caller is told something else without it; nothing that is promised falls.
    Answer,
}

/// One closed weakness.
#[derive(Debug, Clone, Copy)]
pub struct Knob {
    /// Its name, for `hardened-without-<id>`.
    pub id: &'static str,
    /// The weakness: a number of the catalogue, or `-` and a word for the unnumbered ones.
    pub weakness: &'static str,
    /// What shows that it matters.
    pub kind: Kind,
    /// What the rule says, in a sentence.
    pub doc: &'static str,
    /// Applies the rule.
    pub apply: fn(&mut Rules),
}

macro_rules! knobs {
    ($($id:literal $weakness:literal $kind:ident $doc:literal { $($field:ident = $value:expr),* })*) => {
        &[$(Knob { id: $id, weakness: $weakness, kind: Kind::$kind, doc: $doc, apply: |rules| { $(rules.$field = $value;)* } }),*]
    };
}

/// All of them. Original is none, hardened is all, the mutant of a weakness is all but one.
pub const KNOBS: &[Knob] = knobs! {
    "store-clock" "-skew" Engine "The store's own clock stamps and judges." { clock = Clock::Store }
    "floor" "W14" Engine "The store's time stands still while its clock is behind." { floor = Floor::Held }
    "expiry" "W01" Engine "Start, progress, complete and fail are refused once the lease is over." { expiry = Expiry::Checked }
    "renew-expiry" "W02" Engine "A heartbeat does not revive a lease that is over." { renew_expiry = Expiry::Checked }
    "extend" "W03" Engine "A heartbeat never shortens a lease." { renew = Renew::Extend }
    "recheck" "W04" Engine "Recovery looks at the expiry again in the step that takes the lease." { recheck = Recheck::Made }
    "identity" "W29" Engine "A lease operation proves attempt and worker incarnation, not the token alone." { identity = Identity::Attempt }
    "guard-order" "W17" Answer "A lost lease has one code, and it is looked at before the status." { guard_order = GuardOrder::LeaseFirst }
    "replay" "W16" Engine "A repeated start, complete or fail is answered as the first was." { replay = Replay::Answered }
    "started" "W26" Engine "Only a started attempt can complete or report progress." { settle = Settle::Started }
    "numbered-claims" "W15" Engine "A repeated claim is given what the first was given." { claim_repeat = ClaimRepeat::Numbered }
    "charge-at-start" "-charge" Engine "An attempt counts when it is started; unstarted leases have their own bound." { charge = Charge::AtStart }
    "capacity" "W33" Engine "A worker process holds no more leases than it declares." { capacity = Capacity::Declared }
    "take-over" "W23" Engine "A claim recovers due leases before it picks." { take_over = TakeOver::Due }
    "back-off" "W10" Engine "A job whose lease was lost waits before it is ready again." { requeue = Requeue::BackOff }
    "retry-bound" "-retry-delay" Engine "The delay before a retry is the worker's wish within bounds." { retry_delay = RetryDelay::Bounded }
    "timeout" "W11" Engine "The lease of a started attempt ends with its time-out, and an unstarted one is not renewed." { timeout = Timeout::Enforced }
    "cancel-request" "W05" Engine "A cancel of a running job is a request that the worker is told and that wins." { cancel = Cancel::Request }
    "token-secrecy" "W06" Engine "Only the claimant is shown the token." { token_view = TokenView::Claimant }
    "fence" "W18" Engine "The attempt number goes along with every effect, and the first act raises the fence." { fence = Fence::Attempt }
    "echo" "-belief" Engine "A worker counts what remained from when it asked, on its monotonic clock." { belief = Belief::Echo }
    "parked" "W08" Engine "A blocked job is judged again when its create is repeated." { blocked = Blocked::Parked }
    "claim-gate" "W09" Engine "The operator's switch is asked again in the step that grants." { claim_gate = ClaimGate::Asked }
    "admission-in-create" "W07" Engine "Admission limits are judged in the step that inserts." { admission = Admission::InCreate }
    "tenant-keys" "W22" Engine "An idempotency key belongs to its tenant." { key_scope = KeyScope::Tenant }
    "long-keys" "-long-keys" Engine "A key that is too long is refused, not cut." { key_length = KeyLength::Refused }
    "named-id" "-named-id" Engine "A repeated create that names another id is a conflict." { named_id = NamedId::Compared }
    "ready-order" "W28" Engine "Who has been ready longest is claimed first." { claim_order = ClaimOrder::Ready }
    "reserved-types" "W20" Engine "Progress cannot speak in the system's name." { progress_types = ProgressTypes::Unreserved }
    "silent-renewals" "W25" Answer "Renewals are no events." { renewals = Renewals::Silent }
    "cursor" "-cursor" Answer "A cursor beyond the end of the log is refused." { cursor = Cursor::Refused }
    "leftovers" "W27" Answer "An ended job shows no earlier error and no next attempt." { leftovers = Leftovers::Cleared }
    "presence" "W21" Answer "Heartbeats show that a worker is there." { presence = Presence::Heartbeats }
    "sizes" "W34" Answer "Texts and containers without a limit get one." { sizes = Sizes::Bounded }
};

impl Rules {
    /// The rules with these knobs applied to the original.
    pub fn with<'a>(knobs: impl IntoIterator<Item = &'a Knob>) -> Self {
        let mut rules = Self::ORIGINAL;
        for knob in knobs {
            (knob.apply)(&mut rules);
        }
        rules
    }

    /// The hardened variant: every knob.
    pub fn hardened() -> Self {
        Self::with(KNOBS)
    }

    /// The rules of a variant by name: `original`, `hardened`, or `hardened-without-<knob>[,<knob>...]`.
    pub fn named(name: &str) -> Option<Self> {
        if name == "original" {
            return Some(Self::ORIGINAL);
        }
        let without = match name.strip_prefix("hardened-without-") {
            Some(list) => list
                .split(',')
                .map(|id| KNOBS.iter().find(|knob| knob.id == id))
                .collect::<Option<Vec<_>>>()?,
            None if name == "hardened" => Vec::new(),
            None => return None,
        };
        Some(Self::with(KNOBS.iter().filter(|knob| without.iter().all(|other| other.id != knob.id))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Knobs touch disjoint fields: any order gives the same rules, and each changes something alone.
    #[test]
    fn order_does_not_matter() {
        assert_eq!(Rules::with(KNOBS.iter().rev()), Rules::hardened());
        for (index, knob) in KNOBS.iter().enumerate() {
            let rotated = KNOBS[index..].iter().chain(&KNOBS[..index]);
            assert_eq!(Rules::with(rotated), Rules::hardened(), "{}", knob.id);
            assert_ne!(Rules::with([knob]), Rules::ORIGINAL, "{}", knob.id);
        }
    }

    /// Names of variants are exact; ids of knobs are unique.
    #[test]
    fn names_select_rules() {
        assert_eq!(Rules::named("original"), Some(Rules::ORIGINAL));
        assert_eq!(Rules::named("hardened"), Some(Rules::hardened()));
        assert_eq!(Rules::named("hardened-without-floor").map(|rules| rules.floor), Some(Floor::Absent));
        assert_eq!(Rules::named("hardened-without-nothing"), None);
        assert_eq!(Rules::named("soft"), None);
        let mut ids: Vec<_> = KNOBS.iter().map(|knob| knob.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), KNOBS.len());
    }
}
