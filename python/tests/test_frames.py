# Calls with arguments of type Any have results of unknown type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""Results as data frames, analysis fields as arrays, and the arguments of generate."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import taquin

BOARDS = np.array([[1, 2, 3, 4, 5, 6, 7, 0, 8], [2, 1, 3, 4, 5, 6, 7, 8, 0], [1, 2, 3, 4, 5, 6, 7, 7, 0]])


def test_results_become_frames() -> None:
    results = taquin.solve_many(BOARDS, errors="mask")
    table, polars, pandas = results.to_arrow(), results.to_polars(), results.to_pandas()
    assert isinstance(table, pa.Table)
    assert isinstance(polars, pl.DataFrame)
    assert isinstance(pandas, pd.DataFrame)
    frames: list[Any] = [table.to_pandas(), polars.to_pandas(), pandas]
    for frame in frames:
        assert frame["status"].tolist()[:2] == ["solved", "unsolvable"]
        assert frame["moves"][0] == 1
        assert frame["path"][0] == "R"
        assert len(frame) == 3


def test_generate_takes_lengths_like_the_program() -> None:
    for moves in ("20..22", (20, 22)):
        boards = taquin.generate((3, 3), 30, moves=moves, seed=1)
        assert set(taquin.distances(boards).tolist()) <= {20, 21, 22}
    assert set(taquin.distances(taquin.generate((3, 3), 9, moves="30..")).tolist()) <= {30, 31}
    assert (taquin.distances(taquin.generate((3, 3), 9, moves="24")) == 24).all()
    even = taquin.distances(taquin.generate((3, 3), 30, moves="10..12", spread="even"))
    assert [int((even == length).sum()) for length in (10, 11, 12)] == [10, 10, 10]
    easy, hard = (taquin.distances(taquin.generate((3, 3), 50, difficulty=name)) for name in ("easy", "hard"))
    assert easy.max() < hard.min()
    assert (taquin.distances(taquin.generate((5, 5), 5, walk="3..4")) <= 4).all()


def test_invalid_arguments_are_rejected() -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"moves": "many"}, "moves: 'many' is not a number or range such as 20..30"),
        ({"moves": "5..99999"}, "moves must be at most 65534, not 99999"),
        ({"moves": -1}, "moves cannot be -1"),
        ({"walk": 10**20}, f"walk cannot be {10**20}"),
        ({"walk": 200_000_000}, "walk must be at most 100000000, not 200000000"),
        ({"moves": 5, "difficulty": "easy"}, "cannot be combined"),
        ({"difficulty": "odd"}, "difficulty must be one of easy, medium, hard"),
        ({"spread": "even"}, "needs a range of lengths"),
    ]
    for arguments, reason in cases:
        with pytest.raises(ValueError, match=reason):
            taquin.generate((3, 3), 2, **arguments)


def test_errors_have_their_public_names() -> None:
    with pytest.raises(taquin.BoardError, match="board 2: tile 7 appears twice") as raised:
        taquin.distances(BOARDS)
    assert f"{raised.type.__module__}.{raised.type.__name__}" == "taquin.BoardError"


def test_mixed_rows_are_masked() -> None:
    valid = {0: 0, 3: 1, 7: 0}
    rows: list[Any] = [
        [1, 2, 3, 0],
        None,
        float("nan"),
        "1 2/0 3",
        "what",
        "\ud800",
        [1, 2],
        [[1, 2], [3, 0]],
        [[1], [2, 3]],
    ]
    rows += [[1.5, 2, 3, 0], {}, [1, 2, 3, True], b"1230"]
    columns: list[Any] = [rows, pd.Series(rows, dtype=object), pl.Series(rows, dtype=pl.Object)]
    for boards in columns:
        lengths: Any = taquin.distances(boards, errors="mask")
        found = np.asarray(lengths).tolist()
        assert {row: length for row, length in enumerate(found) if length >= 0} == valid
        # None and NaN are null, not invalid.
        assert len(taquin.solve_many(boards, errors="mask").errors) == len(rows) - len(valid) - 2


def test_analyse_returns_fields_by_name() -> None:
    boards = taquin.generate((3, 3), 200, seed=5)
    boards[7] = boards[3]
    found = taquin.analyse(
        boards, fields=["moves", "solutions", "first_moves", "manhattan", "solvable", "duplicate_of"]
    )
    assert found["moves"].tolist() == taquin.distances(boards).tolist()
    assert min(found["solutions"].tolist()) >= 1
    assert set("".join(found["first_moves"])) <= set("DLRU")
    assert np.isnan(found["duplicate_of"][:7]).all()
    assert found["duplicate_of"][7] == 4
    assert found["solvable"].all()
    first = taquin.optimal_moves(boards)
    assert ["".join(np.array(list("DLRU"))[row]) for row in first] == list(found["first_moves"])


def test_analyse_reports_or_masks_rows_that_are_not_boards() -> None:
    for rows in ([[1, 2, 3, 0], "1 2/0 3", [1, 1, 2, 3], object()], BOARDS):
        with pytest.raises(taquin.BoardError, match="board 2: tile . appears twice"):
            taquin.analyse(rows)
        masked = taquin.analyse(rows, fields=["moves", "path"], errors="mask")
        assert np.isnan(masked["moves"][2])
        assert masked["path"][2] is None
    series = pl.Series([[1, 2, 3, 0], [1, 2, 0, 3]])
    assert taquin.analyse(series, fields=["moves"])["moves"].tolist() == [0, 1]
    for table in (pl.DataFrame({"board": series, "id": [1, 2]}), pl.DataFrame({"boards": series}).to_arrow()):
        assert taquin.analyse(table, fields=["moves"])["moves"].tolist() == [0, 1]
    assert taquin.analyse([list(board) for board in BOARDS[:1]], ["moves"])["moves"].dtype == np.int64


def test_analyse_takes_the_same_rows_for_boards_as_solve_many() -> None:
    loop: list[Any] = [1, 2, 3]
    loop.append(loop)
    rows: list[Any] = [
        *([1, 2, 3, 0], [[1, 2], [3, 0]], (1, 2, 3, 0), "1 2/3 0", np.array([1, 2, 3, 0]), None, float("nan")),
        *([1, 2, 3, None], [[1, 2], [3, None]], [1, 2, 3], {(0, 0): 1}, [[10**5000]], loop, [1, 2, 3, 3.5]),
        *(["1", "2", "3", "0"], [1, 2, 3, ""], range(4), pl.Series([1, 2, 3, 0]), np.float32("nan")),
    ]
    solved = taquin.solve_many(rows, errors="mask").moves.tolist()
    found = taquin.analyse(rows, ["moves"], errors="mask")["moves"].tolist()
    assert [None if moves < 0 else moves for moves in solved] == [None if np.isnan(moves) else moves for moves in found]
    assert np.isnan(taquin.analyse([None, [1, 2, 3, 0]], ["moves"])["moves"]).tolist() == [True, False]


def test_rows_that_the_goal_does_not_fit_are_masked() -> None:
    eight = "1 2 3/4 5 6/7 8 0"
    for rows, expected in (
        ([[1, 2, 3, 0]], [None]),
        ([[1, 2, 3, 0], [1, 2, 3, 4, 5, 6, 7, 8, 0]], [None, 0]),
        ([None, [1, 2, 3, 0]], [None, None]),
    ):
        objects = pd.Series(rows, dtype=object)
        for series in (pl.Series(rows), pa.array(rows), rows, objects):
            lengths: Any = taquin.distances(series, goal=eight, errors="mask")
            assert [None if length is None or length < 0 else length for length in pl.Series(lengths)] == expected
            assert taquin.solve_many(series, goal=eight, errors="mask").to_polars()["moves"].to_list() == expected
            with pytest.raises(taquin.BoardError):
                taquin.distances(series, goal=eight)
    with pytest.raises(taquin.BoardError):
        taquin.distances(pl.Series([[1, 2, 3, 0]]), goal="nonsense", errors="mask")
