//! Histories: their format, the rules of leases, and linearizability.

mod brute_force;
mod exactness;
mod generator;
mod invention;
mod mutation;
mod rules;
mod stories;
