use super::search::Way;
use super::seen::{Seen, fingerprint};
use super::walk::{Root, Walk, carry_out};
use super::{Explorable, Scope};
use crate::{Applied, Observer, World};
use std::ops::Range;

/// What may come next from a state.
pub(super) struct Expansion {
    /// Whether everything is at rest in the state.
    pub(super) rests: bool,
    /// What comes next, in the order of the actions.
    pub(super) children: Vec<Child>,
}

/// A state that comes next.
pub(super) struct Child {
    /// The place of the action among the state's actions.
    pub(super) place: u16,
    pub(super) violated: bool,
    /// Its number, where it was known already when the state was expanded.
    pub(super) known: Option<u32>,
    pub(super) hash: u64,
    /// Kept where descriptions are compared and it was not known.
    pub(super) description: Vec<u8>,
}

/// Whoever expands states of a level.
pub(super) struct Expander<'a, S: Explorable> {
    pub(super) scenario: &'a S,
    pub(super) scope: &'a Scope,
    pub(super) only: Option<&'a str>,
    pub(super) seen: &'a Seen,
    pub(super) ways: &'a [Way],
    pub(super) root: &'a Root<S::World>,
    /// How many actions the level is away from the start.
    pub(super) depth: u32,
}

/// What is used again from one state to the next.
struct Scratch<W> {
    world: Option<W>,
    description: Vec<u8>,
    observer: Observer,
}

impl<S: Explorable> Expander<'_, S> {
    /// Expands states, in order.
    pub(super) fn all(&self, states: Range<u32>) -> Vec<Expansion> {
        let mut walk = Walk::new((self.scenario, self.scope), self.ways, self.root, self.depth);
        let observer = Observer::without_digest();
        let mut scratch = Scratch { world: None, description: Vec::new(), observer };
        states.map(|state| self.one(state, &mut walk, &mut scratch)).collect()
    }

    fn one(&self, state: u32, walk: &mut Walk<'_, S>, scratch: &mut Scratch<S::World>) -> Expansion {
        let place = walk.to(state, &mut scratch.observer);
        let rests = self.scenario.at_rest(&place.world);
        let mut children = Vec::with_capacity(place.actions.len());
        for (number, action) in (0..).zip(&place.actions) {
            // The last action needs no copy.
            let next = match &mut scratch.world {
                _ if usize::from(number) + 1 == place.actions.len() => &mut place.world,
                Some(next) => {
                    next.clone_from(&place.world);
                    next
                }
                none => none.insert(place.world.clone()),
            };
            if carry_out(self.scenario, next, self.depth + 1, action, &mut scratch.observer) == Applied::Done
            {
                children.push(self.child(number, next, &mut scratch.description));
            }
        }
        Expansion { rests, children }
    }

    fn child(&self, place: u16, world: &S::World, description: &mut Vec<u8>) -> Child {
        description.clear();
        self.scenario.describe(world, description);
        let hash = fingerprint(description);
        let known = self.seen.find(hash, description);
        let is_kept = known.is_none() && self.seen.keeps_descriptions();
        let violations = world.violations();
        let violated = match self.only {
            Some(invariant) => violations.of(invariant).is_some(),
            None => !violations.is_empty(),
        };
        let description = if is_kept { description.clone() } else { Vec::new() };
        Child { place, violated, known, hash, description }
    }
}
