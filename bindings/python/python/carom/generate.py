"""Generators: particles, lattices, published workloads, meshes and convex polyhedra.

The same arguments give the same as `carom generate` on the command line.
"""

from carom._carom import case, foam, lattice, particles, polyhedron, sphere

__all__ = ["case", "foam", "lattice", "particles", "polyhedron", "sphere"]
