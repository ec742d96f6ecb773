//! The form of a result: pieces that are copied one behind the other.
//!
//! Results of one source differ in index, line, length and path alone. What stands between them is written once by
//! [`crate::format::output`] itself, field by field, and put together to *groups*, of which the default fields need
//! one:
//!
//! 1. a *head*: text with index and line in it. It stays as it is for up to a hundred records but for their last
//!    two digits, which are written over it from a table of pairs;
//! 2. a *length*: one of 32 pieces, with text around it;
//! 3. the *letters* of a path;
//! 4. a *tail*: text.
//!
//! What a group has not is written all the same, and counts nothing: that costs less than to ask.

use super::room::Room;
use crate::board::{Move, Path};
use crate::format::output::{Field, Fields, Row, Verdict};
use crate::format::spelling::Spelling;
use crate::format::style::Style;

/// How results of one source are written.
#[derive(Clone, Debug)]
pub struct Form {
    solved: Vec<Group>,
    unsolvable: Vec<Group>,
    most_bytes: usize,
    has_paths: bool,
}

/// Where the records stand that are being written.
#[derive(Clone, Copy, Debug)]
pub struct Counters {
    /// Of the record with which the heads were last set.
    index: u64,
    line: u64,
    /// How many records the heads serve, up to which no more than the last two digits of a counter change; and how many of
    /// them are left.
    alike: u64,
    left: u64,
    /// The last two digits of the next record's counters, as numbers.
    low: [usize; COUNTERS],
}

/// Index and line.
const COUNTERS: usize = 2;

#[derive(Clone, Debug)]
struct Group {
    head: Head,
    lengths: Box<[Piece; LENGTHS]>,
    has_lengths: bool,
    /// All ones if there are letters.
    letters: usize,
    tail: Piece,
}

/// Lengths of paths that fit into a word: 0 to 31.
const LENGTHS: usize = 32;

/// A head's blocks: most heads are one.
const HEAD: usize = 96;

/// A short text.
#[derive(Clone, Copy, Default, Debug)]
struct Piece {
    text: [u8; 32],
    len: usize,
}

/// Text with counters in it.
#[derive(Clone, Default, Debug)]
struct Head {
    parts: Vec<Part>,
    /// The text with the counters as they were set, in blocks; behind `len` nothing counts.
    blocks: Vec<[u8; HEAD]>,
    len: usize,
    /// Where a counter stands.
    digits: [Option<Digits>; COUNTERS],
    /// Where its last two digits are. Without two digits: behind the text.
    pairs: [usize; COUNTERS],
}

/// Where a counter stands in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Digits {
    at: usize,
    len: usize,
}

#[derive(Clone, Debug)]
enum Part {
    Text(Vec<u8>),
    /// The n-th counter.
    Counter(usize),
}

/// The most digits of a number.
const DIGITS: usize = 20;

/// `00` to `99`, and more, so that seven bits are always one of them.
static PAIRS: [[u8; 2]; 128] = {
    let mut pairs = [[0; 2]; 128];
    let mut i = 0;
    while i < 100 {
        pairs[i] = [b'0' + (i / 10) as u8, b'0' + (i % 10) as u8];
        i += 1;
    }
    pairs
};

/// How often a number can count before more changes than its last two digits; once, where there are no two.
fn alike(number: u64) -> u64 {
    if number < 10 { 1 } else { 100 - number % 100 }
}

impl Form {
    /// The form of these fields for a source, whose name is a JSON string; `None` when a field is asked for
    /// that depends on the board, or on how it was solved, or paths are to be spelled in another way.
    pub fn new(fields: &Fields, source: &str) -> Option<Form> {
        // Paths are copied as they stand in the table, and replayed as they stand in the results.
        if fields.spelling() != Spelling::default() {
            return None;
        }
        // A counter or a path that stands twice in a result is left to the general way.
        let twice = |field| fields.iter().filter(|&other| other == field).count() > 1;
        if [Field::Index, Field::Line, Field::Path].into_iter().any(twice) {
            return None;
        }
        let path = Path::new();
        let solved = groups(fields, source, Verdict::Solved(&path))?;
        let unsolvable = groups(fields, source, Verdict::Unsolvable)?;
        let bytes = |groups: &[Group]| groups.iter().map(Group::most_bytes).sum::<usize>();
        Some(Form {
            most_bytes: bytes(&solved).max(bytes(&unsolvable)),
            has_paths: solved.iter().any(|group| group.letters != 0),
            solved,
            unsolvable,
        })
    }

    /// Room for a result, at least.
    pub fn most_bytes(&self) -> usize {
        self.most_bytes
    }

    /// Whether paths are written.
    pub fn has_paths(&self) -> bool {
        self.has_paths
    }

    /// Begins with a record of this index on this line.
    pub fn begin(&mut self, index: u64, line: u64) -> Counters {
        for group in self.solved.iter_mut().chain(&mut self.unsolvable) {
            group.head.set([index, line]);
        }
        let alike = alike(index).min(alike(line));
        Counters { index, line, alike, left: alike, low: [index, line].map(|number| (number % 100) as usize) }
    }

    /// Writes the result of a board that is solved; where its letters begin, or 0.
    #[inline(always)]
    pub fn write_solved(
        &mut self,
        counters: &mut Counters,
        plies: u32,
        letters: impl Fn() -> [u8; 32],
        room: &mut Room<'_>,
    ) -> usize {
        let mut letters_at = 0;
        for group in &self.solved {
            group.head.write(counters, room);
            let length = &group.lengths[plies as usize % LENGTHS];
            room.put(&length.text, length.len);
            letters_at |= room.len() & group.letters;
            room.put(&letters(), plies as usize & group.letters);
            room.put(&group.tail.text, group.tail.len);
        }
        self.advance(counters);
        letters_at
    }

    /// Writes the result of a board that has no solution.
    #[inline(always)]
    pub fn write_unsolvable(&mut self, counters: &mut Counters, room: &mut Room<'_>) {
        for group in &self.unsolvable {
            group.head.write(counters, room);
            room.put(&group.tail.text, group.tail.len);
        }
        self.advance(counters);
    }

    #[inline(always)]
    fn advance(&mut self, counters: &mut Counters) {
        counters.low = counters.low.map(|low| low + 1);
        counters.left -= 1;
        if counters.left == 0 {
            *counters = self.begin(counters.index + counters.alike, counters.line + counters.alike);
        }
    }
}

impl Group {
    fn new() -> Group {
        let (head, tail) = (Head::default(), Piece::default());
        Group { head, lengths: Box::default(), has_lengths: false, letters: 0, tail }
    }

    fn most_bytes(&self) -> usize {
        self.head.parts.iter().map(Part::most_bytes).sum::<usize>().next_multiple_of(HEAD) + 3 * 32
    }
}

impl Part {
    fn most_bytes(&self) -> usize {
        match self {
            Part::Text(text) => text.len(),
            Part::Counter(_) => DIGITS,
        }
    }
}

impl Head {
    /// Sets the counters.
    fn set(&mut self, counters: [u64; COUNTERS]) {
        let mut fits = !self.blocks.is_empty() || self.parts.is_empty();
        for (digits, number) in self.digits.iter().zip(counters) {
            let (Some(digits), mut buffer) = (digits, itoa::Buffer::new()) else { continue };
            let number = buffer.format(number).as_bytes();
            fits &= number.len() == digits.len;
            if fits {
                self.blocks.as_flattened_mut()[digits.at..digits.at + digits.len].copy_from_slice(number);
            }
        }
        if !fits {
            self.rebuild(counters);
        }
    }

    #[cold]
    fn rebuild(&mut self, counters: [u64; COUNTERS]) {
        let mut all = Vec::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => all.extend_from_slice(text),
                &Part::Counter(nth) => {
                    let mut buffer = itoa::Buffer::new();
                    let number = buffer.format(counters[nth]).as_bytes();
                    self.digits[nth] = Some(Digits { at: all.len(), len: number.len() });
                    all.extend_from_slice(number);
                }
            }
        }
        self.len = all.len();
        // A number of one digit is set anew for every record.
        self.pairs = self.digits.map(|digits| match digits {
            Some(Digits { at, len: len @ 2.. }) => at + len - 2,
            _ => self.len,
        });
        all.resize(all.len().next_multiple_of(HEAD), 0);
        self.blocks.clear();
        self.blocks.extend_from_slice(all.as_chunks().0);
    }

    #[inline(always)]
    fn write(&self, counters: &Counters, room: &mut Room<'_>) {
        let start = room.len();
        room.put_blocks(&self.blocks, self.len);
        for (at, low) in self.pairs.into_iter().zip(counters.low) {
            room.patch(start + at, PAIRS[low % PAIRS.len()]);
        }
    }
}

/// The groups of a verdict's result; `None` when one of the fields has no place here.
fn groups(fields: &Fields, source: &str, verdict: Verdict<'_>) -> Option<Vec<Group>> {
    let mut form = vec![Group::new()];
    text(&mut form, b"{");
    let mut first = true;
    for field in fields.iter() {
        // What this field alone looks like.
        let alone = |verdict: Verdict<'_>| {
            let row = Row { index: 0, source, line: 0, id: None, puzzle: None, verdict, detail: None };
            let mut out = Vec::new();
            row.write(&Style::Json(Fields::new([field])), &mut out);
            out[1..out.len() - 2].to_vec()
        };
        let written = match field {
            Field::Index
            | Field::Source
            | Field::Line
            | Field::Id
            | Field::Status
            | Field::Moves
            | Field::Path
            | Field::Optimal
            | Field::Limit
            | Field::LowerBound
            | Field::Error => alone(verdict),
            Field::Rows
            | Field::Cols
            | Field::Board
            | Field::Goal
            | Field::States
            | Field::Engine
            | Field::Heuristic
            | Field::Nodes
            | Field::TimeUs => return None,
        };
        if written.is_empty() {
            continue;
        }
        if !std::mem::take(&mut first) {
            text(&mut form, b",");
        }
        match field {
            Field::Index | Field::Line => {
                text(&mut form, written.strip_suffix(b"0")?);
                let group = group_with(&mut form, Group::takes_head);
                group.head.parts.push(Part::Counter(usize::from(field == Field::Line)));
            }
            Field::Moves => {
                let group = group_with(&mut form, Group::takes_lengths);
                group.has_lengths = true;
                for (plies, length) in group.lengths.iter_mut().enumerate() {
                    let path: Path = std::iter::repeat_n(Move::Down, plies).collect();
                    length.add(&alone(Verdict::Solved(&path)));
                }
            }
            Field::Path => {
                text(&mut form, written.strip_suffix(b"\"")?);
                group_with(&mut form, Group::takes_letters).letters = usize::MAX;
                text(&mut form, b"\"");
            }
            _ => text(&mut form, &written),
        }
    }
    text(&mut form, b"}\n");
    Some(form)
}

/// The last group, if it takes more; or else a new one.
fn group_with(form: &mut Vec<Group>, takes: impl Fn(&Group) -> bool) -> &mut Group {
    if !form.last().is_some_and(takes) {
        form.push(Group::new());
    }
    let last = form.len() - 1;
    &mut form[last]
}

/// Adds text: to the last thing that the last group has, or in a new group.
fn text(form: &mut Vec<Group>, text: &[u8]) {
    let group = group_with(form, |group| group.takes_head() || group.takes_text(text.len()));
    if group.takes_head() {
        match group.head.parts.last_mut() {
            Some(Part::Text(before)) => before.extend_from_slice(text),
            _ => group.head.parts.push(Part::Text(text.to_vec())),
        }
    } else if group.takes_letters() && group.tail.len == 0 && group.lengths.iter().all(|length| length.fits(text.len()))
    {
        group.lengths.iter_mut().for_each(|length| length.add(text));
    } else {
        group.tail.add(text);
    }
}

impl Group {
    /// Nothing follows its head.
    fn takes_head(&self) -> bool {
        !self.has_lengths && self.takes_letters()
    }

    fn takes_lengths(&self) -> bool {
        self.takes_head()
    }

    /// Nothing follows its lengths.
    fn takes_letters(&self) -> bool {
        self.letters == 0 && self.tail.len == 0
    }

    /// Behind its lengths or its letters there is place for so much text.
    fn takes_text(&self, len: usize) -> bool {
        self.tail.fits(len)
    }
}

impl Piece {
    fn fits(&self, len: usize) -> bool {
        self.len + len <= self.text.len()
    }

    fn add(&mut self, text: &[u8]) {
        self.text[self.len..self.len + text.len()].copy_from_slice(text);
        self.len += text.len();
    }
}
