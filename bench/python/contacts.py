"""Finds contacts with Python libraries, one search per line of standard input.

Usage: contacts.py PARTICLES DIMENSION

PARTICLES holds x, y, z, r of every particle as little-endian 64-bit floats. Each line of standard
input names a library; each line of standard output answers "seconds pairs hash extra_bytes". The
libraries know points only, so they are asked for all pairs within the largest diameter, which are
then filtered by r_i + r_j - |x_i - x_j| >= 0. The first line printed is "ready".
"""

import ctypes
import sys
import time

import freud
import numpy as np
import scipy.spatial
import vesin


def find_with_scipy(points, radii, dimension):
    """cKDTree: all pairs within one distance, as an array."""
    tree = scipy.spatial.cKDTree(points[:, :dimension])
    pairs = tree.query_pairs(2.0 * radii.max(), output_type="ndarray")
    return touching(points, radii, pairs[:, 0], pairs[:, 1])


def find_with_freud(points, radii, dimension):
    """AABBQuery: a tree of boxes in 32-bit floats, so the distance gets some slack.

    It knows periodic boxes only; this one is so much larger that images never meet.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    side = 1.01 * (high - low).max() + 4.0 * radii.max()
    box = freud.box.Box(side, side, 0.0 if dimension == 2 else side, is2D=dimension == 2)
    centered = (points - 0.5 * (low + high)).astype(np.float32)
    reach = 2.0 * radii.max() + 4.0 * np.finfo(np.float32).eps * side
    query = freud.locality.AABBQuery(box, centered)
    found = query.query(centered, {"mode": "ball", "r_max": reach, "exclude_ii": True})
    near = found.toNeighborList()
    first, second = near.query_point_indices, near.point_indices
    once = first < second
    return touching(points, radii, first[once], second[once])


def find_with_vesin(points, radii, dimension):
    """NeighborList: cells, each pair once."""
    del dimension  # vesin has three only
    search = vesin.NeighborList(cutoff=2.0 * radii.max() * (1.0 + 1e-12), full_list=False)
    box = np.diag(points.max(axis=0) - points.min(axis=0) + 4.0 * radii.max())
    first, second = search.compute(points, box, periodic=False, quantities="ij")
    return touching(points, radii, first.astype(np.int64), second.astype(np.int64))


def touching(points, radii, first, second):
    """The pairs that touch, evaluated in 64-bit floats."""
    difference = points[first] - points[second]
    distance = np.sqrt(np.einsum("ij,ij->i", difference, difference))
    hit = radii[first] + radii[second] - distance >= 0.0
    return first[hit], second[hit]


def scrambled_sum(first, second):
    """The hash of carom-bench: the sum of all pairs after the last steps of SplitMix64."""
    low = np.minimum(first, second).astype(np.uint64)
    high = np.maximum(first, second).astype(np.uint64)
    mixed = (low << np.uint64(32)) | high
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return int(np.sum(mixed ^ (mixed >> np.uint64(31)), dtype=np.uint64))


def resident_bytes(field):
    """VmRSS (now) or VmHWM (peak) of this process; -1 where the system does not report it."""
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            for line in status:
                if line.startswith(field):
                    return 1024 * int(line.split()[1])
    except OSError:
        pass
    return -1


def forget_peak():
    """Gives freed memory back and lets VmHWM start again from the memory in use."""
    try:
        ctypes.CDLL("libc.so.6").malloc_trim(0)
        with open("/proc/self/clear_refs", "w", encoding="ascii") as control:
            control.write("5")
    except OSError:
        pass


def search(find, points, radii, dimension):
    """One timed search."""
    forget_peak()
    before = resident_bytes("VmRSS")
    start = time.perf_counter_ns()
    first, second = find(points, radii, dimension)
    nanoseconds = time.perf_counter_ns() - start
    peak = resident_bytes("VmHWM")
    extra = max(0, peak - before - first.nbytes - second.nbytes) if before >= 0 else -1
    return f"{nanoseconds} {len(first)} {scrambled_sum(first, second)} {extra}"


LIBRARIES = {"scipy": find_with_scipy, "freud": find_with_freud, "vesin": find_with_vesin}


def main():
    """Answers until standard input ends."""
    path, dimension = sys.argv[1], int(sys.argv[2])
    particles = np.fromfile(path, dtype="<f8").reshape(-1, 4)
    points, radii = np.ascontiguousarray(particles[:, :3]), particles[:, 3].copy()
    freud.parallel.set_num_threads(1)
    print("ready", flush=True)
    for line in sys.stdin:
        print(search(LIBRARIES[line.strip()], points, radii, dimension), flush=True)


if __name__ == "__main__":
    main()
