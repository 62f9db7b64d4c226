use crate::clock::Clock;
use crate::engine::Engine;
use crate::readers::Readers;
use crate::writer::Writer;
use crate::{OpenError, Options, connect, read, schema};
use holdover_jobs::{Call, Command, Event, Record, Reply};
use holdover_store::{Store, StoreError};
use std::fmt;
use std::sync::Arc;

/// So many records are read in one transaction.
const PAGE: u32 = 1_000;

/// The store in an SQLite file. See the crate's documentation for what it promises.
///
/// Dropping it waits for what is being carried out and closes the file.
pub struct SqliteStore {
    writer: Writer,
    readers: Readers,
    options: Options,
}

impl SqliteStore {
    /// Opens the file, or makes it.
    ///
    /// # Errors
    /// The file cannot be used; nothing in it was changed.
    pub fn open(options: Options) -> Result<Self, OpenError> {
        let clock = Arc::new(Clock::new(options.clock.clone()));
        let order = options.offered_order();
        let engine = |connection| Engine::new(connection, Arc::clone(&clock), order);
        let to_write = engine(connect::to_write(&options)?);
        let to_read = (0..options.readers.max(1)).map(|_| connect::to_read(&options).map(engine));
        let to_read = to_read.collect::<Result<_, _>>()?;
        let failed = |error: std::io::Error| OpenError::Failed {
            path: options.path.clone(),
            why: format!("its threads do not start ({error})"),
        };
        let readers = Readers::start(to_read).map_err(failed)?;
        let writer = Writer::start(to_write).map_err(failed)?;
        Ok(Self { writer, readers, options })
    }

    /// Opens the store that is named `sqlite:PATH`.
    ///
    /// # Errors
    /// As [`Options::of_url`] and [`SqliteStore::open`].
    pub fn of_url(url: &str) -> Result<Self, OpenError> {
        Self::open(Options::of_url(url)?)
    }

    /// Takes everything out of the file, for tests. What clocks have read stays.
    ///
    /// # Errors
    /// The file cannot be written, and is as it was.
    pub fn reset(&self) -> Result<(), OpenError> {
        let mut connection = connect::to_write(&self.options)?;
        schema::empty(&mut connection).map_err(|error| OpenError::of(&self.options.path, error))
    }

    /// Every record with its events, in order of creation. A page of them is read at a time, so that jobs that change
    /// meanwhile are shown before or after that.
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn all_records(&self) -> Result<Vec<(Record, Vec<Event>)>, StoreError> {
        let mut all = Vec::new();
        loop {
            let from = u32::try_from(all.len()).unwrap_or(u32::MAX);
            let page = self.readers.read(move |engine| read::records(&engine.connection, from, PAGE)).await?;
            if page.is_empty() {
                return Ok(all);
            }
            all.extend(page.into_iter().map(|(job, events)| ((*job.record).clone(), events)));
        }
    }
}

impl Store for SqliteStore {
    async fn execute(&self, call: Call) -> Result<Reply, StoreError> {
        match only_reads(&call.command) {
            true => self.readers.read(move |engine| engine.carry_out(&call)).await,
            false => self.writer.execute(call).await,
        }
    }
}

fn only_reads(command: &Command) -> bool {
    matches!(
        command,
        Command::Load(_)
            | Command::FindByKey(_)
            | Command::ListExpired(_)
            | Command::QueueStats
            | Command::AdmissionCounts { .. }
            | Command::Events { .. }
            | Command::Workers { .. }
    )
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore").field("options", &self.options).finish_non_exhaustive()
    }
}
