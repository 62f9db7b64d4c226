//! Goal: the simulator by itself, without any other test, notices when the protocol or an invariant is broken: the
//! hardened variant holds on seeds, its committed histories part it from the weak ones, and planted bugs are found
//! by the invariant that was named for them.

use holdover::{Scenario, TraceOf, Trial, Verdict, replay, run};
use holdover_sim::jobs::{EVIDENCE, Jobs};
use holdover_tests::traces;

/// How many seeds a planted bug of the list may take.
const SEEDS_MAX: u64 = 400;

fn trial(variant: &str) -> Trial<'static, Jobs> {
    Trial::new(&Jobs, variant).unwrap()
}

/// Nothing falls on a seed.
#[test]
fn hardened_holds() {
    let hardened = trial("hardened");
    for seed in 7_000_000..7_002_000 {
        let run = run(&hardened, seed);
        assert!(run.violations.is_empty(), "seed {seed}: {:?}", run.violations);
    }
}

/// Under a weak variant every committed history ends as recorded; under the hardened one nothing falls and the
/// deciding action is refused as recorded.
#[test]
fn histories_part_the_variants() {
    for evidence in EVIDENCE {
        let text = std::fs::read_to_string(traces().join(format!("{}.json", evidence.knob))).unwrap();
        let trace = TraceOf::<Jobs>::parse(&text, "jobs").unwrap();
        let weak = replay(&trial(&evidence.variant()), &trace);
        assert_eq!(weak.verdict, Verdict::Reproduced, "{}", evidence.knob);
        let hardened = replay(&trial("hardened"), &trace);
        assert!(hardened.violations.is_empty(), "{}: {:?}", evidence.knob, hardened.violations);
        if let Some(deciding) = &trace.deciding {
            assert!(hardened.decided(deciding), "{}: {deciding:?}", evidence.knob);
        }
    }
}

/// Each planted bug of the list is found within a few seeds.
#[test]
fn planted_bugs_are_found() {
    let missed: Vec<&str> = Jobs
        .planted()
        .iter()
        .filter(|planted| SOON_FOUND.contains(&planted.id))
        .filter(|planted| {
            let trial = trial(&planted.variant());
            !(1..=SEEDS_MAX).any(|seed| run(&trial, seed).violations.of(planted.invariant).is_some())
        })
        .map(|planted| planted.id)
        .collect();
    assert!(missed.is_empty(), "not found in {SEEDS_MAX} seeds: {missed:?}");
}

/// The planted bugs that take fewer seeds than that, by a margin.
const SOON_FOUND: &[&str] = &[
    "store-clock",
    "floor",
    "expiry",
    "renew-expiry",
    "extend",
    "identity",
    "replay",
    "started",
    "numbered-claims",
    "charge-at-start",
    "capacity",
    "take-over",
    "back-off",
    "retry-bound",
    "timeout",
    "cancel-request",
    "token-secrecy",
    "fence",
    "echo",
    "parked",
    "claim-gate",
    "tenant-keys",
    "long-keys",
    "named-id",
    "ready-order",
    "reserved-types",
    "settle-by-id",
    "late-ack",
    "heartbeat-by-id",
    "attempt-reused",
    "snapshot-recovery",
    "fixed-age-rescue",
    "sentinel-compared",
    "deposed-recoverer",
    "crash-charges-nothing",
    "unstarted-charged",
    "exempt-after-limit",
    "unbounded-sweep",
    "swallowed-error",
    "claim-re-locks",
    "owner-row-missing",
    "lease-entry-lost",
    "attempts-off-by-one",
    "early-hand-out",
    "empty-claim-forgotten",
    "overtaken-claim-granted",
    "ended-grant-claimed-again",
    "claim-memory-short",
    "newest-first",
    "capacity-off-by-one",
    "zone-shifted-claim",
    "claim-by-caller-clock",
    "switch-cached",
    "zero-rows-taken-as-success",
    "status-before-replay",
    "replay-by-operation",
    "replay-before-token",
    "spare-second",
    "renewal-before-start",
    "heartbeat-halves",
    "timeout-from-heartbeat",
    "insert-or-ignore",
    "key-freed-by-failure",
    "fingerprint-ignored",
    "retries-not-counted",
    "limit-inclusive",
    "cancel-forgotten-by-complete",
    "cancel-forgotten-by-fail",
    "cancel-forgotten-by-recovery",
    "cancelled-lease-starts",
    "cancel-drops-result",
    "cancel-renewed-for-ever",
    "back-off-forgotten",
    "timer-in-memory",
    "overflow-before-cap",
    "removed-before-durable",
    "seconds-for-milliseconds",
    "event-write-swallowed",
    "number-before-commit",
    "log-trimmed",
    "event-says-what-was-asked",
    "event-dated-by-lease",
    "counter-outside-guard",
    "waiting-counted-claimable",
    "acknowledged-before-sync",
    "grant-expiry-kept",
    "drain-without-lease",
    "no-margin",
    "works-on-grant",
    "look-skipped",
    "fence-of-the-job",
];
