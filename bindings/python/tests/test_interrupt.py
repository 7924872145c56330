"""Ctrl-C: real signals to processes that run scenes."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import carom

PRELUDE = """
import signal, sys, time
sys.path.insert(0, {tests!r})
from scenes import GAS, HEAP, BLOCK
import carom
# Where the tests run in the background of a shell, they are started with Ctrl-C ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
before = signal.getsignal(signal.SIGINT)
endless = {{
    "gas": carom.Scene(GAS, until=1e9, output={{"interval": 1e6, "log_interval": 1e6}}),
    "heap": carom.Scene(HEAP, until=1e4, output={{"interval": 1e3, "log_interval": 1e3}}),
    "many": carom.Scene(
        HEAP, until=1e4, output={{"interval": 1e3, "log_interval": 1e3}}, box__size=[80, 80],
        generate=[{{"kind": "random", "count": 4000, "radius": 0.25, "region": {{"low": [0, 0], "high": [80, 80]}}}}],
    ),
    "block": carom.Scene(BLOCK, until=1e6, output={{"interval": 1e5, "log_interval": 1e5}}),
}}[{name!r}]
started = time.monotonic()
def ready(*_):
    if time.monotonic() - started > 0.2:
        print("ready", flush=True)
"""


def interrupted(program: str, name: str = "gas") -> subprocess.CompletedProcess[str]:
    """Starts a program, interrupts it once it is ready, and returns how it ended."""
    text = PRELUDE.format(tests=str(Path(__file__).parent), name=name) + program
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stderr is not None
    line = process.stdout.readline()
    assert line == "ready\n", process.stderr.read()
    process.send_signal(signal.SIGINT)
    output, errors = process.stdout.read(), process.stderr.read()
    return subprocess.CompletedProcess([], process.wait(timeout=60), output, errors)


@pytest.mark.parametrize("name", ["gas", "heap", "many"])
def test_a_run_stops_with_a_checkpoint(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "a.run"
    done = interrupted(
        f"""
try:
    carom.run(endless, {str(folder)!r}, progress=ready)
except carom.Stopped as stopped:
    print("stopped")
    assert isinstance(stopped, KeyboardInterrupt)
    assert stopped.folder == {str(folder)!r}, stopped.folder
    assert stopped.results.ending == "stopped"
    assert "carom.run(None, " in str(stopped)
    assert signal.getsignal(signal.SIGINT) is before
    print("whole", carom.Results({str(folder)!r}).summary["time"])
""",
        name,
    )
    assert done.returncode == 0 and "whole" in done.stdout, done.stderr
    time_then = float(done.stdout.split("whole")[1])
    cut = carom.Results(folder)
    assert cut.ending == "stopped" and time_then > 0
    small = cut.resume(until=time_then + 0.01, on_row=lambda row: None)
    assert small.ending == "time"


LATENCY = """
import os, threading
carom.set_threads(2)
started_at = []
def interrupt():
    # Processor time, which other programs on the machine do not lengthen.
    started_at.append(time.process_time())
    os.kill(os.getpid(), signal.SIGINT)
class Sent:
    is_sent = False
def shown(event):
    ready()
    if event.part > 0 and not Sent.is_sent:
        Sent.is_sent = True
        threading.Timer(0.3, interrupt).start()
try:
    {work}
except KeyboardInterrupt:
    seconds = time.process_time() - started_at[0]
    print("stopped after", seconds)
"""


@pytest.mark.parametrize("work", ["run", "run in memory", "advance"])
@pytest.mark.parametrize("name", ["gas", "heap", "many", "block"])
def test_the_time_from_a_signal_to_the_end_is_short(name: str, work: str, tmp_path: Path) -> None:
    works = {
        "run": f"carom.run(endless, {str(tmp_path / 'a.run')!r}, progress=shown)",
        "run in memory": "carom.run(endless, progress=shown)",
        "advance": "simulation = carom.Simulation(endless); threading.Timer(0.5, interrupt).start(); simulation.advance()",
    }
    text = PRELUDE.format(tests=str(Path(__file__).parent), name=name) + LATENCY.format(work=works[work])
    done = subprocess.run([sys.executable, "-c", text], text=True, capture_output=True, timeout=300)
    assert "stopped after" in done.stdout, done.stderr
    # With the checkpoint it takes less than a tenth of a second of both threads where nothing else runs. Slow machines
    # may take some times as long; a run that does not look for signals takes hours.
    assert float(done.stdout.split("after")[1]) < 1.0, done.stdout


def test_a_run_in_memory_keeps_what_it_has() -> None:
    done = interrupted(
        """
try:
    carom.run(endless, progress=ready)
except carom.Stopped as stopped:
    print("stopped")
    assert stopped.folder is None
    results = stopped.results
    assert len(results.frames) == 1 and len(results.columns["time"]) == 1
    assert results.resume(until=results.summary["time"] + 0.5).ending == "time"
    print("whole")
"""
    )
    assert done.returncode == 0 and "whole" in done.stdout, done.stderr


@pytest.mark.parametrize("where", ["on_row", "on_frame", "progress"])
def test_an_interrupt_in_a_callback_is_one_of_the_run(where: str) -> None:
    done = interrupted(
        f"""
def callback(_):
    print("ready", flush=True)
    time.sleep(100)
try:
    carom.run(endless, **{{{where!r}: callback}})
except carom.Stopped as stopped:
    print("stopped")
    assert stopped.results.ending == "stopped"
    print("whole")
"""
    )
    assert done.returncode == 0 and "whole" in done.stdout, done.stderr


@pytest.mark.parametrize("name", ["heap", "many"])
def test_an_interrupt_in_a_force_loses_nothing(name: str) -> None:
    done = interrupted(
        """
def force(state):
    ready()
    time.sleep(0.001)
    return 0 * state.positions
simulation = carom.Simulation(endless, forces=[force])
try:
    simulation.advance(until=1e4)
except KeyboardInterrupt:
    print("stopped")
    steps = simulation.steps
    again = carom.Simulation(endless, forces=[force])
    started += 1e9
    again.advance(steps=steps)
    assert again.digest() == simulation.digest()
    print("whole")
""",
        name,
    )
    assert done.returncode == 0 and "whole" in done.stdout, done.stderr


def test_a_simulation_pauses_between_steps_and_continues() -> None:
    done = interrupted(
        """
simulation = carom.Simulation(endless)
count = 0
print("ready", flush=True)
while True:
    try:
        simulation.advance(until=1e9)
    except KeyboardInterrupt:
        print("stopped", flush=True)
        break
time_then = simulation.time
again = carom.Simulation(endless)
again.advance(until=time_then)
assert again.digest() == simulation.digest()
simulation.advance(by=1.0)
again.advance(until=simulation.time)
assert again.digest() == simulation.digest()
print("whole")
"""
    )
    assert done.returncode == 0 and "whole" in done.stdout, done.stderr


def test_a_handler_of_the_program_is_called() -> None:
    done = interrupted(
        """
class Own(Exception):
    pass
def handler(*_):
    raise Own("handled")
signal.signal(signal.SIGINT, handler)
try:
    carom.run(endless, progress=ready)
except Own as error:
    print("stopped", error)
    assert signal.getsignal(signal.SIGINT) is handler
    print("whole")
"""
    )
    assert done.returncode == 0 and "whole" in done.stdout, done.stderr


def test_a_run_in_another_thread_is_not_interrupted() -> None:
    done = interrupted(
        """
import threading
ended = []
def work():
    results = carom.run(endless, progress=lambda event: ready() or (False if stop.is_set() else None))
    ended.append(results.ending)
    done.set()
stop, done = threading.Event(), threading.Event()
worker = threading.Thread(target=work)
worker.start()
try:
    done.wait()
except KeyboardInterrupt:
    print("stopped", flush=True)
stop.set()
done.wait()
assert ended == ["stopped"], ended
print("whole")
"""
    )
    assert done.returncode == 0 and "whole" in done.stdout, done.stderr


def test_the_program_as_a_function_passes_it_on(tmp_path: Path) -> None:
    done = interrupted(
        f"""
import carom.program
endless.save({str(tmp_path / "gas.toml")!r})
import threading
threading.Timer(1.5, lambda: print("ready", flush=True)).start()
print(carom.main(["run", {str(tmp_path / "gas.toml")!r}, "--out", {str(tmp_path / "a.run")!r}]))
print("whole")
"""
    )
    assert done.returncode == 0 and "3\nwhole" in done.stdout, done.stdout + done.stderr


CALIBRATION = """
rows = []
parameters = {"materials.default.restitution": (0.8, 0.99)}
targets = {"energy": (50.0, 5.0, "kinetic_energy")}
short = carom.Scene(GAS, until=0.2, output={"picture": False})
def measured(row):
    rows.append(row)
    if len(rows) == 2:
        print("ready", flush=True)
        time.sleep(100)
"""


@pytest.mark.parametrize("in_memory", [True, False])
def test_a_calibration_keeps_its_evaluations(in_memory: bool, tmp_path: Path) -> None:
    out = None if in_memory else str(tmp_path / "found")
    done = interrupted(
        CALIBRATION
        + f"""
try:
    carom.calibrate(short, parameters, targets, {out!r}, seeds=2, on_evaluation=measured)
except carom.Stopped as stopped:
    print("stopped", stopped)
    assert stopped.folder == {out!r}
    table = stopped.calibration.table
    assert table["misfit"].tolist() == [row["misfit"] for row in rows] and len(rows) == 2
    assert not stopped.calibration.converged
    best = min(rows, key=lambda row: row["misfit"])
    assert stopped.calibration.parameters["materials.default.restitution"] == best["materials.default.restitution"]
    print("whole")
"""
    )
    assert done.returncode == 0 and "whole" in done.stdout, done.stderr
    advice = "`calibration` of this exception has them" if in_memory else "the same call continues it"
    assert f"the calibration was stopped after 2 evaluations; {advice}" in done.stdout


def test_a_calibration_that_is_stopped_in_its_first_run_has_nothing() -> None:
    done = interrupted(
        CALIBRATION
        + """
def measure(results):
    raise AssertionError("no run has ended")
import threading
threading.Timer(1.0, lambda: print("ready", flush=True)).start()
try:
    # Without losses, which would let it come to rest.
    carom.calibrate(endless, {"generate.0.temperature": (0.5, 2.0)}, {"energy": (1.0, 1.0, measure)})
except carom.Stopped as stopped:
    assert stopped.calibration is None and stopped.folder is None, stopped
    print("stopped", stopped)
    print("whole")
"""
    )
    assert done.returncode == 0 and "stopped after 0 evaluations\nwhole" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("kind", ["ThreadPoolExecutor", "ProcessPoolExecutor"])
def test_a_sweep_of_an_executor_stops_with_checkpoints(kind: str, tmp_path: Path) -> None:
    folder = str(tmp_path / "sweep")
    done = interrupted(
        f"""
from concurrent.futures import {kind} as Executor
def shown(progress):
    if progress.running == 2:
        print("ready", flush=True)
if __name__ == "__main__":
    executor = Executor(2)
    try:
        carom.sweep(endless, {{"seed": range(5)}}, {folder!r}, executor=executor, progress=shown)
    except carom.Stopped as stopped:
        print("stopped", stopped)
        assert stopped.folder == {folder!r}
    executor.shutdown()
    endings = list(carom.sweep(endless, {{"seed": range(5)}}, {folder!r}, list_only=True)["ending"])
    assert endings.count("stopped") == 2 and endings.count("missing") == 3, endings
    print("whole")
"""
    )
    assert done.returncode == 0 and "Ctrl-C with checkpoints" in done.stdout and "whole" in done.stdout, done.stderr
