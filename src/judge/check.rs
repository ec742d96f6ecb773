//! One claim about one board: is it true, and is it what the judge asked for?
//!
//! The moves are replayed by the checker's own rule ([`crate::verify`]); whether there is a solution
//! at all is a matter of parity. Only where the judge asks for a shortest solution is the board solved,
//! once, however many claims there are about it.

use std::fmt;

use crate::board::{Board, is_solvable};
use crate::desk::Solution;
use crate::format::profile::{AnswerFormat, Asks, Listing, Way, What};
use crate::format::spelling::{Letters, PathOf, Spelling};
use crate::verify;

/// What makes an answer right.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    asks: Asks,
    spelling: Spelling,
    listing: Listing,
    /// The judge has a word for boards without a solution.
    unsolvable_occur: bool,
    /// An empty line is an answer, so that one may be missing at the end.
    takes_empty: bool,
    solvable_within: Option<usize>,
}

impl Rules {
    /// The rules of an answer format, its moves in its own spelling or another.
    pub fn new(format: &AnswerFormat, letters: Option<Letters>, of: Option<PathOf>) -> Rules {
        Rules {
            asks: format.asks,
            spelling: format.spelling.with(letters, of),
            listing: format.listing,
            unsolvable_occur: format.unsolvable.is_some(),
            takes_empty: format.takes_empty_lines(),
            solvable_within: format.solvable_within,
        }
    }
}

/// Whose fault it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The contestant's: the answer is wrong.
    Wrong,
    /// The contestant's: what was written is no answer in this format.
    Presentation,
    /// The jury's: its own answer or the input is wrong.
    Jury,
    /// This program's: an answer proves it wrong.
    Ours,
    /// Nobody's: the board could not be solved within its limits.
    Undecided,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Wrong => "wrong answer",
            Kind::Presentation => "presentation error",
            Kind::Jury => "jury error",
            Kind::Ours => "ERROR OF TAQUIN",
            Kind::Undecided => "undecided",
        })
    }
}

/// What is wrong, in a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Whose fault it is.
    pub kind: Kind,
    /// The sentence.
    pub why: String,
}

impl Fault {
    /// The same fault, found in the jury's answer.
    #[must_use]
    pub fn of_jury(self) -> Fault {
        match self.kind {
            Kind::Wrong | Kind::Presentation => {
                Fault { kind: Kind::Jury, why: format!("the jury's answer: {}", self.why) }
            }
            Kind::Jury | Kind::Ours | Kind::Undecided => self,
        }
    }
}

/// How an answer stands that has no fault of its own.
#[derive(Debug)]
pub enum Standing {
    /// It is right.
    Proven,
    /// It may be right; no shortest solution is known to hold it against.
    Unproven(Unproven),
}

/// A claim that may be right.
#[derive(Debug)]
pub struct Unproven {
    moves: u64,
    /// Its path, replayed; `None`: only a number was claimed, or that there is no solution.
    path: Option<Vec<u8>>,
}

/// Checks claims about one board.
pub struct Examiner<'a> {
    rules: &'a Rules,
    board: &'a Board,
    goal: &'a Board,
    solve: &'a mut dyn FnMut() -> Result<Solution, String>,
    solution: Option<Result<Solution, String>>,
}

fn wrong<T>(why: impl Into<String>) -> Result<T, Fault> {
    Err(Fault { kind: Kind::Wrong, why: why.into() })
}

fn presentation<T>(why: impl Into<String>) -> Result<T, Fault> {
    Err(Fault { kind: Kind::Presentation, why: why.into() })
}

fn ours<T>(why: String) -> Result<T, Fault> {
    let why = format!("{why}; please report this with the board and the answer");
    Err(Fault { kind: Kind::Ours, why })
}

impl<'a> Examiner<'a> {
    /// For one board; `solve` is called once at most.
    pub fn new(
        rules: &'a Rules,
        board: &'a Board,
        goal: &'a Board,
        solve: &'a mut dyn FnMut() -> Result<Solution, String>,
    ) -> Examiner<'a> {
        Examiner { rules, board, goal, solve, solution: None }
    }

    /// Checks one claim; its ranges lie in `text`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&mut self, what: &What, text: &[u8]) -> Result<Standing, Fault> {
        let solvable = is_solvable(self.board, self.goal);
        if !solvable && !self.rules.unsolvable_occur {
            let why = "the board has no solution, and the judge promises that it has".into();
            return Err(Fault { kind: Kind::Jury, why });
        }
        match what {
            What::Malformed(why) => presentation(&**why),
            What::Missing if self.rules.takes_empty && self.board == self.goal => Ok(Standing::Proven),
            What::Missing => presentation("the answer ends before this case"),
            What::Unsolvable => self.check_unsolvable(solvable),
            What::Solved { moves, way } => {
                let path = self.read(way, text)?;
                if let (Some(path), Some(moves)) = (&path, *moves)
                    && path.len() as u64 != moves
                {
                    return wrong(format!("{} are announced, and {} given", plural(moves), plural(path.len() as u64)));
                }
                match path {
                    Some(path) => self.check_path(solvable, path),
                    None => self.check_number(solvable, moves.unwrap_or_default()),
                }
            }
        }
    }

    fn check_unsolvable(&mut self, solvable: bool) -> Result<Standing, Fault> {
        let Some(most) = self.rules.solvable_within.filter(|_| solvable) else {
            return if solvable { wrong("the board has a solution") } else { Ok(Standing::Proven) };
        };
        match self.solution()? {
            Solution::Shortest(path) if path.len() > most => Ok(Standing::Proven),
            Solution::Shortest(path) => wrong(format!("the board has a solution of {}", plural(path.len() as u64))),
            Solution::Unknown { lower_bound, .. } if *lower_bound > most as u64 => Ok(Standing::Proven),
            Solution::Unknown { .. } => Ok(Standing::Unproven(Unproven { moves: u64::MAX, path: None })),
        }
    }

    fn check_path(&mut self, solvable: bool, path: Vec<u8>) -> Result<Standing, Fault> {
        let moves = path.len() as u64;
        if let Err(fault) = verify::replay(self.board, self.goal, &path) {
            let unsolvable = if solvable { "" } else { "; the board has no solution" };
            return wrong(format!("{fault}{unsolvable}"));
        }
        if !solvable {
            return ours("these moves solve a board that was held to be unsolvable".into());
        }
        if let Asks::AtMost(most) = self.rules.asks
            && path.len() > most
        {
            return wrong(format!("{}, at most {most} are allowed", plural(moves)));
        }
        if matches!(self.rules.asks, Asks::AnyPath | Asks::AtMost(_)) {
            return Ok(Standing::Proven);
        }
        let (asks, most) = (self.rules.asks, self.rules.solvable_within);
        if let Some(most) = most.filter(|&most| path.len() > most) {
            return wrong(format!("{}, and more than {most} count as no solution", plural(moves)));
        }
        let shortest = match self.solution()? {
            Solution::Unknown { lower_bound, .. } if moves < *lower_bound => {
                let bound = *lower_bound;
                return ours(format!("these {} solve the board, which was held to need {bound}", plural(moves)));
            }
            Solution::Unknown { .. } => return Ok(Standing::Unproven(Unproven { moves, path: Some(path) })),
            Solution::Shortest(shortest) => shortest,
        };
        let known = shortest.len();
        if let Some(most) = most.filter(|&most| known > most) {
            return wrong(format!("the board needs {known} moves, and more than {most} count as no solution"));
        }
        if path.len() > known {
            return wrong(format!("{}, a shortest solution has {known}", plural(moves)));
        }
        if path.len() < known {
            return ours(format!("these {} solve the board, for which the shortest known has {known}", plural(moves)));
        }
        match path.as_slice().cmp(shortest.letters()) {
            _ if asks != Asks::Smallest => Ok(Standing::Proven),
            std::cmp::Ordering::Equal => Ok(Standing::Proven),
            std::cmp::Ordering::Greater => {
                let at = path.iter().zip(shortest.letters()).take_while(|(a, b)| a == b).count() + 1;
                wrong(format!("of the shortest solutions there is one earlier in the alphabet: see move {at}"))
            }
            std::cmp::Ordering::Less => ours(format!(
                "this shortest solution is earlier in the alphabet than the one found to be the first, {shortest}"
            )),
        }
    }

    fn check_number(&mut self, solvable: bool, moves: u64) -> Result<Standing, Fault> {
        if !solvable {
            return wrong(format!("{} are claimed, and the board has no solution", plural(moves)));
        }
        match self.solution()? {
            Solution::Shortest(path) if path.len() as u64 == moves => Ok(Standing::Proven),
            Solution::Shortest(path) => {
                wrong(format!("{} claimed, a shortest solution has {}", plural(moves), path.len()))
            }
            Solution::Unknown { lower_bound, .. } if moves < *lower_bound => {
                wrong(format!("{} claimed, no solution has less than {lower_bound}", plural(moves)))
            }
            Solution::Unknown { .. } => Ok(Standing::Unproven(Unproven { moves, path: None })),
        }
    }

    /// An answer against the jury's, where we have no solution of our own.
    ///
    /// # Errors
    /// When they differ in what is asked for: whoever is proven wrong by the other.
    pub fn compare(&self, answer: &Unproven, jury: &Unproven) -> Result<(), Fault> {
        let jury_wrong = |why: String| Err(Fault { kind: Kind::Jury, why });
        if answer.moves < jury.moves && answer.path.is_some() {
            return jury_wrong(format!("the jury's answer is not shortest: {} are enough", plural(answer.moves)));
        }
        if answer.moves != jury.moves {
            let told = |of: &Unproven| match of.moves {
                u64::MAX => "no solution".to_string(),
                moves => plural(moves),
            };
            return wrong(format!("{}, the jury's answer is {}", told(answer), told(jury)));
        }
        match (self.rules.asks, answer.path.cmp(&jury.path)) {
            (Asks::Smallest, std::cmp::Ordering::Less) => jury_wrong("the answer is earlier in the alphabet".into()),
            (Asks::Smallest, std::cmp::Ordering::Greater) => wrong("the jury's answer is earlier in the alphabet"),
            _ => Ok(()),
        }
    }

    /// The fault of an answer that can neither be proven nor refuted.
    pub fn undecided(&self) -> Fault {
        let known = match &self.solution {
            Some(Ok(Solution::Unknown { lower_bound, limit })) => {
                format!(" ({} limit; at least {})", limit.name(), plural(*lower_bound))
            }
            _ => String::new(),
        };
        let why = format!("the board was not solved{known}, and there is no jury's answer to compare with");
        Fault { kind: Kind::Undecided, why }
    }

    /// The moves of a claim as letters of the blank's moves.
    fn read(&self, way: &Way, text: &[u8]) -> Result<Option<Vec<u8>>, Fault> {
        let mut path = Vec::new();
        let spelling = &self.rules.spelling;
        let read = match way {
            Way::Untold => return Ok(None),
            Way::Path(range) => spelling.read(self.board, &text[range.clone()], &mut path).map_err(|e| e.to_string()),
            Way::Lines(range) => {
                spelling.read_lines(self.board, &text[range.clone()], &mut path).map_err(|e| e.to_string())
            }
            Way::Boards(range) => match self.rules.listing.read(self.board, &text[range.clone()], &mut path) {
                Ok(()) => Ok(()),
                // A listing that cannot be followed is a wrong solution, not a wrong spelling of one.
                Err(why) => return wrong(why),
            },
        };
        match read {
            Ok(()) => Ok(Some(path)),
            Err(why) => presentation(why),
        }
    }

    /// Our own solution, found when it is first needed.
    fn solution(&mut self) -> Result<&Solution, Fault> {
        let Examiner { solution, solve, .. } = self;
        match solution.get_or_insert_with(solve) {
            Ok(solution) => Ok(solution),
            Err(why) => ours(why.clone()),
        }
    }
}

/// `1 move`, `2 moves`.
fn plural(moves: u64) -> String {
    format!("{moves} move{}", if moves == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{GoalSpec, Path, Shape, Tile};
    use crate::engine::Limit;
    use crate::format::profile::Profile;

    /// The verdict on what is claimed of the sample of POJ 1077, held against a solution of ours.
    fn judged(name: &str, what: What, text: &str, ours: Result<Solution, String>) -> Result<Standing, Fault> {
        judged_on(&[2, 3, 4, 1, 5, 0, 7, 6, 8], name, what, text, ours)
    }

    fn judged_on(
        tiles: &[usize],
        name: &str,
        what: What,
        text: &str,
        ours: Result<Solution, String>,
    ) -> Result<Standing, Fault> {
        let rules = Rules::new(&Profile::named(name).unwrap().answer.unwrap(), None, None);
        let shape = Shape::new(3, 3).unwrap();
        let tiles: Vec<Tile> = tiles.iter().copied().map(Tile::new).collect();
        let (board, goal) = (Board::new(shape, &tiles).unwrap(), GoalSpec::BlankLast.on(shape).unwrap());
        let mut solve = || ours.clone();
        Examiner::new(&rules, &board, &goal, &mut solve).check(&what, text.as_bytes())
    }

    const UNSOLVABLE: [usize; 9] = [1, 2, 3, 4, 5, 6, 8, 7, 0];
    const CANONICAL: &str = "dlurullddrurdllurdr";

    fn path(moves: Option<u64>, text: &str) -> What {
        What::Solved { moves, way: Way::Path(0..text.len()) }
    }

    fn shortest(path: &str) -> Result<Solution, String> {
        Ok(Solution::Shortest(path.parse().unwrap()))
    }

    fn kind(judged: Result<Standing, Fault>) -> Option<Kind> {
        judged.err().map(|fault| fault.kind)
    }

    /// What nothing real can show: an answer better than ours.
    #[test]
    fn an_answer_that_beats_ours_is_our_error() {
        let longer = shortest(&format!("{CANONICAL}ud"));
        let fault = judged("acwing179", path(None, CANONICAL), CANONICAL, longer.clone()).unwrap_err();
        assert_eq!(fault.kind, Kind::Ours);
        assert!(fault.why.contains("19 moves") && fault.why.contains("21"), "{}", fault.why);
        let bound = Ok(Solution::Unknown { lower_bound: 21, limit: Limit::Time });
        assert_eq!(kind(judged("acwing179", path(None, CANONICAL), CANONICAL, bound)), Some(Kind::Ours));
        // The published answer to the sample: as short, and not the first in the alphabet.
        let later = shortest("ullddrurdllurdruldr");
        let fault = judged("hdu3567", path(Some(19), CANONICAL), CANONICAL, later).unwrap_err();
        assert_eq!(fault.kind, Kind::Ours);
        let broken = Err("a path was found that is none".into());
        assert_eq!(kind(judged("acwing179", path(None, CANONICAL), CANONICAL, broken)), Some(Kind::Ours));
        // A number proves nothing.
        let nineteen = What::Solved { moves: Some(19), way: Way::Untold };
        assert_eq!(kind(judged("acwing845", nineteen, "", longer)), Some(Kind::Wrong));
    }

    #[test]
    fn each_judge_is_given_what_it_asks_for() {
        let (ours, published) = (shortest(CANONICAL), "ullddrurdllurdruldr");
        let detour = format!("{CANONICAL}ud");
        for (name, canonical, other, longer) in [
            ("poj1077", None, None, None),
            ("acwing179", None, None, Some(Kind::Wrong)),
            ("hdu3567", None, Some(Kind::Wrong), Some(Kind::Wrong)),
        ] {
            let judged = |text: &str| kind(judged(name, path(None, text), text, ours.clone()));
            assert_eq!(judged(CANONICAL), canonical, "{name}");
            assert_eq!(judged(published), other, "{name}");
            assert_eq!(judged(&detour), longer, "{name}");
            assert_eq!(judged("uuu"), Some(Kind::Wrong), "{name}");
            assert_eq!(judged(""), Some(Kind::Wrong), "{name}");
            assert_eq!(judged("ULL"), Some(Kind::Presentation), "{name}");
        }
        let announced = judged("hdu3567", path(Some(18), CANONICAL), CANONICAL, ours.clone()).unwrap_err();
        assert_eq!(announced.why, "18 moves are announced, and 19 moves given");
        assert_eq!(kind(judged("poj1077", What::Unsolvable, "", ours.clone())), Some(Kind::Wrong));
        assert_eq!(kind(judged("poj1077", What::Missing, "", ours.clone())), Some(Kind::Presentation));
        assert_eq!(kind(judged("poj1077", What::Malformed("no".into()), "", ours)), Some(Kind::Presentation));
    }

    #[test]
    fn boards_without_a_solution() {
        let unasked = || Err("not to be asked".to_string());
        assert_eq!(kind(judged_on(&UNSOLVABLE, "poj1077", What::Unsolvable, "", unasked())), None);
        assert_eq!(kind(judged_on(&UNSOLVABLE, "poj1077", path(None, "u"), "u", unasked())), Some(Kind::Wrong));
        let number = What::Solved { moves: Some(3), way: Way::Untold };
        assert_eq!(kind(judged_on(&UNSOLVABLE, "acwing845", number, "", unasked())), Some(Kind::Wrong));
        // A judge who promises that there are none has broken the promise.
        assert_eq!(kind(judged_on(&UNSOLVABLE, "hdu3567", path(None, "u"), "u", unasked())), Some(Kind::Jury));
    }

    #[test]
    fn more_moves_than_count_are_no_solution() {
        let long = "UD".repeat(18);
        let upper = CANONICAL.to_uppercase();
        let judged = |what, text: &str, ours: &str| kind(judged("lightoj15", what, text, shortest(ours)));
        assert_eq!(judged(What::Unsolvable, "", &long), None);
        assert_eq!(judged(What::Unsolvable, "", &upper), Some(Kind::Wrong));
        assert_eq!(judged(path(None, &upper), &upper, &upper), None);
        assert_eq!(judged(path(None, &upper), &upper, &long), Some(Kind::Wrong));
    }

    #[test]
    fn without_a_solution_of_ours_the_jury_decides() {
        let unknown = || Ok(Solution::Unknown { lower_bound: 17, limit: Limit::Nodes });
        let rules = Rules::new(&Profile::named("hdu3567").unwrap().answer.unwrap(), None, None);
        let goal = GoalSpec::BlankLast.on(Shape::new(3, 3).unwrap()).unwrap();
        let mut solve = unknown;
        let examiner = Examiner::new(&rules, &goal, &goal, &mut solve);
        let unproven = |text: &str| match judged("hdu3567", path(None, text), text, unknown()) {
            Ok(Standing::Unproven(unproven)) => unproven,
            other => panic!("{other:?}"),
        };
        let [first, later, longer] = [CANONICAL, "ullddrurdllurdruldr", &format!("{CANONICAL}ud")].map(unproven);
        let compared = |answer, jury| examiner.compare(answer, jury).err().map(|fault| fault.kind);
        assert_eq!(compared(&first, &first), None);
        assert_eq!(compared(&later, &first), Some(Kind::Wrong));
        assert_eq!(compared(&first, &later), Some(Kind::Jury));
        assert_eq!(compared(&longer, &first), Some(Kind::Wrong));
        assert_eq!(compared(&first, &longer), Some(Kind::Jury));
        assert_eq!(examiner.undecided().kind, Kind::Undecided);
    }

    #[test]
    fn the_path_is_replayed_before_anything_is_asked_of_it() {
        let goal: Path = CANONICAL.parse().unwrap();
        assert_eq!(goal.len(), 19);
        assert!(matches!(
            judged("poj1077", path(None, CANONICAL), CANONICAL, Err("unasked".into())),
            Ok(Standing::Proven)
        ));
    }
}
