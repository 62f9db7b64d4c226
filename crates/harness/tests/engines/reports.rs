//! What is printed of a failure, for people and for machines.

use crate::script::{Action, Script};
use crate::toy::ToyLease;
use holdover::{AnyScenario, CampaignOptions, CampaignReport, Conduct, Failure, Layout, States};

fn campaign(variant: &str) -> CampaignReport {
    ToyLease.campaign(&CampaignOptions::new(variant, 0..200)).expect("a variant of the toy world")
}

fn failure(variant: &str) -> Failure {
    let mut failure = campaign(variant).violations.remove(0).failure;
    failure.path = Some("target/holdover/toy-lease.json".to_owned());
    failure
}

/// A safety failure, on a wide terminal without colour.
#[test]
fn plain() {
    insta::assert_snapshot!(
        failure("heartbeat-ignores-token").render(Layout { columns: 160, colour: false })
    );
}

/// The same with colour.
#[test]
fn coloured() {
    let text = failure("heartbeat-ignores-token").render(Layout { columns: 160, colour: true });
    insta::assert_snapshot!(text.replace('\u{1b}', "ESC"));
}

/// The same in 80 columns: no line but a command is longer.
#[test]
fn eighty_columns() {
    let text = failure("heartbeat-ignores-token").render(Layout { columns: 80, colour: false });
    assert!(text.lines().all(|line| line.chars().count() <= 80 || line.contains("cargo holdover")), "{text}");
    insta::assert_snapshot!(text);
}

/// A liveness failure, in which one action tells most of the story.
#[test]
fn liveness() {
    insta::assert_snapshot!(failure("sweep-does-nothing").render(Layout { columns: 80, colour: false }));
}

/// A run that was not shrunk: the end of its story is kept, with the lines that it points at.
#[test]
fn not_shrunk() {
    let options = CampaignOptions::new("heartbeat-ignores-token", 0..200).shrink(0);
    let report = ToyLease.campaign(&options).expect("a variant of the toy world");
    insta::assert_snapshot!(report.violations[0].failure.render(Layout { columns: 80, colour: false }));
}

/// A replayed trace is reported for the invariant that it names, or else for the first that is violated.
#[test]
fn a_replay_reports_what_its_trace_names() {
    let script = Script(|steps| match steps.last()?.action {
        Action::Left => Some("ant"),
        Action::Right => Some("zebra"),
        _ => None,
    });
    let mut trace = script.trace(&[(1, Action::Right), (2, Action::Left)]);
    for (violates, reported) in [(Some("ant"), "ant"), (Some("zebra"), "zebra"), (None, "zebra")] {
        trace.violates = violates.map(str::to_owned);
        let report = script.replay(&trace.to_json(), None).expect("a trace");
        let failure = report.failure.expect("a failure");
        assert_eq!(failure.violation.invariant, reported);
        assert_eq!(report.violations.len(), 2);
    }
}

/// The campaign as one JSON object, but for its long list of states.
#[test]
fn summary() {
    let mut report = campaign("complete-after-recovery");
    report.violations[0].failure.path = Some("target/holdover/toy-lease.json".to_owned());
    let mut summary = report.summary(Conduct { wall_s: 1.5, cpu_s: 2.5, ..Conduct::default() });
    assert!(summary.states.distinct() > 1, "some runs look at their states");
    summary.states = States::default();
    insta::assert_json_snapshot!(summary);
}
