use super::finder::{Finder, Finding};
use super::tested::Tested;
use crate::number::grouped;
use holdover::Score;
use std::collections::BTreeSet;

/// The results as lines: one for each bug, then the sums, and on the last line whether all were found.
pub(super) fn text(scenario: &str, finders: &[Finder<'_>], all: &[Tested], stopped: bool) -> String {
    let classes: BTreeSet<_> = all.iter().map(|tested| tested.planted.class).collect();
    let mut text = format!("{scenario}: {} planted bugs of {} classes\n", all.len(), classes.len());
    let width = |of: fn(&Tested) -> &str| all.iter().map(|tested| of(tested).len()).max().unwrap_or(0);
    let (ids, names) = (width(|tested| tested.planted.id), width(|tested| tested.planted.invariant));
    for tested in all {
        let planted = &tested.planted;
        text.push_str(&format!("  {:<ids$}  {:<names$}", planted.id, planted.invariant));
        for (finder, finding) in finders.iter().zip(&tested.findings) {
            text.push_str(&format!("  {}: {}", finder.name(), say(finder, finding)));
        }
        text.push_str(match tested.masked {
            Some(true) => "  (only with its mask away)",
            Some(false) => "  (its mask is none: one of the two shows alone)",
            None => "",
        });
        text.push('\n');
    }
    for (place, finder) in finders.iter().enumerate() {
        text.push_str(&format!("{}\n", sums(finder, place, all)));
    }
    let missed: Vec<_> =
        all.iter().filter(|tested| tested.is_missed()).map(|tested| tested.planted.id).collect();
    text.push_str(&match missed.is_empty() {
        true if stopped => "stopped by Ctrl-C; the other bugs were not tested".to_owned(),
        true if all.iter().all(Tested::is_not_here) => "FAIL: nothing could be tested here".to_owned(),
        true => "PASS".to_owned(),
        false => format!("FAIL: not found as named beforehand: {}", missed.join(", ")),
    });
    text
}

/// A finding in a few words.
pub(super) fn say(finder: &Finder<'_>, finding: &Finding) -> String {
    let unit = finder.unit();
    match finding {
        Finding::Found(score) if score.best == 0 => format!("{} {unit}", grouped(score.tried)),
        Finding::Found(score) => {
            format!("{} {unit}, {} actions", grouped(score.tried_each()), score.best)
        }
        Finding::Missed => "missed".to_owned(),
        Finding::NotHere => "not here".to_owned(),
    }
}

/// How many a finder has found, and how soon.
pub(super) fn sums(finder: &Finder<'_>, place: usize, all: &[Tested]) -> String {
    let here = all.iter().filter(|tested| !matches!(tested.findings[place], Finding::NotHere)).count();
    let scores: Vec<&Score> = all.iter().filter_map(|tested| tested.findings[place].score()).collect();
    let mut text = format!("{}: found {} of {here}", finder.name(), scores.len());
    let tries = sorted(scores.iter().map(|score| score.tried_each()));
    let actions = sorted(scores.iter().map(|score| score.best as u64).filter(|&best| best > 0));
    for (what, list) in [(finder.unit(), tries), ("actions", actions)] {
        if let (Some(middle), Some(most)) = (list.get(list.len() / 2), list.last()) {
            text.push_str(&format!("; {what}: median {}, most {}", grouped(*middle), grouped(*most)));
        }
    }
    text
}

fn sorted(numbers: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut numbers: Vec<u64> = numbers.collect();
    numbers.sort_unstable();
    numbers
}
