use super::{
    error::error,
    input::{offer, read, record, time},
    script::{Change, Scripts},
    world::World,
};
use crate::FormatError;
use holdover_machine::drive;
use holdover_offers::{Config, DeliveryId, Input, OfferError, OfferId, Received, Receiver, Rules, Text};
use serde::Deserialize;
use serde_json::{Value, json};

/// One file.
#[derive(Deserialize)]
pub(super) struct Scenario {
    #[serde(flatten)]
    pub(super) start: Start,
    pub(super) steps: Vec<Step>,
    pub(super) expect: Value,
}

/// What there is before the first step.
#[derive(Deserialize)]
pub(super) struct Start {
    pub(super) clock_ms: Value,
    pub(super) session: Value,
    #[serde(default)]
    pub(super) config: Settings,
    #[serde(default)]
    pub(super) journal: Vec<Value>,
    #[serde(default)]
    pub(super) tracked: Vec<Value>,
    #[serde(default)]
    pub(super) ports: Scripts,
}

#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Settings {
    activation_retries: u32,
    accepted_executor_types: Vec<Text>,
    executor_type: Text,
    journal_capacity: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            activation_retries: 2,
            accepted_executor_types: vec!["remote_worker".into()],
            executor_type: "local_process".into(),
            journal_capacity: holdover_offers::CAPACITY_DEFAULT,
        }
    }
}

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Step {
    Receive { id: String, offer: Value },
    Release { gate: String },
    Effects { effects: Vec<Change> },
    Restart {},
}

impl Scenario {
    pub(super) fn read(file: &Value) -> Result<Self, FormatError> {
        read("$", file)
    }
}

/// A receiver, the world around it, and what became of each delivery.
pub(super) struct Run {
    config: Config,
    receiver: Receiver,
    world: World,
    deliveries: Vec<Delivery>,
}

struct Delivery {
    id: String,
    offer_id: Option<OfferId>,
    coalesced_with: Option<String>,
    outcome: Outcome,
}

enum Outcome {
    Pending,
    Abandoned,
    /// The offer does not even have the members and types of one, so that no receiver ever saw it.
    Unreadable,
    Done(Result<Received, OfferError>),
}

impl Run {
    pub(super) fn new(start: Start) -> Result<Self, FormatError> {
        let settings = start.config;
        let executor_type = settings.executor_type.clone();
        let config = Config::new(
            settings.activation_retries,
            settings.accepted_executor_types,
            settings.executor_type,
        )
        .map_err(|invalid| FormatError::malformed("$.config", invalid.to_string()))?;
        let mut world =
            World::new(time(&start.clock_ms), executor_type, settings.journal_capacity, start.ports);
        world.set_session(read("$.session", &start.session)?);
        for value in &start.journal {
            world.restore(record("$.journal", value)?);
        }
        for value in &start.tracked {
            world.track(read("$.tracked", value)?);
        }
        let receiver = Receiver::new(config.clone(), Rules::original());
        Ok(Self { config, receiver, world, deliveries: Vec::new() })
    }

    pub(super) fn step(&mut self, at: &str, step: Step) -> Result<(), FormatError> {
        match step {
            Step::Receive { id, offer } => self.receive(id, &offer),
            Step::Release { gate } => self.world.release(&gate),
            Step::Effects { effects } => self.world.apply(&effects),
            Step::Restart {} => self.restart(),
        }
        self.drive();
        self.world.malformed.take().map_or(Ok(()), |what| Err(FormatError::malformed(at, what)))
    }

    fn receive(&mut self, id: String, value: &Value) {
        let delivery = DeliveryId(self.deliveries.len() as u64);
        let mut received = Delivery { id, offer_id: None, coalesced_with: None, outcome: Outcome::Pending };
        match offer(value) {
            None => received.outcome = Outcome::Unreadable,
            Some(offer) => {
                received.offer_id = Some(offer.offer_id);
                let leading = self.receiver.leading(offer.offer_id);
                received.coalesced_with =
                    leading.map(|leading| self.deliveries[leading.0 as usize].id.clone());
                self.world.given(&offer.lease);
                self.world.inputs.push_back(Input::Deliver { delivery, offer: Box::new(offer) });
            }
        }
        self.deliveries.push(received);
        self.drive();
        if let Some(answered) =
            self.deliveries.last_mut().filter(|last| !matches!(last.outcome, Outcome::Pending))
        {
            answered.coalesced_with = None;
        }
    }

    fn drive(&mut self) {
        drive(&mut self.receiver, &mut self.world);
        for (delivery, result) in self.world.answers.drain(..) {
            self.deliveries[delivery.0 as usize].outcome = Outcome::Done(result);
        }
    }

    /// The process dies and another is built on the same journal.
    fn restart(&mut self) {
        self.receiver = Receiver::new(self.config.clone(), Rules::original());
        self.world.restart();
        let pending = |delivery: &&mut Delivery| matches!(delivery.outcome, Outcome::Pending);
        self.deliveries.iter_mut().filter(pending).for_each(|delivery| delivery.outcome = Outcome::Abandoned);
    }

    /// What the file's member `expect` is compared with.
    pub(super) fn outcome(self) -> Value {
        let results: Vec<Value> = self.deliveries.into_iter().map(Delivery::written).collect();
        let mut outcome = self.world.outcome();
        outcome["results"] = json!(results);
        outcome
    }
}

impl Delivery {
    fn written(self) -> Value {
        let mut written = json!({ "id": self.id });
        match &self.outcome {
            Outcome::Pending => written["pending"] = json!(true),
            Outcome::Abandoned => written["abandoned"] = json!(true),
            Outcome::Unreadable => written["error"] = json!({ "class": "invalid" }),
            Outcome::Done(Err(failed)) => written["error"] = error(failed),
            Outcome::Done(Ok(received)) => {
                let mut ok = json!({ "status": received.status(), "offerId": self.offer_id });
                match received {
                    Received::Running { executor_handle } | Received::AlreadyRunning { executor_handle } => {
                        ok["executorHandle"] = json!(executor_handle);
                    }
                    Received::RecoveryRequired { reason } => ok["reason"] = json!(reason),
                    _ => {}
                }
                written["ok"] = ok;
            }
        }
        if let Some(leading) = self.coalesced_with {
            written["coalesced_with"] = json!(leading);
        }
        written
    }
}
