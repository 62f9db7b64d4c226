//! Calls of the store contract on a table that is kept at its size. Set-up is outside the measurement: calls are
//! made ahead, and the queue is filled up again between batches.

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use holdover_benches::Queue;
use holdover_jobs::Call;
use holdover_machine::Span;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::time::Duration;

const SIZES: [u64; 3] = [1_000, 100_000, 1_000_000];
/// Small, so that making calls ahead does not drive the table out of the processor's caches.
const BATCH: BatchSize = BatchSize::NumIterations(100);

/// Measures `run` on a queue of each size. `begin` makes a queue ready and answers what makes ready for each run.
fn each_size<T, P: FnMut(&mut Queue) -> T>(
    criterion: &mut Criterion,
    name: &str,
    begin: impl Fn(&mut Queue) -> P,
    run: impl Fn(&mut Queue, &T),
) {
    let mut group = criterion.benchmark_group(name);
    for size in SIZES {
        let queue = RefCell::new(Queue::of(size));
        let mut prepare = begin(&mut queue.borrow_mut());
        group.bench_function(BenchmarkId::from_parameter(size), |bencher| {
            bencher.iter_batched(
                || prepare(&mut queue.borrow_mut()),
                |prepared| {
                    run(&mut queue.borrow_mut(), &prepared);
                    prepared
                },
                BATCH,
            );
        });
    }
}

fn create(criterion: &mut Criterion) {
    let begin = |_: &mut Queue| {
        |queue: &mut Queue| {
            let claim = queue.claim();
            queue.execute(&claim);
            queue.create()
        }
    };
    each_size(criterion, "create", begin, Queue::execute);
}

fn claim(criterion: &mut Criterion) {
    let begin = |_: &mut Queue| {
        |queue: &mut Queue| {
            queue.refill();
            queue.claim()
        }
    };
    each_size(criterion, "claim", begin, Queue::execute);
}

fn claim_and_complete(criterion: &mut Criterion) {
    let begin = |_: &mut Queue| {
        |queue: &mut Queue| {
            queue.refill();
            queue.turn()
        }
    };
    each_size(criterion, "claim, start and complete", begin, Queue::take);
}

fn heartbeat(criterion: &mut Criterion) {
    const HELD: usize = 500;
    let begin = |queue: &mut Queue| {
        let mut held: VecDeque<Call> = (0..HELD).map(|_| queue.hold()).collect();
        let mut renewals = 0;
        move |queue: &mut Queue| {
            // Time goes on once a round: every renewal moves its lease, and none comes near its deadline.
            renewals += 1;
            if renewals % HELD == 0 {
                queue.advance(Span::from_ms(1));
            }
            held.rotate_left(1);
            held[0].clone()
        }
    };
    each_size(criterion, "heartbeat", begin, Queue::execute);
}

fn recover(criterion: &mut Criterion) {
    let begin = |_: &mut Queue| Queue::abandon;
    each_size(criterion, "recover", begin, |queue, call| {
        queue.outlast();
        queue.execute(call);
    });
}

criterion_group! {
    name = table;
    // Every iteration leaves a job behind, so that a long measurement would change what it measures.
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1));
    targets = create, claim, claim_and_complete, heartbeat, recover
}
criterion_main!(table);
