//! Fitted weights: files of numbers, read by the compiler.
//!
//! A file has a line for each size of crowd. In the program the numbers of one feature lie side by side, since they resemble each
//! other: so they compress better in the page's module.

use crate::appraisal::CROWDS;

/// The numbers of a file, by feature.
pub(crate) type Table<const WEIGHTS: usize> = [[i16; CROWDS]; WEIGHTS];

/// Reads a file, which has to have a number for every feature and size of crowd.
pub(crate) const fn read<const WEIGHTS: usize>(text: &str) -> Table<WEIGHTS> {
    let text = text.as_bytes();
    let mut table = [[0; CROWDS]; WEIGHTS];
    let (mut at, mut crowd) = (0, 0);
    while crowd < CROWDS {
        let mut weight = 0;
        while weight < WEIGHTS {
            let negative = text[at] == b'-';
            at += negative as usize;
            let (mut number, begin) = (0, at);
            while text[at].is_ascii_digit() {
                number = number * 10 + (text[at] - b'0') as i16;
                at += 1;
            }
            // Some check files out with line breaks of their own.
            at += (text[at] == b'\r') as usize;
            assert!(at > begin && text[at] == if weight + 1 < WEIGHTS { b' ' } else { b'\n' });
            at += 1;
            table[weight][crowd] = if negative { -number } else { number };
            weight += 1;
        }
        crowd += 1;
    }
    assert!(at == text.len());
    table
}

/// The weights, by size of crowd, from numbers that are so many to a whole.
pub(crate) fn weights<const WEIGHTS: usize>(table: &Table<WEIGHTS>, whole: f32) -> Box<[[f32; WEIGHTS]; CROWDS]> {
    let mut weights = Box::new([[0.0; WEIGHTS]; CROWDS]);
    for (place, numbers) in table.iter().enumerate() {
        for (crowd, number) in weights.iter_mut().zip(numbers) {
            crowd[place] = f32::from(*number) / whole;
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiler_reads_what_is_written() {
        let table: Table<2> = read("1 -2\n3 4\n5 6\n7 8\n-9 32767\n0 0\n");
        assert_eq!(table, [[1, 3, 5, 7, -9, 0], [-2, 4, 6, 8, 32767, 0]]);
        assert_eq!(weights(&table, 10.0)[0], [0.1, -0.2]);
    }
}
