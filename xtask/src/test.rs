use crate::{cargo::cargo, servers, tally::Tally, verify::verify};
use std::{
    io::{self, BufRead, BufReader, Write},
    path::Path,
    process::Stdio,
};

/// Which tests are run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Options {
    /// The tests that need a server are left out.
    embedded: bool,
    /// Servers that are missing are installed.
    install: bool,
}

impl Options {
    /// Reads `[--embedded | --install]`.
    pub(crate) fn parse(arguments: &[&str]) -> Result<Self, String> {
        match arguments {
            [] => Ok(Self::default()),
            ["--embedded"] => Ok(Self { embedded: true, ..Self::default() }),
            ["--install"] => Ok(Self { install: true, ..Self::default() }),
            [other, ..] => Err(format!(
                "`{other}` is not an option of cargo xtask test by itself; options are --embedded or --install"
            )),
        }
    }
}

/// Verifies, runs every test and prints `N passed, N failed` alone on the last line: checks and tests together.
///
/// Tests run simulations, so they are built for release, as `cargo sim` is: one build serves both. Tests of servers
/// start their own, from the programs that are installed.
pub(crate) fn test(root: &Path, options: Options) -> bool {
    if !options.embedded
        && let Err(error) = servers::provide(options.install)
    {
        eprintln!("error: {error}");
        return false;
    }
    let mut tally = verify(root);
    let mut all = ["test", "--release", "--workspace", "--no-fail-fast"].to_vec();
    if options.embedded {
        all.extend(servers::PACKAGES.iter().flat_map(|package| ["--exclude", package]));
    }
    for arguments in [&all[..], DIGEST_IN_DEBUG] {
        match run(root, arguments) {
            Ok(tests) => tally.add(tests),
            Err(error) => {
                eprintln!("error: the tests cannot be run: {error}");
                tally.count(false);
            }
        }
    }
    if options.embedded {
        println!("left out with --embedded: the tests of {}", servers::PACKAGES.join(", "));
    }
    println!("{tally}");
    tally.passed()
}

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

    /// Goal: options are read, and others are refused.
    #[test]
    fn options() {
        assert_eq!(Options::parse(&[]), Ok(Options::default()));
        assert_eq!(Options::parse(&["--embedded"]), Ok(Options { embedded: true, install: false }));
        for wrong in ["--fast", "--embedded=yes"] {
            assert!(Options::parse(&[wrong]).is_err_and(|error| error.contains("--embedded or --install")));
        }
    }

    /// Goal: only the line that ends a test program counts.
    #[test]
    fn result_lines() {
        let line = "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.1s";
        assert_eq!(result(line), Some(Tally { passed: 12, failed: 3 }));
        assert_eq!(result("test reports ... ok"), None);
        assert_eq!(result("test result: none"), None);
    }
}
