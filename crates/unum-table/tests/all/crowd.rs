//! Random people at random tables: everything holds, nothing leaks.

use unum_table::sim::{Report, run};

#[test]
fn nothing_leaks_and_nothing_is_lost_whatever_people_do() {
    let mut all = Report::default();
    for seed in 0..24 {
        all += run(seed, 3).unwrap_or_else(|wrong| panic!("{wrong}"));
    }
    println!("{all:?}");
    assert!(all.rounds > 50 && all.matches > 15, "{all:?}");
    assert!(all.redealt * 3 > all.compared, "{all:?}");
    assert!(all.restored > 50, "{all:?}");
}

#[test]
fn who_leaves_among_other_changes_misses_none_of_them() {
    let report = run(501_758, 10).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(report.rounds > 5, "{report:?}");
}

#[test]
fn a_catch_that_waits_rests_until_the_end_of_a_later_grace() {
    run(9_120, 10).unwrap_or_else(|wrong| panic!("{wrong}"));
}
