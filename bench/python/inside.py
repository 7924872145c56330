"""Distinguishes inside from outside with a Python library, all points once per line of standard input.

Usage: inside.py LIBRARY QUESTIONS ANSWERS

QUESTIONS holds little-endian numbers: how many vertices, triangles and points there are (64 bits
each), the vertices (three 64-bit floats each), the triangles (three 32-bit numbers each) and the points
(three 64-bit floats each). The first line printed is "ready", or why the library cannot be used. For
every line of standard input the library builds what it needs from arrays in the form it takes, and
then answers for all points; ANSWERS gets a byte for each, 1 inside and 0 outside, and a line gives
the nanoseconds of the processor for building and for answering.
"""

import os
import sys
import time

# Libraries that share work among threads whatever their settings find one processor only.
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

import numpy as np


class Open3D:
    """compute_occupancy of a RaycastingScene: one ray per point, 32-bit floats."""

    def __init__(self, vertices, triangles, points):
        import open3d

        self.open3d = open3d
        self.vertices = open3d.core.Tensor(vertices.astype(np.float32))
        self.triangles = open3d.core.Tensor(triangles.astype(np.uint32))
        self.points = open3d.core.Tensor(points.astype(np.float32))
        self.first = open3d.core.Tensor(center(vertices).astype(np.float32))

    def build(self):
        scene = self.open3d.t.geometry.RaycastingScene(nthreads=1)
        scene.add_triangles(self.vertices, self.triangles)
        # The tree is built when it is first needed.
        scene.compute_occupancy(self.first, nthreads=1)
        return scene

    def answer(self, scene):
        return scene.compute_occupancy(self.points, nthreads=1).numpy() > 0.5


class Libigl:
    """FastWindingNumberBVH with expansions of second order, its default."""

    def __init__(self, vertices, triangles, points):
        import igl

        self.igl = igl
        self.vertices, self.triangles, self.points = vertices, triangles.astype(np.int64), points

    def build(self):
        tree = self.igl.FastWindingNumberBVH()
        tree.init(self.vertices, self.triangles, 2)
        return tree

    def answer(self, tree):
        return tree.winding_number(self.points) > 0.5


class Trimesh:
    """Trimesh.contains with rays by embreex."""

    def __init__(self, vertices, triangles, points):
        import embreex  # without it, trimesh falls back to rays in Python
        import trimesh

        del embreex
        self.trimesh = trimesh
        self.vertices, self.triangles, self.points = vertices, triangles.astype(np.int64), points
        self.first = center(vertices)

    def build(self):
        mesh = self.trimesh.Trimesh(self.vertices, self.triangles, process=False)
        # The tree is built when it is first needed.
        mesh.contains(self.first)
        return mesh

    def answer(self, mesh):
        return mesh.contains(self.points)


class Fmm3d:
    """lfmm3d with a dipole at the centroid of each triangle, asked for three digits.

    Its tree is over triangles and points together, so that all of it is answering.
    """

    def __init__(self, vertices, triangles, points):
        import fmm3dpy

        self.fmm = fmm3dpy
        corners = vertices[triangles]
        areas = 0.5 * np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        self.sources = np.asfortranarray(corners.mean(axis=1).T)
        self.dipoles = np.asfortranarray(areas.T)
        self.points = np.asfortranarray(points.T)

    def build(self):
        return None

    def answer(self, _):
        found = self.fmm.lfmm3d(
            eps=1e-3, sources=self.sources, dipvec=self.dipoles, targets=self.points, pgt=1
        )
        # It divides by 4 pi itself; normals point outwards, so this is minus the winding number.
        return found.pottarg < -0.5


LIBRARIES = {"open3d": Open3D, "libigl": Libigl, "trimesh": Trimesh, "fmm3dpy": Fmm3d}


def center(vertices):
    """The middle of the box around the surface, where no library can say outside at once."""
    return 0.5 * (vertices.min(axis=0) + vertices.max(axis=0)).reshape(1, 3)


def read(path):
    """Vertices, triangles and points."""
    with open(path, "rb") as file:
        vertices, triangles, points = np.fromfile(file, dtype="<u8", count=3).astype(int)
        vertices = np.fromfile(file, dtype="<f8", count=3 * vertices).reshape(-1, 3)
        triangles = np.fromfile(file, dtype="<u4", count=3 * triangles).reshape(-1, 3)
        points = np.fromfile(file, dtype="<f8", count=3 * points).reshape(-1, 3)
    return vertices, triangles, points


def main():
    """Answers until standard input ends."""
    library, questions, answers = sys.argv[1:]
    try:
        called = LIBRARIES[library](*read(questions))
    except (ImportError, OSError) as error:
        print(" ".join(str(error).split()), flush=True)
        return
    print("ready", flush=True)
    for _ in sys.stdin:
        start = time.process_time_ns()
        structure = called.build()
        built = time.process_time_ns()
        inside = called.answer(structure)
        answered = time.process_time_ns()
        np.asarray(inside).astype(np.uint8).tofile(answers)
        print(built - start, answered - built, flush=True)


if __name__ == "__main__":
    main()
