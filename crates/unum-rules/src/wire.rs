//! The JSON vocabulary: one form of cards, actions, phases, states, views and events for every interface.
//!
//! The forms know names ("pink", `P7`), the engine's types do not; a [`Palette`] translates. States and
//! positions are one type, [`Position`](crate::Position).

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use crate::action::{Action, Play};
use crate::card::{Card, CardList, CardName, Cards, Color, ColorName, Palette};
use crate::event::{DrawReason, Event, SeenEvent, Turned, Veiled, Viewer};
use crate::game::RoundResult;
use crate::hand::Hand;
use crate::refusal::Code;
use crate::round::{Banner, FaceUp, Phase, Round};
use crate::rules::Rules;
use crate::seat::{Direction, Seat};
use crate::view::View;

/// Something that does not fit the vocabulary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireError {
    /// The code for programs.
    pub code: Code,
    /// The sentence for people.
    pub message: String,
}

impl WireError {
    /// An error with that code and sentence.
    pub fn new(code: Code, message: impl Into<String>) -> WireError {
        WireError { code, message: message.into() }
    }
}

impl std::fmt::Display for WireError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for WireError {}

/// The names of cards, in order.
pub(crate) fn names(cards: impl IntoIterator<Item = Card>, palette: Palette) -> Vec<CardName> {
    cards.into_iter().map(|card| card.name(palette)).collect()
}

/// An [`Action`] as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum ActionForm {
    Play {
        card: CardName,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        color: Option<String>,
        #[serde(default, skip_serializing_if = "is_false")]
        uno: bool,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        discard: Vec<CardName>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        swap_with: Option<u64>,
    },
    Draw {},
    Keep {},
    CallColor {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        color: Option<String>,
    },
    Take {},
    Challenge {},
    Block {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        color: Option<String>,
        #[serde(default, skip_serializing_if = "is_false")]
        uno: bool,
    },
    CallUno {},
    Catch {
        seat: u64,
    },
    Discard {
        cards: Vec<CardName>,
        #[serde(default, skip_serializing_if = "is_false")]
        uno: bool,
    },
    Vote {
        yes: bool,
    },
    Dare {
        accept: bool,
    },
}

fn is_false(value: &bool) -> bool {
    !value
}

impl ActionForm {
    /// Writes an action with the names of a deck.
    pub fn new(action: &Action, palette: Palette) -> ActionForm {
        let color = |color: Color| color.name(palette).to_string();
        match *action {
            Action::Play(Play { card, color: called, uno, discard, swap_with }) => ActionForm::Play {
                card: card.name(palette),
                color: called.map(color),
                uno,
                discard: names(discard.iter().copied(), palette),
                swap_with: swap_with.map(u64::from),
            },
            Action::Draw => ActionForm::Draw {},
            Action::Keep => ActionForm::Keep {},
            Action::CallColor(called) => ActionForm::CallColor { color: Some(color(called)) },
            Action::Take => ActionForm::Take {},
            Action::Challenge => ActionForm::Challenge {},
            Action::Block { color: called, uno } => ActionForm::Block { color: Some(color(called)), uno },
            Action::CallUno => ActionForm::CallUno {},
            Action::Catch(seat) => ActionForm::Catch { seat: u64::from(seat) },
            Action::Discard { cards, uno } => ActionForm::Discard { cards: names(cards.iter().copied(), palette), uno },
            Action::Vote(yes) => ActionForm::Vote { yes },
            Action::Dare { accept } => ActionForm::Dare { accept },
        }
    }

    /// Reads an action with the names of a deck.
    ///
    /// # Errors
    /// When a card or color does not exist in that deck, or there are too many cards.
    pub fn action(&self, palette: Palette) -> Result<Action, WireError> {
        Ok(match self {
            ActionForm::Play { card, color, uno, discard, swap_with } => {
                let card = known_card(*card, palette)?;
                if color.is_some() && (!card.is_wild() || card == Card::SHUFFLE_HANDS) {
                    let message = format!("no color is called with {}: leave `color` out", card.name(palette));
                    return Err(WireError::new(Code::BadRequest, message));
                }
                if card != Card::OLAF && !discard.is_empty() {
                    let message = format!("{} takes no cards along: leave `discard` out", card.name(palette));
                    return Err(WireError::new(Code::BadRequest, message));
                }
                Action::Play(Play {
                    card,
                    color: color.as_deref().map(|name| known_color(name, palette)).transpose()?,
                    uno: *uno,
                    discard: card_list::<3>(discard, palette)?,
                    swap_with: swap_with.map(clamp_seat),
                })
            }
            ActionForm::Draw {} => Action::Draw,
            ActionForm::Keep {} => Action::Keep,
            ActionForm::CallColor { color } => Action::CallColor(required_color(color, palette)?),
            ActionForm::Take {} => Action::Take,
            ActionForm::Challenge {} => Action::Challenge,
            ActionForm::Block { color, uno } => Action::Block { color: required_color(color, palette)?, uno: *uno },
            ActionForm::CallUno {} => Action::CallUno,
            ActionForm::Catch { seat } => Action::Catch(clamp_seat(*seat)),
            ActionForm::Discard { cards, uno } => Action::Discard { cards: card_list(cards, palette)?, uno: *uno },
            ActionForm::Vote { yes } => Action::Vote(*yes),
            ActionForm::Dare { accept } => Action::Dare { accept: *accept },
        })
    }
}

/// A seat number as given; numbers that are no seats stay so.
pub fn clamp_seat(seat: u64) -> Seat {
    Seat::try_from(seat).unwrap_or(Seat::MAX)
}

fn known_card(name: CardName, palette: Palette) -> Result<Card, WireError> {
    name.card(palette).ok_or_else(|| {
        WireError::new(Code::NotInHand, format!("{name} is not in the hand: this deck has no such card"))
    })
}

fn known_color(name: &str, palette: Palette) -> Result<Color, WireError> {
    Color::ALL.into_iter().find(|color| color.name(palette).as_str() == name).ok_or_else(|| {
        let known: Vec<&str> = Color::ALL.iter().map(|color| color.name(palette).as_str()).collect();
        let message = format!("there is no color {:?} in this deck: it has {}", clip(name), known.join(", "));
        WireError::new(Code::NoSuchColor, message)
    })
}

fn required_color(name: &Option<String>, palette: Palette) -> Result<Color, WireError> {
    match name {
        Some(name) => known_color(name, palette),
        None => Err(WireError::new(Code::ColorRequired, "a `color` has to be called with it")),
    }
}

/// The beginning of a text that came from outside, for messages.
pub(crate) fn clip(text: &str) -> String {
    text.chars().take(40).collect()
}

fn card_list<const N: usize>(names: &[CardName], palette: Palette) -> Result<Cards<N>, WireError> {
    let mut cards = Cards::EMPTY;
    for name in names {
        if !cards.push(known_card(*name, palette)?) {
            let message = format!("at most {N} cards can be discarded at once, not {}", names.len());
            return Err(WireError::new(Code::BadDiscard, message));
        }
    }
    Ok(cards)
}

/// A [`Phase`] as JSON. In views `bluff` is left out, and `cards` of others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum PhaseForm {
    Turn {
        seat: Seat,
    },
    Drawn {
        seat: Seat,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cards: Option<Vec<CardName>>,
    },
    CallColor {
        seat: Seat,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<Seat>,
    },
    Respond {
        seat: Seat,
        by: Seat,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cards: Option<u16>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bluff: Option<bool>,
    },
    Discard {
        seat: Seat,
        count: u8,
    },
    Vote {
        seat: Seat,
        prompt: String,
        waiting: Vec<Seat>,
    },
    Dare {
        seat: Seat,
        prompt: String,
    },
    RoundOver {},
    MatchOver {},
}

impl PhaseForm {
    /// Writes a phase; `drawn` and `bluff` as far as the reader may know them.
    pub(crate) fn new(
        phase: &Phase,
        drawn: Option<&Hand>,
        bluff: Option<bool>,
        match_over: bool,
        rules: &Rules,
    ) -> Self {
        let text = |id| rules.text(id).to_owned();
        match *phase {
            Phase::Turn { seat } => PhaseForm::Turn { seat },
            Phase::Drawn { seat } => {
                PhaseForm::Drawn { seat, cards: drawn.map(|cards| names(cards.iter(), rules.palette())) }
            }
            Phase::CallColor { seat, next } => PhaseForm::CallColor { seat, next: Some(next) },
            Phase::Respond { seat, by, cards, .. } => PhaseForm::Respond { seat, by, cards: Some(cards), bluff },
            Phase::Discard { seat, count } => PhaseForm::Discard { seat, count },
            Phase::Vote { seat, prompt, waiting } => {
                PhaseForm::Vote { seat, prompt: text(prompt), waiting: waiting.iter().collect() }
            }
            Phase::Dare { seat, prompt } => PhaseForm::Dare { seat, prompt: text(prompt) },
            Phase::Over { .. } if match_over => PhaseForm::MatchOver {},
            Phase::Over { .. } => PhaseForm::RoundOver {},
        }
    }
}

/// A seat that must draw more when stuck.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct DrawMoreForm {
    pub seat: Seat,
    pub count: u8,
}

/// Writes who must draw more, by seat.
pub(crate) fn draw_more_forms(draw_more: &[u8]) -> Vec<DrawMoreForm> {
    let forms = (0..).zip(draw_more).map(|(seat, count)| DrawMoreForm { seat, count: *count });
    forms.filter(|form| form.count > 0).collect()
}

/// A hand that lies open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct FaceUpForm {
    pub seat: Seat,
    pub until: Seat,
}

impl From<FaceUp> for FaceUpForm {
    fn from(FaceUp { seat, until }: FaceUp) -> FaceUpForm {
        FaceUpForm { seat, until }
    }
}

/// A note on a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct BannerForm {
    pub seat: Seat,
    pub text: String,
    pub until: crate::custom::Until,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Seat>,
}

impl BannerForm {
    pub(crate) fn new(banner: Banner, rules: &Rules) -> BannerForm {
        use crate::custom::Until;
        BannerForm {
            seat: banner.seat,
            text: rules.text(banner.text).to_owned(),
            until: if banner.by.is_some() { Until::NextTurn } else { Until::Uno },
            by: banner.by,
        }
    }
}

/// What a round added to the scores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct ResultForm {
    pub winner: Option<Seat>,
    pub points: Vec<u32>,
}

impl ResultForm {
    pub(crate) fn new(result: &RoundResult, players: u8) -> ResultForm {
        ResultForm { winner: result.winner, points: result.points[..players as usize].to_vec() }
    }
}

/// A [`View`] as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[allow(missing_docs)]
pub struct ViewForm {
    pub players: u8,
    pub dealer: Seat,
    pub direction: Direction,
    pub phase: PhaseForm,
    pub top: CardName,
    pub color: Option<ColorName>,
    pub hand_sizes: Vec<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub hand: Option<Vec<CardName>>,
    pub shown: BTreeMap<Seat, Vec<CardName>>,
    pub draw_count: u8,
    pub discard_pile: Vec<CardName>,
    pub liable: Vec<Seat>,
    pub idle: u8,
    pub draw_more: Vec<DrawMoreForm>,
    pub face_up: Vec<FaceUpForm>,
    pub banners: Vec<BannerForm>,
    pub scores: Vec<u32>,
    pub result: Option<ResultForm>,
    pub winners: Option<Vec<Seat>>,
}

impl ViewForm {
    /// Writes a view with the names and texts of its rules.
    pub fn new(view: &View, rules: &Rules) -> ViewForm {
        let palette = rules.palette();
        let players = view.players as usize;
        let hand_names = |hand: &Hand| names(hand.iter(), palette);
        let shown = (0..).zip(&view.shown).filter_map(|(seat, hand)| Some((seat, hand_names(hand.as_ref()?))));
        ViewForm {
            players: view.players,
            dealer: view.dealer,
            direction: view.direction,
            phase: PhaseForm::new(&view.phase, view.drawn.as_ref(), None, view.winners.is_some(), rules),
            top: view.top.name(palette),
            color: view.color.map(|color| color.name(palette)),
            hand_sizes: view.hand_sizes[..players].to_vec(),
            hand: view.hand.as_ref().map(hand_names),
            shown: shown.collect(),
            draw_count: view.draw_count,
            discard_pile: names(view.discard_pile.iter().copied(), palette),
            liable: view.liable.iter().collect(),
            idle: view.idle,
            draw_more: draw_more_forms(&view.draw_more),
            face_up: view.face_up().into_iter().map(FaceUpForm::from).collect(),
            banners: view.banners().into_iter().map(|banner| BannerForm::new(banner, rules)).collect(),
            scores: view.scores[..players].to_vec(),
            result: view.result.as_ref().map(|result| ResultForm::new(result, view.players)),
            winners: view.winners.map(|winners| winners.iter().collect()),
        }
    }
}

/// Every action each seat could take, as `legal` lists them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct LegalForm {
    pub seat: Seat,
    pub actions: Vec<ChoiceForm>,
}

/// An action, or a discard with too many choices to list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum ChoiceForm {
    Action(ActionForm),
    AnyDiscard {
        #[serde(rename = "type")]
        #[cfg_attr(feature = "ts", ts(type = "\"discard\""))]
        kind: &'static str,
        count: u8,
    },
}

/// Lists what every seat could do now; seats without actions are left out.
pub fn legal_forms(round: &Round, rules: &Rules) -> Vec<LegalForm> {
    let all = (0..round.players()).map(|seat| LegalForm { seat, actions: choices(round, rules, seat) });
    all.filter(|legal| !legal.actions.is_empty()).collect()
}

/// Lists what one seat could do now.
pub(crate) fn choices(round: &Round, rules: &Rules, seat: Seat) -> Vec<ChoiceForm> {
    let mut list = Vec::new();
    if let Some((choices, count)) = round.discard_choices(seat)
        && choices > crate::round::MAX_LISTED_DISCARDS
    {
        list.push(ChoiceForm::AnyDiscard { kind: "discard", count });
    }
    round.legal(rules, seat, &mut |action| {
        list.push(ChoiceForm::Action(ActionForm::new(action, rules.palette())));
    });
    list
}

/// Cards or their number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum VeiledForm {
    Cards(Vec<CardName>),
    Count(u8),
}

impl VeiledForm {
    fn new(veiled: &Veiled, palette: Palette) -> VeiledForm {
        match veiled {
            Veiled::Open(cards) => VeiledForm::Cards(names(cards.iter().copied(), palette)),
            Veiled::Closed(count) => VeiledForm::Count(*count),
        }
    }
}

/// An [`Event`] as somebody may see it, as JSON: cards they may not see are a `count`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum EventForm {
    DrewForDealer {
        seat: Seat,
        card: CardName,
    },
    DealerChosen {
        seat: Seat,
    },
    Dealt {
        seat: Seat,
        #[serde(flatten)]
        cards: VeiledForm,
    },
    DealtAgain {},
    TurnedUp {
        card: CardName,
        turned: Turned,
    },
    Played {
        seat: Seat,
        card: CardName,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        color: Option<ColorName>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(optional = nullable))]
        discarded: Vec<CardName>,
        #[serde(default, skip_serializing_if = "is_false")]
        #[cfg_attr(feature = "ts", ts(optional = nullable))]
        jumped_in: bool,
    },
    Drew {
        seat: Seat,
        reason: DrawReason,
        #[serde(flatten)]
        cards: VeiledForm,
    },
    Kept {
        seat: Seat,
    },
    ColorCalled {
        seat: Seat,
        color: ColorName,
    },
    Reshuffled {
        count: u8,
    },
    Skipped {
        seat: Seat,
    },
    Reversed {
        direction: Direction,
    },
    Challenged {
        seat: Seat,
        challenged: Seat,
        guilty: bool,
    },
    HandShown {
        seat: Seat,
        to: Seat,
        #[serde(flatten)]
        hand: VeiledForm,
    },
    Blocked {
        seat: Seat,
        color: ColorName,
    },
    UnoCalled {
        seat: Seat,
    },
    Caught {
        seat: Seat,
        by: Seat,
    },
    Penalized {
        seat: Seat,
    },
    HandsSwapped {
        seat: Seat,
        with: Seat,
    },
    HandsPassed {
        direction: Direction,
    },
    HandsShuffled {
        seat: Seat,
    },
    Received {
        seat: Seat,
        #[serde(flatten)]
        cards: VeiledForm,
    },
    Discarded {
        seat: Seat,
        cards: Vec<CardName>,
    },
    MustDrawMore {
        seat: Seat,
        count: u8,
    },
    ExtraTurn {
        seat: Seat,
    },
    FacedUp {
        seat: Seat,
        until: Seat,
    },
    BannerRaised {
        seat: Seat,
        text: String,
    },
    PerformanceBegan {
        seat: Seat,
        prompt: String,
    },
    Voted {
        seat: Seat,
        yes: bool,
    },
    PerformanceEnded {
        seat: Seat,
        success: bool,
    },
    Dared {
        seat: Seat,
        prompt: String,
    },
    DareAnswered {
        seat: Seat,
        accept: bool,
    },
    TurnCame {
        seat: Seat,
    },
    WentOut {
        seat: Seat,
    },
    RoundBlocked {},
    RoundScored {
        winner: Option<Seat>,
        points: Vec<u32>,
    },
    MatchWon {
        winners: Vec<Seat>,
    },
}

impl EventForm {
    /// Writes an event with the names and texts of its rules.
    pub fn new(event: &SeenEvent, rules: &Rules) -> EventForm {
        let palette = rules.palette();
        let color = |color: Color| color.name(palette);
        let veiled = |cards: &Veiled| VeiledForm::new(cards, palette);
        let text = |id| rules.text(id).to_owned();
        match *event.event() {
            Event::DrewForDealer { seat, card } => EventForm::DrewForDealer { seat, card: card.name(palette) },
            Event::DealerChosen { seat } => EventForm::DealerChosen { seat },
            Event::Dealt { seat, ref cards } => EventForm::Dealt { seat, cards: veiled(cards) },
            Event::DealtAgain => EventForm::DealtAgain {},
            Event::TurnedUp { card, turned } => EventForm::TurnedUp { card: card.name(palette), turned },
            Event::Played { seat, card, color: called, ref discarded, jumped_in } => EventForm::Played {
                seat,
                card: card.name(palette),
                color: called.map(color),
                discarded: names(discarded.iter().copied(), palette),
                jumped_in,
            },
            Event::Drew { seat, ref cards, reason } => EventForm::Drew { seat, reason, cards: veiled(cards) },
            Event::Kept { seat } => EventForm::Kept { seat },
            Event::ColorCalled { seat, color: called } => EventForm::ColorCalled { seat, color: color(called) },
            Event::Reshuffled { count } => EventForm::Reshuffled { count },
            Event::Skipped { seat } => EventForm::Skipped { seat },
            Event::Reversed { direction } => EventForm::Reversed { direction },
            Event::Challenged { seat, challenged, guilty } => EventForm::Challenged { seat, challenged, guilty },
            Event::HandShown { seat, to, ref hand } => EventForm::HandShown { seat, to, hand: veiled(hand) },
            Event::Blocked { seat, color: called } => EventForm::Blocked { seat, color: color(called) },
            Event::UnoCalled { seat } => EventForm::UnoCalled { seat },
            Event::Caught { seat, by } => EventForm::Caught { seat, by },
            Event::Penalized { seat } => EventForm::Penalized { seat },
            Event::HandsSwapped { seat, with } => EventForm::HandsSwapped { seat, with },
            Event::HandsPassed { direction } => EventForm::HandsPassed { direction },
            Event::HandsShuffled { seat } => EventForm::HandsShuffled { seat },
            Event::Received { seat, ref cards } => EventForm::Received { seat, cards: veiled(cards) },
            Event::Discarded { seat, ref cards } => {
                EventForm::Discarded { seat, cards: names(cards.iter().copied(), palette) }
            }
            Event::MustDrawMore { seat, count } => EventForm::MustDrawMore { seat, count },
            Event::ExtraTurn { seat } => EventForm::ExtraTurn { seat },
            Event::FacedUp { seat, until } => EventForm::FacedUp { seat, until },
            Event::BannerRaised { seat, text: id } => EventForm::BannerRaised { seat, text: text(id) },
            Event::PerformanceBegan { seat, prompt } => EventForm::PerformanceBegan { seat, prompt: text(prompt) },
            Event::Voted { seat, yes } => EventForm::Voted { seat, yes },
            Event::PerformanceEnded { seat, success } => EventForm::PerformanceEnded { seat, success },
            Event::Dared { seat, prompt } => EventForm::Dared { seat, prompt: text(prompt) },
            Event::DareAnswered { seat, accept } => EventForm::DareAnswered { seat, accept },
            Event::TurnCame { seat } => EventForm::TurnCame { seat },
            Event::WentOut { seat } => EventForm::WentOut { seat },
            Event::RoundBlocked => EventForm::RoundBlocked {},
            Event::RoundScored { winner, points, players } => {
                EventForm::RoundScored { winner, points: points[..players as usize].to_vec() }
            }
            Event::MatchWon { winners } => EventForm::MatchWon { winners: winners.iter().collect() },
        }
    }
}

/// Writes events as one viewer may see them.
pub fn seen_events(events: &[Event], viewer: Viewer, rules: &Rules) -> Vec<EventForm> {
    events.iter().map(|event| EventForm::new(&event.seen_by(viewer), rules)).collect()
}

/// Writes events with nothing hidden.
pub fn full_events(events: &[Event], rules: &Rules) -> Vec<EventForm> {
    events.iter().map(|event| EventForm::new(&event.in_full(), rules)).collect()
}

/// Reads a list of card names as cards of a deck.
pub(crate) fn known_cards(names: &[CardName], palette: Palette) -> Result<CardList, String> {
    let mut cards = CardList::EMPTY;
    for name in names {
        let card = name.card(palette).ok_or_else(|| format!("there is no {name} in this deck"))?;
        if !cards.push(card) {
            return Err(format!("{} cards in one place are more than any deck has", names.len()));
        }
    }
    Ok(cards)
}
