"""What the command line does as a whole, as functions."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path as FilePath

from carom.errors import Error, RunError, Stopped
from carom.types import Path

__all__ = ["gallery", "main", "reproduce"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line in a process of its own, and return its exit code.

    Parameters
    ----------
    arguments : sequence of str, optional
        Words behind `carom`; those of this process by default.

    Examples
    --------
    >>> import carom
    >>> carom.main(["check", ":hopper", "--set", "until=0"])  # doctest: +SKIP
    0
    """
    words = sys.argv[1:] if arguments is None else arguments
    with _process(words, captured=False) as process:
        _wait(process)
    return process.returncode


def gallery(
    scenes: Iterable[Path] | None = None, out: Path = "gallery", *, quick: bool = False
) -> str:
    """Run scenes and write a page with all of them, as `carom gallery` does. What was run before is not run again.

    Parameters
    ----------
    scenes : iterable of path-like, optional
        Scene files, folders of them, or built-in scenes; all built-in scenes by default.
    out : path-like
        Folder of the pages and the results.
    quick : bool
        Only the first few frames of every scene.

    Returns
    -------
    str
        Path of the page.

    Examples
    --------
    >>> import carom, tempfile
    >>> page = carom.gallery([":chain"], tempfile.mkdtemp(), quick=True)
    >>> page.endswith("index.html")
    True
    """
    options = ["--quick"] if quick else []
    _call(["gallery", *(os.fspath(scene) for scene in scenes or ()), "--out", os.fspath(out), *options])
    return os.path.join(os.fspath(out), "index.html")


def reproduce(
    papers: Iterable[str] | None = None,
    out: Path = "reproduction",
    *,
    quick: bool = False,
    data: Path | None = None,
) -> dict[str, str]:
    """Measure the tables and figures of papers again, as `carom reproduce` does.

    Parameters
    ----------
    papers : iterable of str, optional
        Numbers, such as "002"; all by default.
    out : path-like
        Folder of the reports.
    quick : bool
        Smaller systems: seconds in place of minutes.
    data : path-like, optional
        Data file for `papers=["004"]`, whose first collision is computed in the way of the paper and in carom's.

    Returns
    -------
    dict
        The report of each paper, in Markdown.

    Examples
    --------
    >>> import carom
    >>> reports = carom.reproduce(["002"], quick=True)  # doctest: +SKIP
    """
    options = ["--quick"] if quick else []
    if data is not None:
        options += ["--data", os.fspath(data)]
    for paper in [None] if papers is None else papers:
        _call(["reproduce", *([] if paper is None else [paper]), "--out", os.fspath(out), *options])
    reports = sorted(FilePath(out).glob("*/report.md"))
    return {report.parent.name: report.read_text(encoding="utf-8") for report in reports}


def _call(arguments: Sequence[str]) -> None:
    """Run a command; what it says in the end is the error that is raised."""
    with _process([*arguments, "--quiet"], captured=True) as process:
        said = _wait(process)
    lines = [line.removeprefix("error: ") for line in said.strip().splitlines()]
    sentence = "\n".join(lines) or f"carom {arguments[0]} has failed"
    if process.returncode == 0:
        return
    if process.returncode == 2:
        raise Error(sentence)
    if process.returncode == 3:
        raise Stopped(sentence)
    raise RunError(sentence)


def _process(arguments: Sequence[str], *, captured: bool) -> subprocess.Popen[str]:
    output = subprocess.PIPE if captured else None
    return subprocess.Popen(
        [sys.executable, "-m", "carom", *arguments],
        stdout=subprocess.DEVNULL if captured else None,
        stderr=output,
        text=True,
    )


def _wait(process: subprocess.Popen[str]) -> str:
    """Wait for the end of a process, which is notified of Ctrl-C."""
    try:
        return process.communicate()[1] or ""
    except KeyboardInterrupt:
        # A terminal has notified it already, a notebook has not; the second time would end it at once.
        if os.name == "posix" and os.getpgid(process.pid) == os.getpgrp() and sys.stdin is not None and sys.stdin.isatty():
            pass
        else:
            process.send_signal(signal.SIGINT)
        return process.communicate()[1] or ""
