"""Dependencies declared in package manifests (pyproject.toml, requirements files,
package.json, Cargo.toml, go.mod).

To support another manifest format, add a row to `_ROWS`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from cuedeck.model.errors import Invalid
from cuedeck.parse.toml_reader import read_toml
from cuedeck.parse.version_range import Bare, is_within
from cuedeck.text.json_text import string_of

_REQUIREMENT = re.compile(
    r"([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?=[\[(<>=!~;@,#]|$)"
)
_IN_REQUIREMENTS = re.compile(r"(?:^|/)requirements/[^/]+$")
_EGG = re.compile(r"[#&]egg=([A-Za-z0-9._-]+)")
"""The name in the fragment of a URL, searched from the first `#`."""
_MINIMUM = ("go", "rust")
"""Tools whose version without an operator is the minimum version."""

MANIFEST_KEYS = ("pyproject.toml", "package.json", "cargo.toml", "go.mod")
"""Lower-case names of the manifests with a fixed name; requirements files have many
names.
"""


class Dependency(NamedTuple):
    """A dependency declared in a manifest."""

    name: str
    """The name as written in the manifest."""
    line: int
    """The 1-based line; 0 if unknown."""
    versions: str = ""
    """Version range as written; empty when every version is accepted."""
    place: tuple[str, ...] = ()
    """Keys that lead to it, for finding the line later; empty if `line` is known."""


def is_manifest(path: str) -> bool:
    """Return whether a path names a supported manifest."""
    return _row(path) is not None


def find_dependency(
    path: str, text: str, name: str, wanted: str = ""
) -> tuple[Dependency, bool] | None:
    """Return a dependency of a manifest, and whether every version it allows lies in
    the range `wanted`.

    Names are compared by the rules of the ecosystem. The required interpreter or
    compiler counts as a dependency: `python`, `node`, `rust`, `go`. If a name is
    declared several times, the first declaration with versions is returned, else the
    first one.

    Raises: Invalid if the path is not a manifest, the file cannot be parsed, or a
    version range is malformed.
    """
    row = _row(path)
    if row is None:
        hint = "give a project file, or omit `path`"
        raise Invalid(f"`{path}` names no dependencies", hint=hint)
    try:
        found = list(row.read(text))
    except (Invalid, ValueError, RecursionError):
        raise Invalid(f"`{path}` cannot be read", hint="correct its syntax") from None
    key = row.key(name)
    named = [each for each in found if row.key(each.name) == key]
    if not named:
        return None
    chosen = next((each for each in named if each.versions), named[0])
    if chosen.place:
        chosen = chosen._replace(line=_line(text, chosen.place), place=())
    if not wanted:
        return chosen, True
    bare: Bare = "minimum" if chosen.name in _MINIMUM else row.bare
    return chosen, is_within(chosen.versions or "*", wanted, bare)


def by_nearness(paths: Iterable[str]) -> list[list[str]]:
    """Return project files in groups, one for each depth of their folders below the
    workspace root, nearest first.

    A file of `requirements/` belongs to the folder above it. Requirements files come
    last in a group, and of them requirements.txt first.
    """

    def order(path: str) -> tuple[bool, bool, str]:
        name = path.rpartition("/")[2]
        return path.endswith(".txt"), name != "requirements.txt", path

    groups: dict[int, list[str]] = {}
    for path in sorted(paths, key=order):
        depth = path.count("/") - bool(_IN_REQUIREMENTS.search(path))
        groups.setdefault(depth, []).append(path)
    return [groups[depth] for depth in sorted(groups)]


def _python_key(name: str) -> str:
    """Return a name normalised as in PEP 503."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _cargo_key(name: str) -> str:
    return name.replace("_", "-").lower()


def _requirements(text: str) -> Iterator[Dependency]:
    for number, line in enumerate(text.split("\n"), 1):
        fragment = line.find("#")
        egg = _EGG.search(line, fragment) if fragment >= 0 else None
        requirement = _REQUIREMENT.match(line.strip())
        if egg:
            yield Dependency(egg[1], number)
        elif requirement:
            yield Dependency(requirement[1], number, _versions_of(line))


def _versions_of(requirement: str) -> str:
    """Return the version range of a requirement such as `name[extra] >=1,<2 ;
    marker  # comment`.
    """
    without_url = requirement.split("@", maxsplit=1)[0]
    plain = re.split(r";|\s#|\s--", without_url)[0]
    found = re.search(r"[<>=!~]=?.*", plain)
    return found[0].strip().rstrip(")") if found else ""


def _go(text: str) -> Iterator[Dependency]:
    is_block = False
    for number, line in enumerate(text.split("\n"), 1):
        words = line.partition("//")[0].replace("(", " ( ").split()
        if words == ["require", "("]:
            is_block = True
        elif words == [")"]:
            is_block = False
        elif words[:1] == ["go"] and len(words) == 2:
            yield Dependency("go", number, words[1])
        elif len(words) - (words[:1] == ["require"]) == 2:
            name, version = words[-2:]
            if words[0] == "require" or (is_block and version.startswith("v")):
                yield Dependency(name.strip('"'), number, version)


_PYTHON = """
    project.requires-python
    project.dependencies
    project.optional-dependencies.*
    dependency-groups.*
    tool.poetry.dependencies
    tool.poetry.dev-dependencies
    tool.poetry.group.*.dependencies
    tool.uv.dev-dependencies
    tool.pdm.dev-dependencies.*
"""
_SCRIPT = """
    dependencies devDependencies peerDependencies optionalDependencies engines
"""
_CARGO = """
    package.rust-version
    workspace.package.rust-version
    dependencies
    dev-dependencies
    build-dependencies
    workspace.dependencies
    target.*.dependencies
    target.*.dev-dependencies
    target.*.build-dependencies
"""
_REQUIRED = {"requires-python": "python", "rust-version": "rust"}
"""Keys of the required version of an interpreter or compiler."""


def _reader(
    load: Callable[[str], Any], sections: str
) -> Callable[[str], Iterator[Dependency]]:
    """Return a manifest reader for the values at `sections`; `*` is every key."""

    def read(text: str) -> Iterator[Dependency]:
        table = load(text)
        for section in sections.split():
            keys = tuple(section.split("."))
            for value in _below(table, keys):
                if keys[-1] in _REQUIRED:
                    name = _REQUIRED[keys[-1]]
                    yield Dependency(name, 0, string_of(value), keys)
                for written, name, versions in _names(value):
                    yield Dependency(name, 0, versions, (*keys, written))

    return read


def _below(value: Any, keys: Sequence[str]) -> Iterator[Any]:
    if not keys:
        yield value
    elif isinstance(value, dict):
        key, *rest = keys
        for name in value if key == "*" else (key,):
            if name in value:
                yield from _below(value[name], rest)


def _names(section: Any) -> Iterator[tuple[str, str, str]]:
    if isinstance(section, dict):
        for key, value in section.items():
            if not isinstance(value, dict):
                yield key, key, string_of(value)
                continue
            versions = string_of(value.get("version"))
            package = value.get("package")
            if isinstance(package, str):
                yield key, package, versions
            yield key, key, versions
    elif isinstance(section, list):
        for requirement in section:
            found = _REQUIREMENT.match(string_of(requirement).strip())
            if found:
                yield found[1], found[1], _versions_of(requirement)


def _line(text: str, keys: Sequence[str]) -> int:
    """Return the line of the last of some keys, each searched after the one before, or
    0; the loaders give no positions.
    """
    *sections, written = keys
    at = 0
    for section in sections:
        found = re.compile(rf"(?<![\w-]){re.escape(section)}(?![\w-])").search(text, at)
        if found and section != "*":
            at = found.end()
    found = re.compile(rf"(?<![\w/@.-]){re.escape(written)}(?![\w-])").search(text, at)
    return text.count("\n", 0, found.start()) + 1 if found else 0


class _Row(NamedTuple):
    pattern: str
    read: Callable[[str], Iterator[Dependency]]
    key: Callable[[str], str]
    bare: Bare
    """Interpretation of a version without an operator."""


_ROWS = (
    _Row(r"pyproject\.toml", _reader(read_toml, _PYTHON), _python_key, "exact"),
    _Row(r"(?:requirements[^/]*|requirements/[^/]+)\.txt", _requirements, _python_key, "exact"),
    _Row(r"package\.json", _reader(json.loads, _SCRIPT), str, "exact"),
    _Row(r"Cargo\.toml", _reader(read_toml, _CARGO), _cargo_key, "caret"),
    _Row(r"go\.mod", _go, str, "minimum"),
)  # fmt: skip


def _row(path: str) -> _Row | None:
    for row in _ROWS:
        if re.fullmatch(rf"(?:.*/)?{row.pattern}", path):
            return row
    return None
