//! Retention.

use crate::support::{at, offer, record};
use holdover_machine::{Machine, Span, Timestamp};
use holdover_offers::*;

const FAILURES: Span = Span::from_ms(60_000);
const COMPLETIONS: Span = Span::from_ms(120_000);
/// Records of the fixtures were last written at this time.
const WRITTEN: Timestamp = Timestamp::from_ms(999_500);

fn feed(retention: &mut Retention, now: Timestamp, input: RetentionInput) -> RetentionEffect {
    let mut effects = Vec::new();
    retention.handle(now, input, &mut effects);
    let [effect] = &effects[..] else { panic!("one effect expected: {effects:?}") };
    effect.clone()
}

fn retention() -> Retention {
    Retention::new(Rules::original(), FAILURES, COMPLETIONS)
}

fn page(states: &[State]) -> Page {
    let records = states.iter().enumerate();
    let mut records: Vec<Record> =
        records.map(|(number, state)| record(offer(&format!("a{number}"), 1), *state)).collect();
    records.sort_by_key(|record| record.offer.offer_id);
    Page { records, cursor: None }
}

/// Goal: only the two settled states are removed, each at its own age, to the millisecond.
#[test]
fn what_is_removed_when() {
    for state in State::ALL {
        let due = match state {
            State::StartFailureAcknowledged => Some(FAILURES),
            State::CompletionAcknowledged => Some(COMPLETIONS),
            _ => None,
        };
        let removes = |now| {
            let mut retention = retention();
            feed(&mut retention, now, RetentionInput::Sweep);
            feed(&mut retention, now, RetentionInput::Listed(Ok(page(&[state]))))
                != RetentionEffect::Swept(Ok(0))
        };
        assert_eq!(removes(at(i64::MAX)), due.is_some(), "{state}");
        if let Some(due) = due {
            assert!(!removes(WRITTEN + due - Span::from_ms(1)) && removes(WRITTEN + due), "{state}");
        }
    }
}

/// Goal: the receipt goes first, the record only after it and only at the revision that was listed.
#[test]
fn the_receipt_goes_first() {
    let now = WRITTEN + COMPLETIONS;
    let record = record(offer("a0", 1), State::CompletionAcknowledged);
    let remove = RetentionEffect::Remove { offer_id: record.offer.offer_id, expected: record.revision };
    let cases = [
        (ReceiptRemoval::Removed, remove.clone()),
        (ReceiptRemoval::AlreadyAbsent, remove),
        (ReceiptRemoval::Failed, RetentionEffect::Swept(Ok(0))),
    ];
    for (removal, expected) in cases {
        let mut retention = retention();
        feed(&mut retention, now, RetentionInput::Sweep);
        let effect = feed(&mut retention, now, RetentionInput::Listed(Ok(page(&[record.state]))));
        assert_eq!(effect, RetentionEffect::RemoveReceipt("a0".into()));
        assert_eq!(feed(&mut retention, now, RetentionInput::ReceiptRemoved(removal)), expected);
    }
}

/// Goal: a sweep goes on after a removal that failed, counts what is gone and stops after 64 tries.
#[test]
fn limits_of_a_sweep() {
    let now = WRITTEN + FAILURES;
    let mut retention = retention();
    feed(&mut retention, now, RetentionInput::Sweep);
    let mut listed = page(&[State::StartFailureAcknowledged; 60]);
    listed.cursor = listed.records.last().map(|record| record.offer.offer_id);
    let mut effect = feed(&mut retention, now, RetentionInput::Listed(Ok(listed.clone())));
    let mut removals = 0;
    let swept = loop {
        effect = match effect {
            RetentionEffect::Remove { .. } => {
                removals += 1;
                let removed = if removals == 1 { Err(JournalError::Revision) } else { Ok(removals != 2) };
                feed(&mut retention, now, RetentionInput::Removed(removed))
            }
            RetentionEffect::List { after, .. } => {
                assert_eq!(after, listed.cursor);
                feed(&mut retention, now, RetentionInput::Listed(Ok(listed.clone())))
            }
            other => break other,
        };
    };
    assert_eq!((removals, swept), (64, RetentionEffect::Swept(Ok(62))));
    assert_eq!(
        feed(&mut retention, now, RetentionInput::Sweep),
        RetentionEffect::List { after: None, limit: 64 }
    );
    let failed = feed(&mut retention, now, RetentionInput::Listed(Err(JournalError::NotOwned)));
    assert_eq!(failed, RetentionEffect::Swept(Err(JournalError::NotOwned)));
}
