use super::measurement::Measurement;
use crate::{
    error::CommandError,
    store::{AnyStore, StoreUrl},
};
use holdover_bench::{Bench, BenchError, Lap, Load};
use holdover_jobs::Order;

/// A store and its laps so far.
pub(super) struct Measured {
    store: String,
    bench: Bench<AnyStore>,
    laps: Vec<Lap>,
}

impl Measured {
    /// Empties a store to be measured.
    pub(super) async fn open(url: &StoreUrl, checked: bool) -> Result<Self, CommandError> {
        let store = AnyStore::open_erased(url, Order::Fifo, None).await.map_err(CommandError::Store)?;
        Ok(Self { store: url.shown(), bench: Bench::new(store, checked), laps: Vec::new() })
    }

    pub(super) fn store(&self) -> &str {
        &self.store
    }

    /// Fills the backlog up and lets workers take jobs of it.
    pub(super) async fn lap(&mut self, backlog: u64, load: &Load) -> Result<(), CommandError> {
        self.bench.fill(backlog).await.map_err(|error| self.failed(&error))?;
        let lap = self.bench.lap(load).await.map_err(|error| self.failed(&error))?;
        self.laps.push(lap);
        Ok(())
    }

    fn failed(&self, error: &BenchError) -> CommandError {
        CommandError::Bench { store: self.store.clone(), why: error.to_string() }
    }

    /// What came of it, once it has had its laps.
    pub(super) fn result(self) -> Result<Measurement, CommandError> {
        let store = self.store.clone();
        let failed = |error: BenchError| CommandError::Bench { store, why: error.to_string() };
        let verdict = self.bench.finish().map_err(failed)?;
        Ok(Measurement { store: self.store, laps: self.laps, verdict })
    }
}
