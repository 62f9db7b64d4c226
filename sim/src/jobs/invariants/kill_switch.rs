use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Claimed, Reply};

/// Absolute: the operator was told that it is done.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
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

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, Saw};
    use super::*;
    use crate::jobs::task::Twist;

    /// With the switch off a claim finds nothing, and its own old grant again; a new grant falls.
    #[test]
    fn nothing_is_handed_out() {
        let mut bench = Bench::<KillSwitch>::new();
        bench.create(1, Twist::Plain);
        bench.create(2, Twist::Plain);
        assert_eq!(bench.claim(0), Saw::Nothing);
        let granted = bench.changed();
        bench.switch(false);
        assert_eq!(bench.claim_again(0), Saw::Held, "a repeat");
        assert_eq!(bench.claim(1), Saw::Held, "nothing");
        assert_eq!(bench.see_call(&granted), Saw::Fell);
        bench.switch(true);
        assert_eq!(bench.see_call(&granted), Saw::Nothing);
    }
}
