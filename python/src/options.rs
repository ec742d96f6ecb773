//! Arguments that several functions share: shapes, goals, limits, bytes.

use std::time::Duration;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};
use taquin::{CancelToken, Goal, Shape, SolveOptions};

use crate::errors::{BoardError, exception_of_error};
use crate::rows::board_of;

/// Parses a shape: `(rows, cols)` or `'3x4'`.
pub fn shape(value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Shape>> {
    let Some(value) = value else { return Ok(None) };
    if let Ok(text) = value.cast::<PyString>() {
        return text.to_cow()?.parse().map(Some).map_err(|error| exception_of_error(&error));
    }
    let (rows, cols) =
        value.extract::<(i64, i64)>().map_err(|_| PyTypeError::new_err("a shape must be (rows, cols) or '3x4'"))?;
    let side = |count: i64| usize::try_from(count).ok();
    let shape = side(rows).zip(side(cols)).and_then(|(rows, cols)| Shape::new(rows, cols));
    shape.map(Some).ok_or_else(|| {
        PyValueError::new_err(format!("invalid shape ({rows}, {cols}): a board has 1 to 255 rows and columns"))
    })
}

/// Parses a goal: the name of a goal, or a board in any form.
pub fn goal(value: Option<&Bound<'_, PyAny>>, shape: Option<Shape>) -> PyResult<Goal> {
    let Some(value) = value else { return Ok(Goal::BlankLast) };
    if let Ok(text) = value.cast::<PyString>() {
        return text.to_cow()?.parse().map_err(|error| exception_of_error(&error));
    }
    Ok(Goal::from(board_of(value, shape)?))
}

/// Parses a time: seconds, or a `timedelta`.
pub fn time(value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Duration>> {
    let Some(value) = value else { return Ok(None) };
    let seconds = match value.getattr("total_seconds") {
        Ok(seconds) => seconds.call0()?.extract::<f64>()?,
        Err(_) => value
            .extract::<f64>()
            .map_err(|_| PyTypeError::new_err("a time must be a number of seconds or a timedelta"))?,
    };
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if !time.is_zero() => Ok(Some(time)),
        _ => Err(PyValueError::new_err(format!(
            "a time limit must be a positive, finite number of seconds, not {seconds}"
        ))),
    }
}

/// Parses a number of bytes: a number, or text such as `'500M'` or `'4G'`.
pub fn bytes(value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<u64>> {
    let Some(value) = value else { return Ok(None) };
    let wrong = || PyValueError::new_err("memory must be a positive number of bytes, or text such as '500M' or '4G'");
    if value.is_instance_of::<PyBool>() {
        return Err(wrong());
    }
    if let Ok(bytes) = value.extract::<u64>() {
        return if bytes > 0 { Ok(Some(bytes)) } else { Err(wrong()) };
    }
    let text: String = value.extract().map_err(|_| wrong())?;
    let shift = match text.chars().last().map(|unit| unit.to_ascii_uppercase()) {
        Some('K') => 10,
        Some('M') => 20,
        Some('G') => 30,
        _ => 0,
    };
    let number = if shift > 0 { &text[..text.len() - 1] } else { &text };
    match number.trim().parse::<u64>() {
        Ok(number) if number > 0 && number <= u64::MAX >> shift => Ok(Some(number << shift)),
        _ => Err(wrong()),
    }
}

/// The limits for each board of a call.
#[derive(Clone, Default)]
pub struct CallLimits {
    time: Option<Duration>,
    nodes: Option<u64>,
}

impl CallLimits {
    /// Parses the limits.
    pub fn new(time_limit: Option<&Bound<'_, PyAny>>, node_limit: Option<u64>) -> PyResult<CallLimits> {
        Ok(CallLimits { time: time(time_limit)?, nodes: node_limit })
    }

    /// Returns solve options with these limits and this cancel token.
    pub fn options(&self, cancel: &CancelToken) -> SolveOptions {
        let mut options = SolveOptions::new().cancel(cancel);
        if let Some(time) = self.time {
            options = options.time_limit(time);
        }
        if let Some(nodes) = self.nodes {
            options = options.node_limit(nodes);
        }
        options
    }
}

/// The handling of rows that are not boards, or that the goal does not fit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OnError {
    /// The first such row raises an exception.
    Raise,
    /// Such rows are masked, and the others are processed.
    Mask,
}

impl OnError {
    /// Parses `'raise'` or `'mask'`.
    pub fn new(value: &str) -> PyResult<OnError> {
        match value {
            "raise" => Ok(OnError::Raise),
            "mask" => Ok(OnError::Mask),
            other => Err(PyValueError::new_err(format!("errors must be 'raise' or 'mask', not '{other}'"))),
        }
    }
}

/// Returns the goal board of a shape, or an exception if the goal does not fit.
pub fn goal_on(goal: &Goal, shape: Shape) -> PyResult<taquin::Board> {
    goal.on(shape).map_err(|error| {
        BoardError::new_err((format!("the goal does not fit: {error}"), None::<usize>, None::<String>, None::<String>))
    })
}
