"""Frames as other packages have them; `carom.Frame` calls these."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from carom._carom import Frame

__all__ = ["to_ase", "to_html", "to_ovito", "to_pandas", "to_pyvista"]


def _in_space(vectors: Any) -> Any:
    """Vectors with three components; in 2D the third is zero."""
    if vectors.shape[1] == 3:
        return vectors
    return np.column_stack([vectors, np.zeros(len(vectors))])


def _numbers(frame: Frame) -> dict[str, Any]:
    """Everything that a frame has of each body, by its name."""
    found: dict[str, Any] = {"radius": frame.radii}
    if frame.masses is not None:
        found["mass"] = frame.masses
    if frame.materials is not None:
        found["material"] = frame.materials
    return {**found, **frame.columns}


def to_pandas(frame: Frame) -> Any:
    """A DataFrame with a row for each body, whose index is the id."""
    import pandas

    axes = ["x", "y", "z"][: frame.dimension]
    columns = {axis: frame.positions[:, number] for number, axis in enumerate(axes)}
    columns.update({f"v{axis}": frame.velocities[:, number] for number, axis in enumerate(axes)})
    return pandas.DataFrame({**columns, **_numbers(frame)}, index=pandas.Index(frame.ids, name="id"))


def to_pyvista(frame: Frame) -> Any:
    """PolyData with a point for each body."""
    import pyvista

    data = pyvista.PolyData(_in_space(frame.positions))
    data["velocity"] = _in_space(frame.velocities)
    data["id"] = frame.ids
    for name, values in _numbers(frame).items():
        data[name] = values
    if frame.orientations is not None:
        data["orientation"] = frame.orientations
    data.field_data["TimeValue"] = [frame.time]
    return data


def to_ase(frame: Frame) -> Any:
    """Atoms, whose arrays have what a frame has of each body."""
    import ase

    lengths = [*frame.box, *[None] * (3 - frame.dimension)]
    periodic = [*frame.periodic, *[False] * (3 - frame.dimension)]
    # ASE has no types.
    atoms: Any = ase.Atoms(
        numbers=np.zeros(len(frame), dtype=int),
        positions=_in_space(frame.positions),
        cell=[length or 0.0 for length in lengths],
        pbc=periodic,
        info={"time": frame.time},
    )
    masses = frame.masses
    atoms.set_masses(np.ones(len(frame)) if masses is None else masses)
    atoms.set_velocities(_in_space(frame.velocities))
    atoms.set_array("id", frame.ids)
    for name, values in _numbers(frame).items():
        if name != "mass":
            atoms.set_array(name, values)
    return atoms


def to_ovito(frame: Frame) -> Any:
    """A DataCollection with particles and a cell."""
    from ovito.data import DataCollection, Particles, SimulationCell

    data = DataCollection()
    lengths = [length or 0.0 for length in [*frame.box, *[0.0] * (3 - frame.dimension)]]
    x, y, z = (*frame.periodic, False)[:3]
    cell = SimulationCell(pbc=(x, y, z))
    cell[...] = np.column_stack([np.diag(lengths), np.zeros(3)])
    cell.is2D = frame.dimension == 2
    data.objects.append(cell)
    particles = Particles(count=len(frame))
    data.objects.append(particles)
    particles.create_property("Position", data=_in_space(frame.positions))
    particles.create_property("Velocity", data=_in_space(frame.velocities))
    particles.create_property("Particle Identifier", data=frame.ids.astype(np.int64))
    known = {"radius": "Radius", "mass": "Mass"}
    for name, values in _numbers(frame).items():
        particles.create_property(known.get(name, name), data=np.asarray(values, dtype=float))
    if frame.orientations is not None:
        # OVITO has the real part last.
        particles.create_property("Orientation", data=np.roll(frame.orientations, -1, axis=1))
    data.attributes["Time"] = frame.time
    return data


def to_html(frame: Frame) -> str:
    """What a notebook shows of a frame."""
    picture = base64.b64encode(frame.picture()).decode()
    return f'<p>{repr(frame)[1:-1]}</p><img style="max-width:480px" src="data:image/png;base64,{picture}">'
