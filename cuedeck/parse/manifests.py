"""What a project depends on, as its project files say. Every kind of file is a row."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from cuedeck.model.errors import Invalid

_REQUIREMENT = re.compile(r"([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?=[\[(<>=!~;@,#]|$)")
_EGG = re.compile(r"#(?:.*&)?egg=([A-Za-z0-9._-]+)")
_GO_BLOCK = re.compile(r"^[ \t]*require[ \t]*\(([^)]*)\)", re.MULTILINE)
_GO_LINE = re.compile(r"^[ \t]*require[ \t]+([^\s(]+)[ \t]", re.MULTILINE)
_GO_INSIDE = re.compile(r"^[ \t]*\"?([^\s\"/()][^\s\"()]*)\"?[ \t]+v", re.MULTILINE)

MANIFEST_KEYS = ("pyproject.toml", "package.json", "cargo.toml", "go.mod")
"""What names of project files fold to; requirements files have many names."""


class Dependency(NamedTuple):
    """Something a project depends on."""

    name: str
    """As written."""
    line: int
    """0 when unknown."""


def is_manifest(path: str) -> bool:
    """Tell whether a path is that of a project file that names dependencies."""
    return _row(path) is not None


def find_dependency(path: str, text: str, name: str) -> Dependency | None:
    """Return the dependency of a project file that goes by `name`, as its ecosystem compares names.

    Raises: Invalid for a file that cannot be read, or that is no project file.
    """
    row = _row(path)
    if row is None:
        raise Invalid(f"`{path}` names no dependencies", hint="give a project file, or leave `path` out")
    try:
        found = list(row.read(text))
    except (ValueError, RecursionError):
        raise Invalid(f"`{path}` cannot be read", hint="mend its syntax") from None
    wanted = row.key(name)
    return next((each for each in found if row.key(each.name) == wanted), None)


class _Row(NamedTuple):
    pattern: re.Pattern[str]
    read: Callable[[str], Iterator[Dependency]]
    key: Callable[[str], str]


def _row(path: str) -> _Row | None:
    return next((row for row in _ROWS if row.pattern.fullmatch(path)), None)


def _python_key(name: str) -> str:
    """Fold a name as PEP 503 does."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _cargo_key(name: str) -> str:
    return name.replace("_", "-").lower()


def _requirements(text: str) -> Iterator[Dependency]:
    for number, line in enumerate(text.split("\n"), 1):
        egg = _EGG.search(line)
        found = egg or _REQUIREMENT.match(line.strip())
        if found:
            yield Dependency(found[1], number)


_PYTHON = (
    ("project", "dependencies"),
    ("project", "optional-dependencies", "*"),
    ("dependency-groups", "*"),
    ("tool", "poetry", "dependencies"),
    ("tool", "poetry", "dev-dependencies"),
    ("tool", "poetry", "group", "*", "dependencies"),
    ("tool", "uv", "dev-dependencies"),
    ("tool", "pdm", "dev-dependencies", "*"),
)
_SCRIPT = tuple((f"{kind}ependencies",) for kind in ("d", "devD", "peerD", "optionalD"))
_KINDS = ("dependencies", "dev-dependencies", "build-dependencies")
_CARGO = (*((kind,) for kind in _KINDS), ("workspace", "dependencies"), *(("target", "*", kind) for kind in _KINDS))


def _reader(load: Callable[[str], Any], sections: Sequence[Sequence[str]]) -> Callable[[str], Iterator[Dependency]]:
    def read(text: str) -> Iterator[Dependency]:
        table = load(text)
        for keys in sections:
            for section in _below(table, keys):
                for written, name in _names(section):
                    yield Dependency(name, _line(text, keys, written))

    return read


def _below(value: Any, keys: Sequence[str]) -> Iterator[Any]:
    """Yield what lies at a path of keys; `*` stands for every key."""
    if not keys:
        yield value
    elif isinstance(value, dict):
        inner = value.values() if keys[0] == "*" else [value[keys[0]]] if keys[0] in value else []
        for each in inner:
            yield from _below(each, keys[1:])


def _names(section: Any) -> Iterator[tuple[str, str]]:
    """Yield each dependency of a section: how it is written there, and its name."""
    if isinstance(section, dict):
        for key, value in section.items():
            renamed = value.get("package") if isinstance(value, dict) else None
            if isinstance(renamed, str):
                yield key, renamed
            yield key, key
    elif isinstance(section, list):
        for each in section:
            found = _REQUIREMENT.match(each.strip()) if isinstance(each, str) else None
            if found:
                yield found[1], found[1]


def _line(text: str, keys: Sequence[str], written: str) -> int:
    """Find the line of a dependency behind the key of its section; the loaders give no positions."""
    at = 0
    for key in keys:
        header = re.compile(rf"(?<![\w-]){re.escape(key)}(?![\w-])").search(text, at) if key != "*" else None
        at = header.end() if header else at
    found = re.compile(rf"(?<![\w/@.-]){re.escape(written)}(?![\w-])").search(text, at)
    return text.count("\n", 0, found.start()) + 1 if found else 0


def _go(text: str) -> Iterator[Dependency]:
    plain = re.sub(r"//[^\n]*", "", text)
    for found in _GO_LINE.finditer(plain):
        yield Dependency(found[1].strip('"'), plain.count("\n", 0, found.start(1)) + 1)
    for block in _GO_BLOCK.finditer(plain):
        for found in _GO_INSIDE.finditer(plain, block.start(1), block.end(1)):
            yield Dependency(found[1], plain.count("\n", 0, found.start(1)) + 1)


_ROWS = (
    _Row(re.compile(r"(?:.*/)?pyproject\.toml"), _reader(tomllib.loads, _PYTHON), _python_key),
    _Row(re.compile(r"(?:.*/)?(?:requirements[^/]*|requirements/[^/]+)\.txt"), _requirements, _python_key),
    _Row(re.compile(r"(?:.*/)?package\.json"), _reader(json.loads, _SCRIPT), str),
    _Row(re.compile(r"(?:.*/)?Cargo\.toml"), _reader(tomllib.loads, _CARGO), _cargo_key),
    _Row(re.compile(r"(?:.*/)?go\.mod"), _go, str),
)
