//! `unum health`: whether a server answers, for supervisors and container engines.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context as _, bail};
use unum_client::{Fingerprint, Server};
use unum_rules::text::printable;
use unum_server::Config;

use super::serve::{configured, reachable};
use crate::output::print;
use crate::usage::OrUsage as _;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// The longest quote from an answer, in characters.
const LONGEST: usize = 300;

/// Ask a server whether it is well: exit code 0 if it is, 1 if not.
///
/// Without an address it asks the server of this machine, where the environment and the config file say it listens. Supervisors
/// and containers can run it where there is no curl.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  unum health                          is the server of this machine alive?
  unum health --ready                  can it also do its work: write, and take people in?
  unum health http://localhost:9000    a server at another address")]
pub(crate) struct Args {
    /// The address of a server
    #[arg(value_name = "SERVER")]
    server: Option<String>,

    /// Ask whether it can do its work, not only whether it is alive
    #[arg(long)]
    ready: bool,

    /// The fingerprint of the server's certificate, if it was self-made
    #[arg(long, value_name = "SHA-256", requires = "server")]
    fingerprint: Option<Fingerprint>,
}

/// Asks.
///
/// # Errors
/// If the server does not answer, or not that it is well.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let server = match &args.server {
        Some(address) => {
            let server = Server::new(address).or_usage()?;
            args.fingerprint.into_iter().fold(server, Server::pinned)
        }
        None => own(&configured(None)?)?,
    };
    let (path, word) = if args.ready { ("/readyz", "ready") } else { ("/healthz", "alive") };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start asking")?;
    let answer =
        runtime.block_on(async { tokio::time::timeout(PATIENCE, server.fetch("GET", path, None, None)).await });
    let url = server.url();
    match answer {
        Ok(Ok((200, _))) => print(&format!("{word}\n")),
        Ok(Ok((status, body))) => {
            bail!("{url} is not {word} ({status}): {}", printable(&String::from_utf8_lossy(&body), LONGEST))
        }
        Ok(Err(error)) => Err(error.into()),
        Err(_) => bail!("{url} does not answer within {} seconds", PATIENCE.as_secs()),
    }
}

/// The server that runs here with this configuration.
fn own(config: &Config) -> anyhow::Result<Server> {
    let address = reachable(SocketAddr::new(config.listen, config.port));
    if !config.encrypts() {
        return Ok(Server::new(&format!("http://{address}"))?);
    }
    let known = unum_server::fingerprint_of(config)?;
    let known = known.context("this server keeps its certificate nowhere: give its address and --fingerprint")?;
    Ok(Server::new(&format!("https://{address}"))?.pinned(Fingerprint(known)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_server_is_asked_where_it_listens() {
        for (listen, url) in [
            ("0.0.0.0", "http://127.0.0.1:8080"),
            ("::", "http://[::1]:8080"),
            ("10.0.0.7", "http://10.0.0.7:8080"),
            ("127.0.0.1", "http://127.0.0.1:8080"),
        ] {
            let config = Config { listen: listen.parse().unwrap(), ..Config::default() };
            assert_eq!(own(&config).unwrap().url(), url);
        }
        let config = Config { tls_self_made: true, ephemeral: true, ..Config::default() };
        assert!(own(&config).unwrap_err().to_string().contains("--fingerprint"));
    }
}
