//! Searches for a timing side channel: does the time an expert takes reveal how many choices it had?

use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde_json::json;
use unum_client::{Client, Server};
use unum_protocol::rest::Games;
use unum_protocol::{Actor, Happened, Level};
use unum_rules::record::Record;

use crate::crowd::eager;
use crate::player::{Habits, Player};

/// How many moves of each kind are enough to tell.
const ENOUGH: usize = 200;
/// How far from a coin's the chance may be that a move with a choice takes longer than one without.
pub(crate) const BIAS: f64 = 0.1;

/// How long bots took for moves, by what their hands left them.
#[derive(Clone, Debug, Default)]
pub struct Delays {
    /// Where there was one thing to do.
    pub forced: Vec<Duration>,
    /// Where there was a choice.
    pub free: Vec<Duration>,
}

impl Delays {
    /// Whether there are as many of both as a verdict needs.
    pub fn are_enough(&self) -> bool {
        self.forced.len().min(self.free.len()) >= ENOUGH
    }

    /// How likely it is that a move with a choice took longer than one without: a half if that says nothing about the
    /// hand (the area under the ROC curve).
    pub fn chance_of_telling(&self) -> f64 {
        let pairs = self.forced.iter().flat_map(|forced| self.free.iter().map(move |free| free.cmp(forced)));
        let wins: f64 = pairs.map(|longer| (longer as i32 + 1) as f64 / 2.0).sum();
        wins / (self.forced.len() * self.free.len()).max(1) as f64
    }

    /// In words.
    pub fn describe(&self) -> String {
        let (forced, free) = (self.forced.len(), self.free.len());
        let few = if self.are_enough() { "" } else { ": too few" };
        format!("{:.2} ({forced} moves without a choice, {free} with one{few})", self.chance_of_telling())
    }

    /// Whether the time tells no more about the hand than chance does, as far as that many moves can show.
    pub fn say_nothing(&self) -> bool {
        self.are_enough() && (self.chance_of_telling() - 0.5).abs() <= BIAS
    }
}

/// Every move of a match, with how long it took if a bot made it.
type Moves = Vec<Option<Duration>>;

/// Plays matches of one round with an expert until there are enough moves, or the time is over, and compares how long the
/// expert took with the hands that the records show afterwards.
///
/// # Errors
/// When the server cannot be reached, or what it records is not what was played.
pub async fn watch(server: Server, time: Duration) -> anyhow::Result<Delays> {
    let guest = server.sign_in("Watcher").await?;
    let settings = json!({"rules": {"edition": "modern"}, "seats": 2, "pace": "instant"});
    let code = server.open_table(&guest.token, &settings).await?.code;
    let client = Client::new(server.clone(), &guest.token, &code).with_patience(eager());
    let habits = Habits { chairs: 2, bots: 1, level: Level::Expert, think: Duration::ZERO, notes: false };
    let mut player = Player::new(client, habits, 1);
    let (begun, mut delays, mut compared) = (Instant::now(), Delays::default(), 0);
    let mut matches: Vec<Moves> = Vec::new();
    while begun.elapsed() < time && !delays.are_enough() {
        let played = matches.len() + 20;
        play(&mut player, &mut matches, played, time.saturating_sub(begun.elapsed())).await?;
        compare(&server, &guest.token, &matches, &mut compared, &mut delays).await?;
    }
    player.close().await;
    Ok(delays)
}

/// Plays until that many matches have begun, or the time is over.
async fn play(player: &mut Player, matches: &mut Vec<Moves>, count: usize, time: Duration) -> anyhow::Result<()> {
    let (begun, mut changed) = (Instant::now(), Instant::now());
    while matches.len() < count && begun.elapsed() < time {
        let message = player.next().await?;
        let now = Instant::now();
        for (what, _) in message.read()?.changes() {
            match what {
                Happened::Dealt { round: 1 } => matches.push(Vec::new()),
                Happened::Acted { by, .. } => {
                    let took = (*by == Actor::Bot).then(|| now - changed);
                    matches.last_mut().context("a move before any deal")?.push(took);
                }
                _ => continue,
            }
            changed = now;
        }
        player.react(message).await?;
    }
    Ok(())
}

/// Looks the hands up in the records of matches that are over, from the first that was not looked at.
async fn compare(
    server: &Server,
    token: &str,
    matches: &[Moves],
    compared: &mut usize,
    delays: &mut Delays,
) -> anyhow::Result<()> {
    let games: Games = server.call("GET", "/api/games", Some(token), None).await?;
    // The last one is being played.
    for (number, moves) in matches.iter().enumerate().take(matches.len().saturating_sub(1)).skip(*compared) {
        let suffix = format!("-{}", number + 1);
        let Some(game) = games.finished.iter().find(|game| game.id.ends_with(&suffix)) else { return Ok(()) };
        let (_, body) = server.fetch("GET", &format!("/api/games/{}", game.id), Some(token), None).await?;
        let record = Record::parse(std::str::from_utf8(&body)?)?;
        sort(&record, moves, delays)?;
        *compared = number + 1;
    }
    Ok(())
}

/// Sorts the moves of a match by what there was to choose from.
fn sort(record: &Record, moves: &[Option<Duration>], delays: &mut Delays) -> anyhow::Result<()> {
    anyhow::ensure!(record.moves.len() == moves.len(), "{} moves recorded, {} seen", record.moves.len(), moves.len());
    let (mut steps, mut seen) = (record.steps(), moves.iter());
    let mut before = steps.step()?.map(|step| *step.game.round());
    while let Some(step) = steps.step()? {
        let (round, took) = (before.replace(*step.game.round()), seen.next().copied().flatten());
        if let (Some(round), Some(seat), Some(took)) = (round, step.place.seat, took) {
            let choices = round.legal_actions(step.game.rules(), seat).len();
            let kind = if choices > 1 { &mut delays.free } else { &mut delays.forced };
            kind.push(took);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delays(forced: &[u64], free: &[u64]) -> Delays {
        let times = |millis: &[u64]| millis.iter().cycle().take(300).map(|time| Duration::from_millis(*time)).collect();
        Delays { forced: times(forced), free: times(free) }
    }

    #[test]
    fn a_bot_that_answers_at_once_where_it_has_no_choice_is_found_out() {
        let leak = delays(&[1, 2, 3], &[50, 52, 54]);
        assert!((leak.chance_of_telling() - 1.0).abs() < 1e-9 && !leak.say_nothing());
        let backwards = delays(&[50, 52], &[1, 2]);
        assert!(!backwards.say_nothing());
        let fair = delays(&[75, 76, 80], &[80, 75, 76]);
        assert!((fair.chance_of_telling() - 0.5).abs() < 1e-9 && fair.say_nothing());
        let few = Delays { free: vec![Duration::ZERO; 3], ..fair };
        assert!(!few.say_nothing() && few.describe().contains("too few"));
    }
}
