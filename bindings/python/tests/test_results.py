"""Results read back: logs, frames, pictures, pages, damaged folders, and what other packages make of them."""

from __future__ import annotations

import os
import pickle
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import CommandLine
from scenes import ALL, BLOCK, FLUID, GAS, HEAP

import carom


@pytest.fixture
def heap(tmp_path: Path) -> carom.Results:
    return carom.run(HEAP, tmp_path / "heap.run")


def test_a_folder_of_the_command_line_is_read(carom_program: CommandLine, tmp_path: Path) -> None:
    carom.Scene(HEAP).save(tmp_path / "heap.toml")
    carom_program("run", "heap.toml")
    results = carom.Results(tmp_path / "heap.run")
    lines = (tmp_path / "heap.run/log.csv").read_text().splitlines()
    assert list(results.columns) == lines[0].split(",")
    table = np.array([[float(cell) for cell in line.split(",")] for line in lines[1:]])
    np.testing.assert_array_equal(np.column_stack(list(results.columns.values())), table)
    assert results.summary["bodies"] == 40 and results.ending == "time"
    assert results.summary["provenance"]["final_state"] == results.digest
    assert results.scene["until"] == 0.4 and results.scene.count == 40


def test_the_log_is_a_table_of_pandas_where_that_is(heap: carom.Results, monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = pytest.importorskip("pandas")
    assert isinstance(heap.log, pandas.DataFrame)
    np.testing.assert_array_equal(heap.log["time"], heap.columns["time"])
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    assert isinstance(heap.log, dict)


def test_frames_are_a_sequence(heap: carom.Results) -> None:
    frames = heap.frames
    assert len(frames) == 3 and frames[-1].number == 2
    assert [frame.number for frame in frames] == [0, 1, 2] == [frame.number for frame in frames[:]]
    assert [frame.number for frame in frames[::-2]] == [2, 0]
    assert len(list(reversed(frames))) == 3
    for wrong in (3, -4):
        with pytest.raises(IndexError, match="the run has 3"):
            frames[wrong]


@pytest.mark.parametrize("name", ALL)
def test_a_frame_has_what_its_file_has(name: str, tmp_path: Path) -> None:
    memory = carom.run(ALL[name])
    folder = memory.save(tmp_path / "a.run")
    for one, other in zip(memory.frames, folder.frames):
        for array in ("positions", "velocities", "radii", "masses", "materials", "ids", "orientations"):
            np.testing.assert_array_equal(getattr(one, array), getattr(other, array), err_msg=array)
        assert (one.time, one.number, one.dimension, one.box, one.periodic) == (
            other.time, other.number, other.dimension, other.box, other.periodic)
        assert list(one.columns) == list(other.columns)
        for column, values in one.columns.items():
            np.testing.assert_array_equal(values, other.columns[column])
        assert (one.springs is None) == (other.springs is None)
    if name == "block":
        springs = folder.frames[0].springs
        assert springs is not None
        assert springs["ends"].shape == (len(springs["strains"]), 2) == (len(springs["broken"]), 2)


def test_frames_have_contacts_and_ids_of_their_own() -> None:
    scene = carom.Scene(HEAP, output__contacts=True, until=1.0)
    contacts = carom.run(scene).frames[-1].contacts
    assert contacts is not None and len(contacts["bodies"]) > 0
    assert contacts["points"].shape == (len(contacts["bodies"]), 2)
    assert ((contacts["bodies"][:, 1] < 0) == (contacts["walls"] >= 0)).all()
    simulation = carom.Simulation(HEAP)
    simulation.remove([0])
    np.testing.assert_array_equal(simulation.frame().ids, np.arange(1, 40))


def test_what_changes_in_arrays_of_a_frame_stays_outside(heap: carom.Results) -> None:
    frame = heap.frames[0]
    frame.positions[...] = 0
    frame.columns.clear()
    assert frame.positions.any() and frame.columns


def test_pictures_are_those_of_the_run(heap: carom.Results, tmp_path: Path) -> None:
    assert heap.picture() == (tmp_path / "heap.run/picture.png").read_bytes()
    assert carom.run(HEAP).picture() == heap.picture()


def test_pages_are_those_of_export(heap: carom.Results, carom_program: CommandLine, tmp_path: Path) -> None:
    carom_program("export", "heap.run", "--html", "there.html", "--frames", "0..2")
    assert heap.export_html(tmp_path / "here.html", frames=slice(0, 2)) == []
    assert (tmp_path / "here.html").read_bytes() == (tmp_path / "there.html").read_bytes()
    page = heap.view(height=300, every=2)
    shown = page._repr_html_()
    # `cargo xtask browser` opens a page in a frame with the same rights.
    assert shown.startswith('<iframe srcdoc="') and "<script" not in shown
    assert shown.endswith('" width="100%" height="300" sandbox="allow-scripts allow-downloads" style="border:0"></iframe>')
    assert page.text.count("data-frame=") == 2
    assert "MB" in repr(page)
    for wrong, rule in [
        ({"every": 0}, "every is 0"),
        ({"frames": slice(None, None, -1)}, "step -1"),
        ({"frames": slice(5, 9)}, "frames"),
        ({"overlay": ["delauney"]}, 'did you mean "delaunay"'),
    ]:
        with pytest.raises(carom.Error, match=rule):
            heap.export_html(tmp_path / "none.html", **wrong)  # type: ignore[arg-type]
    with pytest.raises(carom.FileError, match="cannot be written"):
        heap.export_html("/nowhere/a.html")


def test_results_in_memory_are_shown_and_pickled() -> None:
    memory = carom.run(GAS)
    assert memory.view().text.count("data-frame=") == 3
    again = pickle.loads(pickle.dumps(memory))
    assert again.digest == memory.digest and again.summary == memory.summary
    np.testing.assert_array_equal(again.frames[-1].positions, memory.frames[-1].positions)
    assert again.resume(until=1.5).digest == memory.resume(until=1.5).digest


def briefly(scene: Any, **settings: Any) -> carom.Scene:
    """A scene of a few frames with contacts, and with all that walls bear."""
    return carom.Scene(scene, until=0.02, output={"interval": 0.01, "contacts": True}, **settings)


#: Bodies with shapes of every kind, in space and in the plane.
SHAPES: dict[str, carom.Scene] = {
    "polyhedra": briefly(":dice"),
    "clumps": briefly(":clumps"),
    "meshes": briefly(":foams"),
    "plane": briefly(
        HEAP,
        shapes={
            "brick": {"polygon": [[0, 0], [0.8, 0], [0.8, 0.4], [0, 0.4]], "rounding": 0.05},
            "pair": {"spheres": [[0, 0, 0.25], [0.4, 0, 0.25]]},
        },
        bodies=[{"position": [1, 0.2], "shape": "brick"}, {"position": [3, 0.2], "shape": "pair"}],
        walls=[{"name": "step", "kind": "line", "points": [[4, 0], [4.5, 0.4], [5, 0]]}],
        observe={"wall_loads": True},
        generate=[{"kind": "random", "count": 20, "radius": 0.2, "region": {"low": [0, 1], "high": [6, 8]}}],
    ),
}


def assert_frames_are_alike(one: carom.Frame, other: carom.Frame) -> None:
    for name in ("positions", "velocities", "radii", "masses", "materials", "ids", "orientations", "shapes"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    assert (one.time, one.step, one.number, one.box, one.periodic) == (
        other.time, other.step, other.number, other.box, other.periodic)
    for name in ("columns", "contacts", "springs"):
        left, right = getattr(one, name), getattr(other, name)
        assert (left is None) == (right is None), name
        for column in left or {}:
            np.testing.assert_array_equal(left[column], right[column], err_msg=column)
    # The surfaces of shapes, and walls, are in pictures.
    assert one.picture() == other.picture()


@pytest.mark.parametrize("name", [*ALL, *SHAPES])
def test_frames_are_pickled_with_all_that_they_have(name: str) -> None:
    scene = carom.Scene({**ALL, **SHAPES}[name])
    results = carom.run(scene)
    for frame in results.frames:
        again = pickle.loads(pickle.dumps(frame))
        assert_frames_are_alike(frame, again)
        assert pickle.dumps(again) == pickle.dumps(frame), "shapes, too, are the same to the bit"
    if name in SHAPES:
        assert results.frames[-1].shapes is not None
    if name == "plane":
        make, (parts,) = results.frames[-1].__reduce__()
        assert len(parts["walls"]["corners"]) == 3 * len(parts["walls"]["walls"]) > 0


def test_results_with_shapes_are_pickled_and_saved(tmp_path: Path) -> None:
    results = carom.run(SHAPES["polyhedra"])
    results.save(tmp_path / "a.run")
    pickle.loads(pickle.dumps(results)).save(tmp_path / "b.run")
    files = sorted(path.relative_to(tmp_path / "a.run") for path in (tmp_path / "a.run").rglob("*.vtp"))
    assert files
    for file in files:
        assert (tmp_path / "a.run" / file).read_bytes() == (tmp_path / "b.run" / file).read_bytes(), file


def test_frames_that_are_none_are_refused() -> None:
    frame = carom.run(SHAPES["polyhedra"]).frames[0]
    make, (parts,) = frame.__reduce__()
    shapes = parts["shapes"]
    for wrong, rule in [
        ({"radii": parts["radii"][1:]}, "radius"),
        ({"positions": parts["positions"][:, :2]}, "positions of the frame must have 3 columns"),
        ({"shapes": {**shapes, "of_body": shapes["of_body"] + 1000}}, "has shape"),
        ({"shapes": {**shapes, "orientations": shapes["orientations"][:, 1:]}}, "must have 4 columns"),
    ]:
        with pytest.raises(carom.Error, match=rule):
            make({**parts, **wrong})
    parts.pop("walls")
    with pytest.raises(carom.Error, match="the frame has no walls"):
        make(parts)


def test_results_in_a_folder_are_pickled(heap: carom.Results) -> None:
    assert pickle.loads(pickle.dumps(heap)).digest == heap.digest


def test_a_notebook_shows_results(heap: carom.Results) -> None:
    shown = heap._repr_html_()
    assert "kinetic_energy" in shown and "data:image/png;base64," in shown
    assert shown.count("<tr>") > 10
    assert "data:image/png" in heap.frames[0]._repr_html_()
    assert repr(heap) == f"<carom.Results {heap.folder}: 3 frames, ended by time>"


def test_a_viewer_is_started(heap: carom.Results, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr(subprocess, "Popen", lambda command, **_: calls.append(command))
    heap.show()
    assert calls[0][2:] == ["carom", "view", heap.folder]


def test_the_viewer_serves_a_page(heap: carom.Results) -> None:
    program = f"import carom, sys; sys.exit(carom.Results({heap.folder!r}).show().wait())"
    # No browser is opened where there is no display.
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    command = [sys.executable, "-u", "-c", program]
    started = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True, start_new_session=True)
    try:
        assert started.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+/\S*", next(line for line in started.stdout if "http://" in line))
        assert found is not None
        with urllib.request.urlopen(found.group(), timeout=60) as page:
            text = page.read().decode()
        assert page.status == 200 and text.lstrip().lower().startswith("<!doctype html")
        assert "<canvas" in text
    finally:
        # The viewer, too, which is a child of that process.
        os.killpg(started.pid, signal.SIGINT)
        started.wait(timeout=60)


# -------------------------------------------------------------- other packages


def test_xarray(heap: carom.Results) -> None:
    pytest.importorskip("xarray")
    data = heap.to_xarray()
    assert dict(data.sizes) == {"frame": 3, "body": 40, "axis": 2}
    np.testing.assert_array_equal(data["positions"].sel(frame=1), heap.frames[1].positions)
    np.testing.assert_array_equal(data["pressure"].isel(frame=-1), heap.frames[-1].columns["pressure"])
    assert data["time"].values[-1] == heap.frames[-1].time
    assert heap.to_xarray(frames=[2])["radii"].shape == (1, 40)
    assert heap.to_xarray(frames=slice(0, 0)).sizes["frame"] == 0


def test_xarray_where_bodies_leave() -> None:
    pytest.importorskip("xarray")
    scene = carom.Scene(HEAP, outlets=[{"name": "low", "low": [0, 0], "high": [6, 2]}], until=0.8)
    results = carom.run(scene)
    counts = [len(frame) for frame in results.frames]
    assert counts[0] > counts[-1] > 0
    positions = results.to_xarray()["positions"]
    ids = np.union1d(results.frames[0].ids, results.frames[-1].ids)
    assert positions.shape[1] == len(ids)
    assert np.isfinite(positions[-1, :, 0]).sum() == counts[-1]
    left = np.setdiff1d(ids, results.frames[-1].ids)
    assert np.isnan(positions.sel(body=left).isel(frame=-1)).all()


def test_pandas_pyvista_ase(heap: carom.Results) -> None:
    frame = heap.frames[-1]
    table = pytest.importorskip("pandas") and frame.to_pandas()
    np.testing.assert_array_equal(table[["x", "y"]], frame.positions)
    assert list(table.index) == list(range(40)) and "pressure" in table
    if pytest.importorskip("pyvista"):
        points = heap.to_pyvista()
        np.testing.assert_array_equal(points.points[:, :2].astype(np.float32), frame.positions.astype(np.float32))
        np.testing.assert_array_equal(points["radius"], frame.radii)
    if pytest.importorskip("ase"):
        atoms = heap.to_ase()
        assert len(atoms) == 3 and list(atoms[0].pbc) == [False] * 3
        np.testing.assert_array_equal(atoms[-1].positions[:, :2], frame.positions)
        np.testing.assert_allclose(atoms[-1].get_velocities()[:, :2], frame.velocities)
        gas = carom.run(GAS).to_ase(slice(-1, None))[0]
        assert list(gas.pbc) == [True, True, False] and gas.cell[0, 0] > 0


@pytest.mark.parametrize("name", ["gas", "heap", "grains", "polyhedra"])
def test_ovito(name: str) -> None:
    """Where OVITO is installed; it is too large to be installed by `cargo xtask python`."""
    pytest.importorskip("ovito")
    results = carom.run({**ALL, **SHAPES}[name])
    frame, data = results.frames[-1], results.to_ovito()
    dimension = frame.dimension
    particles = data.particles
    assert particles.count == len(frame)
    np.testing.assert_array_equal(particles.positions[:, :dimension], frame.positions)
    np.testing.assert_array_equal(particles["Velocity"][:, :dimension], frame.velocities)
    np.testing.assert_array_equal(particles.identifiers, frame.ids)
    np.testing.assert_allclose(particles["Radius"], frame.radii)
    if dimension == 2:
        assert (particles.positions[:, 2] == 0).all()
    for column, values in frame.columns.items():
        np.testing.assert_allclose(particles[column], values)
    if frame.orientations is not None:
        np.testing.assert_allclose(particles["Orientation"][:, 3], frame.orientations[:, 0])
        np.testing.assert_allclose(particles["Orientation"][:, :3], frame.orientations[:, 1:])
    assert tuple(data.cell.pbc)[:dimension] == frame.periodic and data.cell.is2D == (dimension == 2)
    np.testing.assert_array_equal(np.diag(data.cell[:, :3])[:dimension], [length or 0.0 for length in frame.box])
    assert data.attributes["Time"] == frame.time
    # What OVITO has computes with it.
    if name == "gas":
        from ovito.data import CutoffNeighborFinder

        near = sum(1 for number in range(particles.count) for _ in CutoffNeighborFinder(1.2, data).find(number))
        pairs = carom.contacts(np.column_stack([frame.positions, np.full(len(frame), 0.6)]), box=frame.box)
        assert near == 2 * len(pairs)
        np.testing.assert_array_equal(
            carom.contacts(frame.positions, 0.6, box=data.cell).pairs, pairs.pairs, "the cell is a box of carom's"
        )


# ------------------------------------------------------------- damaged folders


def test_folders_that_are_none(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path, __file__):
        with pytest.raises(carom.FileError):
            carom.Results(path)


@pytest.mark.parametrize(
    ("file", "content", "act"),
    [
        ("log.csv", b"time,a\n1,2\n3\n", lambda it: it.columns),
        ("log.csv", b"\n", lambda it: it.log),
        ("log.csv", None, lambda it: it.columns),
        ("log.csv", b"time,a\n1,much\n", lambda it: it.columns),
        ("summary.json", b"{", lambda it: it.summary),
        ("summary.json", b"\xff", lambda it: it.ending),
        ("frames/frame_000001.vtp", b"", lambda it: it.frames[1]),
        ("frames/frame_000001.vtp", b"<?xml", lambda it: it.frames[1]),
        ("frames/frame_000001.vtp", None, lambda it: it.frames[2]),
        ("scene.toml", b"engine =", lambda it: carom.Results(it.folder)),
        ("checkpoint.bin", b"CAROMCHK", lambda it: carom.Simulation.load(it.folder)),
    ],
)
def test_what_is_damaged_is_named(heap: carom.Results, file: str, content: bytes | None, act) -> None:  # type: ignore[no-untyped-def]
    path = Path(str(heap.folder)) / file
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    if file.startswith("frames") and content is None:
        with pytest.raises(IndexError):
            act(carom.Results(str(heap.folder)))
        return
    with pytest.raises(carom.Error, match=re.escape(os.path.basename(file))):
        act(carom.Results(str(heap.folder)) if file != "scene.toml" else heap)


def test_a_table_that_is_damaged(tmp_path: Path) -> None:
    results = carom.run(FLUID, tmp_path / "a.run")
    path = tmp_path / "a.run/radial_distribution.csv"
    whole = results.table("radial_distribution")
    memory = carom.run(FLUID)
    for column, values in memory.table("radial_distribution").items():
        np.testing.assert_array_equal(values, whole[column])
    saved = memory.save(tmp_path / "b.run").table("radial_distribution")
    np.testing.assert_array_equal(saved["distance"], whole["distance"])
    path.write_text("a,b\n1,2\n3\n")
    with pytest.raises(carom.FileError, match="damaged"):
        results.table("radial_distribution")
    path.write_text("a,b\n1,x\n")
    with pytest.raises(carom.FileError, match="damaged"):
        results.table("radial_distribution")


def test_a_folder_of_others_leads_nowhere_else(heap: carom.Results, tmp_path: Path) -> None:
    folder = Path(str(heap.folder))
    (tmp_path / "secret.csv").write_text("time\n1\n")
    (folder / "log.csv").unlink()
    os.symlink(tmp_path / "secret.csv", folder / "log.csv")
    with pytest.raises(carom.FileError):
        carom.Results(folder).columns
    text = (folder / "scene.toml").read_text()
    (folder / "scene.toml").write_text(text + f"\n[[bodies]]\nfile = '{tmp_path}/secret.csv'\n")
    with pytest.raises(carom.Error, match="outside of it"):
        carom.Results(folder).scene.check()


def test_a_run_that_was_killed_is_read(heap: carom.Results) -> None:
    folder = Path(str(heap.folder))
    (folder / "summary.json").unlink()
    results = carom.Results(folder)
    assert results.summary == {} and results.ending == "killed" and results.digest is None
    assert len(results.frames) == 3 and "killed" in repr(results) and results._repr_html_()
    assert results.resume().ending == "time"


def test_solids_are_read(tmp_path: Path) -> None:
    results = carom.run(BLOCK, tmp_path / "a.run")
    assert results.frames[-1].springs is not None
    assert len(results.frames[0]) == results.summary["particles"]
