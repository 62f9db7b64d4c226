//! What the fuzz targets share: which variant is fuzzed, what a broken rule looks like to the fuzzer, and a tally of
//! how much the inputs did.
//!
//! The environment says what to do, because the command line belongs to the fuzzer: `HOLDOVER_FUZZ_VARIANT` is the
//! variant, hardened where it is not set, and `HOLDOVER_FUZZ_TALLY` the file in which the tally is kept.

use cpu_time::ProcessTime;
use holdover::Scenario;
use holdover_sim::jobs::{Jobs, Variant, fuzz::Outcome};
use std::{
    env, fs,
    sync::{LazyLock, Mutex},
};

/// Every so many inputs the tally is written down.
const WRITE_EVERY: u64 = 1_024;

static VARIANT: LazyLock<Variant> = LazyLock::new(|| {
    let name = env::var("HOLDOVER_FUZZ_VARIANT").unwrap_or_else(|_| "hardened".to_owned());
    Jobs.variant(&name).unwrap_or_else(|| panic!("`{name}` is not a variant of the scenario jobs"))
});

static TALLY: LazyLock<Mutex<Tally>> =
    LazyLock::new(|| Mutex::new(Tally { file: env::var("HOLDOVER_FUZZ_TALLY").ok(), ..Tally::default() }));

/// How much all inputs so far did.
#[derive(Debug, Default)]
struct Tally {
    file: Option<String>,
    inputs: u64,
    applied: u64,
    idle: u64,
}

impl Tally {
    fn count(&mut self, outcome: &Outcome) {
        self.inputs += 1;
        self.applied += u64::from(outcome.applied);
        self.idle += u64::from(outcome.applied == 0);
        if self.inputs.is_multiple_of(WRITE_EVERY) {
            self.write();
        }
    }

    /// Best effort: who reads the file sees that nothing is in it.
    fn write(&self) {
        let Some(file) = &self.file else { return };
        let Self { inputs, applied, idle, .. } = self;
        let cpu_ms = ProcessTime::now().as_duration().as_millis();
        let json = format!(
            "{{\"executions\":{inputs},\"applied\":{applied},\"idle\":{idle},\"cpu_ms\":{cpu_ms}}}\n"
        );
        let _ = fs::write(file, json);
    }
}

/// The variant that is fuzzed.
pub fn variant() -> &'static Variant {
    &VARIANT
}

/// Counts what an input did, and tells the fuzzer of a broken rule in the one way that it understands.
pub fn judge(outcome: &Outcome) {
    let mut tally = TALLY.lock().expect("nobody panics while it is held");
    tally.count(outcome);
    if let Some(broken) = &outcome.broken {
        tally.write();
        drop(tally);
        panic!("{broken}");
    }
}
