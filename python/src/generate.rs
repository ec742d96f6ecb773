//! Generates boards as an array.

use std::ops::RangeInclusive;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use taquin::generate::{Error, Generator, Goals, Repeats, Spec, Spread};
use taquin::{Board, Goal, Shape, Solver};

use crate::errors::{InternalError, raised};
use crate::interruptible::Control;
use crate::options::goal_on;

/// The boards to generate.
pub struct Order {
    spec: Spec,
}

/// Parses a number, or the inclusive ends of a range.
fn range<N>(asked: Option<&Bound<'_, PyAny>>, what: &str) -> PyResult<Option<RangeInclusive<N>>>
where
    N: TryFrom<i64> + Copy,
{
    let Some(asked) = asked else { return Ok(None) };
    let number =
        |number: i64| N::try_from(number).map_err(|_| PyValueError::new_err(format!("{what} cannot be {number}")));
    if let Ok(one) = asked.extract::<i64>() {
        let one = number(one)?;
        return Ok(Some(one..=one));
    }
    let wrong = |_| PyTypeError::new_err(format!("{what} must be a number or (min, max)"));
    let (least, most) = asked.extract::<(i64, i64)>().map_err(wrong)?;
    Ok(Some(number(least)?..=number(most)?))
}

impl Order {
    /// Creates an order from the arguments of a call.
    #[allow(clippy::too_many_arguments, reason = "they have names in Python")]
    pub fn new(
        shape: Shape,
        count: u64,
        goal: &Goal,
        moves: Option<&Bound<'_, PyAny>>,
        walk: Option<&Bound<'_, PyAny>>,
        unsolvable: f64,
        unique: bool,
        seed: u64,
    ) -> PyResult<Order> {
        if !(0.0..=1.0).contains(&unsolvable) {
            return Err(PyValueError::new_err(format!("unsolvable must be a share from 0 to 1, not {unsolvable}")));
        }
        let (moves, walk) = (range(moves, "moves")?, range(walk, "walk")?);
        if moves.is_some() && walk.is_some() {
            return Err(PyValueError::new_err("moves and walk cannot be combined"));
        }
        let repeats = if unique { Repeats::Avoided } else { Repeats::Allowed };
        let spec = Spec {
            goals: Goals::Same(goal_on(goal, shape)?),
            count,
            unsolvable: (count as f64 * unsolvable).round() as u64,
            moves,
            spread: Spread::Natural,
            walk,
            repeats,
            seed,
        };
        Ok(Order { spec })
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

/// Returns the exception for boards that could not be generated.
pub fn refused(error: &Error) -> PyErr {
    match error {
        Error::Threads(error) => raised(error),
        Error::Internal { .. } => InternalError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}
