//! A recorded game on the full screen, with its review: what is shown, and what keys do to it.

use std::collections::BTreeMap;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use unum_rules::{CardName, ColorName, Seat};

use super::look::Paint;
use crate::text::Text;

/// A game, move by move.
#[derive(Clone, Debug)]
pub struct Film {
    /// What is played, for the title.
    pub title: String,
    /// The players, by seat.
    pub names: Vec<String>,
    /// The table after each deal and each move.
    pub frames: Vec<Frame>,
}

/// The table after a deal or a move.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The round.
    pub round: u32,
    /// The move, counted through the whole record; 0 is the first deal.
    pub number: u32,
    /// What happened, in sentences.
    pub told: Vec<Text>,
    /// The card on top.
    pub top: CardName,
    /// The color in force.
    pub color: Option<ColorName>,
    /// Whether play goes to the left.
    pub to_the_left: bool,
    /// Whose turn it is.
    pub turn: Option<Seat>,
    /// The hands, by seat; `None` where they may not be seen.
    pub hands: Vec<Option<Vec<CardName>>>,
    /// How many cards everybody has.
    pub sizes: Vec<usize>,
    /// The scores of the match.
    pub scores: Vec<u32>,
    /// How many cards are left to draw.
    pub draw_count: usize,
}

/// What a review says of a film, as far as it is known.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// What luck and play did to everybody, a sentence each.
    pub sentences: Vec<String>,
    /// Everybody's chance to win the round after a move, by the number of the move.
    pub chances: BTreeMap<u32, Vec<f64>>,
    /// The clearest mistakes, in the order of the game.
    pub moments: Vec<Moment>,
    /// Whether nothing more is to come.
    pub is_done: bool,
}

/// A mistake that is worth a look.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The number of the move.
    pub number: u32,
    /// What was chosen, what was better, and why.
    pub text: String,
}

/// Reviews a film: hands over what it knows so far, again and again, until told that nobody is watching.
pub type Critic = Box<dyn FnOnce(&mut dyn FnMut(Notes) -> bool) + Send>;

/// How far ↑ and ↓ go.
const LEAP: usize = 10;

/// A film that is being watched.
#[derive(Debug)]
pub(crate) struct Watching {
    pub(crate) film: Film,
    pub(crate) at: usize,
    pub(crate) paint: Paint,
    /// Whether the review is shown in place of what happened.
    pub(crate) reviewing: bool,
    /// The review, once it was asked for.
    pub(crate) notes: Notes,
}

/// What a key asks the loop for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    End,
    Interrupt,
    Suspend,
    Redraw,
    /// Shows the review, making it first if necessary.
    Review,
}

impl Watching {
    /// The frame that is shown.
    pub(crate) fn frame(&self) -> Option<&Frame> {
        self.film.frames.get(self.at)
    }

    /// The mistake that comes next after the frame that is shown.
    pub(crate) fn moment(&self) -> Option<&Moment> {
        let number = self.frame()?.number + 1;
        self.notes.moments.iter().find(|moment| moment.number == number)
    }

    /// The frame before a moment, if it is part of the film.
    fn before(&self, moment: &Moment) -> Option<usize> {
        self.film.frames.iter().position(|frame| frame.number + 1 == moment.number)
    }

    fn next_moment(&self) -> usize {
        let mut places = self.notes.moments.iter().filter_map(|moment| self.before(moment));
        places.find(|place| *place > self.at).unwrap_or(self.at)
    }

    fn previous_moment(&self) -> usize {
        let places = self.notes.moments.iter().rev().filter_map(|moment| self.before(moment));
        places.into_iter().find(|place| *place < self.at).unwrap_or(self.at)
    }

    /// Takes a key.
    pub(crate) fn key(&mut self, key: KeyEvent) -> Option<Wish> {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return match key.code {
                KeyCode::Char('c') => Some(Wish::Interrupt),
                KeyCode::Char('z') => Some(Wish::Suspend),
                KeyCode::Char('l') => Some(Wish::Redraw),
                _ => None,
            };
        }
        match key.code {
            KeyCode::Right | KeyCode::Enter | KeyCode::Char(' ' | 'l' | 'n') => self.at += 1,
            KeyCode::Left | KeyCode::Backspace | KeyCode::Char('h' | 'p') => self.at = self.at.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => self.at += LEAP,
            KeyCode::Up | KeyCode::Char('k') => self.at = self.at.saturating_sub(LEAP),
            KeyCode::PageDown => self.at = self.next_round(),
            KeyCode::PageUp => self.at = self.previous_round(),
            KeyCode::Home => self.at = 0,
            KeyCode::End => self.at = usize::MAX,
            KeyCode::Char('r') => {
                self.reviewing = !self.reviewing;
                return self.reviewing.then_some(Wish::Review);
            }
            KeyCode::Tab if self.reviewing => self.at = self.next_moment(),
            KeyCode::BackTab if self.reviewing => self.at = self.previous_moment(),
            KeyCode::Esc | KeyCode::Char('q') => return Some(Wish::End),
            _ => {}
        }
        self.at = self.at.min(self.film.frames.len().saturating_sub(1));
        None
    }

    fn next_round(&self) -> usize {
        let round = self.frame().map_or(0, |frame| frame.round);
        self.film.frames.iter().position(|frame| frame.round > round).unwrap_or(usize::MAX)
    }

    /// The beginning of this round, or, from there, of the one before.
    fn previous_round(&self) -> usize {
        let round = self.film.frames.get(self.at.saturating_sub(1)).map_or(0, |frame| frame.round);
        self.film.frames.iter().position(|frame| frame.round == round).unwrap_or(0)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::look::Colors;
    use super::*;

    /// Three rounds of five frames each.
    pub(crate) fn watching() -> Watching {
        let card = |name: &str| CardName::parse(name).unwrap();
        let frame = |number: u32| Frame {
            round: number / 5 + 1,
            number,
            told: vec![format!("Move {number} is made.").into()],
            top: card("R7"),
            color: Some(ColorName::Red),
            to_the_left: true,
            turn: Some(1),
            hands: vec![Some(vec![card("R3"), card("W+4")]), None],
            sizes: vec![2, 5],
            scores: vec![120, 40],
            draw_count: 60,
        };
        let film = Film {
            title: "Original".to_owned(),
            names: vec!["Ann".to_owned(), "Bob".to_owned()],
            frames: (0..15).map(frame).collect(),
        };
        Watching {
            film,
            at: 0,
            paint: Paint { colors: Colors::Sixteen, symbols: true },
            reviewing: false,
            notes: Notes::default(),
        }
    }

    #[test]
    fn keys_go_through_moves_and_rounds() {
        let mut watching = watching();
        for (code, at) in [
            (KeyCode::Left, 0),
            (KeyCode::Right, 1),
            (KeyCode::Char(' '), 2),
            (KeyCode::PageDown, 5),
            (KeyCode::Right, 6),
            (KeyCode::PageUp, 5),
            (KeyCode::PageUp, 0),
            (KeyCode::Down, 10),
            (KeyCode::Up, 0),
            (KeyCode::End, 14),
            (KeyCode::PageDown, 14),
            (KeyCode::Home, 0),
        ] {
            assert_eq!(watching.key(code.into()), None);
            assert_eq!(watching.at, at, "{code:?}");
        }
        assert_eq!(watching.key(KeyCode::Char('q').into()), Some(Wish::End));
    }

    /// Mistakes at the moves 4 and 12.
    pub(crate) fn reviewed() -> Watching {
        let moment = |number| Moment { number, text: format!("Better than move {number}: draw.") };
        let notes = Notes {
            sentences: vec!["Ann was lucky.".to_owned()],
            chances: (0..15).map(|number| (number, vec![f64::from(number) / 15.0, 0.5])).collect(),
            moments: vec![moment(4), moment(12)],
            is_done: true,
        };
        Watching { reviewing: true, notes, ..watching() }
    }

    #[test]
    fn the_review_goes_from_moment_to_moment() {
        let mut watching = Watching { reviewing: false, ..reviewed() };
        assert_eq!((watching.key(KeyCode::Tab.into()), watching.at), (None, 0), "there is no review yet");
        assert_eq!(watching.key(KeyCode::Char('r').into()), Some(Wish::Review));
        for (code, at) in
            [(KeyCode::Tab, 3), (KeyCode::Tab, 11), (KeyCode::Tab, 11), (KeyCode::BackTab, 3), (KeyCode::BackTab, 3)]
        {
            assert_eq!(watching.key(code.into()), None);
            assert_eq!((watching.at, watching.moment().is_some()), (at, true), "{code:?}");
        }
        assert_eq!((watching.key(KeyCode::Char('r').into()), watching.reviewing), (None, false));
    }
}
