//! Measures the vectorized environment: how many nanoseconds of computing time a decision takes with random legal actions.
//!
//! ```sh
//! cargo run --release -p unum-env --example pace -- 4 8192
//! ```

use std::time::Instant;

use unum_env::{Buffers, Payoff, Setting, Unos, Vector};
use unum_rules::{Edition, Rules};

/// Steps that are measured together: few, so that some laps are undisturbed.
const LAP: usize = 4;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let number = |place, otherwise| std::env::args().nth(place).map_or(Ok(otherwise), |word| word.parse::<usize>());
    let (players, tables, steps) = (number(1, 4)?, number(2, 8192)?, number(3, 600)?);
    let edition = std::env::args().nth(4).and_then(|word| Edition::parse(&word)).unwrap_or(Edition::Original);
    let setting = Setting::new(Rules::of(edition), players as u8, Unos::Called)?;
    let mut observations = vec![0; tables * setting.encoding().observation()];
    let mut masks = vec![false; tables * setting.encoding().actions()];
    let mut rewards = vec![0.0; tables * players];
    let (mut seats, mut dones, mut ids) = (vec![0; tables], vec![false; tables], vec![0; tables]);
    let mut vector = Vector::new(setting, Payoff::Win, tables, 0, 1);
    macro_rules! buffers {
        () => {
            Buffers {
                observations: &mut observations,
                masks: &mut masks,
                rewards: &mut rewards,
                seats: &mut seats,
                dones: &mut dones,
            }
        };
    }
    vector.reset(1, buffers!())?;
    let (mut sampling, mut best, mut ended) = (0.0, f64::MAX, 0u64);
    let begin = Instant::now();
    for _ in 0..steps.div_ceil(LAP) {
        let lap = Instant::now();
        for _ in 0..LAP {
            let sample = Instant::now();
            vector.sample(&mut ids)?;
            sampling += sample.elapsed().as_secs_f64();
            vector.step(&ids, buffers!())?;
            ended += dones.iter().filter(|done| **done).count() as u64;
        }
        best = lap.elapsed().as_secs_f64().min(best);
    }
    let made = (steps.div_ceil(LAP) * LAP * tables) as f64;
    let sum: u64 = observations.iter().map(|byte| u64::from(*byte)).sum();
    println!(
        "{:.1} ns a decision, {:.1} at best, {:.1} of them choosing; {:.1} decisions a round; sum {sum}",
        begin.elapsed().as_secs_f64() * 1e9 / made,
        best * 1e9 / (LAP * tables) as f64,
        sampling * 1e9 / made,
        made / ended as f64,
    );
    Ok(())
}
