//! The small rules that the validation of leases, specs, offers and records is made of.

use crate::Invalid;
use holdover_machine::Timestamp;

/// The largest whole number that every producer on the wire can write exactly.
pub const WHOLE_MAX: u64 = (1 << 53) - 1;

pub(crate) type Checked = Result<(), Invalid>;

pub(crate) fn ensure(holds: bool, at: &'static str, rule: &'static str) -> Checked {
    if holds { Ok(()) } else { Err(Invalid::new(at, rule)) }
}

pub(crate) fn text(at: &'static str, value: &str, units_max: usize) -> Checked {
    let fits = !value.is_empty() && (value.len() <= units_max || value.encode_utf16().count() <= units_max);
    if fits && !value.chars().any(|c| c <= '\u{1f}' || c == '\u{7f}') {
        return Ok(());
    }
    Err(Invalid::new(at, format!("must be 1 to {units_max} UTF-16 units without control characters")))
}

pub(crate) fn count(at: &'static str, value: u64) -> Checked {
    ensure(value <= WHOLE_MAX, at, "must be a whole number of 0 to 2^53-1")
}

pub(crate) fn positive(at: &'static str, value: u64) -> Checked {
    ensure((1..=WHOLE_MAX).contains(&value), at, "must be a whole number of 1 to 2^53-1")
}

pub(crate) fn time(at: &'static str, value: Timestamp) -> Checked {
    ensure(is_time(value), at, "must be a time of 0 to 2^53-1 ms")
}

pub(crate) fn is_time(value: Timestamp) -> bool {
    (0..=WHOLE_MAX as i64).contains(&value.ms())
}

pub(crate) fn no_nul(at: &'static str, value: &str) -> Checked {
    ensure(!value.contains('\0'), at, "must not contain U+0000")
}

pub(crate) fn absolute_path(at: &'static str, value: &str) -> Checked {
    ensure(value.starts_with('/') && !value.contains('\0'), at, "must be an absolute path without U+0000")
}

pub(crate) fn capability(at: &'static str, token: &str) -> Checked {
    let known = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
    let fits = (32..=128).contains(&token.len()) && token.bytes().all(known);
    ensure(fits, at, "must be 32 to 128 characters of [A-Za-z0-9_-]")
}
