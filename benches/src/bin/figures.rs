//! Prints the figures that the benchmarks promise, in processor time, so that a busy machine changes them little.

use cpu_time::ProcessTime;
use holdover::{CampaignOptions, Scenario, campaign};
use holdover_benches::{Load, Queue, Turn, Watch};
use holdover_sim::jobs::Variant;
use std::fs;
use std::sync::Mutex;

/// The seeds over which memory must not grow.
const SEEDS: u64 = 200_000;
/// How many rounds a median is taken of.
const ROUNDS: u64 = 21;

fn main() {
    // First, while nothing else has been in memory.
    memory();
    let variant = Load.variant("hardened").expect("the default variant");
    seeds(&variant);
    table();
}

/// Resident memory early in a campaign and at its end.
fn memory() {
    let (early, late) = (SEEDS / 10, SEEDS);
    let resident = Mutex::new(Vec::new());
    let progress = |done: u64| {
        if done == early || done == late {
            resident.lock().expect("nobody panics").extend(resident_kib());
        }
    };
    let options = CampaignOptions::new("hardened", 0..SEEDS).progress(&progress);
    campaign(&Load, &options).expect("the default variant");
    match resident.lock().expect("nobody panics")[..] {
        [early, late] => println!(
            "resident memory: {early} KiB after 20,000 seeds, {late} KiB after 200,000 ({:+.1} %)",
            (late as f64 / early as f64 - 1.0) * 100.0
        ),
        _ => println!("resident memory: not known on this system"),
    }
}

/// What the system says this process has in memory.
fn resident_kib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// Whole seeds, with everything on and bare, in turn.
fn seeds(variant: &Variant) {
    const EACH: u64 = 500;
    let (mut messages, mut actions) = (0, 0);
    let mut time = |watch, round: u64| {
        let begin = ProcessTime::now();
        for seed in round * EACH..(round + 1) * EACH {
            let done = Load.run(variant, seed, watch);
            (messages, actions) = (messages + done.messages, actions + done.actions);
        }
        begin.elapsed().as_secs_f64() / EACH as f64
    };
    let (mut full, mut bare, mut ratio) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        full.push(time(Watch::Everything, round));
        bare.push(time(Watch::Nothing, round));
        ratio.push(full[full.len() - 1] / bare[bare.len() - 1]);
    }
    let runs = (2 * ROUNDS * EACH) as f64;
    println!("load: {:.0} messages and {:.0} actions a seed", messages as f64 / runs, actions as f64 / runs);
    println!(
        "seeds a CPU second: {:.0} with everything on, {:.0} bare; everything costs {:.2} times the bare world",
        1.0 / median(full),
        1.0 / median(bare),
        median(ratio)
    );
}

/// The calls of an attempt, the queue kept at its size. They are made a batch ahead; a small one, so that it does
/// not drive the table out of the processor's caches.
fn table() {
    const EACH: usize = 100;
    let mut at_100k = None;
    for jobs in [1_000, 100_000, 1_000_000] {
        let mut queue = Queue::of(jobs);
        let [mut claim, mut start, mut complete] = [const { Vec::new() }; 3];
        for _ in 0..ROUNDS * 50 {
            let turns: Vec<Turn> = (0..EACH).map(|_| queue.turn()).collect();
            claim.push(micros(&turns, |turn| queue.execute(&turn.claim)));
            start.push(micros(&turns, |turn| queue.execute(&turn.start)));
            complete.push(micros(&turns, |turn| queue.execute(&turn.complete)));
            turns.iter().for_each(|_| queue.refill());
        }
        let [claim, start, complete] = [claim, start, complete].map(median);
        let both = claim + complete;
        if jobs == 100_000 {
            at_100k = Some(both);
        }
        let times = at_100k.map_or(String::new(), |at| format!(", {:.2} times that at 100,000", both / at));
        println!(
            "table of {jobs} queued jobs: claim {claim:.2} µs + complete {complete:.2} µs = {both:.2} µs{times}; \
             the start between them {start:.2} µs"
        );
    }
}

/// Microseconds of processor time for each turn.
fn micros(turns: &[Turn], mut each: impl FnMut(&Turn)) -> f64 {
    let begin = ProcessTime::now();
    turns.iter().for_each(&mut each);
    begin.elapsed().as_secs_f64() * 1e6 / turns.len() as f64
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
