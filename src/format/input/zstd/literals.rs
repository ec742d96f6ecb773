//! The literals of a block (RFC 8878, 3.1.1.3.1).

use super::damage::Damage;
use super::huffman::Huffman;

/// Bytes behind the literals that may be read, so that short runs are copied in one piece.
pub const PADDING: usize = 16;

const SHORT: Damage = Damage("literals that are cut off");
const TOO_MANY: Damage = Damage("more literals than a block may have");

/// Decodes literals, at most `most` of them, into the first bytes of `text`: their number, and the bytes they took.
pub fn decode(data: &[u8], most: usize, huffman: &mut Huffman, text: &mut [u8]) -> Result<(usize, usize), Damage> {
    let byte = |at: usize| data.get(at).map(|&byte| u64::from(byte)).ok_or(SHORT);
    let first = byte(0)?;
    let head = |bytes: usize| (0..bytes).rev().try_fold(0, |head, at| Ok(head << 8 | byte(at)?));
    let (kind, format) = (first & 3, first >> 2 & 3);
    if kind < 2 {
        let (head_bytes, count) = match format {
            0 | 2 => (1, first >> 3),
            1 => (2, head(2)? >> 4),
            _ => (3, head(3)? >> 4),
        };
        let count = count as usize;
        if count > most {
            return Err(TOO_MANY);
        }
        if kind == 0 {
            text[..count].copy_from_slice(data.get(head_bytes..head_bytes + count).ok_or(SHORT)?);
            return Ok((count, head_bytes + count));
        }
        text[..count].fill(byte(head_bytes)? as u8);
        return Ok((count, head_bytes + 1));
    }
    let (head_bytes, width) = match format {
        0 | 1 => (3, 10),
        2 => (4, 14),
        _ => (5, 18),
    };
    let sizes = head(head_bytes)? >> 4;
    let (count, bytes) = ((sizes & ((1 << width) - 1)) as usize, (sizes >> width) as usize);
    if count > most {
        return Err(TOO_MANY);
    }
    let mut streams = data.get(head_bytes..head_bytes + bytes).ok_or(SHORT)?;
    if kind == 2 {
        let code_bytes = huffman.read(streams)?;
        streams = &streams[code_bytes..];
    } else if huffman.is_empty() {
        return Err(Damage("literals by a Huffman code that was never given"));
    }
    let text = &mut text[..count];
    if format == 0 {
        huffman.decode(streams, text)?;
    } else {
        let (sizes, streams) = streams.split_first_chunk::<6>().ok_or(SHORT)?;
        let size = |at: usize| usize::from(u16::from_le_bytes([sizes[at], sizes[at + 1]]));
        let (first, rest) = streams.split_at_checked(size(0)).ok_or(SHORT)?;
        let (second, rest) = rest.split_at_checked(size(2)).ok_or(SHORT)?;
        let (third, fourth) = rest.split_at_checked(size(4)).ok_or(SHORT)?;
        let quarter = count.div_ceil(4);
        if count < 6 {
            return Err(Damage("too few literals for four streams"));
        }
        let (a, text) = text.split_at_mut(quarter);
        let (b, text) = text.split_at_mut(quarter);
        let (c, d) = text.split_at_mut(quarter);
        huffman.decode_four([first, second, third, fourth], [a, b, c, d])?;
    }
    Ok((count, head_bytes + bytes))
}
