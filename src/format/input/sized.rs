//! Where a record of the layout `sized` ends: a size line, then as many tokens as the board has cells, wherever the
//! lines break.
//!
//! A record whose tokens are a board needs nothing but itself. One that is damaged – a token is no tile, comes twice, is
//! missing or one too many – does not say by itself where the next one begins. So the few places where that may be are
//! looked at, for whole boards that begin there:
//!
//! 1. within the damaged record, where two of them follow each other: then its own size is wrong;
//! 2. where the count says; the line before that (a token is missing) and the line behind it (one is doubled); and
//!    any line from which a board reaches beyond the count.
//!
//! If there are none, the next record is damaged too, and the count decides, unless the lines show a size line above a
//! row. A record that does not even begin with a size ends before the next board.
//!
//! What is found depends on bytes that follow the record: so chunks carry where their records end. It never depends on
//! how much of them has arrived: a case that needs lines which are not there yet asks for them. Each line is looked at
//! for a few records around it, never from all records before: the time is in proportion to the text.

use smallvec::SmallVec;

use super::detect::Seen;
use super::text_lines::{count_tiles, is_run_on, number, size, tokens};
use crate::board::Shape;
use crate::board::tokens::{BLANKS, is_separator};

/// The fewest cells of a board that is looked for within another: the tiles of a board are size lines and boards of
/// one and two cells, too.
const LEAST_CELLS: usize = 4;

/// The lines that have arrived do not decide.
pub struct NeedMore;

type Decided<T> = Result<T, NeedMore>;

/// Bytes from the start of a record on.
#[derive(Clone, Copy)]
pub struct View<'a> {
    bytes: &'a [u8],
    seen: Seen,
}

/// A line that holds a token: where it begins and ends in the view, the line feed included.
#[derive(Clone, Copy)]
struct Line<'a> {
    start: usize,
    end: usize,
    text: &'a [u8],
}

impl Line<'_> {
    fn size(&self) -> Option<Shape> {
        size(tokens(self.text))
    }

    /// The tokens that a record from this line on has, the size itself included.
    fn record_tokens(&self, least: usize) -> Option<usize> {
        let shape = self.size().filter(|shape| shape.cells() >= least)?;
        Some(tokens(self.text).count() + shape.cells())
    }
}

/// A record that is a board.
struct Whole {
    shape: Shape,
    end: usize,
}

/// The most boards behind each other that are looked for. Where tiles by chance look like size lines, more than one board
/// in a row can seem to begin in a wrong place.
const LONGEST_CHAIN: usize = 4;

impl<'a> View<'a> {
    /// The bytes of a file from the start of a record on, of which at most `most` are looked at; `ended` where no more
    /// of the file follow.
    pub fn new(bytes: &'a [u8], most: usize, ended: bool) -> View<'a> {
        let (bytes, seen) = match bytes.get(..most) {
            Some(start) if bytes.len() > most => (start, Seen::Start),
            _ if ended => return View { bytes, seen: Seen::All },
            _ => (bytes, Seen::Some),
        };
        // Half a line says nothing.
        View { bytes: &bytes[..memchr::memrchr(b'\n', bytes).map_or(0, |feed| feed + 1)], seen }
    }

    /// The line that begins here; `None` where nothing more is to be looked at.
    fn any_line(self, start: usize) -> Decided<Option<Line<'a>>> {
        let rest = &self.bytes[start..];
        if rest.is_empty() {
            return if self.seen == Seen::Some { Err(NeedMore) } else { Ok(None) };
        }
        let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |feed| feed + 1);
        let text = &rest[..length];
        Ok(Some(Line { start, end: start + length, text: text.strip_suffix(b"\n").unwrap_or(text) }))
    }

    /// The first line with a token from here on.
    fn line(self, mut from: usize) -> Decided<Option<Line<'a>>> {
        while let Some(line) = self.any_line(from)? {
            if tokens(line.text).next().is_some() {
                return Ok(Some(line));
            }
            from = line.end;
        }
        Ok(None)
    }

    /// The board of at least `least` cells that begins with the next line. Its words are either all one tile, or all
    /// several: otherwise tiles of two digits would be taken for two tiles of a smaller board.
    fn board_at(self, from: usize, least: usize) -> Decided<Option<Whole>> {
        let Some(first) = self.line(from)? else { return Ok(None) };
        let Some(shape) = first.size().filter(|shape| shape.cells() >= least) else { return Ok(None) };
        let (mut tiles, mut at) = (Tiles::of(shape), first.end);
        while let Some(line) = self.line(at)? {
            at = line.end;
            match tiles.add(line.text) {
                _ if tiles.single && tiles.several => break,
                Progress::Part => {}
                Progress::Board => return Ok(Some(Whole { shape, end: at })),
                Progress::Damaged => break,
            }
        }
        Ok(None)
    }

    /// How many records of at least `least` cells that are boards follow each other from the next line on, as far as that
    /// is looked at; to the end of the file, they are as many as can be.
    fn chain(self, from: usize, least: usize) -> Decided<usize> {
        let mut at = from;
        for found in 0..LONGEST_CHAIN {
            match self.board_at(at, least)? {
                Some(board) => at = board.end,
                None if found > 0 && self.line(at)?.is_none() => break,
                None => return Ok(found),
            }
        }
        Ok(LONGEST_CHAIN)
    }

    /// True where two boards follow each other, or one is followed by the end.
    fn has_two(self, from: usize) -> Decided<bool> {
        let Some(Whole { end, .. }) = self.board_at(from, LEAST_CELLS)? else { return Ok(false) };
        Ok(self.line(end)?.is_none() || self.board_at(end, LEAST_CELLS)?.is_some())
    }

    /// True for a size line above a row or a board of that size, of more than two tiles.
    fn is_headed(self, from: usize) -> Decided<bool> {
        let Some(first) = self.line(from)? else { return Ok(false) };
        let Some(shape) = first.size() else { return Ok(false) };
        let Some(row) = self.line(first.end)? else { return Ok(false) };
        let tiles = count_tiles(row.text, shape);
        Ok(tiles > 2 && (tiles == shape.cols() || tiles == shape.cells()))
    }

    /// The length of a record that is a board with the line from `last` to `complete`, where that line is a size line
    /// like the record's own: it is the next record's if that alone makes sense of what follows. If it only does so
    /// because the next board ends with such a line, too, that chain of boards is longer by no more than one.
    pub fn end_of_board(self, shape: Shape, last: usize, complete: usize) -> Decided<usize> {
        if self.board_at(last, shape.cells())?.is_none() || self.line(complete)?.is_none() {
            return Ok(complete);
        }
        let least = LEAST_CELLS.min(shape.cells());
        let missing = self.chain(last, least)? >= self.chain(complete, least)? + 2;
        Ok(if missing { last } else { complete })
    }

    /// Whether a record ends with the empty line that ends here, before it has all its tokens: if boards of the same
    /// shape behind it make more sense than the record with all its tokens does.
    pub fn ends_with_gap(self, shape: Shape, after: usize) -> Decided<bool> {
        let least = LEAST_CELLS.min(shape.cells());
        let same = self.board_at(after, least)?.is_some_and(|board| board.shape == shape);
        Ok(same && self.chain(after, least)? > self.chain(0, least)?)
    }

    /// The length of a record whose tokens are no board; `None` where it is longer than what is looked at.
    pub fn end_of_damaged(self, shape: Shape) -> Decided<Option<usize>> {
        let Some(first) = self.line(0)? else { return Ok(None) };
        let (cells, least) = (shape.cells(), LEAST_CELLS.min(shape.cells()));
        let (mut found, mut at) = (Count::default(), first.end);
        // The lines, and the tokens before each.
        let mut body: Vec<(Line, usize)> = Vec::new();
        while found.tiles < cells {
            let Some(line) = self.line(at)? else { return Ok(self.end()) };
            let inside = line.record_tokens(LEAST_CELLS).is_some_and(|tokens| found.tiles + tokens <= cells);
            if inside && self.has_two(line.start)? {
                return self.surest_start(line.start).map(Some);
            }
            body.push((line, found.tiles));
            found.add(line.text, shape);
            at = line.end;
        }
        let (complete, last) = (at, body.last().map_or(at, |(line, _)| line.start));
        let next = self.line(complete)?;
        let mut ends: SmallVec<[usize; 8]> = SmallVec::from_slice(&[complete]);
        ends.extend(self.end_by_words(found, complete, shape)?);
        ends.push(last);
        ends.extend(next.map(|next| next.end));
        // From a line before, only a board that reaches beyond the count: any other was looked at.
        let beyond = |&&(line, before): &&(Line, usize)| {
            line.record_tokens(LEAST_CELLS).is_some_and(|tokens| before + tokens > cells)
        };
        ends.extend(body.iter().filter(beyond).map(|(line, _)| line.start).filter(|&start| start < last));
        match self.longest_chain(&ends, least)? {
            Some(end) => Ok(Some(end)),
            None => {
                let Some(next) = next else { return Ok(Some(complete)) };
                for &end in ends.iter().filter(|&&end| end != next.end) {
                    if self.is_headed(end)? {
                        return Ok(Some(end));
                    }
                }
                Ok(Some(most_likely_end(shape, &body, &next)))
            }
        }
    }

    /// The place from which most boards follow each other, the first of several; or one before it whose board leads there.
    fn longest_chain(self, places: &[usize], least: usize) -> Decided<Option<usize>> {
        let mut boards = SmallVec::<[(usize, usize); 8]>::new();
        for &place in places {
            if let Some(board) = self.board_at(place, least)? {
                boards.push((place, board.end));
            }
        }
        if let [] | [_] = boards[..] {
            return Ok(boards.first().map(|&(place, _)| place));
        }
        let (mut best, mut longest) = (0, 0);
        for &(place, _) in &boards {
            let chain = self.chain(place, least)?;
            if chain > longest {
                (best, longest) = (place, chain);
            }
        }
        let before = boards.iter().find(|&&(_, end)| end == best);
        Ok(Some(before.map_or(best, |&(place, _)| place)))
    }

    /// Where the record ends if each of its tokens is one tile, where most of them are and some might be several.
    fn end_by_words(self, found: Count, complete: usize, shape: Shape) -> Decided<Option<usize>> {
        let (mut found, mut at) = (found, complete);
        if found.words >= shape.cells() || 2 * found.single <= found.words {
            return Ok(None);
        }
        while found.words < shape.cells() {
            let Some(line) = self.line(at)? else { return Ok(None) };
            found.add(line.text, shape);
            at = line.end;
        }
        Ok(Some(at))
    }

    /// The length of a record that does not begin with a size line: to an empty line, or to the next board, or to a size
    /// line above a row; `None` where it is longer than what is looked at.
    pub fn end_of_sizeless(self) -> Decided<Option<usize>> {
        let Some(first) = self.line(0)? else { return Ok(None) };
        let mut at = first.end;
        while let Some(line) = self.any_line(at)? {
            at = line.end;
            if line.text.iter().all(|&byte| is_separator(byte)) {
                return Ok(Some(at));
            }
            if line.size().is_none() {
                continue;
            }
            if self.board_at(line.start, LEAST_CELLS)?.is_some() {
                return self.surest_start(line.start).map(Some);
            }
            if self.is_headed(line.start)? {
                return Ok(Some(line.start));
            }
        }
        Ok(self.end())
    }

    /// The line from which most boards follow each other, of those of the board that begins here.
    fn surest_start(self, from: usize) -> Decided<usize> {
        let Some(Whole { end, .. }) = self.board_at(from, LEAST_CELLS)? else { return Ok(from) };
        let (mut at, mut best, mut longest) = (from, from, 0);
        while at < end
            && let Some(line) = self.line(at)?
        {
            let chain = self.chain(line.start, LEAST_CELLS)?;
            if chain > longest {
                (best, longest) = (line.start, chain);
            }
            at = line.end;
        }
        Ok(best)
    }

    /// The end of the file, where that is seen.
    fn end(self) -> Option<usize> {
        (self.seen == Seen::All).then_some(self.bytes.len())
    }
}

/// Where a record ends that has as many tokens as it should have, no board among them, and no whole record near.
fn most_likely_end(shape: Shape, body: &[(Line, usize)], next: &Line) -> usize {
    let Some(((last, _), before)) = body.split_last() else { return next.start };
    let mut tiles = Tiles::of(shape);
    let part = before.iter().all(|(line, _)| tiles.add(line.text) == Progress::Part);
    if part && last.size() == Some(shape) && next.size() != Some(shape) {
        return last.start;
    }
    let mut tiles = Tiles::of(shape);
    body.iter().for_each(|(line, _)| tiles.see_line(line.text));
    let begins_with_missing =
        |missing| next.size() != Some(shape) && tokens(next.text).next().and_then(tile) == Some(missing);
    if tiles.only_missing().is_some_and(begins_with_missing) { next.end } else { last.end }
}

/// What was counted of a damaged record.
#[derive(Clone, Copy, Default)]
struct Count {
    /// Tiles, several in a word without separators.
    tiles: usize,
    /// Words.
    words: usize,
    /// Words that are one tile, or none.
    single: usize,
}

impl Count {
    fn add(&mut self, line: &[u8], shape: Shape) {
        for token in tokens(line) {
            let run = is_run_on(token, shape);
            self.words += 1;
            self.single += usize::from(!run);
            self.tiles += if run { token.len() } else { 1 };
        }
    }
}

/// The tiles of a record as far as they were read.
pub struct Tiles {
    shape: Shape,
    /// A bit for every tile that was seen.
    seen: SmallVec<[u64; 4]>,
    tokens: usize,
    /// All tokens are tiles of the board, each another one.
    distinct: bool,
    /// There are words that are one tile, and words that are several.
    single: bool,
    several: bool,
}

/// What the tiles are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// A part of a board.
    Part,
    /// A board.
    Board,
    /// No board, whatever follows.
    Damaged,
}

impl Tiles {
    /// None yet, of no board.
    pub fn none() -> Tiles {
        const SMALLEST: Shape = Shape::new(1, 1).expect("both are from 1 to 255");
        Tiles::of(SMALLEST)
    }

    /// None yet, of a board of this shape.
    fn of(shape: Shape) -> Tiles {
        let seen = SmallVec::from_elem(0, shape.cells().div_ceil(64));
        Tiles { shape, seen, tokens: 0, distinct: true, single: false, several: false }
    }

    /// Begins with another board, of this shape.
    pub fn begin(&mut self, shape: Shape) {
        self.seen.clear();
        self.seen.resize(shape.cells().div_ceil(64), 0);
        (self.shape, self.tokens, self.distinct) = (shape, 0, true);
        (self.single, self.several) = (false, false);
    }

    /// The shape of the board.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.tokens
    }

    /// Adds those of a line.
    pub fn add(&mut self, line: &[u8]) -> Progress {
        self.see_line(line);
        match self.tokens.cmp(&self.shape.cells()) {
            std::cmp::Ordering::Less if self.distinct => Progress::Part,
            std::cmp::Ordering::Equal if self.distinct => Progress::Board,
            _ => Progress::Damaged,
        }
    }

    fn see_line(&mut self, line: &[u8]) {
        for token in tokens(line) {
            let several = token.len() > 1 && is_run_on(token, self.shape);
            self.single |= !several;
            self.several |= several;
            if several {
                token.chunks(1).for_each(|sign| self.see(tile(sign)));
            } else {
                self.see(tile(token));
            }
        }
    }

    fn see(&mut self, tile: Option<usize>) {
        self.tokens += 1;
        let tile = tile.filter(|&tile| tile < self.shape.cells());
        match tile.map(|tile| (&mut self.seen[tile / 64], 1 << (tile % 64))) {
            Some((word, bit)) if *word & bit == 0 => *word |= bit,
            _ => self.distinct = false,
        }
    }

    /// The tile that was not seen, where it is the only one.
    fn only_missing(&self) -> Option<usize> {
        let cells = self.shape.cells();
        let seen: u32 = self.seen.iter().map(|word| word.count_ones()).sum();
        if seen as usize + 1 != cells {
            return None;
        }
        (0..cells).find(|tile| self.seen[tile / 64] >> (tile % 64) & 1 == 0)
    }
}

/// The number of a tile, 0 for the blank.
fn tile(token: &[u8]) -> Option<usize> {
    match token {
        [sign] if BLANKS.contains(sign) => Some(0),
        _ => number(token).and_then(|number| usize::try_from(number).ok()),
    }
}
