//! Canonical JSON and fingerprints: the text that two equal requests share, however they were written.

use serde_json::{Map, Number, Value};
use sha2::{Digest, Sha256};
use std::cmp::Ordering;

/// The canonical text of a value: members in the order of ECMAScript (array indices first, by number, then
/// UTF-16 code units), numbers as a double prints, no white space.
pub fn canonical(value: &Value) -> String {
    let mut text = String::new();
    write_value(value, Order::Canonical, &mut text);
    text
}

/// The lower-case hexadecimal SHA-256 of a value's canonical text.
pub fn fingerprint(value: &Value) -> String {
    Sha256::digest(canonical(value)).iter().fold(String::with_capacity(64), |mut hex, byte| {
        hex.push(char::from(HEX[usize::from(byte >> 4)]));
        hex.push(char::from(HEX[usize::from(byte & 15)]));
        hex
    })
}

/// The size of a value in bytes when printed: what the limits of event data and metrics count.
pub(crate) fn printed_bytes(value: &Value) -> usize {
    let mut text = String::new();
    write_value(value, Order::AsGiven, &mut text);
    text.len()
}

const HEX: &[u8; 16] = b"0123456789abcdef";

#[derive(Clone, Copy, PartialEq)]
enum Order {
    Canonical,
    AsGiven,
}

fn write_value(value: &Value, order: Order, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Number(number) => write_number(number, out),
        Value::String(text) => write_text(text, out),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_value(item, order, out);
            }
            out.push(']');
        }
        Value::Object(members) => write_members(members, order, out),
    }
}

fn write_members(members: &Map<String, Value>, order: Order, out: &mut String) {
    let mut names: Vec<&String> = members.keys().collect();
    if order == Order::Canonical {
        names.sort_by(|left, right| compare_names(left, right));
    }
    out.push('{');
    for (index, name) in names.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_text(name, out);
        out.push(':');
        write_value(&members[name], order, out);
    }
    out.push('}');
}

fn compare_names(left: &str, right: &str) -> Ordering {
    match (array_index(left), array_index(right)) {
        (Some(left), Some(right)) => left.cmp(&right),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => left.encode_utf16().cmp(right.encode_utf16()),
    }
}

/// The number that a member name stands for when it is a canonical array index, at most 2^32 - 2.
fn array_index(name: &str) -> Option<u32> {
    let plain = name == "0" || (!name.starts_with('0') && name.bytes().all(|byte| byte.is_ascii_digit()));
    name.parse().ok().filter(|&index: &u32| plain && index < u32::MAX)
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{C}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            '\0'..='\u{1F}' => {
                out.push_str("\\u00");
                out.push(char::from(HEX[(c as usize) >> 4]));
                out.push(char::from(HEX[(c as usize) & 15]));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
}

/// Prints a number as ECMAScript prints the double nearest to it.
fn write_number(number: &Number, out: &mut String) {
    let double = number.as_f64().unwrap_or(0.0);
    if double == 0.0 {
        out.push('0');
        return;
    }
    // Rust's exponent form has the shortest digits that read back as the same double, which is the rule of
    // ECMAScript too; only the placing of the point differs.
    let shortest = format!("{:e}", double.abs());
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let digits: String = mantissa.chars().filter(|c| *c != '.').collect();
    let point = exponent.parse::<i32>().unwrap_or(0) + 1;
    if double < 0.0 {
        out.push('-');
    }
    place_point(&digits, point, out);
}

/// Writes `digits` with the decimal point behind the first `point` of them, by the rules of ECMAScript.
fn place_point(digits: &str, point: i32, out: &mut String) {
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    let zeros = |n: i32| "0".repeat(usize::try_from(n).unwrap_or(0));
    match point {
        _ if count <= point && point <= 21 => {
            out.push_str(digits);
            out.push_str(&zeros(point - count));
        }
        1..=21 => {
            let (whole, rest) = digits.split_at(usize::try_from(point).unwrap_or(0));
            out.push_str(whole);
            out.push('.');
            out.push_str(rest);
        }
        -5..=0 => {
            out.push_str("0.");
            out.push_str(&zeros(-point));
            out.push_str(digits);
        }
        _ => {
            let (first, rest) = digits.split_at(1);
            out.push_str(first);
            if !rest.is_empty() {
                out.push('.');
                out.push_str(rest);
            }
            out.push_str(if point > 0 { "e+" } else { "e-" });
            out.push_str(&(point - 1).abs().to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers print as ECMAScript prints them, member names sort as it sorts them.
    #[test]
    fn prints_as_ecmascript() {
        for (json, want) in [
            ("1.0", "1"),
            ("-0.0", "0"),
            ("1e20", "100000000000000000000"),
            ("1e21", "1e+21"),
            ("1e-6", "0.000001"),
            ("1.5e-7", "1.5e-7"),
            ("123456.789", "123456.789"),
            ("9007199254740993", "9007199254740992"),
            (
                r#"{"b":1,"10":2,"9":3,"a":{"z":1,"y":2},"01":4}"#,
                r#"{"9":3,"10":2,"01":4,"a":{"y":2,"z":1},"b":1}"#,
            ),
            (r#"["\u0001\n\"\\/é"]"#, "[\"\\u0001\\n\\\"\\\\/é\"]"),
        ] {
            let value: Value = serde_json::from_str(json).unwrap();
            assert_eq!(canonical(&value), want);
        }
    }

    /// Names beyond the basic plane sort before U+E000, as their first half does.
    #[test]
    fn sorts_names_by_code_units() {
        let value: Value = serde_json::from_str("{\"\u{E000}\":1,\"\u{10000}\":2}").unwrap();
        assert_eq!(canonical(&value), "{\"\u{10000}\":2,\"\u{E000}\":1}");
    }
}
