"""Meshes: containment and distances against what is known of spheres and boxes, and against SciPy."""

from __future__ import annotations

import base64
import pickle
import re
import struct
import types
import zlib
from pathlib import Path

import numpy as np
import pytest

import carom

POINTS = np.random.default_rng(3).uniform(-1.2, 1.2, (20_000, 3))
FOAM = carom.generate.foam(5000, cells=2)


def test_points_in_a_box_are_those_between_its_sides() -> None:
    box = carom.generate.polyhedron("box", size=(1, 2, 0.5)).mesh()
    expected = (np.abs(POINTS) <= [0.5, 1, 0.25]).all(axis=1)
    np.testing.assert_array_equal(box.contains(POINTS), expected)
    outside = np.maximum(np.abs(POINTS) - [0.5, 1, 0.25], 0)
    distance = np.linalg.norm(outside, axis=1)
    inside = (np.abs(POINTS) - [0.5, 1, 0.25]).max(axis=1)
    signed = np.where(expected, inside, distance)
    np.testing.assert_allclose(box.signed_distance(POINTS), signed, atol=1e-15)


def test_hulls_contain_what_those_of_scipy_contain() -> None:
    spatial = pytest.importorskip("scipy.spatial")
    corners = np.random.default_rng(4).normal(size=(60, 3))
    hull = carom.Polyhedron(corners)
    other = spatial.ConvexHull(corners)
    assert len(hull.vertices) == len(other.vertices)
    assert hull.volume == pytest.approx(other.volume, rel=1e-13)
    mesh = hull.mesh()
    assert mesh.area == pytest.approx(other.area, rel=1e-13)
    expected = spatial.Delaunay(corners).find_simplex(POINTS) >= 0
    np.testing.assert_array_equal(mesh.contains(POINTS), expected)


def test_exact_methods_agree_and_the_others_nearly() -> None:
    sides = FOAM.containment(POINTS)
    assert set(np.unique(sides)) == {-1, 1}
    for method in ["cells", "ray"]:
        for rule in ["even-odd", "nonzero", "winding"]:
            np.testing.assert_array_equal(FOAM.containment(POINTS, method=method, rule=rule), sides)
    for method in ["double-layer", "multipole"]:
        found = FOAM.containment(POINTS[:2000], method=method, rule="winding")
        np.testing.assert_array_equal(found, sides[:2000])
    np.testing.assert_array_equal(FOAM.contains(POINTS), sides >= 0)


def test_the_surface_is_found_exactly() -> None:
    cube = carom.generate.polyhedron("box", size=(2, 2, 2)).mesh()
    edge = np.nextafter(1, [0, 2])
    points = [[1, 0.3, 0.2], [1, 1, 1], [edge[0], 0.3, 0.2], [edge[1], 0.3, 0.2]]
    assert cube.containment(points).tolist() == [0, 0, 1, -1]
    assert cube.contains(points).tolist() == [True, True, True, False]


def test_distances_have_the_sign_of_the_side() -> None:
    sides, distances = FOAM.containment(POINTS), FOAM.signed_distance(POINTS)
    np.testing.assert_array_equal(np.sign(distances), -sides)
    positions, lengths, faces = FOAM.closest_point(POINTS)
    np.testing.assert_array_equal(lengths, np.abs(distances))
    np.testing.assert_allclose(np.linalg.norm(positions - POINTS, axis=1), lengths, atol=1e-14)
    # The closest point is on its triangle: in its plane, and a mean of its corners.
    corners = FOAM.vertices[FOAM.faces[faces]]
    basis = np.swapaxes(corners, 1, 2)
    weights = np.linalg.solve(
        np.swapaxes(basis, 1, 2) @ basis + 1, (np.swapaxes(basis, 1, 2) @ positions[..., None]) + 1
    )[..., 0]
    np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-6)
    assert weights.min() > -1e-6


def test_a_mesh_that_is_moved_answers_as_points_moved_back() -> None:
    pose = [0.25, 0.5, -1.0, 0.5, 0.5, 0.5, 0.5]
    turned = np.roll(POINTS, 1, axis=1) + pose[:3]
    np.testing.assert_array_equal(FOAM.contains(turned, pose=pose), FOAM.contains(POINTS))
    positions, distances, _ = FOAM.closest_point(turned, pose=pose)
    np.testing.assert_allclose(np.linalg.norm(positions - turned, axis=1), distances, atol=1e-14)


def test_winding_numbers_are_whole_in_closed_meshes_and_fractions_in_open_ones() -> None:
    ball = carom.generate.sphere(3)
    numbers = ball.winding_number(POINTS, error=1e-3)
    np.testing.assert_allclose(numbers, ball.contains(POINTS), atol=1e-3)
    exact = ball.winding_number(POINTS[:500], error=0)
    np.testing.assert_allclose(exact, ball.contains(POINTS[:500]), atol=1e-12)
    octahedron = carom.generate.sphere(0)
    open_ = carom.Mesh(octahedron.vertices, octahedron.faces[1:])
    np.testing.assert_allclose(open_.winding_number([[0, 0, 0]], error=0), [7 / 8], atol=1e-12)
    with pytest.raises(carom.Error, match="has no inside by even-odd"):
        open_.contains([[0, 0, 0]])
    assert open_.contains([[0, 0, 0]], rule="winding").tolist() == [True]


def test_questions_of_any_number_have_the_same_answers() -> None:
    expected = FOAM.contains(POINTS)
    fresh = carom.Mesh(FOAM.vertices, FOAM.faces)
    for size in [1, 10, 300, 5000]:
        found = [fresh.contains(POINTS[k : k + size]) for k in range(0, 20 * size, size)]
        np.testing.assert_array_equal(np.concatenate(found), expected[: 20 * size])


def test_mass_properties_are_those_of_a_box() -> None:
    box = carom.generate.polyhedron("box", size=(1, 2, 3))
    for body in [box, box.mesh()]:
        assert body.volume == pytest.approx(6)
        np.testing.assert_allclose(body.center_mass, 0, atol=1e-15)
        inertia = 6 / 12 * np.array([2**2 + 3**2, 1 + 3**2, 1 + 2**2])
        np.testing.assert_allclose(body.moment_inertia, np.diag(inertia), atol=1e-14)
    assert box.mesh().area == pytest.approx(22)
    np.testing.assert_array_equal(box.mesh().bounds, [[-0.5, -1, -1.5], [0.5, 1, 1.5]])


def test_defects_are_reported() -> None:
    ball = carom.generate.sphere(1)
    assert ball.is_watertight and ball.is_winding_consistent and ball.is_convex
    report = ball.report()
    assert report["closed"] is True and report["faces"] == 32 and report["holes"] == 0
    open_ = carom.Mesh(ball.vertices, ball.faces[1:])
    assert not open_.is_watertight and not open_.is_convex
    assert open_.report()["holes"] == 1 and open_.report()["inside_rules"] == ["winding"]
    assert open_.describe("it").startswith("it is a mesh, but not closed")
    with pytest.raises(carom.Error, match="the mesh is not closed, so it has no volume"):
        _ = open_.volume
    faces = ball.faces
    faces[0] = faces[0, ::-1]
    turned = carom.Mesh(ball.vertices, faces)
    assert not turned.is_winding_consistent and not turned.is_watertight
    # By even-odd the orientation does not matter.
    np.testing.assert_array_equal(turned.contains(POINTS), ball.contains(POINTS))


def test_welding_closes_a_mesh_whose_faces_have_vertices_of_their_own() -> None:
    ball = carom.generate.sphere(2)
    soup = carom.Mesh(ball.vertices[ball.faces].reshape(-1, 3), np.arange(384).reshape(-1, 3))
    welded = soup.welded()
    assert welded.is_watertight and len(np.unique(welded.faces)) == len(ball.vertices)
    assert welded.volume == pytest.approx(ball.volume, rel=1e-14)


@pytest.mark.parametrize("ending", ["off", "obj", "ply"])
def test_files_keep_every_bit(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"foam.{ending}"
    FOAM.save(file)
    for path in [file, str(file)]:
        read = carom.Mesh.load(path)
        np.testing.assert_array_equal(read.vertices, FOAM.vertices)
        np.testing.assert_array_equal(read.faces, FOAM.faces)


def test_files_that_are_none_end_in_a_sentence(tmp_path: Path) -> None:
    broken = tmp_path / "broken.off"
    broken.write_text("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 zero\n3 0 1 2\n")
    cases = [
        (tmp_path / "none.stl", "none.stl"),
        (broken, 'broken.off:5: z is "zero"; a coordinate must be a number'),
        (tmp_path / "mesh.txt", "does not end like a mesh"),
    ]
    for path, sentence in cases:
        with pytest.raises(carom.FileError) as raised:
            carom.Mesh.load(path)
        assert sentence in str(raised.value)
        assert isinstance(raised.value, (carom.Error, OSError))
    with pytest.raises(OSError, match="cannot be written"):
        FOAM.save(tmp_path / "nowhere" / "foam.off")
    with pytest.raises(carom.FileError, match="does not end like a mesh"):
        FOAM.save(tmp_path / "foam")


@pytest.mark.parametrize(
    ("vertices", "faces", "sentence"),
    [
        (np.eye(3), [[0, 1, 3]], "face 0 has vertex 3 as a corner, but there are only 3 vertices"),
        (np.eye(3), [[0, 1]], "face 0 has 2 corners; a face has at least three"),
        (np.eye(3), [[0, 1, 2], [0, 1]], "face 1 has 2 corners"),
        (np.eye(3), [], "there are no faces; a surface has at least one"),
        (np.eye(3), np.empty((0, 3), int), "there are no faces"),
        (np.eye(3), [0, 1, 2], "faces has shape (3,); it must have two axes"),
        (np.eye(3), [[0, 1, 2.5]], "faces has dtype float64; it must be whole numbers"),
        (np.eye(3), [[0, 1, -1]], "faces has -1; an index is between 0 and 4294967295"),
        (np.eye(3), [[0, 1, 2**40]], "faces has 1099511627776"),
        (np.eye(4), [[0, 1, 2]], "vertices has 4 columns"),
        (np.eye(3) * np.nan, [[0, 1, 2]], "vertex 0 has the coordinate NaN"),
        (np.eye(3) * 1e70, [[0, 1, 2]], "vertex 0 has the coordinate 1e70"),
    ],
)
def test_surfaces_that_are_none_end_in_a_sentence(
    vertices: np.ndarray, faces: object, sentence: str
) -> None:
    with pytest.raises(carom.Error) as raised:
        carom.Mesh(vertices, faces)
    assert sentence in str(raised.value)


def test_faces_of_any_number_of_corners_are_cut_into_triangles() -> None:
    cube = carom.generate.polyhedron("cube").mesh()
    again = carom.Mesh(cube.vertices, cube.polygons)
    assert again.volume == cube.volume and again.faces.shape == (12, 3)
    prism = carom.generate.polyhedron("prism", sides=5, height=1).mesh()
    assert sorted(map(len, prism.polygons)) == [4, 4, 4, 4, 4, 5, 5]
    again = carom.Mesh(prism.vertices, [face.tolist() for face in prism.polygons])
    np.testing.assert_array_equal(again.faces, prism.faces)


def test_a_polygon_that_bends_back_cannot_be_asked_but_is_reported() -> None:
    dart = carom.Mesh([[0, 0, 0], [2, 0, 0], [0.5, 0.5, 0], [0, 2, 0]], [[0, 1, 2, 3]])
    assert dart.report()["faces"] == 1
    for ask in [lambda: dart.faces, lambda: dart.contains([[0, 0, 0]]), lambda: dart.bounds]:
        with pytest.raises(carom.Error, match="face 0 has 4 corners and is not convex"):
            ask()


def test_meshes_of_other_libraries_are_taken() -> None:
    ball = carom.generate.sphere(1)
    cube = carom.generate.polyhedron("cube").mesh()
    blocks = [
        types.SimpleNamespace(type="line", data=np.array([[0, 1]])),
        types.SimpleNamespace(type="triangle", data=ball.faces[:10]),
        types.SimpleNamespace(type="triangle", data=ball.faces[10:]),
    ]
    for other, mesh in [
        (types.SimpleNamespace(vertices=ball.vertices, faces=ball.faces), ball),
        (types.SimpleNamespace(vertices=ball.vertices, triangles=ball.faces), ball),
        (types.SimpleNamespace(points=ball.vertices, cells=blocks), ball),
        (types.SimpleNamespace(points=cube.vertices, irregular_faces=cube.polygons), cube),
        (ball, ball),
    ]:
        taken = carom.Mesh.of(other)
        np.testing.assert_array_equal(taken.vertices, mesh.vertices)
        np.testing.assert_array_equal(taken.faces, mesh.faces)
    with pytest.raises(carom.Error, match="is no mesh; it needs vertices and faces"):
        carom.Mesh.of("ball")


def test_trimesh_goes_and_comes() -> None:
    pytest.importorskip("trimesh")
    other = FOAM.to_trimesh()
    assert other.is_watertight and other.volume == pytest.approx(FOAM.volume)
    np.testing.assert_allclose(other.moment_inertia, FOAM.moment_inertia, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(carom.Mesh.of(other).faces, FOAM.faces)


def test_pyvista_goes_and_comes() -> None:
    pytest.importorskip("pyvista")
    cube = carom.generate.polyhedron("cube").mesh()
    other = cube.to_pyvista()
    assert other.n_cells == 6
    np.testing.assert_array_equal(carom.Mesh.of(other).faces, cube.faces)


def test_vertices_that_penetrate_know_the_way_out() -> None:
    ball = carom.generate.sphere(4)
    own, others = ball.penetrating_vertices(ball, other_pose=(1.8, 0, 0))
    assert own["depths"].max() == pytest.approx(0.2, abs=0.01)
    assert (own["exit_directions"][:, 0] < 0).all() and (others["exit_directions"][:, 0] > 0).all()
    np.testing.assert_array_equal(own["positions"], ball.vertices[own["vertices"]])
    outside = own["positions"] + own["exit_directions"] * own["depths"][:, None]
    _, left, _ = ball.closest_point(outside, pose=(1.8, 0, 0))
    assert left.max() < 1e-14
    own, others = ball.penetrating_vertices(ball, other_pose=(3, 0, 0))
    assert own["depths"].shape == (0,) and others["positions"].shape == (0, 3)


def test_meshes_survive_pickling() -> None:
    for mesh in [FOAM, carom.generate.polyhedron("prism", sides=5, height=1).mesh()]:
        copy = pickle.loads(pickle.dumps(mesh))
        np.testing.assert_array_equal(copy.vertices, mesh.vertices)
        assert [face.tolist() for face in copy.polygons] == [
            face.tolist() for face in mesh.polygons
        ]


def pixels_of(png: bytes) -> np.ndarray:
    """Red, green, blue and opacity of a PNG without filters."""
    start = png.index(b"IDAT") + 4
    width, height = struct.unpack(">II", png[16:24])
    rows = np.frombuffer(zlib.decompress(png[start:]), dtype=np.uint8)
    return rows.reshape(height, 1 + 4 * width)[:, 1:].reshape(height, width, 4)


def test_a_notebook_shows_the_picture_of_a_mesh() -> None:
    ball = carom.generate.sphere(4)
    turned_out = carom.Mesh(ball.vertices, ball.faces[:, ::-1])
    for mesh in (ball, turned_out):
        text = mesh._repr_html_()
        assert "closed" in text and "512" not in text.split("<img")[0]
        pixels = pixels_of(base64.b64decode(re.search('base64,([^"]*)"', text).group(1)))  # type: ignore[union-attr]
        covered = pixels[..., 3] > 0
        assert covered.mean() == pytest.approx(np.pi / 4, abs=0.02), "its outline is a circle"
        assert not covered[0, 0] and covered[150, 150]
        # It is lit from the upper left.
        assert pixels[75, 110, 0] > 1.5 * pixels[225, 220, 0]
    flat = carom.Mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
    assert "data:image/png" in flat._repr_html_()
    line = carom.Mesh([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1, 2]])
    assert "1 faces" in line._repr_html_()


def test_damaged_meshes_are_repaired() -> None:
    ball = carom.generate.sphere(2)
    random = np.random.default_rng(3)
    faces = np.array(ball.faces)[4:]
    turned = random.random(len(faces)) < 0.3
    faces[turned] = faces[turned][:, ::-1]
    # Every face gets vertices of its own, nearly in place.
    vertices = ball.vertices[faces].reshape(-1, 3) + random.uniform(-1e-9, 1e-9, (3 * len(faces), 3))
    apart = carom.Mesh(vertices, np.arange(len(vertices)).reshape(-1, 3))
    assert not apart.is_watertight
    mesh, report = apart.repair(weld=1e-7, fill_holes=20)
    assert mesh.is_watertight and mesh.volume == pytest.approx(ball.volume, rel=0.05)
    assert len(mesh.vertices) == len(ball.vertices) and report["open_edges"] == 0
    assert report["reversed_faces"] == turned.sum() and report["added_faces"] >= 4
    same, report = mesh.repair()
    assert set(report.values()) == {0} and (same.faces == mesh.faces).all()
    for distance in [-1.0, np.nan, 5.0]:
        with pytest.raises(carom.Error, match="distance to weld"):
            apart.repair(weld=distance)
