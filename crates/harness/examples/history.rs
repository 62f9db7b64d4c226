//! Writes the history of clients that work against a store that keeps its promise, for `holdover check`:
//!
//! ```console
//! $ cargo run --release -p holdover --example history -- 100000 32 1000 > history.jsonl
//! ```
//!
//! The arguments are how many operations, clients and jobs.

#[path = "../tests/histories/generator.rs"]
mod generator;

use generator::{Size, generate};
use holdover::Rng;
use holdover::history::Recorder;
use std::{env, io, process::ExitCode};

fn main() -> ExitCode {
    let numbers: Option<Vec<u32>> = env::args().skip(1).map(|argument| argument.parse().ok()).collect();
    let Some(&[operations, clients @ (1..), jobs @ (1..)]) = numbers.as_deref() else {
        eprintln!("usage: history OPERATIONS CLIENTS JOBS, with at least one client and one job");
        return ExitCode::from(2);
    };
    let over_one_in = (operations / jobs).max(2);
    let size = Size { operations, clients, jobs, lease_ms: 1_000, unanswered_one_in: 500, over_one_in };
    let mut recorder = Recorder::new(io::BufWriter::new(io::stdout().lock()));
    let written = generate(&mut Rng::from_seed(1), size)
        .into_iter()
        .try_for_each(|event| recorder.record(event.time, event.process, event.kind, &event.f, event.value))
        .and_then(|()| recorder.finish().map(drop));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: the history cannot be written: {error}");
            ExitCode::FAILURE
        }
    }
}
