//! `taquin.Board`: one board.

use numpy::IntoPyArray;
use numpy::ndarray::ArrayD;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use taquin::{Board, Goal, Move, pictures};

use crate::answer::inline;
use crate::numpy_import::import_numpy;
use crate::options;
use crate::rows::board_of;

/// A board: its tiles row by row, with 0 for the blank.
///
/// Parameters
/// ----------
/// tiles : str, list, array or Board
///     Text such as ``'2 3 4/1 5 0/7 6 8'``, rows of integers, or a flat list of tiles. A flat
///     list is a square board unless `shape` is given.
/// shape : tuple of int or str, optional
///     Rows and columns, as ``(3, 4)`` or ``'3x4'``, if `tiles` does not determine them.
///
/// Raises
/// ------
/// BoardError
///     Unless every number from 0 to ``rows * cols - 1`` occurs exactly once.
///
/// Examples
/// --------
/// >>> import taquin
/// >>> taquin.Board("2 3 4/1 5 0/7 6 8")
/// 2 3 4
/// 1 5 .
/// 7 6 8
#[pyclass(name = "Board", module = "taquin", frozen, eq, hash)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PyBoard(Board);

impl PyBoard {
    /// Wraps a board of the library.
    pub fn new(board: Board) -> PyBoard {
        PyBoard(board)
    }

    /// Returns the board of the library.
    pub fn board(&self) -> &Board {
        &self.0
    }
}

/// Returns an array of the tiles of boards: bytes if all tiles fit, otherwise 16-bit integers. The
/// last two of `dims` are the numbers of rows and columns of a board.
pub fn array_of<'py>(py: Python<'py>, boards: &[Board], dims: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    import_numpy(py)?;
    let cells: usize = dims[dims.len() - 2..].iter().product();
    let labels = boards.iter().flat_map(|board| board.tiles()).map(|tile| tile.label());
    let wrong = |error: numpy::ndarray::ShapeError| PyValueError::new_err(error.to_string());
    Ok(if cells <= 256 {
        let labels: Vec<u8> = labels.map(|label| label as u8).collect();
        ArrayD::from_shape_vec(dims, labels).map_err(wrong)?.into_pyarray(py).into_any()
    } else {
        let labels: Vec<u16> = labels.map(|label| label as u16).collect();
        ArrayD::from_shape_vec(dims, labels).map_err(wrong)?.into_pyarray(py).into_any()
    })
}

#[pymethods]
impl PyBoard {
    #[new]
    #[pyo3(signature = (tiles, shape=None))]
    fn py_new(tiles: &Bound<'_, PyAny>, shape: Option<&Bound<'_, PyAny>>) -> PyResult<PyBoard> {
        board_of(tiles, options::shape(shape)?).map(PyBoard)
    }

    /// The numbers of rows and columns.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        (self.0.shape().rows(), self.0.shape().cols())
    }

    /// The tiles as an array of shape (rows, cols): uint8, or uint16 for more than 256 cells.
    #[getter]
    fn tiles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (rows, cols) = self.shape();
        array_of(py, std::slice::from_ref(&self.0), &[rows, cols])
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = copy;
        let tiles = self.tiles(py)?;
        match dtype {
            Some(dtype) => tiles.call_method1("astype", (dtype,)),
            None => Ok(tiles),
        }
    }

    /// Returns the board after moves of the blank.
    ///
    /// Parameters
    /// ----------
    /// moves : str
    ///     Letters D, L, R and U; ``U`` moves the blank up.
    ///
    /// Returns
    /// -------
    /// Board
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a letter is not D, L, R or U, or moves the blank off the board.
    fn after(&self, moves: &str) -> PyResult<PyBoard> {
        let mut board = self.0.clone();
        for (at, letter) in moves.bytes().enumerate() {
            let next = Move::from_letter(letter).and_then(|step| board.after(step));
            let wrong = || PyValueError::new_err(format!("move {} of '{moves}' is not possible", at + 1));
            board = next.ok_or_else(wrong)?;
        }
        Ok(PyBoard(board))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        grid(&self.0)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let text = slf.get().0.to_string();
        let (rows, cols) = slf.get().shape();
        let arguments = PyTuple::new(
            slf.py(),
            [text.into_pyobject(slf.py())?.into_any(), (rows, cols).into_pyobject(slf.py())?.into_any()],
        )?;
        Ok((slf.get_type().into_any(), arguments))
    }

    /// Returns the board as an SVG for Jupyter.
    fn _repr_svg_(&self) -> PyResult<String> {
        let goal = options::goal_on(&Goal::BlankLast, self.0.shape())?;
        Ok(inline(&pictures::still(&self.0, &goal, "")))
    }
}

/// Formats a board as rows of right-aligned tiles, with a dot for the blank.
pub fn grid(board: &Board) -> String {
    let width = (board.shape().cells() - 1).to_string().len();
    let label = |label: usize| if label == 0 { ".".into() } else { label.to_string() };
    let row = |row: &[taquin::Tile]| -> String {
        let tiles: Vec<String> = row.iter().map(|tile| format!("{:>width$}", label(tile.label()))).collect();
        tiles.join(" ")
    };
    let rows: Vec<String> = board.tiles().chunks(board.shape().cols()).map(row).collect();
    rows.join("\n")
}
