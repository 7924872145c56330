"""Runs: into folders and into memory, callbacks, stopping and continuing."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import CommandLine
from scenes import ALL, FLUID, GAS, GRAINS, HEAP, STAGES

import carom


@pytest.mark.parametrize("name", ALL)
def test_rows_and_frames_are_given_as_they_come(name: str, tmp_path: Path) -> None:
    rows: list[dict[str, float]] = []
    frames: list[carom.Frame] = []
    results = carom.run(ALL[name], tmp_path / "a.run", on_row=rows.append, on_frame=frames.append)
    assert len(rows) == len(results.columns["time"])
    for column, values in results.columns.items():
        np.testing.assert_array_equal([row[column] for row in rows], values, err_msg=column)
    assert [frame.time for frame in frames] == [frame.time for frame in results.frames]
    for given, read in zip(frames, results.frames):
        np.testing.assert_array_equal(given.positions, read.positions)
        np.testing.assert_array_equal(given.velocities, read.velocities)
        np.testing.assert_array_equal(given.radii, read.radii)
        assert given.box == read.box and given.periodic == read.periodic


@pytest.mark.parametrize("name", ["gas", "heap", "grains", "block", "stages"])
@pytest.mark.parametrize("in_memory", [True, False])
def test_a_run_that_a_callback_stops_continues_to_the_same_bits(
    name: str, in_memory: bool, tmp_path: Path
) -> None:
    whole = carom.run(ALL[name])
    count = 0

    def stop(row: dict[str, float]) -> bool | None:
        nonlocal count
        count += 1
        return False if count == 2 else None

    cut = carom.run(ALL[name], None if in_memory else tmp_path / "cut.run", on_row=stop)
    assert cut.ending == "stopped" and not cut.summary["finished"] and count == 2
    resumed = cut.resume()
    assert resumed.digest == whole.digest and resumed.ending == whole.ending
    for column, values in whole.columns.items():
        np.testing.assert_array_equal(resumed.columns[column], values, err_msg=column)
    assert [frame.time for frame in resumed.frames] == [frame.time for frame in whole.frames]
    if not in_memory:
        assert carom.Results(tmp_path / "cut.run").digest == whole.digest


def test_only_false_stops_a_run() -> None:
    for answer in (None, 0, "", [], True, np.False_):
        assert carom.run(GAS, on_row=lambda row: answer).ending == "time"
    assert carom.run(GAS, on_frame=lambda frame: False).ending == "stopped"


class Wrong(Exception):
    pass


@pytest.mark.parametrize("callback", ["on_row", "on_frame"])
def test_what_a_callback_raises_is_raised_again_after_a_checkpoint(callback: str, tmp_path: Path) -> None:
    seen: list[Any] = []

    def fail(it: Any) -> None:
        seen.append(it)
        if len(seen) == 2:
            raise Wrong("twice")

    with pytest.raises(Wrong, match="twice"):
        carom.run(HEAP, tmp_path / "a.run", **{callback: fail})
    cut = carom.Results(tmp_path / "a.run")
    assert cut.ending == "stopped"
    assert cut.resume().digest == carom.run(HEAP).digest


def test_what_an_observable_raises_ends_the_run_before_its_row_is_written(tmp_path: Path) -> None:
    class Fails:
        name = "fails"
        columns = ["fails"]
        rows = 0

        def sample(self, state: carom.State) -> list[float]:
            self.rows += 1
            if self.rows == 3:
                raise Wrong("third")
            return [1.0]

    with pytest.raises(Wrong):
        carom.run(HEAP, tmp_path / "a.run", observables=[Fails()])
    results = carom.Results(tmp_path / "a.run")
    assert len(results.columns["fails"]) == 2 and results.ending == "killed"
    fails = Fails()
    fails.rows = 10
    resumed = results.resume(observables=[fails])
    assert resumed.digest == carom.run(HEAP).digest
    np.testing.assert_array_equal(resumed.columns["fails"], 1.0)


class Peak:
    """The largest height that a body has reached."""

    name = "peak"
    columns = ["peak", "rows"]

    def __init__(self) -> None:
        self.peak = -np.inf
        self.rows = 0

    def sample(self, state: carom.State) -> dict[str, float]:
        self.peak = max(self.peak, state.positions[:, 1].max())
        self.rows += 1
        return {"rows": self.rows, "peak": self.peak}

    def save(self) -> list[float]:
        return [self.peak, self.rows]

    def restore(self, numbers: list[float]) -> None:
        self.peak, self.rows = numbers[0], int(numbers[1])

    def summary(self, state: carom.State) -> dict[str, float]:
        return {"peak_of_all": self.peak}

    def table(self, state: carom.State) -> dict[str, Any]:
        return {"id": state.ids, "height": state.positions[:, 1]}


@pytest.mark.parametrize("in_memory", [True, False])
def test_an_observable_is_saved_in_checkpoints(in_memory: bool, tmp_path: Path) -> None:
    folder = None if in_memory else tmp_path / "a.run"
    whole = carom.run(HEAP, observables=[Peak()])
    cut = carom.run(HEAP, folder, observables=[Peak()], on_row=lambda row: row["rows"] < 3)
    assert cut.ending == "stopped"
    with pytest.raises(carom.Error, match="observable"):
        cut.resume()
    resumed = cut.resume(observables=[Peak()])
    np.testing.assert_array_equal(resumed.columns["peak"], whole.columns["peak"])
    np.testing.assert_array_equal(resumed.columns["rows"], np.arange(1, 6))
    assert resumed.summary["peak_of_all"] == whole.summary["peak_of_all"]
    assert list(resumed.table("peak")) == ["id", "height"]
    np.testing.assert_array_equal(resumed.table("peak")["height"], whole.table("peak")["height"])


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"name": 3}, "name of an observable must be a text"),
        ({"name": "a b"}, "letters, digits and _"),
        ({"columns": "peak"}, "columns of an observable must be a list of texts"),
        ({"columns": ["time"]}, "another column has that name"),
        ({"sample": lambda state: [1.0, 2.0]}, "gave 2 values; it must give 1"),
        ({"sample": lambda state: {"other": 1.0}}, "gave no 'peak'|gave no \"peak\""),
        ({"sample": lambda state: ["high"]}, "real number|must be"),
        ({"save": lambda: [1.0]}, "needs both save"),
        ({"sample": None}, "callable"),
    ],
)
def test_observables_that_are_none_are_refused(change: dict[str, Any], rule: str) -> None:
    parts = {"name": "peak", "columns": ["peak"], "sample": lambda state: [1.0], **change}
    observable = type("Own", (), {key: staticmethod(it) if callable(it) else it for key, it in parts.items()})()
    with pytest.raises((ValueError, TypeError), match=rule):
        carom.run(HEAP, observables=[observable])
    with pytest.raises(carom.Error, match="has no name"):
        carom.run(HEAP, observables=[object()])  # type: ignore[list-item]


def test_a_force_acts_as_that_of_the_scene() -> None:
    no_gravity = carom.Scene(HEAP).set("gravity", None)
    with pytest.warns(RuntimeWarning, match="no body moves and nothing acts on them"):
        pulled = carom.run(no_gravity, forces=[lambda state: state.masses[:, None] * [0, -9.81]])
    falling = carom.run(HEAP)
    np.testing.assert_allclose(pulled.frames[1].positions, falling.frames[1].positions, atol=1e-8)
    staged = carom.run(carom.Scene(STAGES).set("gravity", None), forces=[lambda state: 0 * state.positions])
    assert staged.ending == "time"


def test_what_a_force_raises_ends_the_run_at_the_checkpoint_before(tmp_path: Path) -> None:
    def fail(state: carom.State) -> np.ndarray:
        if state.time > 0.2:
            raise Wrong("late")
        return 0 * state.positions

    with pytest.raises(Wrong, match="late"):
        carom.run(HEAP, tmp_path / "a.run", forces=[fail])
    results = carom.Results(tmp_path / "a.run")
    assert results.ending == "killed"
    resumed = results.resume(forces=[lambda state: 0 * state.positions])
    assert resumed.digest == carom.run(HEAP, forces=[lambda state: 0 * state.positions]).digest


@pytest.mark.parametrize(
    ("force", "rule"),
    [
        (lambda state: np.zeros((3, 2)), r"shape \(3, 2\); it must have \(40, 2\)"),
        (lambda state: state.masses, "two axes"),
        (lambda state: None, "the force"),
        (lambda state: np.full((40, 2), np.nan), "finite"),
        (lambda: None, "positional argument"),
    ],
)
def test_forces_that_are_none_are_refused(force: Any, rule: str) -> None:
    with pytest.raises((ValueError, TypeError, carom.RunError), match=rule):
        carom.run(HEAP, forces=[force])
    with pytest.raises(carom.Error, match='take the engine "dem"'):
        carom.run(GAS, forces=[lambda state: 0 * state.positions])


def test_forces_are_called_on_many_bodies_too() -> None:
    """With more bodies than one thread is given, functions are called from the pool, and may use it."""
    scene = carom.Scene(HEAP)
    scene["generate"][0]["count"] = 2500
    scene["generate"][0]["region"] = {"low": [0, 0], "high": [60, 60]}
    scene["box"]["size"] = [60, 60]
    scene["until"] = 0.01

    def count(state: carom.State) -> np.ndarray:
        contacts = carom.contacts(state.positions, state.radii)
        return 0.0 * contacts.counts()[:, None] * state.positions

    for threads in (1, 2, None):
        carom.set_threads(threads)
        try:
            assert carom.run(scene, forces=[count]).digest == carom.run(scene).digest
        finally:
            carom.set_threads(None)


def test_folders_are_protected(tmp_path: Path) -> None:
    folder = tmp_path / "a.run"
    first = carom.run(GAS, folder).digest
    with pytest.raises(carom.Error, match="holds results of this scene; continue them by resume=True") as caught:
        carom.run(GAS, folder)
    assert "--" not in str(caught.value)
    with pytest.raises(carom.Error, match="holds results of another scene: seed is 2 here"):
        carom.run(GAS, folder, seed=2)
    assert carom.Results(folder).digest == first
    assert carom.run(GAS, folder, seed=2, force=True).digest != first
    with pytest.raises(carom.FileError, match="seed is 3 here and 2 there"):
        carom.run(GAS, folder, seed=3, resume=True)
    with pytest.raises(carom.Error, match="no checkpoint"):
        carom.run(GAS, tmp_path / "none", resume=True)
    with pytest.raises(carom.Error, match="is a file"):
        (tmp_path / "file").write_text("")
        carom.run(GAS, tmp_path / "file")
    for wrong in ({"resume": True}, {"force": True}, {"new_folder": folder}):
        with pytest.raises(carom.Error, match="name it by out"):
            carom.run(GAS, **wrong)
    with pytest.raises(carom.Error, match="scene is None"):
        carom.run(None)


def test_a_run_continues_beyond_its_end(tmp_path: Path, carom_program: CommandLine) -> None:
    folder = tmp_path / "a.run"
    results = carom.run(HEAP, folder)
    longer = results.resume(until=0.6)
    assert longer.digest == carom.run(HEAP, until=0.6).digest
    assert longer.scene["until"] == 0.6
    carom_program("run", "--out", folder, "--resume", "--until", "0.7")
    assert carom.Results(folder).digest == carom.run(HEAP, until=0.7).digest
    elsewhere = carom.run(None, folder, resume=True, until=0.8, new_folder=tmp_path / "b.run")
    assert elsewhere.folder == str(tmp_path / "b.run")
    assert elsewhere.digest == carom.run(HEAP, until=0.8).digest
    with pytest.raises(carom.FileError, match="beyond|after|until"):
        carom.run(None, folder, resume=True, until=0.1)


def test_results_in_memory_are_written_as_a_run_would_have(tmp_path: Path, carom_program: CommandLine) -> None:
    for name in ("gas", "heap", "block"):
        carom.run(ALL[name], tmp_path / f"{name}.run")
        saved = carom.run(ALL[name]).save(tmp_path / f"{name}.saved")
        for file in ("log.csv", "frames/frame_000001.vtp", "frames/frames.pvd"):
            of_run = (tmp_path / f"{name}.run" / file).read_bytes()
            assert (tmp_path / f"{name}.saved" / file).read_bytes() == of_run, file
        with pytest.raises(carom.Error, match="already"):
            saved.save(tmp_path / "other")
    carom_program("run", "--out", tmp_path / "heap.saved", "--resume", "--until", "0.6")
    assert carom.Results(tmp_path / "heap.saved").digest == carom.run(HEAP, until=0.6).digest
    with pytest.raises(carom.Error, match="holds results"):
        carom.run(HEAP).save(tmp_path / "heap.run")


def test_a_limit_of_time_stops_a_run(tmp_path: Path) -> None:
    endless = carom.Scene(GAS, until=1e9, output={"interval": 1e6, "log_interval": 1e6})
    for limit in (0.2, "200ms"):
        with pytest.raises(carom.Stopped, match="stopped by max_walltime") as caught:
            carom.run(endless, tmp_path / f"{limit}.run", max_walltime=limit)
        assert caught.value.folder == str(tmp_path / f"{limit}.run")
        assert caught.value.results is not None and caught.value.results.ending == "stopped"
    with pytest.raises(carom.Stopped) as caught:
        carom.run(endless, max_walltime=0.1)
    assert caught.value.folder is None and caught.value.results is not None
    time = caught.value.results.summary["time"]
    assert caught.value.results.resume(until=time + 1).ending == "time"
    for wrong in ("soon", -1, np.nan, np.inf):
        with pytest.raises(carom.Error, match="max_walltime is"):
            carom.run(GAS, max_walltime=wrong)


def test_progress_is_reported() -> None:
    events: list[carom.ProgressEvent] = []
    carom.run(carom.Scene(GAS, generate__0__count=400, until=4.0), progress=events.append)
    assert all(0 <= event.part <= 1 and event.counted == "collisions" for event in events)
    assert [event.time for event in events] == sorted(event.time for event in events)
    stopped = carom.run(carom.Scene(GAS, until=1e9, output={"interval": 1e6, "log_interval": 1e6}), progress=lambda event: False)
    assert stopped.ending == "stopped"


def test_a_bar_is_drawn_and_cleared(capsys: pytest.CaptureFixture[str]) -> None:
    endless = carom.Scene(GAS, until=1e9, output={"interval": 1e6, "log_interval": 1e6})
    for _ in range(2):
        with pytest.raises(carom.Stopped):
            carom.run(endless, max_walltime=0.5, progress=True)
        assert "time" in capsys.readouterr().err
        # Without tqdm a line of text.
        sys.modules["tqdm.auto"] = None  # type: ignore[assignment]
    del sys.modules["tqdm.auto"]
    carom.run(GAS)
    assert capsys.readouterr().err == ""


def test_warnings_are_reported_once() -> None:
    falling = carom.Scene(GAS)
    falling["gravity"] = {"acceleration": [0, -1]}
    with pytest.warns(RuntimeWarning, match="gravity acts along the periodic axis y") as caught:
        results = carom.run(falling, until=0.1)
    assert len(caught) == 1 and len(results.warnings) == 1


def test_a_run_that_fails_says_why(tmp_path: Path) -> None:
    wild = carom.Scene(HEAP, step=1e-3, materials__default__stiffness=2e2)
    with pytest.raises(carom.SceneError, match="step"):
        carom.run(wild.set("materials.default.stiffness", 1e9))
    too_deep = carom.Scene(HEAP, bodies=[{"position": [3, 7.9], "radius": 0.25}])
    with pytest.raises(carom.SceneError):
        carom.run(too_deep)
    huge = carom.Scene(GAS, generate__0__count=2**31)
    with pytest.raises(carom.Error, match="memory|bodies"):
        carom.run(huge)


def test_what_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(carom.FileError, match="cannot be written"):
        carom.run(GAS, "/proc/a.run")
    folder = tmp_path / "a.run"
    folder.mkdir()
    os.symlink(tmp_path / "log.csv", folder / "log.csv")
    with pytest.raises(carom.Error, match="symbolic link"):
        carom.run(GAS, folder)


def test_threads_run_simulations_at_once(tmp_path: Path) -> None:
    scenes = [carom.Scene(HEAP, seed=seed) for seed in range(6)]
    expected = [carom.run(scene).digest for scene in scenes]
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda k: carom.run(scenes[k], tmp_path / str(k)).digest, range(6)))
    assert found == expected


def test_other_threads_run_meanwhile() -> None:
    done = threading.Event()

    def work() -> None:
        carom.run(carom.Scene(GRAINS, until=1.0))
        done.set()

    worker = threading.Thread(target=work)
    worker.start()
    count = 0
    while not done.is_set():
        count += 1
    worker.join()
    assert count > 1000


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_children_run_scenes(method: str) -> None:
    script = Path(__file__).with_name("run_children.py")
    done = subprocess.run([sys.executable, str(script), method], text=True, capture_output=True, timeout=300)
    assert done.returncode == 0 and done.stdout == "all alike\n", done.stderr


def test_collisions_end_a_run() -> None:
    results = carom.run(FLUID)
    assert results.ending == "collisions" and results.summary["collisions"] == 3000
    table = results.table("radial_distribution")
    assert len(table["distance"]) == 10
    with pytest.raises(carom.Error, match='did you mean "radial_distribution"'):
        results.table("radial_distributon")


def test_a_run_starts_from_the_bodies_of_another(tmp_path: Path, carom_program: CommandLine) -> None:
    carom.run(HEAP, tmp_path / "first.run")
    carom.Scene(HEAP).save(tmp_path / "heap.toml")
    again = carom.run(HEAP, tmp_path / "again.run", from_=tmp_path / "first.run", until=0.1)
    np.testing.assert_array_equal(again.frames[0].positions, carom.Results(tmp_path / "first.run").frames[-1].positions)
    carom_program("run", tmp_path / "heap.toml", "--from", tmp_path / "first.run", "--until", 0.1, "--out", "b.run")
    last = carom.Results(tmp_path / "b.run").frames[-1]
    np.testing.assert_array_equal(again.frames[-1].positions, last.positions)
    assert not np.array_equal(again.frames[0].positions, last.positions)
    with pytest.raises(carom.Error, match="give one of them"):
        carom.run(HEAP, tmp_path / "again.run", from_=tmp_path / "first.run", resume=True)


def test_what_needs_more_memory_than_is_allowed_is_refused() -> None:
    try:
        carom.set_memory("1MB")
        with pytest.raises(carom.Error, match=r"allow more by carom\.set_memory"):
            carom.contacts(np.zeros((2_000_000, 3)), 0.5)
        for limit in ("many", -1, 0):
            with pytest.raises(carom.Error, match="must be a size"):
                carom.set_memory(limit)
        carom.set_memory(4_000_000_000)
    finally:
        carom.set_memory(None)
    assert len(carom.generate.particles(1000).spheres) == 1000
