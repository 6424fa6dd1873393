//! `unum simulate`: games by the million.

use anyhow::Context as _;
use serde_json::value::RawValue;
use unum_lab::{
    Adjustment, Crew, Entrant, MergeError, Part, RecordSink, RunError, Simulation, SimulationResult, SimulationSums,
    Unit,
};
use unum_rules::{Rules, RulesError};

use super::arena::adjustment;
use super::{RunArgs, agreement, bot_value, house_value, players_value};
use crate::experiment::{self, Experiment};
use crate::report::ReportArgs;
use crate::report::study::Study;
use crate::report::text;
use crate::usage::{OrUsage as _, number_in};

/// Play rounds or matches by the million, and show their statistics.
///
/// How long they last and what they score, which seat is best, how often each card is played, how many bluffs there are
/// and how they end; and what house rules change. The deal rotates from game to game. All means have 95 % intervals.
/// docs/laboratory.md explains the figures.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  unum simulate                                four random players, 100,000 rounds
  unum simulate --players 2 --rounds 1000000
  unum simulate hard random*3 --matches 10000 --scoring first_to:200
  unum simulate --compare stacking=any --compare seven_zero,jump_in --html effect.html
  unum simulate --edition frozen --csv > frozen.csv

Ctrl-C ends a run early and prints what there is so far; the exit code is then 130.")]
pub(crate) struct Args {
    /// The bots, by seat; random*3 means three of them [default: as many of --bot as --players says]
    #[arg(value_name = "BOT", value_parser = bot_value(), hide_possible_values = true)]
    line_up: Vec<String>,

    /// Number of players, if all bots are the same
    #[arg(long, value_name = "N", default_value = "4", value_parser = players_value, conflicts_with = "line_up")]
    players: u8,

    /// The bot, if all are the same
    #[arg(long, value_name = "BOT", default_value = "random", conflicts_with = "line_up", value_parser = bot_value(), hide_possible_values = true)]
    bot: String,

    /// Number of rounds [default: 100,000]
    #[arg(long, value_name = "N", conflicts_with = "matches", value_parser = parse_games)]
    rounds: Option<u64>,

    /// Play this many whole matches instead; all figures are then per match
    #[arg(long, value_name = "N", value_parser = parse_games)]
    matches: Option<u64>,

    /// Play the same deals by changed rules too, for instance stacking=any,seven_zero, and compare; repeatable
    #[arg(long, value_name = "RULE,RULE=VALUE", value_parser = house_value(), hide_possible_values = true)]
    compare: Vec<String>,

    /// Remove the luck of the cards from the shares won: same means, tighter intervals. Worth it for experts; fast bots
    /// gain more from extra rounds
    #[arg(long, conflicts_with = "matches")]
    adjust_luck: bool,

    #[command(flatten)]
    run: RunArgs,
}

const MAX_GAMES: u64 = 100_000_000_000;

pub(super) fn parse_games(text: &str) -> Result<u64, String> {
    number_in(text, 1, MAX_GAMES)
}

/// Plays the games and reports on them.
///
/// # Errors
/// If there can be no such games, the report cannot be written, or the run was interrupted.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    args.set_up(|series| experiment::run(&args.run, series))
}

/// Reports on a simulation that was played in parts, by the sums of each. `None` if the words are not what a part is given.
///
/// # Errors
/// If the sums are not those of this simulation, or the report cannot be written.
pub(super) fn merge(
    args: &Args,
    given: &[String],
    parts: &[Box<RawValue>],
    report: &ReportArgs,
) -> anyhow::Result<Option<()>> {
    args.set_up(|series| experiment::merge(series, given, parts, report))
}

/// A simulation, as it was asked for.
struct Series<'a> {
    args: &'a Args,
    /// The bots, as words.
    line_up: &'a [String],
    simulation: Simulation<'a, Entrant>,
}

impl Experiment for Series<'_> {
    type Sums = SimulationSums;
    type Outcome = SimulationResult;
    type Findings<'a>
        = Study<'a>
    where
        Self: 'a;

    fn check(&self) -> Result<(), RulesError> {
        self.simulation.check()
    }

    fn words(&self) -> anyhow::Result<Vec<String>> {
        self.words_of(self.simulation.games)
    }

    fn units(&self) -> [&'static str; 2] {
        [1, 2].map(|count| self.simulation.unit.word(count))
    }

    fn work_of(&self, part: Part) -> u64 {
        part.share_of(self.simulation.games)
    }

    fn play(&self, records: Option<RecordSink<'_>>, crew: &mut Crew<'_>) -> Result<SimulationResult, RunError> {
        self.simulation.run_recorded(records, crew)
    }

    fn play_part(
        &self,
        part: Part,
        records: Option<RecordSink<'_>>,
        crew: &mut Crew<'_>,
    ) -> Result<Option<SimulationSums>, RunError> {
        self.simulation.run_part(part, records, crew)
    }

    fn merge(&self, parts: &[SimulationSums]) -> Result<SimulationResult, MergeError> {
        Ok(self.simulation.result_of(&SimulationSums::merge(&self.simulation, parts)?))
    }

    fn findings(&self, result: SimulationResult) -> anyhow::Result<Option<Study<'_>>> {
        let command = text::command_of(&self.words_of(result.games)?);
        let compared = &self.args.compare;
        Ok((result.games > 0).then(|| Study::new(command, self.line_up, compared, &self.simulation, result)))
    }
}

impl Series<'_> {
    /// The words of this command for that many games.
    fn words_of(&self, games: u64) -> anyhow::Result<Vec<String>> {
        let Args { compare, adjust_luck, run, .. } = self.args;
        let mut words = vec!["simulate".to_owned()];
        words.extend(self.line_up.iter().cloned());
        words.push(if self.simulation.unit == Unit::Match { "--matches" } else { "--rounds" }.to_owned());
        words.extend([games.to_string(), "--seed".to_owned(), run.seed.to_string()]);
        words.extend(compare.iter().flat_map(|changes| ["--compare".to_owned(), changes.clone()]));
        if *adjust_luck {
            words.push("--adjust-luck".to_owned());
        }
        words.extend(run.record_options());
        words.extend(run.programs.options());
        words.extend(agreement::options(self.simulation.rules[0].spec())?);
        Ok(words)
    }
}

impl Args {
    /// Does something with the simulation.
    fn set_up<T>(&self, work: impl FnOnce(&Series<'_>) -> anyhow::Result<T>) -> anyhow::Result<T> {
        let words = self.words();
        let line_up = self.run.programs.line_up(&words)?;
        let rules = self.all_rules().or_usage()?;
        let (unit, games) = self.games();
        let adjustment = adjustment(self.adjust_luck, &line_up).or_usage()?.map(Adjustment::with_deal);
        let (seed, recorded) = (self.run.seed, self.run.records.is_some());
        let simulation = Simulation { rules: &rules, line_up: &line_up, unit, games, seed, adjustment, recorded };
        work(&Series { args: self, line_up: &words, simulation })
    }

    fn words(&self) -> Vec<String> {
        match self.line_up.is_empty() {
            true => vec![format!("{}*{}", self.bot, self.players)],
            false => self.line_up.clone(),
        }
    }

    fn games(&self) -> (Unit, u64) {
        match self.matches {
            Some(matches) => (Unit::Match, matches),
            None => (Unit::Round, self.rounds.unwrap_or(100_000)),
        }
    }

    /// The rules, and after them those to compare with them.
    fn all_rules(&self) -> anyhow::Result<Vec<Rules>> {
        let base = self.run.rules.spec()?;
        let mut all = vec![Rules::new(base.clone())?];
        for changes in &self.compare {
            let changed = agreement::with_changes(&base, changes).and_then(|spec| Ok(Rules::new(spec)?));
            all.push(changed.with_context(|| format!("--compare {changes}"))?);
        }
        Ok(all)
    }
}
