//! What the fuzz targets have in common: rules to choose from, and what must be true of every match.

#![forbid(unsafe_code)]

use unum_rules::{Card, Chance, KINDS, Match, Phase, Position, Round, Rules, RulesSpec};

/// Rules to choose from by number, every edition and house rule among them.
const RULES: [&str; 16] = [
    r#"{"edition":"original"}"#,
    r#"{"edition":"fairies"}"#,
    r#"{"edition":"frozen"}"#,
    r#"{"edition":"custom"}"#,
    r#"{"edition":"modern"}"#,
    r#"{"edition":"original","house":{"stacking":"same","jump_in":true,"reverse_skips_with_two":true}}"#,
    r#"{"edition":"fairies","house":{"stacking":"any","seven_zero":true,"draw_to_match":true}}"#,
    r#"{"edition":"frozen","house":{"seven_zero":true,"jump_in":true,"force_play":true}}"#,
    r#"{"edition":"modern","house":{"stacking":"any","no_bluffing":true,"uno_penalty":4}}"#,
    r#"{"edition":"modern","house":{"no_challenges":true,"force_play":true,"hand_size":2}}"#,
    r#"{"edition":"original","scoring":{"type":"lowest_at","target":100},"house":{"uno_penalty":0,"hand_size":1}}"#,
    r#"{"edition":"custom","custom_cards":[1,2,3]}"#,
    r#"{"edition":"custom","custom_cards":[4,5,6],"house":{"seven_zero":true}}"#,
    r#"{"edition":"custom","custom_cards":[7,8,9],"scoring":{"type":"single_round"}}"#,
    r#"{"edition":"custom","custom_cards":[10,{"title":"a","effects":[{"do":"draw","who":"all","count":2},
        {"do":"discard_all","who":"all","match":"action"},{"do":"reverse"},{"do":"skip"}]}]}"#,
    r#"{"edition":"custom","custom_cards":[{"title":"b","effects":[{"do":"perform","prompt":"p",
        "success":[{"do":"level","who":"others","to":1}],"failure":[{"do":"dare","who":"next","prompt":"q",
        "refuse":[{"do":"discard_down","who":"all","to":1}]}]},{"do":"extra_turn"},{"do":"banner","who":"self",
        "text":"t","until":"next_turn"}]},null],"house":{"stacking":"any","jump_in":true}}"#,
];

/// The rules with that number, in a circle.
///
/// # Panics
/// If the list above is wrong.
pub fn rules(number: u8) -> Rules {
    let json = RULES[number as usize % RULES.len()];
    let spec: RulesSpec = serde_json::from_str(json).expect("these rules are JSON");
    Rules::new(spec).expect("these rules are allowed")
}

/// How many copies of each card there are at the table.
pub fn cards(round: &Round) -> [u8; KINDS] {
    let mut counts = [0; KINDS];
    let discard_pile = round.discard_pile();
    let piles = round.draw_pile().iter().chain(discard_pile.iter()).copied();
    piles.chain(round.hands().iter().flat_map(|hand| hand.iter())).for_each(|card| counts[card.index()] += 1);
    counts
}

/// How many copies of each card the deck has.
pub fn deck(rules: &Rules) -> [u8; KINDS] {
    let mut counts = [0; KINDS];
    Card::all().for_each(|card| counts[card.index()] = rules.deck().copies(card));
    counts
}

/// Checks what is true of every match at every moment.
///
/// # Panics
/// If something is not.
pub fn check<C: Chance>(game: &Match<C>) {
    let round = game.round();
    let copies = cards(round);
    assert!(copies.iter().zip(deck(game.rules())).all(|(here, deck)| *here <= deck), "too many copies of a card");
    check_hands(round);
    check_color(round);
    assert!(round.idle() < round.players());
    assert_eq!(round.is_over(), game.result().is_some());
    assert!(game.winners().is_none() || round.is_over());
    check_legal(round, game.rules());
}

fn check_hands(round: &Round) {
    let gone_out = match *round.phase() {
        Phase::Over { .. } => return assert!(round.liable().is_empty()),
        Phase::Respond { by, .. } => Some(by),
        _ => None,
    };
    for seat in 0..round.players() {
        assert!(!round.hand(seat).is_empty() || gone_out == Some(seat), "an empty hand while the round goes on");
        assert!(!round.liable().contains(seat) || round.hand(seat).len() == 1, "liable without exactly one card");
    }
    assert!(round.liable().iter().all(|seat| seat < round.players()));
}

fn check_color(round: &Round) {
    let calling = matches!(round.phase(), Phase::CallColor { .. });
    let shuffled_out = round.is_over() && round.top() == Card::SHUFFLE_HANDS;
    assert!(round.color().is_none() == calling || shuffled_out, "no color in force");
    assert!(round.top().is_wild() || round.top().color() == round.color());
}

/// Somebody can always act until the round is over, and nobody afterwards.
fn check_legal(round: &Round, rules: &Rules) {
    let can_act = (0..round.players()).any(|seat| {
        let mut any = round.discard_choices(seat).is_some();
        round.legal(rules, seat, &mut |_| any = true);
        any
    });
    assert_eq!(can_act, !round.is_over());
}

/// Highest score and largest attack a position may start with. Play may lead beyond them.
const MOST: (u32, u16) = (1_000_000, 112);

/// Whether the notation of positions can say this: not in the midst of a card's effects, nor with numbers
/// that grew beyond those a position may start with.
pub fn can_be_written<C: Chance>(game: &Match<C>) -> bool {
    game.scores().iter().all(|score| *score <= MOST.0)
        && match *game.round().phase() {
            Phase::Discard { .. } | Phase::Vote { .. } | Phase::Dare { .. } => false,
            Phase::Respond { cards, .. } => cards <= MOST.1,
            _ => true,
        }
}

/// Writes a match as JSON and reads it again; it must be the same.
///
/// # Panics
/// If it is not.
pub fn check_round_trip<C: Chance + Clone>(game: &Match<C>, rules: &Rules, chance: C) {
    let state = Position::of(game);
    let json = serde_json::to_string(&state).expect("a state can be written");
    let read: Position = serde_json::from_str(&json).expect("a state can be read");
    assert_eq!(read, state);
    let again = read.into_match(rules.clone(), chance).unwrap_or_else(|why| panic!("{why}: {json}"));
    assert_eq!(Position::of(&again), state);
}
