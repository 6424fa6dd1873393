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
    assert!(all.restored > 50 && all.offered > 500, "{all:?}");
}
