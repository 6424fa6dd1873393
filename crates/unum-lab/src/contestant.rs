//! Who plays: contestants, and the line-up they form.

use std::time::Duration;

use unum_bots::{Bot, Budget, Level, LevelBot};
use unum_rules::{Action, MAX_PLAYERS, MIN_PLAYERS, SeenEvent, Sight};

use crate::external::{External, ExternalError, Failures};

/// A player that can be put into a line-up.
///
/// Every worker has a table of its own and asks for one bot per place. A bot then plays one game after the other;
/// before each it is reseeded from the game alone, so it does not matter which worker plays which game.
pub trait Contestant: Sync {
    /// What it plays with.
    type Bot: Bot;

    /// A bot for one place at one worker's table.
    ///
    /// # Errors
    /// When there is none, for instance because a program does not start.
    fn enter(&self) -> Result<Self::Bot, EntryError>;

    /// Makes a bot ready for a new game.
    fn renew(&self, bot: &mut Self::Bot, seed: u64);

    /// How often a bot failed since it entered.
    fn failures(&self, _bot: &Self::Bot) -> Failures {
        Failures::default()
    }

    /// The last failure in words.
    fn last_error<'a>(&self, _bot: &'a Self::Bot) -> Option<&'a str> {
        None
    }
}

/// Why a contestant cannot play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EntryError(pub String);

impl Contestant for Level {
    type Bot = LevelBot;

    fn enter(&self) -> Result<LevelBot, EntryError> {
        Ok(LevelBot::new(*self, 0))
    }

    #[inline]
    fn renew(&self, bot: &mut LevelBot, seed: u64) {
        *bot = LevelBot::new(*self, seed);
    }
}

/// A level, with a budget that only an expert uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thinker {
    /// How well it plays.
    pub level: Level,
    /// How long it thinks, if it does.
    pub budget: Budget,
}

impl Contestant for Thinker {
    type Bot = LevelBot;

    fn enter(&self) -> Result<LevelBot, EntryError> {
        Ok(LevelBot::with_budget(self.level, 0, self.budget))
    }

    #[inline]
    fn renew(&self, bot: &mut LevelBot, seed: u64) {
        *bot = LevelBot::with_budget(self.level, seed, self.budget);
    }
}

/// What a program's entry begins with.
const PROGRAM: &str = "program:";

/// A contestant that can be entered by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entrant {
    /// A bot of a level, as `hard`. An expert imagines [`Budget::STUDY`] worlds unless told how many, as `expert:500w`, or
    /// how long to think, as `expert:20ms`.
    Level(Thinker),
    /// A program behind pipes, as `program:python3 bot.py`.
    Program {
        /// The program and its arguments.
        command: Vec<String>,
        /// How long it may think about an answer.
        timeout: Duration,
    },
}

impl Entrant {
    /// Reads a name, or a command and how long the program may think.
    ///
    /// # Errors
    /// When there is no bot of that name; the message lists the bots.
    pub fn parse(text: &str, timeout: Duration) -> Result<Entrant, LineUpError> {
        if let Some(command) = text.strip_prefix(PROGRAM) {
            let command = External::words(command).map_err(|error| LineUpError::BadProgram(error.to_string()))?;
            return Ok(Entrant::Program { command, timeout });
        }
        let (name, budget) = match text.split_once(':') {
            Some((name, budget)) => (name, Some(budget)),
            None => (text, None),
        };
        let level = Level::parse(name).ok_or_else(|| LineUpError::Unknown(text.to_owned()))?;
        let budget = match budget {
            None => Some(Budget::STUDY),
            Some(budget) if level == Level::Expert => Budget::parse(budget),
            Some(_) => None,
        };
        let budget = budget.ok_or_else(|| LineUpError::BadBudget(text.to_owned()))?;
        Ok(Entrant::Level(Thinker { level, budget }))
    }
}

impl Entrant {
    /// Whether the same seed gives the same decisions. Experts that think by the clock depend on the machine, and
    /// programs bring their own randomness.
    pub fn is_repeatable(&self) -> bool {
        match self {
            Entrant::Level(Thinker { level: Level::Expert, budget }) => budget.is_repeatable(),
            Entrant::Level(_) => true,
            Entrant::Program { .. } => false,
        }
    }
}

impl From<Level> for Entrant {
    fn from(level: Level) -> Entrant {
        Entrant::Level(Thinker { level, budget: Budget::STUDY })
    }
}

/// The bot of an [`Entrant`].
#[derive(Debug)]
pub enum EntrantBot {
    /// A bot of a level.
    Level(LevelBot),
    /// A running program.
    Program(Box<External>),
}

impl From<ExternalError> for EntryError {
    fn from(error: ExternalError) -> EntryError {
        EntryError(error.to_string())
    }
}

impl Contestant for Entrant {
    type Bot = EntrantBot;

    fn enter(&self) -> Result<EntrantBot, EntryError> {
        match self {
            Entrant::Level(level) => level.enter().map(EntrantBot::Level),
            Entrant::Program { command, timeout } => {
                Ok(EntrantBot::Program(Box::new(External::start(command, *timeout)?)))
            }
        }
    }

    /// A program is not reseeded: it is told when a round begins, and brings its own randomness.
    #[inline]
    fn renew(&self, bot: &mut EntrantBot, seed: u64) {
        if let (Entrant::Level(level), EntrantBot::Level(bot)) = (self, bot) {
            level.renew(bot, seed);
        }
    }

    fn failures(&self, bot: &EntrantBot) -> Failures {
        match bot {
            EntrantBot::Level(_) => Failures::default(),
            EntrantBot::Program(program) => program.failures(),
        }
    }

    fn last_error<'a>(&self, bot: &'a EntrantBot) -> Option<&'a str> {
        match bot {
            EntrantBot::Level(_) => None,
            EntrantBot::Program(program) => program.last_error(),
        }
    }
}

impl Bot for EntrantBot {
    #[inline]
    fn begin(&mut self, sight: &Sight<'_>) {
        match self {
            EntrantBot::Level(bot) => bot.begin(sight),
            EntrantBot::Program(bot) => bot.begin(sight),
        }
    }

    #[inline]
    fn listens(&self) -> bool {
        match self {
            EntrantBot::Level(bot) => bot.listens(),
            EntrantBot::Program(bot) => bot.listens(),
        }
    }

    fn see(&mut self, event: &SeenEvent) {
        match self {
            EntrantBot::Level(bot) => bot.see(event),
            EntrantBot::Program(bot) => bot.see(event),
        }
    }

    #[inline]
    fn act(&mut self, sight: &Sight<'_>) -> Action {
        match self {
            EntrantBot::Level(bot) => bot.act(sight),
            EntrantBot::Program(bot) => bot.act(sight),
        }
    }

    #[inline]
    fn react(&mut self, sight: &Sight<'_>) -> Option<Action> {
        match self {
            EntrantBot::Level(bot) => bot.react(sight),
            EntrantBot::Program(bot) => bot.react(sight),
        }
    }

    fn stand_in(&self) -> Option<LevelBot> {
        match self {
            EntrantBot::Level(bot) => bot.stand_in(),
            EntrantBot::Program(_) => None,
        }
    }
}

/// One side of a line-up: a name and its bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side<C> {
    /// The name in all results.
    pub name: String,
    /// Who it is.
    pub contestant: C,
    /// How many places it has.
    pub places: u8,
}

/// Who sits where. Places are rotated over the seats of a table; sides with the same name are one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineUp<C> {
    sides: Vec<Side<C>>,
    places: Vec<usize>,
}

/// Why there can be no such line-up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum LineUpError {
    #[error("there is no bot {0:?}: the bots are {levels}, and {PROGRAM}COMMAND is a bot of your own", levels = Level::names())]
    Unknown(String),
    #[error("{0}")]
    BadProgram(String),
    #[error(
        "{0:?} has a wrong budget: only an expert takes one, a time up to 600s, as in expert:20ms, or a number of worlds, as \
         in expert:500w"
    )]
    BadBudget(String),
    #[error("{0:?} has no name before the `=`: write it as me=random")]
    BadName(String),
    #[error("{0:?} is not a number of players: give 1 to {MAX_PLAYERS}, as in random*3 or 3*random")]
    BadCount(String),
    #[error("{0:?} stands for two different bots: give one of them another name, as in me=hard")]
    TwoMeanings(String),
    #[error("{MIN_PLAYERS} to {MAX_PLAYERS} can play, not {0}: random*4 stands for four bots")]
    Size(usize),
}

impl LineUp<Entrant> {
    /// Whether the same seed gives the same games.
    pub fn is_repeatable(&self) -> bool {
        self.sides.iter().all(|side| side.contestant.is_repeatable())
    }

    /// Reads a line-up such as `hard random*3` or `me=program:./bot 5*random`; `timeout` is for programs.
    ///
    /// # Errors
    /// When a name is unknown, stands for two bots, or there are too few or too many players.
    pub fn parse(words: &[impl AsRef<str>], timeout: Duration) -> Result<LineUp<Entrant>, LineUpError> {
        let mut entries = Vec::new();
        for word in words {
            entries.extend(LineUp::entries(word.as_ref(), timeout)?);
            if entries.len() > MAX_PLAYERS as usize {
                return Err(LineUpError::Size(entries.len()));
            }
        }
        LineUp::new(entries)
    }

    /// Reads one word of a line-up: names and bots, by place.
    ///
    /// # Errors
    /// When the name is unknown, or the number is not one of players.
    pub fn entries(word: &str, timeout: Duration) -> Result<Vec<(String, Entrant)>, LineUpError> {
        let (times, entry) = split_times(word)?;
        let (name, spec) = split_name(entry)?;
        let entrant = Entrant::parse(spec, timeout)?;
        Ok(vec![(name.to_owned(), entrant); usize::from(times)])
    }
}

/// `random*5` and `5*random`.
fn split_times(word: &str) -> Result<(u8, &str), LineUpError> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (times, entry) = match (word.split_once('*'), word.rsplit_once('*')) {
        (Some((times, entry)), _) if is_number(times) => (times, entry),
        (_, Some((entry, times))) if is_number(times) => (times, entry),
        _ => return Ok((1, word)),
    };
    match times.parse() {
        Ok(times) if (1..=MAX_PLAYERS).contains(&times) => Ok((times, entry)),
        _ => Err(LineUpError::BadCount(word.to_owned())),
    }
}

/// `me=hard`. What has no name of its own goes by what it is; a command may well hold a `=`.
fn split_name(entry: &str) -> Result<(&str, &str), LineUpError> {
    match entry.split_once('=') {
        Some(("", _)) => Err(LineUpError::BadName(entry.to_owned())),
        Some((name, spec)) if !name.starts_with(PROGRAM) => Ok((name, spec)),
        _ => Ok((entry, entry)),
    }
}

impl<C: PartialEq> LineUp<C> {
    /// From names and contestants, by place.
    ///
    /// # Errors
    /// When a name stands for two contestants, or there are too few or too many places.
    pub fn new(entries: impl IntoIterator<Item = (String, C)>) -> Result<LineUp<C>, LineUpError> {
        let mut line_up = LineUp { sides: Vec::<Side<C>>::new(), places: Vec::new() };
        for (name, contestant) in entries {
            let known = line_up.sides.iter().position(|side| side.name == name);
            let side = known.unwrap_or(line_up.sides.len());
            match line_up.sides.get_mut(side) {
                Some(known) if known.contestant != contestant => return Err(LineUpError::TwoMeanings(name)),
                Some(known) => known.places += 1,
                None => line_up.sides.push(Side { name, contestant, places: 1 }),
            }
            line_up.places.push(side);
        }
        match line_up.places.len() {
            size if (MIN_PLAYERS as usize..=MAX_PLAYERS as usize).contains(&size) => Ok(line_up),
            size => Err(LineUpError::Size(size)),
        }
    }
}

impl<C> LineUp<C> {
    /// Number of players.
    pub fn players(&self) -> u8 {
        self.places.len() as u8
    }

    /// The sides, in the order they were named.
    pub fn sides(&self) -> &[Side<C>] {
        &self.sides
    }

    /// The number of the side that has each place.
    pub fn places(&self) -> &[usize] {
        &self.places
    }
}

impl<C: Contestant> LineUp<C> {
    /// A bot for every place.
    ///
    /// # Errors
    /// When one cannot play.
    pub fn enter(&self) -> Result<Vec<C::Bot>, EntryError> {
        self.places.iter().map(|side| self.sides[*side].contestant.enter()).collect()
    }

    /// How often the bots of each side failed so far, bots being by place.
    pub fn failures(&self, bots: &[C::Bot]) -> Vec<Failures> {
        let mut failures = vec![Failures::default(); self.sides.len()];
        for (side, bot) in self.places.iter().zip(bots) {
            failures[*side] += self.sides[*side].contestant.failures(bot);
        }
        failures
    }

    /// The last failure of a side in words.
    pub fn last_error(&self, side: usize, bots: &[C::Bot]) -> Option<String> {
        let own = self.places.iter().zip(bots).filter(|(place, _)| **place == side);
        own.filter_map(|(_, bot)| self.sides[side].contestant.last_error(bot)).last().map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(words: &[&str]) -> Result<Vec<String>, String> {
        let line_up = LineUp::parse(words, External::TIMEOUT).map_err(|error| error.to_string())?;
        Ok(line_up.places().iter().map(|side| line_up.sides()[*side].name.clone()).collect())
    }

    #[test]
    fn line_ups_are_read() {
        assert_eq!(names(&["random", "random"]).unwrap(), ["random", "random"]);
        assert_eq!(names(&["me=random", "random*2"]).unwrap(), ["me", "random", "random"]);
        assert_eq!(names(&["2*me=random", "random"]).unwrap(), ["me", "me", "random"]);
        let line_up = LineUp::parse(&["a=random", "random*3", "a=random"], External::TIMEOUT).unwrap();
        assert_eq!(line_up.sides().iter().map(|side| side.places).collect::<Vec<_>>(), [2, 3]);
        assert_eq!((line_up.players(), line_up.places()), (5, &[0, 1, 1, 1, 0][..]));
    }

    #[test]
    fn experts_are_told_how_long_to_think() {
        let line_up = LineUp::parse(&["expert:20ms", "quick=expert:64w", "expert"], External::TIMEOUT).unwrap();
        let budgets: Vec<Entrant> = line_up.sides().iter().map(|side| side.contestant.clone()).collect();
        let expert = |budget| Entrant::Level(Thinker { level: Level::Expert, budget });
        let twenty = Budget::Time(Duration::from_millis(20));
        assert_eq!(budgets, [expert(twenty), expert(Budget::Worlds(64)), Level::Expert.into()]);
    }

    #[test]
    fn programs_are_read_with_their_arguments() {
        let words = ["program:./bot --level=3 'a b'", "2*me=program:python3 x.py"];
        let line_up = LineUp::parse(&words, Duration::from_secs(5)).unwrap();
        let [first, second] = line_up.sides() else { panic!("{line_up:?}") };
        assert_eq!((first.name.as_str(), second.name.as_str(), second.places), (words[0], "me", 2));
        let command = ["./bot", "--level=3", "a b"].map(str::to_owned).to_vec();
        assert_eq!(first.contestant, Entrant::Program { command, timeout: Duration::from_secs(5) });
        let missing = LineUp::parse(&["program:no/such/bot", "random"], External::TIMEOUT).unwrap();
        assert!(missing.enter().unwrap_err().to_string().contains("there is no program `no/such/bot`"));
    }

    #[test]
    fn what_is_no_line_up_is_refused_in_words() {
        for (words, problem) in [
            (&["random", "wizard"][..], "the bots are random"),
            (&["random"], "2 to 10 can play, not 1"),
            (&[], "not 0"),
            (&["random*6", "random*5"], "not 11"),
            (&["random*11"], "1 to 10"),
            (&["random*0", "random"], "1 to 10"),
            (&["999999999999*random"], "1 to 10"),
            (&["=random", "random"], "no name before"),
            (&["random*", "random"], "the bots are"),
            (&["", "random"], "the bots are"),
            (&["hard:20ms", "random"], "only an expert takes one"),
            (&["expert:20", "random"], "as in expert:20ms"),
            (&["expert:0ms", "random"], "as in expert:20ms"),
            (&["expert:1e9s", "random"], "up to 600s"),
            (&["expert:-1s", "random"], "as in expert:20ms"),
            (&["program:", "random"], "no program to start"),
            (&["me=program:a 'b", "random"], "a quote is not closed"),
        ] {
            let error = names(words).unwrap_err();
            assert!(error.contains(problem), "{words:?}: {error}");
        }
        let twice = LineUp::new([("a".to_owned(), 1), ("a".to_owned(), 2)]).unwrap_err();
        assert_eq!(twice, LineUpError::TwoMeanings("a".to_owned()));
    }
}
