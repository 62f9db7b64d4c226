//! The worker inbox at its boundary: what goes in, what comes out, what is durable.

mod any_input;
mod arrival;
mod crashes;
mod journal;
mod recovery;
mod retention;
mod secrets;
mod startup;
mod support;
mod tracker;
mod transitions;
mod validation;
