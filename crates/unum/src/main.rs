//! unum: play and study UNO.

// Allowed in one place, with its reason: `memory.rs`.
#![deny(unsafe_code)]

mod commands;
mod crew;
mod experiment;
mod logging;
mod memory;
mod output;
mod parts;
mod processor;
mod records;
mod report;
mod supervisor;
mod usage;

use std::process::ExitCode;

use anyhow::Context as _;
use clap::{CommandFactory as _, Parser, Subcommand};
use unum_terminal::nearest::did_you_mean;

use crate::usage::OrUsage as _;

/// Play UNO with friends, against bots, or by the million: a server, a terminal game, a rules engine and a laboratory.
///
/// Without a command, unum starts a server that everybody in your network can reach, as `unum serve` does, and takes the
/// same options: `unum --port 9000`. To play right here, type `unum play`.
#[derive(Parser)]
#[command(
    name = "unum",
    version,
    max_term_width = 100,
    disable_help_subcommand = true,
    args_conflicts_with_subcommands = true,
    after_help = "`unum help` has examples, `unum COMMAND --help` all options of a command, `unum serve --help` those of the server."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    serve: commands::serve::BareArgs,
}

#[derive(Subcommand)]
enum Command {
    Play(commands::play::Args),
    Games(commands::games::Args),
    Tables(commands::tables::Args),
    Serve(commands::serve::Args),
    Page(commands::page::Args),
    Backup(commands::backup::BackupArgs),
    Restore(commands::backup::RestoreArgs),
    Check(commands::backup::CheckArgs),
    Admin(commands::admin::Args),
    Health(commands::health::Args),
    Monitor(commands::monitor::Args),
    Store(commands::store::Args),
    Cluster(commands::cluster::Args),
    Rules(commands::rules::Args),
    Record(commands::record::Args),
    Replay(commands::replay::Args),
    Review(commands::review::Args),
    Analyze(commands::analyze::Args),
    Verify(commands::verify::Args),
    Referee(commands::referee::Args),
    Perft(commands::perft::Args),
    Bench(commands::bench::Args),
    Arena(commands::arena::Args),
    Tournament(commands::tournament::Args),
    Simulate(commands::simulate::Args),
    Study(commands::study::Args),
    Merge(commands::merge::Args),
    Completions(commands::shell::CompletionsArgs),
    Man(commands::shell::ManArgs),
    Help(HelpArgs),
}

/// Show an overview with examples, or the help of one command.
#[derive(clap::Args)]
struct HelpArgs {
    /// The command
    command: Vec<String>,
}

const OVERVIEW: &str = "\
unum - UNO for players, hosts and researchers

Play
  unum play                      against bots, in the terminal
  unum play LINK                 at a table on a server, by its invite link
  unum play --continue           resume what you played last
  unum games                     your saved games and tables
  unum rules                     how to play, then every rule; also: unum rules frozen, unum rules bluff

Host
  unum                           start a server in your network: friends join with a link
  unum --port 9000               on another port
  unum serve --help              all its options
  unum tables SERVER             the public tables of a server
  unum page --out site           the page as plain files: play against bots, no server needed
  unum backup FILE               save everything of a running server in one file
  unum restore FILE              bring it back, into a folder or PostgreSQL
  unum check                     is every table and every finished game of a server whole?
  unum health                    does the server of this machine answer?
  unum store copy FROM TO        move a server's database to PostgreSQL, or back
  unum admin status              a running server; unum admin tables, people, ban, reports and more
  unum monitor dashboard         for Grafana; unum monitor alerts: rules for Prometheus
  unum cluster status            the nodes that share a PostgreSQL database

Watch
  unum replay 3                  a finished game, move by move; also a record or a link
  unum review 3                  was it luck, and what should have been played?
  unum verify 3                  were its cards dealt fairly?
  unum record > game.unum        let random players play a match

Build on it
  unum referee                   the rules engine on a pipe: JSON requests in, replies out
  unum analyze @position.json    what to play in a position, and what others may hold
  unum perft --all               count action sequences, compare with the reference numbers
  unum bench                     rounds per second on this machine

Study it
  unum arena hard random         bots against bots on duplicate deals: who is better, and how sure
  unum tournament easy normal hard
                                 everybody against everybody: one list of ratings
  unum simulate --players 4      rounds by the million: length, scores, seats, cards, house rules
  unum study stacking=any        what house rules do to length, luck and seats, in one table
  unum merge part-*.json         one report from the parts that --part made on many machines

Set it up
  unum completions zsh           completions for bash, zsh, fish, elvish and powershell
  unum man                       the manual page; unum man FOLDER writes those of all commands

Every command explains itself with --help.
";

/// Prints the overview, or the help of one command.
fn help(words: &[String]) -> anyhow::Result<()> {
    if words.is_empty() {
        return output::print(OVERVIEW);
    }
    let mut cli = Cli::command().max_term_width(100);
    cli.build();
    let mut command = &mut cli;
    for name in words {
        let near = did_you_mean(name, command.get_subcommands().map(clap::Command::get_name));
        let unknown = || format!("there is no command {:?}: `unum help` lists them.{near}", words.join(" "));
        command = command.find_subcommand_mut(name).with_context(unknown).or_usage()?;
    }
    output::print(&command.render_long_help().to_string())
}

/// The run that a part belongs to, by the words of its command.
fn whole_run(words: &[String]) -> Option<commands::merge::Run> {
    let words = ["unum"].into_iter().chain(words.iter().map(String::as_str));
    match Cli::try_parse_from(words).ok()?.command? {
        Command::Arena(args) => Some(commands::merge::Run::Arena(Box::new(args))),
        Command::Tournament(args) => Some(commands::merge::Run::Tournament(Box::new(args))),
        Command::Simulate(args) => Some(commands::merge::Run::Simulate(Box::new(args))),
        Command::Study(args) => Some(commands::merge::Run::Study(Box::new(args))),
        _ => None,
    }
}

fn main() -> ExitCode {
    if let Some(missing) = processor::missing() {
        eprintln!(
            "unum: this program was built for newer processors (x86-64-v2): this one lacks {missing}. Build it yourself with \
             RUSTFLAGS=\"-C target-cpu=x86-64\" cargo build --release"
        );
        return ExitCode::FAILURE;
    }
    let cli = Cli::try_parse().unwrap_or_else(|error| usage::plain(error).exit());
    let result = match cli.command {
        Some(Command::Play(args)) => return ended(commands::play::run(args)),
        Some(Command::Games(args)) => commands::games::run(args),
        Some(Command::Tables(args)) => commands::tables::run(args),
        Some(Command::Completions(args)) => commands::shell::completions(&args, Cli::command()),
        Some(Command::Man(args)) => commands::shell::man(&args, Cli::command()),
        Some(Command::Rules(args)) => commands::rules::run(args),
        Some(Command::Record(args)) => commands::record::run(args),
        Some(Command::Replay(args)) => commands::replay::run(args),
        Some(Command::Review(args)) => commands::review::run(args),
        Some(Command::Analyze(args)) => commands::analyze::run(args),
        Some(Command::Verify(args)) => commands::verify::run(args),
        Some(Command::Referee(args)) => commands::referee::run(args),
        Some(Command::Perft(args)) => commands::perft::run(args),
        Some(Command::Bench(args)) => commands::bench::run(args),
        Some(Command::Arena(args)) => commands::arena::run(&args),
        Some(Command::Tournament(args)) => commands::tournament::run(&args),
        Some(Command::Simulate(args)) => commands::simulate::run(&args),
        Some(Command::Study(args)) => commands::study::run(&args),
        Some(Command::Merge(args)) => commands::merge::run(args, whole_run),
        Some(Command::Serve(args)) => commands::serve::run(args),
        Some(Command::Page(args)) => commands::page::run(&args),
        Some(Command::Backup(args)) => commands::backup::back_up(&args),
        Some(Command::Restore(args)) => commands::backup::restore(&args),
        Some(Command::Admin(args)) => commands::admin::run(args),
        Some(Command::Health(args)) => commands::health::run(&args),
        Some(Command::Monitor(args)) => commands::monitor::run(&args),
        Some(Command::Check(args)) => commands::backup::check_all(&args),
        Some(Command::Store(args)) => commands::store::run(args),
        Some(Command::Cluster(args)) => commands::cluster::run(args),
        Some(Command::Help(HelpArgs { command })) => help(&command),
        None => commands::serve::run(cli.serve.0),
    };
    ended(result.map(|()| ExitCode::SUCCESS))
}

fn ended(result: anyhow::Result<ExitCode>) -> ExitCode {
    match result {
        Ok(code) => code,
        Err(error) if output::reader_is_gone(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("unum: {}", output::tame(&usage::told(&error)));
            if error.is::<crew::Interrupted>() {
                crew::INTERRUPTED.into()
            } else if error.is::<usage::Usage>() {
                usage::WRONG_OPTION.into()
            } else {
                ExitCode::FAILURE
            }
        }
    }
}
