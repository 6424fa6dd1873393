//! `unum replay`: a recorded game, move by move.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use clap::ValueEnum;
use unum_review::Reviewer;
use unum_rules::record::{MAX_RECORD, Record, Setup, Step};
use unum_rules::wire::{EventForm, ViewForm, full_events, seen_events};
use unum_rules::{Direction, Match, Position, Seat, Viewer, rulebook};
use unum_server::config::default_data_folder;
use unum_terminal::Text;
use unum_terminal::plain::Farewell;
use unum_terminal::screen::{self, Critic, Film, Frame};
use unum_terminal::story::{self, count};
use unum_terminal::{Account, Invite, Place, Shelf, finished, is_saved_game};

use crate::records::{Lines, is_record_line, open, read_some, split_game};
use crate::report::review::notes;
use crate::usage::OrUsage as _;

/// Worlds per decision of a review on the screen, and how often it is told how that stands.
const WORLDS: u64 = 400;
const NEWS: Duration = Duration::from_millis(500);

/// Check a game record and show the game move by move.
///
/// On a terminal it fills the screen, with all hands open: the arrows go from move to move, Page up and Page down from round
/// to round, and r shows the review: chances to win, and the moments that cost most. Otherwise it prints the game. An altered
/// record is refused, and the first wrong move is named.
/// `unum record` makes one to try; docs/records.md describes both formats.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A record, as JSON or text (- reads standard input), or one of many (games.jsonl.gz#12); a saved game, by its number or file (`unum games`); or the link
    /// of a finished match on a server (`unum games SERVER`)
    file: PathBuf,

    /// Show only what this seat could see; seats are numbered from 0
    #[arg(long, value_name = "SEAT", conflicts_with = "spectator")]
    seat: Option<Seat>,

    /// Show only what a spectator could see
    #[arg(long)]
    spectator: bool,

    /// Show only this round
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    round: Option<u32>,

    /// Print states as JSON, one per line, the deal first (with --seat or --spectator: views)
    #[arg(long)]
    state: bool,

    /// Print the record in this format instead
    #[arg(long, value_name = "FORMAT", conflicts_with_all = ["seat", "spectator", "round", "state", "quiet"])]
    to: Option<Format>,

    /// Print it all at once, even on a terminal
    #[arg(long)]
    all: bool,

    /// On a terminal, go step by step without filling the screen
    #[arg(long, conflicts_with = "all")]
    plain: bool,

    /// Only check the record, and print one line
    #[arg(long, short, conflicts_with_all = ["seat", "spectator", "round", "state"])]
    quiet: bool,

    /// Folder of saved games and server tokens [default: your data folder]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

/// How a record is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Tags and moves, for people
    Text,
    /// One document, for programs
    Json,
}

impl Format {
    /// Writes a record.
    pub(crate) fn write(self, record: &Record) -> String {
        match self {
            Format::Text => record.to_text(),
            Format::Json => record.to_json(),
        }
    }
}

/// Prints the game.
///
/// # Errors
/// If the record cannot be read or is wrong (the message names the first wrong move), if there is no such
/// seat or round, or if the output cannot be written.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    let record = load(&args.file, args.data.as_deref())?;
    let game = record.replay().with_context(|| name_of(&args.file))?;
    let dumb = std::env::var_os("TERM") == Some("dumb".into());
    if args.is_stepping() && (args.plain || dumb) {
        return step_through(&args, &record, &game);
    }
    if args.is_stepping() {
        let film = film(&args, &record, &game)?;
        return match screen::watch(film, critic(record))? {
            Farewell::Failed(why) => bail!(why),
            _ => Ok(()),
        };
    }
    let mut output = io::BufWriter::new(anstream::stdout().lock());
    print(&args, &record, &game, &mut output)?;
    Ok(output.flush()?)
}

/// Reads a record from a file, from standard input if that is `-`, from a saved game in the data folder, or from a server.
///
/// # Errors
/// If there is none; the message names the file.
pub(crate) fn load(file: &Path, data: Option<&Path>) -> anyhow::Result<Record> {
    let data = data.map_or_else(default_data_folder, Path::to_owned);
    if let Some(record) = from_server(file, &data)? {
        return Record::parse(&record).with_context(|| name_of(file));
    }
    let saved = match saved_game(file) {
        Some(number) => Some(Shelf::new(&data).find(number)?),
        None => None,
    };
    let (file, number) = split_game(saved.as_deref().unwrap_or(file));
    let file = file.as_path();
    let text = match read(file).with_context(|| name_of(file))? {
        Content::Many(lines) => return lines.pick(number).with_context(|| name_of(file)),
        Content::One(_) if number.is_some_and(|number| number != 1) => {
            bail!("{}: there is one game in it", name_of(file))
        }
        Content::One(text) => text,
    };
    if is_saved_game(&text) {
        let last = finished(file, &text)?.pop();
        return Ok(last.context("a saved game that is finished has a record")?.record);
    }
    Record::parse(&text).with_context(|| name_of(file))
}

/// The record of a finished match on a server, if that is what the link names.
fn from_server(file: &Path, data: &Path) -> anyhow::Result<Option<String>> {
    let Some(link) = file.to_str().filter(|text| text.contains("/g/") && !file.exists()) else { return Ok(None) };
    let invite = Invite::parse(link).or_usage()?;
    match &invite.place {
        Place::Game(id) => Ok(Some(Account::of(&invite.server, data).record(id)?)),
        _ => Ok(None),
    }
}

/// The number of a saved game, unless there is a file of that name.
fn saved_game(file: &Path) -> Option<u32> {
    let number = file.to_str()?.parse().ok()?;
    (!file.exists()).then_some(number)
}

/// What messages call a file.
pub(crate) fn name_of(file: &Path) -> String {
    if is_stdin(file) { "standard input".to_owned() } else { file.display().to_string() }
}

fn is_stdin(file: &Path) -> bool {
    file == Path::new("-")
}

/// What is in a file.
pub(crate) enum Content {
    /// One document.
    One(String),
    /// Records, one a line.
    Many(Lines),
}

/// Reads the whole file, if it is not too large, or the beginning of one with many records.
pub(crate) fn read(file: &Path) -> anyhow::Result<Content> {
    let mut input = open(file)?;
    let first = read_some(&mut *input, true)?;
    if is_record_line(&first) {
        return Ok(Content::Many(Lines { first: Some(first), input }));
    }
    let text = first + &read_some(&mut *input, false)?;
    if text.len() > MAX_RECORD {
        bail!("a record has at most {MAX_RECORD} bytes");
    }
    Ok(Content::One(text))
}

impl Args {
    /// Whether a person can say how far to go.
    fn is_stepping(&self) -> bool {
        let whole = self.all || self.quiet || self.state || self.to.is_some() || is_stdin(&self.file);
        !whole && io::stdin().is_terminal() && io::stdout().is_terminal()
    }
}

/// Shows a game step by step, for as long as the user continues.
fn step_through(args: &Args, record: &Record, game: &Match) -> anyhow::Result<()> {
    let steps = told_steps(args, record, game)?;
    let mut output = anstream::stdout().lock();
    let (mut at, mut line) = (0, String::new());
    writeln!(output, "Enter: next move. p: back. r: next round. A number: that move. q: quit.")?;
    loop {
        write!(output, "{}{}/{}> ", steps[at].text, steps[at].number, steps.last().map_or(0, |step| step.number))?;
        output.flush()?;
        line.clear();
        if io::stdin().read_line(&mut line)? == 0 {
            return Ok(writeln!(output)?);
        }
        let last = steps.len() - 1;
        at = match line.trim() {
            "" | "n" | "next" => (at + 1).min(last),
            "p" | "b" | "back" | "previous" => at.saturating_sub(1),
            "r" | "round" => (at + 1..last).find(|next| steps[*next].round > steps[at].round).unwrap_or(last),
            "q" | "quit" | "exit" => return Ok(()),
            typed => match typed.parse::<u32>() {
                Ok(number) => steps.iter().position(|step| step.number >= number).unwrap_or(last),
                Err(_) => {
                    writeln!(output, "Type Enter or n, p, r, a number from 0 to {}, or q.", steps[last].number)?;
                    at
                }
            },
        };
    }
}

/// The game as the full screen shows it.
fn film(args: &Args, record: &Record, game: &Match) -> anyhow::Result<Film> {
    let viewer = viewer(args, game)?;
    check_round(args, record)?;
    let teller = Teller { setup: &record.setup, viewer };
    let (mut replay, mut frames) = (record.steps(), Vec::new());
    while let Some(step) = replay.step()? {
        if args.round.is_none_or(|round| round == step.place.round) {
            frames.push(teller.frame(&step));
        }
    }
    let title = rulebook::edition_notes(game.rules().edition()).title.to_owned();
    Ok(Film { title, names: (0..game.players()).map(|seat| teller.name(seat)).collect(), frames })
}

/// Reviews a game while somebody looks at it.
fn critic(record: Record) -> Critic {
    Box::new(move |tell| {
        // The record was checked before it was shown.
        let Ok(mut reviewer) = Reviewer::new(&record) else { return };
        let mut left = reviewer.decisions() as u64 * WORLDS;
        let mut told = Instant::now();
        let notes = |reviewer: &Reviewer, is_done| notes(reviewer.review(), &record, is_done);
        if !tell(notes(&reviewer, false)) {
            return;
        }
        loop {
            let tasks = reviewer.plan(left, None);
            if tasks.is_empty() {
                tell(notes(&reviewer, true));
                return;
            }
            for task in tasks {
                left -= u64::from(task.worlds);
                reviewer.decisions_mut()[task.decision].consider(task.worlds);
                if told.elapsed() > NEWS {
                    if !tell(notes(&reviewer, false)) {
                        return;
                    }
                    told = Instant::now();
                }
            }
        }
    })
}

/// A step in words.
struct Told {
    round: u32,
    number: u32,
    text: String,
}

fn told_steps(args: &Args, record: &Record, game: &Match) -> anyhow::Result<Vec<Told>> {
    let teller = Teller { setup: &record.setup, viewer: viewer(args, game)? };
    check_round(args, record)?;
    let (mut replay, mut steps) = (record.steps(), Vec::new());
    while let Some(step) = replay.step()? {
        if args.round.is_none_or(|round| round == step.place.round) {
            let text = teller.step(&step).trim_start_matches('\n').to_owned();
            steps.push(Told { round: step.place.round, number: step.place.number, text });
        }
    }
    Ok(steps)
}

fn check_round(args: &Args, record: &Record) -> anyhow::Result<()> {
    let rounds = record.rounds();
    if args.round.is_some_and(|round| round > rounds) {
        bail!("the record has {}", count(rounds as usize, "round"));
    }
    Ok(())
}

fn print(args: &Args, record: &Record, game: &Match, output: &mut impl Write) -> anyhow::Result<()> {
    if let Some(format) = args.to {
        return Ok(output.write_all(format.write(record).as_bytes())?);
    }
    if args.quiet {
        let (moves, rounds) = (count(record.moves.len(), "move"), count(record.rounds() as usize, "round"));
        return Ok(writeln!(output, "verified: {moves}, {rounds}, final state {}", record.final_state)?);
    }
    let viewer = viewer(args, game)?;
    check_round(args, record)?;
    let teller = Teller { setup: &record.setup, viewer };
    let mut replay = record.steps();
    while let Some(step) = replay.step()? {
        if args.round.is_some_and(|round| round != step.place.round) {
            continue;
        }
        let text = if args.state { state_line(&step, viewer)? } else { teller.step(&step) };
        output.write_all(text.as_bytes())?;
    }
    Ok(())
}

/// Whose eyes to see with; `None` sees everything.
fn viewer(args: &Args, game: &Match) -> anyhow::Result<Option<Viewer>> {
    match args.seat {
        Some(seat) if seat >= game.players() => {
            bail!("there is no seat {seat}: seats are numbered 0 to {}", game.players() - 1)
        }
        Some(seat) => Ok(Some(Viewer::Seat(seat))),
        None => Ok(args.spectator.then_some(Viewer::Spectator)),
    }
}

fn state_line(step: &Step<'_>, viewer: Option<Viewer>) -> anyhow::Result<String> {
    let json = match viewer {
        Some(viewer) => serde_json::to_string(&ViewForm::new(&step.game.view(viewer), step.game.rules()))?,
        None => serde_json::to_string(&Position::of(step.game))?,
    };
    Ok(json + "\n")
}

// Words.

/// Tells a game in sentences.
struct Teller<'a> {
    setup: &'a Setup,
    viewer: Option<Viewer>,
}

impl Teller<'_> {
    /// One step: a round's deal as a paragraph, a move as a line.
    fn step(&self, step: &Step<'_>) -> String {
        let rules = step.game.rules();
        let events = match self.viewer {
            Some(viewer) => seen_events(step.events, viewer, rules),
            None => full_events(step.events, rules),
        };
        let told: Vec<String> = events.iter().filter_map(|event| self.event(event)).collect();
        let mut text = match step.made.and_then(|made| made.seat()) {
            None => self.deal(step, &told),
            Some(_) => format!("{:>4}  {}{}\n", step.place.number, told.join(" "), self.status(step.game)),
        };
        if step.game.round().is_over() {
            let _ = writeln!(text, "      Scores {}.", self.list(step.game.scores()));
        }
        text
    }

    /// One step as the full screen shows it.
    fn frame(&self, step: &Step<'_>) -> Frame {
        let (rules, round) = (step.game.rules(), step.game.round());
        let events = match self.viewer {
            Some(viewer) => seen_events(step.events, viewer, rules),
            None => full_events(step.events, rules),
        };
        let (name, palette) = (|seat| self.name(seat), rules.palette());
        let sentences = story::Teller { name: &name, me: None, title: &|_| None };
        let mut told: Vec<Text> = events.iter().filter_map(|event| sentences.event(event)).collect();
        if step.made.and_then(|made| made.seat()).is_none() {
            told.insert(0, Text::strong(format!("Round {}", step.place.round)));
        }
        let is_seen = |seat: Seat| self.viewer.is_none_or(|viewer| viewer == Viewer::Seat(seat));
        let hand = |seat: Seat| round.hand(seat).iter().map(|card| card.name(palette)).collect();
        Frame {
            round: step.place.round,
            number: step.place.number,
            told,
            top: round.top().name(palette),
            color: round.color().map(|color| color.name(palette)),
            to_the_left: round.direction() == Direction::Left,
            turn: round.phase().seat(),
            hands: (0..step.game.players()).map(|seat| is_seen(seat).then(|| hand(seat))).collect(),
            sizes: round.hands().iter().map(|hand| hand.len()).collect(),
            scores: step.game.scores().to_vec(),
            draw_count: round.draw_pile().len(),
        }
    }

    fn deal(&self, step: &Step<'_>, told: &[String]) -> String {
        let gap = if step.place.number == 0 { "" } else { "\n" };
        let heading = Text::strong(format!("Round {}", step.place.round)).short();
        let mut text = format!("{gap}{heading}\n");
        told.iter().for_each(|line| text.push_str(&format!("      {line}\n")));
        let _ = writeln!(text, "     {}", self.status(step.game));
        text
    }

    /// The table after a move: top card and color, hand sizes, and one's own hand.
    fn status(&self, game: &Match) -> String {
        let (round, palette) = (game.round(), game.rules().palette());
        let mut text = format!(" [{}", Text::from(round.top().name(palette)).short());
        if round.top().is_wild() {
            let color =
                round.color().map_or("no color yet".to_owned(), |color| Text::from(color.name(palette)).short());
            let _ = write!(text, " {color}");
        }
        let sizes: Vec<usize> = round.hands().iter().map(|hand| hand.len()).collect();
        let _ = write!(text, " | {}", self.list(&sizes));
        if let Some(Viewer::Seat(seat)) = self.viewer {
            let hand = Text::list(round.hand(seat).iter().map(|card| card.name(palette)));
            let _ = write!(text, " | hand {}", hand.short());
        }
        if let Some(seat) = round.phase().seat() {
            let _ = write!(text, " | {} is up", self.name(seat));
        }
        text + "]"
    }

    /// Numbers by seat: `Ann: 6, Bob: 7`.
    fn list(&self, numbers: &[impl ToString]) -> String {
        let parts: Vec<String> =
            (0..).zip(numbers).map(|(seat, number)| format!("{}: {}", self.name(seat), number.to_string())).collect();
        parts.join(", ")
    }

    fn name(&self, seat: Seat) -> String {
        self.setup.name(seat).map_or_else(|| format!("Seat {seat}"), |name| name.to_string())
    }

    /// A sentence; `None` for what the status says anyway.
    fn event(&self, event: &EventForm) -> Option<String> {
        let name = |seat| self.name(seat);
        let told = story::Teller { name: &name, me: None, title: &|_| None }.event(event);
        told.map(|text| text.short())
    }
}

#[cfg(test)]
mod tests {
    use unum_rules::record::{PlayerName, Recorder};
    use unum_rules::{Edition, RulesSpec, Seeded, playout::Casual};

    use super::*;

    fn record(edition: Edition) -> Record {
        let names = vec![PlayerName::new("Ann").ok(), PlayerName::new("Bob").ok()];
        let setup = Setup { names, ..Setup::new(RulesSpec::of(edition), 3, 5) };
        let mut recorder = Recorder::start(setup, &mut ()).unwrap();
        let mut chance = Seeded::new(5);
        while !recorder.game().round().is_over() {
            let (seat, action) = Casual.choose(recorder.game().round(), recorder.game().rules(), &mut chance);
            recorder.apply(seat, &action, &mut ()).unwrap();
        }
        recorder.into_record()
    }

    fn told(record: &Record, viewer: Option<Viewer>) -> String {
        let teller = Teller { setup: &record.setup, viewer };
        let mut replay = record.steps();
        let mut text = String::new();
        while let Some(step) = replay.step().unwrap() {
            text += &teller.step(&step);
        }
        anstream::adapter::strip_str(&text).to_string()
    }

    #[test]
    fn every_move_has_a_line() {
        for edition in Edition::ALL {
            let record = record(edition);
            let text = told(&record, None);
            for number in 1..=record.moves.len() {
                assert!(text.contains(&format!("\n{number:>4}  ")), "{number} in {text}");
            }
            assert!(text.contains("wins the round") && text.contains("Scores Ann: "), "{text}");
        }
    }

    #[test]
    fn spectators_see_no_hidden_cards() {
        let text = told(&record(Edition::Original), Some(Viewer::Spectator));
        assert!(text.contains("Ann is dealt 7 cards.") && !text.contains("hand "), "{text}");
        let dealt: Vec<&str> = text.lines().filter(|line| line.contains("is dealt")).collect();
        assert!(dealt.len() == 3 && dealt.iter().all(|line| line.ends_with("7 cards.")), "{dealt:?}");
        let text = told(&record(Edition::Original), Some(Viewer::Seat(1)));
        assert!(text.contains("Ann is dealt 7 cards.") && !text.contains("Bob is dealt 7 cards."), "{text}");
    }
}
