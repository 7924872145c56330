"""Results of runs, in folders and in memory."""

from __future__ import annotations

import base64
import html
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from carom import _carom
from carom.errors import Error, FileError
from carom.files import write_atomically
from carom.scene import Scene
from carom.types import Floats, Path

if TYPE_CHECKING:
    from carom._carom import Frame

__all__ = ["Frames", "Page", "Results"]

#: Rows of the log that a notebook shows.
_SHOWN_ROWS = 8


class Frames(Sequence["Frame"]):
    """The frames of a run, read from its folder when they are asked for.

    Examples
    --------
    >>> import carom
    >>> frames = carom.run(":hopper", until=0.02, every=0.01).frames
    >>> len(frames), frames[-1].time > 0.019
    (3, True)
    """

    def __init__(self, read: Any, count: int) -> None:
        self._read = read
        self._count = count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Frame: ...
    @overload
    def __getitem__(self, index: slice) -> list[Frame]: ...
    def __getitem__(self, index: int | slice) -> Frame | list[Frame]:
        if isinstance(index, slice):
            return [self._read(number) for number in range(*index.indices(self._count))]
        number = index + self._count if index < 0 else index
        if not 0 <= number < self._count:
            raise IndexError(f"there is no frame {index}; the run has {self._count}")
        frame: Frame = self._read(number)
        return frame

    def __iter__(self) -> Iterator[Frame]:
        return (self._read(number) for number in range(self._count))

    def __repr__(self) -> str:
        return f"<carom.Frames: {self._count}>"


class Results:
    """What a run left: log, summary, frames, and the state from which it continues.

    In a notebook it shows its summary, the end of its log and its picture; `view()` shows the viewer.

    Parameters
    ----------
    folder : path-like
        Folder that `carom.run` or `carom run` has written, or is writing.

    Examples
    --------
    >>> import carom, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp()) / "hopper.run"
    >>> results = carom.run(":hopper", folder, until=0.02, every=0.01)
    >>> carom.Results(folder).columns["time"].round(3)
    array([0.  , 0.01, 0.02])
    >>> results.ending
    'time'
    """

    def __init__(self, folder: Path) -> None:
        self._folder: str | None = os.fspath(folder)
        self._scene: Scene | None = None
        self._memory: dict[str, Any] = {}
        self._page_folder: tempfile.TemporaryDirectory[str] | None = None
        #: Sentences about what may not be intended, of a run that this program has made.
        self.warnings: list[str] = []
        self._reader()

    @classmethod
    def _in_memory(cls, scene: Scene, outcome: dict[str, Any], earlier: Results | None) -> Results:
        results = cls.__new__(cls)
        results._folder = None
        results._scene = scene
        results._page_folder = None
        results.warnings = []
        results._memory = outcome
        outcome["summary"] = json.loads(outcome["summary"])
        if earlier is not None:
            rows, frames = outcome["earlier"]
            before = earlier._memory
            for name, values in before["log"].items():
                outcome["log"][name] = np.concatenate([values[:rows], outcome["log"][name]])
            outcome["frames"] = before["frames"][:frames] + outcome["frames"]
        return results

    def _reader(self) -> _carom.ResultsReader:
        assert self._folder is not None
        return _carom.ResultsReader(self._folder)

    @property
    def folder(self) -> str | None:
        """The folder of the results; None if they are in memory.

        Examples
        --------
        >>> import carom
        >>> carom.run(":hopper", until=0.01).folder is None
        True
        """
        return self._folder

    @property
    def scene(self) -> Scene:
        """The scene as it was run.

        Examples
        --------
        >>> import carom
        >>> carom.run(":hopper", until=0.01).scene["until"]
        0.01
        """
        if self._scene is None:
            assert self._folder is not None
            self._scene = Scene._of_results(self._folder, {})
        return self._scene

    @property
    def columns(self) -> dict[str, Floats]:
        """The log as a dict of arrays, each with a number for every row.

        Examples
        --------
        >>> import carom
        >>> columns = carom.run(":hopper", until=0.02, every=0.01).columns
        >>> columns["time"].round(3)
        array([0.  , 0.01, 0.02])
        """
        return dict(self._memory["log"]) if self._folder is None else self._reader().log()

    @property
    def log(self) -> Any:
        """The log as a DataFrame where pandas is installed, as a dict of arrays where it is not.

        Examples
        --------
        >>> import carom
        >>> log = carom.run(":hopper", until=0.02, every=0.01).log
        >>> len(log["kinetic_energy"])
        3
        """
        columns = self.columns
        try:
            import pandas
        except ImportError:
            return columns
        return pandas.DataFrame(columns)

    @property
    def summary(self) -> dict[str, Any]:
        """The content of `summary.json`; empty as long as a run has neither ended nor paused.

        Examples
        --------
        >>> import carom
        >>> carom.run(":hopper", until=0.01).summary["finished"]
        True
        """
        if self._folder is None:
            return dict(self._memory["summary"])
        text = self._reader().summary()
        return {} if text is None else json.loads(text)

    @property
    def ending(self) -> str:
        """Why the run has ended: "time", "collisions", "growth", "rest", or "stopped" before its end.

        "running" as long as it is at work, "killed" where it was ended without a word.

        Examples
        --------
        >>> import carom
        >>> carom.run(":hopper", until=0.01, on_row=lambda row: False).ending
        'stopped'
        """
        ending = self.summary.get("ending")
        if ending is not None:
            return str(ending)
        return "running" if self._reader().is_in_use else "killed"

    @property
    def frames(self) -> Frames:
        """The frames: a sequence of `carom.Frame`.

        Examples
        --------
        >>> import carom
        >>> carom.run(":hopper", until=0.02, every=0.01).frames[1].positions.shape
        (1000, 2)
        """
        if self._folder is None:
            frames = self._memory["frames"]
            return Frames(frames.__getitem__, len(frames))
        reader = self._reader()
        return Frames(reader.frame, reader.frame_count)

    @property
    def digest(self) -> str | None:
        """Sixteen hexadecimal digits of the final state: equal for equal times, positions and velocities.

        Examples
        --------
        >>> import carom
        >>> runs = [carom.run(":hopper", until=0.01) for _ in range(2)]
        >>> runs[0].digest == runs[1].digest
        True
        """
        if self._folder is None:
            return str(self._memory["digest"])
        found = self.summary.get("provenance", {}).get("final_state")
        return None if found is None else str(found)

    def table(self, name: str) -> dict[str, Floats]:
        """Return a table that an observable has left, such as "radial_distribution", as a dict of columns.

        Parameters
        ----------
        name : str

        Examples
        --------
        >>> import carom
        >>> results = carom.run(":fluid", generate__0__count=100, collisions=2000, observe__radial_distribution__to=2.0)
        >>> list(results.table("radial_distribution"))
        ['distance', 'radial_distribution']
        """
        if self._folder is None:
            tables: dict[str, dict[str, Floats]] = self._memory["tables"]
            if name not in tables:
                raise Error(_carom._unknown_name("name", name, list(tables)))
            return dict(tables[name])
        path = os.path.join(self._folder, f"{name}.csv")
        known = [file.stem for file in sorted(FilePath(self._folder).glob("*.csv")) if file.stem != "log"]
        if name not in known:
            raise Error(_carom._unknown_name("name", name, known))
        return _read_table(path)

    # ------------------------------------------------------------- conversion

    def to_xarray(self, *, frames: slice | Sequence[int] | None = None) -> Any:
        """Return the frames as a Dataset of xarray over frame, body and axis.

        Bodies are found by their ids; where one is not there its numbers are NaN.

        Parameters
        ----------
        frames : slice or sequence of int, optional
            Which frames; all by default.

        Examples
        --------
        >>> import carom
        >>> results = carom.run(":hopper", until=0.02, every=0.01)
        >>> results.to_xarray()["positions"].shape  # doctest: +SKIP
        (3, 1000, 2)
        """
        import xarray

        chosen = range(len(self.frames))[frames] if isinstance(frames, slice) else frames
        numbers = range(len(self.frames)) if chosen is None else chosen
        taken = [self.frames[number] for number in numbers]
        ids = np.unique(np.concatenate([frame.ids for frame in taken])) if taken else np.zeros(0, np.uint32)
        places = [np.searchsorted(ids, frame.ids) for frame in taken]

        def stacked(of: Any, width: int | None) -> Any:
            shape = (len(taken), len(ids)) if width is None else (len(taken), len(ids), width)
            values = np.full(shape, np.nan)
            for row, (frame, place) in enumerate(zip(taken, places)):
                found = of(frame)
                if found is not None:
                    values[row, place] = found
            return values

        dimension = self.scene.dimension
        vectors, scalars = ("frame", "body", "axis"), ("frame", "body")
        data: dict[str, Any] = {
            "positions": (vectors, stacked(lambda frame: frame.positions, dimension)),
            "velocities": (vectors, stacked(lambda frame: frame.velocities, dimension)),
            "radii": (scalars, stacked(lambda frame: frame.radii, None)),
        }
        columns = [frame.columns for frame in taken]
        by_frame = {id(frame): found for frame, found in zip(taken, columns)}
        for name in sorted({name for found in columns for name in found}):
            data[name] = (scalars, stacked(lambda frame, name=name: by_frame[id(frame)].get(name), None))
        coordinates = {
            "frame": list(numbers),
            "time": ("frame", [frame.time for frame in taken]),
            "body": ids,
            "axis": ["x", "y", "z"][:dimension],
        }
        return xarray.Dataset(data, coords=coordinates)

    def to_pyvista(self, frame: int = -1) -> Any:
        """Return a frame as PolyData of PyVista, as `Frame.to_pyvista` does.

        Parameters
        ----------
        frame : int

        Examples
        --------
        >>> import carom
        >>> carom.run(":hopper", until=0.01).to_pyvista()  # doctest: +SKIP
        """
        return self.frames[frame].to_pyvista()

    def to_ase(self, frames: slice | None = None) -> list[Any]:
        """Return frames as a list of ASE's Atoms.

        Parameters
        ----------
        frames : slice, optional
            Which frames; all by default.

        Examples
        --------
        >>> import carom
        >>> carom.run(":hopper", until=0.01).to_ase()  # doctest: +SKIP
        """
        return [frame.to_ase() for frame in self.frames[slice(None) if frames is None else frames]]

    def to_ovito(self, frame: int = -1) -> Any:
        """Return a frame as a DataCollection of OVITO, as `Frame.to_ovito` does.

        Parameters
        ----------
        frame : int

        Examples
        --------
        >>> import carom
        >>> carom.run(":hopper", until=0.01).to_ovito()  # doctest: +SKIP
        """
        return self.frames[frame].to_ovito()

    def picture(self, frame: int = -1) -> bytes:
        """Return the picture of a frame, as the bytes of a PNG.

        Parameters
        ----------
        frame : int

        Examples
        --------
        >>> import carom
        >>> carom.run(":hopper", until=0.01).picture()[:4]
        b'\\x89PNG'
        """
        return self.frames[frame].picture()

    # ---------------------------------------------------------------- display

    def view(self, *, height: int = 560, every: int = 1, overlay: Sequence[str] = ()) -> Page:
        """Show the run in a notebook: carom's viewer in a frame, with the results inside.

        Parameters
        ----------
        height : int
            Height in pixels.
        every : int
            Take every n-th frame.
        overlay : sequence of str
            "delaunay" and "voronoi".

        Examples
        --------
        >>> import carom
        >>> page = carom.run(":hopper", until=0.02, every=0.01).view()
        >>> "<title>" in page.text
        True
        """
        with tempfile.TemporaryDirectory() as folder:
            file = FilePath(folder) / "page.html"
            self.export_html(file, every=every, overlay=overlay)
            return Page(file.read_text(encoding="utf-8"), height)

    def export_html(
        self,
        path: Path,
        *,
        frames: slice | None = None,
        every: int = 1,
        overlay: Sequence[str] = (),
    ) -> list[str]:
        """Write a page with the viewer and the frames inside, as `carom export` does.

        Parameters
        ----------
        path : path-like
            File, which is replaced if it is there.
        frames : slice, optional
            Range of frames.
        every : int
            Take every n-th of them.
        overlay : sequence of str
            "delaunay" and "voronoi".

        Returns
        -------
        list of str
            Sentences about what could not be shown.

        Examples
        --------
        >>> import carom, pathlib, tempfile
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "hopper.html"
        >>> carom.run(":hopper", until=0.02, every=0.01).export_html(file)
        []
        """
        if every < 1:
            raise Error(f"every is {every}; 1 takes every frame, 2 every second one")
        first, behind, step = (frames or slice(None)).indices(max(len(self.frames), 1))
        if step < 1:
            raise Error(f"frames has step {step}; it must go forward")
        folder = self._shown_folder()
        _, faults = _carom._export_page(
            folder, os.fspath(path), first, behind, every * step, list(overlay)
        )
        return faults

    def _shown_folder(self) -> str:
        """The folder of the results; of those in memory a temporary one, which is kept."""
        if self._folder is not None:
            return self._folder
        if self._page_folder is None:
            holder = tempfile.TemporaryDirectory(prefix="carom-")
            self._save(os.path.join(holder.name, "results.run"))
            self._page_folder = holder
        return os.path.join(self._page_folder.name, "results.run")

    def show(self) -> subprocess.Popen[bytes]:
        """Show the run in the browser, as `carom view` does, until the process that is returned is ended.

        Examples
        --------
        >>> import carom
        >>> viewer = carom.run(":hopper", until=0.01).show()  # doctest: +SKIP
        >>> viewer.terminate()  # doctest: +SKIP
        """
        command = [sys.executable, "-m", "carom", "view", self._shown_folder()]
        return subprocess.Popen(command, stdin=subprocess.DEVNULL)

    def save(self, folder: Path) -> Results:
        """Write results that are in memory into a folder, as if the run had been made there.

        Parameters
        ----------
        folder : path-like
            A folder without results.

        Returns
        -------
        Results
            Those in the folder; `carom run --resume` continues them too.

        Examples
        --------
        >>> import carom, pathlib, tempfile
        >>> results = carom.run(":hopper", until=0.02, every=0.01)
        >>> folder = pathlib.Path(tempfile.mkdtemp()) / "hopper.run"
        >>> len(results.save(folder).frames)
        3
        """
        if self._folder is not None:
            raise Error(f"these results are in {self._folder} already; copy that folder")
        self._save(os.fspath(folder))
        return Results(folder)

    def _save(self, folder: str) -> None:
        memory = self._memory
        summary = {**memory["summary"], "provenance": {"final_state": memory["digest"]}}
        _carom._write_results(
            folder,
            self.scene._check(),
            memory["scene"],
            memory["log"],
            memory["counts"],
            memory["frames"],
            json.dumps(summary, indent=2, allow_nan=False) + "\n",
            memory["checkpoint"],
        )
        for name, table in memory["tables"].items():
            lines = [",".join(table)]
            lines += [",".join(map(repr, row)) for row in zip(*(column.tolist() for column in table.values()))]
            write_atomically(os.path.join(folder, f"{name}.csv"), ("\n".join(lines) + "\n").encode())

    def resume(self, *, until: float | None = None, **options: Any) -> Results:
        """Continue the run, and return the results of the whole.

        Parameters
        ----------
        until : float, optional
            A later end.
        options
            As those of `carom.run`: `progress`, `on_row`, `observables` … and settings of the scene.

        Examples
        --------
        >>> import carom
        >>> cut = carom.run(":hopper", until=0.02, every=0.01)
        >>> cut.resume(until=0.03).digest == carom.run(":hopper", until=0.03, every=0.01).digest
        True
        """
        from carom.running import _run, run

        if self._folder is not None:
            return run(None, self._folder, resume=True, until=until, **options)
        own = {"max_walltime", "progress", "on_row", "on_frame", "observables", "forces"}
        own |= {"force_energy", "check_structure"}
        settings = {key: value for key, value in options.items() if key not in own}
        if until is not None:
            settings["until"] = until
        scene = Scene(self.scene, **settings)
        rest = {key: value for key, value in options.items() if key in own}
        return _run(scene, None, earlier=self, **rest)

    def __repr__(self) -> str:
        where = "in memory" if self._folder is None else self._folder
        return f"<carom.Results {where}: {len(self.frames)} frames, ended by {self.ending}>"

    def _repr_html_(self) -> str:
        numbers = {
            name: value
            for name, value in self.summary.items()
            if isinstance(value, (int, float, str)) and not isinstance(value, bool)
        }
        rows = "".join(
            f"<tr><td>{html.escape(name)}</td><td>{html.escape(_short(value))}</td></tr>"
            for name, value in numbers.items()
        )
        parts = [f"<b>{html.escape(repr(self)[1:-1])}</b>", '<div style="display:flex;gap:1em;flex-wrap:wrap">']
        parts.append(f"<details><summary>summary</summary><table>{rows}</table></details>")
        parts.append(f"<details><summary>log</summary>{_log_html(self.columns)}</details></div>")
        if len(self.frames) > 0:
            picture = base64.b64encode(self.picture()).decode()
            parts.append(f'<img style="max-width:480px" src="data:image/png;base64,{picture}">')
        return "".join(parts)

    def __reduce__(self) -> tuple[Any, ...]:
        if self._folder is not None:
            return (Results, (self._folder,))
        return (_results_of_memory, (self._scene, self._memory, self.warnings))


def _results_of_memory(scene: Scene, memory: dict[str, Any], warnings: list[str]) -> Results:
    """Make results that pickling has saved."""
    results = Results.__new__(Results)
    results._folder, results._scene, results._memory = None, scene, memory
    results._page_folder, results.warnings = None, warnings
    return results


class Page:
    """A page that a notebook shows in a frame of its own.

    Attributes
    ----------
    text : str
        The document.
    height : int
        Height in pixels.

    Examples
    --------
    >>> import carom
    >>> page = carom.run(":hopper", until=0.01).view(height=300)
    >>> page.height
    300
    """

    def __init__(self, text: str, height: int) -> None:
        self.text = text
        self.height = height

    def _repr_html_(self) -> str:
        # The attribute holds the whole page, so that it is there wherever the notebook is opened.
        document = html.escape(self.text, quote=True)
        return (
            f'<iframe srcdoc="{document}" width="100%" height="{self.height}" '
            'sandbox="allow-scripts allow-downloads" style="border:0"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<carom.Page: {len(self.text) / 1e6:.1f} MB; a notebook shows it>"


def _short(value: float | str) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _log_html(columns: Mapping[str, Floats]) -> str:
    """The last rows of a log as a table."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    rows = zip(*(values[-_SHOWN_ROWS:].tolist() for values in columns.values()))
    body = "".join("<tr>" + "".join(f"<td>{_short(value)}</td>" for value in row) + "</tr>" for row in rows)
    return f'<div style="overflow-x:auto"><table><tr>{head}</tr>{body}</table></div>'


def _read_table(path: str) -> dict[str, Floats]:
    """The columns of a CSV file of numbers."""
    try:
        with open(path, encoding="utf-8") as file:
            names = file.readline().strip().split(",")
            rows = [[float(cell) for cell in line.split(",")] for line in file if line.strip()]
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise FileError(f"{path} is damaged: {error}") from None
    if any(len(row) != len(names) for row in rows):
        raise FileError(f"{path} is damaged: its rows do not have {len(names)} cells")
    values = np.array(rows, dtype=float).reshape(len(rows), len(names))
    return {name: values[:, number].copy() for number, name in enumerate(names)}
