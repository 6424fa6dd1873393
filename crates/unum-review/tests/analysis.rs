//! A position is analyzed by what its player knows, and never while its round is being played.

use unum_review::{Analysis, AnalysisError, Analyst, Figure, analyze};
use unum_rules::playout::Casual;
use unum_rules::record::{Record, Recorder, Setup};
use unum_rules::{CardName, ColorName, Edition, Match, Position, Rules, RulesSpec, Scoring, Seeded};

fn names(cards: impl IntoIterator<Item = String>) -> Vec<CardName> {
    cards.into_iter().map(|name| CardName::parse(&name).unwrap()).collect()
}

fn words(cards: &str) -> Vec<CardName> {
    names(cards.split(' ').map(str::to_owned))
}

/// All cards of a color.
fn all_of(color: char) -> Vec<CardName> {
    let twice = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "S", "R", "+2"];
    names(["0"].iter().chain(&twice).chain(&twice).map(|face| format!("{color}{face}")))
}

fn cards_of(analysis: &Analysis, color: ColorName) -> f64 {
    let (_, Figure(count)) = analysis.hands[0].colors.iter().find(|(other, _)| *other == color).unwrap();
    *count
}

/// Seat 0 to act on a red card, against seven yellow ones; those discards lie under the top card.
fn position(discards: Vec<CardName>) -> Match {
    let position = Position {
        dealer: 1,
        hands: vec![words("B3 G4 B7"), words("Y1 Y2 Y3 Y4 Y5 Y6 Y7")],
        draw_pile: words("G1 G2 G3 B1 B2 Y9"),
        discard_pile: Some(discards.into_iter().chain(words("R7")).collect()),
        ..Position::default()
    };
    position.into_match(Rules::of(Edition::Original), Seeded::new(1)).unwrap()
}

#[test]
fn discards_that_lie_there_from_the_beginning_are_in_nobodys_hand() {
    let before = analyze(&position(Vec::new()), None, 64).unwrap();
    assert!(cards_of(&before, ColorName::Red) > 1.0, "{before:?}");
    let mut reds = all_of('R');
    reds.retain(|card| *card != words("R7")[0]);
    reds.extend(words("R7"));
    let after = analyze(&position(reds), None, 64).unwrap();
    assert_eq!(cards_of(&after, ColorName::Red), 0.0, "{after:?}");
    assert!(after.hands[0].fits.0 < before.hands[0].fits.0);
}

/// Two rounds and the beginning of a third one, by careless players.
fn record() -> Record {
    let rules = RulesSpec { scoring: Some(Scoring::FirstTo(5_000)), ..RulesSpec::of(Edition::Original) };
    let mut recorder = Recorder::start(Setup::new(rules, 3, 7), &mut ()).unwrap();
    let (mut chance, mut rounds) = (Seeded::new(7), 1);
    while rounds < 3 || recorder.game().round().is_over() {
        if recorder.game().round().is_over() {
            recorder.next_round(&mut ()).unwrap();
            rounds += 1;
            continue;
        }
        let (seat, action) = Casual.choose(recorder.game().round(), recorder.game().rules(), &mut chance);
        recorder.apply(seat, &action, &mut ()).unwrap();
    }
    recorder.into_record()
}

#[test]
fn every_moment_of_a_finished_round_can_be_analyzed_and_none_of_a_running_one() {
    let record = record();
    let deals: Vec<u32> = record.deals_at().collect();
    let last = record.moves.len() as u32;
    let mut judged = 0;
    let near = |number: u32| deals.iter().any(|deal| number + 1 >= *deal && number <= *deal);
    for number in (0..=last).filter(|number| number.is_multiple_of(7) || near(*number)) {
        let made = Analyst::of_record(&record, number).map(|mut analyst| {
            analyst.consider(16);
            analyst.analysis()
        });
        match made {
            Ok(analysis) => {
                assert!(number < deals[2], "move {number} is of a round that is being played");
                assert!(!analysis.actions.is_empty() && analysis.hands.len() == 2);
                assert!(analysis.hands.iter().all(|hand| hand.seat != analysis.seat));
                judged += u32::from(analysis.worlds > 0);
            }
            Err(AnalysisError::Over) => assert!(deals.contains(&(number + 1)), "{number}"),
            Err(why) => assert_eq!((why, number >= deals[2]), (AnalysisError::Running, true)),
        }
    }
    assert!(judged > deals[2] / 28, "{judged}");
    assert_eq!(Analyst::of_record(&record, last + 1).err(), Some(AnalysisError::NoMove { last }));
}
