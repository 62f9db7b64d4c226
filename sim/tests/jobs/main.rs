//! Tests of the jobs world at its boundary: what every world owes the engines.

mod explore;
mod hostile;
mod replay;
mod sample;
mod support;
mod trace;
