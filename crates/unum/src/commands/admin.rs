//! `unum admin`: what operators do with a running server, by its listener for them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Subcommand, builder::PossibleValue};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use unum_client::Server;
use unum_protocol::Empty;
use unum_protocol::admin::{
    ActView, ConnectedPerson, NewSanction, Reached, ReportView, RunningTable, SanctionView, Status,
};
use unum_rules::text::printable;

use super::games::ago;
use super::serve::{configured, reachable, secret_of};
use crate::output::{print, to_json};
use crate::report::text::{Table, count};
use crate::usage::{OrUsage as _, Suggested, suggested};

/// See and stop things on a running server: tables, people, bans, reports.
///
/// Works where the server has a listener for operators, `unum serve --admin 9090`. Its address and token are taken from the same
/// configuration file and environment as the server's, unless they are given here.
#[derive(Debug, clap::Args)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Args {
    /// Where the server listens for operators, such as 9090 or http://10.0.0.5:9090
    #[arg(long, value_name = "ADDRESS", global = true)]
    at: Option<String>,

    /// A file with the operators' token [env: UNUM_ADMIN_TOKEN]
    #[arg(long, value_name = "FILE", global = true)]
    token_file: Option<PathBuf>,

    /// The configuration file of the server
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,

    /// Print JSON, for programs
    #[arg(long, global = true)]
    json: bool,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// How the server is: load, space, what keeps it from its work
    #[command(visible_alias = "load")]
    Status,
    /// The tables it runs
    Tables,
    /// The people at tables, with their numbers and addresses
    People,
    /// Close a table: everybody has to leave, and the match ends without a winner
    Close {
        /// The code of the table, as `unum admin tables` lists it
        table: String,
    },
    /// Take no new tables, so that the server can be stopped when those there are over
    Drain {
        /// Take new tables again
        #[arg(long)]
        off: bool,
    },
    /// Show a message to everybody who plays now
    Announce {
        /// The message
        #[arg(required = true)]
        text: Vec<String>,
    },
    /// Pass on nothing that a guest says for a time
    Mute(GuestArgs),
    /// End a mute
    Unmute {
        /// The number of the guest
        guest: String,
    },
    /// Keep a guest or an address out for a time
    Ban(BanArgs),
    /// End a ban
    Unban {
        /// The guest or address, as `unum admin bans` lists it
        whom: String,
    },
    /// The bans and mutes in force
    Bans,
    /// What players have reported
    Reports,
    /// One report, with what was said last; the log notes that you looked
    Report {
        /// Its number
        id: u64,
        /// It has been dealt with
        #[arg(long)]
        done: bool,
    },
    /// What operators did, the latest first
    Log,
}

#[derive(Debug, clap::Args)]
struct BanArgs {
    /// The number of a guest, an address such as 192.0.2.7, or a network such as 2001:db8::/48
    whom: String,

    #[command(flatten)]
    term: TermArgs,
}

#[derive(Debug, clap::Args)]
struct GuestArgs {
    /// The number of the guest, as `unum admin people` lists it
    guest: String,

    #[command(flatten)]
    term: TermArgs,
}

#[derive(Debug, clap::Args)]
struct TermArgs {
    /// For how long, such as 30m, 2h, 7d or 4w
    #[arg(long = "for", value_name = "TIME", default_value = "1d", value_parser = time_value())]
    seconds: u64,

    /// Why, for the log
    #[arg(long, value_name = "WORDS", default_value = "", hide_default_value = true)]
    why: String,
}

/// The units of times, in seconds.
const UNITS: [(char, u64); 5] = [('s', 1), ('m', 60), ('h', 3600), ('d', 86_400), ('w', 604_800)];

fn time_value() -> Suggested<u64> {
    suggested(|| ["30m", "2h", "1d", "7d", "4w"].map(PossibleValue::new).to_vec(), time)
}

/// Reads a time such as 2h.
fn time(text: &str) -> Result<u64, String> {
    let wrong = || format!("{text:?} is not a time such as 30m, 2h, 7d or 4w");
    let unit = text.chars().last().ok_or_else(wrong)?;
    let (_, seconds) = UNITS.iter().find(|(letter, _)| *letter == unit).ok_or_else(wrong)?;
    let number: u64 = text[..text.len() - 1].parse().map_err(|_| wrong())?;
    number.checked_mul(*seconds).filter(|seconds| *seconds > 0).ok_or_else(wrong)
}

/// A server's listener for operators.
struct Desk {
    server: Server,
    token: Option<String>,
    json: bool,
}

/// Does what was asked for.
///
/// # Errors
/// When the server cannot be found or reached, or refuses.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    let Args { at, token_file, config, json, command } = args;
    let config = configured(config)?;
    let place = match at {
        Some(at) => at.parse::<u16>().map_or(at.clone(), |port| format!("http://127.0.0.1:{port}")),
        None => {
            let missing = "this server has no listener for operators: start it with --admin 9090, or say where it is with --at ADDRESS";
            format!("http://{}", reachable(config.admin.context(missing)?))
        }
    };
    let server = Server::new(&place).or_usage()?;
    let token = secret_of(token_file.or(config.admin_token_file), config.admin_token)?;
    Desk { server, token, json }.carry_out(command)
}

impl Desk {
    fn carry_out(&self, command: Command) -> anyhow::Result<()> {
        match command {
            Command::Status => self.show("status", self.get::<Status>("status")?, status_page),
            Command::Tables => self.show("tables", self.get::<Vec<RunningTable>>("tables")?, |list| tables_page(list)),
            Command::People => {
                self.show("people", self.get::<Vec<ConnectedPerson>>("people")?, |list| people_page(list))
            }
            Command::Bans => {
                let bans: Vec<SanctionView> = self.get("bans")?;
                let mutes: Vec<SanctionView> = self.get("mutes")?;
                match self.json {
                    true => print(&to_json(&json!({"bans": bans, "mutes": mutes}))?),
                    false => print(&bans_page(&bans, &mutes)),
                }
            }
            Command::Reports => {
                self.show("reports", self.get::<Vec<ReportView>>("reports")?, |list| reports_page(list))
            }
            Command::Report { id, done: true } => {
                self.post::<Empty>(&format!("reports/{id}/done"), &json!({}))?;
                self.told(&format!("Report {id} is done."), json!({"done": id}))
            }
            Command::Report { id, done: false } => {
                self.show("report", self.get::<ReportView>(&format!("reports/{id}"))?, report_page)
            }
            Command::Log => self.show("log", self.get::<Vec<ActView>>("log")?, |list| log_page(list)),
            Command::Close { table } => {
                let code = unum_protocol::read_code(&table).context("that is not the code of a table").or_usage()?;
                self.post::<Empty>(&format!("tables/{code}/close"), &json!({}))?;
                self.told("The table is closed.", json!({"closed": code}))
            }
            Command::Drain { off } => {
                self.post::<Empty>("drain", &json!({"on": !off}))?;
                let words = match off {
                    false => "No new tables begin. `unum admin status` says how many are left.",
                    true => "New tables can be opened again.",
                };
                self.told(words, json!({"draining": !off}))
            }
            Command::Announce { text } => {
                let reached: Reached = self.post("announce", &json!({"text": text.join(" ")}))?;
                let words = format!("Shown to {} connections of this server.", count(reached.connections));
                self.told(&words, json!(reached))
            }
            Command::Mute(GuestArgs { guest, term }) => {
                let reached = self.sanction("mutes", guest.clone(), term)?;
                self.told(&format!("Guest {guest} is muted."), json!(reached))
            }
            Command::Ban(BanArgs { whom, term }) => {
                let reached = self.sanction("bans", whom.clone(), term)?;
                let words = format!("{whom} is banned. Connections ended: {}.", reached.connections);
                self.told(&words, json!(reached))
            }
            Command::Unmute { guest } => {
                self.post::<Empty>("unmute", &json!({"whom": guest}))?;
                self.told(&format!("Guest {guest} is heard again."), json!({"unmuted": guest}))
            }
            Command::Unban { whom } => {
                self.post::<Empty>("unban", &json!({"whom": whom}))?;
                self.told(&format!("{whom} may come again."), json!({"unbanned": whom}))
            }
        }
    }

    fn sanction(&self, kind: &str, whom: String, term: TermArgs) -> anyhow::Result<Reached> {
        let TermArgs { seconds, why } = term;
        self.post(kind, &json!(NewSanction { whom, seconds, why }))
    }

    fn get<T: DeserializeOwned>(&self, path: &str) -> anyhow::Result<T> {
        self.call("GET", path, None)
    }

    fn post<T: DeserializeOwned>(&self, path: &str, body: &Value) -> anyhow::Result<T> {
        self.call("POST", path, Some(body))
    }

    fn call<T: DeserializeOwned>(&self, method: &str, path: &str, body: Option<&Value>) -> anyhow::Result<T> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.context("cannot start the async runtime")?;
        Ok(runtime.block_on(self.server.call(method, &format!("/api/{path}"), self.token.as_deref(), body))?)
    }

    /// Shows what was asked for, as a page or as JSON below that name.
    fn show<T: Serialize>(&self, name: &str, what: T, page: impl FnOnce(&T) -> String) -> anyhow::Result<()> {
        print(&if self.json { to_json(&BTreeMap::from([(name, what)]))? } else { page(&what) })
    }

    fn told(&self, words: &str, document: Value) -> anyhow::Result<()> {
        print(&if self.json { to_json(&document)? } else { format!("{words}\n") })
    }
}

/// Words of players, for a terminal.
fn tame(text: &str) -> String {
    printable(text, 60)
}

fn status_page(status: &Status) -> String {
    let Status { people, tables, connections, thinking, reports, bans, mutes, .. } = status;
    let state = status.trouble.as_deref().unwrap_or("all is well");
    let mut text = format!("unum {}: {state}\n\n", tame(&status.version));
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "  {name:<16} {value}");
    };
    line("started", ago(status.started));
    for (name, value) in
        [("people", people), ("tables", tables), ("connections", connections), ("bots thinking", thinking)]
    {
        line(name, count(*value));
    }
    line("reports waiting", count(*reports));
    line("bans, mutes", format!("{}, {}", count(*bans), count(*mutes)));
    let megabytes = |bytes: u64| format!("{} MB", count(bytes / 1_000_000));
    status.free_bytes.into_iter().for_each(|bytes| line("free disk", megabytes(bytes)));
    status.room_bytes.into_iter().for_each(|bytes| line("room left", megabytes(bytes)));
    for node in &status.nodes {
        let state = if node.draining { "draining" } else { "serving" };
        let here = if node.here { " (this one)" } else { "" };
        line("node", format!("{}{here}: {state}, tables: {}", tame(&node.address), count(node.tables)));
    }
    text
}

fn tables_page(list: &[RunningTable]) -> String {
    if list.is_empty() {
        return "No table is in memory.\n".to_owned();
    }
    let mut table = Table::new(&["table", "title", "edition", "stage", "people", "bots", "watching", "list"]);
    for RunningTable { listing, public, onlookers, .. } in list {
        let stage = format!("{:?}", listing.stage).to_lowercase();
        table.row([
            tame(&listing.code),
            tame(&listing.title),
            listing.edition.to_string(),
            stage,
            listing.people.to_string(),
            listing.bots.to_string(),
            onlookers.to_string(),
            if *public { "public" } else { "private" }.to_owned(),
        ]);
    }
    table.to_text()
}

fn people_page(list: &[ConnectedPerson]) -> String {
    if list.is_empty() {
        return "Nobody is connected.\n".to_owned();
    }
    let mut table = Table::new(&["guest", "name", "address", "table", "since", ""]);
    for person in list {
        let muted = if person.muted { "muted" } else { "" };
        table.row([
            person.guest.to_string(),
            tame(&person.name),
            tame(&person.address),
            tame(&person.table),
            ago(person.since),
            muted.to_owned(),
        ]);
    }
    table.to_text()
}

fn bans_page(bans: &[SanctionView], mutes: &[SanctionView]) -> String {
    if bans.is_empty() && mutes.is_empty() {
        return "Nobody is banned or muted.\n".to_owned();
    }
    let mut table = Table::new(&["", "whom", "name", "since", "ends", "why"]);
    let all = bans.iter().map(|ban| ("ban", ban)).chain(mutes.iter().map(|mute| ("mute", mute)));
    for (kind, row) in all {
        table.row([
            kind.to_owned(),
            tame(&row.whom),
            tame(row.name.as_deref().unwrap_or_default()),
            ago(row.since),
            format!("in {}", span(row.until)),
            tame(&row.why),
        ]);
    }
    table.to_text()
}

/// How long it is until a moment.
fn span(until: u64) -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let seconds = (until / 1000).saturating_sub(now);
    let (unit, length) = UNITS.iter().rev().find(|(_, length)| seconds >= 2 * length).unwrap_or(&UNITS[0]);
    format!("{} {unit}", seconds / length)
}

fn reports_page(list: &[ReportView]) -> String {
    if list.is_empty() {
        return "Nobody has reported anybody.\n".to_owned();
    }
    let mut table = Table::new(&["report", "when", "about", "guest", "what for", "words", "by", ""]);
    for ReportView { id, at, reporter, guest, done, body } in list {
        table.row([
            id.to_string(),
            ago(*at),
            tame(&body.name),
            guest.to_string(),
            body.kind.as_str().to_owned(),
            tame(&body.text),
            format!("{} ({reporter})", tame(&body.by)),
            if *done { "done" } else { "waits" }.to_owned(),
        ]);
    }
    table.to_text()
}

fn report_page(report: &ReportView) -> String {
    let ReportView { id, at, reporter, guest, done, body } = report;
    let state = if *done { ", done" } else { "" };
    let mut text = format!(
        "Report {id}{state}, {}: {} about {} (guest {guest}), by {} (guest {reporter}), at table {}\n",
        ago(*at),
        body.kind.as_str(),
        tame(&body.name),
        tame(&body.by),
        tame(&body.table)
    );
    if !body.text.is_empty() {
        let _ = writeln!(text, "\n  \"{}\"", printable(&body.text, usize::MAX));
    }
    let _ = writeln!(text, "\nWhat was said and done last:");
    for line in &body.lines {
        let _ = writeln!(text, "  {} {} {}", tame(&line.name), tame(&line.did), printable(&line.text, usize::MAX));
    }
    if body.lines.is_empty() {
        let _ = writeln!(text, "  nothing");
    }
    text
}

fn log_page(list: &[ActView]) -> String {
    if list.is_empty() {
        return "Nothing yet.\n".to_owned();
    }
    let mut table = Table::new(&["when", "who", "what", "on", "more"]);
    for ActView { at, act, .. } in list {
        table.row([ago(*at), tame(&act.who), tame(&act.act), tame(&act.on), tame(&act.note)]);
    }
    table.to_text()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_a_number_and_a_unit() {
        for (text, seconds) in [("90s", 90), ("30m", 1800), ("2h", 7200), ("7d", 604_800), ("4w", 2_419_200)] {
            assert_eq!(time(text), Ok(seconds));
        }
        for wrong in ["", "h", "2", "2x", "-2h", "0d", "1.5h", "99999999999999999999w", "20000000000000000w", "2ä"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn words_of_players_steer_no_terminal() {
        let lines =
            vec![unum_protocol::ReportLine { name: "E\x1b[2Jve".into(), did: "said".into(), text: "\x07".into() }];
        let body = unum_protocol::ReportBody {
            kind: unum_protocol::ReportKind::Abuse,
            text: "\x1b]0;x\x07".into(),
            by: "Ann".into(),
            name: "E\x1b[2Jve".into(),
            table: "t".into(),
            lines,
        };
        let page = report_page(&ReportView { id: 1, at: 0, reporter: 1, guest: 2, done: false, body });
        assert!(!page.contains('\x1b') && !page.contains('\x07'), "{page:?}");
    }
}
