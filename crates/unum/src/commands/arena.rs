//! `unum arena`: bots against bots.

use anyhow::ensure;
use serde_json::value::RawValue;
use unum_bots::Budget;
use unum_lab::{Adjustment, Arena, ArenaSums, Entrant, LineUp, Question, Thinker, Unit};
use unum_protocol::Level;
use unum_rules::Rules;

use super::{RunArgs, agreement, bot_value};
use crate::crew::{Interrupted, fail_with, listen_for_interrupts};
use crate::parts;
use crate::records::RecordFile;
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
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    let line_up = args.run.programs.line_up(&args.line_up)?;
    let rules = args.run.rules.rules()?;
    let arena = arena(&args, &rules, &line_up).or_usage()?;
    arena.check().or_usage()?;
    listen_for_interrupts()?;
    args.run.report.check()?;
    let mut records = RecordFile::create(args.run.records.as_deref())?;
    if let Some(part) = args.run.part {
        let range = part.range(arena.deals);
        let sums =
            args.run.crew.work(range.end - range.start, "deals", |crew| arena.run_part(part, records.sink(), crew))?;
        records.finish()?;
        let sums = sums.ok_or_else(Interrupted::in_a_part)?;
        return args.run.report.write_part(&parts::write(part, &words(&args, &arena, arena.deals)?, &sums)?);
    }
    let result = args.run.crew.work(arena.deals, "deals", |crew| arena.run_recorded(records.sink(), crew))?;
    records.finish()?;
    if result.deals == 0 {
        return Err(Interrupted::before_the_first("deal").into());
    }
    let deals = if result.complete { arena.deals } else { result.deals };
    let contest = Contest::new(command(&args, &arena, deals)?, &arena, result);
    args.run.report.write(&contest)?;
    match contest.interrupted() {
        Some(played) => Err(Interrupted::after(&played).into()),
        None => fail_with(&contest.failed()),
    }
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
    let line_up = args.run.programs.line_up(&args.line_up)?;
    let rules = args.run.rules.rules()?;
    let arena = arena(args, &rules, &line_up)?;
    arena.check()?;
    if words(args, &arena, arena.deals)? != given {
        return Ok(None);
    }
    let sums = super::merge::sums_of::<ArenaSums>(parts)?;
    let result = arena.result_of(&ArenaSums::merge(&arena, &sums)?);
    let contest = Contest::new(command(args, &arena, arena.deals)?, &arena, result);
    report.write(&contest)?;
    fail_with(&contest.failed()).map(Some)
}

fn arena<'a>(args: &Args, rules: &'a Rules, line_up: &'a LineUp<Entrant>) -> anyhow::Result<Arena<'a, Entrant>> {
    ensure!(args.margin > 0.0 && args.margin < 50.0, "--margin must be above 0 and below 50 percentage points");
    let deals = args.deals.unwrap_or(if args.until_settled { 1_000_000 } else { 10_000 });
    let unit = if args.matches { Unit::Match } else { Unit::Round };
    let question = args.until_settled.then_some(Question { margin: args.margin / 100.0 });
    let adjustment = adjustment(args.adjust_luck, line_up)?;
    if args.run.part.is_some() {
        ensure!(
            !args.until_settled,
            "--until-settled looks at all deals so far after every few of them, which a part cannot: play a fixed number with \
             --deals"
        );
        ensure!(
            !args.adjust_luck,
            "--adjust-luck fits what it takes out to all deals before, which a part does not know: leave out one of them"
        );
    }
    let recorded = args.run.records.is_some();
    Ok(Arena { rules, line_up, unit, deals, seed: args.run.seed, question, adjustment, recorded })
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

/// The command that repeats this result, after that many deals.
fn command(args: &Args, arena: &Arena<'_, Entrant>, deals: u64) -> anyhow::Result<String> {
    Ok(text::command_line(&[vec!["unum".to_owned()], words(args, arena, deals)?].concat()))
}

/// The words of this command: whatever part of it is played, and whatever is done with the results.
fn words(args: &Args, arena: &Arena<'_, Entrant>, deals: u64) -> anyhow::Result<Vec<String>> {
    let mut words = vec!["arena".to_owned()];
    words.extend(args.line_up.iter().cloned());
    words.extend(["--deals".to_owned(), deals.to_string(), "--seed".to_owned(), args.run.seed.to_string()]);
    if args.matches {
        words.push("--matches".to_owned());
    }
    if args.until_settled {
        words.extend(["--until-settled".to_owned(), "--margin".to_owned(), args.margin.to_string()]);
    }
    if args.adjust_luck {
        words.push("--adjust-luck".to_owned());
    }
    words.extend(args.run.record_options());
    words.extend(args.run.programs.options());
    words.extend(agreement::options(arena.rules.spec())?);
    Ok(words)
}
