//! The TypeScript types of the page, and the list of what it has texts for, are made from the Rust side: `cargo xtask
//! types` writes them, these tests check them.

use std::collections::BTreeSet;
use std::path::Path;

use strum::VariantArray as _;
use ts_rs::{Config, TS};
use unum_protocol::{
    self as protocol, CODE_ALPHABET, CODE_GROUP, CODE_LENGTH, CODE_LOOKALIKES, Code, EXAMPLE_CODE, LONG_CODE_LENGTH,
    Level, MAX_MESSAGE, PresetId, ServerCode, TableCode, USUAL_PLAYERS, VERSION, local, rest, review, rulebook as book,
};
use unum_rules::fair::{Commitment, Entropy, FairDeal, Pledge, Secret};
use unum_rules::rulebook::{self, EDITIONS, SECTIONS};
use unum_rules::{self as rules, CustomRule, Effect, wire as vocabulary};

/// What the file begins with: what no Rust type says.
const HEADER: &str = r#"// Everything that travels between a client and a server (docs/protocol.md).
// Made from the Rust types by `cargo xtask types`: do not edit.

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
        protocol::ClientMsg,
        protocol::Hello,
        protocol::Empty,
        protocol::Request,
        protocol::RequestKind,
        protocol::ServerMsg,
        protocol::Refusal,
        protocol::Happened,
        protocol::Past,
        protocol::Code,
        protocol::ReportKind,
        protocol::BlockedPerson,
        rules::Code,
        protocol::TableCode,
        protocol::ServerCode,
        protocol::Terms,
        protocol::Settings,
        protocol::Pace,
        protocol::PresetId,
        protocol::Preset,
        protocol::Accusations,
        protocol::SettingId,
        protocol::SettingValue,
        protocol::Setting,
        protocol::SettingKind,
        protocol::Group,
        protocol::Unset,
        protocol::Condition,
        protocol::RulesView,
        protocol::Players,
        protocol::DeckCard,
        protocol::CardFact,
        protocol::CustomView,
        protocol::LobbyView,
        protocol::OwnView,
        protocol::KickedView,
        protocol::Stage,
        protocol::Look,
        protocol::ChairView,
        protocol::PersonView,
        protocol::AccusationView,
        protocol::FairView,
        protocol::DealingView,
        protocol::DealingStep,
        protocol::GameView,
        protocol::Standings,
        protocol::Award,
        protocol::AwardKind,
        protocol::Choice,
        protocol::HintView,
        protocol::HintReason,
        protocol::LessonView,
        protocol::LessonStep,
        protocol::ClockView,
        protocol::ChatLine,
        protocol::Reaction,
        protocol::Actor,
        protocol::Away,
        protocol::Level,
        rest::ErrorBody,
        rest::Editions,
        rest::TextBounds,
        rest::CustomBounds,
        rest::NewGuest,
        rest::GuestChange,
        rest::Guest,
        rest::SignedIn,
        rest::Continuation,
        rest::Opened,
        rest::Export,
        rest::Said,
        rest::Listing,
        rest::Entry,
        rest::Seated,
        rest::TableSummary,
        rest::Games,
        rest::OpenGame,
        rest::FinishedGame,
        rest::GameSummary,
        rest::RecordFormat,
        rest::Replay,
        rest::ReplayStep,
        local::Ask,
        local::Step,
        local::Batch,
        local::Saved,
        local::Part,
        local::Finished,
        local::SeasonEntry,
        local::Listed,
        local::Named,
        local::Text,
        local::More,
        local::Verified,
        local::DealAgain,
        local::Played,
        review::Review,
        review::RoundReview,
        review::Account,
        review::MatchAccount,
        review::LinePoint,
        review::Cause,
        review::StrokeReview,
        review::UnoReview,
        review::DecisionReview,
        review::Figure,
        review::Spot,
        review::ActionReview,
        review::SeatReview,
        review::Odds,
        review::Reason,
        review::Standing,
        review::Gap,
        review::Analysis,
        review::HandGuess,
        review::ServedReview,
        review::ReviewProgress,
        review::Season,
        review::Opponents,
        review::SeasonSize,
        review::SeasonStretch,
        review::SeasonMoment,
        review::SeasonPick,
        review::SeasonChange,
        review::Measured,
        book::RuleBook,
        book::EditionView,
        book::SectionView,
        book::RuleView,
        book::Difference,
        vocabulary::ActionForm,
        vocabulary::ChoiceForm,
        vocabulary::AnyDiscard,
        rules::Stakes,
        vocabulary::ViewForm,
        rules::Position,
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
        rules::Why,
        rules::Deed,
        rules::Obstacle,
        FairDeal,
        Secret,
        Commitment,
        Pledge,
        Entropy,
    ]
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
    let texts: Vec<String> = texts.collect();
    format!("{HEADER}{}", texts.join("\n"))
}

const IDS_HEADER: &str = r#"// What the Rust side names and people read: the page has a text for all of it in every language.
// Made from the rule book and the codes by `cargo xtask types`: do not edit.
// `english` is a fingerprint of the English text: another one means that the translations are out of date.

"#;

/// The words of a type that are written in quotation marks, of alternatives only the tag.
fn words<T: TS + 'static>() -> Vec<String> {
    let text = T::decl(&Config::new());
    let tagged = text.contains("\"type\": ");
    let marked = if tagged { text.replace("\"type\": ", "") } else { text };
    marked.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// A short number that is another one when the texts are (FNV-1a).
fn fingerprint(texts: &[&str]) -> String {
    let bytes = texts.iter().flat_map(|text| text.bytes().chain([0]));
    let hash = bytes.fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    format!("{hash:08x}")
}

/// The ids such as W2 of the rules that texts refer to.
fn referred(texts: &[&str]) -> String {
    let words = texts.iter().flat_map(|text| text.split(|c: char| !c.is_ascii_alphanumeric()));
    let lettered = words.filter(|word| word.len() == 2 && rulebook::find(word).is_some());
    format!("{:?}", lettered.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>())
}

/// The texts inside an effect that people read.
fn texts_of(effects: &[Effect]) -> Vec<&str> {
    let texts = effects.iter().flat_map(|effect| match effect {
        Effect::Perform { prompt, success, failure } => {
            [vec![prompt.as_str()], texts_of(success), texts_of(failure)].concat()
        }
        Effect::Dare { prompt, refuse, .. } => [vec![prompt.as_str()], texts_of(refuse)].concat(),
        Effect::Banner { text, .. } => vec![text.as_str()],
        _ => Vec::new(),
    });
    texts.collect()
}

fn ids() -> String {
    let rules = rulebook::rules().map(|rule| {
        let differences: Vec<&str> = rule.differences.iter().map(|(edition, _)| edition.id()).collect();
        let texts = [rule.title, rule.text].into_iter().chain(rule.rulings.iter().copied());
        let texts: Vec<&str> = texts.chain(rule.differences.iter().map(|(_, text)| *text)).collect();
        let (id, rulings, english, refers) = (rule.id, rule.rulings.len(), fingerprint(&texts), referred(&texts));
        let shape = format!("rulings: {rulings}, differences: {differences:?}, refers: {refers}");
        format!("  {id}: {{ {shape}, english: '{english}' }},\n")
    });
    let editions = EDITIONS.iter().map(|notes| {
        let texts = [notes.title, notes.summary].into_iter().chain(notes.differences.iter().copied());
        let texts: Vec<&str> = texts.chain(notes.rulings.iter().copied()).collect();
        let (id, differences, rulings) = (notes.edition.id(), notes.differences.len(), notes.rulings.len());
        let (english, refers) = (fingerprint(&texts), referred(&texts));
        let shape = format!("rulings: {rulings}, differences: {differences}, refers: {refers}");
        format!("  {id}: {{ {shape}, english: '{english}' }},\n")
    });
    let starters = CustomRule::starters().map(|rule| {
        let inside = texts_of(&rule.effects);
        let english = fingerprint(&[&[rule.title.as_str(), &rule.text], inside.as_slice()].concat());
        format!("  {{ texts: {}, english: '{english}' }},\n", inside.len())
    });
    let sections: Vec<&str> = SECTIONS.iter().map(|section| section.letter).collect();
    let english = fingerprint(&SECTIONS.iter().map(|section| section.title).collect::<Vec<_>>());
    let table: Vec<&str> = TableCode::VARIANTS.iter().map(|code| Code::from(*code).as_str()).collect();
    let server: Vec<&str> = ServerCode::VARIANTS.iter().map(|code| Code::from(*code).as_str()).collect();
    [
        IDS_HEADER.to_owned(),
        format!("/** The sections of the rule book. */\nexport const SECTIONS = {sections:?} as const;\n"),
        format!("/** The fingerprint of their titles. */\nexport const SECTIONS_ENGLISH = '{english}';\n\n"),
        "/** Every rule: how many rulings it has, which editions play it differently, and which other rules it names. */\n".to_owned(),
        format!("export const RULES = {{\n{}}} as const;\n\n", rules.collect::<String>()),
        "/** Every edition: how many points are special about it, and how many are rulings. */\n".to_owned(),
        format!("export const EDITIONS = {{\n{}}} as const;\n\n", editions.collect::<String>()),
        "/** The starters of Customizable cards: how many texts their effects have. */\n".to_owned(),
        format!("export const STARTERS = [\n{}] as const;\n\n", starters.collect::<String>()),
        format!("/** What can be wrong with an action or with rules. */\nexport const REASONS = {:?} as const;\n", words::<rules::Why>()),
        format!("/** What can come at the wrong moment. */\nexport const DEEDS = {:?} as const;\n", words::<rules::Deed>()),
        format!("/** What can stand in its way. */\nexport const OBSTACLES = {:?} as const;\n\n", words::<rules::Obstacle>()),
        format!("/** Codes of the game. */\nexport const GAME_CODES = {:?} as const;\n", words::<rules::Code>()),
        format!("/** Codes of the table. */\nexport const TABLE_CODES = {table:?} as const;\n"),
        format!("/** Codes of the server. */\nexport const SERVER_CODES = {server:?} as const;\n\n"),
        format!("/** How well bots play, weakest first. */\nexport const LEVELS = {:?} as const;\n", words::<Level>()),
        format!("/** What somebody can be reported for. */\nexport const REPORT_KINDS = {:?} as const;\n", words::<protocol::ReportKind>()),
        format!("/** What a game against bots begins with. */\nexport const USUAL = {};\n", usual()),
        format!("/** The version of the protocol. */\nexport const VERSION = {VERSION};\n"),
        format!("/** Characters of a table's code. */\nexport const CODE_LENGTH = {CODE_LENGTH};\n"),
        format!("/** How many of them are shown together. */\nexport const CODE_GROUP = {CODE_GROUP};\n"),
        format!("/** Characters of older codes. */\nexport const LONG_CODE_LENGTH = {LONG_CODE_LENGTH};\n"),
        format!("/** The letters of codes. */\nexport const CODE_ALPHABET = '{}';\n", String::from_utf8_lossy(CODE_ALPHABET)),
        format!("/** What is meant by letters that look like those. */\nexport const CODE_LOOKALIKES: Record<string, string> = {{ {} }};\n", lookalikes()),
        format!("/** What a code looks like. */\nexport const EXAMPLE_CODE = '{EXAMPLE_CODE}';\n"),
        format!("/** The longest message a client may send, in bytes. */\nexport const MAX_MESSAGE = {MAX_MESSAGE};\n"),
    ]
    .concat()
}

/// The defaults of a game against bots, as a TypeScript object has them.
fn usual() -> String {
    let preset = words::<PresetId>().swap_remove(0);
    let (edition, level) = (rules::Edition::default().id(), Level::default().id());
    format!("{{ edition: '{edition}', level: '{level}', players: {USUAL_PLAYERS}, preset: '{preset}' }} as const")
}

/// Letters that stand for others, as a TypeScript object has them.
fn lookalikes() -> String {
    let pairs = CODE_LOOKALIKES.iter().map(|(typed, code)| format!("{typed}: '{code}'"));
    pairs.collect::<Vec<_>>().join(", ")
}

fn assert_current(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src").join(name);
    if std::env::var_os("UNUM_WRITE_TYPES").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == text, "{} is not current: run `cargo xtask types`", path.display());
}

#[test]
fn the_types_of_the_page_are_current() {
    assert_current("protocol.ts", &types());
}

#[test]
fn the_list_of_what_the_page_has_texts_for_is_current() {
    assert_current("ids.ts", &ids());
}
