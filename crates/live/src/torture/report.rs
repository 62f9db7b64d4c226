use crate::judge::Judgement;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// How often what happened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// The server was killed and started again.
    pub server_kills: u32,
    /// A worker process was killed, and another took its place.
    pub worker_kills: u32,
    /// A worker process was stopped and went on later.
    pub worker_stops: u32,
    /// Connections that were cut.
    pub cut_connections: u64,
    /// Times in which answers were swallowed.
    pub swallows: u32,
    /// Times in which the network was slow.
    pub delays: u32,
}

/// What a run came to.
#[derive(Debug)]
pub struct Report {
    /// What happened.
    pub counts: Counts,
    /// What was found.
    pub judgement: Judgement,
    /// How long it took until every job had come to its end, once all was well.
    pub drained: Duration,
    /// How long it may take.
    pub bound: Duration,
    /// The history.
    pub history: PathBuf,
}

impl Report {
    /// Whether nothing was found and every job came to its end in time.
    pub fn passed(&self) -> bool {
        self.judgement.passed() && self.drained <= self.bound
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { counts, judgement, drained, bound, .. } = self;
        let history = &judgement.history;
        writeln!(
            f,
            "{} operations on {} jobs: {} carried out, {} not, {} of which nobody knows",
            history.operations, history.jobs, history.ok, history.failed, history.unknown
        )?;
        writeln!(
            f,
            "server killed {} times, workers {} times and stopped {}; {} connections cut, {} times answers \
             swallowed, {} times slow",
            counts.server_kills,
            counts.worker_kills,
            counts.worker_stops,
            counts.cut_connections,
            counts.swallows,
            counts.delays
        )?;
        writeln!(
            f,
            "{} acknowledged writes on {} acknowledged jobs looked for, {} jobs stored",
            judgement.acknowledged_writes, judgement.acknowledged_jobs, judgement.stored_jobs
        )?;
        writeln!(
            f,
            "every job at its end {} ms after the last fault, of {} ms",
            drained.as_millis(),
            bound.as_millis()
        )
    }
}
