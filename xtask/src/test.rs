use crate::{cargo::cargo, tally::Tally, verify::verify};
use std::{
    io::{self, BufRead, BufReader, Write},
    path::Path,
    process::Stdio,
};

/// Verifies, runs every test and prints `N passed, N failed` alone on the last line: checks and tests together.
///
/// Tests run simulations, so they are built for release, as `cargo sim` is: one build serves both.
pub(crate) fn test(root: &Path) -> bool {
    let mut tally = verify(root);
    for arguments in [ALL, DIGEST_IN_DEBUG] {
        match run(root, arguments) {
            Ok(tests) => tally.add(tests),
            Err(error) => {
                eprintln!("error: the tests cannot be run: {error}");
                tally.count(false);
            }
        }
    }
    println!("{tally}");
    tally.passed()
}

const ALL: &[&str] = &["test", "--release", "--workspace", "--no-fail-fast"];

/// A digest must not depend on the build profile, so one test runs in both.
const DIGEST_IN_DEBUG: &[&str] = &["test", "--package", "holdover-tests", "--test", "digest"];

fn run(root: &Path, arguments: &[&str]) -> io::Result<Tally> {
    let mut command = cargo(root, arguments);
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let mut tally = Tally::default();
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).split(b'\n') {
            let line = String::from_utf8_lossy(&line?).into_owned();
            writeln!(io::stdout(), "{line}")?;
            tally.add(result(&line).unwrap_or_default());
        }
    }
    let status = child.wait()?;
    if !status.success() && tally.passed() {
        eprintln!("error: a test program did not compile, or ended before it could report");
        tally.count(false);
    }
    Ok(tally)
}

/// What a line such as `test result: ok. 3 passed; 1 failed; 0 ignored; ...` counts.
fn result(line: &str) -> Option<Tally> {
    let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let count = |name: &str| {
        let part = counts.split("; ").find_map(|part| part.strip_suffix(name))?;
        part.trim_end().parse().ok()
    };
    Some(Tally { passed: count("passed")?, failed: count("failed")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: only the line that ends a test program counts.
    #[test]
    fn result_lines() {
        let line = "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.1s";
        assert_eq!(result(line), Some(Tally { passed: 12, failed: 3 }));
        assert_eq!(result("test reports ... ok"), None);
        assert_eq!(result("test result: none"), None);
    }
}
