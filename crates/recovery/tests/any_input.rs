//! Goal: whatever comes in, in any order and at any time, a pass does not panic, wants nothing outside the table
//! below and keeps its safety rules. Most inputs answer what is outstanding, so that deep states are reached.

mod support;

use holdover_machine::{Outcome, Secret, Timestamp};
use holdover_recovery::{
    AttemptStatus, Effect, EventIds, Input, Inspection, Page, Receipt, Recording, RecoverReason, Recovery,
    RunStatus, UnknownReason,
};
use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};
use support::{PID, aggregate, candidate, feed, loaded, name, page, pass};

const INPUTS: u32 = if cfg!(debug_assertions) { 100_000 } else { 1_000_000 };
/// A little less than the average, so that there are enough in all; a sequence shrinks to nothing.
const INPUTS_PER_CASE: u32 = 98;
const INPUTS_PER_CASE_MAX: usize = 200;
/// Calls for one candidate, both rounds together; drawing ids is no call.
const CALLS_MAX: u32 = 8;

/// What may follow on the answer to what.
const FOLLOWS: &[(&str, &[&str])] = &[
    ("nothing", &["list"]),
    ("list", &["load", "list", "finish"]),
    ("load", &["process", "inspect", "recover", "load", "list", "finish"]),
    ("process", &["recover", "inspect", "load", "list", "finish"]),
    ("recover", &["load", "list", "finish"]),
    ("inspect", &["draw ids", "recover", "wait", "load", "list", "finish"]),
    ("draw ids", &["record running", "load", "finish"]),
    ("record running", &["load", "finish"]),
    ("wait", &["process", "load", "finish"]),
    ("finish", &[]),
];

/// One input, as numbers that are read against what is outstanding.
#[derive(Debug, Clone)]
struct Draw {
    kind: u8,
    outcome: u8,
    choice: u8,
    detail: u8,
    now: i64,
}

fn draws() -> impl Strategy<Value = Draw> {
    let now = prop_oneof![8 => 0..5_000_i64, 1 => Just(-1), 1 => Just(i64::MAX)];
    (any::<u8>(), any::<u8>(), any::<u8>(), any::<u8>(), now)
        .prop_map(|(kind, outcome, choice, detail, now)| Draw { kind, outcome, choice, detail, now })
}

impl Draw {
    /// Seven of eight inputs answer what is outstanding, the others are of any kind.
    fn input(&self, outstanding: &str, asked: usize) -> Input {
        const KINDS: [&str; 9] = [
            "nothing",
            "list",
            "load",
            "process",
            "recover",
            "inspect",
            "draw ids",
            "record running",
            "wait",
        ];
        let any = KINDS[usize::from(self.choice) % KINDS.len()];
        match if self.kind.is_multiple_of(8) { any } else { outstanding } {
            "list" => Input::Listed(self.answer(self.page())),
            "load" => match self.answer(self.aggregate(asked)) {
                Outcome::Ok(input) => input,
                Outcome::Failed(why) => Input::Loaded(Outcome::Failed(why)),
                Outcome::Unknown(why) => Input::Loaded(Outcome::Unknown(why)),
            },
            "process" => Input::Processed(self.answer(self.pick(&[
                Receipt::Missing,
                Receipt::Completed,
                Receipt::Missing,
                Receipt::AlreadyTerminal,
                Receipt::Invalid,
                Receipt::Stale,
            ]))),
            "recover" => Input::Recovered(self.answer(self.pick(&[
                Recovery::Requeued,
                Recovery::Failed,
                Recovery::AlreadyRecovered,
                Recovery::Stale,
            ]))),
            "inspect" => Input::Inspected(self.answer(self.pick(&[
                Inspection::Running { identity_pid: PID },
                Inspection::NotRunning { identity_pid: PID },
                Inspection::NotRunning { identity_pid: PID },
                Inspection::Running { identity_pid: 7 },
                Inspection::Unknown { reason: UnknownReason::InvalidHandle },
                Inspection::Unknown { reason: UnknownReason::ProviderUnavailable },
            ]))),
            "draw ids" => {
                let ids = EventIds { attempt_event: "event-1".into(), step_mutation: "event-2".into() };
                Input::Drawn(self.answer(ids))
            }
            "record running" => {
                Input::Recorded(self.answer(self.pick(&[Recording::Applied, Recording::Rejected])))
            }
            "wait" => Input::Waited(self.answer(())),
            _ => Input::Start,
        }
    }

    fn pick<T: Copy>(&self, choices: &[T]) -> T {
        choices[usize::from(self.detail) % choices.len()]
    }

    fn answer<T>(&self, answer: T) -> Outcome<T, Secret<String>> {
        match self.outcome {
            0..8 => Outcome::Failed(Secret::new("text".into())),
            8..16 => Outcome::Unknown(Secret::new("text".into())),
            _ => Outcome::Ok(answer),
        }
    }

    /// Up to six candidates; sometimes truncated, repeated or out of order.
    fn page(&self) -> Page {
        let mut page = page(0..usize::from(self.detail % 7));
        page.truncated = self.choice < 8;
        match self.choice {
            8..16 => page.candidates.push(candidate(0)),
            16..24 => page.candidates.reverse(),
            _ => {}
        }
        page
    }

    /// The record of the candidate that was asked for, with something missing or odd now and then.
    fn aggregate(&self, asked: usize) -> Input {
        let status = self.pick(&[
            AttemptStatus::Claimed,
            AttemptStatus::Starting,
            AttemptStatus::Running,
            AttemptStatus::Running,
            AttemptStatus::Succeeded,
        ]);
        let mut read = aggregate(asked, status);
        let (Some(run), Some(attempt)) = (&mut read.run, &mut read.attempt) else { return loaded(read) };
        match self.outcome {
            16..24 => attempt.executor_handle = None,
            24..32 => attempt.callback_token_hash = None,
            32..40 => attempt.pid = Some(-1),
            40..48 => attempt.started_at = Some(Timestamp::from_ms(4_000)),
            48..56 => run.status = RunStatus::Failed,
            56..64 => run.cancel_requested_at = Some(Timestamp::ZERO),
            64..72 => run.version = 9,
            72..80 => attempt.created_at = Timestamp::ZERO,
            80..88 => read.attempt = None,
            _ => {}
        }
        loaded(read)
    }
}

/// What the judge remembers about a pass.
#[derive(Default)]
struct Judge {
    lists: u32,
    scanned: usize,
    calls: BTreeMap<String, u32>,
    current: String,
    processed: BTreeSet<String>,
    inspected: bool,
}

impl Judge {
    /// The number of the candidate that the last load asked for.
    fn asked(&self) -> usize {
        self.current.rsplit('-').next().and_then(|number| number.parse().ok()).unwrap_or(0)
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::List { limit } => {
                self.lists += 1;
                assert!(self.lists <= 2 && *limit == 64);
            }
            Effect::Load { attempt_id, .. } => {
                if *attempt_id != self.current {
                    (self.current, self.inspected) = (attempt_id.clone(), false);
                }
            }
            Effect::Process { attempt_id } => {
                assert_eq!(*attempt_id, self.current, "candidates are strictly one after the other");
                self.processed.insert(attempt_id.clone());
            }
            Effect::Inspect { .. } => {
                assert!(self.processed.contains(&self.current), "SR-RECEIPT-FIRST");
                self.inspected = true;
            }
            Effect::Recover(command) => {
                assert!(self.processed.contains(&self.current), "SR-RECEIPT-FIRST");
                assert!(command.observed_at >= command.attempt.created_at, "SR-TIME");
                match command.reason {
                    RecoverReason::UnstartedClaimExpired => {
                        assert_eq!(command.attempt.status, AttemptStatus::Claimed, "SR-NO-DUP-EFFECT");
                    }
                    RecoverReason::ExecutionNotRunning => {
                        assert!(self.inspected, "nothing is found gone without an inspection");
                        assert!(Some(command.observed_at) >= command.attempt.started_at, "SR-TIME");
                    }
                }
            }
            Effect::RecordRunning(command) => {
                assert!(self.inspected && command.pid == PID);
                assert_eq!(command.attempt.status, AttemptStatus::Starting);
                assert!(command.started_at >= command.attempt.created_at, "SR-TIME");
            }
            Effect::Wait(span) => assert_eq!(span.ms(), 250),
            Effect::DrawIds => {}
            Effect::Finish(result) => self.finished(result.as_ref().ok()),
        }
        if !matches!(effect, Effect::List { .. } | Effect::DrawIds | Effect::Finish(_)) {
            let calls = self.calls.entry(self.current.clone()).or_default();
            *calls += 1;
            assert!(*calls <= CALLS_MAX, "SR-L-TERMINATES");
        }
    }

    fn finished(&self, summary: Option<&holdover_recovery::Summary>) {
        let Some(summary) = summary else {
            assert_eq!(self.lists, 1, "only the first listing fails a pass");
            return;
        };
        assert_eq!(summary.safe, summary.remaining == 0 && summary.failed == 0 && !summary.truncated);
        if summary.truncated {
            assert!(self.calls.is_empty() && self.lists == 1, "SR-TRUNCATED-PURE");
            assert_eq!(summary.remaining, summary.scanned);
            return;
        }
        let sum = summary.recovered + summary.verified + summary.remaining + summary.failed;
        assert!(summary.scanned == self.scanned as u64 && sum >= summary.scanned, "SR-COUNTS");
        assert!(self.lists == 2 || sum == summary.scanned, "SR-COUNTS");
    }
}

/// Plays one sequence, and notes which effects followed on the answers to which.
fn play(grace_ms: i64, draws: &[Draw], seen: &mut BTreeSet<(&str, &str)>) {
    let (mut pass, mut judge, mut outstanding) = (pass(grace_ms), Judge::default(), "nothing");
    for draw in draws {
        let input = draw.input(outstanding, judge.asked());
        if let (0, Input::Listed(Outcome::Ok(page))) = (judge.scanned, &input)
            && outstanding == "list"
            && judge.lists == 1
        {
            judge.scanned = page.candidates.len();
        }
        let effects = feed(&mut pass, Timestamp::from_ms(draw.now), input);
        assert!(effects.len() <= 1, "one call at a time: {effects:?}");
        if let [effect] = &effects[..] {
            let follows =
                FOLLOWS.iter().find(|(from, _)| *from == outstanding).map_or(&[][..], |(_, to)| *to);
            assert!(follows.contains(&name(effect)), "{} after {outstanding}", name(effect));
            judge.effect(effect);
            seen.insert((outstanding, name(effect)));
            outstanding = name(effect);
        }
        if outstanding == "finish" {
            assert!(feed(&mut pass, Timestamp::ZERO, Input::Start).is_empty(), "a pass runs once");
            (pass, judge, outstanding) = (support::pass(grace_ms), Judge::default(), "nothing");
        }
    }
}

#[test]
fn any_input_is_survived_and_judged() {
    let config = Config { cases: INPUTS / INPUTS_PER_CASE, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let inputs = vec(draws(), 0..=INPUTS_PER_CASE_MAX);
    let graces = prop_oneof![Just(0), Just(250)];
    let seen = RefCell::new(BTreeSet::new());
    let verdict = runner.run(&(graces, inputs), |(grace_ms, inputs)| {
        play(grace_ms, &inputs, &mut seen.borrow_mut());
        Ok(())
    });
    verdict.expect("every sequence keeps the rules");
    let table = FOLLOWS.iter().flat_map(|(from, to)| to.iter().map(|to| (*from, *to))).collect();
    assert_eq!(seen.into_inner(), table, "every line of the table was reached");
}

/// Goal: no secret of a record shows in the debug text of what carries it.
#[test]
fn secrets_do_not_show() {
    let mut pass = pass(0);
    feed(&mut pass, support::NOW, Input::Start);
    feed(&mut pass, support::NOW, Input::Listed(Outcome::Ok(page([0]))));
    let read = loaded(aggregate(0, AttemptStatus::Running));
    let input = format!("{read:?}");
    feed(&mut pass, support::NOW, read);
    let effects = feed(&mut pass, support::NOW, Input::Processed(Outcome::Ok(Receipt::Missing)));
    for text in [input, format!("{effects:?}"), format!("{pass:?}")] {
        assert!(!text.contains("\"handle\"") && !text.contains("\"hash\""), "{text}");
    }
}
