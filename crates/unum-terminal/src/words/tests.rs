use serde_json::{Value, json};
use unum_protocol::{SettingId, SettingValue};
use unum_rules::Edition;

use super::*;
use crate::scene::{choices, fair, terms, told};

/// A table of Ann (oneself), Bob and Bea, seen by Ann.
struct Scene {
    edition: Edition,
    hand: Vec<&'static str>,
    phase: Value,
    legal: Value,
    may: Vec<&'static str>,
    stage: &'static str,
    accepted: bool,
}

impl Default for Scene {
    fn default() -> Scene {
        Scene {
            edition: Edition::Original,
            hand: vec!["R7", "RS", "Y4", "B+2", "W", "W+4"],
            phase: json!({"type": "turn", "seat": 0}),
            legal: json!([{"type": "play", "card": "R7"}, {"type": "draw"}]),
            may: Vec::new(),
            stage: "playing",
            accepted: true,
        }
    }
}

impl Scene {
    fn model(&self) -> Model {
        let chair = |name: &str, person: Value| json!({"name": name, "person": person, "bot": null, "accepted": self.accepted, "ready": false});
        let person = |number: u32, name: &str, seat: u8| json!({"person": number, "name": name, "seat": seat, "connected": true});
        let view = json!({
            "players": 3, "dealer": 1, "direction": "left", "phase": self.phase, "top": "R3", "color": "red",
            "hand_sizes": [self.hand.len(), 7, 1], "hand": self.hand, "shown": {}, "draw_count": 80,
            "discard_pile": ["R3"], "liable": [], "idle": 0, "draw_more": [], "face_up": [], "banners": [],
            "scores": [0, 0, 0], "result": null, "winners": null,
        });
        let snapshot = json!({
            "type": "snapshot", "seq": 9, "chat": [], "terms": terms(2, &json!({"edition": self.edition})),
            "lobby": {
                "stage": self.stage, "code": "x", "host": 1, "acting": false, "locked": false, "paused": false, "fair": fair(),
                "chairs": [chair("Ann", 1.into()), chair("Bob", 2.into()), chair("Bea", Value::Null)],
                "people": [person(1, "Ann", 0), person(2, "Bob", 1)],
            },
            "own": {"may": self.may, "muted": [], "kicked": [{"person": 7, "name": "Eve", "address": false}]},
            "game": {"round": 1, "at": 6, "view": view, "legal": choices(&self.legal, self.hand.len(), false)},
        });
        let welcome = json!({"type": "welcome", "version": 1, "server": "", "table": "x", "you": 1, "last_id": 0});
        let mut model = Model::default();
        for message in [welcome, snapshot] {
            model.take(&told(message));
        }
        assert_eq!((model.seat(), model.game.is_some()), (Some(0), true));
        model
    }

    fn read(&self, line: &str) -> Result<Command, String> {
        parse(line, &self.model())
    }

    /// The action and the number of the move it is bound to.
    fn action(&self, line: &str) -> (Value, Option<u32>) {
        match self.read(line) {
            Ok(Command::Ask(requests)) => match requests.as_slice() {
                [Request::Act { action, at }] => (serde_json::to_value(action).unwrap(), *at),
                other => panic!("{line}: {other:?}"),
            },
            other => panic!("{line}: {other:?}"),
        }
    }

    fn mistake(&self, line: &str) -> String {
        self.read(line).expect_err(line)
    }
}

#[test]
fn every_card_goes_by_its_short_and_its_spoken_name() {
    for edition in Edition::ALL {
        let model = Scene { edition, ..Scene::default() }.model();
        let rules = model.rules().unwrap();
        for card in rules.deck.iter().map(|kind| kind.card) {
            for name in [short(card), card.spoken(), card.as_str().to_owned()] {
                let tokens: Vec<&str> = name.split_whitespace().collect();
                assert_eq!(read_card(&tokens, &model), Some((card, tokens.len())), "{name}");
            }
        }
    }
}

#[test]
fn a_card_is_played_by_any_of_its_names() {
    let scene = Scene::default();
    let played = (json!({"type": "play", "card": "R7"}), None);
    for line in ["play r7", "p r7", "PLAY R7", "play red 7", "pl red7", "r7", "red 7", "r 7", "  play   r7 "] {
        assert_eq!(scene.action(line), played, "{line}");
    }
}

#[test]
fn what_is_not_possible_is_asked_for_at_the_move_one_saw() {
    let scene = Scene::default();
    assert_eq!(scene.action("play y4"), (json!({"type": "play", "card": "Y4"}), Some(6)));
    assert_eq!(scene.action("why y4"), (json!({"type": "play", "card": "Y4"}), Some(6)));
    assert_eq!(scene.action("keep"), (json!({"type": "keep"}), Some(6)));
    assert_eq!(scene.action("w green"), (json!({"type": "play", "card": "W", "color": "green"}), Some(6)));
    assert!(scene.mistake("play g9").contains("You do not hold green 9. You hold red 7, "));
    assert!(scene.mistake("why r7").contains("Red 7 can be played now. Type play r7."));
}

#[test]
fn a_wild_wants_a_color() {
    let wild = |color: &str| json!({"type": "play", "card": "W+4", "color": color});
    let scene = Scene { legal: json!([wild("red"), wild("yellow"), wild("green"), wild("blue")]), ..Scene::default() };
    for line in ["play +4 blue", "play wild draw four blue", "+4 b", "w4 blue", "play w+4 calling blue"] {
        assert_eq!(scene.action(line), (wild("blue"), None), "{line}");
    }
    let mistake = scene.mistake("play w+4");
    assert_eq!(mistake, "Which color? Type play w+4 red, play w+4 yellow, play w+4 green or play w+4 blue.");
    let calls = Scene {
        phase: json!({"type": "call_color", "seat": 0}),
        legal: json!([{"type": "call_color", "color": "red"}, {"type": "call_color", "color": "blue"}]),
        ..Scene::default()
    };
    for line in ["color blue", "colour b", "blue", "call blue"] {
        assert_eq!(calls.action(line), (json!({"type": "call_color", "color": "blue"}), None), "{line}");
    }
    assert!(calls.mistake("color").contains("red, yellow, green or blue"));
}

#[test]
fn a_seven_wants_somebody_to_swap_with() {
    let swap = |seat: u8| json!({"type": "play", "card": "R7", "swap_with": seat});
    let scene = Scene { legal: json!([swap(1), swap(2)]), ..Scene::default() };
    for line in ["play r7 swap Bob", "play r7 bob", "r7 with bo"] {
        assert_eq!(scene.action(line), (swap(1), None), "{line}");
    }
    assert!(scene.mistake("play r7").contains("play r7 swap Bob or play r7 swap Bea"));
    assert!(scene.mistake("play r7 swap b").contains("Bob and Bea"), "a beginning that is not clear");
    assert!(scene.mistake("play r7 swap Cy").contains("Nobody here is called \"Cy\""));
}

#[test]
fn olaf_takes_cards_along() {
    let olaf = |cards: &[&str]| match cards {
        [] => json!({"type": "play", "card": "WO", "color": "blue"}),
        cards => json!({"type": "play", "card": "WO", "color": "blue", "discard": cards}),
    };
    let scene = Scene {
        edition: Edition::Frozen,
        hand: vec!["P7", "P8", "Y1", "WO"],
        legal: json!([olaf(&[]), olaf(&["P7"]), olaf(&["P7", "P8"])]),
        ..Scene::default()
    };
    assert_eq!(scene.action("play olaf blue"), (olaf(&[]), None));
    assert_eq!(scene.action("play olaf blue with p8 and pink 7"), (olaf(&["P7", "P8"]), None));
    assert_eq!(scene.action("wo b p7"), (olaf(&["P7"]), None));
    let (refused, at) = scene.action("play olaf blue with y1");
    assert_eq!((refused, at), (olaf(&["Y1"]), Some(6)), "the table says what is wrong with it");
}

#[test]
fn uno_is_called_with_the_card_or_armed_before_it() {
    let scene = Scene { hand: vec!["R7", "Y4"], ..Scene::default() };
    let called = json!({"type": "play", "card": "R7", "uno": true});
    assert_eq!(scene.action("play r7 uno"), (called.clone(), None));
    assert_eq!(scene.read("uno"), Ok(Command::ArmUno));
    let mut model = scene.model();
    model.uno_armed = true;
    let request = Request::Act { action: serde_json::from_value(called).unwrap(), at: None };
    assert_eq!(parse("r7", &model), Ok(Command::Ask(vec![request])));
    assert!(Scene::default().mistake("play r7 uno").contains("leaves you one"));
    let owes = Scene { hand: vec!["Y4"], legal: json!([{"type": "call_uno"}]), ..Scene::default() };
    assert_eq!(owes.action("u"), (json!({"type": "call_uno"}), None));
}

#[test]
fn catching_votes_dares_and_discards() {
    let scene = Scene { legal: json!([{"type": "catch", "seat": 2}]), ..Scene::default() };
    for line in ["catch", "catch Bea", "x", "cat be"] {
        assert_eq!(scene.action(line).0, json!({"type": "catch", "seat": 2}), "{line}");
    }
    let scene = Scene {
        phase: json!({"type": "vote", "seat": 1, "prompt": "Sing", "waiting": [0]}),
        legal: json!([{"type": "vote", "yes": true}, {"type": "vote", "yes": false}]),
        ..Scene::default()
    };
    for line in ["vote no", "no", "v n"] {
        assert_eq!(scene.action(line).0, json!({"type": "vote", "yes": false}), "{line}");
    }
    assert!(scene.mistake("vote maybe").contains("vote yes or vote no"));
    let scene = Scene {
        phase: json!({"type": "dare", "seat": 0, "prompt": "Dance"}),
        legal: json!([{"type": "dare", "accept": true}, {"type": "dare", "accept": false}]),
        ..Scene::default()
    };
    assert_eq!(scene.action("accept").0, json!({"type": "dare", "accept": true}));
    assert_eq!(scene.action("yes").0, json!({"type": "dare", "accept": true}));
    assert_eq!(scene.action("decline").0, json!({"type": "dare", "accept": false}));
    let scene = Scene {
        phase: json!({"type": "discard", "seat": 0, "count": 2}),
        legal: json!([{"type": "discard", "count": 2}]),
        ..Scene::default()
    };
    let (discarded, _) = scene.action("discard r7 yellow 4");
    assert_eq!(discarded, json!({"type": "discard", "cards": ["R7", "Y4"]}));
    assert!(hints(&scene.model()).iter().any(|hint| hint.words == "discard r7 rs"));
    assert!(scene.mistake("discard").contains("r7 rs y4"));
}

#[test]
fn one_key_keeps_and_takes_as_on_the_page() {
    let scene = Scene {
        phase: json!({"type": "respond", "seat": 0, "by": 1, "cards": 4}),
        legal: json!([{"type": "take"}, {"type": "challenge"}, {"type": "block", "color": "red"}]),
        ..Scene::default()
    };
    assert_eq!(scene.action("k").0, json!({"type": "take"}));
    assert_eq!(scene.action("ch").0, json!({"type": "challenge"}), "the only such word that is of use now");
    assert_eq!(scene.action("b red").0, json!({"type": "block", "color": "red"}));
    assert!(Scene::default().mistake("ch").contains("challenge, choices or chat"));
}

#[test]
fn in_the_lobby_being_ready_accepts_the_rules() {
    let lobby = |may: &[&'static str]| Scene { stage: "lobby", may: may.to_vec(), ..Scene::default() };
    let unread = Scene { accepted: false, ..lobby(&["accept"]) };
    let Ok(Command::Ask(requests)) = unread.read("ready") else { panic!("a request") };
    assert!(matches!(
        requests.as_slice(),
        [Request::Accept { agreement: 2 }, Request::Ready { ready: true, pledge: None }]
    ));
    let Ok(Command::Ask(requests)) = lobby(&["ready"]).read("ready no") else { panic!("a request") };
    assert_eq!(requests, [Request::Ready { ready: false, pledge: None }]);
    for (line, request) in [
        ("kick bob", Request::Kick { person: 2, address: false }),
        ("kick bob and address", Request::Kick { person: 2, address: true }),
        ("mute bob", Request::Mute { person: 2, muted: true, always: false }),
        ("mute bob always", Request::Mute { person: 2, muted: true, always: true }),
        ("report bob", Request::Report { person: 2, kind: ReportKind::Other, text: String::new() }),
        ("report bob spam", Request::Report { person: 2, kind: ReportKind::Spam, text: String::new() }),
        ("unkick eve", Request::Unkick { person: 7 }),
        ("lock", Request::Lock { locked: true }),
        ("unlock", Request::Lock { locked: false }),
        ("newcode", Request::NewCode {}),
    ] {
        assert_eq!(lobby(&[]).read(line), Ok(Command::Ask(vec![request])), "{line}");
    }
    assert!(lobby(&[]).mistake("unkick bob").contains("There are Eve"));
    let bot = Request::AddBot { level: Level::Expert };
    assert_eq!(lobby(&[]).read("bot ex"), Ok(Command::Ask(vec![bot])));
    assert!(lobby(&[]).mistake("bot smart").contains("bot hard"));
    let said = Request::Chat { text: "play r7, all of you".to_owned() };
    assert_eq!(lobby(&[]).read("say play r7, all of you"), Ok(Command::Ask(vec![said.clone()])));
    assert_eq!(lobby(&[]).read("'play r7, all of you"), Ok(Command::Ask(vec![said])));
}

#[test]
fn settings_are_changed_by_words() {
    let lobby = Scene { stage: "lobby", may: vec!["settings"], ..Scene::default() };
    let set = |setting, value| Request::Set { setting, value };
    let stacking = set(SettingId::Stacking, SettingValue::word("any"));
    assert_eq!(lobby.read("set stacking any"), Ok(Command::Ask(vec![stacking])));
    let lowest =
        [set(SettingId::Scoring, SettingValue::word("lowest_at")), set(SettingId::Target, SettingValue::Number(300))];
    assert_eq!(lobby.read("set scoring lowest_at 300"), Ok(Command::Ask(lowest.into())));
    assert_eq!(lobby.read("set"), Ok(Command::Show(Show::Settings)));
    assert!(lobby.mistake("set stacking").contains("off, same or any"));
    let lines = crate::status::show(&Show::Settings, &lobby.model());
    assert!(lines.iter().any(|line| line.to_string().starts_with("seven_zero: off (a 7 swaps hands")), "{lines:#?}");
}

#[test]
fn a_wrong_word_is_told_what_would_be_right_now() {
    let scene = Scene::default();
    assert_eq!(
        scene.mistake("shout"),
        "There is no command \"shout\". Now you can type play r7, draw, or help for the list."
    );
    assert!(scene.mistake("play x9").contains("\"x9\" is not a card of this deck. Now you can type play r7."));
    assert_eq!(scene.read(""), Ok(Command::Show(Show::Choices)));
    assert_eq!(scene.read("rules w4"), Ok(Command::Show(Show::Rules(Some("w4".to_owned())))));
    assert_eq!(scene.read("w"), Ok(Command::Show(Show::Why)));
}

/// The keys of the page, as docs/page.md lists them, are short forms of the same words.
#[test]
fn the_keys_of_the_page_are_words_here() {
    let keys = [
        ('d', "draw"),
        ('k', "keep"),
        ('c', "challenge"),
        ('b', "block"),
        ('u', "uno"),
        ('x', "catch"),
        ('s', "table"),
        ('l', "log"),
        ('m', "chat"),
        ('r', "rules"),
        ('?', "choices"),
    ];
    let page = include_str!("../../../../docs/page.md");
    for (key, word) in keys {
        assert_eq!(exact(&key.to_string()).map(|entry| entry.word), Some(word), "{key}");
        assert!(page.contains(&format!("`{}`", key.to_ascii_uppercase())), "{key} is no longer a key of the page");
    }
}

#[test]
fn the_document_lists_the_grammar() {
    let document = include_str!("../../../../docs/terminal.md");
    let rows: Vec<&str> = document.lines().filter(|line| line.starts_with("| `")).collect();
    for (row, entry) in rows.iter().zip(GRAMMAR) {
        let short: Vec<String> = entry.aliases.iter().map(|alias| format!("`{alias}`")).collect();
        let form = entry.form.replace('|', "\\|");
        assert_eq!(*row, format!("| `{form}` | {} | {} |", short.join(", "), entry.help));
    }
    assert!(rows.len() >= GRAMMAR.len());
}

#[test]
fn no_word_means_two_things() {
    let mut words: Vec<&str> =
        GRAMMAR.iter().flat_map(|entry| entry.aliases.iter().copied().chain([entry.word])).collect();
    words.sort_unstable();
    let count = words.len();
    words.dedup();
    assert_eq!(words.len(), count);
}

/// Whatever is typed, the answer is a command or a sentence.
#[test]
fn nothing_that_is_typed_is_too_much() {
    let model = Scene::default().model();
    let odd = [
        "",
        "ü",
        "\u{0}",
        "''",
        "🂡",
        "+",
        "+4",
        "uno",
        "swap",
        "with",
        "red",
        "99999999999999999999",
        "r7",
        "w",
        "\u{202e}",
    ];
    for entry in GRAMMAR {
        for first in odd {
            for second in odd {
                for line in [format!("{} {first} {second}", entry.word), format!("{first}{} {second}", entry.word)] {
                    if let Err(mistake) = parse(&line, &model) {
                        assert!(mistake.ends_with('.'), "{line}: {mistake}");
                    }
                }
            }
        }
    }
}

#[test]
fn rules_are_told_in_the_words_of_the_edition_with_our_rulings() {
    let modern = Scene { edition: Edition::Modern, ..Scene::default() }.model();
    let told = |id: &str| -> Vec<String> {
        crate::status::rules(Some(id), &modern).iter().map(|line| line.to_string()).collect()
    };
    let start = told("S6");
    assert!(start[0].starts_with("S6 A Wild Draw Four as start card: It is not put back."), "{start:?}");
    assert_eq!(start.len(), 1, "the ruling is about other editions: {start:?}");
    assert!(told("S2")[1].starts_with("Our rulings, not on the sheets: In the modern edition"));
    assert!(told("X1")[1].starts_with("Not in Modern. It applies in Original."));
    assert!(told("C2").iter().any(|line| line.starts_with("1 Keep digging: ")));
    assert_eq!(told("A3").len(), 1);
}

#[test]
fn a_question_does_not_order_to_draw() {
    let lines = crate::status::question(&Scene::default().model());
    assert!(lines.iter().any(|line| line.to_string() == "Or type draw."), "{lines:?}");
    let stuck = Scene { legal: json!([{"type": "draw"}]), ..Scene::default() }.model();
    assert!(crate::status::question(&stuck).iter().any(|line| line.to_string() == "Type draw."));
    assert!(crate::status::help(None).iter().all(|line| !line.to_string().contains("?.")));
}
