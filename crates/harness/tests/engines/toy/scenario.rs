use super::world::Toy;
use holdover::{Catalogue, Class, InvariantInfo, Plan, Rng, Scenario, Weights};
use serde::{Deserialize, Serialize};

/// The planted bugs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Bugs {
    pub heartbeat_ignores_token: bool,
    pub recover_keeps_lease: bool,
    pub complete_after_recovery: bool,
    pub sweep_does_nothing: bool,
    pub panics: bool,
}

/// What a seed decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    pub workers: usize,
    /// Where the planted panic waits.
    pub fragile: bool,
}

/// One store, two workers and a bag of requests.
pub(crate) struct ToyLease;

pub(crate) const FAULTS: &[&str] = &["loss", "duplicate", "crash", "clock-freeze", "clock-step"];

pub(crate) const INVARIANTS: &[InvariantInfo] = &[
    InvariantInfo {
        id: "renewed-by-holder",
        promise: "only the holder of a lease can renew it",
        class: Class::Safety,
    },
    InvariantInfo {
        id: "ready-is-free",
        promise: "a job that is ready is leased to nobody",
        class: Class::Safety,
    },
    InvariantInfo {
        id: "completed-by-holder",
        promise: "only the holder of a lease can complete the job",
        class: Class::Safety,
    },
    InvariantInfo {
        id: "converges",
        promise: "once faults stop, the job is done within 1 s",
        class: Class::Liveness,
    },
];

impl Scenario for ToyLease {
    type Variant = Bugs;
    type Config = Config;
    type World = Toy;

    fn id(&self) -> &'static str {
        "toy-lease"
    }

    fn about(&self) -> &'static str {
        "Two workers, one job and one store."
    }

    fn catalogue(&self) -> Catalogue {
        Catalogue { faults: FAULTS, probes: &["taken-back", "refused"], invariants: INVARIANTS }
    }

    fn variants(&self) -> Vec<String> {
        let names = ["sound", "heartbeat-ignores-token", "recover-keeps-lease", "complete-after-recovery"];
        names.into_iter().chain(["sweep-does-nothing", "panics"]).map(str::to_owned).collect()
    }

    fn variant(&self, name: &str) -> Option<Bugs> {
        let sound = Bugs::default();
        match name {
            "sound" => Some(sound),
            "heartbeat-ignores-token" => Some(Bugs { heartbeat_ignores_token: true, ..sound }),
            "recover-keeps-lease" => Some(Bugs { recover_keeps_lease: true, ..sound }),
            "complete-after-recovery" => Some(Bugs { complete_after_recovery: true, ..sound }),
            "sweep-does-nothing" => Some(Bugs { sweep_does_nothing: true, ..sound }),
            "panics" => Some(Bugs { panics: true, ..sound }),
            _ => None,
        }
    }

    fn plan(&self, seed: u64) -> Plan<Config> {
        let mut rng = Rng::from_seed(seed);
        let weights = Weights::swarm(&mut rng, &[8, 8, 2, 2, 1, 4, 4], &[0, 5]);
        Plan { config: Config { workers: 2, fragile: seed % 40 == 7 }, weights, steps: 200 }
    }

    fn world(&self, variant: &Bugs, config: &Config) -> Toy {
        Toy::new(*variant, config)
    }
}
