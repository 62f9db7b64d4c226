use crate::program::Program;
use serde_json::Value;

/// Goal: standard output is one line, an array with an object for each scenario, with every member that the schema
/// names; nothing else is said with `--quiet`.
#[test]
fn one_line_of_json() {
    let program = Program::new();
    let ran = program.run("sim --variant shares --seeds 50 --json --quiet");
    assert_eq!((ran.code, ran.err.as_str(), ran.out.lines().count()), (Some(1), "", 1));
    let campaigns: Vec<Value> = serde_json::from_str(&ran.out).unwrap();
    let names: Vec<&Value> = campaigns.iter().map(|campaign| &campaign["scenario"]).collect();
    assert_eq!(names, ["lease", "barren"]);
    let campaign = &campaigns[0];
    let members = [
        "schema",
        "version",
        "shard",
        "wanted",
        "floors",
        "nondeterminism",
        "scenario",
        "variant",
        "first_seed",
        "seeds",
        "interrupted",
        "events",
        "simulated_ms",
        "wall_s",
        "cpu_s",
        "faults",
        "pairs",
        "transitions",
        "unlisted",
        "states",
        "probes",
        "invariants",
        "recovery",
        "violations",
        "panics",
        "digest",
    ];
    assert!(members.iter().all(|member| campaign.get(member).is_some()), "{campaign}");
    assert_eq!(campaign.as_object().unwrap().len(), members.len(), "{campaign}");
    let times = [&campaign["wall_s"], &campaign["cpu_s"]];
    assert!(times.iter().all(|time| time.as_f64().is_some_and(|time| time >= 0.0)), "{campaign}");
    let violation = &campaign["violations"][0];
    assert_eq!(violation["invariant"], "one-holder");
    let trace = violation["trace"].as_str().unwrap();
    assert_eq!(program.run(&format!("replay {trace}")).code, Some(1));
}

/// Goal: without `--quiet` the text that would have been the result is narration.
#[test]
fn text_is_narration() {
    let ran = Program::new().run("sim lease --seeds 5 --json");
    assert_eq!((ran.code, ran.out.lines().count()), (Some(0), 1));
    assert!(ran.err.ends_with("PASS\n"), "{}", ran.err);
}
