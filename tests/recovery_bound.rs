//! Goal: the recovery bound is a number that means something. What is seen comes near it, and a deployment that
//! sweeps half as often as it promises breaks it.

use holdover::{CampaignOptions, Catalogue, Plan, Scenario, campaign};
use holdover_sim::jobs::{Config, Jobs, JobsWorld};

/// The jobs world with sweepers that come half as often as promised.
struct Lazy;

impl Scenario for Lazy {
    type Variant = <Jobs as Scenario>::Variant;
    type Config = Config;
    type World = JobsWorld;

    fn id(&self) -> &'static str {
        "lazy-sweepers"
    }

    fn about(&self) -> &'static str {
        "sweepers that come half as often as promised"
    }

    fn catalogue(&self) -> Catalogue {
        Jobs.catalogue()
    }

    fn variants(&self) -> Vec<String> {
        Jobs.variants()
    }

    fn variant(&self, name: &str) -> Option<Self::Variant> {
        Jobs.variant(name)
    }

    fn plan(&self, seed: u64) -> Plan<Config> {
        let mut plan = Jobs.plan(seed);
        plan.config.sweep_every *= 2;
        for phase in &mut plan.config.sweep_phases {
            *phase *= 2;
        }
        plan
    }

    fn world(&self, variant: &Self::Variant, config: &Config) -> JobsWorld {
        Jobs.world(variant, config)
    }
}

/// The longest recovery is at least 0.3 of the bound, and never beyond it.
#[test]
fn observed_maximum_comes_near_the_bound() {
    let report = campaign(&Jobs, &CampaignOptions::new("hardened", 1..5_001)).unwrap();
    let recovery = report.recovery.expect("leases were abandoned");
    assert!(recovery.max_ms * 10 >= recovery.bound_ms * 3, "{recovery:?}");
    assert!(recovery.max_ms <= recovery.bound_ms, "{recovery:?}");
}

/// Doubling the sweep period breaks the promise, and it is seen.
#[test]
fn doubled_sweep_period_breaks_it() {
    let report = campaign(&Lazy, &CampaignOptions::new("hardened", 1..5_001).shrink(0)).unwrap();
    let fallen: Vec<_> =
        report.violations.iter().map(|found| found.failure.violation.invariant.as_str()).collect();
    assert_eq!(fallen, ["eventual-recovery"]);
}
