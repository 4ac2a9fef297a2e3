"""Texts without definitions: keys of data files, and prose of reStructuredText."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Sequence
from typing import Any, NamedTuple

from cuedeck.model.errors import Invalid
from cuedeck.model.file import Section
from cuedeck.parse.toml_reader import read_toml
from cuedeck.parse.yaml_reader import read_yaml

_MANIFEST_KEYS = ("project", "package", "info")
"""Tables with the description: of pyproject.toml, Cargo.toml and OpenAPI."""


class DataFacts(NamedTuple):
    """Contents of a data file."""

    keys: Sequence[str] = ()
    """Top-level keys in file order."""
    lead: str = ""
    """Its name and its description, if it is a manifest that has a description."""


def read_data_facts(path: str, text: str) -> DataFacts:
    """Return the contents of a TOML, JSON or YAML file; none of another file and of one
    that cannot be parsed.
    """
    suffix = posixpath.splitext(path)[1].lower()
    try:
        if suffix == ".toml":
            value: object = read_toml(text)
        elif suffix == ".json":
            value = json.loads(text)
        elif suffix in (".yaml", ".yml"):
            value = next((each for each in read_yaml(text)[0] if each), None)
        else:
            return DataFacts()
    except (ValueError, RecursionError, Invalid):
        return DataFacts()
    if not isinstance(value, dict):
        return DataFacts()
    return DataFacts([str(key) for key in value], _description(value))


def _description(value: dict[Any, Any]) -> str:
    places = [value.get(key) for key in _MANIFEST_KEYS]
    tool = value.get("tool")
    if isinstance(tool, dict):
        places.append(tool.get("poetry"))
    for place in (value, *places):
        if not isinstance(place, dict):
            continue
        description = _first_text(place, ("description", "site_description"))
        if description:
            name = _first_text(place, ("name", "title", "site_name"))
            return f"{name}: {description}" if name else description
    return ""


def _first_text(table: dict[Any, Any], keys: Sequence[str]) -> str:
    for key in keys:
        value = table.get(key)
        if isinstance(value, str) and value.strip():
            return " ".join(value.split())
    return ""


def markdown_of_rst(text: str, sections: Sequence[Section]) -> str:
    """Return the headings and paragraphs of reStructuredText as Markdown, without
    directives and comments.
    """
    titles = {section.start: section for section in sections}
    rows: list[str] = []
    title = ""
    is_directive = False
    for number, row in enumerate(text.split("\n"), 1):
        section = titles.get(number)
        if section is not None:  # begins at the line above its title, if it has one
            title = section.title
            rows.append(f"\n{'#' * min(section.level, 6)} {title}\n")
        if row[:1].strip():
            is_directive = row.startswith(".. ")
        stripped = row.strip()
        is_line = len(stripped) > 1 and not stripped.strip(stripped[0])
        is_adornment = is_line and not stripped.isalnum()
        if not (is_directive or is_adornment or (title and stripped == title)):
            rows.append(row.replace("``", "`"))
    return "\n".join(rows)
