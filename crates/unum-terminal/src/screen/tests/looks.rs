//! Screens as they look, and that they fit.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::style::Color;
use serde_json::json;
use unum_protocol::{Level, Pace, SettingId, SettingValue, Settings};

use super::super::look::{Colors, Paint};
use super::super::start::Start;
use super::super::state::Screen;
use super::super::view;
use super::fixture::{PRETTY, Table, legal, press, story};
use crate::local::Setup;

const PLAIN: Paint = Paint { colors: Colors::None, symbols: false };

fn drawn(screen: &Screen, columns: u16, rows: u16) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| view::draw(frame, screen)).unwrap();
    terminal.backend().buffer().clone()
}

fn text(buffer: &Buffer) -> String {
    let mut text = String::new();
    for row in buffer.content.chunks(buffer.area.width.into()) {
        let mut line = String::new();
        let mut covered = 0;
        for cell in row {
            if covered == 0 {
                line.push_str(cell.symbol());
                covered = ratatui::text::Span::raw(cell.symbol()).width().max(1);
            }
            covered -= 1;
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// What is on a screen of the usual size.
pub(super) fn shown(screen: &Screen) -> String {
    text(&drawn(screen, 80, 24))
}

/// Compares with the file of that name, or writes it.
fn check(name: &str, found: &str) {
    let path = format!("{}/src/screen/tests/snapshots/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, found).unwrap();
        return;
    }
    let wanted = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == wanted, "{name} looks different.\nfound:\n{found}\nwanted:\n{wanted}");
}

fn check_screen(name: &str, screen: &Screen, columns: u16, rows: u16) {
    check(name, &text(&drawn(screen, columns, rows)));
}

fn turn() -> Table {
    Table { legal: legal(&["R3", "R7", "W", "W+4"], &["draw"]), ..Table::default() }
}

fn long_hand() -> Table {
    let colors = ["R1", "R2", "R3", "R4", "RS", "Y1", "Y2", "Y3", "YR", "Y+2", "G1", "G2", "G3", "G4", "GS"];
    let more = ["B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "BS", "BR", "B+2", "W", "W", "W+4", "W+4"];
    let hand = [colors, more].concat();
    Table {
        hand,
        players: 10,
        legal: legal(&["R1", "R2", "R3", "R4", "RS", "W", "W+4"], &["draw"]),
        ..Table::default()
    }
}

#[test]
fn a_turn_in_four_sizes() {
    for (columns, rows) in [(80, 24), (40, 12), (120, 40), (200, 60)] {
        let mut screen = turn().screen();
        story(&turn(), &mut screen);
        check_screen(&format!("turn-{columns}x{rows}"), &screen, columns, rows);
    }
}

#[test]
fn names_have_room_where_there_is_some() {
    for columns in 80..210 {
        let shown = text(&drawn(&turn().screen(), columns, 30));
        assert!(shown.contains("  Babbage "), "{columns}:\n{shown}");
    }
}

#[test]
fn thirty_cards_and_ten_players() {
    for (columns, rows) in [(80, 24), (40, 12)] {
        let mut screen = long_hand().screen();
        check_screen(&format!("thirty-{columns}x{rows}"), &screen, columns, rows);
        screen.look_at(29);
        let last = text(&drawn(&screen, columns, rows));
        assert!(last.contains("[W+4]"), "{last}");
    }
}

#[test]
fn questions() {
    let mut screen = turn().screen();
    press(&mut screen, "44");
    check_screen("bluff-80x24", &screen, 80, 24);
    check_screen("bluff-40x12", &screen, 40, 12);
    let phase = json!({ "type": "respond", "seat": 0, "by": 3, "cards": 4 });
    let attacked =
        Table { phase, legal: legal(&[], &["take", "challenge"]), top: "W+4", color: Some("blue"), ..Table::default() };
    check_screen("attack-80x24", &attacked.screen(), 80, 24);
    check_screen("attack-40x12", &attacked.screen(), 40, 12);
    let phase = json!({ "type": "discard", "seat": 0, "count": 2 });
    let choices = json!([{ "type": "discard", "count": 2 }]);
    let mut screen =
        Table { rules: json!({ "edition": "custom" }), phase, legal: choices, ..Table::default() }.screen();
    press(&mut screen, " >");
    check_screen("discard-80x24", &screen, 80, 24);
}

/// A round that Ada has won; three players show what they were left with.
fn scores(stage: &'static str, players: usize) -> Table {
    let hands = [("2", json!(["G5", "W"])), ("3", json!(["B+2", "BS", "Y0"])), ("4", json!(["R1"]))];
    let shown: serde_json::Map<String, serde_json::Value> =
        hands.into_iter().take(players - 2).map(|(seat, hand)| (seat.to_owned(), hand)).collect();
    let points: Vec<u32> = (0..players).map(|seat| if seat == 1 { 232 } else { 0 }).collect();
    let more = json!({ "result": { "winner": 1, "points": points }, "shown": shown });
    let standings = standings(&vec![1; players], json!([]));
    Table { stage, phase: json!({ "type": "round_over" }), players, more, standings, ..Table::default() }
}

/// How the match stands then.
fn standings(ranks: &[u8], awards: serde_json::Value) -> serde_json::Value {
    let mut hands = vec![139, 0, 55, 40, 1];
    hands.resize(ranks.len(), 0);
    json!({ "ranks": ranks, "hands": hands, "sums": vec![Vec::<u32>::new(); ranks.len()], "awards": awards })
}

#[test]
fn summaries() {
    for (columns, rows) in [(80, 24), (40, 12), (120, 40)] {
        check_screen(&format!("scores-{columns}x{rows}"), &scores("scores", 4).screen(), columns, rows);
    }
    check_screen("scores-ten-80x24", &scores("scores", 10).screen(), 80, 24);
    let mut table = scores("over", 4);
    table.more["winners"] = json!([0]);
    let awards = json!([
        { "kind": "bluffs", "seat": 0, "count": 3 },
        { "kind": "handed_out", "seat": 2, "count": 1 },
        { "kind": "caught", "seat": 1, "count": 1 },
    ]);
    table.standings = standings(&[1, 2, 3, 4], awards);
    check_screen("over-80x24", &table.screen(), 80, 24);
    let told: Vec<String> = crate::status::scores(&table.screen().model).iter().map(ToString::to_string).collect();
    for sentence in [
        "Babbage has green 5, Wild left, 55 points.",
        "Poker face: you bluffed 3 times, and nobody noticed.",
        "Most generous: Babbage made others draw 1 card.",
        "Dreamer: Ada forgot UNO once.",
    ] {
        assert!(told.iter().any(|line| line == sentence), "{sentence}: {told:#?}");
    }
}

#[test]
fn a_match_of_one_round_has_no_points() {
    let table = Table { rules: json!({ "edition": "modern" }), ..scores("over", 4) };
    let shown = shown(&table.screen());
    assert!(shown.contains("Babbage") && shown.contains("G5") && !shown.contains("total"), "{shown}");
}

#[test]
fn the_lobby() {
    let may = vec!["add_bot", "remove_bot", "settings", "start", "ready", "stand"];
    let rules = json!({ "edition": "frozen", "house": { "stacking": "any", "seven_zero": true } });
    let table = Table { stage: "lobby", may, remote: true, rules, ..Table::default() };
    check_screen("lobby-80x24", &table.screen(), 80, 24);
    check_screen("lobby-40x12", &table.screen(), 40, 12);
    let mut screen = table.screen();
    press(&mut screen, "ejjjj");
    check_screen("agree-80x24", &screen, 80, 24);
    check_screen("agree-40x12", &screen, 40, 12);
    check_screen("agree-120x40", &screen, 120, 40);
}

#[test]
fn help_fits_and_can_be_scrolled() {
    let mut screen = turn().screen();
    press(&mut screen, "?");
    check_screen("help-80x24", &screen, 80, 24);
    let first = text(&drawn(&screen, 80, 24));
    press(&mut screen, " ");
    assert_ne!(text(&drawn(&screen, 80, 24)), first);
}

#[test]
fn the_start_screen() {
    let setup = Setup {
        name: "Ann".to_owned(),
        settings: Settings { clock: None, pace: Pace::Brisk, ..Settings::default() },
        opponents: vec![Level::Normal; 3],
    };
    let mut start = Start::new(PRETTY, setup, Vec::new());
    for (columns, rows) in [(80, 24), (40, 12), (120, 40)] {
        let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        terminal.draw(|frame| view::start::draw(frame, &start)).unwrap();
        check(&format!("start-{columns}x{rows}"), &text(terminal.backend().buffer()));
    }
    start.setup.settings = start.setup.settings.with(SettingId::Edition, &SettingValue::word("custom")).unwrap();
    start.cursor = 4;
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
    terminal.draw(|frame| view::start::draw(frame, &start)).unwrap();
    check("start-custom-80x24", &text(terminal.backend().buffer()));
}

#[test]
fn without_colors_and_symbols_nothing_is_lost() {
    let mut screen = turn().screen_in(PLAIN);
    story(&turn(), &mut screen);
    let buffer = drawn(&screen, 80, 24);
    assert!(buffer.content.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset), "a color");
    assert!(text(&buffer).is_ascii(), "{}", text(&buffer));
    check("turn-plain-80x24", &text(&buffer));
}

/// How many columns and rows lie between two sizes that are tried.
const STEP: usize = 9;

#[test]
fn no_size_makes_it_stumble() {
    let mut attacked = turn().screen();
    press(&mut attacked, "44");
    let mut reading = turn().screen();
    press(&mut reading, "?");
    let lobby = Table { stage: "lobby", may: vec!["settings"], remote: true, ..Table::default() };
    let (lobby, mut agreeing) = (lobby.screen(), lobby.screen());
    press(&mut agreeing, "ejjjjjjjjjj");
    let scores = Table { stage: "scores", ..Table::default() }.screen();
    for screen in [attacked, reading, lobby, agreeing, scores, long_hand().screen()] {
        for columns in (1..210).step_by(STEP) {
            for rows in (1..65).step_by(STEP) {
                let small = text(&drawn(&screen, columns, rows)).contains("oo small");
                assert!(small || columns >= 40 && rows >= 12 || columns < 10, "{columns}x{rows}");
                let _ = view::shape(&screen, ratatui::layout::Rect::new(0, 0, columns, rows));
            }
        }
    }
}

#[test]
fn a_rule_is_opened_from_the_list_and_left_again() {
    let mut screen = Table::default().screen();
    press(&mut screen, "g");
    let list = screen.page.clone().unwrap();
    let ids = &list.links.as_ref().expect("rules can be opened").ids;
    assert_eq!(list.lines.len(), ids.len() + 1, "the last line is a rule, not a command to type");
    assert!(shown(&screen).contains("Enter  read"), "{}", shown(&screen));
    press(&mut screen, "\n");
    let text = shown(&screen);
    assert!(text.contains("The aim: Be the first") && text.contains("Esc  back"), "{text}");
    press(&mut screen, "\x1b>>\n");
    let text = shown(&screen);
    assert!(text.contains(&format!("{} ", ids[2])) && text.contains("Esc  back"), "{text}");
    press(&mut screen, "\x1b");
    assert_eq!(screen.page.as_ref().and_then(|page| page.links.as_ref()).map(|links| links.at), Some(2));
    super::fixture::press_code(&mut screen, ratatui::crossterm::event::KeyCode::End);
    for (columns, rows) in [(40, 12), (80, 24)] {
        let last: &str = ids.last().unwrap();
        assert!(text_of(&screen, columns, rows).contains(last), "{last} at {columns}x{rows}");
    }
    press(&mut screen, "\x1b");
    assert!(screen.page.is_none());
}

#[test]
fn a_click_opens_a_rule() {
    let mut screen = Table::default().screen();
    press(&mut screen, "g");
    let area = ratatui::layout::Rect::new(0, 0, 80, 24);
    let row = shown(&screen).lines().position(|line| line.contains("D2 ")).unwrap();
    let target = view::target(&screen, area, ratatui::layout::Position { x: 10, y: row as u16 });
    assert_eq!(target, Some(view::Target::Entry(2)));
    let outside = view::target(&screen, area, ratatui::layout::Position { x: 10, y: 0 });
    assert_eq!(outside, None);
}

#[test]
fn the_log_is_whole_and_opens_at_its_end() {
    let table = Table::default();
    let mut screen = table.screen();
    story(&table, &mut screen);
    let last = screen.model.log.back().cloned().unwrap();
    for number in 0..60 {
        screen.model.log.push_back(crate::model::Line { text: format!("Line {number}.").into(), ..last.clone() });
    }
    press(&mut screen, "l");
    assert_eq!(screen.page.as_ref().unwrap().lines.len(), 64);
    let text = text_of(&screen, 40, 12);
    assert!(text.contains("Line 59.") && !text.contains("Line 0."), "{text}");
    super::fixture::press_code(&mut screen, ratatui::crossterm::event::KeyCode::Home);
    assert!(!shown(&screen).contains("Line 59."));
}

fn text_of(screen: &Screen, columns: u16, rows: u16) -> String {
    text(&drawn(screen, columns, rows))
}
