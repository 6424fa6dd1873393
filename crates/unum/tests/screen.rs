//! `unum play` on the full screen, in a pseudo-terminal, with keys only.
#![cfg(unix)]

mod pty;

use std::path::{Path, PathBuf};
use std::time::Instant;

use portable_pty::CommandBuilder;
use pty::{PATIENCE, Seen, Terminal, unum};
use rustix::process::{Pid, Signal, kill_process};
use unum_protocol::{Level, Pace, Settings};
use unum_soak::ServerProcess;
use unum_terminal::plain::Farewell;
use unum_terminal::screen::{self, Comfort, Opening};
use unum_terminal::{Local, Setup, Shelf, Source};

/// A game that is over soon, with bots that do not think about it.
const QUICK: [&str; 8] = ["play", "--pace", "instant", "--scoring", "first_to:100", "--level", "easy", "--players"];

/// A game that is not over soon, however lucky the bots are.
const LONG: [&str; 8] = ["play", "--pace", "instant", "--scoring", "first_to:10000", "--level", "easy", "--players"];

fn signal(terminal: &Terminal, signal: Signal) {
    let pid = Pid::from_raw(terminal.pid().try_into().unwrap()).unwrap();
    kill_process(pid, signal).unwrap();
}

fn start(args: &[&str], data: &Path) -> Terminal {
    let mut command = unum(args, data);
    command.env("LANG", "C.UTF-8");
    command.env_remove("LC_ALL");
    command.env_remove("LC_CTYPE");
    Terminal::start(command, 80, 24)
}

/// The screen, once a whole frame is drawn: the last thing in one is to hide the cursor.
fn frame(seen: &Seen) -> Option<String> {
    seen.bytes.ends_with(b"\x1b[?25l").then(|| seen.screen())
}

fn wait_for_screen(terminal: &Terminal, text: &str) -> String {
    terminal.wait_for(text, |seen| frame(seen).filter(|screen| screen.contains(text)))
}

/// The keys a person might press, judged by nothing but what the screen offers.
fn keys(screen: &str) -> Option<String> {
    let offers = |key: &str| screen.contains(key);
    if offers("Enter  discard (") || offers("Enter  go on (") {
        let (_, rest) = screen.split_once(" (")?;
        let rest = if offers("Enter  discard (") { screen.split_once("Enter  discard (")?.1 } else { rest };
        let mut numbers = rest.split(')').next()?.split(" of ").map(|number| number.parse::<u32>().ok());
        let (marked, wanted) = (numbers.next()??, numbers.next()??);
        return Some(if offers("Enter  discard (") && marked < wanted { " \x1b[C" } else { "\r" }.to_owned());
    }
    let offered = [
        ("Enter  next round", "\r"),
        ("u  call UNO!", "u"),
        ("x  catch", "x"),
        ("y  yes", "y"),
        ("y  accept", "y"),
        ("b  block", "b"),
        ("y  yellow", "\r"),
        ("Esc  back", "\r"),
        ("Enter  play", "\r"),
        ("c  challenge", "c"),
        ("t  take", "t"),
        ("k  keep", "k"),
        ("d  draw", "d"),
    ];
    let (_, key) = offered.iter().find(|(offer, _)| offers(offer))?;
    let uno = offers("u  say UNO with the card") && *key == "\r" && offers("Enter  play");
    Some(if uno { format!("u{key}") } else { (*key).to_owned() })
}

/// Presses what is offered, until a screen shows the text or that many decisions were made.
fn play(terminal: &mut Terminal, until: &str, mut decisions: usize) -> String {
    let began = Instant::now();
    let mut before = String::new();
    loop {
        assert!(began.elapsed() < 10 * PATIENCE, "no {until:?} on\n{}", terminal.screen());
        let screen = terminal.wait_for("question", |seen| {
            let screen = frame(seen).filter(|screen| *screen != before)?;
            (screen.contains(until) || keys(&screen).is_some()).then_some(screen)
        });
        if screen.contains(until) || decisions == 0 {
            return screen;
        }
        decisions -= 1;
        if let Some(keys) = keys(&screen) {
            terminal.send(&keys);
        }
        before = screen;
    }
}

fn is_restored(seen: &Seen) -> bool {
    !seen.emulator().alternate_screen() && !seen.emulator().hide_cursor()
}

/// Leaves, and checks that the terminal is as it was.
fn leave(mut terminal: Terminal) -> String {
    terminal.send("q");
    wait_for_screen(&terminal, "Leave?");
    terminal.send("y");
    terminal.wait_for("end", |seen| seen.closed.then_some(()));
    assert!(is_restored(&terminal.seen()), "{}", terminal.screen());
    let (code, text) = terminal.wait_end();
    assert_eq!(code, 0, "{text}");
    text
}

/// Changes the size, and waits for the first whole frame in it: it begins with an empty screen.
fn resize(terminal: &Terminal, columns: u16, rows: u16) {
    let before = terminal.seen().bytes.len();
    terminal.resize(columns, rows);
    terminal.wait_for("new size", |seen| {
        let cleared = seen.bytes[before..].windows(4).any(|bytes| bytes == b"\x1b[2J");
        frame(seen).filter(|_| cleared).map(drop)
    });
}

/// A whole match, with another size of the terminal after every few decisions.
fn plays_a_match(edition: &str, players: &str) {
    let data = tempfile::tempdir().unwrap();
    let args = [&QUICK[..], &[players, "--edition", edition]].concat();
    let mut terminal = start(&args, data.path());
    wait_for_screen(&terminal, "Your hand");
    let sizes = [(40, 12), (200, 60), (120, 40), (100, 30), (80, 24)];
    let mut sized = 0;
    for (columns, rows) in sizes.iter().cycle() {
        sized += 1;
        resize(&terminal, *columns, *rows);
        let screen = play(&mut terminal, "another match", 5);
        if screen.contains("another match") && sized >= sizes.len() {
            break;
        }
        if screen.contains("another match") {
            terminal.send("\r");
            let dealt = |screen: &String| screen.contains("play goes") || screen.contains(" to draw ");
            terminal.wait_for("deal", |seen| frame(seen).filter(dealt));
        }
    }
    let screen = wait_for_screen(&terminal, "another match");
    assert!(screen.contains("the match."), "{screen}");
    let text = leave(terminal);
    assert!(text.contains("Saved as game 1. To watch it: unum replay 1"), "{text}");
}

#[test]
fn a_match_on_the_screen_original() {
    plays_a_match("original", "4");
}

#[test]
fn a_match_on_the_screen_fairies() {
    plays_a_match("fairies", "2");
}

#[test]
fn a_match_on_the_screen_frozen() {
    plays_a_match("frozen", "3");
}

#[test]
fn a_match_on_the_screen_custom() {
    plays_a_match("custom", "6");
}

#[test]
fn a_match_on_the_screen_modern() {
    plays_a_match("modern", "10");
}

/// The cards of the hand, large or small, whichever of them is looked at.
fn hand_lines(screen: &str) -> Option<String> {
    let mut lines = screen.lines().skip_while(|line| !line.contains("Your hand"));
    lines.next()?;
    let cards: Vec<&str> = lines.take_while(|line| !line.starts_with(['╰', '+'])).collect();
    let frames = [("╔", "╭"), ("╗", "╮"), ("╚", "╰"), ("╝", "╯"), ("═", "─"), ("║", "│"), ("[", " "), ("]", " ")];
    let plain = |text: String, (from, to): (&str, &str)| text.replace(from, to);
    Some(frames.into_iter().fold(cards.join("\n"), plain))
}

/// Makes some decisions, and goes on until there are cards to see: where others lose their turns, even two
/// decisions can be all there is to a round.
fn play_to_a_hand(terminal: &mut Terminal, decisions: usize) -> String {
    let mut screen = play(terminal, "another match", decisions);
    while hand_lines(&screen).is_none() {
        screen = play(terminal, "another match", 1);
    }
    screen
}

#[test]
fn the_start_screen_begins_a_game_and_continues_it() {
    let data = tempfile::tempdir().unwrap();
    let mut terminal = start(&["play"], data.path());
    wait_for_screen(&terminal, "What shall we play?");
    terminal.send("\x1b[B\x1b[B\x1b[C");
    wait_for_screen(&terminal, "Fairies");
    terminal.send("\x1b[B2\r");
    let screen = play_to_a_hand(&mut terminal, 2);
    assert!(screen.contains("Fairies") && screen.contains("saved as game 1"), "{screen}");
    let held = hand_lines(&screen).expect("a hand");
    assert!(leave(terminal).contains("Saved as game 1. To go on: unum play --continue 1"));
    let mut terminal = start(&["play"], data.path());
    let screen = wait_for_screen(&terminal, "What shall we play?");
    assert!(screen.contains("game 1") && screen.contains("Fairies, round"), "{screen}");
    terminal.send("\r");
    let screen = wait_for_screen(&terminal, "Your hand");
    assert_eq!(hand_lines(&screen), Some(held), "{screen}");
    drop(leave(terminal));
}

#[test]
fn signals_restore_the_terminal_and_keep_the_game() {
    for (sent, code) in [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130)] {
        let data = tempfile::tempdir().unwrap();
        let mut terminal = start(&[&LONG[..], &["4"]].concat(), data.path());
        let held = hand_lines(&play_to_a_hand(&mut terminal, 2));
        assert!(!terminal.modes().contains("ICANON"), "{}", terminal.modes());
        signal(&terminal, sent);
        terminal.wait_for("end", |seen| seen.closed.then_some(()));
        assert!(is_restored(&terminal.seen()), "{sent:?}: {}", terminal.screen());
        assert!(terminal.modes().contains("ICANON"), "{sent:?}: {}", terminal.modes());
        assert_eq!(terminal.wait_end().0, code, "{sent:?}");
        let again = start(&["play", "--continue"], data.path());
        let screen = wait_for_screen(&again, "Your hand");
        assert_eq!(hand_lines(&screen), held, "{sent:?}");
        drop(leave(again));
    }
}

#[test]
fn ctrl_c_ends_it_in_good_order() {
    let data = tempfile::tempdir().unwrap();
    let mut terminal = start(&[&QUICK[..], &["3"]].concat(), data.path());
    play(&mut terminal, "another match", 1);
    terminal.send("\x03");
    terminal.wait_for("end", |seen| seen.closed.then_some(()));
    assert!(is_restored(&terminal.seen()));
    assert_eq!(terminal.wait_end().0, 130);
}

/// A card of the hand as it lies on the table, in one of the two usual sizes.
#[derive(Debug)]
struct Cell {
    /// The number of a card that can be played.
    sign: String,
    looked_at: bool,
    card: String,
    column: usize,
}

fn cells(screen: &str) -> Vec<Cell> {
    let lines = screen.lines().skip_while(|line| !line.contains("Your hand")).skip(1);
    let lines: Vec<Vec<char>> = lines.map(|line| line.chars().skip(1).collect()).collect();
    let is_large = lines.first().is_some_and(|line| line.iter().any(|sign| "╭╔".contains(*sign)));
    let wide = if is_large { 8 } else { 6 };
    let part = |line: usize, cell: usize, from: usize, to: usize| -> String {
        let line = lines.get(line).map(Vec::as_slice).unwrap_or_default();
        line.get(cell * wide + from..cell * wide + to).unwrap_or_default().iter().collect()
    };
    let cell = |cell: usize| match is_large {
        true => {
            let sign = part(5, cell, 0, 7);
            let card = part(1, cell, 1, 2) + part(2, cell, 1, 6).trim();
            (sign.trim().trim_matches(['[', ']']).to_owned(), sign.contains('['), card)
        }
        false => (part(0, cell, 0, 1), part(0, cell, 1, 2) == "[", part(0, cell, 2, 5).trim().to_owned()),
    };
    let cells = (0..78 / wide).map(|number| (number, cell(number)));
    cells
        .map(|(number, (sign, looked_at, card))| Cell { sign, looked_at, card, column: 2 + wide * number + 2 })
        .collect()
}

fn click(terminal: &mut Terminal, screen: &str, cell: &Cell) {
    let row = screen.lines().position(|line| line.contains("Your hand")).unwrap() + 2;
    let column = cell.column;
    terminal.send(&format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"));
}

#[test]
fn a_click_looks_at_a_card_and_another_one_plays_it() {
    let data = tempfile::tempdir().unwrap();
    let mut terminal = start(&[&QUICK[..], &["3", "--mouse"]].concat(), data.path());
    let began = Instant::now();
    // Until there is a second card that can be played, and no color to be called for it.
    let (screen, place) = loop {
        assert!(began.elapsed() < 10 * PATIENCE, "no second card on\n{}", terminal.screen());
        let screen = play(&mut terminal, "another match", 0);
        let is_second = |cell: &Cell| cell.sign == "2" && cell.card.starts_with(['R', 'Y', 'G', 'B']);
        let second = cells(&screen).iter().position(is_second);
        if let Some(place) = second.filter(|_| screen.contains("It is your turn.") && screen.contains("Enter  play")) {
            break (screen, place);
        }
        let keys = keys(&screen).unwrap_or_else(|| "\r".to_owned());
        terminal.send(&keys);
        terminal.wait_for("another screen", |seen| frame(seen).filter(|now| *now != screen));
    };
    let card = &cells(&screen)[place];
    click(&mut terminal, &screen, card);
    let looked = terminal.wait_for("look", |seen| {
        frame(seen).filter(|screen| cells(screen).get(place).is_some_and(|cell| cell.sign == "2" && cell.looked_at))
    });
    let journal = data.path().join("unum/games/1.game");
    let before = std::fs::read_to_string(&journal).unwrap().len();
    click(&mut terminal, &looked, card);
    let began = Instant::now();
    let code = card.card.replace('⊘', "S").replace('⇄', "R");
    let played = format!("\"type\":\"play\",\"card\":\"{code}\"");
    while !std::fs::read_to_string(&journal).unwrap()[before..].contains(&played) {
        assert!(began.elapsed() < PATIENCE, "{played} is not saved:\n{}", terminal.screen());
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    // The wheel turns the log back.
    play(&mut terminal, "another match", 8);
    terminal.send("\x1b[<64;70;5M");
    wait_for_screen(&terminal, "Log, scrolled back");
    assert!(terminal.seen().emulator().mouse_protocol_mode() != vt100::MouseProtocolMode::None);
    terminal.send("\x03");
    terminal.wait_for("end", |seen| seen.closed.then_some(()));
    let mode = terminal.seen().emulator().mouse_protocol_mode();
    assert!(is_restored(&terminal.seen()) && mode == vt100::MouseProtocolMode::None, "{mode:?}");
}

const CRASH: &str = "a_game_in_which_a_thread_panics";

#[test]
#[ignore = "run by the next test, in a terminal of its own"]
fn a_game_in_which_a_thread_panics() {
    let data = PathBuf::from(std::env::var_os(CRASH).expect("the folder of the game"));
    let settings = Settings { pace: Pace::Instant, ..Settings::default() };
    let setup = Setup { name: "Ann".to_owned(), settings, opponents: vec![Level::Easy; 2] };
    let local = Local::new(&Shelf::new(&data), &setup).unwrap();
    std::thread::spawn(move || {
        while !data.join("now").exists() {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        panic!("as the test wants it");
    });
    let farewell =
        screen::run(Opening::Game(Source::Local(Box::new(local))), Comfort { mouse: true, ..Comfort::default() })
            .unwrap();
    assert!(matches!(&farewell, Farewell::Failed(why) if why.contains("a bug in unum")), "{farewell:?}");
}

#[test]
fn a_panic_gives_the_terminal_back_and_says_so() {
    let data = tempfile::tempdir().unwrap();
    let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
    command.args(["--exact", CRASH, "--ignored", "--nocapture"]);
    for (name, value) in [("LC_ALL", "C.UTF-8"), ("TERM", "xterm-256color")] {
        command.env(name, value);
    }
    command.env(CRASH, data.path());
    let terminal = Terminal::start(command, 80, 24);
    wait_for_screen(&terminal, "Your hand");
    assert!(!terminal.modes().contains("ICANON") && !is_restored(&terminal.seen()));
    std::fs::write(data.path().join("now"), "").unwrap();
    terminal.wait_for("end", |seen| seen.closed.then_some(()));
    assert!(is_restored(&terminal.seen()) && terminal.modes().contains("ICANON"), "{}", terminal.screen());
    let screen = terminal.screen();
    let (code, _) = terminal.wait_end();
    assert!(code == 0 && screen.contains("as the test wants it"), "{code}: {screen}");
}

/// The state of a process and the processor time it has used, in hundredths of a second.
#[cfg(target_os = "linux")]
fn process(pid: u32) -> (String, u64) {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    (fields[0].to_owned(), fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap())
}

#[test]
#[cfg(target_os = "linux")]
fn suspend_gives_the_terminal_back_and_resume_takes_it_again() {
    let data = tempfile::tempdir().unwrap();
    let mut terminal = start(&[&LONG[..], &["3"]].concat(), data.path());
    let before = play_to_a_hand(&mut terminal, 0);
    for keys in [true, false] {
        if keys {
            terminal.send("\x1a");
        } else {
            signal(&terminal, Signal::TSTP);
        }
        let began = Instant::now();
        while process(terminal.pid()).0 != "T" {
            assert!(began.elapsed() < PATIENCE, "it does not stop");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        terminal.wait_for("screen", |seen| is_restored(seen).then_some(()));
        assert!(terminal.modes().contains("ICANON"), "{}", terminal.modes());
        signal(&terminal, Signal::CONT);
        let after = terminal.wait_for("hand", |seen| {
            frame(seen).filter(|screen| seen.emulator().alternate_screen() && hand_lines(screen) == hand_lines(&before))
        });
        assert!(after.contains("Your hand"), "{after}");
    }
    drop(leave(terminal));
}

#[test]
#[cfg(target_os = "linux")]
fn nothing_is_done_while_nothing_happens() {
    let data = tempfile::tempdir().unwrap();
    let mut terminal = start(&[&QUICK[..], &["3"]].concat(), data.path());
    play(&mut terminal, "another match", 0);
    // On a slow machine it may take a while to come to rest.
    let mut used = process(terminal.pid()).1;
    let rests = (0..60).any(|_| {
        std::thread::sleep(std::time::Duration::from_secs(1));
        let before = std::mem::replace(&mut used, process(terminal.pid()).1);
        used - before <= 1
    });
    assert!(rests, "it works all the time, though nothing happens");
    drop(leave(terminal));
}

#[test]
fn a_storm_of_sizes_is_weathered() {
    let data = tempfile::tempdir().unwrap();
    let mut terminal = start(&[&LONG[..], &["4"]].concat(), data.path());
    let before = play_to_a_hand(&mut terminal, 0);
    for round in 0..300u16 {
        terminal.resize(30 + round % 170, 8 + round % 50);
        signal(&terminal, Signal::WINCH);
    }
    terminal.resize(30, 8);
    wait_for_screen(&terminal, "Too small: 30x8");
    resize(&terminal, 80, 24);
    let after =
        terminal.wait_for("hand", |seen| frame(seen).filter(|screen| hand_lines(screen) == hand_lines(&before)));
    assert!(after.contains("Players"), "{after}");
    play(&mut terminal, "another match", 3);
    drop(leave(terminal));
}

#[test]
fn no_color_means_none_and_the_rest_what_the_terminal_can_show() {
    let data = tempfile::tempdir().unwrap();
    for (term, no_color) in [("xterm-256color", true), ("xterm-256color", false), ("xterm", false)] {
        let mut command = unum(&[&QUICK[..], &["4"]].concat(), data.path());
        command.env("LANG", "C.UTF-8");
        command.env("TERM", term);
        command.env_remove("COLORTERM");
        if no_color {
            command.env("NO_COLOR", "1");
        }
        let mut terminal = Terminal::start(command, 80, 24);
        play(&mut terminal, "another match", 6);
        let bytes = terminal.seen().bytes.clone();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (mut colors, mut indexed) = (0, 0);
        for sequence in text.split("\x1b[").skip(1) {
            let Some(end) = sequence.find(|c: char| c.is_ascii_alphabetic()) else { continue };
            if !sequence[end..].starts_with('m') {
                continue;
            }
            let codes: Vec<u32> = sequence[..end].split(';').filter_map(|code| code.parse().ok()).collect();
            let mut codes = codes.into_iter();
            while let Some(code) = codes.next() {
                colors += usize::from(code >= 30);
                if code == 38 || code == 48 {
                    indexed += 1;
                    let color = (codes.next(), codes.next());
                    assert!(matches!(color, (Some(5), Some(0..=255))), "{sequence:?}");
                } else {
                    // The sixteen colors: eight, and bright ones after them where a terminal has those.
                    let known = code < 38 || (39..50).contains(&code) || (90..98).contains(&code);
                    assert!(known, "{sequence:?}");
                }
            }
        }
        assert_eq!(colors == 0, no_color, "{colors} colors with {term}");
        assert_eq!(indexed > 0, term == "xterm-256color" && !no_color, "{indexed} of 256 colors with {term}");
        drop(leave(terminal));
    }
}

#[test]
fn a_terminal_without_unicode_gets_letters_only() {
    let data = tempfile::tempdir().unwrap();
    let mut command = unum(&[&QUICK[..], &["4", "--name", "Ann"]].concat(), data.path());
    command.env("LC_ALL", "C");
    let mut terminal = Terminal::start(command, 80, 24);
    play(&mut terminal, "another match", 4);
    assert!(terminal.seen().bytes.is_ascii());
    drop(leave(terminal));
}

/// A table on a real server that is killed and started again while somebody plays.
#[tokio::test(flavor = "multi_thread")]
async fn a_table_on_a_server_that_is_killed_in_the_middle() {
    let (data, served) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut server = ServerProcess::start(Path::new(env!("CARGO_BIN_EXE_unum")), served.path()).await.unwrap();
    let address = format!("http://{}", server.server().authority());
    let mut terminal = start(&["play", &address, "--pace", "instant", "--clock", "600"], data.path());
    let screen = wait_for_screen(&terminal, "At the table");
    assert!(screen.contains(&format!("{address}/t/")), "{screen}");
    terminal.send("b3");
    wait_for_screen(&terminal, "bot, normal");
    terminal.send("mhello, bots\r");
    wait_for_screen(&terminal, "Ann: hello, bots");
    terminal.send("\r");
    wait_for_screen(&terminal, "Your hand");
    play(&mut terminal, "is over", 4);
    server.kill().unwrap();
    wait_for_screen(&terminal, "no connection");
    server.restart().await.unwrap();
    terminal.wait_for("connection", |seen| frame(seen).filter(|screen| !screen.contains("no connection")));
    play(&mut terminal, "is over", 4);
    assert!(leave(terminal).contains("Your seat is kept. To come back: unum play http://"));
    server.kill().unwrap();
}
