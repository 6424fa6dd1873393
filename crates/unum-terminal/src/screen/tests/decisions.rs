//! Every decision of every edition, by keys.

use ratatui::crossterm::event::KeyCode;
use serde_json::json;
use unum_protocol::Request;

use super::super::update::Effect;
use super::fixture::{Table, action, is_refusable, legal, plays, press, press_code, tell};

#[test]
fn the_first_card_that_fits_is_looked_at_and_enter_plays_it() {
    let table = Table { legal: legal(&["R3", "R7", "W"], &["draw"]), ..Table::default() };
    assert_eq!(action(&press(&mut table.screen(), "\n")), json!({ "type": "play", "card": "R3" }));
    assert_eq!(action(&press(&mut table.screen(), ">\n")), json!({ "type": "play", "card": "R7" }));
    assert_eq!(action(&press(&mut table.screen(), "\t\n")), json!({ "type": "play", "card": "R7" }));
    assert_eq!(action(&press(&mut table.screen(), "22")), json!({ "type": "play", "card": "R7" }));
    assert_eq!(action(&press(&mut table.screen(), "d")), json!({ "type": "draw" }));
}

#[test]
fn a_wild_asks_for_a_color() {
    let table = Table { legal: legal(&["W"], &["draw"]), ..Table::default() };
    let wild = |color: &str| json!({ "type": "play", "card": "W", "color": color });
    assert_eq!(action(&press(&mut table.screen(), "\ng")), wild("green"));
    assert_eq!(action(&press(&mut table.screen(), "\n>\n")), wild("yellow"));
    let mut screen = table.screen();
    assert!(press(&mut screen, "\n\x1b").is_empty() && screen.draft.is_none());
}

#[test]
fn uno_is_armed_and_travels_with_the_card_that_leaves_one() {
    let table = Table { hand: vec!["R3", "B1"], legal: legal(&["R3"], &["draw"]), ..Table::default() };
    assert_eq!(action(&press(&mut table.screen(), "u\n")), json!({ "type": "play", "card": "R3", "uno": true }));
    assert_eq!(action(&press(&mut table.screen(), "uu\n")), json!({ "type": "play", "card": "R3" }));
    let early = Table {
        phase: json!({ "type": "turn", "seat": 2 }),
        legal: json!([]),
        hand: vec!["R3", "B1"],
        ..Table::default()
    };
    let mut screen = early.screen();
    press(&mut screen, "u");
    assert!(screen.model.uno_armed);
    let owed = Table { legal: legal(&[], &["call_uno"]), hand: vec!["R3"], ..early };
    assert_eq!(action(&press(&mut owed.screen(), "u")), json!({ "type": "call_uno" }));
}

#[test]
fn a_card_that_does_not_fit_is_asked_for_and_the_refusal_explains() {
    let table = Table { legal: legal(&["R3"], &["draw"]), ..Table::default() };
    let mut screen = table.screen();
    assert!(is_refusable(&press(&mut screen, ">>>w")));
    tell(
        &mut screen,
        json!({ "type": "refused", "id": 1, "code": "does_not_match", "message": "G2 does not match", "rule": "T1" }),
    );
    let page = screen.page.as_ref().expect("the reason is shown");
    let lines: Vec<String> = page.lines.iter().map(ToString::to_string).collect();
    assert!(lines[0].contains("does not match") && lines[1].starts_with("T1 "), "{lines:?}");
    press(&mut screen, "\x1b");
    assert!(screen.page.is_none());
    assert!(is_refusable(&press(&mut screen, "\n")));
    tell(
        &mut screen,
        json!({ "type": "refused", "id": 2, "code": "does_not_match", "message": "G2 does not match", "rule": "T1" }),
    );
    assert!(super::looks::shown(&screen).contains("press w"), "{:?}", screen.note);
}

#[test]
fn the_card_that_was_drawn_is_played_or_kept() {
    let phase = json!({ "type": "drawn", "seat": 0, "cards": ["Y7"] });
    let table = Table { phase, legal: legal(&["Y7"], &["keep"]), ..Table::default() };
    assert_eq!(action(&press(&mut table.screen(), "\n")), json!({ "type": "play", "card": "Y7" }));
    assert_eq!(action(&press(&mut table.screen(), "k")), json!({ "type": "keep" }));
}

#[test]
fn an_attack_is_taken_challenged_or_blocked() {
    let phase = json!({ "type": "respond", "seat": 0, "by": 3, "cards": 4 });
    let mut choices = legal(&[], &["take", "challenge"]);
    for color in ["red", "yellow", "green", "blue"] {
        choices.as_array_mut().unwrap().push(json!({ "type": "block", "color": color }));
    }
    let table = Table {
        rules: json!({ "edition": "fairies" }),
        phase,
        legal: choices,
        hand: vec!["R3", "WF"],
        ..Table::default()
    };
    assert_eq!(action(&press(&mut table.screen(), "t")), json!({ "type": "take" }));
    assert_eq!(action(&press(&mut table.screen(), "k")), json!({ "type": "take" }));
    assert_eq!(action(&press(&mut table.screen(), "c")), json!({ "type": "challenge" }));
    assert_eq!(action(&press(&mut table.screen(), "bb")), json!({ "type": "block", "color": "blue" }));
    assert_eq!(action(&press(&mut table.screen(), "ub\n")), json!({ "type": "block", "color": "red", "uno": true }));
}

#[test]
fn olaf_takes_cards_along() {
    let mut choices = Vec::new();
    for color in ["pink", "yellow"] {
        for along in [vec![], vec!["P1"], vec!["P2"], vec!["P1", "P2"]] {
            choices.push(json!({ "type": "play", "card": "WO", "color": color, "discard": along }));
        }
    }
    let hand = vec!["P1", "P2", "G2", "WO"];
    let table = Table { rules: json!({ "edition": "frozen" }), hand, legal: choices.into(), ..Table::default() };
    let olaf = |along: &[&str]| {
        let mut action = json!({ "type": "play", "card": "WO", "color": "yellow" });
        if !along.is_empty() {
            action["discard"] = along.into();
        }
        action
    };
    assert_eq!(action(&press(&mut table.screen(), "\n\ny")), olaf(&[]));
    assert_eq!(action(&press(&mut table.screen(), "\n> > \ny")), olaf(&["P1", "P2"]));
    let mut screen = table.screen();
    assert!(is_refusable(&press(&mut screen, "\n< \n")), "a green card does not go along");
    assert!(screen.draft.is_some(), "other cards can be marked");
}

#[test]
fn cards_are_marked_to_be_discarded() {
    let phase = json!({ "type": "discard", "seat": 0, "count": 2 });
    let choices = json!([{ "type": "discard", "count": 2 }]);
    let table = Table { rules: json!({ "edition": "custom" }), phase, legal: choices, ..Table::default() };
    let mut screen = table.screen();
    assert!(press(&mut screen, " \n").is_empty());
    assert!(screen.note.is_some());
    assert_eq!(action(&press(&mut screen, "> \n")), json!({ "type": "discard", "cards": ["R3", "R7"] }));
}

#[test]
fn a_seven_asks_whom_to_swap_with() {
    let choices: Vec<_> = (1..4).map(|seat| json!({ "type": "play", "card": "R7", "swap_with": seat })).collect();
    let rules = json!({ "edition": "original", "house": { "seven_zero": true } });
    let table = Table { rules, legal: choices.into(), ..Table::default() };
    let swap = |seat: u8| json!({ "type": "play", "card": "R7", "swap_with": seat });
    assert_eq!(action(&press(&mut table.screen(), "\n2")), swap(2));
    assert_eq!(action(&press(&mut table.screen(), "\n>>\n")), swap(3));
}

#[test]
fn votes_dares_and_colors_have_keys() {
    let vote = json!({ "type": "vote", "seat": 2, "prompt": "Sing", "waiting": [0] });
    let choices = json!([{ "type": "vote", "yes": true }, { "type": "vote", "yes": false }]);
    let table = Table { rules: json!({ "edition": "custom" }), phase: vote, legal: choices, ..Table::default() };
    assert_eq!(action(&press(&mut table.screen(), "n")), json!({ "type": "vote", "yes": false }));
    let choices = json!([{ "type": "dare", "accept": true }, { "type": "dare", "accept": false }]);
    let table = Table { phase: json!({ "type": "dare", "seat": 0, "prompt": "Dance" }), legal: choices, ..table };
    assert_eq!(action(&press(&mut table.screen(), "y")), json!({ "type": "dare", "accept": true }));
    let choices: Vec<_> =
        ["red", "yellow", "green", "blue"].map(|color| json!({ "type": "call_color", "color": color })).into();
    let table = Table {
        phase: json!({ "type": "call_color", "seat": 0, "next": 0 }),
        legal: choices.into(),
        ..Table::default()
    };
    assert_eq!(action(&press(&mut table.screen(), "b")), json!({ "type": "call_color", "color": "blue" }));
    let judging = Table { may: vec!["judge"], phase: json!({ "type": "turn", "seat": 2 }), ..Table::default() };
    assert_eq!(press(&mut judging.screen(), "n"), [Effect::Ask(Request::Judge { yes: false })]);
}

#[test]
fn a_forgotten_uno_is_caught() {
    let mut choices = plays(&["R3"]);
    choices.push(json!({ "type": "catch", "seat": 2 }));
    let table = Table { legal: choices.clone().into(), ..Table::default() };
    assert_eq!(action(&press(&mut table.screen(), "x")), json!({ "type": "catch", "seat": 2 }));
    choices.push(json!({ "type": "catch", "seat": 3 }));
    let table = Table { legal: choices.into(), ..table };
    assert_eq!(action(&press(&mut table.screen(), "x2")), json!({ "type": "catch", "seat": 3 }));
}

#[test]
fn the_lobby_has_keys_for_everything() {
    let may = vec!["add_bot", "remove_bot", "start", "ready", "stand"];
    let table = Table { stage: "lobby", may, remote: true, ..Table::default() };
    let bot = press(&mut table.screen(), "b4");
    assert_eq!(bot, [Effect::Ask(Request::AddBot { level: unum_protocol::Level::Hard })]);
    assert_eq!(press(&mut table.screen(), "-"), [Effect::Ask(Request::RemoveBot { seat: 3 })]);
    assert_eq!(press(&mut table.screen(), ">>-"), [Effect::Ask(Request::RemoveBot { seat: 2 })]);
    assert!(matches!(press(&mut table.screen(), "\n")[..], [Effect::Ask(Request::Start { .. })]));
    assert_eq!(press(&mut table.screen(), "s"), [Effect::Ask(Request::Stand {})]);
    let said = press(&mut table.screen(), "mhello you\n");
    assert_eq!(said, [Effect::Ask(Request::Chat { text: "hello you".to_owned() })]);
}

#[test]
fn the_host_changes_what_is_agreed() {
    let may = vec!["add_bot", "settings", "start"];
    let table = Table { stage: "lobby", may, remote: true, ..Table::default() };
    let mut screen = table.screen();
    // Looked at and left as it is: nothing is asked for.
    assert!(press(&mut screen, "e\n").is_empty() && screen.form.is_none());
    assert!(press(&mut screen, "e>>\x1b").is_empty() && screen.form.is_none());
    // Fairies; stacking is the fifth line.
    match &press(&mut screen, "e>jjjj>\n")[..] {
        [Effect::Ask(Request::Settings { settings })] => {
            assert_eq!(settings.rules.edition, unum_rules::Edition::Fairies);
            assert_eq!(settings.rules.house.stacking, unum_rules::Stacking::Same);
            assert_eq!(settings.seats, 10);
        }
        other => panic!("{other:?}"),
    }
    assert!(screen.is_busy() && screen.form.is_some());
    tell(&mut screen, json!({ "type": "done", "id": 1 }));
    assert!(screen.form.is_none());
    // Four sit there: two seats are too few. The table says so, and the form stays as it is.
    let mut screen = table.screen();
    press(&mut screen, "e");
    for code in [KeyCode::Up; 6].into_iter().chain([KeyCode::Right]) {
        press_code(&mut screen, code);
    }
    assert_eq!(screen.form.as_ref().map(|form| form.settings.seats), Some(2), "{:?}", screen.form);
    assert_eq!(press(&mut screen, "\n\n").len(), 1);
    tell(&mut screen, json!({ "type": "refused", "id": 1, "code": "bad_settings", "message": "4 sit here already" }));
    assert!(screen.note.as_ref().is_some_and(|note| note.to_string().contains("4 sit here")), "{:?}", screen.note);
    // The name is typed, q and all.
    match &press(&mut screen, "<jquiz\x08\n")[..] {
        [Effect::Ask(Request::Settings { settings })] => assert_eq!((&*settings.title, settings.seats), ("qui", 10)),
        other => panic!("{other:?}"),
    }
    // Nobody else can.
    let mut screen = Table { may: vec!["stand"], ..table }.screen();
    press(&mut screen, "e");
    assert!(screen.form.is_none());
}

#[test]
fn the_next_round_is_one_key_away() {
    for stage in ["scores", "over"] {
        let table = Table { stage, ..Table::default() };
        assert!(
            matches!(press(&mut table.screen(), "\n")[..], [Effect::Ask(Request::Ready { ready: true, .. })]),
            "{stage}"
        );
    }
}

#[test]
fn a_command_can_be_typed() {
    let table = Table { legal: legal(&["R3", "W"], &["draw"]), ..Table::default() };
    assert_eq!(
        action(&press(&mut table.screen(), ":play w blue\n")),
        json!({ "type": "play", "card": "W", "color": "blue" })
    );
    let mut screen = table.screen();
    assert!(press(&mut screen, "/nonsense\n").is_empty());
    assert!(screen.note.as_ref().is_some_and(|note| note.to_string().contains("no command")), "{:?}", screen.note);
    press(&mut screen, ":rules W4\n");
    assert!(screen.page.as_ref().is_some_and(|page| page.lines[0].to_string().starts_with("W4 ")));
    press(&mut screen, "\x1b:x\x08\x08");
    assert!(screen.typing.is_none());
}

#[test]
fn leaving_is_asked_once() {
    let table = Table { legal: legal(&["R3"], &["draw"]), ..Table::default() };
    let mut screen = table.screen();
    assert!(press(&mut screen, "q").is_empty() && screen.leaving);
    assert!(press(&mut screen, "n").is_empty() && !screen.leaving);
    press(&mut screen, "q");
    tell(&mut screen, json!({ "type": "refused", "id": 1, "code": "wrong_phase", "message": "not now" }));
    assert!(
        screen.note.is_some() && super::looks::shown(&screen).contains("Leave?"),
        "{}",
        super::looks::shown(&screen)
    );
    assert_eq!(press(&mut screen, "y"), [Effect::Quit]);
    assert_eq!(press(&mut table.screen(), ":quit\n"), [Effect::Quit]);
}

#[test]
fn a_second_key_waits_for_the_answer_to_the_first() {
    let table = Table { legal: legal(&["R3", "R7"], &["draw"]), ..Table::default() };
    assert_eq!(press(&mut table.screen(), "\n\nd").len(), 1);
}

#[test]
fn a_key_waits_until_the_game_is_as_new_as_the_log() {
    let table = Table { legal: legal(&["R3", "R7"], &["draw"]), ..Table::default() };
    let mut screen = table.screen();
    let events = json!([{ "type": "kept", "seat": 2 }]);
    tell(&mut screen, json!({ "type": "update", "seq": 2, "what": { "type": "hidden" }, "events": events }));
    assert!(press(&mut screen, "\n").is_empty());
    tell(&mut screen, json!({ "type": "update", "seq": 3, "what": { "type": "hidden" }, "game": table.game() }));
    assert_eq!(press(&mut screen, "\n").len(), 1);
}

#[test]
fn the_cursor_does_not_drift_to_wilds() {
    let table = Table { legal: legal(&["R3", "R7", "W", "W+4"], &["draw"]), ..Table::default() };
    let mut screen = table.screen();
    // It stood on the place where now a wild is, without anybody having chosen that.
    let shorter = Table { hand: vec!["W", "Y7", "R3"], legal: legal(&["W", "R3"], &["draw"]), ..Table::default() };
    tell(&mut screen, update(&shorter, 18));
    assert_eq!(screen.selected().unwrap().as_str(), "R3");
    // A card that was chosen stays chosen as long as it can be played.
    press(&mut screen, "<<");
    assert_eq!(screen.selected().unwrap().as_str(), "W");
    tell(&mut screen, update(&shorter, 19));
    assert_eq!(screen.selected().unwrap().as_str(), "W");
    let other = Table { hand: vec!["W", "Y7", "R3"], legal: legal(&["Y7", "R3"], &["draw"]), ..Table::default() };
    tell(&mut screen, update(&other, 20));
    assert_eq!(screen.selected().unwrap().as_str(), "Y7");
    // With nothing but wilds, a wild it is.
    let wild = Table { hand: vec!["Y7", "W"], legal: legal(&["W"], &["draw"]), ..Table::default() };
    tell(&mut screen, update(&wild, 21));
    assert_eq!(screen.selected().unwrap().as_str(), "W");
}

fn update(table: &Table, at: u32) -> serde_json::Value {
    let mut game = table.game();
    game["at"] = at.into();
    json!({ "type": "update", "seq": at, "what": { "type": "hidden" }, "events": [], "game": game })
}

#[test]
fn an_armed_uno_is_disarmed_when_it_no_longer_applies() {
    let waiting = json!({ "type": "turn", "seat": 2 });
    let two = Table { phase: waiting.clone(), hand: vec!["R3", "B1"], ..Table::default() };
    let mut screen = two.screen();
    press(&mut screen, "u");
    assert!(screen.model.uno_armed);
    tell(&mut screen, update(&two, 18));
    assert!(screen.model.uno_armed, "nothing has changed");
    let six = Table { phase: waiting, hand: vec!["R3", "B1", "B2", "B3", "B4", "B5"], ..Table::default() };
    tell(&mut screen, update(&six, 19));
    assert!(!screen.model.uno_armed);
}

#[test]
fn refusals_name_people_rather_than_seats() {
    let mut screen = Table::default().screen();
    let why = json!({ "type": "not_your_turn", "seat": 1 });
    let message = "seat 1 has to act first";
    tell(
        &mut screen,
        json!({ "type": "refused", "id": 1, "code": "not_your_turn", "message": message, "rule": "T1", "why": why }),
    );
    let note = screen.note.as_ref().unwrap().to_string();
    assert!(note.contains("it is Ada's turn") && !note.contains("seat"), "{note}");
}

#[test]
fn customizable_cards_say_what_they_do() {
    let rules = json!({ "edition": "custom", "custom_cards": [4, null, null] });
    let table = Table { rules, hand: vec!["R3", "WC1"], legal: legal(&["WC1"], &["draw"]), ..Table::default() };
    let mut screen = table.screen();
    assert_eq!(screen.selected().unwrap().as_str(), "WC1");
    let rule = unum_rules::CustomRule::starters().nth(3).unwrap();
    let beginning: String = rule.text.chars().take(20).collect();
    assert!(super::looks::shown(&screen).contains(&beginning), "{}", super::looks::shown(&screen));
    press(&mut screen, ":rules wc1\n");
    let page: Vec<String> = screen.page.take().unwrap().lines.iter().map(ToString::to_string).collect();
    assert!(page[0].contains(&rule.title) && page[0].contains(&beginning), "{page:?}");
    press(&mut screen, ":rules wc2\n");
    let page: Vec<String> = screen.page.take().unwrap().lines.iter().map(ToString::to_string).collect();
    assert!(page[0].contains("a plain wild"), "{page:?}");
}

#[test]
fn a_mistyped_command_is_answered_with_the_right_one() {
    let mut screen = Table::default().screen();
    press(&mut screen, ":tbale\n");
    assert!(screen.note.as_ref().unwrap().to_string().contains("Did you mean table?"), "{:?}", screen.note);
}

#[test]
fn typed_commands_are_completed_and_come_back() {
    let mut screen = Table::default().screen();
    press(&mut screen, ":sco\t");
    assert_eq!(screen.typing.as_ref().unwrap().text, "scores ");
    press(&mut screen, "\n\x1b:people\n\x1b:");
    press_code(&mut screen, KeyCode::Up);
    assert_eq!(screen.typing.as_ref().unwrap().text, "people");
    press_code(&mut screen, KeyCode::Up);
    assert_eq!(screen.typing.as_ref().unwrap().text, "scores ");
    press_code(&mut screen, KeyCode::Down);
    assert_eq!(screen.typing.as_ref().unwrap().text, "people");
}

#[test]
fn a_bot_is_normal_unless_another_level_is_chosen() {
    let may = vec!["add_bot"];
    let mut screen = Table { stage: "lobby", may, players: 1, remote: true, ..Table::default() }.screen();
    let effects = press(&mut screen, "b\n");
    assert!(
        matches!(effects[..], [Effect::Ask(Request::AddBot { level: unum_protocol::Level::Normal })]),
        "{effects:?}"
    );
}

/// A click on the first place where the screen shows that text.
fn click(screen: &mut super::super::state::Screen, text: &str) -> Vec<Effect> {
    use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
    use ratatui::layout::Rect;
    let shown = super::looks::shown(screen);
    let place = shown.lines().enumerate().find_map(|(row, line)| {
        let column = line.find(text).map(|at| line[..at].chars().count())?;
        Some((row, column))
    });
    let (row, column) = place.unwrap_or_else(|| panic!("{text} in\n{shown}"));
    let mouse = MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column: column as u16 + 1,
        row: row as u16,
        modifiers: KeyModifiers::NONE,
    };
    let area = Rect::new(0, 0, 80, 24);
    let intents = super::super::app::clicked(screen, area, mouse);
    intents.into_iter().flat_map(|intent| screen.apply(intent, super::super::view::shape(screen, area))).collect()
}

#[test]
fn the_whole_screen_takes_the_mouse() {
    let table = Table { legal: legal(&["R3", "W"], &["draw"]), ..Table::default() };
    let mut screen = table.screen();
    assert_eq!(action(&click(&mut screen, " d  draw")), json!({ "type": "draw" }));
    let mut screen = table.screen();
    assert_eq!(action(&click(&mut screen, "54")), json!({ "type": "draw" }), "the draw pile shows its number");
    let mut screen = table.screen();
    assert!(click(&mut screen, "WILD").is_empty(), "the first click looks");
    assert!(
        click(&mut screen, "WILD").is_empty() && screen.draft.is_some(),
        "the second one plays, and asks for a color"
    );
    assert_eq!(action(&click(&mut screen, "green")), json!({ "type": "play", "card": "W", "color": "green" }));
    let mut screen = table.screen();
    click(&mut screen, " ?  help");
    assert!(screen.page.is_some());
    click(&mut screen, " Esc  close");
    assert!(screen.page.is_none());
}
