//! Long runs: how many threads, a bar that shows how far they are, and Ctrl-C.

use std::fmt;
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use unum_lab::{Crew, Entrant, External, LineUp};

/// The exit code of a run that was interrupted, as shells have it.
pub(crate) const INTERRUPTED: u8 = 130;

/// Set by Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

/// Who does the work.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct CrewArgs {
    /// How many threads work; the results are the same with any number [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// Bots that are programs.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct ProgramArgs {
    /// How long a program may think about an answer, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = External::TIMEOUT.as_secs_f64())]
    bot_timeout: f64,
}

impl ProgramArgs {
    /// The line-up of these words.
    ///
    /// # Errors
    /// When there can be no such line-up.
    pub(crate) fn line_up(&self, words: &[String]) -> anyhow::Result<LineUp<Entrant>> {
        let seconds = self.bot_timeout;
        ensure!(seconds > 0.0 && seconds <= 3600.0, "--bot-timeout goes from above 0 to 3600 seconds");
        Ok(LineUp::parse(words, Duration::from_secs_f64(seconds))?)
    }

    /// The options that say the same again.
    pub(crate) fn options(&self) -> Vec<String> {
        match self.bot_timeout == External::TIMEOUT.as_secs_f64() {
            true => Vec::new(),
            false => vec!["--bot-timeout".to_owned(), self.bot_timeout.to_string()],
        }
    }
}

impl CrewArgs {
    pub(crate) fn threads(&self) -> usize {
        let all = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.threads.map_or_else(all, NonZeroUsize::get)
    }

    /// Does work for so many units, a bar showing how far it is.
    ///
    /// # Errors
    /// Those of the work.
    pub(crate) fn work<T, E: Into<anyhow::Error>>(
        &self,
        total: u64,
        unit: &str,
        work: impl FnOnce(&mut Crew<'_>) -> Result<T, E>,
    ) -> anyhow::Result<T> {
        let bar = bar(total, unit);
        let mut progress = |done| bar.set_position(done);
        let result = work(&mut Crew { threads: self.threads(), stop: &STOP, progress: &mut progress });
        bar.finish_and_clear();
        result.map_err(Into::into)
    }
}

/// From now on the first Ctrl-C asks for an early end, and the second one is the end.
///
/// # Errors
/// When the system does not allow it.
pub(crate) fn listen_for_interrupts() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
        eprintln!("unum: finishing early; Ctrl-C once more leaves at once");
    })
    .context("Ctrl-C cannot be listened for")
}

/// A bar for people: nothing of it reaches pipes and files.
fn bar(total: u64, unit: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = format!("{{wide_bar}} {{human_pos}} of {{human_len}} {unit}, {{per_sec}}, {{eta}} left");
    let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(10));
    bar.with_style(style)
}

/// The answer to Ctrl-C, given after the results so far.
#[derive(Debug)]
pub(crate) struct Interrupted(pub(crate) String);

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "interrupted: these are the results of {}", self.0)
    }
}

impl std::error::Error for Interrupted {}
