//! A contestant's answer file, case after case: what it claims of each record, not yet whether that is true.
//!
//! The templates that write golden answers say what to expect. Blanks at both ends of a line, Windows
//! line ends, and empty lines behind the last answer are of no account; everything else is taken as
//! strictly as judges do. Empty lines between cases are passed over where no answer can be one.
//!
//! The file may be anything: a line is read up to [`LONGEST_LINE`], a case up to [`LONGEST_CASE`], and
//! where a case is not what it should be there is no telling where the next begins: reading ends.

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::listing::Lone;
use super::template::{self, Line, Part};
use super::{AnswerFormat, Listing};
use crate::board::tokens::quoted;
use crate::format::input::{self, BLOCK_BYTES, Input, Window, number};

/// The most bytes of a line. The longest answers there are, of `poj3240`, have some thousand.
const LONGEST_LINE: usize = 1 << 20;

/// The most bytes of a case that are kept.
const LONGEST_CASE: usize = 16 << 20;

/// What the file says of one record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The line that it begins on, counted from 1.
    pub line: u64,
    /// What it says.
    pub what: What,
}

/// The content of a claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// The board has a solution.
    Solved {
        /// Of so many moves, where the format tells them.
        moves: Option<u64>,
        /// The solution itself, where the format does.
        way: Way,
    },
    /// The board has none.
    Unsolvable,
    /// This is no answer: what is wrong. Nothing behind it was read.
    Malformed(Box<str>),
    /// The file has ended before it.
    Missing,
}

/// A solution as it was written: a range of [`Claims::text`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Way {
    /// Not at all.
    Untold,
    /// Moves on one line.
    Path(Range<usize>),
    /// Moves, a line each.
    Lines(Range<usize>),
    /// Boards.
    Boards(Range<usize>),
}

/// Claims of consecutive records.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    /// What the ranges of the claims lie in.
    pub text: Vec<u8>,
    /// One for each record; fewer only when the last is malformed.
    pub claims: Vec<Claim>,
}

/// Reads claims from a file.
pub struct ClaimReader {
    window: Window,
    /// The line to look at next, if it was read already, without blanks at its ends.
    ahead: Ahead,
    buffer: Vec<u8>,
    /// Its number, counted from 1.
    line: u64,
    solved: Vec<Line>,
    unsolvable: Vec<Line>,
    listing: Listing,
    /// An empty line stands between two answers.
    gap: bool,
    /// An empty line can be an answer.
    takes_empty: bool,
    /// A case was malformed: where the next begins is unknown.
    lost: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ahead {
    NotRead,
    Read,
    TooLong,
    Ended,
}

/// Why a case is malformed, or why the file cannot be read.
enum Trouble {
    Malformed(String),
    Io(io::Error),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        Trouble::Io(error)
    }
}

impl ClaimReader {
    /// Opens a file of answers, which may be compressed.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(input: &Input, format: &AnswerFormat) -> io::Result<ClaimReader> {
        let text = input::open(input, input::Unpacking::default(), &Arc::new(AtomicU64::new(0)))?;
        Ok(ClaimReader::new(text, format))
    }

    /// Reads answers from a stream of text.
    ///
    /// # Panics
    /// When a template is none, which a test rules out for those of the table.
    pub fn new(text: Box<dyn io::Read + Send>, format: &AnswerFormat) -> ClaimReader {
        let lines = |text| template::lines(&template::parse(text).expect("the templates of the table are sound"));
        ClaimReader {
            window: Window::new(text, BLOCK_BYTES),
            ahead: Ahead::NotRead,
            buffer: Vec::new(),
            line: 1,
            solved: lines(format.solved),
            unsolvable: format.unsolvable.map_or(Vec::new(), lines),
            listing: format.listing,
            gap: !format.between.is_empty(),
            takes_empty: format.takes_empty_lines(),
            lost: false,
        }
    }

    /// Adds the claims of so many records, the first of which has this number.
    ///
    /// # Errors
    /// When the file cannot be read on.
    pub fn read(&mut self, first_case: u64, cases: usize, claims: &mut Claims) -> io::Result<()> {
        for case in (first_case..).take(cases) {
            if self.lost {
                break;
            }
            let claim = match self.read_case(case, &mut claims.text) {
                Ok(claim) => claim,
                Err(Trouble::Malformed(why)) => {
                    self.lost = true;
                    Claim { line: self.line, what: What::Malformed(why.into()) }
                }
                Err(Trouble::Io(error)) => return Err(error),
            };
            claims.claims.push(claim);
        }
        Ok(())
    }

    /// After the last record: what stands behind its answer, if anything does, and on which line.
    ///
    /// # Errors
    /// When the file cannot be read on.
    pub fn read_rest(&mut self) -> io::Result<Option<(u64, String)>> {
        self.skip_empty()?;
        Ok(match self.peek()? {
            Ahead::Ended => None,
            _ => Some((self.line, quoted(&self.buffer))),
        })
    }

    fn read_case(&mut self, case: u64, text: &mut Vec<u8>) -> Result<Claim, Trouble> {
        if self.gap && case > 1 {
            match self.peek()? {
                Ahead::Read if self.buffer.is_empty() => self.pass(),
                Ahead::Ended => {}
                _ => {
                    let found = quoted(&self.buffer);
                    return Err(Trouble::Malformed(format!("expected an empty line between answers, found {found}")));
                }
            }
        } else if !self.takes_empty {
            self.skip_empty()?;
        }
        let ahead = self.peek()?;
        let line = self.line;
        let what = match ahead {
            Ahead::Ended => What::Missing,
            _ if self.begins_unsolvable(case) => {
                let lines = std::mem::take(&mut self.unsolvable);
                let read = self.read_lines(&lines, case, text);
                self.unsolvable = lines;
                read?;
                What::Unsolvable
            }
            _ => {
                let lines = std::mem::take(&mut self.solved);
                let read = self.read_lines(&lines, case, text);
                self.solved = lines;
                let (moves, way) = read?;
                What::Solved { moves, way }
            }
        };
        Ok(Claim { line, what })
    }

    fn begins_unsolvable(&self, case: u64) -> bool {
        match self.unsolvable.first() {
            Some(Line::One(parts)) => self.ahead == Ahead::Read && match_line(parts, &self.buffer, case).is_some(),
            _ => false,
        }
    }

    fn read_lines(&mut self, lines: &[Line], case: u64, text: &mut Vec<u8>) -> Result<(Option<u64>, Way), Trouble> {
        let (mut moves, mut way) = (None, Way::Untold);
        let begin = text.len();
        for (i, line) in lines.iter().enumerate() {
            match line {
                Line::One(parts) => {
                    let ahead = self.peek()?;
                    let empty_at_end = ahead == Ahead::Ended && can_be_empty(parts);
                    let found = match ahead {
                        Ahead::Read => match_line(parts, &self.buffer, case),
                        _ if empty_at_end => match_line(parts, b"", case),
                        _ => None,
                    };
                    let Some(found) = found else { return Err(self.unexpected(parts, case, i)) };
                    moves = found.moves.or(moves);
                    if let Some(path) = found.path {
                        way = Way::Path(begin..begin + path.len());
                        text.extend_from_slice(path);
                    }
                    self.pass();
                }
                Line::Moves => {
                    let promised = moves.unwrap_or_default();
                    for told in 0..promised {
                        if self.peek()? != Ahead::Read || self.buffer.is_empty() {
                            let what = format!("expected {promised} moves, found {told}");
                            return Err(Trouble::Malformed(what));
                        }
                        self.keep_line(begin, text)?;
                    }
                    way = Way::Lines(begin..text.len());
                }
                Line::Boards => {
                    // Behind the last boards of an answer comes no number of its own.
                    let lone = if i + 1 == lines.len() { Lone::Rows } else { Lone::Behind };
                    while self.peek()? == Ahead::Read && self.listing.holds(&self.buffer, lone) {
                        self.keep_line(begin, text)?;
                    }
                    way = Way::Boards(begin..text.len());
                }
            }
        }
        Ok((moves, way))
    }

    fn keep_line(&mut self, begin: usize, text: &mut Vec<u8>) -> Result<(), Trouble> {
        if text.len() - begin + self.buffer.len() >= LONGEST_CASE {
            return Err(Trouble::Malformed(format!("an answer longer than {LONGEST_CASE} bytes")));
        }
        text.extend_from_slice(&self.buffer);
        text.push(b'\n');
        self.pass();
        Ok(())
    }

    fn unexpected(&self, parts: &[Part], case: u64, at: usize) -> Trouble {
        let mut expected = shown(parts, case);
        if at == 0
            && let Some(Line::One(parts)) = self.unsolvable.first()
        {
            expected = format!("{expected} or {}", shown(parts, case));
        }
        Trouble::Malformed(match self.ahead {
            Ahead::Ended => format!("expected {expected}, but the answer ends there"),
            Ahead::TooLong => format!("expected {expected}, found a line longer than {LONGEST_LINE} bytes"),
            _ => format!("expected {expected}, found {}", quoted(&self.buffer)),
        })
    }

    fn skip_empty(&mut self) -> io::Result<()> {
        while self.peek()? == Ahead::Read && self.buffer.is_empty() {
            self.pass();
        }
        Ok(())
    }

    /// Done with the line ahead.
    fn pass(&mut self) {
        if self.ahead != Ahead::Ended {
            self.ahead = Ahead::NotRead;
            self.line += 1;
        }
    }

    /// Has the next line in the buffer.
    fn peek(&mut self) -> io::Result<Ahead> {
        if self.ahead != Ahead::NotRead {
            return Ok(self.ahead);
        }
        let (line, feed) = loop {
            let bytes = self.window.bytes();
            match memchr::memchr(b'\n', bytes) {
                Some(feed) => break (&bytes[..feed], 1),
                None if bytes.len() > LONGEST_LINE || self.window.is_last() => break (bytes, 0),
                None => {
                    self.window.more(LONGEST_LINE);
                }
            }
        };
        self.buffer.clear();
        if line.len() > LONGEST_LINE {
            self.ahead = Ahead::TooLong;
        } else if line.is_empty() && feed == 0 {
            self.ahead = Ahead::Ended;
            if let Some(error) = self.window.take_failure() {
                return Err(error);
            }
        } else {
            let consumed = line.len() + feed;
            self.buffer.extend_from_slice(line.trim_ascii());
            self.window.consume(consumed);
            self.ahead = Ahead::Read;
        }
        Ok(self.ahead)
    }
}

/// What a line says.
#[derive(Default)]
struct Found<'a> {
    moves: Option<u64>,
    path: Option<&'a [u8]>,
}

/// Holds a line against the pieces of a template's line.
fn match_line<'a>(parts: &[Part], line: &'a [u8], case: u64) -> Option<Found<'a>> {
    let (mut rest, mut found) = (line, Found::default());
    for (i, part) in parts.iter().enumerate() {
        match *part {
            // The blanks before an empty path were cut off with those at the end of the line.
            Part::Text(text) if parts[i + 1..] == [Part::Path] && rest == text.trim_ascii_end().as_bytes() => {
                rest = b""
            }
            Part::Text(text) => rest = rest.strip_prefix(text.as_bytes())?,
            Part::Case | Part::Moves => {
                let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                let (token, behind) = rest.split_at(digits);
                let value = number(token).filter(|_| digits == 1 || token[0] != b'0')?;
                match part {
                    Part::Case if value != case => return None,
                    Part::Case => {}
                    _ => found.moves = Some(value),
                }
                rest = behind;
            }
            Part::Path => found.path = Some(std::mem::take(&mut rest)),
            Part::Lines | Part::Boards | Part::Status => return None,
        }
    }
    rest.is_empty().then_some(found)
}

/// True when an empty line says something.
fn can_be_empty(parts: &[Part]) -> bool {
    parts.iter().all(|part| *part == Part::Path)
}

/// A template's line as people are told of it.
fn shown(parts: &[Part], case: u64) -> String {
    if parts.is_empty() {
        return "an empty line".into();
    }
    let pieces: String = parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => (*text).to_string(),
            Part::Case => case.to_string(),
            Part::Moves => "<number of moves>".into(),
            _ => "<moves>".into(),
        })
        .collect();
    format!("'{pieces}'")
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
        let lost = claims.claims.iter().any(|claim| matches!(claim.what, What::Malformed(_)));
        let rest = if lost { None } else { reader.read_rest().unwrap() };
        (claims, rest)
    }

    /// What is claimed, in short.
    fn told(name: &str, cases: usize, text: &str) -> Vec<String> {
        let (claims, rest) = read(name, cases, text);
        let told = claims.claims.iter().map(|claim| match &claim.what {
            What::Solved { moves, way } => {
                let moves = moves.map_or(String::new(), |moves| moves.to_string());
                let way = match way {
                    Way::Untold => "",
                    Way::Path(range) | Way::Lines(range) | Way::Boards(range) => {
                        std::str::from_utf8(&claims.text[range.clone()]).unwrap()
                    }
                };
                format!("{}:{moves}[{}]", claim.line, way.replace('\n', "/"))
            }
            What::Unsolvable => format!("{}:unsolvable", claim.line),
            What::Malformed(why) => format!("{}:{why}", claim.line),
            What::Missing => format!("{}:missing", claim.line),
        });
        told.chain(rest.map(|(line, rest)| format!("{line}:and {rest}"))).collect()
    }

    #[test]
    fn lines_of_paths() {
        assert_eq!(told("hdu1043", 3, "udl\n\nunsolvable\n"), ["1:[udl]", "2:[]", "3:unsolvable"]);
        assert_eq!(told("hdu1043", 2, "  udl \r\nunsolvable"), ["1:[udl]", "2:unsolvable"]);
        assert_eq!(told("hdu1043", 2, "udl\n"), ["1:[udl]", "2:missing"]);
        assert_eq!(told("hdu1043", 1, "udl\n\n \nudl\n"), ["1:[udl]", "4:and 'udl'"]);
        assert_eq!(told("uva652", 3, "udl\n\n\n\nunsolvable\n"), ["1:[udl]", "3:[]", "5:unsolvable"]);
        let told = told("uva652", 2, "udl\nunsolvable\n");
        assert_eq!(told[1], "2:expected an empty line between answers, found 'unsolvable'");
    }

    #[test]
    fn numbers_and_cases() {
        assert_eq!(told("boj1525", 2, "\n3\n\n-1\n"), ["2:3[]", "4:unsolvable"]);
        let expected = "1:expected '<number of moves>' or '-1', found ";
        for wrong in ["03", "-2", "3 4", "x", "12345678901234567890", "+3"] {
            assert_eq!(told("boj1525", 1, wrong), [format!("{expected}'{wrong}'")]);
        }
        assert_eq!(told("hdu3567", 2, "Case 1: 2\ndd\nCase 2: 0"), ["1:2[dd]", "3:0[]"]);
        let swapped = told("hdu3567", 1, "Case 2: 2\ndd\n");
        assert_eq!(swapped, ["1:expected 'Case 1: <number of moves>', found 'Case 2: 2'"]);
        assert_eq!(told("lightoj15", 2, "Case 1: LD\nCase 2: This puzzle is not solvable.\n")[1], "2:unsolvable");
        assert_eq!(told("lightoj15", 1, "Case 1: \n"), ["1:[]"]);
    }

    #[test]
    fn moves_on_lines_of_their_own() {
        assert_eq!(told("hackerrank", 2, "2\nUP\nDOWN\n\n0\n"), ["1:2[UP/DOWN/]", "5:0[]"]);
        assert_eq!(told("hackerrank", 1, "3\nUP\nDOWN\n"), ["4:expected 3 moves, found 2"]);
        assert_eq!(
            told("hackerrank", 1, "999999999999999999\nUP\n")[0],
            "3:expected 999999999999999999 moves, found 1"
        );
    }

    #[test]
    fn boards() {
        let text = "Minimum number of moves = 1\n\n2\n1 2\n0 3\n\n2\n1 2\n3 0\n\nNo solution possible\n";
        assert_eq!(told("princeton", 2, text), ["1:1[2/1 2/0 3//2/1 2/3 0//]", "11:unsolvable"]);
        assert_eq!(told("n-puzzle", 2, "1 2\n3 0\n\n0\nNo solution\n"), ["1:0[1 2/3 0//]", "5:unsolvable"]);
        assert_eq!(told("n-puzzle", 1, "hello\n"), ["1:expected '<number of moves>', found 'hello'"]);
    }

    #[test]
    fn a_line_without_end_is_not_kept() {
        let (claims, _) = read("hdu1043", 1, &"u".repeat(LONGEST_LINE + 1));
        assert!(matches!(&claims.claims[0].what, What::Malformed(why) if why.contains("longer than")));
        assert_eq!(told("hdu1043", 0, "")[..], [] as [String; 0]);
    }
}
