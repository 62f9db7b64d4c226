//! The functions that SQLite calls: each turns what C hands it into a call of a [`Disk`] or of a file on it.
//!
//! SQLite promises: a file that it hands to a function is one that `open` has made and `close` has not seen yet; a
//! buffer is as long as is said; names end with a zero byte and stay until the function returns.

use crate::Disk;
use crate::locks::Level;
use crate::opened::{Opened, Said};
use rusqlite::ffi::{
    self, sqlite3_file, sqlite3_int64, sqlite3_io_methods, sqlite3_vfs, sqlite3_vfs_register,
};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ops::Range;
use std::ptr::null_mut;
use std::sync::{Once, atomic};

/// The longest path, with its zero byte.
const PATH_MAX: c_int = 512;
/// The only day that it ever is, in milliseconds as SQLite counts them.
const NOW: sqlite3_int64 = 2_460_000 * 86_400_000;

/// What SQLite keeps of a file: the part that it knows, then ours.
#[repr(C)]
struct Handle {
    base: sqlite3_file,
    opened: *mut Opened,
}

static METHODS: sqlite3_io_methods = sqlite3_io_methods {
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(device_characteristics),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: None,
    xUnfetch: None,
};

/// Makes [`Disk::VFS`] known to SQLite, once in a process.
pub(crate) fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let name = CString::new(Disk::VFS).expect("a name without a zero byte");
        let vfs = Box::new(sqlite3_vfs {
            iVersion: 2,
            szOsFile: size_of::<Handle>() as c_int,
            mxPathname: PATH_MAX,
            pNext: null_mut(),
            zName: name.into_raw(),
            pAppData: null_mut(),
            xOpen: Some(open),
            xDelete: Some(delete),
            xAccess: Some(access),
            xFullPathname: Some(full_pathname),
            xDlOpen: None,
            xDlError: None,
            xDlSym: None,
            xDlClose: None,
            xRandomness: Some(randomness),
            xSleep: Some(sleep),
            xCurrentTime: Some(current_time),
            xGetLastError: None,
            xCurrentTimeInt64: Some(current_time_int64),
            xSetSystemCall: None,
            xGetSystemCall: None,
            xNextSystemCall: None,
        });
        // SAFETY: it is initialised, and it and its name are never freed, as SQLite demands of what is registered.
        let code = unsafe { sqlite3_vfs_register(Box::into_raw(vfs), 0) };
        assert_eq!(code, ffi::SQLITE_OK, "SQLite takes a file system that is well formed");
    });
}

fn code(said: Said<()>) -> c_int {
    said.err().unwrap_or(ffi::SQLITE_OK)
}

/// The file that SQLite means.
///
/// # Safety
/// `file` was made by [`open`] and not closed, and nobody else uses it meanwhile.
unsafe fn opened<'a>(file: *mut sqlite3_file) -> &'a Opened {
    // SAFETY: the caller says that `open` has put a handle of ours there, whose `opened` lives until `close`.
    unsafe { &*(*file.cast::<Handle>()).opened }
}

/// # Safety
/// `name` is null or ends with a zero byte.
unsafe fn text<'a>(name: *const c_char) -> Option<&'a str> {
    if name.is_null() {
        return None;
    }
    // SAFETY: the caller says so.
    unsafe { CStr::from_ptr(name) }.to_str().ok()
}

unsafe extern "C" fn open(
    _: *mut sqlite3_vfs,
    name: *const c_char,
    file: *mut sqlite3_file,
    flags: c_int,
    out: *mut c_int,
) -> c_int {
    let handle = file.cast::<Handle>();
    // SAFETY: SQLite gives `szOsFile` bytes, which is the size of a handle. A null method says that `close` must not
    // be called for one that could not be opened.
    unsafe { (*handle).base.pMethods = std::ptr::null() };
    // SAFETY: a name ends with a zero byte.
    let Some((disk, name)) = unsafe { text(name) }.and_then(Disk::find) else { return ffi::SQLITE_CANTOPEN };
    let make = flags & ffi::SQLITE_OPEN_CREATE != 0;
    let temporary = flags & ffi::SQLITE_OPEN_DELETEONCLOSE != 0;
    match disk.open(name, make, temporary) {
        Err(code) => code,
        Ok(opened) => {
            // SAFETY: as above; what is put there stays until `close` takes it back.
            unsafe {
                (*handle).opened = Box::into_raw(Box::new(opened));
                (*handle).base.pMethods = &raw const METHODS;
                if !out.is_null() {
                    *out = flags;
                }
            }
            ffi::SQLITE_OK
        }
    }
}

unsafe extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    let handle = file.cast::<Handle>();
    // SAFETY: `open` has put it there, and SQLite closes a file once.
    let opened = unsafe {
        (*handle).base.pMethods = std::ptr::null();
        Box::from_raw((*handle).opened)
    };
    opened.close();
    ffi::SQLITE_OK
}

unsafe extern "C" fn read(
    file: *mut sqlite3_file,
    into: *mut c_void,
    len: c_int,
    from: sqlite3_int64,
) -> c_int {
    // SAFETY: the buffer has room for `len` bytes, and nobody else has its address.
    let into = unsafe { std::slice::from_raw_parts_mut(into.cast::<u8>(), len as usize) };
    // SAFETY: an open file.
    code(unsafe { opened(file) }.read(from as usize, into))
}

unsafe extern "C" fn write(
    file: *mut sqlite3_file,
    from: *const c_void,
    len: c_int,
    at: sqlite3_int64,
) -> c_int {
    // SAFETY: the buffer has `len` bytes.
    let bytes = unsafe { std::slice::from_raw_parts(from.cast::<u8>(), len as usize) };
    // SAFETY: an open file.
    code(unsafe { opened(file) }.write(at as usize, bytes))
}

unsafe extern "C" fn truncate(file: *mut sqlite3_file, len: sqlite3_int64) -> c_int {
    // SAFETY: an open file.
    code(unsafe { opened(file) }.truncate(len as usize))
}

unsafe extern "C" fn sync(file: *mut sqlite3_file, _: c_int) -> c_int {
    // SAFETY: an open file.
    code(unsafe { opened(file) }.flush())
}

unsafe extern "C" fn file_size(file: *mut sqlite3_file, len: *mut sqlite3_int64) -> c_int {
    // SAFETY: an open file.
    match unsafe { opened(file) }.len() {
        Err(code) => code,
        Ok(bytes) => {
            // SAFETY: a place for the answer.
            unsafe { *len = bytes as sqlite3_int64 };
            ffi::SQLITE_OK
        }
    }
}

fn level(number: c_int) -> Level {
    match number {
        ffi::SQLITE_LOCK_NONE => Level::None,
        ffi::SQLITE_LOCK_SHARED => Level::Shared,
        ffi::SQLITE_LOCK_RESERVED => Level::Reserved,
        _ => Level::Exclusive,
    }
}

unsafe extern "C" fn lock(file: *mut sqlite3_file, number: c_int) -> c_int {
    // SAFETY: an open file.
    code(unsafe { opened(file) }.lock(level(number)))
}

unsafe extern "C" fn unlock(file: *mut sqlite3_file, number: c_int) -> c_int {
    // SAFETY: an open file.
    code(unsafe { opened(file) }.unlock(level(number)))
}

unsafe extern "C" fn check_reserved_lock(file: *mut sqlite3_file, out: *mut c_int) -> c_int {
    // SAFETY: an open file.
    match unsafe { opened(file) }.is_reserved() {
        Err(code) => code,
        Ok(reserved) => {
            // SAFETY: a place for the answer.
            unsafe { *out = reserved.into() };
            ffi::SQLITE_OK
        }
    }
}

unsafe extern "C" fn file_control(_: *mut sqlite3_file, _: c_int, _: *mut c_void) -> c_int {
    ffi::SQLITE_NOTFOUND
}

unsafe extern "C" fn sector_size(_: *mut sqlite3_file) -> c_int {
    512
}

/// A sector is written without harm to its neighbours, as SQLite takes every disk to do.
unsafe extern "C" fn device_characteristics(_: *mut sqlite3_file) -> c_int {
    ffi::SQLITE_IOCAP_POWERSAFE_OVERWRITE
}

unsafe extern "C" fn shm_map(
    file: *mut sqlite3_file,
    place: c_int,
    bytes: c_int,
    make: c_int,
    out: *mut *mut c_void,
) -> c_int {
    // SAFETY: an open file.
    match unsafe { opened(file) }.memory(place as usize, bytes as usize, make != 0) {
        Err(code) => code,
        Ok(address) => {
            // SAFETY: a place for the answer.
            unsafe { *out = address.unwrap_or(null_mut()) };
            ffi::SQLITE_OK
        }
    }
}

unsafe extern "C" fn shm_lock(file: *mut sqlite3_file, from: c_int, places: c_int, flags: c_int) -> c_int {
    // SAFETY: an open file.
    let opened = unsafe { opened(file) };
    let places: Range<u32> = from as u32..(from + places) as u32;
    code(match flags & ffi::SQLITE_SHM_UNLOCK {
        0 => opened.lock_memory(places, flags & ffi::SQLITE_SHM_EXCLUSIVE != 0),
        _ => opened.unlock_memory(places),
    })
}

unsafe extern "C" fn shm_barrier(_: *mut sqlite3_file) {
    atomic::fence(atomic::Ordering::SeqCst);
}

unsafe extern "C" fn shm_unmap(file: *mut sqlite3_file, forget: c_int) -> c_int {
    // SAFETY: an open file.
    if forget == 0 { ffi::SQLITE_OK } else { code(unsafe { opened(file) }.forget_memory()) }
}

unsafe extern "C" fn delete(_: *mut sqlite3_vfs, name: *const c_char, _: c_int) -> c_int {
    // SAFETY: a name ends with a zero byte.
    let Some((disk, name)) = unsafe { text(name) }.and_then(Disk::find) else {
        return ffi::SQLITE_IOERR_DELETE;
    };
    let mut inside = disk.inside();
    match inside.dead {
        true => ffi::SQLITE_IOERR_DELETE,
        false => match inside.files.remove(&name) {
            Some(_) => ffi::SQLITE_OK,
            None => ffi::SQLITE_IOERR_DELETE_NOENT,
        },
    }
}

unsafe extern "C" fn access(_: *mut sqlite3_vfs, name: *const c_char, _: c_int, out: *mut c_int) -> c_int {
    // SAFETY: a name ends with a zero byte.
    let found = unsafe { text(name) }.and_then(Disk::find);
    let is_there = found.is_some_and(|(disk, name)| disk.inside().files.contains_key(&name));
    // SAFETY: a place for the answer.
    unsafe { *out = is_there.into() };
    ffi::SQLITE_OK
}

unsafe extern "C" fn full_pathname(
    _: *mut sqlite3_vfs,
    name: *const c_char,
    room: c_int,
    out: *mut c_char,
) -> c_int {
    // SAFETY: a name ends with a zero byte.
    let name = unsafe { CStr::from_ptr(name) }.to_bytes_with_nul();
    if name.len() > room as usize {
        return ffi::SQLITE_CANTOPEN;
    }
    // SAFETY: there is room for `room` bytes, and the two do not overlap.
    unsafe { std::ptr::copy_nonoverlapping(name.as_ptr().cast(), out, name.len()) };
    ffi::SQLITE_OK
}

unsafe extern "C" fn randomness(_: *mut sqlite3_vfs, len: c_int, out: *mut c_char) -> c_int {
    // SAFETY: there is room for `len` bytes.
    unsafe { std::ptr::write_bytes(out, 7, len as usize) };
    len
}

/// Nobody is waited for: whoever has a lock does not let it go while somebody else sleeps.
unsafe extern "C" fn sleep(_: *mut sqlite3_vfs, microseconds: c_int) -> c_int {
    microseconds
}

unsafe extern "C" fn current_time(_: *mut sqlite3_vfs, out: *mut f64) -> c_int {
    // SAFETY: a place for the answer.
    unsafe { *out = NOW as f64 / 86_400_000.0 };
    ffi::SQLITE_OK
}

unsafe extern "C" fn current_time_int64(_: *mut sqlite3_vfs, out: *mut sqlite3_int64) -> c_int {
    // SAFETY: a place for the answer.
    unsafe { *out = NOW };
    ffi::SQLITE_OK
}
