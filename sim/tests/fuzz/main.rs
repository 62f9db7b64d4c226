//! Goal: the committed inputs of every fuzz target do something and break nothing under the hardened variant; so do
//! drawn ones; and a planted bug is found by drawn ones, so that a target that judges nothing would be noticed.

use holdover::{Rng, Scenario};
use holdover_sim::jobs::fuzz::Outcome;
use holdover_sim::jobs::{Jobs, Variant, fuzz};
use std::{fs, path::PathBuf};

type Body = fn(&Variant, &[u8]) -> Outcome;

const TARGETS: [(&str, Body); 3] = [
    ("jobs_commands", fuzz::fuzz_commands),
    ("jobs_world", fuzz::fuzz_world),
    ("jobs_request", |_, bytes| fuzz::fuzz_request(bytes)),
];

fn variant(name: &str) -> Variant {
    Jobs.variant(name).expect("a variant")
}

/// The inputs of a seed, each up to 400 bytes long.
fn drawn(seed: u64) -> Vec<u8> {
    let mut rng = Rng::from_seed(seed);
    (0..rng.between(100, 400)).map(|_| rng.bits() as u8).collect()
}

/// Every input that is committed does something, and breaks nothing.
#[test]
fn committed_inputs_hold() {
    let hardened = variant("hardened");
    for (target, body) in TARGETS {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds").join(target);
        let files = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut count = 0;
        for path in files.map(|file| file.expect("a readable folder").path()) {
            let outcome = body(&hardened, &fs::read(&path).expect("a readable file"));
            assert_eq!(outcome.broken, None, "{}", path.display());
            assert!(outcome.applied > 0, "{} does nothing", path.display());
            count += 1;
        }
        assert!(count > 0, "{} is empty", folder.display());
    }
}

/// Drawn inputs break nothing, and mostly do much.
#[test]
fn drawn_inputs_hold() {
    let hardened = variant("hardened");
    for (target, body) in TARGETS {
        let outcomes: Vec<Outcome> = (1..=2_000).map(|seed| body(&hardened, &drawn(seed))).collect();
        for (seed, outcome) in (1..).zip(&outcomes) {
            assert_eq!(outcome.broken, None, "{target}, seed {seed}");
        }
        let idle = outcomes.iter().filter(|outcome| outcome.applied == 0).count();
        assert!(idle < outcomes.len() / 2, "{idle} inputs of {target} did nothing");
    }
}

/// The same bytes do the same.
#[test]
fn an_input_repeats() {
    let hardened = variant("hardened");
    for (target, body) in TARGETS {
        for seed in 1..=50 {
            let bytes = drawn(seed);
            assert_eq!(body(&hardened, &bytes), body(&hardened, &bytes), "{target}, seed {seed}");
        }
    }
}

/// A planted bug is found by the invariant that is named for it, on commands and on a world.
#[test]
fn planted_bugs_are_found() {
    for (id, invariant) in [
        ("settle-by-id", "fencing"),
        ("early-hand-out", "no-early-retry"),
        ("unbounded-sweep", "bounded-recovery-batch"),
    ] {
        let flawed = variant(&format!("planted-{id}"));
        for (target, body) in &TARGETS[..2] {
            let named =
                |seed| body(&flawed, &drawn(seed)).broken.is_some_and(|found| found.rule == invariant);
            assert!((1..=20_000).any(named), "{target} does not find {id}");
        }
    }
}
