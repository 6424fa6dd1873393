//! Where a server keeps its tables: a journal on SQLite or PostgreSQL, with snapshots, guests and the records of finished
//! games.
//!
//! The store knows nothing of the game: what it keeps are bytes with numbers. [`Store::append`] adds to a table's
//! journal after an expected number, and says so only when the disk has it. One thread writes for all tables and puts
//! everything that waits into one transaction, so that a thousand tables cost hardly more than one.
//!
//! Whatever only reads ([`Store::load`], …) uses other connections and does not wait for the writer. All methods but
//! [`Store::append`] may block for a moment: an asynchronous program calls them where that does no harm.
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

mod context;
pub mod copy;
mod error;
pub mod failpoint;
mod journal;
pub mod lease;
mod lock;
mod postgres;
mod queue;
mod rows;
mod schema;
mod sql;
mod store;
mod writer;

pub use context::Options;
pub use error::StoreError;
pub use journal::{Figures, Health, Journal, Store};
pub use postgres::DatabaseAddress;
pub use rows::{
    Batch, Doubt, Forgotten, GuestRow, ListingChange, NewGuest, Part, Piece, RecordFacts, RecordHead, RecordRow,
    Retention, StoredTable, TableRow, Unrecorded,
};

/// The name of the database within its folder. SQLite keeps two more files beside it, with `-wal` and `-shm` added.
pub const DATABASE: &str = "unum.db";
/// The name of the file whose lock says that a server uses the folder.
pub const LOCK: &str = "unum.lock";
