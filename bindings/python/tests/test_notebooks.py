"""The notebooks of the book run from the first cell to the last, and leave nothing of a run in their files."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")

FOLDER = Path(__file__).parents[3] / "docs/notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def test_notebooks_are_found() -> None:
    assert [notebook.stem for notebook in NOTEBOOKS] == ["contacts-and-insides", "hard-spheres", "hopper-beverloo"]


HAS_JUPYTER = all(importlib.util.find_spec(name) for name in ("nbclient", "ipykernel"))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_nothing_of_a_run_is_left_in_a_notebook(notebook: Path) -> None:
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            assert not cell["outputs"] and cell["execution_count"] is None, "outputs belong to a reader's copy"


@pytest.mark.skipif(HAS_JUPYTER, reason="it runs in Jupyter")
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_runs(notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib
    import matplotlib.pyplot as plt

    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    names: dict[str, object] = {"__name__": "__main__"}
    for number, cell in enumerate(cells):
        if cell["cell_type"] != "code":
            continue
        exec(compile("".join(cell["source"]), f"{notebook.name}, cell {number}", "exec"), names)
    assert plt.get_fignums(), "a notebook shows something"
    plt.close("all")


@pytest.mark.skipif(not HAS_JUPYTER, reason="nbclient or ipykernel is not installed")
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_runs_in_jupyter(notebook: Path, tmp_path: Path) -> None:
    import nbclient
    import nbformat

    document = nbformat.read(notebook, as_version=4)
    nbformat.validate(document)
    nbclient.NotebookClient(
        document, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    outputs = [output for cell in document.cells if cell.cell_type == "code" for output in cell.outputs]
    kinds = {kind for output in outputs for kind in output.get("data", {})}
    assert "image/png" in kinds
    if notebook.stem != "hard-spheres":
        assert "text/html" in kinds
