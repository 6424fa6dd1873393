//! `unum replay`: a recorded game, move by move.

use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use anyhow::{Context as _, anyhow, bail};
use clap::ValueEnum;
use unum_rules::record::{MAX_RECORD, Record, Setup, Step};
use unum_rules::wire::{EventForm, VeiledForm, ViewForm, full_events, seen_events};
use unum_rules::{CardName, ColorName, Direction, DrawReason, Match, Position, Seat, Turned, Viewer};

/// Check a game record and print the game move by move.
///
/// A record that was altered is refused, and the first wrong move named. `unum record` makes one to try;
/// docs/records.md describes both formats.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The record, as JSON or text; - reads standard input
    file: PathBuf,

    /// Show only what this seat could see
    #[arg(long, value_name = "SEAT", conflicts_with = "spectator")]
    seat: Option<Seat>,

    /// Show only what a spectator could see
    #[arg(long)]
    spectator: bool,

    /// Show only this round
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    round: Option<u32>,

    /// Print states as JSON, one a line, the deal first (with --seat or --spectator: views)
    #[arg(long)]
    state: bool,

    /// Print the record in this format instead
    #[arg(long, value_name = "FORMAT", conflicts_with_all = ["seat", "spectator", "round", "state", "quiet"])]
    to: Option<Format>,

    /// Only check the record and say so in one line
    #[arg(long, short, conflicts_with_all = ["seat", "spectator", "round", "state"])]
    quiet: bool,
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
    let record = load(&args.file)?;
    let game = record.replay().with_context(|| name_of(&args.file))?;
    let mut output = io::BufWriter::new(anstream::stdout().lock());
    print(&args, &record, &game, &mut output)?;
    Ok(output.flush()?)
}

/// Reads a record from a file, or from standard input if that is `-`.
///
/// # Errors
/// If there is none; the message names the file.
pub(crate) fn load(file: &Path) -> anyhow::Result<Record> {
    let text = read(file).with_context(|| name_of(file))?;
    Record::parse(&text).with_context(|| name_of(file))
}

/// What messages call a file.
pub(crate) fn name_of(file: &Path) -> String {
    if is_stdin(file) { "standard input".to_owned() } else { file.display().to_string() }
}

fn is_stdin(file: &Path) -> bool {
    file == Path::new("-")
}

/// Reads the whole file, if it is not too large.
fn read(file: &Path) -> anyhow::Result<String> {
    let input: Box<dyn Read> =
        if is_stdin(file) { Box::new(io::stdin().lock()) } else { Box::new(std::fs::File::open(file)?) };
    let mut bytes = Vec::new();
    input.take(MAX_RECORD as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_RECORD {
        bail!("a record has at most {MAX_RECORD} bytes");
    }
    String::from_utf8(bytes).map_err(|_| anyhow!("this is no record: it is not UTF-8 text"))
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
    let rounds = record.rounds();
    if args.round.is_some_and(|round| round > rounds) {
        bail!("the record has {}", count(rounds as usize, "round"));
    }
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
            bail!("there is no seat {seat}: seats go from 0 to {}", game.players() - 1)
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

/// `1 move`, `2 moves`.
pub(crate) fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
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

    fn deal(&self, step: &Step<'_>, told: &[String]) -> String {
        let gap = if step.place.number == 0 { "" } else { "\n" };
        let heading = paint(&format!("Round {}", step.place.round), Style::new().bold());
        let mut text = format!("{gap}{heading}\n");
        told.iter().for_each(|line| text.push_str(&format!("      {line}\n")));
        let _ = writeln!(text, "     {}", self.status(step.game));
        text
    }

    /// The table after a move: top card and color, hand sizes, and one's own hand.
    fn status(&self, game: &Match) -> String {
        let (round, palette) = (game.round(), game.rules().palette());
        let mut text = format!(" [{}", card(round.top().name(palette)));
        if round.top().is_wild() {
            let color = round.color().map_or("no color yet".to_owned(), |color| paint_color(color.name(palette)));
            let _ = write!(text, " {color}");
        }
        let sizes: Vec<usize> = round.hands().iter().map(|hand| hand.len()).collect();
        let _ = write!(text, " | {}", self.list(&sizes));
        if let Some(Viewer::Seat(seat)) = self.viewer {
            let hand: Vec<CardName> = round.hand(seat).iter().map(|card| card.name(palette)).collect();
            let _ = write!(text, " | hand {}", cards(&hand));
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

    fn names(&self, seats: &[Seat]) -> String {
        let names: Vec<String> = seats.iter().map(|seat| self.name(*seat)).collect();
        names.join(" and ")
    }

    /// A sentence; `None` for what the status says anyway.
    fn event(&self, event: &EventForm) -> Option<String> {
        self.deal_event(event).or_else(|| self.play_event(event)).or_else(|| self.effect_event(event))
    }

    /// The deal and the end.
    fn deal_event(&self, event: &EventForm) -> Option<String> {
        let name = |seat: &Seat| self.name(*seat);
        Some(match event {
            EventForm::DrewForDealer { seat, card: drawn } => {
                format!("{} draws {} for the deal.", name(seat), card(*drawn))
            }
            EventForm::DealerChosen { seat } => format!("{} deals.", name(seat)),
            EventForm::Dealt { seat, cards } => format!("{} is dealt {}.", name(seat), veiled(cards)),
            EventForm::DealtAgain {} => "There is no start card: the cards are dealt again.".to_owned(),
            EventForm::TurnedUp { card: start, turned } => turned_up(*start, *turned),
            EventForm::WentOut { seat } => format!("{} goes out.", name(seat)),
            EventForm::RoundBlocked {} => "Nobody can go on: the round is blocked.".to_owned(),
            EventForm::RoundScored { winner, points } => self.scored(*winner, points),
            EventForm::MatchWon { winners } if winners.len() > 1 => {
                bold(&format!("{} share the match.", self.names(winners)))
            }
            EventForm::MatchWon { winners } => bold(&format!("{} wins the match.", self.names(winners))),
            _ => return None,
        })
    }

    fn scored(&self, winner: Option<Seat>, points: &[u32]) -> String {
        let result = match winner {
            Some(seat) => format!("{} wins the round", self.name(seat)),
            None => "Nobody wins the round".to_owned(),
        };
        let scored: Vec<String> = (0..)
            .zip(points)
            .filter(|(_, points)| **points > 0)
            .map(|(seat, points)| format!("{} scores {points}", self.name(seat)))
            .collect();
        if scored.is_empty() { format!("{result}.") } else { format!("{result}: {}.", scored.join(", ")) }
    }

    /// What players do.
    fn play_event(&self, event: &EventForm) -> Option<String> {
        let name = |seat: &Seat| self.name(*seat);
        Some(match event {
            EventForm::Played { seat, card, color, discarded, jumped_in } => {
                let verb = if *jumped_in { "jumps in with" } else { "plays" };
                format!("{} {verb} {}.", name(seat), played(*card, *color, discarded))
            }
            EventForm::Drew { seat, reason, cards } => drew(&name(seat), *reason, cards),
            EventForm::Kept { seat } => format!("{} keeps it.", name(seat)),
            EventForm::ColorCalled { seat, color } => format!("{} calls {}.", name(seat), paint_color(*color)),
            EventForm::Challenged { seat, challenged, guilty } => {
                let outcome = if *guilty { "rightly: it was a bluff" } else { "wrongly: it was no bluff" };
                format!("{} challenges {}, {outcome}.", name(seat), name(challenged))
            }
            EventForm::HandShown { seat, to, hand } => {
                format!("{} shows {} the hand: {}.", name(seat), name(to), veiled(hand))
            }
            EventForm::Blocked { seat, color } => {
                format!("{} blocks with Flitterific! and calls {}.", name(seat), paint_color(*color))
            }
            EventForm::UnoCalled { seat } => format!("{} calls {}", name(seat), bold("UNO!")),
            EventForm::Caught { seat, by } => format!("{} catches {} without UNO.", name(by), name(seat)),
            EventForm::Penalized { seat } => format!("The referee penalizes {}.", name(seat)),
            EventForm::Discarded { seat, cards: gone } => format!("{} discards {}.", name(seat), cards(gone)),
            EventForm::Voted { seat, yes } => format!("{} votes {}.", name(seat), if *yes { "yes" } else { "no" }),
            EventForm::DareAnswered { seat, accept } => {
                format!("{} {} the dare.", name(seat), if *accept { "accepts" } else { "refuses" })
            }
            _ => return None,
        })
    }

    /// What cards bring about.
    fn effect_event(&self, event: &EventForm) -> Option<String> {
        let name = |seat: &Seat| self.name(*seat);
        Some(match event {
            EventForm::Reshuffled { count: cards } => {
                format!("The discard pile is shuffled: {} to draw.", count((*cards).into(), "card"))
            }
            EventForm::Skipped { seat } => format!("{} loses a turn.", name(seat)),
            EventForm::Reversed { direction } => format!("Play turns to the {}.", side(*direction)),
            EventForm::HandsSwapped { seat, with } => format!("{} and {} swap hands.", name(seat), name(with)),
            EventForm::HandsPassed { direction } => format!("All hands go to the {}.", side(*direction)),
            EventForm::HandsShuffled { seat } => format!("{} shuffles all hands and deals them again.", name(seat)),
            EventForm::Received { seat, cards } => format!("{} now holds {}.", name(seat), veiled(cards)),
            EventForm::MustDrawMore { seat, count } => format!("If stuck, {} draws {count}.", name(seat)),
            EventForm::ExtraTurn { seat } => format!("{} goes again.", name(seat)),
            EventForm::FacedUp { seat, until } => {
                format!("{}'s hand lies open until {}'s turn.", name(seat), name(until))
            }
            EventForm::BannerRaised { seat, text } => format!("A note on {}: {}", name(seat), quoted(text)),
            EventForm::PerformanceBegan { seat, prompt } => format!("{} performs: {}", name(seat), quoted(prompt)),
            EventForm::PerformanceEnded { success: true, .. } => "The performance is a success.".to_owned(),
            EventForm::PerformanceEnded { success: false, .. } => "The performance fails.".to_owned(),
            EventForm::Dared { seat, prompt } => format!("{} is dared: {}", name(seat), quoted(prompt)),
            _ => return None,
        })
    }
}

fn side(direction: Direction) -> &'static str {
    match direction {
        Direction::Left => "left",
        Direction::Right => "right",
    }
}

fn turned_up(start: CardName, turned: Turned) -> String {
    let fate = match turned {
        Turned::Start => "is the start card",
        Turned::Ignored => "is ignored",
        Turned::Returned => "goes back into the pile",
    };
    format!("{} is turned up and {fate}.", card(start))
}

fn played(top: CardName, color: Option<ColorName>, discarded: &[CardName]) -> String {
    let mut text = card(top);
    if !discarded.is_empty() {
        let _ = write!(text, " with {}", cards(discarded));
    }
    if let Some(color) = color {
        let _ = write!(text, " and calls {}", paint_color(color));
    }
    text
}

fn drew(name: &str, reason: DrawReason, cards: &VeiledForm) -> String {
    let why = match reason {
        DrawReason::Turn | DrawReason::Effect => "",
        DrawReason::Attack => " for the attack",
        DrawReason::Challenge => " for the challenge",
        DrawReason::Caught => " for being caught",
        DrawReason::Suggestion => " for a suggestion",
        DrawReason::Start => " for the start card",
    };
    match cards {
        VeiledForm::Cards(cards) if cards.is_empty() => format!("{name} finds no card to draw{why}."),
        VeiledForm::Count(0) => format!("{name} finds no card to draw{why}."),
        cards => format!("{name} draws {}{why}.", veiled(cards)),
    }
}

fn veiled(veiled: &VeiledForm) -> String {
    match veiled {
        VeiledForm::Cards(list) => cards(list),
        VeiledForm::Count(1) => "a card".to_owned(),
        VeiledForm::Count(number) => format!("{number} cards"),
    }
}

fn cards(list: &[CardName]) -> String {
    if list.is_empty() {
        return "nothing".to_owned();
    }
    let names: Vec<String> = list.iter().map(|name| card(*name)).collect();
    names.join(" ")
}

/// Words from the rules of a record, which anybody may have written: nothing in them commands the terminal.
fn quoted(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("\"{text}\"")
}

fn card(name: CardName) -> String {
    let color = match name.as_str().as_bytes().first() {
        Some(b'R') => AnsiColor::Red,
        Some(b'P') => AnsiColor::Magenta,
        Some(b'Y') => AnsiColor::Yellow,
        Some(b'G') => AnsiColor::Green,
        Some(b'B') => AnsiColor::Blue,
        _ => return bold(name.as_str()),
    };
    paint(name.as_str(), color.on_default().bold())
}

fn paint_color(name: ColorName) -> String {
    let color = match name {
        ColorName::Red => AnsiColor::Red,
        ColorName::Pink => AnsiColor::Magenta,
        ColorName::Yellow => AnsiColor::Yellow,
        ColorName::Green => AnsiColor::Green,
        ColorName::Blue => AnsiColor::Blue,
    };
    paint(name.as_str(), color.on_default())
}

fn bold(text: &str) -> String {
    paint(text, Style::new().bold())
}

fn paint(text: &str, style: Style) -> String {
    format!("{style}{text}{style:#}")
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

    #[test]
    fn texts_from_records_do_not_command_the_terminal() {
        assert_eq!(quoted("a\u{1b}[31m\nb"), "\"a [31m b\"");
    }
}
