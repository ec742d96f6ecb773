"""Compares answers with a breadth-first search in Python, and with the program."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import oracle
import pytest

import taquin

GOALS = {
    "blank-last": (1, 2, 3, 4, 5, 6, 7, 8, 0),
    "snail": (1, 2, 3, 8, 0, 4, 7, 6, 5),
    "0 8 7/6 5 4/3 2 1": (0, 8, 7, 6, 5, 4, 3, 2, 1),
    "3 1 2/4 0 5/6 7 8": (3, 1, 2, 4, 0, 5, 6, 7, 8),
}


@pytest.mark.parametrize("goal", GOALS)
def test_distances_of_all_3x3_boards_agree_with_the_oracle(goal: str) -> None:
    lengths = oracle.distances(GOALS[goal], 3, 3)
    boards = np.array(list(itertools.permutations(range(9))), np.uint8)
    expected = np.array([lengths.get(tuple(board), -1) for board in boards.tolist()], np.int32)
    found = taquin.distances(boards, goal=goal)
    assert found.dtype == np.int32
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(taquin.is_solvable(boards, goal=goal), expected >= 0)


@pytest.mark.parametrize(("shape", "goal"), [((3, 3), "snail"), ((2, 4), "blank-first"), ((4, 2), "blank-last")])
def test_paths_and_first_moves_agree_with_the_oracle(shape: tuple[int, int], goal: str) -> None:
    rows, cols = shape
    goal_board = taquin.solve(np.arange(rows * cols).reshape(shape), goal=goal).goal
    lengths = oracle.distances(tuple(goal_board.tiles.ravel().tolist()), rows, cols)
    boards = oracle.shuffled(rows * cols, 1500, 7)
    array = np.array(boards, np.int16).reshape(-1, rows, cols)
    results = taquin.solve_many(array, goal=goal)
    moves = taquin.optimal_moves(array, goal=goal)
    assert moves.shape == (1500, 4)
    for row, board in enumerate(boards):
        if board in lengths:
            assert results.paths[row] == oracle.smallest_path(board, lengths, rows, cols) if row < 100 else True
            assert results.moves[row] == lengths[board]
            assert moves[row].tolist() == oracle.first_moves(board, lengths, rows, cols)
        else:
            assert results.status[row] == "unsolvable"
            assert not moves[row].any()
    np.testing.assert_array_equal(taquin.distances(array, goal=goal), results.moves)


def test_all_2x4_boards() -> None:
    lengths = oracle.distances((1, 2, 3, 4, 5, 6, 7, 0), 2, 4)
    boards = np.array(list(itertools.permutations(range(8))), np.uint8)
    expected = [lengths.get(tuple(board), -1) for board in boards.tolist()]
    np.testing.assert_array_equal(taquin.distances(boards, shape=(2, 4)), expected)


def test_first_moves_of_larger_boards_begin_shortest_paths() -> None:
    boards = taquin.generate((4, 4), 40, walk=(5, 40), seed=3)
    lengths, moves = taquin.distances(boards), taquin.optimal_moves(boards)
    for board, length, flags in zip(boards, lengths.tolist(), moves.tolist(), strict=True):
        tiles = tuple(board.ravel().tolist())
        expected = dict.fromkeys("DLRU", False)
        for letter, after in oracle.neighbours(tiles, 4, 4):
            expected[letter] = taquin.solve(after).moves == length - 1
        assert flags == list(expected.values())


def test_results_agree_with_the_program(tmp_path: Path) -> None:
    small = [taquin.generate((3, 3), 40_000, seed=1, unsolvable=0.3), taquin.generate((2, 3), 40_000, seed=2)]
    large = [
        taquin.generate((3, 4), 19_000, walk=(0, 60), seed=3),
        taquin.generate((4, 4), 1000, walk=(0, 60), seed=4),
    ]
    for boards in [*small, *large]:
        rows, cols = boards.shape[1:]
        file = tmp_path / f"{rows}x{cols}.txt"
        np.savetxt(file, boards.reshape(len(boards), -1), fmt="%d")
        command = [sys.executable, "-m", "taquin", "solve", "--shape", f"{rows}x{cols}", "--fields", "status,path"]
        done = subprocess.run([*command, "--quiet", file], capture_output=True, check=True)
        records = [json.loads(line) for line in done.stdout.splitlines()]
        results = taquin.solve_many(boards)
        assert results.status.tolist() == [record["status"] for record in records]
        assert results.paths == [record.get("path") for record in records]


def test_generated_boards_agree_with_the_program() -> None:
    command = [sys.executable, "-m", "taquin", "generate", "--shape", "4x4", "--count", "50", "--unique"]
    done = subprocess.run([*command, "--seed", "7", "--moves", "20..30"], capture_output=True, check=True, text=True)
    expected = np.array([line.split() for line in done.stdout.splitlines()], np.uint8).reshape(-1, 4, 4)
    np.testing.assert_array_equal(taquin.generate((4, 4), 50, moves=(20, 30), seed=7, unique=True), expected)


def test_large_boards_have_good_paths_without_proof() -> None:
    boards = taquin.generate((6, 6), 2, walk=200, seed=1)
    solver = taquin.Solver(effort=1)
    results = solver.solve_many(boards)
    for row in range(2):
        answer = results[row]
        assert answer is not None
        assert answer.verify()
        assert answer.moves is not None
        assert answer.lower_bound is not None
        assert answer.moves >= answer.lower_bound
        assert answer.boards().shape == (answer.moves + 1, 6, 6)
    assert set(solver.distances(boards).tolist()) == {taquin.UNSOLVED}
    big = taquin.generate((17, 17), 3, walk=400, seed=1, unsolvable=0.4)
    assert big.dtype == np.uint16
    assert taquin.is_solvable(big).sum() == 2


def test_a_given_path_is_shortened() -> None:
    answer = taquin.improve("1 2 3/4 5 6/7 0 8", "LRR")
    assert (answer.path, answer.optimal) == ("R", True)
    with pytest.raises(taquin.BoardError, match="the path does not solve this board"):
        taquin.improve("1 2 3/4 5 6/7 0 8", "LL")
