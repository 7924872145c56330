"""`python -m carom`, and the program `carom` that the package installs."""

from __future__ import annotations

import signal
import sys

from carom._carom import run_program


def main() -> int:
    """Run the command line with the arguments of this process and return its exit code."""
    # The program handles Ctrl-C itself; Python would raise KeyboardInterrupt after its end.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_program(["carom", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
