use crate::{Applied, Observer, Scenario, Step, TraceOf, Trial, World, quiet};

/// How many pairs one pass tries to take out, the nearest first.
const PAIRS_MAX: usize = 400;

/// A trace made small.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shrunk<T> {
    /// The small trace; it violates the same invariant.
    pub trace: T,
    /// How many actions there were before.
    pub recorded: usize,
    /// How many replays it took.
    pub replays: u32,
    /// Whether no replays were left, so that a smaller trace may be near.
    pub exhausted: bool,
}

/// Makes a failing trace small: the same invariant is violated, by its last action, and no single action can be
/// taken out (delta debugging, then one action for two, simpler actions and pairs, until nothing helps any more). At most `replays`
/// replays are made, so that the result does not depend on the machine. `None` if the trace violates nothing.
///
/// Actions keep their numbers until the end, because other actions name what they brought about by them.
pub fn shrink<S: Scenario>(
    trial: &Trial<'_, S>,
    trace: &TraceOf<S>,
    replays: u32,
) -> Option<Shrunk<TraceOf<S>>> {
    shrink_watched(trial, trace, replays, &|_, _| {})
}

/// Does what [`shrink`] does, and tells before each replay how many actions are left and how many replays were made.
pub(crate) fn shrink_watched<S: Scenario>(
    trial: &Trial<'_, S>,
    trace: &TraceOf<S>,
    replays: u32,
    watch: &dyn Fn(usize, u32),
) -> Option<Shrunk<TraceOf<S>>> {
    let mut shrinker = Shrinker {
        trial,
        config: &trace.config,
        invariant: trace.violates.as_deref()?,
        steps: Vec::new(),
        replays: 0,
        // One more is for the new numbers.
        replays_max: replays.saturating_sub(1).max(1),
        exhausted: false,
        left_behind: Vec::new(),
        watch,
    };
    if !shrinker.accept(trace.steps.clone()) {
        return None;
    }
    shrinker.minimise();
    shrinker.renumber();
    Some(Shrunk {
        trace: TraceOf::<S> { deciding: None, steps: shrinker.steps, ..trace.clone() },
        recorded: trace.steps.len(),
        replays: shrinker.replays,
        exhausted: shrinker.exhausted,
    })
}

type StepOf<S> = Step<ActionOf<S>>;
type ActionOf<S> = <<S as Scenario>::World as World>::Action;

/// The smallest failing steps so far.
struct Shrinker<'a, S: Scenario> {
    trial: &'a Trial<'a, S>,
    config: &'a S::Config,
    invariant: &'a str,
    steps: Vec<StepOf<S>>,
    replays: u32,
    replays_max: u32,
    exhausted: bool,
    /// What actions were before they became simpler, so that no simplification goes in a circle.
    left_behind: Vec<StepOf<S>>,
    watch: &'a dyn Fn(usize, u32),
}

impl<S: Scenario> Shrinker<'_, S> {
    fn minimise(&mut self) {
        self.remove_chunks();
        loop {
            while self.remove_sized(1) {}
            if !self.merge() && !self.simplify() && !self.remove_pairs() {
                break;
            }
        }
    }

    /// Delta debugging by halves. Later actions go first, as they lean on earlier ones.
    fn remove_chunks(&mut self) {
        let mut size = self.steps.len() / 2;
        while size > 1 {
            self.remove_sized(size);
            size /= 2;
        }
    }

    fn remove_sized(&mut self, size: usize) -> bool {
        let mut removed = false;
        let mut end = self.steps.len();
        while end > 0 {
            let begin = end.saturating_sub(size);
            removed |= self.accept(self.without(|index| (begin..end).contains(&index)));
            end = begin;
        }
        removed
    }

    /// Two actions that only make sense together, such as a fault and its end.
    fn remove_pairs(&mut self) -> bool {
        let mut removed = false;
        let mut pairs = PAIRS_MAX;
        for gap in 1..self.steps.len() {
            let mut first = self.steps.len().saturating_sub(gap);
            while first > 0 && pairs > 0 {
                first -= 1;
                pairs -= 1;
                removed |= self.accept(self.without(|index| index == first || index == first + gap));
                first = first.min(self.steps.len().saturating_sub(gap));
            }
        }
        removed
    }

    /// Puts one action in the place of two, where the second was or else where the first was.
    fn merge(&mut self) -> bool {
        let mut merged = false;
        for second in (1..self.steps.len()).rev() {
            for first in (0..second).rev() {
                merged |= self.merge_two(first, second, second) || self.merge_two(first, second, first);
            }
        }
        merged
    }

    fn merge_two(&mut self, first: usize, second: usize, place: usize) -> bool {
        let (Some(one), Some(other)) = (self.steps.get(first), self.steps.get(second)) else { return false };
        let Some(action) = S::World::merge(one, other) else { return false };
        let mut steps = self.steps.clone();
        steps[place].action = action;
        steps.remove(if place == first { second } else { first });
        self.accept(steps)
    }

    fn simplify(&mut self) -> bool {
        let mut simplified = false;
        let mut index = 0;
        while index < self.steps.len() {
            while self.simplify_at(index) {
                simplified = true;
            }
            index += 1;
        }
        simplified
    }

    /// Takes the simplest action that still fails in place of the one at `index`.
    fn simplify_at(&mut self, index: usize) -> bool {
        let Some(step) = self.steps.get(index).cloned() else { return false };
        for action in S::World::simplify(&step.action) {
            let simpler = Step { number: step.number, action };
            if simpler == step || self.left_behind.contains(&simpler) {
                continue;
            }
            let mut steps = self.steps.clone();
            steps[index] = simpler;
            if self.accept(steps) {
                self.left_behind.push(step);
                return true;
            }
        }
        false
    }

    /// Numbers the steps from 1 on, if what they name can follow.
    fn renumber(&mut self) {
        let numbers: Vec<u32> = self.steps.iter().map(|step| step.number).collect();
        let map = |number: u32| numbers.binary_search(&number).ok().map(|index| index as u32 + 1);
        let renumbered = self.steps.iter().map(|step| Step {
            number: map(step.number).unwrap_or(step.number),
            action: S::World::renumber(&step.action, &map),
        });
        if let Some(steps) = self.attempt(renumbered.collect())
            && steps.len() == numbers.len()
        {
            self.steps = steps;
        }
    }

    fn without(&self, gone: impl Fn(usize) -> bool) -> Vec<StepOf<S>> {
        let kept = self.steps.iter().enumerate().filter(|(index, _)| !gone(*index));
        kept.map(|(_, step)| step.clone()).collect()
    }

    /// Takes the steps over if they fail as well.
    fn accept(&mut self, steps: Vec<StepOf<S>>) -> bool {
        if self.replays == self.replays_max {
            self.exhausted = true;
            return false;
        }
        match self.attempt(steps) {
            Some(steps) => {
                self.steps = steps;
                true
            }
            None => false,
        }
    }

    /// The steps that were possible, up to the one that violates the invariant; `None` if none does. A panic is
    /// another fault than the one that is being shrunk.
    fn attempt(&mut self, steps: Vec<StepOf<S>>) -> Option<Vec<StepOf<S>>> {
        self.replays += 1;
        (self.watch)(self.steps.len(), self.replays);
        quiet::catch(|| {
            let mut world = self.trial.world(self.config);
            let mut observer = Observer::new();
            let mut applied = Vec::with_capacity(steps.len());
            for step in steps {
                if world.apply(&step, &mut observer) == Applied::Done {
                    applied.push(step);
                    if world.violations().of(self.invariant).is_some() {
                        return Some(applied);
                    }
                }
            }
            None
        })
        .unwrap_or(None)
    }
}
