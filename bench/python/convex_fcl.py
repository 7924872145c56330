"""Distances of two copies of a convex body by python-fcl, again and again.

Arguments: a file with the body and its poses, and a file for the distances, both as coal.cpp beside
the benchmark has them. The first line printed is "ready". For every line of standard input all distances are found and written, and a line
gives the nanoseconds of the processor: what a user of the package waits for, calls from Python included.
"""

import sys
import time

import fcl
import numpy


def main(questions, answers):
    data = numpy.fromfile(questions, dtype=numpy.uint8)
    corners, triangles, pairs = (int(count) for count in data[:24].view("<u8"))
    end = 24 + 24 * corners
    points = data[24:end].view("<f8").reshape(-1, 3)
    faces = data[end : end + 12 * triangles].view("<u4").reshape(-1, 3).astype(numpy.int64)
    poses = data[end + 12 * triangles :].copy().view("<f8").reshape(pairs, 2, 12)
    listed = numpy.hstack([numpy.full((triangles, 1), 3), faces]).ravel()
    bodies = [fcl.CollisionObject(fcl.Convex(points, triangles, listed)) for _ in range(2)]
    places = [
        [fcl.Transform(pose[:9].reshape(3, 3), pose[9:]) for pose in pair] for pair in poses
    ]
    request = fcl.DistanceRequest(enable_nearest_points=True, enable_signed_distance=False)
    found = numpy.zeros(pairs)
    print("ready", flush=True)
    for _ in sys.stdin:
        start = time.thread_time_ns()
        for number, pair in enumerate(places):
            bodies[0].setTransform(pair[0])
            bodies[1].setTransform(pair[1])
            found[number] = fcl.distance(bodies[0], bodies[1], request, fcl.DistanceResult())
        elapsed = time.thread_time_ns() - start
        found.astype("<f8").tofile(answers)
        print(elapsed, flush=True)


main(*sys.argv[1:])
