"""Computes result fields of many boards, as arrays."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from taquin import _shared
from taquin._errors import BoardError, InternalError
from taquin._taquin import Board, Solver

if TYPE_CHECKING:
    from datetime import timedelta

    from numpy.typing import NDArray


def _is_missing(board: Any) -> bool:
    """Return whether a row has no board: it is None or NaN."""
    return board is None or (isinstance(board, (float, np.floating)) and bool(np.isnan(cast("float", board))))


def _plain(value: Any) -> Any:
    """Return an object as one that `json` can encode, or `true`, which is not a board."""
    return value.tolist() if hasattr(value, "tolist") else True


def _cells(row: Any) -> Any:
    """Return a cell or a row of cells. In files, but not here, null and texts may be cells."""
    if isinstance(row, (list, tuple)):
        return [_cells(cell) for cell in cast("list[Any]", row)]
    return True if isinstance(row, str) or _is_missing(row) else row


def _line(board: Any) -> str:
    """Return a board as a line of JSON."""
    if isinstance(board, Board):
        board = str(board)
    try:
        if not isinstance(board, (str, list, tuple)):
            board = None if _is_missing(board) else np.asarray(board).tolist()
        if not isinstance(board, str):
            board = None if board is None else _cells(board)
        return json.dumps({"board": board}, default=_plain) + "\n"
    except (TypeError, ValueError, RecursionError):
        return '{"board": true}\n'


def _rows(boards: Any) -> Iterable[Any]:
    """Return the rows of an array, a column, a table or another iterable."""
    if hasattr(boards, "to_arrow_table"):
        boards = boards.to_arrow_table()
    if hasattr(boards, "columns"):
        names = list(getattr(boards, "column_names", boards.columns))
        if len(names) != 1 and "board" not in names:
            raise ValueError(f"the table needs one column, or one called 'board', not {names}")
        boards = boards[names[0] if len(names) == 1 else "board"]
    for name in ("to_pylist", "to_list", "tolist"):
        if hasattr(boards, name):
            return getattr(boards, name)()
    return boards


def _column(values: list[Any]) -> NDArray[Any] | list[Any]:
    """Return an array if all values are integers (NaN if missing) or booleans, otherwise the list."""
    has_missing = any(value is None for value in values)
    if all(value is None or type(value) is int for value in values):
        return np.array(values, np.float64 if has_missing else np.int64)
    if all(type(value) is bool for value in values):
        return np.array(values)
    return values


def analyse(
    boards: Any,
    fields: Iterable[str] = ("moves", "solutions", "first_moves"),
    *,
    goal: Any = None,
    shape: Any = None,
    errors: str = "raise",
    time_limit: float | timedelta | None = None,
    node_limit: int | None = None,
    solver: Solver | None = None,
) -> dict[str, Any]:
    """Return result fields of many boards, in the order of the boards.

    Parameters
    ----------
    boards : array, Arrow column, list or another iterable
        Boards as for :func:`taquin.solve_many`. None and NaN are missing boards.
    fields : iterable of str
        Names of fields, as for ``taquin solve --fields``: ``moves``, ``solutions``,
        ``first_moves``, ``forced_moves``, ``manhattan``, ``duplicate_of`` and others.
        ``docs/formats.md`` lists them.
    goal, shape, time_limit, node_limit
        As for :func:`taquin.solve_files`.
    errors : {'raise', 'mask'}
        With ``'mask'``, an invalid row raises no error, and its fields are missing values.
    solver : Solver, optional
        The solver. By default the one that the functions of the module share.

    Returns
    -------
    dict
        An array or a list for each field. A field of integers is an array; if values are missing,
        they are NaN, and the others are floats. A field of booleans is an array if no value is
        missing. Any other field is a list, with None for missing values.

    Raises
    ------
    BoardError
        If a row is not a board, unless `errors` is ``'mask'``.

    """
    if errors not in ("raise", "mask"):
        raise ValueError(f"errors must be 'raise' or 'mask', not {errors!r}")
    names = list(fields)
    columns: dict[str, list[Any]] = {name: [] for name in names}
    missing: list[bool] = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "boards.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            for board in _rows(boards):
                missing.append(_is_missing(board))
                file.write(_line(board))
        results = (solver or _shared.solver).solve_files(
            path,
            goal=goal,
            shape=shape,
            format="json",
            fields=dict.fromkeys([*names, "status", "error"]),
            time_limit=time_limit,
            node_limit=node_limit,
        )
        for row, result in enumerate(results):
            if result.get("status") == "error":
                raise InternalError(f"board {row}: {result.get('error')}")
            if errors == "raise" and result.get("status") == "invalid" and not missing[row]:
                raise BoardError(result.get("error", "not a board"), row)
            for name in names:
                columns[name].append(result.get(name))
    return {name: _column(values) for name, values in columns.items()}
