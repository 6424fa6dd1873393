//! The engine next to its baseline: `cargo bench -p unum-rules`.
//!
//! The baseline is one Fisher–Yates shuffle of 108 cards with the same generator, so that a
//! round can be counted in shuffles on any machine.

#![allow(missing_docs)]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use unum_rules::playout::Casual;
use unum_rules::{Chance, Edition, Round, Rules, View, Viewer};

fn baseline(criterion: &mut Criterion) {
    let mut chance = Pcg64Mcg::seed_from_u64(1);
    let mut cards = Rules::of(Edition::Original).deck().cards().to_vec();
    criterion.bench_function("shuffle of 108 cards", |bencher| {
        bencher.iter(|| chance.shuffle(black_box(&mut cards)));
    });
}

fn rounds(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("random round");
    for edition in Edition::ALL {
        for players in [2, 4, 10] {
            let rules = Rules::of(edition);
            let mut chance = Pcg64Mcg::seed_from_u64(1);
            group.bench_function(BenchmarkId::new(edition.id(), players), |bencher| {
                bencher.iter(|| {
                    let mut round = Round::deal(&rules, players, 0, &mut chance, &mut ()).unwrap();
                    Casual.finish(&mut round, &rules, &mut chance)
                });
            });
        }
    }
}

/// Single calls on a round as it stands after some turns.
fn calls(criterion: &mut Criterion) {
    let rules = Rules::of(Edition::Original);
    let mut chance = Pcg64Mcg::seed_from_u64(1);
    let mut round = Round::deal(&rules, 4, 0, &mut chance, &mut ()).unwrap();
    for _ in 0..10 {
        Casual.step(&mut round, &rules, &mut chance, &mut ()).unwrap();
    }
    criterion.bench_function("copy of a round", |bencher| bencher.iter(|| *black_box(&round)));
    criterion.bench_function("legal actions of all seats", |bencher| {
        bencher.iter(|| {
            let mut count = 0;
            (0..4).for_each(|seat| black_box(&round).legal(&rules, seat, &mut |_| count += 1));
            count
        });
    });
    criterion.bench_function("view of a seat", |bencher| {
        bencher.iter(|| View::of_round(black_box(&round), Viewer::Seat(1)));
    });
}

criterion_group!(benches, baseline, rounds, calls);
criterion_main!(benches);
