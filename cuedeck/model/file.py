"""Parsed files of the workspace and their terms: values without behaviour.

The small row types are NamedTuples because the index stores them as plain lists and
reads thousands of them; the file itself is a frozen dataclass. Lines are 1-based and
ranges are inclusive everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from cuedeck.model.diagnostic import UNREADABLE, Diagnostic

Kind = Literal["card", "doc", "source", "binary"]

STATUSES = ("todo", "active", "blocked", "done", "archived")
CLOSED = ("done", "archived")
"""Statuses of cards that are no longer worked on."""
PRIORITIES = ("critical", "high", "medium", "low")


class Section(NamedTuple):
    """A part of a doc: from its heading to the line before the next heading of the same
    or a higher level.
    """

    title: str
    """Heading text without markup."""
    slug: str
    """GitHub slug; repeated titles get the suffix `-1`, `-2` …"""
    level: int
    start: int
    end: int
    parent: int
    """Index of the enclosing section in the same file, or -1."""


class Block(NamedTuple):
    """A paragraph, list item or other block that carries a `^id`."""

    id: str
    start: int
    end: int


class Symbol(NamedTuple):
    """A definition in a source file, or in a code cell of a notebook."""

    name: str
    """Name qualified within the file: `Login.verify`."""
    kind: str
    """`class`, `function`, `method`, `type`, `constant`."""
    start: int
    """First line, including decorators and attributes."""
    end: int
    signature: str
    """Head of the definition joined into one line."""
    head: int
    """First line of the head, after decorators and doc comment."""
    doc: str
    """First paragraph of the doc comment on one line; empty if there is none."""


class Import(NamedTuple):
    """One import of a source file; `graph.imports` resolves it."""

    spec: str
    """Module as written: `.models`, `./url`, `crate::book`,
    `github.com/spf13/cobra/doc`.
    """
    names: tuple[str, ...]
    """Imported names as defined in the module, `*` for all; empty if the module is
    imported as a whole.
    """
    line: int


class Root(NamedTuple):
    """An import prefix that a project file maps to a file or folder."""

    prefix: str
    """`github.com/spf13/cobra`, `@/*`, `mdbook_core`, or empty for every name."""
    target: str
    """Workspace-relative path of a file or folder; `*` is replaced by the text that the
    `*` of the prefix matched.
    """


class Link(NamedTuple):
    """A ref as a person wrote it; `graph.resolve_ref` finds its target."""

    ref: str
    """Target text without alias and brackets, percent-decoded: `docs/x.md#H`."""
    line: int
    form: str
    """`refs` (front matter), `wiki`, `markdown`, `mention` (`@doc/…`, `@ref[…]`,
    `cuedeck: refs`).

    Links that are not written in a file are `pinned` (from the settings), `task` (named
    in the text of a task without a card) or `address` (requested, or cited by a
    ledger).
    """
    view: str
    """`full` if the author asks for the whole text, else empty."""
    pin: bool
    """Whether the author pins the target; pinned targets are planned first after the
    root.
    """


@dataclass(frozen=True, slots=True)
class Card:
    """The task fields of a card file; scalars are kept as written."""

    id: str
    title: str
    status: str = "todo"
    priority: str = "medium"
    tags: tuple[str, ...] = ()
    assignee: str = ""
    depends_on: tuple[str, ...] = ()
    created: str = ""
    updated: str = ""
    budget: str = ""
    """Token budget as digits in the valid range of a scene, or empty."""
    broken: bool = False
    """True if the front matter is malformed; the other fields are then best guesses."""


@dataclass(frozen=True, slots=True)
class File:
    """One parsed file: all data that the graph needs, without the text."""

    path: str
    """Workspace-relative POSIX path."""
    kind: Kind
    size: int
    """Bytes."""
    lines: int
    """Number of lines of the text; 0 for a binary file."""
    title: str = ""
    """Front-matter title, else first heading of level 1, else empty."""
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    body: int = 1
    """First line after the front matter; 1 when there is none."""
    links: tuple[Link, ...] = ()
    """Front-matter refs in their order, followed by the links of the text in line
    order.
    """
    sections: tuple[Section, ...] = ()
    blocks: tuple[Block, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    imports: tuple[Import, ...] = ()
    roots: tuple[Root, ...] = ()
    card: Card | None = None
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def fault(self) -> str:
        """Reason why the content is unreadable; empty for a file that was read."""
        return next(
            (each.message for each in self.diagnostics if each.code == UNREADABLE), ""
        )


@dataclass(frozen=True, slots=True)
class VirtualFile:
    """A file that exists in memory only: the task of a scene without a card."""

    file: File
    text: str
    hash: str
    """sha256 (hex) of the text."""


class Chunk(NamedTuple):
    """A window of lines of a file, at most one screen of one definition or section."""

    start: int
    end: int
    head: int
    """Line of the enclosing signature or heading above the chunk; 0 if there is none.
    """
    name: str
    """Name of the innermost definition or section that contains it; empty if there is
    none.
    """
    words: int
    """Number of words in the chunk."""


class Words(NamedTuple):
    """The chunks of a file and the term counts of each."""

    chunks: tuple[Chunk, ...]
    counts: Mapping[str, tuple[int, ...]]
    """By term: alternating chunk index and count in that chunk."""


NO_WORDS = Words((), {})
