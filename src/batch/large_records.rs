//! Estimates the memory for the results of large boards, to bound the number of such boards in
//! flight.

use crate::format::style::Style;

/// The minimum size of a large record in bytes. The results of smaller ones are about as long as
/// the records.
const MIN_LARGE_BYTES: usize = 4096;

/// Returns the approximate number of bytes by which the results of `records` records, of `bytes`
/// bytes in total, are longer than the records.
///
/// In large boards a number takes about five characters. A good path of a random board of n cells
/// has about 2.2 n√n moves of one letter each; 2.5 n√n are assumed.
pub fn extra_bytes(style: &Style, bytes: usize, records: usize) -> usize {
    let record_bytes = bytes / records.max(1);
    if record_bytes < MIN_LARGE_BYTES || !style.writes_paths() {
        return 0;
    }
    let cells = (record_bytes / 5) as f64;
    records * (2.5 * cells * cells.sqrt()) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::output::{Field, Fields};

    #[test]
    fn paths_of_large_boards_are_longer_than_their_records() {
        let style = Style::default();
        assert_eq!(extra_bytes(&style, 64 << 10, 1000), 0);
        assert_eq!(extra_bytes(&style, 0, 0), 0);
        // 255×255: 384 kB of text, about 36 million moves.
        let largest = extra_bytes(&style, 384_000, 1);
        assert!((33_000_000..66_000_000).contains(&largest), "{largest}");
        let lengths = Style::Json(Fields::new([Field::Index, Field::Moves]));
        assert_eq!(extra_bytes(&lengths, 384_000, 1), 0);
        assert_eq!(extra_bytes(&style, 768_000, 2), 2 * largest);
    }
}
