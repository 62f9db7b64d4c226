use super::{
    error::HistoryError,
    event::{HistoryEvent, Type},
    found_nothing::FoundNothing,
    job_check::{Crowded, JobCheck},
    kind::OperationKind,
    lease_object::LeaseObject,
    linearizer::Linearizer,
    moments::{Moment, Moments},
    operation::Operation,
    reader::HistoryReader,
    told::Told,
    verdict::HistoryVerdict,
};
use std::{collections::BTreeMap, io::BufRead, rc::Rc};

/// Judges a history: the rules of leases, whether a claim rightly found nothing, and whether the operations on each job
/// are linearizable.
///
/// It takes events one by one and keeps what is under way, a little of each job, and less of each attempt.
///
/// ```
/// use holdover::history::{HistoryCheck, HistoryReader};
///
/// let history = br#"
/// {"index":0,"time":0,"process":1,"type":"invoke","f":"claim","value":{"worker":1}}
/// {"index":1,"time":10,"process":1,"type":"ok","f":"claim","value":{"job":"j1","attempt":1}}
/// {"index":2,"time":20,"process":2,"type":"invoke","f":"recover","value":{"job":"j1","attempt":1}}
/// {"index":3,"time":30,"process":2,"type":"ok","f":"recover","value":{"job":"j1","attempt":1}}
/// {"index":4,"time":40,"process":1,"type":"invoke","f":"complete","value":{"job":"j1","attempt":1}}
/// {"index":5,"time":50,"process":1,"type":"ok","f":"complete","value":{"job":"j1","attempt":1}}
/// "#;
/// let verdict = HistoryCheck::read(HistoryReader::new(&history[..]), 100)?;
/// assert!(!verdict.passed()); // the lease was gone when the job was completed
/// # Ok::<(), holdover::history::HistoryError>(())
/// ```
#[derive(Debug)]
pub struct HistoryCheck {
    slack_ms: i64,
    moments: Moments,
    jobs: BTreeMap<Box<str>, JobCheck>,
    nothing: FoundNothing,
    /// How many claims that name no job were never answered.
    unseen_claims: u32,
    verdict: HistoryVerdict,
}

impl HistoryCheck {
    /// The most jobs whose story is told in full.
    const STORIES_MAX: usize = 3;

    /// Begins, where clocks gain or lose at most so many milliseconds over a lease.
    pub fn new(slack_ms: i64) -> Self {
        Self {
            slack_ms,
            moments: Moments::default(),
            jobs: BTreeMap::new(),
            nothing: FoundNothing::default(),
            unseen_claims: 0,
            verdict: HistoryVerdict::default(),
        }
    }

    /// Judges a whole history.
    ///
    /// # Errors
    ///
    /// It cannot be read or is no history, or has nothing in it that is checked.
    pub fn read<R: BufRead>(
        history: HistoryReader<R>,
        slack_ms: i64,
    ) -> Result<HistoryVerdict, HistoryError> {
        let mut check = Self::new(slack_ms);
        for event in history {
            let (line, event) = event?;
            check.event(line, event)?;
        }
        check.finish()
    }

    /// Takes the next event, which stands in this line.
    ///
    /// # Errors
    ///
    /// It does not go with those before it, or leaves out what is needed.
    pub fn event(&mut self, line: u64, event: HistoryEvent<Told>) -> Result<(), HistoryError> {
        self.verdict.events += 1;
        self.moments.event(line, event)?;
        self.go_on()
    }

    /// There are no more events.
    ///
    /// # Errors
    ///
    /// Nothing in the history was checked, or one of its last events leaves out what is needed.
    pub fn finish(mut self) -> Result<HistoryVerdict, HistoryError> {
        self.moments.close();
        self.go_on()?;
        self.verdict.jobs = self.jobs.len();
        if self.jobs.is_empty() && self.verdict.operations == 0 {
            return Err(HistoryError::Nothing);
        }
        Ok(self.verdict)
    }

    fn go_on(&mut self) -> Result<(), HistoryError> {
        while let Some(moment) = self.moments.next() {
            let Some(kind) = OperationKind::named(&moment.operation().f) else { continue };
            if let Moment::Invoked(operation) = &moment {
                self.count(operation);
                told_enough(kind, operation)?;
                self.unseen_claims += u32::from(is_unseen_claim(kind, operation));
            }
            self.nothing.moment(kind, &moment, self.unseen_claims, &mut self.verdict.report);
            self.judge(kind, &moment)?;
        }
        Ok(())
    }

    fn judge(&mut self, kind: OperationKind, moment: &Moment) -> Result<(), HistoryError> {
        let Some(name) = &moment.operation().value.job else { return Ok(()) };
        let report = &mut self.verdict.report;
        let job = match self.jobs.get_mut(name) {
            Some(job) => job,
            None => self.jobs.entry(name.clone()).or_insert_with(JobCheck::new),
        };
        job.rules.moment(kind, moment, self.slack_ms, report);
        match moment {
            Moment::Invoked(operation) => job.invoked(kind, operation).map_err(|Crowded| {
                let most = Linearizer::<LeaseObject>::PENDING_MAX;
                HistoryError::Crowded { line: operation.invoked, job: name.to_string(), most }
            }),
            Moment::Returned(operation) if operation.is_ok() => {
                let explained = job.returned(kind, operation, self.unseen_claims);
                report.expect_of("linearizable", explained.is_ok(), operation, || {
                    "has an answer that no order of the operations explains".to_owned()
                });
                if let Some(unexplained) =
                    explained.err().filter(|_| self.verdict.stories.len() < Self::STORIES_MAX)
                {
                    self.verdict.stories.push(*unexplained);
                }
                Ok(())
            }
            Moment::Returned(_) => Ok(()),
        }
    }

    fn count(&mut self, operation: &Operation<Told>) {
        self.verdict.operations += 1;
        match operation.outcome {
            Type::Ok => self.verdict.ok += 1,
            Type::Fail => self.verdict.failed += 1,
            Type::Info | Type::Invoke => self.verdict.unknown += 1,
        }
    }
}

/// Whether it may have been granted any job, and nobody knows.
fn is_unseen_claim(kind: OperationKind, operation: &Operation<Told>) -> bool {
    kind == OperationKind::Claim && operation.outcome == Type::Info && operation.value.job.is_none()
}

/// What was carried out must say on which job, and a lease which.
fn told_enough(kind: OperationKind, operation: &Rc<Operation<Told>>) -> Result<(), HistoryError> {
    let Told { job, attempt, .. } = &operation.value;
    let may_name_none = matches!(kind, OperationKind::Claim | OperationKind::Recover);
    let leased = kind.uses_lease() || kind == OperationKind::Claim && job.is_some();
    let member = match operation.returned.filter(|_| operation.is_ok()) {
        Some(_) if job.is_none() && !may_name_none => "job",
        Some(_) if attempt.is_none() && leased => "attempt",
        _ => return Ok(()),
    };
    let line = operation.returned.unwrap_or(operation.invoked);
    Err(HistoryError::Untold { line, f: kind.as_str(), member })
}
