//! The loop: one channel for keys, news of the table and signals; a drawing after each batch of them.

use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use ratatui::crossterm::event::{
    Event as TerminalEvent, KeyEvent, KeyEventKind, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::{Position, Rect};

use super::input::{self, News, Notice};
use super::keys::{self, Intent, Step};
use super::look::Paint;
use super::start::{Chosen, Start};
use super::state::Screen;
use super::terminal::Tty;
use super::update::Effect;
use super::view;
use crate::game::{Ending, Event, Game, Source};
use crate::local::{Local, Setup};
use crate::plain::{Farewell, last_words};
use crate::saved::Shelf;
use crate::signals::{self, Signal};

/// What the screen begins with.
#[derive(Debug)]
pub enum Opening {
    /// A game that was chosen.
    Game(Source),
    /// The start screen, with these choices made. Games are saved here.
    Choose(Box<Setup>, Shelf),
}

enum Input {
    Game(Event),
    Terminal(News),
    Signal(Signal),
    Crashed,
}

/// Plays full screen until somebody quits, and leaves the terminal as it was.
///
/// # Errors
/// When the terminal cannot be read or written.
pub fn run(opening: Opening, mouse: bool) -> io::Result<Farewell> {
    let (sender, inputs) = mpsc::channel();
    let (from_signals, from_terminal, from_crash) = (sender.clone(), sender.clone(), sender.clone());
    // Nobody listens any more once the loop below is over.
    signals::listen(move |signal| drop(from_signals.send(Input::Signal(signal))))?;
    let paint = Paint::detect(|name| std::env::var(name).ok());
    let tty = Tty::take(mouse, move || drop(from_crash.send(Input::Crashed)))?;
    input::listen(move |news| drop(from_terminal.send(Input::Terminal(news))))?;
    let mut app = App { tty, inputs, sender, paint };
    let (farewell, words) = app.play(opening)?;
    drop(app);
    if let (Some(words), false) = (words, matches!(farewell, Farewell::Signal(_))) {
        println!("{words}");
    }
    Ok(farewell)
}

struct App {
    tty: Tty,
    inputs: Receiver<Input>,
    sender: Sender<Input>,
    paint: Paint,
}

impl App {
    fn play(&mut self, opening: Opening) -> io::Result<(Farewell, Option<String>)> {
        let source = match opening {
            Opening::Game(source) => source,
            Opening::Choose(setup, shelf) => match self.choose(*setup, &shelf)? {
                Ok(source) => source,
                Err(farewell) => return Ok((farewell, None)),
            },
        };
        let saved = source.saved_as();
        let link = source.link();
        let sender = self.sender.clone();
        let game = source.open(Box::new(move |event| drop(sender.send(Input::Game(event)))));
        let mut screen = Screen::new(self.paint, saved, link);
        let farewell = self.game(&mut screen, &game);
        game.close();
        let farewell = farewell?;
        let words = last_words(&farewell, saved, screen.model.stage());
        Ok((farewell, words))
    }

    /// Waits for something; a second at most while a clock is to be seen running.
    fn wait(&self, ticking: bool) -> Option<Input> {
        if !ticking {
            return Some(self.inputs.recv().unwrap_or(Input::Crashed));
        }
        match self.inputs.recv_timeout(Duration::from_secs(1)) {
            Ok(input) => Some(input),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Input::Crashed),
        }
    }

    /// The start screen: a game, or the end.
    fn choose(&mut self, setup: Setup, shelf: &Shelf) -> io::Result<Result<Source, Farewell>> {
        let (saved, note) = match shelf.latest() {
            Ok(latest) => (latest.game, latest.unreadable.first().map(ToString::to_string)),
            Err(error) => (None, Some(error.to_string())),
        };
        let mut start = Start::new(self.paint, setup, saved);
        start.note = note;
        loop {
            self.tty.screen().draw(|frame| view::start::draw(frame, &start))?;
            let chosen = match self.wait(false) {
                Some(Input::Terminal(News::Event(TerminalEvent::Key(key)))) if is_press(&key) => start.key(key),
                Some(Input::Terminal(News::Notice(Notice::Suspend))) => Some(Chosen::Suspend),
                Some(Input::Terminal(News::Notice(Notice::Resumed))) => Some(Chosen::Redraw),
                Some(Input::Terminal(News::Notice(Notice::Gone))) => return Ok(Err(Farewell::Signal(Signal::HangUp))),
                Some(Input::Signal(signal)) => return Ok(Err(Farewell::Signal(signal))),
                Some(Input::Crashed) => return Ok(Err(crashed())),
                _ => None,
            };
            let local = match chosen {
                Some(Chosen::Begin(setup)) => Local::new(shelf, &setup),
                Some(Chosen::Continue(number)) => Local::resume(shelf, number),
                Some(Chosen::Quit) => return Ok(Err(Farewell::Quit)),
                Some(Chosen::Interrupt) => return Ok(Err(Farewell::Signal(Signal::Interrupt))),
                Some(Chosen::Suspend) => {
                    self.tty.suspend()?;
                    continue;
                }
                Some(Chosen::Redraw) => {
                    self.tty.retake()?;
                    continue;
                }
                None => continue,
            };
            match local {
                Ok(local) => return Ok(Ok(Source::Local(Box::new(local)))),
                Err(error) => start.note = Some(error.to_string()),
            }
        }
    }

    /// A game, until the end.
    fn game(&mut self, screen: &mut Screen, game: &Game) -> io::Result<Farewell> {
        loop {
            self.tty.screen().draw(|frame| view::draw(frame, screen))?;
            let ticking = screen.model.clock().is_some();
            let mut next = self.wait(ticking);
            while let Some(input) = next {
                if let Some(farewell) = self.take(input, screen, game)? {
                    return Ok(farewell);
                }
                next = self.inputs.try_recv().ok();
            }
        }
    }

    fn take(&mut self, input: Input, screen: &mut Screen, game: &Game) -> io::Result<Option<Farewell>> {
        let intents = match input {
            Input::Game(Event::Ended(Ending::Closed)) => return Ok(Some(Farewell::Quit)),
            Input::Game(Event::Ended(Ending::Failed(why))) => return Ok(Some(Farewell::Failed(why))),
            Input::Game(event) => {
                screen.take(&event);
                return Ok(None);
            }
            Input::Signal(signal) => return Ok(Some(Farewell::Signal(signal))),
            Input::Crashed => return Ok(Some(crashed())),
            Input::Terminal(News::Notice(notice)) => match notice {
                Notice::Gone => return Ok(Some(Farewell::Signal(Signal::HangUp))),
                Notice::Suspend => vec![Intent::Suspend],
                Notice::Resumed => vec![Intent::Redraw],
                Notice::Resized => Vec::new(),
            },
            Input::Terminal(News::Event(TerminalEvent::Key(key))) if is_press(&key) => {
                keys::intent(screen, key).into_iter().collect()
            }
            Input::Terminal(News::Event(TerminalEvent::Mouse(mouse))) => clicked(screen, self.area()?, mouse),
            Input::Terminal(News::Event(_)) => Vec::new(),
        };
        for intent in intents {
            let shape = view::shape(screen, self.area()?);
            for effect in screen.apply(intent, shape) {
                match effect {
                    Effect::Ask(request) => game.send(request),
                    Effect::Quit => return Ok(Some(Farewell::Quit)),
                    Effect::Interrupt => return Ok(Some(Farewell::Signal(Signal::Interrupt))),
                    Effect::Suspend => self.tty.suspend()?,
                    Effect::Redraw => self.tty.retake()?,
                }
            }
        }
        Ok(None)
    }

    fn area(&mut self) -> io::Result<Rect> {
        Ok(Rect::from((Position::ORIGIN, self.tty.screen().size()?)))
    }
}

fn is_press(key: &KeyEvent) -> bool {
    key.kind != KeyEventKind::Release
}

fn crashed() -> Farewell {
    Farewell::Failed("this is a fault of unum, see above; the game is saved".to_owned())
}

/// What the mouse means: a click looks at a card, another one plays it; the wheel scrolls.
fn clicked(screen: &mut Screen, area: Rect, mouse: MouseEvent) -> Vec<Intent> {
    match mouse.kind {
        MouseEventKind::ScrollUp => vec![Intent::Scroll(Step::Up)],
        MouseEventKind::ScrollDown => vec![Intent::Scroll(Step::Down)],
        MouseEventKind::Down(MouseButton::Left) => {
            let Some(card) = view::card_at(screen, area, Position { x: mouse.column, y: mouse.row }) else {
                return Vec::new();
            };
            let again = screen.cursor == card;
            screen.look_at(card);
            if again { screen.click() } else { Vec::new() }
        }
        _ => Vec::new(),
    }
}
