//! The policy of the levels that think: one place for every kind of decision, with a [`Character`] as parameters.

use unum_rules::{
    Action, Card, CardList, CardSet, Cards, Chance, Color, Face, Hand, House, Phase, Play, Seat, Sight, order,
};

use crate::appraisal::{Appraisal, CROWDS, Choice, Insight, WEIGHTS, crowd};

/// A table of weights for each size of crowd.
pub type Weights = [[f32; WEIGHTS]; CROWDS];

/// What makes one player different from another.
#[derive(Clone, Copy, Debug)]
pub struct Character<'a> {
    /// The weights of plays, in probability of winning the round.
    pub weights: &'a Weights,
    /// How often a bluff is considered, against a player who challenges about as often as the average.
    pub bluff: f32,
    /// The suspicion at which a challenge is an even bet.
    pub suspicion: f32,
    /// How gradually challenges set in around it.
    pub doubt: f32,
    /// How often a performance makes this player laugh.
    pub laughs: f32,
}

/// The largest hand with which a wild is saved for later.
pub(crate) const LONGEST_WAIT: usize = 20;
/// What a card more or less in hand is worth, in probability of winning the round.
const WORTH_OF_CARD: f32 = 0.05;

impl Character<'_> {
    /// What to do when the table waits for this seat.
    #[inline]
    pub fn act<C: Chance>(&self, sight: &Sight<'_>, insight: &impl Insight, chance: &mut C) -> Action {
        match sight.phase() {
            Phase::Turn { .. } | Phase::Drawn { .. } => self.turn(sight, insight, chance),
            _ => self.answer(sight, insight, chance),
        }
    }

    /// What to do in a turn that leaves no choice.
    #[inline]
    pub(crate) fn obvious(sight: &Sight<'_>) -> Option<Action> {
        matches!(sight.phase(), Phase::Turn { .. } | Phase::Drawn { .. }).then_some(())?;
        only_choice(sight, sight.playable()).map(|choice| carry_out(sight, choice))
    }

    #[inline]
    fn turn<C: Chance>(&self, sight: &Sight<'_>, insight: &impl Insight, chance: &mut C) -> Action {
        let choice = self.choose(sight, insight, chance);
        carry_out(sight, choice)
    }

    /// The best of the choices of a turn.
    #[inline]
    fn choose<C: Chance>(&self, sight: &Sight<'_>, insight: &impl Insight, chance: &mut C) -> Choice {
        let playable = sight.playable();
        if let Some(choice) = only_choice(sight, playable) {
            return choice;
        }
        let bluffs = playable.contains(Card::WILD_DRAW_FOUR) && sight.rules().challenges() && sight.would_bluff();
        let barred = bluffs && !happens(self.bluff * insight.trust(sight.next(sight.seat())), chance);
        let appraisal = Appraisal::new(sight, insight);
        let weights = &self.weights[crowd(sight.players())];
        let mut best = (f32::MIN, Choice::Pass);
        each_choice(sight, playable, &mut |choice| {
            if let Choice::Play(Card::WILD_DRAW_FOUR, _) = choice
                && barred
            {
                return;
            }
            let score = appraisal.score(weights, choice) + house_bonus(sight, choice);
            if score > best.0 {
                best = (score, choice);
            }
        });
        best.1
    }

    /// Everything but turns.
    #[inline(never)]
    fn answer<C: Chance>(&self, sight: &Sight<'_>, insight: &impl Insight, chance: &mut C) -> Action {
        match sight.phase() {
            Phase::CallColor { .. } => Action::CallColor(self.best_color(sight, insight)),
            Phase::Respond { .. } => self.respond(sight, insight, chance),
            Phase::Discard { count, .. } => discard(sight.hand(), count),
            Phase::Vote { .. } => Action::Vote(happens(self.laughs, chance)),
            Phase::Dare { .. } => Action::Dare { accept: true },
            Phase::Drawn { .. } => Action::Keep,
            Phase::Turn { .. } | Phase::Over { .. } => Action::Draw,
        }
    }

    fn respond<C: Chance>(&self, sight: &Sight<'_>, insight: &impl Insight, chance: &mut C) -> Action {
        let suspicion = if sight.can_challenge() { insight.suspicion(sight) } else { 0.0 };
        if sight.can_challenge() && happens(self.challenge(suspicion), chance) {
            return Action::Challenge;
        }
        if sight.can_block() {
            let color = self.best_color(sight, insight);
            return Action::Block { color, uno: sight.hand().len() == 2 };
        }
        let appraisal = Appraisal::new(sight, insight);
        let weights = &self.weights[crowd(sight.players())];
        let answers = sight.answers();
        let answers = if sight.would_bluff() { answers.without(Card::WILD_DRAW_FOUR) } else { answers };
        let mut best = None;
        each_play(sight, answers, &mut |choice| {
            let score = appraisal.score(weights, choice);
            if best.is_none_or(|(least, _)| score > least) {
                best = Some((score, choice));
            }
        });
        best.map_or(Action::Take, |(_, choice)| carry_out(sight, choice))
    }

    /// The probability of a challenge: never certain and never ruled out, so opponents cannot rely on it.
    #[inline]
    pub fn challenge(&self, suspicion: f32) -> f32 {
        1.0 / (1.0 + ((self.suspicion - suspicion) / self.doubt).exp())
    }

    /// The color to call.
    pub(crate) fn best_color(&self, sight: &Sight<'_>, insight: &impl Insight) -> Color {
        let appraisal = Appraisal::new(sight, insight);
        let weights = &self.weights[crowd(sight.players())];
        let score = |color: &Color| appraisal.score(weights, Choice::Play(Card::WILD, Some(*color)));
        Color::ALL.into_iter().max_by(|a, b| score(a).total_cmp(&score(b))).unwrap_or(Color::Red)
    }
}

/// The action when there is nothing to choose.
#[inline]
fn only_choice(sight: &Sight<'_>, playable: CardSet) -> Option<Choice> {
    let Some(any) = playable.first() else { return Some(Choice::Pass) };
    if playable.contains(Card::OLAF) && sight.hand().len() == 1 + summer(sight).len() {
        // Olaf and what he takes along go out.
        return Some(Choice::Play(Card::OLAF, Some(Color::Red)));
    }
    let no_choice = playable.len() == 1 && !any.is_wild();
    (no_choice || sight.hand().len() == 1).then(|| Choice::Play(any, any.names_color().then_some(Color::Red)))
}

/// True with this probability.
#[inline]
pub(crate) fn happens<C: Chance>(probability: f32, chance: &mut C) -> bool {
    const FINE: u32 = 1 << 16;
    (chance.below(FINE) as f32) < probability * FINE as f32
}

/// The choices worth considering in a turn or after a draw: every play, and passing if only wilds can be played.
#[inline]
pub fn each_choice(sight: &Sight<'_>, playable: CardSet, visit: &mut impl FnMut(Choice)) {
    each_play(sight, playable, visit);
    let rightly = if sight.would_bluff() { playable.without(Card::WILD_DRAW_FOUR) } else { playable };
    let must_play = sight.rules().house().force_play && !rightly.is_empty();
    // Waiting must end at some point, and costs too much where players draw until something fits.
    let may_wait = sight.hand().len() <= LONGEST_WAIT && !sight.rules().house().draw_to_match;
    if playable.minus(CardSet::WILDS).is_empty() && !must_play && (may_wait || rightly.is_empty()) {
        visit(Choice::Pass);
    }
}

/// All plays of these cards. Of the colors only those in hand are worth calling.
#[inline]
fn each_play(sight: &Sight<'_>, playable: CardSet, visit: &mut impl FnMut(Choice)) {
    for card in playable.iter() {
        if !card.names_color() {
            visit(Choice::Play(card, None));
            continue;
        }
        let kinds = sight.hand().kinds();
        let mut called = false;
        for color in Color::ALL {
            if !kinds.and(CardSet::color(color)).is_empty() {
                called = true;
                visit(Choice::Play(card, Some(color)));
            }
        }
        if !called {
            for color in Color::ALL {
                visit(Choice::Play(card, Some(color)));
            }
        }
    }
}

/// The value of hands that change owners (house rule `seven_zero`).
#[inline]
pub(crate) fn house_bonus(sight: &Sight<'_>, choice: Choice) -> f32 {
    let Choice::Play(card, _) = choice else { return 0.0 };
    let left = sight.hand().len() - 1;
    let House { seven_zero: true, .. } = sight.rules().house() else { return 0.0 };
    let theirs = match card.face() {
        _ if left == 0 => return 0.0,
        Face::Number(7) => sight.hand_size(swap_partner(sight)),
        Face::Number(0) => sight.hand_size(sight.direction().reversed().next(sight.seat(), sight.players())),
        _ => return 0.0,
    };
    (left as f32 - theirs as f32) * WORTH_OF_CARD
}

/// The player with the fewest cards; among equals the next one, who would play first.
pub(crate) fn swap_partner(sight: &Sight<'_>) -> Seat {
    let others = (0..sight.players()).filter(|seat| *seat != sight.seat());
    let next = sight.next(sight.seat());
    others.min_by_key(|seat| (sight.hand_size(*seat), *seat != next)).unwrap_or(next)
}

/// Turns a choice into an action, with everything that must be declared with it.
#[inline]
pub fn carry_out(sight: &Sight<'_>, choice: Choice) -> Action {
    let Choice::Play(card, color) = choice else {
        return if sight.drawn().is_some() { Action::Keep } else { Action::Draw };
    };
    let mut play = Play { color, ..Play::card(card) };
    let mut left = sight.hand().len() - 1;
    if card == Card::OLAF {
        play.discard = summer(sight);
        left -= play.discard.len();
    } else if sight.rules().house().seven_zero && card.face() == Face::Number(7) && left > 0 {
        play.swap_with = Some(swap_partner(sight));
    }
    play.uno = left == 1;
    Action::Play(play)
}

/// As many cards as Olaf takes of the longer of his two colors, the highest first.
fn summer(sight: &Sight<'_>) -> Cards<3> {
    let limit = sight.rules().most_along(sight.hand());
    let of = |color: &Color| sight.hand().only(CardSet::color(*color));
    let most = Color::SUMMER.iter().map(of).max_by_key(|cards| (cards.len().min(limit), cards.len()));
    let mut cards: Vec<Card> = most.unwrap_or(Hand::EMPTY).iter().collect();
    order::sort_by_key(&mut cards, |card| std::cmp::Reverse(card.index() % 13));
    Cards::try_from_iter(cards.into_iter().take(limit)).unwrap_or(Cards::EMPTY)
}

/// Discards the cards that are hardest to play: those of the shortest color first, wilds last.
pub(crate) fn discard(hand: &Hand, count: u8) -> Action {
    let mut cards: Vec<Card> = hand.iter().collect();
    let company = |card: &Card| match card.color() {
        Some(color) => (false, hand.count_in(CardSet::color(color))),
        None => (true, 0),
    };
    order::sort_by_key(&mut cards, |card| (company(card), std::cmp::Reverse(card.index())));
    let uno = hand.len() == count as usize + 1;
    let cards = CardList::try_from_iter(cards.into_iter().take(count as usize)).unwrap_or(CardList::EMPTY);
    Action::Discard { cards, uno }
}

/// Calls "UNO" if it was forgotten, catches others who forgot, and jumps in.
pub(crate) fn react(sight: &Sight<'_>) -> Option<Action> {
    if sight.liable().contains(sight.seat()) {
        return Some(Action::CallUno);
    }
    if let Some(forgot) = sight.liable().iter().next() {
        return Some(Action::Catch(forgot));
    }
    jump_in(sight)
}

/// A card like the one on top, out of turn.
pub(crate) fn jump_in(sight: &Sight<'_>) -> Option<Action> {
    let top = sight.top();
    let allowed = sight.rules().house().jump_in && !sight.is_awaited() && matches!(sight.phase(), Phase::Turn { .. });
    (allowed && !top.is_wild() && sight.hand().contains(top)).then(|| carry_out(sight, Choice::Play(top, None)))
}
