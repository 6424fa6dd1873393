//! The rules in words: one plain explanation for every rule id.
//!
//! This is the only place where rules are explained to people. A refusal carries a rule id, and
//! [`find`] turns that id into the text that `unum rules` prints and the page shows.
//!
//! A text says how the rule is played in every edition that [`Rule::editions`] lists; [`Rule::differences`] says where
//! one edition departs from it. [`Rule::rulings`] names the points on which the printed rule sheets are silent, so
//! nobody mistakes our choice for theirs.

use crate::Edition;

/// A group of rules on one subject.
#[derive(Debug, Clone, Copy)]
pub struct Section {
    /// What the ids of the section begin with (`"W"`), or `"House"` for the house rules.
    pub letter: &'static str,
    /// The subject.
    pub title: &'static str,
    /// The rules, in order.
    pub rules: &'static [Rule],
}

/// One rule, explained.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// The stable id: `"W4"`, or the name of a house rule such as `"stacking"`.
    pub id: &'static str,
    /// A few words that name the rule.
    pub title: &'static str,
    /// The explanation.
    pub text: &'static str,
    /// Which points are our own rulings, because the sheets are silent; whole sentences.
    pub rulings: &'static [&'static str],
    /// The editions in which the rule applies.
    pub editions: &'static [Edition],
    /// How single editions differ from the text.
    pub differences: &'static [(Edition, &'static str)],
    /// The editions whose difference takes the place of the text, rather than adding to it.
    pub replaced: &'static [Edition],
    /// Rulings that concern some editions only, by their place in the list.
    pub ruled_in: &'static [(usize, &'static [Edition])],
}

impl Rule {
    /// Whether the rule is part of this edition.
    pub fn applies_in(&self, edition: Edition) -> bool {
        self.editions.contains(&edition)
    }

    /// How this edition differs from the text, if it does.
    pub fn difference_in(&self, edition: Edition) -> Option<&'static str> {
        let mut differences = self.differences.iter();
        differences.find(|(other, _)| *other == edition).map(|(_, text)| *text)
    }

    /// The rule as this edition plays it: what it says, and what it adds to that.
    pub fn text_in(&self, edition: Edition) -> (&'static str, Option<&'static str>) {
        match self.difference_in(edition) {
            Some(own) if self.replaced.contains(&edition) => (own, None),
            difference => (self.text, difference),
        }
    }

    /// The rulings that concern this edition.
    pub fn rulings_in(&self, edition: Edition) -> impl Iterator<Item = &'static str> {
        let places = self.rulings.iter().enumerate();
        places.filter(move |(place, _)| self.is_ruled_in(*place, edition)).map(|(_, ruling)| *ruling)
    }

    /// Whether the ruling in that place of the list concerns this edition.
    pub fn is_ruled_in(&self, place: usize, edition: Edition) -> bool {
        let mut limits = self.ruled_in.iter().filter(|(limited, _)| *limited == place);
        limits.next().is_none_or(|(_, editions)| editions.contains(&edition))
    }

    const fn replaced(self, replaced: &'static [Edition]) -> Rule {
        Rule { replaced, ..self }
    }

    const fn ruled_in(self, ruled_in: &'static [(usize, &'static [Edition])]) -> Rule {
        Rule { ruled_in, ..self }
    }

    const fn ruled(self, rulings: &'static [&'static str]) -> Rule {
        Rule { rulings, ..self }
    }

    const fn only(self, editions: &'static [Edition]) -> Rule {
        Rule { editions, ..self }
    }

    const fn differs(self, differences: &'static [(Edition, &'static str)]) -> Rule {
        Rule { differences, ..self }
    }
}

/// What is special about an edition.
#[derive(Debug, Clone, Copy)]
pub struct EditionNotes {
    /// The edition.
    pub edition: Edition,
    /// Its name, for headings.
    pub title: &'static str,
    /// The edition in a few sentences.
    pub summary: &'static str,
    /// What it does differently, with rule ids in brackets.
    pub differences: &'static [&'static str],
    /// Rulings about its deck, which has no rule id; whole sentences.
    pub rulings: &'static [&'static str],
}

impl EditionNotes {
    /// The deck: the first sentence of the summary. The second is about the match, which a table can score differently.
    pub fn deck(&self) -> &'static str {
        self.summary.find(". ").map_or(self.summary, |end| &self.summary[..=end])
    }
}

/// The rule with this id, whatever the case of its letters: `find("w4")`.
pub fn find(id: &str) -> Option<&'static Rule> {
    rules().find(|rule| rule.id.eq_ignore_ascii_case(id))
}

/// The section with this letter (or `house`), whatever the case.
pub fn find_section(letter: &str) -> Option<&'static Section> {
    SECTIONS.iter().find(|section| section.letter.eq_ignore_ascii_case(letter))
}

/// Every rule, in the order of the sections.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    SECTIONS.iter().flat_map(|section| section.rules)
}

/// The rules that apply in an edition, in the order of the sections.
pub fn for_edition(edition: Edition) -> impl Iterator<Item = &'static Rule> {
    rules().filter(move |rule| rule.applies_in(edition))
}

/// What is special about an edition.
pub fn edition_notes(edition: Edition) -> &'static EditionNotes {
    match edition {
        Edition::Original => &EDITIONS[0],
        Edition::Fairies => &EDITIONS[1],
        Edition::Frozen => &EDITIONS[2],
        Edition::Custom => &EDITIONS[3],
        Edition::Modern => &EDITIONS[4],
    }
}

const EVERY: &[Edition] = &Edition::ALL;
const FROZEN: &[Edition] = &[Edition::Frozen];
const ORIGINAL: &[Edition] = &[Edition::Original];
const MODERN: &[Edition] = &[Edition::Modern];
const NOT_MODERN: &[Edition] = &[Edition::Original, Edition::Fairies, Edition::Frozen, Edition::Custom];
const NOT_ORIGINAL: &[Edition] = &[Edition::Fairies, Edition::Frozen, Edition::Custom, Edition::Modern];
const FAIRIES: &[Edition] = &[Edition::Fairies];
const CUSTOM: &[Edition] = &[Edition::Custom];
/// The editions with wilds of their own that can be turned up at the start.
const WITH_OWN_WILDS: &[Edition] = &[Edition::Fairies, Edition::Frozen, Edition::Custom];

/// A rule of every edition, printed on the sheets and the same everywhere, unless stated otherwise.
const fn rule(id: &'static str, title: &'static str, text: &'static str) -> Rule {
    Rule { id, title, text, rulings: &[], editions: EVERY, differences: &[], replaced: &[], ruled_in: &[] }
}

/// The game in twenty lines or so, for somebody who has never played: a title and sentences each.
pub static HOW_TO_PLAY: &[(&str, &str)] = &[
    ("The aim", "Be the first to get rid of all your cards."),
    ("The deal", "Everyone gets seven cards. The rest is the draw pile; its top card opens the discard pile."),
    (
        "Your turn",
        "Play one card that has the color, the number or the symbol of the top card. Wilds go on anything. If you \
         cannot or do not want to play, draw one card; if it fits, you may play it at once. Then the next player has \
         the turn.",
    ),
    (
        "The symbols",
        "Skip: the next player misses a turn. Reverse: play turns around. Draw Two: the next player draws two cards \
         and misses a turn.",
    ),
    ("Wild", "Play it on anything and name the color to go on with."),
    (
        "Wild Draw Four",
        "You name the color, and the next player draws four cards and misses a turn. Play it only if you hold no card \
         of the color in force. If you do hold one, it is a bluff: the next player may challenge you. The one \
         who is wrong pays: the bluffer draws the four cards, or the challenger draws six.",
    ),
    (
        "UNO",
        "When you play your second-last card, call \"UNO\". If somebody catches you before the next player begins, you \
         draw two cards.",
    ),
    (
        "The end",
        "The first player without cards wins the round and gets points for the cards that the others hold: numbers \
         count as printed, symbols 20, wilds 50. The first with 500 points wins the match.",
    ),
];

/// The rules that mention all these words, in their title, text, rulings or differences, whatever the case.
pub fn search(words: &str) -> Vec<&'static Rule> {
    let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let mentions = |rule: &&Rule| {
        let differences = rule.differences.iter().map(|(_, text)| *text);
        let texts = [rule.id, rule.title, rule.text].into_iter().chain(rule.rulings.iter().copied()).chain(differences);
        let all = texts.collect::<Vec<_>>().join(" ").to_lowercase();
        !words.is_empty() && words.iter().all(|word| all.contains(word))
    };
    let titled = |rule: &&'static Rule| !words.iter().any(|word| rule.title.to_lowercase().contains(word));
    let mut found: Vec<&'static Rule> = rules().filter(mentions).collect();
    // A rule that is about it comes before one that mentions it.
    found.sort_by_key(titled);
    found
}

/// All rules, by subject; the house rules come last.
pub static SECTIONS: &[Section] = &[
    Section { letter: "D", title: "Dealer and deal", rules: DEAL },
    Section { letter: "S", title: "The start card", rules: START },
    Section { letter: "T", title: "A turn", rules: TURN },
    Section { letter: "A", title: "Action cards and the Wild", rules: ACTION },
    Section { letter: "W", title: "Wild Draw Four", rules: WILD_DRAW_FOUR },
    Section { letter: "F", title: "Flitterific!", rules: FLITTERIFIC },
    Section { letter: "O", title: "Olaf's Summertime", rules: OLAF },
    Section { letter: "H", title: "Wild Shuffle Hands", rules: SHUFFLE_HANDS },
    Section { letter: "C", title: "Wild Customizable", rules: CUSTOMIZABLE },
    Section { letter: "U", title: "Calling \"UNO\"", rules: UNO },
    Section { letter: "G", title: "Going out", rules: GOING_OUT },
    Section { letter: "P", title: "Points", rules: POINTS },
    Section { letter: "X", title: "Table talk", rules: TABLE_TALK },
    Section { letter: "House", title: "House rules", rules: HOUSE },
];

const DEAL: &[Rule] = &[
    rule(
        "D1",
        "Choosing the dealer",
        "Before the very first round, everyone takes one card, and the player showing the highest \
         number becomes the dealer. A card with a symbol in place of a number is worth nothing \
         here.",
    )
    .ruled(&[
        "If several players show the same highest number, just those players try again, until one \
         of them is ahead.",
        "All cards taken for this return to the deck before it is shuffled for the deal.",
        "The modern sheet does not say how the dealer is found; there a seat is picked by chance.",
    ])
    .differs(&[(Edition::Modern, "Nobody takes a card for it: the dealer's seat is picked by chance.")])
    .replaced(MODERN)
    .ruled_in(&[(0, NOT_MODERN), (1, NOT_MODERN), (2, MODERN)]),
    rule(
        "D2",
        "The deal",
        "Two to ten people can play. Everyone is dealt seven cards, unless the house rule \
         hand_size sets another number. What remains of the deck lies face down in the middle and \
         is the draw pile.",
    )
    .ruled(&[
        "The cards are dealt singly, and the player on the dealer's left gets the first one.",
        "Only one of the sheets says how many can play; we let two to ten play every edition.",
    ]),
    rule(
        "D3",
        "The next dealer",
        "For each new round, the job of dealing moves on to the player on the left of the last \
         dealer.",
    )
    .ruled(&["The sheets do not say who deals later rounds; that the deal moves to the left is our \
         choice."]),
];

const IGNORED: (Edition, &str) =
    (Edition::Modern, "The card lies there and does nothing; cards are flipped until a number shows up (S2).");
const IGNORED_IN_MODERN: &[(Edition, &str)] = &[IGNORED];

const START: &[Rule] = &[
    rule(
        "S1",
        "A number as start card",
        "After the deal, the top card of the draw pile is flipped to open the discard pile. \
         If it is a number, the player on the dealer's left takes the first turn, and play travels \
         to the left.",
    ),
    rule(
        "S2",
        "A Draw Two as start card",
        "It hits the player on the dealer's left, who takes two cards and gets no first turn. The \
         player after that one opens the round.",
    )
    .ruled(&["In the modern edition, the cards that were ignored remain in the discard pile, beneath the \
         number that is found in the end."])
    .differs(&[(
        Edition::Modern,
        "The card lies there and does nothing. Cards are flipped until a number shows up, and then \
         S1 applies.",
    )])
    .replaced(MODERN)
    .ruled_in(&[(0, MODERN)]),
    rule(
        "S3",
        "A Reverse as start card",
        "Play runs to the right from the beginning, and the dealer has the opening turn.",
    )
    .differs(IGNORED_IN_MODERN)
    .replaced(MODERN),
    rule(
        "S4",
        "A Skip as start card",
        "The player on the dealer's left is passed over, so the second player to the left opens \
         the round.",
    )
    .differs(IGNORED_IN_MODERN)
    .replaced(MODERN),
    rule(
        "S5",
        "A wild as start card",
        "If a Wild is flipped, the player on the dealer's left names a color and then takes the \
         opening turn.",
    )
    .ruled(&["The sheets do not say what else such a card does at the start; that it does nothing more is our \
         choice."])
    .ruled_in(&[(0, WITH_OWN_WILDS)])
    .differs(&[
        (Edition::Fairies, "A Flitterific! does the same here, and nothing more."),
        (Edition::Frozen, "An Olaf's Summertime does the same here, and takes no cards along."),
        (
            Edition::Custom,
            "A Wild Shuffle Hands or Wild Customizable does the same here: no hands are shuffled, and no \
             custom rule takes effect.",
        ),
        IGNORED,
    ])
    .replaced(MODERN),
    rule(
        "S6",
        "A Wild Draw Four as start card",
        "A Wild Draw Four never opens the discard pile. It is put back among the cards of the draw \
         pile, and a different one is flipped.",
    )
    .ruled(&["The draw pile is shuffled once more before the next card is flipped."])
    .differs(&[(
        Edition::Modern,
        "It is not put back. It lies there and does nothing, and cards are flipped until a number \
         shows up (S2).",
    )])
    .replaced(MODERN)
    .ruled_in(&[(0, NOT_MODERN)]),
    rule(
        "S7",
        "Nobody played the start card",
        "A Draw Two that was flipped as start card came from no player's hand. Therefore the house \
         rule stacking does not let anyone add to it.",
    )
    .ruled(&["The sheets do not say whether a start card can be answered; that it cannot is our choice."])
    .differs(&[
        (Edition::Fairies, "A Flitterific! is no protection against it either."),
        (Edition::Modern, "This never comes up, because a Draw Two flipped at the start does nothing (S2)."),
    ])
    .replaced(MODERN)
    .ruled_in(&[(0, NOT_MODERN)]),
    rule(
        "S8",
        "No start card to be found",
        "With very large hands it can happen that the cards left over contain nothing that may \
         open the discard pile. Then all cards are gathered, shuffled and dealt afresh.",
    )
    .ruled(&["The sheets do not foresee that no start card can be found; the new deal is our choice."]),
];

const TURN: &[Rule] = &[
    rule(
        "T1",
        "Playing a card",
        "On your turn you may put one card on the discard pile. It has to agree with the top card \
         in color, number or symbol; when a wild lies on top, the color its player named is the \
         one that counts. Wilds of all kinds go on any card, although a Wild Draw Four has a \
         condition attached (W2).",
    ),
    rule(
        "T2",
        "Drawing a card",
        "Instead of playing you may draw one card, even if you could have played. Should the new \
         card fit, you can play it right away or keep it, but the cards you held before stay in \
         your hand this turn. Should it not fit, your turn is over.",
    )
    .ruled(&["The game moves on at once if the card does not fit, so the others can tell whether a card \
         that you kept could have been played."]),
    rule(
        "T3",
        "Action cards have to fit too",
        "Draw Two, Reverse and Skip are no exception to T1. Such a card goes on its own color, \
         also when a wild has called for it, or on a card with the same symbol.",
    ),
    rule(
        "T4",
        "When the draw pile runs out",
        "If somebody has to draw and the draw pile is used up, the top discard stays where it is \
         and all cards below it are shuffled to become the new draw pile. A wild among them \
         forgets the color that was named for it.",
    )
    .ruled(&[
        "The discards are reshuffled only when a card is really needed, not as soon as the draw \
         pile is used up.",
        "If there are no discards to reshuffle either, you draw what can be found, which may be \
         nothing at all.",
    ]),
    rule(
        "T5",
        "A blocked round",
        "When nobody can move anymore, the round stops and has no winner; P5 says what that means \
         for the score. This is the case once all players, one after the other all around the \
         table, have finished a turn by trying to draw and finding nothing. The count starts over \
         when someone plays a card, or gets at least one card by drawing on their own turn. Cards \
         taken because of somebody's Draw Two or Wild Draw Four make no difference to it.",
    )
    .ruled(&["The sheets do not foresee that nobody can move; ending the round without a winner, and \
         the way of counting up to it, are our choice."])
    .differs(&[(Edition::Fairies, "Blocking with a Flitterific! starts the count over, too.")]),
];

const ACTION: &[Rule] = &[
    rule("A1", "Draw Two", "The player after you takes two cards and has to sit this turn out.")
        .differs(&[(Edition::Fairies, "That player can use a Flitterific! to get out of it (F1).")]),
    rule(
        "A2",
        "Reverse",
        "Play turns around: from now on it travels the opposite way. If there are only two of you, \
         that changes nothing you would notice, since it is the other player's turn either way. \
         Usually a Reverse works like a Skip for two players; that is the house rule \
         reverse_skips_with_two.",
    )
    .ruled(&["The sheets do not mention two players; without the house rule we take the Reverse at its \
         word."]),
    rule("A3", "Skip", "The player after you is passed over and gets no turn this time."),
    rule(
        "A4",
        "Wild",
        "You name the color that has to be matched next. Every color is allowed, even the one that \
         was in force already.",
    )
    .differs(&[(Edition::Frozen, "The colors are pink, yellow, green and blue.")]),
];

const WILD_DRAW_FOUR: &[Rule] = &[
    rule(
        "W1",
        "Playing a Wild Draw Four",
        "You name the color that has to be matched next. The player after you takes four cards and \
         has to sit this turn out, or else challenges your play (W4).",
    )
    .differs(&[(Edition::Fairies, "That player can also use a Flitterific! to get out of it (F1).")]),
    rule(
        "W2",
        "When a Wild Draw Four is honest",
        "The play is honest if none of your other cards has the color that was in force up to \
         then. A fitting number or symbol in a different color is no obstacle, and neither is a \
         wild. What counts is your hand at the moment of playing; cards you receive afterward make \
         no difference.",
    )
    .ruled(&[
        "In the modern edition, a second Wild Draw Four in your hand is a wild too and so counts \
         as a match.",
        "The sheets do not say when the hand is judged; the moment of playing is our choice.",
    ])
    .differs(&[(
        Edition::Modern,
        "A wild of any kind among your other cards counts as a match, so the play is honest only \
         if you hold neither the color nor a wild.",
    )])
    .replaced(MODERN)
    .ruled_in(&[(0, MODERN)]),
    rule(
        "W3",
        "Bluffing",
        "Nothing stops you from playing a Wild Draw Four when W2 says you should not. That is a \
         bluff, and it works unless the next player sees through it and challenges. Only the house \
         rule no_bluffing makes it impossible.",
    ),
    rule(
        "W4",
        "Challenging a Wild Draw Four",
        "If you are the one who has to take the four cards, you may say that you do not believe \
         the play was honest; no one else has that right. The other player must then let you see \
         all of their cards, and you are the only one who gets to look. The house rules \
         no_bluffing and no_challenges do away with challenges.",
    )
    .ruled(&[
        "You have to decide before you draw; afterward it is too late to challenge.",
        "You see the hand as it was when the Wild Draw Four was played, without cards drawn since.",
    ]),
    rule(
        "W5",
        "A challenge that succeeds",
        "If the play was a bluff, the bluffer takes four cards and you take nothing. Then it is your turn.",
    )
    .ruled(&["After a challenge that succeeds, you have an ordinary turn."]),
    rule(
        "W6",
        "A challenge that fails",
        "If the play was honest, your doubt costs you two cards on top of the four. You take six \
         and have to sit this turn out.",
    ),
    rule(
        "W7",
        "The color after a challenge",
        "However a challenge ends, the color named with the Wild Draw Four remains in force. The \
         card itself is not taken back.",
    )
    .ruled(&[
        "Only the modern sheet says that the color remains in force; we play it that way in every \
         edition.",
        "The sheets do not say what becomes of the card after a bluff; we leave it on the discard \
         pile.",
    ])
    .ruled_in(&[(0, NOT_MODERN)]),
    rule(
        "W8",
        "A Wild Draw Four as last card",
        "When a Wild Draw Four was somebody's last card, nobody can challenge it: with no other \
         card in the hand, it cannot have been a bluff. The next player draws as G2 says.",
    )
    .ruled(&["The sheets do not say whether a last card can be challenged; that it cannot is our \
         choice."]),
    rule(
        "W9",
        "A Wild Draw Four just drawn",
        "If the card you draw on your turn is a Wild Draw Four, T2 lets you play it right away. To \
         see whether that is honest, look at all your other cards, as W2 explains.",
    ),
];

const FLITTERIFIC: &[Rule] = &[
    rule(
        "F1",
        "Blocking with Flitterific!",
        "When somebody's Draw Two or Wild Draw Four hits you, you can answer by laying down a \
         Flitterific!. Then no cards are drawn at all, you name the color to go on with, and you \
         have used up your turn.",
    )
    .only(FAIRIES)
    .ruled(&["Because Flitterific! is in the deck, the game stops after each Draw Two and Wild Draw \
         Four and asks the player who was hit, even one without a Flitterific!, so that the pause \
         gives nothing away."]),
    rule(
        "F2",
        "Flitterific! on your own turn",
        "Played on your own turn, it works like a Wild: it goes on any card, and you name the \
         color.",
    )
    .only(FAIRIES),
    rule(
        "F3",
        "Only one answer",
        "Each attack can be answered just once: after a challenge you can no longer block. If the \
         Flitterific! you block with is your last card, you have gone out.",
    )
    .only(FAIRIES)
    .ruled(&[
        "The sheet does not say whether a block can follow a challenge; that it cannot is our \
         choice.",
        "The sheet does not mention a block with the last card; that it means going out is our \
         choice.",
    ]),
    rule(
        "F4",
        "Blocking the card that ends a round",
        "Even a Draw Two or Wild Draw Four with which somebody goes out can be blocked. You are \
         spared the new cards and get rid of a Flitterific!, which would have counted 50 points \
         against you. The round is over nonetheless, and its winner is the player who was out \
         first.",
    )
    .only(FAIRIES)
    .ruled(&["The sheet does not say whether the card that ends a round can be blocked; that it can, \
         without changing the winner, is our choice."]),
];

const OLAF: &[Rule] = &[
    rule(
        "O1",
        "Playing Olaf's Summertime",
        "It is a wild: it goes on any card, and you name the color. If you like, you put down \
         further cards from your hand with it, three at most, and either only pink ones or only \
         yellow ones; numbers and symbols are both fine. Since these cards are thrown away and not \
         played, you can do the same with an Olaf's Summertime you drew just now.",
    )
    .only(FROZEN)
    .ruled(&["The sheet does not say whether an Olaf's Summertime you drew just now can take cards along; \
         that it can is our choice."]),
    rule(
        "O2",
        "What the extra discards do",
        "Nothing: they slide beneath Olaf's Summertime, and whatever is printed on them does not \
         happen. Olaf's Summertime remains the top card, with the color you named.",
    )
    .only(FROZEN)
    .ruled(&["The sheet does not say where these cards go and whether they act; that they go beneath \
         and do nothing is our choice."]),
    rule(
        "O3",
        "Few cards left after Olaf's Summertime",
        "If you have no cards left after the extra discards, you have gone out. If you have one \
         left, you must call \"UNO\" as U1 says.",
    )
    .only(FROZEN),
];

const SHUFFLE_HANDS: &[Rule] = &[
    rule(
        "H1",
        "Mixing all hands",
        "Everybody gives up their whole hand. All those cards are mixed and dealt again, one by \
         one, to the last card, so you may end up with a bigger or a smaller hand. The player on \
         the left of the one who played Wild Shuffle Hands is served first, and the deal continues \
         to the left even while play travels to the right.",
    )
    .only(CUSTOM),
    rule(
        "H2",
        "The color after the mixing",
        "Next, the player who played the card names the color. The direction of play stays as it was.",
    )
    .only(CUSTOM)
    .ruled(&["The color is named after a look at the new hand, since the sheet tells about the mixing \
         first."]),
    rule(
        "H3",
        "Wild Shuffle Hands and the end of a round",
        "If it is your last card, you have gone out and no hands are mixed. A player who gets a \
         single card in the mixing does not have to call \"UNO\".",
    )
    .only(CUSTOM)
    .ruled(&[
        "The sheet does not say what happens when it is the last card; we let it end the round.",
        "The sheet does not say whether a single card from the mixing calls for an \"UNO\"; we say \
         it does not.",
    ]),
];

const CUSTOMIZABLE: &[Rule] = &[
    rule(
        "C1",
        "A card with your own rule",
        "Each Wild Customizable is a wild that can carry a house rule of yours; everybody has to \
         agree to it before you start. The three cards may have three different rules. A card \
         without a rule is simply a Wild.",
    )
    .only(CUSTOM),
    rule(
        "C2",
        "What your rule can do",
        "Give your rule a title and a text, and pick the effects that the game should carry out: \
         drawing, discarding, an extra turn, open hands, a joke that the others judge, a dare and \
         so on. The ten ideas of the sheet are ready for use, the silly ones too, and you can put \
         together many more. If you pick no effects, the game shows title and text and trusts you \
         to do what they say.",
    )
    .only(CUSTOM),
    rule(
        "C3",
        "When your rule takes effect",
        "You name the color while playing the card. After that, its effects are carried out from \
         the first to the last.",
    )
    .only(CUSTOM)
    .ruled(&["If it is your last card, you have gone out and the effects are left undone."]),
    rule(
        "C4",
        "Who acts first",
        "If an effect concerns several players, the one after the player of the card begins, and \
         the others follow in the direction of play, which puts the player of the card last. \
         Players who have to discard pick the cards themselves.",
    )
    .only(CUSTOM)
    .ruled(&["The sheet leaves open who acts first and who picks discards; this order, and letting \
         players pick for themselves, are our choice."]),
    rule(
        "C5",
        "When an effect empties a hand",
        "If an effect takes somebody's last card, it is still completed for everyone it concerns. \
         Of the players who then have no cards, the first in the order of C4 has gone out and is \
         the winner of the round. The remaining effects of the card are left undone. So a player who \
         holds only wilds wins when a card makes everybody discard all wilds.",
    )
    .only(CUSTOM)
    .ruled(&["The sheet does not say what happens when an effect empties a hand; completing it and \
         giving the round to the first such player are our choice."]),
];

const UNO: &[Rule] = &[
    rule(
        "U1",
        "Calling \"UNO\"",
        "When you bring yourself down to a single card, by playing or by discarding because of a \
         card's effect, you must call \"UNO\". You can do so together with your play, or later if \
         nobody was quicker to catch you. In between you are liable, which means that you can be \
         caught.",
    )
    .ruled(&["If you get to a single card in any other way, because it was dealt, swapped or passed to \
         you, you need not call."]),
    rule(
        "U2",
        "Catching someone",
        "Every other player may catch you while you are liable. The time for it starts when your \
         card is on the discard pile and is over when the next player begins a turn. If you are \
         caught, you take two cards, or as many as the house rule uno_penalty says.",
    ),
    rule(
        "U3",
        "When a turn begins",
        "You begin your turn by drawing from the draw pile or by taking a card out of your hand to \
         play it; from then on nobody who was liable before can be caught. If you are liable and \
         also have the next turn, for instance after a Skip with two players, your own play or \
         draw puts an end to it.",
    )
    .ruled(&[
        "You do not begin a turn by a forced draw that costs you the turn, by a challenge, or by \
         naming a color.",
        "You do not begin a turn by discarding, voting or answering a dare because of a card's \
         effect.",
        "You do begin a turn by jumping in or by stacking a card.",
        "You do begin a turn by blocking with a Flitterific!.",
        "Only the original sheet explains what it means to begin a turn; we use that in every edition.",
    ])
    .ruled_in(&[(1, CUSTOM), (3, FAIRIES), (4, NOT_ORIGINAL)]),
    rule(
        "U4",
        "When you are safe again",
        "As soon as you call, you are no longer liable. The same is true once you have been \
         caught, even if there was no card left for you to take, and whenever the number of cards \
         in your hand is no longer one.",
    ),
    rule(
        "U5",
        "Calls for no reason",
        "The game does not accept a catch if the other player is not liable, nor an \"UNO\" if you \
         have nothing to call. It tells you so, and that is all: no penalty.",
    )
    .ruled(&["The sheets do not mention mistaken calls; turning them down without a penalty is our \
         choice."]),
];

const GOING_OUT: &[Rule] = &[
    rule(
        "G1",
        "The end of a round",
        "A round is over when somebody's hand is empty. That player has gone out and wins it.",
    ),
    rule(
        "G2",
        "Going out with a Draw Two or Wild Draw Four",
        "The player after the winner still takes the two or four cards. They are part of that \
         player's hand when points are added up.",
    )
    .ruled(&["The modern sheet does not mention this; we play it there as well."])
    .ruled_in(&[(0, MODERN)])
    .differs(&[(Edition::Fairies, "That player can use a Flitterific! to get out of it (F4).")]),
];

const POINTS: &[Rule] = &[
    rule(
        "P1",
        "What cards are worth",
        "A number is worth as many points as it shows. Each Draw Two, Reverse or Skip is worth 20 \
         points. Each Wild or Wild Draw Four is worth 50.",
    )
    .ruled(&[
        "Our copy of the fairies sheet does not show what a Draw Two is worth; we count 20.",
        "Our copy of the modern sheet lacks the number for Draw Two, Reverse and Skip; we count 20.",
    ])
    .ruled_in(&[(0, FAIRIES), (1, MODERN)])
    .differs(&[
        (Edition::Fairies, "Each Flitterific! is worth 50 points."),
        (Edition::Frozen, "Each Olaf's Summertime is worth 50 points."),
        (Edition::Custom, "Each Wild Shuffle Hands or Wild Customizable is worth 40 points."),
    ]),
    rule(
        "P2",
        "The first to 500",
        "This is the usual way to score. The winner of a round gets points for every card that the \
         others still hold. The match goes to the first player who has 500 points or more. A table \
         can agree on a different target.",
    )
    .differs(&[(Edition::Modern, "This is optional here: unless the table chooses it, one round decides (P4).")]),
    rule(
        "P3",
        "The lowest total",
        "A table can choose this in place of P2. After each round, all players add the cards in \
         their own hand to their own total. Once somebody has 500 points or more, the match is \
         over, and the smallest total wins. A table can agree on a different target.",
    )
    .ruled(&["If several players share the smallest total, all of them win."])
    .differs(&[(
        Edition::Modern,
        "The sheet does not have this way of scoring, but a table can choose it nonetheless.",
    )]),
    rule(
        "P4",
        "A single round",
        "A table can choose to play just one round. The player who goes out wins the match, and nobody \
         gets points.",
    )
    .differs(&[(Edition::Modern, "This is the usual way to play here, unless the table chooses another.")]),
    rule(
        "P5",
        "Points for a blocked round",
        "What happens after a blocked round (T5) depends on the scoring. With P2, nobody gets \
         points. With P3, all players add their own hand to their total. With P4, that round has \
         no winner and another one is dealt, by the next dealer (D3).",
    )
    .ruled(&["The sheets have no blocked rounds, so all of this scoring is our choice."]),
];

const TABLE_TALK: &[Rule] = &[rule(
    "X1",
    "Telling others what to play",
    "A player who tells another what to play takes four cards. The engine leaves the decision to a \
     referee; at an online table somebody accuses the player, the rest of the people there vote \
     (bots do not), and it takes a majority. It can happen at any time until the round is over, \
     but never to a player who is already out. If the player is busy discarding because of a \
     card's effect, they have to discard that many more. Other editions can have this rule by way \
     of suggestion_penalty.",
)
.only(ORIGINAL)];

const HOUSE: &[Rule] = &[
    rule(
        "reverse_skips_with_two",
        "With two players, Reverse skips",
        "When only two play, a Reverse works like a Skip: it is your turn again, and play keeps \
         its direction. If it is the start card, the dealer opens the round, and play keeps its \
         direction then too.",
    )
    .differs(&[(Edition::Modern, "As start card a Reverse does nothing, as always here (S3).")]),
    rule(
        "stacking",
        "Answering a draw card with a draw card",
        "With the setting \"same\" you can put a Draw Two on a Draw Two that hits you, or a Wild \
         Draw Four on a Wild Draw Four; with \"any\" you can mix them, but a Draw Two on a Wild \
         Draw Four needs the color that was named; \"off\" is the usual game. The cards add up, \
         and the first player who does not answer takes them all and has to sit that turn out. If \
         you answer with a Wild Draw Four, W2 decides as always whether that is honest: a card of the \
         color in force makes it a bluff, even one that could not have answered. A \
         challenge is possible if a Wild Draw Four was played last, and concerns that card alone: \
         a bluffer takes the whole sum, a challenger who was wrong takes the sum and two more. The \
         card that ends a round cannot be answered in this way, so the next player takes the whole \
         sum.",
    )
    .differs(&[(
        Edition::Fairies,
        "A Flitterific! blocks the whole sum, even when the last card ended the round (F4).",
    )]),
    rule(
        "seven_zero",
        "Sevens swap, zeros rotate",
        "If you play a 7, you choose a player and the two of you swap hands. If you play a 0, \
         everybody passes their hand to the next player in the direction of play. If the 7 or 0 is \
         your last card, you have gone out and all hands stay where they are. You do not have to \
         call \"UNO\" for a hand you receive, and once a hand is given away nobody can be caught \
         for it. If your play left you with one card before the swap, you can call \"UNO\" with \
         that play.",
    ),
    rule(
        "jump_in",
        "Jumping in",
        "If you hold a card with the very same color and the very same number or symbol as the top \
         card, you can play it although it is not your turn; wilds are excluded. It works only \
         before the player whose turn it is has played or drawn, and not while someone has a \
         decision to make. Play continues from your seat as though it had been your turn, and nobody \
         who was liable before can be caught (U3). You may also jump in on a card of your own.",
    ),
    rule(
        "draw_to_match",
        "Drawing until a card fits",
        "If you draw, even with a card in hand that fits, you go on drawing until you get a card \
         that you may play, or until no card is left. A Wild Draw Four ends the search even if it would be a bluff, unless no_bluffing \
         is on. Of all your cards, only this last one can be played on that turn; you can also \
         keep it.",
    ),
    rule(
        "force_play",
        "You must play if you can",
        "If you hold a card that can be played, you are not allowed to draw. If the card you draw \
         can be played, you are not allowed to keep it. For this purpose a Wild Draw Four can be \
         played only if that is honest (W2). You never have to stack a card or block with one.",
    ),
    rule(
        "no_bluffing",
        "No bluffing",
        "The game refuses a Wild Draw Four unless it is honest (W2), also as an answer when \
         stacking is on. As there is nothing left to doubt, there are no challenges. This cannot \
         be combined with no_challenges.",
    )
    .ruled(&["In the modern edition, other Wild Draw Fours in your hand do not count as a match here: two \
         of them could otherwise never be played."])
    .ruled_in(&[(0, MODERN)]),
    rule(
        "no_challenges",
        "No challenges",
        "You can play a Wild Draw Four whatever you hold, and nobody can challenge it. This cannot \
         be combined with no_bluffing.",
    ),
    rule(
        "hand_size",
        "Cards dealt to each player",
        "You can deal 1 to 20 cards to each player; 7 is usual. The deck has to be big enough for \
         all hands and one start card.",
    ),
    rule(
        "uno_penalty",
        "Cards for a forgotten \"UNO\"",
        "A player who is caught takes this many cards, from 0 to 20; 2 is usual (U2). With 0, \
         nobody is ever liable, so nobody can be caught.",
    ),
    rule(
        "suggestion_penalty",
        "Cards for telling others what to play",
        "A player who tells another what to play takes this many cards, from 0 to 20 (X1). With 0, \
         the rule is off, which is usual in every edition except the original, where 4 is usual.",
    ),
];

/// What is special about each edition, in the order of [`Edition::ALL`].
pub static EDITIONS: &[EditionNotes] = &[
    EditionNotes {
        edition: Edition::Original,
        title: "Original",
        summary: "The classic game, with 108 cards in red, yellow, green and blue. A match lasts \
                  several rounds, until somebody has 500 points.",
        differences: &[
            "It has no special cards beyond those that all editions share.",
            "Telling another player what to play costs four cards [X1].",
            "Its sheet is the only one that explains when a turn begins; we follow it in every \
             edition [U3].",
        ],
        rulings: &[],
    },
    EditionNotes {
        edition: Edition::Fairies,
        title: "Fairies",
        summary: "The classic deck plus four Flitterific! cards, wilds that protect you from \
                  drawing: 112 cards in red, yellow, green and blue. A match lasts several rounds, \
                  until somebody has 500 points.",
        differences: &[
            "A Flitterific! blocks a Draw Two or Wild Draw Four, and otherwise works like a Wild \
             [F1, F2].",
            "After each Draw Two and Wild Draw Four, the game waits for an answer [F1].",
            "A challenge and a block exclude each other [F3].",
            "Even the draw card that ends a round can be blocked [F4].",
            "A Flitterific! left in a hand is worth 50 points [P1].",
            "As start card it just lets a player name the color [S5], and it is no protection from \
             a Draw Two as start card [S7].",
        ],
        rulings: &[],
    },
    EditionNotes {
        edition: Edition::Frozen,
        title: "Frozen",
        summary: "The classic deck in pink, yellow, green and blue, plus four Olaf's Summertime \
                  cards, wilds that can take other cards along: 112 cards. A match lasts several \
                  rounds, until somebody has 500 points.",
        differences: &[
            "Pink takes the place of red [A4].",
            "With an Olaf's Summertime you can get rid of up to three pink or three yellow cards \
             [O1].",
            "Cards discarded that way have no effect [O2], but can bring you down to one card or \
             to none [O3].",
            "An Olaf's Summertime left in a hand is worth 50 points [P1].",
            "As start card it just lets a player name the color [S5].",
        ],
        rulings: &[],
    },
    EditionNotes {
        edition: Edition::Custom,
        title: "Custom",
        summary: "The classic deck plus one Wild Shuffle Hands and up to three Wild Customizable \
                  cards that carry rules of your own: 112 cards with all of them, in red, yellow, \
                  green and blue. A match lasts several rounds, until somebody has 500 points.",
        differences: &[
            "Wild Shuffle Hands mixes the hands of all players and deals them again [H1]; its color \
             is named afterward [H2].",
            "Wild Customizable cards do what your table has agreed on [C1, C2].",
            "You choose beforehand how many Wild Customizable cards to put in; the deck then has \
             109 to 112 cards [C1].",
            "An effect can take a player's last card; that player wins the round [C5].",
            "Wild Shuffle Hands and Wild Customizable cards left in a hand are worth 40 points \
             each [P1].",
            "As start card they just let a player name the color [S5].",
        ],
        rulings: &["The table may also play without any Wild Customizable card."],
    },
    EditionNotes {
        edition: Edition::Modern,
        title: "Modern",
        summary: "The short game of today, with 112 cards in red, yellow, green and blue. One \
                  round decides, and counting points is optional.",
        differences: &[
            "The dealer is picked by chance [D1].",
            "A start card that is not a number does nothing: cards are flipped until a number \
             shows up [S2, S3, S4, S5, S6].",
            "A Wild Draw Four is honest only if the hand holds no wild of any kind either [W2].",
            "The sheet itself says that the color remains in force after a challenge [W7].",
            "The player who goes out wins [P4]; playing for 500 points is possible [P2], but the sheet \
             does not have the lowest total as a way of scoring [P3].",
            "Its deck has two zeros in each color, while the other editions have one.",
        ],
        rulings: &["The sheet says 112 cards but describes only the kinds that make up the usual 108; we \
             take the other four to be a second 0 in each color."],
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const IDS: &str = "D1 D2 D3 S1 S2 S3 S4 S5 S6 S7 S8 T1 T2 T3 T4 T5 A1 A2 A3 A4 \
        W1 W2 W3 W4 W5 W6 W7 W8 W9 F1 F2 F3 F4 O1 O2 O3 H1 H2 H3 C1 C2 C3 C4 C5 \
        U1 U2 U3 U4 U5 G1 G2 P1 P2 P3 P4 P5 X1 \
        reverse_skips_with_two stacking seven_zero jump_in draw_to_match force_play no_bluffing \
        no_challenges hand_size uno_penalty suggestion_penalty";

    /// The words of a text that look like rule ids: `W2`, `no_bluffing`.
    fn references(text: &str) -> impl Iterator<Item = &str> {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words.filter(|word| word.contains('_') || looks_like_id(word))
    }

    fn looks_like_id(word: &str) -> bool {
        let [letter, digit] = word.as_bytes() else {
            return false;
        };
        letter.is_ascii_uppercase() && digit.is_ascii_digit()
    }

    fn every_text() -> impl Iterator<Item = &'static str> {
        let of_rules = rules().flat_map(|rule| {
            let differences = rule.differences.iter().map(|(_, text)| *text);
            let texts = [rule.title, rule.text].into_iter();
            texts.chain(rule.rulings.iter().copied()).chain(differences)
        });
        let of_editions = EDITIONS.iter().flat_map(|notes| {
            let texts = [notes.title, notes.summary].into_iter();
            texts.chain(notes.differences.iter().copied()).chain(notes.rulings.iter().copied())
        });
        of_rules.chain(of_editions)
    }

    #[test]
    fn every_rule_is_here_in_order_and_only_once() {
        let expected: Vec<&str> = IDS.split_whitespace().collect();
        let found: Vec<&str> = rules().map(|rule| rule.id).collect();
        assert_eq!(found, expected);
        let unique: BTreeSet<&str> = found.iter().copied().collect();
        assert_eq!(unique.len(), found.len());
    }

    #[test]
    fn ids_begin_with_the_letter_of_their_section() {
        let (house, lettered) = SECTIONS.split_last().unwrap();
        assert_eq!(house.letter, "House");
        for section in lettered {
            for rule in section.rules {
                assert!(rule.id.starts_with(section.letter), "{}", rule.id);
            }
        }
    }

    #[test]
    fn no_text_is_empty_or_ragged() {
        for text in every_text() {
            assert!(!text.is_empty());
            assert_eq!(text, text.trim());
            assert!(!text.contains("  ") && !text.contains('\n'), "{text}");
        }
    }

    #[test]
    fn explanations_are_whole_sentences() {
        let rulings = rules().flat_map(|rule| rule.rulings);
        let rulings = rulings.chain(EDITIONS.iter().flat_map(|notes| notes.rulings));
        let differences = rules().flat_map(|rule| rule.differences.iter().map(|(_, text)| text));
        for text in rulings.chain(differences) {
            assert!(text.ends_with('.'), "{text}");
        }
        for rule in rules() {
            assert!(rule.text.ends_with('.'), "{}", rule.id);
        }
    }

    #[test]
    fn explanations_have_at_most_five_sentences() {
        for rule in rules() {
            let sentences = rule.text.split_inclusive(". ").count();
            assert!(sentences <= 5, "{} has {sentences} sentences", rule.id);
        }
    }

    #[test]
    fn references_lead_somewhere() {
        for text in every_text() {
            for id in references(text) {
                assert!(find(id).is_some(), "{id} in: {text}");
            }
        }
    }

    #[test]
    fn every_edition_has_notes() {
        assert_eq!(EDITIONS.len(), Edition::ALL.len());
        for edition in Edition::ALL {
            let notes = edition_notes(edition);
            assert_eq!(notes.edition, edition);
            assert!(!notes.differences.is_empty());
        }
    }

    #[test]
    fn a_summary_tells_the_deck_first_and_then_the_match() {
        for notes in EDITIONS {
            let (deck, game) = notes.summary.split_at(notes.deck().len());
            assert!(deck.contains("cards") && !deck.contains("round"), "{deck}");
            assert!(game.contains("round") && !game.contains("cards"), "{game}");
        }
    }

    #[test]
    fn differences_are_about_editions_in_which_the_rule_applies() {
        for rule in rules() {
            assert!(!rule.editions.is_empty(), "{}", rule.id);
            for (edition, _) in rule.differences {
                assert!(rule.applies_in(*edition), "{}", rule.id);
            }
        }
    }

    #[test]
    fn look_ups_ignore_case() {
        assert_eq!(find("w4").unwrap().id, "W4");
        assert_eq!(find("Stacking").unwrap().id, "stacking");
        assert_eq!(find_section("HOUSE").unwrap().rules.len(), 11);
    }

    #[test]
    fn unknown_ids_are_not_found() {
        for id in ["", "W", "W0", "W10", "house", " W4"] {
            assert!(find(id).is_none(), "{id}");
        }
        assert!(find_section("Z").is_none());
    }

    #[test]
    fn own_cards_are_explained_only_in_their_edition() {
        let has = |edition, id| for_edition(edition).any(|rule| rule.id == id);
        assert!(has(Edition::Fairies, "F1") && !has(Edition::Original, "F1"));
        assert!(has(Edition::Frozen, "O1") && !has(Edition::Custom, "O1"));
        assert!(has(Edition::Custom, "H1") && !has(Edition::Modern, "C1"));
        assert!(has(Edition::Original, "X1") && !has(Edition::Frozen, "X1"));
    }

    #[test]
    fn an_edition_has_rules_and_rulings_in_its_own_words() {
        let rule = find("S6").unwrap();
        assert!(rule.text_in(Edition::Modern).0.starts_with("It is not put back."));
        assert_eq!(rule.text_in(Edition::Frozen), (rule.text, None));
        assert!(rule.rulings_in(Edition::Modern).next().is_none() && rule.rulings_in(Edition::Frozen).count() == 1);
        let (text, more) = find("A1").unwrap().text_in(Edition::Fairies);
        assert!(text.starts_with("The player after you") && more.is_some());
        assert_eq!(find("D1").unwrap().rulings_in(Edition::Modern).count(), 1);
        for rule in rules() {
            assert!(rule.replaced.iter().all(|edition| rule.difference_in(*edition).is_some()), "{}", rule.id);
            assert!(rule.ruled_in.iter().all(|(place, _)| *place < rule.rulings.len()), "{}", rule.id);
            for edition in Edition::ALL.into_iter().filter(|edition| *edition != Edition::Modern) {
                let (text, _) = rule.text_in(edition);
                let others = rule.rulings_in(edition).chain([text]).filter(|text| text.contains("modern edition"));
                let named: Vec<&str> = others.collect();
                assert!(named.is_empty(), "{} in {edition}: {named:?}", rule.id);
            }
        }
    }

    #[test]
    fn an_edition_never_names_cards_of_another() {
        let cards = [
            ("Flitterific", Edition::Fairies),
            ("Olaf", Edition::Frozen),
            ("Shuffle Hands", Edition::Custom),
            ("Customizable", Edition::Custom),
        ];
        for edition in Edition::ALL {
            for rule in for_edition(edition) {
                let (text, more) = rule.text_in(edition);
                let words: String = rule.rulings_in(edition).chain([text]).chain(more).collect();
                for (card, home) in cards {
                    assert!(home == edition || !words.contains(card), "{} in {edition} names {card}", rule.id);
                }
            }
        }
    }

    #[test]
    fn rules_are_found_by_what_they_are_about() {
        let ids = |words: &str| search(words).into_iter().map(|rule| rule.id).collect::<Vec<_>>();
        assert_eq!(ids("bluff")[..2], ["W3", "no_bluffing"]);
        assert!(ids("Draw Pile").contains(&"T4"));
        assert!(ids("quidditch").is_empty() && ids("").is_empty());
    }

    #[test]
    fn how_to_play_fits_on_a_screen() {
        let words: usize = HOW_TO_PLAY.iter().map(|(title, text)| title.len() + text.len() + 2).sum();
        assert!(words < 20 * 80, "{words} letters");
    }

    #[test]
    fn differences_are_found_by_edition() {
        let honest = find("W2").unwrap();
        assert!(honest.difference_in(Edition::Modern).is_some());
        assert!(honest.difference_in(Edition::Original).is_none());
    }
}
