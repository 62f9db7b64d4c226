use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::worker::CallId;
use holdover_jobs::{Answer, Error, JobId, Text};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// Absolute. A key is the client's whole text, within its tenant; a request is the same when its body is, and when it names the same job or none.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct IdempotentCreate {
    first: BTreeMap<(Text, Text), (Text, JobId)>,
    /// The create that was told that it made the job.
    created: BTreeMap<(Text, Text), CallId>,
}

impl Hash for IdempotentCreate {
    /// Who created what stands in the table; what can differ is which creates were answered.
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.first.len(), self.created.len()).hash(state);
    }
}

impl Invariant for IdempotentCreate {
    const INFO: InvariantInfo = InvariantInfo {
        id: "idempotent-create",
        promise: "A key stands for one job, created once, and an answer to a create describes the request that was sent.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Answered { origin, answer } = fact else { return };
        let Some(task) = origin.task.and_then(|(job, twist)| scene.tasks.get(job, twist)) else { return };
        let key = (task.tenant.clone(), task.key.clone());
        match answer {
            Ok(Answer::Created { job, created }) => {
                let id = job.record.id();
                // Whoever is told that the job is new may begin what must be begun once.
                let again =
                    *created && *self.created.entry(key.clone()).or_insert(origin.call) != origin.call;
                findings.expect(!again, || {
                    (format!("{id} was created for {} a second time", task.tenant), vec![id.to_string()])
                });
                let (body, first) = self.first.entry(key).or_insert_with(|| (task.body.clone(), id.clone()));
                let same = *body == task.body && first == id && *id == task.job;
                findings.expect(same, || {
                    let asked = &task.job;
                    (
                        format!("a create of {asked} for {} was answered with {id}", task.tenant),
                        vec![asked.to_string(), id.to_string()],
                    )
                });
            }
            // A conflict is only right if this tenant has used this key, whole, for something else.
            Err(Error::KeyConflict(id)) => {
                let used = scene.table.records().any(|record| {
                    record.spec.key.text == task.key
                        && record
                            .spec
                            .request
                            .as_ref()
                            .is_none_or(|request| request.tenant.as_ref() == Some(&task.tenant))
                });
                findings.expect(used, || {
                    let asked = &task.job;
                    (
                        format!(
                            "a create of {asked} for {} conflicts with {id}, which is somebody else's",
                            task.tenant
                        ),
                        vec![asked.to_string(), id.to_string()],
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

    /// The first create and its repeat hold; an answer that names another job falls.
    #[test]
    fn a_key_stands_for_one_job() {
        let mut bench = Bench::<IdempotentCreate>::new();
        assert_eq!(bench.create(0, Twist::Plain), Saw::Held);
        assert_eq!(bench.create(0, Twist::Plain), Saw::Held, "a repeat");
        assert_eq!(bench.create(0, Twist::Foreign), Saw::Held, "another tenant's key");
        let (origin, _) = bench.shown();
        bench.create(1, Twist::Plain);
        let (_, job) = bench.shown();
        let other = Ok(Answer::Created { created: false, job });
        assert_eq!(bench.see_answer(&origin, &other), Saw::Fell);
    }

    /// A conflict with this tenant's own other request holds; one with nobody's falls.
    #[test]
    fn a_conflict_has_a_reason() {
        let mut bench = Bench::<IdempotentCreate>::new();
        bench.create(0, Twist::Plain);
        assert_eq!(bench.create(0, Twist::Conflicting), Saw::Held);
        assert_eq!(bench.create(0, Twist::Renamed), Saw::Held);
        let Some((_, Err(conflict @ Error::KeyConflict(_)))) = bench.answer.clone() else {
            panic!("{:?}", bench.answer);
        };
        let innocent = bench.create_origin(1, Twist::Plain);
        assert_eq!(bench.see_answer(&innocent, &Err(conflict)), Saw::Fell);
    }
}
