//! The form of a result: pieces that are copied one behind the other.
//!
//! Results of one source differ in index, line, length and path alone. What stands between them is written once by
//! [`crate::format::output`] itself, field by field, and cut into segments:
//!
//! * a *head* has an index or a line in it, or nothing that changes. It stays as it is for up to a hundred
//!   records but for the last two digits, which are written over it from a table of pairs;
//! * a *length* is one of 32 pieces, with the text around it;
//! * the *letters* of a path.

use super::room::Room;
use crate::board::{Move, Path};
use crate::format::output::{Field, Fields, Row, Verdict};

/// How results of one source are written.
#[derive(Clone, Debug)]
pub struct Form {
    solved: Vec<Segment>,
    unsolvable: Vec<Segment>,
    index: Counter,
    line: Counter,
    most_bytes: usize,
    has_paths: bool,
}

#[derive(Clone, Debug)]
enum Segment {
    Head(Head),
    Lengths(Box<[Length; LENGTHS]>),
    Letters,
}

/// Lengths of paths that fit into a word: 0 to 31.
const LENGTHS: usize = 32;

/// A length, and the text around it.
#[derive(Clone, Copy, Debug)]
struct Length {
    text: [u8; 32],
    len: usize,
}

/// Text with counters in it.
#[derive(Clone, Default, Debug)]
struct Head {
    parts: Vec<Part>,
    /// The text with the counters as they were set, filled up to whole blocks; behind `len` nothing counts.
    text: Vec<u8>,
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

    /// Counts one; `true` when more changed than the last two digits, or there are no two.
    #[inline(always)]
    fn advance(&mut self) -> bool {
        self.value += 1;
        self.low += 1;
        if self.low == 100 {
            self.low = 0;
        }
        self.low == 0 || self.value <= 10
    }
}

impl Form {
    /// The form of these fields for a source, whose name is a JSON string; `None` when a field is asked for
    /// that depends on the board, or on how it was solved.
    pub fn new(fields: &Fields, source: &str) -> Option<Form> {
        let path = Path::new();
        let solved = segments(fields, source, Verdict::Solved(&path))?;
        let unsolvable = segments(fields, source, Verdict::Unsolvable)?;
        let bytes = |segments: &[Segment]| segments.iter().map(Segment::most_bytes).sum::<usize>();
        Some(Form {
            // One piece more: they are copied whole, and one seals what was written.
            most_bytes: bytes(&solved).max(bytes(&unsolvable)) + 64,
            has_paths: solved.iter().any(|segment| matches!(segment, Segment::Letters)),
            solved,
            unsolvable,
            index: Counter::default(),
            line: Counter::default(),
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
        self.renew();
    }

    fn renew(&mut self) {
        for segment in self.solved.iter_mut().chain(&mut self.unsolvable) {
            if let Segment::Head(head) = segment {
                head.renew(self.index.value, self.line.value);
            }
        }
    }

    /// Writes the result of a board that is solved; where its letters begin, or 0.
    #[inline(always)]
    pub fn write_solved(&mut self, plies: u32, letters: impl Fn() -> [u8; 32], room: &mut Room<'_>) -> usize {
        let mut letters_at = 0;
        for segment in &self.solved {
            match segment {
                Segment::Head(head) => head.write(&self.index, &self.line, room),
                Segment::Lengths(lengths) => {
                    let length = &lengths[plies as usize % LENGTHS];
                    room.put(&length.text, length.len);
                }
                Segment::Letters => {
                    letters_at = room.len();
                    room.put(&letters(), plies as usize);
                }
            }
        }
        self.advance();
        letters_at
    }

    /// Writes the result of a board that has no solution.
    #[inline(always)]
    pub fn write_unsolvable(&mut self, room: &mut Room<'_>) {
        for segment in &self.unsolvable {
            if let Segment::Head(head) = segment {
                head.write(&self.index, &self.line, room);
            }
        }
        self.advance();
    }

    #[inline(always)]
    fn advance(&mut self) {
        let (index, line) = (self.index.advance(), self.line.advance());
        if index || line {
            self.renew();
        }
    }
}

impl Segment {
    fn most_bytes(&self) -> usize {
        match self {
            Segment::Head(head) => head.parts.iter().map(Part::most_bytes).sum::<usize>().next_multiple_of(32),
            Segment::Lengths(_) | Segment::Letters => 32,
        }
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
    fn renew(&mut self, index: u64, line: u64) {
        let mut fits = !self.text.is_empty();
        for (digits, number) in [(self.index, index), (self.line, line)] {
            let (Some(digits), mut buffer) = (digits, itoa::Buffer::new()) else { continue };
            let number = buffer.format(number).as_bytes();
            fits &= number.len() == digits.len;
            if fits {
                self.text[digits.at..digits.at + digits.len].copy_from_slice(number);
            }
        }
        if !fits {
            self.rebuild(index, line);
        }
    }

    #[cold]
    fn rebuild(&mut self, index: u64, line: u64) {
        self.text.clear();
        for part in &self.parts {
            let (number, digits) = match part {
                Part::Text(text) => {
                    self.text.extend_from_slice(text);
                    continue;
                }
                Part::Index => (index, &mut self.index),
                Part::Line => (line, &mut self.line),
            };
            let mut buffer = itoa::Buffer::new();
            let number = buffer.format(number).as_bytes();
            *digits = Some(Digits { at: self.text.len(), len: number.len() });
            self.text.extend_from_slice(number);
        }
        self.len = self.text.len();
        self.text.resize(self.len.next_multiple_of(32), 0);
    }

    #[inline(always)]
    fn write(&self, index: &Counter, line: &Counter, room: &mut Room<'_>) {
        let start = room.len();
        let mut left = self.len;
        for block in self.text.as_chunks::<32>().0 {
            let counted = left.min(32);
            room.put(block, counted);
            left -= counted;
        }
        for (digits, counter) in [(self.index, index), (self.line, line)] {
            // A number of one digit is set anew for every record.
            if let Some(Digits { at, len: len @ 2.. }) = digits {
                room.patch(start + at + len - 2, PAIRS[counter.low]);
            }
        }
    }
}

/// The segments of a verdict's result; `None` when one of the fields has no place here.
fn segments(fields: &Fields, source: &str, verdict: Verdict<'_>) -> Option<Vec<Segment>> {
    let mut segments = Vec::new();
    text(&mut segments, b"{");
    let mut first = true;
    for field in fields.iter() {
        // What this field alone looks like.
        let alone = |verdict: Verdict<'_>| {
            let row = Row { index: 0, source, line: 0, id: None, puzzle: None, verdict, detail: None };
            let mut out = Vec::new();
            row.write(&Fields::new([field]), &mut out);
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
            text(&mut segments, b",");
        }
        match field {
            Field::Index | Field::Line => {
                text(&mut segments, written.strip_suffix(b"0")?);
                counter(&mut segments, if field == Field::Index { Part::Index } else { Part::Line });
            }
            Field::Moves => {
                let mut lengths = [Length { text: [0; 32], len: 0 }; LENGTHS];
                for (plies, length) in lengths.iter_mut().enumerate() {
                    let path: Path = std::iter::repeat_n(Move::Down, plies).collect();
                    length.add(&alone(Verdict::Solved(&path)));
                }
                segments.push(Segment::Lengths(Box::new(lengths)));
            }
            Field::Path => {
                text(&mut segments, written.strip_suffix(b"\"")?);
                segments.push(Segment::Letters);
                text(&mut segments, b"\"");
            }
            _ => text(&mut segments, &written),
        }
    }
    text(&mut segments, b"}\n");
    Some(segments)
}

/// Adds text to the last segment, where it can take more, or in a new one.
fn text(segments: &mut Vec<Segment>, text: &[u8]) {
    match segments.last_mut() {
        Some(Segment::Head(head)) => match head.parts.last_mut() {
            Some(Part::Text(before)) => before.extend_from_slice(text),
            _ => head.parts.push(Part::Text(text.to_vec())),
        },
        Some(Segment::Lengths(lengths)) if lengths.iter().all(|length| length.len + text.len() <= 32) => {
            lengths.iter_mut().for_each(|length| length.add(text));
        }
        _ => segments.push(Segment::Head(Head { parts: vec![Part::Text(text.to_vec())], ..Head::default() })),
    }
}

/// Adds a counter to the last segment if that is a head, or in a new one.
fn counter(segments: &mut Vec<Segment>, part: Part) {
    match segments.last_mut() {
        Some(Segment::Head(head)) => head.parts.push(part),
        _ => segments.push(Segment::Head(Head { parts: vec![part], ..Head::default() })),
    }
}

impl Length {
    fn add(&mut self, text: &[u8]) {
        self.text[self.len..self.len + text.len()].copy_from_slice(text);
        self.len += text.len();
    }
}
