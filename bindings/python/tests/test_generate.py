"""Generators: what they promise, and settings that are refused."""

from __future__ import annotations

import types
from pathlib import Path

import numpy as np
import pytest

import carom
from carom import generate


def test_particles_have_the_fraction_that_was_asked_for() -> None:
    spheres, box = generate.particles(2000, fraction=0.25, periodic=True, seed=3)
    assert spheres.shape == (2000, 4) and len(set(box)) == 1
    assert (4 / 3 * np.pi * spheres[:, 3] ** 3).sum() / np.prod(box) == pytest.approx(0.25)
    assert spheres[:, :3].min() >= 0 and spheres[:, :3].max() <= box[0]
    assert (2 * spheres[:, 3]).min() >= 0.5 and (2 * spheres[:, 3]).max() <= 1
    discs = generate.particles(10, dimension=2, box=(2, 3))
    assert discs.spheres.shape == (10, 3) and discs.box is None
    dense = generate.particles(1000, density=8.0, periodic=True)
    assert np.prod(dense.box) == pytest.approx(125)
    sizes = generate.particles(1000, log_normal=(0.1, 1, 0.01, 1)).spheres[:, 3] * 2
    assert np.median(sizes) == pytest.approx(0.1, rel=0.2)


def test_the_same_seed_gives_the_same() -> None:
    for make in [
        lambda seed: generate.particles(50, seed=seed).spheres,
        lambda seed: generate.case("3B", 50, seed=seed).spheres,
        lambda seed: generate.polyhedron("random", faces=20, seed=seed).vertices,
        lambda seed: generate.foam(5000, cells=2, seed=seed).vertices,
    ]:
        np.testing.assert_array_equal(make(1), make(1))
        assert make(1).shape != make(2).shape or (make(1) != make(2)).any()


@pytest.mark.parametrize(
    ("kind", "neighbors"), [("square", 4), ("triangular", 6), ("cubic", 6), ("fcc", 12)]
)
def test_neighbors_of_a_lattice_touch(kind: str, neighbors: int) -> None:
    spheres, box = generate.lattice(kind, 4000, spacing=2.0)
    assert box is None and carom.contacts(spheres).counts().max() == neighbors
    assert len(carom.contacts(generate.lattice(kind, 500, radius=0.4).spheres)) == 0


def test_solids_have_their_corners_and_faces() -> None:
    for kind, corners, faces in [
        ("tetrahedron", 4, 4),
        ("cube", 8, 6),
        ("octahedron", 6, 8),
        ("dodecahedron", 20, 12),
        ("icosahedron", 12, 20),
    ]:
        body = generate.polyhedron(kind, radius=2.0)
        assert (len(body.vertices), len(body.faces)) == (corners, faces)
        np.testing.assert_allclose(np.linalg.norm(body.vertices, axis=1), 2)
    egg = generate.polyhedron("ellipsoid", faces=1000, axes=(1, 2, 3))
    assert egg.volume == pytest.approx(4 / 3 * np.pi * 6, rel=0.02)


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_box_has_the_forms_that_it_has_elsewhere(dimension: int) -> None:
    edges = (3.0, 2.0, 4.0)[:dimension]
    expected = generate.particles(50, dimension=dimension, box=edges).spheres
    lengths = dict(zip(("Lx", "Ly", "Lz"), (3.0, 2.0, 4.0)))
    tilts = {"xy": 0.0, "xz": 0.0, "yz": 0.0}
    freud_box = types.SimpleNamespace(**lengths, **tilts, periodic=(True, False, False))
    atoms = types.SimpleNamespace(cell=np.diag([3.0, 2.0, 4.0]), pbc=(False, False, False))
    for box in [np.array(edges), list(edges), freud_box, atoms, np.diag([3.0, 2.0, 4.0])]:
        made = generate.particles(50, dimension=dimension, box=box)
        np.testing.assert_array_equal(made.spheres, expected)
        assert made.box is None, "what is periodic is said by periodic alone"
    cube = generate.particles(50, dimension=dimension, box=(2.0,) * dimension, periodic=True)
    same = generate.particles(50, dimension=dimension, box=2.0, periodic=True)
    np.testing.assert_array_equal(same.spheres, cube.spheres)
    assert same.box == cube.box == (2.0,) * dimension


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: generate.particles(10, dimension=4), "dimension is 4; it must be 2 or 3"),
        (lambda: generate.particles(10, box=(1, 1)), "box has 2 lengths; the particles have 3"),
        (lambda: generate.particles(10, box=(1, None, 1)), "box has no length for axis y"),
        (lambda: generate.particles(10, box=(1, 1, 1, 0.5, 0, 0)), "box is tilted by 0.5"),
        (lambda: generate.particles(10, box="large"), "it must be a length"),
        (lambda: generate.particles(10, box=(1, -1, 1)), "-1"),
        (lambda: generate.particles(10, box=(1, 1, 1), fraction=0.1), "give one"),
        (lambda: generate.particles(10, fraction=-1.0), "covered fraction is -1"),
        (lambda: generate.particles(10, diameters=(1, 0.5)), "highest diameter is 0.5"),
        (lambda: generate.particles(2**40), "at most 4294967295 can be made"),
        (lambda: generate.lattice("hexagonal"), 'kind is "hexagonal"'),
        (lambda: generate.case("4A"), 'name is "4A"'),
        (lambda: generate.sphere(13), "number of refinements is 13"),
        (lambda: generate.sphere(3, radius=-1), "radius is -1; a length must lie between"),
        (lambda: generate.foam(100), "number of triangles is 100"),
        (lambda: generate.polyhedron("cub"), 'kind is "cub"; did you mean "cube"?'),
        (
            lambda: generate.polyhedron("cube", faces=6),
            'faces means nothing to "cube", which takes radius',
        ),
        (lambda: generate.polyhedron("sphere"), '"sphere" needs faces'),
        (lambda: generate.polyhedron("sphere", faces=7), "number of faces is 7"),
    ],
)
def test_senseless_settings_end_in_a_sentence(make: object, sentence: str) -> None:
    with pytest.raises(carom.Error) as raised:
        make()
    assert sentence in str(raised.value)


def test_counts_that_are_none_are_refused_by_python() -> None:
    for count in [-1, 1.5, "many", 2**70]:
        with pytest.raises((TypeError, OverflowError)):
            generate.particles(count)


@pytest.mark.parametrize("ending", ["csv", "xyz", "vtp", "dump", "csv.gz"])
def test_files_give_particles_back(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"particles.{ending}"
    spheres, box = generate.particles(100, periodic=True)
    carom.write_particles(file, spheres, box=box)
    read = carom.read_particles(file)
    if ending == "vtp":
        np.testing.assert_allclose(read.spheres, spheres, rtol=1e-6)
    else:
        np.testing.assert_array_equal(read.spheres, spheres)
    if not ending.startswith("csv"):
        assert read.box == box


def test_particles_of_wrong_files_end_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "grains.csv"
    file.write_text("x,y,r\n0,0,-1\n")
    with pytest.raises(carom.FileError, match='grains.csv:2: column "r" is "-1"'):
        carom.read_particles(file)
    with pytest.raises(OSError, match="nothing.csv"):
        carom.read_particles(tmp_path / "nothing.csv")
