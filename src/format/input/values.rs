//! The values of a JSON text that is divided by its signs and not by its lines: the elements of one long array, or values
//! one behind the other.
//!
//! Between values, commas, colons and closing brackets are passed over like blanks, so that where a value begins and ends
//! follows from its own bytes: reader and worker agree, and what is damaged costs its own value.

use super::span::{Cut, Span};

/// Stands for the beginning of a value that is too long, whose first bytes are gone.
const TOO_LONG: usize = usize::MAX;

/// Finds values. What it remembers from one call to the next is about bytes that the caller still has.
#[derive(Default)]
pub struct Values {
    /// The byte to look at next.
    at: usize,
    /// Where the value begins that is not complete yet.
    begun: Option<usize>,
    /// Brackets that are open within it.
    depth: usize,
    /// Within a string, and behind a backslash in it.
    in_string: bool,
    escaped: bool,
    /// A closing bracket was passed that closes no value.
    closed: bool,
}

impl Values {
    /// Whether the bracket that closes the array around the values was passed.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The first value of the bytes, as [`Cutter::next`](super::cut::Cutter::next) gives records. Of one that is too long the rest
    /// is to be skipped.
    pub fn next(&mut self, bytes: &[u8], ended: bool, limit: usize) -> Cut {
        if self.begun == Some(TOO_LONG) {
            // What was skipped went on to the end of the text.
            *self = Values { closed: self.closed, ..Values::default() };
        }
        let complete = self.scan(bytes);
        let Some(start) = self.begun else {
            let passed = std::mem::take(&mut self.at);
            return Cut::More { passed, lines: feeds(&bytes[..passed]), open: false };
        };
        let lines_before = feeds(&bytes[..start]);
        let span = Span { start, lines_before, end: self.at, lines: lines_before + feeds(&bytes[start..self.at]) };
        if self.at - start > limit {
            // The state is kept: the rest of the value is skipped from here on.
            self.at = 0;
            self.begun = (!complete).then_some(TOO_LONG);
            return Cut::TooLong { span, open: !complete };
        }
        if complete || ended {
            *self = Values { closed: self.closed, ..Values::default() };
            return Cut::Record(span);
        }
        (self.at, self.begun) = (self.at - start, Some(0));
        Cut::More { passed: start, lines: lines_before, open: false }
    }

    /// Skips what is left of a value that is too long: how many of these bytes that is, and whether it ends there.
    pub fn skip(&mut self, bytes: &[u8]) -> (usize, bool) {
        if self.begun.is_none() {
            return (0, true);
        }
        let complete = self.scan(bytes);
        let passed = std::mem::take(&mut self.at);
        if complete {
            self.begun = None;
        }
        (passed, complete)
    }

    /// Goes on to the end of the value, or of the bytes; whether the value is complete.
    fn scan(&mut self, bytes: &[u8]) -> bool {
        while self.begun.is_none() {
            match bytes.get(self.at) {
                None => return false,
                Some(b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' | b'}') => self.at += 1,
                Some(b']') => (self.at, self.closed) = (self.at + 1, true),
                Some(_) => (self.begun, self.depth, self.in_string, self.escaped) = (Some(self.at), 0, false, false),
            }
        }
        while let Some(&byte) = bytes.get(self.at) {
            if self.in_string {
                self.at += 1;
                if self.escaped {
                    self.escaped = false;
                } else if byte == b'\\' {
                    self.escaped = true;
                } else if byte == b'"' {
                    self.in_string = false;
                    if self.depth == 0 {
                        return true;
                    }
                }
                continue;
            }
            match byte {
                b'[' | b'{' if self.depth > 0 || self.begun == Some(self.at) => self.depth += 1,
                b'"' if self.depth > 0 || self.begun == Some(self.at) => self.in_string = true,
                b']' | b'}' if self.depth > 0 => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        self.at += 1;
                        return true;
                    }
                }
                // A word or a number ends before whatever cannot be of it.
                b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' | b'[' | b']' | b'{' | b'}' | b'"' if self.depth == 0 => {
                    return true;
                }
                _ => {}
            }
            self.at += 1;
        }
        false
    }
}

/// The number of line feeds.
pub fn feeds(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

/// The values in whole bytes.
pub fn all(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (mut values, mut rest) = (Values::default(), bytes);
    std::iter::from_fn(move || match values.next(rest, true, usize::MAX) {
        Cut::Record(span) => {
            let value = &rest[span.start..span.end];
            rest = &rest[span.end..];
            Some(value)
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_however_they_are_written() {
        let text = b" [1,[2]],\n{\"a]\\\"\":{}}:\"x,y\" null]12,\"z";
        let found: Vec<_> = all(text).map(|value| std::str::from_utf8(value).unwrap()).collect();
        assert_eq!(found, ["[1,[2]]", "{\"a]\\\"\":{}}", "\"x,y\"", "null", "12", "\"z"]);
        assert_eq!(all(b" ],, ").count(), 0);
    }

    /// Byte by byte the same is found as at once, and a value that is too long is skipped to its end.
    #[test]
    fn values_are_found_in_pieces() {
        let text = b"[1,2],\n[[3,4,5,6,7,8,9]]\n, {\"a\":\"]\"} 7 ]\n";
        for limit in [100, 10] {
            let (mut values, mut from, mut found) = (Values::default(), 0, Vec::new());
            for to in 0..=text.len() {
                loop {
                    match values.next(&text[from..to], to == text.len(), limit) {
                        Cut::Record(span) => {
                            found.push(&text[from + span.start..from + span.end]);
                            from += span.end;
                        }
                        Cut::TooLong { span, open } => {
                            found.push(b"too long");
                            from += span.end;
                            assert!(open);
                            let (passed, ended) = values.skip(&text[from..]);
                            assert!(ended);
                            from += passed;
                            break;
                        }
                        Cut::More { passed, .. } => {
                            from += passed;
                            break;
                        }
                    }
                    if from > to {
                        break;
                    }
                }
                if from > to {
                    // What was skipped lies behind the piece.
                    found.extend(all(&text[from..]));
                    break;
                }
            }
            let long: &[u8] = if limit == 10 { b"too long" } else { b"[[3,4,5,6,7,8,9]]" };
            assert_eq!(found, [&b"[1,2]"[..], long, b"{\"a\":\"]\"}", b"7"]);
        }
    }
}
