//! What one seat sees of a round, borrowed: a [`View`] without the copying.

use crate::Seat;
use crate::action::Action;
use crate::card::{Card, Color};
use crate::chance::Chance;
use crate::event::Viewer;
use crate::hand::{CardSet, Hand};
use crate::refusal::Refusal;
use crate::round::{MAX_LISTED_DISCARDS, Phase, Round};
use crate::rules::Rules;
use crate::seat::{Direction, SEATS, SeatSet};
use crate::stakes::Stakes;
use crate::view::{View, open_hand, redacted};

/// One seat's view of a round, by reference.
///
/// It gives exactly what the seat's [`View`] holds, but copies nothing, so players who decide millions of times a
/// second are held to the same honesty: they cannot reach the round behind it.
#[derive(Clone, Copy)]
pub struct Sight<'a> {
    round: &'a Round,
    rules: &'a Rules,
    seat: Seat,
    scores: &'a [u32],
}

/// A guess at everything a seat cannot see.
#[derive(Clone, Copy, Debug)]
pub struct Guess<'a> {
    /// The hands, by seat. The viewer's own and open hands are ignored.
    pub hands: [Hand; SEATS],
    /// The draw pile, next card last.
    pub draw_pile: &'a [Card],
    /// Whether a Wild Draw Four that waits for an answer broke W2.
    pub bluff: bool,
}

impl<'a> Sight<'a> {
    /// The sight of a seat. `scores` are those of the match, by seat, or empty.
    #[inline]
    pub fn new(round: &'a Round, rules: &'a Rules, seat: Seat, scores: &'a [u32]) -> Sight<'a> {
        Sight { round, rules, seat, scores }
    }

    /// The rules played.
    #[inline]
    pub fn rules(&self) -> &'a Rules {
        self.rules
    }

    /// The seat that looks.
    #[inline]
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// Number of players.
    #[inline]
    pub fn players(&self) -> u8 {
        self.round.players()
    }

    /// Who dealt.
    pub fn dealer(&self) -> Seat {
        self.round.dealer()
    }

    /// Which way play runs.
    #[inline]
    pub fn direction(&self) -> Direction {
        self.round.direction()
    }

    /// The neighbor of a seat in the direction of play.
    #[inline]
    pub fn next(&self, seat: Seat) -> Seat {
        self.round.next(seat)
    }

    /// What the table waits for. The `bluff` of an attack is never told: it is always `false` here.
    #[inline]
    pub fn phase(&self) -> Phase {
        redacted(*self.round.phase())
    }

    /// Whether the table waits for this seat.
    #[inline]
    pub fn is_awaited(&self) -> bool {
        match *self.round.phase() {
            Phase::Vote { waiting, .. } => waiting.contains(self.seat),
            phase => phase.seat() == Some(self.seat),
        }
    }

    /// One's own hand.
    #[inline]
    pub fn hand(&self) -> &'a Hand {
        self.round.hand(self.seat)
    }

    /// How many cards a seat holds.
    #[inline]
    pub fn hand_size(&self, seat: Seat) -> usize {
        self.round.hand(seat).len()
    }

    /// The size of the smallest hand of the others.
    #[inline]
    pub fn smallest_other_hand(&self) -> usize {
        let others = (0..self.players()).filter(|seat| *seat != self.seat);
        others.map(|seat| self.hand_size(seat)).min().unwrap_or(0)
    }

    /// Another hand that lies open to this seat.
    #[inline]
    pub fn open_hand(&self, seat: Seat) -> Option<Hand> {
        open_hand(self.round, Some(self.seat), seat)
    }

    /// The seats of others whose hands lie open to this seat.
    #[inline]
    pub fn open_hands(&self) -> SeatSet {
        let round = self.round;
        if round.notes.is_empty() && !round.is_over() && round.shown_to(self.seat).is_none() {
            return SeatSet::EMPTY;
        }
        (0..self.players()).filter(|seat| self.open_hand(*seat).is_some()).collect()
    }

    /// The card to match.
    #[inline]
    pub fn top(&self) -> Card {
        self.round.top()
    }

    /// The color in force; `None` until one is called.
    #[inline]
    pub fn color(&self) -> Option<Color> {
        self.round.color()
    }

    /// The seat's own cards just drawn that may be played.
    #[inline]
    pub fn drawn(&self) -> Option<&'a Hand> {
        self.round.drawn().filter(|_| self.round.phase().seat() == Some(self.seat))
    }

    /// How many cards the draw pile has.
    #[inline]
    pub fn draw_count(&self) -> usize {
        self.round.draw_pile().len()
    }

    /// The discard pile, top card first.
    #[inline]
    pub fn discards(&self) -> &'a [Card] {
        self.round.piles.discard_pile()
    }

    /// Who can be caught.
    #[inline]
    pub fn liable(&self) -> SeatSet {
        self.round.liable()
    }

    /// T5: how many turns in succession ended by a draw that found no card.
    #[inline]
    pub fn idle(&self) -> u8 {
        self.round.idle()
    }

    /// How many cards a seat must draw if it is stuck in its coming turn, where that is settled.
    #[inline]
    pub fn draw_more(&self, seat: Seat) -> Option<u8> {
        self.round.draw_more(seat)
    }

    /// What a seat has scored in the match so far.
    pub fn score(&self, seat: Seat) -> u32 {
        self.scores.get(seat as usize).copied().unwrap_or(0)
    }

    /// What the seat could play in its turn (T1): matching cards and wilds.
    #[inline]
    pub fn matching(&self) -> CardSet {
        self.round.matching(self.seat)
    }

    /// Whether a Wild Draw Four played now would break W2.
    #[inline]
    pub fn would_bluff(&self) -> bool {
        self.round.would_bluff(self.rules, self.seat)
    }

    /// What this seat may play in its turn, or from what it just drew, including a bluff where bluffing is allowed.
    /// Empty out of turn and in all other phases.
    #[inline]
    pub fn playable(&self) -> CardSet {
        match self.round.to_play(self.rules) {
            Some((turn, cards)) if turn == self.seat => cards,
            _ => CardSet::EMPTY,
        }
    }

    /// The cards that answer the attack on this seat (house rule `stacking`).
    #[inline]
    pub fn answers(&self) -> CardSet {
        match *self.round.phase() {
            Phase::Respond { seat, by, .. } if seat == self.seat && !self.round.hand(by).is_empty() => {
                self.round.answers_in_hand(self.rules, seat)
            }
            _ => CardSet::EMPTY,
        }
    }

    /// Whether this seat faces an attack and holds a card that blocks it (F1).
    #[inline]
    pub fn can_block(&self) -> bool {
        self.round.can_block(self.rules, self.seat)
    }

    /// Whether this seat faces a Wild Draw Four it may challenge (W4).
    #[inline]
    pub fn can_challenge(&self) -> bool {
        match *self.round.phase() {
            Phase::Respond { seat, by, .. } if seat == self.seat => {
                self.rules.challenges() && self.top() == Card::WILD_DRAW_FOUR && !self.round.hand(by).is_empty()
            }
            _ => false,
        }
    }

    /// Hands every action this seat could take now to `visit`, as [`Round::legal`] does.
    pub fn legal(&self, visit: &mut impl FnMut(&Action)) {
        self.round.legal(self.rules, self.seat, visit);
    }

    /// What an action of this seat would mean.
    pub fn stakes(&self, action: &Action) -> Stakes {
        Stakes::of(self, action)
    }

    /// How many cards this seat would draw instead of playing; `None` where it draws until one fits.
    pub(crate) fn turn_draw(&self) -> Option<u16> {
        let stuck = self.round.rightly_playable(self.rules, self.seat).is_empty();
        match self.draw_more(self.seat).filter(|_| stuck) {
            Some(count) => Some(u16::from(count)),
            None => (!self.rules.house().draw_to_match).then_some(1),
        }
    }

    /// How many cards this seat has to discard, if there are too many choices for [`Sight::legal`] to list.
    pub fn any_discard(&self) -> Option<u8> {
        let (choices, count) = self.round.discard_choices(self.seat)?;
        (choices > MAX_LISTED_DISCARDS).then_some(count)
    }

    /// Whether this seat could do that now, without doing it.
    ///
    /// # Errors
    /// The refusal that [`Round::apply`] would give.
    pub fn check(&self, action: &Action) -> Result<(), Refusal> {
        let mut tried = *self.round;
        tried.apply(self.rules, self.seat, action, &mut NoChance, &mut ())
    }

    /// The cards this seat has not seen: the deck without its hand, the discard pile and open hands.
    pub fn unseen(&self) -> Hand {
        let mut unseen = *self.rules.deck().as_hand();
        let open = (0..self.players()).filter_map(|seat| self.open_hand(seat));
        for hand in open.chain([*self.hand()]) {
            unseen.remove_all(&hand);
        }
        for card in self.discards() {
            unseen.remove(*card);
        }
        unseen
    }

    /// A determinization: a round that looks the same to this seat, with a guess for everything it cannot see.
    ///
    /// `None` if the guess has the wrong number of cards in a hand or the draw pile.
    pub fn imagine(&self, guess: &Guess<'_>) -> Option<Round> {
        let mut round = *self.round;
        for seat in (0..self.players()).filter(|seat| *seat != self.seat) {
            let size = round.hand(seat).len();
            // A challenged hand was seen as it was when the Wild Draw Four was played.
            let hand = self.open_hand(seat).filter(|open| open.len() == size).unwrap_or(guess.hands[seat as usize]);
            if hand.len() != size {
                return None;
            }
            round.hands[seat as usize] = hand;
        }
        let pile = round.piles.draw_pile_mut();
        if pile.len() != guess.draw_pile.len() {
            return None;
        }
        pile.copy_from_slice(guess.draw_pile);
        if let Phase::Respond { bluff, .. } = &mut round.phase {
            *bluff = guess.bluff;
        }
        if self.drawn().is_none() {
            round.drawn = Hand::EMPTY;
        }
        round.forget_exhibit_but_for(self.seat);
        Some(round)
    }

    /// Everything this seat may know, as a value of its own.
    pub fn view(&self) -> View {
        let mut view = View::of_round(self.round, Viewer::Seat(self.seat));
        for (place, score) in view.scores.iter_mut().zip(self.scores) {
            *place = *score;
        }
        view
    }
}

/// A stand-in for chance, for checks that ask only whether an action is accepted.
struct NoChance;

impl Chance for NoChance {
    fn below(&mut self, _bound: u32) -> u32 {
        0
    }

    fn shuffle(&mut self, _cards: &mut [Card]) {}
}

#[cfg(test)]
mod imagination {
    use super::*;
    use crate::chance::{Chance, Seeded};
    use crate::edition::Edition;
    use crate::playout::Casual;

    /// A determinization: everything a seat cannot see, dealt again.
    fn guess(round: &Round, rules: &Rules, seat: Seat, chance: &mut Seeded) -> (Vec<Card>, [Hand; SEATS]) {
        let sight = Sight::new(round, rules, seat, &[]);
        let mut cards: Vec<Card> = sight.unseen().iter().collect();
        chance.shuffle(&mut cards);
        let mut hands = [Hand::EMPTY; SEATS];
        for other in (0..round.players()).filter(|other| *other != seat) {
            let known = sight.open_hand(other).unwrap_or(Hand::EMPTY);
            let fresh = cards.split_off(cards.len() - (round.hand(other).len() - known.len()));
            hands[other as usize] = Hand::try_from_iter(fresh.into_iter().chain(known.iter())).unwrap();
        }
        (cards, hands)
    }

    #[test]
    fn a_world_that_fits_looks_the_same_and_goes_on() {
        for edition in Edition::ALL {
            let rules = Rules::of(edition);
            let mut chance = Seeded::new(5);
            for game in 0..60 {
                let mut round = Round::deal(&rules, 2 + game % 5, 0, &mut chance, &mut ()).unwrap();
                for _ in 0..game {
                    let _ = Casual.step(&mut round, &rules, &mut chance, &mut ());
                }
                let seat = round.phase().seat().unwrap_or(0);
                let (draw_pile, hands) = guess(&round, &rules, seat, &mut chance);
                let sight = Sight::new(&round, &rules, seat, &[]);
                assert_eq!(draw_pile.len(), sight.draw_count());
                let mut world = sight.imagine(&Guess { hands, draw_pile: &draw_pile, bluff: false }).unwrap();
                assert!(Sight::new(&world, &rules, seat, &[]).view() == sight.view());
                let mut cards: Vec<Card> =
                    world.draw_pile().iter().chain(world.piles.discard_pile()).copied().collect();
                cards.extend(world.hands().iter().flat_map(Hand::iter));
                cards.sort_unstable();
                assert_eq!(cards, rules.deck().cards());
                Casual.finish(&mut world, &rules, &mut chance);
                assert!(world.is_over());
            }
        }
    }

    #[test]
    fn a_world_that_does_not_fit_is_refused() {
        let rules = Rules::of(Edition::Original);
        let mut chance = Seeded::new(5);
        let round = Round::deal(&rules, 3, 0, &mut chance, &mut ()).unwrap();
        let (draw_pile, hands) = guess(&round, &rules, 1, &mut chance);
        let sight = Sight::new(&round, &rules, 1, &[]);
        let fits = |hands, draw_pile: &[Card]| sight.imagine(&Guess { hands, draw_pile, bluff: false }).is_some();
        assert!(fits(hands, &draw_pile));
        assert!(!fits(hands, &draw_pile[1..]));
        assert!(!fits([Hand::EMPTY; SEATS], &draw_pile));
    }
}
