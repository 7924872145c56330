"""Everything public has a docstring, and the example in it is true."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Iterator

import pytest

import carom

#: What needs no example: exceptions say when they are raised.
WITHOUT_EXAMPLE = {
    name
    for name in carom.__all__
    if name[0].isupper() and issubclass(getattr(carom, name), BaseException)
}

#: What only carom makes; its constructor is no part of the interface.
MADE_BY_CAROM = {"Calibration", "Frames"}


def documented() -> Iterator[tuple[str, object]]:
    """Names of everything that is public, with the object that has the docstring."""
    for name in carom.__all__:
        thing = getattr(carom, name)
        if inspect.ismodule(thing):
            for inner in thing.__all__:
                yield f"{name}.{inner}", getattr(thing, inner)
        elif not isinstance(thing, str):
            yield name, thing
        if inspect.isclass(thing) and not issubclass(thing, (BaseException, tuple)):
            for inner in dir(thing):
                if not inner.startswith("_") and is_ours(thing, inner):
                    yield f"{name}.{inner}", getattr(thing, inner)


def is_ours(owner: type, name: str) -> bool:
    """Whether a member is of carom, perhaps inherited from a class of the compiled module, and not of Python."""
    definer = next(kind for kind in owner.__mro__ if name in vars(kind))
    return definer.__module__.split(".")[0] == "carom"


DOCUMENTED = dict(documented())


def test_everything_is_found() -> None:
    expected = {"contacts", "Mesh.contains", "Mesh.volume", "generate.foam", "Simulation.advance", "Simulation.state"}
    assert expected <= set(DOCUMENTED)


@pytest.mark.parametrize("name", sorted(DOCUMENTED))
def test_examples_are_true(name: str) -> None:
    text = inspect.getdoc(DOCUMENTED[name])
    assert text, f"{name} has no docstring"
    if name in WITHOUT_EXAMPLE:
        return
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    assert test.examples, f"{name} has no example"
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    result = runner.run(test, out=report.append)
    assert result.failed == 0, "".join(report)


@pytest.mark.parametrize("name", sorted(DOCUMENTED))
def test_arguments_are_explained(name: str) -> None:
    thing = DOCUMENTED[name]
    if name in MADE_BY_CAROM:
        return
    try:
        parameters = inspect.signature(thing).parameters
    except (TypeError, ValueError):
        return
    text = inspect.getdoc(thing) or ""
    takes_many = [it for it in parameters if it not in ("self", "args", "kwargs")]
    if len(takes_many) > 1 and name not in WITHOUT_EXAMPLE and name != "Particles":
        for parameter in takes_many:
            assert parameter in text, f"{name} does not explain {parameter}"
