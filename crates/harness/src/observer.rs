use crate::digest::fold;
use serde::{Deserialize, Serialize};

/// How a line of a story is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// An ordinary event.
    Plain,
    /// A fault that the world injected.
    Fault,
    /// A refusal that the protocol gave.
    Refused,
}

/// One line of a story: `time  node  event`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// True time of the world, in milliseconds.
    pub at_ms: i64,
    /// The number of the action that the line belongs to.
    pub step: u32,
    /// The node, e.g. `worker-1` or `store`.
    pub node: String,
    /// What happened, in a few words.
    pub text: String,
    /// How it is marked.
    pub mark: Mark,
}

/// Everything about a run that is not part of the world's state: counters, the digest and, when asked for, the
/// narration. Names are indices into the scenario's [`Catalogue`](crate::Catalogue).
#[derive(Debug, Clone, Default)]
pub struct Observer {
    faults: Vec<u64>,
    probes: Vec<u64>,
    antecedents: Vec<u64>,
    transitions: Vec<u64>,
    unlisted: u64,
    states: Vec<u64>,
    recoveries: Vec<Recovery>,
    overlap_ms: i64,
    overlap_max_ms: i64,
    events: u64,
    digest: u64,
    undigested: bool,
    narrating: bool,
    lines: Vec<Line>,
    trail: Vec<(u64, usize)>,
    answers: Vec<(u32, String)>,
}

/// How long one recovery took, beside the most that was promised for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recovery {
    /// Milliseconds of true time.
    pub took_ms: i64,
    /// The bound of the promise, in milliseconds.
    pub bound_ms: i64,
}

impl Observer {
    /// An observer that counts and digests but does not narrate.
    pub fn new() -> Self {
        Self::default()
    }

    /// An observer that also keeps lines and answers.
    pub fn narrating() -> Self {
        Self { narrating: true, ..Self::default() }
    }

    /// An observer that counts but does not digest, so that a benchmark can tell what the digest costs.
    pub fn without_digest() -> Self {
        Self { undigested: true, ..Self::default() }
    }

    /// A node has noticed a fault of this kind.
    pub fn fault(&mut self, kind: usize) {
        bump(&mut self.faults, kind);
    }

    /// A rare branch was reached.
    pub fn probe(&mut self, probe: usize) {
        bump(&mut self.probes, probe);
    }

    /// An invariant was in a position to fail.
    pub fn could_fail(&mut self, invariant: usize) {
        bump(&mut self.antecedents, invariant);
    }

    /// A transition was made; `None` for one that the catalogue does not list.
    pub fn transition(&mut self, transition: Option<usize>) {
        match transition {
            Some(transition) => bump(&mut self.transitions, transition),
            None => self.unlisted += 1,
        }
    }

    /// The world was seen in the state with this fingerprint.
    pub fn state(&mut self, fingerprint: u64) {
        self.states.push(fingerprint);
    }

    /// A recovery has ended.
    pub fn recovered(&mut self, recovery: Recovery) {
        self.recoveries.push(recovery);
    }

    /// For so many milliseconds of true time, two have gone on to believe that they own the same thing, with or
    /// without a break at their end.
    pub fn overlap(&mut self, ms: i64, unbroken: bool) {
        self.overlap_ms = self.overlap_ms.saturating_add(ms);
        self.overlap_max_ms = self.overlap_max_ms.max(self.overlap_ms);
        if !unbroken {
            self.overlap_ms = 0;
        }
    }

    /// Something happened that the run's digest must depend on.
    pub fn event(&mut self, bits: u64) {
        if self.undigested {
            return;
        }
        self.events += 1;
        self.digest = fold(self.digest, bits);
        if self.narrating {
            self.trail.push((self.digest, self.lines.len()));
        }
    }

    /// Adds a line to the story; the line is made only when somebody listens.
    pub fn narrate(&mut self, line: impl FnOnce() -> Line) {
        if self.narrating {
            self.lines.push(line());
        }
    }

    /// Notes what an operation was answered in this action, e.g. `ok` or an error code.
    pub fn answer(&mut self, step: u32, answer: impl FnOnce() -> String) {
        if self.narrating {
            self.answers.push((step, answer()));
        }
    }

    /// Times each fault kind was noticed, by index; kinds beyond the end were never noticed.
    pub fn faults(&self) -> &[u64] {
        &self.faults
    }

    /// Times each probe was reached, by index.
    pub fn probes(&self) -> &[u64] {
        &self.probes
    }

    /// Times each invariant could have failed, by index.
    pub fn antecedents(&self) -> &[u64] {
        &self.antecedents
    }

    /// Times each transition was made, by index.
    pub fn transitions(&self) -> &[u64] {
        &self.transitions
    }

    /// Times a transition was made that is not listed.
    pub fn unlisted(&self) -> u64 {
        self.unlisted
    }

    /// The fingerprints of the states that were looked at.
    pub fn states(&self) -> &[u64] {
        &self.states
    }

    /// The recoveries in the order in which they ended.
    pub fn recoveries(&self) -> &[Recovery] {
        &self.recoveries
    }

    /// The longest time for which two believed without a break that they own the same thing, in milliseconds.
    pub fn overlap_max_ms(&self) -> i64 {
        self.overlap_max_ms
    }

    /// How many events were folded into the digest.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// The digest after each event, and how many lines were told before it; nothing if nobody narrates. Two runs of
    /// one seed part where these do.
    pub fn trail(&self) -> &[(u64, usize)] {
        &self.trail
    }

    /// The digest of all events so far, in their order.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// The story so far; empty unless narrating.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The answers so far, each with the number of its action; empty unless narrating.
    pub fn answers(&self) -> &[(u32, String)] {
        &self.answers
    }
}

fn bump(counts: &mut Vec<u64>, index: usize) {
    if counts.len() <= index {
        counts.resize(index + 1, 0);
    }
    counts[index] += 1;
}
