//! The options for reading files, and the settings that a file gives itself, in a comment before
//! its first record:
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
    /// The effort for good paths that the file requests. It is used unless the run requests
    /// a different one.
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

/// The names of the settings that options of the run replace.
const REPLACED: [&str; 5] = ["goal", "shape", "format", "numbered", "count-line"];

/// The settings of a file.
#[derive(Default)]
pub struct Settings {
    /// The options that the settings give.
    given: InputOptions,
    /// The line of the setting `numbered`.
    numbered_line: u64,
    /// The invalid settings, in the order of the file: those that are reported, and the first of
    /// each name. A file may contain any number of them.
    pub mistakes: Vec<Mistake>,
}

/// An invalid setting.
pub struct Mistake {
    /// The name of the setting if it is in [`REPLACED`], otherwise empty.
    key: &'static str,
    /// The line of the setting.
    pub line: u64,
    /// The setting and the reason why it is invalid.
    pub message: String,
}

/// The options of a file: its settings combined with the options of the run.
pub struct Resolved {
    /// The options for this file.
    pub options: InputOptions,
    /// The first invalid setting that no option of the run replaces: its line, and the reason.
    pub fault: Option<String>,
    /// The line of the setting `numbered=yes`, if that setting is why the file is numbered.
    pub numbered_line: Option<u64>,
}

impl Settings {
    /// Reads the settings in a comment line, if it contains any. All settings of a comment that is
    /// longer than `limit` bytes are invalid.
    pub fn read(&mut self, comment: &[u8], line: u64, limit: usize) {
        // Of a comment that is too long, more may have been read.
        let text = &comment[..comment.len().min(limit.saturating_add(1))];
        let text = text.trim_ascii_start().strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
        let Some(text) = text.and_then(|text| text.strip_prefix(b"taquin:")) else { return };
        if comment.len() > limit {
            let message = format!("settings longer than {limit} bytes");
            return self.keep(Mistake { key: "", line, message });
        }
        for word in text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
            if let Err(reason) = self.set(word, line) {
                let name = word.split(|&byte| byte == b'=').next().unwrap_or_default();
                let key = REPLACED.into_iter().find(|key| key.as_bytes() == name).unwrap_or_default();
                self.keep(Mistake { key, line, message: format!("setting {}: {reason}", quoted(word)) });
            }
        }
    }

    fn keep(&mut self, mistake: Mistake) {
        if self.mistakes.len() < MAX_WARNINGS || self.mistakes.iter().all(|kept| kept.key != mistake.key) {
            self.mistakes.push(mistake);
        }
    }

    fn set(&mut self, word: &[u8], line: u64) -> Result<(), String> {
        let unknown = || "unknown: expected goal=, shape=, format=, numbered=, count-line= or effort=".to_string();
        let message = |error: Error| error.to_string();
        let (key, value) = std::str::from_utf8(word).ok().and_then(|word| word.split_once('=')).ok_or_else(unknown)?;
        let given = &mut self.given;
        match key {
            "goal" => given.goal = Some(value.parse().map_err(message)?),
            "shape" => given.shape = Some(value.parse().map_err(message)?),
            "format" if value == "auto" => given.layout = None,
            "format" => given.layout = Some(value.parse().map_err(message)?),
            "numbered" => (given.numbered, self.numbered_line) = (yes_or_no(value)?, line),
            "count-line" => given.count_line = yes_or_no(value)?,
            "effort" => match value.parse() {
                Ok(effort @ 1..=9) => given.effort = Some(effort),
                _ => return Err(format!("{} is not a number from 1 to 9", quoted(value.as_bytes()))),
            },
            _ => return Err(unknown()),
        }
        Ok(())
    }

    /// Returns the options for this file. The options of the run take precedence over the file's
    /// settings.
    pub fn resolve(self, requested: &InputOptions) -> Resolved {
        let is_given = |key| match key {
            "goal" => requested.goal.is_some(),
            "shape" => requested.shape.is_some(),
            "format" => requested.layout.is_some(),
            "numbered" => requested.numbered,
            "count-line" => requested.count_line,
            _ => false,
        };
        let fault = self.mistakes.iter().find(|mistake| !is_given(mistake.key));
        let fault = fault.map(|Mistake { line, message, .. }| format!("line {line}: {message}"));
        let given = self.given;
        let options = InputOptions {
            goal: requested.goal.clone().or(given.goal),
            shape: requested.shape.or(given.shape),
            layout: requested.layout.or(given.layout),
            numbered: requested.numbered || given.numbered,
            count_line: requested.count_line || given.count_line,
            effort: given.effort,
            ..requested.clone()
        };
        let is_numbered_by_setting = given.numbered && !requested.numbered;
        Resolved { options, fault, numbered_line: is_numbered_by_setting.then_some(self.numbered_line) }
    }
}

fn yes_or_no(value: &str) -> Result<bool, String> {
    match value {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(format!("{} is neither yes nor no", quoted(value.as_bytes()))),
    }
}
