//! Estimates the memory for the results of large boards, to bound how many are in flight.

use crate::format::style::Style;

/// The results of records smaller than this are about as long as the records.
const LARGE: usize = 4096;

/// Returns the approximate bytes by which the results of `records` records in `bytes` bytes of text
/// exceed the records.
///
/// A number takes about five characters, so the number of cells of a board is a fifth of its bytes.
/// A good path of a random board of n cells has about 2.2 n√n moves, a letter each.
pub fn expected_bytes(style: &Style, bytes: usize, records: usize) -> usize {
    let record = bytes / records.max(1);
    if record < LARGE || !style.writes_paths() {
        return 0;
    }
    let cells = (record / 5) as f64;
    records * (2.5 * cells * cells.sqrt()) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::output::{Field, Fields};

    #[test]
    fn only_paths_of_large_boards_take_more_than_their_records() {
        let style = Style::default();
        assert_eq!(expected_bytes(&style, 64 << 10, 1000), 0);
        assert_eq!(expected_bytes(&style, 0, 0), 0);
        // 255×255: 384 kB of text, about 33 million moves.
        let largest = expected_bytes(&style, 384_000, 1);
        assert!((33_000_000..66_000_000).contains(&largest), "{largest}");
        let lengths = Style::Json(Fields::new([Field::Index, Field::Moves]));
        assert_eq!(expected_bytes(&lengths, 384_000, 1), 0);
        assert_eq!(expected_bytes(&style, 768_000, 2), 2 * largest);
    }
}
