use super::{ByJob, Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use crate::jobs::node::Node;
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Claimed, Command, Reply};

/// Absolute: whatever the clocks say, only the process that was granted the current attempt can move the job.
#[derive(Debug, Clone, Default)]
pub(super) struct Fencing {
    granted: ByJob<(u32, Node, u32)>,
}

impl Invariant for Fencing {
    const INFO: InvariantInfo = InvariantInfo {
        id: "fencing",
        promise: "No operation on a job succeeds unless it comes from the process that holds its current attempt.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, _scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Executed { origin, call, reply, changes, .. } = fact else { return };
        if let Reply::Claimed(Claimed::Granted(grant)) = reply
            && !grant.replayed
        {
            self.granted.insert(grant.record.number, (grant.record.attempts, origin.from, origin.life));
        }
        if !matches!(call.command, Command::Operate(_)) {
            return;
        }
        for change in *changes {
            let Some(&(attempt, worker, life)) = self.granted.get(&change.after.number) else { continue };
            let held =
                change.before.and_then(|before| before.lease.as_ref()).map_or(0, |lease| lease.attempt);
            findings.expect((origin.from, origin.life, held) == (worker, life, attempt), || {
                let id = change.after.id();
                (
                    format!(
                        "{} moved {id} to {}, but attempt {attempt} of it was granted to {worker}",
                        origin.from,
                        change.after.status.as_str()
                    ),
                    vec![id.to_string(), worker.to_string(), origin.from.to_string()],
                )
            });
        }
    }
}
