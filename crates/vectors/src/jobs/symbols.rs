use serde_json::Value;
use std::collections::BTreeMap;

/// What the symbols of a scenario (`@lease1`, `@job1`, `@event1`) stand for, and the long texts that are written
/// as runs.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    texts: BTreeMap<String, String>,
}

impl Symbols {
    /// The symbol that a whole text is.
    pub(super) fn is_symbol(text: &str) -> bool {
        let kinds = ["@lease", "@job", "@event"];
        kinds.iter().any(|kind| {
            text.strip_prefix(kind)
                .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
        })
    }

    /// Whether this text may stand for the symbol; the first one that meets it is kept.
    pub(super) fn accepts(&mut self, symbol: &str, text: &str) -> bool {
        match self.texts.get(symbol) {
            Some(known) => known == text,
            None => {
                let fresh = !text.is_empty() && self.texts.values().all(|known| known != text);
                if fresh {
                    self.texts.insert(symbol.to_owned(), text.to_owned());
                }
                fresh
            }
        }
    }

    /// A message with the symbols inside it replaced.
    pub(super) fn resolve_inside(&self, text: &str) -> String {
        // Longer names first, so that `@job1` does not eat the beginning of `@job12`.
        let mut symbols: Vec<_> = self.texts.iter().collect();
        symbols.sort_by_key(|(symbol, _)| std::cmp::Reverse(symbol.len()));
        symbols.iter().fold(text.to_owned(), |text, (symbol, known)| text.replace(symbol.as_str(), known))
    }

    /// A value with whole-text symbols and runs replaced, everywhere inside it.
    pub(super) fn resolve(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.texts.get(text).unwrap_or(text).clone()),
            Value::Array(items) => items.iter().map(|item| self.resolve(item)).collect(),
            Value::Object(members) => match members.get("$runs") {
                Some(runs) => Value::String(expand(runs)),
                None => members.iter().map(|(name, value)| (name.clone(), self.resolve(value))).collect(),
            },
            other => other.clone(),
        }
    }
}

/// The most bytes of a text that is written as runs.
const RUNS_BYTES_MAX: u64 = 16_000_000;

/// Whether every text in this value that is written as runs is of a bearable length.
pub(super) fn runs_are_bearable(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().all(runs_are_bearable),
        Value::Object(members) => match members.get("$runs") {
            Some(runs) => {
                let pieces = runs.as_array().map_or(&[][..], Vec::as_slice);
                let bytes = pieces.iter().filter_map(|piece| {
                    let text = piece.get(0)?.as_str()?;
                    Some(piece.get(1)?.as_u64()?.saturating_mul(text.len() as u64))
                });
                bytes.fold(0, u64::saturating_add) <= RUNS_BYTES_MAX
            }
            None => members.values().all(runs_are_bearable),
        },
        _ => true,
    }
}

/// The text that `[["x", 128], ["é", 1]]` stands for: each piece, repeated so many times.
fn expand(runs: &Value) -> String {
    let pieces = runs.as_array().map_or(&[][..], Vec::as_slice);
    pieces
        .iter()
        .filter_map(|piece| Some((piece.get(0)?.as_str()?, usize::try_from(piece.get(1)?.as_u64()?).ok()?)))
        .map(|(text, times)| text.repeat(times))
        .collect()
}
