//! Game records: a whole match in one document that replays to the identical state on any machine.
//!
//! A [`Record`] holds the [`Setup`] (rules, players, names, dealer, [`Seeding`]), every [`Move`] that was made
//! and the [`Outcome`]. It is written as one JSON document ([`Record::to_json`]) or as a compact text
//! ([`Record::to_text`]); both say the same. A [`Recorder`] makes one while a match is played,
//! [`Record::replay`] plays it again and [`Record::steps`] does so move by move.
//!
//! # Checks
//! Every move carries a [`Check`]: the first 16 bits of a running SHA-256 over the game so far.
//!
//! - The deal: `D0 = SHA-256(setup "\n" state)`. `setup` is the compact JSON of the fields `rules`, `players`,
//!   `names` (left out when nobody has one, else one entry or `null` per player), `dealer` (left out when D1
//!   chose) and `seed` (or `deals`, where the rounds were dealt fairly), in this order; `state` is the compact JSON of the referee's state.
//! - Move n: `Dn = SHA-256(hex(Dn-1) "\n" token "\n" state)`, with the 64 lower-case hex digits of the digest
//!   before, the move's token of the text form without its check (`1:R5`, `round 2`) and the state after it.
//!
//! The final state has a digest of its own, `SHA-256(state)`. A move that was altered, left out or moved is found even
//! if it is legal and leads to the same cards; altered rules or seeds are found at the deal. This protects against
//! accidents and careless edits. It is not a signature: anybody can compute new checks.
//!
//! ```
//! use unum_rules::record::{Record, Recorder, Setup};
//! use unum_rules::{Edition, RulesSpec, Seeded, playout::Casual};
//!
//! let setup = Setup::new(RulesSpec::of(Edition::Modern), 3, 7);
//! let mut recorder = Recorder::start(setup, &mut ())?;
//! let mut chance = Seeded::new(1);
//! while !recorder.game().round().is_over() {
//!     let (seat, action) = Casual.choose(recorder.game().round(), recorder.game().rules(), &mut chance);
//!     recorder.apply(seat, &action, &mut ()).expect("players keep to the rules");
//! }
//! let record = recorder.into_record();
//! let text = record.to_text();
//! assert_eq!(Record::parse(&text)?, record);
//! assert!(record.replay()?.winners().is_some());
//! # Ok::<(), unum_rules::record::RecordError>(())
//! ```

mod json;
#[cfg(test)]
mod tests;
mod text;

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::action::Action;
use crate::card::Palette;
use crate::chance::Seeded;
use crate::event::{Event, Sink};
use crate::fair::FairDeal;
use crate::game::{Match, NextRoundError};
use crate::position::Position;
use crate::refusal::Refusal;
use crate::rules::{Rules, RulesError, RulesSpec};
use crate::seat::Seat;
use crate::text::{is_invisible, printable};
use crate::wire::{ActionForm, WireError};

/// The newest version of both formats. Version 1 has a seed; version 3 has a deal for every round instead, and is
/// written only for fair deals. Version 2, whose players did not pledge, was never released.
pub const VERSION: u64 = 3;
/// Longest name of a player, in characters.
pub const MAX_NAME: usize = 40;
/// The most bytes to accept in a record from strangers. The parsers themselves have no bound.
pub const MAX_RECORD: usize = 8 << 20;

/// A player's name: 1 to [`MAX_NAME`] characters that can be printed on one line, no spaces around it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, crate::json::Read)]
#[serde(try_from = "String", into = "String")]
pub struct PlayerName(String);

impl PlayerName {
    /// Checks a name.
    ///
    /// # Errors
    /// When it is empty, too long, has spaces around it or characters that do not show.
    pub fn new(name: &str) -> Result<PlayerName, NameError> {
        if name.is_empty() || name.trim() != name {
            return Err(NameError::Blank);
        }
        if name.chars().count() > MAX_NAME {
            return Err(NameError::TooLong);
        }
        if name.chars().any(is_invisible) {
            return Err(NameError::Unprintable);
        }
        Ok(PlayerName(name.to_owned()))
    }

    /// The name itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The longest message about a text that cannot be read: it may quote the text.
const MAX_MESSAGE: usize = 200;

impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl TryFrom<String> for PlayerName {
    type Error = NameError;

    fn try_from(name: String) -> Result<PlayerName, NameError> {
        PlayerName::new(&name)
    }
}

impl From<PlayerName> for String {
    fn from(name: PlayerName) -> String {
        name.0
    }
}

/// What is wrong with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Nothing in it, or spaces around it.
    #[error("a name begins and ends with a visible character")]
    Blank,
    /// More than [`MAX_NAME`] characters.
    #[error("a name has at most {MAX_NAME} characters")]
    TooLong,
    /// Characters that do not show or would break the line.
    #[error("a name has no control characters")]
    Unprintable,
}

/// Everything a match begins with: the same setup gives the same deal on every machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// What is played.
    pub rules: RulesSpec,
    /// How many play.
    pub players: u8,
    /// Names by seat, where known. Records keep no trailing `None`.
    pub names: Vec<Option<PlayerName>>,
    /// Who deals first; `None` lets D1 choose.
    pub dealer: Option<Seat>,
    /// Where the shuffles come from.
    pub seeding: Seeding,
}

/// Where the shuffles of a match come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seeding {
    /// All from one number, see [`Seeded`].
    Number(u64),
    /// Those of each round from a deal of its own, in order. There are as many deals as rounds.
    Fair(Vec<FairDeal>),
}

impl Seeding {
    /// The version of the formats in which it can be written.
    fn version(&self) -> u64 {
        match self {
            Seeding::Number(_) => 1,
            Seeding::Fair(_) => VERSION,
        }
    }

    /// The seed, if there is one for all rounds.
    pub fn number(&self) -> Option<u64> {
        match self {
            Seeding::Number(seed) => Some(*seed),
            Seeding::Fair(_) => None,
        }
    }

    /// The deals by round; empty where there is one seed.
    pub fn deals(&self) -> &[FairDeal] {
        match self {
            Seeding::Number(_) => &[],
            Seeding::Fair(deals) => deals,
        }
    }
}

impl Setup {
    /// A match without names, the dealer found by D1.
    pub fn new(rules: RulesSpec, players: u8, seed: u64) -> Setup {
        Setup { rules, players, names: Vec::new(), dealer: None, seeding: Seeding::Number(seed) }
    }

    /// A match without names, the dealer found by D1, with a fair deal for every round.
    pub fn fair(rules: RulesSpec, players: u8, deals: Vec<FairDeal>) -> Setup {
        Setup { rules, players, names: Vec::new(), dealer: None, seeding: Seeding::Fair(deals) }
    }

    /// The name of a seat, if it has one.
    pub fn name(&self, seat: Seat) -> Option<&PlayerName> {
        self.names.get(usize::from(seat))?.as_ref()
    }

    fn palette(&self) -> Palette {
        self.rules.edition.data().palette
    }

    /// The canonical form of this setup.
    fn normalized(mut self) -> Setup {
        let named = self.names.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        self.names.truncate(named);
        self
    }

    /// Deals the first round.
    fn begin<S: Sink>(&self, events: &mut S) -> Result<Match, RecordError> {
        self.check().map_err(RecordError::BadRules)?;
        let chance = match &self.seeding {
            Seeding::Number(seed) => Seeded::new(*seed),
            Seeding::Fair(deals) => {
                deals.first().map(FairDeal::chance).ok_or(RecordError::WrongDeals { written: 0, played: 1 })?
            }
        };
        let rules = Rules::new(self.rules.clone()).map_err(RecordError::BadRules)?;
        Match::start(rules, self.players, self.dealer, chance, events).map_err(RecordError::BadRules)
    }

    /// Whether names and deals are for these players.
    fn check(&self) -> Result<(), RulesError> {
        let players = usize::from(self.players);
        if self.names.len() > players {
            let message = format!("there is a name for seat {}, but {players} play", self.names.len() - 1);
            return Err(RulesError::Unreadable(message));
        }
        for (round, deal) in (1..).zip(self.seeding.deals()) {
            let parts = deal.entropy.len();
            if parts != players {
                return Err(RulesError::Unreadable(format!(
                    "the deal of round {round} has the entropy (or its absence) of {parts} players, but {players} play"
                )));
            }
            deal.check().map_err(|why| RulesError::Unreadable(format!("the deal of round {round}: {why}")))?;
        }
        Ok(())
    }

    /// Deals that round, which is the next.
    fn go_on<S: Sink>(&self, game: &mut Match, round: u32, events: &mut S) -> Result<(), NextRoundError> {
        match &self.seeding {
            Seeding::Number(_) => game.next_round(events),
            Seeding::Fair(deals) => {
                let deal = deals.get(round as usize - 1).ok_or(NextRoundError::NoDeal)?;
                game.next_round_with(deal.chance(), events)
            }
        }
    }
}

/// One change of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// A player acts.
    Act {
        /// Who.
        seat: Seat,
        /// What they do.
        action: Action,
    },
    /// X1: the referee's penalty.
    Penalize {
        /// Who draws.
        seat: Seat,
    },
    /// The next round is dealt.
    NextRound,
}

impl Move {
    /// The seat it is about.
    pub fn seat(&self) -> Option<Seat> {
        match *self {
            Move::Act { seat, .. } | Move::Penalize { seat } => Some(seat),
            Move::NextRound => None,
        }
    }

    /// The token of the text form without its check, `1:R5`; `round` is the one being played.
    fn token(&self, round: u32, palette: Palette) -> String {
        MoveForm::new(self, palette).token(round)
    }
}

/// A [`Move`] with the names of cards and colors, which need not exist in the deck: what readers read.
enum MoveForm {
    Act { seat: Seat, action: ActionForm },
    Penalize { seat: Seat },
    NextRound,
}

impl MoveForm {
    fn new(made: &Move, palette: Palette) -> MoveForm {
        match *made {
            Move::Act { seat, ref action } => MoveForm::Act { seat, action: ActionForm::new(action, palette) },
            Move::Penalize { seat } => MoveForm::Penalize { seat },
            Move::NextRound => MoveForm::NextRound,
        }
    }

    fn seat(&self) -> Option<Seat> {
        match *self {
            MoveForm::Act { seat, .. } | MoveForm::Penalize { seat } => Some(seat),
            MoveForm::NextRound => None,
        }
    }

    fn read(&self, palette: Palette) -> Result<Move, WireError> {
        Ok(match self {
            MoveForm::Act { seat, action } => Move::Act { seat: *seat, action: action.action(palette)? },
            MoveForm::Penalize { seat } => Move::Penalize { seat: *seat },
            MoveForm::NextRound => Move::NextRound,
        })
    }
}

/// The first 16 bits of a running digest, as four lower-case hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, crate::json::Read)]
#[serde(try_from = "String", into = "String")]
pub struct Check(pub u16);

impl Check {
    fn parse(text: &str) -> Option<Check> {
        parse_hex::<2>(text).map(|bytes| Check(u16::from_be_bytes(bytes)))
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04x}", self.0)
    }
}

impl TryFrom<String> for Check {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Check, &'static str> {
        Check::parse(&text).ok_or("a check has four lower-case hex digits")
    }
}

impl From<Check> for String {
    fn from(check: Check) -> String {
        check.to_string()
    }
}

/// A SHA-256, as 64 lower-case hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, crate::json::Read)]
#[serde(try_from = "String", into = "String")]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// The digest of a state: of its compact JSON, as the referee writes it.
    pub fn of_state(game: &Match) -> Digest {
        Digest::of(&[&state_json(game)])
    }

    /// The digest of lines, without a line break after the last.
    pub fn of(lines: &[&str]) -> Digest {
        Digest(Sha256::digest(lines.join("\n").as_bytes()).into())
    }

    fn check(&self) -> Check {
        Check(u16::from_be_bytes([self.0[0], self.0[1]]))
    }

    fn parse(text: &str) -> Option<Digest> {
        parse_hex(text).map(Digest)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl TryFrom<String> for Digest {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Digest, &'static str> {
        Digest::parse(&text).ok_or("a digest has 64 lower-case hex digits")
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> String {
        digest.to_string()
    }
}

pub(crate) fn parse_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digit = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    };
    let mut bytes = [0; N];
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != N || !rest.is_empty() {
        return None;
    }
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = digit(*high)? << 4 | digit(*low)?;
    }
    Some(bytes)
}

fn state_json(game: &Match) -> String {
    serde_json::to_string(&Position::of(game)).expect("a state is plain data")
}

/// The result at the end of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, crate::json::Read)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The scores, by seat.
    pub scores: Vec<u32>,
    /// Who has won; `None` when the match is unfinished.
    pub winners: Option<Vec<Seat>>,
}

impl Outcome {
    /// How a match stands.
    pub fn of(game: &Match) -> Outcome {
        Outcome { scores: game.scores().to_vec(), winners: game.winners().map(|winners| winners.iter().collect()) }
    }
}

impl fmt::Display for Outcome {
    /// As in the text form: `won by 1, scores 0 512 87` or `unfinished, scores 0 0 0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.winners {
            None => f.write_str("unfinished")?,
            Some(winners) => write!(f, "won by {}", spaced(winners))?,
        }
        write!(f, ", scores {}", spaced(&self.scores))
    }
}

fn spaced(numbers: &[impl ToString]) -> String {
    let words: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    words.join(" ")
}

/// A move and the check after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What was done.
    pub made: Move,
    /// The check after it.
    pub check: Check,
}

/// A whole match as it was written down. Its form is valid; [`Record::replay`] checks the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// What the match began with.
    pub setup: Setup,
    /// The check after the first deal.
    pub deal: Check,
    /// Every change, in order.
    pub moves: Vec<Entry>,
    /// How it ended.
    pub outcome: Outcome,
    /// The digest of the last state.
    pub final_state: Digest,
}

impl Record {
    /// Reads a record in either form. JSON begins with a brace and a quotation mark.
    ///
    /// # Errors
    /// As [`Record::from_json`] and [`Record::from_text`].
    pub fn parse(text: &str) -> Result<Record, RecordError> {
        if looks_like_json(text) { Record::from_json(text) } else { Record::from_text(text) }
    }

    /// Reads the JSON form. The text should be bounded by the caller, see [`MAX_RECORD`].
    ///
    /// # Errors
    /// When it is not such a document, or of a newer version; when its rules, a card or a color are unknown. Before a
    /// move that cannot be read, all earlier moves are checked, so the error names the first wrong one.
    pub fn from_json(text: &str) -> Result<Record, RecordError> {
        json::read(text)
    }

    /// Reads the text form.
    ///
    /// # Errors
    /// As [`Record::from_json`].
    pub fn from_text(text: &str) -> Result<Record, RecordError> {
        text::read(text)
    }

    /// The JSON form, one move a line.
    pub fn to_json(&self) -> String {
        json::write(self)
    }

    /// The JSON form as one line: many records fit in a file, one after another (JSON Lines).
    pub fn to_json_line(&self) -> String {
        // Line breaks in strings are escaped, so these are all between fields and moves.
        json::write(self).lines().map(str::trim_start).chain(["\n"]).collect()
    }

    /// The text form, in lines of up to 80 characters where tokens allow it.
    pub fn to_text(&self) -> String {
        text::write(self)
    }

    /// How many rounds were dealt.
    pub fn rounds(&self) -> u32 {
        1 + self.moves.iter().filter(|entry| entry.made == Move::NextRound).count() as u32
    }

    /// Plays the whole match again and checks every step of it.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn replay(&self) -> Result<Match, RecordError> {
        let mut table = self.open(&mut ())?;
        while self.advance(&mut table, &mut ())?.is_some() {}
        Ok(table.game)
    }

    /// Deals, and checks the deal.
    fn open<S: Sink>(&self, events: &mut S) -> Result<Table, RecordError> {
        let table = Table::open(&self.setup, events)?;
        compare(&Place::deal(), self.deal, table.digest.check())?;
        Ok(table)
    }

    /// Makes the next move and checks it; `None` when there is none, and the end is checked.
    fn advance<S: Sink>(&self, table: &mut Table, events: &mut S) -> Result<Option<(Place, Move)>, RecordError> {
        let Some(entry) = self.moves.get(table.number as usize) else {
            return self.check_end(table).map(|()| None);
        };
        let at = table.place(&entry.made);
        match table.make(&self.setup, &entry.made, events) {
            Ok(check) => compare(&at, entry.check, check)?,
            Err(why) => return Err(RecordError::IllegalMove { at, why }),
        }
        Ok(Some((at, entry.made)))
    }

    fn check_end(&self, table: &Table) -> Result<(), RecordError> {
        let deals = self.setup.seeding.deals().len();
        if deals > table.round as usize {
            return Err(RecordError::WrongDeals { written: deals, played: table.round });
        }
        let (played, state) = (Outcome::of(&table.game), Digest::of_state(&table.game));
        if played != self.outcome {
            return Err(RecordError::WrongResult { written: self.outcome.clone(), played });
        }
        if state != self.final_state {
            return Err(RecordError::WrongFinal { written: self.final_state, played: state });
        }
        Ok(())
    }

    /// Plays the match again step by step.
    pub fn steps(&self) -> Replay<'_> {
        Replay { record: self, table: None, events: Vec::new(), over: false, checked: true }
    }

    /// Plays the match again from a step on: 0 is the first deal, 1 the first move. Skips the checks, which is many
    /// times faster: for records that have been checked before.
    ///
    /// # Errors
    /// When a move before that step cannot be made.
    pub fn steps_from(&self, number: u32) -> Result<Replay<'_>, RecordError> {
        let mut replay = Replay { checked: false, ..self.steps() };
        if number > 0 {
            let mut table = Table::open(&self.setup, &mut ())?;
            while table.number + 1 < number && self.go_on(&mut table, &mut ())?.is_some() {}
            replay.table = Some(table);
        }
        Ok(replay)
    }

    /// Makes the next move without checking it; `None` when there is none.
    fn go_on<S: Sink>(&self, table: &mut Table, events: &mut S) -> Result<Option<Move>, RecordError> {
        let Some(Entry { made, .. }) = self.moves.get(table.number as usize) else { return Ok(None) };
        if let Err(why) = table.carry_out(&self.setup, made, events) {
            return Err(RecordError::IllegalMove { at: table.place(made), why });
        }
        table.pass(made);
        Ok(Some(*made))
    }

    /// The steps at which rounds were dealt, in order: the first at 0.
    pub fn deals_at(&self) -> impl Iterator<Item = u32> {
        let later = (1..).zip(&self.moves).filter(|(_, entry)| entry.made == Move::NextRound);
        std::iter::once(0).chain(later.map(|(number, _)| number))
    }

    /// Adds the moves that readers found. At the first token that is not a move, the moves before it are checked.
    fn with_moves(
        mut self,
        moves: impl IntoIterator<Item = Result<(MoveForm, Check), RecordError>>,
    ) -> Result<Record, RecordError> {
        let (palette, mut round) = (self.setup.palette(), 1);
        let moves = moves.into_iter();
        self.moves.reserve_exact(moves.size_hint().0);
        for read in moves {
            let read = read.and_then(|(form, check)| {
                let made = form.read(palette).map_err(|why| self.unknown_words(&form, round, why))?;
                Ok(Entry { made, check })
            });
            match read {
                Ok(entry) => {
                    round += u32::from(entry.made == Move::NextRound);
                    self.moves.push(entry);
                }
                Err(error) => return Err(self.wrong_move().unwrap_or(error)),
            }
        }
        Ok(self)
    }

    /// The coming move names a card or color that this deck does not have.
    fn unknown_words(&self, form: &MoveForm, round: u32, why: WireError) -> RecordError {
        let text = printable(&form.token(round), MAX_MESSAGE);
        let at = Place { round, number: self.moves.len() as u32 + 1, seat: form.seat(), text };
        RecordError::IllegalMove { at, why: Refused::Words(why) }
    }

    /// The first wrong move.
    fn wrong_move(&self) -> Option<RecordError> {
        let mut replay = self.steps();
        (0..=self.moves.len()).find_map(|_| replay.step().err())
    }
}

fn looks_like_json(text: &str) -> bool {
    let inside = text.trim_start_matches('\u{feff}').trim_start().strip_prefix('{');
    inside.is_some_and(|inside| inside.trim_start().starts_with(['"', '}']))
}

/// A match being played, with the digest of all that happened.
#[derive(Clone, Debug)]
struct Table {
    game: Match,
    digest: Digest,
    round: u32,
    number: u32,
}

impl Table {
    fn open<S: Sink>(setup: &Setup, events: &mut S) -> Result<Table, RecordError> {
        let game = setup.begin(events)?;
        let digest = Digest::of(&[&json::setup(setup), &state_json(&game)]);
        Ok(Table { game, digest, round: 1, number: 0 })
    }

    /// Goes on to the next move.
    fn pass(&mut self, made: &Move) {
        self.number += 1;
        self.round += u32::from(*made == Move::NextRound);
    }

    /// Counts a move that was made.
    fn count(&mut self, made: &Move) -> Check {
        self.pass(made);
        let token = made.token(self.round, self.game.rules().palette());
        self.digest = Digest::of(&[&self.digest.to_string(), &token, &state_json(&self.game)]);
        self.digest.check()
    }

    fn make<S: Sink>(&mut self, setup: &Setup, made: &Move, events: &mut S) -> Result<Check, Refused> {
        self.carry_out(setup, made, events)?;
        Ok(self.count(made))
    }

    fn carry_out<S: Sink>(&mut self, setup: &Setup, made: &Move, events: &mut S) -> Result<(), Refused> {
        match made {
            Move::Act { seat, action } => self.game.apply(*seat, action, events).map_err(Refused::Action),
            Move::Penalize { seat } => self.game.penalize(*seat, events).map_err(Refused::Action),
            Move::NextRound => setup.go_on(&mut self.game, self.round + 1, events).map_err(Refused::NextRound),
        }
    }

    /// The place of the coming move.
    fn place(&self, made: &Move) -> Place {
        let round = self.round + u32::from(*made == Move::NextRound);
        let text = made.token(round, self.game.rules().palette());
        Place { round, number: self.number + 1, seat: made.seat(), text }
    }
}

/// Plays a match and writes it down.
#[derive(Clone, Debug)]
pub struct Recorder {
    setup: Setup,
    deal: Check,
    moves: Vec<Entry>,
    table: Table,
}

impl Recorder {
    /// Deals the first round. Where rounds are dealt fairly, the setup has the deals of all that will be dealt: a
    /// record is made only when the secrets have been revealed.
    ///
    /// # Errors
    /// [`RecordError::BadRules`] when there can be no such match, [`RecordError::WrongDeals`] without a first deal.
    pub fn start<S: Sink>(setup: Setup, events: &mut S) -> Result<Recorder, RecordError> {
        let setup = setup.normalized();
        let table = Table::open(&setup, events)?;
        Ok(Recorder { setup, deal: table.digest.check(), moves: Vec::new(), table })
    }

    /// The match as it stands.
    pub fn game(&self) -> &Match {
        &self.table.game
    }

    /// How many moves were recorded.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether nothing has happened since the deal.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Lets a seat act.
    ///
    /// # Errors
    /// As [`Match::apply`]; nothing is then recorded.
    pub fn apply<S: Sink>(&mut self, seat: Seat, action: &Action, events: &mut S) -> Result<(), Refusal> {
        self.table.game.apply(seat, action, events)?;
        self.note(Move::Act { seat, action: *action });
        Ok(())
    }

    /// X1: the referee's penalty.
    ///
    /// # Errors
    /// As [`Match::penalize`]; nothing is then recorded.
    pub fn penalize<S: Sink>(&mut self, seat: Seat, events: &mut S) -> Result<(), Refusal> {
        self.table.game.penalize(seat, events)?;
        self.note(Move::Penalize { seat });
        Ok(())
    }

    /// Deals the next round.
    ///
    /// # Errors
    /// As [`Match::next_round`], or when the setup has no deal for it; nothing is then recorded.
    pub fn next_round<S: Sink>(&mut self, events: &mut S) -> Result<(), NextRoundError> {
        self.setup.go_on(&mut self.table.game, self.table.round + 1, events)?;
        self.note(Move::NextRound);
        Ok(())
    }

    fn note(&mut self, made: Move) {
        let check = self.table.count(&made);
        self.moves.push(Entry { made, check });
    }

    /// The record so far.
    pub fn record(&self) -> Record {
        self.clone().into_record()
    }

    /// The record, when nothing more will happen.
    pub fn into_record(self) -> Record {
        let Recorder { setup, deal, moves, table } = self;
        let (outcome, final_state) = (Outcome::of(&table.game), Digest::of_state(&table.game));
        Record { setup, deal, moves, outcome, final_state }
    }
}

/// Plays a record again, one [`Step`] at a time; [`Record::steps`] checks every one.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    record: &'a Record,
    /// `None` before the deal.
    table: Option<Table>,
    events: Vec<Event>,
    over: bool,
    checked: bool,
}

/// What a step of a replay led to.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    /// Where in the record it is.
    pub place: Place,
    /// The move; `None` for the first deal.
    pub made: Option<Move>,
    /// What happened, nothing hidden.
    pub events: &'a [Event],
    /// The match after it.
    pub game: &'a Match,
}

impl Replay<'_> {
    /// Takes the next step: first the deal, then every move. `None` when all of the record has been checked,
    /// the result too. After an error there are no more steps.
    ///
    /// # Errors
    /// What is wrong with this step, or at the end with the result.
    pub fn step(&mut self) -> Result<Option<Step<'_>>, RecordError> {
        if self.over {
            return Ok(None);
        }
        let taken = self.take();
        self.over = !matches!(taken, Ok(Some(_)));
        let Some((place, made)) = taken? else { return Ok(None) };
        let Some(table) = &self.table else { return Ok(None) };
        Ok(Some(Step { place, made, events: &self.events, game: &table.game }))
    }

    fn take(&mut self) -> Result<Option<(Place, Option<Move>)>, RecordError> {
        self.events.clear();
        match &mut self.table {
            Some(table) if self.checked => {
                let taken = self.record.advance(table, &mut self.events)?;
                Ok(taken.map(|(place, made)| (place, Some(made))))
            }
            Some(table) => {
                let Some(entry) = self.record.moves.get(table.number as usize) else { return Ok(None) };
                let place = table.place(&entry.made);
                let made = self.record.go_on(table, &mut self.events)?;
                Ok(made.map(|made| (place, Some(made))))
            }
            None => {
                self.table = Some(self.record.open(&mut self.events)?);
                Ok(Some((Place::deal(), None)))
            }
        }
    }
}

fn compare(at: &Place, written: Check, played: Check) -> Result<(), RecordError> {
    if written == played { Ok(()) } else { Err(RecordError::CheckMismatch { at: at.clone(), written, played }) }
}

/// Where in a record a move is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The round it belongs to, from 1. The deal of a round belongs to that round.
    pub round: u32,
    /// Its number in the whole record, from 1; 0 is the first deal.
    pub number: u32,
    /// The seat it is about.
    pub seat: Option<Seat>,
    /// The move as the text form writes it.
    pub text: String,
}

impl Place {
    fn deal() -> Place {
        Place { round: 1, number: 0, seat: None, text: "round 1".to_owned() }
    }

    /// A noun and the verb that goes with it.
    fn subject(&self) -> &'static str {
        if self.number == 0 { "rules, players, names, dealer or seed (or deals) are" } else { "this is" }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.number, self.seat) {
            (0, _) => f.write_str("move 0, the deal"),
            (number, None) => write!(f, "move {number}, the deal of round {}", self.round),
            (number, Some(seat)) => write!(f, "move {number} (round {}, seat {seat}, {})", self.round, self.text),
        }
    }
}

/// Why a move cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(transparent)]
pub enum Refused {
    /// The rules do not allow it.
    Action(Refusal),
    /// No round can be dealt.
    NextRound(NextRoundError),
    /// The deck has no such card or color.
    Words(WireError),
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// It is not written as records are.
    #[error("line {line}, column {column}: {message}")]
    Syntax {
        /// The line, from 1.
        line: usize,
        /// The character in that line, from 1.
        column: usize,
        /// What is wrong there.
        message: String,
    },
    /// It is a record, but of a version beyond [`VERSION`].
    #[error("the record has version {0}, this program reads versions 1 and {VERSION}")]
    UnsupportedVersion(String),
    /// No match can have these rules, players or dealer.
    #[error("{deal}: {0}", deal = Place::deal())]
    BadRules(RulesError),
    /// A move that cannot be made.
    #[error("{at}: {why}")]
    IllegalMove {
        /// Which.
        at: Place,
        /// Why.
        why: Refused,
    },
    /// A move (or the setup) that differs from what was played.
    #[error("{at}: {} not what was played: the check is {played}, the record has {written}", at.subject())]
    CheckMismatch {
        /// Which.
        at: Place,
        /// The check in the record.
        written: Check,
        /// The check of the move as it is in the record.
        played: Check,
    },
    /// The number of fair deals differs from the number of rounds.
    #[error("the record has {written} deals for {played} rounds: every round has one, no other has")]
    WrongDeals {
        /// How many deals the record has.
        written: usize,
        /// How many rounds it has.
        played: u32,
    },
    /// The result is not the one the moves lead to.
    #[error("the result after the last move is \"{played}\", not \"{written}\"")]
    WrongResult {
        /// The result in the record.
        written: Outcome,
        /// The result of the moves.
        played: Outcome,
    },
    /// The final state is not the one the moves lead to.
    #[error("the state after the last move has the digest {played}, not {written}")]
    WrongFinal {
        /// The digest in the record.
        written: Digest,
        /// The digest of the state the moves lead to.
        played: Digest,
    },
}
