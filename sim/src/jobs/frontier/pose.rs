use super::kind::Kind;
use crate::jobs::{Action, Config, Node};
use holdover_machine::Span;

/// Who errs, and which way: at the start of the world, before a lease is granted, while it is held, and after it was
/// taken away.
#[derive(Debug, Clone)]
pub(super) struct Pose {
    pub(super) config: Config,
    pub(super) before: Vec<Action>,
    pub(super) during: Vec<Action>,
    pub(super) late: Vec<Action>,
}

/// How many poses each kind has.
pub(super) const POSES: usize = 6;

const S0: Node = Node::Service(0);
const S1: Node = Node::Service(1);
const W0: Node = Node::Worker(0);
const SWEEPER: Node = Node::Sweeper(0);

impl Pose {
    /// The pose of this number, with an error of this size and no other.
    pub(super) fn new(kind: Kind, size: i64, number: usize, mut config: Config) -> Self {
        let mut moves = (Vec::new(), Vec::new(), Vec::new());
        let actual = config.actual.get_or_insert_default();
        match kind {
            Kind::Pause => {}
            Kind::StoreStep => actual.store_error = Span::from_ms(size),
            // Offsets and steps are of the whole size at once; what a drift adds up to has no bound.
            Kind::Drift => actual.wall_error = Span::from_ms(86_400_000),
            _ => actual.wall_error = Span::from_ms(size),
        }
        match kind {
            Kind::Offset => moves.0 = offset(&mut config, size, number),
            Kind::Drift => drift(&mut config, size, number),
            Kind::StepBack => moves = stepped(-size, number),
            Kind::StepForward => moves = stepped(size, number),
            Kind::Freeze => moves = frozen(size, number),
            Kind::StoreStep => moves = store_stepped(size, number),
            Kind::Pause => {}
        }
        let (before, during, late) = moves;
        Self { config, before, during, late }
    }
}

type Moves = (Vec<Action>, Vec<Action>, Vec<Action>);

/// The two parties that are compared stand at opposite ends.
fn offset(config: &mut Config, e: i64, number: usize) -> Vec<Action> {
    let (services, sweeper, workers, store) = match number {
        0 => ([-e, e], e, [0, 0], 0),
        1 => ([e, -e], -e, [0, 0], 0),
        2 => ([e, e], e, [-e, 0], e),
        3 => ([-e, -e], -e, [e, 0], -e),
        4 => ([0, 0], 0, [-e, e], e),
        _ => ([e, 0], 0, [e, -e], -e),
    };
    config.service_offsets = services.to_vec();
    config.worker_offsets = workers.to_vec();
    config.actual.get_or_insert_default().store_offset = store;
    // A step that comes before all else is an offset.
    vec![Action::Step { node: SWEEPER, ms: sweeper }]
}

fn drift(config: &mut Config, size: i64, number: usize) {
    let p = size.saturating_mul(1_000_000) / config.promise.lease.ms().max(1);
    let (services_and_sweeper, workers, store) = match number {
        0 => ([-p, p, p], [0, 0], 0),
        1 => ([p, -p, -p], [0, 0], 0),
        2 => ([p, p, p], [-p, 0], p),
        3 => ([0, 0, 0], [-p, 0], p),
        4 => ([0, p, p], [0, 0], p),
        _ => ([0, -p, 0], [p, 0], -p),
    };
    let actual = config.actual.get_or_insert_default();
    (actual.service_drifts, actual.store_drift) = (services_and_sweeper.to_vec(), store);
    config.worker_drifts = workers.to_vec();
}

fn stepped(ms: i64, number: usize) -> Moves {
    let step = |node| vec![Action::Step { node, ms }];
    match number {
        0 => (step(S0), Vec::new(), Vec::new()),
        1 => (Vec::new(), step(S1), Vec::new()),
        2 => (Vec::new(), step(W0), Vec::new()),
        3 => (Vec::new(), step(SWEEPER), Vec::new()),
        4 => (Vec::new(), step(S0), Vec::new()),
        _ => (Vec::new(), [S1, SWEEPER].map(|node| Action::Step { node, ms }).to_vec(), step(S0)),
    }
}

fn frozen(ms: i64, number: usize) -> Moves {
    let freeze = |node| vec![Action::Freeze { node }, Action::Advance { ms }, Action::Freeze { node }];
    match number {
        0 => (freeze(S0), Vec::new(), Vec::new()),
        1 => (Vec::new(), freeze(S1), Vec::new()),
        2 => (Vec::new(), freeze(W0), Vec::new()),
        3 => (Vec::new(), freeze(SWEEPER), Vec::new()),
        4 => (Vec::new(), freeze(S0), Vec::new()),
        _ => (freeze(W0), Vec::new(), freeze(S1)),
    }
}

/// From one end of the error to the other, so that a lease sees all of it.
fn store_stepped(e: i64, number: usize) -> Moves {
    let step = |ms| vec![Action::Step { node: Node::Store, ms }];
    match number {
        0 => (step(-e), step(2 * e), Vec::new()),
        1 => (step(e), step(-2 * e), Vec::new()),
        2 => (Vec::new(), step(e), Vec::new()),
        3 => (Vec::new(), step(-e), Vec::new()),
        4 => (step(-e), Vec::new(), step(2 * e)),
        _ => (Vec::new(), step(e), step(-2 * e)),
    }
}
