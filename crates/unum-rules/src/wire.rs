//! The JSON vocabulary: one form of cards, actions, phases, states, views and events for every interface.
//!
//! The forms know names ("pink", `P7`), the engine's types do not; a [`Palette`] translates. States and
//! positions are one type, [`Position`](crate::Position).

use std::collections::BTreeMap;

use serde::ser::{SerializeMap, SerializeSeq, SerializeStruct};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::action::{Action, Play};
use crate::card::{Card, CardList, CardName, Cards, Color, ColorName, Palette};
use crate::event::{DrawReason, Event, SeenEvent, Turned, Veiled, Viewer};
use crate::game::RoundResult;
use crate::hand::Hand;
use crate::json::{Node, Read as _, Wrong};
use crate::refusal::Code;
use crate::round::{Banner, FaceUp, Phase, Round};
use crate::rules::Rules;
use crate::seat::{Direction, Seat};
use crate::sight::Sight;
use crate::text::clip;
use crate::view::View;

/// Something that does not fit the vocabulary.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
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

objects_only!(ActionForm, PhaseForm, DrawMoreForm, FaceUpForm, BannerForm, ResultForm);

/// The names of cards, in order.
pub(crate) fn names(cards: impl IntoIterator<Item = Card>, palette: Palette) -> Vec<CardName> {
    cards.into_iter().map(|card| card.name(palette)).collect()
}

/// An [`Action`] as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, crate::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields, remote = "Self")]
#[allow(missing_docs)]
pub enum ActionForm {
    Play {
        card: CardName,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        color: Option<ColorName>,
        #[serde(default, skip_serializing_if = "is_false")]
        #[cfg_attr(feature = "ts", ts(optional = nullable))]
        uno: bool,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(optional = nullable))]
        discard: Vec<CardName>,
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "any_seat")]
        #[read(with = "read_any_seat")]
        #[cfg_attr(feature = "ts", ts(optional))]
        swap_with: Option<Seat>,
    },
    Draw {},
    Keep {},
    CallColor {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        color: Option<ColorName>,
    },
    Take {},
    Challenge {},
    Block {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        color: Option<ColorName>,
        #[serde(default, skip_serializing_if = "is_false")]
        #[cfg_attr(feature = "ts", ts(optional = nullable))]
        uno: bool,
    },
    CallUno {},
    Catch {
        #[serde(deserialize_with = "seat")]
        #[read(with = "read_seat")]
        seat: Seat,
    },
    Discard {
        cards: Vec<CardName>,
        #[serde(default, skip_serializing_if = "is_false")]
        #[cfg_attr(feature = "ts", ts(optional = nullable))]
        uno: bool,
    },
    Vote {
        yes: bool,
    },
    Dare {
        accept: bool,
    },
}

/// Reads hands by seat. Within a tagged message the keys of JSON come as texts, not as numbers.
fn by_seat<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<Seat, Vec<CardName>>, D::Error> {
    let hands = BTreeMap::<String, Vec<CardName>>::deserialize(deserializer)?;
    let seat = |(seat, hand): (String, _)| Ok((seat.parse().map_err(serde::de::Error::custom)?, hand));
    hands.into_iter().map(seat).collect()
}

fn is_false(value: &bool) -> bool {
    !value
}

impl ActionForm {
    /// Writes an action with the names of a deck.
    pub fn new(action: &Action, palette: Palette) -> ActionForm {
        let color = |color: Color| color.name(palette);
        match *action {
            Action::Play(Play { card, color: called, uno, discard, swap_with }) => ActionForm::Play {
                card: card.name(palette),
                color: called.map(color),
                uno,
                discard: names(discard.iter().copied(), palette),
                swap_with,
            },
            Action::Draw => ActionForm::Draw {},
            Action::Keep => ActionForm::Keep {},
            Action::CallColor(called) => ActionForm::CallColor { color: Some(color(called)) },
            Action::Take => ActionForm::Take {},
            Action::Challenge => ActionForm::Challenge {},
            Action::Block { color: called, uno } => ActionForm::Block { color: Some(color(called)), uno },
            Action::CallUno => ActionForm::CallUno {},
            Action::Catch(seat) => ActionForm::Catch { seat },
            Action::Discard { cards, uno } => ActionForm::Discard { cards: names(cards.iter().copied(), palette), uno },
            Action::Vote(yes) => ActionForm::Vote { yes },
            Action::Dare { accept } => ActionForm::Dare { accept },
        }
    }

    /// Reads an action with the names of a deck. Whether it is legal is up to the engine.
    ///
    /// # Errors
    /// When a card or color does not exist in that deck, a color is missing that no action can do without, or there are
    /// too many cards.
    pub fn action(&self, palette: Palette) -> Result<Action, WireError> {
        let known = |color: &ColorName| known_color(*color, palette);
        Ok(match self {
            ActionForm::Play { card, color, uno, discard, swap_with } => Action::Play(Play {
                card: known_card(*card, palette)?,
                color: color.as_ref().map(known).transpose()?,
                uno: *uno,
                discard: card_list::<3>(discard, palette)?,
                swap_with: *swap_with,
            }),
            ActionForm::Draw {} => Action::Draw,
            ActionForm::Keep {} => Action::Keep,
            ActionForm::CallColor { color } => Action::CallColor(required_color(*color, palette)?),
            ActionForm::Take {} => Action::Take,
            ActionForm::Challenge {} => Action::Challenge,
            ActionForm::Block { color, uno } => Action::Block { color: required_color(*color, palette)?, uno: *uno },
            ActionForm::CallUno {} => Action::CallUno,
            ActionForm::Catch { seat } => Action::Catch(*seat),
            ActionForm::Discard { cards, uno } => Action::Discard { cards: card_list(cards, palette)?, uno: *uno },
            ActionForm::Vote { yes } => Action::Vote(*yes),
            ActionForm::Dare { accept } => Action::Dare { accept: *accept },
        })
    }
}

/// A number as a seat. One that is too large for a seat becomes the largest, which no table has.
pub(crate) fn clamp_seat(seat: u64) -> Seat {
    Seat::try_from(seat).unwrap_or(Seat::MAX)
}

/// Reads a seat number.
fn seat<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Seat, D::Error> {
    u64::deserialize(deserializer).map(clamp_seat)
}

/// Reads a seat number that may be left out.
pub(crate) fn any_seat<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Seat>, D::Error> {
    Option::<u64>::deserialize(deserializer).map(|seat| seat.map(clamp_seat))
}

/// As [`seat`].
fn read_seat<'a>(node: &Node<'a>) -> Result<Seat, Wrong<'a>> {
    u64::read(node).map(clamp_seat)
}

/// As [`any_seat`].
pub(crate) fn read_any_seat<'a>(node: &Node<'a>) -> Result<Option<Seat>, Wrong<'a>> {
    Ok(Option::<u64>::read(node)?.map(clamp_seat))
}

fn known_card(name: CardName, palette: Palette) -> Result<Card, WireError> {
    name.card(palette).ok_or_else(|| {
        WireError::new(Code::NotInHand, format!("{name} is not in the hand: this deck has no such card"))
    })
}

fn known_color(name: ColorName, palette: Palette) -> Result<Color, WireError> {
    name.color(palette).ok_or_else(|| no_such_color(name.as_str(), palette))
}

/// The refusal of a word that is not a color of the deck.
pub fn no_such_color(word: &str, palette: Palette) -> WireError {
    let known = Color::ALL.map(|color| color.name(palette).as_str()).join(", ");
    let message = format!("there is no color {:?} in this deck: it has {known}", clip(word));
    WireError::new(Code::NoSuchColor, message)
}

fn required_color(name: Option<ColorName>, palette: Palette) -> Result<Color, WireError> {
    match name {
        Some(name) => known_color(name, palette),
        None => Err(WireError::new(Code::ColorRequired, "a `color` has to be called with it")),
    }
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, crate::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields, remote = "Self")]
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
    /// Writes a phase; `drawn` and `bluff` only if the reader may know them.
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, crate::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, remote = "Self")]
#[allow(missing_docs)]
pub struct DrawMoreForm {
    pub seat: Seat,
    pub count: u8,
}

/// Writes who must draw more, by seat.
pub(crate) fn draw_more_forms(draw_more: &[u8]) -> impl Iterator<Item = DrawMoreForm> + Clone {
    let forms = (0..).zip(draw_more).map(|(seat, count)| DrawMoreForm { seat, count: *count });
    forms.filter(|form| form.count > 0)
}

/// A hand that lies open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, crate::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, remote = "Self")]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, crate::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, remote = "Self")]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, crate::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, remote = "Self")]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    #[serde(deserialize_with = "by_seat")]
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
        // Not collected: that sorts first.
        let mut shown = BTreeMap::new();
        shown.extend((0..).zip(&view.shown).filter_map(|(seat, hand)| Some((seat, hand_names(hand.as_ref()?)))));
        ViewForm {
            players: view.players,
            dealer: view.dealer,
            direction: view.direction,
            phase: PhaseForm::new(&view.phase, view.drawn.as_ref(), None, view.winners.is_some(), rules),
            top: view.top.name(palette),
            color: view.color.map(|color| color.name(palette)),
            hand_sizes: view.hand_sizes[..players].to_vec(),
            hand: view.hand.as_ref().map(hand_names),
            shown,
            draw_count: view.draw_count,
            discard_pile: names(view.discard_pile.iter().copied(), palette),
            liable: view.liable.iter().collect(),
            idle: view.idle,
            draw_more: draw_more_forms(&view.draw_more).collect(),
            face_up: view.face_up().into_iter().map(FaceUpForm::from).collect(),
            banners: view.banners().into_iter().map(|banner| BannerForm::new(banner, rules)).collect(),
            scores: view.scores[..players].to_vec(),
            result: view.result.as_ref().map(|result| ResultForm::new(result, view.players)),
            winners: view.winners.map(|winners| winners.iter().collect()),
        }
    }
}

/// Every action each seat could take, as `legal` lists them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct LegalForm {
    pub seat: Seat,
    pub actions: Vec<ChoiceForm>,
}

/// An action, or a discard with too many choices to list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum ChoiceForm {
    Action(ActionForm),
    AnyDiscard(AnyDiscard),
}

/// A discard of any cards of the hand: there are too many to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename = "discard")]
pub struct AnyDiscard {
    /// How many cards.
    pub count: u8,
}

impl ChoiceForm {
    /// Calls `visit` with everything a seat could do now, and with the action behind it where it is a single one.
    pub fn each(sight: &Sight<'_>, visit: &mut impl FnMut(ChoiceForm, Option<&Action>)) {
        if let Some(count) = sight.any_discard() {
            visit(ChoiceForm::AnyDiscard(AnyDiscard { count }), None);
        }
        let palette = sight.rules().palette();
        sight.legal(&mut |action| visit(ChoiceForm::Action(ActionForm::new(action, palette)), Some(action)));
    }

    /// An action of this kind: the single one, or a discard of the first cards of the hand.
    pub fn first_action(&self, hand: &[CardName]) -> ActionForm {
        match self {
            ChoiceForm::Action(action) => action.clone(),
            ChoiceForm::AnyDiscard(AnyDiscard { count }) => {
                ActionForm::Discard { cards: hand.iter().copied().take(usize::from(*count)).collect(), uno: false }
            }
        }
    }

    /// Lists what a seat could do now.
    pub fn all(sight: &Sight<'_>) -> Vec<ChoiceForm> {
        let mut list = Vec::new();
        ChoiceForm::each(sight, &mut |choice, _| list.push(choice));
        list
    }
}

/// Lists what every seat could do now; seats without actions are left out.
pub fn legal_forms(round: &Round, rules: &Rules) -> Vec<LegalForm> {
    let sight = |seat| Sight::new(round, rules, seat, &[]);
    let all = (0..round.players()).map(|seat| LegalForm { seat, actions: ChoiceForm::all(&sight(seat)) });
    all.filter(|legal| !legal.actions.is_empty()).collect()
}

/// Cards or their number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, strum::VariantNames)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
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

/// A [`View`] that serializes like its [`ViewForm`], straight from the state, without intermediate lists.
#[derive(Clone, Copy)]
pub struct ViewWriter<'a> {
    /// What is seen.
    pub view: &'a View,
    /// The rules, for names and texts.
    pub rules: &'a Rules,
}

/// Writes what an iterator yields as a list.
struct List<I>(I);

impl<I: Iterator<Item: Serialize> + Clone> Serialize for List<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        self.0.clone().try_for_each(|item| list.serialize_element(&item))?;
        list.end()
    }
}

/// Open hands, by seat.
struct Shown<'a>(&'a View, Palette);

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (seat, hand) in self.0.shown.iter().enumerate() {
            if let Some(hand) = hand {
                map.serialize_entry(&seat, &List(hand.iter().map(|card| card.name(self.1))))?;
            }
        }
        map.end()
    }
}

impl Serialize for ViewWriter<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ViewWriter { view, rules } = *self;
        let palette = rules.palette();
        let players = usize::from(view.players);
        let phase = PhaseForm::new(&view.phase, view.drawn.as_ref(), None, view.winners.is_some(), rules);
        let mut form = serializer.serialize_struct("ViewForm", 19)?;
        form.serialize_field("players", &view.players)?;
        form.serialize_field("dealer", &view.dealer)?;
        form.serialize_field("direction", &view.direction)?;
        form.serialize_field("phase", &phase)?;
        form.serialize_field("top", &view.top.name(palette))?;
        form.serialize_field("color", &view.color.map(|color| color.name(palette)))?;
        form.serialize_field("hand_sizes", &view.hand_sizes[..players])?;
        if let Some(hand) = &view.hand {
            form.serialize_field("hand", &List(hand.iter().map(|card| card.name(palette))))?;
        }
        form.serialize_field("shown", &Shown(view, palette))?;
        form.serialize_field("draw_count", &view.draw_count)?;
        form.serialize_field("discard_pile", &List(view.discard_pile.iter().map(|card| card.name(palette))))?;
        form.serialize_field("liable", &List(view.liable.iter()))?;
        form.serialize_field("idle", &view.idle)?;
        form.serialize_field("draw_more", &List(draw_more_forms(&view.draw_more)))?;
        form.serialize_field("face_up", &List(view.face_up().into_iter().map(FaceUpForm::from)))?;
        let banners = view.banners();
        form.serialize_field("banners", &List(banners.iter().map(|banner| BannerForm::new(*banner, rules))))?;
        form.serialize_field("scores", &view.scores[..players])?;
        form.serialize_field("result", &view.result.as_ref().map(|result| ResultForm::new(result, view.players)))?;
        form.serialize_field("winners", &view.winners.map(|winners| List(winners.iter())))?;
        form.end()
    }
}

/// Events that serialize as one viewer may see them, without an intermediate list.
#[derive(Clone, Copy)]
pub struct EventsWriter<'a> {
    /// What happened.
    pub events: &'a [Event],
    /// Who looks.
    pub viewer: Viewer,
    /// The rules, for names and texts.
    pub rules: &'a Rules,
}

impl Serialize for EventsWriter<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let seen = self.events.iter().map(|event| EventForm::new(&event.seen_by(self.viewer), self.rules));
        List(seen).serialize(serializer)
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
