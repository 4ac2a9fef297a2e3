"""Lookup of a value and its line in a configuration file by dotted key.

To support another format, add a row to `_ROWS`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cuedeck.model.errors import Invalid
from cuedeck.parse.jsonc import plain_json
from cuedeck.parse.toml_text import read_toml
from cuedeck.parse.yaml_values import MOST_NESTED, read_yaml

_TOKEN = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|[{}\[\],:\n]")
_TOML_LINE = re.compile(r"[ \t]*(?:\[\[?([^\]]+)\]|((?:[\w-]+|\"[^\"]*\"|'[^']*')(?:[ \t]*\.[ \t]*\S+?)?)[ \t]*=)")
_TOML_KEY = re.compile(r"\"([^\"]*)\"|'([^']*)'|([\w-]+)")
_TRUE = ("true", "yes", "on")
_FALSE = ("false", "no", "off")
_MOST_PARTS = 100

Keys = tuple[str, ...]


class Found(NamedTuple):
    """A value and its line."""

    value: Any
    """A table, list or scalar; scalars of YAML are strings as written."""
    line: int
    """The 1-based line; 0 if unknown."""


def find_value(path: str, text: str, key: str) -> Found | None:
    """Return the value at a dotted key, or None if there is none. A number in the key is a list index.

    Raises: Invalid if the file is malformed or its format is unknown.
    """
    row = next((row for row in _ROWS if row.pattern.fullmatch(path.rpartition("/")[2].lower())), None)
    if row is None:
        raise Invalid(f"`{path}` has no known format", hint="config reads TOML, JSON, YAML and .env files")
    parts = key.split(".")
    if len(parts) > _MOST_PARTS:
        raise Invalid(f"a key must have at most {_MOST_PARTS} parts, got {len(parts):,}", hint="shorten the key")
    try:
        values, lines = row.read(text)
    except (Invalid, ValueError, RecursionError) as error:
        said = "" if isinstance(error, RecursionError) else f": {error}"
        raise Invalid(f"`{path}` is not valid {row.name}{said}", hint="correct its syntax") from None
    for value in values:
        keys = _find(value, parts)
        if keys is not None:
            return Found(_at(value, keys), _line_of(lines, keys))
    return None


def same_value(wanted: Any, found: Any) -> bool:
    """Return whether two values are equal when written as text: `"5432"` equals 5432."""
    if isinstance(wanted, list) and isinstance(found, list):
        return len(wanted) == len(found) and all(map(same_value, wanted, found))
    if isinstance(wanted, dict) and isinstance(found, dict):
        return wanted.keys() == found.keys() and all(same_value(each, found[key]) for key, each in wanted.items())
    if isinstance(found, list | dict) or isinstance(wanted, list | dict):
        return False
    if isinstance(wanted, bool) and isinstance(found, str):
        return found.casefold() in (_TRUE if wanted else _FALSE)
    return _word(wanted) == _word(found) or (type(wanted) in (int, float) and _number(found) == wanted)


def shown_value(value: Any) -> str:
    """Return a scalar as text, a table as `{…}` and a list as `[…]`."""
    return "{…}" if isinstance(value, dict) else "[…]" if isinstance(value, list) else _word(value)


def _word(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    try:
        return str(value)
    except ValueError:  # Python refuses to print an integer of more than 4,300 digits
        return hex(value)


def _number(value: Any) -> float | None:
    try:
        return None if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _find(value: Any, parts: Sequence[str], depth: int = 0) -> Keys | None:
    """Return the key path of a value; a key may itself contain dots."""
    if not parts:
        return ()
    if isinstance(value, list):
        at = int(parts[0]) if parts[0].isascii() and parts[0].isdigit() and len(parts[0]) < 10 else len(value)
        rest = _find(value[at], parts[1:], depth + 1) if at < len(value) else None
        return None if rest is None else (parts[0], *rest)
    if not isinstance(value, dict) or depth > MOST_NESTED:
        return None
    for end in range(1, len(parts) + 1):
        key = ".".join(parts[:end])
        if key in value:
            rest = _find(value[key], parts[end:], depth + 1)
            if rest is not None:
                return (key, *rest)
    return None


def _at(value: Any, keys: Keys) -> Any:
    for key in keys:
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


def _line_of(lines: Mapping[Keys, int], keys: Keys) -> int:
    """Return the line of the longest prefix of a key path with a known line, or 0."""
    return next((lines[keys[:end]] for end in range(len(keys), 0, -1) if keys[:end] in lines), 0)


_Values = tuple[Sequence[Any], Mapping[Keys, int]]


def _toml(text: str) -> _Values:
    return [read_toml(text)], dict(_toml_lines(text))


def _toml_lines(text: str) -> Iterator[tuple[Keys, int]]:
    table: Keys = ()
    seen: set[Keys] = set()
    for number, line in enumerate(text.split("\n"), 1):
        found = _TOML_LINE.match(line)
        if found is None:
            continue
        keys = tuple(a or b or c for a, b, c in _TOML_KEY.findall(found[1] or found[2]))
        table, keys = (keys, keys) if found[1] else (table, (*table, *keys))
        if keys not in seen:
            seen.add(keys)
            yield keys, number


def _json(text: str) -> _Values:
    """Parse JSON; comments and trailing commas are accepted, because the settings of many tools have them."""
    try:
        value = json.loads(text)
    except ValueError:
        text = plain_json(text)
        value = json.loads(text)
    return [value], dict(_json_lines(text))


def _json_lines(text: str) -> Iterator[tuple[Keys, int]]:
    """Yield the line of every key of valid JSON."""
    path: list[str] = []
    places: list[int] = []
    """For each open bracket: the index of the current item in a list, -1 in an object."""
    number, last = 1, ""
    for token in (found[0] for found in _TOKEN.finditer(text)):
        if token == "\n":
            number += 1
        elif token in "{[":
            places.append(0 if token == "[" else -1)
            path.append("0" if token == "[" else "")
        elif token in "}]":
            places.pop()
            path.pop()
        elif token == "," and places and places[-1] >= 0:
            places[-1] += 1
            path[-1] = str(places[-1])
        elif token == ":":
            path[-1] = json.loads(last)
            if len(path) <= MOST_NESTED:
                yield tuple(path), number
        last = token if token != "\n" else last


class _Row(NamedTuple):
    pattern: re.Pattern[str]
    name: str
    read: Callable[[str], _Values]


_ROWS = (
    _Row(re.compile(r".*\.toml|cargo\.lock|poetry\.lock|uv\.lock|pipfile"), "TOML", _toml),
    _Row(re.compile(r".*\.(?:jsonc?|code-workspace)|\.(?:prettier|eslint|babel|swc)rc"), "JSON", _json),
    _Row(re.compile(r".*\.ya?ml|\.clang-format|\.clang-tidy"), "YAML", read_yaml),
)
