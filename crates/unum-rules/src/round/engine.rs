//! Carrying out actions.

use super::{Pending, Phase, Round};
use crate::Seat;
use crate::action::{Action, Play};
use crate::card::{Card, CardList, Color, Face};
use crate::chance::Chance;
use crate::event::{DrawReason, Event, Sink, Veiled, veiled};
use crate::hand::{CardSet, Hand};
use crate::refusal::{Deed, Obstacle, Reason};
use crate::rules::{Rules, Stacking};
use crate::seat::{SEATS, SeatSet};
use crate::stakes::FAILED_CHALLENGE;

/// A round with everything needed to advance it.
pub(super) struct Engine<'a, C, S> {
    pub(super) round: &'a mut Round,
    pub(super) rules: &'a Rules,
    pub(super) chance: &'a mut C,
    pub(super) events: &'a mut S,
}

type Done = Result<(), Reason>;

impl<C: Chance, S: Sink> Engine<'_, C, S> {
    /// Any action. The frequent ones, playing and drawing, have fast paths: `Round::play`, `Round::draw`.
    pub(super) fn apply_any(&mut self, seat: Seat, action: &Action) -> Done {
        match action {
            Action::Play(play) => self.play(seat, play),
            Action::Draw => self.draw_instead(seat),
            Action::Keep => self.keep(seat),
            Action::CallColor(color) => self.call_color(seat, *color),
            Action::Take => self.take(seat),
            Action::Challenge => self.challenge(seat),
            Action::Block { color, uno } => self.block(seat, *color, *uno),
            Action::CallUno => self.call_uno(seat),
            Action::Catch(target) => self.catch(seat, *target),
            Action::Discard { cards, uno } => self.discard_by_choice(seat, cards, *uno),
            Action::Vote(yes) => self.vote(seat, *yes),
            Action::Dare { accept } => self.answer_dare(seat, *accept),
        }
    }

    // Playing a card.

    #[inline(always)]
    pub(super) fn play(&mut self, seat: Seat, play: &Play) -> Done {
        self.check_turn_to_play(seat, play.card)?;
        let left = self.check_said(seat, play)?;
        let bluff = play.card == Card::WILD_DRAW_FOUR && self.round.would_bluff(self.rules, seat);
        if bluff && self.rules.house().no_bluffing {
            return Err(self.why_no_bluff(seat));
        }
        let stacked = match self.round.phase {
            Phase::Respond { cards, .. } => cards,
            _ => 0,
        };
        self.lay(seat, play);
        if left == 0 {
            self.go_out(seat, play.card, stacked);
            return Ok(());
        }
        self.settle_uno(seat, left, play.uno);
        self.act_on(seat, play, stacked, bluff);
        Ok(())
    }

    /// Why `no_bluffing` refuses a Wild Draw Four: a card of the color or, in some editions, a wild is in the hand.
    #[cold]
    fn why_no_bluff(&self, seat: Seat) -> Reason {
        let color = self.round.color.unwrap_or(Color::Red);
        let has_color = !self.round.hand(seat).kinds().and(CardSet::color(color)).is_empty();
        if has_color { Reason::BluffNotAllowed { color } } else { Reason::WildInHand }
    }

    /// A play that has passed every check.
    #[inline(always)]
    pub(super) fn play_plainly(&mut self, seat: Seat, play: &Play) {
        self.round.shown_to = None;
        self.lay(seat, play);
        self.act_on(seat, play, 0, false);
    }

    /// Whether the seat may play this card now, as far as turn, hand and match go.
    #[inline(always)]
    fn check_turn_to_play(&self, seat: Seat, card: Card) -> Done {
        let round = &*self.round;
        if round.turn == seat && round.hands[seat as usize].kinds().and(round.open()).contains(card) {
            Ok(())
        } else {
            self.check_other_play(seat, card)
        }
    }

    /// Plays out of turn, answers, and why all others are refused.
    #[cold]
    fn check_other_play(&self, seat: Seat, card: Card) -> Done {
        let round = &*self.round;
        let held = round.hand(seat).contains(card);
        match round.phase {
            Phase::Turn { seat: turn } if turn != seat => {
                let identical = card == round.top() && !card.is_wild();
                if !(self.rules.house().jump_in && identical) {
                    return Err(Reason::NotYourTurn { turn });
                }
                if held { Ok(()) } else { Err(Reason::NotInHand { card }) }
            }
            Phase::Turn { .. } | Phase::Drawn { .. } | Phase::Respond { .. }
                if round.phase.seat() == Some(seat) && !held =>
            {
                Err(Reason::NotInHand { card })
            }
            Phase::Turn { .. } => Err(Reason::DoesNotMatch { card, top: round.top(), color: round.color }),
            Phase::Drawn { seat: turn } if turn == seat => Err(Reason::NotTheDrawnCard { card }),
            Phase::Respond { seat: turn, by, .. } if turn == seat => self.check_answer(by, card),
            _ => Err(self.not_now(seat, Deed::Play)),
        }
    }

    /// House rule `stacking`: whether the card answers the attack on top.
    fn check_answer(&self, by: Seat, card: Card) -> Done {
        let blocks = card == Card::FLITTERIFIC && self.rules.blockable;
        let why = if blocks && (self.round.hand(by).is_empty() || self.rules.house().stacking == Stacking::Off) {
            Obstacle::BlockInstead
        } else if self.round.hand(by).is_empty() {
            Obstacle::AttackOnGoingOut
        } else if self.rules.house().stacking == Stacking::Off {
            Obstacle::Attack
        } else {
            return self.check_stack(card);
        };
        Err(Reason::WrongPhase { what: Deed::Play, why })
    }

    fn check_stack(&self, card: Card) -> Done {
        let top = self.round.top();
        let answers = self.round.answers(self.rules).contains(card);
        if answers { Ok(()) } else { Err(Reason::NoAnswer { card, top }) }
    }

    /// Checks what is declared with a play; returns how many cards it leaves.
    #[inline(always)]
    fn check_said(&self, seat: Seat, play: &Play) -> Result<usize, Reason> {
        let card = play.card;
        let names_color = card.names_color();
        if play.color.is_some() != names_color {
            return Err(match card {
                Card::SHUFFLE_HANDS => Reason::ColorOnShuffleHands,
                _ if names_color => Reason::ColorRequired { card },
                _ => Reason::ColorOnColored { card },
            });
        }
        if !play.discard.is_empty() {
            self.check_olaf(seat, play)?;
        }
        let left = self.round.hands[seat as usize].len() - 1 - play.discard.len();
        if self.rules.house().seven_zero || play.swap_with.is_some() {
            self.check_swap(seat, play, left)?;
        }
        if play.uno && left != 1 {
            return Err(Reason::UnoLeaves { left: left as u8 });
        }
        Ok(left)
    }

    /// O1: what Olaf takes along.
    #[inline(never)]
    fn check_olaf(&self, seat: Seat, play: &Play) -> Done {
        if play.card != Card::OLAF {
            return Err(Reason::DiscardWithoutOlaf { card: play.card });
        }
        let one_color = Color::SUMMER.iter().any(|color| play.discard.iter().all(|card| card.color() == Some(*color)));
        if !one_color {
            return Err(Reason::BadOlafDiscard);
        }
        let mut hand = *self.round.hand(seat);
        hand.remove(play.card);
        match play.discard.iter().find(|card| !hand.remove(**card)) {
            Some(&card) => Err(Reason::NotInHand { card }),
            None => Ok(()),
        }
    }

    /// House rule `seven_zero`: a 7 that is not the last card names a partner, nothing else does.
    #[inline(never)]
    fn check_swap(&self, seat: Seat, play: &Play, left: usize) -> Done {
        let swaps = self.rules.house().seven_zero && play.card.face() == Face::Number(7) && left > 0;
        match play.swap_with {
            None if swaps => Err(Reason::SwapMissing),
            Some(_) if !swaps => Err(Reason::SwapOutOfPlace),
            Some(with) if with == seat => Err(Reason::SwapWithSelf),
            Some(with) if with >= self.round.players => Err(Reason::SwapWithNobody { players: self.round.players }),
            _ => Ok(()),
        }
    }

    /// Puts the card, and what goes with it, on the pile.
    #[inline(always)]
    fn lay(&mut self, seat: Seat, play: &Play) {
        let jumped_in = self.round.turn != seat && matches!(self.round.phase, Phase::Turn { .. });
        if jumped_in {
            self.round.notes.turn_came(seat);
        }
        self.begin_turn(seat);
        self.round.idle = 0;
        if !play.discard.is_empty() {
            self.discard_with_olaf(seat, play);
        }
        self.round.hands[seat as usize].remove(play.card);
        self.round.piles.discard(play.card);
        self.round.set_color(play.card, play.color);
        let Play { card, color, discard: discarded, .. } = *play;
        self.events.push(Event::Played { seat, card, color, discarded, jumped_in });
    }

    #[inline(never)]
    fn discard_with_olaf(&mut self, seat: Seat, play: &Play) {
        for &card in play.discard.iter() {
            self.round.hands[seat as usize].remove(card);
            self.round.piles.discard(card);
        }
    }

    /// What a card does, unless it was the last one.
    #[inline(always)]
    fn act_on(&mut self, seat: Seat, play: &Play, stacked: u16, bluff: bool) {
        match play.card.face() {
            Face::Number(_) if !self.rules.house().seven_zero => self.pass_turn(seat),
            Face::Number(7) if self.rules.house().seven_zero => {
                self.swap_hands(seat, play.swap_with.unwrap_or(seat));
                self.pass_turn(seat);
            }
            Face::Number(0) if self.rules.house().seven_zero => {
                self.pass_hands();
                self.pass_turn(seat);
            }
            Face::Skip => self.skip(self.round.next(seat)),
            Face::Reverse if self.reverse_skips() => self.skip(self.round.next(seat)),
            Face::Reverse => {
                self.reverse();
                self.pass_turn(seat);
            }
            Face::DrawTwo => self.attack(seat, stacked + 2, false, self.rules.draw_two_waits),
            Face::WildDrawFour => {
                self.round.keep_exhibit(seat);
                self.attack(seat, stacked + 4, bluff, self.rules.wild_draw_four_waits);
            }
            Face::ShuffleHands => {
                self.shuffle_hands(seat);
                self.round.set_phase(Phase::CallColor { seat, next: self.round.next(seat) });
            }
            Face::Customizable(card) => {
                self.round.pending = Pending { card, player: seat, ..Pending::default() };
                self.run_effects();
            }
            Face::Number(_) | Face::Wild | Face::Olaf | Face::Flitterific => self.pass_turn(seat),
        }
    }

    #[inline(always)]
    fn attack(&mut self, by: Seat, cards: u16, bluff: bool, waits: bool) {
        let victim = self.round.next(by);
        if waits {
            self.round.set_phase(Phase::Respond { seat: victim, by, cards, bluff });
        } else {
            self.draw(victim, cards, DrawReason::Attack);
            self.skip(victim);
        }
    }

    /// House rule `seven_zero`, the 7. Nobody owes an "UNO" for a hand received this way.
    #[inline(never)]
    fn swap_hands(&mut self, seat: Seat, with: Seat) {
        self.round.hands.swap(seat as usize, with as usize);
        self.round.liable = SeatSet::EMPTY;
        self.events.push(Event::HandsSwapped { seat, with });
        self.tell_received([seat, with]);
    }

    /// House rule `seven_zero`, the 0.
    #[inline(never)]
    fn pass_hands(&mut self) {
        let before = self.round.hands;
        for seat in 0..self.round.players {
            let to = self.round.next(seat);
            self.round.hands[to as usize] = before[seat as usize];
        }
        self.round.liable = SeatSet::EMPTY;
        self.events.push(Event::HandsPassed { direction: self.round.direction });
        self.tell_received(0..self.round.players);
    }

    /// H1: collects all hands and deals them out again, from the left of the player on.
    #[inline(never)]
    fn shuffle_hands(&mut self, seat: Seat) {
        let round = &mut *self.round;
        let players = round.players as usize;
        let mut cards = CardList::EMPTY;
        for hand in &mut round.hands[..players] {
            hand.iter().for_each(|card| {
                cards.push(card);
            });
            *hand = Hand::EMPTY;
        }
        self.chance.shuffle(cards.as_mut_slice());
        let first = seat as usize + 1;
        for (place, card) in cards.iter().rev().enumerate() {
            round.hands[(first + place) % players].add(*card);
        }
        round.liable = SeatSet::EMPTY;
        self.events.push(Event::HandsShuffled { seat });
        self.tell_received(0..self.round.players);
    }

    fn tell_received(&mut self, seats: impl IntoIterator<Item = Seat>) {
        if S::LISTENS {
            for seat in seats {
                let cards = veiled(self.round.hand(seat));
                self.events.push(Event::Received { seat, cards });
            }
        }
    }

    // Drawing.

    /// T2: drawing instead of playing.
    #[inline(always)]
    pub(super) fn draw_instead(&mut self, seat: Seat) -> Done {
        if self.round.turn != seat || !matches!(self.round.phase, Phase::Turn { .. }) {
            return Err(self.not_now(seat, Deed::Draw));
        }
        if self.rules.plain_draw && self.round.draw_more[seat as usize] == 0 {
            self.begin_turn(seat);
            self.draw_one(seat);
            return Ok(());
        }
        self.draw_by_house_rules(seat)
    }

    /// The plain draw.
    #[inline(always)]
    fn draw_one(&mut self, seat: Seat) {
        let Some(card) = self.next_card() else {
            self.tell_drawn(seat, &[]);
            return self.end_idle_turn(seat);
        };
        self.round.idle = 0;
        self.round.hands[seat as usize].add(card);
        self.tell_drawn(seat, &[card]);
        if self.round.playable(self.rules, seat).contains(card) {
            self.round.drawn = Hand::of(card);
            self.round.set_phase(Phase::Drawn { seat });
        } else {
            self.pass_turn(seat);
        }
    }

    #[inline(never)]
    fn draw_by_house_rules(&mut self, seat: Seat) -> Done {
        let stuck = self.round.rightly_playable(self.rules, seat).is_empty();
        if self.rules.house().force_play && !stuck {
            return Err(Reason::MustPlay);
        }
        let more = u16::from(self.round.draw_more[seat as usize]);
        self.begin_turn(seat);
        let (drawn, playable) = if more > 0 && stuck {
            self.draw_several(seat, more)
        } else if self.rules.house().draw_to_match {
            self.draw_to_match(seat)
        } else {
            self.draw_one(seat);
            return Ok(());
        };
        if drawn == 0 {
            self.end_idle_turn(seat);
            return Ok(());
        }
        self.round.idle = 0;
        if playable.is_empty() {
            self.pass_turn(seat);
        } else {
            self.round.drawn = playable;
            self.round.set_phase(Phase::Drawn { seat });
        }
        Ok(())
    }

    /// House rule `draw_to_match`.
    fn draw_to_match(&mut self, seat: Seat) -> (usize, Hand) {
        let mut playable = Hand::EMPTY;
        let mut cards = CardList::EMPTY;
        while playable.is_empty() {
            let Some(card) = self.next_card() else { break };
            self.round.hands[seat as usize].add(card);
            cards.push(card);
            if self.round.playable(self.rules, seat).contains(card) {
                playable.add(card);
            }
        }
        self.tell_drawn(seat, &cards);
        (cards.len(), playable)
    }

    /// A stuck player under `draw_more`.
    fn draw_several(&mut self, seat: Seat, count: u16) -> (usize, Hand) {
        let mut cards = CardList::EMPTY;
        for _ in 0..count {
            let Some(card) = self.next_card() else { break };
            self.round.hands[seat as usize].add(card);
            cards.push(card);
        }
        self.tell_drawn(seat, &cards);
        let set = self.round.rightly_playable(self.rules, seat);
        let mut playable = Hand::EMPTY;
        for card in cards.iter().filter(|card| set.contains(**card)) {
            playable.add(*card);
        }
        (cards.len(), playable)
    }

    #[inline]
    fn tell_drawn(&mut self, seat: Seat, cards: &[Card]) {
        if S::LISTENS {
            let cards = CardList::try_from_iter(cards.iter().copied()).unwrap_or(CardList::EMPTY);
            self.events.push(Event::Drew { seat, cards: Veiled::Open(cards), reason: DrawReason::Turn });
        }
    }

    /// T5: a draw that found no card ends the turn, and a full circle of them the round.
    #[cold]
    fn end_idle_turn(&mut self, seat: Seat) {
        self.round.idle += 1;
        if self.round.idle >= self.round.players {
            self.events.push(Event::RoundBlocked);
            self.end_round(None);
        } else {
            self.pass_turn(seat);
        }
    }

    fn keep(&mut self, seat: Seat) -> Done {
        match self.round.phase {
            Phase::Drawn { seat: turn } if turn == seat => {
                if self.rules.house().force_play && !self.round.drawn_rightly_playable(self.rules, seat).is_empty() {
                    return Err(Reason::MustPlayDrawn);
                }
                self.events.push(Event::Kept { seat });
                self.pass_turn(seat);
                Ok(())
            }
            _ => Err(self.not_now(seat, Deed::Keep)),
        }
    }

    /// T4: the next card of the draw pile, reshuffled when it is empty.
    #[inline]
    fn next_card(&mut self) -> Option<Card> {
        if self.round.piles.draw_count() == 0 {
            let count = self.round.piles.reshuffle(self.chance);
            if count > 0 {
                self.events.push(Event::Reshuffled { count });
            }
        }
        self.round.piles.draw()
    }

    /// A forced draw, of fewer cards if the piles run out; returns how many came. It ends the seat's liability (U4).
    #[inline(never)]
    pub(super) fn draw(&mut self, seat: Seat, count: u16, reason: DrawReason) -> u8 {
        let mut cards = CardList::EMPTY;
        let mut drawn = 0;
        while drawn < count {
            let Some(card) = self.next_card() else { break };
            self.round.hands[seat as usize].add(card);
            drawn += 1;
            if S::LISTENS {
                cards.push(card);
            }
        }
        if drawn > 0 {
            self.round.liable.remove(seat);
        }
        self.events.push(Event::Drew { seat, cards: Veiled::Open(cards), reason });
        drawn as u8
    }

    /// The `draw_until_color` effect.
    pub(super) fn draw_until(&mut self, seat: Seat, color: Color) {
        let mut cards = CardList::EMPTY;
        while let Some(card) = self.next_card() {
            self.round.hands[seat as usize].add(card);
            cards.push(card);
            if card.color() == Some(color) {
                break;
            }
        }
        if !cards.is_empty() {
            self.round.liable.remove(seat);
        }
        self.events.push(Event::Drew { seat, cards: Veiled::Open(cards), reason: DrawReason::Effect });
    }

    // Answering an attack.

    fn take(&mut self, seat: Seat) -> Done {
        let Phase::Respond { seat: victim, by, cards, .. } = self.round.phase else {
            return Err(self.not_now(seat, Deed::Take));
        };
        if victim != seat {
            return Err(Reason::NotYourTurn { turn: victim });
        }
        self.draw(seat, cards, DrawReason::Attack);
        if self.round.hand(by).is_empty() {
            self.end_round(Some(by));
        } else {
            self.skip(seat);
        }
        Ok(())
    }

    /// W4–W6.
    fn challenge(&mut self, seat: Seat) -> Done {
        let Phase::Respond { seat: victim, by, cards, bluff } = self.round.phase else {
            return Err(self.not_now(seat, Deed::Challenge));
        };
        if victim != seat {
            return Err(Reason::NotYourTurn { turn: victim });
        }
        self.check_challenge(by)?;
        self.show_hand(by, seat);
        if S::LISTENS {
            self.events.push(Event::Challenged { seat, challenged: by, guilty: bluff });
            let hand = self.round.shown_to(seat).map_or(Hand::EMPTY, |(_, hand)| hand);
            self.events.push(Event::HandShown { seat: by, to: seat, hand: veiled(&hand) });
        }
        if bluff {
            self.draw(by, cards, DrawReason::Challenge);
            self.turn_comes_to(seat);
        } else {
            self.draw(seat, cards + FAILED_CHALLENGE, DrawReason::Challenge);
            self.skip(seat);
        }
        Ok(())
    }

    /// W4: the hand as it was when the card was played; as it is now where a position began after that.
    fn show_hand(&mut self, of: Seat, to: Seat) {
        if self.round.exhibit.is_none_or(|exhibit| exhibit.of != of) {
            self.round.keep_exhibit(of);
        }
        self.round.shown_to = Some(to);
    }

    /// Whether the attack on top can be challenged at all.
    pub(super) fn check_challenge(&self, by: Seat) -> Done {
        let why = if self.round.top() != Card::WILD_DRAW_FOUR {
            Obstacle::NoWildDrawFour
        } else if self.rules.house().no_bluffing {
            Obstacle::NoBluffing
        } else if self.rules.house().no_challenges {
            Obstacle::NoChallenges
        } else if self.round.hand(by).is_empty() {
            Obstacle::LastCard
        } else {
            return Ok(());
        };
        Err(Reason::WrongPhase { what: Deed::Challenge, why })
    }

    /// F1, F3, F4.
    fn block(&mut self, seat: Seat, color: Color, uno: bool) -> Done {
        let Phase::Respond { seat: victim, by, .. } = self.round.phase else {
            return Err(self.not_now(seat, Deed::Block));
        };
        if victim != seat {
            return Err(Reason::NotYourTurn { turn: victim });
        }
        if !self.rules.blockable {
            return Err(Reason::WrongPhase { what: Deed::Block, why: Obstacle::NoBlocker });
        }
        let card = Card::FLITTERIFIC;
        if !self.round.hand(seat).contains(card) {
            return Err(Reason::NotInHand { card });
        }
        let left = self.round.hand(seat).len() - 1;
        if uno && left != 1 {
            return Err(Reason::UnoLeaves { left: left as u8 });
        }
        self.begin_turn(seat);
        self.round.idle = 0;
        self.round.hands[seat as usize].remove(card);
        self.round.piles.discard(card);
        self.round.set_color(card, Some(color));
        self.events.push(Event::Blocked { seat, color });
        self.settle_uno(seat, left, uno);
        if self.round.hand(by).is_empty() {
            self.end_round(Some(by));
        } else if left == 0 {
            self.events.push(Event::WentOut { seat });
            self.end_round(Some(seat));
        } else {
            self.pass_turn(seat);
        }
        Ok(())
    }

    // Calling colors and "UNO".

    fn call_color(&mut self, seat: Seat, color: Color) -> Done {
        match self.round.phase {
            Phase::CallColor { seat: caller, next } if caller == seat => {
                self.round.set_color(self.round.top(), Some(color));
                self.events.push(Event::ColorCalled { seat, color });
                self.turn_comes_to(next);
                Ok(())
            }
            _ => Err(self.not_now(seat, Deed::CallColor)),
        }
    }

    /// U1: what a play, a block or a discard means for "UNO", by the number of cards it leaves.
    #[inline]
    pub(super) fn settle_uno(&mut self, seat: Seat, left: usize, uno: bool) {
        if uno {
            self.uno_called(seat);
        } else if left == 1 && self.rules.uno_penalty > 0 {
            self.round.liable.insert(seat);
        }
    }

    fn uno_called(&mut self, seat: Seat) {
        self.round.notes.uno_called();
        self.events.push(Event::UnoCalled { seat });
    }

    fn call_uno(&mut self, seat: Seat) -> Done {
        if !self.round.liable.contains(seat) {
            return Err(Reason::NothingToCall);
        }
        self.round.liable.remove(seat);
        self.uno_called(seat);
        Ok(())
    }

    /// U2.
    fn catch(&mut self, seat: Seat, target: Seat) -> Done {
        self.round.find_seat(target)?;
        if !self.round.liable.contains(target) {
            return Err(Reason::NotLiable { seat: target });
        }
        if target == seat {
            return Err(Reason::CatchingOneself);
        }
        self.round.liable.remove(target);
        self.events.push(Event::Caught { seat: target, by: seat });
        self.draw(target, u16::from(self.rules.uno_penalty), DrawReason::Caught);
        Ok(())
    }

    /// X1.
    pub(super) fn penalize(&mut self, seat: Seat) -> Done {
        let penalty = self.rules.suggestion_penalty;
        if penalty == 0 {
            return Err(Reason::NoSuggestionPenalty);
        }
        if self.round.hand(seat).is_empty() {
            return Err(Reason::GoneOut { seat });
        }
        self.events.push(Event::Penalized { seat });
        let drawn = self.draw(seat, u16::from(penalty), DrawReason::Suggestion);
        if let Phase::Discard { seat: discarding, count } = &mut self.round.phase
            && *discarding == seat
        {
            *count += drawn;
        }
        Ok(())
    }

    // Turns.

    /// U3: beginning a turn closes every liability, and uses up what waited for that turn.
    #[inline]
    fn begin_turn(&mut self, seat: Seat) {
        self.round.liable = SeatSet::EMPTY;
        self.round.draw_more[seat as usize] = 0;
    }

    #[inline]
    pub(super) fn turn_comes_to(&mut self, seat: Seat) {
        self.round.set_phase(Phase::Turn { seat });
        self.round.notes.turn_came(seat);
        self.events.push(Event::TurnCame { seat });
    }

    #[inline]
    fn pass_turn(&mut self, seat: Seat) {
        self.turn_comes_to(self.round.next(seat));
    }

    /// The seat loses its turn.
    #[inline]
    pub(super) fn skip(&mut self, seat: Seat) {
        self.events.push(Event::Skipped { seat });
        self.pass_turn(seat);
    }

    pub(super) fn reverse(&mut self) {
        self.round.direction = self.round.direction.reversed();
        self.events.push(Event::Reversed { direction: self.round.direction });
    }

    /// House rule `reverse_skips_with_two`.
    #[inline]
    pub(super) fn reverse_skips(&self) -> bool {
        self.round.players == 2 && self.rules.house().reverse_skips_with_two
    }

    // The end.

    /// G1, G2: the last card is on the pile.
    #[inline(never)]
    fn go_out(&mut self, seat: Seat, card: Card, stacked: u16) {
        self.events.push(Event::WentOut { seat });
        let attack = card.attack();
        if attack > 0 {
            let (victim, cards) = (self.round.next(seat), attack + stacked);
            if self.rules.blockable {
                self.round.set_phase(Phase::Respond { seat: victim, by: seat, cards, bluff: false });
                return;
            }
            self.draw(victim, cards, DrawReason::Attack);
        }
        self.end_round(Some(seat));
    }

    pub(super) fn end_round(&mut self, winner: Option<Seat>) {
        let round = &mut *self.round;
        round.set_phase(Phase::Over { winner });
        round.liable = SeatSet::EMPTY;
        round.idle = 0;
        round.draw_more = [0; SEATS];
        if !round.notes.is_empty() {
            round.notes = super::Notes::NONE;
        }
    }

    /// The refusal of an action that does not fit the phase.
    #[cold]
    pub(super) fn not_now(&self, seat: Seat, what: Deed) -> Reason {
        let why = match self.round.phase {
            Phase::Turn { .. } => Obstacle::Turn,
            Phase::Drawn { .. } => Obstacle::DrawnCard,
            // After a wild as start card, the player who calls the color also has the first turn.
            Phase::CallColor { seat, next } if seat != next && self.round.top() == Card::SHUFFLE_HANDS => {
                Obstacle::ColorAfterMixing
            }
            Phase::CallColor { .. } => Obstacle::ColorToCall,
            Phase::Respond { .. } => Obstacle::Attack,
            Phase::Discard { .. } => Obstacle::Discards,
            Phase::Vote { .. } => Obstacle::Votes,
            Phase::Dare { .. } => Obstacle::Dare,
            Phase::Over { .. } => return Reason::Over,
        };
        match self.round.phase.seat() {
            Some(turn) if turn != seat => Reason::NotYourTurn { turn },
            _ => Reason::WrongPhase { what, why },
        }
    }
}
