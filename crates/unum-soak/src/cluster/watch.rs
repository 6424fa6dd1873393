//! Leaves no process behind, however the driver ends: a shell waits for that, and kills what is noted in a folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::Context as _;

/// Its input ends when the driver does. Servers of PostgreSQL have notes of their own.
const SCRIPT: &str = r#"
read -r _
for note in "$1"/*.pid "$1"/*/data/postmaster.pid; do
    [ -e "$note" ] && kill -KILL "$(head -n 1 "$note")"
done
rm -rf "$1"
"#;

/// The watch over a folder.
#[derive(Debug)]
pub(crate) struct Watch {
    folder: PathBuf,
    _shell: Child,
}

impl Watch {
    /// Begins to watch. The folder is deleted with the driver.
    pub(crate) fn over(folder: &Path) -> anyhow::Result<Watch> {
        let mut command = Command::new("sh");
        command.args(["-c", SCRIPT, "sh"]).arg(folder);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // A signal that ends the driver may go to its whole process group.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let shell = command.spawn().context("sh cannot be run")?;
        Ok(Watch { folder: folder.to_owned(), _shell: shell })
    }

    /// Notes a process that is to end with the driver.
    pub(crate) fn note(&self, name: &str, process: u32) -> io::Result<()> {
        fs::write(self.folder.join(format!("{name}.pid")), process.to_string())
    }

    /// It has ended, and another process may get its number.
    pub(crate) fn forget(&self, name: &str) {
        // There may be no note.
        let _ = fs::remove_file(self.folder.join(format!("{name}.pid")));
    }
}
