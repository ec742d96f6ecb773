//! Counts plain lines in blocks. Most lines of large inputs are plain.
//!
//! A plain line does not begin with whitespace, a comment or a comma, so it is one record.

/// The length of a block in bytes: about fifty lines of nine tiles.
pub const BLOCK_BYTES: usize = 1 << 10;

/// Returns the length and the number of the plain lines at the start of the bytes, up to
/// `max_lines` lines. Records as long as a block must be allowed, because the lengths of lines
/// within a block are not checked.
pub fn plain_lines(bytes: &[u8], max_lines: usize) -> (usize, usize) {
    let (mut end, mut lines) = (0, 0);
    loop {
        let rest = &bytes[end..bytes.len().min(end + BLOCK_BYTES)];
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
