//! Tables made up for the tests, told in the messages a table sends.

use serde_json::{Value, json};
use unum_protocol::Request;
use unum_rules::wire::ActionForm;

use super::super::keys::intent;
use super::super::look::{Colors, Paint};
use super::super::state::Screen;
use super::super::update::Effect;
use super::super::view;
use crate::plain::Whereabouts;
use crate::scene::{choices, fair, terms, told};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;

pub(super) const PRETTY: Paint = Paint { colors: Colors::Sixteen, symbols: true };
pub(super) const NAMES: [&str; 10] =
    ["Ann", "Ada", "Babbage", "Curie", "Darwin", "Euler", "Fermi", "Gauss", "Hopper", "Ibn"];

/// A table as it is told.
pub(super) struct Table {
    pub(super) stage: &'static str,
    pub(super) rules: Value,
    pub(super) players: usize,
    pub(super) may: Vec<&'static str>,
    pub(super) hand: Vec<&'static str>,
    pub(super) top: &'static str,
    pub(super) color: Option<&'static str>,
    pub(super) phase: Value,
    pub(super) legal: Value,
    pub(super) clock: Option<u32>,
    pub(super) more: Value,
    pub(super) standings: Value,
    pub(super) remote: bool,
}

impl Default for Table {
    fn default() -> Table {
        Table {
            stage: "playing",
            rules: json!({ "edition": "original" }),
            players: 4,
            may: vec!["act", "ready", "autopilot"],
            hand: vec!["R3", "R7", "Y7", "G2", "B+2", "W", "W+4"],
            top: "R9",
            color: Some("red"),
            phase: json!({ "type": "turn", "seat": 0 }),
            legal: json!([]),
            clock: None,
            more: json!({}),
            standings: Value::Null,
            remote: false,
        }
    }
}

pub(super) fn plays(cards: &[&str]) -> Vec<Value> {
    let colors = ["red", "yellow", "green", "blue"];
    let mut list = Vec::new();
    for card in cards {
        match card.starts_with('W') {
            true => list.extend(colors.map(|color| json!({ "type": "play", "card": card, "color": color }))),
            false => list.push(json!({ "type": "play", "card": card })),
        }
    }
    list
}

/// Plays, and what else can be done.
pub(super) fn legal(cards: &[&str], others: &[&str]) -> Value {
    let mut list = plays(cards);
    list.extend(others.iter().map(|kind| json!({ "type": kind })));
    list.into()
}

impl Table {
    fn lobby(&self) -> Value {
        let chair = |seat: usize| match seat {
            0 => json!({ "name": NAMES[0], "person": 0, "bot": null, "accepted": true, "ready": false }),
            1 if self.remote => json!({ "name": NAMES[1], "person": 1, "bot": null, "accepted": true, "ready": true }),
            _ => json!({ "name": NAMES[seat], "person": null, "bot": "normal", "accepted": true, "ready": true }),
        };
        let chairs: Vec<Value> = (0..self.players).map(chair).collect();
        let mut people = vec![json!({ "person": 0, "name": "Ann", "seat": 0, "connected": true })];
        if self.remote {
            people.push(json!({ "person": 1, "name": "Ada", "seat": 1, "connected": true }));
        }
        json!({
            "stage": self.stage, "code": "k3m9pqx7t", "host": 0, "acting": false, "locked": false, "paused": false,
            "chairs": chairs, "people": people, "fair": fair(),
        })
    }

    pub(super) fn game(&self) -> Value {
        let sizes: Vec<usize> =
            (0..self.players).map(|seat| if seat == 0 { self.hand.len() } else { 8 - seat.min(7) }).collect();
        let scores: Vec<usize> = (0..self.players).map(|seat| seat * 37 % 200).collect();
        let mut view = json!({
            "players": self.players, "dealer": 0, "direction": "left", "phase": self.phase, "top": self.top,
            "color": self.color, "hand_sizes": sizes, "hand": self.hand, "shown": {}, "draw_count": 54,
            "discard_pile": [self.top], "liable": [], "idle": 0, "draw_more": [], "face_up": [], "banners": [],
            "scores": scores, "result": null, "winners": null,
        });
        for (name, value) in self.more.as_object().into_iter().flatten() {
            view[name] = value.clone();
        }
        let clock = self.clock.map(|left| json!({ "left": left, "of": 30000 }));
        let legal = choices(&self.legal, self.hand.len(), true);
        let standings = &self.standings;
        json!({ "round": 2, "at": 17, "view": view, "legal": legal, "clock": clock, "standings": standings })
    }

    /// The screen of somebody who sits there.
    pub(super) fn screen(&self) -> Screen {
        self.screen_in(PRETTY)
    }

    pub(super) fn screen_in(&self, paint: Paint) -> Screen {
        let link = self.remote.then(|| "http://localhost:8080/t/k3m9pqx7t".to_owned());
        let mut screen =
            Screen::new(paint, Whereabouts { saved: (!self.remote).then_some(3), link, folder: String::new() });
        tell(
            &mut screen,
            json!({ "type": "welcome", "version": 1, "server": "unum", "table": "k3m9pqx7t", "you": 0, "last_id": 0 }),
        );
        let terms = terms(1, &self.rules);
        let own = json!({ "may": self.may, "muted": [], "kicked": [] });
        let mut snapshot =
            json!({ "type": "snapshot", "seq": 1, "terms": terms, "lobby": self.lobby(), "own": own, "chat": [] });
        if self.stage != "lobby" {
            snapshot["game"] = self.game();
        }
        tell(&mut screen, snapshot);
        screen
    }
}

pub(super) fn tell(screen: &mut Screen, message: Value) {
    screen.take(&told(message));
}

/// Some lines of a log.
pub(super) fn story(table: &Table, screen: &mut Screen) {
    let events = json!([
        { "type": "played", "seat": 1, "card": "R9" },
        { "type": "drew", "seat": 2, "reason": "turn", "count": 1 },
        { "type": "kept", "seat": 2 },
        { "type": "uno_called", "seat": 3 },
    ]);
    let game = table.game();
    tell(screen, json!({ "type": "update", "seq": 2, "what": { "type": "hidden" }, "events": events, "game": game }));
    assert!(screen.model.log.len() == 4, "{:?}", screen.model.log);
}

/// Presses keys on a screen of 80 by 24; what came of it. `\n` is Enter, `\t` Tab, `<` and `>` arrows, `\x1b` Escape.
pub(super) fn press(screen: &mut Screen, keys: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    for key in keys.chars() {
        let code = match key {
            '\n' => KeyCode::Enter,
            '\t' => KeyCode::Tab,
            '<' => KeyCode::Left,
            '>' => KeyCode::Right,
            '\x1b' => KeyCode::Esc,
            '\x08' => KeyCode::Backspace,
            key => KeyCode::Char(key),
        };
        effects.extend(press_code(screen, code));
    }
    effects
}

pub(super) fn press_code(screen: &mut Screen, code: KeyCode) -> Vec<Effect> {
    let shape = view::shape(screen, Rect::new(0, 0, 80, 24));
    let wanted = intent(screen, KeyEvent::new(code, KeyModifiers::NONE));
    wanted.map(|wanted| screen.apply(wanted, shape)).unwrap_or_default()
}

/// The one action that was asked for, as JSON.
pub(super) fn action(effects: &[Effect]) -> Value {
    match effects {
        [Effect::Ask(Request::Act { action, at: None })] => serde_json::to_value(action).unwrap(),
        other => panic!("{other:?}"),
    }
}

pub(super) fn is_refusable(effects: &[Effect]) -> bool {
    matches!(effects, [Effect::Ask(Request::Act { action: ActionForm::Play { .. }, at: Some(17) })])
}
