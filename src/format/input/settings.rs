//! The settings that a file brings in a comment before its first record:
//! `# taquin: goal=blank-first shape=3x4 format=line numbered=yes count-line=yes`.

use super::{InputOptions, Layout};
use crate::board::tokens::quoted;
use crate::board::{GoalSpec, Shape};

/// What a file says about itself.
#[derive(Default)]
pub struct Settings {
    goal: Option<GoalSpec>,
    shape: Option<Shape>,
    layout: Option<Layout>,
    numbered: Option<bool>,
    count_line: Option<bool>,
}

impl Settings {
    /// Takes over what a comment line says, if it is one of settings; what it says wrongly is
    /// handed to `warn` and passed over.
    pub fn read(&mut self, comment: &[u8], mut warn: impl FnMut(String)) {
        let Some(words) = comment.trim_ascii_start().strip_prefix(b"#") else { return };
        let Some(words) = words.trim_ascii_start().strip_prefix(b"taquin:") else { return };
        for word in words.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
            if let Err(wrong) = self.set(word) {
                warn(wrong);
            }
        }
    }

    fn set(&mut self, word: &[u8]) -> Result<(), String> {
        let unknown =
            || format!("unknown setting {}: expected goal=, shape=, format=, numbered= or count-line=", quoted(word));
        let (key, value) = std::str::from_utf8(word).ok().and_then(|word| word.split_once('=')).ok_or_else(unknown)?;
        match key {
            "goal" => self.goal = Some(value.parse()?),
            "shape" => self.shape = Some(value.parse()?),
            "format" if value == "auto" => self.layout = None,
            "format" => self.layout = Some(value.parse()?),
            "numbered" => self.numbered = Some(yes_or_no(value)?),
            "count-line" => self.count_line = Some(yes_or_no(value)?),
            _ => return Err(unknown()),
        }
        Ok(())
    }

    /// The options for this file: its own settings, then what was asked for; the other way round
    /// where the options say so.
    pub fn resolve(self, asked: &InputOptions) -> InputOptions {
        let mut options = asked.clone();
        if asked.override_file {
            options.shape = asked.shape.or(self.shape);
            options.layout = asked.layout.or(self.layout);
            options.numbered = asked.numbered || self.numbered == Some(true);
            options.count_line = asked.count_line || self.count_line == Some(true);
        } else {
            options.goal = self.goal.unwrap_or(options.goal);
            options.shape = self.shape.or(asked.shape);
            options.layout = self.layout.or(asked.layout);
            options.numbered = self.numbered.unwrap_or(asked.numbered);
            options.count_line = self.count_line.unwrap_or(asked.count_line);
        }
        options
    }
}

fn yes_or_no(value: &str) -> Result<bool, String> {
    match value {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(format!("{} is neither yes nor no", quoted(value.as_bytes()))),
    }
}
