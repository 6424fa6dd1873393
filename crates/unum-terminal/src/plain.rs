//! `unum play --plain`: line by line, for screen readers, dumb terminals and scripts.
//!
//! Nothing is ever overwritten. Events come as sentences; on the person's turn, the question, the hand and the choices
//! follow. From a pipe a line is read when the table waits for this person, so a script need not know how long the
//! others take; on a terminal a line counts when it is typed.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};

use unum_protocol::Stage;

use crate::game::{Ending, Event, Game, Source};
use crate::model::Model;
use crate::remote::link_with_code;
use crate::screen::width;
use crate::signals::{self, Signal};
use crate::status;
use crate::text::Text;
use crate::words::{self, Command, Show};

/// The longest input line, in bytes; the rest is cut off. No message is longer.
const LONGEST: u64 = unum_protocol::MAX_MESSAGE as u64;

/// Why a session ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Farewell {
    /// They said so, or the input ended.
    Quit,
    /// They left the table for good.
    Left,
    /// The system said so.
    Signal(Signal),
    /// The game ended by itself, in words.
    Failed(String),
}

/// Where lines come from and go to.
pub struct Lines<'a> {
    /// What is typed.
    pub input: Box<dyn BufRead + Send>,
    /// Whether somebody types it, rather than a script.
    pub typed: bool,
    /// Whether to ring the bell when it becomes the person's turn.
    pub bell: bool,
    /// The line width now; `None` for unlimited.
    pub columns: fn() -> Option<usize>,
    /// The option that names the data folder, such as ` --data games`, for commands to come back with; empty by default.
    pub folder: String,
    /// Where sentences go; colors are in them, so this should be an `anstream`.
    pub output: &'a mut dyn Write,
}

enum Input {
    Game(Event),
    Line(String),
    NoMoreLines,
    Signal(Signal),
}

/// Plays until somebody quits.
///
/// # Errors
/// When the output cannot be written or signals cannot be listened for.
pub fn run(source: Source, lines: Lines<'_>) -> io::Result<Farewell> {
    let (sender, inputs) = mpsc::channel();
    let (more, allowed) = mpsc::sync_channel(1);
    let (from_game, from_signals) = (sender.clone(), sender.clone());
    // After the loop below has ended, nobody listens.
    signals::listen(move |signal| drop(from_signals.send(Input::Signal(signal))))?;
    let (saved, link) = (source.saved_as(), source.link());
    let game = source.open(Box::new(move |event| drop(from_game.send(Input::Game(event)))));
    let input = lines.input;
    std::thread::spawn(move || read_lines(input, &sender, &allowed));
    let mut plain = Plain {
        game,
        model: Model::default(),
        output: lines.output,
        columns: lines.columns,
        typed: lines.typed,
        bell: lines.bell,
        more,
        pending: VecDeque::new(),
        asked_for: None,
        prompt: false,
    };
    let farewell = plain.play(&inputs)?;
    plain.leave(&farewell, &Whereabouts { saved, link, folder: lines.folder })?;
    plain.game.close();
    Ok(farewell)
}

/// Reads lines, each after the previous one has been handled.
fn read_lines(mut input: Box<dyn BufRead + Send>, lines: &Sender<Input>, allowed: &Receiver<()>) {
    loop {
        let next = match read_line(&mut input) {
            Ok(Some(line)) => Input::Line(line),
            Ok(None) | Err(_) => Input::NoMoreLines,
        };
        let last = matches!(next, Input::NoMoreLines);
        if lines.send(next).is_err() || last || allowed.recv().is_err() {
            return;
        }
    }
}

fn read_line(input: &mut Box<dyn BufRead + Send>) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if io::Read::take(&mut *input, LONGEST).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
    }
    Ok(Some(String::from_utf8_lossy(&bytes).trim().to_owned()))
}

/// What a question depends on: if it differs, so does the question.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Asked {
    stage: Stage,
    /// Changed when there are other rules to accept.
    agreement: u32,
    round: u32,
    at: u32,
    hints: Vec<words::Hint>,
}

struct Plain<'a> {
    game: Game,
    model: Model,
    output: &'a mut dyn Write,
    columns: fn() -> Option<usize>,
    typed: bool,
    bell: bool,
    /// Lets the next line be read.
    more: SyncSender<()>,
    /// Lines waiting to be handled; `None` is the end.
    pending: VecDeque<Option<String>>,
    /// The question that was asked last.
    asked_for: Option<Asked>,
    /// Whether the cursor stands behind a prompt.
    prompt: bool,
}

impl Plain<'_> {
    fn play(&mut self, inputs: &Receiver<Input>) -> io::Result<Farewell> {
        loop {
            // The senders live as long as this loop.
            let Ok(input) = inputs.recv() else { return Ok(Farewell::Quit) };
            let mut next = Some(input);
            while let Some(input) = next {
                if let Some(farewell) = self.take(input)? {
                    return Ok(farewell);
                }
                next = inputs.try_recv().ok();
            }
            if let Some(farewell) = self.go_on()? {
                return Ok(farewell);
            }
            self.output.flush()?;
        }
    }

    fn take(&mut self, input: Input) -> io::Result<Option<Farewell>> {
        match input {
            Input::Game(event) => {
                let new_here = self.model.lobby.is_none();
                let news = self.model.take(&event);
                if new_here && self.model.lobby.is_some() && self.model.stage() != Stage::Lobby {
                    self.show(&Show::People)?;
                }
                // Why a game failed is said once, by the program as it ends.
                let told = if matches!(event, Event::Ended(_)) { Vec::new() } else { news };
                for line in told {
                    self.say(&line.text)?;
                }
                Ok(match event {
                    Event::Ended(Ending::Closed) => Some(Farewell::Left),
                    Event::Ended(Ending::Failed(why)) => Some(Farewell::Failed(why)),
                    _ => None,
                })
            }
            Input::Line(line) => {
                self.pending.push_back(Some(line));
                Ok(None)
            }
            Input::NoMoreLines => {
                self.pending.push_back(None);
                Ok(None)
            }
            Input::Signal(signal) => Ok(Some(Farewell::Signal(signal))),
        }
    }

    /// Handles the lines that are due, and asks the next question.
    fn go_on(&mut self) -> io::Result<Option<Farewell>> {
        loop {
            self.ask()?;
            if !self.is_open() {
                return Ok(None);
            }
            let Some(line) = self.pending.pop_front() else { return Ok(None) };
            let Some(line) = line else { return Ok(Some(Farewell::Quit)) };
            if !self.typed {
                writeln!(self.output, "> {line}")?;
            }
            self.prompt = false;
            // The reader may have come to the end.
            let _ = self.more.send(());
            if self.carry_out(&line)? {
                return Ok(Some(Farewell::Quit));
            }
        }
    }

    /// Whether a line counts now.
    fn is_open(&self) -> bool {
        let known = self.model.lobby.is_some() && self.model.is_settled() && !self.model.is_waiting();
        let lost = self.model.lost.is_some();
        match self.typed {
            true => known || lost,
            false => known && self.model.is_up_to_me() || lost && self.pending.front() == Some(&None),
        }
    }

    /// Asks the person, once for every question.
    fn ask(&mut self) -> io::Result<()> {
        let model = &self.model;
        if model.lobby.is_none() || !model.is_settled() || model.is_waiting() || model.is_dealing() {
            return Ok(());
        }
        let (round, at) = model.game.as_ref().map_or((0, 0), |game| (game.round, game.at));
        let agreement = model.terms.as_ref().map_or(0, |terms| terms.agreement);
        let asked = Asked { stage: model.stage(), agreement, round, at, hints: words::hints(model) };
        let up = model.is_up_to_me();
        let news = self.asked_for.as_ref() != Some(&asked);
        if news && (up || !asked.hints.is_empty()) {
            if self.bell && model.is_my_turn() {
                write!(self.output, "\x07")?;
            }
            for line in status::question(model) {
                self.say(&line)?;
            }
        }
        if self.typed && up && self.model.seat().is_some() && !self.prompt {
            write!(self.output, "> ")?;
            self.prompt = true;
        }
        self.asked_for = Some(asked);
        Ok(())
    }

    /// Says whether that was the end.
    fn carry_out(&mut self, line: &str) -> io::Result<bool> {
        match words::parse(line, &self.model) {
            Ok(Command::Quit) => return Ok(true),
            Ok(Command::ArmUno) => {
                self.model.uno_armed = true;
                self.say(&"You will call UNO with the card you play.".into())?;
            }
            Ok(Command::Show(what)) => self.show(&what)?,
            Ok(Command::Ask(requests)) => {
                for request in requests {
                    self.model.asked(&request);
                    self.game.send(request);
                }
            }
            Err(mistake) => self.say(&mistake.into())?,
        }
        Ok(false)
    }

    fn show(&mut self, what: &Show) -> io::Result<()> {
        for line in status::show(what, &self.model) {
            self.say(&line)?;
        }
        Ok(())
    }

    /// Ends the line of the prompt, if there is one.
    fn end_prompt(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.prompt) { writeln!(self.output) } else { Ok(()) }
    }

    /// A line of its own, whatever is being typed.
    fn say(&mut self, text: &Text) -> io::Result<()> {
        self.end_prompt()?;
        let painted = text.painted();
        match (self.columns)() {
            Some(columns) => writeln!(self.output, "{}", wrapped(&painted, columns)),
            None => writeln!(self.output, "{painted}"),
        }
    }

    /// The last words.
    fn leave(&mut self, farewell: &Farewell, whereabouts: &Whereabouts) -> io::Result<()> {
        let words = last_words(farewell, whereabouts, &self.model);
        let said = match words {
            Some(words) => self.say(&words.into()),
            None => self.end_prompt(),
        };
        let said = said.and_then(|()| self.output.flush());
        // Nobody is there to read it when the terminal is gone.
        if matches!(farewell, Farewell::Signal(_)) { Ok(()) } else { said }
    }
}

/// Where to find a game again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Whereabouts {
    /// The number under which it is saved.
    pub saved: Option<u32>,
    /// The link of its table on a server.
    pub link: Option<String>,
    /// The option that names the data folder, after a space; empty for the default one.
    pub folder: String,
}

impl Whereabouts {
    /// The link, with the code the table has now.
    pub(crate) fn invitation(&self, model: &Model) -> Option<String> {
        self.link.as_ref().map(|link| link_with_code(link, &model.code))
    }
}

/// A painted text in lines of at most `columns` columns, broken between words where that is possible.
fn wrapped(painted: &str, columns: usize) -> String {
    let mut text = String::new();
    let mut used = 0;
    for word in painted.split_inclusive(' ') {
        let wide = width(&bare(word));
        let tight = wide - usize::from(word.ends_with(' '));
        if used > 0 && used + tight > columns {
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
            used = 0;
        }
        text.push_str(word);
        used += wide;
    }
    text
}

/// A text without the sequences that paint it.
fn bare(painted: &str) -> String {
    let mut pieces = painted.split('\x1b');
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| text + piece.split_once('m').map_or("", |(_, rest)| rest))
}

/// What to say at the end: how to come back.
pub(crate) fn last_words(farewell: &Farewell, whereabouts: &Whereabouts, model: &Model) -> Option<String> {
    let is_over = model.stage() == Stage::Over;
    let folder = &whereabouts.folder;
    match (farewell, whereabouts.saved) {
        (Farewell::Failed(_), _) => None,
        (_, Some(number)) if is_over => {
            Some(format!("Saved as game {number}. To watch it: unum replay {number}{folder}"))
        }
        (_, Some(number)) => Some(format!("Saved as game {number}. To go on: unum play --continue {number}{folder}")),
        (_, None) => {
            let link = whereabouts.invitation(model)?;
            let keeps = *farewell != Farewell::Left && model.seat().is_some();
            let seat = if keeps { "Your seat is kept. " } else { "" };
            Some(format!("{seat}To come back: unum play {link}{folder}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::text;

    #[test]
    fn lines_break_between_words_and_paint_takes_no_room() {
        let cards = ["YR", "G5", "W+4"].map(|name| unum_rules::CardName::parse(name).unwrap());
        let told = text!["You are dealt ", Text::list(cards), "."];
        let lines: Vec<String> = wrapped(&told.painted(), 21).lines().map(bare).collect();
        assert_eq!(lines, ["You are dealt yellow", "Reverse, green 5,", "Wild Draw Four."]);
        assert_eq!(bare(&wrapped(&told.painted(), 80)), told.to_string());
        assert_eq!(wrapped("unbreakable", 4), "unbreakable");
        assert_eq!(wrapped("", 4), "");
    }
}
