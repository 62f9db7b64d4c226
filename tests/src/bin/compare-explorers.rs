//! Our explorer against stateright's breadth first search on one scope of the jobs world, in one run:
//! `cargo run --release -p holdover-tests --bin compare-explorers`. Each runs in a process of its own, on one thread;
//! memory is the process's peak less what it takes up before it begins.

use cpu_time::ProcessTime;
use holdover::{Explorable, ExploreOptions, Scope, explore};
use holdover_sim::jobs::Jobs;
use holdover_tests::AsModel;
use stateright::{Checker, Model};
use std::error::Error;
use std::process::Command;

fn main() -> Result<(), Box<dyn Error>> {
    if let Some(which) = std::env::args().nth(1) {
        let Figures { states, rate, bytes } = one(&which);
        println!("{states} {rate} {bytes}");
        return Ok(());
    }
    let own = in_process("own")?;
    let other = in_process("stateright")?;
    let (rate, bytes) = (own.rate / other.rate, own.bytes / other.bytes);
    println!("own/stateright: {rate:.2} of the rate, {bytes:.2} of the bytes");
    if own.states != other.states {
        return Err("they do not find as many states".into());
    }
    Ok(())
}

/// What an explorer took.
struct Figures {
    states: u64,
    /// States per CPU second.
    rate: f64,
    /// Bytes per state.
    bytes: f64,
}

fn in_process(which: &str) -> Result<Figures, Box<dyn Error>> {
    let output = Command::new(std::env::current_exe()?).arg(which).output()?;
    let text = String::from_utf8(output.stdout)?;
    let [states, rate, bytes] = text.split_whitespace().collect::<Vec<_>>()[..] else {
        return Err(format!("{which} failed: {}", String::from_utf8_lossy(&output.stderr)).into());
    };
    let figures = Figures { states: states.parse()?, rate: rate.parse()?, bytes: bytes.parse()? };
    let Figures { states, rate, bytes } = figures;
    println!("{which}: {states} states, {rate:.0} per CPU second, {bytes:.0} bytes each");
    Ok(figures)
}

fn one(which: &str) -> Figures {
    let scope = Scope { workers: 1, crashes: 1, ..Jobs.scope() };
    let (before, begin) = (peak_kb(), ProcessTime::now());
    let states = match which {
        "own" => {
            explore(&Jobs, "hardened", &scope, &ExploreOptions::new(u64::MAX)).expect("a variant").states
        }
        _ => AsModel { scope }.checker().threads(1).spawn_bfs().join().unique_state_count() as u64,
    };
    let (cpu, kb) = (begin.elapsed().as_secs_f64(), peak_kb() - before);
    Figures { states, rate: states as f64 / cpu, bytes: kb as f64 * 1_024.0 / states as f64 }
}

/// The most memory that this process has taken up, in kilobytes; 0 where the system does not tell.
fn peak_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().unwrap_or(0)
}
