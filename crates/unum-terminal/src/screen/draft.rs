//! Decisions that take more than one key: a card, then a color; cards that go along; whom to swap hands with.

use unum_protocol::{Level, Request, RequestKind, Stage};
use unum_rules::wire::{ActionForm, PhaseForm};
use unum_rules::{CardName, ColorName, Seat};

use super::state::{Answer, Screen};
use crate::model::{Model, sorted, with_uno};

/// A decision that is not complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Draft {
    /// Playing a card.
    Play {
        /// Which.
        card: CardName,
        /// The cards that go along, once that is decided.
        along: Option<Vec<CardName>>,
        /// The color, once it is called.
        color: Option<ColorName>,
    },
    /// Blocking an attack: which color?
    Block,
    /// Catching somebody: whom?
    Catch,
    /// Seating a bot: how good?
    Bot,
}

/// What the person is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// Nothing that needs a list: keys say what can be done.
    Open,
    /// One of these.
    Pick(Vec<Choice>),
    /// Mark cards: at least this many, at most that many.
    Mark(usize, usize),
}

/// One answer that can be picked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// The key for it.
    pub key: char,
    /// What it says.
    pub label: String,
    /// What it is.
    pub answer: Answer,
}

fn color_choices(list: &[ColorName]) -> Question {
    let choice = |color: &ColorName| Choice {
        key: color.as_str().chars().next().unwrap_or('?'),
        label: color.to_string(),
        answer: Answer::Color(*color),
    };
    Question::Pick(list.iter().map(choice).collect())
}

fn seat_choices(list: &[Seat], model: &Model) -> Question {
    let sizes = model.view().map(|view| view.hand_sizes.as_slice()).unwrap_or_default();
    let choice = |(key, seat): (char, &Seat)| {
        let size = sizes.get(usize::from(*seat)).copied().unwrap_or(0);
        let label = format!("{} ({})", model.name(*seat), crate::story::count(size.into(), "card"));
        Choice { key, label, answer: Answer::Seat(*seat) }
    };
    Question::Pick(('1'..='9').zip(list).map(choice).collect())
}

fn level_choices() -> Question {
    let choice = |(key, level): (char, &Level)| Choice { key, label: level.to_string(), answer: Answer::Level(*level) };
    Question::Pick(('1'..='9').zip(Level::ALL).map(choice).collect())
}

fn yes_or_no(yes: &str, no: &str) -> Question {
    let choice = |key, label: &str, yes| Choice { key, label: label.to_owned(), answer: Answer::Yes(yes) };
    Question::Pick(vec![choice('y', yes, true), choice('n', no, false)])
}

fn plays(model: &Model, card: CardName) -> Vec<&ActionForm> {
    model.actions().filter(|action| matches!(action, ActionForm::Play { card: legal, .. } if *legal == card)).collect()
}

fn color_of(action: &ActionForm) -> Option<ColorName> {
    if let ActionForm::Play { color, .. } = action { *color } else { None }
}

fn along_of(action: &ActionForm) -> &[CardName] {
    if let ActionForm::Play { discard, .. } = action { discard } else { &[] }
}

fn swap_of(action: &ActionForm) -> Option<Seat> {
    if let ActionForm::Play { swap_with, .. } = action { *swap_with } else { None }
}

fn unique<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut list = Vec::new();
    items.for_each(|item| {
        if !list.contains(&item) {
            list.push(item);
        }
    });
    list
}

impl Draft {
    /// Whether it can still be completed.
    pub(crate) fn is_possible(&self, model: &Model) -> bool {
        match self {
            Draft::Play { .. } => !self.fitting(model).is_empty(),
            Draft::Block => model.actions().any(|action| matches!(action, ActionForm::Block { .. })),
            Draft::Catch => !model.catchable().is_empty(),
            Draft::Bot => model.may(RequestKind::AddBot),
        }
    }

    /// The plays that agree with what is decided.
    fn fitting<'a>(&self, model: &'a Model) -> Vec<&'a ActionForm> {
        let Draft::Play { card, along, color } = self else { return Vec::new() };
        let mut plays = plays(model, *card);
        plays.retain(|action| color.is_none_or(|color| color_of(action) == Some(color)));
        plays.retain(|action| along.as_ref().is_none_or(|along| sorted(along) == sorted(along_of(action))));
        plays
    }

    /// The next question; `Err` when all are answered.
    fn ask(&self, model: &Model) -> Result<Question, Option<ActionForm>> {
        match self {
            Draft::Play { along, .. } => {
                let fitting = self.fitting(model);
                let most = fitting.iter().map(|action| along_of(action).len()).max().unwrap_or(0);
                if along.is_none() && most > 0 {
                    return Ok(Question::Mark(0, most));
                }
                let colors = unique(fitting.iter().filter_map(|action| color_of(action)));
                if colors.len() > 1 {
                    return Ok(color_choices(&colors));
                }
                let seats = unique(fitting.iter().filter_map(|action| swap_of(action)));
                if seats.len() > 1 {
                    return Ok(seat_choices(&seats, model));
                }
                Err(fitting.first().map(|action| (*action).clone()))
            }
            Draft::Block => Ok(color_choices(model.colors())),
            Draft::Catch => Ok(seat_choices(&model.catchable(), model)),
            Draft::Bot => Ok(level_choices()),
        }
    }
}

/// What has to be decided now.
pub(crate) fn question(screen: &Screen) -> Question {
    let model = &screen.model;
    if let Some(draft) = &screen.draft {
        return draft.ask(model).unwrap_or(Question::Open);
    }
    if model.stage() != Stage::Playing {
        return Question::Open;
    }
    let phase = model.view().map(|view| &view.phase).filter(|_| model.is_my_turn());
    match phase {
        Some(PhaseForm::CallColor { .. }) => color_choices(model.colors()),
        Some(PhaseForm::Discard { count, .. }) => Question::Mark((*count).into(), (*count).into()),
        Some(PhaseForm::Vote { .. }) => yes_or_no("yes, a success", "no"),
        Some(PhaseForm::Dare { .. }) => yes_or_no("accept", "refuse"),
        _ if model.may(RequestKind::Judge) => yes_or_no("yes, it was a suggestion", "no"),
        _ => Question::Open,
    }
}

/// A request for an action that is possible, with "UNO" if that is armed and belongs to it.
fn act(action: ActionForm, model: &Model) -> Request {
    let leaves_one = model.stakes(&action).is_some_and(|stakes| stakes.uno);
    Request::Act { action: with_uno(action, leaves_one && model.uno_armed), at: None }
}

/// Begins to play the selected card. Makes a request if nothing is left to decide.
pub(crate) fn play(screen: &mut Screen, card: CardName) -> Option<Request> {
    screen.drop_draft();
    screen.draft = Some(Draft::Play { card, along: None, color: None });
    advance(screen)
}

/// Sends the draft off if it is complete.
fn advance(screen: &mut Screen) -> Option<Request> {
    let asked = screen.draft.as_ref()?.ask(&screen.model);
    screen.option = 0;
    match asked {
        Ok(_) => None,
        Err(action) => {
            screen.drop_draft();
            action.map(|action| act(action, &screen.model))
        }
    }
}

/// Takes an answer.
pub(crate) fn answer(screen: &mut Screen, answer: Answer) -> Option<Request> {
    let model = &screen.model;
    let direct = |action: ActionForm| Some(act(action, model));
    match (&mut screen.draft, answer) {
        (Some(Draft::Play { color, .. }), Answer::Color(called)) => {
            *color = Some(called);
            advance(screen)
        }
        (Some(draft @ Draft::Play { .. }), Answer::Seat(seat)) => {
            let chosen = draft.fitting(model).into_iter().find(|action| swap_of(action) == Some(seat)).cloned();
            let request = chosen.map(|action| act(action, model));
            screen.drop_draft();
            request
        }
        (Some(Draft::Block), Answer::Color(color)) => {
            let request = direct(ActionForm::Block { color: Some(color), uno: false });
            screen.drop_draft();
            request
        }
        (Some(Draft::Catch), Answer::Seat(seat)) => {
            screen.drop_draft();
            Some(Request::Act { action: ActionForm::Catch { seat }, at: None })
        }
        (Some(Draft::Bot), Answer::Level(level)) => {
            screen.drop_draft();
            Some(Request::AddBot { level })
        }
        (None, Answer::Color(color)) => direct(ActionForm::CallColor { color: Some(color) }),
        (None, Answer::Yes(yes)) => match model.view().map(|view| &view.phase).filter(|_| model.is_my_turn()) {
            Some(PhaseForm::Vote { .. }) => direct(ActionForm::Vote { yes }),
            Some(PhaseForm::Dare { .. }) => direct(ActionForm::Dare { accept: yes }),
            _ => Some(Request::Judge { yes }),
        },
        _ => None,
    }
}

/// Whether the marked cards are valid; the error says why not.
pub(crate) fn confirm(screen: &mut Screen) -> Result<Option<Request>, String> {
    let cards = screen.marked();
    let Question::Mark(least, most) = screen.question() else { return Ok(None) };
    if !(least..=most).contains(&cards.len()) {
        let wanted = if least == most { least.to_string() } else { format!("at most {most}") };
        return Err(format!("Mark {wanted} with Space first: {} marked.", cards.len()));
    }
    match &mut screen.draft {
        Some(draft @ Draft::Play { .. }) => {
            let mut tried = draft.clone();
            if let Draft::Play { along, .. } = &mut tried {
                *along = Some(cards.clone());
            }
            let possible = tried.is_possible(&screen.model);
            if let (Draft::Play { card, .. }, false) = (&tried, possible) {
                // The table says what is wrong with these cards.
                let color = screen.model.colors().first().copied();
                let action = ActionForm::Play { card: *card, color, uno: false, discard: cards, swap_with: None };
                let at = screen.model.game.as_ref().map(|game| game.at);
                return Ok(Some(Request::Act { action, at }));
            }
            *draft = tried;
            screen.marks.clear();
            Ok(advance(screen))
        }
        _ => {
            screen.marks.clear();
            Ok(Some(act(ActionForm::Discard { cards, uno: false }, &screen.model)))
        }
    }
}
