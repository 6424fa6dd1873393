//! `unum games --stats`: luck and play over many games.

use std::fs;

use anyhow::Context as _;
use unum_review::season::{SeasonGame, figures, season};
use unum_review::{Measured, Opponents, Reviewer, Season, tell_standing};
use unum_terminal::story::count;
use unum_terminal::{Saved, Shelf, finished};

use crate::report::text::Table;

/// The season of the saved games, computed from them each time; nothing else is stored.
///
/// # Errors
/// If a game cannot be read.
pub(super) fn of_saved(shelf: &Shelf, games: &[Saved], budget: u64) -> anyhow::Result<Season> {
    let mut all = Vec::new();
    for saved in games.iter().filter(|game| game.finished) {
        let path = shelf.find(saved.number)?;
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        for one in finished(&path, &text)? {
            let Some(seat) = one.guests.iter().position(Option::is_some) else { continue };
            let seat = u8::try_from(seat).unwrap_or(u8::MAX);
            let mut reviewer = Reviewer::new(&one.record).with_context(|| path.display().to_string())?;
            let own = reviewer.decisions_mut().iter().filter(|decision| decision.spot.seat == seat).count();
            reviewer.think(budget * own as u64, Some(seat));
            let game = (saved.number.to_string(), saved.last);
            all.extend(SeasonGame::of(game, &figures(&reviewer.review()), &one.levels, seat));
        }
    }
    Ok(season(all, true))
}

/// A season in words and tables.
pub(super) fn tell(season: &Season) -> String {
    if season.rounds == 0 {
        return "No finished games are counted yet.\n".to_owned();
    }
    let mut text = format!(
        "{} in {}. Luck: {:+.1} points in all; chance alone keeps it within ±{:.1}, and per round it tends to zero.\n\n",
        count(season.rounds as usize, "round"),
        count(season.games as usize, "game"),
        season.luck.0 * 100.0,
        season.luck_spread.0 * 196.0
    );
    let mut sizes =
        Table::new(&["players", "against", "rounds", "won", "without luck", "decisions", "error rate", "level"]);
    for size in &season.sizes {
        sizes.row(vec![
            size.players.to_string(),
            against(size.against),
            size.rounds.to_string(),
            measured(&size.won, 100.0, " %"),
            measured(&size.adjusted, 100.0, " %"),
            size.decisions.to_string(),
            size.error_rate.map_or_else(|| "-".to_owned(), |rate| measured(&rate, 1.0, "")),
            size.standing.map_or_else(|| "-".to_owned(), tell_standing),
        ]);
    }
    text += &sizes.to_text();
    let rates: Vec<String> = season
        .over_time
        .iter()
        .filter_map(|stretch| stretch.error_rate.map(|rate| format!("{:.1}", rate.mean.0.max(0.0))))
        .collect();
    if rates.len() > 1 {
        text += &format!("\nError rate over time: {}\n", rates.join(" "));
    }
    let Season { challenges, bluffs, unos, .. } = season;
    text += &format!(
        "\nChallenges: {} right, {} wrong. Bluffs: {}, {} caught. UNO forgotten: {}, {} caught.\n",
        challenges[0], challenges[1], bluffs[0], bluffs[1], unos[0], unos[1]
    );
    for (what, picks, sign) in [("Luckiest card", &season.best, 1.0), ("Costliest mistake", &season.worst, -1.0)] {
        if let Some(pick) = picks.first() {
            let (points, game) = (sign * pick.moment.change.0 * 100.0, &pick.game);
            text += &format!("{what}: {points:+.1} points, game {game}, move {}.\n", pick.moment.number);
        }
    }
    text
}

fn against(opponents: Opponents) -> String {
    match opponents {
        Opponents::Bots { level } => level.to_string(),
        Opponents::Mixed => "mixed bots".to_owned(),
        Opponents::People => "people".to_owned(),
        Opponents::Unknown => "?".to_owned(),
    }
}

fn measured(one: &Measured, unit: f64, sign: &str) -> String {
    match one.margin {
        Some(margin) => format!("{:.1}{sign} ±{:.1}", one.mean.0 * unit, margin.0 * unit),
        None => format!("{:.1}{sign}", one.mean.0 * unit),
    }
}
