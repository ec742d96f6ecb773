//! The options for reading files, and the settings comment, with which a file sets options for
//! itself before its first record:
//! `# taquin: goal=blank-first shape=3x4 format=line numbered=yes count-line=yes effort=2`.

use std::sync::Arc;

use super::decode::DecompressionLimit;
use super::layout::Layout;
use super::stream_buffer::MAX_WARNINGS;
use crate::board::tokens::quoted;
use crate::board::{Error, Goal, Shape};
use crate::format::passthrough::Pass;

/// The options for reading files. Those that are not given are taken from the settings in each
/// file.
#[derive(Clone, Debug)]
pub struct InputOptions {
    /// The layout of every file. `None`: detected from the first records of each file.
    pub layout: Option<Layout>,
    /// The goal of boards without their own goal. `None`: not given; the default is the blank last.
    pub goal: Option<Goal>,
    /// The shape of boards without their own shape. `None`: boards are square.
    pub shape: Option<Shape>,
    /// True if the first line of every file is the number of its records.
    pub count_line: bool,
    /// True if every line of the layouts `line` and `digits` begins with the record's number.
    pub numbered: bool,
    /// The effort that the file requests for good paths. It is used unless the run requests an
    /// effort.
    pub effort: Option<u8>,
    /// The passthrough columns.
    pub pass: Arc<Pass>,
    /// The field of JSON objects or the column of CSV that holds the board. `None`: the first of
    /// the usual names (`board`, `grid`, `tiles`, `cells`, `state`, `puzzle`) that the file has.
    pub board_field: Option<Arc<str>>,
    /// The maximum number of bytes of a record. A longer record is invalid, and not kept in memory.
    pub max_record_bytes: usize,
    /// The limits of decompression.
    pub decompression: DecompressionLimit,
}

impl Default for InputOptions {
    fn default() -> InputOptions {
        InputOptions {
            layout: None,
            goal: None,
            shape: None,
            count_line: false,
            numbered: false,
            effort: None,
            pass: Arc::default(),
            board_field: None,
            max_record_bytes: 1 << 20,
            decompression: DecompressionLimit::default(),
        }
    }
}

impl InputOptions {
    /// Returns these options. The layout, the goal, the shape, the count line and the record
    /// numbers are taken from `other` if they are not given here.
    #[must_use]
    pub(in crate::format) fn or(self, other: &InputOptions) -> InputOptions {
        InputOptions {
            layout: self.layout.or(other.layout),
            goal: self.goal.or_else(|| other.goal.clone()),
            shape: self.shape.or(other.shape),
            count_line: self.count_line || other.count_line,
            numbered: self.numbered || other.numbered,
            ..self
        }
    }
}

/// The settings of a file, combined with the options of the run. The options take precedence.
pub struct FileSettings<'a> {
    requested: &'a InputOptions,
    /// The options that the file sets.
    in_file: InputOptions,
    /// The line of the setting `numbered=yes`, if that setting is why the file is numbered.
    pub numbered_line: Option<u64>,
    /// The first invalid settings, at most [`MAX_WARNINGS`]: their lines, and the reasons. A file
    /// may contain any number of them.
    pub mistakes: Vec<(u64, String)>,
    /// The first invalid setting that no option of the run replaces: its line, and the reason.
    pub fault: Option<String>,
}

impl<'a> FileSettings<'a> {
    /// Creates the settings of a file that has none, read with the options of the run.
    pub fn new(requested: &'a InputOptions) -> FileSettings<'a> {
        let in_file = InputOptions::default();
        FileSettings { requested, in_file, numbered_line: None, mistakes: Vec::new(), fault: None }
    }

    /// Reads the settings in a comment line, if it contains any. All settings of a comment that is
    /// longer than the maximum length of a record are invalid.
    pub fn read(&mut self, comment: &[u8], line: u64) {
        let limit = self.requested.max_record_bytes;
        // If the comment is too long, the buffer may hold more of it than is needed here.
        let text = &comment[..comment.len().min(limit.saturating_add(1))];
        let text = text.trim_ascii_start().strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
        let Some(text) = text.and_then(|text| text.strip_prefix(b"taquin:")) else { return };
        if comment.len() > limit {
            return self.keep_mistake(b"", line, format!("settings longer than {limit} bytes"));
        }
        for word in text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
            if let Err(reason) = self.set(word, line) {
                let name = word.split(|&byte| byte == b'=').next().unwrap_or_default();
                self.keep_mistake(name, line, format!("setting {}: {reason}", quoted(word)));
            }
        }
    }

    fn keep_mistake(&mut self, name: &[u8], line: u64, message: String) {
        let is_replaced = match name {
            b"goal" => self.requested.goal.is_some(),
            b"shape" => self.requested.shape.is_some(),
            b"format" => self.requested.layout.is_some(),
            b"numbered" => self.requested.numbered,
            b"count-line" => self.requested.count_line,
            _ => false,
        };
        if !is_replaced {
            self.fault.get_or_insert_with(|| format!("line {line}: {message}"));
        }
        if self.mistakes.len() < MAX_WARNINGS {
            self.mistakes.push((line, message));
        }
    }

    fn set(&mut self, word: &[u8], line: u64) -> Result<(), String> {
        let unknown = || "unknown: expected goal=, shape=, format=, numbered=, count-line= or effort=".to_string();
        let message = |error: Error| error.to_string();
        let (key, value) = std::str::from_utf8(word).ok().and_then(|word| word.split_once('=')).ok_or_else(unknown)?;
        let in_file = &mut self.in_file;
        match key {
            "goal" => in_file.goal = Some(value.parse().map_err(message)?),
            "shape" => in_file.shape = Some(value.parse().map_err(message)?),
            "format" if value == "auto" => in_file.layout = None,
            "format" => in_file.layout = Some(value.parse().map_err(message)?),
            "numbered" => {
                in_file.numbered = yes_or_no(value)?;
                self.numbered_line = (in_file.numbered && !self.requested.numbered).then_some(line);
            }
            "count-line" => in_file.count_line = yes_or_no(value)?,
            "effort" => match value.parse() {
                Ok(effort @ 1..=9) => in_file.effort = Some(effort),
                _ => return Err(format!("{} is not a number from 1 to 9", quoted(value.as_bytes()))),
            },
            _ => return Err(unknown()),
        }
        Ok(())
    }

    /// Returns the options for this file.
    pub fn options(&self) -> InputOptions {
        InputOptions { effort: self.in_file.effort, ..self.requested.clone().or(&self.in_file) }
    }
}

fn yes_or_no(value: &str) -> Result<bool, String> {
    match value {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(format!("{} is neither yes nor no", quoted(value.as_bytes()))),
    }
}
