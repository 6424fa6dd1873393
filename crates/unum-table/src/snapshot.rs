//! Snapshots: whole tables as text, including the round in play, and tables from their text.
//!
//! A snapshot is taken after every [`SAVED_ENTRIES`] entries and at the end of every match, whatever the table is
//! doing. Entries before it are no longer needed, so a table's journal stays short however long the table lives.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use unum_bots::LevelBot;
use unum_protocol::{Refusal, Stage};
use unum_rules::fair::FairDeal;
use unum_rules::json::{self, Part};
use unum_rules::{Action, Match, Phase, Position, RULES_VERSION, Round, Rules, Seat};

use crate::apply::seed;
use crate::entry::{PROGRAM, SEALED_MOVES, Seal, fingerprint};
use crate::records::Noted;
use crate::state::{Game, Standing, State};
use crate::table::{Dice, RestoreError, Snapshot};
use crate::tallies::Tallies;
use crate::{Entry, Fact, Moment};

/// After how many entries a snapshot is made: the most that restoring replays, apart from the entries of one input.
pub const SAVED_ENTRIES: u64 = 128;

/// A table as text.
#[derive(Serialize)]
struct Saved<'a> {
    program: &'a str,
    rules: u32,
    state: &'a State,
    game: Option<SavedGame>,
}

/// A table parsed from text. The game is parsed separately, since a table can survive without it.
#[derive(Deserialize, unum_rules::json::Read)]
struct Found<'a> {
    program: String,
    rules: u32,
    state: State,
    #[serde(borrow)]
    game: Option<Part<'a>>,
}

/// A round as text: a position, plus the moves since then if the current state has no notation.
#[derive(Serialize, Deserialize, unum_rules::json::Read)]
struct SavedGame {
    position: Position,
    /// How far the source of chance had been consumed at the position.
    words: u64,
    made: Vec<Noted>,
    round: u32,
    at: u32,
    fair: FairDeal,
    stamp: u64,
    since: Moment,
    race: Vec<(Seat, Moment)>,
    #[serde(default)]
    tallies: Tallies,
    /// The expected digest of the game at the end.
    check: String,
}

/// The last state of a round that a position can express, and the moves since.
#[derive(Clone, Debug)]
pub(crate) struct Anchor {
    round: Round,
    words: u64,
    made: Vec<Noted>,
}

/// Whether a position fully expresses a round: not in the middle of a card's effects, an attack or a look at a hand.
fn has_notation(round: &Round) -> bool {
    let plain = matches!(
        round.phase(),
        Phase::Turn { .. } | Phase::Drawn { .. } | Phase::CallColor { .. } | Phase::Over { .. }
    );
    plain && (0..round.players()).all(|seat| round.shown_to(seat).is_none())
}

impl Game {
    /// The round as it is now, to begin a snapshot with.
    pub(crate) fn anchor_here(&self) -> Anchor {
        Anchor { round: *self.play.round(), words: self.play.chance().words(), made: Vec::new() }
    }

    /// Keeps the state before a move, if the one after it has no notation.
    pub(crate) fn keep_anchor(&mut self, before: Anchor, made: Noted) {
        if has_notation(self.play.round()) {
            self.anchor = None;
        } else {
            self.anchor.get_or_insert_with(|| Box::new(before)).made.push(made);
        }
    }

    fn save(&self) -> SavedGame {
        let (round, words, made) = match &self.anchor {
            None => (*self.play.round(), self.play.chance().words(), Vec::new()),
            Some(anchor) => (anchor.round, anchor.words, anchor.made.clone()),
        };
        SavedGame {
            position: Position::of(&self.play.clone().with_round(round)),
            words,
            made,
            round: self.round,
            at: self.at,
            fair: self.fair.clone(),
            stamp: self.stamp,
            since: self.since,
            race: self.race.clone(),
            tallies: self.tallies.clone(),
            check: fingerprint(&self.play),
        }
    }

    pub(crate) fn to_text(&self) -> Box<str> {
        serde_json::to_string(&self.save()).expect("a round has a form in JSON").into()
    }

    /// The round from its text.
    pub(crate) fn from_text(text: &str, rules: &Rules) -> Result<Game, String> {
        let saved: SavedGame = json::from_str(text).map_err(|error| error.to_string())?;
        let chance = saved.fair.chance().skip_to(saved.words);
        let play = saved.position.into_match(rules.clone(), chance).map_err(|error| error.to_string())?;
        let commitment = saved.fair.commitment();
        let SavedGame { round, at, fair, stamp, since, race, tallies, .. } = saved;
        let tallies = tallies.fitted(play.players());
        let (anchor, standings) = (None, None);
        let mut game = Game { play, round, at, fair, commitment, stamp, since, race, anchor, tallies, standings };
        for made in saved.made {
            let before = game.anchor_here();
            made.carry_out(&mut game.play, rules).map_err(|refusal| refusal.to_string())?;
            game.keep_anchor(before, made);
        }
        game.stand();
        let same = fingerprint(&game.play) == saved.check;
        same.then_some(game).ok_or_else(|| "the game does not look as it did when it was saved".to_owned())
    }
}

impl Noted {
    /// Makes the move in a game.
    fn carry_out(&self, play: &mut Match, rules: &Rules) -> Result<(), Refusal> {
        match self {
            Noted::Acted(seat, form) => {
                let action: Action = form.action(rules.palette())?;
                play.apply(*seat, &action, &mut ())?;
            }
            Noted::Penalized(seat) => play.penalize(*seat, &mut ())?,
            _ => {}
        }
        Ok(())
    }
}

impl State {
    /// Whether a snapshot is due after that fact.
    pub(crate) fn is_save_due(&self, fact: &Fact) -> bool {
        let milestone =
            matches!(fact, Fact::RoundLost {} | Fact::Hushed {} | Fact::Forgotten { .. }) || self.notes.is_whole();
        milestone || self.seq.saturating_sub(self.saved) >= SAVED_ENTRIES
    }

    /// The table as text.
    pub(crate) fn save(&mut self) -> Snapshot {
        self.saved = self.seq;
        let game = self.game.as_ref().map(|game| game.save());
        let saved = Saved { program: PROGRAM, rules: RULES_VERSION, state: self, game };
        let body = serde_json::to_string(&saved).expect("a state has a form in JSON");
        Snapshot { seq: self.seq, body }
    }

    /// The table from its text. If only the round cannot be read, the table has fallen back to where it was before the
    /// deal.
    pub(crate) fn load(snapshot: &Snapshot, dice: &mut dyn Dice) -> Result<State, RestoreError> {
        let error = |message: String| RestoreError { seq: snapshot.seq, message };
        let found: Found<'_> = json::from_str(&snapshot.body).map_err(|json| error(json.to_string()))?;
        let by = written_by(&found.program, found.rules);
        let mut state = found.state;
        let rules = Rules::new(state.settings.rules.clone()).map_err(|bad| error(format!("{bad}{by}")))?;
        (state.rules, state.saved) = (Arc::new(rules), state.seq);
        state.note_seating();
        if let Some(text) = found.game {
            match Game::from_text(text.get(), &state.rules) {
                Ok(game) => state.take_up(game, dice),
                Err(_) => {
                    state.lose_round();
                    state.go_on_without();
                }
            }
        }
        Ok(state)
    }

    /// The game goes on: bots look at it for the first time.
    fn take_up(&mut self, game: Game, dice: &mut dyn Dice) {
        self.game = Some(Box::new(game));
        for chair in &mut self.chairs {
            chair.bot = chair.player().map(|level| LevelBot::new(level, seed(dice)));
        }
        (0..self.chairs.len()).for_each(|seat| self.introduce(seat as Seat));
    }

    /// The seal of an entry that has just been applied, if it gets one.
    pub(crate) fn seal(&self, fact: &Fact) -> Option<Box<Seal>> {
        let game = self.game.as_ref();
        let due = match fact {
            Fact::Opened { .. } | Fact::Dealt { .. } => true,
            Fact::Acted { .. } | Fact::AccusationEnded { upheld: true, .. } => {
                game.is_some_and(|game| game.at % SEALED_MOVES == 0 || game.play.result().is_some())
            }
            _ => false,
        };
        due.then(|| Box::new(Seal::of(game.map(|game| &game.play))))
    }

    /// Applies an entry of the journal again. A round that does not replay as it was played is given up.
    pub(crate) fn replay(&mut self, entry: &Entry, dice: &mut dyn Dice) -> Result<(), RestoreError> {
        if self.lost {
            return self.follow(entry, dice);
        }
        let before = entry.seal.is_some().then(|| self.clone());
        let Err(message) = self.apply_sealed(entry, dice) else { return Ok(()) };
        let before = before.unwrap_or_else(|| self.clone());
        if entry.seq != before.seq + 1 || !is_about_a_round(&entry.fact) {
            return Err(RestoreError { seq: entry.seq, message });
        }
        *self = before;
        if is_about_a_deal(&entry.fact) {
            self.call_off_deal();
        } else {
            self.lose_round();
        }
        self.go_on_without();
        self.follow(entry, dice)
    }

    fn apply_sealed(&mut self, entry: &Entry, dice: &mut dyn Dice) -> Result<(), String> {
        let by = entry.seal.as_ref().map(|seal| written_by(&seal.program, seal.rules)).unwrap_or_default();
        self.apply(entry, dice).map_err(|refusal| format!("{refusal}{by}"))?;
        let expected = entry.seal.as_ref().and_then(|seal| seal.game.as_ref());
        let found = self.game.as_ref().filter(|_| expected.is_some()).map(|game| fingerprint(&game.play));
        if expected == found.as_ref() { Ok(()) } else { Err(format!("the game came out differently{by}")) }
    }

    /// The round is lost, and nobody has been told yet.
    fn go_on_without(&mut self) {
        self.lost = true;
        self.recent.clear();
    }

    /// The table is as it was before the deal. The parts of that deal are known by now, so people must be ready and
    /// pledge again.
    fn call_off_deal(&mut self) {
        (self.spent, self.dealing) = (true, None);
        self.forget_parts();
        self.chairs.iter_mut().for_each(|chair| chair.ready = chair.person.is_none());
    }

    /// Skips what happened in a lost round; people who came and went still count.
    fn follow(&mut self, entry: &Entry, dice: &mut dyn Dice) -> Result<(), RestoreError> {
        if entry.seq != self.seq + 1 {
            return Err(RestoreError { seq: entry.seq, message: "the numbers of the entries have a gap".to_owned() });
        }
        let lobby = self.stage == Stage::Lobby;
        let counts = match &entry.fact {
            Fact::Joined { .. } | Fact::Left { .. } | Fact::Kicked { .. } | Fact::HostPassed { .. } => true,
            Fact::Renamed { .. } | Fact::Dressed { .. } | Fact::Muted { .. } | Fact::Chatted { .. } => true,
            Fact::Unkicked { .. } | Fact::Locked { .. } | Fact::CodeRenewed { .. } | Fact::Forgotten { .. } => true,
            Fact::PaceChanged { .. } | Fact::Hushed {} | Fact::Reopened {} | Fact::Closed {} | Fact::RoundLost {} => {
                true
            }
            Fact::Sat { seat: Some(_), .. } | Fact::Claimed { .. } | Fact::Unclaimed { .. } | Fact::Released { .. } => {
                true
            }
            Fact::Sat { .. } | Fact::Stood { .. } | Fact::ChairLost { .. } | Fact::SettingsChanged { .. } => lobby,
            _ => false,
        };
        let matches = self.matches;
        if counts {
            // What does not fit is about the round that is lost.
            let _ = self.carry_out(entry, dice);
        }
        self.pass(entry);
        if matches!(entry.fact, Fact::Reopened {} | Fact::Closed {}) {
            self.note(entry, matches);
        }
        Ok(())
    }

    /// Back to the scores before the round, or to the lobby if it was the first of its match.
    pub(crate) fn lose_round(&mut self) {
        // A match that is over has its record: only the scores on show are lost.
        let earlier = self.earlier.take().filter(|_| self.stage != Stage::Over);
        let earlier = earlier.and_then(|text| Game::from_text(&text, &self.rules).ok());
        self.notes.lose(earlier.is_some());
        match earlier {
            None => {
                self.aborted = self.broken_off();
                self.reopen();
            }
            Some(game) => {
                let (scores, dealer) = (game.play.scores().to_vec(), game.play.round().dealer());
                self.standing = Some(Standing { scores, dealer, round: game.round });
                (self.stage, self.accusation) = (Stage::Scores, None);
                self.game = Some(Box::new(game));
                self.chairs.iter_mut().for_each(|chair| chair.bot = None);
            }
        }
        self.call_off_deal();
    }

    /// Gives everything that runs out of time its full time again, whatever the clock did meanwhile.
    pub(crate) fn restart_clocks(&mut self, now: Moment) {
        self.people.iter_mut().for_each(|member| member.link.since = now);
        self.hostless = now;
        if let Some(game) = &mut self.game {
            game.since = now;
            game.race.iter_mut().for_each(|(_, since)| *since = now);
        }
        if let Some(dealing) = &mut self.dealing {
            dealing.since = now;
        }
        if let Some(accusation) = &mut self.accusation {
            accusation.since = now;
        }
    }
}

/// Whether an entry that does not fit can be dropped, along with the round it is about.
fn is_about_a_round(fact: &Fact) -> bool {
    match fact {
        fact if is_about_a_deal(fact) => true,
        Fact::Acted { .. } | Fact::StoodIn { .. } | Fact::CameBack { .. } => true,
        Fact::Accused { .. } | Fact::Judged { .. } | Fact::AccusationEnded { .. } => true,
        _ => false,
    }
}

/// Whether an entry belongs to the deal of a round rather than to the round itself.
fn is_about_a_deal(fact: &Fact) -> bool {
    matches!(
        fact,
        Fact::Dealt { .. }
            | Fact::DealBegun {}
            | Fact::Pledged { .. }
            | Fact::PledgesClosed {}
            | Fact::PartOpened { .. }
            | Fact::Withheld { .. }
    )
}

/// Who wrote what cannot be read, if it was another version.
fn written_by(program: &str, rules: u32) -> String {
    if (program, rules) == (PROGRAM, RULES_VERSION) {
        return String::new();
    }
    format!(" (written by version {program} with rules {rules}; this is {PROGRAM} with rules {RULES_VERSION})")
}

#[cfg(test)]
mod tests {
    use allocation_counter::measure;
    use unum_protocol::{Level, Request, Settings};

    use super::*;
    use crate::table::{Effects, Turn};
    use crate::{GuestId, Input, Newcomer, SeededDice, Table};

    const ANN: GuestId = GuestId(1);

    fn open() -> (Table, Entry, SeededDice) {
        let mut dice = SeededDice::new(7);
        let (mut table, opening) = Table::open("table", ANN, Settings::default(), Moment(1), &mut dice).unwrap();
        table.handle(Input::Arrived(Newcomer::named(ANN, "Ann")), Moment(2), &mut dice);
        (table, opening, dice)
    }

    /// A journal as a store keeps it: the last snapshot and what came after it.
    #[derive(Default)]
    struct Kept {
        snapshot: Option<Snapshot>,
        entries: Vec<Entry>,
        most: usize,
    }

    impl Kept {
        fn write(&mut self, out: Effects) {
            self.entries.extend(out.entries);
            if let Some(snapshot) = out.snapshot {
                self.entries.retain(|entry| entry.seq > snapshot.seq);
                self.snapshot = Some(snapshot);
            }
            self.most = self.most.max(self.entries.len());
        }

        fn bytes(&self) -> usize {
            let entries = self.entries.iter().map(|entry| serde_json::to_string(entry).unwrap().len());
            entries.sum::<usize>() + self.snapshot.as_ref().map_or(0, |snapshot| snapshot.body.len())
        }
    }

    fn chat(table: &mut Table, kept: &mut Kept, count: u32, dice: &mut SeededDice) {
        for number in 0..count {
            let mut turn = Turn { now: Moment(3), dice, by: None, out: Effects::default() };
            let text = format!("line {number}");
            table.commit(Fact::Chatted { person: 1, text }, &mut turn).unwrap();
            kept.write(turn.out);
            table.state.forget_old_changes();
        }
    }

    fn assert_small(table: &Table, kept: &Kept) {
        assert!(kept.most as u64 <= SAVED_ENTRIES, "{} entries", kept.most);
        assert!(kept.bytes() < 64 << 10, "{} bytes", kept.bytes());
        let mut restored = None;
        let memory = measure(|| {
            let entries = kept.entries.iter().cloned();
            restored =
                Some(Table::restore(kept.snapshot.as_ref(), entries, Moment(9), &mut SeededDice::new(1)).unwrap());
        });
        assert!(memory.bytes_max < 1 << 20, "{} bytes", memory.bytes_max);
        let restored = restored.unwrap();
        assert_eq!((restored.seq(), restored.seal()), (table.seq(), table.seal()));
    }

    #[test]
    fn a_million_small_changes_leave_a_small_journal() {
        let (mut table, _, mut dice) = open();
        let mut kept = Kept::default();
        chat(&mut table, &mut kept, 1_000_000, &mut dice);
        assert!(table.seq() > 1_000_000);
        assert_small(&table, &kept);
    }

    #[test]
    fn a_round_in_play_is_saved_with_the_rest() {
        let (mut table, _, mut dice) = open();
        for (id, request) in
            [Request::AddBot { level: Level::Easy }, Request::Start { pledge: None }].into_iter().enumerate()
        {
            let id = id as u32 + 1;
            table.handle(Input::Asked { guest: ANN, id, request }, Moment(3), &mut dice);
        }
        // Nobody pledges a part here: the table waits for it, and deals without.
        table.handle(Input::Tick, Moment(60_000), &mut dice);
        assert!(table.state.game.is_some());
        let mut kept = Kept::default();
        chat(&mut table, &mut kept, 100_000, &mut dice);
        assert_small(&table, &kept);
    }

    #[test]
    fn what_cannot_be_read_names_who_wrote_it() {
        let (mut table, mut opening, mut dice) = open();
        let snapshot = table.state.save();
        let broken = Snapshot { body: snapshot.body.replace("\"seats\":", "\"chairs\":"), ..snapshot.clone() };
        assert!(Table::restore(Some(&broken), [], Moment(9), &mut dice).is_err());
        opening.seal = Some(Box::new(Seal { program: "9.9.9".to_owned(), rules: 99, game: None }));
        let left = Entry {
            seq: 2,
            at: Moment(9),
            by: None,
            fact: Fact::Left { person: 5, kept: false },
            seal: opening.seal.clone(),
        };
        let error = Table::restore(None, [opening, left], Moment(9), &mut dice).unwrap_err();
        assert!(error.seq == 2 && error.message.contains("version 9.9.9 with rules 99"), "{error}");
    }
}
