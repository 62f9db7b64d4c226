use super::{campaign::Campaign, judge::Problem};
use crate::Console;
use crate::number::{grouped, span};

/// What a campaign did, what it found and, on the last lines, whether it passed.
pub(crate) fn text(campaign: &Campaign, problems: &[Problem], console: &Console<'_>) -> String {
    let report = &campaign.report;
    let mut text = format!("{} ({})\n", report.scenario, report.variant);
    for (name, value) in rows(campaign) {
        text.push_str(&format!("  {name:<10}  {value}\n"));
    }
    for found in &report.violations {
        text.push_str(&format!("\n{}\n", found.failure.render(console.layout())));
    }
    text.push_str(&verdict(campaign, problems, console.stopped()));
    text
}

fn rows(campaign: &Campaign) -> Vec<(&'static str, String)> {
    let report = &campaign.report;
    vec![
        ("seeds", seeds(campaign)),
        ("simulated", format!("{}, {} events", span(report.simulated_ms), grouped(report.events))),
        ("speed", speed(campaign)),
        ("faults", faults(campaign)),
        ("invariants", invariants(campaign)),
        ("recovery", recovery(campaign)),
        ("digest", holdover::hex(report.digest)),
    ]
}

fn seeds(campaign: &Campaign) -> String {
    let (first, count) = (campaign.report.first_seed, campaign.report.seeds);
    match count {
        0 => "none".to_owned(),
        1 => format!("1 (seed {first})"),
        _ => format!("{} ({first} to {})", grouped(count), first + (count - 1)),
    }
}

fn speed(campaign: &Campaign) -> String {
    let (wall, cpu) = (campaign.wall_s, campaign.cpu_s);
    let rate = if cpu > 0.0 {
        format!("{} seeds per CPU second", grouped((campaign.report.seeds as f64 / cpu) as u64))
    } else {
        "too short to tell".to_owned()
    };
    format!("{rate} ({wall:.1} s, {cpu:.1} s of CPU)")
}

fn faults(campaign: &Campaign) -> String {
    let faults = &campaign.report.faults;
    let kinds = faults.iter().filter(|(_, count)| *count > 0).count();
    let total: u64 = faults.iter().map(|(_, count)| count).sum();
    format!("{kinds} of {} kinds noticed, {} in all", faults.iter().count(), grouped(total))
}

fn invariants(campaign: &Campaign) -> String {
    let counts = &campaign.report.antecedents;
    match counts.iter().min_by_key(|(_, count)| *count) {
        Some((name, count)) => {
            format!("{} checked, least often {name}: {}", counts.iter().count(), grouped(count))
        }
        None => "none".to_owned(),
    }
}

fn recovery(campaign: &Campaign) -> String {
    let Some(recovery) = campaign.report.recovery else {
        return "none".to_owned();
    };
    let longest = |ms: i64| span(u64::try_from(ms).unwrap_or(0));
    format!(
        "{}: p50 {}, p99 {}, longest {} of {} promised (seed {})",
        grouped(recovery.count),
        span(recovery.p50_ms),
        span(recovery.p99_ms),
        longest(recovery.max_ms),
        longest(recovery.bound_ms),
        recovery.max_seed
    )
}

fn verdict(campaign: &Campaign, problems: &[Problem], stopped: bool) -> String {
    let mut lines: Vec<String> = problems.iter().map(|problem| format!("FAIL: {}", problem.text)).collect();
    if campaign.report.interrupted {
        let reason = if stopped { "by Ctrl-C" } else { "as the time budget is spent" };
        let (done, wanted) = (grouped(campaign.report.seeds), grouped(campaign.wanted));
        lines.push(format!("stopped {reason}, after {done} of {wanted} seeds"));
    }
    if problems.is_empty() && !stopped {
        lines.push("PASS".to_owned());
    }
    lines.join("\n")
}
