"""Real signals during calls that take long: they end early, and leave everything usable."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

#: Runs a call to its end and then interrupts it; a call that were not interrupted would take the whole time again.
PROGRAM = """
import signal, sys, tempfile, time
sys.path.insert(0, {tests!r})
import numpy as np
import carom
from scenes import GAS, HEAP

random = np.random.default_rng(1)
folder = tempfile.mkdtemp()
{setup}
def call():
    return {call}

def interrupt(*_):
    raise KeyboardInterrupt

def seconds_of(call):
    start = time.monotonic()
    call()
    return time.monotonic() - start

call()  # What is prepared once is there from here on.
whole = seconds_of(call)
signal.signal(signal.SIGALRM, interrupt)
def interrupted():
    signal.setitimer(signal.ITIMER_REAL, whole / 8)
    try:
        call()
    except KeyboardInterrupt:
        return
    raise AssertionError("the call was not interrupted")
cut = seconds_of(interrupted)
print(f"{{whole:.3f}} s, interrupted after {{cut:.3f}} s", file=sys.stderr)
assert cut < whole / 2
del call
pairs, _ = carom.contacts(random.random((3000, 4)) * [1, 1, 1, 0.02])
assert len(pairs) > 0
{after}
print("works")
"""

MANY = """
heap = carom.Scene(
    HEAP, until=10.0, box__size=[300, 300], output={"interval": 1.0, "log_interval": 1.0},
    generate=[{"kind": "random", "count": 40_000, "radius": 0.25, "region": {"low": [0, 0], "high": [300, 300]}}],
)
"""

CALLS: dict[str, tuple[str, str, str]] = {
    "contacts": (
        "spheres, _ = carom.generate.case('3B', 16_000)",
        "carom.contacts(spheres, method='all-pairs')",
        "assert len(carom.contacts(spheres)) > 0",
    ),
    "a kept search": (
        "spheres, _ = carom.generate.case('3B', 16_000)\nsearch = carom.ContactSearch(method='all-pairs')",
        "search.find(spheres)",
        "assert len(search.find(spheres[:2000])) >= 0 and search.statistics['method'] == 'all-pairs'",
    ),
    "triangulate": (
        "points = random.random((50_000, 3))",
        "carom.triangulate(points, 0.0)",
        "assert len(carom.triangulate(points[:100], 0.0).simplices) > 0",
    ),
    "contains": (
        "mesh = carom.generate.sphere(5)\npoints = random.random((20_000, 3))",
        "mesh.contains(points, rule='winding', method='double-layer')",
        "assert mesh.contains(points).any()",
    ),
    "contains into an array": (
        "mesh = carom.generate.sphere(5)\npoints = random.random((20_000, 3))\nout = np.zeros(len(points), bool)",
        "mesh.contains(points, rule='winding', method='double-layer', out=out)",
        "assert mesh.contains(points, out=out).any()",
    ),
    "signed_distance": (
        "mesh = carom.generate.sphere(5)\npoints = random.random((60_000, 3))",
        "mesh.signed_distance(points)",
        "assert len(mesh.signed_distance(points[:10])) == 10",
    ),
    "a world of many": (
        "spheres = random.random((500_000, 4)) * [1, 1, 1, 0.002]",
        "carom.World(spheres)",
        "assert len(carom.World(spheres[:10])) == 10",
    ),
    "moves in a world": (
        "world = carom.World(random.random((300_000, 4)) * [1, 1, 1, 0.002])\n"
        "numbers, places = np.arange(len(world)), random.random((300_000, 3))\nbefore = world.pose(7)",
        "world.set_poses(numbers, places)",
        "assert len(world) == 300_000",
    ),
    "nearest in a world": (
        "world = carom.World(meshes=[carom.generate.sphere(5)])\npoints = random.random((100_000, 3)) * 3",
        "world.nearest(points)",
        "assert world.nearest(points[:5])[0].tolist() == [0] * 5",
    ),
    "rays in a world": (
        "world = carom.World(random.random((3000, 4)) * [1, 1, 1, 0.01])\nrays = random.random((300_000, 3)) - 0.5",
        "world.cast_rays(rays, rays[::-1])",
        "assert len(world.cast_rays(rays[:5], rays[:5])[0]) == 5",
    ),
    "pairs in a world": (
        "world = carom.World(random.random((3000, 4)) * [1, 1, 1, 0.01])",
        "world.pairs_within(0.9)",
        "assert len(world.pairs_within(0.0)[0]) > 0",
    ),
    "generate": ("", "carom.generate.foam(400_000, cells=6)", ""),
    "check of a scene": (MANY, "heap.check()", ""),
    "a new simulation": (MANY, "carom.Simulation(heap)", "assert carom.Simulation(HEAP).count == 40"),
    "sweep": (
        "names = iter('abc')",
        "carom.sweep(GAS, {'seed': range(10)}, folder + '/' + next(names), until=4.0)",
        "",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_signal_ends_a_long_call_early(name: str) -> None:
    setup, call, after = CALLS[name]
    tests = str(Path(__file__).parent)
    program = PROGRAM.format(tests=tests, setup=setup, call=call, after=after)
    done = subprocess.run([sys.executable, "-c", program], text=True, capture_output=True, check=False)
    assert done.returncode == 0 and done.stdout == "works\n", done.stderr
