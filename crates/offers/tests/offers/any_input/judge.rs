use holdover_offers::*;
use std::collections::{BTreeMap, BTreeSet};

const DOCUMENTED: &str = include_str!("../../../docs/transitions.md");

/// What may be asked for while a record is durable in which state.
pub(super) type Pairs = BTreeSet<(State, String)>;

/// Reads the pairs out of the documented table: each row is walked from its state through its writes.
pub(super) fn documented_pairs() -> Pairs {
    let mut pairs = Pairs::new();
    for row in DOCUMENTED.lines().filter(|line| line.starts_with('|')).skip(2) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let mut state = named(cells[1]);
        for call in cells[3].split(", ").filter(|call| *call != "-") {
            pairs.insert((state, call.to_owned()));
            state = call.strip_prefix("write ").map_or(state, named);
        }
    }
    pairs
}

fn named(name: &str) -> State {
    State::ALL.into_iter().find(|state| state.name() == name).expect("the table names states")
}

/// What the judge knows about the work on one offer.
#[derive(Default)]
struct Work {
    /// The record as the receiver was last told.
    record: Option<Record>,
    /// The write that is under way.
    write: Option<Record>,
    /// Whether the last reply confirmed this operation's own write of `launching`.
    crossed_barrier: bool,
    outstanding: Option<&'static str>,
    deliveries: BTreeSet<DeliveryId>,
}

pub(super) struct Judge<'a> {
    documented: &'a Pairs,
    works: BTreeMap<OfferId, Work>,
    open: BTreeMap<DeliveryId, OfferId>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(documented: &'a Pairs) -> Self {
        Self { documented, works: BTreeMap::new(), open: BTreeMap::new() }
    }

    pub(super) fn outstanding(&self, offer_id: OfferId) -> Option<&'static str> {
        self.works.get(&offer_id)?.outstanding
    }

    pub(super) fn input(&mut self, input: &Input) {
        match input {
            Input::Session(_) => {}
            Input::Deliver { delivery, offer } => {
                self.open.insert(*delivery, offer.offer_id);
                self.works.entry(offer.offer_id).or_default().deliveries.insert(*delivery);
            }
            Input::Reply { offer_id, reply } => {
                if let Some(work) = self.works.get_mut(offer_id) {
                    work.reply(reply);
                }
            }
        }
    }

    pub(super) fn effect(&mut self, effect: &Effect, seen: &mut Pairs) {
        match effect {
            Effect::Answer { delivery, .. } => {
                let offer_id = self.open.remove(delivery).expect("one answer per delivery");
                let work = self.works.entry(offer_id).or_default();
                work.deliveries.remove(delivery);
                if work.deliveries.is_empty() {
                    *work = Work::default();
                }
            }
            Effect::Call { offer_id, call } => {
                let work = self.works.get_mut(offer_id).expect("a call belongs to a delivery");
                work.call(call, self.documented, seen);
            }
        }
    }
}

impl Work {
    /// A reply to what is outstanding changes what the receiver knows.
    fn reply(&mut self, reply: &Reply) {
        if !self.outstanding.is_some_and(|call| answers(reply, call)) {
            return;
        }
        self.outstanding = None;
        self.crossed_barrier = false;
        match reply {
            Reply::Read(Ok(found)) => self.record = found.as_deref().cloned(),
            Reply::Replaced(Ok(())) => {
                self.record = self.write.take();
                self.crossed_barrier =
                    self.record.as_ref().is_some_and(|record| record.state == State::Launching);
            }
            _ => {}
        }
    }

    fn call(&mut self, call: &Call, documented: &Pairs, seen: &mut Pairs) {
        assert_eq!(self.outstanding, None, "one call at a time");
        self.outstanding = Some(call.name());
        let name = match call {
            Call::Read => return,
            Call::Create(record) => {
                record.check().expect("only valid records are created");
                assert_eq!((record.revision, record.state), (0, State::Accepted));
                return;
            }
            Call::Replace { record, expected } => {
                self.judge_write(record, *expected);
                self.write = Some((**record).clone());
                format!("write {}", record.state)
            }
            other => other.name().to_owned(),
        };
        let state = self.record.as_ref().expect("nothing but arriving goes without a record").state;
        // A newer lease is merged into a record in any state; the table begins after that.
        let merge = matches!(call, Call::Replace { record, .. } if record.state == state);
        if !merge {
            assert!(documented.contains(&(state, name.clone())), "{name} in {state} is not in the table");
        }
        if documented.contains(&(state, name.clone())) {
            seen.insert((state, name));
        }
        self.judge_call(call);
    }

    fn judge_write(&self, next: &Record, expected: u64) {
        next.check().expect("only valid records are written");
        let stored = self.record.as_ref().expect("a write replaces a record");
        assert_eq!((expected, next.revision), (stored.revision, stored.revision + 1), "OR-REV-STEP");
        assert!(next.updated_at >= stored.updated_at, "OR-TIME-MONO");
        assert_eq!(next.offer.offer_id, stored.offer.offer_id);
        assert_eq!(next.accepted_at, stored.accepted_at);
        let settled =
            [State::StartFailureAcknowledged, State::CompletionAcknowledged, State::RecoveryRequired];
        assert!(!settled.contains(&stored.state) || next.state == stored.state, "OR-STICKY");
        assert!(stored.receipt_metadata().is_none_or(|known| next.receipt_metadata() == Some(known)));
        assert!(stored.executor_handle.is_none() || next.executor_handle == stored.executor_handle);
    }

    fn judge_call(&self, call: &Call) {
        let record = self.record.as_ref().expect("checked by the caller");
        let lease = &record.offer.lease;
        match call {
            Call::Start { spec, .. } => {
                assert!(self.crossed_barrier, "OR-BARRIER");
                assert_eq!(spec, &record.offer.execution_spec);
            }
            Call::AcknowledgeRunning(command) => {
                assert_eq!(Some(&command.executor_handle), record.executor_handle.as_ref(), "OR-ACK-ORDER");
                assert_eq!(command.fence.lease_generation, lease.lease_generation);
            }
            Call::AcknowledgeStarting(fence) => assert_eq!(**fence, Fence::new(&record.offer, lease)),
            Call::FailStart(fence) => assert!(fence.expected_lease_version >= lease.version),
            Call::Track(newest) => assert!(newest.same_authority(lease) && newest.version >= lease.version),
            Call::Prepare(offer) => assert_eq!(**offer, record.offer),
            _ => {}
        }
    }
}

/// Whether `reply` is one to a call of this name.
fn answers(reply: &Reply, call: &str) -> bool {
    match reply {
        Reply::Read(_) => call == "read",
        Reply::Created(_) => call == "create",
        Reply::Replaced(_) => call == "write",
        Reply::Activation(_) => ["acknowledge starting", "acknowledge running", "fail start"].contains(&call),
        Reply::Prepared(_) => call == "prepare",
        Reply::Start(_) => call == "start",
        Reply::Stopped => call == "stop",
        Reply::Lease(_) => call == "find lease",
        Reply::Tracked(_) => call == "track",
        Reply::Untracked => call == "untrack",
    }
}
