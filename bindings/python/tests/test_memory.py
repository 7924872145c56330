"""Arrays whose copies do not fit into the memory: an exception, and the interpreter continues."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import resource
import numpy as np
import carom
cube = carom.generate.polyhedron("cube").mesh()
{setup}
# The pool has its threads before the limit.
carom.contacts(np.random.default_rng(1).random((3000, 4)) * [1, 1, 1, 0.02])
taken = int(next(line for line in open("/proc/self/status") if line.startswith("VmSize")).split()[1]) * 1024
resource.setrlimit(resource.RLIMIT_AS, (taken + {left}, resource.RLIM_INFINITY))
try:
    {call}
except carom.Error as error:
    print(error)
else:
    raise AssertionError("it fits")
assert cube.contains([[0, 0, 0]]).all()
"""

LEFT = 150_000_000

CALLS = {
    "positions with radii": ("positions = np.zeros((8_000_000, 3))", "carom.contacts(positions, 0.5)"),
    "positions with an array of radii": (
        "positions, radii = np.zeros((8_000_000, 3)), np.ones(8_000_000)",
        "carom.contacts(positions, radii)",
    ),
    "spheres": ("spheres = np.ones((8_000_000, 4))", "carom.contacts(spheres)"),
    "a triangulation": ("spheres = np.ones((8_000_000, 4))", "carom.triangulate(spheres)"),
    "vertices": ("vertices = np.zeros((8_000_000, 3))", "carom.Mesh(vertices, [[0, 1, 2]])"),
    "faces": (
        "vertices = np.zeros((9, 3))\nfaces = np.zeros((3_000_000, 3), np.uint32)",
        "carom.Mesh(vertices, faces)",
    ),
    "distances of points": (
        "points = np.zeros((30_000_000, 3))",
        "cube.signed_distance(points, pose=(0.1, 0, 0))",
    ),
}


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are those of Linux")
@pytest.mark.parametrize("name", CALLS)
def test_what_does_not_fit_is_refused(name: str) -> None:
    setup, call = CALLS[name]
    program = PROGRAM.format(setup=setup, call=call, left=LEFT)
    done = subprocess.run([sys.executable, "-c", program], text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "need about" in done.stdout and "of memory" in done.stdout, done.stdout
