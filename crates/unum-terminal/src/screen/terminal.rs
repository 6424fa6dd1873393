//! Takes over the terminal, and always restores it.

use std::io::{self, Stdout, Write};
use std::panic;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ratatui::Terminal;
use ratatui::crossterm::terminal;

use super::backend::Ansi;

/// Whether the terminal is taken over, so it is restored exactly once. The writer holds it: a panicking thread restores
/// the terminal while another draws, and nothing may be drawn after that.
static TAKEN: Mutex<bool> = Mutex::new(false);

/// Another screen, no cursor.
const TAKE: &[u8] = b"\x1b[?1049h\x1b[?25l";
/// Reports of the mouse: clicks and the wheel, in a form for large screens.
const MOUSE: &[u8] = b"\x1b[?1000h\x1b[?1006h";
/// Everything as it was: no mouse, plain style, a cursor, the screen from before.
const GIVE: &[u8] = b"\x1b[?1006l\x1b[?1000l\x1b[0m\x1b[?25h\x1b[?1049l";

fn taken() -> MutexGuard<'static, bool> {
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The terminal's screen, as long as it is taken over; what comes later is left out.
#[derive(Debug)]
pub(crate) struct Paper(Stdout);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = taken();
        if *taken { self.0.write(bytes) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        let taken = taken();
        if *taken { self.0.flush() } else { Ok(()) }
    }
}

/// A terminal that is taken over.
pub(crate) struct Tty {
    screen: Terminal<Ansi<Paper>>,
    mouse: bool,
}

impl Tty {
    /// Takes the terminal over. Whatever happens from now on, it is given back; `crashed` is told when a thread panics.
    pub(crate) fn take(mouse: bool, crashed: impl Fn() + Send + Sync + 'static) -> io::Result<Tty> {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            give();
            before(info);
            crashed();
        }));
        enter(mouse)?;
        let screen = Terminal::new(Ansi::new(Paper(io::stdout())));
        let screen = screen.inspect_err(|_| give())?;
        Ok(Tty { screen, mouse })
    }

    /// The terminal, to draw on.
    pub(crate) fn screen(&mut self) -> &mut Terminal<Ansi<Paper>> {
        &mut self.screen
    }

    /// Rings the bell.
    pub(crate) fn ring(&mut self) -> io::Result<()> {
        let mut out = Paper(io::stdout());
        out.write_all(b"\x07")?;
        out.flush()
    }

    /// Takes it over once more, as somebody else may have used it in between, and draws everything again.
    pub(crate) fn retake(&mut self) -> io::Result<()> {
        give();
        enter(self.mouse)?;
        self.screen.clear()
    }

    /// Gives the terminal back, stops this process, and goes on when it is continued.
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        give();
        stop();
        self.retake()
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        give();
    }
}

fn enter(mouse: bool) -> io::Result<()> {
    let mut taken = taken();
    *taken = true;
    terminal::enable_raw_mode()?;
    let mut out = io::stdout();
    out.write_all(TAKE)?;
    if mouse {
        out.write_all(MOUSE)?;
    }
    out.flush()
}

/// Gives the terminal back, if it is taken.
fn give() {
    let mut taken = taken();
    if !std::mem::replace(&mut *taken, false) {
        return;
    }
    // A terminal that is gone needs nothing back.
    let _ = terminal::disable_raw_mode();
    let mut out = io::stdout();
    let _ = out.write_all(GIVE).and_then(|()| out.flush());
}

#[cfg(unix)]
fn stop() {
    use rustix::process::{Signal, getpid, kill_process};
    // A process that may not stop itself goes on.
    let _ = kill_process(getpid(), Signal::STOP);
}

#[cfg(not(unix))]
fn stop() {}
