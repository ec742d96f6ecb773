//! Detects the layout of a file from its first lines, by trying the splitter and parser of each
//! layout.
//!
//! The first record that is clean (parses without an error) in some layout decides, so an invalid
//! record at the start of a file does not affect the detection. A number on the first line may be
//! the count of records. The decision never depends on how much of the file has arrived: a trial
//! that needs lines that have not arrived yet returns [`NeedMore`].

use super::csv::{board_column, is_header};
use super::json::board_field;
use super::layout::Layout;
use super::lines::{is_run, lines, lone_number, number, row_length, size, tokens};
use super::options::InputOptions;
use super::record::Source;
use super::split::{Lead, NeedMore, Scan, TextLine, begins_sized_board, lead, line_at, text_line, values};
use crate::board::Shape;

/// The maximum number of lines that are tried for a clean record, and of objects that are searched
/// for the board's field.
const MAX_LINES: usize = 64;

/// The maximum number of characters of a tile in JSON.
const MAX_TILE_CHARS: usize = 5;

/// The part of a file that the examined bytes make up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Portion {
    /// The whole file.
    All,
    /// The beginning of a longer file, up to the maximum size that is examined.
    Limit,
    /// The part that has arrived so far. More can be read.
    SoFar,
}

/// A detected format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Detected {
    /// The layout of the records.
    pub layout: Layout,
    /// True if the first line is the number of records.
    pub count_line: bool,
    /// True if lines begin with the number of their record.
    pub numbered: bool,
    /// The name of the field of JSON objects that holds the board: one of the usual names. `None`
    /// if no such field was found, or if an option names the field.
    pub board_field: Option<&'static str>,
}

/// The result of a trial, or [`NeedMore`].
type Trial<T> = Result<T, NeedMore>;

/// Returns a format of this layout, without a count line, record numbers or a board's field.
fn plain(layout: Layout) -> Detected {
    Detected { layout, count_line: false, numbered: false, board_field: None }
}

/// A detector of a file's layout.
pub struct Detector<'a> {
    /// The bytes after the comments and settings at the start of the file. They begin with the
    /// first record or the count line.
    pub bytes: &'a [u8],
    /// The part of the file that the bytes make up.
    pub portion: Portion,
    /// The options for reading the file.
    pub options: &'a InputOptions,
}

impl<'a> Detector<'a> {
    /// Detects the layout, or the details of the requested layout.
    pub fn detect(&self, count_line_allowed: bool) -> Trial<Detected> {
        let numbered = self.options.numbered;
        let is_json = matches!(self.bytes.trim_ascii_start().first(), Some(b'{' | b'['));
        let layout = match self.options.layout {
            Some(Layout::Json) => self.json()?,
            Some(Layout::Grid) => self.rows(self.text_line(0)?.map_or(0, |line| line.0))?.unwrap_or(Layout::Grid),
            Some(Layout::Pair) => {
                let count_line = count_line_allowed && self.is_pair_count()?;
                return Ok(Detected { count_line, numbered, ..plain(Layout::Pair) });
            }
            Some(layout) => layout,
            None if numbered => Layout::Line,
            None if is_json => self.json()?,
            None => return self.detect_text(count_line_allowed),
        };
        Ok(Detected { numbered, board_field: self.board_field(layout)?, ..plain(layout) })
    }

    /// Searches the JSON objects for a field with a name that is usual for boards, such as `board`,
    /// and returns the first such name found. The boards of all objects of the file are read from
    /// this field. The search ends at the first record that is not an object.
    fn board_field(&self, layout: Layout) -> Trial<Option<&'static str>> {
        if self.options.board_field.is_some() || layout != Layout::Json && !layout.is_values() {
            return Ok(None);
        }
        let opening = memchr::memchr(b'[', self.bytes).filter(|_| layout == Layout::JsonElements);
        let mut at = opening.map_or(0, |opening| opening + 1);
        for _ in 0..MAX_LINES {
            let rest = &self.bytes[at..];
            let Lead::Record(start) = lead(layout, rest, self.ended(), usize::MAX) else {
                return self.unless_more(None);
            };
            // A record may be longer than what is read to detect the format.
            let Some(length) = self.none_at_limit(layout.split(&rest[start..], self.ended(), None))? else {
                return Ok(None);
            };
            let end = start + length;
            let field = board_field(&rest[start..end]);
            if field.is_some() || rest[start] != b'{' {
                return Ok(field);
            }
            at += end;
        }
        Ok(None)
    }

    /// Returns the layout of JSON: lines, the elements of one array, or values that span lines.
    ///
    /// In JSON Lines, every line is a record, whatever it contains. If the first value of a file
    /// does not end on the first line, the records are values that may span lines, unless that line
    /// looks like a damaged record. If the first value is an array, and is the whole file or does
    /// not end on the first line, the elements of the array may be the records.
    fn json(&self) -> Trial<Layout> {
        let text = self.bytes.trim_ascii_start();
        let opening = match text.first() {
            Some(&opening @ (b'[' | b'{')) => opening,
            Some(_) => return Ok(Layout::Json),
            None => return self.unless_more(Layout::Json),
        };
        // An array that begins with an object is not a board.
        let begins_with = |text: &[u8], byte: u8| text.trim_ascii_start().first() == Some(&byte);
        if opening == b'[' && begins_with(&text[1..], b'{') {
            return Ok(Layout::JsonElements);
        }
        // An array whose first element is a board in rows is not a board either.
        let begins_with_rows = begins_with(&text[1..], b'[') && begins_with(&text[1..].trim_ascii_start()[1..], b'[');
        let end = Scan::default().end(text);
        let newline = memchr::memchr(b'\n', text).or((self.portion == Portion::All).then_some(text.len()));
        let Some(newline) = newline else {
            // The line has not ended.
            let is_open_array = opening == b'[' && end.is_none();
            return self.unless_more(if is_open_array { Layout::JsonElements } else { Layout::Json });
        };
        let (line, rest) = text.split_at(newline);
        match end {
            Some(end) if end <= newline => {
                let is_line = opening == b'{' || self.is_record(&text[..end]);
                match is_line || !text[end..].trim_ascii().is_empty() {
                    true => Ok(Layout::Json),
                    false => self.unless_more(Layout::JsonElements),
                }
            }
            _ if !self.continues(line, rest, opening)? => Ok(Layout::Json),
            _ if opening == b'{' => Ok(Layout::JsonValues),
            _ if begins_with_rows => Ok(Layout::JsonElements),
            Some(end) if self.is_record(&text[..end]) => Ok(Layout::JsonValues),
            Some(_) => Ok(Layout::JsonElements),
            None => self.unless_more(Layout::JsonElements),
        }
    }

    /// Returns true if a line without a whole value is the beginning of a value that spans lines
    /// rather than a damaged value.
    fn continues(&self, line: &[u8], rest: &[u8], opening: u8) -> Trial<bool> {
        let ends_open = matches!(line.trim_ascii_end().last(), Some(b'[' | b'{' | b',' | b':'));
        match rest.trim_ascii_start().first() {
            None => self.unless_more(ends_open),
            Some(b'{') if opening == b'{' => Ok(false),
            Some(b']' | b'}' | b',') => Ok(true),
            Some(_) => Ok(ends_open),
        }
    }

    /// Returns true if a whole array is one record: tiles, or the rows of a board. An array that is
    /// not a valid board is one invalid record if its rows have equal lengths and none of them is a
    /// board.
    fn is_record(&self, array: &[u8]) -> bool {
        let elements = || values(&array[1..array.len() - 1]);
        // An element that is a square board is not a row, even if the requested shape makes it
        // invalid. So each element is also tried without the requested shape.
        let without_shape = Detector { options: &InputOptions { shape: None, ..self.options.clone() }, ..*self };
        let is_board = |value: &[u8]| {
            self.is_clean(value, Layout::JsonElements) || without_shape.is_clean(value, Layout::JsonElements)
        };
        let Some(lengths) = elements().map(row_tiles).collect::<Option<Vec<usize>>>() else { return false };
        let are_alike = lengths.iter().all(|&length| length == lengths[0]);
        match lengths.first() {
            None => false,
            Some(0) => are_alike,
            Some(_) => is_board(array) || are_alike && !elements().any(is_board),
        }
    }

    /// Returns true if the file ends after the examined bytes.
    fn ended(&self) -> bool {
        self.portion == Portion::All
    }

    /// Returns [`NeedMore`] if more of the file can be read, because the rest could change the
    /// result. Otherwise returns `found`.
    fn unless_more<T>(&self, found: T) -> Trial<T> {
        if self.portion == Portion::SoFar { Err(NeedMore) } else { Ok(found) }
    }

    /// Replaces `NeedMore` with `None` if no more of the file is examined. A line that continues
    /// after the examined bytes does not count as a line.
    fn none_at_limit<T>(&self, found: Trial<T>) -> Trial<Option<T>> {
        found.map(Some).or_else(|NeedMore| self.unless_more(None))
    }

    /// Returns the first line with tokens at or after `at`: its start, its text, and its end.
    fn text_line(&self, at: usize) -> Trial<Option<TextLine<'a>>> {
        Ok(self.none_at_limit(text_line(self.bytes, at, self.ended()))?.flatten())
    }

    /// Returns the end of the record that begins at `at`, if it is clean in this layout.
    fn clean_end(&self, at: usize, layout: Layout) -> Trial<Option<usize>> {
        let rest = &self.bytes[at..];
        if layout == Layout::Sized && self.none_at_limit(begins_sized_board(rest, self.ended()))? != Some(true) {
            return Ok(None);
        }
        let end = self.none_at_limit(layout.split(rest, self.ended(), self.options.shape))?;
        Ok(end.filter(|&end| self.is_clean(&rest[..end], layout)).map(|end| at + end))
    }

    fn is_clean(&self, record: &[u8], layout: Layout) -> bool {
        layout.parse(record, &Source::new("".into(), layout, self.options.clone())).puzzle.is_ok()
    }

    /// Detects the layout of a file that is not JSON.
    fn detect_text(&self, count_line_allowed: bool) -> Trial<Detected> {
        let Some((start, first, after_first)) = self.text_line(0)? else { return Ok(plain(Layout::Line)) };
        if board_column(first, self.options.board_field.as_deref()).is_some() {
            return Ok(plain(Layout::Csv));
        }
        if let Some(found) = self.begins_at(start)? {
            return Ok(found);
        }
        let count = lone_number(first).filter(|&count| count > 0 && count_line_allowed);
        let mut at = after_first;
        for nth in 1..=MAX_LINES {
            let Some((start, line, end)) = self.text_line(at)? else { break };
            at = end;
            let Some(found) = self.begins_at(start)? else { continue };
            return Ok(match (count, found.layout) {
                (None, _) => found,
                // The first line is an invalid board of digits, which is also a number.
                (_, Layout::Digits) if line.trim_ascii().len() == first.trim_ascii().len() => found,
                // The first line is the size of an invalid board.
                (_, Layout::Sized | Layout::Pair) if nth > 1 => found,
                // This line is the goal of an invalid pair, and the next line is the size of the
                // next pair.
                (_, Layout::Line) if self.text_line(end)?.is_some_and(|(_, next, _)| lone_number(next).is_some()) => {
                    continue;
                }
                // If there are more lines than the count, they are pairs of starts and goals.
                (Some(count), Layout::Digits)
                    if lines(&self.bytes[start..]).nth(count as usize).is_some() || self.unless_more(false)? =>
                {
                    Detected { count_line: true, ..plain(Layout::Pair) }
                }
                _ => Detected { count_line: true, ..found },
            });
        }
        self.guess_from_token_counts(first, after_first).map(plain)
    }

    /// Returns the layout in which a clean record begins at this line, if there is one.
    fn begins_at(&self, at: usize) -> Trial<Option<Detected>> {
        let detected = |layout| Ok(Some(plain(layout)));
        let Some((_, line, end)) = self.text_line(at)? else { return Ok(None) };
        let shape = self.options.shape;
        let (token_count, length) = (tokens(line).count(), row_length(line));
        let first = tokens(line).next().unwrap_or_default();
        let is_column = shape.is_some_and(|shape| shape.cols() == 1 && shape.rows() > 1);
        // A line of two characters is more often a number than a row.
        let is_row = token_count == 1 && (is_column || is_run(first) && (length > 2 || shape.is_some()));
        if token_count == 1 && first.len() > 1 && !is_column && self.clean_end(at, Layout::Digits)?.is_some() {
            return detected(Layout::Digits);
        }
        if is_row && let Some(layout) = self.rows(at)? {
            return detected(layout);
        }
        if size(tokens(line)).is_some() {
            // A number before a pair of boards written without spaces is more often a count than a
            // size.
            let next_is_one_token = self.text_line(end)?.is_some_and(|(_, line, _)| tokens(line).count() == 1);
            for layout in [Layout::Sized, Layout::Pair] {
                if let Some(end) = self.clean_end(at, layout)?.filter(|_| layout == Layout::Sized || !next_is_one_token)
                {
                    let next = self.text_line(end)?.map(|(_, line, _)| line);
                    if next.is_none_or(|next| size(tokens(next)).is_some()) {
                        return detected(layout);
                    }
                }
            }
        }
        // Four tiles that are a board, perhaps after a record number, may also be the first row of
        // a larger board. The next line decides.
        let is_first_row = match (token_count, shape) {
            (4 | 5, None) => self.text_line(end)?.is_some_and(|(_, next, _)| {
                let is_large = |token| number(token).is_some_and(|label| label > 3);
                tokens(next).count() == token_count && tokens(next).skip(token_count - 4).any(is_large)
            }),
            _ => false,
        };
        if !is_first_row {
            if (token_count > 1 || first.len() > 1) && self.clean_end(at, Layout::Line)?.is_some() {
                return detected(Layout::Line);
            }
            let options = InputOptions { numbered: true, ..self.options.clone() };
            if token_count > 2 && (Detector { options: &options, ..*self }).clean_end(at, Layout::Line)?.is_some() {
                return Ok(Some(Detected { numbered: true, ..plain(Layout::Line) }));
            }
        }
        Ok(if token_count > 1 { self.rows(at)?.map(plain) } else { None })
    }

    /// Returns the layout of the rows that begin here, if they begin with a clean board: `Grid` if
    /// the shape is given, or if the boards are squares without empty lines between them; otherwise
    /// `Blocks`.
    fn rows(&self, at: usize) -> Trial<Option<Layout>> {
        if self.options.shape.is_some() {
            return Ok(self.clean_end(at, Layout::Grid)?.map(|_| Layout::Grid));
        }
        let square = self.clean_end(at, Layout::Grid)?;
        // If the first rows form a square board, the layout is `Blocks` only if an empty line
        // follows, or if the next tiles belong to the same board.
        let is_blocks = match square {
            Some(end) => match self.none_at_limit(line_at(self.bytes, end, self.ended()))?.flatten() {
                Some((line, _)) if tokens(line).next().is_none() => !line.contains(&b'#'),
                Some((line, _)) => {
                    let cells = self.text_line(at)?.map_or(0, |(_, line, _)| row_length(line).pow(2)) as u64;
                    tokens(line).all(|token| number(token).is_some_and(|label| label >= cells))
                        && self.clean_end(at, Layout::Blocks)?.is_some_and(|block| block > end)
                }
                None => false,
            },
            None => self
                .clean_end(at, Layout::Blocks)?
                .is_some_and(|end| self.text_line(at).is_ok_and(|line| line.is_some_and(|line| line.2 < end))),
        };
        Ok(if is_blocks { Some(Layout::Blocks) } else { square.map(|_| Layout::Grid) })
    }

    /// Returns true if the first line is the count of pairs rather than the size of the first pair.
    fn is_pair_count(&self) -> Trial<bool> {
        let Some((start, first, end)) = self.text_line(0)? else { return Ok(false) };
        if lone_number(first).is_none_or(|count| count == 0) || self.clean_end(start, Layout::Pair)?.is_some() {
            return Ok(false);
        }
        let Some((second, ..)) = self.text_line(end)? else { return Ok(false) };
        Ok(self.clean_end(second, Layout::Pair)?.is_some())
    }

    /// Guesses the layout from the number of tokens, because no record is clean.
    fn guess_from_token_counts(&self, first: &[u8], after: usize) -> Trial<Layout> {
        let second = self.text_line(after)?.map_or(0, |(_, line, _)| row_length(line));
        let (token_count, length) = (tokens(first).count(), row_length(first));
        if is_header(first) {
            return Ok(Layout::Csv);
        }
        // A line of n tokens that contains all numbers below n is a whole board rather than a row.
        // The numbers of a longer line are not collected, because they may take much memory.
        let is_whole = (4..=Shape::MAX_SIDE * Shape::MAX_SIDE).contains(&token_count) && {
            let mut labels: Vec<u64> = tokens(first).filter_map(number).collect();
            labels.sort_unstable();
            labels.into_iter().eq(0..token_count as u64)
        };
        let side = lone_number(first).filter(|&side| side > 1 && side < 256).unwrap_or_default() as usize;
        Ok(match token_count {
            _ if first.contains(&b'/') => Layout::Line,
            _ if side > 0 && (second == side || second == side * side) => Layout::Sized,
            1 if length > 1 => Layout::Digits,
            1 => Layout::Line,
            _ if self.options.shape.is_some_and(|shape| shape.cells() == token_count) || is_whole => Layout::Line,
            2 | 3 => Layout::Grid,
            _ if second == token_count
                && token_count < 26
                && Shape::square_of(token_count).is_none_or(|shape| shape.cols() == 2) =>
            {
                Layout::Grid
            }
            _ => Layout::Line,
        })
    }
}

/// Returns the number of tiles in a row of a JSON array, or 0 for a single tile. Returns `None` if
/// the element can be neither.
fn row_tiles(element: &[u8]) -> Option<usize> {
    let is_plain = |value: &[u8]| !matches!(value[0], b'[' | b'{');
    let is_board = |text: &[u8]| text.len() > MAX_TILE_CHARS || text.contains(&b'/') || tokens(text).nth(1).is_some();
    match element {
        [b'[', row @ .., b']'] if values(row).all(is_plain) => Some(values(row).count()),
        [b'"', text @ .., b'"'] if is_board(text.trim_ascii()) => None,
        _ => is_plain(element).then_some(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json_layout(text: &str, portion: Portion, shape: Option<Shape>) -> Option<Layout> {
        let options = InputOptions { shape, ..InputOptions::default() };
        Detector { bytes: text.as_bytes(), portion, options: &options }.json().ok()
    }

    #[test]
    fn a_line_that_is_cut_off_is_not_a_record() {
        let options = InputOptions::default();
        for (text, whole) in [("word\n123456780", Layout::Digits), ("word\n1 2\n3 0", Layout::Grid)] {
            let detect = |portion| Detector { bytes: text.as_bytes(), portion, options: &options }.detect(true);
            assert_eq!(detect(Portion::All), Ok(plain(whole)));
            assert_eq!(detect(Portion::Limit), Ok(plain(Layout::Line)));
            assert_eq!(detect(Portion::SoFar), Err(NeedMore));
        }
    }

    #[test]
    fn only_arrays_of_records_are_split() {
        use Layout::{Json as Lines, JsonElements as Elements, JsonValues as Values};
        for (text, expected) in [
            ("[[1,2,3],[4,0,5]]\n", Lines),
            ("[1,2,2,0]\n", Lines),
            ("[[1,2,2,0],[3,1,2,4]]\n", Lines),
            ("[[1,2,3,0],[3,1,2,0]]\n", Elements),
            ("[[1,2,3,0],[3,1,2,0]]\n[1,2,3,0]\n", Lines),
            ("[[[1,2],[3,0]]]", Elements),
            ("[{\"board\":[1,2,3,0]}]", Elements),
            ("[{\"board\":[1,2,3,0]},{\"board\":[1,2,", Elements),
            ("[{\"board\":[1,2,3,0},{\"board\":[1,2,3,0]}]\n", Elements),
            ("[{\"board\":[1,2,3,0]}]\n{\"board\":[1,2,3,0]}\n", Elements),
            ("[{\"board\":[1,2,3,0\n{\"board\":[1,2,3,0]}\n", Elements),
            ("[]\n", Elements),
            ("[[1,2],[3,0]\n[[1,2],[3,0]]\n", Lines),
            ("[\n [1,2],\n [3,0]\n]\n", Values),
            ("[\n [1,2,3,0],\n [3,1,2,0]\n]\n", Elements),
            ("[1,2,\n3,0]\n", Values),
            ("[\n {\"board\":\"1 2 3 0\"}\n]\n", Elements),
            ("{\"board\":[1,2,3,0]}\n", Lines),
            ("{\n\"board\":[1,2,3,0]}\n{\n\"board\":[1,2,3,0]}\n", Values),
            ("{\"id\":1,\n{\"board\":[1,2,3,0]}\n", Lines),
            ("[[1,2],[3,0]]\n,[[1,2],[3,0]]", Lines),
            ("[\"1\",\" 2\",\"3\",\"\"]", Lines),
            ("[\"1\",\"1\",\"2\",\"0\"]\n", Lines),
            ("[1,1,\"x\",3]\n", Lines),
            ("[\n \"1\",\"1\",\"2\",\n \"x\"\n]\n", Values),
            ("[\"1 2 3 0\",\"3 1 2 0\"]", Elements),
            ("[[1,2,3,3],[1,2,3]]\n", Elements),
            ("[[[1,2],[3,3]],[[1,1],[2]]]\n", Elements),
            ("[5,[1,2,3,3]]\n", Elements),
            ("[\"1 1\",\"0/0\"]", Elements),
            ("[\"1\",\"2\",\"0\",\"0\",null]", Lines),
            ("[\"1 0\"]", Elements),
            ("[\n\"123/456/780\",\n\"FE169B4C0A73D852\"\n]\n", Elements),
        ] {
            assert_eq!(json_layout(text, Portion::All, None), Some(expected), "{text}");
        }
        assert_eq!(json_layout("[[1,2,3],[0,1,2]]", Portion::All, Shape::new(1, 3)), Some(Elements));
        // A board is detected immediately. An array of boards is detected at its end.
        assert_eq!(json_layout("[1,2,3,0]\n", Portion::SoFar, None), Some(Lines));
        assert_eq!(json_layout("[[1,2,3,0],[3,1,2,0]]\n", Portion::SoFar, None), None);
        assert_eq!(json_layout("[[1,2,3,0],[3,1", Portion::Limit, None), Some(Elements));
        // Whitespace alone does not decide.
        assert_eq!(json_layout(" \t", Portion::SoFar, None), None);
        assert_eq!(json_layout(" \t", Portion::All, None), Some(Lines));
    }
}
