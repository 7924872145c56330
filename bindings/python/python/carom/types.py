"""Types of arguments, for annotations of your own functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Literal, Protocol, TypeAlias, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Atoms",
    "Box",
    "ContactMethod",
    "ContainmentMethod",
    "Feature",
    "FillRule",
    "Floats",
    "FreudBox",
    "Indices",
    "Origin",
    "Path",
    "SceneLike",
]

Floats: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.uint32]
Path: TypeAlias = Union[str, PathLike[str]]
#: A scene, its file, a built-in one such as ":hopper", or its tables.
SceneLike: TypeAlias = Union[str, PathLike[str], Mapping[str, Any]]


class FreudBox(Protocol):
    """A box of freud: edges, tilt factors, and perhaps `periodic` for each axis."""

    @property
    def Lx(self) -> float: ...
    @property
    def Ly(self) -> float: ...
    @property
    def Lz(self) -> float: ...
    @property
    def xy(self) -> float: ...
    @property
    def xz(self) -> float: ...
    @property
    def yz(self) -> float: ...


class Atoms(Protocol):
    """What ASE calls Atoms: it has a cell, and knows which axes are periodic."""

    @property
    def cell(self) -> Any: ...
    @property
    def pbc(self) -> Any: ...


#: One period for all axes, one for each (None is open), or a rectangular box of freud, ASE or OVITO.
Box: TypeAlias = Union[float, Sequence[Union[float, None]], FreudBox, Atoms, ArrayLike]

ContactMethod: TypeAlias = Literal[
    "auto",
    "all-pairs",
    "distance-sort",
    "linked-cells",
    "cell-tree",
    "sweep-and-prune",
    "incremental-sweep-and-prune",
    "hierarchical-grid",
    "delaunay",
]

#: Where distances are sorted from.
Origin: TypeAlias = Union[Literal["corner", "center"], ArrayLike]

FillRule: TypeAlias = Literal["even-odd", "nonzero", "winding"]

ContainmentMethod: TypeAlias = Literal["auto", "cells", "ray", "double-layer", "multipole"]

#: "vertex" and its index, "edge" and those of its vertices, "face" and its index.
Feature: TypeAlias = Union[
    tuple[Literal["vertex", "face"], int], tuple[Literal["edge"], tuple[int, int]]
]
