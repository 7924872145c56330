"""Sweeps: one scene with many settings, a folder for each run, and one table of all."""

from __future__ import annotations

import itertools
import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from carom import _carom
from carom.errors import Error, Stopped
from carom.running import _is_notebook, _is_terminal, _seconds, bar
from carom.scene import Scene
from carom.sweep_call import SweepOutcome, call_sweep
from carom.sweep_parts import Executor, run_elsewhere
from carom.types import Path, SceneLike

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["SweepProgress", "sweep"]

#: More are refused by the compiled part.
_MOST_RUNS = 1_000_000


class SweepProgress(NamedTuple):
    """How far a sweep is: what a function that is given as `progress` is called with.

    Attributes
    ----------
    runs : int
        Number of runs.
    finished : int
        Number of runs that have come to their end, now or before.
    failed : int
        Number of runs that have failed.
    running : int
        Number of runs that are at work now.
    part : float
        Fraction of the whole that is done, from 0 to 1, if all runs take the same time.

    Examples
    --------
    >>> import carom
    >>> carom.SweepProgress(runs=20, finished=5, failed=0, running=2, part=0.3).finished
    5
    """

    runs: int
    finished: int
    failed: int
    running: int
    part: float


def sweep(
    scene: SceneLike,
    over: Mapping[str, Iterable[Any]] | Sequence[Mapping[str, Any]],
    out: Path,
    *,
    jobs: int = 1,
    shard: tuple[int, int] | None = None,
    max_walltime: float | str | None = None,
    progress: bool | Callable[[SweepProgress], Any] | None = None,
    plot: str | Iterable[str] = (),
    list_only: bool = False,
    executor: Executor | None = None,
    **settings: Any,
) -> Any:
    """Run a scene with many settings, each into a folder of its own, and return one table of all: `carom sweep`.

    The same call continues a sweep that was stopped: runs that are finished are left as they are, and those that were
    cut continue from their checkpoints. A run that fails does not end the others. Ctrl-C stops all runs with checkpoints
    and raises `carom.Stopped`.

    Parameters
    ----------
    scene : path-like, str, mapping or Scene
    over : mapping, or sequence of mappings
        Values of each key of the scene, of which all combinations are run; or the settings of every run, which must all
        have the same keys.
    out : path-like
        Folder of the sweep, with a folder for each run and the table `sweep.csv`.
    jobs : int
        Number of runs at a time; threads are shared out among them. With an `executor`, the number in each of its workers.
    shard : pair of int, optional
        (3, 100) runs the third and every hundredth run from there: one of 100 parts for 100 machines.
    max_walltime : float or str, optional
        Seconds, or a text such as "30min", after which all runs stop with checkpoints and `carom.Stopped` is raised.
    progress : bool or callable, optional
        True shows a bar; a function is called with a `SweepProgress` and stops the sweep if it returns False. By default
        there is a bar in notebooks and terminals.
    plot : str or iterable of str
        Quantities that are drawn over the settings, as SVG in the folder.
    list_only : bool
        Return the table of what is there without running anything.
    executor : optional
        What runs the parts of the sweep elsewhere: an object with a method `submit`, such as those of concurrent.futures
        or a client of Dask, or with a method `map`, or a function like `map`. All must see the same folder: parts run
        while a file of the call is in it, and a new call stops those of an earlier one. Where the executor reports the
        number of its workers, the threads of `carom.threads()` are shared out among them; elsewhere a run has one thread.
        Where there is no `submit`, progress is reported when a part has been returned, and after Ctrl-C the parts that
        are at work are not waited for.
    settings
        Values that replace those of the scene in all runs, as those of `carom.Scene`.

    Returns
    -------
    DataFrame of pandas where it is installed, else dict of arrays
        A row for each run: its settings, its `ending`, every number of its summary, `final_state`, `folder`, `failure`.

    Examples
    --------
    >>> import carom, tempfile
    >>> table = carom.sweep(":cooling", {"seed": range(1, 4)}, tempfile.mkdtemp(), collisions=200,
    ...     generate__0__count=50)
    >>> len(table["kinetic_energy"])
    3
    """
    base = Scene(scene, **settings)
    folder = os.fspath(out)
    if executor is not None and shard is not None:
        raise Error("an executor shares out the shards itself; give one of both")
    rows = _sweep(
        base,
        over,
        folder,
        jobs=jobs,
        shard=shard,
        executor=None if list_only else executor,
        max_walltime=max_walltime,
        progress=progress,
        plot=[plot] if isinstance(plot, str) else list(plot),
        list_only=list_only,
    )
    return _table(rows)


def _axes(over: Mapping[str, Iterable[Any]] | Sequence[Mapping[str, Any]]) -> tuple[dict[str, list[str]], bool]:
    """Values of each key as TOML, and whether they advance together."""
    together = not isinstance(over, Mapping)
    if isinstance(over, Mapping):
        # One more than there may be, so that what is endless is refused.
        lists = {key: list(itertools.islice(_values(key, values), _MOST_RUNS + 1)) for key, values in over.items()}
    else:
        points = [dict(point) for point in itertools.islice(over, _MOST_RUNS + 1)]
        keys = list(points[0]) if points else []
        for number, point in enumerate(points):
            if list(point) != keys:
                raise Error(f"run {number} has the keys {', '.join(point)}; all must have those of the first, {', '.join(keys)}")
        lists = {key: [point[key] for point in points] for key in keys}
    return {
        key.replace("__", "."): [_carom._format_toml_value(key, value) for value in values]
        for key, values in lists.items()
    }, together


def _values(key: str, values: Iterable[Any]) -> Iterable[Any]:
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise Error(f"{key} is swept over {values!r}; it must be a list of values")
    return values


def _sweep(
    scene: Scene,
    over: Any,
    folder: str,
    *,
    jobs: int = 1,
    shard: tuple[int, int] | None = None,
    executor: Executor | None = None,
    max_walltime: float | str | None = None,
    progress: bool | Callable[[SweepProgress], Any] | None = False,
    plot: Sequence[str] = (),
    list_only: bool = False,
) -> list[dict[str, Any]]:
    """Run or list a sweep, and return its rows."""
    axes = _axes(over)
    limit = _seconds(max_walltime)
    with _SweepDisplay(progress) as display:
        on_progress = display.show if display.is_shown else None
        if executor is None:
            outcome = call_sweep(
                scene, axes, folder, jobs=jobs, shard=shard, max_walltime=limit, on_progress=on_progress, plots=plot,
                list_only=list_only,
            )
        else:
            elsewhere = run_elsewhere(
                executor, scene, axes, folder, jobs=jobs, max_walltime=limit, on_progress=on_progress
            )
            rows = call_sweep(scene, axes, folder, plots=plot, list_only=True).rows
            outcome = SweepOutcome(rows, elsewhere.warnings, elsewhere.stopped_by)
    if outcome.warnings:
        # All runs of a sweep may have the same to say.
        first, *rest = outcome.warnings
        more = f" ({len(rest)} more of the runs of this sweep)" if rest else ""
        warnings.warn(first + more, RuntimeWarning, stacklevel=3)
    if outcome.stopped_by in ("interrupt", "deadline"):
        why = "Ctrl-C" if outcome.stopped_by == "interrupt" else "max_walltime"
        stopped = Stopped(f"the sweep was stopped by {why} with checkpoints; the same call continues it")
        stopped.folder = folder
        raise stopped
    failed = [row for row in outcome.rows if row["failure"]]
    if failed and not list_only:
        sentence = f"{len(failed)} runs of the sweep have failed, the first: {failed[0]['folder']}: {failed[0]['failure']}"
        warnings.warn(sentence, RuntimeWarning, stacklevel=3)
    return outcome.rows


class _SweepDisplay:
    """A bar, a function of the user, or nothing."""

    def __init__(self, wanted: bool | Callable[[SweepProgress], Any] | None) -> None:
        self._function = wanted if callable(wanted) else None
        has_bar = (_is_notebook() or _is_terminal()) if wanted is None else wanted is True
        self._bar = bar() if has_bar else None
        self.is_shown = self._function is not None or self._bar is not None

    def show(self, event: tuple[int, int, int, int, float]) -> Any:
        progress = SweepProgress(*event)
        if self._bar is not None:
            self._bar.show(progress.part, f"{progress.finished} of {progress.runs} runs")
        return None if self._function is None else self._function(progress)

    def __enter__(self) -> _SweepDisplay:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()


def _table(rows: list[dict[str, Any]]) -> Any:
    """Rows as a DataFrame, or as a dict of arrays."""
    names = list(rows[0]) if rows else []
    try:
        import pandas
    except ImportError:
        columns: dict[str, NDArray[Any]] = {name: np.array([row[name] for row in rows]) for name in names}
        return columns
    return pandas.DataFrame(rows, columns=names)
