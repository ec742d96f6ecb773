//! Generates boards.

use std::ops::RangeInclusive;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyInt;
use taquin::generate::{Error, Generator, Goals, NamedDifficulty, Repeats, Spec, Spread};
use taquin::{Board, Goal, Shape, Solver};

use crate::errors::{InternalError, exception_of_error};
use crate::interruptible::Control;
use crate::options::goal_on;

/// A request for boards.
pub struct Request {
    spec: Spec,
}

/// The maximum length of a walk, the same as in `taquin generate`.
const MAX_WALK: i64 = 100_000_000;

/// Parses text such as `20..30`, `20..`, `..30` or `24`.
fn range_of_text(text: &str, longest: i64) -> Option<(i64, i64)> {
    let number = |text: &str| text.trim().parse::<i64>().ok();
    let Some((least, most)) = text.split_once("..") else { return number(text).map(|one| (one, one)) };
    let least = if least.trim().is_empty() { Some(0) } else { number(least) };
    let most = if most.trim().is_empty() { Some(longest) } else { number(most) };
    Some((least?, most?))
}

/// Parses a number, the inclusive ends of a range, or text such as `20..30`. In text, either end
/// may be omitted: the defaults are 0 and `longest`.
fn range<N>(value: Option<&Bound<'_, PyAny>>, what: &str, longest: i64) -> PyResult<Option<RangeInclusive<N>>>
where
    N: TryFrom<i64> + Copy,
{
    let Some(value) = value else { return Ok(None) };
    let number =
        |number: i64| N::try_from(number).map_err(|_| PyValueError::new_err(format!("{what} cannot be {number}")));
    let wrong = |_| PyTypeError::new_err(format!("{what} must be a number, (min, max), or text such as '20..30'"));
    let (least, most) = if let Ok(one) = value.extract::<i64>() {
        (one, one)
    } else if let Ok(text) = value.extract::<String>() {
        range_of_text(&text, longest)
            .ok_or_else(|| PyValueError::new_err(format!("{what}: '{text}' is not a number or range such as 20..30")))?
    } else if value.is_instance_of::<PyInt>() {
        return Err(PyValueError::new_err(format!("{what} cannot be {value}")));
    } else {
        value.extract::<(i64, i64)>().map_err(wrong)?
    };
    if most > longest {
        return Err(PyValueError::new_err(format!("{what} must be at most {longest}, not {most}")));
    }
    Ok(Some(number(least)?..=number(most)?))
}

/// Returns the value that has this name.
fn named<T: Copy, const N: usize>(
    name: &str,
    what: &str,
    values: [T; N],
    name_of: fn(T) -> &'static str,
) -> PyResult<T> {
    values.into_iter().find(|&value| name_of(value) == name).ok_or_else(|| {
        let names = values.map(name_of).join(", ");
        PyValueError::new_err(format!("{what} must be one of {names}, not '{name}'"))
    })
}

impl Request {
    /// Creates a request from the arguments of a call.
    #[allow(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    pub fn new(
        shape: Shape,
        count: u64,
        goal: &Goal,
        moves: Option<&Bound<'_, PyAny>>,
        (spread, difficulty): (Option<&str>, Option<&str>),
        walk: Option<&Bound<'_, PyAny>>,
        unsolvable: f64,
        unique: bool,
        seed: u64,
    ) -> PyResult<Request> {
        if !(0.0..=1.0).contains(&unsolvable) {
            return Err(PyValueError::new_err(format!("unsolvable must be a share from 0 to 1, not {unsolvable}")));
        }
        let walk = range(walk, "walk", MAX_WALK)?;
        let mut moves = range(moves, "moves", i64::from(u16::MAX - 1))?;
        if usize::from(moves.is_some()) + usize::from(walk.is_some()) + usize::from(difficulty.is_some()) > 1 {
            return Err(PyValueError::new_err("moves, walk and difficulty cannot be combined"));
        }
        let goal = goal_on(goal, shape)?;
        if let Some(name) = difficulty {
            let difficulty = named(name, "difficulty", NamedDifficulty::ALL, NamedDifficulty::name)?;
            moves = Some(difficulty.moves(&goal).map_err(|error| generate_error(&error))?);
        }
        let spread = match spread {
            Some(name) => named(name, "spread", [Spread::Natural, Spread::Even], Spread::name)?,
            None => Spread::Natural,
        };
        if spread == Spread::Even && moves.is_none() {
            return Err(PyValueError::new_err("spread='even' needs a range of lengths: add moves or difficulty"));
        }
        let repeats = if unique { Repeats::ReflectionsAvoided } else { Repeats::Allowed };
        let spec = Spec {
            goals: Goals::Same(goal),
            count,
            unsolvable: (count as f64 * unsolvable).round() as u64,
            moves,
            spread,
            walk,
            repeats,
            seed,
        };
        Ok(Request { spec })
    }

    /// Generates the boards.
    pub fn boards(self, solver: &Solver, control: &Control) -> Result<Vec<Board>, Error> {
        let mut boards = Vec::new();
        for puzzle in Generator::new(self.spec, solver)?.cancel(&control.cancel) {
            boards.push(puzzle?.board);
            control.add(1);
        }
        Ok(boards)
    }
}

/// Converts an error of the generator to an exception.
pub fn generate_error(error: &Error) -> PyErr {
    match error {
        Error::Threads(error) => exception_of_error(error),
        Error::Internal { .. } => InternalError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}
