//! What Customizable cards do (C3–C5).

use super::engine::Engine;
use super::{Banner, FaceUp, Phase};
use crate::Seat;
use crate::card::{CardList, Color};
use crate::chance::Chance;
use crate::custom::{Op, Until, Who};
use crate::event::{DrawReason, Event, Sink};
use crate::hand::CardSet;
use crate::refusal::{Deed, Reason};
use crate::seat::SeatSet;

/// How the effects continue after a step.
enum Flow {
    Next,
    Jump(u8),
    /// Somebody must answer first, or the round is over.
    Stop,
}

impl<C: Chance, S: Sink> Engine<'_, C, S> {
    /// Runs the pending card's steps until one waits for an answer, the round ends, or none is left.
    #[inline(never)]
    pub(super) fn run_effects(&mut self) {
        let rules = self.rules;
        let program = rules.program(self.round.pending.card as usize);
        while let Some(op) = program.get(self.round.pending.step as usize) {
            match self.run(*op) {
                Flow::Next => self.go_to(self.round.pending.step + 1),
                Flow::Jump(to) => self.go_to(to),
                Flow::Stop => return,
            }
        }
        self.finish_effects();
    }

    fn go_to(&mut self, step: u8) {
        self.round.pending.step = step;
        self.round.pending.done = 0;
    }

    fn finish_effects(&mut self) {
        let pending = self.round.pending;
        let mut seat = pending.player;
        if pending.extra_turn {
            self.events.push(Event::ExtraTurn { seat });
        } else {
            for _ in 0..pending.skips {
                seat = self.round.next(seat);
                self.events.push(Event::Skipped { seat });
            }
            seat = self.round.next(seat);
        }
        self.turn_comes_to(seat);
    }

    fn run(&mut self, op: Op) -> Flow {
        match op {
            Op::Draw { who, count } => self.each(who, |engine, seat| {
                engine.draw(seat, u16::from(count), DrawReason::Effect);
            }),
            Op::DrawUntilColor { who, color } => {
                let color = color.or(self.round.color).unwrap_or(Color::Red);
                self.each(who, |engine, seat| engine.draw_until(seat, color));
            }
            Op::DiscardAll { who, matching } => return self.discard_all(who, matching),
            Op::Level { who, to } => return self.level(who, to, true),
            Op::DiscardDown { who, to } => return self.level(who, to, false),
            Op::DrawMore { count } => {
                let seat = self.round.next(self.round.pending.player);
                self.round.draw_more[seat as usize] = count;
                self.events.push(Event::MustDrawMore { seat, count });
            }
            Op::ExtraTurn => self.round.pending.extra_turn = true,
            Op::Skip => self.round.pending.skips += 1,
            Op::Reverse => self.reverse(),
            Op::Reveal { who } => self.each(who, Self::reveal),
            Op::Perform { prompt, .. } => {
                let seat = self.round.pending.player;
                let mut waiting = SeatSet::first(self.round.players);
                waiting.remove(seat);
                self.round.set_phase(Phase::Vote { seat, prompt, waiting });
                self.events.push(Event::PerformanceBegan { seat, prompt });
                return Flow::Stop;
            }
            Op::Dare { prompt, .. } => {
                let seat = self.round.next(self.round.pending.player);
                self.round.set_phase(Phase::Dare { seat, prompt });
                self.events.push(Event::Dared { seat, prompt });
                return Flow::Stop;
            }
            Op::Banner { who, text, until } => {
                let player = self.round.pending.player;
                let by = (until == Until::NextTurn).then_some(player);
                self.each(who, |engine, seat| {
                    engine.round.notes.raise(Banner { seat, text, by });
                    engine.events.push(Event::BannerRaised { seat, text });
                });
            }
            Op::Jump { to } => return Flow::Jump(to),
        }
        Flow::Next
    }

    fn reveal(&mut self, seat: Seat) {
        let until = self.round.pending.player;
        if self.round.notes.turn_up(FaceUp { seat, until }) {
            self.events.push(Event::FacedUp { seat, until });
        }
    }

    /// C4: the `n`-th player an effect concerns, in order of play, beginning after the player of the card.
    fn affected(&self, who: Who, n: u8) -> Option<Seat> {
        let (player, players) = (self.round.pending.player, self.round.players);
        let concerned = match who {
            Who::Player => return (n == 0).then_some(player),
            Who::Next => 1,
            Who::Others => players - 1,
            Who::All => players,
        };
        (n < concerned).then(|| (0..=n).fold(player, |seat, _| self.round.next(seat)))
    }

    fn each(&mut self, who: Who, mut act: impl FnMut(&mut Self, Seat)) {
        for n in 0..self.round.players {
            if let Some(seat) = self.affected(who, n) {
                act(self, seat);
            }
        }
    }

    /// The `discard_all` effect; C5 when it empties a hand.
    fn discard_all(&mut self, who: Who, matching: CardSet) -> Flow {
        let mut out = None;
        self.each(who, |engine, seat| {
            engine.discard_matching(seat, matching);
            if engine.round.hand(seat).is_empty() {
                out = out.or(Some(seat));
            }
        });
        match out {
            None => Flow::Next,
            Some(seat) => {
                self.events.push(Event::WentOut { seat });
                self.end_round(Some(seat));
                Flow::Stop
            }
        }
    }

    fn discard_matching(&mut self, seat: Seat, matching: CardSet) {
        let hand = *self.round.hand(seat);
        let mut cards = CardList::EMPTY;
        for card in hand.iter().filter(|card| matching.contains(*card)) {
            cards.push(card);
        }
        if !cards.is_empty() {
            let left = self.discard_under(seat, &cards);
            self.settle_uno(seat, left, false);
        }
    }

    /// Moves cards from a hand to under the top card; how many the hand has left.
    fn discard_under(&mut self, seat: Seat, cards: &CardList) -> usize {
        for &card in cards.iter() {
            self.round.hands[seat as usize].remove(card);
            self.round.piles.discard_under_top(card);
        }
        self.events.push(Event::Discarded { seat, cards: *cards });
        let left = self.round.hand(seat).len();
        if left != 1 {
            self.round.liable.remove(seat);
        }
        left
    }

    /// The `level` and `discard_down` effects, for the players still to come.
    fn level(&mut self, who: Who, to: u8, draws: bool) -> Flow {
        while let Some(seat) = self.affected(who, self.round.pending.done) {
            let held = self.round.hand(seat).len();
            let target = to as usize;
            if held > target {
                let count = (held - target) as u8;
                self.round.set_phase(Phase::Discard { seat, count });
                return Flow::Stop;
            }
            if draws && held < target {
                self.draw(seat, (target - held) as u16, DrawReason::Effect);
            }
            self.round.pending.done += 1;
        }
        Flow::Next
    }

    // The players' answers.

    pub(super) fn discard_by_choice(&mut self, seat: Seat, cards: &CardList, uno: bool) -> Result<(), Reason> {
        let Phase::Discard { seat: discarding, count } = self.round.phase else {
            return Err(self.not_now(seat, Deed::Discard));
        };
        if discarding != seat {
            return Err(Reason::NotYourTurn { turn: discarding });
        }
        if cards.len() != count as usize {
            return Err(Reason::WrongDiscardCount { count, given: cards.len() as u8 });
        }
        let mut hand = *self.round.hand(seat);
        if let Some(&card) = cards.iter().find(|card| !hand.remove(**card)) {
            return Err(Reason::NotInHand { card });
        }
        if uno && hand.len() != 1 {
            return Err(Reason::UnoLeaves { left: hand.len() as u8 });
        }
        let left = self.discard_under(seat, cards);
        self.settle_uno(seat, left, uno);
        self.round.pending.done += 1;
        self.run_effects();
        Ok(())
    }

    pub(super) fn vote(&mut self, seat: Seat, yes: bool) -> Result<(), Reason> {
        let Phase::Vote { seat: performer, prompt, mut waiting } = self.round.phase else {
            return Err(self.not_now(seat, Deed::Vote));
        };
        if !waiting.contains(seat) {
            return Err(Reason::AlreadyVoted);
        }
        self.events.push(Event::Voted { seat, yes });
        waiting.remove(seat);
        if !yes && !waiting.is_empty() {
            self.round.set_phase(Phase::Vote { seat: performer, prompt, waiting });
            return Ok(());
        }
        self.events.push(Event::PerformanceEnded { seat: performer, success: yes });
        let step = self.round.pending.step;
        match self.rules.program(self.round.pending.card as usize).get(step as usize) {
            Some(Op::Perform { failure, .. }) if !yes => self.go_to(*failure),
            _ => self.go_to(step + 1),
        }
        self.run_effects();
        Ok(())
    }

    pub(super) fn answer_dare(&mut self, seat: Seat, accept: bool) -> Result<(), Reason> {
        let Phase::Dare { seat: dared, .. } = self.round.phase else {
            return Err(self.not_now(seat, Deed::AnswerDare));
        };
        if dared != seat {
            return Err(Reason::NotYourTurn { turn: dared });
        }
        self.events.push(Event::DareAnswered { seat, accept });
        let step = self.round.pending.step;
        match self.rules.program(self.round.pending.card as usize).get(step as usize) {
            Some(Op::Dare { accept: after, .. }) if accept => self.go_to(*after),
            _ => self.go_to(step + 1),
        }
        self.run_effects();
        Ok(())
    }
}
