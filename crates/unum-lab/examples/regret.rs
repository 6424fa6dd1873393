//! Measures the regret of decisions: a yardstick for the expert with far less noise than an arena.
//!
//! Bots of the level `hard` play rounds among themselves. In one of four turns with a choice, every action is tried in
//! imagined worlds, each played to its end by the same bots with all they remember, and in the true one with the draw pile
//! shuffled again. What an action wins on average is its value; what a decision gains is the value of its action beyond
//! that of `hard`. Times the number of such turns in a round, that is about how much more often a bot wins than `hard` does.
//!
//! ```sh
//! cargo run --release -p unum-lab --example regret -- measure values.txt 4 1600 2000 1
//! cargo run --release -p unum-lab --example regret -- judge values.txt 1500w 1
//! cargo run --release -p unum-lab --example regret -- believe 4 6000 60 1
//! ```
//!
//! The arguments of `measure` are the file for the values, the players, the positions, the worlds for each, and the seed;
//! those of `judge` the file, how long the expert thinks, and its seed. The values hold as long as `hard` stays as it is.
//! 1,600 positions in 2,000 worlds take about four minutes. `believe` compares the hands an expert imagines with the true
//! ones, in the given numbers of positions and worlds.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::time::{Duration, Instant};

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use unum_bots::appraisal::Choice;
use unum_bots::judgment::carry_out;
use unum_bots::{Bot, Budget, Expert, Hard};
use unum_rules::{
    Action, CardList, CardSet, Chance, Color, Edition, Event, Guess, Hand, Phase, Round, Rules, SEATS, Seat, SeenEvent,
    Sight, Sink, Viewer,
};

/// One in this many turns with a choice is kept.
const KEPT: u32 = 4;
/// For this many imagined worlds there is a true one.
const TRUE_WORLDS: u32 = 8;
/// A round that takes more actions is given up.
const LONGEST: u32 = 5_000;

/// Somebody at the table, and an expert who looks over their shoulder.
#[derive(Clone)]
struct Player {
    hard: Hard,
    expert: Expert,
}

/// Tells the players what happens.
struct Table<'a, P> {
    players: &'a mut [P],
    tell: fn(&mut P, &SeenEvent),
}

impl<P> Sink for Table<'_, P> {
    fn push(&mut self, event: Event) {
        for (seat, player) in (0..).zip(self.players.iter_mut()) {
            (self.tell)(player, &event.seen_by(Viewer::Seat(seat)));
        }
    }
}

/// A turn with a choice.
struct Position<'a> {
    rules: &'a Rules,
    round: Round,
    seat: Seat,
    players: Vec<Player>,
    actions: Vec<Action>,
    /// What `hard` does.
    usual: Action,
}

impl Position<'_> {
    fn sight(&self) -> Sight<'_> {
        Sight::new(&self.round, self.rules, self.seat, &[])
    }

    fn expert(&self) -> Expert {
        self.players[usize::from(self.seat)].expert.clone()
    }

    /// The true hands with the draw pile in another order.
    fn true_world(&self, chance: &mut Pcg64Mcg) -> Option<Round> {
        let (sight, mut hands) = (self.sight(), [Hand::EMPTY; SEATS]);
        let mut rest = sight.unseen();
        for seat in (0..self.round.players()).filter(|seat| *seat != self.seat) {
            hands[usize::from(seat)] = *self.round.hand(seat);
            rest.remove_all(self.round.hand(seat));
        }
        let mut pile = CardList::try_from_iter(rest.iter())?;
        chance.shuffle(pile.as_mut_slice());
        let bluff = matches!(self.round.phase(), Phase::Respond { bluff: true, .. });
        sight.imagine(&Guess { hands, draw_pile: pile.get(..sight.draw_count())?, bluff })
    }

    /// Whether the seat wins a round that begins with this action.
    fn wins(&self, world: &Round, bots: &[Hard], action: &Action, luck: u64) -> f64 {
        let (mut round, mut bots) = (*world, bots.to_vec());
        let mut chance = Pcg64Mcg::seed_from_u64(luck);
        let (mut seat, mut action) = (self.seat, *action);
        for _ in 0..LONGEST {
            let mut table = Table { players: &mut bots, tell: Hard::see };
            if round.apply(self.rules, seat, &action, &mut chance, &mut table).is_err() {
                return 0.0;
            }
            let Some(next) = round.awaited() else { break };
            seat = next;
            action = bots[usize::from(seat)].act(&Sight::new(&round, self.rules, seat, &[]));
        }
        match *round.phase() {
            Phase::Over { winner: Some(winner) } => f64::from(u8::from(winner == self.seat)),
            _ => 1.0 / f64::from(round.players()),
        }
    }

    /// The value of every action: in two halves of the imagined worlds, and in the true one.
    fn measure(&self, worlds: u32, chance: &mut Pcg64Mcg) -> Vec<[f64; 3]> {
        let (mut sums, mut counts) = (vec![[0.0; 3]; self.actions.len()], [0.0; 3]);
        let (sight, mut dreamer) = (self.sight(), self.expert());
        let bots: Vec<Hard> = self.players.iter().map(|player| player.hard.clone()).collect();
        for number in 0..worlds {
            let truly = if number.is_multiple_of(TRUE_WORLDS) { self.true_world(chance) } else { None };
            let imagined = dreamer.imagine(&sight).map(|world| (world, (number % 2) as usize));
            for (world, place) in imagined.into_iter().chain(truly.map(|world| (world, 2))) {
                let luck = u64::from(chance.below(u32::MAX)) << 32 | u64::from(chance.below(u32::MAX));
                counts[place] += 1.0;
                for (action, sums) in self.actions.iter().zip(&mut sums) {
                    sums[place] += self.wins(&world, &bots, action, luck);
                }
            }
        }
        sums.iter().map(|sums| std::array::from_fn(|place| sums[place] / counts[place])).collect()
    }
}

/// Which positions to look at, and how the expert thinks there.
#[derive(Clone, Copy)]
struct Search {
    players: u8,
    positions: usize,
    seed: u64,
    budget: Budget,
    expert_seed: u64,
}

impl Search {
    /// Plays rounds until there were enough positions. Says how many turns with a choice a seat has in a round.
    fn each_position(&self, mut visit: impl FnMut(&Position<'_>)) -> Result<f64, Box<dyn Error>> {
        let rules = Rules::of(Edition::Original);
        let mut chance = Pcg64Mcg::seed_from_u64(self.seed);
        let (mut turns, mut rounds, mut count) = (0.0, 0.0, 0);
        while count < self.positions {
            let seed = u64::from(chance.below(u32::MAX)) << 4;
            let player = |seat: u8| Player {
                hard: Hard::new(seed + u64::from(seat)),
                expert: Expert::new((self.expert_seed << 40) + seed + u64::from(seat), self.budget),
            };
            let mut players: Vec<Player> = (0..self.players).map(player).collect();
            let dealer = chance.below(u32::from(self.players)) as Seat;
            let mut round = Round::deal(&rules, self.players, dealer, &mut chance, &mut ())?;
            for (seat, player) in (0..).zip(&mut players) {
                player.hard.begin(&Sight::new(&round, &rules, seat, &[]));
                player.expert.begin(&Sight::new(&round, &rules, seat, &[]));
            }
            while let Some(seat) = round.awaited() {
                let sight = Sight::new(&round, &rules, seat, &[]);
                let actions = actions(&sight);
                turns += f64::from(u8::from(actions.len() > 1));
                let kept = actions.len() > 1 && count < self.positions && chance.below(KEPT) == 0;
                let before = kept.then(|| players.clone());
                let usual = players[usize::from(seat)].hard.act(&sight);
                if let Some(players) = before {
                    visit(&Position { rules: &rules, round, seat, players, actions, usual });
                    count += 1;
                }
                let tell = |player: &mut Player, event: &SeenEvent| {
                    player.hard.see(event);
                    player.expert.see(event);
                };
                round.apply(&rules, seat, &usual, &mut chance, &mut Table { players: &mut players, tell })?;
            }
            rounds += f64::from(self.players);
        }
        Ok(turns / rounds)
    }
}

/// Everything that can be done, except what costs a penalty.
fn actions(sight: &Sight<'_>) -> Vec<Action> {
    let mut list = Vec::new();
    if sight.hand().len() == 1 {
        return list;
    }
    match sight.phase() {
        Phase::Turn { .. } | Phase::Drawn { .. } => {
            for card in sight.playable().iter() {
                let mut add = |color| list.push(carry_out(sight, Choice::Play(card, color)));
                if card.names_color() {
                    Color::ALL.into_iter().for_each(|color| add(Some(color)));
                } else {
                    add(None);
                }
            }
            list.push(carry_out(sight, Choice::Pass));
        }
        Phase::Respond { .. } => sight.legal(&mut |action| {
            if matches!(action, Action::Challenge | Action::Take) {
                list.push(*action);
            }
        }),
        _ => {}
    }
    list
}

fn measure(file: &str, search: Search, worlds: u32) -> Result<(), Box<dyn Error>> {
    let mut text = format!("{} {} {}\n", search.players, search.positions, search.seed);
    let mut chance = Pcg64Mcg::seed_from_u64(!search.seed);
    search.each_position(|position| {
        for [one, other, truly] in position.measure(worlds, &mut chance) {
            let _ = write!(text, "{one:.5} {other:.5} {truly:.5} ");
        }
        text.push('\n');
    })?;
    Ok(fs::write(file, text)?)
}

/// Values with their mean and its standard error.
#[derive(Default)]
struct Mean {
    sum: f64,
    squares: f64,
    count: f64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.squares += value * value;
        self.count += 1.0;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count
    }

    /// That many times as much, in points.
    fn points(&self, times: f64) -> String {
        let error = ((self.squares / self.count - self.mean().powi(2)) / self.count).sqrt();
        format!("{:6.3} ± {:.3}", self.mean() * times * 100.0, error * times * 100.0)
    }
}

fn judge(file: &str, budget: Budget, expert_seed: u64) -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(file)?;
    let mut lines = text.lines();
    let head: Vec<u64> = lines.next().unwrap_or("").split(' ').map(str::parse).collect::<Result<_, _>>()?;
    let [players, positions, seed] = head[..] else { return Err("these are not values".into()) };
    let search =
        Search { players: u8::try_from(players)?, positions: usize::try_from(positions)?, seed, budget, expert_seed };
    let [mut gained, mut truly, mut best, mut differs, mut worlds] = <[Mean; 5]>::default();
    let mut time = Duration::ZERO;
    let turns = search.each_position(|position| {
        let numbers: Vec<f64> = lines.next().unwrap_or("").split_whitespace().flat_map(str::parse).collect();
        let values: Vec<&[f64]> = numbers.chunks_exact(3).collect();
        let place = |action: &Action| position.actions.iter().position(|other| other == action);
        let (begin, mut expert) = (Instant::now(), position.expert());
        let candidates = expert.compare(&position.sight(), true);
        time += begin.elapsed();
        let (Some(usual), Some(own)) = (place(&position.usual), place(&candidates[0].action)) else { return };
        if values.len() != position.actions.len() {
            return;
        }
        let gain = |own: usize, column: usize| values[own][column] - values[usual][column];
        // The best in one half of the worlds is valued in the other: the best of noisy figures looks too good.
        let highest = |half: usize| {
            (0..values.len()).max_by(|a, b| values[*a][half].total_cmp(&values[*b][half])).unwrap_or(usual)
        };
        gained.add((gain(own, 0) + gain(own, 1)) / 2.0);
        truly.add(gain(own, 2));
        best.add((gain(highest(0), 1) + gain(highest(1), 0)) / 2.0);
        differs.add(f64::from(u8::from(own != usual)));
        worlds.add(f64::from(candidates.iter().map(|candidate| candidate.worlds).max().unwrap_or(0)));
    })?;
    println!("{} turns of {turns:.2} in a round, gain in points with standard errors", gained.count);
    for (what, mean) in [("expert", &gained), ("expert, in the true world", &truly), ("best of one half", &best)] {
        println!("{what:26} {} a turn, {} a round", mean.points(1.0), mean.points(turns));
    }
    let milliseconds = time.as_secs_f64() * 1e3 / gained.count;
    let (differs, worlds) = (differs.mean() * 100.0, worlds.mean());
    println!("another action than hard's {differs:.1} %, {worlds:.0} worlds and {milliseconds:.1} ms on average");
    Ok(())
}

/// What is counted in a hand.
const COUNTED: [&str; 4] = ["wilds", "actions", "in force", "colors"];

fn count(hand: &Hand, color: Option<Color>) -> [f64; COUNTED.len()] {
    let of = |set: CardSet| f64::from(hand.count_in(set));
    let colors = Color::ALL.into_iter().filter(|color| of(CardSet::color(*color)) > 0.0).count();
    [of(CardSet::WILDS), of(CardSet::ACTIONS), color.map_or(0.0, |color| of(CardSet::color(color))), colors as f64]
}

fn believe(search: Search, worlds: u32) -> Result<(), Box<dyn Error>> {
    let mut sizes: BTreeMap<usize, [[Mean; 3]; COUNTED.len()]> = BTreeMap::new();
    search.each_position(|position| {
        let (sight, mut dreamer) = (position.sight(), position.expert());
        let dreams: Vec<Round> = (0..worlds).filter_map(|_| dreamer.imagine(&sight)).collect();
        for seat in (0..sight.players()).filter(|seat| *seat != position.seat) {
            let hand = position.round.hand(seat);
            let truth = count(hand, sight.color());
            let means = sizes.entry(hand.len().min(8)).or_default();
            for (place, [truly, imagined, errors]) in means.iter_mut().enumerate() {
                let sum: f64 = dreams.iter().map(|dream| count(dream.hand(seat), sight.color())[place]).sum();
                let mean = sum / dreams.len() as f64;
                truly.add(truth[place]);
                imagined.add(mean);
                errors.add((truth[place] - mean).powi(2));
            }
        }
    })?;
    println!("hand: true / imagined (mean square error) of {}", COUNTED.join(", "));
    for (size, means) in sizes {
        let figures = means.map(|[truly, imagined, errors]| {
            format!("{:.3} / {:.3} ({:.3})", truly.mean(), imagined.mean(), errors.mean())
        });
        println!("{size}: {}", figures.join("   "));
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let search = |players: &str, positions: &str, seed: &str| -> Result<Search, Box<dyn Error>> {
        let (players, positions, seed) = (players.parse()?, positions.parse()?, seed.parse()?);
        Ok(Search { players, positions, seed, budget: Budget::default(), expert_seed: 0 })
    };
    match words[..] {
        ["measure", file, players, positions, worlds, seed] => {
            measure(file, search(players, positions, seed)?, worlds.parse()?)
        }
        ["judge", file, budget, seed] => judge(file, Budget::parse(budget).ok_or("how long?")?, seed.parse()?),
        ["believe", players, positions, worlds, seed] => believe(search(players, positions, seed)?, worlds.parse()?),
        _ => Err("say `measure FILE PLAYERS POSITIONS WORLDS SEED`, `judge FILE BUDGET SEED`, \
             or `believe PLAYERS POSITIONS WORLDS SEED`"
            .into()),
    }
}
