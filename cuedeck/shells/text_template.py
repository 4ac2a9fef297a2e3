"""Texts of answers for a person, as templates.

`{name}` is a field of the answer or an argument of the operation; a list is joined by
commas, an object by its keys. `{name:,}` is a number with separators, `{name:+file}` a
number with its noun, `{name:?text}` the text if the field is true, `{name:!text}` if it
is not, `{name:=value?text}` if it is this value, `{name:~value?text}` if it is another.
`CONVERSIONS` has the forms such as `{name!q}`.

A line that begins with `?name ` or `!name ` depends on a field. One that begins with
`*name ` is repeated for each item of a list, with the fields of the item (or `it`, or
`key` and `value`), its `number`, and those of the answer. `=name a b` prints the fields
of an object that are not empty, `%name` findings, and `|name ` a list as a table; its
columns are separated by ` | `: `title`, or `title={template}`. A line that begins with
`#` is a note, printed to stderr.
"""

from __future__ import annotations

import re
import string
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from cuedeck.model.formatting import VIEW_WORDS, counted, quoted
from cuedeck.model.ports import JsonView
from cuedeck.parse.fence import quoted as as_data
from cuedeck.shells.call import Note
from cuedeck.shells.text_table import finding_line, table

_LONGEST = 2_000
_DEEPEST = 4
_WORDS = {**VIEW_WORDS, "explicit": "linked"}
CONVERSIONS: Mapping[str, Callable[[Any], Any]] = {
    "q": quoted,  # a word of a shell
    "w": " ".join,  # items joined by blanks
    "n": len,
    "i": lambda depth: "  " * depth,  # indent
    "c": lambda counts: [f"{count} {name}" for name, count in counts.items()],
    "p": " → ".join,  # path of nodes
    "t": lambda text: text.strip("\n"),
    "a": lambda text: as_data(text, _LONGEST),  # words of a session; agents read them
    "m": lambda timestamp: timestamp[:16].replace("T", " "),  # minute
    "d": lambda decisions: "; ".join(each["title"] for each in decisions),
    "r": lambda files: [f"{each['path']} ({each['role']})" for each in files],
    "f": lambda names: names[:4],
    "v": lambda word: _WORDS.get(word, word),  # view or tier
    "b": lambda cards: [_blocker(each) for each in cards],  # open dependencies
}
"""Forms of a field; `str.format` allows one letter."""
_LINE = re.compile(r"(#?)(?:([*?!|=%])([\w\[\]]+)(?: |$))?(.*)", re.DOTALL)
_COLUMN = re.compile(r"(>?)([^=]*?)(~?)(?:=(.*))?", re.DOTALL)


class _Filler(string.Formatter):
    def vformat(self, format_string: str, args: Sequence[Any], kwargs: JsonView) -> str:
        # Texts may be within texts, which `vformat` of the base class allows once.
        text, _ = self._vformat(format_string, args, kwargs, set(), _DEEPEST)
        return str(text)

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: JsonView) -> Any:
        value: Any = kwargs
        for part in field_name.replace("]", "").split("["):
            if isinstance(value, Sequence):
                value = value[int(part)]
            elif value is not None:
                value = value.get(part)
        return value, field_name

    def convert_field(self, value: Any, conversion: Any) -> Any:
        return CONVERSIONS[conversion](value) if conversion else value

    def format_field(self, value: Any, format_spec: str) -> str:
        mark, text = format_spec[:1], format_spec[1:]
        if mark in ("?", "!"):
            return text if bool(value) == (mark == "?") else ""
        if mark in ("=", "~"):
            wanted, _, text = text.partition("?")
            return text if (value == wanted) == (mark == "=") else ""
        if mark == "+":
            return counted(value, text)
        if isinstance(value, list | tuple | dict):
            return ", ".join(map(str, value))
        return "" if value is None else format(value, format_spec)


def _blocker(row: JsonView) -> str:
    """Return the id of a card, and the status of a dependency that names no card."""
    is_card = row["path"] is not None
    return row["id"] if is_card else f"{row['id']} ({row['status']})"


_FILLER = _Filler()


def fill(template: str, values: JsonView) -> str:
    """Return a line with its fields filled in."""
    return _FILLER.vformat(template, (), values)


def write_lines(template: str, values: JsonView) -> Iterator[str]:
    """Yield the lines of a text."""
    for line in template.split("\n"):
        parts = _LINE.fullmatch(line)
        assert parts is not None
        note, mark, name, text = parts.groups()
        value, _ = _FILLER.get_field(name or "", (), values)
        if mark in _BLOCKS:
            yield from _BLOCKS[mark](text, value or (), values)
            continue
        if mark in ("?", "!") and bool(value) != (mark == "?"):
            continue
        scopes = _scopes(value or (), values) if mark == "*" else [values]
        for scope in scopes:
            filled = fill(text, scope)
            if filled or not text or not mark:
                yield Note(filled) if note else filled


def _scopes(items: Any, values: JsonView) -> list[JsonView]:
    if isinstance(items, dict):
        items = [{"key": key, "value": value} for key, value in items.items()]
    outer = {"answer": values, **values}
    found: list[JsonView] = []
    for number, item in enumerate(items, 1):
        own = item if isinstance(item, dict) else {"it": item}
        found.append(ChainMap(own, {**outer, "number": number}))
    return found


def _table(columns: str, rows: Any, values: JsonView) -> Iterator[str]:
    heads, templates = [], []
    for each in columns.split(" | "):
        found = _COLUMN.fullmatch(each)
        assert found is not None
        right, title, wraps, template = found.groups()
        heads.append(f"{right}{title}{wraps}")
        templates.append(template or f"{{{title}}}")
    cells = []
    for scope in _scopes(rows, values):
        cells.append([fill(each, scope) for each in templates])
    if cells:
        yield table(",".join(heads), cells)


def _fields(names: str, shown: Any, values: JsonView) -> Iterator[str]:
    width = max(map(len, names.split()))
    for name in names.split():
        if shown[name]:
            yield f"{name:<{width}}  {fill('{it}', {'it': shown[name]})}"


def _findings(text: str, rows: Any, values: JsonView) -> Iterator[str]:
    for each in rows:
        place = each["path"], each["line"], each["message"], each["hint"]
        yield finding_line(each["level"], *place)


_BLOCKS = {"|": _table, "=": _fields, "%": _findings}
