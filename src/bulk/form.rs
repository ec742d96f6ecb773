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
    index: Counter,
    line: Counter,
    /// Records until more than the last two digits of a counter change.
    alike: u64,
    most_bytes: usize,
    has_paths: bool,
}

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
    index: Option<Digits>,
    line: Option<Digits>,
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
    Index,
    Line,
}

/// A number that grows by one with every record.
#[derive(Clone, Copy, Default, Debug)]
struct Counter {
    value: u64,
    /// Its last two digits as a number.
    low: usize,
}

/// The most digits of a number.
const DIGITS: usize = 20;

/// `00` to `99`.
static PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut i = 0;
    while i < 100 {
        pairs[i] = [b'0' + (i / 10) as u8, b'0' + (i % 10) as u8];
        i += 1;
    }
    pairs
};

impl Counter {
    fn new(value: u64) -> Counter {
        Counter { value, low: (value % 100) as usize }
    }

    /// How often it can count before more changes than the last two digits; once, where there are no two.
    fn alike(&self) -> u64 {
        if self.value < 10 { 1 } else { 100 - self.low as u64 }
    }
}

impl Form {
    /// The form of these fields for a source, whose name is a JSON string; `None` when a field is asked for
    /// that depends on the board, or on how it was solved, or paths are to be spelled in another way.
    pub fn new(fields: &Fields, source: &str) -> Option<Form> {
        // Paths are copied as they stand in the table, and replayed as they stand in the results.
        if fields.spelling() != Spelling::default() {
            return None;
        }
        let path = Path::new();
        let solved = groups(fields, source, Verdict::Solved(&path))?;
        let unsolvable = groups(fields, source, Verdict::Unsolvable)?;
        let bytes = |groups: &[Group]| groups.iter().map(Group::most_bytes).sum::<usize>();
        Some(Form {
            // One piece more: they are copied whole, and one seals what was written.
            most_bytes: bytes(&solved).max(bytes(&unsolvable)) + 64,
            has_paths: solved.iter().any(|group| group.letters != 0),
            solved,
            unsolvable,
            index: Counter::default(),
            line: Counter::default(),
            alike: 0,
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

    /// The index and the line of the next record.
    pub fn set(&mut self, index: u64, line: u64) {
        (self.index, self.line) = (Counter::new(index), Counter::new(line));
        self.alike = self.index.alike().min(self.line.alike());
        for group in self.solved.iter_mut().chain(&mut self.unsolvable) {
            group.head.set(index, line);
        }
    }

    /// Writes the result of a board that is solved; where its letters begin, or 0.
    #[inline(always)]
    pub fn write_solved(&mut self, plies: u32, letters: impl Fn() -> [u8; 32], room: &mut Room<'_>) -> usize {
        let mut letters_at = 0;
        for group in &self.solved {
            group.head.write(&self.index, &self.line, room);
            let length = &group.lengths[plies as usize % LENGTHS];
            room.put(&length.text, length.len);
            letters_at |= room.len() & group.letters;
            room.put(&letters(), plies as usize & group.letters);
            room.put(&group.tail.text, group.tail.len);
        }
        self.advance();
        letters_at
    }

    /// Writes the result of a board that has no solution.
    #[inline(always)]
    pub fn write_unsolvable(&mut self, room: &mut Room<'_>) {
        for group in &self.unsolvable {
            group.head.write(&self.index, &self.line, room);
            room.put(&group.tail.text, group.tail.len);
        }
        self.advance();
    }

    #[inline(always)]
    fn advance(&mut self) {
        self.index.value += 1;
        self.line.value += 1;
        self.index.low += 1;
        self.line.low += 1;
        self.alike -= 1;
        if self.alike == 0 {
            self.set(self.index.value, self.line.value);
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
            Part::Index | Part::Line => DIGITS,
        }
    }
}

impl Head {
    /// Sets the counters.
    fn set(&mut self, index: u64, line: u64) {
        let mut fits = !self.blocks.is_empty() || self.parts.is_empty();
        for (digits, number) in [(self.index, index), (self.line, line)] {
            let (Some(digits), mut buffer) = (digits, itoa::Buffer::new()) else { continue };
            let number = buffer.format(number).as_bytes();
            fits &= number.len() == digits.len;
            if fits {
                self.blocks.as_flattened_mut()[digits.at..digits.at + digits.len].copy_from_slice(number);
            }
        }
        if !fits {
            self.rebuild(index, line);
        }
    }

    #[cold]
    fn rebuild(&mut self, index: u64, line: u64) {
        let mut all = Vec::new();
        for part in &self.parts {
            let (number, digits) = match part {
                Part::Text(text) => {
                    all.extend_from_slice(text);
                    continue;
                }
                Part::Index => (index, &mut self.index),
                Part::Line => (line, &mut self.line),
            };
            let mut buffer = itoa::Buffer::new();
            let number = buffer.format(number).as_bytes();
            *digits = Some(Digits { at: all.len(), len: number.len() });
            all.extend_from_slice(number);
        }
        self.len = all.len();
        all.resize(all.len().next_multiple_of(HEAD), 0);
        self.blocks.clear();
        self.blocks.extend_from_slice(all.as_chunks().0);
    }

    #[inline(always)]
    fn write(&self, index: &Counter, line: &Counter, room: &mut Room<'_>) {
        let start = room.len();
        room.put_blocks(&self.blocks, self.len);
        for (digits, counter) in [(self.index, index), (self.line, line)] {
            // A number of one digit is set anew for every record.
            if let Some(Digits { at, len: len @ 2.. }) = digits {
                room.patch(start + at + len - 2, PAIRS[counter.low]);
            }
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
                group.head.parts.push(if field == Field::Index { Part::Index } else { Part::Line });
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
