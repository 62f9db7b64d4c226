use super::stage::Stage;
use holdover_machine::{Ports, Timestamp, drive};
use holdover_offers::{Auditor, AuditorEffect, AuditorInput};
use serde_json::json;

/// Classifies every record. An audit only reads, and its reads are not among the calls of the file.
pub(super) fn run(stage: &mut Stage, page_size: usize, pages_max: u64) {
    let mut auditor = Auditor::new(stage.session.clone(), page_size, pages_max);
    drive(&mut auditor, &mut AuditPorts { stage, next: Some(AuditorInput::Start) });
}

struct AuditPorts<'a> {
    stage: &'a mut Stage,
    next: Option<AuditorInput>,
}

impl Ports<Auditor> for AuditPorts<'_> {
    fn now(&mut self) -> Timestamp {
        self.stage.clock
    }

    fn perform(&mut self, effect: AuditorEffect) {
        match effect {
            AuditorEffect::List { after, limit } => {
                let page = self.stage.directory.list(&self.stage.owner, after, limit);
                self.next = Some(AuditorInput::Listed(page));
            }
            AuditorEffect::Done(Ok(audit)) => self.stage.results.push(json!({ "ok": audit })),
            AuditorEffect::Done(Err(_)) => {
                self.stage.results.push(json!({ "error": { "class": "journal" } }));
            }
        }
    }

    fn next(&mut self) -> Option<AuditorInput> {
        self.next.take()
    }
}
