from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import timedelta
from os import PathLike
from typing import Any, Literal, Protocol, SupportsIndex, TypedDict, final, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

_Arrow = _ArrowStream | _ArrowArray
_Board = str | Board | ArrayLike
_Boards = NDArray[np.integer[Any]] | Sequence[_Board | None] | Iterable[_Board | None]
_Goal = str | Board | ArrayLike
_Shape = tuple[int, int] | str
_Path = str | PathLike[str]
_Time = float | timedelta
_Progress = bool | Callable[[int, int | None], object]
_OnError = Literal["raise", "mask"]
_Status = Literal["solved", "unsolvable", "unsolved"]

class FileResult(TypedDict, total=False):
    index: int
    source: str
    line: int
    id: str | float
    status: Literal["solved", "unsolvable", "unsolved", "invalid", "error"]
    moves: int
    path: str
    optimal: bool
    limit: str
    lower_bound: int
    error: str
    detail: str

@final
class Board:
    def __new__(cls, tiles: _Board, shape: _Shape | None = None) -> Board: ...
    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def tiles(self) -> NDArray[np.uint8] | NDArray[np.uint16]: ...
    def after(self, moves: str) -> Board: ...
    def __array__(self, dtype: np.dtype[Any] | None = None, copy: bool | None = None) -> NDArray[Any]: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_svg_(self) -> str: ...

@final
class Answer:
    @property
    def status(self) -> _Status: ...
    @property
    def moves(self) -> int | None: ...
    @property
    def path(self) -> str | None: ...
    @property
    def optimal(self) -> bool: ...
    @property
    def lower_bound(self) -> int | None: ...
    @property
    def limit(self) -> str | None: ...
    @property
    def board(self) -> Board: ...
    @property
    def goal(self) -> Board: ...
    def boards(self) -> NDArray[np.uint8] | NDArray[np.uint16]: ...
    def verify(self) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def _repr_svg_(self) -> str: ...

@final
class Results:
    @property
    def status(self) -> NDArray[np.str_]: ...
    @property
    def moves(self) -> NDArray[np.int32]: ...
    @property
    def lower_bound(self) -> NDArray[np.int32]: ...
    @property
    def optimal(self) -> NDArray[np.bool_]: ...
    @property
    def letters(self) -> NDArray[np.uint8]: ...
    @property
    def offsets(self) -> NDArray[np.int64]: ...
    @property
    def paths(self) -> list[str | None]: ...
    @property
    def errors(self) -> dict[int, str]: ...
    def to_dict(self) -> dict[str, Any]: ...
    def to_pandas(self) -> Any: ...
    def to_polars(self) -> Any: ...
    def to_arrow(self) -> Any: ...
    def __len__(self) -> int: ...
    def __getitem__(self, row: int) -> Answer | None: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@final
class Column:
    def to_pylist(self) -> list[Any]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, row: SupportsIndex) -> Any: ...
    @overload
    def __getitem__(self, row: slice) -> Column: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __array__(self, dtype: np.dtype[Any] | None = None, copy: bool | None = None) -> NDArray[Any]: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@final
class FileResults(Iterator[FileResult]):
    def __iter__(self) -> FileResults: ...
    def __next__(self) -> FileResult: ...

@final
class Solver:
    def __new__(
        cls,
        *,
        threads: int | None = None,
        memory: int | str | None = None,
        engine: str | None = None,
        heuristic: str | None = None,
        quality: Literal["shortest", "good"] | None = None,
        effort: int | None = None,
        fallback: Literal["good"] | None = None,
        time_limit: _Time | None = None,
        node_limit: int | None = None,
    ) -> Solver: ...
    @property
    def threads(self) -> int: ...
    def solve(
        self,
        board: _Board,
        *,
        goal: _Goal | None = None,
        shape: _Shape | None = None,
        time_limit: _Time | None = None,
        node_limit: int | None = None,
        raise_on_limit: bool = False,
    ) -> Answer: ...
    def improve(
        self,
        board: _Board,
        path: str,
        *,
        goal: _Goal | None = None,
        shape: _Shape | None = None,
    ) -> Answer: ...
    def solve_many(
        self,
        boards: _Boards | _Arrow,
        *,
        goal: _Goal | None = None,
        shape: _Shape | None = None,
        time_limit: _Time | None = None,
        node_limit: int | None = None,
        paths: bool = True,
        errors: _OnError = "raise",
        progress: _Progress | None = None,
    ) -> Results: ...
    @overload
    def distances(
        self,
        boards: _Arrow,
        *,
        goal: _Goal | None = None,
        shape: _Shape | None = None,
        time_limit: _Time | None = None,
        node_limit: int | None = None,
        errors: _OnError = "raise",
        progress: _Progress | None = None,
    ) -> Column: ...
    @overload
    def distances(
        self,
        boards: _Boards,
        *,
        goal: _Goal | None = None,
        shape: _Shape | None = None,
        time_limit: _Time | None = None,
        node_limit: int | None = None,
        errors: _OnError = "raise",
        progress: _Progress | None = None,
    ) -> NDArray[np.int32]: ...
    @overload
    def estimate(
        self,
        boards: _Arrow,
        *,
        goal: _Goal | None = None,
        shape: _Shape | None = None,
        time_limit: _Time | None = None,
        errors: _OnError = "raise",
        progress: _Progress | None = None,
    ) -> Column: ...
    @overload
    def estimate(
        self,
        boards: _Boards,
        *,
        goal: _Goal | None = None,
        shape: _Shape | None = None,
        time_limit: _Time | None = None,
        errors: _OnError = "raise",
        progress: _Progress | None = None,
    ) -> NDArray[np.float64]: ...
    @overload
    def is_solvable(
        self, boards: _Arrow, *, goal: _Goal | None = None, shape: _Shape | None = None, errors: _OnError = "raise"
    ) -> Column: ...
    @overload
    def is_solvable(
        self, boards: _Boards, *, goal: _Goal | None = None, shape: _Shape | None = None, errors: _OnError = "raise"
    ) -> NDArray[np.bool_]: ...
    @overload
    def optimal_moves(
        self,
        boards: _Arrow,
        *,
        goal: _Goal | None = None,
        shape: _Shape | None = None,
        errors: _OnError = "raise",
        progress: _Progress | None = None,
    ) -> Column: ...
    @overload
    def optimal_moves(
        self,
        boards: _Boards,
        *,
        goal: _Goal | None = None,
        shape: _Shape | None = None,
        errors: _OnError = "raise",
        progress: _Progress | None = None,
    ) -> NDArray[np.bool_]: ...
    def generate(
        self,
        shape: _Shape,
        count: int,
        *,
        goal: _Goal | None = None,
        moves: int | tuple[int, int] | str | None = None,
        spread: Literal["natural", "even"] | None = None,
        difficulty: Literal["easy", "medium", "hard"] | None = None,
        walk: int | tuple[int, int] | str | None = None,
        unsolvable: float = 0.0,
        unique: bool = False,
        seed: int = 0,
        progress: _Progress | None = None,
    ) -> NDArray[np.uint8] | NDArray[np.uint16]: ...
    def solve_files(
        self,
        paths: _Path | Iterable[_Path],
        *,
        goal: _Goal | None = None,
        shape: _Shape | None = None,
        format: str | None = None,
        fields: str | Iterable[str] | None = None,
        time_limit: _Time | None = None,
        node_limit: int | None = None,
    ) -> FileResults: ...
    def read_boards(
        self, paths: _Path | Iterable[_Path], *, shape: _Shape | None = None, format: str | None = None
    ) -> NDArray[np.uint8] | NDArray[np.uint16]: ...

@final
class RecordBatch:
    def __len__(self) -> int: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@final
class FileRecords(Iterator[RecordBatch]):
    def __iter__(self) -> FileRecords: ...
    def __next__(self) -> RecordBatch: ...

def file_records(
    paths: _Path | Iterable[_Path],
    *,
    goal: _Goal | None = None,
    shape: _Shape | None = None,
    format: str | None = None,
    shard: tuple[int, int] = (1, 1),
) -> FileRecords: ...
def run_program(arguments: Sequence[str]) -> int: ...
def _fail() -> None: ...
