//! Random histories of services under random rules, whose every store call is carried out by `Table` too.

mod ask;
mod concurrent;
mod history;
mod reached;
mod requests;
mod sides;

use crate::draws::Draws;
use crate::{Failure, Options, Part, PartReport, Subject};
pub(crate) use concurrent::run_concurrently;
use history::History;
use holdover_jobs::{AdmissionLimits, AdmissionPolicy, KNOBS, Knob, Policy, Registry, Rules, Settings};
use holdover_machine::Span;
use reached::Reached;
pub(crate) use sides::Sides;
use std::sync::Arc;
use tokio::runtime::Runtime;

/// The calls of one history.
const HISTORY_CALLS: u64 = 400;

pub(crate) fn run<S: Subject>(subject: &S, runtime: &Runtime, options: &Options) -> PartReport {
    let mut report = PartReport::new(Part::Differential, "calls");
    let mut reached = Reached::default();
    for seed in options.seed.. {
        if report.compared >= options.calls || report.failed > 0 {
            break;
        }
        let mut history = match runtime.block_on(History::open(subject, seed)) {
            Ok(history) => history,
            Err(what) => {
                report.fail(Failure::new(format!("seed {seed}"), what));
                break;
            }
        };
        let verdict = runtime.block_on(history.run(HISTORY_CALLS));
        report.compared += history.calls();
        reached.add(history.reached());
        if let Err(what) = verdict {
            report.fail(Failure::new(format!("seed {seed}, call {}", history.calls()), what));
        }
    }
    // Few calls reach little; what a full run must reach is the list.
    if report.failed == 0 && options.calls >= Options::default().calls {
        report.missing = reached.missing();
    }
    report
}

/// The rules of a history: each variant often, and any knobs together.
fn policy(draws: &mut Draws) -> Arc<Policy> {
    let rules = match draws.below(4) {
        0 => Rules::ORIGINAL,
        1 | 2 => Rules::hardened(),
        _ => {
            let knobs: Vec<Knob> = KNOBS.iter().filter(|_| draws.one_in(2)).copied().collect();
            Rules::with(&knobs)
        }
    };
    Arc::new(Policy { rules, settings: settings(draws) })
}

/// Settings small enough that every bound is met.
fn settings(draws: &mut Draws) -> Settings {
    let mut limit = |least: u64| (!draws.one_in(3)).then(|| least + draws.below(4));
    let limits = AdmissionLimits {
        global_active_max: limit(3),
        tenant_active_max: limit(1),
        tenant_recent_max: limit(1),
    };
    let admission = match draws.below(6) {
        0 | 1 => AdmissionPolicy::Open,
        2 => AdmissionPolicy::Asked,
        _ => AdmissionPolicy::Limits(limits),
    };
    Settings {
        execution_enabled: true,
        registry: Arc::new(Registry::worker_queue(["aider", "goosed"])),
        admission,
        recovery_grace: Span::from_ms(3_000 * draws.below(2) as i64),
        cancel_grace: Span::from_ms(10_000 * draws.below(2) as i64),
        // Long enough that a store that forgets later than `Table` gives the same answers.
        claim_memory: Span::from_ms(1 << 40),
        back_off_max: Span::from_ms(5_000),
        unstarted_max: 1 + draws.below(3) as u32,
        take_over_max: 1 + draws.below(2) as u32,
        ..Settings::default()
    }
}
