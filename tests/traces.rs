//! Goal: every weakness that an invariant can show is shown by a committed history. Under the original and under
//! the hardened variant without its knob the named invariant falls; under hardened every action before the
//! deciding one is taken, that one is answered as recorded, and nothing falls.

use holdover::{Step, TraceOf, Trial, Verdict, replay};
use holdover_jobs::{KNOBS, Kind};
use holdover_sim::jobs::{Action, EVIDENCE, Evidence, Jobs};
use holdover_tests::traces;

type Trace = TraceOf<Jobs>;

fn trace(evidence: &Evidence) -> Trace {
    let path = traces().join(format!("{}.json", evidence.knob));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Trace::parse(&text, "jobs").unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn verdict(variant: &str, trace: &Trace) -> Verdict {
    replay(&Trial::new(&Jobs, variant).unwrap(), trace).verdict
}

/// The evidence names exactly the knobs of the engine kind, each once.
#[test]
fn every_engine_knob_has_evidence() {
    let engine: Vec<_> = KNOBS.iter().filter(|knob| knob.kind == Kind::Engine).map(|knob| knob.id).collect();
    let shown: Vec<_> = EVIDENCE.iter().map(|evidence| evidence.knob).collect();
    assert_eq!(shown, engine);
}

/// The weak variants fall, by the invariant that was named beforehand.
#[test]
fn weak_variants_fall() {
    for evidence in EVIDENCE {
        let trace = trace(evidence);
        assert_eq!(trace.violates.as_deref(), Some(evidence.invariant), "{}", evidence.knob);
        for variant in evidence.variants() {
            assert_eq!(verdict(&variant, &trace), Verdict::Reproduced, "{} under {variant}", evidence.knob);
        }
    }
}

/// The hardened variant refuses as recorded and holds.
#[test]
fn hardened_holds() {
    let hardened = Trial::new(&Jobs, "hardened").unwrap();
    for evidence in EVIDENCE {
        let trace = trace(evidence);
        let replayed = replay(&hardened, &trace);
        assert!(replayed.violations.is_empty(), "{}: {:?}", evidence.knob, replayed.violations);
        if let Some(deciding) = &trace.deciding {
            assert!(replayed.decided(deciding), "{}: {deciding:?}", evidence.knob);
        }
    }
}

/// Where one knob hides another's fall, taking out either alone shows nothing: that is what masked means.
#[test]
fn masked_knobs_do_not_fall_alone() {
    for evidence in EVIDENCE.iter().filter(|evidence| evidence.masked_by.is_some()) {
        let alone = format!("hardened-without-{}", evidence.knob);
        let replayed = replay(&Trial::new(&Jobs, &alone).unwrap(), &trace(evidence));
        assert!(replayed.violations.of(evidence.invariant).is_none(), "{}", evidence.knob);
    }
}

/// No single action of a committed history can be left out, and most histories are short.
#[test]
fn histories_are_minimal() {
    let mut sizes = Vec::new();
    for evidence in EVIDENCE {
        let trace = trace(evidence);
        sizes.push(trace.steps.len());
        for place in 0..trace.steps.len() {
            let steps: Vec<Step<Action>> = trace
                .steps
                .iter()
                .enumerate()
                .filter(|(index, _)| *index != place)
                .map(|(_, step)| step.clone())
                .collect();
            let shorter = Trace { steps, ..trace.clone() };
            let falls = evidence.variants().iter().all(|name| verdict(name, &shorter) == Verdict::Reproduced);
            let holds = replay(&Trial::new(&Jobs, "hardened").unwrap(), &shorter).violations.is_empty();
            assert!(
                !(falls && holds),
                "{}: action {} is not needed",
                evidence.knob,
                trace.steps[place].number
            );
        }
    }
    sizes.sort_unstable();
    assert!(sizes[sizes.len() / 2] <= 8, "median of {sizes:?}");
}
