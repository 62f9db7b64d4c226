use crate::program::Program;

/// Goal: each end of a command has the exit code that the interface promises, and the worst of two ends wins.
#[test]
fn exit_codes() {
    let program = Program::new();
    program.write("broken.json", "{");
    let cases: &[(&str, i32)] = &[
        ("sim lease", 0),
        ("sim lease --seed 3", 0),
        ("sim lease --variant shares --seeds 50", 1),
        ("sim leese", 2),
        ("sim lease --variant forgets --seeds 50", 3),
        ("sim lease --variant wavers --seeds 1", 4),
        ("sim barren", 6),
        ("sim lease --variant panics --seeds 50", 101),
        // A floor is held to only where neither seeds nor variant were chosen, or on demand.
        ("sim barren --seeds 100", 0),
        ("sim barren --seeds 100 --floor", 6),
        ("sim barren --variant wavers --seeds 100 --floor", 4),
        ("sim barren --variant shares --seeds 100 --floor", 1),
        ("sim", 6),
        ("sim lease barren --variant shares --seeds 20", 1),
        // A failure whose trace cannot be kept is a failure all the same.
        ("sim lease --variant shares --seeds 20 --out /dev/null/nowhere", 1),
        ("selftest two-grants", 0),
        ("selftest recovered", 5),
        ("selftest unmasked", 5),
        ("selftest nothing-like-it", 2),
        ("digest lease --variant hardened 1 2 3", 0),
        ("vectors broken.json", 1),
        ("list", 0),
        ("help", 0),
        ("sim --help", 0),
        ("--version", 0),
    ];
    for (line, code) in cases {
        let ran = program.run(line);
        assert_eq!(ran.code, Some(*code), "{line}\n{}{}", ran.out, ran.err);
    }
}

/// Goal: what is found does not depend on how many threads look, nor on how often.
#[test]
fn threads_change_nothing() {
    let program = Program::new();
    let digest = |line: &str| {
        let out = program.run(line).out;
        out.lines().find(|line| line.trim_start().starts_with("digest")).map(str::to_owned)
    };
    let one = digest("sim lease --seeds 300 --threads 1");
    assert!(one.is_some());
    assert_eq!(one, digest("sim lease --seeds 300 --threads 1"));
    assert_eq!(one, digest("sim lease --seeds 300 --threads 3"));
    assert_ne!(one, digest("sim lease --seeds 301 --threads 3"));
}

/// Goal: the determinism gate catches its canary, a hash map's order that leaks into a run, and names the event in
/// which two processes part.
#[test]
fn the_canary_is_caught() {
    let ran = Program::new().run("sim lease --variant wavers --seeds 20");
    assert_eq!(ran.code, Some(4), "{}", ran.out);
    assert!(ran.out.contains("; they part in event ") && ran.out.contains(", after `lease "), "{}", ran.out);
}

/// Goal: the seed of a failure is told before it is shrunk, and without shrinking its trace stays as recorded.
#[test]
fn failures_are_told_and_shrunk_unless_asked_not_to() {
    let (short, long) = (Program::new(), Program::new());
    let shrunk = short.run("sim lease --variant shares --seeds 20");
    let whole = long.run("sim lease --variant shares --seeds 20 --no-shrink");
    assert_eq!((shrunk.code, whole.code), (Some(1), Some(1)));
    for ran in [&shrunk, &whole] {
        assert!(ran.err.contains("one-holder fell in seed "), "{}", ran.err);
    }
    let actions =
        |program: &Program| program.read("out/lease-shares-one-holder.json").matches("\"do\"").count();
    assert!(actions(&short) < actions(&long));
    assert!(whole.out.contains(", as recorded"), "{}", whole.out);
}
