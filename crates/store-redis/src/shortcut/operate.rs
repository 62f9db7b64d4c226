use crate::arguments::Arguments;
use crate::row::json;
use holdover_jobs::rules::{Charge, Identity, Leftovers, Renew, Renewals, RetryDelay, Timeout};
use holdover_jobs::{Change, EventBody, Guard, Incarnation, Operate, Status};
use std::sync::Arc;

/// What an operation's guards ask of the plain way. A repeat never is that, whether or not it is asked for.
struct Asked {
    holder: Option<Identity>,
    unexpired: bool,
    leased: bool,
    running: bool,
}

/// An operation as the script takes it; `None` where it knows none such.
pub(super) fn add(operate: &Operate, arguments: &mut Arguments) -> Option<()> {
    let asked = Asked::by(operate)?;
    let whole = asked.holder? == Identity::Attempt;
    let process = operate.holder.incarnation.map(|Incarnation(process)| process);
    arguments
        .add(&operate.job)
        .add(operate.holder.token.reveal())
        .add_optional(operate.holder.attempt.filter(|_| whole))
        .add_optional(process.filter(|_| whole))
        .add_flag(asked.unexpired)
        .add_flag(operate.announces)
        .add_flag(asked.leased)
        .add_flag(asked.running);
    add_change(&operate.change, arguments)
}

impl Asked {
    fn by(operate: &Operate) -> Option<Self> {
        let mut asked = Self { holder: None, unexpired: false, leased: true, running: true };
        for guard in operate.guards.iter() {
            match guard {
                Guard::Replay(_) => {}
                Guard::Status(set) => {
                    asked.leased &= set.has(Status::Leased);
                    asked.running &= set.has(Status::Running);
                }
                Guard::Holder(identity) => asked.holder = Some(identity),
                Guard::Unexpired => asked.unexpired = true,
                Guard::CancelRequested => return None,
            }
        }
        Some(asked)
    }
}

fn add_change(change: &Change, arguments: &mut Arguments) -> Option<()> {
    match change {
        Change::Start { charge, timeout } => {
            arguments.add("start").add_flag(*charge == Charge::AtStart);
            arguments.add_flag(*timeout == Timeout::Enforced);
        }
        Change::Heartbeat { lease, renew, timeout, renewals, .. } => {
            arguments.add("heartbeat").add(lease.ms()).add_flag(*renew == Renew::Extend);
            arguments.add_flag(*timeout == Timeout::Enforced).add_flag(*renewals == Renewals::Logged);
        }
        Change::Progress { kind, data } => {
            let body = EventBody::Progress { kind: kind.clone(), data: Arc::clone(data) };
            arguments.add("progress").add(json(&body));
        }
        Change::Complete { result, leftovers } => {
            arguments.add("complete").add(json(&**result)).add_flag(*leftovers == Leftovers::Cleared);
        }
        Change::Fail { error, delay, retry_delay, lose } => {
            arguments.add("fail").add(json(&**error)).add(json(&error.code)).add_flag(error.retryable);
            arguments.add(delay.ms()).add_flag(*retry_delay == RetryDelay::Bounded);
            arguments.add_flag(lose.charge == Charge::AtStart);
            arguments.add(lose.back_off.ms()).add(lose.back_off_max.ms()).add(lose.unstarted_max);
        }
        Change::Acknowledge => return None,
    }
    Some(())
}
