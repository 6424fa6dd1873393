//! Long runs: how many threads, a bar that shows how far they are, and Ctrl-C.

use std::fmt;
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use unum_lab::{Crew, Entrant, External, LineUp, LineUpError};
use unum_protocol::Level;

use unum_terminal::nearest::did_you_mean;

use crate::report::text::count;
use crate::usage::{OrUsage as _, number_in};

/// The exit code of a run that was interrupted, as shells have it.
pub(crate) const INTERRUPTED: u8 = 130;

/// Set by Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

/// Who does the work.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct CrewArgs {
    /// Number of threads; results do not depend on it, unless bots are programs or think by the clock
    /// [default: one per core]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<NonZeroUsize>,
}

/// The most threads that can be asked for.
const MAX_THREADS: u64 = 1024;

fn parse_threads(text: &str) -> Result<NonZeroUsize, String> {
    let threads = number_in(text, 1, MAX_THREADS)?;
    NonZeroUsize::new(threads).ok_or_else(|| "at least one thread is needed".to_owned())
}

/// Bots that are programs.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct ProgramArgs {
    /// Seconds a program may take for an answer
    #[arg(long, value_name = "SECONDS", default_value_t = External::TIMEOUT.as_secs_f64())]
    bot_timeout: f64,
}

impl ProgramArgs {
    /// The line-up of these words.
    ///
    /// # Errors
    /// When there can be no such line-up.
    pub(crate) fn line_up(&self, words: &[String]) -> anyhow::Result<LineUp<Entrant>> {
        LineUp::parse(words, self.timeout()?).map_err(with_advice).or_usage()
    }

    /// The bots of one word, with their names.
    ///
    /// # Errors
    /// When it stands for none.
    pub(crate) fn entries(&self, word: &str) -> anyhow::Result<Vec<(String, Entrant)>> {
        LineUp::entries(word, self.timeout()?).map_err(with_advice).or_usage()
    }

    fn timeout(&self) -> anyhow::Result<Duration> {
        let seconds = self.bot_timeout;
        if !(seconds > 0.0 && seconds <= 3600.0) {
            return Err(anyhow!("--bot-timeout must be above 0 and at most 3600 seconds")).or_usage();
        }
        Ok(Duration::from_secs_f64(seconds))
    }

    /// The options that say the same again.
    pub(crate) fn options(&self) -> Vec<String> {
        match self.bot_timeout == External::TIMEOUT.as_secs_f64() {
            true => Vec::new(),
            false => vec!["--bot-timeout".to_owned(), self.bot_timeout.to_string()],
        }
    }
}

/// What is wrong with a line-up, and what may have been meant.
fn with_advice(error: LineUpError) -> anyhow::Error {
    let near = match &error {
        LineUpError::Unknown(name) => did_you_mean(name, Level::ALL.iter().map(|level| level.id())),
        _ => String::new(),
    };
    anyhow!("{error}{}", if near.is_empty() { near } else { format!(".{near}") })
}

impl CrewArgs {
    pub(crate) fn threads(&self) -> usize {
        let all = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.threads.map_or_else(all, NonZeroUsize::get)
    }

    /// Does `units` units of work, with a progress bar.
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

/// A signal this soon after the first Ctrl-C is a duplicate of it: `timeout` sends two.
const SAME: Duration = Duration::from_millis(300);

/// From now on the first Ctrl-C asks for an early end, and the second one is the end.
///
/// # Errors
/// When the system does not allow it.
pub(crate) fn listen_for_interrupts() -> anyhow::Result<()> {
    let mut first: Option<Instant> = None;
    ctrlc::set_handler(move || match first {
        None => {
            first = Some(Instant::now());
            STOP.store(true, Ordering::Relaxed);
            eprintln!("unum: finishing early; Ctrl-C again leaves at once");
        }
        Some(first) if first.elapsed() < SAME => {}
        Some(_) => std::process::exit(INTERRUPTED.into()),
    })
    .context("cannot listen for Ctrl-C")
}

/// A count for people of work whose end is not known.
pub(crate) fn counter(unit: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = format!("{{spinner}} {{human_pos}} {unit}, {{elapsed}}");
    let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_spinner());
    ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10)).with_style(style)
}

/// A bar for people; pipes and files get none of it.
pub(crate) fn bar(total: u64, unit: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = format!("{{wide_bar}} {{human_pos}} of {{human_len}} {unit}, {{rate}} a second, {{eta}} left");
    let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(10));
    bar.with_style(style.with_key("rate", |state: &ProgressState, text: &mut dyn fmt::Write| {
        let _ = text.write_str(&count(state.per_sec() as u64));
    }))
}

/// Fails after the report if bots failed, so scripts notice.
///
/// # Errors
/// When there is a name.
pub(crate) fn fail_with(names: &[String]) -> anyhow::Result<()> {
    match names.is_empty() {
        true => Ok(()),
        false => Err(anyhow!("{} did not answer every question: see the report", names.join(" and "))),
    }
}

/// The answer to Ctrl-C, given after the results so far.
#[derive(Debug)]
pub(crate) struct Interrupted(String);

impl Interrupted {
    /// After a report on what was finished.
    pub(crate) fn after(played: &str) -> Interrupted {
        Interrupted(format!("these are the results of {played}"))
    }

    /// Before a part was finished.
    pub(crate) fn in_a_part() -> Interrupted {
        Interrupted("the part was not finished, so it was not written; play it again".to_owned())
    }

    /// Before there was anything to report.
    pub(crate) fn before_the_first(unit: &str) -> Interrupted {
        Interrupted(format!("no {unit} was finished, so there is nothing to report"))
    }
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "interrupted: {}", self.0)
    }
}

impl std::error::Error for Interrupted {}
