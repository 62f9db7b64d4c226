use super::layout::Layout;
use crate::{Line, Mark};

/// How many lines a story keeps, besides those that it points at.
const LINES_MAX: usize = 12;
/// How many lines are pointed at: the two sides of a conflict.
const POINTED_MAX: usize = 2;

/// Appends the story as aligned lines `time  node  event`: `!` marks a fault, `x` a refusal and `>` what the
/// violation argues about.
pub(crate) fn tell(out: &mut String, layout: Layout, lines: &[Line], evidence: &[String]) {
    let pointed = pointed(lines, evidence);
    let begin = lines.len().saturating_sub(LINES_MAX);
    let width = |text: fn(&Line) -> usize, least: usize| lines.iter().map(text).max().unwrap_or(0).max(least);
    let times = width(|line| seconds(line.at_ms).len(), "time".len());
    let nodes = width(|line| line.node.chars().count(), "node".len());
    layout.line(out, Layout::FAINT, &format!("    {:>times$}  {:<nodes$}  event", "time", "node"));
    let mut left_out = 0;
    for (index, line) in lines.iter().enumerate() {
        let points = pointed.contains(&index);
        if index < begin && !points {
            left_out += 1;
            continue;
        }
        tell_left_out(out, layout, &mut left_out);
        let (mark, style) = match line.mark {
            Mark::Plain => (' ', Layout::PLAIN),
            Mark::Fault => ('!', Layout::FAULT),
            Mark::Refused => ('x', Layout::REFUSED),
        };
        let (arrow, style) = if points { ('>', style.bold()) } else { (' ', style) };
        let prefix = format!("{arrow} {mark} {:>times$}  {:<nodes$}  ", seconds(line.at_ms), line.node);
        layout.paragraph(out, style, &prefix, &line.text);
    }
}

fn tell_left_out(out: &mut String, layout: Layout, left_out: &mut usize) {
    if *left_out > 0 {
        let lines = if *left_out == 1 { "line" } else { "lines" };
        layout.line(out, Layout::FAINT, &format!("    ... {left_out} earlier {lines}"));
        *left_out = 0;
    }
}

/// Milliseconds as seconds.
pub(crate) fn seconds(ms: i64) -> String {
    let sign = if ms < 0 { "-" } else { "" };
    format!("{sign}{}.{:03}", ms.unsigned_abs() / 1_000, ms.unsigned_abs() % 1_000)
}

/// For each name in turn, the line in which it first comes up, until there are two.
fn pointed(lines: &[Line], evidence: &[String]) -> Vec<usize> {
    let mut pointed = Vec::new();
    for name in evidence {
        let first = lines.iter().position(|line| line.node == *name || mentions(&line.text, name));
        if let Some(first) = first.filter(|first| !pointed.contains(first) && pointed.len() < POINTED_MAX) {
            pointed.push(first);
        }
    }
    pointed
}

/// Whether the name stands in the text as a word of its own: `grant-1` does not stand in `grant-12`.
fn mentions(text: &str, name: &str) -> bool {
    let part_of_name = |letter: char| letter.is_alphanumeric() || letter == '-' || letter == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(part_of_name) && !after.is_some_and(part_of_name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name is found as a whole word only.
    #[test]
    fn names_are_whole_words() {
        let text = "worker-1 renews grant-12, which ends";
        for (name, found) in [("worker-1", true), ("worker", false), ("grant-1", false), ("grant-12", true)] {
            assert_eq!(mentions(text, name), found, "{name}");
        }
    }

    /// Times print in seconds, before the start of the world too.
    #[test]
    fn times_are_seconds() {
        assert_eq!([seconds(0), seconds(12_045), seconds(-1_500)], ["0.000", "12.045", "-1.500"]);
    }
}
