//! docs/protocol.md says what the types say: every type of message is in it, and every example can be read.

use std::path::Path;

use unum_client::{Kind, Message};
use unum_table::wire::ClientMsg;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names a declaration in the TypeScript types lists: those of its alternatives.
fn alternatives(types: &str, declaration: &str) -> Vec<String> {
    let from = types.split_once(&format!("export type {declaration} =")).expect("a declaration of that name").1;
    let text = from.split_once(";\n").expect("an end").0;
    let tags = text.split("\"type\": \"").skip(1).filter_map(|rest| rest.split('"').next());
    let words = text.split('"').skip(1).step_by(2).filter(|_| !text.contains('{'));
    tags.chain(words).map(str::to_owned).collect()
}

#[test]
fn every_type_of_message_is_documented() {
    let (types, document) = (read("web/src/protocol.ts"), read("docs/protocol.md"));
    for declaration in ["Request", "ServerMsg", "Happened", "Stage", "Away", "Hand", "Reaction", "Pace", "Level"] {
        let names = alternatives(&types, declaration);
        assert!(names.len() > 2, "{declaration}: {names:?}");
        for name in names {
            assert!(document.contains(&format!("`{name}`")), "{declaration} {name} is not in docs/protocol.md");
        }
    }
}

#[test]
fn every_example_can_be_read() {
    let document = read("docs/protocol.md");
    let (mut sent, mut received) = (0, 0);
    for line in document.lines() {
        if let Some(text) = line.strip_prefix("→ ") {
            ClientMsg::parse(text).unwrap_or_else(|trouble| panic!("{trouble}: {text}"));
            sent += 1;
        } else if let Some(text) = line.strip_prefix("← ") {
            let message = Message::parse(text.to_owned()).unwrap();
            assert_ne!(message.kind(), Kind::Unknown, "{text}");
            message.lobby().and_then(|_| message.game()).and_then(|_| message.events()).unwrap();
            message.chat().and_then(|_| message.people()).unwrap();
            received += 1;
        }
    }
    assert!(sent > 20 && received > 8, "{sent} {received}");
}
