"""A full disk: one sentence, and what was written before stays whole."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from scenes import HEAP

import carom

SPHERES = carom.generate.particles(20_000).spheres
CONTACTS = carom.contacts(SPHERES)
BALL = carom.generate.sphere(6)
LONG = carom.Scene(HEAP, until=3.0, output__interval=0.01)


def test_a_run_loses_nothing(small_disk: Path) -> None:
    with pytest.raises(carom.RunError, match="cannot be written"):
        carom.run(LONG, small_disk / "a.run")
    left = carom.Results(small_disk / "a.run")
    assert len(left.frames) > 2 and left.ending == "killed"
    assert left.frames[0].positions.shape == (40, 2)


def test_a_run_continues_once_there_is_room(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(240_000))
    scene = carom.Scene(HEAP, output={"interval": 0.02, "picture": False})
    with pytest.raises(carom.RunError, match="cannot be written"):
        carom.run(scene, small_disk / "a.run")
    ballast.unlink()
    assert carom.run(scene, small_disk / "a.run", force=True).digest == carom.run(scene).digest


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_sweep_says_which_runs_failed_and_continues(small_disk: Path, tmp_path: Path) -> None:
    scene = carom.Scene(HEAP, output={"interval": 0.02, "picture": False})
    over = {"seed": list(range(1, 9))}
    said = ""
    try:
        table = carom.sweep(scene, over, small_disk / "a")
        said = " ".join(text for text in list(table["failure"]) if text)
    except (carom.Error, carom.RunError) as error:
        said = str(error)
    assert "cannot be written" in said, said
    # The same folder, copied to where there is room.
    shutil.copytree(small_disk / "a", tmp_path / "copy")
    whole = carom.sweep(scene, over, tmp_path / "copy")
    assert list(whole["ending"]) == ["time"] * 8
    expected = carom.sweep(scene, over, tmp_path / "expected")
    assert list(whole["final_state"]) == list(expected["final_state"])


@pytest.mark.parametrize(
    "write",
    [
        lambda folder: carom.run(LONG).save(folder / "a.run"),
        lambda folder: carom.run(HEAP).export_html(fill(folder) / "a.html"),
        lambda folder: carom.write_particles(folder / "a.csv", SPHERES),
        lambda folder: carom.write_particles(folder / "a.xyz.gz", SPHERES),
        lambda folder: CONTACTS.save(folder / "a.csv"),
        lambda folder: carom.triangulate(SPHERES).save(folder / "a.csv"),
        lambda folder: BALL.save(folder / "a.stl"),
        lambda folder: BALL.save(folder / "a.off"),
        lambda folder: carom.Simulation(HEAP).save(fill(folder) / "a.bin"),
        lambda folder: carom.Scene(HEAP).save(fill(folder) / "a.toml"),
    ],
    ids=["save", "export", "particles", "gzip", "contacts", "triangulation", "stl", "off", "checkpoint", "scene"],
)
def test_what_does_not_fit_is_one_sentence_and_no_half_file(
    write: Callable[[Path], object], small_disk: Path
) -> None:
    with pytest.raises((carom.FileError, carom.RunError)) as raised:
        write(small_disk)
    sentence = str(raised.value)
    assert str(small_disk) in sentence and "\n" not in sentence.strip(), sentence
    assert not [path for path in small_disk.glob("a.*") if path.is_file()], "no half of a file is left"


def fill(folder: Path) -> Path:
    """The folder, with no room in it."""
    with open(folder / "ballast", "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            return folder
