use crate::{
    cargo::{cargo, has, succeeds},
    finding::Finding,
    layers, source,
    tally::Tally,
};
use std::path::Path;

type Check = fn(&Path) -> bool;

/// The quick ones first. Lints and documentation use the profile of the tests, so that what they compile for
/// the build itself (macros, build scripts) is compiled once.
const CHECKS: &[(&str, Check)] = &[
    ("source rules", |root| report(source::check(root))),
    ("layers", |root| report(layers::check(root))),
    ("format", |root| has(root, "fmt", "rustfmt") && succeeds(cargo(root, &["fmt", "--all", "--check"]))),
    ("lints", |root| has(root, "clippy", "clippy") && lints(root)),
    ("documentation", documentation),
];

/// Every check, whichever fails before it. Writes nothing but build output.
pub(crate) fn verify(root: &Path) -> Tally {
    let mut tally = Tally::default();
    for (name, check) in CHECKS {
        let passed = check(root);
        eprintln!("check {name} ... {}", if passed { "ok" } else { "FAILED" });
        tally.count(passed);
    }
    if !tally.passed() {
        eprintln!("`cargo xtask fix` repairs format and simple lints");
    }
    tally
}

/// Formats, and lets clippy apply what it can; formats again, because clippy does not.
pub(crate) fn fix(root: &Path) -> bool {
    let clippy =
        ["clippy", "--release", "--workspace", "--all-targets", "--fix", "--allow-dirty", "--allow-staged"];
    has(root, "fmt", "rustfmt")
        && has(root, "clippy", "clippy")
        && succeeds(cargo(root, &clippy))
        && succeeds(cargo(root, &["fmt", "--all"]))
}

fn lints(root: &Path) -> bool {
    let mut arguments = vec!["clippy", "--release", "--quiet", "--workspace", "--all-targets"];
    arguments.extend(["--", "-D", "warnings"]);
    succeeds(cargo(root, &arguments))
}

fn documentation(root: &Path) -> bool {
    let mut command = cargo(root, &["doc", "--release", "--quiet", "--workspace", "--no-deps"]);
    // The variable replaces the flags of .cargo/config.toml, so that the simulated lane needs its cfg here as well.
    command.env("RUSTDOCFLAGS", "--cfg madsim -D warnings");
    succeeds(command)
}

fn report(findings: Result<Vec<Finding>, String>) -> bool {
    match findings {
        Ok(findings) => {
            findings.iter().for_each(|finding| eprintln!("{finding}"));
            findings.is_empty()
        }
        Err(error) => {
            eprintln!("error: {error}");
            false
        }
    }
}
