use crate::{
    Accepted, Contract, Effect, ErrorCode, ErrorIds, Failure, Identity, Input, Record, Request, RequestId,
    Response, Rules,
    approval::Approval,
    cancel::Waiter,
    operation::Operations,
    queue::{Step, Task},
    request::Route,
    restart::Boot,
    stream::Stream,
    turn::Turn,
};
use holdover_machine::{Machine, Timestamp};
use std::collections::{BTreeMap, VecDeque};

/// The coordinator of one run: one instance, from the moment it is built until its process dies.
#[derive(Debug, Clone, Hash)]
pub struct Coordinator {
    pub(crate) rules: Rules,
    pub(crate) contract: Contract,
    pub(crate) error_ids: ErrorIds,
    pub(crate) boot: Boot,
    /// What came in before the stored record was looked at.
    held: VecDeque<Input>,
    pub(crate) record: Option<Record>,
    /// The single queue of state changes, and the change that waits for storage.
    pub(crate) queue: VecDeque<Task>,
    pub(crate) step: Option<Step>,
    pub(crate) operations: Operations,
    /// What the runtime prepared and neither finished executing nor abandoned.
    pub(crate) prepared: Option<Accepted>,
    /// Set once, never reset.
    pub(crate) aborted: bool,
    pub(crate) approval: Option<Approval>,
    pub(crate) approvals: u64,
    pub(crate) stream: Option<Stream>,
    pub(crate) frames: u64,
    pub(crate) subscribed: bool,
    /// The clients whose going away matters, and whether they went.
    pub(crate) clients: BTreeMap<RequestId, bool>,
}

impl Coordinator {
    /// A coordinator that has not looked at its storage yet. `seed` is drawn afresh for every instance; the ids of
    /// internal errors derive from it.
    pub fn new(rules: Rules, contract: Contract, seed: u128) -> Self {
        Self {
            rules,
            contract,
            error_ids: ErrorIds::new(seed),
            boot: Boot::New,
            held: VecDeque::new(),
            record: None,
            queue: VecDeque::new(),
            step: None,
            operations: Operations::default(),
            prepared: None,
            aborted: false,
            approval: None,
            approvals: 0,
            stream: None,
            frames: 0,
            subscribed: false,
            clients: BTreeMap::new(),
        }
    }

    /// The record as this instance believes it to be; storage may lag behind it.
    pub fn record(&self) -> Option<&Record> {
        self.record.as_ref()
    }

    /// The record, as long as the run has not ended.
    pub(crate) fn open_record(&self) -> Option<&Record> {
        self.record.as_ref().filter(|record| !record.phase.is_terminal())
    }

    /// Only the owner, in the session that started the run (W-C16). Before a run exists nobody is.
    pub(crate) fn owns(&self, caller: &Identity) -> bool {
        let owner = self.record.as_ref().and_then(|record| (self.contract.identity)(record.actor.expose()));
        owner.as_ref() == Some(caller)
    }

    pub(crate) fn refuse(&mut self, turn: &mut Turn<'_>, request: RequestId, failure: Failure) {
        self.clients.remove(&request);
        let response = Response::error(failure, &mut self.error_ids);
        turn.want(Effect::Respond(request, response));
    }

    fn requested(&mut self, turn: &mut Turn<'_>, id: RequestId, request: &Request) {
        if let Err(failure) = self.route(turn, id, request) {
            self.refuse(turn, id, failure);
        }
    }

    fn route(&mut self, turn: &mut Turn<'_>, id: RequestId, request: &Request) -> Result<(), Failure> {
        if let Boot::Unusable(failure) = self.boot {
            return Err(failure);
        }
        let route = request.route();
        if route == Route::Accept {
            let order = request.order(&self.contract)?;
            self.clients.insert(id, false);
            self.queue.push_back(Task::Create { request: id, order });
            return Ok(());
        }
        let caller = request.caller(&self.rules, &self.contract)?;
        match (route, self.owns(&caller)) {
            (Route::Cancel, true) => self.queue.push_back(Task::Cancel(Waiter::Request(id))),
            // Whoever cancels somebody else's run learns nothing, not even that there is none.
            (Route::Cancel, false) => turn.want(Effect::Respond(id, Response::done())),
            (Route::Events, true) => {
                self.clients.insert(id, false);
                self.queue.push_back(Task::Subscribe {
                    request: id,
                    caller,
                    resume: request.has_last_event_id,
                });
            }
            (Route::Snapshot, true) => self.queue.push_back(Task::Snapshot(id)),
            (Route::Approval, true) => {
                let (call_id, allow) = request.decision()?;
                self.queue.push_back(Task::Decide { request: id, call_id, allow });
            }
            _ => return Err(Failure::classified(ErrorCode::NotFound)),
        }
        Ok(())
    }

    /// Deals with an input of an instance that is ready.
    fn take(&mut self, turn: &mut Turn<'_>, input: Input) {
        match input {
            Input::Start | Input::Loaded(_) => {}
            Input::Stored(outcome) => self.stored(turn, outcome),
            Input::Requested { id, request } => self.requested(turn, id, &request),
            Input::Disconnected(id) => self.disconnected(turn, id),
            Input::Consumed { stream, bytes } => self.consumed(stream, bytes),
            Input::StreamCancelled(stream) => self.stream_cancelled(turn, stream),
            Input::Alarm(id) => self.alarm(turn, id),
            Input::HandleAnnounced { operation, handle } => self.announced(turn, operation, handle),
            Input::Prepared(operation, outcome) => self.prepared(turn, operation, outcome),
            Input::Ended(operation, outcome) => self.ended(turn, operation, outcome),
            Input::Recovered(operation, outcome) => self.recovered(turn, operation, outcome),
            Input::Emitted(event) => self.emitted(turn, event),
            Input::ApprovalWanted { wait, run_id, call_id } => {
                self.approval_wanted(turn, wait, &run_id, &call_id);
            }
            Input::WaitAborted(wait) => self.wait_aborted(wait),
        }
        self.pump(turn);
    }
}

impl Machine for Coordinator {
    type Input = Input;
    type Effect = Effect;

    fn handle(&mut self, now: Timestamp, input: Input, effects: &mut Vec<Effect>) {
        let mut turn = Turn::new(now, effects);
        if self.boot.is_over() {
            return self.take(&mut turn, input);
        }
        match input {
            Input::Start | Input::Loaded(_) | Input::Stored(_) | Input::Recovered(..) => {
                self.booting(&mut turn, input);
            }
            input => self.held.push_back(input),
        }
        if self.boot.is_over() {
            for input in std::mem::take(&mut self.held) {
                self.take(&mut turn, input);
            }
        }
    }
}
