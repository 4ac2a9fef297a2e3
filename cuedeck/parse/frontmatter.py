"""Front matter: the YAML between a first line `---` and the next line `---` or `...`.

Scalars stay text as written: `123456`, `no`, `2026-01-01`, `12:30:45` and `null` are strings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import yaml  # type: ignore[import-untyped,unused-ignore]
from frontmatter.default_handlers import YAMLHandler

from cuedeck.model.display import abbreviate
from cuedeck.model.file import Diagnostic, Level
from cuedeck.parse.yaml_errors import explain, may_be_deep, odd_breaks, row_of

MAX_CHARACTERS = 100_000
OUR_KEY = re.compile(r"^(?:refs|title|aliases|tags)\s*:(?:\s|$)", re.MULTILINE)
"""Tells front matter from text that happens to stand between two rules."""

# Anchored at the start of the file: a pair of rules further down is never front matter.
_BOUNDARY = re.compile(r"(?:\A---|(?<=\n)(?:---|\.\.\.))[ \t]*(?:\n|\Z)")
_OPENING = re.compile(r"---[ \t]*\n[\"']?\w[^:\n]*:(?:\s|\Z)")

_SlowLoader: Any = yaml.BaseLoader
_FastLoader: Any = getattr(yaml, "CBaseLoader", _SlowLoader)


class _FastNodeLoader(_FastLoader):  # type: ignore[misc]
    """Stops at the composed nodes: they know their lines, and composing twice would double the cost."""

    def get_single_data(self) -> yaml.Node | None:
        node: yaml.Node | None = self.get_single_node()
        return node

    def resolve(self, *_: object) -> str:
        """Return no tag: nobody asks for one, and looking for it costs as much as the rest."""
        return ""


class _SlowNodeLoader(_SlowLoader):  # type: ignore[misc]
    def get_single_data(self) -> yaml.Node | None:
        node: yaml.Node | None = self.get_single_node()
        return node


_HANDLER = YAMLHandler(fm_boundary=_BOUNDARY)


class FrontMatter(NamedTuple):
    """Values of a front matter and where they stand."""

    values: Mapping[str, object]
    """Strings, lists and mappings of them; the last of two equal keys wins."""
    lines: Mapping[str, int]
    """Line of each top-level key."""
    ref_lines: tuple[int, ...]
    """Line of each item of `refs`, or of its single value."""
    broken: bool
    """True when there is front matter that cannot be read."""
    diagnostics: tuple[Diagnostic, ...]
    body: int = 1
    """First line after the front matter."""
    offset: int = 0
    """Characters before that line."""

    def text(self, *keys: str) -> str:
        """Return the value of the first key that has one, as written; empty when none is a scalar."""
        for key in keys:
            value = self.values.get(key)
            if isinstance(value, str) and value.strip():
                return value.strip()
        return ""

    def texts(self, key: str, *, commas: bool = False) -> tuple[str, ...]:
        """Return a list of scalars, or a single one; `commas` splits a single one at its commas."""
        value = self.values.get(key)
        if isinstance(value, str):
            value = value.split(",") if commas else [value]
        if not isinstance(value, list):
            return ()
        return tuple(item.strip() for item in value if isinstance(item, str) and item.strip())

    def misfits(self, path: str, scalars: tuple[str, ...], lists: tuple[str, ...]) -> list[Diagnostic]:
        """Report values of another shape than their key allows."""
        found = []
        for key, value in self.values.items():
            fits = isinstance(value, str)
            if key in lists:
                fits = fits or (isinstance(value, list) and all(isinstance(item, str) for item in value))
            elif key not in scalars:
                continue
            if not fits:
                wanted = "a text or a list of texts" if key in lists else "a text"
                hint = f'put it in quotes: {key}: "…"'
                found.append(
                    Diagnostic(path, self.lines[key], "warning", "bad-value", f"`{key}` must be {wanted}", hint)
                )
        return found


def split_front_matter(path: str, text: str, level: Level = "warning") -> FrontMatter:
    """Read the front matter at the start of `text`; empty values when there is none.

    `level` is that of what makes it unreadable. Text without a closing line, and YAML that is no mapping, count
    as body, so that nothing a person wrote is lost.
    """
    if not text.startswith("---") or not _HANDLER.detect(text):
        return _NONE
    if _BOUNDARY.search(text, 4) is None:
        if not _OPENING.match(text):
            return _NONE
        hint = "end it with a line `---`"
        return _broken(Diagnostic(path, 1, level, "unclosed-front-matter", "front matter is not closed", hint))
    matter, content = _HANDLER.split(text)
    found = read_front_matter(path, matter, 2, level)
    if found.broken:
        if level != "error" and matter[:1] == "\n" and not OUR_KEY.search(matter):
            return _NONE
        if found.diagnostics[0].code == "not-a-mapping":
            return found
    offset = len(text) - len(content)
    return found._replace(body=1 + text.count("\n", 0, offset), offset=offset)


def read_front_matter(path: str, matter: str, first: int, level: Level = "warning") -> FrontMatter:
    """Read YAML whose first line is line `first` of the file."""
    if len(matter) > MAX_CHARACTERS:
        hint = f"keep it below {MAX_CHARACTERS:,} characters"
        return _broken(Diagnostic(path, first - 1, level, "bad-yaml", "front matter is too long", hint))
    try:
        node: Any = _HANDLER.load(matter, Loader=_SlowNodeLoader if may_be_deep(matter) else _FastNodeLoader)
        if isinstance(node, yaml.MappingNode):
            return _values(path, node, first, odd_breaks(matter))
    except RecursionError:
        hint = "front matter needs no more than a few levels"
        return _broken(Diagnostic(path, first, level, "bad-yaml", "front matter is nested too deeply", hint))
    except yaml.YAMLError as error:
        row, message, hint = explain(error, matter)
        return _broken(Diagnostic(path, first + row, level, "bad-yaml", message, hint))
    if node is None:
        return _NONE
    message = "front matter is not made of `key: value` lines"
    return _broken(
        Diagnostic(path, first, level, "not-a-mapping", message, "write `title: …`, or remove the `---` lines")
    )


def _values(path: str, root: yaml.MappingNode, first: int, odd: str) -> FrontMatter:
    values: dict[str, object] = {}
    lines: dict[str, int] = {}
    ref_lines: tuple[int, ...] = ()
    found: list[Diagnostic] = []
    built: dict[int, object] = {}
    for key_node, node in root.value:
        if not isinstance(key_node, yaml.ScalarNode):
            continue
        key: str = key_node.value
        line = first + row_of(key_node.start_mark, odd)
        if key in values:
            message = f"`{abbreviate(key)}` is given twice; the last one counts"
            found.append(Diagnostic(path, line, "warning", "duplicate-key", message, "keep one of them"))
        values[key] = _build(node, built)
        lines[key] = line
        if key == "refs":
            items = node.value if isinstance(node, yaml.SequenceNode) else [node]
            ref_lines = tuple(first + row_of(item.start_mark, odd) for item in items)
    return FrontMatter(values, lines, ref_lines, False, tuple(found))


def _build(node: yaml.Node, built: dict[int, object]) -> object:
    if isinstance(node, yaml.ScalarNode):
        return node.value
    # An alias gives the same node again: sharing the value keeps nested aliases from growing without bound.
    if id(node) in built:
        return built[id(node)]
    if isinstance(node, yaml.SequenceNode):
        items: list[object] = []
        built[id(node)] = items
        items.extend(_build(item, built) for item in node.value)
        return items
    table: dict[str, object] = {}
    built[id(node)] = table
    table.update((key.value, _build(value, built)) for key, value in node.value if isinstance(key, yaml.ScalarNode))
    return table


def _broken(diagnostic: Diagnostic) -> FrontMatter:
    return FrontMatter({}, {}, (), True, (diagnostic,))


_NONE = FrontMatter({}, {}, (), False, ())
