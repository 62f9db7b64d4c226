use crate::jobs::Config;

/// How long something may wait so that it meets the end of a lease, as the store, a worker or somebody who errs by
/// `size` sees it.
pub(super) fn waits(config: &Config, size: i64) -> [i64; WAITS] {
    let (lease, margin) = (config.promise.lease.ms(), config.margin(true).ms());
    let taken = lease + config.recovery_grace().ms();
    // What a clock that is faster by `size` in a lease makes of it, rounded up.
    let fast = (taken * lease + lease + size - 1) / (lease + size).max(1);
    [taken, taken - size, taken - 2 * size, taken + size, fast, fast + 1, lease - margin, 1, lease / 2]
}

/// How many waits there are.
pub(super) const WAITS: usize = 9;
