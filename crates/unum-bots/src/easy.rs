//! The level `easy`: `normal`, with the mistakes people make.

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use unum_rules::{Action, Card, CardSet, Color, Phase, Play, Sight};

use crate::Bot;
use crate::appraisal::{Blind, Choice};
use crate::judgment::{carry_out, happens, react};
use crate::normal::character;

/// How often a turn is played without thinking.
const CARELESS: f32 = 0.5;
/// How often "UNO" is forgotten.
const FORGETS: f32 = 0.3;
/// How often it notices in time that somebody (itself included) forgot to call.
const NOTICES: f32 = 0.3;

/// Often plays the first card that fits, even a good wild, calls any color, and sometimes forgets to call "UNO".
#[derive(Clone, Debug)]
pub struct Easy {
    chance: Pcg64Mcg,
}

impl Easy {
    /// With a generator of its own.
    pub fn new(seed: u64) -> Easy {
        Easy { chance: Pcg64Mcg::seed_from_u64(seed) }
    }

    /// Any card that fits; a wild if there is one, because it always fits.
    fn careless(&mut self, sight: &Sight<'_>) -> Option<Action> {
        let playable = sight.playable();
        let honest = if sight.would_bluff() { playable.without(Card::WILD_DRAW_FOUR) } else { playable };
        let wilds = honest.and(CardSet::WILDS);
        let among = if wilds.is_empty() { honest } else { wilds };
        let card = among.pick(&mut self.chance)?;
        let color = card.names_color().then(|| self.color(sight));
        Some(carry_out(sight, Choice::Play(card, color)))
    }

    /// The color of some card in hand.
    fn color(&mut self, sight: &Sight<'_>) -> Color {
        let card = sight.hand().kinds().minus(CardSet::WILDS).pick(&mut self.chance);
        card.and_then(Card::color).unwrap_or(Color::Red)
    }

    fn forget(&mut self, action: Action) -> Action {
        match action {
            Action::Play(play) if play.uno && happens(FORGETS, &mut self.chance) => {
                Action::Play(Play { uno: false, ..play })
            }
            other => other,
        }
    }
}

impl Bot for Easy {
    fn act(&mut self, sight: &Sight<'_>) -> Action {
        let turn = matches!(sight.phase(), Phase::Turn { .. } | Phase::Drawn { .. });
        let careless = turn && happens(CARELESS, &mut self.chance);
        let action = if careless { self.careless(sight) } else { None };
        let action = action.unwrap_or_else(|| match sight.phase() {
            Phase::CallColor { .. } => Action::CallColor(self.color(sight)),
            _ => character().act(sight, &Blind, &mut self.chance),
        });
        self.forget(action)
    }

    fn react(&mut self, sight: &Sight<'_>) -> Option<Action> {
        if happens(NOTICES, &mut self.chance) { react(sight) } else { None }
    }
}
