"""The program that the package brings, and agreement with it to the bit."""

from __future__ import annotations

import csv
import io
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from conftest import CommandLine
from scenes import HEAP

import carom


def columns(text: str) -> dict[str, list[str]]:
    rows = list(csv.DictReader(io.StringIO(text)))
    return {name: [row[name] for row in rows] for name in rows[0]}


def test_the_program_gives_its_version_and_its_exit_codes(
    carom_program: CommandLine, environment: dict[str, str]
) -> None:
    version = carom_program("--version").stdout
    assert version.split()[:2] == ["carom", carom.__version__]
    command = [sys.executable, "-m", "carom", "--version"]
    module = subprocess.run(command, env=environment, text=True, capture_output=True)
    assert module.stdout == version
    assert "carom contacts" in carom_program().stdout
    refused = carom_program("contacts", "nowhere.csv", expect=2)
    assert refused.stderr.startswith("error: nowhere.csv")
    assert "'contacts'" in carom_program("contcats", expect=2).stderr


def test_interrupts_are_those_of_the_program(environment: dict[str, str], tmp_path: Path) -> None:
    command = ["carom", "run", ":fluid", "--until", "1e9", "--out", "fluid.run"]
    run = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True
    )
    while not (tmp_path / "fluid.run" / "log.csv").exists():
        assert run.poll() is None, run.stderr and run.stderr.read()
        time.sleep(0.05)
    run.send_signal(signal.SIGINT)
    _, messages = run.communicate(timeout=60)
    assert run.returncode == 3 and "Traceback" not in messages, messages
    assert (tmp_path / "fluid.run" / "checkpoint.bin").exists()


def test_a_closed_standard_output_is_noticed(environment: dict[str, str], tmp_path: Path) -> None:
    command = ["sh", "-c", "exec carom contacts case:3B:100 >&-"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert done.stderr == "error: standard output cannot be written: it is closed\n"


@pytest.mark.parametrize("arguments", [["3B", 2000], ["2A", 1000], ["LN", 500]])
def test_contacts_are_those_of_the_program(
    carom_program: CommandLine, tmp_path: Path, arguments: list[object]
) -> None:
    name, count = arguments
    spheres, box = carom.generate.case(name, count)
    found = columns(carom_program("contacts", f"case:{name}:{count}").stdout)
    contacts = carom.contacts(spheres, box=box)
    assert found["i"] == [str(i) for i in contacts.pairs[:, 0]]
    assert found["j"] == [str(j) for j in contacts.pairs[:, 1]]
    assert np.array(found["overlap"], float).tobytes() == contacts.overlap.tobytes()
    contacts.save(tmp_path / "ours.csv")
    carom_program("contacts", f"case:{name}:{count}", "--out", "theirs.csv")
    assert (tmp_path / "ours.csv").read_bytes() == (tmp_path / "theirs.csv").read_bytes()
    contacts.save(tmp_path / "ours.svg")
    carom_program("contacts", f"case:{name}:{count}", "--svg", "theirs.svg", "--out", "-")
    assert (tmp_path / "ours.svg").read_bytes() == (tmp_path / "theirs.svg").read_bytes()


def test_periodic_contacts_are_those_of_the_program(
    carom_program: CommandLine, tmp_path: Path
) -> None:
    spheres, box = carom.generate.particles(1000, fraction=0.4, periodic=True, seed=9)
    options = ["--count", 1000, "--fraction", 0.4, "--periodic", "--seed", 9, "--out", "theirs.xyz"]
    carom_program("generate", "particles", *options)
    carom.write_particles(tmp_path / "ours.xyz", spheres, box=box)
    assert (tmp_path / "ours.xyz").read_bytes() == (tmp_path / "theirs.xyz").read_bytes()
    carom_program("contacts", "theirs.xyz", "--out", "theirs.csv")
    carom.contacts(*carom.read_particles(tmp_path / "theirs.xyz")[:1], box=box).save(
        tmp_path / "ours.csv"
    )
    assert (tmp_path / "ours.csv").read_bytes() == (tmp_path / "theirs.csv").read_bytes()


@pytest.mark.parametrize("name", ["2A", "3B"])
def test_triangulations_are_those_of_the_program(
    carom_program: CommandLine, tmp_path: Path, name: str
) -> None:
    spheres, _ = carom.generate.case(name, 300)
    triangulation = carom.triangulate(spheres)
    outputs = ["--out", "theirs.vtu", "--cells", "theirs.csv", "--svg", "theirs.svg"]
    report = json.loads(carom_program("triangulate", f"case:{name}:300", *outputs, "--json").stdout)
    for ending in ["vtu", "csv", "svg"]:
        triangulation.save(tmp_path / f"ours.{ending}")
        ours, theirs = (tmp_path / f"{whose}.{ending}" for whose in ["ours", "theirs"])
        assert ours.read_bytes() == theirs.read_bytes(), ending
    assert report["simplices"] == len(triangulation.simplices)
    assert report["edges"] == len(triangulation.edges)
    assert report["hidden"] == np.flatnonzero(triangulation.hidden).tolist()


def test_insides_and_distances_are_those_of_the_program(
    carom_program: CommandLine, tmp_path: Path
) -> None:
    carom_program(
        "generate", "mesh", "foam", "--triangles", 5000, "--cells", 2, "--out", "theirs.ply"
    )
    foam = carom.generate.foam(5000, cells=2)
    foam.save(tmp_path / "ours.ply")
    assert (tmp_path / "ours.ply").read_bytes() == (tmp_path / "theirs.ply").read_bytes()
    points = np.random.default_rng(10).uniform(-1.1, 1.1, (3000, 3))
    # All digits, so that the program reads the same bits.
    rows = "\n".join(",".join(map(repr, point)) for point in points.tolist())
    (tmp_path / "points.csv").write_text(f"x,y,z\n{rows}\n")
    half = 0.5**0.5
    pose = [0.1, 0.2, 0.3, half, 0, half, 0]
    for options, keywords in [
        ([], {}),
        (["--method", "ray"], {"method": "ray"}),
        (["--rule", "nonzero"], {"rule": "nonzero"}),
        (["--pose", ",".join(map(repr, pose))], {"pose": pose}),
    ]:
        found = columns(
            carom_program("inside", "theirs.ply", "points.csv", "--distance", *options).stdout
        )
        names = {1: "inside", 0: "surface", -1: "outside"}
        assert found["side"] == [names[side] for side in foam.containment(points, **keywords)]
        distances = foam.signed_distance(points, **keywords)
        assert np.array(found["distance"], float).tobytes() == distances.tobytes()


def test_reports_of_meshes_are_those_of_the_program(
    carom_program: CommandLine, tmp_path: Path
) -> None:
    ball = carom.generate.sphere(2)
    open_ = carom.Mesh(ball.vertices, ball.faces[3:])
    for name, mesh in [("ball.off", ball), ("open.off", open_)]:
        mesh.save(tmp_path / name)
        assert mesh.report() == json.loads(carom_program("check", name, "--json").stdout)
        assert mesh.describe(name) + "\n" == carom_program("check", name).stdout


def test_a_repaired_mesh_is_that_of_the_program(carom_program: CommandLine, tmp_path: Path) -> None:
    ball = carom.generate.sphere(3)
    vertices = np.concatenate([ball.vertices, ball.vertices[:40] + 1e-9])
    faces = ball.faces[7:].copy()
    faces[:20][faces[:20] < 40] += len(ball.vertices)
    faces[30:60] = faces[30:60, ::-1]
    carom.Mesh(vertices, np.concatenate([faces, faces[5:6]])).save(tmp_path / "broken.ply")
    done = carom_program("repair", "broken.ply", "--out", "theirs.ply", "--weld", "1e-6", "--fill-holes", "50", "--json")
    mesh, report = carom.Mesh.load(tmp_path / "broken.ply").repair(weld=1e-6, fill_holes=50)
    mesh.save(tmp_path / "ours.ply")
    assert (tmp_path / "ours.ply").read_bytes() == (tmp_path / "theirs.ply").read_bytes()
    theirs = json.loads(done.stdout)
    assert report["welded_vertices"] > 0 and report["filled_holes"] > 0
    assert report == {name: theirs[name] for name in report}


def test_distances_of_polyhedra_are_those_of_the_program(
    carom_program: CommandLine, tmp_path: Path
) -> None:
    for kind, options in [
        ("dodecahedron", {}),
        ("ellipsoid", {"faces": 200, "axes": (1, 2, 0.5), "seed": 7}),
    ]:
        body = carom.generate.polyhedron(kind, **options)
        arguments = []
        for name, value in options.items():
            text = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
            arguments += [f"--{name}", text]
        carom_program("generate", "polyhedron", kind, *arguments, "--out", f"{kind}.off")
        assert (carom.Polyhedron.load(tmp_path / f"{kind}.off").vertices == body.vertices).all()
    a, b = (
        carom.Polyhedron.load(tmp_path / f"{kind}.off") for kind in ["dodecahedron", "ellipsoid"]
    )
    for pose in [[4, 1, 2, 0.5, 0.5, -0.5, 0.5], [0.3, 0.2, 0.1]]:
        text = ",".join(map(repr, map(float, pose)))
        theirs = json.loads(
            carom_program(
                "distance", "dodecahedron.off", "ellipsoid.off", "--pose-b", text, "--json"
            ).stdout
        )
        ours = carom.distance(a, b, pose_b=pose)
        assert ours.distance == theirs["distance"] and ours.normal.tolist() == theirs["normal"]
        assert ours.points.tolist() == [theirs["point_a"], theirs["point_b"]]
        assert ours.contact_points.tolist() == [point["position"] for point in theirs["contacts"]]
        assert ours.contact_distances.tolist() == [
            point["distance"] for point in theirs["contacts"]
        ]
        assert ours.iterations == theirs["steps"]
        for feature, other in zip(ours.features, [theirs["feature_a"], theirs["feature_b"]]):
            kind, index = feature
            assert kind == other["kind"]
            named = other["face"] if kind == "face" else other["vertices"]
            assert np.ravel(index).tolist() == np.ravel(named).tolist()


def test_a_paper_is_reproduced_in_small(tmp_path: Path) -> None:
    reports = carom.reproduce(["003"], tmp_path / "papers", quick=True)
    assert list(reports) == ["003"] and reports["003"].startswith("#")
    assert reports["003"].count("\n| ") > 10, "a report has tables"
    assert (tmp_path / "papers" / "report.html").exists()
    with pytest.raises(carom.Error, match="999"):
        carom.reproduce(["999"], tmp_path / "papers", quick=True)


def test_a_data_file_of_a_paper_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(carom.Error, match="nowhere"):
        carom.reproduce(["004"], tmp_path / "papers", data="nowhere")


def test_a_gallery_is_made(carom_program: CommandLine, tmp_path: Path) -> None:
    carom.Scene(HEAP, until=0.1).save(tmp_path / "heap.toml")
    page = Path(carom.gallery([tmp_path / "heap.toml", ":chain"], tmp_path / "here", quick=True))
    assert page == tmp_path / "here" / "index.html"
    carom_program("gallery", "heap.toml", ":chain", "--quick", "--out", "there")
    assert page.read_text(encoding="utf-8").count("<article") == 2
    for scene in ("heap", "chain"):
        here, there = (tmp_path / place / f"{scene}.html" for place in ("here", "there"))
        assert here.stat().st_size == pytest.approx(there.stat().st_size, rel=0.01)
        here, there = (tmp_path / place / f"{scene}.quick.run" / "log.csv" for place in ("here", "there"))
        assert here.read_bytes() == there.read_bytes()
    with pytest.raises(carom.Error, match="nowhere.toml"):
        carom.gallery([tmp_path / "nowhere.toml"], tmp_path / "here")
