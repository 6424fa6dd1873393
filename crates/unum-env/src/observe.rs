//! Observations: what a seat may know, as an array of bytes.

use unum_rules::{Action, Card, Color, Direction, Phase, SEATS, Seat, SeatSet, Sight};

use crate::decision::{Decision, Stage};
use crate::encoding::{Encoding, Section};

/// How many kinds of colored card there are.
const COLORED: usize = 52;

/// The sections of an observation.
pub(crate) fn sections(kinds: usize, open_hands: usize, customizable: bool) -> Vec<Section> {
    let kinds = kinds as u16;
    let seats = SEATS as u16;
    let mut sections: Vec<Section> = Vec::new();
    for (name, len, high) in [
        ("hand", kinds, 4),
        ("unseen", kinds, 4),
        ("top", kinds, 1),
        ("color", 4, 1),
        ("stage", Stage::COUNT as u16, 1),
        ("hand_sizes", seats, 112),
        ("awaited", seats, 1),
        ("attacker", seats, 1),
        ("liable", seats, 1),
        ("players", 1, 10),
        ("direction", 1, 1),
        ("attack", 1, 255),
        ("to_discard", 1, 112),
        ("draw_pile", 1, 112),
        ("idle", 1, 10),
        ("chosen", kinds, 4),
        ("chosen_color", 4, 1),
        ("open_hands", kinds * open_hands as u16, 4),
        ("open_seats", seats, 1),
        ("draw_more", if customizable { seats } else { 0 }, 20),
    ] {
        let start = sections.last().map_or(0, |section| section.start + section.len);
        if len > 0 {
            sections.push(Section { name, start, len, high });
        }
    }
    sections
}

/// Writes one section after the other.
struct Writer<'a> {
    out: &'a mut [u8],
    at: usize,
}

impl Writer<'_> {
    /// The next section.
    #[inline]
    fn section(&mut self, len: usize) -> &mut [u8] {
        let start = self.at;
        self.at += len;
        &mut self.out[start..start + len]
    }

    #[inline]
    fn one_hot(&mut self, len: usize, place: Option<usize>) {
        let section = self.section(len);
        if let Some(place) = place {
            section[place] = 1;
        }
    }

    #[inline]
    fn number(&mut self, value: usize) {
        let value = value.min(255) as u8;
        self.section(1)[0] = value;
    }
}

/// What an action puts on the discard pile, as far as that is clear from the action alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Laid {
    Nothing,
    One(Card),
    Unclear,
}

impl Laid {
    #[inline]
    pub(crate) fn by(action: &Action) -> Laid {
        match action {
            Action::Play(play) => Laid::by_play(play.card),
            Action::Draw
            | Action::Keep
            | Action::CallColor(_)
            | Action::Take
            | Action::Challenge
            | Action::CallUno
            | Action::Catch(_) => Laid::Nothing,
            Action::Block { .. } | Action::Discard { .. } | Action::Vote(_) | Action::Dare { .. } => Laid::Unclear,
        }
    }

    /// The other wilds take cards along or have effects.
    #[inline]
    pub(crate) fn by_play(card: Card) -> Laid {
        if card <= Card::WILD_DRAW_FOUR { Laid::One(card) } else { Laid::Unclear }
    }
}

/// The cards of the deck that are not in the discard pile.
#[derive(Clone, Debug)]
pub(crate) struct InPlay {
    /// How many copies of each, as in [`Hand::counts`](unum_rules::Hand::counts).
    copies: [u64; 8],
    /// How many cards the discard pile had.
    discards: usize,
}

impl InPlay {
    /// Counted.
    pub(crate) fn of(sight: &Sight<'_>) -> InPlay {
        let mut copies = sight.rules().deck().as_hand().counts();
        sight.discards().iter().for_each(|card| take_one(&mut copies, *card));
        InPlay { copies, discards: sight.discards().len() }
    }

    /// Goes on after an action. A reshuffle leaves one card in the discard pile, so the size of the pile tells whether there was one.
    #[inline]
    pub(crate) fn follow(&mut self, sight: &Sight<'_>, laid: Laid) {
        let discards = sight.discards().len();
        match laid {
            Laid::Nothing if discards == self.discards => {}
            Laid::One(card) if discards == self.discards + 1 => {
                take_one(&mut self.copies, card);
                self.discards = discards;
            }
            _ => self.recount(sight),
        }
    }

    #[cold]
    fn recount(&mut self, sight: &Sight<'_>) {
        *self = InPlay::of(sight);
    }
}

impl Encoding {
    /// Writes what a seat may know, in the middle of a decision if it is making one.
    ///
    /// # Panics
    /// If `out` has fewer than [`observation`](Encoding::observation) bytes, or the rules are those of another edition.
    pub fn observe(&self, sight: &Sight<'_>, decision: Option<&Decision>, out: &mut [u8]) {
        self.observe_in_play(sight, decision, &InPlay::of(sight), out);
    }

    /// The same, with the cards in play already counted.
    #[inline]
    pub(crate) fn observe_in_play(
        &self,
        sight: &Sight<'_>,
        decision: Option<&Decision>,
        in_play: &InPlay,
        out: &mut [u8],
    ) {
        out.fill(0);
        let mut writer = Writer { out, at: 0 };
        let kinds = self.kinds().len();
        let players = sight.players();
        let own = sight.seat();
        // Both are below the number of players, which makes this the remainder of a division by it.
        let wrap = |place: u8| if place >= players { place - players } else { place };
        let relative = |seat: Seat| usize::from(wrap(seat + players - own));
        let open = sight.open_hands();
        let hand = sight.hand().counts();
        self.arrange(&hand, writer.section(kinds));
        // What is in play and not in this hand or an open one. A byte of the difference is never below zero.
        let mut unseen: [u64; 8] = std::array::from_fn(|eight| in_play.copies[eight] - hand[eight]);
        for card in open.iter().filter_map(|seat| sight.open_hand(seat)).flat_map(|hand| hand.iter()) {
            take_one(&mut unseen, card);
        }
        self.arrange(&unseen, writer.section(kinds));
        writer.one_hot(kinds, Some(self.place(sight.top())));
        writer.one_hot(4, sight.color().map(|color| color as usize));
        let phase = sight.phase();
        writer.one_hot(Stage::COUNT, Stage::seen(&phase, decision).map(|stage| stage as usize));
        let sizes = writer.section(SEATS);
        for (steps, size) in (0..players).zip(sizes.iter_mut()) {
            *size = sight.hand_size(wrap(own + steps)) as u8;
        }
        let awaited = match phase {
            Phase::Vote { seat, .. } => Some(seat),
            other => other.seat(),
        };
        writer.one_hot(SEATS, awaited.map(relative));
        let (attacker, attack) = match phase {
            Phase::Respond { by, cards, .. } => (Some(relative(by)), usize::from(cards)),
            _ => (None, 0),
        };
        writer.one_hot(SEATS, attacker);
        let liable = writer.section(SEATS);
        sight.liable().iter().for_each(|seat| liable[relative(seat)] = 1);
        writer.number(usize::from(players));
        writer.number(usize::from(sight.direction() == Direction::Left));
        writer.number(attack);
        writer.number(match phase {
            Phase::Discard { count, .. } => usize::from(count),
            _ => 0,
        });
        writer.number(sight.draw_count());
        writer.number(usize::from(sight.idle()));
        let chosen = writer.section(kinds);
        let mut color: Option<Color> = None;
        if let Some(decision) = decision {
            decision.chosen().for_each(|card| chosen[self.place(card)] += 1);
            color = decision.color();
        }
        writer.one_hot(4, color.map(|color| color as usize));
        self.write_open_hands(sight, open, &mut writer, relative);
        let rest = &mut writer.out[writer.at..];
        for (steps, more) in (0..players).zip(rest) {
            *more = sight.draw_more(wrap(own + steps)).unwrap_or(0);
        }
    }

    /// Open hands: one that a challenge showed, or by seat where cards can turn up any number of them.
    #[inline]
    fn write_open_hands(
        &self,
        sight: &Sight<'_>,
        open: SeatSet,
        writer: &mut Writer<'_>,
        relative: impl Fn(Seat) -> usize,
    ) {
        let kinds = self.kinds().len();
        let room = self.open_hands();
        let hands = writer.section(kinds * room);
        // When a round is over all hands are open. Nobody decides then.
        let shown = open.iter().take(room);
        for seat in shown.clone() {
            let Some(hand) = sight.open_hand(seat) else { continue };
            let place = if room == 1 { 0 } else { relative(seat) - 1 };
            self.arrange(&hand.counts(), &mut hands[place * kinds..(place + 1) * kinds]);
        }
        let seats = writer.section(SEATS);
        shown.for_each(|seat| seats[relative(seat)] = 1);
    }

    /// Writes numbers of copies in the order of an observation: of colored cards the index is the place, of wilds the edition
    /// has some.
    #[inline]
    fn arrange(&self, copies: &[u64; 8], out: &mut [u8]) {
        let (colored, wilds) = out.split_at_mut(COLORED);
        for (out, eight) in colored.chunks_mut(8).zip(copies) {
            out.copy_from_slice(&eight.to_le_bytes()[..out.len()]);
        }
        for (out, card) in wilds.iter_mut().zip(&self.kinds()[COLORED..]) {
            *out = (copies[(card.index() / 8) & 7] >> (card.index() % 8 * 8)) as u8;
        }
    }
}

/// One copy of a card less, unless there is none.
#[inline]
fn take_one(copies: &mut [u64; 8], card: Card) {
    let (eight, shift) = ((card.index() / 8) & 7, card.index() % 8 * 8);
    copies[eight] -= u64::from(copies[eight] >> shift & 0xff > 0) << shift;
}
