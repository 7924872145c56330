"""The stubs: complete, and right where a program uses them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy")

HERE = Path(__file__).parent


def run(*arguments: str, folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=folder, text=True, capture_output=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_stubs_are_those_of_the_compiled_module(tmp_path: Path) -> None:
    run("mypy.stubtest", "carom._carom", folder=tmp_path)


def test_uses_have_their_types(tmp_path: Path) -> None:
    run(
        "mypy", "--strict", "--warn-unused-ignores", str(HERE / "typing_sample.py"), folder=tmp_path
    )


def test_the_package_itself_has_types(tmp_path: Path) -> None:
    # Libraries that the benchmark compares with have no types.
    run("mypy", "--strict", "--ignore-missing-imports", "-p", "carom", folder=tmp_path)
