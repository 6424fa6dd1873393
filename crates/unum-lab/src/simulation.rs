//! Games by the million, and statistics over them.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use unum_rules::{Card, CardName, Rules, RulesError, SEATS, Seat};

use crate::adjust::{Adjustment, LuckMeter};
use crate::contestant::{Contestant, EntryError, LineUp};
use crate::control::Controlled;
use crate::crew::Crew;
use crate::estimate::Estimate;
use crate::external::Failures;
use crate::game::{Game, Unit, WIN};
use crate::histogram::{Bin, Histogram, Spread};
use crate::part::{MergeError, Part};
use crate::recording::{RecordSink, RunError, Scribe};
use crate::seeds::derive;
use crate::tally::{Counter, Counts, Differences, FACES, Measure, Slot, Tally};

/// About how many bars a histogram has.
const BINS: u32 = 24;

/// Games to be played.
#[derive(Clone, Copy, Debug)]
pub struct Simulation<'a, C> {
    /// The rules played, and after them those to compare with them.
    pub rules: &'a [Rules],
    /// Who plays, by seat. The deal passes on from game to game.
    pub line_up: &'a LineUp<C>,
    /// Rounds or matches.
    pub unit: Unit,
    /// How many games by each of the rules.
    pub games: u64,
    /// Seed for the cards and the bots' random choices, the same for all rules.
    pub seed: u64,
    /// Take luck out of shares won. Of rounds only: a match has no chances of its own here.
    pub adjustment: Option<Adjustment>,
    /// Deal as records do, so that every game can be recorded.
    pub recorded: bool,
}

/// The results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SimulationResult {
    /// Whether all games were played.
    pub complete: bool,
    /// Games played by each of the rules.
    pub games: u64,
    /// How often programs failed, so that the autopilot had to act.
    pub failures: Failures,
    /// The last of these failures in words.
    pub last_error: Option<String>,
    /// How many times more games the same accuracy of shares won would take without luck adjustment: by the shares of the
    /// first side, or where all are alike, by those of the seat to the left of the dealer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worth_of_adjustment: Option<f64>,
    /// The statistics by the first rules.
    #[serde(flatten)]
    pub base: Statistics,
    /// Those by the others, in their order.
    pub variants: Vec<Variant>,
}

/// Statistics of games by the same rules.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Statistics {
    /// Means per game.
    pub measures: Vec<MeasureResult>,
    /// How often one thing led to another.
    pub shares: Vec<ShareResult>,
    /// The length of a game in turns.
    pub turns: Distribution,
    /// The points of a game.
    pub points: Distribution,
    /// The rounds of a game.
    pub rounds: Distribution,
    /// The share of games a seat would win if all were equal.
    pub even: f64,
    /// Share of games won by seat, from the left of the (first) dealer around to the dealer.
    pub positions: Vec<Estimate>,
    /// Share of games won by the sides of the line-up, per seat.
    pub sides: Vec<SideShare>,
    /// How often every face is played, all colors together.
    pub faces: Vec<FaceResult>,
    /// How often every card is played.
    pub cards: Vec<CardResult>,
}

/// The mean of a measure per game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MeasureResult {
    /// What it is.
    pub measure: Measure,
    /// Over all games.
    pub total: u64,
    /// Per game.
    #[serde(flatten)]
    pub estimate: Estimate,
}

/// How often one thing led to another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ShareResult {
    /// A short name.
    pub id: &'static str,
    /// A few words.
    pub title: &'static str,
    /// How often it did.
    pub part: u64,
    /// How often it could have.
    pub whole: u64,
    /// The share; `None` when it never could have.
    pub share: Option<Estimate>,
}

/// How a number is spread over the games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Distribution {
    /// Percentiles.
    #[serde(flatten)]
    pub spread: Spread,
    /// How many games there are in each of some ranges.
    pub bins: Vec<Bin>,
}

/// How a side of the line-up did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SideShare {
    /// Its name.
    pub name: String,
    /// How many seats it had.
    pub places: u8,
    /// Share of games won, per seat.
    pub wins: Estimate,
}

/// How often a face is played per game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FaceResult {
    /// Its name: what all cards of the face have in common.
    pub face: String,
    /// How many cards of the deck have it.
    pub copies: u32,
    /// Times played per game.
    #[serde(flatten)]
    pub plays: Estimate,
}

/// How often a card is played per game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CardResult {
    /// The card.
    pub card: CardName,
    /// How many the deck has.
    pub copies: u32,
    /// Times played per game.
    #[serde(flatten)]
    pub plays: Estimate,
}

/// Other rules on the same deals.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Variant {
    /// The statistics.
    #[serde(flatten)]
    pub statistics: Statistics,
    /// The means minus those by the first rules, with the intervals of the differences.
    pub differences: Vec<MeasureDifference>,
    /// The same for the share of games won by position.
    pub position_differences: Vec<Estimate>,
}

/// How a mean differs from that by the first rules.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MeasureDifference {
    /// What it is.
    pub measure: Measure,
    /// The difference per game.
    #[serde(flatten)]
    pub difference: Estimate,
}

/// What a worker needs.
struct Desk<B> {
    bots: Vec<B>,
    counter: Counter,
}

/// A game and everybody's luck in it, by seat, in parts of a win.
struct Played {
    counts: Counts,
    luck: [i64; SEATS],
    dealer: usize,
}

/// Shares won without luck, by position and by side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fair {
    positions: Controlled,
    sides: Controlled,
}

impl Fair {
    fn merge(&mut self, other: &Fair) {
        self.positions.merge(&other.positions);
        self.sides.merge(&other.sides);
    }
}

/// The exact sums over some games: those of parts of a run can be merged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimulationSums {
    tallies: Vec<Tally>,
    differences: Vec<Differences>,
    /// Without luck, if that is taken out: by rules, and how positions differ from those by the first rules.
    fair: Vec<Fair>,
    fair_differences: Vec<Controlled>,
    failures: Failures,
    last_error: Option<String>,
}

impl SimulationSums {
    /// Merges the sums of the parts of a simulation, in their order.
    ///
    /// # Errors
    /// When a part is not one of this simulation.
    pub fn merge<C>(simulation: &Simulation<'_, C>, parts: &[SimulationSums]) -> Result<SimulationSums, MergeError> {
        let rules = simulation.rules.len();
        let mut all = SimulationSums::new(rules);
        for (number, part) in (1..).zip(parts) {
            let games = Part { number, of: parts.len() as u64 }.share_of(simulation.games);
            let lengths =
                [part.tallies.len(), part.fair.len(), part.differences.len() + 1, part.fair_differences.len() + 1];
            if lengths != [rules; 4] || !part.is_plausible(games) {
                return Err(MergeError { part: number });
            }
            all.add(part);
        }
        match all.is_plausible(simulation.games) {
            true => Ok(all),
            false => Err(MergeError { part: parts.len() as u64 }),
        }
    }

    fn is_plausible(&self, games: u64) -> bool {
        self.tallies.iter().all(|tally| tally.is_plausible(games))
            && self.differences.iter().all(|differences| differences.is_plausible(games))
    }

    fn new(rules: usize) -> SimulationSums {
        let (tallies, differences) = (vec![Tally::default(); rules], vec![Differences::default(); rules - 1]);
        let (fair, fair_differences) = (vec![Fair::default(); rules], vec![Controlled::default(); rules - 1]);
        SimulationSums { tallies, differences, fair, fair_differences, ..SimulationSums::default() }
    }

    fn add(&mut self, other: &SimulationSums) {
        self.tallies.iter_mut().zip(&other.tallies).for_each(|(own, other)| own.merge(other));
        self.differences.iter_mut().zip(&other.differences).for_each(|(own, other)| own.merge(other));
        self.fair.iter_mut().zip(&other.fair).for_each(|(own, other)| own.merge(other));
        self.fair_differences.iter_mut().zip(&other.fair_differences).for_each(|(own, other)| own.merge(other));
        self.failures += other.failures;
        if other.last_error.is_some() {
            self.last_error.clone_from(&other.last_error);
        }
    }

    /// Games by each of the rules.
    pub(crate) fn games(&self) -> u64 {
        self.tallies[0].games()
    }
}

impl<C: Contestant> Simulation<'_, C> {
    /// Plays the games.
    ///
    /// # Errors
    /// When a contestant cannot play.
    ///
    /// # Panics
    /// If there are no rules, or that many cannot play by them: see [`Simulation::check`].
    pub fn run(&self, crew: &mut Crew<'_>) -> Result<SimulationResult, EntryError> {
        self.run_recorded(None, crew).map_err(RunError::into_entry)
    }

    /// Plays the games and hands their records over, in order, if they are [`recorded`](Simulation::recorded).
    ///
    /// # Errors
    /// When a contestant cannot play, or the records cannot be written.
    ///
    /// # Panics
    /// As [`Simulation::run`].
    pub fn run_recorded(
        &self,
        records: Option<RecordSink<'_>>,
        crew: &mut Crew<'_>,
    ) -> Result<SimulationResult, RunError> {
        Ok(self.result_of(&self.play_part(Part::WHOLE, records, crew)?))
    }

    /// Plays a part of the games: the sums of all parts, [merged](SimulationSums::merge), have the
    /// [result](Simulation::result_of) of the whole. `None` if the crew was stopped before the part was finished.
    ///
    /// # Errors
    /// When a contestant cannot play, or the records cannot be written.
    ///
    /// # Panics
    /// As [`Simulation::run`].
    pub fn run_part(
        &self,
        part: Part,
        records: Option<RecordSink<'_>>,
        crew: &mut Crew<'_>,
    ) -> Result<Option<SimulationSums>, RunError> {
        let sums = self.play_part(part, records, crew)?;
        Ok((sums.games() == part.share_of(self.games)).then_some(sums))
    }

    /// The sums of a part, as far as it came before the crew was stopped.
    pub(crate) fn play_part(
        &self,
        part: Part,
        mut records: Option<RecordSink<'_>>,
        crew: &mut Crew<'_>,
    ) -> Result<SimulationSums, RunError> {
        let range = part.range(self.games);
        let games = range.end - range.start;
        let chunk = (games / 256).clamp(1, if self.recorded { 32 } else { 512 });
        let mut sums = SimulationSums::new(self.rules.len());
        let mut failed = None;
        crew.run(
            games.div_ceil(chunk),
            || Ok(Desk { bots: self.line_up.enter()?, counter: Counter::default() }),
            |desk, number, stopped| {
                let first = range.start + number * chunk;
                self.play_some(first..(first + chunk).min(range.end), desk, stopped)
            },
            |(some, lines): (Box<SimulationSums>, Vec<u8>), progress| {
                if let Some(Err(error)) = records.as_mut().map(|sink| sink.write_all(&lines)) {
                    failed = Some(error);
                    return ControlFlow::Break(());
                }
                sums.add(&some);
                progress(sums.games());
                ControlFlow::Continue(())
            },
        )?;
        failed.map_or(Ok(sums), |error| Err(RunError::Records(error)))
    }

    /// Whether that many can play by all of the rules.
    ///
    /// # Errors
    /// When they cannot.
    pub fn check(&self) -> Result<(), RulesError> {
        self.rules.iter().try_for_each(|rules| Game::check(rules, self.line_up.players()))
    }

    fn play_some(
        &self,
        games: std::ops::Range<u64>,
        desk: &mut Desk<C::Bot>,
        stopped: &dyn Fn() -> bool,
    ) -> Option<(Box<SimulationSums>, Vec<u8>)> {
        let mut ledger = Box::new(SimulationSums::new(self.rules.len()));
        let mut lines = Vec::new();
        let before = self.line_up.failures(&desk.bots);
        for number in games {
            if stopped() {
                return None;
            }
            let base = self.play(&self.rules[0], number, desk, &mut lines);
            ledger.tallies[0].add(&base.counts);
            self.take_out(number, &base, &mut ledger.fair[0]);
            for (variant, rules) in self.rules.iter().enumerate().skip(1) {
                let played = self.play(rules, number, desk, &mut lines);
                ledger.tallies[variant].add(&played.counts);
                ledger.differences[variant - 1].add(&base.counts, &played.counts);
                self.take_out(number, &played, &mut ledger.fair[variant]);
                if self.adjusts() {
                    let pairs = self.by_position(&base).zip(self.by_position(&played));
                    let differences = pairs.map(|((wins, luck), (other, lucky))| (other - wins, lucky - luck));
                    ledger.fair_differences[variant - 1].add(number, differences);
                }
            }
        }
        let after = self.line_up.failures(&desk.bots);
        for (side, (before, after)) in before.into_iter().zip(after).enumerate().filter(|(_, (a, b))| a != b) {
            ledger.failures += after - before;
            ledger.last_error = self.line_up.last_error(side, &desk.bots);
        }
        Some((ledger, lines))
    }

    fn adjusts(&self) -> bool {
        self.adjustment.is_some() && self.unit == Unit::Round
    }

    /// Counts the shares of a game without luck, if that is wanted.
    fn take_out(&self, number: u64, played: &Played, fair: &mut Fair) {
        if !self.adjusts() {
            return;
        }
        fair.positions.add(number, self.by_position(played));
        let places = self.line_up.places();
        let luck = |side| (0..places.len()).filter(|seat| places[*seat] == side).map(|seat| played.luck[seat]).sum();
        let sides =
            (0..self.line_up.sides().len()).map(|side| (played.counts.get(Slot::Side(side)).into(), luck(side)));
        fair.sides.add(number, sides);
    }

    /// Shares won and luck by position, beginning to the left of the dealer.
    fn by_position<'a>(&self, played: &'a Played) -> impl Iterator<Item = (i64, i64)> + use<'a, C> {
        let players = usize::from(self.line_up.players());
        (0..players).map(move |position| {
            let seat = (played.dealer + 1 + position) % players;
            (played.counts.get(Slot::Position(position)).into(), played.luck[seat])
        })
    }

    #[inline]
    fn play(&self, rules: &Rules, number: u64, desk: &mut Desk<C::Bot>, lines: &mut Vec<u8>) -> Played {
        let Desk { bots, counter } = desk;
        let players = bots.len();
        let places = self.line_up.places();
        for (place, bot) in bots.iter_mut().enumerate() {
            let seed = derive(self.seed, &[number, 1 + place as u64]);
            self.line_up.sides()[places[place]].contestant.renew(bot, seed);
        }
        let dealer = (number % players as u64) as Seat;
        let game = Game { rules, unit: self.unit, seed: derive(self.seed, &[number]), dealer, recorded: self.recorded };
        let mut luck = [0; SEATS];
        let mut scribe = self.recorded.then(Scribe::default);
        let result = match self.adjustment.filter(|_| self.adjusts()) {
            // Most runs record nothing, and are not to look for it.
            None if scribe.is_none() => game.play(bots, counter),
            None => game.play(bots, &mut (&mut *counter, &mut scribe)),
            Some(adjustment) => {
                let mut meter = LuckMeter::new(adjustment, derive(self.seed, &[number, 0]));
                let result = game.play(bots, &mut (&mut scribe, &mut (&mut *counter, &mut meter)));
                luck = meter.luck.map(|luck| (luck * f64::from(WIN)).round() as i64);
                result
            }
        };
        if let Some(scribe) = scribe {
            scribe.write(&game, players, |seat| self.line_up.sides()[places[seat]].name.as_str(), lines);
        }
        let counts = counter.finish(&result, players, dealer, |seat| places[seat]);
        Played { counts, luck, dealer: dealer.into() }
    }

    /// What the sums of a whole simulation say.
    pub fn result_of(&self, ledger: &SimulationSums) -> SimulationResult {
        let sums = ledger.tallies.iter().zip(&ledger.fair);
        let mut statistics =
            self.rules.iter().zip(sums).map(|(rules, (tally, fair))| self.statistics(rules, tally, fair));
        let base = statistics.next().expect("there are rules");
        let differences = ledger.differences.iter().zip(&ledger.fair_differences);
        let variants = statistics.zip(differences).map(|(statistics, (differences, fair))| Variant {
            statistics,
            differences: Measure::ALL
                .map(|measure| {
                    let difference = differences.moments(Slot::Measure(measure)).estimate();
                    MeasureDifference { measure, difference }
                })
                .to_vec(),
            position_differences: (0..self.line_up.players().into())
                .map(|position| match self.adjusts() {
                    true => share(fair.estimate(position)),
                    false => share(differences.moments(Slot::Position(position)).estimate()),
                })
                .collect(),
        });
        let first = &ledger.fair[0];
        let alike = self.line_up.sides().len() == 1;
        let worth = || if alike { first.positions.worth(0) } else { first.sides.worth(0) };
        let games = ledger.games();
        SimulationResult {
            complete: games == self.games,
            games,
            failures: ledger.failures,
            last_error: ledger.last_error.clone(),
            worth_of_adjustment: if self.adjusts() { worth() } else { None },
            variants: variants.collect(),
            base,
        }
    }

    fn statistics(&self, rules: &Rules, tally: &Tally, fair: &Fair) -> Statistics {
        let estimate = |slot| match slot {
            Slot::Position(position) if self.adjusts() => fair.positions.estimate(position),
            Slot::Side(side) if self.adjusts() => fair.sides.estimate(side),
            slot => tally.moments(slot).estimate(),
        };
        let sides = self.line_up.sides().iter().enumerate().map(|(number, side)| SideShare {
            name: side.name.clone(),
            places: side.places,
            wins: share(estimate(Slot::Side(number))).times(1.0 / f64::from(side.places)),
        });
        Statistics {
            measures: Measure::ALL
                .map(|measure| {
                    let estimate = estimate(Slot::Measure(measure));
                    MeasureResult { measure, total: tally.total(measure), estimate }
                })
                .to_vec(),
            shares: shares(tally),
            turns: Distribution::of(&tally.turns),
            points: Distribution::of(&tally.points),
            rounds: Distribution::of(&tally.rounds),
            even: 1.0 / f64::from(self.line_up.players()),
            positions: (0..self.line_up.players().into())
                .map(|position| share(estimate(Slot::Position(position))))
                .collect(),
            sides: sides.collect(),
            faces: faces(rules, tally),
            cards: cards(rules, tally),
        }
    }
}

impl Distribution {
    fn of(histogram: &Histogram) -> Distribution {
        Distribution { spread: histogram.spread(), bins: histogram.bins(BINS) }
    }
}

/// Wins are counted in parts of one win.
fn share(wins: Estimate) -> Estimate {
    wins.times(1.0 / f64::from(WIN))
}

fn shares(tally: &Tally) -> Vec<ShareResult> {
    let share =
        |id, title, part: u64, whole: u64| ShareResult { id, title, part, whole, share: Estimate::share(part, whole) };
    let total = |measure| tally.total(measure);
    let (called, forgotten) = (total(Measure::UnoCalled), total(Measure::UnoForgotten));
    let (played, challenged) = (total(Measure::WildDrawFours), total(Measure::Challenges));
    vec![
        share("bluffed", "Wild Draw Fours that were bluffs", total(Measure::Bluffs), played),
        share("challenged", "Wild Draw Fours that were challenged", challenged, played),
        share("challenge_won", "challenges that succeeded", total(Measure::ChallengesWon), challenged),
        share("uno_forgotten", "last cards but one played without \"UNO\"", forgotten, called + forgotten),
        share("uno_caught", "forgotten \"UNO\"s that were caught", total(Measure::UnoCaught), forgotten),
        share("blocked", "rounds that were blocked", total(Measure::Blocked), total(Measure::Rounds)),
    ]
}

/// The kinds of card a deck has.
fn deck(rules: &Rules) -> impl Iterator<Item = (Card, u32)> {
    Card::all().map(|card| (card, u32::from(rules.deck().copies(card)))).filter(|(_, copies)| *copies > 0)
}

fn cards(rules: &Rules, tally: &Tally) -> Vec<CardResult> {
    deck(rules)
        .map(|(card, copies)| CardResult {
            card: card.name(rules.palette()),
            copies,
            plays: tally.moments(Slot::Card(card)).estimate(),
        })
        .collect()
}

/// The thirteen faces that come in colors, then the wilds.
fn faces(rules: &Rules, tally: &Tally) -> Vec<FaceResult> {
    let colored = (0..FACES).map(|face| {
        let copies = deck(rules).filter(|(card, _)| !card.is_wild() && card.index() % FACES == face);
        let name =
            Card::from_index(face).map_or(String::new(), |card| card.name(rules.palette()).as_str()[1..].to_owned());
        let plays = tally.moments(Slot::Face(face)).estimate();
        FaceResult { face: name, copies: copies.map(|(_, copies)| copies).sum(), plays }
    });
    let wilds = cards(rules, tally).into_iter().filter(|card| card.card.as_str().starts_with('W'));
    let wilds = wilds.map(|card| FaceResult { face: card.card.to_string(), copies: card.copies, plays: card.plays });
    colored.chain(wilds).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use unum_bots::Level;
    use unum_rules::record::Record;
    use unum_rules::{Edition, House, RulesSpec, Stacking};

    use super::*;
    use crate::Entrant;

    fn line_up(players: usize) -> LineUp<Entrant> {
        LineUp::new((0..players).map(|_| ("random".to_owned(), Entrant::from(Level::Random)))).unwrap()
    }

    fn run<C: Contestant>(simulation: &Simulation<'_, C>, threads: usize) -> SimulationResult {
        let mut crew = Crew { threads, stop: &AtomicBool::new(false), progress: &mut |_| {} };
        simulation.run(&mut crew).unwrap()
    }

    fn measure(statistics: &Statistics, measure: Measure) -> Estimate {
        statistics.measures.iter().find(|result| result.measure == measure).unwrap().estimate
    }

    #[test]
    fn without_luck_the_games_are_the_same_and_shares_have_tighter_intervals() {
        let changed =
            RulesSpec { house: House { hand_size: Some(5), ..House::default() }, ..RulesSpec::of(Edition::Original) };
        let rules = [Rules::of(Edition::Original), Rules::new(changed).unwrap()];
        let sides = [("hard", Level::Hard), ("normal", Level::Normal)];
        let line_up =
            LineUp::new(sides.into_iter().map(|(name, level)| (name.to_owned(), Entrant::from(level)))).unwrap();
        let (unit, adjustment) = (Unit::Round, Some(Adjustment { pairs: 8, draws: 3, values: 1, deals: 16 }));
        let plain = Simulation {
            rules: &rules,
            line_up: &line_up,
            unit,
            games: 400,
            seed: 3,
            adjustment: None,
            recorded: false,
        };
        let adjusted = Simulation { adjustment, ..plain };
        let (one, other) = (run(&plain, 2), run(&adjusted, 2));
        assert_eq!(other, run(&adjusted, 1), "the number of threads makes no difference");
        assert_eq!(one.base.measures, other.base.measures, "the same games");
        let pairs = [
            (one.base.sides[0].wins, other.base.sides[0].wins),
            (one.base.positions[1], other.base.positions[1]),
            (one.variants[0].position_differences[0], other.variants[0].position_differences[0]),
        ];
        for (before, after) in pairs {
            let [wide, tight] = [before, after].map(|estimate| estimate.margin().unwrap());
            assert!((before.mean - after.mean).abs() < 1.5 * wide, "{before:?} {after:?}");
            assert!(tight < 0.8 * wide, "{before:?} {after:?}");
        }
        let sum: f64 = other.base.sides.iter().map(|side| side.wins.mean).sum();
        assert!((sum - 1.0).abs() < 1e-9 && other.worth_of_adjustment.unwrap() > 1.5, "{sum}");
        assert_eq!(one.worth_of_adjustment, None);
        let matches = Simulation { unit: Unit::Match, games: 4, ..adjusted };
        assert_eq!(run(&matches, 1).worth_of_adjustment, None, "a match has no chances of its own here");
    }

    #[test]
    fn parts_add_up_to_the_whole_even_without_luck() {
        let changed =
            RulesSpec { house: House { hand_size: Some(5), ..House::default() }, ..RulesSpec::of(Edition::Original) };
        let rules = [Rules::of(Edition::Original), Rules::new(changed).unwrap()];
        let line_up = line_up(3);
        let adjustment = Some(Adjustment { pairs: 2, draws: 1, values: 1, deals: 2 });
        for (games, parts, adjustment) in [(2, 3, None), (1001, 16, None), (40, 3, adjustment)] {
            let (unit, seed, recorded) = (Unit::Round, 3, false);
            let simulation = Simulation { rules: &rules, line_up: &line_up, unit, games, seed, adjustment, recorded };
            let sums = |number| {
                let mut crew = Crew { threads: 2, stop: &AtomicBool::new(false), progress: &mut |_| {} };
                let sums = simulation.run_part(Part { number, of: parts }, None, &mut crew).unwrap().unwrap();
                let json = serde_json::to_string(&sums).unwrap();
                serde_json::from_str::<SimulationSums>(&json).unwrap()
            };
            let mut all: Vec<SimulationSums> = (1..=parts).map(sums).collect();
            let merged = SimulationSums::merge(&simulation, &all).unwrap();
            assert_eq!(simulation.result_of(&merged), run(&simulation, 2), "{games} games in {parts} parts");
            all[1].differences.pop();
            assert_eq!(SimulationSums::merge(&simulation, &all), Err(MergeError { part: 2 }));
        }
    }

    #[test]
    fn recorded_games_replay_and_come_in_order() {
        let seven = RulesSpec {
            house: House { seven_zero: true, jump_in: true, ..House::default() },
            ..RulesSpec::of(Edition::Original)
        };
        let rules = [Rules::of(Edition::Frozen), Rules::new(seven).unwrap(), Rules::of(Edition::Custom)];
        let line_up = line_up(3);
        for (unit, games) in [(Unit::Round, 30), (Unit::Match, 3)] {
            let (seed, adjustment, recorded) = (5, None, true);
            let simulation = Simulation { rules: &rules, line_up: &line_up, unit, games, seed, adjustment, recorded };
            let recorded = |threads, part| {
                let (mut lines, stop) = (Vec::new(), AtomicBool::new(false));
                let mut crew = Crew { threads, stop: &stop, progress: &mut |_| {} };
                let sums = simulation.run_part(part, Some(&mut lines), &mut crew).unwrap().unwrap();
                (sums, String::from_utf8(lines).unwrap())
            };
            let (sums, text) = recorded(1, Part::WHOLE);
            assert_eq!(text, recorded(3, Part::WHOLE).1);
            let parts = [1, 2].map(|number| recorded(2, Part { number, of: 2 }).1);
            assert_eq!(text, parts.concat(), "the files of parts are put together by laying them end to end");
            let records: Vec<Record> = text.lines().map(|line| Record::parse(line).unwrap()).collect();
            assert_eq!(records.len() as u64, games * 3);
            let result = simulation.result_of(&sums);
            let matches: Vec<_> = records.iter().map(|record| record.replay().unwrap()).collect();
            assert!(matches.iter().all(|game| game.winners().is_some() || game.round().is_over()));
            let rounds: u32 = records.iter().step_by(3).map(Record::rounds).sum();
            assert_eq!(u64::from(rounds), result.base.measures[0].total, "the figures are those of the recorded games");
        }
    }

    #[test]
    fn the_number_of_threads_makes_no_difference() {
        let stacking = RulesSpec {
            house: House { stacking: Stacking::Any, ..House::default() },
            ..RulesSpec::of(Edition::Original)
        };
        let rules = [Rules::of(Edition::Original), Rules::new(stacking).unwrap()];
        let line_up = line_up(4);
        for (unit, games) in [(Unit::Round, 3001), (Unit::Match, 200)] {
            let simulation = Simulation {
                rules: &rules,
                line_up: &line_up,
                unit,
                games,
                seed: 3,
                adjustment: None,
                recorded: false,
            };
            let alone = run(&simulation, 1);
            assert!(alone.complete && alone.games == games);
            assert_eq!(alone, run(&simulation, 2));
            assert_eq!(alone, run(&simulation, 5));
        }
    }

    /// The means that an independent program published; see docs/statistics.md. Its players choose a card among
    /// all playable copies, ours among the different ones, which is why the points may differ by 1 %.
    #[test]
    fn random_play_has_the_published_means() {
        let house = House { reverse_skips_with_two: true, ..House::default() };
        let rules = [Rules::new(RulesSpec { house, ..RulesSpec::of(Edition::Original) }).unwrap()];
        for (players, turns, points) in [(2, 46.7, 45.3), (4, 50.1, 117.1), (10, 83.0, 379.0)] {
            let line_up = line_up(players);
            let simulation = Simulation {
                rules: &rules,
                line_up: &line_up,
                unit: Unit::Round,
                games: 40_000,
                seed: 1,
                adjustment: None,
                recorded: false,
            };
            let result = run(&simulation, 2);
            let (found_turns, found_points) =
                (measure(&result.base, Measure::Turns), measure(&result.base, Measure::Points));
            assert!((found_turns.mean / turns - 1.0).abs() < 0.015, "{players}: {found_turns:?}");
            assert!((found_points.mean / points - 1.0).abs() < 0.02, "{players}: {found_points:?}");
        }
    }

    #[test]
    fn figures_agree_with_each_other() {
        let rules = [Rules::of(Edition::Frozen)];
        let line_up = line_up(3);
        let simulation = Simulation {
            rules: &rules,
            line_up: &line_up,
            unit: Unit::Round,
            games: 2000,
            seed: 1,
            adjustment: None,
            recorded: false,
        };
        let base = run(&simulation, 2).base;
        let wins: f64 = base.positions.iter().map(|wins| wins.mean).sum();
        assert!((wins - 1.0).abs() < 1e-9 && (base.sides[0].wins.mean - base.even).abs() < 1e-9);
        let faces: f64 = base.faces.iter().map(|face| face.plays.mean).sum();
        let cards: f64 = base.cards.iter().map(|card| card.plays.mean).sum();
        assert!((faces - cards).abs() < 1e-9);
        assert_eq!(base.faces.iter().map(|face| face.copies).sum::<u32>() as usize, rules[0].deck().len());
        assert_eq!(base.turns.bins.iter().map(|bin| bin.count).sum::<u64>(), 2000);
        assert!(
            base.faces.iter().any(|face| face.face == "+2") && base.cards.iter().any(|card| card.card.as_str() == "P7")
        );
        let rounds = measure(&base, Measure::Rounds);
        assert_eq!((rounds.mean, rounds.margin()), (1.0, Some(0.0)));
    }

    #[test]
    fn differences_are_those_of_the_means_and_surer_than_they_look() {
        let house = House { hand_size: Some(8), ..House::default() };
        let longer = Rules::new(RulesSpec { house, ..RulesSpec::of(Edition::Original) }).unwrap();
        let rules = [Rules::of(Edition::Original), Rules::of(Edition::Original), longer];
        let line_up = line_up(2);
        let simulation = Simulation {
            rules: &rules,
            line_up: &line_up,
            unit: Unit::Round,
            games: 5000,
            seed: 1,
            adjustment: None,
            recorded: false,
        };
        let result = run(&simulation, 2);
        assert!(result.variants[0].differences.iter().all(|row| row.difference == Estimate::new(0.0, Some(0.0))));
        let turns = |statistics| measure(statistics, Measure::Turns).mean;
        let difference = result.variants[1].differences.iter().find(|row| row.measure == Measure::Turns).unwrap();
        let expected = turns(&result.variants[1].statistics) - turns(&result.base);
        assert!((difference.difference.mean - expected).abs() < 1e-9 && difference.difference.low.unwrap() > 0.0);
    }
}
