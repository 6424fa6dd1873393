//! Random play, for measuring and testing the engine.
//!
//! [`Casual`] is the baseline of the benchmarks: it plays a random playable card, or draws and plays the drawn card if
//! possible; challenges and "UNO" are coin tosses.

use crate::Seat;
use crate::action::{Action, Play};
use crate::card::{Card, CardList, Cards, Color, Face};
use crate::chance::Chance;
use crate::event::Sink;
use crate::hand::{CardSet, Hand};
use crate::refusal::Refusal;
use crate::round::{Phase, Round};
use crate::rules::Rules;

/// What the player to act does, for the frequent cases.
enum Decision {
    Play(Seat, Play),
    Draw(Seat),
    Other,
}

/// What the victim of an attack does.
enum Answer {
    Play(Play),
    Block { color: Color, uno: bool },
    Challenge,
    Take,
}

/// A player who decides by chance.
#[derive(Clone, Copy, Debug, Default)]
pub struct Casual;

impl Casual {
    /// Lets the player whose turn it is act once.
    ///
    /// # Errors
    /// When the round is over.
    #[inline]
    pub fn step<C: Chance, S: Sink>(
        self,
        round: &mut Round,
        rules: &Rules,
        chance: &mut C,
        events: &mut S,
    ) -> Result<(), Refusal> {
        match self.decide(round, rules, chance) {
            Decision::Play(seat, play) => round.play(rules, seat, &play, chance, events),
            Decision::Draw(seat) => round.draw(rules, seat, chance, events),
            Decision::Other => self.react(round, rules, chance, |round, chance, seat, action| {
                round.apply(rules, seat, action, chance, events)
            }),
        }
    }

    /// Plays a round to its end; how many actions that took.
    #[inline]
    pub fn finish<C: Chance>(self, round: &mut Round, rules: &Rules, chance: &mut C) -> u32 {
        let mut actions = 0;
        while !round.is_over() && self.step(round, rules, chance, &mut ()).is_ok() {
            actions += 1;
        }
        actions
    }

    /// Who acts next, and how. In a round that is over the answer means nothing.
    pub fn choose<C: Chance>(self, round: &Round, rules: &Rules, chance: &mut C) -> (Seat, Action) {
        match self.decide(round, rules, chance) {
            Decision::Play(seat, play) => (seat, Action::Play(play)),
            Decision::Draw(seat) => (seat, Action::Draw),
            Decision::Other => self.react(&mut { *round }, rules, chance, |_, _, seat, action| (seat, *action)),
        }
    }

    #[inline(always)]
    fn decide<C: Chance>(self, round: &Round, rules: &Rules, chance: &mut C) -> Decision {
        if !round.liable().is_empty() && coin(chance) {
            return Decision::Other;
        }
        let Some((seat, among)) = round.to_play(rules) else { return Decision::Other };
        match among.pick(chance) {
            Some(card) => Decision::Play(seat, self.play(round, rules, seat, card, chance)),
            None if matches!(round.phase(), Phase::Turn { .. }) => Decision::Draw(seat),
            None => Decision::Other,
        }
    }

    /// Decisions other than a plain play or draw. They are passed straight to `act`: an action has room for a whole
    /// hand of discards, so copying it is expensive.
    #[inline(never)]
    fn react<C: Chance, R>(
        self,
        round: &mut Round,
        rules: &Rules,
        chance: &mut C,
        act: impl FnOnce(&mut Round, &mut C, Seat, &Action) -> R,
    ) -> R {
        if let Some(liable) = round.liable().iter().next() {
            let seat = chance.below(u32::from(round.players())) as Seat;
            let action = if seat == liable { &Action::CallUno } else { &Action::Catch(liable) };
            return act(round, chance, seat, action);
        }
        let (seat, action) = match *round.phase() {
            Phase::Respond { seat, by, .. } => match self.answer(round, rules, seat, by, chance) {
                Answer::Play(play) => return act(round, chance, seat, &Action::Play(play)),
                Answer::Block { color, uno } => return act(round, chance, seat, &Action::Block { color, uno }),
                Answer::Challenge => return act(round, chance, seat, &Action::Challenge),
                Answer::Take => return act(round, chance, seat, &Action::Take),
            },
            Phase::CallColor { seat, .. } => (seat, Action::CallColor(color(chance))),
            Phase::Discard { seat, count } => (seat, self.discard(round, seat, count, chance)),
            Phase::Vote { waiting, .. } => (waiting.iter().next().unwrap_or(0), Action::Vote(coin(chance))),
            Phase::Dare { seat, .. } => (seat, Action::Dare { accept: coin(chance) }),
            Phase::Drawn { seat } => (seat, Action::Keep),
            Phase::Turn { seat } => (seat, Action::Draw),
            Phase::Over { .. } => (0, Action::Draw),
        };
        act(round, chance, seat, &action)
    }

    #[inline(always)]
    fn play<C: Chance>(self, round: &Round, rules: &Rules, seat: Seat, card: Card, chance: &mut C) -> Play {
        let mut play = Play::card(card);
        let mut left = round.hand(seat).len() - 1;
        if card.is_wild() {
            if card != Card::SHUFFLE_HANDS {
                play.color = Some(color(chance));
            }
            if card == Card::OLAF {
                play.discard = self.summer(rules, round.hand(seat), chance);
                left -= play.discard.len();
            }
        } else if rules.house().seven_zero && card.face() == Face::Number(7) && left > 0 {
            let steps = 1 + chance.below(u32::from(round.players()) - 1) as u8;
            play.swap_with = Some((seat + steps) % round.players());
        }
        play.uno = left == 1 && coin(chance);
        play
    }

    /// As many as Olaf takes of a random summer color.
    fn summer<C: Chance>(self, rules: &Rules, hand: &Hand, chance: &mut C) -> Cards<3> {
        let color = Color::SUMMER[chance.below(2) as usize];
        let cards = hand.only(CardSet::color(color));
        Cards::try_from_iter(cards.iter().take(rules.most_along(hand))).unwrap_or(Cards::EMPTY)
    }

    fn answer<C: Chance>(self, round: &Round, rules: &Rules, seat: Seat, by: Seat, chance: &mut C) -> Answer {
        let goes_on = !round.hand(by).is_empty();
        if round.can_block(rules, seat) {
            let uno = round.hand(seat).len() == 2 && coin(chance);
            return Answer::Block { color: color(chance), uno };
        }
        if goes_on && let Some(card) = round.answers_in_hand(rules, seat).pick(chance) {
            return Answer::Play(self.play(round, rules, seat, card, chance));
        }
        if goes_on && rules.challenges() && round.top() == Card::WILD_DRAW_FOUR && coin(chance) {
            return Answer::Challenge;
        }
        Answer::Take
    }

    fn discard<C: Chance>(self, round: &Round, seat: Seat, count: u8, chance: &mut C) -> Action {
        let hand = round.hand(seat);
        let mut cards = CardList::try_from_iter(hand.iter()).unwrap_or(CardList::EMPTY);
        chance.shuffle(cards.as_mut_slice());
        let chosen = cards.iter().copied().take(count as usize);
        let uno = hand.len() == count as usize + 1 && coin(chance);
        Action::Discard { cards: CardList::try_from_iter(chosen).unwrap_or(CardList::EMPTY), uno }
    }
}

#[inline]
fn coin<C: Chance>(chance: &mut C) -> bool {
    chance.below(2) == 1
}

#[inline]
fn color<C: Chance>(chance: &mut C) -> Color {
    Color::ALL[chance.below(4) as usize]
}
