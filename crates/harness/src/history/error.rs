use std::io;
use thiserror::Error;

/// Why a history cannot be judged: it is not one, or not a whole one.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// A line is no event.
    #[error("line {line}: {what}; an event is an object with index, time, process, type, f and value")]
    Malformed {
        /// The line, counted from 1.
        line: u64,
        /// What is wrong with it.
        what: String,
    },
    /// The order of events is that of their lines, and an index says otherwise.
    #[error("line {line}: index {index} comes after {after}; events stand in the order of their index")]
    OutOfOrder {
        /// The line.
        line: u64,
        /// Its index.
        index: u64,
        /// The index before it.
        after: u64,
    },
    /// A process asks for two things at once.
    #[error(
        "line {line}: process {process} has had no answer yet since line {since}; a process does one thing at a time"
    )]
    StillAsking {
        /// The line.
        line: u64,
        /// The process.
        process: u64,
        /// The line in which it asked.
        since: u64,
    },
    /// A process goes on whose operation may still be carried out.
    #[error(
        "line {line}: process {process} goes on after its `info` in line {since}; go on under a number never used before"
    )]
    Retired {
        /// The line.
        line: u64,
        /// The process.
        process: u64,
        /// The line of the info.
        since: u64,
    },
    /// There is an answer and no question.
    #[error("line {line}: process {process} is answered and has asked nothing; an `invoke` comes first")]
    NothingAsked {
        /// The line.
        line: u64,
        /// The process.
        process: u64,
    },
    /// The answer is to another operation.
    #[error(
        "line {line}: an answer to `{answered}`; process {process} has asked for `{asked}` in line {since}"
    )]
    OtherOperation {
        /// The line.
        line: u64,
        /// The process.
        process: u64,
        /// The operation of the answer.
        answered: String,
        /// The operation of the question.
        asked: String,
        /// The line of the question.
        since: u64,
    },
    /// What was carried out cannot be judged without this.
    #[error("line {line}: `{f}` is `ok` and its value has no `{member}`; see docs/history.md")]
    Untold {
        /// The line.
        line: u64,
        /// The operation.
        f: &'static str,
        /// What its value leaves out.
        member: &'static str,
    },
    /// More is under way on one job than can be told apart.
    #[error("line {line}: more than {most} operations at once on {job}")]
    Crowded {
        /// The line.
        line: u64,
        /// The job.
        job: String,
        /// The most.
        most: usize,
    },
    /// There is nothing in it that the checks know.
    #[error("no operation on a job in it: nothing was checked; see docs/history.md")]
    Nothing,
}
