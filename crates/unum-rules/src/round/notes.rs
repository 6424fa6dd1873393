//! Open hands and banners: what is shown at a seat for a while.

use crate::custom::TextId;
use crate::seat::SEATS;
use crate::{Seat, order};

/// A hand that lies face up until the turn comes to a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaceUp {
    /// Whose hand.
    pub seat: Seat,
    /// Until whose turn.
    pub until: Seat,
}

/// A note on a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Banner {
    /// Whose seat.
    pub seat: Seat,
    /// The text, see [`Rules`](crate::Rules).
    pub text: TextId,
    /// Until the turn comes to this seat; `None`: until somebody calls "UNO".
    pub by: Option<Seat>,
}

/// Most banners at one time; when more are raised the oldest ones come down.
pub const MAX_BANNERS: usize = 160;

/// A short list in order of age.
#[derive(Clone, Copy)]
pub(crate) struct AgeList<T, const N: usize> {
    len: u8,
    items: [T; N],
}

impl<T: Copy + PartialEq, const N: usize> AgeList<T, N> {
    pub(crate) const fn new(filler: T) -> Self {
        AgeList { len: 0, items: [filler; N] }
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        &self.items[..self.len as usize]
    }

    pub(crate) fn push(&mut self, item: T) {
        if self.len as usize == N {
            self.items.copy_within(1.., 0);
            self.len -= 1;
        }
        self.items[self.len as usize] = item;
        self.len += 1;
    }

    pub(crate) fn retain(&mut self, keep: impl Fn(T) -> bool) {
        let mut kept = 0;
        for place in 0..self.len as usize {
            if keep(self.items[place]) {
                self.items[kept] = self.items[place];
                kept += 1;
            }
        }
        self.len = kept as u8;
    }
}

impl<T: Copy + PartialEq, const N: usize> PartialEq for AgeList<T, N> {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<T: Copy + PartialEq, const N: usize> Eq for AgeList<T, N> {}

/// A banner in two bytes: `seat` and `by` share one.
#[derive(Clone, Copy, PartialEq, Eq)]
struct PackedBanner {
    seats: u8,
    text: TextId,
}

/// Stands for "nobody" where a seat is packed into four bits.
const NOBODY: u8 = 15;

fn pack(high: u8, low: u8) -> u8 {
    high << 4 | low
}

fn unpack(seats: u8) -> (Seat, Seat) {
    (seats >> 4, seats & 15)
}

/// Everything that lies open or is pinned up, oldest first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Notes {
    face_up: AgeList<u8, { SEATS * SEATS }>,
    banners: AgeList<PackedBanner, MAX_BANNERS>,
}

impl Notes {
    pub(crate) const NONE: Notes =
        Notes { face_up: AgeList::new(0), banners: AgeList::new(PackedBanner { seats: 0, text: 0 }) };

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.face_up.len | self.banners.len == 0
    }

    /// The hands that lie open, oldest first.
    pub(crate) fn face_up(&self) -> impl Iterator<Item = FaceUp> + '_ {
        self.face_up.as_slice().iter().map(|packed| {
            let (seat, until) = unpack(*packed);
            FaceUp { seat, until }
        })
    }

    /// Whether a hand lies open.
    #[inline]
    pub(crate) fn is_face_up(&self, seat: Seat) -> bool {
        self.face_up.len > 0 && self.face_up().any(|open| open.seat == seat)
    }

    /// The banners, oldest first.
    pub(crate) fn banners(&self) -> impl Iterator<Item = Banner> + '_ {
        self.banners.as_slice().iter().map(|packed| {
            let (seat, by) = unpack(packed.seats);
            Banner { seat, text: packed.text, by: (by != NOBODY).then_some(by) }
        })
    }

    /// The hands that lie open, by seat, then by age.
    pub(crate) fn face_up_by_seat(&self) -> Vec<FaceUp> {
        let mut list: Vec<FaceUp> = self.face_up().collect();
        order::sort_by_key(&mut list, |open| open.seat);
        list
    }

    /// The banners, by seat, then by age.
    pub(crate) fn banners_by_seat(&self) -> Vec<Banner> {
        let mut list: Vec<Banner> = self.banners().collect();
        order::sort_by_key(&mut list, |banner| banner.seat);
        list
    }

    /// Turns a hand face up; `false` if it was already open until the same turn.
    pub(crate) fn turn_up(&mut self, FaceUp { seat, until }: FaceUp) -> bool {
        let packed = pack(seat, until);
        let new = !self.face_up.as_slice().contains(&packed);
        if new {
            self.face_up.push(packed);
        }
        new
    }

    pub(crate) fn raise(&mut self, banner: Banner) {
        let seats = pack(banner.seat, banner.by.unwrap_or(NOBODY));
        self.banners.push(PackedBanner { seats, text: banner.text });
    }

    /// The turn has come to a seat.
    #[inline]
    pub(crate) fn turn_came(&mut self, seat: Seat) {
        if !self.is_empty() {
            self.expire(seat);
        }
    }

    #[cold]
    fn expire(&mut self, seat: Seat) {
        self.face_up.retain(|packed| unpack(packed).1 != seat);
        self.banners.retain(|banner| unpack(banner.seats).1 != seat);
    }

    /// Somebody called "UNO".
    pub(crate) fn uno_called(&mut self) {
        self.banners.retain(|banner| unpack(banner.seats).1 != NOBODY);
    }
}
