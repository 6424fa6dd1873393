//! Recorded games as choices: what the players knew, what they could choose, and what they chose.

use unum_rules::record::{Move, Record, RecordError};
use unum_rules::{Action, Card, Phase, Round, Rules, Seat, Sight};

use crate::decision::{Decision, Progress, Unos};
use crate::encoding::Encoding;
use crate::table::{Payoff, pay};

/// The choices of a recorded game, one row each, in order.
///
/// "UNO" is a choice of its own, as with [`Unos::Chosen`], because in a record it can be forgotten. What was done out of turn is
/// in it; that somebody could have done something out of turn and did not is not, because records do not tell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transcript {
    /// What the seat knew, row by row: as many bytes as the encoding has for an observation.
    pub observations: Vec<u8>,
    /// What it could choose: as many flags as the encoding has actions.
    pub masks: Vec<bool>,
    /// What it chose.
    pub actions: Vec<u16>,
    /// What was being chosen: the place of the stage in an observation.
    pub stages: Vec<u8>,
    /// Who chose.
    pub seats: Vec<Seat>,
    /// The round, from 1.
    pub rounds: Vec<u32>,
    /// The move in the record that the choice is a part of, from 1.
    pub moves: Vec<u32>,
    /// What the seat got at the end of the round; not a number in a round that the record breaks off.
    pub payoffs: Vec<f32>,
}

/// Why a record has no transcript.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TranscriptError {
    /// The record itself is wrong.
    #[error("{0}")]
    Record(#[from] RecordError),
    /// Something that was done has no number.
    #[error("move {0} has no number in this encoding")]
    Unnumbered(u32),
}

impl Transcript {
    /// The choices of a record, which is checked on the way.
    ///
    /// # Errors
    /// When the record is damaged.
    pub fn of(record: &Record, payoff: Payoff) -> Result<Transcript, TranscriptError> {
        let encoding = Encoding::of(record.setup.rules.edition);
        let mut transcript = Transcript::default();
        let mut before: Option<Round> = None;
        let mut from = 0;
        let mut replay = record.steps();
        while let Some(step) = replay.step()? {
            let (round, rules) = (step.game.round(), step.game.rules());
            match (&before, step.made) {
                (Some(before), Some(Move::Act { seat, action })) => {
                    let place = (step.place.round, step.place.number);
                    transcript.add(encoding, before, rules, seat, &action, place)?;
                }
                // A new round: what the last one paid is settled.
                (_, Some(Move::NextRound)) => from = transcript.actions.len(),
                _ => {}
            }
            if round.is_over() {
                transcript.settle(from, round, rules, payoff);
            }
            before = Some(*round);
        }
        Ok(transcript)
    }

    /// How many choices there are.
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }

    /// Adds an action, choice by choice.
    fn add(
        &mut self,
        encoding: &Encoding,
        round: &Round,
        rules: &Rules,
        seat: Seat,
        action: &Action,
        (number, made): (u32, u32),
    ) -> Result<(), TranscriptError> {
        let sight = Sight::new(round, rules, seat, &[]);
        let unnumbered = || TranscriptError::Unnumbered(made);
        let out_of_turn = matches!(action, Action::CallUno | Action::Catch(_)) || !sight.is_awaited();
        let decide = if out_of_turn { Decision::react } else { Decision::main };
        let mut decision = decide(&sight, encoding, Unos::Chosen).ok_or_else(unnumbered)?;
        loop {
            let id = decision.towards(&sight, encoding, action).ok_or_else(unnumbered)?;
            let (rows, size) = (self.actions.len(), encoding.observation());
            self.observations.resize((rows + 1) * size, 0);
            encoding.observe(&sight, Some(&decision), &mut self.observations[rows * size..]);
            self.masks.resize((rows + 1) * encoding.actions(), false);
            decision.legal().write(&mut self.masks[rows * encoding.actions()..]);
            self.actions.push(id);
            self.stages.push(decision.stage() as u8);
            self.seats.push(seat);
            self.rounds.push(number);
            self.moves.push(made);
            self.payoffs.push(f32::NAN);
            match decision.choose(&sight, encoding, id).map_err(|_| unnumbered())? {
                Progress::More => {}
                Progress::Act(_) => return Ok(()),
                Progress::Pass => return Err(unnumbered()),
            }
        }
    }

    /// Writes what a round paid to its choices.
    fn settle(&mut self, from: usize, round: &Round, rules: &Rules, payoff: Payoff) {
        let mut paid = [0.0; unum_rules::SEATS];
        let winner = match *round.phase() {
            Phase::Over { winner } => winner,
            _ => None,
        };
        pay(round, rules, winner, payoff, &mut paid[..usize::from(round.players())]);
        for (payoff, seat) in self.payoffs[from..].iter_mut().zip(&self.seats[from..]) {
            *payoff = paid[usize::from(*seat)];
        }
    }
}

/// Cards in the order in which they are picked.
pub(crate) fn sorted(cards: &[Card]) -> Vec<Card> {
    let mut cards = cards.to_vec();
    cards.sort_unstable();
    cards
}

#[cfg(test)]
mod tests {
    use unum_rules::record::{Recorder, Setup};
    use unum_rules::{Edition, RulesSpec, Seeded, playout::Casual};

    use super::*;

    /// A match of random players.
    fn record(rules: RulesSpec, players: u8, seed: u64) -> Record {
        let mut recorder = Recorder::start(Setup::new(rules, players, seed), &mut ()).unwrap();
        let mut whims = Seeded::new(seed);
        for _ in 0..3 {
            while !recorder.game().round().is_over() {
                let (seat, action) = Casual.choose(recorder.game().round(), recorder.game().rules(), &mut whims);
                recorder.apply(seat, &action, &mut ()).unwrap();
            }
            if recorder.next_round(&mut ()).is_err() {
                break;
            }
        }
        recorder.into_record()
    }

    fn rules(edition: Edition, house: &str) -> RulesSpec {
        serde_json::from_str(&format!(r#"{{"edition":"{}","house":{{{house}}}}}"#, edition.id())).unwrap()
    }

    #[test]
    fn every_choice_of_every_edition_has_a_row() {
        let houses =
            ["", r#""stacking":"any","seven_zero":true,"jump_in":true"#, r#""force_play":true,"draw_to_match":true"#];
        let mut out_of_turn = 0;
        for edition in Edition::ALL {
            for (seed, house) in (1..).zip(houses) {
                for players in [2, 4] {
                    let record = record(rules(edition, house), players, seed);
                    let encoding = Encoding::of(edition);
                    let transcript = Transcript::of(&record, Payoff::Win).unwrap();
                    let rows = transcript.len();
                    assert!(rows >= record.moves.len() - 3, "{edition} {house}");
                    assert_eq!(transcript.observations.len(), rows * encoding.observation());
                    assert_eq!(transcript.masks.len(), rows * encoding.actions());
                    for (mask, id) in transcript.masks.chunks(encoding.actions()).zip(&transcript.actions) {
                        assert!(mask[usize::from(*id)]);
                    }
                    let react = crate::decision::Stage::React as u8;
                    out_of_turn += transcript.stages.iter().filter(|stage| **stage == react).count();
                }
            }
        }
        assert!(out_of_turn > 10, "{out_of_turn}");
    }

    #[test]
    fn rounds_are_paid_and_unfinished_ones_are_not() {
        let record = record(RulesSpec::of(Edition::Original), 3, 5);
        let transcript = Transcript::of(&record, Payoff::Win).unwrap();
        let rows = || transcript.rounds.iter().zip(&transcript.seats).zip(&transcript.payoffs);
        for number in 1..=3 {
            let paid: Vec<f32> = (0..3)
                .map(|seat| {
                    rows().find(|((round, who), _)| (**round, **who) == (number, seat)).map_or(0.0, |(_, paid)| *paid)
                })
                .collect();
            let mut sorted = paid.clone();
            sorted.sort_by(f32::total_cmp);
            assert_eq!(sorted, [-0.5, -0.5, 1.0], "round {number}: {paid:?}");
        }
        // The record goes on with a fourth round, whose deal is all there is.
        assert!(rows().all(|((round, _), paid)| *round <= 3 && !paid.is_nan()));
        let points = Transcript::of(&record, Payoff::Points).unwrap();
        assert_eq!(points.actions, transcript.actions);
        assert!(points.payoffs.iter().any(|paid| *paid > 0.1));
    }

    #[test]
    fn what_was_seen_is_what_the_table_shows() {
        // One choice at a time through an environment with the same cards: the same observations and masks.
        let record = record(RulesSpec::of(Edition::Frozen), 2, 9);
        let transcript = Transcript::of(&record, Payoff::Win).unwrap();
        let encoding = Encoding::of(Edition::Frozen);
        let first = &transcript.observations[..encoding.observation()];
        let mut replay = record.steps();
        let step = replay.step().unwrap().unwrap();
        let sight = Sight::new(step.game.round(), step.game.rules(), transcript.seats[0], &[]);
        let decision = Decision::main(&sight, encoding, Unos::Chosen).unwrap();
        let mut expected = vec![0; encoding.observation()];
        encoding.observe(&sight, Some(&decision), &mut expected);
        assert_eq!(first, expected);
    }

    #[test]
    fn a_damaged_record_has_none() {
        let mut record = record(RulesSpec::of(Edition::Original), 2, 1);
        record.moves.swap(0, 3);
        assert!(matches!(Transcript::of(&record, Payoff::Win), Err(TranscriptError::Record(_))));
    }
}
