"""carom: a collision toolkit for many-particle systems.

Arrays in and out are NumPy. An array of float64 in C order is taken as it is, anything else is converted once, and
nothing is written into an argument unless it is called `out`. Bodies, vertices and faces are numbered from zero. A pose
is a position, a position and a unit quaternion x, y, z, qw, qx, qy, qz, or a 4 x 4 matrix. Results do not depend on the
number of threads. Long work lets other threads of Python run.
"""

from carom import generate
from carom._carom import (
    ClosestFeatures,
    ContactSearch,
    Contacts,
    Distance,
    Mesh,
    Polyhedron,
    Triangulation,
    __version__,
    contacts,
    distance,
    set_threads,
    threads,
    triangulate,
)
from carom.errors import Error, FileError, InternalError, RunError, SceneError, Stopped
from carom.particles import Particles, read_particles, write_particles

__all__ = [
    "ClosestFeatures",
    "ContactSearch",
    "Contacts",
    "Distance",
    "Error",
    "FileError",
    "InternalError",
    "Mesh",
    "Particles",
    "Polyhedron",
    "RunError",
    "SceneError",
    "Stopped",
    "Triangulation",
    "__version__",
    "contacts",
    "distance",
    "generate",
    "read_particles",
    "set_threads",
    "threads",
    "triangulate",
    "write_particles",
]
