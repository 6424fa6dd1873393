//! Corrects the value function for cards that only one edition has.
//!
//! The weights of [`Outlook`](unum_bots::outlook::Outlook) come from rounds without such cards, which are plain wilds to it.
//! This is a conditional logit on top: a seat's score is the logarithm of its chance times a power, plus weights for what it
//! holds; chances are in proportion to the exponentials of the scores. With a power below 1 they are less extreme, as they
//! should be while a Wild Shuffle Hands may still mix all hands.
//!
//! `cargo run --release -p unum-review --example calibration -- ROUNDS --fit` makes the weights. Nothing here depends on the
//! order of the draw pile, and editions without such cards are left as they are.

use std::sync::LazyLock;

use unum_rules::{Card, CardSet, Color, Edition, Phase, Round, SEATS, Seat};

use crate::value::BySeat;

/// Weights at most.
pub const WEIGHTS: usize = 20;

/// Sizes distinguished of the hand that holds the card: 1 to 8 and more.
const SIZES: usize = 8;
/// Sizes distinguished of the smallest hand: 1 to 4 and more.
const SHORT: usize = 4;
/// Wild Shuffle Hands: the powers are for a card in a hand, in the draw pile, and among the discards.
const AFTER_POWERS: usize = 3 * SHORT;
/// Flitterific! and Olaf's Summertime: there is one power, then a weight for each size of the hand that holds the card.
const MORE: usize = 1 + SIZES;
/// Cards that an Olaf's Summertime takes along.
const TAKEN_ALONG: u32 = 3;

/// By line: the edition, the number of players, the weights in hundredths.
const DATA: &str = include_str!("own_cards.txt");

type Fitted = (Edition, u8, Vec<f64>);

static FITTED: LazyLock<Vec<Fitted>> = LazyLock::new(|| DATA.lines().filter_map(read).collect());

fn read(line: &str) -> Option<Fitted> {
    let mut words = line.split(' ');
    let (edition, players) = (Edition::parse(words.next()?)?, words.next()?.parse().ok()?);
    let numbers = words.map(str::parse::<i32>).collect::<Result<Vec<_>, _>>().ok()?;
    let mut weights: Vec<f64> = numbers.into_iter().map(|weight| f64::from(weight) / 100.0).collect();
    weights.resize(WEIGHTS, 0.0);
    Some((edition, players, weights))
}

/// A line of the data file. Zeros at the end are left out.
pub fn write(edition: Edition, players: u8, weights: &[f64]) -> String {
    let mut numbers: Vec<i32> = weights.iter().map(|weight| (weight * 100.0).round() as i32).collect();
    while numbers.pop_if(|last| *last == 0).is_some() {}
    let numbers: Vec<String> = numbers.iter().map(i32::to_string).collect();
    format!("{} {players} {}", edition.id(), numbers.join(" "))
}

/// The stored weights; `None` where the outlook is right as it is.
pub fn weights(edition: Edition, players: u8) -> Option<&'static [f64]> {
    let mut fitted = FITTED.iter();
    fitted.find(|one| (one.0, one.1) == (edition, players)).map(|(_, _, weights)| &weights[..])
}

/// The card that only this edition has.
pub fn own_card(edition: Edition) -> Option<Card> {
    match edition {
        Edition::Fairies => Some(Card::FLITTERIFIC),
        Edition::Frozen => Some(Card::OLAF),
        Edition::Custom => Some(Card::SHUFFLE_HANDS),
        Edition::Original | Edition::Modern => None,
    }
}

/// A round in an edition with a card of its own.
pub struct Table<'a> {
    round: &'a Round,
    card: Card,
    /// Which of the powers applies.
    power: usize,
}

impl<'a> Table<'a> {
    /// `None` if the edition has no such card.
    pub fn new(edition: Edition, round: &'a Round) -> Option<Table<'a>> {
        let card = own_card(edition)?;
        let power = if card == Card::SHUFFLE_HANDS { which_power(round) } else { 0 };
        Some(Table { round, card, power })
    }

    /// Hands the features of a seat that has this chance to `visit`: places among the weights, with values.
    pub fn features(&self, seat: Seat, chance: f64, visit: &mut impl FnMut(usize, f64)) {
        visit(self.power, chance.max(f64::MIN_POSITIVE).ln());
        let (round, hand) = (self.round, self.round.hand(seat));
        let (held, size) = (hand.count(self.card), hand.len().clamp(1, SIZES) - 1);
        if held == 0 {
            return;
        }
        if self.card == Card::SHUFFLE_HANDS {
            return visit(AFTER_POWERS + size, 1.0);
        }
        visit(1 + size, 1.0);
        visit(MORE, f64::from(held - 1));
        if self.card == Card::FLITTERIFIC {
            if round.awaited() == Some(seat) && matches!(round.phase(), Phase::Respond { .. }) {
                visit(MORE + 1, 1.0);
            }
            return;
        }
        let along = [Color::Red, Color::Yellow].map(|color| hand.count_in(CardSet::color(color)).min(TAKEN_ALONG));
        let along = along[0].max(along[1]);
        visit(MORE + 1, f64::from(along));
        match hand.len() - 1 - along as usize {
            0 if round.awaited() == Some(seat) => visit(MORE + 4, 1.0),
            0 => visit(MORE + 2, 1.0),
            1 => visit(MORE + 3, 1.0),
            _ => {}
        }
    }

    /// The chances with these weights.
    pub fn corrected(&self, chances: &BySeat, weights: &[f64]) -> BySeat {
        let mut corrected = [0.0; SEATS];
        let seats = usize::from(self.round.players());
        for (seat, corrected) in corrected.iter_mut().enumerate().take(seats) {
            let mut score = 0.0;
            self.features(seat as Seat, chances[seat], &mut |place, value| score += weights[place] * value);
            *corrected = score.exp();
        }
        let sum: f64 = corrected.iter().sum();
        corrected.map(|chance| chance / sum)
    }
}

/// By where the Wild Shuffle Hands is, and by how soon the round may end.
fn which_power(round: &Round) -> usize {
    let smallest = round.hands().iter().map(|hand| hand.len()).min().unwrap_or(1).clamp(1, SHORT) - 1;
    let holds = |card: Card| round.hands().iter().any(|hand| hand.count(card) > 0);
    let place = if holds(Card::SHUFFLE_HANDS) {
        0
    } else if round.draw_pile().contains(&Card::SHUFFLE_HANDS) {
        1
    } else {
        2
    };
    place * SHORT + smallest
}

/// The chances of the outlook, corrected for the edition's own card.
pub(crate) fn correct(edition: Edition, round: &Round, chances: BySeat) -> BySeat {
    let (Some(weights), Some(table)) = (weights(edition, round.players()), Table::new(edition, round)) else {
        return chances;
    };
    table.corrected(&chances, weights)
}

#[cfg(test)]
mod tests {
    use unum_rules::{Position, Rules, Seeded};

    use super::*;

    #[test]
    fn every_edition_with_a_card_of_its_own_has_weights_for_every_size_of_table() {
        for edition in Edition::ALL {
            for players in 2..=10 {
                assert_eq!(weights(edition, players).is_some(), own_card(edition).is_some(), "{edition} {players}");
            }
        }
        assert_eq!(FITTED.len(), DATA.lines().count());
    }

    #[test]
    fn features_have_places_and_chances_add_up() {
        let mut chance = Seeded::new(5);
        for edition in Edition::ALL {
            let rules = Rules::of(edition);
            for players in 2..=10 {
                let round = Round::deal(&rules, players, 0, &mut chance, &mut ()).expect("there are enough cards");
                let Some(table) = Table::new(edition, &round) else { continue };
                let even = crate::value::outcome(players, None);
                for seat in 0..players {
                    table.features(seat, even[usize::from(seat)], &mut |place, _| assert!(place < WEIGHTS));
                }
                let corrected = correct(edition, &round, even);
                assert!((corrected.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            }
        }
    }

    /// The chances of seat 0, who is to act on a red 7.
    fn chance_of(edition: Edition, position: &str) -> [f64; 2] {
        let position: Position = serde_json::from_str(position).expect("a position");
        let game = position.into_match(Rules::of(edition), Seeded::new(1)).expect("a possible one");
        let round = game.round();
        [crate::value::uncorrected(game.rules(), round)[0], crate::value::chances(game.rules(), round)[0]]
    }

    #[test]
    fn a_hand_that_olafs_summertime_empties_has_almost_won() {
        let hands = r#"{"hands":[["WO","P1","P2","P3"],["G1","G2","G3","G4"]],"top":"B7","dealer":1}"#;
        let [before, after] = chance_of(Edition::Frozen, hands);
        assert!(before < 0.8 && after > 0.95, "{before} {after}");
    }

    #[test]
    fn a_lead_is_worth_little_while_hands_may_be_shuffled() {
        let hands = r#"{"hands":[["B1","B3"],["WH","G2","G3","G4","G5","G6","Y7","Y8"]],"top":"B7","dealer":0}"#;
        let [before, after] = chance_of(Edition::Custom, hands);
        assert!(after < before - 0.1, "{before} {after}");
    }
}
