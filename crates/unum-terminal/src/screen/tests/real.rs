//! What the screen says about real rounds and tables, compared with the engine and the table.

use serde_json::json;
use unum_protocol::{Choice, GameView, Level, Request, Settings};
use unum_rules::playout::Casual;
use unum_rules::wire::{ChoiceForm, ViewForm};
use unum_rules::{Card, Edition, Match, Rules, Seat, Seeded, Sight, Viewer};
use unum_table::{GuestId, Input, Moment, Newcomer, SeededDice, Table};

use super::super::prompt;
use super::super::state::Screen;
use super::fixture::{PRETTY, tell};
use super::looks::shown;
use crate::game::Event;
use crate::plain::Whereabouts;
use crate::scene::{fair, terms};

/// A game as a table shows it to a seat.
fn seen(game: &Match, seat: Seat) -> GameView {
    let sight = Sight::new(game.round(), game.rules(), seat, game.scores());
    let mut legal = Vec::new();
    ChoiceForm::each(&sight, &mut |action, meant| {
        let stakes = meant.map(|meant| sight.stakes(meant)).unwrap_or_default();
        legal.push(Choice { action, stakes });
    });
    let view = ViewForm::new(&game.view(Viewer::Seat(seat)), game.rules());
    GameView { round: 1, at: 1, view, legal, clock: None, standings: None, lesson: None }
}

/// The screen of somebody whose turn it is.
fn screen(game: &Match, seat: Seat) -> Screen {
    let person = |seat: Seat| json!({ "name": "Ann", "person": seat, "bot": null, "accepted": true, "ready": true });
    let chairs: Vec<_> = (0..game.round().players()).map(person).collect();
    let lobby = json!({
        "stage": "playing", "code": "x", "host": 0, "acting": false, "locked": false, "paused": false,
        "chairs": chairs, "people": [], "fair": fair(),
    });
    let own = json!({ "may": ["act"], "muted": [], "kicked": [] });
    let terms = terms(1, &json!({ "edition": game.rules().edition() }));
    let mut screen = Screen::new(PRETTY, Whereabouts { saved: Some(1), ..Whereabouts::default() });
    let welcome = json!({ "type": "welcome", "version": 1, "server": "", "table": "x", "you": seat, "last_id": 0 });
    tell(&mut screen, welcome);
    let game = seen(game, seat);
    tell(
        &mut screen,
        json!({ "type": "snapshot", "seq": 1, "terms": terms, "lobby": lobby, "own": own, "game": game, "chat": [] }),
    );
    screen
}

/// Whether the screen warns of a bluff when the Wild Draw Four is looked at; `None` if it cannot be played.
fn warns(game: &Match, seat: Seat) -> Option<bool> {
    let mut screen = screen(game, seat);
    let card = Card::WILD_DRAW_FOUR.name(game.rules().palette());
    let place = screen.model.hand().iter().position(|held| *held == card)?;
    if !screen.model.is_playable(card) || screen.model.hand().len() == 1 {
        return None;
    }
    screen.look_at(place);
    Some(prompt::question(&screen).to_string().contains("bluff"))
}

#[test]
fn the_warning_of_a_bluff_is_the_engines_in_every_edition() {
    for edition in Edition::ALL {
        let (mut bluffs, mut honest) = (0, 0);
        for seed in 0..60 {
            let mut game = Match::new(Rules::of(edition), 3, seed).unwrap();
            let mut chance = Seeded::new(seed);
            for _ in 0..60 {
                let Some(seat) = game.round().phase().seat().filter(|_| !game.round().is_over()) else { break };
                if let Some(warned) = warns(&game, seat) {
                    let bluff = game.round().would_bluff(game.rules(), seat);
                    assert_eq!(warned, bluff, "{edition}, seed {seed}: {}", shown(&screen(&game, seat)));
                    if bluff { bluffs += 1 } else { honest += 1 }
                }
                let (seat, action) = Casual.choose(game.round(), game.rules(), &mut chance);
                game.apply(seat, &action, &mut ()).unwrap();
            }
        }
        assert!(bluffs > 5 && honest > 5, "{edition}: {bluffs} bluffs, {honest} honest ones");
    }
}

/// The screen of the host of a table in the lobby.
fn lobby(settings: Settings) -> Screen {
    let (now, me, mut dice) = (Moment(0), GuestId(1), SeededDice::new(1));
    let (mut table, _) = Table::open("x", me, settings, now, &mut dice).unwrap();
    table.handle(Input::Arrived(Newcomer::named(me, "Ann")), now, &mut dice);
    let request = Request::AddBot { level: Level::Easy };
    table.handle(Input::Asked { guest: me, id: 0, request }, now, &mut dice);
    let mut screen = Screen::new(PRETTY, Whereabouts::default());
    for message in table.greet(me, None, now) {
        screen.take(&Event::Message(Box::new(message)));
    }
    screen
}

#[test]
fn looking_on_is_offered_where_the_table_allows_it() {
    for spectators in [true, false] {
        let screen = lobby(Settings { spectators, ..Settings::default() });
        let keys = prompt::keys(&screen);
        assert_eq!(keys.iter().any(|key| key.key == "s"), spectators, "{keys:?}");
        assert_eq!(shown(&screen).contains("s  watch"), spectators);
        assert!(keys.iter().any(|key| key.key == "-") && keys.iter().any(|key| key.key == "e"), "{keys:?}");
    }
}
