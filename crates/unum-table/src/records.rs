//! Finished matches as records, made from the journal.

use unum_rules::fair::FairDeal;
use unum_rules::record::{Move, PlayerName, Record, Recorder, Setup};

use crate::state::State;
use crate::trouble::{Trouble, TroubleCode};
use crate::{Dice, Entry, Fact, GuestId, Moment, RestoreError};

/// A match that was played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Which of the table's matches, from 1.
    pub number: u32,
    /// The number of the entry that ended it.
    pub seq: u64,
    /// When it ended.
    pub at: Moment,
    /// The guests who had a chair when it began, by seat; `None` for bots.
    pub guests: Vec<Option<GuestId>>,
    /// The match, with the secret and the players' entropy of every round.
    pub record: Record,
}

/// All matches of a table that were played to their end, from its journal from the first entry on.
///
/// # Errors
/// When an entry does not fit.
pub fn records(entries: impl IntoIterator<Item = Entry>) -> Result<Vec<Finished>, RestoreError> {
    let mut entries = entries.into_iter();
    let Some(first) = entries.next() else { return Ok(Vec::new()) };
    let at = |seq: u64| move |trouble: Trouble| RestoreError { seq, message: trouble.to_string() };
    let mut state = State::opened(&first).map_err(at(first.seq))?;
    let (mut draft, mut finished) = (None, Vec::new());
    for entry in entries {
        let matches = state.matches;
        state.apply(&entry, &mut NoDice).map_err(at(entry.seq))?;
        note(&mut draft, &state, &entry).map_err(at(entry.seq))?;
        if state.matches > matches
            && let Some(draft) = draft.take()
        {
            finished.push(draft.finish(&state, &entry).map_err(at(entry.seq))?);
        }
    }
    Ok(finished)
}

/// Bots that only look on need no seeds: what they did stands in the journal.
struct NoDice;

impl Dice for NoDice {
    fn roll(&mut self) -> [u8; 32] {
        [0; 32]
    }
}

/// A match so far.
struct Draft {
    setup: Setup,
    deals: Vec<FairDeal>,
    guests: Vec<Option<GuestId>>,
    moves: Vec<Move>,
}

/// Writes down what an entry did to the match.
fn note(draft: &mut Option<Draft>, state: &State, entry: &Entry) -> Result<(), Trouble> {
    match (&entry.fact, draft.as_mut()) {
        (Fact::Dealt {}, old) => {
            let Some(game) = &state.game else { return Ok(()) };
            match old.filter(|_| game.round > 1) {
                None => *draft = Some(Draft::new(state, game.fair.clone())),
                Some(draft) => {
                    draft.deals.push(game.fair.clone());
                    draft.moves.push(Move::NextRound);
                }
            }
        }
        (Fact::Acted { seat, action, .. }, Some(draft)) => {
            draft.moves.push(Move::Act { seat: *seat, action: action.action(state.rules.palette())? });
        }
        (Fact::AccusationEnded { seat, upheld: true }, Some(draft)) => draft.moves.push(Move::Penalize { seat: *seat }),
        _ => {}
    }
    Ok(())
}

impl Draft {
    fn new(state: &State, deal: FairDeal) -> Draft {
        let names = state.chairs.iter().map(|chair| PlayerName::new(&chair.name).ok()).collect();
        let guest = |person| state.member(person).map(|member| member.guest);
        Draft {
            setup: Setup { names, ..Setup::fair(state.settings.rules.clone(), state.chairs.len() as u8, Vec::new()) },
            deals: vec![deal],
            guests: state.chairs.iter().map(|chair| chair.person.and_then(guest)).collect(),
            moves: Vec::new(),
        }
    }

    /// Plays the match again, with the checks of a record.
    fn finish(self, state: &State, entry: &Entry) -> Result<Finished, Trouble> {
        let Draft { setup, deals, guests, moves } = self;
        let odd = |why: String| Trouble::new(TroubleCode::WrongStage, why);
        let Setup { rules, players, names, .. } = setup;
        let setup = Setup { names, ..Setup::fair(rules, players, deals) };
        let mut recorder = Recorder::start(setup, &mut ()).map_err(|why| odd(why.to_string()))?;
        for made in moves {
            match made {
                Move::Act { seat, action } => recorder.apply(seat, &action, &mut ())?,
                Move::Penalize { seat } => recorder.penalize(seat, &mut ())?,
                Move::NextRound => recorder.next_round(&mut ()).map_err(|why| odd(why.to_string()))?,
            }
        }
        Ok(Finished { number: state.matches, seq: entry.seq, at: entry.at, guests, record: recorder.into_record() })
    }
}
