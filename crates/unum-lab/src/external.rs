//! Bots in any language: a program that gets questions on its standard input and answers on its standard output.
//!
//! The protocol is in docs/bots-protocol.md.

mod process;

use std::time::Duration;
use std::{fmt, io};

use serde::{Deserialize, Serialize};
use unum_bots::{Bot, Random};
use unum_protocol::pipe::{Message, PROTOCOL};
use unum_rules::text::printable;
use unum_rules::wire::{ActionForm, ChoiceForm, EventForm, ViewForm};
use unum_rules::{Action, Rules, SeenEvent, Sight};

use process::{End, Fault, MAX_LINE, Process};

/// The first answer after a start may take this many times as long: interpreters are slow to wake up.
const FIRST_ANSWER: u32 = 10;
/// A program that fails this many times in a row is given up.
const MAX_IN_A_ROW: u32 = 5;
/// How often a program is started again; when it fails once more it is given up.
const MAX_RESTARTS: u32 = 20;
/// How many unsolicited lines are dropped before a question.
const MAX_UNASKED: usize = 64;
/// How much of an answer is repeated in messages, in characters.
const SHOWN: usize = 200;

/// A program at the table, behind pipes.
///
/// It sees what any bot sees, in the referee's words, and has a time limit for each answer. Whenever it crashes, hangs
/// or answers nonsense, the [`Random`] bot acts in its place and the failure is counted. After a crash or a hang it is
/// started again for the next question, a limited number of times. It cannot delay the table for longer than its time
/// limit. Dropping an `External` ends the program.
///
/// ```no_run
/// use unum_lab::External;
///
/// let command = External::words("python3 examples/bots/simple.py")?;
/// let bot = External::start(&command, External::TIMEOUT)?;
/// assert_eq!(bot.failures().total(), 0);
/// # Ok::<(), unum_lab::ExternalError>(())
/// ```
#[derive(Debug)]
pub struct External {
    command: Vec<String>,
    timeout: Duration,
    /// `None` after a crash or a hang, until the next question.
    process: Option<Process>,
    /// Whether the program has yet to answer for the first time.
    fresh: bool,
    /// What goes out with the next question.
    outbox: String,
    /// What happened since, as this seat may see it.
    events: Vec<EventForm>,
    /// The rules of the round, and the message that told of it.
    round: Option<(Rules, String)>,
    autopilot: Random,
    failures: Failures,
    last_error: Option<String>,
    /// Crashes and hangs since the last good answer.
    in_a_row: u32,
    restarts: u32,
    given_up: bool,
}

/// How often a program was asked, and how often it failed to answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failures {
    /// Decisions that were the program's to make.
    pub asked: u64,
    /// It ended, or closed its pipes.
    pub crashes: u64,
    /// It wrote something that is not a legal action, or that nobody had asked for.
    pub nonsense: u64,
    /// It did not answer in time.
    pub timeouts: u64,
    /// It was not asked any more, because it had failed too often.
    pub missed: u64,
}

/// Why a program could not be started.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ExternalError {
    /// There is nothing to start.
    #[error("there is no program to start: name one, such as `python3 examples/bots/simple.py`")]
    NoCommand,
    /// A quoted word of the command does not end.
    #[error("a quote is not closed in `{command}`")]
    OpenQuote { command: String },
    /// There is no such program.
    #[error("there is no program `{program}`: give its path, or a name that is in the search path")]
    NotFound { program: String },
    /// There is, but the system does not start it.
    #[error("the program `{program}` cannot be started: {source}")]
    NotStarted { program: String, source: io::Error },
}

/// A message as a line of text.
fn line(message: &Message) -> String {
    // Names, numbers and lists: there is nothing in a message that JSON could not hold.
    serde_json::to_string(message).unwrap_or_default() + "\n"
}

/// What a question is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Act,
    React,
}

impl External {
    /// The default time limit for an answer.
    pub const TIMEOUT: Duration = Duration::from_secs(1);

    /// Starts a program, given with its arguments. It has `timeout` for each answer, and ten times as long for
    /// its first.
    ///
    /// # Errors
    /// When it cannot be started. What goes wrong later is counted, see [`failures`](External::failures).
    pub fn start<S: AsRef<str>>(command: &[S], timeout: Duration) -> Result<External, ExternalError> {
        let command: Vec<String> = command.iter().map(|word| word.as_ref().to_owned()).collect();
        let Some(program) = command.first().filter(|program| !program.is_empty()) else {
            return Err(ExternalError::NoCommand);
        };
        let process = Process::start(&command).map_err(|error| ExternalError::new(program, error))?;
        Ok(External {
            command,
            timeout,
            process: Some(process),
            fresh: true,
            outbox: hello(),
            events: Vec::new(),
            round: None,
            autopilot: Random::new(0),
            failures: Failures::default(),
            last_error: None,
            in_a_row: 0,
            restarts: 0,
            given_up: false,
        })
    }

    /// Splits a command as typed at spaces. `"…"` and `'…'` hold words together; nothing else is special.
    ///
    /// # Errors
    /// When a quote is not closed, or there are no words.
    pub fn words(command: &str) -> Result<Vec<String>, ExternalError> {
        let mut words = Vec::new();
        let mut word: Option<String> = None;
        let mut quote = None;
        for letter in command.chars() {
            match quote {
                Some(closing) if letter == closing => quote = None,
                None if letter == '"' || letter == '\'' => {
                    quote = Some(letter);
                    word.get_or_insert_default();
                }
                None if letter.is_whitespace() => words.extend(word.take()),
                _ => word.get_or_insert_default().push(letter),
            }
        }
        words.extend(word);
        if quote.is_some() {
            return Err(ExternalError::OpenQuote { command: command.to_owned() });
        }
        if words.is_empty() { Err(ExternalError::NoCommand) } else { Ok(words) }
    }

    /// What went wrong so far.
    pub fn failures(&self) -> Failures {
        self.failures
    }

    /// The last thing that went wrong, in words, with what the program wrote on standard error before it ended.
    pub fn last_error(&self) -> Option<&str> {
        self.last_error.as_deref()
    }

    /// Whether the program failed so often that the autopilot plays for good.
    pub fn is_given_up(&self) -> bool {
        self.given_up
    }

    /// The process id of the running program.
    pub fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(Process::id)
    }

    /// The program's decision, if it is one; else the autopilot has to decide. Only a reaction can be `Some(None)`.
    fn decide(&mut self, kind: Kind, sight: &Sight<'_>, legal: Vec<ChoiceForm>) -> Option<Option<Action>> {
        self.failures.asked += 1;
        if self.given_up {
            self.failures.missed += 1;
            return None;
        }
        let line = match self.exchange(&question(kind, sight, legal)) {
            Ok(line) => line,
            Err(fault) => {
                self.count_fault(fault);
                return None;
            }
        };
        match read_answer(&line, kind, sight) {
            Ok(decision) => {
                self.in_a_row = 0;
                Some(decision)
            }
            Err(why) => {
                self.count_nonsense(format!("answered {}: {why}", shown(&line)));
                None
            }
        }
    }

    /// Sends everything the program has to know, asks a question, and waits for a line.
    fn exchange(&mut self, question: &Message) -> Result<Vec<u8>, Fault> {
        self.restart_if_ended()?;
        self.clear_unasked()?;
        self.flush_events();
        let text = std::mem::take(&mut self.outbox) + &line(question);
        let process = self.running()?;
        process.send(text)?;
        let line = process.hear(self.patience())?;
        self.fresh = false;
        Ok(line)
    }

    /// How long the next answer may take.
    fn patience(&self) -> Duration {
        if self.fresh { self.timeout.saturating_mul(FIRST_ANSWER) } else { self.timeout }
    }

    fn running(&self) -> Result<&Process, Fault> {
        self.process.as_ref().ok_or(Fault::Crash)
    }

    /// Drops lines that nobody asked for, so that none is taken for the answer to the next question.
    fn clear_unasked(&mut self) -> Result<(), Fault> {
        for _ in 0..MAX_UNASKED {
            let Some(line) = self.running()?.overhear()? else { break };
            self.count_nonsense(format!("wrote {} without being asked", shown(&line)));
        }
        Ok(())
    }

    /// Starts the program again, and tells it once more what round it is. What it has missed is in the view.
    fn restart_if_ended(&mut self) -> Result<(), Fault> {
        if self.process.is_none() {
            self.restarts += 1;
            self.process = Some(Process::start(&self.command).map_err(|_| Fault::Crash)?);
            self.fresh = true;
            self.events.clear();
            self.outbox = hello();
            self.outbox.extend(self.round.iter().map(|(_, message)| message.as_str()));
        }
        Ok(())
    }

    fn flush_events(&mut self) {
        if !self.events.is_empty() {
            let events = std::mem::take(&mut self.events);
            self.outbox += &line(&Message::Events { events });
        }
    }

    fn count_nonsense(&mut self, error: String) {
        self.failures.nonsense += 1;
        self.last_error = Some(error);
    }

    /// Ends the program, which will be started again for the next question unless this happens too often.
    fn count_fault(&mut self, fault: Fault) {
        *match fault {
            Fault::Crash => &mut self.failures.crashes,
            Fault::Timeout => &mut self.failures.timeouts,
            Fault::TooLong => &mut self.failures.nonsense,
        } += 1;
        let end = self.process.take().map(|mut process| process.end(fault));
        self.last_error = Some(self.describe(fault, end));
        self.in_a_row += 1;
        self.given_up = self.in_a_row >= MAX_IN_A_ROW || self.restarts >= MAX_RESTARTS;
    }

    fn describe(&self, fault: Fault, end: Option<End>) -> String {
        let Some(End { status, last_words }) = end else { return "could not be started again".to_owned() };
        let mut text = match (fault, status) {
            (Fault::Crash, Some(status)) => format!("crashed ({status})"),
            (Fault::Crash, None) => "crashed: closed its output and did not end".to_owned(),
            (Fault::Timeout, _) => format!("did not answer within {:?}", self.patience()),
            (Fault::TooLong, _) => format!("wrote a line of more than {MAX_LINE} bytes"),
        };
        if !last_words.is_empty() {
            text = text + ", last words:\n" + &last_words;
        }
        text
    }
}

impl Bot for External {
    fn begin(&mut self, sight: &Sight<'_>) {
        if self.given_up {
            return;
        }
        self.flush_events();
        let (rules, players) = (sight.rules(), sight.players());
        let message = line(&Message::Round { seat: sight.seat(), players, rules: rules.spec().clone() });
        self.outbox += &message;
        self.round = Some((rules.clone(), message));
    }

    fn listens(&self) -> bool {
        !self.given_up
    }

    fn see(&mut self, event: &SeenEvent) {
        if let Some((rules, _)) = &self.round
            && !self.given_up
        {
            self.events.push(EventForm::new(event, rules));
        }
    }

    fn act(&mut self, sight: &Sight<'_>) -> Action {
        self.decide(Kind::Act, sight, ChoiceForm::all(sight)).flatten().unwrap_or_else(|| self.autopilot.act(sight))
    }

    fn react(&mut self, sight: &Sight<'_>) -> Option<Action> {
        let legal = reactions(sight);
        if legal.is_empty() {
            return None;
        }
        self.decide(Kind::React, sight, legal).unwrap_or_else(|| self.autopilot.react(sight))
    }
}

/// The program is told how the round ended, before its input does.
impl Drop for External {
    fn drop(&mut self) {
        self.flush_events();
        if let Some(process) = &self.process {
            let _ = process.send(std::mem::take(&mut self.outbox));
        }
    }
}

fn hello() -> String {
    line(&Message::Hello { protocol: PROTOCOL })
}

fn question(kind: Kind, sight: &Sight<'_>, legal: Vec<ChoiceForm>) -> Message {
    let seat = sight.seat();
    let view = Box::new(ViewForm::new(&sight.view(), sight.rules()));
    match kind {
        Kind::Act => Message::Act { seat, view, legal },
        Kind::React => Message::React { seat, view, legal },
    }
}

/// What the table does not wait for.
fn reactions(sight: &Sight<'_>) -> Vec<ChoiceForm> {
    let mut choices = ChoiceForm::all(sight);
    choices.retain(|choice| matches!(choice, ChoiceForm::Action(form) if is_reaction(form, sight)));
    choices
}

fn is_reaction(form: &ActionForm, sight: &Sight<'_>) -> bool {
    match form {
        ActionForm::CallUno {} | ActionForm::Catch { .. } => true,
        ActionForm::Play { .. } => !sight.is_awaited(),
        _ => false,
    }
}

/// Reads an answer and checks that it is legal.
fn read_answer(line: &[u8], kind: Kind, sight: &Sight<'_>) -> Result<Option<Action>, String> {
    // The parser would also accept a list as an action's fields without their names.
    if line.trim_ascii_start().first() == Some(&b'[') {
        return Err("a list where an action belongs".to_owned());
    }
    let form: Option<ActionForm> = serde_json::from_slice(line).map_err(|error| format!("no action: {error}"))?;
    match (form, kind) {
        (None, Kind::React) => Ok(None),
        (None, Kind::Act) => Err("the table waits for an action, so there has to be one".to_owned()),
        (Some(form), Kind::React) if !is_reaction(&form, sight) => {
            Err("this cannot be done before one is asked to act: answer `null` to let it be".to_owned())
        }
        (Some(form), _) => {
            let action = form.action(sight.rules().palette()).map_err(|error| error.to_string())?;
            sight.check(&action).map_err(|refusal| refusal.to_string())?;
            Ok(Some(action))
        }
    }
}

/// The beginning of a line, for messages.
fn shown(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let mut shown = printable(&text, SHOWN);
    if text.chars().count() > SHOWN {
        shown.push('…');
    }
    if shown.is_empty() { "an empty line".to_owned() } else { shown }
}

impl Failures {
    /// All failures together.
    pub fn total(&self) -> u64 {
        [self.crashes, self.nonsense, self.timeouts, self.missed].into_iter().fold(0, u64::saturating_add)
    }
}

impl std::ops::AddAssign for Failures {
    fn add_assign(&mut self, other: Failures) {
        // Some come from files that may hold anything.
        self.asked = self.asked.saturating_add(other.asked);
        self.crashes = self.crashes.saturating_add(other.crashes);
        self.nonsense = self.nonsense.saturating_add(other.nonsense);
        self.timeouts = self.timeouts.saturating_add(other.timeouts);
        self.missed = self.missed.saturating_add(other.missed);
    }
}

impl std::ops::Sub for Failures {
    type Output = Failures;

    /// What was added to the failures of before.
    fn sub(self, before: Failures) -> Failures {
        Failures {
            asked: self.asked - before.asked,
            crashes: self.crashes - before.crashes,
            nonsense: self.nonsense - before.nonsense,
            timeouts: self.timeouts - before.timeouts,
            missed: self.missed - before.missed,
        }
    }
}

impl fmt::Display for Failures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failures { crashes, nonsense, timeouts, missed, .. } = self;
        write!(f, "crashes {crashes}, nonsense {nonsense}, timeouts {timeouts}, missed {missed}")
    }
}

impl ExternalError {
    fn new(program: &str, source: io::Error) -> ExternalError {
        let program = program.to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => ExternalError::NotFound { program },
            _ => ExternalError::NotStarted { program, source },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_at_spaces_outside_quotes() {
        let words = |command| External::words(command).expect("a command");
        assert_eq!(words("python3  bots/simple.py\t-v"), ["python3", "bots/simple.py", "-v"]);
        assert_eq!(words(r#""C:\My Bots\bot.exe" 'it is' a"b c"d """#), [r"C:\My Bots\bot.exe", "it is", "ab cd", ""]);
        assert!(matches!(External::words(r#"python3 "bot.py"#), Err(ExternalError::OpenQuote { .. })));
        assert!(matches!(External::words("  "), Err(ExternalError::NoCommand)));
    }

    #[test]
    fn failures_add_up() {
        let mut sum = Failures { asked: 50, crashes: 1, nonsense: 2, timeouts: 3, missed: 4 };
        sum += Failures { asked: 150, crashes: 10, nonsense: 20, timeouts: 30, missed: 40 };
        assert_eq!(sum, Failures { asked: 200, crashes: 11, nonsense: 22, timeouts: 33, missed: 44 });
        assert_eq!(sum.total(), 110);
        assert_eq!(sum - Failures { crashes: 11, ..sum }, Failures { crashes: 0, ..Failures::default() });
        assert_eq!(sum.to_string(), "crashes 11, nonsense 22, timeouts 33, missed 44");
    }

    #[test]
    fn what_is_shown_of_an_answer_is_short_and_on_one_line() {
        assert_eq!(shown(b""), "an empty line");
        assert_eq!(shown(b"a\x1b[2J\xff"), "a[2J\u{fffd}");
        assert_eq!(shown(&[b'x'; 1000]).chars().count(), SHOWN + 1);
    }
}
