"""`python -m carom`, and the program `carom` that the package installs."""

from __future__ import annotations

import signal
import sys

from carom._carom import run_program


def main() -> int:
    """Run the command line with the arguments of this process and return its exit code."""
    # The program has handlers of its own; Python's would raise KeyboardInterrupt behind its back.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_program(["carom", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
