use crate::tally::Tally;
use holdover::{Planted, Scenario};
use holdover_sim::jobs::{Jobs, Variant, fuzz::Outcome};
use std::{
    env, process,
    sync::{LazyLock, Mutex},
};

/// What is fuzzed.
struct Target {
    variant: Variant,
    /// The invariant that must fall, where a bug is looked for.
    named: Option<&'static str>,
    tally: Mutex<Tally>,
}

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let planted = env::var("HOLDOVER_FUZZ_PLANT").ok().map(|id| planted(&id));
    let name = planted.as_ref().map_or_else(|| "hardened".to_owned(), Planted::variant);
    Target {
        variant: Jobs.variant(&name).expect("the catalogue names variants that there are"),
        named: planted.map(|planted| planted.invariant),
        tally: Mutex::new(Tally::new(env::var("HOLDOVER_FUZZ_TALLY").ok())),
    }
});

fn planted(id: &str) -> Planted {
    Jobs.planted().into_iter().find(|planted| planted.id == id).unwrap_or_else(|| {
        eprintln!("error: `{id}` is not a planted bug of the scenario jobs; docs/selftest.md lists them");
        process::exit(2);
    })
}

/// Reads what is to be done, so that a mistake in it is told before the fuzzer has begun.
pub fn begin() {
    LazyLock::force(&TARGET);
}

/// The variant that is fuzzed.
pub fn variant() -> &'static Variant {
    &TARGET.variant
}

/// Counts what an input did, and tells the fuzzer of a broken rule in the one way that it understands. Who looks for a
/// planted bug goes on until the invariant falls that is named for it: another one is no find.
pub fn judge(outcome: &Outcome) {
    let mut tally = TARGET.tally.lock().expect("nobody panics while it is held");
    tally.count(outcome);
    let Some(broken) = &outcome.broken else { return };
    if TARGET.named.is_none_or(|named| named == broken.rule) {
        tally.find(&broken.rule);
        drop(tally);
        panic!("{broken}");
    }
    tally.stray(&broken.rule);
}
