use crate::program::Program;

/// The result without what differs from machine to machine.
fn text(line: &str) -> String {
    let ran = Program::new().run(line);
    let kept = ran.out.lines().filter(|line| !line.trim_start().starts_with("speed"));
    kept.map(|line| format!("{line}\n")).collect()
}

/// Goal: a campaign that passes takes about ten lines.
#[test]
fn passes() {
    insta::assert_snapshot!(text("sim lease"));
}

/// Goal: each way to fail says what failed and how to see it again.
#[test]
fn fails() {
    insta::assert_snapshot!("violated", text("sim lease --variant shares --seeds 50"));
    insta::assert_snapshot!("panicked", text("sim lease --variant panics --seeds 50"));
    insta::assert_snapshot!("floor-missed", text("sim barren --floor --seeds 50"));
}

/// Goal: the list names what can be asked for and what is promised.
#[test]
fn lists() {
    insta::assert_snapshot!(text("list"));
}
