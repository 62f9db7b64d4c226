use crate::program::Program;

/// Goal: the JUnit report has a suite for the campaign, a case for each invariant and for what else can be wrong, and
/// the story stands in the case that failed.
#[test]
fn junit() {
    let program = Program::new();
    program.run("sim lease --variant shares --seeds 50 --junit reports/junit.xml");
    let report = program.read("reports/junit.xml");
    assert!(report.contains(r#"tests="5" skipped="0" failures="1""#), "{report}");
    for part in ["<testsuite name=\"lease (shares)\"", "name=\"recovered\"", "name=\"floors\"", "Replay it:"]
    {
        assert!(report.contains(part), "no {part} in {report}");
    }
    program.run("sim barren --floor --seeds 50 --junit junit.xml");
    assert!(program.read("junit.xml").contains("never met: faults earthquake"));
}

/// Goal: a report that cannot be written is told of and weighed, and hides no finding.
#[test]
fn unwritable() {
    let program = Program::new();
    let ran = program.run("sim lease --seeds 5 --junit /dev/null/junit.xml");
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert_eq!(program.run("sim lease --variant shares --seeds 5 --junit /dev/null/junit.xml").code, Some(1));
}

/// Goal: within GitHub Actions what is wrong becomes an annotation and a row of the step's summary; elsewhere nothing
/// of it is printed, and standard output stays what it is.
#[test]
fn github() {
    let program = Program::new();
    let line = "sim lease --variant shares --seeds 50 --json --quiet";
    let variables = [("GITHUB_ACTIONS", "true"), ("GITHUB_STEP_SUMMARY", "summary.md")];
    let ran = program.run_with(line, &variables);
    let annotation = "::error title=lease (shares)::safety violated: one-holder in 48 of 50 seeds\n";
    assert_eq!((ran.err.as_str(), ran.out.lines().count()), (annotation, 1));
    program.run_with("sim lease --seeds 5", &variables);
    let summary = program.read("summary.md");
    assert!(summary.contains("| lease | shares | 50 | `"), "{summary}");
    assert!(summary.contains("| lease | hardened | 5 | `") && summary.ends_with("| passed |\n"), "{summary}");
    assert_eq!(program.run(line).err, "");
}
