//! The loop around a worker's machine: timers, requests, and the work itself.

mod slot;
mod work;

use crate::client::{CallError, Client};
use crate::clock::Clock;
use crate::draw::{draw_incarnation, draw_token};
use holdover_jobs::ServiceRequest;
use holdover_jobs::worker::{
    Act, CallId, Phase, Worker, WorkerAnswer, WorkerEffect, WorkerEvent, WorkerInput, WorkerSettings,
};
use holdover_machine::{Machine, Span};
use serde_json::Value;
use slot::Slot;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::timeout;
use work::News;
pub use work::{Failure, Task, Touch, Work};

/// How often a worker does what.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// How often an idle slot asks for a job.
    pub poll: Span,
    /// How long after a request without an answer it is sent again.
    pub repeat: Span,
}

/// Runs a worker process until this future is dropped. Heartbeats are sent each third of the lease.
pub async fn run_worker<W: Work>(
    settings: WorkerSettings,
    pace: Pace,
    client: Arc<Client>,
    clock: Arc<dyn Clock>,
    work: Arc<W>,
) {
    let beat = Span::from_ms(settings.lease.ms() / 3);
    let slots = (0..settings.slots).map(|_| Slot::default()).collect();
    let machine = Worker::new(Arc::new(settings), draw_incarnation());
    let (news, inbox) = mpsc::unbounded_channel();
    let mut process = Process { machine, slots, beat, pace, client, clock, work, news };
    process.run(inbox).await;
}

/// A worker process.
struct Process<W> {
    machine: Worker,
    slots: Vec<Slot>,
    beat: Span,
    pace: Pace,
    client: Arc<Client>,
    clock: Arc<dyn Clock>,
    work: Arc<W>,
    news: mpsc::UnboundedSender<News>,
}

impl<W: Work> Process<W> {
    /// Looks at every slot after each piece of news, and when there has been none for a while.
    async fn run(&mut self, mut inbox: mpsc::UnboundedReceiver<News>) {
        let pulse = self.pace.poll.ms().min(self.pace.repeat.ms()).min(self.beat.ms()).max(1);
        let pulse = Duration::from_millis(pulse.unsigned_abs());
        loop {
            if let Ok(Some(news)) = timeout(pulse, inbox.recv()).await {
                self.take(news);
            }
            (0..self.slots.len()).for_each(|slot| self.look(slot));
        }
    }

    fn take(&mut self, news: News) {
        match news {
            News::Answered { call, slot, request, outcome } => self.answered(call, slot, request, &outcome),
            News::Progress { slot, attempt, kind, data } => {
                self.act_as(slot, attempt, Act::Progress { kind, data: Arc::new(data) });
            }
            News::Touch { slot, attempt } => self.act_as(slot, attempt, Act::Touch),
            News::Finished { slot, attempt, result } => {
                let act = match result {
                    Ok(result) => Act::Complete { result: Arc::new(result) },
                    Err(Failure { error, delay }) => Act::Fail { error: Arc::new(error), delay },
                };
                self.act_as(slot, attempt, act);
            }
        }
    }

    fn answered(
        &mut self,
        call: CallId,
        slot: usize,
        request: Arc<ServiceRequest>,
        outcome: &Result<Value, CallError>,
    ) {
        let operation = request.to_wire().map_or("", |(operation, _)| operation);
        let answer = match outcome {
            Ok(answer) => WorkerAnswer::read(operation, answer),
            Err(CallError::Refused(refused)) => WorkerAnswer::refused(&refused.code),
            Err(_) => WorkerAnswer::Unanswered,
        };
        let own = self.clock.own();
        let wait = match &answer {
            WorkerAnswer::Nothing => self.pace.poll,
            WorkerAnswer::Unanswered => self.pace.repeat,
            _ => Span::ZERO,
        };
        let place = &mut self.slots[slot];
        place.answered(call, own + wait);
        if let (WorkerAnswer::Granted(_), Ok(answer)) = (&answer, outcome) {
            place.granted(answer.get("job").cloned().unwrap_or_default());
        }
        self.tell(WorkerEvent::Answered { call, slot, request, answer });
    }

    /// Does what is due in a slot.
    fn look(&mut self, slot: usize) {
        let own = self.clock.own();
        let place = &mut self.slots[slot];
        let Some(hand) = &self.machine.hands()[slot] else {
            place.stop();
            let elsewhere = self.machine.claiming().is_some_and(|claiming| claiming != slot);
            if place.may_send(own) && !elsewhere {
                self.tell(WorkerEvent::Claim { slot, token: draw_token() });
            }
            return;
        };
        let act = match hand.phase {
            // Its time is over: any act makes the machine notice.
            _ if !hand.believes(self.clock.now(), own) => Act::Heartbeat,
            Phase::Granted if place.may_send(own) => Act::Start,
            Phase::Running if hand.cancel_requested && place.may_send(own) => {
                place.stop();
                Act::Acknowledge
            }
            Phase::Settling if place.may_send(own) => Act::Resend,
            Phase::Running if place.begins() => {
                let (work, news) = (Arc::clone(&self.work), self.news.clone());
                let task = Task::new(slot, hand, place.detail(), news);
                place.begin(tokio::spawn(work::run(work, task)), own + self.beat);
                return;
            }
            Phase::Running if own >= place.next_beat => {
                place.next_beat = own + self.beat;
                Act::Heartbeat
            }
            _ => return,
        };
        self.act(slot, act);
    }

    /// Acts for the work on an attempt, unless the slot has moved on.
    fn act_as(&mut self, slot: usize, attempt: u32, act: Act) {
        if self.machine.hands()[slot].as_ref().is_some_and(|hand| hand.attempt == attempt) {
            self.act(slot, act);
        }
    }

    fn act(&mut self, slot: usize, act: Act) {
        self.tell(WorkerEvent::Act { slot, act, stalled: false });
    }

    fn tell(&mut self, what: WorkerEvent) {
        let input = WorkerInput { own: self.clock.own(), what };
        let mut effects = Vec::new();
        self.machine.handle(self.clock.now(), input, &mut effects);
        for effect in effects {
            match effect {
                WorkerEffect::Send { call, slot, request } => self.send(call, slot, request),
                WorkerEffect::Touch { job, attempt, fence } => {
                    self.work.touch(Touch { job, attempt, fence });
                }
            }
        }
    }

    fn send(&mut self, call: CallId, slot: usize, request: Arc<ServiceRequest>) {
        let Some((operation, arguments)) = request.to_wire() else { return };
        // Heartbeats and progress go along beside the one request that moves the slot on.
        if !matches!(operation, "heartbeat" | "progress") {
            self.slots[slot].waiting = Some(call);
        }
        let (client, news) = (Arc::clone(&self.client), self.news.clone());
        tokio::spawn(async move {
            let outcome = client.once(operation, &arguments).await;
            // Nobody listens any more when the process has ended.
            let _ = news.send(News::Answered { call, slot, request, outcome });
        });
    }
}
