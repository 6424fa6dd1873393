//! Luck is fair, accounts add up, and nothing hidden is used against anybody.

#[path = "../examples/shared/table.rs"]
mod table;

use std::sync::Arc;

use unum_bots::{Bot, Budget, Depth, Expert};
use unum_review::baseline::{Baseline, tables};
use unum_review::decision::{Decision, Scene};
use unum_review::level::standing;
use unum_review::luck::{Deed, Happening, Stir};
use unum_review::stakes::Stakes;
use unum_review::{Account, Review, Reviewer, Spot, Standing, percentile};
use unum_rules::playout::Casual;
use unum_rules::record::{Record, Recorder, Setup};
use unum_rules::{
    Action, CardName, Chance, CustomCard, Edition, Guess, Hand, House, Match, Phase, Play, Position, Round, Rules,
    RulesSpec, SEATS, Scoring, Seeded, Sight, Stacking,
};

/// A game of careless players, to its end or at most `moves` moves.
fn record(rules: RulesSpec, players: u8, seed: u64, moves: usize) -> Record {
    let mut recorder = Recorder::start(Setup::new(rules, players, seed), &mut ()).unwrap();
    let mut chance = Seeded::new(seed);
    while recorder.game().winners().is_none() && recorder.len() < moves {
        if recorder.game().round().is_over() {
            recorder.next_round(&mut ()).unwrap();
            continue;
        }
        let (seat, action) = Casual.choose(recorder.game().round(), recorder.game().rules(), &mut chance);
        recorder.apply(seat, &action, &mut ()).unwrap();
    }
    recorder.into_record()
}

fn single(edition: Edition) -> RulesSpec {
    RulesSpec { scoring: Some(Scoring::SingleRound), ..RulesSpec::of(edition) }
}

/// Every kind of rules.
fn variants() -> Vec<(RulesSpec, u8)> {
    let wild = House {
        stacking: Stacking::Any,
        seven_zero: true,
        jump_in: true,
        draw_to_match: true,
        hand_size: Some(5),
        ..House::default()
    };
    let custom: Vec<CustomCard> = [1, 5, 9].map(CustomCard::Starter).into();
    let mut list: Vec<(RulesSpec, u8)> =
        Edition::ALL.into_iter().zip([2, 3, 5, 4, 10]).map(|(e, n)| (single(e), n)).collect();
    list.push((RulesSpec { house: wild, ..single(Edition::Original) }, 4));
    list.push((RulesSpec { custom_cards: Some(custom), ..single(Edition::Custom) }, 3));
    list
}

fn assert_adds_up(account: &Account, players: u8) {
    let terms = [
        account.place,
        account.deal,
        account.own_draws,
        account.others_draws,
        account.fog,
        account.own_errors,
        account.others_errors,
        account.attention,
        account.rest,
    ];
    let sum: f64 = terms.iter().map(|term| term.0).sum();
    assert!((sum - (account.result.0 - 1.0 / f64::from(players))).abs() < 1e-9, "{account:?}");
    assert!((account.adjusted.0 + account.luck.0 - account.result.0).abs() < 1e-9);
    assert!((0.0..=1.0).contains(&account.percentile.0));
}

fn assert_sound(review: &Review) {
    assert!(!review.rounds.is_empty());
    for round in &review.rounds {
        round.seats.iter().for_each(|account| assert_adds_up(account, review.players));
        let total = |figure: fn(&Account) -> f64| round.seats.iter().map(figure).sum::<f64>();
        assert!(total(|account| account.luck.0).abs() < 1e-9);
        assert!((total(|account| account.adjusted.0) - 1.0).abs() < 1e-9);
        assert!(total(|account| account.own_errors.0 + account.others_errors.0).abs() < 1e-9);
        for point in &round.line {
            assert!((point.open.iter().map(|chance| chance.0).sum::<f64>() - 1.0).abs() < 1e-6);
        }
    }
    for decision in &review.decisions {
        assert!(decision.actions.len() > 1 && decision.played < decision.actions.len());
        assert!(decision.actions.iter().all(|action| (-0.5..=1.5).contains(&action.value.0)));
    }
}

#[test]
fn all_editions_and_house_rules_are_reviewed_and_add_up() {
    for (number, (rules, players)) in (0..).zip(variants()) {
        let mut reviewer = Reviewer::new(&record(rules, players, 40 + number, usize::MAX)).unwrap();
        let some: Vec<usize> = (0..reviewer.decisions()).step_by(9).collect();
        some.iter().for_each(|place| reviewer.decisions_mut()[*place].consider(64));
        let review = reviewer.review();
        assert_eq!(review.decisions.len(), some.len(), "every decision can be imagined");
        assert_sound(&review);
    }
}

#[test]
fn the_same_worlds_give_the_same_review_in_any_order() {
    let record = record(single(Edition::Original), 4, 3, usize::MAX);
    let mut one = Reviewer::new(&record).unwrap();
    one.think(6_000, None);
    let mut other = Reviewer::new(&record).unwrap();
    let mut left = 6_000;
    loop {
        let tasks = other.plan(left, None);
        if tasks.is_empty() {
            break;
        }
        for task in tasks.iter().rev() {
            left -= u64::from(task.worlds);
            other.decisions_mut()[task.decision].consider(task.worlds);
        }
    }
    let (one, other) = (one.review(), other.review());
    assert_eq!(serde_json::to_string(&one).unwrap(), serde_json::to_string(&other).unwrap());
    assert!(one.worlds <= 6_000 && one.worlds > 5_000, "{}", one.worlds);
    let open = Reviewer::new(&record).unwrap().review();
    assert_eq!(open.rounds[0].seats[0].luck, one.rounds[0].seats[0].luck, "luck is there at once");
}

#[test]
fn a_match_is_told_in_chances_to_win_the_match() {
    for scoring in [Scoring::FirstTo(150), Scoring::LowestAt(100)] {
        let rules = RulesSpec { scoring: Some(scoring), ..RulesSpec::of(Edition::Original) };
        let review = Reviewer::new(&record(rules, 3, 8, usize::MAX)).unwrap().review();
        assert_sound(&review);
        let mut gained = [0.0; 3];
        for round in &review.rounds {
            let accounts: Vec<_> = round.seats.iter().map(|account| account.in_match.unwrap()).collect();
            assert!(accounts.iter().map(|account| account.luck.0).sum::<f64>().abs() < 1e-9);
            (0..3).for_each(|seat| gained[seat] += accounts[seat].after.0 - accounts[seat].before.0);
        }
        // From an even share to all or nothing, unless points decide instead of rounds.
        assert!(gained.iter().sum::<f64>().abs() < 1e-9);
        assert!(gained.iter().any(|gain| *gain > 0.4) && gained.iter().any(|gain| *gain < -0.1), "{gained:?}");
    }
}

#[test]
fn a_round_that_is_being_played_is_left_out() {
    let mut reviewer = Reviewer::new(&record(single(Edition::Original), 3, 5, 12)).unwrap();
    reviewer.think(1_000, None);
    let review = reviewer.review();
    assert!(review.rounds.is_empty() && review.decisions.is_empty() && review.seats.len() == 3);
    let rules = RulesSpec::of(Edition::Original);
    let whole = record(rules.clone(), 2, 6, usize::MAX);
    let first = whole.deals_at().nth(1).unwrap() as usize;
    let cut = Reviewer::new(&record(rules, 2, 6, first + 5)).unwrap().review();
    assert_eq!(cut.rounds.len(), 1);
}

/// The mean luck of a seat over rounds, its standard error, and how far percentiles are from uniform.
fn luck_of(table: &str, players: u8, rounds: u64) -> (f64, f64, f64) {
    let rules = Rules::of(Edition::Original);
    let baseline = Baseline::of(&rules, players);
    let (mut sum, mut squares, mut percentiles) = (0.0, 0.0, Vec::new());
    for number in 0..rounds {
        let (_, luck) = table::play(&rules, players, table, number, &baseline);
        let all: f64 = (0..players).map(|seat| luck.total(seat)).sum();
        assert!(all.abs() < 1e-9, "luck adds up to nothing");
        let own = luck.total(0);
        sum += own;
        squares += own * own;
        percentiles.push(percentile::of(&luck, 0));
    }
    percentiles.sort_by(f64::total_cmp);
    let count = rounds as f64;
    let distance = percentiles.iter().enumerate().map(|(place, share)| (share - place as f64 / count).abs());
    let mean = sum / count;
    (mean, ((squares / count - mean * mean) / count).sqrt(), distance.fold(0.0, f64::max))
}

/// The short form of `examples/unbiased.rs`: the seeds are fixed, so this never fails by chance.
#[test]
fn luck_is_nothing_on_the_average_and_its_percentiles_are_uniform() {
    for (table, players, rounds) in [("hard", 2, 1_500), ("random", 4, 1_000), ("mixed", 7, 500)] {
        let (mean, error, distance) = luck_of(table, players, rounds);
        assert!(mean.abs() < 3.5 * error, "{table} {players}: {mean} ± {error}");
        // What a uniform sample stays below in 999 of 1,000 cases.
        assert!(distance < 1.95 / (rounds as f64).sqrt(), "{table} {players}: {distance}");
    }
}

#[test]
fn the_luck_of_a_draw_is_nothing_on_the_average_over_the_pile() {
    let rules = Rules::of(Edition::Original);
    let mut chance = Seeded::new(4);
    let mut tried = 0;
    for deal in 0..40 {
        let before = Round::deal(&rules, 4, deal % 4, &mut chance, &mut ()).unwrap();
        let Phase::Turn { seat } = *before.phase() else { continue };
        let count = before.draw_pile().len();
        let mut sum = [0.0; SEATS];
        for place in 0..count {
            let mut after = before;
            after.reorder_draw_pile(|pile| pile.swap(place, count - 1));
            let drawn_from = after;
            let mut stir = Stir::default();
            after.apply(&rules, seat, &Action::Draw, &mut chance, &mut stir).unwrap();
            let deed = Deed::Act(&Action::Draw);
            let stroke =
                Happening { rules: &rules, before: &drawn_from, after: &after, seat, deed, stir, number: 1 }.stroke();
            sum.iter_mut().zip(stroke.unwrap().luck).for_each(|(sum, luck)| *sum += luck);
        }
        assert!(sum.iter().all(|sum| sum.abs() < 1e-9), "{sum:?}");
        tried += 1;
    }
    assert!(tried > 20);
}

#[test]
fn there_are_means_for_every_table_and_they_hold() {
    for (edition, players) in tables() {
        let kept = Baseline::kept(&Rules::of(edition), players);
        let kept = kept.unwrap_or_else(|| panic!("no means for {edition} with {players}"));
        assert!((kept.mean.iter().sum::<f64>() - 1.0).abs() < 1e-4, "{edition} {players}");
        let fresh = Baseline::measure(&Rules::of(edition), players, 2_000, 0, 5);
        for place in 0..usize::from(players) {
            let error = (kept.variance[place] / 2_000.0).sqrt();
            assert!((kept.mean[place] - fresh.mean[place]).abs() < 5.0 * error, "{edition} {players} {place}");
        }
    }
    let five = RulesSpec { house: House { hand_size: Some(5), ..House::default() }, ..single(Edition::Original) };
    assert!(Baseline::kept(&Rules::new(five).unwrap(), 4).is_none(), "another deal has other means");
}

fn names(cards: &[&str]) -> Vec<CardName> {
    cards.iter().map(|card| CardName::parse(card).unwrap()).collect()
}

/// Two players: the first holds these cards and is to act.
fn position(hand: &[&str], other: &[&str], top: &str) -> Match {
    let pile = ["G1", "G2", "G3", "G4", "Y1", "Y2", "Y3", "Y4", "R1", "R2", "B9", "G9", "Y9", "R9", "B8", "W"];
    let position = Position {
        dealer: 1,
        hands: vec![names(hand), names(other)],
        top: CardName::parse(top),
        draw_pile: names(&pile),
        ..Position::default()
    };
    position.into_match(Rules::of(Edition::Original), Seeded::new(1)).unwrap()
}

fn decide(rules: &Rules, round: &Round, action: &Action, worlds: u32) -> Decision {
    let mut expert = Expert::new(1, Budget::STUDY);
    expert.begin(&Sight::new(round, rules, 0, &[]));
    let scene = Scene { rules: Arc::new(rules.clone()), round: *round, scores: Vec::new(), expert, seat: 0 };
    let spot = Spot { round: 1, number: 1, seat: 0 };
    let mut decision = Decision::new(scene, spot, action, Depth::Horizon).unwrap();
    decision.consider(worlds);
    decision
}

#[test]
fn drawing_with_the_winning_card_in_hand_is_a_clear_mistake() {
    let game = position(&["R5"], &["B1", "B2", "B4"], "R7");
    let decision = decide(game.rules(), game.round(), &Action::Draw, 200);
    let loss = decision.loss().unwrap();
    assert!(matches!(decision.action(loss.best), Action::Play(_)));
    assert!(loss.is_marked() && loss.amount > 0.15 && decision.counts(), "{loss:?}");
    assert!((loss.effect[0] + loss.amount).abs() < 1e-9 && (loss.effect[0] + loss.effect[1]).abs() < 1e-9);
}

#[test]
fn what_is_said_of_a_decision_uses_nothing_hidden() {
    let game = position(&["R5", "B3", "G7", "RS"], &["B1", "B2", "B4"], "R7");
    let (rules, round) = (game.rules(), game.round());
    let sight = Sight::new(round, rules, 0, &[]);
    let mut unseen: Vec<_> = sight.unseen().iter().collect();
    Seeded::new(9).shuffle(&mut unseen);
    let mut hands = [Hand::EMPTY; SEATS];
    hands[1] = Hand::try_from_iter(unseen.split_off(unseen.len() - 3)).unwrap();
    unseen.truncate(round.draw_pile().len());
    let other = sight.imagine(&Guess { hands, draw_pile: &unseen, bluff: false }).unwrap();
    assert!(other.hand(1) != round.hand(1));
    let action = Action::Play(Play::card(CardName::parse("R5").unwrap().kind()));
    let (one, two) = (decide(rules, round, &action, 128), decide(rules, &other, &action, 128));
    assert_eq!(one.valued(), two.valued());
    assert_eq!(one.seen_before(), two.seen_before());
}

#[test]
fn challenges_have_odds_and_a_break_even() {
    let mut told = 0;
    for seed in 0..6 {
        let mut reviewer = Reviewer::new(&record(single(Edition::Original), 4, seed, usize::MAX)).unwrap();
        for decision in reviewer.decisions_mut().iter_mut().filter(|one| one.sight().can_challenge()) {
            decision.consider(300);
            let odds = decision.odds().unwrap();
            assert!((0.0..=1.0).contains(&odds.bluff.0), "{odds:?}");
            told +=
                u32::from(odds.bluff.0 > 0.0 && odds.break_even.is_some_and(|share| (0.05..0.95).contains(&share.0)));
        }
    }
    assert!(told > 2, "{told}");
}

#[test]
fn scores_decide_what_a_round_is_worth() {
    let rules = Rules::of(Edition::Original);
    let baseline = Baseline::of(&rules, 3);
    let even = Stakes::of(&rules, &baseline, &[0, 0, 0]).even();
    assert!(even[..3].iter().all(|chance| (chance - 1.0 / 3.0).abs() < 0.05), "{even:?}");
    let ahead = Stakes::of(&rules, &baseline, &[450, 100, 0]);
    let chances = ahead.even();
    assert!(chances[0] > 0.6 && chances[0] > chances[1] && chances[1] >= chances[2], "{chances:?}");
    assert!(ahead.after(Some(0))[0] > ahead.after(Some(1))[0]);
    assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
}

#[test]
fn levels_are_told_by_their_error_rates() {
    for players in 2..=10 {
        assert!(matches!(standing(players, 1_000.0, 0.1), Some(Standing::Below { .. })));
        assert!(matches!(standing(players, -50.0, 0.1), Some(Standing::Above { .. })));
        assert!(
            matches!(standing(players, 5.0, 100.0), Some(Standing::Range { .. })),
            "an interval this wide says little"
        );
    }
}
