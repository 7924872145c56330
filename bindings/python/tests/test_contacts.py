"""Contacts: against SciPy and NumPy, and all methods against each other."""

from __future__ import annotations

import copy
import pickle
import tracemalloc
from typing import Any

import numpy as np
import pytest
from conftest import random_spheres

import carom

METHODS = [
    "auto",
    "all-pairs",
    "distance-sort",
    "linked-cells",
    "cell-tree",
    "sweep-and-prune",
    "incremental-sweep-and-prune",
    "hierarchical-grid",
    "delaunay",
]


def by_hand(spheres: np.ndarray, box: float | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Pairs and overlaps of all pairs of spheres."""
    i, j = np.triu_indices(len(spheres), 1)
    way = spheres[j, :-1] - spheres[i, :-1]
    if box is not None:
        way -= box * np.round(way / box)
    overlap = spheres[i, -1] + spheres[j, -1] - np.linalg.norm(way, axis=1)
    touching = overlap >= 0
    return np.column_stack([i, j])[touching], overlap[touching]


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("box", [None, 1.0])
@pytest.mark.parametrize("count", [0, 1, 2, 10, 300, 1500])
def test_contacts_are_those_of_numpy(dimension: int, box: float | None, count: int) -> None:
    spheres = random_spheres(max(count, 30), dimension)[:count]
    pairs, overlap = carom.contacts(spheres, box=box)
    expected_pairs, expected_overlap = by_hand(spheres, box)
    assert pairs.dtype == np.uint32 and pairs.shape == (len(overlap), 2)
    np.testing.assert_array_equal(pairs, expected_pairs)
    np.testing.assert_allclose(overlap, expected_overlap, rtol=0, atol=1e-14)


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("box", [None, 1.0])
def test_contacts_of_equal_spheres_are_those_of_a_tree(dimension: int, box: float | None) -> None:
    spatial = pytest.importorskip("scipy.spatial")
    positions = random_spheres(20_000, dimension)[:, :dimension]
    radius = 0.4 * len(positions) ** (-1 / dimension)
    tree = spatial.cKDTree(positions, boxsize=box)
    expected = np.sort(tree.query_pairs(2 * radius, output_type="ndarray"), axis=1)
    expected = expected[np.lexsort([expected[:, 1], expected[:, 0]])]
    np.testing.assert_array_equal(carom.contacts(positions, radius, box=box).pairs, expected)


@pytest.mark.parametrize("dimension", [2, 3])
def test_all_methods_give_the_same_bits(dimension: int) -> None:
    spheres = random_spheres(2000, dimension)
    pairs, overlap = carom.contacts(spheres, box=1.0)
    for method in METHODS:
        for threads in [1, 3]:
            carom.set_threads(threads)
            found = carom.contacts(spheres, box=1.0, method=method, check=True)
            np.testing.assert_array_equal(found.pairs, pairs)
            assert found.overlap.tobytes() == overlap.tobytes(), method
    carom.set_threads(None)


def test_settings_choose_their_method() -> None:
    spheres = random_spheres(500, 3)
    expected = carom.contacts(spheres).pairs
    for options in [
        {"cells_mean": 5.0},
        {"origin": "center"},
        {"origin": [0.5, 0.5, 0.5], "method": "distance-sort"},
    ]:
        np.testing.assert_array_equal(carom.contacts(spheres, **options).pairs, expected)
    search = carom.ContactSearch(cells_mean=5.0)
    search.find(spheres)
    assert search.statistics["method"] == "linked-cells"


def test_normals_and_points_are_between_the_bodies() -> None:
    for dimension in [2, 3]:
        spheres = random_spheres(1000, dimension)
        contacts = carom.contacts(spheres, box=1.0)
        first, second = (spheres[contacts.pairs[:, k]] for k in [0, 1])
        way = second[:, :-1] - first[:, :-1]
        way -= np.round(way)
        distance = np.linalg.norm(way, axis=1)
        normals = contacts.normals()
        np.testing.assert_allclose(normals, way / distance[:, None], atol=1e-15)
        reach = first[:, -1] - 0.5 * contacts.overlap
        expected = first[:, :-1] + normals * reach[:, None]
        np.testing.assert_allclose(contacts.points(), expected, atol=1e-15)


def test_spheres_in_one_place_have_no_normal() -> None:
    contacts = carom.contacts([[1, 1, 1, 0.5], [1, 1, 1, 0.25]])
    assert contacts.overlap.tolist() == [0.75]
    assert contacts.normals().tolist() == [[0, 0, 0]]


def test_counts_clusters_and_matrix_agree_with_scipy() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    csgraph = pytest.importorskip("scipy.sparse.csgraph")
    spheres = random_spheres(3000, 3)
    spheres[:, 3] *= 0.6
    contacts = carom.contacts(spheres)
    matrix = contacts.to_csr()
    assert isinstance(matrix, sparse.csr_array) and matrix.has_canonical_format
    assert abs(matrix - matrix.T).nnz == 0 and matrix.nnz == 2 * len(contacts)
    i, j = contacts.pairs.T
    np.testing.assert_array_equal(matrix[i, j], contacts.overlap)
    np.testing.assert_array_equal(contacts.to_csr("one").sum(axis=0), contacts.counts())
    clusters = contacts.clusters()
    count, labels = csgraph.connected_components(matrix)
    assert clusters.max() + 1 == count > 10
    assert len(set(zip(clusters, labels))) == count
    sizes = np.bincount(clusters)
    assert (np.diff(sizes) <= 0).all()


def test_contacts_become_a_table() -> None:
    pytest.importorskip("pandas")
    contacts = carom.contacts(random_spheres(100, 2))
    table = contacts.to_pandas()
    assert list(table) == ["i", "j", "overlap"]
    np.testing.assert_array_equal(table[["i", "j"]], contacts.pairs)
    np.testing.assert_array_equal(table["overlap"], contacts.overlap)


def test_positions_that_were_moved_since_are_noticed() -> None:
    spheres = random_spheres(100, 3)
    contacts = carom.contacts(spheres)
    spheres[contacts.pairs[0, 0], 0] += 0.125
    with pytest.raises(carom.Error, match="changed since the search"):
        contacts.normals()
    spheres = random_spheres(100, 3)
    contacts = carom.contacts(spheres)
    contacts.pairs[0, 1] = 4_000_000_000
    for ask in [contacts.normals, contacts.points, contacts.counts, contacts.clusters]:
        with pytest.raises(carom.Error, match="changed since the search"):
            ask()


def test_a_search_kept_from_step_to_step_finds_the_same(random: np.random.Generator) -> None:
    search = carom.ContactSearch(box=(1.0, None, 1.0), method="incremental-sweep-and-prune")
    spheres = random_spheres(500, 3)
    for _ in range(5):
        spheres[:, :3] += random.normal(0, 0.01, (500, 3))
        found = search.find(spheres)
        expected = carom.contacts(spheres, box=(1.0, None, 1.0))
        np.testing.assert_array_equal(found.pairs, expected.pairs)
        np.testing.assert_array_equal(found.overlap, expected.overlap)
    # Another number of particles, and another dimension.
    assert len(search.find(spheres[:100])) <= len(expected)
    search = carom.ContactSearch()
    assert len(search.find([[0, 0, 1], [1, 0, 1]])) == 1
    assert len(search.find([[0, 0, 0, 1], [1, 0, 0, 1]])) == 1
    statistics = search.statistics
    assert statistics["method"] == "all-pairs" and statistics["pair_tests"] == 1
    assert set(statistics["seconds"]) == {"check_input", "search", "sort_and_test"}


def test_results_of_earlier_steps_stay() -> None:
    search = carom.ContactSearch()
    first = search.find([[0, 0, 1], [1.5, 0, 1]])
    search.find([[0, 0, 1], [1.0, 0, 1]])
    assert first.overlap.tolist() == [0.5]


def test_contacts_survive_pickling() -> None:
    contacts = carom.contacts(random_spheres(200, 3), box=1.0)
    copy = pickle.loads(pickle.dumps(contacts))
    np.testing.assert_array_equal(copy.pairs, contacts.pairs)
    np.testing.assert_array_equal(copy.normals(), contacts.normals())


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"box": 1.0},
        {"box": (1.0, None, 2.0), "method": "cell-tree"},
        {"cells_mean": 5.0},
        {"origin": "center"},
        {"origin": [0.25, 0.5, 0.75], "box": 1.0},
    ],
    ids=str,
)
def test_a_search_is_pickled_and_copied_with_its_settings(settings: dict[str, Any]) -> None:
    spheres = random_spheres(300, 3)
    search = carom.ContactSearch(**settings)
    expected = search.find(spheres)
    for again in [pickle.loads(pickle.dumps(search)), copy.copy(search), copy.deepcopy(search)]:
        assert repr(again) == repr(search)
        found = again.find(spheres)
        np.testing.assert_array_equal(found.pairs, expected.pairs)
        np.testing.assert_array_equal(found.overlap, expected.overlap)
        for count in ("method", "structure", "pair_tests"):
            assert again.statistics[count] == search.statistics[count]


def test_rows_of_floats_are_not_copied() -> None:
    spheres = random_spheres(100_000, 3)
    spheres[:, 3] = 1e-9

    def peak(positions: np.ndarray) -> int:
        tracemalloc.start()
        carom.contacts(positions)
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    assert peak(spheres) < 10_000
    spheres.flags.writeable = False
    assert peak(spheres) < 10_000
    assert peak(spheres[::-1]) >= spheres.nbytes


def test_too_many_contacts_are_refused_before_memory_is_full() -> None:
    with pytest.raises(carom.Error, match="contacts need about .* of memory"):
        carom.contacts(np.zeros((3_000_000, 4)))
