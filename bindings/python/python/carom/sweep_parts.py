"""Sweeps whose parts run elsewhere: in the threads, processes or machines of an executor."""

from __future__ import annotations

import glob
import os
import time
import uuid
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Protocol, Union

from carom import _carom
from carom.scene import Scene
from carom.sweep_call import Axes, Progress, SweepOutcome, call_sweep

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

#: How the names of files begin whose presence stops parts.
_STOP_FILE = "carom-stop-"

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
    #: File whose presence stops parts. Its name is new for each call; so Dask takes no part for one it has done.
    stop_file: str


class _PartEnd(NamedTuple):
    """What a worker sends back."""

    warnings: list[str]
    stopped_by: str | None


def _run_part(part: Part) -> _PartEnd:
    left = None if part.deadline is None else part.deadline - time.time()
    if left is not None and left <= 0:
        return _PartEnd([], "deadline")
    if os.path.exists(part.stop_file):
        return _PartEnd([], "callback")
    next_look = time.monotonic() + _STOP_INTERVAL

    def look(_: Progress) -> bool | None:
        nonlocal next_look
        if time.monotonic() < next_look:
            return None
        next_look = time.monotonic() + _STOP_INTERVAL
        return False if os.path.exists(part.stop_file) else None

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
    return _PartEnd(outcome.warnings, outcome.stopped_by)


def run_elsewhere(
    executor: Executor,
    scene: Scene,
    axes: Axes,
    folder: str,
    *,
    jobs: int,
    max_walltime: float | None,
    on_progress: Callable[[Progress], Any] | None,
) -> SweepOutcome:
    """Give the parts of a sweep to an executor, and wait for them. Ctrl-C stops all of them with checkpoints."""
    # Mistakes and what is done already are found here, before anything is sent away.
    runs = len(call_sweep(scene, axes, folder, list_only=True).rows)
    workers = getattr(executor, "_max_workers", None)
    count = max(min(runs, _PARTS if workers is None else _PARTS_PER_WORKER * workers), 1)
    # Workers on one machine share its processors; of others nothing is known.
    threads = jobs if workers is None else max(_carom.threads() // workers, 1)
    deadline = None if max_walltime is None else time.time() + max_walltime
    place = os.path.abspath(folder)
    # Those of calls that were interrupted while they waited for a function like `map`.
    for old in glob.glob(os.path.join(glob.escape(place), f"{_STOP_FILE}*")):
        os.remove(old)
    stop_file = os.path.join(place, _STOP_FILE + uuid.uuid4().hex)
    parts = [
        Part(scene, axes, place, (number, count), jobs, threads, deadline, stop_file) for number in range(1, count + 1)
    ]
    watch = _Watch(scene, axes, folder, stop_file, on_progress)
    ends = _run_parts(executor, parts, watch)
    watch.look_at_the_end()
    said = [sentence for end in ends for sentence in end.warnings]
    reasons = [end.stopped_by for end in ends if end.stopped_by is not None]
    # What was noticed here is why parts have stopped.
    stopped_by = watch.stopped_by or (min(reasons, key=_rank) if reasons else None)
    return SweepOutcome(call_sweep(scene, axes, folder, list_only=True).rows, said, stopped_by)


def _run_parts(executor: Executor, parts: list[Part], watch: _Watch) -> list[_PartEnd]:
    """Give parts to an executor, and return what they send back."""
    if hasattr(executor, "submit"):
        # Unlike what `map` returns, these are still there after Ctrl-C.
        ends = _wait_for_futures([executor.submit(_run_part, part) for part in parts], watch)
    else:
        try:
            mapped = executor.map(_run_part, parts) if hasattr(executor, "map") else executor(_run_part, parts)
            ends = _wait_for_map(mapped, watch)
        except KeyboardInterrupt:
            watch.stop("interrupt")
            # Parts may still be at work: the file stops them.
            return []
    watch.remove_stop_file()
    return ends


def _rank(reason: str) -> int:
    return ["interrupt", "deadline", "callback"].index(reason)


class _Watch:
    """Reports how far a sweep is, and stops its parts."""

    def __init__(
        self, scene: Scene, axes: Axes, folder: str, stop_file: str, on_progress: Callable[[Progress], Any] | None
    ) -> None:
        self._sweep = (scene, axes, folder)
        self._stop_file = stop_file
        self._on_progress = on_progress
        self._next_look = 0.0
        self.stopped_by: str | None = None

    def stop(self, reason: str) -> None:
        """Let all parts stop."""
        self.stopped_by = self.stopped_by or reason
        os.makedirs(os.path.dirname(self._stop_file), exist_ok=True)
        with open(self._stop_file, "w", encoding="utf-8"):
            pass

    def note(self, end: _PartEnd) -> _PartEnd:
        """See what a part has sent back: what has stopped it stops the others."""
        if end.stopped_by is not None and self.stopped_by is None:
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

    def remove_stop_file(self) -> None:
        """Remove the file, now that all parts have ended."""
        if self.stopped_by is not None:
            os.remove(self._stop_file)


def _wait_for_futures(futures: list[Any], watch: _Watch) -> list[_PartEnd]:
    """What all parts have sent back. What is raised here is raised once all have ended, since they write files."""
    ends: list[_PartEnd] = []
    raised: BaseException | None = None
    while futures:
        try:
            watch.look()
            done = next((future for future in futures if future.done()), None)
            if done is None:
                time.sleep(_POLLING_INTERVAL)
                continue
            futures.remove(done)
            error = done.exception()
            if error is None:
                ends.append(watch.note(done.result()))
        except KeyboardInterrupt:
            if watch.stopped_by == "interrupt":
                raise
            watch.stop("interrupt")
            continue
        except BaseException as exception:
            error = exception
        if isinstance(error, KeyboardInterrupt):
            # A terminal interrupts workers too.
            watch.stop("interrupt")
        elif error is not None:
            raised = raised or error
            watch.stop("callback")
    # Workers that Ctrl-C has ended have nothing else to say.
    if raised is not None and watch.stopped_by != "interrupt":
        raise raised
    return ends


def _wait_for_map(mapped: Iterable[Any], watch: _Watch) -> list[_PartEnd]:
    """What all parts have sent back, of results that are lazy, or all there, or futures."""
    ends: list[_PartEnd] = []
    for end in mapped:
        ends.append(watch.note(end.result() if hasattr(end, "result") else end))
        watch.look()
    return ends
