//! The engine needs no heap memory to play.

use allocation_counter::measure;
use unum_rules::playout::Casual;
use unum_rules::{Edition, Round, Rules, Seeded};

use crate::tables::{Table, random_table};

const TABLES: u64 = 200;
const ROUNDS: u8 = 5;

#[test]
fn a_round_is_below_one_kib() {
    assert!(size_of::<Round>() < 1024, "{} bytes", size_of::<Round>());
}

#[test]
fn applying_and_listing_actions_allocates_nothing() {
    for edition in Edition::ALL {
        for seed in 0..TABLES {
            let mut rng = Seeded::new(seed);
            let table = random_table(edition, &mut rng);
            let mut actions = 0;
            let memory = measure(|| actions = play_some_rounds(&table, &mut rng));
            assert!(actions > 0);
            assert_eq!(memory.count_total, 0, "{:?}", table.rules.spec());
        }
    }
}

/// Plays a few rounds and lists everybody's actions at every step; how many actions there were.
fn play_some_rounds(table: &Table, rng: &mut Seeded) -> u64 {
    let mut actions = 0;
    for round in 0..ROUNDS {
        let dealer = round % table.players;
        let dealt = Round::deal(&table.rules, table.players, dealer, rng, &mut ());
        let mut round = dealt.expect("the table can be dealt");
        while !round.is_over() {
            actions += count_listed(&round, &table.rules);
            let (seat, action) = Casual.choose(&round, &table.rules, rng);
            round.apply(&table.rules, seat, &action, rng, &mut ()).expect("a casual player knows the rules");
        }
    }
    actions
}

fn count_listed(round: &Round, rules: &Rules) -> u64 {
    let mut listed = 0;
    for seat in 0..round.players() {
        round.legal(rules, seat, &mut |_| listed += 1);
    }
    listed
}
