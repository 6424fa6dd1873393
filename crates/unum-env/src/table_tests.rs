use std::collections::BTreeSet;

use unum_bots::{Budget, Level};
use unum_rules::{Action, Card, Edition, Guess, Hand, Play, Seeded};

use super::*;
use crate::decision::Stage;

/// Rules that bring every kind of decision about.
fn tables() -> Vec<Rules> {
    let houses = [
        r#"{}"#,
        r#"{"stacking":"any","seven_zero":true,"jump_in":true}"#,
        r#"{"stacking":"same","draw_to_match":true,"force_play":true,"hand_size":3}"#,
        r#"{"no_bluffing":true,"force_play":true,"reverse_skips_with_two":true}"#,
        r#"{"no_challenges":true,"jump_in":true,"uno_penalty":0,"hand_size":1}"#,
    ];
    let customs = ["[]", "[1,2,3]", "[4,5,6]", "[7,8,9]", "[10,null,6]"];
    let mut tables = Vec::new();
    for edition in Edition::ALL {
        for (house, custom) in houses.iter().zip(customs) {
            let custom =
                if edition == Edition::Custom { format!(r#","custom_cards":{custom}"#) } else { String::new() };
            let json = format!(r#"{{"edition":"{edition}","house":{house}{custom}}}"#);
            tables.push(Rules::new(serde_json::from_str(&json).unwrap()).unwrap());
        }
    }
    tables
}

/// Calls `visit` at every decision of random rounds by all of these rules.
fn play_at_random(unos: Unos, rounds: u64, mut visit: impl FnMut(&Setting, &Table, &mut Seeded)) {
    let mut whims = Seeded::new(9);
    for rules in tables() {
        for round in 0..rounds {
            let setting = Setting::new(rules.clone(), 2 + (round % 4) as u8, unos).unwrap();
            let mut table = setting.deal(round, 0);
            while table.seat().is_some() {
                visit(&setting, &table, &mut whims);
                let id = table.legal().pick(&mut whims).expect("a decision has a legal choice");
                table.step(&setting, id).unwrap_or_else(|why| panic!("{why}: {:?}", table.round()));
            }
            assert!(table.round().is_over() || table.actions() == MAX_ACTIONS);
        }
    }
}

/// Every action that a decision can end in.
fn outcomes(decision: &Decision, sight: &Sight<'_>, encoding: &Encoding, actions: &mut Vec<Action>) {
    for id in decision.legal().iter() {
        let mut next = *decision;
        match next.choose(sight, encoding, id).unwrap() {
            Progress::More => outcomes(&next, sight, encoding, actions),
            Progress::Act(action) => actions.push(action),
            Progress::Pass => {}
        }
    }
}

fn without_uno(action: Action) -> Action {
    match action {
        Action::Play(play) => Action::Play(Play { uno: false, ..play }),
        Action::Block { color, .. } => Action::Block { color, uno: false },
        Action::Discard { cards, .. } => Action::Discard { cards, uno: false },
        other => other,
    }
}

/// Sorted, so that lists can be compared; a duplicate stays one.
fn sorted(actions: impl IntoIterator<Item = Action>) -> Vec<String> {
    let mut words: Vec<String> = actions.into_iter().map(|action| format!("{action:?}")).collect();
    words.sort();
    words
}

#[test]
fn choices_lead_to_exactly_the_legal_actions() {
    let mut stages = BTreeSet::new();
    for unos in [Unos::Called, Unos::Chosen] {
        play_at_random(unos, 8, |setting, table, _| {
            let seat = table.seat().unwrap();
            let decision = table.decision().unwrap();
            stages.insert(decision.stage() as u8);
            if decision.chosen().next().is_some() || decision.stage() == Stage::Say {
                return;
            }
            let sight = Sight::new(table.round(), setting.rules(), seat, &[]);
            if table.round().discard_choices(seat).is_some_and(|(choices, _)| choices > 500) {
                return;
            }
            let mut found = Vec::new();
            outcomes(decision, &sight, setting.encoding(), &mut found);
            if unos == Unos::Chosen {
                let said: Vec<Action> =
                    found.iter().copied().filter(|action| *action != without_uno(*action)).collect();
                assert!(said.iter().all(|action| found.contains(&without_uno(*action))));
                found.retain(|action| *action == without_uno(*action));
            }
            let mut expected = Vec::new();
            table.round().legal_in_full(setting.rules(), seat, &mut |action| expected.push(*action));
            let race = |action: &Action| matches!(action, Action::CallUno | Action::Catch(_));
            match decision.stage() {
                Stage::React if table.round().awaited() == Some(seat) => expected.retain(race),
                Stage::React => {}
                _ => expected.retain(|action| !race(action)),
            }
            let context = format!("{:?} {decision:?}", table.round());
            assert_eq!(sorted(found.into_iter().map(without_uno)), sorted(expected), "{context}");
        });
    }
    assert_eq!(stages.len(), Stage::COUNT, "{stages:?}");
}

/// A round that looks the same to this seat, with everything it cannot see dealt again.
fn another_world(table: &Table, setting: &Setting, seat: Seat, whims: &mut Seeded) -> Option<Table> {
    let round = table.round();
    let sight = Sight::new(round, setting.rules(), seat, &[]);
    let mut cards: Vec<Card> = sight.unseen().iter().collect();
    whims.shuffle(&mut cards);
    let mut hands = [Hand::EMPTY; unum_rules::SEATS];
    for other in (0..round.players()).filter(|other| *other != seat) {
        let known = sight.open_hand(other).unwrap_or(Hand::EMPTY);
        let hidden = round.hand(other).len().checked_sub(known.len())?;
        let fresh = cards.split_off(cards.len().checked_sub(hidden)?);
        hands[usize::from(other)] = Hand::try_from_iter(fresh.into_iter().chain(known.iter()))?;
    }
    let bluff = whims.below(2) == 1;
    let world = sight.imagine(&Guess { hands, draw_pile: &cards, bluff })?;
    Some(Table { round: world, ..table.clone() })
}

/// Two rounds that differ only in what a seat cannot see give it the same arrays: for the seat that decides, and for
/// those who watch.
#[test]
fn hidden_cards_do_not_show_in_observations_or_masks() {
    let (mut compared, mut different) = (0, 0);
    play_at_random(Unos::Chosen, 4, |setting, table, whims| {
        let seat = whims.below(u32::from(setting.players())) as Seat;
        let Some(world) = another_world(table, setting, seat, whims) else { return };
        let size = setting.encoding().observation();
        let [mut first, mut second] = [vec![1; size], vec![2; size]];
        table.observe(setting, seat, &mut first);
        world.observe(setting, seat, &mut second);
        assert_eq!(first, second, "seat {seat} of {:?}\n{:?}", table.round(), world.round());
        compared += 1;
        different += u32::from(table.round() != world.round());
        // Masks are made from the same sight: the decision of the other world offers the same.
        let stage = table.decision().map(Decision::stage);
        if table.seat() == Some(seat) && table.decision().is_some_and(|decision| decision.chosen().next().is_none()) {
            let sight = Sight::new(world.round(), setting.rules(), seat, &[]);
            let again = match stage {
                Some(Stage::React) => Decision::react(&sight, setting.encoding(), setting.unos()),
                Some(Stage::Say) => return,
                _ => Decision::main(&sight, setting.encoding(), setting.unos()),
            };
            assert_eq!(again.as_ref(), table.decision());
        }
    });
    assert!(compared > 3_000 && different * 10 > compared * 9, "{different} of {compared}");
}

#[test]
fn observations_stay_within_their_bounds_and_need_no_past() {
    play_at_random(Unos::Chosen, 4, |setting, table, whims| {
        let encoding = setting.encoding();
        let mut observation = vec![0; encoding.observation()];
        let seat = whims.below(u32::from(setting.players())) as Seat;
        table.observe(setting, seat, &mut observation);
        // The table keeps the count of cards in play; made from nothing but the sight, the observation is the same.
        let mut again = vec![7; encoding.observation()];
        let own = table.decision().filter(|_| table.seat() == Some(seat));
        encoding.observe(&Sight::new(table.round(), setting.rules(), seat, &[]), own, &mut again);
        assert_eq!(observation, again, "seat {seat} of {:?}", table.round());
        for section in encoding.observation_sections() {
            let range = usize::from(section.start)..usize::from(section.start + section.len);
            assert!(observation[range].iter().all(|value| *value <= section.high), "{section:?}");
        }
    });
}

#[test]
fn observations_say_what_the_seat_sees() {
    let setting = Setting::new(Rules::of(Edition::Original), 3, Unos::Called).unwrap();
    let table = setting.deal(1, 2);
    let seat = table.seat().unwrap();
    let encoding = setting.encoding();
    let mut observation = vec![0; encoding.observation()];
    table.observe(&setting, seat, &mut observation);
    let section = |name: &str| {
        let section = encoding.observation_sections().iter().find(|section| section.name == name).unwrap();
        observation[usize::from(section.start)..usize::from(section.start + section.len)].to_vec()
    };
    let sum = |name: &str| section(name).iter().map(|value| u32::from(*value)).sum::<u32>();
    let round = table.round();
    assert_eq!(sum("hand") as usize, round.hand(seat).len());
    assert_eq!(sum("unseen") as usize, 108 - round.hand(seat).len() - round.discard_pile().len());
    assert_eq!(section("top")[encoding.place(round.top())], 1);
    assert_eq!((sum("top"), sum("stage"), sum("awaited")), (1, 1, 1));
    assert_eq!(&section("hand_sizes")[..4], [7, 7, 7, 0].map(|size: u8| size));
    assert_eq!(usize::from(section("draw_pile")[0]), round.draw_pile().len());
    assert_eq!(
        (section("players")[0], section("direction")[0] == 1),
        (3, round.direction() == unum_rules::Direction::Left)
    );
}

#[test]
fn bots_play_their_seats_and_tables_repeat() {
    let hard = Thinker { level: Level::Hard, budget: Budget::STUDY };
    let setting = Setting::new(Rules::of(Edition::Modern), 3, Unos::Called).unwrap();
    let bots = setting.clone().with_bots(vec![Some(hard), None, Some(hard)]).unwrap();
    let play = |seed| {
        let mut whims = Seeded::new(seed);
        let mut table = bots.deal(seed, (seed % 3) as Seat);
        while let Some(seat) = table.seat() {
            assert_eq!(seat, 1);
            let id = table.legal().pick(&mut whims).unwrap();
            table.step(&bots, id).unwrap();
        }
        let mut rewards = [0.0; 3];
        table.pay(&bots, Payoff::Points, &mut rewards);
        assert!(rewards.iter().sum::<f32>().abs() < 1e-5);
        (*table.round(), table.winner())
    };
    let winners: Vec<_> = (0..200).map(|seed| play(seed).1).collect();
    assert!(play(7) == play(7));
    let won = winners.iter().filter(|winner| **winner == Some(1)).count();
    assert!(won < 60, "a random player wins {won} of 200 against two good ones");
    assert!(matches!(setting.clone().with_bots(vec![Some(hard); 3]), Err(EnvError::NoLearner(3))));
    assert!(matches!(setting.with_bots(vec![None; 4]), Err(EnvError::TooManyBots { given: 4, players: 3 })));
}

#[test]
fn a_round_that_is_over_takes_no_more_actions() {
    let setting = Setting::new(Rules::of(Edition::Original), 2, Unos::Called).unwrap();
    let mut table = setting.deal(1, 0);
    assert!(matches!(table.step(&setting, 500), Err(EnvError::NotLegal(NotLegal { id: 500 }))));
    let mut whims = Seeded::new(1);
    while table.seat().is_some() {
        let id = table.legal().pick(&mut whims).unwrap();
        table.step(&setting, id).unwrap();
    }
    assert_eq!(table.step(&setting, 0), Err(EnvError::Over));
    assert!(table.legal().is_empty());
}
