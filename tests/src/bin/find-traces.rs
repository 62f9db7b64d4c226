//! Finds the committed traces of the jobs world anew: `cargo run --release -p holdover-tests --bin find-traces`.
//! To be run when the world changes on purpose. With names of knobs as arguments, only those.

use holdover_sim::jobs::EVIDENCE;
use holdover_tests::{find, traces};

const SEEDS_MAX: u64 = 400_000;

fn main() -> std::io::Result<()> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    std::fs::create_dir_all(traces())?;
    for evidence in
        EVIDENCE.iter().filter(|one| wanted.is_empty() || wanted.iter().any(|name| name == one.knob))
    {
        let Some(trace) = find(evidence, SEEDS_MAX) else {
            println!("{}: nothing in {SEEDS_MAX} seeds", evidence.knob);
            continue;
        };
        let (seed, steps) = (trace.seed.unwrap_or(0), trace.steps.len());
        println!("{}: {} in {steps} actions, seed {seed}", evidence.knob, evidence.invariant);
        std::fs::write(traces().join(format!("{}.json", evidence.knob)), trace.to_json())?;
    }
    Ok(())
}
