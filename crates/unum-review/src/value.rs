//! The value function of a state with all cards open: everybody's chance to win the round.

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use unum_bots::Depth;
use unum_bots::outlook::{Outlook, weights};
use unum_protocol::review::Gap;
use unum_rules::{Action, Chance, Phase, Round, Rules, SEATS, Seat, Stacking, order};

use crate::own_cards::correct;

/// A number for every seat; 0 where nobody sits.
pub type BySeat = [f64; SEATS];

/// Draws over which an unanswered attack is averaged.
const TAKES: usize = 8;

/// Everybody's chance to win the round if `hard` players continue, with all cards open except the order of the draw
/// pile.
///
/// It ignores that order: cards still to be drawn are luck, not part of the position.
///
/// `Outlook` knows only the cards of every edition; [`own_cards`](crate::own_cards) adds the others.
pub fn chances(rules: &Rules, round: &Round) -> BySeat {
    let chances = uncorrected(rules, round);
    if round.is_over() { chances } else { correct(rules.edition(), round, chances) }
}

/// The same without what was fitted to the cards that only one edition has.
pub fn uncorrected(rules: &Rules, round: &Round) -> BySeat {
    match *round.phase() {
        Phase::Over { winner } => outcome(round.players(), winner),
        Phase::Respond { seat, .. } => after_taking(rules, round, seat),
        _ => outlook(round),
    }
}

/// The outcome of a finished round: 1 for the winner, or equal shares if nobody won.
pub fn outcome(players: u8, winner: Option<Seat>) -> BySeat {
    let mut won = [0.0; SEATS];
    match winner {
        Some(winner) => won[usize::from(winner)] = 1.0,
        None => won[..usize::from(players)].fill(1.0 / f64::from(players)),
    }
    won
}

fn outlook(round: &Round) -> BySeat {
    let raw = Outlook::new(round).chances(weights());
    let seats = usize::from(round.players());
    // Single precision adds up to one only roughly, and luck must sum to zero.
    let sum: f64 = raw[..seats].iter().map(|chance| f64::from(*chance)).sum();
    std::array::from_fn(|seat| if seat < seats { f64::from(raw[seat]) / sum } else { 0.0 })
}

/// The outlook does not know unanswered attacks, so the position is valued after the cards have been taken.
fn after_taking(rules: &Rules, round: &Round, victim: Seat) -> BySeat {
    let mut chance = Pcg64Mcg::seed_from_u64(0x7A4E);
    let mut sum = [0.0; SEATS];
    let mut sorted = *round;
    sorted.reorder_draw_pile(order::sort);
    for _ in 0..TAKES {
        let mut taken = sorted;
        taken.reorder_draw_pile(|pile| chance.shuffle(pile));
        if taken.apply(rules, victim, &Action::Take, &mut chance, &mut ()).is_err() {
            return outlook(round);
        }
        let value = match *taken.phase() {
            Phase::Over { winner } => outcome(round.players(), winner),
            _ => outlook(&taken),
        };
        sum.iter_mut().zip(value).for_each(|(sum, value)| *sum += value);
    }
    sum.map(|sum| sum / TAKES as f64)
}

/// What the value function does not know of these rules.
pub fn gaps(rules: &Rules) -> Vec<Gap> {
    let house = rules.house();
    let custom = (0..rules.edition().customizable()).any(|number| rules.custom_rule(number).is_some());
    let shuffles = rules.deck().copies(unum_rules::Card::SHUFFLE_HANDS) > 0;
    let low = matches!(rules.scoring(), unum_rules::Scoring::LowestAt(_));
    [
        (custom, Gap::CustomCards),
        (shuffles || house.seven_zero, Gap::HandsChange),
        (house.stacking != Stacking::Off, Gap::Stacking),
        (house.jump_in, Gap::JumpIn),
        (house.draw_to_match, Gap::DrawToMatch),
        (low, Gap::PointsInHand),
    ]
    .into_iter()
    .filter_map(|(applies, gap)| applies.then_some(gap))
    .collect()
}

/// How far actions must be played out to be valued.
pub fn depth(gaps: &[Gap]) -> Depth {
    let all_known = gaps.iter().all(|gap| matches!(gap, Gap::JumpIn | Gap::PointsInHand));
    if all_known { Depth::Horizon } else { Depth::End }
}

/// The gap as a sentence.
pub fn gap_words(gap: Gap) -> &'static str {
    match gap {
        Gap::CustomCards => {
            "Customizable cards have effects the evaluation does not know: choices are played out to the end."
        }
        Gap::HandsChange => {
            "Hands can change owners: choices are played out to the end, and luck is measured less precisely."
        }
        Gap::Stacking => "Attacks can be passed on: choices are played out to the end.",
        Gap::JumpIn => "Whether to jump in is not judged.",
        Gap::DrawToMatch => {
            "Players draw until a card fits: choices are played out to the end, and luck is measured less precisely."
        }
        Gap::PointsInHand => "Points left in hand count for the match, but only the chance to win the round is judged.",
    }
}
