"""Uses of the package whose types are checked by mypy; nothing here runs."""

from __future__ import annotations

from pathlib import Path
from typing import assert_type

import numpy as np
from numpy.typing import NDArray

import carom

Floats = NDArray[np.float64]
Indices = NDArray[np.uint32]

spheres, box = carom.generate.particles(100, periodic=True)
assert_type(spheres, Floats)
found = carom.contacts(spheres, box=box, method="linked-cells", cells_mean=3)
assert_type(found, carom.Contacts)
assert_type(found.pairs, Indices)
assert_type(found.normals(), Floats)
assert_type(len(found), int)
pairs, overlap = found
carom.contacts([[0, 0], [1, 1]], 0.5, box=(1, None))
carom.contacts(np.zeros((3, 3), np.float32), [1, 2, 3], origin=[0, 0, 0])
carom.contacts(spheres, method="octree")  # type: ignore[arg-type]
search = carom.ContactSearch(box=1.0)
assert_type(search.find(spheres), carom.Contacts)

mesh = carom.Mesh.load(Path("rock.stl"))
assert_type(mesh.contains(np.zeros((2, 3)), rule="winding"), NDArray[np.bool_])
assert_type(mesh.closest_point([[0, 0, 0]]), tuple[Floats, Floats, Indices])
mesh.contains([[0, 0, 0]], rule="parity")  # type: ignore[arg-type]
carom.Mesh([[0, 0, 0]], [[0, 1, 2], [0, 1, 2, 3]])
assert_type(mesh.to_polyhedron(), carom.Polyhedron)

body = carom.generate.polyhedron("box", size=(1, 1, 1))
assert_type(carom.distance(body, body, pose_b=(3, 0, 0)).distance, float)
query = carom.ClosestFeatures(body, body)
assert_type(query(pose_b=np.eye(4)), carom.Distance)
for kind, index in query().features:
    assert_type(index, int | tuple[int, int])

triangulation = carom.triangulate(spheres, box=box)
assert_type(triangulation.simplices, NDArray[np.int32])
carom.set_threads(None)
carom.set_threads("all")  # type: ignore[arg-type]

try:
    carom.read_particles("grains.csv")
except carom.FileError as error:
    assert_type(error, carom.FileError)
except ValueError:
    pass
