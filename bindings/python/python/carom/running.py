"""Runs of scenes: into a folder of results, or into memory."""

from __future__ import annotations

import math
import os
import sys
import warnings
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Union

from carom import _carom
from carom.errors import Error, Stopped
from carom.results import Results
from carom.scene import Scene
from carom.types import Path, SceneLike

if TYPE_CHECKING:
    from carom._carom import Frame, State
    from carom.types import Floats

__all__ = ["Observable", "ProgressEvent", "run"]


class ProgressEvent(NamedTuple):
    """How far a run is: what a function that is given as `progress` is called with, some ten times a second.

    Attributes
    ----------
    part : float
        Fraction of the run that is done, from 0 to 1, as far as it can be known.
    time : float
        Simulated time.
    count : int
        Number of steps or collisions so far.
    counted : str
        What is counted, "steps" or "collisions".

    Examples
    --------
    >>> import carom
    >>> parts = []
    >>> results = carom.run(":hopper", until=0.01, progress=lambda event: parts.append(event.part))
    """

    part: float
    time: float
    count: int  # type: ignore[assignment]
    counted: str


class Observable(Protocol):
    """What an object needs to be measured in a run: a name, the names of its columns, and `sample`.

    It may have more: `save()` returns the numbers that it has to remember and `restore(numbers)` takes them back, so
    that a run that was cut gives the results of the uncut one; `summary(state)` returns a dict of numbers for
    `summary.json`, and `table(state)` a dict of columns that becomes NAME.csv.

    Examples
    --------
    >>> import carom
    >>> class Peak:
    ...     name = "peak"
    ...     columns = ["peak"]
    ...     highest = 0.0
    ...     def sample(self, state):
    ...         self.highest = max(self.highest, state.positions[:, 1].max())
    ...         return [self.highest]
    ...     def save(self):
    ...         return [self.highest]
    ...     def restore(self, numbers):
    ...         self.highest = numbers[0]
    >>> results = carom.run(":hopper", until=0.02, observables=[Peak()])
    >>> bool(results.columns["peak"][0] > 30)
    True
    """

    @property
    def name(self) -> str:
        """Its name: letters, digits and underscores.

        Examples
        --------
        >>> name = "peak"
        """

    @property
    def columns(self) -> Iterable[str]:
        """Names of its columns in the log.

        Examples
        --------
        >>> columns = ["peak"]
        """

    def sample(self, state: State, /) -> Any:
        """Measure a moment: a number for each column, as a list or array, or a dict by their names.

        Parameters
        ----------
        state : State

        Examples
        --------
        >>> def sample(self, state):
        ...     return [state.positions[:, 1].max()]
        """


Force = Callable[["State"], Union["Floats", tuple["Floats", "Floats"]]]


def run(
    scene: SceneLike | None,
    out: Path | None = None,
    *,
    until: float | None = None,
    every: float | None = None,
    from_: Path | None = None,
    resume: bool = False,
    new_folder: Path | None = None,
    force: bool = False,
    max_walltime: float | str | None = None,
    progress: bool | Callable[[ProgressEvent], Any] | None = None,
    on_row: Callable[[dict[str, float]], Any] | None = None,
    on_frame: Callable[[Frame], Any] | None = None,
    observables: Iterable[Observable] = (),
    forces: Iterable[Force] = (),
    force_energy: bool = False,
    check_structure: bool = False,
    **settings: Any,
) -> Results:
    """Run a scene to its end, as `carom run` does, to the same bits.

    Ctrl-C stops a run with a checkpoint and raises `carom.Stopped`, which is a KeyboardInterrupt. A callback that returns
    False stops it with a checkpoint too, and the results are returned; what a callback raises is raised again once a
    checkpoint is written. What a force or an observable raises ends the run where it is, so that the last checkpoint is
    an earlier one.

    Parameters
    ----------
    scene : path-like, str, mapping or Scene, or None
        None continues the run in `out` as it was set up: `resume=True`.
    out : path-like, optional
        Folder of the results. Without it rows and frames stay in memory.
    until : float, optional
        End of the run, in place of that of the scene.
    every : float, optional
        Time between two rows and between two frames, in place of the intervals of the scene.
    from_ : path-like, optional
        Folder of another run, whose bodies at its end are those that this one starts with.
    resume : bool
        Continue the run in `out` from its checkpoint.
    new_folder : path-like, optional
        With `resume`: where further results go, in place of `out`.
    force : bool
        Replace results that are in `out`.
    max_walltime : float or str, optional
        Seconds, or a text such as "30min", after which the run stops with a checkpoint and `carom.Stopped` is raised.
    progress : bool or callable, optional
        True shows a bar, by tqdm where it is installed; a function is called with a `ProgressEvent`, and stops the run if
        it returns False. By default there is a bar in notebooks and terminals.
    on_row : callable, optional
        Called with each row of the log, a dict of numbers.
    on_frame : callable, optional
        Called with each `Frame`.
    observables : iterable of Observable
        Objects that measure what the log is to have besides.
    forces : iterable of callable
        Forces on bodies of a run of the engine "dem": each is called with the `State` once per time step and returns an
        array of shape (N, D).
    force_energy : bool
        Continue where energy appears without a source, at which runs end otherwise.
    check_structure : bool
        Verify the neighbor structure now and then; slow.
    settings
        Values that replace those of the scene, as those of `Scene`.

    Returns
    -------
    Results

    Examples
    --------
    >>> import carom
    >>> results = carom.run(":hopper", until=0.02, every=0.01)
    >>> len(results.frames), results.summary["bodies"]
    (3, 1000)
    """
    if until is not None:
        settings["until"] = until
    if every is not None:
        settings["output.interval"] = settings["output.log_interval"] = every
    folder = None if out is None else os.fspath(out)
    if from_ is not None:
        if resume:
            raise Error("resume has its bodies from the checkpoint in out and from_ has them from another run; give one of them")
        settings.update({"bodies": [{"file": os.path.abspath(from_)}], "generate": []})
    if scene is None and not (resume and folder is not None):
        raise Error("scene is None; only a run that is resumed in a folder has a scene there")
    checked_scene = Scene._of_results(str(folder), settings) if scene is None else Scene(scene, **settings)
    if folder is None and (resume or force or new_folder is not None):
        raise Error("resume, force and new_folder are for runs in a folder; name it by out")
    return _run(
        checked_scene,
        folder,
        resume=resume,
        new_folder=None if new_folder is None else os.fspath(new_folder),
        force=force,
        max_walltime=max_walltime,
        progress=progress,
        on_row=on_row,
        on_frame=on_frame,
        observables=list(observables),
        forces=list(forces),
        force_energy=force_energy,
        check_structure=check_structure,
    )


def _run(
    scene: Scene,
    folder: str | None,
    *,
    resume: bool = False,
    new_folder: str | None = None,
    force: bool = False,
    max_walltime: float | str | None = None,
    progress: bool | Callable[[ProgressEvent], Any] | None = None,
    on_row: Callable[[dict[str, float]], Any] | None = None,
    on_frame: Callable[[Frame], Any] | None = None,
    observables: list[Observable] | None = None,
    forces: list[Force] | None = None,
    force_energy: bool = False,
    check_structure: bool = False,
    earlier: Results | None = None,
) -> Results:
    """Run a scene; `earlier` are results in memory that are continued."""
    seconds = _seconds(max_walltime)
    with _ProgressDisplay(progress) as display:
        outcome = _carom._run(
            scene._check(),
            folder=folder,
            new_folder=new_folder,
            resume=resume,
            force=force,
            force_energy=force_energy,
            check=check_structure,
            checkpoint=None if earlier is None else earlier._memory["checkpoint"],
            max_walltime=seconds,
            on_row=on_row,
            on_frame=on_frame,
            on_progress=display.show if display.is_shown else None,
            observables=observables or [],
            forces=forces or [],
        )
    for sentence in outcome["warnings"]:
        warnings.warn(sentence, RuntimeWarning, stacklevel=3)
    if folder is None:
        results = Results._in_memory(scene, outcome, earlier)
    else:
        results = Results(folder if new_folder is None else new_folder)
    results.warnings = outcome["warnings"]
    if outcome["stopped_by"] in ("interrupt", "deadline"):
        why = "Ctrl-C" if outcome["stopped_by"] == "interrupt" else "max_walltime"
        where = "results.resume()" if results.folder is None else f"carom.run(None, {results.folder!r}, resume=True)"
        stopped = Stopped(f"stopped by {why} with a checkpoint; continue by {where}")
        stopped.folder, stopped.results = results.folder, results
        raise stopped
    return results


def _seconds(limit: float | str | None) -> float | None:
    """A limit of wall-clock time in seconds."""
    if limit is None:
        return None
    seconds = _carom._parse_duration(limit) if isinstance(limit, str) else float(limit)
    if seconds is None or not math.isfinite(seconds) or seconds < 0:
        raise Error(f"max_walltime is {limit!r}; it must be seconds, or a time such as '10s', '5min' or '2h'")
    return seconds


class _ProgressDisplay:
    """A bar, a function of the user, or nothing."""

    def __init__(self, wanted: bool | Callable[[ProgressEvent], Any] | None) -> None:
        self._function = wanted if callable(wanted) else None
        has_bar = (_is_notebook() or _is_terminal()) if wanted is None else wanted is True
        self._bar = bar() if has_bar else None
        self.is_shown = self._function is not None or self._bar is not None

    def show(self, event: tuple[float, float, int, str]) -> Any:
        progress = ProgressEvent(*event)
        if self._bar is not None:
            about = f"time {progress.time:.6g}, {progress.count} {progress.counted}"
            self._bar.show(progress.part, about)
        return None if self._function is None else self._function(progress)

    def __enter__(self) -> _ProgressDisplay:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()


class _TextBar:
    """A line of text, where tqdm is not installed."""

    def show(self, part: float, about: str) -> None:
        done = round(30 * part)
        bar = "█" * done + " " * (30 - done)
        sys.stderr.write(f"\r{100 * part:3.0f} %|{bar}| {about} ")
        sys.stderr.flush()

    def close(self) -> None:
        sys.stderr.write("\r" + " " * 90 + "\r")


class _TqdmBar:
    """A bar of tqdm."""

    def __init__(self, tqdm: Any) -> None:
        form = "{percentage:3.0f} %|{bar}| {postfix} [{elapsed}<{remaining}]"
        self._bar = tqdm(total=1.0, bar_format=form, leave=False)

    def show(self, part: float, about: str) -> None:
        self._bar.set_postfix_str(about, refresh=False)
        self._bar.update(part - self._bar.n)

    def close(self) -> None:
        self._bar.close()


def bar() -> _TextBar | _TqdmBar:
    """A bar of progress: that of tqdm, or a line of text where it is not installed."""
    try:
        with warnings.catch_warnings():
            # Where a notebook has no widgets, tqdm says so and draws text.
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm

            return _TqdmBar(tqdm)
    except ImportError:
        return _TextBar()


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _is_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and "IPKernelApp" in getattr(shell, "config", {})


