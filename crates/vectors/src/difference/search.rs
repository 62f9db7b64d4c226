use crate::{Format, FormatError};
use serde_json::Value;
use std::{collections::BTreeMap, rc::Rc};

/// The search in one scenario for the knobs to which differing steps are owed. A set of knobs is a sorted list of
/// their indices; each set is run once.
pub(super) struct Search<'a> {
    format: &'a dyn Format,
    knobs: &'a [&'static str],
    scenario: &'a Value,
    differing: BTreeMap<Vec<usize>, Rc<[String]>>,
}

/// A step and the sets of knobs of which each restores it.
type Explained = (String, Vec<Vec<&'static str>>);

impl<'a> Search<'a> {
    pub(super) fn new(format: &'a dyn Format, knobs: &'a [&'static str], scenario: &'a Value) -> Self {
        Self { format, knobs, scenario, differing: BTreeMap::new() }
    }

    /// Every step that differs under hardened, in order, with what restores it.
    pub(super) fn explain(mut self) -> Result<Vec<Explained>, FormatError> {
        let steps = self.without(&[])?;
        if steps.is_empty() {
            return Ok(Vec::new());
        }
        let all: Vec<usize> = (0..self.knobs.len()).collect();
        let never = self.without(&all)?;
        // Larger sets are looked for among the knobs that the scenario as a whole cannot spare.
        let needed = self.spare(all, |differing| differing == &*never)?;
        let mut larger: Vec<Vec<usize>> = Vec::new();
        let mut explained = Vec::new();
        for step in &*steps {
            let sets =
                if never.contains(step) { Vec::new() } else { self.restoring(step, &needed, &mut larger)? };
            let named = |set: Vec<usize>| set.into_iter().map(|knob| self.knobs[knob]).collect();
            explained.push((step.clone(), sets.into_iter().map(named).collect()));
        }
        Ok(explained)
    }

    /// All single knobs that restore the step, or the first pair that does, or a larger set. What only follows
    /// from an earlier step is owed to the same larger set as that one.
    fn restoring(
        &mut self,
        step: &String,
        needed: &[usize],
        larger: &mut Vec<Vec<usize>>,
    ) -> Result<Vec<Vec<usize>>, FormatError> {
        let mut singles = Vec::new();
        for knob in 0..self.knobs.len() {
            if !self.without(&[knob])?.contains(step) {
                singles.push(vec![knob]);
            }
        }
        if !singles.is_empty() {
            return Ok(singles);
        }
        for set in pairs(needed).chain(larger.iter().cloned()) {
            if !self.without(&set)?.contains(step) {
                return Ok(vec![set]);
            }
        }
        let set = self.spare(needed.to_vec(), |differing| !differing.contains(step))?;
        larger.push(set.clone());
        Ok(vec![set])
    }

    /// Leaves out of a set that is good enough what it can spare, the last knobs first, until it can spare none.
    fn spare(
        &mut self,
        mut set: Vec<usize>,
        good: impl Fn(&[String]) -> bool,
    ) -> Result<Vec<usize>, FormatError> {
        loop {
            let before = set.len();
            // Most knobs have nothing to do with a scenario and go in a few large chunks.
            let mut chunks = vec![set.clone()];
            while let Some(chunk) = chunks.pop() {
                let less: Vec<usize> = set.iter().copied().filter(|knob| !chunk.contains(knob)).collect();
                if good(&self.without(&less)?) {
                    set = less;
                } else if chunk.len() > 1 {
                    let (first, last) = chunk.split_at(chunk.len() / 2);
                    chunks.extend([first.to_vec(), last.to_vec()]);
                }
            }
            if set.len() == before {
                return Ok(set);
            }
        }
    }

    /// The steps that differ under hardened without these knobs.
    fn without(&mut self, set: &[usize]) -> Result<Rc<[String]>, FormatError> {
        if let Some(known) = self.differing.get(set) {
            return Ok(Rc::clone(known));
        }
        let names: Vec<&str> = set.iter().map(|knob| self.knobs[*knob]).collect();
        let variant = match names[..] {
            [] => "hardened".to_owned(),
            _ => format!("hardened-without-{}", names.join(",")),
        };
        let mismatches = self.format.run(self.scenario, &variant)?;
        let mut steps: Vec<String> = mismatches.into_iter().map(|mismatch| mismatch.step).collect();
        steps.dedup();
        let steps: Rc<[String]> = steps.into();
        self.differing.insert(set.to_vec(), Rc::clone(&steps));
        Ok(steps)
    }
}

fn pairs(set: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    set.iter()
        .enumerate()
        .flat_map(|(position, first)| set[position + 1..].iter().map(|second| vec![*first, *second]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mismatch;
    use serde_json::json;

    /// A format whose steps list the sets of knobs of which one must be gone for the recorded answer.
    struct Toy;

    impl Format for Toy {
        fn id(&self) -> &'static str {
            "toy/1"
        }

        fn run(&self, scenario: &Value, variant: &str) -> Result<Vec<Mismatch>, FormatError> {
            let gone: Vec<&str> =
                variant.strip_prefix("hardened-without-").map_or(vec![], |list| list.split(',').collect());
            let all_gone =
                |set: &Value| set.as_str().unwrap().chars().all(|knob| gone.contains(&&*knob.to_string()));
            let steps = scenario.as_array().unwrap().iter().enumerate();
            let differing = steps.filter(|(_, sets)| !sets.as_array().unwrap().iter().any(all_gone));
            let mismatch = |(index, _): (usize, &Value)| Mismatch {
                step: format!("{index} toy"),
                path: "$".to_owned(),
                expected: Value::Null,
                got: Value::Null,
            };
            Ok(differing.map(mismatch).collect())
        }
    }

    /// Goal: a step names each single knob that restores it, else a pair, else the larger set that an earlier step
    /// names or one that it cannot spare a knob of; nothing where nothing restores it.
    #[test]
    fn explained_by() {
        let cases: &[(Value, &[&str])] = &[
            (json!([[""]]), &[]),
            (json!([["a"]]), &["a"]),
            (json!([["b", "a", "cd"]]), &["a or b"]),
            (json!([["ce"], ["abc"], ["abd"]]), &["c,e", "a,b,c", "a,b,d"]),
            (json!([["abce"], ["abc"], ["ac"]]), &["a,b,c,e", "a,b,c,e", "a,c"]),
            (json!([["abcde", "bd"], [""], ["bd"]]), &["b,d", "b,d"]),
            (json!([["z"], ["a"]]), &["", "a"]),
        ];
        for (scenario, expected) in cases {
            let explained = Search::new(&Toy, &["a", "b", "c", "d", "e"], scenario).explain().unwrap();
            let texts = explained
                .iter()
                .map(|(_, sets)| sets.iter().map(|set| set.join(",")).collect::<Vec<_>>().join(" or "));
            assert_eq!(texts.collect::<Vec<_>>(), *expected, "{scenario}");
        }
    }
}
