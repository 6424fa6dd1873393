//! A server as a process of its own: started, measured, killed.

use std::fs::File;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, setrlimit};
use unum_client::Server;

/// How long a server may take to start.
const START: Duration = Duration::from_secs(60);

/// Limits that do not get in the way of a thousand tables from one address.
const NO_LIMITS: &[(&str, &str)] = &[
    ("--connections", "100000"),
    ("--connections-per-address", "100000"),
    ("--requests-per-minute", "10000000"),
    ("--new-guests-per-minute", "10000000"),
    ("--new-tables-per-minute", "10000000"),
    ("--new-guests-in-all-per-minute", "10000000"),
    ("--new-tables-in-all-per-minute", "10000000"),
    ("--tables", "100000"),
    ("--tables-per-address", "100000"),
    ("--tables-per-guest", "100000"),
    ("--messages-per-second", "100000"),
    ("--messages-at-once", "100000"),
    ("--hello-timeout", "600"),
    ("--unload-after", "600"),
];

/// Those limits as flags.
pub(crate) fn without_limits() -> Vec<String> {
    NO_LIMITS.iter().flat_map(|(flag, value)| [(*flag).to_owned(), (*value).to_owned()]).collect()
}

/// A running server.
#[derive(Debug)]
pub struct ServerProcess {
    child: Child,
    arguments: Vec<String>,
    program: PathBuf,
    server: Server,
    surroundings: Surroundings,
}

/// What surrounds a server.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surroundings {
    /// Where it writes what it has to say; shown if nowhere.
    pub(crate) log: Option<PathBuf>,
    /// Whether Ctrl-C is kept from it, because the driver stops its servers in order.
    pub(crate) apart: bool,
    /// The network namespace it is in, and its address there; on this machine if there is none.
    pub(crate) place: Option<(String, Ipv4Addr)>,
}

impl ServerProcess {
    /// Starts `unum serve` on a free port of this machine, on a database in that folder, with the limits out of the way.
    ///
    /// # Errors
    /// When it cannot be started, or does not answer in time.
    pub async fn start(unum: &Path, data: &Path) -> anyhow::Result<ServerProcess> {
        ServerProcess::start_with(unum, data, without_limits()).await
    }

    /// The same, with all entries kept in the journals, so that they can be compared with what was acknowledged.
    ///
    /// # Errors
    /// When it cannot be started, or does not answer in time.
    pub async fn start_keeping(unum: &Path, data: &Path) -> anyhow::Result<ServerProcess> {
        let flags = without_limits().into_iter().chain(["--keep-journals".to_owned()]).collect();
        ServerProcess::start_with(unum, data, flags).await
    }

    /// The same with these flags instead.
    ///
    /// # Errors
    /// When it cannot be started, or does not answer in time.
    pub async fn start_with(unum: &Path, data: &Path, flags: Vec<String>) -> anyhow::Result<ServerProcess> {
        let mut arguments = ["serve", "--listen", "127.0.0.1", "--data"].map(str::to_owned).to_vec();
        arguments.extend([data.display().to_string(), "--port".to_owned(), free_port()?.to_string()]);
        arguments.extend(["--admin".to_owned(), free_port()?.to_string()]);
        arguments.extend(flags);
        ServerProcess::run(unum, arguments).await
    }

    /// The same on that port, without waiting for it.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(crate) fn launch(
        unum: &Path,
        (data, port): (&Path, u16),
        flags: Vec<String>,
        surroundings: Surroundings,
    ) -> anyhow::Result<ServerProcess> {
        let address = surroundings.place.as_ref().map_or(Ipv4Addr::LOCALHOST, |(_, address)| *address).to_string();
        let mut arguments = ["serve", "--listen", &address, "--data"].map(str::to_owned).to_vec();
        arguments.extend([data.display().to_string(), "--port".to_owned(), port.to_string()]);
        arguments.extend(["--admin".to_owned(), format!("{address}:{}", free_port()?)]);
        arguments.extend(flags);
        let server = Server::new(&format!("http://{address}:{port}"))?;
        let child = spawn(unum, &arguments, &surroundings)?;
        Ok(ServerProcess { child, arguments, program: unum.to_owned(), server, surroundings })
    }

    /// Starts any program that serves `/healthz` on the port its `--port` says.
    pub(crate) async fn run(program: &Path, arguments: Vec<String>) -> anyhow::Result<ServerProcess> {
        let port = arguments.iter().skip_while(|word| *word != "--port").nth(1).context("a --port")?;
        let server = Server::new(&format!("http://127.0.0.1:{port}"))?;
        let surroundings = Surroundings::default();
        let child = spawn(program, &arguments, &surroundings)?;
        let mut process = ServerProcess { child, arguments, program: program.to_owned(), server, surroundings };
        process.answers().await?;
        Ok(process)
    }

    /// Asks what operators can ask.
    ///
    /// # Errors
    /// When it does not answer.
    pub(crate) async fn look(&self, path: &str) -> anyhow::Result<(u16, String)> {
        let (status, body) = Server::new(&self.desk()?)?.fetch("GET", path, Some(TOKEN), None).await?;
        Ok((status, String::from_utf8_lossy(&body).into_owned()))
    }

    /// Where operators reach it.
    ///
    /// # Errors
    /// When they do not.
    pub fn desk(&self) -> anyhow::Result<String> {
        let place = self.arguments.iter().skip_while(|word| *word != "--admin").nth(1).context("an --admin")?;
        Ok(if place.contains(':') { format!("http://{place}") } else { format!("http://127.0.0.1:{place}") })
    }

    /// Where it is.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// Kills it, as a power cut would.
    ///
    /// # Errors
    /// When that is not possible.
    pub fn kill(&mut self) -> anyhow::Result<()> {
        self.child.kill().context("the server cannot be killed")?;
        self.child.wait().context("the server does not end")?;
        Ok(())
    }

    /// Starts it again, on the same port and database.
    ///
    /// # Errors
    /// When it cannot be started, or does not answer in time.
    pub async fn restart(&mut self) -> anyhow::Result<()> {
        self.relaunch()?;
        self.answers().await
    }

    /// The same without waiting for it.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(crate) fn relaunch(&mut self) -> anyhow::Result<()> {
        self.child = spawn(&self.program, &self.arguments, &self.surroundings)?;
        Ok(())
    }

    /// Sends it a signal.
    ///
    /// # Errors
    /// When it does not run any more.
    pub(crate) fn signal(&self, signal: Signal) -> anyhow::Result<()> {
        kill_process(Pid::from_child(&self.child), signal).context("the server does not run")
    }

    /// Its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has ended by itself, and what it said last.
    pub(crate) fn ended(&mut self) -> anyhow::Result<Option<String>> {
        let Some(status) = self.child.try_wait()? else { return Ok(None) };
        let said = self.surroundings.log.as_ref().and_then(|log| std::fs::read_to_string(log).ok()).unwrap_or_default();
        let last: Vec<&str> = said.lines().rev().take(3).collect();
        Ok(Some(format!("{status}: {}", last.into_iter().rev().collect::<Vec<_>>().join("; "))))
    }

    /// Waits until it answers.
    async fn answers(&mut self) -> anyhow::Result<()> {
        let since = Instant::now();
        loop {
            if let Ok((200, _)) = self.server.fetch("GET", "/healthz", None, None).await {
                return Ok(());
            }
            if let Some(status) = self.child.try_wait()? {
                bail!("{} {} ended: {status}", self.program.display(), self.arguments.join(" "));
            }
            if since.elapsed() > START {
                bail!("{} does not answer", self.program.display());
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// How much memory it has, in bytes; zero where the system does not tell.
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        kilobytes.unwrap_or(0) * 1024
    }

    /// How much processor time it has used; zero where the system does not tell.
    pub fn processor_time(&self) -> Duration {
        processor_time(&self.child.id().to_string())
    }
}

/// How much processor time this process has used; zero where the system does not tell.
pub(crate) fn own_processor_time() -> Duration {
    processor_time("self")
}

fn processor_time(process: &str) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks: u64 = fields.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second().max(1))
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // One that is gone already needs no killing.
        let _ = self.kill();
    }
}

fn spawn(program: &Path, arguments: &[String], surroundings: &Surroundings) -> anyhow::Result<Child> {
    let mut command = match &surroundings.place {
        None => Command::new(program),
        Some((space, _)) => {
            let mut command = Command::new("ip");
            command.args(["netns", "exec", space]).arg(program);
            command
        }
    };
    let errors = match &surroundings.log {
        Some(log) => Stdio::from(File::options().create(true).append(true).open(log)?),
        None => Stdio::inherit(),
    };
    command.args(arguments).env("UNUM_ADMIN_TOKEN", TOKEN).stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors);
    if surroundings.apart {
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
    }
    command.spawn().with_context(|| format!("{} cannot be started", program.display()))
}

/// What operators of these servers have to know.
pub const TOKEN: &str = "token-of-long-runs";

/// A port that nobody uses at the moment.
pub(crate) fn free_port() -> anyhow::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// Allows for that many open connections, in this process and those it starts.
///
/// # Errors
/// When the system does not.
pub fn raise_file_limit(needed: u64) -> anyhow::Result<()> {
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= needed) {
        return Ok(());
    }
    let maximum = limit.maximum.map(|maximum| maximum.max(needed));
    let wanted = Rlimit { current: Some(needed), maximum };
    let within = Rlimit { current: limit.maximum.map(|maximum| maximum.min(needed)).or(Some(needed)), ..limit };
    if setrlimit(Resource::Nofile, wanted).is_err() {
        setrlimit(Resource::Nofile, within)?;
        bail!("{needed} connections need as many open files: raise the limit with `ulimit -n {needed}`");
    }
    Ok(())
}
