//! Results in a judge's own format.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::template::{self, Part};
use super::{AnswerFormat, Asks};
use crate::format::output::{Row, Verdict};
use crate::format::spelling::{Letters, PathOf, Spelling};

/// Complaints that are kept to be told; the rest are counted.
const MOST_TOLD: usize = 20;

/// Writes every record's answer by the templates of a profile.
///
/// What a judge's format has no words for – a record that is no board, a board that stayed unsolved –
/// is written as [`AnswerFormat::otherwise`] says, and remembered as a [`Complaint`], so that whoever
/// runs the program can tell people of it in the order of the records.
#[derive(Debug)]
pub struct Answers {
    format: AnswerFormat,
    spelling: Spelling,
    solved: Vec<Part>,
    unsolvable: Option<Vec<Part>>,
    otherwise: Vec<Part>,
    complaints: Mutex<Complaints>,
}

#[derive(Debug, Default)]
struct Complaints {
    first: BTreeMap<u64, String>,
    more: u64,
}

/// Something that people should know about a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Complaint {
    /// About one record.
    Record(String),
    /// So many more that are not told one by one.
    More(u64),
}

impl Answers {
    /// A writer of this format, in its own spelling or another.
    ///
    /// # Errors
    /// When a template of the table is none.
    pub fn new(format: AnswerFormat, letters: Option<Letters>, of: Option<PathOf>) -> Result<Answers, String> {
        Ok(Answers {
            format,
            spelling: format.spelling.with(letters, of),
            solved: template::parse(format.solved)?,
            unsolvable: format.unsolvable.map(template::parse).transpose()?,
            otherwise: template::parse(format.otherwise)?,
            complaints: Mutex::default(),
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
            self.complain(row, "its tiles cannot be told apart when they are written as one digit each");
            return self.otherwise.iter().for_each(|&part| self.write_part(part, row, out));
        }
        let solvable = |moves: usize| self.format.solvable_within.is_none_or(|most| moves <= most);
        let parts = match (&row.verdict, &self.unsolvable) {
            (Verdict::Solved(path), _) if solvable(path.len()) => {
                if let Asks::AtMost(most) = self.format.asks
                    && path.len() > most
                {
                    let needed = path.len();
                    self.complain(row, &format!("needs {needed} moves, more than the {most} that the judge allows"));
                }
                &self.solved
            }
            (Verdict::Solved(_) | Verdict::Unsolvable, Some(unsolvable)) => unsolvable,
            _ => {
                self.complain_of_status(row);
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
            (Part::Status, verdict, _) => out.extend_from_slice(verdict.status().as_bytes()),
            (Part::Moves, Verdict::Solved(path), _) => number(path.len() as u64, out),
            (Part::Path, Verdict::Solved(path), Some((board, _))) => self.spelling.write(board, path, out),
            (Part::Lines, Verdict::Solved(path), Some((board, _))) => self.spelling.write_lines(board, path, out),
            (Part::Boards, Verdict::Solved(path), Some((board, _))) => self.format.listing.write(board, path, out),
            // Only the template of solved boards has these parts.
            (Part::Moves | Part::Path | Part::Lines | Part::Boards, ..) => {}
        }
    }

    #[cold]
    fn complain_of_status(&self, row: &Row<'_>) {
        let what = match row.verdict {
            Verdict::Invalid(why) => format!("invalid: {why}"),
            Verdict::Failed(why) => why.to_string(),
            Verdict::Unsolved { lower_bound, limit } => {
                format!("unsolved ({} limit; at least {lower_bound} moves)", limit.name())
            }
            Verdict::Unsolvable | Verdict::Solved(_) => "unsolvable, for which the judge has no word".into(),
        };
        self.complain(row, &format!("{what}; '{}' is written in its place", row.verdict.status()));
    }

    #[cold]
    fn complain(&self, row: &Row<'_>, what: &str) {
        let source: String = serde_json::from_str(row.source).unwrap_or_else(|_| row.source.into());
        let mut complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        complaints.first.insert(row.index, format!("{source}:{}: record {}: {what}", row.line, row.index));
        if complaints.first.len() > MOST_TOLD {
            complaints.first.pop_last();
            complaints.more += 1;
        }
    }

    /// What there is to tell, in the order of the records, whatever the order in which they came; told once.
    pub fn take_complaints(&self) -> Vec<Complaint> {
        let mut complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        let Complaints { first, more } = std::mem::take(&mut *complaints);
        let more = (more > 0).then_some(Complaint::More(more));
        first.into_values().map(Complaint::Record).chain(more).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, GoalSpec, Path, Shape};
    use crate::engine::Limit;
    use crate::format::profile::Profile;

    fn row<'a>(index: u64, verdict: Verdict<'a>, puzzle: Option<(&'a Board, &'a Board)>) -> Row<'a> {
        Row { index, source: "\"a.txt\"", line: index, id: None, puzzle, verdict, detail: None }
    }

    fn answers(name: &str) -> Answers {
        Answers::new(Profile::named(name).unwrap().answer.unwrap(), None, None).unwrap()
    }

    #[test]
    fn the_position_of_a_record_decides_what_stands_before_it() {
        let (answers, mut out) = (answers("uva652"), Vec::new());
        let goal = GoalSpec::BlankLast.on(Shape::new(3, 3).unwrap()).unwrap();
        let path: Path = "D".parse().unwrap();
        let solved = Verdict::Solved(&path);
        answers.write(&row(1, solved, Some((&goal, &goal))), &mut out);
        answers.write(&row(2, Verdict::Unsolvable, Some((&goal, &goal))), &mut out);
        answers.write(&row(3, Verdict::Invalid("no"), None), &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), "d\n\nunsolvable\n\ninvalid\n");
        let told = answers.take_complaints();
        assert_eq!(
            told,
            [Complaint::Record("a.txt:3: record 3: invalid: no; 'invalid' is written in its place".into())]
        );
        assert!(answers.take_complaints().is_empty());
    }

    #[test]
    fn complaints_come_in_order_and_are_bounded() {
        let (answers, mut out) = (answers("hdu3567"), Vec::new());
        for index in (1..=50).rev() {
            let verdict = match index % 3 {
                0 => Verdict::Unsolvable,
                1 => Verdict::Failed("oh"),
                _ => Verdict::Unsolved { lower_bound: 7, limit: Limit::Nodes },
            };
            answers.write(&row(index, verdict, None), &mut out);
        }
        let told = answers.take_complaints();
        assert_eq!(told.len(), MOST_TOLD + 1);
        let first = |text: &str| Complaint::Record(format!("a.txt:{text} is written in its place"));
        assert_eq!(told[0], first("1: record 1: oh; 'error'"));
        assert_eq!(told[1], first("2: record 2: unsolved (nodes limit; at least 7 moves); 'unsolved'"));
        assert_eq!(told[2], first("3: record 3: unsolvable, for which the judge has no word; 'unsolvable'"));
        assert_eq!(told[MOST_TOLD], Complaint::More(30));
        assert!(String::from_utf8(out).unwrap().ends_with("Case 1: error\n\n"));
    }
}
