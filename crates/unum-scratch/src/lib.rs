//! A private PostgreSQL server for tests and measurements: its own folder, its own port, gone when it is dropped.
//!
//! It is made from the system's packages. PostgreSQL refuses to run as root, so root starts it as the user `postgres`.
//! Where there is none, [`Scratch::start`] says why in plain words, and tests say that they are skipped. What a larger
//! set-up needs in the same way is here, too: [`programs`], [`as_owner`], [`give_away`], [`family`], [`signal`].

#![forbid(unsafe_code)]

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Where packages put the programs, beside the search path.
const PACKAGES: &str = "/usr/lib/postgresql";
/// Who runs the server when root starts it.
const USER: &str = "postgres";

/// How long processes that are killed may take to be gone.
const GONE: Duration = Duration::from_secs(10);

/// How careful the server is with the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Care {
    /// A crash of the machine may lose everything: for tests, which are done by then.
    None,
    /// Every commit is synced: for measurements.
    Synced,
}

/// A server that is stopped when this is dropped.
#[derive(Debug)]
pub struct Scratch {
    folder: TempDir,
    programs: PathBuf,
    port: u16,
    care: Care,
    /// The system closes its input when this process ends, however it ends; see [`WATCH`].
    _watch: Child,
}

/// Waits for the end of the process that started it, then stops the server and deletes its folder, if they are still there.
/// A test that is killed runs no destructors.
const WATCH: &str = r#"
read -r _
kill -QUIT "$(head -n 1 "$1/data/postmaster.pid")"
while [ -e "$1/data/postmaster.pid" ] && kill -0 "$(head -n 1 "$1/data/postmaster.pid")"; do sleep 0.1; done
rm -rf "$1"
"#;

/// Starts the watch in a process group of its own, as runners of tests kill the whole group of one that takes too long.
fn watch(folder: &Path) -> io::Result<Child> {
    let mut command = Command::new("sh");
    command.args(["-c", WATCH, "sh"]).arg(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn()
}

impl Scratch {
    /// Makes a database cluster and starts a server on it.
    ///
    /// # Errors
    /// When there is no PostgreSQL on this machine, or it cannot be started: the text says why.
    pub fn start(care: Care) -> Result<Scratch, String> {
        Scratch::start_in(&std::env::temp_dir(), care)
    }

    /// The same below a folder, to measure the disk it is on.
    ///
    /// # Errors
    /// As [`Scratch::start`].
    pub fn start_in(parent: &Path, care: Care) -> Result<Scratch, String> {
        let programs = programs().ok_or("PostgreSQL is not installed (Debian: apt-get install postgresql)")?;
        let folder = TempDir::with_prefix_in("unum-scratch", parent).map_err(|error| error.to_string())?;
        let port = free_port().map_err(|error| error.to_string())?;
        let watch = watch(folder.path()).map_err(|error| format!("sh cannot be run: {error}"))?;
        let scratch = Scratch { folder, programs, port, care, _watch: watch };
        give_away(scratch.folder.path()).map_err(|error| format!("the folder cannot be given to {USER}: {error}"))?;
        let data = scratch.data();
        let data = data.to_string_lossy();
        let arguments = ["-D", &*data, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
        scratch.run("initdb", &arguments)?;
        fs::write(scratch.data().join("postgresql.auto.conf"), scratch.settings())
            .map_err(|error| error.to_string())?;
        scratch.begin()?;
        Ok(scratch)
    }

    /// Where the server listens on this machine.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The address of a schema of its own within the server, for `--database`: tests do not see each other's tables.
    pub fn address(&self, schema: &str) -> String {
        format!("postgres://{USER}@127.0.0.1:{}/postgres?options=-csearch_path%3D{schema}", self.port)
    }

    /// Lets the server run some SQL and gives back what it printed.
    ///
    /// # Errors
    /// When the server refuses it.
    pub fn sql(&self, text: &str) -> Result<String, String> {
        let port = self.port.to_string();
        let arguments =
            ["-h", "127.0.0.1", "-p", &port, "-U", USER, "-d", "postgres", "-qAtX", "-v", "ON_ERROR_STOP=1"];
        let output = self.run("psql", &[&arguments[..], &["-c", text]].concat())?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// Starts the server, if it does not run.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn begin(&self) -> Result<(), String> {
        let (data, log) = (self.data(), self.folder.path().join("log"));
        let arguments = ["-D", &*data.to_string_lossy(), "-l", &*log.to_string_lossy(), "-w", "-t", "300", "start"];
        self.run("pg_ctl", &arguments).map(drop).map_err(|why| {
            let log = fs::read_to_string(&log).unwrap_or_default();
            format!("{why}\n{log}")
        })
    }

    /// Stops the server at once, as if it had crashed.
    ///
    /// # Errors
    /// When it does not run.
    pub fn crash(&self) -> Result<(), String> {
        let data = self.data();
        self.run("pg_ctl", &["-D", &*data.to_string_lossy(), "-m", "immediate", "-w", "-t", "300", "stop"]).map(drop)
    }

    /// Kills every process of the server at once, as a power cut would.
    ///
    /// # Errors
    /// When it does not run.
    pub fn kill(&self) -> Result<(), String> {
        let family = family(self.postmaster().ok_or("the server does not run")?);
        // Some of them may have ended by themselves.
        let killed = signal("KILL", &family);
        let begun = Instant::now();
        // Its memory is free once all of them are gone.
        while family.iter().any(|process| is_running(*process)) {
            if begun.elapsed() > GONE {
                return Err(format!("the server cannot be killed: {killed:?}"));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        forget_postmaster(&self.data());
        Ok(())
    }

    /// The first of the server's processes.
    pub fn postmaster(&self) -> Option<u32> {
        postmaster(&self.data())
    }

    /// Adds a setting, for the next start.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn set(&self, name: &str, value: &str) -> io::Result<()> {
        let file = fs::OpenOptions::new().append(true).open(self.data().join("postgresql.auto.conf"));
        writeln!(file?, "{name} = '{value}'")
    }

    /// Stops the server and deletes its folder, for those who keep it in a static, which is never dropped.
    pub fn discard(&self) {
        // It may have been stopped already.
        let _ = self.crash();
        let _ = fs::remove_dir_all(self.folder.path());
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn settings(&self) -> String {
        let mut text = format!("listen_addresses = '127.0.0.1'\nport = {}\nmax_connections = 200\n", self.port);
        let _ = writeln!(text, "unix_socket_directories = '{}'", self.folder.path().display());
        let _ = writeln!(text, "wal_level = replica\nlogging_collector = off");
        if self.care == Care::None {
            let _ = writeln!(text, "fsync = off\nfull_page_writes = off");
        }
        text
    }

    /// Runs one of PostgreSQL's programs, as the user who may.
    fn run(&self, program: &str, arguments: &[&str]) -> Result<Output, String> {
        let program = self.programs.join(program);
        let mut command = as_owner(&program);
        command.args(arguments).current_dir(self.folder.path()).env("LC_ALL", "C");
        // A server keeps what its parent had open: a pipe would never end.
        if program.ends_with("pg_ctl") {
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        }
        let output = command.output().map_err(|error| format!("{} cannot be run: {error}", program.display()))?;
        match output.status.success() {
            true => Ok(output),
            false => Err(format!("{}: {}", program.display(), String::from_utf8_lossy(&output.stderr).trim())),
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // It may have been stopped already.
        let _ = self.crash();
    }
}

/// Gives a file or folder to the user who runs PostgreSQL.
///
/// # Errors
/// When there is no such user.
pub fn give_away(path: &Path) -> io::Result<()> {
    if !is_root() {
        return Ok(());
    }
    let done = Command::new("chown").arg(USER).arg(path).output()?;
    if done.status.success() { Ok(()) } else { Err(io::Error::other(String::from_utf8_lossy(&done.stderr))) }
}

/// A program that runs as the user who runs PostgreSQL: another one, if this one is root.
pub fn as_owner(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args([format!("--reuid={USER}"), format!("--regid={USER}"), "--init-groups".to_owned()]).arg(program);
    command
}

/// The first process of a server, by the folder of its data.
pub fn postmaster(data: &Path) -> Option<u32> {
    fs::read_to_string(data.join("postmaster.pid")).ok()?.lines().next()?.trim().parse().ok()
}

/// Deletes the notes of a server whose process has ended, with those of its socket in the folder above its data. PostgreSQL
/// takes a process for running as long as nobody has asked how it ended, and in a container that may be never.
pub fn forget_postmaster(data: &Path) {
    if postmaster(data).is_none_or(is_running) {
        return;
    }
    let beside = data.parent().and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten().flatten();
    let locks = beside.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "lock"));
    for note in locks.chain([data.join("postmaster.pid")]) {
        // If it cannot be deleted, the next start says so.
        let _ = fs::remove_file(note);
    }
}

/// A process and all that it has started; itself alone where the system does not tell.
pub fn family(process: u32) -> Vec<u32> {
    let mut family = vec![process];
    let parents: Vec<(u32, u32)> = fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(|process| Some((process, parent(process)?)))
        .collect();
    let mut at = 0;
    while at < family.len() {
        let of = family[at];
        family.extend(parents.iter().filter(|(_, parent)| *parent == of).map(|(child, _)| *child));
        at += 1;
    }
    family
}

/// The fields of `/proc/PROCESS/stat` after the name, which can contain anything.
fn stat(process: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    Some(stat.rsplit_once(')')?.1.to_owned())
}

fn parent(process: u32) -> Option<u32> {
    stat(process)?.split_whitespace().nth(1)?.parse().ok()
}

/// Whether a process is there, and not only waits for its parent to notice its end.
pub fn is_running(process: u32) -> bool {
    stat(process).is_some_and(|stat| !stat.trim_start().starts_with(['Z', 'X']))
}

/// Sends a signal, such as `STOP`, to processes.
///
/// # Errors
/// When one of them is gone already, or is another user's.
pub fn signal(name: &str, processes: &[u32]) -> Result<(), String> {
    let mut command = Command::new("sh");
    command.args(["-c", r#"kill -s "$@""#, "sh", name]).args(processes.iter().map(u32::to_string));
    let output = command.output().map_err(|error| format!("sh cannot be run: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    }
}

/// The folder of PostgreSQL's programs: the newest that is installed.
pub fn programs() -> Option<PathBuf> {
    let installed = fs::read_dir(PACKAGES).ok().into_iter().flatten().flatten().map(|entry| entry.path().join("bin"));
    let mut complete: Vec<PathBuf> = installed.chain(searched()).filter(|folder| is_complete(folder)).collect();
    complete.sort_by_key(|folder| version(folder));
    complete.pop()
}

fn searched() -> Vec<PathBuf> {
    std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default()
}

fn is_complete(folder: &Path) -> bool {
    ["initdb", "pg_ctl", "postgres", "psql"].iter().all(|program| folder.join(program).exists())
}

/// The number in `/usr/lib/postgresql/15/bin`; 0 elsewhere.
fn version(folder: &Path) -> u32 {
    let parent = folder.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    parent.and_then(|name| name.parse().ok()).unwrap_or(0)
}

fn is_root() -> bool {
    static ROOT: OnceLock<bool> = OnceLock::new();
    *ROOT.get_or_init(|| {
        let id = Command::new("id").arg("-u").output();
        id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
    })
}

fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without PostgreSQL: a program that sleeps stands for the server.
    #[cfg(unix)]
    #[test]
    fn a_process_that_ends_leaves_no_server_behind() {
        let folder = TempDir::new().unwrap();
        let mut server = Command::new("sleep").arg("3600").spawn().unwrap();
        fs::create_dir(folder.path().join("data")).unwrap();
        fs::write(folder.path().join("data/postmaster.pid"), format!("{}\nmore\n", server.id())).unwrap();
        let mut watch = watch(folder.path()).unwrap();
        assert!(server.try_wait().unwrap().is_none(), "it runs as long as the process does");
        drop(watch.stdin.take());
        assert!(!server.wait().unwrap().success());
        watch.wait().unwrap();
        assert!(!folder.path().exists());
    }
}
