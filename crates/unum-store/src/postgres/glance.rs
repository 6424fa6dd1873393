//! A database in one transaction: as it is now, though servers may be writing to it, for backups; or as it will be, once
//! all of a backup is in it.

use tokio::runtime::{Builder, Runtime};

use super::link::{Connector, Fault, Link};
use super::{DatabaseAddress, copy, schema, sql};
use crate::backup::{BackupError, Rows};
use crate::copy::{Cell, Section};
use crate::inspect::{Content, Inspect};
use crate::{StoreError, StoredTable};

/// One transaction of its own. What it wrote is gone unless it is committed.
pub(crate) struct Glance {
    runtime: Runtime,
    link: Link,
}

impl Glance {
    /// Begins to read: it sees what was committed when it began, and blocks nobody.
    pub(crate) fn at(address: &DatabaseAddress) -> Result<Glance, BackupError> {
        Glance::begin(address, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    }

    /// Begins to write: nobody sees it before it is committed.
    pub(crate) fn filling(address: &DatabaseAddress) -> Result<Glance, BackupError> {
        Glance::begin(address, "BEGIN")
    }

    /// The database as it is at every moment.
    pub(crate) fn live(address: &DatabaseAddress) -> Result<Glance, BackupError> {
        Glance::begin(address, "")
    }

    fn begin(address: &DatabaseAddress, begin: &str) -> Result<Glance, BackupError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| StoreError::Io(error.to_string()))?;
        let connector = Connector::new(address)?;
        let begun = runtime.block_on(async {
            let link = connector.connect().await?;
            link.batch(begin).await?;
            let row = link.row("SELECT version FROM unum_version WHERE one = 1", &[]).await?;
            Ok((link, row.map_or(0, |row| row.get::<_, i64>(0))))
        });
        let (link, found) = begun.map_err(|fault: super::Fault| StoreError::from(fault))?;
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let (found, known) = (u32::try_from(found).unwrap_or(u32::MAX), number(schema::STEPS.len()));
        if found != known {
            return Err(BackupError::Layout { found, known });
        }
        Ok(Glance { runtime, link })
    }

    pub(crate) fn put_rows(&self, section: &Section, rows: &[Vec<Cell>]) -> Result<(), StoreError> {
        Ok(self.runtime.block_on(copy::import(&self.link, section, rows)).map(drop)?)
    }

    pub(crate) fn put_journal(&self, table: i64, entries: &[(u64, Vec<u8>)]) -> Result<(), StoreError> {
        Ok(self.runtime.block_on(copy::import_journal(&self.link, table, entries)).map(drop)?)
    }

    pub(crate) fn finish(&self) -> Result<(), StoreError> {
        Ok(self.runtime.block_on(copy::finish(&self.link)).map(drop)?)
    }

    pub(crate) fn commit(&self) -> Result<(), StoreError> {
        Ok(self.runtime.block_on(self.link.batch("COMMIT"))?)
    }
}

impl Rows for Glance {
    fn rows(&self, section: &'static Section, after: Vec<Cell>) -> Result<Vec<Vec<Cell>>, StoreError> {
        Ok(self.runtime.block_on(copy::export(&self.link, section, &after))?)
    }

    fn entries(&self, code: &str) -> Result<Vec<(u64, Vec<u8>)>, StoreError> {
        Ok(self.runtime.block_on(sql::journal(&self.link, code))?)
    }
}

impl Inspect for Glance {
    fn faults(&self) -> Result<Vec<String>, StoreError> {
        Ok(Vec::new())
    }

    fn content(&self, code: &str) -> Result<Option<Content>, StoreError> {
        let link = &self.link;
        let read = async {
            link.batch("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
            let found = content(link, code).await;
            link.batch(if found.is_ok() { "COMMIT" } else { "ROLLBACK" }).await?;
            found
        };
        Ok(self.runtime.block_on(read)?)
    }

    /// Counting reads all of them, which can take longer than a statement may.
    fn rows_in(&self, _: &Section) -> Option<u64> {
        None
    }
}

async fn content(link: &Link, code: &str) -> Result<Option<Content>, Fault> {
    let table = match whole(link, code).await {
        Ok(None) => return Ok(None),
        Ok(Some(table)) => Ok(table),
        Err(Fault::Own(error)) => Err(error),
        Err(fault) => return Err(fault),
    };
    Ok(Some(Content { table, waiting: sql::waiting(link, code).await? }))
}

/// A table as a server would load it.
async fn whole(link: &Link, code: &str) -> Result<Option<StoredTable>, Fault> {
    let Some((row, snapshot, count)) = sql::head(link, code).await? else { return Ok(None) };
    let after = snapshot.as_ref().map_or(0, |(seq, _)| *seq);
    let entries: Vec<_> = sql::journal(link, code).await?.into_iter().filter(|(seq, _)| *seq > after).collect();
    match count == row.last.saturating_sub(after) && entries.len() as u64 == count {
        true => Ok(Some(StoredTable { row, snapshot, entries })),
        false => Err(Fault::Own(StoreError::Gap { table: row.id })),
    }
}
