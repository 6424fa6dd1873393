//! `unum cluster`: what the nodes on shared databases are doing.

use serde::Serialize;
use unum_store::lease::{Membership, NodeRow, NodeState};
use unum_store::{DatabaseAddress, Options, Store};

use super::database::PasswordArgs;
use crate::output::{print, to_json};
use crate::usage::OrUsage as _;

/// Look at the nodes that share a database.
#[derive(Debug, clap::Args)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Status(StatusArgs),
}

/// List the nodes of a cluster, with the tables each runs, and its databases.
#[derive(Debug, clap::Args)]
struct StatusArgs {
    /// A database of the cluster, postgres://USER@HOST/NAME; repeat it for several, in the same order as on the servers [env:
    /// UNUM_DATABASE]
    #[arg(long, value_name = "URL")]
    database: Vec<String>,

    #[command(flatten)]
    password: PasswordArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A cluster as it is told.
#[derive(Debug, Serialize)]
struct Status {
    nodes: Vec<Node>,
    databases: Vec<Database>,
}

#[derive(Debug, Serialize)]
struct Node {
    /// As text, because it exceeds the number range of some languages.
    id: String,
    address: String,
    version: String,
    state: &'static str,
    tables: u64,
    renewed_seconds_ago: f64,
}

#[derive(Debug, Serialize)]
struct Database {
    number: usize,
    address: String,
    /// What is wrong with it, if anything is.
    trouble: Option<String>,
    nodes: usize,
    tables: u64,
}

/// Does what was asked for.
///
/// # Errors
/// If no database is named, or none can be reached.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    let Command::Status(args) = args.command;
    let json = args.json;
    let status = status(&addresses(args)?)?;
    if json {
        return print(&to_json(&status)?);
    }
    print(&told(&status))
}

fn addresses(args: StatusArgs) -> anyhow::Result<Vec<DatabaseAddress>> {
    let named = match args.database.is_empty() {
        false => args.database,
        true => std::env::var("UNUM_DATABASE").unwrap_or_default().split_whitespace().map(str::to_owned).collect(),
    };
    if named.is_empty() {
        return Err(anyhow::anyhow!("name the database of the cluster: --database postgres://USER@HOST/NAME"))
            .or_usage();
    }
    args.password.addresses(&named)
}

/// Asks every database separately, so one that is unreachable does not hide the others.
fn status(addresses: &[DatabaseAddress]) -> anyhow::Result<Status> {
    let (mut nodes, mut databases): (Vec<Node>, Vec<Database>) = (Vec::new(), Vec::new());
    for (number, address) in (1..).zip(addresses) {
        let rows = roster(address);
        let (trouble, rows) = match rows {
            Ok(rows) => (None, rows),
            Err(error) => (Some(error.to_string()), Vec::new()),
        };
        let tables = rows.iter().map(|row| row.tables).sum();
        let alive = rows.iter().filter(|row| matches!(row.state, NodeState::Alive | NodeState::Draining)).count();
        databases.push(Database { number, address: address.to_string(), trouble, nodes: alive, tables });
        rows.into_iter().for_each(|row| add(&mut nodes, row));
    }
    if let [Database { trouble: Some(trouble), .. }] = databases.as_slice() {
        anyhow::bail!("{trouble}");
    }
    Ok(Status { nodes, databases })
}

fn roster(address: &DatabaseAddress) -> Result<Vec<NodeRow>, unum_store::StoreError> {
    let membership = Membership { version: env!("CARGO_PKG_VERSION").to_owned(), ..Membership::default() };
    let store = Store::connect(address, Options { membership, ..Options::default() })?;
    let rows = store.roster();
    store.close();
    rows
}

fn add(nodes: &mut Vec<Node>, row: NodeRow) {
    let renewed = row.silent_for.as_secs_f64();
    let id = row.id.to_string();
    match nodes.iter_mut().find(|node| node.id == id) {
        Some(node) => {
            node.tables += row.tables;
            node.renewed_seconds_ago = node.renewed_seconds_ago.min(renewed);
            if node.state == "gone" {
                node.state = row.state.id();
            }
        }
        None => nodes.push(Node {
            id,
            address: row.address,
            version: row.version,
            state: row.state.id(),
            tables: row.tables,
            renewed_seconds_ago: renewed,
        }),
    }
}

fn told(status: &Status) -> String {
    let mut text = format!("{:<24} {:<9} {:>7} {:>12}  {:<10} id\n", "node", "state", "tables", "renewed", "version");
    for node in &status.nodes {
        let renewed = format!("{:.1} s ago", node.renewed_seconds_ago);
        let line = format!(
            "{:<24} {:<9} {:>7} {renewed:>12}  {:<10} {}\n",
            node.address, node.state, node.tables, node.version, node.id
        );
        text.push_str(&line);
    }
    if status.nodes.is_empty() {
        text.push_str("No node has taken part yet.\n");
    }
    text.push('\n');
    for database in &status.databases {
        let well = || format!("nodes: {}, tables: {}", database.nodes, database.tables);
        let state = database.trouble.clone().unwrap_or_else(well);
        text.push_str(&format!("database {}  {}  {state}\n", database.number, database.address));
    }
    text
}
