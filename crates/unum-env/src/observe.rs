//! Observations: what a seat may know, as an array of bytes.

use unum_rules::{Card, Color, Direction, Hand, Phase, SEATS, Seat, Sight};

use crate::decision::{Decision, Stage};
use crate::encoding::{Encoding, Section};

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

impl Encoding {
    /// Writes what a seat may know, in the middle of a decision if it is making one.
    ///
    /// # Panics
    /// If `out` has fewer than [`observation`](Encoding::observation) bytes, or the rules are those of another edition.
    pub fn observe(&self, sight: &Sight<'_>, decision: Option<&Decision>, out: &mut [u8]) {
        out.fill(0);
        let mut writer = Writer { out, at: 0 };
        let kinds = self.kinds().len();
        let players = sight.players();
        let own = sight.seat();
        let relative = |seat: Seat| usize::from((seat + players - own) % players);
        self.count(sight.hand(), writer.section(kinds));
        self.count_unseen(sight, writer.section(kinds));
        writer.one_hot(kinds, Some(self.place(sight.top())));
        writer.one_hot(4, sight.color().map(|color| color as usize));
        let phase = sight.phase();
        writer.one_hot(Stage::COUNT, Stage::seen(&phase, decision).map(|stage| stage as usize));
        let sizes = writer.section(SEATS);
        for (steps, size) in (0..players).zip(sizes.iter_mut()) {
            *size = sight.hand_size((own + steps) % players) as u8;
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
        self.write_open_hands(sight, &mut writer, relative);
        let rest = &mut writer.out[writer.at..];
        for (steps, more) in (0..players).zip(rest) {
            *more = sight.draw_more((own + steps) % players).unwrap_or(0);
        }
    }

    /// Open hands: one that a challenge showed, or by seat where cards can turn up any number of them.
    fn write_open_hands(&self, sight: &Sight<'_>, writer: &mut Writer<'_>, relative: impl Fn(Seat) -> usize) {
        let kinds = self.kinds().len();
        let room = self.open_hands();
        let start = writer.at;
        writer.at += kinds * room;
        let seats = writer.at;
        writer.at += SEATS;
        for seat in (0..sight.players()).filter(|seat| *seat != sight.seat()) {
            let Some(hand) = sight.open_hand(seat) else { continue };
            let place = if room == 1 { 0 } else { relative(seat) - 1 };
            if room == 1 && writer.out[seats..seats + SEATS].contains(&1) {
                // When a round is over all hands are open. Nobody decides then.
                continue;
            }
            self.count(&hand, &mut writer.out[start + place * kinds..start + (place + 1) * kinds]);
            writer.out[seats + relative(seat)] = 1;
        }
    }

    #[inline]
    fn count(&self, hand: &Hand, out: &mut [u8]) {
        for card in hand.kinds().iter() {
            out[self.place(card)] = hand.count(card);
        }
    }

    /// The cards a seat has not seen: those of the deck that are not in its hand, in the discard pile or in an open hand.
    #[inline]
    fn count_unseen(&self, sight: &Sight<'_>, out: &mut [u8]) {
        // By the number of the card first: discards are many, and looking up the place of each costs more than counting it.
        let mut seen = [0u8; 64];
        let mut see = |card: Card, copies: u8| seen[card.index() & 63] += copies;
        let hand = sight.hand();
        hand.kinds().iter().for_each(|card| see(card, hand.count(card)));
        sight.discards().iter().for_each(|card| see(*card, 1));
        for hand in (0..sight.players()).filter_map(|seat| sight.open_hand(seat)) {
            hand.kinds().iter().for_each(|card| see(card, hand.count(card)));
        }
        let deck = sight.rules().deck();
        for (copies, card) in out.iter_mut().zip(self.kinds()) {
            *copies = deck.copies(*card).saturating_sub(seen[card.index() & 63]);
        }
    }
}
