"""What a file of a host says, for those who only look."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from cuedeck.hosts.json_tree import reach, read_json
from cuedeck.model.errors import Invalid
from cuedeck.parse.text_decoding import BOM
from cuedeck.parse.text_offsets import line_number
from cuedeck.parse.toml_text import read_toml


def read_value(name: str, text: str) -> Any:
    """Return what a JSON or TOML file says; None when it cannot be read or is empty."""
    if name.endswith(".toml"):
        try:
            return read_toml(text)
        except Invalid:
            return None
    try:
        return json.loads(text.removeprefix(BOM))  # far quicker than what knows places, and files at home are long
    except (ValueError, RecursionError):
        pass
    try:
        return read_json(text).value()
    except Invalid:
        return None


def look_up(value: Any, keys: Sequence[str]) -> Any:
    """Return what stands below keys; None when nothing does."""
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            return None
        value = value[key]
    return value


def line_of(name: str, text: str, keys: Sequence[str]) -> int:
    """Return the line of what stands below keys in a JSON file; 0 when it cannot be told."""
    if name.endswith(".toml"):
        return 0
    try:
        way = reach(read_json(text).root, keys, text)
    except Invalid:
        return 0
    return line_number(text, way[-1].start) if len(way) > len(keys) else 0
