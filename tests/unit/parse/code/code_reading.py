"""Short helpers for the results of `read_code`, for the tests of this folder."""

from __future__ import annotations

from textwrap import dedent

from cuedeck.parse.code import Code, read_code


def code(path: str, text: str) -> Code:
    found = read_code(path, dedent(text))
    assert found is not None
    return found


def outline(path: str, text: str) -> list[str]:
    """Return a row a symbol: name, kind, lines and signature."""
    return [
        f"{each.name} {each.kind} {each.start}-{each.end} {each.signature}"
        for each in code(path, text).symbols
    ]


def names(path: str, text: str) -> list[str]:
    return [each.name for each in code(path, text).symbols]


def docs(path: str, text: str) -> dict[str, str]:
    return {each.name: each.doc for each in code(path, text).symbols}


def imports(path: str, text: str) -> list[tuple[object, ...]]:
    """Return spec, names and line of each import."""
    found = code(path, text).imports
    return [(each.spec, " ".join(each.names), each.line) for each in found]
