"""Read-only access to values in host configuration files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from cuedeck.agents.edits.json_tree import read_json
from cuedeck.model.errors import Invalid
from cuedeck.parse.text_decoding import BOM
from cuedeck.parse.toml_reader import read_toml
from cuedeck.text.text_offsets import line_number


def read_value(name: str, text: str) -> Any:
    """Parse a JSON or TOML file; return None if it is malformed or empty."""
    if name.endswith(".toml"):
        try:
            return read_toml(text)
        except Invalid:
            return None
    try:
        # Much faster than `read_json`, and files in the home folder are long.
        return json.loads(text.removeprefix(BOM))
    except (ValueError, RecursionError):
        pass
    try:
        return read_json(text).value()
    except Invalid:
        return None


def look_up(value: Any, keys: Sequence[str]) -> Any:
    """Return the value at a path of keys, or None."""
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            return None
        value = value[key]
    return value


def line_of(name: str, text: str, keys: Sequence[str]) -> int:
    """Return the line of the value at a path of keys in a JSON file; 0 if unknown, and
    always 0 for TOML.
    """
    if name.endswith(".toml"):
        return 0
    try:
        node = read_json(text).find(keys)
    except Invalid:
        return 0
    if node is None:
        return 0
    return line_number(text, node.start)
