//! What a frame says of itself before its blocks (RFC 8878, 3.1.1.1).

/// The header of a frame.
pub struct Header {
    /// The bytes of text that blocks refer to.
    pub window: u64,
    /// The bytes of the text, where they are known.
    pub text_bytes: Option<u64>,
    pub has_checksum: bool,
    /// The dictionary that it was compressed with; 0 is none.
    pub dictionary: u64,
}

impl Header {
    /// The most bytes behind the first one.
    pub const MOST_BYTES: usize = 1 + 4 + 8;

    /// The bytes behind the first one; nothing where that sets a bit which is reserved.
    pub fn bytes(first: u8) -> Option<usize> {
        (first & 8 == 0).then(|| usize::from(!is_single(first)) + dictionary_bytes(first) + size_bytes(first))
    }

    /// The header that begins with this byte, and these behind it.
    pub fn parse(first: u8, rest: &[u8]) -> Header {
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
        let (window, rest) = rest.split_at(usize::from(!is_single(first)));
        let (dictionary, size) = rest.split_at(dictionary_bytes(first));
        let text_bytes = match size.len() {
            0 => None,
            2 => Some(number(size) + 256),
            _ => Some(number(size)),
        };
        let window = match *window {
            [log] => (8 + u64::from(log & 7)) << (7 + (log >> 3)),
            _ => text_bytes.unwrap_or(0),
        };
        Header { window, text_bytes, has_checksum: first & 4 != 0, dictionary: number(dictionary) }
    }
}

/// True when the window is as long as the text, and not written.
fn is_single(first: u8) -> bool {
    first & 32 != 0
}

fn dictionary_bytes(first: u8) -> usize {
    [0, 1, 2, 4][usize::from(first & 3)]
}

fn size_bytes(first: u8) -> usize {
    match first >> 6 {
        0 => usize::from(is_single(first)),
        flag => 1 << flag,
    }
}
