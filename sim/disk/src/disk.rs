use crate::file::File;
use crate::locks::{Locks, Opener};
use crate::opened::{Opened, Said};
use crate::shared_memory::SharedMemory;
use crate::{Failure, registry, vfs};
use rusqlite::ffi;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A disk. Copies are the same disk.
#[derive(Debug, Clone)]
pub struct Disk {
    number: u64,
    inside: Arc<Mutex<Inside>>,
}

/// What is on it, and what becomes of it.
#[derive(Debug, Default)]
pub(crate) struct Inside {
    pub(crate) files: BTreeMap<String, File>,
    pub(crate) locks: BTreeMap<String, Locks>,
    pub(crate) memory: BTreeMap<String, SharedMemory>,
    operations: u64,
    pub(crate) flushes: u64,
    fails_at: Option<(u64, Failure)>,
    pub(crate) room: Option<usize>,
    pub(crate) dead: bool,
    /// How often power came back: who opened a file before has lost it.
    pub(crate) life: u64,
    openers: Opener,
}

impl Disk {
    /// The name of the file system by which SQLite reaches disks.
    pub const VFS: &'static str = "holdover-sim-disk";

    /// An empty disk.
    pub fn new() -> Self {
        vfs::register();
        let inside = Arc::default();
        Self { number: registry::enter(&inside), inside }
    }

    /// The path of a file on it.
    pub fn path(&self, name: &str) -> PathBuf {
        format!("/{}/{name}", self.number).into()
    }

    /// How many times it was written, truncated or flushed so far.
    pub fn operations(&self) -> u64 {
        self.inside().operations
    }

    /// How many times it was flushed so far.
    pub fn flushes(&self) -> u64 {
        self.inside().flushes
    }

    /// Makes the operation of this number fail; they are counted from 1.
    pub fn fail_at(&self, operation: u64, failure: Failure) {
        self.inside().fails_at = Some((operation, failure));
    }

    /// Gives it room for so many bytes, or for any number.
    pub fn set_room(&self, bytes: Option<usize>) {
        self.inside().room = bytes;
    }

    /// Whether power was lost.
    pub fn is_dead(&self) -> bool {
        self.inside().dead
    }

    /// Takes the power, if it is not gone already, and gives it back: all that was open is lost. `choose` draws a
    /// number below the one it is given, and so which version of each sector has reached the disk.
    pub fn restart(&self, choose: &mut dyn FnMut(usize) -> usize) {
        let mut inside = self.inside();
        inside.files.values_mut().for_each(|file| file.lose(choose));
        inside.locks.clear();
        inside.memory.values_mut().for_each(SharedMemory::forget);
        inside.fails_at = None;
        inside.dead = false;
        inside.life += 1;
    }

    pub(crate) fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The disk and the file of a path; without a disk the path is of none that is there.
    pub(crate) fn find(path: &str) -> Option<(Self, String)> {
        let (number, name) = path.strip_prefix('/')?.split_once('/')?;
        let number = number.parse().ok()?;
        Some((Self { number, inside: registry::find(number)? }, name.to_owned()))
    }

    /// Opens a file, and makes it if it is not there and may be made.
    pub(crate) fn open(self, name: String, make: bool, temporary: bool) -> Said<Opened> {
        let (who, life) = {
            let mut inside = self.inside();
            if inside.dead || !make && !inside.files.contains_key(&name) {
                return Err(ffi::SQLITE_CANTOPEN);
            }
            inside.files.entry(name.clone()).or_default();
            inside.openers += 1;
            (inside.openers, inside.life)
        };
        Ok(Opened { disk: self, name, who, life, temporary })
    }
}

impl Default for Disk {
    fn default() -> Self {
        Self::new()
    }
}

impl Inside {
    /// Counts an operation, and says whether it fails.
    pub(crate) fn operate(&mut self) -> Option<Failure> {
        self.operations += 1;
        let (_, failure) = self.fails_at.filter(|(at, _)| *at == self.operations)?;
        self.dead |= failure == Failure::Power;
        Some(failure)
    }

    pub(crate) fn taken(&self) -> usize {
        self.files.values().map(File::len).sum()
    }
}
