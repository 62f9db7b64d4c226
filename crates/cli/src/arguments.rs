use crate::bench::ShapeName;
pub(crate) use crate::explore::ExploreArguments;
use crate::store::StoreUrl;
use crate::torture::ServerKind;
use clap::{Args, Parser, Subcommand};
use holdover::Shard;
use holdover_bench::Shape;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Finds faults of lease protocols before production does.
#[derive(Debug, Parser)]
#[command(name = "holdover", bin_name = "holdover", version)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run many seeds of each scenario and report what was violated
    Sim(SimArguments),
    /// Explore every state of a scenario within a scope: exit 0 if it closes clean, 6 if it stops at its budget
    Explore(ExploreArguments),
    /// Add up what shards have printed with `sim --json`, and judge the whole
    Merge(MergeArguments),
    /// Run a trace again: exit 1 if it still fails, 0 if not, 6 if it no longer applies
    Replay(ReplayArguments),
    /// Measure how far clocks may err before each invariant falls
    Frontier(FrontierArguments),
    /// Run golden vectors: files of steps with the answers expected
    Vectors(VectorsArguments),
    /// Judge a history: what clients and workers of a store asked and were told, a JSON object a line
    Check(CheckArguments),
    /// Serve the job protocol until Ctrl-C
    Serve(ServeArguments),
    /// Plant known bugs one by one and see that each is found by the invariant named beforehand
    Selftest(SelftestArguments),
    /// Hold a store to the contract: golden vectors, random histories call by call and at once, the bounds of what can be stored
    Conform(ConformArguments),
    /// Torture a store: worker processes behind a bad network, killed and stopped, a server that is killed; then judge what they saw
    Torture(TortureArguments),
    /// Measure stores beside each other: jobs a second, how long calls take, and whether the history holds
    Bench(BenchArguments),
    /// One worker process of `torture`
    #[command(hide = true)]
    TortureWorker(TortureWorkerArguments),
    /// A store behind a socket, for `torture`
    #[command(hide = true)]
    StoreNode(StoreNodeArguments),
    /// List scenarios with their variants, invariants, faults and probes
    List,
    /// Print the digests of single seeds; a campaign compares them with its own
    #[command(hide = true)]
    Digest(DigestArguments),
}

#[derive(Debug, Args)]
pub(crate) struct SimArguments {
    /// The scenarios to run [default: all]
    #[arg(value_name = "SCENARIO")]
    pub(crate) scenarios: Vec<String>,
    /// Run this one seed
    // A range of seeds ends before its end, so the last number cannot be in one.
    #[arg(long, value_name = "N", conflicts_with = "seeds", allow_negative_numbers = true)]
    #[arg(value_parser = whole(0, u64::MAX - 1))]
    pub(crate) seed: Option<u64>,
    /// Run this many seeds, from 1 on [default: 10000]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = whole(1, u64::MAX - 1))]
    pub(crate) seeds: Option<u64>,
    /// Run one of N equal parts of the seeds, such as 2/4; `merge` adds the parts up
    #[arg(long, value_name = "I/N", conflicts_with = "seed")]
    pub(crate) shard: Option<Shard>,
    /// The variant of the rules [default: the scenario's first]
    #[arg(long, value_name = "VARIANT")]
    pub(crate) variant: Option<String>,
    /// What runs the scenarios [default: the first]
    // Which engines there are is for the program to say, see `run`.
    #[arg(long, value_name = "ENGINE")]
    pub(crate) engine: Option<String>,
    /// How many threads to use [default: one for each core]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = whole(1, 1024))]
    pub(crate) threads: Option<u64>,
    /// Begin no more seeds after this time, shared among the scenarios
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    #[arg(value_parser = whole(1, u64::MAX))]
    pub(crate) time_budget: Option<u64>,
    /// Fail if a fault, probe, invariant or transition was never met [default: where neither seeds nor variant are chosen]
    #[arg(long)]
    pub(crate) floor: bool,
    /// Keep the traces of failures as they were recorded
    #[arg(long)]
    pub(crate) no_shrink: bool,
    /// Print one line: a JSON array with an object for each scenario
    #[arg(long)]
    pub(crate) json: bool,
    /// Write a JUnit report to this file as well
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// No progress and no narration
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Where the traces of failures go
    #[arg(long, value_name = "DIR", default_value = "out")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct SelftestArguments {
    /// Only the bugs whose name, class, source or invariant has this in it [default: all]
    #[arg(value_name = "FILTER")]
    pub(crate) filter: Option<String>,
    /// What looks for them; may be given more than once [default: random]
    #[arg(long, value_name = "ENGINE")]
    pub(crate) engine: Vec<String>,
    /// How many threads to use [default: one for each core]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = whole(1, 1024))]
    pub(crate) threads: Option<u64>,
    /// Print one line: a JSON array with an object for each scenario
    #[arg(long)]
    pub(crate) json: bool,
    /// Keep the shortest trace of each bug in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write the results as a document, in Markdown
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct MergeArguments {
    /// What each shard has printed
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Print one line: a JSON array with an object for each scenario
    #[arg(long)]
    pub(crate) json: bool,
    /// Write a JUnit report to this file as well
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArguments {
    /// The trace file
    #[arg(value_name = "TRACE")]
    pub(crate) trace: PathBuf,
    /// The variant of the rules [default: the one that the trace names]
    #[arg(long, value_name = "VARIANT")]
    pub(crate) variant: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct FrontierArguments {
    /// The scenario
    #[arg(value_name = "SCENARIO")]
    pub(crate) scenario: String,
    /// Run this many seeds at each size of each error [default: as many as the scenario thinks enough]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = whole(1, u64::MAX - 1))]
    pub(crate) seeds: Option<u64>,
    /// Measure this variant of the rules alone [default: those that are worth comparing]
    #[arg(long, value_name = "VARIANT")]
    pub(crate) variant: Option<String>,
    /// How many threads to use [default: one for each core]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = whole(1, 1024))]
    pub(crate) threads: Option<u64>,
    /// Print one line: a JSON array with one object, instead of tables in Markdown
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct VectorsArguments {
    /// Folders of vectors, or vector files
    #[arg(value_name = "DIR", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// The variant of the rules
    #[arg(long, value_name = "VARIANT", default_value = "original")]
    pub(crate) variant: String,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// The history, as `docs/history.md` describes it; `-` reads standard input
    #[arg(value_name = "HISTORY")]
    pub(crate) history: PathBuf,
    /// The most that clocks gain or lose over a lease
    #[arg(long, value_name = "MS", default_value_t = 100, allow_negative_numbers = true)]
    #[arg(value_parser = whole(0, u32::MAX.into()))]
    pub(crate) clock_slack: u64,
    /// Print one line: a JSON array with one object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// Where jobs are kept: `memory:` for as long as the process lives, `sqlite:PATH`, `postgres://...`, `redis://...`
    #[arg(long, value_name = "STORE")]
    pub(crate) store: StoreUrl,
    /// The address to listen at; port 0 takes one that is free
    #[arg(long, value_name = "ADDR", value_parser = address)]
    pub(crate) listen: SocketAddr,
    /// The variant of the rules
    #[arg(long, value_name = "VARIANT", default_value = "hardened")]
    pub(crate) variant: String,
}

fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "expected an address with a port, such as 127.0.0.1:7000".to_owned())
}

#[derive(Debug, Args)]
pub(crate) struct DigestArguments {
    pub(crate) scenario: String,
    #[arg(long)]
    pub(crate) engine: Option<String>,
    #[arg(long)]
    pub(crate) variant: String,
    /// Print the digest after each event of the seeds
    #[arg(long)]
    pub(crate) trail: bool,
    #[arg(required = true)]
    pub(crate) seeds: Vec<u64>,
}

/// Reads a whole number within these bounds, or says what would be one.
pub(crate) fn whole(
    low: u64,
    high: u64,
) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync + 'static {
    move |text| match text.parse() {
        Ok(number) if (low..=high).contains(&number) => Ok(number),
        _ => Err(format!("expected a whole number from {low} to {high}")),
    }
}

#[derive(Debug, Args)]
pub(crate) struct ConformArguments {
    /// The store: `memory:`, `sqlite:PATH`, `postgres://...` or `redis://...`
    #[arg(long, value_name = "STORE")]
    pub(crate) store: StoreUrl,
    /// Everything in the store may be erased, and will be
    #[arg(long)]
    pub(crate) erase: bool,
    /// Draw histories from this seed on
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Compare this many calls one by one
    #[arg(long, value_name = "N", default_value_t = 80_000)]
    pub(crate) calls: u64,
    /// Make this many calls at once with others
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub(crate) concurrent_calls: u64,
    /// Print one line: a JSON array with one object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TortureArguments {
    /// What is tortured: a server that is started for the run and belongs to it alone, killed and started again
    #[arg(long = "own-server", value_name = "KIND", required_unless_present = "store")]
    pub(crate) kind: Option<ServerKind>,
    /// What is tortured, in its place: a store that is there, whose server is left alone
    #[arg(long, value_name = "STORE", conflicts_with = "kind")]
    pub(crate) store: Option<StoreUrl>,
    /// Everything in that store may be erased, and will be
    #[arg(long, conflicts_with = "kind")]
    pub(crate) erase: bool,
    /// Disturb it for so long
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = whole(5, 86_400))]
    pub(crate) seconds: u64,
    /// So many worker processes at a time
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = whole(1, 256))]
    pub(crate) workers: u64,
    /// Draw the disturbances from this seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Give the store this bug and see that it is found: exit 0 if it is, by the invariant that is named for it, 5 if not
    #[arg(long, value_name = "BUG")]
    pub(crate) plant: Option<String>,
    /// Print one line: a JSON array with one object
    #[arg(long)]
    pub(crate) json: bool,
    /// Where the history of a failure goes
    #[arg(long, value_name = "DIR", default_value = "out")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArguments {
    /// A store to measure, as for `conform`; the others are compared with the first
    #[arg(long = "store", value_name = "STORE", required = true)]
    pub(crate) stores: Vec<StoreUrl>,
    /// Everything in these stores may be erased, and will be
    #[arg(long)]
    pub(crate) erase: bool,
    /// So many jobs are ready when a lap begins; at most half of them are taken
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = whole(1, 1_000_000))]
    pub(crate) backlog: u64,
    /// So many workers, each with one call at a time
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = whole(1, 1024))]
    pub(crate) workers: u64,
    /// How workers take jobs
    #[arg(long, value_name = "SHAPE", default_value = "single")]
    shape: ShapeName,
    /// Keep no history and check none: for the last percent of speed
    #[arg(long)]
    pub(crate) unchecked: bool,
    /// Print one line: a JSON array with an object for each store
    #[arg(long)]
    pub(crate) json: bool,
}

impl BenchArguments {
    /// How workers take jobs.
    pub(crate) fn shape(&self) -> Shape {
        match self.shape {
            ShapeName::Single => Shape::Single,
            ShapeName::Fused => Shape::Fused,
            ShapeName::Batch => Shape::Batch,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct TortureWorkerArguments {
    #[arg(long)]
    pub(crate) store: StoreUrl,
    #[arg(long)]
    pub(crate) number: u64,
    #[arg(long)]
    pub(crate) seed: u64,
    #[arg(long)]
    pub(crate) tape: PathBuf,
    #[arg(long)]
    pub(crate) creates_until: i64,
    #[arg(long)]
    pub(crate) works_until: i64,
    #[arg(long)]
    pub(crate) plant: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct StoreNodeArguments {
    #[arg(long)]
    pub(crate) store: StoreUrl,
    #[arg(long, value_parser = address)]
    pub(crate) listen: SocketAddr,
}
