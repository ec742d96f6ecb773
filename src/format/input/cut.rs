//! Where records begin and end: the one cutter that the reader and the workers share.
//!
//! It looks at a line at a time, and where a record ends follows from that record's own lines alone. So the bytes of
//! a record, cut out and looked at again as if the file ended behind them, are found to be that one record: this is why
//! reader and worker agree. In the layout `sized` alone, where a damaged record ends depends on what follows it
//! (`sized.rs`): there, the reader hands its spans on.
//!
//! Layouts of one line a record cost a search for the line feed and a look at the first byte that
//! is not blank; lines that plainly are a record each are counted by blocks. Layouts of several lines also have
//! their tokens counted.
//!
//! A record of the layouts `grid` and `pair` that is damaged ends with a blank line, or when the rows that its first line
//! announced are there.

use super::blocks;
use super::layout::{Layout, RecordLines};
use super::plain_lines::{self, plain_lines};
use super::sized::{NeedMore, Progress, Tiles, View};
pub use super::span::{Cut, Span};
use super::text_lines::{is_run, row_length, size, tokens};
use super::values::Values;
use crate::board::{Shape, tokens::is_separator};

/// Cuts the lines of one file into records. What it remembers from one call to the next is about
/// bytes that the caller still has.
pub struct Cutter {
    layout: Layout,
    lines_of_record: RecordLines,
    /// Where records are values and not lines.
    values: Values,
    shape: Option<Shape>,
    limit: usize,
    inside: Inside,
    /// The tiles of the record in the layout `sized` that has begun.
    tiles: Tiles,
    /// Where the line to look at next begins.
    at: usize,
    /// The lines before that.
    lines: u64,
    /// Where the record begins that is not complete yet, and the lines before it.
    begun: Option<(usize, u64)>,
}

/// What has been seen of a record of several lines.
#[derive(Clone, Copy)]
enum Inside {
    /// Nothing: between records.
    Nothing,
    /// Lines of a grid or a pair; `missing` more belong to it.
    Lines { missing: usize },
    /// A size line of a pair.
    PairSize,
    /// A size line and tiles of the layout `sized`.
    Body(Progress),
    /// A first line that is not a size line, as it should be.
    NoSize,
    /// A record of the layout `sized` that is damaged, and longer than what is looked at.
    Endless,
}

/// How a line relates to the record that has begun.
enum Role {
    /// It does not count: a comment, or a blank line that ends nothing.
    Ignored,
    /// A line of the record, not the last.
    Part,
    /// The record's last line.
    Last,
    /// What follows decides where the record ends.
    Open(Decided),
}

/// What the next lines decide of a record in the layout `sized`.
enum Decided {
    /// It is a board with this line, which looks like the size line of the next record.
    Board,
    /// It is none.
    Damaged,
    /// There is a blank line within it.
    Gap,
    /// It has no size line.
    Sizeless,
}

impl Cutter {
    /// A cutter that finds records longer than `limit` bytes to be too long.
    pub fn new(layout: Layout, shape: Option<Shape>, limit: usize) -> Cutter {
        Cutter {
            layout,
            lines_of_record: layout.record_lines(),
            values: Values::default(),
            shape,
            limit,
            inside: Inside::Nothing,
            tiles: Tiles::none(),
            at: 0,
            lines: 0,
            begun: None,
        }
    }

    /// Whole lines at the start of the bytes that plainly are a record each, no more than `most`: their bytes, and
    /// how many. Only for layouts of one line a record, and only between records.
    pub fn plain_lines(&self, bytes: &[u8], most: usize) -> (usize, usize) {
        let one_line = self.lines_of_record == RecordLines::One;
        // No line of a block is longer than the limit.
        if !one_line || self.limit < plain_lines::BLOCK_BYTES || self.begun.is_some() || self.at > 0 {
            return (0, 0);
        }
        plain_lines(bytes, most)
    }

    /// The first record of the bytes. After a record, the next call takes the bytes behind it;
    /// after [`Cut::More`], the same bytes without those passed and with more at the end.
    #[inline]
    pub fn next(&mut self, bytes: &[u8], ended: bool) -> Cut {
        match self.lines_of_record {
            RecordLines::Values => return self.values.next(bytes, ended, self.limit),
            RecordLines::Block => return blocks::next(bytes, ended, self.limit),
            _ => {}
        }
        loop {
            let rest = &bytes[self.at..];
            let (line, end, open) = match memchr::memchr(b'\n', rest) {
                Some(feed) => (&rest[..feed], self.at + feed + 1, false),
                None if ended && !rest.is_empty() => (rest, bytes.len(), false),
                None => (rest, bytes.len(), true),
            };
            let (start, lines_before) = self.begun.unwrap_or((self.at, self.lines));
            if self.at + line.len() - start > self.limit && !rest.is_empty() {
                let comment = self.begun.is_none() && self.first_sign(&line[..=self.limit]) == Some(b'#');
                if !comment || open {
                    (self.at, self.lines) = (end, self.lines + 1);
                    return if comment {
                        self.pass(true)
                    } else {
                        Cut::TooLong { span: self.take(start, lines_before), open }
                    };
                }
            }
            if open {
                let over = ended && self.begun.is_some();
                return if over { Cut::Record(self.take(start, lines_before)) } else { self.pass(false) };
            }
            match self.role_of(line) {
                Role::Ignored => {}
                Role::Part => self.begun = Some((start, lines_before)),
                Role::Last => {
                    (self.at, self.lines) = (end, self.lines + 1);
                    return Cut::Record(self.take(start, lines_before));
                }
                Role::Open(what) => match self.end_of_sized(what, &bytes[start..], end - start, ended) {
                    Ok(Some(length)) => {
                        (self.at, self.lines) =
                            (start + length, lines_before + lines_in(&bytes[start..start + length]));
                        return Cut::Record(self.take(start, lines_before));
                    }
                    Ok(None) => {}
                    // This line is looked at again, with those behind it.
                    Err(NeedMore) => return self.pass(false),
                },
            }
            (self.at, self.lines) = (end, self.lines + 1);
        }
    }

    /// The length of a record in the layout `sized`, `None` where it goes on: by the bytes from its start on, and where in
    /// them the line ends that is looked at.
    fn end_of_sized(
        &mut self,
        what: Decided,
        bytes: &[u8],
        end: usize,
        ended: bool,
    ) -> Result<Option<usize>, NeedMore> {
        // With its line feed, a record may be a byte longer than the limit.
        let view = View::new(bytes, self.limit.saturating_add(1), ended);
        let shape = self.tiles.shape();
        let found = match what {
            Decided::Board => {
                let last = memchr::memrchr(b'\n', &bytes[..end - 1]).map_or(0, |feed| feed + 1);
                return view.end_of_board(shape, last, end).map(Some);
            }
            Decided::Gap => return Ok(view.ends_with_gap(shape, end)?.then_some(end)),
            Decided::Damaged => view.end_of_damaged(shape)?,
            Decided::Sizeless => view.end_of_sizeless()?,
        };
        if found.is_none() {
            self.inside = Inside::Endless;
        }
        Ok(found)
    }

    /// Skips what is left of a record that is too long, where records are values: how many of these bytes that is, and
    /// whether it ends there. `None` where records are lines.
    pub fn skip_value(&mut self, bytes: &[u8]) -> Option<(usize, bool)> {
        (self.lines_of_record == RecordLines::Values).then(|| self.values.skip(bytes))
    }

    /// Whether the records are elements of an array that was not closed.
    pub fn is_unclosed(&self) -> bool {
        self.layout == Layout::JsonElements && !self.values.is_closed()
    }

    /// The record that ends where the next line begins.
    fn take(&mut self, start: usize, lines_before: u64) -> Span {
        let span = Span { start, lines_before, end: self.at, lines: self.lines };
        (self.inside, self.begun, self.at, self.lines) = (Inside::Nothing, None, 0, 0);
        span
    }

    /// A record in the layout `sized` that is a board, where the bytes behind it, which might have shown that its last line
    /// is the next one's, will never come.
    pub fn take_board(&mut self, bytes: &[u8]) -> Option<Span> {
        let (Inside::Body(Progress::Board), Some((start, lines_before))) = (self.inside, self.begun) else {
            return None;
        };
        let feed = memchr::memchr(b'\n', &bytes[self.at..])?;
        (self.at, self.lines) = (self.at + feed + 1, self.lines + 1);
        Some(self.take(start, lines_before))
    }

    /// Everything before the record that has begun, or before the next line, can be dropped.
    fn pass(&mut self, open: bool) -> Cut {
        let (passed, lines) = self.begun.unwrap_or((self.at, self.lines));
        self.at -= passed;
        self.lines -= lines;
        self.begun = self.begun.map(|_| (0, 0));
        Cut::More { passed, lines, open }
    }

    /// The first byte of a line that is not blank.
    #[inline]
    fn first_sign(&self, line: &[u8]) -> Option<u8> {
        let text = self.layout.is_text();
        line.iter().copied().find(|&byte| !is_separator(byte) || (byte == b',' && !text))
    }

    #[inline]
    fn role_of(&mut self, line: &[u8]) -> Role {
        match self.first_sign(line) {
            Some(b'#') => Role::Ignored,
            None => self.role_of_blank(),
            Some(_) => match self.lines_of_record {
                RecordLines::One | RecordLines::Values | RecordLines::Block => Role::Last,
                RecordLines::Grid => self.role_in_grid(line),
                RecordLines::Pair => self.role_in_pair(line),
                RecordLines::Sized => self.role_in_sized(line),
            },
        }
    }

    fn role_of_blank(&self) -> Role {
        match self.inside {
            Inside::Body(_) if self.tiles.len() > 0 => Role::Open(Decided::Gap),
            Inside::Nothing | Inside::PairSize | Inside::Body(_) | Inside::Endless => Role::Ignored,
            Inside::Lines { .. } | Inside::NoSize => Role::Last,
        }
    }

    fn role_in_grid(&mut self, line: &[u8]) -> Role {
        let missing = match self.inside {
            Inside::Lines { missing } => missing - 1,
            _ => match self.shape.map_or_else(|| row_length(line), Shape::rows) {
                rows if rows <= Shape::MAX_SIDE => rows - 1,
                _ => 0,
            },
        };
        self.still_missing(missing)
    }

    fn role_in_pair(&mut self, line: &[u8]) -> Role {
        let missing = match self.inside {
            Inside::Lines { missing } => missing - 1,
            Inside::PairSize => 1,
            _ if pair_size(line, self.shape).is_some() => {
                self.inside = Inside::PairSize;
                return Role::Part;
            }
            _ => 1,
        };
        self.still_missing(missing)
    }

    fn still_missing(&mut self, missing: usize) -> Role {
        self.inside = Inside::Lines { missing };
        if missing == 0 { Role::Last } else { Role::Part }
    }

    fn role_in_sized(&mut self, line: &[u8]) -> Role {
        match &mut self.inside {
            Inside::Body(progress) => {
                // A line that is looked at again was read.
                if *progress == Progress::Part {
                    *progress = self.tiles.add(line);
                }
                match progress {
                    Progress::Part => Role::Part,
                    Progress::Board if size(tokens(line)) == Some(self.tiles.shape()) => Role::Open(Decided::Board),
                    Progress::Board => Role::Last,
                    Progress::Damaged => Role::Open(Decided::Damaged),
                }
            }
            Inside::NoSize => Role::Open(Decided::Sizeless),
            Inside::Endless => Role::Part,
            _ => {
                self.inside = match size(tokens(line)) {
                    Some(shape) => {
                        self.tiles.begin(shape);
                        Inside::Body(Progress::Part)
                    }
                    None => Inside::NoSize,
                };
                Role::Part
            }
        }
    }
}

/// The number of lines in bytes; the last may lack its line feed.
fn lines_in(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64 + u64::from(bytes.last().is_some_and(|&last| last != b'\n'))
}

/// The shape that the first line of a pair names. It is no size line, but the start, when it fills
/// the shape that boards are known to have, or is one token of four characters or more.
pub fn pair_size(line: &[u8], known: Option<Shape>) -> Option<Shape> {
    let fills = |shape: Shape| {
        let mut run = tokens(line).filter(|token| is_run(token));
        tokens(line).count() == shape.cells() || run.any(|token| token.len() == shape.cells())
    };
    if known.is_some_and(fills) { None } else { size(tokens(line)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Random;

    /// However lines are mixed, those that are counted together are those that are cut one by one.
    #[test]
    fn lines_counted_together_are_those_cut_one_by_one() {
        let pieces: [&[u8]; 9] =
            [b"1 2 3 0\n", b"123456780\n", b"\n", b" 1 2 3 0\n", b"# so\n", b"\r\n", b",1\n", b"x\r\n", b"1 2 # 3\n"];
        let mut random = Random::new(1);
        let mut below = |end: usize| random.index(end);
        for layout in [Layout::Line, Layout::Digits, Layout::Json, Layout::Csv, Layout::Grid] {
            for _ in 0..300 {
                // Mostly plain lines, so that there are whole blocks of them.
                let odd = 1 + below(300);
                let lines = below(300);
                let mut text = Vec::new();
                for _ in 0..lines {
                    text.extend_from_slice(if below(odd) == 0 { pieces[below(9)] } else { pieces[below(2)] });
                }
                let most = below(2 * lines + 1);
                let (end, together) = Cutter::new(layout, None, 1 << 20).plain_lines(&text, most);
                assert!(together <= most);
                let (mut cutter, mut at) = (Cutter::new(layout, None, 1 << 20), 0);
                for _ in 0..together {
                    let Cut::Record(span) = cutter.next(&text[at..], true) else { panic!("no record at {at}") };
                    assert_eq!((span.start, span.lines_before, span.lines), (0, 0, 1));
                    at += span.end;
                }
                assert_eq!(at, end, "{layout:?}");
            }
        }
        let plain = b"1 2 3 0\n".repeat(1000);
        assert_eq!(Cutter::new(Layout::Line, None, 1 << 20).plain_lines(&plain, 1000), (8000, 1000));
        assert_eq!(Cutter::new(Layout::Line, None, 64).plain_lines(&plain, 1000), (0, 0));
    }
}
