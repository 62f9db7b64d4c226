use holdover_machine::Span;
use serde::{Deserialize, Serialize};

/// What is so in a deployment, whatever it promises: how far its clocks err, and what it keeps free at a lease's end.
///
/// The promise stays what invariants judge by and what workers derive their margin from. A search for how much error
/// is survived goes beyond it on purpose, and says so here.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actual {
    /// The most that a wall clock is off, either way.
    pub wall_error: Span,
    /// The most that the store's clock is off from where it stands, either way.
    pub store_error: Span,
    /// How far from true time the store's clock stands, from the start and once faults have stopped, in milliseconds.
    pub store_offset: i64,
    /// How fast the store's clock runs for good, in millionths.
    pub store_drift: i64,
    /// How fast the wall clock of each service, and then of each sweeper, runs, in millionths.
    pub service_drifts: Vec<i64>,
    /// How long before a lease's end a worker stops, where it is not what the promise asks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<Span>,
    /// How long after its end others leave a lease alone.
    pub recovery_grace: Span,
}

impl Actual {
    /// The deployment within what a world can be: lengths of time and offsets up to a day.
    #[must_use]
    pub(super) fn within_bounds(&self) -> Self {
        let day = 86_400_000;
        let bounded = |span: Span| Span::from_ms(span.ms().clamp(0, day));
        Self {
            wall_error: bounded(self.wall_error),
            store_error: bounded(self.store_error),
            store_offset: self.store_offset.clamp(-day, day),
            store_drift: self.store_drift.clamp(-1_000_000, 1_000_000),
            service_drifts: self.service_drifts.clone(),
            margin: self.margin.map(bounded),
            recovery_grace: bounded(self.recovery_grace),
        }
    }
}
