//! From names on the command line to scenarios and variants, with a hint where a name is nearly one.

use crate::error::CommandError;
use holdover::AnyScenario;

/// A scenario in one variant.
pub(crate) struct Choice<'a> {
    pub(crate) scenario: &'a dyn AnyScenario,
    pub(crate) variant: String,
    /// Whether it is the scenario's first variant, the one that is meant to hold.
    pub(crate) default: bool,
}

/// The scenarios of these names in this variant. No names stand for all scenarios that have the variant.
pub(crate) fn choose<'a>(
    names: &[String],
    variant: Option<&str>,
    scenarios: &[&'a dyn AnyScenario],
) -> Result<Vec<Choice<'a>>, CommandError> {
    if scenarios.is_empty() {
        return Err(CommandError::NoScenario);
    }
    if !names.is_empty() {
        return names.iter().map(|name| in_variant(scenario(name, scenarios)?, variant)).collect();
    }
    let all: Vec<_> = scenarios.iter().filter_map(|scenario| in_variant(*scenario, variant).ok()).collect();
    match (variant, all.is_empty()) {
        (Some(name), true) => {
            let known: Vec<String> = scenarios.iter().flat_map(|scenario| scenario.variants()).collect();
            let whose = "there is".to_owned();
            Err(CommandError::UnknownVariant { whose, name: name.to_owned(), hint: hint(name, &known) })
        }
        _ => Ok(all),
    }
}

/// The scenario of this name.
pub(crate) fn scenario<'a>(
    name: &str,
    scenarios: &[&'a dyn AnyScenario],
) -> Result<&'a dyn AnyScenario, CommandError> {
    scenarios.iter().find(|scenario| scenario.id() == name).copied().ok_or_else(|| {
        let known: Vec<String> = scenarios.iter().map(|scenario| scenario.id().to_owned()).collect();
        CommandError::UnknownScenario { name: name.to_owned(), hint: hint(name, &known) }
    })
}

/// The scenario in this variant, or in its first.
pub(crate) fn in_variant<'a>(
    scenario: &'a dyn AnyScenario,
    variant: Option<&str>,
) -> Result<Choice<'a>, CommandError> {
    let known = scenario.variants();
    let first = known.first().cloned().unwrap_or_default();
    match variant {
        Some(name) if !scenario.has_variant(name) => Err(CommandError::UnknownVariant {
            whose: format!("scenario {} has", scenario.id()),
            name: name.to_owned(),
            hint: hint(name, &known),
        }),
        Some(name) => Ok(Choice { scenario, variant: name.to_owned(), default: name == first }),
        None => Ok(Choice { scenario, variant: first, default: true }),
    }
}

/// The name that was probably meant, or all names.
fn hint(name: &str, known: &[String]) -> String {
    let distance = |other: &String| strsim::damerau_levenshtein(name, other);
    match known.iter().min_by_key(|other| distance(other)) {
        Some(nearest) if distance(nearest) <= name.len().max(3) / 3 => format!("did you mean `{nearest}`?"),
        _ => format!("there are: {}", known.join(", ")),
    }
}
