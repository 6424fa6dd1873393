//! A match that was begun on somebody's own device goes on at a server's table, between two rounds.
//!
//! What the device says is a record, and is played again move by move, so nobody can bring along scores that no play leads to.
//! The device may still have chosen the cards of its own rounds: its deals are marked ([`FairDeal::device`]), and servers do
//! not count such a match for a season. The coming rounds are dealt as any other: from a secret of this table, and from what
//! its players add.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use unum_protocol::rest::Continuation;
use unum_protocol::{Away, Level, MAX_NAME, Refusal, Settings, Stage, TableCode};
use unum_rules::fair::FairDeal;
use unum_rules::record::{Move, Record, Setup};
use unum_rules::wire::ActionForm;
use unum_rules::{Edition, Match, Palette, Rules, RulesSpec};

use crate::lobby::{BOT_NAMES, NOBODY, check_settings};
use crate::records::{Noted, Notes, lines};
use crate::state::{Chair, Game, Standing, State};
use crate::tallies::Tallies;
use crate::{Entry, GuestId, Table, text};

/// A match that goes on, checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, unum_rules::json::Read)]
pub struct Continued {
    /// The level of the bot at each seat; none where the opener sits.
    bots: Vec<Option<Level>>,
    /// The rounds so far, as tables note them.
    notes: String,
}

fn bad(message: impl std::fmt::Display) -> Refusal {
    Refusal::new(TableCode::BadSettings, message.to_string())
}

impl Continued {
    /// Checks a match that a guest wants to go on with, and says what is agreed on. The text should be bounded by the caller.
    ///
    /// # Errors
    /// When it is not such a match.
    pub fn check(given: &Continuation, opener: GuestId) -> Result<(Settings, Continued), Refusal> {
        let unreadable = |why| bad(format!("`record`: {why}"));
        let record = Record::parse(&given.record).map_err(unreadable)?;
        let game = record.replay().map_err(unreadable)?;
        let settings = agreed(&given.settings, &record)?;
        let people = given.bots.iter().filter(|bot| bot.is_none()).count();
        if given.bots.len() != usize::from(record.setup.players) || people != 1 {
            return Err(bad("`bots` has the level of the bot at every seat, and `null` at yours"));
        }
        if game.result().is_none() || game.winners().is_some() {
            return Err(bad("a match goes on between two rounds: finish the round first"));
        }
        let deals = record.setup.seeding.deals();
        if deals.is_empty() || record.setup.dealer.is_some() {
            return Err(bad("every round needs a deal of its own, and the first dealer is drawn by lot"));
        }
        let notes = noted(&record, game.rules().palette(), &given.bots, opener);
        Ok((settings, Continued { bots: given.bots.clone(), notes }))
    }
}

/// The settings, with the rules that the match was begun with.
fn agreed(given: &Settings, record: &Record) -> Result<Settings, Refusal> {
    let (rules, players) = (record.setup.rules.clone(), record.setup.players);
    let settings = Settings { rules: rules.clone(), seats: given.seats.max(players), ..given.clone() };
    if settings.lesson {
        return Err(bad("the lesson cannot go on with others: open a table"));
    }
    let settings = check_settings(settings, players)?.fitted(players.into());
    if settings.rules == rules {
        Ok(settings)
    } else {
        Err(bad("`usual_for_two` does not fit the rules of the record"))
    }
}

/// The record as tables note a match.
fn noted(record: &Record, palette: Palette, bots: &[Option<Level>], opener: GuestId) -> String {
    let (setup, mut notes) = (&record.setup, Notes::default());
    let mut deals = setup.seeding.deals().iter().map(|deal| Noted::Dealt(FairDeal { device: true, ..deal.clone() }));
    let guests = bots.iter().map(|bot| bot.is_none().then_some(opener)).collect();
    notes.add(&Noted::Began { rules: setup.rules.clone(), names: names(setup, bots), guests, levels: bots.to_vec() });
    deals.next().iter().for_each(|deal| notes.add(deal));
    for entry in &record.moves {
        match &entry.made {
            Move::Act { seat, action } => notes.add(&Noted::Acted(*seat, ActionForm::new(action, palette))),
            Move::Penalize { seat } => notes.add(&Noted::Penalized(*seat)),
            Move::NextRound => deals.next().iter().for_each(|deal| notes.add(deal)),
        }
    }
    notes.into_lines()
}

/// The names by seat: the opener's, and for bots only names that tables give.
fn names(setup: &Setup, bots: &[Option<Level>]) -> Vec<String> {
    let told = |seat: usize| setup.names.get(seat).and_then(Option::as_ref).map_or("", |name| name.as_str());
    let opener = bots.iter().position(Option::is_none).and_then(|seat| text::clean(told(seat), MAX_NAME).ok());
    let opener = opener.unwrap_or_else(|| NOBODY.to_owned());
    let mut names: Vec<String> = Vec::new();
    for (seat, bot) in bots.iter().enumerate() {
        let free = |name: &&str| !names.iter().chain([&opener]).any(|known| text::look_alike(known, name));
        let own = BOT_NAMES.iter().copied().filter(|name| *name == told(seat)).chain(BOT_NAMES).find(free);
        names.push(if bot.is_none() { opener.clone() } else { own.unwrap_or(NOBODY).to_owned() });
    }
    names
}

impl Table {
    /// The match as another table can go on with it, for the only person who plays; `parts` is as for
    /// [`Table::rounds_so_far`].
    ///
    /// # Errors
    /// When it is not between two rounds, when others play too, and for lessons.
    pub fn hand_over(&self, guest: GuestId, parts: Vec<String>) -> Result<Continuation, Refusal> {
        let state = &self.state;
        let wrong = |message: &'static str| Err(Refusal::new(TableCode::WrongStage, message));
        if state.stage != Stage::Scores || state.dealing.is_some() || state.is_lesson() {
            return wrong("a match can be handed over between two rounds: finish this one first");
        }
        let own = state.guest(guest).and_then(|member| state.seat_of(member.person));
        let alone = (0..).zip(&state.chairs).all(|(seat, chair)| Some(seat) == own || chair.level.is_some());
        if own.is_none() || !alone {
            return wrong("only a match of one person against bots can be handed over");
        }
        let record = self.rounds_so_far(parts).map_err(|why| bad(why.message))?;
        let record = record.ok_or_else(|| bad("no round of this match is over yet"))?.to_text();
        let bots = state.chairs.iter().map(|chair| chair.level).collect();
        // The rules are in the record.
        let settings = Settings { rules: RulesSpec::of(Edition::default()), ..state.settings.clone() };
        Ok(Continuation { settings, record, bots })
    }
}

impl State {
    /// Goes on with a match: the table is where it was after its last round, and the opener's seat is kept for them.
    pub(crate) fn take_over(&mut self, continued: &Continued, opener: GuestId, entry: &Entry) -> Result<(), Refusal> {
        self.settings = self.settings.clone().fitted(continued.bots.len());
        self.rules = Arc::new(Rules::new(self.settings.rules.clone())?);
        let (game, names) = self.play_again(continued, entry)?;
        for (name, level) in names.iter().zip(&continued.bots) {
            let left = Chair {
                person: None,
                away: Some(Away::Left),
                kept: Some(opener),
                ready: true,
                ..Chair::of(0, name, true)
            };
            self.chairs.push(level.map_or(left, |level| Chair::bot(name, level)));
        }
        let (scores, dealer, round) = (game.play.scores().to_vec(), game.play.round().dealer(), game.round);
        self.standing = Some(Standing { scores, dealer, round });
        (self.stage, self.rounds) = (Stage::Scores, round);
        self.notes = Notes::begun(continued.notes.clone());
        self.game = Some(Box::new(game));
        self.note_seating();
        Ok(())
    }

    /// Plays the rounds again; and the names by seat.
    fn play_again(&self, continued: &Continued, entry: &Entry) -> Result<(Game, Vec<String>), Refusal> {
        let (mut game, mut names): (Option<Game>, Vec<String>) = (None, Vec::new());
        for noted in lines(&[&continued.notes]) {
            match noted.map_err(|why| bad(why.message))? {
                Noted::Began { names: told, .. } => names = told,
                Noted::Dealt(fair) => game = Some(self.deal_again(game, fair, names.len() as u8, entry)?),
                made => game.as_mut().ok_or_else(nothing)?.play_again(&made, &self.rules)?,
            }
        }
        let mut game = game.filter(|game| game.play.result().is_some()).ok_or_else(nothing)?;
        game.stand();
        Ok((game, names))
    }

    /// Deals the next round, or the first.
    fn deal_again(&self, before: Option<Game>, fair: FairDeal, players: u8, entry: &Entry) -> Result<Game, Refusal> {
        let mut events = Vec::new();
        let (play, round, mut tallies) = match before {
            None => {
                let play = Match::start(Rules::clone(&self.rules), players, None, fair.chance(), &mut events)?;
                (play, 1, Tallies::of(players))
            }
            Some(Game { mut play, round, tallies, .. }) => {
                play.next_round_with(fair.chance(), &mut events).map_err(bad)?;
                (play, round + 1, tallies)
            }
        };
        tallies.count(&events, None, play.round());
        let (commitment, race) = (fair.commitment(), Vec::new());
        let (stamp, since) = (entry.seq, entry.at);
        Ok(Game { play, round, at: 0, fair, commitment, stamp, since, race, anchor: None, tallies, standings: None })
    }
}

impl Game {
    /// Makes a move of a round that is over.
    fn play_again(&mut self, made: &Noted, rules: &Rules) -> Result<(), Refusal> {
        let (before, mut events) = (*self.play.round().phase(), Vec::new());
        match made {
            Noted::Acted(seat, form) => self.play.apply(*seat, &form.action(rules.palette())?, &mut events)?,
            Noted::Penalized(seat) => self.play.penalize(*seat, &mut events)?,
            _ => return Err(nothing()),
        }
        self.at += 1;
        let before = matches!(made, Noted::Acted(..)).then_some(&before);
        self.tallies.count(&events, before, self.play.round());
        Ok(())
    }
}

fn nothing() -> Refusal {
    bad("there is no match to go on with")
}
