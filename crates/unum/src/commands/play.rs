//! `unum play`: a game in the terminal, against bots or at a table on a server.

use std::io::{self, BufReader, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, anyhow, bail};
use clap::builder::PossibleValuesParser;
use unum_protocol::{Level, MAX_NAME, Pace, SettingId, SettingKind, SettingValue, Settings, USUAL_PLAYERS};
use unum_rules::MAX_PLAYERS;
use unum_server::config::default_data_folder;
use unum_table::text::clean;
use unum_terminal::plain::{self, Farewell, Lines};
use unum_terminal::screen::{self, Comfort, Opening};
use unum_terminal::settings;
use unum_terminal::{Invite, Local, LocalError, Place, Remote, SavedError, Setup, Shelf, Source, Visits, Wishes};

use super::agreement::RulesArgs;
use super::trust::TrustArgs;
use super::{level_value, players_value};
use crate::report::text::command_line;
use crate::usage::OrUsage as _;

/// The default pace of bots: without flying cards there is less to wait for.
const PACE: Pace = Pace::Brisk;

/// Play against bots, or at a table on a server.
///
/// Without a link you play against bots, and no server is needed. On a terminal the start screen lets you choose; any
/// option about the game skips it. The game is saved as you play: `--continue` resumes it, `unum games` lists all. With
/// an invite link you sit down at that table; with the address of a server you open one there. In the game, `?` or
/// `help` shows the keys and commands. docs/terminal.md has everything.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  unum play                                    choose on the start screen, against bots
  unum play --edition frozen --players 3 --level hard
  unum play --opponents easy,hard --house stacking=any,seven_zero
  unum play https://uno.example.org/t/CODE     sit down at a table, by its invite link
  unum play uno.example.org --opponents hard   open a table there, with a bot
  unum play --continue                         the game or table you played last

Exit codes: 0 you left, 1 something failed, 2 a wrong option, 129 the terminal was closed, 130 Ctrl-C, 143 the program was \
terminated. The game is saved in every case.")]
pub(crate) struct Args {
    /// An invite link such as `https://uno.example.org/t/CODE`, or the address of a server to open a table there
    #[arg(value_name = "LINK", conflicts_with = "resume")]
    link: Option<String>,

    #[command(flatten)]
    trust: TrustArgs,

    #[command(flatten)]
    rules: RulesArgs,

    #[arg(long, value_name = "N", value_parser = players_value, help = players_help())]
    players: Option<u8>,

    #[arg(long, value_name = "LEVEL", value_parser = level_value(), help = level_help())]
    level: Option<Level>,

    /// The level of each bot, instead of --players and --level; on a server, the bots to seat
    #[arg(long, value_name = "LEVEL,LEVEL", value_delimiter = ',', value_parser = level_value(), hide_possible_values = true)]
    opponents: Vec<Level>,

    /// Your name [default: your name on that server, or on this machine]
    #[arg(long, value_parser = parse_name)]
    name: Option<String>,

    #[arg(long, value_name = "SECONDS", value_parser = parse_clock, help = clock_help())]
    clock: Option<SettingValue>,

    #[arg(long, value_parser = paces(), help = pace_help())]
    pace: Option<String>,

    /// Resume a saved game: the one you played last, or a number or code from `unum games`
    #[arg(long = "continue", value_name = "GAME", num_args = 0..=1)]
    resume: Option<Option<String>>,

    /// Line by line, for screen readers, simple terminals and scripts
    #[arg(long)]
    plain: bool,

    /// Use the mouse on the full screen: click a card twice to play it; the draw pile and the keys can be clicked too
    #[arg(long, conflicts_with = "plain")]
    mouse: bool,

    /// Ring the terminal's bell when it becomes your turn
    #[arg(long)]
    bell: bool,

    /// Folder for saved games and server tokens [default: your data folder]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

fn parse_name(text: &str) -> Result<String, String> {
    clean(text, MAX_NAME)
        .map_err(|_| format!("a name must have 1 to {MAX_NAME} characters, at least one of them visible"))
}

fn parse_clock(text: &str) -> Result<SettingValue, String> {
    let clock = SettingId::Clock.setting();
    clock.parse(text).map_err(|_| format!("write {}", settings::allowed(clock)))
}

fn clock_help() -> String {
    let SettingKind::Number { least, most, .. } = SettingId::Clock.setting().kind else { return String::new() };
    let usual = Settings::default().clock.unwrap_or_default();
    format!("Seconds for a turn, {least}-{most}, or off [default: off against bots, {usual} on a server]")
}

fn players_help() -> String {
    let seats = Settings::default().seats;
    format!(
        "Number of players, you included; on a server, number of seats [default: {USUAL_PLAYERS}; on a server {seats}]"
    )
}

fn level_help() -> String {
    format!("How well the bots play [default: {}]", Level::default())
}

fn pace_help() -> String {
    format!("How fast the bots act [default: {}]", <&str>::from(PACE))
}

/// The values of `--pace`.
fn paces() -> PossibleValuesParser {
    match &SettingId::Pace.setting().kind {
        SettingKind::Choice { values } => PossibleValuesParser::new(values),
        _ => PossibleValuesParser::new([""; 0]),
    }
}

/// Plays.
///
/// # Errors
/// When there can be no such game, the server cannot be reached, or the output cannot be written.
pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let data = args.data.clone().unwrap_or_else(default_data_folder);
    let typed = io::stdin().is_terminal();
    let whole_screen =
        !args.plain && typed && io::stdout().is_terminal() && std::env::var_os("TERM") != Some("dumb".into());
    if args.trust.is_given() && args.link.is_none() && args.resume.is_none() {
        return Err(anyhow!("--fingerprint has no effect here: bots on this machine have no certificate")).or_usage();
    }
    let folder = args.folder();
    let comfort = Comfort { mouse: args.mouse, bell: args.bell, folder: folder.clone() };
    if whole_screen && args.is_open() {
        let opening = Opening::Choose { setup: Box::new(args.start(&data)?), data };
        return end(screen::run(opening, comfort)?);
    }
    let source = source(&args, &data)?;
    if whole_screen {
        return end(screen::run(Opening::Game(source), comfort)?);
    }
    if let Source::Remote(remote) = &source {
        crate::output::print(&format!("At the table {}\n", remote.link()))?;
    }
    let mut output = anstream::stdout();
    let input = Box::new(BufReader::new(io::stdin()));
    let lines = Lines { input, typed, bell: args.bell, columns: screen::columns, folder, output: &mut output };
    end(plain::run(source, lines)?)
}

fn end(farewell: Farewell) -> anyhow::Result<ExitCode> {
    match farewell {
        Farewell::Quit | Farewell::Left => Ok(ExitCode::SUCCESS),
        Farewell::Signal(signal) => Ok(signal.exit_code().into()),
        Farewell::Failed(why) => bail!(why),
    }
}

fn source(args: &Args, data: &Path) -> anyhow::Result<Source> {
    if let Some(link) = &args.link {
        return join(args, &args.trust.invite(link)?, data);
    }
    if let Some(name) = &args.resume {
        args.refuse("a saved game keeps its rules and players", |_| true)?;
        return resume(name.as_deref(), args, data);
    }
    let local = Local::new(&Shelf::new(data), &args.setup()?);
    let local = match local {
        Err(LocalError::Refused(refusal)) => Err(refusal).context("this game cannot be played").or_usage()?,
        local => local?,
    };
    Ok(Source::Local(Box::new(local)))
}

/// Sits down at a table on a server, or opens one there.
fn join(args: &Args, invite: &Invite, data: &Path) -> anyhow::Result<Source> {
    match &invite.place {
        Place::Server => args.refuse("name the bots to seat with --opponents", |option| option == "--level")?,
        _ => args.refuse("the table has its rules already, and its host can change them", |_| true)?,
    }
    let seats = args.players.unwrap_or(MAX_PLAYERS);
    let wishes = Wishes {
        name: args.name.clone(),
        default_name: own_name(),
        settings: Settings { seats, ..args.settings(Settings::default())? },
        bots: args.opponents.clone(),
    };
    Ok(Source::Remote(Box::new(Remote::join(invite, &wishes, data)?)))
}

/// A saved game or a table on a server, by number or code; or the one that was played last.
fn resume(name: Option<&str>, args: &Args, data: &Path) -> anyhow::Result<Source> {
    let (shelf, visits) = (Shelf::new(data), Visits::new(data));
    let name = match name {
        Some(name) => name.to_owned(),
        None => latest(&shelf, &visits)?,
    };
    if let Some(visit) = visits.find(&name) {
        return join(args, &args.trust.invite(&visit.link)?, data);
    }
    let unknown = || format!("there is no saved game {name:?}: `unum games` lists them");
    let number = name.parse().ok().with_context(unknown).or_usage()?;
    Ok(Source::Local(Box::new(Local::resume(&shelf, number)?)))
}

/// What was played last: a game that is not finished, by its number, or a table on a server, by its link. Files that
/// cannot be read are named.
fn latest(shelf: &Shelf, visits: &Visits) -> Result<String, SavedError> {
    let unfinished = shelf.unfinished()?;
    for error in &unfinished.unreadable {
        eprintln!("unum: {error}");
    }
    let game = unfinished.games.first().map(|game| (game.last, game.number.to_string()));
    let table = visits.list().into_iter().next().map(|visit| (visit.last, visit.link));
    game.max(table).map(|(_, name)| name).ok_or(SavedError::NothingToContinue)
}

/// The user's name on this machine.
fn own_name() -> String {
    let named = |variable| std::env::var(variable).ok().and_then(|name| clean(&name, MAX_NAME).ok());
    named("USER").or_else(|| named("USERNAME")).unwrap_or_else(|| "Player".to_owned())
}

impl Args {
    /// The options about the game that were given.
    fn given(&self) -> Vec<&'static str> {
        let rules = self.rules.given().into_iter();
        let others = [
            ("--players", self.players.is_some()),
            ("--level", self.level.is_some()),
            ("--opponents", !self.opponents.is_empty()),
            ("--clock", self.clock.is_some()),
            ("--pace", self.pace.is_some()),
        ];
        rules.chain(others.into_iter().filter(|(_, given)| *given).map(|(option, _)| option)).collect()
    }

    /// The data folder as an option of a command to come back with.
    fn folder(&self) -> String {
        let option = |data: &PathBuf| command_line(&["--data".to_owned(), data.display().to_string()]);
        self.data.as_ref().map(option).map_or_else(String::new, |option| format!(" {option}"))
    }

    /// Refuses options that would have no effect.
    fn refuse(&self, why: &str, is_refused: impl Fn(&str) -> bool) -> anyhow::Result<()> {
        let refused: Vec<&str> = self.given().into_iter().filter(|option| is_refused(option)).collect();
        let verb = if refused.len() == 1 { "has" } else { "have" };
        match refused.is_empty() {
            true => Ok(()),
            false => Err(anyhow!("{} {verb} no effect here: {why}", refused.join(", "))).or_usage(),
        }
    }

    /// Whether no option about the game was given, so the start screen can ask.
    fn is_open(&self) -> bool {
        self.link.is_none() && self.resume.is_none() && self.given().is_empty()
    }

    /// What the start screen begins with: what was chosen there last.
    fn start(&self, data: &Path) -> anyhow::Result<Setup> {
        let usual = self.setup()?;
        let setup = Shelf::new(data).last_choice().unwrap_or(usual);
        Ok(Setup { name: self.name.clone().unwrap_or_else(|| setup.name.clone()), ..setup })
    }

    fn setup(&self) -> anyhow::Result<Setup> {
        Ok(Setup {
            name: self.name.clone().unwrap_or_else(own_name),
            settings: self.settings(Settings { clock: None, ..Settings::default() })?,
            opponents: self.bots().or_usage()?,
        })
    }

    /// The options about the table, on top of the defaults.
    fn settings(&self, usual: Settings) -> anyhow::Result<Settings> {
        let usual_for_two = !self.rules.mention(SettingId::ReverseSkipsWithTwo);
        let settings = Settings { rules: self.rules.spec()?, usual_for_two, ..usual };
        let clock = self.clock.clone().unwrap_or_else(|| settings.get(SettingId::Clock));
        let settings = settings.with(SettingId::Clock, &clock).or_usage()?;
        let pace = self.pace.as_deref().unwrap_or(PACE.into());
        settings.with(SettingId::Pace, &SettingValue::word(pace)).or_usage()
    }

    fn bots(&self) -> anyhow::Result<Vec<Level>> {
        if self.opponents.is_empty() {
            return Ok(vec![self.level.unwrap_or_default(); usize::from(self.players.unwrap_or(USUAL_PLAYERS)) - 1]);
        }
        if self.level.is_some() {
            bail!("--opponents says how well each bot plays: leave --level out");
        }
        if self.players.is_some() {
            bail!("--opponents says how many bots there are: leave --players out");
        }
        if self.opponents.len() >= MAX_PLAYERS.into() {
            bail!("--opponents names at most {} bots", MAX_PLAYERS - 1);
        }
        Ok(self.opponents.clone())
    }
}
