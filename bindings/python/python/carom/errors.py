"""The exceptions of carom: one sentence each, which names the thing, the value and the rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from carom.calibration import Calibration
    from carom.results import Results

__all__ = ["Error", "FileError", "InternalError", "RunError", "SceneError", "Stopped"]


class Error(ValueError):
    """Bad input. `str(error)` is one sentence, that of the command line."""

    __module__ = "carom"


class SceneError(Error):
    """A mistake in a scene, with its place where that is known."""

    __module__ = "carom"

    file: str | None = None
    line: int | None = None
    column: int | None = None
    key: str | None = None


class FileError(Error, OSError):
    """A file that cannot be read or written, or that breaks a rule of its format."""

    __module__ = "carom"


class RunError(RuntimeError):
    """Work that failed on its way: a body that is nowhere, a full disk, threads that cannot be started."""

    __module__ = "carom"


class InternalError(RuntimeError):
    """A fault of carom's own. Please report it with what you did."""

    __module__ = "carom"


class Stopped(KeyboardInterrupt):
    """Ctrl-C or a limit of time ended a run, a sweep or a calibration.

    A checkpoint is in `folder`, if the run has one, and `results` has what there is so far; `calibration` has the
    evaluations so far, if a calibration was stopped after at least one.
    """

    __module__ = "carom"

    folder: str | None = None
    results: Results | None = None
    calibration: Calibration | None = None
