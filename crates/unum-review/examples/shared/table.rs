//! Bots at a table, one round, with the luck of it. Shared by examples and tests.

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use unum_bots::{Bot, Budget, Level, LevelBot};
use unum_review::baseline::Baseline;
use unum_review::luck::{Deed, Happening, RoundLuck, Stir};
use unum_rules::{Chance, Event, Phase, Round, Rules, Seat, Sight, Sink, Viewer};

/// A round that takes more actions is given up.
const LONGEST: u32 = 20_000;

/// Tells bots and the review what happens.
struct Everybody<'a> {
    bots: &'a mut [LevelBot],
    stir: Stir,
}

impl Sink for Everybody<'_> {
    fn push(&mut self, event: Event) {
        self.stir.push(event);
        for (seat, bot) in (0..).zip(self.bots.iter_mut()) {
            if bot.listens() {
                bot.see(&event.seen_by(Viewer::Seat(seat)));
            }
        }
    }
}

/// Who sits where: a name as `hard`, or `mixed`.
pub(crate) fn level_at(table: &str, seat: Seat, round: u64) -> Level {
    let mixed = [Level::Random, Level::Hard, Level::Easy, Level::Normal];
    Level::parse(table).unwrap_or(mixed[(u64::from(seat) + round) as usize % mixed.len()])
}

/// Plays a round; who won, and everybody's luck.
pub(crate) fn play(
    rules: &Rules,
    players: u8,
    table: &str,
    number: u64,
    baseline: &Baseline,
) -> (Option<Seat>, RoundLuck) {
    let mut chance = Pcg64Mcg::seed_from_u64(number.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ u64::from(players));
    let mut bots: Vec<LevelBot> = (0..players)
        .map(|seat| {
            let seed = u64::from(chance.below(u32::MAX));
            LevelBot::with_budget(level_at(table, seat, number), seed, Budget::Worlds(100))
        })
        .collect();
    let dealer = (number % u64::from(players)) as Seat;
    let mut round = Round::deal(rules, players, dealer, &mut chance, &mut ()).expect("so many can play");
    let mut luck = RoundLuck::dealt(rules, &round, baseline);
    for (seat, bot) in (0..).zip(&mut bots) {
        bot.begin(&Sight::new(&round, rules, seat, &[]));
    }
    for step in 0..LONGEST {
        let reaction = (0..players).find_map(|seat| {
            let idle = round.liable().is_empty() || round.is_over();
            if idle {
                None
            } else {
                bots[usize::from(seat)].react(&Sight::new(&round, rules, seat, &[])).map(|a| (seat, a))
            }
        });
        let Some((seat, action)) = reaction.or_else(|| {
            let seat = round.awaited()?;
            Some((seat, bots[usize::from(seat)].act(&Sight::new(&round, rules, seat, &[]))))
        }) else {
            break;
        };
        let before = round;
        let mut everybody = Everybody { bots: &mut bots, stir: Stir::default() };
        round.apply(rules, seat, &action, &mut chance, &mut everybody).expect("bots keep to the rules");
        let stir = everybody.stir;
        let deed = Deed::Act(&action);
        let happening = Happening {
            rules,
            before: &before,
            after: &round,
            seat,
            deed,
            stir,
            number: number ^ u64::from(step) << 40,
        };
        if let Some(stroke) = happening.stroke() {
            luck.count(&stroke, stir.drawer);
        }
    }
    let winner = match *round.phase() {
        Phase::Over { winner } => winner,
        _ => None,
    };
    (winner, luck)
}
