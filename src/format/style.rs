//! The format of results, chosen once per run: JSON Lines, CSV, or the format of a judge.

use std::sync::Arc;

use super::output::{Field, Fields, PathsAsked, Row, csv_header};
use super::profile::AnswerWriter;
use crate::board::Board;

/// The format of results.
#[derive(Clone, Debug)]
pub enum Style {
    /// A JSON object on each line.
    Json(Fields),
    /// A CSV header, and a CSV record for each result.
    Csv(Fields),
    /// The format of a judge.
    Answers(Arc<AnswerWriter>),
}

impl Style {
    /// Returns true if the time of every board must be measured.
    pub fn wants_time(&self) -> bool {
        self.fields().is_some_and(|fields| fields.contains(Field::TimeUs))
    }

    /// Returns true if results contain the engine, the heuristic or the number of nodes.
    pub fn wants_engine(&self) -> bool {
        let engine_fields = [Field::Engine, Field::Heuristic, Field::Nodes];
        self.fields().is_some_and(|fields| engine_fields.iter().any(|&field| fields.contains(field)))
    }

    /// Returns true if even a path of `min_moves` moves, a proven lower bound, would be too large
    /// to be written.
    pub fn is_too_large(&self, board: &Board, min_moves: impl FnOnce() -> u64) -> bool {
        match self {
            Style::Json(_) | Style::Csv(_) => false,
            Style::Answers(answers) => answers.is_too_large(board, min_moves),
        }
    }

    /// Returns the requested information about all shortest paths of a board, if any.
    pub fn paths_asked(&self) -> Option<PathsAsked> {
        self.fields().and_then(Fields::paths_asked)
    }

    /// Returns true if paths, or the boards along them, are written.
    pub fn writes_paths(&self) -> bool {
        match self {
            Style::Json(fields) | Style::Csv(fields) => fields.contains(Field::Path) || fields.contains(Field::States),
            Style::Answers(answers) => answers.writes_paths(),
        }
    }

    /// Returns the fields of a result, or `None` for the format of a judge.
    pub fn fields(&self) -> Option<&Fields> {
        match self {
            Style::Json(fields) | Style::Csv(fields) => Some(fields),
            Style::Answers(_) => None,
        }
    }

    /// Returns the text before the first result.
    pub fn header(&self) -> Vec<u8> {
        match self {
            Style::Csv(fields) => csv_header(fields),
            Style::Json(_) | Style::Answers(_) => Vec::new(),
        }
    }
}

impl Default for Style {
    fn default() -> Style {
        Style::Json(Fields::default())
    }
}

impl Row<'_> {
    /// Appends the result to `out`.
    #[inline]
    pub fn write(&self, style: &Style, out: &mut Vec<u8>) {
        match style {
            Style::Json(fields) => self.write_json(fields, out),
            Style::Csv(fields) => self.write_csv(fields, out),
            Style::Answers(answers) => answers.write(self, out),
        }
    }
}
