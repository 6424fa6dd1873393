//! `unum merge`: one report from the parts of a run.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{anyhow, bail};
use unum_lab::Part;
use unum_rules::text::printable;

use super::{arena, simulate, study, tournament};
use crate::parts::PartFile;
use crate::report::{ReportArgs, text};
use crate::usage::told;

/// Put the parts of an arena, a tournament, a simulation or a study together: the report is that of one whole run.
///
/// `unum arena`, `unum tournament`, `unum simulate` and `unum study` play one of several parts with --part, on any machine.
/// Sums are of whole numbers, so the figures do not depend on how a run was cut. Parts that are missing, doubled, damaged or of another run are named, and
/// nothing is reported.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  unum arena hard random --part 1/2 --json=part-1.json
  unum arena hard random --part 2/2 --json=part-2.json
  unum merge part-1.json part-2.json --html contest.html")]
pub(crate) struct Args {
    /// The files of all parts, in any order
    #[arg(value_name = "PART", required = true)]
    parts: Vec<PathBuf>,

    #[command(flatten)]
    report: ReportArgs,
}

/// A run that can be cut into parts.
pub(crate) enum Run {
    Arena(Box<arena::Args>),
    Tournament(Box<tournament::Args>),
    Simulate(Box<simulate::Args>),
    Study(Box<study::Args>),
}

/// Merges the parts and reports on the whole.
///
/// # Errors
/// If parts are missing, doubled, damaged or of different runs, or the report cannot be written.
pub(crate) fn run(args: Args, whole_run: impl Fn(&[String]) -> Option<Run>) -> anyhow::Result<()> {
    args.report.check()?;
    let (files, mut problems) = read(&args.parts);
    let parts = sort(&files, &mut problems);
    if !problems.is_empty() {
        bail!("these parts make no whole run:\n{}", problems.join("\n"));
    }
    let words = &files[0].1.command;
    let foreign = || anyhow!("{}: this is not a command that has parts", text::command_line(words));
    let sums: Vec<_> = parts.into_values().map(|file| file.sums.clone()).collect();
    let reported = match whole_run(words).ok_or_else(foreign)? {
        Run::Arena(run) => arena::merge(&run, words, &sums, &args.report)?,
        Run::Tournament(run) => tournament::merge(&run, words, &sums, &args.report)?,
        Run::Simulate(run) => simulate::merge(&run, words, &sums, &args.report)?,
        Run::Study(run) => study::merge(&run, words, &sums, &args.report)?,
    };
    reported.ok_or_else(foreign)
}

/// Reads the files; what cannot be read is a problem.
fn read(paths: &[PathBuf]) -> (Vec<(&PathBuf, PartFile)>, Vec<String>) {
    let (mut files, mut problems) = (Vec::new(), Vec::new());
    for path in paths {
        match PartFile::read(path) {
            Ok(part) => files.push((path, part)),
            Err(error) => problems.push(format!("broken: {}: {}", path.display(), told(&error))),
        }
    }
    (files, problems)
}

/// The parts by number. What does not belong to the run of the first file, comes twice or is missing is a problem.
fn sort<'a>(files: &'a [(&PathBuf, PartFile)], problems: &mut Vec<String>) -> BTreeMap<u64, &'a PartFile> {
    let mut parts: BTreeMap<u64, (&PathBuf, &PartFile)> = BTreeMap::new();
    let Some((first_path, first)) = files.first() else { return BTreeMap::new() };
    for (path, file) in files {
        if let Some(why) = foreign(file, first) {
            problems.push(format!("foreign: {}: {why} (compare {})", path.display(), first_path.display()));
        } else if let Some((other, _)) = parts.insert(file.part.number, (path, file)) {
            problems.push(format!("doubled: part {} is in {} and in {}", file.part, other.display(), path.display()));
        }
    }
    let own = env!("CARGO_PKG_VERSION");
    if first.version != own {
        let version = clip(&first.version);
        problems
            .push(format!("version: the parts were played by unum {version}, and this is {own}: merge with the same"));
    }
    let missing: Vec<u64> = (1..=first.part.of).filter(|number| !parts.contains_key(number)).collect();
    problems.extend(missing_words(&missing, first.part));
    parts.into_iter().map(|(number, (_, file))| (number, file)).collect()
}

/// Why a part does not belong to the run of another.
fn foreign(file: &PartFile, first: &PartFile) -> Option<String> {
    if file.version != first.version {
        return Some(format!("it was played by unum {}, others by {}", clip(&file.version), clip(&first.version)));
    }
    if file.command != first.command {
        return Some(format!("it is a part of another run: unum {}", text::command_line(&file.command)));
    }
    (file.part.of != first.part.of).then(|| format!("it is part {}, others are of {}", file.part, first.part.of))
}

/// Numbers that follow each other are one range.
fn missing_words(missing: &[u64], part: Part) -> Option<String> {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for number in missing {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *number => *last = *number,
            _ => ranges.push((*number, *number)),
        }
    }
    let words: Vec<String> =
        ranges.iter().map(|(from, to)| if from == to { from.to_string() } else { format!("{from}-{to}") }).collect();
    let noun = if missing.len() == 1 { "part" } else { "parts" };
    (!missing.is_empty()).then(|| format!("missing: {noun} {} of {}", words.join(", "), part.of))
}

/// A text from a file, short enough to quote.
fn clip(text: &str) -> String {
    printable(text, 40)
}
