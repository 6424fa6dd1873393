//! Belief state: what a seat can infer about hidden hands from what it has seen.

use unum_rules::{
    Card, CardSet, Color, DrawReason, Event, Hand, Phase, SEATS, Seat, SeatSet, SeenEvent, Sight, Turned, Veiled,
};

use crate::appraisal::{Insight, bluff_odds};

/// Some cards of a hand, and what they cannot be.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Group {
    /// What none of them can be.
    pub(crate) not: CardSet,
    /// How many cards.
    pub(crate) count: u8,
    /// The owner's turn before which all of them had reached the hand.
    pub(crate) since: u8,
}

/// The most groups a hand is divided into.
pub(crate) const GROUPS: usize = 6;

/// What is known about another hand.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Dossier {
    /// Cards that are certainly in it.
    pub(crate) known: Hand,
    /// All others. Nothing is known about the first group, which has the freshly drawn cards.
    groups: [Group; GROUPS],
    /// The color its owner called last, as long as they have not played another since.
    pub(crate) called: Option<Color>,
    /// How many turns its owner has taken.
    pub(crate) turns: u8,
}

impl Dossier {
    fn unknown(count: u8) -> Dossier {
        let mut dossier = Dossier::default();
        dossier.groups[0].count = count;
        dossier
    }

    fn of(hand: Hand) -> Dossier {
        Dossier { known: hand, ..Dossier::default() }
    }

    /// The cards that are not certain.
    pub(crate) fn groups(&self) -> impl Iterator<Item = Group> + '_ {
        self.groups.iter().copied().filter(|group| group.count > 0)
    }

    pub(crate) fn len(&self) -> usize {
        self.known.len() + self.groups.iter().map(|group| group.count as usize).sum::<usize>()
    }

    fn draw(&mut self, count: u8) {
        self.groups[0].count += count;
        self.groups[0].since = self.turns;
    }

    /// None of the uncertain cards is one of these.
    fn lacks(&mut self, cards: CardSet) {
        let fresh = std::mem::take(&mut self.groups[0]);
        for group in &mut self.groups[1..] {
            group.not = group.not.or(cards);
        }
        self.put(Group { not: fresh.not.or(cards), ..fresh });
    }

    /// Adds a group, or merges it with the most similar one, keeping only what is true of both.
    fn put(&mut self, new: Group) {
        if new.count == 0 {
            return;
        }
        let older = &mut self.groups[1..];
        let place = older.iter().position(|group| group.count == 0 || group.not == new.not).unwrap_or_else(|| {
            let alike = |group: &Group| group.not.and(new.not).len();
            (0..older.len()).max_by_key(|place| alike(&older[*place])).unwrap_or(0)
        });
        let group = &mut older[place];
        group.not = if group.count == 0 { new.not } else { group.not.and(new.not) };
        group.since = if group.count == 0 { new.since } else { group.since.max(new.since) };
        group.count += new.count;
    }

    /// What was just drawn turns out to be none (or, by complement, one) of these.
    fn fresh_is_not(&mut self, cards: CardSet) {
        let fresh = std::mem::take(&mut self.groups[0]);
        self.put(Group { not: cards, ..fresh });
    }

    /// A card visibly left the hand.
    fn lose(&mut self, card: Card) {
        if self.known.remove(card) {
            return;
        }
        if let Some(place) = self.origin(card) {
            self.groups[place].count -= 1;
            return;
        }
        // Somebody drew though they could have played: drop what that seemed to imply.
        let count: u8 = self.groups.iter().map(|group| group.count).sum();
        self.groups = [Group::default(); GROUPS];
        self.groups[0] = Group { count: count.saturating_sub(1), since: self.turns, ..Group::default() };
    }

    /// The group a card most likely came from: of those it fits, the one we know most about.
    #[inline]
    fn origin(&self, card: Card) -> Option<usize> {
        let (mut most, mut origin) = (0, 0);
        for (place, group) in self.groups.iter().enumerate() {
            let fits = (group.count > 0) & !group.not.contains(card);
            let known = if fits { 1 + group.not.len() } else { 0 };
            if known >= most {
                (most, origin) = (known, place);
            }
        }
        (most > 0).then_some(origin)
    }

    /// The owner's turn before which a card had reached the hand.
    pub(crate) fn since(&self, card: Card) -> u8 {
        if self.known.contains(card) {
            0
        } else {
            self.origin(card).map_or(self.turns, |place| self.groups[place].since)
        }
    }

    /// The card just drawn was played.
    fn lose_fresh(&mut self, card: Card) {
        if self.groups[0].count > 0 {
            self.groups[0].count -= 1;
        } else {
            self.lose(card);
        }
    }
}

/// Hands of this size and larger are treated alike.
pub(crate) const LARGEST: usize = 31;

/// A power with an exponent up to [`LARGEST`]; beyond that the difference is negligible.
#[inline]
pub(crate) const fn power(base: f32, exponent: u8) -> f32 {
    powers([base], exponent)[0]
}

/// The powers of several numbers, without branches.
#[inline]
pub(crate) const fn powers<const N: usize>(mut bases: [f32; N], exponent: u8) -> [f32; N] {
    let exponent = if exponent as usize > LARGEST { LARGEST as u32 } else { exponent as u32 };
    let mut powers = [1.0; N];
    let mut bit = 0;
    while bit < LARGEST.ilog2() + 1 {
        // All ones if this power of two is part of the exponent, else all zeros.
        let part = 0_u32.wrapping_sub(exponent >> bit & 1);
        let mut place = 0;
        while place < N {
            powers[place] *= f32::from_bits(bases[place].to_bits() & part | 1.0_f32.to_bits() & !part);
            bases[place] *= bases[place];
            place += 1;
        }
        bit += 1;
    }
    powers
}

/// How a player behaved in this match when they could bluff or challenge.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Habits {
    /// Their Wild Draw Fours that a challenge exposed as bluffs.
    pub(crate) bluffs: u16,
    /// Those found honest.
    pub(crate) honest: u16,
    /// How often they challenged.
    pub(crate) challenges: u16,
    /// How often they took the cards instead.
    pub(crate) taken: u16,
}

/// Prior: how often people bluff.
pub(crate) const USUAL_BLUFFS: f32 = 0.08;

/// Prior: how often people challenge.
const USUAL_CHALLENGES: f32 = 0.25;
/// The weight of the priors, in occasions.
const WEIGHT: f32 = 4.0;

impl Habits {
    /// The estimated rate of bluffs when they could.
    fn bluff_rate(&self) -> f32 {
        let bluffs = f32::from(self.bluffs) + USUAL_BLUFFS * WEIGHT;
        bluffs / (f32::from(self.bluffs + self.honest) + WEIGHT)
    }

    /// The estimated rate of challenges when they could.
    fn challenge_rate(&self) -> f32 {
        let challenges = f32::from(self.challenges) + USUAL_CHALLENGES * WEIGHT;
        challenges / (f32::from(self.challenges + self.taken) + WEIGHT)
    }
}

/// What a seat remembers of a round and its players.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    seat: Seat,
    players: u8,
    own: Hand,
    /// All cards that are neither in one's own hand nor in the discard pile.
    hidden: Hand,
    /// Whether `hidden` must be recounted.
    recount: bool,
    dossiers: [Dossier; SEATS],
    habits: [Habits; SEATS],
    top: Card,
    color: Option<Color>,
    /// The color in force before the card on top.
    before: Option<Color>,
    /// Whether a Wild Draw Four reveals something about the hand it came from.
    challenges: bool,
    /// Whether players are assumed to draw in order to keep their wilds.
    knows_patience: bool,
    /// Whether a player who draws may still hold a wild.
    patience: bool,
    /// Who drew in their turn and has not yet shown whether they can play it.
    drew: Option<Seat>,
    /// Who played the Wild Draw Four on top, as long as nobody has answered it.
    attacker: Option<Seat>,
}

impl Memory {
    pub(crate) fn new() -> Memory {
        Memory {
            seat: 0,
            players: 0,
            own: Hand::EMPTY,
            hidden: Hand::EMPTY,
            recount: true,
            dossiers: [Dossier::default(); SEATS],
            habits: [Habits::default(); SEATS],
            top: Card::WILD,
            color: None,
            before: None,
            challenges: false,
            knows_patience: false,
            patience: false,
            drew: None,
            attacker: None,
        }
    }

    /// One that assumes players draw in order to keep their wilds.
    pub(crate) fn knowing_patience() -> Memory {
        Memory { knows_patience: true, ..Memory::new() }
    }

    /// A round was dealt.
    pub(crate) fn begin(&mut self, sight: &Sight<'_>) {
        self.seat = sight.seat();
        self.players = sight.players();
        self.own = *sight.hand();
        self.recount = true;
        for seat in 0..self.players {
            self.dossiers[seat as usize] = Dossier::unknown(sight.hand_size(seat) as u8);
        }
        self.top = sight.top();
        self.color = sight.color();
        self.before = None;
        let house = sight.rules().house();
        self.challenges = !house.no_challenges;
        self.patience = self.knows_patience && !house.force_play && !house.draw_to_match;
        self.drew = None;
        self.attacker = None;
    }

    /// Takes in what is visible now. Bots that were not told of every event know nothing else.
    pub(crate) fn look(&mut self, sight: &Sight<'_>) {
        if self.own != *sight.hand() {
            self.own = *sight.hand();
            self.recount = true;
        }
        let hidden = sight.rules().deck().len() - self.own.len() - sight.discards().len();
        if self.recount || self.hidden.len() != hidden {
            self.recount = false;
            self.hidden = count_hidden(sight);
        }
        debug_assert_eq!(self.hidden, count_hidden(sight));
        self.top = sight.top();
        self.color = sight.color();
        for seat in (0..self.players).filter(|seat| *seat != self.seat) {
            let size = sight.hand_size(seat);
            let dossier = &mut self.dossiers[seat as usize];
            if let Some(open) = sight.open_hand(seat).filter(|open| open.len() == size) {
                *dossier = Dossier { called: dossier.called, ..Dossier::of(open) };
            } else if dossier.len() != size {
                *dossier = Dossier::unknown(size as u8);
            }
        }
    }

    pub(crate) fn dossier(&self, seat: Seat) -> &Dossier {
        &self.dossiers[seat as usize]
    }

    pub(crate) fn habits(&self, seat: Seat) -> &Habits {
        &self.habits[seat as usize]
    }

    /// The color in force before the card on top was played.
    pub(crate) fn color_before(&self) -> Option<Color> {
        self.before
    }

    /// The estimated rate at which a seat bluffs when it could.
    pub(crate) fn bluff_rate(&self, seat: Seat) -> f32 {
        self.habits[seat as usize].bluff_rate()
    }

    /// The belief about hidden hands now, after a [`look`](Memory::look).
    pub(crate) fn recall(&self) -> Recall<'_> {
        let mut recall =
            Recall { memory: self, unseen: self.unseen(), used: [0; SEATS], chances: [[0.0; GROUPS]; SEATS] };
        for seat in (0..self.players as usize).filter(|seat| *seat != self.seat as usize) {
            for (place, group) in self.dossiers[seat].groups.iter().enumerate() {
                let possible = recall.unseen.len() as u32 - recall.unseen.count_in(group.not);
                recall.chances[seat][place] = 1.0 / possible.max(1) as f32;
                recall.used[seat] |= u8::from(group.count > 0) << place;
            }
        }
        recall
    }

    /// The cards that could be anywhere: hidden, and not known to be in some hand.
    fn unseen(&self) -> Hand {
        let mut unseen = self.hidden;
        for seat in (0..self.players).filter(|seat| *seat != self.seat) {
            let known = &self.dossiers[seat as usize].known;
            if !known.is_empty() {
                unseen.remove_all(known);
            }
        }
        unseen
    }

    /// Something happened.
    #[inline]
    pub(crate) fn see(&mut self, event: &SeenEvent) {
        match event.event() {
            Event::Played { seat, card, color, discarded, .. } => self.played(*seat, *card, *color, discarded),
            Event::Drew { seat, cards, reason } => self.drew(*seat, cards, *reason),
            Event::TurnCame { .. } | Event::Skipped { .. } => self.drew_in_vain(),
            Event::Kept { seat } => self.kept(*seat),
            Event::ColorCalled { seat, color } => self.called(*seat, *color),
            Event::TurnedUp { card, turned: Turned::Start } => self.lie_on_top(*card, None),
            _ => self.see_rare(event.event()),
        }
    }

    #[inline(never)]
    fn see_rare(&mut self, event: &Event) {
        match *event {
            Event::Blocked { seat, color } => {
                self.lost(seat, Card::FLITTERIFIC);
                self.lie_on_top(Card::FLITTERIFIC, Some(color));
                self.note_color(seat, Some(color));
            }
            Event::Discarded { seat, cards } => cards.iter().for_each(|card| self.lost(seat, *card)),
            Event::Challenged { seat, challenged, guilty } => self.challenged(seat, challenged, guilty),
            Event::HandShown { seat, to, hand: Veiled::Open(cards) } if to == self.seat => {
                let hand = Hand::try_from_iter(cards.iter().copied()).unwrap_or(Hand::EMPTY);
                self.shown(seat, hand);
            }
            Event::HandsSwapped { seat, with } => {
                self.write_down_own_hand();
                self.dossiers.swap(seat as usize, with as usize);
            }
            Event::HandsPassed { direction } => {
                self.write_down_own_hand();
                let before = self.dossiers;
                for seat in 0..self.players {
                    self.dossiers[direction.next(seat, self.players) as usize] = before[seat as usize];
                }
            }
            Event::HandsShuffled { .. } => self.dossiers = [Dossier::default(); SEATS],
            Event::Received { seat, cards } => self.received(seat, &cards),
            Event::Reshuffled { .. } => self.reshuffled(),
            _ => {}
        }
    }

    /// The draw pile ran out, so the hidden cards are exactly those in the other hands.
    fn reshuffled(&mut self) {
        let nowhere = self.hidden.kinds().complement();
        self.dossiers[..self.players as usize].iter_mut().for_each(|dossier| dossier.lacks(nowhere));
        self.recount = true;
    }

    /// W4: a challenged hand is shown as it was when the card was played; what was drawn since stays unknown.
    fn shown(&mut self, seat: Seat, hand: Hand) {
        let later = self.dossiers[seat as usize].len().saturating_sub(hand.len());
        self.dossiers[seat as usize] = Dossier::of(hand);
        self.dossiers[seat as usize].draw(later as u8);
    }

    fn write_down_own_hand(&mut self) {
        self.dossiers[self.seat as usize] = Dossier::of(self.own);
    }

    fn received(&mut self, seat: Seat, cards: &Veiled) {
        match cards {
            Veiled::Open(cards) if seat == self.seat => {
                self.own = Hand::try_from_iter(cards.iter().copied()).unwrap_or(Hand::EMPTY);
                self.recount = true;
            }
            _ if self.dossiers[seat as usize].len() != cards.count() as usize => {
                self.dossiers[seat as usize] = Dossier::unknown(cards.count());
            }
            _ => {}
        }
    }

    fn lie_on_top(&mut self, card: Card, color: Option<Color>) {
        self.before = self.color;
        self.top = card;
        self.color = card.color().or(color);
    }

    fn lost(&mut self, seat: Seat, card: Card) {
        if seat == self.seat {
            self.own.remove(card);
        } else {
            self.hidden.remove(card);
            self.dossiers[seat as usize].lose(card);
        }
    }

    fn played(&mut self, seat: Seat, card: Card, color: Option<Color>, discarded: &[Card]) {
        if self.drew == Some(seat) && seat != self.seat {
            self.hidden.remove(card);
            self.dossiers[seat as usize].lose_fresh(card);
        } else {
            self.lost(seat, card);
        }
        self.drew = None;
        discarded.iter().for_each(|card| self.lost(seat, *card));
        self.attacker = (card == Card::WILD_DRAW_FOUR).then_some(seat);
        self.take_turn(seat);
        self.lie_on_top(card, color);
        self.note_color(seat, if card.is_wild() { color } else { None });
    }

    #[inline]
    fn take_turn(&mut self, seat: Seat) {
        let turns = &mut self.dossiers[seat as usize].turns;
        *turns = turns.saturating_add(1);
    }

    /// A player who calls a color is expected to hold it until they play it.
    fn note_color(&mut self, seat: Seat, called: Option<Color>) {
        let dossier = &mut self.dossiers[seat as usize];
        if called.is_some() || self.color == dossier.called {
            dossier.called = called;
        }
    }

    fn called(&mut self, seat: Seat, color: Color) {
        self.color = Some(color);
        self.note_color(seat, Some(color));
    }

    fn drew(&mut self, seat: Seat, cards: &Veiled, reason: DrawReason) {
        if let (Veiled::Open(cards), true) = (cards, seat == self.seat) {
            if let (DrawReason::Attack, Some(by)) = (reason, self.attacker.take()) {
                self.believe(by);
            }
            for card in cards.iter() {
                self.own.add(*card);
                self.hidden.remove(*card);
            }
            return;
        }
        if reason == DrawReason::Attack
            && let Some(by) = self.attacker.take()
        {
            self.habits[seat as usize].taken += 1;
            self.believe(by);
        }
        if reason == DrawReason::Turn {
            let matching = self.matching();
            let lacking = if self.patience { matching.minus(CardSet::WILDS) } else { matching };
            self.dossiers[seat as usize].lacks(lacking);
            self.take_turn(seat);
            self.drew = Some(seat);
        }
        let dossier = &mut self.dossiers[seat as usize];
        dossier.draw(cards.count());
    }

    /// Nobody challenged this seat's Wild Draw Four: unless they are known to bluff, they lack the color.
    fn believe(&mut self, by: Seat) {
        if let Some(color) = self.before
            && self.challenges
            && self.bluff_rate(by) < 0.5
        {
            self.dossiers[by as usize].lacks(CardSet::color(color));
        }
    }

    /// The turn moved on: what was drawn could not be played.
    fn drew_in_vain(&mut self) {
        if let Some(seat) = self.drew.take() {
            let matching = self.matching();
            self.dossiers[seat as usize].fresh_is_not(matching);
        }
    }

    fn kept(&mut self, seat: Seat) {
        self.drew = None;
        if seat != self.seat {
            // A fitting card is kept only if it is a wild.
            let kept = if self.patience { CardSet::WILDS } else { self.matching() };
            self.dossiers[seat as usize].fresh_is_not(kept.complement());
        }
    }

    /// Whether a seat drew in this turn and is deciding about the drawn card.
    pub(crate) fn has_drawn(&self, seat: Seat) -> bool {
        self.drew == Some(seat)
    }

    /// Whether a player who draws may still hold a wild.
    pub(crate) fn has_patience(&self) -> bool {
        self.patience
    }

    /// The color in force.
    pub(crate) fn color(&self) -> Option<Color> {
        self.color
    }

    /// The size of the smallest hand, leaving out one seat.
    pub(crate) fn smallest_but(&self, seat: Seat) -> usize {
        let size = |other: Seat| if other == self.seat { self.own.len() } else { self.dossier(other).len() };
        (0..self.players).filter(|other| *other != seat).map(size).min().unwrap_or(0)
    }

    /// What fits the card on top.
    pub(crate) fn matching(&self) -> CardSet {
        self.color.map_or(CardSet::EMPTY, |color| CardSet::matching(self.top, color))
    }

    fn challenged(&mut self, seat: Seat, challenged: Seat, guilty: bool) {
        self.attacker = None;
        self.habits[seat as usize].challenges += 1;
        let habits = &mut self.habits[challenged as usize];
        if guilty {
            habits.bluffs += 1;
        } else {
            habits.honest += 1;
        }
        if let (false, Some(color)) = (guilty, self.before) {
            self.dossiers[challenged as usize].lacks(CardSet::color(color));
        }
    }

    /// Everybody else at the table.
    pub(crate) fn others(&self) -> SeatSet {
        let mut others = SeatSet::first(self.players);
        others.remove(self.seat);
        others
    }
}

/// All cards that are neither in one's own hand nor in the discard pile.
fn count_hidden(sight: &Sight<'_>) -> Hand {
    let mut hidden = *sight.rules().deck().as_hand();
    hidden.remove_all(sight.hand());
    for card in sight.discards() {
        hidden.remove(*card);
    }
    hidden
}

/// A memory with its belief about hidden hands right now.
pub(crate) struct Recall<'a> {
    pub(crate) memory: &'a Memory,
    pub(crate) unseen: Hand,
    /// The non-empty groups, one bit each.
    used: [u8; SEATS],
    /// For each group, the probability that a card is a particular one of those it can be.
    chances: [[f32; GROUPS]; SEATS],
}

impl Recall<'_> {
    /// The probability that a hand holds one of these cards, with the unseen cards spread evenly.
    #[inline]
    fn holds(&self, seat: Seat, cards: CardSet) -> f32 {
        let [holds] = self.holds_each(seat, [cards]);
        holds
    }

    /// The same for several sets of cards.
    #[inline]
    fn holds_each<const N: usize>(&self, seat: Seat, sets: [CardSet; N]) -> [f32; N] {
        let dossier = self.memory.dossier(seat);
        let mut none = [1.0; N];
        let mut used = self.used[seat as usize];
        while used != 0 {
            let place = used.trailing_zeros() as usize;
            used &= used - 1;
            let (group, chance) = (&dossier.groups[place], self.chances[seat as usize][place]);
            let fitting = sets.map(|cards| self.unseen.count_in(cards.minus(group.not)));
            let others = powers(fitting.map(|fitting| 1.0 - fitting as f32 * chance), group.count);
            none.iter_mut().zip(others).for_each(|(none, others)| *none *= others);
        }
        let known = dossier.known.kinds();
        std::array::from_fn(|place| if known.and(sets[place]).is_empty() { 1.0 - none[place] } else { 1.0 })
    }
}

impl Insight for Recall<'_> {
    #[inline]
    fn colors(&self, sight: &Sight<'_>) -> [[f32; 4]; SEATS] {
        let mut holds = [[0.0; 4]; SEATS];
        for seat in (0..sight.players()).filter(|seat| *seat != sight.seat()) {
            holds[seat as usize] = self.holds_each(seat, Color::ALL.map(CardSet::color));
        }
        holds
    }

    #[inline]
    fn follows(&self, _sight: &Sight<'_>, seat: Seat, cards: CardSet) -> f32 {
        self.holds(seat, cards)
    }

    #[inline]
    fn unseen(&self, _sight: &Sight<'_>, cards: CardSet) -> u32 {
        self.unseen.count_in(cards)
    }

    #[inline]
    fn called(&self, seat: Seat) -> Option<Color> {
        self.memory.dossier(seat).called
    }

    fn trust(&self, seat: Seat) -> f32 {
        (1.0 - self.memory.habits(seat).challenge_rate()) / (1.0 - USUAL_CHALLENGES)
    }

    fn suspicion(&self, sight: &Sight<'_>) -> f32 {
        let (Phase::Respond { by, .. }, Some(color)) = (sight.phase(), self.memory.before) else { return 0.0 };
        let holds = self.holds(by, CardSet::color(color));
        bluff_odds(holds, self.memory.habits(by).bluff_rate())
    }
}

#[cfg(test)]
mod tests {
    use unum_rules::{CardList, Edition, Round, Rules, Seeded, Viewer};

    use super::*;
    use crate::appraisal::Blind;

    /// What is remembered of seat 1, after it drew in its first turn and kept what it had drawn.
    fn after_a_draw(mut memory: Memory, kept: bool) -> Dossier {
        let rules = Rules::of(Edition::Original);
        let round = Round::deal(&rules, 2, 0, &mut Seeded::new(1), &mut ()).expect("there are enough cards");
        memory.begin(&Sight::new(&round, &rules, 0, &[]));
        memory.look(&Sight::new(&round, &rules, 0, &[]));
        let drew = Event::Drew { seat: 1, cards: Veiled::Closed(1), reason: DrawReason::Turn };
        memory.see(&drew.seen_by(Viewer::Seat(0)));
        if kept {
            memory.see(&Event::Kept { seat: 1 }.seen_by(Viewer::Seat(0)));
        }
        *memory.dossier(1)
    }

    fn groups(dossier: &Dossier) -> Vec<Group> {
        dossier.groups().collect()
    }

    #[test]
    fn a_player_who_draws_lacks_what_fits_but_may_have_kept_a_wild() {
        let plain = groups(&after_a_draw(Memory::new(), false));
        assert!(plain.iter().any(|group| group.count == 7 && group.not.contains(Card::WILD)));
        let patient = groups(&after_a_draw(Memory::knowing_patience(), false));
        let old = patient.iter().find(|group| group.count == 7).expect("seven cards were dealt");
        assert!(!old.not.is_empty() && old.not.and(CardSet::WILDS).is_empty());
        let fresh = patient.iter().find(|group| group.count == 1).expect("one was drawn");
        assert_eq!((old.since, fresh.since), (0, 1));
    }

    #[test]
    fn what_is_kept_though_it_fits_is_a_wild() {
        let patient = groups(&after_a_draw(Memory::knowing_patience(), true));
        assert!(patient.iter().any(|group| group.count == 1 && group.not == CardSet::WILDS.complement()));
    }

    #[test]
    fn a_shown_hand_leaves_later_cards_unknown() {
        let rules = Rules::of(Edition::Original);
        let round = Round::deal(&rules, 2, 0, &mut Seeded::new(1), &mut ()).expect("there are enough cards");
        let mut memory = Memory::new();
        memory.begin(&Sight::new(&round, &rules, 0, &[]));
        let caught = Event::Drew { seat: 1, cards: Veiled::Closed(2), reason: DrawReason::Caught };
        memory.see(&caught.seen_by(Viewer::Seat(0)));
        let hand = *round.hand(1);
        let cards = Veiled::Open(CardList::try_from_iter(hand.iter()).expect("a hand is no more than a deck"));
        memory.see(&Event::HandShown { seat: 1, to: 0, hand: cards }.seen_by(Viewer::Seat(0)));
        assert_eq!((memory.dossier(1).known, memory.dossier(1).len()), (hand, hand.len() + 2));
    }

    #[test]
    fn colors_are_what_each_seat_follows_with() {
        fn check(insight: &impl Insight, sight: &Sight<'_>) {
            let all = insight.colors(sight);
            for seat in (0..sight.players()).filter(|seat| *seat != sight.seat()) {
                let alone = Color::ALL.map(|color| insight.follows(sight, seat, CardSet::color(color)));
                assert_eq!(all[seat as usize], alone);
                assert!(alone.iter().all(|holds| (0.0..=1.0).contains(holds)));
            }
        }
        let rules = Rules::of(Edition::Original);
        let round = Round::deal(&rules, 4, 0, &mut Seeded::new(2), &mut ()).expect("there are enough cards");
        let sight = Sight::new(&round, &rules, 1, &[]);
        let mut memory = Memory::new();
        memory.begin(&sight);
        let red = Hand::of(Card::from_index(0).expect("there is a first card"));
        memory.dossiers[2] = Dossier { known: red, ..Dossier::unknown(6) };
        memory.dossiers[3].lacks(CardSet::color(Color::Blue));
        memory.look(&sight);
        check(&memory.recall(), &sight);
        check(&Blind, &sight);
        assert_eq!(memory.recall().colors(&sight)[3][Color::Blue as usize], 0.0);
        assert_eq!(memory.recall().colors(&sight)[2][Color::Red as usize], 1.0);
    }

    #[test]
    fn powers_are_products() {
        for exponent in 0..=LARGEST as u8 {
            let [half, most] = powers([0.5, 0.9], exponent);
            assert_eq!(half, 0.5_f32.powi(exponent.into()));
            assert!((most - 0.9_f32.powi(exponent.into())).abs() < 1e-6);
        }
        assert_eq!(power(0.9, 200), power(0.9, LARGEST as u8));
    }
}
