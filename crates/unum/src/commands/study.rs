//! `unum study`: what house rules do to the game, as one table.

use anyhow::{Context as _, anyhow};
use serde_json::value::RawValue;
use unum_lab::{Crew, Entrant, LineUp, MergeError, Part, RecordSink, RunError, Study, StudyResult, StudySums};
use unum_protocol::{Group, SETTINGS, SettingKind};
use unum_rules::{Rules, RulesError, RulesSpec};

use super::simulate::parse_games;
use super::{RunArgs, agreement, bot_value, house_value, players_value};
use crate::experiment::{self, Experiment};
use crate::report::ReportArgs;
use crate::report::effects::Effects;
use crate::report::text;
use crate::usage::OrUsage as _;

/// See what house rules do to length, luck and the first seat's advantage, in one table.
///
/// Equal bots play the same deals by every rule, for the length of a round and the advantage of the seat to the left of the dealer.
/// Then a better bot plays weaker ones by every rule, on duplicate deals: the less it wins, the more luck there is. Differences have
/// 95 % intervals. docs/laboratory.md explains the figures.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  unum study                                   every house rule, four players
  unum study stacking=any seven_zero jump_in   some of them
  unum study stacking=any,seven_zero --players 2 --html effects.html
  unum study --bot hard --better expert:100w --worse hard --rounds 2000 --deals 200 --part 3/16 --json=part-3.json

Ctrl-C ends a run early and prints what there is so far; the exit code is then 130.")]
pub(crate) struct Args {
    /// What is changed, a row each, as in stacking=any,seven_zero [default: every switch and every choice by itself]
    #[arg(value_name = "RULE,RULE=VALUE", value_parser = house_value(), hide_possible_values = true)]
    changes: Vec<String>,

    /// Number of players
    #[arg(long, value_name = "N", default_value = "4", value_parser = players_value)]
    players: u8,

    /// The equal bots
    #[arg(long, value_name = "BOT", default_value = "normal", value_parser = bot_value(), hide_possible_values = true)]
    bot: String,

    /// The better bot that shows how much luck there is
    #[arg(long, value_name = "BOT", default_value = "hard", value_parser = bot_value(), hide_possible_values = true)]
    better: String,

    /// The bots it plays against
    #[arg(long, value_name = "BOT", default_value = "random", value_parser = bot_value(), hide_possible_values = true)]
    worse: String,

    /// Rounds of the equal bots, by every rule
    #[arg(long, value_name = "N", default_value = "20,000", value_parser = parse_games)]
    rounds: u64,

    /// Deals of the better bot, by every rule, each played once per rotation
    #[arg(long, value_name = "N", default_value = "5,000", value_parser = parse_games)]
    deals: u64,

    #[command(flatten)]
    run: RunArgs,
}

/// Plays and reports.
///
/// # Errors
/// If there can be no such rounds, the report cannot be written, or the run was interrupted.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if args.run.records.is_some() {
        return Err(anyhow!("a study keeps no records: `unum simulate --compare` does")).or_usage();
    }
    let setup = args.setup()?;
    experiment::run(&args.run, &setup.trial(args))
}

/// Reports on a study that was played in parts, by the sums of each. `None` if the words are not what a part is given.
///
/// # Errors
/// If the sums are not those of this study, or the report cannot be written.
pub(super) fn merge(
    args: &Args,
    given: &[String],
    parts: &[Box<RawValue>],
    report: &ReportArgs,
) -> anyhow::Result<Option<()>> {
    let setup = args.setup()?;
    experiment::merge(&setup.trial(args), given, parts, report)
}

/// A study, as it was asked for.
struct Trial<'a> {
    setup: &'a Setup,
    study: Study<'a, Entrant>,
}

impl Experiment for Trial<'_> {
    type Sums = StudySums;
    type Outcome = StudyResult;
    type Findings<'a>
        = Effects<'a>
    where
        Self: 'a;

    fn check(&self) -> Result<(), RulesError> {
        self.study.check()
    }

    fn words(&self) -> anyhow::Result<Vec<String>> {
        Ok(self.setup.words.clone())
    }

    fn units(&self) -> [&'static str; 2] {
        ["round", "games"]
    }

    fn work_of(&self, part: Part) -> u64 {
        self.study.work_of(part)
    }

    fn play(&self, _: Option<RecordSink<'_>>, crew: &mut Crew<'_>) -> Result<StudyResult, RunError> {
        Ok(self.study.result_of(&self.study.run_part(Part::WHOLE, crew)?))
    }

    fn play_part(
        &self,
        part: Part,
        _: Option<RecordSink<'_>>,
        crew: &mut Crew<'_>,
    ) -> Result<Option<StudySums>, RunError> {
        let sums = self.study.run_part(part, crew)?;
        Ok(self.study.is_complete(part, &sums).then_some(sums))
    }

    fn merge(&self, parts: &[StudySums]) -> Result<StudyResult, MergeError> {
        Ok(self.study.result_of(&StudySums::merge(&self.study, parts)?))
    }

    fn findings(&self, result: StudyResult) -> anyhow::Result<Option<Effects<'_>>> {
        let Setup { words, changes, .. } = self.setup;
        Ok((result.rounds > 0).then(|| Effects::new(text::command_of(words), changes, &self.study, result)))
    }
}

/// What is played by whom.
struct Setup {
    changes: Vec<String>,
    rules: Vec<Rules>,
    equals: LineUp<Entrant>,
    unequals: LineUp<Entrant>,
    /// The words of this command: whatever part of it is played, and whatever is done with the results.
    words: Vec<String>,
}

impl Setup {
    fn trial<'a>(&'a self, args: &Args) -> Trial<'a> {
        let Setup { rules, equals, unequals, .. } = self;
        let (rounds, deals, seed) = (args.rounds, args.deals, args.run.seed);
        Trial { setup: self, study: Study { rules, equals, unequals, rounds, deals, seed } }
    }
}

impl Args {
    fn setup(&self) -> anyhow::Result<Setup> {
        let base = self.run.rules.spec()?;
        let mut rules = vec![Rules::new(base.clone()).or_usage()?];
        let mut changes = Vec::new();
        for change in if self.changes.is_empty() { every_change() } else { self.changes.clone() } {
            let changed =
                agreement::with_changes(&base, &change).and_then(|spec| Ok((Rules::new(spec.clone())?, spec)));
            match changed {
                // Of all house rules only those that these rules do not have yet, and that go together with them.
                Ok((_, spec)) if self.changes.is_empty() && spec == base => {}
                Err(_) if self.changes.is_empty() => {}
                Ok((changed, _)) => {
                    rules.push(changed);
                    changes.push(change);
                }
                Err(error) => return Err(error).with_context(|| change.clone()).or_usage(),
            }
        }
        let others = usize::from(self.players) - 1;
        let line_up = |first: &str, rest: &str| {
            let words = std::iter::once(first).chain(std::iter::repeat_n(rest, others)).map(str::to_owned);
            self.run.programs.line_up(&words.collect::<Vec<_>>())
        };
        let (equals, unequals) = (line_up(&self.bot, &self.bot)?, line_up(&self.better, &self.worse)?);
        if unequals.sides().len() != 2 || equals.sides().len() != 1 {
            return Err(anyhow!(
                "--better and --worse are two different bots, and one of each is enough: hard, not hard*2"
            ))
            .or_usage();
        }
        let words = self.words(&base, &changes)?;
        Ok(Setup { changes, rules, equals, unequals, words })
    }

    fn words(&self, base: &RulesSpec, changes: &[String]) -> anyhow::Result<Vec<String>> {
        let mut words = vec!["study".to_owned()];
        words.extend(changes.iter().cloned());
        let options = [
            ("--players", self.players.to_string()),
            ("--bot", self.bot.clone()),
            ("--better", self.better.clone()),
            ("--worse", self.worse.clone()),
            ("--rounds", self.rounds.to_string()),
            ("--deals", self.deals.to_string()),
            ("--seed", self.run.seed.to_string()),
        ];
        words.extend(options.into_iter().flat_map(|(option, value)| [option.to_owned(), value]));
        words.extend(self.run.programs.options());
        words.extend(agreement::options(base)?);
        Ok(words)
    }
}

/// Every house rule that is a switch or a choice, by itself.
fn every_change() -> Vec<String> {
    let house = SETTINGS.iter().filter(|setting| setting.group == Group::House && setting.agreed);
    let changes = house.flat_map(|setting| match &setting.kind {
        SettingKind::Switch {} => vec![setting.id.to_string()],
        SettingKind::Choice { values } => values.iter().map(|value| format!("{}={value}", setting.id)).collect(),
        _ => Vec::new(),
    });
    changes.collect()
}
