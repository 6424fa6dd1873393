//! `unum tournament`: everybody against everybody.

use serde_json::value::RawValue;
use unum_lab::{
    Crew, Entrant, Field, MergeError, Part, RecordSink, RunError, Tournament, TournamentResult, TournamentSums, Unit,
};
use unum_rules::RulesError;

use super::arena::parse_deals;
use super::{RunArgs, agreement, bot_value, players_value};
use crate::experiment::{self, Experiment};
use crate::report::ReportArgs;
use crate::report::standings::Standings;
use crate::report::text;
use crate::usage::OrUsage as _;

/// Let every bot play every other, and rank them in one list of ratings.
///
/// Every two share a table and play duplicate deals, as in `unum arena`. The ratings are those of the Bradley–Terry model: 400
/// points make a bot ten times as likely to win, and 0 is the mean of all. They come with 95 % intervals, and with a test of
/// whether one list explains all results. docs/laboratory.md explains the figures.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  unum tournament random easy normal hard      10,000 deals per pairing, two players
  unum tournament easy normal hard --players 4 two of each at a table, sitting in turn
  unum tournament hard quick=expert:100w expert:1000w --deals 500 --html ratings.html
  unum tournament me='program:python3 examples/bots/simple.py' easy hard --deals 200
  unum tournament easy normal hard --part 3/16 --json=part-3.json    for `unum merge`

Ctrl-C ends a run early and prints what there is so far; the exit code is then 130.")]
pub(crate) struct Args {
    /// Who plays: bots as in `unum arena`, each once
    #[arg(value_name = "BOT", required = true, value_parser = bot_value(), hide_possible_values = true)]
    bots: Vec<String>,

    /// Seats at a table, an even number: the two who play share them, and sit in turn
    #[arg(long, value_name = "N", default_value = "2", value_parser = players_value)]
    players: u8,

    /// Deals per pairing, each played once per rotation
    #[arg(long, value_name = "N", default_value = "10,000", value_parser = parse_deals)]
    deals: u64,

    /// Play whole matches instead of rounds
    #[arg(long)]
    matches: bool,

    #[command(flatten)]
    run: RunArgs,
}

/// Runs the tournament and reports on it.
///
/// # Errors
/// If there can be no such tournament, the report cannot be written, or the run was interrupted.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    args.set_up(|event| experiment::run(&args.run, event))
}

/// Reports on a tournament that was played in parts, by the sums of each. `None` if the words are not what a part is given.
///
/// # Errors
/// If the sums are not those of this tournament, or the report cannot be written.
pub(super) fn merge(
    args: &Args,
    given: &[String],
    parts: &[Box<RawValue>],
    report: &ReportArgs,
) -> anyhow::Result<Option<()>> {
    args.set_up(|event| experiment::merge(event, given, parts, report))
}

/// A tournament, as it was asked for.
struct Event<'a> {
    args: &'a Args,
    tournament: Tournament<'a, Entrant>,
}

impl Experiment for Event<'_> {
    type Sums = TournamentSums;
    type Outcome = TournamentResult;
    type Findings<'a>
        = Standings<'a>
    where
        Self: 'a;

    fn check(&self) -> Result<(), RulesError> {
        self.tournament.check()
    }

    fn words(&self) -> anyhow::Result<Vec<String>> {
        let Args { bots, players, deals, matches, run } = self.args;
        let mut words = vec!["tournament".to_owned()];
        words.extend(bots.iter().cloned());
        words.extend(["--players".to_owned(), players.to_string()]);
        words.extend(["--deals".to_owned(), deals.to_string(), "--seed".to_owned(), run.seed.to_string()]);
        if *matches {
            words.push("--matches".to_owned());
        }
        words.extend(run.record_options());
        words.extend(run.programs.options());
        words.extend(agreement::options(self.tournament.rules.spec())?);
        Ok(words)
    }

    fn units(&self) -> [&'static str; 2] {
        ["deal", "deals"]
    }

    fn work_of(&self, part: Part) -> u64 {
        self.tournament.deals_of(part)
    }

    fn play(&self, records: Option<RecordSink<'_>>, crew: &mut Crew<'_>) -> Result<TournamentResult, RunError> {
        Ok(self.tournament.result_of(&self.tournament.run_part(Part::WHOLE, records, crew)?))
    }

    fn play_part(
        &self,
        part: Part,
        records: Option<RecordSink<'_>>,
        crew: &mut Crew<'_>,
    ) -> Result<Option<TournamentSums>, RunError> {
        let sums = self.tournament.run_part(part, records, crew)?;
        Ok(self.tournament.is_complete(part, &sums).then_some(sums))
    }

    fn merge(&self, parts: &[TournamentSums]) -> Result<TournamentResult, MergeError> {
        Ok(self.tournament.result_of(&TournamentSums::merge(&self.tournament, parts)?))
    }

    fn findings(&self, result: TournamentResult) -> anyhow::Result<Option<Standings<'_>>> {
        let (command, repeatable) = (text::command_of(&self.words()?), self.args.is_repeatable()?);
        Ok((result.deals > 0).then(|| Standings::new(command, &self.tournament, result, repeatable)))
    }
}

impl Args {
    fn entries(&self) -> anyhow::Result<Vec<(String, Entrant)>> {
        let entries = self.bots.iter().map(|word| self.run.programs.entries(word));
        Ok(entries.collect::<anyhow::Result<Vec<_>>>()?.concat())
    }

    fn field(&self) -> anyhow::Result<Field<Entrant>> {
        Field::new(&self.entries()?, self.players).or_usage()
    }

    fn is_repeatable(&self) -> anyhow::Result<bool> {
        Ok(self.entries()?.iter().all(|(_, bot)| bot.is_repeatable()))
    }

    /// Does something with the tournament.
    fn set_up<T>(&self, work: impl FnOnce(&Event<'_>) -> anyhow::Result<T>) -> anyhow::Result<T> {
        let (field, rules) = (self.field()?, self.run.rules.rules()?);
        let (unit, recorded) = (if self.matches { Unit::Match } else { Unit::Round }, self.run.records.is_some());
        let (deals, seed) = (self.deals, self.run.seed);
        let tournament = Tournament { rules: &rules, field: &field, unit, deals, seed, recorded };
        work(&Event { args: self, tournament })
    }
}
