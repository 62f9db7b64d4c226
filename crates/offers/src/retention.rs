//! Retention: removes settled records when nobody will ask for them any more.

use crate::{JournalError, OfferId, PAGE_MAX, Page, ReceiptRemoval, Record, Rules, State, Text};
use holdover_machine::{Machine, Span, Timestamp};
use std::{collections::VecDeque, ops::RangeInclusive};

/// The most removals of one sweep.
pub const REMOVALS_MAX: u64 = 64;
/// What can be configured for how long a settled record is kept, in milliseconds.
pub const RETENTION_RANGE: RangeInclusive<i64> = 60_000..=30 * 24 * 60 * 60 * 1_000;

/// What can happen to retention.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RetentionInput {
    /// Look for records to remove.
    Sweep,
    /// A page was listed.
    Listed(Result<Page, JournalError>),
    /// A receipt was removed.
    ReceiptRemoved(ReceiptRemoval),
    /// A record was removed, or was gone already.
    Removed(Result<bool, JournalError>),
}

/// Everything retention can want done.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RetentionEffect {
    /// List up to `limit` records after `after`.
    List {
        /// The last id of the page before.
        after: Option<OfferId>,
        /// The size of the page.
        limit: usize,
    },
    /// Remove the receipt of this attempt.
    RemoveReceipt(Text),
    /// Remove a record, if it still is at this revision.
    Remove {
        /// The offer.
        offer_id: OfferId,
        /// The revision that was listed.
        expected: u64,
    },
    /// The sweep is over: this many records are gone, or the journal could not be listed.
    Swept(Result<u64, JournalError>),
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Stage {
    Idle,
    Listing,
    Receipt(Box<Record>),
    Record,
}

/// Sweeps the journal: per record the receipt first, then the record under the revision that was listed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Retention {
    rules: Rules,
    keep_failures: Span,
    keep_completions: Span,
    stage: Stage,
    due: VecDeque<Record>,
    cursor: Option<OfferId>,
    tried: u64,
    removed: u64,
}

impl Retention {
    /// Keeps settled failures and completions for as long as given, each brought into its range.
    pub fn new(rules: Rules, keep_failures: Span, keep_completions: Span) -> Self {
        let keep =
            |span: Span| Span::from_ms(span.ms().clamp(*RETENTION_RANGE.start(), *RETENTION_RANGE.end()));
        Self {
            rules,
            keep_failures: keep(keep_failures),
            keep_completions: keep(keep_completions),
            stage: Stage::Idle,
            due: VecDeque::new(),
            cursor: None,
            tried: 0,
            removed: 0,
        }
    }

    fn is_due(&self, record: &Record, now: Timestamp) -> bool {
        let keep = match record.state {
            State::CompletionAcknowledged => self.keep_completions,
            _ => self.keep_failures,
        };
        self.rules.removable.contains(&record.state) && now - record.updated_at >= keep
    }

    fn list(&mut self) -> RetentionEffect {
        self.stage = Stage::Listing;
        RetentionEffect::List { after: self.cursor, limit: PAGE_MAX }
    }

    fn listed(&mut self, now: Timestamp, page: Page) -> RetentionEffect {
        // A cursor that does not ascend would list for ever.
        self.cursor = page.cursor.filter(|cursor| self.cursor.is_none_or(|before| before < *cursor));
        self.due = page.records.into_iter().filter(|record| self.is_due(record, now)).collect();
        self.next()
    }

    fn next(&mut self) -> RetentionEffect {
        if self.tried == REMOVALS_MAX {
            return self.swept(Ok(self.removed));
        }
        match self.due.pop_front() {
            Some(record) => {
                self.tried += 1;
                self.remove(record)
            }
            None if self.cursor.is_some() => self.list(),
            None => self.swept(Ok(self.removed)),
        }
    }

    fn remove(&mut self, record: Record) -> RetentionEffect {
        if record.state != State::CompletionAcknowledged {
            return self.remove_record(&record);
        }
        let attempt_id = record.offer.candidate.attempt_id.clone();
        self.stage = Stage::Receipt(Box::new(record));
        RetentionEffect::RemoveReceipt(attempt_id)
    }

    fn remove_record(&mut self, record: &Record) -> RetentionEffect {
        self.stage = Stage::Record;
        RetentionEffect::Remove { offer_id: record.offer.offer_id, expected: record.revision }
    }

    fn swept(&mut self, result: Result<u64, JournalError>) -> RetentionEffect {
        *self = Self::new(self.rules.clone(), self.keep_failures, self.keep_completions);
        RetentionEffect::Swept(result)
    }
}

impl Machine for Retention {
    type Input = RetentionInput;
    type Effect = RetentionEffect;

    fn handle(&mut self, now: Timestamp, input: RetentionInput, effects: &mut Vec<RetentionEffect>) {
        let effect = match (self.stage.clone(), input) {
            (Stage::Idle, RetentionInput::Sweep) => self.list(),
            (Stage::Listing, RetentionInput::Listed(Ok(page))) => self.listed(now, page),
            (Stage::Listing, RetentionInput::Listed(Err(error))) => self.swept(Err(error)),
            (Stage::Receipt(_), RetentionInput::ReceiptRemoved(ReceiptRemoval::Failed)) => self.next(),
            (Stage::Receipt(record), RetentionInput::ReceiptRemoved(_)) => self.remove_record(&record),
            (Stage::Record, RetentionInput::Removed(result)) => {
                self.removed += u64::from(result == Ok(true));
                self.next()
            }
            _ => return,
        };
        effects.push(effect);
    }
}
