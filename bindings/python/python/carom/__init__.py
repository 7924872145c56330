"""carom: a collision toolkit for many-particle systems.

Arrays in and out are NumPy. An array of float64 in C order is taken as it is, anything else is converted once, and
nothing is written into an argument unless it is called `out`. Bodies, vertices and faces are numbered from zero. A pose
is a position, a position and a unit quaternion x, y, z, qw, qx, qy, qz, or a 4 x 4 matrix. Results do not depend on the
number of threads. Long work lets other threads of Python run.
"""

from carom import generate, measures
from carom._carom import (
    ClosestFeatures,
    ContactSearch,
    Contacts,
    Distance,
    Frame,
    Mesh,
    Polyhedron,
    State,
    Triangulation,
    World,
    __version__,
    contacts,
    distance,
    set_memory,
    set_threads,
    threads,
    triangulate,
)
from carom.calibration import Calibration, Target, calibrate
from carom.errors import Error, FileError, InternalError, RunError, SceneError, Stopped
from carom.particles import Particles, read_particles, write_particles
from carom.program import gallery, main, reproduce
from carom.results import Frames, Page, Results
from carom.running import Observable, ProgressEvent, run
from carom.scene import Scene, check, schema, shipped_scenes
from carom.simulation import ContactForces, Simulation, WallLoad
from carom.sweeping import SweepProgress, sweep

__all__ = [
    "Calibration",
    "ClosestFeatures",
    "ContactForces",
    "ContactSearch",
    "Contacts",
    "Distance",
    "Error",
    "FileError",
    "Frame",
    "Frames",
    "InternalError",
    "Mesh",
    "Observable",
    "Page",
    "Particles",
    "Polyhedron",
    "ProgressEvent",
    "Results",
    "RunError",
    "Scene",
    "SceneError",
    "Simulation",
    "State",
    "Stopped",
    "SweepProgress",
    "Target",
    "Triangulation",
    "WallLoad",
    "World",
    "__version__",
    "calibrate",
    "check",
    "contacts",
    "distance",
    "gallery",
    "generate",
    "main",
    "measures",
    "read_particles",
    "reproduce",
    "run",
    "schema",
    "set_memory",
    "set_threads",
    "shipped_scenes",
    "sweep",
    "threads",
    "triangulate",
    "write_particles",
]
