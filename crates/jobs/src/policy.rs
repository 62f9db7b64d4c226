//! Rules and settings made into commands: the one place where each store rule is asked.

use crate::rules::{
    Capacity, Charge, ClaimGate, ClaimRepeat, Clock, Expiry, GuardOrder, KeyScope, NamedId, Presence,
    Recheck, Replay, Settle, TakeOver,
};
use crate::{
    Action, Call, CancelJob, Change, Claim, ClaimRequest, Command, Create, Decision, Guard, Guards, JobId,
    Key, LeaseOperation, LeaseRequest, ListExpired, Lose, Operate, Order, Recover, Request, Rules, Settings,
    Spec, Stamp, Status, StatusSet, rules, text::Text,
};
use crate::{AdmissionLimits, AdmissionPolicy, LeaseToken};
use holdover_machine::{StoreTime, Timestamp};
use std::sync::Arc;

/// The rules of a variant with the settings of a service.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    /// The rules.
    pub rules: Rules,
    /// The settings.
    pub settings: Settings,
}

impl Policy {
    /// The order in which a store under these rules hands jobs out, where no ring is asked for.
    pub fn order(&self) -> Order {
        self.rules.order()
    }

    /// The command with the stamp that the rules ask for.
    pub(crate) fn call(&self, now: Timestamp, command: Command) -> Call {
        let stamp = match self.rules.clock {
            Clock::Caller => Stamp::Caller(StoreTime::from_ms(now.ms())),
            Clock::Store => Stamp::Store(self.rules.floor),
        };
        Call { stamp, command }
    }

    pub(crate) fn key(&self, request: &Request) -> Key {
        let scope = match self.rules.key_scope {
            KeyScope::Global => None,
            KeyScope::Tenant => request.tenant.clone(),
        };
        Key { scope, text: request.key.clone() }
    }

    pub(crate) fn decide(&self, request: &Request) -> Decision {
        Decision::judge(request, &self.settings.registry, self.settings.execution_enabled)
    }

    /// The limits that a policy of ours judges by, unless it is somebody else's.
    pub(crate) fn limits(&self) -> Option<AdmissionLimits> {
        match self.settings.admission {
            AdmissionPolicy::Limits(limits) => Some(limits),
            AdmissionPolicy::Open | AdmissionPolicy::Asked => None,
        }
    }

    pub(crate) fn create(&self, request: &Arc<Request>, decision: Decision) -> Command {
        let limits = match self.rules.admission {
            rules::Admission::InCreate => self.limits(),
            rules::Admission::Before => None,
        };
        Command::Create(Box::new(Create {
            spec: Arc::new(Spec::new(request, self.key(request), decision)),
            compare_id: self.rules.named_id == NamedId::Compared && request.job_id_given,
            limits,
            window: self.settings.admission_window,
            blocked: self.rules.blocked,
        }))
    }

    pub(crate) fn claim(&self, request: &ClaimRequest) -> Command {
        let numbered = self.rules.claim_repeat == ClaimRepeat::Numbered;
        let takes_over = self.rules.take_over == TakeOver::Due;
        Command::Claim(Box::new(Claim {
            worker: request.worker.clone(),
            incarnation: request.incarnation,
            number: request.number.filter(|_| numbered),
            remember: self.settings.claim_memory,
            take_over: takes_over.then(|| (self.settings.take_over_max, self.lose())),
            ask_switch: self.rules.claim_gate == ClaimGate::Asked,
            held_max: request.held_max.filter(|_| self.rules.capacity == Capacity::Declared),
            executors: Arc::clone(&request.executors),
            token: request.token.clone(),
            lease: request.lease,
            charge: self.rules.charge,
            leftovers: self.rules.leftovers,
        }))
    }

    pub(crate) fn operate(&self, request: &LeaseRequest) -> Command {
        let rules = &self.rules;
        let change = match &request.operation {
            LeaseOperation::Start => Change::Start { charge: rules.charge, timeout: rules.timeout },
            LeaseOperation::Heartbeat { lease } => Change::Heartbeat {
                lease: *lease,
                renew: rules.renew,
                timeout: rules.timeout,
                cancel_grace: self.settings.cancel_grace,
                renewals: rules.renewals,
            },
            LeaseOperation::Progress { kind, data } => {
                Change::Progress { kind: kind.clone(), data: Arc::clone(data) }
            }
            LeaseOperation::Complete { result } => {
                Change::Complete { result: Arc::clone(result), leftovers: rules.leftovers }
            }
            LeaseOperation::Fail { error, delay } => Change::Fail {
                error: Arc::clone(error),
                delay: *delay,
                retry_delay: rules.retry_delay,
                lose: self.lose(),
            },
            LeaseOperation::Acknowledge => Change::Acknowledge,
        };
        let action = change.action();
        Command::Operate(Box::new(Operate {
            job: request.job.clone(),
            holder: request.holder.clone(),
            guards: self.guards(action),
            change,
            announces: action == Action::Heartbeat && rules.presence == Presence::Heartbeats,
        }))
    }

    /// The guards of an operation. Replay comes first, because a repeat finds the lease gone and the status
    /// moved on; the lease comes before the status, so that a lost lease has one code and a stranger learns
    /// nothing.
    fn guards(&self, action: Action) -> Guards {
        let rules = &self.rules;
        let expiry = if action == Action::Heartbeat { rules.renew_expiry } else { rules.expiry };
        let repeats = rules.replay == Replay::Answered && !matches!(action, Action::Progress);
        let status = Guard::Status(self.statuses(action));
        let status_first = rules.guard_order == GuardOrder::StatusFirst;
        Guards::default()
            .then_if(repeats, Guard::Replay(rules.identity))
            .then_if(status_first, status)
            .then(Guard::Holder(rules.identity))
            .then_if(expiry == Expiry::Checked, Guard::Unexpired)
            .then_if(!status_first, status)
            .then_if(action == Action::Acknowledge, Guard::CancelRequested)
    }

    fn statuses(&self, action: Action) -> StatusSet {
        match (action, self.rules.settle) {
            (Action::Start, _) => StatusSet::of(&[Status::Leased]),
            (Action::Progress | Action::Complete, Settle::Started) => StatusSet::of(&[Status::Running]),
            _ => StatusSet::HELD,
        }
    }

    fn lose(&self) -> Lose {
        Lose {
            requeue: self.rules.requeue,
            charge: self.rules.charge,
            back_off: self.settings.back_off,
            back_off_max: self.settings.back_off_max,
            unstarted_max: match self.rules.charge {
                Charge::AtStart => self.settings.unstarted_max,
                Charge::AtClaim => 0,
            },
            grace: self.settings.recovery_grace,
        }
    }

    pub(crate) fn list_expired(&self, limit: u32) -> Command {
        Command::ListExpired(ListExpired { limit, grace: self.settings.recovery_grace })
    }

    pub(crate) fn recover(&self, job: &JobId, token: &LeaseToken) -> Command {
        Command::Recover(Box::new(Recover {
            job: job.clone(),
            token: token.clone(),
            recheck: self.rules.recheck == Recheck::Made,
            lose: self.lose(),
        }))
    }

    pub(crate) fn cancel(&self, job: &JobId, reason: &Text) -> Command {
        Command::Cancel(CancelJob {
            job: job.clone(),
            reason: reason.clone(),
            running: self.rules.cancel,
            grace: self.settings.recovery_grace,
            leftovers: self.rules.leftovers,
        })
    }
}
