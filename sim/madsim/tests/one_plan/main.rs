//! One plan, three engines: the world of actions, the shells on madsim, and the shells over real sockets on loopback
//! come to the same verdict.

mod in_world;
mod on_loopback;
mod on_madsim;
mod plan;
mod player;

use plan::Plan;
use std::collections::BTreeSet;

/// The invariants that a run violated.
type Verdict = BTreeSet<String>;

/// Goal: each plan has the same verdict in every engine, and it is the one that is written here.
#[test]
fn one_verdict() {
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
