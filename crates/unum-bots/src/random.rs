//! The yardstick.

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use unum_rules::{Action, Card, CardList, CardSet, Cards, Chance, Color, Face, Phase, Play, Sight};

use crate::Bot;

/// The yardstick: a random playable card (a Wild Draw Four only when it is allowed), a random color, a draw when
/// there is none, what was drawn is played if it can be. It always calls "UNO", never challenges, never catches.
#[derive(Clone, Debug)]
pub struct Random {
    chance: Pcg64Mcg,
}

impl Random {
    /// With a generator of its own.
    #[inline]
    pub fn new(seed: u64) -> Random {
        Random { chance: Pcg64Mcg::seed_from_u64(seed) }
    }

    #[inline]
    fn color(&mut self) -> Color {
        Color::ALL[self.chance.below(4) as usize]
    }

    #[inline]
    fn play(&mut self, sight: &Sight<'_>, card: Card) -> Play {
        let mut play = Play::card(card);
        let mut left = sight.hand().len() - 1;
        if card.is_wild() {
            if card != Card::SHUFFLE_HANDS {
                play.color = Some(self.color());
            }
            if card == Card::OLAF {
                play.discard = self.summer(sight);
                left -= play.discard.len();
            }
        } else if sight.rules().house().seven_zero && card.face() == Face::Number(7) && left > 0 {
            let steps = 1 + self.chance.below(u32::from(sight.players()) - 1) as u8;
            play.swap_with = Some((sight.seat() + steps) % sight.players());
        }
        play.uno = left == 1;
        play
    }

    /// As many as Olaf takes of one of his two colors.
    fn summer(&mut self, sight: &Sight<'_>) -> Cards<3> {
        let color = Color::SUMMER[self.chance.below(2) as usize];
        let cards = sight.hand().only(CardSet::color(color));
        Cards::try_from_iter(cards.iter().take(3)).unwrap_or(Cards::EMPTY)
    }

    fn answer(&mut self, sight: &Sight<'_>) -> Action {
        if let Some(card) = sight.answers().pick(&mut self.chance)
            && (card != Card::WILD_DRAW_FOUR || !bluffs(sight))
        {
            return Action::Play(self.play(sight, card));
        }
        if sight.can_block() {
            return Action::Block { color: self.color(), uno: sight.hand().len() == 2 };
        }
        Action::Take
    }

    fn discard(&mut self, sight: &Sight<'_>, count: u8) -> Action {
        let hand = sight.hand();
        let mut cards = CardList::try_from_iter(hand.iter()).unwrap_or(CardList::EMPTY);
        self.chance.shuffle(cards.as_mut_slice());
        let chosen = cards.iter().copied().take(count as usize);
        let uno = hand.len() == count as usize + 1;
        Action::Discard { cards: CardList::try_from_iter(chosen).unwrap_or(CardList::EMPTY), uno }
    }
}

/// Whether a Wild Draw Four is not allowed now. Where nobody can challenge it, it always is.
#[inline]
fn bluffs(sight: &Sight<'_>) -> bool {
    !sight.rules().house().no_challenges && sight.would_bluff()
}

impl Bot for Random {
    #[inline]
    fn act(&mut self, sight: &Sight<'_>) -> Action {
        let among = sight.playable();
        // A bluff is the one playable card that is left alone.
        let among = if among.contains(Card::WILD_DRAW_FOUR) && bluffs(sight) {
            among.without(Card::WILD_DRAW_FOUR)
        } else {
            among
        };
        if let Some(card) = among.pick(&mut self.chance) {
            return Action::Play(self.play(sight, card));
        }
        match sight.phase() {
            Phase::Turn { .. } | Phase::Over { .. } => Action::Draw,
            Phase::Drawn { .. } => Action::Keep,
            Phase::CallColor { .. } => Action::CallColor(self.color()),
            Phase::Respond { .. } => self.answer(sight),
            Phase::Discard { count, .. } => self.discard(sight, count),
            Phase::Vote { .. } => Action::Vote(self.chance.below(2) == 1),
            Phase::Dare { .. } => Action::Dare { accept: self.chance.below(2) == 1 },
        }
    }

    #[inline]
    fn react(&mut self, sight: &Sight<'_>) -> Option<Action> {
        sight.liable().contains(sight.seat()).then_some(Action::CallUno)
    }
}
