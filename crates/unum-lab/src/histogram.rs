//! Histograms of whole numbers, and their percentiles.

use serde::{Deserialize, Serialize};

/// Larger numbers are counted as this one.
const LARGEST: usize = 1 << 16;

/// More than any run counts.
const MOST_GAMES: u64 = 1 << 40;

/// How many numbers room is made for at a time.
const ROOM: usize = 256;

/// A count for every number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<(u32, u64)>", into = "Vec<(u32, u64)>")]
pub struct Histogram {
    counts: Vec<u64>,
}

/// Numbers and how many there were of each.
impl From<Histogram> for Vec<(u32, u64)> {
    fn from(histogram: Histogram) -> Vec<(u32, u64)> {
        (0..).zip(histogram.counts).filter(|(_, count)| *count > 0).collect()
    }
}

impl TryFrom<Vec<(u32, u64)>> for Histogram {
    type Error = &'static str;

    fn try_from(numbers: Vec<(u32, u64)>) -> Result<Histogram, &'static str> {
        let most = numbers.iter().map(|(number, _)| *number as usize).max().unwrap_or(0);
        if most > LARGEST || numbers.iter().any(|(_, count)| *count > MOST_GAMES) {
            return Err("no histogram has such a number");
        }
        let mut histogram = Histogram::default();
        for (number, count) in numbers {
            histogram.add(number);
            histogram.counts[number as usize] = count;
        }
        Ok(histogram)
    }
}

/// How numbers are spread: the smallest, the largest, and some percentiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Spread {
    pub least: u32,
    pub percent_5: u32,
    pub percent_25: u32,
    pub median: u32,
    pub percent_75: u32,
    pub percent_95: u32,
    pub most: u32,
}

/// How many numbers there were from one to another, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Bin {
    pub from: u32,
    pub to: u32,
    pub count: u64,
}

impl Histogram {
    /// Counts a number.
    #[inline]
    pub fn add(&mut self, value: u32) {
        let value = (value as usize).min(LARGEST);
        if value >= self.counts.len() {
            self.counts.resize((value + 1).next_multiple_of(ROOM), 0);
        }
        self.counts[value] += 1;
    }

    /// Merges another one in.
    pub fn merge(&mut self, other: &Histogram) {
        if other.counts.len() > self.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        self.counts.iter_mut().zip(&other.counts).for_each(|(own, other)| *own = own.saturating_add(*other));
    }

    /// How many numbers there were.
    pub fn total(&self) -> u64 {
        self.counts.iter().copied().fold(0, u64::saturating_add)
    }

    /// The smallest number that at least this share of all stay at or below; 0 if there are none.
    pub fn quantile(&self, share: f64) -> u32 {
        let wanted = ((self.total() as f64 * share).ceil() as u64).max(1);
        let mut seen = 0;
        let place = self.counts.iter().position(|count| {
            seen += count;
            seen >= wanted
        });
        place.unwrap_or(0) as u32
    }

    /// How the numbers are spread.
    pub fn spread(&self) -> Spread {
        Spread {
            least: self.quantile(0.0),
            percent_5: self.quantile(0.05),
            percent_25: self.quantile(0.25),
            median: self.quantile(0.5),
            percent_75: self.quantile(0.75),
            percent_95: self.quantile(0.95),
            most: self.quantile(1.0),
        }
    }

    /// All numbers in about `bins` bins, or up to twice as many, of the same width: 1, 2 or 5 times a power of
    /// ten. Everything above the highest 0.5 % comes into the last bin.
    pub fn bins(&self, about: u32) -> Vec<Bin> {
        if self.counts.is_empty() {
            return Vec::new();
        }
        let width = round_width(self.quantile(0.995) + 1, about);
        let tail = self.quantile(0.995) / width;
        let mut bins: Vec<Bin> =
            (0..=tail).map(|bin| Bin { from: bin * width, to: (bin + 1) * width - 1, count: 0 }).collect();
        for (value, count) in (0..).zip(&self.counts) {
            bins[(value / width).min(tail) as usize].count += count;
        }
        if let Some(open) = bins.last_mut() {
            open.to = open.to.max(self.quantile(1.0));
        }
        bins
    }
}

/// The smallest round width with which `bins` bins reach that far, or nearly so.
fn round_width(reach: u32, bins: u32) -> u32 {
    let widths = (0..9).flat_map(|power| [1, 2, 5].map(|digit| digit * 10u32.pow(power)));
    widths.into_iter().find(|width| reach.div_ceil(*width) <= bins * 2).unwrap_or(1_000_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram(values: impl IntoIterator<Item = u32>) -> Histogram {
        let mut histogram = Histogram::default();
        values.into_iter().for_each(|value| histogram.add(value));
        histogram
    }

    #[test]
    fn percentiles_are_exact() {
        let spread = histogram(1..=100).spread();
        assert_eq!((spread.least, spread.percent_5, spread.percent_25, spread.median), (1, 5, 25, 50));
        assert_eq!((spread.percent_75, spread.percent_95, spread.most), (75, 95, 100));
        assert_eq!(histogram([]).spread(), Spread::default());
        assert_eq!(histogram([7]).spread().median, 7);
    }

    #[test]
    fn bins_hold_everything() {
        let histogram = histogram((0..1000).map(|value| value % 130).chain([5000]));
        let bins = histogram.bins(20);
        assert_eq!(bins.iter().map(|bin| bin.count).sum::<u64>(), 1001);
        assert!(bins.windows(2).all(|pair| pair[0].to + 1 == pair[1].from));
        assert!((20..=40).contains(&bins.len()), "{}", bins.len());
        assert_eq!((bins[0].from, bins[bins.len() - 1].to), (0, 5000));
        assert!(super::Histogram::default().bins(20).is_empty());
    }

    #[test]
    fn parts_merge_to_the_whole() {
        let mut merged = histogram([1, 2, 3]);
        merged.merge(&histogram([3, 9]));
        assert_eq!(merged, histogram([3, 1, 9, 2, 3]));
        assert_eq!(histogram([u32::MAX]).total(), 1);
    }
}
