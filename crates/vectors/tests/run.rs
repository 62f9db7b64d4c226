//! The runner at its boundary: files in, report out.

use holdover_vectors::{Format, FormatError, Mismatch, compare, run_all_with, walk};
use serde_json::Value;
use std::{fs, path::PathBuf};
use tempfile::TempDir;

/// A format whose scenario says itself what is answered: compares the members `want` and `have`.
struct Echo;

impl Format for Echo {
    fn id(&self) -> &'static str {
        "echo/1"
    }

    fn run(&self, scenario: &Value, variant: &str) -> Result<Vec<Mismatch>, FormatError> {
        if variant != "original" {
            return Err(FormatError::Variant { variant: variant.to_owned(), known: "original".to_owned() });
        }
        if scenario.get("panic").is_some() {
            panic!("asked to");
        }
        let want = scenario.get("want").ok_or_else(|| FormatError::malformed("$.want", "missing"))?;
        let mut out = Vec::new();
        compare(want, &scenario["have"], "$", &mut out);
        out.iter_mut().for_each(|mismatch| mismatch.step = "1 echo".to_owned());
        Ok(out)
    }
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn text(files: &[(&str, &str)], variant: &str) -> String {
    let folder = folder(files);
    let text = match run_all_with(&[&Echo], &[folder.path().to_owned()], variant) {
        Ok(report) => report.to_string(),
        Err(error) => error.to_string(),
    };
    text.replace(&format!("{}/", folder.path().display()), "")
        .replace(&folder.path().display().to_string(), "DIR")
}

/// Goal: whatever a file holds, the report has one clear answer for it.
#[test]
fn reports() {
    let cases: &[(&str, &str)] = &[
        (r#"{"format":"echo/1","want":1,"have":1.0}"#, "1 passed, 0 failed"),
        (
            r#"{"format":"echo/1","want":{"a":[1]},"have":{"a":[2]}}"#,
            "a.json\n  step 1 echo: $.a[0]\n    expected 1\n    got      2\n0 passed, 1 failed",
        ),
        (r#"{"format":"echo/1"}"#, "a.json: $.want: missing\n0 passed, 1 failed"),
        (r#"{"format":"echo/1","panic":1}"#, "a.json: panicked: asked to\n0 passed, 1 failed"),
        (r#"{"format":"other/9"}"#, "1 not run: unknown format `other/9`\n0 passed, 0 failed"),
        ("[]", "a.json: no text member `format`; a vector names its format there\n0 passed, 1 failed"),
        (
            "{",
            "a.json: not a JSON document: EOF while parsing an object at line 1 column 1\n0 passed, 1 failed",
        ),
    ];
    for (file, expected) in cases {
        assert_eq!(text(&[("a.json", file)], "original"), *expected, "{file}");
    }
}

/// Goal: a variant that only some formats have skips the files of the others and says so.
#[test]
fn variants_differ_by_format() {
    let vector = ("a.json", r#"{"format":"echo/1","want":1,"have":1}"#);
    let broken = ("b.json", "[]");
    let text = text(&[vector, broken], "hardened");
    let told = "b.json: no text member `format`; a vector names its format there\n\
                1 not run: echo/1: unknown variant `hardened`; known: original\n0 passed, 1 failed";
    assert_eq!(text, told);
}

/// Goal: what would fail every file alike is one line, not one a file.
#[test]
fn errors_of_the_whole_run() {
    let vector = ("a.json", r#"{"format":"echo/1","want":1,"have":1}"#);
    assert_eq!(text(&[vector], "hardned"), "echo/1: unknown variant `hardned`; known: original");
    assert_eq!(text(&[("a.txt", "")], "original"), "DIR: no *.json file in this folder or below it");
    let missing = run_all_with(&[&Echo], &[PathBuf::from("no/such")], "original").unwrap_err();
    assert_eq!(
        missing.to_string(),
        "no/such: no such file or folder; name a folder of vectors or a vector file"
    );
}

/// Goal: folders are walked in order and to the bottom, a named file is taken whatever its ending, none twice.
#[test]
fn walks() {
    let folder = folder(&[("b.json", ""), ("a/z.json", ""), ("a/y.txt", ""), ("c.vector", "")]);
    let at = |name: &str| folder.path().join(name);
    let found = walk(&[at("."), at("c.vector"), at("./b.json")]).unwrap();
    assert_eq!(found, [at("./a/z.json"), at("./b.json"), at("c.vector")]);
}

/// Goal: long values and long lists of mismatches stay readable.
#[test]
fn long_answers_are_cut() {
    let want = format!("[{}0]", "0,".repeat(8));
    let have = format!("[\"{}\"{}]", "x".repeat(500), ",1".repeat(8));
    let text =
        text(&[("a.json", &format!(r#"{{"format":"echo/1","want":{want},"have":{have}}}"#))], "original");
    assert!(text.contains("  ... 4 more in steps 1 echo"), "{text}");
    assert!(text.lines().all(|line| line.len() < 200), "{text}");
}
