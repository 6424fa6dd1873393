//! One module per command.

pub(crate) mod admin;
pub(crate) mod agreement;
pub(crate) mod analyze;
pub(crate) mod arena;
pub(crate) mod backup;
pub(crate) mod bench;
mod bench_lab;
pub(crate) mod cluster;
mod database;
pub(crate) mod games;
pub(crate) mod health;
pub(crate) mod merge;
pub(crate) mod monitor;
pub(crate) mod page;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod record;
pub(crate) mod referee;
pub(crate) mod replay;
pub(crate) mod review;
pub(crate) mod rules;
mod season;
pub(crate) mod serve;
pub(crate) mod shell;
pub(crate) mod simulate;
pub(crate) mod store;
pub(crate) mod study;
mod suggest;
pub(crate) mod tables;
pub(crate) mod tournament;
mod trust;
pub(crate) mod verify;

use std::path::PathBuf;

use clap::builder::PossibleValue;
use unum_lab::Part;
use unum_protocol::{Group, Level, SETTINGS, SettingKind};
use unum_rules::{Edition, MAX_PLAYERS, MIN_PLAYERS};
use unum_terminal::nearest::did_you_mean;

use self::agreement::RulesArgs;
use crate::crew::{CrewArgs, ProgramArgs};
use crate::report::ReportArgs;
use crate::usage::{Suggested, number, number_in, suggested};

/// What every run of the laboratory is told: by which rules and from which seed it plays, how it works and reports.
#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// Seed for the cards and the bots' random choices
    #[arg(long, value_name = "SEED", default_value_t = 0, value_parser = number)]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    /// Play only this part of the run, such as 3/16, and write its exact sums as JSON for `unum merge`
    #[arg(long, value_name = "K/N", value_parser = part_value, conflicts_with_all = ["csv", "html"])]
    #[arg(help_heading = "Running")]
    pub(crate) part: Option<Part>,

    /// Write every game to this file, a record per line, compressed if its name ends in .gz; the cards are then dealt as
    /// records deal them, so results differ from a run without it
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) records: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) crew: CrewArgs,

    #[command(flatten)]
    pub(crate) programs: ProgramArgs,

    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

impl RunArgs {
    /// The options that give the same games: what the file is called makes no difference to them.
    pub(crate) fn record_options(&self) -> Vec<String> {
        self.records.iter().flat_map(|_| ["--records".to_owned(), "games.jsonl".to_owned()]).collect()
    }
}

/// The value of `--part`.
fn part_value(text: &str) -> Result<Part, String> {
    let wrong =
        || format!("a part is its number and how many there are, as in 3/16; there can be up to {}", Part::MOST);
    Part::parse(text).ok_or_else(wrong)
}

/// The value of `--edition`.
pub(crate) fn edition_value() -> Suggested<Edition> {
    suggested(|| Edition::ALL.map(|edition| PossibleValue::new(edition.id())).to_vec(), parse_edition)
}

/// Reads the id of an edition.
pub(crate) fn parse_edition(text: &str) -> Result<Edition, String> {
    Edition::parse(&text.to_ascii_lowercase()).ok_or_else(|| {
        let ids = Edition::ALL.map(Edition::id);
        format!("the editions are {}.{}", ids.join(", "), did_you_mean(text, ids))
    })
}

/// The value of `--level` and its like.
pub(crate) fn level_value() -> Suggested<Level> {
    let read = |text: &str| {
        let near = || did_you_mean(text, Level::ALL.iter().map(|level| level.id()));
        Level::parse(text).ok_or_else(|| format!("the levels are {}.{}", Level::names(), near()))
    };
    suggested(|| Level::ALL.iter().map(|level| PossibleValue::new(level.id())).collect(), read)
}

/// A bot in a line-up: its words are read later, all together.
pub(crate) fn bot_value() -> Suggested<String> {
    let words = || {
        let levels = Level::ALL.iter().map(|level| PossibleValue::new(level.id()));
        levels.chain([PossibleValue::new("program:")]).collect()
    };
    suggested(words, |text| Ok(text.to_owned()))
}

/// House rules, with their values: they are read later, all together.
pub(crate) fn house_value() -> Suggested<String> {
    suggested(|| house_words().into_iter().map(PossibleValue::new).collect(), |text| Ok(text.to_owned()))
}

/// House rules with their values, as they are written on the command line.
pub(crate) fn house_words() -> Vec<String> {
    let house = SETTINGS.iter().filter(|setting| setting.group == Group::House && setting.agreed);
    let words = house.flat_map(|setting| match &setting.kind {
        SettingKind::Choice { values } => values.iter().map(|value| format!("{}={value}", setting.id)).collect(),
        SettingKind::Number { .. } => vec![format!("{}=", setting.id)],
        _ => vec![setting.id.to_string()],
    });
    words.collect()
}

/// How many play.
pub(crate) fn players_value(text: &str) -> Result<u8, String> {
    number_in(text, MIN_PLAYERS.into(), MAX_PLAYERS.into())
}
