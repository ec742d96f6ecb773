"""Runs the program ``taquin``, which is part of the extension module."""

import signal
import sys

from taquin._taquin import run_program


def main() -> None:
    """Run the program with the arguments of this process, and exit with its status."""
    # Restore the default signal handlers, which Python replaces.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "SIGXFSZ"):
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    sys.exit(run_program(["taquin", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
