use super::{super::error::error, stage::Stage};
use holdover_machine::{Ports, Timestamp, drive};
use holdover_offers::{LeaseLoss, LeaseLossEffect, LeaseLossInput, Loss, StopStatus};
use serde_json::json;

/// Lets the coordinator handle one loss; `stop` is the answer of the stop.
pub(super) fn run(stage: &mut Stage, loss: Loss, stop: Option<StopStatus>) {
    let stop = stop.unwrap_or(StopStatus::StopRequested);
    drive(&mut LeaseLoss::new(), &mut LossPorts { stage, stop, next: Some(LeaseLossInput::Lost(loss)) });
}

struct LossPorts<'a> {
    stage: &'a mut Stage,
    stop: StopStatus,
    next: Option<LeaseLossInput>,
}

impl Ports<LeaseLoss> for LossPorts<'_> {
    fn now(&mut self) -> Timestamp {
        self.stage.clock
    }

    fn perform(&mut self, effect: LeaseLossEffect) {
        self.next = match effect {
            LeaseLossEffect::Read(offer_id) => Some(LeaseLossInput::Read(self.stage.read(offer_id))),
            LeaseLossEffect::Stop(handle) => {
                self.stage.calls.push(
                    json!({ "call": "controller.stop", "durableHandle": handle, "reasonKind": "reconcile" }),
                );
                Some(LeaseLossInput::Stopped(self.stop))
            }
            LeaseLossEffect::Replace { record, expected } => {
                Some(LeaseLossInput::Replaced(self.stage.replace(*record, expected)))
            }
            LeaseLossEffect::Done(result) => {
                let result = result.map_or_else(
                    |failed| json!({ "error": error(&failed) }),
                    |report| json!({ "ok": report }),
                );
                self.stage.results.push(result);
                None
            }
        };
    }

    fn next(&mut self) -> Option<LeaseLossInput> {
        self.next.take()
    }
}
