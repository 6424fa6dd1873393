//! `unum arena`: bots against bots.

use anyhow::ensure;
use serde_json::value::RawValue;
use unum_bots::Budget;
use unum_lab::{
    Adjustment, Arena, ArenaResult, ArenaSums, Crew, Entrant, LineUp, MergeError, Part, Question, RecordSink, RunError,
    Thinker, Unit,
};
use unum_protocol::Level;
use unum_rules::{Rules, RulesError};

use super::{RunArgs, agreement, bot_value};
use crate::experiment::{self, Experiment};
use crate::report::ReportArgs;
use crate::report::contest::Contest;
use crate::report::text;
use crate::usage::{OrUsage as _, number_in};

/// Let bots play each other, and report who is better and how sure that is.
///
/// Every deal is played once per player, with the same cards and the line-up rotated by one seat each time, so the luck
/// of cards and seats cancels out. All figures are per seat, with 95 % intervals. docs/laboratory.md explains them.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  unum arena hard random                       two players, 10,000 deals
  unum arena hard normal easy random --matches four players, whole matches to 500
  unum arena hard 5*normal --until-settled --margin 2
                                               until it is clear whether `hard` wins two points more than its share
  unum arena hard normal --house stacking=any,jump_in --json
  unum arena 'me=program:python3 examples/bots/simple.py' random --deals 100
                                               a bot of your own: docs/bots-protocol.md

Ctrl-C ends a run early and prints what there is so far; the exit code is then 130.")]
pub(crate) struct Args {
    #[arg(value_name = "BOT", required = true, value_parser = bot_value(), hide_possible_values = true, help = bots_help())]
    line_up: Vec<String>,

    /// Number of deals, each played once per rotation [default: 10,000; with --until-settled at most 1,000,000]
    #[arg(long, value_name = "N", value_parser = parse_deals)]
    deals: Option<u64>,

    /// Play whole matches instead of rounds
    #[arg(long)]
    matches: bool,

    /// Stop as soon as it is clear whether the first bot wins more than its even share, less, or neither
    #[arg(long)]
    until_settled: bool,

    /// The difference from the even share that matters to --until-settled, in percentage points
    #[arg(long, value_name = "POINTS", default_value_t = 1.0, requires = "until_settled")]
    margin: f64,

    /// Remove the luck of the draw from the shares won: same means, tighter intervals. Worth it for experts; fast bots
    /// gain more from extra deals
    #[arg(long, conflicts_with = "matches")]
    adjust_luck: bool,

    #[command(flatten)]
    run: RunArgs,
}

fn bots_help() -> String {
    format!(
        "Who plays: {}, or program:COMMAND for a bot of your own. random*3 means three of them, me=random names one; \
         expert:500w imagines 500 worlds per decision [default: 2,000], expert:20ms thinks for 20 ms, which does not repeat \
         exactly",
        Level::names()
    )
}

/// Runs the contest and reports on it.
///
/// # Errors
/// If there can be no such contest, the report cannot be written, or the run was interrupted.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    args.set_up(|duel| experiment::run(&args.run, duel))
}

/// Reports on a contest that was played in parts, by the sums of each. `None` if the words are not what a part is given.
///
/// # Errors
/// If the sums are not those of this contest, or the report cannot be written.
pub(super) fn merge(
    args: &Args,
    given: &[String],
    parts: &[Box<RawValue>],
    report: &ReportArgs,
) -> anyhow::Result<Option<()>> {
    args.set_up(|duel| experiment::merge(duel, given, parts, report))
}

/// A contest, as it was asked for.
struct Duel<'a> {
    args: &'a Args,
    arena: Arena<'a, Entrant>,
}

impl Experiment for Duel<'_> {
    type Sums = ArenaSums;
    type Outcome = ArenaResult;
    type Findings<'a>
        = Contest<'a>
    where
        Self: 'a;

    fn check(&self) -> Result<(), RulesError> {
        self.arena.check()
    }

    fn words(&self) -> anyhow::Result<Vec<String>> {
        self.words_of(self.arena.deals)
    }

    fn units(&self) -> [&'static str; 2] {
        ["deal", "deals"]
    }

    fn work_of(&self, part: Part) -> u64 {
        part.share_of(self.arena.deals)
    }

    fn play(&self, records: Option<RecordSink<'_>>, crew: &mut Crew<'_>) -> Result<ArenaResult, RunError> {
        self.arena.run_recorded(records, crew)
    }

    fn play_part(
        &self,
        part: Part,
        records: Option<RecordSink<'_>>,
        crew: &mut Crew<'_>,
    ) -> Result<Option<ArenaSums>, RunError> {
        self.arena.run_part(part, records, crew)
    }

    fn merge(&self, parts: &[ArenaSums]) -> Result<ArenaResult, MergeError> {
        Ok(self.arena.result_of(&ArenaSums::merge(&self.arena, parts)?))
    }

    fn findings(&self, result: ArenaResult) -> anyhow::Result<Option<Contest<'_>>> {
        // An early end of its own is repeated by the number of deals it took.
        let deals = if result.complete { self.arena.deals } else { result.deals };
        let command = text::command_of(&self.words_of(deals)?);
        Ok((result.deals > 0).then(|| Contest::new(command, &self.arena, result)))
    }
}

impl Duel<'_> {
    /// The words of this command for that many deals.
    fn words_of(&self, deals: u64) -> anyhow::Result<Vec<String>> {
        let Args { line_up, matches, until_settled, margin, adjust_luck, run, .. } = self.args;
        let mut words = vec!["arena".to_owned()];
        words.extend(line_up.iter().cloned());
        words.extend(["--deals".to_owned(), deals.to_string(), "--seed".to_owned(), run.seed.to_string()]);
        if *matches {
            words.push("--matches".to_owned());
        }
        if *until_settled {
            words.extend(["--until-settled".to_owned(), "--margin".to_owned(), margin.to_string()]);
        }
        if *adjust_luck {
            words.push("--adjust-luck".to_owned());
        }
        words.extend(run.record_options());
        words.extend(run.programs.options());
        words.extend(agreement::options(self.arena.rules.spec())?);
        Ok(words)
    }
}

impl Args {
    /// Does something with the contest.
    fn set_up<T>(&self, work: impl FnOnce(&Duel<'_>) -> anyhow::Result<T>) -> anyhow::Result<T> {
        let line_up = self.run.programs.line_up(&self.line_up)?;
        let rules = self.run.rules.rules()?;
        let arena = self.arena(&rules, &line_up).or_usage()?;
        work(&Duel { args: self, arena })
    }

    fn arena<'a>(&self, rules: &'a Rules, line_up: &'a LineUp<Entrant>) -> anyhow::Result<Arena<'a, Entrant>> {
        ensure!(self.margin > 0.0 && self.margin < 50.0, "--margin must be above 0 and below 50 percentage points");
        let deals = self.deals.unwrap_or(if self.until_settled { 1_000_000 } else { 10_000 });
        let unit = if self.matches { Unit::Match } else { Unit::Round };
        let question = self.until_settled.then_some(Question { margin: self.margin / 100.0 });
        let adjustment = adjustment(self.adjust_luck, line_up)?;
        if self.run.part.is_some() {
            ensure!(
                !self.until_settled,
                "--until-settled looks at all deals so far after every few of them, which a part cannot: play a fixed number \
                 with --deals"
            );
            ensure!(
                !self.adjust_luck,
                "--adjust-luck fits what it takes out to all deals before, which a part does not know: leave out one of them"
            );
        }
        let recorded = self.run.records.is_some();
        Ok(Arena { rules, line_up, unit, deals, seed: self.run.seed, question, adjustment, recorded })
    }
}

/// How luck is taken out of the shares of this line-up, if that is wanted.
///
/// # Errors
/// When programs play: they cannot be cloned.
pub(super) fn adjustment(wanted: bool, line_up: &LineUp<Entrant>) -> anyhow::Result<Option<Adjustment>> {
    let programs = line_up.sides().iter().any(|side| matches!(side.contestant, Entrant::Program { .. }));
    ensure!(
        !(wanted && programs),
        "--adjust-luck must know how every player would continue: leave it out when programs play"
    );
    let expert = |entrant: &Entrant| match entrant {
        Entrant::Level(Thinker { level: Level::Expert, budget }) => Some(*budget),
        _ => None,
    };
    let longest =
        line_up.sides().iter().filter_map(|side| expert(&side.contestant)).max_by_key(|budget| match budget {
            Budget::Worlds(worlds) => (0, u128::from(*worlds)),
            Budget::Time(time) => (1, time.as_nanos()),
        });
    Ok(wanted.then(|| Adjustment::usual(line_up.players(), longest)))
}

const MAX_DEALS: u64 = 1_000_000_000_000;

pub(super) fn parse_deals(text: &str) -> Result<u64, String> {
    number_in(text, 1, MAX_DEALS)
}
