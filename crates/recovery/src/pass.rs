use crate::{
    CANDIDATES_MAX, Candidate, ConfigError, EXECUTOR_TYPE, Effect, Input, Page, PassError, Rules, Summary,
    fingerprint::Fingerprint,
    input::Answer,
    reconcile::Reconcile,
    rules::{Overflow, Unlisted},
    step::{Step, Verdict},
    summary::Tally,
    verify::Verify,
};
use holdover_machine::{Machine, Outcome, Timestamp};
use std::collections::{BTreeMap, VecDeque};

/// One startup recovery pass. It keeps nothing that another pass would need.
#[derive(Debug, Clone, Hash)]
pub struct Pass {
    rules: Rules,
    stage: Stage,
    /// The candidates of the current listing that were not looked at yet.
    candidates: VecDeque<Candidate>,
    tally: Tally,
    /// What was found alive, by attempt.
    verified: BTreeMap<String, Fingerprint>,
}

#[derive(Debug, Clone, Hash)]
enum Stage {
    Ready,
    Listing,
    Reconciling(Reconcile),
    ListingAgain,
    Verifying(Verify),
    Done,
}

impl Pass {
    /// A pass that has not begun. `inspector` is the kind of executor that the inspector at hand can look at.
    pub fn new(rules: Rules, inspector: &str) -> Result<Self, ConfigError> {
        if inspector != EXECUTOR_TYPE {
            return Err(ConfigError::Inspector(inspector.to_owned()));
        }
        Ok(Self {
            rules,
            stage: Stage::Ready,
            candidates: VecDeque::new(),
            tally: Tally::default(),
            verified: BTreeMap::new(),
        })
    }

    /// What the pass is doing, as the state diagram names it.
    pub fn stage(&self) -> &'static str {
        match self.stage {
            Stage::Ready => "ready",
            Stage::Listing => "listing",
            Stage::Reconciling(_) => "reconciling",
            Stage::ListingAgain => "listing again",
            Stage::Verifying(_) => "verifying",
            Stage::Done => "done",
        }
    }

    fn listed(&mut self, answer: Answer<Page>, effects: &mut Vec<Effect>) {
        match (checked(answer), self.rules.overflow) {
            (Err(error), _) => self.finish(Err(error), effects),
            (Ok(page), Overflow::Refuse) if page.truncated => {
                self.finish(Ok(Tally::refused(page.candidates.len() as u64)), effects);
            }
            (Ok(page), _) => {
                self.tally.scanned = page.candidates.len() as u64;
                self.candidates = page.candidates.into();
                self.reconcile_next(effects);
            }
        }
    }

    fn reconcile_next(&mut self, effects: &mut Vec<Effect>) {
        if let Some(candidate) = self.candidates.pop_front() {
            let (reconcile, effect) = Reconcile::begin(candidate);
            self.stage = Stage::Reconciling(reconcile);
            effects.push(effect);
        } else if self.tally.is_clear() {
            self.stage = Stage::ListingAgain;
            effects.push(list());
        } else {
            self.finish(Ok(self.tally.summary()), effects);
        }
    }

    fn reconciled(&mut self, attempt_id: String, verdict: Verdict, effects: &mut Vec<Effect>) {
        match verdict {
            Verdict::Recovered => self.tally.recovered += 1,
            Verdict::Remaining => self.tally.remaining += 1,
            Verdict::Failed => self.tally.failed += 1,
            Verdict::Verified(fingerprint) => {
                self.tally.verified += 1;
                self.verified.insert(attempt_id, fingerprint);
            }
        }
        self.reconcile_next(effects);
    }

    /// The final verification asks only about what is listed; under [`Unlisted::Trusted`] everything else that was
    /// verified stays so.
    fn listed_again(&mut self, answer: Answer<Page>, effects: &mut Vec<Effect>) {
        match checked(answer) {
            Err(_) => self.tally.failed += 1,
            Ok(page) if page.truncated => self.tally.remaining += page.candidates.len() as u64,
            Ok(page) => {
                let Unlisted::Trusted = self.rules.unlisted;
                self.candidates = page.candidates.into();
            }
        }
        self.verify_next(effects);
    }

    fn verify_next(&mut self, effects: &mut Vec<Effect>) {
        while let Some(candidate) = self.candidates.pop_front() {
            if let Some(expected) = self.verified.get(&candidate.attempt_id) {
                let (verify, effect) = Verify::begin(candidate, expected.clone());
                self.stage = Stage::Verifying(verify);
                effects.push(effect);
                return;
            }
            self.tally.remaining += 1;
        }
        self.finish(Ok(self.tally.summary()), effects);
    }

    fn verified(&mut self, verdict: Verdict, effects: &mut Vec<Effect>) {
        match verdict {
            Verdict::Remaining => self.tally.remaining += 1,
            Verdict::Failed => self.tally.failed += 1,
            Verdict::Recovered | Verdict::Verified(_) => {}
        }
        self.verify_next(effects);
    }

    fn finish(&mut self, result: Result<Summary, PassError>, effects: &mut Vec<Effect>) {
        self.stage = Stage::Done;
        effects.push(Effect::Finish(result));
    }
}

impl Machine for Pass {
    type Input = Input;
    type Effect = Effect;

    fn handle(&mut self, now: Timestamp, input: Input, effects: &mut Vec<Effect>) {
        match (&mut self.stage, input) {
            (Stage::Ready, Input::Start) => {
                self.stage = Stage::Listing;
                effects.push(list());
            }
            (Stage::Listing, Input::Listed(answer)) => self.listed(answer, effects),
            (Stage::Reconciling(reconcile), input) => match reconcile.resume(&self.rules, now, input) {
                Some(Step::Call(effect)) => effects.push(effect),
                Some(Step::Settled(verdict)) => {
                    let attempt_id = std::mem::take(&mut reconcile.candidate.attempt_id);
                    self.reconciled(attempt_id, verdict, effects);
                }
                None => {}
            },
            (Stage::ListingAgain, Input::Listed(answer)) => self.listed_again(answer, effects),
            (Stage::Verifying(verify), input) => match verify.resume(input) {
                Some(Step::Call(effect)) => effects.push(effect),
                Some(Step::Settled(verdict)) => self.verified(verdict, effects),
                None => {}
            },
            (Stage::Ready | Stage::Listing | Stage::ListingAgain | Stage::Done, _) => {}
        }
    }
}

fn checked(answer: Answer<Page>) -> Result<Page, PassError> {
    match answer {
        Outcome::Ok(page) => page.check().map(|()| page).map_err(PassError::from),
        Outcome::Failed(why) | Outcome::Unknown(why) => Err(PassError::Listing(why)),
    }
}

fn list() -> Effect {
    Effect::List { limit: CANDIDATES_MAX }
}
