"""Polyhedra and their distances: against what is known of boxes, and against optimization by SciPy."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import carom

CUBE = carom.generate.polyhedron("box", size=(1, 1, 1))


def test_boxes_are_apart_by_their_gap() -> None:
    random = np.random.default_rng(5)
    for offset in random.uniform(-3, 3, (100, 3)):
        gap = np.abs(offset) - 1
        expected = np.linalg.norm(np.maximum(gap, 0)) if gap.max() > 0 else gap.max()
        found = carom.distance(CUBE, CUBE, pose_b=offset)
        assert found.distance == pytest.approx(expected, abs=1e-14)
        if expected > 0:
            np.testing.assert_allclose(
                found.points[1] - found.points[0], found.normal * expected, atol=1e-13
            )
            assert found.contact_points.shape == (0, 3)
        else:
            assert 1 <= len(found.contact_points) <= 8
            assert found.contact_distances.min() == pytest.approx(expected, abs=1e-14)


def test_distances_of_hulls_are_those_of_a_solver() -> None:
    optimize = pytest.importorskip("scipy.optimize")
    random = np.random.default_rng(6)
    for _ in range(5):
        a, b = (carom.Polyhedron(random.normal(size=(30, 3))) for _ in range(2))
        offset = random.normal(size=3)
        offset *= 6 / np.linalg.norm(offset)

        def separation(weights: np.ndarray) -> float:
            first, second = np.split(np.exp(weights), [len(a.vertices)])
            own = first @ a.vertices / first.sum()
            other = second @ b.vertices / second.sum() + offset
            return float(np.sum((own - other) ** 2))

        start = np.zeros(len(a.vertices) + len(b.vertices))
        best = optimize.minimize(separation, start, method="BFGS", options={"maxiter": 500})
        found = carom.distance(a, b, pose_b=offset).distance
        # The solver comes close from above.
        assert found <= np.sqrt(best.fun) + 1e-12 and found == pytest.approx(
            np.sqrt(best.fun), abs=5e-2
        )


def test_closest_points_are_on_the_features_that_are_named() -> None:
    random = np.random.default_rng(11)
    body = carom.generate.polyhedron("dodecahedron")
    kinds = set()
    for _ in range(200):
        place, quaternion = random.normal(size=3), random.normal(size=4)
        pose = [*3 * place / np.linalg.norm(place), *quaternion / np.linalg.norm(quaternion)]
        found = carom.distance(body, body, pose_b=pose)
        kind, index = found.features[0]
        kinds.add(kind)
        point = found.points[0]
        if kind == "vertex":
            off = body.vertices[index] - point
        elif kind == "edge":
            start, end = body.vertices[list(index)]
            part = np.dot(point - start, end - start) / np.dot(end - start, end - start)
            assert -1e-9 <= part <= 1 + 1e-9
            off = start + part * (end - start) - point
        else:
            off = body.normals[index] @ (body.vertices[body.faces[index][0]] - point)
        assert np.linalg.norm(off) < 1e-12
    assert kinds == {"vertex", "edge", "face"}
    assert repr(found) == f"<carom.Distance: {found.distance} apart>"


def test_a_path_is_the_same_as_its_poses_one_by_one() -> None:
    random = np.random.default_rng(7)
    quaternions = random.normal(size=(200, 4))
    quaternions /= np.linalg.norm(quaternions, axis=1)[:, None]
    places = np.cumsum(random.normal(0, 0.05, (200, 3)), axis=0) + [1.5, 0, 0]
    poses = np.column_stack([places, quaternions])
    distances, points, normals = carom.ClosestFeatures(CUBE, CUBE).many(np.zeros((200, 3)), poses)
    assert points.shape == (200, 2, 3) and normals.shape == (200, 3)
    query = carom.ClosestFeatures(CUBE, CUBE)
    for k, pose in enumerate(poses):
        one = query(pose_b=pose)
        assert one.distance == distances[k]
        np.testing.assert_array_equal(one.points, points[k])
        np.testing.assert_array_equal(one.normal, normals[k])
        assert one.distance == pytest.approx(
            carom.distance(CUBE, CUBE, pose_b=pose).distance, abs=1e-13
        )


def test_a_kept_answer_saves_work() -> None:
    query = carom.ClosestFeatures(CUBE, CUBE)
    query(pose_b=(3, 0.2, 0.3))
    assert query(pose_b=(3.001, 0.2, 0.3)).iterations == 1


def test_poses_that_are_none_end_in_a_sentence() -> None:
    query = carom.ClosestFeatures(CUBE, CUBE)
    for poses, sentence in [
        (np.zeros((3, 3)), "there are 2 poses_a and 3 poses_b"),
        (np.zeros((2, 4)), "row 0 of poses_b has 4 numbers"),
        (np.zeros((2, 7)), "row 0 of poses_b has a quaternion qw, qx, qy, qz of length 0.0"),
        (np.zeros(3), "poses_b has shape (3,)"),
    ]:
        with pytest.raises(carom.Error) as raised:
            query.many(np.zeros((2, 3)), poses)
        assert sentence in str(raised.value)
    assert query.many(np.empty((0, 3)), np.empty((0, 3)))[1].shape == (0, 2, 3)


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        (np.zeros((5, 3)), "all points lie"),
        (np.eye(3), "points"),
        (np.column_stack([np.random.default_rng(1).random((9, 2)), np.zeros(9)]), "plane"),
        (np.full((4, 3), np.nan), "NaN"),
        (np.empty((0, 3)), "points"),
    ],
)
def test_points_without_a_hull_end_in_a_sentence(points: np.ndarray, sentence: str) -> None:
    with pytest.raises(carom.Error, match=sentence):
        carom.Polyhedron(points)


def test_only_convex_meshes_become_polyhedra(tmp_path: object) -> None:
    ball = carom.generate.sphere(2)
    assert ball.to_polyhedron().volume == pytest.approx(ball.volume)
    foam = carom.generate.foam(5000, cells=2)
    with pytest.raises(carom.Error, match="the mesh is not convex"):
        foam.to_polyhedron()
    file = tmp_path / "foam.off"
    foam.save(file)
    with pytest.raises(carom.Error, match=r"foam.off: the mesh is not convex"):
        carom.Polyhedron.load(file)
    assert foam.convex_hull().volume > foam.volume


def test_polyhedra_survive_pickling() -> None:
    body = carom.generate.polyhedron("random", faces=60)
    copy = pickle.loads(pickle.dumps(body))
    assert copy.volume == pytest.approx(body.volume, rel=1e-14)
    assert len(copy.faces) == len(body.faces)


def test_a_kept_query_is_pickled_with_its_bodies() -> None:
    body = carom.generate.polyhedron("random", faces=30)
    query = carom.ClosestFeatures(body, carom.generate.polyhedron("cube"))
    for again in [pickle.loads(pickle.dumps(query)), copy.copy(query)]:
        one, other = query(pose_b=(3, 0.5, 0.25)), again(pose_b=(3, 0.5, 0.25))
        assert one.distance == pytest.approx(other.distance, rel=1e-12)
        assert one.features == other.features


def test_an_answer_says_what_to_pickle_of_it() -> None:
    cube = carom.generate.polyhedron("cube")
    near = carom.distance(cube, cube, pose_b=(3, 0, 0))
    for keep in [pickle.dumps, copy.copy, copy.deepcopy]:
        with pytest.raises(carom.Error, match="pickle what you need of it, such as distance and points"):
            keep(near)
