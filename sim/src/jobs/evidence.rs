/// Which invariant falls when a knob is taken out of the hardened variant: named beforehand, so that a planted
/// bug counts as found only by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evidence {
    /// The knob.
    pub knob: &'static str,
    /// The invariant that falls without it.
    pub invariant: &'static str,
    /// Another knob that hides the fall; both must be out for it to show.
    pub masked_by: Option<&'static str>,
}

impl Evidence {
    /// The variant that shows it: hardened without the knob, and without the one that hides it.
    pub fn variant(&self) -> String {
        match self.masked_by {
            None => format!("hardened-without-{}", self.knob),
            Some(mask) => format!("hardened-without-{},{mask}", self.knob),
        }
    }
}

const fn shows(knob: &'static str, invariant: &'static str) -> Evidence {
    Evidence { knob, invariant, masked_by: None }
}

const fn masked(knob: &'static str, invariant: &'static str, mask: &'static str) -> Evidence {
    Evidence { knob, invariant, masked_by: Some(mask) }
}

/// One line for each knob whose kind is `Engine`.
pub const EVIDENCE: &[Evidence] = &[
    shows("store-clock", "lease-length"),
    shows("floor", "time-order"),
    shows("expiry", "expired-is-over"),
    shows("renew-expiry", "expired-is-over"),
    shows("extend", "heartbeat-monotone"),
    // A heartbeat that is refused once its lease is over cannot come between list and recovery.
    masked("recheck", "no-false-recovery", "renew-expiry"),
    // Without a leak, nobody but the worker has the token.
    masked("identity", "fencing", "token-secrecy"),
    shows("replay", "idempotent-settle"),
    shows("started", "start-before-result"),
    shows("numbered-claims", "idempotent-claim"),
    shows("charge-at-start", "attempts-charged"),
    shows("capacity", "lease-capacity"),
    shows("take-over", "eventual-recovery"),
    shows("back-off", "no-early-retry"),
    shows("retry-bound", "no-early-retry"),
    shows("timeout", "attempt-timeout"),
    shows("cancel-request", "no-work-after-end"),
    shows("token-secrecy", "no-secret"),
    shows("fence", "no-stale-effect"),
    shows("echo", "single-owner"),
    shows("parked", "key-lifecycle"),
    shows("claim-gate", "kill-switch"),
    shows("admission-in-create", "admission-limit"),
    shows("tenant-keys", "idempotent-create"),
    shows("long-keys", "idempotent-create"),
    shows("named-id", "idempotent-create"),
    shows("ready-order", "fair-claim"),
    shows("reserved-types", "event-log-truthful"),
];
