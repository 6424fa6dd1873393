use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use std::time::Instant;
use unum_bots::Level;
use unum_lab::Seating;
use unum_rules::{Edition, Round, Rules, playout::Casual};
fn main() {
    let rules = Rules::of(Edition::Original);
    for players in [2u8, 4, 10] {
        for _ in 0..3 {
            let n = 200_000u64;
            let mut chance = Pcg64Mcg::seed_from_u64(1);
            let t = Instant::now();
            for deal in 0..n {
                let mut round =
                    Round::deal(&rules, players, (deal % u64::from(players)) as u8, &mut chance, &mut ()).unwrap();
                Casual.finish(&mut round, &rules, &mut chance);
            }
            let bare = t.elapsed().as_secs_f64();
            let t = Instant::now();
            let mut actions = 0u64;
            for deal in 0..n {
                let mut round =
                    Round::deal(&rules, players, (deal % u64::from(players)) as u8, &mut chance, &mut ()).unwrap();
                let mut bots: Vec<_> = (0..players).map(|s| Level::Random.bot(deal * 10 + u64::from(s))).collect();
                let out =
                    Seating { rules: &rules, bots: &mut bots, scores: &[] }.play(&mut round, &mut chance, &mut ());
                actions += u64::from(out.actions);
                assert_eq!(out.refused, [0; 10]);
            }
            let with = t.elapsed().as_secs_f64();
            println!(
                "{players} bare {:.0}/s bots {:.0}/s ratio {:.2} actions {:.1}",
                n as f64 / bare,
                n as f64 / with,
                bare / with,
                actions as f64 / n as f64
            );
        }
    }
}
