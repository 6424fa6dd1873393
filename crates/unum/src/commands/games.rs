//! `unum games`: the saved games.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use unum_server::config::default_data_folder;
use unum_terminal::{Saved, Shelf, story};

use crate::output::{print, to_json};

/// List the saved games of `unum play`, or delete some.
///
/// `unum play --continue GAME` goes on with one; `unum replay GAME` and `unum verify GAME` take one that is finished.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Delete these games
    #[arg(long, value_name = "GAME", num_args = 1.., value_delimiter = ',', conflicts_with = "json")]
    delete: Vec<u32>,

    /// Print JSON, for programs
    #[arg(long)]
    json: bool,

    /// Where games are kept [default: the folder of your data]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

/// Lists or deletes.
///
/// # Errors
/// If there is no such game, it is being played, or the output cannot be written.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    let shelf = Shelf::new(&args.data.unwrap_or_else(default_data_folder));
    if !args.delete.is_empty() {
        for number in args.delete {
            shelf.delete(number)?;
            print(&format!("Game {number} is deleted.\n"))?;
        }
        return Ok(());
    }
    let mut games = Vec::new();
    for game in shelf.list()? {
        match game {
            Ok(game) => games.push(game),
            Err(damaged) => eprintln!("unum: {damaged}"),
        }
    }
    print(&if args.json { to_json(&games)? } else { table(&games) })
}

fn table(games: &[Saved]) -> String {
    if games.is_empty() {
        return "There are no saved games: unum play begins one.\n".to_owned();
    }
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

/// How long ago that was: everybody's clock knows that, whatever the time zone.
fn ago(moment: u64) -> String {
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
