//! Where a server keeps its tables: a journal on SQLite or PostgreSQL, with snapshots, guests and the records of finished
//! games.
//!
//! The store knows nothing about the game: it keeps numbered bytes. [`Store::append`] adds to a table's journal after
//! an expected number, and confirms only when the disk has it. One thread writes for all tables and puts everything
//! that waits into one transaction (group commit), so a thousand tables cost hardly more than one.
//!
//! Reads ([`Store::load`], …) use other connections and do not wait for the writer. Every method except
//! [`Store::append`] may block briefly, so an async program calls them on a blocking thread.
//!
//! ```
//! use std::sync::mpsc;
//! use unum_store::{Batch, Store};
//!
//! let store = Store::in_memory()?;
//! let (tell, told) = mpsc::channel();
//! let batch = Batch { table: "K7QX".to_owned(), after: 0, entries: vec![b"opened".to_vec()], ..Batch::default() };
//! store.append(batch, move |result| tell.send(result).expect("somebody waits"));
//! told.recv().expect("an answer")?;
//! let table = store.load("K7QX")?.expect("a table");
//! assert_eq!(table.entries, [(1, b"opened".to_vec())]);
//! # Ok::<(), unum_store::StoreError>(())
//! ```

#![forbid(unsafe_code)]

pub mod backup;
mod context;
pub mod copy;
mod error;
pub mod failpoint;
pub mod inspect;
mod journal;
pub mod lease;
mod lock;
mod moderation;
mod postgres;
mod queue;
mod reviews;
mod rows;
mod schema;
mod sharded;
mod sql;
mod store;
mod writer;

pub use context::Options;
pub use error::StoreError;
pub use journal::{Figures, Health, Journal, Store};
pub use lock::{private_file, private_folder};
pub use moderation::{MOST_ACTS, MOST_BLOCKS, MOST_REPORTS, MOST_SANCTIONS, REPORTS_OF_ONE};
pub use postgres::DatabaseAddress;
pub use rows::{
    ActRow, Batch, BlockRow, Change, Doubt, Forgotten, GuestRow, ListingChange, NewGuest, Part, Piece, RecordFacts,
    RecordHead, RecordRow, ReportRow, Retention, ReviewRow, Sanction, SanctionRow, SeasonRow, StoredTable, TableRow,
    Unrecorded,
};

/// The file name of the database. SQLite keeps two more files next to it, with `-wal` and `-shm` added.
pub const DATABASE: &str = "unum.db";
/// The file name of the lock that a running server holds on the folder.
pub const LOCK: &str = "unum.lock";
