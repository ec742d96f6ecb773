//! The available weights, which ship with the program or come from a file.

use std::io::Read;
use std::sync::Arc;

use super::reflected::{Reflected, cell_map};
use super::{Error, Learned};
use crate::board::{Cell, Shape};

/// Weights for square boards with the blank's home in the last corner. The text file next to each
/// of these files describes the training.
const SHIPPED: [(usize, &[u8]); 5] = [
    (4, include_bytes!("../../../weights/4x4.weights")),
    (5, include_bytes!("../../../weights/5x5.weights")),
    (6, include_bytes!("../../../weights/6x6.weights")),
    (7, include_bytes!("../../../weights/7x7.weights")),
    (8, include_bytes!("../../../weights/8x8.weights")),
];

/// The shipped weights and, if there is one, those of a file.
#[derive(Clone, Default, Debug)]
pub struct AvailableWeights {
    file: Option<WeightsFile>,
}

/// Weights from a file, and the file's checksum.
#[derive(Clone, Debug)]
struct WeightsFile {
    learned: Arc<Learned>,
    checksum: u64,
}

impl AvailableWeights {
    /// Returns the shipped weights and the weights of a file. Those of the file take precedence.
    pub fn with_file(input: &mut impl Read) -> Result<AvailableWeights, Error> {
        let (learned, checksum) = Learned::read_with_checksum(input)?;
        Ok(AvailableWeights { file: Some(WeightsFile { learned: Arc::new(learned), checksum }) })
    }

    /// Returns the checksum of the file, if there is one.
    pub fn checksum(&self) -> Option<u64> {
        self.file.as_ref().map(|file| file.checksum)
    }

    /// Returns the memory in bytes that the weights of the file take, whether they are used or not.
    pub fn held_bytes(&self) -> u64 {
        self.file.as_ref().map_or(0, |file| file.learned.bytes())
    }

    /// Returns true if there are weights for a shape and the blank's home.
    pub fn has(&self, shape: Shape, goal_blank: Cell) -> bool {
        let in_file = |file: &WeightsFile| cell_map(file.learned.shape_and_blank(), (shape, goal_blank)).is_some();
        self.file.as_ref().is_some_and(in_file) || shipped(shape, goal_blank).is_some()
    }

    /// Returns the weights for a shape and the blank's home, if there are any. Shipped weights are
    /// decompressed each time, which takes a few hundredths of a second for 6×6.
    pub fn get(&self, shape: Shape, goal_blank: Cell) -> Option<Reflected> {
        let from_file = self.file.as_ref().and_then(|file| Reflected::new(&file.learned, shape, goal_blank));
        from_file.or_else(|| {
            let learned = Learned::read(&mut shipped(shape, goal_blank)?).ok()?;
            Reflected::new(&Arc::new(learned), shape, goal_blank)
        })
    }

    /// Returns the approximate size of a shape's weights in bytes.
    pub fn bytes(shape: Shape) -> u64 {
        let cells = shape.cells() as u64;
        // The pairs, and about five triples per cell.
        cells.pow(4) + 5 * cells.pow(4)
    }
}

fn shipped(shape: Shape, goal_blank: Cell) -> Option<&'static [u8]> {
    let (_, bytes) = SHIPPED.into_iter().find(|&(side, _)| shape.rows() == side && shape.cols() == side)?;
    let corner = Cell::new(shape.cells() - 1);
    cell_map((shape, corner), (shape, goal_blank)).is_some().then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Checksum;

    /// The shipped files contain the trained weights. The checksums do not depend on the
    /// compression.
    #[test]
    fn shipped_weights_can_be_read() {
        let checksums: [u64; 5] = [
            0x55e4_de3c_035c_fa4f,
            0x9b4b_a0ce_fbae_f660,
            0x0bf6_6e3c_8284_29e3,
            0x7442_7c3e_6537_2252,
            0xc051_2bdf_6322_0469,
        ];
        for ((side, bytes), checksum) in SHIPPED.into_iter().zip(checksums) {
            let shape = Shape::new(side, side).unwrap();
            let learned = Learned::read(&mut &bytes[..]).unwrap();
            assert_eq!(learned.shape_and_blank(), (shape, Cell::new(shape.cells() - 1)));
            let mut sum = Checksum::default();
            learned.singles().iter().for_each(|weight| sum.update(&weight.to_le_bytes()));
            sum.update(bytemuck::cast_slice(learned.pairs()));
            sum.update(bytemuck::cast_slice(learned.triple_weights()));
            assert_eq!(sum.value(), checksum, "{shape}");
            let has = |cell: usize| AvailableWeights::default().has(shape, Cell::new(cell));
            assert!(has(0) && has(side - 1) && has(shape.cells() - side) && has(shape.cells() - 1));
            assert!(!has(1) && !has(shape.cells() / 2));
        }
        assert!(!AvailableWeights::default().has(Shape::new(6, 5).unwrap(), Cell::new(29)));
    }

    #[test]
    fn a_file_takes_precedence_over_shipped_weights() {
        let mut bytes = Vec::new();
        crate::heuristic::learned::tests::random("2x3", 5, 1).write(&mut bytes).unwrap();
        let available = AvailableWeights::with_file(&mut &bytes[..]).unwrap();
        assert!(available.checksum().is_some() && AvailableWeights::default().checksum().is_none());
        // Singles of two bytes, pairs, and six triples without the blank's corner, 6³ each.
        assert_eq!((available.held_bytes(), AvailableWeights::default().held_bytes()), (2 * 36 + 1296 + 6 * 216, 0));
        let has = |shape: &str, cell| available.has(shape.parse().unwrap(), Cell::new(cell));
        assert!(has("2x3", 0) && has("3x2", 5) && has("6x6", 35) && !has("2x3", 1) && !has("2x4", 7));
        assert!(available.get("3x2".parse().unwrap(), Cell::new(1)).is_some());
    }
}
