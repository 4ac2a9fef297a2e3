"""YAML scalar writer that quotes only where needed, and the renderer of new cards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import yaml  # type: ignore[import-untyped,unused-ignore]

from cuedeck.model.errors import Invalid
from cuedeck.parse.yaml_reader import compose

QUOTES = ("'", '"')
"""Styles of a quoted scalar."""
STRICT_KEYS = ("title",)
"""Keys whose value must be a string for every YAML reader."""

# YAML readers reject these characters or treat them as line breaks, so they must be
# written as escapes.
_ESCAPED = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_NAMED_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
# Plain scalars that YAML 1.1 or 1.2 does not parse as a string, in addition to those of
# PyYAML's resolver.
_NOT_TEXT = re.compile(
    r"[yYnN]|[-+]?(?:\.\d+|\d+\.?\d*)(?:[eE][-+]?\d+)?|0o[0-7]+|0x[0-9a-fA-F]+",
    re.ASCII,
)
# YAML readers disagree about these inside flow collections.
_FLOW_SIGN = re.compile(r"[?,\[\]{}]|:$")
_NEVER_PLAIN = ("", "=", "<<")
"""The empty text, and words that PyYAML's `BaseLoader` accepts but its standard loaders
reject.
"""


def quote(
    value: str, *, flow: bool = False, strict: bool = False, like: str = ""
) -> str:
    """Return `value` as a YAML scalar on one line, quoted only if needed.

    `flow`: the scalar is inside `[…]` or `{…}`. `strict`: every YAML reader must parse
    it as a string, so words such as `no`, `12` and `2026-01-01` are quoted. `like`: the
    quote character to use even if quotes are not needed.

    Raises: Invalid if the value contains lone surrogates.
    """
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise Invalid(
            f"{value!r} is not valid Unicode text", hint="write it in UTF-8"
        ) from error
    if like not in QUOTES and _may_be_unquoted(value, flow, strict):
        return value
    if _prefers_single_quotes(value, like) and not _ESCAPED.search(value):
        return "'" + value.replace("'", "''") + "'"
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + _ESCAPED.sub(_escape, escaped) + '"'


def quote_list(items: Sequence[str], like: str = "") -> str:
    """Return a flow list on one line; `like` as in `quote`."""
    written = [quote(item, flow=True, like=like) for item in items]
    return f"[{', '.join(written)}]"


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    return _NAMED_ESCAPES.get(char) or f"\\u{ord(char):04x}"


def _may_be_unquoted(value: str, flow: bool, strict: bool) -> bool:
    if not _is_plain(value, flow):
        return False
    return not strict or not _is_typed(value)


def _prefers_single_quotes(value: str, like: str) -> bool:
    if like in QUOTES:
        return like == "'"
    return '"' in value or "\\" in value


def _is_plain(value: str, flow: bool) -> bool:
    if value in _NEVER_PLAIN or _ESCAPED.search(value):
        return False
    if flow and _FLOW_SIGN.search(value):
        return False
    before, after = ("[", " ]") if flow else ("- ", "")
    try:
        root: Any = compose(before + value + after)
    except (yaml.YAMLError, RecursionError):
        return False
    if len(root.value) != 1 or not isinstance(root.value[0], yaml.ScalarNode):
        return False
    node = root.value[0]
    span = node.start_mark.index, node.end_mark.index
    return node.value == value and span == (len(before), len(before + value))


def _is_typed(value: str) -> bool:
    """Return whether some YAML reader parses the unquoted `value` as a number, date,
    boolean or null.
    """
    resolver: Any = yaml.resolver.Resolver()
    tag = resolver.resolve(yaml.ScalarNode, value, (True, False))
    return tag != "tag:yaml.org,2002:str" or _NOT_TEXT.fullmatch(value) is not None


def render_card(fields: Sequence[tuple[str, str | tuple[str, ...]]], body: str) -> str:
    """Return the text of a new card with the given fields in order.

    A tuple is written as a block list, an empty tuple as `[]`. The body follows after a
    blank line and ends with a newline.

    Raises: Invalid if a value contains lone surrogates.
    """
    lines = ["---"]
    for key, value in fields:
        if isinstance(value, str):
            quoted = quote(value, strict=key in STRICT_KEYS)
            lines.append(f"{quote(key)}: {quoted}")
        elif value:
            lines.append(f"{quote(key)}:")
            lines += [f"  - {quote(item)}" for item in value]
        else:
            lines.append(f"{quote(key)}: []")
    lines.append("---")
    if body:
        lines += ["", body.removesuffix("\n")]
    return "\n".join(lines) + "\n"
