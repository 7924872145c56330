"""Uses of the package whose types are checked by mypy and pyright; nothing here runs."""

from __future__ import annotations

import copy
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from typing_extensions import assert_type

import carom

Floats = NDArray[np.float64]
Indices = NDArray[np.uint32]

spheres, box = carom.generate.particles(100, periodic=True)
assert_type(spheres, Floats)
found = carom.contacts(spheres, box=box, method="linked-cells", cells_mean=3)
assert_type(found, carom.Contacts)
assert_type(found.pairs, Indices)
assert_type(found.normals(), Floats)
assert_type(len(found), int)
pairs, overlap = found
carom.contacts([[0, 0], [1, 1]], 0.5, box=(1, None))
carom.contacts(np.zeros((3, 3), np.float32), [1, 2, 3], origin=[0, 0, 0])
carom.contacts(spheres, method="octree")  # type: ignore[arg-type]
search = carom.ContactSearch(box=1.0)
assert_type(search.find(spheres), carom.Contacts)

mesh = carom.Mesh.load(Path("rock.stl"))
assert_type(mesh.contains(np.zeros((2, 3)), rule="winding"), NDArray[np.bool_])
assert_type(mesh.closest_point([[0, 0, 0]]), tuple[Floats, Floats, Indices])
mesh.contains([[0, 0, 0]], rule="parity")  # type: ignore[arg-type]
carom.Mesh([[0, 0, 0]], [[0, 1, 2], [0, 1, 2, 3]])
assert_type(mesh.to_polyhedron(), carom.Polyhedron)

body = carom.generate.polyhedron("box", size=(1, 1, 1))
assert_type(carom.distance(body, body, pose_b=(3, 0, 0)).distance, float)
query = carom.ClosestFeatures(body, body)
assert_type(query(pose_b=np.eye(4)), carom.Distance)
for kind, index in query().features:
    assert_type(index, int | tuple[int, int])

Signed = NDArray[np.int64]

world = carom.World(spheres, polyhedra=[(body, (0, 0, 9))], meshes=[mesh])
assert_type(world.add(0.5, (1, 2, 3)), int)
assert_type(world.add(mesh, rule="winding"), int)
assert_type(world.add_spheres([[0, 0, 0, 1]]), Indices)
world.set_poses([0, 1], np.zeros((2, 3)), orientations=[[1, 0, 0, 0]] * 2)
world.remove(0)
assert_type(world.bodies, Indices)
assert_type(len(world), int)
assert_type(world.pose(1), Floats)
assert_type(world.bounds(1), Floats)
assert_type(world.bodies_in((0, 0, 0), (1, 1, 1)), Indices)
assert_type(world.nearest([[0, 0, 0]], k=3), tuple[Signed, Floats, Floats])
assert_type(world.bodies_near([[0, 0, 0]], 1.0), tuple[Indices, Indices, Floats, Floats])
assert_type(world.containing([[0, 0, 0]]), tuple[Indices, Indices])
Hits = tuple[Signed, Floats, Floats, Floats, Signed]
assert_type(world.cast_rays([[0, 0, 0]], [[1, 0, 0]], reach=9.0), Hits)
assert_type(world.cast_rays_through([[0, 0, 0]], [[1, 0, 0]]), tuple[Indices, Hits])
assert_type(world.distance(1, 2), tuple[float, Floats])
assert_type(world.neighbors(1, 0.5), tuple[Indices, Floats, Floats])
assert_type(world.pairs_within(0.5), tuple[Indices, Floats, Floats])
world.add("ball")  # type: ignore[arg-type]
world.add(mesh, rule="parity")  # type: ignore[arg-type]

assert_type(mesh.repair(weld=1e-6, fill_holes=3), tuple[carom.Mesh, dict[str, int]])
carom.set_memory("4G")
carom.set_memory(10**9)
carom.set_memory(None)
carom.set_memory([1])  # type: ignore[arg-type]

triangulation = carom.triangulate(spheres, box=box)
assert_type(triangulation.simplices, NDArray[np.int32])
carom.set_threads(None)
carom.set_threads("all")  # type: ignore[arg-type]

scene = carom.Scene("drum.toml", until=2.0, materials__default__friction=0.3)
assert_type(scene["materials.default.friction"], Any)
scene["seed"] = 3
assert_type(scene.set("seed", 4), carom.Scene)
assert_type(scene.engine, Literal["event-driven", "dem", "bonded"])
assert_type(scene.dimension, Literal[2, 3])
assert_type(scene.count, int)
assert_type(scene.to_toml(), str)
assert_type(carom.Scene.parse("engine = 'dem'"), carom.Scene)
assert_type(carom.check(":hopper"), dict[str, Any])
assert_type(carom.schema(), dict[str, Any])
assert_type(carom.shipped_scenes(), dict[str, str])
carom.Scene(3)  # type: ignore[arg-type]


def on_row(row: dict[str, float]) -> bool:
    return row["time"] < 1


def on_frame(frame: carom.Frame) -> None:
    assert_type(frame.positions, Floats)
    assert_type(frame.masses, Floats | None)
    assert_type(frame.columns, dict[str, Floats])


def on_progress(event: carom.ProgressEvent) -> None:
    assert_type(event.part, float)


def push(state: carom.State) -> Floats:
    assert_type(state.orientations, Floats | None)
    return -state.velocities


class CenterOfMass:
    """An observable of two columns."""

    name = "center_of_mass"
    columns = ("x", "y")

    def sample(self, state: carom.State, /) -> Floats:
        center: Floats = state.positions.mean(axis=0)
        return center


center: carom.Observable = CenterOfMass()
results = carom.run(
    scene,
    Path("drum.run"),
    until=1.0,
    max_walltime="30min",
    on_row=on_row,
    on_frame=on_frame,
    progress=on_progress,
    observables=[center],
    forces=[push],
    gravity__acceleration=[0, -9.81],
)
assert_type(results, carom.Results)
carom.run({"engine": "dem"}, on_row=3)  # type: ignore[arg-type]
carom.run(scene, observables=[push])  # type: ignore[list-item]

assert_type(carom.Results("drum.run").summary, dict[str, Any])
assert_type(results.columns, dict[str, Floats])
assert_type(results.folder, str | None)
assert_type(results.digest, str | None)
assert_type(results.frames, carom.Frames)
assert_type(results.frames[-1], carom.Frame)
assert_type(results.frames[::2], list[carom.Frame])
assert_type([frame.time for frame in results.frames], list[float])
assert_type(results.table("radial_distribution"), dict[str, Floats])
assert_type(results.picture(), bytes)
assert_type(results.view(height=300), carom.Page)
assert_type(results.export_html("drum.html", frames=slice(0, 2)), list[str])
assert_type(results.save("copy.run"), carom.Results)
assert_type(results.resume(until=3.0), carom.Results)
assert_type(carom.measures.angle_of_repose(results), float)

simulation = carom.Simulation(scene, observables=[center], forces=[push])
assert_type(
    simulation.advance(by=0.1), Literal["time", "steps", "collisions", "growth", "rest", "end"]
)
assert_type(simulation.positions, Floats)
assert_type(simulation.get("ids"), NDArray[Any])
simulation.velocities = np.zeros((3, 2))
simulation.set_velocities([[0, 1]], ids=[2])
assert_type(simulation.insert([[0.0, 1.0]], 0.5), Indices)
assert_type(simulation.contacts(), carom.ContactForces)
assert_type(simulation.contacts().forces, Floats)
assert_type(simulation.walls(), dict[str, carom.WallLoad])
assert_type(simulation.state(), carom.State)
assert_type(simulation.frame(), carom.Frame)
assert_type(simulation.quantities(), dict[str, float])
assert_type(simulation.time_step, float | None)
assert_type(simulation.save(), bytes)
assert_type(carom.Simulation.load(b""), carom.Simulation)
assert_type(copy.copy(simulation), carom.Simulation)
for row in simulation.rows(every=0.1):
    assert_type(row, dict[str, float])
simulation.advance(until="soon")  # type: ignore[arg-type]
simulation.radii = np.zeros(3)  # type: ignore[misc]

with ThreadPoolExecutor() as executor:
    carom.sweep(scene, {"seed": range(3)}, "sweep", executor=executor)
carom.sweep(scene, [{"seed": 1}, {"seed": 2}], Path("sweep"), jobs=2, shard=(1, 4), plot="time")
carom.sweep(scene, {"seed": [1]}, "sweep", progress=lambda progress: progress.finished < 3)
carom.sweep(scene, {"seed": [1]}, "sweep", executor=map)
carom.sweep(scene, {"seed": [1]}, "sweep", jobs="all")  # type: ignore[arg-type]

found_parameters = carom.calibrate(
    scene,
    {"materials.default.friction": (0.1, 0.8), "until": (1.0, 2.0, 1.5)},
    {
        "angle": carom.Target(28.5, 0.7, carom.measures.angle_of_repose),
        "time": (1.0, 0.1, "time"),
    },
    seeds=3,
)
assert_type(found_parameters, carom.Calibration)
assert_type(found_parameters.parameters, dict[str, float])
assert_type(found_parameters.covariance, Floats)
assert_type(found_parameters.measured, dict[str, tuple[float, float]])
assert_type(found_parameters.scene, carom.Scene)
carom.calibrate(scene, {"until": 3.0}, {})  # type: ignore[dict-item]

try:
    carom.run(scene)
except carom.SceneError as error:
    assert_type(error.key, str | None)
    assert_type(error.line, int | None)
except carom.Stopped as stopped:
    assert_type(stopped.results, carom.Results | None)
    assert_type(stopped.calibration, carom.Calibration | None)

assert_type(carom.gallery([":chain"]), str)
assert_type(carom.reproduce(["002"], quick=True), dict[str, str])
assert_type(carom.main(["check", ":hopper"]), int)

try:
    carom.read_particles("grains.csv")
except carom.FileError as error:
    assert_type(error, carom.FileError)
except ValueError:
    pass
