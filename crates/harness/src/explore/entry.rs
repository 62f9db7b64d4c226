use super::Explorable;
use crate::{Applied, Observer, Step, World};
use std::sync::Arc;

/// How many actions a state may be away from the world that is kept for it.
const STRIDE: usize = 3;

/// A state that is still to be expanded: a world that is kept for all that came from it, and the actions from
/// there. Worlds are large and actions small, so that a level costs little more than the level it came from.
pub(super) struct Entry<W: World> {
    base: Arc<W>,
    path: Vec<W::Action>,
}

impl<W: World> Entry<W> {
    pub(super) fn new(world: W) -> Self {
        Self { base: Arc::new(world), path: Vec::new() }
    }

    /// The world, made again. `depth` is how many actions it is away from the start.
    pub(super) fn world<S: Explorable<World = W>>(
        &self,
        scenario: &S,
        depth: u32,
        observer: &mut Observer,
    ) -> W {
        let mut world = (*self.base).clone();
        let first = depth - self.path.len() as u32 + 1;
        for (number, action) in (first..).zip(&self.path) {
            let applied = carry_out(scenario, &mut world, number, action, observer);
            debug_assert_eq!(applied, Applied::Done, "what was possible once is possible again");
        }
        world
    }

    /// Whether the worlds that come next are kept with this one's.
    pub(super) fn is_base_next(&self) -> bool {
        self.path.len() + 1 == STRIDE
    }

    /// The state after an action; `base` is this entry's world where [`Entry::is_base_next`].
    pub(super) fn child(&self, base: Option<&Arc<W>>, action: W::Action) -> Self {
        match base {
            Some(base) => Self { base: Arc::clone(base), path: vec![action] },
            None => Self {
                base: Arc::clone(&self.base),
                path: self.path.iter().cloned().chain([action]).collect(),
            },
        }
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
