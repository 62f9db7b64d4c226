use crate::{
    Candidate, Effect, Input, Inspection,
    fingerprint::Fingerprint,
    step::{Failed, Loaded, Step, Stepped, Verdict, answered, load, remaining, snapshot},
};

/// The second look at an attempt that was verified before: nothing of its fingerprint may have changed, and its
/// process must still run.
#[derive(Debug, Clone, Hash)]
pub(crate) struct Verify {
    candidate: Candidate,
    expected: Fingerprint,
    at: At,
}

#[derive(Debug, Clone, Copy, Hash)]
enum At {
    Load,
    Inspect,
}

impl Verify {
    pub(crate) fn begin(candidate: Candidate, expected: Fingerprint) -> (Self, Effect) {
        let load = load(&candidate);
        (Self { candidate, expected, at: At::Load }, load)
    }

    /// Takes an answer; none if it is not the awaited one.
    pub(crate) fn resume(&mut self, input: Input) -> Option<Step> {
        let step = match (self.at, input) {
            (At::Load, Input::Loaded(read)) => self.loaded(read),
            (At::Inspect, Input::Inspected(seen)) => answered(seen).and_then(|seen| self.inspected(seen)),
            _ => return None,
        };
        Some(step.unwrap_or(Step::Settled(Verdict::Failed)))
    }

    fn loaded(&mut self, read: Loaded) -> Stepped {
        let found = snapshot(&self.candidate, read)?.as_ref().and_then(Fingerprint::of);
        if found.as_ref() != Some(&self.expected) {
            return remaining();
        }
        self.at = At::Inspect;
        Ok(Step::Call(Effect::Inspect { executor_handle: self.expected.identity.handle.clone() }))
    }

    fn inspected(&self, seen: Inspection) -> Result<Step, Failed> {
        if seen == (Inspection::Running { identity_pid: self.expected.identity.pid }) {
            return Ok(Step::Settled(Verdict::Verified(self.expected.clone())));
        }
        remaining()
    }
}
