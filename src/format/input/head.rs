//! The head of a file: comments and settings, then a count line or a header if there is one. The
//! head and the first records determine the layout.

use std::sync::Arc;

use super::detect::{Detected, Detector, Portion};
use super::layout::Layout;
use super::lines::lone_number;
use super::options::{FileSettings, InputOptions};
use super::record::{CsvColumns, ParseError, Source};
use super::split::line_at;
use super::stream_buffer::FileText;

/// The number of bytes that are examined first. This suffices for nearly every file.
const PEEK_BYTES: usize = 64 << 10;

/// The maximum number of additional bytes that are examined, for large boards and long lines. A
/// start and a goal of 255×255 fit.
const MAX_MORE_BYTES: usize = 2 << 20;

/// Reads up to the first record. Returns the properties of the file that its parsers need, and the
/// number in the count line if there is one.
pub fn read_head(text: &mut FileText, requested: &InputOptions) -> (Source, Option<u64>) {
    let settings = read_settings(text, requested);
    let (options, mut fault) = (settings.options(), settings.fault);
    let mut promised = None;
    if options.count_line && options.layout != Some(Layout::Csv) {
        promised = read_count(text, &options);
    }
    let found = peek(text, &options, promised.is_none());
    if found.count_line {
        promised = read_count(text, &options);
    }
    let Detected { layout, numbered, board_field, .. } = found;
    if numbered && !layout.can_be_numbered() {
        let reason = format!("records of the layout {layout} cannot be numbered");
        if let Some(line) = settings.numbered_line {
            let message = format!("setting 'numbered=yes': {reason}");
            text.warn(Some(line), &message);
            fault.get_or_insert_with(|| format!("line {line}: {message}"));
        } else {
            text.warn(None, &format!("--numbered is ignored: {reason}"));
        }
    }
    let numbered = numbered && layout.can_be_numbered();
    let board_field = options.board_field.clone().or(board_field.map(Arc::from));
    let mut source = Source::new(text.name.clone(), layout, InputOptions { numbered, board_field, ..options.clone() });
    source.fault = fault.map(ParseError::new);
    match layout {
        Layout::Csv => source.columns = read_header(text, &options).map(Some),
        Layout::JsonElements => text.consume(memchr::memchr(b'[', text.buffer.bytes()).map_or(0, |at| at + 1)),
        _ => {}
    }
    (source, promised)
}

/// Consumes the blank lines and comments at the start of the file. Returns the settings in them.
fn read_settings<'a>(text: &mut FileText, options: &'a InputOptions) -> FileSettings<'a> {
    let mut settings = FileSettings::new(options);
    while let Some(length) = skipped_line(text, options.max_record_bytes) {
        settings.read(&text.buffer.bytes()[..length], text.line);
        text.skip_line();
    }
    for (line, message) in &settings.mistakes {
        text.warn(Some(*line), message);
    }
    settings
}

/// Returns the length of the first line if it is blank or a comment. If a comment is longer than
/// the limit, possibly only a part of it is read. Then the returned length is that of the part,
/// which exceeds the limit.
fn skipped_line(text: &mut FileText, limit: usize) -> Option<usize> {
    let (length, _) = text.buffer.line(limit);
    let bytes = text.buffer.bytes();
    match bytes[..length].iter().take(limit.saturating_add(1)).find(|byte| !matches!(byte, b' ' | b'\t' | b'\r')) {
        Some(b'#') => Some(length),
        None => (!bytes.is_empty() && length <= limit).then_some(length),
        Some(_) => None,
    }
}

/// Detects the format from the first lines. As long as they do not decide, waits for more, at least
/// one line. If the first [`PEEK_BYTES`] do not decide, waits for four times as many bytes,
/// repeatedly.
fn peek(text: &mut FileText, options: &InputOptions, count_line_allowed: bool) -> Detected {
    let max = PEEK_BYTES + options.max_record_bytes.min(MAX_MORE_BYTES);
    let mut length = PEEK_BYTES;
    loop {
        let bytes = text.buffer.bytes();
        let (bytes, portion) = match bytes.get(..length) {
            Some(start) if bytes.len() > length => (start, if length == max { Portion::Limit } else { Portion::SoFar }),
            _ if text.buffer.is_finished() => (bytes, Portion::All),
            _ => (bytes, Portion::SoFar),
        };
        if let Ok(found) = (Detector { bytes, portion, options }).detect(count_line_allowed) {
            return found;
        }
        if bytes.len() < length {
            text.buffer.more(length);
        } else {
            // From now on, each attempt waits for four times as many bytes as the one before.
            length = max.min(4 * length);
            while text.buffer.bytes().len() <= length && text.buffer.more(length) {}
        }
    }
}

/// Consumes the first line that is neither blank nor a comment, and returns the number in it. If
/// the line is not a number, adds a warning instead.
fn read_count(text: &mut FileText, options: &InputOptions) -> Option<u64> {
    let end = first_line(text, options.max_record_bytes)?;
    let count = lone_number(text.buffer.bytes()[..end].trim_ascii_end());
    if count.is_some() {
        text.consume(end);
    } else {
        text.warn(Some(text.line), "expected the number of records; the line is read as a record");
    }
    count
}

/// Consumes the header. If no column contains the board, adds a warning, and every record will be
/// invalid.
fn read_header(text: &mut FileText, options: &InputOptions) -> Result<CsvColumns, ParseError> {
    let end = first_line(text, options.max_record_bytes).ok_or_else(|| ParseError::new("the file has no header"))?;
    let header = &text.buffer.bytes()[..end];
    let columns = CsvColumns::of_header(header, &options.pass, options.board_field.as_deref());
    let warning = match &columns {
        Ok(columns) => columns.missing(header, &options.pass),
        Err(error) => Some(error.to_string()),
    };
    if let Some(warning) = warning {
        text.warn(Some(text.line), &warning);
    }
    text.consume(end);
    columns
}

/// Consumes everything before the first line that is neither blank nor a comment, and returns the
/// end of that line, or `None` if there is no such line or it is too long.
fn first_line(text: &mut FileText, limit: usize) -> Option<usize> {
    while skipped_line(text, limit).is_some() {
        text.skip_line();
    }
    let (line, end) = line_at(text.buffer.bytes(), 0, text.buffer.ended()).ok()??;
    (line.len() <= limit).then_some(end)
}
