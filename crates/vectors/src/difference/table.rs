use super::{Difference, DifferingStep};
use std::{
    collections::BTreeSet,
    fmt::{self, Display, Formatter},
};

const HEADER: &str = "\
# Steps of the golden vectors that the hardened variant answers otherwise than recorded, and why.
# Rewritten by `cargo run --release -p holdover-vectors --example difference`; a test compares it.
#
# SCENARIO STEP OPERATION: the knobs without which hardened gives the recorded answer: a single one (where there
# are several, all of them, joined by `or`), else a pair, else a larger set, from which the first step of the
# scenario that names it can spare no knob.
";

impl Display for Difference {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let scenarios: BTreeSet<&str> = self.steps.iter().map(|step| step.scenario.as_str()).collect();
        writeln!(f, "{HEADER}\n{} steps of {} scenarios", self.steps.len(), scenarios.len())?;
        writeln!(f, "\n{:20} {:>6} {:>12}", "knob", "alone", "with others")?;
        for knob in &self.knobs {
            let [alone, with_others] = self.named(knob);
            writeln!(f, "{knob:20} {alone:>6} {with_others:>12}")?;
        }
        writeln!(f)?;
        self.steps.iter().try_for_each(|step| writeln!(f, "{step}"))
    }
}

impl Difference {
    /// How many steps name a knob as one that suffices, and as one that is needed with others.
    fn named(&self, knob: &str) -> [usize; 2] {
        let sets = || self.steps.iter().flat_map(|step| &step.owed_to).filter(|set| set.contains(&knob));
        [sets().filter(|set| set.len() == 1).count(), sets().filter(|set| set.len() > 1).count()]
    }
}

impl Display for DifferingStep {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: ", self.scenario, self.step)?;
        if self.owed_to.is_empty() {
            return f.write_str("unexplained");
        }
        let sets: Vec<String> = self.owed_to.iter().map(|set| set.join(",")).collect();
        f.write_str(&sets.join(" or "))
    }
}
