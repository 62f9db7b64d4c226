use super::entry::{Entry, carry_out};
use super::seen::{Seen, fingerprint};
use super::{Explorable, Scope};
use crate::{Applied, Observer, World};
use std::sync::Arc;

/// What may come next from a state.
pub(super) struct Expansion<W: World> {
    /// The state's own world, where it is kept for those that come next.
    pub(super) base: Option<Arc<W>>,
    /// Whether everything is at rest in it.
    pub(super) rests: bool,
    /// What comes next, in the order of the actions.
    pub(super) children: Vec<Child<W::Action>>,
}

/// A state that comes next.
pub(super) struct Child<A> {
    /// The place of the action among the state's actions.
    pub(super) place: u16,
    pub(super) action: A,
    pub(super) violated: bool,
    /// Its number, where it was known already when the state was expanded.
    pub(super) known: Option<u32>,
    pub(super) hash: u64,
    /// Kept where descriptions are compared and it was not known.
    pub(super) description: Vec<u8>,
}

/// Whoever expands states: what is shared, and what is used again from one state to the next.
pub(super) struct Expander<'a, S: Explorable> {
    pub(super) scenario: &'a S,
    pub(super) scope: &'a Scope,
    pub(super) only: Option<&'a str>,
    pub(super) seen: &'a Seen,
    pub(super) depth: u32,
}

impl<S: Explorable> Expander<'_, S> {
    /// Expands the states of a batch, in order.
    pub(super) fn all(&self, batch: &[Entry<S::World>]) -> Vec<Expansion<S::World>> {
        let mut observer = Observer::without_digest();
        let mut actions = Vec::new();
        batch.iter().map(|entry| self.one(entry, &mut actions, &mut observer)).collect()
    }

    fn one(
        &self,
        entry: &Entry<S::World>,
        actions: &mut Vec<<S::World as World>::Action>,
        observer: &mut Observer,
    ) -> Expansion<S::World> {
        let world = entry.world(self.scenario, self.depth, observer);
        let rests = self.scenario.at_rest(&world);
        actions.clear();
        self.scenario.actions(&world, self.scope, actions);
        let mut children = Vec::with_capacity(actions.len());
        let mut world = Some(world);
        let last = actions.len().saturating_sub(1);
        for (place, action) in actions.drain(..).enumerate() {
            // The last action needs no copy, unless the world is kept.
            let whole = if place == last && !entry.is_base_next() { world.take() } else { world.clone() };
            let Some(mut next) = whole else { continue };
            if carry_out(self.scenario, &mut next, self.depth + 1, &action, observer) == Applied::Done {
                children.push(self.child(place, action, &next));
            }
        }
        let base = world.filter(|_| entry.is_base_next() && children.iter().any(|next| next.known.is_none()));
        Expansion { base: base.map(Arc::new), rests, children }
    }

    fn child(
        &self,
        place: usize,
        action: <S::World as World>::Action,
        world: &S::World,
    ) -> Child<<S::World as World>::Action> {
        let mut description = Vec::with_capacity(512);
        self.scenario.describe(world, &mut description);
        let hash = fingerprint(&description);
        let known = self.seen.find(hash, &description);
        if known.is_some() || !self.seen.keeps_descriptions() {
            description = Vec::new();
        }
        let violations = world.violations();
        let violated = match self.only {
            Some(invariant) => violations.of(invariant).is_some(),
            None => !violations.is_empty(),
        };
        let place = u16::try_from(place).expect("fewer actions than places");
        Child { place, action, violated, known, hash, description }
    }
}
