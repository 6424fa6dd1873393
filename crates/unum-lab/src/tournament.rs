//! Everybody against everybody: a round robin on duplicate deals, with one list of ratings.

use serde::{Deserialize, Serialize};
use unum_rules::{MAX_PLAYERS, MIN_PLAYERS, Rules, RulesError};

use crate::arena::{Arena, ArenaSums};
use crate::contestant::{Contestant, LineUp, LineUpError};
use crate::crew::Crew;
use crate::estimate::Estimate;
use crate::external::Failures;
use crate::game::{Unit, WIN};
use crate::part::{MergeError, Part};
use crate::rating::{Pair, Ratings};
use crate::recording::{RecordSink, RunError};
use crate::seeds::derive;

/// Who takes part, and every pairing of two of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field<C> {
    names: Vec<String>,
    seats: u8,
    pairings: Vec<Pairing<C>>,
}

/// Two who play each other, half of the seats each, sitting in turn.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pairing<C> {
    first: usize,
    second: usize,
    line_up: LineUp<C>,
}

/// Why there can be no such tournament.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum FieldError {
    #[error("a tournament has 2 to {most} different bots, not {0}", most = Field::<()>::MOST)]
    Size(usize),
    #[error("{0:?} is there twice: give one of them another name, as in me=hard")]
    Twice(String),
    #[error("two bots share the seats of a table, so their number is even, {MIN_PLAYERS} to {MAX_PLAYERS}, not {0}")]
    Seats(u8),
    #[error("{0}")]
    LineUp(#[from] LineUpError),
}

impl<C> Field<C> {
    /// The most bots of a tournament.
    pub const MOST: usize = 40;

    /// The names, in the order of the list.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Seats at a table.
    pub fn seats(&self) -> u8 {
        self.seats
    }

    /// How many pairings there are.
    pub fn pairings(&self) -> usize {
        self.pairings.len()
    }
}

impl<C: PartialEq + Clone> Field<C> {
    /// Everybody of a list against everybody else, at tables of that many seats.
    ///
    /// # Errors
    /// When there are too few or too many, a name comes twice, or the seats cannot be shared.
    pub fn new(entries: &[(String, C)], seats: u8) -> Result<Field<C>, FieldError> {
        if !(2..=Field::<C>::MOST).contains(&entries.len()) {
            return Err(FieldError::Size(entries.len()));
        }
        if !(MIN_PLAYERS..=MAX_PLAYERS).contains(&seats) || !seats.is_multiple_of(2) {
            return Err(FieldError::Seats(seats));
        }
        let names: Vec<String> = entries.iter().map(|(name, _)| name.clone()).collect();
        if let Some((_, twice)) = names.iter().enumerate().find(|(place, name)| names[..*place].contains(name)) {
            return Err(FieldError::Twice(twice.clone()));
        }
        let mut pairings = Vec::new();
        for first in 0..entries.len() {
            for second in first + 1..entries.len() {
                let places = [first, second].into_iter().cycle().take(usize::from(seats));
                let line_up = LineUp::new(places.map(|place| entries[place].clone()))?;
                pairings.push(Pairing { first, second, line_up });
            }
        }
        Ok(Field { names, seats, pairings })
    }
}

/// A tournament to run.
#[derive(Clone, Copy, Debug)]
pub struct Tournament<'a, C> {
    /// The rules played.
    pub rules: &'a Rules,
    /// Who plays.
    pub field: &'a Field<C>,
    /// Whether a deal is one round or the first of a match.
    pub unit: Unit,
    /// How many deals each pairing plays. Each is played as often as there are seats, the line-up moving on by one seat each time.
    pub deals: u64,
    /// Seed for the cards and the bots' random choices. Every pairing has deals of its own.
    pub seed: u64,
    /// Deal as records do, so that every game can be recorded.
    pub recorded: bool,
}

/// The results of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TournamentResult {
    /// Whether all deals were played.
    pub complete: bool,
    /// Deals played by all pairings together.
    pub deals: u64,
    /// Games played.
    pub games: u64,
    /// Rounds played.
    pub rounds: u64,
    /// Rounds that nobody won.
    pub blocked: u64,
    /// Everybody, the strongest first.
    pub standings: Vec<Standing>,
    /// What every two did against each other, the stronger first.
    pub pairings: Vec<PairingResult>,
    /// How well one list explains all pairings; `None` where it cannot fail to.
    pub fit: Option<Fit>,
}

/// The place of one bot.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// Its name.
    pub name: String,
    /// Strength on the Elo scale, 0 being the mean of all; `None` if somebody won or lost everything, so that no number is large
    /// enough.
    pub rating: Option<Estimate>,
    /// How far it is ahead of the next in the list.
    pub ahead: Option<Estimate>,
    /// Mean share of games won, over all opponents. Half is even.
    pub wins: Estimate,
    /// Points won minus points given, per game and seat.
    pub net_points: Estimate,
    /// Actions that the rules refused, so that the autopilot had to act.
    pub refused: u64,
    /// How often a program failed, so that the autopilot had to act.
    pub failures: Failures,
    /// The last of these failures in words.
    pub last_error: Option<String>,
}

/// What two did against each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairingResult {
    /// The stronger by the list.
    pub first: String,
    /// The other.
    pub second: String,
    /// Deals played.
    pub deals: u64,
    /// Share of games that the first won.
    pub wins: Estimate,
    /// The same by the ratings.
    pub expected: Option<f64>,
}

/// Pearson's test of the ratings against all pairings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Fit {
    /// Sum of the squared differences between shares and expected shares, in standard errors.
    pub chi_squared: f64,
    /// What that sum is on average if strength is a single number: pairings less ratings.
    pub degrees: u64,
}

impl Fit {
    /// How many standard deviations above its mean the sum is.
    pub fn surprise(&self) -> f64 {
        (self.chi_squared - self.degrees as f64) / (2.0 * self.degrees as f64).sqrt()
    }
}

/// The exact sums of a tournament, or of a part of one: those of parts can be merged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentSums {
    /// By pairing.
    pairings: Vec<ArenaSums>,
}

impl TournamentSums {
    /// Merges the sums of the parts of a tournament, in their order.
    ///
    /// # Errors
    /// When a part is not one of this tournament.
    pub fn merge<C>(tournament: &Tournament<'_, C>, parts: &[TournamentSums]) -> Result<TournamentSums, MergeError> {
        let pairings = tournament.field.pairings();
        if let Some((number, _)) = (1..).zip(parts).find(|(_, part)| part.pairings.len() != pairings) {
            return Err(MergeError { part: number });
        }
        let merged = (0..pairings).map(|pairing| {
            let parts: Vec<ArenaSums> = parts.iter().map(|part| part.pairings[pairing].clone()).collect();
            ArenaSums::merge(&tournament.arena(pairing), &parts)
        });
        Ok(TournamentSums { pairings: merged.collect::<Result<_, _>>()? })
    }
}

impl<'a, C> Tournament<'a, C> {
    /// The contest of one pairing.
    fn arena(&self, number: usize) -> Arena<'a, C> {
        Arena {
            rules: self.rules,
            line_up: &self.field.pairings[number].line_up,
            unit: self.unit,
            deals: self.deals,
            seed: derive(self.seed, &[number as u64]),
            question: None,
            adjustment: None,
            recorded: self.recorded,
        }
    }
}

impl<C: Contestant> Tournament<'_, C> {
    /// Whether that many can play by these rules.
    ///
    /// # Errors
    /// When they cannot.
    pub fn check(&self) -> Result<(), RulesError> {
        self.arena(0).check()
    }

    /// Deals of a part, all pairings together.
    pub fn deals_of(&self, part: Part) -> u64 {
        part.share_of(self.deals).saturating_mul(self.field.pairings() as u64)
    }

    /// Runs a part of the tournament, pairing by pairing, and hands the records of its games over, in order, if it is
    /// [`recorded`](Tournament::recorded). A crew that is stopped leaves out the rest: [`is_complete`](Tournament::is_complete).
    ///
    /// # Errors
    /// When a contestant cannot play, or the records cannot be written.
    ///
    /// # Panics
    /// If that many cannot play by these rules: see [`Tournament::check`].
    pub fn run_part(
        &self,
        part: Part,
        mut records: Option<RecordSink<'_>>,
        crew: &mut Crew<'_>,
    ) -> Result<TournamentSums, RunError> {
        let mut sums = TournamentSums::default();
        let mut before = 0;
        for number in 0..self.field.pairings() {
            let mut progress = |deals| (crew.progress)(before + deals);
            let mut own = Crew { threads: crew.threads, stop: crew.stop, progress: &mut progress };
            let records = records.as_mut().map(|sink| &mut **sink as RecordSink<'_>);
            let played = self.arena(number).sums(part, records, &mut own)?;
            before += played.deals();
            sums.pairings.push(played);
        }
        Ok(sums)
    }

    /// Whether these are all deals of a part.
    pub fn is_complete(&self, part: Part, sums: &TournamentSums) -> bool {
        sums.pairings.iter().map(ArenaSums::deals).sum::<u64>() == self.deals_of(part)
    }
}

impl<C> Tournament<'_, C> {
    /// What the sums of a whole tournament say.
    pub fn result_of(&self, sums: &TournamentSums) -> TournamentResult {
        let pairs: Vec<Pair> =
            (0..sums.pairings.len()).map(|number| self.pair(number, &sums.pairings[number])).collect();
        let ratings = Ratings::fit(self.field.names().len(), &pairs);
        let totals: Vec<Total> = (0..self.field.names().len()).map(|bot| self.total(bot, &pairs, sums)).collect();
        let mut order: Vec<usize> = (0..totals.len()).collect();
        let strength = |bot: usize| ratings.as_ref().map_or(totals[bot].wins.mean, |ratings| ratings.of(bot).mean);
        order.sort_by(|one, other| strength(*other).total_cmp(&strength(*one)));
        let deals: u64 = sums.pairings.iter().map(ArenaSums::deals).sum();
        let standing = |place: usize| {
            let bot = order[place];
            let next = order.get(place + 1);
            let total = totals[bot].clone();
            Standing {
                name: self.field.names()[bot].clone(),
                rating: ratings.as_ref().map(|ratings| ratings.of(bot)),
                ahead: ratings.as_ref().zip(next).map(|(ratings, next)| ratings.ahead(bot, *next)),
                wins: total.wins,
                net_points: total.net_points,
                refused: total.refused,
                failures: total.failures,
                last_error: total.last_error,
            }
        };
        TournamentResult {
            complete: deals == self.deals.saturating_mul(self.field.pairings() as u64),
            deals,
            games: deals * u64::from(self.field.seats()),
            rounds: sums.pairings.iter().map(ArenaSums::rounds).sum(),
            blocked: sums.pairings.iter().map(ArenaSums::blocked).sum(),
            standings: (0..order.len()).map(standing).collect(),
            pairings: self.pairings(&order, &pairs, ratings.as_ref(), sums),
            fit: ratings.as_ref().and_then(|ratings| fit(ratings, &pairs, totals.len())),
        }
    }

    /// Games of a pairing, and the share its first bot won.
    fn pair(&self, number: usize, sums: &ArenaSums) -> Pair {
        let Pairing { first, second, .. } = self.field.pairings[number];
        let seats = f64::from(self.field.seats());
        let whole = seats * f64::from(WIN);
        let wins = sums.wins(0);
        let deals = sums.deals() as f64;
        let variance = wins.variance().map(|variance| variance / deals / (whole * whole));
        Pair { first, second, games: deals * seats, share: wins.mean() / whole, variance }
    }

    fn pairings(
        &self,
        order: &[usize],
        pairs: &[Pair],
        ratings: Option<&Ratings>,
        sums: &TournamentSums,
    ) -> Vec<PairingResult> {
        let place = |bot: usize| order.iter().position(|other| *other == bot).unwrap_or(usize::MAX);
        let mut results: Vec<(usize, usize, PairingResult)> = pairs
            .iter()
            .zip(&sums.pairings)
            .map(|(pair, sums)| {
                let turned = place(pair.first) > place(pair.second);
                let (first, second) = if turned { (pair.second, pair.first) } else { (pair.first, pair.second) };
                let share = if turned { 1.0 - pair.share } else { pair.share };
                let result = PairingResult {
                    first: self.field.names()[first].clone(),
                    second: self.field.names()[second].clone(),
                    deals: sums.deals(),
                    wins: estimate(share, pair.variance),
                    expected: ratings.map(|ratings| ratings.expected(first, second)),
                };
                (place(first), place(second), result)
            })
            .collect();
        results.sort_by_key(|(first, second, _)| (*first, *second));
        results.into_iter().map(|(_, _, result)| result).collect()
    }

    /// What one bot did against all others. Every opponent counts the same.
    fn total(&self, bot: usize, pairs: &[Pair], sums: &TournamentSums) -> Total {
        let mut total = Total::default();
        let (mut shares, mut net) = (Mean::default(), Mean::default());
        let per_seat = 1.0 / (f64::from(self.field.seats()) * f64::from(self.field.seats()) / 2.0);
        for (pair, sums) in pairs.iter().zip(&sums.pairings) {
            let side = match bot {
                bot if bot == pair.first => 0,
                bot if bot == pair.second => 1,
                _ => continue,
            };
            let (refused, failures, last_error) = sums.troubles(side);
            total.refused += refused;
            total.failures += failures;
            total.last_error = last_error.or(total.last_error);
            if sums.deals() == 0 {
                continue;
            }
            shares.add(if side == 0 { pair.share } else { 1.0 - pair.share }, pair.variance);
            let points = sums.net_points(side);
            let variance = points.variance().map(|variance| variance * per_seat * per_seat / sums.deals() as f64);
            net.add(points.mean() * per_seat, variance);
        }
        Total { wins: shares.estimate(), net_points: net.estimate(), ..total }
    }
}

/// What one bot did against all others.
#[derive(Clone, Debug)]
struct Total {
    wins: Estimate,
    net_points: Estimate,
    refused: u64,
    failures: Failures,
    last_error: Option<String>,
}

impl Default for Total {
    fn default() -> Total {
        let nothing = Estimate::new(0.0, None);
        Total { wins: nothing, net_points: nothing, refused: 0, failures: Failures::default(), last_error: None }
    }
}

/// The mean of independent means.
#[derive(Default)]
struct Mean {
    sum: f64,
    /// Of the sum; not known while there is a part without.
    variance: f64,
    unknown: bool,
    count: f64,
}

impl Mean {
    fn add(&mut self, mean: f64, variance: Option<f64>) {
        self.sum += mean;
        self.variance += variance.unwrap_or(0.0);
        self.unknown |= variance.is_none();
        self.count += 1.0;
    }

    fn estimate(&self) -> Estimate {
        let count = self.count.max(1.0);
        let known = !self.unknown && self.count > 0.0;
        estimate(self.sum / count, known.then_some(self.variance / (count * count)))
    }
}

fn estimate(mean: f64, variance: Option<f64>) -> Estimate {
    Estimate::new(mean, variance.map(|variance| crate::estimate::REACH * variance.max(0.0).sqrt()))
}

/// The test of the ratings, where there are more pairings than ratings to choose.
fn fit(ratings: &Ratings, pairs: &[Pair], bots: usize) -> Option<Fit> {
    let degrees = pairs.len().checked_sub(bots - 1).filter(|degrees| *degrees > 0)?;
    let mut chi_squared = 0.0;
    for pair in pairs {
        let variance = pair.variance.filter(|variance| *variance > 0.0)?;
        let difference = pair.share - ratings.expected(pair.first, pair.second);
        chi_squared += difference * difference / variance;
    }
    Some(Fit { chi_squared, degrees: degrees as u64 })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use unum_bots::Level;
    use unum_rules::Edition;

    use super::*;

    fn field(seats: u8) -> Field<Level> {
        let levels = [("weak", Level::Random), ("middling", Level::Easy), ("strong", Level::Hard)];
        Field::new(&levels.map(|(name, level)| (name.to_owned(), level)), seats).unwrap()
    }

    fn run(tournament: &Tournament<'_, Level>, part: Part, threads: usize) -> TournamentSums {
        let mut crew = Crew { threads, stop: &AtomicBool::new(false), progress: &mut |_| {} };
        tournament.run_part(part, None, &mut crew).unwrap()
    }

    fn tournament<'a>(rules: &'a Rules, field: &'a Field<Level>, deals: u64) -> Tournament<'a, Level> {
        Tournament { rules, field, unit: Unit::Round, deals, seed: 3, recorded: false }
    }

    #[test]
    fn the_stronger_come_first_and_shares_add_up() {
        let (rules, field) = (Rules::of(Edition::Original), field(4));
        let tournament = tournament(&rules, &field, 400);
        let sums = run(&tournament, Part::WHOLE, 2);
        assert!(tournament.is_complete(Part::WHOLE, &sums));
        let result = tournament.result_of(&sums);
        let names: Vec<&str> = result.standings.iter().map(|standing| standing.name.as_str()).collect();
        assert_eq!(names, ["strong", "middling", "weak"]);
        assert_eq!((result.deals, result.games), (3 * 400, 3 * 400 * 4));
        let ratings: Vec<Estimate> = result.standings.iter().filter_map(|standing| standing.rating).collect();
        assert!(ratings.iter().map(|rating| rating.mean).sum::<f64>().abs() < 1e-6);
        assert!(result.standings[0].ahead.unwrap().low.unwrap() > 0.0 && result.standings[2].ahead.is_none());
        let difference = ratings[0].mean - ratings[1].mean;
        assert!((result.standings[0].ahead.unwrap().mean - difference).abs() < 1e-9);
        assert!((result.standings.iter().map(|standing| standing.wins.mean).sum::<f64>() - 1.5).abs() < 1e-9);
        assert!(result.standings.iter().map(|standing| standing.net_points.mean).sum::<f64>().abs() < 1e-9);
        let pairings: Vec<(&str, &str)> =
            result.pairings.iter().map(|pairing| (pairing.first.as_str(), pairing.second.as_str())).collect();
        assert_eq!(pairings, [("strong", "middling"), ("strong", "weak"), ("middling", "weak")]);
        assert!(result.pairings.iter().all(|pairing| pairing.wins.mean > 0.5));
        assert_eq!(result.fit.unwrap().degrees, 1);
    }

    #[test]
    fn a_pairing_is_the_arena_of_its_line_up() {
        let (rules, field) = (Rules::of(Edition::Original), field(2));
        let tournament = tournament(&rules, &field, 100);
        let result = tournament.result_of(&run(&tournament, Part::WHOLE, 1));
        let line_up = LineUp::new([("weak".to_owned(), Level::Random), ("strong".to_owned(), Level::Hard)]).unwrap();
        let arena = Arena { line_up: &line_up, ..tournament.arena(1) };
        let mut crew = Crew { threads: 1, stop: &AtomicBool::new(false), progress: &mut |_| {} };
        let arena = arena.run(&mut crew).unwrap();
        let (wins, expected) = (result.pairings[1].wins, arena.sides[1].wins);
        assert!((wins.mean - expected.mean).abs() < 1e-12);
        assert!((wins.margin().unwrap() - expected.margin().unwrap()).abs() < 1e-12);
    }

    #[test]
    fn parts_and_threads_make_no_difference() {
        let (rules, field) = (Rules::of(Edition::Original), field(2));
        let tournament = tournament(&rules, &field, 50);
        let whole = run(&tournament, Part::WHOLE, 3);
        let parts: Vec<TournamentSums> = (1..=7).map(|number| run(&tournament, Part { number, of: 7 }, 1)).collect();
        let read: Vec<TournamentSums> =
            parts.iter().map(|sums| serde_json::from_str(&serde_json::to_string(sums).unwrap()).unwrap()).collect();
        assert_eq!(read, parts);
        let merged = TournamentSums::merge(&tournament, &parts).unwrap();
        assert_eq!(tournament.result_of(&merged), tournament.result_of(&whole));
        let mut foreign = parts.clone();
        foreign[4] = TournamentSums::default();
        assert_eq!(TournamentSums::merge(&tournament, &foreign), Err(MergeError { part: 5 }));
        foreign[4] = whole;
        assert_eq!(TournamentSums::merge(&tournament, &foreign), Err(MergeError { part: 5 }));
    }

    #[test]
    fn a_tournament_that_is_stopped_says_so() {
        let (rules, field) = (Rules::of(Edition::Original), field(2));
        let tournament = tournament(&rules, &field, 50);
        let mut crew = Crew { threads: 1, stop: &AtomicBool::new(true), progress: &mut |_| {} };
        let sums = tournament.run_part(Part::WHOLE, None, &mut crew).unwrap();
        assert!(!tournament.is_complete(Part::WHOLE, &sums));
        let result = tournament.result_of(&sums);
        assert_eq!((result.complete, result.deals, result.fit), (false, 0, None));
        assert!(result.standings.iter().all(|standing| standing.rating.is_none()));
    }

    #[test]
    fn what_is_no_field_is_refused_in_words() {
        let entry = |name: &str| (name.to_owned(), Level::Random);
        for (entries, seats, words) in [
            (vec![entry("a")], 2, "2 to 40 different bots, not 1"),
            (vec![entry("a"), entry("b"), entry("a")], 2, "\"a\" is there twice"),
            (vec![entry("a"), entry("b")], 3, "even, 2 to 10, not 3"),
            (vec![entry("a"), entry("b")], 12, "not 12"),
            (vec![entry("a"), entry("b")], 0, "not 0"),
        ] {
            assert!(Field::new(&entries, seats).unwrap_err().to_string().contains(words), "{words}");
        }
        let many: Vec<_> = (0..41).map(|number| entry(&number.to_string())).collect();
        assert!(Field::new(&many, 2).unwrap_err().to_string().contains("not 41"));
    }
}
