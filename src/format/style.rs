//! How results are written, chosen once a run: as JSON lines, as CSV, or in the format of a judge.

use std::sync::Arc;

use super::output::{Field, Fields, PathsAsked, Row, csv_header};
use super::profile::AnswerWriter;
use crate::board::Board;

/// The ways of writing a result.
#[derive(Clone, Debug)]
pub enum Style {
    /// A JSON object on each line.
    Json(Fields),
    /// A header, and a record of CSV for each.
    Csv(Fields),
    /// In the format of a judge.
    Answers(Arc<AnswerWriter>),
}

impl Style {
    /// Whether the time of every single board has to be taken.
    pub fn wants_time(&self) -> bool {
        self.fields().is_some_and(|fields| fields.contains(Field::TimeUs))
    }

    /// Whether it is told what solved a board, and by how many nodes.
    pub fn wants_engine(&self) -> bool {
        let told = [Field::Engine, Field::Heuristic, Field::Nodes];
        self.fields().is_some_and(|fields| told.iter().any(|&field| fields.contains(field)))
    }

    /// Whether what would be written of a board's path is too much, whatever the path is: it has these moves at least.
    pub fn is_beyond(&self, board: &Board, least_moves: impl FnOnce() -> u64) -> bool {
        match self {
            Style::Json(_) | Style::Csv(_) => false,
            Style::Answers(answers) => answers.is_beyond(board, least_moves),
        }
    }

    /// What is written of all shortest paths of a board; `None`: nothing.
    pub fn paths_asked(&self) -> Option<PathsAsked> {
        self.fields().and_then(Fields::paths_asked)
    }

    /// Whether paths are written, or all boards along them.
    pub fn writes_paths(&self) -> bool {
        match self {
            Style::Json(fields) | Style::Csv(fields) => fields.contains(Field::Path) || fields.contains(Field::States),
            Style::Answers(answers) => answers.writes_paths(),
        }
    }

    /// The fields of a result; none in a judge's answers.
    pub fn fields(&self) -> Option<&Fields> {
        match self {
            Style::Json(fields) | Style::Csv(fields) => Some(fields),
            Style::Answers(_) => None,
        }
    }

    /// What stands before the first result.
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
