//! One action of the jobs world, and whole seeds of the load.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use holdover::{Observer, Rng, Scenario, Step, World};
use holdover_benches::{Load, Watch};
use holdover_sim::jobs::{Jobs, Variant};

fn hardened() -> Variant {
    Load.variant("hardened").expect("the default variant")
}

/// Draws an action and carries it out, in a world that begins anew when its seed's actions are used up.
fn step(criterion: &mut Criterion) {
    let variant = hardened();
    let mut seed = 0;
    let mut plan = Load.plan(seed);
    let mut world = Load.world(&variant, &plan.config);
    let (mut rng, mut observer, mut number) = (Rng::from_seed(seed), Observer::new(), 0);
    criterion.bench_function("world step", |bencher| {
        bencher.iter(|| {
            if number == plan.steps {
                seed += 1;
                plan = Load.plan(seed);
                world = Load.world(&variant, &plan.config);
                (rng, observer, number) = (Rng::from_seed(seed), Observer::new(), 0);
            }
            number += 1;
            let action = world.sample(&mut rng, &plan.weights)?;
            Some(world.apply(&Step { number, action }, &mut observer))
        });
    });
}

fn seed(criterion: &mut Criterion) {
    let variant = hardened();
    let mut group = criterion.benchmark_group("seed");
    group.throughput(Throughput::Elements(1));
    for (name, watch) in [("everything", Watch::Everything), ("bare", Watch::Nothing)] {
        let mut seeds = (0..1_000).cycle();
        group.bench_function(name, |bencher| {
            bencher.iter(|| Load.run(&variant, seeds.next().unwrap_or_default(), watch));
        });
    }
    // What a campaign runs: few jobs that are fought over.
    let mut seeds = (0..1_000).cycle();
    let trial = holdover::Trial::new(&Jobs, "hardened").expect("the default variant");
    group.bench_function("campaign", |bencher| {
        bencher.iter(|| holdover::run(&trial, seeds.next().unwrap_or_default()));
    });
}

criterion_group!(world, step, seed);
criterion_main!(world);
