"""Dependencies declared in package manifests (pyproject.toml, requirements files,
package.json, Cargo.toml, go.mod), and their version ranges: `>=3.10,<4`, `^18.2 ||
20.x`, `~> 1.2`, `1.21`.

To support another manifest format, add a row to `_ROWS`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Any, Literal, NamedTuple

from cuedeck.model.errors import Invalid
from cuedeck.parse.toml_reader import read_toml
from cuedeck.text.plain_text import string_of

Bare = Literal["exact", "caret", "minimum"]
"""Interpretation of a version without an operator: `exact` in npm and Poetry, `caret`
in Cargo, `minimum` in go.mod.
"""

_CLAUSE = re.compile(
    r"\s*,?\s*(===|==|>=|<=|~=|~>|!=|>|<|=|\^|~)?\s*v?(\d+(?:\.\d+)*)?((?:\.?[*xX])+)?([-+.\w]*)"
)
_CONSTRAINED = re.compile(
    r"(?P<name>.*?[^\s<>=!~^])\s*(?P<range>(?:[<>=!~^]=?|===).*)", re.DOTALL
)
_HYPHEN = re.compile(r"\s*(\S+)\s+-\s+(\S+)\s*")

Bound = tuple[tuple[float, ...], bool]
"""A release without zeros at its end, and whether the bound is just above it: as the
low end, True excludes the release; as the high end, True includes it.
"""
Range = tuple[Bound, Bound]
_EVERY: Range = ((), False), ((float("inf"),), False)


def split_constraint(text: str) -> tuple[str, str]:
    """Return the name and the version range of a constraint such as `python>=3.10`; the
    range may be empty.
    """
    found = _CONSTRAINED.fullmatch(text.strip())
    return (found["name"], found["range"]) if found else (text, "")


def is_within(declared: str, wanted: str, bare: Bare) -> bool:
    """Return whether the range `declared` in a manifest lies inside the range `wanted`.

    Raises: Invalid if one of them is not a version range.
    """
    accepted = read_ranges(wanted)
    return all(
        any(low <= each[0] and each[1] <= high for low, high in accepted)
        for each in read_ranges(declared, bare)
    )


def read_ranges(text: str, bare: Bare = "exact") -> list[Range]:
    """Return the alternatives of a version range. `!=` clauses are ignored, because
    they exclude single versions only.

    Raises: Invalid if the text is not a version range.
    """
    return [_read_range(part, bare) for part in text.split("||")]


def _read_range(text: str, bare: Bare) -> Range:
    rest = text.strip()
    hyphen = _HYPHEN.fullmatch(text)
    if hyphen:
        rest = f">={hyphen[1]} <={hyphen[2]}"
    low, high = _EVERY
    while rest:
        clause = _CLAUSE.match(rest)
        if clause is None or not (clause[2] or clause[3]):
            problem = f"`{text.strip()}` is not a version range"
            raise Invalid(problem, hint="write a range such as >=3.10 or >=3.10,<4")
        rest = rest[clause.end() :].strip()
        release = tuple(map(int, clause[2].split("."))) if clause[2] else ()
        is_wild = bool(clause[3])
        operator = clause[1] or _bare_operator(release, is_wild, bare)
        if is_wild and not operator.strip("="):
            operator = "=*"
        clause_low, clause_high = _clause_range(operator, release)
        low = max(low, clause_low)
        high = min(high, clause_high)
    return low, high


def _bare_operator(release: tuple[int, ...], is_wild: bool, bare: Bare) -> str:
    if bare == "minimum":
        return ">="
    if bare == "caret" and not is_wild:
        return "^"
    # In npm a version of fewer than three parts matches all versions with its prefix.
    return "=*" if len(release) < 3 else "="


def _clause_range(operator: str, release: tuple[int, ...]) -> Range:
    lowest, highest = _EVERY
    if not release or operator == "!=":
        return _EVERY
    if operator in (">=", ">"):
        return (_stripped(release), operator == ">"), highest
    if operator in ("<", "<="):
        return lowest, (_stripped(release), operator == "<=")
    same = _same_parts(operator, release)
    if not same:
        return (_stripped(release), False), (_stripped(release), True)
    following = (*release[: same - 1], release[same - 1] + 1)
    return (_stripped(release), False), (_stripped(following), False)


def _same_parts(operator: str, release: tuple[int, ...]) -> int:
    """Return how many parts of the version a matching version shares, with the last one
    as a minimum; 0 for an exact version.
    """
    if operator == "^":
        zeros = len(list(takewhile(lambda number: number == 0, release)))
        return min(zeros + 1, len(release))
    if operator in ("~=", "~>"):
        return max(len(release) - 1, 1)
    if operator == "~":
        return min(2, len(release))
    return len(release) if operator == "=*" else 0


def _stripped(release: tuple[int, ...]) -> tuple[int, ...]:
    """Return a release without zeros at its end: 3.10 equals 3.10.0."""
    while release and not release[-1]:
        release = release[:-1]
    return release


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
