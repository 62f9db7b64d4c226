use super::{CAPACITY_MAX, JournalError, Owner, PAGE_MAX, owner::Lock};
use crate::{OfferId, Record, State};
use std::{
    collections::BTreeMap,
    ops::Bound::{Excluded, Unbounded},
};

/// How a creation ended well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Created {
    /// The record is new.
    New,
    /// There was one already, which stays.
    Exists,
}

/// Records in ascending order of their ids.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Page {
    /// The records.
    pub records: Vec<Record>,
    /// The last id, exactly if more follow.
    pub cursor: Option<OfferId>,
}

/// A mutation whose comparison has been made and whose publication has not: the temporary file is written, the
/// rename is to come. Dropping it is a crash in between.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[must_use = "a staged mutation is nothing until it is published"]
pub struct Staged(Mutation);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Mutation {
    Create(Record),
    Replace(Record),
    Remove(OfferId),
}

/// What is on the disk: the records and the lock.
///
/// A record is replaced by the new one as a whole; there is no mixture after a crash. Comparison and publication
/// are two steps, as they are on a file system, and only the second checks ownership again; two processes that
/// both believe to own the directory can therefore overwrite each other. A publication that compares once more
/// would change [`Directory::publish`] and nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Directory {
    capacity: usize,
    records: BTreeMap<OfferId, Record>,
    pub(super) lock: Option<Lock>,
}

impl Directory {
    /// An empty directory for `capacity` records, brought into 1..=[`CAPACITY_MAX`].
    pub fn new(capacity: usize) -> Self {
        Self { capacity: capacity.clamp(1, CAPACITY_MAX), records: BTreeMap::new(), lock: None }
    }

    /// Puts a record there without asking anybody: what an earlier process left behind.
    pub fn restore(&mut self, record: Record) {
        self.records.insert(record.offer.offer_id, record);
    }

    /// Every record, in ascending order of the ids, without asking anybody.
    pub fn records(&self) -> impl Iterator<Item = &Record> {
        self.records.values()
    }

    /// The record of an offer.
    pub fn read(&self, owner: &Owner, id: OfferId) -> Result<Option<&Record>, JournalError> {
        owner.require_owned()?;
        Ok(self.records.get(&id))
    }

    /// Up to `limit` records after `after`; the limit is brought into 1..=[`PAGE_MAX`].
    pub fn list(&self, owner: &Owner, after: Option<OfferId>, limit: usize) -> Result<Page, JournalError> {
        owner.require_owned()?;
        if self.records.len() > self.capacity {
            return Err(JournalError::Capacity);
        }
        let limit = limit.clamp(1, PAGE_MAX);
        let mut rest = self.records.range((after.map_or(Unbounded, Excluded), Unbounded));
        let records: Vec<Record> = rest.by_ref().take(limit).map(|(_, record)| record.clone()).collect();
        let last = records.last().map(|record| record.offer.offer_id);
        Ok(Page { cursor: rest.next().and(last), records })
    }

    /// Creates the first record of an offer.
    pub fn create(&mut self, owner: &mut Owner, record: Record) -> Result<Created, JournalError> {
        match self.stage_create(owner, record)? {
            Some(staged) => self.publish(owner, staged).map(|was_new| match was_new {
                true => Created::New,
                false => Created::Exists,
            }),
            None => Ok(Created::Exists),
        }
    }

    /// Replaces the record of revision `expected`.
    pub fn replace(&mut self, owner: &mut Owner, record: Record, expected: u64) -> Result<(), JournalError> {
        let staged = self.stage_replace(owner, record, expected)?;
        self.publish(owner, staged).map(drop)
    }

    /// Removes a record, if given only at the `expected` revision; whether there was one.
    pub fn remove(
        &mut self,
        owner: &mut Owner,
        id: OfferId,
        expected: Option<u64>,
    ) -> Result<bool, JournalError> {
        owner.require_owned()?;
        let Some(stored) = self.records.get(&id) else { return Ok(false) };
        if expected.is_some_and(|revision| revision != stored.revision) {
            return Err(JournalError::Revision);
        }
        owner.staged += 1;
        self.publish(owner, Staged(Mutation::Remove(id)))
    }

    /// The first step of a creation; none if the record exists.
    pub fn stage_create(&self, owner: &mut Owner, record: Record) -> Result<Option<Staged>, JournalError> {
        owner.require_owned()?;
        record.check()?;
        if record.revision != 0 || record.state != State::Accepted {
            return Err(JournalError::Revision);
        }
        if self.records.contains_key(&record.offer.offer_id) {
            return Ok(None);
        }
        if self.records.len() >= self.capacity {
            return Err(JournalError::Capacity);
        }
        owner.staged += 1;
        Ok(Some(Staged(Mutation::Create(record))))
    }

    /// The first step of a replacement: the comparison.
    pub fn stage_replace(
        &self,
        owner: &mut Owner,
        record: Record,
        expected: u64,
    ) -> Result<Staged, JournalError> {
        owner.require_owned()?;
        record.check()?;
        if Some(record.revision) != expected.checked_add(1) {
            return Err(JournalError::Revision);
        }
        let stored = self.records.get(&record.offer.offer_id).ok_or(JournalError::NotFound)?;
        if stored.revision != expected {
            return Err(JournalError::Revision);
        }
        owner.staged += 1;
        Ok(Staged(Mutation::Replace(record)))
    }

    /// The second step of every mutation: checks ownership again and makes it visible. Whether it changed
    /// anything: linking a new record does not overwrite an old one.
    pub fn publish(&mut self, owner: &mut Owner, staged: Staged) -> Result<bool, JournalError> {
        owner.staged = owner.staged.saturating_sub(1);
        owner.require_owned()?;
        Ok(match staged.0 {
            Mutation::Create(record) => {
                let is_new = !self.records.contains_key(&record.offer.offer_id);
                self.records.entry(record.offer.offer_id).or_insert(record);
                is_new
            }
            Mutation::Replace(record) => {
                self.records.insert(record.offer.offer_id, record);
                true
            }
            Mutation::Remove(id) => self.records.remove(&id).is_some(),
        })
    }
}
