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
from cuedeck.parse.toml_reader import read_toml
from cuedeck.parse.yaml_values import MOST_NESTED, read_yaml

_TOKEN = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|[{}\[\],:\n]")
_TOML_LINE = re.compile(
    r"[ \t]*(?:\[\[?([^\]]+)\]|((?:[\w-]+|\"[^\"]*\"|'[^']*')(?:[ \t]*\.[ \t]*\S+?)?)[ \t]*=)"
)
_TOML_KEY = re.compile(r"\"([^\"]*)\"|'([^']*)'|([\w-]+)")
_TRUE = ("true", "yes", "on")
_FALSE = ("false", "no", "off")
_INDEX = re.compile(r"[0-9]{1,9}")
_MOST_PARTS = 100

Keys = tuple[str, ...]


class Found(NamedTuple):
    """A value and its line."""

    value: Any
    """A table, list or scalar; scalars of YAML are strings as written."""
    line: int
    """The 1-based line; 0 if unknown."""


def find_value(path: str, text: str, key: str) -> Found | None:
    """Return the value at a dotted key, or None if there is none. A number in the key
    is a list index.

    Raises: Invalid if the file is malformed or its format is unknown.
    """
    row = _row(path)
    if row is None:
        raise Invalid(
            f"`{path}` has no known format",
            hint="config reads TOML, JSON, YAML and .env files",
        )
    parts = key.split(".")
    if len(parts) > _MOST_PARTS:
        raise Invalid(
            f"a key must have at most {_MOST_PARTS} parts, got {len(parts):,}",
            hint="shorten the key",
        )
    try:
        values, lines = row.read(text)
    except (Invalid, ValueError, RecursionError) as error:
        reason = ""
        if not isinstance(error, RecursionError):
            reason = f": {error}"
        raise Invalid(
            f"`{path}` is not valid {row.name}{reason}", hint="correct its syntax"
        ) from None
    for value in values:
        keys = _find(value, parts)
        if keys is not None:
            return Found(_at(value, keys), _line_of(lines, keys))
    return None


def _row(path: str) -> _Row | None:
    name = path.rpartition("/")[2].lower()
    for row in _ROWS:
        if row.pattern.fullmatch(name):
            return row
    return None


def same_value(wanted: Any, found: Any) -> bool:
    """Return whether two values are equal when written as text: `"5432"` equals
    5432.
    """
    if isinstance(wanted, list) and isinstance(found, list):
        if len(wanted) != len(found):
            return False
        return all(map(same_value, wanted, found))
    if isinstance(wanted, dict) and isinstance(found, dict):
        if wanted.keys() != found.keys():
            return False
        return all(same_value(each, found[key]) for key, each in wanted.items())
    if isinstance(found, list | dict) or isinstance(wanted, list | dict):
        return False
    if isinstance(wanted, bool) and isinstance(found, str):
        spellings = _TRUE if wanted else _FALSE
        return found.casefold() in spellings
    if _word(wanted) == _word(found):
        return True
    if type(wanted) not in (int, float):
        return False
    return bool(_number(found) == wanted)


def shown_value(value: Any) -> str:
    """Return a scalar as text, a table as `{…}` and a list as `[…]`."""
    if isinstance(value, dict):
        return "{…}"
    if isinstance(value, list):
        return "[…]"
    return _word(value)


def _word(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    try:
        return str(value)
    except ValueError:  # Python refuses to print an integer of more than 4,300 digits
        return hex(value)


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _find(value: Any, parts: Sequence[str], depth: int = 0) -> Keys | None:
    """Return the key path of a value; a key may itself contain dots."""
    if not parts:
        return ()
    if isinstance(value, list):
        if not _INDEX.fullmatch(parts[0]):
            return None
        at = int(parts[0])
        if at >= len(value):
            return None
        rest = _find(value[at], parts[1:], depth + 1)
        if rest is None:
            return None
        return (parts[0], *rest)
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
    while keys:
        if keys in lines:
            return lines[keys]
        keys = keys[:-1]
    return 0


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
        written = found[1] or found[2]
        keys = tuple(a or b or c for a, b, c in _TOML_KEY.findall(written))
        if found[1]:
            table = keys
        else:
            keys = table + keys
        if keys not in seen:
            seen.add(keys)
            yield keys, number


def _json(text: str) -> _Values:
    """Parse JSON; comments and trailing commas are accepted, because the settings of
    many tools have them.
    """
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
    """For each open bracket: the index of the current item in a list, -1 in an object.
    """
    number = 1
    last = ""
    for token in _TOKEN.findall(text):
        if token == "\n":
            number += 1
            continue
        if token == "[":
            places.append(0)
            path.append("0")
        elif token == "{":
            places.append(-1)
            path.append("")
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
        last = token


class _Row(NamedTuple):
    pattern: re.Pattern[str]
    name: str
    read: Callable[[str], _Values]


_ROWS = (
    _Row(
        re.compile(r".*\.toml|cargo\.lock|poetry\.lock|uv\.lock|pipfile"), "TOML", _toml
    ),
    _Row(
        re.compile(r".*\.(?:jsonc?|code-workspace)|\.(?:prettier|eslint|babel|swc)rc"),
        "JSON",
        _json,
    ),
    _Row(re.compile(r".*\.ya?ml|\.clang-format|\.clang-tidy"), "YAML", read_yaml),
)
