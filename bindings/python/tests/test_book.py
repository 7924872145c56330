"""Blocks of Python in README and book are run, with the commands between them, each page in an empty folder."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def blocks(page: Path) -> list[tuple[str, str]]:
    """Language and text of the fenced blocks of a page, in order."""
    found: list[tuple[str, list[str]]] = []
    is_open = False
    for line in page.read_text().splitlines():
        if line.startswith("```"):
            is_open = not is_open
            if is_open:
                found.append((line[3:].strip(), []))
        elif is_open:
            found[-1][1].append(line)
    return [(language, "\n".join(lines)) for language, lines in found]


PAGES = [
    page
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    if any(language == "python" for language, _ in blocks(page))
]


def is_missing(block: str) -> bool:
    """Whether a block imports what is not installed."""
    names = set()
    for node in ast.walk(ast.parse(block)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return any(importlib.util.find_spec(name.split(".")[0]) is None for name in names)


def test_pages_are_found() -> None:
    assert {page.name for page in PAGES} >= {
        "README.md", "python.md", "python-runs.md", "python-calibration.md", "numpy.md"
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_programs_of_a_page_run(
    page: Path, tmp_path: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    names: dict[str, object] = {"__name__": "__main__"}
    for language, text in blocks(page):
        if language == "python" and not is_missing(text):
            exec(compile(text, page.name, "exec"), names)
        elif language in ("sh", "console"):
            lines = [
                line
                for line in text.splitlines()
                if line.split(" ")[0] not in ("pip", "cargo", "git")
            ]
            script = "\n".join(lines)
            subprocess.run(["sh", "-ec", script], env=environment, check=True, timeout=600)
