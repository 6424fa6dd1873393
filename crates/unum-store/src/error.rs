//! What can go wrong, and what to do about it.

use std::path::PathBuf;

use rusqlite::ErrorCode;

/// Why something could not be stored or read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Another server is using the folder.
    #[error("the data folder {} is used by another server{}: stop that one first, or choose another folder", folder.display(), number(*process))]
    Locked {
        /// Which.
        folder: PathBuf,
        /// That server's process id, if it could be read.
        process: Option<u32>,
    },
    /// The folder cannot be created or used.
    #[error("the data folder {} cannot be used ({detail}): choose a folder that this user can write to", folder.display())]
    Folder {
        /// Which.
        folder: PathBuf,
        /// What the operating system says.
        detail: String,
    },
    /// The database is damaged, or another program's.
    #[error(
        "the database is damaged or not unum's ({0}): restore a backup, or move unum.db, unum.db-wal and unum.db-shm \
         elsewhere to start with an empty one"
    )]
    Corrupt(String),
    /// The database was written by a newer version of this program.
    #[error(
        "the database was written by a newer unum (its version is {found}, this program knows up to {known}): use the \
         newer program, or another data folder"
    )]
    Newer {
        /// The version of its schema.
        found: u32,
        /// The newest version that this program knows.
        known: u32,
    },
    /// The database is read-only.
    #[error("the database cannot be written: check the owner and permissions of the data folder, or choose another")]
    ReadOnly,
    /// The disk is full, or the limit for the database is reached.
    #[error("the disk is full: free some space, and writing resumes by itself")]
    Full,
    /// Another program held the database's lock for too long.
    #[error("another program holds the database's lock: close it, and writing resumes by itself")]
    Occupied,
    /// Any other failure of the disk or the database.
    #[error("the database could not be read or written ({0}): check the disk of the data folder")]
    Io(String),
    /// The journal does not end where the batch begins. Nothing of the batch was written.
    #[error(
        "the journal of table number {table} ends with number {last}, so nothing can come after number {after}: load the \
         table again"
    )]
    Conflict {
        /// The table's number; 0 if there is no such table.
        table: u64,
        /// The number that the batch was meant to follow.
        after: u64,
        /// The number of the journal's last entry; 0 if there is no such table.
        last: u64,
    },
    /// Another server runs the table now. Nothing of the batch was written.
    #[error("another server runs table number {table} now: load the table again")]
    Fenced {
        /// The table's number.
        table: u64,
    },
    /// The database is another one of the cluster's, or another cluster's.
    #[error(
        "this is database number {} of {}, not number {}: name all databases of a cluster, in the order in which they were \
         first named", found + 1, if *is_other { "another cluster" } else { "the cluster" }, wanted + 1
    )]
    Misplaced {
        /// Its number, from 0.
        found: usize,
        /// The number under which it was named, from 0.
        wanted: usize,
        /// Whether it belongs to another cluster.
        is_other: bool,
    },
    /// The database cannot be reached. The write may have happened anyway: the journal knows.
    #[error("the database cannot be reached ({0}): check its address, and that it is running")]
    Away(String),
    /// The database does not let this program in.
    #[error("the database does not let this program in ({0}): check the user and the password")]
    Login(String),
    /// Entries of a table are missing. Other tables are not affected.
    #[error("entries of table number {table} are missing: put back a copy of the database, or do without the table")]
    Gap {
        /// The table's number.
        table: u64,
    },
    /// The table has used up its space. Nothing of the batch was written.
    #[error("table number {table} takes as much room as a table may: open another, or raise table_megabytes")]
    OverQuota {
        /// The table's number.
        table: u64,
    },
    /// A value that must be unique already exists, or a value is too large. Nothing was written.
    #[error("this cannot be stored: {0}")]
    Rejected(String),
    /// Writing panicked. Nothing was written.
    #[error("this could not be written, because the program has a bug: please report it")]
    Panicked,
    /// The queue is full. Nothing was written; try again soon.
    #[error("too many writes are waiting: try again in a moment")]
    Busy,
    /// The store has been closed.
    #[error("the store is closed: the server is stopping")]
    Closed,
}

/// The process id, as part of a sentence.
fn number(process: Option<u32>) -> String {
    process.map(|process| format!(" (process {process})")).unwrap_or_default()
}

impl StoreError {
    /// Whether the fault lies in what was to be written, so that other jobs in the transaction can go on.
    pub(crate) fn is_own_fault(&self) -> bool {
        matches!(
            self,
            StoreError::Conflict { .. }
                | StoreError::Fenced { .. }
                | StoreError::OverQuota { .. }
                | StoreError::Rejected(_)
                | StoreError::Panicked
        )
    }
}

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
