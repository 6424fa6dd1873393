//! unum: play and study UNO.

#![forbid(unsafe_code)]

mod commands;
mod crew;
mod output;
mod report;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Play and study UNO: five editions, every rule, one engine.
#[derive(Parser)]
#[command(name = "unum", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Rules(commands::rules::Args),
    Record(commands::record::Args),
    Replay(commands::replay::Args),
    Referee(commands::referee::Args),
    Perft(commands::perft::Args),
    Bench(commands::bench::Args),
    Arena(commands::arena::Args),
    Simulate(commands::simulate::Args),
}

const OVERVIEW: &str = "\
unum - the rules of UNO, exact and fast

See it at work
  unum rules                     editions, decks and every rule in plain words
  unum rules W4                  one rule; also: unum rules --edition frozen
  unum record > game.unum        let random players play a match and save it
  unum replay game.unum          watch it move by move, checked card by card

Build on it
  unum referee                   the rules engine on a pipe: JSON requests in, replies out
  unum perft --all               count action sequences, compare with the reference numbers
  unum bench                     rounds per second on this machine

Study it
  unum arena hard random         bots against bots on duplicate deals: who is better, and how sure
  unum simulate --players 4      rounds by the million: length, scores, seats, cards, house rules

Every command explains itself with --help. The game server comes next.
";

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Some(Command::Rules(args)) => commands::rules::run(args),
        Some(Command::Record(args)) => commands::record::run(args),
        Some(Command::Replay(args)) => commands::replay::run(args),
        Some(Command::Referee(args)) => commands::referee::run(args),
        Some(Command::Perft(args)) => commands::perft::run(args),
        Some(Command::Bench(args)) => commands::bench::run(args),
        Some(Command::Arena(args)) => commands::arena::run(args),
        Some(Command::Simulate(args)) => commands::simulate::run(args),
        None => output::print(OVERVIEW),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::reader_is_gone(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("unum: {error:#}");
            if error.is::<crew::Interrupted>() { crew::INTERRUPTED.into() } else { ExitCode::FAILURE }
        }
    }
}
