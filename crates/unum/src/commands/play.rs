//! `unum play`: a game in the terminal, against bots or at a table on a server.

use std::io::{self, BufReader, IsTerminal as _};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::builder::PossibleValuesParser;
use unum_protocol::{Level, MAX_NAME, SettingError, SettingId, SettingKind, SettingValue, Settings};
use unum_rules::MAX_PLAYERS;
use unum_server::config::default_data_folder;
use unum_table::text::clean;
use unum_terminal::plain::{self, Farewell, Lines};
use unum_terminal::screen::{self, Opening};
use unum_terminal::{Invite, Local, Remote, SavedError, Setup, Shelf, Source};

use super::agreement::RulesArgs;

/// Play against bots, or at a table on a server.
///
/// Without a link a game against bots begins at once, without a server. It is saved as it goes: `--continue` goes on
/// with it, `unum games` lists what there is. With an invite link you sit down at that table; with the address of a
/// server you open one there. In the game, type `help`. docs/terminal.md has everything.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit codes: 0 the end was yours, 1 something failed, 2 a wrong option, 129 the terminal was \
                        closed, 130 Ctrl-C, 143 told to end. The game is saved in every case.")]
pub(crate) struct Args {
    /// An invite link such as `https://uno.example.org/t/CODE`, or the address of a server to open a table there
    #[arg(value_name = "LINK", conflicts_with = "resume")]
    link: Option<String>,

    #[command(flatten)]
    rules: RulesArgs,

    /// How many play, you included [default: 4]
    #[arg(long, value_name = "N", conflicts_with = "opponents")]
    players: Option<u8>,

    /// How well the bots play [default: normal]
    #[arg(long, value_name = "LEVEL", value_parser = parse_level)]
    level: Option<Level>,

    /// The bots one by one, instead of --players and --level
    #[arg(long, value_name = "LEVEL,LEVEL", value_delimiter = ',', value_parser = parse_level)]
    opponents: Vec<Level>,

    /// What you are called [default: your name on that server, or the one you have on this machine]
    #[arg(long)]
    name: Option<String>,

    #[arg(long, value_name = "SECONDS", value_parser = parse_clock, help = clock_help())]
    clock: Option<SettingValue>,

    /// How fast the bots act
    #[arg(long, value_parser = paces(), default_value = "brisk")]
    pace: String,

    /// Go on with a saved game: the last one that is not finished, or the one of that number
    #[arg(long = "continue", value_name = "GAME", num_args = 0..=1)]
    resume: Option<Option<u32>>,

    /// Line by line, for screen readers, simple terminals and scripts
    #[arg(long)]
    plain: bool,

    /// On the full screen, let the mouse choose cards: a click looks at one, another plays it
    #[arg(long, conflicts_with = "plain")]
    mouse: bool,

    /// Where games and the tokens of servers are kept [default: the folder of your data]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

fn parse_clock(text: &str) -> Result<SettingValue, SettingError> {
    SettingId::Clock.setting().parse(text)
}

fn clock_help() -> String {
    let SettingKind::Number { least, most, .. } = SettingId::Clock.setting().kind else { return String::new() };
    let usual = Settings::default().clock.unwrap_or_default();
    format!("Seconds for a turn, {least}-{most}, or none [default: none against bots, {usual} on a server]")
}

/// The values of `--pace`.
fn paces() -> PossibleValuesParser {
    match &SettingId::Pace.setting().kind {
        SettingKind::Choice { values } => PossibleValuesParser::new(values),
        _ => PossibleValuesParser::new([""; 0]),
    }
}

fn parse_level(text: &str) -> Result<Level, String> {
    Level::parse(text).ok_or_else(|| format!("the levels are {}", Level::names()))
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
    if whole_screen && args.is_open() {
        let opening = Opening::Choose(Box::new(args.setup()?), Shelf::new(&data));
        return end(screen::run(opening, args.mouse)?);
    }
    let source = source(&args, &data)?;
    if whole_screen {
        return end(screen::run(Opening::Game(source), args.mouse)?);
    }
    if let Source::Remote(remote) = &source {
        crate::output::print(&format!("At the table {}\n", remote.link()))?;
    }
    let mut output = anstream::stdout();
    let lines = Lines { input: Box::new(BufReader::new(io::stdin())), typed, output: &mut output };
    end(plain::run(source, lines)?)
}

fn end(farewell: Farewell) -> anyhow::Result<ExitCode> {
    match farewell {
        Farewell::Quit => Ok(ExitCode::SUCCESS),
        Farewell::Signal(signal) => Ok(signal.exit_code().into()),
        Farewell::Failed(why) => bail!(why),
    }
}

fn source(args: &Args, data: &std::path::Path) -> anyhow::Result<Source> {
    if let Some(link) = &args.link {
        let settings = Settings { seats: args.seats(MAX_PLAYERS)?, ..args.settings(Settings::default())? };
        let invite = Invite::parse(link)?;
        return Ok(Source::Remote(Remote::join(&invite, args.name.as_deref(), &own_name(), &settings, data)?));
    }
    let shelf = Shelf::new(data);
    if let Some(number) = args.resume {
        let number = number.map_or_else(|| latest(&shelf), Ok)?;
        return Ok(Source::Local(Box::new(Local::resume(&shelf, number)?)));
    }
    Ok(Source::Local(Box::new(Local::new(&shelf, &args.setup()?).context("there can be no such game")?)))
}

/// The number of the last game that is not finished. Files that cannot be read are named.
fn latest(shelf: &Shelf) -> Result<u32, SavedError> {
    let latest = shelf.latest()?;
    for error in &latest.unreadable {
        eprintln!("unum: {error}");
    }
    latest.game.map(|game| game.number).ok_or(SavedError::NothingToContinue)
}

/// What the machine calls whoever plays.
fn own_name() -> String {
    let named = |variable| std::env::var(variable).ok().and_then(|name| clean(&name, MAX_NAME).ok());
    named("USER").or_else(|| named("USERNAME")).unwrap_or_else(|| "Player".to_owned())
}

impl Args {
    /// Whether nothing is said about the game, so that it can be chosen on the start screen.
    fn is_open(&self) -> bool {
        let told = self.link.is_some() || self.resume.is_some() || self.players.is_some() || self.level.is_some();
        !told && self.opponents.is_empty() && self.clock.is_none() && self.rules.is_empty()
    }

    fn setup(&self) -> anyhow::Result<Setup> {
        Ok(Setup {
            name: self.name.clone().unwrap_or_else(own_name),
            settings: self.settings(Settings { clock: None, ..Settings::default() })?,
            opponents: self.bots()?,
        })
    }

    /// What the options say about the table, on top of what is usual.
    fn settings(&self, usual: Settings) -> anyhow::Result<Settings> {
        let usual_for_two = !self.rules.mention(SettingId::ReverseSkipsWithTwo);
        let settings = Settings { rules: self.rules.spec()?, usual_for_two, ..usual };
        let clock = self.clock.clone().unwrap_or_else(|| settings.get(SettingId::Clock));
        let settings = settings.with(SettingId::Clock, &clock)?;
        Ok(settings.with(SettingId::Pace, &SettingValue::word(&self.pace))?)
    }

    fn seats(&self, default: u8) -> anyhow::Result<u8> {
        let seats = self.players.unwrap_or(default);
        SettingId::Seats.setting().check(&SettingValue::Number(seats.into())).context("--players")?;
        Ok(seats)
    }

    fn bots(&self) -> anyhow::Result<Vec<Level>> {
        if self.opponents.is_empty() {
            return Ok(vec![self.level.unwrap_or(Level::Normal); usize::from(self.seats(4)?) - 1]);
        }
        if self.opponents.len() >= MAX_PLAYERS.into() {
            bail!("--opponents names at most {} bots", MAX_PLAYERS - 1);
        }
        Ok(self.opponents.clone())
    }
}
