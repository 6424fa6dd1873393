//! How people look is told to everybody at the table.

use unum_protocol::{Happened, Look, LookId, ServerMsg};
use unum_rules::Edition;
use unum_table::Fact;

use crate::people::{ADA, BEA, Script, lobby_of, settings};

fn look(avatar: &str) -> Look {
    Look { avatar: LookId::parse(avatar).unwrap(), back: LookId::default() }
}

#[test]
fn a_look_is_seen_by_everybody_and_survives_a_restart() {
    let mut trial = lobby_of(&[ADA], settings(Edition::Original));
    trial.look = look("fox");
    trial.arrive(BEA, "Bea", None);
    let seen = trial.lobby(ADA);
    assert_eq!((seen.chairs[0].look, seen.chairs[1].look), (Look::default(), look("fox")));
    assert_eq!(seen.people[1].look, look("fox"));
    trial.table = trial.restored(false).unwrap();
    trial.arrive(ADA, "Ada", None);
    assert_eq!(trial.lobby(ADA).chairs[1].look, look("fox"));
}

#[test]
fn who_comes_back_with_another_look_is_seen_with_it() {
    let mut trial = lobby_of(&[ADA, BEA], settings(Edition::Original));
    let facts = trial.facts().len();
    trial.gone(BEA);
    trial.arrive(BEA, "Bea", None);
    assert_eq!(trial.facts().len(), facts, "the same look is no news");
    trial.gone(BEA);
    trial.look = look("owl");
    trial.arrive(BEA, "Bea", None);
    assert_eq!(trial.facts().last(), Some(&Fact::Dressed { person: 2, look: look("owl") }));
    let told = trial.inboxes[&ADA].iter().filter_map(|message| match message {
        ServerMsg::Update { what: Happened::Dressed { person }, lobby, .. } => Some((*person, lobby.is_some())),
        _ => None,
    });
    assert_eq!(told.collect::<Vec<_>>(), [(2, true)]);
    assert_eq!(trial.lobby(ADA).chairs[1].look, look("owl"));
}

#[test]
fn journals_of_before_there_were_looks_are_read() {
    let text = r#"{"type":"joined","person":1,"guest":5,"name":"Ada"}"#;
    let fact: Fact = serde_json::from_str(text).unwrap();
    assert!(matches!(&fact, Fact::Joined { look, .. } if look.is_none()));
    assert_eq!(serde_json::to_string(&fact).unwrap(), text);
}
