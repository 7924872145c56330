"""Arguments in all forms that people have them in, and those that end in a sentence."""

from __future__ import annotations

import types

import numpy as np
import pytest
from conftest import random_spheres

import carom

SPHERES = random_spheres(200, 3)
EXPECTED = carom.contacts(SPHERES)


def unaligned(array: np.ndarray) -> np.ndarray:
    """The same numbers at addresses that are no multiples of eight."""
    bytes_ = np.zeros(array.nbytes + 1, np.uint8)
    shifted = bytes_[1:].view(np.float64).reshape(array.shape)
    shifted[...] = array
    assert not shifted.flags.aligned
    return shifted


@pytest.mark.parametrize(
    "positions",
    [
        SPHERES.tolist(),
        tuple(map(tuple, SPHERES)),
        np.asfortranarray(SPHERES),
        np.repeat(SPHERES, 2, axis=0)[::2],
        np.column_stack([SPHERES, SPHERES])[:, :4],
        SPHERES.astype(">f8"),
        SPHERES.astype(np.longdouble),
        SPHERES.astype(object).astype(float),
        unaligned(SPHERES),
        np.ma.masked_array(SPHERES),
        SPHERES.view(type("Rows", (np.ndarray,), {})),
        memoryview(SPHERES),
    ],
    ids=lambda it: type(it).__name__,
)
def test_numbers_in_any_form_are_converted(positions: object) -> None:
    found = carom.contacts(positions)
    np.testing.assert_array_equal(found.pairs, EXPECTED.pairs)
    np.testing.assert_array_equal(found.overlap, EXPECTED.overlap)
    np.testing.assert_array_equal(found.normals(), EXPECTED.normals())


def test_integers_and_small_floats_are_numbers() -> None:
    for dtype in [np.int8, np.uint16, np.int64, np.float16, np.float32, bool]:
        positions = np.array([[0, 0, 1], [1, 0, 1]]).astype(dtype)
        assert carom.contacts(positions).overlap.tolist() == [1.0]


def test_radii_stand_beside_positions_in_any_form() -> None:
    positions, radii = SPHERES[:, :3], SPHERES[:, 3]
    for given in [radii, radii.tolist(), np.ascontiguousarray(radii), radii.astype(">f8")]:
        np.testing.assert_array_equal(carom.contacts(positions, given).pairs, EXPECTED.pairs)
    for one in [0.05, np.float64(0.05), np.array(0.05), np.full(200, 0.05)]:
        expected = carom.contacts(np.column_stack([positions, np.full(200, 0.05)]))
        np.testing.assert_array_equal(carom.contacts(positions, one).pairs, expected.pairs)


@pytest.mark.parametrize(
    ("arguments", "options", "sentence"),
    [
        (
            ([1, 2, 3],),
            {},
            "positions has shape (3,); it must have two axes, a row for each particle",
        ),
        ((np.zeros((2, 2, 2)),), {}, "positions has shape (2, 2, 2)"),
        (([],), {}, "positions has shape (0,)"),
        (
            (np.zeros((5, 2)),),
            {},
            "positions has 2 columns; without radii it must have x, y, radius",
        ),
        ((np.zeros((5, 5)),), {}, "positions has 5 columns"),
        (
            (np.zeros((5, 4)), 1.0),
            {},
            "positions has 4 columns; beside radii it must have x, y or x, y, z",
        ),
        ((np.zeros((5, 3)), np.ones(4)), {}, "radii has 4 elements; there are 5 positions"),
        ((np.zeros((5, 3)), np.ones((5, 1))), {}, "radii has shape (5, 1); it must have one axis"),
        (
            (np.zeros((5, 4), complex),),
            {},
            "positions has dtype complex128; it must be real numbers",
        ),
        (([["a", "b", "c"]],), {}, "positions has dtype <U1; it must be real numbers"),
        (([[1, 2, None]],), {}, "positions has dtype object; it must be real numbers"),
        ((np.zeros((5, 3), "M8[s]"),), {}, "positions has dtype datetime64[s]"),
        (([[1, 2, 3], [1, 2]],), {}, "positions cannot be read as an array"),
        ((None,), {}, "positions has dtype object"),
        ((np.ma.masked_equal(SPHERES, SPHERES[3, 0]),), {}, "positions is masked"),
        (([[0, 0, 0, 1], [0, np.nan, 0, 1]],), {}, "sphere 1 has y NaN; it must be finite"),
        (([[0, 0, 0, np.inf]],), {}, "sphere 0 has radius inf"),
        (([[0, 0, 0, -1]],), {}, "sphere 0 has radius -1.0; a radius must not be negative"),
        (([[0, 0, 1e101, 1]],), {}, "sphere 0 has z 1e101"),
        (
            (SPHERES,),
            {"method": "linked-cell"},
            'method is "linked-cell"; did you mean "linked-cells"?',
        ),
        (
            (SPHERES,),
            {"origin": "middle"},
            'origin is "middle"; it must be one of "corner", "center"',
        ),
        ((SPHERES,), {"origin": [1, 2]}, "origin has 2 coordinates; the particles have 3"),
        ((SPHERES,), {"cells_mean": -1.0}, "the mean number of spheres per cell is -1.0"),
        ((SPHERES,), {"cells_mean": 5.0, "origin": "center"}, "give one"),
        (
            (SPHERES,),
            {"cells_mean": 5.0, "method": "delaunay"},
            "cells_mean belongs to linked-cells",
        ),
        ((SPHERES,), {"origin": "center", "method": "delaunay"}, "origin belongs to distance-sort"),
    ],
)
def test_what_cannot_be_searched_ends_in_a_sentence(
    arguments: tuple[object, ...], options: dict[str, object], sentence: str
) -> None:
    with pytest.raises(carom.Error) as raised:
        carom.contacts(*arguments, **options)
    assert sentence in str(raised.value) and "\n" not in str(raised.value).strip()
    assert isinstance(raised.value, ValueError)


class TestBoxes:
    """The same box in the forms of freud, ASE, OVITO, HOOMD and by hand."""

    periodic = (1.0, None, 2.0)
    expected = carom.contacts(SPHERES, box=periodic)

    @pytest.mark.parametrize(
        "box",
        [
            [1, None, 2],
            (np.float64(1), None, 2),
            types.SimpleNamespace(
                Lx=1.0, Ly=9.0, Lz=2.0, xy=0.0, xz=0.0, yz=0.0, periodic=(True, False, True)
            ),
            types.SimpleNamespace(cell=np.diag([1.0, 9.0, 2.0]), pbc=np.array([True, False, True])),
            np.diag([1.0, 0.0, 2.0]),
        ],
    )
    def test_forms_mean_the_same(self, box: object) -> None:
        np.testing.assert_array_equal(carom.contacts(SPHERES, box=box).pairs, self.expected.pairs)

    def test_a_number_is_for_all_axes(self) -> None:
        expected = carom.contacts(SPHERES, box=(2, 2, 2)).pairs
        for box in [2, 2.0, np.float32(2), [2.0, 2.0, 2.0, 0, 0, 0], np.array([2.0, 2.0, 2.0])]:
            np.testing.assert_array_equal(carom.contacts(SPHERES, box=box).pairs, expected)

    def test_discs_take_the_first_two_axes_of_a_box_of_three(self) -> None:
        discs = random_spheres(200, 2)
        box = types.SimpleNamespace(Lx=1.0, Ly=2.0, Lz=0.0, xy=0.0, xz=0.0, yz=0.0)
        expected = carom.contacts(discs, box=(1, 2)).pairs
        np.testing.assert_array_equal(carom.contacts(discs, box=box).pairs, expected)

    def test_ovito_keeps_vectors_in_columns_and_the_origin_beside_them(self) -> None:
        class SimulationCell(np.ndarray):
            pbc = (True, False, True)

        cell = np.column_stack([np.diag([1.0, 9.0, 2.0]), [5.0, 5.0, 5.0]]).view(SimulationCell)
        np.testing.assert_array_equal(carom.contacts(SPHERES, box=cell).pairs, self.expected.pairs)

    def test_freud_itself(self) -> None:
        freud = pytest.importorskip("freud")
        box = freud.box.Box(1.0, 9.0, 2.0)
        box.periodic = (True, False, True)
        np.testing.assert_array_equal(carom.contacts(SPHERES, box=box).pairs, self.expected.pairs)

    def test_ase_itself(self) -> None:
        ase = pytest.importorskip("ase")
        atoms = ase.Atoms(cell=[1.0, 9.0, 2.0], pbc=(True, False, True))
        np.testing.assert_array_equal(carom.contacts(SPHERES, box=atoms).pairs, self.expected.pairs)

    @pytest.mark.parametrize(
        ("box", "sentence"),
        [
            (0.0, "box: the period of axis x is 0.0; it must be between 1e-100 and 1e100"),
            ((1, -2, 1), "box: the period of axis y is -2.0"),
            (float("nan"), "box: the period of axis x is NaN"),
            ((1, 2), "box has 2 lengths; the particles have 3 dimensions"),
            ([1, 1, 1, 0.5, 0, 0], "box is tilted by 0.5; only rectangular boxes can be searched"),
            (np.array([[1, 0, 0], [0.25, 1, 0], [0, 0, 1]]), "box is tilted by 0.25"),
            ("large", "it must be a length, a length or None for each of 3 axes"),
            ({"x": 1}, "it must be a length, a length or None for each of 3 axes"),
            (0.1, "more than half the period 0.1 of axis x"),
        ],
    )
    def test_other_boxes_end_in_a_sentence(self, box: object, sentence: str) -> None:
        with pytest.raises(carom.Error) as raised:
            carom.contacts(SPHERES, box=box)
        assert sentence in str(raised.value)


CUBE = carom.generate.polyhedron("cube").mesh()
POINTS = np.random.default_rng(2).uniform(-1, 1, (500, 3))


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        ([0, 0, 0], "points has shape (3,); it must have two axes, a row for each point"),
        ([[0, 0]], "points has 2 columns; it must have three, x, y and z"),
        ([[0, 0, 0], [0, 0, np.nan]], "points has NaN in row 1; a coordinate must be finite"),
        ([[0, np.inf, 0]], "points has inf in row 0"),
        (np.zeros((3, 3), complex), "points has dtype complex128"),
    ],
)
def test_points_that_are_none_end_in_a_sentence(points: object, sentence: str) -> None:
    questions = [CUBE.contains, CUBE.containment, CUBE.signed_distance]
    for ask in [*questions, CUBE.closest_point, CUBE.winding_number]:
        with pytest.raises(carom.Error) as raised:
            ask(points)
        assert sentence in str(raised.value)


def test_no_points_have_no_answers() -> None:
    none = np.empty((0, 3))
    assert CUBE.contains(none).shape == (0,)
    assert CUBE.signed_distance(none).shape == (0,)
    assert [array.shape for array in CUBE.closest_point(none)] == [(0, 3), (0,), (0,)]
    assert carom.contacts(np.empty((0, 3))).normals().shape == (0, 2)


def test_answers_are_written_into_out() -> None:
    expected = CUBE.contains(POINTS)
    out = np.empty(500, bool)
    assert CUBE.contains(POINTS, out=out) is out
    np.testing.assert_array_equal(out, expected)
    frozen = np.empty(500, bool)
    frozen.flags.writeable = False
    for wrong, sentence in [
        (np.empty(499, bool), "out must be contiguous and have 500 elements, it has 499"),
        (np.empty(1000, bool)[::2], "out must be contiguous"),
        (np.empty(500), "out must be an array of bool with one axis"),
        (np.empty((500, 1), bool), "out must be an array of bool with one axis"),
        ([False] * 500, "out must be an array of bool"),
        (frozen, "out cannot be written to"),
    ]:
        with pytest.raises(carom.Error) as raised:
            CUBE.contains(POINTS, out=wrong)
        assert sentence in str(raised.value)


def test_poses_have_three_forms() -> None:
    half = 0.5**0.5
    quarter_turn = np.array([[0, -1, 0, 3.0], [1, 0, 0, 4.0], [0, 0, 1, 5.0], [0, 0, 0, 1.0]])
    box = carom.generate.polyhedron("box", size=(1, 2, 3)).mesh()
    expected = box.contains(POINTS)
    moved = POINTS @ quarter_turn[:3, :3].T + quarter_turn[:3, 3]
    for pose in [quarter_turn, quarter_turn.tolist(), [3, 4, 5, half, 0, 0, half]]:
        np.testing.assert_array_equal(box.contains(moved, pose=pose), expected)
    np.testing.assert_array_equal(box.contains(POINTS + [3, 4, 5], pose=(3, 4, 5)), expected)
    # A matrix in single precision is a rotation still.
    near = quarter_turn.astype(np.float32) * (1 + 3e-8)
    near[3, 3] = 1
    np.testing.assert_array_equal(box.contains(moved, pose=near), expected)


@pytest.mark.parametrize(
    ("pose", "sentence"),
    [
        ([1, 2], "pose has 2 numbers; it must be x, y, z, or x, y, z, qw, qx, qy, qz"),
        ([0, 0, 0, 2, 0, 0, 0], "pose has a quaternion qw, qx, qy, qz of length 2.0, it must be 1"),
        ([np.nan, 0, 0], "pose has a coordinate NaN; it must be between"),
        (np.eye(3), "pose has two axes; such a pose is a matrix of four rows and columns"),
        (2 * np.eye(4), "pose is a matrix of something else than a motion"),
        (np.diag([1.0, 1, -1, 1]), "pose is a matrix of something else than a motion"),
        (np.full((4, 4), np.nan), "pose is a matrix of something else than a motion"),
    ],
)
def test_other_poses_end_in_a_sentence(pose: object, sentence: str) -> None:
    with pytest.raises(carom.Error) as raised:
        CUBE.contains(POINTS, pose=pose)
    assert sentence in str(raised.value)


def test_arguments_of_the_wrong_kind_are_type_errors() -> None:
    with pytest.raises(TypeError):
        carom.contacts(SPHERES, method=3)
    with pytest.raises(TypeError):
        carom.contacts(SPHERES, periodic=True)
    with pytest.raises(TypeError):
        carom.distance(CUBE, CUBE)
