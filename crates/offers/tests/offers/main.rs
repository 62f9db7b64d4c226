//! The worker inbox at its boundary: what goes in, what comes out, what is durable.

mod support;
mod transitions;
