//! Goal: neither a configuration nor an action that somebody wrote by hand makes a world panic, whatever it says.

use crate::support::{VARIANTS, runner, world};
use holdover::{Applied, Observer, Rng, Scenario, Step, World};
use holdover_machine::Span;
use holdover_sim::jobs::{
    Action, Actual, Config, Deed, Fate, Jobs, JobsWorld, MessageId, Node, Promise, Reading, Twist,
};
use proptest::{collection::vec, prelude::*};

/// Numbers at every edge.
fn ms() -> impl Strategy<Value = i64> {
    let edges = [i64::MIN, i64::MIN + 1, -1, 0, 1, 3_600_000, 3_600_001, i64::MAX - 1, i64::MAX];
    prop_oneof![2 => prop::sample::select(edges.to_vec()), 1 => any::<i64>(), 2 => -10_000..10_000_i64]
}

fn byte() -> impl Strategy<Value = u8> {
    prop_oneof![4 => 0..4_u8, 1 => any::<u8>(), 1 => Just(u8::MAX)]
}

/// How many there are of something: mostly few, as a world of many is slow to heal.
fn count() -> impl Strategy<Value = u8> {
    prop_oneof![16 => 0..4_u8, 1 => any::<u8>()]
}

fn node() -> impl Strategy<Value = Node> {
    prop_oneof![
        byte().prop_map(Node::Client),
        byte().prop_map(Node::Service),
        byte().prop_map(Node::Worker),
        byte().prop_map(Node::Sweeper),
        prop::sample::select(&[Node::Store, Node::Resource, Node::Stranger, Node::Operator][..]),
    ]
}

fn fate() -> impl Strategy<Value = Fate> {
    let place = prop_oneof![4 => 0..6_u16, 1 => any::<u16>(), 1 => Just(u16::MAX)];
    let make: [fn(u16) -> Fate; 8] = [
        |_| Fate::Prompt,
        Fate::Held,
        Fate::Lost,
        Fate::Twice,
        Fate::Aborted,
        Fate::Vanished,
        Fate::Unconfirmed,
        Fate::Stale,
    ];
    (prop::sample::select(make.to_vec()), place).prop_map(|(make, place)| make(place))
}

fn deed() -> impl Strategy<Value = Deed> {
    let plain = [
        Deed::Start,
        Deed::Heartbeat,
        Deed::Progress,
        Deed::Lie,
        Deed::Touch,
        Deed::Complete,
        Deed::GiveUp,
        Deed::Acknowledge,
        Deed::Resend,
    ];
    prop_oneof![
        6 => prop::sample::select(plain.to_vec()),
        1 => any::<u32>().prop_map(|delay| Deed::Fail { delay }),
    ]
}

fn message() -> impl Strategy<Value = MessageId> {
    prop_oneof![
        (0..60_u32, 0..6_u16).prop_map(|(step, place)| MessageId(step, place)),
        any::<(u32, u16)>().prop_map(|(step, place)| MessageId(step, place)),
    ]
}

pub(crate) fn action() -> impl Strategy<Value = Action> {
    let by_client = || (byte(), byte(), byte(), fate());
    let readings = [Reading::Job, Reading::Stored, Reading::Events, Reading::Stats];
    prop_oneof![
        4 => ms().prop_map(|ms| Action::Advance { ms }),
        4 => (by_client(), prop::sample::select(&Twist::ALL[..])).prop_map(
            |((client, service, job, fate), twist)| Action::Create { client, service, job, twist, fate }
        ),
        1 => by_client()
            .prop_map(|(client, service, job, fate)| Action::Cancel { client, service, job, fate }),
        1 => (by_client(), prop::sample::select(readings.to_vec())).prop_map(
            |((client, service, job, fate), reading)| Action::Read { client, service, job, reading, fate }
        ),
        4 => by_client().prop_map(|(worker, slot, service, fate)| Action::Claim { worker, slot, service, fate }),
        8 => (by_client(), deed(), any::<bool>()).prop_map(
            |((worker, slot, service, fate), deed, stalled)| {
                Action::Work { worker, slot, service, deed, stalled, fate }
            }
        ),
        1 => (byte(), byte(), deed()).prop_map(|(service, job, deed)| Action::Intrude { service, job, deed }),
        2 => (byte(), byte(), fate())
            .prop_map(|(sweeper, limit, fate)| Action::Sweep { sweeper, limit, fate }),
        2 => (message(), fate()).prop_map(|(message, fate)| Action::Deliver { message, fate }),
        1 => message().prop_map(|message| Action::Drop { message }),
        1 => node().prop_map(|node| Action::Crash { node }),
        1 => node().prop_map(|node| Action::Restart { node }),
        1 => byte().prop_map(|worker| Action::Pause { worker }),
        1 => byte().prop_map(|worker| Action::Resume { worker }),
        2 => (node(), ms()).prop_map(|(node, ms)| Action::Step { node, ms }),
        1 => node().prop_map(|node| Action::Freeze { node }),
        1 => (node(), node()).prop_map(|(from, to)| Action::Cut { from, to }),
        1 => Just(Action::Mend),
        1 => any::<bool>().prop_map(|open| Action::Switch { open }),
    ]
}

fn promise() -> impl Strategy<Value = Promise> {
    let span = || ms().prop_map(Span::from_ms);
    let clocks = (span(), ms(), span(), span());
    let lengths = (span(), span(), span(), span(), span(), span());
    (clocks, lengths, any::<u64>()).prop_map(|(clocks, lengths, tenant_active_max)| {
        let (offset, drift_ppm, store_step, delay) = clocks;
        let (lease, claim_retry, sweep, poll, back_off, back_off_max) = lengths;
        Promise {
            offset,
            drift_ppm,
            store_step,
            delay,
            lease,
            claim_retry,
            sweep,
            poll,
            back_off,
            back_off_max,
            tenant_active_max,
        }
    })
}

fn actual() -> impl Strategy<Value = Option<Actual>> {
    let span = || ms().prop_map(Span::from_ms);
    let drawn = (span(), span(), ms(), ms(), vec(ms(), 0..4), prop::option::of(span()), span());
    let actual = drawn.prop_map(|drawn| {
        let (wall_error, store_error, store_offset, store_drift, service_drifts, margin, recovery_grace) =
            drawn;
        Actual { wall_error, store_error, store_offset, store_drift, service_drifts, margin, recovery_grace }
    });
    prop::option::of(actual)
}

pub(crate) fn config() -> impl Strategy<Value = Config> {
    let list = || vec(ms(), 0..4);
    let counts = (count(), count(), count(), count(), count(), count());
    let lists = (list(), list(), list(), list());
    (promise(), counts, lists, ms(), ms(), any::<bool>(), actual()).prop_map(
        |(promise, counts, lists, store_drift, sweep_every, fenced, actual)| {
            let (jobs, clients, services, workers, slots, sweepers) = counts;
            let (service_offsets, worker_offsets, worker_drifts, sweep_phases) = lists;
            Config {
                promise,
                jobs,
                first_job: 0,
                clients,
                services,
                workers,
                slots,
                sweepers,
                fenced,
                service_offsets,
                worker_offsets,
                worker_drifts,
                store_drift,
                sweep_every,
                sweep_phases,
                actual,
            }
        },
    )
}

fn play(world: &mut JobsWorld, actions: &[Action]) {
    let mut observer = Observer::new();
    for (number, action) in (1..).zip(actions) {
        let before = world.fingerprint();
        if world.apply(&Step { number, action: *action }, &mut observer) == Applied::Skipped {
            assert_eq!(world.fingerprint(), before, "{action:?} was skipped");
        }
    }
}

/// Any action on a world of the campaigns is carried out or skipped, and the world still comes to rest.
#[test]
fn any_action_is_survived() {
    let verdict = runner(400).run(&(1..200_u64, vec(action(), 1..60)), |(seed, actions)| {
        for variant in VARIANTS {
            let mut world = world(variant, &Jobs.plan(seed).config);
            play(&mut world, &actions);
            play(&mut world, &[Action::Heal]);
        }
        Ok(())
    });
    verdict.expect("every action is survived");
}

/// Any configuration gives a world that can be drawn from, acted on and healed.
#[test]
fn any_configuration_is_survived() {
    let verdict =
        runner(100).run(&(config(), vec(action(), 1..30), any::<u64>()), |(config, actions, seed)| {
            for variant in VARIANTS {
                let mut world = world(variant, &config);
                play(&mut world, &actions);
                let (mut rng, weights) = (Rng::from_seed(seed), Jobs.plan(seed).weights);
                for number in 1_000..1_030 {
                    if let Some(action) = world.sample(&mut rng, &weights) {
                        world.apply(&Step { number, action }, &mut Observer::new());
                    }
                }
                play(&mut world, &[Action::Heal]);
            }
            Ok(())
        });
    verdict.expect("every configuration is survived");
}

/// What shrinking makes of any actions is survived as well: simpler ones, two in one, and new numbers.
#[test]
fn any_action_can_be_shrunk() {
    let verdict = runner(2_000).run(&(action(), action()), |(first, second)| {
        for simpler in JobsWorld::simplify(&first) {
            prop_assert_ne!(simpler, first);
        }
        let (first, second) = (Step { number: 1, action: first }, Step { number: 2, action: second });
        if let Some(merged) = JobsWorld::merge(&first, &second) {
            play(&mut world("hardened", &Jobs.plan(1).config), &[merged]);
        }
        prop_assert_eq!(JobsWorld::renumber(&first.action, &|_| None), first.action);
        Ok(())
    });
    verdict.expect("every action can be shrunk");
}
