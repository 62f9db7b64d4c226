//! Goal: each planted bug is shown by a committed history that is as short as it gets, and the table of scores says
//! what is so. `cargo holdover selftest --out tests/traces/planted --table docs/selftest.md` writes both anew.

use holdover::{
    Planted, Scenario, SelftestBudget, Step, TraceOf, Trial, Verdict, World, replay, run, shrink,
};
use holdover_sim::jobs::{Action, Fate, Jobs, JobsWorld, Reading};
use holdover_tests::traces;
use std::collections::{BTreeMap, BTreeSet};

type Trace = TraceOf<Jobs>;

fn trace(planted: &Planted) -> Trace {
    let path = traces().with_file_name("planted").join(format!("{}.json", planted.id));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Trace::parse(&text, "jobs").unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn falls(planted: &Planted, trace: &Trace) -> bool {
    replay(&Trial::new(&Jobs, &planted.variant()).unwrap(), trace).verdict == Verdict::Reproduced
}

/// The named invariant falls; under the hardened variant nothing does; no action can be left out.
#[test]
fn histories_show_the_bugs() {
    let hardened = Trial::new(&Jobs, "hardened").unwrap();
    for planted in Jobs.planted() {
        let trace = trace(&planted);
        assert_eq!(trace.violates.as_deref(), Some(planted.invariant), "{}", planted.id);
        assert!(falls(&planted, &trace), "{}", planted.id);
        let held = replay(&hardened, &trace).violations;
        assert!(held.is_empty(), "{}: {held:?}", planted.id);
        for place in 0..trace.steps.len() {
            let rest = trace.steps.iter().enumerate().filter(|(index, _)| *index != place);
            let steps: Vec<Step<Action>> = rest.map(|(_, step)| step.clone()).collect();
            let shorter = Trace { steps, ..trace.clone() };
            let number = trace.steps[place].number;
            assert!(!falls(&planted, &shorter), "{}: action {number} is not needed", planted.id);
        }
    }
}

/// For any two invariants there is a history in which one falls and the other does not: none is another by a
/// second name. And each is the only one that finds some bug, so that none could be taken out unnoticed.
#[test]
fn invariants_are_told_apart() {
    let mut fallen: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut alone: BTreeSet<&str> = BTreeSet::new();
    for planted in Jobs.planted() {
        let seen = replay(&Trial::new(&Jobs, &planted.variant()).unwrap(), &trace(&planted)).violations;
        if seen.iter().all(|violation| violation.invariant == planted.invariant) {
            alone.insert(planted.invariant);
        }
        for info in Jobs.catalogue().invariants {
            if seen.of(info.id).is_some() {
                fallen.entry(info.id).or_default().insert(planted.id);
            }
        }
    }
    let all: Vec<&str> = Jobs.catalogue().invariants.iter().map(|info| info.id).collect();
    let blind: Vec<_> = all.iter().filter(|id| !alone.contains(*id)).collect();
    assert!(blind.is_empty(), "these find no bug that no other finds: {blind:?}");
    for (place, one) in all.iter().enumerate() {
        for other in &all[place + 1..] {
            assert_ne!(fallen.get(one), fallen.get(other), "{one} and {other} fall together always");
        }
    }
}

/// The committed table has a row for each bug, says no miss, and its stories are as long as the committed ones.
#[test]
fn table_is_committed() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/selftest.md");
    let table = std::fs::read_to_string(path).unwrap();
    assert!(table.contains("\n- misses: none\n"));
    for planted in Jobs.planted() {
        let begin = format!("\n{} | {} | ", planted.id, planted.class);
        let row = table.split_once(&begin).map(|(_, rest)| rest.lines().next().unwrap_or_default());
        let row = row.unwrap_or_else(|| panic!("docs/selftest.md has no row for {}", planted.id));
        let said =
            format!("| {} | {} | {} |", planted.about, planted.invariant, planted.masked_by.unwrap_or(""));
        assert!(row.contains(&said), "{row} does not say {said}");
        let actions = format!(" seeds, {} actions", trace(&planted).steps.len());
        assert!(row.contains(&actions), "{row} does not say {actions}");
    }
    let rows = table.lines().filter(|line| line.contains(" seeds, ") && line.contains(" | ")).count();
    assert_eq!(rows, Jobs.planted().len(), "docs/selftest.md has rows for bugs that there are not");
}

/// The random engine finds most bugs within a few seeds that were not used to tune it; the whole score is the
/// command's business.
#[test]
fn most_are_found_at_once() {
    let first = SelftestBudget::WORLDS.first_seed;
    let found = |planted: &Planted| {
        let trial = Trial::new(&Jobs, &planted.variant()).unwrap();
        (first..first + 500).any(|seed| run(&trial, seed).violations.of(planted.invariant).is_some())
    };
    let all = Jobs.planted();
    let missed: Vec<_> = all.iter().filter(|planted| !found(planted)).map(|planted| planted.id).collect();
    assert!(missed.len() * 5 <= all.len(), "{} of {}: {missed:?}", missed.len(), all.len());
}

/// A history of hundreds of actions is made as short as any other.
#[test]
fn long_histories_shrink() {
    const BEFORE: u32 = 200;
    let planted =
        Jobs.planted().into_iter().find(|planted| planted.id == "cancel-forgotten-by-fail").unwrap();
    let trial = Trial::new(&Jobs, &planted.variant()).unwrap();
    let short = trace(&planted);
    // Much happens before that has nothing to do with it.
    let job = short.config.first_job;
    let read = Action::Read { client: 0, service: 0, job, reading: Reading::Stats, fate: Fate::Prompt };
    let idle = (1..=BEFORE).map(|number| Step {
        number,
        action: if number.is_multiple_of(2) { read } else { Action::Advance { ms: 1 } },
    });
    let later = short.steps.iter().map(|step| Step {
        number: step.number + BEFORE,
        action: JobsWorld::renumber(&step.action, &|number| Some(number + BEFORE)),
    });
    let long = Trace { steps: idle.chain(later).collect(), ..short.clone() };
    let shrunk = shrink(&trial, &long, 5_000).unwrap();
    assert!(shrunk.recorded >= 200 && !shrunk.exhausted, "{shrunk:?}");
    assert_eq!(shrunk.trace.steps.len(), short.steps.len(), "{:?}", shrunk.trace.steps);
}
