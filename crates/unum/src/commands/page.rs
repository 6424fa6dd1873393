//! `unum page`: the page as plain files, for a web host without unum.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use unum_page::SiteFile;

use crate::output::print;

/// Write the page as plain files that any web host can serve.
///
/// People play against bots there, offline too, without a server: the tables run in their browsers. The folder can lie
/// anywhere on a site. docs/static-site.md has three kinds of hosts.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder: a new one, an empty one, or an earlier version of the site
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

/// Writes them.
///
/// # Errors
/// If this program has no page, the folder holds something else, or a file cannot be written.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let site = unum_page::site().map_err(|why| anyhow!(why))?;
    check(&args.out)?;
    for (path, bytes) in &site {
        write(&args.out.join(path), bytes)?;
    }
    let kib = site.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() / 1024;
    print(&told(&args.out, &site, kib))
}

fn told(folder: &Path, site: &[SiteFile], kib: usize) -> String {
    format!(
        "{} files, {kib} KiB, are in {}. Put them on any web host, in any folder, and open index.html there.\n",
        site.len(),
        folder.display()
    )
}

/// Nothing but an earlier site is overwritten.
fn check(folder: &Path) -> anyhow::Result<()> {
    let is_site =
        || fs::read_to_string(folder.join("index.html")).is_ok_and(|html| html.contains("data-site=\"files\""));
    match fs::read_dir(folder) {
        Ok(mut inside) => {
            if inside.next().is_some() && !is_site() {
                bail!("{} holds something else: name a new or an empty folder", folder.display());
            }
            Ok(())
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error).with_context(|| format!("{} cannot be looked at", folder.display())),
    }
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let failed = || format!("{} cannot be written", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(failed)?;
    }
    fs::write(path, bytes).with_context(failed)
}
