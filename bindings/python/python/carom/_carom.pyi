"""The compiled part of carom. A section for each file of src."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from carom.particles import Particles
from carom.types import (
    Box,
    ContactMethod,
    ContainmentMethod,
    Feature,
    FillRule,
    Floats,
    Indices,
    Origin,
    Path,
)

__all__ = [
    "ClosestFeatures",
    "ContactSearch",
    "Contacts",
    "Distance",
    "Mesh",
    "Polyhedron",
    "Triangulation",
    "__version__",
    "_contacts_from_parts",
    "_panic",
    "_time_contacts",
    "_time_contains",
    "case",
    "contacts",
    "distance",
    "foam",
    "lattice",
    "particles",
    "polyhedron",
    "read_particles",
    "run_program",
    "set_threads",
    "sphere",
    "threads",
    "triangulate",
    "write_particles",
]

__version__: str

# --------------------------------------------------------------- contacts.rs

def contacts(
    positions: ArrayLike,
    radii: ArrayLike | None = None,
    *,
    box: Box | None = None,
    method: ContactMethod = "auto",
    cells_mean: float | None = None,
    origin: Origin | None = None,
    check: bool = False,
) -> Contacts: ...
def _contacts_from_parts(
    spheres: Floats, pairs: Indices, overlap: Floats, box: Box | None
) -> Contacts: ...

@final
class Contacts:
    @property
    def pairs(self) -> Indices: ...
    @property
    def overlap(self) -> Floats: ...
    def normals(self) -> Floats: ...
    def points(self) -> Floats: ...
    def counts(self) -> Indices: ...
    def to_csr(self, weights: Literal["overlap", "one"] = "overlap") -> Any: ...
    def clusters(self) -> Indices: ...
    def to_pandas(self) -> Any: ...
    def save(self, path: Path) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class ContactSearch:
    def __new__(
        cls,
        *,
        box: Box | None = None,
        method: ContactMethod = "auto",
        cells_mean: float | None = None,
        origin: Origin | None = None,
    ) -> ContactSearch: ...
    def find(self, positions: ArrayLike, radii: ArrayLike | None = None) -> Contacts: ...
    @property
    def statistics(self) -> dict[str, Any]: ...

# --------------------------------------------------------------- generate.rs

def particles(
    count: int = 1000,
    *,
    dimension: Literal[2, 3] = 3,
    diameters: tuple[float, float] = ...,
    log_normal: tuple[float, float, float, float] | None = None,
    box: Sequence[float] | None = None,
    density: float | None = None,
    fraction: float | None = None,
    periodic: bool = False,
    seed: int = ...,
) -> Particles: ...
def lattice(
    kind: Literal["square", "triangular", "cubic", "fcc"],
    count: int = 1000,
    *,
    spacing: float = 1.0,
    radius: float | None = None,
) -> Particles: ...
def case(
    name: Literal["2A", "2B", "2C", "3A", "3B", "3C", "P2", "P3", "LN", "BIG"],
    count: int = 10000,
    *,
    seed: int = ...,
) -> Particles: ...
def sphere(refinements: int, *, radius: float = 1.0) -> Mesh: ...
def foam(triangles: int, *, cells: int = 4, seed: int = ...) -> Mesh: ...
def polyhedron(
    kind: Literal[
        "tetrahedron",
        "cube",
        "octahedron",
        "dodecahedron",
        "icosahedron",
        "sphere",
        "random",
        "ellipsoid",
        "prism",
        "box",
    ],
    *,
    faces: int | None = None,
    axes: Sequence[float] | None = None,
    sides: int | None = None,
    height: float | None = None,
    size: Sequence[float] | None = None,
    radius: float | None = None,
    seed: int | None = None,
) -> Polyhedron: ...

# ------------------------------------------------------------------- mesh.rs

@final
class Mesh:
    def __new__(cls, vertices: ArrayLike, faces: ArrayLike | Sequence[ArrayLike]) -> Mesh: ...
    @staticmethod
    def load(path: Path) -> Mesh: ...
    @staticmethod
    def of(other: Any) -> Mesh: ...
    def save(self, path: Path) -> None: ...
    @property
    def vertices(self) -> Floats: ...
    @property
    def faces(self) -> Indices: ...
    @property
    def polygons(self) -> list[Indices]: ...
    @property
    def bounds(self) -> Floats: ...
    @property
    def is_watertight(self) -> bool: ...
    @property
    def is_winding_consistent(self) -> bool: ...
    @property
    def is_convex(self) -> bool: ...
    @property
    def volume(self) -> float: ...
    @property
    def area(self) -> float: ...
    @property
    def center_mass(self) -> Floats: ...
    @property
    def moment_inertia(self) -> Floats: ...
    def report(self) -> dict[str, Any]: ...
    def describe(self, name: str = "the mesh") -> str: ...
    def welded(self) -> Mesh: ...
    def contains(
        self,
        points: ArrayLike,
        *,
        rule: FillRule = "even-odd",
        method: ContainmentMethod = "auto",
        pose: ArrayLike | None = None,
        out: NDArray[np.bool_] | None = None,
    ) -> NDArray[np.bool_]: ...
    def containment(
        self,
        points: ArrayLike,
        *,
        rule: FillRule = "even-odd",
        method: ContainmentMethod = "auto",
        pose: ArrayLike | None = None,
    ) -> NDArray[np.int8]: ...
    def signed_distance(
        self,
        points: ArrayLike,
        *,
        rule: FillRule = "even-odd",
        method: ContainmentMethod = "auto",
        pose: ArrayLike | None = None,
    ) -> Floats: ...
    def closest_point(
        self, points: ArrayLike, *, pose: ArrayLike | None = None
    ) -> tuple[Floats, Floats, Indices]: ...
    def winding_number(
        self, points: ArrayLike, *, error: float = 0.001, pose: ArrayLike | None = None
    ) -> Floats: ...
    def penetrating_vertices(
        self, other: Mesh, pose: ArrayLike | None = None, other_pose: ArrayLike | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]: ...
    def convex_hull(self) -> Polyhedron: ...
    def to_polyhedron(self) -> Polyhedron: ...
    def to_trimesh(self) -> Any: ...
    def to_pyvista(self) -> Any: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

# -------------------------------------------------------------- particles.rs

def read_particles(path: Path) -> Particles: ...
def write_particles(
    path: Path, positions: ArrayLike, radii: ArrayLike | None = None, *, box: Box | None = None
) -> None: ...

# ------------------------------------------------------------- polyhedron.rs

@final
class Polyhedron:
    def __new__(cls, points: ArrayLike) -> Polyhedron: ...
    @staticmethod
    def load(path: Path) -> Polyhedron: ...
    @property
    def vertices(self) -> Floats: ...
    @property
    def faces(self) -> list[Indices]: ...
    @property
    def normals(self) -> Floats: ...
    @property
    def volume(self) -> float: ...
    @property
    def center_mass(self) -> Floats: ...
    @property
    def moment_inertia(self) -> Floats: ...
    def mesh(self) -> Mesh: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def distance(
    a: Polyhedron,
    b: Polyhedron,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
) -> Distance: ...

@final
class Distance:
    @property
    def distance(self) -> float: ...
    @property
    def points(self) -> Floats: ...
    @property
    def normal(self) -> Floats: ...
    @property
    def features(self) -> tuple[Feature, Feature]: ...
    @property
    def contact_points(self) -> Floats: ...
    @property
    def contact_distances(self) -> Floats: ...
    @property
    def iterations(self) -> int: ...

@final
class ClosestFeatures:
    def __new__(cls, a: Polyhedron, b: Polyhedron) -> ClosestFeatures: ...
    def __call__(
        self, pose_a: ArrayLike | None = None, pose_b: ArrayLike | None = None
    ) -> Distance: ...
    def many(self, poses_a: ArrayLike, poses_b: ArrayLike) -> tuple[Floats, Floats, Floats]: ...

# ---------------------------------------------------------------- program.rs

def run_program(arguments: Sequence[str]) -> int: ...

# ------------------------------------------------------------- rust_calls.rs

def _time_contacts(positions: ArrayLike) -> tuple[float, int]: ...
def _time_contains(mesh: Mesh, points: ArrayLike, repetitions: int) -> tuple[float, int]: ...

# ------------------------------------------------------------ thread_pool.rs

def set_threads(count: int | None) -> None: ...
def threads() -> int: ...
def _panic(message: str, everywhere: bool) -> None: ...

# ---------------------------------------------------------- triangulation.rs

def triangulate(
    positions: ArrayLike, radii: ArrayLike | None = None, *, box: Box | None = None
) -> Triangulation: ...

@final
class Triangulation:
    @property
    def simplices(self) -> NDArray[np.int32]: ...
    @property
    def neighbors(self) -> NDArray[np.int32]: ...
    @property
    def edges(self) -> NDArray[np.int32]: ...
    @property
    def vertex_neighbor_vertices(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]: ...
    @property
    def hidden(self) -> NDArray[np.bool_]: ...
    def cell_volumes(self) -> Floats: ...
    def cell_facets(self) -> Indices: ...
    def cell(self, body: int) -> Polyhedron | Floats | None: ...
    def save(self, path: Path) -> None: ...
    def check(self) -> None: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
