use crate::program::Program;

/// Goal: a failure leaves one whole trace for each invariant, which fails again under its own variant, passes under
/// the hardened one and says so where it no longer applies.
#[test]
fn kept_and_replayed() {
    let program = Program::new();
    program.run("sim lease --variant shares --seeds 50 --out kept");
    assert_eq!(program.files("kept"), ["lease-shares-one-holder.json"]);
    assert_eq!(program.files("."), ["kept"]);
    let again = program.run("replay kept/lease-shares-one-holder.json");
    assert_eq!(again.code, Some(1));
    assert!(again.out.contains("one-holder"), "{}", again.out);
    assert_eq!(program.run("replay kept/lease-shares-one-holder.json --variant hardened").code, Some(0));

    let trace = program.read("kept/lease-shares-one-holder.json");
    let steps = trace.find("\"steps\"").unwrap();
    let lose = r#""steps": [ {"n": 1, "do": "lose"} ] }"#;
    program.write("lost.json", &format!("{}{lose}", &trace[..steps]));
    let lost = program.run("replay lost.json");
    assert_eq!(lost.code, Some(6));
    assert!(lost.out.contains("action 1 "), "{}", lost.out);
}

/// Goal: a campaign that passes writes nothing.
#[test]
fn nothing_is_kept_of_a_pass() {
    let program = Program::new();
    program.run("sim lease --seeds 50");
    assert!(program.files(".").is_empty());
}
