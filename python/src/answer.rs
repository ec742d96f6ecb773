//! `taquin.Answer`: the answer to one board.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use taquin::arrays::Solvability;
use taquin::{Answer, Board, Path, pictures};

use crate::board::{PyBoard, array_of};

/// The answer to one board.
///
/// Attributes
/// ----------
/// status : str
///     ``'solved'``; ``'unsolvable'``, like half of all boards; ``'unsolved'`` if a limit left the
///     board without a path.
/// moves : int or None
///     The number of moves of the path. None if there is no path.
/// path : str or None
///     The moves of the blank in letters D, L, R, U. A search for shortest paths returns the
///     alphabetically first of them. None if there is no path.
/// optimal : bool
///     True if it is proven that no path is shorter.
/// lower_bound : int or None
///     A proven lower bound on the length of every path. None if the board is unsolvable.
/// limit : str or None
///     The limit that prevented a path, a better path or a proof: ``time``, ``nodes``, ``memory``
///     or ``effort``. None if there was no such limit.
/// board, goal : Board
///     The board and its goal.
#[pyclass(name = "Answer", module = "taquin", frozen)]
pub struct PyAnswer {
    board: Board,
    goal: Board,
    parts: AnswerParts,
}

/// All parts of an answer except the board and the goal.
#[derive(Clone, PartialEq, Eq)]
pub struct AnswerParts {
    /// The status, an index into [`STATUSES`].
    pub status: u8,
    /// The path, if there is one.
    pub path: Option<Path>,
    /// A proven lower bound on the length of every path, or 0 if the board is unsolvable.
    pub lower_bound: u64,
    /// The limit that prevented a path, a better path or a proof.
    pub limit: Option<&'static str>,
}

/// The names of the statuses, by code. The last two occur only in results of many boards, for
/// skipped rows.
pub const STATUSES: [&str; 5] = ["solved", "unsolvable", "unsolved", "invalid", "null"];
/// Solved.
pub const SOLVED: u8 = 0;
/// No solution exists.
pub const UNSOLVABLE: u8 = 1;
/// A limit ended the search.
pub const UNSOLVED: u8 = 2;
/// Not a board, or a board that the goal does not fit.
pub const INVALID: u8 = 3;
/// A null row.
pub const NULL: u8 = 4;

impl AnswerParts {
    /// Converts an answer of the library.
    pub fn of(answer: Answer) -> AnswerParts {
        match answer {
            Answer::Solved(solution) => AnswerParts {
                status: SOLVED,
                lower_bound: solution.lower_bound(),
                limit: solution.limit.map(|limit| limit.name()),
                path: Some(solution.path),
            },
            Answer::Unsolvable => AnswerParts { status: UNSOLVABLE, path: None, lower_bound: 0, limit: None },
            Answer::Unsolved { lower_bound, limit } => {
                AnswerParts { status: UNSOLVED, path: None, lower_bound, limit: Some(limit.name()) }
            }
            _ => unreachable!("there is no other kind of answer"),
        }
    }
}

impl PyAnswer {
    /// Creates the answer to a board with a goal.
    pub fn new(board: Board, goal: Board, parts: AnswerParts) -> PyAnswer {
        PyAnswer { board, goal, parts }
    }
}

#[pymethods]
impl PyAnswer {
    #[getter]
    fn status(&self) -> &'static str {
        STATUSES[usize::from(self.parts.status)]
    }

    #[getter]
    fn moves(&self) -> Option<usize> {
        self.parts.path.as_ref().map(Path::len)
    }

    #[getter]
    fn path(&self) -> Option<&str> {
        self.parts.path.as_ref().map(Path::as_str)
    }

    #[getter]
    fn optimal(&self) -> bool {
        self.parts.path.as_ref().is_some_and(|path| path.len() as u64 == self.parts.lower_bound)
    }

    #[getter]
    fn lower_bound(&self) -> Option<u64> {
        (self.parts.status != UNSOLVABLE).then_some(self.parts.lower_bound)
    }

    #[getter]
    fn limit(&self) -> Option<&'static str> {
        self.parts.limit
    }

    #[getter]
    fn board(&self) -> PyBoard {
        PyBoard::new(self.board.clone())
    }

    #[getter]
    fn goal(&self) -> PyBoard {
        PyBoard::new(self.goal.clone())
    }

    /// Returns all boards on the path.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray of uint8, shape (moves + 1, rows, cols)
    ///     From the board to the goal. For boards of more than 256 cells, the dtype is uint16.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If there is no path.
    fn boards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut boards = vec![self.board.clone()];
        for step in self.require_path()?.moves() {
            boards.push(
                boards[boards.len() - 1]
                    .after(step)
                    .ok_or_else(|| PyValueError::new_err("the path leads off the board"))?,
            );
        }
        let (rows, cols) = (self.board.shape().rows(), self.board.shape().cols());
        array_of(py, &boards, &[boards.len(), rows, cols])
    }

    /// Replays the path, or checks by parity that the board is unsolvable.
    ///
    /// Returns
    /// -------
    /// bool
    ///     True if every move is possible and the last one reaches the goal. For an unsolvable
    ///     board, True if parity proves it.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the board is unsolved, because there is nothing to check.
    fn verify(&self) -> PyResult<bool> {
        if self.parts.status == UNSOLVABLE {
            let tiles: Vec<u16> = self.board.tiles().iter().map(|tile| tile.label() as u16).collect();
            let mut solvable = [true];
            return Ok(Solvability::new(&self.goal).fill(&tiles, &mut solvable) == 1 && !solvable[0]);
        }
        let mut board = Some(self.board.clone());
        for step in self.require_path()?.moves() {
            board = board.and_then(|board| board.after(step));
        }
        Ok(board.as_ref() == Some(&self.goal))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<PyAnswer>() else { return false };
        let other = other.get();
        self.board == other.board && self.goal == other.goal && self.parts == other.parts
    }

    fn __repr__(&self) -> String {
        let mut text = format!("Answer(status='{}'", self.status());
        if let Some(path) = self.path() {
            let shown = if path.len() > 100 { format!("{}…", &path[..100]) } else { path.to_string() };
            text += &format!(", moves={}, path='{shown}'", path.len());
        }
        if self.parts.status == UNSOLVED || (self.parts.path.is_some() && !self.optimal()) {
            text += &format!(", lower_bound={}", self.parts.lower_bound);
        }
        if let Some(limit) = self.parts.limit {
            text += &format!(", limit='{limit}'");
        }
        text + ")"
    }

    /// Returns the solution as an animated SVG for Jupyter, or the board if there is no path.
    fn _repr_svg_(&self) -> String {
        let moving = self.parts.path.as_ref().and_then(|path| pictures::moving(&self.board, path));
        inline(&moving.unwrap_or_else(|| pictures::still(&self.board, &self.goal, self.status())))
    }
}

/// Removes the XML declaration of an SVG, so that it can be embedded in a page.
pub fn inline(svg: &str) -> String {
    svg.find("<svg").map_or(svg, |start| &svg[start..]).to_string()
}

impl PyAnswer {
    fn require_path(&self) -> PyResult<&Path> {
        let no_path = || PyValueError::new_err(format!("there is no path: the board is {}", self.status()));
        self.parts.path.as_ref().ok_or_else(no_path)
    }
}
