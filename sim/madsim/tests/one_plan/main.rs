//! One plan, three engines: the world of actions, the shells on madsim, and the shells over real sockets on loopback
//! come to the same verdict.

mod in_world;
mod on_loopback;
mod on_madsim;
mod plan;
mod player;

use cpu_time::ProcessTime;
use holdover::Scenario;
use holdover_sim::jobs::Jobs;
use plan::Plan;
use std::collections::BTreeSet;
use std::sync::Mutex;

/// The invariants that a run violated.
type Verdict = BTreeSet<String>;

/// One test at a time: what one of them costs is read off the process.
static TURN: Mutex<()> = Mutex::new(());

/// Goal: each plan has the same verdict in every engine, and it is the one that is written here.
#[test]
fn one_verdict() {
    let _turn = TURN.lock().expect("no test has panicked");
    let cases: [(&str, &str, &[&str]); 8] = [
        ("prompt-worker", "hardened", &[]),
        ("prompt-worker", "original", &[]),
        ("late-holder", "hardened", &[]),
        ("late-holder", "original", &["expired-is-over"]),
        ("eager-successor", "hardened", &[]),
        ("eager-successor", "original", &["no-early-retry"]),
        ("curious-reader", "hardened", &[]),
        ("curious-reader", "original", &["no-secret"]),
    ];
    for (name, variant, expected) in cases {
        let plan = Plan::read(name);
        let expected: Verdict = expected.iter().map(|&id| id.to_owned()).collect();
        assert_eq!(in_world::verdict(&plan, variant), expected, "{name} in the world, {variant}");
        assert_eq!(on_madsim::verdict(&plan, variant), expected, "{name} on madsim, {variant}");
        assert_eq!(on_loopback::verdict(&plan, variant), expected, "{name} over loopback, {variant}");
    }
}

/// Goal: the world of actions is the cheaper engine for the same plan, by CPU time in the same run. The figures are
/// printed with `--nocapture`.
#[test]
fn world_costs_a_fraction_of_madsim() {
    let _turn = TURN.lock().expect("no test has panicked");
    let plan = Plan::read("late-holder");
    let hardened = Scenario::variant(&Jobs, "hardened").expect("a variant");
    let in_world = runs_per_cpu_second(2_000, || in_world::verdict_under(&plan, &hardened));
    let on_madsim = runs_per_cpu_second(200, || on_madsim::verdict(&plan, "hardened"));
    println!("late-holder: {in_world} runs per CPU second in the world, {on_madsim} on madsim");
    assert!(in_world >= 4 * on_madsim, "{in_world} against {on_madsim}");
}

fn runs_per_cpu_second(runs: u32, run: impl Fn() -> Verdict) -> u64 {
    let begin = ProcessTime::now();
    for _ in 0..runs {
        assert!(run().is_empty());
    }
    let micros = begin.elapsed().as_micros().max(1);
    u64::try_from(u128::from(runs) * 1_000_000 / micros).unwrap_or(u64::MAX)
}
