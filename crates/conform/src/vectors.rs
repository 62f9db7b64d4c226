//! Golden vectors, played on a store.

use crate::{Failure, ManualClock, Part, PartReport, Subject};
use holdover_jobs::{Call, Reply, Rules, Table};
use holdover_machine::{Outcome, StoreTime};
use holdover_store::{Store, StoreError};
use holdover_vectors::{FormatError, Mismatch, run_on};
use include_dir::{Dir, include_dir};
use serde_json::Value;
use tokio::runtime::Runtime;

/// The vectors of the job protocol.
static VECTORS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../tests/golden/jobs");

pub(crate) fn run<S: Subject>(subject: &S, runtime: &Runtime) -> PartReport {
    let mut report = PartReport::new(Part::Vectors, "vectors");
    let vectors = VECTORS.files().filter(|file| file.path().extension().is_some_and(|end| end == "json"));
    for file in vectors {
        let name = file.path().file_stem().unwrap_or_default().to_string_lossy();
        let Ok(scenario) = serde_json::from_slice::<Value>(file.contents()) else {
            report.fail(Failure::new(name, "the vector is no JSON document"));
            continue;
        };
        for variant in ["original", "hardened"] {
            report.compared += 1;
            if let Err(what) = compare(subject, runtime, &scenario, variant) {
                report.fail(Failure::new(format!("{name} under {variant}"), what));
            }
        }
    }
    report
}

/// The answers that differ from the recorded ones must be those that differ on `Table`: under `original` none do.
fn compare<S: Subject>(
    subject: &S,
    runtime: &Runtime,
    scenario: &Value,
    variant: &str,
) -> Result<(), String> {
    let rules = Rules::named(variant).ok_or("there is no such variant")?;
    let mut table = Table::new(rules.order());
    let wanted = play(scenario, variant, &mut |clock, call| Outcome::Ok(table.execute(clock, call)))?;
    let clock = ManualClock::default();
    let store = runtime.block_on(subject.open(rules.order(), clock.clone()));
    let store = store.map_err(|error| format!("the store was not opened: {error}"))?;
    let got = play(scenario, variant, &mut |now, call| {
        clock.set(now);
        StoreError::outcome(runtime.block_on(store.execute(call.clone())))
    })?;
    let differs = got.iter().find(|mismatch| !wanted.contains(mismatch));
    let differs = differs.or_else(|| wanted.iter().find(|mismatch| !got.contains(mismatch)));
    match differs {
        None => Ok(()),
        Some(Mismatch { step, path, expected, got }) => {
            Err(format!("step {step}, at {path}: {got} was answered, {expected} is recorded"))
        }
    }
}

fn play<'a>(
    scenario: &Value,
    variant: &str,
    store: &'a mut (dyn FnMut(StoreTime, &Call) -> Outcome<Reply> + 'a),
) -> Result<Vec<Mismatch>, String> {
    run_on(scenario, variant, store).map_err(|error: FormatError| error.to_string())
}
