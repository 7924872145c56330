"""Particles and their files."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from carom._carom import read_particles, write_particles

if TYPE_CHECKING:
    from carom.types import Floats

__all__ = ["Particles", "read_particles", "write_particles"]


class Particles(NamedTuple):
    """Spheres or discs and their box: `spheres, box = carom.read_particles(file)`.

    Examples
    --------
    >>> import carom
    >>> spheres, box = carom.generate.particles(100, periodic=True)
    >>> contacts = carom.contacts(spheres, box=box)
    """

    #: Coordinates and radius of each, shape (N, D + 1).
    spheres: Floats
    #: A length for each axis, None where it is open; None if all are open.
    box: tuple[float | None, ...] | None
