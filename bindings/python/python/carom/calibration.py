"""Calibration: parameters of a scene found from figures that were measured."""

from __future__ import annotations

import csv
import html
import io
import itertools
import math
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, Union

import numpy as np

from carom import measures
from carom.errors import Error, Stopped
from carom.files import write_atomically
from carom.results import Results
from carom.running import _run
from carom.scene import Scene
from carom.sweeping import _sweep
from carom.types import Floats, Path, SceneLike

__all__ = ["Calibration", "Target", "calibrate"]

#: The first steps of the search, and the largest, as a part of the range of each parameter.
_FIRST_STEP = 0.25
_LARGEST_STEP = 0.5
#: Spread of a parameter that nothing is known of but its bounds, as a part of its range.
_UNIFORM = 1 / math.sqrt(12)


class Target(NamedTuple):
    """A measured figure: its value, how well it is known, and how it is measured in results.

    Attributes
    ----------
    value : float
        The measured value.
    uncertainty : float
        Its standard uncertainty, which also says how much the figure weighs beside others.
    measure : callable or str
        A function of `carom.Results`, or the name of a number of the summary.

    Examples
    --------
    >>> import carom
    >>> target = carom.Target(28.5, 0.7, carom.measures.angle_of_repose)
    >>> target.uncertainty
    0.7
    """

    value: float
    uncertainty: float
    measure: Callable[[Results], float] | str


class Calibration:
    """What `calibrate` has found.

    Attributes
    ----------
    scene : Scene
        The scene with the parameters that were found.
    parameters : dict
        Value of each parameter.
    uncertainties : dict
        Standard uncertainty of each parameter.
    covariance : array of shape (P, P)
        Covariance of the parameters, in their order.
    measured : dict
        Mean over seeds and its standard error for each figure, with the parameters that were found.
    misfit : float
        Sum of the squared differences from the targets in units of their uncertainties.
    converged : bool
        Whether the search has come to its end by itself: further steps change nothing that counts.
    table : dict
        A column for each parameter, each figure, its error over seeds, and the misfit; a row for each evaluation.

    Examples
    --------
    >>> import carom
    >>> found = carom.calibrate(":cooling", {"materials.default.restitution": (0.8, 0.99)}, {
    ...     "kinetic_energy": carom.Target(1.5, 0.1, "kinetic_energy"),
    ... }, seeds=1, evaluations=4, collisions=2000, generate__0__count=100)
    >>> len(found.table["misfit"]) <= 4
    True
    """

    def __init__(self, scene: Scene, search: _Search) -> None:
        best = search.best
        self.scene: Scene = scene
        self.parameters: dict[str, float] = dict(zip(search.names, search.values(best.place)))
        self.covariance: Floats = search.covariance()
        self.uncertainties: dict[str, float] = dict(zip(search.names, np.sqrt(np.diag(self.covariance)).tolist()))
        self.measured: dict[str, tuple[float, float]] = {
            name: (mean, error) for name, mean, error in zip(search.targets, best.means, best.errors)
        }
        self.misfit: float = best.misfit
        self.converged: bool = search.is_done
        self.table: dict[str, Floats] = search.table()
        self._search = search

    @property
    def log(self) -> Any:
        """The table as a DataFrame where pandas is installed, as a dict of arrays where it is not.

        Examples
        --------
        >>> import carom
        >>> found = carom.calibrate(":cooling", {"materials.default.restitution": (0.8, 0.99)}, {
        ...     "kinetic_energy": carom.Target(1.5, 0.1, "kinetic_energy"),
        ... }, seeds=1, evaluations=3, collisions=500, generate__0__count=50)
        >>> len(found.log)
        3
        """
        try:
            import pandas
        except ImportError:
            return self.table
        return pandas.DataFrame(self.table)

    def plot(self) -> Any:
        """Draw figures and misfit over every parameter, and return the figure of matplotlib.

        Examples
        --------
        >>> import carom
        >>> found = carom.calibrate(":cooling", {"materials.default.restitution": (0.8, 0.99)}, {
        ...     "kinetic_energy": carom.Target(1.5, 0.1, "kinetic_energy"),
        ... }, seeds=1, evaluations=3, collisions=500, generate__0__count=50)
        >>> figure = found.plot()  # doctest: +SKIP
        """
        import matplotlib.pyplot as plt

        search = self._search
        rows = [*search.targets, "misfit"]
        shape = (len(rows), len(search.names))
        size = (4 * shape[1], 2.4 * shape[0])
        figure, axes = plt.subplots(*shape, figsize=size, squeeze=False, sharex="col")
        for column, name in enumerate(search.names):
            value, spread = self.parameters[name], self.uncertainties[name]
            for row, figure_name in enumerate(rows):
                axis = axes[row][column]
                errors = self.table.get(f"{figure_name}.error")
                axis.errorbar(self.table[name], self.table[figure_name], yerr=errors, fmt="o", capsize=3)
                axis.axvspan(value - spread, value + spread, alpha=0.2)
                axis.axvline(value)
                if figure_name in search.targets:
                    target = search.targets[figure_name]
                    axis.axhspan(target.value - target.uncertainty, target.value + target.uncertainty,
                                 alpha=0.2, color="tab:orange")
                else:
                    axis.set_yscale("symlog", linthresh=1.0)
                if column == 0:
                    axis.set_ylabel(figure_name)
            axes[-1][column].set_xlabel(name)
        figure.tight_layout()
        return figure

    def _lines(self) -> list[tuple[str, str]]:
        found = [(name, f"{value:.6g} ± {self.uncertainties[name]:.2g}") for name, value in self.parameters.items()]
        for name, (mean, error) in self.measured.items():
            target = self._search.targets[name]
            spread = "" if math.isnan(error) else f" ± {error:.2g}"
            found.append((name, f"{mean:.6g}{spread}, target {target.value:.6g} ± {target.uncertainty:.2g}"))
        end = "" if self.converged else ", not converged"
        count = len(self.table["misfit"])
        return [*found, ("misfit", f"{self.misfit:.3g} after {count} evaluations{end}")]

    def __repr__(self) -> str:
        return "<carom.Calibration: " + "; ".join(f"{name} {text}" for name, text in self._lines()) + ">"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(name)}</td><td>{html.escape(text)}</td></tr>" for name, text in self._lines()
        )
        return f"<table>{rows}</table>"


TargetLike = Union[Target, tuple[float, float, Union[Callable[[Results], float], str]]]


def calibrate(
    scene: SceneLike,
    parameters: Mapping[str, tuple[float, float] | tuple[float, float, float]],
    targets: Mapping[str, TargetLike],
    out: Path | None = None,
    *,
    seeds: int | Iterable[int] = 3,
    evaluations: int = 40,
    precision: float = 0.01,
    jobs: int = 1,
    on_evaluation: Callable[[dict[str, float]], Any] | None = None,
    **settings: Any,
) -> Calibration:
    """Find the parameters with which a scene gives measured figures.

    Each evaluation runs the scene with one set of parameters and with every seed; the seeds are the same for all
    evaluations, so that differences are those of the parameters. The search needs no derivatives: it fits straight lines
    to each figure over the evaluations around the best one, and steps to where these meet the targets, within bounds and
    within a distance that grows with successes. It is for a few parameters, some two evaluations for each of them to
    begin with and some ten in all.

    Parameters
    ----------
    scene : path-like, str, mapping or Scene
    parameters : mapping
        Bounds of each key of the scene, (low, high), and perhaps where to start, (low, high, start).
    targets : mapping
        A `Target` for each figure, or a tuple (value, uncertainty, measure). There should be no fewer than parameters.
    out : path-like, optional
        Folder for the runs and the table `calibration.csv`. The same call continues where it was stopped. Without it
        nothing is written.
    seeds : int or iterable of int
        Number of seeds, 1 and on, or the seeds.
    evaluations : int
        Most evaluations.
    precision : float
        The search ends where its steps are shorter than this part of the range of each parameter, or shorter than a
        tenth of the uncertainty, and would bring no target closer by more than its uncertainty.
    jobs : int
        Number of runs at a time, of those in a folder.
    on_evaluation : callable, optional
        Called with the row of the table after each evaluation; False ends the search.
    settings
        Values that replace those of the scene, as those of `carom.Scene`.

    Returns
    -------
    Calibration

    Raises
    ------
    Stopped
        At Ctrl-C; its `calibration` has the evaluations so far.

    Examples
    --------
    >>> import carom
    >>> found = carom.calibrate(":cooling", {"materials.default.restitution": (0.8, 0.99)}, {
    ...     "kinetic_energy": carom.Target(1.5, 0.1, "kinetic_energy"),
    ... }, seeds=1, evaluations=3, collisions=500, generate__0__count=50)
    >>> 0.8 <= found.parameters["materials.default.restitution"] <= 0.99
    True
    """
    base = Scene(scene, **settings)
    numbers = list(range(1, seeds + 1)) if isinstance(seeds, int) else [int(seed) for seed in seeds]
    if not numbers:
        raise Error("there are no seeds; one is needed at least")
    if evaluations < 1:
        raise Error(f"evaluations is {evaluations}; it must be at least 1")
    if not 0 < precision < 1:
        raise Error(f"precision is {precision}; it must be between 0 and 1")
    search = _Search(parameters, targets, precision)
    folder = None if out is None else os.fspath(out)

    def results_of(values: Mapping[str, float]) -> list[Results]:
        changed = base
        for key, value in values.items():
            changed = changed.set(key, value)
        if folder is None:
            return [_run(changed.set("seed", seed), None, progress=False) for seed in numbers]
        over = {**{key: [value] for key, value in values.items()}, "seed": numbers}
        rows = _sweep(base, over, folder, jobs=jobs)
        failures = [row["failure"] for row in rows if row["failure"]]
        if failures:
            raise Error(f"a run of the calibration has failed: {failures[0]}")
        return [Results(os.path.join(folder, row["folder"])) for row in rows]

    try:
        while len(search.evaluated) < evaluations:
            place = search.propose()
            if place is None:
                break
            values = dict(zip(search.names, search.values(place)))
            search.record(place, results_of(values))
            if folder is not None:
                search.write(os.path.join(folder, "calibration.csv"))
            row = {name: column[-1].item() for name, column in search.table().items()}
            if on_evaluation is not None and on_evaluation(row) is False:
                break
    except KeyboardInterrupt as interrupt:
        raise _stopped(base, search, folder) from interrupt
    return _calibration(base, search)


def _calibration(base: Scene, search: _Search) -> Calibration:
    """What the evaluations so far say."""
    found = base
    for key, value in zip(search.names, search.values(search.best.place)):
        found = found.set(key, value)
    return Calibration(found, search)


def _stopped(base: Scene, search: _Search, folder: str | None) -> Stopped:
    """What Ctrl-C becomes: without a folder nothing else would be left of hours of runs."""
    count = len(search.evaluated)
    what = "evaluation" if count == 1 else "evaluations"
    sentence = f"the calibration was stopped after {count} {what}"
    if folder is not None:
        stopped = Stopped(f"{sentence}; the same call continues it")
    elif count > 0:
        stopped = Stopped(f"{sentence}; `calibration` of this exception has them")
    else:
        stopped = Stopped(sentence)
    stopped.folder = folder
    stopped.calibration = _calibration(base, search) if count > 0 else None
    return stopped


class _Evaluation(NamedTuple):
    """What was measured at a place."""

    #: Parameters as parts of their ranges.
    place: Floats
    #: Mean of each figure over the seeds.
    means: list[float]
    #: Its standard error; not a number with one seed.
    errors: list[float]
    #: Differences from the targets in units of their uncertainties.
    residuals: Floats

    @property
    def misfit(self) -> float:
        return float(self.residuals @ self.residuals)


class _Search:
    """A search for the place where residuals are least, by linear models within a trust region."""

    def __init__(
        self,
        parameters: Mapping[str, tuple[float, ...]],
        targets: Mapping[str, TargetLike],
        precision: float,
    ) -> None:
        if not parameters:
            raise Error("there are no parameters; give at least one with its bounds")
        if not targets:
            raise Error("there are no targets; give at least one")
        self.names: list[str] = list(parameters)
        self.targets: dict[str, Target] = {name: _target(name, target) for name, target in targets.items()}
        for name in self.targets:
            if name in self.names or name == "misfit":
                raise Error(f"the target {name!r} has the name of another column; call it otherwise")
        bounds = [_bounds(name, given) for name, given in parameters.items()]
        self.low: Floats = np.array([low for low, _, _ in bounds])
        self.width: Floats = np.array([high - low for low, high, _ in bounds])
        self.start: Floats = (np.array([start for _, _, start in bounds]) - self.low) / self.width
        self.precision: float = precision
        self.evaluated: list[_Evaluation] = []
        self.step: float = _FIRST_STEP
        self.is_done: bool = False
        #: What the last step was meant to bring, and from where.
        self._expected: tuple[_Evaluation, float] | None = None
        self._design: list[Floats] = self._first_places()

    def values(self, place: Floats) -> list[float]:
        """Parameters at a place, rounded to what can be distinguished, so that names of folders stay short."""
        values = self.low + place * self.width
        return [float(f"{value:.6g}") for value in np.clip(values, self.low, self.low + self.width)]

    @property
    def best(self) -> _Evaluation:
        if not self.evaluated:
            raise Error("nothing was evaluated")
        # Ties go to the first.
        return min(self.evaluated, key=lambda one: one.misfit)

    def _first_places(self) -> list[Floats]:
        """The start, and a step along each axis toward the farther bound."""
        places = [self.start]
        for axis in range(len(self.names)):
            place = self.start.copy()
            place[axis] += _FIRST_STEP if place[axis] <= 0.5 else -_FIRST_STEP
            places.append(place)
        return places

    def record(self, place: Floats, results: list[Results]) -> None:
        """Measure the results of a place."""
        means, errors, residuals = [], [], []
        for name, target in self.targets.items():
            measure = target.measure
            figures = [
                measures.of_name(one, measure) if isinstance(measure, str) else float(measure(one)) for one in results
            ]
            if not np.isfinite(figures).all():
                raise Error(f"the figure {name!r} is {figures} at {self.values(place)}; it must be finite")
            count = len(figures)
            error = float(np.std(figures, ddof=1) / math.sqrt(count)) if count > 1 else math.nan
            means.append(float(np.mean(figures)))
            errors.append(error)
            residuals.append((means[-1] - target.value) / target.uncertainty)
        # What was run, not what was meant: values are rounded.
        exact = (np.array(self.values(place)) - self.low) / self.width
        evaluation = _Evaluation(exact, means, errors, np.array(residuals))
        before = self._expected
        self.evaluated.append(evaluation)
        if before is not None:
            self._adapt(before, evaluation)
            self._expected = None

    def _adapt(self, before: tuple[_Evaluation, float], after: _Evaluation) -> None:
        """Lengthen steps that brought what they were meant to, shorten others."""
        origin, expected = before
        gained = origin.misfit - after.misfit
        length = float(np.abs(after.place - origin.place).max())
        if gained >= 0.5 * expected:
            self.step = min(max(self.step, 2 * length), _LARGEST_STEP)
        elif gained < 0.1 * expected:
            self.step = max(min(0.5 * self.step, length), 0.25 * self.step) * 0.9

    def propose(self) -> Floats | None:
        """The next place to evaluate, or None where the search is at its end."""
        if self._design:
            return self._design.pop(0)
        best = self.best
        slopes = self._slopes()
        move = self._move(best, slopes)
        expected = best.misfit - float(np.sum((best.residuals + slopes @ move) ** 2))
        spread = np.sqrt(np.diag(self._covariance_of(slopes)))
        negligible = np.maximum(self.precision, 0.1 * spread)
        is_short = (np.abs(move) <= negligible).all()
        # A short step is taken where it still brings a target closer by more than its uncertainty.
        if (is_short and expected <= 1) or expected <= 1e-3 * max(best.misfit, 1e-3):
            place = self._missing_neighbor(best, negligible)
            if place is None or self.step <= self.precision:
                self.is_done = True
                return None
            return place
        self._expected = (best, expected)
        place = np.clip(best.place + move, 0, 1)
        if any(self.values(place) == self.values(one.place) for one in self.evaluated):
            self.is_done = True
            return None
        return place

    def _missing_neighbor(self, best: _Evaluation, reach: Floats) -> Floats | None:
        """A place beside the best along an axis where none is near, so that slopes there are known."""
        for axis in range(len(self.names)):
            wanted = max(4 * reach[axis], 0.05)
            near = [
                one
                for one in self.evaluated
                if 0.2 * wanted < abs(one.place[axis] - best.place[axis]) <= 2 * wanted
                and np.abs(one.place - best.place).max() <= 2 * max(wanted, 4 * float(reach.max()))
            ]
            if not near:
                place = best.place.copy()
                place[axis] += wanted if place[axis] + wanted <= 1 else -wanted
                return place
        return None

    def _slopes(self) -> Floats:
        """Change of each residual with each parameter around the best place, by weighted least squares."""
        best = self.best
        others = [one for one in self.evaluated if one is not best]
        moves = np.array([one.place - best.place for one in others])
        distances = np.abs(moves).max(axis=1)
        scatter = self._scatter()
        # Where the scatter is not known, near evaluations must not count for more than those half a step away.
        nearest = self.precision if np.isfinite(scatter).all() else max(0.5 * self.step, self.precision)
        slopes = []
        for number in range(len(self.targets)):
            changes = np.array([one.residuals[number] - best.residuals[number] for one in others])
            # Straight lines miss what is far away by its curvature, about as much as slopes differ over the whole range,
            # and what is near by the scatter among seeds: each evaluation counts by what both leave of it.
            steepness = float(np.max(np.abs(changes) / np.maximum(distances, 0.5 * _FIRST_STEP)))
            curvature = steepness * np.maximum(distances, nearest) ** 2
            noise = math.sqrt(2) * float(np.nan_to_num(scatter[number]))
            weights = 1 / np.maximum(np.hypot(curvature, noise), 1e-300)
            weights /= weights.max()
            slopes.append(np.linalg.lstsq(moves * weights[:, None], changes * weights, rcond=1e-6)[0])
        return np.array(slopes)

    def _scatter(self) -> Floats:
        """Standard error of each figure over the seeds, in units of the target's uncertainty; NaN with one seed.

        Of all evaluations together: that of a single one is known badly from a few seeds.
        """
        errors = np.array([one.errors for one in self.evaluated])
        scale = np.array([target.uncertainty for target in self.targets.values()])
        scatter: Floats = np.sqrt((errors**2).mean(axis=0)) / scale
        return scatter

    def _move(self, best: _Evaluation, slopes: Floats) -> Floats:
        """The move within the trust region and the bounds that makes the linear model least."""
        low = np.maximum(-best.place, -self.step)
        high = np.minimum(1 - best.place, self.step)
        chosen, least = np.zeros(len(low)), math.inf
        # Each parameter is free or at one end; with a few of them all ways are looked at.
        for state in itertools.product((0, -1, 1), repeat=len(low)):
            fixed = np.array(state)
            move = np.where(fixed < 0, low, np.where(fixed > 0, high, 0.0))
            free = fixed == 0
            if free.any():
                rest = best.residuals + slopes @ move
                # Of moves that do as well the shortest: directions that change nothing are left alone.
                solved = np.linalg.lstsq(slopes[:, free], -rest, rcond=1e-6)[0]
                move = move.copy()
                move[free] = solved
                if (move < low - 1e-12).any() or (move > high + 1e-12).any():
                    continue
            misfit = float(np.sum((best.residuals + slopes @ move) ** 2)) + 1e-9 * float(move @ move)
            if misfit < least:
                chosen, least = move, misfit
        return np.clip(chosen, low, high)

    def _covariance_of(self, slopes: Floats) -> Floats:
        """Covariance of the place: what targets and seeds leave open, and no more than the bounds do."""
        # The scatter over seeds adds to the uncertainty of the target.
        weighted = slopes / np.sqrt(1 + np.nan_to_num(self._scatter()) ** 2)[:, None]
        information = weighted.T @ weighted + np.eye(slopes.shape[1]) / _UNIFORM**2
        covariance: Floats = np.asarray(np.linalg.inv(information), dtype=np.float64)
        return covariance

    def covariance(self) -> Floats:
        """Covariance of the parameters at the best place."""
        if len(self.evaluated) < 2:
            return np.diag((_UNIFORM * self.width) ** 2)
        return self._covariance_of(self._slopes()) * np.outer(self.width, self.width)

    def table(self) -> dict[str, Floats]:
        """All evaluations as columns."""
        places = np.array([self.values(one.place) for one in self.evaluated]).reshape(-1, len(self.names))
        columns = {name: places[:, number] for number, name in enumerate(self.names)}
        for number, name in enumerate(self.targets):
            columns[name] = np.array([one.means[number] for one in self.evaluated])
            columns[f"{name}.error"] = np.array([one.errors[number] for one in self.evaluated])
        columns["misfit"] = np.array([one.misfit for one in self.evaluated])
        return columns

    def write(self, path: str) -> None:
        """Write the table as CSV."""
        table = self.table()
        file = io.StringIO()
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(table)
        rows.writerows(zip(*(map(repr, column.tolist()) for column in table.values())))
        write_atomically(path, file.getvalue().encode())



def _target(name: str, given: TargetLike) -> Target:
    """A target, checked."""
    try:
        target = Target(*given)
        value, uncertainty = float(target.value), float(target.uncertainty)
    except (TypeError, ValueError):
        raise Error(f"the target {name!r} is {given!r}; it must be (value, uncertainty, measure)") from None
    if not math.isfinite(value) or not uncertainty > 0 or math.isinf(uncertainty):
        raise Error(f"the target {name!r} is {value} with uncertainty {uncertainty}; both must be finite, and the "
                    "uncertainty greater than zero")
    if not callable(target.measure) and not isinstance(target.measure, str):
        raise Error(f"the measure of the target {name!r} is {target.measure!r}; it must be a function of results or "
                    "the name of a number of the summary")
    return Target(value, uncertainty, target.measure)


def _bounds(name: str, given: tuple[float, ...]) -> tuple[float, float, float]:
    """Low and high bound and start of a parameter, checked."""
    try:
        numbers = [float(number) for number in given]
    except (TypeError, ValueError):
        numbers = []
    if len(numbers) not in (2, 3):
        raise Error(f"the bounds of {name} are {given!r}; they must be (low, high) or (low, high, start)")
    low, high, *start = numbers
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise Error(f"the bounds of {name} are {low} and {high}; both must be finite, and the first lower")
    first = start[0] if start else 0.5 * (low + high)
    if not low <= first <= high:
        raise Error(f"the start of {name} is {first}; it must be between {low} and {high}")
    return low, high, first
