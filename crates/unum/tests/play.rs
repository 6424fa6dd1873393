//! `unum play --plain`, saved games and what can be done with them, as people and scripts use them.
#![cfg(unix)]

mod piped;
mod pty;

use std::path::{Path, PathBuf};

use piped::{Piped, answer, hand, printed, question, run};
use pty::Terminal;
use rustix::process::Signal;
use unum_soak::ServerProcess;

const EDITIONS: [&str; 5] = ["original", "fairies", "frozen", "custom", "modern"];

/// A whole match on a terminal, every answer made from what the terminal shows.
fn plays_a_match_on_a_terminal(edition: &str) {
    let data = tempfile::tempdir().unwrap();
    let mut args = vec!["play", "--plain", "--pace", "instant", "--players", "3", "--edition", edition];
    if edition == "custom" {
        args.extend(["--custom", "1,4,7"]);
    }
    let mut terminal = Terminal::start(pty::unum(&args, data.path()), 80, 24);
    let mut answered = 0;
    loop {
        let asked = terminal.wait_for("question", |seen| {
            let new = seen.since(answered);
            let asked = new.strip_suffix("> ").and_then(question)?.to_owned();
            answered = seen.bytes.len();
            Some(asked)
        });
        let answer = if asked.contains("the match.") { "quit".to_owned() } else { answer(&asked) };
        terminal.send(&format!("{answer}\r"));
        if answer == "quit" {
            break;
        }
    }
    let (code, transcript) = terminal.wait_end();
    assert_eq!(code, 0, "{transcript}");
    assert!(!transcript.contains("No: "), "the choices that were shown are refused:\n{transcript}");
    assert!(transcript.contains("Saved as game 1. To watch it: unum replay 1"), "{transcript}");
    let replay = printed(&run(&["replay", "1"], data.path(), ""));
    assert!(replay.contains("the match."), "{replay}");
    let verified = printed(&run(&["verify", "1"], data.path(), ""));
    assert!(verified.contains("\nVerified: ") && verified.contains(" by Ann"), "{verified}");
}

/// The command that is printed works as it stands, also for games in another folder.
#[test]
fn games_in_another_folder_are_found_by_the_command_that_is_printed() {
    let (home, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folder = other.path().to_str().unwrap();
    let game = ["play", "--pace", "instant", "--scoring", "single_round", "--opponents", "random", "--data", folder];
    let told = printed(&run(&game, home.path(), "autopilot on\n"));
    assert!(told.contains(&format!("To watch it: unum replay 1 --data {folder}")), "{told}");
    assert!(printed(&run(&["replay", "1", "--data", folder], home.path(), "")).contains("the match."));
    assert!(printed(&run(&["verify", "1", "--data", folder], home.path(), "")).contains("Verified: "));
    assert!(!run(&["replay", "1"], home.path(), "").status.success());
}

#[test]
fn a_match_on_a_terminal_original() {
    plays_a_match_on_a_terminal("original");
}

#[test]
fn a_match_on_a_terminal_fairies() {
    plays_a_match_on_a_terminal("fairies");
}

#[test]
fn a_match_on_a_terminal_frozen() {
    plays_a_match_on_a_terminal("frozen");
}

#[test]
fn a_match_on_a_terminal_custom() {
    plays_a_match_on_a_terminal("custom");
}

#[test]
fn a_match_on_a_terminal_modern() {
    plays_a_match_on_a_terminal("modern");
}

/// A script that knows nothing of the game: what does not fit is refused, and does no harm.
#[test]
fn a_script_from_a_pipe_plays_matches_in_every_edition() {
    let script = "draw\nkeep\ntake\ncolor blue\nvote yes\naccept\nnext\n".repeat(400);
    for edition in EDITIONS {
        let data = tempfile::tempdir().unwrap();
        let args = ["play", "--pace", "instant", "--players", "2", "--edition", edition];
        let text = printed(&run(&args, data.path(), &script));
        assert!(text.contains("wins the match."), "{edition}: {text}");
        assert!(!text.contains('\u{1b}'), "{edition}: a pipe gets no colors");
        assert!(text.trim_end().lines().next_back().unwrap().starts_with("Saved as game 1"), "{edition}: {text}");
    }
}

#[test]
fn the_opening_of_the_first_round_is_told() {
    let data = tempfile::tempdir().unwrap();
    let game = printed(&run(&["play", "--plain", "--pace", "instant"], data.path(), "log\nquit\n"));
    assert!(game.contains("The start card is "), "{game}");
    assert!(!game.contains("Nothing has happened yet."), "{game}");
}

#[test]
fn the_log_is_there_when_a_game_is_continued() {
    let data = tempfile::tempdir().unwrap();
    let args = ["play", "--pace", "instant", "--players", "2", "--scoring", "single_round"];
    let told = printed(&run(&args, data.path(), "autopilot on\n"));
    let again = printed(&run(&["play", "--plain", "--continue", "1"], data.path(), "log\n"));
    let (_, log) = again.split_once("> log\n").unwrap();
    let log: Vec<&str> = log.lines().take_while(|line| !line.starts_with("Saved")).collect();
    assert!(log.len() > 5, "{again}");
    let missing = log[log.len() - 5..].iter().find(|line| !told.contains(*line));
    assert_eq!(missing, None, "{told}\n{again}");
    assert!(log.iter().any(|line| line.ends_with("the match.")), "{again}");
}

#[test]
fn with_two_a_reverse_skips_unless_said_otherwise() {
    let data = tempfile::tempdir().unwrap();
    let rules_of = |options: &[&str]| {
        let args = [&["play", "--plain", "--pace", "instant"], options].concat();
        printed(&run(&args, data.path(), "people\nquit\n"))
    };
    assert!(rules_of(&["--players", "2"]).contains("reverse for two"));
    assert!(!rules_of(&["--players", "3"]).contains("reverse for two"));
    assert!(!rules_of(&["--players", "2", "--house", "reverse_skips_with_two=off"]).contains("reverse for two"));
    assert!(rules_of(&["--players", "3", "--house", "reverse_skips_with_two"]).contains("reverse for two"));
}

#[test]
fn without_any_input_a_game_is_dealt_and_saved() {
    let data = tempfile::tempdir().unwrap();
    let text = printed(&run(&["play", "--pace", "instant"], data.path(), ""));
    assert!(text.contains("--continue 1"), "{text}");
    let held = hand(&text).expect("a hand");
    let text = printed(&run(&["play", "--continue"], data.path(), "hand\n"));
    assert!(text.contains(&format!("> hand\n{held}")), "{text}");
    let games: serde_json::Value = serde_json::from_str(&printed(&run(&["games", "--json"], data.path(), ""))).unwrap();
    let game = &games["games"][0];
    assert_eq!(game["number"], 1);
    assert_eq!(game["players"].as_array().unwrap().len(), 4);
    assert_eq!((&game["finished"], &game["players"][0]["name"]), (&false.into(), &"Ann".into()));
    assert_eq!((&games["games"][1], &games["tables"]), (&serde_json::Value::Null, &serde_json::json!([])));
    let refused = run(&["replay", "1"], data.path(), "");
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(1) && message.contains("no match is finished yet"), "{message}");
    assert!(printed(&run(&["games"], data.path(), "")).contains("original   round 1"));
    assert!(printed(&run(&["games", "--delete", "1"], data.path(), "")).contains("Game 1 is deleted."));
    assert!(printed(&run(&["games"], data.path(), "")).contains("no saved games"));
    let refused = run(&["play", "--continue"], data.path(), "");
    assert_eq!(refused.status.code(), Some(1));
}

/// Plays some turns, and gives the hand it is asked about last.
fn play_a_little(game: &mut Piped, turns: usize) -> String {
    let mut from = 0;
    for turn in 0.. {
        let asked = game.wait_for("question", from, |new| question(new).map(str::to_owned));
        from += asked.len();
        // Where others lose their turns, a few decisions can be all there is to a round.
        if let Some(hand) = hand(&asked).filter(|_| turn >= turns) {
            return hand;
        }
        from = game.reply(&answer(&asked), from);
    }
    unreachable!("the turns come to an end")
}

#[test]
fn a_game_that_was_killed_goes_on_where_it_was() {
    let data = tempfile::tempdir().unwrap();
    let mut game = Piped::start(&["play", "--pace", "instant"], data.path());
    let held = play_a_little(&mut game, 3);
    let busy = run(&["play", "--continue", "1"], data.path(), "");
    assert!(String::from_utf8_lossy(&busy.stderr).contains("played by another process"), "{busy:?}");
    game.signal(Signal::KILL);
    game.end();
    let text = printed(&run(&["play", "--continue"], data.path(), "hand\n"));
    assert_eq!(hand(&text), Some(held), "{text}");
}

#[test]
fn signals_end_a_game_with_their_codes_and_lose_nothing() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130)] {
        let data = tempfile::tempdir().unwrap();
        let mut game = Piped::start(&["play", "--pace", "instant"], data.path());
        let held = play_a_little(&mut game, 2);
        game.signal(signal);
        // Its input stays open: the signal alone ends it.
        let stdin = game.stdin.take();
        let (ended, text) = game.end();
        drop(stdin);
        assert_eq!(ended, Some(code), "{text}");
        assert!(text.contains("Saved as game 1. To go on: unum play --continue 1"), "{text}");
        let text = printed(&run(&["play", "--continue"], data.path(), "hand\n"));
        assert_eq!(hand(&text), Some(held), "{text}");
    }
}

#[test]
fn ctrl_c_and_ctrl_d_on_a_terminal_end_a_game_in_good_order() {
    for (key, code) in [("\u{3}", 130), ("\u{4}", 0)] {
        let data = tempfile::tempdir().unwrap();
        let command = pty::unum(&["play", "--plain", "--pace", "instant"], data.path());
        let mut terminal = Terminal::start(command, 80, 24);
        terminal.wait_for_text("You hold ");
        terminal.wait_for("prompt", |seen| seen.transcript().ends_with("> ").then_some(()));
        terminal.send(key);
        let (ended, transcript) = terminal.wait_end();
        assert_eq!(ended, code, "{transcript}");
        // A terminal throws away at Ctrl-C what has not been shown yet, now and then the last words too.
        assert!(code == 130 || transcript.contains("Saved as game 1"), "{transcript}");
        assert!(printed(&run(&["games"], data.path(), "")).contains("round 1"), "{transcript}");
    }
}

#[test]
fn a_file_that_was_cut_off_goes_on_and_a_damaged_one_is_named() {
    let data = tempfile::tempdir().unwrap();
    let text = printed(&run(&["play", "--pace", "instant"], data.path(), "draw\nkeep\n"));
    let path: PathBuf = data.path().join("unum/games/1.game");
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, [&whole[..], b"{\"seq\":99,\"at\":1,\"fa"].concat()).unwrap();
    let again = printed(&run(&["play", "--continue"], data.path(), ""));
    assert_eq!(hand(&again), hand(&text));
    std::fs::write(&path, [&whole[..], b"{\"seq\":99}\n"].concat()).unwrap();
    let refused = run(&["play", "--continue", "1"], data.path(), "");
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(message.contains("1.game, line ") && refused.status.code() == Some(1), "{message}");
    // A file without a line is a game that somebody is about to deal: it is passed over.
    std::fs::write(path.with_file_name("7.game"), "").unwrap();
    // Without a number, the damaged one is named all the same, and the next best game goes on.
    let refused = run(&["play", "--continue"], data.path(), "");
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(message.contains("1.game, line ") && message.contains("no saved game to continue"), "{message}");
    let second = printed(&run(&["play", "--pace", "instant"], data.path(), ""));
    let again = run(&["play", "--continue"], data.path(), "");
    assert_eq!(hand(&printed(&again)), hand(&second));
    assert!(String::from_utf8_lossy(&again.stderr).contains("1.game, line "), "{again:?}");
    use std::os::unix::fs::PermissionsExt as _;
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600, "hidden cards are in it");
}

/// A recorded match, in a file of that folder.
fn recorded(data: &Path) -> String {
    let file = data.join("game.unum");
    let record = printed(&run(&["record", "--names", "Ann,Bob", "--seed", "5"], data, ""));
    std::fs::write(&file, record).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn a_replay_on_a_terminal_fills_the_screen() {
    let data = tempfile::tempdir().unwrap();
    let mut command = pty::unum(&["replay", &recorded(data.path())], data.path());
    command.env("LC_ALL", "C.UTF-8");
    let mut terminal = Terminal::start(command, 100, 40);
    terminal.wait_for_text("round 1 ");
    let (right, left, down, page_down, home) = ("\x1b[C", "\x1b[D", "\x1b[B", "\x1b[6~", "\x1b[H");
    for (keys, shown) in [
        ("", "move 0 of "),
        (right, "move 1 of "),
        (" ", "move 2 of "),
        (left, "move 1 of "),
        (down, "move 11 of "),
        (page_down, "round 2 "),
        (home, "move 0 of "),
    ] {
        terminal.send(keys);
        terminal.wait_for_text(shown);
    }
    let screen = terminal.screen();
    assert!(screen.contains("Ann") && screen.contains("Bob") && screen.contains("What happened"), "{screen}");
    assert!(terminal.seen().emulator().alternate_screen());
    terminal.send("q");
    terminal.wait_for("end", |seen| seen.closed.then_some(()));
    assert!(!terminal.seen().emulator().alternate_screen() && !terminal.seen().emulator().hide_cursor());
    assert_eq!(terminal.wait_end().0, 0);
}

#[test]
fn a_plain_replay_on_a_terminal_goes_step_by_step() {
    let data = tempfile::tempdir().unwrap();
    let args = ["replay", "--plain", &recorded(data.path())];
    let mut terminal = Terminal::start(pty::unum(&args, data.path()), 100, 40);
    terminal.wait_for("the deal", |seen| seen.transcript().contains("\n0/").then_some(()));
    for (keys, shown) in [("\r", "1/"), ("n\r", "2/"), ("p\r", "1/"), ("7\r", "7/"), ("x\r", "Type Enter")] {
        let before = terminal.seen().transcript().len();
        terminal.send(keys);
        terminal.wait_for(shown, |seen| seen.transcript()[before..].contains(&format!("\n{shown}")).then_some(()));
    }
    terminal.send("q\r");
    assert_eq!(terminal.wait_end().0, 0);
}

/// Rules of one's own can be longer than a message may be: they go by another way.
#[tokio::test(flavor = "multi_thread")]
async fn a_host_changes_rules_that_are_long() {
    let (data, served) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let server = ServerProcess::start(Path::new(env!("CARGO_BIN_EXE_unum")), served.path()).await.unwrap();
    let dare = serde_json::json!({ "do": "dare", "who": "next", "prompt": "Sing. ".repeat(35) });
    let card = |title: &str| serde_json::json!({ "title": title, "effects": vec![dare.clone(); 6] });
    let rules = serde_json::json!({ "edition": "custom", "custom_cards": [card("One"), card("Two"), card("Three")] });
    assert!(rules.to_string().len() > 4096);
    let file = data.path().join("rules.json");
    std::fs::write(&file, rules.to_string()).unwrap();
    let args = ["play", &server.server().url(), "--rules", file.to_str().unwrap()];
    let lines =
        "set stacking any\npeople\nset hand_size 20\nset card2 plain\nset card3 plain\npeople\nset cards 0\nquit\n";
    let text = printed(&run(&args, data.path(), lines));
    let after = |line: &str| text.split(&format!("> {line}\n")).nth(1).unwrap_or_else(|| panic!("no {line}: {text}"));
    assert!(
        after("people").contains("House rules: stacking any, reverse for two.\nWild Customizable 1: One"),
        "{text}"
    );
    assert!(text.contains("New settings: stacking any.") && text.contains("New settings: cards dealt 20."), "{text}");
    let then = after("set card3 plain");
    assert!(then.contains("Wild Customizable 1: One") && then.contains("Customizable 3: a plain wild."), "{text}");
}

/// Options that make sense at a table on a server are heeded there.
#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_opened_with_bots_and_listed_if_it_is_public() {
    let (data, served) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let server = ServerProcess::start(Path::new(env!("CARGO_BIN_EXE_unum")), served.path()).await.unwrap();
    let address = format!("http://{}", server.server().authority());
    let none = printed(&run(&["tables", &address], data.path(), ""));
    assert!(none.contains("No table at"), "{none}");
    let stranger = run(&["games", &address], data.path(), "");
    assert!(String::from_utf8_lossy(&stranger.stderr).contains("you have not played at"), "{stranger:?}");
    let mut game = Piped::start(&["play", &address, "--opponents", "hard,easy", "--edition", "frozen"], data.path());
    game.wait_for("bots", 0, |text| (text.contains("bot, hard") && text.contains("bot, easy")).then_some(()));
    game.send("set public on");
    game.wait_for("news", 0, |text| text.contains("New settings: ").then_some(()));
    let listed = printed(&run(&["tables", &address], data.path(), ""));
    assert!(listed.contains("frozen") && listed.contains("waiting for players"), "{listed}");
    let (code, text) = game.end();
    assert_eq!(code, Some(0), "{text}");
}

/// A table on a real server that is killed and started again while somebody plays.
#[tokio::test(flavor = "multi_thread")]
async fn a_table_on_a_server_that_is_killed_in_the_middle() {
    let (data, served) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut server = ServerProcess::start(Path::new(env!("CARGO_BIN_EXE_unum")), served.path()).await.unwrap();
    let address = format!("http://{}", server.server().authority());
    let mut game = Piped::start(&["play", &address, "--pace", "instant", "--clock", "600"], data.path());
    let link = game.wait_for("link", 0, |text| {
        let link = text.split("At the table ").nth(1)?;
        link.contains('\n').then(|| link.lines().next().unwrap_or_default().to_owned())
    });
    game.send("bot normal");
    game.send("bot easy");
    game.send("start");
    let mut from = game.wait_for("first cards", 0, |text| text.find("You hold "));
    for turn in 0..12 {
        let asked = game.wait_for("question", from, |new| question(new).map(str::to_owned));
        from += asked.len();
        if turn == 4 {
            server.kill().unwrap();
            game.wait_for("notice", from, |new| new.contains("The connection is lost").then_some(()));
            server.restart().await.unwrap();
            game.wait_for("notice", from, |new| new.contains("Connected again.").then_some(()));
            from = game.length();
        }
        from = game.reply(&answer(&asked), from);
    }
    let (code, text) = game.end();
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains(&format!("Your seat is kept. To come back: unum play {link}")), "{text}");
    let games = printed(&run(&["games"], data.path(), ""));
    assert!(games.contains(&link), "{games}");
    let on_server = printed(&run(&["games", &address], data.path(), ""));
    assert!(on_server.contains(&link), "{on_server}");
    // The link and --continue lead to the same seat; the token is only its owner's to read.
    for way in [&["play", &link][..], &["play", "--continue"]] {
        let again = printed(&run(way, data.path(), "people\n"));
        assert!(again.contains("\nAnn: you, host."), "{again}");
    }
    let again = printed(&run(&["play", &link, "--name", "Annie"], data.path(), "people\npeople\n"));
    assert!(again.contains("Your name is now Annie."), "{again}");
    if text[text.rfind("\n> ").unwrap()..].contains("You hold ") {
        assert_eq!(hand(&again), hand(&text), "{again}");
    }
    let folder = data.path().join("unum/servers");
    let token = std::fs::read_dir(folder).unwrap().next().unwrap().unwrap();
    use std::os::unix::fs::PermissionsExt as _;
    assert_eq!(token.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let stranger = tempfile::tempdir().unwrap();
    let other = printed(&run(&["play", &link, "--name", "Bob"], stranger.path(), "people\n"));
    assert!(other.contains("Watching: Bob.") && !other.contains("You hold"), "{other}");
    assert!(other.contains("To come back: ") && !other.contains("Your seat is kept"), "{other}");
    // Those who give up their seat are not told that it is kept.
    let left = printed(&run(&["play", &link], data.path(), "giveup\n"));
    assert!(!left.contains("Your seat is kept"), "{left}");
    let games = printed(&run(&["games"], data.path(), ""));
    assert!(!games.contains(&link), "{games}");
    let nowhere = run(&["play", &format!("{address}/t/{}", unum_protocol::EXAMPLE_CODE)], data.path(), "");
    assert_eq!(nowhere.status.code(), Some(1), "{nowhere:?}");
}
