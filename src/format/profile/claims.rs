//! The claims of a contestant's answer file, and their reader. The claims may be false: nothing is
//! checked here except the format.
//!
//! The templates that also write answers (`write.rs`) define the format. Whitespace at both ends of
//! a line, CRLF, and empty lines after the last answer are accepted. Empty lines before an answer
//! are skipped, unless the format puts an empty line between answers, or an answer can itself be an
//! empty line. Everything else must match exactly, as for a judge.
//!
//! The content of the file may be arbitrary. A *case* is the answer for one record. A line has at
//! most [`MAX_LINE_BYTES`], and a case at most [`MAX_CASE_BYTES`], unless a path for the given
//! boards can take more ([`ClaimReader::expect_record_bytes`]). If a case is malformed, the
//! beginning of the next one is unknown, and reading ends.

use std::io;
use std::ops::Range;

use super::answer_lines::{AnswerLines, MAX_LINE_BYTES, NextLine};
use super::definition::AnswerFormat;
use super::listing::{Listing, LoneNumber};
use super::template::{self, Template, can_be_empty, describe, match_line};
use crate::board::Board;
use crate::board::tokens::quoted;
use crate::format::input::{self, Input};
use crate::format::spelling::Spelling;

/// Default maximum number of bytes of a case that are kept in memory. Answers for large boards may
/// be longer.
const MAX_CASE_BYTES: usize = 16 << 20;

/// Maximum number of bytes of a listing of large boards.
const MAX_LISTING_BYTES: usize = 1 << 30;

/// The claim about one record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The line on which the answer begins, counted from 1.
    pub line: u64,
    /// The answer.
    pub answer: ClaimedAnswer,
}

/// The claimed answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClaimedAnswer {
    /// The board has a solution.
    Solved {
        /// The number of moves, if the format includes it.
        moves: Option<u64>,
        /// The solution, if the format includes it.
        path: ClaimedPath,
    },
    /// The board has no solution.
    Unsolvable,
    /// Every solution has more moves than the judge allows.
    TooLong,
    /// Not an answer, for this reason. Nothing after it was read.
    Malformed(Box<str>),
    /// The file ends before the answer.
    Missing,
}

/// A claimed solution, unparsed: a range of [`Claims::text`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClaimedPath {
    /// The format does not include a path.
    NotGiven,
    /// Moves on one line.
    OneLine(Range<usize>),
    /// One move on each line.
    Lines(Range<usize>),
    /// The boards along the path.
    Boards(Range<usize>),
}

impl ClaimedPath {
    /// Returns the claimed moves of a board as letters, or `None` if the format does not include a
    /// path. `text` is [`Claims::text`].
    ///
    /// # Errors
    /// A message with the reason why the claim is not a path.
    pub fn read(
        &self,
        text: &[u8],
        board: &Board,
        spelling: Spelling,
        listing: Listing,
    ) -> Result<Option<Vec<u8>>, String> {
        let mut path = Vec::new();
        match self.clone() {
            ClaimedPath::NotGiven => return Ok(None),
            ClaimedPath::OneLine(range) => spelling.read(board, &text[range], &mut path)?,
            ClaimedPath::Lines(range) => spelling.read_lines(board, &text[range], &mut path)?,
            ClaimedPath::Boards(range) => listing.read(board, &text[range], &mut path)?,
        }
        Ok(Some(path))
    }
}

/// Claims about consecutive records.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    /// The text that the ranges of the claims refer to.
    pub text: Vec<u8>,
    /// One claim for each record; fewer only if the last is malformed.
    pub claims: Vec<Claim>,
}

/// A reader of claims from a file.
pub struct ClaimReader {
    lines: AnswerLines,
    format: AnswerFormat,
    /// Maximum number of bytes of a case that are kept in memory.
    max_case_bytes: usize,
    /// True if a case was malformed: the beginning of the next one is unknown.
    lost: bool,
}

/// The reason why a case cannot be read.
#[derive(Debug, thiserror::Error)]
enum CaseError {
    /// Not an answer, for this reason.
    #[error("{0}")]
    Malformed(String),
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl ClaimReader {
    /// Opens a file of answers. It is never decompressed, because no judge decompresses
    /// submissions.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn open(input: &Input, format: &AnswerFormat) -> io::Result<ClaimReader> {
        Ok(ClaimReader::new(input::open_plain(input)?, format))
    }

    /// Creates a reader of the answers in a stream of text.
    pub fn new(text: Box<dyn io::Read + Send>, format: &AnswerFormat) -> ClaimReader {
        let lines = AnswerLines::new(text);
        ClaimReader { lines, format: *format, max_case_bytes: MAX_CASE_BYTES, lost: false }
    }

    /// Sets the limits for answers to records of this size in bytes. In large boards, a tile and
    /// its separator take about five bytes. Even a solution far from optimal has fewer than 8 n√n
    /// moves for a random board of n cells.
    pub fn expect_record_bytes(&mut self, bytes: usize) {
        let cells = (bytes / 5) as f64;
        let moves = (8.0 * cells * cells.sqrt()) as usize;
        let path = moves.saturating_mul(self.format.spelling.max_move_bytes() + 1);
        let case =
            if self.format.lists_boards() { moves.saturating_mul(2 * bytes).min(MAX_LISTING_BYTES) } else { path };
        self.lines.max_line_bytes = path.max(MAX_LINE_BYTES);
        self.max_case_bytes = case.max(MAX_CASE_BYTES);
    }

    /// Reads the claims about `cases` records, beginning with number `first_case`, and appends them
    /// to `claims`.
    ///
    /// # Errors
    /// If reading the file fails.
    pub fn read(&mut self, first_case: u64, cases: usize, claims: &mut Claims) -> io::Result<()> {
        for case in (first_case..).take(cases) {
            if self.lost {
                break;
            }
            let claim = match self.read_case(case, &mut claims.text) {
                Ok(claim) => claim,
                Err(CaseError::Malformed(why)) => {
                    self.lost = true;
                    Claim { line: self.lines.number, answer: ClaimedAnswer::Malformed(why.into()) }
                }
                Err(CaseError::Io(error)) => return Err(error),
            };
            claims.claims.push(claim);
        }
        Ok(())
    }

    /// Returns the line number and the text of the first nonempty line after the last answer, if
    /// there is one.
    ///
    /// # Errors
    /// If reading the file fails.
    pub fn read_rest(&mut self) -> io::Result<Option<(u64, String)>> {
        self.lines.skip_empty()?;
        let number = self.lines.number;
        Ok(match self.lines.peek()? {
            NextLine::Ended => None,
            next => Some((number, quoted(next.text()))),
        })
    }

    fn read_case(&mut self, case: u64, text: &mut Vec<u8>) -> Result<Claim, CaseError> {
        let AnswerFormat { solved, unsolvable, too_long, between, .. } = self.format;
        if !between.is_empty() && case > 1 {
            match self.lines.peek()? {
                NextLine::Text(b"") => self.lines.take(),
                NextLine::Ended => {}
                next => {
                    let found = quoted(next.text());
                    return Err(CaseError::Malformed(format!("expected an empty line between answers, found {found}")));
                }
            }
        } else if !self.format.takes_empty_lines() {
            self.lines.skip_empty()?;
        }
        let line = self.lines.number;
        let next = self.lines.peek()?;
        let begins = |template: &Template| match (template.lines, next) {
            ([template::Line::One(parts), ..], NextLine::Text(text)) => match_line(parts, text, case).is_some(),
            _ => false,
        };
        let answer = if next == NextLine::Ended {
            ClaimedAnswer::Missing
        } else if let Some(template) = too_long.filter(begins) {
            self.read_lines(template, case, text)?;
            ClaimedAnswer::TooLong
        } else if let Some(template) = unsolvable.filter(begins) {
            self.read_lines(template, case, text)?;
            ClaimedAnswer::Unsolvable
        } else {
            let (moves, path) = self.read_lines(solved, case, text)?;
            ClaimedAnswer::Solved { moves, path }
        };
        Ok(Claim { line, answer })
    }

    fn read_lines(
        &mut self,
        template: Template,
        case: u64,
        text: &mut Vec<u8>,
    ) -> Result<(Option<u64>, ClaimedPath), CaseError> {
        let (mut moves, mut path) = (None, ClaimedPath::NotGiven);
        let case_start = text.len();
        for (i, line) in template.lines.iter().enumerate() {
            match line {
                template::Line::One(parts) => {
                    let found = match self.lines.peek()? {
                        NextLine::Text(line) => match_line(parts, line, case),
                        NextLine::Ended if can_be_empty(parts) => match_line(parts, b"", case),
                        _ => None,
                    };
                    let Some(found) = found else { return Err(self.unexpected(parts, case, i)?) };
                    moves = found.moves.or(moves);
                    if let Some(found) = found.path {
                        path = ClaimedPath::OneLine(case_start..case_start + found.len());
                        text.extend_from_slice(found);
                    }
                    self.lines.take();
                }
                template::Line::EachMove => {
                    let announced = moves.unwrap_or_default();
                    for found in 0..announced {
                        if !self.keep_line(case_start, text, |line| !line.is_empty())? {
                            return Err(CaseError::Malformed(format!("expected {announced} moves, found {found}")));
                        }
                    }
                    path = ClaimedPath::Lines(case_start..text.len());
                }
                template::Line::Boards => {
                    // If the answer ends with boards, a number alone on a line is a row, unless it
                    // is the length of a side.
                    let lone = if i + 1 == template.lines.len() { LoneNumber::Row } else { LoneNumber::AfterBoards };
                    let listing = self.format.listing;
                    while self.keep_line(case_start, text, |line| listing.can_contain(line, lone))? {}
                    path = ClaimedPath::Boards(case_start..text.len());
                }
            }
        }
        Ok((moves, path))
    }

    /// Consumes the next line and appends it to `text`, or returns false if it does not belong to
    /// the answer. The text of this case begins at `case_start`.
    fn keep_line(
        &mut self,
        case_start: usize,
        text: &mut Vec<u8>,
        belongs: impl Fn(&[u8]) -> bool,
    ) -> Result<bool, CaseError> {
        let NextLine::Text(line) = self.lines.peek()? else { return Ok(false) };
        if !belongs(line) {
            return Ok(false);
        }
        if text.len() - case_start + line.len() >= self.max_case_bytes {
            let max = self.max_case_bytes;
            return Err(CaseError::Malformed(format!("expected an answer of at most {max} bytes, found a longer one")));
        }
        text.extend_from_slice(line);
        text.push(b'\n');
        self.lines.take();
        Ok(true)
    }

    fn unexpected(&mut self, parts: &[template::Part], case: u64, at: usize) -> io::Result<CaseError> {
        let mut expected = describe(parts, case);
        for template in [self.format.unsolvable, self.format.too_long].into_iter().flatten() {
            if let (0, Some(template::Line::One(parts))) = (at, template.lines.first()) {
                expected = format!("{expected} or {}", describe(parts, case));
            }
        }
        let max = self.lines.max_line_bytes;
        Ok(CaseError::Malformed(match self.lines.peek()? {
            NextLine::Ended => format!("expected {expected}, but the file ends"),
            NextLine::TooLong => format!("expected {expected}, found a line longer than {max} bytes"),
            NextLine::Text(text) => format!("expected {expected}, found {}", quoted(text)),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::profile::Profile;
    use std::io::Cursor;

    fn read(name: &str, cases: usize, text: &str) -> (Claims, Option<(u64, String)>) {
        let format = Profile::named(name).unwrap().answer.unwrap();
        let mut reader = ClaimReader::new(Box::new(Cursor::new(text.as_bytes().to_vec())), &format);
        let mut claims = Claims::default();
        reader.read(1, cases, &mut claims).unwrap();
        let lost = claims.claims.iter().any(|claim| matches!(claim.answer, ClaimedAnswer::Malformed(_)));
        let rest = if lost { None } else { reader.read_rest().unwrap() };
        (claims, rest)
    }

    /// Returns a summary of the claims.
    fn claimed(name: &str, cases: usize, text: &str) -> Vec<String> {
        let (claims, rest) = read(name, cases, text);
        let shown = claims.claims.iter().map(|claim| match &claim.answer {
            ClaimedAnswer::Solved { moves, path } => {
                let moves = moves.map_or(String::new(), |moves| moves.to_string());
                let path = match path {
                    ClaimedPath::NotGiven => "",
                    ClaimedPath::OneLine(range) | ClaimedPath::Lines(range) | ClaimedPath::Boards(range) => {
                        std::str::from_utf8(&claims.text[range.clone()]).unwrap()
                    }
                };
                format!("{}:{moves}[{}]", claim.line, path.replace('\n', "/"))
            }
            ClaimedAnswer::Unsolvable => format!("{}:unsolvable", claim.line),
            ClaimedAnswer::TooLong => format!("{}:too long", claim.line),
            ClaimedAnswer::Malformed(why) => format!("{}:{why}", claim.line),
            ClaimedAnswer::Missing => format!("{}:missing", claim.line),
        });
        shown.chain(rest.map(|(line, rest)| format!("{line}:and {rest}"))).collect()
    }

    #[test]
    fn lines_of_paths() {
        assert_eq!(claimed("hdu1043", 3, "udl\n\nunsolvable\n"), ["1:[udl]", "2:[]", "3:unsolvable"]);
        assert_eq!(claimed("hdu1043", 2, "  udl \r\nunsolvable"), ["1:[udl]", "2:unsolvable"]);
        assert_eq!(claimed("hdu1043", 2, "udl\n"), ["1:[udl]", "2:missing"]);
        assert_eq!(claimed("hdu1043", 1, "udl\n\n \nudl\n"), ["1:[udl]", "4:and 'udl'"]);
        assert_eq!(claimed("uva652", 3, "udl\n\n\n\nunsolvable\n"), ["1:[udl]", "3:[]", "5:unsolvable"]);
        let cases = claimed("uva652", 2, "udl\nunsolvable\n");
        assert_eq!(cases[1], "2:expected an empty line between answers, found 'unsolvable'");
    }

    #[test]
    fn numbers_and_cases() {
        let words = "LLD\nTOO LONG\nNO SOLUTION\n";
        assert_eq!(claimed("eolymp3669", 3, words), ["1:[LLD]", "2:too long", "3:unsolvable"]);
        assert_eq!(claimed("codewars-sliding", 2, "[6,7]\nnull\n"), ["1:[6,7]", "2:unsolvable"]);
        assert_eq!(claimed("mipt091", 1, "YES\nrd\n"), ["1:[rd]"]);
        assert_eq!(claimed("mipt091", 1, "YES\n"), ["1:[]"]);
        assert_eq!(claimed("mipt089", 1, "Yes\n22\n"), ["1:22[]"]);
        assert_eq!(claimed("boj1525", 2, "\n3\n\n-1\n"), ["2:3[]", "4:unsolvable"]);
        let expected = "1:expected '<number of moves>' or '-1', found ";
        for invalid in ["03", "-2", "3 4", "x", "12345678901234567890", "+3"] {
            assert_eq!(claimed("boj1525", 1, invalid), [format!("{expected}'{invalid}'")]);
        }
        assert_eq!(claimed("hdu3567", 2, "Case 1: 2\ndd\nCase 2: 0"), ["1:2[dd]", "3:0[]"]);
        let swapped = claimed("hdu3567", 1, "Case 2: 2\ndd\n");
        assert_eq!(swapped, ["1:expected 'Case 1: <number of moves>', found 'Case 2: 2'"]);
        assert_eq!(claimed("lightoj15", 2, "Case 1: LD\nCase 2: This puzzle is not solvable.\n")[1], "2:unsolvable");
        assert_eq!(claimed("lightoj15", 1, "Case 1: \n"), ["1:[]"]);
    }

    #[test]
    fn moves_on_separate_lines() {
        assert_eq!(claimed("hackerrank", 2, "2\nUP\nDOWN\n\n0\n"), ["1:2[UP/DOWN/]", "5:0[]"]);
        assert_eq!(claimed("hackerrank", 1, "3\nUP\nDOWN\n"), ["4:expected 3 moves, found 2"]);
        assert_eq!(
            claimed("hackerrank", 1, "999999999999999999\nUP\n")[0],
            "3:expected 999999999999999999 moves, found 1"
        );
    }

    #[test]
    fn boards() {
        let text = "Minimum number of moves = 1\n\n2\n1 2\n0 3\n\n2\n1 2\n3 0\n\nNo solution possible\n";
        assert_eq!(claimed("princeton", 2, text), ["1:1[2/1 2/0 3//2/1 2/3 0//]", "11:unsolvable"]);
        assert_eq!(claimed("n-puzzle", 2, "1 2\n3 0\n\n0\nNo solution\n"), ["1:0[1 2/3 0//]", "5:unsolvable"]);
        assert_eq!(claimed("n-puzzle", 1, "hello\n"), ["1:expected '<number of moves>', found 'hello'"]);
    }

    /// A path of the largest board is read, although its line was peeked with the limit for a small
    /// board.
    #[test]
    fn answers_for_large_boards_may_be_longer() {
        let format = Profile::named("hdu1043").unwrap().answer.unwrap();
        let text = format!("ud\n{}\n", "u".repeat(3 << 20));
        let mut reader = ClaimReader::new(Box::new(Cursor::new(text.into_bytes())), &format);
        let mut claims = Claims::default();
        reader.expect_record_bytes(20);
        reader.read(1, 1, &mut claims).unwrap();
        assert!(reader.lines.peek().unwrap() == NextLine::TooLong);
        reader.expect_record_bytes(384_000);
        reader.read(2, 1, &mut claims).unwrap();
        assert!(matches!(&claims.claims[1].answer, ClaimedAnswer::Solved { .. }));
        assert_eq!(claims.text.len(), 2 + (3 << 20));
    }

    #[test]
    fn lines_that_are_too_long_are_not_kept() {
        let (claims, _) = read("hdu1043", 1, &"u".repeat(MAX_LINE_BYTES + 1));
        assert!(matches!(&claims.claims[0].answer, ClaimedAnswer::Malformed(why) if why.contains("longer than")));
        assert_eq!(claimed("hdu1043", 0, "")[..], [] as [String; 0]);
    }
}
