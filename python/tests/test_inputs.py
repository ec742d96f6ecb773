"""Boards of every dtype, layout and kind are solved correctly or rejected, and never crash."""

from __future__ import annotations

import contextlib
import pickle
from typing import Any

import hypothesis.extra.numpy as hnp
import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import taquin

DTYPES = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", ">i4", ">u8"]
LENGTHS = oracle.distances((1, 2, 3, 4, 5, 0), 2, 3)
BOARDS = oracle.shuffled(6, 60, 5)
EXPECTED = [LENGTHS.get(board, -1) for board in BOARDS]


def layouts(dtype: str) -> dict[str, np.ndarray[Any, Any]]:
    """Return the same boards in many layouts."""
    plain = np.array(BOARDS, dtype).reshape(-1, 2, 3)
    wide = np.zeros((60, 2, 2, 3, 2), dtype)
    wide[:, 0, :, :, 1] = plain
    readonly = plain.copy()
    readonly.flags.writeable = False
    raw = np.zeros(plain.nbytes + 1, np.uint8)
    shifted = raw[1:].view(dtype).reshape(plain.shape) if plain.itemsize > 1 else plain.copy()
    shifted[...] = plain
    return {
        "plain": plain,
        "fortran": np.asfortranarray(plain),
        "strided": wide[:, 0, :, :, 1],
        "backwards": np.ascontiguousarray(plain[::-1])[::-1],
        "readonly": readonly,
        "unaligned": shifted,
        "transposed": np.ascontiguousarray(plain.transpose(2, 0, 1)).transpose(1, 2, 0),
    }


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_and_layout_is_read(dtype: str) -> None:
    for name, boards in layouts(dtype).items():
        assert taquin.distances(boards).tolist() == EXPECTED, name
        assert taquin.solve_many(boards).moves.tolist() == EXPECTED, name
        assert taquin.is_solvable(boards).tolist() == [length >= 0 for length in EXPECTED], name
        assert taquin.solve(boards[0]).moves == (EXPECTED[0] if EXPECTED[0] >= 0 else None), name
    flat = np.array(BOARDS, dtype)
    assert taquin.distances(flat, shape=(2, 3)).tolist() == EXPECTED
    assert taquin.distances(flat[::-1][::-1], shape="2x3").tolist() == EXPECTED


def test_one_board_has_many_forms() -> None:
    expected = taquin.solve("2 3 4/1 5 0/7 6 8")
    rows = [[2, 3, 4], [1, 5, 0], [7, 6, 8]]
    flat = [2, 3, 4, 1, 5, 0, 7, 6, 8]
    for board in [rows, flat, tuple(flat), np.array(rows), np.array(flat, "u1"), taquin.Board(rows), "234150768"]:
        assert taquin.solve(board) == expected
    assert taquin.solve([1, 2, 3, 4, 0, 5], shape=(2, 3)).moves == 1
    assert taquin.solve("1 2 3 4 0 5", shape="2x3").moves == 1
    assert taquin.solve([[1, 2, 3], [8, 0, 4], [7, 6, 5]], goal="snail").moves == 0
    assert taquin.solve("1 2 3/4 5 6/0 7 8", goal=[[1, 2, 3], [4, 5, 6], [7, 8, 0]]).path == "RR"


def test_lists_of_boards_may_have_several_shapes() -> None:
    boards = ["1 2/0 3", [[1, 2, 3], [4, 5, 6], [7, 0, 8]], np.array([[1, 0]]), taquin.Board([[0, 1]]), None]
    assert taquin.distances(boards).tolist() == [1, 1, 0, 1, taquin.INVALID]
    assert taquin.is_solvable(boards).tolist() == [True, True, True, True, False]
    results = taquin.solve_many(boards)
    assert results.status.tolist() == ["solved"] * 4 + ["null"]
    assert results[4] is None
    assert results[-2] == taquin.solve([[0, 1]])
    assert taquin.distances([]).tolist() == []
    assert taquin.distances(np.empty((0, 9), int)).tolist() == []
    assert taquin.distances(np.empty((0, 3, 3), "u1")).shape == (0,)
    assert len(taquin.solve_many([])) == 0
    assert taquin.optimal_moves(np.empty((0, 4, 4), int)).shape == (0, 4)
    assert taquin.distances(np.array(["1 2/0 3", "1 2/3 0"], object)).tolist() == [1, 0]


WRONG: list[tuple[Any, str]] = [
    (np.array([[1, 2, 3, 4]]), "tile 4 is out of range"),
    (np.array([[1, 1, 2, 0]]), "tile 1 appears twice"),
    (np.array([[-1, 1, 2, 0]]), "out of range"),
    (np.array([[2**40, 1, 2, 0]]), "out of range"),
    (np.array([[256, 1, 2, 3]]), "out of range"),
    (np.array([[65536, 1, 2, 3]]), "out of range"),
    (np.array([[1.0, 2, 3, 0]]), "these are not boards"),
    (np.array([[np.nan, 2, 3, 0]]), "these are not boards"),
    (np.array([[True, False]]), "these are not boards"),
    (np.array([[1, 2, 3, 0]], object), "these are not boards"),
    (np.array([[1, 2, 3, 0]], "c16"), "these are not boards"),
    (np.array([1, 2, 3, 0]), "1-dimensional"),
    (np.zeros((1, 2, 2, 2), int), "4-dimensional"),
    (np.array([[1, 2, 0]]), "do not fill a square"),
    (np.zeros((2, 300, 300), int), "cannot have this size"),
    (np.zeros((2, 0, 0), int), "cannot have this size"),
    (["1 2/3 4"], "out of range"),
    (["what"], "what"),
    ([[1, 2], [3]], "do not fill a square"),
    ([object()], "not a board"),
    ([[[1, 2], [3]]], "not a board"),
    ("1 2/3 0", "one board"),
]


@pytest.mark.parametrize(("boards", "reason"), WRONG)
def test_invalid_boards_are_rejected_with_a_reason(boards: Any, reason: str) -> None:
    for function in (
        taquin.distances, taquin.solve_many, taquin.is_solvable, taquin.optimal_moves, taquin.estimate
    ):  # fmt: skip
        with pytest.raises(taquin.BoardError, match=reason) as raised:
            function(boards)
        assert isinstance(raised.value, ValueError)
        assert raised.value.expected


def test_an_error_names_the_row_unless_it_is_masked() -> None:
    boards = np.array(oracle.shuffled(9, 10_000, 1))
    expected = taquin.distances(boards)
    wrong = boards.copy()
    for row in (0, 31, 32, 4095, 4096, 9999):
        wrong[row, 3] = wrong[row, 4]
    for function in (
        taquin.distances, taquin.solve_many, taquin.is_solvable, taquin.optimal_moves, taquin.estimate
    ):  # fmt: skip
        with pytest.raises(taquin.BoardError, match="board 0: .* appears twice") as raised:
            function(wrong)
        assert (raised.value.row, raised.value.expected) == (0, "the numbers 0 to 8, each once, for a board of 3x3")
        with pytest.raises(taquin.BoardError, match="board 31: "):
            function(np.concatenate([boards[:31], wrong[31:]]))
    found = taquin.distances(wrong, errors="mask")
    assert np.flatnonzero(found == taquin.INVALID).tolist() == [0, 31, 32, 4095, 4096, 9999]
    np.testing.assert_array_equal(found[found != taquin.INVALID], expected[found != taquin.INVALID])
    results = taquin.solve_many(wrong, errors="mask")
    assert set(results.errors) == {0, 31, 32, 4095, 4096, 9999}
    assert "appears twice" in results.errors[31]
    np.testing.assert_array_equal(results.moves, found)
    copy = pickle.loads(pickle.dumps(raised.value))
    assert (str(copy), copy.row) == (str(raised.value), raised.value.row)


shapes = st.lists(st.integers(0, 6), min_size=0, max_size=4).map(tuple)
integers = st.sampled_from(DTYPES).flatmap(
    lambda dtype: hnp.arrays(dtype, shapes, elements=hnp.from_dtype(np.dtype(dtype), min_value=None, max_value=None))
)
anything = st.one_of(
    integers,
    hnp.arrays(hnp.scalar_dtypes(), shapes),
    st.lists(st.one_of(st.none(), st.text(max_size=12), st.lists(st.integers(-3, 9), max_size=9), st.floats())),
)


@settings(max_examples=300, deadline=None)
@given(boards=anything, errors=st.sampled_from(["raise", "mask"]))
def test_any_input_is_answered_or_rejected(boards: Any, errors: Any) -> None:
    functions: list[Any] = [taquin.distances, taquin.is_solvable, taquin.optimal_moves, taquin.estimate]
    for function in functions:
        try:
            found = function(boards, errors=errors)
        except taquin.BoardError:
            continue
        assert len(found) == len(boards)
    with contextlib.suppress(taquin.BoardError):
        assert len(taquin.solve_many(boards, errors=errors)) == len(boards)


@settings(max_examples=100, deadline=None)
@given(data=st.data(), shape=st.tuples(st.integers(1, 3), st.integers(1, 3)), dtype=st.sampled_from(DTYPES))
def test_valid_boards_are_answered(data: st.DataObject, shape: tuple[int, int], dtype: str) -> None:
    cells = shape[0] * shape[1]
    boards = data.draw(st.lists(st.permutations(range(cells)), min_size=1, max_size=5))
    array = np.array(boards, dtype).reshape(-1, *shape)
    lengths = taquin.distances(array)
    for board, length in zip(array, lengths.tolist(), strict=True):
        answer = taquin.solve(board)
        assert answer.verify()
        assert (answer.moves if answer.moves is not None else -1) == length


@given(board=st.text(max_size=40), shape=st.one_of(st.none(), st.tuples(st.integers(-1, 300), st.integers(-1, 300))))
@settings(max_examples=200, deadline=None)
def test_any_text_is_a_board_or_an_error(board: str, shape: tuple[int, int] | None) -> None:
    with contextlib.suppress(ValueError):
        assert taquin.Board(board, shape).shape == (shape or taquin.Board(board).shape)


def test_arguments_are_checked() -> None:
    board = "1 2/0 3"
    for wrong in [{"shape": (0, 2)}, {"shape": "2x"}, {"goal": "nowhere"}, {"time_limit": 0}, {"time_limit": -1.0}]:
        with pytest.raises(ValueError, match=r".+"):
            taquin.solve(board, **wrong)  # pyright: ignore[reportArgumentType]
    with pytest.raises(taquin.BoardError, match="the goal does not fit"):
        taquin.solve(board, goal="1 2 3/4 5 6/7 8 0")
    with pytest.raises(taquin.BoardError, match="the goal does not fit"):
        taquin.distances(np.array([[1, 2, 3, 0]]), goal="1 2 3/4 5 6/7 8 0")
    for options in [{"threads": 0}, {"threads": -1}, {"memory": "much"}, {"memory": 0}, {"engine": "none"}]:
        with pytest.raises(ValueError, match=r".+"):
            taquin.Solver(**options)  # pyright: ignore[reportArgumentType]
    for options in [{"effort": 10}, {"quality": "bad"}, {"heuristic": "guess"}, {"fallback": "yes"}]:
        with pytest.raises(ValueError, match=r".+"):
            taquin.Solver(**options)  # pyright: ignore[reportArgumentType]
    with pytest.raises(ValueError, match="errors must be"):
        taquin.distances([board], errors="skip")  # pyright: ignore
    with pytest.raises(ValueError, match="such boards? exist|reflections count as the same"):
        taquin.generate((3, 3), 2, moves=31, unique=True)
