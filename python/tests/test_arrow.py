# pyarrow has no type annotations.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""Arrow data in and out: polars, pyarrow, pandas and DuckDB, nulls included."""

from __future__ import annotations

import itertools
import subprocess
import sys
from typing import Any

import duckdb
import numpy as np
import oracle
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import taquin

BOARDS = oracle.shuffled(9, 500, 3)
LISTS: list[list[int] | None] = [None if row % 7 == 3 else list(board) for row, board in enumerate(BOARDS)]
TEXTS = [None if board is None else " ".join(map(str, board)) for board in LISTS]
ROWS = [None if board is None else [board[:3], board[3:6], board[6:]] for board in LISTS]
LENGTHS = taquin.distances(np.array(BOARDS)).tolist()
EXPECTED = [None if board is None else length for board, length in zip(LISTS, LENGTHS, strict=True)]


def columns() -> dict[str, Any]:
    """Return the same boards as columns of many kinds."""
    lists = pa.array(LISTS, pa.list_(pa.int64()))
    chunked = pa.chunked_array([lists[:100], lists[100:101], lists[101:101], lists[101:]])
    return {
        "polars list": pl.Series(LISTS, dtype=pl.List(pl.UInt8)),
        "polars list of int64": pl.Series(LISTS, dtype=pl.List(pl.Int64)),
        "polars array": pl.Series(LISTS, dtype=pl.Array(pl.Int8, 9)),
        "polars array of rows": pl.Series(ROWS, dtype=pl.Array(pl.Int16, (3, 3))),
        "polars list of rows": pl.Series(ROWS, dtype=pl.List(pl.List(pl.Int64))),
        "polars text": pl.Series(TEXTS),
        "polars frame": pl.DataFrame({"board": LISTS, "other": range(500)}),
        "pyarrow list": lists,
        "pyarrow large list": pa.array(LISTS, pa.large_list(pa.uint32())),
        "pyarrow fixed list": pa.array(LISTS, pa.list_(pa.uint8(), 9)),
        "pyarrow slice": pa.array([[9], *LISTS, None], pa.list_(pa.uint8()))[1:-1],
        "pyarrow fixed slice": pa.array([None, *LISTS, None], pa.list_(pa.uint8(), 9))[1:-1],
        "pyarrow list of rows": pa.array(ROWS, pa.list_(pa.list_(pa.int32()))),
        "pyarrow text": pa.array(TEXTS),
        "pyarrow large text": pa.array(TEXTS, pa.large_string()),
        "pyarrow text view": pa.array(TEXTS, pa.string_view()),
        "pyarrow chunks": chunked,
        "pyarrow table": pa.table({"board": chunked}),
        "pandas": pd.Series(LISTS, dtype=pd.ArrowDtype(pa.list_(pa.int64()))),
        "duckdb": duckdb.from_arrow(pa.table({"board": chunked})),
    }


def test_columns_have_rows_and_slices() -> None:
    boards = pl.Series("board", LISTS)
    for function in taquin.distances, taquin.is_solvable, taquin.optimal_moves, taquin.estimate:
        column = function(boards)
        assert isinstance(column, taquin.Column)
        whole = column.to_pylist()
        for rows in slice(None), slice(1, 3), slice(2, None), slice(-2, None), slice(3, 1):
            part = column[rows]
            assert part.to_pylist() == whole[rows] == [column[row] for row in range(*rows.indices(len(whole)))]
            assert pa.array(part).to_pylist() == whole[rows]
            assert len(np.asarray(part)) == len(whole[rows])
        with pytest.raises(ValueError, match="contiguous slices"):
            column[::2]
        with pytest.raises(IndexError):
            column[len(whole)]
        with pytest.raises(TypeError):
            column["first"]  # pyright: ignore


@pytest.mark.parametrize("kind", columns())
def test_every_kind_of_column_is_read_with_nulls(kind: str) -> None:
    column = columns()[kind]
    lengths = taquin.distances(column)
    assert isinstance(lengths, taquin.Column)
    assert lengths.to_pylist() == EXPECTED
    assert pa.array(lengths).to_pylist() == EXPECTED
    assert pl.Series(lengths).to_list() == EXPECTED
    assert np.asarray(lengths).tolist() == [taquin.INVALID if length is None else length for length in EXPECTED]
    solvable = taquin.is_solvable(columns()[kind])
    assert pl.Series(solvable).to_list() == [None if length is None else length >= 0 for length in EXPECTED]
    moves = taquin.optimal_moves(columns()[kind])
    first = taquin.optimal_moves(np.array(BOARDS)).tolist()
    expected = [None if board is None else row for board, row in zip(LISTS, first, strict=True)]
    assert pa.array(moves).to_pylist() == expected == moves.to_pylist()
    results = taquin.solve_many(columns()[kind])
    table = pa.table(results)
    assert table["moves"].to_pylist() == [None if length in (None, -1) else length for length in EXPECTED]
    assert table["status"].to_pylist() == [
        None if length is None else "unsolvable" if length < 0 else "solved" for length in EXPECTED
    ]
    assert table["path"].to_pylist() == results.paths


def test_results_join_the_callers_columns() -> None:
    frame = pl.DataFrame(
        {"name": [f"b{row}" for row in range(500)], "board": pl.Series(LISTS, dtype=pl.List(pl.UInt8))}
    )
    results = taquin.solve_many(frame["board"])
    joined = pl.concat([frame, pl.DataFrame(results)], how="horizontal")
    assert joined.columns == ["name", "board", "status", "moves", "path", "lower_bound", "optimal", "limit"]
    assert joined.filter(pl.col("status") == "solved")["moves"].to_list() == [
        n for n in EXPECTED if n is not None and n >= 0
    ]
    assert joined["path"].str.len_bytes().to_list() == joined["moves"].to_list()

    found: Any = duckdb.sql(
        "select count(*), sum(moves), sum(length(path)) from results where status = 'solved'"
    ).fetchall()[0]  # pyright: ignore
    assert found[0] == len([n for n in EXPECTED if n is not None and n >= 0])
    assert found[1] == found[2]

    table = pd.DataFrame({"name": frame["name"].to_list(), "board": list(BOARDS)})
    answers = taquin.solve_many(table["board"].to_list())
    table["moves"], table["path"] = answers.moves, answers.paths
    assert table["moves"].tolist() == LENGTHS
    arrow = pd.DataFrame({"board": pd.Series(LISTS, dtype=pd.ArrowDtype(pa.list_(pa.int64())))})
    arrow["moves"] = taquin.distances(arrow["board"])
    assert arrow["moves"].tolist() == [-3 if length is None else length for length in EXPECTED]
    assert pd.DataFrame(answers.to_dict())["moves"].tolist() == LENGTHS


def test_other_columns_are_rejected_with_a_reason() -> None:
    for column, reason in [
        (pl.Series([1, 2, 3]), "not a column of boards"),
        (pl.Series([[1.5]]), "not a column of boards"),
        (pl.DataFrame({"a": [[1, 0]], "b": [1]}), "no column is called board"),
        (pl.Series([[1, 2, 3, 0], [1, 2, 3, 4]]), "board 1: tile 4 is out of range"),
        (pl.Series([[1, 2, 3, 0], [1, 2]]), "board 1: 2 numbers do not fill a square"),
        (pl.Series([[1, 2, None, 0]]), "board 0: a tile is null"),
        (pl.Series([[[1, 2], [0]]]), "board 0: the rows differ in length"),
        (pl.Series(["1 2/3 0", "1"]), "board 1"),
        (pl.Series([[-1, 1, 2, 0]]), "board 0"),
    ]:
        with pytest.raises(taquin.BoardError, match=reason):
            taquin.distances(column)
    mixed = pl.Series([[1, 2, 3, 0], [1, 2], None, [1, 2, 3, 4, 5, 6, 7, 0, 8], []])
    assert taquin.distances(mixed, errors="mask").to_pylist() == [0, None, None, 1, None]
    results = taquin.solve_many(mixed, errors="mask")
    assert results.status.tolist() == ["solved", "invalid", "null", "solved", "invalid"]
    assert pa.table(results)["status"].to_pylist() == ["solved", "invalid", None, "solved", "invalid"]
    assert set(results.errors) == {1, 4}
    assert taquin.distances(pl.Series([None, None], dtype=pl.List(pl.UInt8))).to_pylist() == [None, None]
    assert taquin.distances(pl.Series([], dtype=pl.List(pl.UInt8))).to_pylist() == []
    assert pl.DataFrame(taquin.solve_many(pl.Series([], dtype=pl.List(pl.UInt8)))).height == 0


def test_result_arrays_are_views_that_outlive_results() -> None:
    results = taquin.solve_many(np.array(BOARDS))
    moves, letters, offsets = results.moves, results.letters, results.offsets
    paths = results.paths
    with pytest.raises(ValueError, match="read-only"):
        moves[0] = 1
    table = pa.table(results)
    del results
    assert moves.tolist() == LENGTHS
    assert table["path"].to_pylist() == paths
    text = letters.tobytes().decode()
    assert [text[a:b] for a, b in itertools.pairwise(offsets)] == [path or "" for path in paths]


def test_pyarrow_is_optional() -> None:
    code = """
import sys
sys.modules["pyarrow"] = None
import polars, taquin
series = polars.Series([[1, 2, 3, 4, 5, 6, 7, 0, 8]], dtype=polars.List(polars.UInt8))
print(polars.DataFrame(taquin.solve_many(series))["path"].to_list(), polars.Series(taquin.distances(series)).to_list())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout == "['R'] [1]\n"
