//! Hints: what an expert would do in a person's place, computed like a bot's move and sent only to the person who
//! asked.
//!
//! The expert gets only what the person can see: every hint has a fresh expert, which has seen no events. Where other
//! people play there are no hints.

use unum_bots::{Bot, Budget, LevelBot};
use unum_protocol::{HintReason, HintView, Level, Person, Refusal, ServerMsg, TableCode};
use unum_rules::wire::ActionForm;
use unum_rules::{Action, Seat, Sight};

use crate::GuestId;
use crate::apply::seed;
use crate::bots::{Idea, Thought};
use crate::state::{Member, State};
use crate::table::{Table, Turn};

/// A pending hint. There is at most one, as only one person plays.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    guest: GuestId,
    id: u32,
    pub(crate) seat: Seat,
    /// The number of the last entry that changed the round.
    stamp: u64,
    /// The expert that thinks about it, until it is handed out.
    bot: Option<LevelBot>,
}

impl Wanted {
    /// Whether it is this guest who waits for it.
    pub(crate) fn is_of(&self, guest: GuestId) -> bool {
        self.guest == guest
    }
}

/// What an expert would do there, and why.
pub(crate) fn ponder(bot: &mut LevelBot, sight: &Sight<'_>) -> Option<(Action, HintReason)> {
    let action = late(bot, sight).or_else(|| sight.is_awaited().then(|| bot.act(sight)))?;
    Some((action, unum_bots::reason(sight, &action)))
}

/// Whether there is nothing more urgent than what the table waits for.
pub(crate) fn is_for_search(bot: &mut LevelBot, sight: &Sight<'_>) -> bool {
    late(bot, sight).is_none() && sight.is_awaited()
}

/// A call or a catch that would be late.
fn late(bot: &mut LevelBot, sight: &Sight<'_>) -> Option<Action> {
    if sight.liable().is_empty() { None } else { bot.react(sight) }
}

impl State {
    /// Whether hints are available: one person plays, and is not in a lesson.
    pub(crate) fn gives_hints(&self, member: &Member) -> Result<(), Refusal> {
        let alone = self.chairs.iter().all(|chair| chair.person.is_none_or(|person| person == member.person));
        let refuse = |message: &'static str| Err(Refusal::new(TableCode::NoHints, message));
        match (alone, self.is_lesson()) {
            (false, _) => refuse("hints are available only when you play against bots"),
            (_, true) => refuse("the lesson says what to do"),
            _ => Ok(()),
        }
    }
}

impl Table {
    /// Notes that somebody wants a hint; [`Table::thoughts`] hands it out.
    pub(crate) fn want_hint(&mut self, person: Person, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        let seat = self.state.check_seated(person)?;
        let guest = self.state.check_person(person)?.guest;
        let nothing = || Refusal::new(TableCode::WrongStage, "there is nothing for you to do now: wait for your turn");
        let game = self.state.game.as_ref().ok_or_else(nothing)?;
        let mut any = false;
        Sight::new(game.play.round(), &self.state.rules, seat, game.play.scores()).legal(&mut |_| any = true);
        if !any {
            return Err(nothing());
        }
        if self.wanted.is_some() {
            return Err(Refusal::new(TableCode::TooSoon, "a hint is on its way: wait for it"));
        }
        let Some((_, id)) = turn.by else { return Ok(()) };
        let bot = Some(LevelBot::with_budget(Level::Expert, seed(turn.dice), Budget::default()));
        self.wanted = Some(Wanted { guest, id, seat, stamp: game.stamp, bot });
        Ok(())
    }

    /// Whether that request is still being thought about.
    pub(crate) fn thinks_about(&self, guest: GuestId, id: u32) -> bool {
        self.wanted.as_ref().is_some_and(|wanted| (wanted.guest, wanted.id) == (guest, id))
    }

    /// The thought about a hint, once.
    pub(crate) fn hint_thought(&mut self) -> Option<Thought> {
        let game = self.state.game.as_ref()?;
        let wanted = self.wanted.as_mut().filter(|wanted| wanted.stamp == game.stamp)?;
        Some(Thought::about_hint(wanted.seat, wanted.bot.take()?, game, &self.state))
    }

    /// An expert has made up its mind about a hint.
    pub(crate) fn give_hint(&mut self, idea: &Idea, turn: &mut Turn<'_>) {
        let Some(game) = self.state.game.as_ref().filter(|game| game.stamp == idea.at) else { return };
        let Some(Wanted { guest, id, .. }) = self.wanted.take_if(|wanted| wanted.stamp == idea.at) else { return };
        match (idea.action, idea.reason) {
            (Some(action), Some(reason)) => {
                let action = ActionForm::new(&action, self.state.rules.palette());
                let hint = Box::new(HintView { at: game.at, action, reason });
                turn.tell(guest, ServerMsg::Hint { id, hint });
            }
            _ => turn.answer(guest, id, Err(Refusal::new(TableCode::WrongStage, "there is nothing to do but wait"))),
        }
    }

    /// A hint about an outdated position is not worth thinking about.
    pub(crate) fn drop_stale_hint(&mut self, turn: &mut Turn<'_>) {
        let stamp = self.stamp();
        if let Some(Wanted { guest, id, .. }) = self.wanted.take_if(|wanted| wanted.stamp != stamp) {
            turn.answer(guest, id, Err(Refusal::new(TableCode::Stale, "somebody moved meanwhile: ask again")));
        }
    }
}

#[cfg(test)]
mod tests {
    use unum_rules::{Edition, Guess, Hand, Match, Rules, SEATS};

    use super::*;

    /// A hint for the first seat, thought out in a fixed number of worlds.
    fn hint(game: &Match) -> Option<(Action, HintReason)> {
        let mut bot = LevelBot::with_budget(Level::Expert, 7, Budget::Worlds(40));
        ponder(&mut bot, &Sight::new(game.round(), game.rules(), 0, game.scores()))
    }

    #[test]
    fn a_hint_depends_on_what_the_seat_sees_and_nothing_else() {
        let mut different = 0;
        for seed in 0..20 {
            let game = Match::new(Rules::of(Edition::Original), 3, seed).unwrap();
            let sight = Sight::new(game.round(), game.rules(), 0, game.scores());
            if !sight.is_awaited() {
                continue;
            }
            // The same to the seat, but with the hidden cards the other way around.
            let mut unseen: Vec<_> = sight.unseen().iter().collect();
            unseen.reverse();
            let hands: [Hand; SEATS] = std::array::from_fn(|seat| {
                let size = if (1..3).contains(&seat) { sight.hand_size(seat as Seat) } else { 0 };
                Hand::try_from_iter(unseen.drain(..size)).unwrap()
            });
            let guess = Guess { hands, draw_pile: &unseen, bluff: false };
            let other = game.clone().with_round(sight.imagine(&guess).unwrap());
            different += usize::from(other.round().hand(1) != game.round().hand(1));
            assert_eq!(hint(&game), hint(&other), "seed {seed}");
            assert!(hint(&game).is_some());
        }
        assert!(different > 3);
    }
}
