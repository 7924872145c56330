"""carom: a collision toolkit for many-particle systems.

Arrays in and out are NumPy. An array of float64 in C order is taken as it is, anything else is converted once, and
nothing is written into an argument unless it is called `out`. Bodies, vertices and faces are numbered from zero.
Results do not depend on the number of threads. Long work lets other threads of Python run.
"""

from carom._carom import __version__, set_threads, threads
from carom.errors import Error, FileError, InternalError, RunError, SceneError, Stopped

__all__ = [
    "Error",
    "FileError",
    "InternalError",
    "RunError",
    "SceneError",
    "Stopped",
    "__version__",
    "set_threads",
    "threads",
]
