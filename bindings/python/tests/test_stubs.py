"""The stubs against those that maturin generates from the compiled module.

The generated ones do not know arrays, the names that a method may have, or what is in a dict; hence those of the package
are written by hand. Names, parameters, docstrings and the types that are known in both must be the same.
"""

from __future__ import annotations

import ast
import os
from pathlib import Path
from typing import Union

import pytest

import carom

GENERATED = os.environ.get("CAROM_GENERATED_STUBS")

pytestmark = pytest.mark.skipif(GENERATED is None, reason="cargo xtask python generates the stubs to compare with")

Definition = Union[ast.FunctionDef, ast.ClassDef]

#: Methods that every object has, of which stubs say nothing.
OF_EVERY_OBJECT = {"__repr__"}
#: What is not known in generated stubs.
UNKNOWN = {"Any", "Incomplete"}
#: Of `carom.types`, with what they stand for.
ALIASES = {
    "Path": {"str", "PathLike"},
    "ContactMethod": {"str"},
    "ContainmentMethod": {"str"},
    "FillRule": {"str"},
    "Feature": {"tuple"},
    "SupportsGetItem": {"Sequence"},
    "SupportsLenAndGetItem": {"Sequence"},
}


def read(path: Path) -> dict[str, Definition]:
    return named(ast.parse(path.read_text(encoding="utf-8")).body)


def named(nodes: list[ast.stmt], owner: str = "") -> dict[str, Definition]:
    """Classes, functions and methods by their names."""
    found: dict[str, Definition] = {}
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name not in OF_EVERY_OBJECT:
            found[owner + node.name] = node
            if isinstance(node, ast.ClassDef):
                found.update(named(node.body, f"{owner}{node.name}."))
    return found


@pytest.fixture(scope="module")
def generated() -> dict[str, Definition]:
    return read(Path(GENERATED or "") / "carom/_carom.pyi")


@pytest.fixture(scope="module")
def written() -> dict[str, Definition]:
    return read(Path(carom.__file__).with_name("_carom.pyi"))


def test_names_are_the_same(generated: dict[str, Definition], written: dict[str, Definition]) -> None:
    assert len(generated) > 180
    # `__getattr__` stands for what is added to the module when it is imported, the version.
    assert set(generated) - {"__getattr__"} == set(written)


def test_decorators_are_the_same(generated: dict[str, Definition], written: dict[str, Definition]) -> None:
    for name, node in written.items():
        assert decorators(node) == decorators(generated[name]), name


def decorators(node: Definition) -> list[str]:
    return [ast.unparse(decorator) for decorator in node.decorator_list]


def test_parameters_are_the_same(generated: dict[str, Definition], written: dict[str, Definition]) -> None:
    for name, node in written.items():
        if isinstance(node, ast.FunctionDef):
            other = generated[name]
            assert isinstance(other, ast.FunctionDef)
            assert parameters(node) == parameters(other), name


def parameters(node: ast.FunctionDef) -> list[tuple[str, bool, bool]]:
    """Name, whether it is given by name alone, and whether it may be left out; `self` and `cls` are left out."""
    arguments = node.args
    by_place = [*arguments.posonlyargs, *arguments.args]
    required = len(by_place) - len(arguments.defaults)
    found = [(it.arg, False, number >= required) for number, it in enumerate(by_place)]
    found += [(it.arg, True, default is not None) for it, default in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    return [it for it in found if it[0] not in ("self", "cls")]


def test_types_that_are_known_in_both_are_the_same(
    generated: dict[str, Definition], written: dict[str, Definition]
) -> None:
    compared, different = 0, []
    for name, node in written.items():
        other = generated[name]
        if not isinstance(node, ast.FunctionDef) or not isinstance(other, ast.FunctionDef):
            continue
        owner = name.split(".")[0]
        theirs = annotations(other)
        for what, annotation in annotations(node).items():
            known = kinds(theirs.get(what), owner)
            if not known & UNKNOWN:
                compared += 1
                ours = kinds(annotation, owner)
                # Bytes are a sequence of numbers to the compiled module.
                if ours != known and {"Sequence" if kind == "bytes" else kind for kind in ours} != known:
                    different.append(f"{what} of {name}: {ours} instead of {known}")
    assert not different and compared > 120, (compared, different)


def annotations(node: ast.FunctionDef) -> dict[str, ast.expr | None]:
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    found = {it.arg: it.annotation for it in arguments if it.arg not in ("self", "cls")}
    return {**found, "what is returned": node.returns}


def kinds(annotation: ast.expr | None, owner: str) -> set[str]:
    """Classes of a union, without what they are of."""
    found = members(annotation, owner)
    # What is converted to a float or to an integer is annotated as such by people.
    if {"SupportsFloat", "SupportsIndex"} <= found:
        found = (found - {"SupportsFloat", "SupportsIndex"}) | {"float"}
    if "SupportsIndex" in found:
        found = (found - {"SupportsIndex"}) | {"int"}
    return found


def members(annotation: ast.expr | None, owner: str) -> set[str]:
    if annotation is None:
        return {"Any"}
    if isinstance(annotation, ast.BinOp):
        return members(annotation.left, owner) | members(annotation.right, owner)
    if isinstance(annotation, ast.Constant):
        return {str(annotation.value)}
    if isinstance(annotation, ast.Subscript):
        base = ast.unparse(annotation.value)
        if base == "Literal":
            values = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
            return {type(ast.literal_eval(value)).__name__ for value in values}
        return ALIASES.get(base, {base})
    name = ast.unparse(annotation)
    return {owner} if name == "Self" else ALIASES.get(name, {name})


def test_docstrings_are_the_same(generated: dict[str, Definition], written: dict[str, Definition]) -> None:
    for name, node in written.items():
        # Members of a class that is no part of the interface are inherited by one that is.
        if not name.split(".")[-1].startswith("_"):
            assert ast.get_docstring(node) == ast.get_docstring(generated[name]), name
