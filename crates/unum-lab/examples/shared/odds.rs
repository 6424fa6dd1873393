//! Weights whose exponentials are in proportion to chances, fitted by gradient descent on the logarithm of the chances.

/// How fast weights change at first.
const RATE: f32 = 0.15;

/// Weights that are getting better.
pub(crate) struct Fit {
    pub(crate) weights: Vec<f32>,
    /// Sums of the squares of all changes asked for: what was often changed changes less.
    squares: Vec<f32>,
    /// The logarithms of the winners' chances in the last tenth, of how many, and those among equals.
    pub(crate) surprise: f64,
    pub(crate) equals: f64,
    pub(crate) positions: u64,
}

impl Fit {
    /// As many weights as there are features.
    pub(crate) fn new(weights: usize) -> Fit {
        Fit { weights: vec![0.0; weights], squares: vec![1.0; weights], surprise: 0.0, equals: 0.0, positions: 0 }
    }

    /// Learns from one position and who won.
    pub(crate) fn learn(&mut self, features: &[Vec<usize>], winner: usize, counts: bool) {
        let score = |features: &Vec<usize>| features.iter().map(|place| self.weights[*place]).sum::<f32>().exp();
        let powers: Vec<f32> = features.iter().map(score).collect();
        let sum: f32 = powers.iter().sum();
        if counts {
            self.surprise += f64::from(-(powers[winner] / sum).ln());
            self.equals += (features.len() as f64).ln();
            self.positions += 1;
        }
        for (place, (features, power)) in features.iter().zip(&powers).enumerate() {
            let error = f32::from(u8::from(place == winner)) - power / sum;
            for feature in features {
                self.squares[*feature] += error * error;
                self.weights[*feature] += RATE * error / self.squares[*feature].sqrt();
            }
        }
    }
}
