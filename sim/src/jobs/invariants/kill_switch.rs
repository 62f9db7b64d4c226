use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Claimed, Reply};

/// Absolute: the operator was told that it is done.
#[derive(Debug, Clone, Default)]
pub(super) struct KillSwitch {
    shut: bool,
}

impl Invariant for KillSwitch {
    const INFO: InvariantInfo = InvariantInfo {
        id: "kill-switch",
        promise: "While the operator's switch is off, no job is handed out.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, _scene: &Scene<'_>, findings: &mut Findings<'_>) {
        match fact {
            Fact::Switched { open } => self.shut = !open,
            Fact::Executed { origin, reply: Reply::Claimed(claimed), .. } if self.shut => {
                let granted = match claimed {
                    Claimed::Granted(grant) if !grant.replayed => Some(grant),
                    _ => None,
                };
                findings.expect(granted.is_none(), || {
                    let id = granted.map_or("?", |grant| grant.record.id().as_str());
                    (
                        format!("{id} was handed to {} with the switch off", origin.from),
                        vec![id.to_owned(), origin.from.to_string()],
                    )
                });
            }
            _ => {}
        }
    }
}
