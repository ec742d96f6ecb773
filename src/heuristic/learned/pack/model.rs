//! What is known about a weight before it is coded.

use super::coder::{Chance, Coder};

/// The greatest number of bits of a magnitude.
const BITS: usize = 16;
/// Neighbourhoods that are told apart by how large the weights in it are.
const SIZES: usize = 16;

/// Probabilities for weights of one kind.
#[derive(Clone)]
pub(super) struct Model {
    /// By how many of the rows before are empty: whether a row of weights is.
    empty: [Chance; 16],
    /// By size and number of neighbours that are not zero: whether a weight is zero.
    zero: [[Chance; 8]; SIZES],
    /// By the sign of the neighbours: the sign.
    sign: [Chance; 5],
    /// By size: whether the magnitude has more bits.
    more: [[Chance; BITS]; SIZES],
    /// By size and number of bits: the bit below the first, and the next one by the one before it.
    second: [[Chance; BITS]; SIZES],
    third: [[[Chance; 2]; BITS]; SIZES],
    /// By number of bits and place: the bits below.
    rest: [[Chance; BITS]; BITS],
}

/// The weights in neighbouring cells that are known.
#[derive(Clone, Copy, Default)]
pub(super) struct Neighbours {
    /// The sum of their magnitudes.
    pub(super) size: u32,
    pub(super) sum: i32,
    /// How many are not zero.
    pub(super) nonzero: u32,
}

impl Neighbours {
    #[inline(always)]
    pub(super) fn add(&mut self, weight: i32) {
        self.size += weight.unsigned_abs();
        self.sum += weight;
        self.nonzero += u32::from(weight != 0);
    }

    /// The size in steps of half its logarithm: 0, 1, 2, 3, then 4 and 5, 6 and 7, 8 to 11, and so on.
    #[inline(always)]
    fn step(&self) -> usize {
        let bits = (32 - self.size.leading_zeros()) as usize;
        let step = if bits < 2 { bits } else { 2 * (bits - 1) + (self.size as usize >> (bits - 2) & 1) };
        step.min(SIZES - 1)
    }
}

impl Model {
    pub(super) fn new() -> Model {
        let chance = Chance::default();
        Model {
            empty: [chance; 16],
            zero: [[chance; 8]; SIZES],
            sign: [chance; 5],
            more: [[chance; BITS]; SIZES],
            second: [[chance; BITS]; SIZES],
            third: [[[chance; 2]; BITS]; SIZES],
            rest: [[chance; BITS]; BITS],
        }
    }

    /// Whether a row of weights is empty; of the four rows beside it that are known, by bits, these are.
    #[inline(always)]
    pub(super) fn is_empty(&mut self, coder: &mut impl Coder, known: usize, empty: bool) -> bool {
        coder.bit(&mut self.empty[known & 15], empty)
    }

    /// Codes a weight of less than 2¹⁵.
    #[inline(always)]
    pub(super) fn weight(&mut self, coder: &mut impl Coder, neighbours: Neighbours, weight: i32) -> i32 {
        let step = neighbours.step();
        let nonzero = (neighbours.nonzero as usize).min(7);
        if coder.bit(&mut self.zero[step][nonzero], weight == 0) {
            return 0;
        }
        let strong = 2 * neighbours.sum.unsigned_abs() > neighbours.size;
        let signs = (2 + neighbours.sum.signum() * (1 + i32::from(strong))) as usize;
        let negative = coder.bit(&mut self.sign[signs], weight < 0);
        let magnitude = self.magnitude(coder, step, weight.unsigned_abs());
        if negative { -(magnitude as i32) } else { magnitude as i32 }
    }

    /// Codes a number from 1 to 2¹⁶ − 1.
    #[inline(always)]
    fn magnitude(&mut self, coder: &mut impl Coder, step: usize, magnitude: u32) -> u32 {
        let bits = 32 - magnitude.leading_zeros() as usize;
        let mut len = 1;
        while len < BITS && coder.bit(&mut self.more[step][len], bits > len) {
            len += 1;
        }
        let mut read = 1;
        for place in (0..len - 1).rev() {
            let chance = match len - 2 - place {
                0 => &mut self.second[step][len - 1],
                1 => &mut self.third[step][len - 1][read as usize & 1],
                _ => &mut self.rest[len - 1][place],
            };
            read = read << 1 | u32::from(coder.bit(chance, magnitude >> place & 1 == 1));
        }
        read
    }
}
