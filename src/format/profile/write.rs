//! Writes results in the format of a judge.

use std::collections::BTreeMap;

use parking_lot::Mutex;

use super::definition::{AnswerFormat, Requirement};
use super::template::{self, Template};
use crate::board::Board;
use crate::format::output::{Row, Verdict, append_number};
use crate::format::status::Status;
use crate::format::text::id_text;

/// Maximum number of bytes of the path, or of the boards along it, in the answer for one record.
const MAX_ANSWER_BYTES: u64 = 1 << 30;

/// Maximum number of warnings that are kept: those about the first records. Further warnings are
/// only counted.
const MAX_WARNINGS: usize = 20;

/// A writer of the answer for every record, with the templates of a profile.
///
/// The judge's format cannot express some results, for example if the record is not a board or was
/// not solved. For these, the writer writes [`AnswerFormat::otherwise`] and keeps a warning. It
/// also keeps a warning about a written path that the judge may not accept.
#[derive(Debug)]
pub struct AnswerWriter {
    /// The format of the answers.
    pub format: AnswerFormat,
    warnings: Mutex<Warnings>,
}

/// The warnings since they were last taken.
#[derive(Debug, Default)]
struct Warnings {
    /// The warnings about the first records, by the number of the record.
    first: BTreeMap<u64, String>,
    /// The number of further warnings.
    more: u64,
}

impl AnswerWriter {
    /// Creates a writer of this format.
    pub fn new(format: AnswerFormat) -> AnswerWriter {
        AnswerWriter { format, warnings: Mutex::default() }
    }

    /// Appends the answer for a record.
    pub fn write(&self, row: &Row<'_>, out: &mut Vec<u8>) {
        if row.index > 1 {
            out.extend_from_slice(self.format.between.as_bytes());
        }
        // The status is written only if the result has no answer. If a path was found, but is not
        // an answer, the record counts as unsolved.
        let status = if row.verdict.path().is_some() { Status::Unsolved } else { row.verdict.status() }.name();
        let template = self.answer(row).unwrap_or_else(|why| {
            self.warn(row, &format!("{why}; '{status}' is written instead"));
            self.format.otherwise
        });
        for part in template.parts {
            self.write_part(*part, status, row, out);
        }
    }

    fn write_part(&self, part: template::Part, status: &str, row: &Row<'_>, out: &mut Vec<u8>) {
        match (part, row.verdict.path(), row.puzzle) {
            (template::Part::Text(text), ..) => out.extend_from_slice(text.as_bytes()),
            (template::Part::Case, ..) => append_number(row.index, out),
            (template::Part::Status, ..) => out.extend_from_slice(status.as_bytes()),
            (template::Part::Moves, Some(path), _) => append_number(path.len() as u64, out),
            (template::Part::Path, Some(path), Some((board, _))) => self.format.spelling.write(board, path, out),
            (template::Part::Lines, Some(path), Some((board, _))) => self.format.spelling.write_lines(board, path, out),
            (template::Part::Boards, Some(path), Some((board, _))) => self.format.listing.write(board, path, out),
            // Only the template of solved boards has these parts, and then there is a path.
            (template::Part::Moves | template::Part::Path | template::Part::Lines | template::Part::Boards, ..) => {}
        }
    }

    /// Returns true if a path of `min_moves` moves, or the list of boards along it, is too large
    /// to be written.
    pub(crate) fn is_too_large(&self, board: &Board, min_moves: impl FnOnce() -> u64) -> bool {
        self.format.has_paths() && self.bytes(board, min_moves()) > MAX_ANSWER_BYTES
    }

    /// Returns the maximum number of bytes that are written for a path of `moves` moves.
    fn bytes(&self, board: &Board, moves: u64) -> u64 {
        match self.format.lists_boards() {
            true => self.format.listing.bytes(board, moves),
            false => moves.saturating_mul(self.format.spelling.max_move_bytes() as u64 + 1),
        }
    }

    /// Returns the template of the answer.
    ///
    /// # Errors
    /// The reason why the judge's format has no answer for this result, or why the judge might
    /// reject the answer.
    fn answer(&self, row: &Row<'_>) -> Result<Template, String> {
        let board = row.puzzle.map(|(board, _)| board);
        match row.verdict {
            Verdict::Invalid(why) => Err(format!("invalid: {why}")),
            Verdict::Failed(why) => Err(why.into()),
            // With a judge's format, solutions are always requested, so `Solvable` does not occur.
            Verdict::Unsolvable | Verdict::Solvable => {
                self.format.unsolvable.ok_or_else(|| "unsolvable, for which the judge's format has no answer".into())
            }
            Verdict::Unsolved { lower_bound, limit } => {
                self.check_size(board, "at least ", lower_bound)?;
                Err(format!("unsolved ({} limit; at least {lower_bound} moves)", limit.name()))
            }
            Verdict::Solved(path) | Verdict::Found { path, .. } => {
                if board.is_some_and(|board| !self.format.spelling.is_readable(board.shape().cells())) {
                    return Err("the tiles of its path are ambiguous when written as one digit each".into());
                }
                let moves = path.len();
                self.check_size(board, "", moves as u64)?;
                self.check_proof(row.verdict, moves)?;
                let too_long = self.format.too_long.or(self.format.unsolvable);
                if let Some(too_long) = too_long.filter(|_| self.format.solvable_within.is_some_and(|max| moves > max))
                {
                    return Ok(too_long);
                }
                self.warn_of_path(row, moves);
                Ok(self.format.solved)
            }
        }
    }

    /// Checks that a path of `moves` moves can be written. `at_least` precedes the number in the
    /// message.
    fn check_size(&self, board: Option<&Board>, at_least: &str, moves: u64) -> Result<(), String> {
        match board.filter(|board| self.is_too_large(board, || moves)) {
            None => Ok(()),
            Some(board) => {
                let gibibytes = self.bytes(board, moves).div_ceil(1 << 30);
                Err(format!("{at_least}{moves} moves take {gibibytes} GiB of text, more than the limit for one record"))
            }
        }
    }

    /// Checks that a path of `moves` moves is proven to be what the judge requires.
    fn check_proof(&self, verdict: Verdict<'_>, moves: usize) -> Result<(), String> {
        let Verdict::Found { lower_bound, .. } = verdict else { return Ok(()) };
        // Listings are for human readers, who are warned that the path is not proven shortest.
        if self.format.lists_boards() {
            return Ok(());
        }
        let is_accepted = match self.format.requirement {
            Requirement::AnyPath | Requirement::AtMost(_) => true,
            Requirement::Shortest => !verdict.is_unproven(),
            Requirement::Canonical => false,
        };
        // If the lower bound exceeds the judge's maximum, the board certainly needs too many moves.
        // If only the path exceeds the maximum, a shorter path may exist.
        let needs_too_many = self.format.solvable_within.is_some_and(|max| lower_bound > max as u64);
        let is_decided = self.format.solvable_within.is_none_or(|max| moves <= max);
        if needs_too_many || is_accepted && is_decided {
            return Ok(());
        }
        let required = if verdict.is_unproven() { "a shortest one" } else { "the canonical one" };
        Err(format!("the path of {moves} moves is not proven to be {required}"))
    }

    /// Warns about a written path that the judge may not accept.
    fn warn_of_path(&self, row: &Row<'_>, moves: usize) {
        match (self.format.requirement, row.verdict) {
            (Requirement::AtMost(max), Verdict::Found { .. }) if moves > max => {
                self.warn(row, &format!("the path has {moves} moves, more than the {max} that the judge allows"));
            }
            (Requirement::AtMost(max), _) if moves > max => {
                self.warn(row, &format!("needs {moves} moves, more than the {max} that the judge allows"));
            }
            (Requirement::Shortest | Requirement::Canonical, Verdict::Found { lower_bound, .. })
                if row.verdict.is_unproven() =>
            {
                let why = format!("its {moves} moves are not proven optimal: the lower bound is {lower_bound}");
                self.warn(row, &why);
            }
            _ => {}
        }
    }

    #[cold]
    fn warn(&self, row: &Row<'_>, what: &str) {
        let source = id_text(row.source);
        let mut warnings = self.warnings.lock();
        warnings.first.insert(row.index, format!("{source}:{}: record {}: {what}", row.line, row.index));
        if warnings.first.len() > MAX_WARNINGS {
            warnings.first.pop_last();
            warnings.more += 1;
        }
    }

    /// Returns the warnings since the last call, in the order of the records.
    pub fn take_warnings(&self) -> Vec<String> {
        let Warnings { first, more } = std::mem::take(&mut *self.warnings.lock());
        let more = (more > 0).then(|| format!("and {more} more"));
        first.into_values().chain(more).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Goal, Path, Shape};
    use crate::format::profile::Profile;
    use crate::system::Limit;

    fn row<'a>(index: u64, verdict: Verdict<'a>, puzzle: Option<(&'a Board, &'a Board)>) -> Row<'a> {
        Row { puzzle, ..Row::bare(index, "\"a.txt\"", index, verdict) }
    }

    fn answers(name: &str) -> AnswerWriter {
        AnswerWriter::new(Profile::named(name).unwrap().answer.unwrap())
    }

    #[test]
    fn the_separator_precedes_every_answer_except_the_first() {
        let (answers, mut out) = (answers("uva652"), Vec::new());
        let goal = Goal::BlankLast.on(Shape::new(3, 3).unwrap()).unwrap();
        let path: Path = "D".parse().unwrap();
        let solved = Verdict::Solved(&path);
        answers.write(&row(1, solved, Some((&goal, &goal))), &mut out);
        answers.write(&row(2, Verdict::Unsolvable, Some((&goal, &goal))), &mut out);
        answers.write(&row(3, Verdict::Invalid("no"), None), &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), "d\n\nunsolvable\n\ninvalid\n");
        let warnings = answers.take_warnings();
        assert_eq!(warnings, ["a.txt:3: record 3: invalid: no; 'invalid' is written instead"]);
        assert!(answers.take_warnings().is_empty());
    }

    #[test]
    fn warnings_are_ordered_and_bounded() {
        let (answers, mut out) = (answers("hdu3567"), Vec::new());
        for index in (1..=50).rev() {
            let verdict = match index % 3 {
                0 => Verdict::Unsolvable,
                1 => Verdict::Failed("oh"),
                _ => Verdict::Unsolved { lower_bound: 7, limit: Limit::Nodes },
            };
            answers.write(&row(index, verdict, None), &mut out);
        }
        let warnings = answers.take_warnings();
        assert_eq!(warnings.len(), MAX_WARNINGS + 1);
        let first = |text: &str| format!("a.txt:{text} is written instead");
        assert_eq!(warnings[0], first("1: record 1: oh; 'error'"));
        assert_eq!(warnings[1], first("2: record 2: unsolved (nodes limit; at least 7 moves); 'unsolved'"));
        assert_eq!(
            warnings[2],
            first("3: record 3: unsolvable, for which the judge's format has no answer; 'unsolvable'")
        );
        assert_eq!(warnings[MAX_WARNINGS], "and 30 more");
        assert!(String::from_utf8(out).unwrap().ends_with("Case 1: error\n\n"));
    }

    /// A path that is not proven shortest is an answer if the judge accepts any path. A listing of
    /// such a path causes a warning.
    #[test]
    fn unproven_paths_are_answers_if_any_path_is_accepted() {
        let goal = Goal::BlankLast.on(Shape::new(3, 3).unwrap()).unwrap();
        let board = goal.after(crate::board::Move::Up).unwrap();
        let (path, long): (Path, Path) = ("DUD".parse().unwrap(), "DU".repeat(20).parse::<Path>().unwrap());
        let written = |name: &str, path, lower_bound| {
            let (answers, mut out) = (answers(name), Vec::new());
            let verdict = Verdict::Found { path, lower_bound, limit: None };
            answers.write(&row(1, verdict, Some((&board, &goal))), &mut out);
            (String::from_utf8(out).unwrap(), answers.take_warnings().len())
        };
        assert_eq!(written("poj1077", &path, 1), ("dud\n".into(), 0));
        assert_eq!(written("acwing179", &path, 1), ("unsolved\n".into(), 1));
        assert_eq!(written("acwing179", &path, 3), ("dud\n".into(), 0));
        assert_eq!(written("boj1525", &path, 1), ("unsolved\n".into(), 1));
        // Proven shortest, but not proven to be the first of all shortest paths.
        assert!(written("hdu3567", &path, 3).0.contains("unsolved"));
        let (text, warnings) = written("princeton", &path, 1);
        assert!(text.starts_with("Minimum number of moves = 3") && warnings == 1, "{text}");
        assert_eq!(written("princeton", &path, 3).1, 0);
        // Only a lower bound proves that a board needs more moves than allowed.
        assert!(written("lightoj15", &long, 36).0.contains("not solvable"));
        assert!(written("lightoj15", &long, 30).0.contains("unsolved"));
    }

    #[test]
    fn listings_are_limited() {
        let goal = Goal::BlankLast.on(Shape::new(100, 100).unwrap()).unwrap();
        let (short, long): (Path, Path) = ("UD".parse().unwrap(), "UD".repeat(20_000).parse::<Path>().unwrap());
        let (answers, mut out) = (answers("princeton"), Vec::new());
        let mut bytes = Vec::new();
        answers.format.listing.write(&goal, &short, &mut bytes);
        assert_eq!(answers.format.listing.bytes(&goal, short.len() as u64), bytes.len() as u64);
        let verdict = Verdict::Found { path: &long, lower_bound: 0, limit: None };
        answers.write(&row(1, verdict, Some((&goal, &goal))), &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), "unsolved\n");
        let [warning] = &answers.take_warnings()[..] else { panic!("one warning") };
        assert!(warning.contains("40000 moves take 2 GiB of text"), "{warning}");
    }
}
