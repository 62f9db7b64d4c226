//! Time as types: mixing two clocks is a compile error, not a bug that a simulation has to find.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::hash::{Hash, Hasher};

/// A length of time in milliseconds. Never negative by convention; arithmetic saturates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Span(i64);

impl Span {
    /// No time at all.
    pub const ZERO: Self = Self(0);

    /// A span of `ms` milliseconds.
    pub const fn from_ms(ms: i64) -> Self {
        Self(ms)
    }

    /// The span in milliseconds.
    pub const fn ms(self) -> i64 {
        self.0
    }

    /// The span taken `times` over.
    #[must_use]
    pub const fn times(self, times: i64) -> Self {
        Self(self.0.saturating_mul(times))
    }
}

impl std::ops::Add for Span {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl std::ops::Sub for Span {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.0)
    }
}

macro_rules! clock {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(i64);

        // A hasher must be able to tell instants from numbers, to make them relative to now: nothing else in the
        // workspace is hashed by `write_i128`. The upper half says which clock it is.
        impl Hash for $name {
            fn hash<H: Hasher>(&self, state: &mut H) {
                state.write_i128(Instant { clock: ClockKind::$name, ms: self.0 }.to_bits());
            }
        }

        impl $name {
            /// The clock's origin.
            pub const ZERO: Self = Self(0);
            /// The earliest reading, before every other.
            pub const MIN: Self = Self(i64::MIN);

            /// The reading `ms` milliseconds after the origin.
            pub const fn from_ms(ms: i64) -> Self {
                Self(ms)
            }

            /// Milliseconds since the origin.
            pub const fn ms(self) -> i64 {
                self.0
            }
        }

        impl std::ops::Add<Span> for $name {
            type Output = Self;
            fn add(self, span: Span) -> Self {
                Self(self.0.saturating_add(span.0))
            }
        }

        impl std::ops::Sub<Span> for $name {
            type Output = Self;
            fn sub(self, span: Span) -> Self {
                Self(self.0.saturating_sub(span.0))
            }
        }

        impl std::ops::Sub for $name {
            type Output = Span;
            fn sub(self, earlier: Self) -> Span {
                Span(self.0.saturating_sub(earlier.0))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{} ms", self.0)
            }
        }
    };
}

clock!(
    /// A reading of a node's wall clock: milliseconds since 1970 as that node believes. It may be off and may
    /// step either way.
    Timestamp
);
clock!(
    /// A reading of a node's monotonic clock: milliseconds since that node started. It never steps; it may
    /// drift. Only readings of one node compare.
    OwnTime
);
clock!(
    /// A reading of the store's clock, in milliseconds. Every expiry and due time in a record is one of these.
    StoreTime
);
clock!(
    /// True time of a simulated world, in milliseconds since its start. Only worlds and invariants see it.
    WorldTime
);

/// Which clock an [`Instant`] was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the clock of the type of its name")]
pub enum ClockKind {
    Timestamp,
    OwnTime,
    StoreTime,
    WorldTime,
}

/// A reading of any clock, as it reaches a hasher: through `write_i128`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instant {
    /// The clock.
    pub clock: ClockKind,
    /// The reading, in milliseconds.
    pub ms: i64,
}

impl Instant {
    /// What a hasher is given.
    pub const fn to_bits(self) -> i128 {
        (self.clock as i128) << 64 | (self.ms as u64 as i128)
    }

    /// The instant that a hasher was given.
    pub const fn from_bits(bits: i128) -> Self {
        let clock = match bits >> 64 {
            0 => ClockKind::Timestamp,
            1 => ClockKind::OwnTime,
            2 => ClockKind::StoreTime,
            _ => ClockKind::WorldTime,
        };
        Self { clock, ms: bits as u64 as i64 }
    }
}
