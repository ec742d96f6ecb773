//! Writes results in the format of a judge.

use std::collections::BTreeMap;

use parking_lot::Mutex;

use super::definition::{AnswerFormat, Requirement};
use super::template::{self, Part};
use crate::board::Board;
use crate::format::output::{Row, Verdict};
use crate::format::spelling::{MovingPiece, Notation, Spelling};
use crate::format::status::Status;

/// Maximum number of bytes of the path, or of the boards along it, in the answer for one record.
const MAX_ANSWER_BYTES: u64 = 1 << 30;

/// Maximum number of warnings that are kept: those about the first records. Further warnings are
/// only counted.
const MAX_WARNINGS: usize = 20;

/// A writer of the answer for every record, with the templates of a profile.
///
/// The judge's format cannot express some results, for example if the record is not a board or was
/// not solved. For these, the writer writes [`AnswerFormat::otherwise`] and keeps an
/// [`AnswerWarning`]. Warnings are returned in the order of the records.
#[derive(Debug)]
pub struct AnswerWriter {
    format: AnswerFormat,
    spelling: Spelling,
    solved: Vec<Part>,
    unsolvable: Option<Vec<Part>>,
    /// The answer for boards that need too many moves.
    too_long: Option<Vec<Part>>,
    otherwise: Vec<Part>,
    warnings: Mutex<Warnings>,
}

/// The warnings since they were last taken.
#[derive(Debug, Default)]
struct Warnings {
    /// By record: the warnings about the first records.
    first: BTreeMap<u64, String>,
    /// The number of further warnings.
    more: u64,
}

/// A warning about a result that the judge's format cannot express, or about a written path that
/// the judge may not accept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnswerWarning {
    /// A message about one record.
    Record(String),
    /// The number of further warnings that were not kept.
    More(u64),
}

impl AnswerWriter {
    /// Creates a writer of this format. `notation` and `piece` replace those of the format, if
    /// given.
    ///
    /// # Errors
    /// If a template is malformed.
    pub fn new(
        format: AnswerFormat,
        notation: Option<Notation>,
        piece: Option<MovingPiece>,
    ) -> Result<AnswerWriter, String> {
        Ok(AnswerWriter {
            format,
            spelling: format.spelling.with(notation, piece),
            solved: template::parse(format.solved)?,
            unsolvable: format.unsolvable.map(template::parse).transpose()?,
            too_long: format.too_long.or(format.unsolvable).map(template::parse).transpose()?,
            otherwise: template::parse(format.otherwise)?,
            warnings: Mutex::default(),
        })
    }

    /// Returns true if answers contain paths, or the boards along them.
    pub fn writes_paths(&self) -> bool {
        self.solved.iter().any(|part| matches!(part, Part::Path | Part::Lines | Part::Boards))
    }

    /// Appends the answer for a record.
    pub fn write(&self, row: &Row<'_>, out: &mut Vec<u8>) {
        if row.index > 1 {
            out.extend_from_slice(self.format.between.as_bytes());
        }
        if let Some(why) = self.rejection(row) {
            self.warn(row, &why);
            let status = AnswerWriter::status_of_rejected(row);
            return self.otherwise.iter().for_each(|&part| self.write_part(part, status, row, out));
        }
        let is_short_enough = |moves: usize| self.format.solvable_within.is_none_or(|max| moves <= max);
        let parts = match (row.verdict.path(), row.verdict, &self.unsolvable) {
            (Some(path), ..) => {
                let too_long = self.too_long.as_ref().filter(|_| !is_short_enough(path.len()));
                if too_long.is_none() {
                    self.warn_of_path(row, path.len());
                }
                too_long.unwrap_or(&self.solved)
            }
            (None, Verdict::Unsolvable, Some(unsolvable)) => unsolvable,
            _ => {
                self.warn_of_status(row);
                &self.otherwise
            }
        };
        for &part in parts {
            self.write_part(part, row.verdict.status().name(), row, out);
        }
    }

    fn write_part(&self, part: Part, status: &str, row: &Row<'_>, out: &mut Vec<u8>) {
        let number = |number: u64, out: &mut Vec<u8>| {
            out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
        };
        match (part, row.verdict.path(), row.puzzle) {
            (Part::Text(text), ..) => out.extend_from_slice(text.as_bytes()),
            (Part::Case, ..) => number(row.index, out),
            (Part::Status, ..) => out.extend_from_slice(status.as_bytes()),
            (Part::Moves, Some(path), _) => number(path.len() as u64, out),
            (Part::Path, Some(path), Some((board, _))) => self.spelling.write(board, path, out),
            (Part::Lines, Some(path), Some((board, _))) => self.spelling.write_lines(board, path, out),
            (Part::Boards, Some(path), Some((board, _))) => self.format.listing.write(board, path, out),
            // Only the template of solved boards has these parts.
            (Part::Moves | Part::Path | Part::Lines | Part::Boards, ..) => {}
        }
    }

    #[cold]
    fn warn_of_status(&self, row: &Row<'_>) {
        let what = match row.verdict {
            Verdict::Invalid(why) => format!("invalid: {why}"),
            Verdict::Failed(why) => why.to_string(),
            Verdict::Unsolved { lower_bound, limit } => {
                format!("unsolved ({} limit; at least {lower_bound} moves)", limit.name())
            }
            // Verdicts with a path have an answer; `Solvable` does not occur in a judge's format.
            Verdict::Unsolvable | Verdict::Solvable | Verdict::Solved(_) | Verdict::Found { .. } => {
                "unsolvable, for which the judge's format has no answer".into()
            }
        };
        self.warn(row, &format!("{what}; '{}' is written instead", row.verdict.status().name()));
    }

    /// Returns the status that is written instead of an answer that the judge's format cannot hold
    /// or that the judge would reject. It is `unsolved` even if a path was found.
    fn status_of_rejected(row: &Row<'_>) -> &'static str {
        match row.verdict {
            Verdict::Solved(_) | Verdict::Found { .. } => Status::Unsolved.name(),
            verdict => verdict.status().name(),
        }
    }

    /// Returns true if a path of `min_moves` moves, or the list of boards along it, is too large
    /// to be written.
    pub(crate) fn is_too_large(&self, board: &Board, min_moves: impl FnOnce() -> u64) -> bool {
        self.writes_paths() && self.bytes(board, min_moves()) > MAX_ANSWER_BYTES
    }

    /// Returns the maximum number of bytes that are written for a path of `moves` moves.
    fn bytes(&self, board: &Board, moves: u64) -> u64 {
        match self.solved.contains(&Part::Boards) {
            true => self.format.listing.bytes(board, moves),
            false => moves.saturating_mul(self.spelling.max_move_bytes() as u64 + 1),
        }
    }

    /// Returns the reason, if any, why the path that was found, or any path of the board, cannot be
    /// the answer.
    fn rejection(&self, row: &Row<'_>) -> Option<String> {
        if let (Verdict::Unsolved { lower_bound, .. }, Some((board, _))) = (row.verdict, row.puzzle)
            && self.is_too_large(board, || lower_bound)
        {
            let gibibytes = self.bytes(board, lower_bound).div_ceil(1 << 30);
            return Some(format!(
                "at least {lower_bound} moves take {gibibytes} GiB of text, more than the limit for one record; '{}' is \
                 written instead",
                AnswerWriter::status_of_rejected(row)
            ));
        }
        let (path, (board, _)) = (row.verdict.path()?, row.puzzle?);
        let (moves, instead) = (path.len(), format!("'{}' is written instead", AnswerWriter::status_of_rejected(row)));
        if !self.spelling.is_readable(board.shape().cells()) {
            return Some(format!("the tiles of its path are ambiguous when written as one digit each; {instead}"));
        }
        if self.is_too_large(board, || moves as u64) {
            let gibibytes = self.bytes(board, moves as u64).div_ceil(1 << 30);
            return Some(format!(
                "{moves} moves take {gibibytes} GiB of text, more than the limit for one record; {instead}"
            ));
        }
        // Listings are for human readers, who are warned that the path is not proven.
        if self.solved.contains(&Part::Boards) {
            return None;
        }
        let Verdict::Found { lower_bound, .. } = row.verdict else { return None };
        let is_accepted = match self.format.requirement {
            Requirement::AnyPath | Requirement::AtMost(_) => true,
            Requirement::Shortest => !row.verdict.is_unproven(),
            Requirement::Canonical => false,
        };
        // If the lower bound exceeds the judge's maximum, the board certainly needs too many moves.
        // If only the path exceeds it, a shorter one may exist.
        if self.format.solvable_within.is_some_and(|max| lower_bound > max as u64) {
            return None;
        }
        let is_decided = self.format.solvable_within.is_none_or(|max| moves <= max);
        (!(is_accepted && is_decided)).then(|| {
            let required = if row.verdict.is_unproven() { "a shortest one" } else { "the canonical one" };
            format!("the path of {moves} moves is not proven to be {required}; {instead}")
        })
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
        let source: String = serde_json::from_str(row.source).unwrap_or_else(|_| row.source.into());
        let mut warnings = self.warnings.lock();
        warnings.first.insert(row.index, format!("{source}:{}: record {}: {what}", row.line, row.index));
        if warnings.first.len() > MAX_WARNINGS {
            warnings.first.pop_last();
            warnings.more += 1;
        }
    }

    /// Returns the warnings since the last call, in the order of the records.
    pub fn take_warnings(&self) -> Vec<AnswerWarning> {
        let mut warnings = self.warnings.lock();
        let Warnings { first, more } = std::mem::take(&mut *warnings);
        let more = (more > 0).then_some(AnswerWarning::More(more));
        first.into_values().map(AnswerWarning::Record).chain(more).collect()
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
        AnswerWriter::new(Profile::named(name).unwrap().answer.unwrap(), None, None).unwrap()
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
        assert_eq!(
            warnings,
            [AnswerWarning::Record("a.txt:3: record 3: invalid: no; 'invalid' is written instead".into())]
        );
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
        let first = |text: &str| AnswerWarning::Record(format!("a.txt:{text} is written instead"));
        assert_eq!(warnings[0], first("1: record 1: oh; 'error'"));
        assert_eq!(warnings[1], first("2: record 2: unsolved (nodes limit; at least 7 moves); 'unsolved'"));
        assert_eq!(
            warnings[2],
            first("3: record 3: unsolvable, for which the judge's format has no answer; 'unsolvable'")
        );
        assert_eq!(warnings[MAX_WARNINGS], AnswerWarning::More(30));
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
        let [AnswerWarning::Record(warning)] = &answers.take_warnings()[..] else { panic!("one warning") };
        assert!(warning.contains("40000 moves take 2 GiB of text"), "{warning}");
    }
}
