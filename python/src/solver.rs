//! `taquin.Solver`, which also works after a fork.
//!
//! A forked child does not have the solver's threads, and locks that they held are never released.
//! So a [`PySolver`] remembers its process. In another process it creates a new native solver with
//! the same settings, and never touches the old one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use taquin::internal::tools::improve::improve_path;
use taquin::{EngineKind, Goal, HeuristicChoice, Quality, Shape, Solver, SolverBuilder, Worker};

use crate::answer::{AnswerParts, PyAnswer, UNSOLVED};
use crate::board::array_of;
use crate::checked::{CheckedRows, Failure};
use crate::column::PyColumn;
use crate::distances::distances;
use crate::errors::{LimitError, exception_of_error};
use crate::estimates::{estimates, goal_that_may_need_tables};
use crate::files::{self, PyFileResults, ReadOptions};
use crate::first_moves::first_moves;
use crate::generate::{self, Request};
use crate::interruptible::{self, Control};
use crate::options::{self, CallLimits, OnError};
use crate::progress::Progress;
use crate::results::PyResults;
use crate::rows::{Source, board_of};
use crate::solvable::is_solvable;
use crate::solve_many::solve_many;

/// Boards of at most this many cells are solved on the calling thread, without checks for signals.
const MAX_DIRECT_CELLS: usize = 9;

/// Node limit for proving an improved path shortest, the same as in `taquin improve`.
const PROOF_NODES: u64 = 20_000_000;

/// The engines that a caller may name.
const ENGINES: [EngineKind; 4] =
    [EngineKind::Lookup, EngineKind::Bidirectional, EngineKind::AStar, EngineKind::IdaStar];

/// The solvers that a [`PySolver`] uses in one process.
pub struct Solvers {
    /// The solver with the requested settings.
    pub solver: Solver,
    /// A solver for proven shortest paths, if `solver` may return other paths.
    proof_solver: OnceLock<Solver>,
    /// A solver for estimates, which need other tables than searches.
    estimate_solver: OnceLock<Solver>,
    builder: SolverBuilder,
    allows_good_paths: bool,
    /// A worker for single small boards.
    worker: Mutex<Worker>,
}

impl Solvers {
    fn new(builder: &SolverBuilder, allows_good_paths: bool) -> Result<Solvers, taquin::Error> {
        let solver = builder.clone().build()?;
        let worker = Mutex::new(solver.worker());
        let (proof_solver, estimate_solver) = (OnceLock::new(), OnceLock::new());
        Ok(Solvers { solver, proof_solver, estimate_solver, builder: builder.clone(), allows_good_paths, worker })
    }

    /// Returns a solver for proven shortest paths of boards of this shape, or of any shape if
    /// `shape` is `None`.
    pub fn proving(&self, shape: Option<Shape>) -> Result<&Solver, taquin::Error> {
        if !self.allows_good_paths && shape.is_some_and(|shape| shape.cells() <= 25) {
            return Ok(&self.solver);
        }
        if let Some(solver) = self.proof_solver.get() {
            return Ok(solver);
        }
        let solver = self.builder.clone().quality(Quality::Shortest).fall_back(false).build()?;
        Ok(self.proof_solver.get_or_init(|| solver))
    }

    /// Returns the solver for estimates. It has a node limit that is never reached: with any node
    /// limit, the memory is divided for a fixed number of threads, so the estimates do not depend
    /// on the actual number.
    fn estimating(&self) -> Result<&Solver, taquin::Error> {
        if let Some(solver) = self.estimate_solver.get() {
            return Ok(solver);
        }
        let solver = self.builder.clone().node_limit(u64::MAX).build()?;
        Ok(self.estimate_solver.get_or_init(|| solver))
    }
}

/// A solver that uses all cores, within bounded memory.
///
/// A solver keeps the tables that it builds, so create one and reuse it. Any number of threads may
/// use it at once. After a fork, the child builds the tables again. The functions of the module use
/// one shared solver with default arguments.
///
/// Parameters
/// ----------
/// threads : int, optional
///     Number of threads; by default all that this process may use.
/// memory : int or str, optional
///     Total memory in bytes, as a number or as ``'4G'``; by default a quarter of what this process
///     may use.
/// engine : str, optional
///     The search algorithm; see ``docs/theory.md``. By default the best one for each board.
/// heuristic : str, optional
///     A heuristic, such as ``'7-8'`` for pattern databases, which are built when they are first
///     needed. By default the best one for each board.
/// quality : {'shortest', 'good'}, optional
///     Proven shortest paths, the default up to 25 cells, or good paths, the default for larger
///     boards.
/// effort : int, optional
///     The effort for a good path, from 1 to 9; by default 5.
/// fallback : {'good'}, optional
///     Find a good path if a limit is reached before a path is proven shortest.
/// time_limit : float or timedelta, optional
///     Time limit for each board, in seconds.
/// node_limit : int, optional
///     Maximum number of nodes for each board. Unlike with a time limit, the answers are the same
///     on every machine with the same memory.
///
/// Examples
/// --------
/// >>> import taquin
/// >>> solver = taquin.Solver(threads=1)
/// >>> solver.solve("2 3 4/1 5 0/7 6 8").moves
/// 19
#[pyclass(name = "Solver", module = "taquin", frozen)]
pub struct PySolver {
    builder: SolverBuilder,
    allows_good_paths: bool,
    /// The process ID, and the solvers of that process. A call holds the lock only to copy the
    /// reference or, the first time after a fork, to replace the solvers. Meanwhile the calling
    /// thread stays attached to Python, so no other thread holds the lock at a fork.
    solvers: Mutex<(u32, Arc<Solvers>)>,
    settings: String,
}

impl PySolver {
    /// Returns the solvers of this process.
    pub fn solvers(&self) -> PyResult<Arc<Solvers>> {
        let mut solvers = self.solvers.lock().unwrap_or_else(PoisonError::into_inner);
        let process = std::process::id();
        if solvers.0 != process {
            let new =
                Solvers::new(&self.builder, self.allows_good_paths).map_err(|error| exception_of_error(&error))?;
            let (_, old) = std::mem::replace(&mut *solvers, (process, Arc::new(new)));
            // The old threads do not exist in this process, and dropping `old` would wait for them.
            std::mem::forget(old);
        }
        Ok(Arc::clone(&solvers.1))
    }

    /// Returns new solvers with these limits or, without limits, the solvers of this process.
    pub fn limited(&self, limits: (Option<std::time::Duration>, Option<u64>)) -> PyResult<Arc<Solvers>> {
        if limits == (None, None) {
            return self.solvers();
        }
        let mut builder = self.builder.clone();
        if let Some(time) = limits.0 {
            builder = builder.time_limit(time);
        }
        if let Some(nodes) = limits.1 {
            builder = builder.node_limit(nodes);
        }
        Solvers::new(&builder, self.allows_good_paths).map(Arc::new).map_err(|error| exception_of_error(&error))
    }
}

impl Drop for PySolver {
    fn drop(&mut self) {
        let solvers = self.solvers.get_mut().unwrap_or_else(PoisonError::into_inner);
        if solvers.0 != std::process::id() {
            // After a fork, leak one more reference, so that the old solvers are never dropped.
            std::mem::forget(Arc::clone(&solvers.1));
        }
    }
}

#[pymethods]
impl PySolver {
    #[new]
    #[pyo3(signature = (*, threads=None, memory=None, engine=None, heuristic=None, quality=None, effort=None, fallback=None, time_limit=None, node_limit=None))]
    #[allow(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    fn py_new(
        threads: Option<i64>,
        memory: Option<&Bound<'_, PyAny>>,
        engine: Option<&str>,
        heuristic: Option<&str>,
        quality: Option<&str>,
        effort: Option<i64>,
        fallback: Option<&str>,
        time_limit: Option<&Bound<'_, PyAny>>,
        node_limit: Option<u64>,
    ) -> PyResult<PySolver> {
        let (mut builder, mut settings) = (Solver::builder(), Vec::new());
        if let Some(threads) = threads {
            let count = usize::try_from(threads).map_err(|_| PyValueError::new_err("threads must be at least 1"))?;
            builder = builder.threads(count);
            settings.push(format!("threads={threads}"));
        }
        if let Some(bytes) = options::bytes(memory)? {
            builder = builder.memory(bytes);
            settings.push(format!("memory={bytes}"));
        }
        if let Some(engine) = engine.filter(|&engine| engine != "auto") {
            let kind = ENGINES.into_iter().find(|kind| kind.name() == engine);
            let names = || ENGINES.map(|kind| kind.name()).join(", ");
            builder = builder
                .engine(kind.ok_or_else(|| PyValueError::new_err(format!("engine must be one of {}", names())))?);
            settings.push(format!("engine='{engine}'"));
        }
        if let Some(heuristic) = heuristic {
            builder =
                builder.heuristic(heuristic.parse::<HeuristicChoice>().map_err(|error| exception_of_error(&error))?);
            settings.push(format!("heuristic='{heuristic}'"));
        }
        let quality = match quality {
            None => None,
            Some(name) => {
                Some(Quality::ALL.into_iter().find(|quality| quality.name() == name).ok_or_else(|| {
                    PyValueError::new_err(format!("quality must be 'shortest' or 'good', not '{name}'"))
                })?)
            }
        };
        if let Some(quality) = quality {
            builder = builder.quality(quality);
            settings.push(format!("quality='{}'", quality.name()));
        }
        if let Some(effort) = effort {
            builder = builder.effort(u8::try_from(effort).unwrap_or(0));
            settings.push(format!("effort={effort}"));
        }
        match fallback {
            None => {}
            Some("good") => {
                builder = builder.fall_back(true);
                settings.push("fallback='good'".into());
            }
            Some(other) => {
                return Err(PyValueError::new_err(format!("fallback must be 'good' or None, not '{other}'")));
            }
        }
        if let Some(time) = options::time(time_limit)? {
            builder = builder.time_limit(time);
            settings.push(format!("time_limit={}", time.as_secs_f64()));
        }
        if let Some(nodes) = node_limit {
            builder = builder.node_limit(nodes);
            settings.push(format!("node_limit={nodes}"));
        }
        let allows_good_paths = quality == Some(Quality::Good) || fallback.is_some();
        let solvers = Solvers::new(&builder, allows_good_paths).map_err(|error| exception_of_error(&error))?;
        let solvers = Mutex::new((std::process::id(), Arc::new(solvers)));
        Ok(PySolver { builder, allows_good_paths, solvers, settings: settings.join(", ") })
    }

    /// The number of threads.
    #[getter]
    fn threads(&self) -> PyResult<usize> {
        Ok(self.solvers()?.solver.threads())
    }

    /// Solves one board.
    ///
    /// Parameters
    /// ----------
    /// board : str, list, array or Board
    ///     Rows of integers (0 is the blank), a flat list of tiles for a square board or a board
    ///     of `shape`, or text such as ``'2 3 4/1 5 0/7 6 8'``.
    /// goal : str, list, array or Board, default 'blank-last'
    ///     ``'blank-last'``, ``'blank-first'``, ``'snail'``, or a board.
    /// shape : tuple of int or str, optional
    ///     ``(rows, cols)`` or ``'3x4'``, if the board does not determine it.
    /// time_limit : float or timedelta, optional
    ///     Time limit in seconds.
    /// node_limit : int, optional
    ///     Maximum number of nodes of the search. Unlike with a time limit, the answer is the same
    ///     on every machine with the same memory.
    /// raise_on_limit : bool, default False
    ///     Raise an exception if a limit leaves the board without a path.
    ///
    /// Returns
    /// -------
    /// Answer
    ///
    /// Raises
    /// ------
    /// BoardError
    ///     If the board or the goal is not a board, or if their shapes differ.
    /// LimitError
    ///     With `raise_on_limit`, if a limit leaves the board without a path.
    /// KeyboardInterrupt
    ///     On Ctrl-C, within 0.2 s. The solver remains usable.
    ///
    /// Examples
    /// --------
    /// >>> import taquin
    /// >>> taquin.solve("2 3 4/1 5 0/7 6 8")
    /// Answer(status='solved', moves=19, path='DLURULLDDRURDLLURDR')
    #[pyo3(signature = (board, *, goal=None, shape=None, time_limit=None, node_limit=None, raise_on_limit=false))]
    #[allow(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    fn solve(
        &self,
        py: Python<'_>,
        board: &Bound<'_, PyAny>,
        goal: Option<&Bound<'_, PyAny>>,
        shape: Option<&Bound<'_, PyAny>>,
        time_limit: Option<&Bound<'_, PyAny>>,
        node_limit: Option<u64>,
        raise_on_limit: bool,
    ) -> PyResult<PyAnswer> {
        let shape = options::shape(shape)?;
        let board = board_of(board, shape)?;
        let (goal, limits) = (options::goal(goal, shape)?, CallLimits::new(time_limit, node_limit)?);
        let goal_board = options::goal_on(&goal, board.shape())?;
        let solvers = self.solvers()?;
        let answer = if board.shape().cells() <= MAX_DIRECT_CELLS {
            let options = limits.options(&taquin::CancelToken::new());
            match solvers.worker.try_lock() {
                Ok(mut worker) => worker.solve_with(&board, &goal, &options),
                Err(_) => solvers.solver.worker().solve_with(&board, &goal, &options),
            }
        } else {
            self.build_heuristic_tables(py, &solvers, &goal_board)?;
            interruptible::run(py, &Progress::none(), |control| {
                solvers.solver.solve_with(&board, &goal, &limits.options(&control.cancel))
            })?
        };
        let parts = AnswerParts::of(answer.map_err(|error| exception_of_error(&error))?);
        if let (true, UNSOLVED, Some(limit)) = (raise_on_limit, parts.status, parts.limit) {
            return Err(LimitError::new_err((limit, parts.lower_bound)));
        }
        Ok(PyAnswer::new(board, goal_board, parts))
    }

    /// Solves many boards, in parallel.
    ///
    /// Parameters
    /// ----------
    /// boards : array, Arrow data or list
    ///     An array of integers of shape (N, rows, cols) or (N, rows * cols), of any integer dtype
    ///     and strides; an object with the Arrow PyCapsule interface whose boards are lists of
    ///     integers, lists of rows, or text (a ``polars.Series``, a ``pyarrow.Array``, a table with
    ///     one column or with a column called ``board``); or a list of anything that :meth:`solve`
    ///     accepts. Do not change `boards` during the call.
    /// goal, shape, time_limit, node_limit
    ///     As for :meth:`solve`. The limits apply to each board.
    /// paths : bool, default True
    ///     Keep the paths.
    /// errors : {'raise', 'mask'}, default 'raise'
    ///     ``'raise'`` raises for the first row that is not a board, before any board is solved.
    ///     ``'mask'`` marks such rows ``invalid`` and solves the others. Null rows are never
    ///     errors.
    /// progress : bool or callable, optional
    ///     ``True`` for a tqdm bar, or a function of (done, total), which is called on the calling
    ///     thread, at most 50 times a second.
    ///
    /// Returns
    /// -------
    /// Results
    ///     The answers, in the order of the boards.
    ///
    /// Raises
    /// ------
    /// BoardError
    ///     For the first row that is not a board.
    #[pyo3(signature = (boards, *, goal=None, shape=None, time_limit=None, node_limit=None, paths=true, errors="raise", progress=None))]
    #[allow(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    fn solve_many<'py>(
        &self,
        py: Python<'py>,
        boards: &Bound<'py, PyAny>,
        goal: Option<&Bound<'py, PyAny>>,
        shape: Option<&Bound<'py, PyAny>>,
        time_limit: Option<&Bound<'py, PyAny>>,
        node_limit: Option<u64>,
        paths: bool,
        errors: &str,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<PyResults> {
        let call = Call::new(self, py, (boards, goal, shape), (time_limit, node_limit), errors)?;
        let rows = call.source.rows();
        let progress = Progress::new(progress, Some(rows.len()))?;
        let columns = interruptible::run(py, &progress, |control| {
            let options = call.limits.options(&control.cancel);
            solve_many(&*rows, &call.goal, &call.solvers.solver, &options, (paths, call.on_error), control)
        })??;
        drop(rows);
        Ok(PyResults::new(columns, paths, call.source.keep(), call.goal))
    }

    /// Returns the lengths of proven shortest paths of many boards.
    ///
    /// Parameters
    /// ----------
    /// boards, goal, shape, time_limit, node_limit, errors, progress
    ///     As for :meth:`solve_many`.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray of int32, shape (N,), or Column
    ///     Moves; -1 if there is no solution; -2 if no path was found and proven shortest within
    ///     the limits; -3 if the row is not a board (null or masked). For Arrow input, a
    ///     :class:`Column` with null instead of -3.
    ///
    /// Raises
    /// ------
    /// BoardError
    ///     For the first row that is not a board.
    ///
    /// Examples
    /// --------
    /// >>> import numpy, taquin
    /// >>> taquin.distances(numpy.array([[1, 2, 3, 4, 5, 6, 7, 0, 8], [1, 2, 3, 4, 5, 6, 8, 7, 0]]))
    /// array([ 1, -1], dtype=int32)
    #[pyo3(signature = (boards, *, goal=None, shape=None, time_limit=None, node_limit=None, errors="raise", progress=None))]
    #[allow(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    fn distances<'py>(
        &self,
        py: Python<'py>,
        boards: &Bound<'py, PyAny>,
        goal: Option<&Bound<'py, PyAny>>,
        shape: Option<&Bound<'py, PyAny>>,
        time_limit: Option<&Bound<'py, PyAny>>,
        node_limit: Option<u64>,
        errors: &str,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        use numpy::IntoPyArray;
        let call = Call::new(self, py, (boards, goal, shape), (time_limit, node_limit), errors)?;
        let rows = call.source.rows();
        let progress = Progress::new(progress, Some(rows.len()))?;
        let (lengths, has_skipped_rows) = interruptible::run(py, &progress, |control| {
            let solver = call.solvers.proving(rows.shape())?;
            distances(&*rows, &call.goal, solver, &call.limits.options(&control.cancel), call.on_error, control)
        })??;
        match call.source.is_arrow() {
            true => Ok(Bound::new(py, PyColumn::of_lengths(lengths, has_skipped_rows))?.into_any()),
            false => Ok(lengths.into_pyarray(py).into_any()),
        }
    }

    /// Estimates the work for many boards without solving them.
    ///
    /// The result is the number of nodes that a search for a shortest path is expected to generate,
    /// estimated from a sample of the search. It is usually within a factor of two of the actual
    /// number. A 15-puzzle takes one thread about 0.02 s, and a 24-puzzle about a second; the
    /// boards are divided among all threads. The first call builds tables in a few seconds. They
    /// are kept in addition to the tables for solving, so a solver that estimates and solves may
    /// use twice its `memory`. ``taquin solve --fields estimated_nodes`` gives the same numbers;
    /// see ``docs/formats.md``.
    ///
    /// Parameters
    /// ----------
    /// boards, goal, shape, errors, progress
    ///     As for :meth:`solve_many`.
    /// time_limit : float or timedelta, optional
    ///     Time limit for the estimate of each board, in seconds.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray of float64, shape (N,), or Column
    ///     Nodes, the same for any number of threads. 0 if nothing is searched: there is no
    ///     solution, or a table contains the answer (up to twelve cells, unless memory is short).
    ///     NaN if the row is not a board, or if the estimate is not known: the board has more than
    ///     25 cells, the engine is not ``'idastar'``, or the time limit was reached. For Arrow
    ///     input, a :class:`Column` with null instead of NaN.
    ///
    /// Raises
    /// ------
    /// BoardError
    ///     For the first row that is not a board.
    ///
    /// Examples
    /// --------
    /// >>> import numpy, taquin
    /// >>> solver = taquin.Solver(heuristic="6-6-3")
    /// >>> boards = numpy.array([[5, 1, 2, 4, 9, 6, 3, 8, 0, 10, 7, 11, 13, 14, 15, 12], [*range(1, 14), 15, 14, 0]])
    /// >>> solver.estimate(boards)
    /// array([19.,  0.])
    #[pyo3(signature = (boards, *, goal=None, shape=None, time_limit=None, errors="raise", progress=None))]
    #[allow(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    fn estimate<'py>(
        &self,
        py: Python<'py>,
        boards: &Bound<'py, PyAny>,
        goal: Option<&Bound<'py, PyAny>>,
        shape: Option<&Bound<'py, PyAny>>,
        time_limit: Option<&Bound<'py, PyAny>>,
        errors: &str,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        use numpy::IntoPyArray;
        let call = Call::parse(self, (boards, goal, shape), (time_limit, None), errors)?;
        let rows = call.source.rows();
        let progress = Progress::new(progress, Some(rows.len()))?;
        let solver = call.solvers.estimating().map_err(|error| exception_of_error(&error))?;
        let (checked, goal) = interruptible::run(py, &Progress::none(), |control| {
            let checked = CheckedRows::new(&*rows, &call.goal, solver, call.on_error, control)?;
            let goal = goal_that_may_need_tables(&*rows, &checked, control);
            Ok::<_, Failure>((checked, goal))
        })??;
        if let Some(goal) = goal {
            let solver = solver.clone();
            let untimed = taquin::SolveOptions::new().time_limit(std::time::Duration::MAX);
            // The goal needs no search, so its estimate only builds the tables.
            run_to_end(py, move || drop(solver.worker().estimate(&goal, &Goal::from(&goal), &untimed)))?;
        }
        let nodes = interruptible::run(py, &progress, |control| {
            estimates(&*rows, &checked, solver, &call.limits.options(&control.cancel), control)
        })??;
        match call.source.is_arrow() {
            true => Ok(Bound::new(py, PyColumn::of_numbers(nodes))?.into_any()),
            false => Ok(nodes.into_pyarray(py).into_any()),
        }
    }

    /// Determines which of many boards have a solution.
    ///
    /// Parameters
    /// ----------
    /// boards, goal, shape, errors
    ///     As for :meth:`solve_many`. Boards may have up to 255×255 cells. Nothing is solved.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray of bool, shape (N,), or Column
    ///     True for solvable boards; False for unsolvable boards and for rows that are not boards.
    ///     For Arrow input, a :class:`Column` with null for rows that are not boards.
    ///
    /// Raises
    /// ------
    /// BoardError
    ///     For the first row that is not a board.
    #[pyo3(signature = (boards, *, goal=None, shape=None, errors="raise"))]
    fn is_solvable<'py>(
        &self,
        py: Python<'py>,
        boards: &Bound<'py, PyAny>,
        goal: Option<&Bound<'py, PyAny>>,
        shape: Option<&Bound<'py, PyAny>>,
        errors: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        use numpy::IntoPyArray;
        let call = Call::new(self, py, (boards, goal, shape), (None, None), errors)?;
        let rows = call.source.rows();
        let (solvable, skipped_rows) = interruptible::run(py, &Progress::none(), |control| {
            is_solvable(&*rows, &call.goal, &call.solvers.solver, call.on_error, control)
        })??;
        match call.source.is_arrow() {
            true => Ok(Bound::new(py, PyColumn::of_flags(solvable, &skipped_rows))?.into_any()),
            false => Ok(solvable.into_pyarray(py).into_any()),
        }
    }

    /// Determines which first moves are on a shortest path: labels for machine learning.
    ///
    /// Parameters
    /// ----------
    /// boards, goal, shape, errors, progress
    ///     As for :meth:`solve_many`.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray of bool, shape (N, 4), or Column
    ///     Columns D, L, R, U, the blank's moves. All are False if the board is the goal, has no
    ///     solution, or was not solved within the solver's limits, or if the row is not a board.
    ///     For Arrow input, a :class:`Column` of lists, with null for rows that are not boards.
    ///
    /// Raises
    /// ------
    /// BoardError
    ///     For the first row that is not a board.
    #[pyo3(signature = (boards, *, goal=None, shape=None, errors="raise", progress=None))]
    #[allow(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    fn optimal_moves<'py>(
        &self,
        py: Python<'py>,
        boards: &Bound<'py, PyAny>,
        goal: Option<&Bound<'py, PyAny>>,
        shape: Option<&Bound<'py, PyAny>>,
        errors: &str,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        use numpy::IntoPyArray;
        use numpy::ndarray::Array2;
        let call = Call::new(self, py, (boards, goal, shape), (None, None), errors)?;
        let rows = call.source.rows();
        let progress = Progress::new(progress, Some(rows.len()))?;
        let (moves, skipped_rows) = interruptible::run(py, &progress, |control| {
            let solver = call.solvers.proving(rows.shape())?;
            first_moves(&*rows, &call.goal, solver, call.on_error, control)
        })??;
        if call.source.is_arrow() {
            return Ok(Bound::new(py, PyColumn::of_moves(&moves, &skipped_rows))?.into_any());
        }
        let moves = Array2::from_shape_vec((moves.len() / 4, 4), moves);
        let moves = moves.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(moves.into_pyarray(py).into_any())
    }

    /// Shortens a path from another source. The result is never longer than that path.
    ///
    /// Parameters
    /// ----------
    /// board, goal, shape
    ///     As for :meth:`solve`.
    /// path : str
    ///     Moves of the blank in letters D, L, R, U, from the board to the goal.
    ///
    /// Returns
    /// -------
    /// Answer
    ///     The best path found within the solver's `effort` and limits, with its proven lower
    ///     bound.
    ///
    /// Raises
    /// ------
    /// BoardError
    ///     If the path does not lead to the goal.
    #[pyo3(signature = (board, path, *, goal=None, shape=None))]
    fn improve(
        &self,
        py: Python<'_>,
        board: &Bound<'_, PyAny>,
        path: &str,
        goal: Option<&Bound<'_, PyAny>>,
        shape: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyAnswer> {
        let shape = options::shape(shape)?;
        let board = board_of(board, shape)?;
        let goal = options::goal_on(&options::goal(goal, shape)?, board.shape())?;
        let path = path.parse::<taquin::Path>().map_err(|error| exception_of_error(&error))?;
        let solvers = self.solvers()?;
        let nodes = (!self.allows_good_paths).then_some(PROOF_NODES);
        let improved = interruptible::run(py, &Progress::none(), |control| {
            improve_path(&board, &goal, &path, &solvers.solver, nodes, &control.cancel)
        })?;
        let parts = AnswerParts::of(improved.map_err(|error| exception_of_error(&error))?);
        Ok(PyAnswer::new(board, goal, parts))
    }

    /// Generates boards. ``taquin generate`` makes the same boards from the same seed.
    ///
    /// Parameters
    /// ----------
    /// shape : tuple of int or str
    ///     ``(rows, cols)`` or ``'4x4'``.
    /// count : int
    ///     Number of boards.
    /// goal : str, list, array or Board, default 'blank-last'
    ///     As for :meth:`solve`.
    /// moves : int, tuple of int or str, optional
    ///     Length of the shortest solutions: a number, ``(min, max)``, or text such as ``'20..30'``
    ///     or ``'20..'``.
    /// spread : {'natural', 'even'}, optional
    ///     Distribution of these lengths; ``'even'`` makes the same number of boards of each
    ///     length.
    /// difficulty : {'easy', 'medium', 'hard'}, optional
    ///     Instead of `moves`: the quarter of all boards with the shortest solutions, the middle
    ///     half, or the quarter with the longest.
    /// walk : int, tuple of int or str, optional
    ///     Instead of `moves`: the length of random walks from the goal.
    /// unsolvable : float, default 0
    ///     Share of boards without a solution.
    /// unique : bool, default False
    ///     Reject a board that repeats an earlier one, or that is the reflection of an earlier
    ///     one, if the reflection keeps the goal's blank in place.
    /// seed : int, default 0
    ///     Seed of the random boards.
    /// progress : bool or callable, optional
    ///     As for :meth:`solve_many`.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray of uint8, shape (count, rows, cols)
    ///     For boards of more than 256 cells, the dtype is uint16.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If fewer than `count` such boards exist.
    #[pyo3(signature = (shape, count, *, goal=None, moves=None, spread=None, difficulty=None, walk=None, unsolvable=0.0, unique=false, seed=0, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    fn generate<'py>(
        &self,
        py: Python<'py>,
        shape: &Bound<'py, PyAny>,
        count: u64,
        goal: Option<&Bound<'py, PyAny>>,
        moves: Option<&Bound<'py, PyAny>>,
        spread: Option<&str>,
        difficulty: Option<&str>,
        walk: Option<&Bound<'py, PyAny>>,
        unsolvable: f64,
        unique: bool,
        seed: u64,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let shape = options::shape(Some(shape))?;
        let goal = options::goal(goal, shape)?;
        let Some(shape) = shape else { return Err(PyValueError::new_err("a shape is required")) };
        let request = Request::new(shape, count, &goal, moves, (spread, difficulty), walk, unsolvable, unique, seed)?;
        let (solvers, progress) = (self.solvers()?, Progress::new(progress, usize::try_from(count).ok())?);
        let boards = interruptible::run(py, &progress, |control| request.boards(&solvers.solver, control))?;
        let boards = boards.map_err(|error| generate::generate_error(&error))?;
        array_of(py, &boards, &[boards.len(), shape.rows(), shape.cols()])
    }

    /// Solves the boards of files, in bounded memory.
    ///
    /// Parameters
    /// ----------
    /// paths : path or iterable of paths
    ///     Files in any layout of ``docs/formats.md``, plain, ``.gz`` or ``.zst``, and folders of
    ///     them.
    /// goal : str, list, array or Board, optional
    ///     The goal of boards that do not state one.
    /// shape : tuple of int or str, optional
    ///     The shape of boards that are not square and do not state theirs.
    /// format : str, optional
    ///     The layout. By default it is detected.
    /// fields : str or iterable of str, optional
    ///     Names of fields of ``docs/formats.md``, or ``default``, ``analysis``, ``all``.
    /// time_limit, node_limit
    ///     Limits for each board. A call with a limit uses a separate solver, which builds its own
    ///     tables.
    ///
    /// Returns
    /// -------
    /// FileResults
    ///     An iterator of dicts, one per record, in order. A record that is not a board has the
    ///     status ``invalid``.
    #[pyo3(signature = (paths, *, goal=None, shape=None, format=None, fields=None, time_limit=None, node_limit=None))]
    #[allow(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    fn solve_files(
        &self,
        paths: &Bound<'_, PyAny>,
        goal: Option<&Bound<'_, PyAny>>,
        shape: Option<&Bound<'_, PyAny>>,
        format: Option<&str>,
        fields: Option<&Bound<'_, PyAny>>,
        time_limit: Option<&Bound<'_, PyAny>>,
        node_limit: Option<u64>,
    ) -> PyResult<PyFileResults> {
        let shape = options::shape(shape)?;
        let goal = goal.map(|goal| options::goal(Some(goal), shape)).transpose()?;
        let options = ReadOptions { paths: ReadOptions::paths(paths)?, goal, shape, layout: files::layout(format)? };
        let solvers = self.limited((options::time(time_limit)?, node_limit))?;
        PyFileResults::start(solvers, options, files::fields(fields)?)
    }

    /// Reads the boards of files into an array.
    ///
    /// Parameters
    /// ----------
    /// paths, shape, format
    ///     As for :meth:`solve_files`.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray of uint8, shape (N, rows, cols)
    ///     For boards of more than 256 cells, the dtype is uint16.
    ///
    /// Raises
    /// ------
    /// BoardError
    ///     For the first record that is not a board, or whose shape differs from the first one's.
    /// OSError
    ///     If a file cannot be read.
    #[pyo3(signature = (paths, *, shape=None, format=None))]
    fn read_boards<'py>(
        &self,
        py: Python<'py>,
        paths: &Bound<'py, PyAny>,
        shape: Option<&Bound<'py, PyAny>>,
        format: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let shape = options::shape(shape)?;
        let options =
            ReadOptions { paths: ReadOptions::paths(paths)?, goal: None, shape, layout: files::layout(format)? };
        let boards = interruptible::run(py, &Progress::none(), |control| options.boards(control))??;
        let (rows, cols) = boards.first().map_or((0, 0), |board| (board.shape().rows(), board.shape().cols()));
        array_of(py, &boards, &[boards.len(), rows, cols])
    }

    fn __repr__(&self) -> String {
        format!("Solver({})", self.settings)
    }
}

impl PySolver {
    /// Builds the tables of the heuristic that the caller chose, if any.
    fn build_heuristic_tables(&self, py: Python<'_>, solvers: &Arc<Solvers>, goal: &taquin::Board) -> PyResult<()> {
        if !self.settings.contains("heuristic=") || goal.shape().cells() > 25 {
            return Ok(());
        }
        let (solvers, goal) = (Arc::clone(solvers), goal.clone());
        // An error is ignored here: it occurs again when a board is solved, and is reported then.
        run_to_end(py, move || drop(solvers.solver.solve_to(&goal, &Goal::from(&goal))))
    }
}

/// Runs work that must not be interrupted, such as building tables, on a separate thread. If Ctrl-C
/// ends the wait, the thread still finishes. If no thread can be started, does nothing.
fn run_to_end(py: Python<'_>, work: impl FnOnce() + Send + 'static) -> PyResult<()> {
    let finished = Arc::new(interruptible::Finished::default());
    let done = Arc::clone(&finished);
    let thread = std::thread::Builder::new().name("tables".into()).spawn(move || {
        // After a panic the caller would otherwise wait forever.
        let _ = catch_unwind(AssertUnwindSafe(work));
        done.set();
    });
    if thread.is_ok() {
        while !py.detach(|| finished.wait()) {
            py.check_signals()?;
        }
    }
    Ok(())
}

/// The arguments `boards`, `goal` and `shape` of a call.
type BoardArguments<'a, 'py> = (&'a Bound<'py, PyAny>, Option<&'a Bound<'py, PyAny>>, Option<&'a Bound<'py, PyAny>>);

/// The parsed arguments of a call on many boards.
struct Call<'py> {
    source: Source<'py>,
    goal: Goal,
    shape: Option<Shape>,
    limits: CallLimits,
    on_error: OnError,
    solvers: Arc<Solvers>,
}

impl<'py> Call<'py> {
    /// Parses the arguments. If the shape of the boards is known, builds the tables of the
    /// heuristic that the caller chose.
    fn new(
        solver: &PySolver,
        py: Python<'py>,
        boards: BoardArguments<'_, 'py>,
        limits: (Option<&Bound<'py, PyAny>>, Option<u64>),
        errors: &str,
    ) -> PyResult<Call<'py>> {
        let call = Call::parse(solver, boards, limits, errors)?;
        if let Some(shape) = call.shape {
            let goal = options::goal_on(&call.goal, shape)?;
            solver.build_heuristic_tables(py, &call.solvers, &goal)?;
        }
        Ok(call)
    }

    /// Parses the arguments.
    fn parse(
        solver: &PySolver,
        (boards, goal, shape): BoardArguments<'_, 'py>,
        (time_limit, node_limit): (Option<&Bound<'py, PyAny>>, Option<u64>),
        errors: &str,
    ) -> PyResult<Call<'py>> {
        let on_error = OnError::new(errors)?;
        let requested = options::shape(shape)?;
        let mut source = Source::new(boards, requested)?;
        let mut shape = source.rows().shape().or(requested);
        let mut fitting = options::goal(goal, shape).and_then(|goal| {
            shape.map_or(Ok(()), |shape| options::goal_on(&goal, shape).map(drop))?;
            Ok(goal)
        });
        // Whether the rows of a column or list have the same shape, and which, depends on their
        // content. So each of them is masked if the goal does not fit.
        if fitting.is_err() && on_error == OnError::Mask && source.read_one_by_one(boards, requested)? {
            shape = requested;
            fitting = options::goal(goal, shape);
        }
        let goal = fitting?;
        let solvers = solver.solvers()?;
        Ok(Call { source, goal, shape, limits: CallLimits::new(time_limit, node_limit)?, on_error, solvers })
    }
}

/// Raises an internal error, for tests.
#[pyfunction]
pub fn _fail(py: Python<'_>) -> PyResult<()> {
    interruptible::run(py, &Progress::none(), |_: &Control| panic!("on purpose"))
}
