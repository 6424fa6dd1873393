//! A child process behind line-based pipes that cannot block the caller, whatever it does.
//!
//! Three threads attend to its three pipes, so that a child that does not read, does not write or writes without
//! end blocks a thread and not the table. What is on its way in either direction is bounded.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError, TrySendError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Longest answer, in bytes; no action needs a hundredth of it.
pub(super) const MAX_LINE: usize = 1 << 16;
/// Messages that may wait for the child to read them, and lines of the child that may wait to be read.
const QUEUE: usize = 4;
/// How many of the last lines on standard error are kept, and how much of each.
const KEPT_LINES: usize = 10;
const KEPT_BYTES: usize = 300;
/// How long a child that was asked to end may take before it is killed.
const GRACE: Duration = Duration::from_millis(500);
/// How long the threads may take to notice that their pipes are closed.
const LINGER: Duration = Duration::from_secs(1);

/// Why no answer came. The child is no longer usable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It ended, or closed a pipe.
    Crash,
    /// It did not answer, or does not even read.
    Timeout,
    /// It wrote a line without end.
    TooLong,
}

enum Heard {
    Line(Vec<u8>),
    TooLong,
}

/// A running child and the threads that attend to it. Dropping it ends them.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// `None` once its input is closed.
    input: Option<SyncSender<Vec<u8>>>,
    /// `None` once its output is of no interest any more.
    output: Option<Receiver<Heard>>,
    last_lines: LastLines,
    /// Nothing is ever sent over it; it disconnects when all threads have ended.
    threads: Receiver<Infallible>,
    ended: bool,
}

/// How a child ended.
pub(super) struct End {
    /// `None` if it had to be killed.
    pub(super) status: Option<ExitStatus>,
    /// Its last lines on standard error.
    pub(super) last_words: String,
}

impl Process {
    /// Starts a child and the threads.
    pub(super) fn start(command: &[String]) -> io::Result<Process> {
        let mut child = spawn(command)?;
        let (input, to_write) = mpsc::sync_channel(QUEUE);
        let (heard, output) = mpsc::sync_channel(QUEUE);
        let (alive, threads) = mpsc::channel();
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let last_lines = LastLines::default();
        let kept = last_lines.clone();
        // From here on, the child ends with the process, also if a thread cannot be started.
        let process = Process { child, input: Some(input), output: Some(output), last_lines, threads, ended: false };
        if let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) {
            attend(&alive, move || write_all(stdin, &to_write))?;
            attend(&alive, move || read_lines(stdout, &heard))?;
            attend(&alive, move || kept.read(stderr))?;
        }
        Ok(process)
    }

    /// The process id.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends text, without waiting for the child to read it.
    pub(super) fn send(&self, text: String) -> Result<(), Fault> {
        let Some(input) = &self.input else { return Err(Fault::Crash) };
        input.try_send(text.into_bytes()).map_err(|error| match error {
            TrySendError::Full(_) => Fault::Timeout,
            TrySendError::Disconnected(_) => Fault::Crash,
        })
    }

    /// Waits for a line.
    pub(super) fn hear(&self, timeout: Duration) -> Result<Vec<u8>, Fault> {
        let Some(output) = &self.output else { return Err(Fault::Crash) };
        match output.recv_timeout(timeout) {
            Ok(Heard::Line(line)) => Ok(line),
            Ok(Heard::TooLong) => Err(Fault::TooLong),
            Err(RecvTimeoutError::Timeout) => Err(Fault::Timeout),
            Err(RecvTimeoutError::Disconnected) => Err(Fault::Crash),
        }
    }

    /// A line that has already come, if there is one.
    pub(super) fn overhear(&self) -> Result<Option<Vec<u8>>, Fault> {
        let Some(output) = &self.output else { return Err(Fault::Crash) };
        match output.try_recv() {
            Ok(Heard::Line(line)) => Ok(Some(line)),
            Ok(Heard::TooLong) => Err(Fault::TooLong),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(Fault::Crash),
        }
    }

    /// Ends the child after a fault. One that seems to have exited may still be exiting.
    pub(super) fn end(&mut self, fault: Fault) -> End {
        self.end_within(if fault == Fault::Crash { GRACE } else { Duration::ZERO })
    }

    /// Closes the pipes, waits that long for the child to end, then kills it.
    fn end_within(&mut self, patience: Duration) -> End {
        self.ended = true;
        self.input = None;
        self.output = None;
        let status = self.wait(patience);
        if status.is_none() {
            self.kill();
        }
        // The threads end with the pipes, unless a grandchild still holds one of them.
        let _ = self.threads.recv_timeout(LINGER);
        End { status, last_words: self.last_lines.text() }
    }

    fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        while Instant::now() < deadline {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            thread::sleep(Duration::from_millis(2));
        }
        None
    }

    /// Kills the child and everything it started, while its process id cannot have been reused.
    fn kill(&mut self) {
        #[cfg(unix)]
        let _ = rustix::process::kill_process_group(
            rustix::process::Pid::from_child(&self.child),
            rustix::process::Signal::KILL,
        );
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.ended {
            self.end_within(GRACE);
        }
    }
}

/// Starts the program in a process group of its own, so that what it starts can be ended with it.
fn spawn(command: &[String]) -> io::Result<Child> {
    let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn()
}

/// Starts a thread that holds on to `alive` as long as it runs.
fn attend(alive: &Sender<Infallible>, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let alive = alive.clone();
    thread::Builder::new().name("external bot".to_owned()).spawn(move || {
        work();
        drop(alive);
    })?;
    Ok(())
}

/// Passes messages on until there are no more, or nobody reads them.
fn write_all(mut stdin: ChildStdin, messages: &Receiver<Vec<u8>>) {
    for message in messages {
        if stdin.write_all(&message).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Passes lines on until there are no more, one is too long, or nobody wants them.
fn read_lines(stdout: impl Read, heard: &SyncSender<Heard>) {
    let mut stdout = BufReader::new(stdout);
    while let Ok(Some(line)) = read_line(&mut stdout, MAX_LINE) {
        let too_long = line.len() > MAX_LINE;
        if heard.send(if too_long { Heard::TooLong } else { Heard::Line(line) }).is_err() || too_long {
            return;
        }
    }
}

/// A line without its end, or the first `limit + 1` bytes of one that is longer.
fn read_line(reader: &mut impl BufRead, limit: usize) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    // Room for `\r\n`, which does not count.
    if reader.take(limit as u64 + 2).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.pop_if(|last| *last == b'\n').is_some() {
        line.pop_if(|last| *last == b'\r');
    }
    Ok(Some(line))
}

/// The last lines on standard error.
#[derive(Clone, Debug, Default)]
struct LastLines(Arc<Mutex<VecDeque<String>>>);

impl LastLines {
    fn read(&self, stderr: impl Read) {
        let mut stderr = BufReader::new(stderr);
        while let Ok(Some(line)) = read_line(&mut stderr, KEPT_BYTES) {
            let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if lines.len() == KEPT_LINES {
                lines.pop_front();
            }
            lines.push_back(String::from_utf8_lossy(&line).into_owned());
        }
    }

    fn text(&self) -> String {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Vec::from_iter(lines.iter().map(String::as_str)).join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_without_their_ends_and_long_ones_in_part() {
        let mut text: &[u8] = b"one\ntwo\r\n\n123456789\nend";
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut text, 4).expect("memory can be read") {
            lines.push(String::from_utf8(line).expect("text"));
        }
        assert_eq!(lines, ["one", "two", "", "123456", "789", "end"]);
    }

    #[cfg(unix)]
    #[test]
    fn no_thread_remains_however_the_child_ends() {
        for script in ["exit 1", "exec cat", "exec sleep 1000", "exec cat /dev/zero", "exec yes", "exec yes >&2"] {
            for fault in [Fault::Crash, Fault::Timeout] {
                let command = ["sh", "-c", script].map(str::to_owned);
                let mut process = Process::start(&command).expect("a shell");
                let _ = process.send("x".repeat(1 << 20));
                process.end(fault);
                assert_eq!(process.threads.try_recv(), Err(TryRecvError::Disconnected), "{script}, {fault:?}");
            }
        }
    }
}
