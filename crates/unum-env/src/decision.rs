//! One decision of a seat, made in one choice or in several.
//!
//! Some actions of the rules have parts: the seat to swap hands with, the cards that Olaf's Summertime takes along, the
//! cards to discard. Each part is a choice of its own, so that there are a hundred ids instead of thousands. Cards are
//! picked in sorted order, so every action can be chosen in one way only.

use unum_rules::{Action, Card, CardList, CardSet, Cards, Color, Face, MAX_ALONG, Phase, Play, Seat, Sight};

use crate::encoding::{Choice, Encoding};
use crate::ids::IdSet;
use crate::transcript::sorted;

/// Who says "UNO".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unos {
    /// It is called with every action that leaves one card.
    #[default]
    Called,
    /// It is a choice of its own.
    Chosen,
}

/// What is being chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Stage {
    /// A card to play, or to draw.
    Turn,
    /// Whether to play the card just drawn.
    Drawn,
    /// A color.
    CallColor,
    /// The answer to an attack.
    Respond,
    /// Cards to discard, one at a time.
    Discard,
    /// A verdict on a performance.
    Vote,
    /// Whether to accept a dare.
    Dare,
    /// Whether to do something out of turn: call late, catch, jump in.
    React,
    /// Cards to take along with Olaf's Summertime, one at a time.
    Along,
    /// The seat to swap hands with.
    Swap,
    /// Whether to call "UNO".
    Say,
}

impl Stage {
    pub(crate) const COUNT: usize = 11;

    /// The stage by phase.
    #[inline]
    fn of(phase: &Phase) -> Option<Stage> {
        Some(match phase {
            Phase::Turn { .. } => Stage::Turn,
            Phase::Drawn { .. } => Stage::Drawn,
            Phase::CallColor { .. } => Stage::CallColor,
            Phase::Respond { .. } => Stage::Respond,
            Phase::Discard { .. } => Stage::Discard,
            Phase::Vote { .. } => Stage::Vote,
            Phase::Dare { .. } => Stage::Dare,
            Phase::Over { .. } => return None,
        })
    }

    /// What an observation says: the stage of the decision, or of the round for those who only look.
    #[inline]
    pub(crate) fn seen(phase: &Phase, decision: Option<&Decision>) -> Option<Stage> {
        match decision {
            Some(decision) => Some(decision.stage),
            None => Stage::of(phase),
        }
    }
}

/// The action being put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Draft {
    Nothing,
    Play(Card, Option<Color>),
    Block(Color),
    Discard,
}

/// An id that is not among the legal ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("action {id} is not legal now: the action mask says what is")]
pub struct NotLegal {
    /// The id.
    pub id: i64,
}

/// What a choice led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant)]
pub enum Progress {
    /// There is more to choose.
    More,
    /// The decision is made.
    Act(Action),
    /// Nothing is done out of turn.
    Pass,
}

/// A decision being made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    unos: Unos,
    stage: Stage,
    draft: Draft,
    picks: CardList,
    along_done: bool,
    swap_with: Option<Seat>,
    uno: Option<bool>,
    legal: IdSet,
}

impl Decision {
    fn blank(stage: Stage, unos: Unos) -> Decision {
        Decision {
            unos,
            stage,
            draft: Draft::Nothing,
            picks: CardList::EMPTY,
            along_done: false,
            swap_with: None,
            uno: None,
            legal: IdSet::EMPTY,
        }
    }

    /// No decision: nothing can be chosen.
    pub(crate) fn none(unos: Unos) -> Decision {
        Decision::blank(Stage::Turn, unos)
    }

    /// The decision the table waits for; `None` if it does not wait for this seat.
    pub fn main(sight: &Sight<'_>, encoding: &Encoding, unos: Unos) -> Option<Decision> {
        let mut decision = Decision::none(unos);
        decision.begin(sight, encoding).then_some(decision)
    }

    /// Becomes the [`main`](Decision::main) decision, in place because it is large; `false` if there is none.
    #[inline]
    pub(crate) fn begin(&mut self, sight: &Sight<'_>, encoding: &Encoding) -> bool {
        let Some(stage) = Stage::of(&sight.phase()).filter(|_| sight.is_awaited()) else { return false };
        self.stage = stage;
        self.draft = if stage == Stage::Discard { Draft::Discard } else { Draft::Nothing };
        if !self.picks.is_empty() {
            self.picks = CardList::EMPTY;
        }
        (self.along_done, self.swap_with, self.uno) = (false, None, None);
        self.list(sight, encoding);
        true
    }

    /// A decision about what the seat could do though the table does not wait for it; `None` if there is nothing.
    pub fn react(sight: &Sight<'_>, encoding: &Encoding, unos: Unos) -> Option<Decision> {
        let mut decision = Decision::blank(Stage::React, unos);
        decision.list(sight, encoding);
        // Passing is not a decision if there is nothing else to do.
        (decision.legal.len() > 1).then_some(decision)
    }

    /// What is being chosen.
    #[inline]
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The ids that can be chosen.
    #[inline]
    pub fn legal(&self) -> &IdSet {
        &self.legal
    }

    /// The cards chosen so far.
    #[inline]
    pub fn chosen(&self) -> impl Iterator<Item = Card> {
        let card = match self.draft {
            Draft::Play(card, _) => Some(card),
            Draft::Block(_) => Some(Card::FLITTERIFIC),
            _ => None,
        };
        card.into_iter().chain(self.picks.iter().copied())
    }

    /// The color chosen so far.
    #[inline]
    pub fn color(&self) -> Option<Color> {
        match self.draft {
            Draft::Play(_, color) => color,
            Draft::Block(color) => Some(color),
            _ => None,
        }
    }

    /// The action, if playing this card is all there is to choose.
    #[inline]
    pub(crate) fn whole_play(&self, sight: &Sight<'_>, card: Card, color: Option<Color>) -> Option<Play> {
        let left = sight.hand().len() - 1;
        let has_parts = card == Card::OLAF || swaps(sight, card) || (self.unos == Unos::Chosen && left == 1);
        (!has_parts).then_some(Play { color, uno: left == 1, ..Play::card(card) })
    }

    /// Makes a choice.
    ///
    /// # Errors
    /// When it is not among the [`legal`](Decision::legal) ones; nothing has changed then.
    pub fn choose(&mut self, sight: &Sight<'_>, encoding: &Encoding, id: u16) -> Result<Progress, NotLegal> {
        let choice = encoding.choice(id).filter(|_| self.legal.contains(id)).ok_or(NotLegal { id: i64::from(id) })?;
        let own = sight.seat();
        let seat = |steps: u8| (own + steps) % sight.players();
        let action = match choice {
            Choice::Pass => return Ok(Progress::Pass),
            Choice::Play(card, color) => {
                self.draft = Draft::Play(card, color);
                return Ok(self.proceed(sight, encoding));
            }
            Choice::Block(color) => {
                self.draft = Draft::Block(color);
                return Ok(self.proceed(sight, encoding));
            }
            Choice::Pick(card) => {
                self.picks.push(card);
                return Ok(self.proceed(sight, encoding));
            }
            Choice::Done => {
                self.along_done = true;
                return Ok(self.proceed(sight, encoding));
            }
            Choice::Swap(steps) => {
                self.swap_with = Some(seat(steps));
                return Ok(self.proceed(sight, encoding));
            }
            Choice::Uno | Choice::Silent => {
                self.uno = Some(choice == Choice::Uno);
                return Ok(self.proceed(sight, encoding));
            }
            Choice::Draw => Action::Draw,
            Choice::Keep => Action::Keep,
            Choice::Take => Action::Take,
            Choice::Challenge => Action::Challenge,
            Choice::CallUno => Action::CallUno,
            Choice::CallColor(color) => Action::CallColor(color),
            Choice::Catch(steps) => Action::Catch(seat(steps)),
            Choice::Vote(yes) => Action::Vote(yes),
            Choice::Dare(accept) => Action::Dare { accept },
        };
        Ok(Progress::Act(action))
    }

    /// The choice that leads to an action; `None` if none does.
    pub(crate) fn towards(&self, sight: &Sight<'_>, encoding: &Encoding, action: &Action) -> Option<u16> {
        let own = sight.seat();
        let steps = |seat: Seat| (seat + sight.players() - own) % sight.players();
        let pick = |cards: &[Card]| sorted(cards).get(self.picks.len()).copied();
        let choice = match (self.stage, *action) {
            (Stage::Along, Action::Play(play)) => pick(&play.discard).map_or(Choice::Done, Choice::Pick),
            (Stage::Discard, Action::Discard { cards, .. }) => Choice::Pick(pick(&cards)?),
            (Stage::Swap, Action::Play(play)) => Choice::Swap(steps(play.swap_with?)),
            (Stage::Say, action) => {
                let (Action::Play(Play { uno, .. }) | Action::Block { uno, .. } | Action::Discard { uno, .. }) = action
                else {
                    return None;
                };
                if uno { Choice::Uno } else { Choice::Silent }
            }
            (_, Action::Play(play)) => Choice::Play(play.card, play.color),
            (_, Action::Draw) => Choice::Draw,
            (_, Action::Keep) => Choice::Keep,
            (_, Action::CallColor(color)) => Choice::CallColor(color),
            (_, Action::Take) => Choice::Take,
            (_, Action::Challenge) => Choice::Challenge,
            (_, Action::Block { color, .. }) => Choice::Block(color),
            (_, Action::CallUno) => Choice::CallUno,
            (_, Action::Catch(seat)) => Choice::Catch(steps(seat)),
            (_, Action::Discard { .. }) => return None,
            (_, Action::Vote(yes)) => Choice::Vote(yes),
            (_, Action::Dare { accept }) => Choice::Dare(accept),
        };
        encoding.id(choice).filter(|id| self.legal.contains(*id))
    }

    /// Goes on with the part that is missing, or is done.
    #[inline]
    fn proceed(&mut self, sight: &Sight<'_>, encoding: &Encoding) -> Progress {
        let missing = self.missing(sight);
        if let Some(stage) = missing {
            self.stage = stage;
            self.legal = IdSet::EMPTY;
            self.list(sight, encoding);
            return Progress::More;
        }
        let uno = self.uno.unwrap_or(self.left(sight) == 1);
        Progress::Act(match self.draft {
            Draft::Play(card, color) => Action::Play(Play {
                card,
                color,
                uno,
                discard: Cards::try_from_iter(self.picks.iter().copied()).unwrap_or(Cards::EMPTY),
                swap_with: self.swap_with,
            }),
            Draft::Block(color) => Action::Block { color, uno },
            Draft::Discard | Draft::Nothing => Action::Discard { cards: self.picks, uno },
        })
    }

    /// How many cards the action leaves.
    #[inline]
    fn left(&self, sight: &Sight<'_>) -> usize {
        let played = usize::from(!matches!(self.draft, Draft::Discard | Draft::Nothing));
        sight.hand().len().saturating_sub(played + self.picks.len())
    }

    /// The part of the action that is still to be chosen.
    #[inline]
    fn missing(&self, sight: &Sight<'_>) -> Option<Stage> {
        match self.draft {
            Draft::Play(Card::OLAF, _) if !self.along_done && !self.can_go_along(sight).is_empty() => {
                return Some(Stage::Along);
            }
            Draft::Play(card, _) if self.swap_with.is_none() && swaps(sight, card) => return Some(Stage::Swap),
            Draft::Discard if self.picks.len() < to_discard(sight) => return Some(Stage::Discard),
            _ => {}
        }
        let asks = self.unos == Unos::Chosen && self.uno.is_none() && self.left(sight) == 1;
        asks.then_some(Stage::Say)
    }

    /// The cards that Olaf's Summertime can take along after those picked so far (O1).
    fn can_go_along(&self, sight: &Sight<'_>) -> CardSet {
        if self.picks.len() >= MAX_ALONG {
            return CardSet::EMPTY;
        }
        let [first, second] = Color::SUMMER.map(CardSet::color);
        let colors = match self.picks.first().and_then(|card| card.color()) {
            None => first.or(second),
            Some(color) => CardSet::color(color),
        };
        self.rest(sight).iter().filter(|card| colors.contains(*card)).fold(CardSet::EMPTY, with)
    }

    /// The kinds of card that are left to pick, none before the last one picked.
    fn rest(&self, sight: &Sight<'_>) -> CardSet {
        let mut hand = *sight.hand();
        self.picks.iter().for_each(|card| {
            hand.remove(*card);
        });
        let last = self.picks.last().copied();
        hand.kinds().iter().filter(|card| last.is_none_or(|last| *card >= last)).fold(CardSet::EMPTY, with)
    }

    /// The cards of which enough come after to discard as many as needed.
    fn can_be_discarded(&self, sight: &Sight<'_>) -> CardSet {
        let mut hand = *sight.hand();
        self.picks.iter().for_each(|card| {
            hand.remove(*card);
        });
        let needed = to_discard(sight).saturating_sub(self.picks.len());
        let from = |card: Card| hand.iter().filter(|other| *other >= card).count();
        self.rest(sight).iter().filter(|card| from(*card) >= needed).fold(CardSet::EMPTY, with)
    }

    /// Fills in what is legal at this stage.
    #[inline]
    fn list(&mut self, sight: &Sight<'_>, encoding: &Encoding) {
        let mut legal = match self.stage {
            Stage::Turn | Stage::Drawn => encoding.plays(sight.playable()),
            Stage::Respond => encoding.plays(sight.answers()),
            _ => IdSet::EMPTY,
        };
        let mut add = |choice: Choice| {
            if let Some(id) = encoding.id(choice) {
                legal.insert(id);
            }
        };
        match self.stage {
            Stage::Turn | Stage::Drawn => {
                let otherwise = if self.stage == Stage::Turn { Choice::Draw } else { Choice::Keep };
                if !sight.rules().house().force_play || need_not_play(sight) {
                    add(otherwise);
                }
            }
            Stage::CallColor => Color::ALL.into_iter().map(Choice::CallColor).for_each(add),
            Stage::Respond => {
                add(Choice::Take);
                if sight.can_challenge() {
                    add(Choice::Challenge);
                }
                if sight.can_block() {
                    Color::ALL.into_iter().map(Choice::Block).for_each(add);
                }
            }
            Stage::Discard => self.can_be_discarded(sight).iter().map(Choice::Pick).for_each(add),
            Stage::Along => {
                self.can_go_along(sight).iter().map(Choice::Pick).for_each(&mut add);
                add(Choice::Done);
            }
            Stage::Swap => (1..sight.players()).map(Choice::Swap).for_each(add),
            Stage::Say => [Choice::Uno, Choice::Silent].into_iter().for_each(add),
            Stage::Vote => [false, true].into_iter().map(Choice::Vote).for_each(add),
            Stage::Dare => [false, true].into_iter().map(Choice::Dare).for_each(add),
            Stage::React => {
                reactions(sight, &mut add);
                add(Choice::Pass);
            }
        }
        self.legal = legal;
    }
}

fn with(set: CardSet, card: Card) -> CardSet {
    set.or(CardSet::of(card))
}

/// Whether a 7 has to name a seat.
#[inline]
fn swaps(sight: &Sight<'_>, card: Card) -> bool {
    sight.rules().house().seven_zero && card.face() == Face::Number(7) && sight.hand().len() > 1
}

fn to_discard(sight: &Sight<'_>) -> usize {
    match sight.phase() {
        Phase::Discard { count, .. } => usize::from(count),
        _ => 0,
    }
}

/// Under `force_play`: whether the seat may draw, or keep what it drew.
fn need_not_play(sight: &Sight<'_>) -> bool {
    let mut may = false;
    sight.legal(&mut |action| may |= matches!(action, Action::Draw | Action::Keep));
    may
}

/// What a seat could do though the table does not wait for it.
fn reactions(sight: &Sight<'_>, add: &mut impl FnMut(Choice)) {
    let own = sight.seat();
    for seat in sight.liable().iter() {
        let steps = (seat + sight.players() - own) % sight.players();
        add(if seat == own { Choice::CallUno } else { Choice::Catch(steps) });
    }
    let jumps_in = sight.rules().house().jump_in
        && matches!(sight.phase(), Phase::Turn { seat } if seat != own)
        && !sight.top().is_wild()
        && sight.hand().contains(sight.top());
    if jumps_in {
        add(Choice::Play(sight.top(), None));
    }
}
