//! The rules engine on a pipe: one JSON request in, one JSON reply out.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use crate::card::Color;
use crate::chance::Seeded;
use crate::event::{Event, Viewer};
use crate::game::{Match, NextRoundError};
use crate::object::plain_words;
use crate::position::Position;
use crate::refusal::{Code, Refusal};
use crate::rules::{MAX_PLAYERS, MIN_PLAYERS, Rules, RulesSpec};
use crate::seat::Seat;
use crate::wire::{
    ActionForm, EventForm, LegalForm, ViewForm, WireError, any_seat, full_events, legal_forms, no_such_color,
    seen_events,
};

/// Longest line the referee reads, in bytes.
pub const MAX_LINE: usize = 1 << 20;

/// The referee of one match at a time.
///
/// ```
/// use unum_rules::referee::Referee;
///
/// let mut referee = Referee::default();
/// let reply = referee.answer(br#"{"op":"new","rules":{"edition":"original"},"players":3,"seed":7}"#);
/// assert!(reply.starts_with(r#"{"ok":true,"events":["#));
/// let reply = referee.answer(br#"{"op":"act","seat":9,"action":{"type":"draw"}}"#);
/// assert!(reply.starts_with(r#"{"ok":false,"error":{"code":"bad_seat""#));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Referee {
    game: Option<Match>,
    /// The events of the last accepted change.
    events: Vec<Event>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", remote = "Self")]
enum Op {
    New,
    Set,
    Act,
    Penalize,
    NextRound,
    Legal,
    View,
    State,
    Line,
}

words_only!(Op);

/// All fields of all requests. Which of them a request has is checked per `op`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request<'a> {
    op: Op,
    #[serde(borrow)]
    rules: Option<&'a RawValue>,
    players: Option<u64>,
    seed: Option<u64>,
    #[serde(default, deserialize_with = "any_seat")]
    dealer: Option<Seat>,
    #[serde(borrow)]
    position: Option<&'a RawValue>,
    /// `Some(None)` is an explicit null: a spectator.
    #[serde(default, deserialize_with = "explicit")]
    seat: Option<Option<Seat>>,
    #[serde(borrow)]
    action: Option<&'a RawValue>,
}

fn explicit<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<Seat>>, D::Error> {
    any_seat(deserializer).map(Some)
}

#[derive(Serialize)]
#[serde(untagged)]
enum Reply {
    Changed { ok: bool, events: Vec<EventForm>, state: Box<Position> },
    Legal { ok: bool, legal: Vec<LegalForm> },
    View { ok: bool, view: Box<ViewForm>, events: Vec<EventForm> },
    Line { ok: bool, line: String },
    Error { ok: bool, error: ErrorForm },
}

#[derive(Serialize)]
struct ErrorForm {
    code: Code,
    message: String,
    /// The rule behind it, a key of the rulebook.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
}

impl From<WireError> for ErrorForm {
    fn from(error: WireError) -> ErrorForm {
        ErrorForm { code: error.code, message: error.message, rule: None }
    }
}

impl From<Refusal> for ErrorForm {
    fn from(refusal: Refusal) -> ErrorForm {
        ErrorForm { code: refusal.code(), message: refusal.to_string(), rule: refusal.rule() }
    }
}

/// Longest message; parts of a long request may be repeated in it.
const MAX_MESSAGE: usize = 400;

fn error(code: Code, message: impl Into<String>) -> ErrorForm {
    let mut message: String = message.into();
    if let Some((end, _)) = message.char_indices().nth(MAX_MESSAGE) {
        message.truncate(end);
        message.push('…');
    }
    ErrorForm { code, message, rule: None }
}

impl Referee {
    /// Answers one line; an error leaves everything as it was.
    pub fn answer(&mut self, line: &[u8]) -> String {
        let reply = self.reply(line).unwrap_or_else(|error| Reply::Error { ok: false, error });
        serde_json::to_string(&reply).unwrap_or_else(|_| {
            r#"{"ok":false,"error":{"code":"bad_request","message":"the reply could not be written"}}"#.to_owned()
        })
    }

    /// The answer to a line that was too long to be read.
    pub fn line_too_long() -> String {
        let message = format!("a request has at most {MAX_LINE} bytes");
        let reply = Reply::Error { ok: false, error: error(Code::BadRequest, message) };
        serde_json::to_string(&reply).unwrap_or_default()
    }

    /// The match being refereed.
    pub fn game(&self) -> Option<&Match> {
        self.game.as_ref()
    }

    fn reply(&mut self, line: &[u8]) -> Result<Reply, ErrorForm> {
        let request: Request<'_> = parse(line)?;
        request.check_fields()?;
        match request.op {
            Op::New => self.new_match(&request),
            Op::Set => self.set(&request),
            Op::Act => self.act(&request),
            Op::Penalize => {
                let seat = request.seat()?;
                self.change(|game, events| game.penalize(seat, events).map_err(ErrorForm::from))
            }
            Op::NextRound => self.change(|game, events| {
                game.next_round(events).map_err(|why| {
                    let code = if why == NextRoundError::MatchOver { Code::Over } else { Code::WrongPhase };
                    error(code, why.to_string())
                })
            }),
            Op::Legal => {
                let game = self.current()?;
                Ok(Reply::Legal { ok: true, legal: legal_forms(game.round(), game.rules()) })
            }
            Op::View => self.view(&request),
            Op::State => {
                let state = Box::new(Position::of(self.current()?));
                Ok(Reply::Changed { ok: true, events: Vec::new(), state })
            }
            Op::Line => Ok(Reply::Line { ok: true, line: Position::line(self.current()?) }),
        }
    }

    fn current(&self) -> Result<&Match, ErrorForm> {
        self.game.as_ref().ok_or_else(|| error(Code::BadRequest, "there is no match yet: send `new` or `set` first"))
    }

    /// Makes a change, atomically.
    fn change(
        &mut self,
        make: impl FnOnce(&mut Match, &mut Vec<Event>) -> Result<(), ErrorForm>,
    ) -> Result<Reply, ErrorForm> {
        self.current()?;
        let mut events = Vec::new();
        if let Some(game) = &mut self.game {
            make(game, &mut events)?;
        }
        self.events = events;
        self.changed()
    }

    fn changed(&self) -> Result<Reply, ErrorForm> {
        let game = self.current()?;
        let events = full_events(&self.events, game.rules());
        Ok(Reply::Changed { ok: true, events, state: Box::new(Position::of(game)) })
    }

    fn new_match(&mut self, request: &Request<'_>) -> Result<Reply, ErrorForm> {
        let rules = request.rules()?;
        let range = u64::from(MIN_PLAYERS)..=u64::from(MAX_PLAYERS);
        let players = match request.players {
            Some(players) if range.contains(&players) => players as u8,
            Some(players) => return Err(error(Code::BadRequest, format!("2 to 10 can play, not {players}"))),
            None => return Err(error(Code::BadRequest, "`new` needs `players`")),
        };
        let dealer = request.dealer;
        if dealer.is_some_and(|dealer| dealer >= players) {
            return Err(error(
                Code::BadSeat,
                format!("there is no such dealer: seats are numbered 0 to {}", players - 1),
            ));
        }
        let mut events = Vec::new();
        let game = Match::start(rules, players, dealer, request.chance(), &mut events)
            .map_err(|why| error(Code::BadRules, why.to_string()))?;
        self.game = Some(game);
        self.events = events;
        self.changed()
    }

    fn set(&mut self, request: &Request<'_>) -> Result<Reply, ErrorForm> {
        let rules = request.rules()?;
        let position = request.position()?;
        if let Ok(players) = u8::try_from(position.hands.len()) {
            rules.check_players(players).map_err(|why| error(Code::BadRules, why.to_string()))?;
        }
        let game =
            position.into_match(rules, request.chance()).map_err(|why| error(Code::BadPosition, why.to_string()))?;
        self.game = Some(game);
        self.events = Vec::new();
        self.changed()
    }

    fn act(&mut self, request: &Request<'_>) -> Result<Reply, ErrorForm> {
        let seat = request.seat()?;
        let form: ActionForm = match parse_part(request.action, "action", Code::BadRequest) {
            Err(error) => return Err(self.foreign_color(request).unwrap_or(error)),
            Ok(form) => form,
        };
        self.change(|game, events| {
            game.round().check_can_act(game.rules(), seat)?;
            let action = form.action(game.rules().palette())?;
            game.apply(seat, &action, events).map_err(ErrorForm::from)
        })
    }

    /// The refusal of an action that cannot be read because of a word that is not a color.
    fn foreign_color(&self, request: &Request<'_>) -> Option<ErrorForm> {
        let fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(request.action?.get()).ok()?;
        let color = fields.get("color")?.as_str()?;
        let palette = self.current().ok()?.rules().palette();
        let foreign = Color::ALL.iter().all(|known| known.name(palette).as_str() != color);
        foreign.then(|| no_such_color(color, palette).into())
    }

    fn view(&self, request: &Request<'_>) -> Result<Reply, ErrorForm> {
        let game = self.current()?;
        let seat = match request.seat {
            None => return Err(error(Code::BadRequest, "`view` needs a `seat`, or null for a spectator")),
            Some(seat) => seat,
        };
        if let Some(seat) = seat {
            game.round().check_seat(game.rules(), seat)?;
        }
        let viewer = Viewer::from(seat);
        let view = ViewForm::new(&game.view(viewer), game.rules());
        let events = seen_events(&self.events, viewer, game.rules());
        Ok(Reply::View { ok: true, view: Box::new(view), events })
    }
}

impl Request<'_> {
    /// Refuses fields that do not belong in this request.
    fn check_fields(&self) -> Result<(), ErrorForm> {
        let given = [
            ("rules", self.rules.is_some()),
            ("players", self.players.is_some()),
            ("seed", self.seed.is_some()),
            ("dealer", self.dealer.is_some()),
            ("position", self.position.is_some()),
            ("seat", self.seat.is_some()),
            ("action", self.action.is_some()),
        ];
        let allowed: &[&str] = match self.op {
            Op::New => &["rules", "players", "seed", "dealer"],
            Op::Set => &["rules", "position", "seed"],
            Op::Act => &["seat", "action"],
            Op::Penalize | Op::View => &["seat"],
            Op::NextRound | Op::Legal | Op::State | Op::Line => &[],
        };
        match given.iter().find(|(name, given)| *given && !allowed.contains(name)) {
            Some((name, _)) => Err(error(Code::BadRequest, format!("`{name}` has no place in this request"))),
            None => Ok(()),
        }
    }

    fn rules(&self) -> Result<Rules, ErrorForm> {
        let spec: RulesSpec = parse_part(self.rules, "rules", Code::BadRules)?;
        Rules::new(spec).map_err(|why| error(Code::BadRules, why.to_string()))
    }

    /// The position: an object, or a text with all of it in one line.
    fn position(&self) -> Result<Position, ErrorForm> {
        match self.position {
            Some(text) if text.get().starts_with('"') => {
                let line: String = parse_part(self.position, "position", Code::BadPosition)?;
                Position::parse(&line).map_err(|why| error(Code::BadPosition, why.to_string()))
            }
            _ => parse_part(self.position, "position", Code::BadPosition),
        }
    }

    fn seat(&self) -> Result<Seat, ErrorForm> {
        match self.seat {
            Some(Some(seat)) => Ok(seat),
            _ => Err(error(Code::BadRequest, "this request needs a `seat`")),
        }
    }

    fn chance(&self) -> Seeded {
        Seeded::new(self.seed.unwrap_or(0))
    }
}

fn parse<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Result<T, ErrorForm> {
    // Because of the borrowed fields below, this type alone cannot refuse lists by itself.
    if text.trim_ascii_start().first() == Some(&b'[') {
        return Err(error(Code::BadRequest, "not a request: a list where an object with named fields belongs"));
    }
    if text.trim_ascii().is_empty() {
        return Err(error(Code::BadRequest, "an empty line: send a request, such as {\"op\":\"state\"}"));
    }
    let wrong = |why| error(Code::BadRequest, format!("not a request: {}", plain_words(&why)));
    serde_json::from_slice(text).map_err(wrong)
}

fn parse_part<'a, T: Deserialize<'a>>(part: Option<&'a RawValue>, name: &str, code: Code) -> Result<T, ErrorForm> {
    let Some(part) = part else {
        return Err(error(Code::BadRequest, format!("this request needs `{name}`")));
    };
    serde_json::from_str(part.get()).map_err(|why| error(code, format!("`{name}`: {}", plain_words(&why))))
}
