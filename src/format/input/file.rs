//! One file, from its first byte to its last: comments and settings, then how it is laid out, then
//! a count line or a header if it has one, then chunk after chunk.

use std::io;
use std::sync::Arc;

use super::chunk::{Extent, ParseError, Source};
use super::cut::{Cut, Cutter, Span};
use super::detect::{self, Seen};
use super::parse::CsvColumns;
use super::settings::{self, Resolved, Settings, is_settings};
use super::window::Window;
use super::words::lone_number;
use super::{InputOptions, Layout, Position};
use crate::digest::Digest;

/// How many bytes of a record that is too long are kept.
const KEPT_OF_TOO_LONG: usize = 64;

/// Warnings about one file that are kept; the rest would be more of the same.
const MOST_WARNINGS: usize = 10;

/// A file that is being read.
pub struct FileReader {
    name: Arc<str>,
    window: Window,
    /// The line that the window begins on.
    line: u64,
    /// The line at the window's start goes on from bytes that were dropped: drop the rest of it.
    skip_line: bool,
    /// A record at the window's start that was found to be too long, and is the next chunk.
    too_long: Option<(Span, bool)>,
    body: Option<Body>,
    /// The records that the count line promised, and those handed out.
    promised: Option<u64>,
    records: u64,
    /// Settings that come too late were told of.
    told_late: bool,
    warnings: Vec<String>,
}

/// What is known once the file's layout is.
struct Body {
    source: Arc<Source>,
    cutter: Cutter,
    /// A checksum of everything that decides how records are read.
    checksum: u64,
}

/// What is known of a chunk beside its bytes, but for how many records other files had before it.
pub struct Piece {
    pub source: Arc<Source>,
    pub first_line: u64,
    pub records: usize,
    pub extent: Extent,
}

impl FileReader {
    /// A reader of the text behind a window.
    pub fn new(name: Arc<str>, window: Window) -> FileReader {
        FileReader {
            name,
            window,
            line: 1,
            skip_line: false,
            too_long: None,
            body: None,
            promised: None,
            records: 0,
            told_late: false,
            warnings: Vec::new(),
        }
    }

    /// As it is shown in results.
    pub fn name(&self) -> Arc<str> {
        self.name.clone()
    }

    /// The bytes of its text that were read, and those of them that are not handed out yet.
    pub fn text_bytes(&self) -> (u64, u64) {
        let waiting = self.window.bytes().len() as u64;
        (self.window.passed() + waiting, waiting)
    }

    /// Where the next piece begins, as far as the file knows.
    pub fn position(&self) -> Position {
        Position {
            offset: self.window.passed(),
            line: self.line,
            rest_of_line: self.skip_line,
            records_in_input: self.records,
            text: self.window.digest().map_or(0, Digest::value),
            reading: self.body.as_ref().map_or(0, |body| body.checksum),
            ..Position::default()
        }
    }

    /// Goes on from a position, where the next piece begins; `false` when there is none such.
    pub fn go_to(&mut self, options: &InputOptions, position: &Position) -> bool {
        let body = self.begin(options);
        self.body = Some(body);
        (self.line, self.skip_line, self.records) = (position.line, position.rest_of_line, position.records_in_input);
        self.window.pass_to(position.offset)
    }

    /// Reads everything and cuts nothing.
    pub fn go_to_end(&mut self) {
        self.window.pass_to(u64::MAX);
    }

    /// The end: gives back the checksum of all text.
    pub fn close(self) -> Option<Digest> {
        self.window.close()
    }

    /// What is worth telling about the file so far; told once.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// The next records: at most so many, about so many bytes, in the buffer that is given. `None`
    /// at the end of the file. A failure comes after the last whole record before it.
    pub fn next_piece(
        &mut self,
        options: &InputOptions,
        max_records: usize,
        max_bytes: usize,
        chunk: &mut Vec<u8>,
    ) -> io::Result<Option<Piece>> {
        let mut body = match self.body.take() {
            Some(body) => body,
            None => self.begin(options),
        };
        chunk.clear();
        let records = self.fill(&mut body, max_records, max_bytes, chunk);
        let source = body.source.clone();
        self.body = Some(body);
        match records {
            Some((records, first_line, extent)) => {
                self.records += records as u64;
                Ok(Some(Piece { source, first_line, records, extent }))
            }
            None => match self.window.take_failure() {
                Some(cause) => Err(cause),
                None => {
                    self.check_promise();
                    Ok(None)
                }
            },
        }
    }

    /// Moves whole records from the window to a chunk's bytes: how many, the line that they begin
    /// on, and whether they are all there.
    fn fill(
        &mut self,
        body: &mut Body,
        max_records: usize,
        max_bytes: usize,
        chunk: &mut Vec<u8>,
    ) -> Option<(usize, u64, Extent)> {
        loop {
            if std::mem::take(&mut self.skip_line) {
                self.window.skip_line();
            }
            if let Some((span, open)) = self.too_long.take() {
                return Some(self.take_too_long(span, open, chunk));
            }
            let (mut end, mut lines, mut records) = (0, 0, 0);
            let (mut passed_bytes, mut passed_lines, mut starved) = (0, 0, false);
            while records < max_records.max(1) && (records == 0 || end < max_bytes) {
                let near = &self.window.bytes()[end..];
                let near = &near[..near.len().min(max_bytes.saturating_sub(end))];
                let (bytes, plain) = body.cutter.plain_lines(near, max_records.max(1) - records);
                if plain > 0 {
                    (end, lines, records) = (end + bytes, lines + plain as u64, records + plain);
                    continue;
                }
                match body.cutter.next(&self.window.bytes()[end..], self.window.ended()) {
                    Cut::Record(span) => {
                        end += span.end;
                        lines += span.lines;
                        records += 1;
                    }
                    Cut::TooLong { span, open } => {
                        self.too_long = Some((span, open));
                        break;
                    }
                    Cut::More { passed, lines, open } => {
                        (passed_bytes, passed_lines, self.skip_line) = (passed, lines, open);
                        starved = true;
                        break;
                    }
                }
            }
            if body.cutter.take_late_settings() && !self.told_late {
                self.tell_late_settings(&body.cutter);
            }
            let first_line = self.line;
            chunk.extend_from_slice(&self.window.bytes()[..end]);
            self.drop(end + passed_bytes, lines + passed_lines);
            if records > 0 {
                return Some((records, first_line, Extent::Whole));
            }
            if starved && !self.skip_line && !self.window.more(body.source.max_line) {
                let over = self.window.bytes().is_empty() || !self.window.ended();
                if over {
                    return None;
                }
            }
        }
    }

    fn take_too_long(&mut self, span: Span, open: bool, chunk: &mut Vec<u8>) -> (usize, u64, Extent) {
        let first_line = self.line + span.lines_before;
        let kept = span.end.min(span.start + KEPT_OF_TOO_LONG);
        chunk.extend_from_slice(&self.window.bytes()[span.start..kept]);
        self.drop(span.end, span.lines);
        self.skip_line = open;
        (1, first_line, Extent::TooLong)
    }

    /// What the cutter came by lies in the window still.
    #[cold]
    fn tell_late_settings(&mut self, cutter: &Cutter) {
        let lines = self.window.bytes().split(|&byte| byte == b'\n');
        let before = lines.take_while(|line| !cutter.is_settings(line)).count() as u64;
        let wrong = "settings are ignored behind the first line that is no comment";
        warn(&mut self.warnings, &self.name, Some(self.line + before), wrong);
        self.told_late = true;
    }

    fn drop(&mut self, bytes: usize, lines: u64) {
        self.window.consume(bytes);
        self.line += lines;
    }

    /// Reads up to the first record.
    fn begin(&mut self, asked: &InputOptions) -> Body {
        let Resolved { options, mut fault, numbered_line } = self.read_settings(asked).resolve(asked);
        let mut promised = options.count_line && options.layout != Some(Layout::Csv) && self.read_count(&options);
        let mut numbered = options.numbered;
        let layout = options.layout.unwrap_or_else(|| {
            if numbered {
                return Layout::Line;
            }
            let found = self.peek(&options, |bytes, seen| detect::detect(bytes, seen, options.shape, !promised));
            if found.count_line {
                promised = self.read_count(&options);
            }
            numbered = found.numbered;
            found.layout
        });
        if layout == Layout::Pair && options.layout.is_some() && !options.count_line {
            let counted = self.peek(&options, |bytes, seen| detect::is_pair_count(bytes, seen, options.shape));
            if counted {
                self.read_count(&options);
            }
        }
        if numbered && !layout.can_be_numbered() {
            numbered = false;
            let wrong = format!("records of the layout {layout} cannot be numbered");
            match numbered_line {
                Some(line) => {
                    warn(&mut self.warnings, &self.name, Some(line), &format!("setting 'numbered=yes': {wrong}"));
                    fault.get_or_insert_with(|| settings::fault(line, b"numbered=yes", &wrong));
                }
                None => warn(&mut self.warnings, &self.name, None, &format!("--numbered is ignored: {wrong}")),
            }
        }
        let cutter = Cutter::new(layout, options.shape, options.max_line);
        let mut source = Source::new(self.name.clone(), layout, InputOptions { numbered, ..options });
        source.fault = fault.map(ParseError::new);
        if layout == Layout::Csv {
            source.columns = self.read_header(source.max_line);
        }
        let checksum = Digest::of(format!("{source:?}").as_bytes());
        Body { source: Arc::new(source), cutter, checksum }
    }

    /// Takes the blank lines and comments at the start of the file.
    fn read_settings(&mut self, options: &InputOptions) -> Settings {
        let mut settings = Settings::default();
        loop {
            let bytes = self.window.bytes();
            let feed = memchr::memchr(b'\n', bytes);
            if feed.is_none() && !self.window.is_last() && bytes.len() <= options.max_line {
                self.window.more(options.max_line);
                continue;
            }
            let line = &bytes[..feed.unwrap_or(bytes.len())];
            let seen = &line[..line.len().min(options.max_line.saturating_add(1))];
            let too_long = line.len() > options.max_line;
            match seen.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r')) {
                Some(b'#') if too_long => {
                    if is_settings(seen) {
                        let wrong = settings.too_long(self.line, options.max_line);
                        warn(&mut self.warnings, &self.name, Some(self.line), &wrong);
                    }
                }
                Some(b'#') => {
                    let (name, number) = (&self.name, self.line);
                    settings.read(line, number, |wrong| warn(&mut self.warnings, name, Some(number), &wrong));
                }
                None if !bytes.is_empty() && !too_long => {}
                _ => return settings,
            }
            self.line += 1;
            match feed {
                Some(feed) => self.window.consume(feed + 1),
                None => self.window.skip_line(),
            }
        }
    }

    /// What the first lines show: `look` is given more and more of them until it can tell, at first
    /// with every line that arrives.
    fn peek<T>(&mut self, options: &InputOptions, look: impl Fn(&[u8], Seen) -> Option<T>) -> T {
        let most = detect::PEEK_BYTES + options.max_line.min(detect::MOST_BYTES);
        let mut length = detect::PEEK_BYTES;
        loop {
            let bytes = self.window.bytes();
            let (bytes, seen) = match bytes.get(..length) {
                Some(start) if bytes.len() > length => (start, if length == most { Seen::Start } else { Seen::Some }),
                _ if self.window.is_last() => (bytes, Seen::All),
                _ => (bytes, Seen::Some),
            };
            if let Some(found) = look(bytes, seen) {
                return found;
            }
            if bytes.len() < length {
                self.window.more(length);
            } else {
                // Much was seen in vain: not every line is worth another look.
                length = most.min(4 * length);
                while self.window.bytes().len() <= length && self.window.more(length) {}
            }
        }
    }

    /// Takes the first line that is not blank, if it is a number. The layout may not be known yet:
    /// only what is blank in every layout is passed over, which a lone comma is not.
    fn read_count(&mut self, options: &InputOptions) -> bool {
        let Some(span) = self.first_line(Layout::Csv, options.max_line) else { return false };
        let line = &self.window.bytes()[span.start..span.end];
        self.promised = lone_number(line.trim_ascii_end());
        if self.promised.is_some() {
            self.drop(span.end, span.lines);
        } else {
            let number = self.line + span.lines_before;
            let wrong = "expected the number of records; the line is read as a record";
            warn(&mut self.warnings, &self.name, Some(number), wrong);
        }
        self.promised.is_some()
    }

    /// Takes the header, if it names a board; one that does not is left to be an invalid record.
    fn read_header(&mut self, limit: usize) -> Option<CsvColumns> {
        let span = self.first_line(Layout::Csv, limit)?;
        let columns = CsvColumns::of_header(&self.window.bytes()[span.start..span.end])?;
        self.drop(span.end, span.lines);
        Some(columns)
    }

    /// The first line that is not blank; `None` when there is none, or it is too long.
    fn first_line(&mut self, layout: Layout, limit: usize) -> Option<Span> {
        let mut cutter = Cutter::new(layout, None, limit);
        loop {
            match cutter.next(self.window.bytes(), self.window.ended()) {
                Cut::Record(span) => return Some(span),
                Cut::TooLong { .. } => return None,
                Cut::More { passed, lines, open } => {
                    self.drop(passed, lines);
                    if open {
                        self.window.skip_line();
                    } else if !self.window.more(limit) && (self.window.bytes().is_empty() || !self.window.ended()) {
                        return None;
                    }
                }
            }
        }
    }

    fn check_promise(&mut self) {
        if let Some(promised) = self.promised.take()
            && promised != self.records
        {
            let wrong = format!("the count line promises {promised} records, the file holds {}", self.records);
            warn(&mut self.warnings, &self.name, None, &wrong);
        }
    }
}

fn warn(warnings: &mut Vec<String>, name: &str, line: Option<u64>, wrong: &str) {
    const LONGEST: usize = 240;
    if warnings.len() < MOST_WARNINGS {
        let place = line.map_or(String::new(), |line| format!(":{line}"));
        let wrong: String = wrong.chars().take(LONGEST).collect();
        warnings.push(format!("{name}{place}: {wrong}"));
    }
}
