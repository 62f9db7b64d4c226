use super::node::Node;
use super::task::Twist;
use serde::{Deserialize, Serialize};

/// The name of a message: the number of the action that brought it about, and which of its messages it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MessageId(pub u32, pub u16);

/// What befalls one of the messages that an action brings about, counted from 0. All others arrive at once, and
/// what they bring about as well, so that an operation without a fault is one action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// Nothing.
    #[default]
    Prompt,
    /// It waits in the network until it is delivered or dropped.
    Held(u16),
    /// It is lost.
    Lost(u16),
    /// It arrives, and a copy waits in the network.
    Twice(u16),
    /// A store call that is certainly not carried out: a transient error, or a serialisation abort.
    Aborted(u16),
    /// A store call that is not carried out, and nobody knows.
    Vanished(u16),
    /// A store call that is carried out, and nobody knows.
    Unconfirmed(u16),
    /// A read of the store that is answered from before the last change.
    Stale(u16),
}

/// What a worker is made to do with the job in its slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deed {
    /// Begin.
    Start,
    /// Keep the lease.
    Heartbeat,
    /// Report progress.
    Progress,
    /// Report progress in the system's name.
    Lie,
    /// Touch the resource.
    Touch,
    /// Report a result.
    Complete,
    /// Report an error that a retry could mend, with this wish for the delay.
    Fail {
        /// In milliseconds.
        delay: u32,
    },
    /// Report an error for good.
    GiveUp,
    /// Confirm a cancel.
    Acknowledge,
    /// Send the last report again.
    Resend,
}

/// What a client reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reading {
    /// A job as readers see it.
    Job,
    /// A job as it is stored.
    Stored,
    /// A job's events.
    Events,
    /// The totals.
    Stats,
}

/// One thing that may happen next in a jobs world. Time moves only by `advance` and `heal`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the members are the participants, named as such")]
pub enum Action {
    /// Time passes.
    Advance { ms: i64 },
    /// A client creates a job.
    Create {
        client: u8,
        service: u8,
        job: u8,
        twist: Twist,
        #[serde(default)]
        fate: Fate,
    },
    /// A client cancels a job.
    Cancel {
        client: u8,
        service: u8,
        job: u8,
        #[serde(default)]
        fate: Fate,
    },
    /// A client reads.
    Read {
        client: u8,
        service: u8,
        job: u8,
        reading: Reading,
        #[serde(default)]
        fate: Fate,
    },
    /// A worker asks for a job, or asks again.
    Claim {
        worker: u8,
        slot: u8,
        service: u8,
        #[serde(default)]
        fate: Fate,
    },
    /// A worker does something with a job. Stalled: it looked at its clock before, and a pause came between.
    Work {
        worker: u8,
        slot: u8,
        service: u8,
        deed: Deed,
        #[serde(default)]
        stalled: bool,
        #[serde(default)]
        fate: Fate,
    },
    /// A stranger operates on a job, with a token that it was shown, or with a guess.
    Intrude { service: u8, job: u8, deed: Deed },
    /// A sweeper takes expired leases away.
    Sweep {
        sweeper: u8,
        limit: u8,
        #[serde(default)]
        fate: Fate,
    },
    /// A message that waits arrives.
    Deliver {
        message: MessageId,
        #[serde(default)]
        fate: Fate,
    },
    /// A message that waits is lost.
    Drop { message: MessageId },
    /// A process dies; what it had in hand is gone.
    Crash { node: Node },
    /// A dead process starts anew.
    Restart { node: Node },
    /// A worker stands still: it acts on nothing, and messages to it wait.
    Pause { worker: u8 },
    /// A paused worker goes on.
    Resume { worker: u8 },
    /// A node's wall clock, or the store's clock, steps.
    Step { node: Node, ms: i64 },
    /// A node's wall clock stands still.
    Freeze { node: Node },
    /// A link loses everything one way.
    Cut { from: Node, to: Node },
    /// All links work again.
    Mend,
    /// The operator switches the handing out of jobs.
    Switch { open: bool },
    /// All faults stop and everything runs by itself until it has converged or its bound is over.
    Heal,
}

impl Action {
    /// The fate of its messages, where it brings any about.
    pub(super) fn fate_mut(&mut self) -> Option<&mut Fate> {
        match self {
            Self::Create { fate, .. }
            | Self::Cancel { fate, .. }
            | Self::Read { fate, .. }
            | Self::Claim { fate, .. }
            | Self::Work { fate, .. }
            | Self::Sweep { fate, .. }
            | Self::Deliver { fate, .. } => Some(fate),
            _ => None,
        }
    }
}

/// Simpler actions than this one, simplest first: no fault, an earlier message, one service, less time.
pub(super) fn simplify(action: &Action) -> Vec<Action> {
    let mut simpler = Vec::new();
    let mut with_fate = *action;
    if let Some(fate) = with_fate.fate_mut()
        && *fate != Fate::Prompt
    {
        *fate = Fate::Prompt;
        simpler.push(with_fate);
    }
    match *action {
        Action::Advance { ms } => {
            let rounder = [
                1_000,
                5_000,
                10_000,
                20_000,
                ms / 1_000 * 1_000,
                ms / 100 * 100,
                ms / 2,
                ms.saturating_sub(1),
            ];
            simpler.extend(
                rounder.into_iter().filter(|&less| 0 < less && less < ms).map(|ms| Action::Advance { ms }),
            );
        }
        Action::Work { worker, slot, service, deed, stalled: true, fate } => {
            simpler.push(Action::Work { worker, slot, service, deed, stalled: false, fate });
        }
        Action::Step { node, ms } if ms / 2 != 0 => simpler.push(Action::Step { node, ms: ms / 2 }),
        _ => {}
    }
    let mut on_first = *action;
    match &mut on_first {
        Action::Create { service, .. }
        | Action::Cancel { service, .. }
        | Action::Read { service, .. }
        | Action::Claim { service, .. }
        | Action::Work { service, .. }
            if *service != 0 =>
        {
            *service = 0;
            simpler.push(on_first);
        }
        _ => {}
    }
    simpler
}

/// One action for two: one wait for two, or an operation that is not held for one that is and its delivery.
pub(super) fn merge(first: &holdover::Step<Action>, second: &holdover::Step<Action>) -> Option<Action> {
    match (first.action, second.action) {
        (Action::Advance { ms: first }, Action::Advance { ms: second }) => {
            Some(Action::Advance { ms: first.saturating_add(second) })
        }
        (mut action, Action::Deliver { message, fate }) if message.0 == first.number => {
            let mine = action.fate_mut()?;
            let held = matches!(*mine, Fate::Held(_) | Fate::Twice(_));
            held.then(|| *mine = fate)?;
            Some(action)
        }
        _ => None,
    }
}

/// The action with the messages that it names under their actions' new numbers.
pub(super) fn renumber(action: &Action, map: &dyn Fn(u32) -> Option<u32>) -> Action {
    let mut action = *action;
    if let Action::Deliver { message, .. } | Action::Drop { message } = &mut action
        && let Some(number) = map(message.0)
    {
        message.0 = number;
    }
    action
}
