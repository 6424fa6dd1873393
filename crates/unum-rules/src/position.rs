//! States and positions: the same fields, one written, the other read.

mod line;

use serde::{Deserialize, Serialize};

use crate::card::{Card, CardList, CardName, Color, ColorName, Face};
use crate::chance::Chance;
use crate::custom::{MAX_TEXT, Until};
use crate::game::{Match, RoundResult};
use crate::hand::Hand;
use crate::round::{Banner, FaceUp, MAX_BANNERS, Phase, Piles, Round};
use crate::rules::{MAX_CARDS, MAX_PLAYERS, MIN_PLAYERS, Rules};
use crate::seat::{Direction, SEATS, Seat, SeatSet};
use crate::wire::{BannerForm, DrawMoreForm, FaceUpForm, PhaseForm, ResultForm, draw_more_forms, known_cards, names};

/// Highest score a position may give a seat.
const MAX_SCORE: u32 = 1_000_000;
/// The most cards a stacked attack may have reached.
const MAX_ATTACK: u16 = 1000;

/// The whole state of a match as JSON, or a position to start from, which may leave most of it out.
///
/// This is the loose form: it may be wrong. [`Position::into_match`] checks it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, crate::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, remote = "Self")]
#[allow(missing_docs)]
pub struct Position {
    pub players: Option<u8>,
    pub dealer: Seat,
    pub direction: Direction,
    pub phase: Option<PhaseForm>,
    pub top: Option<CardName>,
    pub color: Option<ColorName>,
    pub hands: Vec<Vec<CardName>>,
    pub draw_pile: Vec<CardName>,
    pub discard_pile: Option<Vec<CardName>>,
    pub liable: Vec<Seat>,
    pub idle: u8,
    pub draw_more: Vec<DrawMoreForm>,
    pub face_up: Vec<FaceUpForm>,
    pub banners: Vec<BannerForm>,
    pub scores: Vec<u32>,
    pub result: Option<ResultForm>,
    pub winners: Option<Vec<Seat>>,
}

objects_only!(Position);

/// Why a position is refused: what is wrong and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PositionError(String);

fn wrong<T>(message: impl Into<String>) -> Result<T, PositionError> {
    Err(PositionError(message.into()))
}

impl Position {
    /// The whole state of a match.
    pub fn of<C: Chance>(game: &Match<C>) -> Position {
        let (round, rules) = (game.round(), game.rules());
        let palette = rules.palette();
        let bluff = match *round.phase() {
            Phase::Respond { bluff, .. } => Some(bluff),
            _ => None,
        };
        Position {
            players: Some(round.players()),
            dealer: round.dealer(),
            direction: round.direction(),
            phase: Some(PhaseForm::new(round.phase(), round.drawn(), bluff, game.winners().is_some(), rules)),
            top: Some(round.top().name(palette)),
            color: round.color().map(|color| color.name(palette)),
            hands: round.hands().iter().map(|hand| names(hand.iter(), palette)).collect(),
            draw_pile: names(round.draw_pile().iter().rev().copied(), palette),
            discard_pile: Some(names(round.discard_pile().iter().copied(), palette)),
            liable: round.liable().iter().collect(),
            idle: round.idle(),
            draw_more: draw_more_forms(&round.draw_more).collect(),
            face_up: round.face_up().into_iter().map(FaceUpForm::from).collect(),
            banners: round.banners().into_iter().map(|banner| BannerForm::new(banner, rules)).collect(),
            scores: game.scores().to_vec(),
            result: game.result().map(|result| ResultForm::new(result, round.players())),
            winners: game.winners().map(|winners| winners.iter().collect()),
        }
    }

    /// Checks the position and goes on from it.
    ///
    /// # Errors
    /// When it contradicts itself or the rules.
    pub fn into_match<C: Chance>(self, mut rules: Rules, chance: C) -> Result<Match<C>, PositionError> {
        let players = self.check_players()?;
        rules.check_players(players).map_err(|why| PositionError(why.to_string()))?;
        let hands = self.read_hands(&rules, players)?;
        let (discard, top) = self.read_discard_pile(&rules)?;
        let draw = known_cards(&self.draw_pile, rules.palette()).map_err(PositionError)?;
        check_copies(&rules, &hands, &draw, &discard)?;

        let mut piles = Piles::new(&draw.iter().rev().copied().collect::<Vec<Card>>());
        discard.iter().for_each(|card| piles.discard(*card));
        let mut round = Round::blank(players, self.check_seat(self.dealer, "dealer", players)?, piles);
        round.hands = hands;
        round.direction = self.direction;
        let phase = self.read_phase(&round)?;
        round.set_color(top, self.read_color(&rules, top, &phase)?);
        round.drawn = self.read_drawn(&round, &rules, &phase)?;
        round.set_phase(phase);
        check_empty_hands(&round, &rules)?;
        self.read_lists(&mut round, &mut rules)?;
        let scores = self.read_scores(players)?;
        let (result, winners) = self.read_outcome(&mut round)?;
        if winners.is_none() {
            check_targets(&rules, &self.scores)?;
        }
        Ok(Match::resume(rules, round, scores, result, winners, chance))
    }

    fn check_players(&self) -> Result<u8, PositionError> {
        let players = self.players.map_or(self.hands.len(), usize::from);
        if players != self.hands.len() {
            return wrong(format!("{players} players need {players} hands, there are {}", self.hands.len()));
        }
        match u8::try_from(players) {
            Ok(players) if (MIN_PLAYERS..=MAX_PLAYERS).contains(&players) => Ok(players),
            _ => wrong(format!("{MIN_PLAYERS} to {MAX_PLAYERS} can play, not {players}")),
        }
    }

    fn check_seat(&self, seat: Seat, what: &str, players: u8) -> Result<Seat, PositionError> {
        if seat < players {
            Ok(seat)
        } else {
            wrong(format!("`{what}` names seat {seat}, seats are numbered 0 to {}", players - 1))
        }
    }

    fn read_hands(&self, rules: &Rules, players: u8) -> Result<[Hand; SEATS], PositionError> {
        let mut hands = [Hand::EMPTY; SEATS];
        for (hand, names) in hands.iter_mut().zip(&self.hands).take(players as usize) {
            let cards = known_cards(names, rules.palette()).map_err(PositionError)?;
            *hand = Hand::try_from_iter(cards.iter().copied())
                .ok_or_else(|| PositionError("a hand has more copies of a card than any deck".to_owned()))?;
        }
        Ok(hands)
    }

    /// The discard pile and its top card.
    fn read_discard_pile(&self, rules: &Rules) -> Result<(CardList, Card), PositionError> {
        let top_only = self.top.map(|top| vec![top]);
        let Some(pile) = self.discard_pile.as_ref().or(top_only.as_ref()) else {
            return wrong("a position needs a `top` card or a `discard_pile`");
        };
        let cards = known_cards(pile, rules.palette()).map_err(PositionError)?;
        let Some(&top) = cards.last() else {
            return wrong("the discard pile cannot be empty");
        };
        if self.top.is_some_and(|name| name != top.name(rules.palette())) {
            return wrong("`discard_pile` has to end in `top`");
        }
        Ok((cards, top))
    }

    fn read_phase(&self, round: &Round) -> Result<Phase, PositionError> {
        let players = round.players();
        let left = (round.dealer() + 1) % players;
        let seat = |seat: Seat| self.check_seat(seat, "phase", players);
        Ok(match self.phase.as_ref().unwrap_or(&PhaseForm::Turn { seat: left }) {
            PhaseForm::Turn { seat: turn } => Phase::Turn { seat: seat(*turn)? },
            PhaseForm::Drawn { seat: turn, .. } => Phase::Drawn { seat: seat(*turn)? },
            PhaseForm::CallColor { seat: caller, next } => {
                Phase::CallColor { seat: seat(*caller)?, next: seat(next.unwrap_or(*caller))? }
            }
            PhaseForm::Respond { seat: victim, by, cards, bluff } => {
                let attack = round.top().attack();
                if attack == 0 {
                    return wrong("`respond` needs a Draw Two or a Wild Draw Four on top");
                }
                let (seat, by, cards, bluff) =
                    (seat(*victim)?, seat(*by)?, cards.unwrap_or(attack), bluff.unwrap_or(false));
                check_attack(seat, by, cards, bluff, round.top())?;
                Phase::Respond { seat, by, cards, bluff }
            }
            PhaseForm::RoundOver {} | PhaseForm::MatchOver {} => {
                let winner = self.result.as_ref().and_then(|result| result.winner);
                Phase::Over { winner }
            }
            PhaseForm::Discard { .. } | PhaseForm::Vote { .. } | PhaseForm::Dare { .. } => {
                return wrong(
                    "a position cannot start in `discard`, `vote` or `dare`: start before the card is played",
                );
            }
        })
    }

    fn read_color(&self, rules: &Rules, top: Card, phase: &Phase) -> Result<Option<Color>, PositionError> {
        let given = match self.color {
            None => None,
            Some(name) => match name.color(rules.palette()) {
                None => return wrong(format!("there is no {name} in this deck")),
                color => color,
            },
        };
        let calling = matches!(phase, Phase::CallColor { .. });
        match (top.color(), given) {
            (Some(printed), Some(color)) if printed != color => wrong("`color` is not the color of `top`"),
            (Some(_), _) if calling => wrong("`call_color` needs a wild on top"),
            (Some(printed), _) => Ok(Some(printed)),
            (None, Some(_)) if calling => wrong("while a color has to be called there is none: leave `color` out"),
            (None, None) if calling => Ok(None),
            (None, None) if top == Card::SHUFFLE_HANDS && matches!(phase, Phase::Over { .. }) => Ok(None),
            (None, None) => wrong("a wild on top needs the `color` that was called"),
            (None, color) => Ok(color),
        }
    }

    /// The cards somebody just drew and may play.
    fn read_drawn(&self, round: &Round, rules: &Rules, phase: &Phase) -> Result<Hand, PositionError> {
        let Phase::Drawn { seat } = *phase else { return Ok(Hand::EMPTY) };
        let Some(PhaseForm::Drawn { cards: Some(cards), .. }) = &self.phase else {
            return wrong("`drawn` needs the `cards` that may be played");
        };
        let cards = known_cards(cards, rules.palette()).map_err(PositionError)?;
        if cards.is_empty() || !round.hand(seat).contains_all(&cards) {
            return wrong("the `cards` of `drawn` have to be in that hand, one or more");
        }
        // By T1 alone: a penalty after the draw can turn a Wild Draw Four into one that may not be played.
        let matching = round.matching(seat);
        if let Some(card) = cards.iter().find(|card| !matching.contains(**card)) {
            let name = card.name(rules.palette());
            return wrong(format!("{name} cannot be played, so it is not among the `cards` of `drawn`"));
        }
        Ok(Hand::try_from_iter(cards.iter().copied()).unwrap_or(Hand::EMPTY))
    }

    fn read_lists(&self, round: &mut Round, rules: &mut Rules) -> Result<(), PositionError> {
        let players = round.players();
        let pinned = !(self.liable.is_empty()
            && self.draw_more.is_empty()
            && self.face_up.is_empty()
            && self.banners.is_empty());
        if round.is_over() && (pinned || self.idle > 0) {
            return wrong("after a round `liable`, `draw_more`, `face_up` and `banners` are empty and `idle` is 0");
        }
        if self.idle >= players {
            return wrong(format!("`idle` is below the number of players, not {}", self.idle));
        }
        round.idle = self.idle;
        self.read_liable(round, rules)?;
        for DrawMoreForm { seat, count } in &self.draw_more {
            let seat = self.check_seat(*seat, "draw_more", players)? as usize;
            if !(1..=MAX_CARDS).contains(count) || round.draw_more[seat] > 0 {
                return wrong(format!("`draw_more` has one `count` from 1 to {MAX_CARDS} for a seat"));
            }
            round.draw_more[seat] = *count;
        }
        for FaceUpForm { seat, until } in &self.face_up {
            let seat = self.check_seat(*seat, "face_up", players)?;
            let until = self.check_seat(*until, "face_up", players)?;
            if !round.notes.turn_up(FaceUp { seat, until }) {
                return wrong("`face_up` has the same seat and `until` once only");
            }
        }
        self.read_banners(round, rules)
    }

    fn read_liable(&self, round: &mut Round, rules: &Rules) -> Result<(), PositionError> {
        for seat in &self.liable {
            let seat = self.check_seat(*seat, "liable", round.players())?;
            if round.hand(seat).len() != 1 {
                return wrong(format!("seat {seat} is liable, so it holds exactly one card"));
            }
            if rules.uno_penalty() == 0 {
                return wrong("nobody is liable while `uno_penalty` is 0");
            }
            if round.liable.contains(seat) {
                return wrong(format!("seat {seat} is in `liable` twice"));
            }
            round.liable.insert(seat);
        }
        Ok(())
    }

    fn read_banners(&self, round: &mut Round, rules: &mut Rules) -> Result<(), PositionError> {
        if self.banners.len() > MAX_BANNERS {
            return wrong(format!("there is room for {MAX_BANNERS} banners, not {}", self.banners.len()));
        }
        for BannerForm { seat, text, until, by } in &self.banners {
            let seat = self.check_seat(*seat, "banners", round.players())?;
            if by.is_some() != (*until == Until::NextTurn) {
                return wrong("a banner until `next_turn` names `by` whom, one until `uno` does not");
            }
            let by = by.map(|by| self.check_seat(by, "banners", round.players())).transpose()?;
            if text.chars().count() > MAX_TEXT {
                return wrong(format!("the text of a banner has at most {MAX_TEXT} characters"));
            }
            let text = rules.intern(text).ok_or_else(|| PositionError("too many different texts".to_owned()))?;
            round.notes.raise(Banner { seat, text, by });
        }
        Ok(())
    }

    fn read_scores(&self, players: u8) -> Result<[u32; SEATS], PositionError> {
        let mut scores = [0; SEATS];
        if !self.scores.is_empty() && self.scores.len() != players as usize {
            return wrong(format!("{players} players need {players} scores, there are {}", self.scores.len()));
        }
        if self.scores.iter().any(|score| *score > MAX_SCORE) {
            return wrong(format!("a score goes up to {MAX_SCORE}"));
        }
        scores[..self.scores.len()].copy_from_slice(&self.scores);
        Ok(scores)
    }

    fn read_outcome(&self, round: &mut Round) -> Result<(Option<RoundResult>, Option<SeatSet>), PositionError> {
        let players = round.players();
        let (round_over, match_over) = match self.phase {
            Some(PhaseForm::RoundOver {}) => (true, false),
            Some(PhaseForm::MatchOver {}) => (true, true),
            _ => (false, false),
        };
        if self.result.is_some() != round_over {
            return wrong("`result` belongs to `round_over` and `match_over`, and only there");
        }
        if self.winners.is_some() != match_over {
            return wrong("`winners` belongs to `match_over`, and only there");
        }
        let result = self.result.as_ref().map(|result| self.read_result(result, players)).transpose()?;
        let winners = self.winners.as_ref().map(|seats| self.read_winners(seats, players)).transpose()?;
        Ok((result, winners))
    }

    fn read_result(&self, result: &ResultForm, players: u8) -> Result<RoundResult, PositionError> {
        let winner = result.winner.map(|seat| self.check_seat(seat, "result", players)).transpose()?;
        if result.points.len() != players as usize || result.points.iter().any(|points| *points > MAX_SCORE) {
            return wrong(format!("`result` has the points of all {players} players, up to {MAX_SCORE}"));
        }
        let mut points = [0; SEATS];
        points[..result.points.len()].copy_from_slice(&result.points);
        Ok(RoundResult { winner, points })
    }

    fn read_winners(&self, seats: &[Seat], players: u8) -> Result<SeatSet, PositionError> {
        let set: SeatSet = seats.iter().copied().collect();
        if seats.is_empty() || set.iter().count() != seats.len() || seats.iter().any(|seat| *seat >= players) {
            return wrong("`winners` names one or more different seats");
        }
        Ok(set)
    }
}

fn check_attack(seat: Seat, by: Seat, cards: u16, bluff: bool, top: Card) -> Result<(), PositionError> {
    if seat == by {
        return wrong("nobody responds to their own attack: `seat` and `by` differ");
    }
    if !(1..=MAX_ATTACK).contains(&cards) {
        return wrong(format!("the `cards` of `respond` go from 1 to {MAX_ATTACK}, not {cards}"));
    }
    if bluff && top.face() == Face::DrawTwo {
        return wrong("a Draw Two is never a bluff");
    }
    Ok(())
}

/// A score at the target ends the match (P2, P3).
fn check_targets(rules: &Rules, scores: &[u32]) -> Result<(), PositionError> {
    let Some(target) = rules.scoring().target() else { return Ok(()) };
    match (0..).zip(scores).find(|(_, score)| **score >= target) {
        Some((seat, score)) => wrong(format!(
            "seat {seat} has {score} points, but the match ends at {target}: lower the score, raise the `target`, or use \
             `match_over`"
        )),
        None => Ok(()),
    }
}

/// A hand is empty only after the round, or for a player who went out by an attack that can be blocked (F4).
fn check_empty_hands(round: &Round, rules: &Rules) -> Result<(), PositionError> {
    let out = match round.phase {
        Phase::Over { .. } => return Ok(()),
        Phase::Respond { by, .. } if rules.blockable => Some(by),
        _ => None,
    };
    let mut empty = (0..round.players()).filter(|seat| round.hand(*seat).is_empty() && Some(*seat) != out);
    match empty.next() {
        Some(seat) => wrong(format!("seat {seat} has no cards, though the round is not over")),
        None => Ok(()),
    }
}

fn check_copies(rules: &Rules, hands: &[Hand], draw: &[Card], discard: &[Card]) -> Result<(), PositionError> {
    for card in Card::all() {
        let in_hands: usize = hands.iter().map(|hand| hand.count(card) as usize).sum();
        let in_piles = draw.iter().chain(discard).filter(|c| **c == card).count();
        let copies = rules.deck().copies(card) as usize;
        if in_hands + in_piles > copies {
            let name = card.name(rules.palette());
            return wrong(format!("{name} comes {} times, the deck has it {copies} times", in_hands + in_piles));
        }
    }
    Ok(())
}
