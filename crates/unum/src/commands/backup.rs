//! `unum backup`, `unum restore` and `unum check`.

use std::fs::File;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use indicatif::ProgressBar;
use unum_server::Config;
use unum_server::check::{Findings, check};
use unum_store::backup::{self, Contents, Place, Progress, Step};
use unum_store::inspect::set_aside;
use unum_store::{Options, private_file, private_folder};

use super::database::PasswordArgs;
use crate::crew::{bar, counter};
use crate::output::print;
use crate::report::text::count;
use crate::usage::OrUsage as _;

/// The file that stands for standard output or input.
const STREAM: &str = "-";

/// Save everything of a server in one file, while it runs.
///
/// Tables with their journals, guests and finished games, compressed. Nothing acknowledged before the backup began is
/// missing. The file is read again before it gets its name, and replaces an older one of that name. It holds the cards of
/// running rounds, so only its owner may read it.
///
/// A backup of a data folder first copies the database next to FILE, which takes as much room as the database for that
/// time. With - as FILE, the backup is made in the data folder, printed once it is whole, and removed.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  unum backup unum-backup.gz
  unum backup - > unum-backup.gz
  unum backup unum-backup.gz --data /var/lib/unum
  unum backup unum-backup.gz --database postgres://unum@db1/unum")]
pub(crate) struct BackupArgs {
    /// The file to write; - for standard output
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
  unum restore - --data restored < unum-backup.gz
  unum restore unum-backup.gz --database postgres://unum@db1/unum")]
pub(crate) struct RestoreArgs {
    /// The file that `unum backup` wrote; - for standard input
    file: PathBuf,

    #[command(flatten)]
    place: PlaceArgs,
}

/// Check that every table and every finished game of a server is whole.
///
/// Every table is restored as the server would restore it, every record is played again with all its checks, and SQLite
/// looks through its file. Nothing is changed, so a server may run meanwhile. What is damaged is named, and the exit code is
/// 1; it is 0 if everything is whole.
///
/// With --set-aside, damaged tables and games are moved from the database into a new file, and the rest goes on without
/// them. Stop the server first. The file has the form of a backup: `unum restore` puts it into a folder of its own.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  unum check
  unum check --data /var/lib/unum
  unum check --database postgres://unum@db1/unum
  unum check --set-aside damaged.gz")]
pub(crate) struct CheckArgs {
    /// Move what is damaged into this file; the server has to be stopped
    #[arg(long, value_name = "FILE")]
    set_aside: Option<PathBuf>,

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
        Ok(Place::Folder(self.folder()))
    }

    fn folder(&self) -> PathBuf {
        let folder = self.data.clone().or_else(|| std::env::var_os("UNUM_DATA").map(PathBuf::from));
        folder.unwrap_or_else(|| Config::default().data)
    }
}

/// A backup on its way to or from a stream: a file in the data folder, which is where there is room, and which only its owner
/// reads.
struct OnTheWay(PathBuf);

impl OnTheWay {
    fn new(folder: &Path) -> anyhow::Result<OnTheWay> {
        private_folder(folder).with_context(|| folder.display().to_string())?;
        Ok(OnTheWay(folder.join(format!("backup-{}.gz", std::process::id()))))
    }
}

impl Drop for OnTheWay {
    fn drop(&mut self) {
        // It may never have been made.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// A bar for each step.
#[derive(Default)]
struct Steps(Option<(Step, ProgressBar)>);

impl Steps {
    fn show(&mut self, progress: Progress) {
        let Progress { step, done, total } = progress;
        if self.0.as_ref().is_none_or(|(shown, _)| *shown != step) {
            self.clear();
            let unit = unit(step);
            self.0 = Some((step, total.map_or_else(|| counter(unit), |total| bar(total, unit))));
        }
        if let Some((_, bar)) = &self.0 {
            bar.set_position(done);
        }
    }

    fn clear(&mut self) {
        if let Some((_, bar)) = self.0.take() {
            bar.finish_and_clear();
        }
    }
}

/// What is counted in a step.
fn unit(step: Step) -> &'static str {
    match step {
        Step::Copying => "bytes copied",
        Step::Writing => "rows written",
        Step::Reading => "bytes checked",
        Step::Storing => "bytes restored",
        Step::Comparing => "rows compared",
        Step::Tables => "tables checked",
        Step::Records => "finished games checked",
    }
}

/// Does something while its progress is shown.
fn shown<T>(work: impl FnOnce(&mut dyn FnMut(Progress)) -> T) -> T {
    let mut steps = Steps::default();
    let done = work(&mut |progress| steps.show(progress));
    steps.clear();
    done
}

/// Writes a backup.
///
/// # Errors
/// If a database cannot be read, or the file cannot be written.
pub(crate) fn back_up(args: &BackupArgs) -> anyhow::Result<()> {
    let place = args.place.place()?;
    let size = |file: &Path| std::fs::metadata(file).map_or(0, |file| file.len());
    if args.file != Path::new(STREAM) {
        let written = shown(|progress| backup::back_up(&place, &args.file, progress))?;
        let end = format!(" {} bytes in {}.", size(&args.file), args.file.display());
        return tell("Backed up and verified", &written, &end);
    }
    let mut output = std::io::stdout().lock();
    if output.is_terminal() {
        return Err(anyhow::anyhow!("a backup is no text for a terminal: add > FILE, or name the file")).or_usage();
    }
    let made = OnTheWay::new(&args.place.folder())?;
    let written = shown(|progress| backup::back_up(&place, &made.0, progress))?;
    std::io::copy(&mut File::open(&made.0)?, &mut output).and_then(|_| output.flush()).context("standard output")?;
    // Standard output has the backup.
    eprint!("{}", told("Backed up and verified", &written, &format!(" {} bytes.", size(&made.0))));
    Ok(())
}

/// Restores one.
///
/// # Errors
/// If the file is damaged, or the place is in use, not empty or cannot be written.
pub(crate) fn restore(args: &RestoreArgs) -> anyhow::Result<()> {
    let place = args.place.place()?;
    let restore = |file: &Path| shown(|progress| backup::restore(file, &place, &Options::default(), progress));
    let restored = match args.file == Path::new(STREAM) {
        false => restore(&args.file)?,
        true => {
            if std::io::stdin().is_terminal() {
                return Err(anyhow::anyhow!("no backup comes from standard input: add < FILE, or name the file"))
                    .or_usage();
            }
            let made = OnTheWay::new(&args.place.folder())?;
            let kept = private_file(&made.0).and_then(|mut file| {
                file.set_len(0)?;
                std::io::copy(&mut std::io::stdin().lock(), &mut file)
            });
            kept.with_context(|| made.0.display().to_string())?;
            restore(&made.0)?
        }
    };
    tell("Restored and compared", &restored, "")
}

fn tell(what: &str, contents: &Contents, end: &str) -> anyhow::Result<()> {
    print(&told(what, contents, end))
}

fn told(what: &str, contents: &Contents, end: &str) -> String {
    let Contents { tables, entries, guests, records, .. } = contents;
    format!("{what}. Tables: {tables}, entries: {entries}, guests: {guests}, finished games: {records}.{end}\n")
}

/// Checks databases, and sets aside what is damaged.
///
/// # Errors
/// If a database cannot be read, if something is damaged and stays where it is, or the file cannot be written.
pub(crate) fn check_all(args: &CheckArgs) -> anyhow::Result<()> {
    let place = args.place.place()?;
    let findings = shown(|progress| check(&place, progress))?;
    print(&report(&findings))?;
    if findings.damage.is_empty() {
        return Ok(());
    }
    let damaged = format!("{} damaged", number_of(findings.damage.len()));
    if findings.is_hopeless() {
        anyhow::bail!("{damaged}, the database itself among them: stop the server and restore a backup");
    }
    let Some(file) = &args.set_aside else {
        anyhow::bail!("{damaged}: restore a backup, or stop the server and add --set-aside FILE to go on without them");
    };
    let moved = shown(|progress| set_aside(&place, &findings.picked(), file, progress))?;
    tell("Set aside", &moved, &format!(" They are in {}.", file.display()))?;
    let left = shown(|progress| check(&place, progress))?;
    match left.damage.is_empty() {
        true => print("The rest is whole.\n"),
        false => anyhow::bail!("{}{} still damaged: restore a backup", report(&left), number_of(left.damage.len())),
    }
}

fn number_of(things: usize) -> String {
    if things == 1 { "1 thing is".to_owned() } else { format!("{} things are", count(things as u64)) }
}

/// What was found, in words.
fn report(findings: &Findings) -> String {
    let Findings { databases, tables, entries, lost_rounds, matches, records, damage } = findings;
    let mut text = format!(
        "Checked. Tables: {tables}, entries: {entries}, finished games: {records}, without a record yet: {matches}.\n"
    );
    if *lost_rounds > 0 {
        text += &format!("Rounds that do not replay and will be dealt again, as after some updates: {lost_rounds}.\n");
    }
    for damage in damage {
        let place = if *databases > 1 { format!("database {}: ", damage.database + 1) } else { String::new() };
        text += &format!("Damaged: {place}{}: {}.\n", damage.what, damage.why.trim_end_matches('.'));
    }
    text
}
