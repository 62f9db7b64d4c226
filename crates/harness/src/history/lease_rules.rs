//! The rules of leases: what each operation by itself, or two of them, must keep to. All are sound: they hold for every
//! history of a store that keeps its promise, whatever was delayed, lost or never answered. Each looks at what is
//! remembered of the job and of its attempts, and at no operation twice.

use super::{
    event::Type, kind::OperationKind, moments::Moment, operation::Operation, report::HistoryReport,
    told::Told,
};
use serde::Deserialize;
use serde_json::Value;
use std::{collections::BTreeMap, rc::Rc};

/// Holds the operations against the rules `single-owner`, `fencing`, `terminal-absorbing`, `expired-is-over` and
/// `no-false-recovery`. `slack_ms` is the most that clocks gain or lose over a lease.
pub fn check_leases(operations: &[Operation], slack_ms: i64, report: &mut HistoryReport) {
    let mut moments: BTreeMap<u64, Moment> = BTreeMap::new();
    for operation in operations {
        let told = Told::deserialize(&operation.value).unwrap_or_default();
        let operation = Rc::new(operation.with(told));
        moments.extend(operation.returned.map(|place| (place, Moment::Returned(Rc::clone(&operation)))));
        moments.insert(operation.invoked, Moment::Invoked(operation));
    }
    let mut jobs: BTreeMap<Box<str>, LeaseRules> = BTreeMap::new();
    for moment in moments.into_values() {
        let operation = moment.operation();
        let known = OperationKind::named(&operation.f).zip(operation.value.job.clone());
        let Some((kind, job)) = known else { continue };
        jobs.entry(job).or_default().moment(kind, &moment, slack_ms, report);
    }
}

/// What the rules remember of a job.
#[derive(Debug, Default)]
pub(super) struct LeaseRules {
    attempts: BTreeMap<u64, Attempt>,
    /// The highest number of which a grant was answered.
    newest: Option<u64>,
    cancelled: bool,
    completed: bool,
}

/// What the rules remember of an attempt.
#[derive(Debug, Default)]
struct Attempt {
    granted: bool,
    worker: Option<Value>,
    /// Whether something was asked for that ends it.
    ended: bool,
    /// Until when at least it was acknowledged to hold its lease.
    kept_until: Option<i64>,
    /// How many starts are under way. A start brings in the deadline of the attempt, and may shorten the lease.
    starting: u32,
    /// When at last its lease was over, by all that was acknowledged, and by which operation; and by all others.
    over_at: [Option<(i64, u64)>; 2],
    /// Whether a renewal was never answered: it may have been carried out at any time.
    may_be_renewed: bool,
}

impl LeaseRules {
    /// Looks at one end of an operation on the job.
    pub(super) fn moment(
        &mut self,
        kind: OperationKind,
        moment: &Moment,
        slack_ms: i64,
        report: &mut HistoryReport,
    ) {
        let operation = moment.operation();
        self.cancelled |= kind == OperationKind::Cancel;
        let Some(attempt) = operation.value.attempt else { return };
        match (kind, moment) {
            (OperationKind::Claim, _) if !operation.is_ok() => {}
            (OperationKind::Claim, Moment::Invoked(_)) => self.granting(attempt, operation, report),
            (OperationKind::Claim, Moment::Returned(_)) => self.granted(attempt, operation, slack_ms, report),
            (kind, Moment::Invoked(_)) if kind.uses_lease() => self.using(attempt, kind, operation, report),
            (kind, Moment::Returned(_)) if kind.uses_lease() => {
                self.used(attempt, kind, operation, slack_ms, report);
            }
            _ => {}
        }
    }

    fn granting(&mut self, attempt: u64, grant: &Operation<Told>, report: &mut HistoryReport) {
        let newer = self.newest.is_some_and(|newest| newest > attempt);
        let of = self.attempts.entry(attempt).or_default();
        let twin = of.granted && of.worker != grant.value.worker;
        report.expect_of("single-owner", !twin, grant, || "was granted to two".to_owned());
        if !grant.value.replayed {
            report.expect_of("fencing", !newer, grant, || "was granted after a newer one".to_owned());
        }
        if !of.granted {
            of.granted = true;
            of.worker = grant.value.worker.clone();
        }
        of.acknowledge(grant);
    }

    fn granted(&mut self, attempt: u64, grant: &Operation<Told>, slack_ms: i64, report: &mut HistoryReport) {
        self.newest = self.newest.max(Some(attempt));
        let earlier = self.attempts.range(..attempt).rev();
        let mut kept = earlier.filter(|(_, of)| !of.ended).filter_map(|(by, of)| Some((by, of.kept_until?)));
        if let Some((by, until)) = kept.next().filter(|_| !grant.value.replayed && !self.cancelled) {
            let at = grant.returned_ms.unwrap_or(grant.invoked_ms);
            report.expect_of("no-false-recovery", at.saturating_add(slack_ms) >= until, grant, || {
                format!(
                    "was granted {} ms before the lease of attempt {by} was over",
                    until.saturating_sub(at)
                )
            });
        }
    }

    fn using(
        &mut self,
        attempt: u64,
        kind: OperationKind,
        used: &Operation<Told>,
        report: &mut HistoryReport,
    ) {
        let newer = self.newest.is_some_and(|newest| newest > attempt);
        // An answer that is given again is about the past.
        if used.is_ok() && !used.value.replayed {
            report.expect_of("fencing", !newer, used, || "was carried out after a newer grant".to_owned());
            if kind == OperationKind::Complete {
                let again = std::mem::replace(&mut self.completed, true);
                report.expect_of("terminal-absorbing", !again, used, || "was carried out twice".to_owned());
            }
        }
        let of = self.attempts.entry(attempt).or_default();
        of.ended |= kind.ends_lease();
        of.may_be_renewed |= kind == OperationKind::Heartbeat && used.outcome == Type::Info;
        if kind == OperationKind::Start {
            of.kept_until = None;
            of.acknowledge(used);
            of.starting += 1;
        } else {
            of.acknowledge(used);
        }
    }

    fn used(
        &mut self,
        attempt: u64,
        kind: OperationKind,
        used: &Operation<Told>,
        slack_ms: i64,
        report: &mut HistoryReport,
    ) {
        let of = self.attempts.entry(attempt).or_default();
        if kind == OperationKind::Start {
            of.starting -= 1;
        }
        if !used.is_ok() {
            return;
        }
        report.expect_of("fencing", of.granted, used, || "was carried out and never granted".to_owned());
        let end = of.over_at.iter().flatten().find(|(_, by)| *by != used.invoked);
        if let Some((end, _)) = end.filter(|_| !used.value.replayed && !of.may_be_renewed) {
            report.expect_of(
                "expired-is-over",
                used.invoked_ms <= end.saturating_add(slack_ms),
                used,
                || {
                    let late = used.invoked_ms.saturating_sub(*end);
                    format!("was asked for {late} ms after its lease was over, and carried out")
                },
            );
        }
    }
}

impl Attempt {
    /// The operation was answered, and says for how long the lease still runs.
    fn acknowledge(&mut self, operation: &Operation<Told>) {
        let (Some(remaining), Some(returned)) = (operation.value.remaining_ms, operation.returned_ms) else {
            return;
        };
        if !operation.is_ok() {
            return;
        }
        if self.starting == 0 {
            self.kept_until = self.kept_until.max(Some(operation.invoked_ms.saturating_add(remaining)));
        }
        let end = Some((returned.saturating_add(remaining), operation.invoked));
        let [last, other] = self.over_at;
        self.over_at = if end > last { [end, last] } else { [last, other.max(end)] };
    }
}
