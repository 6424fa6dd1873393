//! Finished matches as records. A match is noted while it is played, so its record depends on it alone, however many
//! matches the table has seen.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use unum_protocol::{Level, Person};
use unum_rules::fair::FairDeal;
use unum_rules::record::{PlayerName, Record, Recorder, Setup};
use unum_rules::wire::ActionForm;
use unum_rules::{RulesSpec, Seat, json, order};

use crate::state::{Member, State};
use crate::{Dice, Entry, Fact, GuestId, Moment, RestoreError, Table};

/// A match that was played to its end, or broken off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Which of the table's matches, from 1.
    pub number: u32,
    /// The number of the entry that ended it.
    pub seq: u64,
    /// When it ended.
    pub at: Moment,
    /// The guests who had the seats last; `None` for bots.
    pub guests: Vec<Option<GuestId>>,
    /// The levels of the bots, by seat; `None` for people, who may have taken the seat from a bot.
    pub levels: Vec<Option<Level>>,
    /// Guests who had a seat before somebody else took it.
    pub former: Vec<GuestId>,
    /// The match, with the secret and the players' entropy of every round.
    pub record: Record,
}

/// The parts of a record, one line each, noted while the match is played and included in snapshots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, unum_rules::json::Read)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Noted {
    /// A match begins, with those names, guests and levels of bots by seat.
    Began {
        rules: RulesSpec,
        names: Vec<String>,
        guests: Vec<Option<GuestId>>,
        #[serde(default)]
        levels: Vec<Option<Level>>,
    },
    Dealt(FairDeal),
    /// Somebody has taken a seat from a bot or another person.
    Took {
        seat: Seat,
        name: String,
        guest: GuestId,
    },
    Acted(Seat, ActionForm),
    Penalized(Seat),
    /// The last deal and everything after it is void: the round could not be restored.
    Lost,
    /// The match was played to its end or broken off, by the entry of that number.
    Ended(u64, Moment),
}

/// A part of a match, in the order in which the parts were noted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchPart {
    /// Which of the table's matches, from 1.
    pub number: u32,
    /// Whether the match begins with it: earlier parts of that number belong to a match that was broken off.
    pub first: bool,
    /// Whether the match ends with it, so that its record can be made.
    pub last: bool,
    /// What happened, for [`finished`].
    pub body: String,
}

/// What was noted since the last snapshot. It is about one match only.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    lines: String,
    first: bool,
    last: bool,
}

impl Notes {
    /// The notes of a match that goes on here.
    pub(crate) fn begun(lines: String) -> Notes {
        Notes { lines, first: true, last: false }
    }

    pub(crate) fn into_lines(self) -> String {
        self.lines
    }

    pub(crate) fn add(&mut self, noted: &Noted) {
        self.lines.push_str(&serde_json::to_string(noted).expect("moves have a form in JSON"));
        self.lines.push('\n');
    }

    /// Whether the match has come to its end.
    pub(crate) fn is_whole(&self) -> bool {
        self.last
    }

    /// The round is lost, and with it the match unless it has rounds before that.
    pub(crate) fn lose(&mut self, goes_on: bool) {
        if goes_on {
            self.add(&Noted::Lost);
        } else {
            *self = Notes::default();
        }
    }

    /// Hands over what was noted.
    pub(crate) fn take(&mut self, matches: u32) -> Option<MatchPart> {
        let Notes { lines: body, first, last } = std::mem::take(self);
        let number = if last { matches } else { matches + 1 };
        (!body.is_empty()).then_some(MatchPart { number, first, last, body })
    }
}

impl State {
    /// Notes what an entry did to the match; `matches` is how many there were before it.
    ///
    /// Nothing is noted of a lesson: nobody dealt or played it.
    pub(crate) fn note(&mut self, entry: &Entry, matches: u32) {
        if self.settings.lesson {
            return;
        }
        match &entry.fact {
            Fact::Dealt { .. } => self.note_deal(),
            Fact::Sat { person, seat: Some(seat) } if self.is_match_on() => self.note_taken(*person, *seat),
            Fact::Acted { seat, action, .. } => self.notes.add(&Noted::Acted(*seat, action.clone())),
            Fact::AccusationEnded { seat, upheld: true } => self.notes.add(&Noted::Penalized(*seat)),
            Fact::Reopened {} | Fact::Closed {} if self.matches == matches => self.notes = Notes::default(),
            Fact::Reopened {} | Fact::Closed {} => {}
            _ => return,
        }
        if self.matches > matches {
            self.notes.add(&Noted::Ended(entry.seq, entry.at));
            self.notes.last = true;
        }
    }

    fn note_taken(&mut self, person: Person, seat: Seat) {
        if let Some(Member { guest, name, .. }) = self.member(person).cloned() {
            self.notes.add(&Noted::Took { seat, name, guest });
        }
    }

    fn note_deal(&mut self) {
        let Some(game) = &self.game else { return };
        if game.round == 1 {
            let guest = |person| self.member(person).map(|member| member.guest);
            let began = Noted::Began {
                rules: self.settings.rules.clone(),
                names: self.chairs.iter().map(|chair| chair.name.clone()).collect(),
                guests: self.chairs.iter().map(|chair| chair.person.and_then(guest)).collect(),
                levels: self.chairs.iter().map(|chair| chair.level).collect(),
            };
            self.notes = Notes { first: true, ..Notes::default() };
            self.notes.add(&began);
        }
        let dealt = Noted::Dealt(game.fair.clone());
        self.notes.add(&dealt);
    }
}

/// All matches of a table that were played to their end or broken off, from its journal from the first entry on.
///
/// # Errors
/// When an entry does not fit.
pub fn records(entries: impl IntoIterator<Item = Entry>) -> Result<Vec<Finished>, RestoreError> {
    let mut restoring: Option<State> = None;
    let mut records = Vec::new();
    for entry in entries {
        let Some(state) = &mut restoring else {
            restoring = Some(State::opened(&entry).map_err(|refusal| misfit(entry.seq, &refusal))?);
            continue;
        };
        state.replay(&entry, &mut NoDice)?;
        state.forget_old_changes();
        if let Some(part) = state.notes.is_whole().then(|| state.notes.take(state.matches)).flatten() {
            records.push(finished(part.number, &[part.body])?);
        }
    }
    Ok(records)
}

fn misfit(seq: u64, why: &impl ToString) -> RestoreError {
    RestoreError { seq, message: why.to_string() }
}

/// Bots that only watch need no seeds: what they did is in the journal.
struct NoDice;

impl Dice for NoDice {
    fn roll(&mut self) -> [u8; 32] {
        [0; 32]
    }
}

/// The record of a match from its parts, the first to the last: the match is played again, with the checks of a record.
///
/// # Errors
/// When the parts are not those of a whole match, or do not fit together.
pub fn finished(number: u32, parts: &[impl AsRef<str>]) -> Result<Finished, RestoreError> {
    let mut outline = Outline::read(parts)?;
    let (seq, at) = outline.ended.ok_or_else(|| incomplete("end"))?;
    let record = outline.play(parts)?;
    let Outline { guests, levels, former, .. } = outline;
    Ok(Finished { number, seq, at, guests, levels, former, record })
}

impl Table {
    /// Which of the table's matches is being played, from 1: what was noted of it is stored by that number.
    pub fn match_number(&self) -> u32 {
        self.state.matches + 1
    }

    /// The rounds of the running match that are over, as a record; `None` before the first of them has ended. The round
    /// in progress is not included. `parts` is what snapshots up to this state have taken along of the match.
    ///
    /// # Errors
    /// When the parts do not fit together.
    pub fn rounds_so_far(&self, mut parts: Vec<String>) -> Result<Option<Record>, RestoreError> {
        let state = &self.state;
        if state.notes.first {
            // What is stored belongs to a match that was broken off.
            parts.clear();
        }
        parts.push(state.notes.lines.clone());
        if parts.iter().all(String::is_empty) {
            return Ok(None);
        }
        let mut outline = Outline::read(&parts)?;
        // People deleted meanwhile no longer have a name.
        outline.names = state.chairs.iter().map(|chair| chair.name.clone()).collect();
        if state.game.as_ref().is_some_and(|game| !game.play.round().is_over()) {
            outline.deals.pop();
        }
        if outline.deals.is_empty() { Ok(None) } else { outline.play(&parts).map(Some) }
    }
}

/// Reads the notes in order, without keeping them.
pub(crate) fn lines(parts: &[impl AsRef<str>]) -> impl Iterator<Item = Result<Noted, RestoreError>> {
    let lines = parts.iter().flat_map(|part| part.as_ref().lines());
    lines.map(|line| json::from_str(line).map_err(|error| misfit(0, &error)))
}

fn incomplete(what: &str) -> RestoreError {
    RestoreError { seq: 0, message: format!("the match has no {what}") }
}

/// What has to be known of a match before it can be played again.
struct Outline {
    rules: RulesSpec,
    names: Vec<String>,
    guests: Vec<Option<GuestId>>,
    levels: Vec<Option<Level>>,
    former: Vec<GuestId>,
    deals: Vec<FairDeal>,
    /// The lines of rounds that were lost.
    lost: Vec<Range<usize>>,
    ended: Option<(u64, Moment)>,
}

impl Outline {
    fn read(parts: &[impl AsRef<str>]) -> Result<Outline, RestoreError> {
        let (mut began, mut ended) = (None, None);
        let (mut took, mut former) = (Vec::new(), Vec::new());
        let (mut deals, mut lost, mut last_deal): (Vec<FairDeal>, Vec<Range<usize>>, usize) = Default::default();
        for (place, noted) in (0..).zip(lines(parts)) {
            match noted? {
                Noted::Began { rules, names, guests, levels } => began = Some((rules, names, guests, levels)),
                Noted::Took { seat, name, guest } => took.push((usize::from(seat), name, guest)),
                Noted::Dealt(deal) => {
                    last_deal = place;
                    deals.push(deal);
                }
                Noted::Lost => {
                    lost.push(last_deal..place);
                    deals.pop();
                }
                Noted::Ended(seq, at) => ended = Some((seq, at)),
                Noted::Acted(..) | Noted::Penalized(_) => {}
            }
        }
        let (rules, mut names, mut guests, mut levels) = began.ok_or_else(|| incomplete("beginning"))?;
        for (seat, name, guest) in took {
            let (Some(on_seat), Some(at_seat)) = (names.get_mut(seat), guests.get_mut(seat)) else { continue };
            *on_seat = name;
            former.extend(at_seat.replace(guest));
            levels.get_mut(seat).map(Option::take);
        }
        former.retain(|guest| !guests.contains(&Some(*guest)));
        order::sort(&mut former);
        former.dedup();
        Ok(Outline { rules, names, guests, levels, former, deals, lost, ended })
    }

    /// Plays the match again, as far as there are deals: they are taken out, for the record.
    fn play(&mut self, parts: &[impl AsRef<str>]) -> Result<Record, RestoreError> {
        let odd = |why: &dyn ToString| RestoreError { seq: 0, message: why.to_string() };
        let deals = std::mem::take(&mut self.deals);
        let (rounds, players) = (deals.len(), self.guests.len() as u8);
        let names = self.names.iter().map(|name| PlayerName::new(name).ok()).collect();
        let setup = Setup { names, ..Setup::fair(self.rules.clone(), players, deals) };
        let mut recorder = Recorder::start(setup, &mut ()).map_err(|why| odd(&why))?;
        let (palette, mut dealt) = (recorder.game().rules().palette(), 0);
        for (place, noted) in (0_usize..).zip(lines(parts)) {
            if self.lost.iter().any(|range| range.contains(&place)) {
                continue;
            }
            match noted? {
                Noted::Dealt(_) if dealt == rounds => break,
                Noted::Dealt(_) => {
                    dealt += 1;
                    if dealt > 1 {
                        recorder.next_round(&mut ()).map_err(|why| odd(&why))?;
                    }
                }
                Noted::Acted(seat, form) => {
                    let action = form.action(palette).map_err(|why| odd(&why))?;
                    recorder.apply(seat, &action, &mut ()).map_err(|why| odd(&why))?;
                }
                Noted::Penalized(seat) => recorder.penalize(seat, &mut ()).map_err(|why| odd(&why))?,
                Noted::Began { .. } | Noted::Took { .. } | Noted::Lost | Noted::Ended(..) => {}
            }
        }
        Ok(recorder.into_record())
    }
}
