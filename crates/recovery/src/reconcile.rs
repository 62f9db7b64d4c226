use crate::{
    AttemptStatus, Candidate, Effect, EventIds, Input, Inspection, Receipt, RecordRunning, Recording,
    Recover, RecoverReason, Recovery, Rules, Snapshot, UnknownReason,
    attempt::Identity,
    input::Answer,
    rules::{Claims, Evidence, LateReceipt, StaleReceipt, Unidentified, Vanished},
    step::{Failed, Loaded, Step, Stepped, Verdict, answered, clock, load, remaining, snapshot, verified},
};
use holdover_machine::{Secret, Timestamp};

/// The settling of one candidate: the decision table, row by row in the order in which its calls are made.
#[derive(Debug, Clone, Hash)]
pub(crate) struct Reconcile {
    pub(crate) candidate: Candidate,
    at: At,
}

/// Which answer is awaited, with what is known by then.
#[derive(Debug, Clone, Hash)]
enum At {
    Load,
    Receipt(Box<Snapshot>),
    Claim,
    Inspect(Box<Started>),
    Ids(Box<Started>, Timestamp),
    Record,
    Promoted,
    Grace,
    LateReceipt,
    LateLoad,
    Absent,
}

/// An attempt past the start barrier whose process is on record.
#[derive(Debug, Clone, Hash)]
struct Started {
    snapshot: Snapshot,
    identity: Identity,
}

impl Reconcile {
    /// Starts with a snapshot, so that everything after it is fenced by what was read.
    pub(crate) fn begin(candidate: Candidate) -> (Self, Effect) {
        let load = load(&candidate);
        (Self { candidate, at: At::Load }, load)
    }

    /// Takes an answer; none if it is not the awaited one. Whatever goes wrong here is this candidate's alone.
    pub(crate) fn resume(&mut self, rules: &Rules, now: Timestamp, input: Input) -> Option<Step> {
        let at = std::mem::replace(&mut self.at, At::Load);
        let step = match (at, input) {
            (At::Load, Input::Loaded(read)) => self.loaded(read),
            (At::Receipt(snapshot), Input::Processed(receipt)) => {
                self.processed(rules, now, *snapshot, receipt)
            }
            (At::Claim, Input::Recovered(answer)) => settled(answer, Recovery::Requeued),
            (At::Inspect(started), Input::Inspected(seen)) => self.inspected(rules, now, *started, seen),
            (At::Ids(started, at), Input::Drawn(ids)) => self.drawn(*started, at, ids),
            (At::Record, Input::Recorded(answer)) => self.recorded(answer),
            (At::Promoted, Input::Loaded(read)) => self.promoted(read),
            (At::Grace, Input::Waited(waited)) => self.waited(waited),
            (At::LateReceipt, Input::Processed(receipt)) => self.processed_late(rules, receipt),
            (At::LateLoad, Input::Loaded(read)) => self.loaded_late(rules, now, read),
            (At::Absent, Input::Recovered(answer)) => settled(answer, Recovery::Failed),
            (at, _) => {
                self.at = at;
                return None;
            }
        };
        Some(step.unwrap_or(Step::Settled(Verdict::Failed)))
    }

    fn call(&mut self, effect: Effect, at: At) -> Stepped {
        self.at = at;
        Ok(Step::Call(effect))
    }

    fn process(&mut self, at: At) -> Stepped {
        self.call(Effect::Process { attempt_id: self.candidate.attempt_id.clone() }, at)
    }

    fn loaded(&mut self, read: Loaded) -> Stepped {
        match snapshot(&self.candidate, read)? {
            None => remaining(),
            Some(snapshot) => self.process(At::Receipt(Box::new(snapshot))),
        }
    }

    /// A receipt decides before anything else is asked.
    fn processed(
        &mut self,
        rules: &Rules,
        now: Timestamp,
        snapshot: Snapshot,
        receipt: Answer<Receipt>,
    ) -> Stepped {
        if let Some(verdict) = by_receipt(rules, answered(receipt)?) {
            return Ok(Step::Settled(verdict));
        }
        if snapshot.attempt.status == AttemptStatus::Claimed {
            return match rules.claims {
                Claims::AtOnce => {
                    self.recover(snapshot, RecoverReason::UnstartedClaimExpired, now, At::Claim)
                }
            };
        }
        match (snapshot.attempt.identity(), rules.unidentified) {
            (None, Unidentified::Remains) => remaining(),
            (Some(identity), _) => {
                let inspect = Effect::Inspect { executor_handle: identity.handle.clone() };
                self.call(inspect, At::Inspect(Box::new(Started { snapshot, identity })))
            }
        }
    }

    fn inspected(
        &mut self,
        rules: &Rules,
        now: Timestamp,
        started: Started,
        seen: Answer<Inspection>,
    ) -> Stepped {
        match answered(seen)? {
            Inspection::Unknown { reason: UnknownReason::ProviderUnavailable } => Err(Failed),
            Inspection::Unknown {
                reason: UnknownReason::InvalidHandle | UnknownReason::UnsupportedPlatform,
            } => remaining(),
            Inspection::Running { identity_pid } | Inspection::NotRunning { identity_pid }
                if identity_pid != started.identity.pid =>
            {
                remaining()
            }
            Inspection::Running { .. } => self.alive(now, started),
            Inspection::NotRunning { .. } => self.absent(rules, now, started),
        }
    }

    fn alive(&mut self, now: Timestamp, started: Started) -> Stepped {
        let attempt = &started.snapshot.attempt;
        if attempt.status == AttemptStatus::Running {
            return verified(&started.snapshot);
        }
        if token_hash(&started).is_none() {
            return remaining();
        }
        let started_at = clock(now)?.max(attempt.created_at);
        self.call(Effect::DrawIds, At::Ids(Box::new(started), started_at))
    }

    fn drawn(&mut self, started: Started, started_at: Timestamp, ids: Answer<EventIds>) -> Stepped {
        let event_ids = answered(ids)?;
        let callback_token_hash = token_hash(&started).ok_or(Failed)?;
        let Started { snapshot: Snapshot { run, attempt }, identity } = started;
        let record = RecordRunning {
            run,
            attempt,
            callback_token_hash,
            executor_handle: identity.handle,
            pid: identity.pid,
            started_at,
            event_ids,
        };
        self.call(Effect::RecordRunning(Box::new(record)), At::Record)
    }

    fn recorded(&mut self, answer: Answer<Recording>) -> Stepped {
        match answered(answer)? {
            Recording::Rejected => remaining(),
            Recording::Applied => self.call(load(&self.candidate), At::Promoted),
        }
    }

    fn promoted(&mut self, read: Loaded) -> Stepped {
        match snapshot(&self.candidate, read)? {
            Some(snapshot) if snapshot.attempt.status == AttemptStatus::Running => verified(&snapshot),
            _ => remaining(),
        }
    }

    /// The process is gone. It may have published its receipt after the first look, which only a wait gives time
    /// to notice.
    fn absent(&mut self, rules: &Rules, now: Timestamp, started: Started) -> Stepped {
        let grace = rules.receipt_grace.span();
        match rules.late_receipt {
            LateReceipt::AfterGrace if grace.ms() == 0 => {
                self.recover(started.snapshot, RecoverReason::ExecutionNotRunning, now, At::Absent)
            }
            LateReceipt::AfterGrace => self.call(Effect::Wait(grace), At::Grace),
        }
    }

    fn waited(&mut self, waited: Answer<()>) -> Stepped {
        answered(waited)?;
        self.process(At::LateReceipt)
    }

    fn processed_late(&mut self, rules: &Rules, receipt: Answer<Receipt>) -> Stepped {
        match by_receipt(rules, answered(receipt)?) {
            Some(verdict) => Ok(Step::Settled(verdict)),
            None => self.call(load(&self.candidate), At::LateLoad),
        }
    }

    fn loaded_late(&mut self, rules: &Rules, now: Timestamp, read: Loaded) -> Stepped {
        match (snapshot(&self.candidate, read)?, rules.evidence, rules.vanished) {
            (Some(snapshot), Evidence::OfAnyProcess, _) => {
                self.recover(snapshot, RecoverReason::ExecutionNotRunning, now, At::Absent)
            }
            (None, _, Vanished::IsRecovered) => Ok(Step::Settled(Verdict::Recovered)),
        }
    }

    fn recover(&mut self, snapshot: Snapshot, reason: RecoverReason, now: Timestamp, at: At) -> Stepped {
        let Snapshot { run, attempt } = snapshot;
        let mut observed_at = clock(now)?.max(attempt.created_at);
        if reason == RecoverReason::ExecutionNotRunning {
            observed_at = observed_at.max(attempt.started_at.unwrap_or(Timestamp::ZERO));
        }
        self.call(Effect::Recover(Box::new(Recover { run, attempt, reason, observed_at })), at)
    }
}

/// Whether the receipt alone decides, and how.
fn by_receipt(rules: &Rules, receipt: Receipt) -> Option<Verdict> {
    match (receipt, rules.stale_receipt) {
        (Receipt::Completed | Receipt::AlreadyTerminal, _) => Some(Verdict::Recovered),
        (Receipt::Invalid, _) => Some(Verdict::Remaining),
        (Receipt::Missing, _) | (Receipt::Stale, StaleReceipt::Continue) => None,
    }
}

/// A recovery settles its candidate only with the outcome that fits the reason: a claim is requeued, a started
/// attempt fails, and the other way round neither is a success.
fn settled(answer: Answer<Recovery>, fitting: Recovery) -> Stepped {
    match answered(answer)? {
        Recovery::AlreadyRecovered => Ok(Step::Settled(Verdict::Recovered)),
        outcome if outcome == fitting => Ok(Step::Settled(Verdict::Recovered)),
        _ => remaining(),
    }
}

fn token_hash(started: &Started) -> Option<Secret<String>> {
    started.snapshot.attempt.callback_token_hash.clone().filter(|hash| !hash.expose().is_empty())
}
