use super::{Audit, AuditCounts, AuditEntry, AuditStatus, Category};
use crate::{JournalError, OfferId, PAGE_MAX, Page, Record, Session};
use holdover_machine::{Machine, Timestamp};

/// The most pages of an audit.
pub const PAGES_MAX: u64 = 16;
/// The pages of an audit unless configured.
pub const PAGES_DEFAULT: u64 = 4;
/// The records of a page unless configured.
pub const AUDIT_PAGE_DEFAULT: usize = 16;

/// Why an audit has no result.
#[derive(Debug, Clone, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum AuditError {
    /// The journal failed.
    #[error("journal: {0}")]
    Journal(#[from] JournalError),
    /// A page breaks the rules of listing.
    #[error("a page of the journal is out of order")]
    Page,
}

/// What can happen to an auditor.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum AuditorInput {
    /// Look through the journal.
    Start,
    /// A page was listed.
    Listed(Result<Page, JournalError>),
}

/// Everything an auditor can want done: it only reads.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum AuditorEffect {
    /// List up to `limit` records after `after`.
    List {
        /// The last id of the page before.
        after: Option<OfferId>,
        /// The size of the page.
        limit: usize,
    },
    /// Take the result.
    Done(Result<Audit, AuditError>),
}

/// Looks through the journal of a worker that starts, page by page.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Auditor {
    session: Option<Box<Session>>,
    page_size: usize,
    pages_max: u64,
    audit: Option<Audit>,
}

impl Auditor {
    /// An auditor for `session`; the limits are brought into 1..=[`PAGE_MAX`] and 1..=[`PAGES_MAX`].
    pub fn new(session: Option<Box<Session>>, page_size: usize, pages_max: u64) -> Self {
        let (page_size, pages_max) = (page_size.clamp(1, PAGE_MAX), pages_max.clamp(1, PAGES_MAX));
        Self { session, page_size, pages_max, audit: None }
    }

    fn start(&mut self, now: Timestamp) -> AuditorEffect {
        self.audit = Some(Audit {
            status: AuditStatus::Ready,
            observed_at: now,
            pages_scanned: 0,
            records_scanned: 0,
            counts: AuditCounts::default(),
            entries: Vec::new(),
        });
        AuditorEffect::List { after: None, limit: self.page_size }
    }

    fn listed(&self, mut audit: Audit, page: Page) -> Result<Result<Audit, (Audit, OfferId)>, AuditError> {
        self.check_page(&audit, &page)?;
        audit.pages_scanned += 1;
        for record in &page.records {
            self.add(&mut audit, record);
        }
        match page.cursor {
            Some(cursor) if audit.pages_scanned < self.pages_max => Ok(Err((audit, cursor))),
            Some(_) => Ok(Ok(Audit { status: AuditStatus::ScanBudgetExhausted, ..audit })),
            None => Ok(Ok(audit)),
        }
    }

    fn check_page(&self, audit: &Audit, page: &Page) -> Result<(), AuditError> {
        let known = audit.entries.last().map(|entry| entry.offer_id);
        let ids = || page.records.iter().map(|record| record.offer.offer_id);
        let ascending = known.into_iter().chain(ids()).is_sorted_by(|a, b| a < b);
        let full = page.records.len() == self.page_size;
        let cursor = page.cursor.is_none_or(|cursor| full && ids().next_back() == Some(cursor));
        if ascending && cursor && page.records.len() <= self.page_size {
            Ok(())
        } else {
            Err(AuditError::Page)
        }
    }

    fn add(&self, audit: &mut Audit, record: &Record) {
        let category = Category::of(record, self.session.as_deref(), audit.observed_at);
        audit.records_scanned += 1;
        audit.counts.count(category);
        if category.needs_reconciliation() {
            audit.status = AuditStatus::ReconciliationRequired;
        }
        audit.entries.push(AuditEntry {
            offer_id: record.offer.offer_id,
            attempt_id: record.offer.candidate.attempt_id.clone(),
            state: record.state,
            category,
        });
    }
}

impl Machine for Auditor {
    type Input = AuditorInput;
    type Effect = AuditorEffect;

    fn handle(&mut self, now: Timestamp, input: AuditorInput, effects: &mut Vec<AuditorEffect>) {
        let effect = match (input, self.audit.take()) {
            (AuditorInput::Start, _) => self.start(now),
            (AuditorInput::Listed(_), None) => return,
            (AuditorInput::Listed(Err(error)), Some(_)) => AuditorEffect::Done(Err(error.into())),
            (AuditorInput::Listed(Ok(page)), Some(audit)) => match self.listed(audit, page) {
                Ok(Err((unfinished, cursor))) => {
                    self.audit = Some(unfinished);
                    AuditorEffect::List { after: Some(cursor), limit: self.page_size }
                }
                Ok(Ok(audit)) => AuditorEffect::Done(Ok(audit)),
                Err(error) => AuditorEffect::Done(Err(error)),
            },
        };
        effects.push(effect);
    }
}
