use crate::runner;
use crate::single::Single;
use holdover_jobs::rules::{Charge, Requeue};
use holdover_jobs::{Lose, Order};
use holdover_machine::{Span, StoreTime};
use proptest::prelude::*;
use proptest::sample::select;

const NOW: StoreTime = StoreTime::from_ms(1_000);
const LONGEST: i64 = (1 << 53) - 1;

/// How long a job waits when the lease of its attempt of this number is lost.
fn wait_after(single: &mut Single, losses: u32, first: i64, cap: i64) -> i64 {
    let kept = single.record().clone();
    single.table.restore(holdover_jobs::Record { charged: losses - 1, ..kept }, Vec::new());
    let due = single.record().next_attempt_at.unwrap_or(NOW);
    assert!(single.claim(due.max(NOW), Span::from_ms(1)), "the job is ready");
    let lose = Lose {
        requeue: Requeue::BackOff,
        charge: Charge::AtClaim,
        back_off: Span::from_ms(first),
        back_off_max: Span::from_ms(cap),
        unstarted_max: 0,
        grace: Span::ZERO,
    };
    single.recover(NOW, lose);
    (single.record().next_attempt_at.expect("there is another attempt") - NOW).ms()
}

/// Whatever the first back-off and the cap, each wait is at least as long as the one before, longer than nothing and
/// no longer than the cap; from the first loss to more than anybody will see.
#[test]
fn grows_within_its_cap() {
    let ms = || prop_oneof![select(vec![1, 2, LONGEST]), 1..100_000_i64, 1..=LONGEST];
    let verdict = runner(100).run(&(ms(), ms()), |(first, cap)| {
        let mut single = Single::new(Order::Fifo, Span::ZERO);
        single.create(NOW, None);
        let mut before = 0;
        for losses in (1..=200).chain([1 << 31, u32::MAX - 1]) {
            let wait = wait_after(&mut single, losses, first, cap);
            prop_assert!(0 < wait && before <= wait && wait <= cap, "{wait} ms after loss {losses}");
            before = wait;
        }
        Ok(())
    });
    verdict.expect("every back-off is within its bounds");
}

/// Goal: the exact waits at both ends of the doubling.
#[test]
fn doubles() {
    for (losses, first, cap, wait) in [
        (1, 1_000, 60_000, 1_000),
        (2, 1_000, 60_000, 2_000),
        (6, 1_000, 60_000, 32_000),
        (7, 1_000, 60_000, 60_000),
        (1, 9_000, 5_000, 5_000),
        (1, 0, 5_000, 1),
        (53, 1, LONGEST, 1 << 52),
        (54, 1, LONGEST, LONGEST),
        (1 << 31, 1, LONGEST, LONGEST),
    ] {
        let mut single = Single::new(Order::Fifo, Span::ZERO);
        single.create(NOW, None);
        assert_eq!(wait_after(&mut single, losses, first, cap), wait, "loss {losses} from {first} ms");
    }
}
