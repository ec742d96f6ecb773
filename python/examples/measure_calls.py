"""Compare the cost of ``solve_many`` with that of the program, and measure the response to Ctrl-C.

    python measure_calls.py interrupts --times 20
    python measure_calls.py program --program target/release/taquin --boards 20000 --rounds 3

``program`` solves the same random 4x4 boards alternately by ``solve_many`` and by the program, on
one thread. It prints the processor time of each process. Every process starts without tables.
``interrupts`` sends Ctrl-C during the search of a board that takes hours.
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

import taquin

HARD = "24 23 22 21 20/19 18 17 16 15/14 13 12 11 10/9 8 7 6 5/4 3 2 1 0"
PACKAGE_SCRIPT = """
import sys
import numpy as np
import taquin
results = taquin.Solver(threads=1).solve_many(np.load(sys.argv[1]))
assert len(results) == len(results.paths)
"""


def interrupts(times: int) -> None:
    """Print how long calls continue after Ctrl-C."""
    solver, waits = taquin.Solver(threads=2), list[float]()
    for _ in range(times):
        pressed = list[float]()

        def press(pressed: list[float] = pressed) -> None:
            time.sleep(0.5)
            pressed.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=press).start()
        try:
            solver.solve(HARD)
        except KeyboardInterrupt:
            waits.append(time.monotonic() - pressed[0])
    print(f"Ctrl-C, {len(waits)} calls: median {statistics.median(waits):.3f} s, longest {max(waits):.3f} s")


def processor_time(command: list[str]) -> float:
    """Return the user and system time of a process in seconds."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{command[0]} ended with {status}")
    return used.ru_utime + used.ru_stime


def program(path: str, count: int, rounds: int) -> None:
    """Print the processor time of the package and of the program, measured alternately."""
    boards = taquin.generate((4, 4), count, seed=5)
    with tempfile.TemporaryDirectory() as folder:
        array, text = Path(folder) / "boards.npy", Path(folder) / "boards.txt"
        np.save(array, boards)
        np.savetxt(text, boards.reshape(count, 16), fmt="%d")
        ratios = list[float]()
        for _ in range(rounds):
            package = processor_time([sys.executable, "-I", "-c", PACKAGE_SCRIPT, str(array)])
            native = processor_time([path, "solve", "--quiet", "--threads", "1", "--output", os.devnull, str(text)])
            ratios.append(package / native)
            print(
                f"{count} boards: package {package:.2f} s, program {native:.2f} s, ratio {ratios[-1]:.3f}", flush=True
            )
    print(f"median ratio {statistics.median(ratios):.3f}")


def main() -> None:
    """Run the measurement that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["interrupts", "program"])
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--program", default="taquin")
    parser.add_argument("--boards", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    if arguments.what == "interrupts":
        interrupts(arguments.times)
    else:
        program(arguments.program, arguments.boards, arguments.rounds)


if __name__ == "__main__":
    main()
