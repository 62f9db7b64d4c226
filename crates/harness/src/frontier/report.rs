use super::{ErrorKind, Limit, table};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What a frontier has measured.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrontierReport {
    /// The scenario.
    pub scenario: &'static str,
    /// What was measured and what was left out.
    pub scope: String,
    /// How many seeds were run at each size.
    pub seeds: u64,
    /// The kinds of errors.
    pub kinds: Vec<ErrorKind>,
    /// A row for each variant and kind, variant by variant.
    pub rows: Vec<FrontierRow>,
}

/// How much of one kind of error one variant stands.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrontierRow {
    /// The variant.
    pub variant: String,
    /// The name of the kind of error.
    pub kind: &'static str,
    /// The limit of each invariant.
    pub limits: BTreeMap<&'static str, Limit>,
    /// How long two owners believed at once, at each size.
    pub overlaps: Vec<OverlapAt>,
}

/// The longest time for which two believed at once that they own the same thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OverlapAt {
    /// The size of the error.
    pub size: i64,
    /// Milliseconds of true time.
    pub longest_ms: i64,
}

impl FrontierReport {
    /// The row of a variant and a kind of error.
    pub fn row(&self, variant: &str, kind: &str) -> Option<&FrontierRow> {
        self.rows.iter().find(|row| row.variant == variant && row.kind == kind)
    }

    /// The report for people: a table for each variant, in Markdown.
    pub fn to_markdown(&self) -> String {
        table::markdown(self)
    }

    /// The report for machines.
    pub fn to_json(&self) -> Value {
        let kinds: Vec<Value> = self
            .kinds
            .iter()
            .map(|kind| json!({ "name": kind.name, "about": kind.about, "ladder": kind.ladder }))
            .collect();
        let rows: Vec<Value> = self.rows.iter().map(FrontierRow::to_json).collect();
        json!({
            "scenario": self.scenario,
            "scope": self.scope,
            "seeds": self.seeds,
            "kinds": kinds,
            "rows": rows,
        })
    }
}

impl FrontierRow {
    fn to_json(&self) -> Value {
        let overlaps: Vec<Value> = self
            .overlaps
            .iter()
            .map(|overlap| json!({ "size": overlap.size, "longest_ms": overlap.longest_ms }))
            .collect();
        json!({ "variant": self.variant, "kind": self.kind, "limits": self.limits, "overlaps": overlaps })
    }

    /// At which size beliefs overlap first, and for how long at the last.
    pub(super) fn overlap(&self) -> String {
        match (self.overlaps.iter().find(|overlap| overlap.longest_ms > 0), self.overlaps.last()) {
            (Some(first), Some(last)) => {
                format!("{} ms at {}, {} ms at {}", first.longest_ms, first.size, last.longest_ms, last.size)
            }
            _ => "never".to_owned(),
        }
    }
}
