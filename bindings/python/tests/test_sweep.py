"""Sweeps: against the command line, stopped, in shards, by executors."""

from __future__ import annotations

import math
import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import CommandLine
from scenes import GAS, HEAP

import carom
from carom import sweep_call, sweep_parts, sweeping

OVER: dict[str, Any] = {"seed": [1, 2, 3], "generate.0.temperature": [0.5, 2.0]}
#: It ends only where it is stopped.
ENDLESS = carom.Scene(GAS, until=1e9, output={"interval": 1e6, "log_interval": 1e6})


def rows_of(table: Any) -> list[dict[str, Any]]:
    """Rows of a table, of pandas or not."""
    columns = {name: list(table[name]) for name in table}
    return [dict(zip(columns, values)) for values in zip(*columns.values())]


def test_a_sweep_is_that_of_the_command_line(carom_program: CommandLine, tmp_path: Path) -> None:
    table = carom.sweep(GAS, OVER, tmp_path / "here", jobs=2)
    carom.Scene(GAS).save(tmp_path / "gas.toml")
    carom_program(
        "sweep", "gas.toml", "--over", "seed=1..3", "--over", "generate.0.temperature=0.5,2.0", "--out", "there"
    )
    here, there = tmp_path / "here", tmp_path / "there"
    assert (here / "sweep.csv").read_bytes() == (there / "sweep.csv").read_bytes()
    folders = sorted(path.name for path in there.iterdir() if path.is_dir())
    assert folders == sorted(path.name for path in here.iterdir() if path.is_dir()) and len(folders) == 6
    for folder in folders:
        for file in ("log.csv", "checkpoint.bin"):
            assert (here / folder / file).read_bytes() == (there / folder / file).read_bytes()
    rows = rows_of(table)
    header = (here / "sweep.csv").read_text().splitlines()[0].split(",")
    assert list(rows[0]) == header
    for row in rows:
        alone = carom.run(GAS, seed=row["seed"], generate__0__temperature=row["generate.0.temperature"])
        assert row["final_state"] == alone.digest and row["ending"] == "time"
        assert row["kinetic_energy"] == alone.summary["kinetic_energy"]
        assert row["means.temperature.mean"] == alone.summary["means"]["temperature"]["mean"]
        assert carom.Results(here / row["folder"]).digest == alone.digest


def test_a_table_is_one_of_pandas_where_that_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = pytest.importorskip("pandas")
    table = carom.sweep(GAS, OVER, tmp_path / "a")
    assert isinstance(table, pandas.DataFrame) and len(table) == 6
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    columns = carom.sweep(GAS, OVER, tmp_path / "a", list_only=True)
    assert isinstance(columns, dict)
    np.testing.assert_array_equal(columns["kinetic_energy"], table["kinetic_energy"])


def test_settings_that_advance_together(tmp_path: Path) -> None:
    runs = [{"seed": 1, "until": 0.5}, {"seed": 2, "until": 0.25}]
    rows = rows_of(carom.sweep(GAS, runs, tmp_path / "a"))
    assert [(row["seed"], row["until"]) for row in rows] == [(1, 0.5), (2, 0.25)]
    assert [row["time"] for row in rows] == [0.5, 0.25]
    with pytest.raises(carom.Error, match="run 1 has the keys seed"):
        carom.sweep(GAS, [{"seed": 1, "until": 0.5}, {"seed": 2}], tmp_path / "b")


def test_values_of_all_kinds(tmp_path: Path) -> None:
    over = {
        "box.size": [[14.0, 14.0], np.array([15.0, 14.0])],
        "output.color": ["speed"],
        "seed": np.arange(1, 3),
        "output__picture": (False,),
    }
    scene = carom.Scene(GAS)
    scene["generate"][0]["packing_fraction"] = None if False else 0.3
    del scene["generate.0.packing_fraction"]
    rows = rows_of(carom.sweep(scene, over, tmp_path / "a", until=0.1))
    assert len(rows) == 4 and {row["ending"] for row in rows} == {"time"}
    assert {row["seed"] for row in rows} == {1, 2}


def test_a_sweep_that_was_stopped_continues(tmp_path: Path) -> None:
    seen: list[carom.SweepProgress] = []

    def stop(progress: carom.SweepProgress) -> bool | None:
        seen.append(progress)
        return False if progress.finished >= 1 else None

    long = carom.Scene(GAS, generate__0__count=300, until=3.0)
    cut = rows_of(carom.sweep(long, OVER, tmp_path / "a", progress=stop))
    endings = [row["ending"] for row in cut]
    assert "time" in endings and len(cut) == 6
    assert all(math.isnan(row["kinetic_energy"]) for row in cut if row["ending"] != "time")
    assert seen[-1].runs == 6 and 0 <= seen[-1].part <= 1
    whole = rows_of(carom.sweep(long, OVER, tmp_path / "a"))
    assert [row["ending"] for row in whole] == ["time"] * 6
    assert [row["final_state"] for row in whole] == [
        row["final_state"] for row in rows_of(carom.sweep(long, OVER, tmp_path / "b", jobs=3))
    ]


def test_a_limit_of_time_raises(tmp_path: Path) -> None:
    with pytest.raises(carom.Stopped, match="max_walltime") as caught:
        carom.sweep(ENDLESS, {"seed": [1, 2]}, tmp_path / "a", max_walltime=0.3)
    assert caught.value.folder == str(tmp_path / "a")
    rows = rows_of(carom.sweep(ENDLESS, {"seed": [1, 2]}, tmp_path / "a", list_only=True))
    assert [row["ending"] for row in rows] == ["stopped", "missing"]


class Wrong(Exception):
    pass


def test_what_progress_raises_is_raised_again(tmp_path: Path) -> None:
    def fail(progress: carom.SweepProgress) -> None:
        raise Wrong("at once")

    with pytest.raises(Wrong):
        carom.sweep(GAS, OVER, tmp_path / "a", progress=fail)
    assert len(rows_of(carom.sweep(GAS, OVER, tmp_path / "a"))) == 6


def test_shards_make_one_sweep(tmp_path: Path) -> None:
    for number in (2, 1, 3):
        table = carom.sweep(GAS, OVER, tmp_path / "a", shard=(number, 3))
    assert [row["ending"] for row in rows_of(table)] == ["time"] * 6
    carom.sweep(GAS, OVER, tmp_path / "b")
    assert (tmp_path / "a/sweep.csv").read_bytes() == (tmp_path / "b/sweep.csv").read_bytes()


class Lazy:
    """An executor whose results come when they are asked for, as those of Dask."""

    class Future:
        def __init__(self, function: Any, item: Any) -> None:
            self.result = lambda: function(item)

    def map(self, function: Any, items: Any) -> Any:
        return [Lazy.Future(function, item) for item in items]


def test_executors_run_the_parts(tmp_path: Path) -> None:
    carom.sweep(GAS, OVER, tmp_path / "expected")
    expected = (tmp_path / "expected/sweep.csv").read_bytes()
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(2) as processes:
        for number, executor in enumerate([threads, processes, map, Lazy()]):
            table = carom.sweep(GAS, OVER, tmp_path / str(number), executor=executor)
            assert len(rows_of(table)) == 6
            assert (tmp_path / str(number) / "sweep.csv").read_bytes() == expected
    with pytest.raises(carom.Error, match="one of both"):
        carom.sweep(GAS, OVER, tmp_path / "c", executor=map, shard=(1, 2))


def test_the_workers_of_an_executor_share_out_the_threads(tmp_path: Path) -> None:
    parts: list[Any] = []

    class Watched(ThreadPoolExecutor):
        def submit(self, function: Any, /, *items: Any, **options: Any) -> Any:
            parts.extend(items)
            return super().submit(function, *items, **options)

    before = carom.threads()
    try:
        carom.set_threads(6)
        with Watched(2) as two:
            carom.sweep(GAS, OVER, tmp_path / "two", executor=two, jobs=2)
        with Watched(8) as many:
            carom.sweep(GAS, OVER, tmp_path / "many", executor=many)
        assert {(part.jobs, part.threads) for part in parts[:6]} == {(2, 3)}
        assert {(part.jobs, part.threads) for part in parts[6:]} == {(1, 1)}

        def own_map(function: Any, items: Any) -> list[Any]:
            parts[:] = items
            return [function(item) for item in parts]

        carom.sweep(GAS, OVER, tmp_path / "own", executor=own_map, jobs=3)
        assert {(part.jobs, part.threads) for part in parts} == {(3, 3)}
    finally:
        carom.set_threads(before)


def test_a_spawned_worker_works(tmp_path: Path) -> None:
    carom.sweep(GAS, OVER, tmp_path / "expected")
    expected = (tmp_path / "expected/sweep.csv").read_bytes()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context) as executor:
        carom.sweep(GAS, OVER, tmp_path / "spawned", executor=executor, jobs=2)
    assert (tmp_path / "spawned/sweep.csv").read_bytes() == expected


@pytest.mark.parametrize("kind", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_progress_of_an_executor_is_shown_and_stops_it(kind: Any, tmp_path: Path) -> None:
    seen: list[carom.SweepProgress] = []
    with kind(2) as executor:
        table = carom.sweep(GAS, OVER, tmp_path / "a", executor=executor, progress=seen.append)
    assert [row["ending"] for row in rows_of(table)] == ["time"] * 6
    assert (seen[-1].runs, seen[-1].finished, seen[-1].failed, seen[-1].part) == (6, 6, 0, 1.0)
    assert [it.finished for it in seen] == sorted(it.finished for it in seen)

    def stop(progress: carom.SweepProgress) -> bool | None:
        return False if progress.running > 0 else None

    with kind(2) as executor:
        table = carom.sweep(ENDLESS, {"seed": [1, 2, 3]}, tmp_path / "b", executor=executor, progress=stop)
    assert set(row["ending"] for row in rows_of(table)) <= {"stopped", "missing"}
    assert not list((tmp_path / "b").glob("carom-running-*"))

    def fail(progress: carom.SweepProgress) -> None:
        raise Wrong("at once")

    with kind(2) as executor, pytest.raises(Wrong):
        carom.sweep(ENDLESS, {"seed": [1, 2, 3]}, tmp_path / "b", executor=executor, progress=fail)


@pytest.mark.parametrize("raised", [Wrong, KeyboardInterrupt])
def test_parts_stop_where_submitting_fails_in_the_middle(raised: Any, tmp_path: Path) -> None:
    class Failing(ThreadPoolExecutor):
        futures: list[Any]

        def submit(self, function: Any, /, *items: Any, **options: Any) -> Any:
            if len(self.futures) == 2:
                raise raised("in the middle")
            self.futures.append(super().submit(function, *items, **options))
            return self.futures[-1]

    with Failing(2) as executor:
        executor.futures = []
        with pytest.raises(carom.Stopped if raised is KeyboardInterrupt else Wrong):
            carom.sweep(ENDLESS, {"seed": range(5)}, tmp_path / "a", executor=executor)
        # What is raised comes out when parts have ended: nothing is written behind it.
        assert [future.done() for future in executor.futures] == [True, True]
    assert not list((tmp_path / "a").glob("carom-running-*"))
    endings = [row["ending"] for row in rows_of(carom.sweep(ENDLESS, {"seed": range(5)}, tmp_path / "a", list_only=True))]
    assert set(endings) <= {"stopped", "missing"}


@pytest.mark.parametrize("raised", [Wrong, KeyboardInterrupt])
def test_parts_that_a_map_has_left_do_not_run_beside_a_new_call(raised: Any, tmp_path: Path) -> None:
    left: list[tuple[Any, Any]] = []

    def failing(function: Any, items: Any) -> Any:
        left.extend((function, item) for item in items)
        raise raised("before anything ran")

    with pytest.raises(carom.Stopped if raised is KeyboardInterrupt else Wrong):
        carom.sweep(GAS, OVER, tmp_path / "a", executor=failing)
    assert len(left) == 6 and not list((tmp_path / "a").glob("carom-running-*"))

    def late(function: Any, items: Any) -> Any:
        # Those of the first call are taken from their queue now.
        assert [old(part).stopped_by for old, part in left] == ["callback"] * 6
        assert not list((tmp_path / "a").glob("seed=*"))
        return [function(item) for item in items]

    table = carom.sweep(GAS, OVER, tmp_path / "a", executor=late)
    assert [row["ending"] for row in rows_of(table)] == ["time"] * 6


def test_a_new_call_stops_parts_of_one_that_was_killed(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/carom-running-0123").touch()
    carom.sweep(GAS, OVER, tmp_path / "a", executor=map)
    assert not list((tmp_path / "a").glob("carom-running-*"))


def test_an_executor_lists_the_folder_once_before_and_once_after(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed: list[Any] = []
    call = sweep_call.call_sweep

    def counted(*sweep: Any, **options: Any) -> Any:
        listed.extend(["listed"] if options.get("list_only") else [])
        return call(*sweep, **options)

    monkeypatch.setattr(sweep_parts, "call_sweep", counted)
    monkeypatch.setattr(sweeping, "call_sweep", counted)
    carom.sweep(GAS, OVER, tmp_path / "a", executor=map)
    assert listed == ["listed"] * 2


def test_an_executor_has_one_limit_of_time(tmp_path: Path) -> None:
    with ProcessPoolExecutor(1) as executor, pytest.raises(carom.Stopped, match="max_walltime") as caught:
        # Parts that wait for the only worker have no more time than the first.
        carom.sweep(ENDLESS, {"seed": range(4)}, tmp_path / "a", executor=executor, max_walltime=1.0)
    assert caught.value.folder == str(tmp_path / "a")
    rows = rows_of(carom.sweep(ENDLESS, {"seed": range(4)}, tmp_path / "a", list_only=True))
    assert sorted(row["ending"] for row in rows) == ["missing"] * 3 + ["stopped"]


@pytest.mark.parametrize("kind", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_failures_in_an_executor_are_reported_here(kind: Any, tmp_path: Path) -> None:
    over = {"generate.0.packing_fraction": [0.3, 0.89]}
    with kind(2) as executor, pytest.warns(RuntimeWarning, match="1 runs of the sweep have failed") as warned:
        carom.sweep(GAS, over, tmp_path / "a", executor=executor)
    assert sum("have failed" in str(it.message) for it in warned) == 1


def test_joblib_runs_the_parts(tmp_path: Path) -> None:
    joblib = pytest.importorskip("joblib")

    def parallel(function: Any, items: Any) -> Any:
        return joblib.Parallel(n_jobs=2)(joblib.delayed(function)(item) for item in items)

    carom.sweep(GAS, OVER, tmp_path / "expected")
    carom.sweep(GAS, OVER, tmp_path / "joblib", executor=parallel)
    assert (tmp_path / "joblib/sweep.csv").read_bytes() == (tmp_path / "expected/sweep.csv").read_bytes()


def test_dask_runs_the_parts(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    carom.sweep(GAS, OVER, tmp_path / "expected")
    seen: list[carom.SweepProgress] = []
    settings = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "local_directory": str(tmp_path)}
    with distributed.LocalCluster(**settings) as cluster, distributed.Client(cluster) as client:
        carom.sweep(GAS, OVER, tmp_path / "dask", executor=client, progress=seen.append)
        # What Dask has done already is done again for another folder, and left as it is in the same one.
        carom.sweep(GAS, OVER, tmp_path / "again", executor=client)
        carom.sweep(GAS, OVER, tmp_path / "again", executor=client)
    for name in ("dask", "again"):
        assert (tmp_path / name / "sweep.csv").read_bytes() == (tmp_path / "expected/sweep.csv").read_bytes()
    assert seen[-1].finished == 6


def test_plots_are_drawn(tmp_path: Path) -> None:
    carom.sweep(GAS, OVER, tmp_path / "a", plot="kinetic_energy")
    assert list((tmp_path / "a").glob("kinetic_energy_over_*.svg"))
    with pytest.raises(carom.Error, match="kinetic_energi"):
        carom.sweep(GAS, OVER, tmp_path / "a", plot=["kinetic_energi"])


def test_a_run_that_fails_is_reported_and_the_others_run(tmp_path: Path) -> None:
    # The second does not fit, which shows only when places are searched.
    over = {"generate.0.packing_fraction": [0.3, 0.89]}
    with pytest.warns(RuntimeWarning, match="1 runs of the sweep have failed"):
        rows = rows_of(carom.sweep(GAS, over, tmp_path / "a"))
    assert [row["ending"] for row in rows] == ["time", "failed"] and rows[1]["failure"]


@pytest.mark.parametrize(
    ("over", "options", "rule"),
    [
        ({}, {}, r"such as \{"),
        ([], {}, r"such as \{"),
        ({"seed": []}, {}, "no values"),
        ({"seed": [1, 1]}, {}, "given twice"),
        ({"seed": 3}, {}, "must be a list of values"),
        ({"seed": "123"}, {}, "must be a list of values"),
        ({"seed": [1]}, {"jobs": 0}, "jobs is 0"),
        ({"seed": [1]}, {"jobs": -3}, "jobs"),
        ({"seed": [1]}, {"shard": (0, 3)}, "from 1/N to N/N"),
        ({"seed": [1]}, {"shard": (4, 3)}, "from 1/N to N/N"),
        ({"sed": [1]}, {}, "sed"),
        ({"generate.0.radius": [0.5, -1]}, {}, "generate.0.radius"),
        ({"generate.7.radius": [0.5]}, {}, "generate"),
        ({"seed": [1]}, {"max_walltime": "soon"}, "max_walltime"),
        ({"seed": [None]}, {}, "leave the key out"),
    ],
)
def test_sweeps_that_are_none_are_refused(over: Any, options: dict[str, Any], rule: str, tmp_path: Path) -> None:
    with pytest.raises(carom.Error, match=rule):
        carom.sweep(GAS, over, tmp_path / "a", **options)
    assert not (tmp_path / "a").exists()


def test_folders_of_others_are_left_alone(tmp_path: Path) -> None:
    carom.run(HEAP, tmp_path / "a" / "seed=1")
    with pytest.raises(carom.Error, match="holds results of another scene"):
        carom.sweep(GAS, {"seed": [1, 2]}, tmp_path / "a")
    (tmp_path / "b").mkdir()
    (tmp_path / "b/sweep.csv").write_text("mine")
    with pytest.raises(carom.Error, match="is not the table of a sweep"):
        carom.sweep(GAS, {"seed": [1]}, tmp_path / "b")
