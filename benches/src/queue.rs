use holdover_jobs::{
    AdmissionLimits, AdmissionPolicy, Announcement, Call, ClaimRequest, Claimed, Command, Health, Holder,
    Incarnation, JobId, JobResult, LeaseOperation, LeaseRequest, LeaseToken, Operated, Policy, Registry,
    Reply, Request, Rules, Service, ServiceEffect, ServiceInput, ServiceRequest, Settings, Table, Text,
};
use holdover_machine::{Machine, Outcome, Span, StoreTime, Timestamp};
use serde_json::json;
use std::sync::Arc;

/// Jobs belong to so many tenants, each with as many users.
const TENANTS: u64 = 100;
/// So many worker processes claim in turn.
const WORKERS: u64 = 64;
const LEASE: Span = Span::from_ms(60_000);

/// A table with a number of queued jobs under the hardened rules, and the calls that a service makes of the
/// requests of clients and workers. Calls are made ahead, so that only the table is measured.
#[derive(Debug)]
pub struct Queue {
    table: Table,
    service: Service,
    result: Arc<JobResult>,
    executors: Arc<[Text]>,
    clock: StoreTime,
    created: u64,
    claimed: u64,
}

/// The calls of one attempt.
#[derive(Debug)]
pub struct Turn {
    /// A worker claims the job,
    pub claim: Call,
    /// starts it,
    pub start: Call,
    /// and completes it.
    pub complete: Call,
}

impl Queue {
    /// A queue of so many jobs.
    pub fn of(jobs: u64) -> Self {
        let settings = Settings {
            execution_enabled: true,
            registry: Arc::new(Registry::worker_queue(["aider", "goosed"])),
            admission: AdmissionPolicy::Limits(AdmissionLimits {
                tenant_active_max: Some(u64::MAX),
                ..AdmissionLimits::default()
            }),
            // A job that is recovered again and again stays in the queue.
            unstarted_max: u32::MAX,
            ..Settings::default()
        };
        let rules = Rules::named("hardened").expect("the default variant");
        let policy = Arc::new(Policy { rules, settings });
        let mut queue = Self {
            table: Table::new(policy.order()),
            service: Service::new(policy),
            result: Arc::new(JobResult::read(None).expect("an empty result")),
            executors: ["aider".into(), "goosed".into()].into(),
            clock: StoreTime::from_ms(1_000_000),
            created: 0,
            claimed: 0,
        };
        for _ in 0..jobs {
            queue.refill();
        }
        queue
    }

    /// One more job.
    pub fn refill(&mut self) {
        let call = self.create();
        self.execute(&call);
    }

    /// The call that creates the next job.
    pub fn create(&mut self) -> Call {
        let number = self.created;
        self.created += 1;
        let (tenant, user) = (number % TENANTS, number / TENANTS % TENANTS);
        let input = json!({
            "jobId": format!("job-{number}"),
            "idempotencyKey": format!("key-{number}"),
            "executor": self.executors[(number % 2) as usize],
            "task": { "instruction": "build it", "workspaceRef": { "id": "w" } },
            "subject": { "tenantId": format!("tenant-{tenant}"), "userId": format!("user-{tenant}-{user}") },
            "authorization": { "executionAllowed": true },
            "policy": { "sideEffectsAllowed": true },
            "controls": { "timeoutMs": 3_600_000 },
        });
        let rules = self.service.policy().rules;
        let request = Request::normalise(&input, &job(number), &rules).expect("a request as it should be");
        self.call(ServiceRequest::Create(request))
    }

    /// The call by which the next worker claims.
    pub fn claim(&mut self) -> Call {
        let number = self.claimed;
        self.claimed += 1;
        let worker: Text = format!("worker-{}", number % WORKERS).into();
        let health =
            self.executors.iter().map(|executor| Health { executor: executor.clone(), ok: true, code: None });
        let announcement = Announcement { worker: worker.clone(), health: health.collect(), draining: false };
        self.call(ServiceRequest::Claim(Box::new(ClaimRequest {
            worker,
            incarnation: Some(Incarnation(number % WORKERS)),
            number: Some(number / WORKERS + 1),
            held_max: Some(u32::MAX),
            executors: Arc::clone(&self.executors),
            announcement,
            lease: LEASE,
            token: token(number),
            echo: None,
        })))
    }

    /// The next attempt. Jobs are handed out in the order of their creation, so it is known whose it will be.
    pub fn turn(&mut self) -> Turn {
        let number = self.claimed;
        let claim = self.claim();
        let complete = LeaseOperation::Complete { result: Arc::clone(&self.result) };
        Turn {
            claim,
            start: self.lease(number, LeaseOperation::Start),
            complete: self.lease(number, complete),
        }
    }

    /// Claims and starts a job, and answers the call that keeps its lease.
    pub fn hold(&mut self) -> Call {
        let number = self.claimed;
        let claim = self.claim();
        self.execute(&claim);
        let start = self.lease(number, LeaseOperation::Start);
        self.execute(&start);
        self.lease(number, LeaseOperation::Heartbeat { lease: LEASE })
    }

    /// Claims a job, and answers the call that takes the lease away once it is over.
    pub fn abandon(&mut self) -> Call {
        let claim = self.claim();
        let Reply::Claimed(Claimed::Granted(grant)) = self.table.execute(self.clock, &claim) else {
            panic!("the queue has a job for every claim")
        };
        let listed = Outcome::Ok(Reply::Expired(vec![grant.record]));
        self.service_says(ServiceInput::Request(0, ServiceRequest::Recover { limit: 1 }));
        self.service_says(ServiceInput::Stored(0, listed))
    }

    /// Time passes.
    pub fn advance(&mut self, span: Span) {
        self.clock = self.clock + span;
    }

    /// Time passes until every lease is over and every back-off too.
    pub fn outlast(&mut self) {
        self.advance(LEASE.times(60));
    }

    /// Carries a call out, and makes sure that it does what it should.
    pub fn execute(&mut self, call: &Call) {
        let reply = self.table.execute(self.clock, call);
        let carried_out = matches!(
            reply,
            Reply::Created(_)
                | Reply::Claimed(Claimed::Granted(_))
                | Reply::Operated(Operated::Applied { replayed: false, .. })
        );
        assert!(carried_out, "{call:?} was answered {reply:?}");
    }

    /// Carries an attempt out.
    pub fn take(&mut self, turn: &Turn) {
        for call in [&turn.claim, &turn.start, &turn.complete] {
            self.execute(call);
        }
    }

    fn lease(&mut self, number: u64, operation: LeaseOperation) -> Call {
        let incarnation = Some(Incarnation(number % WORKERS));
        let holder = Holder { token: token(number), attempt: Some(1), incarnation };
        self.call(ServiceRequest::Lease(Box::new(LeaseRequest {
            job: job(number),
            holder,
            operation,
            echo: None,
        })))
    }

    /// The call that a service makes of a request; that a worker is there is told the table at once.
    fn call(&mut self, request: ServiceRequest) -> Call {
        let call = self.service_says(ServiceInput::Request(0, request));
        if !matches!(call.command, Command::Announce(_)) {
            return call;
        }
        let reply = self.table.execute(self.clock, &call);
        self.service_says(ServiceInput::Stored(0, Outcome::Ok(reply)))
    }

    fn service_says(&mut self, input: ServiceInput) -> Call {
        let mut effects = Vec::with_capacity(1);
        self.service.handle(Timestamp::from_ms(self.clock.ms()), input, &mut effects);
        match effects.pop() {
            Some(ServiceEffect::Store(_, call)) => call,
            other => panic!("a service asks the store, not {other:?}"),
        }
    }
}

fn job(number: u64) -> JobId {
    JobId::new(&format!("job-{number}")).expect("a safe identifier")
}

fn token(number: u64) -> LeaseToken {
    LeaseToken::new(&format!("lease-{number}")).expect("a safe identifier")
}
