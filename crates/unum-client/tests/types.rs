//! The TypeScript types of the page are made from the Rust types: `cargo xtask types` writes them, this test checks them.

use std::collections::BTreeSet;
use std::path::Path;

use ts_rs::{Config, TS};
use unum_bots::Level;
use unum_rules::fair::{Commitment, Entropy, FairDeal, Secret};
use unum_rules::{self as rules, wire as vocabulary};
use unum_table::wire;

/// What the file begins with: what no Rust type says.
const HEADER: &str = r#"// Everything that travels between a client and a table (docs/protocol.md).
// Made from the Rust types by `cargo xtask types`: do not edit.

"#;

const CLIENT_MSG: &str = r#"/** What a client sends. */
export type ClientMsg = ({ id: number } & Request) | ({ type: "hello" } & Hello) | { type: "ping" };
"#;

/// A declaration, and what it refers to.
struct Declared {
    name: String,
    text: String,
    needs: Vec<String>,
}

fn declared<T: TS + 'static>(config: &Config) -> Declared {
    let docs = T::docs().unwrap_or_default();
    let text = format!("{docs}export {}\n", T::decl(config));
    let needs = T::dependencies(config).into_iter().map(|needed| needed.ts_name).collect();
    Declared { name: T::ident(config), text: laid_out(&text), needs }
}

macro_rules! all_of {
    ($config:expr, $($kind:ty),* $(,)?) => { vec![$(declared::<$kind>($config)),*] };
}

fn all(config: &Config) -> Vec<Declared> {
    all_of![
        config,
        wire::Hello,
        wire::Request,
        wire::ServerMsg,
        wire::Happened,
        wire::LobbyView,
        wire::Settings,
        wire::Pace,
        wire::Stage,
        wire::ChairView,
        wire::PersonView,
        wire::AccusationView,
        wire::GameView,
        wire::ClockView,
        wire::FairView,
        wire::ChatLine,
        wire::Reaction,
        wire::Hand,
        wire::Away,
        vocabulary::ActionForm,
        vocabulary::ChoiceForm,
        vocabulary::ViewForm,
        vocabulary::PhaseForm,
        vocabulary::EventForm,
        vocabulary::DrawMoreForm,
        vocabulary::FaceUpForm,
        vocabulary::BannerForm,
        vocabulary::ResultForm,
        rules::DrawReason,
        rules::Turned,
        rules::Direction,
        rules::CardName,
        rules::ColorName,
        rules::Edition,
        rules::RulesSpec,
        rules::Scoring,
        rules::House,
        rules::Stacking,
        rules::CustomCard,
        rules::CustomRule,
        rules::Effect,
        rules::Who,
        rules::NextPlayer,
        rules::UntilColor,
        rules::Matching,
        rules::Until,
        FairDeal,
        Secret,
        Commitment,
        Entropy,
    ]
}

fn levels() -> String {
    let names = Level::ALL.map(|level| format!("{:?}", level.id()));
    format!("/** How well a bot plays. */\nexport type Level = {};\n", names.join(" | "))
}

/// One line per alternative and per field, short comments on one line, fields indented.
fn laid_out(text: &str) -> String {
    let mut text = text.replace("/**\n * ", "/** ").replace("\n */", " */").replace(",  }", " }").replace(", }", " }");
    for tag in ["{ \"type\"", "{ \"do\""] {
        text = text
            .replace(&format!(" = {tag}"), &format!(" =\n  | {tag}"))
            .replace(&format!(" | {tag}"), &format!("\n  | {tag}"));
    }
    let mut inside = false;
    let mut laid_out = String::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let indent = if line.starts_with("| ") {
            "  "
        } else if inside {
            "    "
        } else {
            ""
        };
        inside |= line.starts_with("export");
        laid_out.extend([indent, line, "\n"]);
    }
    laid_out
}

fn types() -> String {
    let config = Config::new().with_large_int("number");
    let all = all(&config);
    let names: BTreeSet<&str> = all.iter().map(|declared| declared.name.as_str()).collect();
    for declared in &all {
        let missing: Vec<_> = declared.needs.iter().filter(|need| !names.contains(need.as_str())).collect();
        assert!(missing.is_empty(), "{} refers to {missing:?}, which this test has to list", declared.name);
    }
    let texts = all.into_iter().map(|declared| declared.text);
    let texts: Vec<String> = [CLIENT_MSG.to_owned()].into_iter().chain(texts).chain([levels()]).collect();
    format!("{HEADER}{}", texts.join("\n"))
}

#[test]
fn the_types_of_the_page_are_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/protocol.ts");
    let types = types();
    if std::env::var_os("UNUM_WRITE_TYPES").is_some() {
        std::fs::write(&path, &types).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == types, "{} is not current: run `cargo xtask types`", path.display());
}
