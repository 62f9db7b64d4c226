use super::action::{Action, Operation};
use super::scenario::{Bug, Config, INVARIANTS};
use super::store::{Answer, LEASE_MS, Status, Store};
use holdover::{Applied, Line, Mark, Observer, Recovery, Rng, Step, Violation, Violations, Weights, World};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};

static FIRST: AtomicBool = AtomicBool::new(true);

const LOSS: usize = 0;
const DUPLICATE: usize = 1;
const CRASH: usize = 2;
const TAKEN_BACK: usize = 0;
const REFUSED: usize = 1;
const RENEWED_BY_HOLDER: usize = 0;
const READY_IS_FREE: usize = 1;
const COMPLETED_BY_HOLDER: usize = 2;
const CONVERGES: usize = 3;
const BOUND_MS: i64 = 1_000;

/// A request in flight, named by the action that sent it.
#[derive(Debug, Clone, Hash)]
struct Request {
    sent: u32,
    worker: usize,
    operation: Operation,
    token: u32,
}

#[derive(Debug, Clone)]
pub(crate) struct Toy {
    bug: Bug,
    fragile: bool,
    odd: bool,
    now: i64,
    store: Store,
    /// The token that each worker believes in.
    tokens: Vec<u32>,
    bag: Vec<Request>,
    violations: Violations,
}

impl Toy {
    pub(crate) fn new(bug: Bug, config: &Config) -> Self {
        Self {
            bug,
            fragile: config.fragile,
            odd: bug == Bug::Leaks && FIRST.swap(false, Ordering::Relaxed),
            now: 0,
            store: Store::new(),
            tokens: vec![0; config.workers],
            bag: Vec::new(),
            violations: Violations::default(),
        }
    }

    fn perform(&mut self, step: &Step<Action>, observer: &mut Observer) -> Option<()> {
        match step.action {
            Action::Call { worker, operation, held } => {
                let token = *self.tokens.get(worker)?;
                if token == 0 && operation != Operation::Claim {
                    return None;
                }
                let request = Request { sent: step.number, worker, operation, token };
                match held {
                    true => self.bag.push(request),
                    false => self.arrive(step.number, &request, observer),
                }
            }
            Action::Deliver { sent } => {
                let request = self.take(sent)?;
                self.arrive(step.number, &request, observer);
            }
            Action::Duplicate { sent } => {
                let request = self.bag.iter().find(|request| request.sent == sent)?.clone();
                if request.operation == Operation::Claim {
                    return None;
                }
                observer.fault(DUPLICATE);
                self.say(step.number, "network", observer, Mark::Fault, || {
                    format!("request {sent} arrives twice")
                });
                self.arrive(step.number, &request, observer);
            }
            Action::Lose { sent } => {
                self.take(sent)?;
                observer.fault(LOSS);
                self.say(step.number, "network", observer, Mark::Fault, || format!("request {sent} is lost"));
            }
            Action::Crash { worker } => {
                *self.tokens.get_mut(worker)? = 0;
                observer.fault(CRASH);
                self.say(step.number, &worker_name(worker), observer, Mark::Fault, || "crashes".to_owned());
            }
            Action::Wait { ms } => self.now = self.now.checked_add(ms).filter(|_| ms > 0)?,
            Action::Sweep => self.sweep(step.number, observer),
            Action::Heal => self.heal_now(step.number, observer),
        }
        Some(())
    }

    fn take(&mut self, sent: u32) -> Option<Request> {
        let place = self.bag.iter().position(|request| request.sent == sent)?;
        Some(self.bag.remove(place))
    }

    fn arrive(&mut self, number: u32, request: &Request, observer: &mut Observer) {
        let holder = self.store.status == Status::Held && request.token == self.store.token;
        let answer = self.store.execute(self.now, request.operation, request.token, self.bug);
        let worker = worker_name(request.worker);
        self.judge(number, request, holder, answer, observer);
        let mark = if matches!(answer, Answer::Refused(_)) { Mark::Refused } else { Mark::Plain };
        let said = match answer {
            Answer::Granted(token) => {
                self.tokens[request.worker] = token;
                format!("grant-{token}")
            }
            Answer::Ok => "ok".to_owned(),
            Answer::Refused(reason) => {
                observer.probe(REFUSED);
                reason.to_owned()
            }
        };
        observer.event(request.worker as u64 ^ (self.now as u64) << 8 ^ u64::from(self.store.token) << 40);
        self.say(number, "store", observer, mark, || {
            format!("{:?} of {worker} with token {}: {said}", request.operation, request.token)
        });
        observer.answer(number, || said.clone());
    }

    fn judge(
        &mut self,
        number: u32,
        request: &Request,
        holder: bool,
        answer: Answer,
        observer: &mut Observer,
    ) {
        let invariant = match request.operation {
            Operation::Claim => return,
            Operation::Heartbeat => RENEWED_BY_HOLDER,
            Operation::Complete => COMPLETED_BY_HOLDER,
        };
        if !holder {
            observer.could_fail(invariant);
        }
        if !holder && answer == Answer::Ok {
            let (worker, token, current) = (request.worker, request.token, self.store.token);
            self.break_promise(
                number,
                invariant,
                &[&format!("grant-{token}"), &format!("grant-{current}")],
                || {
                    format!(
                        "{} was answered ok under grant-{token}, which it no longer held",
                        worker_name(worker)
                    )
                },
            );
        }
    }

    fn sweep(&mut self, number: u32, observer: &mut Observer) {
        if self.store.sweep(self.now, self.bug) {
            observer.probe(TAKEN_BACK);
            observer.could_fail(READY_IS_FREE);
            observer.event(self.now as u64);
            let token = self.store.token;
            self.say(number, "store", observer, Mark::Plain, || format!("takes grant-{token} back"));
            if self.store.until.is_some() {
                self.break_promise(number, READY_IS_FREE, &[&format!("grant-{token}")], || {
                    format!("the job is ready while grant-{token} is still written down")
                });
            }
        }
    }

    /// Workers start afresh; then, in turns, time passes, the store sweeps and the first worker does the job.
    fn heal_now(&mut self, number: u32, observer: &mut Observer) {
        let start = self.now;
        self.bag.clear();
        self.tokens.fill(0);
        while self.store.status != Status::Done && self.now - start < BOUND_MS {
            self.now += LEASE_MS;
            self.sweep(number, observer);
            for operation in [Operation::Claim, Operation::Complete] {
                let request = Request { sent: number, worker: 0, operation, token: self.tokens[0] };
                self.arrive(number, &request, observer);
            }
        }
        observer.could_fail(CONVERGES);
        observer.recovered(Recovery { took_ms: self.now - start, bound_ms: BOUND_MS });
        if self.store.status != Status::Done || self.odd {
            self.break_promise(number, CONVERGES, &[], || {
                "the job was not done 1 s after the faults stopped".to_owned()
            });
        }
    }

    fn break_promise(
        &mut self,
        step: u32,
        invariant: usize,
        evidence: &[&str],
        sentence: impl FnOnce() -> String,
    ) {
        let info = INVARIANTS[invariant];
        let at_ms = self.now;
        self.violations.report(info.id, || Violation {
            invariant: info.id.to_owned(),
            class: info.class,
            at_ms,
            step,
            sentence: sentence(),
            evidence: evidence.iter().map(|name| (*name).to_owned()).collect(),
        });
    }

    fn say(&self, step: u32, node: &str, observer: &mut Observer, mark: Mark, text: impl FnOnce() -> String) {
        observer.narrate(|| Line { at_ms: self.now, step, node: node.to_owned(), text: text(), mark });
    }
}

fn worker_name(worker: usize) -> String {
    format!("worker-{}", worker + 1)
}

impl World for Toy {
    type Action = Action;

    fn sample(&self, rng: &mut Rng, weights: &Weights) -> Option<Action> {
        let sent = |rng: &mut Rng| rng.pick(&self.bag).map(|request| request.sent);
        match weights.draw(rng)? {
            0 => {
                let worker = rng.below(self.tokens.len() as u32) as usize;
                let operations = [Operation::Claim, Operation::Heartbeat, Operation::Complete];
                let operation = operations[[0, 0, 1, 1, 1, 1, 1, 2][rng.below(8) as usize]];
                Some(Action::Call { worker, operation, held: rng.chance(1, 2) })
            }
            1 => sent(rng).map(|sent| Action::Deliver { sent }),
            2 => sent(rng).map(|sent| Action::Duplicate { sent }),
            3 => sent(rng).map(|sent| Action::Lose { sent }),
            4 => Some(Action::Crash { worker: rng.below(self.tokens.len() as u32) as usize }),
            5 => Some(Action::Wait { ms: rng.between(1, 80) }),
            _ => Some(Action::Sweep),
        }
    }

    fn enabled(&self, actions: &mut Vec<Action>) {
        actions.extend([Action::Sweep, Action::Wait { ms: 1 }, Action::Heal]);
        for sent in self.bag.iter().map(|request| request.sent) {
            actions.extend([Action::Deliver { sent }, Action::Duplicate { sent }, Action::Lose { sent }]);
        }
        for worker in 0..self.tokens.len() {
            actions.push(Action::Crash { worker });
            for operation in [Operation::Claim, Operation::Heartbeat, Operation::Complete] {
                actions.extend([true, false].map(|held| Action::Call { worker, operation, held }));
            }
        }
    }

    fn apply(&mut self, step: &Step<Action>, observer: &mut Observer) -> Applied {
        assert!(!(self.bug == Bug::Panics && self.fragile && step.action == Action::Heal), "planted panic");
        match self.perform(step, observer) {
            Some(()) => Applied::Done,
            None => Applied::Skipped,
        }
    }

    fn heal(&self) -> Action {
        Action::Heal
    }

    fn simplify(action: &Action) -> Vec<Action> {
        action.simpler()
    }

    fn merge(first: &Step<Action>, second: &Step<Action>) -> Option<Action> {
        first.action.merged(first.number, &second.action)
    }

    fn renumber(action: &Action, map: &dyn Fn(u32) -> Option<u32>) -> Action {
        action.renumbered(map)
    }

    fn violations(&self) -> &Violations {
        &self.violations
    }

    fn simulated_ms(&self) -> i64 {
        self.now
    }

    fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.store.status.hash(&mut hasher);
        self.store.until.map(|until| until - self.now).hash(&mut hasher);
        (&self.tokens, &self.bag, self.store.token).hash(&mut hasher);
        hasher.finish()
    }
}
