//! What GitHub Actions shows of a step: annotations and a summary.

use super::judge::Problem;
use crate::{Console, error::CommandError, number::grouped};
use holdover::CampaignSummary;
use std::{fs::OpenOptions, io::Write};

/// An annotation for everything that is wrong. Actions reads them from standard error as well, where they do not
/// come into the JSON.
pub(crate) fn annotate(campaign: &CampaignSummary, problems: &[Problem], console: &mut Console<'_>) {
    if !console.github {
        return;
    }
    let title = format!("{} ({})", campaign.scenario, campaign.variant);
    for problem in problems {
        console.narrate(format_args!("::error title={}::{}", property(&title), message(&problem.text)));
    }
}

/// Appends a table of the campaigns to the summary of the step, if there is one.
pub(crate) fn summarise(
    told: &[(CampaignSummary, Vec<Problem>)],
    console: &Console<'_>,
) -> Result<(), CommandError> {
    let Some(path) = console.step_summary.as_ref().filter(|_| console.github) else { return Ok(()) };
    let mut text =
        "| scenario | variant | seeds | digest | verdict |\n| --- | --- | --- | --- | --- |\n".to_owned();
    for (campaign, problems) in told {
        text.push_str(&row(campaign, problems));
    }
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|source| CommandError::Unwritable { path: path.clone(), source })
}

fn row(campaign: &CampaignSummary, problems: &[Problem]) -> String {
    let problems: Vec<String> = problems.iter().map(|problem| cell(&problem.text)).collect();
    let verdict = if problems.is_empty() { "passed".to_owned() } else { problems.join("<br>") };
    let (scenario, variant) = (cell(&campaign.scenario), cell(&campaign.variant));
    let (seeds, digest) = (grouped(campaign.seeds), holdover::hex(campaign.digest));
    format!("| {scenario} | {variant} | {seeds} | `{digest}` | {verdict} |\n")
}

/// A text as a cell of a table, of one line.
fn cell(text: &str) -> String {
    text.replace(['\r', '\n'], " ").replace('|', "\\|").replace('<', "&lt;")
}

/// A text as the message of an annotation.
fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A text as the value of a property of an annotation.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: no text can end its annotation or its cell early.
    #[test]
    fn texts_stay_within_their_place() {
        assert_eq!(message("100 %\r\n: done, yes"), "100 %25%0D%0A: done, yes");
        assert_eq!(property("a: b, c"), "a%3A b%2C c");
        assert_eq!(cell("a | b\n<c>"), "a \\| b &lt;c>");
    }
}
