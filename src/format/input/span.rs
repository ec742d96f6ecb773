//! Where a record lies in the bytes that are looked at.

/// A stretch of bytes that holds one record, and blank lines and comments before it.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// Where the record's first line begins.
    pub start: usize,
    /// The number of lines before that.
    pub lines_before: u64,
    /// Where the record's last line ends.
    pub end: usize,
    /// The number of lines before that.
    pub lines: u64,
}

/// What was found at the start of the bytes.
#[derive(Debug)]
pub enum Cut {
    /// A record.
    Record(Span),
    /// A record longer than the limit. It ends with the line that made it so; where `open`, that
    /// line goes on behind the bytes.
    TooLong { span: Span, open: bool },
    /// No record ends here. The first `passed` bytes, of `lines` lines, are blank lines and comments
    /// that must be dropped before the next call; where `open`, the last of them is a comment that
    /// goes on behind the bytes.
    More { passed: usize, lines: u64, open: bool },
}
