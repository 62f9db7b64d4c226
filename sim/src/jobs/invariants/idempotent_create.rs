use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Answer, Error, JobId, Text};
use std::collections::BTreeMap;

/// Absolute. A key is the client's whole text, within its tenant; a request is the same when its body is, and when it names the same job or none.
#[derive(Debug, Clone, Default)]
pub(super) struct IdempotentCreate {
    first: BTreeMap<(Text, Text), (Text, JobId)>,
}

impl Invariant for IdempotentCreate {
    const INFO: InvariantInfo = InvariantInfo {
        id: "idempotent-create",
        promise: "A key stands for one job, and an answer to a create describes the request that was sent.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Answered { origin, answer } = fact else { return };
        let Some(task) = origin.task.and_then(|(job, twist)| scene.tasks.get(job, twist)) else { return };
        let key = (task.tenant.clone(), task.key.clone());
        match answer {
            Ok(Answer::Created { job, .. }) => {
                let id = job.record.id();
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
