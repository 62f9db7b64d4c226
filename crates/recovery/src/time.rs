//! The range of times that records hold.

use holdover_machine::Timestamp;

/// The largest whole number that every consumer of the records can hold exactly.
const RECORD_TIME_MAX: Timestamp = Timestamp::from_ms((1 << 53) - 1);

/// Whether a record may hold `time`. A clock that reads anything else is broken.
pub(crate) fn is_record_time(time: Timestamp) -> bool {
    (Timestamp::ZERO..=RECORD_TIME_MAX).contains(&time)
}
