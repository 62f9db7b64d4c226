use std::num::NonZeroUsize;
use std::thread::available_parallelism;

/// As many threads as are asked for, or one for each core.
pub(crate) fn threads(asked: Option<u64>) -> NonZeroUsize {
    let asked = asked.and_then(|threads| usize::try_from(threads).ok()).and_then(NonZeroUsize::new);
    asked.or_else(|| available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
}
