//! Lines and tokens of the text layouts.
//!
//! Most lines of large inputs are plain: they do not begin with whitespace, a comment or a comma,
//! so each is one record. Plain lines are counted in blocks.

use crate::board::Shape;
use crate::board::tokens::{BLANKS, is_separator};

/// Returns a line without its comment.
pub fn without_comment(line: &[u8]) -> &[u8] {
    memchr::memchr(b'#', line).map_or(line, |at| &line[..at])
}

/// Returns the tokens of a line without its comment.
pub fn tokens(line: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    let is_between = |&byte: &u8| is_separator(byte) || byte == b'\n';
    without_comment(line).split(is_between).filter(|token| !token.is_empty())
}

/// Returns a record's lines that contain at least one token.
pub fn lines(record: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    record.split(|&byte| byte == b'\n').filter(|line| tokens(line).next().is_some())
}

/// Returns the value of a token of 1 to 18 digits.
pub fn number(token: &[u8]) -> Option<u64> {
    if token.is_empty() || token.len() > 18 {
        return None;
    }
    token.iter().try_fold(0, |number, byte| byte.is_ascii_digit().then(|| number * 10 + u64::from(byte - b'0')))
}

/// Returns the number on a line that contains nothing else.
pub fn lone_number(line: &[u8]) -> Option<u64> {
    let mut tokens = tokens(line);
    number(tokens.next()?).filter(|_| tokens.next().is_none())
}

/// Returns the shape in a size line: `n` or `rows cols`, each from 1 to 255 and of at most three
/// digits.
pub fn size<'a>(mut tokens: impl Iterator<Item = &'a [u8]>) -> Option<Shape> {
    let side = |token: &[u8]| if token.len() <= 3 { number(token).map(|side| side as usize) } else { None };
    let rows = side(tokens.next()?)?;
    let cols = tokens.next().map_or(Some(rows), side)?;
    if tokens.next().is_some() { None } else { Shape::new(rows, cols) }
}

/// Returns true for a run: two or more tiles without separators, all of them digits or blanks.
pub fn is_run(token: &[u8]) -> bool {
    token.len() >= 2 && token.iter().all(|byte| byte.is_ascii_digit() || BLANKS.contains(byte))
}

/// Returns true for a run of distinct tiles that is as long as a row or a board of this shape.
/// Returns false if the shape has tiles of two digits.
pub fn is_run_of_shape(token: &[u8], shape: Shape) -> bool {
    if shape.cells() > 10 || (token.len() != shape.cols() && token.len() != shape.cells()) || !is_run(token) {
        return false;
    }
    let tile = |byte: u8| if BLANKS.contains(&byte) { b'0' } else { byte };
    (1..token.len()).all(|at| token[..at].iter().all(|&before| tile(before) != tile(token[at])))
}

/// Returns the number of tiles in a line that is the first row of a board of unknown shape: the
/// length of a run, or the number of tokens.
pub fn row_length(line: &[u8]) -> usize {
    let mut rest = tokens(line);
    match (rest.next(), rest.next()) {
        (Some(token), None) if is_run(token) => token.len(),
        _ => tokens(line).count(),
    }
}

/// The maximum length in bytes of a block of plain lines: about fifty lines of nine tiles.
pub const PLAIN_BLOCK_BYTES: usize = 1 << 10;

/// Returns the length and the number of the plain lines at the start of the bytes, up to
/// `max_lines` lines. The maximum length of a record must be at least [`PLAIN_BLOCK_BYTES`],
/// because the lengths of lines within a block are not checked.
pub fn plain_lines(bytes: &[u8], max_lines: usize) -> (usize, usize) {
    let (mut end, mut lines) = (0, 0);
    loop {
        let rest = &bytes[end..bytes.len().min(end + PLAIN_BLOCK_BYTES)];
        let Some(newline) = memchr::memrchr(b'\n', rest) else { break };
        let block = &rest[..=newline];
        let more = match count_plain_lines(block) {
            Some(more) if lines + more <= max_lines => more,
            Some(_) => break,
            None => {
                let (plain, more) = plain_lines_before_odd(block, max_lines - lines);
                return (end + plain, lines + more);
            }
        };
        end += block.len();
        lines += more;
    }
    (end, lines)
}

/// Returns true for a byte that can begin a line that is not exactly one record.
#[inline(always)]
const fn is_odd_beginning(byte: u8) -> bool {
    byte <= b' ' || byte == b'#' || byte == b','
}

/// Returns the number of lines in a block that ends with a line feed, or `None` if a line has an
/// odd beginning.
///
/// The loop works on pieces of a fixed length so that the compiler vectorizes it. `read and split`
/// in `benches/parts.rs` measures the gain.
fn count_plain_lines(block: &[u8]) -> Option<usize> {
    const PIECE: usize = 32;
    let (mut newlines, mut odd) = ([0u8; PIECE], [0u8; PIECE]);
    let mut at = 0;
    // Examines each byte and the next one. A block has fewer than 256 pieces, so no counter
    // overflows.
    while let (Some(these), Some(next)) =
        (block[at..].first_chunk::<PIECE>(), block.get(at + 1..).and_then(<[u8]>::first_chunk::<PIECE>))
    {
        let counters = newlines.iter_mut().zip(&mut odd);
        for ((newlines, odd), (&this, &next)) in counters.zip(these.iter().zip(next)) {
            let newline = u8::from(this == b'\n');
            *newlines += newline;
            *odd |= newline & u8::from(is_odd_beginning(next));
        }
        at += PIECE;
    }
    let mut plain = !is_odd_beginning(block[0]) && odd.iter().all(|&odd| odd == 0);
    let mut lines = newlines.iter().map(|&newlines| usize::from(newlines)).sum::<usize>();
    while at < block.len() {
        if block[at] == b'\n' {
            lines += 1;
            plain &= block.get(at + 1).is_none_or(|&next| !is_odd_beginning(next));
        }
        at += 1;
    }
    plain.then_some(lines)
}

/// Returns the length and the number of the lines before the first with an odd beginning, up to
/// `max_lines` lines.
fn plain_lines_before_odd(block: &[u8], max_lines: usize) -> (usize, usize) {
    let (mut end, mut lines) = (0, 0);
    for newline in memchr::memchr_iter(b'\n', block) {
        if lines == max_lines || is_odd_beginning(block[end]) {
            break;
        }
        (end, lines) = (newline + 1, lines + 1);
    }
    (end, lines)
}
