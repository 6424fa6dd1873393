//! Random tables: house rules, ways of scoring, Customizable cards, numbers of players.

use unum_rules::{
    Chance, CustomCard, CustomRule, Edition, Effect, House, MAX_PLAYERS, MIN_PLAYERS, Matching, NextPlayer, Rules,
    RulesSpec, Scoring, Seeded, Stacking, Until, UntilColor, Who,
};

/// Rules, and how many play by them.
pub(crate) struct Table {
    pub(crate) rules: Rules,
    pub(crate) players: u8,
}

/// A table that plays an edition with anything else left to chance; every third one plays it as printed.
pub(crate) fn random_table(edition: Edition, rng: &mut Seeded) -> Table {
    let printed = rng.below(3) == 0;
    let mut spec = RulesSpec::of(edition);
    if !printed {
        spec.house = random_house(rng);
        spec.scoring = one_in(2, rng).then(|| random_scoring(rng));
    }
    if edition == Edition::Custom {
        spec.custom_cards = Some((0..rng.below(4)).map(|_| random_card(rng)).collect());
    }
    seat_players(spec, rng)
}

/// As many players as the deal allows, or some fewer.
fn seat_players(spec: RulesSpec, rng: &mut Seeded) -> Table {
    let rules = Rules::new(spec.clone()).unwrap_or_else(|error| panic!("{spec:?}: {error}"));
    let most = (MIN_PLAYERS..=MAX_PLAYERS).rev().find(|players| rules.check_players(*players).is_ok());
    let most = most.expect("two players can always be dealt in");
    let players = between(MIN_PLAYERS, most, rng);
    Table { rules, players }
}

fn random_house(rng: &mut Seeded) -> House {
    let no_bluffing = one_in(4, rng);
    House {
        reverse_skips_with_two: one_in(2, rng),
        stacking: pick(&[Stacking::Off, Stacking::Off, Stacking::Same, Stacking::Any], rng),
        seven_zero: one_in(4, rng),
        jump_in: one_in(4, rng),
        draw_to_match: one_in(4, rng),
        force_play: one_in(4, rng),
        no_bluffing,
        no_challenges: !no_bluffing && one_in(4, rng),
        hand_size: one_in(3, rng).then(|| between(1, 20, rng)),
        uno_penalty: one_in(3, rng).then(|| pick(&[0, 1, 3, 20], rng)),
        suggestion_penalty: one_in(2, rng).then(|| pick(&[0, 1, 4, 20], rng)),
    }
}

fn random_scoring(rng: &mut Seeded) -> Scoring {
    let target = 1 + rng.below(300);
    pick(&[Scoring::FirstTo(target), Scoring::LowestAt(target), Scoring::SingleRound], rng)
}

fn random_card(rng: &mut Seeded) -> CustomCard {
    match rng.below(8) {
        0 => CustomCard::Plain,
        1 => CustomCard::Starter(between(1, 10, rng)),
        _ => CustomCard::Rule(random_rule(rng)),
    }
}

fn random_rule(rng: &mut Seeded) -> CustomRule {
    let mut room = pick(&[1, 3, 20], rng);
    CustomRule { title: "Anything".to_owned(), text: String::new(), effects: random_effects(1, &mut room, rng) }
}

/// A list of effects; `room` is how many more the rule may have.
fn random_effects(depth: u8, room: &mut u32, rng: &mut Seeded) -> Vec<Effect> {
    let wanted = rng.below(4).max(u32::from(depth == 1));
    let mut effects = Vec::new();
    for _ in 0..wanted {
        if *room == 0 {
            break;
        }
        *room -= 1;
        effects.push(random_effect(depth, room, rng));
    }
    effects
}

fn random_effect(depth: u8, room: &mut u32, rng: &mut Seeded) -> Effect {
    let who = pick(&[Who::Next, Who::Player, Who::Others, Who::All], rng);
    let number = if one_in(4, rng) { between(1, 20, rng) } else { between(1, 4, rng) };
    match rng.below(13) {
        0 => Effect::Draw { who, count: number },
        1 => Effect::DrawUntilColor { who, color: pick(&UNTIL_COLORS, rng) },
        2 => Effect::DiscardAll { who, matching: pick(&MATCHING, rng) },
        3 => Effect::Level { who, to: number },
        4 => Effect::DiscardDown { who, to: number },
        5 => Effect::DrawMore { who: NextPlayer::Next, count: number },
        6 => Effect::ExtraTurn {},
        7 => Effect::Skip {},
        8 => Effect::Reverse {},
        9 => Effect::Reveal { who },
        10 => Effect::Perform {
            prompt: random_text(rng),
            success: nested(depth, room, rng),
            failure: nested(depth, room, rng),
        },
        11 => Effect::Dare { who: NextPlayer::Next, prompt: random_text(rng), refuse: nested(depth, room, rng) },
        _ => Effect::Banner { who, text: random_text(rng), until: pick(&[Until::Uno, Until::NextTurn], rng) },
    }
}

fn nested(depth: u8, room: &mut u32, rng: &mut Seeded) -> Vec<Effect> {
    if depth < 3 { random_effects(depth + 1, room, rng) } else { Vec::new() }
}

fn random_text(rng: &mut Seeded) -> String {
    pick(&["", "Sing", "Whistle", "Stand on one leg", "Sag \"Hallöchen\" 🐓"], rng).to_owned()
}

const UNTIL_COLORS: [UntilColor; 5] =
    [UntilColor::Red, UntilColor::Yellow, UntilColor::Green, UntilColor::Blue, UntilColor::Called];

const MATCHING: [Matching; 7] = [
    Matching::Wild,
    Matching::Action,
    Matching::Number,
    Matching::Red,
    Matching::Yellow,
    Matching::Green,
    Matching::Blue,
];

pub(crate) fn one_in(chances: u32, rng: &mut Seeded) -> bool {
    rng.below(chances) == 0
}

pub(crate) fn pick<T: Copy>(choices: &[T], rng: &mut Seeded) -> T {
    choices[rng.below(choices.len() as u32) as usize]
}

fn between(least: u8, most: u8, rng: &mut Seeded) -> u8 {
    least + rng.below(u32::from(most - least) + 1) as u8
}
