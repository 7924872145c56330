"""The compiled part of carom. A section for each file of src."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Self, disjoint_base

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
    "CheckedScene",
    "ClosestFeatures",
    "ContactSearch",
    "Contacts",
    "Distance",
    "Frame",
    "Mesh",
    "Polyhedron",
    "ResultsReader",
    "State",
    "Triangulation",
    "World",
    "_Simulation",
    "__version__",
    "_as_run",
    "_contacts_from_parts",
    "_export_page",
    "_format_toml",
    "_format_toml_value",
    "_frame_of_parts",
    "_panic",
    "_parse_duration",
    "_parse_toml",
    "_plain_tables",
    "_read_checkpoint",
    "_run",
    "_schema",
    "_shipped_scenes",
    "_sweep",
    "_time_contacts",
    "_time_contains",
    "_unknown_name",
    "_write_results",
    "case",
    "contacts",
    "distance",
    "foam",
    "lattice",
    "particles",
    "polyhedron",
    "read_particles",
    "run_program",
    "set_memory",
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
) -> Contacts:
    """Find all contacts among spheres or discs.

    Two of them are in contact if `radius_i + radius_j - distance >= 0`, to the nearest image in a periodic box. All
    methods give the same answer to the bit, for any number of threads.

    Parameters
    ----------
    positions : array_like, shape (N, D) or (N, D + 1)
        Centers of discs (D = 2) or spheres (D = 3). Without `radii`, the last column is the radius; such an array of
        float64 in C order is not copied, unless it has more than a million rows.
    radii : float or array_like, shape (N,), optional
        One radius for all, or one for each.
    box : float, sequence of float or None, or box of freud, ASE or OVITO, optional
        Periods: one for all axes, or one for each, None where the axis is open. Where the box starts does not matter.
    method : str
        "auto", "all-pairs", "distance-sort", "linked-cells", "cell-tree", "sweep-and-prune",
        "incremental-sweep-and-prune", "hierarchical-grid" or "delaunay".
    cells_mean : float, optional
        Search by linked cells with this mean number of particles in each.
    origin : {"corner", "center"} or array_like, shape (D,), optional
        Search by sorted distances from this point.
    check : bool
        Verify the search structure completely after the search.

    Returns
    -------
    Contacts
        Pairs in ascending order; `pairs, overlap = carom.contacts(...)` works.

    Examples
    --------
    >>> import numpy as np, carom
    >>> spheres = np.array([[0.0, 0.0, 0.0, 1.0], [1.5, 0.0, 0.0, 1.0], [9.0, 0.0, 0.0, 1.0]])
    >>> pairs, overlap = carom.contacts(spheres)
    >>> pairs
    array([[0, 1]], dtype=uint32)
    >>> overlap
    array([0.5])
    >>> carom.contacts(spheres[:, :3], 1.0, box=10.0).pairs.tolist()
    [[0, 1], [0, 2]]
    """

def _contacts_from_parts(
    spheres: Floats, pairs: Indices, overlap: Floats, box: Box | None
) -> Contacts: ...

@final
class Contacts:
    """Contacts among spheres or discs, in ascending order of pairs.

    Unpacks into its two arrays, `pairs, overlap = contacts`; its length is the number of contacts. Normals and points
    are computed when they are asked for, from the positions that were searched: where that array was changed since,
    they raise `carom.Error`.

    Examples
    --------
    >>> import carom
    >>> contacts = carom.contacts([[0, 0, 1], [1.5, 0, 1], [1.5, 1, 0.5]])
    >>> len(contacts)
    2
    >>> contacts
    <carom.Contacts: 2 among 3 discs>
    """

    @property
    def pairs(self) -> Indices:
        """Indices of the two bodies of each contact, the smaller first. Shape (M, 2), uint32.

        Examples
        --------
        >>> import carom
        >>> carom.contacts([[0, 0, 1], [1.5, 0, 1]]).pairs
        array([[0, 1]], dtype=uint32)
        """

    @property
    def overlap(self) -> Floats:
        """Overlap of each contact, radius_i + radius_j - distance, never negative. Shape (M,).

        Examples
        --------
        >>> import carom
        >>> carom.contacts([[0, 0, 1], [1.5, 0, 1]]).overlap
        array([0.5])
        """

    def normals(self) -> Floats:
        """Unit vector of each contact from the first body to the second, to its nearest image. Shape (M, D).

        Zero where the two centers are in one place.

        Examples
        --------
        >>> import carom
        >>> carom.contacts([[0, 0, 1], [1.5, 0, 1]]).normals()
        array([[1., 0.]])
        """

    def points(self) -> Floats:
        """Middle of the overlap of each contact, on the line between the centers. Shape (M, D).

        In a periodic box it is near the first body of the pair, and may be outside of the box.

        Examples
        --------
        >>> import carom
        >>> carom.contacts([[0, 0, 1], [1.5, 0, 1]]).points()
        array([[0.75, 0.  ]])
        """

    def counts(self) -> Indices:
        """Number of contacts of each body. Shape (N,), uint32.

        Examples
        --------
        >>> import carom
        >>> carom.contacts([[0, 0, 1], [1.5, 0, 1], [1.5, 1, 0.5]]).counts()
        array([1, 2, 1], dtype=uint32)
        """

    def to_csr(self, weights: Literal["overlap", "one"] = "overlap") -> Any:
        """Contacts as a symmetric sparse matrix of SciPy, with sorted indices.

        Parameters
        ----------
        weights : {"overlap", "one"}
            What the elements are. An overlap of zero is stored too.

        Returns
        -------
        scipy.sparse.csr_array, shape (N, N)

        Examples
        --------
        >>> import carom
        >>> carom.contacts([[0, 0, 1], [1.5, 0, 1]]).to_csr().toarray()
        array([[0. , 0.5],
               [0.5, 0. ]])
        """

    def clusters(self) -> Indices:
        """Cluster of each body: those that are connected by contacts have the same number. Shape (N,), uint32.

        Clusters are numbered by size, the largest is 0; of equal sizes the one with the smaller body comes first.

        Examples
        --------
        >>> import carom
        >>> carom.contacts([[9, 9, 1], [0, 0, 1], [1.5, 0, 1]]).clusters()
        array([1, 0, 0], dtype=uint32)
        """

    def to_pandas(self) -> Any:
        """Contacts as a DataFrame of pandas with columns i, j and overlap.

        Examples
        --------
        >>> import carom
        >>> carom.contacts([[0, 0, 1], [1.5, 0, 1]]).to_pandas()  # doctest: +SKIP
           i  j  overlap
        0  0  1      0.5
        """

    def save(self, path: Path) -> None:
        """Write the contacts to a file: CSV i,j,overlap, as the command line does, or a picture if it ends in .svg.

        Examples
        --------
        >>> import carom, pathlib, tempfile
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "contacts.csv"
        >>> carom.contacts([[0, 0, 1], [1.5, 0, 1]]).save(file)
        >>> print(file.read_text().strip())
        i,j,overlap
        0,1,0.5
        """

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class ContactSearch:
    """A search for contacts that keeps its buffers from step to step.

    Pickling keeps its settings: what is unpickled finds the same, with buffers of its own.

    Parameters
    ----------
    box, method, cells_mean, origin
        As those of `carom.contacts`.

    Examples
    --------
    >>> import numpy as np, carom
    >>> spheres = np.random.default_rng(1).random((1000, 4)) * [1, 1, 1, 0.05]
    >>> search = carom.ContactSearch(box=1.0)
    >>> for step in range(3):
    ...     spheres[:, 0] += 0.01
    ...     contacts = search.find(spheres)
    >>> search.statistics["method"]
    'hierarchical-grid'
    """

    def __new__(
        cls,
        *,
        box: Box | None = None,
        method: ContactMethod = "auto",
        cells_mean: float | None = None,
        origin: Origin | None = None,
    ) -> ContactSearch: ...
    def find(self, positions: ArrayLike, radii: ArrayLike | None = None) -> Contacts:
        """Find all contacts among spheres or discs.

        Parameters
        ----------
        positions, radii
            As those of `carom.contacts`. Their number may change from call to call.

        Returns
        -------
        Contacts

        Examples
        --------
        >>> import carom
        >>> carom.ContactSearch().find([[0, 0, 1], [1.5, 0, 1]])
        <carom.Contacts: 1 among 2 discs>
        """

    @property
    def statistics(self) -> dict[str, Any]:
        """What the last search did and what it cost: a dict with method, reason, structure, pair_tests, candidates,
        contacts, seconds and extra_memory_bytes, as `carom contacts --json` has them.

        Examples
        --------
        >>> import carom
        >>> search = carom.ContactSearch(method="all-pairs")
        >>> contacts = search.find([[0, 0, 1], [1.5, 0, 1]])
        >>> search.statistics["pair_tests"]
        1
        """

    def __reduce__(self) -> tuple[Any, ...]: ...

# ------------------------------------------------------------------ frame.rs

@final
class Frame:
    """All bodies of a run at one instant, in the order of their ids.

    Arrays are copies, made when they are asked for.

    Examples
    --------
    >>> import carom
    >>> frame = carom.Simulation(":hopper").frame()
    >>> frame
    <carom.Frame: 1000 bodies at time 0>
    >>> frame.positions.shape
    (1000, 2)
    """

    @property
    def time(self) -> float:
        """Simulated time.

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").frame().time
        0.0
        """

    @property
    def step(self) -> int:
        """Number of steps or collisions so far; 0 where the format of its file does not say.

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").frame().step
        0
        """

    @property
    def number(self) -> int:
        """Number among the frames of the run, from zero.

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").frame().number
        0
        """

    @property
    def dimension(self) -> int:
        """Number of dimensions, 2 or 3.

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").frame().dimension
        2
        """

    @property
    def box(self) -> tuple[float | None, ...]:
        """Length of the box on each axis, None where it is open.

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").frame().box
        (24.0, 40.0)
        """

    @property
    def periodic(self) -> tuple[bool, ...]:
        """Whether the box is periodic on each axis.

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").frame().periodic
        (False, False)
        """

    @property
    def positions(self) -> Floats:
        """Positions of the centers. Shape (N, D).

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").frame().positions.shape
        (1000, 2)
        """

    @property
    def velocities(self) -> Floats:
        """Velocities of the centers. Shape (N, D).

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").frame().velocities[0]
        array([0., 0.])
        """

    @property
    def radii(self) -> Floats:
        """Radii, of bodies with a shape those of their bounding spheres. Shape (N,).

        Examples
        --------
        >>> import carom
        >>> bool((carom.Simulation(":hopper").frame().radii >= 0.2).all())
        True
        """

    @property
    def masses(self) -> Floats | None:
        """Masses, if the frame has them. Shape (N,).

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").frame().masses.shape
        (1000,)
        """

    @property
    def materials(self) -> Indices | None:
        """Indices of the materials, if there are several. Shape (N,), uint32.

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").frame().materials is None
        True
        """

    @property
    def ids(self) -> Indices:
        """Id of each body, which it keeps when others leave. Shape (N,), uint32.

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").frame().ids[:3]
        array([0, 1, 2], dtype=uint32)
        """

    @property
    def orientations(self) -> Floats | None:
        """Orientations as unit quaternions w, x, y, z, if some bodies have a shape. Shape (N, 4).

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":dice").frame().orientations.shape[1]
        4
        """

    @property
    def shapes(self) -> NDArray[np.int32] | None:
        """Index of the shape of each body, -1 for discs and spheres; None if no body has a shape. Shape (N,), int32.

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":dice").frame().shapes.min() >= 0
        np.True_
        """

    @property
    def columns(self) -> dict[str, Floats]:
        """Further numbers of each body by their names, such as "pressure". A dict of arrays of shape (N,).

        Examples
        --------
        >>> import carom
        >>> sorted(carom.Simulation(":hopper").frame().columns)
        ['angular_velocity', 'cluster', 'contacts', 'pressure']
        """

    @property
    def springs(self) -> dict[str, NDArray[Any]] | None:
        """Springs of bonded solids, None if there are none: a dict of "ends" (S, 2), "strains" (S,) and "broken" (S,).

        Examples
        --------
        >>> import carom
        >>> sorted(carom.Simulation(":cradle").frame().springs)
        ['broken', 'ends', 'strains']
        """

    @property
    def contacts(self) -> dict[str, NDArray[Any]] | None:
        """Contacts, where the scene has `output.contacts` and the frame is in memory: a dict of "bodies" (M, 2) with -1 at
        walls, "walls" (M,) with -1 between bodies, "points" (M, D), "overlap", "normal_force" and "tangential_force" (M,).

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").frame().contacts is None
        True
        """

    def picture(self) -> bytes:
        r"""The picture of the frame, as the bytes of a PNG.

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").frame().picture()[:4]
        b'\x89PNG'
        """

    def to_pandas(self) -> Any:
        """Return a DataFrame of pandas with a row for each body, whose index is its id.

        Examples
        --------
        >>> import carom
        >>> list(carom.Simulation(":hopper").frame().to_pandas())[:4]  # doctest: +SKIP
        ['x', 'y', 'vx', 'vy']
        """

    def to_pyvista(self) -> Any:
        """Return PolyData of PyVista with a point for each body.

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").frame().to_pyvista().n_points  # doctest: +SKIP
        1000
        """

    def to_ase(self) -> Any:
        """Return ASE's Atoms, whose arrays have radii and columns.

        Examples
        --------
        >>> import carom
        >>> len(carom.Simulation(":hopper").frame().to_ase())  # doctest: +SKIP
        1000
        """

    def to_ovito(self) -> Any:
        """Return a DataCollection of OVITO with particles and a cell.

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").frame().to_ovito().particles.count  # doctest: +SKIP
        1000
        """

    def _repr_html_(self) -> str: ...
    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def _frame_of_parts(parts: dict[str, Any]) -> Frame: ...

# --------------------------------------------------------------- generate.rs

def particles(
    count: int = 1000,
    *,
    dimension: Literal[2, 3] = 3,
    diameters: tuple[float, float] = ...,
    log_normal: tuple[float, float, float, float] | None = None,
    box: Box | None = None,
    density: float | None = None,
    fraction: float | None = None,
    periodic: bool = False,
    seed: int = ...,
) -> Particles:
    """Generate particles at random positions, which may overlap.

    The same arguments give the same particles as `carom generate particles`.

    Parameters
    ----------
    count : int
    dimension : {2, 3}
    diameters : (float, float)
        Uniform between the two.
    log_normal : (float, float, float, float), optional
        Median, sigma, lowest and highest diameter: median * exp(sigma * normal), redrawn until between the last two.
    box : float, sequence of float, or box of freud, ASE or OVITO, optional
        Edges of the region of the centers: one for all axes, or one for each.
    density : float, optional
        Number of particles per volume of a cube, instead of `box`.
    fraction : float, optional
        Packing fraction in a cube, overlaps counted twice, instead of `box`; 0.3 if nothing is given.
    periodic : bool
        Whether the box is periodic.
    seed : int

    Returns
    -------
    Particles
        `spheres`, shape (N, D + 1), and `box`, None unless it is periodic.

    Examples
    --------
    >>> import carom
    >>> spheres, box = carom.generate.particles(1000, fraction=0.2, periodic=True)
    >>> spheres.shape, len(box)
    ((1000, 4), 3)
    >>> contacts = carom.contacts(spheres, box=box)
    """

def lattice(
    kind: Literal["square", "triangular", "cubic", "fcc"],
    count: int = 1000,
    *,
    spacing: float = 1.0,
    radius: float | None = None,
) -> Particles:
    """Generate equal particles on the sites of a lattice.

    Parameters
    ----------
    kind : {"square", "triangular", "cubic", "fcc"}
    count : int
    spacing : float
        Distance of nearest sites.
    radius : float, optional
        Slightly more than half the spacing, so that neighbors touch, if it is not given.

    Returns
    -------
    Particles

    Examples
    --------
    >>> import carom
    >>> spheres, box = carom.generate.lattice("fcc", 4000)
    >>> int(carom.contacts(spheres).counts().max())
    12
    """

def case(
    name: Literal["2A", "2B", "2C", "3A", "3B", "3C", "P2", "P3", "LN", "BIG"],
    count: int = 10000,
    *,
    seed: int = ...,
) -> Particles:
    """Generate a published workload.

    Parameters
    ----------
    name : str
        "2A", "2B", "2C", "3A", "3B", "3C", "P2", "P3", "LN" or "BIG".
    count : int
    seed : int

    Returns
    -------
    Particles

    Examples
    --------
    >>> import carom
    >>> spheres, box = carom.generate.case("3B", 10_000)
    >>> spheres.shape, box
    ((10000, 4), None)
    """

def sphere(refinements: int, *, radius: float = 1.0) -> Mesh:
    """Generate a sphere of triangles: an octahedron, each triangle split in four again and again.

    Parameters
    ----------
    refinements : int
        Times that every triangle is split, up to 12; there are 8 * 4**refinements triangles.
    radius : float

    Returns
    -------
    Mesh

    Examples
    --------
    >>> import carom
    >>> carom.generate.sphere(7)
    <carom.Mesh: 65538 vertices, 131072 faces>
    """

def foam(triangles: int, *, cells: int = 4, seed: int = ...) -> Mesh:
    """Generate an open-cell foam: struts along the edges of a random Voronoi diagram in the cube from -1 to 1.

    Parameters
    ----------
    triangles : int
        Number of triangles, to within a tenth; at least 500 * cells**3.
    cells : int
        Lattice cubes along an edge, from 2 to 50, with two pores in each.
    seed : int

    Returns
    -------
    Mesh

    Examples
    --------
    >>> import carom
    >>> carom.generate.foam(5000, cells=2).is_watertight
    True
    """

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
) -> Polyhedron:
    """Generate a convex polyhedron about the origin.

    Parameters
    ----------
    kind : str
        "tetrahedron", "cube", "octahedron", "dodecahedron" or "icosahedron", with `radius`; "sphere" or "random", with
        `faces`, `radius` and `seed`; "ellipsoid", with `faces`, `axes` and `seed`; "prism", with `sides`, `height` and
        `radius`; "box", with `size`.
    faces : int, optional
        Number of triangles, even.
    axes : (float, float, float), optional
        Semi-axes of an ellipsoid.
    sides : int, optional
        Of the polygon that a prism stands on.
    height : float, optional
    size : (float, float, float), optional
        Edges of a box.
    radius : float, optional
        Of the sphere through the corners, or of the circle through those of a prism's base; 1 if it is not given.
    seed : int, optional

    Returns
    -------
    Polyhedron

    Examples
    --------
    >>> import carom
    >>> carom.generate.polyhedron("dodecahedron")
    <carom.Polyhedron: 20 vertices, 12 faces>
    >>> carom.generate.polyhedron("prism", sides=6, height=0.5)
    <carom.Polyhedron: 12 vertices, 8 faces>
    """

# ----------------------------------------------------------------- memory.rs

def set_memory(limit: int | str | None) -> None:
    """Limit the memory that carom may take; None is what the machine has.

    What would need more is refused before it is begun, as by `--memory` on the command line.

    Parameters
    ----------
    limit : int, str or None
        Bytes, or a size such as "500MB" or "4G".

    Examples
    --------
    >>> import carom
    >>> carom.set_memory("4G")
    >>> carom.set_memory(None)
    """

# ------------------------------------------------------------------- mesh.rs

@final
class Mesh:
    """A surface of polygons that share vertices; seen from outside, the corners of a face are counterclockwise.

    What is asked of it is prepared when it is asked first, and kept.

    Parameters
    ----------
    vertices : array_like, shape (V, 3)
    faces : array_like, shape (F, K), or sequence of sequences
        Indices of the corners of each face, three or more. Faces of more than three are cut into triangles from their
        first corner, and must be convex for that.

    Examples
    --------
    >>> import carom
    >>> tetrahedron = carom.Mesh(
    ...     [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
    ... )
    >>> tetrahedron
    <carom.Mesh: 4 vertices, 4 faces>
    >>> tetrahedron.contains([[0.1, 0.1, 0.1], [1, 1, 1]])
    array([ True, False])
    """

    def __new__(cls, vertices: ArrayLike, faces: ArrayLike | Sequence[ArrayLike]) -> Mesh: ...
    @staticmethod
    def load(path: Path) -> Mesh:
        """Read an STL, OBJ, PLY or OFF file.

        Examples
        --------
        >>> import carom, pathlib, tempfile
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "ball.off"
        >>> carom.generate.sphere(1).save(file)
        >>> carom.Mesh.load(file)
        <carom.Mesh: 18 vertices, 32 faces>
        """

    @staticmethod
    def of(other: Any) -> Mesh:
        """Take a mesh of trimesh, PyVista, meshio or Open3D.

        Examples
        --------
        >>> import carom
        >>> import trimesh  # doctest: +SKIP
        >>> carom.Mesh.of(trimesh.creation.box())  # doctest: +SKIP
        <carom.Mesh: 8 vertices, 12 faces>
        """

    def save(self, path: Path) -> None:
        """Write the mesh to a file that ends in .stl, .obj, .ply or .off; the last three keep every bit.

        Examples
        --------
        >>> import carom, pathlib, tempfile
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "ball.ply"
        >>> ball = carom.generate.sphere(1)
        >>> ball.save(file)
        >>> bool((carom.Mesh.load(file).vertices == ball.vertices).all())
        True
        """

    @property
    def vertices(self) -> Floats:
        """Positions of the vertices, a copy. Shape (V, 3).

        Examples
        --------
        >>> import carom
        >>> carom.generate.sphere(0).vertices.shape
        (6, 3)
        """

    @property
    def faces(self) -> Indices:
        """Corners of the triangles that the faces are cut into, a copy. Shape (T, 3), uint32.

        Examples
        --------
        >>> import carom
        >>> carom.generate.polyhedron("cube").mesh().faces.shape
        (12, 3)
        """

    @property
    def polygons(self) -> list[Indices]:
        """Corners of the faces as they were given: a list of arrays of uint32.

        Examples
        --------
        >>> import carom
        >>> [len(polygon) for polygon in carom.generate.polyhedron("cube").mesh().polygons]
        [4, 4, 4, 4, 4, 4]
        """

    @property
    def bounds(self) -> Floats:
        """Lowest and highest corner of the box around all faces. Shape (2, 3).

        Examples
        --------
        >>> import carom
        >>> carom.generate.sphere(0).bounds
        array([[-1., -1., -1.],
               [ 1.,  1.,  1.]])
        """

    @property
    def is_watertight(self) -> bool:
        """Whether every edge belongs to two faces of consistent orientation.

        Examples
        --------
        >>> import carom
        >>> carom.generate.sphere(0).is_watertight
        True
        """

    @property
    def is_winding_consistent(self) -> bool:
        """Whether the two faces at each edge agree which side is out.

        Examples
        --------
        >>> import carom
        >>> carom.generate.sphere(0).is_winding_consistent
        True
        """

    @property
    def is_convex(self) -> bool:
        """Whether the mesh is the surface of a convex body, to a millionth of its size.

        Examples
        --------
        >>> import carom
        >>> carom.generate.sphere(2).is_convex, carom.generate.foam(5000, cells=2).is_convex
        (True, False)
        """

    @property
    def volume(self) -> float:
        """Volume of the closed mesh; negative if it is inside out.

        Examples
        --------
        >>> import carom
        >>> round(carom.generate.sphere(0).volume, 12)
        1.333333333333
        """

    @property
    def area(self) -> float:
        """Area of all faces.

        Examples
        --------
        >>> import carom
        >>> round(carom.generate.sphere(0).area, 12)
        6.928203230276
        """

    @property
    def center_mass(self) -> Floats:
        """Center of mass of the closed mesh. Shape (3,).

        Examples
        --------
        >>> import carom
        >>> carom.generate.sphere(0).center_mass.shape
        (3,)
        """

    @property
    def moment_inertia(self) -> Floats:
        """Inertia tensor of the closed mesh about its center of mass, for density one. Shape (3, 3).

        Examples
        --------
        >>> import carom
        >>> carom.generate.sphere(0).moment_inertia.shape
        (3, 3)
        """

    def report(self) -> dict[str, Any]:
        """What the mesh is and what is wrong with it: the dict of `carom check MESH --json`.

        Examples
        --------
        >>> import carom
        >>> report = carom.generate.sphere(0).report()
        >>> report["closed"], report["inside_rules"]
        (True, ['even-odd', 'nonzero', 'winding'])
        """

    def describe(self, name: str = "the mesh") -> str:
        """What the mesh is and what is wrong with it, in the words of `carom check MESH`.

        Examples
        --------
        >>> import carom
        >>> print(carom.generate.sphere(0).describe("ball"))  # doctest: +ELLIPSIS
        ball is a closed, convex mesh
          vertices        6
          ...
        """

    def welded(self) -> Mesh:
        """The mesh with vertices of equal position welded, without faces that have fewer than three corners left.

        Examples
        --------
        >>> import carom
        >>> apart = carom.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 0]], [[0, 1, 2], [3, 2, 1]])
        >>> apart.welded().faces
        array([[0, 1, 2],
               [0, 2, 1]], dtype=uint32)
        """

    def repair(
        self, *, weld: float = 0.0, fill_holes: int = 0
    ) -> tuple[Mesh, dict[str, int]]:
        """The mesh without what can be repaired: vertices to weld, faces without area, repeated or turned, and holes.

        Parameters
        ----------
        weld : float
            A vertex at most this far from an earlier one becomes it; equal ones always do.
        fill_holes : int
            Holes of at most this number of edges are filled.

        Returns
        -------
        mesh : Mesh
        report : dict of int
            What was done, and what is left: `open_edges`, `non_manifold_edges` and `misoriented_edges`.

        Examples
        --------
        >>> import carom
        >>> ball = carom.generate.sphere(2)
        >>> mesh, report = carom.Mesh(ball.vertices, ball.faces[1:]).repair(fill_holes=10)
        >>> mesh.is_watertight, report["filled_holes"], report["open_edges"]
        (True, 1, 0)
        """

    def contains(
        self,
        points: ArrayLike,
        *,
        rule: FillRule = "even-odd",
        method: ContainmentMethod = "auto",
        pose: ArrayLike | None = None,
        out: NDArray[np.bool_] | None = None,
    ) -> NDArray[np.bool_]:
        """Whether points are inside or on the surface.

        Parameters
        ----------
        points : array_like, shape (N, 3)
            Not copied if it is float64 in C order and there is no `pose`.
        rule : {"even-odd", "nonzero", "winding"}
            What is inside where parts overlap, faces are turned round or missing.
        method : {"auto", "cells", "ray", "double-layer", "multipole"}
        pose : array_like, optional
            Position of the mesh, or position and unit quaternion x, y, z, qw, qx, qy, qz, or a 4 x 4 matrix.
        out : ndarray of bool, shape (N,), optional
            Filled and returned.

        Returns
        -------
        ndarray of bool, shape (N,)

        Examples
        --------
        >>> import carom
        >>> carom.generate.sphere(3).contains([[0, 0, 0.5], [0, 0, 1], [0, 0, 1.5]])
        array([ True,  True, False])
        """

    def containment(
        self,
        points: ArrayLike,
        *,
        rule: FillRule = "even-odd",
        method: ContainmentMethod = "auto",
        pose: ArrayLike | None = None,
    ) -> NDArray[np.int8]:
        """Where points are: 1 inside, 0 on the surface, -1 outside.

        The methods "cells" and "ray" are exact: a point is on the surface if it lies on a face, an edge or a vertex to
        the last bit.

        Parameters
        ----------
        points, rule, method, pose
            As those of `contains`.

        Returns
        -------
        ndarray of int8, shape (N,)

        Examples
        --------
        >>> import carom
        >>> carom.generate.sphere(3).containment([[0, 0, 0.5], [0, 0, 1], [0, 0, 1.5]])
        array([ 1,  0, -1], dtype=int8)
        """

    def signed_distance(
        self,
        points: ArrayLike,
        *,
        rule: FillRule = "even-odd",
        method: ContainmentMethod = "auto",
        pose: ArrayLike | None = None,
    ) -> Floats:
        """Distances of points from the surface: negative inside, zero on it, positive outside.

        trimesh has the opposite sign.

        Parameters
        ----------
        points, rule, method, pose
            As those of `contains`.

        Returns
        -------
        ndarray, shape (N,)

        Examples
        --------
        >>> import carom
        >>> carom.generate.polyhedron("box", size=(2, 2, 2)).mesh().signed_distance([[0, 0, 0.75], [0, 0, 3]])
        array([-0.25,  2.  ])
        """

    def closest_point(
        self, points: ArrayLike, *, pose: ArrayLike | None = None
    ) -> tuple[Floats, Floats, Indices]:
        """Closest points of the surface.

        Parameters
        ----------
        points : array_like, shape (N, 3)
        pose : array_like, optional
            As that of `contains`.

        Returns
        -------
        positions : ndarray, shape (N, 3)
        distances : ndarray, shape (N,)
        faces : ndarray of uint32, shape (N,)
            Rows of `faces` that the positions are on.

        Examples
        --------
        >>> import carom
        >>> box = carom.generate.polyhedron("box", size=(2, 2, 2)).mesh()
        >>> positions, distances, faces = box.closest_point([[0.25, 0.5, 3]])
        >>> positions, distances
        (array([[0.25, 0.5 , 1.  ]]), array([2.]))
        """

    def winding_number(
        self, points: ArrayLike, *, error: float = 0.001, pose: ArrayLike | None = None
    ) -> Floats:
        """How often the surface winds around points: 1 inside of a simple closed surface, 0 outside, a fraction where
        faces are missing.

        Parameters
        ----------
        points : array_like, shape (N, 3)
        error : float
            Largest error; actual ones are much smaller. Zero sums all triangles, right to rounding.
        pose : array_like, optional
            As that of `contains`.

        Returns
        -------
        ndarray, shape (N,)

        Examples
        --------
        >>> import carom
        >>> carom.generate.sphere(2).winding_number([[0, 0, 0], [0, 0, 2]], error=0).round(12) + 0
        array([1., 0.])
        """

    def penetrating_vertices(
        self, other: Mesh, pose: ArrayLike | None = None, other_pose: ArrayLike | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Vertices of two meshes that are inside each other: where two bodies penetrate.

        Parameters
        ----------
        other : Mesh
        pose, other_pose : array_like, optional
            Of this mesh and the other, as that of `contains`.

        Returns
        -------
        tuple of two dicts
            For the vertices of this mesh inside the other, and of the other inside this one: `vertices` (K,) uint32,
            `positions` (K, 3), `depths` (K,), `exit_directions` (K, 3) of the shortest way out, `faces` (K,) uint32
            of the other that it leads to, and `areas` (K,) of the own surface that belong to the vertices.

        Examples
        --------
        >>> import carom
        >>> ball = carom.generate.sphere(3)
        >>> own, others = ball.penetrating_vertices(ball, other_pose=(1.75, 0, 0))
        >>> float(own["depths"].max()) > 0.2
        True
        """

    def convex_hull(self) -> Polyhedron:
        """Convex hull of all vertices.

        Examples
        --------
        >>> import carom
        >>> carom.generate.sphere(1).convex_hull()
        <carom.Polyhedron: 18 vertices, 32 faces>
        """

    def to_polyhedron(self) -> Polyhedron:
        """The convex polyhedron whose surface the mesh is; refused if it is not convex to a millionth of its size.

        Examples
        --------
        >>> import carom
        >>> carom.generate.sphere(1).to_polyhedron().volume < 4.19
        True
        """

    def to_trimesh(self) -> Any:
        """The mesh as a Trimesh of trimesh.

        Examples
        --------
        >>> import carom
        >>> carom.generate.sphere(1).to_trimesh()  # doctest: +SKIP
        <trimesh.Trimesh(vertices.shape=(18, 3), faces.shape=(32, 3))>
        """

    def to_pyvista(self) -> Any:
        """The mesh as a PolyData of PyVista.

        Examples
        --------
        >>> import carom
        >>> carom.generate.sphere(1).to_pyvista().n_cells  # doctest: +SKIP
        32
        """

    def _repr_html_(self) -> str: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

# ------------------------------------------------------------------ names.rs

def _unknown_name(argument: str, text: str, names: Sequence[str]) -> str: ...

# -------------------------------------------------------------- particles.rs

def read_particles(path: Path) -> Particles:
    r"""Read the particles of a file.

    CSV, extended XYZ, VTK (.vtp) and LAMMPS dumps, which may be compressed by gzip, and results folders: RUN, RUN@first,
    RUN@12 or RUN@t=0.5 is a frame.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    Particles
        `spheres`, shape (N, D + 1), and `box`: a length or None for each axis, None if all are open.

    Examples
    --------
    >>> import carom, pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "grains.csv"
    >>> characters = file.write_text("x,y,r\n0,0,1\n1.5,0,1\n")
    >>> carom.read_particles(file).spheres
    array([[0. , 0. , 1. ],
           [1.5, 0. , 1. ]])
    """

def write_particles(
    path: Path, positions: ArrayLike, radii: ArrayLike | None = None, *, box: Box | None = None
) -> None:
    """Write particles to a file: CSV, extended XYZ (.xyz), VTK (.vtp) or a LAMMPS dump (.dump), compressed if .gz follows.

    Parameters
    ----------
    path : path-like
    positions, radii, box
        As those of `carom.contacts`. CSV does not keep the box.

    Examples
    --------
    >>> import carom, pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "grains.xyz"
    >>> carom.write_particles(file, [[0, 0, 1], [1.5, 0, 1]], box=(8, None))
    >>> carom.read_particles(file).box
    (8.0, None)
    """

# ------------------------------------------------------------- polyhedron.rs

@final
class Polyhedron:
    """A convex polyhedron: the hull of points.

    Parameters
    ----------
    points : array_like, shape (N, 3)

    Examples
    --------
    >>> import carom
    >>> cube = carom.Polyhedron([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    >>> cube, round(cube.volume, 12)
    (<carom.Polyhedron: 8 vertices, 6 faces>, 1.0)
    """

    def __new__(cls, points: ArrayLike) -> Polyhedron: ...
    @staticmethod
    def load(path: Path) -> Polyhedron:
        """Read a closed convex mesh from an STL, OBJ, PLY or OFF file.

        Examples
        --------
        >>> import carom, pathlib, tempfile
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "cube.off"
        >>> carom.generate.polyhedron("cube").mesh().save(file)
        >>> carom.Polyhedron.load(file)
        <carom.Polyhedron: 8 vertices, 6 faces>
        """

    @property
    def vertices(self) -> Floats:
        """Positions of the vertices, a copy. Shape (V, 3).

        Examples
        --------
        >>> import carom
        >>> carom.generate.polyhedron("cube").vertices.shape
        (8, 3)
        """

    @property
    def faces(self) -> list[Indices]:
        """Corners of each face, counterclockwise seen from outside: a list of arrays of uint32.

        Examples
        --------
        >>> import carom
        >>> [len(face) for face in carom.generate.polyhedron("cube").faces]
        [4, 4, 4, 4, 4, 4]
        """

    @property
    def normals(self) -> Floats:
        """Outward unit normal of each face. Shape (F, 3).

        Examples
        --------
        >>> import carom
        >>> carom.generate.polyhedron("cube").normals.shape
        (6, 3)
        """

    @property
    def volume(self) -> float:
        """Volume.

        Examples
        --------
        >>> import carom
        >>> carom.generate.polyhedron("box", size=(1, 2, 3)).volume
        6.0
        """

    @property
    def center_mass(self) -> Floats:
        """Center of mass. Shape (3,).

        Examples
        --------
        >>> import carom
        >>> carom.generate.polyhedron("cube").center_mass.round(12) + 0.0
        array([0., 0., 0.])
        """

    @property
    def moment_inertia(self) -> Floats:
        """Inertia tensor about the center of mass, for density one. Shape (3, 3).

        Examples
        --------
        >>> import carom
        >>> carom.generate.polyhedron("box", size=(1, 2, 3)).moment_inertia.diagonal().round(12)
        array([6.5, 5. , 2.5])
        """

    def mesh(self) -> Mesh:
        """The surface as a mesh, with one polygon for each face.

        Examples
        --------
        >>> import carom
        >>> carom.generate.polyhedron("cube").mesh()
        <carom.Mesh: 8 vertices, 6 faces>
        """

    def __reduce__(self) -> tuple[Any, ...]: ...

def distance(
    a: Polyhedron,
    b: Polyhedron,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
) -> Distance:
    """Distance of two convex polyhedra, or how deep they penetrate each other.

    Parameters
    ----------
    a, b : Polyhedron
    pose_a, pose_b : array_like, optional
        Position, or position and unit quaternion x, y, z, qw, qx, qy, qz, or a 4 x 4 matrix.

    Returns
    -------
    Distance

    Examples
    --------
    >>> import carom
    >>> cube = carom.generate.polyhedron("box", size=(1, 1, 1))
    >>> carom.distance(cube, cube, pose_b=(3, 0, 0)).distance
    2.0
    """

@final
class Distance:
    """The closest points of two convex polyhedra, or the deepest ones where they penetrate each other.

    Examples
    --------
    >>> import carom
    >>> cube = carom.generate.polyhedron("box", size=(1, 1, 1))
    >>> near = carom.distance(cube, cube, pose_b=(0.875, 0.5, 0))
    >>> near
    <carom.Distance: penetrating, 0.125 deep>
    >>> near.normal, len(near.contact_points)
    (array([1., 0., 0.]), 4)
    """

    @property
    def distance(self) -> float:
        """Distance; where they penetrate, minus the penetration depth.

        Examples
        --------
        >>> import carom
        >>> cube = carom.generate.polyhedron("box", size=(1, 1, 1))
        >>> carom.distance(cube, cube, pose_b=(0.75, 0, 0)).distance
        -0.25
        """

    @property
    def points(self) -> Floats:
        """Closest point of each body. Shape (2, 3).

        Examples
        --------
        >>> import carom
        >>> cube = carom.generate.polyhedron("box", size=(1, 1, 1))
        >>> carom.distance(cube, cube, pose_b=(3, 3, 3)).points
        array([[0.5, 0.5, 0.5],
               [2.5, 2.5, 2.5]])
        """

    @property
    def normal(self) -> Floats:
        """Unit vector from the first body to the second: moving the second along it separates them. Shape (3,).

        Examples
        --------
        >>> import carom
        >>> cube = carom.generate.polyhedron("box", size=(1, 1, 1))
        >>> carom.distance(cube, cube, pose_b=(3, 0, 0)).normal
        array([1., 0., 0.])
        """

    @property
    def features(self) -> tuple[Feature, Feature]:
        """The vertex, edge or face of each body that its closest point is on: "vertex" and its index, "edge" and those of
        its vertices, "face" and its index.

        Examples
        --------
        >>> import carom
        >>> cube = carom.generate.polyhedron("box", size=(1, 1, 1))
        >>> [kind for kind, _ in carom.distance(cube, cube, pose_b=(3, 3, 3)).features]
        ['vertex', 'vertex']
        """

    @property
    def contact_points(self) -> Floats:
        """At most eight points at which the bodies touch, midway between their surfaces; none if they are apart.
        Shape (K, 3).

        Examples
        --------
        >>> import carom
        >>> cube = carom.generate.polyhedron("box", size=(1, 1, 1))
        >>> carom.distance(cube, cube, pose_b=(0.75, 0, 0)).contact_points.shape
        (4, 3)
        """

    @property
    def contact_distances(self) -> Floats:
        """Distance of the surfaces at each contact point, negative where they penetrate. Shape (K,).

        Examples
        --------
        >>> import carom
        >>> cube = carom.generate.polyhedron("box", size=(1, 1, 1))
        >>> carom.distance(cube, cube, pose_b=(0.75, 0, 0)).contact_distances
        array([-0.25, -0.25, -0.25, -0.25])
        """

    @property
    def iterations(self) -> int:
        """Number of iterations that the query took; one if a kept answer was still right.

        Examples
        --------
        >>> import carom
        >>> cube = carom.generate.polyhedron("box", size=(1, 1, 1))
        >>> carom.distance(cube, cube, pose_b=(3, 0, 0)).iterations >= 1
        True
        """

    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class ClosestFeatures:
    """The distance of two convex polyhedra from pose to pose, which remembers its last answer.

    A query after a small motion costs a fraction of a microsecond. Pickling keeps the bodies, not the last answer.

    Parameters
    ----------
    a, b : Polyhedron

    Examples
    --------
    >>> import carom
    >>> cube = carom.generate.polyhedron("box", size=(1, 1, 1))
    >>> query = carom.ClosestFeatures(cube, cube)
    >>> [query(pose_b=(x, 0, 0)).distance for x in (2, 1.5, 0.75)]
    [1.0, 0.5, -0.25]
    """

    def __new__(cls, a: Polyhedron, b: Polyhedron) -> ClosestFeatures: ...
    def __call__(
        self, pose_a: ArrayLike | None = None, pose_b: ArrayLike | None = None
    ) -> Distance: ...
    def many(self, poses_a: ArrayLike, poses_b: ArrayLike) -> tuple[Floats, Floats, Floats]:
        """Distances along a path of poses, each query starting from the last.

        Parameters
        ----------
        poses_a, poses_b : array_like, shape (T, 3) or (T, 7)
            Positions, or positions and unit quaternions x, y, z, qw, qx, qy, qz.

        Returns
        -------
        distances : ndarray, shape (T,)
        points : ndarray, shape (T, 2, 3)
        normals : ndarray, shape (T, 3)

        Examples
        --------
        >>> import carom
        >>> cube = carom.generate.polyhedron("box", size=(1, 1, 1))
        >>> query = carom.ClosestFeatures(cube, cube)
        >>> distances, points, normals = query.many([[0, 0, 0]] * 2, [[2, 0, 0], [0, 3, 0]])
        >>> distances
        array([1., 2.])
        """

    def __reduce__(self) -> tuple[Any, ...]: ...

# ---------------------------------------------------------------- program.rs

def run_program(arguments: Sequence[str]) -> int:
    """Runs the program carom with these arguments, the first of them its name, and returns its exit code.

    It handles signals and may end the process, so it is only called by the script of the package.
    """

# ---------------------------------------------------------------- results.rs

@final
class ResultsReader:
    """The folder that a run has written."""
    def __new__(cls, folder: Path) -> ResultsReader: ...
    @property
    def frame_count(self) -> int:
        """Number of frames."""
    def frame(self, number: int) -> Frame:
        """Reads a frame."""
    def log(self) -> dict[str, Floats]:
        """Reads the log as a dict of columns."""
    def summary(self) -> str | None:
        """Reads the summary as JSON; None before the run has ended or paused."""
    def checkpoint(self) -> bytes:
        """Reads the checkpoint."""
    @property
    def is_in_use(self) -> bool:
        """Whether a run is writing into the folder now."""

def _read_checkpoint(path: Path) -> bytes: ...
def _write_results(
    folder: Path,
    scene: CheckedScene,
    text: str,
    log: dict[str, Floats],
    counts: Sequence[str],
    frames: Sequence[Frame],
    summary: str,
    checkpoint: bytes,
) -> None: ...
def _export_page(
    folder: Path,
    file: Path,
    first: int,
    behind: int | None,
    every: int,
    overlays: Sequence[str],
) -> tuple[int, list[str]]: ...

# -------------------------------------------------------------------- run.rs

def _parse_duration(text: str) -> float | None: ...
def _run(
    scene: CheckedScene,
    *,
    folder: Path | None,
    new_folder: Path | None,
    resume: bool,
    force: bool,
    force_energy: bool,
    check: bool,
    checkpoint: bytes | None,
    max_walltime: float | None,
    on_row: Callable[[dict[str, float]], Any] | None,
    on_frame: Callable[[Frame], Any] | None,
    on_progress: Callable[[tuple[float, float, int, str]], Any] | None,
    observables: Sequence[Any],
    forces: Sequence[Callable[[State], Any]],
) -> dict[str, Any]: ...

# ------------------------------------------------------------- rust_calls.rs

def _time_contacts(positions: ArrayLike) -> tuple[float, int]: ...
def _time_contains(mesh: Mesh, points: ArrayLike, repetitions: int) -> tuple[float, int]: ...

# ------------------------------------------------------------------ scene.rs

@final
class CheckedScene:
    """A scene that was read and checked, with all its bodies."""
    @staticmethod
    def read(
        text: str, name: str, folder: Path, settings: Sequence[str], *, is_file: bool
    ) -> CheckedScene:
        """Reads a scene from its text, with settings such as `until=2.5`; relative file names are found from the folder."""
    @staticmethod
    def read_results(folder: Path, settings: Sequence[str]) -> CheckedScene:
        """Reads the scene that was run in a results folder."""
    @property
    def engine(self) -> str:
        ...
    @property
    def dimension(self) -> int:
        ...
    @property
    def count(self) -> int:
        ...
    @property
    def fingerprint(self) -> str:
        ...
    @property
    def until(self) -> float | None:
        ...
    @property
    def materials(self) -> list[str]:
        ...
    def report(self) -> str:
        """Returns what the scene will do, as JSON."""

def _parse_toml(text: str, name: str) -> dict[str, Any]: ...
def _format_toml(tables: Mapping[str, Any]) -> str: ...
def _format_toml_value(key: str, value: Any) -> str: ...
def _plain_tables(tables: Mapping[str, Any]) -> dict[str, Any]: ...
def _as_run(
    text: str, name: str, folder: Path, settings: Sequence[str], *, is_file: bool
) -> str: ...
def _shipped_scenes() -> dict[str, tuple[str, dict[str, bytes]]]: ...
def _schema() -> str: ...

# ------------------------------------------------------------- simulation.rs

@disjoint_base
class _Simulation:
    def __new__(
        cls, scene: CheckedScene, checkpoint: bytes | None, observables: Sequence[Any]
    ) -> Self: ...
    def _advance(self, time: float, count: int) -> str: ...
    def _add_force(self, function: Callable[[State], Any]) -> None: ...
    @property
    def engine(self) -> str:
        """Name of the engine: "event-driven", "dem" or "bonded".

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").engine
        'dem'
        """

    @property
    def dimension(self) -> int:
        """Number of dimensions, the D of the shapes of arrays: 2 or 3.

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").dimension
        2
        """

    @property
    def time(self) -> float:
        """Simulated time.

        Examples
        --------
        >>> import carom
        >>> simulation = carom.Simulation(":hopper")
        >>> simulation.advance(until=0.5)
        'time'
        >>> round(simulation.time, 3)
        0.5
        """

    @property
    def _progress(self) -> tuple[str, int]: ...
    @property
    def count(self) -> int:
        """Number of bodies now, the N of the shapes of arrays.

        Examples
        --------
        >>> import carom
        >>> simulation = carom.Simulation(":hopper")
        >>> simulation.remove([0, 1, 2])
        >>> simulation.count
        997
        """

    @property
    def stage(self) -> int:
        """Index of the present stage; 0 in scenes without stages.

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").stage
        0
        """

    @property
    def time_step(self) -> float | None:
        """Time step, in simulated time; None in the engine "event-driven", which has none.

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper", step=1e-4).time_step
        0.0001
        >>> carom.Simulation(":billiard").time_step is None
        True
        """

    @property
    def columns(self) -> list[str]:
        """Names of the columns of a row: a list of str.

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").columns[:2]
        ['time', 'steps']
        """

    def _array(self, name: str, out: NDArray[Any] | None = None) -> NDArray[Any]: ...
    def state(self) -> State:
        """Return a copy of the state of all bodies, with all its arrays.

        Returns
        -------
        State
            What forces and observables are given: positions and velocities of shape (N, D), radii and masses of shape (N,),
            and the other arrays of `get`, at the time of the call.

        Examples
        --------
        >>> import carom
        >>> simulation = carom.Simulation(":hopper")
        >>> state = simulation.state()
        >>> state.positions.shape, state.masses.shape, state.time
        ((1000, 2), (1000,), 0.0)
        """

    def _set(self, property: str, values: ArrayLike, ids: ArrayLike | None) -> None: ...
    def _insert(
        self,
        count: int,
        positions: ArrayLike,
        radii: ArrayLike,
        velocities: ArrayLike | None,
        masses: ArrayLike | None,
        materials: ArrayLike | None,
    ) -> tuple[int, int]: ...
    def _remove(self, ids: ArrayLike) -> None: ...
    def _contacts(self) -> tuple[Any, ...]: ...
    def _walls(self) -> dict[str, tuple[Floats, Any, float, int]]: ...
    def quantities(self) -> dict[str, float]:
        """Return the quantities of the present moment, by the names that columns have, without those of observables.

        Returns
        -------
        dict of str to float or int

        Examples
        --------
        >>> import carom
        >>> quantities = carom.Simulation(":hopper").quantities()
        >>> quantities["time"], quantities["kinetic_energy"]
        (0.0, 0.0)
        """

    def row(self) -> dict[str, float]:
        """Measure a row of the log: quantities and observables. Means of observables are those since the last row.

        Returns
        -------
        dict of str to float or int
            A value for each of `columns`.

        Examples
        --------
        >>> import carom
        >>> simulation = carom.Simulation(":hopper")
        >>> row = simulation.row()
        >>> list(row) == simulation.columns
        True
        """

    def frame(self) -> Frame:
        """Return a frame of all bodies, as those of results.

        Returns
        -------
        Frame
            Positions and velocities of shape (N, D), radii of shape (N,), and what else pictures are colored by.

        Examples
        --------
        >>> import carom
        >>> frame = carom.Simulation(":hopper").frame()
        >>> frame.positions.shape, frame.radii.shape
        ((1000, 2), (1000,))
        """

    def digest(self) -> str:
        """Return sixteen hexadecimal digits of the state: of everything that the rest of the simulation depends on. Equal
        states have equal digits.

        Examples
        --------
        >>> import carom
        >>> simulation = carom.Simulation(":hopper")
        >>> len(simulation.digest())
        16
        >>> simulation.digest() == carom.Simulation(":hopper").digest()
        True
        """

    def _checkpoint(self) -> bytes: ...
    def check(self) -> None:
        """Verify the neighbor structure, and raise `carom.InternalError` if it is damaged. It is slow: as a test of all pairs.

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper", generate__0__count=50).check()
        """

# ------------------------------------------------------------------ state.rs

@final
class State:
    """The state of all bodies at one moment, in the order of their numbers: what forces and observables are given.

    Arrays are copies, made when they are asked for: a force that needs one array twice takes it once. Their memory is used
    again in the next step, unless something still has them.

    Examples
    --------
    >>> import carom
    >>> simulation = carom.Simulation(":hopper")
    >>> def upwards(state):
    ...     force = 0 * state.positions
    ...     force[:, -1] = 0.1 * state.masses
    ...     return force
    >>> simulation.add_force(upwards)
    """

    @property
    def time(self) -> float:
        """Simulated time.

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").state().time
        0.0
        """

    @property
    def ids(self) -> Indices:
        """Ids, ascending. Shape (N,), uint32.

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").state().ids[:3]
        array([0, 1, 2], dtype=uint32)
        """

    @property
    def positions(self) -> Floats:
        """Positions of the centers of mass. Shape (N, D).

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").state().positions.shape
        (1000, 2)
        """

    @property
    def velocities(self) -> Floats:
        """Velocities of the centers of mass. Shape (N, D).

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").state().velocities.shape
        (1000, 2)
        """

    @property
    def angular_velocities(self) -> Floats | None:
        """Angular velocities: about each axis, shape (N, 3), in 2D shape (N,); None where bodies do not rotate.

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").state().angular_velocities.shape
        (1000,)
        """

    @property
    def orientations(self) -> Floats | None:
        """Orientations as unit quaternions w, x, y, z, shape (N, 4); None where all bodies are round.

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").state().orientations is None
        True
        """

    @property
    def radii(self) -> Floats:
        """Radii, of bodies with a shape those of their bounding spheres. Shape (N,).

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").state().radii.shape
        (1000,)
        """

    @property
    def masses(self) -> Floats:
        """Masses. Shape (N,).

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").state().masses.shape
        (1000,)
        """

    @property
    def materials(self) -> Indices:
        """Indices of the materials. Shape (N,), uint32.

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").state().materials.max()
        np.uint32(0)
        """

    def __len__(self) -> int: ...

# ------------------------------------------------------------------ sweep.rs

def _sweep(
    text: str,
    name: str,
    folder: Path,
    settings: Sequence[str],
    *,
    is_file: bool,
    over: Sequence[tuple[str, Sequence[str]]],
    together: bool,
    out: Path,
    jobs: int,
    threads: int | None,
    shard: tuple[int, int] | None,
    max_walltime: float | None,
    plots: Sequence[str],
    list_only: bool,
    on_progress: Callable[[tuple[int, int, int, int, float]], Any] | None,
) -> dict[str, Any]: ...

# ------------------------------------------------------------ thread_pool.rs

def set_threads(count: int | None) -> None:
    """Set the number of threads that carom works with; None is all processors.

    Results never depend on it. Calls that are running keep their threads.

    Examples
    --------
    >>> import carom
    >>> carom.set_threads(2)
    >>> carom.threads()
    2
    >>> carom.set_threads(None)
    """

def threads() -> int:
    """Number of threads that carom works with.

    All processors, or what the environment variable RAYON_NUM_THREADS says, unless `set_threads` was called.

    Examples
    --------
    >>> import carom
    >>> carom.threads() >= 1
    True
    """

def _panic(message: str, everywhere: bool) -> None: ...

# ---------------------------------------------------------- triangulation.rs

def triangulate(
    positions: ArrayLike, radii: ArrayLike | None = None, *, box: Box | None = None
) -> Triangulation:
    """Triangulate spheres or discs: neighbors, and the Laguerre cell of each.

    The cell of a sphere holds the points whose power |x - c|² - r² to it is least, and two spheres are neighbors where
    their cells meet. With equal radii these are Voronoi cells and the Delaunay triangulation. Exact for any input.

    Parameters
    ----------
    positions, radii, box
        As those of `carom.contacts`; `radii=0` triangulates points.

    Returns
    -------
    Triangulation

    Examples
    --------
    >>> import carom
    >>> triangulation = carom.triangulate([[0, 0], [4, 0], [0, 4], [1, 1]], radii=0.5)
    >>> triangulation.edges.tolist()
    [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    """

@final
class Triangulation:
    """The Laguerre Delaunay triangulation of spheres or discs.

    Examples
    --------
    >>> import carom
    >>> carom.triangulate([[0, 0, 1], [4, 0, 1], [0, 4, 1], [1, 1, 1]])
    <carom.Triangulation: 3 triangles among 4 discs>
    """

    @property
    def simplices(self) -> NDArray[np.int32]:
        """Indices of the spheres at the corners of the simplices, positively oriented; in a periodic box each simplex
        once. Shape (T, D + 1), int32.

        Examples
        --------
        >>> import carom
        >>> carom.triangulate([[0, 0, 1], [4, 0, 1], [0, 4, 1], [1, 1, 1]]).simplices.shape
        (3, 3)
        """

    @property
    def neighbors(self) -> NDArray[np.int32]:
        """Simplices across the facets of each, opposite to the corner in the same column, -1 on the hull.
        Shape (T, D + 1), int32. Not defined in a periodic box.

        Examples
        --------
        >>> import carom
        >>> carom.triangulate([[0, 0, 1], [4, 0, 1], [0, 4, 1]]).neighbors
        array([[-1, -1, -1]], dtype=int32)
        """

    @property
    def edges(self) -> NDArray[np.int32]:
        """Pairs of spheres whose cells meet, the smaller index first, ascending. Shape (E, 2), int32.

        Examples
        --------
        >>> import carom
        >>> carom.triangulate([[0, 0, 1], [4, 0, 1], [0, 4, 1]]).edges.tolist()
        [[0, 1], [0, 2], [1, 2]]
        """

    @property
    def vertex_neighbor_vertices(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Neighbors of each sphere, ascending, as two arrays of int32: those of sphere k are
        `indices[starts[k]:starts[k + 1]]`.

        Examples
        --------
        >>> import carom
        >>> triangulation = carom.triangulate([[0, 0, 1], [4, 0, 1], [0, 4, 1]])
        >>> starts, indices = triangulation.vertex_neighbor_vertices
        >>> indices[starts[1]:starts[2]]
        array([0, 2], dtype=int32)
        """

    @property
    def hidden(self) -> NDArray[np.bool_]:
        """Whether each sphere is without a cell, being small and deep within others. Shape (N,), bool.

        Examples
        --------
        >>> import carom
        >>> carom.triangulate([[0, 0, 2], [0.5, 0, 0.1], [5, 0, 1], [0, 5, 1], [-5, -5, 1]]).hidden
        array([False,  True, False, False, False])
        """

    def cell_volumes(self) -> Floats:
        """Volume, in 2D area, of each cell: 0 of hidden spheres, inf of unbounded cells. Shape (N,).

        Examples
        --------
        >>> import carom
        >>> spheres, box = carom.generate.particles(100, periodic=True)
        >>> volumes = carom.triangulate(spheres, box=box).cell_volumes()
        >>> abs(volumes.sum() / (box[0] * box[1] * box[2]) - 1) < 1e-9
        np.True_
        """

    def cell_facets(self) -> Indices:
        """Number of facets of each cell, in a periodic box also those with images. Shape (N,), uint32.

        Examples
        --------
        >>> import carom
        >>> carom.triangulate([[0, 0, 1], [4, 0, 1], [0, 4, 1], [1, 1, 1]]).cell_facets()
        array([3, 3, 3, 3], dtype=uint32)
        """

    def cell(self, body: int) -> Polyhedron | Floats | None:
        """The cell of a sphere, a Polyhedron; of a disc, the corners of the cell in order around it, shape (K, 2). None if
        it is hidden or unbounded.

        Examples
        --------
        >>> import carom
        >>> discs = [[0, 0, 1], [2, 0, 1], [0, 2, 1], [-2, 0, 1], [0, -2, 1]]
        >>> carom.triangulate(discs).cell(0).shape
        (4, 2)
        """

    def save(self, path: Path) -> None:
        """Write the triangulation to a file: VTK if it ends in .vtu, a picture in .svg, the table of cells in .csv.

        Examples
        --------
        >>> import carom, pathlib, tempfile
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "cells.csv"
        >>> carom.triangulate([[0, 0, 1], [4, 0, 1], [0, 4, 1], [1, 1, 1]]).save(file)
        >>> file.read_text().splitlines()[0]
        'id,neighbors,area'
        """

    def check(self) -> None:
        """Verify the triangulation completely and exactly; raises `carom.InternalError` if it is damaged.

        Examples
        --------
        >>> import carom
        >>> carom.triangulate([[0, 0, 1], [4, 0, 1], [0, 4, 1], [1, 1, 1]]).check()
        """

    def __reduce__(self) -> tuple[Any, ...]: ...

# ------------------------------------------------------------------ world.rs

@final
class World:
    """Bodies in their poses, and what can be asked about them: spheres, convex polyhedra and closed meshes.

    Bodies are numbered in the order in which they are added, from zero; a number is never used again. Distances are
    those of the bodies, negative inside. Answers do not depend on the order in which bodies were added; ties go to the
    smaller number. The world is open: for spheres in periodic boxes take `contacts`.

    Parameters
    ----------
    spheres : array_like, shape (N, 4), optional
        Rows of x, y, z and a radius, added first.
    polyhedra, meshes : sequence, optional
        Of Polyhedron and of Mesh, or of pairs of one and its pose; added next.

    Examples
    --------
    >>> import carom
    >>> world = carom.World([[0, 0, 0, 1], [5, 0, 0, 1]])
    >>> cube = world.add(carom.generate.polyhedron("box", size=(2, 2, 2)), (0, 9, 0))
    >>> bodies, distances, points = world.nearest([[0, 4, 0], [5, 0, 0.25]])
    >>> bodies, distances
    (array([0, 1]), array([ 3.  , -0.75]))
    >>> world
    <carom.World: 3 bodies>
    """

    def __new__(
        cls,
        spheres: ArrayLike | None = None,
        *,
        polyhedra: Iterable[Polyhedron | tuple[Polyhedron, ArrayLike]] | None = None,
        meshes: Iterable[Mesh | tuple[Mesh, ArrayLike]] | None = None,
    ) -> World: ...
    def add(
        self,
        shape: float | Polyhedron | Mesh,
        pose: ArrayLike | None = None,
        *,
        rule: FillRule = "even-odd",
    ) -> int:
        """Add a body and return its number.

        Parameters
        ----------
        shape : float, Polyhedron or Mesh
            A number is the radius of a sphere. The same object may be added many times; it is prepared once.
        pose : array_like, optional
            Position, or position and unit quaternion x, y, z, qw, qx, qy, qz, or a 4 x 4 matrix.
        rule : {"even-odd", "nonzero", "winding"}
            What is inside of a mesh, which must be closed.

        Returns
        -------
        int

        Examples
        --------
        >>> import carom
        >>> world = carom.World()
        >>> world.add(0.5, (1, 2, 3)), world.add(carom.generate.sphere(3))
        (0, 1)
        """

    def add_spheres(self, spheres: ArrayLike) -> Indices:
        """Add spheres and return their numbers.

        Parameters
        ----------
        spheres : array_like, shape (N, 4)
            Rows of x, y, z and a radius.

        Returns
        -------
        ndarray of uint32, shape (N,)

        Examples
        --------
        >>> import carom
        >>> world = carom.World()
        >>> world.add_spheres([[0, 0, 0, 1], [3, 0, 0, 1]])
        array([0, 1], dtype=uint32)
        """

    def remove(self, body: int) -> None:
        """Remove a body; others keep their numbers.

        Examples
        --------
        >>> import carom
        >>> world = carom.World([[0, 0, 0, 1], [3, 0, 0, 1]])
        >>> world.remove(0)
        >>> world.bodies
        array([1], dtype=uint32)
        """

    def set_poses(
        self, bodies: ArrayLike, positions: ArrayLike, orientations: ArrayLike | None = None
    ) -> None:
        """Move bodies. Nothing moves if one of the poses is refused.

        Parameters
        ----------
        bodies : array_like of int, shape (N,)
        positions : array_like, shape (N, 3)
        orientations : array_like, shape (N, 4), optional
            Unit quaternions qw, qx, qy, qz; not turned if there are none.

        Examples
        --------
        >>> import carom
        >>> world = carom.World([[0, 0, 0, 1], [3, 0, 0, 1]])
        >>> world.set_poses([0, 1], [[0, 0, 0], [2.5, 0, 0]])
        >>> world.distance(0, 1)[0]
        0.5
        """

    @property
    def bodies(self) -> Indices:
        """Numbers of the bodies, ascending. Shape (N,), uint32.

        Examples
        --------
        >>> import carom
        >>> carom.World([[0, 0, 0, 1]]).bodies
        array([0], dtype=uint32)
        """

    def pose(self, body: int) -> Floats:
        """Pose of a body as a matrix. Shape (4, 4).

        Examples
        --------
        >>> import carom
        >>> carom.World([[1, 2, 3, 0.5]]).pose(0)[:3, 3]
        array([1., 2., 3.])
        """

    def bounds(self, body: int) -> Floats:
        """Lowest and highest corner of the box around a body. Shape (2, 3).

        Examples
        --------
        >>> import carom
        >>> carom.World([[1, 2, 3, 0.5]]).bounds(0)
        array([[0.5, 1.5, 2.5],
               [1.5, 2.5, 3.5]])
        """

    def bodies_in(self, low: ArrayLike, high: ArrayLike) -> Indices:
        """Bodies whose bounding boxes meet a box, ascending.

        Parameters
        ----------
        low, high : array_like, shape (3,)
            Corners of the box.

        Returns
        -------
        ndarray of uint32, shape (K,)

        Examples
        --------
        >>> import carom
        >>> carom.World([[0, 0, 0, 1], [5, 0, 0, 1]]).bodies_in((3, 0, 0), (4.5, 1, 1))
        array([1], dtype=uint32)
        """

    def nearest(
        self, points: ArrayLike, k: int | None = None
    ) -> tuple[NDArray[np.int64], Floats, Floats]:
        """Nearest bodies of points, with their distances and the closest points of their surfaces.

        Parameters
        ----------
        points : array_like, shape (N, 3)
        k : int, optional
            Number of bodies for each point, the nearest first.

        Returns
        -------
        bodies : ndarray of int64, shape (N,), or (N, k) with `k`
            -1 where there are fewer bodies.
        distances : ndarray, shape (N,) or (N, k)
            Negative inside of the body; infinite where there is none.
        closest : ndarray, shape (N, 3) or (N, k, 3)

        Examples
        --------
        >>> import carom
        >>> world = carom.World([[0, 0, 0, 1], [5, 0, 0, 1]])
        >>> bodies, distances, closest = world.nearest([[3, 0, 0]])
        >>> bodies, distances, closest
        (array([1]), array([1.]), array([[4., 0., 0.]]))
        >>> world.nearest([[3, 0, 0]], k=2)[0]
        array([[1, 0]])
        """

    def bodies_near(
        self, points: ArrayLike, distance: float
    ) -> tuple[Indices, Indices, Floats, Floats]:
        """Bodies within a distance of points.

        Parameters
        ----------
        points : array_like, shape (N, 3)
        distance : float

        Returns
        -------
        rows : ndarray of uint32, shape (K,)
            Rows of `points`, ascending, each with its bodies, ascending.
        bodies : ndarray of uint32, shape (K,)
        distances : ndarray, shape (K,)
        closest : ndarray, shape (K, 3)

        Examples
        --------
        >>> import carom
        >>> world = carom.World([[0, 0, 0, 1], [5, 0, 0, 1]])
        >>> rows, bodies, distances, closest = world.bodies_near([[2.5, 0, 0], [0, 9, 0]], 1.5)
        >>> rows, bodies, distances
        (array([0, 0], dtype=uint32), array([0, 1], dtype=uint32), array([1.5, 1.5]))
        """

    def containing(self, points: ArrayLike) -> tuple[Indices, Indices]:
        """Bodies that contain points; the surface belongs to the body.

        Parameters
        ----------
        points : array_like, shape (N, 3)

        Returns
        -------
        rows : ndarray of uint32, shape (K,)
            Rows of `points`, ascending, each with its bodies, ascending.
        bodies : ndarray of uint32, shape (K,)

        Examples
        --------
        >>> import carom
        >>> world = carom.World([[0, 0, 0, 1], [0, 0, 0, 2]])
        >>> world.containing([[0, 0, 3], [0, 0, 1.5], [0, 0, 0]])
        (array([1, 2, 2], dtype=uint32), array([1, 0, 1], dtype=uint32))
        """

    def cast_rays(
        self, origins: ArrayLike, directions: ArrayLike, reach: float = ...
    ) -> tuple[NDArray[np.int64], Floats, Floats, Floats, NDArray[np.int64]]:
        """Where rays first meet the surface of a body. A ray that starts inside meets it where it leaves.

        Parameters
        ----------
        origins : array_like, shape (N, 3)
        directions : array_like, shape (N, 3)
            Of any length but zero.
        reach : float
            Nothing farther is met.

        Returns
        -------
        bodies : ndarray of int64, shape (N,)
            -1 where nothing is met.
        distances : ndarray, shape (N,)
            Infinite where nothing is met.
        points : ndarray, shape (N, 3)
        normals : ndarray, shape (N, 3)
            Outward unit normals.
        faces : ndarray of int64, shape (N,)
            Faces of polyhedra and triangles of meshes; -1 on spheres and where nothing is met.

        Examples
        --------
        >>> import carom
        >>> world = carom.World([[9, 0, 0, 1], [5, 0, 0, 1]])
        >>> bodies, distances, points, normals, faces = world.cast_rays([[0, 0, 0]] * 2, [[2, 0, 0], [0, 1, 0]])
        >>> bodies, distances, normals[0] + 0.0
        (array([ 1, -1]), array([ 4., inf]), array([-1.,  0.,  0.]))
        """

    def cast_rays_through(
        self, origins: ArrayLike, directions: ArrayLike, reach: float = ...
    ) -> tuple[Indices, tuple[NDArray[np.int64], Floats, Floats, Floats, NDArray[np.int64]]]:
        """Where rays first meet the surface of each body on their way.

        Parameters
        ----------
        origins, directions, reach
            As those of `cast_rays`.

        Returns
        -------
        rows : ndarray of uint32, shape (K,)
            Rows of `origins`, ascending, each with what it meets, the nearest first.
        hits : tuple
            The arrays of `cast_rays`, with K rows.

        Examples
        --------
        >>> import carom
        >>> world = carom.World([[9, 0, 0, 1], [5, 0, 0, 1]])
        >>> rows, (bodies, distances, *_) = world.cast_rays_through([[0, 0, 0]], [[1, 0, 0]])
        >>> bodies, distances
        (array([1, 0]), array([4., 8.]))
        """

    def distance(self, a: int, b: int) -> tuple[float, Floats]:
        """Distance of two bodies and the closest point of each.

        Where bodies overlap it is minus the penetration depth for two spheres or two polyhedra, the signed distance of
        the center minus the radius for a sphere and another body, and zero for a mesh and anything but a sphere.

        Parameters
        ----------
        a, b : int

        Returns
        -------
        distance : float
        points : ndarray, shape (2, 3)

        Examples
        --------
        >>> import carom
        >>> carom.World([[0, 0, 0, 1], [5, 0, 0, 1]]).distance(1, 0)
        (3.0, array([[4., 0., 0.],
               [1., 0., 0.]]))
        """

    def neighbors(self, body: int, distance: float) -> tuple[Indices, Floats, Floats]:
        """Bodies within a distance of a body.

        Parameters
        ----------
        body : int
        distance : float

        Returns
        -------
        pairs, distances, points
            As those of `pairs_within`, for the pairs that the body belongs to.

        Examples
        --------
        >>> import carom
        >>> world = carom.World([[0, 0, 0, 1], [2.5, 0, 0, 1], [9, 0, 0, 1]])
        >>> pairs, distances, points = world.neighbors(1, 1.0)
        >>> pairs, distances
        (array([[0, 1]], dtype=uint32), array([0.5]))
        """

    def pairs_within(self, distance: float) -> tuple[Indices, Floats, Floats]:
        """All pairs of bodies within a distance of each other.

        Parameters
        ----------
        distance : float

        Returns
        -------
        pairs : ndarray of uint32, shape (P, 2)
            The smaller number first, ascending.
        distances : ndarray, shape (P,)
        points : ndarray, shape (P, 2, 3)
            The closest point of each of the two.

        Examples
        --------
        >>> import carom
        >>> world = carom.World([[0, 0, 0, 1], [2.5, 0, 0, 1], [9, 0, 0, 1]])
        >>> pairs, distances, points = world.pairs_within(0.5)
        >>> pairs, distances
        (array([[0, 1]], dtype=uint32), array([0.5]))
        """

    def __len__(self) -> int: ...
    def __copy__(self) -> World: ...
    def __deepcopy__(self, _memo: Any) -> World: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    @staticmethod
    def _restore(
        sources: Sequence[tuple[Any, str]],
        numbers: Sequence[int],
        next: int,
        shapes: Sequence[int],
        rows: ArrayLike,
    ) -> World: ...
