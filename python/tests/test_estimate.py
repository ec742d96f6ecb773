"""Estimates equal the program's, for every form of input and any number of threads."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow
import pytest

import taquin

pa: Any = pyarrow
# Boards whose searches take at most a few thousand nodes, and some unsolvable ones.
BOARDS = taquin.generate((4, 4), 24, walk=(0, 70), seed=6, unsolvable=0.2)
UNSOLVABLE = [*range(1, 14), 15, 14, 0]


@pytest.fixture(scope="module")
def solver() -> taquin.Solver:
    """A solver with small tables."""
    return taquin.Solver(threads=2, heuristic="6-6-3")


def estimated_by_program(boards: Any, folder: Path, *options: str) -> list[float]:
    file = folder / "boards.txt"
    np.savetxt(file, np.asarray(boards).reshape(len(boards), -1), fmt="%d")
    command = [sys.executable, "-m", "taquin", "solve", "--quiet", "--fields", "index,estimated_nodes", *options]
    done = subprocess.run([*command, file], capture_output=True, check=False, text=True)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    return [record.get("estimated_nodes", float("nan")) for record in records]


@pytest.mark.parametrize("goal", ["blank-last", "blank-first"])
def test_estimates_agree_with_the_program(solver: taquin.Solver, goal: str, tmp_path: Path) -> None:
    boards = taquin.generate((4, 4), 24, walk=(0, 70), seed=6, goal=goal, unsolvable=0.2)
    found = solver.estimate(boards, goal=goal)
    assert (found.dtype, found.shape) == (np.float64, (24,))
    assert found.tolist() == estimated_by_program(boards, tmp_path, "--heuristic", "6-6-3", "--goal", goal)
    solvable = taquin.is_solvable(boards, goal=goal)
    assert 0 < np.count_nonzero(solvable) < 24
    np.testing.assert_array_equal(found > 0, solvable)


def test_estimates_of_easy_boards_are_exact(solver: taquin.Solver, tmp_path: Path) -> None:
    """The sample covers the whole search of an easy board: the estimate is the node count."""
    boards = taquin.generate((4, 4), 12, walk=(0, 30), seed=2)
    np.savetxt(tmp_path / "boards.txt", boards.reshape(12, -1), fmt="%d")
    command = [sys.executable, "-m", "taquin", "solve", "--quiet", "--heuristic", "6-6-3", "--fields", "nodes,path"]
    done = subprocess.run([*command, tmp_path / "boards.txt"], capture_output=True, check=True, text=True)
    nodes = [json.loads(line)["nodes"] for line in done.stdout.splitlines()]
    assert solver.estimate(boards).tolist() == nodes


def test_estimates_do_not_depend_on_threads_or_earlier_calls(solver: taquin.Solver) -> None:
    expected = solver.estimate(BOARDS).tolist()
    assert taquin.Solver(threads=1, heuristic="6-6-3").estimate(BOARDS).tolist() == expected
    solver.distances(BOARDS)
    assert solver.estimate(BOARDS[::-1]).tolist() == expected[::-1]
    # The memory is so small that it limits the choice of tables.
    small = [taquin.Solver(threads=threads, memory="40M").estimate(BOARDS[:6]).tolist() for threads in (1, 3)]
    assert small[0] == small[1]


def test_boards_without_a_search_have_no_nodes() -> None:
    boards = taquin.generate((3, 3), 5000, seed=1, unsolvable=0.3)
    reports: list[tuple[int, int | None]] = []
    nodes = taquin.estimate(boards, progress=lambda done, total: reports.append((done, total)))
    assert not nodes.any()
    assert reports[-1] == (5000, 5000)
    assert taquin.estimate([UNSOLVABLE, [[0, 1, 2]], "0 1/2 3"]).tolist() == [0, 0, 0]
    assert taquin.estimate([]).tolist() == []


def test_unknown_estimates_are_nan() -> None:
    near = [*range(1, 15), 0, 15]
    large = taquin.generate((6, 6), 1, walk=9, seed=1)
    assert np.isnan(taquin.estimate(large)).all()
    assert np.isnan(taquin.Solver(engine="astar").estimate([near])).all()
    assert np.isnan(taquin.Solver(quality="good").estimate([near])).all()
    solver = taquin.Solver(heuristic="walking-conflict")
    assert np.isnan(solver.estimate([near], time_limit=1e-9)).all()
    assert solver.estimate([near], time_limit=1e9)[0] > 0
    assert solver.estimate(pl.Series([near]), time_limit=1e-9).to_pylist() == [None]


def test_rows_that_are_not_boards(solver: taquin.Solver) -> None:
    boards = BOARDS.reshape(24, 16).astype(int)
    expected = solver.estimate(boards).tolist()
    boards[5, 3] = boards[5, 4]
    with pytest.raises(taquin.BoardError, match="board 5: .* appears twice") as raised:
        solver.estimate(boards)
    assert raised.value.row == 5
    found = solver.estimate(boards, errors="mask")
    assert np.isnan(found[5])
    assert np.delete(found, 5).tolist() == expected[:5] + expected[6:]
    with pytest.raises(taquin.BoardError, match="expected a 4x4 board"):
        solver.estimate(boards, goal="1 2/3 0")
    # Several shapes, and nulls.
    mixed = ["1 2/0 3", BOARDS[0], None, UNSOLVABLE]
    assert np.array_equal(solver.estimate(mixed), [0, expected[0], np.nan, 0], equal_nan=True)


def test_columns(solver: taquin.Solver) -> None:
    expected = solver.estimate(BOARDS).tolist()
    rows: list[Any] = [*BOARDS.reshape(24, 16).tolist(), None, [1, 2, 2, 0]]
    column = solver.estimate(pl.Series(rows), errors="mask")
    assert isinstance(column, taquin.Column)
    assert column.to_pylist() == [*expected, None, None]
    assert pa.array(column).type == pa.float64()
    assert pa.array(column).to_pylist() == pl.Series(column).to_list() == [*expected, None, None]
    assert np.array_equal(np.asarray(column), [*expected, np.nan, np.nan], equal_nan=True)
    assert column[1:3].to_pylist() == expected[1:3]
    assert (column[0], column[-1]) == (expected[0], None)
    assert solver.estimate(pl.Series(rows[:24])).to_pylist() == expected
