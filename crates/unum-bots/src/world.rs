//! Worlds a seat can imagine: deals of the unseen cards that agree with all it has seen.

use unum_rules::{Card, CardList, CardSet, Chance, Guess, Hand, Phase, Round, SEATS, Seat, Sight};

use crate::judgment::happens;
use crate::memory::{Dossier, Memory, Recall};

/// How often a deal that fits badly is tried again.
const TRIES: usize = 8;
/// How likely somebody called a color they do not hold.
const CALLED_WITHOUT: f32 = 0.3;

/// The cards nobody has seen, dealt out again and again.
pub(crate) struct Imagination<'a> {
    sight: &'a Sight<'a>,
    recall: Recall<'a>,
    unseen: CardList,
}

impl<'a> Imagination<'a> {
    pub(crate) fn new(sight: &'a Sight<'a>, memory: &'a Memory) -> Imagination<'a> {
        let recall = memory.recall();
        let unseen = CardList::try_from_iter(recall.unseen.iter()).unwrap_or(CardList::EMPTY);
        Imagination { sight, recall, unseen }
    }

    /// A round as it may be; `None` when the seat has seen too little of the cards to make one up.
    pub(crate) fn world<C: Chance>(&self, chance: &mut C) -> Option<Round> {
        let mut world = self.deal(chance);
        for _ in 1..TRIES {
            if self.is_likely(&world, chance) {
                break;
            }
            world = self.deal(chance);
        }
        let (hands, pile, count) = world;
        let draw_pile = pile.get(..count)?;
        self.sight.imagine(&Guess { hands, draw_pile, bluff: self.bluff(&hands) })
    }

    /// Everybody gets what they are known to hold, and of the rest what does not contradict what they did.
    fn deal<C: Chance>(&self, chance: &mut C) -> (World, CardList, usize) {
        let mut pool = self.unseen;
        chance.shuffle(pool.as_mut_slice());
        let mut left = pool.len();
        let mut hands = [Hand::EMPTY; SEATS];
        // Whoever is known best chooses first: the others are less likely to be left with what does not fit.
        let mut seats: [(u32, Seat); SEATS] = [(0, 0); SEATS];
        let mut count = 0;
        for seat in self.recall.memory.others().iter() {
            let certainty = self.dossier(seat).groups().map(|group| group.not.len()).max().unwrap_or(0);
            seats[count] = (certainty, seat);
            count += 1;
        }
        seats[..count].sort_unstable_by(|a, b| b.cmp(a));
        for &(_, seat) in &seats[..count] {
            let dossier = self.dossier(seat);
            let hand = &mut hands[seat as usize];
            *hand = dossier.known;
            for group in dossier.groups() {
                for _ in 0..group.count {
                    if let Some(card) = take(pool.as_mut_slice(), &mut left, group.not) {
                        hand.add(card);
                    }
                }
            }
        }
        let draw_count = self.sight.draw_count().min(left);
        (hands, pool, if draw_count < self.sight.draw_count() { usize::MAX } else { draw_count })
    }

    fn dossier(&self, seat: Seat) -> &Dossier {
        self.recall.memory.dossier(seat)
    }

    /// Whether such a deal would have led to what people did: called the color they hold, played a Wild Draw
    /// Four because they lack it.
    fn is_likely<C: Chance>(&self, (hands, ..): &(World, CardList, usize), chance: &mut C) -> bool {
        let holds = |seat: Seat, color| !hands[seat as usize].kinds().and(CardSet::color(color)).is_empty();
        if self.bluff(hands) && !happens(self.recall.memory.bluff_rate(self.attacker()), chance) {
            return false;
        }
        self.recall.memory.others().iter().all(|seat| match self.dossier(seat).called {
            Some(color) => holds(seat, color) || happens(CALLED_WITHOUT, chance),
            None => true,
        })
    }

    fn attacker(&self) -> Seat {
        match self.sight.phase() {
            Phase::Respond { by, .. } => by,
            _ => self.sight.seat(),
        }
    }

    /// Whether the Wild Draw Four that waits for an answer was a bluff, with these hands.
    fn bluff(&self, hands: &World) -> bool {
        if !self.sight.can_challenge() {
            return false;
        }
        let hand = &hands[self.attacker() as usize];
        self.recall.memory.color_before().is_some_and(|color| {
            let matching = self.sight.rules().shows_bluff(color);
            !hand.kinds().and(matching).is_empty()
        })
    }
}

type World = [Hand; SEATS];

/// The next card of the pool that is none of these, or else the next card.
fn take(pool: &mut [Card], left: &mut usize, not: CardSet) -> Option<Card> {
    let place = (0..*left).rev().find(|place| !not.contains(pool[*place])).or_else(|| left.checked_sub(1))?;
    *left -= 1;
    pool.swap(place, *left);
    Some(pool[*left])
}
