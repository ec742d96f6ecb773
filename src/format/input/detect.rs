//! Detects the layout of a file from its first lines, by trying the splitter and parser of each
//! layout.
//!
//! The first record that is clean (parses without an error) in some layout decides, so an invalid
//! record at the start of a file does not affect the detection. A number on the first line may be
//! the count of records. The decision never depends on how much of the file has arrived: a trial
//! that needs lines that have not arrived yet returns [`NeedMore`].

use std::cell::RefCell;
use std::sync::Arc;

use super::framing::{Portion, json_layout};
use super::layout::Layout;
use super::options::InputOptions;
use super::parse::{board_column, board_field, is_header};
use super::source::Source;
use super::split::{Lead, NeedMore, begins_sized_board, lead, line_at};
use super::text_lines::{is_run, lone_number, number, row_length, size, tokens};
use crate::board::Shape;

/// The maximum number of lines that are tried for a clean record, and of objects that are searched
/// for the board's field.
const MAX_LINES: usize = 64;

/// A detected format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Detected {
    /// The layout of the records.
    pub layout: Layout,
    /// True if the first line is the number of records.
    pub count_line: bool,
    /// True if lines begin with the number of their record.
    pub numbered: bool,
}

/// The result of a trial, or [`NeedMore`].
type Trial<T> = Result<T, NeedMore>;

/// A detector of a file's layout, from the bytes after the settings.
pub struct Detector<'a> {
    bytes: &'a [u8],
    portion: Portion,
    shape: Option<Shape>,
    requested: Option<Layout>,
    board_field: Option<Arc<str>>,
    source: RefCell<Source>,
}

impl<'a> Detector<'a> {
    /// Creates a detector for bytes that begin with the first record or the count line.
    pub fn new(bytes: &'a [u8], portion: Portion, options: &InputOptions) -> Detector<'a> {
        let source = Source::new("".into(), Layout::Line, options.clone());
        Detector {
            bytes,
            portion,
            shape: options.shape,
            requested: options.layout,
            board_field: options.board_field.clone(),
            source: source.into(),
        }
    }

    /// Detects the layout, or the details of the requested layout.
    pub fn detect(&self, count_line_allowed: bool) -> Trial<Detected> {
        let numbered = self.source.borrow().numbered;
        let detected = |layout| Detected { layout, count_line: false, numbered };
        let is_json = matches!(self.bytes.trim_ascii_start().first(), Some(b'{' | b'['));
        match self.requested {
            Some(Layout::Json) => self.json().map(detected),
            Some(Layout::Grid) => {
                Ok(detected(self.rows(self.text_line(0)?.map_or(0, |line| line.0))?.unwrap_or(Layout::Grid)))
            }
            Some(Layout::Pair) => {
                Ok(Detected { count_line: count_line_allowed && self.is_pair_count()?, ..detected(Layout::Pair) })
            }
            Some(layout) => Ok(detected(layout)),
            None if numbered => Ok(detected(Layout::Line)),
            None if is_json => self.json().map(detected),
            None => self.detect_text(count_line_allowed),
        }
    }

    fn json(&self) -> Trial<Layout> {
        json_layout(self.bytes, self.portion, self.shape).ok_or(NeedMore)
    }

    /// Returns the name of the board's field in the first object that has a field with a usual
    /// name. The search ends at the first record that is not an object.
    pub fn board_field(&self, layout: Layout) -> Trial<Option<&'static str>> {
        if !matches!(layout, Layout::Json | Layout::JsonValues | Layout::JsonElements) || self.board_field.is_some() {
            return Ok(None);
        }
        let opening = self.bytes.iter().position(|&byte| byte == b'[').filter(|_| layout == Layout::JsonElements);
        let mut at = opening.map_or(0, |at| at + 1);
        for _ in 0..MAX_LINES {
            let (rest, ended) = (&self.bytes[at..], self.portion == Portion::All);
            let start = match lead(layout, rest, ended, usize::MAX) {
                Lead::Record(start) => start,
                _ if self.portion == Portion::SoFar => return Err(NeedMore),
                _ => break,
            };
            if rest[start] != b'{' {
                break;
            }
            let Some(length) = self.none_at_limit(layout.split(&rest[start..], ended, None))? else { break };
            if let Some(name) = board_field(&rest[start..start + length]) {
                return Ok(Some(name));
            }
            at += start + length;
        }
        Ok(None)
    }

    /// Returns the first line with tokens at or after `at`: its start, its text, and its end.
    fn text_line(&self, mut at: usize) -> Trial<Option<(usize, &'a [u8], usize)>> {
        let ended = self.portion == Portion::All;
        while let Some((line, end)) = self.none_at_limit(line_at(self.bytes, at, ended))?.flatten() {
            if tokens(line).next().is_some() {
                return Ok(Some((at, line, end)));
            }
            at = end;
        }
        Ok(None)
    }

    /// Replaces `NeedMore` with `None` if no more of the file may be examined.
    fn none_at_limit<T>(&self, found: Trial<T>) -> Trial<Option<T>> {
        match found {
            Ok(found) => Ok(Some(found)),
            Err(NeedMore) if self.portion == Portion::Limit => Ok(None),
            Err(NeedMore) => Err(NeedMore),
        }
    }

    /// Returns the end of the record that begins at `at`, if it is clean in this layout.
    fn clean_end(&self, at: usize, layout: Layout) -> Trial<Option<usize>> {
        let (rest, ended) = (&self.bytes[at..], self.portion == Portion::All);
        if layout == Layout::Sized && self.none_at_limit(begins_sized_board(rest, ended))? != Some(true) {
            return Ok(None);
        }
        let found = self.none_at_limit(layout.split(rest, ended, self.shape))?;
        Ok(found.filter(|&end| self.is_clean(&rest[..end], layout)).map(|end| at + end))
    }

    fn is_clean(&self, record: &[u8], layout: Layout) -> bool {
        let mut source = self.source.borrow_mut();
        source.layout = layout;
        layout.parse(record, &source).puzzle.is_ok()
    }

    fn detect_text(&self, count_line_allowed: bool) -> Trial<Detected> {
        let detected = |layout| Detected { layout, count_line: false, numbered: false };
        let Some((start, first, mut at)) = self.text_line(0)? else { return Ok(detected(Layout::Line)) };
        if board_column(first, self.board_field.as_deref()).is_some() {
            return Ok(detected(Layout::Csv));
        }
        if let Some(found) = self.begins_at(start)? {
            return Ok(found);
        }
        let count = lone_number(first).filter(|&count| count > 0 && count_line_allowed);
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
                (Some(count), Layout::Digits) if self.has_lines(start, count.saturating_add(1))? => {
                    Detected { layout: Layout::Pair, count_line: true, numbered: false }
                }
                _ => Detected { count_line: true, ..found },
            });
        }
        self.guess_from_token_counts(first, start).map(detected)
    }

    fn has_lines(&self, mut at: usize, lines: u64) -> Trial<bool> {
        for _ in 0..lines {
            let Some((_, _, end)) = self.text_line(at)? else { return Ok(false) };
            at = end;
        }
        Ok(true)
    }

    /// Returns the layout in which a clean record begins at this line, if there is one.
    fn begins_at(&self, at: usize) -> Trial<Option<Detected>> {
        let detected = |layout| Ok(Some(Detected { layout, count_line: false, numbered: false }));
        let Some((_, line, end)) = self.text_line(at)? else { return Ok(None) };
        let (token_count, length) = (tokens(line).count(), row_length(line));
        let first = tokens(line).next().unwrap_or_default();
        let is_column = self.shape.is_some_and(|shape| shape.cols() == 1 && shape.rows() > 1);
        // A line of two characters is more often a number than a row.
        let is_row = token_count == 1 && (is_column || is_run(first) && (length > 2 || self.shape.is_some()));
        if token_count == 1 && first.len() > 1 && !is_column && self.clean_end(at, Layout::Digits)?.is_some() {
            return detected(Layout::Digits);
        }
        if is_row && let Some(layout) = self.rows(at)? {
            return detected(layout);
        }
        if size(tokens(line)).is_some() {
            // A number before two boards without separators is more often a count than a size.
            let next_is_run = self.text_line(end)?.is_some_and(|(_, line, _)| tokens(line).count() == 1);
            for layout in [Layout::Sized, Layout::Pair] {
                if let Some(end) = self.clean_end(at, layout)?.filter(|_| layout == Layout::Sized || !next_is_run) {
                    let next = self.text_line(end)?.map(|(_, line, _)| line);
                    if next.is_none_or(|next| size(tokens(next)).is_some()) {
                        return detected(layout);
                    }
                }
            }
        }
        // Four tiles that are a board, perhaps after a record number, may also be the first row of
        // a larger board. The next line decides.
        let is_first_row = match (token_count, self.shape) {
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
            self.source.borrow_mut().numbered = true;
            let numbered = token_count > 2 && self.clean_end(at, Layout::Line)?.is_some();
            self.source.borrow_mut().numbered = false;
            if numbered {
                return Ok(Some(Detected { layout: Layout::Line, count_line: false, numbered }));
            }
        }
        match if token_count > 1 { self.rows(at)? } else { None } {
            Some(layout) => detected(layout),
            None => Ok(None),
        }
    }

    /// Returns the layout of the rows that begin here, if they begin with a clean board: `Grid` if
    /// the shape is given, otherwise `Blocks` if boards are separated by empty lines, or `Grid` if
    /// they are squares.
    fn rows(&self, at: usize) -> Trial<Option<Layout>> {
        if self.shape.is_some() {
            return Ok(self.clean_end(at, Layout::Grid)?.map(|_| Layout::Grid));
        }
        let square = self.clean_end(at, Layout::Grid)?;
        // If the first rows form a square board, the layout is `Blocks` only if an empty line
        // follows, or if the next tiles belong to the same board.
        let block = match square {
            Some(end) => match self.none_at_limit(line_at(self.bytes, end, self.portion == Portion::All))?.flatten() {
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
        Ok(if block { Some(Layout::Blocks) } else { square.map(|_| Layout::Grid) })
    }

    /// Returns true if the first line is the count of pairs rather than the size of the first one.
    fn is_pair_count(&self) -> Trial<bool> {
        let Some((start, first, end)) = self.text_line(0)? else { return Ok(false) };
        if lone_number(first).is_none_or(|count| count == 0) || self.clean_end(start, Layout::Pair)?.is_some() {
            return Ok(false);
        }
        let Some((second, ..)) = self.text_line(end)? else { return Ok(false) };
        Ok(self.clean_end(second, Layout::Pair)?.is_some())
    }

    /// Guesses the layout from the number of tokens, because no record is clean.
    fn guess_from_token_counts(&self, first: &[u8], at: usize) -> Trial<Layout> {
        let second = match line_at(self.bytes, at, true).ok().flatten() {
            Some((_, end)) => self.text_line(end)?.map_or(0, |(_, line, _)| row_length(line)),
            None => 0,
        };
        let (token_count, length) = (tokens(first).count(), row_length(first));
        if is_header(first) {
            return Ok(Layout::Csv);
        }
        // A line of n tokens that contains all numbers below n is a whole board rather than a row.
        let has_label = |label: usize| tokens(first).any(|token| number(token) == Some(label as u64));
        let is_whole = token_count > 3 && (0..token_count).all(has_label);
        let side = lone_number(first).filter(|&side| side > 1 && side < 256).unwrap_or_default() as usize;
        Ok(match token_count {
            _ if first.contains(&b'/') => Layout::Line,
            _ if side > 0 && (second == side || second == side * side) => Layout::Sized,
            1 if length > 1 => Layout::Digits,
            1 => Layout::Line,
            _ if self.shape.is_some_and(|shape| shape.cells() == token_count) || is_whole => Layout::Line,
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
