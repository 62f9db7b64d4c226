use holdover_machine::StoreTime;

/// A store's own clock. Any function that reads one will do.
pub trait StoreClock: Send + Sync {
    /// The time by this clock.
    fn now(&self) -> StoreTime;
}

impl<F: Fn() -> StoreTime + Send + Sync> StoreClock for F {
    fn now(&self) -> StoreTime {
        self()
    }
}
