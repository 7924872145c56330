"""What the tests share: the command line of the installed package, and random spheres."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

CommandLine = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    """Variables with which `carom` is the program that the package has installed."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    return {**os.environ, "PATH": path}


@pytest.fixture
def carom_program(environment: dict[str, str], tmp_path: Path) -> CommandLine:
    """Runs the program in a folder of its own."""

    def run(*arguments: object, expect: int = 0) -> subprocess.CompletedProcess[str]:
        command = ["carom", *map(str, arguments)]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, text=True, capture_output=True, timeout=300
        )
        assert done.returncode == expect, f"{command}: {done.stderr}"
        return done

    return run


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """An empty file system of 300 kB; only root can make one."""
    folder = tmp_path / "small"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(folder)]
    if not shutil.which("mount") or subprocess.run(command, capture_output=True).returncode != 0:
        pytest.skip("no small file system can be mounted")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(20)


def random_spheres(count: int, dimension: int, seed: int = 1) -> np.ndarray:
    """Rows of coordinates in the unit box and radii that give some contacts to each."""
    random = np.random.default_rng(seed)
    mean = 0.5 * count ** (-1 / dimension)
    radii = random.uniform(0.5 * mean, 1.5 * mean, count)
    return np.column_stack([random.random((count, dimension)), radii])
