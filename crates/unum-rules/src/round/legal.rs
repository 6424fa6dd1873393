//! What can be done: the cards a seat may play, and the list of all its actions.

use super::{Phase, Round};
use crate::Seat;
use crate::action::{Action, Play};
use crate::card::{Card, CardList, Cards, Color, Face, MAX_DECK};
use crate::hand::{CardSet, Hand};
use crate::rules::{Rules, Stacking};

/// A discard with more choices than this is not listed one by one.
pub const MAX_LISTED_DISCARDS: u64 = 1000;

impl Round {
    /// Every action the seat could take now, sorted, as [`legal`](Round::legal) lists them.
    pub fn legal_actions(&self, rules: &Rules, seat: Seat) -> Vec<Action> {
        let mut actions = Vec::new();
        self.legal(rules, seat, &mut |action| actions.push(*action));
        actions
    }

    /// Hands every action the seat could take now to `visit`.
    ///
    /// The optional "UNO" with an action is left out, actions that differ only in the order of cards
    /// come once, and a discard with more than [`MAX_LISTED_DISCARDS`] choices is not listed at all:
    /// see [`discard_choices`](Round::discard_choices).
    pub fn legal(&self, rules: &Rules, seat: Seat, visit: &mut impl FnMut(&Action)) {
        self.list(rules, seat, MAX_LISTED_DISCARDS, visit);
    }

    /// Like [`legal`](Round::legal), with every choice of discard however many there are.
    pub fn legal_in_full(&self, rules: &Rules, seat: Seat, visit: &mut impl FnMut(&Action)) {
        self.list(rules, seat, u64::MAX, visit);
    }

    /// The number of different discards the seat can choose from, and how many cards each has;
    /// `None` when it has nothing to discard.
    pub fn discard_choices(&self, seat: Seat) -> Option<(u64, u8)> {
        match self.phase {
            Phase::Discard { seat: discarding, count } if discarding == seat => {
                Some((count_choices(self.hand(seat), count as usize), count))
            }
            _ => None,
        }
    }

    /// Whose turn it is to play a card, and which kinds of card they could: all that match, or what they
    /// just drew. A Wild Draw Four that would be a bluff is among them unless bluffing is ruled out.
    #[inline]
    pub fn to_play(&self, rules: &Rules) -> Option<(Seat, CardSet)> {
        let seat = self.turn;
        let open = self.hands.get(seat as usize)?.kinds().and(self.open());
        let ruled_out = rules.house().no_bluffing && self.would_bluff(rules, seat);
        Some((seat, if ruled_out { open.without(Card::WILD_DRAW_FOUR) } else { open }))
    }

    /// What a seat could lay on the pile in its turn (T1): matching cards and wilds it holds.
    #[inline]
    pub fn matching(&self, seat: Seat) -> CardSet {
        self.hand(seat).kinds().and(self.match_set)
    }

    /// The cards just drawn that W2 allows.
    pub(crate) fn drawn_rightly_playable(&self, rules: &Rules, seat: Seat) -> CardSet {
        self.drawn.kinds().and(self.rightly_playable(rules, seat))
    }

    /// W2: whether a Wild Draw Four from this seat would break the rule.
    #[inline]
    pub fn would_bluff(&self, rules: &Rules, seat: Seat) -> bool {
        let Some(color) = self.color else { return false };
        let rest = self.hand(seat).kinds_without(Card::WILD_DRAW_FOUR);
        !rest.and(rules.shows_bluff(color)).is_empty()
    }

    /// The matching cards of a seat without a Wild Draw Four that W2 does not allow.
    #[inline]
    pub fn rightly_playable(&self, rules: &Rules, seat: Seat) -> CardSet {
        let matching = self.matching(seat);
        if matching.contains(Card::WILD_DRAW_FOUR) && self.would_bluff(rules, seat) {
            matching.without(Card::WILD_DRAW_FOUR)
        } else {
            matching
        }
    }

    /// The matching cards of a seat that the rules let it play, a bluff included where bluffing is allowed.
    #[inline]
    pub fn playable(&self, rules: &Rules, seat: Seat) -> CardSet {
        if rules.house().no_bluffing { self.rightly_playable(rules, seat) } else { self.matching(seat) }
    }

    /// F1: whether a seat faces an attack that it can block.
    #[inline]
    pub(crate) fn can_block(&self, rules: &Rules, seat: Seat) -> bool {
        let attacked = matches!(self.phase, Phase::Respond { seat: victim, .. } if victim == seat);
        attacked && rules.blockable && self.hand(seat).contains(Card::FLITTERIFIC)
    }

    fn list(&self, rules: &Rules, seat: Seat, most_discards: u64, visit: &mut impl FnMut(&Action)) {
        if seat >= self.players || self.is_over() {
            return;
        }
        match self.phase {
            Phase::Turn { seat: turn } if turn == seat => self.list_turn(rules, seat, visit),
            Phase::Turn { .. } => self.list_jump_in(rules, seat, visit),
            Phase::Drawn { seat: turn } if turn == seat => self.list_drawn(rules, seat, visit),
            Phase::CallColor { seat: turn, .. } if turn == seat => {
                Color::ALL.iter().for_each(|color| visit(&Action::CallColor(*color)));
            }
            Phase::Respond { seat: turn, by, .. } if turn == seat => self.list_answers(rules, seat, by, visit),
            Phase::Discard { seat: turn, count }
                if turn == seat && count_choices(self.hand(seat), count as usize) <= most_discards =>
            {
                list_discards(self.hand(seat), count as usize, visit);
            }
            Phase::Vote { waiting, .. } if waiting.contains(seat) => {
                visit(&Action::Vote(false));
                visit(&Action::Vote(true));
            }
            Phase::Dare { seat: turn, .. } if turn == seat => {
                visit(&Action::Dare { accept: false });
                visit(&Action::Dare { accept: true });
            }
            _ => {}
        }
        self.list_uno_race(seat, visit);
    }

    fn list_turn(&self, rules: &Rules, seat: Seat, visit: &mut impl FnMut(&Action)) {
        for card in self.playable(rules, seat).iter() {
            self.list_plays(rules, seat, card, visit);
        }
        if !rules.house().force_play || self.rightly_playable(rules, seat).is_empty() {
            visit(&Action::Draw);
        }
    }

    fn list_jump_in(&self, rules: &Rules, seat: Seat, visit: &mut impl FnMut(&Action)) {
        let top = self.top();
        if rules.house().jump_in && !top.is_wild() && self.hand(seat).contains(top) {
            self.list_plays(rules, seat, top, visit);
        }
    }

    fn list_drawn(&self, rules: &Rules, seat: Seat, visit: &mut impl FnMut(&Action)) {
        for card in self.drawn.kinds().and(self.playable(rules, seat)).iter() {
            self.list_plays(rules, seat, card, visit);
        }
        if !rules.house().force_play || self.drawn_rightly_playable(rules, seat).is_empty() {
            visit(&Action::Keep);
        }
    }

    fn list_answers(&self, rules: &Rules, seat: Seat, by: Seat, visit: &mut impl FnMut(&Action)) {
        let round_goes_on = !self.hand(by).is_empty();
        if round_goes_on {
            for card in self.answers_in_hand(rules, seat).iter() {
                self.list_plays(rules, seat, card, visit);
            }
        }
        visit(&Action::Take);
        if round_goes_on && self.top() == Card::WILD_DRAW_FOUR && rules.challenges() {
            visit(&Action::Challenge);
        }
        if self.can_block(rules, seat) {
            for color in Color::ALL {
                visit(&Action::Block { color, uno: false });
            }
        }
    }

    /// House rule `stacking`: the cards of a seat that answer the attack on top.
    pub(crate) fn answers_in_hand(&self, rules: &Rules, seat: Seat) -> CardSet {
        let answers = self.answers(rules).and(self.hand(seat).kinds());
        if self.playable(rules, seat).contains(Card::WILD_DRAW_FOUR) {
            answers
        } else {
            answers.without(Card::WILD_DRAW_FOUR)
        }
    }

    /// House rule `stacking`: the cards that answer the attack on top.
    pub(super) fn answers(&self, rules: &Rules) -> CardSet {
        let wild = CardSet::of(Card::WILD_DRAW_FOUR);
        let draw_twos = CardSet::DRAW_TWOS;
        match (rules.house().stacking, self.top().face(), self.color) {
            (Stacking::Same, Face::WildDrawFour, _) => wild,
            (Stacking::Same, Face::DrawTwo, _) => draw_twos,
            (Stacking::Any, Face::DrawTwo, _) => draw_twos.or(wild),
            (Stacking::Any, Face::WildDrawFour, Some(color)) => draw_twos.and(CardSet::color(color)).or(wild),
            _ => CardSet::EMPTY,
        }
    }

    /// All ways to play one card.
    fn list_plays(&self, rules: &Rules, seat: Seat, card: Card, visit: &mut impl FnMut(&Action)) {
        let plain = Play::card(card);
        let last = self.hand(seat).len() == 1;
        if card == Card::SHUFFLE_HANDS {
            visit(&Action::Play(plain));
        } else if card.is_wild() {
            for color in Color::ALL {
                let play = Play::wild(card, color);
                visit(&Action::Play(play));
                if card == Card::OLAF {
                    self.list_olaf(rules, seat, play, visit);
                }
            }
        } else if rules.house().seven_zero && card.face() == Face::Number(7) && !last {
            for with in (0..self.players).filter(|with| *with != seat) {
                visit(&Action::Play(Play { swap_with: Some(with), ..plain }));
            }
        } else {
            visit(&Action::Play(plain));
        }
    }

    /// O1: cards of one of the two colors.
    fn list_olaf(&self, rules: &Rules, seat: Seat, play: Play, visit: &mut impl FnMut(&Action)) {
        for color in Color::SUMMER {
            let of_color = self.hand(seat).only(CardSet::color(color));
            for count in 1..=rules.most_along(self.hand(seat)) {
                each_choice(&of_color, count, &mut |cards| {
                    let discard = Cards::try_from_iter(cards.iter().copied()).unwrap_or(Cards::EMPTY);
                    visit(&Action::Play(Play { discard, ..play }));
                });
            }
        }
    }

    fn list_uno_race(&self, seat: Seat, visit: &mut impl FnMut(&Action)) {
        if self.liable.is_empty() {
            return;
        }
        if self.liable.contains(seat) {
            visit(&Action::CallUno);
        }
        for target in self.liable.iter().filter(|target| *target != seat) {
            visit(&Action::Catch(target));
        }
    }
}

fn list_discards(hand: &Hand, count: usize, visit: &mut impl FnMut(&Action)) {
    each_choice(hand, count, &mut |cards| {
        visit(&Action::Discard { cards: *cards, uno: false });
    });
}

/// How many different multisets of `count` cards a hand holds, saturating.
fn count_choices(hand: &Hand, count: usize) -> u64 {
    let mut ways = [0u64; MAX_DECK + 1];
    ways[0] = 1;
    for card in hand.kinds().iter() {
        let copies = hand.count(card) as usize;
        for taken in (1..=count.min(MAX_DECK)).rev() {
            let more: u64 = (1..=copies.min(taken)).fold(0, |sum: u64, n| sum.saturating_add(ways[taken - n]));
            ways[taken] = ways[taken].saturating_add(more);
        }
    }
    ways.get(count).copied().unwrap_or(0)
}

/// Visits every multiset of `count` cards once, each sorted, in sorted order.
fn each_choice(hand: &Hand, count: usize, visit: &mut impl FnMut(&CardList)) {
    let mut chosen = CardList::EMPTY;
    choose(*hand, count, &mut chosen, visit);
}

fn choose(rest: Hand, count: usize, chosen: &mut CardList, visit: &mut impl FnMut(&CardList)) {
    if count == 0 {
        visit(chosen);
        return;
    }
    let mut rest = rest;
    for card in rest.kinds().iter() {
        if rest.len() < count {
            return;
        }
        let mut further = rest;
        further.remove(card);
        chosen.push(card);
        choose(further, count - 1, chosen, visit);
        chosen.pop();
        rest = rest.only(rest.kinds().without(card));
    }
}
