//! Records that are solved together: as they come, as they are read, and what became of them.

/// Records of a block: enough that their table entries are fetched side by side, few enough that what is
/// read ahead of an odd record is no loss.
pub const BLOCK: usize = 32;

/// Records as they stand in a file.
#[derive(Clone, Copy, Debug)]
pub struct RawRecords<'a> {
    /// From the start of a line on.
    pub bytes: &'a [u8],
    /// How many records they hold.
    pub records: usize,
    /// The number of the first.
    pub index: u64,
    /// The line it begins on.
    pub line: u64,
}

/// Which records were solved, from the first on.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Taken {
    /// Records, each on a line of its own.
    pub records: usize,
    /// Their bytes.
    pub bytes: usize,
    /// How many of them are solved; the others have no solution.
    pub solved: usize,
}

/// A block of records that were read.
#[derive(Clone, Debug)]
pub struct Block {
    /// The tiles as they stand in the record, as digits, the blank `0`; zeros behind them.
    pub boards: [[u8; 16]; BLOCK],
    /// The blank's cell on the board as given.
    pub blanks: [u8; BLOCK],
    /// The rank among all orders of all cells of the blank, solvable or not: twice the rank in the table, and
    /// the order's parity.
    pub orders: [u32; BLOCK],
}

impl Default for Block {
    fn default() -> Block {
        Block { boards: [[0; 16]; BLOCK], blanks: [0; BLOCK], orders: [0; BLOCK] }
    }
}
