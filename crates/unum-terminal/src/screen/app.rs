//! The event loop: one channel for keys, table events and signals; the screen is redrawn after each batch.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use ratatui::crossterm::event::{
    Event as TerminalEvent, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::{Position, Rect};

use super::film::{Critic, Film, Notes, Watching, Wish};
use super::input::{self, News, Notice};
use super::keys::{self, Intent, Step};
use super::look::Paint;
use super::start::{Chosen, Start, Unfinished};
use super::state::Screen;
use super::terminal::Tty;
use super::update::Effect;
use super::view::{self, Target};
use unum_protocol::Settings;
use unum_rules::MAX_PLAYERS;
use unum_rules::wire::ActionForm;

use crate::game::{Ending, Event, Game, Source};
use crate::local::{Local, LocalError, Setup};
use crate::plain::{Farewell, Whereabouts, last_words};
use crate::remote::{Invite, Remote, Wishes};
use crate::saved::Shelf;
use crate::signals::{self, Signal};
use crate::visits::Visits;

/// What the screen begins with.
#[derive(Debug)]
pub enum Opening {
    /// A game that was chosen.
    Game(Source),
    /// The start screen.
    Choose {
        /// The choices that are made already.
        setup: Box<Setup>,
        /// The folder of saved games, and of tables and tokens on servers.
        data: PathBuf,
    },
}

/// Comfort options.
#[derive(Clone, Debug, Default)]
pub struct Comfort {
    /// The mouse can be used.
    pub mouse: bool,
    /// The bell rings when it becomes one's turn.
    pub bell: bool,
    /// The option that names the data folder, such as ` --data games`, for commands to come back with; empty by default.
    pub folder: String,
}

enum Input {
    Game(Event),
    Terminal(News),
    Signal(Signal),
    Crashed,
    Reviewed(Notes),
}

/// Plays full screen until somebody quits, and leaves the terminal as it was.
///
/// # Errors
/// When the terminal cannot be read or written.
pub fn run(opening: Opening, comfort: Comfort) -> io::Result<Farewell> {
    let mut app = App::take_over(comfort, Paint::detect(|name| std::env::var(name).ok()))?;
    let (farewell, words) = app.play(opening)?;
    drop(app);
    // Nobody is there to read it when the terminal is gone.
    if let (Some(words), false) = (words, farewell == Farewell::Signal(Signal::HangUp)) {
        println!("{words}");
    }
    Ok(farewell)
}

/// Shows a recorded game full screen until the user quits; `critic` reviews it on request.
///
/// # Errors
/// When the terminal cannot be read or written.
pub fn watch(film: Film, critic: Critic) -> io::Result<Farewell> {
    let paint = Paint::detect(|name| std::env::var(name).ok());
    let watching = Watching { film, at: 0, paint, reviewing: false, notes: Notes::default() };
    App::take_over(Comfort::default(), paint)?.watch(watching, critic)
}

struct App {
    tty: Tty,
    inputs: Receiver<Input>,
    sender: Sender<Input>,
    paint: Paint,
    bell: bool,
    folder: String,
}

impl App {
    /// Takes the terminal, and listens for keys and signals.
    fn take_over(comfort: Comfort, paint: Paint) -> io::Result<App> {
        let (sender, inputs) = mpsc::channel();
        let (from_signals, from_terminal, from_crash) = (sender.clone(), sender.clone(), sender.clone());
        // Nobody listens any more once the loop is over.
        signals::listen(move |signal| drop(from_signals.send(Input::Signal(signal))))?;
        let tty = Tty::take(comfort.mouse, move || drop(from_crash.send(Input::Crashed)))?;
        input::listen(move |news| drop(from_terminal.send(Input::Terminal(news))))?;
        Ok(App { tty, inputs, sender, paint, bell: comfort.bell, folder: comfort.folder })
    }

    fn watch(&mut self, mut watching: Watching, critic: Critic) -> io::Result<Farewell> {
        let mut critic = Some(critic);
        loop {
            self.tty.screen().draw(|frame| view::film::draw(frame, &watching))?;
            let wish = match self.wait(false) {
                Some(Input::Terminal(News::Event(TerminalEvent::Key(key)))) if is_press(&key) => watching.key(key),
                Some(Input::Terminal(News::Notice(Notice::Suspend))) => Some(Wish::Suspend),
                Some(Input::Terminal(News::Notice(Notice::Resumed))) => Some(Wish::Redraw),
                Some(Input::Terminal(News::Notice(Notice::Gone))) => return Ok(Farewell::Signal(Signal::HangUp)),
                Some(Input::Signal(signal)) => return Ok(Farewell::Signal(signal)),
                Some(Input::Crashed) => return Ok(crashed()),
                Some(Input::Reviewed(notes)) => {
                    watching.notes = notes;
                    None
                }
                _ => None,
            };
            match wish {
                Some(Wish::End) => return Ok(Farewell::Quit),
                Some(Wish::Interrupt) => return Ok(Farewell::Signal(Signal::Interrupt)),
                Some(Wish::Suspend) => self.tty.suspend()?,
                Some(Wish::Redraw) => self.tty.retake()?,
                Some(Wish::Review) => {
                    if let Some(critic) = critic.take() {
                        let sender = self.sender.clone();
                        // Nobody looks any more once the loop is over.
                        let mut tell = move |notes| sender.send(Input::Reviewed(notes)).is_ok();
                        std::thread::Builder::new().spawn(move || critic(&mut tell))?;
                    }
                }
                None => {}
            }
        }
    }

    fn play(&mut self, opening: Opening) -> io::Result<(Farewell, Option<String>)> {
        let source = match opening {
            Opening::Game(source) => source,
            Opening::Choose { setup, data } => match self.choose(*setup, &data)? {
                Ok(source) => source,
                Err(farewell) => return Ok((farewell, None)),
            },
        };
        let whereabouts = Whereabouts { saved: source.saved_as(), link: source.link(), folder: self.folder.clone() };
        let sender = self.sender.clone();
        let game = source.open(Box::new(move |event| drop(sender.send(Input::Game(event)))));
        let mut screen = Screen::new(self.paint, whereabouts);
        let farewell = self.game(&mut screen, &game);
        game.close();
        let farewell = farewell?;
        let words = last_words(&farewell, &screen.whereabouts, &screen.model);
        Ok((farewell, words))
    }

    /// Waits for something; a second at most while a clock is shown.
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
    fn choose(&mut self, setup: Setup, data: &Path) -> io::Result<Result<Source, Farewell>> {
        let shelf = Shelf::new(data);
        let (games, note) = match shelf.unfinished() {
            Ok(saved) => (saved.games, saved.unreadable.first().map(ToString::to_string)),
            Err(error) => (Vec::new(), Some(error.to_string())),
        };
        let mut start = Start::new(self.paint, setup, Unfinished::sorted(games, Visits::new(data).list()));
        start.note = note;
        loop {
            self.tty.screen().draw(|frame| view::start::draw(frame, &start))?;
            let source = match self.chosen(&mut start)? {
                Ok(Some(Chosen::Begin(setup))) => {
                    shelf.remember(&setup);
                    local(Local::new(&shelf, &setup))
                }
                Ok(Some(Chosen::Continue(number))) => local(Local::resume(&shelf, number)),
                Ok(Some(Chosen::Join(link))) => {
                    start.note = Some(format!("Connecting to {link}."));
                    self.tty.screen().draw(|frame| view::start::draw(frame, &start))?;
                    remote(&link, &start.setup, data)
                }
                Ok(Some(Chosen::Quit)) => return Ok(Err(Farewell::Quit)),
                Ok(Some(Chosen::Interrupt)) => return Ok(Err(Farewell::Signal(Signal::Interrupt))),
                Ok(Some(Chosen::Suspend)) => {
                    self.tty.suspend()?;
                    continue;
                }
                Ok(Some(Chosen::Redraw)) => {
                    self.tty.retake()?;
                    continue;
                }
                Ok(None) => continue,
                Err(farewell) => return Ok(Err(farewell)),
            };
            match source {
                Ok(source) => return Ok(Ok(source)),
                Err(why) => start.note = Some(why),
            }
        }
    }

    /// What is chosen next on the start screen, or the end.
    fn chosen(&mut self, start: &mut Start) -> io::Result<Result<Option<Chosen>, Farewell>> {
        Ok(Ok(match self.wait(false) {
            Some(Input::Terminal(News::Event(TerminalEvent::Key(key)))) if is_press(&key) => {
                if start.page.is_some() && !key.modifiers.contains(KeyModifiers::CONTROL) {
                    start.read(key, view::start::shape(start, self.area()?));
                    return Ok(Ok(None));
                }
                start.key(key)
            }
            Some(Input::Terminal(News::Event(TerminalEvent::Mouse(mouse)))) => {
                clicked_on_start(start, self.area()?, mouse)
            }
            Some(Input::Terminal(News::Notice(Notice::Suspend))) => Some(Chosen::Suspend),
            Some(Input::Terminal(News::Notice(Notice::Resumed))) => Some(Chosen::Redraw),
            Some(Input::Terminal(News::Notice(Notice::Gone))) => return Ok(Err(Farewell::Signal(Signal::HangUp))),
            Some(Input::Signal(signal)) => return Ok(Err(Farewell::Signal(signal))),
            Some(Input::Crashed) => return Ok(Err(crashed())),
            _ => None,
        }))
    }

    /// A game, until the end.
    fn game(&mut self, screen: &mut Screen, game: &Game) -> io::Result<Farewell> {
        loop {
            self.tty.screen().draw(|frame| view::draw(frame, screen))?;
            let ticking = screen.model.clock().is_some();
            let was_my_turn = screen.model.is_my_turn();
            let mut next = self.wait(ticking);
            while let Some(input) = next {
                if let Some(farewell) = self.take(input, screen, game)? {
                    return Ok(farewell);
                }
                next = self.inputs.try_recv().ok();
            }
            if self.bell && !was_my_turn && screen.model.is_my_turn() {
                self.tty.ring()?;
            }
        }
    }

    fn take(&mut self, input: Input, screen: &mut Screen, game: &Game) -> io::Result<Option<Farewell>> {
        let intents = match input {
            Input::Game(Event::Ended(Ending::Closed)) => return Ok(Some(Farewell::Left)),
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
            // Only a replay asks for a review.
            Input::Terminal(News::Event(_)) | Input::Reviewed(_) => Vec::new(),
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

fn local(local: Result<Local, LocalError>) -> Result<Source, String> {
    local.map(|local| Source::Local(Box::new(local))).map_err(|error| error.to_string())
}

/// A table on a server by its link, or a new one there with the rules of the start screen.
fn remote(link: &str, setup: &Setup, data: &Path) -> Result<Source, String> {
    let wishes = Wishes {
        name: Some(setup.name.clone()),
        default_name: setup.name.clone(),
        settings: Settings { rules: setup.settings.rules.clone(), seats: MAX_PLAYERS, ..Settings::default() },
        bots: Vec::new(),
    };
    let joined = Invite::parse(link).and_then(|invite| Remote::join(&invite, &wishes, data));
    joined.map(|remote| Source::Remote(Box::new(remote))).map_err(|error| error.to_string())
}

fn is_press(key: &KeyEvent) -> bool {
    key.kind != KeyEventKind::Release
}

fn crashed() -> Farewell {
    Farewell::Failed("this is a bug in unum, see above; the game is saved".to_owned())
}

/// Mouse input: a click selects a card, another plays it; keys in the foot can be clicked; the wheel scrolls.
pub(super) fn clicked(screen: &mut Screen, area: Rect, mouse: MouseEvent) -> Vec<Intent> {
    match mouse.kind {
        MouseEventKind::ScrollUp => vec![Intent::Scroll(Step::Up)],
        MouseEventKind::ScrollDown => vec![Intent::Scroll(Step::Down)],
        MouseEventKind::Down(MouseButton::Left) => {
            let target = view::target(screen, area, Position { x: mouse.column, y: mouse.row });
            target.map(|target| clicked_on(screen, target)).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

fn clicked_on(screen: &mut Screen, target: Target) -> Vec<Intent> {
    match target {
        Target::Card(card) => {
            let again = screen.cursor == card;
            screen.look_at(card);
            if again { screen.click() } else { Vec::new() }
        }
        Target::DrawPile => {
            let takes = screen.can(|action| matches!(action, ActionForm::Take {}));
            vec![Intent::Words(if takes { "take" } else { "draw" })]
        }
        Target::Chair(chair) => {
            screen.cursor = chair;
            Vec::new()
        }
        Target::Entry(entry) if screen.page.is_some() => {
            let links = screen.page.iter_mut().filter_map(|page| page.links.as_mut());
            links.for_each(|links| links.at = entry);
            vec![Intent::Open]
        }
        Target::Entry(entry) => match &mut screen.form {
            Some(form) if form.cursor == entry => vec![Intent::Change(true)],
            Some(form) => {
                form.cursor = entry;
                Vec::new()
            }
            None => Vec::new(),
        },
        Target::Key(key) => keys::intent(screen, keys::written(&key)).into_iter().collect(),
    }
}

/// What the mouse means on the start screen.
fn clicked_on_start(start: &mut Start, area: Rect, mouse: MouseEvent) -> Option<Chosen> {
    let position = Position { x: mouse.column, y: mouse.row };
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) if start.page.is_some() => {
            start.page = None;
            None
        }
        MouseEventKind::Down(MouseButton::Left) => match view::start::target(start, area, position)? {
            Target::Entry(entry) => start.click(entry),
            Target::Key(key) => start.key(keys::written(&key)),
            _ => None,
        },
        _ => None,
    }
}
