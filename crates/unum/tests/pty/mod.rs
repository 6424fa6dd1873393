//! A program in a pseudo-terminal: started in a given size, typed at, looked at, resized.
//!
//! What it prints goes through a terminal emulator, so a test sees the screen a person would see. Nothing here waits for a
//! fixed time: [`Terminal::wait_for`] waits for a condition, and gives up after a minute with the screen in the message.

#![allow(dead_code, reason = "every test binary uses a part of it")]

use std::io::{Read as _, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// How long a condition is waited for.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A program in a terminal.
pub(crate) struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    keyboard: Box<dyn Write + Send>,
    seen: Arc<(Mutex<Seen>, Condvar)>,
}

/// What the program has printed.
pub(crate) struct Seen {
    emulator: vt100::Parser,
    /// Everything, escape sequences included.
    pub(crate) bytes: Vec<u8>,
    /// Whether the program has closed the terminal.
    pub(crate) closed: bool,
}

impl Seen {
    /// The screen as a person sees it: lines without spaces at their ends.
    pub(crate) fn screen(&self) -> String {
        self.emulator.screen().contents()
    }

    /// The emulator's screen, for colors, the cursor, and which screen is shown.
    pub(crate) fn emulator(&self) -> &vt100::Screen {
        self.emulator.screen()
    }

    /// Everything that was printed, without escape sequences.
    pub(crate) fn transcript(&self) -> String {
        self.since(0)
    }

    /// What was printed after that many bytes, without escape sequences.
    pub(crate) fn since(&self, bytes: usize) -> String {
        let text = String::from_utf8_lossy(self.bytes.get(bytes..).unwrap_or_default()).replace('\r', "");
        strip(&text)
    }
}

/// A text without its escape sequences.
pub(crate) fn strip(text: &str) -> String {
    let mut plain = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\u{1b}' {
            plain.push(c);
        } else if chars.next_if_eq(&'[').is_some() {
            while chars.next().is_some_and(|c| !('@'..='~').contains(&c)) {}
        }
    }
    plain
}

/// The binary under test, with no configuration from outside; its data goes to that folder.
pub(crate) fn unum(args: &[&str], data: &Path) -> CommandBuilder {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_unum"));
    command.args(args);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("UNUM_")) {
        command.env_remove(name);
    }
    command.env_remove("NO_COLOR");
    command.env_remove("CLICOLOR_FORCE");
    command.env("XDG_DATA_HOME", data);
    command.env("XDG_CONFIG_HOME", data);
    command.env("USER", "Ann");
    command.env("TERM", "xterm-256color");
    command
}

fn nonzero(number: u16) -> NonZeroU16 {
    NonZeroU16::new(number).expect("a terminal has rows and columns")
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

impl Terminal {
    /// Starts a program in a terminal of that size.
    pub(crate) fn start(command: CommandBuilder, columns: u16, rows: u16) -> Terminal {
        let pair = native_pty_system().openpty(size(columns, rows)).expect("a pseudo-terminal");
        let child = pair.slave.spawn_command(command).expect("the program starts");
        drop(pair.slave);
        let mut output = pair.master.try_clone_reader().expect("its output");
        let keyboard = pair.master.take_writer().expect("its input");
        let emulator = vt100::Parser::new(nonzero(rows), nonzero(columns), 0);
        let seen = Arc::new((Mutex::new(Seen { emulator, bytes: Vec::new(), closed: false }), Condvar::new()));
        let shared = Arc::clone(&seen);
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            loop {
                // Linux says that a terminal whose program is gone has an error; that is the end, too.
                let count = output.read(&mut buffer).unwrap_or(0);
                let mut seen = shared.0.lock().expect("nobody panics with it");
                seen.emulator.process(&buffer[..count]);
                seen.bytes.extend_from_slice(&buffer[..count]);
                seen.closed = count == 0;
                shared.1.notify_all();
                if count == 0 {
                    return;
                }
            }
        });
        Terminal { child, master: pair.master, keyboard, seen }
    }

    /// Types. Enter is `\r`, Ctrl-C is `\x03`.
    pub(crate) fn send(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).expect("the terminal takes keys");
        self.keyboard.flush().expect("the terminal takes keys");
    }

    /// Changes the size, as a window manager would.
    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        self.seen().emulator.screen_mut().set_size(nonzero(rows), nonzero(columns));
        self.master.resize(size(columns, rows)).expect("the size can be changed");
    }

    /// What was printed so far.
    pub(crate) fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.0.lock().expect("nobody panics with it")
    }

    /// The screen as a person sees it.
    pub(crate) fn screen(&self) -> String {
        self.seen().screen()
    }

    /// Waits until something is true of what was printed, and gives what the condition gives.
    pub(crate) fn wait_for<T>(&self, what: &str, mut condition: impl FnMut(&Seen) -> Option<T>) -> T {
        let until = Instant::now() + PATIENCE;
        let mut seen = self.seen();
        loop {
            if let Some(found) = condition(&seen) {
                return found;
            }
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero() && !seen.closed, "no {what} on\n{}", seen.screen());
            seen = self.seen.1.wait_timeout(seen, left).expect("nobody panics with it").0;
        }
    }

    /// Waits until a text is on the screen.
    pub(crate) fn wait_for_text(&self, text: &str) {
        self.wait_for(text, |seen| seen.screen().contains(text).then_some(()));
    }

    /// How the terminal treats what is typed, in words: `ICANON` among them while lines are read.
    pub(crate) fn modes(&self) -> String {
        format!("{:?}", self.master.get_termios())
    }

    /// The process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.process_id().expect("it was started")
    }

    /// Waits for the end; the exit code, and all that was printed.
    pub(crate) fn wait_end(mut self) -> (u32, String) {
        let until = Instant::now() + PATIENCE;
        let mut seen = self.seen.0.lock().expect("nobody panics with it");
        while !seen.closed {
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "it does not end:\n{}", seen.screen());
            seen = self.seen.1.wait_timeout(seen, left).expect("nobody panics with it").0;
        }
        let transcript = seen.transcript();
        drop(seen);
        let status = self.child.wait().expect("it ends");
        (status.exit_code(), transcript)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
    }
}
