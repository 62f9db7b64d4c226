use crate::Verdict;
use crate::plan::{Event, Plan};
use holdover::{Applied, Observer, Rng, Scenario, Step, World};
use holdover_sim::jobs::{Action, Config, Fate, Jobs, Reading, Twist};

/// A world of one service, two workers and a sweeper, with perfect clocks.
fn config() -> Config {
    Config {
        jobs: 2,
        first_job: 0,
        services: 1,
        workers: 2,
        slots: 1,
        sweepers: 1,
        service_offsets: vec![0],
        worker_offsets: vec![0, 0],
        worker_drifts: vec![0, 0],
        store_drift: 0,
        sweep_phases: vec![0],
        ..Config::draw(&mut Rng::from_seed(1))
    }
}

pub(crate) fn verdict(plan: &Plan, variant: &str) -> Verdict {
    verdict_under(plan, &Scenario::variant(&Jobs, variant).expect("a variant"))
}

/// The same, with a variant that was looked up before, as a campaign does for all its seeds.
pub(crate) fn verdict_under(plan: &Plan, variant: &<Jobs as Scenario>::Variant) -> Verdict {
    let mut world = Jobs.world(variant, &config());
    let mut observer = Observer::new();
    for (number, event) in (1..).zip(&plan.0) {
        let step = Step { number, action: action(*event) };
        let done = world.apply(&step, &mut observer) == Applied::Done;
        // A worker does not do what it has given up, nor claims with its hands full; all else in a plan is possible.
        let idle = matches!(event, Event::Act { .. } | Event::Claim { .. });
        assert!(done || idle, "{event:?} is not possible");
    }
    world.violations().iter().map(|violation| violation.invariant.clone()).collect()
}

fn action(event: Event) -> Action {
    let (client, service, slot, fate) = (0, 0, 0, Fate::Prompt);
    match event {
        Event::Create { job } => Action::Create { client, service, job, twist: Twist::Plain, fate },
        Event::Read { job } => Action::Read { client, service, job, reading: Reading::Stored, fate },
        Event::Claim { worker } => Action::Claim { worker, slot, service, fate },
        Event::Act { worker, deed } => Action::Work { worker, slot, service, deed, stalled: true, fate },
        Event::Pause { worker } => Action::Pause { worker },
        Event::Resume { worker } => Action::Resume { worker },
        Event::Sweep {} => Action::Sweep { sweeper: 0, limit: 10, fate },
        Event::Wait { ms } => Action::Advance { ms },
    }
}
