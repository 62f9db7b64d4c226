use crate::arguments::whole;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct ExploreArguments {
    /// The scenario
    #[arg(value_name = "SCENARIO")]
    pub(crate) scenario: String,
    /// The variant of the rules [default: the scenario's first]
    #[arg(long, value_name = "VARIANT")]
    pub(crate) variant: Option<String>,
    #[command(flatten)]
    pub(crate) scope: ScopeArguments,
    /// Stop when there are this many states
    #[arg(long, value_name = "N", default_value = "40000000", allow_negative_numbers = true)]
    #[arg(value_parser = whole(1, u32::MAX.into()))]
    pub(crate) states: u64,
    /// Stop when the process has grown to this many megabytes, where that can be told
    #[arg(long, value_name = "MB", default_value = "4000", allow_negative_numbers = true)]
    #[arg(value_parser = whole(1, u32::MAX.into()))]
    pub(crate) memory: u64,
    /// How many threads to use [default: one for each core]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = whole(1, 1024))]
    pub(crate) threads: Option<u64>,
    /// Compare whole states, not their fingerprints: no state can be left out, for more memory
    #[arg(long)]
    pub(crate) exact: bool,
    /// Print one line: a JSON array with an object for the scenario
    #[arg(long)]
    pub(crate) json: bool,
    /// Where the trace of a failure goes
    #[arg(long, value_name = "DIR", default_value = "out")]
    pub(crate) out: PathBuf,
}

/// What differs from the scenario's own scope.
#[derive(Debug, Args)]
pub(crate) struct ScopeArguments {
    /// Workers [default: the scenario's own scope, as for all that follow]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = few(1, 4))]
    pub(crate) workers: Option<u8>,
    /// Jobs
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = few(1, 4))]
    pub(crate) job_count: Option<u8>,
    /// The most messages that are held up at once
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = few(0, 4))]
    pub(crate) in_flight: Option<u8>,
    /// The most crashes of workers
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = few(0, 9))]
    pub(crate) crashes: Option<u8>,
    /// The most messages that arrive twice
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = few(0, 9))]
    pub(crate) dups: Option<u8>,
    /// The most steps of clocks
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = few(0, 9))]
    pub(crate) clock_steps: Option<u8>,
}

/// Reads a small number within these bounds, or says what would be one.
fn few(low: u8, high: u8) -> impl Fn(&str) -> Result<u8, String> + Clone + Send + Sync + 'static {
    move |text| match text.parse() {
        Ok(number) if (low..=high).contains(&number) => Ok(number),
        _ => Err(format!("expected a whole number from {low} to {high}")),
    }
}
