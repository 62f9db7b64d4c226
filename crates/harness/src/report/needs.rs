use crate::{Catalogue, Observer};

/// Which kinds of fault a failure does not need, told from what was noticed in its trace.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Needs {
    /// Noticed in the trace.
    pub present: Vec<&'static str>,
    /// Not noticed in it: it fails without them.
    pub absent: Vec<&'static str>,
    /// Those of the absent ones that were noticed in the run as it was recorded.
    pub shed: Vec<&'static str>,
}

impl Needs {
    /// Compares the trace with the recorded run.
    pub fn new(catalogue: Catalogue, recorded: &Observer, trace: &Observer) -> Self {
        let mut needs = Self::default();
        for (kind, &name) in catalogue.faults.iter().enumerate() {
            if noticed(trace, kind) {
                needs.present.push(name);
                continue;
            }
            needs.absent.push(name);
            if noticed(recorded, kind) {
                needs.shed.push(name);
            }
        }
        needs
    }

    /// It in one or two sentences; empty if the scenario has no faults.
    pub fn sentences(&self) -> String {
        let mut text = match self.present.is_empty() {
            true => String::new(),
            false => format!("Faults in it: {}.", self.present.join(", ")),
        };
        if !self.absent.is_empty() {
            let without = list(&self.groups(), "or");
            let lead = if text.is_empty() { "It fails" } else { " It fails" };
            text.push_str(&format!("{lead} without {without}"));
            if !self.shed.is_empty() {
                text.push_str(&format!(" (the recorded run had {})", list(&self.shed, "and")));
            }
            text.push('.');
        }
        text
    }

    /// The absent faults; kinds that share their first word, as `clock-step` and `clock-drift`, become "any
    /// clock fault" where none of them is present.
    fn groups(&self) -> Vec<String> {
        let mut groups = Vec::new();
        for &name in &self.absent {
            let family = family(name);
            let kin = |names: &[&str]| names.iter().filter(|other| self::family(other) == family).count();
            let group = match kin(&self.absent) > 1 && kin(&self.present) == 0 {
                true => format!("any {family} fault"),
                false => name.to_owned(),
            };
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
        groups
    }
}

fn noticed(observer: &Observer, kind: usize) -> bool {
    observer.faults().get(kind).is_some_and(|&count| count > 0)
}

fn family(name: &str) -> &str {
    name.split_once('-').map_or(name, |(family, _)| family)
}

/// `a`, `a or b`, `a, b or c`.
fn list(names: &[impl AsRef<str>], last: &str) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.split_last() {
        Some((end, [])) => (*end).to_owned(),
        Some((end, rest)) => format!("{} {last} {end}", rest.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAULTS: &[&str] = &["loss", "clock-step", "clock-drift", "crash", "clock-freeze"];

    fn observer(kinds: &[usize]) -> Observer {
        let mut observer = Observer::new();
        kinds.iter().for_each(|&kind| observer.fault(kind));
        observer
    }

    /// What is absent is listed, a family as one where all of it is absent, and what was shed beside it.
    #[test]
    fn sentences_list_what_is_absent() {
        let all = "It fails without loss, any clock fault or crash.";
        let shed = "It fails without loss, any clock fault or crash (the recorded run had loss and crash).";
        let cases: [(&[usize], &[usize], &str); 6] = [
            (&[], &[], all),
            (&[0, 3], &[], shed),
            (
                &[1],
                &[1],
                "Faults in it: clock-step. It fails without loss, clock-drift, crash or clock-freeze.",
            ),
            (
                &[0, 1, 3],
                &[3],
                "Faults in it: crash. It fails without loss or any clock fault (the recorded run had loss and clock-step).",
            ),
            (
                &[0, 1, 2, 3, 4],
                &[0, 1, 2, 3, 4],
                "Faults in it: loss, clock-step, clock-drift, crash, clock-freeze.",
            ),
            (
                &[0, 1, 2, 4],
                &[0, 1, 2, 4],
                "Faults in it: loss, clock-step, clock-drift, clock-freeze. It fails without crash.",
            ),
        ];
        for (recorded, trace, sentences) in cases {
            let catalogue = Catalogue { faults: FAULTS, probes: &[], invariants: &[], transitions: &[] };
            let needs = Needs::new(catalogue, &observer(recorded), &observer(trace));
            assert_eq!(needs.sentences(), sentences);
        }
        let none = Catalogue { faults: &[], probes: &[], invariants: &[], transitions: &[] };
        assert_eq!(Needs::new(none, &observer(&[]), &observer(&[])).sentences(), "");
    }
}
