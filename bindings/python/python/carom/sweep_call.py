"""A call of the compiled part of sweeps, and what it leaves."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from carom import _carom
from carom.scene import Scene

#: Values of each key of a scene as TOML, and whether they advance together.
Axes = tuple[dict[str, list[str]], bool]

#: Runs, finished and failed ones, those at work, and the fraction of the whole that is done.
Progress = tuple[int, int, int, int, float]


class SweepOutcome(NamedTuple):
    """What a sweep, or a part of one, leaves."""

    #: A row for each run, with the columns of sweep.csv in their order.
    rows: list[dict[str, Any]]
    #: Sentences that runs had to say.
    warnings: list[str]
    #: "interrupt", "deadline" or "callback"; None if all runs have ended.
    stopped_by: str | None


def call_sweep(
    scene: Scene,
    axes: Axes,
    folder: str,
    *,
    jobs: int = 1,
    threads: int | None = None,
    shard: tuple[int, int] | None = None,
    max_walltime: float | None = None,
    on_progress: Callable[[Progress], Any] | None = None,
    plots: Sequence[str] = (),
    list_only: bool = False,
) -> SweepOutcome:
    """Run or list a sweep."""
    lists, together = axes
    text, name, beside, settings, is_file = scene._source()
    outcome = _carom._sweep(
        text,
        name,
        beside,
        settings,
        is_file=is_file,
        over=list(lists.items()),
        together=together,
        out=folder,
        jobs=jobs,
        threads=threads,
        shard=shard,
        max_walltime=max_walltime,
        plots=list(plots),
        list_only=list_only,
        on_progress=on_progress,
    )
    rows = [_row(run, outcome["settings"], outcome["quantities"]) for run in json.loads(outcome["table"])["runs"]]
    return SweepOutcome(rows, outcome["warnings"], outcome["stopped_by"])


def _row(run: dict[str, Any], keys: Sequence[str], quantities: Sequence[str]) -> dict[str, Any]:
    settings: dict[str, Any] = {key: run["settings"][key] for key in keys}
    numbers: dict[str, float | None] = run.get("numbers", {})
    found = {**settings, "ending": run["ending"]}
    for name in quantities:
        value = numbers.get(name)
        found[f"summary.{name}" if name in settings else name] = math.nan if value is None else value
    return {
        **found,
        "final_state": run["final_state"] or "",
        "folder": run["folder"],
        "failure": run["failure"] or "",
    }
