use holdover_jobs::JobId;
use std::collections::BTreeMap;

/// What the jobs' work is done to: it keeps the highest fencing number that it has seen of each job and refuses
/// what comes with a lower one. An effect without a number cannot be compared and is taken.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
pub(super) struct Resource {
    highest: BTreeMap<JobId, u32>,
}

impl Resource {
    /// Takes an effect or refuses it.
    pub(super) fn touch(&mut self, job: &JobId, fence: Option<u32>, fenced: bool) -> bool {
        let Some(fence) = fence.filter(|_| fenced) else { return true };
        match self.highest.get_mut(job) {
            Some(highest) if fence < *highest => false,
            Some(highest) => {
                *highest = fence;
                true
            }
            None => {
                self.highest.insert(job.clone(), fence);
                true
            }
        }
    }
}
