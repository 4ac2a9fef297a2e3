"""Parser of cards: task files with the fields of the task in front matter, and
task-list items: `- [ ]` and `- [x]`, outside code.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.file import PRIORITIES, STATUSES, Card, File
from cuedeck.model.formatting import abbreviate
from cuedeck.model.paths import CONFIG
from cuedeck.model.settings_schema import BAD_BUDGET, LARGEST_BUDGET, SMALLEST_BUDGET
from cuedeck.parse.frontmatter import FrontMatter, split_front_matter
from cuedeck.parse.markdown import parse_markdown
from cuedeck.parse.refs import parse_refs
from cuedeck.parse.text_decoding import Decoded

_CREATED = ("created", "created_at")
_UPDATED = ("updated", "updated_at", "last_modified")
_SCALARS = (
    "id",
    "title",
    "status",
    "priority",
    "assignee",
    "budget",
    *_CREATED,
    *_UPDATED,
)
_LISTS = ("tags", "depends_on", "aliases")
_SETTINGS = ("depth", "pinned", "related_share")
"""Settings of all scenes, which a card cannot set."""
_MAX_BUDGET_DIGITS = 9


def parse_card(path: str, size: int, decoded: Decoded) -> File:
    """Parse a card. `decoded` is its text; `size` is the size of the file in bytes.

    A card with invalid front matter is still returned, marked as broken.
    """
    text = decoded.text
    matter = split_front_matter(path, text, "error")
    page = parse_markdown(text[matter.offset :], matter.body)
    refs, bad_refs = parse_refs(path, matter)
    card, bad_fields = _read_fields(path, matter, page.title)
    return File(
        path=path,
        kind="card",
        size=size,
        lines=decoded.lines,
        title=card.title,
        aliases=matter.texts("aliases"),
        tags=card.tags,
        body=matter.body,
        links=refs + page.links,
        sections=page.sections,
        blocks=page.blocks,
        card=card,
        diagnostics=tuple(sorted((*matter.diagnostics, *bad_fields, *bad_refs))),
    )


def guess_card(path: str) -> Card:
    """Return a broken card with default fields; its id and title are the stem of its
    file name.
    """
    stem = posixpath.splitext(posixpath.basename(path))[0]
    return Card(stem, stem, broken=True)


class _FieldReader:
    """Reader of the fields of a card, with a warning for each invalid value."""

    def __init__(self, path: str, matter: FrontMatter) -> None:
        self._path = path
        self._matter = matter
        self.warnings = matter.misfits(path, _SCALARS, _LISTS)

    def read_choice(self, key: str, allowed: Sequence[str], default: str) -> str:
        """Return the value of a key that has one of a few words."""
        written = self._matter.text(key)
        word = written.lower() or default
        if word in allowed:
            return word
        message = f"unknown {key} `{abbreviate(written)}`; read as `{default}`"
        self._warn(key, f"unknown-{key}", message, f"use one of {', '.join(allowed)}")
        return default

    def read_id(self, stem: str) -> str:
        """Return the id of the card, by default the stem of its file name."""
        identity = self._matter.text("id") or stem
        if identity != stem:
            message = f"id `{abbreviate(identity)}` differs from the file name `{stem}`"
            self._warn("id", "card-id", message, "make them equal")
        return identity

    def read_budget(self) -> str:
        """Return the token limit of the scene; empty if the card has no valid one."""
        budget = self._matter.text("budget")
        if not budget:
            return ""
        is_number = (
            budget.isascii() and budget.isdigit() and len(budget) <= _MAX_BUDGET_DIGITS
        )
        if not (is_number and SMALLEST_BUDGET <= int(budget) <= LARGEST_BUDGET):
            message = (
                f"budget must be a whole number from {SMALLEST_BUDGET} to "
                f"{LARGEST_BUDGET:,}, got `{abbreviate(budget)}`"
            )
            hint = "correct it in the card, as in `budget: 8000`"
            self._warn("budget", BAD_BUDGET, message, hint)
            return ""
        return budget

    def check_settings(self) -> None:
        """Warn of settings that only the settings file can have."""
        for key in _SETTINGS:
            if key in self._matter.lines:
                message = f"a card has no `{key}`, so scenes ignore it"
                hint = f"set `scene.{key}` in {CONFIG} for all cards, or remove the key"
                self._warn(key, "card-setting", message, hint)

    def _warn(self, key: str, code: str, message: str, hint: str) -> None:
        line = self._matter.lines[key]
        warning = Diagnostic(
            path=self._path,
            line=line,
            level="warning",
            code=code,
            message=message,
            hint=hint,
        )
        self.warnings.append(warning)


def _read_fields(
    path: str, matter: FrontMatter, heading: str
) -> tuple[Card, list[Diagnostic]]:
    default = guess_card(path)
    reader = _FieldReader(path, matter)
    card = replace(
        default,
        id=reader.read_id(default.id),
        title=matter.text("title") or heading or default.title,
        status=reader.read_choice("status", STATUSES, default.status),
        priority=reader.read_choice("priority", PRIORITIES, default.priority),
        tags=matter.texts("tags", commas=True),
        assignee=matter.text("assignee"),
        depends_on=matter.texts("depends_on", commas=True),
        created=matter.text(*_CREATED),
        updated=matter.text(*_UPDATED),
        budget=reader.read_budget(),
        broken=matter.broken,
    )
    reader.check_settings()
    return card, reader.warnings


_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|\Z)")
_BOX = re.compile(r"\[([ xX])\][ \t]+(\S.*)")
_FENCE = re.compile(r"`{3,}|~{3,}")
_CODE = 4
"""Blanks before code, counted from the text of the list item that contains it."""
_COMMENT, _COMMENT_END = "<!--", "-->"


class Box(NamedTuple):
    """A task-list item."""

    text: str
    checked: bool
    line: int
    """1-based line number."""


def parse_boxes(text: str) -> Sequence[Box]:
    """Return the task-list items of a text in order."""
    found: list[Box] = []
    for number, line in _lines_outside_code(text):
        item = _ITEM.match(line)
        if not item:
            continue
        box = _BOX.fullmatch(_without_comments(line[item.end() :]).rstrip())
        if box:
            found.append(Box(box[2].strip(), box[1] != " ", number))
    return found


def _lines_outside_code(text: str) -> Iterator[tuple[int, str]]:
    fence = ""
    columns: list[int] = []
    """The columns at which the texts of the open list items begin."""
    is_after_blank = True
    for number, line in enumerate(text.split("\n"), 1):
        rest = line.strip()
        if not rest:
            is_after_blank = True
            continue
        mark = _FENCE.match(rest)
        if fence:
            if mark and mark[0] == rest and rest.startswith(fence):
                fence = ""
            continue
        expanded = line.expandtabs(_CODE)
        indent = len(expanded) - len(expanded.lstrip())
        item = _ITEM.match(rest)
        if item or is_after_blank:
            while columns and indent < columns[-1]:
                columns.pop()
        is_after_blank = False
        if indent - (columns[-1] if columns else 0) >= _CODE:
            continue
        if mark:
            fence = mark[0]
            continue
        if item:
            columns.append(indent + item.end())
        yield number, rest


def _without_comments(line: str) -> str:
    """Return a line without its closed comments; a pattern would search the end of each
    open one again.
    """
    kept, start = [], 0
    while (opening := line.find(_COMMENT, start)) >= 0:
        end = line.find(_COMMENT_END, opening + len(_COMMENT))
        if end < 0:
            break
        kept.append(line[start:opening])
        start = end + len(_COMMENT_END)
    return "".join((*kept, line[start:]))
