"""`taquin.spark` on local Spark: every row has its result, and workers keep their solvers."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import oracle
import pyarrow
import pytest

import taquin

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pa: Any = pyarrow
CI = bool(os.environ.get("CI"))


def has_java() -> bool:
    return (
        shutil.which("java") is not None
        and subprocess.run(["java", "-version"], capture_output=True, check=False).returncode == 0
    )


pytestmark = pytest.mark.skipif(not CI and not has_java(), reason="needs Java")


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    pytest.importorskip("pyspark", reason="needs PySpark") if not CI else None
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").appName("taquin")
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "100",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
    }.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def frame(spark: SparkSession, boards: list[Any], kind: str = "array<int>") -> DataFrame:
    rows = [(row, board) for row, board in enumerate(boards)]
    return spark.createDataFrame(rows, f"id int, board {kind}").repartition(4)


def flat(boards: Any) -> list[list[int]]:
    return np.asarray(boards).reshape(len(boards), -1).tolist()


def in_order(results: DataFrame) -> list[dict[str, Any]]:
    return [row.asDict(recursive=True) for row in results.orderBy("id").collect()]


def test_every_row_has_its_answer_once(spark: SparkSession) -> None:
    """Results are the same as without Spark, except that null rows are invalid."""
    from taquin import spark as on_spark

    boards: list[Any] = flat(taquin.generate((3, 3), 1000, seed=5, unsolvable=0.2))
    for row in range(0, 1000, 97):
        boards[row] = [None, [1, 2, 2, 0], [1, 2], [], [-1, 0, 1, 2]][row // 97 % 5]
    fields = tuple(on_spark.FIELDS)
    found = in_order(on_spark.solve(frame(spark, boards), fields=fields, id="id"))
    without_spark = taquin.solve_many(pa.array(boards, pa.list_(pa.int32())), errors="mask")
    table: list[dict[str, Any]] = pa.table(without_spark).to_pylist()
    assert [row["id"] for row in found] == list(range(1000))
    for row, (got, expected) in enumerate(zip(found, table, strict=True)):
        if boards[row] is None:
            assert (got["status"], got["error"]) == ("invalid", "the board is null")
            continue
        assert {name: got[name] for name in expected} == expected
        assert got["error"] == without_spark.errors.get(row)
        assert (got["status"] == "invalid") == (got["error"] is not None)


def test_lengths_agree_with_another_search(spark: SparkSession) -> None:
    from taquin import spark as on_spark

    boards = flat(taquin.generate((2, 3), 50, seed=3, unsolvable=0.3))
    rows = [[board[:3], board[3:]] for board in boards]
    nested = frame(spark, [*rows, None, [[1, 1], [2, 0]]], "array<array<int>>")
    found = in_order(nested.withColumn("moves", on_spark.distances("board")))
    lengths = oracle.distances((1, 2, 3, 4, 5, 0), 2, 3)
    assert [row["moves"] for row in found] == [*(lengths.get(tuple(board), -1) for board in boards), None, None]


def test_analyses_agree_with_the_package(spark: SparkSession) -> None:
    from pyspark.sql import functions as F  # noqa: N812

    from taquin import spark as on_spark

    boards: list[Any] = [*flat(taquin.generate((3, 3), 200, seed=6, unsolvable=0.2)), None, [1, 2, 2, 0]]
    fields = ("moves", "solutions", "first_moves", "forced_moves", "solvable", "manhattan", "paths", "error")
    # A board without a solution has no value of most fields.
    for some in (boards, [[1, 2, 3, 4, 5, 6, 8, 7, 0]]):
        rows = in_order(frame(spark, some).select("id", on_spark.analyse(F.col("board"), fields).alias("found")))
        expected = taquin.analyse(some, fields, errors="mask")
        for field in fields:
            found = [row["found"][field] for row in rows]
            values = [None if isinstance(value, float) and np.isnan(value) else value for value in expected[field]]
            assert found == values, field
    with pytest.raises(ValueError, match="there is no field 'duplicate_of'"):
        on_spark.analyse("board", ["duplicate_of"])


def test_estimates_agree_with_the_package(spark: SparkSession) -> None:
    from pyspark.sql import functions as F  # noqa: N812

    from taquin import spark as on_spark

    boards: list[Any] = flat(taquin.generate((4, 4), 6, walk=50, seed=3, unsolvable=0.4))
    boards += [[1, 2, 0, 3], None, [1, 2, 2, 0], [*range(1, 36), 0]]
    with_nodes = frame(spark, boards).withColumn("nodes", on_spark.estimates("board", memory="64M"))
    # Spark computes lengths and estimates in one stage.
    found = in_order(with_nodes.withColumn("moves", on_spark.distances(F.slice("board", 1, 16))))
    solver: Any = taquin.Solver(threads=1, memory="64M")
    without_spark = solver.estimate(pa.array(boards, pa.list_(pa.int32())), errors="mask")
    nodes = [row["nodes"] for row in found]
    assert nodes == without_spark.to_pylist()
    assert max(nodes[:6]) > 1
    assert nodes[7:] == [None, None, None]
    assert [row["moves"] for row in found[6:9]] == [1, None, None]
    assert with_nodes.select(on_spark.distances("board"), on_spark.estimates("board")).columns == [
        "distances(board)",
        "estimates(board)",
    ]


@pytest.mark.parametrize(
    ("kind", "boards"),
    [
        ("string", ["1 2 3/4 5 6/7 0 8", "oh"]),
        ("array<tinyint>", [[1, 2, 3, 4, 5, 6, 7, 0, 8], [1]]),
        ("array<bigint>", [[1, 2, 3, 4, 5, 6, 7, 0, 8], [1 << 40, 0, 1, 2]]),
    ],
)
def test_columns_of_any_type(spark: SparkSession, kind: str, boards: list[Any]) -> None:
    from taquin import spark as on_spark

    found = in_order(on_spark.solve(frame(spark, boards, kind), into="answer"))
    assert found[0] == {"id": 0, "board": boards[0], "answer": {"status": "solved", "moves": 1, "path": "R"}}
    assert found[1]["answer"] == {"status": "invalid", "moves": None, "path": None}


def test_a_goal_for_all_or_for_each(spark: SparkSession) -> None:
    from pyspark.sql import functions as F  # noqa: N812

    from taquin import spark as on_spark

    boards = [[1, 2, 3, 8, 0, 4, 7, 6, 5], [1, 2, 3, 4, 5, 6, 7, 8, 0], [1, 2, 3, 8, 4, 0, 7, 6, 5], [0, 1, 2, 3]]
    with_goals = frame(spark, boards).withColumn(
        "goal", F.when(F.col("id") % 2 == 0, F.lit("1 2 3/8 0 4/7 6 5")).when(F.col("id") == 3, F.lit("blank-first"))
    )
    moves = [row["a_moves"] for row in in_order(on_spark.solve(with_goals, goal=F.col("goal"), prefix="a_"))]
    assert moves == [0, 0, 1, 0]
    fixed = on_spark.solve(frame(spark, boards[:3]), goal=taquin.Board("1 2 3/8 0 4/7 6 5"), id=())
    assert (fixed.columns, fixed.count()) == (["status", "moves", "path"], 3)
    named = in_order(on_spark.solve(frame(spark, boards[:3:2]), goal=np.array([[1, 2, 3], [8, 0, 4], [7, 6, 5]])))
    assert [row["moves"] for row in named] == [0, 1]
    # A goal in a column is data: one that cannot be read or does not fit makes its rows invalid.
    for wrong in ("nonsense", "1 2 3/4 5 6/7 8 0"):
        goals = frame(spark, [[1, 2, 3, 0], [1, 2, 0, 3]]).withColumn(
            "goal", F.when(F.col("id") == 0, F.lit(wrong)).otherwise(F.lit("1 2/3 0"))
        )
        rows = in_order(on_spark.solve(goals, goal=F.col("goal"), fields=("status", "moves", "error")))
        assert [(row["status"], row["moves"]) for row in rows] == [("invalid", None), ("solved", 1)]
        assert "goal" in rows[0]["error"], rows[0]["error"]


def test_workers_keep_their_solver(spark: SparkSession) -> None:
    """A Python worker creates one solver, with one set of tables, for all batches and tasks."""
    from taquin import spark as on_spark

    boards = frame(spark, flat(taquin.generate((3, 3), 2000, seed=9))).repartition(8)
    settings = on_spark._settings(spark, None, None, None, None, None)  # pyright: ignore[reportPrivateUsage]

    def counted(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            settings.results(batch.column(1), None)
            counts = [os.getpid(), len(on_spark._solvers), on_spark._counters["batches"]]  # pyright: ignore[reportPrivateUsage]
            yield pa.RecordBatch.from_arrays([pa.array([count]) for count in counts], ["pid", "solvers", "batches"])

    rows = boards.mapInArrow(counted, "pid long, solvers long, batches long").collect()
    workers = {row.pid for row in rows}
    assert len(workers) <= 2
    assert len(rows) >= 20
    assert max(row.batches for row in rows) >= 10
    assert {row.solvers for row in rows} == {1}


def test_a_worker_has_one_kind_of_tables_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Together, tables for estimates and for searches could use twice the memory of a worker."""
    from taquin import spark as on_spark

    solvers: dict[Any, taquin.Solver] = {}
    monkeypatch.setattr(on_spark, "_solvers", solvers)
    settings = on_spark._Settings("64M")  # pyright: ignore[reportPrivateUsage]
    estimates = settings.solver("estimate")
    assert settings.solver("estimate") is estimates
    assert list(solvers) == [("estimate", "64M", 1)]
    settings.solver()
    assert list(solvers) == [("solve", "64M", 1)]


def test_files_are_read_in_parallel(spark: SparkSession, tmp_path: Path) -> None:
    """Every record appears once, numbered as by the program, with its own fields."""
    from pyspark.sql import functions as F  # noqa: N812

    from taquin import spark as on_spark

    boards = flat(taquin.generate((3, 3), 10_000, seed=2))
    (tmp_path / "a.txt").write_text("".join(" ".join(map(str, board)) + "\n" for board in boards) + "1 2 2 0\n")
    records = ['{"id":"x","board":[[1,2,3],[4,0,5]]}', '{"board":[8,1,2,0,4,3,7,6,5],"goal":"snail"}', "oh"]
    (tmp_path / "b.jsonl").write_text("\n".join(records) + "\n")
    read = on_spark.read_boards(spark, tmp_path, partitions=3)
    assert read.rdd.getNumPartitions() == 3
    answers = on_spark.solve(read, goal=F.col("goal"), prefix="got_", fields=("status", "moves", "path"))
    found = [row.asDict(recursive=True) for row in answers.orderBy("index").collect()]
    program: list[Any] = list(taquin.solve_files(tmp_path))
    assert [row["index"] for row in found] == list(range(1, 10_005))
    for row, expected in zip(found, program, strict=True):
        for name in ("index", "source", "line"):
            assert row[name] == expected[name]
        assert row["got_status"] == expected["status"]
        assert row["got_moves"] == expected.get("moves")
        assert row["got_path"] == expected.get("path")
        assert (row["error"] is None) == (row["got_status"] != "invalid")
    assert [row["id"] for row in found[10_001:]] == ['"x"', None, None]
    assert found[10_001]["board"] == [[1, 2, 3], [4, 0, 5]]


def test_errors_are_raised_on_the_driver(spark: SparkSession) -> None:
    from taquin import spark as on_spark

    boards = frame(spark, [[1, 2, 3, 0]])
    with pytest.raises(ValueError, match="no field 'mover': choose from status"):
        on_spark.solve(boards, fields=("mover",))
    with pytest.raises(TypeError, match="sequence of names"):
        on_spark.solve(boards, fields="moves")
    with pytest.raises(ValueError, match="already a column 'id'"):
        on_spark.solve(boards, into="id")
    with pytest.raises(ValueError, match="0x3|shape"):
        on_spark.solve(boards, shape="0x3")
    with pytest.raises(ValueError, match="goal|spiral"):
        on_spark.solve(boards, goal="spiral")


def test_a_column_without_boards_fails_the_task(spark: SparkSession) -> None:
    """A column of another type is an error of the task: its rows are not reported as invalid."""
    from pyspark.errors import PythonException

    from taquin import spark as on_spark

    other = frame(spark, [[1, 2, 3, 0]]).selectExpr("id", "named_struct('a', 1) as board")
    with pytest.raises(PythonException, match="not a column of boards"):
        on_spark.solve(other).collect()


@pytest.mark.parametrize(
    ("conf", "share"),
    [
        ({"spark.master": "local-cluster[2,1,1024]", "spark.executor.memory": "1g"}, 384 - 128 - 192),
        (
            {"spark.master": "local-cluster[2,2,1024]", "spark.task.cpus": "2", "spark.executor.memoryOverhead": "2g"},
            2048 - 320,
        ),
        ({"spark.master": "yarn", "spark.executor.cores": "4", "spark.executor.memoryOverhead": "4096"}, 992 - 192),
        ({"spark.master": "k8s://x", "spark.executor.memory": "10g"}, 4096 - 320),
        ({"spark.master": "spark://x", "spark.executor.pyspark.memory": "1024m"}, 1024 - 192),
    ],
)
def test_a_worker_has_its_share_of_the_overhead(conf: dict[str, str], share: int) -> None:
    from taquin import spark as on_spark

    class Session:
        class conf:  # noqa: N801
            @staticmethod
            def get(name: str, default: str) -> str:
                return conf.get(name, default)

    found = on_spark._share(Session)  # pyright: ignore[reportPrivateUsage, reportArgumentType]
    assert found is not None
    assert found >> 20 == share


def test_the_example_job(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = Path(__file__).parents[2] / "examples/cluster/solve_boards.py"
    boards, answers, again = (tmp_path / name for name in ("boards.txt", "answers.parquet", "again"))
    boards.write_text("1 2 3 4 5 6 7 0 8\n1 2 2 0\n# taquin: goal=snail\n1 2 3 8 0 4 7 6 5\n")
    for words in ((boards, answers), (answers, again)):
        monkeypatch.setattr(sys, "argv", ["job", *map(str, words), "--partitions", "2"])
        if words[0] is answers:
            spark.read.parquet(str(answers)).select("id", "board").write.parquet(str(tmp_path / "plain.parquet"))
            sys.argv[1] = str(tmp_path / "plain.parquet")
        runpy.run_path(str(job), run_name="__main__")
    rows = spark.read.parquet(str(answers)).orderBy("index").collect()
    assert [(row.status, row.moves, row.path) for row in rows][:2] == [("solved", 1, "R"), ("invalid", None, None)]
    assert len(rows) == spark.read.parquet(str(again)).count() == 3


def examples_of_the_scaling_page() -> list[str]:
    page = (Path(__file__).parents[2] / "docs/scaling.md").read_text()
    return re.findall(r"```python\n(.*?)```", page, re.DOTALL)


def test_the_examples_of_the_scaling_page(spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    assert spark.sparkContext.master == "local[2]", "docs/scaling.md requests this session"
    scope: dict[str, Any] = {}
    first, second = examples_of_the_scaling_page()
    exec(first, scope)
    shown = capsys.readouterr().out
    assert "DLURULLDDRURDLLURDR" in shown
    assert "tile 2 appears twice" in shown
    exec(second, scope)
    assert {answer.path for answer in scope["answers"]} == {"DLURULLDDRURDLLURDR", None}


def test_the_hardest_boards_start_first(spark: SparkSession) -> None:
    """The second example of docs/scaling.md sorts boards into tasks, the largest estimate first."""
    from pyspark.sql import functions as F  # noqa: N812

    from taquin import spark as on_spark

    small = SimpleNamespace(estimates=partial(on_spark.estimates, memory="64M"), solve=on_spark.solve)
    boards = [*flat(taquin.generate((4, 4), 20, walk=(10, 60), seed=4)), None]
    scope: dict[str, Any] = {"frame": frame(spark, boards), "ts": small, "F": F}
    exec(examples_of_the_scaling_page()[1], scope)
    assert sorted(answer.id for answer in scope["answers"]) == list(range(21))
    assert {answer.status for answer in scope["answers"][:20]} == {"solved"}
    tasks = scope["tasks"]
    assert tasks.rdd.getNumPartitions() == 21
    rows = tasks.select("id", F.coalesce("nodes", F.lit(-1.0)).alias("nodes"), F.spark_partition_id().alias("task"))
    by_task = sorted(rows.collect(), key=lambda row: (row.task, -row.nodes))
    nodes = [row.nodes for row in by_task]
    assert sorted(row.id for row in by_task) == list(range(21))
    assert nodes == sorted(nodes, reverse=True)
    assert (len(set(nodes)) > 10, nodes[-1]) == (True, -1)
    # Boards share a task if their estimates, rounded to three digits, are equal.
    assert len({row.task for row in by_task}) == len(set(nodes))
