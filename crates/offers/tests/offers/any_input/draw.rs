use super::judge::Judge;
use crate::support::{LEASE_END, TOKEN, acknowledged, handle, lease, offer, prepared, record, session};
use holdover_machine::Secret;
use holdover_offers::*;
use proptest::prelude::*;

const ATTEMPTS: [&str; 2] = ["a", "b"];

/// One input, as numbers that are read against what is outstanding.
#[derive(Debug, Clone)]
pub(super) struct Draw {
    kind: u8,
    attempt: u8,
    choice: u8,
    detail: u8,
    pub(super) clock: i64,
}

pub(super) fn draws() -> impl Strategy<Value = Draw> {
    let clock = prop_oneof![
        12 => 990_000..1_050_000_i64,
        1 => Just(LEASE_END.ms()),
        1 => Just(-1),
        1 => Just(i64::MAX),
    ];
    (any::<u8>(), any::<u8>(), any::<u8>(), any::<u8>(), clock)
        .prop_map(|(kind, attempt, choice, detail, clock)| Draw { kind, attempt, choice, detail, clock })
}

/// What the inputs are made of, built once: offers by attempt and version, records by attempt and state.
pub(super) struct Material {
    offers: Vec<Vec<Offer>>,
    records: Vec<Vec<Record>>,
}

impl Material {
    pub(super) fn new() -> Self {
        let offers = |attempt: &&str| (1..4).map(|version| offer(attempt, version)).collect();
        let records = |attempt: &&str| State::ALL.map(|state| record(offer(attempt, 2), state)).to_vec();
        Self {
            offers: ATTEMPTS.iter().map(offers).collect(),
            records: ATTEMPTS.iter().map(records).collect(),
        }
    }
}

impl Draw {
    pub(super) fn restarts(&self) -> bool {
        self.kind == 255
    }

    /// Of eight inputs one is a delivery, one a reply of any kind, the others answer what is outstanding.
    pub(super) fn input(&self, material: &Material, judge: &Judge<'_>, delivery: DeliveryId) -> Input {
        let attempt = usize::from(self.attempt) % ATTEMPTS.len();
        let offer_id = material.offers[attempt][0].offer_id;
        match self.kind {
            0..8 => Input::Session(self.session()),
            8..40 => Input::Deliver { delivery, offer: Box::new(self.offer(material, attempt)) },
            40..72 => Input::Reply { offer_id, reply: self.reply(self.any_call(), material, attempt) },
            _ => match judge.outstanding(offer_id) {
                None => Input::Deliver { delivery, offer: Box::new(self.offer(material, attempt)) },
                Some(call) => Input::Reply { offer_id, reply: self.reply(call, material, attempt) },
            },
        }
    }

    fn any_call(&self) -> &'static str {
        const CALLS: [&str; 10] = [
            "read",
            "create",
            "write",
            "fail start",
            "prepare",
            "start",
            "stop",
            "find lease",
            "track",
            "untrack",
        ];
        CALLS[usize::from(self.choice) % CALLS.len()]
    }

    fn session(&self) -> Option<Box<Session>> {
        let mut session = session();
        match self.choice {
            0..16 => return None,
            16..32 => session.generation = 6,
            32..48 => session.status = SessionStatus::Draining,
            48..64 => session.capabilities.executors.clear(),
            _ => {}
        }
        Some(Box::new(session))
    }

    /// An offer, one of eight with something wrong.
    fn offer(&self, material: &Material, attempt: usize) -> Offer {
        let mut offer = material.offers[attempt][usize::from(self.detail) % 3].clone();
        match self.choice {
            0..8 => offer.lease.expires_at = LEASE_END,
            8..16 => offer.lease.lease_token = Secret::new("another-token-0123456789abcdefghijklm".into()),
            16..20 => offer.candidate.priority = 3,
            20..24 => offer.lease.version = u64::MAX,
            24..28 => offer.candidate.queued_at = self.bad_time(),
            28..32 => offer.placement_score = Some(PlacementScore(f64::NAN)),
            32..48 => offer.delivery_kind = DeliveryKind::LeaseRecovery,
            _ => {}
        }
        offer
    }

    fn bad_time(&self) -> holdover_machine::Timestamp {
        holdover_machine::Timestamp::from_ms(if self.detail.is_multiple_of(2) { -1 } else { i64::MAX })
    }

    fn reply(&self, call: &str, material: &Material, attempt: usize) -> Reply {
        match call {
            "read" => Reply::Read(self.record(material, attempt)),
            "create" => Reply::Created(self.fallible(Created::Exists)),
            "write" => Reply::Replaced(self.fallible(())),
            "acknowledge starting" | "acknowledge running" | "fail start" => {
                self.activation(ATTEMPTS[attempt])
            }
            "prepare" => match self.choice {
                0..32 => Reply::Prepared(None),
                32..48 => prepared("weak"),
                _ => prepared(TOKEN),
            },
            "start" => Reply::Start(self.start(ATTEMPTS[attempt])),
            "stop" => Reply::Stopped,
            "find lease" => Reply::Lease(self.tracked(ATTEMPTS[attempt])),
            "track" => Reply::Tracked(if self.choice < 16 { Err(Refusal::Concurrency) } else { Ok(()) }),
            _ => Reply::Untracked,
        }
    }

    fn fallible<T>(&self, value: T) -> Result<T, JournalError> {
        match self.choice {
            0..8 => Err(JournalError::Io),
            8..16 => Err(JournalError::Revision),
            _ => Ok(value),
        }
    }

    /// Any record or none; one of eight breaks a rule or belongs to another offer.
    fn record(&self, material: &Material, attempt: usize) -> Result<Option<Box<Record>>, JournalError> {
        let state = usize::from(self.detail) % State::ALL.len();
        let mut record = material.records[attempt][state].clone();
        match self.choice {
            0..8 => return Err(JournalError::Io),
            8..96 => return Ok(None),
            96..100 => record.revision = u64::MAX,
            100..104 => record.updated_at = self.bad_time(),
            104..108 => record.executor_handle = Some("".into()),
            108..112 => record.recovery_reason = None,
            112..116 => record = material.records[(attempt + 1) % ATTEMPTS.len()][state].clone(),
            116..120 => record.offer.lease.version = 0,
            _ => {}
        }
        Ok(Some(Box::new(record)))
    }

    fn activation(&self, attempt: &str) -> Reply {
        let mut lease = lease(attempt, u64::from(self.detail % 5));
        match self.detail {
            0..8 => lease.status = LeaseStatus::Released,
            8..16 => lease.lease_generation = 9,
            16..24 => lease.lease_token = Secret::new("another-token-0123456789abcdefghijklm".into()),
            _ => {}
        }
        let status = match self.choice {
            0..32 => return Reply::Activation(Activation::Rejected(FenceReason::VersionMismatch)),
            32..40 => return Reply::Activation(Activation::Rejected(FenceReason::LeaseExpired)),
            40..48 => return Reply::Activation(Activation::Failed(Secret::new("text".into()))),
            48..56 => return Reply::Activation(Activation::Unknown(Secret::new("text".into()))),
            56..64 => ActivationStatus::AlreadyStarting,
            64..80 => ActivationStatus::AlreadyRunning,
            80..96 => ActivationStatus::AlreadyTerminal,
            _ => ActivationStatus::Applied,
        };
        acknowledged(status, lease)
    }

    fn start(&self, attempt: &str) -> Start {
        let mut handle = handle(attempt);
        match self.choice {
            0..16 => return Start::Failed,
            16..32 => return Start::Unknown,
            32..48 => handle.run_id = "another".into(),
            48..56 => handle.started_at = self.bad_time(),
            56..64 => handle.durable_handle = Some("\n".into()),
            _ => {}
        }
        Start::Started(Box::new(handle))
    }

    fn tracked(&self, attempt: &str) -> Option<Box<Lease>> {
        let mut tracked = lease(attempt, u64::from(self.detail % 5));
        match self.choice {
            0..128 => return None,
            128..144 => tracked.worker_generation = 6,
            144..152 => tracked.expires_at = self.bad_time(),
            _ => {}
        }
        Some(Box::new(tracked))
    }
}
