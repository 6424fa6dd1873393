//! Results for people and programs: tables, JSON, CSV and pages with pictures.

mod chart;
pub(crate) mod contest;
mod csv;
pub(crate) mod effects;
mod page;
pub(crate) mod review;
pub(crate) mod standings;
pub(crate) mod study;
pub(crate) mod text;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use serde::Serialize;

use crate::output::{print, to_json};
use crate::usage::OrUsage as _;

/// Where results go.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct ReportArgs {
    /// Write JSON, to a file or instead of the tables
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    json: Option<PathBuf>,

    /// Write CSV, one figure per row, to a file or instead of the tables
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    csv: Option<PathBuf>,

    /// Write a page with charts to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Something that can be written in all formats.
pub(crate) trait Report: Serialize {
    /// Tables and sentences.
    fn to_text(&self) -> String;

    /// One figure a row.
    fn to_csv(&self) -> String;

    /// A page with charts.
    fn to_html(&self) -> String;
}

/// The report on a run.
pub(crate) trait Findings: Report {
    /// How far a run came that was interrupted.
    fn interrupted(&self) -> Option<String>;

    /// Which programs did not answer every question.
    fn failed(&self) -> Vec<String>;
}

impl ReportArgs {
    /// Checks before a long run that its results can be written.
    ///
    /// # Errors
    /// When two formats are wanted on standard output, or a file cannot be written.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        let both = is_stdout(&self.json) && is_stdout(&self.csv);
        if both {
            return Err(anyhow!("only one of --json and --csv can have standard output: write --csv=FILE")).or_usage();
        }
        for file in [&self.json, &self.csv, &self.html].into_iter().flatten().filter(|file| *file != Path::new("-")) {
            fs::OpenOptions::new().create(true).append(true).open(file).with_context(|| file.display().to_string())?;
        }
        Ok(())
    }

    /// Writes what a part of a run found: one line of JSON. A file is never half written.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn write_part(&self, line: &str) -> anyhow::Result<()> {
        let Some(file) = self.json.as_deref().filter(|file| *file != Path::new("-")) else { return print(line) };
        let mut name = file.as_os_str().to_owned();
        name.push(".unfinished");
        let unfinished = PathBuf::from(name);
        let written = fs::write(&unfinished, line).and_then(|()| fs::rename(&unfinished, file));
        written.with_context(|| file.display().to_string())
    }

    /// Writes a report wherever it is wanted: tables on standard output, unless another format goes there.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn write(&self, report: &impl Report) -> anyhow::Result<()> {
        if let Some(file) = &self.html {
            write(file, &report.to_html())?;
        }
        if let Some(file) = &self.json {
            write(file, &to_json(report)?)?;
        }
        if let Some(file) = &self.csv {
            write(file, &report.to_csv())?;
        }
        if is_stdout(&self.json) || is_stdout(&self.csv) || is_stdout(&self.html) {
            return Ok(());
        }
        print(&report.to_text())
    }
}

fn is_stdout(file: &Option<PathBuf>) -> bool {
    file.as_deref() == Some(Path::new("-"))
}

fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    if file == Path::new("-") {
        return print(text);
    }
    fs::write(file, text).with_context(|| file.display().to_string())
}
