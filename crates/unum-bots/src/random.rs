//! The level `random`: the baseline that every other is measured against.

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use unum_rules::{Action, Card, CardList, CardSet, Cards, Chance, Color, Face, Phase, Play, Sight};

use crate::Bot;

/// The baseline. It plays a random playable card (a Wild Draw Four only if honest) and calls a random color; with
/// nothing to play it draws, and plays the drawn card if possible. It always calls "UNO", never challenges, never
/// catches.
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
}

#[inline]
fn any_color<C: Chance>(chance: &mut C) -> Color {
    Color::ALL[chance.below(4) as usize]
}

#[inline]
fn play<C: Chance>(sight: &Sight<'_>, card: Card, chance: &mut C) -> Play {
    let mut play = Play::card(card);
    let mut left = sight.hand().len() - 1;
    if card.is_wild() {
        if card.names_color() {
            play.color = Some(any_color(chance));
        }
        if card == Card::OLAF {
            play.discard = summer(sight, chance);
            left -= play.discard.len();
        }
    } else if sight.rules().house().seven_zero && card.face() == Face::Number(7) && left > 0 {
        let steps = 1 + chance.below(u32::from(sight.players()) - 1) as u8;
        play.swap_with = Some((sight.seat() + steps) % sight.players());
    }
    play.uno = left == 1;
    play
}

/// As many as Olaf takes of one of his two colors.
fn summer<C: Chance>(sight: &Sight<'_>, chance: &mut C) -> Cards<3> {
    let color = Color::SUMMER[chance.below(2) as usize];
    let cards = sight.hand().only(CardSet::color(color));
    Cards::try_from_iter(cards.iter().take(sight.rules().most_along(sight.hand()))).unwrap_or(Cards::EMPTY)
}

fn answer<C: Chance>(sight: &Sight<'_>, chance: &mut C) -> Action {
    if let Some(card) = sight.answers().pick(chance)
        && (card != Card::WILD_DRAW_FOUR || !bluffs(sight))
    {
        return Action::Play(play(sight, card, chance));
    }
    if sight.can_block() {
        return Action::Block { color: any_color(chance), uno: sight.hand().len() == 2 };
    }
    Action::Take
}

fn discard<C: Chance>(sight: &Sight<'_>, count: u8, chance: &mut C) -> Action {
    let hand = sight.hand();
    let mut cards = CardList::try_from_iter(hand.iter()).unwrap_or(CardList::EMPTY);
    chance.shuffle(cards.as_mut_slice());
    let chosen = cards.iter().copied().take(count as usize);
    let uno = hand.len() == count as usize + 1;
    Action::Discard { cards: CardList::try_from_iter(chosen).unwrap_or(CardList::EMPTY), uno }
}

/// Whether a Wild Draw Four is not allowed now. Where nobody can challenge, it always is allowed.
#[inline]
fn bluffs(sight: &Sight<'_>) -> bool {
    !sight.rules().house().no_challenges && sight.would_bluff()
}

/// What the baseline does when the table waits for this seat.
#[inline]
pub(crate) fn act<C: Chance>(sight: &Sight<'_>, chance: &mut C) -> Action {
    let among = sight.playable();
    // A bluff is the one playable card that is left alone.
    let among =
        if among.contains(Card::WILD_DRAW_FOUR) && bluffs(sight) { among.without(Card::WILD_DRAW_FOUR) } else { among };
    if let Some(card) = among.pick(chance) {
        return Action::Play(play(sight, card, chance));
    }
    match sight.phase() {
        Phase::Turn { .. } | Phase::Over { .. } => Action::Draw,
        Phase::Drawn { .. } => Action::Keep,
        Phase::CallColor { .. } => Action::CallColor(any_color(chance)),
        Phase::Respond { .. } => answer(sight, chance),
        Phase::Discard { count, .. } => discard(sight, count, chance),
        Phase::Vote { .. } => Action::Vote(chance.below(2) == 1),
        Phase::Dare { .. } => Action::Dare { accept: chance.below(2) == 1 },
    }
}

impl Bot for Random {
    #[inline]
    fn act(&mut self, sight: &Sight<'_>) -> Action {
        act(sight, &mut self.chance)
    }

    #[inline]
    fn react(&mut self, sight: &Sight<'_>) -> Option<Action> {
        sight.liable().contains(sight.seat()).then_some(Action::CallUno)
    }
}
