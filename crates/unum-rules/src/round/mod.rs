//! One deal, from the first card to the last.

mod effects;
mod engine;
mod legal;
mod notes;
mod piles;
mod start;

use std::fmt;

pub use legal::MAX_LISTED_DISCARDS;
pub(crate) use notes::Notes;
pub use notes::{Banner, FaceUp, MAX_BANNERS};
pub(crate) use piles::Piles;

use crate::Seat;
use crate::action::{Action, Play};
use crate::card::{Card, CardList, Color};
use crate::chance::Chance;
use crate::custom::TextId;
use crate::event::Sink;
use crate::hand::{CardSet, Hand};
use crate::refusal::{Reason, Refusal};
use crate::rules::Rules;
use crate::seat::{Direction, SEATS, SeatSet};

use engine::Engine;

/// What the table waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Somebody's turn: play or draw.
    Turn {
        /// Whose.
        seat: Seat,
    },
    /// They drew something they may play, see [`Round::drawn`].
    Drawn {
        /// Who.
        seat: Seat,
    },
    /// A color has to be called.
    CallColor {
        /// By whom.
        seat: Seat,
        /// Whose turn follows.
        next: Seat,
    },
    /// An attack waits for its victim's answer.
    Respond {
        /// The victim.
        seat: Seat,
        /// Who played the card.
        by: Seat,
        /// How many cards the victim would take.
        cards: u16,
        /// Whether the Wild Draw Four on top broke W2. Hidden from every viewer.
        bluff: bool,
    },
    /// Somebody has to discard by choice.
    Discard {
        /// Who.
        seat: Seat,
        /// How many.
        count: u8,
    },
    /// Somebody performs, the others judge.
    Vote {
        /// The performer.
        seat: Seat,
        /// What they have to do.
        prompt: TextId,
        /// Who has not voted yet.
        waiting: SeatSet,
    },
    /// Somebody was dared.
    Dare {
        /// Who.
        seat: Seat,
        /// To do what.
        prompt: TextId,
    },
    /// The round is over.
    Over {
        /// Who went out; `None` when the round was blocked.
        winner: Option<Seat>,
    },
}

impl Phase {
    /// The one seat that has to act, where there is one.
    pub fn seat(&self) -> Option<Seat> {
        match *self {
            Phase::Turn { seat }
            | Phase::Drawn { seat }
            | Phase::CallColor { seat, .. }
            | Phase::Respond { seat, .. }
            | Phase::Discard { seat, .. }
            | Phase::Dare { seat, .. } => Some(seat),
            Phase::Vote { .. } | Phase::Over { .. } => None,
        }
    }
}

/// No seat at all.
const NOBODY: Seat = Seat::MAX;

/// How far a Customizable card's effects have run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pending {
    /// Which of the three cards.
    card: u8,
    /// Who played it.
    player: Seat,
    /// The step of its program.
    step: u8,
    /// How many of the players that step concerns are done.
    done: u8,
    extra_turn: bool,
    skips: u8,
}

/// W4: the hand that a challenge is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Exhibit {
    of: Seat,
    hand: Hand,
}

/// One deal: hands, piles, whose turn it is, what is pending.
///
/// A `Round` is plain data of less than one KiB: it is copied, not shared. It does not hold its [`Rules`], which are
/// passed to every call; a round must always be given the rules it was dealt with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Round {
    pub(crate) hands: [Hand; SEATS],
    pub(crate) piles: Piles,
    pub(crate) phase: Phase,
    /// In phase `Drawn`: the cards just drawn that may be played.
    pub(crate) drawn: Hand,
    pub(crate) color: Option<Color>,
    /// Whose cards are awaited: the seat of a `Turn` or `Drawn`, else [`NOBODY`].
    turn: Seat,
    /// What matches the top card and the color, kept ready because every turn asks.
    match_set: CardSet,
    pub(crate) direction: Direction,
    pub(crate) players: u8,
    pub(crate) dealer: Seat,
    pub(crate) idle: u8,
    pub(crate) liable: SeatSet,
    pub(crate) draw_more: [u8; SEATS],
    /// W4: who sees the challenged hand, until the next action.
    shown_to: Option<Seat>,
    /// W4: what the challenger sees. Set when a Wild Draw Four is played, so cards drawn later are not in it.
    exhibit: Option<Exhibit>,
    pending: Pending,
    pub(crate) notes: Notes,
}

impl Round {
    /// An empty table, for the dealer and for positions to fill.
    #[inline]
    pub(crate) fn blank(players: u8, dealer: Seat, piles: Piles) -> Round {
        Round {
            hands: [Hand::EMPTY; SEATS],
            piles,
            phase: Phase::Over { winner: None },
            drawn: Hand::EMPTY,
            color: None,
            turn: NOBODY,
            match_set: CardSet::EMPTY,
            direction: Direction::Left,
            players,
            dealer,
            idle: 0,
            liable: SeatSet::EMPTY,
            draw_more: [0; SEATS],
            shown_to: None,
            exhibit: None,
            pending: Pending::default(),
            notes: Notes::NONE,
        }
    }

    /// Lets a seat act.
    ///
    /// # Errors
    /// When the rules do not allow it; the round is then unchanged.
    pub fn apply<C: Chance, S: Sink>(
        &mut self,
        rules: &Rules,
        seat: Seat,
        action: &Action,
        chance: &mut C,
        events: &mut S,
    ) -> Result<(), Refusal> {
        match action {
            Action::Play(play) => self.play(rules, seat, play, chance, events),
            Action::Draw => self.draw(rules, seat, chance, events),
            _ => {
                self.check_can_act(rules, seat)?;
                let shown_to = self.shown_to.take();
                let done = Engine { round: self, rules, chance, events }.apply_any(seat, action);
                self.settle(rules, shown_to, done)
            }
        }
    }

    /// Plays a card: [`apply`](Round::apply) for [`Action::Play`].
    ///
    /// # Errors
    /// As for `apply`.
    #[inline(always)]
    pub fn play<C: Chance, S: Sink>(
        &mut self,
        rules: &Rules,
        seat: Seat,
        play: &Play,
        chance: &mut C,
        events: &mut S,
    ) -> Result<(), Refusal> {
        if self.is_plain_play(rules, seat, play) {
            Engine { round: self, rules, chance, events }.play_plainly(seat, play);
            return Ok(());
        }
        self.play_with_care(rules, seat, play, chance, events)
    }

    /// The common case, decided at a glance: a colored card in turn, with nothing declared, that leaves two cards or
    /// more. A turn always belongs to a seat of a round in progress.
    #[inline(always)]
    fn is_plain_play(&self, rules: &Rules, seat: Seat, play: &Play) -> bool {
        let Some(hand) = self.hands.get(seat as usize) else { return false };
        let plain = hand.kinds().and(self.open()).and(rules.plain_cards);
        let nothing_said = play.color.is_none() && !play.uno && play.discard.is_empty() && play.swap_with.is_none();
        self.turn == seat && plain.contains(play.card) && hand.len() > 2 && nothing_said
    }

    fn play_with_care<C: Chance, S: Sink>(
        &mut self,
        rules: &Rules,
        seat: Seat,
        play: &Play,
        chance: &mut C,
        events: &mut S,
    ) -> Result<(), Refusal> {
        self.check_can_act(rules, seat)?;
        let shown_to = self.shown_to.take();
        let done = Engine { round: self, rules, chance, events }.play(seat, play);
        self.settle(rules, shown_to, done)
    }

    /// Draws instead of playing: [`apply`](Round::apply) for [`Action::Draw`].
    ///
    /// # Errors
    /// As for `apply`.
    #[inline]
    pub fn draw<C: Chance, S: Sink>(
        &mut self,
        rules: &Rules,
        seat: Seat,
        chance: &mut C,
        events: &mut S,
    ) -> Result<(), Refusal> {
        self.check_can_act(rules, seat)?;
        let shown_to = self.shown_to.take();
        let done = Engine { round: self, rules, chance, events }.draw_instead(seat);
        self.settle(rules, shown_to, done)
    }

    /// X1: the referee's penalty for suggesting a play.
    ///
    /// # Errors
    /// When the rules know no such penalty, the seat has gone out or the round is over; the round is
    /// then unchanged.
    pub fn penalize<C: Chance, S: Sink>(
        &mut self,
        rules: &Rules,
        seat: Seat,
        chance: &mut C,
        events: &mut S,
    ) -> Result<(), Refusal> {
        if seat < self.players && self.is_over() {
            return Err(Refusal::new(Reason::PenaltyAfterEnd, rules.palette()));
        }
        self.check_can_act(rules, seat)?;
        let shown_to = self.shown_to.take();
        let done = Engine { round: self, rules, chance, events }.penalize(seat);
        self.settle(rules, shown_to, done)
    }

    /// Whether the seat exists and the round is in progress.
    #[inline]
    pub(crate) fn check_can_act(&self, rules: &Rules, seat: Seat) -> Result<(), Refusal> {
        let reason = if seat >= self.players {
            Reason::NoSuchSeat { seat, players: self.players }
        } else if self.is_over() {
            Reason::Over
        } else {
            return Ok(());
        };
        Err(Refusal::new(reason, rules.palette()))
    }

    /// The end of every change: on a refusal, a challenged hand stays open as it was.
    #[inline(always)]
    fn settle(&mut self, rules: &Rules, shown_to: Option<Seat>, done: Result<(), Reason>) -> Result<(), Refusal> {
        match done {
            Ok(()) => Ok(()),
            Err(reason) => {
                self.shown_to = shown_to;
                Err(Refusal::new(reason, rules.palette()))
            }
        }
    }

    /// Number of players.
    #[inline]
    pub fn players(&self) -> u8 {
        self.players
    }

    /// Who dealt.
    pub fn dealer(&self) -> Seat {
        self.dealer
    }

    /// What the table waits for.
    #[inline]
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// The seat the table waits for, `None` when the round is over. In a vote, where any order will do, the lowest seat
    /// that has not voted yet.
    #[inline]
    pub fn awaited(&self) -> Option<Seat> {
        match self.phase {
            Phase::Vote { waiting, .. } => waiting.iter().next(),
            phase => phase.seat(),
        }
    }

    /// Whether the round is over.
    #[inline]
    pub fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Over { .. })
    }

    /// Which way play runs.
    #[inline]
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// The card to match.
    #[inline]
    pub fn top(&self) -> Card {
        self.piles.top()
    }

    /// The color in force; `None` until one is called.
    #[inline]
    pub fn color(&self) -> Option<Color> {
        self.color
    }

    /// A seat's hand. Empty for seats nobody sits on.
    #[inline]
    pub fn hand(&self, seat: Seat) -> &Hand {
        self.hands.get(seat as usize).unwrap_or(&Hand::EMPTY)
    }

    /// All hands, by seat.
    pub fn hands(&self) -> &[Hand] {
        &self.hands[..self.players as usize]
    }

    /// The draw pile, next card last.
    pub fn draw_pile(&self) -> &[Card] {
        self.piles.draw_pile()
    }

    /// Reorders the draw pile. Nobody has seen it, so every order is equally likely: this shows what might have been
    /// drawn.
    ///
    /// The cards must stay the same, which is checked in debug builds only.
    #[inline]
    pub fn reorder_draw_pile(&mut self, reorder: impl FnOnce(&mut [Card])) {
        #[cfg(debug_assertions)]
        let before = Hand::try_from_iter(self.piles.draw_pile().iter().copied());
        reorder(self.piles.draw_pile_mut());
        #[cfg(debug_assertions)]
        debug_assert!(before == Hand::try_from_iter(self.piles.draw_pile().iter().copied()), "cards stay the same");
    }

    /// The discard pile, oldest card first.
    pub fn discard_pile(&self) -> CardList {
        self.piles.discard_list()
    }

    /// Who can be caught.
    #[inline]
    pub fn liable(&self) -> SeatSet {
        self.liable
    }

    /// T5: how many turns in succession ended by a draw that found no card.
    #[inline]
    pub fn idle(&self) -> u8 {
        self.idle
    }

    /// How many cards a seat must draw if it is stuck in its coming turn, where that is settled.
    #[inline]
    pub fn draw_more(&self, seat: Seat) -> Option<u8> {
        self.draw_more.get(seat as usize).copied().filter(|count| *count > 0)
    }

    /// Hands that lie open, sorted by seat, then by age.
    pub fn face_up(&self) -> Vec<FaceUp> {
        self.notes.face_up_by_seat()
    }

    /// Notes on seats, sorted by seat, then by age.
    pub fn banners(&self) -> Vec<Banner> {
        self.notes.banners_by_seat()
    }

    /// The challenged hand a seat was shown by its last action, and whose it is.
    #[inline]
    pub fn shown_to(&self, seat: Seat) -> Option<(Seat, Hand)> {
        let Exhibit { of, hand } = self.exhibit.filter(|_| self.shown_to == Some(seat))?;
        Some((of, hand))
    }

    /// The cards just drawn that may be played, while somebody decides about them.
    pub fn drawn(&self) -> Option<&Hand> {
        matches!(self.phase, Phase::Drawn { .. }).then_some(&self.drawn)
    }

    /// W4: keeps the hand that a challenge of the Wild Draw Four just played would be about.
    #[inline]
    fn keep_exhibit(&mut self, of: Seat) {
        self.exhibit = Some(Exhibit { of, hand: self.hands[of as usize] });
    }

    /// Forgets the hand a challenge is about, unless this seat knows it: it saw the hand, or it is its own.
    pub(crate) fn forget_exhibit_but_for(&mut self, seat: Seat) {
        let own = self.exhibit.is_some_and(|exhibit| exhibit.of == seat);
        if self.shown_to != Some(seat) && !own {
            self.shown_to = None;
            self.exhibit = None;
        }
    }

    /// Moves on to another phase.
    #[inline(always)]
    pub(crate) fn set_phase(&mut self, phase: Phase) {
        self.phase = phase;
        self.turn = match phase {
            Phase::Turn { seat } | Phase::Drawn { seat } => seat,
            _ => NOBODY,
        };
    }

    /// Puts a color in force for the card on top: its own, or the one called for a wild.
    #[inline(always)]
    pub(crate) fn set_color(&mut self, top: Card, called: Option<Color>) {
        if top.is_wild() {
            self.color = called;
            self.match_set = called.map_or(CardSet::EMPTY, |color| CardSet::matching(top, color));
        } else {
            self.color = top.color();
            self.match_set = CardSet::matching_printed(top);
        }
    }

    /// What the phase lets the player to act play, whether they hold it or not.
    #[inline]
    fn open(&self) -> CardSet {
        if matches!(self.phase, Phase::Drawn { .. }) { self.drawn.kinds() } else { self.match_set }
    }

    /// The neighbor of a seat in the direction of play.
    #[inline]
    pub fn next(&self, seat: Seat) -> Seat {
        self.direction.next(seat, self.players)
    }

    /// Whether somebody sits there.
    pub(crate) fn check_seat(&self, rules: &Rules, seat: Seat) -> Result<(), Refusal> {
        self.find_seat(seat).map_err(|reason| Refusal::new(reason, rules.palette()))
    }

    fn find_seat(&self, seat: Seat) -> Result<(), Reason> {
        if seat < self.players { Ok(()) } else { Err(Reason::NoSuchSeat { seat, players: self.players }) }
    }
}

impl fmt::Debug for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Round")
            .field("phase", &self.phase)
            .field("color", &self.color)
            .field("direction", &self.direction)
            .field("dealer", &self.dealer)
            .field("hands", &self.hands())
            .field("piles", &self.piles)
            .field("liable", &self.liable)
            .field("idle", &self.idle)
            .field("draw_more", &self.draw_more)
            .field("face_up", &self.face_up())
            .field("banners", &self.banners())
            .field("pending", &self.pending)
            .finish_non_exhaustive()
    }
}
