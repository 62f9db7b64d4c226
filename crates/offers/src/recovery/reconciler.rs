use super::{
    Authority, CompletionResult, Evidence, Finding, ObservedCompletion, Outcome, Receipt, Submission,
};
use crate::{Record, Session, Text};
use holdover_machine::{Machine, Span, Timestamp};

/// The longest wait for the receipt of a process that has exited.
pub const GRACE_MAX: Span = Span::from_ms(5_000);

/// What was found where the receipt should be.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ReceiptReading {
    /// Nothing.
    Absent,
    /// A receipt.
    Present(Box<Receipt>),
    /// Something unreadable, or reading failed.
    Unreadable,
}

/// What a probe of the process saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Inspection {
    /// It runs.
    Running {
        /// Its process id.
        identity_pid: Option<u64>,
    },
    /// It has ended.
    Exited {
        /// The process id that it had.
        identity_pid: Option<u64>,
    },
    /// The handle names nothing.
    HandleInvalid,
    /// The handle names another process now.
    IdentityMismatch {
        /// The process id of the other.
        identity_pid: Option<u64>,
    },
    /// This platform cannot probe.
    Unsupported,
    /// The probe failed.
    Failed,
}

/// What can happen to a reconciler.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ReconcilerInput {
    /// Find out about this record.
    Reconcile {
        /// The record.
        record: Box<Record>,
        /// The current session.
        session: Box<Session>,
    },
    /// The receipt was looked for.
    Receipt(ReceiptReading),
    /// The process was probed.
    Inspected(Inspection),
    /// The grace period is over.
    GraceOver,
}

/// Everything a reconciler can want done. It never acts on what it finds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ReconcilerEffect {
    /// Look for the receipt of this attempt.
    ReadReceipt(Text),
    /// Probe this process.
    Inspect(Text),
    /// Wait.
    Wait(Span),
    /// Take the evidence.
    Found(Box<Evidence>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Stage {
    FirstReceipt,
    Probe,
    SecondReceipt,
    Grace,
    LastReceipt,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Search {
    record: Box<Record>,
    evidence: Box<Evidence>,
    stage: Stage,
}

/// Finds out what became of one record: the receipt first, then the process, and after its exit the receipt
/// again, once more after a grace period.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Reconciler {
    grace: Span,
    search: Option<Search>,
}

impl Reconciler {
    /// A reconciler that waits for `grace`, brought into 0..=[`GRACE_MAX`].
    pub fn new(grace: Span) -> Self {
        Self { grace: grace.clamp(Span::ZERO, GRACE_MAX), search: None }
    }
}

impl Machine for Reconciler {
    type Input = ReconcilerInput;
    type Effect = ReconcilerEffect;

    fn handle(&mut self, now: Timestamp, input: ReconcilerInput, effects: &mut Vec<ReconcilerEffect>) {
        if let ReconcilerInput::Reconcile { record, session } = input {
            let search = self.search.insert(Search::new(record, &session, now));
            return effects.push(search.read_receipt(Stage::FirstReceipt));
        }
        let Some(search) = &mut self.search else { return };
        let effect = match (search.stage, input) {
            (Stage::FirstReceipt, ReconcilerInput::Receipt(ReceiptReading::Absent)) => search.probe(),
            (Stage::Probe, ReconcilerInput::Inspected(inspection)) => search.inspected(inspection),
            (Stage::SecondReceipt, ReconcilerInput::Receipt(ReceiptReading::Absent))
                if self.grace > Span::ZERO =>
            {
                search.stage = Stage::Grace;
                ReconcilerEffect::Wait(self.grace)
            }
            (Stage::Grace, ReconcilerInput::GraceOver) => search.read_receipt(Stage::LastReceipt),
            (Stage::Probe | Stage::Grace, _) => return,
            (_, ReconcilerInput::Receipt(reading)) => search.receipt(reading),
            _ => return,
        };
        if matches!(effect, ReconcilerEffect::Found(_)) {
            self.search = None;
        }
        effects.push(effect);
    }
}

impl Search {
    fn new(record: Box<Record>, session: &Session, now: Timestamp) -> Self {
        let evidence = Box::new(Evidence {
            offer_id: record.offer.offer_id,
            attempt_id: record.offer.candidate.attempt_id.clone(),
            state: record.state,
            observed_at: now,
            authority: Authority::of(&record, session, now),
            finding: Finding::LaunchOutcomeUnknown,
            receipt_checks: 0,
            process_checks: 0,
            identity_pid: None,
            completion_submission: None,
            completion: None,
        });
        Self { record, evidence, stage: Stage::FirstReceipt }
    }

    fn read_receipt(&mut self, stage: Stage) -> ReconcilerEffect {
        self.stage = stage;
        self.evidence.receipt_checks += 1;
        ReconcilerEffect::ReadReceipt(self.evidence.attempt_id.clone())
    }

    fn probe(&mut self) -> ReconcilerEffect {
        if !self.record.state.may_own_process() {
            return self.found(Finding::NoExecutionExpected);
        }
        let Some(handle) = self.record.executor_handle.clone() else {
            return self.found(Finding::LaunchOutcomeUnknown);
        };
        self.stage = Stage::Probe;
        self.evidence.process_checks += 1;
        ReconcilerEffect::Inspect(handle)
    }

    fn inspected(&mut self, inspection: Inspection) -> ReconcilerEffect {
        let (finding, pid) = match inspection {
            Inspection::Exited { identity_pid } => {
                self.evidence.identity_pid = identity_pid;
                return self.read_receipt(Stage::SecondReceipt);
            }
            Inspection::Running { identity_pid } => (Finding::ExecutionRunning, identity_pid),
            Inspection::IdentityMismatch { identity_pid } => {
                (Finding::ExecutionIdentityMismatch, identity_pid)
            }
            Inspection::HandleInvalid => (Finding::ExecutionHandleInvalid, None),
            Inspection::Unsupported => (Finding::ExecutionProbeUnsupported, None),
            Inspection::Failed => (Finding::ExecutionProbeUnavailable, None),
        };
        self.evidence.identity_pid = pid;
        self.found(finding)
    }

    fn receipt(&mut self, reading: ReceiptReading) -> ReconcilerEffect {
        match reading {
            ReceiptReading::Absent => self.found(Finding::ExecutionExitedWithoutReceipt),
            ReceiptReading::Unreadable => self.found(Finding::CompletionReceiptUnavailable),
            ReceiptReading::Present(receipt) if receipt.belongs_to(&self.record) => {
                let submission = Submission::of(&self.record, self.evidence.authority);
                self.evidence.completion_submission = Some(submission);
                self.evidence.completion = Some(observed(&receipt));
                self.found(Finding::CompletionObserved)
            }
            ReceiptReading::Present(_) => self.found(Finding::CompletionReceiptConflict),
        }
    }

    fn found(&mut self, finding: Finding) -> ReconcilerEffect {
        self.evidence.finding = finding;
        ReconcilerEffect::Found(self.evidence.clone())
    }
}

fn observed(receipt: &Receipt) -> ObservedCompletion {
    let outcome = if receipt.exit_code == Some(0) { Outcome::Succeeded } else { Outcome::Failed };
    let result = CompletionResult {
        outcome,
        started_at: receipt.started_at,
        finished_at: receipt.finished_at,
        exit_code: receipt.exit_code,
    };
    ObservedCompletion { callback_sequence: receipt.callback_sequence, result }
}
