use super::{
    ports::PassPorts,
    repository::Repository,
    scenario::{Start, Step},
    script::{Change, Entry, Scripts},
};
use crate::FormatError;
use holdover_machine::{Timestamp, drive};
use holdover_recovery::{EXECUTOR_TYPE, Effect, Input, Pass, PassError, Rules, Summary, rules::Grace};
use serde_json::{Value, json};

/// Everything around the passes, and the passes that were started.
pub(super) struct World {
    rules: Rules,
    pub(super) clock: Timestamp,
    pub(super) repository: Repository,
    pub(super) scripts: Scripts,
    pub(super) calls: Vec<Value>,
    pub(super) event_ids: u64,
    passes: Vec<Started>,
    /// Calls whose answer waits for a gate.
    pub(super) gated: Vec<Gated>,
}

struct Started {
    id: String,
    pass: Pass,
    result: Option<Result<Summary, PassError>>,
}

/// A call that a gate holds back.
pub(super) struct Gated {
    pub(super) gate: String,
    pub(super) pass: usize,
    pub(super) effect: Effect,
    pub(super) entry: Entry,
}

impl World {
    pub(super) fn new(start: Start) -> Result<Self, FormatError> {
        let grace = Grace::from_ms(start.config.receipt_grace_ms)
            .map_err(|error| FormatError::malformed("$.config.receipt_grace_ms", error.to_string()))?;
        Ok(Self {
            rules: Rules { receipt_grace: grace, ..Rules::original() },
            clock: Timestamp::from_ms(start.clock_ms),
            repository: Repository { runs: start.runs, attempts: start.attempts },
            scripts: start.ports,
            calls: Vec::new(),
            event_ids: 0,
            passes: Vec::new(),
            gated: Vec::new(),
        })
    }

    pub(super) fn step(&mut self, at: usize, step: Step) -> Result<(), FormatError> {
        match step {
            Step::Recover { id } => self.start(id.unwrap_or_else(|| format!("s{}", at + 1)))?,
            Step::Release { gate } => self.release(&gate),
            Step::Effects { effects } => self.apply(&effects),
        }
        Ok(())
    }

    fn start(&mut self, id: String) -> Result<(), FormatError> {
        let pass = Pass::new(self.rules, EXECUTOR_TYPE)
            .map_err(|error| FormatError::malformed("$.config", error.to_string()))?;
        self.passes.push(Started { id, pass, result: None });
        self.drive(self.passes.len() - 1, |ports| ports.answer(Input::Start));
        Ok(())
    }

    fn release(&mut self, gate: &str) {
        let (released, held) =
            std::mem::take(&mut self.gated).into_iter().partition(|gated: &Gated| gated.gate == gate);
        self.gated = held;
        let released: Vec<Gated> = released;
        for Gated { pass, effect, entry, .. } in released {
            self.drive(pass, |ports| ports.complete(effect, entry));
        }
    }

    /// Lets one pass go on from what `begin` makes ready until it waits for something again.
    fn drive(&mut self, at: usize, begin: impl FnOnce(&mut PassPorts<'_>)) {
        let mut pass = self.passes[at].pass.clone();
        let mut ports = PassPorts::new(self, at);
        begin(&mut ports);
        drive(&mut pass, &mut ports);
        let result = ports.result.take();
        let started = &mut self.passes[at];
        started.pass = pass;
        started.result = started.result.take().or(result);
    }

    pub(super) fn apply(&mut self, changes: &[Change]) {
        for change in changes {
            if let Some(ms) = change.set_clock_ms {
                self.clock = Timestamp::from_ms(ms);
            }
            self.repository.apply(change);
        }
    }

    /// What the file's member `expect` is compared with.
    pub(super) fn outcome(self) -> Value {
        let results: Vec<Value> = self.passes.into_iter().map(Started::outcome).collect();
        let Repository { runs, attempts } = self.repository;
        json!({ "results": results, "calls": self.calls, "runs": runs, "attempts": attempts })
    }
}

impl Started {
    fn outcome(self) -> Value {
        let id = self.id;
        match self.result {
            None => json!({ "id": id, "pending": true }),
            Some(Ok(summary)) => json!({ "id": id, "ok": summary }),
            Some(Err(PassError::Listing(why))) => {
                json!({ "id": id, "error": { "class": "port", "reason": why.expose() } })
            }
            Some(Err(_)) => json!({ "id": id, "error": { "class": "invalid" } }),
        }
    }
}
