//! Records that are solved together, before and after they are read.

/// Records of a block: enough that their table entries are fetched concurrently, few enough that
/// reading ahead past an unusual record costs little.
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

/// The number of leading records that were answered.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Taken {
    /// Records, each on its own line.
    pub records: usize,
    /// Their bytes.
    pub bytes: usize,
    /// The number of solved records; the others have no solution.
    pub solved: usize,
}

/// A block of records that were read.
#[derive(Clone, Debug)]
pub struct Block {
    /// The tiles in the order of the record, as digits, with `0` for the blank, followed by zeros.
    pub boards: [[u8; 16]; BLOCK],
    /// The blank's cell on the board as given.
    pub blanks: [u8; BLOCK],
    /// The rank among all permutations for all cells of the blank, solvable or not. Shifted right by
    /// one it is the rank in the table. The low bit selects one of the two permutations that share
    /// that rank, of which one is solvable.
    pub orders: [u32; BLOCK],
}

impl Default for Block {
    fn default() -> Block {
        Block { boards: [[0; 16]; BLOCK], blanks: [0; BLOCK], orders: [0; BLOCK] }
    }
}
