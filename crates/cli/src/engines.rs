use holdover::AnyScenario;

/// The scenarios of a program, by the engine that runs them.
pub struct Engines<'a>(Vec<(&'static str, &'a [&'a dyn AnyScenario])>);

impl<'a> Engines<'a> {
    /// The engine `world`, which runs worlds of actions: the one that every program has.
    #[must_use]
    pub fn worlds(scenarios: &'a [&'a dyn AnyScenario]) -> Self {
        Self(vec![("world", scenarios)])
    }

    /// Another engine beside it.
    #[must_use]
    pub fn with(mut self, name: &'static str, scenarios: &'a [&'a dyn AnyScenario]) -> Self {
        self.0.push((name, scenarios));
        self
    }

    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|(name, _)| *name).collect()
    }

    /// The scenarios of this engine, or of the first.
    pub(crate) fn of(&self, name: Option<&str>) -> &'a [&'a dyn AnyScenario] {
        let named = self.0.iter().find(|(known, _)| name.is_none_or(|name| name == *known));
        named.map_or(&[], |(_, scenarios)| scenarios)
    }
}
