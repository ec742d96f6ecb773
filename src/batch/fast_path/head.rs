//! The head of a group of result fields: text that contains the *counters* of a record, which are
//! its index and its line.
//!
//! For up to a hundred records, only the last two digits of the counters change. So the text is
//! built once for this span and copied for every record, and the two digits are overwritten from a
//! table of pairs.

use super::out_buf::OutBuf;

/// The number of counters: the index and the line.
const COUNTERS: usize = 2;

/// The length in bytes of the blocks in which heads are copied. Most heads have one block.
const HEAD_BLOCK: usize = 96;

/// The counters of the next record, relative to those for which the heads were last set.
#[derive(Clone, Copy, Debug)]
pub struct Counters {
    /// The counters of the record for which the heads were last set.
    start: [u64; COUNTERS],
    /// The number of records for which the heads are valid.
    span: u64,
    /// The number of these records that are not written yet.
    records_left: u64,
    /// The last two digits of the next record's counters, as numbers.
    last_two: [usize; COUNTERS],
}

/// Text that contains counters.
#[derive(Clone, Default, Debug)]
pub struct Head {
    parts: Vec<HeadPart>,
    /// The text with the counters that were set, in blocks. Only the first `len` bytes are written.
    blocks: Vec<[u8; HEAD_BLOCK]>,
    len: usize,
    /// The position of each counter's last two digits; the end of the text for a counter that is
    /// absent or has one digit.
    pairs_at: [usize; COUNTERS],
}

#[derive(Clone, Debug)]
enum HeadPart {
    Text(Vec<u8>),
    /// The counter with this index.
    Counter(usize),
}

/// Maximum number of digits of a counter.
const MAX_DIGITS: usize = 20;

/// `00` to `99`, and padding so that every 7-bit index is valid.
static PAIRS: [[u8; 2]; 128] = {
    let mut pairs = [[0; 2]; 128];
    let mut i = 0;
    while i < 100 {
        pairs[i] = [b'0' + (i / 10) as u8, b'0' + (i % 10) as u8];
        i += 1;
    }
    pairs
};

/// Returns the number of increments up to and including the first that changes more than the last
/// two digits, or 1 if the number has one digit.
fn steps_to_carry(number: u64) -> u64 {
    if number < 10 { 1 } else { 100 - number % 100 }
}

impl Counters {
    /// Creates the counters of a record. The heads must be set for this record.
    pub fn new(start: [u64; COUNTERS]) -> Counters {
        let span = start.map(steps_to_carry).into_iter().min().unwrap_or(1);
        Counters { start, span, records_left: span, last_two: start.map(|number| (number % 100) as usize) }
    }

    /// Advances to the next record. If the heads are no longer valid, returns the counters for
    /// which they must be set.
    #[inline(always)]
    pub fn advance(&mut self) -> Option<[u64; COUNTERS]> {
        self.last_two = self.last_two.map(|last_two| last_two + 1);
        self.records_left -= 1;
        (self.records_left == 0).then(|| self.start.map(|number| number + self.span))
    }
}

impl Head {
    /// Appends text.
    pub fn push_text(&mut self, text: &[u8]) {
        match self.parts.last_mut() {
            Some(HeadPart::Text(before)) => before.extend_from_slice(text),
            _ => self.parts.push(HeadPart::Text(text.to_vec())),
        }
    }

    /// Appends a counter: 0 for the index, 1 for the line.
    pub fn push_counter(&mut self, counter: usize) {
        self.parts.push(HeadPart::Counter(counter));
    }

    /// Returns an upper bound on the length of the text in bytes, for any counters, in whole blocks.
    pub fn max_bytes(&self) -> usize {
        let max = |part: &HeadPart| match part {
            HeadPart::Text(text) => text.len(),
            HeadPart::Counter(_) => MAX_DIGITS,
        };
        self.parts.iter().map(max).sum::<usize>().next_multiple_of(HEAD_BLOCK)
    }

    /// Sets the counters.
    pub fn set(&mut self, counters: [u64; COUNTERS]) {
        self.blocks.resize(self.max_bytes() / HEAD_BLOCK, [0; HEAD_BLOCK]);
        let (text, mut len, mut pairs_at) = (self.blocks.as_flattened_mut(), 0, [None; COUNTERS]);
        for part in &self.parts {
            let mut buffer = itoa::Buffer::new();
            let piece = match part {
                HeadPart::Text(text) => text.as_slice(),
                &HeadPart::Counter(nth) => buffer.format(counters[nth]).as_bytes(),
            };
            text[len..len + piece.len()].copy_from_slice(piece);
            len += piece.len();
            // A counter of one digit needs no pair, because heads are then set for every record.
            if let &HeadPart::Counter(nth) = part {
                pairs_at[nth] = (piece.len() > 1).then(|| len - 2);
            }
        }
        self.pairs_at = pairs_at.map(|at| at.unwrap_or(len));
        self.len = len;
        self.blocks.truncate(len.div_ceil(HEAD_BLOCK));
    }

    /// Writes the text with the next record's counters.
    #[inline(always)]
    pub fn write(&self, counters: &Counters, out_buf: &mut OutBuf<'_>) {
        let start = out_buf.len();
        out_buf.put_blocks(&self.blocks, self.len);
        for (at, last_two) in self.pairs_at.into_iter().zip(counters.last_two) {
            out_buf.patch(start + at, PAIRS[last_two % PAIRS.len()]);
        }
    }
}
