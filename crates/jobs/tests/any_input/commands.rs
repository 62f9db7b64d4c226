use crate::runner;
use holdover_jobs::rules::{Blocked, Cancel, Charge, Floor, Identity, Leftovers, Renew, Renewals, Requeue};
use holdover_jobs::rules::{RetryDelay, Timeout};
use holdover_jobs::*;
use holdover_machine::{Span, StoreTime};
use proptest::{collection::vec, prelude::*};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One command, as numbers that are read against what is stored.
#[derive(Debug, Clone)]
struct Draw {
    kind: u8,
    job: u8,
    worker: u8,
    detail: u8,
    right_token: bool,
    clock: i64,
    span: i64,
}

fn draws() -> impl Strategy<Value = Draw> {
    let edges = vec![i64::MIN, -1, 0, i64::MAX];
    let clock = prop_oneof![12 => 0..60_000_i64, 1 => prop::sample::select(edges.clone())];
    let span = prop_oneof![12 => 1..10_000_i64, 1 => prop::sample::select(edges)];
    (any::<u8>(), 0..8_u8, 0..4_u8, any::<u8>(), prop::bool::weighted(0.9), clock, span).prop_map(
        |(kind, job, worker, detail, right_token, clock, span)| Draw {
            kind,
            job,
            worker,
            detail,
            right_token,
            clock,
            span,
        },
    )
}

impl Draw {
    fn flag(&self, bit: u8) -> bool {
        self.detail >> bit & 1 == 1
    }

    fn span(&self) -> Span {
        Span::from_ms(self.span)
    }

    fn id(&self) -> JobId {
        JobId::new(&format!("j{}", self.job)).expect("a safe identifier")
    }

    fn charge(&self) -> Charge {
        if self.flag(0) { Charge::AtStart } else { Charge::AtClaim }
    }

    fn leftovers(&self) -> Leftovers {
        if self.flag(1) { Leftovers::Cleared } else { Leftovers::Kept }
    }

    fn lose(&self) -> Lose {
        Lose {
            requeue: if self.flag(2) { Requeue::BackOff } else { Requeue::AtOnce },
            charge: self.charge(),
            back_off: self.span(),
            back_off_max: Span::from_ms(4_000),
            unstarted_max: u32::from(self.detail % 4),
            grace: Span::from_ms(i64::from(self.detail % 3)),
        }
    }

    /// A stamp of every kind; within one table the same, as one variant would send it.
    fn call(&self, table: &Table, stamp: u8) -> Call {
        let stamp = match stamp {
            0 => Stamp::Caller(StoreTime::from_ms(self.clock)),
            1 => Stamp::Store(Floor::Absent),
            _ => Stamp::Store(Floor::Held),
        };
        Call { stamp, command: self.command(table) }
    }

    fn command(&self, table: &Table) -> Command {
        match self.kind % 32 {
            0..=6 => self.create(),
            7..=13 => self.claim(),
            14..=23 => self.operate(table),
            24..=25 => Command::Recover(Box::new(Recover {
                job: self.id(),
                token: self.token(table),
                recheck: self.flag(3),
                lose: self.lose(),
            })),
            26..=27 => Command::Cancel(CancelJob {
                job: self.id(),
                reason: "no longer".into(),
                running: if self.flag(3) { Cancel::Request } else { Cancel::Flip },
                grace: Span::ZERO,
                leftovers: self.leftovers(),
            }),
            28 => Command::Switch { open: self.flag(4) || self.flag(5) },
            29 => Command::Workers { stale_after: self.span() },
            30 => Command::ListExpired(ListExpired { limit: u32::from(self.detail), grace: self.span() }),
            _ => Command::QueueStats,
        }
    }

    fn create(&self) -> Command {
        let input = json!({
            "jobId": self.id().as_str(), "idempotencyKey": format!("k{}", self.job), "instruction": "x",
            "executor": if self.job % 4 == 3 { "goosed" } else { "aider" },
            "task": { "workspaceRef": { "id": "w" } },
            "subject": { "tenantId": format!("t{}", self.job % 2) },
            "authorization": { "executionAllowed": true }, "policy": { "sideEffectsAllowed": true },
            "controls": { "maxAttempts": 1 + self.job % 3, "timeoutMs": 6_000 },
        });
        let request = Request::normalise(&input, &self.id(), &Rules::hardened()).expect("a valid request");
        let registry = Registry::worker_queue(["aider", "goosed"]);
        let decision = Decision::judge(&request, &registry, self.flag(6) || self.flag(7));
        let spec = Spec {
            job_id: request.job_id.clone(),
            key: Key { scope: request.tenant.clone(), text: request.key.clone() },
            fingerprint: request.fingerprint().clone(),
            executor: request.executor.clone(),
            attempts_max: request.attempts_max,
            cancellation_allowed: request.cancellation_allowed,
            timeout: request.timeout,
            request: decision.dispatch_allowed.then(|| Arc::clone(&request)),
            decision,
        };
        let limits = AdmissionLimits { tenant_active_max: Some(3), ..AdmissionLimits::default() };
        Command::Create(Box::new(Create {
            spec: Arc::new(spec),
            compare_id: self.flag(3),
            limits: self.flag(4).then_some(limits),
            window: self.span(),
            blocked: if self.flag(5) { Blocked::Parked } else { Blocked::Final },
        }))
    }

    fn claim(&self) -> Command {
        Command::Claim(Box::new(Claim {
            worker: format!("w{}", self.worker).into(),
            incarnation: self.flag(6).then_some(Incarnation(u64::from(self.worker))),
            number: self.flag(7).then_some(u64::from(self.detail % 16)),
            remember: Span::from_ms(10_000),
            take_over: self.flag(3).then(|| (2, self.lose())),
            ask_switch: self.flag(4),
            held_max: self.flag(5).then_some(2),
            executors: Arc::new(["aider".into(), "goosed".into()]),
            token: LeaseToken::new(&format!("l{}-{}", self.kind, self.detail)).expect("a safe identifier"),
            lease: self.span(),
            charge: self.charge(),
            leftovers: self.leftovers(),
        }))
    }

    /// The token of the lease, or of the last one, or a guess.
    fn token(&self, table: &Table) -> LeaseToken {
        let record = table.record(&self.id()).filter(|_| self.right_token);
        let held = record.and_then(|record| record.lease.as_ref()).map(|lease| &lease.token);
        let past = record.and_then(|record| record.past.last()).map(|past| &past.token);
        let guess = || LeaseToken::new("guess").expect("a safe identifier");
        held.or(past).cloned().unwrap_or_else(guess)
    }

    fn operate(&self, table: &Table) -> Command {
        let timeout = if self.flag(3) { Timeout::Enforced } else { Timeout::Recorded };
        let (change, statuses) = match self.kind % 8 {
            0..=2 => (Change::Start { charge: self.charge(), timeout }, StatusSet::of(&[Status::Leased])),
            3 => (self.heartbeat(timeout), StatusSet::HELD),
            4 => {
                let (kind, data) = ("executor_job_progress".into(), Arc::new(Value::Null));
                (Change::Progress { kind, data }, StatusSet::of(&[Status::Running]))
            }
            5 => {
                let result = Arc::new(JobResult::read(None).expect("an empty result"));
                (Change::Complete { result, leftovers: self.leftovers() }, StatusSet::HELD)
            }
            6 => (self.fail(), StatusSet::HELD),
            _ => (Change::Acknowledge, StatusSet::HELD),
        };
        let acknowledges = change == Change::Acknowledge;
        let guards = Guards::default()
            .then_if(self.flag(4), Guard::Replay(Identity::Attempt))
            .then(Guard::Holder(Identity::Attempt))
            .then_if(self.flag(5), Guard::Unexpired)
            .then(Guard::Status(statuses))
            .then_if(acknowledges, Guard::CancelRequested);
        let holder = Holder { token: self.token(table), attempt: None, incarnation: None };
        Command::Operate(Box::new(Operate {
            job: self.id(),
            holder,
            guards,
            change,
            announces: self.flag(6),
        }))
    }

    fn heartbeat(&self, timeout: Timeout) -> Change {
        Change::Heartbeat {
            lease: self.span(),
            renew: if self.flag(0) { Renew::Extend } else { Renew::Overwrite },
            timeout,
            cancel_grace: Span::from_ms(3_000),
            renewals: if self.flag(1) { Renewals::Logged } else { Renewals::Silent },
        }
    }

    fn fail(&self) -> Change {
        let error = json!({ "code": "BROKE", "retryable": !self.flag(7) });
        Change::Fail {
            error: Arc::new(JobError::read(Some(&error)).expect("a valid error")),
            delay: self.span(),
            retry_delay: if self.flag(0) { RetryDelay::Bounded } else { RetryDelay::Worker },
            lose: self.lose(),
        }
    }
}

/// What must be true of a table after any command: whatever is derived is what a recount gives.
fn check(table: &mut Table, now: StoreTime) -> Result<(), TestCaseError> {
    let mut counts = [0; Status::ALL.len()];
    let (mut claimable, mut expired) = (0, 0);
    let mut active: BTreeMap<Text, u64> = BTreeMap::new();
    for (number, record) in table.records().enumerate() {
        counts[record.status as usize] += 1;
        let due = record.next_attempt_at.is_some_and(|at| at <= now);
        claimable += u64::from(record.status == Status::Queued || record.status == Status::Retryable && due);
        expired += u64::from(record.lease.as_ref().is_some_and(|lease| lease.expires_at <= now));
        if let (Some(tenant), true) = (record.tenant(), record.status.is_active()) {
            *active.entry(tenant.clone()).or_default() += 1;
        }
        prop_assert_eq!(record.number as usize, number);
        prop_assert_eq!(record.lease.is_some(), record.status.is_held(), "a lease exactly when it is held");
        prop_assert!(!record.status.is_final() || record.completed_at.is_some(), "an end has its time");
        let grants = record.past.len() + usize::from(record.lease.is_some());
        prop_assert_eq!(record.attempts as usize, grants, "every grant is held or past");
        let log = table.events(record.id());
        prop_assert!(log.iter().zip(1..).all(|(event, sequence)| event.sequence == sequence));
    }
    let call = |command| Call { stamp: Stamp::Caller(now), command };
    let stats = QueueStats { counts, claimable, expired };
    prop_assert_eq!(table.execute(now, &call(Command::QueueStats)), Reply::QueueStats(stats));
    for tenant in ["t0", "t1"] {
        let subject = Subject { tenant: Some(tenant.into()), user: None };
        let counts = Command::AdmissionCounts { subject, window: Span::ZERO };
        let Reply::AdmissionCounts(counts) = table.execute(now, &call(counts)) else {
            return Err(TestCaseError::fail("another reply"));
        };
        prop_assert_eq!(counts.tenant_active, active.get(tenant).copied().unwrap_or(0));
    }
    let all = ListExpired { limit: u32::MAX, grace: Span::ZERO };
    let Reply::Expired(list) = table.execute(now, &call(Command::ListExpired(all))) else {
        return Err(TestCaseError::fail("another reply"));
    };
    prop_assert_eq!(list.len() as u64, expired);
    Ok(())
}

/// Any commands in any order and at any time, under each order and each clock, leave indexes, counters, leases and
/// logs as a recount gives them; and a call changes only what its feed says.
#[test]
fn any_commands_keep_a_table_consistent() {
    let orders = prop::sample::select(vec![Order::Created, Order::Fifo, Order::TenantRing]);
    let reached = std::cell::RefCell::new([0_u32; Status::ALL.len()]);
    let verdict = runner(600).run(&(orders, 0..3_u8, vec(draws(), 1..120)), |(order, stamp, draws)| {
        let mut table = Table::new(order).watched();
        for draw in &draws {
            let before: Vec<Arc<Record>> = table.records().cloned().collect();
            let call = draw.call(&table, stamp);
            table.execute(StoreTime::from_ms(draw.clock), &call);
            for (old, new) in before.iter().zip(table.records()) {
                let told = table.touched().iter().any(|touched| touched.number == old.number);
                prop_assert!(told || old == new, "{:?} changed {} silently", call, old.id());
            }
            let now = table.judged_at();
            check(&mut table, now)?;
        }
        table.records().for_each(|record| reached.borrow_mut()[record.status as usize] += 1);
        Ok(())
    });
    verdict.expect("every table is consistent");
    assert!(reached.into_inner().iter().all(|count| *count > 0), "some status was never reached");
}
