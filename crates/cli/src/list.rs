use crate::{Console, Exit, error::CommandError};
use holdover::{AnyScenario, Class};

/// Prints what each scenario is, what it promises and what it can count.
pub(crate) fn list(scenarios: &[&dyn AnyScenario], console: &mut Console<'_>) -> Result<Exit, CommandError> {
    if scenarios.is_empty() {
        return Err(CommandError::NoScenario);
    }
    for scenario in scenarios {
        console.print(entry(*scenario))?;
    }
    Ok(Exit::Passed)
}

fn entry(scenario: &dyn AnyScenario) -> String {
    let catalogue = scenario.catalogue();
    let mut text = format!("{}: {}\n", scenario.id(), scenario.about());
    let mut names = |title: &str, names: &[&str]| {
        let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        text.push_str(&format!("  {title:<10}  {names}\n"));
    };
    let variants = scenario.variants();
    names("variants", &variants.iter().map(String::as_str).collect::<Vec<_>>());
    names("faults", catalogue.faults);
    names("probes", catalogue.probes);
    text.push_str("  invariants\n");
    let width = catalogue.invariants.iter().map(|invariant| invariant.id.len()).max().unwrap_or(0);
    for invariant in catalogue.invariants {
        let class = match invariant.class {
            Class::Safety => "safety",
            Class::Liveness => "liveness",
        };
        text.push_str(&format!("    {:<width$}  {class:<8}  {}\n", invariant.id, invariant.promise));
    }
    text
}
