use crate::program::Program;
use serde_json::Value;

/// Goal: a bug is found by the invariant named beforehand or it is missed, whatever else falls; a mask that hides
/// nothing is a miss as well; and each bug that was found leaves its shortest trace.
#[test]
fn only_the_named_invariant_counts() {
    let program = Program::new();
    let ran = program.run("selftest --out kept --table table.md");
    assert_eq!(ran.code, Some(5), "{}{}", ran.out, ran.err);
    assert!(ran.out.ends_with("FAIL: not found as named beforehand: misnamed, unmasked\n"), "{}", ran.out);
    assert_eq!(program.files("kept"), ["never-freed.json", "two-grants.json", "unmasked.json"]);
    assert_eq!(program.run("replay kept/two-grants.json").code, Some(1));
    let table = program.read("table.md");
    assert!(table.contains("- misses: misnamed, unmasked\n"), "{table}");
    assert!(
        table.contains("\nnever-freed | toy | own | It is wrong on purpose. | recovered |  | "),
        "{table}"
    );
}

/// Goal: the results for machines are one line, with an entry for each bug; threads change nothing.
#[test]
fn one_line_of_json() {
    let program = Program::new();
    let ran = program.run("selftest --json --threads 1");
    assert_eq!(ran.out, program.run("selftest --json --threads 3").out);
    let scenarios: Vec<Value> = serde_json::from_str(&ran.out).unwrap();
    let bugs = scenarios[0]["bugs"].as_array().unwrap();
    assert_eq!((scenarios.len(), bugs.len()), (1, 4));
    assert_eq!(bugs[0]["bug"]["id"], "two-grants");
    assert!(bugs[0]["found"]["random"]["best"].as_u64().is_some_and(|actions| actions <= 3), "{}", bugs[0]);
    assert_eq!(bugs[2]["found"]["random"], "missed");
}

/// Goal: what is no plain file stays what it is: a link is written through, not replaced.
#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    let program = Program::new();
    program.write("table.md", "");
    std::os::unix::fs::symlink("table.md", program.path_of("link.md")).unwrap();
    assert_eq!(program.run("selftest two-grants --table link.md").code, Some(0));
    assert!(program.read("table.md").contains("two-grants"));
}
