use super::expand::{Child, Expander, Expansion};
use super::graph::Graph;
use super::seen::{Seen, fingerprint};
use super::walk::{Root, Walk};
use super::{Ending, Explorable, Exploration, ExploreOptions, Progress, Scope, counterexample};
use crate::{Observer, Trial, UnknownVariant};
use std::ops::Range;
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
        root: Root { depth: 0, world: trial.world(&scenario.start(scope)) },
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
    /// What all states of the level come from.
    root: Root<S::World>,
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
        let mut description = Vec::new();
        scenario.describe(&self.root.world, &mut description);
        self.seen.insert(fingerprint(&description), &description);
        self.ways.push(Way { from: 0, place: 0 });
        let mut level = 0..1;
        while !level.is_empty() {
            self.move_root(&level);
            match self.expand(level.clone()) {
                Ok(()) => level = level.end..self.ways.len() as u32,
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
    fn expand(&mut self, level: Range<u32>) -> Result<(), Halt> {
        let size = BATCH * self.options.threads.max(1);
        for begin in level.clone().step_by(size) {
            let batch = begin..level.end.min(begin.saturating_add(size as u32));
            let expansions = self.expand_batch(batch.clone());
            for (state, expansion) in batch.zip(expansions) {
                self.take_in(state, expansion)?;
            }
            let states = self.ways.len() as u64;
            let progress = Progress { states, depth: self.depth };
            if states > self.options.states || !(self.options.watch)(progress) {
                return Err(Halt::Stopped);
            }
        }
        Ok(())
    }

    /// Moves the root on to the last state that all states of a level come from.
    fn move_root(&mut self, level: &Range<u32>) {
        // States are in the order of those that they come from, so that the first and the last speak for all.
        let (mut first, mut last, mut depth) = (level.start, level.end - 1, self.depth);
        while first != last {
            (first, last) = (self.ways[first as usize].from, self.ways[last as usize].from);
            depth -= 1;
        }
        if depth > self.root.depth {
            let of = (self.trial.scenario, self.scope);
            let mut walk = Walk::new(of, &self.ways, &self.root, depth);
            let world = walk.to(first, &mut Observer::without_digest()).world.clone();
            self.root = Root { depth, world };
        }
    }

    fn expand_batch(&self, batch: Range<u32>) -> Vec<Expansion> {
        let expander = Expander {
            scenario: self.trial.scenario,
            scope: self.scope,
            only: self.options.only,
            seen: &self.seen,
            ways: &self.ways,
            root: &self.root,
            depth: self.depth,
        };
        let share = batch.len().div_ceil(self.options.threads.max(1));
        if share == batch.len() {
            return expander.all(batch);
        }
        thread::scope(|scope| {
            let expander = &expander;
            let shares = batch.clone().step_by(share).map(|begin| begin..batch.end.min(begin + share as u32));
            let threads: Vec<_> = shares.map(|share| scope.spawn(move || expander.all(share))).collect();
            let join = |thread: thread::ScopedJoinHandle<'_, Vec<_>>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            threads.into_iter().flat_map(join).collect()
        })
    }

    fn take_in(&mut self, state: u32, Expansion { rests, children }: Expansion) -> Result<(), Halt> {
        let mut targets = Vec::with_capacity(children.len());
        for child in children {
            self.transitions += 1;
            let Child { place, violated, known, hash, description } = child;
            let way = Way { from: state, place };
            if violated {
                return Err(Halt::Violated(way));
            }
            let known = known.or_else(|| self.seen.find(hash, &description));
            targets.push(known.unwrap_or_else(|| {
                self.ways.push(way);
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
