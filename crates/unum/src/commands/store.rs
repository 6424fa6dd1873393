//! `unum store`: what concerns the database of a server as a whole.

use std::path::Path;

use anyhow::Context as _;
use unum_store::copy::{check_unused, copy};
use unum_store::{Options, Store};

use super::database::PasswordArgs;
use crate::output::print;

/// Manage the database of a stopped server.
#[derive(Debug, clap::Args)]
#[command(disable_help_subcommand = true)]
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

    #[command(flatten)]
    password: PasswordArgs,
}

/// Does what was asked for.
///
/// # Errors
/// If a database cannot be opened, read or written, or if the copy differs.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    let Command::Copy(args) = args.command;
    let from = open(&args.from, &args.password, true)?;
    // Before the target is opened: a copy that is refused leaves no empty database behind.
    check_unused(&from)?;
    let to = open(&args.to, &args.password, false)?;
    let copied = copy(&from, &to)?;
    print(&format!(
        "Copied and compared. Tables: {}, entries: {}, guests: {}, finished games: {}.\n",
        copied.tables, copied.entries, copied.guests, copied.records
    ))
}

/// A source folder has to exist: a mistyped one is not created.
fn open(place: &str, password: &PasswordArgs, is_source: bool) -> anyhow::Result<Store> {
    if place.contains("://") {
        let address = password.addresses(&[place])?.pop().context("one address was given")?;
        return Ok(Store::connect(&address, Options::default())?);
    }
    let folder = Path::new(place);
    if is_source && !folder.join(unum_store::DATABASE).exists() {
        anyhow::bail!("{place} has no database in it: name the data folder of a server, or postgres://USER@HOST/NAME");
    }
    Ok(Store::open(folder)?)
}
