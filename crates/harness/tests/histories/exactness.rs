use crate::brute_force::is_linearizable;
use crate::generator::{Size, generate};
use crate::invention::invent;
use crate::mutation::mutate;
use holdover::Rng;
use holdover::history::{HistoryCheck, HistoryEvent, HistoryReader, HistoryVerdict};

/// The verdict on a history as it is written.
pub(crate) fn check(events: &[HistoryEvent]) -> HistoryVerdict {
    HistoryCheck::read(HistoryReader::new(written(events).as_bytes()), 0).expect("a history")
}

pub(crate) fn written(events: &[HistoryEvent]) -> String {
    events.iter().map(|event| serde_json::to_string(event).expect("JSON") + "\n").collect()
}

fn small(rng: &mut Rng) -> Size {
    Size {
        operations: 4 + rng.below(6),
        clients: 2 + rng.below(3),
        jobs: 1 + rng.below(5) / 4,
        lease_ms: 3 + i64::from(rng.below(30)),
        unanswered_one_in: 4 + rng.below(20),
        over_one_in: 2 + rng.below(6),
    }
}

fn mutated(rng: &mut Rng) -> Vec<HistoryEvent> {
    let size = small(rng);
    let mut events = generate(rng, size);
    for _ in 0..rng.below(5) {
        mutate(rng, &mut events);
    }
    events
}

fn invented(rng: &mut Rng) -> Vec<HistoryEvent> {
    let operations = 2 + rng.below(5);
    invent(rng, operations)
}

/// Goal: the verdict is that of a checker which tries all orders, on 100,000 small histories of which a great many
/// are linearizable and a great many are not, with answers that never came among both.
#[test]
fn equals_brute_force() {
    let mut rng = Rng::from_seed(1);
    let mut counts = [0_u32; 2];
    let mut unanswered = [0_u32; 2];
    for number in 0..100_000 {
        let events = if number % 2 == 0 { mutated(&mut rng) } else { invented(&mut rng) };
        let linearizable = is_linearizable(&events);
        let Ok(verdict) = HistoryCheck::read(HistoryReader::new(written(&events).as_bytes()), 0) else {
            panic!("no history:\n{}", written(&events));
        };
        let found = verdict.report.violations.of("linearizable");
        assert_eq!(found.is_none(), linearizable, "history {number}: {found:?}\n{}", written(&events));
        counts[usize::from(linearizable)] += 1;
        unanswered[usize::from(linearizable)] += u32::from(verdict.unknown > 0);
    }
    println!(
        "not linearizable, linearizable: {counts:?}, of them with unanswered operations: {unanswered:?}"
    );
    assert!(counts.iter().all(|&count| count >= 20_000), "{counts:?}");
    assert!(unanswered.iter().all(|&count| count >= 10_000), "{unanswered:?}");
}

/// Goal: a store that keeps its promise is never accused, by any rule, however many clients ask at once.
#[test]
fn no_false_alarm() {
    let mut rng = Rng::from_seed(2);
    let mut checked = std::collections::BTreeMap::new();
    for number in 0..2_000 {
        let size = Size {
            operations: 400,
            clients: 1 + rng.below(32),
            jobs: 1 + rng.below(20),
            lease_ms: 5 + i64::from(rng.below(500)),
            unanswered_one_in: 4 + rng.below(1_000),
            over_one_in: 2 + rng.below(200),
        };
        let verdict = check(&generate(&mut rng, size));
        assert!(verdict.passed(), "history {number}, {size:?}: {:#?}\n{:?}", verdict.report, verdict.stories);
        for (rule, count) in verdict.report.checked {
            *checked.entry(rule).or_insert(0) += count;
        }
    }
    println!("{checked:?}");
    let rules = [
        "expired-is-over",
        "fencing",
        "found-nothing",
        "linearizable",
        "no-false-recovery",
        "single-owner",
        "terminal-absorbing",
    ];
    assert_eq!(checked.keys().copied().collect::<Vec<_>>(), rules);
    assert!(checked.values().all(|&count| count >= 1_000), "{checked:?}");
}
