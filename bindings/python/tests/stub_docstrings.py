"""Writes docstrings of the compiled module into its stubs, where editors look for them.

`cargo xtask stubs` runs it after each change of a docstring; a test fails where the two differ.
"""

from __future__ import annotations

import ast
import inspect
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, Union

Definition = Union[ast.FunctionDef, ast.ClassDef]


def documented(stubs: str, module: ModuleType) -> str:
    """The stubs with the docstring of everything that is public in the module, in place of those they have."""
    lines = stubs.splitlines()
    # From the last to the first, so that numbers of lines stay true.
    for node, thing in reversed(list(definitions(ast.parse(stubs).body, module))):
        lines = with_docstring(lines, node, inspect.getdoc(thing))
    return "\n".join(lines) + "\n"


def definitions(nodes: list[ast.stmt], owner: Any) -> list[tuple[Definition, Any]]:
    """Public classes, functions, methods and properties, in the order of their lines, with what they define."""
    found: list[tuple[Definition, Any]] = []
    for node in nodes:
        is_class = isinstance(node, ast.ClassDef)
        # A class that is no part of the interface may have members that are inherited by one that is.
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef)) or node.name.startswith("_") and not is_class:
            continue
        # The docstring of a class is that of its constructor too.
        thing = inspect.getattr_static(owner, node.name)
        thing = getattr(thing, "__func__", thing)
        if not node.name.startswith("_"):
            found.append((node, thing))
        if is_class:
            found += definitions(node.body, thing)
    return found


def with_docstring(lines: list[str], node: Definition, text: str | None) -> list[str]:
    """The lines with this docstring in a definition."""
    first = node.body[0]
    is_body = isinstance(node, ast.FunctionDef) or isinstance(first, ast.Expr)
    indent = " " * (node.col_offset + 4)
    if text is None:
        docstring = [f"{indent}..."]
    else:
        docstring = [f"{indent}{line}".rstrip() for line in quoted(text)]
    if not is_body:
        decorators = getattr(first, "decorator_list", [])
        start = min([first.lineno, *(decorator.lineno for decorator in decorators)]) - 1
        between = [""] if len(docstring) > 1 else []
        return [*lines[:start], *docstring, *between, *lines[start:]]
    start, end = first.lineno - 1, first.end_lineno or first.lineno
    header = lines[start][: first.col_offset].rstrip()
    following = lines[end:]
    if len(docstring) > 1 and following and following[0]:
        following = ["", *following]
    return [*lines[:start], *([header] if header else []), *docstring, *following]


def quoted(text: str) -> list[str]:
    """The lines of a docstring with its quotes."""
    assert '"""' not in text, text
    first, *rest = text.splitlines()
    opening = ('r"""' if "\\" in text else '"""') + first
    return [f'{opening}"""'] if not rest else [opening, *rest, '"""']


def main() -> None:
    from carom import _carom

    path = Path(sys.argv[1])
    path.write_text(documented(path.read_text(encoding="utf-8"), _carom), encoding="utf-8")


if __name__ == "__main__":
    main()
