//! Noninterference: nobody is told what they may not know.
//!
//! For one viewer, a second table is made in which everything that is hidden from them is different: other hands, the
//! order of the draw pile, whether an attack is a bluff, the cards in events of the past, what others added to the
//! shuffle, whom they muted, which guests they are. Both tables must say the same to this viewer, byte for byte. Secrets
//! cannot be changed that way, because their commitments are public: messages are searched for them instead.

use std::sync::Arc;

use unum_rules::fair::Entropy;
use unum_rules::{Card, CardList, Chance, Event, Guess, Hand, Match, Round, Rules, SEATS, Seat, Seeded, Sight, Veiled};

use crate::state::{Change, State};
use crate::table::Table;
use crate::{AddressMark, Entry, Fact, GuestId, Input, Moment, SeededDice};
use unum_protocol::{Person, Request, ServerMsg, Stage};

/// Compares what a viewer is told at this table and at one that differs in all that is hidden from them.
///
/// `after` is the number of the last change before the updates in question, or `None` for a snapshot. Returns whether
/// cards did differ.
///
/// # Errors
/// Says what differs, and how.
pub fn check(
    table: &Table,
    guest: GuestId,
    after: Option<u64>,
    now: Moment,
    chance: &mut Seeded,
) -> Result<bool, String> {
    let Some(member) = table.state.guest(guest) else { return Ok(false) };
    let other = redealt(table, member.person, after, chance);
    let (here, there) = (table.greet(guest, after, now), other.greet(guest, after, now));
    if here.len() != there.len() {
        return Err(format!("the number of messages to person {} depends on what is hidden", member.person));
    }
    for (here, there) in here.iter().zip(&there) {
        let (here, there) = (json(here), json(there));
        if here != there {
            return Err(format!("person {} is told what is hidden:\n{here}\n{there}", member.person));
        }
        check_secrets(&table.state, &here)?;
    }
    Ok(hands(table) != hands(&other))
}

/// Lets a viewer ask for something at this table and at one that differs in all that is hidden from them: either both
/// refuse, in the same words, or neither does. Nothing happens to the table itself. While somebody's catch is held there is
/// nothing to compare: what happens first may show the viewer hidden cards.
///
/// # Errors
/// Says what differs, and how.
pub fn check_answer(
    table: &Table,
    guest: GuestId,
    request: &Request,
    now: Moment,
    chance: &mut Seeded,
) -> Result<(), String> {
    let Some(member) = table.state.guest(guest).filter(|_| table.held.is_empty()) else { return Ok(()) };
    let answer = |mut table: Table| {
        let input = Input::Asked { guest, id: u32::MAX, request: request.clone() };
        let outcome = table.handle(input, now, &mut SeededDice::new(1));
        let told = outcome.deliveries.iter().filter(|delivery| delivery.to.contains(&guest));
        let refused = told.map(|delivery| &delivery.message);
        refused.filter(|message| matches!(message, ServerMsg::Refused { .. })).map(json).collect::<Vec<_>>()
    };
    let (here, there) = (answer(table.clone()), answer(redealt(table, member.person, Some(table.state.seq), chance)));
    if here == there {
        Ok(())
    } else {
        Err(format!("the answer to {request:?} tells what is hidden: {here:?} {there:?}"))
    }
}

/// The secret that an entry brings, as it would be written.
pub fn secret_of(entry: &Entry) -> Option<String> {
    match &entry.fact {
        Fact::Opened { secret, .. } | Fact::Committed { secret } => Some(secret.to_string()),
        _ => None,
    }
}

/// Searches a message, as it was written, for secrets of the journal: the only one that may be told is that of a round
/// that is over or was broken off.
///
/// # Errors
/// Says what was found.
pub fn check_message(secrets: &[String], message: &ServerMsg, text: &str) -> Result<(), String> {
    let lobby = match message {
        ServerMsg::Snapshot { lobby, .. } => Some(lobby),
        ServerMsg::Update { lobby, .. } => lobby.as_ref(),
        _ => None,
    };
    let over = lobby.filter(|lobby| lobby.stage != Stage::Playing);
    let revealed = over.and_then(|lobby| lobby.fair.revealed.as_ref()).map(|deal| deal.secret.to_string());
    let mut hidden = secrets.iter().filter(|secret| Some(*secret) != revealed.as_ref());
    if hidden.any(|secret| text.contains(secret)) { Err(format!("a secret is told in {text}")) } else { Ok(()) }
}

/// Searches a message for secrets that are not revealed yet, for what people added to a shuffle that has not been
/// revealed, and for the numbers of guests.
///
/// # Errors
/// Says what was found.
fn check_secrets(state: &State, message: &str) -> Result<(), String> {
    let playing = state.game.iter().filter(|game| game.play.result().is_none());
    let dealt = playing.flat_map(|game| game.fair.entropy.iter().flatten());
    let added = state.chairs.iter().filter_map(|chair| chair.part.as_ref());
    let hidden = dealt.chain(added).map(|entropy| entropy.to_string()).chain([state.secret.to_string()]);
    let guests = state.people.iter().map(|member| member.guest.0.to_string());
    match hidden.chain(guests).find(|hidden| message.contains(hidden.as_str())) {
        Some(found) => Err(format!("{found} is hidden, but not in {message}")),
        None => Ok(()),
    }
}

fn json(message: &ServerMsg) -> String {
    serde_json::to_string(message).expect("a message has a form in JSON")
}

fn hands(table: &Table) -> Option<Vec<Hand>> {
    table.state.game.as_ref().map(|game| game.play.round().hands().to_vec())
}

/// A table that looks the same to one person. Of the past, what came after that number is different too.
fn redealt(table: &Table, person: Person, after: Option<u64>, chance: &mut Seeded) -> Table {
    let mut other = table.clone();
    let seat = table.state.seat_of(person);
    if let Some(game) = other.state.game.as_mut().filter(|game| game.play.result().is_none()) {
        let round = deal_anew(&game.play, &table.state.rules, seat, chance);
        game.play = game.play.clone().with_round(round);
    }
    for change in other.state.recent.iter_mut().filter(|change| after.is_none_or(|after| change.seq > after)) {
        veil(Arc::make_mut(change), person, chance);
    }
    // Addresses are hidden, but not whether two people share one: see `State::judges`.
    let salt = u64::from(chance.below(u32::MAX));
    for member in &mut other.state.people {
        member.link.address = member.link.address.map(|mark| AddressMark(mark.0 ^ salt));
    }
    let everybody: Vec<Person> = other.state.people.iter().map(|member| member.person).collect();
    for member in other.state.people.iter_mut().filter(|member| member.person != person) {
        member.guest.0 += 1_000;
        member.last_id += 5;
        member.muted.clone_from(&everybody);
    }
    let viewer = table.state.member(person).map(|member| member.guest);
    if let Some(owner) = other.state.owner.as_mut().filter(|owner| Some(**owner) != viewer) {
        owner.0 += 1_000;
    }
    let host = other.state.host == Some(person);
    for kicked in &mut other.state.kicked {
        kicked.guest.0 += 1_000;
        kicked.address = kicked.address.map(|_| AddressMark(7));
        if !host {
            kicked.name.push('x');
        }
    }
    for chair in other.state.chairs.iter_mut().filter(|chair| chair.person != Some(person)) {
        chair.part = chair.part.map(|_| Entropy(std::array::from_fn(|_| chance.below(256) as u8)));
        chair.timeouts = 1 - chair.timeouts.min(1);
        chair.bot = None;
    }
    other
}

/// The round with all cards that the viewer cannot see dealt again. A spectator needs two goes: in each, one
/// seat's cards stay where they are.
fn deal_anew(play: &Match, rules: &Rules, seat: Option<Seat>, chance: &mut Seeded) -> Round {
    let seats = seat.map_or(vec![0, 1], |seat| vec![seat]);
    seats.into_iter().fold(*play.round(), |round, seat| imagine(&round, rules, seat, chance).unwrap_or(round))
}

fn imagine(round: &Round, rules: &Rules, seat: Seat, chance: &mut Seeded) -> Option<Round> {
    let sight = Sight::new(round, rules, seat, &[]);
    let mut cards: Vec<Card> = sight.unseen().iter().collect();
    chance.shuffle(&mut cards);
    let mut hands = [Hand::EMPTY; SEATS];
    for other in (0..round.players()).filter(|other| *other != seat) {
        let known = sight.open_hand(other).unwrap_or(Hand::EMPTY);
        let missing = round.hand(other).len().checked_sub(known.len())?;
        let fresh = cards.split_off(cards.len().checked_sub(missing)?);
        hands[usize::from(other)] = Hand::try_from_iter(fresh.into_iter().chain(known.iter()))?;
    }
    sight.imagine(&Guess { hands, draw_pile: &cards, bluff: chance.below(2) == 1 })
}

/// Puts other cards into the events that a person saw closed.
fn veil(change: &mut Change, person: Person, chance: &mut Seeded) {
    let eyes = change.seating.iter().position(|sitting| *sitting == Some(person)).map(|seat| seat as Seat);
    for event in &mut change.events {
        let closed = match event {
            Event::Dealt { seat, cards } | Event::Drew { seat, cards, .. } | Event::Received { seat, cards } => {
                (eyes != Some(*seat)).then_some(cards)
            }
            Event::HandShown { seat, to, hand } => (eyes != Some(*seat) && eyes != Some(*to)).then_some(hand),
            _ => None,
        };
        if let Some(cards) = closed {
            let count = usize::from(cards.count());
            let any = (0..count).filter_map(|_| Card::from_index(chance.below(52) as usize));
            *cards = Veiled::Open(CardList::try_from_iter(any).unwrap_or(CardList::EMPTY));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Trial;
    use unum_protocol::{Refusal, Settings, TableCode};

    /// What is hidden from one really is different, or the comparison would prove nothing.
    #[test]
    fn what_is_hidden_from_one_differs_for_another() {
        let (ada, bea) = (GuestId(71_000_000), GuestId(72_000_000));
        let mut trial = Trial::open(ada, Settings::default(), 3).unwrap();
        trial.arrive(ada, "Ada", None);
        trial.arrive(bea, "Bea", None);
        trial.ask(bea, Request::Accept { agreement: 1 });
        trial.ask(bea, Request::Ready { ready: true, pledge: None });
        let before = trial.table.seq();
        trial.ask(ada, Request::Start { pledge: None });
        let other = redealt(&trial.table, 1, Some(before), &mut Seeded::new(1));
        assert!(check(&trial.table, ada, Some(before), trial.now, &mut Seeded::new(1)).unwrap());
        let told = |table: &Table, guest: u64, after| {
            let greeting = table.greet(GuestId(guest), after, trial.now);
            greeting.iter().skip(1).map(json).collect::<Vec<_>>()
        };
        assert_eq!(told(&trial.table, ada.0, None), told(&other, ada.0, None));
        for after in [None, Some(before)] {
            assert_ne!(told(&trial.table, bea.0, after), told(&other, bea.0 + 1_000, after));
        }
    }

    #[test]
    fn a_secret_in_a_message_is_found() {
        let trial = Trial::open(GuestId(71_000_000), Settings::default(), 3).unwrap();
        let secret = trial.table.state.secret.to_string();
        let message = ServerMsg::dismissed(Refusal::new(TableCode::Kicked, secret.clone()));
        let secrets: Vec<String> = trial.entries.iter().filter_map(secret_of).collect();
        assert!(check_message(&secrets, &message, &json(&message)).is_err());
        assert!(check_secrets(&trial.table.state, &json(&message)).is_err());
        assert!(check_message(&secrets, &ServerMsg::Pong {}, &json(&ServerMsg::Pong {})).is_ok());
    }
}
