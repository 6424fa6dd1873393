//! `unum serve`: reads the configuration, starts the server, says where it is, stops it.

use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, UdpSocket};
use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use qrcode::{EcLevel, QrCode, render::unicode::Dense1x2};
use unum_client::Fingerprint;
use unum_server::config::{
    COMMAND_LINE, CONFIG_VARIABLE, ConfigError, Kind, Layer, SETTINGS, Setting, default_config_file, find,
};
use unum_server::{AdminToken, Certificate, Config, Running, Server};
use unum_terminal::nearest::did_you_mean;

use crate::output::print;
use crate::supervisor::{self, State, tell};
use crate::usage::OrUsage as _;

const ABOUT: &str = "Start a server for people and bots to play on";
const LONG_ABOUT: &str = "Start a server for people and bots to play on.\n\n\
    No configuration is needed. Precedence: options, environment variables, config file, defaults. `unum` without a command \
    does the same. docs/hosting.md has more.";

/// How long a stopped server waits for background work.
const LAST_WORK: std::time::Duration = std::time::Duration::from_millis(500);

/// What was given on the command line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Args {
    file: Option<PathBuf>,
    print_config: bool,
    check_config: bool,
    flags: Layer,
}

impl clap::FromArgMatches for Args {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Args, clap::Error> {
        let given =
            |setting: &&Setting| matches.value_source(setting.key) == Some(clap::parser::ValueSource::CommandLine);
        let values = SETTINGS.iter().filter(given).map(|setting| (setting.key.to_owned(), values(setting, matches)));
        Ok(Args {
            file: matches.get_one("config").cloned(),
            print_config: matches.get_flag("print-config"),
            check_config: matches.get_flag("check-config"),
            flags: Layer { origin: COMMAND_LINE.to_owned(), values: values.collect() },
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Args::from_arg_matches(matches)?;
        Ok(())
    }
}

fn values(setting: &Setting, matches: &ArgMatches) -> Vec<String> {
    match setting.kind {
        Kind::Switch => vec!["true".to_owned()],
        _ => matches.get_many(setting.key).into_iter().flatten().cloned().collect(),
    }
}

impl clap::Args for Args {
    fn augment_args(command: clap::Command) -> clap::Command {
        let file = Arg::new("config").long("config").value_name("FILE").value_parser(value_parser!(PathBuf));
        let file = file.help(format!(
            "The file to read [default: {}, if it exists] [env: {CONFIG_VARIABLE}]",
            default_config_file().display()
        ));
        let print_config = Arg::new("print-config").long("print-config").action(ArgAction::SetTrue);
        let print_config = print_config.help("Print the configuration that would be used, as a file with comments");
        let check_config = Arg::new("check-config").long("check-config").action(ArgAction::SetTrue);
        let check_config = check_config.help(
            "Check the configuration and say what would be used, without starting anything: exit code 0 if it is good, 2 if not",
        );
        let check_config = check_config.conflicts_with("print-config");
        let defaults = Config::default();
        let command = command.about(ABOUT).long_about(LONG_ABOUT).arg(file).arg(print_config).arg(check_config);
        command.args(SETTINGS.iter().map(|setting| argument(setting, &defaults)))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Args::augment_args(command)
    }
}

/// The same options without a command. Help shows the ones that are needed most.
#[derive(Clone, Debug, Default)]
pub(crate) struct BareArgs(pub(crate) Args);

/// The options that the overview of all commands shows.
const SHOWN: [&str; 3] = ["listen", "port", "data"];

impl clap::FromArgMatches for BareArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<BareArgs, clap::Error> {
        Args::from_arg_matches(matches).map(BareArgs)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(matches)
    }
}

impl clap::Args for BareArgs {
    fn augment_args(command: clap::Command) -> clap::Command {
        let (about, long_about) = (command.get_about().cloned(), command.get_long_about().cloned());
        let command = Args::augment_args(command);
        let command = command.mut_args(|arg| {
            let shown = SHOWN.contains(&arg.get_id().as_str());
            arg.hide(!shown).help_heading("Options of the server (all: unum serve --help)")
        });
        // The server's description is not that of the whole program.
        let command = about.into_iter().fold(command, clap::Command::about);
        long_about.into_iter().fold(command, clap::Command::long_about)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        BareArgs::augment_args(command)
    }
}

fn argument(setting: &'static Setting, defaults: &Config) -> Arg {
    let default = setting.default_words(defaults);
    let default = if default.is_empty() || setting.kind == Kind::Switch {
        String::new()
    } else {
        format!(" [default: {default}]")
    };
    let help = format!("{}{default} [env: {}]", setting.help, setting.variable());
    let argument = Arg::new(setting.key).long(setting.flag()).help(help).hide(setting.is_for_tests());
    let is_limit = setting.kind == Kind::Number && !["port", "drain_time"].contains(&setting.key);
    let argument = if is_limit { argument.help_heading("Limits") } else { argument };
    match setting.kind {
        Kind::Switch => argument.action(ArgAction::SetTrue),
        Kind::List => argument.action(ArgAction::Append).value_name(setting.value_name),
        Kind::Text | Kind::Number => argument.value_name(setting.value_name),
    }
}

/// Runs a server until it is told to stop.
///
/// # Errors
/// When the configuration is wrong or the server cannot be started.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    let (print_config, check_config) = (args.print_config, args.check_config);
    let layers = layers(args).map_err(suggesting).or_usage()?;
    let config = Config::layered(&layers).map_err(suggesting).or_usage()?;
    if print_config {
        return print(&config.to_toml());
    }
    if check_config {
        Server::check(&config).or_usage()?;
        return print(&checked(&config, &layers));
    }
    let socket = supervisor::socket()?;
    crate::logging::start(&config);
    allow_many_files();
    crate::memory::trim_seldom();
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start the async runtime")?;
    let served = runtime.block_on(serve(config, socket));
    // Work whose client is gone does not delay the exit.
    runtime.shutdown_timeout(LAST_WORK);
    served
}

/// The configuration that a server here would have, for commands that talk to it.
pub(crate) fn configured(file: Option<PathBuf>) -> anyhow::Result<Config> {
    let layers = layers(Args { file, ..Args::default() }).map_err(suggesting).or_usage()?;
    Config::layered(&layers).map_err(suggesting).or_usage()
}

/// The operators' token: of a file if one is named, otherwise one that is known already.
pub(crate) fn secret_of(file: Option<PathBuf>, known: Option<AdminToken>) -> anyhow::Result<Option<String>> {
    let Some(path) = file else { return Ok(known.map(|token| token.reveal().to_owned())) };
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let token = AdminToken::new(&text).map_err(|wrong| anyhow::anyhow!("{}: {wrong}", path.display()))?;
    Ok(Some(token.reveal().to_owned()))
}

/// Where values come from, the strongest last.
fn layers(args: Args) -> Result<Vec<Layer>, ConfigError> {
    let named = args.file.or_else(|| std::env::var_os(CONFIG_VARIABLE).map(PathBuf::from));
    let file = named.or_else(|| Some(default_config_file()).filter(|file| file.exists()));
    let mut layers: Vec<Layer> = file.map(|file| Layer::from_file(&file)).transpose()?.into_iter().collect();
    layers.push(Layer::from_environment(std::env::vars())?);
    layers.push(args.flags);
    Ok(layers)
}

/// What a good configuration comes to: every setting that somebody made, with where it is from, and where everything
/// would be.
fn checked(config: &Config, layers: &[Layer]) -> String {
    let mut text = format!("The configuration is good for unum {}.\n\n", env!("CARGO_PKG_VERSION"));
    for setting in SETTINGS {
        let Some(layer) = layers.iter().rev().find(|layer| layer.values.contains_key(setting.key)) else { continue };
        let value = setting.value(config);
        let value = if setting.is_secret() { "(not shown)" } else { &value };
        let _ = writeln!(text, "  {} = {value}   ({})", setting.key, layer.origin);
    }
    if layers.iter().all(|layer| layer.values.is_empty()) {
        text.push_str("  Nothing is set: every setting has its default.\n");
    }
    let _ = writeln!(text, "\n  listens at     {}\n  data           {}", config.address(), place_of_data(config));
    if let Some(public) = &config.public_url {
        let _ = writeln!(text, "  everybody      {public}");
    }
    if let Some(admin) = &config.admin {
        let _ = writeln!(text, "  operators      http://{admin}");
    }
    text
}

/// The error with settings that are spelled alike, if there is none of that name.
fn suggesting(mut error: ConfigError) -> ConfigError {
    let key = error.key.to_ascii_lowercase();
    let key = key.strip_prefix("unum_").unwrap_or(&key);
    if !key.is_empty() && find(key).is_none() {
        let near =
            did_you_mean(key, SETTINGS.iter().filter(|setting| !setting.is_for_tests()).map(|setting| setting.key));
        error.message = format!("there is no such setting.{near} `unum serve --help` lists all");
    }
    error
}

async fn serve(config: Config, socket: Option<TcpListener>) -> anyhow::Result<()> {
    let mut wishes = Wishes::listen().context("cannot listen for signals")?;
    let running = Server::start_on(config.clone(), socket).await?;
    print(&welcome(&config, running.address(), running.admin_address(), running.certificate()))?;
    tell(State::Ready);
    wishes.next().await;
    tell(State::Stopping);
    stop(running, wishes, config.ephemeral).await
}

/// Stops in good order, or at once if asked a second time.
async fn stop(running: Running, mut wishes: Wishes, ephemeral: bool) -> anyhow::Result<()> {
    let farewell =
        if ephemeral { "Stopped.\n" } else { "Stopped. Every game is saved; the same command resumes them.\n" };
    print("\nStopping: writing the last changes to disk. Ctrl-C again stops at once.\n")?;
    tokio::select! {
        () = running.stop() => print(farewell),
        () = wishes.next() => std::process::exit(130),
    }
}

/// Requests to stop, listened for from the moment this is made.
struct Wishes {
    #[cfg(unix)]
    signals: [tokio::signal::unix::Signal; 2],
}

#[cfg(unix)]
impl Wishes {
    fn listen() -> std::io::Result<Wishes> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Wishes { signals: [signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?] })
    }

    /// Returns at the next request to stop.
    async fn next(&mut self) {
        let [interrupted, terminated] = &mut self.signals;
        tokio::select! {
            _ = interrupted.recv() => {}
            _ = terminated.recv() => {}
        }
    }
}

#[cfg(not(unix))]
impl Wishes {
    fn listen() -> std::io::Result<Wishes> {
        Ok(Wishes {})
    }

    /// Returns at the next request to stop.
    async fn next(&mut self) {
        // Where Ctrl-C cannot be listened for, the server runs until it is killed.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// Every connection is an open file, and systems allow few unless asked.
fn allow_many_files() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        // If it is not granted, there can be fewer connections.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    }
}

// Where it is.

/// The banner: where the server is, and what to do next.
fn welcome(
    config: &Config,
    address: SocketAddr,
    admin: Option<SocketAddr>,
    certificate: Option<Certificate>,
) -> String {
    let mut text = format!("unum {}\n\n", env!("CARGO_PKG_VERSION"));
    let (here, network) = addresses(config, address);
    let _ = writeln!(text, "  this machine   {here}");
    if let Some(network) = &network {
        let _ = writeln!(
            text,
            "  {}   {network}",
            if config.public_url.is_some() { "everybody   " } else { "this network" }
        );
    }
    if let Some(certificate) = certificate.filter(|certificate| certificate.is_self_made) {
        text.push_str(&trusting(&certificate, network.as_ref().unwrap_or(&here)));
    }
    let _ = writeln!(
        text,
        "  data           {}\n  play here      unum play   (in another terminal)\n  stop           Ctrl-C",
        place_of_data(config)
    );
    if let Some(admin) = admin {
        let _ = writeln!(text, "  operators      http://{admin}   (or `unum admin --help`)");
    }
    if unum_page::index().is_some() && !unum_page::has_module() {
        text.push_str(
            "  browsers       play against bots on this server: unum was built without its WebAssembly module\n",
        );
    }
    if let Some(network) = network.filter(|_| std::io::stdout().is_terminal()) {
        let _ = writeln!(text, "\n{}\n  for phones in this network", qr_code(&network));
    }
    text
}

/// What people do about a certificate that the server has made.
fn trusting(certificate: &Certificate, url: &str) -> String {
    let authority = url.replacen("https://", "http://", 1);
    let (first, second) = {
        let whole = Fingerprint(certificate.fingerprint).to_string();
        let (first, second) = whole.split_at(whole.len() / 2 + 1);
        (first.to_owned(), second.to_owned())
    };
    format!(
        "  certificate    self-made: to trust it, install {authority}/authority.crt\n  \
         fingerprint    {first}\n                 {second}   (SHA-256)\n"
    )
}

/// How this machine reaches a server of its own that listens there.
pub(crate) fn reachable(listening: SocketAddr) -> SocketAddr {
    let host = match listening.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(host, listening.port())
}

/// Where everything is kept.
fn place_of_data(config: &Config) -> String {
    match config.database.as_slice() {
        _ if config.ephemeral => "nothing is kept (--ephemeral)".to_owned(),
        [] => config.data.display().to_string(),
        databases => databases.iter().map(|database| database.to_string()).collect::<Vec<_>>().join(" "),
    }
}

/// The address for this machine, and the one for others, if others can reach it.
fn addresses(config: &Config, address: SocketAddr) -> (String, Option<String>) {
    let (listen, port) = (address.ip(), address.port());
    let scheme = if config.encrypts() { "https" } else { "http" };
    let url = |host: IpAddr| format!("{scheme}://{}", SocketAddr::new(host, port));
    let here = if listen.is_unspecified() { format!("{scheme}://localhost:{port}") } else { url(listen) };
    let lan = if listen.is_unspecified() { lan_address() } else { Some(listen).filter(|listen| !listen.is_loopback()) };
    (here, config.public_url.clone().or_else(|| lan.map(url)))
}

/// The address under which this machine's network knows it. No packet is sent: the system only looks which way one
/// would take.
fn lan_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let address = socket.local_addr().ok()?.ip();
    Some(address).filter(|address| !address.is_loopback() && !address.is_unspecified())
}

fn qr_code(text: &str) -> String {
    let Ok(code) = QrCode::with_error_correction_level(text, EcLevel::L) else { return String::new() };
    let drawn = code.render::<Dense1x2>().dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build();
    drawn.lines().map(|line| format!("  {line}\n")).collect()
}
