//! Profiles from users' files.
//!
//! A file is checked before it is used: sample boards and answers are written with it and read
//! back. A template whose answers are ambiguous is an error here. Without this check, such a
//! template would cause wrong verdicts later.

use std::fs::File;
use std::io::{Cursor, ErrorKind, Read as _};
use std::path::Path;

use super::boards::{BoardFormat, BoardWriter};
use super::input::{InputOptions, Reader};
use super::output::{Row, Verdict};
use super::profile::{AnswerFormat, AnswerWriter, ClaimReader, ClaimedAnswer, Claims, Profile};
use crate::board::{Board, Goal, Move, Path as Moves, Shape};

/// Maximum size of a profile file in bytes.
const MAX_FILE_BYTES: u64 = 64 << 10;

/// The maximum number of moves of the sample solution: a number of two digits, as in most answers.
const SAMPLE_MOVES: usize = 12;

/// Reads and checks the profile in a file.
///
/// # Errors
/// A message for the user that names the file and, if they are known, the line and the key.
pub fn open(path: &Path) -> Result<&'static Profile, String> {
    let name = path.display();
    let message = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => format!("{name}: there is no such file"),
        _ => format!("{name}: cannot be read: {error}"),
    };
    let mut bytes = Vec::new();
    File::open(path).map_err(message)?.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(message)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(format!("{name}: expected a profile of at most {MAX_FILE_BYTES} bytes"));
    }
    let text = String::from_utf8(bytes).map_err(|_| format!("{name}: expected UTF-8 text"))?;
    let profile = Profile::of_text(name.to_string().leak(), text.leak())?;
    check(profile).map_err(|ProfileFault(key, what)| profile.fault(key, &what))?;
    Ok(profile)
}

/// An invalid value in a profile: its key, and the reason.
#[derive(Debug)]
struct ProfileFault(&'static str, String);

/// Checks that boards and answers of a profile can be written and read back.
fn check(profile: &Profile) -> Result<(), ProfileFault> {
    let (start, goal, path) = sample(profile)?;
    if profile.goal.is_none() && profile.layout.is_some_and(|layout| !layout.holds_goal()) {
        return Err(ProfileFault("goal", "records of this layout cannot contain a goal".into()));
    }
    if !are_boards_read_back(profile, &start, &goal).map_err(|why| ProfileFault("layout", why))? {
        return Err(ProfileFault("layout", "boards in this layout and style cannot be read back".into()));
    }
    let Some(answer) = &profile.answer else { return Ok(()) };
    profile.check_shape(profile.shape, None, None).map_err(|why| ProfileFault("spelling.notation", why))?;
    let unlimited = AnswerFormat { solvable_within: None, ..*answer };
    check_answers(&unlimited, (&start, &goal, &path))?;
    match (answer.solvable_within, answer.too_long) {
        (Some(_), _) => check_answers(&AnswerFormat { solvable_within: Some(0), ..*answer }, (&start, &goal, &path)),
        (None, Some(_)) => Err(ProfileFault("too_long", "needs solvable_within, the maximum number of moves".into())),
        (None, None) => Ok(()),
    }
}

/// Returns a board, its goal, and a path from the board to the goal. The shape is the profile's, or
/// else a square that the goal fits: 3×3 if possible, or else the smallest.
fn sample(profile: &Profile) -> Result<(Board, Board, Moves), ProfileFault> {
    let spec = profile.goal.clone().unwrap_or(Goal::BlankLast);
    let squares = [3, 2].into_iter().chain(4..=Shape::MAX_SIDE).filter_map(|side| Shape::new(side, side));
    let goal = match profile.shape {
        Some(shape) => spec.on(shape).map_err(|why| ProfileFault("goal", why.to_string()))?,
        None => {
            let fitting = squares.map(|shape| spec.on(shape)).find_map(Result::ok);
            fitting.ok_or_else(|| ProfileFault("goal", "the goal is not a square: add its shape".into()))?
        }
    };
    let (mut start, mut back) = (goal.clone(), Vec::new());
    for turn in 0..SAMPLE_MOVES {
        // Each step tries a different direction first, so that the walk does not follow an edge.
        let moves = (0..4).map(|i| Move::ALL[(turn + i) % 4]).filter(|step| back.last() != Some(&step.inverse()));
        let Some((step, after)) = moves.filter_map(|step| Some((step, start.after(step)?))).next() else { break };
        back.push(step);
        start = after;
    }
    let path = back.into_iter().rev().map(Move::inverse).collect();
    Ok((start, goal, path))
}

/// Returns true if the start and the goal, written as two boards with this profile, are read back
/// unchanged.
fn are_boards_read_back(profile: &Profile, start: &Board, goal: &Board) -> Result<bool, String> {
    let (shape, spec) = (start.shape(), profile.goal.as_ref());
    let format =
        BoardFormat { layout: None, profile: Some(profile), shape, goal: spec, count: 2, comment: false, before: 0 };
    let mut writer = BoardWriter::new(&format)?;
    let mut text = Vec::new();
    writer.head(&mut text);
    writer.write(start, goal, None, &mut text);
    writer.write(goal, goal, None, &mut text);
    let mut reader = Reader::of_text("a sample", Cursor::new(text), profile.fill(InputOptions::default()));
    let mut found = Vec::new();
    while let Some(chunk) = reader.next_chunk(8, 1 << 16, Vec::new()).transpose().map_err(|why| why.to_string())? {
        found.extend(chunk.records().map(|record| record.puzzle.ok().map(|puzzle| puzzle.board)));
    }
    Ok(found == [Some(start.clone()), Some(goal.clone())])
}

/// Checks that answers written in this format are read back unchanged.
fn check_answers(format: &AnswerFormat, (start, goal, path): (&Board, &Board, &Moves)) -> Result<(), ProfileFault> {
    let no_moves = Moves::new();
    let mut cases = vec![(start, Verdict::Solved(path)), (goal, Verdict::Solved(&no_moves))];
    cases.extend(format.unsolvable.map(|_| (start, Verdict::Unsolvable)));
    cases.push((start, Verdict::Solved(path)));
    let (writer, mut text) = (AnswerWriter::new(*format), Vec::new());
    for (index, &(board, verdict)) in (1..).zip(&cases) {
        let puzzle = Some((board, goal));
        writer.write(&Row { puzzle, ..Row::bare(index, "\"a sample\"", index, verdict) }, &mut text);
    }
    let (mut reader, mut claims) = (ClaimReader::new(Box::new(Cursor::new(text)), format), Claims::default());
    let read = reader.read(1, cases.len(), &mut claims).and_then(|()| reader.read_rest());
    let rest = read.map_err(|why| ProfileFault("solved", why.to_string()))?;
    for (i, (board, verdict)) in cases.iter().enumerate() {
        let path = verdict.path().unwrap_or(&no_moves);
        let key = match verdict {
            Verdict::Solved(_) if format.solvable_within.is_none_or(|max| path.len() <= max) => "solved",
            Verdict::Solved(_) if format.too_long.is_some() => "too_long",
            // The format has no answer for boards that need too many moves, so the path was written
            // with the template `solved`. An earlier call without a maximum checked that template.
            _ if format.unsolvable.is_none() => return Ok(()),
            _ => "unsolvable",
        };
        let is_read = match claims.claims.get(i).map(|claim| &claim.answer) {
            Some(ClaimedAnswer::TooLong) => key == "too_long",
            Some(ClaimedAnswer::Unsolvable) => key == "unsolvable",
            Some(ClaimedAnswer::Solved { moves, path: claimed }) => {
                let read = claimed.read(&claims.text, board, format.spelling, format.listing);
                let is_path = read.is_ok_and(|read| read.is_none_or(|read| read == path.letters()));
                key == "solved" && is_path && moves.is_none_or(|moves| moves == path.len() as u64)
            }
            _ => false,
        };
        if !is_read {
            return Err(ProfileFault(key, "an answer written with this template cannot be read back".into()));
        }
    }
    match rest {
        None => Ok(()),
        Some(_) => Err(ProfileFault("solved", "an answer written with this template is not read completely".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_profile_passes_the_check() {
        for profile in Profile::all() {
            check(profile).unwrap_or_else(|ProfileFault(key, what)| panic!("{}", profile.fault(key, &what)));
        }
    }

    fn fault(text: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("mine.toml");
        std::fs::write(&file, text).unwrap();
        let why = open(&file).expect_err(text);
        why.replace(&format!("{}/", folder.path().display()), "")
    }

    #[test]
    fn errors_name_the_file_the_line_and_the_key() {
        let answer = |keys: &str| fault(&format!("shape = \"3x3\"\n\n[answer]\nrequirement = \"shortest\"\n{keys}"));
        for (found, expected) in [
            (fault("goal = \"snail\"\n\n[awnser]\n"), "mine.toml:3: unknown key 'awnser', expected one of 'source', "),
            (answer("solved = \"{moves}\\n\"\nunsolveable = \"no\\n\"\n"), "mine.toml:6: unknown key 'unsolveable', "),
            (answer(""), "mine.toml:3: missing key 'solved'"),
            (fault("count_line = 3\n"), "mine.toml:1: count_line: invalid type: integer '3', expected a boolean"),
            (fault("\nshape = \"3y3\"\n"), "mine.toml:2: shape: '3y3' is not a shape"),
            (fault("goal = \"1 2 3\"\nshape = \"2x2\"\n"), "mine.toml:1: goal: "),
            (fault("goal = \"1 2 3 4 5 0\"\n"), "mine.toml:1: goal: the goal is not a square: add its shape"),
            (fault("goal = \"in-record\"\nlayout = \"grid\"\n"), "mine.toml:1: goal: records of this layout cannot"),
            (fault("layout = \"lines\"\n"), "mine.toml:1: layout: unknown variant 'lines', expected one of 'line'"),
            (fault("layout = \"line\"\n[board_style]\nblank = \"?\"\n"), "mine.toml:1: layout: boards in this layout"),
            (answer("solved = \"{moves}\"\n"), "mine.toml:5: solved: expected a line end"),
            (answer("solved = \"{colour}\\n\"\n"), "mine.toml:5: solved: {colour} is unknown"),
            (
                answer("solved = \"{status}\\n\"\n"),
                "mine.toml:5: solved: {status} is not allowed here: expected {case}",
            ),
            (answer("solved = \"yes\\n\"\n"), "mine.toml:5: solved: expected {moves}, {path}, {lines} or {boards}"),
            (answer("solved = \"{path}{moves}\\n\"\n"), "mine.toml:5: solved: an answer written with this template"),
            (answer("solved = \"{lines}\"\n"), "mine.toml:5: solved: an answer written with this template"),
            (answer("solved = \"{path}\\n\"\nunsolvable = \"\\n\"\n"), "mine.toml:5: solved: an answer written with"),
            (
                answer("solved = \"{moves}\\n\"\ntoo_long = \"far\\n\"\n"),
                "mine.toml:6: too_long: needs solvable_within",
            ),
            (answer("solved = \"{path}\\n\"\nbetween = \"--\"\n"), "mine.toml:6: between: expected \"\" or \"\\n\""),
            (answer(&format!("solved = \"{}{{path}}\\n\"\n", "x".repeat(2000))), "mine.toml:5: solved: a template has"),
            (fault("[board_style]\nblank = \"12345678901234567\"\n"), "mine.toml:2: blank: expected at most 16 bytes"),
            (fault("goal = \n"), "mine.toml:1: goal: "),
            (fault("goal = \"snail\"\ngoal = \"snail\"\n"), "mine.toml:2: "),
        ] {
            assert!(found.starts_with(expected), "{found}");
        }
        assert!(open(Path::new("no/such.toml")).unwrap_err().ends_with("no/such.toml: there is no such file"));
    }

    #[test]
    fn unambiguous_templates_are_accepted() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("mine.toml");
        for solved in
            ["  Case #{case}:  {moves} moves ", "{{{{\"moves\": {moves}}", "({path}), {{", "{boards}= {moves}"]
        {
            let text = format!("[answer]\nrequirement = \"shortest\"\nsolved = '''\n{solved}\n'''\n");
            std::fs::write(&file, &text).unwrap();
            open(&file).unwrap_or_else(|why| panic!("{text}{why}"));
        }
    }
}
