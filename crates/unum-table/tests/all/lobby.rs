//! Coming, going, chairs, agreements.

use unum_bots::Level;
use unum_rules::Edition;
use unum_table::wire::{Request, ServerMsg, Stage};

use crate::people::{ADA, BEA, CY, Script, first_choice, instant, lobby_of, match_of, settings};

#[test]
fn whoever_comes_first_is_host_and_sits() {
    let trial = lobby_of(&[ADA, BEA], settings(Edition::Original));
    let lobby = trial.lobby(BEA);
    assert_eq!(lobby.host, Some(1));
    assert_eq!(lobby.chairs.iter().map(|chair| chair.person).collect::<Vec<_>>(), [Some(1), Some(2)]);
    assert_eq!(lobby.chairs.iter().map(|chair| chair.accepted).collect::<Vec<_>>(), [true, false]);
    assert!(matches!(trial.inboxes[&BEA][..], [ServerMsg::Welcome { you: 2, .. }, ServerMsg::Snapshot { .. }]));
}

#[test]
fn a_match_with_bots_is_played_to_its_end() {
    let mut trial = match_of(&[ADA, BEA], 2, instant(Edition::Original));
    for _ in 0..100_000 {
        trial.wait(0);
        match trial.stage() {
            Stage::Playing => {
                let guest = trial.up()[0];
                let action = first_choice(&trial.game(guest));
                trial.must(guest, Request::Act { action, at: None });
            }
            Stage::Scores => {
                for guest in [ADA, BEA] {
                    trial.must(guest, Request::Ready { ready: true, entropy: None });
                }
            }
            _ => break,
        }
    }
    assert_eq!(trial.stage(), Stage::Over);
    assert_eq!(trial.table.matches(), 1);
    let _ = (CY, Level::Hard);
}
