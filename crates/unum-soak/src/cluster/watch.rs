//! A watchdog: however the driver ends, a shell notices and kills the processes noted in a folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::Context as _;

/// Its input ends when the driver does. PostgreSQL servers note themselves.
const SCRIPT: &str = r#"
read -r _
for note in "$1"/*.pid "$1"/*/data/postmaster.pid; do
    [ -e "$note" ] && kill -KILL "$(head -n 1 "$note")"
done
rm -rf "$1"
"#;

/// The watchdog of a folder.
#[derive(Debug)]
pub(crate) struct Watch {
    folder: PathBuf,
    _shell: Child,
}

impl Watch {
    /// Starts the watchdog. It deletes the folder when the driver ends.
    pub(crate) fn over(folder: &Path) -> anyhow::Result<Watch> {
        let mut command = Command::new("sh");
        command.args(["-c", SCRIPT, "sh"]).arg(folder);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // A signal that ends the driver may reach its whole process group.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let shell = command.spawn().context("sh cannot be run")?;
        Ok(Watch { folder: folder.to_owned(), _shell: shell })
    }

    /// Notes a process that must end with the driver.
    pub(crate) fn note(&self, name: &str, process: u32) -> io::Result<()> {
        fs::write(self.folder.join(format!("{name}.pid")), process.to_string())
    }

    /// Removes a process that has ended: another may get its number.
    pub(crate) fn forget(&self, name: &str) {
        // There may be no note.
        let _ = fs::remove_file(self.folder.join(format!("{name}.pid")));
    }
}
