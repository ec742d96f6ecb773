//! `taquin.Answer`: what a solver says of one board.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use taquin::arrays::Solvability;
use taquin::{Answer, Board, Path, pictures};

use crate::board::{PyBoard, array_of};

/// What a solver says of a board.
///
/// Attributes
/// ----------
/// status : str
///     ``'solved'``; ``'unsolvable'`` where parity forbids it, as for half of all boards; ``'unsolved'`` where a limit
///     came first.
/// moves : int or None
///     The number of moves of the path.
/// path : str or None
///     The moves of the blank in letters D, L, R, U: of all shortest paths the first in this order.
/// optimal : bool
///     Whether it is proven that no path is shorter.
/// lower_bound : int or None
///     Proven: no path has fewer moves. None where there is no path.
/// limit : str or None
///     What kept the path from being found, or from being better: ``time``, ``nodes``, ``memory``, ``effort``.
/// board, goal : Board
///     What was solved, and to what.
#[pyclass(name = "Answer", module = "taquin", frozen)]
pub struct PyAnswer {
    board: Board,
    goal: Board,
    said: Said,
}

/// What is said, without the board.
#[derive(Clone, PartialEq, Eq)]
pub struct Said {
    /// Its status, by [`STATUSES`].
    pub status: u8,
    /// The path, where there is one.
    pub path: Option<Path>,
    /// Proven: no path has fewer moves.
    pub lower_bound: u64,
    /// What ended the search.
    pub limit: Option<&'static str>,
}

/// The statuses by their numbers; the last two are those of rows which are no boards.
pub const STATUSES: [&str; 5] = ["solved", "unsolvable", "unsolved", "invalid", "null"];
/// Solved.
pub const SOLVED: u8 = 0;
/// Without a solution.
pub const UNSOLVABLE: u8 = 1;
/// Ended by a limit.
pub const UNSOLVED: u8 = 2;
/// No board.
pub const INVALID: u8 = 3;
/// Nothing.
pub const NULL: u8 = 4;

impl Said {
    /// What an answer says.
    pub fn of(answer: Answer) -> Said {
        match answer {
            Answer::Solved(solution) => Said {
                status: SOLVED,
                lower_bound: solution.lower_bound(),
                limit: solution.limit().map(|limit| limit.name()),
                path: Some(solution.into_path()),
            },
            Answer::Unsolvable => Said { status: UNSOLVABLE, path: None, lower_bound: 0, limit: None },
            Answer::Unsolved { lower_bound, limit } => {
                Said { status: UNSOLVED, path: None, lower_bound, limit: Some(limit.name()) }
            }
            _ => unreachable!("there is no other answer"),
        }
    }
}

impl PyAnswer {
    /// An answer to a board and its goal.
    pub fn new(board: Board, goal: Board, said: Said) -> PyAnswer {
        PyAnswer { board, goal, said }
    }
}

#[pymethods]
impl PyAnswer {
    #[getter]
    fn status(&self) -> &'static str {
        STATUSES[usize::from(self.said.status)]
    }

    #[getter]
    fn moves(&self) -> Option<usize> {
        self.said.path.as_ref().map(Path::len)
    }

    #[getter]
    fn path(&self) -> Option<&str> {
        self.said.path.as_ref().map(Path::as_str)
    }

    #[getter]
    fn optimal(&self) -> bool {
        self.said.path.as_ref().is_some_and(|path| path.len() as u64 == self.said.lower_bound)
    }

    #[getter]
    fn lower_bound(&self) -> Option<u64> {
        (self.said.status != UNSOLVABLE).then_some(self.said.lower_bound)
    }

    #[getter]
    fn limit(&self) -> Option<&'static str> {
        self.said.limit
    }

    #[getter]
    fn board(&self) -> PyBoard {
        PyBoard::new(self.board.clone())
    }

    #[getter]
    fn goal(&self) -> PyBoard {
        PyBoard::new(self.goal.clone())
    }

    /// Every board on the way.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray of uint8, shape (moves + 1, rows, cols)
    ///     From the board to the goal; uint16 above 256 cells.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     Where there is no path.
    fn boards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut boards = vec![self.board.clone()];
        for step in self.known_path()?.moves() {
            boards.push(
                boards[boards.len() - 1]
                    .after(step)
                    .ok_or_else(|| PyValueError::new_err("the path leads off the board"))?,
            );
        }
        let (rows, cols) = (self.board.shape().rows(), self.board.shape().cols());
        array_of(py, &boards, &[boards.len(), rows, cols])
    }

    /// Replays the path, or checks by parity that there is none.
    ///
    /// Returns
    /// -------
    /// bool
    ///     Whether every move can be made and the last leads to the goal; of a board without a solution, whether parity
    ///     says so.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     Where it was not solved: then there is nothing to check.
    fn verify(&self) -> PyResult<bool> {
        if self.said.status == UNSOLVABLE {
            let tiles: Vec<u16> = self.board.tiles().iter().map(|tile| tile.label() as u16).collect();
            let mut solvable = [true];
            return Ok(Solvability::new(&self.goal).fill(&tiles, &mut solvable) == 1 && !solvable[0]);
        }
        let mut board = Some(self.board.clone());
        for step in self.known_path()?.moves() {
            board = board.and_then(|board| board.after(step));
        }
        Ok(board.as_ref() == Some(&self.goal))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<PyAnswer>() else { return false };
        let other = other.get();
        self.board == other.board && self.goal == other.goal && self.said == other.said
    }

    fn __repr__(&self) -> String {
        let mut text = format!("Answer(status='{}'", self.status());
        if let Some(path) = self.path() {
            let shown = if path.len() > 100 { format!("{}…", &path[..100]) } else { path.to_string() };
            text += &format!(", moves={}, path='{shown}'", path.len());
        }
        if self.said.status == UNSOLVED || (self.said.path.is_some() && !self.optimal()) {
            text += &format!(", lower_bound={}", self.said.lower_bound);
        }
        if let Some(limit) = self.said.limit {
            text += &format!(", limit='{limit}'");
        }
        text + ")"
    }

    /// The solution as a picture that moves, for Jupyter; the board where there is none.
    fn _repr_svg_(&self) -> String {
        let moving = self.said.path.as_ref().and_then(|path| pictures::moving(&self.board, path));
        inline(&moving.unwrap_or_else(|| pictures::still(&self.board, &self.goal, self.status())))
    }
}

/// A picture that stands within a page rather than in a file of its own.
pub fn inline(svg: &str) -> String {
    svg.find("<svg").map_or(svg, |start| &svg[start..]).to_string()
}

impl PyAnswer {
    fn known_path(&self) -> PyResult<&Path> {
        let none = || PyValueError::new_err(format!("there is no path: the board is {}", self.status()));
        self.said.path.as_ref().ok_or_else(none)
    }
}
