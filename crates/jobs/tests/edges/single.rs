use holdover_jobs::rules::{Blocked, Cancel, Charge, Identity, Leftovers};
use holdover_jobs::*;
use holdover_machine::{Span, StoreTime};
use serde_json::json;
use std::sync::Arc;

/// A table with one job, and what can be done with it at any time.
pub(crate) struct Single {
    pub(crate) table: Table,
    spec: Spec,
}

impl Single {
    /// A table that keeps nothing yet.
    pub(crate) fn new(order: Order, timeout: Span) -> Self {
        let input = json!({
            "jobId": "j", "idempotencyKey": "k", "executor": "aider", "instruction": "build",
            "task": { "workspaceRef": { "id": "w" } }, "subject": { "tenantId": "t", "userId": "u" },
            "authorization": { "executionAllowed": true }, "policy": { "sideEffectsAllowed": true },
        });
        let id = JobId::new("j").expect("a safe identifier");
        let request = Request::normalise(&input, &id, &Rules::hardened()).expect("a valid request");
        let decision = Decision::judge(&request, &Registry::worker_queue(["aider"]), true);
        let spec = Spec {
            job_id: id,
            key: Key { scope: None, text: request.key.clone() },
            fingerprint: request.fingerprint().clone(),
            executor: request.executor.clone(),
            attempts_max: u32::MAX,
            cancellation_allowed: true,
            timeout,
            request: Some(request),
            decision,
        };
        Self { table: Table::new(order), spec }
    }

    pub(crate) fn call(&mut self, now: StoreTime, command: Command) -> Reply {
        self.table.execute(now, &Call { stamp: Stamp::Caller(now), command })
    }

    pub(crate) fn create(&mut self, now: StoreTime, limits: Option<AdmissionLimits>) {
        let create = Create {
            spec: Arc::new(self.spec.clone()),
            compare_id: false,
            limits,
            window: Span::from_ms(1_000),
            blocked: Blocked::Parked,
        };
        self.call(now, Command::Create(Box::new(create)));
    }

    /// Whether the job was granted.
    pub(crate) fn claim(&mut self, now: StoreTime, lease: Span) -> bool {
        let claim = Claim {
            worker: "w".into(),
            incarnation: None,
            number: None,
            remember: Span::ZERO,
            take_over: None,
            ask_switch: false,
            held_max: None,
            executors: Arc::new(["aider".into()]),
            token: token(),
            lease,
            charge: Charge::AtClaim,
            leftovers: Leftovers::Kept,
        };
        matches!(self.call(now, Command::Claim(Box::new(claim))), Reply::Claimed(Claimed::Granted(_)))
    }

    /// Carries an operation out, with no guard but that it is the holder's.
    pub(crate) fn operate(&mut self, now: StoreTime, change: Change) {
        let operate = Operate {
            job: self.spec.job_id.clone(),
            holder: Holder { token: token(), attempt: None, incarnation: None },
            guards: Guards::default().then(Guard::Holder(Identity::Token)),
            change,
            announces: false,
        };
        self.call(now, Command::Operate(Box::new(operate)));
    }

    pub(crate) fn recover(&mut self, now: StoreTime, lose: Lose) {
        let (job, token) = (self.spec.job_id.clone(), token());
        self.call(now, Command::Recover(Box::new(Recover { job, token, recheck: false, lose })));
    }

    pub(crate) fn ask_to_cancel(&mut self, now: StoreTime, grace: Span) {
        let (job, reason) = (self.spec.job_id.clone(), "no longer".into());
        let cancel = CancelJob { job, reason, running: Cancel::Request, grace, leftovers: Leftovers::Kept };
        self.call(now, Command::Cancel(cancel));
    }

    pub(crate) fn record(&self) -> &Record {
        self.table.record(&self.spec.job_id).expect("the job was created")
    }
}

fn token() -> LeaseToken {
    LeaseToken::new("token").expect("a safe identifier")
}
