use crate::Failure;
use crate::disk::{Disk, Inside};
use crate::file::File;
use crate::locks::{Busy, Level, Locks, Opener};
use rusqlite::ffi;
use std::ffi::{c_int, c_void};
use std::ops::Range;
use std::sync::MutexGuard;

/// What SQLite is told: an error is one of its codes.
pub(crate) type Said<T> = Result<T, c_int>;

/// A file that somebody has opened.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) disk: Disk,
    pub(crate) name: String,
    pub(crate) who: Opener,
    pub(crate) life: u64,
    /// Whether it goes with its opener.
    pub(crate) temporary: bool,
}

impl Opened {
    pub(crate) fn read(&self, from: usize, into: &mut [u8]) -> Said<()> {
        let mut inside = self.inside(ffi::SQLITE_IOERR_READ)?;
        let read = self.file(&mut inside).read(from, into);
        if read < into.len() { Err(ffi::SQLITE_IOERR_SHORT_READ) } else { Ok(()) }
    }

    pub(crate) fn write(&self, at: usize, bytes: &[u8]) -> Said<()> {
        let mut inside = self.inside(ffi::SQLITE_IOERR_WRITE)?;
        fails(inside.operate(), ffi::SQLITE_IOERR_WRITE)?;
        let grows = (at + bytes.len()).saturating_sub(self.file(&mut inside).len());
        if grows > 0 && inside.room.is_some_and(|room| inside.taken() + grows > room) {
            return Err(ffi::SQLITE_FULL);
        }
        self.file(&mut inside).write(at, bytes);
        Ok(())
    }

    pub(crate) fn truncate(&self, len: usize) -> Said<()> {
        let mut inside = self.inside(ffi::SQLITE_IOERR_TRUNCATE)?;
        fails(inside.operate(), ffi::SQLITE_IOERR_TRUNCATE)?;
        self.file(&mut inside).truncate(len);
        Ok(())
    }

    pub(crate) fn flush(&self) -> Said<()> {
        let mut inside = self.inside(ffi::SQLITE_IOERR_FSYNC)?;
        inside.flushes += 1;
        let failure = inside.operate();
        match failure {
            None => self.file(&mut inside).flush(),
            // What was to be flushed when power went is as open as if nobody had asked.
            Some(Failure::Power) => {}
            Some(_) => self.file(&mut inside).doubt(),
        }
        fails(failure, ffi::SQLITE_IOERR_FSYNC)
    }

    pub(crate) fn len(&self) -> Said<usize> {
        let mut inside = self.inside(ffi::SQLITE_IOERR_FSTAT)?;
        Ok(self.file(&mut inside).len())
    }

    pub(crate) fn lock(&self, level: Level) -> Said<()> {
        self.locks(ffi::SQLITE_IOERR_LOCK, |locks, who| locks.lock(who, level))
    }

    pub(crate) fn unlock(&self, level: Level) -> Said<()> {
        self.locks(ffi::SQLITE_IOERR_UNLOCK, |locks, who| {
            locks.unlock(who, level);
            Ok(())
        })
    }

    pub(crate) fn is_reserved(&self) -> Said<bool> {
        let mut inside = self.inside(ffi::SQLITE_IOERR_CHECKRESERVEDLOCK)?;
        Ok(inside.locks.entry(self.name.clone()).or_default().is_reserved())
    }

    /// The address of a region of the memory that openers share.
    pub(crate) fn memory(&self, place: usize, bytes: usize, make: bool) -> Said<Option<*mut c_void>> {
        let mut inside = self.inside(ffi::SQLITE_IOERR_SHMMAP)?;
        Ok(inside.memory.entry(self.name.clone()).or_default().region(place, bytes, make))
    }

    pub(crate) fn lock_memory(&self, places: Range<u32>, exclusive: bool) -> Said<()> {
        self.locks(ffi::SQLITE_IOERR_SHMLOCK, |locks, who| locks.lock_memory(who, places, exclusive))
    }

    pub(crate) fn unlock_memory(&self, places: Range<u32>) -> Said<()> {
        self.locks(ffi::SQLITE_IOERR_SHMLOCK, |locks, who| {
            locks.unlock_memory(who, places);
            Ok(())
        })
    }

    pub(crate) fn forget_memory(&self) -> Said<()> {
        let mut inside = self.inside(ffi::SQLITE_IOERR_SHMMAP)?;
        inside.memory.entry(self.name.clone()).or_default().forget();
        Ok(())
    }

    /// Closes it. Nobody is told if power has gone meanwhile.
    pub(crate) fn close(&self) {
        let Ok(mut inside) = self.inside(ffi::SQLITE_IOERR_CLOSE) else { return };
        inside.locks.entry(self.name.clone()).or_default().leave(self.who);
        if self.temporary {
            inside.files.remove(&self.name);
        }
    }

    fn locks(&self, code: c_int, change: impl FnOnce(&mut Locks, Opener) -> Result<(), Busy>) -> Said<()> {
        let mut inside = self.inside(code)?;
        let locks = inside.locks.entry(self.name.clone()).or_default();
        change(locks, self.who).map_err(|Busy| ffi::SQLITE_BUSY)
    }

    /// The disk, or this code where power has gone since the file was opened.
    fn inside(&self, code: c_int) -> Said<MutexGuard<'_, Inside>> {
        let inside = self.disk.inside();
        if inside.dead || inside.life != self.life { Err(code) } else { Ok(inside) }
    }

    fn file<'a>(&self, inside: &'a mut Inside) -> &'a mut File {
        inside.files.entry(self.name.clone()).or_default()
    }
}

fn fails(failure: Option<Failure>, code: c_int) -> Said<()> {
    match failure {
        None => Ok(()),
        Some(Failure::Full) => Err(ffi::SQLITE_FULL),
        Some(Failure::Power | Failure::Error) => Err(code),
    }
}
