//! The engines, run on a toy world.

mod campaigns;
mod frontier;
mod replaying;
mod reports;
mod running;
mod script;
mod shrinking;
mod toy;
mod traces;
