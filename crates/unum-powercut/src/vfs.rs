//! The file system that SQLite calls: its own one, with writes, cuts and syncs noted.
//!
//! SQLite can be given a file system only through its C interface, so this is one of the two files of the project with
//! unsafe code. The need: a killed process loses nothing that it has written, so crash runs cannot tell whether anything is
//! synced at all. `a_missing_sync_would_be_found` in `unum-store` measures that this can.
//!
//! Nothing is implemented here. Opening a file lets SQLite's own file system open it, and then puts a table of methods
//! in place that is a copy of the original's but for four of them, which note what they are asked for and call it.

#![allow(unsafe_code)]

use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use rusqlite::ffi::{
    SQLITE_IOERR, SQLITE_OK, sqlite3_file, sqlite3_initialize, sqlite3_io_methods, sqlite3_vfs, sqlite3_vfs_find,
    sqlite3_vfs_register,
};

use crate::{Log, Step, What};

/// The name of the file system.
pub const NAME: &str = "unum-powercut";
const C_NAME: &CStr = c"unum-powercut";

/// A table of methods that lives as long as the program.
#[derive(Clone, Copy)]
struct Methods(&'static sqlite3_io_methods);

/// A file that is open.
struct Open {
    original: Methods,
    /// Its name and where its steps go, if its folder is watched.
    watched: Option<(String, Log)>,
}

#[derive(Default)]
struct Known {
    folders: HashMap<PathBuf, Log>,
    /// By the address of SQLite's own record of the file.
    files: HashMap<usize, Open>,
    /// Our methods by the address of the original ones.
    methods: HashMap<usize, Methods>,
}

/// SQLite's own file system, whose address is kept as a number so that threads can share it.
static ORIGINAL: LazyLock<usize> = LazyLock::new(register);
static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);

fn known() -> MutexGuard<'static, Known> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Remembers what is done to a folder from now on.
pub(crate) fn watch(folder: &Path) -> Log {
    assert_ne!(*ORIGINAL, 0, "SQLite has a file system");
    let log = Log::default();
    known().folders.insert(folder.to_owned(), log.clone());
    log
}

pub(crate) fn unwatch(folder: &Path) {
    known().folders.remove(folder);
}

/// Makes the file system known to SQLite, beside its own.
fn register() -> usize {
    // SAFETY: SQLite is initialized before anything else is called. The original lives as long as the program, and so
    // does the copy, which is leaked. The copy's functions are those of the original and get the copy as their first
    // argument, of which they use only fields that were copied; xOpen is ours and has the right type.
    unsafe {
        if sqlite3_initialize() != SQLITE_OK {
            return 0;
        }
        let original = sqlite3_vfs_find(std::ptr::null());
        if original.is_null() {
            return 0;
        }
        let mut copy: Box<sqlite3_vfs> = Box::new(std::ptr::read(original));
        copy.zName = C_NAME.as_ptr();
        copy.pNext = std::ptr::null_mut();
        copy.xOpen = Some(open);
        sqlite3_vfs_register(Box::into_raw(copy), 0);
        original as usize
    }
}

/// Opens a file, and puts our methods in place.
unsafe extern "C" fn open(
    _: *mut sqlite3_vfs,
    name: *const c_char,
    file: *mut sqlite3_file,
    flags: c_int,
    out: *mut c_int,
) -> c_int {
    let vfs = *ORIGINAL as *mut sqlite3_vfs;
    // SAFETY: all arguments are passed on as SQLite gave them, to the file system that they were meant for: the copy asks
    // for as much room for `file` as the original does.
    let opened = unsafe {
        match (*vfs).xOpen {
            Some(open) => open(vfs, name, file, flags, out),
            None => return SQLITE_IOERR,
        }
    };
    if opened != SQLITE_OK {
        return opened;
    }
    // SAFETY: a file that was opened has methods, which are constants of SQLite's. A name ends with a zero byte.
    let (original, name) = unsafe {
        let name = (!name.is_null()).then(|| CStr::from_ptr(name).to_string_lossy().into_owned());
        (Methods(&*(*file).pMethods), name)
    };
    let mut known = known();
    let ours = *known.methods.entry(std::ptr::from_ref(original.0) as usize).or_insert_with(|| ours(original));
    let watched = name.and_then(|name| {
        let path = Path::new(&name);
        let log = known.folders.get(path.parent()?)?.clone();
        Some((path.file_name()?.to_string_lossy().into_owned(), log))
    });
    known.files.insert(file as usize, Open { original, watched });
    // SAFETY: the file is SQLite's, which lets a file system choose the methods of a file it has opened.
    unsafe { (*file).pMethods = ours.0 };
    SQLITE_OK
}

/// The original's methods, but for four.
fn ours(original: Methods) -> Methods {
    // SAFETY: the table is plain data; a copy of it is as good as the original.
    let mut copy = Box::new(unsafe { std::ptr::read(original.0) });
    copy.xWrite = Some(write);
    copy.xTruncate = Some(truncate);
    copy.xSync = Some(sync);
    copy.xClose = Some(close);
    Methods(Box::leak(copy))
}

/// The original's methods for a file.
fn original(file: *mut sqlite3_file) -> Option<&'static sqlite3_io_methods> {
    known().files.get(&(file as usize)).map(|open| open.original.0)
}

fn note(file: *mut sqlite3_file, what: What) {
    let known = known();
    let watched = known.files.get(&(file as usize)).and_then(|open| open.watched.as_ref());
    if let Some((name, log)) = watched {
        log.lock().unwrap_or_else(PoisonError::into_inner).push(Step { file: name.clone(), what });
    }
}

unsafe extern "C" fn write(file: *mut sqlite3_file, bytes: *const c_void, count: c_int, offset: i64) -> c_int {
    let Some(write) = original(file).and_then(|methods| methods.xWrite) else { return SQLITE_IOERR };
    // SAFETY: the arguments are passed on as SQLite gave them.
    let done = unsafe { write(file, bytes, count, offset) };
    if done == SQLITE_OK {
        // SAFETY: SQLite gives `count` bytes at `bytes`, for the time of the call.
        let bytes = unsafe { std::slice::from_raw_parts(bytes.cast::<u8>(), usize::try_from(count).unwrap_or(0)) };
        note(file, What::Write { offset: usize::try_from(offset).unwrap_or(0), bytes: bytes.into() });
    }
    done
}

unsafe extern "C" fn truncate(file: *mut sqlite3_file, length: i64) -> c_int {
    let Some(truncate) = original(file).and_then(|methods| methods.xTruncate) else { return SQLITE_IOERR };
    // SAFETY: the arguments are passed on as SQLite gave them.
    let done = unsafe { truncate(file, length) };
    if done == SQLITE_OK {
        note(file, What::Truncate(usize::try_from(length).unwrap_or(0)));
    }
    done
}

unsafe extern "C" fn sync(file: *mut sqlite3_file, flags: c_int) -> c_int {
    let Some(sync) = original(file).and_then(|methods| methods.xSync) else { return SQLITE_IOERR };
    // SAFETY: the arguments are passed on as SQLite gave them.
    let done = unsafe { sync(file, flags) };
    if done == SQLITE_OK {
        note(file, What::Sync);
    }
    done
}

unsafe extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    let Some(open) = known().files.remove(&(file as usize)) else { return SQLITE_IOERR };
    // SAFETY: the argument is passed on as SQLite gave it; the methods are put back that the file was opened with.
    unsafe {
        (*file).pMethods = open.original.0;
        open.original.0.xClose.map_or(SQLITE_IOERR, |close| close(file))
    }
}
