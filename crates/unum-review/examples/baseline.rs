//! Measures what a place at the table is worth before the cards are dealt, and prints the data of `src/baseline.txt`.
//!
//! ```sh
//! cargo run --release -p unum-review --example baseline -- 1000000 20000 > crates/unum-review/src/baseline.txt
//! ```
//!
//! The arguments are the deals and the rounds for each edition and number of players. `--edition frozen` measures one edition
//! only. What changes the value function changes these means.

use std::error::Error;

use unum_review::baseline::{Baseline, tables};
use unum_rules::{Edition, Rules};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [deals, rounds, rest @ ..] = &arguments[..] else {
        return Err("say how many deals and how many rounds".into());
    };
    let (deals, rounds) = (deals.parse()?, rounds.parse()?);
    let only = match rest {
        [option, name] if option == "--edition" => Some(Edition::parse(name).ok_or("there is no such edition")?),
        [] => None,
        _ => return Err("only --edition NAME may follow".into()),
    };
    for (edition, players) in tables().filter(|table| only.is_none_or(|only| only == table.0)) {
        let baseline = Baseline::measure(&Rules::of(edition), players, deals, rounds, 2026);
        println!("{}", baseline.write(edition, players));
    }
    Ok(())
}
