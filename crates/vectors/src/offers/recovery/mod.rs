//! Vectors of the receiver's neighbours: audit, recovery and lease loss (`offer-recovery/1`).

mod audit;
mod lease_loss;
mod recover;
mod scenario;
mod stage;

use super::{differences, known};
use crate::{Format, FormatError, Mismatch};
use scenario::{Operation, Scenario};
use serde_json::Value;
use stage::Stage;

/// The format `offer-recovery/1`.
pub(crate) struct OfferRecovery;

impl Format for OfferRecovery {
    fn id(&self) -> &'static str {
        "offer-recovery/1"
    }

    fn run(&self, scenario: &Value, variant: &str) -> Result<Vec<Mismatch>, FormatError> {
        known(variant)?;
        let Scenario { start, operation, expect } = Scenario::read(scenario)?;
        let mut stage = Stage::new(start)?;
        match operation {
            Operation::Audit { page_size, max_pages } => audit::run(&mut stage, page_size, max_pages),
            Operation::Recover { grace_ms, repeat } => recover::run(&mut stage, &expect, grace_ms, repeat)?,
            Operation::LeaseLoss { loss, stop } => lease_loss::run(&mut stage, loss, stop),
        }
        Ok(differences(&expect, &stage.outcome()))
    }
}
