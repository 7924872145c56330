"""What a wheel must be, checked by `cargo xtask wheel` in an environment that has the wheel and what it brings alone."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
import zipfile
from pathlib import Path

#: In millions of bytes.
MOST_MEGABYTES = 10.0
#: Beyond that of NumPy, in seconds of processor time.
LONGEST_IMPORT = 0.05
TRIALS = 7
#: What a new virtual environment has of itself.
TOOLS = {"pip", "setuptools", "wheel"}

IMPORT = """
import time
import numpy
started = time.process_time()
import carom
print(time.process_time() - started)
"""


def check_size(wheel: Path) -> str:
    megabytes = wheel.stat().st_size / 1e6
    assert megabytes < MOST_MEGABYTES, f"{wheel} has {megabytes:.1f} MB; it must have less than {MOST_MEGABYTES}"
    return f"{megabytes:.1f} MB"


def check_tag(wheel: Path) -> str:
    """One wheel for all versions of Python, and on Linux for all systems with a C library of some age."""
    tag = wheel.stem.split("-", 2)[2]
    system = r"manylinux_\d+_\d+_\w+" if sys.platform == "linux" else r"\w+"
    assert re.match(rf"cp310-abi3-{system}$", tag), f"{wheel} has the tag {tag}; it must be cp310-abi3-{system}"
    return tag


def check_content(wheel: Path) -> str:
    """The stubs and their mark are there, and no tests or sources."""
    names = zipfile.ZipFile(wheel).namelist()
    for needed in ("carom/py.typed", "carom/_carom.pyi", "carom/__main__.py"):
        assert needed in names, f"{wheel} has no {needed}"
    foreign = [name for name in names if re.search(r"\.rs$|test_|\.toml$|__pycache__", name)]
    assert not foreign, f"{wheel} has {foreign[0]}, which is no part of the package"
    return f"{len(names)} files"


def check_dependencies() -> str:
    """NumPy and nothing else is required, and nothing else was installed."""
    required = importlib.metadata.requires("carom") or []
    assert [re.split(r"[<>=~ ]", name)[0] for name in required] == ["numpy"], f"carom requires {required}"
    installed = {found.metadata["Name"].lower() for found in importlib.metadata.distributions()}
    assert installed - TOOLS == {"carom", "numpy"}, f"installed are {sorted(installed)}"
    return required[0]


def check_import() -> str:
    """Processor time of the import beyond that of NumPy: least of several, since other programs disturb."""
    times = []
    for _ in range(TRIALS):
        done = subprocess.run([sys.executable, "-c", IMPORT], text=True, capture_output=True, check=True)
        times.append(float(done.stdout))
    assert min(times) < LONGEST_IMPORT, f"import takes {min(times)} s beyond NumPy; it must take less than {LONGEST_IMPORT}"
    return f"imported in {1e3 * min(times):.1f} ms beyond NumPy"


def main() -> None:
    wheel = Path(sys.argv[1])
    found = [check_size(wheel), check_tag(wheel), check_content(wheel), check_dependencies(), check_import()]
    print("the wheel: " + ", ".join(found))


if __name__ == "__main__":
    main()
