//! The lesson: a first round that teaches by playing. Cards and moves are data, played by the normal rules.
//!
//! One person learns, in the first seat; bots sit in the others. Everybody's moves are written down in [`SCRIPT`], so
//! that every idea comes up in its place. The learner is offered nothing else; [`State::expected`] has the next move.
//! Should a game ever leave the script, it continues as an ordinary one.

use unum_protocol::{LessonStep, LessonView, Pace, Refusal, Settings, TableCode};
use unum_rules::{
    Action, CardList, CardName, Color, Edition, Event, Match, Play, Position, PositionError, Rules, RulesSpec, Scoring,
    Seat, Seeded, Sight, Turned, Veiled,
};

use crate::state::{Game, State};

/// The learner's seat.
pub(crate) const LEARNER: Seat = 0;
/// How many play.
const PLAYERS: u8 = 3;

/// One move of the lesson.
enum Do {
    Play(&'static str),
    Wild(&'static str, Color),
    Uno(&'static str),
    Draw,
    Catch(Seat),
}

/// The hands, by seat.
const HANDS: [&[&str]; PLAYERS as usize] =
    [&["R8", "B3", "B+2", "Y6", "Y2"], &["R1", "B7", "B0", "YR", "Y8"], &["R3", "B9", "BS", "G0", "Y4"]];
/// The card to begin with.
const START: &str = "R5";
/// What is drawn first: by the second seat for the Draw Two, by the third for being caught, then by the learner.
const DRAWN: &[&str] = &["G6", "R7", "R9", "G8", "W"];

/// Every move, in order; the learner's with the idea behind it.
const SCRIPT: &[(Seat, Do, Option<LessonStep>)] = &[
    (0, Do::Play("R8"), Some(LessonStep::MatchColor)),
    (1, Do::Play("R1"), None),
    (2, Do::Play("R3"), None),
    (0, Do::Play("B3"), Some(LessonStep::MatchNumber)),
    (1, Do::Play("B7"), None),
    (2, Do::Play("B9"), None),
    (0, Do::Play("B+2"), Some(LessonStep::Attack)),
    (2, Do::Play("BS"), None),
    (1, Do::Play("B0"), None),
    (2, Do::Play("G0"), None),
    (0, Do::Catch(2), Some(LessonStep::Catch)),
    (0, Do::Draw, Some(LessonStep::Draw)),
    (0, Do::Wild("W", Color::Yellow), Some(LessonStep::Wild)),
    (1, Do::Play("YR"), None),
    (0, Do::Uno("Y6"), Some(LessonStep::Uno)),
    (2, Do::Play("Y4"), None),
    (1, Do::Play("Y8"), None),
    (0, Do::Play("Y2"), Some(LessonStep::Last)),
];

impl Do {
    fn action(&self, rules: &Rules) -> Option<Action> {
        let card = |name: &str| CardName::parse(name)?.card(rules.palette());
        Some(match self {
            Do::Play(name) => Play::card(card(name)?).into(),
            Do::Wild(name, color) => Play::wild(card(name)?, *color).into(),
            Do::Uno(name) => Play { uno: true, ..Play::card(card(name)?) }.into(),
            Do::Draw => Action::Draw,
            Do::Catch(seat) => Action::Catch(*seat),
        })
    }
}

/// The settings of the lesson, whatever else was asked for.
pub(crate) fn settings() -> Settings {
    let rules = RulesSpec { scoring: Some(Scoring::SingleRound), ..RulesSpec::of(Edition::Original) };
    Settings {
        rules,
        seats: PLAYERS,
        spectators: false,
        chat: false,
        clock: None,
        pace: Pace::Relaxed,
        lesson: true,
        ..Settings::default()
    }
}

/// The cards of the lesson.
fn position(rules: &Rules) -> Position {
    let names = |cards: &[&str]| cards.iter().filter_map(|card| CardName::parse(card)).collect::<Vec<_>>();
    let hands: Vec<Vec<CardName>> = HANDS.iter().map(|hand| names(hand)).collect();
    let (top, mut draw_pile) = (names(&[START]), names(DRAWN));
    let used: Vec<CardName> = hands.iter().flatten().chain(&top).chain(&draw_pile).copied().collect();
    let rest = rules.deck().kinds().flat_map(|(card, copies)| {
        let name = card.name(rules.palette());
        let gone = used.iter().filter(|other| **other == name).count();
        std::iter::repeat_n(name, usize::from(copies).saturating_sub(gone))
    });
    draw_pile.extend(rest);
    Position { dealer: PLAYERS - 1, top: top.first().copied(), hands, draw_pile, ..Position::default() }
}

/// Deals the lesson. The chance is for what is shuffled later.
///
/// # Errors
/// When the lesson does not fit the rules.
pub(crate) fn deal(rules: Rules, chance: Seeded, events: &mut Vec<Event>) -> Result<Match, PositionError> {
    let play = position(&rules).into_match(rules, chance)?;
    let round = play.round();
    for (seat, hand) in (0..).zip(round.hands()) {
        let cards = CardList::try_from_iter(hand.iter()).map_or(Veiled::Closed(hand.len() as u8), Veiled::Open);
        events.push(Event::Dealt { seat, cards });
    }
    events.push(Event::TurnedUp { card: round.top(), turned: Turned::Start });
    events.push(Event::TurnCame { seat: LEARNER });
    Ok(play)
}

impl State {
    /// Whether the lesson can be dealt: a learner in the first seat and bots in the others.
    pub(crate) fn is_lesson(&self) -> bool {
        let learner = self.chair(LEARNER).is_some_and(|chair| chair.level.is_none());
        let bots = self.chairs.iter().filter(|chair| chair.level.is_some()).count();
        self.settings.lesson && learner && bots + 1 == usize::from(PLAYERS) && self.chairs.len() == bots + 1
    }

    /// Who does what next in the lesson, as long as the game follows it.
    pub(crate) fn expected(&self, game: &Game) -> Option<(Seat, Action)> {
        let (seat, wanted, _) = self.is_lesson().then(|| SCRIPT.get(game.at as usize)).flatten()?;
        let action = wanted.action(&self.rules)?;
        let sight = Sight::new(game.play.round(), &self.rules, *seat, game.play.scores());
        sight.check(&action).is_ok().then_some((*seat, action))
    }

    /// Where the learner is.
    pub(crate) fn lesson_view(&self, game: &Game, seat: Option<Seat>) -> Option<LessonView> {
        let over = game.at as usize >= SCRIPT.len();
        if !self.is_lesson() || seat != Some(LEARNER) || !over && self.expected(game).is_none() {
            return None;
        }
        let at = (game.at as usize).min(SCRIPT.len());
        let done = || SCRIPT[..at].iter().filter_map(|(_, _, step)| *step);
        Some(LessonView {
            step: SCRIPT[at..].iter().find_map(|(_, _, step)| *step),
            done: done().next_back(),
            number: done().count() as u8,
            of: SCRIPT.iter().filter(|(_, _, step)| step.is_some()).count() as u8,
        })
    }

    /// Whether the lesson allows a person to do that now.
    pub(crate) fn check_lesson(&self, seat: Seat, action: &Action) -> Result<(), Refusal> {
        let Some((_, wanted)) = self.game.as_deref().and_then(|game| self.expected(game)) else { return Ok(()) };
        if seat != LEARNER || wanted == *action {
            return Ok(());
        }
        let message = match wanted == action.with_uno() {
            true => "call \"UNO\" with this card: it leaves you one",
            false => "the lesson asks for something else here: do what is marked",
        };
        Err(Refusal::new(TableCode::NotInLesson, message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lesson_is_a_round_by_the_rules_that_the_learner_wins() {
        let rules = Rules::new(settings().rules).unwrap();
        let mut events = Vec::new();
        let mut play = deal(rules.clone(), Seeded::new(1), &mut events).unwrap();
        for (at, (seat, wanted, _)) in SCRIPT.iter().enumerate() {
            let action = wanted.action(&rules).unwrap();
            play.apply(*seat, &action, &mut events).unwrap_or_else(|refusal| panic!("move {at}: {refusal}"));
        }
        assert_eq!(play.result().map(|result| result.winner), Some(Some(LEARNER)));
        assert!(events.contains(&Event::Skipped { seat: LEARNER }), "the learner is skipped once");
    }

    #[test]
    fn every_idea_comes_up_once() {
        use strum::VariantArray as _;
        let steps: Vec<LessonStep> = SCRIPT.iter().filter_map(|(_, _, step)| *step).collect();
        assert_eq!(steps, LessonStep::VARIANTS);
        assert!(SCRIPT.iter().all(|(seat, _, step)| (*seat == LEARNER) == step.is_some()));
    }

    #[test]
    fn nothing_fits_when_the_learner_has_to_draw() {
        let rules = Rules::new(settings().rules).unwrap();
        let mut play = deal(rules.clone(), Seeded::new(1), &mut Vec::new()).unwrap();
        for (seat, wanted, step) in SCRIPT {
            if *step == Some(LessonStep::Draw) {
                assert!(Sight::new(play.round(), &rules, LEARNER, play.scores()).playable().is_empty());
            }
            play.apply(*seat, &wanted.action(&rules).unwrap(), &mut ()).unwrap();
        }
    }
}
