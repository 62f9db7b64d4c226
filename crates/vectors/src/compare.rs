use crate::Mismatch;
use serde_json::{Map, Number, Value};

/// Compares two JSON values exactly and appends every difference to `out`, each with its path below `path` and
/// with an empty `step`, which the caller fills in.
///
/// By value: numbers numerically, object members in any order, lists in order. A member that is absent differs
/// from one that is null.
pub fn compare(expected: &Value, got: &Value, path: &str, out: &mut Vec<Mismatch>) {
    match (expected, got) {
        (Value::Object(expected), Value::Object(got)) => compare_members(expected, got, path, out),
        (Value::Array(expected), Value::Array(got)) => compare_items(expected, got, path, out),
        (Value::Number(a), Value::Number(b)) if equal_numbers(a, b) => {}
        (a, b) if a == b => {}
        _ => out.push(mismatch(path.to_owned(), Some(expected), Some(got))),
    }
}

fn compare_members(
    expected: &Map<String, Value>,
    got: &Map<String, Value>,
    path: &str,
    out: &mut Vec<Mismatch>,
) {
    for (name, value) in expected {
        let path = member_path(path, name);
        match got.get(name) {
            Some(other) => compare(value, other, &path, out),
            None => out.push(mismatch(path, Some(value), None)),
        }
    }
    for (name, value) in got.iter().filter(|(name, _)| !expected.contains_key(*name)) {
        out.push(mismatch(member_path(path, name), None, Some(value)));
    }
}

fn compare_items(expected: &[Value], got: &[Value], path: &str, out: &mut Vec<Mismatch>) {
    for index in 0..expected.len().max(got.len()) {
        let path = format!("{path}[{index}]");
        match (expected.get(index), got.get(index)) {
            (Some(expected), Some(got)) => compare(expected, got, &path, out),
            (expected, got) => out.push(mismatch(path, expected, got)),
        }
    }
}

/// Whole numbers are compared as such, because two of them beyond 2^53 may be one float.
fn equal_numbers(a: &Number, b: &Number) -> bool {
    match (a.as_i128(), b.as_i128()) {
        (Some(a), Some(b)) => a == b,
        _ => a.as_f64() == b.as_f64(),
    }
}

fn member_path(path: &str, name: &str) -> String {
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    if plain { format!("{path}.{name}") } else { format!("{path}[{}]", Value::from(name)) }
}

/// An absent side is shown as `(absent)` where the other side is null, since null would read as no difference.
fn mismatch(path: String, expected: Option<&Value>, got: Option<&Value>) -> Mismatch {
    let absent_beside = |other: Option<&Value>| match other {
        Some(Value::Null) => Value::from("(absent)"),
        _ => Value::Null,
    };
    Mismatch {
        step: String::new(),
        path,
        expected: expected.cloned().unwrap_or_else(|| absent_beside(got)),
        got: got.cloned().unwrap_or_else(|| absent_beside(expected)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Goal: each pair differs at exactly the listed paths, whichever side is the expected one.
    #[test]
    fn differs_at() {
        let cases: &[(Value, Value, &[&str])] = &[
            (json!({"a": 1, "b": 2}), json!({"b": 2.0, "a": 1}), &[]),
            (json!({"a": null}), json!({}), &["$.a"]),
            (json!([1, 2]), json!([2, 1]), &["$[0]", "$[1]"]),
            (json!([1]), json!([1, 2]), &["$[1]"]),
            (json!({"a": {"b c": [true]}}), json!({"a": {"b c": [false]}}), &["$.a[\"b c\"][0]"]),
            (json!(u64::MAX), json!(u64::MAX - 1), &["$"]),
            (json!(1), json!("1"), &["$"]),
        ];
        for (a, b, paths) in cases {
            for (expected, got) in [(a, b), (b, a)] {
                let mut out = Vec::new();
                compare(expected, got, "$", &mut out);
                let found: Vec<&str> = out.iter().map(|mismatch| mismatch.path.as_str()).collect();
                assert_eq!(found, *paths, "{expected} against {got}");
                assert!(out.iter().all(|mismatch| mismatch.expected != mismatch.got));
            }
        }
    }
}
