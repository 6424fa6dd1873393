//! Seats, sets of seats, the direction of play.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A place at the table, numbered clockwise from 0. "Left" of a seat is the next number.
pub type Seat = u8;

/// Most seats of a table.
pub const SEATS: usize = crate::rules::MAX_PLAYERS as usize;

/// A set of seats.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct SeatSet(u16);

impl SeatSet {
    /// No seat.
    pub const EMPTY: SeatSet = SeatSet(0);

    /// The first `players` seats.
    pub fn first(players: u8) -> SeatSet {
        SeatSet((1 << players) - 1)
    }

    /// Whether no seat is in it.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the seat is in it.
    #[inline]
    pub fn contains(self, seat: Seat) -> bool {
        seat < 16 && self.0 >> seat & 1 == 1
    }

    /// Puts a seat in.
    #[inline]
    pub fn insert(&mut self, seat: Seat) {
        self.0 |= 1 << seat;
    }

    /// Takes a seat out.
    #[inline]
    pub fn remove(&mut self, seat: Seat) {
        self.0 &= !(1 << seat);
    }

    /// The seats in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Seat> + Clone {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let seat = rest.trailing_zeros() as Seat;
            rest &= rest.wrapping_sub(1);
            (seat < 16).then_some(seat)
        })
    }
}

impl FromIterator<Seat> for SeatSet {
    /// Numbers that are not seats (16 and up) are left out.
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> SeatSet {
        let mut set = SeatSet::EMPTY;
        seats.into_iter().filter(|seat| *seat < 16).for_each(|seat| set.insert(seat));
        set
    }
}

impl fmt::Debug for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// Which way the turn moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, crate::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase", remote = "Self")]
pub enum Direction {
    /// To the next higher seat.
    #[default]
    Left,
    /// To the next lower seat.
    Right,
}

words_only!(Direction);

impl Direction {
    /// The other one.
    pub fn reversed(self) -> Direction {
        match self {
            Direction::Left => Direction::Right,
            Direction::Right => Direction::Left,
        }
    }

    /// The neighbor of a seat, by the number of players.
    #[inline]
    pub fn next(self, seat: Seat, players: u8) -> Seat {
        let step = if self == Direction::Left { 1 } else { players - 1 };
        let seat = seat + step;
        if seat >= players { seat - players } else { seat }
    }
}
