"""`python -m carom.bench`: how long calls take, beside the same calls from Rust and beside other libraries.

Libraries that are not installed are left out: freud-analysis, scipy, vesin, trimesh (with embreex, or else rtree). Each time
is the best of several; all libraries use what threads they take by themselves, carom all processors or those of
`--threads`. Where there is a goal, it is printed with whether it is met.
"""

from __future__ import annotations

import argparse
import copy
import importlib.util
import os
import tempfile
import time
import timeit
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import carom
from carom import _carom


def best_time(call: Callable[[], object], repetitions: int) -> float:
    """Least time of a call in seconds."""
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def is_there(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def find_with_scipy(spheres: Any) -> int:
    """All pairs within the largest diameter, then those that touch."""
    from scipy.spatial import cKDTree

    tree = cKDTree(spheres[:, :3])
    pairs = tree.query_pairs(2 * spheres[:, 3].max(), output_type="ndarray")
    return touching(spheres, pairs[:, 0], pairs[:, 1])


def find_with_freud(spheres: Any) -> int:
    """As SciPy does, in 32-bit floats and a box whose sides are too far to matter."""
    import freud

    low, high = spheres[:, :3].min(axis=0), spheres[:, :3].max(axis=0)
    side = 1.01 * (high - low).max() + 4 * spheres[:, 3].max()
    points = (spheres[:, :3] - 0.5 * (low + high)).astype(np.float32)
    reach = 2 * spheres[:, 3].max() + 4 * np.finfo(np.float32).eps * side
    query = freud.locality.AABBQuery(freud.box.Box.cube(side), points)
    near = query.query(points, {"mode": "ball", "r_max": reach, "exclude_ii": True})
    pairs = near.toNeighborList()
    first, second = pairs.query_point_indices, pairs.point_indices
    return touching(spheres, first[first < second], second[first < second])


def find_with_vesin(spheres: Any) -> int:
    """As SciPy does, by cells."""
    import vesin

    points = np.ascontiguousarray(spheres[:, :3])
    cutoff = 2 * spheres[:, 3].max() * (1 + 1e-12)
    search = vesin.NeighborList(cutoff=cutoff, full_list=False)
    box = np.diag(points.max(axis=0) - points.min(axis=0) + 2 * cutoff)
    first, second = search.compute(points, box, periodic=False, quantities="ij")
    return touching(spheres, first.astype(np.int64), second.astype(np.int64))


def touching(spheres: Any, first: Any, second: Any) -> int:
    """Number of pairs that touch."""
    difference = spheres[first, :3] - spheres[second, :3]
    distance = np.sqrt(np.einsum("ij,ij->i", difference, difference))
    return int(np.count_nonzero(spheres[first, 3] + spheres[second, 3] - distance >= 0))


def contain_with_trimesh(mesh: carom.Mesh, points: Any) -> tuple[str, Callable[[], int]]:
    other = mesh.to_trimesh()
    name = "trimesh with embree" if is_there("embreex") else "trimesh"
    return name, lambda: int(np.count_nonzero(other.contains(points)))


def report(work: str, ours: float, contenders: Sequence[tuple[str, float]]) -> None:
    """A line for carom, and one for each of the others with its ratio."""
    print(f"{work}: {time_text(ours)}")
    for name, seconds in contenders:
        print(f"  {name:<24} {time_text(seconds):>10}   {seconds / ours:.2f} x")


def judge(what: str, value: float, limit: float, unit: str = "", *, at_least: bool = False) -> None:
    """A line with a goal, and whether it is met."""
    is_met = value >= limit if at_least else value <= limit
    bound = "at least" if at_least else "at most"
    print(f"  goal: {what} {bound} {limit:g}{unit}; it is {value:.3g}{unit}: {'met' if is_met else 'MISSED'}")


def judge_peers(ours: float, contenders: Sequence[tuple[str, float]], goals: dict[str, float]) -> None:
    """The goals for ratios to other libraries, as far as they are there."""
    for name, seconds in contenders:
        if name in goals:
            judge(f"{name} takes", seconds / ours, goals[name], " times as long", at_least=True)


def time_text(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.2f} us"
    return f"{seconds * 1e3:.1f} ms"


def contacts(count: int, repetitions: int) -> None:
    """Contacts among random spheres."""
    spheres, _ = carom.generate.case("3B", count)
    expected = len(carom.contacts(spheres))
    # In turns, so that what else the machine does slows down both.
    ours, theirs = [], []
    for _ in range(repetitions):
        ours.append(best_time(lambda: carom.contacts(spheres), 1))
        theirs.append(_carom._time_contacts(spheres)[0])
    others = [("the same call in Rust", min(theirs))]
    for module, find in [
        ("scipy", find_with_scipy),
        ("freud", find_with_freud),
        ("vesin", find_with_vesin),
    ]:
        if is_there(module):
            found = find(spheres)
            if found != expected:
                print(f"{module} has found {found} contacts, carom {expected}")
            others.append((module, best_time(lambda: find(spheres), max(1, repetitions // 4))))
    report(f"contacts of {count} spheres, {expected} contacts", min(ours), others)
    judge("times the call in Rust", min(ours) / min(theirs), 1.05)
    judge_peers(min(ours), others, {"freud": 15, "scipy": 15})


def contains(refinements: int, count: int, repetitions: int) -> None:
    """Points inside a sphere of triangles."""
    mesh = carom.generate.sphere(refinements)
    points = np.random.default_rng(1).uniform(-1, 1, (count, 3))
    expected = np.count_nonzero(mesh.contains(points))
    ours, theirs = [], []
    for _ in range(max(1, repetitions // 2)):
        # Prepared again for both: where in memory it lies makes a difference of some tenths.
        fresh = carom.Mesh(mesh.vertices, mesh.faces)
        ours.append(best_time(lambda: fresh.contains(points), 1 + repetitions))
        theirs.append(_carom._time_contains(mesh, points, 1 + repetitions)[0])
    others = [("the same call in Rust", min(theirs))]
    if is_there("trimesh") and (is_there("embreex") or is_there("rtree")):
        # It takes so long that a tenth of the points must do.
        some = points[: max(1, count // 10)]
        name, contain = contain_with_trimesh(mesh, some)
        contain()
        others.append((name, best_time(contain, 1) * count / len(some)))
    triangles = 8 * 4**refinements
    report(f"{count} points in {triangles} triangles, {expected} inside", min(ours), others)
    judge("times the call in Rust", min(ours) / min(theirs), 1.05)
    judge_peers(min(ours), others, {"trimesh with embree": 10})


def small_calls(repetitions: int) -> None:
    """Calls that cost more than their work."""
    spheres = np.random.default_rng(1).random((10, 4)) * [1, 1, 1, 0.1]
    search = carom.ContactSearch()
    cube = carom.generate.polyhedron("cube")
    query = carom.ClosestFeatures(cube, cube)
    pose = np.array([3.0, 0.2, 0.1])
    calls: list[tuple[str, Callable[[], object]]] = [
        ("contacts of 10 spheres", lambda: carom.contacts(spheres)),
        ("the same by a kept search", lambda: search.find(spheres)),
        ("distance of two cubes, kept", lambda: query(pose_b=pose)),
    ]
    for name, call in calls:
        seconds = min(timeit.repeat(call, number=1000, repeat=repetitions)) / 1000
        report(name, seconds, [])
        if "10 spheres" in name:
            judge("a call takes", seconds * 1e6, 3, " us")


def gas(count: int) -> carom.Scene:
    """Spheres of the engine "dem" that fly about and collide."""
    side = (count * np.pi / 6 / 0.4) ** (1 / 3)
    return carom.Scene({
        "engine": "dem",
        "dimension": 3,
        "until": 0.0,
        "box": {"size": float(side)},
        "materials": {"default": {"density": 1.0, "stiffness": 1e4, "restitution": 0.5, "friction": 0.5}},
        "generate": [{"kind": "lattice", "count": count, "radius": 0.5, "temperature": 1.0}],
        "output": {"picture": False},
    })


def packing(count: int, steps: int) -> carom.Simulation:
    """Spheres of the engine "dem" that have fallen on each other in a box, and lie there."""
    side = (count * np.pi / 6 / 0.55) ** (1 / 3)
    scene = carom.Scene({
        "engine": "dem",
        "dimension": 3,
        "until": 0.0,
        "box": {"size": float(side), "boundary": "wall"},
        "gravity": {"acceleration": [0, 0, -30]},
        "materials": {"default": {"density": 1.0, "stiffness": 2e4, "restitution": 0.3, "friction": 0.5}},
        "generate": [{"kind": "lattice", "count": count, "radius": 0.5, "temperature": 0.1}],
        "output": {"picture": False},
    })
    simulation = carom.Simulation(scene)
    simulation.advance(steps=steps)
    return simulation


def own_force(plain: carom.Simulation, work: str, steps: int, repetitions: int) -> None:
    """Steps with a force that Python computes, beside steps without."""
    own = 0.0

    def drag(state: carom.State) -> Any:
        nonlocal own
        # What carom brings into order for the force is no work of the force.
        velocities = state.velocities
        start = time.perf_counter()
        force = -0.01 * velocities
        own += time.perf_counter() - start
        return force

    driven = copy.copy(plain)
    driven.add_force(drag)
    without, beside, inside = [], [], []
    for _ in range(repetitions):
        without.append(best_time(lambda: plain.advance(steps=steps), 1) / steps)
        own = 0.0
        whole = best_time(lambda: driven.advance(steps=steps), 1) / steps
        inside.append(own / steps)
        beside.append(whole - inside[-1])
    # Walls have the number -1.
    touching = np.count_nonzero(plain.contacts().bodies >= 0) / plain.count
    report(
        f"a step of {plain.count} bodies {work}, {touching:.1f} contacts for each",
        min(without),
        [("with a NumPy force", min(beside)), ("the force itself", min(inside))],
    )
    judge("with a force, without its own time, times a step without", min(beside) / min(without), 1.1)


def reading(count: int, repetitions: int) -> None:
    """Frames of a folder of results."""
    with tempfile.TemporaryDirectory() as folder:
        frames = carom.run(gas(count), os.path.join(folder, "gas.run"), progress=False).frames
        seconds = best_time(lambda: frames[0].positions, repetitions)
    report(f"reading a frame of {count} bodies", seconds, [])
    judge("reading takes", seconds, 0.1, " s")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m carom.bench", description=__doc__)
    parser.add_argument("--threads", type=int, help="threads of carom; all processors if not given")
    parser.add_argument("--tiny", action="store_true", help="see that it runs")
    options = parser.parse_args()
    carom.set_threads(options.threads)
    repetitions = 1 if options.tiny else 12
    contacts(2000 if options.tiny else 1_000_000, repetitions)
    contains(3 if options.tiny else 7, 2000 if options.tiny else 1_000_000, repetitions)
    small_calls(repetitions)
    count, steps = (500, 5) if options.tiny else (100_000, 20)
    own_force(carom.Simulation(gas(count)), "of a gas", steps, repetitions)
    own_force(packing(count, 10 if options.tiny else 4000), "of a packing", steps, repetitions)
    reading(500 if options.tiny else 1_000_000, repetitions)


if __name__ == "__main__":
    main()
