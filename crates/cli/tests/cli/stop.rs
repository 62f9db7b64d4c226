use crate::{lease::SCENARIOS, program::Program};
use holdover_cli::{Console, Exit, run};
use std::sync::atomic::AtomicBool;

/// Goal: after Ctrl-C the seeds at hand are finished and their totals printed, no other scenario is begun and the
/// exit code says so.
#[test]
fn ctrl_c() {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut console = Console {
        out: &mut out,
        err: &mut err,
        watched: false,
        color: false,
        columns: 100,
        stop: &AtomicBool::new(true),
        github: false,
        step_summary: None,
        program: Program::path(),
    };
    let line = ["holdover", "sim", "--threads", "1"];
    let exit = run(line.map(Into::into), SCENARIOS, &mut console);
    let out = String::from_utf8(out).unwrap();
    assert_eq!((exit, exit.code()), (Exit::Interrupted, 130));
    assert!(out.starts_with("lease (hardened)"), "{out}");
    assert!(out.ends_with("stopped by Ctrl-C, after 16 of 10,000 seeds\n"), "{out}");
    assert!(!out.contains("barren"), "{out}");
}

/// Goal: a spent time budget ends a campaign early with what there is, which is no failure.
#[test]
fn time_budget() {
    let ran = Program::new().run("sim lease --variant hardened --time-budget 1 --seeds 1000000000000");
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("stopped as the time budget is spent"), "{}", ran.out);
}
