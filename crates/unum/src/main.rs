//! unum: play and study UNO.

// Allowed in one place, with its reason: `memory.rs`.
#![deny(unsafe_code)]

mod commands;
mod crew;
mod memory;
mod output;
mod processor;
mod report;

use std::process::ExitCode;

use anyhow::Context as _;
use clap::{CommandFactory as _, Parser, Subcommand};

/// Play and study UNO: five editions, every rule, one engine.
#[derive(Parser)]
#[command(name = "unum", version, max_term_width = 100, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Play(commands::play::Args),
    Games(commands::games::Args),
    Serve(commands::serve::Args),
    Rules(commands::rules::Args),
    Record(commands::record::Args),
    Replay(commands::replay::Args),
    Verify(commands::verify::Args),
    Referee(commands::referee::Args),
    Perft(commands::perft::Args),
    Bench(commands::bench::Args),
    Arena(commands::arena::Args),
    Simulate(commands::simulate::Args),
    Completions(commands::shell::CompletionsArgs),
    Man(commands::shell::ManArgs),
    Help(HelpArgs),
}

/// What there is, in a few words; or all about one command.
#[derive(clap::Args)]
struct HelpArgs {
    /// The command
    command: Option<String>,
}

const OVERVIEW: &str = "\
unum - UNO, exact and fast: a server, the rules, bots, a laboratory

Play
  unum play                      against bots, in the terminal; --continue goes on with a saved game
  unum play LINK                 at a table on a server, by its invite link
  unum games                     the saved games: unum replay 3 shows one that is finished
  unum                           start a server; people join with a browser link, programs by WebSocket
  unum serve --help              ports, folders, limits

See it at work
  unum rules                     editions, decks and every rule in plain words
  unum rules W4                  one rule; also: unum rules --edition frozen
  unum record > game.unum        let random players play a match and save it
  unum replay game.unum          watch it move by move, checked card by card
  unum verify game.unum          whether the cards were dealt fairly: every card worked out again

Build on it
  unum referee                   the rules engine on a pipe: JSON requests in, replies out
  unum perft --all               count action sequences, compare with the reference numbers
  unum bench                     rounds per second on this machine

Study it
  unum arena hard random         bots against bots on duplicate deals: who is better, and how sure
  unum simulate --players 4      rounds by the million: length, scores, seats, cards, house rules

Set it up
  unum completions zsh           completions for bash, zsh, fish, elvish and powershell
  unum man                       the manual page; unum man FOLDER writes those of all commands

Every command explains itself with --help.
";

/// Prints the overview, or the help of one command.
fn help(command: Option<&str>) -> anyhow::Result<()> {
    let Some(name) = command else { return output::print(OVERVIEW) };
    let mut cli = Cli::command().max_term_width(100);
    cli.build();
    let found = cli.find_subcommand_mut(name);
    let found = found.with_context(|| format!("there is no command {name}; `unum help` shows what there is"))?;
    output::print(&found.render_long_help().to_string())
}

fn main() -> ExitCode {
    if let Some(missing) = processor::missing() {
        eprintln!(
            "unum: this program was built for newer processors (x86-64-v2): this one lacks {missing}. Build it yourself with \
             RUSTFLAGS=\"-C target-cpu=x86-64\" cargo build --release"
        );
        return ExitCode::FAILURE;
    }
    let result = match Cli::parse().command {
        Some(Command::Play(args)) => return ended(commands::play::run(args)),
        Some(Command::Games(args)) => commands::games::run(args),
        Some(Command::Completions(args)) => commands::shell::completions(&args, Cli::command()),
        Some(Command::Man(args)) => commands::shell::man(&args, Cli::command()),
        Some(Command::Rules(args)) => commands::rules::run(args),
        Some(Command::Record(args)) => commands::record::run(args),
        Some(Command::Replay(args)) => commands::replay::run(args),
        Some(Command::Verify(args)) => commands::verify::run(args),
        Some(Command::Referee(args)) => commands::referee::run(args),
        Some(Command::Perft(args)) => commands::perft::run(args),
        Some(Command::Bench(args)) => commands::bench::run(args),
        Some(Command::Arena(args)) => commands::arena::run(args),
        Some(Command::Simulate(args)) => commands::simulate::run(args),
        Some(Command::Serve(args)) => commands::serve::run(args),
        Some(Command::Help(HelpArgs { command })) => help(command.as_deref()),
        None => commands::serve::run(commands::serve::Args::default()),
    };
    ended(result.map(|()| ExitCode::SUCCESS))
}

fn ended(result: anyhow::Result<ExitCode>) -> ExitCode {
    match result {
        Ok(code) => code,
        Err(error) if output::reader_is_gone(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("unum: {}", output::tame(&format!("{error:#}")));
            if error.is::<crew::Interrupted>() { crew::INTERRUPTED.into() } else { ExitCode::FAILURE }
        }
    }
}
