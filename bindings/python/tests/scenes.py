"""Small scenes of every engine, that the tests run."""

from __future__ import annotations

from typing import Any

GAS: dict[str, Any] = {
    "engine": "event-driven",
    "dimension": 2,
    "until": 1.0,
    "generate": [
        {"kind": "random", "count": 80, "radius": 0.5, "packing_fraction": 0.4, "temperature": 1.0}
    ],
    "output": {"interval": 0.5, "log_interval": 0.25},
}

FLUID: dict[str, Any] = {
    "engine": "event-driven",
    "dimension": 3,
    "collisions": 3000,
    "generate": [
        {"kind": "random", "count": 60, "radius": 0.5, "packing_fraction": 0.3, "temperature": 1.0}
    ],
    "observe": {"radial_distribution": {"to": 1.5, "bins": 10}},
}

HEAP: dict[str, Any] = {
    "engine": "dem",
    "dimension": 2,
    "until": 0.4,
    "box": {"size": [6, 8], "boundary": "wall"},
    "gravity": {"acceleration": [0, -9.81]},
    "materials": {"default": {"density": 1.0, "stiffness": 2e4, "restitution": 0.5, "friction": 0.4}},
    "generate": [
        {
            "kind": "random",
            "count": 40,
            "radius": {"min": 0.2, "max": 0.28},
            "region": {"low": [0.5, 0.5], "high": [5.5, 7.5]},
        }
    ],
    "output": {"interval": 0.2, "log_interval": 0.1},
}

GRAINS: dict[str, Any] = {
    "engine": "dem",
    "dimension": 3,
    "until": 0.2,
    "box": {"size": [4, 4, 4], "boundary": "wall"},
    "gravity": {"acceleration": [0, 0, -9.81]},
    "materials": {"default": {"density": 1.0, "stiffness": 2e4, "friction": 0.4}},
    "generate": [
        {"kind": "random", "count": 30, "radius": 0.25, "region": {"low": [0, 0, 0], "high": [4, 4, 4]}}
    ],
    "output": {"interval": 0.1, "log_interval": 0.1},
}

BLOCK: dict[str, Any] = {
    "engine": "bonded",
    "dimension": 2,
    "until": 20.0,
    "box": {"size": [40, 30]},
    "materials": {"default": {"youngs_modulus": 1.0, "density": 1.0}},
    "solids": [
        {"circle": {"center": [8, 10], "radius": 4}, "spacing": 0.8, "velocity": [0.05, 0]},
        {"circle": {"center": [17, 10], "radius": 4}, "spacing": 0.8},
    ],
    "output": {"interval": 10.0, "log_interval": 5.0},
}

STAGES: dict[str, Any] = {
    **{key: value for key, value in HEAP.items() if key != "until"},
    "stages": [
        {"name": "fall", "duration": 0.2},
        {"name": "tilted", "duration": 0.2, "gravity": {"acceleration": [3.0, -9.0]}},
    ],
}

ALL: dict[str, dict[str, Any]] = {
    "gas": GAS,
    "fluid": FLUID,
    "heap": HEAP,
    "grains": GRAINS,
    "block": BLOCK,
    "stages": STAGES,
}
