"""Threads, processes and the interpreter's lock."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from conftest import random_spheres

import carom


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_children_find_contacts(method: str) -> None:
    script = Path(__file__).with_name("processes.py")
    # Where a child waits for threads that it does not have, it waits for ever.
    done = subprocess.run(
        [sys.executable, str(script), method], text=True, capture_output=True, timeout=120
    )
    assert done.returncode == 0 and done.stdout == "all found\n", done.stderr


def test_other_threads_run_meanwhile() -> None:
    spheres = random_spheres(300_000, 3)
    foam = carom.generate.foam(20_000, cells=2)
    points = np.random.default_rng(1).uniform(-1, 1, (300_000, 3))
    interval = sys.getswitchinterval()
    # So long that a call that kept the lock would keep it to its end.
    sys.setswitchinterval(60)
    try:
        for call in [
            lambda: carom.contacts(spheres),
            lambda: carom.triangulate(spheres[:30_000]),
            lambda: foam.contains(points),
            lambda: foam.closest_point(points),
        ]:
            times: list[float] = []

            def work(call: Callable[[], object] = call, times: list[float] = times) -> None:
                times.append(time.perf_counter())
                call()
                times.append(time.perf_counter())

            worker = threading.Thread(target=work)
            worker.start()
            seen = 0
            while len(times) < 2:
                seen += len(times) == 1
                time.sleep(1e-4)
            worker.join()
            assert seen > 3, f"{seen} turns in {times[1] - times[0]} s"
    finally:
        sys.setswitchinterval(interval)


def test_many_threads_ask_at_once() -> None:
    spheres = [random_spheres(2000, 3, seed) for seed in range(8)]
    expected = [len(carom.contacts(some)) for some in spheres]
    foam = carom.generate.foam(5000, cells=2)
    points = np.random.default_rng(1).uniform(-1, 1, (5000, 3))
    inside = carom.Mesh(foam.vertices, foam.faces).contains(points)

    def work(k: int) -> bool:
        is_same = len(carom.contacts(spheres[k])) == expected[k]
        return is_same and bool((foam.contains(points) == inside).all())

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))


def test_a_search_belongs_to_one_thread_at_a_time() -> None:
    search = carom.ContactSearch()
    spheres = random_spheres(100_000, 3)

    def find(_: int) -> str:
        try:
            return str(len(search.find(spheres)))
        except carom.Error as error:
            return str(error)

    with ThreadPoolExecutor(4) as pool:
        answers = set(pool.map(find, range(12)))
    expected = {
        str(len(carom.contacts(spheres))),
        "this search is at work in another thread; make one for each thread",
    }
    assert answers <= expected and str(len(carom.contacts(spheres))) in answers
    search.find(spheres)


def numbers_of_threads() -> set[int]:
    """Numbers of carom's threads, once no more of them are starting."""
    tasks = Path("/proc/self/task")
    if not tasks.exists():
        pytest.skip("only Linux gives the names of threads")
    found: set[int] = set()
    for _ in range(50):
        time.sleep(0.05)
        names = [(task / "comm").read_text().strip() for task in tasks.iterdir()]
        before = found
        found = {int(name.removeprefix("carom-")) for name in names if name.startswith("carom-")}
        if found == before:
            return found
    return found


def test_the_number_of_threads_is_set() -> None:
    usual = carom.threads()
    for count in [1, 2, 5]:
        carom.set_threads(count)
        assert carom.threads() == count
        carom.contacts(random_spheres(5000, 3))
        assert numbers_of_threads() >= set(range(count))
    carom.set_threads(None)
    assert carom.threads() == usual
    for wrong in [0, -1, 5000]:
        with pytest.raises(carom.Error, match=f"count is {wrong}; it must be between 1 and 4096"):
            carom.set_threads(wrong)


def test_panics_become_exceptions() -> None:
    from carom import _carom

    for everywhere in [False, True]:
        with pytest.raises(
            carom.InternalError, match="a fault of carom, please report it: on purpose"
        ):
            _carom._panic("on purpose", everywhere)
        # What follows is as if nothing had been.
        assert len(carom.contacts(random_spheres(5000, 3))) > 0


IMPORT = """
import signal, sys, threading, pathlib
import numpy
status = pathlib.Path("/proc/self/status")
caught = lambda: [line for line in status.read_text().splitlines() if line.startswith("Sig")]
before = [signal.getsignal(it) for it in signal.valid_signals()], caught() if status.exists() else 0
known = set(sys.modules)
import carom
after = [signal.getsignal(it) for it in signal.valid_signals()], caught() if status.exists() else 0
assert before == after, "a signal handler was installed"
foreign = {name.split(".")[0] for name in set(sys.modules) - known} - set(sys.stdlib_module_names)
assert foreign <= {"carom", "numpy"}, foreign
tasks = pathlib.Path("/proc/self/task")
own = [(task / "comm").read_text() for task in tasks.iterdir()] if tasks.exists() else []
assert not any(name.startswith("carom") for name in own), own
carom.contacts(numpy.random.default_rng(1).random((5000, 4)) * [10, 10, 10, 0.1])
after = [signal.getsignal(it) for it in signal.valid_signals()], caught() if status.exists() else 0
assert before == after, "a signal handler was installed"
"""


def test_importing_installs_no_handlers_and_starts_no_threads() -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORT], text=True, capture_output=True, timeout=60
    )
    assert done.returncode == 0, done.stderr


def test_the_benchmark_runs() -> None:
    command = [sys.executable, "-m", "carom.bench", "--tiny", "--threads", "1"]
    done = subprocess.run(command, text=True, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr
    for line in [
        "contacts of 2000 spheres",
        "2000 points in 512 triangles",
        "contacts of 10 spheres",
        "a step of 500 bodies",
        "reading a frame of 500 bodies",
    ]:
        assert line in done.stdout
    assert "has found" not in done.stdout, "another library has found other contacts"
