//! Which fields must be on a line: those that other lines have, where the table says that a result has them.

use super::claim::Claim;
use super::report::{Doubts, Place};
use super::small::MOST_CELLS;
use crate::board::MAX_SEARCH_CELLS;
use crate::format::field_table::Presence;
use crate::format::fields::{Field, FieldSet};
use crate::format::input::Record;
use crate::format::output::has_states as write_states;
use crate::format::passing::OWN;
use crate::format::status::Status;

/// The fields that a line must have, if the results have them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Due {
    always: FieldSet,
    /// If the fields of the run were chosen by name.
    by_name: FieldSet,
}

impl Due {
    /// Returns those of a line that was found to be right.
    fn of(record: &Record, claim: &Claim<'_>, status: Status) -> Due {
        let is_solved = status == Status::Solved;
        // Of a record on which the program failed nothing else is written.
        let is_read = status != Status::Error;
        let has_id = is_read && record.id.is_some();
        let board = record.puzzle.as_ref().ok().map(|puzzle| &puzzle.board).filter(|_| is_read);
        let has_board = matches!(status, Status::Solved | Status::Unsolvable | Status::Unsolved);
        let is_solvable = matches!(status, Status::Solved | Status::Unsolved);
        let cells = board.map_or(0, |board| board.shape().cells());
        let is_unproven = is_solved && claim.flag(Field::Optimal) == Some(false);
        let is_proven = is_solved && claim.flag(Field::Optimal).unwrap_or(cells <= MAX_SEARCH_CELLS);
        let letters = || claim.text(Field::Path).map_or(0, str::len);
        let has_states = || board.is_some_and(|board| write_states(board, letters()));
        let counted = claim.has(Field::Solutions);
        // With `--pass all` these fields are copies, which are compared with the record.
        let is_copied = OWN.iter().any(|name| record.passed.keeps(name));
        let always = FieldSet::of(|field| match field.row().presence {
            _ if is_copied && OWN.contains(&field.name()) => false,
            Presence::Always => true,
            Presence::Named => has_id,
            Presence::Board => has_board,
            Presence::Solvable => is_solvable,
            Presence::Solved if field == Field::States => is_solved && has_states(),
            Presence::Solved => is_solved,
            // A limit may come before the end of a list of a larger board.
            Presence::Proven if field == Field::Paths => counted && cells <= MOST_CELLS,
            Presence::Proven => is_proven && !claim.has(Field::SolutionsAtLeast),
            Presence::Begun => counted,
            Presence::Limited => status == Status::Unsolved,
            Presence::Proof => is_unproven,
            Presence::Bounded => status == Status::Unsolved || is_unproven,
            Presence::Faulty => matches!(status, Status::Invalid | Status::Error),
            Presence::Searched => is_solved && field != Field::Heuristic,
            Presence::Sampled => claim.number(Field::EstimatedNodes).is_some_and(|nodes| nodes > 0),
            Presence::Uncounted
            | Presence::Deepened
            | Presence::Estimated
            | Presence::Repeated
            | Presence::Reflected => false,
        });
        let said_by_name = |presence| matches!(presence, Presence::Proof | Presence::Bounded);
        Due { always, by_name: FieldSet::of(|field| is_solved && said_by_name(field.row().presence)) }
    }
}

/// The fields of all lines, and the first line that lacks each.
pub struct FieldsOfLines {
    /// Those that lines name, and those of which they have a value.
    named: FieldSet,
    valued: FieldSet,
    is_by_name: bool,
    /// Of what is always due, and of what is due by name: the numbers of the lines, `u64::MAX` where none lacks it.
    lacking: [[u64; Field::COUNT]; 2],
}

impl Default for FieldsOfLines {
    fn default() -> FieldsOfLines {
        FieldsOfLines {
            named: FieldSet::default(),
            valued: FieldSet::default(),
            is_by_name: false,
            lacking: [[u64::MAX; Field::COUNT]; 2],
        }
    }
}

impl FieldsOfLines {
    /// Adds a line that was found to be right.
    pub fn add(&mut self, line: u64, record: &Record, claim: &Claim<'_>) {
        let Ok(Some(status)) = claim.verdict() else { return };
        let due = Due::of(record, claim, status);
        self.named = self.named.union(claim.named());
        self.valued = self.valued.union(FieldSet::of(|field| claim.has(field)));
        // Only by name a path that is proven is called so.
        let optimal = claim.flag(Field::Optimal);
        self.is_by_name |=
            optimal == Some(true) || optimal.is_none() && status == Status::Solved && claim.has(Field::LowerBound);
        for (lacking, due) in self.lacking.iter_mut().zip([due.always, due.by_name]) {
            for field in Field::ALL.into_iter().filter(|&field| due.contains(field) && !claim.has(field)) {
                lacking[field as usize] = lacking[field as usize].min(line);
            }
        }
    }

    /// Adds the lines of another block.
    pub fn merge(&mut self, other: &FieldsOfLines) {
        self.named = self.named.union(other.named);
        self.valued = self.valued.union(other.valued);
        self.is_by_name |= other.is_by_name;
        for (lacking, others) in self.lacking.as_flattened_mut().iter_mut().zip(other.lacking.as_flattened()) {
            *lacking = (*lacking).min(*others);
        }
    }

    /// Returns the fields of which lines have a value. Each that a line lacks is a doubt.
    pub fn end(self, doubts: &Doubts) -> FieldSet {
        let [always, by_name] = self.lacking;
        for field in Field::ALL.into_iter().filter(|&field| self.named.contains(field)) {
            let by_name = if self.is_by_name { by_name[field as usize] } else { u64::MAX };
            let line = always[field as usize].min(by_name);
            if line < u64::MAX {
                doubts.add(Place::Line(line), format!("lacks the field `{field}`, which the results have"));
            }
        }
        self.valued
    }
}
