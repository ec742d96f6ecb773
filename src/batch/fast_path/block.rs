//! Blocks of records that are solved together, before and after parsing.

/// The number of records in a block: enough that their table entries are fetched concurrently.
pub const BLOCK: usize = 32;

/// Records in the text of a file.
#[derive(Clone, Copy, Debug)]
pub struct RawRecords<'a> {
    /// The text, from the start of a line.
    pub bytes: &'a [u8],
    /// The number of records in it.
    pub records: usize,
    /// The number of the first record.
    pub index: u64,
    /// The line on which it begins.
    pub line: u64,
}

/// The leading records that were answered.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LeadingRecords {
    /// The number of records.
    pub records: usize,
    /// Their size in bytes.
    pub bytes: usize,
    /// The number of solved records; the others have no solution.
    pub solved: usize,
}

/// A block of parsed records.
#[derive(Clone, Debug)]
pub struct Block {
    /// The tiles in the order of the record, as digits, with `0` for the blank, followed by zeros.
    pub boards: [[u8; 16]; BLOCK],
    /// The blank's cell on the given board.
    pub blanks: [u8; BLOCK],
    /// The rank among all permutations of the tiles and the blank, solvable or not. Shifted right
    /// by one, it is the rank in the table. The low bit selects one of the two permutations that
    /// share that rank; one of them is solvable.
    pub ranks: [u32; BLOCK],
}

impl Default for Block {
    fn default() -> Block {
        Block { boards: [[0; 16]; BLOCK], blanks: [0; BLOCK], ranks: [0; BLOCK] }
    }
}
