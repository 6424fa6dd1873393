//! docs/protocol.md says what the types say: every type of message is in it, and every example can be read.

use std::path::Path;

use unum_protocol::{ClientMsg, Code, ServerMsg, is_table_code};

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
    for declaration in
        ["Request", "ServerMsg", "Happened", "Stage", "Away", "Actor", "Reaction", "Pace", "Level", "SettingId"]
    {
        let names = alternatives(&types, declaration);
        assert!(names.len() > 2, "{declaration}: {names:?}");
        for name in names {
            assert!(document.contains(&format!("`{name}`")), "{declaration} {name} is not in docs/protocol.md");
        }
    }
}

#[test]
fn every_code_is_documented() {
    let document = read("docs/protocol.md");
    for code in Code::all() {
        assert!(document.contains(&format!("`{code}`")), "{code} is not in docs/protocol.md");
    }
}

#[test]
fn codes_of_tables_look_like_real_ones() {
    let document = read("docs/protocol.md");
    let codes: Vec<&str> = document.split("\"table\":\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(codes.len() > 3 && codes.iter().all(|code| is_table_code(code)), "{codes:?}");
}

#[test]
fn hands_that_are_shown_can_be_read() {
    let document = read("docs/protocol.md");
    let example =
        document.lines().filter_map(|line| line.strip_prefix("← ")).find(|line| line.contains("\"shown\":{}"));
    let text = example.expect("an example with a view").replace("\"shown\":{}", "\"shown\":{\"1\":[\"R7\"]}");
    let message: ServerMsg = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&message).unwrap(), text);
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
            let message: ServerMsg = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
            assert_eq!(
                serde_json::to_value(&message).unwrap(),
                serde_json::from_str::<serde_json::Value>(text).unwrap()
            );
            received += 1;
        }
    }
    assert!(sent > 20 && received > 8, "{sent} {received}");
}
