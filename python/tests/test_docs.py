"""Runs the examples of the README, the Python page and the docstrings, and checks their output."""

from __future__ import annotations

import doctest
import inspect
import re
import runpy
import sys
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import taquin

ROOT = Path(__file__).parents[2]
FLAGS = doctest.IGNORE_EXCEPTION_DETAIL | doctest.NORMALIZE_WHITESPACE


def test_the_examples_of_the_readme() -> None:
    failed, tried = doctest.testfile(str(ROOT / "python/README.md"), module_relative=False, optionflags=FLAGS)
    assert tried > 15
    assert failed == 0


def documented() -> list[Any]:
    classes = [taquin.Solver, taquin.Board, taquin.Answer, taquin.Results, taquin.Column, taquin.FileResults]
    methods = [
        member
        for owner in classes
        for name, member in vars(owner).items()
        if not name.startswith("_") and callable(member)
    ]
    return [*classes, *methods]


def test_the_examples_of_docstrings() -> None:
    examples = [example for item in documented() for example in doctest.DocTestParser().get_examples(item.__doc__)]
    assert len(examples) >= 7
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for item in documented():
        test = doctest.DocTestParser().get_doctest(item.__doc__, {}, item.__name__, None, None)
        runner.run(test)
    assert runner.failures == 0


def test_everything_has_docstrings_and_stubs() -> None:
    stubs = (Path(taquin.__file__).parent / "_taquin.pyi").read_text()
    for item in documented():
        assert item.__doc__, item
        kind = "class" if inspect.isclass(item) else "def"
        assert re.search(rf"\b{kind} {item.__name__}\b", stubs), item
    for name in taquin.__all__:
        assert hasattr(taquin, name)
    signature = inspect.signature(taquin.solve_many)
    assert list(signature.parameters) == [
        "boards", "goal", "shape", "time_limit", "node_limit", "paths", "errors", "progress"
    ]  # fmt: skip


def test_the_examples_of_the_python_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs/python.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    polars_part, rest = blocks[0].split("# pandas")
    pandas_part, duckdb_part = rest.split("# DuckDB")
    boards = taquin.generate((3, 3), 50, seed=1).reshape(50, 9)
    frame = pl.DataFrame({"id": range(50), "board": boards.tolist()})
    frame.write_parquet("boards.parquet")
    scope: dict[str, Any] = {"frame": frame, "pl": pl, "taquin": taquin, "duckdb": duckdb}
    exec(polars_part, scope)
    assert scope["frame"].columns == ["id", "board", "moves", "path", "status"]
    cells = {f"c{cell}": boards[:, cell] for cell in range(9)}
    scope["frame"] = pd.DataFrame({"board": boards.tolist(), **cells})
    exec("#" + pandas_part, scope)
    assert scope["frame"]["moves"].tolist() == taquin.distances(boards).tolist()
    lines = duckdb_part.strip().splitlines()
    exec("\n".join([*lines[1:-1], "found = " + lines[-1] + ".fetchall()"]), scope)
    assert [moves for _, moves, _ in scope["found"]] == taquin.distances(boards).tolist()


def test_the_example_writes_a_data_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = tmp_path / "boards.parquet"
    monkeypatch.setattr(
        sys, "argv", ["label_boards.py", str(output), "--count", "500", "--part", "200", "--walk", "40"]
    )
    runpy.run_path(str(ROOT / "python/examples/label_boards.py"), run_name="__main__")
    frame = pl.read_parquet(output)
    assert frame.height == 500
    assert frame["moves"].to_list() == taquin.distances(np.array(frame["board"].to_list())).tolist()
    assert frame["path"].str.len_bytes().to_list() == frame["moves"].to_list()
