use super::{
    event::Type, kind::OperationKind, moments::Moment, operation::Operation, report::HistoryReport,
    told::Told,
};
use std::collections::BTreeMap;

/// The rule `found-nothing`: a claim finds nothing only if no job was to be had during the whole call.
///
/// A job is certainly to be had from when its creator was told that it is there until somebody asks for it who gets it
/// or may end it. A claim that was never answered may have been granted any one job, so there must be more jobs than
/// such claims. Only jobs that name an `executor` count, and claims that name `executors`.
#[derive(Debug, Default)]
pub(super) struct FoundNothing {
    jobs: BTreeMap<Box<str>, Standing>,
    /// What is certainly to be had, by executor, since when.
    ready: BTreeMap<Box<str>, BTreeMap<u64, Box<str>>>,
}

#[derive(Debug)]
enum Standing {
    /// Its creator waits for the answer.
    Coming { executor: Box<str> },
    /// It is certainly to be had, since the answer in this place.
    Ready { executor: Box<str>, since: u64 },
    /// Somebody gets it or may end it, or did.
    Taken,
}

impl FoundNothing {
    /// Looks at one end of an operation, when so many claims were never answered.
    pub(super) fn moment(
        &mut self,
        kind: OperationKind,
        moment: &Moment,
        unseen_claims: u32,
        report: &mut HistoryReport,
    ) {
        let operation = moment.operation();
        if operation.outcome == Type::Fail {
            return;
        }
        match (kind, moment, &operation.value.job) {
            (OperationKind::Create, Moment::Invoked(_), Some(job)) => self.coming(job, &operation.value),
            (OperationKind::Create, Moment::Returned(_), Some(job)) => self.came(job, operation),
            (OperationKind::Claim | OperationKind::Cancel, Moment::Invoked(_), Some(job)) => self.gone(job),
            (OperationKind::Claim, Moment::Returned(_), None) => {
                self.found_nothing(operation, unseen_claims as usize, report)
            }
            _ => {}
        }
    }

    fn coming(&mut self, job: &str, told: &Told) {
        if let (Some(executor), Some(true), None | Some(false)) = (&told.executor, told.created, told.over) {
            self.jobs.entry(job.into()).or_insert_with(|| Standing::Coming { executor: executor.clone() });
        }
    }

    fn came(&mut self, job: &str, operation: &Operation<Told>) {
        if let (Some(standing), Some(since)) = (self.jobs.get_mut(job), operation.returned)
            && let Standing::Coming { executor } = standing
        {
            let executor = executor.clone();
            self.ready.entry(executor.clone()).or_default().insert(since, job.into());
            *standing = Standing::Ready { executor, since };
        }
    }

    fn gone(&mut self, job: &str) {
        let before = self.jobs.insert(job.into(), Standing::Taken);
        if let Some(Standing::Ready { executor, since }) = before
            && let Some(ready) = self.ready.get_mut(&executor)
        {
            ready.remove(&since);
        }
    }

    fn found_nothing(&self, claim: &Operation<Told>, unseen_claims: usize, report: &mut HistoryReport) {
        let Some(executors) = &claim.value.executors else { return };
        let ready = executors.iter().filter_map(|executor| self.ready.get(executor));
        let jobs: Vec<&str> = ready
            .flat_map(|ready| ready.range(..claim.invoked))
            .map(|(_, job)| &**job)
            .take(unseen_claims + 1)
            .collect();
        report.expect_of("found-nothing", jobs.len() <= unseen_claims, claim, || {
            let jobs = jobs.join(", ");
            format!("found nothing, and there was to be had during the whole call: {jobs}")
        });
    }
}
