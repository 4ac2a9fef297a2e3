"""Texts without definitions: keys of data files, prose of reStructuredText, and
minified text.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from cuedeck.model.errors import Invalid
from cuedeck.model.file import Section
from cuedeck.parse.toml_reader import read_toml
from cuedeck.parse.yaml_values import read_yaml

_LONG_LINE = 1_000
"""Characters of a line that nobody wrote by hand."""
_MINIFIED_SHARE = 0.5
"""Part of a minified text that is in long lines."""
_GENERATED_MARKS = ("@generated", "do not edit", "automatically generated")
_MANIFEST_KEYS = ("project", "package", "info")
"""Tables with the description: of pyproject.toml, Cargo.toml and OpenAPI."""
_HEAD = 1_000
"""Characters in which a mark of a generator is looked for."""


def suffix_of(path: str) -> str:
    """Return the suffix of a path in lower case, with its dot; empty if it has none."""
    name = path.rpartition("/")[2]
    dot = name.rfind(".")
    return name[dot:].lower() if dot > 0 else ""


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
    suffix = suffix_of(path)
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
    """Return the name and the description in a manifest; empty if it has none."""
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
    """Return the first value that is a text, on one line; empty if there is none."""
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
    is_directive = False
    for number, row in enumerate(text.split("\n"), 1):
        section = titles.get(number)
        if section is not None:
            rows.append(f"\n{'#' * min(section.level, 6)} {section.title}\n")
            is_directive = False
            continue
        if row.startswith(".. "):
            is_directive = True
            continue
        if row[:1].strip():
            is_directive = False
        is_heading = {number - 1, number - 2} & titles.keys()
        if is_heading and _is_adornment(
            row,
            titles,
            number,
        ):
            continue
        if not is_directive:
            rows.append(row.replace("``", "`"))
    return "\n".join(rows)


def _is_adornment(
    row: str,
    titles: dict[int, Section],
    number: int,
) -> bool:
    """Return whether a row is the title or the line below it, which `titles` replaced:
    a section begins at its overline, if it has one.
    """
    text = row.strip()
    if _is_line(text):
        return True
    section = titles.get(number - 1)
    return section is not None and text == section.title


def _is_line(text: str) -> bool:
    """Return whether a text is a line of one character, such as `====`."""
    if len(text) < 2 or text.isalnum():
        return False
    return text == text[0] * len(text)


def unwritten(path_is_generated: bool, text: str) -> str:
    """Return `minified` or `generated` for a text that nobody wrote by hand, else an
    empty text.
    """
    if len(text) > _LONG_LINE:
        lengths = map(len, text.split("\n"))
        long = sum(length for length in lengths if length > _LONG_LINE)
        if long > _MINIFIED_SHARE * len(text):
            return "minified"
    head = text[:_HEAD].lower()
    if path_is_generated or any(mark in head for mark in _GENERATED_MARKS):
        return "generated"
    return ""
