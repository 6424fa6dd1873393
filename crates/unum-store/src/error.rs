//! What can go wrong, and what to do about it.

use std::fmt;
use std::path::PathBuf;

use rusqlite::ErrorCode;

/// Why something could not be stored or read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// Another server uses the folder.
    Locked {
        /// Which.
        folder: PathBuf,
        /// The number of that server's process, if it could be read.
        process: Option<u32>,
    },
    /// The folder cannot be made or used.
    Folder {
        /// Which.
        folder: PathBuf,
        /// What the operating system says.
        detail: String,
    },
    /// The database is damaged, or none of this program's.
    Corrupt(String),
    /// The database was written by a newer version of this program.
    Newer {
        /// The version of its tables.
        found: u32,
        /// The newest version known here.
        known: u32,
    },
    /// The database may not be written.
    ReadOnly,
    /// The disk is full, or the limit for the database is reached.
    Full,
    /// Another program holds the database's lock for too long.
    Occupied,
    /// Another failure of the disk or of the database.
    Io(String),
    /// The journal does not end where the batch should go on. Nothing of the batch was written.
    Conflict {
        /// The table.
        table: String,
        /// The number the batch was to come after.
        after: u64,
        /// The number of the journal's last entry; 0 if there is no such table.
        last: u64,
    },
    /// A value that has to be unique is there already, or one that is too large: nothing of it was written.
    Rejected(String),
    /// Too much waits to be written. Nothing was written; it is worth trying again soon.
    Busy,
    /// The store has been closed.
    Closed,
}

impl StoreError {
    /// Whether the fault lies in what was to be written, so that others are not concerned.
    pub(crate) fn is_own_fault(&self) -> bool {
        matches!(self, StoreError::Conflict { .. } | StoreError::Rejected(_))
    }

    /// Whether the same might succeed later without anybody changing what is to be written.
    pub fn is_passing(&self) -> bool {
        use StoreError::{Busy, Full, Io, Locked, Occupied, ReadOnly};
        matches!(self, Busy | Full | Io(_) | Locked { .. } | Occupied | ReadOnly)
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Locked { folder, process } => {
                let folder = folder.display();
                match process {
                    Some(process) => {
                        write!(f, "the data folder {folder} is used by another server (process {process})")?
                    }
                    None => write!(f, "the data folder {folder} is used by another server")?,
                }
                f.write_str(": stop that one first, or choose another folder")
            }
            StoreError::Folder { folder, detail } => write!(
                f,
                "the data folder {} cannot be used ({detail}): it has to be a folder that this user may write to",
                folder.display()
            ),
            StoreError::Corrupt(detail) => write!(
                f,
                "the database is damaged or no database of unum ({detail}): put back a copy, or move unum.db, \
                 unum.db-wal and unum.db-shm elsewhere to begin with an empty one"
            ),
            StoreError::Newer { found, known } => write!(
                f,
                "the database was written by a newer unum (its version is {found}, this program knows up to {known}): \
                 use the newer program, or another data folder"
            ),
            StoreError::ReadOnly => f.write_str(
                "the database cannot be written: check the owner and permissions of the data folder, or choose another",
            ),
            StoreError::Full => f.write_str("the disk is full: free some space; it goes on by itself then"),
            StoreError::Occupied => {
                f.write_str("another program holds the database's lock: close it; it goes on by itself then")
            }
            StoreError::Io(detail) => {
                write!(f, "the database could not be read or written ({detail}): check the disk of the data folder")
            }
            StoreError::Conflict { table, after, last } => write!(
                f,
                "the journal of table {table} ends with number {last}, so nothing can come after number {after}: \
                 load the table again"
            ),
            StoreError::Rejected(detail) => write!(f, "this cannot be stored: {detail}"),
            StoreError::Busy => f.write_str("too much waits to be written: try again in a moment"),
            StoreError::Closed => f.write_str("the store is closed: the server is stopping"),
        }
    }
}

impl std::error::Error for StoreError {}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        let detail = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => StoreError::Full,
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => StoreError::ReadOnly,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Occupied,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => StoreError::Corrupt(detail),
            Some(ErrorCode::ConstraintViolation | ErrorCode::TooBig) => StoreError::Rejected(detail),
            _ => StoreError::Io(detail),
        }
    }
}
