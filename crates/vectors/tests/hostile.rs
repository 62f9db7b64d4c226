//! Goal: whatever a vector file holds, playing it is an answer and no panic.

use holdover_vectors::formats;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use proptest::{collection::vec, prelude::*, sample::select};
use serde_json::{Value, json};
use std::{fs, path::Path};

/// The recorded vectors of all formats, those that are quick to play.
fn recorded() -> Vec<Value> {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    let files = holdover_vectors::walk(&[golden]).expect("the recorded vectors");
    let texts = files.iter().map(|file| fs::read_to_string(file).expect("a file that is there"));
    texts.filter(|text| text.len() < 8_000).map(|text| serde_json::from_str(&text).expect("JSON")).collect()
}

/// Values that no member expects.
fn values() -> impl Strategy<Value = Value> {
    let edges = vec![
        Value::Null,
        json!(true),
        json!(-1),
        json!(0),
        json!(0.5),
        json!(1e300),
        json!(i64::MIN),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(""),
        json!("\u{FEFF}@lease1"),
        json!([]),
        json!({}),
        json!([[null]]),
        json!({ "$runs": [["x", 3]] }),
    ];
    prop_oneof![6 => select(edges), 1 => any::<String>().prop_map(Value::String)]
}

/// How many values there are in this one, itself included.
fn size(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(size).sum::<usize>(),
        Value::Object(members) => members.values().map(size).sum(),
        _ => 0,
    }
}

/// Puts another value in the place of the one at this number, counted from the outermost, 0; `None` once it is done.
fn put(value: &mut Value, number: usize, other: &Value) -> Option<usize> {
    if number == 0 {
        *value = other.clone();
        return None;
    }
    let each: Box<dyn Iterator<Item = &mut Value>> = match value {
        Value::Array(items) => Box::new(items.iter_mut()),
        Value::Object(members) => Box::new(members.values_mut()),
        _ => return Some(number - 1),
    };
    let mut left = number - 1;
    for inner in each {
        left = put(inner, left, other)?;
    }
    Some(left)
}

/// Any few values of a recorded vector replaced: each format plays what its files have become, or says what is wrong.
#[test]
fn a_damaged_vector_is_played_or_refused() {
    let recorded = recorded();
    let config = Config { cases: 600, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let damages = vec((any::<prop::sample::Index>(), values()), 1..4);
    let variants = select(vec!["original", "hardened"]);
    let verdict = runner.run(&(0..recorded.len(), damages, variants), |(which, damages, variant)| {
        let mut vector = recorded[which].clone();
        let format = vector["format"].as_str().unwrap_or_default().to_owned();
        for (place, value) in &damages {
            let number = place.index(size(&vector));
            put(&mut vector, number, value);
        }
        let format = formats().iter().find(|known| known.id() == format).expect("a format of this build");
        if let Err(error) = format.run(&vector, variant) {
            prop_assert!(!error.to_string().contains('\n'), "an error is one line: {}", error);
        }
        Ok(())
    });
    verdict.expect("every vector is played or refused");
}
