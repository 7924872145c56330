"""Simulations that a program advances, looks at and changes."""

from __future__ import annotations

import copy
import math
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from carom import _carom
from carom.errors import Error
from carom.files import write_atomically
from carom.results import Results
from carom.scene import Scene
from carom.types import Floats, Indices, Path, SceneLike

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from carom._carom import Frame
    from carom.running import Force, Observable

__all__ = ["ContactForces", "Simulation", "WallLoad"]

#: Times that differ by less than this part are equal but for rounding.
_ROUNDING = 1e-9
#: No limit of steps or collisions.
_NO_COUNT = 2**64 - 1


class ContactForces(NamedTuple):
    """The contacts of a simulation, with what they do to the first of their bodies.

    Attributes
    ----------
    bodies : array of shape (M, 2), int64
        Ids of both bodies, -1 in place of the second at a wall.
    walls : array of shape (M,), int32
        Number of the wall, in the order of `Simulation.walls`; -1 between bodies.
    points : array of shape (M, D)
        Contact points.
    normals : array of shape (M, D)
        Unit normals, from the first body to what it touches.
    overlap : array of shape (M,)
        Penetration depths.
    forces : array of shape (M, D)
        Forces on the first bodies.
    normal_forces : array of shape (M,)
        Normal forces, positive where they push apart.

    Examples
    --------
    >>> import carom
    >>> simulation = carom.Simulation(":hopper")
    >>> contacts = simulation.contacts()
    >>> contacts.forces.shape == contacts.points.shape
    True
    """

    bodies: NDArray[np.int64]
    walls: NDArray[np.int32]
    points: Floats
    normals: Floats
    overlap: Floats
    forces: Floats
    normal_forces: Floats


class WallLoad(NamedTuple):
    """What the bodies do to a wall.

    Attributes
    ----------
    force : array of shape (D,)
        Force on the wall.
    torque : float in 2D, array of shape (3,) in 3D
        Torque about the center of the wall's motion.
    power : float
        Work that the wall does on bodies per time.
    contacts : int
        Number of contacts.

    Examples
    --------
    >>> import carom
    >>> carom.Simulation(":hopper").walls()["wall_y_low"].contacts
    0
    """

    force: Floats
    torque: Any
    power: float
    contacts: int


class Simulation(_carom._Simulation):
    """A simulation of a scene that a program advances, looks at and changes.

    The end of the scene does not end it, unless the scene has stages. Rows and frames are measured when they are asked
    for. It is pickled and copied as its checkpoint, from which it continues to the bit. What is returned are copies of
    its state.

    Parameters
    ----------
    scene : path-like, str, mapping or Scene
    observables : iterable of Observable
        Objects that measure what rows are to have besides.
    forces : iterable of callable
        As `add_force` takes them.
    settings
        Values that replace those of the scene, as those of `carom.Scene`.

    Examples
    --------
    >>> import carom
    >>> simulation = carom.Simulation(":hopper")
    >>> simulation.advance(until=0.1)
    'time'
    >>> simulation.positions.shape
    (1000, 2)
    >>> simulation.quantities()["kinetic_energy"] > 0
    True
    """

    scene: Scene
    _observables: list[Observable]
    _forces: list[Force]

    def __new__(
        cls,
        scene: SceneLike,
        *,
        observables: Iterable[Observable] = (),
        forces: Iterable[Force] = (),
        **settings: Any,
    ) -> Simulation:
        return cls._make(Scene(scene, **settings), None, list(observables), list(forces))

    @classmethod
    def _make(
        cls, scene: Scene, checkpoint: bytes | None, observables: list[Observable], forces: list[Force]
    ) -> Simulation:
        simulation = super().__new__(cls, scene._check(), checkpoint, observables)
        #: The scene at its start.
        simulation.scene = scene
        simulation._observables = observables
        simulation._forces = []
        for force in forces:
            simulation.add_force(force)
        return simulation

    # ---------------------------------------------------------------- in time

    def advance(
        self,
        *,
        until: float | None = None,
        by: float | None = None,
        steps: int | None = None,
        collisions: int | None = None,
    ) -> Literal["time", "steps", "collisions", "growth", "rest", "end"]:
        """Advance to a time or by a time, a number of steps or of collisions, whichever is reached first.

        Without an argument to the end of the scene. Ctrl-C raises KeyboardInterrupt between two steps, after which the
        simulation can continue.

        Parameters
        ----------
        until : float, optional
            Simulated time.
        by : float, optional
            Simulated time from now.
        steps, collisions : int, optional
            Number from now; steps in the engines "dem" and "bonded", collisions in "event-driven".

        Returns
        -------
        str
            What was reached: "time", "steps" or "collisions"; or "growth" or "rest" where nothing more happens, or "end"
            behind the last stage of a scene.

        Examples
        --------
        >>> import carom
        >>> simulation = carom.Simulation(":hopper")
        >>> simulation.advance(steps=100)
        'steps'
        >>> simulation.steps
        100
        """
        counted, count = self._progress
        for name, number in (("steps", steps), ("collisions", collisions)):
            if number is not None and name != counted:
                raise Error(f"{name} is {number}; the engine {self.engine!r} counts {counted}")
            if number is not None and number < 0:
                raise Error(f"{name} is {number}; it must not be negative")
        number = steps if steps is not None else collisions
        times = []
        if until is not None:
            times.append(float(until))
        if by is not None:
            times.append(self.time + float(by))
        if not times and number is None:
            end = self._end()
            if end is None:
                raise Error("the scene has no end in time; say how far to advance")
            times.append(end)
        time = min(times) if times else math.inf
        if math.isnan(time) or time < 0:
            raise Error(f"the time to advance to is {time}; it must be a time from 0 on")
        goal = _NO_COUNT if number is None else min(count + int(number), _NO_COUNT)
        return self._advance(time, goal)  # type: ignore[return-value]

    def _end(self) -> float | None:
        """The end of the scene, if it has one in time."""
        return self.scene._check().until

    def _times(self, every: float, until: float | None) -> Iterator[float]:
        """Advances from moment to moment, beginning with the present one."""
        if not every > 0 or math.isinf(every):
            raise Error(f"every is {every}; it must be a time greater than zero")
        start = self.time
        end = self._end() if until is None else until
        end = math.inf if end is None else end
        number = 0
        while (time := start + number * every) <= end * (1 + _ROUNDING):
            reached = self.advance(until=time) if number > 0 else "time"
            yield self.time
            if reached != "time":
                return
            number += 1

    def rows(self, every: float, *, until: float | None = None) -> Iterator[dict[str, float]]:
        """Advance, and give a row of the log now and after each time of this length.

        Parameters
        ----------
        every : float
            Simulated time between two rows.
        until : float, optional
            Last time; the end of the scene by default.

        Examples
        --------
        >>> import carom
        >>> simulation = carom.Simulation(":hopper")
        >>> [round(row["time"], 3) for row in simulation.rows(0.02, until=0.06)]
        [0.0, 0.02, 0.04, 0.06]
        """
        return (self.row() for _ in self._times(every, until))

    def frames(self, every: float, *, until: float | None = None) -> Iterator[Frame]:
        """Advance, and give a frame now and after each time of this length.

        Parameters
        ----------
        every : float
            Simulated time between two frames.
        until : float, optional
            Last time; the end of the scene by default.

        Examples
        --------
        >>> import carom
        >>> simulation = carom.Simulation(":hopper")
        >>> heights = [frame.positions[:, 1].mean() for frame in simulation.frames(0.02, until=0.06)]
        >>> bool(heights[0] > heights[-1])
        True
        """
        return (self.frame() for _ in self._times(every, until))

    @property
    def steps(self) -> int:
        """Number of time steps so far; an error in the engine "event-driven".

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").steps
        0
        """
        return self._counted("steps")

    @property
    def collisions(self) -> int:
        """Number of collisions so far; an error in other engines than "event-driven".

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":billiard").collisions
        0
        """
        return self._counted("collisions")

    def _counted(self, name: str) -> int:
        counted, count = self._progress
        if name != counted:
            raise Error(f"the engine {self.engine!r} counts {counted}, no {name}")
        return count

    # ----------------------------------------------------------------- bodies

    def get(self, name: str, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Return a copy of one of the arrays of bodies, in the order of their ids.

        Parameters
        ----------
        name : str
            "ids", "positions", "velocities", "radii", "masses", "materials", "angular_velocities", "orientations",
            "forces" or "torques".
        out : array, optional
            Array that is filled and returned; it must have the shape of the result.

        Examples
        --------
        >>> import carom
        >>> import numpy as np
        >>> simulation = carom.Simulation(":hopper")
        >>> positions = np.empty((simulation.count, 2))
        >>> simulation.get("positions", out=positions) is positions
        True
        """
        return self._array(name, out)

    @property
    def ids(self) -> Indices:
        """Ids of all bodies, ascending; a body keeps its own when others come or go. Shape (N,), uint32.

        Examples
        --------
        >>> import carom
        >>> simulation = carom.Simulation(":hopper")
        >>> simulation.remove([0, 2])
        >>> simulation.ids[:3]
        array([1, 3, 4], dtype=uint32)
        """
        return self._array("ids")

    @property
    def positions(self) -> Floats:
        """Positions of the centers of mass, a copy. Assign an array to move all bodies. Shape (N, D).

        Examples
        --------
        >>> import carom
        >>> simulation = carom.Simulation(":hopper")
        >>> simulation.positions += [0, 0.001]
        """
        return self._array("positions")

    @positions.setter
    def positions(self, positions: ArrayLike) -> None:
        self.set_positions(positions)

    @property
    def velocities(self) -> Floats:
        """Velocities of the centers of mass, a copy. Assign an array to change those of all bodies. Shape (N, D).

        Examples
        --------
        >>> import carom
        >>> simulation = carom.Simulation(":hopper")
        >>> simulation.velocities = 0.1 * simulation.positions
        """
        return self._array("velocities")

    @velocities.setter
    def velocities(self, velocities: ArrayLike) -> None:
        self.set_velocities(velocities)

    @property
    def angular_velocities(self) -> Floats:
        """Angular velocities, a copy: about each axis, shape (N, 3), in 2D shape (N,).

        Examples
        --------
        >>> import carom
        >>> simulation = carom.Simulation(":hopper")
        >>> simulation.angular_velocities = 1.0
        >>> simulation.angular_velocities.shape
        (1000,)
        """
        return self._array("angular_velocities")

    @angular_velocities.setter
    def angular_velocities(self, velocities: ArrayLike) -> None:
        self.set_angular_velocities(velocities)

    @property
    def radii(self) -> Floats:
        """Radii, of bodies with a shape those of their bounding spheres. Shape (N,).

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").radii.shape
        (1000,)
        """
        return self._array("radii")

    @property
    def masses(self) -> Floats:
        """Masses. Shape (N,).

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").masses.shape
        (1000,)
        """
        return self._array("masses")

    @property
    def materials(self) -> Indices:
        """Indices of the materials, in the order of the scene. Shape (N,), uint32.

        Examples
        --------
        >>> import carom
        >>> int(carom.Simulation(":hopper").materials.max())
        0
        """
        return self._array("materials")

    @property
    def orientations(self) -> Floats:
        """Orientations as unit quaternions w, x, y, z, of scenes with shapes. Shape (N, 4).

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":dice").orientations.shape[1]
        4
        """
        return self._array("orientations")

    @property
    def forces(self) -> Floats:
        """Forces of contacts and from outside, without weight, in the engine "dem". Shape (N, D).

        Those that the last step ended with: damping saw the velocities of half a step before, while `contacts` sees those
        of the present.

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").forces.shape
        (1000, 2)
        """
        return self._array("forces")

    @property
    def torques(self) -> Floats:
        """Torques of contacts and from outside in the engine "dem": shape (N, 3), in 2D (N,).

        Examples
        --------
        >>> import carom
        >>> carom.Simulation(":hopper").torques.shape
        (1000,)
        """
        return self._array("torques")

    def set_positions(self, positions: ArrayLike, ids: ArrayLike | None = None) -> None:
        """Move bodies; what this changes in energy counts as external work.

        Parameters
        ----------
        positions : array_like, shape (N, D) or (D,)
        ids : array_like, optional
            Ids of the bodies; all by default.

        Examples
        --------
        >>> import carom
        >>> simulation = carom.Simulation(":hopper")
        >>> simulation.set_positions([12, 5], ids=[7])
        >>> simulation.positions[7]
        array([12.,  5.])
        """
        self._set("positions", positions, ids)

    def set_velocities(self, velocities: ArrayLike, ids: ArrayLike | None = None) -> None:
        """Change velocities.

        Parameters
        ----------
        velocities : array_like, shape (N, D) or (D,)
        ids : array_like, optional
            Ids of the bodies; all by default.

        Examples
        --------
        >>> import carom
        >>> simulation = carom.Simulation(":hopper")
        >>> simulation.set_velocities([0, -1])
        """
        self._set("velocities", velocities, ids)

    def set_angular_velocities(self, velocities: ArrayLike, ids: ArrayLike | None = None) -> None:
        """Change angular velocities, in radians per time (engine "dem").

        Parameters
        ----------
        velocities : array_like, shape (N, 3) or (3,), in 2D (N,) or a number
        ids : array_like, optional
            Ids of the bodies; all by default.

        Examples
        --------
        >>> import carom
        >>> simulation = carom.Simulation(":hopper")
        >>> simulation.set_angular_velocities(3.0, ids=[0, 1])
        """
        self._set("angular_velocities", self._angular(velocities), ids)

    def set_forces(self, forces: ArrayLike, ids: ArrayLike | None = None) -> None:
        """Let forces act on bodies from outside until they are set again (engines "dem" and "bonded").

        Parameters
        ----------
        forces : array_like, shape (N, D) or (D,)
        ids : array_like, optional
            Ids of the bodies; all by default.

        Examples
        --------
        >>> import carom
        >>> simulation = carom.Simulation(":hopper")
        >>> simulation.set_forces([0.5, 0], ids=[3])
        """
        self._set("forces", forces, ids)

    def set_torques(self, torques: ArrayLike, ids: ArrayLike | None = None) -> None:
        """Let torques act on bodies from outside until they are set again (engine "dem").

        Parameters
        ----------
        torques : array_like, shape (N, 3) or (3,), in 2D (N,) or a number
        ids : array_like, optional
            Ids of the bodies; all by default.

        Examples
        --------
        >>> import carom
        >>> simulation = carom.Simulation(":hopper")
        >>> simulation.set_torques(0.01, ids=[3])
        """
        self._set("torques", self._angular(torques), ids)

    def set_materials(
        self, materials: ArrayLike | str | Sequence[str], ids: ArrayLike | None = None
    ) -> None:
        """Give bodies other materials of the scene.

        Parameters
        ----------
        materials : str, int or array_like of them, shape (N,)
            Names, or indices in the order of the scene.
        ids : array_like, optional
            Ids of the bodies; all by default.

        Examples
        --------
        >>> import carom
        >>> simulation = carom.Simulation(":hopper", materials__smooth__friction=0.1)
        >>> simulation.set_materials("smooth", ids=[0])
        >>> simulation.materials[:2]
        array([1, 0], dtype=uint32)
        """
        self._set("materials", self._material_indices(materials), ids)

    def set_fixed(self, fixed: ArrayLike, ids: ArrayLike | None = None) -> None:
        """Hold bodies at their places, at rest, whatever pushes them, or let them go (engines "dem" and "bonded").

        Parameters
        ----------
        fixed : bool or array_like of bool, shape (N,)
        ids : array_like, optional
            Ids of the bodies; all by default.

        Examples
        --------
        >>> import carom
        >>> simulation = carom.Simulation(":hopper")
        >>> simulation.set_fixed(True, ids=[5])
        >>> place = simulation.positions[5]
        >>> end = simulation.advance(by=0.02)
        >>> bool((simulation.positions[5] == place).all())
        True
        """
        self._set("fixed", np.asarray(fixed, dtype=bool), ids)

    def _angular(self, values: ArrayLike) -> Any:
        """Rows about all axes: in the plane a number for each body."""
        array = np.asarray(values)
        return array.reshape(-1, 1) if self.dimension == 2 and array.ndim == 1 else array

    def _material_indices(self, materials: Any) -> Any:
        array = np.asarray(materials)
        known = self.scene._check().materials
        if array.dtype.kind not in "US":
            if array.dtype.kind in "iuf" and array.size > 0 and array.max() >= len(known):
                raise Error(f"materials has {array.max()}; the scene has {len(known)} materials, from 0")
            return array
        for name in np.unique(array):
            if str(name) not in known:
                raise Error(_carom._unknown_name("materials", str(name), known))
        indices = [known.index(str(name)) for name in array.ravel()]
        return np.array(indices).reshape(array.shape)

    def insert(
        self,
        positions: ArrayLike,
        radii: ArrayLike,
        *,
        velocities: ArrayLike | None = None,
        masses: ArrayLike | None = None,
        materials: ArrayLike | str | Sequence[str] | None = None,
    ) -> Indices:
        """Insert discs or spheres, and return their ids.

        All of them are inserted or, where an error is raised, none.

        Parameters
        ----------
        positions : array_like, shape (M, D) or (D,)
        radii : float or array_like, shape (M,)
        velocities : array_like, shape (M, D) or (D,), optional
            Zero by default.
        masses : float or array_like, shape (M,), optional
            Those of the density of the material by default, 1 where it has none.
        materials : str, int or array_like of them, shape (M,), optional
            The first of the scene by default.

        Examples
        --------
        >>> import carom
        >>> simulation = carom.Simulation(":hopper")
        >>> simulation.insert([[5, 5], [15, 5]], 0.25, velocities=[0, 1])
        array([1000, 1001], dtype=uint32)
        """
        rows = np.asarray(positions)
        count = 1 if rows.ndim == 1 else len(rows)
        indices = None if materials is None else self._material_indices(materials)
        first, behind = self._insert(count, positions, radii, velocities, masses, indices)
        return np.arange(first, behind, dtype=np.uint32)

    def remove(self, ids: ArrayLike) -> None:
        """Remove bodies; the others keep their ids.

        Parameters
        ----------
        ids : int or array_like

        Examples
        --------
        >>> import carom
        >>> simulation = carom.Simulation(":hopper")
        >>> simulation.remove(simulation.ids[simulation.positions[:, 1] > 30])
        """
        self._remove(ids)

    # ----------------------------------------------------------- measurements

    def contacts(self) -> ContactForces:
        """Return all contacts now, with their forces; none in the engine "event-driven", where they have no duration.

        Examples
        --------
        >>> import carom
        >>> simulation = carom.Simulation(":hopper", generate__0__count=100)
        >>> end = simulation.advance(until=1.0)
        >>> bodies, walls, points, normals, overlap, forces, normal_forces = simulation.contacts()
        >>> len(bodies) > 0 and bool((overlap >= 0).all())
        True
        """
        return ContactForces(*self._contacts())

    def walls(self) -> dict[str, WallLoad]:
        """Return what bodies do to each wall, by the names that columns have (engines "dem" and "bonded").

        Examples
        --------
        >>> import carom
        >>> list(carom.Simulation(":hopper").walls())[:2]
        ['wall_x_low', 'wall_x_high']
        """
        return {name: WallLoad(*load) for name, load in self._walls().items()}

    def energies(self) -> dict[str, float]:
        """Return the energies of `quantities`.

        Examples
        --------
        >>> import carom
        >>> sorted(carom.Simulation(":hopper").energies())[:2]
        ['contact_energy', 'kinetic_energy']
        """
        return {name: value for name, value in self.quantities().items() if name.endswith("_energy")}

    def add_force(self, force: Force, /) -> None:
        """Let a force act on bodies from now on, a function of their state (engine "dem").

        It is called once here and then once per time step with a `State`, with positions at the present and velocities
        half a step before, and returns an array of shape (N, D), or a tuple of such an array and one of torques about the
        centers, of shape (N, 3), in 2D (N,). Its work counts as external work. What it raises is
        raised by `advance`, and the simulation has failed then in the middle of a step: load a saved one. Pickling needs a
        function that can be pickled.

        In simulations of more than 2000 bodies it is called on another thread.

        Parameters
        ----------
        force : callable

        Examples
        --------
        >>> import carom
        >>> simulation = carom.Simulation(":hopper")
        >>> simulation.add_force(lambda state: -0.1 * state.masses[:, None] * state.velocities)
        >>> simulation.advance(steps=10)
        'steps'
        """
        self._add_force(force)
        self._forces.append(force)

    # ---------------------------------------------------------------- storage

    def save(self, path: Path | None = None) -> bytes:
        """Return the checkpoint, from which `load` continues to the bit, and write it to a file if there is a path.

        Parameters
        ----------
        path : path-like, optional

        Examples
        --------
        >>> import carom
        >>> simulation = carom.Simulation(":hopper")
        >>> checkpoint = simulation.save()
        >>> carom.Simulation.load(checkpoint, ":hopper").digest() == simulation.digest()
        True
        """
        checkpoint = self._checkpoint()
        if path is not None:
            write_atomically(path, checkpoint)
        return checkpoint

    @classmethod
    def load(
        cls,
        source: Path | bytes,
        scene: SceneLike | None = None,
        *,
        observables: Iterable[Observable] = (),
        forces: Iterable[Force] = (),
        **settings: Any,
    ) -> Simulation:
        """Continue from a checkpoint: of `save`, or of a run in a folder.

        Parameters
        ----------
        source : path-like or bytes
            What `save` has returned or written, or a results folder.
        scene : path-like, str, mapping or Scene, optional
            The scene of the checkpoint; a results folder has its own.
        observables, forces : iterable
            Those that the simulation had.
        settings
            Values that replace those of the scene, as far as it may continue under others.

        Examples
        --------
        >>> import carom
        >>> simulation = carom.Simulation(":hopper")
        >>> simulation.advance(until=0.01)
        'time'
        >>> again = carom.Simulation.load(simulation.save(), ":hopper")
        >>> [one.advance(until=0.02) for one in (simulation, again)]
        ['time', 'time']
        >>> again.digest() == simulation.digest()
        True
        """
        if not isinstance(source, bytes) and os.path.isdir(source):
            results = Results(source)
            checkpoint = results._reader().checkpoint()
            found = results.scene if scene is None else Scene(scene)
        elif scene is None:
            raise Error("a checkpoint alone does not have the scene; give it too")
        else:
            found = Scene(scene)
            checkpoint = source if isinstance(source, bytes) else _carom._read_checkpoint(os.fspath(source))
        return cls._make(Scene(found, **settings), checkpoint, list(observables), list(forces))

    def __reduce__(self) -> tuple[Any, ...]:
        state = (self.scene, self.save(), self._observables, self._forces)
        return (type(self)._make, state)

    def __copy__(self) -> Simulation:
        observables = [copy.copy(observable) for observable in self._observables]
        return self._make(self.scene, self.save(), observables, self._forces)

    def __deepcopy__(self, memo: dict[int, Any]) -> Simulation:
        return self._make(self.scene, self.save(), copy.deepcopy(self._observables, memo), self._forces)

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def __repr__(self) -> str:
        bodies = "body" if self.count == 1 else "bodies"
        return f"<carom.Simulation: {self.count} {bodies}, {self.engine} in {self.dimension}D, at time {self.time:.6g}>"
