"""Import roots declared in project files (go.mod, package.json, tsconfig, Cargo.toml,
pyproject.toml, composer.json).

To support another file format, add a reader and a row to `_FILES`.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterator
from typing import Any

from cuedeck.model.errors import Invalid
from cuedeck.model.file import Root
from cuedeck.model.ports import Json
from cuedeck.parse.jsonc import plain_json
from cuedeck.parse.toml_reader import read_toml
from cuedeck.text.plain_text import string_of

_MODULE = re.compile(
    r"^[ \t]*module[ \t]+(\"[^\"\n]+\"|`[^`\n]+`|[^\s\"`/][^\s\"`]*)", re.MULTILINE
)
_REPLACED = re.compile(
    r"^(?:[ \t]*replace)?[ \t]+\"?([^\s\"(]+)\"?(?:[ \t]+v\S+)?[ \t]+=>[ \t]+\"?([^\s\"]+)",
    re.MULTILINE,
)
"""A replaced module of go.mod or go.work, alone or in a block."""
_CONDITIONS = (
    "source",
    "import",
    "module",
    "default",
    "require",
    "node",
    "browser",
    "types",
)
_MAX_CONDITIONS = 4


def read_roots(path: str, text: str) -> tuple[Root, ...]:
    """Return the import roots of a project file in file order; none for any other or
    malformed file.
    """
    folder, _, name = path.rpartition("/")
    for pattern, load, read in _FILES:
        if not pattern.fullmatch(name):
            continue
        try:
            found = list(read(folder, load(text)))
        except (Invalid, ValueError, RecursionError):
            # JSONDecodeError is a ValueError; deep nesting ends in the other.
            return ()
        roots = []
        for prefix, target in found:
            if target is not None:
                roots.append(Root(prefix, target))
        return tuple(dict.fromkeys(roots))
    return ()


_Found = Iterator[tuple[str, str | None]]


def _go(folder: str, text: str) -> _Found:
    found = _MODULE.search(text)
    if found:
        yield found[1].strip('"`'), folder or "."
    for module, target in _REPLACED.findall(text):
        if target.startswith(("./", "../")):
            yield module, _join(folder, target)


def _cargo(folder: str, table: Any) -> _Found:
    library = _table(table, "lib")
    place = library.get("path")
    if not isinstance(place, str):
        place = "src/lib.rs"
    for name in (library.get("name"), _table(table, "package").get("name")):
        if isinstance(name, str):
            yield name.replace("-", "_"), _join(folder, place)


def _python(folder: str, table: Any) -> _Found:
    tool = _table(table, "tool")
    setuptools = _table(tool, "setuptools")
    folders = _table(setuptools, "package-dir") or _table(setuptools, "package_dir")
    for prefix, place in folders.items():
        yield prefix, _join(folder, place)
    for place in _texts(_table(setuptools, "packages", "find").get("where")):
        yield "", _join(folder, place)
    for package in _list(_table(tool, "poetry").get("packages")):
        if isinstance(package, dict) and "from" in package:
            yield "", _join(folder, package["from"])
    build = _table(tool, "hatch", "build")
    for part in (build, _table(build, "targets", "wheel")):
        for place in _texts(part.get("packages")):
            parent = posixpath.dirname(place.rstrip("/"))
            yield "", _join(folder, parent or ".")
        for place in _texts(part.get("sources")):
            yield "", _join(folder, place)


def _script(folder: str, config: Any) -> _Found:
    options = _table(config, "compilerOptions")
    base = options.get("baseUrl")
    start = posixpath.join(folder, base) if isinstance(base, str) else folder
    for prefix, places in _table(options, "paths").items():
        for place in _texts(places):
            yield prefix, _join(start, place)
    if isinstance(base, str):
        yield "*", _join(start, "*")


def _package(folder: str, config: Any) -> _Found:
    for prefix, value in _table(config, "imports").items():
        if prefix.startswith("#"):
            yield prefix, _join(folder, _condition(value))
    name = _table(config).get("name")
    if not isinstance(name, str) or not name:
        return
    exports = config.get("exports")
    has_subpaths = isinstance(exports, dict) and any(
        key.startswith(".") for key in exports
    )
    if not has_subpaths:
        exports = {".": exports}
    for subpath, value in exports.items():
        place = _condition(value)
        if place and "*" not in subpath:
            module = posixpath.normpath(posixpath.join(name, subpath))
            yield module, _join(folder, place)
    if not _condition(exports.get(".")):
        for key in ("source", "module", "main"):
            if isinstance(config.get(key), str):
                yield name, _join(folder, config[key])
    yield name, folder or "."


def _composer(folder: str, config: Any) -> _Found:
    for part in ("autoload", "autoload-dev"):
        for prefix, places in _table(config, part, "psr-4").items():
            for place in _texts(places):
                yield prefix.rstrip("\\"), _join(folder, place)


def _condition(value: Any) -> str:
    for _ in range(_MAX_CONDITIONS):
        if not isinstance(value, dict):
            break
        value = next((value[key] for key in _CONDITIONS if key in value), "")
    return string_of(value)


def _join(folder: str, place: Any) -> str | None:
    if not isinstance(place, str) or not place:
        return None
    if place.startswith("/") or "\0" in place:
        return None
    path = posixpath.normpath(posixpath.join(folder, place))
    if path == ".." or path.startswith(("../", "/")):
        return None
    return path


def _table(value: Any, *keys: str) -> Json:
    for key in keys:
        if not isinstance(value, dict):
            return {}
        value = value.get(key)
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        return []
    return value


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [each for each in _list(value) if isinstance(each, str)]


def _loose_json(text: str) -> Any:
    return json.loads(plain_json(text))


# The first matching row decides.
_FILES: tuple[
    tuple[re.Pattern[str], Callable[[str], Any], Callable[[str, Any], _Found]], ...
] = (
    (re.compile(r"go\.(?:mod|work)"), str, _go),
    (re.compile(r"package\.json"), json.loads, _package),
    (re.compile(r"[tj]sconfig[^/]*\.json"), _loose_json, _script),
    (re.compile(r"Cargo\.toml"), read_toml, _cargo),
    (re.compile(r"pyproject\.toml"), read_toml, _python),
    (re.compile(r"composer\.json"), json.loads, _composer),
)
