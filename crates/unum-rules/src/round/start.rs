//! The deal and the start card (D2, S1–S8).

use super::engine::Engine;
use super::{Phase, Piles, Round};
use crate::Seat;
use crate::card::{Card, Face};
use crate::chance::Chance;
use crate::edition::{DealerChoice, StartPolicy};
use crate::event::{DrawReason, Event, Sink, Turned, veiled};
use crate::hand::Hand;
use crate::rules::{MAX_PLAYERS, MIN_PLAYERS, Rules, RulesError};
use crate::seat::Direction;

impl Round {
    /// D1: finds who deals the first round.
    pub fn choose_dealer<C: Chance, S: Sink>(rules: &Rules, players: u8, chance: &mut C, events: &mut S) -> Seat {
        let seat = match rules.dealer {
            DealerChoice::AnySeat => chance.below(u32::from(players)) as Seat,
            DealerChoice::HighestCard => rules.deck().draw_for_dealer(players, chance, |seat, card| {
                events.push(Event::DrewForDealer { seat, card });
            }),
        };
        events.push(Event::DealerChosen { seat });
        seat
    }

    /// Whether that many can play by these rules, and the dealer is one of them.
    pub(crate) fn check_setup(rules: &Rules, players: u8, dealer: Seat) -> Result<(), RulesError> {
        if !(MIN_PLAYERS..=MAX_PLAYERS).contains(&players) {
            return Err(RulesError::BadPlayers { players });
        }
        if dealer >= players {
            return Err(RulesError::BadDealer { players, dealer });
        }
        rules.check_players(players)
    }

    /// Shuffles, deals and turns up the start card.
    ///
    /// # Errors
    /// When that many cannot play by these rules, or the dealer is not one of them.
    #[inline]
    pub fn deal<C: Chance, S: Sink>(
        rules: &Rules,
        players: u8,
        dealer: Seat,
        chance: &mut C,
        events: &mut S,
    ) -> Result<Round, RulesError> {
        Round::check_setup(rules, players, dealer)?;
        let mut round = Round::blank(players, dealer, Piles::new(rules.deck().cards()));
        while !round.deal_once(rules, chance, events) {
            events.push(Event::DealtAgain);
            round = Round::blank(players, dealer, Piles::new(rules.deck().cards()));
        }
        let mut engine = Engine { round: &mut round, rules, chance, events };
        engine.act_on_start_card();
        Ok(round)
    }

    /// One try at D2 and the start card; `false` when none can be turned up (S8).
    #[inline]
    fn deal_once<C: Chance, S: Sink>(&mut self, rules: &Rules, chance: &mut C, events: &mut S) -> bool {
        chance.shuffle(self.piles.draw_pile_mut());
        let first = Direction::Left.next(self.dealer, self.players) as usize;
        let players = self.players as usize;
        let rest = self.piles.draw_count() - rules.hand_size as usize * players;
        // One card at a time: with n players, every n-th card of the pile goes to the same one.
        for (place, seat) in (first..players).chain(0..first).enumerate() {
            let mut hand = Hand::EMPTY;
            let mut index = self.piles.draw_count() - place;
            while index > rest {
                hand.add(self.piles.draw_pile()[index - 1]);
                index = index.saturating_sub(players);
            }
            self.hands[seat] = hand;
        }
        self.piles.leave(rest);
        if S::LISTENS {
            for seat in (first..players).chain(0..first) {
                events.push(Event::Dealt { seat: seat as Seat, cards: veiled(&self.hands[seat]) });
            }
        }
        match rules.start {
            StartPolicy::Acts => self.turn_up_any(chance, events),
            StartPolicy::Ignored => self.turn_up_number(events),
        }
    }

    /// Any card but a Wild Draw Four starts; that one goes back (S6).
    fn turn_up_any<C: Chance, S: Sink>(&mut self, chance: &mut C, events: &mut S) -> bool {
        loop {
            let Some(&card) = self.piles.draw_pile().last() else { return false };
            if card != Card::WILD_DRAW_FOUR {
                self.piles.draw();
                self.piles.discard(card);
                events.push(Event::TurnedUp { card, turned: Turned::Start });
                return true;
            }
            events.push(Event::TurnedUp { card, turned: Turned::Returned });
            if self.piles.draw_pile().iter().all(|card| *card == Card::WILD_DRAW_FOUR) {
                return false;
            }
            chance.shuffle(self.piles.draw_pile_mut());
        }
    }

    /// Only a number starts, other cards stay under it.
    fn turn_up_number<S: Sink>(&mut self, events: &mut S) -> bool {
        while let Some(card) = self.piles.draw() {
            self.piles.discard(card);
            if matches!(card.face(), Face::Number(_)) {
                events.push(Event::TurnedUp { card, turned: Turned::Start });
                return true;
            }
            events.push(Event::TurnedUp { card, turned: Turned::Ignored });
        }
        false
    }
}

impl<C: Chance, S: Sink> Engine<'_, C, S> {
    /// S1–S5.
    fn act_on_start_card(&mut self) {
        let dealer = self.round.dealer;
        let left = self.round.next(dealer);
        let card = self.round.top();
        self.round.set_color(card, None);
        match card.face() {
            Face::DrawTwo => {
                self.draw(left, card.attack(), DrawReason::Start);
                self.skip(left);
            }
            Face::Reverse if self.reverse_skips() => self.turn_comes_to(dealer),
            Face::Reverse => {
                self.reverse();
                self.turn_comes_to(dealer);
            }
            Face::Skip => self.skip(left),
            _ if card.is_wild() => self.round.set_phase(Phase::CallColor { seat: left, next: left }),
            _ => self.turn_comes_to(left),
        }
    }
}
