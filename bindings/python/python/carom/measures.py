"""Figures that are measured in the laboratory too, from the results of a run: targets of a calibration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from carom import _carom
from carom.errors import Error

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from carom._carom import Frame
    from carom.results import Results
    from carom.types import Floats

__all__ = ["angle_of_repose", "bulk_density", "discharge_rate", "surface_profile"]


def discharge_rate(
    results: Results, column: str | None = None, *, between: tuple[float, float] = (0.2, 0.8)
) -> float:
    """Bodies that come out per time: the slope of a column of the log that counts them.

    Parameters
    ----------
    results : Results
    column : str, optional
        Name of the column, such as "in_out" of a region or "outlet_low" of an outlet; the only one of these by default.
    between : pair of float
        The part of the final count within which the slope is fitted, so that the start and the last bodies do not count.

    Examples
    --------
    >>> import carom
    >>> scene = carom.Scene(":hopper", generate__0__count=100, until=1.5, output__log_interval=0.02)
    >>> carom.measures.discharge_rate(carom.run(scene)) > 20
    True
    """
    columns = results.columns
    if column is None:
        counting = [name for name in columns if name.startswith(("in_", "outlet_"))]
        if len(counting) != 1:
            found = ", ".join(counting) or "none"
            raise Error(f"the log has {len(counting)} columns that count bodies ({found}); name one by column")
        column = counting[0]
    elif column not in columns:
        raise Error(_carom._unknown_name("column", column, list(columns)))
    time, count = columns["time"], columns[column]
    low, high = (count[0] + part * (count[-1] - count[0]) for part in between)
    inside = (count >= low) & (count <= high)
    if inside.sum() < 2 or count[-1] == count[0]:
        return 0.0
    return float(np.polyfit(time[inside], count[inside], 1)[0])


def bulk_density(
    results: Results,
    low: Sequence[float | None] | None = None,
    high: Sequence[float | None] | None = None,
    *,
    frame: int = -1,
) -> float:
    """Mass per volume (area in 2D) of the bodies whose centers are in a region.

    Parameters
    ----------
    results : Results
    low, high : sequence of float or None, optional
        Bounds of the region on each axis; None takes that of the box, and where it is open that of the bodies.
    frame : int
        Number of the frame; the last by default.

    Examples
    --------
    >>> import carom
    >>> results = carom.run(":hopper", until=0.0)
    >>> round(carom.measures.bulk_density(results, low=[0, 22]), 2)
    0.43
    """
    found = results.frames[frame]
    if found.masses is None:
        raise Error("the frames have no masses; let output.columns have them")
    positions = found.positions
    bounds: list[Floats] = []
    for given, of_box, of_bodies in (
        (low, [0.0] * found.dimension, positions.min(axis=0)),
        (high, list(found.box), positions.max(axis=0)),
    ):
        given = [None] * found.dimension if given is None else list(given)
        if len(given) != found.dimension:
            raise Error(f"a bound has {len(given)} coordinates; the bodies have {found.dimension}")
        choices = zip(given, of_box, of_bodies, found.box)
        bounds.append(np.array([
            one if one is not None else (box if length is not None else body) for one, box, body, length in choices
        ], dtype=float))
    inside = ((positions >= bounds[0]) & (positions < bounds[1])).all(axis=1)
    return float(found.masses[inside].sum() / np.prod(bounds[1] - bounds[0]))


def surface_profile(
    frame: Frame, *, up: ArrayLike, axis: int | None = None, bins: int | None = None
) -> tuple[Floats, Floats]:
    """The height of the surface of a heap over the distance along an axis, or from the middle of the heap.

    Parameters
    ----------
    frame : Frame
    up : array_like of shape (D,)
        Direction in which heights grow.
    axis : int, optional
        Axis of the distance; in 3D by default the distance from the axis of the heap.
    bins : int, optional
        Number of intervals of the distance; by default they are two mean diameters wide.

    Returns
    -------
    distances, heights : arrays
        Of those intervals that have bodies.

    Examples
    --------
    >>> import carom
    >>> frame = carom.Simulation(":hopper").frame()
    >>> distances, heights = carom.measures.surface_profile(frame, up=[0, 1])
    >>> len(distances) == len(heights) > 10
    True
    """
    direction = np.asarray(up, dtype=float) / np.linalg.norm(up)
    positions, radii = frame.positions, frame.radii
    heights = positions @ direction + radii
    across = positions - np.outer(positions @ direction, direction)
    if axis is not None or frame.dimension == 2:
        along = np.argmin(np.abs(direction)) if axis is None else axis
        distances = positions[:, along]
    else:
        middle = (across * (radii**3)[:, None]).sum(axis=0) / (radii**3).sum()
        distances = np.linalg.norm(across - middle, axis=1)
    width = np.ptp(distances)
    count = bins or max(int(width / (4 * radii.mean())), 1)
    place = np.minimum((count * (distances - distances.min()) / max(width, 1e-300)).astype(int), count - 1)
    top = np.full(count, -np.inf)
    np.maximum.at(top, place, heights)
    centers = distances.min() + width * (np.arange(count) + 0.5) / count
    return centers[np.isfinite(top)], top[np.isfinite(top)]


def angle_of_repose(
    results: Results,
    *,
    frame: int = -1,
    axis: int | None = None,
    between: tuple[float, float] = (0.15, 0.85),
) -> float:
    """Angle of the slopes of a heap to the horizontal, in degrees.

    Lines are fitted to the surface on both sides of its highest place, or on the one side that there is; the angle is
    their mean, weighted by the lengths of the slopes.

    Parameters
    ----------
    results : Results
        Of a scene with gravity.
    frame : int
        Number of the frame; the last by default.
    axis : int, optional
        Axis along which the surface falls; in 3D by default the heap is a cone.
    between : pair of float
        The part of the height within which lines are fitted, so that foot and top do not count.

    Examples
    --------
    >>> import carom
    >>> scene = carom.Scene(":hopper", generate__0__count=200, until=0.5)
    >>> 0 <= carom.measures.angle_of_repose(carom.run(scene)) < 90
    True
    """
    gravity = results.scene.get("gravity", {}).get("acceleration")
    if gravity is None or not np.any(gravity):
        raise Error("the scene has no gravity, so that there is no horizontal")
    found = results.frames[frame]
    distances, heights = surface_profile(found, up=-np.asarray(gravity, dtype=float), axis=axis)
    top = int(np.argmax(heights))
    foot, height = heights.min(), np.ptp(heights)
    angles: list[float] = []
    weights: list[float] = []
    for side in (slice(None, top + 1), slice(top, None)):
        x, y = distances[side], heights[side]
        inside = (y >= foot + between[0] * height) & (y <= foot + between[1] * height)
        if inside.sum() >= 2:
            slope = np.polyfit(x[inside], y[inside], 1)[0]
            angles.append(abs(float(np.degrees(np.arctan(slope)))))
            weights.append(float(np.ptp(x[inside])))
    return float(np.average(angles, weights=weights)) if angles else 0.0


def of_name(results: Results, name: str) -> float:
    """A number of the summary by its name, with dots for groups, such as "means.temperature.mean"."""
    value: Any = results.summary
    for part in name.split("."):
        if not isinstance(value, dict) or part not in value:
            known = [key for key, it in results.summary.items() if isinstance(it, (int, float))]
            raise Error(_carom._unknown_name("the figure", name, known))
        value = value[part]
    if value is None or isinstance(value, (dict, list, str, bool)):
        raise Error(f"the figure {name!r} is no number")
    return float(value)
