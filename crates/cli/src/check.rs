use crate::{Console, Exit, arguments::CheckArguments, error::CommandError, number::grouped};
use holdover::history::{HistoryCheck, HistoryError, HistoryReader, HistoryVerdict};
use serde_json::{Value, json};
use std::{
    fmt::Write,
    fs::File,
    io::{self, BufRead, BufReader},
    path::Path,
};

/// What each rule needs to be told, or it is not checked.
const RULES: [(&str, &str); 7] = [
    ("linearizable", "nothing was carried out"),
    ("single-owner", "no claim was granted"),
    ("fencing", "no claim was granted"),
    ("terminal-absorbing", "nothing was completed"),
    ("expired-is-over", "no lease was used of which an answer tells `remaining_ms`"),
    (
        "no-false-recovery",
        "no job was granted again whose holder had not ended a lease that tells `remaining_ms`",
    ),
    ("found-nothing", "no claim names its `executors` and found nothing"),
];

/// Judges a history and tells what its operations cannot be explained by.
pub(crate) fn check(arguments: &CheckArguments, console: &mut Console<'_>) -> Result<Exit, CommandError> {
    let piped = arguments.history.as_os_str() == "-";
    let path = if piped { Path::new("standard input") } else { &arguments.history };
    let input: Result<Box<dyn BufRead>, io::Error> = match piped {
        true => Ok(Box::new(io::stdin().lock())),
        false => File::open(path).map(|file| Box::new(BufReader::new(file)) as _),
    };
    let verdict =
        input.map_err(HistoryError::from).and_then(|input| read(input, arguments.clock_slack, console));
    let verdict = verdict.map_err(|source| CommandError::History { path: path.to_owned(), source })?;
    let name = path.display().to_string();
    if arguments.json {
        console.print(json!([summary(&name, &verdict)]))?;
    } else {
        console.print(text(&name, &verdict))?;
    }
    Ok(match verdict.passed() {
        false => Exit::Safety,
        true if console.stopped() => Exit::Interrupted,
        true => Exit::Passed,
    })
}

/// Reads a history to its end or until Ctrl-C.
fn read(input: impl BufRead, slack_ms: u64, console: &Console<'_>) -> Result<HistoryVerdict, HistoryError> {
    let mut check = HistoryCheck::new(slack_ms.cast_signed());
    for event in HistoryReader::new(input).take_while(|_| !console.stopped()) {
        let (line, event) = event?;
        check.event(line, event)?;
    }
    check.finish()
}

fn text(name: &str, verdict: &HistoryVerdict) -> String {
    let HistoryVerdict { operations, ok, failed, unknown, jobs, report, stories, .. } = verdict;
    let [operations, ok, failed, unknown] = [*operations, *ok, *failed, *unknown].map(grouped);
    let jobs = if *jobs == 1 { "1 job".to_owned() } else { format!("{} jobs", grouped(*jobs as u64)) };
    let mut text =
        format!("{name}: {operations} operations on {jobs}: {ok} ok, {failed} fail, {unknown} info\n");
    for (rule, needs) in RULES {
        let _ = match report.checked.get(rule) {
            Some(&checked) => writeln!(text, "  {rule:<20}{:>10} checked", grouped(checked)),
            None => writeln!(text, "  {rule:<20}NOT CHECKED: {needs}"),
        };
    }
    for violation in report.violations.iter() {
        let (rule, sentence) = (&*violation.invariant, &violation.sentence);
        let line = report.places.get(rule).copied().unwrap_or_default();
        let _ = writeln!(text, "\n{rule} violated in line {line}: {sentence}");
        if rule == "linearizable" {
            stories.iter().for_each(|story| text.push_str(&format!("\n{story}\n")));
        }
    }
    let broken: Vec<String> =
        report.violated.iter().map(|(rule, count)| format!("{rule} {}", times(*count))).collect();
    text + &match broken.len() {
        0 => "PASS".to_owned(),
        _ => format!("\nFAIL: {}", broken.join(", ")),
    }
}

fn times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{} times", grouped(count)) }
}

fn summary(name: &str, verdict: &HistoryVerdict) -> Value {
    let HistoryVerdict { events, operations, ok, failed, unknown, jobs, report, stories, .. } = verdict;
    let violations: Vec<Value> = report
        .violations
        .iter()
        .map(|violation| {
            let rule = &*violation.invariant;
            json!({
                "rule": rule, "sentence": violation.sentence, "at_ms": violation.at_ms,
                "line": report.places.get(rule), "times": report.violated.get(rule),
            })
        })
        .collect();
    let unexplained: Vec<Value> = stories
        .iter()
        .map(|story| {
            let lines = |operations: &[_]| -> Vec<u64> {
                operations
                    .iter()
                    .map(|operation: &holdover::history::Operation<_>| operation.invoked)
                    .collect()
            };
            json!({
                "job": story.job, "operation": story.operation.to_string(), "line": story.operation.returned,
                "explained_up_to": story.explained_up_to(),
                "states": story.states.iter().map(ToString::to_string).collect::<Vec<_>>(),
                "pending": lines(&story.pending),
            })
        })
        .collect();
    json!({
        "schema": "holdover-check-v1", "history": name, "passed": verdict.passed(), "events": events,
        "operations": operations, "ok": ok, "fail": failed, "info": unknown, "jobs": jobs,
        "checked": report.checked, "violations": violations, "unexplained": unexplained,
    })
}
