//! What a seat or a spectator may know: the one place where states are redacted.

use crate::Seat;
use crate::card::{Card, CardList, Color};
use crate::chance::Chance;
use crate::event::Viewer;
use crate::game::{Match, RoundResult};
use crate::hand::Hand;
use crate::round::{Banner, FaceUp, Notes, Phase, Round};
use crate::seat::{Direction, SEATS, SeatSet};

/// Everything one viewer may know about a match, and nothing else.
///
/// Matches that differ only in what the viewer cannot see have equal views.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// Who looks.
    pub viewer: Viewer,
    /// Number of players.
    pub players: u8,
    /// Who dealt.
    pub dealer: Seat,
    /// Which way play runs.
    pub direction: Direction,
    /// What the table waits for. The `bluff` of an attack is never told: it is always `false` here.
    pub phase: Phase,
    /// The viewer's own cards just drawn that may be played.
    pub drawn: Option<Hand>,
    /// The card to match.
    pub top: Card,
    /// The color in force.
    pub color: Option<Color>,
    /// The viewer's own hand.
    pub hand: Option<Hand>,
    /// How many cards each seat holds.
    pub hand_sizes: [u8; SEATS],
    /// Other hands that lie open, by seat.
    pub shown: [Option<Hand>; SEATS],
    /// How many cards the draw pile has.
    pub draw_count: u8,
    /// The discard pile, oldest card first.
    pub discard_pile: CardList,
    /// Who can be caught.
    pub liable: SeatSet,
    /// T5: how many turns in succession ended by a draw that found no card.
    pub idle: u8,
    /// How many cards a seat must draw if it is stuck in its coming turn; 0 for one.
    pub draw_more: [u8; SEATS],
    /// The scores, by seat.
    pub scores: [u32; SEATS],
    /// What the round added, once it is over.
    pub result: Option<RoundResult>,
    /// Who has won the match, once it is over.
    pub winners: Option<SeatSet>,
    notes: Notes,
}

impl View {
    pub(crate) fn new<C: Chance>(game: &Match<C>, viewer: Viewer) -> View {
        let mut view = View::of_round(game.round(), viewer);
        view.scores[..game.scores().len()].copy_from_slice(game.scores());
        view.result = game.result().copied();
        view.winners = game.winners();
        view
    }

    /// The view of a round by itself, scores 0.
    pub fn of_round(round: &Round, viewer: Viewer) -> View {
        let own = match viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator => None,
        };
        View {
            viewer,
            players: round.players(),
            dealer: round.dealer(),
            direction: round.direction(),
            phase: redacted(*round.phase()),
            drawn: round.drawn().copied().filter(|_| round.phase().seat() == own),
            top: round.top(),
            color: round.color(),
            hand: own.map(|seat| *round.hand(seat)),
            hand_sizes: std::array::from_fn(|seat| round.hand(seat as Seat).len() as u8),
            shown: open_hands(round, own),
            draw_count: round.draw_pile().len() as u8,
            discard_pile: round.discard_pile(),
            liable: round.liable(),
            idle: round.idle(),
            draw_more: round.draw_more,
            scores: [0; SEATS],
            result: None,
            winners: None,
            notes: round.notes,
        }
    }

    /// Hands that lie open, sorted by seat, then by age.
    pub fn face_up(&self) -> Vec<FaceUp> {
        self.notes.face_up_by_seat()
    }

    /// Notes on seats, sorted by seat, then by age.
    pub fn banners(&self) -> Vec<Banner> {
        self.notes.banners_by_seat()
    }
}

/// A phase without what viewers may not know.
#[inline]
pub(crate) fn redacted(phase: Phase) -> Phase {
    match phase {
        Phase::Respond { seat, by, cards, .. } => Phase::Respond { seat, by, cards, bluff: false },
        other => other,
    }
}

/// Hands of others that the viewer sees.
fn open_hands(round: &Round, own: Option<Seat>) -> [Option<Hand>; SEATS] {
    let mut shown = [None; SEATS];
    for seat in 0..round.players() {
        shown[seat as usize] = open_hand(round, own, seat);
    }
    shown
}

/// The hand of another seat, if the viewer sees it: face up for all, counted at the end, or shown to a challenger.
#[inline]
pub(crate) fn open_hand(round: &Round, own: Option<Seat>, seat: Seat) -> Option<Hand> {
    if own == Some(seat) {
        None
    } else if round.is_over() || round.notes.is_face_up(seat) {
        Some(*round.hand(seat))
    } else {
        let (of, hand) = own.and_then(|own| round.shown_to(own))?;
        (of == seat).then_some(hand)
    }
}
