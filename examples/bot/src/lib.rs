//! A bot in Rust, to copy from and to improve.
//!
//! A bot is a program that reads questions and writes answers, one JSON object a line: docs/bots-protocol.md. The messages are
//! types of `unum-protocol`; cards, actions, views and events are those of `unum-rules`, which also knows what a card costs.
//!
//! The [`Watcher`] gets rid of expensive cards, keeps its wilds, and remembers one thing: which color somebody could not follow.

#![forbid(unsafe_code)]

use unum_protocol::pipe::Message;
use unum_rules::wire::{ActionForm, ChoiceForm, EventForm, ViewForm};
use unum_rules::{CardName, Color, ColorName, Direction, DrawReason, Face, Rules, SEATS, Seat};

/// Better than anything one could do with a card.
const GOES_OUT: i32 = 10_000;
/// Costs nothing, and is over if somebody else is faster.
const AT_ONCE: i32 = 20_000;

/// A bot that watches which colors the others cannot follow.
#[derive(Debug, Default)]
pub struct Watcher {
    round: Option<Watched>,
}

impl Watcher {
    /// Takes a message in. `None` if it is no question; `Some(None)` lets something out of turn be.
    pub fn hear(&mut self, message: &Message) -> Option<Option<ActionForm>> {
        match message {
            Message::Hello { .. } => None,
            Message::Round { rules, .. } => {
                self.round = Rules::new(rules.clone()).ok().map(Watched::new);
                None
            }
            Message::Events { events } => {
                let round = self.round.as_mut()?;
                events.iter().for_each(|event| round.see(event));
                None
            }
            Message::Act { seat, view, legal } => Some(self.choose(*seat, view, legal)),
            Message::React { seat, view, legal } => Some(self.choose(*seat, view, legal)),
        }
    }

    /// The best action.
    fn choose(&mut self, seat: Seat, view: &ViewForm, legal: &[ChoiceForm]) -> Option<ActionForm> {
        let hand = view.hand.as_deref().unwrap_or_default();
        let Some(round) = &mut self.round else {
            // Rules it cannot read: anything legal will do.
            return legal.first().map(|choice| choice.first_action(hand));
        };
        round.color = view.color.and_then(|color| color.color(round.rules.palette()));
        let rater = Rater { round, view, hand, next: next_seat(seat, view) };
        let actions = legal.iter().map(|choice| rater.spell_out(choice));
        actions.max_by_key(|action| rater.rate(action)).map(|action| rater.call_uno(action))
    }
}

/// What is known of a round beyond what can be seen now.
#[derive(Debug)]
struct Watched {
    rules: Rules,
    /// The color in force, where it is known.
    color: Option<Color>,
    /// By seat: the color it could not follow and has had no chance to draw since.
    lacks: [Option<Color>; SEATS],
}

impl Watched {
    fn new(rules: Rules) -> Watched {
        Watched { rules, color: None, lacks: [None; SEATS] }
    }

    fn see(&mut self, event: &EventForm) {
        let palette = self.rules.palette();
        let known = |color: ColorName| color.color(palette);
        match event {
            EventForm::Played { card, color, .. } => {
                // A wild that names no color leaves it open until somebody calls one.
                self.color = color.or(card.color()).and_then(known);
            }
            EventForm::Blocked { color, .. } | EventForm::ColorCalled { color, .. } => self.color = known(*color),
            // Who draws instead of playing could not follow. What was drawn may fit anything else.
            EventForm::Drew { seat, reason: DrawReason::Turn, .. } => self.note(*seat, self.color),
            EventForm::Drew { seat, .. } | EventForm::Received { seat, .. } => self.note(*seat, None),
            _ => {}
        }
    }

    fn note(&mut self, seat: Seat, lacks: Option<Color>) {
        if let Some(place) = self.lacks.get_mut(usize::from(seat)) {
            *place = lacks;
        }
    }
}

/// The seat whose turn comes next.
fn next_seat(seat: Seat, view: &ViewForm) -> Seat {
    let players = view.players.max(1);
    let steps = if view.direction == Direction::Left { 1 } else { players - 1 };
    (seat % players + steps) % players
}

/// Compares what can be done now.
struct Rater<'a> {
    round: &'a Watched,
    view: &'a ViewForm,
    hand: &'a [CardName],
    next: Seat,
}

impl Rater<'_> {
    /// How good an action is. Drawing, keeping and taking are 0.
    fn rate(&self, action: &ActionForm) -> i32 {
        match action {
            ActionForm::Play { card, color, discard, swap_with, .. } => {
                let rest = without(self.hand, std::iter::once(card).chain(discard));
                if rest.is_empty() {
                    return GOES_OUT;
                }
                let swap = swap_with.map_or(0, |other| 10 * (rest.len() as i32 - self.hand_size(other)));
                self.rate_card(*card) + self.rate_color(&rest, color.or(card.color())) + 2 * discard.len() as i32 + swap
            }
            ActionForm::CallColor { color } | ActionForm::Block { color, .. } => 1 + self.rate_color(self.hand, *color),
            ActionForm::Discard { cards, .. } => cards.iter().map(|card| self.points(*card)).sum(),
            ActionForm::CallUno {} | ActionForm::Catch { .. } => AT_ONCE,
            // A bluff is seldom worth the risk.
            ActionForm::Challenge {} => -1,
            // Refusing has a price. Votes are as good as each other.
            ActionForm::Dare { accept } => i32::from(*accept),
            ActionForm::Draw {} | ActionForm::Keep {} | ActionForm::Take {} | ActionForm::Vote { .. } => 0,
        }
    }

    /// How glad it is to be rid of a card: wilds are for later.
    fn rate_card(&self, card: CardName) -> i32 {
        let kind = card.card(self.round.rules.palette());
        let hits = kind.is_some_and(|kind| kind.attack() > 0 || matches!(kind.face(), Face::Skip | Face::Reverse));
        let urgent = if hits && self.hand_size(self.next) <= 2 { 60 } else { 0 };
        let rid = match card.color() {
            Some(_) => 50 + self.points(card),
            None if kind.is_some_and(|kind| kind.attack() > 0) => 1,
            None => 5,
        };
        rid + urgent
    }

    /// How good a color is to go on with: how many cards of it are left, and whether the next player is known to lack it.
    fn rate_color(&self, rest: &[CardName], color: Option<ColorName>) -> i32 {
        let Some(name) = color else { return 0 };
        let left = rest.iter().filter(|card| card.color() == Some(name)).count() as i32;
        let lacked = self.round.lacks.get(usize::from(self.next)).copied().flatten();
        let stuck = lacked.is_some() && lacked == name.color(self.round.rules.palette());
        3 * left + if stuck { 10 } else { 0 }
    }

    fn points(&self, card: CardName) -> i32 {
        card.card(self.round.rules.palette()).map_or(0, |card| self.round.rules.points(card) as i32)
    }

    fn hand_size(&self, seat: Seat) -> i32 {
        self.view.hand_sizes.get(usize::from(seat)).copied().map_or(0, i32::from)
    }

    /// A discard with too many choices to list becomes that of the most expensive cards.
    fn spell_out(&self, choice: &ChoiceForm) -> ActionForm {
        let mut dear = self.hand.to_vec();
        dear.sort_by_key(|card| -self.points(*card));
        choice.first_action(&dear)
    }

    /// Calls "UNO" with an action that leaves one card.
    fn call_uno(&self, mut action: ActionForm) -> ActionForm {
        let held = self.hand.len();
        match &mut action {
            ActionForm::Play { discard, uno, .. } => *uno = held == discard.len() + 2,
            ActionForm::Block { uno, .. } => *uno = held == 2,
            ActionForm::Discard { cards, uno } => *uno = held == cards.len() + 1,
            _ => {}
        }
        action
    }
}

/// A hand without some of its cards.
fn without<'a>(hand: &[CardName], gone: impl Iterator<Item = &'a CardName>) -> Vec<CardName> {
    let mut rest = hand.to_vec();
    for card in gone {
        if let Some(place) = rest.iter().position(|held| held == card) {
            rest.swap_remove(place);
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> Message {
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    /// Seat 0 of two, asked what to do about a wild, with or without having seen that the other could not follow blue.
    fn color_called(told: &[&str]) -> ColorName {
        let mut bot = Watcher::default();
        assert_eq!(bot.hear(&message(r#"{"type":"hello","protocol":1}"#)), None);
        let round = r#"{"type":"round","seat":0,"players":2,"rules":{"edition":"original"}}"#;
        assert_eq!(bot.hear(&message(round)), None);
        for events in told {
            assert_eq!(bot.hear(&message(&format!(r#"{{"type":"events","events":[{events}]}}"#))), None);
        }
        let question = r#"{"type":"act","seat":0,"view":{"players":2,"dealer":1,"direction":"left",
            "phase":{"type":"turn","seat":0},"top":"Y9","color":"yellow","hand_sizes":[4,3],"hand":["G1","G2","B1","W"],
            "shown":{},"draw_count":90,"discard_pile":["Y9"],"liable":[],"idle":0,"draw_more":[],"face_up":[],
            "banners":[],"scores":[0,0],"result":null,"winners":null},
            "legal":[{"type":"play","card":"W","color":"green"},{"type":"play","card":"W","color":"blue"},{"type":"draw"}]}"#;
        match bot.hear(&message(question)) {
            Some(Some(ActionForm::Play { color: Some(color), uno: false, .. })) => color,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn it_calls_what_the_next_player_could_not_follow() {
        let [blue, drew, caught] = [
            r#"{"type":"played","seat":0,"card":"B5"}"#,
            r#"{"type":"drew","seat":1,"reason":"turn","count":1}"#,
            r#"{"type":"drew","seat":1,"reason":"caught","count":2}"#,
        ];
        assert_eq!(color_called(&[]).as_str(), "green", "it holds most of it");
        assert_eq!(color_called(&[blue, drew]).as_str(), "blue");
        assert_eq!(color_called(&[blue, drew, caught]).as_str(), "green", "new cards may be blue");
    }
}
