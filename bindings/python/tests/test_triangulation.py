"""Triangulations: against Delaunay and Voronoi of SciPy, and their own exact check."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from conftest import random_spheres

import carom


@pytest.mark.parametrize("dimension", [2, 3])
def test_points_have_the_triangulation_of_delaunay(dimension: int) -> None:
    spatial = pytest.importorskip("scipy.spatial")
    points = np.random.default_rng(8).random((500, dimension))
    ours = carom.triangulate(points, radii=0)
    theirs = spatial.Delaunay(points)
    corners = {frozenset(simplex) for simplex in theirs.simplices.tolist()}
    assert {frozenset(simplex) for simplex in ours.simplices.tolist()} == corners
    assert ours.simplices.dtype == np.int32 and ours.simplices.shape[1] == dimension + 1
    across = {
        (frozenset(own), frozenset(ours.simplices[other].tolist()) if other >= 0 else None)
        for own, others in zip(ours.simplices.tolist(), ours.neighbors.tolist())
        for other in others
    }
    expected = {
        (frozenset(own), frozenset(theirs.simplices[other].tolist()) if other >= 0 else None)
        for own, others in zip(theirs.simplices.tolist(), theirs.neighbors.tolist())
        for other in others
    }
    assert across == expected
    starts, indices = ours.vertex_neighbor_vertices
    their_starts, their_indices = theirs.vertex_neighbor_vertices
    for k in range(500):
        own = indices[starts[k] : starts[k + 1]]
        assert own.tolist() == sorted(their_indices[their_starts[k] : their_starts[k + 1]])
    assert len(ours.edges) * 2 == len(indices)
    ours.check()


def test_neighbors_are_opposite_to_their_corners() -> None:
    triangulation = carom.triangulate(random_spheres(300, 3))
    simplices, neighbors = triangulation.simplices, triangulation.neighbors
    for own, across in zip(simplices, neighbors):
        for corner, other in zip(own, across):
            if other >= 0:
                assert set(own) - set(simplices[other]) == {corner}


@pytest.mark.parametrize("dimension", [2, 3])
def test_cells_have_the_volumes_of_their_corners(dimension: int) -> None:
    spatial = pytest.importorskip("scipy.spatial")
    points = np.random.default_rng(9).random((200, dimension))
    triangulation = carom.triangulate(points, radii=0.0)
    volumes, facets = triangulation.cell_volumes(), triangulation.cell_facets()
    voronoi = spatial.Voronoi(points)
    starts, _ = triangulation.vertex_neighbor_vertices
    np.testing.assert_array_equal(facets, np.diff(starts))
    for body, region in enumerate(voronoi.point_region):
        corners = voronoi.regions[region]
        cell = triangulation.cell(body)
        if -1 in corners:
            assert volumes[body] == np.inf and cell is None
            continue
        expected = spatial.ConvexHull(voronoi.vertices[corners]).volume
        assert volumes[body] == pytest.approx(expected, rel=1e-9)
        if dimension == 3:
            assert cell.volume == pytest.approx(expected, rel=1e-9)
        else:
            x, y = cell.T
            area = 0.5 * abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))
            assert area == pytest.approx(expected, rel=1e-9)


def test_cells_fill_a_periodic_box() -> None:
    for dimension in [2, 3]:
        spheres = random_spheres(100, dimension)
        triangulation = carom.triangulate(spheres, box=1.0)
        assert triangulation.cell_volumes().sum() == pytest.approx(1)
        with pytest.raises(carom.Error, match="in a periodic box simplices have no neighbors"):
            _ = triangulation.neighbors


def test_small_spheres_deep_in_others_are_hidden() -> None:
    around = np.column_stack([5 * np.vstack([np.eye(3), -np.eye(3)]), np.ones(6)])
    spheres = np.array([[0, 0, 0, 2], [0.5, 0, 0, 0.1], *around])
    triangulation = carom.triangulate(spheres)
    assert triangulation.hidden[:2].tolist() == [False, True]
    assert triangulation.cell(1) is None and triangulation.cell_volumes()[1] == 0


def test_spheres_that_are_none_end_in_a_sentence(tmp_path: Path) -> None:
    for spheres, sentence in [
        ([[0, 0, np.nan]], "sphere 0 has radius NaN"),
        ([[0, 1e70, 1]], "to be triangulated it must be between -1e60 and 1e60"),
        ([0, 0], "positions has shape"),
    ]:
        with pytest.raises(carom.Error) as raised:
            carom.triangulate(spheres)
        assert sentence in str(raised.value)
    triangulation = carom.triangulate(random_spheres(10, 2))
    with pytest.raises(carom.Error, match="there is no body 10; there are 10, counted from zero"):
        triangulation.cell(10)
    with pytest.raises(carom.Error, match=r"does not end in .vtu, .svg or .csv"):
        triangulation.save(tmp_path / "diagram.png")


def test_flat_and_few_spheres_have_no_simplices() -> None:
    for spheres in [
        np.empty((0, 3)),
        [[0, 0, 1]],
        [[0, 0, 1], [1, 0, 1]],
        [[0, 0, 1], [1, 0, 1], [2, 0, 1]],
    ]:
        triangulation = carom.triangulate(spheres)
        assert triangulation.simplices.shape == (0, 3) and triangulation.neighbors.shape == (0, 3)


def test_triangulations_survive_pickling_and_changes_of_their_input() -> None:
    spheres = random_spheres(100, 3)
    triangulation = carom.triangulate(spheres, box=1.0)
    expected = carom.triangulate(spheres.copy(), box=1.0)
    spheres[:] = 0
    copy = pickle.loads(pickle.dumps(triangulation))
    np.testing.assert_array_equal(copy.simplices, expected.simplices)
    np.testing.assert_array_equal(copy.cell_volumes(), expected.cell_volumes())
