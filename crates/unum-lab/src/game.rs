//! One game: a round, or a whole match.

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use serde::Serialize;
use unum_bots::Bot;
use unum_rules::{Chance, Round, Rules, RulesError, SEATS, Seat, SeatSet};

use crate::recording::Dealt;
use crate::seating::{Seating, Watch};
use crate::seeds::derive;

/// More rounds than any match needs; a match that takes them all is given up.
const MAX_ROUNDS: u64 = 1_000;

/// A whole win, so that a win shared by up to ten is still a whole number.
pub const WIN: u32 = 2_520;

/// What is played at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// One round; who goes out wins it.
    Round,
    /// Rounds until the scoring of the rules has a winner.
    Match,
}

impl Unit {
    /// The word for that many of them.
    pub fn word(self, count: u64) -> &'static str {
        match (self, count) {
            (Unit::Round, 1) => "round",
            (Unit::Round, _) => "rounds",
            (Unit::Match, 1) => "match",
            (Unit::Match, _) => "matches",
        }
    }
}

/// The results of a game, by seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameResult {
    /// Shares of the win, together one [`WIN`]. A game without a winner is shared by all.
    pub wins: [u32; SEATS],
    /// Points won: what the others held when the seat went out, whatever the scoring.
    pub won: [u32; SEATS],
    /// Points given: what the seat held when another went out.
    pub given: [u32; SEATS],
    /// Rounds played.
    pub rounds: u32,
    /// Rounds that nobody won.
    pub blocked: u32,
    /// Actions that the rules refused.
    pub refused: [u32; SEATS],
}

/// A game to be played: everything that determines it except the bots.
#[derive(Clone, Copy, Debug)]
pub struct Game<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// A round or a match.
    pub unit: Unit,
    /// Where the cards come from: the same seed deals the same cards in every round of the game.
    pub seed: u64,
    /// Who deals first.
    pub dealer: Seat,
    /// Deal as a record with this seed does: all shuffles of a match come from one generator.
    pub recorded: bool,
}

impl Game<'_> {
    /// Whether that many can play by these rules.
    ///
    /// # Errors
    /// When they cannot.
    pub fn check(rules: &Rules, players: u8) -> Result<(), RulesError> {
        Round::deal(rules, players, 0, &mut Pcg64Mcg::seed_from_u64(0), &mut ()).map(|_| ())
    }

    /// Plays it with these bots, by seat.
    ///
    /// # Panics
    /// If that many cannot play by these rules: see [`Game::check`].
    #[inline]
    pub fn play<B: Bot>(&self, bots: &mut [B], watch: &mut impl Watch) -> GameResult {
        if self.recorded {
            return self.play_with(bots, Dealt::new(self.seed), |_, _| {}, watch);
        }
        let chance = |number| Pcg64Mcg::seed_from_u64(derive(self.seed, &[number]));
        self.play_with(bots, chance(0), |used, number| *used = chance(number), watch)
    }

    /// Plays it with that source of chance, which may be renewed before every further round.
    #[inline]
    fn play_with<B: Bot, C: Chance>(
        &self,
        bots: &mut [B],
        mut chance: C,
        renew: impl Fn(&mut C, u64),
        watch: &mut impl Watch,
    ) -> GameResult {
        let mut result = GameResult::default();
        let everybody = SeatSet::first(bots.len() as u8);
        let winners = match self.unit {
            Unit::Round => {
                let (_, winner) = self.play_round(bots, 0, &[], &mut chance, &mut result, watch);
                winner.map(|seat| SeatSet::from_iter([seat]))
            }
            Unit::Match => self.play_match(bots, &mut chance, renew, &mut result, watch),
        };
        let winners = winners.unwrap_or(everybody);
        let share = WIN / winners.iter().count() as u32;
        winners.iter().for_each(|seat| result.wins[seat as usize] = share);
        result
    }

    fn play_match<B: Bot, C: Chance>(
        &self,
        bots: &mut [B],
        chance: &mut C,
        renew: impl Fn(&mut C, u64),
        result: &mut GameResult,
        watch: &mut impl Watch,
    ) -> Option<SeatSet> {
        let mut scores = [0; SEATS];
        let players = bots.len();
        for number in 0..MAX_ROUNDS {
            if number > 0 {
                renew(chance, number);
            }
            let (round, winner) = self.play_round(bots, number, &scores[..players], chance, result, watch);
            let scoring = self.rules.scoring();
            let points = scoring.points(self.rules, &round, winner);
            scores.iter_mut().zip(points).for_each(|(score, points)| *score += points);
            let winners = scoring.winners(&scores[..players], winner);
            if winners.is_some() {
                return winners;
            }
        }
        None
    }

    #[inline]
    fn play_round<B: Bot, C: Chance>(
        &self,
        bots: &mut [B],
        number: u64,
        scores: &[u32],
        chance: &mut C,
        result: &mut GameResult,
        watch: &mut impl Watch,
    ) -> (Round, Option<Seat>) {
        let players = bots.len() as u8;
        let dealer = ((u64::from(self.dealer) + number) % u64::from(players)) as Seat;
        let round = Round::deal(self.rules, players, dealer, chance, &mut ());
        let mut round = round.expect("that many can play by these rules");
        let outcome = Seating { rules: self.rules, bots, scores }.play(&mut round, chance, watch);
        result.rounds += 1;
        result.refused.iter_mut().zip(outcome.refused).for_each(|(all, refused)| *all += refused);
        match outcome.winner {
            Some(winner) => result.count_points(self.rules, &round, winner),
            None => result.blocked += 1,
        }
        (round, outcome.winner)
    }
}

impl GameResult {
    #[inline]
    fn count_points(&mut self, rules: &Rules, round: &Round, winner: Seat) {
        for (given, hand) in self.given.iter_mut().zip(round.hands()) {
            let points = rules.hand_points(hand);
            *given += points;
            self.won[winner as usize] += points;
        }
    }
}

#[cfg(test)]
mod tests {
    use unum_bots::{Level, LevelBot};
    use unum_rules::{Edition, RulesSpec, Scoring};

    use super::*;

    fn play(scoring: Scoring, unit: Unit, seed: u64) -> GameResult {
        let rules = Rules::new(RulesSpec { scoring: Some(scoring), ..RulesSpec::of(Edition::Original) }).unwrap();
        let mut bots: Vec<_> = (0..3).map(|seat| LevelBot::new(Level::Random, seed * 3 + seat)).collect();
        Game { rules: &rules, unit, seed, dealer: 1, recorded: false }.play(&mut bots, &mut ())
    }

    #[test]
    fn a_game_is_one_win_and_what_one_wins_another_gives() {
        for scoring in [Scoring::FirstTo(300), Scoring::LowestAt(300), Scoring::SingleRound] {
            for (unit, seed) in [(Unit::Round, 1), (Unit::Round, 2), (Unit::Match, 1), (Unit::Match, 2)] {
                let result = play(scoring, unit, seed);
                assert_eq!(result.wins.iter().sum::<u32>(), WIN);
                assert_eq!(result.won.iter().sum::<u32>(), result.given.iter().sum::<u32>());
                assert_eq!(result.rounds == 1, unit == Unit::Round || scoring == Scoring::SingleRound);
                assert_eq!(result, play(scoring, unit, seed));
            }
        }
    }

    #[test]
    fn a_match_ends_at_its_target() {
        let result = play(Scoring::FirstTo(200), Unit::Match, 5);
        let winner = result.wins.iter().position(|share| *share == WIN).unwrap();
        assert!(result.won[winner] >= 200);
        assert!((0..3).all(|seat| seat == winner || result.won[seat] < 200));
    }

    #[test]
    fn too_many_players_are_refused() {
        let rules = Rules::of(Edition::Original);
        assert!(Game::check(&rules, 10).is_ok());
        assert!(Game::check(&rules, 11).is_err() && Game::check(&rules, 1).is_err());
    }
}
