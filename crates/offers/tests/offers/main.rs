//! The worker inbox at its boundary: what goes in, what comes out, what is durable.

mod any_input;
mod arrival;
mod secrets;
mod support;
mod transitions;
mod validation;
