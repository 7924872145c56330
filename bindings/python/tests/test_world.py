"""Worlds of bodies: against NumPy for spheres, and against the package's own queries for other shapes."""

from __future__ import annotations

import copy
import pickle
import threading
import time

import numpy as np
import pytest

import carom

CUBE = carom.generate.polyhedron("box", size=(1, 1, 1))
BALL = carom.generate.sphere(2)


def quaternions(random: np.random.Generator, count: int) -> np.ndarray:
    rows = random.normal(size=(count, 4))
    return rows / np.linalg.norm(rows, axis=1)[:, None]


def test_points_find_the_spheres_that_numpy_finds(random: np.random.Generator) -> None:
    spheres = np.column_stack([random.uniform(-5, 5, (400, 3)), random.uniform(0, 0.6, 400)])
    world = carom.World(spheres)
    points = random.uniform(-6, 6, (300, 3))
    between = points[:, None] - spheres[:, :3]
    distances = np.linalg.norm(between, axis=2) - spheres[:, 3]
    bodies, nearest, closest = world.nearest(points)
    np.testing.assert_array_equal(bodies, distances.argmin(axis=1))
    np.testing.assert_allclose(nearest, distances.min(axis=1), atol=1e-14)
    np.testing.assert_allclose(
        np.linalg.norm(closest - points, axis=1), np.abs(nearest), atol=1e-13
    )
    several, their_distances, _ = world.nearest(points, k=5)
    np.testing.assert_array_equal(several, np.argsort(distances, axis=1, kind="stable")[:, :5])
    assert (np.diff(their_distances, axis=1) >= 0).all()
    rows, near, _, _ = world.bodies_near(points, 1.0)
    expected = np.argwhere(distances <= 1.0)
    np.testing.assert_array_equal(np.column_stack([rows, near]), expected)
    rows, inside = world.containing(points)
    np.testing.assert_array_equal(np.column_stack([rows, inside]), np.argwhere(distances <= 0))


def test_pairs_are_those_of_contacts_and_follow_motion(random: np.random.Generator) -> None:
    positions = random.uniform(-3, 3, (300, 3))
    radii = random.uniform(0.1, 0.5, 300)
    world = carom.World(np.column_stack([positions, radii]))
    for _ in range(3):
        found, overlap = carom.contacts(positions, radii)
        pairs, distances, points = world.pairs_within(0.0)
        np.testing.assert_array_equal(pairs, found)
        np.testing.assert_allclose(-distances, overlap, atol=1e-14)
        assert points.shape == (len(pairs), 2, 3)
        positions = positions + random.normal(scale=0.5, size=positions.shape)
        world.set_poses(np.arange(300), positions)


def test_shapes_answer_as_they_do_alone(random: np.random.Generator) -> None:
    world = carom.World()
    poses = np.column_stack([random.uniform(-3, 3, (20, 3)), quaternions(random, 20)])
    for place, pose in enumerate(poses):
        assert world.add(CUBE if place % 2 else BALL, pose) == place
    points = random.uniform(-4, 4, (200, 3))
    _, distances, _ = world.nearest(points, k=20)
    alone = [
        (CUBE.mesh() if place % 2 else BALL).signed_distance(points, pose=pose)
        for place, pose in enumerate(poses)
    ]
    np.testing.assert_allclose(distances, np.sort(np.transpose(alone), axis=1), atol=1e-11)
    for one in range(1, 20, 2):
        for other in range(one + 2, 20, 2):
            expected = carom.distance(CUBE, CUBE, poses[one], poses[other])
            distance, points_of_both = world.distance(one, other)
            assert distance == pytest.approx(expected.distance, abs=1e-12)
            assert points_of_both.shape == (2, 3)
    # Given with their poses, and turned afterwards, bodies are the same.
    again = carom.World(meshes=[BALL] * 20)
    again.set_poses(range(20), poses[:, :3], poses[:, 3:])
    for place in range(0, 20, 2):
        np.testing.assert_array_equal(again.pose(place), world.pose(place))
    np.testing.assert_array_equal(
        carom.World(polyhedra=[(CUBE, poses[1])]).bounds(0), world.bounds(1)
    )


def test_rays_meet_spheres_and_meshes() -> None:
    world = carom.World([[5, 0, 0, 1], [9, 0, 0, 1]])
    mesh = world.add(carom.generate.polyhedron("box", size=(2, 2, 2)).mesh(), (0, 6, 0))
    bodies, distances, points, normals, faces = world.cast_rays(
        np.zeros((3, 3)), [[1, 0, 0], [0, 0.5, 0], [0, 0, 1]]
    )
    assert bodies.tolist() == [0, mesh, -1] and distances.tolist() == [4, 5, np.inf]
    assert points[1].tolist() == [0, 5, 0] and normals[1].tolist() == [0, -1, 0]
    assert faces[0] == -1 and faces[1] >= 0 and np.isnan(points[2]).all()
    assert world.cast_rays([[0, 0, 0]], [[1, 0, 0]], reach=3)[0].tolist() == [-1]
    rows, (bodies, distances, *_) = world.cast_rays_through(
        [[0, 0, 0], [9, 0, 0]], [[1, 0, 0]] * 2
    )
    assert rows.tolist() == [0, 0, 1] and bodies.tolist() == [0, 1, 1]
    assert distances.tolist() == [4, 8, 1]
    assert world.bodies_in((3.5, -1, -1), (4.5, 7, 1)).tolist() == [0]


def test_an_empty_world_and_empty_arrays() -> None:
    world = carom.World()
    assert len(world) == 0 and world.bodies.shape == (0,)
    bodies, distances, closest = world.nearest([[0, 0, 0]], k=2)
    assert bodies.tolist() == [[-1, -1]] and np.isinf(distances).all() and np.isnan(closest).all()
    assert world.pairs_within(1.0)[0].shape == (0, 2)
    assert carom.World([[0, 0, 0, 1]]).nearest(np.empty((0, 3)))[0].shape == (0,)
    world.add(1.0)
    world.remove(0)
    assert world.add(1.0) == 1 and world.bodies.tolist() == [1]


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        (lambda world: world.add(-1.0), "radius is -1"),
        (lambda world: world.add("ball"), "shape is a"),
        (lambda world: world.add(1.0, (0, 0, 0, 2, 0, 0, 0)), "length 2.0, it must be 1"),
        (lambda world: world.add(1.0, (np.nan, 0, 0)), "coordinate NaN"),
        (lambda world: world.add(BALL, rule="even-od"), 'did you mean "even-odd"'),
        (lambda world: world.add(carom.Mesh(BALL.vertices, BALL.faces[1:])), "no inside"),
        (lambda world: world.add_spheres([[0, 0, 0, 1], [0, 0, np.inf, 1]]), "row 1 of spheres"),
        (lambda world: world.add_spheres([[0, 0, 1]]), "three|four"),
        (lambda world: world.remove(7), "no body 7"),
        (lambda world: world.distance(0, 0), "from itself"),
        (lambda world: world.nearest([[0, 0, 0], [0, np.nan, 0]]), "row 1 of points"),
        (lambda world: world.nearest([[0, 0, 0]], k=2**60), "memory"),
        (lambda world: world.cast_rays([[0, 0, 0]], [[0, 0, 0]]), "direction"),
        (lambda world: world.cast_rays([[0, 0, 0]], [[1, 0, 0]] * 2), "1 origins and 2"),
        (lambda world: world.pairs_within(-1.0), "distance is -1"),
        (lambda world: world.bodies_in((1, 0, 0), (0, 1, 1)), "along x"),
        (lambda world: world.set_poses([0], [[0, 0, 0]], [[1, 1, 0, 0]]), "row 0"),
        (lambda world: world.set_poses([0, 1], [[0, 0, 0]]), "2 bodies, 1 positions"),
    ],
)
def test_nonsense_is_refused_in_a_sentence(question: object, sentence: str) -> None:
    world = carom.World([[0, 0, 0, 1]])
    with pytest.raises(carom.Error, match=sentence):
        question(world)  # type: ignore[operator]
    assert len(world) == 1


def test_threads_ask_while_bodies_move(random: np.random.Generator) -> None:
    spheres = np.column_stack([random.uniform(-5, 5, (500, 3)), np.full(500, 0.2)])
    world = carom.World(spheres)
    points = random.uniform(-5, 5, (500, 3))
    counts: list[int] = []

    def ask() -> None:
        for _ in range(10):
            counts.append(int((world.nearest(points)[0] >= 0).sum()))

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(10):
        world.set_poses(np.arange(500), random.uniform(-5, 5, (500, 3)))
    for thread in threads:
        thread.join()
    assert counts == [500] * 20


def assert_same_world(one: carom.World, other: carom.World, points: np.ndarray) -> None:
    np.testing.assert_array_equal(one.bodies, other.bodies)
    for body in one.bodies:
        assert one.pose(body).tobytes() == other.pose(body).tobytes()
    for left, right in zip(one.nearest(points, k=3), other.nearest(points, k=3)):
        assert left.tobytes() == right.tobytes()


def test_worlds_are_pickled_and_copied_to_the_bit(random: np.random.Generator) -> None:
    world = carom.World(random.uniform((-3, -3, -3, 0.1), (3, 3, 3, 0.5), (30, 4)))
    for place, pose in enumerate(np.column_stack([random.uniform(-3, 3, (8, 3)), quaternions(random, 8)])):
        world.add([CUBE, BALL][place % 2], pose, rule=["even-odd", "nonzero"][place // 4])
    for gone in [0, 7, 31, 37]:
        world.remove(gone)
    points = random.uniform(-4, 4, (100, 3))
    for again in [pickle.loads(pickle.dumps(world)), copy.copy(world), copy.deepcopy(world)]:
        assert_same_world(again, world, points)
        # A number is never given again, not even by a copy; a copy has a life of its own.
        assert again.add(0.5) == 38 and len(world) == 34
    empty = pickle.loads(pickle.dumps(carom.World()))
    assert len(empty) == 0 and empty.add(1.0) == 0
    with pytest.raises(carom.Error, match="damaged"):
        carom.World._restore([], [5], 2, [-1], np.ones((1, 13)))


def test_many_bodies_are_changed_at_once_or_not_at_all(random: np.random.Generator) -> None:
    count = 10_000
    spheres = np.column_stack([random.uniform(-50, 50, (count, 3)), np.full(count, 0.2)])
    world = carom.World(spheres)
    assert world.add_spheres(spheres).tolist() == list(range(count, 2 * count))
    points = random.uniform(-50, 50, (300, 3))
    before = world.nearest(points)
    wrong = spheres.copy()
    wrong[9000, 3] = -1
    with pytest.raises(carom.Error, match="row 9000 of spheres"):
        world.add_spheres(wrong)
    places = random.uniform(-50, 50, (count, 3))
    turns = quaternions(random, count)
    turns[7000] *= 2
    with pytest.raises(carom.Error, match="the pose in row 7000"):
        world.set_poses(np.arange(count), places, turns)
    for left, right in zip(world.nearest(points), before):
        np.testing.assert_array_equal(left, right)
    world.remove(3)
    with pytest.raises(carom.Error, match="no body 3"):
        world.set_poses(np.arange(count), places)
    world.set_poses(np.arange(count, 2 * count), places)
    one_by_one = carom.World(spheres)
    one_by_one.remove(3)
    for place in places:
        one_by_one.add(0.2, place)
    np.testing.assert_array_equal(world.nearest(points)[1], one_by_one.nearest(points)[1])


def test_other_threads_run_while_many_bodies_are_changed(random: np.random.Generator) -> None:
    count = 200_000
    spheres = np.column_stack([random.uniform(-99, 99, (count, 3)), np.full(count, 0.1)])
    world = carom.World()
    done = threading.Event()

    def change() -> None:
        numbers = world.add_spheres(spheres)
        world.set_poses(numbers, spheres[:, :3] + 1)
        done.set()

    worker = threading.Thread(target=change)
    worker.start()
    # A thread that could not run would count nothing while the other changes the world.
    turns = 0
    while not done.is_set():
        turns += 1
        time.sleep(0)
    worker.join()
    assert len(world) == count and turns > 100


def test_answers_that_memory_has_no_room_for_are_refused() -> None:
    world = carom.World(np.column_stack([np.arange(3000), np.zeros((3000, 2)), np.ones(3000)]))
    points = np.zeros((2000, 3))
    try:
        carom.set_memory("100MB")
        for question in [
            lambda: world.bodies_near(points, 1e9),
            lambda: world.pairs_within(1e9),
            lambda: world.nearest(points, k=3000),
            lambda: world.cast_rays_through(points - [9, 0, 0], points + [1, 0, 0]),
        ]:
            with pytest.raises(carom.Error, match="memory"):
                question()
    finally:
        carom.set_memory(None)
    assert len(world.pairs_within(0.0)[0]) > 2000


@pytest.mark.parametrize("number", [0, 10_000])
def test_a_container_around_many_bodies_does_not_count_as_if_each_were_one(number: int) -> None:
    count = 20_000
    places = np.column_stack([2.5 * np.arange(count), np.zeros((count, 2))])
    spheres = np.column_stack([places, np.ones(count)])
    world = carom.World(np.insert(spheres, number, [25e3, 0, 0, 1e5], axis=0))
    try:
        carom.set_memory("100MB")
        pairs, _, _ = world.pairs_within(0.1)
    finally:
        carom.set_memory(None)
    assert len(pairs) == count and (pairs == number).any(axis=1).all()
