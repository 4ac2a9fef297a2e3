"""Headers of files in the cortex tree: lines `key: value` between two lines `---`.

A value is plain text or JSON on one line, so every header is also valid YAML front
matter. The text after the header is kept byte for byte.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

_FENCE = "---"
_KEY = re.compile(r"[a-z][a-z0-9_]*")
_PLAIN = re.compile(r"[a-zA-Z][\w ./+-]*|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)")
"""Values that need no quotes: YAML reads them as the same text."""
_KEYWORDS = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))
_MAX_LINES = 100

HeaderValue = str | int | list[str] | dict[str, Any]


class HeadedText(NamedTuple):
    """A text with a parsed header."""

    fields: Mapping[str, HeaderValue]
    body: str
    body_line: int
    """1-based line number of the first line of the body."""


def parse_header(text: str) -> HeadedText:
    """Split a text into the fields of its header and its body.

    Raises: ValueError with the line if the header is missing or invalid.
    """
    lines = text.split("\n", _MAX_LINES + 2)
    if lines[0].rstrip("\r") != _FENCE:
        raise ValueError("line 1: a header begins with ---")
    fields: dict[str, HeaderValue] = {}
    length = len(lines[0]) + 1
    for number, line in enumerate(lines[1 : _MAX_LINES + 1], 2):
        length += len(line) + 1
        line = line.rstrip("\r")
        if line == _FENCE:
            return _headed(fields, text[length:], number + 1)
        key, mark, value = line.partition(":")
        if not mark or not _KEY.fullmatch(key):
            raise ValueError(f"line {number}: expected `key: value`")
        fields[key] = _parse_value(value.strip(), number)
    raise ValueError("the header does not end with a line ---")


def format_header(fields: Iterable[tuple[str, HeaderValue]]) -> str:
    """Return the lines of a header, with an empty line after it."""
    lines = [f"{key}: {_format_value(value)}" for key, value in fields]
    return "\n".join((_FENCE, *lines, _FENCE, "", ""))


def text_field(fields: Mapping[str, HeaderValue], key: str) -> str:
    """Return a field as text; empty if it is missing. Raises: ValueError for a list or
    an object.
    """
    value = fields.get(key, "")
    if isinstance(value, list | dict):
        raise ValueError(f"{key} must be a text, not a list or an object")
    return str(value)


def object_field(fields: Mapping[str, HeaderValue], key: str) -> dict[str, Any]:
    """Return a field that is a JSON object; empty for any other value."""
    value = fields.get(key)
    return value if isinstance(value, dict) else {}


def list_field(fields: Mapping[str, HeaderValue], key: str) -> tuple[str, ...]:
    """Return a field as a list; a text is a list of one item."""
    value = fields.get(key, [])
    if isinstance(value, list):
        return tuple(value)
    return (str(value),)


def _headed(fields: Mapping[str, HeaderValue], body: str, line: int) -> HeadedText:
    """Return the parts of a text; one empty line after the header belongs to it."""
    for blank in ("\n", "\r\n"):
        if body.startswith(blank):
            return HeadedText(fields, body[len(blank) :], line + 1)
    return HeadedText(fields, body, line)


def _parse_value(text: str, line: int) -> HeaderValue:
    if text[:1] in ('"', "["):
        return _parse_json(text, line)
    if text[:1] == "{":
        return _parse_object(text)
    if text.isascii() and text.isdigit():
        return int(text[:18])
    return text


def _parse_json(text: str, line: int) -> HeaderValue:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        if text[0] == "[" and text[-1] == "]":  # a plain YAML list: [ana, ben]
            items = [item.strip(" \"'") for item in text[1:-1].split(",")]
            return [item for item in items if item]
        raise ValueError(f"line {line}: the value is not valid JSON") from None
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return value
    raise ValueError(f"line {line}: the value must be a text or a list of texts")


def _parse_object(text: str) -> HeaderValue:
    """Return a JSON object; any other text unchanged."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, dict) else text


def _format_value(value: HeaderValue) -> str:
    if isinstance(value, int):
        return str(value)
    is_plain = isinstance(value, str) and _PLAIN.fullmatch(value)
    if is_plain and value == str(value).strip() and value not in _KEYWORDS:
        return str(value)
    return json.dumps(value, ensure_ascii=False)
