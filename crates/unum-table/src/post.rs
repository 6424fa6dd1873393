//! Deliveries: who is told what, and when. What somebody has missed is one message, serialized once for all who see it the
//! same way.
//!
//! Players hear of almost everything at once, onlookers of the game. The rest is batched and sent with the next urgent
//! change, or a quarter of a second after the last batch. What somebody may not know waits for the next thing they may.

use unum_protocol::{OwnView, Person, ServerMsg};

use unum_rules::order;

use crate::render::{Codec, Consequences, Key, Outgoing, Shared, Update};
use crate::state::{Member, State};
use crate::table::{Delivery, Effects, Table};
use crate::{GuestId, Moment};

/// Milliseconds between two batches.
const GATHERING: u64 = 250;
/// The most changes in a batch: far fewer than are kept.
const MOST_GATHERED: usize = 16;

/// Changes waiting to be sent together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gathered {
    /// When the last batch was sent.
    told: Moment,
    /// Whether somebody waits.
    waits: bool,
    /// When everybody was last told who is here.
    presence: Moment,
    /// Whether somebody came or went since.
    stirred: bool,
}

impl Gathered {
    /// When the next message is due.
    pub(crate) fn due(&self) -> Option<Moment> {
        let changes = self.waits.then(|| self.told.after(GATHERING));
        let presence = self.stirred.then(|| self.presence.after(GATHERING));
        changes.into_iter().chain(presence).min()
    }

    /// Whether somebody waits to be told what they may do now.
    #[cfg(feature = "sim")]
    pub(crate) fn is_pending(&self) -> bool {
        self.waits || self.stirred
    }
}

/// When somebody is told what they have missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Now,
    /// With the next batch.
    Gathered,
    /// When there is something they may know.
    Whenever,
}

impl State {
    /// When a viewer is told what they have missed.
    fn when(&self, viewer: &Member) -> When {
        let missed = self.changes_after(viewer.link.told);
        if missed.len() >= MOST_GATHERED || missed.iter().any(|change| change.is_urgent_for(viewer)) {
            When::Now
        } else if missed.iter().all(|change| change.is_nothing_to(viewer)) {
            When::Whenever
        } else if self.seat_of(viewer.person).is_some() && !missed.iter().all(|change| change.is_patient()) {
            When::Now
        } else {
            When::Gathered
        }
    }
}

impl Table {
    /// What everybody who is connected is told, and in which order.
    pub(crate) fn deliver<C: Codec>(&mut self, effects: &mut Effects, codec: &mut C) -> Vec<Delivery<C::Frame>> {
        let mut letters = Letters { codec, list: Vec::new() };
        for (guest, message) in std::mem::take(&mut effects.told) {
            letters.send(guest, &Outgoing::Message(&message));
        }
        self.note_greeting(effects.newcomer);
        let due = self.due_viewers(effects.now);
        self.tell_changes(&due, effects.now, &mut letters);
        self.gathered.stirred |= effects.presence;
        if self.gathered.stirred && self.gathered.presence.after(GATHERING) <= effects.now {
            self.tell_presence(effects, &mut letters);
        }
        self.part(effects, &mut letters);
        letters.list.into_iter().map(|letter| letter.delivery).collect()
    }

    /// A greeting brings a newcomer up to date.
    fn note_greeting(&mut self, newcomer: Option<GuestId>) {
        let Some(member) = newcomer.and_then(|guest| self.state.guest(guest)) else { return };
        let (person, own, seq) = (member.person, self.state.own_view(member), self.state.seq);
        if let Some(member) = self.state.member_mut(person) {
            (member.link.told, member.link.own, member.link.stale) = (seq, own, false);
        }
    }

    /// Who is due to be told what they have missed.
    fn due_viewers(&mut self, now: Moment) -> Vec<GuestId> {
        let behind = |member: &&Member| member.link.connected && member.link.told < self.state.seq;
        let behind = self.state.people.iter().filter(behind).map(|member| (member.guest, self.state.when(member)));
        let behind: Vec<(GuestId, When)> = behind.collect();
        let gathering = self.gathered.told.after(GATHERING) <= now;
        let due = |when: When| when == When::Now || when == When::Gathered && gathering;
        self.gathered.waits = behind.iter().any(|(_, when)| *when == When::Gathered) && !gathering;
        if !self.gathered.waits && behind.iter().any(|(_, when)| due(*when)) {
            self.gathered.told = now;
        }
        behind.into_iter().filter(|(_, when)| due(*when)).map(|(guest, _)| guest).collect()
    }

    /// Sends changes to everybody who is due, each from the last one they know.
    fn tell_changes<C: Codec>(&mut self, due: &[GuestId], now: Moment, letters: &mut Letters<'_, C>) {
        let mut viewers: Vec<&Member> = due.iter().filter_map(|guest| self.state.guest(*guest)).collect();
        order::sort_by_key(&mut viewers, |viewer| viewer.link.told);
        let shared = Shared::new(&self.state, now);
        let mut news = Vec::with_capacity(viewers.len());
        for group in viewers.chunk_by(|one, other| one.link.told == other.link.told) {
            let missed = self.state.changes_after(group[0].link.told);
            let (all, column) = (Consequences::of(&missed, &shared), letters.list.len());
            for viewer in group {
                if let Some(update) = Update::new(&self.state, &missed, viewer, Some(&all)) {
                    letters.share(column, viewer.guest, &update);
                    news.push((viewer.guest, all.concerns(viewer), update.into_own()));
                }
            }
        }
        for (guest, concerned, own) in news {
            self.note_told(guest, concerned, own);
        }
    }

    /// Somebody was told all changes, whether what concerns them alone was looked at, and what was new of it.
    fn note_told(&mut self, guest: GuestId, concerned: bool, own: Option<OwnView>) {
        let seq = self.state.seq;
        if let Some(member) = self.state.people.iter_mut().find(|member| member.guest == guest) {
            (member.link.told, member.link.stale) = (seq, member.link.stale && !concerned);
            if let Some(own) = own {
                member.link.own = own;
            }
        }
    }

    /// Tells everybody who is here; viewers with the same message share it.
    fn tell_presence<C: Codec>(&mut self, effects: &Effects, letters: &mut Letters<'_, C>) {
        (self.gathered.presence, self.gathered.stirred) = (effects.now, false);
        let (mut groups, mut late): (Vec<(_, Vec<GuestId>)>, Vec<Person>) = Default::default();
        let viewers = self.state.people.iter().filter(|member| member.link.connected);
        for viewer in viewers.filter(|member| Some(member.guest) != effects.newcomer) {
            // Viewers who wait for changes are told with them what they may do then.
            let behind = viewer.link.told < self.state.seq;
            let waits = behind && self.state.when(viewer) != When::Whenever;
            let news = if waits { None } else { self.state.news_for(viewer) };
            late.extend(waits.then_some(viewer.person));
            match groups.iter_mut().find(|(own, _)| *own == news) {
                Some((_, guests)) => guests.push(viewer.guest),
                None => groups.push((news, vec![viewer.guest])),
            }
        }
        for member in self.state.people.iter_mut().filter(|member| late.contains(&member.person)) {
            member.link.stale = true;
        }
        for (own, to) in groups {
            if let Some(own) = &own {
                self.note_own(&to, own);
            }
            let message = letters.codec.encode(&Outgoing::Message(&self.state.presence(own)));
            letters.list.push(Letter { key: None, delivery: Delivery { to, message } });
        }
    }

    fn note_own(&mut self, guests: &[GuestId], own: &OwnView) {
        for member in self.state.people.iter_mut().filter(|member| guests.contains(&member.guest)) {
            member.link.own.clone_from(own);
        }
    }

    /// The last messages to people who have left.
    fn part<C: Codec>(&self, effects: &mut Effects, letters: &mut Letters<'_, C>) {
        for (gone, why) in std::mem::take(&mut effects.parting) {
            if gone.link.connected {
                let missed = self.state.farewell(&gone, gone.link.told);
                if let Some(update) = Update::new(&self.state, &missed, &gone, None) {
                    letters.send(gone.guest, &Outgoing::Update(&update));
                }
                letters.send(gone.guest, &Outgoing::Message(&ServerMsg::dismissed(why)));
            }
            effects.dismissed.push(gone.guest);
        }
    }
}

/// Messages being written.
struct Letters<'a, C: Codec> {
    codec: &'a mut C,
    list: Vec<Letter<C::Frame>>,
}

/// A message, and what it depends on if others may get the same one.
struct Letter<F> {
    key: Option<Key>,
    delivery: Delivery<F>,
}

impl<C: Codec> Letters<'_, C> {
    fn send(&mut self, guest: GuestId, message: &Outgoing<'_>) {
        let message = self.codec.encode(message);
        self.list.push(Letter { key: None, delivery: Delivery { to: vec![guest], message } });
    }

    /// Sends an update; viewers for whom it is the same one share it.
    fn share(&mut self, column: usize, guest: GuestId, update: &Update<'_>) {
        let key = Some(update.key());
        match self.list[column..].iter_mut().find(|letter| letter.key == key) {
            Some(letter) => letter.delivery.to.push(guest),
            None => {
                self.send(guest, &Outgoing::Update(update));
                if let Some(letter) = self.list.last_mut() {
                    letter.key = key;
                }
            }
        }
    }
}
