"""Solves sliding-tile puzzles natively, with proven shortest paths.

Boards are NumPy arrays, Arrow data, lists or text::

    taquin.solve("2 3 4/1 5 0/7 6 8")     # an Answer: status, moves, path
    taquin.distances(boards)              # int32 array of proven shortest lengths
    taquin.solve_many(boards)             # Results: arrays, paths, Arrow data
    taquin.optimal_moves(boards)          # first moves of shortest paths
    taquin.is_solvable(boards)
    taquin.estimate(boards)               # expected nodes of a search
    taquin.analyse(boards, fields=["moves", "solutions"])   # arrays by field
    taquin.generate((4, 4), 1000, moves=(30, 40), seed=7)

The functions of the module share one :class:`Solver` with default settings. Create another for
other settings.
"""

from taquin import _shared
from taquin._analyse import analyse
from taquin._errors import BoardError, InternalError, LimitError
from taquin._taquin import Answer, Board, Column, FileResults, Results, Solver, __version__

__all__ = [
    "INVALID",
    "UNSOLVABLE",
    "UNSOLVED",
    "Answer",
    "Board",
    "BoardError",
    "Column",
    "FileResults",
    "InternalError",
    "LimitError",
    "Results",
    "Solver",
    "__version__",
    "analyse",
    "distances",
    "estimate",
    "generate",
    "improve",
    "is_solvable",
    "optimal_moves",
    "read_boards",
    "solve",
    "solve_files",
    "solve_many",
]

UNSOLVABLE = -1
"""The length for a board without a solution."""
UNSOLVED = -2
"""The length if no path was found and proven shortest within the limits."""
INVALID = -3
"""The length for a null row and, with ``errors="mask"``, for a row that is not a board or that the
goal does not fit."""

_solver = _shared.solver

solve = _solver.solve
solve_many = _solver.solve_many
distances = _solver.distances
estimate = _solver.estimate
is_solvable = _solver.is_solvable
optimal_moves = _solver.optimal_moves
generate = _solver.generate
improve = _solver.improve
solve_files = _solver.solve_files
read_boards = _solver.read_boards
