//! A frontier as Markdown tables that are read as plain text as well.

use super::{FrontierReport, FrontierRow, Limit};
use std::collections::BTreeMap;

/// The scope, and for each variant a table: an invariant a line, a kind of error a column.
pub(super) fn markdown(report: &FrontierReport) -> String {
    let mut text = format!("{}\n\nSeeds at each size: {}.\n\n", report.scope, report.seeds);
    for kind in &report.kinds {
        let ladder: Vec<String> = kind.ladder.iter().map(i64::to_string).collect();
        text.push_str(&format!("- `{}`: {}; {}\n", kind.name, kind.about, ladder.join(", ")));
    }
    let mut variants: Vec<&str> = report.rows.iter().map(|row| row.variant.as_str()).collect();
    variants.dedup();
    for variant in variants {
        text.push_str(&format!("\n### `{variant}`\n\n"));
        let rows: Vec<_> = report.kinds.iter().filter_map(|kind| report.row(variant, kind.name)).collect();
        text.push_str(&section(&rows));
    }
    text
}

/// One variant: the invariants that fall at some size, and the names of those that always do or never.
fn section(rows: &[&FrontierRow]) -> String {
    let all = |invariant: &str, is: fn(&Limit) -> bool| rows.iter().all(|row| is(&row.limits[invariant]));
    let (mut told, mut always, mut never) = (Vec::new(), Vec::new(), Vec::new());
    for &invariant in rows.first().map_or(&BTreeMap::new(), |row| &row.limits).keys() {
        match invariant {
            id if all(id, |limit| matches!(limit, Limit::AtLeast { .. })) => never.push(id),
            id if all(id, |limit| matches!(limit, Limit::None { .. })) => always.push(id),
            id => told.push(id),
        }
    }
    let names = |title: &str, names: &[&str]| match names {
        [] => String::new(),
        _ => format!("\n{title}: {}.\n", names.join(", ")),
    };
    let table = align(&cells(rows, &told));
    table + &names("`none` for every kind", &always) + &names("`>=` the last size for every kind", &never)
}

fn cells(rows: &[&FrontierRow], invariants: &[&str]) -> Vec<Vec<String>> {
    let head = ["invariant"].into_iter().chain(rows.iter().map(|row| row.kind)).map(str::to_owned);
    let mut cells = vec![head.collect::<Vec<_>>()];
    for invariant in invariants {
        let limits = rows.iter().map(|row| row.limits[invariant].to_string());
        cells.push([(*invariant).to_owned()].into_iter().chain(limits).collect());
    }
    let overlaps = rows.iter().map(|row| row.overlap());
    cells.push(["*beliefs overlap*".to_owned()].into_iter().chain(overlaps).collect());
    cells
}

/// The cells as a table whose columns are as wide as their widest cell.
fn align(cells: &[Vec<String>]) -> String {
    let columns = cells.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..columns)
        .map(|column| cells.iter().map(|line| line[column].chars().count()).max().unwrap_or(0))
        .collect();
    let line = |texts: Vec<String>| format!("| {} |\n", texts.join(" | "));
    let mut text = String::new();
    for (place, row) in cells.iter().enumerate() {
        text.push_str(&line(
            row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}")).collect(),
        ));
        if place == 0 {
            text.push_str(&line(widths.iter().map(|&width| "-".repeat(width)).collect()));
        }
    }
    text
}
