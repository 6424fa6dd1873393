//! A program behind pipes: run to its end, or started, written to and waited for, and a player who answers its questions.

#![allow(dead_code, reason = "every test binary uses a part of it")]

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// How long a condition is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// The binary with these arguments, its data in that folder, its pipes open.
pub(crate) fn unum(args: &[&str], data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unum"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("UNUM_")) {
        command.env_remove(name);
    }
    command.args(args).env("XDG_DATA_HOME", data).env("USER", "Ann").env_remove("CLICOLOR_FORCE");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub(crate) fn run(args: &[&str], data: &Path, input: &str) -> Output {
    output(unum(args, data), input)
}

/// What comes of a command with this input.
pub(crate) fn output(mut command: Command, input: &str) -> Output {
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

pub(crate) fn printed(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}\n{text}{}", output.status, String::from_utf8_lossy(&output.stderr));
    text
}

/// A program behind pipes whose output can be waited for.
pub(crate) struct Piped {
    child: Child,
    pub(crate) stdin: Option<ChildStdin>,
    seen: Arc<(Mutex<(String, bool)>, Condvar)>,
}

impl Piped {
    pub(crate) fn start(args: &[&str], data: &Path) -> Piped {
        Piped::of(unum(args, data))
    }

    pub(crate) fn of(mut command: Command) -> Piped {
        let mut child = command.stderr(Stdio::inherit()).spawn().unwrap();
        let (stdin, mut stdout) = (child.stdin.take(), child.stdout.take().unwrap());
        let seen = Arc::new((Mutex::new((String::new(), false)), Condvar::new()));
        let shared = Arc::clone(&seen);
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            loop {
                let count = stdout.read(&mut buffer).unwrap_or(0);
                let mut seen = shared.0.lock().unwrap();
                seen.0 += &String::from_utf8_lossy(&buffer[..count]);
                seen.1 = count == 0;
                shared.1.notify_all();
                if count == 0 {
                    return;
                }
            }
        });
        Piped { child, stdin, seen }
    }

    /// Waits until something is true of what was printed after that place.
    pub(crate) fn wait_for<T>(&self, what: &str, from: usize, condition: impl Fn(&str) -> Option<T>) -> T {
        let until = Instant::now() + PATIENCE;
        let mut seen = self.seen.0.lock().unwrap();
        loop {
            if let Some(found) = seen.0.get(from..).and_then(&condition) {
                return found;
            }
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero() && !seen.1, "no {what} in\n{}", seen.0);
            seen = self.seen.1.wait_timeout(seen, left).unwrap().0;
        }
    }

    pub(crate) fn length(&self) -> usize {
        self.seen.0.lock().unwrap().0.len()
    }

    pub(crate) fn send(&mut self, line: &str) {
        self.stdin.as_mut().unwrap().write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// Sends a line and waits until the program has taken it: the place after that. What was asked once more before, as
    /// when somebody is caught meanwhile, is answered by it, too.
    pub(crate) fn reply(&mut self, line: &str, from: usize) -> usize {
        self.send(line);
        let echo = format!("> {line}\n");
        from + self.wait_for("echo", from, |new| new.find(&echo)) + echo.len()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_raw(self.child.id().try_into().unwrap()).unwrap(), signal).unwrap();
    }

    /// Waits for the end: the exit code and all that was printed.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        drop(self.stdin.take());
        let status = self.child.wait().unwrap();
        let until = Instant::now() + PATIENCE;
        let mut seen = self.seen.0.lock().unwrap();
        while !seen.1 && Instant::now() < until {
            seen = self.seen.1.wait_timeout(seen, PATIENCE).unwrap().0;
        }
        (status.code(), seen.0.clone())
    }
}

impl Drop for Piped {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
    }
}

/// The question at the end of what was printed, if there is one: all after the last command, up to a line of choices.
pub(crate) fn question(text: &str) -> Option<&str> {
    let last = text.strip_suffix('\n')?.lines().next_back()?;
    let asks = last.starts_with("Type ") || last.starts_with("Or type ");
    (asks && last.ends_with('.')).then_some(text)
}

/// What a simple player answers, from the words alone.
pub(crate) fn answer(question: &str) -> String {
    let after = |beginning: &str| question.lines().rev().find_map(|line| line.strip_prefix(beginning));
    let choices = after("Or type ").or_else(|| after("Type ")).unwrap_or_default().trim_end_matches('.');
    let pick = |choice: &str| match choice.split_once(" or ").map_or(choice, |(first, _)| first) {
        "color COLOR" => "color blue".to_owned(),
        "block COLOR" => "block green".to_owned(),
        choice => choice.to_owned(),
    };
    // Only what was said since it became this player's turn counts.
    let turn = question.rfind("You hold ").map_or("", |at| &question[at..]);
    let playable = turn.lines().find_map(|line| line.strip_prefix("You can play "));
    let code = playable.and_then(|list| list.rsplit(" (").next()?.strip_suffix(")."));
    let Some(code) = code else { return pick(choices.split(", or ").next().unwrap_or_default()) };
    let color = if code.starts_with('w') && code != "wh" { " yellow" } else { "" };
    let uno = if turn.starts_with("You hold 2 cards") { " uno" } else { "" };
    format!("play {code}{color}{uno}")
}

/// The hand that was told last.
pub(crate) fn hand(text: &str) -> Option<String> {
    text.lines().rev().find(|line| line.starts_with("You hold ")).map(str::to_owned)
}
