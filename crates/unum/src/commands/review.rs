//! `unum review`: luck and play told apart.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::thread;

use anyhow::{Context as _, bail, ensure};
use unum_lab::Crew;
use unum_review::decision::Decision;
use unum_review::{LEAST_WORLDS, Reviewer};
use unum_rules::Seat;
use unum_rules::record::Record;

use super::replay::{load, name_of};
use crate::crew::{CrewArgs, Interrupted, listen_for_interrupts};
use crate::report::ReportArgs;
use crate::report::review::Reviewed;
use crate::report::text;
use crate::usage::{OrUsage as _, number_in};

/// Was it luck, and what should I have played? Review a finished game.
///
/// Luck is what the cards did: the value of the deal and of every card drawn, compared with the cards that could have come.
/// Errors are what choices lost, judged by worlds that fit what the player knew at that moment: a good choice that met bad
/// cards is not an error. All figures are in points, hundredths of a round. docs/review.md says how they are made.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  unum review 3                        a saved game, by its number in `unum games`
  unum review game.unum --seat Ann     one player's decisions
  unum review game.unum --budget 5,000 with more thought
  unum review game.unum --html review.html

Ctrl-C ends the thinking early and prints what there is so far; the exit code is then 130.")]
pub(crate) struct Args {
    /// A record, as JSON or text (- reads standard input); a saved game, by its number or file; or the link of a finished
    /// match on a server
    #[arg(value_name = "GAME")]
    file: PathBuf,

    /// Judge only this player's decisions, by name or seat number (from 0)
    #[arg(long, value_name = "PLAYER")]
    seat: Option<String>,

    /// Imagined worlds per decision on average; 0 for luck alone
    #[arg(long, value_name = "WORLDS", default_value = "1,000", value_parser = parse_budget)]
    budget: u64,

    /// Folder of saved games and server tokens [default: your data folder]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,

    #[command(flatten)]
    crew: CrewArgs,

    #[command(flatten)]
    report: ReportArgs,
}

/// The most worlds a decision gets.
const MAX_BUDGET: u64 = 1_000_000;

pub(super) fn parse_budget(text: &str) -> Result<u64, String> {
    let worlds: u64 = number_in(text, 0, MAX_BUDGET)?;
    match worlds {
        0 => Ok(0),
        few if few < LEAST_WORLDS.into() => {
            Err(format!("a decision needs at least {LEAST_WORLDS} worlds; 0 tells luck alone"))
        }
        worlds => Ok(worlds),
    }
}

/// Reviews a game.
///
/// # Errors
/// If the record cannot be read or is wrong, there is no such player, no round is finished, or the output cannot be written.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    let record = load(&args.file, args.data.as_deref())?;
    let seat = args.seat.as_deref().map(|name| find_seat(&record, name)).transpose().or_usage()?;
    let mut reviewer = Reviewer::new(&record).with_context(|| name_of(&args.file))?;
    ensure!(
        !reviewer.review().rounds.is_empty(),
        "{}: no round of this game is finished yet, and a running round is not reviewed",
        name_of(&args.file)
    );
    args.report.check()?;
    listen_for_interrupts()?;
    let decisions = reviewer.decisions_mut().iter().filter(|one| seat.is_none_or(|seat| one.spot.seat == seat)).count();
    let worlds = args.budget * decisions as u64;
    let finished = args.crew.work(worlds, "worlds", |crew| anyhow::Ok(think(&mut reviewer, worlds, seat, crew)))?;
    args.report.write(&Reviewed::new(reviewer.review(), &record, seat, command(&args)))?;
    match finished {
        true => Ok(()),
        false => Err(Interrupted::after("the decisions looked at so far").into()),
    }
}

/// Spends the worlds, on all threads; `false` when it was interrupted. The result does not depend on the threads.
fn think(reviewer: &mut Reviewer, worlds: u64, seat: Option<Seat>, crew: &mut Crew<'_>) -> bool {
    let mut left = worlds;
    loop {
        let tasks = reviewer.plan(left, seat);
        if tasks.is_empty() {
            return true;
        }
        let mut shares: Vec<Option<u32>> = vec![None; reviewer.decisions()];
        for task in &tasks {
            shares[task.decision] = Some(task.worlds);
            left -= u64::from(task.worlds);
        }
        let work = reviewer.decisions_mut().iter_mut().zip(shares);
        let work: Vec<(&mut Decision, u32)> = work.filter_map(|(one, worlds)| Some((one, worlds?))).collect();
        if !share_out(work, crew) {
            return false;
        }
        (crew.progress)(worlds - left);
    }
}

fn share_out(work: Vec<(&mut Decision, u32)>, crew: &Crew<'_>) -> bool {
    let threads = crew.threads.clamp(1, work.len().max(1));
    let (queue, stop) = (Mutex::new(work.into_iter()), crew.stop);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().ok().and_then(|mut queue| queue.next());
                    let Some((decision, worlds)) = next else { return };
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    decision.consider(worlds);
                }
            });
        }
    });
    !stop.load(Ordering::Relaxed)
}

/// A player by name or by the number of the seat.
fn find_seat(record: &Record, name: &str) -> anyhow::Result<Seat> {
    let players = record.setup.players;
    let named = |seat: &Seat| record.setup.name(*seat).is_some_and(|other| other.as_str().eq_ignore_ascii_case(name));
    if let Some(seat) = (0..players).find(named) {
        return Ok(seat);
    }
    match name.parse::<Seat>() {
        Ok(seat) if seat < players => Ok(seat),
        _ => bail!("there is no player {name:?}: give a name, or a seat from 0 to {}", players - 1),
    }
}

/// The command that gives the same review again.
fn command(args: &Args) -> String {
    let mut words = vec!["unum".to_owned(), "review".to_owned(), args.file.display().to_string()];
    if let Some(seat) = &args.seat {
        words.extend(["--seat".to_owned(), seat.clone()]);
    }
    if let Some(data) = &args.data {
        words.extend(["--data".to_owned(), data.display().to_string()]);
    }
    words.extend(["--budget".to_owned(), args.budget.to_string()]);
    text::command_line(&words)
}
