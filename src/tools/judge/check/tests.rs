use super::*;
use crate::board::{ErrorKind, Goal, Path, Shape, Tile};
use crate::engine::Proof;
use crate::format::profile::Profile;
use crate::solver::Solution;
use crate::system::Limit;
use crate::tools::judge::FaultKind;

/// Returns the verdict on a claim about the sample of POJ 1077, if this program's answer is `ours`.
fn judged(name: &str, claim: ClaimedAnswer, text: &str, ours: Result<Answer, Error>) -> Result<UnprovenMoves, Fault> {
    judged_on(&[2, 3, 4, 1, 5, 0, 7, 6, 8], name, claim, text, ours)
}

fn judged_on(
    tiles: &[usize],
    name: &str,
    claim: ClaimedAnswer,
    text: &str,
    ours: Result<Answer, Error>,
) -> Result<UnprovenMoves, Fault> {
    let format = Profile::named(name).unwrap().answer.unwrap();
    let shape = Shape::new(3, 3).unwrap();
    let tiles: Vec<Tile> = tiles.iter().copied().map(Tile::new).collect();
    let (board, goal) = (Board::new(shape, &tiles).unwrap(), Goal::BlankLast.on(shape).unwrap());
    let mut solve = || ours.clone();
    ClaimChecker::new(&format, &board, &goal, &mut solve).check(&claim, text.as_bytes())
}

const UNSOLVABLE: [usize; 9] = [1, 2, 3, 4, 5, 6, 8, 7, 0];
const CANONICAL: &str = "dlurullddrurdllurdr";

fn path(moves: Option<u64>, text: &str) -> ClaimedAnswer {
    ClaimedAnswer::Solved { moves, path: ClaimedPath::OneLine(0..text.len()) }
}

/// Returns an answer that calls this path shortest. The checker does not replay the path, and not
/// all of these paths are solutions.
fn shortest(path: &str) -> Result<Answer, Error> {
    let board = Goal::BlankLast.on(Shape::new(3, 3).unwrap()).unwrap();
    Ok(Answer::Solved(Solution { board, path: path.parse().unwrap(), proof: Proof::Optimal, limit: None }))
}

fn kind(judged: Result<UnprovenMoves, Fault>) -> Option<FaultKind> {
    judged.err().map(|fault| fault.kind)
}

#[test]
fn an_answer_better_than_ours_is_an_error_of_the_program() {
    let longer = shortest(&format!("{CANONICAL}ud"));
    let fault = judged("acwing179", path(None, CANONICAL), CANONICAL, longer.clone()).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Program);
    assert!(fault.message.contains("19 moves") && fault.message.contains("21"), "{}", fault.message);
    let bound = Ok(Answer::Unsolved { lower_bound: 21, limit: Limit::Time });
    assert_eq!(kind(judged("acwing179", path(None, CANONICAL), CANONICAL, bound)), Some(FaultKind::Program));
    // The published answer to the sample is also shortest, but not the first in alphabetical order.
    let later = shortest("ullddrurdllurdruldr");
    let fault = judged("hdu3567", path(Some(19), CANONICAL), CANONICAL, later).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Program);
    let broken = Err(Error::new(ErrorKind::Fault, "an invalid path was found"));
    assert_eq!(kind(judged("acwing179", path(None, CANONICAL), CANONICAL, broken)), Some(FaultKind::Program));
    // A number without a path proves nothing.
    let nineteen = ClaimedAnswer::Solved { moves: Some(19), path: ClaimedPath::NotGiven };
    assert_eq!(kind(judged("acwing845", nineteen, "", longer)), Some(FaultKind::Wrong));
}

#[test]
fn judges_differ_in_their_requirements() {
    let (ours, published) = (shortest(CANONICAL), "ullddrurdllurdruldr");
    let detour = format!("{CANONICAL}ud");
    for (name, canonical, other, longer) in [
        ("poj1077", None, None, None),
        ("acwing179", None, None, Some(FaultKind::Wrong)),
        ("hdu3567", None, Some(FaultKind::Wrong), Some(FaultKind::Wrong)),
    ] {
        let judged = |text: &str| kind(judged(name, path(None, text), text, ours.clone()));
        assert_eq!(judged(CANONICAL), canonical, "{name}");
        assert_eq!(judged(published), other, "{name}");
        assert_eq!(judged(&detour), longer, "{name}");
        assert_eq!(judged("uuu"), Some(FaultKind::Wrong), "{name}");
        assert_eq!(judged(""), Some(FaultKind::Wrong), "{name}");
        assert_eq!(judged("ULL"), Some(FaultKind::Presentation), "{name}");
    }
    let announced = judged("hdu3567", path(Some(18), CANONICAL), CANONICAL, ours.clone()).unwrap_err();
    assert_eq!(announced.message, "18 moves announced, but 19 moves given");
    assert_eq!(kind(judged("poj1077", ClaimedAnswer::Unsolvable, "", ours.clone())), Some(FaultKind::Wrong));
    assert_eq!(kind(judged("poj1077", ClaimedAnswer::Missing, "", ours.clone())), Some(FaultKind::Presentation));
    assert_eq!(kind(judged("poj1077", ClaimedAnswer::Malformed("no".into()), "", ours)), Some(FaultKind::Presentation));
}

#[test]
fn boards_without_a_solution() {
    let must_not_solve = || Err(Error::new(ErrorKind::Fault, "must not be called"));
    assert_eq!(kind(judged_on(&UNSOLVABLE, "poj1077", ClaimedAnswer::Unsolvable, "", must_not_solve())), None);
    assert_eq!(kind(judged_on(&UNSOLVABLE, "poj1077", path(None, "u"), "u", must_not_solve())), Some(FaultKind::Wrong));
    let number = ClaimedAnswer::Solved { moves: Some(3), path: ClaimedPath::NotGiven };
    assert_eq!(kind(judged_on(&UNSOLVABLE, "acwing845", number, "", must_not_solve())), Some(FaultKind::Wrong));
    // This judge promises that all boards are solvable.
    assert_eq!(kind(judged_on(&UNSOLVABLE, "hdu3567", path(None, "u"), "u", must_not_solve())), Some(FaultKind::Jury));
}

/// A judge's word for boards that need too many moves is accepted for these boards and no others.
#[test]
fn boards_over_the_limit_may_have_a_separate_word() {
    let must_not_solve = || Err(Error::new(ErrorKind::Fault, "must not be called"));
    let (long, upper) = ("UD".repeat(23), CANONICAL.to_uppercase());
    let judged = |claim, ours: &str| kind(judged("eolymp3669", claim, "", shortest(ours)));
    assert_eq!(judged(ClaimedAnswer::TooLong, &long), None);
    assert_eq!(judged(ClaimedAnswer::TooLong, &upper), Some(FaultKind::Wrong));
    assert_eq!(judged(ClaimedAnswer::Unsolvable, &long), Some(FaultKind::Wrong));
    assert_eq!(
        kind(judged_on(&UNSOLVABLE, "eolymp3669", ClaimedAnswer::TooLong, "", must_not_solve())),
        Some(FaultKind::Wrong)
    );
    assert_eq!(kind(judged_on(&UNSOLVABLE, "eolymp3669", ClaimedAnswer::Unsolvable, "", must_not_solve())), None);
}

#[test]
fn solutions_over_the_limit_do_not_count() {
    let long = "UD".repeat(18);
    let upper = CANONICAL.to_uppercase();
    let judged = |claim, text: &str, ours: &str| kind(judged("lightoj15", claim, text, shortest(ours)));
    assert_eq!(judged(ClaimedAnswer::Unsolvable, "", &long), None);
    assert_eq!(judged(ClaimedAnswer::Unsolvable, "", &upper), Some(FaultKind::Wrong));
    assert_eq!(judged(path(None, &upper), &upper, &upper), None);
    // A path within the limit proves that our solution, which is longer than the limit, is not a
    // shortest one.
    assert_eq!(judged(path(None, &upper), &upper, &long), Some(FaultKind::Program));
}

#[test]
fn any_path_is_accepted_without_solving_the_board() {
    let canonical: Path = CANONICAL.parse().unwrap();
    assert_eq!(canonical.len(), 19);
    assert!(matches!(
        judged("poj1077", path(None, CANONICAL), CANONICAL, Err(Error::new(ErrorKind::Fault, "must not be called"))),
        Ok(None)
    ));
}

/// Our unproven path refutes longer answers, but no others.
#[test]
fn an_unproven_path_refutes_only_longer_answers() {
    let board = || Goal::BlankLast.on(Shape::new(3, 3).unwrap()).unwrap();
    let found = |path: &str, bound| {
        let (path, proof) = (path.parse().unwrap(), Proof::AtLeast(bound));
        Ok(Answer::Solved(Solution { board: board(), path, proof, limit: None }))
    };
    let (detour, longer) = (format!("{CANONICAL}ud"), format!("{CANONICAL}udud"));
    let judged = |name, text: &str, ours| judged(name, path(None, text), text, ours);
    assert!(matches!(judged("acwing179", CANONICAL, found(&detour, 17)), Ok(Some(_))));
    assert!(matches!(judged("acwing179", &detour, found(&detour, 17)), Ok(Some(_))));
    let wrong = judged("acwing179", &longer, found(&detour, 17)).unwrap_err();
    assert_eq!((wrong.kind, &*wrong.message), (FaultKind::Wrong, "23 moves, but another solution has 21"));
    // A path as long as the bound is proven shortest, but not proven the first in alphabetical
    // order.
    assert!(matches!(judged("acwing179", CANONICAL, found(CANONICAL, 19)), Ok(None)));
    assert!(matches!(judged("hdu3567", CANONICAL, found(CANONICAL, 19)), Ok(Some(_))));
    assert_eq!(kind(judged("acwing179", &detour, found(CANONICAL, 19))), Some(FaultKind::Wrong));
    assert_eq!(kind(judged("acwing179", CANONICAL, found(&detour, 21))), Some(FaultKind::Program));
    let number = |moves| ClaimedAnswer::Solved { moves: Some(moves), path: ClaimedPath::NotGiven };
    let numbered = |moves| super::tests::judged("acwing845", number(moves), "", found(CANONICAL, 17));
    assert!(matches!((numbered(17), numbered(19)), (Ok(Some(_)), Ok(Some(_)))));
    assert_eq!((kind(numbered(15)), kind(numbered(21))), (Some(FaultKind::Wrong), Some(FaultKind::Wrong)));
}
