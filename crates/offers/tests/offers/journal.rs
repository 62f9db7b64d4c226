//! The contract of the journal.

use crate::support::{NOW, at, offer, record};
use holdover_machine::Span;
use holdover_offers::*;

fn owned(capacity: usize) -> (Directory, Owner) {
    let mut directory = Directory::new(capacity);
    let mut owner = Owner::new(1, STALE_DEFAULT);
    assert_eq!(owner.acquire(&mut directory, NOW), Ok(Acquired::Now));
    (directory, owner)
}

fn first(attempt: &str) -> Record {
    Record::accepted(offer(attempt, 1), NOW)
}

fn next(record: &Record) -> Record {
    record.next(NOW, |next| next.state = State::StartingAcknowledged).expect("a valid step")
}

/// Goal: a record is created once, as `accepted` and at revision 0, and only while there is room.
#[test]
fn creation() {
    let (mut directory, mut owner) = owned(2);
    assert_eq!(directory.create(&mut owner, next(&first("a"))), Err(JournalError::Revision));
    assert_eq!(
        directory.create(&mut owner, record(offer("a", 1), State::Accepted)),
        Err(JournalError::Revision)
    );
    assert_eq!(directory.create(&mut owner, first("a")), Ok(Created::New));
    assert_eq!(directory.create(&mut owner, first("b")), Ok(Created::New));
    assert_eq!(directory.create(&mut owner, first("c")), Err(JournalError::Capacity));
    assert_eq!(directory.create(&mut owner, first("a")), Ok(Created::Exists), "a known one needs no room");
    let mut invalid = first("a");
    invalid.schema_version = 2;
    assert!(matches!(directory.create(&mut owner, invalid), Err(JournalError::Invalid(_))));
}

/// Goal: a record is replaced only by the next revision of the stored one.
#[test]
fn compare_and_swap() {
    let (mut directory, mut owner) = owned(2);
    let (zero, id) = (first("a"), first("a").offer.offer_id);
    let (one, two) = (next(&zero), next(&next(&zero)));
    assert_eq!(directory.replace(&mut owner, one.clone(), 0), Err(JournalError::NotFound));
    directory.create(&mut owner, zero).expect("there is room");
    assert_eq!(directory.replace(&mut owner, two.clone(), 1), Err(JournalError::Revision), "0 is stored");
    assert_eq!(directory.replace(&mut owner, two.clone(), 0), Err(JournalError::Revision), "a step too far");
    assert_eq!(directory.replace(&mut owner, one.clone(), 0), Ok(()));
    assert_eq!(directory.replace(&mut owner, one.clone(), 0), Err(JournalError::Revision), "lost to itself");
    assert_eq!(directory.replace(&mut owner, one.clone(), u64::MAX), Err(JournalError::Revision));
    assert_eq!(directory.read(&owner, id), Ok(Some(&one)));

    assert_eq!(directory.remove(&mut owner, id, Some(0)), Err(JournalError::Revision));
    assert_eq!(directory.remove(&mut owner, id, Some(1)), Ok(true));
    assert_eq!(directory.remove(&mut owner, id, None), Ok(false));
}

/// Goal: pages ascend, the cursor is the last id exactly if more follow, and too many records are an error.
#[test]
fn listing() {
    let (mut directory, owner) = owned(3);
    for attempt in ["a", "b", "c"] {
        directory.restore(first(attempt));
    }
    let ids: Vec<OfferId> = directory.records().map(|record| record.offer.offer_id).collect();
    assert!(ids.is_sorted());
    let page = |directory: &Directory, after, limit| {
        let page = directory.list(&owner, after, limit)?;
        Ok((page.records.iter().map(|record| record.offer.offer_id).collect::<Vec<_>>(), page.cursor))
    };
    assert_eq!(page(&directory, None, 2), Ok((ids[..2].to_vec(), Some(ids[1]))));
    assert_eq!(page(&directory, Some(ids[1]), 2), Ok((ids[2..].to_vec(), None)));
    assert_eq!(page(&directory, None, 3), Ok((ids.clone(), None)), "a full last page has no cursor");
    assert_eq!(page(&directory, None, 0), Ok((ids[..1].to_vec(), Some(ids[0]))), "a page has at least one");
    directory.restore(first("d"));
    assert_eq!(page(&directory, None, 2), Err(JournalError::Capacity));
}

/// Goal: nothing is done for a process that does not own the directory, reads included.
#[test]
fn ownership_is_required() {
    let (mut directory, mut owner) = owned(2);
    directory.restore(first("a"));
    let mut other = Owner::new(2, STALE_DEFAULT);
    assert_eq!(other.acquire(&mut directory, NOW), Err(JournalError::NotOwned));
    let id = first("a").offer.offer_id;
    assert_eq!(directory.read(&other, id), Err(JournalError::NotOwned));
    assert_eq!(directory.list(&other, None, 1), Err(JournalError::NotOwned));
    assert_eq!(directory.create(&mut other, first("b")), Err(JournalError::NotOwned));
    assert_eq!(directory.replace(&mut other, next(&first("a")), 0), Err(JournalError::NotOwned));
    assert_eq!(directory.remove(&mut other, id, None), Err(JournalError::NotOwned));
    assert_eq!(owner.acquire(&mut directory, NOW), Ok(Acquired::AlreadyOwned));
}

/// Goal: the directory is given up only between mutations, and ownership is checked again before publication.
#[test]
fn release() {
    let (mut directory, mut owner) = owned(2);
    let staged = directory.stage_create(&mut owner, first("a")).expect("owned").expect("new");
    assert!(!owner.release(), "a mutation is under way");
    assert_eq!(directory.publish(&mut owner, staged), Ok(true));
    assert!(owner.release());
    assert_eq!(owner.ownership(), Ownership::Releasing);
    assert_eq!(directory.create(&mut owner, first("b")), Err(JournalError::NotOwned));
    owner.released(&mut directory);
    assert_eq!(owner.ownership(), Ownership::Unowned);
    assert_eq!(owner.acquire(&mut directory, NOW), Ok(Acquired::Now));
}

/// Goal: a lock whose owner is silent for too long is taken over, to the millisecond; the old owner learns of it
/// at its next heartbeat and never owns again.
#[test]
fn a_stale_lock() {
    let (mut directory, mut owner) = owned(2);
    owner.heartbeat(&mut directory, at(NOW.ms() + 5));
    let mut other = Owner::new(2, STALE_DEFAULT);
    let stale = NOW + Span::from_ms(5) + STALE_DEFAULT;
    assert_eq!(other.acquire(&mut directory, stale - Span::from_ms(1)), Err(JournalError::NotOwned));
    assert_eq!(other.acquire(&mut directory, stale), Ok(Acquired::Now));
    assert_eq!(owner.ownership(), Ownership::Owned, "it does not know yet");
    owner.heartbeat(&mut directory, stale);
    assert_eq!(owner.ownership(), Ownership::Compromised);
    owner.heartbeat(&mut directory, stale);
    assert_eq!(owner.acquire(&mut directory, stale), Err(JournalError::NotOwned));
    assert_eq!(owner.ownership(), Ownership::Compromised);
    other.heartbeat(&mut directory, stale);
    assert_eq!(other.ownership(), Ownership::Owned);
}

/// Goal: ownership that was lost between the comparison and the publication stops the mutation.
#[test]
fn ownership_is_checked_again() {
    let (mut directory, mut owner) = owned(2);
    let staged = directory.stage_create(&mut owner, first("a")).expect("owned").expect("new");
    Owner::new(2, STALE_DEFAULT).acquire(&mut directory, NOW + STALE_DEFAULT).expect("stale");
    owner.heartbeat(&mut directory, NOW + STALE_DEFAULT);
    assert_eq!(directory.publish(&mut owner, staged), Err(JournalError::NotOwned));
    assert_eq!(directory.records().count(), 0);
}

/// Goal: a release that finds another's lock leaves the owner compromised and the lock alone.
#[test]
fn a_failed_release() {
    let (mut directory, mut owner) = owned(2);
    let mut other = Owner::new(2, STALE_DEFAULT);
    assert!(owner.release());
    other.acquire(&mut directory, NOW + STALE_DEFAULT).expect("stale");
    owner.released(&mut directory);
    assert_eq!(owner.ownership(), Ownership::Compromised);
    other.heartbeat(&mut directory, NOW + STALE_DEFAULT);
    assert_eq!(other.ownership(), Ownership::Owned);
}

/// Two owners, one directory: A compares and pauses, B takes the stale lock and writes, A publishes over it. The
/// contract cannot prevent it, since only ownership and not the revision is checked at publication.
#[test]
fn a_paused_owner_overwrites() {
    let (mut directory, mut paused) = owned(2);
    let zero = first("a");
    directory.create(&mut paused, zero.clone()).expect("there is room");
    let staged = directory.stage_replace(&mut paused, next(&zero), 0).expect("revision 0 is stored");

    let mut other = Owner::new(2, STALE_DEFAULT);
    other.acquire(&mut directory, NOW + STALE_DEFAULT).expect("stale");
    let theirs =
        zero.next(NOW, |next| next.offer.delivery_kind = DeliveryKind::LeaseRecovery).expect("valid");
    directory.replace(&mut other, theirs, 0).expect("owned");

    assert_eq!(directory.publish(&mut paused, staged), Ok(true));
    assert_eq!(directory.records().next(), Some(&next(&zero)), "the other's write is lost");
}

/// Goal: configured limits are brought into their ranges.
#[test]
fn limits() {
    let every = |stale| Owner::new(1, Span::from_ms(stale)).heartbeat_every().ms();
    assert_eq!((every(0), every(30_000), every(i64::MAX)), (2_500, 15_000, 150_000));
}
