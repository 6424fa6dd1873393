//! The review agrees with positions that were judged by hand: `positions/README.md` says how to add one.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use unum_bots::{Bot, Budget, Expert};
use unum_review::decision::{Decision, Scene, Valued};
use unum_review::value::{depth, gaps};
use unum_review::{Spot, cost_of_catch, explain};
use unum_rules::wire::{ActionForm, PhaseForm};
use unum_rules::{
    Action, Card, CardName, ColorName, Edition, Event, Match, Position, Rules, RulesSpec, Seat, Seeded, Sight, Viewer,
};

/// Worlds at a time, and at most.
const WORLDS: u32 = 800;
const MOST_WORLDS: u32 = 8_000;
/// How many standard errors another action may seem better than the best.
const REACH: f64 = 3.0;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Judged {
    about: String,
    why: String,
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    rules: Option<RulesSpec>,
    hand: Vec<CardName>,
    others: Vec<Other>,
    top: CardName,
    #[serde(default)]
    color: Option<ColorName>,
    #[serde(default)]
    discards: Vec<CardName>,
    #[serde(default)]
    turn: Seat,
    #[serde(default)]
    drawn: Option<CardName>,
    #[serde(default)]
    liable: Vec<Seat>,
    #[serde(default)]
    before: Vec<Before>,
    best: Vec<ActionForm>,
    worse: ActionForm,
    how: How,
    reason: Vec<String>,
    #[serde(default)]
    differs: Option<String>,
}

/// How much better the best is, as far as a person can tell.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum How {
    Slightly,
    Clearly,
    Decisively,
}

impl How {
    /// In points, at least.
    fn points(self) -> f64 {
        match self {
            How::Slightly => 0.0,
            How::Clearly => 2.0,
            How::Decisively => 8.0,
        }
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Other {
    Some(usize),
    These(Vec<CardName>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Before {
    seat: Seat,
    action: ActionForm,
}

/// A position, and how seat 0 reached it.
struct Come {
    game: Match,
    expert: Expert,
}

impl Judged {
    fn rules(&self) -> Rules {
        let spec = self.rules.clone().unwrap_or_else(|| RulesSpec::of(Edition::Original));
        Rules::new(spec).unwrap_or_else(|error| panic!("{}: {error}", self.about))
    }

    fn action(&self, form: &ActionForm) -> Action {
        form.action(self.rules().palette()).unwrap_or_else(|error| panic!("{}: {error}", self.about))
    }

    /// The position, with all unnamed cards in the draw pile.
    fn position(&self, rules: &Rules) -> Position {
        let palette = rules.palette();
        let mut left: Vec<Card> = rules.deck().cards().to_vec();
        let mut take = |name: &CardName| {
            let place = left.iter().position(|card| *card == name.kind());
            left.swap_remove(place.unwrap_or_else(|| panic!("{}: too many of {name}", self.about)));
        };
        self.hand.iter().chain(&self.discards).chain([&self.top]).for_each(&mut take);
        for other in &self.others {
            if let Other::These(cards) = other {
                cards.iter().for_each(&mut take);
            }
        }
        // Any fixed order will do: the cards are hidden.
        left.sort_by_key(|card| card.index() * 37 % 64);
        let mut hands = vec![self.hand.clone()];
        for other in &self.others {
            hands.push(match other {
                Other::These(cards) => cards.clone(),
                Other::Some(count) => {
                    left.split_off(left.len() - count).into_iter().map(|card| card.name(palette)).collect()
                }
            });
        }
        let players = hands.len() as Seat;
        let phase = match &self.drawn {
            Some(drawn) => PhaseForm::Drawn { seat: 0, cards: Some(vec![*drawn]) },
            None if self.top.kind().is_wild() && self.color.is_none() => PhaseForm::CallColor { seat: 0, next: None },
            None => PhaseForm::Turn { seat: self.turn },
        };
        let mut discard_pile = self.discards.clone();
        discard_pile.push(self.top);
        Position {
            dealer: players - 1,
            phase: Some(phase),
            color: self.color,
            hands,
            draw_pile: left.into_iter().map(|card| card.name(palette)).collect(),
            discard_pile: Some(discard_pile),
            liable: self.liable.clone(),
            ..Position::default()
        }
    }

    /// Plays the moves that lead to the decision, with seat 0 watching.
    fn come_to_it(&self) -> Come {
        let rules = self.rules();
        let position = self.position(&rules);
        let game = position.into_match(rules, Seeded::new(1));
        let mut game: Match = game.unwrap_or_else(|error| panic!("{}: {error}", self.about));
        let mut expert = Expert::new(7, Budget::STUDY);
        expert.begin(&Sight::new(game.round(), game.rules(), 0, game.scores()));
        for Before { seat, action } in &self.before {
            let mut events: Vec<Event> = Vec::new();
            let action = self.action(action);
            game.apply(*seat, &action, &mut events).unwrap_or_else(|error| panic!("{}: {error}", self.about));
            events.iter().for_each(|event| expert.see(&event.seen_by(Viewer::Seat(0))));
        }
        Come { game, expert }
    }

    /// What is wrong with the review's judgment, if anything.
    fn check(&self, kind: &str) -> Result<(), String> {
        let Come { game, expert } = self.come_to_it();
        if kind == "uno" {
            return self.check_uno(&game);
        }
        let (rules, round) = (game.rules(), game.round());
        let scene =
            Scene { rules: Arc::new(rules.clone()), round: *round, scores: game.scores().to_vec(), expert, seat: 0 };
        let worse = self.action(&self.worse);
        // A catch is out of turn: it is listed only if it was made.
        let played = if kind == "catch" { self.action(&self.best[0]) } else { worse };
        let spot = Spot { round: 1, number: 1, seat: 0 };
        let depth = depth(&gaps(rules));
        let mut decision = Decision::new(scene, spot, &played, depth).ok_or("it is not judged at all")?;
        self.think(&mut decision, &worse);
        let valued = decision.valued();
        let told = |place: usize| {
            let one = &valued[place];
            format!(
                "{} {:.1} ±{:.1}",
                unum_review::describe(&one.action, rules.palette()),
                one.value * 100.0,
                one.error * 100.0
            )
        };
        let odds = decision.odds().map_or_else(String::new, |odds| format!("; {odds:?}"));
        let all = || (0..valued.len()).map(told).collect::<Vec<_>>().join(", ") + &odds;
        let place_of = |action: &Action| {
            let found = valued.iter().position(|one| one.action == *action);
            found.ok_or_else(|| format!("{action:?} is not among {}", all()))
        };
        let places = self.best.iter().map(|best| place_of(&self.action(best))).collect::<Result<Vec<_>, _>>()?;
        let worse = place_of(&worse)?;
        let lead = |place: usize| (valued[place].value - valued[worse].value) * 100.0;
        let least = self.how.points();
        if let Some(place) = places.iter().find(|place| lead(**place) <= least) {
            return Err(format!("{} is not ahead by {least} points: {}", told(*place), all()));
        }
        let top = places.iter().map(|place| valued[*place].value).fold(f64::MIN, f64::max);
        // A position about colors does not ask whether to play the wild at all.
        let card = |action: &Action| matches!(action, Action::Play(play) if play.card.is_wild());
        let compared = |place: &usize| kind != "color" || card(&valued[*place].action) == card(&valued[worse].action);
        let better = |place: &usize| valued[*place].value - REACH * valued[*place].error > top;
        if let Some(place) = (0..valued.len()).filter(compared).find(better) {
            return Err(format!("{} is better than the best: {}", told(place), all()));
        }
        self.check_reason(&decision, &places, worse).map_err(|why| format!("{why}: {}", all()))
    }

    /// Thinks until it is clear on which side of the bound the best are.
    fn think(&self, decision: &mut Decision, worse: &Action) {
        let best: Vec<Action> = self.best.iter().map(|best| self.action(best)).collect();
        let unsure = |decision: &Decision| {
            let valued = decision.valued();
            let Some(base) = valued.iter().find(|one| one.action == *worse) else { return false };
            let lead = |one: &Valued| one.value - base.value - self.how.points() / 100.0;
            let open = |one: &Valued| lead(one).abs() < REACH * one.error.hypot(base.error);
            valued.iter().any(|one| best.contains(&one.action) && open(one))
        };
        decision.consider(WORLDS);
        while decision.worlds() < MOST_WORLDS && unsure(decision) {
            decision.consider(WORLDS);
        }
    }

    /// The sentence names what it should, for at least one of the best actions.
    fn check_reason(&self, decision: &Decision, places: &[usize], worse: usize) -> Result<(), String> {
        let mut said = Vec::new();
        for place in places {
            let Some(reason) = decision.reason(*place, worse) else {
                said.push("nothing".to_owned());
                continue;
            };
            let name = serde_json::to_value(reason).unwrap()["type"].as_str().unwrap_or_default().to_owned();
            if self.reason.contains(&name) {
                return Ok(());
            }
            said.push(format!("{name} ({})", explain(&reason)));
        }
        Err(format!("the sentence names {} instead of {:?}", said.join(", "), self.reason))
    }

    fn check_uno(&self, game: &Match) -> Result<(), String> {
        let mut after = *game.round();
        let mut chance = Seeded::new(2);
        after.apply(game.rules(), 0, &self.action(&self.worse), &mut chance, &mut ()).map_err(|why| why.to_string())?;
        let cost = cost_of_catch(game.rules(), &after, 0) * 100.0;
        let called = self.best.iter().all(|best| self.action(best) == self.action(&self.worse).with_uno());
        match called && after.liable().contains(0) && cost >= self.how.points() {
            true => Ok(()),
            false => Err(format!("being caught costs {cost:.1} points, not {}", self.how.points())),
        }
    }
}

/// All positions with their kinds.
fn positions() -> Vec<(String, Judged)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("positions");
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut all = Vec::new();
    for file in files.into_iter().filter(|file| file.extension().is_some_and(|ending| ending == "json")) {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).unwrap();
        let list: Vec<Judged> =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        all.extend(list.into_iter().map(|judged| (judged.kind.clone().unwrap_or_else(|| name.clone()), judged)));
    }
    all
}

/// The judgments stay as they were made. Where the review differs, the position says so; only a few may.
#[test]
fn the_review_agrees_with_judgments_by_hand() {
    let all = positions();
    let (mut wrong, mut known) = (Vec::new(), 0);
    for (kind, judged) in &all {
        match (judged.check(kind), &judged.differs) {
            (Ok(()), None) => {}
            (Err(_), Some(_)) => known += 1,
            (Err(why), None) => wrong.push(format!("{kind}: {}\n    {why}", judged.about)),
            (Ok(()), Some(_)) => wrong.push(format!("{kind}: {}\n    agrees by now: take `differs` out", judged.about)),
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(10 * known <= all.len(), "the review differs from {known} of {} judgments", all.len());
}

#[test]
fn there_are_judgments_of_every_kind_and_edition() {
    let all = positions();
    assert!(all.len() >= 40, "{}", all.len());
    assert!(all.iter().all(|(_, judged)| judged.why.len() > 20), "a judgment has its reason");
    let kinds: BTreeSet<&str> = all.iter().map(|(kind, _)| kind.as_str()).collect();
    let wanted = ["block", "catch", "challenge", "color", "dare", "discard", "draw", "play", "swap", "uno"];
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), wanted);
    let editions: BTreeSet<Edition> = all.iter().map(|(_, judged)| judged.rules().edition()).collect();
    assert_eq!(editions.len(), Edition::ALL.len());
}
