//! Several people at one table on a server, each at a terminal of their own: they agree, talk, accuse and look on.
#![cfg(unix)]

mod pty;

use std::path::Path;

use pty::{Seen, Terminal, unum};
use unum_soak::ServerProcess;

/// Somebody at a terminal, with data of their own.
struct Player {
    terminal: Terminal,
    _data: tempfile::TempDir,
}

impl Player {
    fn start(args: &[&str], columns: u16, rows: u16) -> Player {
        let data = tempfile::tempdir().unwrap();
        let mut command = unum(&[&["play"], args].concat(), data.path());
        command.env("LC_ALL", "C.UTF-8");
        Player { terminal: Terminal::start(command, columns, rows), _data: data }
    }

    fn types(&mut self, keys: &str) {
        self.terminal.send(keys);
    }

    /// Waits until the screen, as soon as it is whole, shows a text.
    fn sees(&self, text: &str) -> String {
        let whole = |seen: &Seen| seen.bytes.ends_with(b"\x1b[?25l").then(|| seen.screen());
        self.terminal.wait_for(text, |seen| whole(seen).filter(|screen| screen.contains(text)))
    }

    /// Waits until a text was printed that many times, line by line.
    fn reads(&self, text: &str, times: usize) {
        self.terminal.wait_for(text, |seen| (seen.transcript().matches(text).count() >= times).then_some(()));
    }
}

/// Four lines down from the edition is stacking; a step further it is on.
const STACKING: &str = "\x1b[B\x1b[B\x1b[B\x1b[B\x1b[C";

#[tokio::test(flavor = "multi_thread")]
async fn people_agree_talk_accuse_and_look_on() {
    let served = tempfile::tempdir().unwrap();
    let server = ServerProcess::start(Path::new(env!("CARGO_BIN_EXE_unum")), served.path()).await.unwrap();
    let address = server.server().url();
    let mut ann = Player::start(&[&address, "--pace", "instant", "--clock", "600"], 120, 40);
    let screen = ann.sees("/t/");
    let code: String = screen.split("/t/").nth(1).unwrap().chars().take_while(char::is_ascii_alphanumeric).collect();
    let link = format!("{address}/t/{code}");
    let mut bob = Player::start(&["--plain", &link, "--name", "Bob"], 80, 24);
    let mut cy = Player::start(&["--plain", &link, "--name", "Cy"], 80, 24);
    let mut di = Player::start(&["--plain", &link, "--name", "Di"], 80, 24);
    for player in [&mut bob, &mut cy, &mut di] {
        player.reads("Type ready", 1);
        player.types("ready\r");
    }
    ann.sees("Everybody is ready.");

    // The host changes the rules: everybody is told what, and has to accept again. Nobody else can.
    ann.types("e");
    ann.sees("Table settings");
    ann.types(STACKING);
    ann.sees("◀ same ▶");
    ann.types("\r");
    let screen = ann.sees("are not ready yet");
    assert!(screen.contains("House rules: stacking same."), "{screen}");
    bob.reads("New settings: stacking same.", 1);
    bob.types("set chat off\r");
    bob.reads("No: ", 1);
    for player in [&mut bob, &mut cy, &mut di] {
        player.reads("Type ready", 2);
        player.types("ready\r");
    }
    ann.sees("Everybody is ready.");
    ann.types("\r");
    ann.sees("Your hand");
    bob.reads("You are dealt ", 1);

    // They talk.
    ann.types("mhello Bob\r");
    bob.reads("Ann: hello Bob", 1);
    bob.types("say hello Ann, play your red one\r");
    ann.sees("Bob: hello Ann");

    // One of them said too much, and the two others judge.
    ann.types(":accuse Bob\r");
    ann.sees("You accuse Bob");
    cy.reads("Ann accuses Bob of suggesting a play", 1);
    di.reads("Ann accuses Bob of suggesting a play", 1);
    cy.types("vote yes\r");
    di.types("vote yes\r");
    bob.reads("The accusation against Bob is upheld.", 1);
    ann.sees("is upheld.");

    // Somebody looks on: no cards of their own, but all that happens, and a voice.
    let mut dan = Player::start(&[&link, "--name", "Dan"], 120, 40);
    let screen = dan.sees("You are watching.");
    assert!(!screen.contains("Your hand") && screen.contains("turn."), "{screen}");
    ann.sees("Dan has joined.");
    dan.types("mwhat a game\r");
    cy.reads("Dan: what a game", 1);
    // The player whose turn it is draws, or calls a color for the start card.
    bob.types("draw\rcolor blue\r");
    cy.types("draw\rcolor blue\r");
    di.types("draw\rcolor blue\r");
    ann.types("db");
    dan.terminal.wait_for("news", |seen| {
        let screen = seen.screen();
        (screen.contains("draws a card") || screen.contains("calls blue")).then_some(())
    });
    for (player, sits) in [(&mut ann, true), (&mut dan, false)] {
        player.types("q");
        let screen = player.sees("Leave?");
        // Only who sits has a seat that could be kept.
        assert_eq!(screen.contains("Your seat is kept"), sits, "{screen}");
        player.types("y");
    }
    assert_eq!(ann.terminal.wait_end().0, 0);
    assert_eq!(dan.terminal.wait_end().0, 0);
}
