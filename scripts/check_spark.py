"""The tests of scripts/check-spark."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.json
import taquin
from pyspark.sql import DataFrame, SparkSession
from taquin import spark as on_spark

SMALL, LARGE = (int(os.environ.get(name, default)) for name, default in [("SMALL", "2000000"), ("LARGE", "20000")])
TICK = os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def cluster(folder: Path, executors: int, memory: str, **conf: str) -> Iterator[SparkSession]:
    """Run executors of one processor each, with a log of events."""
    builder = SparkSession.builder.master(f"local-cluster[{executors},1,1024]")
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executor.memory": "1g",
        "spark.driver.memory": "3g",
        "spark.executor.memoryOverhead": memory,
        "spark.eventLog.enabled": "true",
        "spark.eventLog.compress": "false",
        "spark.eventLog.rolling.enabled": "false",
        "spark.eventLog.dir": folder.as_uri(),
        "spark.network.timeout": "600s",
    }
    for name, value in {**settings, **conf}.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    try:
        yield session
    finally:
        session.stop()


def executor_pids(spark: SparkSession) -> list[int]:
    """Find the processes of this application's executors."""
    application = spark.sparkContext.applicationId.encode()
    found: list[int] = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (process / "cmdline").read_bytes().split(b"\0")
            if application in words and any(b"CoarseGrainedExecutorBackend" in word for word in words):
                found.append(int(process.name))
    return sorted(found)


def tree(process: int) -> list[int]:
    """List a process and its descendants."""
    below: list[int] = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            children = task / "children"
            below += [int(child) for child in children.read_text().split()]
    return [process, *(deeper for child in below for deeper in tree(child))]


def usage(processes: list[int]) -> tuple[float, dict[int, int]]:
    """Return the processor time of processes and their descendants, and the resident memory of each, in MiB."""
    seconds, resident = 0.0, dict[int, int]()
    for process in (below for one in processes for below in tree(one)):
        with contextlib.suppress(OSError, IndexError):
            fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
            seconds += sum(map(int, fields[11:15])) / TICK
            resident[process] = int(fields[21]) * os.sysconf("SC_PAGE_SIZE") >> 20
    return seconds, resident


def program(folder: Path, boards: Path, *options: str) -> tuple[pa.Table, float]:
    """Return the results of the program, and its processor time."""
    out = folder / "program.jsonl"
    fields = ["--fields", "index,status,moves,path,error", "--fail-on", "none", "--force", "-q"]
    before = os.times()
    subprocess.run([sys.executable, "-m", "taquin", "solve", *fields, *options, "-o", out, boards], check=True)
    after = os.times()
    table = pyarrow.json.read_json(out).sort_by("index")
    return table, after.children_user + after.children_system - before.children_user - before.children_system


def write_boards(folder: Path) -> tuple[Path, int]:
    """Write all boards, of both shapes, with an invalid line after every two-hundredth of each shape's boards."""
    small = taquin.generate((3, 3), SMALL, seed=1).reshape(SMALL, 9)
    large = taquin.generate((4, 4), LARGE, seed=2).reshape(LARGE, 16)
    path, rows = folder / "boards.txt", 0
    with path.open("w") as file:
        for boards in (small, large):
            step = max(1, len(boards) // 200)
            for first in range(0, len(boards), step):
                np.savetxt(file, boards[first : first + step], fmt="%d")
                file.write("1 2 2 0\n")
                rows += len(boards[first : first + step]) + 1
    return path, rows


def kill_one(spark: SparkSession, killed: list[int], done: threading.Event) -> None:
    """Kill a working executor, once some tasks have ended."""
    tracker = spark.sparkContext.statusTracker()
    while not done.wait(0.05):
        for stage in tracker.getActiveStageIds():
            info = tracker.getStageInfo(stage)
            if info and info.numCompletedTasks >= 3 and info.numActiveTasks >= 2 and len(executor_pids(spark)) == 2:
                killed.append(executor_pids(spark)[0])
                os.kill(killed[0], signal.SIGKILL)
                return


def events(folder: Path, application: str) -> list[dict[str, Any]]:
    log = next(path for path in folder.iterdir() if path.name.startswith(application))
    # The last line may be half written.
    return [json.loads(line) for line in log.read_text().split("\n")[:-1]]


def retried(log: list[dict[str, Any]]) -> tuple[int, int]:
    """Count the tasks that were lost with an executor, and how many of them succeeded later."""
    ends = [event for event in log if event["Event"] == "SparkListenerTaskEnd"]
    lost = {
        (end["Stage ID"], end["Task Info"]["Index"])
        for end in ends
        if end["Task End Reason"]["Reason"] == "ExecutorLostFailure"
    }
    succeeded = {
        (end["Stage ID"], end["Task Info"]["Index"])
        for end in ends
        if end["Task End Reason"]["Reason"] == "Success" and end["Task Info"]["Attempt"] > 0
    }
    return len(lost), len(lost & succeeded)


def compare(answers: DataFrame, expected: pa.Table, rows: int) -> None:
    """Compare every row with the program's result."""
    found = answers.select("index", "status", "moves", "path", "error").toArrow().sort_by("index")
    assert len(found) == rows, f"{len(found)} rows of {rows}"
    for name in ("index", "status", "moves", "path"):
        got, wanted = found.column(name).to_pylist(), expected.column(name).to_pylist()
        assert got == wanted, f"{name} differs"
    print(f"  {rows} rows, each once, equal to the program's results: {dict(sorted(count(found).items()))}", flush=True)


def count(table: pa.Table) -> dict[str, int]:
    counts = table.column("status").value_counts()
    return {item["values"]: item["counts"] for item in counts.to_pylist()}


def solved(spark: SparkSession, boards: Path, partitions: int) -> DataFrame:
    read = on_spark.read_boards(spark, boards, partitions=partitions).drop("error")
    return on_spark.solve(read, id="index", fields=("status", "moves", "path", "error"))


def run_kill(folder: Path) -> None:
    print("one of two executors killed by kill -9 while it works:", flush=True)
    boards, rows = write_boards(folder)
    expected, _ = program(folder, boards)
    with cluster(folder, 2, "1600m") as spark:
        killed, done = list[int](), threading.Event()
        watcher = threading.Thread(target=kill_one, args=(spark, killed, done))
        watcher.start()
        compare(solved(spark, boards, 40), expected, rows)
        done.set()
        watcher.join()
        application = spark.sparkContext.applicationId
    assert killed, "no executor was killed"
    lost, succeeded = retried(events(folder, application))
    print(
        f"  executor {killed[0]} killed; tasks lost with it: {lost}, of which succeeded when retried: {succeeded}",
        flush=True,
    )
    assert lost >= 1
    assert succeeded == lost


def run_speculation(folder: Path) -> None:
    print("speculation:", flush=True)
    boards, rows = write_boards(folder)
    expected, _ = program(folder, boards)
    eager = {"multiplier": "1.01", "quantile": "0.1", "interval": "100ms", "minTaskRuntime": "1ms"}
    conf = {f"spark.speculation.{name}": value for name, value in eager.items()}
    with cluster(folder, 2, "1600m", **{"spark.speculation": "true"}, **conf) as spark:
        compare(solved(spark, boards, 40), expected, rows)
        application = spark.sparkContext.applicationId
    log = events(folder, application)
    twice = sum(1 for event in log if event["Event"] == "SparkListenerTaskStart" and event["Task Info"]["Speculative"])
    # Spark makes a copy only on another host, but here all executors are on one. So the number is 0
    # unless this has changed.
    print(f"  speculative copies of tasks: {twice}", flush=True)


def run_speed(folder: Path) -> None:
    print("processor time compared with the program's, one executor of one processor:", flush=True)
    for shape, boards in [((3, 3), SMALL), ((4, 4), LARGE)]:
        tiles = taquin.generate(shape, boards, seed=3).reshape(boards, -1)
        table = pa.table(
            {
                "index": np.arange(boards),
                "board": pa.FixedSizeListArray.from_arrays(tiles.reshape(-1).astype("i1"), tiles.shape[1]),
            }
        )
        table = table.set_column(1, "board", table.column(1).cast(pa.list_(pa.int8())))
        text = folder / "speed.txt"
        np.savetxt(text, tiles, fmt="%d")
        with cluster(folder, 1, "1600m") as spark:
            frame = spark.createDataFrame(table).repartition(20).cache()
            frame.count()
            answers = on_spark.solve(frame, id="index")
            measured(spark, answers)
            jvm, python, wall, resident = measured(spark, answers)
        _, alone = program(folder, text, "-j", "1", "--memory", "1280M")
        # The program builds its tables each time, so their build time is subtracted.
        name = f"{shape[0]}x{shape[1]}"
        tables = 0.0 if shape == (3, 3) else table_seconds()
        net = alone - tables
        seconds = jvm + python
        print(
            f"  {name}: {boards} boards, executor {jvm:.2f} s and Python worker {python:.2f} s, program {net:.2f} s "
            f"(and {tables:.2f} s for its tables): {net / seconds:.0%}, {net / python:.0%} of the worker alone; "
            f"{boards / seconds:,.0f} and {boards / net:,.0f} boards a second of a processor; "
            f"{wall:.1f} s wall time; resident MiB {sorted(resident.values(), reverse=True)[:3]}",
            flush=True,
        )


def frame_of(spark: SparkSession, tiles: np.ndarray[Any, Any], partitions: int) -> DataFrame:
    """Return boards as a frame whose rows are in this order, split into this number of partitions."""
    boards = pa.FixedSizeListArray.from_arrays(tiles.reshape(-1).astype("i1"), tiles.shape[1]).cast(pa.list_(pa.int8()))
    table = pa.table({"index": np.arange(len(tiles)), "board": boards})
    return spark.createDataFrame(table).repartitionByRange(partitions, "index").cache()


def run_scaling(folder: Path) -> None:
    print("one executor and two, wall time with built tables:", flush=True)
    tiles = taquin.generate((4, 4), LARGE, seed=3).reshape(LARGE, -1)
    pace = dict[int, float]()
    for executors in (1, 2):
        with cluster(folder, executors, "1600m") as spark:
            answers = on_spark.solve(frame_of(spark, tiles, 40), id="index")
            for _ in range(2):
                measured(spark, answers)
            walls = sorted(measured(spark, answers)[2] for _ in range(5))
        pace[executors] = LARGE / walls[2]
        print(
            f"  4x4, {LARGE} boards, executors of one processor: {executors}; {walls[2]:.2f} s "
            f"({walls[0]:.2f} to {walls[4]:.2f}), {pace[executors]:,.0f} boards a second",
            flush=True,
        )
    print(f"  two executors are {pace[2] / pace[1]:.2f} times as fast", flush=True)


def run_skew(folder: Path) -> None:
    print("two executors, boards sorted from the easiest to the hardest, with built tables:", flush=True)
    tiles = taquin.generate((4, 4), LARGE, seed=4).reshape(LARGE, -1)
    moves = taquin.Solver(memory="1280M").distances(tiles.reshape(-1, 4, 4))
    tiles = tiles[np.argsort(moves, kind="stable")]
    with cluster(folder, 2, "1600m") as spark:
        for name, tasks, is_round_robin in [
            ("2 tasks, in order", 2, False),
            ("2 tasks, round robin", 2, True),
            ("32 tasks, in order", 32, False),
            ("32 tasks, round robin", 32, True),
        ]:
            frame = frame_of(spark, tiles, tasks)
            if is_round_robin:
                frame = frame.repartition(tasks).cache()
            answers = on_spark.solve(frame, id="index")
            measured(spark, answers)
            walls = sorted(measured(spark, answers)[2] for _ in range(3))
            print(f"  {name}: {walls[1]:.2f} s, {busy(folder, spark):.0%} of both executors' time is work", flush=True)


def busy(folder: Path, spark: SparkSession) -> float:
    """Return the share of the two executors' time that tasks took in the last stage."""
    ends = [event for event in events(folder, spark.sparkContext.applicationId) if event["Event"] == "SparkListenerTaskEnd"]
    last = max(end["Stage ID"] for end in ends)
    tasks = [end["Task Info"] for end in ends if end["Stage ID"] == last]
    span = max(task["Finish Time"] for task in tasks) - min(task["Launch Time"] for task in tasks)
    return sum(task["Finish Time"] - task["Launch Time"] for task in tasks) / (2 * max(span, 1))


def table_seconds() -> float:
    before = time.process_time()
    board = taquin.generate((4, 4), 1, walk=3, seed=1)[0]
    taquin.Solver(threads=1, memory="1280M", heuristic="7-8").solve(board)
    return time.process_time() - before


def measured(spark: SparkSession, answers: DataFrame) -> tuple[float, float, float, dict[int, int]]:
    """Return the processor time of executors and of their Python workers, the wall time, and their resident memory."""
    (before, _), workers, start = usage(executor_pids(spark)), worker_seconds(spark), time.monotonic()
    answers.write.format("noop").mode("overwrite").save()
    after, resident = usage(executor_pids(spark))
    python = worker_seconds(spark) - workers
    return after - before - python, python, time.monotonic() - start, resident


def worker_seconds(spark: SparkSession) -> float:
    """Return the processor time of all Python workers."""
    return usage([child for executor in executor_pids(spark) for child in tree(executor)[1:2]])[0]


RUNS: dict[str, Callable[[Path], None]] = {
    "kill": run_kill,
    "speculation": run_speculation,
    "speed": run_speed,
    "scaling": run_scaling,
    "skew": run_skew,
}

if __name__ == "__main__":
    for run in sys.argv[1:] or list(RUNS):
        with tempfile.TemporaryDirectory() as name:
            RUNS[run](Path(name))
    print("all checks passed")
