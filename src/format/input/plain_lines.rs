//! Lines that plainly are one record each, counted by blocks: most lines of large inputs are such.
//!
//! A line is plain when it begins with neither a blank nor a comment: then it is a record, wherever it ends.

/// The length of a block: some fifty lines of nine tiles.
pub const BLOCK_BYTES: usize = 1 << 10;

/// Whole lines at the start of the bytes that are plain, no more than `most`: their bytes, and how many. The caller
/// makes sure that no line of a block is too long.
pub fn plain_lines(bytes: &[u8], most: usize) -> (usize, usize) {
    let (mut end, mut lines) = (0, 0);
    loop {
        let rest = &bytes[end..bytes.len().min(end + BLOCK_BYTES)];
        let Some(feed) = memchr::memrchr(b'\n', rest) else { break };
        let block = &rest[..=feed];
        let more = match count_plain_lines(block) {
            Some(more) if lines + more <= most => more,
            Some(_) => break,
            None => {
                let (plain, more) = plain_lines_before_odd(block, most - lines);
                return (end + plain, lines + more);
            }
        };
        end += block.len();
        lines += more;
    }
    (end, lines)
}

/// True for every byte with which a line can begin that is not a record, and for some others.
#[inline(always)]
const fn is_odd_beginning(byte: u8) -> bool {
    byte <= b' ' || byte == b'#' || byte == b','
}

/// The number of lines in bytes that end with a line feed; `None` when one has an odd beginning.
///
/// It works in pieces of a fixed length so that the compiler makes vector instructions of the loop; the reading rows of
/// `benches/parts.rs` show what that gains.
fn count_plain_lines(block: &[u8]) -> Option<usize> {
    const PIECE: usize = 32;
    let (mut feeds, mut odd) = ([0u8; PIECE], [0u8; PIECE]);
    let mut at = 0;
    // Looks at each byte together with the one behind it. A block has fewer than 256 pieces: no counter overflows.
    while let (Some(these), Some(next)) =
        (block[at..].first_chunk::<PIECE>(), block.get(at + 1..).and_then(<[u8]>::first_chunk::<PIECE>))
    {
        let counters = feeds.iter_mut().zip(&mut odd);
        for ((feeds, odd), (&this, &next)) in counters.zip(these.iter().zip(next)) {
            let feed = u8::from(this == b'\n');
            *feeds += feed;
            *odd |= feed & u8::from(is_odd_beginning(next));
        }
        at += PIECE;
    }
    let mut plain = !is_odd_beginning(block[0]) && odd.iter().all(|&odd| odd == 0);
    let mut lines = feeds.iter().map(|&feeds| usize::from(feeds)).sum::<usize>();
    while at < block.len() {
        if block[at] == b'\n' {
            lines += 1;
            plain &= block.get(at + 1).is_none_or(|&next| !is_odd_beginning(next));
        }
        at += 1;
    }
    plain.then_some(lines)
}

/// The lines before the first with an odd beginning, at most `most` of them: their bytes, and how many.
fn plain_lines_before_odd(block: &[u8], most: usize) -> (usize, usize) {
    let (mut end, mut lines) = (0, 0);
    for feed in memchr::memchr_iter(b'\n', block) {
        if lines == most || is_odd_beginning(block[end]) {
            break;
        }
        (end, lines) = (feed + 1, lines + 1);
    }
    (end, lines)
}
