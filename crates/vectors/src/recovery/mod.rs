//! Vectors of the startup recovery pass (`recovery/1`): real passes against scripted ports over a small repository.

mod ports;
mod repository;
mod scenario;
mod script;
mod world;

use crate::{Format, FormatError, Mismatch, compare};
use scenario::Scenario;
use serde_json::Value;
use world::World;

/// The format `recovery/1`.
pub(crate) struct Recovery;

impl Format for Recovery {
    fn id(&self) -> &'static str {
        "recovery/1"
    }

    fn run(&self, scenario: &Value, variant: &str) -> Result<Vec<Mismatch>, FormatError> {
        FormatError::unless_original(variant)?;
        let Scenario { start, steps, expect } = Scenario::read(scenario)?;
        let mut world = World::new(start)?;
        for (at, step) in steps.into_iter().enumerate() {
            world.step(at, step)?;
        }
        let mut mismatches = Vec::new();
        compare(&expect, &world.outcome(), "$.expect", &mut mismatches);
        for mismatch in &mut mismatches {
            mismatch.step = "end".into();
        }
        Ok(mismatches)
    }
}
