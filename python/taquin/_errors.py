"""The exceptions of taquin."""

from __future__ import annotations

__all__ = ["BoardError", "InternalError", "LimitError"]


class BoardError(ValueError):
    """Something that is no board.

    Attributes
    ----------
    row : int or None
        Which of many boards it is, counted from 0; None where there was only one.
    reason : str
        What is wrong with it.
    found : str or None
        What stood there.
    expected : str or None
        What would have been right.

    """

    def __init__(
        self, reason: str, row: int | None = None, found: str | None = None, expected: str | None = None
    ) -> None:
        text = reason if row is None else f"row {row}: {reason}"
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
    """A limit ended the search before a path was found, or proven where a proof was asked for.

    Attributes
    ----------
    limit : str
        Which one: ``time``, ``nodes``, ``memory``, ``effort`` or ``cancelled``.
    lower_bound : int
        No path has fewer moves than this.

    """

    def __init__(self, limit: str, lower_bound: int) -> None:
        super().__init__(f"not solved within the limit of {limit}: no path has fewer than {lower_bound} moves")
        self.limit = limit
        self.lower_bound = lower_bound

    def __reduce__(self) -> tuple[type[LimitError], tuple[str, int]]:
        return type(self), (self.limit, self.lower_bound)


class InternalError(RuntimeError):
    """A fault of taquin itself. Please report it with the board; the solver goes on with others."""
