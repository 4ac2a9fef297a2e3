"""Dependencies declared in package manifests (pyproject.toml, requirements files,
package.json, Cargo.toml, go.mod).

To support another manifest format, add a row to `_ROWS`.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
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
_GO_BLOCK = re.compile(r"^[ \t]*require[ \t]*\(([^()]*)\)", re.MULTILINE)
_GO_VERSION = re.compile(r"^go[ \t]+(\S+)", re.MULTILINE)
_GO_LINE = re.compile(r"^[ \t]*require[ \t]+([^\s(]+)[ \t]+(\S*)", re.MULTILINE)
_GO_INSIDE = re.compile(
    r"^[ \t]*\"?([^\s\"/()][^\s\"()]*)\"?[ \t]+(v\S*)", re.MULTILINE
)

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
    keys: tuple[str, ...] = ()
    """Keys of the section that declares it."""
    written: str = ""
    """Its key in that section, for finding the line later; empty if `line` is known."""


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
        raise Invalid(
            f"`{path}` names no dependencies",
            hint="give a project file, or omit `path`",
        )
    try:
        found = list(row.read(text))
    except (Invalid, ValueError, RecursionError):
        raise Invalid(f"`{path}` cannot be read", hint="correct its syntax") from None
    key = row.key(name)
    named = [each for each in found if row.key(each.name) == key]
    if not named:
        return None
    with_versions = [each for each in named if each.versions]
    chosen = with_versions[0] if with_versions else named[0]
    return _placed(text, chosen), _fits(chosen, wanted, row.bare)


def by_nearness(paths: Iterable[str]) -> list[list[str]]:
    """Return project files in groups, one for each depth of their folders below the
    workspace root, nearest first.

    A file of `requirements/` belongs to the folder above it. Requirements files come
    last in a group, and of them requirements.txt first.
    """
    groups: dict[int, list[str]] = {}
    for path in sorted(paths, key=_order_in_group):
        groups.setdefault(_depth(path), []).append(path)
    return [groups[depth] for depth in sorted(groups)]


def _depth(path: str) -> int:
    """Return how many folders below the workspace root the project of a project file
    is.
    """
    return path.count("/") - bool(_IN_REQUIREMENTS.search(path))


def _order_in_group(path: str) -> tuple[bool, bool, str]:
    name = path.rpartition("/")[2]
    return path.endswith(".txt"), name != "requirements.txt", path


def _placed(text: str, found: Dependency) -> Dependency:
    """Return a dependency with its line, which is searched only for the one chosen:
    each search reads the text.
    """
    line = _line(text, found.keys, found.written) if found.written else found.line
    return Dependency(found.name, line, found.versions)


def _fits(dependency: Dependency, wanted: str, bare: Bare) -> bool:
    """Return whether every version that a dependency allows lies in `wanted`; no range
    allows every version.
    """
    if not wanted:
        return True
    if dependency.name in _MINIMUM:
        bare = "minimum"
    return is_within(dependency.versions or "*", wanted, bare)


class _Row(NamedTuple):
    pattern: re.Pattern[str]
    read: Callable[[str], Iterator[Dependency]]
    key: Callable[[str], str]
    bare: Bare
    """Interpretation of a version without an operator."""


def _row(path: str) -> _Row | None:
    return next((row for row in _ROWS if row.pattern.fullmatch(path)), None)


def _python_key(name: str) -> str:
    """Return a name normalised as in PEP 503."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _cargo_key(name: str) -> str:
    return name.replace("_", "-").lower()


def _requirements(text: str) -> Iterator[Dependency]:
    for number, line in enumerate(text.split("\n"), 1):
        fragment = line.find("#")
        egg = None
        if fragment >= 0:
            egg = _EGG.search(line, fragment)
        if egg:
            yield Dependency(egg[1], number)
            continue
        requirement = _REQUIREMENT.match(line.strip())
        if requirement:
            yield Dependency(requirement[1], number, _versions_of(line))


def _versions_of(requirement: str) -> str:
    """Return the version range of a requirement such as `name[extra] >=1,<2 ;
    marker  # comment`.
    """
    without_url = requirement.split("@", maxsplit=1)[0]
    plain = re.split(r";|\s#|\s--", without_url)[0]
    found = re.search(r"[<>=!~]=?.*", plain)
    if not found:
        return ""
    return found[0].strip().rstrip(")")


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
_SCRIPT = (
    *((f"{kind}ependencies",) for kind in ("d", "devD", "peerD", "optionalD")),
    ("engines",),
)
_KINDS = ("dependencies", "dev-dependencies", "build-dependencies")
_REQUIRED_PYTHON = {"python": (("project", "requires-python"),)}
_REQUIRED_RUST = {
    "rust": (("package", "rust-version"), ("workspace", "package", "rust-version"))
}
_MINIMUM = ("go", "rust")
"""Tools whose version without an operator is the minimum version."""
_CARGO = (
    *((kind,) for kind in _KINDS),
    ("workspace", "dependencies"),
    *(("target", "*", kind) for kind in _KINDS),
)


def _reader(
    load: Callable[[str], Any],
    sections: Sequence[Sequence[str]],
    required: Mapping[str, Sequence[Sequence[str]]] = MappingProxyType({}),
) -> Callable[[str], Iterator[Dependency]]:
    """Return a manifest reader for the tables at `sections`.

    `required` maps an interpreter or compiler to the key paths of its version
    requirement.
    """

    def read(text: str) -> Iterator[Dependency]:
        table = load(text)
        for name, places in required.items():
            for *section_keys, key in places:
                for versions in _below(table, [*section_keys, key]):
                    yield Dependency(
                        name=name,
                        line=0,
                        versions=string_of(versions),
                        keys=tuple(section_keys),
                        written=key,
                    )
        for keys in sections:
            for section in _below(table, keys):
                for written, name, versions in _names(section):
                    yield Dependency(
                        name=name,
                        line=0,
                        versions=versions,
                        keys=tuple(keys),
                        written=written,
                    )

    return read


def _below(value: Any, keys: Sequence[str]) -> Iterator[Any]:
    """Yield the values at a path of keys; `*` matches every key."""
    if not keys:
        yield value
        return
    if not isinstance(value, dict):
        return
    key, *rest = keys
    if key == "*":
        for each in value.values():
            yield from _below(each, rest)
    elif key in value:
        yield from _below(value[key], rest)


def _names(section: Any) -> Iterator[tuple[str, str, str]]:
    """Yield (name as written, package name, version range) of each dependency in a
    section.
    """
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


def _line(text: str, keys: Sequence[str], written: str) -> int:
    """Return the line of a dependency after the key of its section, or 0; the loaders
    give no positions.
    """
    at = 0
    for key in keys:
        if key == "*":
            continue
        header = re.compile(rf"(?<![\w-]){re.escape(key)}(?![\w-])").search(text, at)
        if header:
            at = header.end()
    found = re.compile(rf"(?<![\w/@.-]){re.escape(written)}(?![\w-])").search(text, at)
    if found is None:
        return 0
    return text.count("\n", 0, found.start()) + 1


def _go(text: str) -> Iterator[Dependency]:
    plain = re.sub(r"//[^\n]*", "", text)
    ends = [newline.start() for newline in re.finditer("\n", plain)]

    def line(offset: int) -> int:
        return bisect_left(ends, offset) + 1

    for found in _GO_VERSION.finditer(plain):
        yield Dependency("go", line(found.start()), found[1])
    for found in _GO_LINE.finditer(plain):
        yield Dependency(found[1].strip('"'), line(found.start(1)), found[2])
    for block in _GO_BLOCK.finditer(plain):
        for found in _GO_INSIDE.finditer(plain, block.start(1), block.end(1)):
            yield Dependency(found[1], line(found.start(1)), found[2])


_ROWS = (
    _Row(
        re.compile(r"(?:.*/)?pyproject\.toml"),
        _reader(read_toml, _PYTHON, _REQUIRED_PYTHON),
        _python_key,
        "exact",
    ),
    _Row(
        re.compile(r"(?:.*/)?(?:requirements[^/]*|requirements/[^/]+)\.txt"),
        _requirements,
        _python_key,
        "exact",
    ),
    _Row(
        re.compile(r"(?:.*/)?package\.json"), _reader(json.loads, _SCRIPT), str, "exact"
    ),
    _Row(
        re.compile(r"(?:.*/)?Cargo\.toml"),
        _reader(read_toml, _CARGO, _REQUIRED_RUST),
        _cargo_key,
        "caret",
    ),
    _Row(re.compile(r"(?:.*/)?go\.mod"), _go, str, "minimum"),
)
