//! Explanations for hints: a simple reason for an action, from what the seat can see alone.

use unum_protocol::HintReason;
use unum_rules::{Action, Card, CardSet, Color, Face, Phase, Play, Sight};

/// A hand this small is worth stopping.
const FEW: usize = 2;
/// A card with this many points or more is worth getting rid of.
const MANY_POINTS: u32 = 20;

/// Why an expert would do that, in one word: the first reason that holds.
pub fn reason(sight: &Sight<'_>, action: &Action) -> HintReason {
    match action {
        Action::Catch(_) | Action::CallUno => HintReason::Catches,
        Action::Play(play) => play_reason(sight, play),
        Action::Block { .. } => HintReason::Spares,
        Action::Challenge => HintReason::LikelyBluff,
        Action::Take if sight.can_challenge() => HintReason::LikelyHonest,
        Action::Draw | Action::Keep if !sight.playable().is_empty() => HintReason::Waits,
        Action::CallColor(color) if is_favorite(sight, *color, None) => HintReason::BestColor,
        _ if choices(sight) == 1 => HintReason::OnlyChoice,
        _ => HintReason::WinsMost,
    }
}

fn play_reason(sight: &Sight<'_>, play: &Play) -> HintReason {
    let next = sight.next(sight.seat());
    let others = sight.playable().without(play.card);
    let color = play.color.or(play.card.color());
    if sight.hand().len() == 1 + play.discard.len() {
        HintReason::Wins
    } else if matches!(sight.phase(), Phase::Respond { .. }) {
        HintReason::Spares
    } else if hits_next(sight, play.card) && sight.hand_size(next) <= FEW {
        HintReason::StopsNext
    } else if others.is_empty() {
        HintReason::OnlyChoice
    } else if !play.card.is_wild() && !others.and(CardSet::WILDS).is_empty() {
        HintReason::KeepsWild
    } else if color.is_some_and(|color| is_favorite(sight, color, Some(play.card))) {
        HintReason::BestColor
    } else if sight.rules().points(play.card) >= MANY_POINTS {
        HintReason::ShedsPoints
    } else if color.is_some() && color != sight.color() {
        HintReason::ChangesColor
    } else {
        HintReason::WinsMost
    }
}

/// Whether a card costs the next player the turn.
fn hits_next(sight: &Sight<'_>, card: Card) -> bool {
    let turns_on_two = sight.players() == 2 && sight.rules().house().reverse_skips_with_two;
    match card.face() {
        Face::Skip | Face::DrawTwo | Face::WildDrawFour => true,
        Face::Reverse => turns_on_two,
        _ => false,
    }
}

/// Whether the seat has more cards of a color than of any other, without one that is about to be played.
fn is_favorite(sight: &Sight<'_>, color: Color, without: Option<Card>) -> bool {
    let mut hand = *sight.hand();
    if let Some(card) = without {
        hand.remove(card);
    }
    let count = |wanted: Color| hand.iter().filter(|card| card.color() == Some(wanted)).count();
    let most = count(color);
    most > 0 && Color::ALL.into_iter().all(|other| other == color || count(other) < most)
}

/// How many things the seat could do.
fn choices(sight: &Sight<'_>) -> usize {
    let mut count = 0;
    sight.legal(&mut |_| count += 1);
    count
}

#[cfg(test)]
mod tests {
    use unum_rules::{CardName, Edition, Match, Position, Rules, Seeded};

    use super::*;

    /// What the first seat is told about playing its first card.
    fn of(hand: &[&str], other: usize, top: &str, card: &str, color: Option<Color>) -> HintReason {
        let names = |cards: &[&str]| cards.iter().map(|card| CardName::parse(card).unwrap()).collect::<Vec<_>>();
        let fillers = ["B1", "B2", "B4", "B5", "B6", "B7"];
        let position = Position {
            dealer: 1,
            hands: vec![names(hand), names(&fillers[..other])],
            top: CardName::parse(top),
            draw_pile: names(&["G1", "G2", "G3", "G4"]),
            ..Position::default()
        };
        let rules = Rules::of(Edition::Original);
        let game: Match = position.into_match(rules, Seeded::new(1)).unwrap();
        let sight = Sight::new(game.round(), game.rules(), 0, game.scores());
        let card = names(&[card])[0].kind();
        let play = Play { color, ..Play::card(card) };
        sight.check(&Action::Play(play)).unwrap();
        reason(&sight, &Action::Play(play))
    }

    #[test]
    fn are_the_simplest_that_hold() {
        assert_eq!(of(&["R1"], 5, "R5", "R1", None), HintReason::Wins);
        assert_eq!(of(&["R1", "B3"], 5, "R5", "R1", None), HintReason::OnlyChoice);
        assert_eq!(of(&["RS", "R3", "B3"], 1, "R5", "RS", None), HintReason::StopsNext);
        assert_eq!(of(&["R1", "B3", "W"], 5, "R5", "R1", None), HintReason::KeepsWild);
        assert_eq!(of(&["R1", "R2", "R3", "B5"], 5, "R5", "R1", None), HintReason::BestColor);
        assert_eq!(of(&["W", "R3", "G5", "G7"], 5, "R5", "W", Some(Color::Green)), HintReason::BestColor);
        assert_eq!(of(&["B5", "R3", "G7"], 5, "R5", "B5", None), HintReason::ChangesColor);
    }
}
