//! The command line at its boundary: a program with toy scenarios, its arguments, its output and its exit code.

mod check;
mod ends;
mod errors;
mod explore;
mod frontier;
mod json;
#[path = "../../examples/toy/lease.rs"]
mod lease;
mod live;
mod output;
mod program;
mod reports;
mod selftest;
mod serve;
mod shards;
mod stop;
mod traces;
mod workflow;
