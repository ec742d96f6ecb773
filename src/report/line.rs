//! A line of results, as far as a report needs it.
//!
//! Read loosely where `verify` reads strictly: fields that are not known are passed over, so that a report can be made of the
//! results of later versions. What is known must make sense together: a path that does not lead to its goal, or is not as
//! long as is said, makes the line no result; so do more moves than any board of the shape needs, where that is known.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::distribution::{Blank, Exact};
use super::text::shown;
use crate::board::{Board, GoalSpec, Move, Path, Shape, Tile};
use crate::format::spelling::{Letters, Misspelled, Spelling};
use crate::verify;

/// What results may leave unsaid.
#[derive(Clone, Debug, Default)]
pub struct Unsaid {
    /// The shape of boards whose results do not tell it.
    pub shape: Option<Shape>,
    /// The goal of boards whose results do not tell it.
    pub goal: GoalSpec,
    /// How paths are spelled.
    pub spelling: Spelling,
}

/// A result.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its number, source, line and id, as they are shown.
    pub place: Place,
    pub verdict: Verdict,
    /// Shape and goal, where they are known.
    pub ground: Option<Ground>,
    pub nodes: Option<u64>,
    pub time_us: Option<u64>,
}

/// Where a result is from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub index: Option<u64>,
    pub source: Option<String>,
    pub line: Option<u64>,
    pub id: Option<String>,
}

/// What a board is solved on.
#[derive(Clone, Debug)]
pub struct Ground {
    pub goal: Board,
}

#[derive(Clone, Debug)]
pub enum Verdict {
    Solved {
        moves: u64,
        solution: Option<Solution>,
    },
    Unsolvable,
    Unsolved {
        limit: String,
    },
    Invalid {
        error: String,
    },
    /// The program failed on the record.
    Error {
        error: String,
    },
}

/// A board and a path that was replayed.
#[derive(Clone, Debug)]
pub struct Solution {
    pub board: Board,
    pub path: Path,
}

#[derive(Deserialize)]
struct Fields<'a> {
    index: Option<u64>,
    #[serde(borrow)]
    source: Option<Text<'a>>,
    line: Option<u64>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    rows: Option<u64>,
    cols: Option<u64>,
    board: Option<Vec<u64>>,
    goal: Option<Vec<u64>>,
    #[serde(borrow)]
    status: Option<Text<'a>>,
    moves: Option<u64>,
    #[serde(borrow)]
    path: Option<Text<'a>>,
    #[serde(borrow)]
    limit: Option<Text<'a>>,
    #[serde(borrow)]
    error: Option<Text<'a>>,
    nodes: Option<u64>,
    time_us: Option<u64>,
}

#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// The most characters that are kept of a source, an id, an error.
const LONGEST: usize = 120;

impl Entry {
    /// The result that a line holds.
    ///
    /// # Errors
    /// Why it holds none.
    pub fn read(line: &[u8], unsaid: &Unsaid) -> Result<Entry, String> {
        // An array of values in the order of the fields would be taken as well.
        if line.trim_ascii_start().first() != Some(&b'{') {
            return Err("is no result: it is no JSON object".into());
        }
        let fields: Fields<'_> = serde_json::from_slice(line).map_err(|error| format!("is no result: {error}"))?;
        let kept = |text: &Option<Text<'_>>| text.as_ref().map_or_else(String::new, |text| shown(&text.0, LONGEST));
        let ground = fields.ground(unsaid)?;
        let verdict = match fields.status.as_ref().map(|status| &*status.0) {
            Some("solved") => fields.solved(ground.as_ref(), unsaid.spelling)?,
            None if fields.path.is_some() => fields.solved(ground.as_ref(), unsaid.spelling)?,
            Some("unsolvable") => Verdict::Unsolvable,
            Some("unsolved") => Verdict::Unsolved { limit: kept(&fields.limit) },
            Some("invalid") => Verdict::Invalid { error: kept(&fields.error) },
            Some("error") => Verdict::Error { error: kept(&fields.error) },
            Some(other) => return Err(format!("is no result: there is no status '{}'", shown(other, 20))),
            None => return Err("is no result: it has neither status nor path".into()),
        };
        let place = Place {
            index: fields.index,
            source: fields.source.map(|source| shown(&source.0, LONGEST)),
            line: fields.line,
            id: fields
                .id
                .map(|id| shown(&serde_json::from_str::<Text>(id.get()).map_or(id.get().into(), |id| id.0), 40)),
        };
        Ok(Entry { place, verdict, ground, nodes: fields.nodes, time_us: fields.time_us })
    }
}

impl Fields<'_> {
    fn ground(&self, unsaid: &Unsaid) -> Result<Option<Ground>, String> {
        let side = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let shape = match (self.rows, self.cols) {
            (Some(rows), Some(cols)) => {
                Some(Shape::new(side(rows), side(cols)).ok_or_else(|| format!("tells of a board of {rows} x {cols}"))?)
            }
            _ => unsaid.shape,
        };
        let Some(shape) = shape else { return Ok(None) };
        let goal = match &self.goal {
            Some(labels) => board(shape, labels).map_err(|why| format!("tells of a goal that is none: {why}"))?,
            None => unsaid.goal.on(shape).map_err(|why| format!("has another shape than the goal: {why}"))?,
        };
        Ok(Some(Ground { goal }))
    }

    fn solved(&self, ground: Option<&Ground>, spelling: Spelling) -> Result<Verdict, String> {
        let solution = match (ground, &self.path) {
            (Some(ground), Some(path)) => self.solution(&ground.goal, path.0.as_bytes(), spelling)?,
            _ => None,
        };
        let counted = match (&solution, &self.path) {
            (Some(solution), _) => Some(solution.path.len() as u64),
            // Without a board that is as far as a path can be read.
            (None, Some(path)) => {
                let counted = spelling.count(path.0.as_bytes()).map_err(misspelled)?;
                counted.map(|moves| moves as u64)
            }
            (None, None) => None,
        };
        let moves = match (self.moves, counted) {
            (Some(told), Some(found)) if told != found => {
                return Err(format!("tells of {told} moves, and the path has {found}"));
            }
            (told, found) => told.or(found),
        };
        let moves = moves.ok_or("is solved, and tells neither moves nor a path that can be counted")?;
        let greatest = ground.and_then(|ground| {
            let shape = ground.goal.shape();
            Some((shape, Exact::greatest(shape, Blank::of(&ground.goal))?))
        });
        match greatest {
            Some((shape, most)) if moves > most => {
                let hint = self.hint();
                Err(format!("tells of {moves} moves, and no {shape} board needs more than {most}{hint}"))
            }
            _ => Ok(Verdict::Solved { moves, solution }),
        }
    }

    /// The results may be of another goal, which they do not tell.
    fn hint(&self) -> &'static str {
        if self.goal.is_none() { " (the results tell no goal: --goal?)" } else { "" }
    }

    /// The board and its path, replayed. A board that is not told is where the path undone from the goal leads.
    fn solution(&self, goal: &Board, text: &[u8], spelling: Spelling) -> Result<Option<Solution>, String> {
        let wrong = |why: String| format!("has a path that is none: {why}");
        let told = self.board.as_ref().map(|labels| board(goal.shape(), labels)).transpose();
        let told = told.map_err(|why| format!("tells of a board that is none: {why}"))?;
        if told.is_none() && spelling.letters == Letters::Tiles {
            return Ok(None);
        }
        let mut letters = Vec::new();
        spelling.read(told.as_ref().unwrap_or(goal), text, &mut letters).map_err(misspelled)?;
        let letters = String::from_utf8_lossy(&letters);
        let path: Path = letters.parse().map_err(wrong)?;
        let board = match told {
            Some(board) => board,
            None => undone(goal, &path).ok_or_else(|| wrong("it leaves the board".into()))?,
        };
        let hint = self.hint();
        verify::replay(&board, goal, path.letters()).map_err(|fault| wrong(format!("{fault}{hint}")))?;
        Ok(Some(Solution { board, path }))
    }
}

fn misspelled(why: Misspelled) -> String {
    format!("has a path that is none: {why}")
}

/// The board from which a path leads to the goal.
fn undone(goal: &Board, path: &Path) -> Option<Board> {
    path.moves().rev().map(Move::inverse).try_fold(goal.clone(), |board, step| board.after(step))
}

fn board(shape: Shape, labels: &[u64]) -> Result<Board, String> {
    let tile = |&label: &u64| usize::try_from(label).ok().and_then(Tile::try_new).ok_or("a tile is out of range");
    let tiles: Vec<Tile> = labels.iter().map(tile).collect::<Result<_, _>>()?;
    Board::new(shape, &tiles).map_err(|why| why.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::spelling::PathOf;

    fn unsaid(shape: &str) -> Unsaid {
        Unsaid { shape: Some(shape.parse().unwrap()), ..Unsaid::default() }
    }

    fn solution(line: &str, unsaid: &Unsaid) -> Option<String> {
        match Entry::read(line.as_bytes(), unsaid).unwrap().verdict {
            Verdict::Solved { solution, .. } => {
                solution.map(|solution| format!("{} {}", solution.board, solution.path))
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_board_is_told_or_found_by_undoing_the_path() {
        let whole = r#"{"rows":2,"cols":3,"board":[1,0,2,4,5,3],"goal":[1,2,3,4,5,0],"status":"solved","path":"RD"}"#;
        let found = Some("1 0 2/4 5 3 RD".to_string());
        assert_eq!(solution(whole, &Unsaid::default()), found);
        assert_eq!(solution(r#"{"path":"RD"}"#, &unsaid("2x3")), found);
        assert_eq!(solution(r#"{"path":"RD"}"#, &Unsaid::default()), None);
        let spelled = |letters, of| Unsaid { spelling: Spelling::new(letters, of), ..unsaid("2x3") };
        assert_eq!(solution(r#"{"path":"LEFT UP"}"#, &spelled(Letters::Words, PathOf::Tile)), found);
        let tiles = spelled(Letters::Tiles, PathOf::Blank);
        assert_eq!(solution(&whole.replace("RD", "2 3"), &tiles), found);
        assert_eq!(solution(r#"{"path":"2 3","moves":2}"#, &tiles), None);
    }

    #[test]
    fn what_contradicts_itself_is_no_result() {
        let wrong = [
            r#"{"status":"solved"}"#,
            r#"{"status":"solved","path":"RD","moves":3}"#,
            r#"{"status":"solved","path":"UU"}"#,
            r#"{"status":"solved","path":"X"}"#,
            r#"{"status":"solved","path":"RD","board":[1,2,0,4,5,3]}"#,
            r#"{"status":"solved","path":"RD","board":[1,2]}"#,
            r#"{"status":"solved","path":"RD","goal":[1,2,3,3,5,0]}"#,
            r#"{"status":"solved","rows":0,"cols":3,"moves":1}"#,
            r#"{"status":"solved","rows":18446744073709551615,"cols":3,"moves":1}"#,
            r#"{"status":"solved","moves":-1}"#,
            r#"{"status":"maybe"}"#,
            r#"{"index":1}"#,
            r#"{"status":"solved","path":"RD""#,
            "[]",
            // The fields in their order, as serde takes them too.
            r#"[null,null,null,null,null,null,null,null,"unsolvable",null,null,null,null,null,null]"#,
            "7",
            "",
        ];
        for line in wrong {
            assert!(Entry::read(line.as_bytes(), &unsaid("2x3")).is_err(), "{line}");
        }
    }

    /// What can be told of a path without its board.
    #[test]
    fn letters_are_read_where_the_shape_is_not_known() {
        let read = |line: &str, letters, of| {
            let unsaid = Unsaid { spelling: Spelling::new(letters, of), ..Unsaid::default() };
            Entry::read(line.as_bytes(), &unsaid).map(|entry| entry.verdict)
        };
        let moves = |line, letters| match read(line, letters, PathOf::Blank) {
            Ok(Verdict::Solved { moves, solution: None }) => Ok(moves),
            other => Err(format!("{other:?}")),
        };
        assert_eq!(moves(r#"{"path":"RDLU"}"#, Letters::Upper), Ok(4));
        assert_eq!(moves(r#"{"path":"RIGHT DOWN","moves":2}"#, Letters::Words), Ok(2));
        let wrong = [
            (r#"{"path":"RX"}"#, Letters::Upper, "'X' is not a move"),
            (r#"{"path":"RX","moves":2}"#, Letters::Upper, "'X' is not a move"),
            (r#"{"path":"rd"}"#, Letters::Upper, "'r' is not a move"),
            (r#"{"path":"R"}"#, Letters::Lower, "'R' is not a move"),
            (r#"{"path":"RD"}"#, Letters::Words, "'RD' is not a move"),
            (r#"{"path":"RIGHT DOWN","moves":3}"#, Letters::Words, "the path has 2"),
        ];
        for (line, letters, why) in wrong {
            for of in [PathOf::Blank, PathOf::Tile] {
                let told = read(line, letters, of).unwrap_err();
                assert!(told.contains(why), "{line}: {told}");
            }
        }
    }

    /// 31 moves, 30 with the goal's blank inside (tests/data/dist_3x3_*.txt), 21 for 2x3.
    #[test]
    fn no_board_needs_more_moves_than_the_hardest() {
        let told = |rows, cols, goal: &str, moves| {
            let line = format!(r#"{{"rows":{rows},"cols":{cols},{goal}"status":"solved","moves":{moves}}}"#);
            Entry::read(line.as_bytes(), &Unsaid::default()).map(|_| ())
        };
        let inside = r#""goal":[1,2,3,8,0,4,7,6,5],"#;
        for (rows, cols, goal, most) in [(3, 3, "", 31), (3, 3, inside, 30), (2, 3, "", 21), (3, 2, "", 21)] {
            assert_eq!(told(rows, cols, goal, most), Ok(()));
            let why = told(rows, cols, goal, most + 1).unwrap_err();
            assert!(why.contains(&format!("no {rows}x{cols} board needs more than {most}")), "{why}");
            assert_eq!(why.contains("--goal?"), goal.is_empty(), "{why}");
        }
        // Nobody knows that of the 24-puzzle.
        assert_eq!(told(5, 5, "", 100_000), Ok(()));
    }

    #[test]
    fn a_goal_that_is_not_told_may_be_another() {
        let line = r#"{"rows":2,"cols":2,"board":[0,2,1,3],"path":""}"#;
        let told = |line: &str| Entry::read(line.as_bytes(), &Unsaid::default()).unwrap_err();
        assert!(told(line).contains("--goal?"), "{}", told(line));
        assert!(!told(&line.replace("\"path\"", "\"goal\":[1,2,3,0],\"path\"")).contains("--goal?"));
        let unsaid = Unsaid { goal: "0,2/1,3".parse().unwrap(), ..Unsaid::default() };
        assert_eq!(solution(line, &unsaid).as_deref(), Some("0 2/1 3 "));
    }

    #[test]
    fn other_fields_are_passed_over_and_texts_made_fit_to_be_shown() {
        let line = r#"{"index":7,"new":[1],"source":"a\u0000\u202eb","line":3,"id":"x\u001b[2J","status":"invalid","error":"e"}"#;
        let entry = Entry::read(line.as_bytes(), &Unsaid::default()).unwrap();
        assert_eq!(entry.place.source.as_deref(), Some("a\u{fffd}\u{fffd}b"));
        assert_eq!(entry.place.id.as_deref(), Some("x\u{fffd}[2J"));
        let id = Entry::read(br#"{"id":[1,"a"],"status":"unsolvable"}"#, &Unsaid::default()).unwrap().place.id;
        assert_eq!(id.as_deref(), Some(r#"[1,"a"]"#));
    }
}
