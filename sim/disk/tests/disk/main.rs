//! The SQLite store on a disk that loses power, fails and fills up, at every moment of a script.

mod run;

use holdover_sim_disk::Failure;
use holdover_store_sqlite::Durability;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use run::Run;

/// How many operations of the disk the script takes.
fn operations(durability: Durability) -> u64 {
    let mut run = Run::new(durability);
    run.tell().expect("a store on a sound disk");
    assert_eq!((run.failed, run.unknown), (0, 0));
    run.disk.operations()
}

/// Which versions reach the disk: the oldest, the newest, or any.
fn draws(way: u64, seed: u64) -> impl FnMut(usize) -> usize {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    move |below| match way {
        0 => 0,
        1 => below - 1,
        _ => (rng.next_u64() % below as u64) as usize,
    }
}

/// Loses power at every operation in turn, and says at how many something was found.
fn lose_power(durability: Durability) -> (u64, Vec<String>) {
    let mut found = Vec::new();
    let points = operations(durability);
    for point in 1..=points + 1 {
        for way in 0..4 {
            let mut run = Run::new(durability);
            run.disk.fail_at(point, Failure::Power);
            let result = run.tell().and_then(|()| run.crash(&mut draws(way, point * 4 + way)));
            found.extend(result.err().map(|what| format!("at operation {point}, way {way}: {what}")));
        }
    }
    (points, found)
}

/// Goal: whatever was answered survives a loss of power at any moment, and the file stays sound.
#[test]
fn full_survives_a_loss_of_power_at_every_operation() {
    let (points, found) = lose_power(Durability::Full);
    assert!(points > 100, "{points} operations");
    assert_eq!(found, Vec::<String>::new(), "of {points} operations");
}

/// Goal: the same finds a store that does not flush, or flushes only now and then: the check is worth something.
#[test]
fn what_is_not_flushed_is_missed() {
    for durability in [Durability::Off, Durability::Normal] {
        let (points, found) = lose_power(durability);
        assert!(found.len() as u64 > points / 4, "{durability:?}: {} of {points}: {found:?}", found.len());
    }
}

/// Goal: an operation that fails once is a definite error or one of which nobody knows, never a wrong answer; the store
/// goes on, and loses nothing in a crash afterwards.
#[test]
fn an_operation_that_fails_does_no_harm() {
    let points = operations(Durability::Full);
    let (mut failed, mut unknown) = (0, 0);
    for point in 1..=points {
        for failure in [Failure::Error, Failure::Full] {
            for way in 0..3 {
                let mut run = Run::new(Durability::Full);
                run.disk.fail_at(point, failure);
                let result = run.tell().and_then(|()| run.crash(&mut draws(way, point)));
                assert_eq!(result, Ok(()), "{failure:?} at operation {point}, way {way}");
                failed += run.failed;
                unknown += run.unknown;
            }
        }
    }
    assert!(failed > 100 && unknown > 10, "{failed} failed, {unknown} unknown");
}

/// Goal: a full disk is a definite error that leaves nothing behind, and the store goes on once there is room.
#[test]
fn a_full_disk_does_no_harm() {
    let mut failed = 0;
    for kilobytes in (100..600).step_by(4) {
        let mut run = Run::new(Durability::Full);
        run.disk.set_room(Some(kilobytes * 1024));
        let told = run.tell();
        assert_eq!(told.and_then(|()| run.crash(&mut draws(2, kilobytes as u64))), Ok(()), "{kilobytes} KiB");
        failed += run.failed;
    }
    assert!(failed > 20, "{failed} failed");
}
