//! Goal: what a random run draws, exploration and fuzzing reach as well.

use crate::support::{VARIANTS, world};
use holdover::{Applied, Observer, Rng, Scenario, Step, World};
use holdover_sim::jobs::{Action, Deed, Fate, Jobs};

/// The action without what `enabled` does not enumerate: which of the like clients and services it meets, what
/// befalls its messages, and amounts. What is left is what the action does, and to whom.
fn essence(mut action: Action) -> Action {
    match &mut action {
        Action::Create { client, service, fate, .. }
        | Action::Cancel { client, service, fate, .. }
        | Action::Read { client, service, fate, .. } => (*client, *service, *fate) = (0, 0, Fate::Prompt),
        Action::Claim { service, fate, .. } => (*service, *fate) = (0, Fate::Prompt),
        Action::Work { service, deed, fate, .. } => {
            (*service, *fate) = (0, Fate::Prompt);
            if let Deed::Fail { delay } = deed {
                *delay = 0;
            }
        }
        Action::Intrude { service, .. } => *service = 0,
        Action::Sweep { limit, fate, .. } => (*limit, *fate) = (0, Fate::Prompt),
        Action::Deliver { fate, .. } => *fate = Fate::Prompt,
        Action::Advance { ms } | Action::Step { ms, .. } => *ms = ms.signum(),
        _ => {}
    }
    action
}

/// Whatever is drawn and can happen is among the enabled actions, in its essence; and every enabled action can.
#[test]
fn a_drawn_action_is_enabled() {
    for variant in VARIANTS {
        for seed in 1..=12 {
            let plan = Jobs.plan(seed);
            let (mut rng, mut world) = (Rng::from_seed(seed), world(variant, &plan.config));
            for number in 1..=plan.steps {
                let Some(action) = world.sample(&mut rng, &plan.weights) else { continue };
                let step = Step { number, action };
                let mut next = world.clone();
                let done = next.apply(&step, &mut Observer::new()) == Applied::Done;
                // Every seventh state is looked at: a list costs a copy of the world for each candidate.
                if done && number % 7 == 0 {
                    let mut enabled = Vec::new();
                    world.enabled(&mut enabled);
                    let found = enabled.iter().any(|other| essence(*other) == essence(action));
                    assert!(found, "{variant}, seed {seed}, step {number}: {action:?} is not enabled");
                }
                world = next;
            }
        }
    }
}

/// What is skipped changes nothing, drawn or not.
#[test]
fn a_skipped_action_changes_nothing() {
    let mut skipped = 0;
    for variant in VARIANTS {
        for seed in 1..=40 {
            let plan = Jobs.plan(seed);
            let (mut rng, mut world) = (Rng::from_seed(seed), world(variant, &plan.config));
            for number in 1..=plan.steps {
                let Some(action) = world.sample(&mut rng, &plan.weights) else { continue };
                let before = world.fingerprint();
                let mut observer = Observer::new();
                if world.apply(&Step { number, action }, &mut observer) == Applied::Skipped {
                    skipped += 1;
                    assert_eq!(world.fingerprint(), before, "{variant}, seed {seed}: {action:?}");
                    assert_eq!(observer.events(), 0, "{variant}, seed {seed}: {action:?}");
                }
            }
        }
    }
    assert!(skipped > 1_000, "{skipped} actions were skipped");
}
