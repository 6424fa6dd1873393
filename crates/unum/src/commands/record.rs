//! `unum record`: a whole match between random players, as a record.

use std::path::PathBuf;

use anyhow::Context as _;
use unum_rules::fair::{Entropy, FairDeal, Secret};
use unum_rules::playout::Casual;
use unum_rules::record::{PlayerName, Record, RecordError, Recorder, Seeding, Setup};
use unum_rules::{Chance, Seat, Seeded};

use super::agreement::RulesArgs;
use super::replay::Format;
use crate::output::print;
use crate::usage::{OrUsage as _, number};

/// More rounds than any match between random players has.
const MAX_ROUNDS: u64 = 2_000;

/// Let random players play a whole match and print its record.
///
/// The same options give the same record on every machine. To watch one: `unum record --names Ann,Bob,Cy | unum replay -`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Number of players [default: the number of names, or 3]
    #[arg(long, value_name = "N", value_parser = super::players_value)]
    players: Option<u8>,

    /// Seat that deals the first round, from 0 [default: chosen as the edition says]
    #[arg(long, value_name = "SEAT")]
    dealer: Option<Seat>,

    /// Seed for the shuffles and the players' random choices
    #[arg(long, value_name = "SEED", default_value_t = 0, value_parser = number)]
    seed: u64,

    /// Deal fairly, from a secret and the players' parts, as a server does (all derived from the seed)
    #[arg(long)]
    fair: bool,

    /// Names of the players, by seat; an empty one leaves the seat unnamed
    #[arg(long, value_name = "A,B,C", value_delimiter = ',')]
    names: Vec<String>,

    /// Format of the record
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Stop after this many moves; the record is then unfinished
    #[arg(long, value_name = "N", default_value = "20,000", value_parser = number)]
    max_moves: u64,

    #[command(flatten)]
    rules: RulesArgs,
}

/// Plays and writes the record.
///
/// # Errors
/// If there can be no such match, or the record cannot be written.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    let text = args.format.write(&play(&args)?);
    match &args.output {
        Some(file) => std::fs::write(file, text).with_context(|| file.display().to_string()),
        None => print(&text),
    }
}

fn setup(args: &Args) -> anyhow::Result<Setup> {
    let names = args.names.iter().map(|name| parse_name(name)).collect::<anyhow::Result<Vec<_>>>()?;
    let players = match args.players {
        Some(players) => players,
        None if names.is_empty() => 3,
        None => u8::try_from(names.len()).context("there are too many names")?,
    };
    Ok(Setup { rules: args.rules.spec()?, players, names, dealer: args.dealer, seeding: Seeding::Number(args.seed) })
}

fn parse_name(name: &str) -> anyhow::Result<Option<PlayerName>> {
    match name {
        "" => Ok(None),
        name => PlayerName::new(name).map(Some).with_context(|| format!("--names: {name:?}")),
    }
}

/// Plays a match to its end, or up to the limit of moves.
fn play(args: &Args) -> anyhow::Result<Record> {
    let setup = setup(args)?;
    if !args.fair {
        return play_on(setup, args);
    }
    // A record has one deal per round, and the number of rounds is known only at the end, so the match is played twice.
    let mut deals = deals(args.seed, setup.players, args.max_moves.min(MAX_ROUNDS) as usize + 1);
    let rounds = play_on(Setup { seeding: Seeding::Fair(deals.clone()), ..setup.clone() }, args)?.rounds();
    deals.truncate(rounds as usize);
    play_on(Setup { seeding: Seeding::Fair(deals), ..setup }, args)
}

fn play_on(setup: Setup, args: &Args) -> anyhow::Result<Record> {
    let mut whims = Seeded::from_key(key(args.seed, 1));
    let start = Recorder::start(setup, &mut ());
    // Nobody has recorded anything yet, so the place in the record says nothing.
    let recorder = start.map_err(|error| match error {
        RecordError::BadRules(why) => anyhow::Error::from(why),
        error => error.into(),
    });
    let mut recorder = recorder.or_usage()?;
    while (recorder.len() as u64) < args.max_moves && recorder.game().winners().is_none() {
        let (round, rules) = (recorder.game().round(), recorder.game().rules());
        if round.is_over() {
            recorder.next_round(&mut ())?;
        } else {
            let (seat, action) = Casual.choose(round, rules, &mut whims);
            recorder.apply(seat, &action, &mut ())?;
        }
    }
    Ok(recorder.into_record())
}

/// Secrets and parts that a table and its players might have drawn, always the same for a seed.
fn deals(seed: u64, players: u8, rounds: usize) -> Vec<FairDeal> {
    let mut chance = Seeded::from_key(key(seed, 2));
    (0..rounds).map(|round| deal(players, round > 0, &mut chance)).collect()
}

/// After the first round a player occasionally withholds their part, and the others pledge again.
fn deal(players: u8, later: bool, chance: &mut Seeded) -> FairDeal {
    let mut bytes = || std::array::from_fn(|_| chance.below(256) as u8);
    let mut deal = FairDeal::new(Secret(bytes()), (0..players).map(|_| Some(Entropy(bytes()))).collect());
    if later && players > 2 && chance.below(4) == 0 {
        let seat = chance.below(u32::from(players)) as Seat;
        (deal.attempt, deal.withheld, deal.entropy[usize::from(seat)]) = (2, vec![seat], None);
    }
    deal
}

/// A key derived from the seed, for everything but the shuffles.
fn key(seed: u64, purpose: u8) -> [u8; 32] {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8] = purpose;
    key
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use unum_rules::Edition;

    use super::*;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        args: Args,
    }

    fn record(options: &[&str]) -> anyhow::Result<Record> {
        let args = Cli::try_parse_from(["record"].iter().chain(options))?.args;
        play(&args)
    }

    #[test]
    fn whole_matches_are_recorded() {
        for edition in Edition::ALL {
            let record = record(&["--edition", edition.id(), "--seed", "3", "--names", "Ann,,Cy"]).unwrap();
            assert_eq!((record.setup.rules.edition, record.setup.players), (edition, 3));
            assert!(record.replay().unwrap().winners().is_some());
        }
    }

    #[test]
    fn fair_matches_have_a_deal_for_every_round() {
        let record = record(&["--fair", "--edition", "original", "--seed", "3"]).unwrap();
        assert!(record.rounds() > 1);
        assert_eq!(record.setup.seeding.deals().len(), record.rounds() as usize);
        assert!(record.replay().unwrap().winners().is_some());
    }

    #[test]
    fn endless_matches_are_cut() {
        let record = record(&["--max-moves", "10"]).unwrap();
        assert_eq!((record.moves.len(), record.outcome.winners), (10, None));
    }

    #[test]
    fn options_that_contradict_each_other_are_refused() {
        for (options, words) in [
            (&["--edition", "custom", "--rules", r#"{"edition":"modern"}"#][..], "choose one"),
            (&["--rules", "7"], "--rules"),
            (&["--rules", r#"{"hause":{}}"#], "--rules"),
            (&["--players", "2", "--names", "A,B,C"], "name for seat 2"),
            (&["--players", "11"], "2 to 10"),
            (&["--names", "A, B"], "--names"),
        ] {
            let error = record(options).map(|_| ()).unwrap_err();
            assert!(format!("{error:#}").contains(words), "{error:#}");
        }
        let record = record(&["--rules", r#"{"house":{"hand_size":2}}"#, "--edition", "frozen"]).unwrap();
        assert_eq!((record.setup.rules.edition, record.setup.rules.house.hand_size), (Edition::Frozen, Some(2)));
    }
}
