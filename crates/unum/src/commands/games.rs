//! `unum games`: the saved games, and one's games on a server.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::bail;
use serde::Serialize;
use unum_protocol::rest::{FinishedGame, Games};
use unum_rules::text::printable;
use unum_server::config::default_data_folder;
use unum_terminal::{Account, Saved, Shelf, Visit, Visits, story};

use super::season;
use super::trust::TrustArgs;
use crate::output::{print, to_json};

/// List your saved games and the tables you have been to, or your games on a server; delete saved games.
///
/// `unum play --continue GAME` resumes one; `unum replay GAME` and `unum verify GAME` take one that is finished.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  unum games                         games against bots, and tables on servers you have been to
  unum games https://uno.example.org your tables and finished matches there
  unum games --stats                 luck and play over all finished games
  unum games --delete 1,3            delete saved games
  unum games --delete-finished       delete all that are finished")]
pub(crate) struct Args {
    /// A server, to list your games there
    #[arg(value_name = "SERVER", conflicts_with_all = ["delete", "delete_finished"])]
    server: Option<String>,

    #[command(flatten)]
    trust: TrustArgs,

    /// Delete these games
    #[arg(long, value_name = "GAME", num_args = 1.., value_delimiter = ',', conflicts_with = "json")]
    delete: Vec<u32>,

    /// Delete all games whose match is over
    #[arg(long, conflicts_with_all = ["delete", "json"])]
    delete_finished: bool,

    /// Show luck and skill over all finished games: saved ones, or yours on the server
    #[arg(long, conflicts_with_all = ["delete", "delete_finished"])]
    stats: bool,

    /// Imagined worlds per decision of yours for --stats; 0 for luck alone
    #[arg(long, value_name = "WORLDS", default_value = "100", requires = "stats", value_parser = super::review::parse_budget)]
    budget: u64,

    /// Print JSON, for programs
    #[arg(long)]
    json: bool,

    /// Print numbers and codes only, one a line: what shells complete
    #[arg(long, hide = true)]
    ids: bool,

    /// Folder of the saved games [default: your data folder]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

/// Everything that can be resumed or watched.
#[derive(Serialize)]
struct Listed {
    games: Vec<Saved>,
    tables: Vec<Visit>,
}

/// Lists or deletes.
///
/// # Errors
/// If there is no such game, it is being played, the server cannot be reached, or the output cannot be written.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    let data = args.data.unwrap_or_else(default_data_folder);
    if let Some(server) = &args.server {
        let invite = args.trust.invite(server)?;
        let account = Account::of(&invite.server, &data);
        if args.stats {
            let season = account.season()?;
            return print(&if args.json { to_json(&season)? } else { season::tell(&season) });
        }
        let games = account.games()?;
        return print(&if args.json { to_json(&games)? } else { on_server(&games, &invite.server.url()) });
    }
    let shelf = Shelf::new(&data);
    if !args.delete.is_empty() {
        return delete(&shelf, &args.delete);
    }
    let games = readable(&shelf)?;
    if args.stats {
        let season = season::of_saved(&shelf, &games, args.budget)?;
        return print(&if args.json { to_json(&season)? } else { season::tell(&season) });
    }
    if args.delete_finished {
        let finished: Vec<u32> = games.iter().filter(|game| game.finished).map(|game| game.number).collect();
        return delete(&shelf, &finished);
    }
    if args.ids {
        let tables = Visits::new(&data).list();
        let numbers = games.iter().map(|game| game.number.to_string());
        let ids = numbers.chain(tables.iter().map(|visit| visit.code().to_owned()));
        return print(&ids.map(|id| id + "\n").collect::<String>());
    }
    let listed = Listed { games, tables: Visits::new(&data).list() };
    print(&if args.json { to_json(&listed)? } else { listed.page() })
}

/// The games that can be read; the others are named.
fn readable(shelf: &Shelf) -> anyhow::Result<Vec<Saved>> {
    let mut games = Vec::new();
    for game in shelf.list()? {
        match game {
            Ok(game) => games.push(game),
            Err(damaged) => eprintln!("unum: {damaged}"),
        }
    }
    Ok(games)
}

/// Deletes all that can be, and names the others.
fn delete(shelf: &Shelf, numbers: &[u32]) -> anyhow::Result<()> {
    let mut failed = Vec::new();
    for number in numbers {
        match shelf.delete(*number) {
            Ok(()) => print(&format!("Game {number} is deleted.\n"))?,
            Err(error) => failed.push(error.to_string()),
        }
    }
    if numbers.is_empty() {
        print("No saved game is finished.\n")?;
    }
    if failed.is_empty() { Ok(()) } else { bail!(failed.join("; ")) }
}

impl Listed {
    fn page(&self) -> String {
        if self.games.is_empty() && self.tables.is_empty() {
            return "There are no saved games: unum play begins one.\n".to_owned();
        }
        let mut text = if self.games.is_empty() { String::new() } else { table(&self.games) };
        if !self.tables.is_empty() {
            let gap = if text.is_empty() { "" } else { "\n" };
            let _ = writeln!(text, "{gap}Tables on servers; unum play LINK takes you back");
        }
        for visit in &self.tables {
            let _ = writeln!(text, "      {:<16}  {}", ago(visit.last), printable(&visit.link, 200));
        }
        text
    }
}

fn table(games: &[Saved]) -> String {
    let mut text = format!("{:>4}  {:<16}  {:<9}  {:<9}  scores\n", "game", "last played", "edition", "state");
    for game in games {
        let state = if game.finished { "finished".to_owned() } else { format!("round {}", game.round) };
        let scores: Vec<String> =
            game.players.iter().map(|player| format!("{} {}", player.name, player.score)).collect();
        let (ago, edition, scores) = (ago(game.last), game.edition.id(), scores.join(", "));
        let _ = writeln!(text, "{:>4}  {ago:<16}  {edition:<9}  {state:<9}  {scores}", game.number);
    }
    text
}

fn on_server(games: &Games, url: &str) -> String {
    if games.open.is_empty() && games.finished.is_empty() {
        return format!("You have no games at {url}: unum play {url} opens a table.\n");
    }
    let mut text = String::new();
    if !games.open.is_empty() {
        text += "Your tables; unum play LINK takes you back\n";
    }
    for game in &games.open {
        let _ = writeln!(text, "  {:<16}  {url}/t/{}", ago(game.touched), printable(&game.table, 64));
    }
    if !games.finished.is_empty() {
        let gap = if text.is_empty() { "" } else { "\n" };
        let _ = writeln!(text, "{gap}Finished matches; unum replay LINK shows one");
    }
    for FinishedGame { id, summary, .. } in &games.finished {
        let name = |name: &Option<String>| printable(name.as_deref().unwrap_or("?"), 40);
        let scores = summary.players.iter().zip(&summary.scores).map(|(who, score)| format!("{} {score}", name(who)));
        let scores = scores.collect::<Vec<_>>().join(", ");
        let (ago, id) = (ago(summary.ended), printable(id, 64));
        let _ = writeln!(text, "  {ago:<16}  {url}/g/{id}  {}: {scores}", summary.edition);
    }
    text
}

/// How long ago that was, which needs no time zone.
pub(crate) fn ago(moment: u64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = now.saturating_sub(Duration::from_millis(moment)).as_secs();
    let (number, unit) = match seconds {
        0..60 => return "just now".to_owned(),
        60..3600 => (seconds / 60, "minute"),
        3600..86_400 => (seconds / 3600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    format!("{} ago", story::count(number as usize, unit))
}
