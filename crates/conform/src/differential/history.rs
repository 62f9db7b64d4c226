use super::ask::{Asking, step};
use super::policy;
use super::reached::Reached;
use super::sides::Sides;
use crate::draws::Draws;
use crate::{ManualClock, Subject};

/// A random history on a store and a table, call by call.
pub(super) struct History<S> {
    draws: Draws,
    asking: Asking,
    sides: Sides<S>,
    reached: Reached,
    calls: u64,
}

impl<S: holdover_store::Store> History<S> {
    pub(super) async fn open<T: Subject<Store = S>>(subject: &T, seed: u64) -> Result<Self, String> {
        let mut draws = Draws::new(seed);
        let policy = policy(&mut draws);
        let clock = ManualClock::default();
        let store = subject.open(policy.order(), clock.clone()).await;
        let store = store.map_err(|error| format!("the store was not opened: {error}"))?;
        let sides = Sides::new(store, policy.order(), clock);
        Ok(Self { draws, asking: Asking::new(policy), sides, reached: Reached::default(), calls: 0 })
    }

    /// So many calls, then all that is stored.
    pub(super) async fn run(&mut self, calls: u64) -> Result<(), String> {
        while self.calls < calls {
            let now = self.sides.now + step(&mut self.draws);
            self.sides.set_clock(now);
            let Some((flight, call)) = self.asking.next(&mut self.draws, &self.sides.table) else { continue };
            self.calls += 1;
            let reply = self.sides.compare(&call).await?;
            self.reached.reply(&reply);
            self.asking.reply(&mut self.draws, flight, reply);
        }
        for record in self.sides.table.records() {
            let events = self.sides.table.events(record.id());
            events.iter().for_each(|event| self.reached.event(&event.body));
        }
        self.sides.compare_all().await
    }

    pub(super) fn calls(&self) -> u64 {
        self.calls
    }

    pub(super) fn reached(&self) -> &Reached {
        &self.reached
    }
}
