//! Means with confidence intervals.

use serde::{Deserialize, Serialize};

/// How many standard errors a 95 % interval reaches to either side.
pub const REACH: f64 = 1.96;

/// A mean with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// The lower end of the interval; `None` when there is too little to tell.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

impl Estimate {
    /// A mean and half the width of its interval.
    pub fn new(mean: f64, margin: Option<f64>) -> Estimate {
        Estimate { mean, low: margin.map(|margin| mean - margin), high: margin.map(|margin| mean + margin) }
    }

    /// The share of `part` in `whole` independent cases, with Wilson's interval, which makes sense for rare and
    /// for certain things too; `None` when there were no cases.
    pub fn share(part: u64, whole: u64) -> Option<Estimate> {
        if whole == 0 {
            return None;
        }
        let (part, whole) = (part as f64, whole as f64);
        let share = part / whole;
        let more = REACH * REACH / whole;
        let middle = (share + more / 2.0) / (1.0 + more);
        let reach = REACH * (share * (1.0 - share) / whole + more / whole / 4.0).sqrt() / (1.0 + more);
        Some(Estimate { mean: share, low: Some((middle - reach).max(0.0)), high: Some((middle + reach).min(1.0)) })
    }

    /// Half the width of the interval.
    pub fn margin(&self) -> Option<f64> {
        self.low.zip(self.high).map(|(low, high)| (high - low) / 2.0)
    }

    /// Whether the interval leaves this value out.
    pub fn excludes(&self, value: f64) -> bool {
        matches!((self.low, self.high), (Some(low), Some(high)) if value < low || high < value)
    }

    /// The same in another unit.
    pub fn times(&self, factor: f64) -> Estimate {
        let (low, high) = if factor < 0.0 { (self.high, self.low) } else { (self.low, self.high) };
        let scaled = |end: f64| end * factor;
        Estimate { mean: self.mean * factor, low: low.map(scaled), high: high.map(scaled) }
    }
}

/// Sums over whole numbers, from which the mean and its interval follow.
///
/// Integer sums do not depend on order, so it does not matter which thread counted what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moments {
    count: u64,
    sum: i128,
    squares: i128,
}

impl Moments {
    /// From sums made elsewhere.
    pub fn from_sums(count: u64, sum: i128, squares: i128) -> Moments {
        Moments { count, sum, squares }
    }

    /// Takes one number in.
    #[inline]
    pub fn add(&mut self, value: i64) {
        let value = i128::from(value);
        self.count += 1;
        self.sum += value;
        self.squares += value * value;
    }

    /// The sums over both.
    pub fn merged(&self, other: &Moments) -> Moments {
        Moments {
            count: self.count.saturating_add(other.count),
            sum: self.sum.saturating_add(other.sum),
            squares: self.squares.saturating_add(other.squares),
        }
    }

    /// Whether there can be such numbers, so that a variance can be worked out: sums from a file may be anything.
    pub fn is_plausible(&self) -> bool {
        self.count <= 1 << 40 && self.sum.unsigned_abs() <= 1 << 62 && (0..=1 << 86).contains(&self.squares)
    }

    /// How many numbers there were.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their sum.
    pub fn sum(&self) -> i128 {
        self.sum
    }

    /// Their mean, 0 if there are none.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum as f64 / self.count as f64 }
    }

    /// Their variance; `None` for fewer than two.
    pub fn variance(&self) -> Option<f64> {
        let count = i128::from(self.count);
        let spread = count * self.squares - self.sum * self.sum;
        (count > 1).then(|| spread as f64 / (count * (count - 1)) as f64)
    }

    /// The mean with its interval.
    pub fn estimate(&self) -> Estimate {
        let margin = self.variance().map(|variance| REACH * (variance / self.count as f64).sqrt());
        Estimate::new(self.mean(), margin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(values: &[i64]) -> Moments {
        let mut moments = Moments::default();
        values.iter().for_each(|value| moments.add(*value));
        moments
    }

    #[test]
    fn means_and_intervals_are_those_of_the_textbook() {
        let estimate = moments(&[2, 4, 4, 4, 5, 5, 7, 9]).estimate();
        // The sample variance is 32/7, its standard error sqrt(32/7/8).
        let margin = 1.96 * (32.0f64 / 7.0 / 8.0).sqrt();
        assert_eq!(estimate.mean, 5.0);
        assert!((estimate.margin().unwrap() - margin).abs() < 1e-12);
        assert!(!estimate.excludes(4.0) && estimate.excludes(3.0) && estimate.excludes(7.0));
    }

    #[test]
    fn one_number_has_no_interval() {
        assert_eq!(moments(&[3]).estimate(), Estimate::new(3.0, None));
        assert_eq!(moments(&[]).estimate(), Estimate::new(0.0, None));
        assert!(!moments(&[3]).estimate().excludes(100.0));
    }

    #[test]
    fn parts_merge_to_the_whole() {
        let mut merged = moments(&[1, -5]);
        merged = merged.merged(&moments(&[7, 0, 2]));
        assert_eq!(merged, moments(&[1, -5, 7, 0, 2]));
    }

    #[test]
    fn shares_have_the_interval_of_wilson() {
        let share = Estimate::share(30, 100).unwrap();
        assert_eq!(share.mean, 0.3);
        // As published for 30 of 100.
        assert!((share.low.unwrap() - 0.2189).abs() < 1e-4 && (share.high.unwrap() - 0.3958).abs() < 1e-4);
        let never = Estimate::share(0, 100).unwrap();
        assert!(never.mean == 0.0 && never.low == Some(0.0) && never.high.unwrap() > 0.03);
        assert_eq!(Estimate::share(5, 5).unwrap().high, Some(1.0));
        assert_eq!(Estimate::share(0, 0), None);
    }

    #[test]
    fn intervals_stretch() {
        let estimate = Estimate::new(2.0, Some(0.5));
        assert_eq!(estimate.times(-2.0), Estimate::new(-4.0, Some(1.0)));
        assert_eq!(estimate.times(3.0).margin(), Some(1.5));
    }
}
