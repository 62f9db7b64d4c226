//! Our explorer against stateright's breadth first search on one scope of the jobs world, in one run:
//! `cargo run --release -p holdover-tests --bin compare-explorers`. Each runs in a process of its own, on one thread;
//! memory is the process's peak less what it takes up before it begins.

use cpu_time::ProcessTime;
use holdover::{Explorable, ExploreOptions, Scope, explore};
use holdover_sim::jobs::Jobs;
use holdover_tests::AsModel;
use stateright::{Checker, Model};
use std::process::Command;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(which) = std::env::args().nth(1) {
        println!("{}", one(&which));
        return Ok(());
    }
    let program = std::env::current_exe()?;
    for which in ["own", "stateright"] {
        let output = Command::new(&program).arg(which).output()?;
        print!("{which}: {}", String::from_utf8_lossy(&output.stdout));
    }
    Ok(())
}

fn one(which: &str) -> String {
    let scope = Scope { workers: 1, crashes: 1, ..Jobs.scope() };
    let (before, begin) = (peak_kb(), ProcessTime::now());
    let states = match which {
        "own" => {
            explore(&Jobs, "hardened", &scope, &ExploreOptions::new(u64::MAX)).expect("a variant").states
        }
        _ => AsModel { scope }.checker().threads(1).spawn_bfs().join().unique_state_count() as u64,
    };
    let (cpu, kb) = (begin.elapsed().as_secs_f64(), peak_kb() - before);
    let (rate, bytes) = (states as f64 / cpu, kb as f64 * 1_000.0 / states as f64);
    format!("{states} states, {rate:.0} per CPU second, {bytes:.0} bytes each")
}

/// The most memory that this process has taken up, in kilobytes; 0 where the system does not tell.
fn peak_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().unwrap_or(0)
}
