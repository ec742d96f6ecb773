//! Learned weights of an evaluation, trained on boards of one shape, and their file format.
//!
//! Learned weights implement [`crate::heuristic::evaluation::Weights`] for goals whose blank is in
//! a certain cell. If a reflection of the board moves the blank of another goal to that cell, the
//! weights can also be used for that goal (`reflected.rs`). Some weights ship with the program
//! ([`AvailableWeights`]).

mod available;
mod file;
mod reflected;

use crate::board::{Cell, Shape};
use crate::heuristic::evaluation::{MAX_CELLS, Weights, trominoes};

pub use available::AvailableWeights;
pub use file::Error;

/// Learned weights for boards of one shape.
#[derive(Clone, PartialEq, Eq)]
pub struct Learned {
    shape: Shape,
    goal_blank: usize,
    single: Vec<i16>,
    pair: Vec<i8>,
    /// By triple: its homes.
    triples: Vec<[u8; 3]>,
    /// By triple and its tiles' cells: the weight.
    triple: Vec<i8>,
}

impl Learned {
    /// Creates the weights of a shape, for goals whose blank is in this cell, in
    /// 1/[`UNIT`](crate::heuristic::evaluation::UNIT) of a move. Tiles, including the blank, are
    /// named by their homes, and `n` is the number of cells:
    ///
    /// * `single`: by tile × n + cell;
    /// * `pair`: by ((greater tile × n + its cell) × n + smaller tile) × n + its cell;
    /// * `triple`: n³ weights for each set of three connected homes, in the order of [`trominoes`],
    ///   by the first tile's cell + n × the second's + n² × the third's.
    ///
    /// # Panics
    /// If the shape has more than [`MAX_CELLS`] cells, if the blank's cell is not on the board, or
    /// if a list has the wrong length.
    pub fn new(shape: Shape, goal_blank: Cell, single: Vec<i16>, mut pair: Vec<i8>, mut triple: Vec<i8>) -> Learned {
        let n = shape.cells();
        let goal_blank = goal_blank.index();
        assert!(n <= MAX_CELLS && goal_blank < n, "no weights for {shape} with the blank in cell {goal_blank}");
        let triples = trominoes(shape, goal_blank);
        assert_eq!((single.len(), pair.len(), triple.len()), (n * n, n.pow(4), triples.len() * n.pow(3)), "{shape}");
        clear_impossible(n, &mut pair, &mut triple);
        Learned { shape, goal_blank, single, pair, triples, triple }
    }

    /// Returns the weights of single tiles, by tile × n + cell.
    pub fn singles(&self) -> &[i16] {
        &self.single
    }

    /// Returns the weights of pairs, by ((greater tile × n + its cell) × n + smaller tile) × n +
    /// its cell.
    pub fn pairs(&self) -> &[i8] {
        &self.pair
    }

    /// Returns the weights of triples, by triple and its tiles' cells.
    pub fn triple_weights(&self) -> &[i8] {
        &self.triple
    }

    /// Returns the weights of one triple.
    fn triple_weights_of(&self, homes: [u8; 3]) -> &[i8] {
        let Ok(number) = self.triples.binary_search(&homes) else { unreachable!("{homes:?} are not connected") };
        self.triple.chunks_exact(self.shape.cells().pow(3)).nth(number).unwrap_or_default()
    }

    /// Returns the size of the weights in bytes.
    pub fn bytes(&self) -> u64 {
        (2 * self.single.len() + self.pair.len() + self.triple.len()) as u64
    }

    /// Returns the shape and the blank's home.
    pub fn shape_and_blank(&self) -> (Shape, Cell) {
        (self.shape, Cell::new(self.goal_blank))
    }
}

/// Clears the weights of two tiles in the same cell, and those of pairs whose first tile is not the
/// greater.
fn clear_impossible(n: usize, pair: &mut [i8], triple: &mut [i8]) {
    for high in 0..n {
        for cell in 0..n {
            let rows = &mut pair[(high * n + cell) * n * n..][..n * n];
            rows[high * n..].fill(0);
            rows.iter_mut().skip(cell).step_by(n).for_each(|weight| *weight = 0);
        }
    }
    for weights in triple.chunks_exact_mut(n * n * n) {
        for c in 0..n {
            let plane = &mut weights[c * n * n..][..n * n];
            plane[c * n..][..n].fill(0);
            plane.iter_mut().skip(c).step_by(n).for_each(|weight| *weight = 0);
            plane.iter_mut().step_by(n + 1).for_each(|weight| *weight = 0);
        }
    }
}

impl Weights for Learned {
    fn single(&self, tile: usize, cell: usize) -> i32 {
        i32::from(self.single[tile * self.shape.cells() + cell])
    }

    fn pair(&self, one: (usize, usize), other: (usize, usize)) -> i32 {
        let n = self.shape.cells();
        let (high, low) = if one.0 > other.0 { (one, other) } else { (other, one) };
        i32::from(self.pair[(high.0 * n + high.1) * n * n + low.0 * n + low.1])
    }

    fn triple(&self, homes: [u8; 3]) -> Vec<i8> {
        self.triple_weights_of(homes).to_vec()
    }
}

impl std::fmt::Debug for Learned {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Learned").field("shape", &self.shape).field("goal_blank", &self.goal_blank).finish()
    }
}

#[cfg(test)]
mod tests {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::file::TileSets;
    use super::*;
    use crate::system::Random;

    /// Returns random weights.
    pub(super) fn random(shape: &str, goal_blank: usize, seed: u64) -> Learned {
        let shape: Shape = shape.parse().unwrap();
        let n = shape.cells();
        let mut random = Random::new(seed);
        let mut byte = || random.index(255) as i8;
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
    fn damaged_files_are_rejected() {
        let mut file = Vec::new();
        random("2x3", 5, 7).write(&mut file).unwrap();
        for end in 0..file.len() {
            assert!(Learned::read(&mut &file[..end]).is_err(), "{end}");
        }
        let mut unnoticed = 0;
        for at in 0..file.len() {
            for bit in 0..8 {
                file[at] ^= 1 << bit;
                // Some bits of the frame's header have no effect, and the frame's checksum is not
                // verified. The content has a separate checksum.
                if let Ok(read) = Learned::read(&mut &file[..]) {
                    assert_eq!(read, random("2x3", 5, 7), "{at} {bit}");
                    unnoticed += 1;
                }
                file[at] ^= 1 << bit;
            }
        }
        assert!(unnoticed < 128, "{unnoticed}");
        file.push(0);
        assert!(matches!(Learned::read(&mut &file[..]), Err(Error::Damaged(_))));
    }

    /// Errors distinguish three kinds of files: files of version 1 (not compressed), files of later
    /// versions, and files without weights.
    #[test]
    fn errors_distinguish_other_versions_and_files() {
        let found = |bytes: &[u8]| Learned::read(&mut &bytes[..]).unwrap_err().to_string();
        assert!(found(b"taquin w\x01\0\0\0\x04\x04\x0f\x01").contains("version 1, and this program reads version 2"));
        let later = compress_to_vec(&b"taquin w\x03\0\0\0\x04\x04\x0f\x01"[..], CompressionLevel::Fastest);
        assert!(found(&later).contains("version 3"));
        for other in [
            &b""[..],
            b"1 2 3 4 5 6 7 8 0\n",
            &compress_to_vec(&b"1 2 3 4 5 6 7 8 0 and more\n"[..], CompressionLevel::Fastest),
        ] {
            assert!(found(other).contains("not a file of weights"), "{}", found(other));
        }
    }

    /// Symmetric weights take about half the space.
    #[test]
    fn mirror_images_are_left_out() {
        let size = |weights: &Learned| {
            let mut file = Vec::new();
            weights.write(&mut file).unwrap();
            assert_eq!(Learned::read(&mut &file[..]).unwrap(), *weights);
            file.len()
        };
        let weights = random("3x3", 8, 7);
        let (shape, blank) = weights.shape_and_blank();
        let sets = TileSets::new(shape, blank.index(), true).unwrap();
        let (mut pair, mut triple) = (weights.pairs().to_vec(), weights.triple_weights().to_vec());
        sets.visit(&mut pair, &mut triple, |_| Ok::<(), ()>(())).unwrap();
        let symmetric = Learned::new(shape, blank, weights.singles().to_vec(), pair, triple);
        assert!(TileSets::new(Shape::new(5, 5).unwrap(), 23, true).is_none());
        assert!(TileSets::new(Shape::new(4, 5).unwrap(), 19, true).is_none());
        assert!(size(&symmetric) * 10 < size(&weights) * 6, "{} {}", size(&symmetric), size(&weights));
    }
}
