//! A highly available PostgreSQL on loopback ports: etcd and three members under Patroni, with a synchronous standby.
//!
//! Members reach etcd and each other only through proxies, so that they can be cut off without root.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow, bail, ensure};
use serde_json::Value;
use unum_client::Server;
use unum_scratch::{as_owner, family, forget_postmaster, give_away, postmaster, programs, signal};
use unum_store::Store;

use super::watch::Watch;
use crate::process::free_port;
use crate::promises;
use crate::proxy::{Proxy, Wire};

/// The number of members: a primary, its synchronous standby, and a spare.
pub(crate) const MEMBERS: usize = 3;
/// How long everything may take to start, or to recover.
const PATIENCE: Duration = Duration::from_secs(120);
/// How often that is checked.
const GLANCE: Duration = Duration::from_millis(100);
/// How many bytes of the write-ahead log a standby may be behind.
const CLOSE: u64 = 1 << 20;
/// How long a member that was stopped or cut off is away at least.
const AWAY: Duration = Duration::from_secs(20);

/// How the primary is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    /// All processes of the member are killed.
    Killed,
    /// They are stopped, and continue later.
    Stopped,
    /// It is cut off from everything.
    CutOff,
}

impl Loss {
    /// All of them, in words, with the longest pause allowed.
    pub(crate) const ALL: [(Loss, &'static str, Duration); 3] = [
        (Loss::Killed, "killed", Duration::from_secs(15)),
        (Loss::Stopped, "stopped", Duration::from_secs(20)),
        (Loss::CutOff, "cut off", Duration::from_secs(20)),
    ];
}

/// One member: Patroni with its PostgreSQL.
#[derive(Debug)]
pub(crate) struct Member {
    name: String,
    config: PathBuf,
    data: PathBuf,
    patroni: Child,
    /// Patroni's own interface, without the proxies.
    rest: Server,
    /// The port of PostgreSQL for everybody else.
    port: u16,
    wire: Wire,
    _proxies: [Proxy; 3],
}

/// The whole database.
#[derive(Debug)]
pub(crate) struct Patroni {
    folder: PathBuf,
    etcd: Child,
    pub(crate) members: Vec<Member>,
    lost_at: Instant,
    watch: Watch,
}

/// The programs that are not installed, in words.
pub(crate) fn missing() -> Option<&'static str> {
    let needed = [
        ("/usr/bin/patroni", "Patroni is not installed (Debian: apt-get install patroni python3-etcd)"),
        ("/usr/bin/etcd", "etcd is not installed (Debian: apt-get install etcd-server)"),
    ];
    needed.into_iter().find(|(program, _)| !Path::new(program).exists()).map(|(_, why)| why)
}

impl Patroni {
    /// Starts everything in a folder, and waits until there is a primary with a synchronous standby.
    pub(crate) async fn start(folder: &Path) -> anyhow::Result<Patroni> {
        let binaries = programs().context("PostgreSQL is not installed (Debian: apt-get install postgresql)")?;
        if let Some(why) = missing() {
            bail!(why);
        }
        give_away(folder)?;
        let watch = Watch::over(folder)?;
        let (client, peer) = (free_port()?, free_port()?);
        let etcd = start_etcd(folder, client, peer)?;
        watch.note("etcd", etcd.id())?;
        let mut patroni =
            Patroni { folder: folder.to_owned(), etcd, members: Vec::new(), lost_at: Instant::now(), watch };
        for number in 1..=MEMBERS {
            let member = Member::start(folder, &binaries, number, client).await?;
            patroni.watch.note(&member.name, member.patroni.id())?;
            patroni.members.push(member);
        }
        patroni.is_whole().await?;
        Ok(patroni)
    }

    /// The address of the database: all members, one of which accepts writes.
    pub(crate) fn address(&self) -> String {
        let hosts: Vec<String> = self.members.iter().map(|member| format!("127.0.0.1:{}", member.port)).collect();
        format!("postgres://postgres@{}/postgres", hosts.join(","))
    }

    /// The journals.
    pub(crate) async fn journals(&self) -> anyhow::Result<Store> {
        let address = self.address().parse().map_err(|why: String| anyhow!(why))?;
        Ok(tokio::task::spawn_blocking(move || Store::connect(&address, promises::keeping())).await??)
    }

    /// The number of the member that accepts writes.
    pub(crate) async fn primary(&self) -> anyhow::Result<usize> {
        let begun = Instant::now();
        loop {
            for (number, member) in self.members.iter().enumerate() {
                if member.answers("/primary").await {
                    return Ok(number);
                }
            }
            ensure!(begun.elapsed() < PATIENCE, "there is no primary: see {}/*.log", self.folder.display());
            tokio::time::sleep(GLANCE).await;
        }
    }

    /// Takes a member away.
    pub(crate) fn lose(&mut self, number: usize, loss: Loss) -> anyhow::Result<()> {
        self.lost_at = Instant::now();
        let member = &mut self.members[number];
        match loss {
            Loss::Killed => {
                // Some end by themselves when others do.
                let _ = signal("KILL", &member.processes());
                member.patroni.wait()?;
                self.watch.forget(&member.name);
            }
            Loss::Stopped => signal("STOP", &member.processes()).map_err(|why| anyhow!(why))?,
            Loss::CutOff => member.wire.hold(true),
        }
        Ok(())
    }

    /// Brings it back after a while, and waits until everything has recovered.
    pub(crate) async fn give_back(&mut self, number: usize, loss: Loss) -> anyhow::Result<()> {
        if loss != Loss::Killed {
            tokio::time::sleep_until((self.lost_at + AWAY).into()).await;
        }
        let member = &mut self.members[number];
        match loss {
            Loss::Killed => {
                forget_postmaster(&member.data);
                member.patroni = start_patroni(&self.folder, &member.name, &member.config)?;
                self.watch.note(&member.name, member.patroni.id())?;
            }
            Loss::Stopped => signal("CONT", &member.processes()).map_err(|why| anyhow!(why))?,
            Loss::CutOff => member.wire.hold(false),
        }
        self.is_whole().await
    }

    /// Waits until one member is the primary, one its synchronous standby, and all are running.
    pub(crate) async fn is_whole(&self) -> anyhow::Result<()> {
        let begun = Instant::now();
        let mut last = String::new();
        loop {
            let primary = self.primary().await?;
            let told = self.members[primary].rest.fetch("GET", "/cluster", None, None).await;
            if let Ok((200, body)) = told {
                last = String::from_utf8_lossy(&body).into_owned();
                if is_whole(&body) && self.follow(primary).await {
                    return Ok(());
                }
            }
            let folder = self.folder.display();
            ensure!(begun.elapsed() < PATIENCE, "Patroni does not become whole: see {folder}/*.log; {last}");
            tokio::time::sleep(GLANCE).await;
        }
    }

    /// Whether all other members report that they follow the primary.
    async fn follow(&self, primary: usize) -> bool {
        for (number, member) in self.members.iter().enumerate() {
            if number != primary && !member.answers("/replica").await {
                return false;
            }
        }
        true
    }

    /// Stops everything in order.
    pub(crate) async fn stop(mut self) {
        for member in &self.members {
            // It may have ended already.
            let _ = signal("TERM", &[member.patroni.id()]);
        }
        for member in &mut self.members {
            let begun = Instant::now();
            while begun.elapsed() < PATIENCE / 4 && matches!(member.patroni.try_wait(), Ok(None)) {
                tokio::time::sleep(GLANCE).await;
            }
        }
        let _ = signal("TERM", &[self.etcd.id()]);
        let _ = self.etcd.wait();
    }
}

impl Drop for Patroni {
    fn drop(&mut self) {
        for member in &mut self.members {
            // Those that are gone need no killing.
            let _ = signal("KILL", &member.processes());
            let _ = member.patroni.wait();
            self.watch.forget(&member.name);
        }
        let _ = (self.etcd.kill(), self.etcd.wait());
        self.watch.forget("etcd");
    }
}

impl Member {
    async fn start(folder: &Path, binaries: &Path, number: usize, etcd: u16) -> anyhow::Result<Member> {
        let name = format!("member-{number}");
        let own = folder.join(&name);
        fs::create_dir_all(&own)?;
        give_away(&own)?;
        let (rest, database, wire) = (free_port()?, free_port()?, Wire::default());
        let proxies =
            [Proxy::over(&wire, etcd).await?, Proxy::over(&wire, rest).await?, Proxy::over(&wire, database).await?];
        let ports =
            Ports { etcd: proxies[0].port(), rest: (rest, proxies[1].port()), database: (database, proxies[2].port()) };
        let config = folder.join(format!("{name}.yml"));
        fs::write(&config, configuration(&name, &own, binaries, &ports))?;
        let patroni = start_patroni(folder, &name, &config)?;
        let rest = Server::new(&format!("http://127.0.0.1:{rest}"))?;
        let port = ports.database.1;
        Ok(Member { name, config, data: own.join("data"), patroni, rest, port, wire, _proxies: proxies })
    }

    /// The processes of Patroni and of PostgreSQL, which may have outlived an earlier Patroni.
    fn processes(&self) -> Vec<u32> {
        let mut all = family(self.patroni.id());
        all.extend(postmaster(&self.data).into_iter().flat_map(family));
        all.sort_unstable();
        all.dedup();
        all
    }

    async fn answers(&self, path: &str) -> bool {
        let asked = self.rest.fetch("GET", path, None, None);
        let answer = tokio::time::timeout(Duration::from_secs(1), asked).await;
        matches!(answer, Ok(Ok((200, _))))
    }
}

/// The ports of a member: its own, and those of its proxies.
struct Ports {
    etcd: u16,
    rest: (u16, u16),
    database: (u16, u16),
}

fn is_whole(told: &[u8]) -> bool {
    let Ok(told) = serde_json::from_slice::<Value>(told) else { return false };
    let members = told["members"].as_array().cloned().unwrap_or_default();
    let roles = |role: &str| members.iter().filter(|member| member["role"] == role).count();
    let timeline = members.iter().find(|member| member["role"] == "leader").map(|leader| &leader["timeline"]);
    // A member that missed the last failover would be useless in the next one.
    let follows = |member: &&Value| {
        let runs = member["state"] == "running" || member["state"] == "streaming";
        runs && Some(&member["timeline"]) == timeline && member["lag"].as_u64().unwrap_or(0) <= CLOSE
    };
    members.iter().filter(follows).count() == MEMBERS && roles("leader") == 1 && roles("sync_standby") == 1
}

/// Patroni's configuration. With `etcd3` in place of `etcd`, version 3.0.2 loses commits when a primary is stopped and
/// continues. Without `synchronous_mode_strict`, a new primary acknowledges what no standby has.
fn configuration(name: &str, own: &Path, binaries: &Path, ports: &Ports) -> String {
    let mut text = String::new();
    let (own, binaries) = (own.display(), binaries.display());
    let (rest, database) = (ports.rest, ports.database);
    let _ = write!(
        text,
        "scope: unum
name: {name}
restapi:
  listen: 127.0.0.1:{}
  connect_address: 127.0.0.1:{}
etcd:
  hosts: ['127.0.0.1:{}']
  use_proxies: true
bootstrap:
  dcs:
    ttl: 10
    loop_wait: 2
    retry_timeout: 3
    primary_start_timeout: 0
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql:
      use_pg_rewind: true
      use_slots: true
      parameters:
        max_connections: 200
        wal_log_hints: 'on'
        wal_sender_timeout: 5s
        wal_receiver_timeout: 5s
        wal_retrieve_retry_interval: 500ms
        client_connection_check_interval: 1s
  initdb:
    - encoding: UTF8
    - locale: C
postgresql:
  listen: 127.0.0.1:{}
  connect_address: 127.0.0.1:{}
  data_dir: {own}/data
  bin_dir: {binaries}
  pgpass: {own}/pgpass
  authentication:
    superuser: {{username: postgres}}
    replication: {{username: replicator}}
  parameters:
    unix_socket_directories: {own}
  pg_hba:
    - local all all trust
    - host all all 127.0.0.1/32 trust
    - host replication all 127.0.0.1/32 trust
watchdog:
  mode: 'off'
",
        rest.0, rest.1, ports.etcd, database.0, database.1
    );
    text
}

fn start_etcd(folder: &Path, client: u16, peer: u16) -> anyhow::Result<Child> {
    let own = folder.join("etcd");
    fs::create_dir_all(&own)?;
    give_away(&own)?;
    let (client, peer) = (format!("http://127.0.0.1:{client}"), format!("http://127.0.0.1:{peer}"));
    let mut command = as_owner(Path::new("/usr/bin/etcd"));
    command.args(["--name", "etcd", "--enable-v2=true", "--data-dir"]).arg(own.join("data"));
    command.args(["--listen-client-urls", &client, "--advertise-client-urls", &client]);
    command.args(["--listen-peer-urls", &peer, "--initial-advertise-peer-urls", &peer]);
    command.args(["--initial-cluster", &format!("etcd={peer}")]);
    spawn(command, folder, "etcd")
}

fn start_patroni(folder: &Path, name: &str, config: &Path) -> anyhow::Result<Child> {
    // Another Python that comes first on the path may lack the modules.
    let mut command = as_owner(Path::new("/usr/bin/python3"));
    command.arg("/usr/bin/patroni").arg(config);
    spawn(command, folder, name)
}

/// Starts a program with its output in a file. Ctrl-C does not reach it.
pub(crate) fn spawn(mut command: Command, folder: &Path, name: &str) -> anyhow::Result<Child> {
    let log = folder.join(format!("{name}.log"));
    let log = File::options().create(true).append(true).open(&log).with_context(|| log.display().to_string())?;
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).current_dir(folder).env("LC_ALL", "C");
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    match command.spawn() {
        Ok(child) => Ok(child),
        Err(error) => bail!("{name} cannot be started: {error}"),
    }
}
