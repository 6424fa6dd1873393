//! Plays the scenario files: see `scenarios/README.md` for the format.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};
use unum_rules::wire::{ActionForm, ViewForm, legal_forms};
use unum_rules::{
    Card, CardName, Chance, MAX_PLAYERS, MIN_PLAYERS, Match, NextRoundError, Position, Round, Rules, RulesSpec, Seat,
    Viewer,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    rule: String,
    scenarios: Vec<Scenario>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenario {
    name: String,
    rules: Value,
    position: Option<Value>,
    new: Option<NewMatch>,
    #[serde(default)]
    shuffles: Vec<Vec<CardName>>,
    #[serde(default)]
    picks: Vec<u32>,
    #[serde(default)]
    expect: Map<String, Value>,
    refused: Option<Codes>,
    #[serde(default)]
    steps: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewMatch {
    players: u64,
    dealer: Option<Seat>,
}

/// One code, or several where more than one is right.
#[derive(Deserialize)]
#[serde(untagged)]
enum Codes {
    One(String),
    AnyOf(Vec<String>),
}

impl Codes {
    fn allow(&self, code: &str) -> bool {
        match self {
            Codes::One(only) => only == code,
            Codes::AnyOf(codes) => codes.iter().any(|one| one == code),
        }
    }
}

impl std::fmt::Display for Codes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Codes::One(only) => f.write_str(only),
            Codes::AnyOf(codes) => f.write_str(&codes.join(" or ")),
        }
    }
}

/// All fields of all kinds of step.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    seat: Option<Seat>,
    action: Option<Value>,
    penalize: Option<Seat>,
    next_round: Option<bool>,
    /// `Some(None)` is a spectator.
    #[serde(default, deserialize_with = "explicit_null")]
    view: Option<Option<Seat>>,
    legal: Option<Seat>,
    is: Option<Vec<Value>>,
    #[serde(default)]
    expect: Map<String, Value>,
    refused: Option<Codes>,
}

fn explicit_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<Seat>>, D::Error> {
    Option::<Seat>::deserialize(deserializer).map(Some)
}

/// What a scenario says about chance. Shared, because the match owns its source of chance.
#[derive(Clone)]
struct Script(Rc<RefCell<Lines>>);

struct Lines {
    shuffles: Vec<Vec<Card>>,
    picks: Vec<u32>,
    problem: Option<String>,
}

impl Script {
    fn new(scenario: &Scenario, rules: &Rules) -> Result<Script, String> {
        let known = |name: &CardName| name.card(rules.palette()).ok_or(format!("shuffles: no {name} in this deck"));
        let list = |names: &Vec<CardName>| names.iter().map(known).collect::<Result<Vec<Card>, String>>();
        let mut shuffles = scenario.shuffles.iter().map(list).collect::<Result<Vec<_>, _>>()?;
        let mut picks = scenario.picks.clone();
        shuffles.reverse();
        picks.reverse();
        Ok(Script(Rc::new(RefCell::new(Lines { shuffles, picks, problem: None }))))
    }

    /// Complains about shuffles that could not be made.
    fn check(&self) -> Result<(), String> {
        self.0.borrow().problem.clone().map_or(Ok(()), Err)
    }

    /// Complains about lines nobody asked for: then the scenario does not test what it says.
    fn check_used_up(&self) -> Result<(), String> {
        let lines = self.0.borrow();
        let left = (lines.shuffles.len(), lines.picks.len());
        if left == (0, 0) { Ok(()) } else { Err(format!("{} shuffles and {} picks were not used", left.0, left.1)) }
    }
}

impl Chance for Script {
    fn below(&mut self, bound: u32) -> u32 {
        self.0.borrow_mut().picks.pop().unwrap_or(0).min(bound - 1)
    }

    fn shuffle(&mut self, cards: &mut [Card]) {
        let mut lines = self.0.borrow_mut();
        let wanted = lines.shuffles.pop().unwrap_or_default();
        for (place, card) in wanted.iter().enumerate() {
            let rest = cards.len().saturating_sub(place);
            match cards[..rest].iter().position(|other| other == card) {
                Some(found) => cards.swap(found, rest - 1),
                None => lines.problem = Some(format!("a shuffle lists {card:?}, which is not among its cards")),
            }
        }
    }
}

type Game = Match<Script>;

/// A refusal by code, or anything else that keeps a scenario from going on.
enum Stop {
    Refused(String),
    Failed(String),
}

impl Stop {
    fn refused(code: impl ToString) -> Stop {
        Stop::Refused(code.to_string())
    }
}

impl From<String> for Stop {
    fn from(problem: String) -> Stop {
        Stop::Failed(problem)
    }
}

/// Plays every scenario of a file; panics with all that went wrong.
pub(crate) fn run(rule: &str) {
    let path = folder().join(format!("{rule}.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file: File = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{rule}.json: {error}"));
    assert_eq!(file.rule, rule, "{rule}.json names another rule");
    assert!(!file.scenarios.is_empty(), "{rule}.json has no scenarios");
    let failures: Vec<String> = file.scenarios.iter().filter_map(|scenario| play(scenario).err()).collect();
    assert!(failures.is_empty(), "\n{rule}.json\n{}\n", failures.join("\n"));
}

/// The ids that have a file.
pub(crate) fn files() -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder()).expect("the folder of scenarios can be read");
    let names = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a plain name"));
    names.filter_map(|name| name.strip_suffix(".json").map(str::to_owned)).collect()
}

/// The names of all scenarios, file by file.
pub(crate) fn names() -> Vec<String> {
    let read = |rule: &String| std::fs::read_to_string(folder().join(format!("{rule}.json"))).expect("a file");
    let parse = |text: String| serde_json::from_str::<File>(&text).expect("a scenario file");
    files().iter().flat_map(|rule| parse(read(rule)).scenarios).map(|scenario| scenario.name).collect()
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("scenarios")
}

fn play(scenario: &Scenario) -> Result<(), String> {
    play_all(scenario).map_err(|problem| format!("  {:?}\n    {problem}", scenario.name))
}

fn play_all(scenario: &Scenario) -> Result<(), String> {
    let (mut game, script) = match (begin(scenario), &scenario.refused) {
        (Ok(_), Some(codes)) => return Err(format!("start: expected to be refused as {codes}, but it was accepted")),
        (Err(Stop::Refused(code)), Some(codes)) if codes.allow(&code) => return Ok(()),
        (Err(Stop::Refused(code)), Some(codes)) => return Err(format!("start: expected {codes}, refused as {code}")),
        (Err(Stop::Refused(code)), None) => return Err(format!("start: refused as {code}")),
        (Err(Stop::Failed(problem)), _) => return Err(format!("start: {problem}")),
        (Ok(begun), None) => begun,
    };
    compare(&scenario.expect, &state(&game)).map_err(|problem| format!("start: {problem}"))?;
    for (number, step) in (1..).zip(&scenario.steps) {
        take(step, &mut game).and_then(|()| script.check()).map_err(|problem| format!("step {number}: {problem}"))?;
    }
    script.check_used_up()
}

fn begin(scenario: &Scenario) -> Result<(Game, Script), Stop> {
    let spec: RulesSpec = serde_json::from_value(scenario.rules.clone()).map_err(|_| Stop::refused("bad_rules"))?;
    let rules = Rules::new(spec).map_err(|_| Stop::refused("bad_rules"))?;
    let script = Script::new(scenario, &rules)?;
    let game = match (&scenario.new, &scenario.position) {
        (Some(new), None) => start(new, rules, &script)?,
        (None, Some(position)) => resume(position, rules, &script)?,
        _ => return Err(Stop::Failed("a scenario has either `new` or a `position`".to_owned())),
    };
    script.check()?;
    Ok((game, script))
}

fn start(new: &NewMatch, rules: Rules, script: &Script) -> Result<Game, Stop> {
    let players = u8::try_from(new.players).unwrap_or(u8::MAX);
    if !(MIN_PLAYERS..=MAX_PLAYERS).contains(&players) {
        return Err(Stop::refused("bad_request"));
    }
    let dealer = new.dealer;
    if dealer.is_some_and(|dealer| dealer >= players) {
        return Err(Stop::refused("bad_seat"));
    }
    let game = Match::start(rules, players, dealer, script.clone(), &mut ());
    let game = game.map_err(|_| Stop::refused("bad_rules"))?;
    check_whole_deck(&game)?;
    Ok(game)
}

fn resume(position: &Value, rules: Rules, script: &Script) -> Result<Game, Stop> {
    let position: Position = serde_json::from_value(position.clone()).map_err(|_| Stop::refused("bad_position"))?;
    position.into_match(rules, script.clone()).map_err(|_| Stop::refused("bad_position"))
}

fn take(step: &Step, game: &mut Game) -> Result<(), String> {
    if let Some(viewer) = step.view {
        return compare(&step.expect, &view(game, viewer));
    }
    if let Some(seat) = step.legal {
        let listed = step.is.as_ref().ok_or("`legal` needs `is`")?;
        return compare_actions(listed, &legal(game, seat));
    }
    let (before, round) = (state(game), *game.round());
    match (change(step, game), &step.refused) {
        (Ok(()), Some(codes)) => return Err(format!("expected to be refused as {codes}, but it was accepted")),
        (Ok(()), None) => check_cards(step, &round, game)?,
        (Err(Stop::Refused(code)), None) => return Err(format!("refused as {code}")),
        (Err(Stop::Refused(code)), Some(codes)) if !codes.allow(&code) => {
            return Err(format!("expected to be refused as {codes}, refused as {code}"));
        }
        (Err(Stop::Refused(_)), Some(_)) => check_unchanged(&before, &round, game)?,
        (Err(Stop::Failed(problem)), _) => return Err(problem),
    }
    compare(&step.expect, &state(game))
}

/// Carries out an act, a penalty or a new deal.
fn change(step: &Step, game: &mut Game) -> Result<(), Stop> {
    match (step.seat, &step.action, step.penalize, step.next_round) {
        (Some(seat), Some(action), None, None) => act(game, seat, action),
        (None, None, Some(seat), None) => game.penalize(seat, &mut ()).map_err(|refusal| Stop::refused(refusal.code())),
        (None, None, None, Some(true)) => game
            .next_round(&mut ())
            .map_err(|error| Stop::refused(if error == NextRoundError::MatchOver { "over" } else { "wrong_phase" })),
        _ => Err(Stop::Failed("not a step".to_owned())),
    }
}

fn act(game: &mut Game, seat: Seat, action: &Value) -> Result<(), Stop> {
    let form: ActionForm = serde_json::from_value(action.clone()).map_err(|_| Stop::refused("bad_request"))?;
    let action = form.action(game.rules().palette()).map_err(|error| Stop::refused(error.code))?;
    game.apply(seat, &action, &mut ()).map_err(|refusal| Stop::refused(refusal.code()))
}

fn check_cards(step: &Step, before: &Round, game: &Game) -> Result<(), String> {
    if step.next_round.is_some() {
        return check_whole_deck(game);
    }
    if all_cards(before) == all_cards(game.round()) { Ok(()) } else { Err("cards appeared or vanished".to_owned()) }
}

fn check_whole_deck(game: &Game) -> Result<(), String> {
    let mut deck = game.rules().deck().cards().to_vec();
    deck.sort();
    if all_cards(game.round()) == deck { Ok(()) } else { Err("the deal is not a whole deck".to_owned()) }
}

fn all_cards(round: &Round) -> Vec<Card> {
    let mut cards: Vec<Card> = round.hands().iter().flat_map(|hand| hand.iter()).collect();
    cards.extend(round.draw_pile());
    cards.extend(round.discard_pile().iter());
    cards.sort();
    cards
}

fn check_unchanged(before: &Value, round: &Round, game: &Game) -> Result<(), String> {
    let same = *before == state(game) && round == game.round();
    if same { Ok(()) } else { Err("it was refused, and yet something changed".to_owned()) }
}

/// The state, and a few numbers that are handy to expect.
fn state(game: &Game) -> Value {
    let mut state = serde_json::to_value(Position::of(game)).expect("a state can be written");
    let round = game.round();
    state["hand_sizes"] = round.hands().iter().map(|hand| hand.len()).collect();
    state["draw_count"] = json!(round.draw_pile().len());
    state["discard_count"] = json!(round.discard_pile().len());
    state
}

fn view(game: &Game, viewer: Option<Seat>) -> Value {
    let view = game.view(Viewer::from(viewer));
    serde_json::to_value(ViewForm::new(&view, game.rules())).expect("a view can be written")
}

fn legal(game: &Game, seat: Seat) -> Vec<Value> {
    let seats = legal_forms(game.round(), game.rules());
    let own = seats.into_iter().find(|legal| legal.seat == seat);
    let actions = own.map_or(Vec::new(), |legal| legal.actions);
    actions.iter().map(|action| serde_json::to_value(action).expect("an action can be written")).collect()
}

fn compare(expect: &Map<String, Value>, actual: &Value) -> Result<(), String> {
    let differences: Vec<String> =
        expect.iter().filter_map(|(field, value)| difference(field, value, actual)).collect();
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n    ")) }
}

fn difference(field: &str, expected: &Value, actual: &Value) -> Option<String> {
    let found = actual.get(field);
    let equal = if expected == "absent" { found.is_none() } else { found == Some(expected) };
    let shown = found.map_or("nothing".to_owned(), Value::to_string);
    (!equal).then(|| format!("expected {field} {expected}\n      actual {field} {shown}"))
}

fn compare_actions(expected: &[Value], actual: &[Value]) -> Result<(), String> {
    let (expected, actual) = (sorted(expected), sorted(actual));
    let only_in = |some: &[String], others: &[String]| {
        some.iter().filter(|action| !others.contains(action)).cloned().collect::<Vec<String>>().join(" ")
    };
    if expected == actual {
        return Ok(());
    }
    let (missing, extra) = (only_in(&expected, &actual), only_in(&actual, &expected));
    Err(format!("expected but not listed: [{missing}]\n    listed but not expected: [{extra}]"))
}

/// Actions as text, in an order that does not matter any more.
fn sorted(actions: &[Value]) -> Vec<String> {
    let mut texts: Vec<String> = actions.iter().map(|action| with_sorted_cards(action).to_string()).collect();
    texts.sort();
    texts
}

fn with_sorted_cards(action: &Value) -> Value {
    let mut action = action.clone();
    for field in ["cards", "discard"] {
        if let Some(cards) = action.get_mut(field).and_then(Value::as_array_mut) {
            cards.sort_by_key(Value::to_string);
        }
    }
    action
}
