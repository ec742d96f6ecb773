//! The transposition of a square of 64×64 bits, by exchanging ever smaller quarters (Warren,
//! Hacker's Delight, 7-3). The builders of pattern databases and of full tables change the layout
//! of a table with it.

/// Exchanges rows and columns of a square of bits.
#[inline(always)]
pub(crate) fn transpose_bits(square: &mut [u64; 64]) {
    let (mut width, mut mask) = (32, 0x0000_0000_ffff_ffff_u64);
    while width > 0 {
        for pair in square.chunks_exact_mut(2 * width) {
            let (upper, lower) = pair.split_at_mut(width);
            for (upper, lower) in upper.iter_mut().zip(lower) {
                let exchanged = (*upper >> width ^ *lower) & mask;
                *lower ^= exchanged;
                *upper ^= exchanged << width;
            }
        }
        width /= 2;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_columns_are_exchanged() {
        let square: [u64; 64] = std::array::from_fn(|i| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut transposed = square;
        transpose_bits(&mut transposed);
        for (row, column) in (0..64).flat_map(|row| (0..64).map(move |column| (row, column))) {
            assert_eq!(transposed[row] >> column & 1, square[column] >> row & 1);
        }
    }
}
