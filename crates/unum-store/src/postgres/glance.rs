//! A database as it is now, though servers may be writing to it, for backups.

use tokio::runtime::{Builder, Runtime};

use super::link::{Connector, Link};
use super::{DatabaseAddress, copy, schema, sql};
use crate::StoreError;
use crate::backup::{BackupError, Rows};
use crate::copy::{Cell, Section};

/// One read transaction, which sees what was committed when it began and blocks nobody.
pub(crate) struct Glance {
    runtime: Runtime,
    link: Link,
}

impl Glance {
    pub(crate) fn at(address: &DatabaseAddress) -> Result<Glance, BackupError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| StoreError::Io(error.to_string()))?;
        let connector = Connector::new(address)?;
        let begun = runtime.block_on(async {
            let link = connector.connect().await?;
            link.batch("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
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
}

impl Rows for Glance {
    fn rows(&self, section: &'static Section, after: Vec<Cell>) -> Result<Vec<Vec<Cell>>, StoreError> {
        Ok(self.runtime.block_on(copy::export(&self.link, section, &after))?)
    }

    fn entries(&self, code: &str) -> Result<Vec<(u64, Vec<u8>)>, StoreError> {
        Ok(self.runtime.block_on(sql::journal(&self.link, code))?)
    }
}
