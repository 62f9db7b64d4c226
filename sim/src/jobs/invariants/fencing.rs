use super::{ByJob, Findings, Invariant, Past};
use crate::jobs::fact::{Fact, Scene};
use crate::jobs::node::Node;
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Claimed, Command, Reply};

/// Absolute: whatever the clocks say, only the process that was granted the current attempt can move the job.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
pub(super) struct Fencing {
    granted: ByJob<(u32, Node, u32)>,
}

impl Invariant for Fencing {
    const INFO: InvariantInfo = InvariantInfo {
        id: "fencing",
        promise: "Attempts of a job rise, and no operation on it succeeds unless it comes from the process that holds the current one.",
        class: Class::Safety,
    };

    fn forget(&mut self, past: &Past<'_>) {
        for (job, (_, worker, life)) in &mut self.granted {
            let held = past.table.job(*job).is_some_and(|(record, _)| record.lease.is_some());
            if !held {
                (*worker, *life) = (Node::Store, 0);
            }
        }
    }

    fn observe(&mut self, fact: &Fact<'_>, _scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Executed { origin, call, reply, changes, .. } = fact else { return };
        if let Reply::Claimed(Claimed::Granted(grant)) = reply
            && !grant.replayed
        {
            let (number, attempt) = (grant.record.number, grant.record.attempts);
            let earlier = self.granted.insert(number, (attempt, origin.from, origin.life));
            // Whoever compares attempts outside can tell an old one only if none is given twice.
            if let Some((earlier, ..)) = earlier {
                findings.expect(attempt > earlier, || {
                    let id = grant.record.id();
                    (
                        format!("{id} was granted as attempt {attempt} after attempt {earlier}"),
                        vec![id.to_string()],
                    )
                });
            }
        }
        let Command::Operate(operate) = &call.command else { return };
        for change in *changes {
            let granted = self.granted.get(&change.after.number);
            let held =
                change.before.and_then(|before| before.lease.as_ref()).map_or(0, |lease| lease.attempt);
            // An operation speaks of the attempt that its caller was granted.
            let meant = operate.holder.attempt.is_none_or(|attempt| attempt == held);
            findings.expect(meant && granted == Some(&(held, origin.from, origin.life)), || {
                let (id, status) = (change.after.id(), change.after.status.as_str());
                let owner = granted.map_or("nobody was given it".to_owned(), |(attempt, worker, _)| {
                    format!("attempt {attempt} of it was granted to {worker}")
                });
                let worker = granted.map(|(_, worker, _)| worker.to_string());
                let evidence = [id.to_string()].into_iter().chain(worker).chain([origin.from.to_string()]);
                (format!("{} moved {id} to {status}, but {owner}", origin.from), evidence.collect())
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, Saw};
    use super::*;
    use crate::jobs::action::Deed;

    /// The holder may; another worker, another run of the same worker, and an earlier attempt may not.
    #[test]
    fn only_the_holder_moves_the_job() {
        let mut bench = Bench::<Fencing>::new();
        assert_eq!(bench.begin(0, 0), Saw::Held);
        assert_eq!(bench.work(0, Deed::Heartbeat), Saw::Held);
        let honest = bench.changed();
        let mut other = honest.clone();
        other.origin.from = Node::Worker(1);
        let mut restarted = honest.clone();
        restarted.origin.life = 2;
        let mut stale = honest;
        let before = stale.changes[0].before.as_mut().unwrap();
        before.lease.as_mut().unwrap().attempt = 2;
        for doctored in [other, restarted, stale] {
            assert_eq!(bench.see_call(&doctored), Saw::Fell);
        }
    }

    /// Nobody can move a job that was never granted.
    #[test]
    fn a_job_without_a_grant_stays() {
        let mut bench = Bench::<Fencing>::new();
        bench.begin(0, 0);
        let start = bench.changed();
        assert_eq!(Bench::<Fencing>::new().see_call(&start), Saw::Fell);
    }
}
