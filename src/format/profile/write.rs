//! Results in a judge's own format.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::definition::{AnswerFormat, Requirement};
use super::template::{self, Part};
use crate::format::output::{Row, Verdict};
use crate::format::spelling::{Letters, PathOf, Spelling};

/// Warnings that are kept one by one; the rest are counted.
const MOST_WARNINGS: usize = 20;

/// Writes every record's answer by the templates of a profile.
///
/// What a judge's format has no words for – a record that is no board, a board that stayed unsolved –
/// is written as [`AnswerFormat::otherwise`] says, and kept as an [`AnswerWarning`], so that the user can be warned
/// in the order of the records.
#[derive(Debug)]
pub struct AnswerWriter {
    format: AnswerFormat,
    spelling: Spelling,
    solved: Vec<Part>,
    unsolvable: Option<Vec<Part>>,
    otherwise: Vec<Part>,
    warnings: Mutex<Warnings>,
}

#[derive(Debug, Default)]
struct Warnings {
    first: BTreeMap<u64, String>,
    more: u64,
}

/// Something that the format of the answers could not express.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnswerWarning {
    /// About one record.
    Record(String),
    /// This number of further ones, which were not kept.
    More(u64),
}

impl AnswerWriter {
    /// A writer of this format, in its own spelling or another.
    ///
    /// # Errors
    /// When a template of the table is none.
    pub fn new(format: AnswerFormat, letters: Option<Letters>, of: Option<PathOf>) -> Result<AnswerWriter, String> {
        Ok(AnswerWriter {
            format,
            spelling: format.spelling.with(letters, of),
            solved: template::parse(format.solved)?,
            unsolvable: format.unsolvable.map(template::parse).transpose()?,
            otherwise: template::parse(format.otherwise)?,
            warnings: Mutex::default(),
        })
    }

    /// Appends the answer to a record.
    pub fn write(&self, row: &Row<'_>, out: &mut Vec<u8>) {
        if row.index > 1 {
            out.extend_from_slice(self.format.between.as_bytes());
        }
        if let (Verdict::Solved(_), Some((board, _))) = (row.verdict, row.puzzle)
            && !self.spelling.suits(board.shape().cells())
        {
            self.warn(row, "its tiles cannot be told apart when they are written as one digit each");
            return self.otherwise.iter().for_each(|&part| self.write_part(part, row, out));
        }
        let solvable = |moves: usize| self.format.solvable_within.is_none_or(|most| moves <= most);
        let parts = match (&row.verdict, &self.unsolvable) {
            (Verdict::Solved(path), _) if solvable(path.len()) => {
                if let Requirement::AtMost(most) = self.format.requirement
                    && path.len() > most
                {
                    let needed = path.len();
                    self.warn(row, &format!("needs {needed} moves, more than the {most} that the judge allows"));
                }
                &self.solved
            }
            (Verdict::Solved(_) | Verdict::Unsolvable, Some(unsolvable)) => unsolvable,
            _ => {
                self.warn_of_status(row);
                &self.otherwise
            }
        };
        for &part in parts {
            self.write_part(part, row, out);
        }
    }

    fn write_part(&self, part: Part, row: &Row<'_>, out: &mut Vec<u8>) {
        let number = |number: u64, out: &mut Vec<u8>| {
            out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
        };
        match (part, row.verdict, row.puzzle) {
            (Part::Text(text), ..) => out.extend_from_slice(text.as_bytes()),
            (Part::Case, ..) => number(row.index, out),
            (Part::Status, verdict, _) => out.extend_from_slice(verdict.status().name().as_bytes()),
            (Part::Moves, Verdict::Solved(path), _) => number(path.len() as u64, out),
            (Part::Path, Verdict::Solved(path), Some((board, _))) => self.spelling.write(board, path, out),
            (Part::Lines, Verdict::Solved(path), Some((board, _))) => self.spelling.write_lines(board, path, out),
            (Part::Boards, Verdict::Solved(path), Some((board, _))) => self.format.listing.write(board, path, out),
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
            Verdict::Unsolvable | Verdict::Solved(_) => "unsolvable, for which the judge has no word".into(),
        };
        self.warn(row, &format!("{what}; '{}' is written in its place", row.verdict.status().name()));
    }

    #[cold]
    fn warn(&self, row: &Row<'_>, what: &str) {
        let source: String = serde_json::from_str(row.source).unwrap_or_else(|_| row.source.into());
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        warnings.first.insert(row.index, format!("{source}:{}: record {}: {what}", row.line, row.index));
        if warnings.first.len() > MOST_WARNINGS {
            warnings.first.pop_last();
            warnings.more += 1;
        }
    }

    /// The warnings since the last call, in the order of the records, in whatever order these were written.
    pub fn take_warnings(&self) -> Vec<AnswerWarning> {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        let Warnings { first, more } = std::mem::take(&mut *warnings);
        let more = (more > 0).then_some(AnswerWarning::More(more));
        first.into_values().map(AnswerWarning::Record).chain(more).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Goal, Path, Shape};
    use crate::format::profile::Profile;
    use crate::system::Limit;

    fn row<'a>(index: u64, verdict: Verdict<'a>, puzzle: Option<(&'a Board, &'a Board)>) -> Row<'a> {
        Row { index, source: "\"a.txt\"", line: index, id: None, puzzle, verdict, detail: None }
    }

    fn answers(name: &str) -> AnswerWriter {
        AnswerWriter::new(Profile::named(name).unwrap().answer.unwrap(), None, None).unwrap()
    }

    #[test]
    fn the_position_of_a_record_decides_what_stands_before_it() {
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
            [AnswerWarning::Record("a.txt:3: record 3: invalid: no; 'invalid' is written in its place".into())]
        );
        assert!(answers.take_warnings().is_empty());
    }

    #[test]
    fn warnings_come_in_order_and_are_bounded() {
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
        assert_eq!(warnings.len(), MOST_WARNINGS + 1);
        let first = |text: &str| AnswerWarning::Record(format!("a.txt:{text} is written in its place"));
        assert_eq!(warnings[0], first("1: record 1: oh; 'error'"));
        assert_eq!(warnings[1], first("2: record 2: unsolved (nodes limit; at least 7 moves); 'unsolved'"));
        assert_eq!(warnings[2], first("3: record 3: unsolvable, for which the judge has no word; 'unsolvable'"));
        assert_eq!(warnings[MOST_WARNINGS], AnswerWarning::More(30));
        assert!(String::from_utf8(out).unwrap().ends_with("Case 1: error\n\n"));
    }
}
