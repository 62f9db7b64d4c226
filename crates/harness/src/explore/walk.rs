use super::search::Way;
use super::{Explorable, Scope};
use crate::{Applied, Observer, Step, World};

/// The world of a state that all states of a level come from: where walks begin.
pub(super) struct Root<W> {
    /// How many actions it is away from the start.
    pub(super) depth: u32,
    pub(super) world: W,
}

/// A walk over states of a level, in order. Worlds are large and not kept: they are made again along the ways that
/// lead to them. What neighbours have in common is made once, and they have nearly all in common, as most states
/// of a level come from few of the levels before. Worlds are written over one another, so that hardly any memory is
/// asked for.
pub(super) struct Walk<'a, S: Explorable> {
    scenario: &'a S,
    scope: &'a Scope,
    ways: &'a [Way],
    root: &'a Root<S::World>,
    /// How many actions the level is away from the start.
    depth: u32,
    /// The states from the root to where the walk goes.
    states: Vec<u32>,
    /// As much of it as has been made.
    places: Vec<Place<S::World>>,
}

/// A state on the way.
pub(super) struct Place<W: World> {
    state: u32,
    pub(super) world: W,
    /// What may happen next in it.
    pub(super) actions: Vec<W::Action>,
}

impl<'a, S: Explorable> Walk<'a, S> {
    pub(super) fn new(
        (scenario, scope): (&'a S, &'a Scope),
        ways: &'a [Way],
        root: &'a Root<S::World>,
        depth: u32,
    ) -> Self {
        Self { scenario, scope, ways, root, depth, states: Vec::new(), places: Vec::new() }
    }

    /// Goes on to a later state of the level. Whoever gets it may change its world.
    pub(super) fn to(&mut self, state: u32, observer: &mut Observer) -> &mut Place<S::World> {
        let before = |state: &u32| Some(self.ways[*state as usize].from);
        let length = (self.depth - self.root.depth) as usize + 1;
        self.states.clear();
        self.states.extend(std::iter::successors(Some(state), before).take(length));
        self.states.reverse();
        let common = self.places.iter().zip(&self.states).take_while(|(place, state)| place.state == **state);
        for index in common.count()..length {
            self.make(index, observer);
        }
        &mut self.places[length - 1]
    }

    /// Makes a state on the way out of the one before it.
    fn make(&mut self, index: usize, observer: &mut Observer) {
        let state = self.states[index];
        if index == self.places.len() {
            let world = self.root.world.clone();
            self.places.push(Place { state, world, actions: Vec::new() });
        }
        let (before, after) = self.places.split_at_mut(index);
        let place = &mut after[0];
        match before.last() {
            None => place.world.clone_from(&self.root.world),
            Some(before) => {
                place.world.clone_from(&before.world);
                let action = &before.actions[usize::from(self.ways[state as usize].place)];
                let number = self.root.depth + index as u32;
                let applied = carry_out(self.scenario, &mut place.world, number, action, observer);
                debug_assert_eq!(applied, Applied::Done, "what was possible once is possible again");
            }
        }
        place.state = state;
        place.actions.clear();
        self.scenario.actions(&place.world, self.scope, &mut place.actions);
    }
}

/// Carries an action out and tidies up after it.
pub(super) fn carry_out<S: Explorable>(
    scenario: &S,
    world: &mut S::World,
    number: u32,
    action: &<S::World as World>::Action,
    observer: &mut Observer,
) -> Applied {
    let applied = world.apply(&Step { number, action: action.clone() }, observer);
    if applied == Applied::Done {
        scenario.tidy(world);
    }
    applied
}
