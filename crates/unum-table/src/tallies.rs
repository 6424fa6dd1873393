//! What everybody has done in a match, counted from its events: ranks and awards are made of it.
//!
//! Some of it says something about hidden cards, so nothing is told before the match is over.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};
use strum::VariantArray;
use unum_protocol::{Award, AwardKind, Standings};
use unum_rules::{DrawReason, Event, Match, Phase, Round, RoundResult, Scoring, Seat, order};

use crate::state::Game;

const KINDS: usize = AwardKind::VARIANTS.len();
/// How many awards there are at most after a match.
const MOST_AWARDS: usize = 4;

/// One number for each seat and kind of award.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, unum_rules::json::Read)]
pub(crate) struct Tallies(Vec<u32>);

impl Tallies {
    /// Nothing counted yet.
    pub(crate) fn of(players: u8) -> Tallies {
        Tallies(vec![0; usize::from(players) * KINDS])
    }

    /// The same, unless it was counted by a program that knew other kinds.
    pub(crate) fn fitted(self, players: u8) -> Tallies {
        let fresh = Tallies::of(players);
        if self.0.len() == fresh.0.len() { self } else { fresh }
    }

    fn seats(&self) -> Seat {
        (self.0.len() / KINDS) as Seat
    }

    fn get(&self, seat: Seat, kind: AwardKind) -> u32 {
        self.0.get(usize::from(seat) * KINDS + kind as usize).copied().unwrap_or(0)
    }

    fn slot(&mut self, seat: Seat, kind: AwardKind) -> Option<&mut u32> {
        self.0.get_mut(usize::from(seat) * KINDS + kind as usize)
    }

    fn add(&mut self, seat: Seat, kind: AwardKind, more: u32) {
        if let Some(count) = self.slot(seat, kind) {
            *count = count.saturating_add(more);
        }
    }

    /// Counts what a move has led to; `before` is what the round waited for.
    pub(crate) fn count(&mut self, events: &[Event], before: Option<&Phase>, round: &Round) {
        let attack = match before {
            Some(Phase::Respond { by, bluff, .. }) => Some((*by, *bluff)),
            _ => None,
        };
        // Whose card makes others draw.
        let mut because = attack.map(|(by, _)| by);
        for event in events {
            match *event {
                Event::Played { seat, .. } => because = Some(seat),
                Event::Drew { seat, cards, reason } => {
                    self.count_drawn(seat, cards.count().into(), reason, because);
                    if let Some((by, true)) = attack.filter(|_| reason == DrawReason::Attack) {
                        self.add(by, AwardKind::Bluffs, 1);
                    }
                }
                Event::Challenged { seat, guilty: true, .. } => self.add(seat, AwardKind::Exposed, 1),
                Event::Caught { seat, by } => {
                    self.add(seat, AwardKind::Caught, 1);
                    self.add(by, AwardKind::Catches, 1);
                }
                Event::Blocked { seat, .. } => self.add(seat, AwardKind::Blocks, 1),
                Event::Skipped { seat } => self.add(seat, AwardKind::Skipped, 1),
                Event::UnoCalled { seat } => self.add(seat, AwardKind::Unos, 1),
                _ => {}
            }
        }
        for seat in 0..self.seats() {
            if let Some(most) = self.slot(seat, AwardKind::BiggestHand) {
                *most = (*most).max(round.hand(seat).len() as u32);
            }
        }
    }

    fn count_drawn(&mut self, seat: Seat, cards: u32, reason: DrawReason, because: Option<Seat>) {
        self.add(seat, AwardKind::Drawn, cards);
        let given = matches!(reason, DrawReason::Attack | DrawReason::Challenge | DrawReason::Effect);
        if let Some(by) = because.filter(|by| given && *by != seat) {
            self.add(by, AwardKind::HandedOut, cards);
        }
    }

    /// The only seat with the most of a kind, if that is worth an award.
    fn first_in(&self, kind: AwardKind) -> Option<Award> {
        let count = (0..self.seats()).map(|seat| self.get(seat, kind)).max()?;
        let mut best = (0..self.seats()).filter(|seat| self.get(*seat, kind) == count);
        let (seat, None) = (best.next()?, best.next()) else { return None };
        (count >= least(kind)).then_some(Award { kind, seat, count })
    }

    /// The awards of a match: everybody's first ones before anybody's second.
    fn awards(&self) -> Vec<Award> {
        let all: Vec<Award> = AwardKind::VARIANTS.iter().filter_map(|kind| self.first_in(*kind)).collect();
        let earlier = |award: &Award| {
            all.iter().take_while(|other| *other != award).filter(|other| other.seat == award.seat).count()
        };
        let mut ordered = all.clone();
        order::sort_by_key(&mut ordered, earlier);
        ordered.truncate(MOST_AWARDS);
        ordered
    }
}

/// The least count that is worth an award.
fn least(kind: AwardKind) -> u32 {
    match kind {
        AwardKind::Bluffs | AwardKind::Exposed | AwardKind::Catches | AwardKind::Caught | AwardKind::Blocks => 1,
        AwardKind::Unos => 2,
        AwardKind::Skipped => 3,
        AwardKind::HandedOut => 4,
        AwardKind::Drawn => 8,
        AwardKind::BiggestHand => 12,
    }
}

/// The rank of each seat, from 1: winners first, then by points as the scoring has it.
fn ranks(play: &Match) -> Vec<u8> {
    let scoring = play.rules().scoring();
    let won = |seat: Seat| play.winners().is_some_and(|winners| winners.contains(seat));
    let key = |seat: Seat| {
        let score = play.scores().get(usize::from(seat)).copied().unwrap_or(0);
        let (high, low) = match scoring {
            Scoring::FirstTo(_) => (score, 0),
            Scoring::LowestAt(_) => (0, score),
            Scoring::SingleRound => (0, 0),
        };
        (!won(seat), Reverse(high), low)
    };
    let seats = 0..play.players();
    seats.clone().map(|seat| 1 + seats.clone().filter(|other| key(*other) < key(seat)).count() as u8).collect()
}

/// What each seat's cards count that are left.
fn hands(play: &Match) -> Vec<u32> {
    (0..play.players()).map(|seat| play.rules().hand_points(play.round().hand(seat))).collect()
}

/// What the points of each seat add up from.
fn sums(scoring: Scoring, winner: Option<Seat>, hands: &[u32]) -> Vec<Vec<u32>> {
    let of = |seat: Seat| {
        let counted = (0..).zip(hands).filter(|(other, held)| **held > 0 && scoring.counts_for(seat, *other, winner));
        counted.map(|(_, held)| *held).collect()
    };
    (0..).zip(hands).map(|(seat, _)| of(seat)).collect()
}

impl Game {
    /// Works out how the match stands, if the round is over.
    pub(crate) fn stand(&mut self) {
        let Some(RoundResult { winner, .. }) = self.play.result() else {
            self.standings = None;
            return;
        };
        let hands = hands(&self.play);
        let over = self.play.winners().is_some();
        let standings = Standings {
            ranks: ranks(&self.play),
            sums: sums(self.play.rules().scoring(), *winner, &hands),
            hands,
            awards: if over { self.tallies.awards() } else { Vec::new() },
        };
        self.standings = Some(Box::new(standings));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unum_rules::playout::Casual;
    use unum_rules::{Rules, RulesSpec, Seeded, Veiled};

    fn round() -> Round {
        *Match::new(Rules::of(unum_rules::Edition::Original), 3, 1).unwrap().round()
    }

    fn drew(seat: Seat, count: u8, reason: DrawReason) -> Event {
        Event::Drew { seat, cards: Veiled::Closed(count), reason }
    }

    #[test]
    fn a_bluff_counts_when_its_victim_draws() {
        let mut tallies = Tallies::of(3);
        let bluff = Phase::Respond { seat: 1, by: 0, cards: 4, bluff: true };
        tallies.count(&[drew(1, 4, DrawReason::Attack)], Some(&bluff), &round());
        assert_eq!((tallies.get(0, AwardKind::Bluffs), tallies.get(0, AwardKind::HandedOut)), (1, 4));
        assert_eq!(tallies.get(1, AwardKind::Drawn), 4);
        let exposed = [Event::Challenged { seat: 1, challenged: 0, guilty: true }, drew(0, 4, DrawReason::Challenge)];
        tallies.count(&exposed, Some(&bluff), &round());
        assert_eq!((tallies.get(0, AwardKind::Bluffs), tallies.get(1, AwardKind::Exposed)), (1, 1));
        assert_eq!(tallies.get(0, AwardKind::HandedOut), 4, "nobody hands cards to themselves");
    }

    #[test]
    fn awards_go_to_one_seat_each_and_around_the_table() {
        let mut tallies = Tallies::of(3);
        for (seat, kind, count) in [
            (0, AwardKind::Bluffs, 2),
            (0, AwardKind::Exposed, 1),
            (0, AwardKind::HandedOut, 9),
            (1, AwardKind::Drawn, 20),
            (1, AwardKind::Caught, 1),
            (2, AwardKind::Caught, 1),
            (2, AwardKind::Skipped, 2),
            (2, AwardKind::Unos, 2),
        ] {
            tallies.add(seat, kind, count);
        }
        let awards: Vec<(AwardKind, Seat)> = tallies.awards().iter().map(|award| (award.kind, award.seat)).collect();
        let expected = [(AwardKind::Bluffs, 0), (AwardKind::Drawn, 1), (AwardKind::Unos, 2), (AwardKind::Exposed, 0)];
        assert_eq!(awards, expected, "shared firsts and small numbers get nothing");
    }

    #[test]
    fn points_are_the_sums_of_the_hands_that_count() {
        let mut whims = Seeded::new(1);
        for scoring in [Scoring::FirstTo(500), Scoring::LowestAt(500), Scoring::SingleRound] {
            let rules = RulesSpec { scoring: Some(scoring), ..RulesSpec::of(unum_rules::Edition::Original) };
            for seed in 0..20 {
                let mut play = Match::new(Rules::new(rules.clone()).unwrap(), 4, seed).unwrap();
                while !play.round().is_over() {
                    let (seat, action) = Casual.choose(play.round(), play.rules(), &mut whims);
                    play.apply(seat, &action, &mut ()).unwrap();
                }
                let result = *play.result().unwrap();
                let added: Vec<u32> =
                    sums(scoring, result.winner, &hands(&play)).iter().map(|sum| sum.iter().sum()).collect();
                assert_eq!(added, result.points[..4], "{scoring:?}");
            }
        }
    }

    #[test]
    fn tallies_of_another_program_begin_anew() {
        assert_eq!(Tallies(vec![1; 7]).fitted(2), Tallies::of(2));
        let mut counted = Tallies::of(2);
        counted.add(1, AwardKind::Unos, 3);
        assert_eq!(counted.clone().fitted(2), counted);
    }
}
