//! The store on Redis with a server of its own: what a command costs the server, what a crash and a fail-over take,
//! and what is said when something is wrong.

mod calls;
mod crash;
mod errors;
mod growth;
mod queue;
mod script_calls;
