"""The exceptions of taquin."""

from __future__ import annotations

__all__ = ["BoardError", "InternalError", "LimitError"]


class BoardError(ValueError):
    """A value that is not a board, or a goal or path that does not fit the board.

    Attributes
    ----------
    row : int or None
        The row among many boards, counted from 0; None for a single board.
    reason : str
        The reason, such as ``tile 2 appears twice``.
    found : str or None
        The value that was found.
    expected : str or None
        The value that was expected.

    """

    def __init__(
        self, reason: str, row: int | None = None, found: str | None = None, expected: str | None = None
    ) -> None:
        text = reason if row is None else f"board {row}: {reason}"
        if found is not None:
            text += f"; found {found}"
        if expected is not None:
            text += f", expected {expected}"
        super().__init__(text)
        self.reason = reason
        self.row = row
        self.found = found
        self.expected = expected

    def __reduce__(self) -> tuple[type[BoardError], tuple[str, int | None, str | None, str | None]]:
        return type(self), (self.reason, self.row, self.found, self.expected)


class LimitError(RuntimeError):
    """A search that a limit ended before it found a path.

    Attributes
    ----------
    limit : str
        The limit: ``time``, ``nodes``, ``memory``, ``effort`` or ``cancelled``.
    lower_bound : int
        A proven lower bound on the length of every path.

    """

    def __init__(self, limit: str, lower_bound: int) -> None:
        reason = limit if limit == "cancelled" else f"{limit.removesuffix('s')} limit"
        super().__init__(f"not solved ({reason}): no path has fewer than {lower_bound} moves")
        self.limit = limit
        self.lower_bound = lower_bound

    def __reduce__(self) -> tuple[type[LimitError], tuple[str, int]]:
        return type(self), (self.limit, self.lower_bound)


class InternalError(RuntimeError):
    """An error in taquin itself. Please report it with the board. The solver remains usable."""


for _error in (BoardError, LimitError, InternalError):
    # Tracebacks show the public name.
    _error.__module__ = "taquin"
