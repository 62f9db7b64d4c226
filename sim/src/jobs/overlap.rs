//! How long two workers believe in the same job at once, in true time. It is measured, not judged.

use super::participants::WorkerNode;
use super::world::JobsWorld;
use holdover::Observer;
use holdover_jobs::worker::{Hand, Phase};
use holdover_machine::Span;

impl JobsWorld {
    /// To be called before time passes: until it has, nothing else happens, so that a belief that ends stays ended.
    pub(super) fn measure_overlap(&self, ms: i64, observer: &mut Observer) {
        let shared = self.shared_for(ms);
        observer.overlap(shared, shared == ms);
    }

    /// For how much of this time two workers go on to believe that they hold the same job.
    fn shared_for(&self, ms: i64) -> i64 {
        let mut longest = 0;
        for (place, first) in self.workers.iter().enumerate() {
            for held in running(first) {
                for second in &self.workers[..place] {
                    for other in running(second).filter(|other| other.job == held.job) {
                        let shared =
                            self.believes_for(first, held, ms).min(self.believes_for(second, other, ms));
                        longest = longest.max(shared);
                    }
                }
            }
        }
        longest
    }

    /// For how much of this time a worker goes on to believe.
    fn believes_for(&self, worker: &WorkerNode, hand: &Hand, ms: i64) -> i64 {
        let believes = |after: i64| {
            let at = self.now + Span::from_ms(after);
            hand.believes(worker.wall.read(at), worker.own_time(at))
        };
        // Clocks that go on never make a belief come back, so that its end can be searched for by halves.
        let (mut held, mut end) = (0, ms);
        while held < end {
            let middle = held + (end - held) / 2;
            if believes(middle) { held = middle + 1 } else { end = middle }
        }
        held
    }
}

fn running(worker: &WorkerNode) -> impl Iterator<Item = &Hand> {
    let hands = worker.machine.hands().iter().flatten();
    hands.filter(|hand| worker.is_up() && hand.phase == Phase::Running)
}
