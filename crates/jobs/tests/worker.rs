//! Goal: what a worker sends, and until when it acts, at the edges. No store and no service: answers are made up here.

use holdover_jobs::rules::{Belief, Fence};
use holdover_jobs::worker::{
    Act, Granted, Phase, Worker, WorkerAnswer, WorkerEffect, WorkerEvent, WorkerInput, WorkerSettings,
};
use holdover_jobs::{Incarnation, JobError, JobId, JobResult, LeaseToken, ServiceRequest, Standing};
use holdover_machine::{Machine, OwnTime, Span, StoreTime, Timestamp};
use std::sync::Arc;

const MARGIN_MS: i64 = 100;
/// The lease of the attempt is over at this time by the wall clock.
const ENDS_MS: i64 = 10_000;

struct Desk {
    worker: Worker,
}

impl Desk {
    fn new(belief: Belief) -> Self {
        let settings = WorkerSettings {
            worker: "w".into(),
            executors: ["aider".into()].into(),
            slots: 2,
            lease: Span::from_ms(5_000),
            claim_retry: Span::from_ms(60_000),
            margin: Span::from_ms(MARGIN_MS),
            belief,
            fence: Fence::Attempt,
        };
        Self { worker: Worker::new(Arc::new(settings), Incarnation(7)) }
    }

    fn does(&mut self, now_ms: i64, what: WorkerEvent) -> Vec<WorkerEffect> {
        let mut effects = Vec::new();
        let own = OwnTime::from_ms(now_ms);
        self.worker.handle(Timestamp::from_ms(now_ms), WorkerInput { own, what }, &mut effects);
        effects
    }

    fn claims(&mut self, slot: usize) -> Vec<WorkerEffect> {
        let token = LeaseToken::new("secret").expect("a safe identifier");
        self.does(0, WorkerEvent::Claim { slot, token })
    }

    fn acts(&mut self, now_ms: i64, act: Act) -> Vec<WorkerEffect> {
        self.does(now_ms, WorkerEvent::Act { slot: 0, act, stalled: false })
    }

    /// Answers what was sent.
    fn hears(&mut self, now_ms: i64, sent: &[WorkerEffect], answer: WorkerAnswer) -> Vec<WorkerEffect> {
        let [WorkerEffect::Send { call, slot, request }] = sent else { panic!("one request, not {sent:?}") };
        let request = Arc::clone(request);
        self.does(now_ms, WorkerEvent::Answered { call: *call, slot: *slot, request, answer })
    }

    /// Claims a job for the first slot.
    fn is_granted(&mut self) {
        self.is_granted_attempt(1);
    }

    fn is_granted_attempt(&mut self, attempt: u32) {
        let claim = self.claims(0);
        let granted = Granted {
            job: JobId::new("a").expect("a safe identifier"),
            token: LeaseToken::new("secret").expect("a safe identifier"),
            standing: Standing { attempt, ..standing() },
        };
        self.hears(0, &claim, WorkerAnswer::Granted(granted));
    }

    /// Claims a job for the first slot and starts it.
    fn runs(&mut self) {
        self.is_granted();
        let start = self.acts(0, Act::Start);
        let shown = self.hears(0, &start, WorkerAnswer::CarriedOut(standing()));
        assert!(matches!(&*shown, [WorkerEffect::Touch { fence: Some(1), .. }]), "{shown:?}");
    }
}

fn standing() -> Standing {
    Standing {
        attempt: 1,
        expires_at: StoreTime::from_ms(ENDS_MS),
        remaining: Span::from_ms(5_000),
        cancel_requested: false,
        echo: None,
        replayed: false,
    }
}

/// An act of a worker, by its name, and its answer.
type Told = (&'static str, WorkerAnswer);

fn carried_out(cancel_requested: bool) -> WorkerAnswer {
    WorkerAnswer::CarriedOut(Standing { cancel_requested, ..standing() })
}

/// Answers find their request by its name, so no two bear the same.
#[test]
fn every_request_has_a_name_of_its_own() {
    let mut desk = Desk::new(Belief::Echo);
    desk.runs();
    let names: Vec<u64> = (0..3)
        .flat_map(|_| desk.acts(0, Act::Heartbeat))
        .filter_map(|effect| if let WorkerEffect::Send { call, .. } = effect { Some(call) } else { None })
        .collect();
    assert_eq!(names, [3, 4, 5], "after the claim and the start");
}

/// A process makes one claim at a time and repeats it under its number: the store remembers one for each process.
#[test]
fn one_claim_at_a_time() {
    let mut desk = Desk::new(Belief::Echo);
    assert_eq!((desk.worker.claiming(), desk.worker.claims()), (None, 0));
    let first = desk.claims(1);
    assert!(desk.claims(0).is_empty(), "the other slot waits");
    let again = desk.claims(1);
    assert_eq!((desk.worker.claiming(), desk.worker.claims()), (Some(1), 1));
    let number = |sent: &[WorkerEffect]| match sent {
        [WorkerEffect::Send { request, .. }] => match &**request {
            ServiceRequest::Claim(claim) => claim.number,
            other => panic!("a claim, not {other:?}"),
        },
        other => panic!("one request, not {other:?}"),
    };
    assert_eq!((number(&first), number(&again)), (Some(1), Some(1)));
    desk.hears(0, &again, WorkerAnswer::Nothing);
    assert_eq!(desk.worker.claiming(), None);
    let next = desk.claims(0);
    assert_eq!((number(&next), desk.worker.claims()), (Some(2), 2));
}

/// The fencing number is shown once, when the start is answered: showing it again with each renewal would be an
/// effect that nobody asked for.
#[test]
fn a_renewal_shows_nothing() {
    let mut desk = Desk::new(Belief::Echo);
    desk.runs();
    let renewal = desk.acts(1, Act::Heartbeat);
    let shown = desk.hears(2, &renewal, WorkerAnswer::CarriedOut(standing()));
    assert!(shown.is_empty(), "{shown:?}");
}

/// What may be sent depends on how far the work is: a report is the last word of an attempt and does not change.
#[test]
fn what_may_be_sent() {
    let complete = || Act::Complete { result: Arc::new(JobResult::read(None).expect("an empty result")) };
    let fail = || Act::Fail { error: Arc::new(JobError::read(None).expect("an error")), delay: Span::ZERO };
    let progress = || Act::Progress { kind: "at".into(), data: Arc::new(serde_json::Value::Null) };
    let acts: [(&str, &dyn Fn() -> Act); 7] = [
        ("start", &|| Act::Start),
        ("heartbeat", &|| Act::Heartbeat),
        ("progress", &progress),
        ("complete", &complete),
        ("fail", &fail),
        ("acknowledge", &|| Act::Acknowledge),
        ("resend", &|| Act::Resend),
    ];
    let rows: [(&str, &[Told], &str); 6] = [
        ("granted", &[], "start heartbeat fail"),
        ("running", &[("start", carried_out(false))], "heartbeat progress complete fail"),
        ("told to stop", &[("start", carried_out(true))], "heartbeat progress complete fail acknowledge"),
        (
            "completed",
            &[("start", carried_out(true)), ("complete", WorkerAnswer::Unanswered)],
            "complete resend",
        ),
        ("failed", &[("start", carried_out(false)), ("fail", WorkerAnswer::Unanswered)], "fail resend"),
        (
            "stopped",
            &[("start", carried_out(true)), ("acknowledge", WorkerAnswer::Unanswered)],
            "acknowledge resend",
        ),
    ];
    for (state, story, may) in rows {
        for (name, act) in &acts {
            let mut desk = Desk::new(Belief::Echo);
            desk.is_granted();
            for (told, answer) in story {
                let (_, act) = acts.iter().find(|(name, _)| name == told).expect("an act");
                let sent = desk.acts(0, act());
                desk.hears(0, &sent, answer.clone());
            }
            let sends = desk.acts(0, act()).iter().any(|effect| matches!(effect, WorkerEffect::Send { .. }));
            assert_eq!(sends, may.split(' ').any(|one| one == *name), "{name} of a job that is {state}");
        }
    }
}

/// The answer to an earlier attempt on the same job comes late: it says nothing of the attempt in hand.
#[test]
fn an_answer_is_about_its_attempt() {
    let mut desk = Desk::new(Belief::Echo);
    desk.is_granted();
    let start = desk.acts(0, Act::Start);
    desk.hears(0, &start, WorkerAnswer::Lost);
    desk.is_granted_attempt(2);
    desk.hears(0, &start, carried_out(false));
    let hand = desk.worker.hands()[0].as_ref().expect("the second attempt");
    assert_eq!((hand.attempt, hand.phase), (2, Phase::Granted));
}

/// A worker that goes by its wall clock stops the margin before the end, not after it.
#[test]
fn the_margin_comes_before_the_end() {
    for (now_ms, acts) in [(ENDS_MS - MARGIN_MS - 1, true), (ENDS_MS - MARGIN_MS, false)] {
        let mut desk = Desk::new(Belief::Absolute);
        desk.runs();
        assert_eq!(!desk.acts(now_ms, Act::Heartbeat).is_empty(), acts, "{now_ms}");
    }
}
