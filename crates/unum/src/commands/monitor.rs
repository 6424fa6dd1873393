//! `unum monitor`: what Prometheus and Grafana need to watch a server.

use unum_server::monitoring;

use crate::output::print;

/// Print a dashboard for Grafana, or alert rules for Prometheus, made from the figures of a server.
///
/// Prometheus reads `/metrics` of every server: from its own machine, or with the token of `unum serve --metrics-token`. Call
/// its job `unum`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  unum monitor dashboard > unum-dashboard.json
  unum monitor alerts > unum-alerts.yml")]
pub(crate) struct Args {
    /// What to print
    what: What,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum What {
    /// A dashboard: import it in Grafana
    Dashboard,
    /// Alert rules: name the file under `rule_files` of Prometheus
    Alerts,
}

/// Prints it.
///
/// # Errors
/// If it cannot be printed.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    print(&match args.what {
        What::Dashboard => monitoring::dashboard(),
        What::Alerts => monitoring::alerts(),
    })
}
