use super::{Told, judge::Problem};
use crate::number::{grouped, span};
use holdover::CampaignSummary;

/// What a campaign did, what it found and, on the last lines, whether it passed.
pub(crate) fn text(told: &Told, problems: &[Problem], stopped: bool) -> String {
    let campaign = &told.campaign;
    let shard = campaign.shard.map(|shard| format!(", shard {shard}")).unwrap_or_default();
    let mut text = format!("{} ({}){shard}\n", campaign.scenario, campaign.variant);
    for (name, value) in rows(campaign) {
        text.push_str(&format!("  {name:<10}  {value}\n"));
    }
    for story in &told.stories {
        text.push_str(&format!("\n{story}\n"));
    }
    text.push_str(&verdict(campaign, problems, stopped));
    text
}

fn rows(campaign: &CampaignSummary) -> Vec<(&'static str, String)> {
    vec![
        ("seeds", seeds(campaign)),
        ("simulated", format!("{}, {} events", span(campaign.simulated_ms), grouped(campaign.events))),
        ("speed", speed(campaign)),
        ("faults", faults(campaign)),
        ("coverage", coverage(campaign)),
        ("states", states(campaign)),
        ("invariants", invariants(campaign)),
        ("recovery", recovery(campaign)),
        ("digest", holdover::hex(campaign.digest)),
    ]
}

fn seeds(campaign: &CampaignSummary) -> String {
    let (first, count) = (campaign.first_seed, campaign.seeds);
    match count {
        0 => "none".to_owned(),
        1 => format!("1 (seed {first})"),
        _ => format!("{} ({first} to {})", grouped(count), first + (count - 1)),
    }
}

fn speed(campaign: &CampaignSummary) -> String {
    let (wall, cpu) = (campaign.wall_s, campaign.cpu_s);
    let rate = if cpu > 0.0 {
        format!("{} seeds per CPU second", grouped((campaign.seeds as f64 / cpu) as u64))
    } else {
        "too short to tell".to_owned()
    };
    format!("{rate} ({wall:.1} s, {cpu:.1} s of CPU)")
}

fn faults(campaign: &CampaignSummary) -> String {
    let faults = &campaign.faults;
    let kinds = faults.iter().filter(|(_, count)| *count > 0).count();
    let total: u64 = faults.iter().map(|(_, count)| count).sum();
    let all = faults.iter().count();
    let (noticed, pairs) = (campaign.pairs.noticed(), campaign.pairs.all);
    format!("{kinds} of {all} kinds noticed, pairs {noticed} of {pairs}, {} in all", grouped(total))
}

fn coverage(campaign: &CampaignSummary) -> String {
    let made = campaign.transitions.iter().filter(|(_, count)| *count > 0).count();
    let text = format!("{made} of {} transitions", campaign.transitions.iter().count());
    match campaign.unlisted {
        0 => text,
        more => format!("{text}, {} times one that is not listed", grouped(more)),
    }
}

/// The last tenth of the seeds tells whether there is much left to be found.
fn states(campaign: &CampaignSummary) -> String {
    let (states, seeds) = (&campaign.states, campaign.seeds);
    if states.sampled() == 0 {
        return "none looked at".to_owned();
    }
    let about = if states.is_estimate() { "about " } else { "" };
    let (distinct, sampled) = (grouped(states.distinct()), grouped(states.sampled()));
    let new = states.new_percent(campaign.first_seed + (seeds - seeds.div_ceil(10)));
    format!("{about}{distinct} different of {sampled}, {new} % of them new in the last tenth of seeds")
}

fn invariants(campaign: &CampaignSummary) -> String {
    let counts = &campaign.invariants;
    match counts.iter().min_by_key(|(_, count)| *count) {
        Some((name, count)) => {
            format!("{} checked, least often {name}: {}", counts.iter().count(), grouped(count))
        }
        None => "none".to_owned(),
    }
}

fn recovery(campaign: &CampaignSummary) -> String {
    let Some(recovery) = &campaign.recovery else {
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

fn verdict(campaign: &CampaignSummary, problems: &[Problem], stopped: bool) -> String {
    let mut lines: Vec<String> = problems.iter().map(|problem| format!("FAIL: {}", problem.text)).collect();
    if campaign.interrupted {
        let reason = if stopped { "by Ctrl-C" } else { "as the time budget is spent" };
        let (done, wanted) = (grouped(campaign.seeds), grouped(campaign.wanted));
        lines.push(format!("stopped {reason}, after {done} of {wanted} seeds"));
    }
    if problems.is_empty() && !stopped {
        lines.push("PASS".to_owned());
    }
    lines.join("\n")
}
