//! The rules that may differ between variants, each with one home.
//!
//! Where a rule is a choice it is a field of [`Rules`], asked at one place. Where it is how something is counted or
//! reported it is one function:
//!
//! | rule | function |
//! |---|---|
//! | what the counts of a pass are (W-R8) | `Tally::summary` |
//! | evidence that contradicts the record or cannot be had (W-R11) | `Reconcile::inspected` |
//! | failures of one candidate (W-R13) | `Reconcile::resume` |
//! | failures of the two listings (W-R14) | `Pass::listed`, `Pass::listed_again` |
//!
//! Deadlines of port calls (W-R6) are the shell's; a call that ran into one comes in as an unknown outcome.

use holdover_machine::Span;
use thiserror::Error;

/// The rules of a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rules {
    /// How long a dead process's receipt is waited for, candidate by candidate (W-R12).
    pub receipt_grace: Grace,
    /// When the receipt is read again after a process was found gone (W-R1).
    pub late_receipt: LateReceipt,
    /// Which snapshot the observed absence may settle (W-R2).
    pub evidence: Evidence,
    /// What a snapshot that is gone after the grace stands for (W-R3).
    pub vanished: Vanished,
    /// What a first page that could not hold all candidates leads to (W-R4).
    pub overflow: Overflow,
    /// What becomes of a started attempt without a recorded process (W-R5).
    pub unidentified: Unidentified,
    /// What becomes of verified attempts that the final listing does not name (W-R7).
    pub unlisted: Unlisted,
    /// How a receipt processor is understood that saw a newer record than the pass (W-R9).
    pub stale_receipt: StaleReceipt,
    /// When a claim that never started may be taken away (W-R10).
    pub claims: Claims,
}

impl Rules {
    /// The rules of the original design, without a receipt grace.
    pub const fn original() -> Self {
        Self {
            receipt_grace: Grace(Span::ZERO),
            late_receipt: LateReceipt::AfterGrace,
            evidence: Evidence::OfAnyProcess,
            vanished: Vanished::IsRecovered,
            overflow: Overflow::Refuse,
            unidentified: Unidentified::Remains,
            unlisted: Unlisted::Trusted,
            stale_receipt: StaleReceipt::Continue,
            claims: Claims::AtOnce,
        }
    }
}

/// See [`Rules::late_receipt`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LateReceipt {
    /// Only after a wait: without a grace the attempt is settled at once.
    AfterGrace,
}

/// See [`Rules::evidence`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Evidence {
    /// The latest snapshot, whatever process it names.
    OfAnyProcess,
}

/// See [`Rules::vanished`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Vanished {
    /// Somebody else settled the attempt.
    IsRecovered,
}

/// See [`Rules::overflow`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Overflow {
    /// Nothing is touched.
    Refuse,
}

/// See [`Rules::unidentified`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unidentified {
    /// Nobody can tell whether a process exists, so the attempt remains.
    Remains,
}

/// See [`Rules::unlisted`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unlisted {
    /// They are not looked at again.
    Trusted,
}

/// See [`Rules::stale_receipt`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StaleReceipt {
    /// As if there were no receipt.
    Continue,
}

/// See [`Rules::claims`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Claims {
    /// As soon as a pass sees it.
    AtOnce,
}

/// A receipt grace of 0 to 5000 ms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Grace(Span);

/// A receipt grace outside its range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[error("receipt grace of {ms} ms; it must be 0..{max} ms", max = Grace::MAX.ms())]
pub struct GraceError {
    ms: i64,
}

impl Grace {
    /// The longest grace.
    pub const MAX: Span = Span::from_ms(5000);

    /// A grace of `ms` milliseconds.
    pub const fn from_ms(ms: i64) -> Result<Self, GraceError> {
        if 0 <= ms && ms <= Self::MAX.ms() { Ok(Self(Span::from_ms(ms))) } else { Err(GraceError { ms }) }
    }

    /// The grace as a span.
    pub const fn span(self) -> Span {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The range of the grace is closed on both sides, and a value outside is named.
    #[test]
    fn grace_has_a_closed_range() {
        for (ms, valid) in [(0, true), (5000, true), (-1, false), (5001, false)] {
            assert_eq!(Grace::from_ms(ms).is_ok(), valid, "{ms}");
        }
        let error = Grace::from_ms(5001).expect_err("too long");
        assert_eq!(error.to_string(), "receipt grace of 5001 ms; it must be 0..5000 ms");
    }
}
