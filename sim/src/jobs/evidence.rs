use holdover::Planted;
use holdover_jobs::KNOBS;

/// Which invariant falls when a knob is taken out of the hardened variant: named beforehand, so that a planted
/// bug counts as found only by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evidence {
    /// The knob.
    pub knob: &'static str,
    /// The kind of bug that its absence is.
    pub class: &'static str,
    /// The invariant that falls without it.
    pub invariant: &'static str,
    /// Another knob, or a planted bug, without which the fall is hidden.
    pub masked_by: Option<&'static str>,
}

impl Evidence {
    /// The variant that shows it: hardened without the knob, and without what hides it.
    pub fn variant(&self) -> String {
        match self.masked_by {
            None => format!("hardened-without-{}", self.knob),
            Some(mask) => format!("{}{},{mask}", Planted::PREFIX, self.knob),
        }
    }

    /// All variants that show it. The original has every knob out, but no planted bug.
    pub fn variants(&self) -> Vec<String> {
        let mask_is_knob = self.masked_by.is_none_or(|mask| KNOBS.iter().any(|knob| knob.id == mask));
        let original = mask_is_knob.then(|| "original".to_owned());
        original.into_iter().chain([self.variant()]).collect()
    }
}

const fn shows(knob: &'static str, class: &'static str, invariant: &'static str) -> Evidence {
    Evidence { knob, class, invariant, masked_by: None }
}

const fn masked(
    knob: &'static str,
    class: &'static str,
    invariant: &'static str,
    mask: &'static str,
) -> Evidence {
    Evidence { knob, class, invariant, masked_by: Some(mask) }
}

/// One line for each knob whose kind is `Engine`.
pub const EVIDENCE: &[Evidence] = &[
    shows("store-clock", "clock", "lease-length"),
    shows("floor", "clock", "time-order"),
    shows("expiry", "expiry", "expired-is-over"),
    shows("renew-expiry", "expiry", "expired-is-over"),
    shows("extend", "renewal", "heartbeat-monotone"),
    // A heartbeat that is refused once its lease is over cannot come between list and recovery.
    masked("recheck", "recovery", "no-false-recovery", "renew-expiry"),
    // A token that is fresh for each lease tells attempts apart by itself.
    masked("identity", "fencing", "fencing", "token-reused"),
    shows("replay", "repeat", "idempotent-settle"),
    shows("started", "start", "start-before-result"),
    shows("numbered-claims", "claim repeat", "idempotent-claim"),
    shows("charge-at-start", "attempts", "attempts-charged"),
    shows("capacity", "capacity", "lease-capacity"),
    shows("take-over", "recovery", "eventual-recovery"),
    shows("back-off", "back-off", "no-early-retry"),
    shows("retry-bound", "back-off", "no-early-retry"),
    shows("timeout", "time-out", "attempt-timeout"),
    shows("cancel-request", "cancel", "no-work-after-end"),
    shows("token-secrecy", "secrecy", "no-secret"),
    shows("fence", "effects", "no-stale-effect"),
    shows("echo", "belief", "single-owner"),
    shows("parked", "keys", "key-lifecycle"),
    shows("claim-gate", "switch", "kill-switch"),
    shows("admission-in-create", "admission", "admission-limit"),
    shows("tenant-keys", "keys", "idempotent-create"),
    shows("long-keys", "keys", "idempotent-create"),
    shows("named-id", "create", "idempotent-create"),
    shows("ready-order", "order", "fair-claim"),
    shows("reserved-types", "event log", "event-log-truthful"),
];
