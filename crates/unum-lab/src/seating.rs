//! Bots around a table, playing a round.

use unum_bots::{Bot, Random};
use unum_rules::{Action, Chance, Event, Phase, Round, Rules, SEATS, Seat, SeatSet, Sight, Sink, Viewer};

/// More actions than any round needs; a round that takes them all is given up.
const MAX_ACTIONS: u32 = 20_000;

/// An observer of a round.
pub trait Watch {
    /// A round was dealt.
    #[inline]
    fn dealt(&mut self, _round: &Round, _rules: &Rules) {}

    /// The same as [`dealt`](Watch::dealt), with the bots by seat, who have seen their hands.
    #[inline]
    fn began<B: Bot>(&mut self, _round: &Round, _rules: &Rules, _bots: &[B]) {}

    /// The same as [`before`](Watch::before), a moment earlier, with the bots by seat as they are then.
    #[inline]
    fn about_to<B: Bot>(&mut self, _round: &Round, _rules: &Rules, _seat: Seat, _action: &Action, _bots: &[B]) {}

    /// A seat is about to do this.
    #[inline]
    fn before(&mut self, _round: &Round, _rules: &Rules, _seat: Seat, _action: &Action) {}

    /// The action just passed to [`before`](Watch::before) did not happen: the rules refused it.
    #[inline]
    fn refused(&mut self, _round: &Round, _rules: &Rules, _seat: Seat, _action: &Action) {}

    /// The round is over, or was given up.
    #[inline]
    fn ended(&mut self, _round: &Round, _rules: &Rules, _outcome: &Outcome) {}
}

impl Watch for () {}

/// An observer that may be missing.
impl<W: Watch> Watch for Option<W> {
    fn dealt(&mut self, round: &Round, rules: &Rules) {
        self.iter_mut().for_each(|watch| watch.dealt(round, rules));
    }

    fn began<T: Bot>(&mut self, round: &Round, rules: &Rules, bots: &[T]) {
        self.iter_mut().for_each(|watch| watch.began(round, rules, bots));
    }

    fn about_to<T: Bot>(&mut self, round: &Round, rules: &Rules, seat: Seat, action: &Action, bots: &[T]) {
        self.iter_mut().for_each(|watch| watch.about_to(round, rules, seat, action, bots));
    }

    fn before(&mut self, round: &Round, rules: &Rules, seat: Seat, action: &Action) {
        self.iter_mut().for_each(|watch| watch.before(round, rules, seat, action));
    }

    fn refused(&mut self, round: &Round, rules: &Rules, seat: Seat, action: &Action) {
        self.iter_mut().for_each(|watch| watch.refused(round, rules, seat, action));
    }

    fn ended(&mut self, round: &Round, rules: &Rules, outcome: &Outcome) {
        self.iter_mut().for_each(|watch| watch.ended(round, rules, outcome));
    }
}

/// Two observers.
impl<A: Watch, B: Watch> Watch for (&mut A, &mut B) {
    fn dealt(&mut self, round: &Round, rules: &Rules) {
        self.0.dealt(round, rules);
        self.1.dealt(round, rules);
    }

    fn began<T: Bot>(&mut self, round: &Round, rules: &Rules, bots: &[T]) {
        self.0.began(round, rules, bots);
        self.1.began(round, rules, bots);
    }

    fn about_to<T: Bot>(&mut self, round: &Round, rules: &Rules, seat: Seat, action: &Action, bots: &[T]) {
        self.0.about_to(round, rules, seat, action, bots);
        self.1.about_to(round, rules, seat, action, bots);
    }

    fn before(&mut self, round: &Round, rules: &Rules, seat: Seat, action: &Action) {
        self.0.before(round, rules, seat, action);
        self.1.before(round, rules, seat, action);
    }

    fn refused(&mut self, round: &Round, rules: &Rules, seat: Seat, action: &Action) {
        self.0.refused(round, rules, seat, action);
        self.1.refused(round, rules, seat, action);
    }

    fn ended(&mut self, round: &Round, rules: &Rules, outcome: &Outcome) {
        self.0.ended(round, rules, outcome);
        self.1.ended(round, rules, outcome);
    }
}

/// How a round went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Who went out; `None` when the round was blocked or given up.
    pub winner: Option<Seat>,
    /// How many actions it took.
    pub actions: u32,
    /// How many actions of each seat were refused, so that the autopilot had to act.
    pub refused: [u32; SEATS],
    /// Whether the round was given up.
    pub given_up: bool,
}

/// Bots around a table.
#[derive(Debug)]
pub struct Seating<'a, B> {
    /// The rules played.
    pub rules: &'a Rules,
    /// The bots, by seat.
    pub bots: &'a mut [B],
    /// The scores of the match so far, by seat, or empty.
    pub scores: &'a [u32],
}

impl<B: Bot> Seating<'_, B> {
    /// Plays a round to its end.
    pub fn play<C: Chance>(&mut self, round: &mut Round, chance: &mut C, watch: &mut impl Watch) -> Outcome {
        for (seat, bot) in (0..).zip(self.bots.iter_mut()) {
            bot.begin(&Sight::new(round, self.rules, seat, self.scores));
        }
        let listeners: SeatSet =
            (0..).zip(self.bots.iter()).filter(|(_, bot)| bot.listens()).map(|(seat, _)| seat).collect();
        let mut outcome = Outcome::default();
        watch.dealt(round, self.rules);
        watch.began(round, self.rules, self.bots);
        if listeners.is_empty() {
            while self.step(round, chance, watch, &mut outcome, |_, round, rules, seat, action, chance| {
                round.apply(rules, seat, action, chance, &mut ()).is_ok()
            }) {}
        } else {
            while self.step(round, chance, watch, &mut outcome, |bots, round, rules, seat, action, chance| {
                let mut audience = Audience { bots, listeners };
                round.apply(rules, seat, action, chance, &mut audience).is_ok()
            }) {}
        }
        if let Phase::Over { winner } = *round.phase() {
            outcome.winner = winner;
        } else {
            outcome.given_up = true;
        }
        watch.ended(round, self.rules, &outcome);
        outcome
    }

    /// Lets one bot act; `false` when the round is over.
    #[inline(always)]
    fn step<C: Chance>(
        &mut self,
        round: &mut Round,
        chance: &mut C,
        watch: &mut impl Watch,
        outcome: &mut Outcome,
        mut apply: impl FnMut(&mut [B], &mut Round, &Rules, Seat, &Action, &mut C) -> bool,
    ) -> bool {
        let (seat, action) = match self.reaction(round, chance) {
            Some(reaction) => reaction,
            None => {
                let Some(seat) = round.awaited() else { return false };
                let sight = Sight::new(round, self.rules, seat, self.scores);
                (seat, self.bots[seat as usize].act(&sight))
            }
        };
        outcome.actions += 1;
        if outcome.actions > MAX_ACTIONS {
            return false;
        }
        watch.about_to(round, self.rules, seat, &action, self.bots);
        watch.before(round, self.rules, seat, &action);
        if !apply(self.bots, round, self.rules, seat, &action, chance) {
            outcome.refused[seat as usize] += 1;
            watch.refused(round, self.rules, seat, &action);
            let sight = Sight::new(round, self.rules, seat, self.scores);
            let instead = Random::new(u64::from(chance.below(u32::MAX))).act(&sight);
            watch.about_to(round, self.rules, seat, &instead, self.bots);
            watch.before(round, self.rules, seat, &instead);
            apply(self.bots, round, self.rules, seat, &instead, chance);
        }
        true
    }

    /// Actions of players the table does not wait for: the race to call and catch, jumping in. The order is random.
    #[inline]
    fn reaction<C: Chance>(&mut self, round: &Round, chance: &mut C) -> Option<(Seat, Action)> {
        let can_jump_in = self.rules.house().jump_in && matches!(round.phase(), Phase::Turn { .. });
        if (round.liable().is_empty() && !can_jump_in) || round.is_over() {
            return None;
        }
        let players = round.players();
        let first = chance.below(u32::from(players)) as Seat;
        (0..players).map(|steps| (first + steps) % players).find_map(|seat| {
            let jumps_in = can_jump_in && round.phase().seat() != Some(seat) && round.hand(seat).contains(round.top());
            if round.liable().is_empty() && !jumps_in {
                return None;
            }
            let sight = Sight::new(round, self.rules, seat, self.scores);
            self.bots[seat as usize].react(&sight).map(|action| (seat, action))
        })
    }
}

/// Tells the bots what they may know of every event.
struct Audience<'a, B> {
    bots: &'a mut [B],
    listeners: SeatSet,
}

impl<B: Bot> Sink for Audience<'_, B> {
    fn push(&mut self, event: Event) {
        let public = event.seen_by(Viewer::Spectator);
        for seat in self.listeners.iter() {
            let bot = &mut self.bots[seat as usize];
            if event.is_private_to(seat) {
                bot.see(&event.seen_by(Viewer::Seat(seat)));
            } else {
                bot.see(&public);
            }
        }
    }
}
