//! A model of the lease protocol, explored by deterministic simulation: nodes that pause, are cut off, lose answers; a
//! database that is away and whose clock jumps. With a part of the fencing taken out, the same exploration finds the bug.

use super::Terms;

/// What an append is checked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fencing {
    /// The number it comes after, the epoch, and whether the same attempt was carried out before.
    Whole,
    /// Not the epoch.
    NoEpoch,
    /// The epoch alone.
    EpochAlone,
    /// Not whether the attempt was carried out before: only what the answer says is wrong then.
    NoAttempt,
}

/// How many nodes share the one table.
const NODES: usize = 3;

type Time = i64;

/// An entry that nobody else ever writes.
type Entry = u32;

#[derive(Clone, Copy, Debug, Default)]
struct NodeState {
    alive: bool,
    renewed: Time,
    expires: Time,
}

/// The database. Its clock is the true time plus a jump.
#[derive(Clone, Debug, Default)]
struct Database {
    jump: Time,
    nodes: [NodeState; NODES],
    owner: Option<usize>,
    epoch: u64,
    /// Every entry with the epoch it was written in.
    journal: Vec<(Entry, u64)>,
    /// The last attempt of each node, and whether it was written.
    attempts: [(u32, bool); NODES],
}

/// What a node asks of the database.
#[derive(Clone, Copy, Debug)]
enum Request {
    Renew {
        asked: Time,
    },
    /// After it was declared dead, and has put the table away.
    Rejoin {
        asked: Time,
    },
    Bury,
    Take,
    Append {
        attempt: u32,
        after: usize,
        epoch: u64,
        entry: Entry,
    },
}

/// What the database answers.
#[derive(Clone, Debug)]
enum Answer {
    Renewed {
        asked: Time,
        alive: bool,
    },
    Buried,
    /// The epoch, and the journal as it was then.
    Taken {
        epoch: u64,
        journal: Vec<Entry>,
    },
    Refused,
    Appended {
        attempt: u32,
        written: bool,
    },
}

/// What a node believes.
#[derive(Clone, Debug, Default)]
struct Node {
    paused: bool,
    cut: bool,
    /// Until when it may serve, in true time.
    until: Time,
    /// The epoch of its lease.
    epoch: Option<u64>,
    /// The journal as it knows it.
    known: Vec<Entry>,
    /// The append whose answer it waits for.
    pending: Option<(u32, Entry)>,
    attempts: u32,
}

struct World {
    fencing: Fencing,
    terms: (Time, Time, Time),
    now: Time,
    is_up: bool,
    database: Database,
    nodes: [Node; NODES],
    requests: Vec<(usize, Request)>,
    answers: Vec<(usize, Answer)>,
    /// What people were told: the number of an entry and the entry.
    acknowledged: Vec<(usize, Entry)>,
    entries: Entry,
    jumped: bool,
    /// How often a node that was declared dead took part again.
    rejoined: u64,
    chance: u64,
}

impl World {
    fn new(fencing: Fencing, seed: u64) -> World {
        let millis = |time: std::time::Duration| Time::try_from(time.as_millis() / 100).unwrap();
        let terms = Terms::default();
        let mut world = World {
            fencing,
            terms: (millis(terms.term), millis(terms.gap()), millis(terms.served_for())),
            now: 1000,
            is_up: true,
            database: Database::default(),
            nodes: Default::default(),
            requests: Vec::new(),
            answers: Vec::new(),
            acknowledged: Vec::new(),
            entries: 0,
            jumped: false,
            rejoined: 0,
            chance: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        };
        let (term, _, served) = world.terms;
        for node in 0..NODES {
            world.database.nodes[node] = NodeState { alive: true, renewed: 1000, expires: 1000 + term };
            world.nodes[node].until = 1000 + served;
        }
        world
    }

    fn below(&mut self, bound: usize) -> usize {
        self.chance ^= self.chance << 13;
        self.chance ^= self.chance >> 7;
        self.chance ^= self.chance << 17;
        (self.chance >> 20) as usize % bound.max(1)
    }

    /// One thing that can happen. Errors are promises that were broken.
    fn step(&mut self) -> Result<(), String> {
        let node = self.below(NODES);
        match self.below(100) {
            0..10 => self.now += 1 + self.below(4) as Time,
            10..14 => self.nodes[node].paused = !self.nodes[node].paused && self.below(3) == 0,
            14..17 => self.nodes[node].cut = !self.nodes[node].cut && self.below(3) == 0,
            17..18 => self.is_up = !self.is_up || self.below(3) > 0,
            18..19 => {
                self.jumped = true;
                self.database.jump += self.below(400) as Time - 200;
            }
            19..22 => self.now += self.below(60) as Time,
            22..26 => drop(self.pick_request()),
            26..30 => drop(self.pick_answer()),
            30..60 => return self.deliver_request(),
            60..80 => return self.deliver_answer(),
            _ => self.act(node),
        }
        Ok(())
    }

    fn pick_request(&mut self) -> Option<(usize, Request)> {
        let at = self.below(self.requests.len());
        (at < self.requests.len()).then(|| self.requests.swap_remove(at))
    }

    fn pick_answer(&mut self) -> Option<(usize, Answer)> {
        let at = self.below(self.answers.len());
        (at < self.answers.len()).then(|| self.answers.swap_remove(at))
    }

    /// A node that runs does one of the things it may do. What it sends can arrive at any later time, or never.
    fn act(&mut self, node: usize) {
        if self.nodes[node].paused || self.requests.len() > 12 {
            return;
        }
        let choice = self.below(6);
        let (now, me) = (self.now, &mut self.nodes[node]);
        let may_serve = now < me.until;
        let request = match (choice, me.epoch, me.pending) {
            (0 | 1, ..) if me.until == Time::MIN => Request::Rejoin { asked: now },
            (0 | 1, ..) => Request::Renew { asked: now },
            (2, ..) => Request::Bury,
            (3, None, _) => Request::Take,
            // The answer was lost: the same attempt again.
            (4 | 5, Some(epoch), Some((attempt, entry))) => {
                Request::Append { attempt, after: me.known.len(), epoch, entry }
            }
            (4 | 5, Some(epoch), None) if may_serve => {
                self.entries += 1;
                me.attempts += 1;
                me.pending = Some((me.attempts, self.entries));
                Request::Append { attempt: me.attempts, after: me.known.len(), epoch, entry: self.entries }
            }
            _ => return,
        };
        if !self.nodes[node].cut {
            self.requests.push((node, request));
        }
    }

    fn deliver_request(&mut self) -> Result<(), String> {
        let Some((node, request)) = self.pick_request() else { return Ok(()) };
        if !self.is_up || self.nodes[node].cut {
            return Ok(());
        }
        let answer = self.carry_out(node, request)?;
        self.answers.push((node, answer));
        Ok(())
    }

    fn carry_out(&mut self, node: usize, request: Request) -> Result<Answer, String> {
        let clock = self.now + self.database.jump;
        Ok(match request {
            Request::Renew { asked } => Answer::Renewed { asked, alive: self.renew(node, clock) },
            Request::Rejoin { asked } => {
                let expires = clock + self.terms.0;
                self.database.nodes[node] = NodeState { alive: true, renewed: clock, expires };
                self.rejoined += 1;
                Answer::Renewed { asked, alive: true }
            }
            Request::Bury => {
                self.bury(node, clock)?;
                Answer::Buried
            }
            Request::Take => self.take(node),
            Request::Append { attempt, after, epoch, entry } => {
                let written = self.append(node, attempt, after, epoch, entry)?;
                Answer::Appended { attempt, written }
            }
        })
    }

    fn last_renewal(&self) -> Option<Time> {
        self.database.nodes.iter().filter(|node| node.alive).map(|node| node.renewed).max()
    }

    fn renew(&mut self, node: usize, clock: Time) -> bool {
        let (term, gap, _) = self.terms;
        let away = self.last_renewal().is_some_and(|at| at < clock - gap || at > clock + gap);
        for (at, other) in self.database.nodes.iter_mut().enumerate().filter(|(_, other)| other.alive) {
            let is_me = at == node;
            other.renewed = if is_me { clock } else { other.renewed.min(clock) };
            other.expires = if is_me || away { clock + term } else { other.expires.min(clock + term) };
        }
        self.database.nodes[node].alive
    }

    fn bury(&mut self, node: usize, clock: Time) -> Result<(), String> {
        let (_, gap, _) = self.terms;
        if self.last_renewal().is_none_or(|at| at < clock - gap || at > clock + gap) {
            return Ok(());
        }
        for other in (0..NODES).filter(|other| *other != node) {
            let state = &mut self.database.nodes[other];
            if !state.alive || state.expires > clock {
                continue;
            }
            state.alive = false;
            let serves = self.nodes[other].epoch.is_some() && self.now < self.nodes[other].until;
            if serves && !self.jumped {
                return Err(format!("node {other} still serves when its lease is taken"));
            }
        }
        Ok(())
    }

    fn take(&mut self, node: usize) -> Answer {
        let database = &mut self.database;
        let is_free = database.owner.is_none_or(|owner| owner == node || !database.nodes[owner].alive);
        if !(is_free && database.nodes[node].alive) {
            return Answer::Refused;
        }
        database.owner = Some(node);
        database.epoch += 1;
        Answer::Taken { epoch: database.epoch, journal: database.journal.iter().map(|(entry, _)| *entry).collect() }
    }

    fn append(&mut self, node: usize, attempt: u32, after: usize, epoch: u64, entry: Entry) -> Result<bool, String> {
        let (fencing, database) = (self.fencing, &mut self.database);
        let (last, outcome) = database.attempts[node];
        if !matches!(fencing, Fencing::NoAttempt | Fencing::EpochAlone) && last >= attempt {
            return Ok(last == attempt && outcome);
        }
        let fits = fencing == Fencing::EpochAlone || after == database.journal.len();
        let written = fits && (fencing == Fencing::NoEpoch || epoch == database.epoch);
        database.attempts[node] = (attempt, written);
        if written {
            database.journal.push((entry, epoch));
            self.check_journal()?;
        }
        Ok(written)
    }

    /// What the journal promises after every change.
    fn check_journal(&self) -> Result<(), String> {
        let journal = &self.database.journal;
        if let [.., before, last] = journal.as_slice()
            && last.1 < before.1
        {
            return Err("an old owner wrote after a new one".to_owned());
        }
        if journal.last().is_some_and(|(_, epoch)| *epoch != self.database.epoch) {
            return Err("somebody wrote whose table was taken".to_owned());
        }
        let last = journal.last().map(|(entry, _)| *entry);
        if journal.iter().filter(|(entry, _)| Some(*entry) == last).count() > 1 {
            return Err("an entry was written twice".to_owned());
        }
        Ok(())
    }

    fn deliver_answer(&mut self) -> Result<(), String> {
        let Some((node, answer)) = self.pick_answer() else { return Ok(()) };
        if self.nodes[node].paused || self.nodes[node].cut {
            return Ok(());
        }
        let served = self.terms.2;
        let me = &mut self.nodes[node];
        match answer {
            Answer::Renewed { asked, alive: true } => me.until = me.until.max(asked + served),
            Answer::Renewed { alive: false, .. } => (me.until, me.epoch, me.pending) = (Time::MIN, None, None),
            Answer::Taken { epoch, journal } if me.epoch.is_none_or(|mine| mine < epoch) => {
                (me.epoch, me.known, me.pending) = (Some(epoch), journal, None);
            }
            Answer::Appended { attempt, written } => {
                let Some((_, entry)) = me.pending.filter(|(pending, _)| *pending == attempt) else { return Ok(()) };
                me.pending = None;
                if !written {
                    // The table is loaded again, if it can be had.
                    me.epoch = None;
                    return Ok(());
                }
                me.known.push(entry);
                let number = me.known.len();
                self.acknowledged.push((number, entry));
                return self.check_acknowledged();
            }
            Answer::Taken { .. } | Answer::Refused | Answer::Buried => {}
        }
        Ok(())
    }

    /// What people were told is what the journal has, at that number.
    fn check_acknowledged(&self) -> Result<(), String> {
        for (number, entry) in &self.acknowledged {
            if self.database.journal.get(number - 1).map(|(found, _)| found) != Some(entry) {
                return Err(format!(
                    "entry {entry} was acknowledged as number {number}, where the journal has another"
                ));
            }
        }
        Ok(())
    }
}

/// How many entries were acknowledged in all, or the first broken promise.
fn explore(fencing: Fencing, runs: u64) -> Result<(usize, u64, u64), String> {
    let (mut acknowledged, mut takeovers, mut rejoined) = (0, 0, 0);
    for seed in 0..runs {
        let mut world = World::new(fencing, seed);
        for step in 0..600 {
            world.step().map_err(|broken| format!("seed {seed}, step {step}: {broken}"))?;
        }
        world.check_acknowledged().map_err(|broken| format!("seed {seed}: {broken}"))?;
        acknowledged += world.acknowledged.len();
        takeovers += world.database.epoch.saturating_sub(1);
        rejoined += world.rejoined;
    }
    Ok((acknowledged, takeovers, rejoined))
}

#[test]
fn no_acknowledged_entry_is_lost_or_doubled_whatever_happens() {
    let (acknowledged, takeovers, rejoined) = explore(Fencing::Whole, 4000).unwrap();
    assert!(acknowledged > 4000, "only {acknowledged} were acknowledged");
    assert!(takeovers > 1000, "only {takeovers} takeovers");
    assert!(rejoined > 20, "only {rejoined} came back");
}

#[test]
fn without_a_part_of_the_fencing_the_bug_is_found() {
    for (fencing, expected) in [(Fencing::NoEpoch, "whose table was taken"), (Fencing::EpochAlone, "written twice")] {
        let broken = explore(fencing, 4000).unwrap_err();
        assert!(broken.contains(expected), "{fencing:?}: {broken}");
    }
}

/// Without notes of attempts nothing is doubled, but what was written is told as refused.
#[test]
fn without_notes_of_attempts_the_answer_is_wrong() {
    let mut world = World::new(Fencing::NoAttempt, 1);
    world.database.owner = Some(0);
    world.database.epoch = 1;
    assert_eq!(world.append(0, 1, 0, 1, 7), Ok(true));
    assert_eq!(world.append(0, 1, 0, 1, 7), Ok(false), "the answer was lost, and the second one is wrong");
    world.fencing = Fencing::Whole;
    world.database.attempts[0] = (1, true);
    assert_eq!(world.append(0, 1, 0, 1, 7), Ok(true), "with the notes it is found again");
    assert_eq!(world.database.journal.len(), 1);
}

/// Everybody renews and buries in turn, in an order that changes, while the database is up.
fn keep_on(world: &mut World, who: &[usize], until: Time) {
    let every = Time::try_from(Terms::default().renewed_every().as_millis() / 100).unwrap();
    while world.now < until {
        world.now += every;
        let first = world.below(who.len());
        for turn in 0..who.len() {
            let node = who[(first + turn) % who.len()];
            let clock = world.now + world.database.jump;
            world.renew(node, clock);
            world.bury(node, clock).unwrap();
        }
    }
}

#[test]
fn a_database_that_was_away_or_whose_clock_jumped_costs_nobody_their_tables() {
    for seed in 0..200 {
        let mut world = World::new(Fencing::Whole, seed);
        for trouble in 0..6 {
            let until = world.now + 100;
            keep_on(&mut world, &[0, 1, 2], until);
            match trouble {
                0 | 3 => world.now += 1000,
                1 => world.database.jump += 5000,
                2 => world.database.jump -= 7000,
                _ => {
                    // It stood still between a renewal and what came after it.
                    let clock = world.now + world.database.jump;
                    world.renew(0, clock);
                    world.now += 1000;
                    world.bury(0, clock + 1000).unwrap();
                }
            }
        }
        let until = world.now + 100;
        keep_on(&mut world, &[0, 1, 2], until);
        assert!(world.database.nodes.iter().all(|node| node.alive), "seed {seed}");
    }
}

#[test]
fn a_node_that_is_gone_is_declared_dead_within_two_terms() {
    for seed in 0..50 {
        let mut world = World::new(Fencing::Whole, seed);
        let until = world.now + 100;
        keep_on(&mut world, &[0, 1, 2], until);
        let until = world.now + 2 * world.terms.0;
        keep_on(&mut world, &[0, 2], until);
        let alive: Vec<bool> = world.database.nodes.iter().map(|node| node.alive).collect();
        assert_eq!(alive, [true, false, true]);
    }
}
