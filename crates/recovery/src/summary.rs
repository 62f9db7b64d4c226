use serde::Serialize;

/// What a pass says about itself: counts and nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Summary {
    /// Whether new work may be accepted.
    pub safe: bool,
    /// How many candidates the first page held.
    pub scanned: u64,
    /// How many were settled, by this pass or somebody else.
    pub recovered: u64,
    /// How many were found alive in the first round.
    pub verified: u64,
    /// How many could not be settled on the evidence there is.
    pub remaining: u64,
    /// How many could not be looked at.
    pub failed: u64,
    /// Whether there were more candidates than a page holds.
    pub truncated: bool,
}

/// The counts while a pass is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Tally {
    pub(crate) scanned: u64,
    pub(crate) recovered: u64,
    pub(crate) verified: u64,
    pub(crate) remaining: u64,
    pub(crate) failed: u64,
}

impl Tally {
    /// Whether nothing speaks against accepting work so far.
    pub(crate) fn is_clear(&self) -> bool {
        self.remaining == 0 && self.failed == 0
    }

    /// The summary of a pass that went through. The final verification only ever adds to `remaining` and `failed`
    /// (W-R8), so with it the counts may exceed `scanned`.
    pub(crate) fn summary(&self) -> Summary {
        let Self { scanned, recovered, verified, remaining, failed } = *self;
        Summary { safe: self.is_clear(), scanned, recovered, verified, remaining, failed, truncated: false }
    }

    /// The summary of a pass that did nothing, because there was more than one page.
    pub(crate) fn refused(scanned: u64) -> Summary {
        Summary {
            safe: false,
            scanned,
            recovered: 0,
            verified: 0,
            remaining: scanned,
            failed: 0,
            truncated: true,
        }
    }
}
