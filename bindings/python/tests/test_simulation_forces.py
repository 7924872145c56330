"""Forces of the user on the bodies of simulations that are advanced by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scenes import ALL, GAS, HEAP

import carom


def test_a_spring_of_numpy_oscillates() -> None:
    scene = {
        "engine": "dem", "dimension": 2, "until": 10.0, "step": 1e-3, "box": {"size": 9},
        "bodies": [{"position": [5, 4], "radius": 0.1, "mass": 1.0}],
    }
    simulation = carom.Simulation(scene, forces=[lambda state: [4.0, 4.0] - state.positions])
    simulation.advance(until=2 * math.pi)
    np.testing.assert_allclose(simulation.positions[0], [5, 4], atol=2e-5)
    assert simulation.quantities()["external_work"] == pytest.approx(0, abs=1e-6)


class Wrong(Exception):
    pass


def test_what_a_force_raises_comes_out_and_the_simulation_says_so() -> None:
    simulation = carom.Simulation(HEAP)
    saved = simulation.save()
    calls = 0

    def force(state: carom.State) -> np.ndarray:
        nonlocal calls
        calls += 1
        if calls == 20:
            raise Wrong("twentieth")
        return 0 * state.positions

    simulation.add_force(force)
    with pytest.raises(Wrong, match="twentieth"):
        simulation.advance(by=0.5)
    for act in (lambda: simulation.advance(steps=1), simulation.save, simulation.row):
        with pytest.raises(carom.RunError, match="failed in the middle of a step .*Wrong"):
            act()
    assert simulation.positions.shape == (40, 2)
    again = carom.Simulation.load(saved, HEAP)
    assert again.advance(steps=1) == "steps"


def test_a_force_that_is_wrong_from_the_start_changes_nothing() -> None:
    simulation = carom.Simulation(HEAP)
    with pytest.raises(Wrong):
        simulation.add_force(lambda state: (_ for _ in ()).throw(Wrong()))
    with pytest.raises(carom.Error, match="shape"):
        simulation.add_force(lambda state: np.zeros((1, 2)))
    simulation.advance(until=0.4)
    assert simulation.digest() == carom.run(HEAP).digest
    with pytest.raises(carom.Error, match='take the engine "dem"'):
        carom.Simulation(GAS).add_force(lambda state: 0 * state.positions)


def test_a_callback_cannot_use_the_simulation_that_calls_it() -> None:
    simulation = carom.Simulation(HEAP)
    sentences: list[str] = []

    def force(state: carom.State) -> np.ndarray:
        try:
            simulation.positions  # noqa: B018
        except carom.RunError as error:
            sentences.append(str(error))
        return 0 * state.positions

    simulation.add_force(force)
    simulation.advance(steps=3)
    assert len(sentences) >= 3 and "at work" in sentences[0]


def test_a_force_may_keep_the_state() -> None:
    kept: list[tuple[carom.State, float, np.ndarray]] = []

    def keep(state: carom.State) -> np.ndarray:
        kept.append((state, state.time, state.positions))
        return np.zeros_like(state.positions)

    simulation = carom.Simulation(HEAP, forces=[keep])
    simulation.advance(steps=20)
    assert len(kept) > 20
    for state, time, positions in kept:
        assert state.time == time
        np.testing.assert_array_equal(state.positions, positions)
    assert not np.array_equal(kept[2][2], kept[-1][2])


def test_arrays_of_a_force_are_used_again_unless_something_has_them() -> None:
    places: list[int] = []
    views: list[np.ndarray] = []
    copies: list[np.ndarray] = []

    def force(state: carom.State) -> np.ndarray:
        velocities = state.velocities
        places.append(velocities.ctypes.data)
        if len(places) > 10:
            views.append(velocities[3:])
            copies.append(velocities[3:].copy())
        # What is written into an array is nothing that the simulation sees.
        velocities *= -0.5
        if len(places) == 1:
            np.testing.assert_array_equal(state.velocities, -2 * velocities)
        return velocities

    simulation = carom.Simulation(HEAP, forces=[force])
    simulation.advance(steps=20)
    assert len(set(places[2:10])) == 1
    assert len(set(places[11:])) == len(places[11:]), "a new one while a view of the last one lives"
    for view, copy in zip(views, copies):
        np.testing.assert_array_equal(view, -0.5 * copy)
    same = carom.Simulation(HEAP, forces=[lambda state: -0.5 * state.velocities])
    same.advance(steps=20)
    assert same.digest() == simulation.digest()


def test_a_force_may_change_its_arrays_in_any_way() -> None:
    def force(state: carom.State) -> np.ndarray:
        velocities = state.velocities
        velocities.shape = (-1,)
        state.radii.setflags(write=False)
        assert state.positions.shape == (40, 2) and (state.radii > 0).all()
        assert state.ids[-1] == 39 and (state.materials == 0).all() and (state.masses > 0).all()
        assert state.angular_velocities.shape == (40,) and state.orientations is None
        return -0.5 * velocities.reshape(-1, 2)

    simulation = carom.Simulation(HEAP, forces=[force])
    simulation.advance(steps=20)
    same = carom.Simulation(HEAP, forces=[lambda state: -0.5 * state.velocities])
    same.advance(steps=20)
    assert same.digest() == simulation.digest()


def test_what_a_force_reads_in_any_order_is_the_state() -> None:
    """Arrays that are gathered one by one are those that are gathered together, in space and with shapes too."""
    names = ["ids", "positions", "velocities", "radii", "masses", "materials", "angular_velocities", "orientations"]
    for scene in (HEAP, ALL["grains"]):
        kept: list[tuple[carom.State, dict[str, np.ndarray]]] = []

        def force(state: carom.State) -> np.ndarray:
            kept.append((state, {name: getattr(state, name) for name in names}))
            return 0 * state.positions

        carom.Simulation(scene, forces=[force]).advance(steps=5)
        assert len(kept) >= 5
        for state, arrays in kept:
            for name, array in arrays.items():
                np.testing.assert_array_equal(array, getattr(state, name))


def test_a_force_may_return_torques() -> None:
    disc = {"position": [5, 5], "radius": 0.5, "mass": 2.0}
    for dimension, torque, inertia in [(2, 0.3, 0.5), (3, [0.1, 0.2, 0.3], 0.4)]:
        body = {**disc, "position": [5] * dimension}
        scene = {"engine": "dem", "dimension": dimension, "until": 1.0, "step": 0.01, "box": {"size": 9}, "bodies": [body]}

        def push(state: carom.State, torque: Any = torque) -> Any:
            return 2 * np.ones_like(state.positions), np.broadcast_to(torque, state.angular_velocities.shape)

        simulation = carom.Simulation(scene, forces=[push])
        simulation.advance(until=1.0)
        np.testing.assert_allclose(simulation.velocities, np.ones((1, dimension)), rtol=1e-9)
        expected = np.array(torque) / (inertia * 2.0 * 0.25)
        np.testing.assert_allclose(simulation.angular_velocities[0], expected, rtol=1e-9)
        work = simulation.quantities()["external_work"]
        moving = simulation.quantities()["kinetic_energy"] + simulation.quantities()["rotational_energy"]
        assert work == pytest.approx(moving, rel=1e-9)
        two = carom.Simulation(scene, forces=[push, lambda state: np.zeros_like(state.positions)])
        two.advance(until=1.0)
        assert two.digest() == simulation.digest(), "the sum of two functions"


@pytest.mark.parametrize(
    ("torques", "rule"),
    [(np.zeros(3), r"the torque has shape \(3\); it must have \(40,\)"), (np.zeros((40, 3)), "one axis"), (None, "torque")],
)
def test_torques_that_are_none_are_refused(torques: Any, rule: str) -> None:
    with pytest.raises(carom.Error, match=rule):
        carom.Simulation(HEAP, forces=[lambda state: (np.zeros((40, 2)), torques)])


def test_a_tuple_of_two_rows_is_no_tuple_of_forces_and_torques() -> None:
    bodies = [{"position": [x, 5], "radius": 0.5, "mass": 1.0} for x in (2, 6)]
    scene = {"engine": "dem", "dimension": 2, "until": 1.0, "step": 0.01, "box": {"size": 9}, "bodies": bodies}
    simulation = carom.Simulation(scene, forces=[lambda state: ((1.0, 0.0), (0.0, 1.0))])
    simulation.advance(until=1.0)
    np.testing.assert_allclose(simulation.velocities, np.eye(2), rtol=1e-9)
