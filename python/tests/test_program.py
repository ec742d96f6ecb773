"""The package's command ``taquin`` behaves like the program: output, exit statuses, signals."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [str(Path(sys.executable).with_name("taquin"))]
NATIVE = os.environ.get("TAQUIN_PROGRAM")
"""The path of the crate's own program, if it is available for comparison."""

HARDER = "24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0\n"


def without_time_and_memory(text: bytes) -> bytes:
    """Remove the time and the memory from the summary of a run, because they vary."""
    return re.sub(rb" in [0-9.]+ s (.*), [0-9]+ MB", rb" in s \1", text)


@pytest.mark.skipif(NATIVE is None, reason="TAQUIN_PROGRAM does not name the program")
@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--version"], ""),
        (["--help"], ""),
        (["solve", "--help"], ""),
        (["solve"], "2 3 4 1 5 x 7 6 8\n1 2 3 4 5 6 8 7 0\n"),
        (["solve", "--quiet"], "2 3 4 1 5 x 7 6 8\nwhat\n"),
        (["solve", "--nothing"], ""),
        (["solve", "no-such-file"], ""),
        (["generate", "--count", "5", "--moves", "24", "--seed", "7"], ""),
        (["schema"], ""),
        (["profiles"], ""),
        (["man"], ""),
        (["completions", "bash"], ""),
        (["solve", "--explain"], "1 2 3 0\n"),
        (["show", "--frames", "1 2 0 3"], ""),
        (["judge", "--as", "hdu3567", "a", "b"], ""),
    ],
)
def test_output_and_status_agree_with_the_program(arguments: list[str], text: str, tmp_path: Path) -> None:
    assert NATIVE is not None
    ours, native = (
        subprocess.run([*command, *arguments], input=text.encode(), capture_output=True, cwd=tmp_path, check=False)
        for command in (COMMAND, [NATIVE])
    )
    assert (ours.returncode, ours.stdout) == (native.returncode, native.stdout)
    assert without_time_and_memory(ours.stderr) == without_time_and_memory(native.stderr)


def test_exit_statuses() -> None:
    def status(text: str, *arguments: str) -> int:
        command = [*COMMAND, "solve", "--quiet", *arguments]
        return subprocess.run(command, input=text.encode(), capture_output=True, check=False).returncode

    assert status("1 2 3 0\n") == 0
    assert status("1 2 3 4\n") == 1
    assert status("1 2 3 0\n", "--nothing") == 2


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_end_the_command_with_the_status_of_the_program(number: signal.Signals, status: int) -> None:
    process = subprocess.Popen(
        [*COMMAND, "solve", "--shape", "5x5", "-j", "1", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b" ".join(str(tile).encode() for tile in [*range(1, 24), 0, 24]) + b"\n" + HARDER.encode())
    process.stdin.flush()
    # After the first result, the program handles signals.
    assert b'"moves":1' in process.stdout.readline()
    process.send_signal(number)
    assert process.wait(60) == status


def test_a_closed_pipe_ends_the_command_quietly() -> None:
    command = f"{COMMAND[0]} generate --count 200000 | head -n 1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr, len(done.stdout.split())) == (0, "", 9)
