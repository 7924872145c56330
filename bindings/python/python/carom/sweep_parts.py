"""Sweeps whose parts run elsewhere: in the threads, processes or machines of an executor."""

from __future__ import annotations

import contextlib
import glob
import os
import time
import uuid
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Protocol, Union

from carom import _carom
from carom.errors import FileError
from carom.scene import Scene
from carom.sweep_call import Axes, Progress, call_sweep

#: Parts of a sweep that an executor is given, for each of its workers.
_PARTS_PER_WORKER = 4
#: Parts of a sweep where the number of workers is not known.
_PARTS = 32
#: Seconds between two looks at whether parts are done.
_POLLING_INTERVAL = 0.02
#: Seconds between two looks into the folder, at least; and how many times as long as such a look takes.
_LISTING_INTERVAL = 0.5
_LISTING_SHARE = 20
#: Seconds between two looks of a part at whether it is to stop: the folder may lie on a network.
_STOP_INTERVAL = 0.1

#: How the names of files begin without which parts stop.
_RUNNING_FILE = "carom-running-"

#: Endings of runs that have not come to one.
_NOT_ENDED = {"missing", "stopped", "running", "failed"}


class _HasMap(Protocol):
    """What pools of processes are."""

    def map(self, function: Callable[[Any], Any], items: Iterable[Any], /) -> Any: ...


class _HasSubmit(Protocol):
    """What executors of concurrent.futures and mpi4py.futures and clients of Dask are."""

    def submit(self, function: Callable[[Any], Any], item: Any, /) -> Any: ...


Executor = Union[_HasSubmit, _HasMap, Callable[[Callable[[Any], Any], Iterable[Any]], Any]]


class Part(NamedTuple):
    """A part of a sweep, as it is sent to a worker."""

    scene: Scene
    axes: Axes
    folder: str
    shard: tuple[int, int]
    jobs: int
    #: Threads of all its runs at a time: what `carom.set_threads` says is not known in another process.
    threads: int
    #: When all parts stop, in seconds since the epoch: those that wait for a worker have no more time than others.
    deadline: float | None
    #: File that is there while parts are to run. Its name is new for each call: Dask takes no part for one it has done.
    running_file: str


class SweepEnd(NamedTuple):
    """What a sweep, or a part of one that a worker sends back, has to say at its end."""

    warnings: list[str]
    stopped_by: str | None


def _run_part(part: Part) -> SweepEnd:
    left = None if part.deadline is None else part.deadline - time.time()
    if left is not None and left <= 0:
        return SweepEnd([], "deadline")
    if not os.path.exists(part.running_file):
        return SweepEnd([], "callback")
    next_look = time.monotonic() + _STOP_INTERVAL

    def look(_: Progress) -> bool | None:
        nonlocal next_look
        if time.monotonic() < next_look:
            return None
        next_look = time.monotonic() + _STOP_INTERVAL
        return None if os.path.exists(part.running_file) else False

    outcome = call_sweep(
        part.scene,
        part.axes,
        part.folder,
        jobs=part.jobs,
        threads=part.threads,
        shard=part.shard,
        max_walltime=left,
        on_progress=look,
    )
    return SweepEnd(outcome.warnings, outcome.stopped_by)


def run_elsewhere(
    executor: Executor,
    scene: Scene,
    axes: Axes,
    folder: str,
    *,
    jobs: int,
    max_walltime: float | None,
    on_progress: Callable[[Progress], Any] | None,
) -> SweepEnd:
    """Give the parts of a sweep to an executor, and wait for them. Ctrl-C stops all of them with checkpoints."""
    # Mistakes and what is done already are found here, before anything is sent away.
    runs = len(call_sweep(scene, axes, folder, list_only=True).rows)
    workers = getattr(executor, "_max_workers", None)
    count = max(min(runs, _PARTS if workers is None else _PARTS_PER_WORKER * workers), 1)
    # Workers on one machine share its processors; of others nothing is known.
    threads = jobs if workers is None else max(_carom.threads() // workers, 1)
    deadline = None if max_walltime is None else time.time() + max_walltime
    place = os.path.abspath(folder)
    running_file = _make_running_file(place)
    parts = [
        Part(scene, axes, place, (number, count), jobs, threads, deadline, running_file) for number in range(1, count + 1)
    ]
    watch = _Watch(scene, axes, folder, running_file, on_progress)
    ends = _run_parts(executor, parts, watch)
    watch.look_at_the_end()
    return SweepEnd([sentence for end in ends for sentence in end.warnings], watch.stopped_by)


def _make_running_file(folder: str) -> str:
    """Make the file of a new call. Parts of an earlier one whose process was killed stop: theirs are removed."""
    file = os.path.join(folder, _RUNNING_FILE + uuid.uuid4().hex)
    try:
        os.makedirs(folder, exist_ok=True)
        for old in glob.glob(os.path.join(glob.escape(folder), f"{_RUNNING_FILE}*")):
            _remove(old)
        with open(file, "w", encoding="utf-8"):
            pass
    except OSError as error:
        raise FileError(f"{file} cannot be written: {error.strerror or error}") from None
    return file


def _remove(file: str) -> None:
    # Another call may have removed it.
    with contextlib.suppress(FileNotFoundError):
        os.remove(file)


def _run_parts(executor: Executor, parts: list[Part], watch: _Watch) -> list[SweepEnd]:
    """Give parts to an executor, and return what they send back. Whatever is raised meanwhile stops them."""
    ends: list[SweepEnd] = []
    try:
        if hasattr(executor, "submit"):
            _run_futures(executor, parts, watch, ends)
        else:
            mapped = executor.map(_run_part, parts) if hasattr(executor, "map") else executor(_run_part, parts)
            # Lazy, or all there, or futures.
            for end in mapped:
                ends.append(watch.note(end.result() if hasattr(end, "result") else end))
                watch.look()
    except BaseException as exception:
        watch.stop_for(exception)
        # Workers that Ctrl-C has ended have nothing else to say.
        if watch.stopped_by != "interrupt":
            raise
    finally:
        # Where parts cannot be waited for, as those of `map`, this is what stops them.
        watch.remove_running_file()
    return ends


def _run_futures(executor: Any, parts: list[Part], watch: _Watch, ends: list[SweepEnd]) -> None:
    """Submit parts and add what they send back. What is raised here is raised once all have ended: they write files."""
    # Unlike what `map` returns, these are still there after Ctrl-C.
    futures: list[Any] = []
    try:
        for part in parts:
            futures.append(executor.submit(_run_part, part))
        while futures:
            watch.look()
            done = _take_done(futures)
            if done is not None:
                ends.append(watch.note(done.result()))
    except BaseException as exception:
        watch.stop_for(exception)
        while futures:
            done = _take_done(futures)
            # The first failure is raised; others are often of the same cause.
            with contextlib.suppress(Exception):
                error = None if done is None else done.exception()
                if error is not None:
                    watch.stop_for(error)
                elif done is not None:
                    ends.append(watch.note(done.result()))
        raise


def _take_done(futures: list[Any]) -> Any:
    """Take out a part that has ended, or wait a little."""
    done = next((future for future in futures if future.done()), None)
    if done is None:
        time.sleep(_POLLING_INTERVAL)
    else:
        futures.remove(done)
    return done


class _Watch:
    """Reports how far a sweep is, and stops its parts."""

    def __init__(
        self, scene: Scene, axes: Axes, folder: str, running_file: str, on_progress: Callable[[Progress], Any] | None
    ) -> None:
        self._sweep = (scene, axes, folder)
        self._running_file = running_file
        self._on_progress = on_progress
        self._next_look = 0.0
        self.stopped_by: str | None = None

    def stop(self, reason: str) -> None:
        """Let all parts stop. Ctrl-C counts more than what has stopped them before."""
        if self.stopped_by is None or reason == "interrupt":
            self.stopped_by = reason
        self.remove_running_file()

    def stop_for(self, exception: BaseException) -> None:
        """Let all parts stop because of what was raised, here or in one of them."""
        self.stop("interrupt" if isinstance(exception, KeyboardInterrupt) else "callback")

    def note(self, end: SweepEnd) -> SweepEnd:
        """See what a part has sent back: what has stopped it stops the others."""
        if end.stopped_by is not None:
            self.stop(end.stopped_by)
        return end

    def look(self) -> None:
        """Report progress, if it is time to."""
        if self._on_progress is None or self.stopped_by is not None or time.monotonic() < self._next_look:
            return
        start = time.monotonic()
        endings = [row["ending"] for row in call_sweep(*self._sweep, list_only=True).rows]
        end = time.monotonic()
        self._next_look = end + max(_LISTING_INTERVAL, _LISTING_SHARE * (end - start))
        failed, running = endings.count("failed"), endings.count("running")
        finished = sum(ending not in _NOT_ENDED for ending in endings)
        part = (finished + failed) / max(len(endings), 1)
        if self._on_progress((len(endings), finished, failed, running, part)) is False:
            self.stop("callback")

    def look_at_the_end(self) -> None:
        """Report how far the sweep has come."""
        self._next_look = 0.0
        self.look()

    def remove_running_file(self) -> None:
        """Remove the file without which parts stop."""
        _remove(self._running_file)
