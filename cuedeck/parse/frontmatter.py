"""Parser of front matter: the YAML between a first line `---` and the next line `---`
or `...`.

Scalars stay strings as written: `123456`, `no`, `2026-01-01`, `12:30:45` and `null` are
not converted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import yaml  # type: ignore[import-untyped,unused-ignore]
from frontmatter.default_handlers import YAMLHandler

from cuedeck.model.diagnostic import Diagnostic, Level
from cuedeck.model.formatting import abbreviate
from cuedeck.parse.text_decoding import CONFLICT, CONFLICT_HINT, conflict_line
from cuedeck.parse.yaml_reader import (
    TOO_DEEP,
    TOO_DEEP_HINT,
    compose,
    explain,
    odd_breaks,
    row_of,
)

MAX_CHARACTERS = 100_000
OUR_KEY = re.compile(
    r"^(?:refs|title|aliases|tags|status|priority|depends_on)\s*:(?:\s|$)", re.MULTILINE
)
"""The keys that distinguish front matter from text between two horizontal rules."""

# The opening is anchored at the start of the file: a pair of rules further down is
# never front matter.
_BOUNDARY = re.compile(r"(?:\A---|(?<=\n)(?:---|\.\.\.))[ \t]*(?:\n|\Z)")
_HANDLER = YAMLHandler(fm_boundary=_BOUNDARY)
_FURTHER = re.compile(
    r"^---[ \t]*\n((?:[A-Za-z_]\w*[ \t]*:(?:[ \t].*)?\n|[ \t]+.*\n|-[ \t].*\n)+)(?=---[ \t]*$)",
    re.MULTILINE,
)
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
_OPENING = re.compile(r"---[ \t]*\n[\"']?\w[^:\n]*:(?:\s|\Z)")


class FrontMatter(NamedTuple):
    """The values of front matter and their lines."""

    values: Mapping[str, object] = {}
    """Strings, or nested lists and mappings of strings; the last of duplicate keys
    wins.
    """
    lines: Mapping[str, int] = {}
    """The line of each top-level key."""
    ref_lines: tuple[int, ...] = ()
    """The line of each item of `refs`, or of its single value."""
    broken: bool = False
    """Whether there is front matter that cannot be parsed."""
    diagnostics: tuple[Diagnostic, ...] = ()
    body: int = 1
    """The number of the first line after the front matter."""
    offset: int = 0
    """The offset of that line, in characters."""

    def text(self, *keys: str) -> str:
        """Return the first non-empty scalar among the values of `keys`, stripped; empty
        if there is none.
        """
        for key in keys:
            value = self.values.get(key)
            if isinstance(value, str) and value.strip():
                return value.strip()
        return ""

    def texts(self, key: str, *, commas: bool = False) -> tuple[str, ...]:
        """Return the scalars of a list, or a single scalar as one item; `commas` splits
        a single scalar at commas.
        """
        value = self.values.get(key)
        if isinstance(value, str):
            value = value.split(",") if commas else [value]
        if not isinstance(value, list):
            return ()
        return tuple(
            item.strip() for item in value if isinstance(item, str) and item.strip()
        )

    def misfits(
        self, path: str, scalars: tuple[str, ...], lists: tuple[str, ...]
    ) -> list[Diagnostic]:
        """Return a warning for each value whose type is not allowed for its key."""
        found = []
        for key, value in self.values.items():
            is_list = key in lists
            if isinstance(value, str) or not (is_list or key in scalars):
                continue
            items = value if isinstance(value, list) else [value]
            if is_list and all(isinstance(item, str) for item in items):
                continue
            message = f"`{key}` must be a text{' or a list of texts' * is_list}"
            hint = f'put it in quotes: {key}: "…"'
            line, code = self.lines[key], "bad-value"
            found.append(
                Diagnostic(
                    path=path,
                    line=line,
                    level="warning",
                    code=code,
                    message=message,
                    hint=hint,
                )
            )
        return found


NO_FRONT_MATTER = FrontMatter()


def split_front_matter(path: str, text: str, level: Level = "warning") -> FrontMatter:
    """Parse the front matter at the start of `text`; return empty values if there is
    none.

    `level` is the severity of diagnostics for unreadable front matter; it is `error`
    for cards. Front matter that is not closed, or not a mapping, counts as body, so
    that no text is lost. A conflict of git and a further block are diagnostics, too.
    """
    found = _split(path, text, level)
    conflict = conflict_line(text, fences=True)
    if conflict:
        problem = Diagnostic(
            path=path,
            line=conflict,
            level=level,
            code="conflict",
            message=CONFLICT,
            hint=CONFLICT_HINT,
        )
        others = [each for each in found.diagnostics if each.code != "bad-yaml"]
        return found._replace(diagnostics=(problem, *others))
    if found.broken or "\n---" not in text[max(found.offset - 1, 0) :]:
        return found
    further = _further_block(text, found.offset, anywhere=level == "error")
    if not further:
        return found
    message = "this front matter is read as text, because it is not at line 1"
    hint = "move it to line 1"
    if found.offset:
        message = "a second front matter block is read as text"
        hint = "move its keys into the block at line 1"
    problem = Diagnostic(
        path=path,
        line=further,
        level=level,
        code="second-front-matter",
        message=message,
        hint=hint,
    )
    return found._replace(diagnostics=(*found.diagnostics, problem))


def _further_block(text: str, offset: int, *, anywhere: bool) -> int:
    """Return the line of a block with keys of CueDeck after the front matter, or 0.

    In a doc only a block that follows directly counts: further down, horizontal rules
    may enclose any text.
    """
    for block in _FURTHER.finditer(text, offset):
        before = text[offset : block.start()]
        if not anywhere and (not offset or before.strip()):
            return 0
        is_example = len(_FENCE.findall(before)) % 2
        if not is_example and OUR_KEY.search(block[1]):
            return text.count("\n", 0, block.start()) + 1
    return 0


def _split(path: str, text: str, level: Level) -> FrontMatter:
    if not text.startswith("---") or not _HANDLER.detect(text):
        return NO_FRONT_MATTER
    if _BOUNDARY.search(text, 4) is None:
        if not _OPENING.match(text):
            return NO_FRONT_MATTER
        message, hint = "front matter is not closed", "end it with a line `---`"
        code = "unclosed-front-matter"
        return _broken(
            Diagnostic(
                path=path,
                line=1,
                level=level,
                code=code,
                message=message,
                hint=hint,
            )
        )
    matter, content = _HANDLER.split(text)
    found = read_front_matter(path, matter, 2, level)
    if found.broken:
        if level != "error" and matter[:1] == "\n" and not OUR_KEY.search(matter):
            return NO_FRONT_MATTER
        if found.diagnostics[0].code == "not-a-mapping":
            return found
    offset = len(text) - len(content)
    return found._replace(body=1 + text.count("\n", 0, offset), offset=offset)


def read_front_matter(
    path: str, matter: str, first: int, level: Level = "warning"
) -> FrontMatter:
    """Parse the YAML of front matter; `first` is the line number in the file of its
    first line.
    """

    def broken(line: int, code: str, message: str, hint: str) -> FrontMatter:
        return _broken(
            Diagnostic(
                path=path,
                line=line,
                level=level,
                code=code,
                message=message,
                hint=hint,
            )
        )

    if len(matter) > MAX_CHARACTERS:
        hint = f"keep it below {MAX_CHARACTERS:,} characters"
        return broken(first - 1, "bad-yaml", "front matter is too long", hint)
    try:
        node: Any = compose(matter)
        if isinstance(node, yaml.MappingNode):
            return _values(path, node, first, odd_breaks(matter))
    except RecursionError:
        return broken(first, "bad-yaml", TOO_DEEP, TOO_DEEP_HINT)
    except yaml.YAMLError as error:
        row, message, hint = explain(error, matter)
        return broken(first + row, "bad-yaml", message, hint)
    if node is None:
        return NO_FRONT_MATTER
    message = "front matter is not made of `key: value` lines"
    hint = "write `title: …`, or remove the `---` lines"
    return broken(first, "not-a-mapping", message, hint)


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
            message = f"`{abbreviate(key)}` occurs twice; the last one is used"
            hint, code = "keep one of them", "duplicate-key"
            found.append(
                Diagnostic(
                    path=path,
                    line=line,
                    level="warning",
                    code=code,
                    message=message,
                    hint=hint,
                )
            )
        values[key] = _build(node, built)
        lines[key] = line
        if key == "refs":
            items = node.value if isinstance(node, yaml.SequenceNode) else [node]
            ref_lines = tuple(first + row_of(item.start_mark, odd) for item in items)
    return FrontMatter(values, lines, ref_lines, diagnostics=tuple(found))


def _build(node: yaml.Node, built: dict[int, object]) -> object:
    if isinstance(node, yaml.ScalarNode):
        return node.value
    # An alias refers to the same node. Sharing its value prevents exponential growth
    # through nested aliases.
    if id(node) in built:
        return built[id(node)]
    if isinstance(node, yaml.SequenceNode):
        items: list[object] = []
        built[id(node)] = items
        items += [_build(item, built) for item in node.value]
        return items
    table: dict[str, object] = {}
    built[id(node)] = table
    for key, value in node.value:
        if isinstance(key, yaml.ScalarNode):
            table[key.value] = _build(value, built)
    return table


def _broken(diagnostic: Diagnostic) -> FrontMatter:
    return FrontMatter(broken=True, diagnostics=(diagnostic,))
