//! Request and response bodies of the HTTP API.

use serde::{Deserialize, Serialize};
use unum_rules::fair::FairDeal;
use unum_rules::record::Record;
use unum_rules::wire::{EventForm, ViewForm};
use unum_rules::{Edition, Position, Scoring, Seat};

use crate::rulebook::EditionView;
use crate::{
    BlockedPerson, LENGTHS, Level, Look, MAX_CHAT, MAX_NAME, MAX_TITLE, Preset, Refusal, RulesView, SETTINGS, Setting,
    Settings, Stage, Terms,
};

/// The answer to everything that is refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorBody {
    /// Why.
    pub error: Refusal,
}

/// `GET /api/editions`: what can be played, with every default and bound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Editions {
    /// The editions.
    pub editions: Vec<EditionView>,
    /// The settings of a table.
    pub settings: Vec<Setting>,
    /// The default settings of a table.
    pub defaults: Settings,
    /// Rules that go well together, to choose from.
    pub presets: Vec<Preset>,
    /// How long a quick game can be.
    pub lengths: Vec<Scoring>,
    /// The longest texts.
    pub texts: TextBounds,
    /// What Customizable cards can carry.
    pub custom: CustomBounds,
}

impl Editions {
    /// Everything there is.
    pub fn all() -> Editions {
        Editions {
            editions: Edition::ALL.into_iter().map(EditionView::of).collect(),
            settings: SETTINGS.clone(),
            defaults: Settings::default(),
            presets: Preset::all(),
            lengths: LENGTHS.to_vec(),
            texts: TextBounds::ALL,
            custom: CustomBounds::ALL,
        }
    }
}

/// The longest texts, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextBounds {
    /// The name of a person.
    pub name: usize,
    /// The title of a table.
    pub title: usize,
    /// A line of chat.
    pub chat: usize,
}

impl TextBounds {
    /// The bounds there are.
    pub const ALL: TextBounds = TextBounds { name: MAX_NAME, title: MAX_TITLE, chat: MAX_CHAT };
}

/// Bounds of the rules on Customizable cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CustomBounds {
    /// The longest title, in characters.
    pub title: usize,
    /// The longest text or prompt, in characters.
    pub text: usize,
    /// Most effects of a rule, nested ones included.
    pub effects: usize,
    /// How many lists deep effects can be nested.
    pub depth: usize,
    /// Fewest cards that an effect can name.
    pub least_cards: u8,
    /// Most cards that an effect can name.
    pub most_cards: u8,
}

impl CustomBounds {
    /// The bounds there are.
    pub const ALL: CustomBounds = CustomBounds {
        title: unum_rules::MAX_TITLE,
        text: unum_rules::MAX_TEXT,
        effects: unum_rules::MAX_EFFECTS,
        depth: unum_rules::MAX_DEPTH,
        least_cards: 1,
        most_cards: unum_rules::MAX_CARDS,
    };
}

/// `POST /api/guests`: a guest to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct NewGuest {
    /// A name.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub name: String,
    /// How they want to look.
    #[serde(default, skip_serializing_if = "Look::is_none")]
    #[cfg_attr(feature = "ts", ts(optional = nullable))]
    pub look: Look,
}

/// `PATCH /api/me`: what a guest wants to change.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct GuestChange {
    /// Another name.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub name: Option<String>,
    /// Another look.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub look: Option<Look>,
}

unum_rules::objects_only!(NewGuest, GuestChange);

/// A guest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Guest {
    /// Their number on this server.
    pub id: u64,
    /// Their name.
    pub name: String,
    /// How they want to look.
    #[serde(default, skip_serializing_if = "Look::is_none")]
    #[cfg_attr(feature = "ts", ts(optional = nullable))]
    pub look: Look,
}

/// The answer to `POST /api/guests`: a new guest and their token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SignedIn {
    /// Their number on this server.
    pub id: u64,
    /// Their name.
    pub name: String,
    /// How they want to look.
    #[serde(default, skip_serializing_if = "Look::is_none")]
    #[cfg_attr(feature = "ts", ts(optional = nullable))]
    pub look: Look,
    /// What identifies them from now on, on any device. It is sent only once; keep it secret.
    pub token: String,
}

/// `GET /api/me/export`: everything stored about a guest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Export {
    /// The guest. Only a hash of the token is stored, so it is not included.
    pub guest: Guest,
    /// When they came first, in milliseconds since 1970.
    pub created: u64,
    /// When they were seen last, give or take a day.
    pub seen: u64,
    /// Tables they are at.
    pub open: Vec<OpenGame>,
    /// Matches they played, newest first. `GET /api/games/{id}` has each as a record.
    pub finished: Vec<FinishedGame>,
    /// What they said at those tables, if it is still stored.
    pub chat: Vec<Said>,
    /// Whom they have blocked.
    pub blocked: Vec<BlockedPerson>,
    /// Whether this is everything: at most 10,000 matches are included, and the chat of 1,000 tables.
    pub complete: bool,
}

/// Something a guest said at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Said {
    /// The code of the table.
    pub table: String,
    /// What.
    pub text: String,
}

/// `POST /api/tables`: a table was opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Opened {
    /// Its code.
    pub code: String,
    /// The link that invites others.
    pub link: String,
}

/// `POST /api/tables/continued`: a match against bots, begun on a device, goes on at a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Continuation {
    /// What else is agreed on. The rules are those of the record.
    pub settings: Settings,
    /// The rounds so far, in either form of a record. The last one is over, and nobody has won the match yet.
    pub record: String,
    /// The levels of the bots by seat, and `null` at the seat of the person.
    pub bots: Vec<Option<Level>>,
}

/// What people who are not at a table may know about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Listing {
    /// Its code.
    pub code: String,
    /// Its title.
    pub title: String,
    /// What is played.
    pub edition: Edition,
    /// How many people sit there.
    pub people: u8,
    /// How many bots do.
    pub bots: u8,
    /// How many can.
    pub seats: u8,
    /// What the table is doing.
    pub stage: Stage,
    /// Whether people may watch.
    pub spectators: bool,
    /// Whether nobody new may enter. Such a table is not in the list.
    pub locked: bool,
    /// The name of the host, if they are there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub host: Option<String>,
    /// How many seats are open to a newcomer: free chairs, and during a match those that can be taken.
    pub free: u8,
    /// What a newcomer would do there.
    pub entry: Entry,
}

/// What a newcomer does at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Entry {
    /// Sit down.
    Sit,
    /// Watch, and take a seat when the round or the match is over.
    Take,
    /// Watch.
    Watch,
    /// Nothing: the table is locked.
    Nothing,
}

/// Who has a chair, as told to somebody who may join.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Seated {
    /// The name.
    pub name: String,
    /// How they want to look.
    #[serde(default, skip_serializing_if = "Look::is_none")]
    #[cfg_attr(feature = "ts", ts(optional = nullable))]
    pub look: Look,
    /// Whether a bot plays there, for itself or for somebody.
    pub bot: bool,
}

/// `GET /api/tables/{code}`: a table, for anybody who has its code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableSummary {
    /// As in the list of public tables.
    #[serde(flatten)]
    pub listing: Listing,
    /// What is agreed on.
    pub terms: Terms,
    /// Who sits there, by seat.
    pub players: Vec<Seated>,
    /// How many watch.
    pub onlookers: u8,
    /// The number of the current or last round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub round: Option<u32>,
    /// Whether the guest who asks is at the table, or has a seat there to come back to.
    pub known: bool,
}

/// `GET /api/games`: the games of a guest.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Games {
    /// Tables the guest is at.
    pub open: Vec<OpenGame>,
    /// Matches that are over.
    pub finished: Vec<FinishedGame>,
}

/// A table the guest is at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpenGame {
    /// Its code.
    pub table: String,
    /// When it was opened, in milliseconds since 1970.
    pub opened: u64,
    /// When something last happened there.
    pub touched: u64,
}

/// A match that is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FinishedGame {
    /// The id of its record.
    pub id: String,
    /// The table it was played at.
    pub table: String,
    /// Its entry in a list.
    #[serde(flatten)]
    pub summary: GameSummary,
}

/// A match in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameSummary {
    /// What was played.
    pub edition: Edition,
    /// The names, by seat.
    pub players: Vec<Option<String>>,
    /// The levels of the bots, by seat; none for people. Empty if that was not noted.
    #[serde(default)]
    pub levels: Vec<Option<Level>>,
    /// How many rounds there were.
    pub rounds: u32,
    /// The scores, by seat.
    pub scores: Vec<u32>,
    /// The seats that won.
    pub winners: Option<Vec<Seat>>,
    /// When it ended, in milliseconds since 1970.
    pub ended: u64,
}

impl GameSummary {
    /// What a list says of a match against bots of these levels that ended at that moment, in milliseconds since 1970.
    pub fn of(record: &Record, levels: Vec<Option<Level>>, ended: u64) -> GameSummary {
        let (setup, outcome) = (&record.setup, &record.outcome);
        let names = (0..setup.players).map(|seat| setup.name(seat).map(|name| name.as_str().to_owned()));
        GameSummary {
            edition: setup.rules.edition,
            players: names.collect(),
            levels,
            rounds: record.rounds(),
            scores: outcome.scores.clone(),
            winners: outcome.winners.clone(),
            ended,
        }
    }
}

/// `GET /api/games/{id}`: the format of the record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RecordQuery {
    /// As JSON, or as text.
    #[serde(default)]
    pub format: RecordFormat,
}

/// The forms of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, unum_rules::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RecordFormat {
    /// For programs.
    #[default]
    Json,
    /// For people.
    Text,
}

/// Most steps of a replay in one answer.
pub const MAX_REPLAY_STEPS: u32 = 200;

/// `GET /api/games/{id}/replay`: whose view to show, and which steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ReplayQuery {
    /// A seat; left out: all cards are open.
    #[serde(default)]
    pub seat: Option<Seat>,
    /// The first step, from 0, which is the first deal.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(max = u32::MAX)))]
    pub from: u32,
    /// How many steps at most, from 1 to 200. There can be fewer if they are long.
    #[serde(default = "most_steps")]
    #[cfg_attr(feature = "schema", schemars(range(max = u32::MAX)))]
    pub count: u32,
}

fn most_steps() -> u32 {
    MAX_REPLAY_STEPS
}

/// `GET /api/games/{id}/replay`: some steps of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Replay {
    /// The names, by seat.
    pub names: Vec<Option<String>>,
    /// What was played.
    pub rules: RulesView,
    /// How many steps the match has, deals included.
    pub total: u32,
    /// The steps at which the rounds were dealt.
    pub rounds: Vec<u32>,
    /// The number of the first step here.
    pub from: u32,
    /// Everything that determined the cards, for every round these steps belong to, in order; empty if the match was
    /// not dealt by a table.
    pub deals: Vec<FairDeal>,
    /// The steps.
    pub steps: Vec<ReplayStep>,
}

/// One step of a match: as one seat saw it, or with all cards open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReplayStep {
    /// The number of the round, from 1.
    pub round: u32,
    /// The number of the move in the match, from 1; 0 for the first deal.
    pub number: u32,
    /// Who moved.
    pub seat: Option<Seat>,
    /// The move as the text of a record has it.
    #[serde(rename = "move")]
    pub notation: String,
    /// What happened.
    pub events: Vec<EventForm>,
    /// What the seat saw afterwards, if one was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub view: Option<Box<ViewForm>>,
    /// The whole state afterwards, if none was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub state: Option<Box<Position>>,
}
