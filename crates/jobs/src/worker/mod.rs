//! The worker's side of the protocol, as a machine: claim, start, keep the lease, report, and above all know
//! until when it may act.
//!
//! The machine decides what may be sent and what an answer means; when to try is the shell's business (timers)
//! or the world's (actions). A worker has a fixed number of slots, each with at most one job.
//!
//! ```text
//!   idle ──claim──▶ idle ──grant──▶ granted ──start, answered──▶ running ──complete, fail, acknowledge──▶ settling
//!    ▲                                 │                            │                                       │
//!    └──── lease lost, belief over ◀───┴────────────────────────────┴──────────────── answered ◀────────────┘
//! ```

mod answer;
mod hand;
mod wire;

use crate::rules::{Belief, Fence};
use crate::{
    Announcement, ClaimRequest, Health, Holder, Incarnation, JobError, JobId, JobResult, LeaseOperation,
    LeaseRequest, LeaseToken, ServiceRequest, Standing, text::Text,
};
pub use answer::{Granted, WorkerAnswer};
pub use hand::{Hand, Phase, Until};
use holdover_machine::{Machine, OwnTime, Span, Timestamp};
use serde_json::Value;
use std::sync::Arc;

/// The name of a request that a worker has sent; an answer carries it back.
pub type CallId = u64;

/// How a worker works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerSettings {
    /// Its id.
    pub worker: Text,
    /// The executors that it can run.
    pub executors: Arc<[Text]>,
    /// How many jobs it holds at most.
    pub slots: u32,
    /// The lease that it asks for.
    pub lease: Span,
    /// How long it repeats a claim under its number. The store must remember the claim for longer, by the lifetime
    /// of a message.
    pub claim_retry: Span,
    /// How long before a lease's end it stops: the promised clock error over one lease.
    pub margin: Span,
    /// Until when it believes in a lease.
    pub belief: Belief,
    /// What it sends along with effects.
    pub fence: Fence,
}

/// What can happen to a worker, at a reading of its monotonic clock.
#[derive(Debug, Clone)]
pub struct WorkerInput {
    /// Its monotonic clock.
    pub own: OwnTime,
    /// What happens.
    pub what: WorkerEvent,
}

/// See [`WorkerInput`].
#[derive(Debug, Clone)]
pub enum WorkerEvent {
    /// Ask for a job for this slot; the token is for the lease, should there be one. While a claim is
    /// unanswered it is sent again, under its number; one that was unanswered for too long is given up.
    Claim {
        /// The slot.
        slot: usize,
        /// The token, drawn by the shell.
        token: LeaseToken,
    },
    /// Do something with the job in this slot.
    Act {
        /// The slot.
        slot: usize,
        /// What.
        act: Act,
        /// Whether the process was stalled between looking at its clock and acting: the look is skipped.
        stalled: bool,
    },
    /// An answer to a request.
    Answered {
        /// The request.
        call: CallId,
        /// The slot that it was for.
        slot: usize,
        /// The request as it was sent.
        request: Arc<ServiceRequest>,
        /// What the answer says.
        answer: WorkerAnswer,
    },
}

/// What a worker can do with a job that it holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    /// Report that the work begins.
    Start,
    /// Keep the lease.
    Heartbeat,
    /// Append an event.
    Progress {
        /// Its type.
        kind: Text,
        /// Its data.
        data: Arc<Value>,
    },
    /// Touch the resource that the job is about.
    Touch,
    /// Report a result.
    Complete {
        /// The result.
        result: Arc<JobResult>,
    },
    /// Report an error.
    Fail {
        /// The error.
        error: Arc<JobError>,
        /// When the next attempt would be welcome.
        delay: Span,
    },
    /// Confirm that a requested cancel is obeyed.
    Acknowledge,
    /// Send the last report again, because its answer has not come.
    Resend,
}

/// Everything that a worker can want done.
#[derive(Debug, Clone)]
pub enum WorkerEffect {
    /// Send this request.
    Send {
        /// The name that its answer carries.
        call: CallId,
        /// The slot that it is for.
        slot: usize,
        /// The request.
        request: Arc<ServiceRequest>,
    },
    /// Touch the resource outside. Where effects carry a fencing number, the first act of an attempt after its
    /// start was answered is to show that number, so that whoever comes later with a lower one is refused.
    Touch {
        /// The job.
        job: JobId,
        /// The attempt as which it is done, for those who watch.
        attempt: u32,
        /// The fencing number, where the worker sends one.
        fence: Option<u32>,
    },
}

/// One run of a worker process.
#[derive(Debug)]
pub struct Worker {
    settings: Arc<WorkerSettings>,
    incarnation: Incarnation,
    announcement: Announcement,
    hands: Vec<Option<Hand>>,
    claim: Option<Claiming>,
    claims: u64,
    calls: CallId,
}

holdover_machine::clone_by_member!(Worker {
    settings,
    incarnation,
    announcement,
    hands,
    claim,
    claims,
    calls
});

/// A claim that is not answered yet.
#[derive(Debug, Clone)]
pub struct Claiming {
    /// Its number.
    pub number: u64,
    /// The slot that it is for.
    pub slot: usize,
    /// The token for the lease.
    pub token: LeaseToken,
    /// When it was sent first.
    pub since: OwnTime,
}

impl Worker {
    /// A worker process that has just started. `incarnation` is fresh and not to be guessed.
    pub fn new(settings: Arc<WorkerSettings>, incarnation: Incarnation) -> Self {
        let health = |executor: &Text| Health { executor: executor.clone(), ok: true, code: None };
        let announcement = Announcement {
            worker: settings.worker.clone(),
            health: settings.executors.iter().map(health).collect(),
            draining: false,
        };
        let hands = vec![None; settings.slots as usize];
        Self { settings, incarnation, announcement, hands, claim: None, claims: 0, calls: 0 }
    }

    /// Which run of the process this is.
    pub fn incarnation(&self) -> Incarnation {
        self.incarnation
    }

    /// What is in its slots.
    pub fn hands(&self) -> &[Option<Hand>] {
        &self.hands
    }

    /// The slot of the claim that is not answered yet.
    pub fn claiming(&self) -> Option<usize> {
        self.claim.as_ref().map(|claim| claim.slot)
    }

    /// The claim that is not answered yet.
    pub fn claim_under_way(&self) -> Option<&Claiming> {
        self.claim.as_ref()
    }

    /// How many claims it has numbered.
    pub fn claims(&self) -> u64 {
        self.claims
    }

    fn claim(&mut self, own: OwnTime, slot: usize, token: LeaseToken, effects: &mut Vec<WorkerEffect>) {
        if !matches!(self.hands.get(slot), Some(None)) {
            return;
        }
        let horizon = self.settings.claim_retry;
        if self.claim.as_ref().is_some_and(|claiming| own - claiming.since > horizon) {
            self.claim = None;
        }
        let claiming = match &mut self.claim {
            Some(claiming) if claiming.slot == slot => claiming,
            Some(_) => return,
            none => {
                self.claims += 1;
                none.insert(Claiming { number: self.claims, slot, token, since: own })
            }
        };
        let request = ServiceRequest::Claim(Box::new(ClaimRequest {
            worker: self.settings.worker.clone(),
            incarnation: Some(self.incarnation),
            number: Some(claiming.number),
            held_max: Some(self.settings.slots),
            executors: Arc::clone(&self.settings.executors),
            announcement: self.announcement.clone(),
            lease: self.settings.lease,
            token: claiming.token.clone(),
            echo: Some(own),
        }));
        self.send(slot, request, effects);
    }

    fn send(&mut self, slot: usize, request: ServiceRequest, effects: &mut Vec<WorkerEffect>) {
        self.calls += 1;
        effects.push(WorkerEffect::Send { call: self.calls, slot, request: Arc::new(request) });
    }

    fn act(
        &mut self,
        now: Timestamp,
        own: OwnTime,
        slot: usize,
        act: Act,
        stalled: bool,
        effects: &mut Vec<WorkerEffect>,
    ) {
        let incarnation = self.incarnation;
        let lease = self.settings.lease;
        let Some(Some(hand)) = self.hands.get_mut(slot) else { return };
        if !stalled && !hand.believes(now, own) {
            // Its time is over: whatever it was about to do, it stops instead.
            self.hands[slot] = None;
            return;
        }
        let operation = match act {
            Act::Touch => return self.touch(slot, effects),
            Act::Start => LeaseOperation::Start,
            Act::Heartbeat => LeaseOperation::Heartbeat { lease },
            Act::Progress { kind, data } => LeaseOperation::Progress { kind, data },
            Act::Complete { result } => LeaseOperation::Complete { result },
            Act::Fail { error, delay } => LeaseOperation::Fail { error, delay },
            Act::Acknowledge => LeaseOperation::Acknowledge,
            Act::Resend => match &hand.report {
                Some(report) => report.clone(),
                None => return,
            },
        };
        if !hand.may_send(&operation, stalled) {
            return;
        }
        hand.sent(&operation);
        let holder =
            Holder { token: hand.token.clone(), attempt: Some(hand.attempt), incarnation: Some(incarnation) };
        let job = hand.job.clone();
        self.send(
            slot,
            ServiceRequest::Lease(Box::new(LeaseRequest { job, holder, operation, echo: Some(own) })),
            effects,
        );
    }

    fn answered(
        &mut self,
        at: (Timestamp, OwnTime),
        slot: usize,
        request: &ServiceRequest,
        answer: WorkerAnswer,
        effects: &mut Vec<WorkerEffect>,
    ) {
        match request {
            ServiceRequest::Claim(claim) => self.claim_answered(claim, answer),
            ServiceRequest::Lease(lease) => {
                let before = self.is_running(slot);
                self.lease_answered(slot, lease, answer);
                if !before && self.is_running(slot) {
                    self.began(at, slot, effects);
                }
            }
            _ => {}
        }
    }

    fn is_running(&self, slot: usize) -> bool {
        matches!(self.hands.get(slot), Some(Some(hand)) if hand.phase == Phase::Running)
    }

    /// A start was answered. The answer may have come so late that the lease is over by now.
    fn began(&mut self, (now, own): (Timestamp, OwnTime), slot: usize, effects: &mut Vec<WorkerEffect>) {
        let Some(place) = self.hands.get_mut(slot) else { return };
        if place.as_ref().is_some_and(|hand| !hand.believes(now, own)) {
            *place = None;
        } else if self.settings.fence == Fence::Attempt {
            self.touch(slot, effects);
        }
    }

    fn touch(&self, slot: usize, effects: &mut Vec<WorkerEffect>) {
        if let Some(Some(hand)) = self.hands.get(slot)
            && hand.phase == Phase::Running
        {
            let fence = (self.settings.fence == Fence::Attempt).then_some(hand.attempt);
            effects.push(WorkerEffect::Touch { job: hand.job.clone(), attempt: hand.attempt, fence });
        }
    }

    /// Only the answer to the claim that is under way counts: what an overtaken one was granted is not ours.
    fn claim_answered(&mut self, request: &ClaimRequest, answer: WorkerAnswer) {
        let Some(claiming) = self.claim.as_ref().filter(|claiming| Some(claiming.number) == request.number)
        else {
            return;
        };
        let slot = claiming.slot;
        match answer {
            WorkerAnswer::Granted(granted) => {
                self.claim = None;
                self.hands[slot] = Some(self.grant(granted));
            }
            WorkerAnswer::Nothing | WorkerAnswer::ClaimOver => self.claim = None,
            // Anything else may have been carried out, and the claim is repeated under its number.
            _ => {}
        }
    }

    fn grant(&self, granted: Granted) -> Hand {
        Hand {
            job: granted.job,
            attempt: granted.standing.attempt,
            token: granted.token,
            phase: Phase::Granted,
            until: until(&self.settings, &granted.standing),
            cancel_requested: granted.standing.cancel_requested,
            report: None,
        }
    }

    fn lease_answered(&mut self, slot: usize, request: &LeaseRequest, answer: WorkerAnswer) {
        let Some(place) = self.hands.get_mut(slot) else { return };
        let Some(hand) = place.as_mut().filter(|hand| hand.is_about(request)) else { return };
        let ended = match answer {
            WorkerAnswer::CarriedOut(standing) => {
                let until = until(&self.settings, &standing);
                hand.carried_out(&request.operation, until, standing.cancel_requested)
            }
            WorkerAnswer::Lost => true,
            // A status that does not allow it: the job has moved on, unless a repeat came too late to find the
            // status that its first had found.
            WorkerAnswer::OutOfTurn => !matches!(
                request.operation,
                LeaseOperation::Start | LeaseOperation::Progress { .. } | LeaseOperation::Acknowledge
            ),
            // Nothing is known: the lease stands as it stood, and a report may be sent again.
            _ => false,
        };
        if ended {
            *place = None;
        }
    }
}

/// Until when an answer lets a worker believe in its lease.
fn until(settings: &WorkerSettings, standing: &Standing) -> Until {
    match (settings.belief, standing.echo) {
        (Belief::Echo, Some(sent)) => Until::Own(sent + standing.remaining - settings.margin),
        _ => Until::Wall(Timestamp::from_ms(standing.expires_at.ms()) - settings.margin),
    }
}

impl Machine for Worker {
    type Input = WorkerInput;
    type Effect = WorkerEffect;

    fn handle(&mut self, now: Timestamp, input: WorkerInput, effects: &mut Vec<WorkerEffect>) {
        let own = input.own;
        match input.what {
            WorkerEvent::Claim { slot, token } => self.claim(own, slot, token, effects),
            WorkerEvent::Act { slot, act, stalled } => self.act(now, own, slot, act, stalled, effects),
            WorkerEvent::Answered { slot, request, answer, .. } => {
                self.answered((now, own), slot, &request, answer, effects)
            }
        }
    }
}
