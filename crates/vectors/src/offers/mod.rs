//! Vectors of the worker inbox: the receiver (`offers/1`) and its neighbours (`offer-recovery/1`), real machines
//! over scripted ports.

mod error;
mod input;
mod journal;
mod ports;
mod recovery;
mod scenario;
mod script;
mod world;

pub(crate) use recovery::OfferRecovery;

use crate::{Format, FormatError, Mismatch, compare};
use scenario::{Run, Scenario};
use serde_json::Value;

/// The format `offers/1`.
pub(crate) struct Offers;

impl Format for Offers {
    fn id(&self) -> &'static str {
        "offers/1"
    }

    fn run(&self, scenario: &Value, variant: &str) -> Result<Vec<Mismatch>, FormatError> {
        known(variant)?;
        let Scenario { start, steps, expect } = Scenario::read(scenario)?;
        let mut run = Run::new(start)?;
        for (at, step) in steps.into_iter().enumerate() {
            run.step(&format!("$.steps[{at}]"), step)?;
        }
        Ok(differences(&expect, &run.outcome()))
    }
}

fn known(variant: &str) -> Result<(), FormatError> {
    if variant == "original" {
        return Ok(());
    }
    Err(FormatError::Variant { variant: variant.into(), known: "original".into() })
}

fn differences(expect: &Value, outcome: &Value) -> Vec<Mismatch> {
    let mut mismatches = Vec::new();
    compare(expect, outcome, "$.expect", &mut mismatches);
    for mismatch in &mut mismatches {
        mismatch.step = "end".into();
    }
    mismatches
}
