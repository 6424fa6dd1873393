//! The vectorized environment: many rounds stepped at once, by all cores, into arrays that the caller owns.

use std::sync::{Mutex, PoisonError};
use std::thread;

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use unum_lab::derive;
use unum_rules::Seat;

use crate::decision::NotLegal;
use crate::ids::IdSet;
use crate::table::{EnvError, Payoff, Setting, Table};

/// How many tables a thread takes at a time, until none are left: one that starts late or is held up takes fewer. So few tables are
/// not worth a second thread.
const SHARE: usize = 64;

/// Why a step was not made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// Wrong sizes.
    #[error("`{name}` has {given} entries, not {wanted}")]
    Size {
        /// Of which array.
        name: &'static str,
        /// How many it has.
        given: usize,
        /// How many it needs.
        wanted: usize,
    },
    /// An id that is not legal. No table has changed.
    #[error("table {table}: {why}")]
    NotLegal {
        /// At which table.
        table: usize,
        /// What is wrong.
        why: NotLegal,
    },
    /// A defect of the encoding.
    #[error("table {table}: {why}")]
    Table {
        /// At which table.
        table: usize,
        /// What is wrong.
        why: EnvError,
    },
}

/// Where a step is written, row by row: one row per table.
pub struct Buffers<'a> {
    /// What the seat to decide may know.
    pub observations: &'a mut [u8],
    /// What it can choose.
    pub masks: &'a mut [bool],
    /// What each seat got, where a round has just ended; else 0.
    pub rewards: &'a mut [f32],
    /// Who decides.
    pub seats: &'a mut [u8],
    /// Whether a round has just ended. The other arrays are then of the next one, already dealt.
    pub dones: &'a mut [bool],
}

struct Slot {
    table: Table,
    number: u64,
    episode: u64,
}

/// Rounds side by side. A round that ends is dealt again in the same step.
pub struct Vector {
    setting: Setting,
    payoff: Payoff,
    seed: u64,
    slots: Vec<Slot>,
    /// What can be chosen at every table, side by side: a table is much larger.
    legal: Vec<IdSet>,
    /// Random choices, by table.
    whims: Vec<Whim>,
    /// Whether the ids of the whims are for what can be chosen now.
    chosen: bool,
    /// Whether those for the next step are chosen in the same pass: yes where the last ones were asked for.
    choose_ahead: bool,
    threads: usize,
}

/// The random choices of a table.
struct Whim {
    chance: Pcg64Mcg,
    id: u16,
}

impl Whim {
    #[inline]
    fn choose(&mut self, legal: &IdSet) {
        self.id = legal.pick(&mut self.chance).unwrap_or(0);
    }
}

impl Vector {
    /// That many tables, stepped by up to that many threads.
    pub fn new(setting: Setting, payoff: Payoff, tables: usize, seed: u64, threads: usize) -> Vector {
        let (slots, legal, whims) = (Vec::new(), Vec::new(), Vec::new());
        let (chosen, choose_ahead, threads) = (false, false, threads.max(1));
        let mut vector = Vector { setting, payoff, seed, slots, legal, whims, chosen, choose_ahead, threads };
        vector.deal_all(tables as u64);
        vector
    }

    fn deal_all(&mut self, tables: u64) {
        let (setting, seed) = (&self.setting, self.seed);
        let slot = |number| Slot { table: deal(setting, seed, number, 0), number, episode: 0 };
        self.slots = (0..tables).map(slot).collect();
        self.legal = self.slots.iter().map(|slot| *slot.table.legal()).collect();
        let chance = |number| Pcg64Mcg::seed_from_u64(derive(seed, &[number, 0, 1]));
        self.whims = (0..tables).map(|number| Whim { chance: chance(number), id: 0 }).collect();
        (self.chosen, self.choose_ahead) = (false, false);
    }

    /// What is the same at all tables.
    pub fn setting(&self) -> &Setting {
        &self.setting
    }

    /// How many tables there are.
    pub fn tables(&self) -> usize {
        self.slots.len()
    }

    /// Deals all rounds again, with this seed, and writes them.
    ///
    /// # Errors
    /// When an array has the wrong size.
    pub fn reset(&mut self, seed: u64, buffers: Buffers<'_>) -> Result<(), StepError> {
        self.check_sizes(&buffers)?;
        self.seed = seed;
        self.deal_all(self.slots.len() as u64);
        let setting = &self.setting;
        buffers.rewards.fill(0.0);
        for (slot, mut row) in self.slots.iter_mut().zip(rows(setting, buffers)) {
            row.dones[0] = false;
            slot.write(setting, &mut row);
        }
        Ok(())
    }

    /// Makes one choice at every table, and writes what comes next.
    ///
    /// # Errors
    /// When an array has the wrong size, or an id is not legal; nothing has changed then.
    pub fn step(&mut self, ids: &[i64], buffers: Buffers<'_>) -> Result<(), StepError> {
        self.check_sizes(&buffers)?;
        check_size("actions", ids.len(), self.slots.len())?;
        for (table, (legal, id)) in self.legal.iter().zip(ids).enumerate() {
            if !u16::try_from(*id).is_ok_and(|id| legal.contains(id)) {
                return Err(StepError::NotLegal { table, why: NotLegal { id: *id } });
            }
        }
        let (setting, payoff, seed) = (&self.setting, self.payoff, self.seed);
        let choose = self.choose_ahead;
        (self.chosen, self.choose_ahead) = (choose, false);
        let threads = self.threads.min(self.slots.len().div_ceil(SHARE));
        let tables = self.slots.chunks_mut(SHARE).zip(self.legal.chunks_mut(SHARE)).zip(self.whims.chunks_mut(SHARE));
        let parts = tables
            .zip(ids.chunks(SHARE))
            .zip(split(setting, buffers, SHARE))
            .map(|((((slots, legal), whims), ids), buffers)| Part { slots, legal, whims, ids, buffers });
        let parts = Mutex::new(parts);
        let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = || {
            while let Some(Part { slots, legal, whims, ids, buffers }) = next() {
                buffers.rewards.fill(0.0);
                let tables = slots.iter_mut().zip(legal).zip(whims).zip(ids);
                for ((((slot, legal), whim), id), mut row) in tables.zip(rows(setting, buffers)) {
                    slot.step(setting, payoff, seed, *id as u16, &mut row)
                        .map_err(|why| StepError::Table { table: slot.number as usize, why })?;
                    *legal = *slot.table.legal();
                    if choose {
                        whim.choose(legal);
                    }
                }
            }
            Ok(())
        };
        thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let own = work();
            let others =
                others.into_iter().map(|other| other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            others.fold(own, Result::and)
        })
    }

    /// A random legal id for every table, from generators of their own.
    ///
    /// # Errors
    /// When the array has the wrong size.
    pub fn sample(&mut self, ids: &mut [i64]) -> Result<(), StepError> {
        check_size("actions", ids.len(), self.slots.len())?;
        if !self.chosen {
            self.whims.iter_mut().zip(&self.legal).for_each(|(whim, legal)| whim.choose(legal));
        }
        ids.iter_mut().zip(&self.whims).for_each(|(id, whim)| *id = i64::from(whim.id));
        // Chosen once: asked again, others are.
        (self.chosen, self.choose_ahead) = (false, true);
        Ok(())
    }

    fn check_sizes(&self, buffers: &Buffers<'_>) -> Result<(), StepError> {
        let tables = self.slots.len();
        let encoding = self.setting.encoding();
        check_size("observations", buffers.observations.len(), tables * encoding.observation())?;
        check_size("masks", buffers.masks.len(), tables * encoding.actions())?;
        check_size("rewards", buffers.rewards.len(), tables * usize::from(self.setting.players()))?;
        check_size("seats", buffers.seats.len(), tables)?;
        check_size("dones", buffers.dones.len(), tables)
    }
}

/// What a thread takes at a time.
struct Part<'a> {
    slots: &'a mut [Slot],
    legal: &'a mut [IdSet],
    whims: &'a mut [Whim],
    ids: &'a [i64],
    buffers: Buffers<'a>,
}

fn check_size(name: &'static str, given: usize, wanted: usize) -> Result<(), StepError> {
    if given == wanted { Ok(()) } else { Err(StepError::Size { name, given, wanted }) }
}

fn deal(setting: &Setting, seed: u64, number: u64, episode: u64) -> Table {
    let dealer = ((number + episode) % u64::from(setting.players())) as Seat;
    setting.deal(derive(seed, &[number, 1 + episode]), dealer)
}

/// The buffers in pieces of that many rows.
fn split<'a>(setting: &Setting, buffers: Buffers<'a>, rows: usize) -> impl Iterator<Item = Buffers<'a>> + use<'a> {
    let encoding = setting.encoding();
    let observations = buffers.observations.chunks_mut(rows * encoding.observation());
    let masks = buffers.masks.chunks_mut(rows * encoding.actions());
    let rewards = buffers.rewards.chunks_mut(rows * usize::from(setting.players()));
    let seats = buffers.seats.chunks_mut(rows);
    let dones = buffers.dones.chunks_mut(rows);
    observations.zip(masks).zip(rewards).zip(seats).zip(dones).map(
        |((((observations, masks), rewards), seats), dones)| Buffers { observations, masks, rewards, seats, dones },
    )
}

fn rows<'a>(setting: &Setting, buffers: Buffers<'a>) -> impl Iterator<Item = Buffers<'a>> + use<'a> {
    split(setting, buffers, 1)
}

impl Slot {
    #[inline]
    fn step(
        &mut self,
        setting: &Setting,
        payoff: Payoff,
        seed: u64,
        id: u16,
        row: &mut Buffers<'_>,
    ) -> Result<(), EnvError> {
        self.table.step(setting, id)?;
        row.dones[0] = self.table.seat().is_none();
        if row.dones[0] {
            self.table.pay(setting, payoff, row.rewards);
            self.episode += 1;
            self.table = deal(setting, seed, self.number, self.episode);
        }
        self.write(setting, row);
        Ok(())
    }

    #[inline]
    fn write(&self, setting: &Setting, row: &mut Buffers<'_>) {
        let seat = self.table.seat().unwrap_or(0);
        self.table.observe(setting, seat, row.observations);
        self.table.legal().write(row.masks);
        row.seats[0] = seat;
    }
}

#[cfg(test)]
mod tests {
    use unum_rules::{Edition, Rules};

    use super::*;
    use crate::decision::Unos;

    struct Arrays {
        observations: Vec<u8>,
        masks: Vec<bool>,
        rewards: Vec<f32>,
        seats: Vec<u8>,
        dones: Vec<bool>,
    }

    impl Arrays {
        fn of(vector: &Vector) -> Arrays {
            let (tables, setting) = (vector.tables(), vector.setting());
            Arrays {
                observations: vec![7; tables * setting.encoding().observation()],
                masks: vec![true; tables * setting.encoding().actions()],
                rewards: vec![9.0; tables * usize::from(setting.players())],
                seats: vec![200; tables],
                dones: vec![true; tables],
            }
        }

        fn buffers(&mut self) -> Buffers<'_> {
            let Arrays { observations, masks, rewards, seats, dones } = self;
            Buffers { observations, masks, rewards, seats, dones }
        }
    }

    fn vector(tables: usize, threads: usize) -> Vector {
        let setting = Setting::new(Rules::of(Edition::Original), 4, Unos::Called).unwrap();
        Vector::new(setting, Payoff::Win, tables, 3, threads)
    }

    #[test]
    fn random_choices_are_legal_whenever_they_are_asked_for() {
        let mut vector = vector(100, 2);
        let mut arrays = Arrays::of(&vector);
        let [mut ids, mut others] = [vec![0; 100], vec![0; 100]];
        let mut different = 0;
        for step in 0..200 {
            vector.sample(&mut ids).unwrap();
            if step % 3 == 1 {
                vector.sample(&mut others).unwrap();
                different += ids.iter().zip(&others).filter(|(one, other)| one != other).count();
                std::mem::swap(&mut ids, &mut others);
            }
            vector.step(&ids, arrays.buffers()).unwrap();
            if step % 3 == 2 {
                // A step that nobody has asked a choice for: the first legal one.
                let first = |mask: &[bool]| mask.iter().position(|flag| *flag).unwrap() as i64;
                ids = arrays.masks.chunks(91).map(first).collect();
                vector.step(&ids, arrays.buffers()).unwrap();
            }
        }
        assert!(different > 2_000, "{different}");
    }

    #[test]
    fn the_number_of_threads_makes_no_difference() {
        let [mut alone, mut many] = [vector(300, 1), vector(300, 4)];
        let [mut first, mut second] = [Arrays::of(&alone), Arrays::of(&many)];
        alone.reset(5, first.buffers()).unwrap();
        many.reset(5, second.buffers()).unwrap();
        let mut ids = vec![0; 300];
        let (mut ended, mut won) = (0, 0.0);
        for _ in 0..300 {
            alone.sample(&mut ids).unwrap();
            alone.step(&ids, first.buffers()).unwrap();
            many.sample(&mut ids).unwrap();
            many.step(&ids, second.buffers()).unwrap();
            assert!(first.observations == second.observations && first.masks == second.masks);
            assert!(first.rewards == second.rewards && first.seats == second.seats && first.dones == second.dones);
            ended += first.dones.iter().filter(|done| **done).count();
            won += first.rewards.iter().filter(|reward| **reward == 1.0).count() as f32;
            for (rewards, done) in first.rewards.chunks(4).zip(&first.dones) {
                assert!(*done || rewards.iter().all(|reward| *reward == 0.0));
                assert!(rewards.iter().sum::<f32>().abs() < 1e-6);
            }
            assert!(
                first.masks.chunks(91).all(|mask| mask.contains(&true)) && first.seats.iter().all(|seat| *seat < 4)
            );
        }
        // Players who choose among all ids draw as often as they play, so rounds are long.
        assert!(ended > 20 && won == ended as f32, "{ended} {won}");
    }

    #[test]
    fn an_action_that_is_not_legal_changes_nothing_at_any_table() {
        let mut vector = vector(10, 1);
        let mut arrays = Arrays::of(&vector);
        vector.reset(1, arrays.buffers()).unwrap();
        let mut ids = vec![0; 10];
        vector.sample(&mut ids).unwrap();
        let before = arrays.observations.clone();
        for wrong in [-1, 91, 70_000, i64::MAX] {
            let mut ids = ids.clone();
            ids[9] = wrong;
            let error = vector.step(&ids, arrays.buffers()).unwrap_err();
            assert_eq!(error, StepError::NotLegal { table: 9, why: NotLegal { id: wrong } });
            assert_eq!(arrays.observations, before);
        }
        assert!(vector.step(&ids[1..], arrays.buffers()).is_err());
        assert!(vector.step(&ids, arrays.buffers()).is_ok());
    }
}
