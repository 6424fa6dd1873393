//! A deck, counted for people.

use unum_protocol::{DeckCard, RulesView};
use unum_rules::{ColorName, Face};

/// A deck, counted for people.
pub(super) struct DeckList {
    /// What each group of like colors holds: usually one group of all colors.
    pub(super) colored: Vec<ColorGroup>,
    /// Names and numbers of the wilds.
    pub(super) wilds: Vec<(String, u32)>,
}

/// Colors with the same cards.
pub(super) struct ColorGroup {
    pub(super) colors: Vec<ColorName>,
    /// Faces and how many there are of each.
    faces: Vec<(Face, u8)>,
}

impl DeckList {
    pub(super) fn of(rules: &RulesView) -> DeckList {
        let mut list = DeckList { colored: Vec::new(), wilds: Vec::new() };
        rules.deck.iter().filter(|kind| kind.card.color().is_none()).for_each(|kind| list.add_wild(kind));
        for color in &rules.colors {
            let cards = rules.deck.iter().filter(|kind| kind.card.color() == Some(*color));
            let faces = cards.map(|kind| (kind.card.kind().face(), kind.copies)).collect();
            list.add_group(ColorGroup { colors: vec![*color], faces });
        }
        list
    }

    /// Customizable cards are counted together.
    fn add_wild(&mut self, kind: &DeckCard) {
        let (name, copies) = (kind.card.spoken(), u32::from(kind.copies));
        let name = name.trim_end_matches(|c: char| c == ' ' || c.is_ascii_digit());
        match self.wilds.iter_mut().find(|(other, _)| other == name) {
            Some((_, total)) => *total += copies,
            None => self.wilds.push((name.to_owned(), copies)),
        }
    }

    fn add_group(&mut self, group: ColorGroup) {
        let mut groups = self.colored.iter_mut();
        match groups.find(|other| other.faces == group.faces) {
            Some(like) => like.colors.extend(group.colors),
            None => self.colored.push(group),
        }
    }

    /// The wilds that not every edition has, as text.
    pub(super) fn own_cards(&self) -> String {
        let shared = [Face::Wild, Face::WildDrawFour].map(|face| face.to_string());
        let own = self.wilds.iter().filter(|(name, _)| !shared.contains(name));
        let own: Vec<String> = own.map(|(name, n)| format!("{n} {name}")).collect();
        if own.is_empty() { "none".to_owned() } else { own.join(", ") }
    }
}

impl ColorGroup {
    /// `one 0`, `two each of 1-9`, `two each of Skip, Reverse, Draw Two`.
    pub(super) fn lines(&self) -> Vec<String> {
        let runs = self
            .faces
            .chunk_by(|(face, copies), (next, others)| copies == others && is_number(*face) == is_number(*next));
        runs.map(|run| format!("{} {}", each(run), faces(run))).collect()
    }
}

fn is_number(face: Face) -> bool {
    matches!(face, Face::Number(_))
}

/// `one` of a single face, `two each of` several.
fn each(run: &[(Face, u8)]) -> String {
    let number = run.first().map_or(0, |(_, copies)| *copies);
    let of = if run.len() > 1 { " each of" } else { "" };
    format!("{}{of}", number_word(number))
}

fn number_word(number: u8) -> String {
    let words = ["no", "one", "two", "three", "four"];
    let word = words.get(usize::from(number));
    word.map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

/// `1-9`, or `Skip, Reverse, Draw Two`.
fn faces(run: &[(Face, u8)]) -> String {
    match run {
        [(first @ Face::Number(_), _), _, .., (last, _)] => format!("{first}-{last}"),
        _ => run.iter().map(|(face, _)| face.to_string()).collect::<Vec<_>>().join(", "),
    }
}

#[cfg(test)]
mod tests {
    use unum_rules::{Edition, Rules};

    use super::*;

    fn list(edition: Edition) -> DeckList {
        DeckList::of(&RulesView::new(&Rules::of(edition)))
    }

    #[test]
    fn decks_are_grouped_by_color() {
        let list = list(Edition::Frozen);
        let [group] = list.colored.as_slice() else {
            panic!("all colors hold the same cards");
        };
        let colors = [ColorName::Pink, ColorName::Yellow, ColorName::Green, ColorName::Blue];
        assert_eq!(group.colors, colors);
        let lines = ["one 0", "two each of 1-9", "two each of Skip, Reverse, Draw Two"];
        assert_eq!(group.lines(), lines);
        assert_eq!(list.own_cards(), "4 Olaf's Summertime");
    }

    #[test]
    fn customizable_cards_are_counted_together() {
        let list = list(Edition::Custom);
        let own = "1 Wild Shuffle Hands, 3 Wild Customizable";
        assert_eq!(list.own_cards(), own);
    }
}
