"""The stubs: complete, and right where a program uses them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from stub_docstrings import documented

import carom
from carom import _carom

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


@pytest.fixture
def pyright(tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Runs pyright, of the distribution that needs no download when it runs."""
    pytest.importorskip("basedpyright")

    def run(*arguments: str) -> dict[str, Any]:
        command = [sys.executable, "-m", "basedpyright", "--outputjson", *arguments]
        # Packages are verified where they are found by the first Python of the path.
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        environment = {**os.environ, "PATH": path}
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, text=True, capture_output=True, timeout=600
        )
        assert done.stdout, done.stderr
        report: dict[str, Any] = json.loads(done.stdout)
        return report

    return run


def test_uses_have_their_types_for_pyright_too(pyright: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    settings = {"include": [str(HERE / "typing_sample.py")], "typeCheckingMode": "standard"}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    report = pyright("--project", str(tmp_path))
    assert report["summary"]["filesAnalyzed"] == 1
    said = [f"{it['range']['start']['line'] + 1}: {it['message']}" for it in report["generalDiagnostics"]]
    assert not said, said


def test_everything_public_has_a_complete_type(pyright: Callable[..., dict[str, Any]]) -> None:
    found = pyright("--verifytypes", "carom", "--ignoreexternal")["typeCompleteness"]
    incomplete = [it["name"] for it in found["symbols"] if it["isExported"] and not it["isTypeKnown"]]
    assert not incomplete, incomplete
    assert found["exportedSymbolCounts"]["withKnownType"] > 250


def test_editors_find_the_docstrings_of_the_compiled_module() -> None:
    stubs = Path(carom.__file__).with_name("_carom.pyi").read_text(encoding="utf-8")
    expected = documented(stubs, _carom)
    assert '"""Find all contacts among spheres or discs.' in expected
    assert stubs == expected, "docstrings differ from those in the stubs; run cargo xtask stubs"
