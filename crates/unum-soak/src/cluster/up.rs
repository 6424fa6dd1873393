//! A whole site on this machine to try out: nodes, a load balancer, a highly available database.

use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use tempfile::TempDir;
use unum_client::Server;
use unum_scratch::signal;

use super::Plan;
use super::patroni::{Patroni, spawn};
use super::site::{Setting, Site};
use super::watch::Watch;
use crate::process::free_port;

/// Where HAProxy listens, if that port is free.
const PORT: u16 = 8080;
/// How long HAProxy may take to start.
const PATIENCE: Duration = Duration::from_secs(10);

/// Starts everything, prints its addresses, and stops it in order on Ctrl-C.
///
/// # Errors
/// When a program is missing or cannot be started.
pub async fn up(plan: &Plan) -> anyhow::Result<()> {
    let program = Path::new("/usr/sbin/haproxy");
    ensure!(program.exists(), "haproxy is not installed (Debian: apt-get install haproxy)");
    let folder = TempDir::with_prefix("unum-cluster")?;
    let watch = Watch::over(folder.path())?;
    eprintln!("starting etcd, Patroni with three PostgreSQL servers, {} nodes and HAProxy …", plan.nodes);
    let interrupted = tokio::signal::ctrl_c();
    tokio::pin!(interrupted);
    let started = tokio::select! {
        started = Running::start(plan, folder.path(), program) => started?,
        _ = &mut interrupted => return Ok(()),
    };
    for (number, node) in started.site.nodes.iter().enumerate() {
        watch.note(&format!("node-{}", number + 1), node.process.id())?;
    }
    watch.note("haproxy", started.haproxy.id())?;
    println!("{}", started.describe(folder.path()));
    interrupted.await.context("Ctrl-C cannot be waited for")?;
    eprintln!("\nstopping …");
    started.stop().await;
    eprintln!("stopped");
    Ok(())
}

struct Running {
    patroni: Patroni,
    site: Site,
    haproxy: Child,
    address: String,
    program: String,
}

impl Running {
    async fn start(plan: &Plan, folder: &Path, haproxy: &Path) -> anyhow::Result<Running> {
        let patroni = Patroni::start(folder).await?;
        let flags = ["--trusted-proxy", "127.0.0.1"].map(str::to_owned).to_vec();
        let setting = Setting { flags: Some(flags), apart: true, ..Setting::default() };
        let site = Site::start(&plan.unum, folder, &vec![patroni.address(); plan.nodes], &setting).await?;
        let port = if std::net::TcpListener::bind(("127.0.0.1", PORT)).is_ok() { PORT } else { free_port()? };
        let config = folder.join("haproxy.cfg");
        fs::write(&config, balance(port, &site.servers()))?;
        let mut command = Command::new(haproxy);
        command.arg("-f").arg(&config);
        let haproxy = spawn(command, folder, "haproxy")?;
        let address = format!("http://127.0.0.1:{port}");
        let running = Running { patroni, site, haproxy, address, program: plan.unum.display().to_string() };
        running.answers().await?;
        Ok(running)
    }

    /// Waits until a node can be reached through HAProxy.
    async fn answers(&self) -> anyhow::Result<()> {
        let (server, begun) = (Server::new(&self.address)?, Instant::now());
        loop {
            if let Ok((200, _)) = server.fetch("GET", "/readyz", None, None).await {
                return Ok(());
            }
            ensure!(begun.elapsed() < PATIENCE, "no node can be reached through HAProxy: see haproxy.log");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    fn describe(&self, folder: &Path) -> String {
        let mut lines = vec![
            String::new(),
            format!("play            {}", self.address),
            format!("                {} play {}", self.program, self.address),
        ];
        for (number, node) in self.site.nodes.iter().enumerate() {
            let (process, server) = (node.process.id(), node.process.server().url());
            lines.push(format!("node {}          {server}, process {process}", number + 1));
        }
        lines.extend([
            format!("database        {}", self.patroni.address()),
            format!("status          {} cluster status --database '{}'", self.program, self.patroni.address()),
            format!("                {}/haproxy (load balancer)", self.address),
            "lose a node     kill -9 PROCESS; kill PROCESS lets it hand its tables over first".to_owned(),
            format!("files and logs  {}", folder.display()),
            "stop            Ctrl-C: everything ends, and the folder is deleted".to_owned(),
        ]);
        lines.join("\n")
    }

    async fn stop(mut self) {
        // It may have ended already.
        let _ = signal("TERM", &[self.haproxy.id()]);
        for number in 0..self.site.nodes.len() {
            // Somebody may have killed it.
            let _ = self.site.stop(number).await;
        }
        let _ = self.haproxy.wait();
        self.patroni.stop().await;
    }
}

/// The configuration of HAProxy: round robin, since any node serves anybody.
fn balance(port: u16, nodes: &[Server]) -> String {
    let mut text = format!(
        "global
    maxconn 2000

defaults
    mode http
    timeout connect 1s
    timeout client 1m
    timeout server 1m
    timeout tunnel 1h
    retries 3
    option redispatch
    option forwardfor

frontend play
    bind 127.0.0.1:{port}
    stats enable
    stats uri /haproxy
    stats refresh 2s
    default_backend nodes

backend nodes
    balance roundrobin
    option httpchk
    http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host localhost
    http-check expect status 200
    default-server check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
"
    );
    for (number, node) in nodes.iter().enumerate() {
        text.push_str(&format!("    server node-{} {}\n", number + 1, node.authority()));
    }
    text
}
