//! `unum simulate`: games by the million.

use anyhow::Context as _;
use serde_json::value::RawValue;
use unum_lab::{Adjustment, Entrant, Simulation, SimulationSums, Unit};
use unum_rules::Rules;

use super::arena::adjustment;
use super::{RunArgs, agreement, bot_value, house_value, players_value};
use crate::crew::{Interrupted, fail_with, listen_for_interrupts};
use crate::parts;
use crate::records::RecordFile;
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
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    let words = args.words();
    let line_up = args.run.programs.line_up(&words)?;
    let rules = args.all_rules().or_usage()?;
    let (unit, games) = args.games();
    let adjustment = adjustment(args.adjust_luck, &line_up).or_usage()?.map(Adjustment::with_deal);
    let (seed, recorded) = (args.run.seed, args.run.records.is_some());
    let simulation = Simulation { rules: &rules, line_up: &line_up, unit, games, seed, adjustment, recorded };
    simulation.check().or_usage()?;
    listen_for_interrupts()?;
    args.run.report.check()?;
    let mut records = RecordFile::create(args.run.records.as_deref())?;
    if let Some(part) = args.run.part {
        let range = part.range(games);
        let sums = args
            .run
            .crew
            .work(range.end - range.start, unit.word(2), |crew| simulation.run_part(part, records.sink(), crew))?;
        records.finish()?;
        let sums = sums.ok_or_else(Interrupted::in_a_part)?;
        let whole = self::words(&args, &words, &simulation, games)?;
        return args.run.report.write_part(&parts::write(part, &whole, &sums)?);
    }
    let result = args.run.crew.work(games, unit.word(2), |crew| simulation.run_recorded(records.sink(), crew))?;
    records.finish()?;
    if result.games == 0 {
        return Err(Interrupted::before_the_first(unit.word(1)).into());
    }
    let command = command(&args, &words, &simulation, result.games)?;
    let study = Study::new(command, &words, &args.compare, &simulation, result);
    args.run.report.write(&study)?;
    match study.interrupted() {
        Some(played) => Err(Interrupted::after(&played).into()),
        None => fail_with(&study.failed()),
    }
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
    let line_up = args.run.programs.line_up(&args.words())?;
    let (rules, (unit, games)) = (args.all_rules()?, args.games());
    let adjustment = adjustment(args.adjust_luck, &line_up)?.map(Adjustment::with_deal);
    let (seed, recorded) = (args.run.seed, args.run.records.is_some());
    let simulation = Simulation { rules: &rules, line_up: &line_up, unit, games, seed, adjustment, recorded };
    simulation.check()?;
    if words(args, &args.words(), &simulation, games)? != given {
        return Ok(None);
    }
    let sums = super::merge::sums_of::<SimulationSums>(parts)?;
    let result = simulation.result_of(&SimulationSums::merge(&simulation, &sums)?);
    let (words, command) = (args.words(), command(args, &args.words(), &simulation, games)?);
    let study = Study::new(command, &words, &args.compare, &simulation, result);
    report.write(&study)?;
    fail_with(&study.failed()).map(Some)
}

impl Args {
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

/// The command that repeats this result, for that many games.
fn command(
    args: &Args,
    line_up: &[String],
    simulation: &Simulation<'_, Entrant>,
    games: u64,
) -> anyhow::Result<String> {
    Ok(text::command_line(&[vec!["unum".to_owned()], words(args, line_up, simulation, games)?].concat()))
}

/// The words of this command: whatever part of it is played, and whatever is done with the results.
fn words(
    args: &Args,
    line_up: &[String],
    simulation: &Simulation<'_, Entrant>,
    games: u64,
) -> anyhow::Result<Vec<String>> {
    let mut words = vec!["simulate".to_owned()];
    words.extend(line_up.iter().cloned());
    words.push(if simulation.unit == Unit::Match { "--matches" } else { "--rounds" }.to_owned());
    words.extend([games.to_string(), "--seed".to_owned(), args.run.seed.to_string()]);
    words.extend(args.compare.iter().flat_map(|changes| ["--compare".to_owned(), changes.clone()]));
    if args.adjust_luck {
        words.push("--adjust-luck".to_owned());
    }
    words.extend(args.run.record_options());
    words.extend(args.run.programs.options());
    words.extend(agreement::options(simulation.rules[0].spec())?);
    Ok(words)
}
