"""Simulations advanced by hand: time, bodies, observables, checkpoints."""

from __future__ import annotations

import copy
import math
import pickle
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scenes import ALL, BLOCK, FLUID, GAS, GRAINS, HEAP, STAGES

import carom


@pytest.mark.parametrize("name", ["gas", "heap", "grains", "block", "stages"])
def test_stepping_gives_the_bits_of_a_run(name: str) -> None:
    whole = carom.run(ALL[name])
    end = whole.scene.get("until", 0.5)
    for pieces in (1, 7):
        simulation = carom.Simulation(ALL[name])
        for piece in range(1, pieces + 1):
            reached = simulation.advance(until=piece / pieces * end)
        assert reached in ("time", "end")
        assert simulation.digest() == whole.digest
    assert carom.Simulation(ALL[name]).advance() in ("time", "end")


def test_rows_are_those_of_a_run() -> None:
    for scene, every in ((GAS, 0.25), (HEAP, 0.1), (BLOCK, 5.0)):
        log = carom.run(scene).columns
        rows = list(carom.Simulation(scene).rows(every))
        assert len(rows) == len(log["time"])
        for column, values in log.items():
            np.testing.assert_array_equal([row[column] for row in rows], values, err_msg=column)


def test_frames_are_those_of_a_run() -> None:
    frames = list(carom.Simulation(HEAP).frames(0.2))
    run = carom.run(HEAP).frames
    assert [frame.time for frame in frames] == [frame.time for frame in run]
    for one, other in zip(frames, run):
        np.testing.assert_array_equal(one.positions, other.positions)


def test_ways_to_say_how_far() -> None:
    heap = carom.Simulation(HEAP)
    assert heap.advance(steps=10) == "steps" and heap.steps == 10
    assert heap.advance(steps=0) == "steps" and heap.steps == 10
    assert heap.advance(by=0.01) == "time" and heap.time == pytest.approx(0.01 + 10 * heap.time_step, abs=1e-3)
    assert heap.advance(until=0.0) == "time", "a time that has passed is reached"
    assert heap.advance(until=9.0, steps=5) == "steps"
    assert heap.advance(by=1e-9, steps=10**6) == "time"
    gas = carom.Simulation(GAS)
    assert gas.advance(collisions=100) == "collisions" and gas.collisions == 100
    assert gas.advance(until=gas.time + 0.125) == "time"
    assert gas.time_step is None
    for simulation, wrong, rule in [
        (heap, {"collisions": 3}, "counts steps"),
        (gas, {"steps": 3}, "counts collisions"),
        (heap, {"steps": -1}, "not be negative"),
        (heap, {"until": math.nan}, "must be a time"),
        (heap, {"until": -1.0}, "must be a time"),
    ]:
        with pytest.raises(carom.Error, match=rule):
            simulation.advance(**wrong)
    with pytest.raises(carom.Error, match="counts steps, no collisions"):
        heap.collisions  # noqa: B018
    with pytest.raises(carom.Error, match="no end in time"):
        carom.Simulation(FLUID).advance()
    for every in (0, -1, math.nan, math.inf):
        with pytest.raises(carom.Error, match="every is"):
            next(heap.rows(every))


def test_the_end_of_a_scene_does_not_end_a_simulation() -> None:
    simulation = carom.Simulation(HEAP)
    simulation.advance(until=0.6)
    assert simulation.digest() == carom.run(HEAP, until=0.6).digest
    staged = carom.Simulation(STAGES)
    assert staged.advance(until=0.1) == "time" and staged.stage == 0
    assert staged.advance(until=0.3) == "time" and staged.stage == 1
    assert staged.advance(until=9.0) == "end"
    assert staged.digest() == carom.run(STAGES).digest


def test_what_never_happens_is_rest() -> None:
    apart = {
        "engine": "event-driven", "dimension": 2, "until": 1.0, "box": {"size": 9, "boundary": "open"},
        "bodies": [{"position": [5, 5], "velocity": [1, 0], "radius": 0.5},
                   {"position": [2, 5], "velocity": [-1, 0], "radius": 0.5}],
    }
    simulation = carom.Simulation(apart)
    assert simulation.advance(collisions=1) == "rest"
    assert simulation.advance(by=5.0) == "time"


# ---------------------------------------------------------------------- bodies


ARRAYS = {
    "gas": {"forces", "torques", "angular_velocities", "orientations"},
    "heap": {"orientations"},
    "grains": {"orientations"},
    "block": {"forces", "torques", "angular_velocities", "orientations"},
}


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_are_copies_in_the_order_of_ids(name: str) -> None:
    simulation = carom.Simulation(ALL[name])
    simulation.advance(until=1.0)
    count, dimension = simulation.count, simulation.dimension
    shapes = {
        "ids": (count,), "positions": (count, dimension), "velocities": (count, dimension), "radii": (count,),
        "masses": (count,), "materials": (count,), "forces": (count, dimension),
        "torques": (count,) if dimension == 2 else (count, 3),
        "angular_velocities": (count,) if dimension == 2 else (count, 3),
    }
    for array, shape in shapes.items():
        if array in ARRAYS[name]:
            with pytest.raises(carom.Error, match=f"have no {array}"):
                simulation.get(array)
            continue
        values = simulation.get(array)
        assert values.shape == shape and values.flags.owndata | values.flags.writeable
        np.testing.assert_array_equal(getattr(simulation, array), values)
        values[...] = 0
        assert array in ("ids", "materials") or np.any(simulation.get(array) != 0)
        out = np.empty(shape, values.dtype)
        assert simulation.get(array, out=out) is out
        np.testing.assert_array_equal(out, simulation.get(array))
    state = simulation.state()
    np.testing.assert_array_equal(state.positions, simulation.positions)
    assert state.time == simulation.time and len(state) == count


def test_out_must_fit() -> None:
    simulation = carom.Simulation(HEAP)
    read_only = np.empty((40, 2))
    read_only.flags.writeable = False
    for out in (np.empty((3, 2)), np.empty((40, 2), np.float32), read_only, np.empty(80)):
        with pytest.raises(carom.Error, match="out"):
            simulation.get("positions", out=out)
    strided = np.zeros((40, 4))[:, ::2]
    np.testing.assert_array_equal(simulation.get("positions", out=strided), simulation.positions)
    with pytest.raises(carom.Error, match='did you mean "positions"'):
        simulation.get("position")


def test_setters() -> None:
    simulation = carom.Simulation(HEAP)
    velocities = np.random.default_rng(1).normal(size=(40, 2))
    simulation.velocities = velocities
    np.testing.assert_array_equal(simulation.velocities, velocities)
    simulation.set_velocities([1, 2], ids=[3, 5])
    np.testing.assert_array_equal(simulation.velocities[[3, 5]], [[1, 2], [1, 2]])
    np.testing.assert_array_equal(simulation.velocities[4], velocities[4])
    simulation.velocities = 0
    assert not simulation.velocities.any()
    simulation.set_positions([[3.0, 7.7]], ids=[0])
    np.testing.assert_array_equal(simulation.positions[0], [3.0, 7.7])
    simulation.angular_velocities = np.arange(40)
    np.testing.assert_array_equal(simulation.angular_velocities, np.arange(40))
    simulation.set_forces([0.0, 1.0], ids=[7])
    simulation.set_torques(0.5, ids=[7])
    assert simulation.forces[7, 1] >= 1.0 and simulation.torques[7] != 0
    simulation.set_fixed(True, ids=[9])
    place = simulation.positions[9]
    simulation.advance(by=0.05)
    np.testing.assert_array_equal(simulation.positions[9], place)
    simulation.set_fixed([False], ids=[9])
    simulation.advance(by=0.05)
    assert (simulation.positions[9] != place).any()


def test_setters_in_space_and_for_hard_spheres() -> None:
    grains = carom.Simulation(GRAINS)
    grains.angular_velocities = [0, 0, 1]
    np.testing.assert_array_equal(grains.angular_velocities[3], [0, 0, 1])
    grains.set_torques(np.ones((30, 3)))
    gas = carom.Simulation(GAS)
    gas.velocities = -gas.velocities
    before = gas.digest()
    gas.velocities = -gas.velocities
    assert gas.digest() == carom.Simulation(GAS).digest() != before
    with pytest.raises(carom.Error, match="engine|force"):
        gas.set_forces([0, 1])


@pytest.mark.parametrize(
    ("act", "rule"),
    [
        (lambda it: it.set_velocities(np.zeros((3, 2))), "3 rows; there are 40 bodies"),
        (lambda it: it.set_velocities(np.zeros((40, 3))), "3 columns; it must have 2"),
        (lambda it: it.set_velocities([np.nan, 0]), "finite"),
        (lambda it: it.set_velocities([np.inf, 0], ids=[2]), "body 2"),
        (lambda it: it.set_velocities(["a", "b"]), "real numbers"),
        (lambda it: it.set_velocities([1j, 0]), "real numbers"),
        (lambda it: it.set_velocities([0, 0], ids=[40]), "no body with this id"),
        (lambda it: it.set_velocities([0, 0], ids=[-1]), "an index is between"),
        (lambda it: it.set_velocities([0, 0], ids=[0.5]), "whole numbers"),
        (lambda it: it.set_angular_velocities(np.zeros((40, 2))), "2 columns; it must have 1"),
        (lambda it: it.set_materials("rubber"), 'it must be one of "default"'),
        (lambda it: it.set_materials(3), "materials has 3; the scene has 1"),
        (lambda it: it.set_materials([-1] * 40), "index or the name"),
        (lambda it: it.insert([3, 7.7], 0.1, materials=1), "materials has 1; the scene has 1"),
        (lambda it: it.set_materials(0.5), "index or the name"),
        (lambda it: it.set_positions([1e300, 0], ids=[0]), ""),
        (lambda it: it.remove([0, 0]), "only once"),
        (lambda it: it.remove(99), "no body with this id"),
        (lambda it: it.insert([[1, 1]], -1.0), "radius"),
        (lambda it: it.insert([[1, np.nan]], 0.2), "finite"),
        (lambda it: it.insert([[1, 1]], [0.2, 0.3]), "2 rows; there are 1 bodies"),
    ],
)
def test_changes_that_are_refused_leave_everything_as_it_was(act: Any, rule: str) -> None:
    simulation = carom.Simulation(HEAP)
    simulation.advance(by=0.05)
    before = simulation.save()
    with pytest.raises(carom.Error, match=rule or None):
        act(simulation)
    assert simulation.save() == before
    assert simulation.advance(by=0.01) == "time"


def test_arrays_of_other_kinds_are_converted() -> None:
    base = np.random.default_rng(2).normal(size=(40, 2))
    read_only = base.copy()
    read_only.flags.writeable = False
    wide = np.zeros((40, 4))
    wide[:, ::2] = base
    ways = [base, base.tolist(), read_only, wide[:, ::2], np.asfortranarray(base), base.astype(">f8")]
    digests = set()
    for way in ways:
        simulation = carom.Simulation(HEAP)
        simulation.set_velocities(way, ids=simulation.ids.astype(np.int16))
        digests.add(simulation.digest())
    assert len(digests) == 1
    simulation = carom.Simulation(HEAP)
    simulation.set_velocities(np.zeros((0, 2)), ids=[])
    simulation.remove([])
    assert len(simulation.insert(np.zeros((0, 2)), 0.1)) == 0


def test_bodies_come_and_go() -> None:
    scene = carom.Scene(HEAP, materials__light__density=0.5)
    simulation = carom.Simulation(scene)
    simulation.remove([0, 5])
    new = simulation.insert([[1.0, 7.7], [5.0, 7.7]], [0.1, 0.2], velocities=[0, -1], materials=["light", "default"])
    np.testing.assert_array_equal(new, [40, 41])
    assert simulation.count == 40 and simulation.ids[0] == 1 and simulation.ids[-1] == 41
    np.testing.assert_array_equal(simulation.materials[-2:], [1, 0])
    np.testing.assert_allclose(simulation.masses[-2:], [0.5 * np.pi * 0.01, np.pi * 0.04])
    np.testing.assert_array_equal(simulation.velocities[-2:], [[0, -1], [0, -1]])
    one = simulation.insert([3.0, 7.75], 0.1, masses=2.0)
    assert one == [42] and simulation.masses[-1] == 2.0
    simulation.set_positions([3.0, 7.7], ids=one)
    simulation.advance(by=0.05)
    np.testing.assert_array_equal(simulation.frame().ids, simulation.ids)
    gas = carom.Simulation(GAS)
    with pytest.raises(carom.Error, match="overlap"):
        gas.insert(gas.positions[:1], 0.5)
    with pytest.raises(carom.Error, match="solids"):
        carom.Simulation(BLOCK).remove([0])


def test_contacts_balance_and_walls_are_pushed() -> None:
    for scene in (HEAP, GRAINS):
        # Without what depends on velocities, which are those of half a step before in a step.
        elastic = carom.Scene(scene, materials__default__restitution=1, materials__default__friction=0)
        simulation = carom.Simulation(elastic)
        simulation.advance(until=1.0)
        contacts = simulation.contacts()
        count = len(contacts.bodies)
        assert count == simulation.quantities()["contacts"] + simulation.quantities()["wall_contacts"] > 0
        forces = np.zeros_like(simulation.forces)
        first, second = contacts.bodies.T
        np.add.at(forces, first, contacts.forces)
        between = second >= 0
        np.subtract.at(forces, second[between], contacts.forces[between])
        np.testing.assert_allclose(forces, simulation.forces, atol=1e-9)
        np.testing.assert_allclose(np.linalg.norm(contacts.normals, axis=1), 1.0)
        normal = -(contacts.forces * contacts.normals).sum(axis=1)
        np.testing.assert_allclose(normal, contacts.normal_forces, atol=1e-9)
        walls = simulation.walls()
        assert list(walls)[0] == "wall_x_low"
        on_walls = sum(load.force for load in walls.values())
        np.testing.assert_allclose(on_walls, -contacts.forces[~between].sum(axis=0), atol=1e-9)
        for number, load in enumerate(walls.values()):
            assert load.contacts == (contacts.walls == number).sum()
    assert len(carom.Simulation(GAS).contacts().bodies) == 0
    assert carom.Simulation(GAS).walls() == {}
    assert "kinetic_energy" in carom.Simulation(GAS).energies()


# --------------------------------------------------------- observables, copies


class Counted:
    """How often it was asked, and the mean height."""

    name = "counted"
    columns = ["asked", "height"]

    def __init__(self) -> None:
        self.asked = 0

    def sample(self, state: carom.State) -> list[float]:
        self.asked += 1
        return [self.asked, state.positions[:, -1].mean()]

    def save(self) -> list[float]:
        return [self.asked]

    def restore(self, numbers: list[float]) -> None:
        self.asked = int(numbers[0])


def drag(state: carom.State) -> np.ndarray:
    return -0.5 * state.masses[:, None] * state.velocities


@pytest.mark.parametrize("name", ["gas", "heap", "grains", "block", "stages"])
def test_copies_continue_to_the_same_bits(name: str, tmp_path: Path) -> None:
    scene = carom.Scene(ALL[name], seed=4)
    forces = [drag] if scene.engine == "dem" else []
    simulation = carom.Simulation(scene, observables=[Counted()], forces=forces)
    list(simulation.rows(0.05, until=0.15))
    simulation.save(tmp_path / "saved.bin")
    assert [path.name for path in tmp_path.iterdir()] == ["saved.bin"]
    load = carom.Simulation.load
    copies = [
        pickle.loads(pickle.dumps(simulation)),
        copy.copy(simulation),
        copy.deepcopy(simulation),
        load(simulation.save(), scene, observables=[Counted()], forces=forces),
        load(tmp_path / "saved.bin", scene, observables=[Counted()], forces=forces),
    ]
    for one in [*copies, simulation]:
        assert one.row()["asked"] == 5
        one.advance(until=0.3)
    assert {one.digest() for one in copies} == {simulation.digest()}
    assert {one.save() for one in copies} == {simulation.save()}


def test_checkpoints_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    simulation = carom.Simulation(HEAP)
    saved = simulation.save()
    for wrong, rule in [
        (saved[:-3], "cut short|bytes"),
        (saved[:200] + bytes([saved[200] ^ 1]) + saved[201:], "damaged"),
        (b"", "empty"),
        (b"PNG" * 100, "no checkpoint|not a checkpoint|is no"),
    ]:
        with pytest.raises(carom.FileError, match=rule):
            carom.Simulation.load(wrong, HEAP)
    with pytest.raises(carom.FileError, match="another scene|seed"):
        carom.Simulation.load(saved, HEAP, seed=9)
    with pytest.raises(carom.FileError, match="engine|event-driven"):
        carom.Simulation.load(saved, GAS)
    with pytest.raises(carom.Error, match="give it too"):
        carom.Simulation.load(saved)
    with pytest.raises(carom.FileError, match="no such file"):
        carom.Simulation.load(tmp_path / "none.bin", HEAP)
    observed = carom.Simulation(HEAP, observables=[Counted()])
    observed.row()
    with pytest.raises(carom.Error, match="observable"):
        carom.Simulation.load(observed.save(), HEAP).advance(steps=1)


def test_a_run_in_a_folder_goes_on_by_hand(tmp_path: Path) -> None:
    carom.run(HEAP, tmp_path / "a.run")
    simulation = carom.Simulation.load(tmp_path / "a.run")
    assert simulation.time == pytest.approx(0.4, abs=1e-3)
    simulation.advance(until=0.6)
    assert simulation.digest() == carom.run(HEAP, until=0.6).digest


def test_two_threads_run_two_simulations_and_one_at_a_time_has_one() -> None:
    simulation = carom.Simulation(carom.Scene(HEAP, generate__0__count=40))
    others = [carom.Simulation(HEAP, seed=seed) for seed in (2, 3)]
    threads = [threading.Thread(target=one.advance, kwargs={"until": 1.0}) for one in others]
    for thread in threads:
        thread.start()
    simulation.advance(until=1.0)
    for thread in threads:
        thread.join()
    for seed, one in zip((2, 3), others):
        assert one.digest() == carom.run(HEAP, seed=seed, until=1.0).digest

    errors: list[str] = []
    worker = threading.Thread(target=simulation.advance, kwargs={"until": 3.0})
    worker.start()
    while worker.is_alive():
        try:
            simulation.time  # noqa: B018
        except carom.RunError as error:
            errors.append(str(error))
    worker.join()
    assert errors and "another thread" in errors[0]


def test_it_shows_itself_and_is_a_context() -> None:
    with carom.Simulation(HEAP) as simulation:
        assert repr(simulation) == "<carom.Simulation: 40 bodies, dem in 2D, at time 0>"
        simulation.check()
        assert set(simulation.columns) == set(simulation.row())
        assert repr(simulation.state()).startswith("<carom.State: 40 bodies")


LOOKS: dict[str, Callable[[carom.Simulation], Any]] = {
    "digest": carom.Simulation.digest,
    "save": carom.Simulation.save,
    "state": carom.Simulation.state,
    "contacts": carom.Simulation.contacts,
    "positions": lambda simulation: simulation.positions,
    "row": carom.Simulation.row,
}


@pytest.fixture(scope="module")
def crowd() -> carom.Simulation:
    side = 250
    region = {"low": [0, 0], "high": [side, side]}
    bodies = [{"kind": "random", "count": 50_000, "radius": 0.25, "region": region}]
    simulation = carom.Simulation(carom.Scene(HEAP, box__size=[side, side], generate=bodies))
    simulation.advance(steps=20)
    return simulation


@pytest.mark.parametrize("name", LOOKS)
def test_other_threads_run_while_many_bodies_are_looked_at(name: str, crowd: carom.Simulation) -> None:
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0)

    ticker = threading.Thread(target=tick)
    interval = sys.getswitchinterval()
    # Only where a thread gives up the interpreter by itself can another run.
    sys.setswitchinterval(1000.0)
    ticker.start()
    try:
        # Where other threads could not run, none would ever have run in the middle of a call.
        for _ in range(300):
            start = time.perf_counter()
            LOOKS[name](crowd)
            end = time.perf_counter()
            quarter = (end - start) / 4
            if any(start + quarter < moment < end - quarter for moment in ticks):
                return
            ticks.clear()
    finally:
        sys.setswitchinterval(interval)
        done.set()
        ticker.join()
    raise AssertionError("no other thread has run in the middle of a call")


@pytest.mark.parametrize("name", ["ids", "positions", "radii", "angular_velocities", "forces", "torques", "materials"])
def test_arrays_are_written_into_out_wherever_it_lies(name: str) -> None:
    simulation = carom.Simulation(HEAP)
    simulation.advance(until=0.2)
    expected = simulation.get(name)
    wide = np.zeros((2 * len(expected), *expected.shape[1:]), expected.dtype)
    for out in [np.zeros_like(expected), wide[::2], wide[len(expected) :], np.zeros_like(expected, order="F")]:
        assert simulation.get(name, out=out) is out
        np.testing.assert_array_equal(out, expected)
