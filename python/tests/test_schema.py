"""The JSON Schema that the program prints is valid, and results conform to it."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from jsonschema import Draft202012Validator

# A solved board, its duplicate and its reflection, an unsolvable board, a record that is not a
# board, a board too hard for the node limit, and one too large for a proof.
RECORDS = [
    {"id": "a", "board": [6, 4, 7, 8, 5, 0, 3, 2, 1], "user": "ann"},
    {"id": 2.5, "board": [6, 4, 7, 8, 5, 0, 3, 2, 1]},
    {"board": [8, 6, 7, 2, 5, 4, 3, 0, 1]},
    {"board": [2, 1, 3, 4, 5, 6, 7, 8, 0]},
    {"board": [2, 1, 3]},
    {"board": [0, 12, 9, 13, 15, 11, 10, 14, 3, 7, 2, 5, 4, 8, 6, 1]},
    {"board": [0, *range(35, 0, -1)]},
]


def program(*arguments: str, text: str = "") -> str:
    command = [sys.executable, "-m", "taquin", *arguments]
    return subprocess.run(command, input=text.encode(), capture_output=True, check=False).stdout.decode()


def validator(*options: str) -> Any:
    schema = json.loads(program("schema", *options))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.mark.parametrize(
    ("options", "passthrough"),
    [
        ([], []),
        (["--detail"], []),
        (["--all"], []),
        (["--fields", "all", "--heuristic", "6-6-3"], []),
        (["--fields", "all", "--heuristic", "6-6-3", "--count-cap", "1"], []),
        (["--notation", "udlr"], []),
        (["--notation", "words", "--path-of", "tile"], []),
        (["--boards"], ["--pass", "user"]),
        (["--detail"], ["--pass", "all,moves=old"]),
    ],
)
def test_results_match_the_schema(options: list[str], passthrough: list[str]) -> None:
    text = "".join(json.dumps(record) + "\n" for record in RECORDS)
    lines = program("solve", "--quiet", "--node-limit", "100", *options, *passthrough, text=text).splitlines()
    assert len(lines) == len(RECORDS)
    schema = validator(*passthrough)
    for line in lines:
        schema.validate(json.loads(line))


@pytest.mark.parametrize(
    "wrong",
    [
        {"status": "solved", "error": "x"},
        {"status": "unsolved", "moves": 1},
        {"status": "invalid", "limit": "time"},
        {"path": "UX"},
        {"path": "UP,LEFT"},
        {"moves": -1},
        {"moves": 1.5},
        {"colour": 1},
        {"iterations": [[1, 2, 3]]},
    ],
)
def test_the_schema_rejects_other_lines(wrong: dict[str, Any]) -> None:
    assert not validator().is_valid(wrong)
