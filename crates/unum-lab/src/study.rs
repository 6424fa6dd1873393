//! What rules do to the game, in one table: its length, the advantage of the first seat, and how much luck is in it.

use serde::{Deserialize, Serialize};
use unum_rules::{Rules, RulesError};

use crate::arena::{Arena, ArenaSums};
use crate::contestant::{Contestant, LineUp};
use crate::crew::Crew;
use crate::estimate::Estimate;
use crate::external::Failures;
use crate::game::Unit;
use crate::part::{MergeError, Part};
use crate::recording::RunError;
use crate::simulation::{Simulation, SimulationSums};
use crate::tally::Measure;

/// Rules to be studied: rounds among equals, and rounds of a better player against weaker ones.
#[derive(Clone, Copy, Debug)]
pub struct Study<'a, C> {
    /// The rules to compare with, and after them the others.
    pub rules: &'a [Rules],
    /// Equals, for length and seats.
    pub equals: &'a LineUp<C>,
    /// The better player, named first, against as many others: the more it wins, the less luck there is.
    pub unequals: &'a LineUp<C>,
    /// Rounds among equals, by each of the rules.
    pub rounds: u64,
    /// Deals of the better player, each in all rotations, by each of the rules.
    pub deals: u64,
    /// Seed for the cards and the bots' random choices, the same for all rules.
    pub seed: u64,
}

/// The results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StudyResult {
    /// Whether everything was played.
    pub complete: bool,
    /// Rounds among equals, by each of the rules.
    pub rounds: u64,
    /// A row for each of the rules, in their order.
    pub rows: Vec<StudyRow>,
    /// How often programs failed, so that the autopilot had to act.
    pub failures: Failures,
    /// The last of these failures in words.
    pub last_error: Option<String>,
}

/// What the game is like by some rules.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StudyRow {
    /// Turns of a round.
    pub turns: Compared,
    /// Cards drawn in a round.
    pub cards_drawn: Compared,
    /// Points for the winner of a round.
    pub points: Compared,
    /// Rounds that nobody won, as a share.
    pub blocked: Compared,
    /// Share of rounds that the seat to the left of the dealer wins above an even one.
    pub first_seat: Compared,
    /// Share of rounds that the better player wins above an even one; `None` if there was no time for it.
    pub edge: Option<Compared>,
}

/// A figure, and how it differs from the same by the first rules.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// The figure.
    #[serde(flatten)]
    pub figure: Estimate,
    /// The difference; `None` for the first rules themselves.
    pub difference: Option<Estimate>,
}

/// The exact sums of a study, or of a part of one: those of parts can be merged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudySums {
    equals: SimulationSums,
    /// By rules.
    unequals: Vec<ArenaSums>,
}

impl StudySums {
    /// Merges the sums of the parts of a study, in their order.
    ///
    /// # Errors
    /// When a part is not one of this study.
    pub fn merge<C>(study: &Study<'_, C>, parts: &[StudySums]) -> Result<StudySums, MergeError> {
        if let Some((number, _)) = (1..).zip(parts).find(|(_, part)| part.unequals.len() != study.rules.len()) {
            return Err(MergeError { part: number });
        }
        let equals: Vec<SimulationSums> = parts.iter().map(|part| part.equals.clone()).collect();
        let unequals = (0..study.rules.len()).map(|number| {
            let parts: Vec<ArenaSums> = parts.iter().map(|part| part.unequals[number].clone()).collect();
            ArenaSums::merge(&study.contest(number), &parts)
        });
        let unequals = unequals.collect::<Result<_, _>>()?;
        Ok(StudySums { equals: SimulationSums::merge(&study.simulation(), &equals)?, unequals })
    }
}

impl<'a, C> Study<'a, C> {
    fn simulation(&self) -> Simulation<'a, C> {
        Simulation {
            rules: self.rules,
            line_up: self.equals,
            unit: Unit::Round,
            games: self.rounds,
            seed: self.seed,
            adjustment: None,
            recorded: false,
        }
    }

    fn contest(&self, number: usize) -> Arena<'a, C> {
        Arena {
            rules: &self.rules[number],
            line_up: self.unequals,
            unit: Unit::Round,
            deals: self.deals,
            seed: self.seed,
            question: None,
            adjustment: None,
            recorded: false,
        }
    }

    /// Rounds and deals of a part, by all rules together.
    pub fn work_of(&self, part: Part) -> u64 {
        part.share_of(self.rounds).saturating_add(part.share_of(self.deals).saturating_mul(self.rules.len() as u64))
    }
}

impl<C: Contestant> Study<'_, C> {
    /// Whether that many can play by these rules.
    ///
    /// # Errors
    /// When they cannot.
    pub fn check(&self) -> Result<(), RulesError> {
        self.simulation().check()?;
        (0..self.rules.len()).try_for_each(|number| self.contest(number).check())
    }

    /// Plays a part of the study. A crew that is stopped leaves out the rest: [`is_complete`](Study::is_complete).
    ///
    /// # Errors
    /// When a contestant cannot play.
    ///
    /// # Panics
    /// If there are no rules, or that many cannot play by them: see [`Study::check`].
    pub fn run_part(&self, part: Part, crew: &mut Crew<'_>) -> Result<StudySums, RunError> {
        let equals = self.simulation().play_part(part, None, crew)?;
        let mut before = equals.games();
        let mut unequals = Vec::new();
        for number in 0..self.rules.len() {
            let mut progress = |deals| (crew.progress)(before + deals);
            let mut own = Crew { threads: crew.threads, stop: crew.stop, progress: &mut progress };
            let played = self.contest(number).sums(part, None, &mut own)?;
            before += played.deals();
            unequals.push(played);
        }
        Ok(StudySums { equals, unequals })
    }

    /// Whether this is all of a part.
    pub fn is_complete(&self, part: Part, sums: &StudySums) -> bool {
        let deals: u64 = sums.unequals.iter().map(ArenaSums::deals).sum();
        sums.equals.games() + deals == self.work_of(part)
    }

    /// What the sums of a whole study say.
    pub fn result_of(&self, sums: &StudySums) -> StudyResult {
        let games = self.simulation().result_of(&sums.equals);
        let edges: Vec<Option<Estimate>> = (0..self.rules.len()).map(|number| self.edge(number, sums)).collect();
        let all =
            std::iter::once((&games.base, None)).chain(games.variants.iter().map(|it| (&it.statistics, Some(it))));
        let row = |(number, (statistics, variant)): (usize, (&crate::Statistics, Option<&crate::Variant>))| {
            let measure = |measure: Measure| Compared {
                figure: statistics.measures[measure as usize].estimate,
                difference: variant.map(|variant| variant.differences[measure as usize].difference),
            };
            StudyRow {
                turns: measure(Measure::Turns),
                cards_drawn: measure(Measure::CardsDrawn),
                points: measure(Measure::Points),
                blocked: measure(Measure::Blocked),
                first_seat: Compared {
                    figure: above(&statistics.positions[0], statistics.even),
                    difference: variant.map(|variant| variant.position_differences[0]),
                },
                edge: edges[number].map(|figure| Compared {
                    figure,
                    difference: edges[0].filter(|_| number > 0).map(|first| independent(&figure, &first)),
                }),
            }
        };
        let mut failures = games.failures;
        let mut last_error = games.last_error.clone();
        for (_, more, error) in sums.unequals.iter().flat_map(|sums| [sums.troubles(0), sums.troubles(1)]) {
            failures += more;
            last_error = error.or(last_error);
        }
        StudyResult {
            complete: self.is_complete(Part::WHOLE, sums),
            rounds: games.games,
            rows: all.enumerate().map(row).collect(),
            failures,
            last_error,
        }
    }

    /// How much more than an even share the better player wins.
    fn edge(&self, number: usize, sums: &StudySums) -> Option<Estimate> {
        let result = self.contest(number).result_of(&sums.unequals[number]);
        (result.deals > 0).then(|| above(&result.sides[0].wins, result.even))
    }
}

fn above(share: &Estimate, even: f64) -> Estimate {
    Estimate::new(share.mean - even, share.margin())
}

/// The difference of two means over the same deals as if they were independent: since what they have in common makes it smaller,
/// the interval is rather too wide than too narrow.
fn independent(one: &Estimate, other: &Estimate) -> Estimate {
    let margin = one.margin().zip(other.margin()).map(|(one, other)| one.hypot(other));
    Estimate::new(one.mean - other.mean, margin)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use unum_bots::Level;
    use unum_rules::{Edition, RulesSpec};

    use super::*;

    fn rules() -> Vec<Rules> {
        let changed = |house: &str| {
            let json = format!(r#"{{"edition":"original","house":{{{house}}}}}"#);
            Rules::new(serde_json::from_str::<RulesSpec>(&json).unwrap()).unwrap()
        };
        vec![Rules::of(Edition::Original), changed(r#""hand_size":2"#), changed(r#""draw_to_match":true"#)]
    }

    fn line_up(levels: &[Level]) -> LineUp<Level> {
        LineUp::new(levels.iter().map(|level| (level.id().to_owned(), *level))).unwrap()
    }

    fn run(study: &Study<'_, Level>, part: Part, threads: usize) -> StudySums {
        let mut crew = Crew { threads, stop: &AtomicBool::new(false), progress: &mut |_| {} };
        study.run_part(part, &mut crew).unwrap()
    }

    #[test]
    fn a_study_shows_what_rules_do() {
        let (rules, equals) = (rules(), line_up(&[Level::Easy; 3]));
        let unequals = line_up(&[Level::Hard, Level::Random, Level::Random]);
        let study = Study { rules: &rules, equals: &equals, unequals: &unequals, rounds: 600, deals: 200, seed: 4 };
        let sums = run(&study, Part::WHOLE, 2);
        let result = study.result_of(&sums);
        assert!(result.complete && result.rows.len() == 3 && result.rounds == 600);
        let [base, short, long] = &result.rows[..] else { panic!() };
        assert!(base.turns.difference.is_none() && base.edge.unwrap().difference.is_none());
        // Fewer cards make a round shorter, and skill counts for less; drawing until a card fits makes hands large.
        assert!(short.turns.difference.unwrap().high.unwrap() < -10.0, "{:?}", short.turns);
        assert!(long.cards_drawn.difference.unwrap().low.unwrap() > 1.0, "{:?}", long.cards_drawn);
        let difference = short.turns.figure.mean - base.turns.figure.mean;
        assert!((short.turns.difference.unwrap().mean - difference).abs() < 1e-9);
        assert!(base.edge.unwrap().figure.low.unwrap() > 0.0);
        let edges = [short, base].map(|row| row.edge.unwrap().figure);
        let wider = short.edge.unwrap().difference.unwrap().margin().unwrap();
        assert!((wider - edges[0].margin().unwrap().hypot(edges[1].margin().unwrap())).abs() < 1e-12);
    }

    #[test]
    fn parts_and_threads_make_no_difference() {
        let (rules, equals) = (rules(), line_up(&[Level::Random; 2]));
        let unequals = line_up(&[Level::Easy, Level::Random]);
        let study = Study { rules: &rules, equals: &equals, unequals: &unequals, rounds: 100, deals: 31, seed: 4 };
        let whole = run(&study, Part::WHOLE, 3);
        let parts: Vec<StudySums> = (1..=5).map(|number| run(&study, Part { number, of: 5 }, 1)).collect();
        let read: Vec<StudySums> =
            parts.iter().map(|sums| serde_json::from_str(&serde_json::to_string(sums).unwrap()).unwrap()).collect();
        let merged = StudySums::merge(&study, &read).unwrap();
        assert_eq!(study.result_of(&merged), study.result_of(&whole));
        let mut foreign = parts;
        foreign[2] = whole;
        assert_eq!(StudySums::merge(&study, &foreign), Err(MergeError { part: 3 }));
    }

    #[test]
    fn a_study_that_is_stopped_says_so() {
        let (rules, equals) = (rules(), line_up(&[Level::Random; 2]));
        let unequals = line_up(&[Level::Easy, Level::Random]);
        let study = Study { rules: &rules, equals: &equals, unequals: &unequals, rounds: 100, deals: 31, seed: 4 };
        let mut crew = Crew { threads: 1, stop: &AtomicBool::new(true), progress: &mut |_| {} };
        let sums = study.run_part(Part::WHOLE, &mut crew).unwrap();
        let result = study.result_of(&sums);
        assert!(!result.complete && result.rows.iter().all(|row| row.edge.is_none()));
    }
}
