//! The request `suggest` of `unum referee`: what a bot would do in the position at hand.

use serde::{Deserialize, Serialize};
use unum_bots::{Bot as _, Budget, LevelBot};
use unum_protocol::Level;
use unum_rules::referee::Referee;
use unum_rules::wire::ActionForm;
use unum_rules::{Code, Seat, Sight, plain_words};
use unum_terminal::nearest::did_you_mean;

use super::analyze::{Complaint, MAX_BUDGET, complain, is_request};

/// The request `suggest`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    #[serde(rename = "op")]
    _op: String,
    seat: Option<Seat>,
    #[serde(default)]
    level: Option<String>,
    worlds: Option<u32>,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    react: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Reply {
    /// What the bot would do; `null` if it would not react.
    Suggestion {
        ok: bool,
        seat: Seat,
        action: Option<ActionForm>,
    },
    Error {
        ok: bool,
        error: Complaint,
    },
}

/// The reply to a line of `unum referee`; `None` if it is another request.
pub(crate) fn answer(referee: &Referee, line: &[u8]) -> Option<String> {
    is_request(line, "suggest").then_some(())?;
    let reply = match reply(referee, line) {
        Ok((seat, action)) => Reply::Suggestion { ok: true, seat, action },
        Err(error) => Reply::Error { ok: false, error },
    };
    serde_json::to_string(&reply).ok()
}

fn reply(referee: &Referee, line: &[u8]) -> Result<(Seat, Option<ActionForm>), Complaint> {
    let bad = |message: String| complain(Code::BadRequest, message);
    let request: Request =
        serde_json::from_slice(line).map_err(|why| bad(format!("not a request: {}", plain_words(&why))))?;
    let mut bot = bot(&request)?;
    let game = referee.game().ok_or_else(|| bad("there is no match yet: send `new` or `set` first".to_owned()))?;
    let (round, players) = (game.round(), game.players());
    if request.seat.is_some_and(|seat| seat >= players) {
        return Err(complain(Code::BadSeat, format!("seats are numbered 0 to {}", players - 1)));
    }
    let over = || complain(Code::Over, "the round is over: there is nothing left to decide".to_owned());
    let awaited = round.awaited().ok_or_else(over)?;
    let seat = request.seat.unwrap_or(awaited);
    if seat != awaited && !request.react {
        let message = format!("it is seat {awaited}'s turn; add \"react\":true to ask whether seat {seat} would react");
        return Err(complain(Code::NotYourTurn, message));
    }
    let sight = Sight::new(round, game.rules(), seat, game.scores());
    bot.begin(&sight);
    let action = if request.react { bot.react(&sight) } else { Some(bot.act(&sight)) };
    Ok((seat, action.map(|action| ActionForm::new(&action, game.rules().palette()))))
}

/// The bot that is asked.
fn bot(request: &Request) -> Result<LevelBot, Complaint> {
    let bad = |message: String| complain(Code::BadRequest, message);
    let name = request.level.as_deref().unwrap_or(Level::Hard.id());
    let unknown = || {
        let near = did_you_mean(name, Level::ALL.iter().map(|level| level.id()));
        bad(format!("there is no such level: the levels are {}.{near}", Level::names()))
    };
    let level = Level::parse(name).ok_or_else(unknown)?;
    let budget = match request.worlds {
        None => Budget::STUDY,
        Some(_) if level != Level::Expert => return Err(bad("`worlds` is for the level `expert`".to_owned())),
        Some(worlds) if (1..=MAX_BUDGET).contains(&worlds) => Budget::Worlds(worlds),
        Some(_) => return Err(bad(format!("`worlds` goes from 1 to {MAX_BUDGET}"))),
    };
    Ok(LevelBot::with_budget(level, request.seed, budget))
}
