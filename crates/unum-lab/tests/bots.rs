//! What every bot promises: it never breaks a rule, never peeks, and plays the same game from the same seed.

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use unum_bots::{Bot, Budget, Level, LevelBot};
use unum_lab::Seating;
use unum_rules::{
    Action, Card, Chance, CustomCard, Edition, Event, Guess, Hand, Round, Rules, RulesSpec, SEATS, SeenEvent, Sight,
    Stacking, Viewer,
};

/// Rules of any kind: every edition, house rule, and Customizable card comes up.
fn any_rules(chance: &mut Pcg64Mcg) -> Rules {
    let mut spec = RulesSpec::of(Edition::ALL[chance.below(5) as usize]);
    let mut coin = |odds: u32| chance.below(odds) == 0;
    spec.house.reverse_skips_with_two = coin(3);
    spec.house.seven_zero = coin(4);
    spec.house.jump_in = coin(4);
    spec.house.draw_to_match = coin(6);
    spec.house.force_play = coin(6);
    spec.house.no_bluffing = coin(6);
    spec.house.no_challenges = !spec.house.no_bluffing && coin(5);
    spec.house.hand_size = coin(5).then_some(3);
    spec.house.uno_penalty = coin(8).then_some(0);
    spec.house.stacking = [Stacking::Off, Stacking::Off, Stacking::Same, Stacking::Any][chance.below(4) as usize];
    if spec.edition == Edition::Custom {
        spec.custom_cards = Some((0..3).map(|_| CustomCard::Starter(1 + chance.below(10) as u8)).collect());
    }
    Rules::new(spec).expect("these rules go together")
}

/// How many rounds to play, here or in a longer run.
fn rounds(usual: u64) -> u64 {
    let factor = std::env::var("UNUM_BOT_ROUNDS").ok().and_then(|factor| factor.parse::<u64>().ok());
    usual * factor.unwrap_or(1)
}

fn bot(level: Level, seed: u64) -> LevelBot {
    LevelBot::with_budget(level, seed, Budget::Worlds(6))
}

/// Plays rounds of all kinds with these levels around the table; how many decisions were made.
fn play_all_kinds(levels: &[Level], count: u64) -> u64 {
    let mut decisions = 0;
    for game in 0..count {
        let mut chance = Pcg64Mcg::seed_from_u64(game);
        let rules = any_rules(&mut chance);
        let players = 2 + chance.below(9) as u8;
        let Ok(mut round) = Round::deal(&rules, players, 0, &mut chance, &mut ()) else { continue };
        let pick = |seat: u8| levels[(game as usize + seat as usize) % levels.len()];
        let mut bots: Vec<LevelBot> = (0..players).map(|seat| bot(pick(seat), game * 16 + u64::from(seat))).collect();
        let outcome = Seating { rules: &rules, bots: &mut bots, scores: &[] }.play(&mut round, &mut chance, &mut ());
        assert_eq!(outcome.refused, [0; SEATS], "game {game} by {:?}", rules.spec());
        assert!(!outcome.given_up, "game {game} by {:?} does not end", rules.spec());
        decisions += u64::from(outcome.actions);
    }
    decisions
}

#[test]
fn no_level_that_does_not_search_ever_breaks_a_rule() {
    let levels = [Level::Random, Level::Easy, Level::Normal, Level::Hard, Level::Hard];
    let decisions = play_all_kinds(&levels, rounds(20_000));
    assert!(decisions > 1_000_000, "only {decisions} decisions");
}

#[test]
fn hard_among_its_like_never_breaks_a_rule() {
    let decisions = play_all_kinds(&[Level::Hard], rounds(10_000));
    assert!(decisions > 400_000, "only {decisions} decisions");
}

#[test]
fn expert_never_breaks_a_rule() {
    let decisions = play_all_kinds(&[Level::Expert, Level::Hard, Level::Easy], rounds(300));
    assert!(decisions > 10_000, "only {decisions} decisions");
}

/// Deals all that a seat cannot see again, to everybody else and to the draw pile.
fn disguise(round: &Round, rules: &Rules, seat: u8, chance: &mut Pcg64Mcg) -> Option<Round> {
    let sight = Sight::new(round, rules, seat, &[]);
    let hidden = |other: &u8| *other != seat && sight.open_hand(*other).is_none();
    let mut cards: Vec<Card> = round.draw_pile().to_vec();
    for other in (0..round.players()).filter(hidden) {
        cards.extend(round.hand(other).iter());
    }
    chance.shuffle(&mut cards);
    let mut hands = [Hand::EMPTY; SEATS];
    for other in (0..round.players()).filter(hidden) {
        let size = round.hand(other).len();
        hands[other as usize] = Hand::try_from_iter(cards.split_off(cards.len() - size))?;
    }
    sight.imagine(&Guess { hands, draw_pile: &cards, bluff: chance.below(2) == 1 })
}

/// A bot that is asked twice: about the table as it is, and about one that looks the same to it.
struct Honest {
    bot: LevelBot,
    compared: u64,
}

fn plays_the_same_on_a_disguised_table(level: Level, games: u64) -> u64 {
    let mut compared = 0;
    for game in 0..games {
        let mut chance = Pcg64Mcg::seed_from_u64(game);
        let rules = any_rules(&mut chance);
        let players = 2 + chance.below(4) as u8;
        let Ok(mut round) = Round::deal(&rules, players, 0, &mut chance, &mut ()) else { continue };
        let mut bots: Vec<Honest> =
            (0..players).map(|seat| Honest { bot: bot(level, game * 16 + u64::from(seat)), compared: 0 }).collect();
        for (seat, honest) in (0..).zip(&mut bots) {
            honest.bot.begin(&Sight::new(&round, &rules, seat, &[]));
        }
        for _ in 0..2_000 {
            let Some(seat) = round.awaited() else { break };
            let action = bots[seat as usize].ask(&round, &rules, seat, &mut chance);
            let mut events: Vec<Event> = Vec::new();
            round.apply(&rules, seat, &action, &mut chance, &mut events).expect("bots make legal moves");
            for event in events {
                for (seat, honest) in (0..).zip(&mut bots) {
                    let seen: SeenEvent = event.seen_by(Viewer::Seat(seat));
                    honest.bot.see(&seen);
                }
            }
        }
        compared += bots.iter().map(|honest| honest.compared).sum::<u64>();
    }
    compared
}

impl Honest {
    fn ask(&mut self, round: &Round, rules: &Rules, seat: u8, chance: &mut Pcg64Mcg) -> Action {
        let disguised = disguise(round, rules, seat, chance);
        let mut twin = self.bot.clone();
        let action = self.bot.act(&Sight::new(round, rules, seat, &[]));
        if let Some(disguised) = disguised {
            let other = twin.act(&Sight::new(&disguised, rules, seat, &[]));
            assert_eq!(action, other, "decides by what it cannot see: {:?}", rules.spec());
            self.compared += 1;
        }
        action
    }
}

#[test]
fn hard_decides_by_nothing_it_cannot_see() {
    assert!(plays_the_same_on_a_disguised_table(Level::Hard, 300) > 5_000);
}

#[test]
fn expert_decides_by_nothing_it_cannot_see() {
    assert!(plays_the_same_on_a_disguised_table(Level::Expert, 40) > 500);
}

#[test]
fn the_same_seed_plays_the_same_round() {
    let play = |seed: u64| {
        let rules = Rules::of(Edition::Original);
        let mut chance = Pcg64Mcg::seed_from_u64(7);
        let mut round = Round::deal(&rules, 4, 0, &mut chance, &mut ()).unwrap();
        let levels = [Level::Expert, Level::Hard, Level::Normal, Level::Easy];
        let mut bots: Vec<LevelBot> = levels.into_iter().zip(seed..).map(|(level, seed)| bot(level, seed)).collect();
        Seating { rules: &rules, bots: &mut bots, scores: &[] }.play(&mut round, &mut chance, &mut ());
        round
    };
    assert_eq!(play(1), play(1));
    assert!((2..20).any(|seed| play(seed) != play(1)));
}
