//! Checks that every line has the fields that other lines have, where the table of fields requires
//! them.

use super::report::{ProblemPlace, Problems};
use super::shortest::MAX_TABLE_CELLS;
use crate::board::MAX_SEARCH_CELLS;
use crate::format::field_table::Presence;
use crate::format::fields::{Field, FieldSet};
use crate::format::input::Record;
use crate::format::output::has_states;
use crate::format::passthrough::RECORD_FIELDS;
use crate::format::result::ResultLine;
use crate::format::status::Status;

/// Returns the fields that a correct line must have, if other lines have them.
fn required(record: &Record, claim: &ResultLine<'_>, status: Status) -> FieldSet {
    let is_solved = status == Status::Solved;
    let board = record.puzzle.as_ref().ok().map(|puzzle| &puzzle.board);
    let cells = board.map_or(0, |board| board.shape().cells());
    let is_unproven = is_solved && claim.flag(Field::Optimal) == Some(false);
    let is_proven = is_solved && claim.flag(Field::Optimal).unwrap_or(cells <= MAX_SEARCH_CELLS);
    // In notations other than one letter per move, the text's length is not the number of moves.
    let letters = || claim.text(Field::Path).filter(|path| path.bytes().all(|byte| b"UDLRudlr".contains(&byte)));
    let moves = || claim.number(Field::Moves).map(|moves| moves as usize).or_else(|| letters().map(str::len));
    let is_counted = claim.has(Field::Solutions);
    // With `--pass all`, the fields in `RECORD_FIELDS` may be copies, which a result has only if
    // its record has them.
    let is_copied = RECORD_FIELDS.iter().any(|name| record.passthrough.keeps(name));
    FieldSet::of(|field| match field.row().presence {
        _ if is_copied && RECORD_FIELDS.contains(&field.name()) => false,
        Presence::Always => true,
        // If the program failed on a record, its id is not written.
        Presence::WithId => status != Status::Error && record.id.is_some(),
        Presence::Board => matches!(status, Status::Solved | Status::Unsolvable | Status::Unsolved),
        Presence::Solvable => matches!(status, Status::Solved | Status::Unsolved),
        Presence::Solved if field == Field::States => {
            is_solved && board.zip(moves()).is_some_and(|(board, moves)| has_states(board, moves))
        }
        Presence::Solved => is_solved,
        // For larger boards a limit may have suppressed the list.
        Presence::Counted if field == Field::Paths => is_counted && cells <= MAX_TABLE_CELLS,
        Presence::Counted => is_proven && !claim.has(Field::SolutionsAtLeast),
        Presence::FirstMovesKnown => is_counted,
        Presence::Limited => status == Status::Unsolved,
        Presence::Unproven => is_unproven,
        Presence::Bounded => status == Status::Unsolved || is_unproven,
        Presence::Faulty => matches!(status, Status::Invalid | Status::Error),
        Presence::ByEngine => is_solved && field != Field::Heuristic,
        Presence::SearchEstimated => claim.number(Field::EstimatedNodes).is_some_and(|nodes| nodes > 0),
        Presence::Uncounted | Presence::Deepened | Presence::Estimated | Presence::Repeated | Presence::Reflected => {
            false
        }
    })
}

/// The fields of all lines, and for each field the first line that lacks it.
pub struct FieldsOfLines {
    /// The fields that at least one line names.
    named: FieldSet,
    /// True if a line shows that the fields of the run were requested by name: a result that is
    /// proven shortest has `optimal` or `lower_bound`.
    is_by_name: bool,
    /// For each field, the first line that lacks it although it is required; `u64::MAX` if there is
    /// none. The first array is for fields required in any case, the second for those required if
    /// fields were requested by name.
    lacking: [[u64; Field::COUNT]; 2],
}

impl Default for FieldsOfLines {
    fn default() -> FieldsOfLines {
        FieldsOfLines { named: FieldSet::default(), is_by_name: false, lacking: [[u64::MAX; Field::COUNT]; 2] }
    }
}

impl FieldsOfLines {
    /// Adds a correct line.
    pub fn add(&mut self, line: u64, record: &Record, claim: &ResultLine<'_>) {
        let Ok(Some(status)) = claim.status() else { return };
        let needs_name = |field: Field| matches!(field.row().presence, Presence::Unproven | Presence::Bounded);
        let by_name = FieldSet::of(|field| status == Status::Solved && needs_name(field));
        self.named = self.named.union(claim.named());
        // By default only unproven results have `optimal` and `lower_bound`.
        self.is_by_name |= match claim.flag(Field::Optimal) {
            None => status == Status::Solved && claim.has(Field::LowerBound),
            Some(is_optimal) => is_optimal,
        };
        for (lacking, required) in self.lacking.iter_mut().zip([required(record, claim, status), by_name]) {
            for field in Field::ALL.into_iter().filter(|&field| required.contains(field) && !claim.has(field)) {
                lacking[field as usize] = lacking[field as usize].min(line);
            }
        }
    }

    /// Adds the lines of another block.
    pub fn merge(&mut self, other: &FieldsOfLines) {
        self.named = self.named.union(other.named);
        self.is_by_name |= other.is_by_name;
        for (line, other_line) in self.lacking.as_flattened_mut().iter_mut().zip(other.lacking.as_flattened()) {
            *line = (*line).min(*other_line);
        }
    }

    /// Adds a problem for each field that a line lacks.
    pub fn end(self, problems: &Problems) {
        let [always, by_name] = self.lacking;
        for field in Field::ALL.into_iter().filter(|&field| self.named.contains(field)) {
            let by_name = if self.is_by_name { by_name[field as usize] } else { u64::MAX };
            let line = always[field as usize].min(by_name);
            if line < u64::MAX {
                problems.add(ProblemPlace::Line(line), format!("lacks the field `{field}`, which other results have"));
            }
        }
    }
}
