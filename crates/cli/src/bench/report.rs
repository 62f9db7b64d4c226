use super::measurement::Measurement;
use crate::{arguments::BenchArguments, number::grouped};
use holdover_bench::Lap;
use serde_json::{Value, json};

/// A line for each store.
pub(super) fn text(arguments: &BenchArguments, results: &[Measurement]) -> String {
    let wide = results.iter().map(|one| one.store.len()).max().unwrap_or(0).max(5);
    let mut lines = vec![
        format!(
            "{}, {} workers, {} jobs ready, median of {} laps in turn",
            arguments.shape(),
            arguments.workers,
            grouped(arguments.backlog),
            results.first().map_or(0, |one| one.laps.len())
        ),
        format!(
            "{:wide$}  {:>10}  {:>8}  {:>9}  {:>9}  {:>9}  history",
            "store", "jobs/s", "x first", "p50 us", "p99 us", "max us"
        ),
    ];
    for one in results {
        let latency = one.all().latency;
        lines.push(format!(
            "{:wide$}  {:>10}  {:>8.2}  {:>9}  {:>9}  {:>9}  {}",
            one.store,
            grouped(one.rate() as u64),
            one.ratio(&results[0]),
            grouped(latency.value_at_quantile(0.5)),
            grouped(latency.value_at_quantile(0.99)),
            grouped(latency.max()),
            verdict(one)
        ));
    }
    for one in results.iter().filter(|one| one.wrong() > 0) {
        let wrong = grouped(one.wrong());
        lines.push(format!(
            "{}: {wrong} jobs were there and not found, or granted and not completed",
            one.store
        ));
    }
    for one in results {
        for violation in one.verdict.iter().flat_map(|verdict| verdict.report.violations.iter()).take(3) {
            lines.push(format!("{}: {} violated: {}", one.store, violation.invariant, violation.sentence));
        }
    }
    lines.join("\n")
}

fn verdict(one: &Measurement) -> String {
    match &one.verdict {
        None => "unchecked".to_owned(),
        Some(verdict) if verdict.passed() => format!("{} operations hold", grouped(verdict.operations)),
        Some(_) => "VIOLATED".to_owned(),
    }
}

/// An object for each store.
pub(super) fn summary(arguments: &BenchArguments, results: &[Measurement]) -> Value {
    let one = |one: &Measurement| {
        let latency = one.all().latency;
        json!({
            "schema": "holdover-bench-v1", "store": one.store, "shape": arguments.shape().to_string(),
            "workers": arguments.workers, "backlog": arguments.backlog, "passed": one.passed(),
            "jobs_per_second": one.rate(), "times_first": one.ratio(&results[0]),
            "laps_jobs_per_second": one.laps.iter().map(Lap::rate).collect::<Vec<_>>(),
            "call_us": {
                "p50": latency.value_at_quantile(0.5), "p90": latency.value_at_quantile(0.9),
                "p99": latency.value_at_quantile(0.99), "max": latency.max(), "calls": latency.len(),
            },
            "wrong": one.wrong(),
            "checked_operations": one.verdict.as_ref().map(|verdict| verdict.operations),
            "violated": one.verdict.as_ref().map(|verdict| &verdict.report.violated),
        })
    };
    Value::Array(results.iter().map(one).collect())
}
