//! Records of the games that are played, in one line each.
//!
//! A record says where its cards come from, so a recorded game is dealt as records are: see [`Dealt`].

use std::io;

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use unum_rules::record::{PlayerName, Recorder, Seeding, Setup};
use unum_rules::{Action, Card, Chance, Round, Rules, Scoring, Seat, Seeded};

use crate::contestant::EntryError;
use crate::game::{Game, Unit};
use crate::seating::Watch;
use crate::seeds::derive;

/// Where lines of records go, in the order of the games.
pub type RecordSink<'a> = &'a mut dyn io::Write;

/// Why a run could not go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A contestant cannot play.
    #[error(transparent)]
    Entry(#[from] EntryError),
    /// The records cannot be written.
    #[error("the records cannot be written: {0}")]
    Records(#[source] io::Error),
}

impl RunError {
    /// For runs without records.
    pub(crate) fn into_entry(self) -> EntryError {
        match self {
            RunError::Entry(error) => error,
            RunError::Records(error) => EntryError(error.to_string()),
        }
    }
}

/// Shuffles as a record has them; who reacts first comes from a generator of its own, which no record needs.
pub(crate) struct Dealt {
    cards: Seeded,
    order: Pcg64Mcg,
}

impl Dealt {
    pub(crate) fn new(seed: u64) -> Dealt {
        Dealt { cards: Seeded::new(seed), order: Pcg64Mcg::seed_from_u64(derive(seed, &[0])) }
    }
}

impl Chance for Dealt {
    fn below(&mut self, bound: u32) -> u32 {
        self.order.below(bound)
    }

    fn shuffle(&mut self, cards: &mut [Card]) {
        self.cards.shuffle(cards);
    }
}

/// What happened in a game.
enum Happened {
    Deal,
    Act(Seat, Action),
}

/// Notes what happens in a game.
#[derive(Default)]
pub(crate) struct Scribe(Vec<Happened>);

impl Watch for Scribe {
    fn dealt(&mut self, _: &Round, _: &Rules) {
        self.0.push(Happened::Deal);
    }

    fn before(&mut self, _: &Round, _: &Rules, seat: Seat, action: &Action) {
        self.0.push(Happened::Act(seat, *action));
    }

    fn refused(&mut self, _: &Round, _: &Rules, _: Seat, _: &Action) {
        self.0.pop();
    }
}

impl Scribe {
    /// Writes the record of a game that was dealt as records are, in one line.
    ///
    /// # Panics
    /// If it was not.
    pub(crate) fn write<'a>(
        self,
        game: &Game<'_>,
        players: usize,
        name_at: impl Fn(usize) -> &'a str,
        lines: &mut Vec<u8>,
    ) {
        let mut rules = game.rules.spec().clone();
        if game.unit == Unit::Round {
            // A round by itself is a whole match, so that its record has a winner.
            rules.scoring = Some(Scoring::SingleRound);
        }
        let names = (0..players).map(|seat| PlayerName::new(name_at(seat)).ok()).collect();
        let seeding = Seeding::Number(game.seed);
        let setup = Setup { rules, players: players as u8, names, dealer: Some(game.dealer), seeding };
        let mut recorder = Recorder::start(setup, &mut ()).expect("the same rules and players were played");
        for happened in self.0.into_iter().skip(1) {
            match happened {
                Happened::Act(seat, action) => {
                    recorder.apply(seat, &action, &mut ()).expect("the same cards were dealt");
                }
                // A round that was given up cannot be followed by another: the record ends there.
                Happened::Deal if recorder.next_round(&mut ()).is_err() => break,
                Happened::Deal => {}
            }
        }
        lines.extend(recorder.into_record().to_json_line().bytes());
    }
}
