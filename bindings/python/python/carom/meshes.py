"""What a notebook shows of a mesh; `carom.Mesh` calls this."""

from __future__ import annotations

import base64
import html
import struct
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

from carom.errors import Error

if TYPE_CHECKING:
    from carom._carom import Mesh
    from carom.types import Floats

__all__ = ["picture", "to_html"]

#: Width and height of a picture in pixels.
_SIZE = 300
#: Points on the surface of which a picture is made: some for each pixel, whatever the mesh.
_POINTS = 600_000
#: Points of a pixel that are farther behind the nearest one than this number of pixels are of another surface.
_DEPTH = 3.0
#: Directions to the right of the picture, up, and to the viewer, in the coordinates of the mesh.
_RIGHT = np.array([0.8, 0.6, 0.0])
_UP = np.array([-0.24, 0.32, 0.9165])
_AXES = np.array([_RIGHT, _UP, np.cross(_RIGHT, _UP)])
_LIGHT = np.array([-0.29, 0.58, 0.76])


def to_html(mesh: Mesh) -> str:
    """The picture of a mesh, with what `carom check` says of it to unfold."""
    title = f"<p>{html.escape(repr(mesh)[1:-1])}</p>"
    about = f"<details><summary>check</summary><pre>{html.escape(mesh.describe())}</pre></details>"
    try:
        png = base64.b64encode(picture(mesh)).decode()
    except Error:
        # It has no triangles; the report says why.
        return title + about
    return f'{title}<img style="max-width:{_SIZE}px" src="data:image/png;base64,{png}">{about}'


def picture(mesh: Mesh) -> bytes:
    """The surface, seen from above and aside without perspective, as a PNG."""
    corners = (mesh.vertices @ _AXES.T)[mesh.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    if mesh.is_watertight and mesh.is_winding_consistent:
        seen = normals[:, 2] * np.sign(mesh.volume) > 0
        corners, normals = corners[seen], normals[seen]
    # The light is beside the viewer, so that nothing is black; the sign of a normal does not matter.
    shades = 0.25 + 0.75 * np.abs(normals @ _LIGHT) / np.maximum(np.linalg.norm(normals, axis=1), 1e-300)
    if not normals[:, 2].any():
        return _png(np.zeros((_SIZE, _SIZE, 4), dtype=np.uint8))
    points, faces = _points_on(corners, np.abs(normals[:, 2]))
    low, high = points.min(axis=0), points.max(axis=0)
    scale = (_SIZE - 1) / max(float((high - low)[:2].max()), 1e-300)
    places = np.rint(scale * (points - 0.5 * (low + high)) + 0.5 * (_SIZE - 1))
    depths = scale * points[:, 2]
    pixels = (_SIZE - 1 - places[:, 1]).astype(int) * _SIZE + places[:, 0].astype(int)
    nearest = np.full(_SIZE * _SIZE, -np.inf)
    np.maximum.at(nearest, pixels, depths)
    near = depths >= nearest[pixels] - _DEPTH
    count = np.bincount(pixels[near], minlength=_SIZE * _SIZE)
    shade = np.bincount(pixels[near], shades[faces[near]], _SIZE * _SIZE) / np.maximum(count, 1)
    drawn = np.empty((_SIZE, _SIZE, 4), dtype=np.uint8)
    drawn[..., :3] = (shade.reshape(_SIZE, _SIZE, 1) * [160, 190, 220] + 25).clip(0, 255)
    drawn[..., 3] = 255 * (count > 0).reshape(_SIZE, _SIZE)
    return _png(drawn)


def _points_on(corners: Floats, weights: Floats) -> tuple[Floats, Any]:
    """Points spread over triangles by their weights, and the triangle of each."""
    ends = np.cumsum(weights)
    numbers = np.arange(_POINTS)
    faces = np.minimum(np.searchsorted(ends, (numbers + 0.5) / _POINTS * ends[-1]), len(corners) - 1)
    # A sequence of low discrepancy; random numbers would leave more holes.
    u, v = (numbers * 0.7548776662466927) % 1, (numbers * 0.5698402909980532) % 1
    outside = u + v > 1
    u[outside], v[outside] = 1 - u[outside], 1 - v[outside]
    first, second, third = (corners[faces, corner] for corner in range(3))
    return first + u[:, None] * (second - first) + v[:, None] * (third - first), faces


def _png(pixels: Any) -> bytes:
    """Pixels of red, green, blue and opacity as a PNG."""
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    header = struct.pack(">IIBBBBB", pixels.shape[1], pixels.shape[0], 8, 6, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(rows, 6)), (b"IEND", b"")]
    written = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(written)
