"""A slow, independent solver in pure Python: breadth-first search from the goal."""

from __future__ import annotations

import random
from collections import deque

Tiles = tuple[int, ...]
LETTERS = "DLRU"


def neighbours(board: Tiles, rows: int, cols: int) -> list[tuple[str, Tiles]]:
    """Return each move of the blank with the board after it, in the order of the letters."""
    blank = board.index(0)
    row, col = divmod(blank, cols)
    steps = {"D": (row + 1, col), "L": (row, col - 1), "R": (row, col + 1), "U": (row - 1, col)}
    found: list[tuple[str, Tiles]] = []
    for letter in LETTERS:
        to_row, to_col = steps[letter]
        if 0 <= to_row < rows and 0 <= to_col < cols:
            after = list(board)
            to = to_row * cols + to_col
            after[blank], after[to] = after[to], after[blank]
            found.append((letter, tuple(after)))
    return found


def distances(goal: Tiles, rows: int, cols: int) -> dict[Tiles, int]:
    """Return the distance of every solvable board from the goal."""
    lengths, queue = {goal: 0}, deque([goal])
    while queue:
        board = queue.popleft()
        for _, after in neighbours(board, rows, cols):
            if after not in lengths:
                lengths[after] = lengths[board] + 1
                queue.append(after)
    return lengths


def first_moves(board: Tiles, lengths: dict[Tiles, int], rows: int, cols: int) -> list[bool]:
    """Return a flag for each of D, L, R, U: True if the move leads closer to the goal."""
    closer = {letter for letter, after in neighbours(board, rows, cols) if lengths[after] < lengths[board]}
    return [letter in closer for letter in LETTERS]


def smallest_path(board: Tiles, lengths: dict[Tiles, int], rows: int, cols: int) -> str:
    """Return the alphabetically first shortest path (D < L < R < U)."""
    path = ""
    while lengths[board]:
        letter, board = next(step for step in neighbours(board, rows, cols) if lengths[step[1]] < lengths[board])
        path += letter
    return path


def shuffled(cells: int, count: int, seed: int) -> list[Tiles]:
    """Return `count` random permutations of the tiles, solvable or not."""
    rng = random.Random(seed)
    return [tuple(rng.sample(range(cells), cells)) for _ in range(count)]
