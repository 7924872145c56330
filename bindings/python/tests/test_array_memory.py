"""Arrays as they lie in memory: read-only, strided, backed by files, and far too large."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import random_spheres
from scenes import HEAP

import carom

BALL = carom.generate.sphere(3)
CORNERS = carom.generate.polyhedron("random", faces=24).vertices
POINTS = np.random.default_rng(5).uniform(-1.2, 1.2, (300, 3))
SPHERES = random_spheres(120, 3)
POSES = np.random.default_rng(6).uniform(3, 4, (20, 3))
TURNS = np.random.default_rng(8).normal(size=(6, 4))
TURNS /= np.linalg.norm(TURNS, axis=1)[:, None]
VALUES = np.random.default_rng(7).uniform(-1, 1, (40, 2))


def mesh_of(vertices: Any) -> tuple[Any, ...]:
    mesh = carom.Mesh(vertices, BALL.faces)
    return mesh.vertices, mesh.volume


def mesh_of_faces(faces: Any) -> tuple[Any, ...]:
    mesh = carom.Mesh(BALL.vertices, faces)
    return mesh.faces, mesh.volume


def triangulation_of(spheres: Any) -> tuple[Any, ...]:
    found = carom.triangulate(spheres)
    return found.simplices, found.neighbors, found.cell_volumes()


def polyhedron_of(points: Any) -> tuple[Any, ...]:
    body = carom.Polyhedron(points)
    return body.vertices, body.normals, body.volume


def path_of(poses: Any) -> tuple[Any, ...]:
    cube = carom.generate.polyhedron("cube")
    return carom.ClosestFeatures(cube, cube).many(np.zeros((20, 3)), poses)


def moved_by(velocities: Any) -> tuple[Any, ...]:
    simulation = carom.Simulation(HEAP)
    simulation.set_velocities(velocities)
    return simulation.velocities, simulation.digest()


WORLD = carom.World(SPHERES, meshes=[(BALL, (3, 0, 0))])


def world_with(spheres: Any) -> tuple[Any, ...]:
    world = carom.World()
    return world.add_spheres(spheres), *world.pairs_within(0.0)


def world_moved_to(positions: Any) -> tuple[Any, ...]:
    world = carom.World(np.ones((len(positions), 4)))
    world.set_poses(np.arange(len(positions)), positions)
    return world.pairs_within(0.5)


def world_turned_by(quaternions: Any) -> tuple[Any, ...]:
    world = carom.World(meshes=[BALL] * len(quaternions))
    world.set_poses(np.arange(len(quaternions)), np.zeros((len(quaternions), 3)), quaternions)
    return tuple(world.pose(body) for body in world.bodies)


#: Everything that takes an array, with an array that it takes.
TAKERS: dict[str, tuple[Callable[[Any], Any], np.ndarray]] = {
    "contacts": (lambda it: tuple(carom.contacts(it)), SPHERES),
    "ContactSearch": (lambda it: tuple(carom.ContactSearch().find(it)), SPHERES),
    "Mesh, vertices": (mesh_of, BALL.vertices),
    "Mesh, faces": (mesh_of_faces, BALL.faces),
    "contains": (BALL.contains, POINTS),
    "containment": (BALL.containment, POINTS),
    "signed_distance": (BALL.signed_distance, POINTS),
    "closest_point": (BALL.closest_point, POINTS),
    "winding_number": (BALL.winding_number, POINTS),
    "triangulate": (triangulation_of, SPHERES),
    "Polyhedron": (polyhedron_of, CORNERS),
    "ClosestFeatures.many": (path_of, POSES),
    "Simulation.set_velocities": (moved_by, VALUES),
    "World": (lambda it: carom.World(it).pairs_within(0.0), SPHERES),
    "World.add_spheres": (world_with, SPHERES),
    "World.set_poses, positions": (world_moved_to, POINTS),
    "World.set_poses, orientations": (world_turned_by, TURNS),
    "World.nearest": (WORLD.nearest, POINTS),
    "World.bodies_near": (lambda it: WORLD.bodies_near(it, 0.2), POINTS),
    "World.containing": (WORLD.containing, POINTS),
    "World.cast_rays, origins": (lambda it: WORLD.cast_rays(it, POINTS), POINTS[::-1].copy()),
    "World.cast_rays, directions": (lambda it: WORLD.cast_rays(POINTS[::-1], it), POINTS),
    "World.cast_rays_through": (lambda it: WORLD.cast_rays_through(it, POINTS)[1], POINTS[::-1].copy()),
}


def assert_same(one: Any, other: Any) -> None:
    if not isinstance(one, tuple):
        one, other = (one,), (other,)
    assert len(one) == len(other)
    for left, right in zip(one, other):
        np.testing.assert_array_equal(left, right)


def read_only(array: np.ndarray) -> np.ndarray:
    frozen = array.copy()
    frozen.flags.writeable = False
    return frozen


def every_second_row(array: np.ndarray) -> np.ndarray:
    return np.repeat(array, 2, axis=0)[::2]


def columns_of_a_wider_array(array: np.ndarray) -> np.ndarray:
    wide = np.column_stack([array, array])
    return wide[:, : array.shape[1]]


def backwards(array: np.ndarray) -> np.ndarray:
    return array[::-1, ::-1].copy()[::-1, ::-1]


@pytest.mark.parametrize("name", TAKERS)
@pytest.mark.parametrize(
    "lying",
    [read_only, every_second_row, columns_of_a_wider_array, backwards, np.asfortranarray],
    ids=lambda it: it.__name__,
)
def test_the_answer_is_that_of_a_plain_array(name: str, lying: Callable[[np.ndarray], np.ndarray]) -> None:
    take, array = TAKERS[name]
    given = lying(array)
    np.testing.assert_array_equal(given, array)
    assert not (given.flags.c_contiguous and given.flags.writeable)
    before = given.copy()
    assert_same(take(given), take(array))
    np.testing.assert_array_equal(given, before)


@pytest.mark.parametrize("name", TAKERS)
def test_a_file_is_read_as_an_array(name: str, tmp_path: Path) -> None:
    take, array = TAKERS[name]
    np.save(tmp_path / "a.npy", array)
    mapped = np.load(tmp_path / "a.npy", mmap_mode="r")
    assert isinstance(mapped, np.memmap) and not mapped.flags.writeable
    assert_same(take(mapped), take(array))


#: More rows than memory has room for; of one row in memory, so that only a copy of them all would fail.
ENDLESS = 2**42


def endless(row: list[float]) -> np.ndarray:
    return np.broadcast_to(np.array(row), (ENDLESS, len(row)))


@pytest.mark.parametrize(
    "take",
    [
        lambda: carom.contacts(endless([0, 0, 0, 1])),
        lambda: carom.triangulate(endless([0, 0, 0, 1])),
        lambda: BALL.contains(endless([0, 0, 0])),
        lambda: BALL.containment(endless([0, 0, 0])),
        lambda: BALL.closest_point(endless([0, 0, 0])),
        lambda: carom.Mesh(endless([0, 0, 0]), [[0, 1, 2]]),
        lambda: carom.Polyhedron(endless([0, 0, 0])),
        lambda: carom.Simulation(HEAP).set_velocities(endless([0, 0])),
        lambda: carom.Simulation(HEAP).insert(endless([0, 0]), 0.2),
        lambda: carom.write_particles("none.csv", endless([0, 0, 0, 1])),
        lambda: carom.World(endless([0, 0, 0, 1])),
        lambda: WORLD.nearest(endless([0, 0, 0])),
        lambda: WORLD.containing(endless([0, 0, 0])),
        lambda: WORLD.cast_rays(endless([0, 0, 0]), endless([1, 0, 0])),
    ],
    ids=[
        "contacts", "triangulate", "contains", "containment", "closest_point", "Mesh", "Polyhedron", "set_velocities",
        "insert", "write_particles", "World", "World.nearest", "World.containing", "World.cast_rays",
    ],
)
def test_arrays_that_do_not_fit_into_memory_end_in_a_sentence(take: Callable[[], object]) -> None:
    with pytest.raises((carom.Error, MemoryError)) as raised:
        take()
    sentence = str(raised.value)
    assert sentence and "\n" not in sentence.strip()


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: carom.generate.particles(2**32 - 1), "memory"),
        (lambda: carom.generate.particles(2**40), "at most 4294967295"),
        (lambda: carom.generate.lattice("fcc", 2**40), "at most"),
        (lambda: carom.generate.case("3A", 2**40), "at most"),
        (lambda: carom.generate.foam(2**40), "triangles"),
        (lambda: carom.generate.sphere(40), "refinements is 40"),
        (lambda: carom.generate.polyhedron("sphere", faces=2**40), "faces"),
        (lambda: carom.Simulation(HEAP, generate__0__count=2**31), "2147483648"),
        (lambda: carom.run(HEAP, generate__0__count=10**12), "1000000000000"),
        (lambda: carom.sweep(HEAP, {"seed": range(2**40)}, "none"), "runs"),
    ],
    ids=[
        "particles", "too many particles", "lattice", "case", "foam", "sphere", "polyhedron", "Simulation", "run", "sweep",
    ],
)
def test_sizes_that_cannot_be_are_refused(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises((carom.Error, carom.RunError)) as raised:
        make()
    said = str(raised.value)
    assert sentence in said and "\n" not in said.strip(), said
