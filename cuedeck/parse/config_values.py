"""Lookup of a value and its line in a configuration file by dotted key.

To support another format, add a row to `_ROWS`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from cuedeck.model.errors import Invalid
from cuedeck.parse.jsonc import plain_json
from cuedeck.parse.toml_reader import read_toml, statements
from cuedeck.parse.yaml_reader import MOST_NESTED, read_yaml

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
    file_name = path.rpartition("/")[2].lower()
    rows = [row for row in _ROWS if re.fullmatch(row[0], file_name)]
    if not rows:
        hint = "config reads TOML, JSON, YAML and .env files"
        raise Invalid(f"`{path}` has no known format", hint=hint)
    parts = key.split(".")
    if len(parts) > _MOST_PARTS:
        problem = f"a key must have at most {_MOST_PARTS} parts, got {len(parts):,}"
        raise Invalid(problem, hint="shorten the key")
    _, title, read = rows[0]
    try:
        values, lines = read(text)
    except (Invalid, ValueError, RecursionError) as error:
        reason = "" if isinstance(error, RecursionError) else f": {error}"
        problem = f"`{path}` is not valid {title}{reason}"
        raise Invalid(problem, hint="correct its syntax") from None
    for value in values:
        found = _find(value, parts, ())
        if found is None:
            continue
        place, keys = found
        while keys and keys not in lines:
            keys = keys[:-1]
        return Found(place, lines.get(keys, 0))
    return None


def same_value(wanted: Any, found: Any) -> bool:
    """Return whether two values are equal when written as text: `"5432"` equals
    5432.
    """
    if isinstance(found, list | dict):
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


def _find(value: Any, parts: Sequence[str], path: Keys) -> tuple[Any, Keys] | None:
    if not parts:
        return value, path
    if isinstance(value, list):
        if not _INDEX.fullmatch(parts[0]) or int(parts[0]) >= len(value):
            return None
        return _find(value[int(parts[0])], parts[1:], (*path, parts[0]))
    if not isinstance(value, dict) or len(path) > MOST_NESTED:
        return None
    for end in range(1, len(parts) + 1):
        key = ".".join(parts[:end])
        if key in value:
            found = _find(value[key], parts[end:], (*path, key))
            if found is not None:
                return found
    return None


_Values = tuple[Sequence[Any], Mapping[Keys, int]]


def _toml(text: str) -> _Values:
    values = [read_toml(text)]
    lines: dict[Keys, int] = {}
    line, counted = 1, 0
    for each in statements(text):
        line += text.count("\n", counted, each.start)
        counted = each.start
        lines.setdefault(each.keys, line)
    return values, lines


def _json(text: str) -> _Values:
    """Parse JSON; comments and trailing commas are accepted, because the settings of
    many tools have them.
    """
    try:
        value = json.loads(text)
    except ValueError:
        text = plain_json(text)
        value = json.loads(text)
    try:
        # JSON is YAML, apart from tabs.
        lines = read_yaml(text.replace("\t", " "))[1]
    except ValueError:  # too many values
        lines = {}
    return [value], lines


_ROWS: tuple[tuple[str, str, Callable[[str], _Values]], ...] = (
    (r".*\.toml|cargo\.lock|poetry\.lock|uv\.lock|pipfile", "TOML", _toml),
    (r".*\.(?:jsonc?|code-workspace)|\.(?:prettier|eslint|babel|swc)rc", "JSON", _json),
    (r".*\.ya?ml|\.clang-format|\.clang-tidy", "YAML", read_yaml),
)
"""Pattern of the name of a file in lower case, title and reader of its format."""


_NAME = re.compile(r"[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=")


def is_env(path: str) -> bool:
    """Return whether a path is a `.env` file: `.env`, `.env.local`, `prod.env`."""
    name = path.rpartition("/")[2].casefold()
    return name.startswith(".env") or name.endswith(".env")


def env_names(text: str) -> Mapping[str, int]:
    """Return the names that a `.env` file sets, each with its first line."""
    found: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        name = _NAME.match(line)
        if name:
            found.setdefault(name[1], number)
    return found


def names_only(text: str) -> str:
    """Return a `.env` file with only its names, on their original lines."""
    names = [_NAME.match(line) for line in text.split("\n")]
    return "\n".join(f"{name[1]}=" if name else "" for name in names)
