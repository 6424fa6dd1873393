//! `unum backup` and `unum restore`.

use std::path::PathBuf;

use unum_server::Config;
use unum_store::Options;
use unum_store::backup::{self, Contents, Place, Step};

use super::database::PasswordArgs;
use crate::crew::counter;
use crate::output::print;

/// Save everything of a server in one file, while it runs.
///
/// Tables with their journals, guests and finished games, compressed. Nothing acknowledged before the backup began is
/// missing. The file is read again before it gets its name, and replaces an older one of that name. It holds the cards of
/// running rounds, so only its owner may read it.
///
/// A backup of a data folder first copies the database next to FILE, which takes as much room as the database for that
/// time.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  unum backup unum-backup.gz
  unum backup unum-backup.gz --data /var/lib/unum
  unum backup unum-backup.gz --database postgres://unum@db1/unum")]
pub(crate) struct BackupArgs {
    /// The file to write
    file: PathBuf,

    #[command(flatten)]
    place: PlaceArgs,
}

/// Restore a backup into an empty data folder or empty PostgreSQL databases.
///
/// The file is checked first, and what was restored is compared with it. A backup of either kind of database goes into
/// either. Nothing is overwritten: move an old `unum.db` out of the way first, and stop the server. A restore that is cut
/// short leaves the place as it was: repeat it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  unum restore unum-backup.gz --data restored
  unum restore unum-backup.gz --database postgres://unum@db1/unum")]
pub(crate) struct RestoreArgs {
    /// The file that `unum backup` wrote
    file: PathBuf,

    #[command(flatten)]
    place: PlaceArgs,
}

#[derive(Debug, clap::Args)]
struct PlaceArgs {
    /// The data folder of the server [default: that of `unum serve`] [env: UNUM_DATA]
    #[arg(long, value_name = "DIR", conflicts_with = "database")]
    data: Option<PathBuf>,

    /// A PostgreSQL database, postgres://USER@HOST/NAME; repeat it for several, in the same order as on the servers [env:
    /// UNUM_DATABASE]
    #[arg(long, value_name = "URL")]
    database: Vec<String>,

    #[command(flatten)]
    password: PasswordArgs,
}

impl PlaceArgs {
    fn place(&self) -> anyhow::Result<Place> {
        let mut databases = self.database.clone();
        if databases.is_empty() && self.data.is_none() {
            databases = std::env::var("UNUM_DATABASE")
                .map(|list| list.split_whitespace().map(str::to_owned).collect())
                .unwrap_or_default();
        }
        if !databases.is_empty() {
            return Ok(Place::Databases(self.password.addresses(&databases)?));
        }
        let folder = self.data.clone().or_else(|| std::env::var_os("UNUM_DATA").map(PathBuf::from));
        Ok(Place::Folder(folder.unwrap_or_else(|| Config::default().data)))
    }
}

/// Writes a backup.
///
/// # Errors
/// If a database cannot be read, or the file cannot be written.
pub(crate) fn back_up(args: &BackupArgs) -> anyhow::Result<()> {
    let bar = counter("rows written");
    let written = backup::back_up(&args.place.place()?, &args.file, &mut |progress| {
        if progress.step == Step::Writing {
            bar.set_position(progress.done);
        }
    });
    bar.finish_and_clear();
    let size = std::fs::metadata(&args.file).map_or(0, |file| file.len());
    tell("Backed up and verified", &written?, &format!(" {} bytes in {}.", size, args.file.display()))
}

/// Restores one.
///
/// # Errors
/// If the file is damaged, or the place is in use, not empty or cannot be written.
pub(crate) fn restore(args: &RestoreArgs) -> anyhow::Result<()> {
    let bar = counter("bytes restored");
    let place = args.place.place()?;
    let restored = backup::restore(&args.file, &place, &Options::default(), &mut |progress| {
        if progress.step == Step::Storing {
            bar.set_position(progress.done);
        }
    });
    bar.finish_and_clear();
    tell("Restored and compared", &restored?, "")
}

fn tell(what: &str, contents: &Contents, end: &str) -> anyhow::Result<()> {
    let Contents { tables, entries, guests, records, .. } = contents;
    print(&format!("{what}. Tables: {tables}, entries: {entries}, guests: {guests}, finished games: {records}.{end}\n"))
}
