//! What is known of a record as a line of JSON.

use super::duplicates::Occurrence;
use super::facts::{Facts, Requested, Status};
use super::fields::{Field, SOLUTIONS_AT_LEAST};
use super::sink::Examined;
use crate::format::field_table::Request;
use crate::format::json_object::{JsonObject, json_string};
use crate::solver::Estimate;
use crate::tools::labels::{PathCount, ShortestPaths};

impl Field {
    /// What has to be found out to write it.
    fn requested(self) -> Requested {
        let none = Requested::default();
        match self {
            Field::Index
            | Field::Source
            | Field::Line
            | Field::Id
            | Field::Rows
            | Field::Cols
            | Field::Board
            | Field::Goal
            | Field::Error => none,
            Field::Status | Field::Moves | Field::LowerBound | Field::Limit => Requested { path: true, ..none },
            Field::Path => Requested { path: true, canonical: true, ..none },
            Field::Solutions | Field::First | Field::Forced => Requested { path: true, path_count: true, ..none },
            Field::Manhattan | Field::LinearConflict => Requested { bounds: true, ..none },
            Field::ManhattanGap | Field::LinearConflictGap => Requested { path: true, bounds: true, ..none },
            Field::EstimatedNodes | Field::EstimatedMoves | Field::EstimatedBy | Field::EstimatedTimeUs => {
                Requested { estimate: true, ..none }
            }
            Field::DupOf | Field::ReflectionOf => Requested { digests: true, ..none },
        }
    }
}

/// The fields that are written, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fields(Vec<Field>);

impl Fields {
    /// These fields in this order.
    pub fn new(fields: impl IntoIterator<Item = Field>) -> Fields {
        Fields(fields.into_iter().collect())
    }

    /// What has to be found out to write them.
    pub fn requested(&self) -> Requested {
        self.0.iter().map(|field| field.requested()).fold(Requested::default(), |a, b| Requested {
            path: a.path || b.path,
            canonical: a.canonical || b.canonical,
            path_count: a.path_count || b.path_count,
            bounds: a.bounds || b.bounds,
            digests: a.digests || b.digests,
            most_moves: None,
            estimate: a.estimate || b.estimate,
        })
    }

    /// Appends a record: one JSON object and a line feed.
    pub fn write(&self, examined: &Examined<'_>, out: &mut Vec<u8>) {
        let mut line = Line(JsonObject::open(out));
        for &field in &self.0 {
            line.field(field, examined);
        }
        line.0.close_line();
    }
}

impl Default for Fields {
    fn default() -> Fields {
        Fields::new(Field::requested_by(Request::Default))
    }
}

/// A line that is being written.
struct Line<'a>(JsonObject<'a>);

impl Line<'_> {
    fn field(&mut self, field: Field, examined: &Examined<'_>) {
        let Examined { place, sources, facts, occurrence } = examined;
        let (object, key) = (&mut self.0, field.key());
        match field {
            Field::Index => object.number(key, facts.index),
            Field::Source => object.json(key, &json_string(&sources[place.source as usize])),
            Field::Line => object.number(key, facts.line),
            Field::Id => {
                if let Some(id) = &facts.id {
                    object.json(key, id);
                }
            }
            Field::Rows | Field::Cols | Field::Board | Field::Goal => self.puzzle(field, facts),
            Field::Status => object.word(key, facts.status.name().as_bytes()),
            Field::Error => {
                if let Status::Invalid(why) | Status::Failed(why) = &facts.status {
                    object.json(key, &json_string(why));
                }
            }
            Field::Manhattan => {
                facts.manhattan().into_iter().for_each(|bound| object.number(key, bound));
            }
            Field::LinearConflict => {
                facts.linear_conflict().into_iter().for_each(|bound| object.number(key, bound));
            }
            Field::ManhattanGap => self.gap(field, facts, facts.manhattan()),
            Field::LinearConflictGap => self.gap(field, facts, facts.linear_conflict()),
            Field::EstimatedNodes | Field::EstimatedMoves | Field::EstimatedBy | Field::EstimatedTimeUs => {
                self.estimate(field, facts.estimate.as_ref());
            }
            Field::DupOf => match occurrence {
                Some(Occurrence::DuplicateOf(first)) => object.number(key, first.index),
                Some(Occurrence::Unknown) => object.json(key, "null"),
                _ => {}
            },
            Field::ReflectionOf => {
                if let Some(Occurrence::ReflectionOf(first)) = occurrence {
                    object.number(key, first.index);
                }
            }
            Field::Moves
            | Field::Path
            | Field::Solutions
            | Field::First
            | Field::Forced
            | Field::Limit
            | Field::LowerBound => self.answer(field, &facts.status),
        }
    }

    fn estimate(&mut self, field: Field, estimate: Option<&Estimate>) {
        let (object, key, Some(estimate)) = (&mut self.0, field.key(), estimate) else { return };
        match (field, estimate) {
            (Field::EstimatedNodes, estimate) => {
                estimate.nodes().into_iter().for_each(|nodes| object.number(key, nodes));
            }
            (Field::EstimatedMoves, Estimate::Search(search)) => object.number(key, search.moves),
            (Field::EstimatedBy, Estimate::Search(search)) => object.json(key, &json_string(&search.heuristic)),
            (Field::EstimatedTimeUs, Estimate::Search(search)) => {
                object.number(key, u64::try_from(search.time.as_micros()).unwrap_or(u64::MAX));
            }
            _ => {}
        }
    }

    fn puzzle(&mut self, field: Field, facts: &Facts) {
        let Some((board, goal)) = &facts.puzzle else { return };
        let (object, key) = (&mut self.0, field.key());
        match field {
            Field::Rows => object.number(key, board.shape().rows() as u64),
            Field::Cols => object.number(key, board.shape().cols() as u64),
            Field::Board => object.board(key, board),
            _ => object.board(key, goal),
        }
    }

    fn gap(&mut self, field: Field, facts: &Facts, bound: Option<u64>) {
        if let (Status::Solved { path, .. }, Some(bound)) = (&facts.status, bound) {
            self.0.number(field.key(), (path.len() as u64).saturating_sub(bound));
        }
    }

    fn answer(&mut self, field: Field, status: &Status) {
        let (object, key) = (&mut self.0, field.key());
        let (path, paths) = match status {
            Status::Solved { path, shortest_paths } => (path, shortest_paths),
            &Status::Unsolved { lower_bound, limit } => {
                match field {
                    Field::Limit => object.word(key, limit.name().as_bytes()),
                    Field::LowerBound => object.number(key, lower_bound),
                    _ => {}
                }
                return;
            }
            _ => return,
        };
        let beginning = paths.as_ref().and_then(|paths| paths.beginning.as_ref());
        match (field, paths, beginning) {
            (Field::Moves, ..) => object.number(key, path.len() as u64),
            (Field::Path, ..) => object.word(key, path.letters()),
            (Field::Solutions, Some(ShortestPaths { count: PathCount::Exactly(paths), .. }), _) => {
                object.number(key, *paths);
            }
            (Field::Solutions, Some(ShortestPaths { count: PathCount::AtLeast(paths, _), .. }), _) => {
                object.number(&format!("\"{}\":", SOLUTIONS_AT_LEAST.name), *paths);
            }
            (Field::First, _, Some(beginning)) => {
                let letters: Vec<u8> = beginning.first_moves.iter().map(|step| step.letter()).collect();
                object.word(key, &letters);
            }
            (Field::Forced, _, Some(beginning)) => object.word(key, &path.letters()[..beginning.forced]),
            (Field::Limit, Some(ShortestPaths { count: PathCount::AtLeast(_, limit), .. }), _) => {
                object.word(key, limit.name().as_bytes());
            }
            _ => {}
        }
    }
}

impl Status {
    /// The word that is written for it.
    pub const fn name(&self) -> &'static str {
        match self {
            Status::Invalid(_) => "invalid",
            Status::Failed(_) => "error",
            Status::Unsolvable => "unsolvable",
            Status::Solvable => "solvable",
            Status::Unsolved { .. } => "unsolved",
            Status::Solved { .. } => "solved",
        }
    }
}
