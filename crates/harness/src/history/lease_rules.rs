//! The rules of leases, for histories in which `claim` grants and `start`, `heartbeat`, `complete`, `fail` and other
//! operations use a lease. A value names the `job`, the `attempt` (the fencing number of the lease), and where it was
//! answered `remaining_ms` and `replayed`. All rules are sound: they hold for every history of a store that keeps its
//! promise, whatever was delayed, lost or never answered.

use super::operation::Operation;
use super::report::HistoryReport;
use std::collections::BTreeMap;

/// The operations that end a lease.
const ENDS: [&str; 3] = ["complete", "fail", "acknowledge"];

/// Holds the operations against the rules `single-owner`, `fencing`, `terminal-absorbing`, `expired-is-over` and
/// `no-false-recovery`. `slack_ms` is the most that clocks gain or lose over a lease.
pub fn check_leases(operations: &[Operation], slack_ms: i64, report: &mut HistoryReport) {
    let mut jobs: BTreeMap<&str, Job<'_>> = BTreeMap::new();
    for operation in operations {
        let Some(name) = operation.text("job") else { continue };
        let job = jobs.entry(name).or_insert_with(|| Job { name, slack_ms, ..Job::default() });
        match operation.number("attempt") {
            Some(_) if operation.f == "claim" && operation.is_ok() => job.grants.push(operation),
            Some(_) if operation.f != "claim" => job.uses.push(operation),
            _ => job.others.push(operation),
        }
    }
    for job in jobs.values() {
        job.grants.iter().for_each(|grant| job.check_grant(grant, report));
        job.uses.iter().filter(|used| used.is_ok()).for_each(|used| job.check_use(used, report));
    }
}

/// What happened to a job.
#[derive(Default)]
struct Job<'a> {
    name: &'a str,
    slack_ms: i64,
    grants: Vec<&'a Operation>,
    uses: Vec<&'a Operation>,
    others: Vec<&'a Operation>,
}

impl<'a> Job<'a> {
    fn check_grant(&self, grant: &Operation, report: &mut HistoryReport) {
        let at = grant.returned_ms.unwrap_or(grant.invoked_ms);
        let attempt = attempt(grant);
        let others = || self.grants.iter().filter(|other| !std::ptr::eq(**other, grant));
        let twin = others().find(|other| {
            self::attempt(other) == attempt && other.number("worker") != grant.number("worker")
        });
        report.expect("single-owner", twin.is_none(), at, || self.saw(grant, "was granted to two"));
        if grant.flag("replayed") {
            return;
        }
        let newer = others().find(|other| self::attempt(other) > attempt && other.is_before(grant));
        report.expect("fencing", newer.is_none(), at, || self.saw(grant, "was granted after a newer one"));
        if let Some((end, by)) = self.kept_until(grant) {
            report.expect("no-false-recovery", at + self.slack_ms >= end, at, || {
                let early = end - at;
                self.saw(grant, &format!("was granted {early} ms before the lease of attempt {by} was over"))
            });
        }
    }

    /// Until when at least an earlier attempt was acknowledged to hold its lease, and which; none of an attempt that
    /// may have ended by itself.
    fn kept_until(&self, grant: &Operation) -> Option<(i64, i64)> {
        let returned = grant.returned_ms?;
        let cancelled = self.others.iter().any(|other| other.f == "cancel" && other.invoked_ms < returned);
        let earlier = |operation: &&&Operation| attempt(operation) < attempt(grant);
        let acknowledged =
            self.grants.iter().chain(&self.uses).filter(earlier).filter(|kept| !cancelled && kept.is_ok());
        let kept = acknowledged.filter(|kept| kept.invoked_ms < returned).filter(|kept| {
            self.uses.iter().filter(|used| attempt(used) == attempt(kept)).all(|used| {
                let ended = ENDS.contains(&&*used.f) && used.invoked_ms < returned;
                // A start brings in the deadline of the attempt, and may shorten the lease.
                let shortened = used.f == "start" && !std::ptr::eq(*used, **kept) && !used.is_before(kept);
                !ended && !shortened
            })
        });
        kept.filter_map(|kept| Some((kept.invoked_ms + kept.number("remaining_ms")?, attempt(kept)))).max()
    }

    fn check_use(&self, used: &Operation, report: &mut HistoryReport) {
        let at = used.returned_ms.unwrap_or(used.invoked_ms);
        let granted = self.grants.iter().any(|grant| {
            attempt(grant) == attempt(used)
                && used.returned_ms.is_some_and(|returned| grant.invoked_ms <= returned)
        });
        report.expect("fencing", granted, at, || self.saw(used, "was carried out and never granted"));
        // An answer that is given again is about the past.
        if used.flag("replayed") {
            return;
        }
        let newer = self.grants.iter().find(|grant| attempt(grant) > attempt(used) && grant.is_before(used));
        report
            .expect("fencing", newer.is_none(), at, || self.saw(used, "was carried out after a newer grant"));
        if used.f == "complete" {
            let others = self.uses.iter().filter(|other| !std::ptr::eq(**other, used));
            let again =
                others.filter(|other| other.f == "complete" && other.is_ok() && !other.flag("replayed"));
            report.expect("terminal-absorbing", again.count() == 0, at, || {
                self.saw(used, "was carried out twice")
            });
        }
        if let Some(end) = self.over_at(used) {
            report.expect("expired-is-over", used.invoked_ms <= end + self.slack_ms, at, || {
                let late = used.invoked_ms - end;
                self.saw(used, &format!("was asked for {late} ms after its lease was over, and carried out"))
            });
        }
    }

    /// When at last the lease of this use was over, by all that was acknowledged. None where a renewal was not
    /// answered: it may have been carried out at any time.
    fn over_at(&self, used: &Operation) -> Option<i64> {
        let same =
            |operation: &&&Operation| attempt(operation) == attempt(used) && !std::ptr::eq(**operation, used);
        let before = |operation: &&&Operation| {
            used.returned_ms.is_none_or(|returned| operation.invoked_ms <= returned)
        };
        let mut end = None;
        for operation in self.grants.iter().chain(&self.uses).filter(same).filter(before) {
            match (operation.is_ok(), operation.returned_ms, operation.number("remaining_ms")) {
                (true, Some(returned), Some(remaining)) => end = end.max(Some(returned + remaining)),
                (false, None, _) if operation.f == "heartbeat" => return None,
                _ => {}
            }
        }
        end
    }

    fn saw(&self, operation: &Operation, what: &str) -> (String, Vec<String>) {
        let (f, attempt) = (&operation.f, attempt(operation));
        (format!("{f} of {} as attempt {attempt} {what}", self.name), vec![self.name.to_owned()])
    }
}

fn attempt(operation: &Operation) -> i64 {
    operation.number("attempt").unwrap_or(i64::MIN)
}
