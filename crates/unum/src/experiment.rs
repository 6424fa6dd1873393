//! A run of the laboratory: played whole or in parts, put together again, and reported.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use unum_lab::{Crew, MergeError, Part, RecordSink, RunError};
use unum_rules::RulesError;

use crate::commands::RunArgs;
use crate::crew::{Interrupted, fail_with, listen_for_interrupts};
use crate::parts;
use crate::records::RecordFile;
use crate::report::{Findings, ReportArgs};
use crate::usage::OrUsage as _;

/// What `unum arena`, `unum tournament`, `unum simulate` and `unum study` have in common.
pub(crate) trait Experiment {
    /// What parts are merged by.
    type Sums: Serialize + DeserializeOwned;
    /// What sums say.
    type Outcome;
    /// How that is told.
    type Findings<'a>: Findings
    where
        Self: 'a;

    /// Whether that many can play by these rules.
    ///
    /// # Errors
    /// When they cannot.
    fn check(&self) -> Result<(), RulesError>;

    /// The words of the whole run's command: whatever part of it is played, and whatever is done with the results.
    ///
    /// # Errors
    /// When rules cannot be written as options.
    fn words(&self) -> anyhow::Result<Vec<String>>;

    /// What is counted: one of it, and many.
    fn units(&self) -> [&'static str; 2];

    /// How many of them a part has.
    fn work_of(&self, part: Part) -> u64;

    /// Plays all of it, unless the crew is stopped.
    ///
    /// # Errors
    /// When a bot cannot play, or records cannot be written.
    fn play(&self, records: Option<RecordSink<'_>>, crew: &mut Crew<'_>) -> Result<Self::Outcome, RunError>;

    /// Plays a part. `None` if the crew was stopped before it was finished.
    ///
    /// # Errors
    /// When a bot cannot play, or records cannot be written.
    fn play_part(
        &self,
        part: Part,
        records: Option<RecordSink<'_>>,
        crew: &mut Crew<'_>,
    ) -> Result<Option<Self::Sums>, RunError>;

    /// The outcome of all parts, in order.
    ///
    /// # Errors
    /// When one is not a part of this run.
    fn merge(&self, parts: &[Self::Sums]) -> Result<Self::Outcome, MergeError>;

    /// What can be told; `None` if nothing was finished.
    ///
    /// # Errors
    /// When rules cannot be written as options.
    fn findings(&self, outcome: Self::Outcome) -> anyhow::Result<Option<Self::Findings<'_>>>;
}

/// Plays an experiment, or the part that is wanted, and reports on it.
///
/// # Errors
/// If it cannot be played, the report cannot be written, or the run was interrupted.
pub(crate) fn run(args: &RunArgs, experiment: &impl Experiment) -> anyhow::Result<()> {
    experiment.check().or_usage()?;
    listen_for_interrupts()?;
    args.report.check()?;
    let mut records = RecordFile::create(args.records.as_deref())?;
    let [one, many] = experiment.units();
    if let Some(part) = args.part {
        let total = experiment.work_of(part);
        let sums = args.crew.work(total, many, |crew| experiment.play_part(part, records.sink(), crew))?;
        records.finish()?;
        let sums = sums.ok_or_else(Interrupted::in_a_part)?;
        return args.report.write_part(&parts::write(part, &experiment.words()?, &sums)?);
    }
    let total = experiment.work_of(Part::WHOLE);
    let outcome = args.crew.work(total, many, |crew| experiment.play(records.sink(), crew))?;
    records.finish()?;
    let findings = experiment.findings(outcome)?.ok_or_else(|| Interrupted::before_the_first(one))?;
    args.report.write(&findings)?;
    match findings.interrupted() {
        Some(played) => Err(Interrupted::after(&played).into()),
        None => fail_with(&findings.failed()),
    }
}

/// Reports on an experiment that was played in parts, by the sums of each. `None` if the words are not what a part is given.
///
/// # Errors
/// If the sums are not those of this experiment, or the report cannot be written.
pub(crate) fn merge(
    experiment: &impl Experiment,
    given: &[String],
    sums: &[Box<RawValue>],
    report: &ReportArgs,
) -> anyhow::Result<Option<()>> {
    experiment.check()?;
    if experiment.words()? != given {
        return Ok(None);
    }
    let outcome = experiment.merge(&parts::sums_of(sums)?)?;
    let [one, _] = experiment.units();
    let findings = experiment.findings(outcome)?.ok_or_else(|| Interrupted::before_the_first(one))?;
    report.write(&findings)?;
    fail_with(&findings.failed()).map(Some)
}
