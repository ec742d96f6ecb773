//! The options for reading files, and the settings that a file gives itself, in a comment before
//! its first record:
//! `# taquin: goal=blank-first shape=3x4 format=line numbered=yes count-line=yes effort=2`.

use std::sync::Arc;

use super::decode::DecompressionLimit;
use super::layout::Layout;
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
    /// the usual names that a file has (`board`, `grid`, `tiles`, `cells`, `state`, `puzzle`).
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

/// The settings of a file.
#[derive(Default)]
pub struct Settings {
    goal: Option<Goal>,
    shape: Option<Shape>,
    layout: Option<Layout>,
    numbered: Option<bool>,
    /// The line of the setting `numbered`.
    numbered_line: u64,
    count_line: Option<bool>,
    effort: Option<u8>,
    mistakes: Vec<Mistake>,
}

/// An invalid setting.
struct Mistake {
    /// The name of the setting; empty for a comment that is too long.
    key: Box<str>,
    reason: String,
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

/// Returns the text after `# taquin:`, or `None` if the line does not begin with that.
fn settings_text(line: &[u8]) -> Option<&[u8]> {
    line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start().strip_prefix(b"taquin:")
}

/// Returns the reason why records are invalid because of a setting.
pub fn fault(line: u64, setting: &[u8], reason: &str) -> String {
    format!("line {line}: setting {}: {reason}", quoted(setting))
}

impl Settings {
    /// Reads the settings in a comment line, if it contains any. Invalid settings are recorded, and
    /// returned as warnings. So are all settings of a comment that is longer than `limit` bytes.
    pub fn read(&mut self, comment: &[u8], line: u64, limit: usize) -> Vec<String> {
        let Some(text) = settings_text(comment) else { return Vec::new() };
        if comment.len() > limit {
            let message = format!("settings longer than {limit} bytes");
            self.mistakes.push(Mistake { key: "".into(), reason: format!("line {line}: {message}") });
            return vec![message];
        }
        let mut warnings = Vec::new();
        for word in text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
            if let Err(reason) = self.set(word, line) {
                let key = word.split(|&byte| byte == b'=').next().unwrap_or_default();
                let key = String::from_utf8_lossy(key).into();
                self.mistakes.push(Mistake { key, reason: fault(line, word, &reason) });
                warnings.push(format!("setting {}: {reason}", quoted(word)));
            }
        }
        warnings
    }

    fn set(&mut self, word: &[u8], line: u64) -> Result<(), String> {
        let unknown = || "unknown: expected goal=, shape=, format=, numbered=, count-line= or effort=".to_string();
        let message = |error: Error| error.to_string();
        let (key, value) = std::str::from_utf8(word).ok().and_then(|word| word.split_once('=')).ok_or_else(unknown)?;
        match key {
            "goal" => self.goal = Some(value.parse().map_err(message)?),
            "shape" => self.shape = Some(value.parse().map_err(message)?),
            "format" if value == "auto" => self.layout = None,
            "format" => self.layout = Some(value.parse().map_err(message)?),
            "numbered" => (self.numbered, self.numbered_line) = (Some(yes_or_no(value)?), line),
            "count-line" => self.count_line = Some(yes_or_no(value)?),
            "effort" => match value.parse() {
                Ok(effort @ 1..=9) => self.effort = Some(effort),
                _ => return Err(format!("{} is not a number from 1 to 9", quoted(value.as_bytes()))),
            },
            _ => return Err(unknown()),
        }
        Ok(())
    }

    /// Returns the options for this file. The options of the run take precedence over the file's
    /// settings.
    pub fn resolve(self, requested: &InputOptions) -> Resolved {
        let is_given = |key: &str| match key {
            "goal" => requested.goal.is_some(),
            "shape" => requested.shape.is_some(),
            "format" => requested.layout.is_some(),
            "numbered" => requested.numbered,
            "count-line" => requested.count_line,
            _ => false,
        };
        let fault = self.mistakes.into_iter().find(|mistake| !is_given(&mistake.key)).map(|mistake| mistake.reason);
        let is_numbered_by_setting = self.numbered == Some(true) && !requested.numbered;
        let options = InputOptions {
            goal: requested.goal.clone().or(self.goal),
            shape: requested.shape.or(self.shape),
            layout: requested.layout.or(self.layout),
            numbered: requested.numbered || self.numbered == Some(true),
            count_line: requested.count_line || self.count_line == Some(true),
            effort: self.effort,
            ..requested.clone()
        };
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
