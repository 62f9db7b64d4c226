use super::world::Toy;
use holdover::{Catalogue, Class, InvariantInfo, Plan, Rng, Scenario, Weights};
use serde::{Deserialize, Serialize};

/// A planted bug.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bug {
    None,
    HeartbeatIgnoresToken,
    RecoverKeepsLease,
    CompleteAfterRecovery,
    SweepDoesNothing,
    /// Healing panics in some seeds.
    Panics,
    /// The first world of the process behaves as no other does.
    Leaks,
}

const VARIANTS: [(&str, Bug); 7] = [
    ("sound", Bug::None),
    ("heartbeat-ignores-token", Bug::HeartbeatIgnoresToken),
    ("recover-keeps-lease", Bug::RecoverKeepsLease),
    ("complete-after-recovery", Bug::CompleteAfterRecovery),
    ("sweep-does-nothing", Bug::SweepDoesNothing),
    ("panics", Bug::Panics),
    ("leaks", Bug::Leaks),
];

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
    type Variant = Bug;
    type Config = Config;
    type World = Toy;

    fn id(&self) -> &'static str {
        "toy-lease"
    }

    fn about(&self) -> &'static str {
        "Two workers, one job and one store."
    }

    fn catalogue(&self) -> Catalogue {
        Catalogue {
            faults: FAULTS,
            probes: &["taken-back", "refused"],
            invariants: INVARIANTS,
            transitions: &[],
        }
    }

    fn variants(&self) -> Vec<String> {
        VARIANTS.iter().map(|(name, _)| (*name).to_owned()).collect()
    }

    fn variant(&self, name: &str) -> Option<Bug> {
        VARIANTS.iter().find(|(known, _)| *known == name).map(|(_, bug)| *bug)
    }

    fn plan(&self, seed: u64) -> Plan<Config> {
        let mut rng = Rng::from_seed(seed);
        let weights = Weights::swarm(&mut rng, &[8, 8, 2, 2, 1, 4, 4], &[0, 5]);
        Plan { config: Config { workers: 2, fragile: seed % 40 == 7 }, weights, steps: 200 }
    }

    fn world(&self, variant: &Bug, config: &Config) -> Toy {
        Toy::new(*variant, config)
    }
}
