use crate::fault::Fault;
use holdover::Rng;
use serde::Serialize;

/// The nodes of a cluster, by place: the store, two services, a sweeper, three workers, the clients.
pub(crate) const NODES: usize = 8;

/// When faults begin to happen, and when the last one is over, in milliseconds.
pub(crate) const FAULTS_MS: (i64, i64) = (1_000, 40_000);

/// What a seed decides before its run begins.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Plan {
    /// For each job when it is created and, for some, how long after that somebody wants it cancelled.
    pub(crate) jobs: Vec<(i64, Option<i64>)>,
    /// How far each node's wall clock is off, in milliseconds. The store's is true.
    pub(crate) offsets: [i64; NODES],
    /// What goes wrong: when, for how long, and what.
    pub(crate) faults: Vec<(i64, i64, Fault)>,
    /// How long work takes at most, in milliseconds.
    pub(crate) work_ms: u32,
}

impl Plan {
    /// The plan of a seed. It does not depend on the variant.
    pub(crate) fn draw(seed: u64) -> Self {
        let mut rng = Rng::from_seed(seed);
        let jobs = (0..2 + rng.below(6)).map(|_| {
            let cancel = rng.chance(1, 6).then(|| rng.between(500, 6_000));
            (rng.between(0, 15_000), cancel)
        });
        let jobs = jobs.collect();
        let mut offsets = [0; NODES];
        if rng.chance(3, 4) {
            offsets[1..].iter_mut().for_each(|offset| *offset = rng.between(-2_000, 2_000));
        }
        let faults = (0..2 + rng.below(7)).map(|_| {
            let begin = rng.between(FAULTS_MS.0, FAULTS_MS.1 - 9_000);
            (begin, rng.between(200, 9_000), draw_fault(&mut rng))
        });
        let mut faults: Vec<_> = faults.collect();
        faults.sort_by_key(|(begin, ..)| *begin);
        Self { jobs, offsets, faults, work_ms: [500, 2_000, 8_000][rng.below(3) as usize] }
    }
}

fn draw_fault(rng: &mut Rng) -> Fault {
    let nodes = NODES as u32;
    let node = |rng: &mut Rng| rng.below(nodes) as usize;
    match rng.below(6) {
        0 => Fault::Crash { node: node(rng) },
        1 | 2 => Fault::Pause { node: node(rng) },
        3 => {
            let from = node(rng);
            let to = (from + 1 + rng.below(nodes - 1) as usize) % NODES;
            Fault::Cut { from, to, both: rng.chance(1, 2) }
        }
        4 => Fault::Latency { most_ms: 50 + u64::from(rng.below(1_500)) },
        _ => Fault::Loss { percent: 5 + rng.below(40) },
    }
}
