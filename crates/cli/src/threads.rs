use std::{num::NonZeroUsize, thread};

/// The number of threads that was asked for, or one for each core.
pub(crate) fn threads(asked: Option<u64>) -> NonZeroUsize {
    let asked = asked.and_then(|threads| usize::try_from(threads).ok()).and_then(NonZeroUsize::new);
    asked.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
}
