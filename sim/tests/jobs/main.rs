//! Tests of the jobs world at its boundary: what every world owes the engines.

mod hostile;
mod replay;
mod sample;
mod support;
