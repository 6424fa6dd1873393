//! The program in the arena, behind its pipe.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use unum_lab::{Arena, ArenaResult, Crew, LineUp, Unit};
use unum_rules::{Edition, House, Rules, RulesSpec, Stacking};

fn play(rules: RulesSpec, others: &str, deals: u64) -> ArenaResult {
    let words = [format!("me=program:'{}'", env!("CARGO_BIN_EXE_example-bot")), others.to_owned()];
    // Long enough for the slowest machine.
    let line_up = LineUp::parse(&words, Duration::from_secs(60)).unwrap();
    let rules = Rules::new(rules).unwrap();
    let arena = Arena {
        rules: &rules,
        line_up: &line_up,
        unit: Unit::Round,
        deals,
        seed: 1,
        question: None,
        adjustment: None,
        recorded: false,
    };
    let (stop, mut progress) = (AtomicBool::new(false), |_: u64| {});
    arena.run(&mut Crew { threads: 2, stop: &stop, progress: &mut progress }).unwrap()
}

fn assert_well_behaved(result: &ArenaResult) {
    let me = &result.sides[0];
    assert_eq!((me.failures.total(), me.refused, &me.last_error), (0, 0, &None));
    assert!(me.failures.asked > 100, "{:?}", me.failures);
}

#[test]
fn it_is_better_than_chance() {
    let result = play(RulesSpec::of(Edition::Original), "random", 400);
    assert_well_behaved(&result);
    let wins = result.sides[0].wins;
    assert!(wins.low.is_some_and(|low| low > 0.52), "{wins:?}");
}

#[test]
fn it_plays_every_edition_and_house_rules_with_many_players() {
    for edition in Edition::ALL {
        assert_well_behaved(&play(RulesSpec::of(edition), "random*3", 20));
        let house = House { stacking: Stacking::Any, seven_zero: true, jump_in: true, ..House::default() };
        assert_well_behaved(&play(RulesSpec { house, ..RulesSpec::of(edition) }, "normal*5", 10));
    }
}
