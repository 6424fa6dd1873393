//! `unum tournament`: everybody against everybody.

use serde_json::value::RawValue;
use unum_lab::{Entrant, Field, Part, Tournament, TournamentSums, Unit};
use unum_rules::Rules;

use super::arena::parse_deals;
use super::{RunArgs, agreement, bot_value, players_value};
use crate::crew::{Interrupted, fail_with, listen_for_interrupts};
use crate::parts;
use crate::records::RecordFile;
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
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    let (field, rules) = (args.field()?, args.run.rules.rules()?);
    let tournament = args.tournament(&field, &rules);
    tournament.check().or_usage()?;
    listen_for_interrupts()?;
    args.run.report.check()?;
    let mut records = RecordFile::create(args.run.records.as_deref())?;
    let part = args.run.part.unwrap_or(Part::WHOLE);
    let total = tournament.deals_of(part);
    let sums = args.run.crew.work(total, "deals", |crew| tournament.run_part(part, records.sink(), crew))?;
    records.finish()?;
    if args.run.part.is_some() {
        if !tournament.is_complete(part, &sums) {
            return Err(Interrupted::in_a_part().into());
        }
        return args.run.report.write_part(&parts::write(part, &args.words(&rules)?, &sums)?);
    }
    let result = tournament.result_of(&sums);
    if result.deals == 0 {
        return Err(Interrupted::before_the_first("deal").into());
    }
    let standings = Standings::new(args.command(&rules)?, &tournament, result, args.is_repeatable()?);
    args.run.report.write(&standings)?;
    match standings.interrupted() {
        Some(played) => Err(Interrupted::after(&played).into()),
        None => fail_with(&standings.failed()),
    }
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
    let (field, rules) = (args.field()?, args.run.rules.rules()?);
    let tournament = args.tournament(&field, &rules);
    tournament.check()?;
    if args.words(&rules)? != given {
        return Ok(None);
    }
    let sums = super::merge::sums_of::<TournamentSums>(parts)?;
    let result = tournament.result_of(&TournamentSums::merge(&tournament, &sums)?);
    let standings = Standings::new(args.command(&rules)?, &tournament, result, args.is_repeatable()?);
    report.write(&standings)?;
    fail_with(&standings.failed()).map(Some)
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

    fn tournament<'a>(&self, field: &'a Field<Entrant>, rules: &'a Rules) -> Tournament<'a, Entrant> {
        let unit = if self.matches { Unit::Match } else { Unit::Round };
        let recorded = self.run.records.is_some();
        Tournament { rules, field, unit, deals: self.deals, seed: self.run.seed, recorded }
    }

    /// The command that repeats this result.
    fn command(&self, rules: &Rules) -> anyhow::Result<String> {
        Ok(text::command_line(&[vec!["unum".to_owned()], self.words(rules)?].concat()))
    }

    /// The words of this command: whatever part of it is played, and whatever is done with the results.
    fn words(&self, rules: &Rules) -> anyhow::Result<Vec<String>> {
        let mut words = vec!["tournament".to_owned()];
        words.extend(self.bots.iter().cloned());
        words.extend(["--players".to_owned(), self.players.to_string()]);
        words.extend(["--deals".to_owned(), self.deals.to_string(), "--seed".to_owned(), self.run.seed.to_string()]);
        if self.matches {
            words.push("--matches".to_owned());
        }
        words.extend(self.run.record_options());
        words.extend(self.run.programs.options());
        words.extend(agreement::options(rules.spec())?);
        Ok(words)
    }
}
