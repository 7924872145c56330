"""Scenes: as files, as dicts, in code, and their mistakes."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest
from conftest import CommandLine
from scenes import ALL, GAS, HEAP

import carom


@pytest.mark.parametrize("name", ALL)
def test_a_scene_built_here_runs_on_the_command_line_to_the_same_bits(
    name: str, carom_program: CommandLine, tmp_path: Path
) -> None:
    scene = carom.Scene(ALL[name])
    scene["seed"] = 7
    scene.save(tmp_path / "scene.toml")
    carom_program("run", "scene.toml", "--out", "there.run")
    there = carom.Results(tmp_path / "there.run")
    here = carom.run(scene, tmp_path / "here.run")
    kept = carom.run(scene)
    assert here.digest == there.digest == kept.digest
    for file in ("log.csv", "checkpoint.bin", "scene.toml", "frames/frame_000000.vtp"):
        assert (tmp_path / "here.run" / file).read_bytes() == (tmp_path / "there.run" / file).read_bytes(), file
    for column, values in there.columns.items():
        np.testing.assert_array_equal(kept.columns[column], values, err_msg=column)
    assert len(kept.frames) == len(there.frames) >= 2
    np.testing.assert_array_equal(kept.frames[-1].positions, there.frames[-1].positions)


def test_a_changed_scene_is_that_of_set(carom_program: CommandLine, tmp_path: Path) -> None:
    changes = {"generate.0.count": 50, "materials.default.friction": 0.1, "until": 0.05, "seed": 3}
    options = [word for key, value in changes.items() for word in ("--set", f"{key}={value}")]
    carom_program("run", ":hopper", *options, "--out", "there.run")
    scene = carom.Scene(":hopper")
    for key, value in changes.items():
        scene[key] = value
    assert scene["generate"][0]["count"] == 50
    carom.run(scene, tmp_path / "here.run")
    text = [(tmp_path / folder / "scene.toml").read_text() for folder in ("here.run", "there.run")]
    assert text[0] == text[1] and "# A hopper" in text[0]
    assert carom.Results(tmp_path / "here.run").digest == carom.Results(tmp_path / "there.run").digest


def test_ways_to_change_a_scene_are_one() -> None:
    inner = carom.Scene(HEAP)
    inner["materials"]["default"]["friction"] = 0.3
    dotted = carom.Scene(HEAP)
    dotted["materials.default.friction"] = 0.3
    by_name = carom.Scene(HEAP, materials__default__friction=0.3)
    by_copy = carom.Scene(HEAP).set("materials.default.friction", 0.3)
    assert inner == dotted == by_name == by_copy
    assert inner.fingerprint == by_copy.fingerprint != carom.Scene(HEAP).fingerprint
    assert HEAP["materials"]["default"]["friction"] == 0.4, "the dict of the caller stays as it is"
    removed = by_name.set("materials.default.friction", None)
    assert "friction" not in removed["materials"]["default"]
    del by_name["materials.default.friction"]
    assert by_name == removed
    with pytest.raises(KeyError):
        del by_name["materials.default.friction"]
    assert carom.Scene(HEAP, gate__width=3)["gate"] == {"width": 3}, "tables on the way are made"
    assert "materials" in inner and "nothing" not in inner and len(inner) == len(HEAP)


def test_values_of_numpy_are_those_of_python() -> None:
    scene = carom.Scene(HEAP)
    scene["gravity"] = {"acceleration": np.array([0, -9.81])}
    scene["until"] = np.float32(0.5)
    scene["generate"][0]["count"] = np.int64(12)
    scene["output.picture"] = np.bool_(False)
    scene["box.size"] = (6, 8)
    assert scene.count == 12
    text = scene.to_toml()
    assert "acceleration = [0.0, -9.81]" in text and "until = 0.5" in text and "picture = false" in text


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        (None, "leave"),
        ({1: 2}, "names of keys"),
        (object(), "it must be a number"),
        (2**70, "64 bits"),
        (1j, "it must be a number"),
    ],
)
def test_values_that_toml_has_not_are_refused_with_their_key(value: object, rule: str) -> None:
    scene = carom.Scene(GAS)
    scene["generate"][0]["radius"] = value
    with pytest.raises(carom.SceneError, match=rule) as caught:
        scene.check()
    assert caught.value.key is not None and caught.value.key.startswith("generate.0.radius")


def test_a_list_that_holds_itself_is_refused() -> None:
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(carom.SceneError, match="too deep"):
        carom.Scene(GAS, box={"size": endless})


FILE = """# a comment
engine = "dem"
dimension = 2
until = 1
box.size = 9

[[bodies]]
position = [1, 2]
  radius = -1
"""


def test_a_mistake_in_a_file_has_line_column_and_key(tmp_path: Path) -> None:
    path = tmp_path / "scene.toml"
    path.write_text(FILE)
    with pytest.raises(carom.SceneError) as caught:
        carom.Scene(path).check()
    error = caught.value
    assert (error.file, error.line, error.column, error.key) == (str(path), 9, 12, "bodies.0.radius")
    assert str(error) == f"{path}:9: bodies.0.radius is -1; a radius must be finite and greater than zero"
    assert isinstance(error, carom.Error) and isinstance(error, ValueError)
    for act in (carom.run, carom.Simulation, carom.check):
        with pytest.raises(carom.SceneError, match="bodies.0.radius"):
            act(path)


def test_a_mistake_in_a_dict_has_its_key() -> None:
    cases = [
        ({"bodies": [{"position": [1, 2], "radius": 0}]}, "bodies.0.radius"),
        ({"bodies": [{"position": [1, 2]}]}, "bodies.0.radius"),
        ({"untill": 3.0}, "untill"),
        ({"box": {"size": 9, "shape": 3}}, "box.shape"),
        ({"materials": {"default": {"friction": "much"}}}, "materials.default.friction"),
    ]
    for change, key in cases:
        scene = {"engine": "dem", "dimension": 2, "until": 1, "box": {"size": 9}, **change}
        with pytest.raises(carom.SceneError, match=key.rsplit(".", 1)[-1]) as caught:
            carom.check(scene)
        assert (caught.value.key, caught.value.line) == (key, None), str(caught.value)
        assert str(caught.value).startswith("the scene: ")


def test_a_mistake_in_a_changed_value_has_its_key(tmp_path: Path) -> None:
    path = tmp_path / "scene.toml"
    path.write_text(FILE.replace("-1", "1"))
    with pytest.raises(carom.SceneError) as caught:
        carom.check(path, bodies__0__radius=-3)
    assert (caught.value.line, caught.value.key) == (None, "bodies.0.radius")
    assert str(caught.value).startswith(f"{path}: bodies.0.radius is -3;")


def test_all_mistakes_are_reported_and_the_first_is_located() -> None:
    text = FILE.replace("dimension = 2", "dimension = 2\nsed = 4")
    with pytest.raises(carom.SceneError) as caught:
        carom.Scene.parse(text).check()
    assert len(str(caught.value).splitlines()) == 2
    assert (caught.value.line, caught.value.key) == (4, "sed")


def test_text_that_is_no_toml_is_refused_where_it_ends(tmp_path: Path) -> None:
    with pytest.raises(carom.SceneError, match="not valid TOML") as caught:
        carom.Scene.parse("engine = 'dem'\nuntil =\n")
    assert (caught.value.line, caught.value.key) == (2, None)
    with pytest.raises(carom.SceneError, match="duplicate key"):
        carom.Scene.parse("until = 1\nuntil = 2")
    (tmp_path / "wrong.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(carom.SceneError, match="does not look like text"):
        carom.Scene(tmp_path / "wrong.toml")


def test_files_that_are_not_there() -> None:
    with pytest.raises(carom.FileError, match="carries such a scene, named :hopper"):
        carom.Scene("somewhere/hopper.toml")
    with pytest.raises(OSError, match="no such file"):
        carom.Scene("somewhere/mine.toml")
    with pytest.raises(carom.Error, match='did you mean ":drum"'):
        carom.Scene(":drun")
    with pytest.raises(carom.FileError):
        carom.Scene(Path("/"))


def test_keys_that_lead_nowhere() -> None:
    scene = carom.Scene(GAS)
    for key, rule in [
        ("generate.1.count", "holds 1 entries"),
        ("until.soon", "plain value"),
        ("box..size", "empty part"),
        ("generate.first.count", "holds 1 entries"),
    ]:
        with pytest.raises(carom.SceneError, match=rule):
            scene[key] = 3
    with pytest.raises(KeyError):
        scene["box.width"]
    with pytest.raises(carom.SceneError, match="delete"):
        scene["until"] = None


def test_a_scene_with_files_finds_them_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "inputs"
    folder.mkdir()
    (folder / "grains.csv").write_text("x,y,r\n1,1,0.5\n3,3,0.5\n")
    scene = "engine = 'dem'\ndimension = 2\nuntil = 0.01\nbox.size = 9\n[[bodies]]\nfile = 'grains.csv'\n"
    (folder / "scene.toml").write_text(scene)
    monkeypatch.chdir(tmp_path)
    found = carom.Scene("inputs/scene.toml")
    assert found.count == 2
    assert str(folder / "grains.csv") in found.to_toml()
    assert carom.Scene.parse(found.to_toml()).fingerprint == found.fingerprint
    changed = found.set("until", 0.02)
    assert changed.count == 2
    (folder / "grains.csv").write_text("x,y,r\n1,1,0.5\n")
    assert (found.count, changed.count) == (1, 1), "a file that has changed is read again"
    (folder / "grains.csv").unlink()
    with pytest.raises(carom.FileError, match="no such file"):
        found.check()


def test_built_in_scenes() -> None:
    assert len(carom.shipped_scenes()) >= 28
    assert all(sentence.endswith(".") for sentence in carom.shipped_scenes().values())
    # It needs a mesh beside it.
    assert carom.Scene(":foams").count > 0
    assert pickle.loads(pickle.dumps(carom.Scene(":foams"))).count > 0


def test_scenes_are_copied_and_pickled() -> None:
    scene = carom.Scene(HEAP, seed=5)
    for other in (copy.copy(scene), copy.deepcopy(scene), pickle.loads(pickle.dumps(scene)), carom.Scene(scene)):
        assert other == scene and other.fingerprint == scene.fingerprint
    other = copy.deepcopy(scene)
    other["materials"]["default"]["friction"] = 0.9
    assert scene["materials"]["default"]["friction"] == 0.4


def test_what_check_says_is_what_the_command_says(carom_program: CommandLine, tmp_path: Path) -> None:
    import json

    scene = carom.Scene(HEAP)
    scene.save(tmp_path / "heap.toml")
    said = json.loads(carom_program("check", "heap.toml", "--json").stdout)
    found = scene.check()
    assert set(found["estimate"]) == set(said["estimate"])
    del found["estimate"], said["estimate"]
    assert found == said


def test_schema_is_that_of_the_command(carom_program: CommandLine) -> None:
    import json

    assert json.loads(carom_program("schema").stdout) == carom.schema()


def test_a_notebook_shows_a_scene_without_its_bodies() -> None:
    scene = carom.Scene(HEAP, bodies=[{"position": [k, 0], "radius": 0.1} for k in range(2000)])
    text = scene._repr_html_()
    assert "dem in 2D" in text and len(text) < 10_000
    assert "&lt;b&gt;" in carom.Scene({"name": "<b>"})._repr_html_()
