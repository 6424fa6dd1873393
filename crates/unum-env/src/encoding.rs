//! The encoding of actions and observations: what every number means, per edition.

use std::sync::OnceLock;

use unum_rules::{Card, CardSet, Color, Edition, KINDS, Palette, Rules, SEATS};

use crate::ids::IdSet;

/// The version of the encoding, raised whenever an id or a place in an observation changes its meaning. Trained players
/// are only worth something with the version they were trained with.
pub const ENCODING_VERSION: u32 = 1;

/// How many other seats there can be.
const OTHERS: u16 = SEATS as u16 - 1;
/// The ids of colored cards are the numbers of the cards.
const COLORED: u16 = 52;
/// How many kinds of wild there are.
const WILDS: usize = KINDS - COLORED as usize;
/// No id.
const NONE: u16 = u16::MAX;

/// What an action id stands for. Other seats are counted from the one that acts, to the left: 1 is the next.
///
/// An action of the rules is one choice or several: a 7 that swaps hands is a `Play` and a `Swap`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Choice {
    /// Play this card, calling this color with a wild.
    Play(Card, Option<Color>),
    Draw,
    Keep,
    Take,
    Challenge,
    /// Call "UNO" late.
    CallUno,
    /// Do nothing about what can be done out of turn.
    Pass,
    /// Olaf's Summertime takes no more cards along.
    Done,
    /// Call "UNO" with the action being chosen.
    Uno,
    /// Do not.
    Silent,
    CallColor(Color),
    /// Catch a seat that forgot to call.
    Catch(u8),
    /// Swap hands with a seat.
    Swap(u8),
    Block(Color),
    /// Discard this card with the action being chosen.
    Pick(Card),
    Vote(bool),
    Dare(bool),
}

/// Numbers in a row that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// What they are.
    pub name: &'static str,
    /// The first of them.
    pub start: u16,
    /// How many there are.
    pub len: u16,
    /// The largest value that an observation has here; 1 for actions.
    pub high: u8,
}

/// What the numbers mean in one edition.
#[derive(Clone, Debug)]
pub struct Encoding {
    edition: Edition,
    palette: Palette,
    choices: Vec<Choice>,
    actions: Vec<Section>,
    /// Where the plays of each wild begin.
    wilds: [u16; WILDS],
    /// The ids of the plays of every set of wilds, as bits from [`COLORED`] on.
    wild_plays: [u32; 1 << WILDS],
    /// The id of each card as a pick.
    picks: [u16; KINDS],
    starts: Starts,
    /// The kinds of card of the edition, and the place of each kind in a list of them.
    kinds: Vec<Card>,
    places: [u8; KINDS],
    observation: Vec<Section>,
    /// How many open hands an observation has room for: one shown by a challenge, or those of all others.
    open_hands: usize,
}

/// Where the sections of actions begin.
#[derive(Clone, Copy, Debug)]
struct Starts {
    draw: u16,
    colors: u16,
    catches: u16,
    swaps: u16,
    blocks: u16,
    votes: u16,
}

/// The choices without a parameter, in the order of their ids.
const SINGLES: [(&str, Choice); 9] = [
    ("draw", Choice::Draw),
    ("keep", Choice::Keep),
    ("take", Choice::Take),
    ("challenge", Choice::Challenge),
    ("call_uno", Choice::CallUno),
    ("pass", Choice::Pass),
    ("done", Choice::Done),
    ("uno", Choice::Uno),
    ("silent", Choice::Silent),
];

/// Lists choices section by section.
#[derive(Default)]
struct Builder {
    choices: Vec<Choice>,
    sections: Vec<Section>,
}

impl Builder {
    fn section(&mut self, name: &'static str, choices: impl IntoIterator<Item = Choice>) -> u16 {
        let start = self.choices.len() as u16;
        self.choices.extend(choices);
        let len = self.choices.len() as u16 - start;
        if len > 0 {
            self.sections.push(Section { name, start, len, high: 1 });
        }
        if len > 0 { start } else { NONE }
    }
}

impl Encoding {
    /// The encoding of an edition.
    pub fn of(edition: Edition) -> &'static Encoding {
        static ALL: OnceLock<[Encoding; 5]> = OnceLock::new();
        let all = ALL.get_or_init(|| Edition::ALL.map(Encoding::new));
        &all[Edition::ALL.iter().position(|known| *known == edition).unwrap_or(0)]
    }

    fn new(edition: Edition) -> Encoding {
        let rules = Rules::of(edition);
        let kinds: Vec<Card> = rules.deck().kinds().map(|(card, _)| card).collect();
        let has = |card: Card| kinds.contains(&card);
        let customizable = has(Card::CUSTOMIZABLE[0]);
        let mut list = Builder::default();
        list.section("play", kinds.iter().filter(|card| !card.is_wild()).map(|card| Choice::Play(*card, None)));
        let mut wilds = [NONE; WILDS];
        let wild_kinds: Vec<Card> = kinds.iter().copied().filter(|card| card.is_wild()).collect();
        list.section("play_wild", wild_kinds.iter().flat_map(|card| wild_plays(*card)));
        let mut next = COLORED;
        for card in &wild_kinds {
            wilds[card.index() - usize::from(COLORED)] = next;
            next += if card.names_color() { 4 } else { 1 };
        }
        let wild_plays = std::array::from_fn(|set| {
            let held = wild_kinds.iter().filter(|card| set >> (card.index() - usize::from(COLORED)) & 1 == 1);
            held.fold(0, |bits, card| {
                let first = wilds[card.index() - usize::from(COLORED)] - COLORED;
                bits | if card.names_color() { 0xf } else { 1 } << first
            })
        });
        let draw = list.choices.len() as u16;
        for (name, choice) in SINGLES {
            list.section(name, [choice]);
        }
        let colors = list.section("call_color", Color::ALL.map(Choice::CallColor));
        let others = 1..=OTHERS as u8;
        let catches = list.section("catch", others.clone().map(Choice::Catch));
        let swaps = list.section("swap", others.map(Choice::Swap));
        let blocks =
            list.section("block", Color::ALL.map(Choice::Block).into_iter().filter(|_| has(Card::FLITTERIFIC)));
        let along = |card: &Card| has(Card::OLAF) && card.color().is_some_and(|color| Color::SUMMER.contains(&color));
        let picked: Vec<Card> = kinds.iter().copied().filter(|card| customizable || along(card)).collect();
        let first = list.section("pick", picked.iter().map(|card| Choice::Pick(*card)));
        let mut picks = [NONE; KINDS];
        (first..).zip(&picked).for_each(|(id, card)| picks[card.index()] = id);
        let votes = list.section("vote", [false, true].map(Choice::Vote).into_iter().filter(|_| customizable));
        list.section("dare", [false, true].map(Choice::Dare).into_iter().filter(|_| customizable));
        let mut places = [u8::MAX; KINDS];
        (0..).zip(&kinds).for_each(|(place, card)| places[card.index()] = place);
        let open_hands = if customizable { usize::from(OTHERS) } else { 1 };
        Encoding {
            edition,
            palette: rules.palette(),
            choices: list.choices,
            actions: list.sections,
            wilds,
            wild_plays,
            picks,
            starts: Starts { draw, colors, catches, swaps, blocks, votes },
            observation: crate::observe::sections(kinds.len(), open_hands, customizable),
            kinds,
            places,
            open_hands,
        }
    }

    /// The edition.
    pub fn edition(&self) -> Edition {
        self.edition
    }

    /// How many actions there are.
    pub fn actions(&self) -> usize {
        self.choices.len()
    }

    /// The actions, section by section.
    pub fn action_sections(&self) -> &[Section] {
        &self.actions
    }

    /// How many numbers an observation has.
    pub fn observation(&self) -> usize {
        self.observation.last().map_or(0, |section| usize::from(section.start + section.len))
    }

    /// The observation, section by section.
    pub fn observation_sections(&self) -> &[Section] {
        &self.observation
    }

    /// The kinds of card, in the order in which observations list them.
    pub fn kinds(&self) -> &[Card] {
        &self.kinds
    }

    /// The place of a kind of card in lists of them.
    #[inline]
    pub(crate) fn place(&self, card: Card) -> usize {
        usize::from(self.places[card.index()])
    }

    pub(crate) fn open_hands(&self) -> usize {
        self.open_hands
    }

    /// What an id stands for; `None` if there is no such id.
    #[inline]
    pub fn choice(&self, id: u16) -> Option<Choice> {
        self.choices.get(usize::from(id)).copied()
    }

    /// The id of a choice; `None` if this edition does not have it.
    #[inline]
    pub fn id(&self, choice: Choice) -> Option<u16> {
        let id = self.id_or_none(choice);
        (usize::from(id) < self.choices.len()).then_some(id)
    }

    /// All ways to play one of these cards.
    #[inline]
    pub(crate) fn plays(&self, cards: CardSet) -> IdSet {
        let colored = cards.bits() & ((1 << COLORED) - 1);
        let wilds = self.wild_plays[(cards.bits() >> COLORED) as usize & (self.wild_plays.len() - 1)];
        IdSet::from_bits(0, colored).or(IdSet::from_bits(COLORED, u64::from(wilds)))
    }

    #[inline]
    fn id_or_none(&self, choice: Choice) -> u16 {
        let Starts { draw, colors, catches, swaps, blocks, votes } = self.starts;
        let after = |start: u16, steps: u16| start.saturating_add(steps);
        let other = |start: u16, seat: u8| {
            if (1..=OTHERS).contains(&u16::from(seat)) { start + u16::from(seat) - 1 } else { NONE }
        };
        match choice {
            Choice::Play(card, color) => self.play_id(card, color),
            Choice::Draw => draw,
            Choice::Keep => draw + 1,
            Choice::Take => draw + 2,
            Choice::Challenge => draw + 3,
            Choice::CallUno => draw + 4,
            Choice::Pass => draw + 5,
            Choice::Done => draw + 6,
            Choice::Uno => draw + 7,
            Choice::Silent => draw + 8,
            Choice::CallColor(color) => after(colors, color as u16),
            Choice::Catch(seat) => other(catches, seat),
            Choice::Swap(seat) => other(swaps, seat),
            Choice::Block(color) => after(blocks, color as u16),
            Choice::Pick(card) => self.picks[card.index()],
            Choice::Vote(yes) => after(votes, u16::from(yes)),
            Choice::Dare(accept) => after(votes, 2 + u16::from(accept)),
        }
    }

    #[inline]
    fn play_id(&self, card: Card, color: Option<Color>) -> u16 {
        match (card.is_wild(), color) {
            (false, None) => card.index() as u16,
            (true, None) if !card.names_color() => self.wilds[card.index() - usize::from(COLORED)],
            (true, Some(color)) if card.names_color() => {
                self.wilds[card.index() - usize::from(COLORED)].saturating_add(color as u16)
            }
            _ => NONE,
        }
    }

    /// What an id stands for in words, such as `play R7`, `play W green`, `catch 2`.
    pub fn name(&self, id: u16) -> Option<String> {
        let card = |card: Card| card.name(self.palette);
        let color = |color: Color| color.name(self.palette);
        Some(match self.choice(id)? {
            Choice::Play(played, None) => format!("play {}", card(played)),
            Choice::Play(played, Some(called)) => format!("play {} {}", card(played), color(called)),
            Choice::CallColor(called) => format!("call_color {}", color(called)),
            Choice::Catch(seat) => format!("catch {seat}"),
            Choice::Swap(seat) => format!("swap {seat}"),
            Choice::Block(called) => format!("block {}", color(called)),
            Choice::Pick(picked) => format!("pick {}", card(picked)),
            Choice::Vote(yes) => format!("vote {}", if yes { "yes" } else { "no" }),
            Choice::Dare(accept) => format!("dare {}", if accept { "accept" } else { "refuse" }),
            single => SINGLES.iter().find(|(_, choice)| *choice == single)?.0.to_owned(),
        })
    }
}

fn wild_plays(card: Card) -> Vec<Choice> {
    if card.names_color() {
        Color::ALL.map(|color| Choice::Play(card, Some(color))).to_vec()
    } else {
        vec![Choice::Play(card, None)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::MAX_IDS;

    #[test]
    fn every_id_stands_for_one_choice_and_has_a_name_of_its_own() {
        for edition in Edition::ALL {
            let encoding = Encoding::of(edition);
            assert!(encoding.actions() <= MAX_IDS);
            let mut names = std::collections::BTreeSet::new();
            for id in 0..encoding.actions() as u16 {
                let choice = encoding.choice(id).unwrap();
                assert_eq!(encoding.id(choice), Some(id), "{edition}: {choice:?}");
                assert!(names.insert(encoding.name(id).unwrap()), "{edition}: {choice:?}");
            }
            for card in encoding.kinds() {
                let ids = (0..encoding.actions() as u16)
                    .filter(|id| matches!(encoding.choice(*id), Some(Choice::Play(played, _)) if played == *card));
                assert_eq!(encoding.plays(CardSet::of(*card)), ids.collect(), "{edition}: {card:?}");
            }
            assert_eq!((encoding.choice(names.len() as u16), encoding.name(names.len() as u16)), (None, None));
        }
        let original = Encoding::of(Edition::Original);
        for choice in [Choice::Block(Color::Red), Choice::Vote(true), Choice::Dare(false), Choice::Pick(Card::WILD)] {
            assert_eq!(original.id(choice), None);
        }
        for choice in [
            Choice::Play(Card::WILD, None),
            Choice::Play(Card::OLAF, Some(Color::Red)),
            Choice::Swap(0),
            Choice::Catch(10),
        ] {
            assert_eq!(original.id(choice), None);
        }
    }

    /// The tables of docs/encoding.md, and through them the numbers themselves: a change of one raises the version.
    #[test]
    fn the_document_has_the_numbers() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/encoding.md");
        let document = std::fs::read_to_string(path).unwrap();
        assert!(document.contains(&format!("version {ENCODING_VERSION}")));
        for edition in Edition::ALL {
            let encoding = Encoding::of(edition);
            for (title, sections) in
                [("actions", encoding.action_sections()), ("observation", encoding.observation_sections())]
            {
                let list: Vec<String> = sections
                    .iter()
                    .map(|section| match section.len {
                        1 => format!("{} {}", section.name, section.start),
                        len => format!("{} {}–{}", section.name, section.start, section.start + len - 1),
                    })
                    .collect();
                let line = format!("| {edition} {title} | {} |", list.join(", "));
                assert!(document.contains(&line), "docs/encoding.md has no line\n{line}");
            }
        }
    }
}
