//! Round trips, tampering, hostile input.

use std::collections::BTreeSet;

use super::*;
use crate::action::Play;
use crate::card::Color;
use crate::chance::Chance;
use crate::event::Viewer;
use crate::fair::{Entropy, Secret};
use crate::playout::Casual;
use crate::round::Round;

/// Rules that between them have every kind of move.
const RULES: [&str; 10] = [
    r#"{"edition":"original"}"#,
    r#"{"edition":"fairies"}"#,
    r#"{"edition":"frozen"}"#,
    r#"{"edition":"custom"}"#,
    r#"{"edition":"modern"}"#,
    r#"{"edition":"original","scoring":{"type":"lowest_at","target":120},"house":{"stacking":"any","seven_zero":true,"jump_in":true,"suggestion_penalty":2}}"#,
    r#"{"edition":"frozen","scoring":{"type":"first_to","target":200},"house":{"draw_to_match":true,"uno_penalty":0,"suggestion_penalty":1}}"#,
    r#"{"edition":"fairies","house":{"stacking":"same","jump_in":true,"hand_size":4,"reverse_skips_with_two":true}}"#,
    r#"{"edition":"custom","house":{"hand_size":3,"jump_in":true},"custom_cards":[8,10,6]}"#,
    r#"{"edition":"custom","custom_cards":[{"title":"\"Quo\\te\"\n","effects":[{"do":"dare","who":"next","prompt":"Sing.\u001b[31m","refuse":[{"do":"draw","who":"next","count":2}]},{"do":"perform","prompt":"Bow.","failure":[{"do":"discard_down","who":"others","to":2}]},{"do":"banner","who":"all","text":"{é}","until":"uno"}]},null,7]}"#,
];

fn setup(rules: &str, players: u8, seed: u64) -> Setup {
    let name = |name| Some(PlayerName::new(name).unwrap());
    Setup {
        rules: serde_json::from_str(rules).unwrap(),
        players,
        names: if seed.is_multiple_of(2) { vec![None, name("Zoë \"Z\" {x} \\ [y]"), None] } else { Vec::new() },
        dealer: seed.is_multiple_of(3).then_some(1),
        seeding: Seeding::Number(seed),
    }
}

/// A setup with some rounds that are dealt fairly. Every third player adds nothing; in every other round the
/// first of these has withheld a part, so that it is dealt in the second attempt.
fn fair(rules: &str, players: u8, seed: u64, rounds: u8) -> Setup {
    let part = |round: u8, seat: u8| [seed as u8 ^ seat.wrapping_mul(16) ^ round.wrapping_mul(3); 32];
    let deal = |round: u8| {
        let again = round.is_multiple_of(2) && players > 2;
        FairDeal {
            secret: Secret(part(round, 15)),
            attempt: if again { 2 } else { 1 },
            entropy: (0..players).map(|seat| (seat % 3 != 2).then(|| Entropy(part(round, seat)))).collect(),
            withheld: if again { vec![2] } else { Vec::new() },
            device: seed.is_multiple_of(5) && round == 1,
        }
    };
    Setup { seeding: Seeding::Fair((1..=rounds).map(deal).collect()), ..setup(rules, players, seed) }
}

/// A record of a match that was dealt fairly, up to a limit of moves.
fn play_fair(rules: &str, players: u8, seed: u64, limit: usize) -> Record {
    let rounds = play(fair(rules, players, seed, 200), limit).rounds();
    play(fair(rules, players, seed, rounds as u8), limit)
}

/// Everything every seat could do.
fn options(round: &Round, rules: &Rules) -> Vec<(Seat, Action)> {
    let mut options = Vec::new();
    for seat in 0..round.players() {
        round.legal(rules, seat, &mut |action| options.push((seat, *action)));
    }
    options
}

/// Plays up to a limit of moves: casual play, now and then anything that is legal, or a penalty.
fn play(setup: Setup, limit: usize) -> Record {
    let mut chance = Seeded::new(setup.seeding.number().unwrap_or(0) ^ 0x5eed);
    let mut recorder = Recorder::start(setup, &mut ()).unwrap();
    while recorder.len() < limit && recorder.game().winners().is_none() {
        let game = recorder.game();
        if game.round().is_over() {
            recorder.next_round(&mut ()).unwrap();
        } else if game.rules().suggestion_penalty() > 0 && chance.below(40) == 0 {
            let seat = chance.below(u32::from(game.players())) as Seat;
            let _ = recorder.penalize(seat, &mut ());
        } else {
            let (seat, action) = choose(game, &mut chance);
            recorder.apply(seat, &action, &mut ()).unwrap();
        }
    }
    recorder.into_record()
}

fn choose(game: &Match, chance: &mut Seeded) -> (Seat, Action) {
    let options = options(game.round(), game.rules());
    match options.get(chance.below(4 * options.len() as u32 + 1) as usize) {
        Some(option) => *option,
        None => Casual.choose(game.round(), game.rules(), chance),
    }
}

fn records(limit: usize) -> impl Iterator<Item = Record> {
    (0..).zip(RULES).flat_map(move |(seed, rules)| {
        let seeded = |players, seed| play(setup(rules, players, seed), limit);
        [seeded(2, seed), seeded(3, seed + 100), seeded(5, seed + 200), play_fair(rules, 4, seed + 50, limit)]
    })
}

/// The number of the first wrong move.
fn wrong_move(record: &Record) -> Option<u32> {
    match record.replay() {
        Err(RecordError::IllegalMove { at, .. } | RecordError::CheckMismatch { at, .. }) => Some(at.number),
        Err(RecordError::BadRules(_)) => Some(0),
        _ => None,
    }
}

/// All that a replay still has to tell.
fn told(mut replay: Replay<'_>) -> Vec<(Place, Option<Move>, Vec<Event>, Digest)> {
    let mut told = Vec::new();
    while let Some(step) = replay.step().unwrap() {
        told.push((step.place, step.made, step.events.to_vec(), Digest::of_state(step.game)));
    }
    told
}

#[test]
fn a_replay_from_any_step_on_is_the_rest_of_the_whole() {
    for record in records(150).step_by(3) {
        let whole = told(record.steps());
        for from in [0, 1, 2, 17, whole.len() - 1, whole.len(), whole.len() + 5] {
            let rest = told(record.steps_from(from as u32).unwrap());
            assert_eq!(rest, whole[from.min(whole.len())..], "from {from}");
        }
        let deals = whole.iter().filter(|(place, made, ..)| place.number == 0 || *made == Some(Move::NextRound));
        assert!(record.deals_at().eq(deals.map(|(place, ..)| place.number)));
    }
}

#[test]
fn records_come_back_from_both_forms() {
    for record in records(600) {
        let (text, json) = (record.to_text(), record.to_json());
        assert_eq!(Record::from_text(&text).unwrap(), record);
        assert_eq!(Record::from_json(&json).unwrap(), record);
        assert_eq!(Record::parse(&text).unwrap().to_json(), json);
        assert_eq!(Record::parse(&json).unwrap().to_text(), text);
        let game = record.replay().unwrap();
        assert_eq!(Outcome::of(&game), record.outcome);
        assert_eq!(Digest::of_state(&game), record.final_state);
    }
}

#[test]
fn every_kind_of_move_is_recorded() {
    let mut kinds = BTreeSet::new();
    for record in records(2_000) {
        let palette = record.setup.palette();
        for entry in &record.moves {
            let token = entry.made.token(2, palette);
            let what = token.split_once(':').map_or("round", |(_, what)| what);
            kinds.extend(["=", "(", "<>", "!"].into_iter().filter(|mark| what.contains(mark)).map(str::to_owned));
            kinds.insert(what.split(['=', '(', '!', '<']).next().unwrap_or_default().to_owned());
        }
    }
    for kind in "= ( <> ! round penalty draw keep take challenge call block uno catch discard yes no accept refuse \
                 R7 P7 WO WF WH WC1 W+4 B+2"
        .split(' ')
    {
        assert!(kinds.contains(kind), "{kind} in {kinds:?}");
    }
}

#[test]
fn text_fits_into_eighty_columns() {
    for record in records(300) {
        let text = record.to_text();
        let moves = text.lines().skip_while(|line| line.starts_with('['));
        assert!(moves.filter(|line| line.contains(' ')).all(|line| line.len() <= 80), "{text}");
    }
}

#[test]
fn every_other_legal_move_is_refused_where_it_stands() {
    for record in records(40) {
        let mut replay = record.steps();
        while let Some(step) = replay.step().unwrap() {
            let index = step.place.number as usize;
            let Some(entry) = record.moves.get(index) else { continue };
            for (seat, action) in options(step.game.round(), step.game.rules()) {
                let other = Move::Act { seat, action };
                let mut altered = record.clone();
                altered.moves[index].made = other;
                altered.moves.truncate(index + 1);
                let expected = (other != entry.made).then_some(index as u32 + 1);
                assert_eq!(wrong_move(&altered), expected, "{other:?} for {:?}", entry.made);
            }
        }
    }
}

#[test]
fn moves_left_out_doubled_or_swapped_are_refused_where_they_stand() {
    for record in records(40) {
        for index in 0..record.moves.len() {
            let number = index as u32 + 1;
            let mut dropped = record.clone();
            dropped.moves.remove(index);
            let last = index == dropped.moves.len();
            assert_eq!(wrong_move(&dropped), (!last).then_some(number));
            assert!(dropped.replay().is_err());

            let mut doubled = record.clone();
            doubled.moves.insert(index, record.moves[index]);
            assert_eq!(wrong_move(&doubled), Some(number + 1));

            let mut swapped = record.clone();
            if !last {
                swapped.moves.swap(index, index + 1);
                assert_eq!(wrong_move(&swapped), Some(number));
            }
        }
    }
}

#[test]
fn altered_seats_colors_and_checks_are_refused_where_they_stand() {
    for record in records(40) {
        for index in 0..record.moves.len() {
            for altered in alterations(&record, index) {
                assert_eq!(wrong_move(&altered), Some(index as u32 + 1), "{:?}", altered.moves[index]);
            }
        }
    }
}

/// The record with one move changed, be it legal or not.
fn alterations(record: &Record, index: usize) -> Vec<Record> {
    let with = |entry: Entry| {
        let mut altered = record.clone();
        altered.moves[index] = entry;
        altered
    };
    let entry = record.moves[index];
    let mut all = vec![with(Entry { check: Check(entry.check.0 ^ 1), ..entry })];
    let mut other = |made: Move| all.push(with(Entry { made, ..entry }));
    match entry.made {
        Move::Act { seat, action } => {
            other(Move::Act { seat: (seat + 1) % record.setup.players, action });
            other(Move::Act { seat: 255, action });
            other(Move::Penalize { seat });
            if let Action::Play(play) = action {
                other(Move::Act { seat, action: Action::Play(Play { uno: !play.uno, ..play }) });
                let color = play.color.map(|color| if color == Color::Blue { Color::Red } else { Color::Blue });
                color.inspect(|_| other(Move::Act { seat, action: Action::Play(Play { color, ..play }) }));
            }
        }
        Move::Penalize { seat } => other(Move::Penalize { seat: (seat + 1) % record.setup.players }),
        Move::NextRound => other(Move::Penalize { seat: 0 }),
    }
    all
}

#[test]
fn another_setup_is_refused_at_the_deal() {
    for record in records(5) {
        let altered = |change: &dyn Fn(&mut Setup)| {
            let mut altered = record.clone();
            change(&mut altered.setup);
            wrong_move(&altered)
        };
        assert_eq!(altered(&|_| ()), None);
        let changes: [&dyn Fn(&mut Setup); 12] = [
            &|setup| match &mut setup.seeding {
                Seeding::Number(seed) => *seed ^= 1,
                Seeding::Fair(deals) => deals[0].secret.0[31] ^= 1,
            },
            &|setup| setup.players += 1,
            &|setup| setup.players = 1,
            &|setup| setup.players = 200,
            &|setup| setup.dealer = Some(0),
            &|setup| setup.dealer = Some(77),
            &|setup| setup.names = vec![PlayerName::new("Mallory").ok()],
            &|setup| setup.names = vec![PlayerName::new("Mallory").ok(); 9],
            &|setup| setup.rules.house.force_play = true,
            &|setup| setup.rules.house.uno_penalty = Some(7),
            &|setup| setup.rules.scoring = Some(crate::rules::Scoring::LowestAt(77)),
            &|setup| setup.rules.house.hand_size = Some(99),
        ];
        for (number, change) in changes.iter().enumerate() {
            assert_eq!(altered(change), Some(0), "change {number} of {:?}", record.setup);
        }
        for edition in crate::Edition::ALL {
            let other = edition != record.setup.rules.edition;
            assert_eq!(altered(&|setup| setup.rules.edition = edition), other.then_some(0));
        }
    }
}

#[test]
fn another_edition_in_the_text_is_found_at_the_deal_though_cards_have_other_names() {
    let text = play(setup(RULES[0], 3, 1), 80).to_text();
    let error = Record::parse(&text.replace("original", "frozen")).unwrap_err();
    assert!(error.to_string().starts_with("move 0, the deal: rules, players, names"), "{error}");
    let json = play(setup(RULES[2], 3, 1), 80).to_json();
    let error = Record::parse(&json.replace("frozen", "modern")).unwrap_err();
    assert!(error.to_string().starts_with("move 0, the deal: "), "{error}");
}

#[test]
fn the_result_and_the_final_state_are_checked() {
    let record = play(setup(RULES[0], 3, 1), 5_000);
    assert!(record.outcome.winners.is_some());
    let mut altered = record.clone();
    altered.outcome.scores[0] += 1;
    assert!(matches!(altered.replay(), Err(RecordError::WrongResult { .. })));
    let mut altered = record.clone();
    altered.outcome.winners = None;
    assert!(matches!(altered.replay(), Err(RecordError::WrongResult { .. })));
    let mut altered = record.clone();
    altered.final_state.0[31] ^= 1;
    assert!(matches!(altered.replay(), Err(RecordError::WrongFinal { .. })));
}

/// Reads and plays a text; what is wrong with it, if anything.
fn complaint(text: &str) -> String {
    let result = Record::parse(text).and_then(|record| record.replay());
    result.map_or_else(|error| error.to_string(), |_| "nothing".to_owned())
}

/// A text with the `n`th move replaced; the deal is number 0.
fn with_token(text: &str, number: usize, token: &str) -> String {
    let (tags, moves) = text.split_once("\n\n").unwrap();
    let mut words: Vec<&str> = moves.split_whitespace().collect();
    words[number + 1] = token;
    format!("{tags}\n\n{}\n", words.join("\n"))
}

#[test]
fn what_cannot_be_read_is_named_by_line_and_column() {
    let text = play(setup(RULES[0], 3, 1), 12).to_text();
    assert_eq!(complaint(&text), "nothing");
    for (token, words) in [
        ("0:R99#0000", "line 13, column 1: move 5, 0:R99#0000: \"R99\" is neither a card nor another move"),
        ("0:W=purple#0000", "\"purple\" is not a color"),
        ("0:R7", "ends with its check"),
        ("0:R7#ABCD", "ends with its check"),
        ("R7#0000", "begins with its seat"),
        ("x:R7#0000", "\"x\" is not a number"),
        ("+1:R7#0000", "\"+1\" is not a number"),
        ("0:draw!#0000", "not called with draw"),
        ("0:catch=1!#0000", "no `!` here"),
        ("0:WO=pink(Y1#0000", "ends with `)`"),
        ("0:WO=pink(Y1,)#0000", "\"\" is neither a card"),
        ("round", "this would be round 2, not"),
        ("[Seed", "ends with its check"),
        ("{", "line 13, column 1: this comment does not end"),
        ("1:\u{1b}[31m#0000", "is neither a card"),
    ] {
        let error = complaint(&with_token(&text, 5, token).replace("round\n", "round "));
        assert!(error.contains(words), "{token}: {error}");
        assert!(!error.contains('\u{1b}'), "{error}");
    }
}

#[test]
fn what_is_wrong_first_is_named_first() {
    let text = play(setup(RULES[0], 3, 1), 12).to_text();
    let pink = with_token(&text, 5, "0:P7#0000");
    assert!(
        complaint(&pink).starts_with("move 5 (round 1, seat 0, 0:P7): P7 is not in the hand"),
        "{}",
        complaint(&pink)
    );
    for later in ["0:P7#0000", "0:R99#0000", "{"] {
        let error = complaint(&with_token(&with_token(&text, 5, later), 3, "0:W=red#0000"));
        assert!(error.starts_with("move 3 (round 1, seat 0, 0:W=red)"), "{error}");
    }
    let huge = with_token(&text, 5, "99999999:draw#0000");
    assert!(complaint(&huge).contains("there is no such seat"), "{}", complaint(&huge));
}

#[test]
fn tags_are_checked() {
    let text = play(setup(RULES[5], 3, 1), 12).to_text();
    for (from, to, words) in [
        ("[Unum \"1\"]", "[Unum \"4\"]", "version \"4\", this program reads versions 1 and 3"),
        ("[Unum \"1\"]", "[Unum \"2\"]", "version \"2\", this program reads versions 1 and 3"),
        ("[Unum \"1\"]", "[Unum \"3\"]", "version 3 has deals and no seed"),
        ("[Unum \"1\"]", "[Unum \"1\"][Unum \"1\"]", "the tag Unum stands here twice"),
        ("[Unum \"1\"]", "", "line 2, column 2: a record begins with the tag"),
        ("[Seed", "[Sead", "there is no tag \"Sead\""),
        ("[Seed \"1\"]", "", "the tag Seed is missing"),
        ("[Seed \"1\"]", "[Seed \"1\"][Seed \"1\"]", "the tag Seed stands here twice"),
        ("[Seed \"1\"]", "[Seed \"01\"]", "Seed: \"01\" is not a number"),
        ("[Seed \"1\"]", "[Seed \"1\n\"]", "does not end on its line"),
        ("[Seed \"1\"]", "[Seed \"\\1\"]", "begin with a backslash"),
        ("[Players \"3\"]", "[Players \"300\"]", "2 to 10 can play"),
        ("[Players \"3\"]", "[Players \"30\"]", "move 0, the deal: 2 to 10 can play"),
        ("[Players \"3\"]", "[Players \"3\"][Name2 \" a\"]", "begins and ends with a visible"),
        ("[Players \"3\"]", "[Players \"3\"][Name3 \"a\"]", "move 0, the deal: there is a name for seat 3"),
        ("[Edition \"original\"]", "[Edition \"classic\"]", "Edition: \"classic\" is none"),
        ("stacking", "stocking", "move 0, the deal: the tag Rules: unknown field `stocking`"),
        ("[Result \"", "[Result \"won by 0 256, scores 1 2 3", "is too much"),
        ("[Result \"", "[Result \"lost", "it begins with"),
        ("[Final \"", "[Final \"A", "64 lower-case hex digits"),
        ("round 1#", "round 2#", "this would be round 1"),
        ("round 1#", "0:draw#", "the moves begin with"),
    ] {
        let error = complaint(&text.replacen(from, to, 1));
        assert!(text.contains(from) && error.contains(words), "{to}: {error}");
    }
}

#[test]
fn documents_are_checked() {
    let json = play(setup(RULES[0], 3, 1), 12).to_json();
    assert_eq!(complaint(&json), "nothing");
    for (from, to, words) in [
        ("\"version\": 1", "\"version\": 4, \"new\": 0", "version 4, this program reads versions 1 and 3"),
        ("\"version\": 1", "\"version\": 3", "version 3 has `deals`"),
        ("unum-record", "pgn", "`format` is \"unum-record\", not \"pgn\""),
        ("\"seed\"", "\"sead\"", "unknown field `sead`"),
        ("\"players\": 3", "\"players\": 3, \"players\": 3", "duplicate field"),
        ("\"players\": 3", "\"players\": 3, \"names\": [\"a\\u0007b\"]", "no control characters"),
        ("\"edition\":\"original\"", "\"edition\":\"classic\"", "move 0, the deal: `rules`: unknown variant"),
        (
            "    {\"op\":\"act\"",
            "    {\"op\":\"cheat\"",
            "line 9, column 5: this is not a move: unknown variant `cheat`",
        ),
        ("\"deal\": \"", "\"deal\": \"0", "four lower-case hex digits"),
        ("\"op\":\"act\",", "\"op\":\"act\",\"note\":1,", "unknown field `note`"),
    ] {
        let error = complaint(&json.replacen(from, to, 1));
        assert!(json.contains(from) && error.contains(words), "{to}: {error}");
    }
}

#[test]
fn remarks_and_line_breaks_do_not_matter() {
    let record = play(setup(RULES[6], 2, 5), 50);
    let text = record.to_text();
    let (tags, moves) = text.split_once("\n\n").unwrap();
    let tags = tags.replace(']', " { [x] } ] {remark}").replace('\n', "\r\n\r\n");
    let moves = moves.replace([' ', '\n'], " {a [remark] \"\n}{} \t\r\n");
    assert_eq!(Record::parse(&format!("\u{feff} {{remark}}{tags}{moves}{{end}}")).unwrap(), record);
}

#[test]
fn names_are_bounded_and_printable() {
    assert_eq!(PlayerName::new(&"é".repeat(40)).map(|_| ()), Ok(()));
    assert_eq!(PlayerName::new(&"é".repeat(41)), Err(NameError::TooLong));
    for bad in ["", " ", "a ", "\ta"] {
        assert_eq!(PlayerName::new(bad), Err(NameError::Blank), "{bad:?}");
    }
    for bad in ["a\nb", "a\u{1b}[31mb", "a\u{202e}b", "a\u{7f}b"] {
        assert_eq!(PlayerName::new(bad), Err(NameError::Unprintable), "{bad:?}");
    }
}

#[test]
fn hostile_input_is_refused_without_panic() {
    let mut chance = Seeded::new(9);
    for record in records(40) {
        for text in [record.to_text(), record.to_json()] {
            for _ in 0..150 {
                let _ = complaint(&mangled(&text, &mut chance));
            }
            (0..text.len())
                .step_by(17)
                .for_each(|end| drop(complaint(&String::from_utf8_lossy(&text.as_bytes()[..end]))));
        }
    }
    for text in ["", "{", "{}", "{\"", "[", "[]", "[\"", "[Unum", "}", "{{", "\u{feff}", "round", "#", "\0", "[[[[[["] {
        assert_ne!(complaint(text), "nothing");
    }
    assert_ne!(complaint(&"{\"rules\":".repeat(50_000)), "nothing");
    assert_ne!(complaint(&"[".repeat(100_000)), "nothing");
}

/// A text with a few bytes changed, doubled or left out.
fn mangled(text: &str, chance: &mut Seeded) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=chance.below(3) {
        let at = chance.below(bytes.len() as u32) as usize;
        match chance.below(4) {
            0 => bytes[at] = chance.below(256) as u8,
            1 => bytes[at] = b"0123456789!#=():<>,[]{}\"\\ RPYGBWSOFHC+"[chance.below(38) as usize],
            2 => drop(bytes.remove(at)),
            _ => bytes.insert(at, bytes[at]),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn a_mangled_record_that_is_accepted_is_the_same_record() {
    let mut chance = Seeded::new(10);
    let record = play(setup(RULES[0], 2, 2), 60);
    for text in [record.to_text(), record.to_json()] {
        for _ in 0..2_000 {
            let read = Record::parse(&mangled(&text, &mut chance));
            if let Some(other) = read.ok().filter(|other| other.replay().is_ok()) {
                assert_eq!(other, record);
            }
        }
    }
}

#[test]
fn steps_tell_the_events_of_each_move() {
    let record = play(setup(RULES[0], 3, 1), 100);
    let mut replay = record.steps();
    let deal = replay.step().unwrap().unwrap();
    assert!(deal.made.is_none() && deal.events.iter().any(|event| matches!(event, Event::Dealt { .. })));
    let mut steps = 0;
    while let Some(step) = replay.step().unwrap() {
        steps += 1;
        assert!(!step.events.is_empty(), "{}", step.place);
        assert_eq!((step.place.number, step.game.view(Viewer::Spectator).players), (steps, 3));
    }
    assert_eq!(steps as usize, record.moves.len());
    assert!(replay.step().unwrap().is_none());
}

#[test]
fn refused_changes_are_not_recorded() {
    let mut recorder = Recorder::start(setup(RULES[1], 3, 1), &mut ()).unwrap();
    let before = recorder.record();
    assert!(recorder.apply(9, &Action::Draw, &mut ()).is_err());
    assert!(recorder.penalize(0, &mut ()).is_err());
    assert!(recorder.next_round(&mut ()).is_err());
    assert!(recorder.is_empty());
    assert_eq!(recorder.record(), before);
}

#[test]
fn fair_rounds_are_dealt_from_their_own_deals() {
    let record = play_fair(RULES[0], 4, 1, 3_000);
    let deals = record.setup.seeding.deals();
    assert!(deals.len() > 1 && deals.len() == record.rounds() as usize);
    let rules = Rules::new(record.setup.rules.clone()).unwrap();
    let mut replay = record.steps();
    let mut before: Option<(Seat, Vec<u32>)> = None;
    while let Some(step) = replay.step().unwrap() {
        let chance = deals[step.place.round as usize - 1].chance();
        let dealt = match (&step.made, &before) {
            (None, _) => Match::start(rules.clone(), 4, record.setup.dealer, chance, &mut ()),
            (Some(Move::NextRound), Some((dealer, scores))) => {
                Match::go_on(rules.clone(), scores, (dealer + 1) % 4, chance, &mut ())
            }
            _ => {
                before = Some((step.game.round().dealer(), step.game.scores().to_vec()));
                continue;
            }
        };
        assert_eq!(Position::of(&dealt.unwrap()), Position::of(step.game));
    }
}

#[test]
fn any_other_deal_is_found() {
    let record = play_fair(RULES[0], 4, 1, 3_000);
    let altered = |change: &dyn Fn(&mut Vec<FairDeal>)| {
        let mut altered = record.clone();
        let Seeding::Fair(deals) = &mut altered.setup.seeding else { unreachable!() };
        change(deals);
        altered.replay().map(drop)
    };
    assert_eq!(altered(&|_| ()), Ok(()));
    type Change<'a> = &'a dyn Fn(&mut Vec<FairDeal>);
    let changes: [Change<'_>; 7] = [
        &|deals| deals[1].secret.0[0] ^= 1,
        &|deals| deals[1].entropy[0] = None,
        &|deals| deals[0].withheld = vec![2],
        &|deals| deals[0].entropy[2] = Some(Entropy([0; 32])),
        &|deals| deals.swap(0, 1),
        &|deals| deals[1].entropy.swap(0, 1),
        &|deals| deals.push(deals[0].clone()),
    ];
    for (number, change) in changes.iter().enumerate() {
        assert!(matches!(altered(change), Err(RecordError::CheckMismatch { .. })), "change {number}");
    }
    let error = altered(&|deals| deals[0].entropy.truncate(3)).unwrap_err();
    assert!(error.to_string().contains("round 1 has the entropy (or its absence) of 3 players, but 4 play"), "{error}");
    assert_eq!(altered(&|deals| deals.clear()), Err(RecordError::WrongDeals { written: 0, played: 1 }));
}

/// The checks cover the deals, so a record with too few or too many has other checks: here they are made to fit.
#[test]
fn too_few_and_too_many_deals_are_named() {
    let whole = play_fair(RULES[0], 4, 1, 3_000);
    let rounds = whole.rounds() as u8;
    let more = play(fair(RULES[0], 4, 1, rounds + 1), 3_000);
    let written = usize::from(rounds) + 1;
    assert_eq!(more.replay().map(drop), Err(RecordError::WrongDeals { written, played: rounds.into() }));
    let mut recorder = Recorder::start(fair(RULES[0], 4, 1, 1), &mut ()).unwrap();
    while !recorder.game().round().is_over() {
        let (seat, action) = Casual.choose(recorder.game().round(), recorder.game().rules(), &mut Seeded::new(1));
        recorder.apply(seat, &action, &mut ()).unwrap();
    }
    assert_eq!(recorder.next_round(&mut ()), Err(NextRoundError::NoDeal));
    let mut few = recorder.into_record();
    few.moves.push(Entry { made: Move::NextRound, check: Check(0) });
    let error = few.replay().unwrap_err().to_string();
    assert!(error.contains("the deal of round 2: no secret is given for this round"), "{error}");
}

#[test]
fn the_deals_of_a_text_are_checked() {
    let text = play_fair(RULES[0], 3, 1, 12).to_text();
    assert_eq!(complaint(&text), "nothing");
    let (head, rest) = text.split_once("[Deal1 \"").unwrap();
    let (deal, rest) = rest.split_once("\"]").unwrap();
    let again = deal.replacen(' ', " again ", 1);
    for (other, words) in [
        ("", "the tag Deal1 is missing"),
        ("[Deal2 \"\"]", "the tag Deal1 would come here, not Deal2"),
        ("[Deal01 \"\"]", "the tag Deal1 would come here, not Deal01"),
        ("[Deal \"\"]", "there is no tag \"Deal\""),
        ("[Deal1 \"\"]", "Deal1: 32 bytes are written as 64 lower-case hex digits"),
        ("[Deal1 \"DEAL x\"]", "Deal1: 32 bytes"),
        ("[Deal1 \"DEAL -\"]", "of 4 players, but 3 play"),
        ("[Deal1 \"AGAIN\"]", "the deal of round 1: there is a second attempt only after"),
        ("[Deal1 \"DEAL\"][Seed \"1\"]", "version 3 has deals and no seed"),
        ("[Deal1 \"DEAL\"][Deal1 \"DEAL\"]", "the tag Deal2 would come here"),
    ] {
        let error = complaint(&format!("{head}{}{rest}", other.replace("DEAL", deal).replace("AGAIN", &again)));
        assert!(error.contains(words), "{other}: {error}");
    }
    assert!(complaint(&text.replace("[Unum \"3\"]", "[Unum \"1\"]")).contains("version 1 has the tag Seed"));
    let json = play_fair(RULES[0], 3, 1, 12).to_json();
    let deals = json.find("\"deals\": [").unwrap()..json.find("\"deal\":").unwrap();
    let error = complaint(&format!("{}\"deals\": [], {}", &json[..deals.start], &json[deals.end..]));
    assert!(error.contains("at least one"), "{error}");
}

/// The example of docs/records.md. When the engine's chance or states change, so does the example: make it
/// again with `unum record`.
#[test]
fn the_published_example_replays() {
    let page = include_str!("../../../../docs/records.md");
    let example = page.split("```").find(|block| block.starts_with("text\n[Unum")).unwrap();
    let record = Record::parse(example.strip_prefix("text").unwrap()).unwrap();
    assert_eq!(record.replay().map(|game| game.players()), Ok(3));
    let setup = json::setup(&record.setup);
    let mut table = record.open(&mut ()).unwrap();
    let digests = [table.digest, {
        record.advance(&mut table, &mut ()).unwrap();
        table.digest
    }];
    for part in [setup, digests[0].to_string(), digests[1].to_string(), record.final_state.to_string()] {
        assert!(page.contains(&part), "{part}");
    }
}
