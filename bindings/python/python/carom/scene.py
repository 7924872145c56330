"""Scenes: what is simulated and how, as TOML files, as dicts and in code."""

from __future__ import annotations

import copy
import html
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, MutableMapping
from pathlib import Path as FilePath
from typing import Any, Literal, cast

from carom import _carom
from carom.errors import Error, FileError, SceneError
from carom.files import write_atomically
from carom.types import Path, SceneLike

__all__ = ["Scene", "check", "schema", "shipped_scenes"]

#: Texts longer than this are shortened where a notebook shows a scene.
_LONGEST_TEXT = 4000
#: Largest length of a scene file, in bytes; longer ones are refused with a sentence.
_LONGEST_SCENE = 64 << 20


class Scene(MutableMapping[str, Any]):
    """A scene: what is simulated and how, as its TOML file has it.

    It is a dict of its tables. `scene["materials"]["default"]["friction"] = 0.3` changes it, and so does a key with dots,
    `scene["materials.default.friction"] = 0.3`, which makes the tables on its way. Values are checked when they are used:
    by `check`, `run` and `Simulation`.

    Parameters
    ----------
    source : path-like, str, mapping or Scene
        A TOML file, a built-in scene such as ":hopper", a dict, or a scene, which is copied.
    settings
        Values that replace those of the scene: `seed=3`. Two underscores stand for a dot,
        `materials__default__friction=0.3`, or write `**{"materials.default.friction": 0.3}`. None leaves a key out.

    Examples
    --------
    >>> import carom
    >>> scene = carom.Scene(":hopper", seed=3)
    >>> scene["materials"]["default"]["friction"] = 0.3
    >>> scene
    <carom.Scene :hopper: dem in 2D>
    >>> built = carom.Scene({
    ...     "engine": "event-driven", "dimension": 2, "until": 1.0, "box": {"size": 9},
    ...     "bodies": [{"position": [4, 4], "velocity": [1, 0], "radius": 0.5}],
    ... })
    >>> built.count
    1
    """

    _tables: dict[str, Any]

    def __init__(self, source: SceneLike, /, **settings: Any) -> None:
        if isinstance(source, Scene):
            self.__dict__.update(copy.deepcopy(source).__dict__)
        elif isinstance(source, Mapping):
            self._set_source("", "the scene", None, is_file=False)
            self._tables = _carom._plain_tables(source)
        else:
            path = os.fspath(source)
            if path.startswith(":"):
                self._take_shipped(path)
            else:
                self._set_source(_read(path), path, FilePath(path).absolute().parent, is_file=True)
        self._change(settings)

    @classmethod
    def parse(cls, text: str, /, **settings: Any) -> Scene:
        """Read a scene from its text.

        Files that it names are searched in the current folder.

        Parameters
        ----------
        text : str
            TOML.
        settings
            As those of `Scene`.

        Examples
        --------
        >>> import carom
        >>> scene = carom.Scene.parse("engine = 'dem'\\ndimension = 2\\nuntil = 1", until=2.5)
        >>> scene["until"]
        2.5
        """
        scene = cls.__new__(cls)
        scene._set_source(text, "the scene", None, is_file=True)
        scene._change(settings)
        return scene

    @classmethod
    def _of_results(cls, folder: str, settings: Mapping[str, Any]) -> Scene:
        """The scene that was run in a results folder, whose files may not lead out of it."""
        path = os.path.join(folder, "scene.toml")
        scene = cls.__new__(cls)
        scene._set_source(_read(path), path, FilePath(folder).absolute(), is_file=True)
        scene._results = folder
        scene._change(settings)
        return scene

    def _set_source(self, text: str, name: str, folder: FilePath | None, *, is_file: bool) -> None:
        self._text = text
        self._name = name
        self._folder = folder
        self._is_file = is_file
        self._results: str | None = None
        self._original: dict[str, Any] = _carom._parse_toml(text, name)
        self._tables = copy.deepcopy(self._original)
        self._checked: tuple[Any, _carom.CheckedScene] | None = None

    def _take_shipped(self, name: str) -> None:
        scenes = _carom._shipped_scenes()
        if name[1:] not in scenes:
            raise Error(_carom._unknown_name("the scene", name, [f":{name}" for name in scenes]))
        text, meshes = scenes[name[1:]]
        self._set_source(text, name, None, is_file=True)
        if meshes:
            folder = _mesh_folder()
            for file, content in meshes.items():
                if not (folder / file).exists():
                    (folder / file).write_bytes(content)
            self._folder = folder

    def _change(self, settings: Mapping[str, Any]) -> None:
        for key, value in settings.items():
            self._put(key.replace("__", "."), value)

    def _put(self, key: str, value: Any) -> None:
        if value is None:
            _remove(self._tables, key)
        else:
            _put(self._tables, key, _carom._plain_tables({key: value})[key])

    # ------------------------------------------------------------- as a dict

    def __getitem__(self, key: str) -> Any:
        if key in self._tables or "." not in key:
            return self._tables[key]
        value: Any = self._tables
        for part in key.split("."):
            value = value[int(part)] if isinstance(value, list) else value[part]
        return value

    def __setitem__(self, key: str, value: Any) -> None:
        if value is None:
            raise SceneError(f"{key} is None; delete the key to leave it out")
        self._put(key, value)

    def __delitem__(self, key: str) -> None:
        self[key]
        _remove(self._tables, key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    def set(self, key: str, value: Any, /) -> Scene:
        """Return a copy of the scene in which a key has another value.

        Parameters
        ----------
        key : str
            Key with its tables and indices of lists, such as "materials.default.friction" or "generate.0.count".
        value
            Number, text, truth value, list, dict or array; None leaves the key out.

        Examples
        --------
        >>> import carom
        >>> scene = carom.Scene(":hopper")
        >>> scenes = [scene.set("generate.0.count", count) for count in (500, 1000)]
        >>> scenes[0]["generate"][0]["count"], scene["generate"][0]["count"]
        (500, 1000)
        """
        changed = Scene(self)
        changed._put(key, value)
        return changed

    # ------------------------------------------------- what is behind the text

    def _source(self) -> tuple[str, str, str, list[str], bool]:
        """Text, name and folder of the scene, settings that change it, and whether its lines are the user's own."""
        folder = os.fspath(self._folder) if self._folder is not None else ""
        tables = _carom._plain_tables(self._tables)
        if self._text:
            settings = _settings(self._original, tables)
            if settings is not None:
                return self._text, self._name, folder, settings, self._is_file
        if self._results is not None:
            raise SceneError("keys of a scene of results can be changed and not left out; parse its text to make another")
        return _carom._format_toml(tables), self._name, folder, [], False

    def _check(self) -> _carom.CheckedScene:
        """The checked scene, made again only if something has changed."""
        text, name, folder, settings, is_file = source = self._source()
        if self._checked is not None and self._checked[0] == source:
            return self._checked[1]
        if self._results is not None:
            checked = _carom.CheckedScene.read_results(self._results, settings)
        else:
            checked = _carom.CheckedScene.read(text, name, folder, settings, is_file=is_file)
        # Files may be others the next time.
        if not _names_files(self._tables):
            self._checked = (source, checked)
        return checked

    def check(self) -> dict[str, Any]:
        """Check the scene and say what it would do, without running it: what `carom check` says.

        Returns
        -------
        dict
            Engine, dimension, bodies, memory, time step, warnings …, and under "estimate" what a short trial on this
            machine says about the time and the disk that a run takes.

        Raises
        ------
        SceneError
            With file, line, column and key of the first mistake; the message has all of them.

        Examples
        --------
        >>> import carom
        >>> carom.Scene(":hopper").check()["bodies"]
        1000
        >>> try:
        ...     carom.Scene(":hopper", materials__default__friction=-1).check()
        ... except carom.SceneError as error:
        ...     print(error.key)
        materials.default.friction
        """
        return cast("dict[str, Any]", json.loads(self._check().report()))

    def to_toml(self) -> str:
        """Return the text of a scene file that runs to the same bits, with absolute names of files.

        Comments of a scene that was read are kept where only values have changed.

        Examples
        --------
        >>> import carom
        >>> text = carom.Scene(":hopper", until=2.0).to_toml()
        >>> "until = 2.0" in text and "# A hopper" in text
        True
        """
        text, name, folder, settings, is_file = self._source()
        return _carom._as_run(text, name, folder, settings, is_file=is_file)

    def save(self, path: Path) -> None:
        """Write the scene as a TOML file, for `carom run`.

        Parameters
        ----------
        path : path-like

        Examples
        --------
        >>> import carom, pathlib, tempfile
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "narrow.toml"
        >>> carom.Scene(":hopper", until=2.0).save(file)
        >>> carom.Scene(file)["until"]
        2.0
        """
        write_atomically(path, self.to_toml().encode())

    @property
    def engine(self) -> Literal["event-driven", "dem", "bonded"]:
        """Name of the engine.

        Examples
        --------
        >>> import carom
        >>> carom.Scene(":hopper").engine
        'dem'
        """
        return cast("Literal['event-driven', 'dem', 'bonded']", self._tables.get("engine") or self._check().engine)

    @property
    def dimension(self) -> Literal[2, 3]:
        """Number of dimensions.

        Examples
        --------
        >>> import carom
        >>> carom.Scene(":hopper").dimension
        2
        """
        return cast("Literal[2, 3]", self._tables.get("dimension") or self._check().dimension)

    @property
    def count(self) -> int:
        """Number of bodies at the start, solids included.

        Examples
        --------
        >>> import carom
        >>> carom.Scene(":hopper").count
        1000
        """
        return self._check().count

    @property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits, equal for scenes of which one can continue where the other was stopped.

        Ends, intervals of rows, formats of output and the neighbor structure do not count.

        Examples
        --------
        >>> import carom
        >>> scene = carom.Scene(":hopper")
        >>> scene.fingerprint == scene.set("until", 99.0).fingerprint
        True
        >>> scene.fingerprint == scene.set("seed", 99).fingerprint
        False
        """
        return self._check().fingerprint

    # ---------------------------------------------------------------- display

    def _title(self) -> str:
        engine = self._tables.get("engine", "no engine")
        dimension = self._tables.get("dimension")
        name = "" if self._name == "the scene" else f" {self._name}"
        return f"carom.Scene{name}: {engine}" + (f" in {dimension}D" if dimension else "")

    def __repr__(self) -> str:
        return f"<{self._title()}>"

    def _repr_html_(self) -> str:
        text, _, _, settings, _ = self._source()
        if len(text) > _LONGEST_TEXT:
            text = text[:_LONGEST_TEXT] + "\n…"
        changes = "".join(f"<li><code>{html.escape(setting)}</code></li>" for setting in settings)
        changed = f"<p>Changed:</p><ul>{changes}</ul>" if changes else ""
        return (
            f"<details open><summary><b>{html.escape(self._title())}</b></summary>{changed}"
            f"<pre>{html.escape(text)}</pre></details>"
        )

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_checked": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self._name.startswith(":") and self._folder is not None and not self._folder.is_dir():
            # The meshes of a built-in scene were in a folder of another process.
            tables = self._tables
            self._take_shipped(self._name)
            self._tables = tables


def _read(path: str) -> str:
    """The text of a scene file."""
    try:
        with open(path, "rb") as file:
            content = file.read(_LONGEST_SCENE + 1)
    except OSError as error:
        reason = "there is no such file" if isinstance(error, FileNotFoundError) else error.strerror
        sentence = f"{path} cannot be read: {reason}"
        name = f":{FilePath(path).stem}"
        if isinstance(error, FileNotFoundError) and name in shipped_scenes():
            sentence += f"; carom carries such a scene, named {name}"
        raise FileError(sentence) from None
    try:
        return content.decode()
    except UnicodeDecodeError:
        wrong = SceneError(f"{path}: this does not look like text; a scene is TOML in UTF-8")
        wrong.file = path
        raise wrong from None


def _put(tables: Any, key: str, value: Any) -> None:
    """Put a value where a key leads, making the tables on its way."""
    parts = key.split(".")
    if not all(parts):
        raise SceneError(f"the key {key!r} has an empty part; write it like box.size")
    for number, part in enumerate(parts):
        is_last = number == len(parts) - 1
        if isinstance(tables, list):
            index = int(part) if part.isdigit() else len(tables)
            if index >= len(tables):
                name = ".".join(parts[:number])
                raise SceneError(f"{key}: {name} holds {len(tables)} entries; name one of them from zero")
            if is_last:
                tables[index] = value
            else:
                tables = tables[index]
        elif isinstance(tables, dict):
            if is_last:
                tables[part] = value
            else:
                tables = tables.setdefault(part, {})
        else:
            name = ".".join(parts[:number])
            raise SceneError(f"{key}: {name} is a plain value; nothing can stand below it")


def _remove(tables: Any, key: str) -> None:
    """Remove what a key leads to, if it is there."""
    *way, last = [key] if isinstance(tables, dict) and key in tables else key.split(".")
    for part in way:
        if isinstance(tables, list):
            if not part.isdigit() or int(part) >= len(tables):
                return
            tables = tables[int(part)]
        elif isinstance(tables, dict) and part in tables:
            tables = tables[part]
        else:
            return
    if isinstance(tables, list):
        if last.isdigit() and int(last) < len(tables):
            del tables[int(last)]
    elif isinstance(tables, dict):
        tables.pop(last, None)


def _settings(old: Any, new: Any, key: str = "") -> list[str] | None:
    """What changes one table into another, as settings of the command line; None if they cannot do it."""
    if isinstance(old, dict) and isinstance(new, dict):
        if any(name not in new for name in old):
            return None
        pairs = [(name, old.get(name), value) for name, value in new.items()]
    elif (
        isinstance(old, list)
        and isinstance(new, list)
        and len(old) == len(new)
        and all(isinstance(item, dict) for item in [*old, *new])
    ):
        pairs = [(str(index), before, after) for index, (before, after) in enumerate(zip(old, new))]
    elif old == new and isinstance(old, bool) == isinstance(new, bool):
        return []
    else:
        return [f"{key}={_carom._format_toml_value(key, new)}"]
    found: list[str] = []
    for name, before, after in pairs:
        if not name or any(letter in ".= \t\n" for letter in name):
            if before != after:
                return None
            continue
        inner = _settings(before, after, f"{key}.{name}" if key else name)
        if inner is None:
            return None
        found += inner
    return found


def _names_files(value: Any) -> bool:
    """Whether a scene names files, which may change."""
    if isinstance(value, dict):
        return any(name == "file" or _names_files(inner) for name, inner in value.items())
    return isinstance(value, list) and any(_names_files(inner) for inner in value)


_mesh_folders: dict[int, tempfile.TemporaryDirectory[str]] = {}


def _mesh_folder() -> FilePath:
    """A folder of this process for the meshes of built-in scenes."""
    process = os.getpid()
    if process not in _mesh_folders:
        _mesh_folders[process] = tempfile.TemporaryDirectory(prefix="carom-")
    return FilePath(_mesh_folders[process].name)


def check(scene: SceneLike, /, **settings: Any) -> dict[str, Any]:
    """Check a scene and say what it would do, without running it: what `carom check` says.

    Parameters
    ----------
    scene : path-like, str, mapping or Scene
    settings
        As those of `Scene`.

    Returns
    -------
    dict
        As `Scene.check` returns.

    Examples
    --------
    >>> import carom
    >>> carom.check(":hopper", generate__0__count=500)["bodies"]
    500
    """
    return Scene(scene, **settings).check()


def schema() -> dict[str, Any]:
    """The JSON schema of scenes, as `carom schema` prints it.

    Examples
    --------
    >>> import carom
    >>> "materials" in carom.schema()["properties"]
    True
    """
    return cast("dict[str, Any]", json.loads(_carom._schema()))


def shipped_scenes() -> dict[str, str]:
    """The built-in scenes: their names, such as ":hopper", with a sentence about each.

    Examples
    --------
    >>> import carom
    >>> carom.shipped_scenes()[":fluid"]
    'An equilibrium fluid of hard spheres, whose pressure follows Carnahan and Starling.'
    """
    scenes = _carom._shipped_scenes()
    return {f":{name}": text.splitlines()[0].lstrip("# ") for name, (text, _) in scenes.items()}
