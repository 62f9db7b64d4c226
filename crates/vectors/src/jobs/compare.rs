use super::symbols::Symbols;
use crate::Mismatch;
use serde_json::{Map, Value};

/// Where two answers differ. Absent and null are the same; an object with `"...": true` is open; in any other
/// object a member that is not listed must be absent or null.
pub(super) fn answers(expected: &Value, got: &Value, symbols: &mut Symbols) -> Vec<Mismatch> {
    let mut out = Vec::new();
    match expected.get("error") {
        Some(error) => errors(error, got, symbols, &mut out),
        None => values(expected, got, symbols, "$", &mut out),
    }
    out
}

/// An error's code, status and details; its message where one is recorded.
fn errors(expected: &Value, got: &Value, symbols: &mut Symbols, out: &mut Vec<Mismatch>) {
    let Some(error) = got.get("error") else {
        return out.push(mismatch("$", &serde_json::json!({ "error": expected }), got));
    };
    for member in ["code", "status", "details", "message"] {
        let Some(expected) = expected.get(member) else { continue };
        let expected = match expected {
            Value::String(text) => Value::String(symbols.resolve_inside(text)),
            other => other.clone(),
        };
        values(
            &expected,
            error.get(member).unwrap_or(&Value::Null),
            symbols,
            &format!("$.error.{member}"),
            out,
        );
    }
}

fn values(expected: &Value, got: &Value, symbols: &mut Symbols, path: &str, out: &mut Vec<Mismatch>) {
    match (expected, got) {
        (Value::Object(members), _) if members.contains_key("$runs") => {
            let expected = symbols.resolve(expected);
            values(&expected, got, symbols, path, out);
        }
        (Value::Object(expected), Value::Object(got)) => objects(expected, got, symbols, path, out),
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            for (index, (left, right)) in left.iter().zip(right).enumerate() {
                let path = format!("{path}[{index}]");
                match left.get("error") {
                    // A list of answers holds answers.
                    Some(error) if left.as_object().is_some_and(|members| members.len() == 1) => {
                        errors(error, right, symbols, out);
                    }
                    _ => values(left, right, symbols, &path, out),
                }
            }
        }
        (Value::String(symbol), Value::String(text)) if Symbols::is_symbol(symbol) => {
            if !symbols.accepts(symbol, text) {
                out.push(mismatch(path, expected, got));
            }
        }
        (Value::Number(left), Value::Number(right)) if left.as_f64() == right.as_f64() => {}
        _ if expected == got => {}
        _ => out.push(mismatch(path, expected, got)),
    }
}

fn objects(
    expected: &Map<String, Value>,
    got: &Map<String, Value>,
    symbols: &mut Symbols,
    path: &str,
    out: &mut Vec<Mismatch>,
) {
    for (name, expected) in expected.iter().filter(|(name, _)| *name != "...") {
        let got = got.get(name).unwrap_or(&Value::Null);
        values(expected, got, symbols, &format!("{path}.{name}"), out);
    }
    if expected.get("...") != Some(&Value::Bool(true)) {
        let extra = got.iter().filter(|(name, value)| !value.is_null() && !expected.contains_key(*name));
        out.extend(extra.map(|(name, value)| mismatch(&format!("{path}.{name}"), &Value::Null, value)));
    }
}

fn mismatch(path: &str, expected: &Value, got: &Value) -> Mismatch {
    Mismatch { step: String::new(), path: path.to_owned(), expected: expected.clone(), got: got.clone() }
}
