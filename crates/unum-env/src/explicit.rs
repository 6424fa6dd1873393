//! Explicit chance: a round in which every random event is a node of the game tree, with its outcomes and their
//! probabilities, as OpenSpiel has it.
//!
//! A shuffle becomes a sequence of nodes that choose the kind of one card after the other, the first to be drawn first. The
//! engine asks for chance while it carries out an action, so an action is tried with the outcomes known so far: if it
//! asks for more, there is a node; if not, it has happened.

use unum_rules::{Card, Chance, KINDS, Seat};

use crate::table::{EnvError, Payoff, Setting, Table};

/// Outcomes that were chosen, and what is asked for after the last of them.
#[derive(Clone, Debug, Default)]
pub struct Script {
    given: Vec<u16>,
    used: usize,
    wanted: Option<Vec<(u16, u32)>>,
}

impl Script {
    /// The next outcome; the first one that is missing is noted with everything it could be.
    fn next(&mut self, outcomes: impl FnOnce() -> Vec<(u16, u32)>) -> Option<u16> {
        if self.wanted.is_some() {
            return None;
        }
        let known = self.given.get(self.used).copied();
        match known {
            Some(_) => self.used += 1,
            None => self.wanted = Some(outcomes()),
        }
        known
    }
}

impl Chance for Script {
    fn below(&mut self, bound: u32) -> u32 {
        if bound < 2 {
            return 0;
        }
        let outcomes = || (0..bound as u16).map(|outcome| (outcome, 1)).collect();
        self.next(outcomes).map_or(0, u32::from).min(bound - 1)
    }

    fn shuffle(&mut self, cards: &mut [Card]) {
        for last in (1..cards.len()).rev() {
            let outcomes = kinds(&cards[..=last]);
            let kind = match outcomes.as_slice() {
                [(only, _)] => Some(*only),
                _ => self.next(|| outcomes),
            };
            let Some(kind) = kind else { return };
            if let Some(place) = cards[..=last].iter().position(|card| card.index() == usize::from(kind)) {
                cards.swap(place, last);
            }
        }
    }
}

/// The kinds of card among some, with the number of copies.
fn kinds(cards: &[Card]) -> Vec<(u16, u32)> {
    let mut counts = [0; KINDS];
    cards.iter().for_each(|card| counts[card.index()] += 1);
    (0..).zip(counts).filter(|(_, count)| *count > 0).collect()
}

/// A round whose random events are chosen by the caller.
#[derive(Clone, Debug)]
pub struct Explicit {
    dealer: Seat,
    /// The round before what is happening; `None` before the deal.
    table: Option<Table<Script>>,
    /// The choice being carried out, after the deal.
    choice: Option<u16>,
    given: Vec<u16>,
    /// What chance has to decide now: outcomes and how many equally likely ways there are to each.
    wanted: Option<Vec<(u16, u32)>>,
}

impl Explicit {
    /// A round before the deal.
    ///
    /// # Errors
    /// When there are bots in the setting: they decide by chance of their own.
    pub fn new(setting: &Setting, dealer: Seat) -> Result<Explicit, EnvError> {
        if setting.has_bots() {
            return Err(EnvError::BotsAndChance);
        }
        let mut round = Explicit { dealer, table: None, choice: None, given: Vec::new(), wanted: None };
        round.go_on(setting)?;
        Ok(round)
    }

    /// The outcomes of the random event that comes next, with the number of equally likely ways to each; empty if a seat
    /// decides or the round is over.
    pub fn outcomes(&self) -> &[(u16, u32)] {
        self.wanted.as_deref().unwrap_or_default()
    }

    /// The round while a seat decides or after its end.
    pub fn table(&self) -> Option<&Table<Script>> {
        self.table.as_ref().filter(|_| self.wanted.is_none())
    }

    /// Lets chance decide.
    ///
    /// # Errors
    /// When that is not one of the outcomes.
    pub fn happen(&mut self, setting: &Setting, outcome: u16) -> Result<(), EnvError> {
        if !self.outcomes().iter().any(|(known, _)| *known == outcome) {
            return Err(EnvError::NotLegal(crate::NotLegal { id: i64::from(outcome) }));
        }
        self.given.push(outcome);
        self.go_on(setting)
    }

    /// Makes a choice for the seat that decides.
    ///
    /// # Errors
    /// When it is not legal, or it is for chance to decide.
    pub fn step(&mut self, setting: &Setting, id: u16) -> Result<(), EnvError> {
        let table = self.table().ok_or(EnvError::Over)?;
        if table.seat().is_none() {
            return Err(EnvError::Over);
        }
        if !table.legal().contains(id) {
            return Err(EnvError::NotLegal(crate::NotLegal { id: i64::from(id) }));
        }
        self.choice = Some(id);
        self.given.clear();
        self.go_on(setting)
    }

    /// Tries what is happening with the outcomes so far.
    fn go_on(&mut self, setting: &Setting) -> Result<(), EnvError> {
        let script = Script { given: self.given.clone(), used: 0, wanted: None };
        let mut tried = match &self.table {
            None => setting.deal_with(script, self.dealer),
            Some(table) => {
                let mut table = table.clone();
                table.set_chance(script);
                table.step(setting, self.choice.unwrap_or(0))?;
                table
            }
        };
        self.wanted = tried.chance_mut().wanted.take();
        if self.wanted.is_none() {
            self.table = Some(tried);
            self.choice = None;
            self.given.clear();
        }
        Ok(())
    }

    /// What everybody gets when the round is over, by seat; zeros before.
    pub fn pay(&self, setting: &Setting, payoff: Payoff, rewards: &mut [f32]) {
        rewards.fill(0.0);
        if let Some(table) = self.table().filter(|table| table.seat().is_none()) {
            table.pay(setting, payoff, rewards);
        }
    }
}

#[cfg(test)]
mod tests {
    use unum_rules::{Edition, Rules, Seeded};

    use super::*;
    use crate::decision::Unos;

    #[test]
    fn rounds_can_be_played_with_chance_as_a_player() {
        for edition in Edition::ALL {
            let setting = Setting::new(Rules::of(edition), 3, Unos::Called).unwrap();
            let mut whims = Seeded::new(4);
            for _ in 0..3 {
                let mut round = Explicit::new(&setting, 1).unwrap();
                let (mut nodes, mut choices) = (0, 0);
                loop {
                    let outcomes = round.outcomes();
                    if let Some(place) = (!outcomes.is_empty()).then(|| whims.below(outcomes.len() as u32)) {
                        let (outcome, ways) = outcomes[place as usize];
                        assert!(ways > 0 && outcomes.len() > 1);
                        round.happen(&setting, outcome).unwrap();
                        nodes += 1;
                        continue;
                    }
                    let Some(table) = round.table().filter(|table| table.seat().is_some()) else { break };
                    let id = table.legal().pick(&mut whims).unwrap();
                    round.step(&setting, id).unwrap();
                    choices += 1;
                }
                let mut rewards = [9.0; 3];
                round.pay(&setting, Payoff::Win, &mut rewards);
                assert!(rewards.iter().sum::<f32>().abs() < 1e-6 && nodes >= 90 && choices > 5, "{nodes} {choices}");
            }
        }
    }

    #[test]
    fn the_first_card_is_any_card_by_its_copies_and_lands_where_it_belongs() {
        let setting = Setting::new(Rules::of(Edition::Original), 2, Unos::Called).unwrap();
        let mut round = Explicit::new(&setting, 0).unwrap();
        assert_eq!(round.outcomes().len(), 54);
        assert_eq!(round.outcomes().iter().map(|(_, ways)| ways).sum::<u32>(), 108);
        assert!(round.table().is_none() && round.step(&setting, 0).is_err());
        let wild = Card::WILD_DRAW_FOUR.index() as u16;
        round.happen(&setting, wild).unwrap();
        assert_eq!(round.outcomes().iter().map(|(_, ways)| ways).sum::<u32>(), 107);
        assert!(round.happen(&setting, 59).is_err());
        while let Some((first, _)) = round.outcomes().first().copied() {
            round.happen(&setting, first).unwrap();
        }
        let table = round.table().unwrap();
        assert!(table.round().hand(1).contains(Card::WILD_DRAW_FOUR), "left of the dealer is dealt the first card");
    }
}
