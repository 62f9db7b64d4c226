use crate::trace::SCHEMA;
use crate::{Scenario, Step, TraceOf, World};

/// A kind of error, in sizes from none to more than can be expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorKind {
    /// Its name.
    pub name: &'static str,
    /// What its size says, in a few words.
    pub about: &'static str,
    /// The sizes that are tried, rising, 0 first.
    pub ladder: &'static [i64],
}

/// What is done in one run: a configuration and the actions to try. What is not possible is skipped.
#[derive(Debug, Clone)]
pub struct Schedule<C, A> {
    /// The world's configuration.
    pub config: C,
    /// The actions, numbered from 1 on.
    pub actions: Vec<A>,
}

/// The schedule of a scenario.
pub type ScheduleOf<S> = Schedule<<S as Scenario>::Config, <<S as Scenario>::World as World>::Action>;

/// A scenario that can be made to err by as much as is asked for.
pub trait Frontier: Sync {
    /// The scenario.
    type Scenario: Scenario;

    /// The scenario.
    fn scenario(&self) -> &Self::Scenario;
    /// The kinds of errors.
    fn kinds(&self) -> &[ErrorKind];
    /// The variants that are compared.
    fn variants(&self) -> &[&'static str];
    /// How many seeds at each size are enough to meet what is near.
    fn seeds(&self) -> u64;
    /// What is measured and what is left out, in a few sentences.
    fn scope(&self) -> String;
    /// What is done under a seed with an error of this kind and size. Whatever the size, a seed gives as many actions
    /// of the same kinds, so that what falls at one size can be compared with what holds at another.
    fn schedule(&self, kind: usize, size: i64, seed: u64) -> ScheduleOf<Self::Scenario>;

    /// The schedule as a trace of the scenario.
    fn trace(&self, variant: &str, kind: usize, size: i64, seed: u64) -> TraceOf<Self::Scenario> {
        let schedule = self.schedule(kind, size, seed);
        let steps = (1..).zip(schedule.actions).map(|(number, action)| Step { number, action });
        TraceOf::<Self::Scenario> {
            schema: SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            scenario: self.scenario().id().to_owned(),
            variant: variant.to_owned(),
            seed: None,
            violates: None,
            deciding: None,
            config: schedule.config,
            steps: steps.collect(),
        }
    }
}
