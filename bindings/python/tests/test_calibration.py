"""Calibration: the search on functions that are known, and on runs; figures that are measured."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scenes import GAS, HEAP

import carom
from carom import measures
from carom.calibration import _Search


def search(
    functions: list[Any],
    bounds: dict[str, tuple[float, ...]],
    targets: list[float],
    uncertainty: float = 0.01,
    noise: float = 0.0,
    evaluations: int = 60,
    precision: float = 0.01,
) -> _Search:
    """The search for where functions of the parameters have these values."""
    random = np.random.default_rng(3)
    found = _Search(
        bounds,
        {
            f"f{number}": (value, uncertainty, lambda it, number=number: it.figures[number])
            for number, value in enumerate(targets)
        },
        precision,
    )
    while len(found.evaluated) < evaluations:
        place = found.propose()
        if place is None:
            break
        values = found.values(place)
        figures = [
            [function(*values) + noise * random.normal() for function in functions] for _ in range(3)
        ]
        found.record(place, [SimpleNamespace(figures=one) for one in figures])  # type: ignore[misc]
    return found


def values_of(found: _Search) -> list[float]:
    return found.values(found.best.place)


def test_straight_lines_are_met_in_a_few_evaluations() -> None:
    found = search([lambda x: 3 * x - 1], {"x": (0, 10)}, [11.0])
    assert values_of(found)[0] == pytest.approx(4.0, abs=1e-4)
    assert found.is_done and len(found.evaluated) <= 6


def test_curves_are_met() -> None:
    for function, target, expected in [
        (math.exp, math.exp(2.3), 2.3),
        (lambda x: x**3, 8.0, 2.0),
        (lambda x: math.tanh(2 * (x - 3)), 0.9, 3 + 0.5 * math.atanh(0.9)),
    ]:
        found = search([function], {"x": (0, 5)}, [target])
        assert values_of(found)[0] == pytest.approx(expected, abs=0.05), function
        assert len(found.evaluated) <= 20


def test_several_parameters_are_distinguished() -> None:
    functions = [lambda x, y: x * y, lambda x, y: x + 2 * y, lambda x, y: math.sin(x) - y]
    x, y = 1.2, 0.7
    found = search(functions, {"x": (0, 2), "y": (0, 1)}, [one(x, y) for one in functions])
    assert values_of(found) == pytest.approx([x, y], abs=0.02)
    assert len(found.evaluated) <= 25


def test_a_valley_is_followed() -> None:
    """Rosenbrock's function as two residuals."""
    functions = [lambda x, y: 10 * (y - x * x), lambda x, y: 1 - x]
    found = search(functions, {"x": (-2, 2, -1.2), "y": (-1, 3, 1.0)}, [0.0, 0.0], uncertainty=0.05)
    assert values_of(found) == pytest.approx([1, 1], abs=0.15)


def test_a_target_out_of_reach_ends_at_a_bound() -> None:
    found = search([lambda x: x], {"x": (0, 1)}, [5.0])
    assert values_of(found) == [1.0] and found.is_done


def test_what_a_figure_does_not_depend_on_is_left_open() -> None:
    found = search([lambda x, y: x], {"x": (0, 1), "y": (0, 4)}, [0.3])
    spread = np.sqrt(np.diag(found.covariance()))
    assert values_of(found)[0] == pytest.approx(0.3, abs=0.02)
    assert spread[0] == pytest.approx(0.01, rel=0.05)
    assert spread[1] == pytest.approx(4 / math.sqrt(12), rel=0.05), "that of any value within the bounds"


def test_the_uncertainty_is_that_of_the_targets() -> None:
    found = search([lambda x: 4 * x], {"x": (0, 1)}, [2.0], uncertainty=0.2)
    assert math.sqrt(found.covariance()[0, 0]) == pytest.approx(0.05, rel=0.1)
    twice = search([lambda x: 4 * x, lambda x: 4 * x], {"x": (0, 1)}, [2.0, 2.0], uncertainty=0.2)
    assert math.sqrt(twice.covariance()[0, 0]) == pytest.approx(0.05 / math.sqrt(2), rel=0.1)


def test_noise_does_not_keep_the_search_from_its_end() -> None:
    found = search([lambda x: 10 * x], {"x": (0, 1)}, [3.0], uncertainty=0.1, noise=0.2, evaluations=40)
    assert found.is_done and len(found.evaluated) < 40
    value, spread = values_of(found)[0], math.sqrt(found.covariance()[0, 0])
    assert abs(value - 0.3) < 4 * spread and 0.01 < spread < 0.05


@pytest.mark.parametrize(
    ("parameters", "targets", "options", "rule"),
    [
        ({}, {"e": (1, 1, "time")}, {}, "no parameters"),
        ({"seed": (0, 1)}, {}, {}, "no targets"),
        ({"x": (1, 0)}, {"e": (1, 1, "time")}, {}, "the first lower"),
        ({"x": (0, 1, 2)}, {"e": (1, 1, "time")}, {}, "start of x is 2"),
        ({"x": (0,)}, {"e": (1, 1, "time")}, {}, "must be \\(low, high\\)"),
        ({"x": "ab"}, {"e": (1, 1, "time")}, {}, "must be \\(low, high\\)"),
        ({"x": (0, math.inf)}, {"e": (1, 1, "time")}, {}, "finite"),
        ({"x": (0, 1)}, {"e": (1, 0, "time")}, {}, "greater than zero"),
        ({"x": (0, 1)}, {"e": (math.nan, 1, "time")}, {}, "finite"),
        ({"x": (0, 1)}, {"e": (1, 1)}, {}, "value, uncertainty, measure"),
        ({"x": (0, 1)}, {"e": (1, 1, 3)}, {}, "function of results"),
        ({"x": (0, 1)}, {"x": (1, 1, "time")}, {}, "name of another column"),
        ({"x": (0, 1)}, {"e": (1, 1, "time")}, {"seeds": []}, "no seeds"),
        ({"x": (0, 1)}, {"e": (1, 1, "time")}, {"evaluations": 0}, "at least 1"),
        ({"x": (0, 1)}, {"e": (1, 1, "time")}, {"precision": 0}, "between 0 and 1"),
        ({"until": (0.1, 0.2)}, {"e": (1, 1, "tim")}, {}, 'did you mean "time"'),
        ({"until": (0.1, 0.2)}, {"e": (1, 1, "engine")}, {}, "is no number|must be one of"),
        ({"until": (0.1, 0.2)}, {"e": (1, 1, lambda it: math.nan)}, {}, "must be finite"),
        ({"unti": (0.1, 0.2)}, {"e": (1, 1, "time")}, {}, "unti"),
    ],
)
def test_calibrations_that_are_none_are_refused(
    parameters: Any, targets: Any, options: dict[str, Any], rule: str
) -> None:
    with pytest.raises(carom.Error, match=rule):
        carom.calibrate(GAS, parameters, targets, seeds=options.pop("seeds", 1), **options)


RESTITUTION = "materials.default.restitution"


def cooling() -> carom.Scene:
    return carom.Scene(GAS, until=None, collisions=3000, output={"picture": False}, generate__0__count=120)


def test_the_restitution_of_a_gas_is_found_by_its_cooling(tmp_path: Path) -> None:
    truth = np.mean([
        carom.run(cooling(), **{RESTITUTION: 0.93}, seed=seed).summary["kinetic_energy"] for seed in (11, 12, 13, 14)
    ])
    rows: list[dict[str, float]] = []
    arguments: Any = {
        "parameters": {RESTITUTION: (0.85, 0.99)},
        "targets": {"energy": carom.Target(float(truth), 0.02 * float(truth), "kinetic_energy")},
        "seeds": 3,
    }
    found = carom.calibrate(cooling(), **arguments, on_evaluation=rows.append)
    value, spread = found.parameters[RESTITUTION], found.uncertainties[RESTITUTION]
    assert abs(value - 0.93) < 4 * max(spread, 0.002), repr(found)
    assert 0 < spread < 0.03 and found.converged
    assert found.scene[RESTITUTION] == value
    mean, error = found.measured["energy"]
    assert mean == pytest.approx(truth, rel=0.1) and error > 0
    assert len(rows) == len(found.table["misfit"]) <= 12
    assert rows[0][RESTITUTION] == pytest.approx(0.92)
    assert "energy" in repr(found) and "±" in found._repr_html_()

    # The same in a folder, stopped after three evaluations and continued.
    folder = tmp_path / "a"
    count = 0

    def stop(row: dict[str, float]) -> bool:
        nonlocal count
        count += 1
        return count < 3

    cut = carom.calibrate(cooling(), **arguments, out=folder, jobs=2, on_evaluation=stop)
    assert len(cut.table["misfit"]) == 3 and not cut.converged
    before = {path: path.stat().st_mtime_ns for path in folder.glob("*/checkpoint.bin")}
    assert len(before) == 9
    whole = carom.calibrate(cooling(), **arguments, out=folder)
    assert whole.parameters == found.parameters and whole.covariance == pytest.approx(found.covariance)
    assert all(path.stat().st_mtime_ns == then for path, then in before.items()), "they are not run again"
    with open(folder / "calibration.csv", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    assert len(table) == len(whole.table["misfit"])
    assert float(table[-1]["energy"]) == whole.table["energy"][-1]


def test_a_plot_is_drawn() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    found = carom.calibrate(
        cooling(), {RESTITUTION: (0.85, 0.99)}, {"e": (40.0, 5.0, "kinetic_energy")}, seeds=2, evaluations=3
    )
    figure = found.plot()
    assert len(figure.axes) == 2
    assert len(found.log) == 3


def test_a_run_that_fails_ends_the_calibration(tmp_path: Path) -> None:
    parameters = {"generate.0.packing_fraction": (0.86, 0.89)}
    for out in (None, tmp_path / "a"):
        with pytest.raises(carom.Error), pytest.warns() if out else _nothing():
            carom.calibrate(GAS, parameters, {"e": (1.0, 1.0, "kinetic_energy")}, out, seeds=1)


def _nothing() -> Any:
    from contextlib import nullcontext

    return nullcontext()


# --------------------------------------------------------------------- figures


def heap_of(slope: float, dimension: int, two_sided: bool = True) -> Any:
    """Results whose last frame is a heap with sides of this slope."""
    random = np.random.default_rng(4)
    if dimension == 2:
        x = random.uniform(0 if not two_sided else -10, 10, 40_000)
        height = slope * (10 - np.abs(x))
        positions = np.column_stack([x, random.uniform(0, 1, len(x)) * height])
        up = [0.0, -9.81]
    else:
        x, y = random.uniform(-10, 10, (2, 400_000))
        height = slope * (10 - np.hypot(x, y))
        inside = height > 0
        x, y, height = x[inside], y[inside], height[inside]
        positions = np.column_stack([x, y, random.uniform(0, 1, len(x)) * height])
        up = [0.0, 0.0, -9.81]
    frame = SimpleNamespace(positions=positions, radii=np.full(len(positions), 0.1), dimension=dimension)
    return SimpleNamespace(frames=[frame], scene={"gravity": {"acceleration": up}})


def test_the_angle_of_a_heap_is_that_of_its_sides() -> None:
    for slope in (0.2, 0.5, 0.9):
        angle = math.degrees(math.atan(slope))
        for heap in (heap_of(slope, 2), heap_of(slope, 2, two_sided=False), heap_of(slope, 3)):
            assert carom.measures.angle_of_repose(heap) == pytest.approx(angle, abs=1.0)
    assert carom.measures.angle_of_repose(heap_of(0.5, 3), axis=0) < math.degrees(math.atan(0.6))
    with pytest.raises(carom.Error, match="no gravity"):
        carom.measures.angle_of_repose(carom.run(GAS, until=0.1))


def test_a_bed_has_no_slope() -> None:
    results = carom.run(HEAP, until=1.5, gravity__acceleration=[0, -9.81], materials__default__friction=0.0)
    assert 0 <= carom.measures.angle_of_repose(results) < 40


def test_the_discharge_rate_is_the_slope_of_the_count() -> None:
    time = np.linspace(0, 10, 101)
    count = np.clip(30 * (time - 2), 0, 150)
    results: Any = SimpleNamespace(columns={"time": time, "in_out": count, "temperature": time})
    assert carom.measures.discharge_rate(results) == pytest.approx(30)
    assert carom.measures.discharge_rate(results, "in_out") == pytest.approx(30)
    empty: Any = SimpleNamespace(columns={"time": time, "outlet_a": 0 * time})
    assert carom.measures.discharge_rate(empty) == 0.0
    with pytest.raises(carom.Error, match='did you mean "in_out"'):
        carom.measures.discharge_rate(results, "in_oot")
    with pytest.raises(carom.Error, match="name one by column"):
        carom.measures.discharge_rate(SimpleNamespace(columns={"time": time}))  # type: ignore[arg-type]


def test_the_bulk_density_is_mass_by_volume() -> None:
    results = carom.run(HEAP, until=0.01)
    mass = results.frames[-1].masses.sum()  # type: ignore[union-attr]
    assert carom.measures.bulk_density(results) == pytest.approx(mass / 48)
    assert carom.measures.bulk_density(results, low=[None, 0], high=[6, None]) == pytest.approx(mass / 48)
    half = carom.measures.bulk_density(results, high=[3, None])
    other = carom.measures.bulk_density(results, low=[3, None])
    assert half + other == pytest.approx(2 * mass / 48)
    with pytest.raises(carom.Error, match="3 coordinates; the bodies have 2"):
        carom.measures.bulk_density(results, low=[0, 0, 0])


def test_a_surface_profile_is_the_highest_top_of_each_interval() -> None:
    positions = np.array([[0.0, 0.0], [0.5, 2.0], [9.0, 1.0], [9.5, 0.5], [10.0, 0.0]])
    frame = SimpleNamespace(positions=positions, radii=np.full(5, 0.25), dimension=2)
    distances, heights = carom.measures.surface_profile(frame, up=[0, 3], bins=4)  # type: ignore[arg-type]
    # Between them there is no body.
    np.testing.assert_allclose(distances, [1.25, 8.75])
    np.testing.assert_allclose(heights, [2.25, 1.25])
    downwards = carom.measures.surface_profile(frame, up=[0, -1], bins=1)  # type: ignore[arg-type]
    np.testing.assert_allclose(downwards, [[5.0], [0.25]])


def test_a_surface_profile_in_space_is_about_the_axis_of_the_heap() -> None:
    angle = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    rings = [np.column_stack([r * np.cos(angle) + 7, r * np.sin(angle) - 2, np.full(60, 3 - r)]) for r in (0.5, 1.5, 2.5)]
    frame = SimpleNamespace(positions=np.concatenate(rings), radii=np.full(180, 0.1), dimension=3)
    distances, heights = carom.measures.surface_profile(frame, up=[0, 0, 1], bins=3)  # type: ignore[arg-type]
    np.testing.assert_allclose(distances, [0.5 + 1 / 3, 1.5, 2.5 - 1 / 3])
    np.testing.assert_allclose(heights, [2.6, 1.6, 0.6])


def test_figures_of_a_summary_have_names() -> None:
    summary = {"kinetic_energy": 2.5, "bodies": 3, "engine": "dem", "means": {"time": {"mean": 0.5}}, "none": None}
    results: Any = SimpleNamespace(summary=summary)
    assert measures.of_name(results, "kinetic_energy") == 2.5
    assert measures.of_name(results, "bodies") == 3.0
    assert measures.of_name(results, "means.time.mean") == 0.5
    with pytest.raises(carom.Error, match='did you mean "kinetic_energy"'):
        measures.of_name(results, "kinetic_energi")
    for name in ("engine", "means", "none"):
        with pytest.raises(carom.Error, match="is no number"):
            measures.of_name(results, name)
    with pytest.raises(carom.Error):
        measures.of_name(results, "kinetic_energy.mean")
