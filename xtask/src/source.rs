//! Rules about source text that no lint knows.

use crate::finding::Finding;
use std::{
    fs, io,
    path::{Path, PathBuf},
};

const LINES_MAX: usize = 500;

/// Where the machines live: no clock, thread, environment or IO is named there.
const PURE: &[&str] =
    &["crates/machine/src", "crates/jobs/src", "crates/offers/src", "crates/recovery/src", "crates/runs/src"];

/// What pure source must not name, and what to use instead.
const BANNED_IN_PURE: &[(&str, &str)] = &[
    ("std::time::Instant", "take the time as an argument"),
    ("std::time::SystemTime", "take the time as an argument"),
    ("std::thread", "emit an effect and let a shell carry it out"),
    ("std::fs", "emit an effect and let a shell carry it out"),
    ("std::net", "emit an effect and let a shell carry it out"),
    ("std::io", "emit an effect and let a shell carry it out"),
    ("std::env", "take it as an argument"),
    ("async fn", "return and be handed the outcome as an input"),
    (".await", "return and be handed the outcome as an input"),
];

/// Every breach in the `.rs` files of the workspace.
pub(crate) fn check(root: &Path) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for path in sources(root).map_err(|error| format!("the source cannot be listed: {error}"))? {
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        check_file(path.strip_prefix(root).unwrap_or(&path), &text, &mut findings);
    }
    Ok(findings)
}

fn check_file(path: &Path, text: &str, findings: &mut Vec<Finding>) {
    let mut find = |line: usize, what: String| findings.push(Finding { path: path.to_owned(), line, what });
    let lines = text.lines().count();
    if lines > LINES_MAX {
        find(
            LINES_MAX + 1,
            format!("the file has {lines} lines, split it by what it is about ({LINES_MAX} at most)"),
        );
    }
    let pure = PURE.iter().any(|folder| path.starts_with(folder));
    let code: Vec<&str> = text.lines().map(without_comment).collect();
    for (index, line) in code.iter().enumerate() {
        if opens_select(line) && !starts_biased(&code, index) {
            find(
                index + 1,
                "an unbiased `select!` lets chance decide, use `biased;` as its first line instead"
                    .to_owned(),
            );
        }
        for (banned, instead) in BANNED_IN_PURE.iter().filter(|(banned, _)| pure && line.contains(banned)) {
            find(index + 1, format!("`{banned}` in a protocol crate, {instead} instead"));
        }
    }
}

fn without_comment(line: &str) -> &str {
    line.split("//").next().unwrap_or(line)
}

fn opens_select(line: &str) -> bool {
    line.split_once("select!").is_some_and(|(_, rest)| rest.trim_start().starts_with(['{', '(']))
}

/// Whether the first thing inside the braces is `biased;`, on the same line or the next that is not empty.
fn starts_biased(code: &[&str], index: usize) -> bool {
    let after = code[index]
        .split_once("select!")
        .map_or("", |(_, rest)| rest.trim_start().trim_start_matches(['{', '(']));
    let mut inside = std::iter::once(after).chain(code[index + 1..].iter().copied()).map(str::trim);
    inside.find(|line| !line.is_empty()).is_some_and(|line| line.starts_with("biased"))
}

/// Every `.rs` file below the workspace, in order. Build output and hidden folders hold no source of ours, and
/// this program names what it bans.
fn sources(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            if entry.file_type()?.is_dir() {
                let skipped = name == "target" || name == "xtask" || name.starts_with('.');
                folders.extend((!skipped).then_some(path));
            } else if name.ends_with(".rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: each text breaks the rules at exactly the listed lines.
    #[test]
    fn found_at() {
        let long = "\n".repeat(LINES_MAX + 2);
        let cases: &[(&str, &str, &[usize])] = &[
            ("crates/node/src/a.rs", "select! {\n  a = b => {}\n}", &[1]),
            ("crates/node/src/a.rs", "tokio::select! {\n\n  // first come\n  biased;\n}", &[]),
            ("crates/node/src/a.rs", "select! { biased; a = b => {} }", &[]),
            ("crates/node/src/a.rs", "// select! { is random\nuse tokio::select;", &[]),
            ("crates/node/src/a.rs", "use std::time::Instant;", &[]),
            ("crates/jobs/src/a.rs", "use x;\nuse std::time::Instant;", &[2]),
            ("crates/jobs/tests/a.rs", "use std::fs;", &[]),
            ("crates/jobs/src/a.rs", &long, &[LINES_MAX + 1]),
        ];
        for (path, text, lines) in cases {
            let mut findings = Vec::new();
            check_file(Path::new(path), text, &mut findings);
            let found: Vec<usize> = findings.iter().map(|finding| finding.line).collect();
            assert_eq!(found, *lines, "{path}: {text}");
        }
    }
}
