"""Solves boards on Apache Spark.

::

    from taquin import spark as ts

    boards = ts.read_boards(spark, "/shared/boards")          # or any DataFrame of boards
    answers = ts.solve(boards, fields=("status", "moves", "path", "error"))
    frame.withColumn("moves", ts.distances("board"))
    frame.withColumn("nodes", ts.estimates("board"))          # expected work for each board
    frame.withColumn("found", ts.analyse("board"))            # moves, number of solutions, first moves

Spark's executors exchange boards and answers with their Python workers as Arrow arrays. Each Python
worker has one solver, with ``spark.task.cpus`` threads, and keeps it between batches and tasks.
Without a time limit, the result of a row does not depend on when or where it is computed, so
retried and speculative tasks are safe.

Needs PySpark 4.1 or newer, and pyarrow: ``pip install './python[spark]'`` in a clone of the
repository, on the driver and on all executors.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Literal

import pyarrow
import pyarrow.compute
from pyspark import TaskContext
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    DataType,
    DoubleType,
    IntegerType,
    LongType,
    StringType,
    StructField,
    StructType,
)

from taquin import _analyse
from taquin._errors import BoardError
from taquin._taquin import Board, Solver, file_records

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

# pyarrow has no type annotations.
pa: Any = pyarrow
pc: Any = pyarrow.compute
_Array = Any
_Batch = Any
_Table = Any
_Work = Literal["solve", "estimate"]

_ARROW_TYPES: dict[DataType, Any] = {
    StringType(): pa.string(),
    BooleanType(): pa.bool_(),
    IntegerType(): pa.int32(),
    LongType(): pa.int64(),
    ArrayType(StringType()): pa.list_(pa.string()),
}

__all__ = ["ANALYSIS", "FIELDS", "analyse", "distances", "estimates", "read_boards", "solve"]

FIELDS: dict[str, DataType] = {
    "status": StringType(),
    "moves": IntegerType(),
    "path": StringType(),
    "optimal": BooleanType(),
    "lower_bound": IntegerType(),
    "limit": StringType(),
    "error": StringType(),
}
"""The result columns and their types."""

ANALYSIS: dict[str, DataType] = FIELDS | {
    "solvable": BooleanType(),
    "manhattan": IntegerType(),
    "linear_conflict": IntegerType(),
    "paths": ArrayType(StringType()),
    "solutions": LongType(),
    "solutions_at_least": LongType(),
    "first_moves": StringType(),
    "forced_moves": StringType(),
}
"""The fields of :func:`analyse` and their types."""

_RECORD = StructType(
    [
        StructField("index", LongType()),
        StructField("source", StringType()),
        StructField("line", LongType()),
        StructField("id", StringType()),
        StructField("board", ArrayType(ArrayType(IntegerType()))),
        StructField("goal", StringType()),
        StructField("error", StringType()),
    ]
)
_NO_BOARD = "the board is null"

# Bytes of a Python worker outside its solver: interpreter, NumPy, pyarrow, PySpark, and batches.
_WORKER_OVERHEAD = 192 << 20
# Bytes of an executor's JVM outside its heap.
_JVM_OVERHEAD = 128 << 20
# Minimum bytes of a solver, and the bytes that suffice for the 7-8 pattern databases. Random 4x4
# boards need these tables.
_MIN_SOLVER_MEMORY = 32 << 20
_TABLE_MEMORY = 768 << 20


@dataclass(frozen=True)
class _Settings:
    """The settings that every worker receives."""

    memory: int | str | None
    goal: Any = None
    shape: tuple[int, int] | str | None = None
    time_limit: float | None = None
    node_limit: int | None = None

    def solver(self, work: _Work = "solve") -> Solver:
        """Return the solver of this process, with as many threads as a task has."""
        context = TaskContext.get()
        threads = 1 if context is None else max(1, context.cpus())
        key = (work, self.memory, threads)
        if key not in _solvers:
            # Estimates and searches use different tables: drop one kind before building the other.
            for other in [other for other in _solvers if other[0] != work]:
                del _solvers[other]
            _solvers[key] = Solver(threads=threads, memory=self.memory)
        return _solvers[key]

    def results(self, boards: _Array, goal: Any) -> tuple[_Table, dict[int, str]]:
        """Solve boards for one goal. Return the result columns, and the reasons for invalid rows."""
        _counters["batches"] += 1
        results = self.solver().solve_many(
            boards,
            goal=goal,
            shape=self.shape,
            time_limit=self.time_limit,
            node_limit=self.node_limit,
            errors="mask",
        )
        return pa.table(results), results.errors

    def lengths(self, boards: _Array) -> _Array:
        """Return the lengths of shortest paths."""
        _counters["batches"] += 1
        solver: Any = self.solver()
        found = solver.distances(
            boards,
            goal=self.goal,
            shape=self.shape,
            time_limit=self.time_limit,
            node_limit=self.node_limit,
            errors="mask",
        )
        return pa.array(found)

    def analysis(self, boards: _Array, fields: Sequence[str]) -> _Array:
        """Return fields of the boards' results, as a struct array."""
        _counters["batches"] += 1
        found = _analyse.analyse(
            boards,
            fields,
            goal=self.goal,
            shape=self.shape,
            errors="mask",
            time_limit=self.time_limit,
            node_limit=self.node_limit,
            solver=self.solver(),
        )
        columns = [_arrow(found[field], _ARROW_TYPES[ANALYSIS[field]]) for field in fields]
        return pa.StructArray.from_arrays(columns, names=list(fields))

    def nodes(self, boards: _Array) -> _Array:
        """Return the expected nodes of searches."""
        _counters["batches"] += 1
        solver: Any = self.solver("estimate")
        found = solver.estimate(boards, goal=self.goal, shape=self.shape, time_limit=self.time_limit, errors="mask")
        return pa.array(found)


# The solvers of this process, by work, memory and threads. A Python worker usually has one.
_solvers: dict[tuple[_Work, int | str | None, int], Solver] = {}
# Read by the tests.
_counters = {"batches": 0}


def solve(
    df: DataFrame,
    board: str = "board",
    *,
    goal: str | ArrayLike | Column | None = None,
    shape: tuple[int, int] | str | None = None,
    id: str | Sequence[str] | None = None,
    fields: Sequence[str] = ("status", "moves", "path"),
    time_limit: float | timedelta | None = None,
    node_limit: int | None = None,
    memory: int | str | None = None,
    into: str | None = None,
    prefix: str = "",
) -> DataFrame:
    """Solve the boards of a column.

    Parameters
    ----------
    df : DataFrame
        One row per board.
    board : str
        The column of boards: lists of integers, lists of rows, or text.
    goal : str, list, array or Column, optional
        As for :meth:`taquin.Solver.solve`. A column of text contains the goal of each row, and null
        for the default goal.
    shape : tuple of int or str, optional
        The shape of boards that are flat lists and not square.
    id : str or sequence of str, optional
        The columns of `df` to keep. By default all are kept; each is sent to Python and back,
        which is slow for wide rows.
    fields : sequence of str
        The result columns, from :data:`FIELDS`. ``error`` is the reason why a row is ``invalid``.
    time_limit, node_limit
        Limits for each board. With a time limit, a retried task may give different results.
    memory : int or str, optional
        Memory of the solver in each Python worker. By default the worker's share of the executor's
        memory outside the heap (``spark.executor.memoryOverhead``, or
        ``spark.executor.pyspark.memory``).
    into : str, optional
        The name of a struct column that holds all results, instead of one column for each.
    prefix : str
        A prefix for the names of the result columns.

    Returns
    -------
    DataFrame
        The rows of `df`, with the kept columns and the result columns. Evaluation is lazy.

    """
    _check_fields(fields, FIELDS)
    kept_columns = df.columns if id is None else [id] if isinstance(id, str) else list(id)
    names = [into] if into is not None else [prefix + field for field in fields]
    if taken := [name for name in names if name in kept_columns]:
        raise ValueError(f"there is already a column {taken[0]!r}: rename the results with prefix= or into=")
    has_goal_column = isinstance(goal, Column)
    settings = _settings(df.sparkSession, None if has_goal_column else goal, shape, time_limit, node_limit, memory)
    goals = [goal.alias(_GOAL)] if has_goal_column else []
    sent = df.select(*(df[name] for name in kept_columns), df[board].alias(_BOARD), *goals)
    columns = [StructField(field, FIELDS[field]) for field in fields]
    if into is not None:
        columns = [StructField(into, StructType(columns))]
    else:
        columns = [StructField(name, column.dataType) for name, column in zip(names, columns, strict=True)]
    schema = StructType([*sent.schema.fields[: len(kept_columns)], *columns])

    def solved(batches: Iterator[_Batch]) -> Iterator[_Batch]:
        return (_solved(batch, settings, len(kept_columns), fields, into, names) for batch in batches)

    return sent.mapInArrow(solved, schema)


_BOARD, _GOAL = "__taquin_board", "__taquin_goal"


def _solved(
    batch: _Batch,
    settings: _Settings,
    kept_count: int,
    fields: Sequence[str],
    into: str | None,
    names: Sequence[str],
) -> _Batch:
    """Solve a batch, and return the kept columns and its results."""
    boards = batch.column(kept_count)
    goals = batch.column(kept_count + 1) if batch.num_columns > kept_count + 1 else None
    columns = _results(boards, goals, settings, fields)
    if into is not None:
        columns = [pa.StructArray.from_arrays(columns, names=list(fields))]
    all_columns = [*batch.columns[:kept_count], *columns]
    return pa.RecordBatch.from_arrays(all_columns, names=[*batch.schema.names[:kept_count], *names])


def _results(boards: _Array, goals: _Array | None, settings: _Settings, fields: Sequence[str]) -> list[_Array]:
    """Return the result columns of boards, with one goal for all or one for each."""
    distinct_goals = pa.array([None]) if goals is None else goals.unique()
    if goals is None or len(distinct_goals) == 0:
        return _columns(*settings.results(boards, settings.goal), len(boards), fields)
    if len(distinct_goals) == 1:
        return _results_of_goal(boards, distinct_goals[0].as_py(), settings, fields)
    parts: list[list[_Array]] = []
    rows: list[int] = []
    codes = goals.dictionary_encode(null_encoding="encode")
    rows_by_code: list[list[int]] = [[] for _ in codes.dictionary]
    for row, code in enumerate(codes.indices.to_pylist()):
        rows_by_code[code].append(row)
    for rows_of_goal, goal in zip(rows_by_code, codes.dictionary.to_pylist(), strict=True):
        rows += rows_of_goal
        part = boards.take(pa.array(rows_of_goal, pa.int64()))
        parts.append(_results_of_goal(part, goal, settings, fields))
    positions = [0] * len(rows)
    for at, row in enumerate(rows):
        positions[row] = at
    order = pa.array(positions, pa.int64())
    return [pa.concat_arrays(list(column)).take(order) for column in zip(*parts, strict=True)]


def _results_of_goal(boards: _Array, goal: Any, settings: _Settings, fields: Sequence[str]) -> list[_Array]:
    """Return the result columns of boards with the same goal, which is invalid data if it cannot be read."""
    try:
        return _columns(*settings.results(boards, goal), len(boards), fields)
    except BoardError as error:
        unread = pa.nulls(len(boards), boards.type)
        columns = _columns(*settings.results(unread, settings.goal), len(boards), fields)
        reasons = pa.array([f"goal: {error.reason}"] * len(boards), pa.string())
        return [reasons if field == "error" else column for field, column in zip(fields, columns, strict=True)]


def _columns(results: _Table, errors: dict[int, str], count: int, fields: Sequence[str]) -> list[_Array]:
    columns: list[_Array] = []
    for field in fields:
        if field == "error":
            reasons: list[str | None] = [None] * count
            for row, reason in errors.items():
                reasons[row] = reason
            nulls = _array(results, "status").is_null()
            column = pa.array(reasons, pa.string())
            columns.append(pc.if_else(nulls, pa.scalar(_NO_BOARD), column) if nulls.true_count else column)
            continue
        column = _array(results, field)
        if field == "status":
            column = pc.fill_null(column, "invalid")
        columns.append(column)
    return columns


def _array(results: _Table, field: str) -> _Array:
    column = results.column(field).combine_chunks()
    return column.cast(pa.string()) if isinstance(FIELDS[field], StringType) else column


def _arrow(values: Any, kind: Any) -> _Array:
    """Return a column of `taquin.analyse` as an array of this type."""
    array = pa.array(values, from_pandas=True)
    # If all values are missing, the column of a text field holds numbers (NaN), as others do.
    return pa.nulls(len(array), kind) if array.null_count == len(array) else array.cast(kind)


def distances(
    column: str | Column,
    *,
    goal: str | ArrayLike | None = None,
    shape: tuple[int, int] | str | None = None,
    time_limit: float | timedelta | None = None,
    node_limit: int | None = None,
    memory: int | str | None = None,
) -> Column:
    """Return the lengths of proven shortest paths, as a column.

    Parameters
    ----------
    column : str or Column
        Boards, as for :func:`solve`.
    goal, shape, time_limit, node_limit, memory
        As for :func:`solve`.

    Returns
    -------
    Column
        Integers; -1 if there is no solution, -2 if no path was found and proven shortest within
        the limits, null if the row is not a board.

    """
    settings = _active(goal, shape, time_limit, node_limit, memory)
    return _column("distances", settings.lengths, IntegerType(), column)


def analyse(
    column: str | Column,
    fields: Sequence[str] = ("moves", "solutions", "first_moves"),
    *,
    goal: str | ArrayLike | None = None,
    shape: tuple[int, int] | str | None = None,
    time_limit: float | timedelta | None = None,
    node_limit: int | None = None,
    memory: int | str | None = None,
) -> Column:
    """Return the fields of :func:`taquin.analyse` as a struct column.

    Parameters
    ----------
    column : str or Column
        Boards, as for :func:`solve`.
    fields : sequence of str
        Fields from :data:`ANALYSIS`.
    goal, shape, time_limit, node_limit, memory
        As for :func:`solve`.

    Returns
    -------
    Column
        Structs with these fields. A field that a result does not have is null.

    """
    _check_fields(fields, ANALYSIS)
    settings = _active(goal, shape, time_limit, node_limit, memory)
    kind = StructType([StructField(field, ANALYSIS[field]) for field in fields])
    return _column("analyse", lambda boards: settings.analysis(boards, fields), kind, column)


def estimates(
    column: str | Column,
    *,
    goal: str | ArrayLike | None = None,
    shape: tuple[int, int] | str | None = None,
    time_limit: float | timedelta | None = None,
    memory: int | str | None = None,
) -> Column:
    """Return the expected nodes of searches for shortest paths, as a column.

    Use this column to start the hardest boards first: see "Skew" in ``docs/scaling.md``. A 4x4
    board takes one core about 0.02 s and a 5x5 board about a second, each time that the column is
    computed. Call ``persist`` before ordering rows by the column: otherwise Spark computes it
    twice.

    Parameters
    ----------
    column : str or Column
        Boards, as for :func:`solve`.
    goal, shape, memory
        As for :func:`solve`. A Python worker holds the tables of either estimates or searches, so
        that each kind can use all of the memory.
    time_limit : float or timedelta, optional
        Time limit for the estimate of each board, in seconds.

    Returns
    -------
    Column
        Doubles, as from :meth:`taquin.Solver.estimate`: 0 if nothing is searched, null if the
        estimate is not known or the row is not a board.

    """
    return _column("estimates", _active(goal, shape, time_limit, None, memory).nodes, DoubleType(), column)


def _active(
    goal: Any,
    shape: tuple[int, int] | str | None,
    time_limit: float | timedelta | None,
    node_limit: int | None,
    memory: int | str | None,
) -> _Settings:
    """Return the settings of a call in the active session."""
    spark = SparkSession.getActiveSession()
    if spark is None:
        raise RuntimeError("there is no active Spark session: create one first")
    return _settings(spark, goal, shape, time_limit, node_limit, memory, stacklevel=4)


def _column(name: str, work: Callable[[_Array], _Array], kind: DataType, column: str | Column) -> Column:
    """Return a column that applies `work` to a column of boards. Spark shows it under `name`."""

    def apply(boards: _Array) -> _Array:
        return work(boards)

    # The annotations tell Spark that the function takes one batch, not an iterator of batches.
    apply.__annotations__ = {"boards": pa.Array, "return": pa.Array}
    apply.__name__ = name
    arrow_udf: Any = getattr(F, "arrow_udf")  # noqa: B009
    return arrow_udf(apply, kind)(column)


def read_boards(
    spark: SparkSession,
    paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    goal: str | ArrayLike | None = None,
    shape: tuple[int, int] | str | None = None,
    format: str | None = None,
    partitions: int | None = None,
) -> DataFrame:
    """Read the boards of files in any of taquin's layouts, in parallel.

    Parameters
    ----------
    spark : SparkSession
        The session for the result.
    paths : path or iterable of paths
        Files and folders, plain, ``.gz`` or ``.zst``, under the same names on all executors.
    goal, shape, format
        As for :meth:`taquin.Solver.solve_files`.
    partitions : int, optional
        Number of partitions. Each reads all files, and takes the records of one shard, as
        ``taquin solve --shard`` does. By default Spark's default parallelism.

    Returns
    -------
    DataFrame
        ``index``, ``source`` and ``line`` of each record, its ``id`` as JSON, its ``board`` as a
        list of rows, and its ``goal`` as text (null for the default). A record that is not a board
        has an ``error`` instead of a board and a goal.

    """
    files = [fspath(paths)] if isinstance(paths, (str, PathLike)) else [fspath(path) for path in paths]
    settings = _Settings(None, _plain(goal), shape)
    _check(settings)
    count = partitions or max(1, int(spark.conf.get("spark.default.parallelism", "0") or 0)) or 1
    if partitions is None:
        count = max(count, spark.sparkContext.defaultParallelism)

    def read(batches: Iterator[_Batch]) -> Iterator[_Batch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                records = file_records(
                    files, goal=settings.goal, shape=settings.shape, format=format, shard=(number + 1, count)
                )
                for part in records:
                    yield pa.RecordBatch.from_struct_array(pa.array(part))

    return spark.range(0, count, 1, count).mapInArrow(read, _RECORD)


def _check_fields(fields: Sequence[str], available: dict[str, DataType]) -> None:
    if isinstance(fields, str):
        raise TypeError("fields must be a sequence of names, such as ('status', 'moves')")
    for field in fields:
        if field not in available:
            raise ValueError(f"there is no field {field!r}: choose from {', '.join(available)}")


def _plain(goal: Any) -> Any:
    """Return a goal as a value that can be sent to other processes."""
    if goal is None or isinstance(goal, str):
        return goal
    tiles = goal.tiles if isinstance(goal, Board) else goal
    return tiles.tolist() if hasattr(tiles, "tolist") else tiles


def _check(settings: _Settings) -> None:
    """Reject, on the driver, settings that no worker would accept."""
    Solver(threads=1, memory=_MIN_SOLVER_MEMORY).is_solvable([], goal=settings.goal, shape=settings.shape)


def _settings(
    spark: SparkSession,
    goal: Any,
    shape: tuple[int, int] | str | None,
    time_limit: float | timedelta | None,
    node_limit: int | None,
    memory: int | str | None,
    stacklevel: int = 3,
) -> _Settings:
    seconds = time_limit.total_seconds() if isinstance(time_limit, timedelta) else time_limit
    share = _share(spark)
    if memory is None and share is not None:
        memory = max(share, _MIN_SOLVER_MEMORY)
        if share < _TABLE_MEMORY:
            warnings.warn(
                f"a Python worker has {memory >> 20} MiB for taquin; the tables for random 4x4 boards need "
                f"{_TABLE_MEMORY >> 20} MiB: pass memory=, or give Python workers more memory, unless boards have at "
                "most 12 cells",
                stacklevel=stacklevel,
            )
    settings = _Settings(memory, _plain(goal), shape, seconds, node_limit)
    _check(settings)
    return settings


def _share(spark: SparkSession) -> int | None:
    """Return the memory of a Python worker's solver, or None for the default of :class:`Solver`."""

    def setting(name: str, default: str) -> str:
        return spark.conf.get(name, default) or default

    master, cpus = setting("spark.master", "local"), int(setting("spark.task.cpus", "1"))
    if master.startswith("local") and not master.startswith("local-cluster"):
        workers = max(1, spark.sparkContext.defaultParallelism // cpus)
        return None if workers == 1 else os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 4 // workers
    cores = int(setting("spark.executor.cores", "1"))
    if master.startswith("local-cluster"):
        cores = int(master[len("local-cluster[") : -1].split(",")[1])
    workers = max(1, cores // cpus)
    if worker_memory := setting("spark.executor.pyspark.memory", ""):
        return _bytes(worker_memory) // workers - _WORKER_OVERHEAD
    heap = _bytes(setting("spark.executor.memory", "1g"))
    factor = float(setting("spark.executor.memoryOverheadFactor", "0.4" if master.startswith("k8s") else "0.1"))
    default_overhead = max(int(heap * factor), 384 << 20)
    overhead = setting("spark.executor.memoryOverhead", "")
    return ((_bytes(overhead) if overhead else default_overhead) - _JVM_OVERHEAD) // workers - _WORKER_OVERHEAD


def _bytes(size: str) -> int:
    """Parse a size in Spark's notation. A size without a unit is in MiB."""
    number = size.strip().lower().removesuffix("b").removesuffix("i")
    for power, unit in enumerate("kmgtp", 1):
        if number.endswith(unit):
            return int(number[:-1]) << 10 * power
    return int(number) << (0 if size.strip().lower().endswith("b") else 20)
