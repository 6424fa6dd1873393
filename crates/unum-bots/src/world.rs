//! Determinization: samples worlds, deals of the unseen cards that are consistent with everything a seat has seen.

use unum_rules::{Card, CardList, CardSet, Chance, Guess, Hand, Phase, Round, SEATS, Seat, Sight, order};

use crate::judgment::happens;
use crate::manner::{Deeds, Holding};
use crate::memory::{Dossier, Memory, Recall, USUAL_BLUFFS};

/// How often a deal that fits badly is tried again.
const TRIES: usize = 8;
/// How many hands are sampled to choose one by what its owner did.
const HANDS: usize = 8;
/// The probability that somebody calls a color they do not hold.
const CALLED_WITHOUT: f32 = 0.3;
/// How many of the bluffs are kept that the opponent model lets through, with two players and with more. Few hands are
/// sampled, so an unlikely one is chosen too often; with this, bluffs are about as frequent in worlds as in rounds of `hard`
/// bots.
const BLUFFS_KEPT: [f32; 2] = [0.7, 0.4];

/// The cards nobody has seen, dealt out again and again.
pub(crate) struct Imagination<'a> {
    sight: &'a Sight<'a>,
    recall: Recall<'a>,
    unseen: CardList,
    deeds: &'a Deeds,
}

impl<'a> Imagination<'a> {
    pub(crate) fn new(sight: &'a Sight<'a>, memory: &'a Memory, deeds: &'a Deeds) -> Imagination<'a> {
        let recall = memory.recall();
        let unseen = CardList::try_from_iter(recall.unseen.iter()).unwrap_or(CardList::EMPTY);
        Imagination { sight, recall, unseen, deeds }
    }

    /// A possible round; `None` if the seat has seen too little to make one up.
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

    /// Everybody gets the cards they are known to hold, and others that do not contradict what they did.
    fn deal<C: Chance>(&self, chance: &mut C) -> (World, CardList, usize) {
        let mut pool = self.unseen;
        chance.shuffle(pool.as_mut_slice());
        let mut left = pool.len();
        let mut hands = [Hand::EMPTY; SEATS];
        // The best-known hand is dealt first, which makes it less likely that others get impossible cards.
        let mut seats: [(u32, Seat); SEATS] = [(0, 0); SEATS];
        let mut count = 0;
        for seat in self.recall.memory.others().iter() {
            let certainty = self.dossier(seat).groups().map(|group| group.not.len()).max().unwrap_or(0);
            seats[count] = (certainty, seat);
            count += 1;
        }
        order::sort_by(&mut seats[..count], |a, b| b.cmp(a));
        for &(_, seat) in &seats[..count] {
            hands[seat as usize] = self.deal_hand(seat, pool.as_mut_slice(), &mut left, chance);
        }
        let draw_count = self.sight.draw_count().min(left);
        (hands, pool, if draw_count < self.sight.draw_count() { usize::MAX } else { draw_count })
    }

    /// A hand out of the cards that are left. If its owner has played since they last drew, several are sampled and one
    /// is chosen by how well it explains what they did.
    fn deal_hand<C: Chance>(&self, seat: Seat, pool: &mut [Card], left: &mut usize, chance: &mut C) -> Hand {
        let dossier = self.dossier(seat);
        if self.deeds.is_empty(seat) || dossier.groups().next().is_none() {
            return draw_hand(dossier, pool, left, chance).hand;
        }
        let mut chosen = Hand::EMPTY;
        let mut sum = 0.0;
        for _ in 0..HANDS {
            let mut rest = *left;
            let holding = draw_hand(dossier, pool, &mut rest, chance);
            let likelihood = self.deeds.likelihood(seat, &holding, self.sight.players());
            sum += likelihood;
            if happens(likelihood / sum, chance) {
                chosen = holding.hand;
            }
        }
        let mut drawn = chosen;
        drawn.remove_all(&dossier.known);
        for card in drawn.iter() {
            if let Some(place) = pool[..*left].iter().position(|other| *other == card) {
                *left -= 1;
                pool.swap(place, *left);
            }
        }
        chosen
    }

    fn dossier(&self, seat: Seat) -> &Dossier {
        self.recall.memory.dossier(seat)
    }

    /// Whether such a deal would have led to what people did: called the color they hold, played a Wild Draw
    /// Four because they lack it.
    fn is_likely<C: Chance>(&self, (hands, ..): &(World, CardList, usize), chance: &mut C) -> bool {
        let holds = |seat: Seat, color| !hands[seat as usize].kinds().and(CardSet::color(color)).is_empty();
        if self.sight.can_challenge() && !happens(self.credit(self.bluff(hands)), chance) {
            return false;
        }
        self.recall.memory.others().iter().all(|seat| match self.dossier(seat).called {
            Some(color) => holds(seat, color) || happens(CALLED_WITHOUT, chance),
            None => true,
        })
    }

    /// How often a deal is kept in which the Wild Draw Four that waits for an answer is a bluff, or honest.
    ///
    /// If the opponent model has weighed the play already, it knows how often people bluff, and only the habits of this
    /// player are left to count.
    fn credit(&self, bluff: bool) -> f32 {
        let by = self.attacker();
        let rate = self.recall.memory.bluff_rate(by);
        let weighed = self.deeds.last_play(by) == Some(Card::WILD_DRAW_FOUR);
        let kept = BLUFFS_KEPT[usize::from(self.sight.players() > 2)];
        let weight = if weighed { kept * rate / USUAL_BLUFFS } else { rate };
        if bluff { weight.min(1.0) } else { weight.recip().min(1.0) }
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

/// What is known to be in a hand, and the rest of it from the pool.
fn draw_hand<C: Chance>(dossier: &Dossier, pool: &mut [Card], left: &mut usize, chance: &mut C) -> Holding {
    let mut holding = Holding::of(dossier.known);
    for group in dossier.groups() {
        let mut part = Hand::EMPTY;
        for _ in 0..group.count {
            if let Some(card) = take(pool, left, group.not, chance) {
                part.add(card);
            }
        }
        holding.add(group.since, part);
    }
    holding
}

/// A card of the pool that is not one of these, or failing that any card.
fn take<C: Chance>(pool: &mut [Card], left: &mut usize, not: CardSet, chance: &mut C) -> Option<Card> {
    if *left == 0 {
        return None;
    }
    let start = chance.below(*left as u32) as usize;
    let places = (start..*left).chain(0..start);
    let place = places.into_iter().find(|place| !not.contains(pool[*place])).unwrap_or(start);
    *left -= 1;
    pool.swap(place, *left);
    Some(pool[*left])
}

#[cfg(test)]
mod tests {
    use rand_core::SeedableRng;
    use rand_pcg::Pcg64Mcg;
    use unum_rules::{Edition, Event, Rules, Viewer};

    use super::*;
    use crate::{Bot, Budget, Expert, Hard};

    const WORLDS: usize = 24;

    /// Lets `hard` bots play rounds while an expert watches from each seat. The share of Wild Draw Fours that were
    /// bluffs, and the share of imagined worlds in which they were.
    fn bluffs(players: u8, rounds: u64) -> (f64, f64) {
        let rules = Rules::of(Edition::Original);
        let (mut occasions, mut real, mut imagined) = (0.0, 0.0, 0.0);
        let is_bluff = |round: &Round| matches!(*round.phase(), Phase::Respond { bluff: true, .. });
        for number in 0..rounds {
            let mut chance = Pcg64Mcg::seed_from_u64(number);
            let mut round = Round::deal(&rules, players, 0, &mut chance, &mut ()).expect("there are enough cards");
            let seed = |seat: u8| number << 8 | u64::from(seat);
            let mut bots: Vec<Hard> = (0..players).map(|seat| Hard::new(seed(seat))).collect();
            let mut experts: Vec<Expert> = (0..players).map(|seat| Expert::new(seed(seat), Budget::STUDY)).collect();
            for seat in 0..players {
                let sight = Sight::new(&round, &rules, seat, &[]);
                bots[usize::from(seat)].begin(&sight);
                experts[usize::from(seat)].begin(&sight);
            }
            while let Some(seat) = round.awaited() {
                let sight = Sight::new(&round, &rules, seat, &[]);
                if sight.can_challenge() {
                    let expert = &mut experts[usize::from(seat)];
                    let worlds = (0..WORLDS).filter_map(|_| expert.imagine(&sight));
                    imagined += worlds.filter(is_bluff).count() as f64 / WORLDS as f64;
                    real += f64::from(u8::from(is_bluff(&round)));
                    occasions += 1.0;
                }
                let action = bots[usize::from(seat)].act(&sight);
                let mut events: Vec<Event> = Vec::new();
                round.apply(&rules, seat, &action, &mut chance, &mut events).expect("bots make legal moves");
                for event in &events {
                    for seat in 0..players {
                        let seen = event.seen_by(Viewer::Seat(seat));
                        bots[usize::from(seat)].see(&seen);
                        experts[usize::from(seat)].see(&seen);
                    }
                }
            }
        }
        (real / occasions, imagined / occasions)
    }

    #[test]
    fn bluffs_are_imagined_about_as_often_as_they_are_real() {
        for (players, rounds) in [(2, 500), (4, 250)] {
            let (real, imagined) = bluffs(players, rounds);
            assert!((real - imagined).abs() < 0.04, "{players}: {real:.3} of the plays, {imagined:.3} of the worlds");
        }
    }
}
