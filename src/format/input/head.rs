//! The head of a file: comments and settings, then a count line or a header if it has one. They show, with
//! the first records, how the file is laid out.

use std::sync::Arc;

use super::blocks;
use super::csv_fields::CsvColumns;
use super::cut::{Cut, Cutter, Span};
use super::detect::{self, Seen};
use super::file_text::FileText;
use super::framing::framing;
use super::layout::Layout;
use super::options::InputOptions;
use super::record::ParseError;
use super::settings::{self, Resolved, Settings, is_settings};
use super::source::Source;
use super::text_lines::lone_number;
use super::values::feeds;
use crate::format::passing::Pass;
use crate::system::Checksum;

/// How the records of a file are to be read.
pub struct FileFormat {
    /// What the parsers need to know.
    pub source: Arc<Source>,
    /// Finds the records.
    pub cutter: Cutter,
    /// A checksum of everything that decides how records are read.
    pub checksum: u64,
}

/// Reads up to the first record: how the records are to be read, and the number of them that a count line promises.
pub fn read_head(text: &mut FileText, requested: &InputOptions) -> (FileFormat, Option<u64>) {
    let Resolved { options, mut fault, numbered_line } = read_settings(text, requested).resolve(requested);
    let mut promised = None;
    if options.count_line && options.layout != Some(Layout::Csv) {
        promised = read_count(text, &options);
    }
    let mut numbered = options.numbered;
    let layout = options.layout.unwrap_or_else(|| {
        if numbered {
            return Layout::Line;
        }
        let found = peek(text, &options, |bytes, seen| detect::detect(bytes, seen, options.shape, promised.is_none()));
        if found.count_line {
            promised = read_count(text, &options);
        }
        numbered = found.numbered;
        found.layout
    });
    if layout == Layout::Pair && options.layout.is_some() && !options.count_line {
        let counted = peek(text, &options, |bytes, seen| detect::is_pair_count(bytes, seen, options.shape));
        if counted {
            promised = read_count(text, &options);
        }
    }
    if numbered && !layout.can_be_numbered() {
        numbered = false;
        let wrong = format!("records of the layout {layout} cannot be numbered");
        match numbered_line {
            Some(line) => {
                text.warn(Some(line), &format!("setting 'numbered=yes': {wrong}"));
                fault.get_or_insert_with(|| settings::fault(line, b"numbered=yes", &wrong));
            }
            None => text.warn(None, &format!("--numbered is ignored: {wrong}")),
        }
    }
    let layout = divided(text, &options, layout);
    let cutter = Cutter::new(layout, options.shape, options.max_line);
    let mut source = Source::new(text.name.clone(), layout, InputOptions { numbered, ..options });
    source.fault = fault.map(ParseError::new);
    if layout == Layout::Csv {
        match read_header(text, source.max_line, &source.pass) {
            Ok(columns) => source.columns = Some(columns),
            Err(wrong) => source.wrong_header = Some(wrong),
        }
    }
    let checksum = Checksum::of(format!("{source:?}").as_bytes());
    (FileFormat { source: Arc::new(source), cutter, checksum }, promised)
}

/// A layout whose records are divided in more than one way, in the way of this file.
fn divided(text: &mut FileText, options: &InputOptions, layout: Layout) -> Layout {
    match layout {
        Layout::Json => {
            let layout = peek(text, options, |bytes, seen| framing(bytes, seen, options.shape));
            if layout == Layout::JsonElements {
                let bytes = text.window.bytes();
                let opening = memchr::memchr(b'[', bytes).map_or(0, |at| at + 1);
                text.consume(opening, feeds(&bytes[..opening]));
            }
            layout
        }
        Layout::Grid if options.shape.is_none() => {
            if peek(text, options, |bytes, seen| blocks::are_set_apart(bytes, seen != Seen::Some)) {
                return Layout::Blocks;
            }
            let other = peek(text, options, |bytes, _| Some(blocks::other_shape(bytes)));
            if let Some(shape) = other {
                let first = format!("the first {} rows are a {shape} board", shape.rows());
                let wrong = "rows with no empty lines between the boards are cut into squares, but";
                text.warn(None, &format!("{wrong} {first}: --shape {shape}?"));
            }
            Layout::Grid
        }
        layout => layout,
    }
}

/// Takes the blank lines and comments at the start of the file.
fn read_settings(text: &mut FileText, options: &InputOptions) -> Settings {
    let mut settings = Settings::default();
    loop {
        let bytes = text.window.bytes();
        let feed = memchr::memchr(b'\n', bytes);
        if feed.is_none() && !text.window.is_last() && bytes.len() <= options.max_line {
            text.window.more(options.max_line);
            continue;
        }
        let line = &bytes[..feed.unwrap_or(bytes.len())];
        let seen = &line[..line.len().min(options.max_line.saturating_add(1))];
        let too_long = line.len() > options.max_line;
        match seen.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r')) {
            Some(b'#') if too_long => {
                if is_settings(seen) {
                    let wrong = settings.too_long(text.line, options.max_line);
                    text.warn(Some(text.line), &wrong);
                }
            }
            Some(b'#') => {
                for wrong in settings.read(line, text.line) {
                    text.warn(Some(text.line), &wrong);
                }
            }
            None if !bytes.is_empty() && !too_long => {}
            _ => return settings,
        }
        text.line += 1;
        match feed {
            Some(feed) => text.window.consume(feed + 1),
            None => text.window.skip_line(),
        }
    }
}

/// What the first lines show: `look` is given more and more of them until it finds an answer, at first
/// with every line that arrives.
fn peek<T>(text: &mut FileText, options: &InputOptions, look: impl Fn(&[u8], Seen) -> Option<T>) -> T {
    let most = detect::PEEK_BYTES + options.max_line.min(detect::MOST_BYTES);
    let mut length = detect::PEEK_BYTES;
    loop {
        let bytes = text.window.bytes();
        let (bytes, seen) = match bytes.get(..length) {
            Some(start) if bytes.len() > length => (start, if length == most { Seen::Start } else { Seen::Some }),
            _ if text.window.is_last() => (bytes, Seen::All),
            _ => (bytes, Seen::Some),
        };
        if let Some(found) = look(bytes, seen) {
            return found;
        }
        if bytes.len() < length {
            text.window.more(length);
        } else {
            // Many lines did not suffice: from now on it looks again only when there are four times as many.
            length = most.min(4 * length);
            while text.window.bytes().len() <= length && text.window.more(length) {}
        }
    }
}

/// Takes the first line that is not blank, if it is a number. The layout may not be known yet:
/// only what is blank in every layout is skipped, which a lone comma is not.
fn read_count(text: &mut FileText, options: &InputOptions) -> Option<u64> {
    let span = first_line(text, Layout::Csv, options.max_line)?;
    let line = &text.window.bytes()[span.start..span.end];
    let count = lone_number(line.trim_ascii_end());
    if count.is_some() {
        text.consume(span.end, span.lines);
    } else {
        let number = text.line + span.lines_before;
        let wrong = "expected the number of records; the line is read as a record";
        text.warn(Some(number), wrong);
    }
    count
}

/// Takes the header, if it names a board; one that does not is left to be an invalid record.
fn read_header(text: &mut FileText, limit: usize, pass: &Pass) -> Result<CsvColumns, ParseError> {
    let none = || ParseError::new("the file has no header that names a column 'board'");
    let span = first_line(text, Layout::Csv, limit).ok_or_else(none)?;
    let header = &text.window.bytes()[span.start..span.end];
    let columns = CsvColumns::of_header(header, pass);
    let missing = CsvColumns::missing(header, pass);
    if columns.is_ok() {
        if let [first, ..] = missing[..] {
            text.warn(Some(text.line + span.lines_before), &format!("the header names no column '{first}' (--pass)"));
        }
        text.consume(span.end, span.lines);
    }
    columns
}

/// The first line that is not blank; `None` when there is none, or it is too long.
fn first_line(text: &mut FileText, layout: Layout, limit: usize) -> Option<Span> {
    let mut cutter = Cutter::new(layout, None, limit);
    loop {
        let found = cutter.next(text.window.bytes(), text.window.ended());
        match found {
            Cut::Record(span) => return Some(span),
            Cut::TooLong { .. } => return None,
            Cut::More { passed, lines, open } => {
                text.consume(passed, lines);
                if open {
                    text.window.skip_line();
                } else if !text.window.more(limit) && (text.window.bytes().is_empty() || !text.window.ended()) {
                    return None;
                }
            }
        }
    }
}
