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

    fn line(number: u32, node: &str, text: &str) -> Line {
        let mark = if text.starts_with("lost") { Mark::Fault } else { Mark::Plain };
        Line {
            at_ms: i64::from(number) * 100,
            step: number,
            node: node.to_owned(),
            text: text.to_owned(),
            mark,
        }
    }

    fn told(lines: &[Line], evidence: &[&str]) -> String {
        let evidence: Vec<String> = evidence.iter().map(|name| (*name).to_owned()).collect();
        let mut out = String::new();
        tell(&mut out, Layout { columns: 30, colour: false }, lines, &evidence);
        out
    }

    /// The end of a long story is kept, with the lines that are pointed at, and says what it leaves out.
    #[test]
    fn a_long_story_keeps_its_end_and_its_point() {
        let mut lines: Vec<Line> =
            (0..17).map(|number| line(number, "store", &format!("event {number}"))).collect();
        lines[1] = line(1, "w1", "lost grant-1");
        let short = "... 4 earlier lines";
        let cases = [
            (told(&lines, &[]), "    ... 5 earlier lines\n    0.500  store"),
            (
                told(&lines, &["grant-1"]),
                "    ... 1 earlier line\n> ! 0.100  w1     lost grant-1\n    ... 3 earlier lines\n",
            ),
            (told(&lines, &["w1"]), "> ! 0.100  w1     lost grant-1\n"),
            (told(&lines[..16], &[]), short),
            (told(&lines[..12], &[]), "event\n    0.000  store  event 0\n"),
        ];
        for (story, part) in cases {
            assert!(story.contains(part), "{part:?} in\n{story}");
        }
    }

    /// Names are pointed at in turn, each where it first comes up, until two lines are.
    #[test]
    fn two_lines_are_pointed_at() {
        let texts = ["a and b", "a", "b", "c", "d"];
        let lines: Vec<Line> = texts.iter().map(|text| line(0, "store", text)).collect();
        let cases: [(&[&str], &[usize]); 5] = [
            (&["a", "b", "c", "d"], &[0, 3]),
            (&["d", "c", "a"], &[4, 3]),
            (&["nothing", "c"], &[3]),
            (&["store", "c"], &[0, 3]),
            (&[], &[]),
        ];
        for (evidence, expected) in cases {
            let names: Vec<String> = evidence.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(pointed(&lines, &names), expected, "{evidence:?}");
        }
    }

    /// What is too long for its line goes on below its own column.
    #[test]
    fn long_events_wrap_below_themselves() {
        let story = told(&[line(1, "w1", "claims the job and then waits")], &[]);
        assert_eq!(
            story,
            "     time  node  event\n    0.100  w1    claims the\n                 job and then\n                 waits\n"
        );
    }

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
