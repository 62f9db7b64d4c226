use super::entry::Entry;
use super::expand::{Child, Expander, Expansion};
use super::graph::Graph;
use super::seen::{Seen, fingerprint};
use super::{Ending, Explorable, Exploration, ExploreOptions, Progress, Scope, counterexample};
use crate::{Trial, UnknownVariant};
use std::thread;

/// How many states a thread expands before what it found is taken in.
const BATCH: usize = 512;

/// Explores a variant of a scenario within a scope, until all states are known, an invariant is violated, or the
/// budget is spent. The violation that is found is one of the fewest actions.
pub fn explore<S: Explorable>(
    scenario: &S,
    variant: &str,
    scope: &Scope,
    options: &ExploreOptions<'_>,
) -> Result<Exploration, UnknownVariant> {
    let trial = Trial::new(scenario, variant)?;
    let mut search = Search {
        trial: &trial,
        scope,
        options,
        seen: Seen::new(options.exact),
        ways: Vec::new(),
        graph: Graph::default(),
        transitions: 0,
        depth: 0,
    };
    let ending = search.run();
    Ok(search.report(ending))
}

/// How a state was first reached: from which state, by which of its actions.
#[derive(Clone, Copy)]
pub(super) struct Way {
    pub(super) from: u32,
    pub(super) place: u16,
}

struct Search<'a, S: Explorable> {
    trial: &'a Trial<'a, S>,
    scope: &'a Scope,
    options: &'a ExploreOptions<'a>,
    seen: Seen,
    ways: Vec<Way>,
    graph: Graph,
    transitions: u64,
    /// How many levels have been expanded whole.
    depth: u32,
}

/// How the search of a level ended, where it ended the whole search.
enum Halt {
    Violated(Way),
    Stopped,
}

impl<S: Explorable> Search<'_, S> {
    fn run(&mut self) -> Ending {
        let scenario = self.trial.scenario;
        let world = self.trial.world(&scenario.start(self.scope));
        let mut description = Vec::new();
        scenario.describe(&world, &mut description);
        self.seen.insert(fingerprint(&description), &description);
        self.ways.push(Way { from: 0, place: 0 });
        let mut level = vec![Entry::new(world)];
        while !level.is_empty() {
            match self.expand(level) {
                Ok(next) => level = next,
                Err(Halt::Stopped) => return Ending::Stopped,
                Err(Halt::Violated(way)) => {
                    let trace = counterexample::trace(self.trial, self.scope, &self.ways, Some(way));
                    return Ending::Violated(Box::new(counterexample::violated(
                        self.trial,
                        trace,
                        self.options.only,
                    )));
                }
            }
            self.depth += 1;
        }
        self.closed()
    }

    /// All states are known: from each of them, rest must be reachable.
    fn closed(&self) -> Ending {
        match self.graph.first_wedged() {
            None => Ending::Closed,
            Some(state) => {
                let way = self.ways[state as usize];
                let last = (state != 0).then_some(way);
                let trace = counterexample::trace(self.trial, self.scope, &self.ways, last);
                Ending::Wedged(Box::new(counterexample::wedged(self.trial, trace)))
            }
        }
    }

    /// Expands a level, batch by batch, and takes in what each has found before the next begins.
    fn expand(&mut self, level: Vec<Entry<S::World>>) -> Result<Vec<Entry<S::World>>, Halt> {
        let mut next = Vec::new();
        let mut state = self.ways.len() - level.len();
        let mut entries = level.into_iter();
        loop {
            let batch: Vec<_> = entries.by_ref().take(BATCH * self.options.threads.max(1)).collect();
            if batch.is_empty() {
                return Ok(next);
            }
            let expansions = self.expand_batch(&batch);
            for (entry, expansion) in batch.into_iter().zip(expansions) {
                self.take_in(state as u32, &entry, expansion, &mut next)?;
                state += 1;
            }
            let states = self.ways.len() as u64;
            let progress = Progress { states, depth: self.depth };
            if states > self.options.states || !(self.options.watch)(progress) {
                return Err(Halt::Stopped);
            }
        }
    }

    fn expand_batch(&self, batch: &[Entry<S::World>]) -> Vec<Expansion<S::World>> {
        let expander = Expander {
            scenario: self.trial.scenario,
            scope: self.scope,
            only: self.options.only,
            seen: &self.seen,
            depth: self.depth,
        };
        let share = batch.len().div_ceil(self.options.threads.max(1));
        if share == batch.len() {
            return expander.all(batch);
        }
        thread::scope(|scope| {
            let expander = &expander;
            let threads: Vec<_> =
                batch.chunks(share).map(|share| scope.spawn(move || expander.all(share))).collect();
            let join = |thread: thread::ScopedJoinHandle<'_, Vec<_>>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            threads.into_iter().flat_map(join).collect()
        })
    }

    fn take_in(
        &mut self,
        state: u32,
        entry: &Entry<S::World>,
        expansion: Expansion<S::World>,
        next: &mut Vec<Entry<S::World>>,
    ) -> Result<(), Halt> {
        let Expansion { base, rests, children } = expansion;
        let mut targets = Vec::with_capacity(children.len());
        for child in children {
            self.transitions += 1;
            let Child { place, action, violated, known, hash, description } = child;
            let way = Way { from: state, place };
            if violated {
                return Err(Halt::Violated(way));
            }
            let known = known.or_else(|| self.seen.find(hash, &description));
            targets.push(known.unwrap_or_else(|| {
                self.ways.push(way);
                next.push(entry.child(base.as_ref(), action));
                self.seen.insert(hash, &description)
            }));
        }
        targets.sort_unstable();
        targets.dedup();
        self.graph.push(rests, targets.into_iter().filter(|&target| target != state));
        Ok(())
    }

    fn report(self, ending: Ending) -> Exploration {
        let scenario = self.trial.scenario;
        Exploration {
            scenario: scenario.id(),
            variant: self.trial.name.clone(),
            words: scenario.words(self.scope),
            exact: self.options.exact,
            states: self.ways.len() as u64,
            transitions: self.transitions,
            depth: self.depth,
            ending,
        }
    }
}
