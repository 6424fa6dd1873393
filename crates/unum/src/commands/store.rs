//! `unum store`: what concerns the database of a server as a whole.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use unum_store::copy::copy;
use unum_store::{DatabaseAddress, Options, Store};

use crate::output::print;
use crate::usage::OrUsage as _;

/// Manage the database of a stopped server.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Copy(CopyArgs),
}

/// Copy everything from one database to another, and compare both.
///
/// Tables with their journals, guests and finished games go from a data folder to a PostgreSQL database, the other way
/// around, or between two of a kind. Stop the servers of both first. The target must be empty; the source is left
/// unchanged.
#[derive(Debug, clap::Args)]
struct CopyArgs {
    /// Source: a data folder, or postgres://USER@HOST/NAME
    from: String,

    /// Target, in the same form
    to: String,

    /// A file with the password for PostgreSQL
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
}

/// Does what was asked for.
///
/// # Errors
/// If a database cannot be opened, read or written, or if the copy differs.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    let Command::Copy(args) = args.command;
    let password = args.password_file.as_deref().map(password).transpose()?;
    let from = open(&args.from, password.as_deref(), true)?;
    let to = open(&args.to, password.as_deref(), false)?;
    let copied = copy(&from, &to)?;
    print(&format!(
        "Copied and compared: {} tables with {} entries, {} guests, {} finished games.\n",
        copied.tables, copied.entries, copied.guests, copied.records
    ))
}

fn password(path: &Path) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}

/// A source folder has to exist: a mistyped one is not created.
fn open(place: &str, password: Option<&str>, is_source: bool) -> anyhow::Result<Store> {
    if place.contains("://") {
        let address: DatabaseAddress = place.parse::<DatabaseAddress>().map_err(anyhow::Error::msg).or_usage()?;
        let address = match password {
            Some(password) if !address.has_password() => address.with_password(password),
            _ => address,
        };
        return Ok(Store::connect(&address, Options::default())?);
    }
    let folder = Path::new(place);
    if is_source && !folder.join(unum_store::DATABASE).exists() {
        anyhow::bail!("{place} has no database in it: name the data folder of a server, or postgres://USER@HOST/NAME");
    }
    Ok(Store::open(folder)?)
}
