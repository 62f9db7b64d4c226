//! Instruction counts, which do not depend on how busy the machine is. They need `valgrind`, and the
//! `gungraun-runner` of the library's version; where one of them is missing, nothing is counted.

use counted::counts;
use gungraun::{LibraryBenchmarkConfig, main};
use std::process::{Command, exit};

mod counted {
    use gungraun::{library_benchmark, library_benchmark_group};
    use holdover::Scenario;
    use holdover_benches::{Done, Load, Queue, Turn, Watch};
    use holdover_sim::jobs::Variant;
    use std::hint::black_box;

    fn queue(jobs: u64) -> (Queue, Vec<Turn>) {
        let mut queue = Queue::of(jobs);
        let turns = (0..100).map(|_| queue.turn()).collect();
        (queue, turns)
    }

    // 100 times claim, start and complete. What it has used goes back, so that dropping it is not counted.
    #[library_benchmark]
    #[bench::among_1k(args = (1_000), setup = queue)]
    fn claim_and_complete((mut queue, turns): (Queue, Vec<Turn>)) -> (Queue, Vec<Turn>) {
        turns.iter().for_each(|turn| queue.take(turn));
        black_box((queue, turns))
    }

    fn variant(watch: Watch) -> (Variant, Watch) {
        (Load.variant("hardened").expect("the default variant"), watch)
    }

    // One seed of the load.
    #[library_benchmark]
    #[bench::everything(args = (Watch::Everything), setup = variant)]
    #[bench::bare(args = (Watch::Nothing), setup = variant)]
    fn seed((variant, watch): (Variant, Watch)) -> Done {
        black_box(Load.run(&variant, 1, watch))
    }

    library_benchmark_group!(name = counts, benchmarks = [claim_and_complete, seed]);
}

/// The configuration of all counts, asked for before anything is run: ends here where nothing can be counted.
fn configuration() -> LibraryBenchmarkConfig {
    let runner = option_env!("GUNGRAUN_RUNNER").unwrap_or("gungraun-runner");
    for (tool, hint) in [
        ("valgrind", "install it with the system's package manager"),
        (runner, "cargo install gungraun-runner --version 0.20.0 --locked"),
    ] {
        if Command::new(tool).arg("--version").output().is_err() {
            eprintln!("skipped: instruction counts need `{tool}`, which is not installed ({hint})");
            exit(0);
        }
    }
    LibraryBenchmarkConfig::default()
}

main!(config = configuration(), library_benchmark_groups = counts);
