use super::{Exploration, ExploreOptions, Scope, ScopeWords, explore};
use crate::{Scenario, UnknownVariant, World};

/// The action of a scenario's world.
type ActionOf<S> = <<S as Scenario>::World as World>::Action;

/// A scenario whose world can be explored: within a scope it has finitely many states.
pub trait Explorable: Scenario<World: World<Action: Send + Sync> + Send + Sync> {
    /// The scope where nobody asks for another: it closes within minutes.
    fn scope(&self) -> Scope;

    /// A scope in words.
    fn words(&self, scope: &Scope) -> ScopeWords;

    /// What the world of a scope is like.
    fn start(&self, scope: &Scope) -> Self::Config;

    /// Appends what may happen next within the scope, always in the same order. It may append what is skipped.
    fn actions(&self, world: &Self::World, scope: &Scope, actions: &mut Vec<ActionOf<Self>>);

    /// Takes away what the world remembers and can never make a difference any more.
    fn tidy(&self, world: &mut Self::World) {
        let _ = world;
    }

    /// Appends a description of all that decides what can happen from here on and how it is judged. Two worlds with
    /// equal descriptions are one state: times are relative, what the path has named goes without its name, and of
    /// worlds that differ only in who is who one is described for all.
    fn describe(&self, world: &Self::World, description: &mut Vec<u8>);

    /// Whether everything has come to its end. From every state such a state must be reachable.
    fn at_rest(&self, world: &Self::World) -> bool;
}

/// An explorable scenario whose types are forgotten. Every [`Explorable`] is one.
pub trait AnyExplorable: Sync {
    /// The name of the scenario.
    fn id(&self) -> &'static str;
    /// See [`Explorable::scope`].
    fn scope(&self) -> Scope;
    /// See [`Explorable::words`].
    fn words(&self, scope: &Scope) -> ScopeWords;
    /// See [`explore`].
    fn explore(
        &self,
        variant: &str,
        scope: &Scope,
        options: &ExploreOptions<'_>,
    ) -> Result<Exploration, UnknownVariant>;
}

impl<S: Explorable> AnyExplorable for S {
    fn id(&self) -> &'static str {
        Scenario::id(self)
    }

    fn scope(&self) -> Scope {
        Explorable::scope(self)
    }

    fn words(&self, scope: &Scope) -> ScopeWords {
        Explorable::words(self, scope)
    }

    fn explore(
        &self,
        variant: &str,
        scope: &Scope,
        options: &ExploreOptions<'_>,
    ) -> Result<Exploration, UnknownVariant> {
        explore(self, variant, scope, options)
    }
}
