//! `unum arena`: bots against bots.

use anyhow::ensure;
use serde::Serialize;
use unum_lab::{Arena, ArenaResult, Entrant, LineUp, Question, Unit, Verdict};
use unum_rules::{Rules, RulesSpec};

use super::agreement::{self, RulesArgs};
use crate::crew::{CrewArgs, Interrupted};
use crate::output::{print, to_json};
use crate::text::{self, Table};

/// Let bots play against bots, and say who is better and how sure that is.
///
/// Every deal is played as often as there are players, with the same cards and the line-up moved on by one seat
/// each time, so that the luck of the cards and of the seats cancels out. All figures are per seat and come
/// with 95 % intervals. docs/laboratory.md says what they mean.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  unum arena me=random random                  two players, 10,000 deals
  unum arena me=random random*3 --matches      four players, whole matches to 500
  unum arena me=random 5*random --until-settled --margin 2
                                               until it is clear whether `me` is two points off its even share
  unum arena me=random random --house stacking=any,jump_in --json

Ctrl-C ends a run early and prints what there is so far; the exit code is then 130.")]
pub(crate) struct Args {
    /// Who plays: names of bots; random*3 stands for three of them, me=random gives one another name
    #[arg(value_name = "BOT", required = true)]
    line_up: Vec<String>,

    /// How many deals, each played once per rotation [default: 10,000; with --until-settled at most 1,000,000]
    #[arg(long, value_name = "N")]
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

    /// Where the cards and the bots' whims come from
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    rules: RulesArgs,

    #[command(flatten)]
    crew: CrewArgs,

    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// Holds the contest and reports on it.
///
/// # Errors
/// If there can be no such contest, the report cannot be written, or the run was interrupted.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    let line_up = LineUp::parse(&args.line_up)?;
    let rules = args.rules.rules()?;
    let arena = arena(&args, &rules, &line_up)?;
    arena.check()?;
    let result = args.crew.work(arena.deals, "deals", |crew| arena.run(crew))?;
    let report = Report::new(&args, &arena, result)?;
    print(&if args.json { to_json(&report)? } else { report.to_text() })?;
    match report.result.complete {
        true => Ok(()),
        false => {
            Err(Interrupted(format!("{} of {} deals", text::count(report.result.deals), text::count(arena.deals)))
                .into())
        }
    }
}

fn arena<'a>(args: &Args, rules: &'a Rules, line_up: &'a LineUp<Entrant>) -> anyhow::Result<Arena<'a, Entrant>> {
    ensure!(args.margin > 0.0 && args.margin < 50.0, "--margin goes from above 0 to below 50 percentage points");
    let deals = args.deals.unwrap_or(if args.until_settled { 1_000_000 } else { 10_000 });
    ensure!((1..=MAX_DEALS).contains(&deals), "--deals goes from 1 to {}", text::count(MAX_DEALS));
    let unit = if args.matches { Unit::Match } else { Unit::Round };
    let question = args.until_settled.then_some(Question { margin: args.margin / 100.0 });
    Ok(Arena { rules, line_up, unit, deals, seed: args.seed, question })
}

const MAX_DEALS: u64 = 1_000_000_000_000;

/// A contest with all that is needed to hold it again.
#[derive(Serialize)]
struct Report<'a> {
    /// The command that gives the same result.
    command: String,
    rules: &'a RulesSpec,
    players: u8,
    unit: Unit,
    seed: u64,
    #[serde(flatten)]
    result: ArenaResult,
}

impl<'a> Report<'a> {
    fn new(args: &Args, arena: &Arena<'a, Entrant>, result: ArenaResult) -> anyhow::Result<Report<'a>> {
        let mut words = vec!["unum".to_owned(), "arena".to_owned()];
        words.extend(args.line_up.iter().cloned());
        let deals = if result.complete { arena.deals } else { result.deals };
        words.extend(["--deals".to_owned(), deals.to_string(), "--seed".to_owned(), args.seed.to_string()]);
        if args.matches {
            words.push("--matches".to_owned());
        }
        if args.until_settled {
            words.extend(["--until-settled".to_owned(), "--margin".to_owned(), args.margin.to_string()]);
        }
        words.extend(agreement::options(arena.rules.spec())?);
        let players = arena.line_up.players();
        let command = text::command_line(&words);
        Ok(Report { command, rules: arena.rules.spec(), players, unit: arena.unit, seed: args.seed, result })
    }

    fn to_text(&self) -> String {
        format!("{}\n\n{}\n{}\n", self.headline(), self.table().to_text(), self.conclusions().join("\n"))
    }

    fn headline(&self) -> String {
        let ArenaResult { deals, games, .. } = self.result;
        let played = if deals == 1 { "deal" } else { "deals" };
        format!(
            "{} {played} of {}, each played by all {} rotations of the line-up: {} {}.",
            text::count(deals),
            self.rules.edition,
            self.players,
            text::count(games),
            self.unit.word(games)
        )
    }

    fn table(&self) -> Table {
        let per = format!("points per {}", self.unit.word(1));
        let mut table = Table::new(&["", "places", "wins", "off even", &per, "net points", "Elo", "refused"]);
        for side in &self.result.sides {
            table.row([
                side.name.clone(),
                side.places.to_string(),
                text::percent(&side.wins, 2),
                format!("{:+.2}", (side.wins.mean - self.result.even) * 100.0),
                text::estimate(&side.points, 2),
                text::difference(&side.net_points, 2),
                side.elo.as_ref().map_or("-".to_owned(), |elo| text::difference(elo, 0)),
                text::count(side.refused),
            ]);
        }
        table
    }

    /// The result in sentences.
    fn conclusions(&self) -> Vec<String> {
        let mut sentences = vec![self.who_is_ahead()];
        sentences.extend(self.result.verdict.map(|verdict| self.settled(verdict)));
        if self.result.blocked > 0 {
            let blocked = text::count(self.result.blocked);
            let rounds = text::count(self.result.rounds);
            sentences.push(format!("{blocked} of {rounds} rounds ended without a winner and count as shared."));
        }
        sentences
    }

    fn who_is_ahead(&self) -> String {
        let first = &self.result.sides[0];
        let even = self.result.even;
        let ahead = match first.wins.excludes(even) {
            false => "the difference may be chance.",
            true if first.wins.mean > even => "more than chance explains.",
            true => "less than chance explains.",
        };
        let wins = text::percent(&first.wins, 1);
        format!("{} wins {wins} of its {}, even would be {:.1} %: {ahead}", first.name, self.unit.word(2), even * 100.0)
    }

    fn settled(&self, verdict: Verdict) -> String {
        let name = &self.result.sides[0].name;
        let deals = text::count(self.result.deals);
        match verdict {
            Verdict::Better => format!("Settled after {deals} deals: {name} wins more than its even share."),
            Verdict::Worse => format!("Settled after {deals} deals: {name} wins less than its even share."),
            Verdict::Even => {
                format!("Settled after {deals} deals: {name} is closer to its even share than the margin.")
            }
            Verdict::Open => format!("Not settled after {deals} deals: more are needed."),
        }
    }
}
