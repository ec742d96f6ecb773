//! What is written is read again, and nothing else is.

use super::{Error, Learned};
use crate::board::{Cell, Shape};
use crate::heuristic::evaluation::trominoes;
use crate::system::Random;

/// Weights that are different everywhere.
pub(super) fn random(shape: &str, goal_blank: usize, seed: u64) -> Learned {
    let shape: Shape = shape.parse().unwrap();
    let n = shape.cells();
    let mut random = Random(seed);
    let mut byte = || random.below(255) as i8;
    let single = (0..n * n).map(|_| i16::from(byte()) * 3).collect();
    let pair = (0..n.pow(4)).map(|_| byte()).collect();
    let triple = (0..trominoes(shape, goal_blank).len() * n.pow(3)).map(|_| byte()).collect();
    Learned::new(shape, Cell::new(goal_blank), single, pair, triple)
}

#[test]
fn weights_are_read_as_they_were_written() {
    for (shape, goal_blank) in [("2x2", 3), ("2x3", 5), ("3x3", 8), ("3x2", 0), ("4x4", 15)] {
        let weights = random(shape, goal_blank, 7);
        let mut file = Vec::new();
        weights.write(&mut file).unwrap();
        assert_eq!(Learned::read(&mut &file[..]).unwrap(), weights, "{shape}");
    }
}

#[test]
fn damaged_files_are_refused() {
    let mut file = Vec::new();
    random("2x3", 5, 7).write(&mut file).unwrap();
    for end in 0..file.len() {
        assert!(Learned::read(&mut &file[..end]).is_err(), "{end}");
    }
    for at in 0..file.len() {
        for bit in 0..8 {
            file[at] ^= 1 << bit;
            assert!(Learned::read(&mut &file[..]).is_err(), "{at} {bit}");
            file[at] ^= 1 << bit;
        }
    }
    file.push(0);
    assert!(matches!(Learned::read(&mut &file[..]), Err(Error::Trailing)));
}
